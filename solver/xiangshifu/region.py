"""The region of valid positions of a layout: counted, numbered from 0, enumerated.

Its positions are the multisets of valid groups that share out the layout's tiles. To list each once, always cover the
highest tile that is left: what remains is again a set of tiles, a *node*, and few nodes ever occur (under classic
rules 760,000, for 39,427,952 positions). Counting the ways to complete every node numbers the positions, as
combinations are numbered by the combinatorial number system (Knuth, *The Art of Computer Programming* 4A, 7.2.1.3): a
position's number is the sum, over its groups in order, of the completions that begin with an earlier choice.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import canonical_word, highest_bit, popcount
from solver.errors import InputError
from solver.jit import kernel
from solver.xiangshifu.groups import GROUPS, KINDS, TRIPLES, group_table
from solver.xiangshifu.moves import move_table
from solver.xiangshifu.position import Layout, Position
from solver.xiangshifu.repairs import TILE_ARRAYS
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.tiles import KIND_OF_BIT

NUMBERING = 1
"""To be raised with every change of the numbers that positions have, or of the rows: tables in files follow them."""

MOST_NODES = 1 << 24
MOST_POSITIONS = 1 << 62
"""More can't be numbered with 64 bits, intermediate sums included."""

TURN_OF_BIT = np.array([KINDS - 1 - kind for kind in KIND_OF_BIT], dtype=np.int64)
"""Kinds take turns in being covered, the last one first."""

DEAD = -1

EDGE = np.dtype(
    [("before", np.int64), ("after", np.int32), ("first", np.int16), ("count", np.int16)],
    align=True,
)
"""One choice of a group at a node. The choices of a node stand in a row, one for every group whose highest tile is of
the kind that is to be covered, and an end.

``before``: completions of the node by earlier choices; ``after``: where the row of the next node begins, or ``DEAD`` if
the choice can't be completed; ``first`` and ``count``: the groups to choose from there, by region numbers.
"""


class RegionArrays(NamedTuple):
    """The region as kernels see it. Groups have *region numbers*, in the order in which they cover tiles.

    Attributes:
        groups: int16, shape (groups,): a group's number in the table of all groups.
        numbers: int16, shape (1771,): a group's region number, -1 for those not in the region.
        firsts: int16, shape (groups,): the first group that covers the same kind.
        edges: ``EDGE``, shape (edges,): the rows of all nodes.
        root: int64, shape (3,): where the first row begins, its first group and their number.
        codes: int32, shape (groups, groups): plain moves of two groups, 16 * start + count of their results.
        results: int16, shape (results, 2): region numbers of the two groups after a move.
    """

    groups: NDArray[np.int16]
    numbers: NDArray[np.int16]
    firsts: NDArray[np.int16]
    edges: NDArray[np.void]
    root: NDArray[np.int64]
    codes: NDArray[np.int32]
    results: NDArray[np.int16]


class Rows(NamedTuple):
    """What takes long to count of a region; the rest follows from the rules at once.

    Attributes:
        edges: ``EDGE``, shape (edges,): as in ``RegionArrays``.
        root: int64, shape (3,): as in ``RegionArrays``.
        size: how many positions there are.
    """

    edges: NDArray[np.void]
    root: NDArray[np.int64]
    size: int


def no_region() -> RegionArrays:
    """Arrays of a region without positions, for kernels that need none."""
    shorts = np.empty(0, dtype=np.int16)
    return RegionArrays(
        shorts,
        shorts,
        shorts,
        np.empty(0, dtype=EDGE),
        np.empty(3, dtype=np.int64),
        np.empty((0, 0), dtype=np.int32),
        np.empty((0, 2), dtype=np.int16),
    )


@kernel
def _node_slot(key, keys, slots):
    last = np.uint64(slots.shape[0] - 1)
    mixed = key * np.uint64(0x9E3779B97F4A7C15)
    slot = (mixed ^ (mixed >> np.uint64(32))) & last
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + np.uint64(1)) & last
    return slot


@kernel
def _next_node(key, group, masks, network):
    """The node after a group is taken away, as its tiles and (from bit 32 on) the pairs still due; 0 if it can't be."""
    mask = np.uint64(masks[group])
    pairs = key >> np.uint64(32)
    tiles = key & np.uint64(0xFFFFFFFF)
    is_pair = np.uint64(popcount(mask) == 2)
    if mask & ~tiles or is_pair > pairs:
        return np.uint64(0), False
    return canonical_word(tiles & ~mask, network) | ((pairs - is_pair) << np.uint64(32)), True


