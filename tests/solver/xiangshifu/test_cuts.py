"""Cuts: they change neither a verdict nor a shortest length, and save positions."""

from __future__ import annotations

import numpy as np
import pytest

from solver import Deal, RuleSet
from solver.xiangshifu.cuts import MOST_CUTS, _covered
from solver.xiangshifu.repairs import DEAD, repair_model
from solver.xiangshifu.search import RELAXED, Outcome, Search

ENOUGH = 60_000


def outcome(search: Search, deal: Deal, rules: RuleSet, *, cuts: bool, **how: int) -> tuple[Outcome, int | None]:
    """What a search finds, and the length of its solution. Cuts are tried at the first expansion with each set."""
    model = repair_model(deal, rules)
    search.forget_cuts(model, deal.layout.tiles, most=MOST_CUTS if cuts else 0)
    search._cuts.expansions[:, 1] = 1
    search.start(model, deal.layout.triples, **how)
    found = search.run(ENOUGH)
    return found, len(search.path()) if found is Outcome.FOUND else None


@pytest.mark.parametrize("count", [80, pytest.param(250, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rules", ["classic", "mixed-dragon"])
def test_shortest_lengths_and_verdicts_stay(rules: str, count: int) -> None:
    rule_set = RuleSet.parse(rules)
    search = Search(rule_set, 1 << 30)
    cuts = 0
    for index in range(count):
        deal = Deal.random(70, index)
        if repair_model(deal, rule_set).sets[-1]["bound"] == DEAD:
            continue
        without = outcome(search, deal, rule_set, cuts=False)
        assert without[0] in (Outcome.FOUND, Outcome.EXHAUSTED)
        assert outcome(search, deal, rule_set, cuts=True) == without
        cuts += search.has_cuts
        assert outcome(search, deal, rule_set, cuts=True, weight=5, deepest=RELAXED)[0] is without[0]
    assert cuts > count // 100


def test_cuts_save_positions_where_a_search_lingers_in_vain() -> None:
    """Deal 4,574 of seed 1 is won in few moves, but some ways to repair its groups lead to large dead ends."""
    rules = RuleSet.parse("mixed-dragon")
    search = Search(rules, 1 << 30)
    expanded = {}
    for cuts in (False, True):
        found, _ = outcome(search, Deal.random(1, 4574), rules, cuts=cuts, weight=9, deepest=9)
        assert cuts <= (found is Outcome.FOUND)
        expanded[cuts] = search.expanded
    assert expanded[True] * 20 < expanded[False]


def test_positions_on_the_way_to_a_solution_are_never_covered() -> None:
    rules = RuleSet.parse("mixed-dragon")
    search = Search(rules, 1 << 30)
    moves = search._moves
    looked_at = 0
    for index in (1049, 1957, 4574, 4730, 5985, 8089, 8466, 8602, 8824):
        deal = Deal.random(1, index)
        assert outcome(search, deal, rules, cuts=True, weight=2, deepest=2)[0] is Outcome.FOUND
        model = repair_model(deal, rules)
        groups = model.dealt.tolist()
        for a, b, x, y in search.path():
            groups.remove(a)
            groups.remove(b)
            groups += [x, y]
            remaining, left = 0, [group for group in groups if not moves.valid[group]]
            for k, group in enumerate(model.invalid.tolist()):
                if group in left:
                    left.remove(group)
                    remaining |= 1 << k
            if remaining:
                looked_at += search.has_cuts
                assert not _covered(
                    np.sort(np.array(groups, dtype=np.int16)), remaining, moves.valid_numbers, search._cuts
                )
    assert looked_at > 20
