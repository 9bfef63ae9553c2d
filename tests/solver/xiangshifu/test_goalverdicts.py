"""All goals of a deal at once, against one goal at a time, under a small rule set."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from plain import SMALL, result, small

from solver.xiangshifu import goalsolve, goalverdicts
from solver.xiangshifu.behind import Behind
from solver.xiangshifu.goals import Goal, named_goals
from solver.xiangshifu.goalsolve import FEW, GoalSolver
from solver.xiangshifu.goalverdicts import GOAL_RECORD, MOST_GOALS, GoalDecider
from solver.xiangshifu.groups import group_table
from solver.xiangshifu.position import LAYOUTS, Deal
from solver.xiangshifu.solve import Limits, Solver
from solver.xiangshifu.tablebase import Tablebase, build_components, build_distances
from solver.xiangshifu.tiles import TILES


@pytest.fixture(scope="module", autouse=True)
def _tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The tables of layouts ten and eight, in a folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XSF_CACHE_DIR", str(tmp_path_factory.mktemp("tables")))
        for name in ("ten", "eight"):
            result(build_components(LAYOUTS[name], SMALL))
            for goal in reachable(Tablebase(LAYOUTS[name], SMALL)):
                result(build_distances(goal, SMALL))
        yield


def reachable(tablebase: Tablebase) -> list[Goal]:
    return [goal for goal in named_goals(tablebase.layout) if len(tablebase.holds(goal))]


def near_wins(tablebase: Tablebase, count: int) -> list[Deal]:
    """Positions near goals in which few tiles were exchanged: hardly any random deal of this rule set can be won."""
    source = random.Random(tablebase.layout.name)
    held = np.unique(np.concatenate([tablebase.holds(goal) for goal in reachable(tablebase)]))
    names = [TILES.names(int(mask)) for mask in group_table().masks]
    positions = tablebase.positions_of(held)
    deals = []
    for groups in positions[source.choices(range(len(positions)), k=count)].tolist():
        tiles = [list(names[group]) for group in groups]
        for _ in range(1 + source.randrange(2)):
            (a, b), i, j = source.sample(tiles, 2), source.randrange(2), source.randrange(2)
            a[i], b[j] = b[j], a[i]
        deals.append(Deal.parse(" ".join("-".join(group) for group in tiles)))
    return deals


@pytest.mark.parametrize(("name", "count", "few"), [("ten", 8, FEW), ("eight", 40, FEW), ("eight", 40, 0)])
def test_a_decider_agrees_with_solvers_of_one_goal(
    name: str, count: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tablebase = Tablebase(LAYOUTS[name], SMALL)
    goals = reachable(tablebase)[::3] if name == "ten" else reachable(tablebase)
    solvers = [GoalSolver(tablebase, goal, first=True) for goal in goals]
    # With few 0 all cases are searched from the deal.
    monkeypatch.setattr(goalsolve, "FEW", few)
    decider, plain = GoalDecider(tablebase, goals), Solver(SMALL, first=True)
    seen = set()
    for deal in near_wins(tablebase, count):
        winnable, unwinnable, _ = decider.decide_deal(deal)
        for place, solver in enumerate([*solvers, plain]):
            verdict = solver.solve(deal).verdict
            assert (winnable >> place & 1, unwinnable >> place & 1) == (verdict == "winnable", verdict == "unwinnable")
            seen.add((place, verdict))
    assert {verdict for place, verdict in seen if place < len(goals)} == {"winnable", "unwinnable"}


def test_goals_without_positions_are_out_of_reach() -> None:
    tablebase = Tablebase(LAYOUTS["ten"], SMALL)
    (goal,) = [goal for goal in named_goals(LAYOUTS["ten"]) if goal.id == "generals"]
    decider = GoalDecider(tablebase, [goal])
    assert [decider.decide_deal(deal)[:2] for deal in (Deal.parse(str(small("ten").position(0))),)] == [(2, 1)]


def test_records_are_those_of_the_deals() -> None:
    tablebase = Tablebase(LAYOUTS["eight"], SMALL)
    decider = GoalDecider(tablebase, named_goals(LAYOUTS["eight"]))
    records = decider.decide(5, 10, 6)
    assert records.dtype == GOAL_RECORD
    for place, record in enumerate(records):
        assert record.item() == decider.decide_deal(Deal.random(5, 10 + place, LAYOUTS["eight"]))


def test_what_limits_stop_is_undecided() -> None:
    tablebase = Tablebase(LAYOUTS["ten"], SMALL)
    goals = reachable(tablebase)
    whole, hurried = GoalDecider(tablebase, goals), GoalDecider(tablebase, goals, limits=Limits(seconds=1e-9))
    undecided = 0
    for deal in near_wins(tablebase, 30):
        winnable, unwinnable, _ = whole.decide_deal(deal)
        found, refused, _ = hurried.decide_deal(deal)
        assert found & ~winnable == refused & ~unwinnable == found & refused == 0
        undecided += found | refused != winnable | unwinnable
    assert undecided


def test_a_look_that_is_given_up_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    tablebase = Tablebase(LAYOUTS["ten"], SMALL)
    goals = reachable(tablebase)
    decider = GoalDecider(tablebase, goals)
    deals = near_wins(tablebase, 30)
    whole = [decider.decide_deal(deal) for deal in deals]
    monkeypatch.setattr(goalverdicts, "look_from_behind", lambda *args, **options: Behind(1, False, None))
    undecided = 0
    for deal, (winnable, unwinnable, _) in zip(deals, whole, strict=True):
        found, refused, _ = decider.decide_deal(deal)
        assert found & ~winnable == refused & ~unwinnable == 0
        undecided += found | refused != winnable | unwinnable
    assert undecided


def test_no_more_goals_than_bits() -> None:
    tablebase = Tablebase(LAYOUTS["ten"], SMALL)
    with pytest.raises(ValueError, match="at most 31 goals"):
        GoalDecider(tablebase, named_goals(LAYOUTS["ten"])[:1] * (MOST_GOALS + 1))
