"""Counts of tiles as words, and how many families of disjoint actual groups some tiles allow.

A *word* holds for each kind a number of tiles, in a field of three bits. An *actual group* is a set of actual tiles, so
a group of kinds is one or several; a *family* is a set of actual groups that share no tile.

Families are counted by a dynamic program. One kind after another is settled: by the one or two groups of the family
that hold it, or by none. What has to be remembered of a family is how many tiles it leaves of the kinds that come
later, and of these only such as a later group can use. Next comes always the kind that the fewest groups use: then
some dozens, at worst some thousands of different words have to be remembered.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import popcount
from solver.jit import kernel
from solver.xiangshifu.tiles import TILES

KINDS = len(TILES.kinds)
FIELD = 3
LOW = np.int64(sum(1 << FIELD * kind for kind in range(KINDS)))
"""The lowest bit of every field."""
TOP = np.int64(sum(1 << FIELD * kind + FIELD - 1 for kind in range(KINDS)))
"""The highest bit of every field: counts never reach it, so it is free to show a borrow or an excess."""

LIMB = 59
"""Bits in the lower limb of a count: eight times a limb and another fit into 63 bits."""
LIMB_MASK = np.int64((1 << LIMB) - 1)
MIX = np.uint64(0x9E3779B97F4A7C15)
FEW = 64


@cache
def excess_bias(tiles: int) -> int:
    """What makes a word show in ``TOP`` which kinds it has more tiles of than a mask of tiles."""
    return sum(((1 << FIELD - 1) - 1 - count) << FIELD * kind for kind, count in enumerate(TILES.counts(tiles)))


@cache
def word(mask: int) -> int:
    """The word of a mask of tiles."""
    return sum(count << FIELD * kind for kind, count in enumerate(TILES.counts(mask)))


class _Table(NamedTuple):
    """Counts of families by the tiles they leave: a hash table that kernels take as it is.

    Attributes:
        size: int64, shape (1,): entries in use.
        slots: int32, shape (a power of two,): the entry whose word belongs there, -1 if there is none.
        words: int64, shape (entries,): the tiles left.
        counts: int64, shape (entries, triples + 1, pairs + 1, 2): how many families leave them, by their triples and
            pairs, as a lower limb of ``LIMB`` bits and a higher one: some counts exceed 64 bits.
    """

    size: NDArray[np.int64]
    slots: NDArray[np.int32]
    words: NDArray[np.int64]
    counts: NDArray[np.int64]


@kernel
def _table(entries, triples, pairs):
    return _Table(
        np.zeros(1, np.int64),
        np.full(2 * entries, -1, np.int32),
        np.empty(entries, np.int64),
        np.zeros((entries, triples + 1, pairs + 1, 2), np.int64),
    )


@kernel
def _slot(table, left):
    """The slot of a word, or the free one where it belongs."""
    mask = np.uint64(table.slots.shape[0] - 1)
    slot = ((np.uint64(left) * MIX) >> np.uint64(32)) & mask
    while table.slots[slot] >= 0 and table.words[table.slots[slot]] != left:
        slot = (slot + np.uint64(1)) & mask
    return slot


@kernel
def _with_room(table, more):
    """The table if it has room for so many more entries, else a larger one with the same."""
    size, entries = table.size[0], table.words.shape[0]
    if size + more <= entries:
        return table
    while size + more > entries:
        entries *= 2
    larger = _table(entries, table.counts.shape[1] - 1, table.counts.shape[2] - 1)
    larger.size[0] = size
    larger.words[:size] = table.words[:size]
    larger.counts[:size] = table.counts[:size]
    for entry in range(size):
        larger.slots[_slot(larger, table.words[entry])] = entry
    return larger


@kernel
def _entry(table, left):
    """The entry of a word in a table with room for another."""
    slot = _slot(table, left)
    if table.slots[slot] < 0:
        table.slots[slot] = table.size[0]
        table.words[table.size[0]] = left
        table.size[0] += 1
    return table.slots[slot]


@kernel
def _add(source, entry, ways, triple, pair, target, place):
    """Add ``ways`` times an entry's counts to those of another, for families with so many more triples and pairs."""
    counts, sums = source.counts, target.counts
    for k in range(counts.shape[1] - triple):
        for q in range(counts.shape[2] - pair):
            if counts[entry, k, q, 0] | counts[entry, k, q, 1]:
                low = sums[place, k + triple, q + pair, 0] + ways * counts[entry, k, q, 0]
                sums[place, k + triple, q + pair, 0] = low & LIMB_MASK
                sums[place, k + triple, q + pair, 1] += ways * counts[entry, k, q, 1] + (low >> LIMB)


