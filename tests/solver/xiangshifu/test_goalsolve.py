"""Solving for a goal: verdicts, lengths and proofs against all that small deals can reach."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import naive
import pytest
from near import Small, deals, game
from plain import result

from solver.errors import InputError
from solver.xiangshifu import goalsolve
from solver.xiangshifu.checker import check
from solver.xiangshifu.goals import Goal, parse_goal
from solver.xiangshifu.goalsolve import FEW, GoalSolver
from solver.xiangshifu.position import EIGHT, TEN, Deal
from solver.xiangshifu.solve import Limits, Result
from solver.xiangshifu.tablebase import Tablebase, build_components, build_distances

GOALS = {
    Small("kao", "ten"): "pair:22-22 pair:13-13 pair:16-16 pair:36-45 five-dragons",
    Small("mixed", "ten"): "pair:56-56 pair:35-26 pair:11-11 five-dragons",
}
RARE = ("five-dragons", "pair:36-45")
"""Goals that hardly a deal reaches."""
CASES = [(small, goal) for small, goals in GOALS.items() for goal in goals.split()]
QUICK = [(CASES[0], 0), (CASES[5], 0), (CASES[8], 0), (CASES[5], FEW), (CASES[8], FEW)]
"""With the number of positions up to which a case is looked at from behind: with 0, all are searched from the deal."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Small, Tablebase]]:
    """The tables of all goals."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XSF_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        for small, goals in GOALS.items():
            result(build_components(small.kind, small.record))
            for goal in goals.split():
                result(build_distances(parse_goal(goal, small.kind), small.record))
        yield {small: Tablebase(small.kind, small.record) for small in GOALS}


def shortest(small: Small, known: dict[naive.Groups, int], goal: Goal) -> int | None:
    """The fewest moves to the goal by the twin, given those to all positions."""
    reached = (moves for at, moves in known.items() if naive.goal_reached(game(small.rules), at, goal.id))
    return min(reached, default=None)


def same_end(small: Small, found: Result, goal: Goal) -> None:
    """The moves are legal and end in the goal, by the twin."""
    position = [naive.group(one) for one in str(found.deal).split()]
    for move in found.moves or ():
        before = [naive.make_group(one) for one in move.to_json()["before"]]
        i, j = move.groups
        assert [position[i], position[j]] == before
        text = [naive.make_group(one) for one in move.to_json()["after"]]
        assert (min(text), max(text)) in game(small.rules).exchanges(*before)
        position[i], position[j] = text
    assert naive.goal_reached(game(small.rules), position, goal.id)


def agree(small: Small, found: Result, truth: int | None, goal: Goal) -> None:
    assert found.goal == goal.id
    if truth is None:
        assert (found.verdict, found.moves, found.optimal) == ("unwinnable", None, None)
        assert found.proof is not None
    else:
        assert found.verdict == "winnable"
        assert found.lower_bound is not None
        assert found.length is not None
        assert found.lower_bound <= truth <= found.length
        assert found.optimal == (found.lower_bound == found.length)
        same_end(small, found, goal)


def compare(tablebase: Tablebase, small: Small, name: str, count: int, seed: int) -> Counter[str]:
    """Solve deals, compare all that is said of them with the truth, and count what occurred."""
    goal = parse_goal(name, small.kind)
    solvers = [GoalSolver(tablebase, goal), GoalSolver(tablebase, goal, first=True)]
    seen: Counter[str] = Counter()
    for number, (deal, known) in enumerate(deals(small, count, seed, most=1500)):
        truth = shortest(small, known, goal)
        found = [solver.solve(deal) for solver in solvers]
        for one in found:
            agree(small, one, truth, goal)
            seen[one.verdict] += 1
            seen[one.proof.kind if one.proof else "none"] += 1
            seen["optimal"] += bool(one.optimal)
        report = check(json.loads(json.dumps(found[number % 2].to_json())), full=True)
        assert (report.failures, report.unconfirmed) == ((), None)
    return seen


@pytest.mark.parametrize(("case", "few"), QUICK, ids=str)
def test_verdicts_and_lengths_are_true(
    built: dict[Small, Tablebase], case: tuple[Small, str], few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goalsolve, "FEW", few)
    small, name = case
    seen = compare(built[small], small, name, 20, seed=31)
    assert seen["bond"] >= 5
    if name not in RARE:
        assert min(seen["winnable"], seen["unwinnable"], seen["optimal"]) >= 4, seen


@pytest.mark.slow
@pytest.mark.parametrize("few", [0, FEW])
@pytest.mark.parametrize(("small", "name"), CASES, ids=str)
def test_verdicts_and_lengths_of_many_deals_are_true(
    built: dict[Small, Tablebase], small: Small, name: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goalsolve, "FEW", few)
    seen = compare(built[small], small, name, 150, seed=33)
    assert seen["bond"] >= 100
    if name not in RARE:
        assert min(seen["winnable"], seen["unwinnable"], seen["optimal"]) >= 20, seen


def test_deals_without_invalid_groups(built: dict[Small, Tablebase]) -> None:
    small = Small("kao", "ten")
    goal = parse_goal("pair:22-22", TEN)
    solver = GoalSolver(built[small], goal)
    verdicts: Counter[str] = Counter()
    for number in range(0, built[small].region.size, 53):
        position = built[small].region.position(number)
        found = solver.solve(Deal(position.groups, TEN))
        distance = built[small].probe(number, goal)
        verdicts[found.verdict] += 1
        if distance is None:
            assert check(json.loads(json.dumps(found.to_json())), full=True).failures == ()
        else:
            assert (found.length, found.lower_bound, found.optimal) == (distance, distance, True)
    assert min(verdicts["winnable"], verdicts["unwinnable"]) >= 10


def test_limits_leave_deals_undecided(built: dict[Small, Tablebase], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goalsolve, "FEW", 0)
    small = Small("kao", "ten")
    goal = parse_goal("pair:22-22", TEN)
    solver = GoalSolver(built[small], goal, limits=Limits(positions=1))
    reasons = Counter(solver.solve(deal).reason for deal, _ in deals(small, 10, seed=32))
    assert reasons["positions"] >= 3
    hurried = GoalSolver(built[small], goal, limits=Limits(seconds=0))
    results = [hurried.solve(deal) for deal, _ in deals(small, 10, seed=32)]
    assert all(found.proof is not None for found in results if found.verdict != "undecided")
    assert any(found.reason == "time" for found in results)


def test_other_layouts_are_refused(built: dict[Small, Tablebase]) -> None:
    small = Small("kao", "ten")
    with pytest.raises(InputError, match="goal eight belongs to layout eight, not ten"):
        GoalSolver(built[small], parse_goal("eight", EIGHT))
    with pytest.raises(InputError, match="goal pair:22-22 belongs to layout ten, not eight"):
        GoalSolver(built[small], parse_goal("pair:22-22", TEN)).solve(Deal.random(1, 0, EIGHT))
