"""Kernels over bits against Python's own integers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.bits import canonical_masks, from_words, lowest_bit, popcount, sizes, to_words
from solver.deck import Deck, Kind
from solver.jit import kernel
from solver.xiangshifu.tiles import TILES

DECKS = {
    "domino": TILES,
    "two packs": Deck(tuple(Kind(f"{suit}{rank}", 2, section=suit) for suit in "cdhs" for rank in range(13))),
    "cuajo": Deck(tuple(Kind(f"{suit}{rank}", 4, section=suit) for suit in "oceb" for rank in range(7))),
}

words64 = st.integers(0, 2**64 - 1)


@kernel
def count_of(word):  # noqa: ANN201
    return popcount(word)


@kernel
def lowest_of(word):  # noqa: ANN201
    return lowest_bit(word)


@given(words64)
def test_popcount_counts_bits(word: int) -> None:
    assert count_of(np.uint64(word)) == word.bit_count()
    assert count_of(np.uint32(word % 2**32)) == (word % 2**32).bit_count()


@given(words64.filter(bool))
def test_lowest_bit_is_the_number_of_zeros_at_the_end(word: int) -> None:
    zeros = len(bin(word)) - len(bin(word).rstrip("0"))
    assert lowest_of(np.uint64(word)) == zeros


@pytest.mark.parametrize("place", range(64))
def test_lowest_bit_finds_every_place(place: int) -> None:
    assert lowest_of(np.uint64(1 << place)) == place
    assert lowest_of(np.uint64(2**64 - (1 << place))) == place


def any_copies(deck: Deck) -> st.SearchStrategy[int]:
    return st.integers(0, 2 ** (64 * deck.words) - 1).map(lambda bits: bits & deck.full)


def masks_of(name: str) -> st.SearchStrategy[tuple[Deck, list[int]]]:
    return st.tuples(st.just(DECKS[name]), st.lists(any_copies(DECKS[name]), max_size=8))


masks = st.sampled_from(sorted(DECKS)).flatmap(masks_of)


@given(masks)
def test_words_of_masks_read_back(case: tuple[Deck, list[int]]) -> None:
    deck, many = case
    words = to_words(deck, many)
    assert words.dtype == np.uint64
    assert words.shape == (len(many), deck.words)
    assert from_words(words) == many


@given(masks)
def test_canonical_masks_are_what_the_deck_says(case: tuple[Deck, list[int]]) -> None:
    deck, many = case
    assert from_words(canonical_masks(deck, to_words(deck, many))) == [deck.canonical(mask) for mask in many]


@given(masks)
def test_canonical_masks_leave_their_argument_alone(case: tuple[Deck, list[int]]) -> None:
    deck, many = case
    words = to_words(deck, many)
    canonical_masks(deck, words)
    assert from_words(words) == many


@given(masks)
def test_sizes_count_copies(case: tuple[Deck, list[int]]) -> None:
    deck, many = case
    assert sizes(to_words(deck, many)).tolist() == [mask.bit_count() for mask in many]


@pytest.mark.parametrize("words", [1, 2])
def test_a_deck_of_single_copies_needs_no_network(words: int) -> None:
    suits = "abcd"[: 2 * words]
    deck = Deck(tuple(Kind(f"{suit}{rank}", 1, section=suit) for suit in suits for rank in range(26)))
    assert deck.words == words
    assert from_words(canonical_masks(deck, to_words(deck, [deck.full, 5]))) == [deck.full, 5]


@pytest.mark.parametrize("shape", [(3,), (3, 1), (3, 3), (1, 3, 2)])
def test_words_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="masks of this deck have 2 words"):
        canonical_masks(DECKS["cuajo"], np.zeros(shape, dtype=np.uint64))
