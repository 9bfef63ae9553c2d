"""The relaxed closure and the pair closure against their naive twins."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.xiangshifu.closure import closure
from solver.xiangshifu.position import LAYOUTS, Deal, format_group
from solver.xiangshifu.rules import CLASSIC, RuleSet

RULES = {"classic": CLASSIC, "mixed-dragon": RuleSet.parse("mixed-dragon"), "multiple": RuleSet.parse("multiple")}


class Closed(NamedTuple):
    """A closure in the words of the twin."""

    frozen: set[int]
    groups: set[naive.Group]
    pairs: int | None


def close(deal: Deal, start: set[int], rules: str, pairs: bool) -> Closed:
    """Call the library."""
    found = closure(deal, sorted(start), RULES[rules], pairs=pairs)
    return Closed(set(found.frozen), {naive.group(format_group(group)) for group in found.groups}, found.pairs)


@cache
def game(rules: str) -> naive.Game:
    return naive.Game(RULES[rules].to_json())


def groups_of(deal: Deal) -> list[naive.Group]:
    return [naive.group(text) for text in str(deal).split()]


def invalid_places(deal: Deal, rules: str) -> set[int]:
    return set(game(rules).invalid_places(groups_of(deal)))


deals = st.builds(
    lambda seed, layout: Deal.random(seed, 0, LAYOUTS[layout]), st.integers(0, 2**32), st.sampled_from(sorted(LAYOUTS))
)
rule_names = st.sampled_from(sorted(RULES))


def assert_twins_agree(deal: Deal, start: set[int], rules: str, pairs: bool) -> Closed:
    groups = groups_of(deal)
    found = close(deal, start, rules, pairs)
    assert found.frozen == game(rules).freeze(groups, start, pairs)
    if pairs:
        collected, beside = game(rules).pair_closure(groups, found.frozen)
        assert (found.groups, found.pairs) == (collected, len(beside))
    else:
        assert (found.groups, found.pairs) == (game(rules).relaxed_closure(groups, found.frozen), None)
    return found


@settings(max_examples=10)
@given(deals, rule_names)
def test_the_relaxed_closure_is_that_of_its_twin(deal: Deal, rules: str) -> None:
    assert_twins_agree(deal, invalid_places(deal, rules), rules, pairs=False)


@settings(max_examples=4)
@given(deals, rule_names)
def test_the_pair_closure_is_that_of_its_twin(deal: Deal, rules: str) -> None:
    assert_twins_agree(deal, invalid_places(deal, rules), rules, pairs=True)


@settings(max_examples=10)
@given(deals, rule_names, st.sets(st.integers(0, 11), max_size=3))
def test_some_of_the_invalid_groups_are_frozen_as_the_twin_says(deal: Deal, rules: str, places: set[int]) -> None:
    assert_twins_agree(deal, invalid_places(deal, rules) & places, rules, pairs=False)


FROZEN = {
    ("classic", 18): ({1}, {1}),
    ("classic", 33): ({6}, {6}),
    ("mixed-dragon", 44): (set(), {10}),
    ("mixed-dragon", 733): (set(), {0, 1, 2, 4, 5, 10}),
    ("mixed-dragon", 795): (set(), {3, 7}),
    ("multiple", 343): ({0, 1, 2, 3, 4, 5, 7, 8, 9, 10}, {0, 1, 2, 3, 4, 5, 7, 8, 9, 10}),
}
"""For deals of seed 1, the places that the relaxed closure and the pair closure leave frozen."""


@pytest.mark.parametrize("name", FROZEN, ids=lambda name: f"{name[0]}-{name[1]}")
@pytest.mark.parametrize("pairs", [False, True], ids=["relaxed", "pairs"])
def test_known_losses_stay_frozen(name: tuple[str, int], pairs: bool) -> None:
    rules, index = name
    deal = Deal.random(1, index)
    found = assert_twins_agree(deal, invalid_places(deal, rules), rules, pairs)
    assert found.frozen == FROZEN[name][pairs]


@pytest.mark.parametrize(("rules", "index"), [("mixed-dragon", 44), ("mixed-dragon", 795)])
def test_a_set_that_stays_frozen_does_so_from_any_larger_start(rules: str, index: int) -> None:
    deal = Deal.random(1, index)
    whole = close(deal, invalid_places(deal, rules), rules, pairs=True)
    assert close(deal, whole.frozen, rules, pairs=True) == whole


@settings(max_examples=25)
@given(deals, rule_names)
def test_the_pair_closure_leaves_frozen_what_the_relaxed_one_does(deal: Deal, rules: str) -> None:
    start = invalid_places(deal, rules)
    relaxed, paired = (close(deal, start, rules, pairs) for pairs in (False, True))
    assert relaxed.frozen <= paired.frozen
    if relaxed.frozen == paired.frozen:
        assert paired.groups <= relaxed.groups


@settings(max_examples=20)
@given(deals, rule_names)
def test_the_relaxed_closure_leaves_the_largest_frozen_set_frozen(deal: Deal, rules: str) -> None:
    frozen = game(rules).largest_frozen_set(groups_of(deal))
    assert frozen <= close(deal, invalid_places(deal, rules), rules, pairs=False).frozen


@settings(max_examples=25)
@given(deals, rule_names, st.data())
def test_nothing_that_play_brings_about_is_missing(deal: Deal, rules: str, data: st.DataObject) -> None:
    # Moves among the other groups, while the frozen ones stay: what appears is in both closures.
    invalid = invalid_places(deal, rules)
    relaxed, paired = (close(deal, invalid, rules, pairs) for pairs in (False, True))
    groups = groups_of(deal)
    for _ in range(12):
        after = sorted(game(rules).moves(groups))
        if not after:
            break
        groups = list(data.draw(st.sampled_from(after)))
        for found in (relaxed, paired):
            still = [groups_of(deal)[place] for place in found.frozen]
            assert not set(groups) - found.groups - set(still)
            assert all(one in groups for one in still)


def test_without_frozen_groups_every_dealt_group_is_collected() -> None:
    deal = Deal.random(1, 0)
    for pairs in (False, True):
        found = close(deal, set(), "classic", pairs)
        assert found.frozen == set()
        assert set(groups_of(deal)) <= found.groups


@pytest.mark.parametrize("pairs", [False, True], ids=["relaxed", "pairs"])
def test_two_equal_groups_exchange_with_each_other(pairs: bool) -> None:
    # 13-16 and 13-16 become 13-13 and 16-16.
    deal = Deal.parse("15-34-66 12-15-45 11-23-35 44-46-56 26-44-66 24-33-56 22-25-36 14-33-46 11-22 55-55 13-16 13-16")
    start = {place for place in invalid_places(deal, "classic") if place < 10}
    found = assert_twins_agree(deal, start, "classic", pairs)
    assert len(found.frozen) == 7
    assert {naive.group("13-13"), naive.group("16-16")} <= found.groups
