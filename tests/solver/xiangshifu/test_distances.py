"""Distances against breadth-first search by the slow twin."""

from __future__ import annotations

import naive
import numpy as np
import pytest
from plain import SMALL, all_texts, game, result, small

import solver.xiangshifu.distances as distances
from solver.errors import InputError
from solver.xiangshifu.distances import Progress, fill_distances, pieces
from solver.xiangshifu.goals import Goal, named_goals, parse_goal
from solver.xiangshifu.plain import UNREACHABLE
from solver.xiangshifu.position import LAYOUTS, TEN
from solver.xiangshifu.region import region
from solver.xiangshifu.rules import CLASSIC

GOALS = [
    (layout.name, goal.id)
    for layout in LAYOUTS.values()
    for goal in named_goals(layout)
    if not goal.id.startswith("pair:") or goal.id in ("pair:66-66", "pair:22-22", "pair:25-34", "pair:13-13")
]


def goal_of(layout: str, goal: str) -> Goal:
    return parse_goal(goal, LAYOUTS[layout])


def expected(layout: str, goal: str) -> list[int]:
    found = small(layout)
    wanted = goal_of(layout, goal)
    texts = all_texts(layout)
    starts = [texts[number] for number in range(found.size) if wanted.reached(found.position(number), SMALL)]
    known = naive.distances(game(), starts)
    return [known.get(text, UNREACHABLE) for text in texts]


@pytest.mark.parametrize(("layout", "goal"), GOALS)
def test_distances_are_those_of_the_twin(layout: str, goal: str) -> None:
    found = small(layout)
    table = np.empty(found.size, dtype=np.uint8)
    counts = result(fill_distances(found, goal_of(layout, goal), table))
    assert table.tolist() == expected(layout, goal)
    assert counts == np.bincount(table[table < UNREACHABLE]).tolist()


def test_threads_and_pieces_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = small("ten")
    wanted = goal_of("ten", "pair:22-22")
    monkeypatch.setattr(distances, "PIECE", 61)
    assert list(pieces(150)) == [(0, 61), (61, 122), (122, 150)]
    table = np.empty(found.size, dtype=np.uint8)
    counts = result(fill_distances(found, wanted, table, jobs=4))
    assert table.tolist() == expected("ten", "pair:22-22")
    assert len(counts) == 9


def test_progress_grows_to_what_can_be_reached() -> None:
    found = small("ten")
    table = np.empty(found.size, dtype=np.uint8)
    steps = list(fill_distances(found, goal_of("ten", "pair:22-22"), table))
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert steps[0] == Progress(0, found.size)
    assert steps[-1] == Progress(935, found.size)


def test_a_distance_that_does_not_fit_in(monkeypatch: pytest.MonkeyPatch) -> None:
    found = small("ten")
    wanted = goal_of("ten", "pair:22-22")
    table = np.empty(found.size, dtype=np.uint8)
    monkeypatch.setattr(distances, "MOST_DISTANCE", 8)
    assert len(result(fill_distances(found, wanted, table))) == 9
    monkeypatch.setattr(distances, "MOST_DISTANCE", 7)
    with pytest.raises(InputError, match="some positions are more than 7 moves from goal pair:22-22"):
        result(fill_distances(found, wanted, table))


@pytest.mark.slow
def test_shanghai_is_42_moves_away_at_most() -> None:
    layout = LAYOUTS["shanghai"]
    found = region(layout, CLASSIC)
    table = np.empty(found.size, dtype=np.uint8)
    counts = result(fill_distances(found, parse_goal(None, layout), table, jobs=2))
    assert (len(counts) - 1, sum(counts)) == (42, 3_453_599)


@pytest.mark.slow
def test_generals_are_49_moves_away_at_most() -> None:
    found = region(TEN, CLASSIC)
    table = np.empty(found.size, dtype=np.uint8)
    counts = result(fill_distances(found, parse_goal("generals", TEN), table, jobs=2))
    assert (counts[0], len(counts) - 1, sum(counts)) == (93, 49, 26_015_037)
