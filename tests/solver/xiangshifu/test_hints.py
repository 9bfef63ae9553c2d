"""Hints against what is known otherwise: shortest solutions of all successors, and the tablebase."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from plain import result
from scrambled import FEW, scrambled_at, scrambled_deals

from solver.errors import InputError
from solver.xiangshifu.goals import Goal, parse_goal
from solver.xiangshifu.hints import Adviser, Hint
from solver.xiangshifu.moves import Move, legal_moves
from solver.xiangshifu.plain import UNREACHABLE
from solver.xiangshifu.position import SHANGHAI, TEN, Deal, Position
from solver.xiangshifu.rules import CLASSIC
from solver.xiangshifu.solve import Limits, Solver
from solver.xiangshifu.tablebase import Tablebase, build_components, build_distances

PAIR = parse_goal("pair:22-22", TEN)
DEALS = scrambled_deals(24)


@pytest.fixture(scope="module")
def adviser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Adviser]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XSF_CACHE_DIR", str(tmp_path_factory.mktemp("hints")))
        result(build_components(TEN, FEW))
        result(build_distances(PAIR, FEW))
        yield Adviser(PAIR, FEW, Limits())


def after(position: Position, move: Move) -> Deal:
    return Deal(position.exchanged(*move.groups, move.after).groups, position.layout)


def replayed(hint: Hint, goal: Goal) -> None:
    """The solution of a hint is legal and ends at the goal."""
    position: Position = hint.result.deal
    for move in hint.result.moves or ():
        assert move in legal_moves(position, hint.result.rules)
        position = after(position, move)
    assert goal.reached(position, hint.result.rules)


@pytest.mark.parametrize("index", [1, 2, 5, 18])
def test_all_best_moves_to_any_final_position(index: int) -> None:
    deal = Deal.random(1, index)
    solver, goal = Solver(), parse_goal("any", TEN)
    hint = Adviser(goal, limits=Limits()).hint(deal)
    length = solver.solve(deal).length
    lengths = [(move, solver.solve(after(deal, move)).length) for move in legal_moves(deal, CLASSIC)]
    assert hint.result.length == length
    best = [move for move, rest in lengths if rest is not None and length == 1 + rest]
    assert sorted(map(repr, hint.moves)) == sorted(map(repr, best))
    assert (hint.missed, hint.prospects) == (0, None)
    if length is not None:
        replayed(hint, goal)


def test_prospects_of_all_moves() -> None:
    deal = Deal.random(1, 2)
    solver = Solver()
    hint = Adviser(parse_goal("any", TEN), limits=Limits()).hint(deal, every=True)
    assert hint.prospects is not None
    assert {repr(one.move) for one in hint.prospects} == {repr(move) for move in legal_moves(deal, CLASSIC)}
    for one in hint.prospects:
        known = solver.solve(after(deal, one.move))
        assert (one.verdict, one.length) == (known.verdict, None if known.length is None else 1 + known.length)
    assert [one.move for one in hint.prospects[: len(hint.moves)]] == list(hint.moves)
    lengths = [one.length for one in hint.prospects if one.length is not None]
    assert lengths == sorted(lengths)


def test_valid_positions_have_what_the_tablebase_says(adviser: Adviser) -> None:
    tablebase = Tablebase(TEN, FEW)
    for known in (0, 1, 2, 6, 11, UNREACHABLE):
        deal = scrambled_at(known, 0, tablebase, PAIR)
        distance = None if known == UNREACHABLE else known
        hint = adviser.hint(deal)
        assert (hint.result.length, hint.result.optimal) == (distance, None if distance is None else True)
        assert sorted(map(repr, hint.moves)) == sorted(map(repr, tablebase.best_moves(deal, PAIR)))


def test_moves_for_a_goal_lead_to_what_is_said(adviser: Adviser) -> None:
    won = 0
    near = [scrambled_at(distance, swaps, Tablebase(TEN, FEW), PAIR) for distance in (0, 3) for swaps in (1, 2)]
    for deal in (*DEALS[:8], *near):
        hint = adviser.hint(deal, every=True)
        if hint.result.verdict == "unwinnable":
            assert (hint.moves, hint.prospects) == ((), ())
            continue
        won += 1
        replayed(hint, PAIR)
        assert hint.prospects is not None
        length, bound = hint.result.length, hint.result.lower_bound
        assert length is not None
        assert bound is not None
        assert bound <= length
        assert (hint.result.moves or ())[:1] == () or (hint.result.moves or ())[0] in hint.moves
        assert all(one.length is None or one.length >= length or length == 0 for one in hint.prospects)
        assert [one.move for one in hint.prospects if one.length == length] == list(hint.moves)
    assert won > 3


def test_json_has_all_fields(adviser: Adviser) -> None:
    told = adviser.hint(DEALS[0], every=True).to_json()
    assert list(told) == [
        "schema", "position", "layout", "rules", "goal", "verdict", "reason", "length", "optimal", "lower_bound",
        "moves", "missed", "all", "solution", "proof",
    ]  # fmt: skip
    assert (told["schema"], told["position"], told["goal"]) == (1, str(DEALS[0]), PAIR.id)


def test_a_position_of_another_layout(adviser: Adviser) -> None:
    with pytest.raises(InputError, match="goal pair:22-22 belongs to layout ten, not shanghai"):
        adviser.hint(Deal.random(1, 0, SHANGHAI))


def test_what_time_does_not_allow_is_said() -> None:
    hint = Adviser(parse_goal("any", TEN), limits=Limits(seconds=1e-9)).hint(Deal.random(1, 1), every=True)
    if hint.result.verdict == "winnable":
        assert hint.missed > 0
        assert hint.moves
    else:
        assert (hint.result.verdict, hint.result.reason, hint.moves) == ("undecided", "time", ())
