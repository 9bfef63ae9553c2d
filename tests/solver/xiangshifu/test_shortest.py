"""All shortest solutions: against plain search, the independent checker, and within limits."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

import naive
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solver import Deal, InputError, Limits, Move, RuleSet, check, solve
from solver.xiangshifu import shortest
from solver.xiangshifu.position import LAYOUTS, Position
from solver.xiangshifu.shortest import ShortestSolutions, Ways, _count, _count_sets, _Explorer, _paths, _Stopped
from solver.xiangshifu.shortest import all_shortest as find

RULES = ["classic", "thirteen", "mixed-dragon", "multiple"]
MANY = Deal.random(1, 47)
"""A deal with many shortest solutions."""


@cache
def game(rules: RuleSet) -> naive.Game:
    return naive.game_of(rules.to_json())


def naive_groups(position: Position) -> naive.Groups:
    return tuple(sorted(naive.make_group(position.tiles(place)) for place in range(len(position.groups))))


def positions_of(deal: Position, moves: Sequence[Move]) -> list[Position]:
    positions = [deal]
    for move in moves:
        positions.append(positions[-1].exchanged(*move.groups, move.after))
    return positions


def path_of(deal: Position, moves: Sequence[Move]) -> tuple[naive.Groups, ...]:
    return tuple(naive_groups(position) for position in positions_of(deal, moves))


def assert_as_by_plain_search(deal: Deal, rules: RuleSet) -> ShortestSolutions:
    found = find(deal, rules)
    paths = naive.shortest_solutions(game(rules), naive_groups(deal))
    listed = [path_of(deal, moves) for moves in found.solutions()]
    assert sorted(listed) == sorted(paths)
    assert found.count == len(paths)
    assert found.sets == len({naive.exchanges_made(path) for path in paths})
    assert found.ends == len({path[-1] for path in paths})
    return found


def end_of_solution(deal: Deal, rules: RuleSet, moves: int) -> Deal | None:
    """The position so many moves before the end of a solution."""
    result = solve(deal, rules)
    if result.moves is None or len(result.moves) < moves:
        return None
    return Deal(positions_of(deal, result.moves)[len(result.moves) - moves].groups, deal.layout)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("rules_text", RULES)
def test_ends_of_solutions_as_by_plain_search(rules_text: str, layout: str) -> None:
    rules, lengths = RuleSet.parse(rules_text), Counter[int]()
    for index in range(6):
        deal = end_of_solution(Deal.random(51, index, LAYOUTS[layout]), rules, 3)
        if deal is not None:
            found = assert_as_by_plain_search(deal, rules)
            lengths[found.length or 0] += 1
    assert lengths[3] >= 3


def exchanged_at_random(deal: Deal, draw: st.DrawFn) -> Deal:
    """A deal after one exchange of a tile for a tile between two of its groups, valid or not."""
    first, second = draw(st.permutations(range(len(deal.groups))))[:2]
    groups = [list(deal.tiles(place)) for place in range(len(deal.groups))]
    i = draw(st.integers(0, len(groups[first]) - 1))
    j = draw(st.integers(0, len(groups[second]) - 1))
    groups[first][i], groups[second][j] = groups[second][j], groups[first][i]
    return Deal.parse(" ".join("-".join(tiles) for tiles in groups))


@st.composite
def nearly_final(draw: st.DrawFn) -> tuple[Deal, RuleSet]:
    """A deal up to four exchanges, valid or not, away from a final position; its solution may be longer."""
    rules = RuleSet.parse(draw(st.sampled_from(RULES)))
    deal = end_of_solution(Deal.random(52, draw(st.integers(0, 40))), rules, 0)
    assume(deal is not None)
    assert deal is not None
    for _ in range(draw(st.integers(0, 4))):
        deal = exchanged_at_random(deal, draw)
    return deal, rules


@settings(max_examples=40, deadline=None)
@given(nearly_final())
def test_nearly_final_positions_as_by_plain_search(given_deal: tuple[Deal, RuleSet]) -> None:
    deal, rules = given_deal
    length = solve(deal, rules).length
    assume(length is not None and length <= 4)
    assert_as_by_plain_search(deal, rules)


def test_edges_in_any_order() -> None:
    # Ten invalid groups and four edges: the search for one solution begins with edges.
    found = find(Deal.random(1, 2))
    classic = game(RuleSet.parse("classic"))
    repairs = set()
    for moves in found.solutions():
        paths = [Counter(position) for position in path_of(found.result.deal, moves)]
        gone = [before - after for before, after in pairwise(paths)]
        repairs.add(tuple(sum(not classic.valid(one) for one in two.elements()) for two in gone))
    assert found.length == 6
    assert {order[0] for order in repairs} == {order[-1] for order in repairs} == {1, 2}


@pytest.mark.parametrize("rules_text", RULES)
def test_all_that_are_listed_are_confirmed(rules_text: str) -> None:
    for index in range(8):
        found = find(Deal.random(53, index), rules_text)
        if found.length is None:
            assert (found.count, found.sets, found.ends, [*found.solutions()]) == (0, 0, 0, [])
            continue
        assert found.count is not None
        listed = [*found.solutions(100)]
        assert len(listed) == min(100, found.count)
        assert len({path_of(found.result.deal, moves) for moves in listed}) == len(listed)
        for moves in listed[::20]:
            assert len(moves) == found.length
            record = replace(found.result, moves=moves).to_json()
            assert check(json.loads(json.dumps(record))).failures == ()


def test_counts_agree_with_listing_all() -> None:
    found = find(Deal.random(1, 1))
    paths = [path_of(found.result.deal, moves) for moves in found.solutions()]
    assert found.count == len(paths) == len(set(paths)) == 1987
    assert found.ends == len({path[-1] for path in paths}) == 12
    assert found.sets == len({naive.exchanges_made(path) for path in paths})
    assert found.result.length == found.length == 9


def test_listed_in_order_and_the_same_at_every_time() -> None:
    found = find(Deal.random(1, 12))
    assert found._ways is not None
    steps = [*_paths(found._ways)]
    assert steps == sorted(steps)
    assert [*found.solutions(3)] == [*found.solutions(5)][:3]
    assert [*found.solutions(0)] == []


def test_identical_groups_count_as_one() -> None:
    rules = RuleSet.parse("classic")
    deals = [end_of_solution(Deal.random(54, index), rules, 2) for index in range(300)]
    twins = [deal for deal in deals if deal is not None and len(set(deal.groups)) < len(deal.groups)]
    assert len(twins) >= 3
    for deal in twins:
        assert_as_by_plain_search(deal, rules)


def test_identical_invalid_groups_count_as_one() -> None:
    rules = RuleSet.parse("multiple")
    deal = end_of_solution(Deal.random(77, 1007), rules, 4)
    assert deal is not None
    twins = {one for one, count in Counter(naive_groups(deal)).items() if count == 2}
    assert any(not game(rules).valid(one) for one in twins)
    assert assert_as_by_plain_search(deal, rules).count == 24


def test_a_final_position_has_one_solution_without_moves() -> None:
    deal = end_of_solution(MANY, RuleSet.parse("classic"), 0)
    assert deal is not None
    found = find(deal)
    assert (found.length, found.count, found.sets, found.ends, [*found.solutions()]) == (0, 1, 1, 1, [()])


def chain(levels: int, moves: int) -> Ways:
    """A graph of so many levels, each one position, with so many different moves from each to the next."""
    total = levels * moves
    starts = np.append(np.arange(0, total + 1, moves), total)
    steps = np.arange(4 * total, dtype=np.int16).reshape(-1, 4)
    return Ways(starts, steps, np.repeat(np.arange(1, levels + 1, dtype=np.int32), moves))


def test_counts_have_no_limit() -> None:
    assert _count(chain(130, 3)) == 3**130


def test_sets_are_given_up_when_memory_or_time_runs_out() -> None:
    ways = chain(6, 3)
    assert _count_sets(ways, 6, 1 << 20, None) == 3**6
    assert _count_sets(ways, 6, 1 << 10, None) is None
    assert _count_sets(ways, 6, 1 << 20, 0.0) is None


def test_exploring_with_arrays_that_grow_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = find(MANY)
    monkeypatch.setattr(shortest, "FIRST_CAPACITY", 2048)
    monkeypatch.setattr(shortest, "CHUNK", 100)
    found = find(MANY)
    assert found.positions == expected.positions > 2 * 2048
    assert (found.count, found.sets, found.ends) == (expected.count, expected.sets, expected.ends)
    assert [*found.solutions(20)] == [*expected.solutions(20)]


def assert_stopped(found: ShortestSolutions, reason: str) -> None:
    assert (found.reason, found.count, found.sets, found.ends, [*found.solutions()]) == (reason, None, None, None, [])


def test_limit_of_positions() -> None:
    found = find(MANY, limits=Limits(positions=2500))
    assert found.result.verdict == "winnable"
    assert_stopped(found, "positions")
    assert 2500 <= found.positions < 2500 + 1024


def test_limit_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortest, "EDGE_BYTES", 1 << 24)
    found = find(MANY, limits=Limits(memory=1024))
    assert found.result.verdict == "winnable"
    assert_stopped(found, "memory")
    assert found.positions == find(MANY, limits=Limits(positions=100_000)).positions
    monkeypatch.setattr(shortest, "SPOT_BYTES", 1 << 20)
    monkeypatch.setattr(shortest, "FIRST_CAPACITY", 2048)
    assert_stopped(found := find(MANY, limits=Limits(memory=1024)), "memory")
    assert found.positions <= 2048


def test_limit_of_time() -> None:
    explorer = _Explorer(MANY, RuleSet.parse("classic"), 12, Limits(), 0.0)
    with pytest.raises(_Stopped, match="time"):
        explorer.ways()
    assert_stopped(find(MANY, limits=Limits(seconds=1e-9)), "time")


def test_senseless_input_is_refused() -> None:
    with pytest.raises(InputError, match="1 or more"):
        find(MANY, limits=Limits(positions=0))
    with pytest.raises(InputError):
        find("11-11")


def test_json() -> None:
    found = find(MANY)
    record = json.loads(json.dumps(found.to_json(3)))
    assert record["result"] == json.loads(json.dumps(found.result.to_json()))
    assert (record["count"], record["ends"], record["length"], record["reason"]) == (185_891, 178, 12, None)
    assert record["sets"] == found.sets == 546
    assert record["solutions"] == json.loads(
        json.dumps([[move.to_json() for move in moves] for moves in found.solutions(3)])
    )
