"""Levels: how many moves at least only prepare others.

A *plain* move exchanges between two valid groups. How many of them does a position need at least? Pretend that a
group once there stays there. Level 0 is every group that repairs alone can make; level n + 1 adds what one plain
move between groups of level n, and repairs after it, can make. Each invalid group must find a partner (or have an
edge), so the first level at which all do is a lower bound on the plain moves, to be added to the bound of the repair
model. If the levels stop growing before that, the position is *hopeless*: nothing wins it.

This is the idea of the planning heuristic h-max (Bonet and Geffner, "Planning as heuristic search", 2001), counting
only plain moves. The bound is consistent: a plain move lowers it by one at most, a repair not at all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import lowest_bit
from solver.jit import kernel
from solver.xiangshifu.moves import MoveTable, move_table
from solver.xiangshifu.position import Position
from solver.xiangshifu.repairs import repair_model
from solver.xiangshifu.rules import RuleSet

HOPELESS = 255
"""The level of a position that nothing wins."""


class FoundSets(NamedTuple):
    """Sets of valid groups as bits, uint64, shape (words of ``MoveTable.valid_rows``,).

    Attributes:
        made: made, but not yet taken up.
        all: found so far.
        fresh: found, but not yet exchanged with the others.
        partners: what a fresh group has not met yet.
    """

    made: NDArray[np.uint64]
    all: NDArray[np.uint64]
    fresh: NDArray[np.uint64]
    partners: NDArray[np.uint64]


def found_sets(moves: MoveTable) -> FoundSets:
    """Empty sets for the valid groups of a table."""
    return FoundSets(*np.zeros((4, moves.valid_rows.shape[1]), dtype=np.uint64))


@kernel
def _set_results(code, numbers, made):
    """Set the bits of the groups that the exchanges of one pair make."""
    start = code >> 4
    for result in range(start, start + (code & 15)):
        x, y = numbers[result, 0], numbers[result, 1]
        made[x >> 6] |= np.uint64(1) << np.uint64(x & 63)
        made[y >> 6] |= np.uint64(1) << np.uint64(y & 63)


@kernel
def _set_edge_results(linked, edges, edge_codes, numbers, made):
    while linked:
        k = np.int64(lowest_bit(linked))
        linked &= linked - 1
        others = np.int64(edges[k]) & linked
        while others:
            j = np.int64(lowest_bit(others))
            others &= others - 1
            _set_results(edge_codes[k, j], numbers, made)


@kernel
def _close_repairs(reached, remaining, invalid, helps, codes, numbers, made, found, fresh):
    """Find the groups of ``made``, and what repairs with them make; return who has a partner then."""
    again = True
    while again:
        again = False
        for word in range(made.shape[0]):
            bits = made[word] & ~found[word]
            found[word] |= bits
            fresh[word] |= bits
            while bits:
                number = (word << 6) + np.int64(lowest_bit(bits))
                bits &= bits - np.uint64(1)
                able = np.int64(helps[number]) & remaining
                reached |= able
                while able:
                    k = np.int64(lowest_bit(able))
                    able &= able - 1
                    _set_results(codes[invalid[k], number], numbers, made)
                    again = True
        if reached & remaining == remaining:
            break
    return reached


@kernel
def _close_plain(valid_groups, valid_rows, codes, numbers, made, found, fresh, partners):
    """Make what plain moves between found groups make, one of the two fresh; return whether any group is new."""
    words = made.shape[0]
    partners[:] = found
    for word in range(words):
        bits = fresh[word]
        fresh[word] = np.uint64(0)
        while bits:
            number = (word << 6) + np.int64(lowest_bit(bits))
            bits &= bits - np.uint64(1)
            group = valid_groups[number]
            for column in range(words):
                others = valid_rows[group, column] & partners[column]
                while others:
                    other = (column << 6) + np.int64(lowest_bit(others))
                    others &= others - np.uint64(1)
                    _set_results(codes[group, other], numbers, made)
            # It has met all the others, itself included.
            partners[word] &= ~(np.uint64(1) << np.uint64(number & 63))
    new = False
    for word in range(words):
        new |= made[word] & ~found[word] != 0
    return new


@kernel
def _levels(groups, remaining, with_edges, limit, model, moves, sets):
    """The level at which all of ``remaining`` have found a partner, ``limit`` if that comes first, or ``HOPELESS``."""
    invalid, helps = model.invalid, model.helps
    valid_groups, numbers, codes = moves.valid_groups, moves.numbers, moves.codes
    made, found, fresh, partners = sets.made, sets.all, sets.fresh, sets.partners
    made[:] = 0
    found[:] = 0
    fresh[:] = 0
    for group in groups:
        number = moves.valid_numbers[group]
        if number >= 0:
            made[number >> 6] |= np.uint64(1) << np.uint64(number & 63)
    reached = np.int64(model.sets[remaining].linked) if with_edges else 0
    _set_edge_results(reached, model.edges, model.edge_codes, numbers, made)
    level = 0
    while True:
        reached = _close_repairs(reached, remaining, invalid, helps, codes, numbers, made, found, fresh)
        if reached & remaining == remaining:
            return level
        level += 1
        if level >= limit:
            return level
        if not _close_plain(valid_groups, moves.valid_rows, codes, numbers, made, found, fresh, partners):
            return HOPELESS


def plain_moves_needed(position: Position, rules: RuleSet) -> int | None:
    """A lower bound on the exchanges between valid groups in any solution; None if the position is hopeless."""
    model = repair_model(position, rules)
    moves = move_table(rules)
    everything = len(model.sets) - 1
    level = int(_levels(model.dealt, everything, True, HOPELESS, model, moves, found_sets(moves)))
    return None if level == HOPELESS else level