@kernel
def _discover(root, masks, starts, turn_of_bit, network, keys, slots):
    """Write all nodes that can be met to ``keys``; return how many, or -1 if there is no room."""
    keys[0] = root
    slots[_node_slot(root, keys, slots)] = 0
    used, place = 1, 0
    while place < used:
        key = keys[place]
        place += 1
        tiles = key & np.uint64(0xFFFFFFFF)
        if tiles == 0:
            continue
        turn = turn_of_bit[highest_bit(tiles)]
        for group in range(starts[turn], starts[turn + 1]):
            after, fits = _next_node(key, group, masks, network)
            if not fits:
                continue
            slot = _node_slot(after, keys, slots)
            if slots[slot] < 0:
                if used == keys.shape[0]:
                    return -1
                keys[used] = after
                slots[slot] = used
                used += 1
    return used


@kernel
def _most_edges(keys, starts, turn_of_bit):
    """How many edges the rows of all nodes have, their ends included."""
    total = np.int64(0)
    for node in range(keys.shape[0]):
        tiles = keys[node] & np.uint64(0xFFFFFFFF)
        if tiles:
            turn = turn_of_bit[highest_bit(tiles)]
            total += starts[turn + 1] - starts[turn] + 1
    return total


@kernel
def _fill_rows(order, masks, starts, turn_of_bit, network, keys, slots, rows, totals, edges):
    """Count all nodes in ``order`` (few tiles first) and write the rows of those that can be completed.

    Returns the number of edges written, or -1 if the counts pass ``MOST_POSITIONS``.
    """
    used = 0
    for place in range(order.shape[0]):
        node = order[place]
        key = keys[node]
        tiles = key & np.uint64(0xFFFFFFFF)
        if tiles == 0:
            totals[node] = 1 if key == 0 else 0
            rows[node] = 0 if key == 0 else DEAD
            continue
        turn = turn_of_bit[highest_bit(tiles)]
        total = np.int64(0)
        for group in range(starts[turn], starts[turn + 1]):
            edge = used + group - starts[turn]
            edges[edge].before = total
            edges[edge].after = DEAD
            after, fits = _next_node(key, group, masks, network)
            if not fits:
                continue
            following = slots[_node_slot(after, keys, slots)]
            ways = totals[following]
            if ways == 0:
                continue
            left = after & np.uint64(0xFFFFFFFF)
            next_turn = turn_of_bit[highest_bit(left)] if left else 0
            if left and next_turn == turn:
                # The second copy is covered by this group or a later one, so that each pair of groups counts once.
                ways -= edges[rows[following] + group - starts[turn]].before
            if ways == 0:
                continue
            edges[edge].after = rows[following]
            edges[edge].first = starts[next_turn]
            edges[edge].count = starts[next_turn + 1] - starts[next_turn]
            total += ways
            if total > MOST_POSITIONS:
                return -1
        totals[node] = total
        rows[node] = DEAD
        if total:
            rows[node] = used
            used += starts[turn + 1] - starts[turn]
            edges[used].before = total
            edges[used].after = DEAD
            used += 1
    return used


@kernel
def _rank_from(place, row, number, position, firsts, edges):
    """The number of a position (sorted region numbers) of which the groups before ``place`` are accounted for."""
    for at in range(place, position.shape[0]):
        group = np.int64(position[at])
        first = np.int64(firsts[group])
        edge = row + group - first
        number += edges[edge].before
        if at and position[at - 1] >= first:
            number -= edges[row + position[at - 1] - first].before
        row = np.int64(edges[edge].after)
    return number


@kernel
def _rank(position, firsts, edges, root):
    """The number of a position, or -1 if it is none of the region."""
    row, number = root[0], np.int64(0)
    first, count = root[1], root[2]
    for at in range(position.shape[0]):
        group = np.int64(position[at])
        if row < 0 or group < first or group >= first + count:
            return np.int64(-1)
        edge = row + group - first
        number += edges[edge].before
        if at and position[at - 1] >= first:
            number -= edges[row + position[at - 1] - first].before
        row, first, count = np.int64(edges[edge].after), np.int64(edges[edge].first), np.int64(edges[edge].count)
    return number if row >= 0 else np.int64(-1)


@kernel
def _sort(values):
    for place in range(1, values.shape[0]):
        value = values[place]
        at = place
        while at and values[at - 1] > value:
            values[at] = values[at - 1]
            at -= 1
        values[at] = value


WALK = np.dtype([("row", np.int64), ("first", np.int64), ("count", np.int64), ("start", np.int64), ("end", np.int64)])
"""One step on the way to a position: the node's row and the groups to choose from there, and the numbers of the first
position that shares the steps up to this choice, and of the first one after those."""


