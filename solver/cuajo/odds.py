"""How far hands are dealt from complete, exactly: all hands counted by their waste.

A dealt hand is a set of 15 or 16 of 112 cards, each as likely as any. A content of a block stands for as many sets of
cards as its columns have orders and its kinds have choices of copies. Contents with the same cards and the same profile
(``solver.cuajo.blocks``) are alike for the waste of the hand; there are few enough such classes to try them all
together: some dozens of aces, some thousands of each block with a run.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.cuajo.blocks import block_tables, columns, contents
from solver.cuajo.cards import CARDS, COPIES, SUITS
from solver.cuajo.distances import NONE, SIZES, add_profiles
from solver.cuajo.rows import row_tables
from solver.cuajo.rules import HAND
from solver.jit import kernel

WORD_BYTES = 8


@dataclass(frozen=True)
class DealtHands:
    """All hands of so many cards.

    Attributes:
        cards: of a hand.
        by_waste: how many hands have each least waste, from 0 on.
        hopeless: how many can't become complete at all.
    """

    cards: int
    by_waste: tuple[int, ...]
    hopeless: int

    @property
    def hands(self) -> int:
        """How many hands there are."""
        return comb(CARDS.size, self.cards)

    def share(self, waste: int) -> Fraction:
        """The probability that a dealt hand has this least waste."""
        return Fraction(self.by_waste[waste] if waste < len(self.by_waste) else 0, self.hands)


class _Classes(NamedTuple):
    """Parts of hands that are alike, by their cards.

    Attributes:
        first: int64, shape (18,): where those of each number of cards begin.
        profiles: uint8, shape (classes, 17): the least waste by size.
        weights: int64, shape (classes,): how many sets of cards are in the class.
    """

    first: NDArray[np.int64]
    profiles: NDArray[np.uint8]
    weights: NDArray[np.int64]


def _classes(cards: NDArray[np.int64], profiles: NDArray[np.uint8], weights: NDArray[np.int64]) -> _Classes:
    """Classes of what has these cards, profiles and weights; what exceeds a hand is left out."""
    keep = cards <= HAND
    keyed = np.zeros((int(keep.sum()), WORD_BYTES * -(-(1 + SIZES) // WORD_BYTES)), dtype=np.uint8)
    keyed[:, 0], keyed[:, 1 : 1 + SIZES] = cards[keep], profiles[keep]
    # As words sorted by the first byte first, which is the number of cards.
    order = np.lexsort(keyed.view(">u8").astype(np.uint64).T[::-1])
    table = keyed[order]
    begins = np.flatnonzero(np.append(True, (table[1:] != table[:-1]).any(axis=1)))
    total = np.add.reduceat(weights[keep][order], begins)
    table = table[begins]
    profiles = np.ascontiguousarray(table[:, 1 : 1 + SIZES])
    return _Classes(np.searchsorted(table[:, 0], np.arange(SIZES + 1)), profiles, total)


def _choices(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each row of counts, how many ways there are to choose so many of each kind's copies."""
    of_count = np.array([comb(COPIES, count) for count in range(COPIES + 1)], dtype=np.int64)
    choices: NDArray[np.int64] = np.prod(of_count[counts], axis=1)
    return choices


def _ace_classes() -> _Classes:
    counts = row_tables().counts
    return _classes(counts.sum(axis=1), block_tables().aces, _choices(counts))


def _run_classes(block: int) -> _Classes:
    known, found = columns(), contents().columns.astype(np.int64)
    weights = _orders(found) * _choices(known.counts)[found].prod(axis=1)
    return _classes(known.cards[found].sum(axis=1), block_tables().runs[block], weights)


def _orders(found: NDArray[np.int64]) -> NDArray[np.int64]:
    """In how many orders four columns, sorted in each row, can stand."""
    orders = np.full(len(found), 1, dtype=np.int64)
    repeats = np.ones(len(found), dtype=np.int64)
    for place in range(len(SUITS)):
        if place:
            repeats = np.where(found[:, place] == found[:, place - 1], repeats + 1, 1)
        # Of place + 1 columns, the new one can stand anywhere; equal ones in one order only.
        orders = orders * (place + 1) // repeats
    return orders


@kernel
def _add_up(cards_a, profiles_a, cards_b, profiles_b, cards, profiles):
    place = 0
    for a in range(len(cards_a)):
        for b in range(len(cards_b)):
            if cards_a[a] + cards_b[b] <= HAND:
                cards[place] = cards_a[a] + cards_b[b]
                add_profiles(profiles_a[a], profiles_b[b], profiles[place])
                place += 1
    return place


def _cards_of(classes: _Classes) -> NDArray[np.int64]:
    return np.repeat(np.arange(SIZES), np.diff(classes.first))


def _together(a: _Classes, b: _Classes) -> _Classes:
    cards_a, cards_b = _cards_of(a), _cards_of(b)
    fit = cards_a[:, None] + cards_b[None, :] <= HAND
    cards = np.empty(int(fit.sum()), dtype=np.int64)
    profiles = np.empty((len(cards), SIZES), dtype=np.uint8)
    _add_up(cards_a, a.profiles, cards_b, b.profiles, cards, profiles)
    return _classes(cards, profiles, (a.weights[:, None] * b.weights[None, :])[fit])


@kernel
def _count(first, profiles, weights, profile, size, out):
    """Add the weights of some classes by their least waste together with a profile; the last place is for none."""
    for number in range(first, first + profiles.shape[0]):
        best = NONE
        for part in range(size + 1):
            best = min(best, np.int64(profiles[number - first, part]) + profile[size - part])
        out[min(best, out.shape[0] - 1)] += weights[number - first]


@kernel
def _count_all(first, profiles, weights, of_first, of_profiles, hand, size, out):
    for cards in range(hand + 1):
        begin, end = first[hand - cards], first[hand - cards + 1]
        for number in range(of_first[cards], of_first[cards + 1]):
            _count(begin, profiles[begin:end], weights[begin:end], of_profiles[number], size, out[number])


@cache
def _all_classes() -> tuple[_Classes, _Classes]:
    """Of all that is no jack, horse or king, and of these."""
    return _together(_ace_classes(), _run_classes(0)), _run_classes(1)


def dealt_hands(cards: int, size: int = HAND) -> DealtHands:
    """Count all hands of 15 or 16 cards by their least waste.

    Of a hand of 15 cards, waste 0 is purro: one card that the hand does not hold four times completes it. Of one of 16,
    waste 0 is complete, and 1 is purro once the right card is discarded.

    Args:
        cards: dealt to the hand, at most 16.
        size: cards of a complete hand.
    """
    others, kings = _all_classes()
    # The sets of cards of two blocks fit into 63 bits, those of all three do not.
    counts = np.zeros((len(kings.weights), HAND + 2), dtype=np.int64)
    _count_all(others.first, others.profiles, others.weights, kings.first, kings.profiles, cards, size, counts)
    totals = [
        sum(int(weight) * int(count) for weight, count in zip(kings.weights, column, strict=True))
        for column in counts.T
    ]
    *by_waste, hopeless = totals
    while by_waste and by_waste[-1] == 0:
        by_waste.pop()
    return DealtHands(cards, tuple(by_waste), hopeless)
