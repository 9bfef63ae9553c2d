"""Rows: the cards of one rank by suit; which of them sets and secrets can use up, and which runs may be taken before.

The 28 kinds fall into three *blocks* that no combination crosses: the aces, the ranks of the one run (3 4 5) and those
of the other (jack, horse, king). Inside a block only runs tie the ranks together. So once it is settled how many runs
each suit has, every rank stands for itself, and of that a *row* is left: four counts, one a suit.

**Sets.** Let n be a row, N its sum, and let it be divided into m sets: x of four cards, and y(s) of three that leave
out suit s. Suit s is in all sets but those y(s), so y(s) = m - n(s); and x = m - sum of y = N - 3 m. Both are what they
are, once m is chosen, and can be had exactly if max n <= m and 3 m <= N. So a row divides into sets if and only if
3 max n <= N, in floor(N / 3) - max n + 1 ways.

**Secrets.** A suit held four times may be a secret instead, so up to 16 rows are tried in place of one.

**Runs.** For each row the vectors of runs that leave a row which sets and secrets use up are a set of 625 bits. A
block is complete exactly if the sets of its three ranks have a vector in common: an AND of some words. Kings stand
alone too, so the king's row allows every vector that has no more runs than kings.

Rows and vectors of runs are numbered alike: n(0) + 5 n(1) + 25 n(2) + 125 n(3).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.cuajo.cards import COPIES, RANKS, SUITS
from solver.cuajo.rules import LEAST_SET, SECRET
from solver.jit import kernel

BASE = COPIES + 1
ROWS = BASE ** len(SUITS)
WORDS = 10
"""Words of 64 bits that hold a bit for every vector of runs."""

BLOCK_ROWS = 3
"""Ranks of a block with a run."""

RANK_BITS = COPIES
SUIT_BITS = COPIES * len(RANKS)


class RowTables(NamedTuple):
    """What kernels know of rows.

    Attributes:
        counts: int64, shape (625, 4): the counts of each row.
        covered: bool, shape (625,): whether sets and secrets use the row up.
        fits: uint64, shape (625, 10): bit r of the words together: runs r leave such a row.
        below: uint64, shape (625, 10): bit r: the row has a card for each of runs r.
    """

    counts: NDArray[np.int64]
    covered: NDArray[np.bool_]
    fits: NDArray[np.uint64]
    below: NDArray[np.uint64]


@cache
def row_tables() -> RowTables:
    """The tables of rows; the same object at every call."""
    counts = np.stack([np.arange(ROWS) // BASE**suit % BASE for suit in range(len(SUITS))], axis=1)
    covered = _covered(counts)
    below: NDArray[np.bool_] = np.all(counts[None, :, :] <= counts[:, None, :], axis=2)
    # Where the runs fit in, numbers subtract like the counts they stand for.
    left = np.where(below, np.arange(ROWS)[:, None] - np.arange(ROWS)[None, :], 0)
    fits = np.logical_and(below, covered[left])
    return RowTables(counts, covered, _packed(fits), _packed(below))


def _covered(counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    covered = np.zeros(ROWS, dtype=np.bool_)
    for suits in range(1 << len(SUITS)):
        taken = np.array([SECRET * (suits >> suit & 1) for suit in range(len(SUITS))])
        rest = counts - taken
        covered |= (rest >= 0).all(axis=1) & (LEAST_SET * rest.max(axis=1) <= rest.sum(axis=1))
    return covered


def _packed(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    padded = np.zeros((ROWS, 64 * WORDS), dtype=np.bool_)
    padded[:, :ROWS] = bits
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


@kernel
def tally(word):  # noqa: ANN201
    """The counts of a word's kinds, each in the four bits where its copies stood."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    return (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))


@kernel
def place_of(kind):  # noqa: ANN201
    """Where the bits of a kind begin in its word."""
    suit = kind // len(RANKS)
    return np.uint64(SUIT_BITS * (suit & 1) + RANK_BITS * (kind - len(RANKS) * suit))


@kernel
def count_in(low, high, kind):  # noqa: ANN201
    """How many cards of a kind two tallied words hold."""
    word = low if kind < 2 * len(RANKS) else high
    return np.int64(word >> place_of(kind)) & 15


@kernel
def row_of(low, high, rank):  # noqa: ANN201
    """The row of a rank in two tallied words."""
    first = np.uint64(RANK_BITS * rank)
    second = np.uint64(RANK_BITS * rank + SUIT_BITS)
    return (
        (np.int64(low >> first) & 15)
        + BASE * (np.int64(low >> second) & 15)
        + BASE * BASE * (np.int64(high >> first) & 15)
        + BASE * BASE * BASE * (np.int64(high >> second) & 15)
    )
