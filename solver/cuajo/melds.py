"""Combinations of cards, and how a hand divides into them: whether at all, and every division once.

Whether a hand is complete is settled by rows (``solver.cuajo.rows``): the row of aces has to be used up by sets and
secrets, and the three rows of each other block need a vector of runs in common.

All divisions are the exact covers of a multiset. The lowest card that is left belongs to a combination that begins with
its kind; trying these in the order of their numbers, never going back to a lower number at the same kind, meets every
division exactly once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.cuajo.cards import ACE, CARDS, COPIES, KINDS, KING, RANKS, SUITS, card, kind_of
from solver.cuajo.rows import WORDS, count_in, place_of, row_of, row_tables, tally
from solver.cuajo.rules import LEAST_SET, RUNS, SECRET, SOWEE_SECRET
from solver.deck import WORD, WORD_MASK
from solver.jit import kernel

SET, RUN, SECRET_NAME, KING_NAME, SOWEE_NAME = "set", "run", "secret", "king", "sowee"
MOST_CARDS = max(len(SUITS), SECRET)
MOST_PARTS = 16
"""A hand of kings divides into as many combinations as cards."""


@dataclass(frozen=True)
class Combination:
    """A valid combination.

    Attributes:
        name: ``set``, ``run``, ``secret``, ``king``; or ``sowee``, three cards like the sowee.
        kinds: its cards' kinds, ascending.
    """

    name: str
    kinds: tuple[int, ...]

    def cards(self) -> list[str]:
        """Its cards as text."""
        return [card(kind) for kind in self.kinds]


Division = tuple[Combination, ...]
"""A hand in combinations, by their lowest cards."""


@cache
def all_combinations(sowee: int | None = None) -> tuple[Combination, ...]:
    """Every combination there is, by its lowest kind.

    Args:
        sowee: a kind of which three cards are a combination too.
    """
    suits = range(len(SUITS))
    found = [
        *(
            Combination(SET, tuple(kind_of(suit, rank) for suit in chosen))
            for rank in range(len(RANKS))
            for size in range(LEAST_SET, len(SUITS) + 1)
            for chosen in combinations(suits, size)
        ),
        *(Combination(RUN, tuple(kind_of(suit, rank) for rank in run)) for run in RUNS for suit in suits),
        *(Combination(SECRET_NAME, (kind,) * SECRET) for kind in range(KINDS)),
        *(Combination(KING_NAME, (kind_of(suit, KING),)) for suit in suits),
    ]
    if sowee is not None:
        found.append(Combination(SOWEE_NAME, (sowee,) * SOWEE_SECRET))
    return tuple(sorted(found, key=lambda one: one.kinds[0]))


class _Cover(NamedTuple):
    """Combinations as the exact cover takes them.

    Attributes:
        kinds: int64, shape (combinations, 4): the kinds of each; -1 fills it.
        first: int64, shape (29,): where those with each lowest kind begin.
    """

    kinds: NDArray[np.int64]
    first: NDArray[np.int64]


@cache
def _cover(sowee: int | None) -> _Cover:
    found = all_combinations(sowee)
    kinds = np.array([one.kinds + (-1,) * (MOST_CARDS - len(one.kinds)) for one in found], dtype=np.int64)
    return _Cover(kinds, np.searchsorted(kinds[:, 0], np.arange(KINDS + 1)).astype(np.int64))


@kernel
def _take(counts, kinds):
    """Take a combination's cards out of the counts, if they are all there."""
    for place in range(kinds.shape[0]):
        kind = kinds[place]
        if kind < 0:
            return True
        if counts[kind] == 0:
            _put_back(counts, kinds, place)
            return False
        counts[kind] -= 1
    return True


@kernel
def _put_back(counts, kinds, places):
    for place in range(places):
        if kinds[place] >= 0:
            counts[kinds[place]] += 1


@kernel
def _divide(counts, kinds, first, out):
    """Write all divisions of the counts, as numbers of combinations, into rows of ``out``; return how many there are.

    Those that ``out`` has no room for are counted only.
    """
    chosen = np.full(MOST_PARTS + 1, -1, np.int64)
    lowest = np.zeros(MOST_PARTS + 1, np.int64)
    found = 0
    depth = 0
    while lowest[0] < KINDS and counts[lowest[0]] == 0:
        lowest[0] += 1
    while depth >= 0:
        low = lowest[depth]
        if low == KINDS:
            if found < out.shape[0]:
                out[found] = -1
                out[found, :depth] = chosen[:depth]
            found += 1
            depth -= 1
            continue
        if chosen[depth] >= 0:
            _put_back(counts, kinds[chosen[depth]], MOST_CARDS)
            chosen[depth] += 1
        else:
            chosen[depth] = first[low]
            if depth > 0 and lowest[depth - 1] == low:
                chosen[depth] = chosen[depth - 1]
        while chosen[depth] < first[low + 1] and not _take(counts, kinds[chosen[depth]]):
            chosen[depth] += 1
        if chosen[depth] == first[low + 1]:
            chosen[depth] = -1
            depth -= 1
            continue
        while low < KINDS and counts[low] == 0:
            low += 1
        depth += 1
        lowest[depth] = low
        chosen[depth] = -1
    return found


