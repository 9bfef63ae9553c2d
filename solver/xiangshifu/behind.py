"""Looking at a goal from behind: which positions of a deal lead to a few wanted final positions.

Moves between valid groups can be undone, and the repair of a dealt group can be taken back where its two results stand.
So all positions from which the wanted ones can be reached are found from these. Positions that have more of the dealt
groups are gone on from first, as they are nearer to the deal; and once there is none left, and the deal was not among
them, it can't reach any wanted position.

Left out are positions with a valid group that can't appear while one of the unrepaired groups remains, by the relaxed
closure, and those with one that can't appear at all. Where that leaves many, those are left out as well of which two
valid groups can't stand beside each other while just these groups remain, by the layered closure of all invalid groups:
of millions of positions, mostly some thousands are left.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel
from solver.xiangshifu.closure import appearing_groups
from solver.xiangshifu.groups import GROUPS
from solver.xiangshifu.layers import _has, standing_beside
from solver.xiangshifu.moves import _code, move_table
from solver.xiangshifu.position import Position
from solver.xiangshifu.repairs import MOST_GROUPS, repair_model
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.search import CHILDREN, NODE, _difference, _pack, _replace_sorted, _slot, _unpack

MOST_BEHIND = 1 << 22
"""Positions after which looking from behind is given up; 240 MiB and some ten seconds."""

QUICK_LOOK = 1 << 13
"""Positions that a first look takes, without layers, which is mostly enough."""

CLOSE_LOOK = 1 << 18
"""Positions that the next one takes, with layers, which is nearly always enough."""

REPAIR = np.dtype([("group", np.int16), ("other", np.int16), ("partner", np.int16), ("x", np.int16), ("y", np.int16)])
"""A repair of a dealt invalid group: its index among them, that of its partner if that is one of them too (else -1),
the partner, and the two groups that result, the smaller first."""

FOUND, EXHAUSTED, FULL, PAUSED = range(4)

CHUNK = 5000
"""Positions between looks at the clock, some tens of milliseconds."""

EVER = 1 << 15

ALL = (1 << MOST_GROUPS) - 1

NO_LAYERS = np.empty((0, 0, 0), dtype=np.uint64)


@dataclass(frozen=True)
class Behind:
    """What looking from behind came to.

    Attributes:
        positions: how many positions were found.
        exhausted: whether these are all that there are.
        steps: from the deal to a wanted position, the groups before and after each move as ``Search.path`` gives them,
            not always the fewest; None if the deal is not among the positions.
        layered: whether positions were left out by the layered closure.
    """

    positions: int
    exhausted: bool
    steps: list[list[int]] | None
    layered: bool = False


class Hunt(NamedTuple):
    """A deal as it is looked for.

    Attributes:
        dealt: int16, shape (groups,): its groups, ascending.
        invalid: int16, shape (invalid,): its invalid groups by place.
        numbers: int16, shape (1771,): the number of each valid group among the valid ones, -1 for others.
        allowed: uint16, shape (valid groups,): while which dealt invalid groups (bits) remain a group can appear
            (``closure.appearing_groups``); ``EVER``: at all.
        repairs: ``REPAIR``, shape (repairs,): by ``x``.
        starts: int64, shape (1772,): where those with each ``x`` begin.
        beside: uint64, shape (sets, groups, words): which valid groups can stand beside each other while just a set of
            the invalid groups (its bits) remains (``layers.standing_beside``); empty if it is not asked.
    """

    dealt: NDArray[np.int16]
    invalid: NDArray[np.int16]
    numbers: NDArray[np.int16]
    allowed: NDArray[np.uint16]
    repairs: NDArray[np.void]
    starts: NDArray[np.int64]
    beside: NDArray[np.uint64]


class Queues(NamedTuple):
    """Waiting positions, those that lack equally many of the dealt groups in a queue.

    Attributes:
        ends: int32, shape (MOST_GROUPS + 1, 2): the first and the last of each queue, -1 if it is empty.
        following: int32, shape (nodes,): the next one in the same queue.
    """

    ends: NDArray[np.int32]
    following: NDArray[np.int32]


@kernel
def _absent(groups, dealt):
    """How many of the dealt groups a position has not; both are sorted."""
    i, j, common = 0, 0, 0
    while i < groups.shape[0] and j < dealt.shape[0]:
        if groups[i] == dealt[j]:
            common += 1
            i += 1
            j += 1
        elif groups[i] < dealt[j]:
            i += 1
        else:
            j += 1
    return dealt.shape[0] - common


@kernel
def _can_appear(groups, remaining, hunt):
    """Whether each valid group of a position can appear while each of the groups that remain does."""
    for place in range(groups.shape[0]):
        number = hunt.numbers[groups[place]]
        if number >= 0 and remaining & ~np.int64(hunt.allowed[number]):
            return False
    return True


@kernel
def _can_stand(groups, fresh, remaining, hunt):
    """Whether the groups at some places (bits), if valid, can stand beside all other valid ones."""
    for place in range(groups.shape[0]):
        number = np.int64(hunt.numbers[groups[place]])
        if number < 0 or not (fresh >> place) & 1:
            continue
        beside = hunt.beside[remaining, number]
        for other in range(groups.shape[0]):
            number = np.int64(hunt.numbers[groups[other]])
            if other != place and number >= 0 and not _has(beside, number):
                return False
    return True


@kernel
def _enter(groups, fresh, parent, remaining, hunt, nodes, slots, queues, used):
    """Note a position unless it is known or can't be; return how many there are.

    It can be if the groups at the ``fresh`` places (bits) can, as far as they stand beside each other.
    """
    if not _can_appear(groups, remaining | EVER, hunt):
        return used
    if hunt.beside.shape[0] and not _can_stand(groups, fresh, remaining, hunt):
        return used
    high, low = _pack(groups)
    slot = _slot(high, low, 0, nodes, slots)
    if slots[slot] >= 0:
        return used
    slots[slot] = used
    nodes[used].high, nodes[used].low = high, low
    nodes[used].parent = parent
    nodes[used].depth = nodes[parent].depth + 1 if parent >= 0 else 0
    nodes[used].remaining = remaining
    queues.following[used] = -1
    queue = _absent(groups, hunt.dealt)
    if queues.ends[queue, 0] < 0:
        queues.ends[queue, 0] = used
    else:
        queues.following[queues.ends[queue, 1]] = used
    queues.ends[queue, 1] = used
    return used + 1


@kernel
def _next(queues):
    """The position to go on from, one with the most dealt groups; -1 if there is none."""
    for queue in range(queues.ends.shape[0]):
        node = np.int64(queues.ends[queue, 0])
        if node >= 0:
            queues.ends[queue, 0] = queues.following[node]
            return node
    return np.int64(-1)


@kernel
def _undo_plain(node, groups, child, hunt, moves, nodes, slots, queues, used):
    """Enter all positions one move between valid groups away."""
    remaining = np.int64(nodes[node].remaining)
    for i in range(groups.shape[0] - 1):
        if moves.valid_numbers[groups[i]] < 0:
            continue
        for j in range(i + 1, groups.shape[0]):
            number = moves.valid_numbers[groups[j]]
            if number < 0:
                continue
            code = moves.codes[groups[i], number]
            for result in range(code >> 4, (code >> 4) + (code & 15)):
                fresh = _replace_sorted(groups, i, j, moves.results[result, 0], moves.results[result, 1], child)
                used = _enter(child, fresh, node, remaining, hunt, nodes, slots, queues, used)
    return used


@kernel
def _is_next(k, remaining, invalid):
    """Whether of equal dealt groups this is the first that is repaired already."""
    first = not (remaining >> k) & 1
    for other in range(k):
        first = first and (invalid[other] != invalid[k] or (remaining >> other) & 1 != 0)
    return first


@kernel
def _undo_repairs(node, groups, child, hunt, nodes, slots, queues, used):
    """Enter all positions in which the latest move was yet to repair a dealt group."""
    remaining = np.int64(nodes[node].remaining)
    for i in range(groups.shape[0] - 1):
        x = groups[i]
        if i and groups[i - 1] == x:
            continue
        for repair in hunt.repairs[hunt.starts[x] : hunt.starts[x + 1]]:
            j = i + 1
            while j < groups.shape[0] and groups[j] != repair.y:
                j += 1
            if j == groups.shape[0] or not _is_next(repair.group, remaining, hunt.invalid):
                continue
            before = remaining | (1 << repair.group)
            if repair.other >= 0:
                if not _is_next(repair.other, before, hunt.invalid):
                    continue
                before |= 1 << repair.other
            group = hunt.invalid[repair.group]
            _replace_sorted(groups, i, j, min(group, repair.partner), max(group, repair.partner), child)
            used = _enter(child, ALL, node, before, hunt, nodes, slots, queues, used)
    return used


@kernel
def _enter_wanted(wanted, hunt, nodes, slots, queues):
    used = 0
    for place in range(wanted.shape[0]):
        used = _enter(wanted[place], ALL, -1, 0, hunt, nodes, slots, queues, used)
    return used


@kernel
def _look_back(triples, used, budget, hunt, moves, groups, child, nodes, slots, queues):
    """Enter positions that lead to those entered; return why it stopped, how many there are, and the deal's node."""
    high, low = _pack(hunt.dealt)
    while budget:
        budget -= 1
        node = _next(queues)
        if node < 0:
            return EXHAUSTED, used, node
        if nodes[node].high == high and nodes[node].low == low:
            return FOUND, used, node
        if used + CHILDREN + hunt.repairs.shape[0] > nodes.shape[0]:
            return FULL, used, node
        _unpack(nodes[node].high, nodes[node].low, triples, groups)
        used = _undo_plain(node, groups, child, hunt, moves, nodes, slots, queues, used)
        used = _undo_repairs(node, groups, child, hunt, nodes, slots, queues, used)
    return PAUSED, used, np.int64(-1)


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
    """All repairs of dealt invalid groups by valid ones and by each other, by the first of the two results."""
    moves = move_table(rules)
    parts = [np.empty(0, dtype=REPAIR)]
    for k, group in enumerate(invalid.tolist()):
        codes = moves.codes[group]
        partners = np.flatnonzero(codes)
        parts.append(_repairs_of(k, -1, moves.valid_groups[partners], codes[partners], moves.results))
        for other in range(k):
            code = np.array([_code(group, invalid[other], moves)], dtype=np.int32)
            parts.append(_repairs_of(other, k, invalid[k : k + 1], code, moves.results))
    return np.sort(np.concatenate(parts), order="x", kind="stable")


