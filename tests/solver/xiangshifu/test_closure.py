"""The relaxed closure against its naive twin."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.xiangshifu.closure import relaxed_closure
from solver.xiangshifu.position import LAYOUTS, Deal, format_group
from solver.xiangshifu.rules import CLASSIC, RuleSet

RULES = {"classic": CLASSIC, "mixed-dragon": RuleSet.parse("mixed-dragon"), "multiple": RuleSet.parse("multiple")}


class Closed(NamedTuple):
    """A closure in the words of the twin."""

    frozen: set[int]
    groups: set[naive.Group]


def close(deal: Deal, start: set[int], rules: str) -> Closed:
    """Call the library."""
    found = relaxed_closure(deal, sorted(start), RULES[rules])
    return Closed(set(found.frozen), {naive.group(format_group(group)) for group in found.groups})


@cache
def game(rules: str) -> naive.Game:
    return naive.game_of(RULES[rules].to_json())


def groups_of(deal: Deal) -> list[naive.Group]:
    return [naive.group(text) for text in str(deal).split()]


def invalid_places(deal: Deal, rules: str) -> set[int]:
    return set(game(rules).invalid_places(groups_of(deal)))


deals = st.builds(
    lambda seed, layout: Deal.random(seed, 0, LAYOUTS[layout]), st.integers(0, 2**32), st.sampled_from(sorted(LAYOUTS))
)
rule_names = st.sampled_from(sorted(RULES))


def assert_twins_agree(deal: Deal, start: set[int], rules: str) -> Closed:
    groups = groups_of(deal)
    found = close(deal, start, rules)
    assert found.frozen == game(rules).freeze(groups, start)
    assert found.groups == (game(rules).relaxed_closure(groups, found.frozen) if found.frozen else set())
    return found


@settings(max_examples=10)
@given(deals, rule_names)
def test_the_relaxed_closure_is_that_of_its_twin(deal: Deal, rules: str) -> None:
    assert_twins_agree(deal, invalid_places(deal, rules), rules)


@settings(max_examples=10)
@given(deals, rule_names, st.sets(st.integers(0, 11), max_size=3))
def test_some_of_the_invalid_groups_are_frozen_as_the_twin_says(deal: Deal, rules: str, places: set[int]) -> None:
    assert_twins_agree(deal, invalid_places(deal, rules) & places, rules)


FROZEN = {
    ("classic", 18): {1},
    ("classic", 33): {6},
    ("mixed-dragon", 44): set(),
    ("mixed-dragon", 733): set(),
    ("multiple", 343): {0, 1, 2, 3, 4, 5, 7, 8, 9, 10},
}
"""For deals of seed 1, the places that are left frozen."""


@pytest.mark.parametrize("name", FROZEN, ids=lambda name: f"{name[0]}-{name[1]}")
def test_known_losses_stay_frozen(name: tuple[str, int]) -> None:
    rules, index = name
    deal = Deal.random(1, index)
    assert assert_twins_agree(deal, invalid_places(deal, rules), rules).frozen == FROZEN[name]


@pytest.mark.parametrize(("rules", "index"), [("classic", 225), ("multiple", 343)])
def test_a_set_that_stays_frozen_does_so_from_any_larger_start(rules: str, index: int) -> None:
    deal = Deal.random(1, index)
    whole = close(deal, invalid_places(deal, rules), rules)
    assert whole.frozen
    assert close(deal, whole.frozen, rules) == whole


@settings(max_examples=20)
@given(deals, rule_names)
def test_the_largest_frozen_set_is_left_frozen(deal: Deal, rules: str) -> None:
    frozen = game(rules).largest_frozen_set(groups_of(deal))
    assert frozen <= close(deal, invalid_places(deal, rules), rules).frozen


def lost_deals() -> st.SearchStrategy[tuple[Deal, str]]:
    """Deals of which some groups are left frozen."""
    return st.sampled_from([("classic", 18), ("classic", 33), ("classic", 225), ("multiple", 343)]).map(
        lambda name: (Deal.random(1, name[1]), name[0])
    )


@settings(max_examples=25)
@given(lost_deals(), st.data())
def test_nothing_that_play_brings_about_is_missing(lost: tuple[Deal, str], data: st.DataObject) -> None:
    deal, rules = lost
    found = close(deal, invalid_places(deal, rules), rules)
    still = [groups_of(deal)[place] for place in found.frozen]
    groups = groups_of(deal)
    for _ in range(12):
        after = sorted(game(rules).moves(groups))
        if not after:
            break
        groups = list(data.draw(st.sampled_from(after)))
        assert not set(groups) - found.groups - set(still)
        assert all(one in groups for one in still)


def test_without_frozen_groups_nothing_is_collected() -> None:
    deal = Deal.random(1, 0)
    assert close(deal, set(), "classic") == Closed(set(), set())


def test_only_invalid_groups_can_be_frozen() -> None:
    deal = Deal.random(1, 18)
    for place in (-1, 11, next(place for place in range(11) if place not in invalid_places(deal, "classic"))):
        with pytest.raises(ValueError, match=f"no invalid group is at place {place}"):
            relaxed_closure(deal, [place], CLASSIC)


def test_two_equal_groups_exchange_with_each_other() -> None:
    # 13-16 and 13-16 become 13-13 and 16-16.
    deal = Deal.parse("15-34-66 12-15-45 11-23-35 44-46-56 26-44-66 24-33-56 22-25-36 14-33-46 11-22 55-55 13-16 13-16")
    start = {place for place in invalid_places(deal, "classic") if place < 10}
    found = assert_twins_agree(deal, start, "classic")
    assert {naive.group("13-13"), naive.group("16-16")} <= found.groups
