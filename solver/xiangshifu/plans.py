"""Relaxed plans: about how many moves will only prepare others.

Pretend that a group once there stays there, as for ``solver.xiangshifu.levels``, and write down for every group found
which exchange made it first. Backwards from the partners of the invalid groups, the plain moves that are wanted make a
solution of the relaxed game. Their number is no bound, but it tells positions apart that share a level.

This is the planning heuristic of FF (Hoffmann and Nebel, "The FF planning system: fast plan generation through
heuristic search", 2001), counting only plain moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import lowest_bit
from solver.jit import kernel
from solver.xiangshifu.levels import HOPELESS, found_sets
from solver.xiangshifu.moves import MoveTable, move_table
from solver.xiangshifu.position import Position
from solver.xiangshifu.repairs import MOST_GROUPS, repair_model
from solver.xiangshifu.rules import RuleSet


class Supports(NamedTuple):
    """What made what.

    Attributes:
        support: int16, shape (valid groups, 2): the valid groups whose exchange made a group first; -1 for an invalid
            group or none.
        helper: int16, shape (MOST_GROUPS,): for each dealt invalid group the first partner found; -1 for none.
        stack: int16, shape (valid groups,): room to work in.
    """

    support: NDArray[np.int16]
    helper: NDArray[np.int16]
    stack: NDArray[np.int16]


def supports(moves: MoveTable) -> Supports:
    """Room for the valid groups of a table."""
    count = len(moves.valid_groups)
    support = np.empty((count, 2), dtype=np.int16)
    return Supports(support, np.empty(MOST_GROUPS, dtype=np.int16), np.empty(count, dtype=np.int16))


@kernel
def _support_results(code, a, b, numbers, made, support):
    """``levels._set_results``, noting for groups made for the first time which two made them."""
    start = code >> 4
    for result in range(start, start + (code & 15)):
        for side in range(2):
            x = np.int64(numbers[result, side])
            bit = np.uint64(1) << np.uint64(x & 63)
            if not made[x >> 6] & bit:
                made[x >> 6] |= bit
                support[x, 0], support[x, 1] = a, b


@kernel
def _support_repairs(reached, remaining, invalid, helps, codes, numbers, sets, noted):
    """``levels._close_repairs`` with supports and helpers."""
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
                    noted.helper[lowest_bit(first)] = number
                    first &= first - 1
                while able:
                    k = np.int64(lowest_bit(able))
                    able &= able - 1
                    _support_results(codes[invalid[k], number], number, -1, numbers, made, noted.support)
                    again = True
    return reached


@kernel
def _support_plain(valid_groups, valid_rows, codes, numbers, sets, noted):
    """``levels._close_plain`` with supports."""
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
                    _support_results(codes[group, other], number, other, numbers, made, noted.support)
            partners[word] &= ~(np.uint64(1) << np.uint64(number & 63))
    new = False
    for word in range(words):
        new |= made[word] & ~found[word] != 0
    return new


@kernel
def _support_edges(linked, edges, edge_codes, numbers, made, support):
    while linked:
        k = np.int64(lowest_bit(linked))
        linked &= linked - 1
        others = np.int64(edges[k]) & linked
        while others:
            j = np.int64(lowest_bit(others))
            others &= others - 1
            _support_results(edge_codes[k, j], -1, -1, numbers, made, support)


@kernel
def _want(number, wanted, stack, height):
    """Put a group on the stack unless it has been before; the new height."""
    bit = np.uint64(1) << np.uint64(number & 63)
    if number < 0 or wanted[number >> 6] & bit:
        return height
    wanted[number >> 6] |= bit
    stack[height] = number
    return height + 1


@kernel
def _count_wanted(remaining, wanted, noted):
    """How many plain moves make the helpers of the remaining groups, and all that they take."""
    support, stack = noted.support, noted.stack
    wanted[:] = 0
    height, count = 0, 0
    for k in range(noted.helper.shape[0]):
        if (remaining >> k) & 1:
            height = _want(np.int64(noted.helper[k]), wanted, stack, height)
    while height:
        height -= 1
        number = np.int64(stack[height])
        if support[number, 1] >= 0:
            count += 1
        for side in range(2):
            height = _want(np.int64(support[number, side]), wanted, stack, height)
    return count


@kernel
def _relaxed_plan(groups, remaining, with_edges, model, moves, sets, noted):
    """The plain moves of a relaxed plan that repairs all of ``remaining``, or ``HOPELESS``."""
    numbers, codes = moves.numbers, moves.codes
    sets.made[:] = 0
    sets.all[:] = 0
    sets.fresh[:] = 0
    noted.helper[:] = -1
    for group in groups:
        number = moves.valid_numbers[group]
        if number >= 0:
            sets.made[number >> 6] |= np.uint64(1) << np.uint64(number & 63)
            noted.support[number, 0], noted.support[number, 1] = -1, -1
    reached = np.int64(model.sets[remaining].linked) if with_edges else 0
    _support_edges(reached, model.edges, model.edge_codes, numbers, sets.made, noted.support)
    while True:
        reached = _support_repairs(reached, remaining, model.invalid, model.helps, codes, numbers, sets, noted)
        if reached & remaining == remaining:
            return min(_count_wanted(remaining, sets.partners, noted), HOPELESS - 1)
        if not _support_plain(moves.valid_groups, moves.valid_rows, codes, numbers, sets, noted):
            return HOPELESS


def relaxed_plan_length(position: Position, rules: RuleSet) -> int | None:
    """About how many exchanges between valid groups a solution takes; None if the position is hopeless."""
    model = repair_model(position, rules)
    moves = move_table(rules)
    everything = len(model.sets) - 1
    length = int(_relaxed_plan(model.dealt, everything, True, model, moves, found_sets(moves), supports(moves)))
    return None if length == HOPELESS else length