def _repairs_of(
    group: int, other: int, partners: NDArray[np.int16], codes: NDArray[np.int32], results: NDArray[np.int16]
) -> NDArray[np.void]:
    """The repairs of one group with some partners, given the codes of their results (``MoveTable.codes``)."""
    counts = codes & 15
    offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    found = np.empty(len(offsets), dtype=REPAIR)
    found["group"], found["other"] = group, other
    found["partner"] = np.repeat(partners, counts)
    found["x"], found["y"] = results[np.repeat(codes >> 4, counts) + offsets].T
    return found


def _hunt(deal: Position, rules: RuleSet) -> Hunt:
    model, moves = repair_model(deal, rules), move_table(rules)
    allowed = np.zeros(len(moves.valid_groups), dtype=np.uint16)
    for k, places in enumerate([*([place] for place in model.places.tolist()), []]):
        numbers = moves.valid_numbers[appearing_groups(deal, places, rules)]
        allowed[numbers[numbers >= 0]] |= np.uint16(1 << k if places else EVER)
    repairs = _repairs(model.invalid, rules)
    starts = np.searchsorted(repairs["x"], np.arange(GROUPS + 1)).astype(np.int64)
    return Hunt(np.sort(model.dealt), model.invalid, moves.valid_numbers, allowed, repairs, starts, NO_LAYERS)


