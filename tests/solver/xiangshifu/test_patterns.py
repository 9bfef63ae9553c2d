"""What would save a group, against the naive twin and against dead groups of whole rule sets."""

from __future__ import annotations

from dataclasses import replace

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import RuleSet, dead_groups
from solver.xiangshifu.groups import GROUPS, TRIPLES, classified, group_table, group_text
from solver.xiangshifu.patterns import (
    VALID,
    all_exchanges,
    critical_groups,
    left_over,
    pattern_table,
    savings,
    valid_patterns,
)
from solver.xiangshifu.rules import CLASSIC, Pattern

COUNT = len(pattern_table().patterns)
FREE = [pattern_table().patterns[number] for number in np.flatnonzero(~valid_patterns(CLASSIC))]
ALL_GROUPS = sorted(naive.all_groups(2) | naive.all_groups(3))


def with_patterns(base: RuleSet, patterns: tuple[Pattern, ...]) -> RuleSet:
    added = tuple((f"new-{number}", pattern) for number, pattern in enumerate(patterns))
    return replace(base, id=f"with {patterns} {base.id}", patterns=(*base.patterns, *added))


def flags(patterns: tuple[Pattern, ...]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    given = np.zeros(COUNT, dtype=np.bool_)
    given[[pattern_table().patterns.index(pattern) for pattern in patterns]] = True
    return given


def test_every_triple_has_a_pattern_and_counts_add_up() -> None:
    table = pattern_table()
    assert len(table.of_triple) == TRIPLES
    assert (int(table.kinds.sum()), int(table.tiles.sum())) == (TRIPLES, 4960)
    for number in range(0, TRIPLES, 97):
        ends = sorted(int(end) for tile in naive.group(group_text(number)) for end in tile)
        assert table.patterns[table.of_triple[number]] == tuple(ends)
    valid = valid_patterns(CLASSIC)
    assert (int(table.kinds[valid].sum()), int(table.tiles[valid].sum())) == (195, 674)
    triples = classified(CLASSIC)[:TRIPLES] != 0
    assert (valid[table.of_triple] == triples).all()


@pytest.mark.parametrize("text", ["14-24-33", "16-16-14", "33-33-36", "22-16", "24-12", "55-55", "36-45-26"])
def test_all_exchanges_of_a_group(text: str) -> None:
    one = naive.group(text)
    number = next(n for n in range(GROUPS) if naive.group(group_text(n)) == one)
    expected = {
        (other, x, y)
        for other in ALL_GROUPS
        if not naive.tiles_of([one, other]) - naive.SET
        for x, y in naive.all_exchanges(one, other)
    }
    found = set()
    for other, x, y in all_exchanges(number).tolist():
        found.add(tuple(naive.group(group_text(n)) for n in (other, x, y)))
    # Which of the two results is ours does not matter.
    assert {(other, *sorted(after)) for other, *after in found} == {
        (other, *sorted(after)) for other, *after in expected
    }


def test_no_set_holds_another_and_each_is_needed() -> None:
    for group in critical_groups(CLASSIC):
        for rows in (group.repair, group.partner):
            sets = [frozenset(row) - {VALID} for row in rows.tolist()]
            assert len(set(sets)) == len(sets)
            small = [one for one in sets if len(one) < 3]
            assert not any(one < other for one in small for other in sets)


def condemned(rules: RuleSet) -> tuple[set[int], set[int]]:
    found = dead_groups(rules)
    return set(found.dead), set(found.conditionally_dead)


def left_of(base: RuleSet, patterns: tuple[Pattern, ...]) -> tuple[set[int], set[int]]:
    """Masks of the dead and conditionally dead groups, by the savings of what is added."""
    critical = critical_groups(base)
    saved = int(savings(critical, flags(patterns)).none)
    masks = [int(group_table().masks[group.number]) for group in critical]
    dead = {mask for n, mask in enumerate(masks) if not saved >> (n + 32) & 1}
    left = {mask for n, mask in enumerate(masks) if not saved >> n & 1}
    counts = left_over(np.array([saved], dtype=np.uint64), len(critical))
    assert (int(counts[0][0]), int(counts[1][0])) == (len(left), len(dead))
    return dead, left - dead


@settings(max_examples=15)
@given(st.sets(st.sampled_from(FREE), min_size=1, max_size=4), st.booleans())
def test_what_is_left_by_savings_is_what_is_left_by_trying_everything(chosen: set[Pattern], without_kao: bool) -> None:
    base = replace(CLASSIC, id="classic without kao", patterns=CLASSIC.patterns[:3]) if without_kao else CLASSIC
    patterns = tuple(sorted(chosen))
    assert left_of(base, patterns) == condemned(with_patterns(base, patterns))


@pytest.mark.parametrize("rules", ["thirteen", "mixed-dragon", "multiple", "thirteen+multiple"])
def test_what_is_left_by_other_rules(rules: str) -> None:
    base = CLASSIC
    if "mixed" in rules:
        base = replace(CLASSIC, id="classic without kao", patterns=CLASSIC.patterns[:3])
    added = valid_patterns(RuleSet.parse(rules)) & ~valid_patterns(base)
    patterns = tuple(pattern_table().patterns[number] for number in np.flatnonzero(added))
    assert left_of(base, patterns) == condemned(RuleSet.parse(rules))


@given(st.lists(st.integers(0, COUNT - 1), min_size=3, max_size=3, unique=True), st.sets(st.integers(0, COUNT - 1)))
def test_savings_of_several_patterns_add_up(chosen: list[int], given_numbers: set[int]) -> None:
    critical = critical_groups(CLASSIC)
    given = np.zeros(COUNT, dtype=np.bool_)
    given[list(given_numbers)] = True
    found = savings(critical, given)
    i, j, k = sorted(chosen)
    saved = (
        found.none | found.one[i] | found.one[j] | found.one[k] | found.two[i, j] | found.two[i, k] | found.two[j, k]
    )
    for triple, bits in zip(found.three.tolist(), found.three_bits, strict=True):
        if triple == [i, j, k]:
            saved |= bits
    given[chosen] = True
    assert saved == savings(critical, given).none


def test_rules_that_condemn_nothing_need_nothing() -> None:
    assert critical_groups(RuleSet.parse("multiple")) == ()
    assert savings((), np.zeros(COUNT, dtype=np.bool_)).none == 0
