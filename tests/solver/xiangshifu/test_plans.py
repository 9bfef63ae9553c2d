"""Relaxed plans: hopeless exactly where levels are, and never shorter than the level."""

from __future__ import annotations

import pytest

from solver import Deal, RuleSet, solve
from solver.xiangshifu.levels import plain_moves_needed
from solver.xiangshifu.plans import relaxed_plan_length
from solver.xiangshifu.position import LAYOUTS, Position


@pytest.mark.parametrize("rules", ["classic", "mixed-dragon", "multiple"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_plans_of_deals(rules: str, layout: str) -> None:
    rule_set = RuleSet.parse(rules)
    for index in range(100):
        deal = Deal.random(80, index, LAYOUTS[layout])
        level, length = plain_moves_needed(deal, rule_set), relaxed_plan_length(deal, rule_set)
        assert (level is None) == (length is None)
        if level is not None and length is not None:
            assert length >= level
            assert (length == 0) == (level == 0)


def test_plans_towards_the_end_are_longer_than_levels() -> None:
    rules = RuleSet.parse("classic")
    longer = 0
    for index in (3, 8, 33, 690, 9576):
        result = solve(Deal.random(1, index), rules)
        position: Position = result.deal
        for move in result.moves or ():
            position = position.exchanged(*move.groups, move.after)
            level, length = plain_moves_needed(position, rules), relaxed_plan_length(position, rules)
            assert level is not None
            assert length is not None
            assert length >= level
            longer += length > level
    assert longer > 5
