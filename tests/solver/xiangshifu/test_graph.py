"""The graphs to look at, against the search's own structures."""

from __future__ import annotations

import networkx as nx
import pytest

from solver import Deal, Position, RuleSet, legal_moves, move_graph, repair_graph, solve
from solver.xiangshifu.graph import matching
from solver.xiangshifu.solve import lower_bound

CLASSIC = RuleSet.parse("classic")


@pytest.mark.parametrize("index", range(40))
def test_matching_bound_is_never_above_the_repair_bound(index: int) -> None:
    deal = Deal.random(31, index)
    bound = lower_bound(deal)
    best = matching(deal)
    assert bound is None or best.bound <= bound
    taken = [place for pair in best.pairs for place in pair]
    assert len(taken) == len(set(taken))
    assert all(repair_graph(deal).has_edge(*pair) for pair in best.pairs)


def test_whole_move_graph_of_a_lost_deal() -> None:
    deal = Deal.random(25, 325)
    assert solve(deal).verdict == "unwinnable"
    graph = move_graph(deal, most=500)
    assert all(graph.nodes[node]["expanded"] for node in graph)
    assert all(graph.nodes[node]["invalid"] for node in graph)
    assert len(graph) == 6
    assert nx.is_weakly_connected(graph)
    depths = nx.single_source_shortest_path_length(graph, 0)
    assert {node: graph.nodes[node]["depth"] for node in graph} == dict(depths)
    assert graph.out_degree(0) == len(legal_moves(deal, CLASSIC))


def test_move_graph_keeps_to_its_limit() -> None:
    graph = move_graph(Deal.random(1, 0), most=25)
    assert len(graph) == 25
    assert not all(graph.nodes[node]["expanded"] for node in graph)


def test_the_graph_ends_where_the_solution_does() -> None:
    result = solve(Deal.random(1, 5))
    assert result.moves
    position: Position = result.deal
    for move in result.moves[:-2]:
        position = position.exchanged(*move.groups, move.after)
    graph = move_graph(position, most=2000)
    depths = [graph.nodes[node]["depth"] for node in graph if graph.nodes[node]["invalid"] == 0]
    assert min(depths) == 2