@kernel
def _begin_walk(root, walk):
    """Make a walk ready; position numbers may then be asked for in any order, ascending ones being cheapest."""
    walk[0].row, walk[0].first, walk[0].count = root[0], root[1], root[2]
    for at in range(walk.shape[0]):
        walk[at].start, walk[at].end = 0, -1


@kernel
def _walk_to(number, walk, position, edges):
    """Write the position with this number; what the walk shares with the last one is kept."""
    at = position.shape[0] - 1
    while at >= 0 and not walk[at].start <= number < walk[at].end:
        at -= 1
    at += 1
    while at < position.shape[0]:
        row, first = walk[at].row, walk[at].first
        earlier = walk[at - 1].start if at else np.int64(0)
        low = np.int64(0)
        if at and position[at - 1] >= first:
            low = position[at - 1] - first
        shift = earlier - edges[row + low].before
        high = walk[at].count
        while high - low > 1:
            middle = (low + high) >> 1
            if edges[row + middle].before + shift <= number:
                low = middle
            else:
                high = middle
        edge = row + low
        position[at] = first + low
        walk[at].start = edges[edge].before + shift
        walk[at].end = edges[edge + 1].before + shift
        at += 1
        if at < position.shape[0]:
            walk[at].row = edges[edge].after
            walk[at].first = edges[edge].first
            walk[at].count = edges[edge].count


@kernel
def _rank_all(positions, numbers, firsts, edges, root, scratch, out):
    for place in range(positions.shape[0]):
        known = True
        for at in range(positions.shape[1]):
            scratch[at] = numbers[positions[place, at]]
            known = known and scratch[at] >= 0
        _sort(scratch)
        out[place] = _rank(scratch, firsts, edges, root) if known else -1


@kernel
def _unrank_all(wanted, groups, edges, root, walk, scratch, out):
    _begin_walk(root, walk)
    for place in range(wanted.shape[0]):
        _walk_to(wanted[place], walk, scratch, edges)
        for at in range(scratch.shape[0]):
            out[place, at] = groups[scratch[at]]


class Region:
    """The region of valid positions of one layout and rule set; ``region`` makes it.

    Args:
        layout: the layout.
        rules: the rule set.
        rows: its rows, if they are known; else they are counted.

    Attributes:
        layout: the layout.
        rules: the rule set.
        size: how many positions there are.
        arrays: what kernels take.

    Raises:
        InputError: it has more than 2**62 positions, or there are too many nodes to count them.
    """

    def __init__(self, layout: Layout, rules: RuleSet, rows: Rows | None = None) -> None:
        self.layout = layout
        self.rules = rules
        rows = rows or _count(layout, rules)
        self.arrays = _arrays(layout, rules, rows)
        self.size = rows.size

    @property
    def rows(self) -> Rows:
        """What took long to count."""
        return Rows(self.arrays.edges, self.arrays.root, self.size)

    def rank(self, positions: NDArray[np.int16]) -> NDArray[np.int64]:
        """The numbers of positions; -1 for those that are none of the region.

        Args:
            positions: int16, shape (positions, groups): numbers of groups in the table of all groups, in any order.
        """
        arrays = self.arrays
        positions = np.ascontiguousarray(positions, dtype=np.int16)
        if positions.ndim != 2 or positions.shape[1] != self.layout.groups:
            raise ValueError(f"positions of this layout have {self.layout.groups} groups")
        if positions.size and not (positions.min() >= 0 and positions.max() < GROUPS):
            raise ValueError("no such group")
        out = np.empty(len(positions), dtype=np.int64)
        scratch = np.empty(self.layout.groups, dtype=np.int16)
        _rank_all(positions, arrays.numbers, arrays.firsts, arrays.edges, arrays.root, scratch, out)
        return out

    def unrank(self, numbers: NDArray[np.int64]) -> NDArray[np.int16]:
        """The positions with these numbers: int16, shape (positions, groups), numbers in the table of all groups.

        Raises:
            ValueError: a number is not below ``size``.
        """
        arrays = self.arrays
        numbers = np.ascontiguousarray(numbers, dtype=np.int64)
        if numbers.size and not (numbers.min() >= 0 and numbers.max() < self.size):
            raise ValueError(f"positions are numbered from 0 to {self.size - 1}")
        out = np.empty((len(numbers), self.layout.groups), dtype=np.int16)
        scratch = np.empty(self.layout.groups, dtype=np.int16)
        _unrank_all(numbers, arrays.groups, arrays.edges, arrays.root, new_walk(self.layout), scratch, out)
        return out

    def number(self, position: Position) -> int | None:
        """The number of one position, or None if it is none of the region."""
        if position.layout != self.layout:
            return None
        table = group_table()
        found = int(self.rank(np.array([[table.number(group) for group in position.groups]], dtype=np.int16))[0])
        return None if found < 0 else found

    def position(self, number: int) -> Position:
        """The position with one number, triples before pairs; raises ValueError if there is none."""
        return position_of(self.unrank(np.array([number]))[0], self.layout)


