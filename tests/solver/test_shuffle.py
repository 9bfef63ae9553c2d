"""Shuffles and random deals: their twin, their frozen numbers, their fairness."""

from __future__ import annotations

from collections import Counter
from itertools import chain, count, islice

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import Philox

from solver.errors import InputError
from solver.kernelshuffle import _below, _shuffle, _start, _word, shuffle_arrays
from solver.shuffle import INDEX_LIMIT, SEED_LIMIT, fresh_seed, shuffle
from solver.xiangshifu.position import LAYOUTS, Deal

seeds = st.integers(0, SEED_LIMIT - 1) | st.integers(0, 100)
indices = st.integers(0, INDEX_LIMIT - 1) | st.integers(0, 100)

# These texts are what a seed means; they never change.
FROZEN_DEALS = {
    ("ten", 0, 0): "66-13-35 33-16-23 66-55-46 11-56-46 44-22-22 44-33-56 15-36-45 11-16-26 13-15-24 55-25-12 34-14",
    ("ten", 0, 1): "33-26-25 55-56-15 66-55-15 11-22-23 46-16-16 13-46-12 66-44-36 44-13-34 11-22-24 33-35-14 56-45",
    (
        "ten",
        0,
        10**12,
    ): "11-55-15 44-13-26 66-56-15 45-34-14 33-46-25 11-44-16 22-16-23 66-56-46 13-33-22 55-35-24 36-12",
    ("ten", 1, 0): "11-55-15 11-44-33 13-56-46 45-25-24 33-15-36 66-46-34 16-35-14 66-13-23 56-16-26 44-55-22 22-12",
    ("ten", 1, 1): "66-35-14 66-15-36 16-16-15 11-11-33 33-56-46 13-45-12 44-55-25 44-13-34 55-22-23 56-46-24 22-26",
    (
        "ten",
        1,
        10**12,
    ): "55-56-16 11-22-45 13-36-25 11-44-34 13-55-24 33-15-35 22-26-14 44-46-16 66-66-56 33-46-12 15-23",
    (
        "ten",
        12345,
        0,
    ): "22-16-24 11-46-14 44-56-26 13-55-25 33-15-45 66-11-16 56-36-34 13-55-22 33-15-23 44-46-35 66-12",
    (
        "ten",
        12345,
        1,
    ): "66-16-12 11-44-56 22-56-26 13-55-34 22-36-45 13-46-24 35-25-23 11-33-15 55-33-14 66-44-15 46-16",
    (
        "ten",
        12345,
        10**12,
    ): "66-13-55 16-16-24 44-33-36 45-25-12 11-34-23 13-55-46 56-46-14 33-15-26 11-44-56 66-15-35 22-22",
    ("shanghai", 0, 0): "55-16-35 44-22-16 11-33-45 56-15-23 56-46-26 55-15-14 11-44-12 66-36-25 13-13-33 66-22-34",
    ("shanghai", 0, 1): "46-14-12 33-16-45 11-33-16 11-56-26 55-55-22 44-34-23 13-15-35 44-13-36 22-56-15 66-66-25",
    (
        "shanghai",
        0,
        10**12,
    ): "55-46-26 11-33-16 22-56-34 22-36-14 13-13-16 66-55-25 56-15-23 33-45-12 11-44-15 66-44-35",
    ("shanghai", 1, 0): "33-22-26 56-15-36 22-56-12 33-16-25 46-16-45 11-44-13 66-55-34 66-15-35 44-14-23 11-13-55",
    ("shanghai", 1, 1): "66-33-23 44-55-35 13-13-15 56-16-36 55-45-25 11-33-34 66-22-15 11-44-16 46-26-12 22-56-14",
    (
        "shanghai",
        1,
        10**12,
    ): "22-23-12 56-35-34 55-33-36 11-11-26 44-16-14 44-13-46 66-33-25 13-56-15 66-55-22 16-15-45",
    ("shanghai", 12345, 0): "56-46-34 55-22-15 22-35-14 11-55-12 11-33-25 66-15-23 13-36-26 44-56-16 44-33-16 66-13-45",
    ("shanghai", 12345, 1): "44-16-25 11-55-22 22-56-12 44-15-45 66-33-16 56-46-26 11-33-14 13-34-23 66-15-35 13-55-36",
    (
        "shanghai",
        12345,
        10**12,
    ): "66-33-15 22-46-12 44-55-36 33-45-34 11-22-15 56-25-14 66-56-26 55-16-35 11-13-23 44-13-16",
    ("eight", 0, 0): "13-33-36 16-16-15 44-55-35 66-56-46 11-33-56 11-15-23 13-22-24 66-44-34 55-45 46-12 22-25 26-14",
    ("eight", 0, 1): "11-23-24 13-55-22 66-46-16 13-22-46 33-56-56 44-25-12 66-44-16 15-45-14 33-36 15-35 11-55 26-34",
    (
        "eight",
        0,
        10**12,
    ): "66-44-46 66-25-24 44-22-35 56-46-15 11-55-34 15-14-23 33-56-45 11-16-36 22-16 13-26 33-12 13-55",
    ("eight", 1, 0): "44-16-36 55-46-14 66-46-15 13-16-34 66-44-35 11-56-23 33-22-24 11-15-25 55-12 22-56 33-45 13-26",
    ("eight", 1, 1): "33-22-14 13-56-35 44-22-15 13-46-36 56-23-12 66-11-55 11-44-16 33-46-34 66-45 16-15 26-25 55-24",
    (
        "eight",
        1,
        10**12,
    ): "66-33-46 11-33-16 36-26-12 56-15-45 44-13-22 16-35-24 66-22-15 56-14-23 44-55 55-46 11-25 13-34",
    (
        "eight",
        12345,
        0,
    ): "11-55-46 13-55-56 16-16-35 13-22-34 44-15-14 11-45-12 66-22-36 44-33-24 26-25 56-46 66-15 33-23",
    (
        "eight",
        12345,
        1,
    ): "44-34-24 11-46-16 13-33-36 15-45-35 11-22-23 66-25-12 56-46-14 66-13-16 55-26 44-15 33-56 55-22",
    (
        "eight",
        12345,
        10**12,
    ): "66-13-22 11-16-15 33-22-56 55-15-35 66-46-25 56-34-23 44-36-26 46-24-12 16-14 13-55 33-45 11-44",
}


