"""Exact counts of dealt hands: every small hand by hand, the whole, and a sample."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb, sqrt

import naive_cuajo as naive
import numpy as np
import pytest

from solver.bits import to_words
from solver.cuajo.blocks import wastes
from solver.cuajo.cards import CARDS
from solver.cuajo.odds import dealt_hands


@pytest.mark.parametrize("size", [2, 3, 4])
def test_small_hands_are_counted_one_by_one(size: int) -> None:
    counts: Counter[int | None] = Counter()
    for cards in naive.hands(2):
        counts[naive.waste(cards, size)] += naive.choices(cards)
    found = dealt_hands(2, size)
    assert found.by_waste == tuple(counts[waste] for waste in range(len(found.by_waste)))
    assert found.hopeless == counts[None]
    assert counts.total() == found.hands == comb(112, 2)


@pytest.mark.parametrize("cards", [15, 16])
def test_the_counts_are_those_of_all_hands(cards: int) -> None:
    found = dealt_hands(cards)
    assert sum(found.by_waste) + found.hopeless == found.hands == comb(112, cards)
    assert found.hopeless == 0
    assert sum(found.share(waste) for waste in range(10)) == Fraction(1)


def test_a_hand_is_dealt_purro_once_in_553_and_complete_once_in_6438() -> None:
    assert dealt_hands(15).by_waste[0] == 2_839_742_665_150_896
    assert dealt_hands(16).by_waste[:2] == (1_478_176_397_514_651, 130_325_228_786_023_520)
    assert round(1 / dealt_hands(15).share(0)) == 553
    assert round(1 / dealt_hands(16).share(0)) == 6438


@pytest.mark.parametrize("cards", [15, 16])
def test_a_sample_agrees(cards: int) -> None:
    hands = 20_000
    random = np.random.default_rng(cards)
    copies = np.array([shift + copy for shift in CARDS.shifts for copy in range(4)])
    masks = [
        CARDS.canonical(sum(1 << int(place) for place in copies[random.permutation(112)[:cards]])) for _ in range(hands)
    ]
    counts = np.bincount(wastes(to_words(CARDS, masks)), minlength=8)
    for waste, count in enumerate(counts.tolist()):
        share = float(dealt_hands(cards).share(waste))
        assert abs(count - hands * share) <= 5 * sqrt(hands * share * (1 - share)) + 1