@kernel
def _halve(table):
    counts = table.counts
    for entry in range(table.size[0]):
        for k in range(counts.shape[1]):
            for q in range(counts.shape[2]):
                counts[entry, k, q, 0] = (counts[entry, k, q, 0] + ((counts[entry, k, q, 1] & 1) << LIMB)) >> 1
                counts[entry, k, q, 1] >>= 1


@kernel
def _is_triple(group):
    # The product's highest field adds up all fields.
    return np.int64((np.uint64(group) * np.uint64(LOW)) >> np.uint64(FIELD * (KINDS - 1))) & 7 == 3


@kernel
def _take(table, groups, triples, pairs):
    """A table of the families of another, each with one more of some groups."""
    taken = _table(FEW, triples, pairs)
    for entry in range(table.size[0]):
        left = table.words[entry]
        taken = _with_room(taken, groups.shape[0])
        for group in groups:
            if ((left | TOP) - group) & TOP == TOP:
                # Of two copies that are left, one can be chosen in two ways.
                ways = np.int64(1) << np.int64(popcount((left >> 1) & group & LOW))
                triple = np.int64(_is_triple(group))
                _add(table, entry, ways, triple, 1 - triple, taken, _entry(taken, left - group))
    return taken


@kernel
def _forget(table, kept, sums):
    """Add the families of a table to those of another, remembering only the fields in ``kept``."""
    sums = _with_room(sums, table.size[0])
    for entry in range(table.size[0]):
        _add(table, entry, 1, 0, 0, sums, _entry(sums, table.words[entry] & kept))
    return sums


@kernel
def _next_kind(groups):
    """The kind that the fewest groups hold of those that any holds."""
    best, fewest = 0, groups.shape[0] + 1
    for kind in range(KINDS):
        users = 0
        for group in groups:
            users += (group >> np.int64(FIELD * kind)) & 7 != 0
        if 0 < users < fewest:
            best, fewest = kind, users
    return best


@kernel
def _move_users_last(groups, kind):
    """Reorder groups so that those that hold a kind come last; returns how many others there are."""
    others = 0
    for place in range(groups.shape[0]):
        if (groups[place] >> np.int64(FIELD * kind)) & 7 == 0:
            groups[place], groups[others] = groups[others], groups[place]
            others += 1
    return others


@kernel
def _fields(groups):
    """All fields of kinds that some group holds."""
    held = np.int64(0)
    for group in groups:
        held |= group | (group >> 1)
    held &= LOW
    return held | (held << 1) | (held << 2)


@kernel
def _count_families(left, groups, triples, pairs):
    table = _table(1, triples, pairs)
    table.counts[_entry(table, left & _fields(groups)), 0, 0, 0] = 1
    while groups.shape[0]:
        others = _move_users_last(groups, _next_kind(groups))
        once = _take(table, groups[others:], triples, pairs)
        twice = _take(once, groups[others:], triples, pairs)
        # Any two groups have been taken in both orders.
        _halve(twice)
        kept = _fields(groups[:others])
        sums = _forget(table, kept, _table(FEW, triples, pairs))
        table = _forget(twice, kept, _forget(once, kept, sums))
        groups = groups[:others]
    return table.counts[0]


def count_families(left: int, groups: Iterable[int], triples: int, pairs: int) -> list[list[int]]:
    """How many families of disjoint actual groups some tiles allow.

    Args:
        left: the word of the tiles, at most two of a kind.
        groups: words of different groups; those that the tiles do not allow count for nothing.
        triples: the most triples a family may have.
        pairs: the most pairs.

    Returns:
        For each number of triples, for each number of pairs, the families of so many; the empty one included.
    """
    words = np.fromiter(groups, dtype=np.int64)
    fitting = words[((left | TOP) - words) & TOP == TOP]
    counts = _count_families(left, fitting, triples, pairs)
    return [[int(high) << LIMB | int(low) for low, high in row] for row in counts.tolist()]
