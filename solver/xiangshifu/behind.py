"""Looking at a goal from behind: which positions of a deal lead to a few wanted final positions.

Moves between valid groups can be undone, and the repair of a dealt group can be taken back where its two results stand.
So all positions from which the wanted ones can be reached are found from these. Where the wanted positions are few and
apart from the rest, they soon are all found, and if the deal is not among them, it can't reach any.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel
from solver.xiangshifu.groups import group_table
from solver.xiangshifu.moves import move_table
from solver.xiangshifu.position import Position
from solver.xiangshifu.repairs import repair_model
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.search import CHILDREN, NODE, _difference, _pack, _replace_sorted, _slot, _unpack

MOST_BEHIND = 1 << 20
"""Positions after which looking from behind is given up; 60 MiB and some seconds."""

REPAIR = np.dtype([("group", np.int16), ("other", np.int16), ("partner", np.int16), ("x", np.int16), ("y", np.int16)])
"""A repair of a dealt invalid group: its index among them, that of its partner if that is one of them too (else -1),
the partner, and the two groups that result, the smaller first."""

FOUND, EXHAUSTED, FULL = range(3)


@dataclass(frozen=True)
class Behind:
    """What looking from behind came to.

    Attributes:
        positions: how many positions were found.
        exhausted: whether these are all that there are.
        steps: from the deal to a wanted position, the groups before and after each move as ``Search.path`` gives them;
            None if the deal is not among the positions.
    """

    positions: int
    exhausted: bool
    steps: list[list[int]] | None


@kernel
def _enter(groups, parent, remaining, nodes, slots, used):
    """Note a position unless it is known; return how many there are."""
    high, low = _pack(groups)
    slot = _slot(high, low, 0, nodes, slots)
    if slots[slot] >= 0:
        return used
    slots[slot] = used
    nodes[used].high, nodes[used].low = high, low
    nodes[used].parent = parent
    nodes[used].depth = nodes[parent].depth + 1 if parent >= 0 else 0
    nodes[used].remaining = remaining
    return used + 1


@kernel
def _undo_plain(node, groups, child, moves, nodes, slots, used):
    """Enter all positions one move between valid groups away."""
    for i in range(groups.shape[0] - 1):
        if moves.valid_numbers[groups[i]] < 0:
            continue
        for j in range(i + 1, groups.shape[0]):
            number = moves.valid_numbers[groups[j]]
            if number < 0:
                continue
            code = moves.codes[groups[i], number]
            for result in range(code >> 4, (code >> 4) + (code & 15)):
                _replace_sorted(groups, i, j, moves.results[result, 0], moves.results[result, 1], child)
                used = _enter(child, node, np.int64(nodes[node].remaining), nodes, slots, used)
    return used


@kernel
def _is_next(k, remaining, invalid):
    """Whether of equal dealt groups this is the first that is repaired already."""
    first = not (remaining >> k) & 1
    for other in range(k):
        first = first and (invalid[other] != invalid[k] or (remaining >> other) & 1 != 0)
    return first


@kernel
def _undo_repairs(node, groups, child, repairs, invalid, nodes, slots, used):
    """Enter all positions in which the latest move was yet to repair a dealt group."""
    remaining = np.int64(nodes[node].remaining)
    for repair in repairs:
        if not _is_next(repair.group, remaining, invalid):
            continue
        before = remaining | (1 << repair.group)
        if repair.other >= 0:
            if not _is_next(repair.other, before, invalid):
                continue
            before |= 1 << repair.other
        i = 0
        while i < groups.shape[0] and groups[i] != repair.x:
            i += 1
        j = i + 1
        while j < groups.shape[0] and groups[j] != repair.y:
            j += 1
        if j >= groups.shape[0]:
            continue
        group = invalid[repair.group]
        _replace_sorted(groups, i, j, min(group, repair.partner), max(group, repair.partner), child)
        used = _enter(child, node, before, nodes, slots, used)
    return used


@kernel
def _look_back(triples, dealt, repairs, invalid, moves, groups, child, nodes, slots, used):
    """Enter all positions that lead to those entered; return why it stopped, how many there are, the deal's node."""
    high, low = _pack(dealt)
    place = 0
    while place < used:
        if nodes[place].high == high and nodes[place].low == low:
            return FOUND, used, place
        if used + CHILDREN + repairs.shape[0] > nodes.shape[0]:
            return FULL, used, place
        _unpack(nodes[place].high, nodes[place].low, triples, groups)
        used = _undo_plain(place, groups, child, moves, nodes, slots, used)
        used = _undo_repairs(place, groups, child, repairs, invalid, nodes, slots, used)
        place += 1
    return EXHAUSTED, used, place


@kernel
def _enter_wanted(wanted, nodes, slots):
    used = 0
    for place in range(wanted.shape[0]):
        used = _enter(wanted[place], -1, 0, nodes, slots, used)
    return used


@kernel
def _steps_from(node, triples, nodes, before, after, steps):
    """Write the moves from a node on to the wanted position that it was found from."""
    count = 0
    while nodes[node].parent >= 0:
        _unpack(nodes[node].high, nodes[node].low, triples, before)
        node = np.int64(nodes[node].parent)
        _unpack(nodes[node].high, nodes[node].low, triples, after)
        _difference(before, after, steps[count, :2])
        _difference(after, before, steps[count, 2:])
        count += 1


def _repairs(invalid: NDArray[np.int16], rules: RuleSet) -> NDArray[np.void]:
    """All repairs of dealt invalid groups by valid ones and by each other: ``REPAIR``, shape (repairs,)."""
    moves = move_table(rules)
    rows = []
    for k, group in enumerate(invalid.tolist()):
        for partner in moves.valid_groups.tolist():
            rows += [(k, -1, partner, *result) for result in moves.exchanges(group, partner)]
        for other in range(k):
            rows += [(other, k, group, *result) for result in moves.exchanges(group, int(invalid[other]))]
    return np.array(rows, dtype=REPAIR)


def look_from_behind(deal: Position, wanted: NDArray[np.int16], rules: RuleSet, *, most: int = MOST_BEHIND) -> Behind:
    """Find the positions of a deal that lead to wanted final positions, until the deal is met.

    Args:
        deal: the deal.
        wanted: int16, shape (positions, groups): final positions of the same layout, numbers of groups.
        rules: the rule set.
        most: how many positions are held at most.
    """
    table = group_table()
    model = repair_model(deal, rules)
    moves = move_table(rules)
    repairs = _repairs(model.invalid, rules)
    room = max(most, 2 * len(wanted)) + CHILDREN + len(repairs)
    nodes = np.empty(room, dtype=NODE)
    slots = np.full(1 << (2 * room - 1).bit_length(), -1, dtype=np.int32)
    used = _enter_wanted(np.sort(wanted, axis=1), nodes, slots)
    dealt = np.sort(np.array([table.number(group) for group in deal.groups], dtype=np.int16))
    groups, child = np.empty((2, len(dealt)), dtype=np.int16)
    triples = deal.layout.triples
    status, used, place = _look_back(triples, dealt, repairs, model.invalid, moves, groups, child, nodes, slots, used)
    if status != FOUND:
        return Behind(used, status == EXHAUSTED, None)
    steps = np.empty((int(nodes[place]["depth"]), 4), dtype=np.int16)
    _steps_from(place, triples, nodes, groups, child, steps)
    return Behind(used, False, steps.tolist())