def divisions(mask: int, sowee: int | None = None) -> list[Division]:
    """All divisions of some cards into combinations, each once; empty if there is none.

    Args:
        mask: up to 16 cards.
        sowee: a kind of which three cards are a combination too.

    Raises:
        ValueError: more than 16 cards.
    """
    if mask.bit_count() > MOST_PARTS:
        raise ValueError(f"{mask.bit_count()} cards: a hand has at most {MOST_PARTS}")
    cover = _cover(sowee)
    room = 64
    while True:
        out = np.empty((room, MOST_PARTS), dtype=np.int64)
        found = _divide(np.array(CARDS.counts(mask), dtype=np.int64), cover.kinds, cover.first, out)
        if found <= room:
            break
        room = found
    known = all_combinations(sowee)
    return [tuple(known[number] for number in row if number >= 0) for row in out[:found].tolist()]


@kernel
def block_is_complete(first, second, third):  # noqa: ANN201
    """Whether three rows (their bits of vectors of runs) have a vector in common."""
    for word in range(WORDS):  # noqa: SIM110 (kernels have no generators)
        if first[word] & second[word] & third[word]:
            return True
    return False


@kernel
def words_are_complete(low, high, rows):  # noqa: ANN201
    """Whether the cards of a canonical mask's two words all stand in combinations; ``rows`` from ``row_tables``."""
    low, high = tally(low), tally(high)
    if not rows.covered[row_of(low, high, ACE)]:
        return False
    for run in RUNS:
        first, second, third = row_of(low, high, run[0]), row_of(low, high, run[1]), row_of(low, high, run[2])
        last = rows.below[third] if run[2] == KING else rows.fits[third]
        if not block_is_complete(rows.fits[first], rows.fits[second], last):
            return False
    return True


@kernel
def _are_complete(words, rows, out):
    for hand in range(words.shape[0]):
        out[hand] = words_are_complete(words[hand, 0], words[hand, 1], rows)


def are_complete(words: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Whether hands are complete, many at once.

    Args:
        words: uint64, shape (hands, 2): canonical masks of any number of cards each.

    Returns:
        bool, shape (hands,).
    """
    out = np.empty(words.shape[0], dtype=np.bool_)
    _are_complete(np.ascontiguousarray(words), row_tables(), out)
    return out


def is_complete(mask: int) -> bool:
    """Whether all cards of a mask stand in combinations."""
    return bool(words_are_complete(np.uint64(mask & WORD_MASK), np.uint64(mask >> WORD), row_tables()))


@kernel
def words_with(low, high, kind):  # noqa: ANN201
    """The canonical words of a hand with one card more; it has fewer than four of the kind."""
    place = place_of(kind)
    if kind < 2 * len(RANKS):
        return low | (((low >> place) & np.uint64(15)) * np.uint64(2) + np.uint64(1)) << place, high
    return low, high | (((high >> place) & np.uint64(15)) * np.uint64(2) + np.uint64(1)) << place


@kernel
def words_without(low, high, kind):  # noqa: ANN201
    """The canonical words of a hand with one card less; it has one of the kind."""
    place = place_of(kind)
    if kind < 2 * len(RANKS):
        return low ^ (((low >> place) & np.uint64(15)) + np.uint64(1)) // np.uint64(2) << place, high
    return low, high ^ (((high >> place) & np.uint64(15)) + np.uint64(1)) // np.uint64(2) << place


@kernel
def kinds_completing(low, high, rows):  # noqa: ANN201
    """Bits for the kinds that complete a hand (two canonical words) and of which it does not hold all four."""
    counts_low, counts_high = tally(low), tally(high)
    found = 0
    for kind in range(KINDS):
        if count_in(counts_low, counts_high, kind) < COPIES:
            more_low, more_high = words_with(low, high, kind)
            if words_are_complete(more_low, more_high, rows):
                found |= 1 << kind
    return found


def completing(mask: int) -> list[int]:
    """The kinds of which one card more completes the cards of a mask; not those of which it holds all four."""
    low, high = np.uint64(mask & WORD_MASK), np.uint64(mask >> WORD)
    bits = kinds_completing(low, high, row_tables())
    return [kind for kind in range(KINDS) if bits >> kind & 1]