def position_of(groups: Iterable[int], layout: Layout) -> Position:
    """The position of some group numbers, triples before pairs."""
    masks = group_table().masks
    return Position(tuple(int(masks[group]) for group in sorted(int(group) for group in groups)), layout)


def new_walk(layout: Layout) -> NDArray[np.void]:
    """Room for a walk through a region: ``WALK``, shape (groups,)."""
    return np.zeros(layout.groups, dtype=WALK)


@lru_cache(maxsize=4)
def region(layout: Layout, rules: RuleSet) -> Region:
    """The region of a layout and rule set; the same object at every call while it is among the latest four.

    Raises:
        InputError: it has more than 2**62 positions, or there are too many nodes to count them.
    """
    return Region(layout, rules)


def _ordered_groups(layout: Layout, rules: RuleSet) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """The region's groups in the order in which they cover tiles, and where those of each turn begin."""
    table, moves = group_table(), move_table(rules)
    turns = {
        int(group): KINDS - 1 - int(table.kinds[group].max())
        for group in moves.valid_groups
        if int(table.masks[group]) & ~layout.tiles == 0 and (layout.pairs or group < TRIPLES)
    }
    groups = sorted(turns, key=lambda group: (turns[group], group))
    starts = np.searchsorted([turns[group] for group in groups], np.arange(KINDS + 1))
    return np.array(groups, dtype=np.int16), starts.astype(np.int64)


def _nodes(root: int, masks: NDArray[np.uint32], starts: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[Any]]:
    """All nodes, and the hash table that finds them."""
    capacity = 1 << 18
    while True:
        keys = np.empty(capacity, dtype=np.uint64)
        slots = np.full(4 * capacity, -1, dtype=np.int32)
        used = _discover(np.uint64(root), masks, starts, TURN_OF_BIT, TILE_ARRAYS.network, keys, slots)
        if used >= 0:
            return keys[:used].copy(), slots
        capacity *= 2
        if capacity > MOST_NODES:
            raise InputError(f"more than {MOST_NODES:,} sets of tiles occur; these rules allow too many groups")


def _count(layout: Layout, rules: RuleSet) -> Rows:
    """Count the region; raises InputError if that can't be done."""
    groups, starts = _ordered_groups(layout, rules)
    masks = group_table().masks[groups]
    keys, slots = _nodes(layout.tiles | layout.pairs << 32, masks, starts)
    order = np.argsort(np.bitwise_count(keys & np.uint64(0xFFFFFFFF)), kind="stable")
    rows = np.empty(len(keys), dtype=np.int32)
    totals = np.empty(len(keys), dtype=np.int64)
    room = _most_edges(keys, starts, TURN_OF_BIT)
    edges = np.zeros(room, dtype=EDGE)
    used = _fill_rows(order, masks, starts, TURN_OF_BIT, TILE_ARRAYS.network, keys, slots, rows, totals, edges)
    if used < 0:
        raise InputError("more than 2^62 valid positions can't be numbered; these rules allow too many groups")
    turn = int(TURN_OF_BIT[layout.tiles.bit_length() - 1])
    root = np.array([rows[0], starts[turn], starts[turn + 1] - starts[turn]], dtype=np.int64)
    return Rows(edges[:used].copy(), root, int(totals[0]))


def _arrays(layout: Layout, rules: RuleSet, rows: Rows) -> RegionArrays:
    """The rows with all that follows from the rules."""
    moves = move_table(rules)
    groups, starts = _ordered_groups(layout, rules)
    numbers = np.full(GROUPS, -1, dtype=np.int16)
    numbers[groups] = np.arange(len(groups))
    return RegionArrays(
        groups,
        numbers,
        starts[np.searchsorted(starts, np.arange(len(groups)), side="right") - 1].astype(np.int16),
        rows.edges,
        rows.root,
        np.ascontiguousarray(moves.codes[groups][:, moves.valid_numbers[groups]]),
        numbers[moves.results],
    )
