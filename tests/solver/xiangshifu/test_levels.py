"""Levels against their twin, and as a bound."""

from __future__ import annotations

from functools import cache

import naive
import pytest

from solver import Deal, RuleSet, solve
from solver.xiangshifu.levels import plain_moves_needed
from solver.xiangshifu.position import Position
from solver.xiangshifu.solve import lower_bound

RULES = ["classic", "thirteen", "mixed-dragon", "multiple"]


@cache
def game(rules: str) -> naive.Game:
    return naive.game_of(RuleSet.parse(rules).to_json())


def groups_of(position: Position) -> list[naive.Group]:
    return [tuple(sorted(position.tiles(place))) for place in range(len(position.groups))]


@pytest.mark.parametrize("rules", RULES)
def test_levels_are_those_of_the_twin(rules: str) -> None:
    for index in range(12):
        deal = Deal.random(40, index)
        assert plain_moves_needed(deal, RuleSet.parse(rules)) == game(rules).plain_moves_needed(groups_of(deal))


def test_levels_of_positions_on_the_way_are_those_of_the_twin() -> None:
    """Towards the end few groups are left to repair, so levels are higher than in a deal."""
    rules = RuleSet.parse("classic")
    seen = set()
    for index in (3, 8, 33, 690):
        result = solve(Deal.random(1, index), rules)
        position: Position = result.deal
        for move in result.moves or ():
            position = position.exchanged(*move.groups, move.after)
            level = plain_moves_needed(position, rules)
            assert level == game("classic").plain_moves_needed(groups_of(position))
            seen.add(level)
    assert max(level for level in seen if level is not None) >= 2


def test_levels_and_repairs_are_never_more_than_the_moves_left() -> None:
    rules = RuleSet.parse("classic")
    for index in range(60):
        result = solve(Deal.random(41, index), rules)
        position: Position = result.deal
        for done, move in enumerate(result.moves or ()):
            level, bound = plain_moves_needed(position, rules), lower_bound(position, rules)
            assert level is not None
            assert bound is not None
            assert level + bound <= len(result.moves or ()) - done
            position = position.exchanged(*move.groups, move.after)


def test_hopeless_deals_are_lost() -> None:
    hopeless = 0
    for index in range(300):
        deal = Deal.random(42, index)
        if plain_moves_needed(deal, RuleSet.parse("classic")) is None:
            hopeless += 1
            assert solve(deal).verdict == "unwinnable"
    assert hopeless > 3
