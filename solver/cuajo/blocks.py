"""Tables of the wastes of every hand, for kernels that ask by the million.

The waste (``solver.cuajo.distances``) of a hand whose bounds are the deck's alone, apart from kings that have to stay,
adds up from its blocks. A block with a run is four *columns*, the counts of its three ranks in each suit. Suits are
alike, so its *content* is a multiset of four columns; 696,751 contents have at most sixteen cards. Columns are numbered
by their cards; then the contents that begin with the same three of their columns, in descending order, differ in the
last and are numbered one after the other. So a content's number is found by two look-ups.

**Extendable sizes.** A content is *extendable* to a size if a complete content of that many cards contains it. It is,
if it is complete and has that size, or if it is so with some card more. From the largest contents down that takes
twelve look-ups each.

**Wastes.** For a size, a content wastes nothing if it is extendable to that size; else one card, which is no king,
more than it would without that card. From the smallest contents up that takes twelve look-ups too.

The direct computation of ``solver.cuajo.distances`` knows nothing of this; tests compare the two.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.cuajo.cards import ACE, KINDS, KING, RANKS, SUITS
from solver.cuajo.distances import NONE, SIZES, add_profiles, least_together
from solver.cuajo.melds import block_is_complete, words_without
from solver.cuajo.rows import BASE, BLOCK_ROWS, RANK_BITS, SUIT_BITS, RowTables, count_in, row_of, row_tables, tally
from solver.cuajo.rules import HAND, RUNS
from solver.jit import kernel

COLUMNS = BASE**BLOCK_ROWS
COLUMN_BITS = RANK_BITS * BLOCK_ROWS
COLUMN_MASK = (1 << COLUMN_BITS) - 1
PAIRS = COLUMNS * (COLUMNS + 1) // 2
STARTS = tuple(run[0] for run in RUNS)
"""The lowest rank of each block with a run."""


class Columns(NamedTuple):
    """All columns, numbered by their cards.

    Attributes:
        counts: int64, shape (125, 3): the counts of the three ranks.
        cards: int64, shape (125,): their sum.
        numbers: uint8, shape (4096,): the number of the column whose counts are such nibbles.
        more: int64, shape (125, 3): the column with one card of a rank more; -1 if there is none.
        less: int64, shape (125, 3): the column with one less.
    """

    counts: NDArray[np.int64]
    cards: NDArray[np.int64]
    numbers: NDArray[np.uint8]
    more: NDArray[np.int64]
    less: NDArray[np.int64]


class Contents(NamedTuple):
    """All contents of a block, numbered.

    Attributes:
        columns: uint8, shape (contents, 4): the numbers of their columns, descending.
        node: int32, shape (7875,): for the highest two columns where their third begins in ``leaf``.
        leaf: int32: for the highest three columns the number of the content that has column 0 last.
    """

    columns: NDArray[np.uint8]
    node: NDArray[np.int32]
    leaf: NDArray[np.int32]


class BlockTables(NamedTuple):
    """The wastes of all contents.

    Attributes:
        numbers, node, leaf: see ``Columns`` and ``Contents``.
        aces: uint8, shape (625, 17): for each row of aces the least waste by the size wanted; 64 stands for none.
        runs: uint8, shape (2, contents, 17): the like for the contents of each block with a run.
    """

    numbers: NDArray[np.uint8]
    node: NDArray[np.int32]
    leaf: NDArray[np.int32]
    aces: NDArray[np.uint8]
    runs: NDArray[np.uint8]


@cache
def columns() -> Columns:
    """All columns; the same object at every call."""
    found = sorted(np.ndindex((BASE,) * BLOCK_ROWS), key=lambda counts: (sum(counts), counts))
    number = {counts: place for place, counts in enumerate(found)}
    numbers = np.zeros(1 << COLUMN_BITS, dtype=np.uint8)
    for counts, place in number.items():
        numbers[sum(count << RANK_BITS * rank for rank, count in enumerate(counts))] = place
    table = np.array(found, dtype=np.int64)
    steps = np.eye(BLOCK_ROWS, dtype=np.int64)
    more, less = (
        np.array([[number.get(tuple((one + sign * step).tolist()), -1) for step in steps] for one in table])
        for sign in (1, -1)
    )
    return Columns(table, table.sum(axis=1), numbers, more, less)


@kernel
def _number_contents(cards, node, leaf, found):
    """Number all contents of at most ``HAND`` cards; return how many leaves and contents that are.

    Nothing is written where an array has no room.
    """
    leaves = 0
    contents = 0
    for highest in range(cards.shape[0]):
        for second in range(highest + 1):
            if cards[highest] + cards[second] > HAND:
                continue
            node[highest * (highest + 1) // 2 + second] = leaves
            for third in range(second + 1):
                rest = HAND - cards[highest] - cards[second] - cards[third]
                if rest < 0:
                    break
                if leaves < leaf.shape[0]:
                    leaf[leaves] = contents
                leaves += 1
                for last in range(third + 1):
                    if cards[last] > rest:
                        break
                    if contents < found.shape[0]:
                        found[contents, 0], found[contents, 1] = highest, second
                        found[contents, 2], found[contents, 3] = third, last
                    contents += 1
    return leaves, contents


@cache
def contents() -> Contents:
    """All contents; the same object at every call."""
    cards = columns().cards
    node = np.zeros(PAIRS, dtype=np.int32)
    leaves, total = _number_contents(cards, node, np.empty(0, np.int32), np.empty((0, len(SUITS)), np.uint8))
    leaf, found = np.empty(leaves, dtype=np.int32), np.empty((total, len(SUITS)), dtype=np.uint8)
    _number_contents(cards, node, leaf, found)
    return Contents(found, node, leaf)


@kernel
def content_number(a, b, c, d, node, leaf):  # noqa: ANN201
    """The number of the content with these four columns, in any order; at most sixteen cards."""
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    return leaf[node[a * (a + 1) // 2 + b] + c] + d


@kernel
def _with_column(found, place, column, node, leaf):
    """The number of a content with one of its columns another."""
    a, b, c, d = np.int64(found[0]), np.int64(found[1]), np.int64(found[2]), np.int64(found[3])
    if place == 0:
        a = column
    elif place == 1:
        b = column
    elif place == 2:
        c = column
    else:
        d = column
    return content_number(a, b, c, d, node, leaf)


@kernel
def _extendable(order, cards, found, counts, more, node, leaf, fits, last, out):
    """For each content bits for the sizes it is extendable to; ``order`` has the contents by their cards."""
    rows = np.empty(BLOCK_ROWS, np.int64)
    for place in range(order.shape[0] - 1, -1, -1):
        number = order[place]
        rows[:] = 0
        for suit in range(len(SUITS) - 1, -1, -1):
            for rank in range(BLOCK_ROWS):
                rows[rank] = BASE * rows[rank] + counts[found[number, suit], rank]
        sizes = 0
        if block_is_complete(fits[rows[0]], fits[rows[1]], last[rows[2]]):
            sizes = 1 << cards[number]
        if cards[number] < HAND:
            for suit in range(len(SUITS)):
                for rank in range(BLOCK_ROWS):
                    column = more[found[number, suit], rank]
                    if column >= 0:
                        sizes |= out[_with_column(found[number], suit, column, node, leaf)]
        out[number] = sizes


@kernel
def _content_wastes(order, found, less, discardable, node, leaf, extendable, out):
    """For each content the least waste by size; cards of the first ``discardable`` ranks can be discarded."""
    for number in order:
        out[number] = NONE
        for suit in range(len(SUITS)):
            for rank in range(discardable):
                column = less[found[number, suit], rank]
                if column >= 0:
                    without = _with_column(found[number], suit, column, node, leaf)
                    for size in range(SIZES):
                        if out[without, size] < NONE:
                            out[number, size] = min(out[number, size], out[without, size] + 1)
        for size in range(SIZES):
            if extendable[number] >> size & 1:
                out[number, size] = 0


def _ace_wastes(rows: RowTables) -> NDArray[np.uint8]:
    sizes = rows.counts.sum(axis=1)
    out = np.full((len(rows.counts), SIZES), NONE, dtype=np.uint8)
    for size in range(SIZES):
        whole = rows.counts[rows.covered & (sizes == size)]
        if len(whole):
            waste = np.maximum(rows.counts[:, None, :] - whole[None, :, :], 0).sum(axis=2)
            out[:, size] = waste.min(axis=1)
    return out


@cache
def block_tables() -> BlockTables:
    """The tables, 24 MiB, made in a second; the same object at every call."""
    rows, known, found = row_tables(), columns(), contents()
    cards = known.cards[found.columns].sum(axis=1)
    order = np.argsort(cards, kind="stable")
    runs = np.empty((len(RUNS), len(cards), SIZES), dtype=np.uint8)
    extendable = np.empty(len(cards), dtype=np.int64)
    for block, run in enumerate(RUNS):
        kings = run[-1] == KING
        last = rows.below if kings else rows.fits
        _extendable(
            order, cards, found.columns, known.counts, known.more, found.node, found.leaf, rows.fits, last, extendable
        )
        discardable = BLOCK_ROWS - kings
        _content_wastes(order, found.columns, known.less, discardable, found.node, found.leaf, extendable, runs[block])
    return BlockTables(known.numbers, found.node, found.leaf, _ace_wastes(rows), runs)


@kernel
def content_of(low, high, start, tables):  # noqa: ANN201
    """The content of the block that begins with a rank, in two tallied words."""
    first = np.uint64(RANK_BITS * start)
    second = np.uint64(RANK_BITS * start + SUIT_BITS)
    return content_number(
        np.int64(tables.numbers[np.int64(low >> first) & COLUMN_MASK]),
        np.int64(tables.numbers[np.int64(low >> second) & COLUMN_MASK]),
        np.int64(tables.numbers[np.int64(high >> first) & COLUMN_MASK]),
        np.int64(tables.numbers[np.int64(high >> second) & COLUMN_MASK]),
        tables.node,
        tables.leaf,
    )


@kernel
def waste_of(low, high, size, tables):  # noqa: ANN201
    """The least waste of a hand, two canonical words of at most sixteen cards, for complete hands of a size.

    64 stands for none. Kings have to stay; nothing else is asked of what the hand becomes.
    """
    low, high = tally(low), tally(high)
    return least_together(
        tables.aces[row_of(low, high, ACE)],
        tables.runs[0, content_of(low, high, STARTS[0], tables)],
        tables.runs[1, content_of(low, high, STARTS[1], tables)],
        size,
    )


@kernel
def _least_of_two(first, second, size):
    best = NONE
    for part in range(size + 1):
        best = min(best, np.int64(first[part]) + second[size - part])
    return best


@kernel
def wastes_after(low, high, size, tables, out):  # noqa: ANN201
    """For each kind the waste of a hand without one card of it, 64 where there is none to discard; see ``waste_of``."""
    out[:] = NONE
    counts_low, counts_high = tally(low), tally(high)
    aces = tables.aces[row_of(counts_low, counts_high, ACE)]
    one = tables.runs[0, content_of(counts_low, counts_high, STARTS[0], tables)]
    two = tables.runs[1, content_of(counts_low, counts_high, STARTS[1], tables)]
    rest = np.empty((1 + len(RUNS), SIZES), np.uint8)
    add_profiles(one, two, rest[0])
    add_profiles(aces, two, rest[1])
    add_profiles(aces, one, rest[2])
    for kind in range(KINDS):
        rank = kind % len(RANKS)
        if rank == KING or count_in(counts_low, counts_high, kind) == 0:
            continue
        less_low, less_high = words_without(low, high, kind)
        less_low, less_high = tally(less_low), tally(less_high)
        if rank == ACE:
            out[kind] = _least_of_two(tables.aces[row_of(less_low, less_high, ACE)], rest[0], size)
        elif rank < STARTS[1]:
            number = content_of(less_low, less_high, STARTS[0], tables)
            out[kind] = _least_of_two(tables.runs[0, number], rest[1], size)
        else:
            number = content_of(less_low, less_high, STARTS[1], tables)
            out[kind] = _least_of_two(tables.runs[1, number], rest[2], size)


@kernel
def _wastes(words, size, tables, out):
    for hand in range(words.shape[0]):
        out[hand] = waste_of(words[hand, 0], words[hand, 1], size, tables)


@kernel
def _discard_wastes(words, size, tables, out):
    for hand in range(words.shape[0]):
        wastes_after(words[hand, 0], words[hand, 1], size, tables, out[hand])


def wastes(words: NDArray[np.uint64], size: int = HAND) -> NDArray[np.int64]:
    """The least wastes of many hands.

    Args:
        words: uint64, shape (hands, 2): canonical masks of at most sixteen cards each.
        size: cards of the complete hands they are to become; four less for each secret that lies.

    Returns:
        int64, shape (hands,): 64 for a hand that can't become complete. A hand of fifteen cards is so many exchanges
        from purro, one of sixteen so many from complete.

    Raises:
        ValueError: a hand has more cards, or there is no such size.
    """
    _check(words, size)
    out = np.empty(words.shape[0], dtype=np.int64)
    _wastes(words, size, block_tables(), out)
    return out


def discard_wastes(words: NDArray[np.uint64], size: int = HAND) -> NDArray[np.int64]:
    """For many hands, and each kind, the waste once a card of it is discarded.

    Args:
        words: uint64, shape (hands, 2): canonical masks of at most sixteen cards each.
        size: as in ``wastes``.

    Returns:
        int64, shape (hands, 28): 64 where nothing of the kind can be discarded, or the rest can't become complete.

    Raises:
        ValueError: as ``wastes``.
    """
    _check(words, size)
    out = np.empty((words.shape[0], KINDS), dtype=np.int64)
    _discard_wastes(words, size, block_tables(), out)
    return out


def _check(words: NDArray[np.uint64], size: int) -> None:
    if words.size and np.bitwise_count(words).sum(axis=1).max() > HAND:
        raise ValueError(f"a hand has at most {HAND} cards")
    if not 0 <= size <= HAND:
        raise ValueError(f"a complete hand has 0 to {HAND} cards, not {size}")
