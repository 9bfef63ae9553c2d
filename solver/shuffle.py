"""Shuffles that any worker can repeat: a counter-based generator and a fixed shuffle.

Frozen by tests: the same numbers must come out for ever, on every machine and with every version of NumPy
(NumPy guarantees the streams of its bit generators, not the methods of its ``Generator``).
"""

from __future__ import annotations

import numpy as np
from numpy.random import Philox

from solver.errors import Fault, InputError

SEED_LIMIT = 1 << 128
INDEX_LIMIT = 1 << 64


def check_shuffle(seed: int, index: int) -> None:
    """Raise InputError if the seed is not in 0..2**128-1, or the index not in 0..2**64-1."""
    if not 0 <= seed < SEED_LIMIT:
        raise InputError(f"seed {seed} is not in 0..2^128-1", Fault("seed"))
    if not 0 <= index < INDEX_LIMIT:
        raise InputError(f"index {index} is not in 0..2^64-1", Fault("index"))


def shuffle(size: int, seed: int, index: int, stream: int = 0) -> list[int]:
    """The numbers 0..size-1 in the random order number ``index`` of a seed.

    Words of 64 bits come from Philox4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
    2011) with key ``seed`` and counter ``index * 2**64 + stream * 2**192``, whose lowest word counts blocks.
    Fisher-Yates from the last place down to place 1 exchanges with place ``word % (place + 1)``; a word at or above
    the largest multiple of ``place + 1`` that is at most ``2**64`` is skipped, so every order is equally likely.

    Raises:
        InputError: the seed is not in 0..2**128-1, or the index not in 0..2**64-1.
    """
    check_shuffle(seed, index)
    generator = Philox(key=seed, counter=(index << 64) | (stream << 192))
    order = list(range(size))
    words: list[int] = []
    for place in range(size - 1, 0, -1):
        while True:
            if not words:
                words = generator.random_raw(size).tolist()[::-1]
            word = words.pop()
            if word < (1 << 64) // (place + 1) * (place + 1):
                break
        other = word % (place + 1)
        order[place], order[other] = order[other], order[place]
    return order


def fresh_seed() -> int:
    """A seed of 32 bits from the machine's entropy: short enough to be written down."""
    return int(np.random.SeedSequence().generate_state(1)[0])
