"""What a search remembers of states: a table from exact keys to values, of bounded memory."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel

UNKNOWN = -1
WINDOW = 8
"""How many places in a row may hold a key; in a full table one of them is given up for a new one."""

LEAST = 1 << 12


class Memo(NamedTuple):
    """Keys and their values; a search stays exact whatever is forgotten.

    Attributes:
        keys: int64, shape (capacity + WINDOW, words).
        values: int64, shape (capacity + WINDOW,): not negative; ``UNKNOWN`` where there is no key.
        used: int64, shape (2,): how many keys there are, and the most that the capacity may become.
    """

    keys: NDArray[np.int64]
    values: NDArray[np.int64]
    used: NDArray[np.int64]


def new_memo(words: int, memory: int) -> Memo:
    """An empty table of keys of so many words, which may grow to so many bytes, those it grows from included."""
    most = LEAST
    while 3 * most * (words + 1) * 8 <= memory:
        most *= 2
    return memo_of(words, LEAST, most)


def memo_of(words: int, capacity: int, most: int) -> Memo:
    """An empty table of keys of so many words and of a capacity, a power of two, that may become the most it says."""
    rows = capacity + WINDOW
    keys = np.empty((rows, words), dtype=np.int64)
    return Memo(keys, np.full(rows, UNKNOWN, dtype=np.int64), np.array([0, most], dtype=np.int64))


def grown(memo: Memo) -> Memo:
    """A table of twice the capacity with the same content."""
    capacity = memo.keys.shape[0] - WINDOW
    larger = memo_of(memo.keys.shape[1], 2 * capacity, int(memo.used[1]))
    _copy(memo, larger)
    return larger


@kernel
def _hash(key):
    mixed = np.int64(0)
    for word in key:
        mixed = (mixed ^ word) * np.int64(-7046029254386353131)
        mixed ^= (mixed >> 32) & np.int64(0xFFFFFFFF)
    return mixed


@kernel
def _is_at(memo, place, key):
    for i in range(key.shape[0]):  # noqa: SIM110
        if memo.keys[place, i] != key[i]:
            return False
    return True


@kernel
def _look_up(memo, key):
    """The value of a key, or ``UNKNOWN``."""
    start = _hash(key) & (memo.values.shape[0] - WINDOW - 1)
    for place in range(start, start + WINDOW):
        if memo.values[place] == UNKNOWN:
            break
        if _is_at(memo, place, key):
            return memo.values[place]
    return np.int64(UNKNOWN)


@kernel
def _remember(memo, key, value):
    """Set the value of a key."""
    mixed = _hash(key)
    start = mixed & (memo.values.shape[0] - WINDOW - 1)
    chosen = start + ((mixed >> 48) & (WINDOW - 1))
    for place in range(start, start + WINDOW):
        if memo.values[place] == UNKNOWN:
            memo.used[0] += 1
            chosen = place
            break
        if _is_at(memo, place, key):
            chosen = place
            break
    memo.keys[chosen] = key
    memo.values[chosen] = value


@kernel
def _is_filling(memo):
    """Whether the table should grow, and may."""
    capacity = memo.values.shape[0] - WINDOW
    return 2 * memo.used[0] > capacity and capacity < memo.used[1]


@kernel
def _forget(memo):
    """Empty a table."""
    memo.values[:] = UNKNOWN
    memo.used[0] = 0


@kernel
def _copy(memo, larger):
    """Enter the content of a table into another."""
    for place in range(memo.values.shape[0]):
        if memo.values[place] != UNKNOWN:
            _remember(larger, memo.keys[place], memo.values[place])
