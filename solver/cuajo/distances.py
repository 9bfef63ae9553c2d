"""How far a hand is from a complete one: the waste, exactly, under bounds on every kind.

A hand becomes complete by exchanges: a card is drawn, another discarded. Let T be a complete hand of the wanted size.
The hand's **waste** for T is the number of its cards that T has no use for, and its waste as such the least over all T
that it may become. A hand of fifteen cards with waste w needs w exchanges to be purro: w cards have to go, each
in exchange for one of T's, and then exactly one is missing. A hand of sixteen needs w exchanges to be complete.

Bounds: kings, and a closed card, can't be discarded, so T holds at least as many of a kind as have to stay; and
T holds no more of a kind than are held or can still come.

Blocks (``solver.cuajo.rows``) share nothing but the size of the hand. So for each block the least waste is found for
every number of cards that T may have there (its *profile*), and the best split of the size over the blocks
adds them up. Inside a block, the rows are independent once the runs of T are fixed; there are 122 vectors of at
most five runs.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.cuajo.cards import ACE, KING, RANKS, SUITS
from solver.cuajo.rows import row_tables
from solver.cuajo.rules import HAND, RUNS
from solver.jit import kernel

SIZES = HAND + 1
NONE = 64
"""Stands for no waste at all being enough; the sum of three still fits into a byte."""

RUN_CARDS = len(RUNS[0])
BLOCKS = ((ACE,), *RUNS)
"""The ranks of each block."""

SUIT = len(RANKS)
"""From a kind to the one of the same rank in the next suit."""

Counts = tuple[int, ...]


class Aim(NamedTuple):
    """What a hand may become.

    Attributes:
        held: for each kind how many cards are held, without those that lie as a combination already.
        least: how many of them have to stay.
        most: how many a complete hand may hold.
        size: cards of the complete hand, without those that lie.
    """

    held: Counts
    least: Counts
    most: Counts
    size: int


class _Parts(NamedTuple):
    """What a block of a complete hand is made of.

    Attributes:
        rows: int64, shape (143, 4): rows that sets and secrets use up.
        any_row: int64, shape (625, 4): all rows; kings stand alone.
        runs: int64, shape (122, 4): vectors of runs.
    """

    rows: NDArray[np.int64]
    any_row: NDArray[np.int64]
    runs: NDArray[np.int64]


@cache
def _parts() -> _Parts:
    tables = row_tables()
    sizes = tables.counts.sum(axis=1)
    return _Parts(
        tables.counts[tables.covered & (sizes <= HAND)],
        tables.counts[sizes <= HAND],
        tables.counts[sizes <= HAND // RUN_CARDS],
    )


@kernel
def _row_profiles(held, least, most, runs, rows, out):
    """For each vector of runs, and each number of cards beside them, the least waste of a row."""
    out[:] = NONE
    for vector in range(runs.shape[0]):
        for number in range(rows.shape[0]):
            size = 0
            waste = 0
            for suit in range(len(SUITS)):
                count = runs[vector, suit] + rows[number, suit]
                if count < least[suit] or count > most[suit]:
                    waste = NONE
                    break
                size += rows[number, suit]
                waste += max(0, held[suit] - count)
            if waste < out[vector, size]:
                out[vector, size] = waste


@kernel
def add_profiles(first, second, out):  # noqa: ANN201
    """The profile of two parts together: for each size the best split."""
    out[:] = NONE
    for size in range(SIZES):
        if first[size] < NONE:
            for other in range(SIZES - size):
                if second[other] < NONE:
                    waste = first[size] + second[other]
                    if waste < out[size + other]:
                        out[size + other] = waste


@kernel
def _block_profile(first, second, third, runs, out):
    """The profile of a block from those of its three rows."""
    two, three = np.empty(SIZES, np.uint8), np.empty(SIZES, np.uint8)
    out[:] = NONE
    for vector in range(runs.shape[0]):
        in_runs = RUN_CARDS * runs[vector].sum()
        add_profiles(first[vector], second[vector], two)
        add_profiles(two, third[vector], three)
        for size in range(in_runs, SIZES):
            out[size] = min(out[size], three[size - in_runs])


@kernel
def least_together(first, second, third, size):  # noqa: ANN201
    """The least waste of three blocks whose complete parts have so many cards together."""
    best = NONE
    for of_first in range(size + 1):
        if first[of_first] < best:
            for of_second in range(size + 1 - of_first):
                waste = np.int64(first[of_first]) + second[of_second] + third[size - of_first - of_second]
                best = min(best, waste)
    return best


@lru_cache(maxsize=1 << 12)
def _rank_profiles(rank: int, held: Counts, least: Counts, most: Counts) -> NDArray[np.uint8]:
    parts = _parts()
    out = np.empty((len(parts.runs), SIZES), dtype=np.uint8)
    bounds = np.array([held, least, most], dtype=np.int64)
    rows = parts.any_row if rank == KING else parts.rows
    _row_profiles(bounds[0], bounds[1], bounds[2], parts.runs, rows, out)
    return out


@lru_cache(maxsize=1 << 14)
def _profile(ranks: tuple[int, ...], rows: tuple[tuple[Counts, Counts, Counts], ...]) -> NDArray[np.uint8]:
    """The profile of a block, of whose rows the counts tell."""
    profiles = [_rank_profiles(rank, *row) for rank, row in zip(ranks, rows, strict=True)]
    if len(ranks) == 1:
        # No runs: the vector without any comes first.
        alone: NDArray[np.uint8] = profiles[0][0]
        return alone
    out = np.empty(SIZES, dtype=np.uint8)
    first, second, third = profiles
    _block_profile(first, second, third, _parts().runs, out)
    return out


def least_waste(aim: Aim) -> int | None:
    """The least waste of a hand for all that it may become, or None if it can't become complete at all."""
    aces, one, other = (
        _profile(ranks, tuple((aim.held[rank::SUIT], aim.least[rank::SUIT], aim.most[rank::SUIT]) for rank in ranks))
        for ranks in BLOCKS
    )
    waste = int(least_together(aces, one, other, aim.size))
    return waste if waste < NONE else None
