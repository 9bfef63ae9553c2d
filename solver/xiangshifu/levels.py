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
from solver.xiangshifu.repairs import MOST_GROUPS, repair_model
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
        support: int16, shape (valid groups, 2): the valid groups whose exchange made a group first; -1 for none.
        helper: int16, shape (MOST_GROUPS,): for each dealt invalid group the first partner found; -1 for none.
        stack: int16, shape (valid groups,): room to work in.
    """

    made: NDArray[np.uint64]
    all: NDArray[np.uint64]
    fresh: NDArray[np.uint64]
    partners: NDArray[np.uint64]
    support: NDArray[np.int16]
    helper: NDArray[np.int16]
    stack: NDArray[np.int16]


def found_sets(moves: MoveTable) -> FoundSets:
    """Empty sets for the valid groups of a table."""
    count = len(moves.valid_groups)
    sets = np.zeros((4, moves.valid_rows.shape[1]), dtype=np.uint64)
    support = np.empty((count, 2), dtype=np.int16)
    return FoundSets(*sets, support, np.empty(MOST_GROUPS, dtype=np.int16), np.empty(count, dtype=np.int16))


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


@kernel
def _support_results(code, a, b, numbers, made, support):
    """``_set_results``, noting for groups made for the first time which two made them."""
    start = code >> 4
    for result in range(start, start + (code & 15)):
        for side in range(2):
            x = np.int64(numbers[result, side])
            bit = np.uint64(1) << np.uint64(x & 63)
            if not made[x >> 6] & bit:
                made[x >> 6] |= bit
                support[x, 0], support[x, 1] = a, b


@kernel
def _support_repairs(reached, remaining, invalid, helps, codes, numbers, sets):
    """``_close_repairs`` with supports and helpers."""
    made, found, fresh = sets.made, sets.all, sets.fresh
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
                first = able & ~reached
                reached |= able
                while first:
                    sets.helper[lowest_bit(first)] = number
                    first &= first - 1
                while able:
                    k = np.int64(lowest_bit(able))
                    able &= able - 1
                    _support_results(codes[invalid[k], number], number, -1, numbers, made, sets.support)
                    again = True
    return reached


@kernel
def _support_plain(valid_groups, valid_rows, codes, numbers, sets):
    """``_close_plain`` with supports."""
    made, found, fresh, partners = sets.made, sets.all, sets.fresh, sets.partners
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
                    _support_results(codes[group, other], number, other, numbers, made, sets.support)
            partners[word] &= ~(np.uint64(1) << np.uint64(number & 63))
    new = False
    for word in range(words):
        new |= made[word] & ~found[word] != 0
    return new


@kernel
def _relaxed_plan(groups, remaining, with_edges, model, moves, sets):
    """How many plain moves a solution takes that forgets no group it once had; ``HOPELESS`` if there is none."""
    invalid, helps = model.invalid, model.helps
    valid_groups, numbers, codes = moves.valid_groups, moves.numbers, moves.codes
    made, support, stack = sets.made, sets.support, sets.stack
    made[:] = 0
    sets.all[:] = 0
    sets.fresh[:] = 0
    sets.helper[:] = -1
    for group in groups:
        number = moves.valid_numbers[group]
        if number >= 0:
            made[number >> 6] |= np.uint64(1) << np.uint64(number & 63)
            support[number, 0], support[number, 1] = -1, -1
    reached = np.int64(model.sets[remaining].linked) if with_edges else 0
    linked = reached
    while linked:
        k = np.int64(lowest_bit(linked))
        linked &= linked - 1
        others = np.int64(model.edges[k]) & linked
        while others:
            j = np.int64(lowest_bit(others))
            others &= others - 1
            _support_results(model.edge_codes[k, j], -1, -1, numbers, made, support)
    while True:
        reached = _support_repairs(reached, remaining, invalid, helps, codes, numbers, sets)
        if reached & remaining == remaining:
            break
        if not _support_plain(valid_groups, moves.valid_rows, codes, numbers, sets):
            return HOPELESS
    # Backwards from the helpers; ``partners`` marks what is wanted.
    wanted = sets.partners
    wanted[:] = 0
    height = 0
    for k in range(invalid.shape[0]):
        number = np.int64(sets.helper[k])
        if (remaining >> k) & 1 and number >= 0 and not wanted[number >> 6] >> np.uint64(number & 63) & np.uint64(1):
            wanted[number >> 6] |= np.uint64(1) << np.uint64(number & 63)
            stack[height] = number
            height += 1
    count = 0
    while height:
        height -= 1
        x = np.int64(stack[height])
        if support[x, 1] >= 0:
            count += 1
        for side in range(2):
            number = np.int64(support[x, side])
            if number >= 0 and not wanted[number >> 6] >> np.uint64(number & 63) & np.uint64(1):
                wanted[number >> 6] |= np.uint64(1) << np.uint64(number & 63)
                stack[height] = number
                height += 1
    return min(count, HOPELESS - 1)


def plain_moves_needed(position: Position, rules: RuleSet) -> int | None:
    """A lower bound on the exchanges between valid groups in any solution; None if the position is hopeless."""
    model = repair_model(position, rules)
    moves = move_table(rules)
    everything = len(model.sets) - 1
    level = int(_levels(model.dealt, everything, True, HOPELESS, model, moves, found_sets(moves)))
    return None if level == HOPELESS else level
