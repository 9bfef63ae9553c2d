"""The shuffles of ``solver.shuffle`` inside kernels, for millions of deals: the same orders, bit for bit.

For choices that are many and small there is a lighter generator, SplitMix64, that Philox starts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import high_product
from solver.deck import WORD, WORD_MASK
from solver.jit import kernel
from solver.shuffle import check_shuffle


@kernel
def _philox(counter, key, block):
    """One block of Philox4x64-10: four words from a counter of four words and a key of two."""
    block[:] = counter
    low, high = key[0], key[1]
    for _ in range(10):
        a = block[0] * np.uint64(0xD2E7470EE14C6C93)
        b = block[2] * np.uint64(0xCA5A826395121157)
        block[0], block[2] = (
            high_product(block[2], np.uint64(0xCA5A826395121157)) ^ block[1] ^ low,
            high_product(block[0], np.uint64(0xD2E7470EE14C6C93)) ^ block[3] ^ high,
        )
        block[1], block[3] = b, a
        low += np.uint64(0x9E3779B97F4A7C15)
        high += np.uint64(0xBB67AE8584CAA73B)


@kernel
def _shuffle(key, index, stream, limits, counter, block, order):
    """``shuffle`` into ``order``; ``limits[n]``: the largest multiple of n below 2**64, or 0 if it is 2**64 itself."""
    counter[0], counter[1], counter[2], counter[3] = 0, index, 0, stream
    for place in range(order.shape[0]):
        order[place] = place
    used = 4
    for place in range(order.shape[0] - 1, 0, -1):
        word = np.uint64(0)
        while True:
            if used == 4:
                counter[0] += np.uint64(1)
                _philox(counter, key, block)
                used = 0
            word = block[used]
            used += 1
            if word < limits[place + 1] or limits[place + 1] == 0:
                break
        other = np.int64(word % np.uint64(place + 1))
        order[place], order[other] = order[other], order[place]


@kernel
def _start(key, index, stream, counter, block, words):
    """Start the generator ``words``, uint64, shape (1,), at what Philox says of an index and a stream."""
    counter[0], counter[1], counter[2], counter[3] = 1, index, 0, stream
    _philox(counter, key, block)
    words[0] = block[0]


@kernel
def _word(words):
    """The next 64 random bits (SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom generators", 2014)."""
    words[0] += np.uint64(0x9E3779B97F4A7C15)
    word = words[0]
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def _below(words, limit):
    """A random number from 0 to ``limit - 1``; the bias, under ``limit / 2**64``, is none to speak of."""
    return np.int64(high_product(_word(words), np.uint64(limit)))


class ShuffleArrays(NamedTuple):
    """What the kernel ``_shuffle`` needs for one seed and size.

    Attributes:
        key: uint64, shape (2,): the seed.
        limits: uint64, shape (size + 1,): see ``_shuffle``.
        counter, block: uint64, shape (4,): room to work in.
        order: int64, shape (size,): the shuffle made last.
    """

    key: NDArray[np.uint64]
    limits: NDArray[np.uint64]
    counter: NDArray[np.uint64]
    block: NDArray[np.uint64]
    order: NDArray[np.int64]


def shuffle_arrays(size: int, seed: int) -> ShuffleArrays:
    """The arrays for shuffles of so many numbers; raises InputError if the seed is not in 0..2**128-1."""
    check_shuffle(seed, 0)
    key = np.array([seed & WORD_MASK, seed >> WORD], dtype=np.uint64)
    limits = [0] + [((1 << 64) // n * n) & WORD_MASK for n in range(1, size + 1)]
    counter, block = np.zeros((2, 4), dtype=np.uint64)
    return ShuffleArrays(key, np.array(limits, dtype=np.uint64), counter, block, np.empty(size, dtype=np.int64))
