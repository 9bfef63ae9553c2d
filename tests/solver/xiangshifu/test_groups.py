"""All groups of the set and their names: the numbers of the rules, and the naive twin."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import InputError
from solver.xiangshifu.groups import (
    GROUPS,
    PAIRS,
    TRIPLES,
    classified,
    classify,
    group_names,
    group_table,
    group_text,
    names_of_bits,
)
from solver.xiangshifu.position import parse_group
from solver.xiangshifu.rules import CLASSIC, PAIR_NAMES, STRUCTURAL, RuleSet
from solver.xiangshifu.tiles import TILES

PRESETS = (
    "classic",
    "thirteen",
    "mixed-dragon",
    "multiple",
    "thirteen+mixed-dragon",
    "thirteen+multiple",
    "mixed-dragon+multiple",
    "thirteen+mixed-dragon+multiple",
)


def valid_numbers(text: str) -> set[int]:
    return set(np.flatnonzero(classified(RuleSet.parse(text))[:TRIPLES]).tolist())


def weight(numbers: set[int]) -> int:
    return int(group_table().weights[sorted(numbers)].sum())


def names(text: str, rules: str = "classic") -> tuple[str, ...]:
    return group_names(parse_group(text), RuleSet.parse(rules))


@cache
def all_texts() -> tuple[naive.Group, ...]:
    """The tiles of every group by its number."""
    return tuple(naive.group(group_text(number)) for number in range(GROUPS))


# The set


def test_there_are_1550_triples_and_4960_counting_copies() -> None:
    assert TRIPLES == len(naive.all_groups(3)) == 1550
    assert weight(set(range(TRIPLES))) == 4960


def test_there_are_221_pairs_and_496_counting_copies() -> None:
    assert PAIRS == len(naive.all_groups(2)) == 221
    assert int(group_table().weights[TRIPLES:].sum()) == 496


def test_the_table_holds_every_group_once_triples_first() -> None:
    assert set(all_texts()[:TRIPLES]) == naive.all_groups(3)
    assert set(all_texts()[TRIPLES:]) == naive.all_groups(2)
    assert len(set(all_texts())) == GROUPS == len(group_table().masks)


def test_a_weight_counts_the_sets_of_tiles() -> None:
    assert group_table().weights.tolist() == [naive.ways(one) for one in all_texts()]


def test_every_group_is_found_by_its_mask() -> None:
    table = group_table()
    assert [table.number(int(mask)) for mask in table.masks] == list(range(GROUPS))


@pytest.mark.parametrize("size", [2, 3])
def test_every_group_is_found_by_its_kinds_in_any_order(size: int) -> None:
    numbers = group_table().pair if size == 2 else group_table().triple
    known = {one: number for number, one in enumerate(all_texts())}
    for kinds in product(range(21), repeat=size):
        one = naive.make_group(TILES.kinds[kind].name for kind in kinds)
        assert numbers[kinds] == known.get(one, -1)


def test_kinds_are_ascending_and_a_pair_has_no_third() -> None:
    for number, kinds in enumerate(group_table().kinds.tolist()):
        held = [kind for kind in kinds if kind >= 0]
        assert held == sorted(held)
        assert len(held) == (3 if number < TRIPLES else 2)
        assert naive.make_group(TILES.kinds[kind].name for kind in held) == all_texts()[number]


def test_a_mask_that_is_no_group_is_refused() -> None:
    with pytest.raises(InputError, match="'66-66-11-11' is neither a triple nor a pair"):
        group_table().number(0b1111)
    with pytest.raises(InputError, match="'66' is neither a triple nor a pair"):
        group_names(1, CLASSIC)


@pytest.mark.parametrize("text", ["22-36-36", "12-12-24", "66-66-66"])
def test_a_group_with_too_many_copies_does_not_exist(text: str) -> None:
    assert naive.group(text) not in naive.all_groups(3)
    with pytest.raises(InputError, match="the deck has"):
        parse_group(text)


# The numbers of the rules


@pytest.mark.parametrize(
    ("text", "kinds", "copies"),
    [("classic", 195, 674), ("thirteen", 248, 872), ("mixed-dragon", 198, 675), ("multiple", 234, 811)],
)
def test_so_many_triples_are_valid(text: str, kinds: int, copies: int) -> None:
    valid = valid_numbers(text)
    assert (len(valid), weight(valid)) == (kinds, copies)


def test_multiple_adds_39_triples_and_loses_none() -> None:
    assert valid_numbers("classic") < valid_numbers("multiple")
    assert len(valid_numbers("multiple") - valid_numbers("classic")) == 39


def test_thirteen_adds_53_triples_and_loses_none() -> None:
    assert valid_numbers("classic") < valid_numbers("thirteen")
    assert len(valid_numbers("thirteen") - valid_numbers("classic")) == 53


def test_mixed_dragon_replaces_the_kao() -> None:
    lost = valid_numbers("classic") - valid_numbers("mixed-dragon")
    assert {all_texts()[number] for number in lost} == {naive.group("22-33-66"), naive.group("23-26-36")}


def test_so_many_triples_have_each_name() -> None:
    count = Counter(
        name for number in valid_numbers("classic") for name in group_names(int(group_table().masks[number]), CLASSIC)
    )
    assert count == {
        "five-points": 18,
        "full-fourteen": 102,
        "split": 15,
        "coincidence": 15,
        "five-sons": 30,
        "dragon": 15,
        "small-dragon": 3,
        "big-dragon": 4,
        "two-three-kao": 2,
    }


def test_nine_triples_have_two_names_and_are_both_split_and_full_fourteen() -> None:
    named = [group_names(int(group_table().masks[number]), CLASSIC) for number in valid_numbers("classic")]
    assert [two for two in named if len(two) > 1] == [("full-fourteen", "split")] * 9


def test_sixteen_pairs_are_valid_under_every_rule_set() -> None:
    expected = {naive.group(f"{tile}-{tile}"): ("civilian",) for tile in naive.CIVILIAN}
    expected |= {naive.group(text): ("military",) for text in ("36-45", "26-35", "25-34", "14-23")}
    expected |= {naive.group("12-24"): ("supreme",)}
    assert len(expected) == 16
    for text in PRESETS:
        rules = RuleSet.parse(text)
        assert {
            all_texts()[number]: group_names(int(group_table().masks[number]), rules)
            for number in range(TRIPLES, GROUPS)
            if classified(rules)[number]
        } == expected


# The examples of the rules


@pytest.mark.parametrize(
    ("text", "rules", "name"),
    [
        ("[3:3][3:1][2:2]", "classic", "five-points"),
        ("[1:6][1:6][1:4]", "classic", "full-fourteen"),
        ("[1:1][1:6][6:6]", "classic", "split"),
        ("[5:5][5:3][5:2]", "classic", "coincidence"),
        ("[1:1][1:1][1:3]", "classic", "five-sons"),
        ("[1:3][2:6][4:5]", "classic", "dragon"),
        ("[1:3][1:3][2:2]", "classic", "small-dragon"),
        ("[4:4][6:5][6:5]", "classic", "big-dragon"),
        ("[2:2][3:3][6:6]", "classic", "two-three-kao"),
        ("[2:3][2:6][3:6]", "classic", "two-three-kao"),
        ("[2:4][3:3][4:5]", "mixed-dragon", "mixed-dragon"),
        ("[3:3][1:3][1:4]", "multiple", "multiple"),
        ("[4:4][1:4][1:2]", "multiple", "multiple"),
        ("[4:4][1:4][6:5]", "multiple", "multiple"),
        ("[6:1][6:1][6:3]", "classic", "five-points"),
        ("[5:1][5:1][5:3]", "classic", "five-points"),
    ],
)
def test_an_example_has_its_name(text: str, rules: str, name: str) -> None:
    assert name in names(text, rules)


def test_only_the_split_example_has_a_second_name() -> None:
    assert names("11-16-66") == ("full-fourteen", "split")
    assert names("11-12-22") == ("split",)


@pytest.mark.parametrize("text", ["[1:1][1:1][2:2]", "[5:5][6:5][5:4]", "[3:3][3:1][3:1]"])
@pytest.mark.parametrize("rules", ["classic", "mixed-dragon"])
def test_four_equal_ends_are_not_exactly_three(text: str, rules: str) -> None:
    assert names(text, rules) == ()


@pytest.mark.parametrize("text", ["[3:3][1:3][1:4]", "[4:4][1:4][1:2]", "[4:4][1:4][6:5]", "[2:4][3:3][4:5]"])
def test_what_only_a_remedy_makes_valid_is_nothing_in_classic(text: str) -> None:
    assert names(text) == ()


@pytest.mark.parametrize("text", ["[3:3][3:1][3:2]", "[4:4][4:1][4:3]", "[3:3][3:6][3:3]"])
def test_multiple_needs_exactly_three(text: str) -> None:
    assert "multiple" not in names(text, "multiple")


@pytest.mark.parametrize(("text", "rules"), [("16-16-12", "classic"), ("11-14-36", "thirteen")])
def test_the_threshold_itself_is_enough(text: str, rules: str) -> None:
    assert "full-fourteen" in names(text, rules)


def test_one_less_than_the_threshold_is_not_enough() -> None:
    assert names("11-14-36") == () == names("11-16-24", "thirteen")


def test_the_dragon_pattern_needs_all_six_pips() -> None:
    assert names("12-34-56") == ("dragon",)
    assert names("12-34-55") == ()


# The kernel and its twin


def assert_twins_agree(rules: RuleSet) -> None:
    record = rules.to_json()
    bits = classify(group_table().masks, rules).tolist()
    for number, (one, held) in enumerate(zip(all_texts(), bits, strict=True)):
        named = names_of_bits(held, number < TRIPLES, rules)
        expected = naive.triple_names(one, record) if number < TRIPLES else naive.pair_names(one)
        order = rules.names if number < TRIPLES else PAIR_NAMES
        assert named == tuple(name for name in order if name in expected), (one, rules)


@pytest.mark.parametrize("text", PRESETS)
def test_every_group_has_the_names_of_its_twin(text: str) -> None:
    assert_twins_agree(RuleSet.parse(text))


pips = st.integers(1, 6)
custom_rules = st.builds(
    RuleSet,
    id=st.just("mine"),
    fourteen_threshold=st.integers(1, 20),
    multiples_of=st.sets(pips).map(lambda chosen: tuple(sorted(chosen))),
    combinations=st.sets(st.sampled_from(STRUCTURAL)).map(lambda on: tuple(c for c in STRUCTURAL if c in on)),
    patterns=st.dictionaries(
        st.sampled_from(["dragon", "big-dragon", "mixed-dragon", "mine", "yours"]),
        st.lists(pips, min_size=6, max_size=6),
    ).map(lambda chosen: tuple((name, tuple(sorted(ends))) for name, ends in chosen.items())),
)


@settings(max_examples=25)
@given(custom_rules)
def test_every_group_has_the_names_of_its_twin_under_any_record(rules: RuleSet) -> None:
    assert_twins_agree(rules)


@pytest.mark.parametrize("text", PRESETS)
def test_names_of_one_group_are_those_of_the_table(text: str) -> None:
    rules = RuleSet.parse(text)
    for number in range(0, GROUPS, 97):
        bits = int(classified(rules)[number])
        assert group_names(int(group_table().masks[number]), rules) == names_of_bits(bits, number < TRIPLES, rules)


@pytest.mark.parametrize("mask", [0, 1, 0b1111])
def test_a_mask_of_another_size_is_not_classified(mask: int) -> None:
    with pytest.raises(ValueError, match="a group has two or three tiles"):
        classify(np.array([0b111, mask], dtype=np.uint32), CLASSIC)


def test_the_shared_table_of_names_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="read-only"):
        classified(CLASSIC)[0] = 1