def look_from_behind(
    deal: Position,
    wanted: NDArray[np.int16],
    rules: RuleSet,
    *,
    quick: int = QUICK_LOOK,
    most: int = MOST_BEHIND,
    deadline: float | None = None,
) -> Behind:
    """Find the positions of a deal that lead to wanted final positions, until the deal is met.

    Args:
        deal: the deal.
        wanted: int16, shape (positions, groups): final positions of the same layout, numbers of groups.
        rules: the rule set.
        quick: positions that a first look takes, without layers; 0: there is none.
        most: how many positions are held at most.
        deadline: by ``time.perf_counter``, when to give up; None for never.
    """
    hunt = _hunt(deal, rules)
    if quick:
        found = _look(deal, wanted, rules, hunt, min(most, quick), deadline)
        if found.exhausted or found.steps is not None or most <= quick:
            return found
    beside = standing_beside(deal, repair_model(deal, rules).places.tolist(), rules, deadline)
    if beside is None:
        return Behind(0, False, None)
    hunt = hunt._replace(beside=beside)
    found = _look(deal, wanted, rules, hunt, min(most, CLOSE_LOOK), deadline)
    if found.exhausted or found.steps is not None or most <= CLOSE_LOOK:
        return found
    return _look(deal, wanted, rules, hunt, most, deadline)


def _look(
    deal: Position, wanted: NDArray[np.int16], rules: RuleSet, hunt: Hunt, most: int, deadline: float | None
) -> Behind:
    moves, layered = move_table(rules), len(hunt.beside) > 0
    room = max(most, 2 * len(wanted)) + CHILDREN + len(hunt.repairs)
    nodes = np.empty(room, dtype=NODE)
    slots = np.full(1 << (2 * room - 1).bit_length(), -1, dtype=np.int32)
    queues = Queues(np.full((MOST_GROUPS + 1, 2), -1, dtype=np.int32), np.empty(room, dtype=np.int32))
    groups, child = np.empty((2, len(hunt.dealt)), dtype=np.int16)
    triples = deal.layout.triples
    used = _enter_wanted(np.sort(wanted, axis=1), hunt, nodes, slots, queues)
    status, place = PAUSED, -1
    while status == PAUSED and (deadline is None or time.perf_counter() < deadline):
        status, used, place = _look_back(triples, used, CHUNK, hunt, moves, groups, child, nodes, slots, queues)
    if status != FOUND:
        return Behind(used, status == EXHAUSTED, None, layered)
    steps = np.empty((int(nodes[place]["depth"]), 4), dtype=np.int16)
    _steps_from(place, triples, nodes, groups, child, steps)
    return Behind(used, False, steps.tolist(), layered)
