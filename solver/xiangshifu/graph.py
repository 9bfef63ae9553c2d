"""Graphs to look at: the repairs of one deal, and the positions around it.

Nothing here is fast or needs to be; the search has its own representation of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.xiangshifu.groups import group_names
from solver.xiangshifu.moves import legal_moves
from solver.xiangshifu.position import Position, format_group
from solver.xiangshifu.repairs import repair_model
from solver.xiangshifu.rules import CLASSIC, RuleSet

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True)
class Matching:
    """Why a deal needs at least so many moves.

    Attributes:
        invalid: places of the invalid groups.
        pairs: places of groups that one exchange could repair both, in a largest possible number of pairs.
    """

    invalid: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]

    @property
    def bound(self) -> int:
        """Each exchange repairs one group, or one of the pairs."""
        return len(self.invalid) - len(self.pairs)


def repair_graph(position: Position, rules: RuleSet = CLASSIC) -> nx.Graph:
    """The invalid groups of a position, joined where one exchange repairs both as they are dealt.

    Nodes are places, with the attribute ``tiles``.
    """
    import networkx as nx

    model = repair_model(position, rules)
    graph = nx.Graph()
    places = [int(place) for place in model.places]
    for place in places:
        graph.add_node(place, tiles=format_group(position.groups[place]))
    for k, place in enumerate(places):
        graph.add_edges_from((place, other) for j, other in enumerate(places) if j > k and model.edges[k] >> j & 1)
    return graph


def matching(position: Position, rules: RuleSet = CLASSIC) -> Matching:
    """A largest set of disjoint pairs of invalid groups that one exchange each could repair."""
    import networkx as nx

    graph = repair_graph(position, rules)
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    return Matching(tuple(sorted(graph.nodes)), tuple(sorted((min(pair), max(pair)) for pair in pairs)))


def move_graph(position: Position, rules: RuleSet = CLASSIC, *, most: int = 10_000) -> nx.DiGraph:
    """The positions that can be reached, joined by moves, as far as ``most`` positions go.

    Nodes are numbered from 0, the given position, in the order of a breadth-first search. Node attributes: ``position``
    (text), ``depth``, ``invalid`` (number of invalid groups), ``expanded`` (whether its moves are in the graph).
    Edge attribute: ``exchange`` (text of the tiles).
    """
    import networkx as nx

    graph = nx.DiGraph()
    numbers: dict[tuple[int, ...], int] = {}
    waiting = [position]
    _add(graph, numbers, position, 0, rules)
    for number, current in enumerate(waiting):
        graph.nodes[number]["expanded"] = True
        for move in legal_moves(current, rules):
            after = current.exchanged(*move.groups, move.after)
            key = tuple(sorted(after.groups))
            if key not in numbers:
                if len(numbers) >= most:
                    graph.nodes[number]["expanded"] = False
                    continue
                _add(graph, numbers, after, graph.nodes[number]["depth"] + 1, rules)
                waiting.append(after)
            exchange = f"{format_group(move.out[0])} {format_group(move.out[1])}"
            graph.add_edge(number, numbers[key], exchange=exchange)
    return graph


def _add(
    graph: nx.DiGraph, numbers: dict[tuple[int, ...], int], position: Position, depth: int, rules: RuleSet
) -> None:
    number = len(numbers)
    numbers[tuple(sorted(position.groups))] = number
    invalid = sum(not group_names(group, rules) for group in position.groups)
    graph.add_node(number, position=str(position), depth=depth, invalid=invalid, expanded=False)
