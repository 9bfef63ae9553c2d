"""Exact probabilities against all deals of a few tiles, against many shuffles, and against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, prod, sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver import RuleSet, dead_groups, parse_group
from solver.xiangshifu.families import KINDS, LIMB, _add, _halve, _table, count_families, word
from solver.xiangshifu.groups import group_table
from solver.xiangshifu.odds import Event, number_of_deals, probability, probability_of_any, probability_of_none
from solver.xiangshifu.position import EIGHT, LAYOUTS, TEN, Layout
from solver.xiangshifu.theory import edge_partners
from solver.xiangshifu.tiles import KIND_OF_BIT, TILES

SMALL = (
    Layout("three triples", 3, 0, TILES.parse("66 66 11 11 44 44 13 13 36")),
    Layout("two triples of three kinds", 2, 0, TILES.parse("66 66 11 11 44 44")),
    Layout("two triples, a pair", 2, 1, TILES.parse("66 66 11 11 36 45 26 44")),
    Layout("two triples, two pairs", 2, 2, TILES.parse("66 66 11 11 44 44 36 45 26 35")),
    Layout("three triples, a pair", 3, 1, TILES.parse("66 66 11 11 44 44 13 13 36 45 26")),
)
Dealt = Counter[int]


def splits(tiles: tuple[int, ...], triples: int, pairs: int) -> Iterator[list[tuple[int, ...]]]:
    """All ways to deal different tiles as groups; the first tile's group first."""
    if not tiles:
        yield []
        return
    first, *others = tiles
    for size, left in ((3, triples), (2, pairs)):
        for more in combinations(others, size - 1) if left else ():
            rest = tuple(tile for tile in others if tile not in more)
            for split in splits(rest, triples - (size == 3), pairs - (size == 2)):
                yield [(first, *more), *split]


@cache
def all_deals(layout: Layout) -> list[tuple[Dealt, int]]:
    """All deals of a layout, by the numbers of their groups, and how many deals are like that."""
    kinds = TILES.kinds_of(layout.tiles)
    deals = Counter(
        tuple(sorted(TILES.mask(kinds[tile] for tile in group) for group in split))
        for split in splits(tuple(range(len(kinds))), layout.triples, layout.pairs)
    )
    return [(Counter(groups), number) for groups, number in deals.items()]


@cache
def all_groups(layout: Layout) -> list[int]:
    return sorted({group for deal, _ in all_deals(layout) for group in deal})


def happens(deal: Dealt, present: Sequence[int], absent: Sequence[int]) -> bool:
    wanted = Counter(present)
    return all(deal[group] >= often for group, often in wanted.items()) and all(
        deal[group] == wanted[group] for group in absent
    )


def share(layout: Layout, test: Callable[[Dealt], bool]) -> Fraction:
    deals = all_deals(layout)
    return Fraction(sum(number for deal, number in deals if test(deal)), sum(number for _, number in deals))


@pytest.mark.parametrize("layout", SMALL, ids=lambda layout: layout.name)
def test_probabilities_by_dealing_in_every_way(layout: Layout) -> None:
    assert number_of_deals(layout.triples, layout.pairs) == sum(number for _, number in all_deals(layout))
    groups = all_groups(layout)
    random = Random(1)
    for _ in range(60):
        present = random.choices(groups, k=random.choice([0, 1, 1, 2, 2, 3]))
        absent = random.sample(groups, min(len(groups), random.choice([0, 1, 3, 8, 20])))
        seen = share(layout, lambda deal, present=present, absent=absent: happens(deal, present, absent))  # type: ignore[misc]
        assert probability(present, absent, layout) == seen


@pytest.mark.parametrize("layout", SMALL, ids=lambda layout: layout.name)
def test_unions_by_dealing_in_every_way(layout: Layout) -> None:
    groups = all_groups(layout)
    random = Random(2)
    for _ in range(20):
        events = [
            Event(
                tuple(random.choices(groups, k=random.choice([1, 1, 2, 3]))),
                frozenset(random.sample(groups, min(len(groups), random.choice([0, 2, 5])))),
            )
            for _ in range(random.choice([1, 2, 5]))
        ]
        seen = share(
            layout,
            lambda deal, events=events: any(happens(deal, e.present, sorted(e.absent)) for e in events),  # type: ignore[misc]
        )
        assert probability_of_any(events, layout) == seen


def test_a_group_dealt_twice() -> None:
    layout = SMALL[1]
    group = TILES.parse("66 11 44")
    # Of ten deals of six tiles as two triples, those with one copy of each kind in each: 2 * 2 ways.
    assert probability([group], layout=layout) == probability([group, group], layout=layout) == Fraction(4, 10)
    assert probability([group], [group], layout) == 0
    assert probability([group] * 3, layout=layout) == 0


def test_no_union_is_looked_at_beyond_the_limit() -> None:
    groups = [parse_group(text) for text in ("66-11-44", "13-55-33", "22-56-46", "16-15-36")]
    events = [Event((group,)) for group in groups]
    assert probability_of_any(events, most_unions=8) is None
    assert probability_of_any(events, most_unions=16) == 1 - probability_of_none(groups)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=lambda layout: layout.name)