@pytest.mark.parametrize("name", FROZEN_DEALS, ids=lambda name: "-".join(map(str, name)))
def test_frozen_deals_come_out_for_ever(name: tuple[str, int, int]) -> None:
    layout, seed, index = name
    assert str(Deal.random(seed, index, LAYOUTS[layout])) == FROZEN_DEALS[name]


@given(seeds, indices, st.integers(0, 2**64 - 1), st.integers(0, 64))
def test_shuffle_is_its_naive_twin(seed: int, index: int, stream: int, size: int) -> None:
    assert shuffle(size, seed, index, stream) == naive.shuffle(size, naive.words(seed, index, stream))


@given(seeds, indices, st.sampled_from(sorted(LAYOUTS)))
def test_a_random_deal_is_its_naive_twin(seed: int, index: int, layout: str) -> None:
    dealt = Deal.random(seed, index, LAYOUTS[layout])
    assert [naive.group(text) for text in str(dealt).split()] == naive.deal(seed, index, layout)


def test_a_block_is_the_published_one() -> None:
    # Known answers of the Random123 distribution, file kat_vectors: philox4x64 10.
    assert naive.philox(0, 0) == [0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B]
    assert naive.philox(2**128 - 1, 2**256 - 1) == [
        0x87B092C3013FE90B,
        0x438C3C67BE8D0224,
        0x9CC7D7C69CD777B6,
        0xA09CAEBF594F0BA0,
    ]


@given(seeds, indices, st.integers(0, 60))
def test_a_shuffle_holds_every_number_once(seed: int, index: int, size: int) -> None:
    assert sorted(shuffle(size, seed, index)) == list(range(size))


def test_seed_index_and_stream_all_matter() -> None:
    named = [(seed, index, stream) for seed in (0, 1, 2**64) for index in (0, 1, 2**63) for stream in (0, 1, 2)]
    assert len({tuple(shuffle(32, *name)) for name in named}) == len(named)


