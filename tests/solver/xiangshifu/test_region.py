"""The region against slow enumeration, and the numbers of its positions both ways."""

from __future__ import annotations

import dataclasses
from collections import Counter

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain import SIZES, SMALL, all_texts, everything, game, small

from solver.errors import InputError
from solver.xiangshifu.groups import GROUPS, TRIPLES, group_names, group_table
from solver.xiangshifu.moves import move_table
from solver.xiangshifu.position import LAYOUTS, TEN, Deal
from solver.xiangshifu.region import Region, region
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.tiles import TILES


@pytest.mark.parametrize("layout", LAYOUTS)
def test_all_positions_are_those_of_the_twin_each_once(layout: str) -> None:
    found = all_texts(layout)
    assert len(found) == small(layout).size == SIZES[layout]
    assert set(found) == naive.valid_positions(game(), layout)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_number_comes_back(layout: str) -> None:
    found = small(layout)
    positions = everything(found)
    assert np.array_equal(found.rank(positions), np.arange(found.size))
    shuffled = np.random.default_rng(1).permuted(positions, axis=1)
    assert np.array_equal(found.rank(shuffled), np.arange(found.size))
    order = np.random.default_rng(2).permutation(found.size)
    assert np.array_equal(found.unrank(order), positions[order])


@given(st.integers(0, SIZES["ten"] - 1), st.integers(0, 10), st.integers(0, GROUPS - 1))
def test_only_positions_of_the_region_have_numbers(number: int, place: int, group: int) -> None:
    found = small("ten")
    position = found.unrank(np.array([number]))
    position[0, place] = group
    after = int(found.rank(position)[0])
    if after >= 0:
        assert np.array_equal(np.sort(found.unrank(np.array([after]))), np.sort(position))
    else:
        masks = group_table().masks[position[0]].tolist()
        tiles = Counter(tile for mask in masks for tile in TILES.names(mask))
        pairs = int((position >= TRIPLES).sum())
        assert tiles != naive.SET or pairs != 1 or not all(group_names(mask, SMALL) for mask in masks)


def test_positions_as_records() -> None:
    found = small("ten")
    position = found.position(77)
    assert found.number(position) == 77
    assert [group.bit_count() for group in position.groups] == [3] * 10 + [2]
    assert found.number(Deal.random(1, 0)) is None
    assert found.number(small("shanghai").position(0)) is None


def test_what_is_no_position_is_refused() -> None:
    found = small("ten")
    with pytest.raises(ValueError, match="11 groups"):
        found.rank(np.zeros((1, 10), dtype=np.int16))
    with pytest.raises(ValueError, match="no such group"):
        found.rank(np.full((1, 11), GROUPS, dtype=np.int16))
    for number in (-1, found.size):
        with pytest.raises(ValueError, match="numbered from 0 to 6017"):
            found.unrank(np.array([number]))


def test_a_million_positions_of_the_game_come_back() -> None:
    found = region(TEN, CLASSIC)
    numbers = np.random.default_rng(3).integers(0, found.size, 1_000_000)
    positions = found.unrank(numbers)
    assert np.array_equal(found.rank(positions), numbers)
    counts = np.array([TILES.counts(int(mask)) for mask in group_table().masks])
    assert (counts[positions[:50_000]].sum(axis=1) == TILES.counts(TILES.full)).all()
    assert move_table(CLASSIC).valid[positions].all()
    assert ((positions >= TRIPLES).sum(axis=1) == 1).all()


def test_the_region_is_kept() -> None:
    assert region(TEN, CLASSIC) is region(TEN, CLASSIC)


@pytest.mark.parametrize(
    ("layout", "rules", "size"),
    [
        ("ten", "classic", 39_427_952),
        ("ten", "mixed-dragon", 44_890_960),
        ("shanghai", "classic", 4_502_891),
        ("eight", "classic", 12_508_445),
        pytest.param("ten", "thirteen", 496_631_828, marks=pytest.mark.slow),
        pytest.param("ten", "multiple", 255_025_361, marks=pytest.mark.slow),
        pytest.param("ten", "thirteen+mixed-dragon+multiple", 2_393_089_204, marks=pytest.mark.slow),
        pytest.param("ten", "thirteen+multiple", 2_257_394_407, marks=pytest.mark.slow),
        pytest.param("ten", "thirteen+mixed-dragon", 545_431_373, marks=pytest.mark.slow),
        pytest.param("ten", "mixed-dragon+multiple", 275_173_283, marks=pytest.mark.slow),
    ],
)
def test_sizes_of_the_regions_of_the_game(layout: str, rules: str, size: int) -> None:
    found = region(LAYOUTS[layout], RuleSet.parse(rules))
    assert found.size == size
    numbers = np.linspace(0, size - 1, 1000).astype(np.int64)
    assert np.array_equal(found.rank(found.unrank(numbers)), numbers)


def test_a_region_without_positions() -> None:
    nothing = dataclasses.replace(CLASSIC, id="nothing", combinations=(), patterns=CLASSIC.patterns[1:2])
    found = Region(TEN, nothing)
    assert found.size == 0
    assert found.number(Deal.random(1, 0)) is None


def test_too_many_positions_to_number(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("solver.xiangshifu.region.MOST_NODES", 1 << 18)
        with pytest.raises(InputError, match=r"more than 262,144 sets of tiles"):
            Region(TEN, CLASSIC)