def test_a_single_group_is_as_likely_as_its_share_of_all_of_its_size(layout: Layout) -> None:
    tiles = layout.triples * 3 + layout.pairs * 2
    triple = parse_group("36-45-26")
    assert probability([triple], layout=layout) == Fraction(layout.triples, comb(tiles, 3))
    pair = parse_group("36-45")
    assert probability([pair], layout=layout) == Fraction(layout.pairs, comb(tiles, 2))


@given(
    st.lists(st.sampled_from(group_table().masks.tolist()), min_size=1, max_size=12, unique=True),
    st.sampled_from([TEN, EIGHT]),
)
def test_none_and_any_make_one(groups: list[int], layout: Layout) -> None:
    some = probability_of_any([Event((group,)) for group in groups], layout)
    assert some is not None
    assert some + probability_of_none(groups, layout) == 1
    assert max(probability([group], layout=layout) for group in groups) <= some


@given(
    st.sampled_from(group_table().masks.tolist()),
    st.sampled_from(group_table().masks.tolist()),
    st.lists(st.sampled_from(group_table().masks.tolist()), max_size=20),
)
def test_a_group_is_dealt_with_another_or_without_it(one: int, other: int, absent: list[int]) -> None:
    absent = [group for group in absent if group not in (one, other)]
    if one != other:
        both = probability([one, other], absent)
        assert both + probability([one], [other, *absent]) == probability([one], absent)
        assert both == probability([other, one], absent)


def test_counts_keep_every_digit() -> None:
    rng = Random(3)
    values = [[[rng.getrandbits(100) * 2 for _ in range(2)] for _ in range(11)] for _ in range(2)]
    table = _table(2, 10, 1)
    for entry, rows in enumerate(values):
        for k, row in enumerate(rows):
            for q, value in enumerate(row):
                table.counts[entry, k, q] = value & (1 << LIMB) - 1, value >> LIMB
    table.size[0] = 2
    _add(table, 0, 8, 1, 0, table, 1)
    _halve(table)
    for k in range(1, 11):
        for q in range(2):
            low, high = map(int, table.counts[1, k, q])
            assert high << LIMB | low == (values[1][k][q] + 8 * values[0][k - 1][q]) // 2


def test_families_of_groups_without_common_tiles() -> None:
    groups = [parse_group(text) for text in ("66-11-44", "36-45-26", "13-13-12", "35-25")]
    # The first is there in eight ways, and twice in four; each of the others in one.
    families = count_families(word(TILES.full), map(word, groups), 10, 1)
    assert families == [[1, 1], [10, 10], [21, 21], [16, 16], [4, 4], *([[0, 0]] * 6)]


def shuffled(deals: int) -> NDArray[np.int64]:
    """Words of the eleven groups of many deals: int64, shape (deals, 11)."""
    kinds = np.tile(np.array(KIND_OF_BIT, dtype=np.int64), (deals, 1))
    ones = np.int64(1) << 3 * np.random.default_rng(7).permuted(kinds, axis=1)
    triples = ones[:, :30].reshape(deals, 10, 3).sum(axis=2)
    return np.concatenate([triples, ones[:, 30:].sum(axis=1, keepdims=True)], axis=1)


def test_many_shuffles_agree() -> None:
    deals = shuffled(200_000)
    rules = RuleSet.parse("classic")
    found = dead_groups(rules)

    def dealt(groups: Sequence[int]) -> NDArray[np.bool_]:
        hit: NDArray[np.bool_] = np.isin(deals, [word(group) for group in groups]).any(axis=1)
        return hit

    def agrees(seen: NDArray[np.bool_], chance: Fraction) -> None:
        deviation = sqrt(len(deals) * float(chance * (1 - chance)))
        assert abs(seen.sum() - len(deals) * float(chance)) < 4.5 * deviation

    agrees(dealt(found.dead), 1 - probability_of_none(found.dead))
    lost = dealt(found.dead)
    for group in found.conditionally_dead:
        partners = edge_partners([group], rules)
        alone = dealt([group]) & ~dealt(sorted(partners))
        agrees(dealt([group]), probability([group]))
        agrees(alone, probability([group], partners))
        lost |= alone
    events = [Event((group,), edge_partners([group], rules)) for group in (*found.dead, *found.conditionally_dead)]
    some = probability_of_any(events)
    assert some is not None
    agrees(lost, some)
    together = [parse_group("33-16-25"), parse_group("44-24-15")]
    agrees(dealt(together[:1]) & dealt(together[1:]), probability(together))


def test_words_count_tiles_by_kind() -> None:
    for mask in group_table().masks[::50].tolist():
        assert tuple(word(mask) >> 3 * kind & 7 for kind in range(KINDS)) == TILES.counts(mask)
    assert prod(TILES.counts(TILES.full)) == 2**11