def test_the_largest_seed_and_index_are_allowed() -> None:
    assert sorted(shuffle(5, SEED_LIMIT - 1, INDEX_LIMIT - 1)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("seed", "index", "message"),
    [
        (-1, 0, "seed -1 is not in 0..2^128-1"),
        (2**128, 0, f"seed {2**128} is not in 0..2^128-1"),
        (0, -1, "index -1 is not in 0..2^64-1"),
        (0, 2**64, f"index {2**64} is not in 0..2^64-1"),
    ],
)
def test_numbers_out_of_range_are_refused(seed: int, index: int, message: str) -> None:
    with pytest.raises(InputError) as error:
        shuffle(3, seed, index)
    assert str(error.value) == message


def chi_square(counts: Counter[object], cells: int) -> float:
    expected = sum(counts.values()) / cells
    return sum((count - expected) ** 2 / expected for count in counts.values()) + (cells - len(counts)) * expected


def test_all_orders_of_four_are_equally_likely() -> None:
    counts: Counter[object] = Counter(tuple(shuffle(4, 7, index)) for index in range(4800))
    assert len(counts) == 24
    # 23 degrees of freedom: a fair shuffle stays between these in all but one of 500 seeds.
    assert 6.5 < chi_square(counts, 24) < 50


def test_every_number_is_equally_likely_at_every_place() -> None:
    orders = [shuffle(32, 7, index) for index in range(3200)]
    for place in (0, 1, 15, 30, 31):
        # 31 degrees of freedom.
        assert 10 < chi_square(Counter(order[place] for order in orders), 32) < 62


@given(st.lists(st.integers(2**64 - 40, 2**64 - 1), max_size=60), st.integers(2, 40))
def test_words_that_would_favour_low_places_are_skipped(large: list[int], size: int) -> None:
    class Source:
        def __init__(self, key: int, counter: int) -> None:
            self.words = chain(large, count(1))

        def random_raw(self, size: int) -> np.ndarray:
            return np.array(list(islice(self.words, size)), dtype=np.uint64)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.shuffle.Philox", Source)
        shuffled = shuffle(size, 0, 0)
    assert shuffled == naive.shuffle(size, chain(large, count(1)))


def test_the_last_word_of_all_is_skipped_at_place_2() -> None:
    # 2^64 - 1 is a multiple of 3, so the words below it are shared out evenly and it is one too many.
    assert naive.shuffle(3, iter([2**64 - 1, 2**64 - 2, 0])) == naive.shuffle(3, iter([2**64 - 2, 0]))


def test_a_fresh_seed_is_short_and_new() -> None:
    fresh = [fresh_seed() for _ in range(4)]
    assert all(0 <= seed < 2**32 for seed in fresh)
    assert len(set(fresh)) > 1


@given(st.integers(1, 112), seeds, indices, st.integers(0, 5))
def test_the_kernel_makes_the_same_shuffles(size: int, seed: int, index: int, stream: int) -> None:
    arrays = shuffle_arrays(size, seed)
    for number in (index, index // 2):
        _shuffle(
            arrays.key,
            np.uint64(number),
            np.uint64(stream),
            arrays.limits,
            arrays.counter,
            arrays.block,
            arrays.order,
        )
        assert arrays.order.tolist() == shuffle(size, seed, number, stream)


def test_the_light_generator_is_splitmix() -> None:
    """The published sequence of seed 1234567."""
    words = np.array([1234567], dtype=np.uint64)
    found = [int(_word(words)) for _ in range(5)]
    assert found == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_the_light_generator_is_started_by_philox() -> None:
    arrays, words = shuffle_arrays(5, 1 << 70 | 3), np.zeros(1, dtype=np.uint64)
    _start(arrays.key, np.uint64(11), np.uint64(3), arrays.counter, arrays.block, words)
    assert words[0] == Philox(key=1 << 70 | 3, counter=(11 << 64) | (3 << 192)).random_raw()


def test_numbers_below_a_limit_are_equally_likely() -> None:
    words = np.array([5], dtype=np.uint64)
    counts = np.bincount([_below(words, 7) for _ in range(7000)], minlength=7)
    assert len(counts) == 7
    assert (abs(counts - 1000) < 150).all()
