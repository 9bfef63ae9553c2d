"""Scenes: single tiles followed through a solution agree with the positions of the record."""

from __future__ import annotations

from itertools import pairwise

import pytest

from cli.show.scene import Scene, scenes
from solver.xiangshifu.groups import group_names
from solver.xiangshifu.position import LAYOUTS, Deal, Layout, Position
from solver.xiangshifu.rules import CLASSIC
from solver.xiangshifu.solve import Result, Solver
from solver.xiangshifu.tiles import TILES


def masks(scene: Scene) -> tuple[int, ...]:
    return tuple(TILES.mask(TILES.kind(tile.name) for tile in group.tiles) for group in scene.groups)


@pytest.fixture(scope="module", params=list(LAYOUTS.values()), ids=lambda layout: layout.name)
def results(request: pytest.FixtureRequest) -> list[Result]:
    layout: Layout = request.param
    solver = Solver(first=True)
    return [solver.solve(Deal.random(4, index, layout)) for index in range(15)]


def test_scenes_are_the_positions(results: list[Result]) -> None:
    lengths = set()
    for result in results:
        found = scenes(result.deal, result.moves or (), CLASSIC)
        position: Position = result.deal
        for number, scene in enumerate(found):
            assert masks(scene) == position.groups
            assert [group.names for group in scene.groups] == [group_names(g, CLASSIC) for g in position.groups]
            assert scene.invalid == sum(not group_names(group, CLASSIC) for group in position.groups)
            if number < len(found) - 1:
                assert result.moves is not None
                move = result.moves[number]
                position = position.exchanged(*move.groups, move.after)
        lengths.add(len(found) - 1)
    assert len(lengths) > 3


def test_only_exchanged_tiles_leave_their_slots(results: list[Result]) -> None:
    whole_pairs = 0
    for result in results:
        found = scenes(result.deal, result.moves or (), CLASSIC)
        for before, after in pairwise(found):
            slots = [
                [(group.place, at, tile.number) for group in scene.groups for at, tile in enumerate(group.tiles)]
                for scene in (before, after)
            ]
            changed = {number for _, _, number in set(slots[0]) ^ set(slots[1])}
            assert changed == before.moving
            assert len(changed) in (2, 4)
            whole_pairs += len(changed) == 4
        assert found[-1].moving == frozenset()
    assert whole_pairs or results[0].deal.layout.pairs == 0
