"""Best-first search over positions: A* for a shortest solution, greedier for any.

A node is a position: its group numbers, sorted, packed into a 128-bit key (11 bits a triple, 8 a pair), so
two positions are the same node exactly if their keys are equal.

These things make the search small besides the bound of the repair model.

**Edges first.** An exchange between two dealt invalid groups, both as dealt, touches nothing that any move before it
touches, so it can be moved to the front of a solution. Edges are therefore only tried from positions that edges alone
have led to; everywhere else, every remaining group must be repaired alone.

**Levels** (``solver.xiangshifu.levels``) bound the moves that only prepare others. They are evaluated as late as
possible: a node is re-examined one level at a time when it comes up for expansion.

**Relaxed plans** (``solver.xiangshifu.plans``) can take the place of levels when any solution will do.

**Cuts** (``solver.xiangshifu.cuts``) are tried where the search lingers with the same invalid groups.

**Order.** Two moves on four different groups can be done in either order. Of all orders of a solution, take the one
with edges first, and then repairs as early as possible: a repair right after a plain move uses a group which that
move made, and a plain move that does not is followed by another plain move. So a node remembers its *arrival*:
``FREE`` after a repair, the places of the fresh groups after a plain move, ``LOOSE`` after a plain move that left an
earlier one's groups aside; and ``EDGES`` as long as only edges were used. Arrivals at the same node are united and
the node expanded again. Every shortest way to a position, edges first, has its best order among the ways that
remain, so a final position within reach is found, by a shortest way.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import borrowed
from solver.jit import kernel
from solver.xiangshifu.cuts import MOST_CUTS, _borrow_cuts, _covered, _forget_cuts, _is_due, _try_cut, no_cuts
from solver.xiangshifu.groups import TRIPLES
from solver.xiangshifu.levels import HOPELESS, FoundSets, _levels, found_sets
from solver.xiangshifu.moves import MoveTable, move_table
from solver.xiangshifu.plain import UNREACHABLE, _borrow_region
from solver.xiangshifu.plans import Supports, _relaxed_plan, supports
from solver.xiangshifu.region import Region, RegionArrays, _rank, _sort, no_region
from solver.xiangshifu.repairs import DEAD, EDGE_STEP, MOST_GROUPS, RepairModel
from solver.xiangshifu.rules import RuleSet

TRIPLE_BITS, PAIR_BITS = 11, 8
PRIORITIES = 256
BOUNDS = 32
"""Bounds are kept below this; hopeless positions get the highest and so come last."""

RELAXED = 100
"""In the place of the deepest level: order positions by the lengths of relaxed plans instead of by levels."""

MOST_LINGERING = 6
"""How many sets of invalid groups ``Search.lingering`` looks at."""

NEVER = 1 << 40
"""More moves than any solution has."""

CHILDREN = 1024
"""Room kept for one expansion: at most 66 pairs of groups with twelve results each."""

FREE = (1 << MOST_GROUPS) - 1
LOOSE = 1 << MOST_GROUPS
EDGES = 2 << MOST_GROUPS
CLOSED = 1
EXACT = 2
NODE = np.dtype(
    [
        ("high", np.uint64),
        ("low", np.uint64),
        ("parent", np.int32),
        ("depth", np.int32),
        ("remaining", np.uint16),
        ("arrival", np.uint16),
        ("level", np.uint8),
        ("bound", np.uint8),
        ("flags", np.uint8),
    ],
    align=True,
)
"""One position: its key, the node it was reached from (-1 for the deal), moves from the deal, which dealt invalid
groups remain (bits), how it was reached, its level and lower bound as far as known, and ``CLOSED`` (expanded) or
``EXACT`` (its level will not rise any more)."""

FOUND, EXHAUSTED, FULL, PAUSED = range(4)
"""Why the search kernel returned."""

_NODES, _FIRST, _ENTRIES, _PRIORITY, _BOUND, _EXPANDED, _GOAL, _WEIGHT, _DEEPEST, _BEST, _CANDIDATE = range(11)
_COUNTERS = 11


class Tree(NamedTuple):
    """What a search has reached.

    Attributes:
        nodes: ``NODE``, shape (capacity,). Searches follow each other in it until it is full.
        slots: int32, shape (a power of two, at least twice the capacity): open-addressing table of node numbers.
        entries: int32, shape (2 * capacity, 2): waiting nodes, and the entry below in the same stack.
        stacks: int32, shape (PRIORITIES, BOUNDS): the top entry of each stack, -1 if it is empty.
        counters: int64, shape (11,): nodes used, first node of this search, entries used, priority and bound to
            look at next, expansions, the goal node (-1: none yet), weight of the bound in the priority, the
            level from which on all levels are taken for exact, and, with a target, the fewest moves to it by way of a
            final position reached so far, and that position's node.
    """

    nodes: NDArray[np.void]
    slots: NDArray[np.int32]
    entries: NDArray[np.int32]
    stacks: NDArray[np.int32]
    counters: NDArray[np.int64]


class Scratch(NamedTuple):
    """Room to work in.

    Attributes:
        groups: int16, shape (groups,): the position being expanded.
        child: int16, shape (groups,): the position being entered.
        found: sets of valid groups.
        supports: what made them.
    """

    groups: NDArray[np.int16]
    child: NDArray[np.int16]
    found: FoundSets
    supports: Supports


class Target(NamedTuple):
    """Which final positions a search is for.

    Attributes:
        distances: uint8, shape (region.size,): moves from each final position to the goal; empty if the region
            doesn't matter, or only components do.
        wanted: bool, shape (labels,): the wanted components.
        labels: uint16, shape (region.size,): each position's component; empty if components don't matter.
        region: the region of valid positions.
        sorted: int16, shape (groups,): room for region numbers.
        onward: whether no final position ends the search, and all are gone on from; only without distances and labels.
    """

    distances: NDArray[np.uint8]
    wanted: NDArray[np.bool_]
    labels: NDArray[np.uint16]
    region: RegionArrays
    sorted: NDArray[np.int16]
    onward: bool


@kernel
def _pack(groups):
    """The key of sorted group numbers."""
    high, low = np.uint64(0), np.uint64(0)
    for place in range(groups.shape[0]):
        group = groups[place]
        bits = np.uint64(TRIPLE_BITS if group < TRIPLES else PAIR_BITS)
        value = np.uint64(group if group < TRIPLES else group - TRIPLES)
        high = (high << bits) | (low >> (np.uint64(64) - bits))
        low = (low << bits) | value
    return high, low


@kernel
def _unpack(high, low, triples, groups):
    for place in range(groups.shape[0] - 1, -1, -1):
        bits = np.uint64(TRIPLE_BITS if place < triples else PAIR_BITS)
        value = np.int64(low & ((np.uint64(1) << bits) - np.uint64(1)))
        groups[place] = value if place < triples else value + TRIPLES
        low = (low >> bits) | (high << (np.uint64(64) - bits))
        high >>= bits


@kernel
def _slot(high, low, first, nodes, slots):
    """The slot that holds this key, or the free one where it belongs. Numbers below ``first`` are leftovers."""
    mixed = (low ^ (high * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xD6E8FEB86659FD93)
    mixed ^= mixed >> np.uint64(32)
    last = np.uint64(slots.shape[0] - 1)
    slot = mixed & last
    while True:
        node = slots[slot]
        if node < first or (nodes[node].low == low and nodes[node].high == high):
            return slot
        slot = (slot + np.uint64(1)) & last


@kernel
def _push(node, nodes, entries, stacks, counters):
    bound = np.int64(nodes[node].bound)
    priority = min(nodes[node].depth + counters[_WEIGHT] * bound, PRIORITIES - 1)
    entry = counters[_ENTRIES]
    counters[_ENTRIES] = entry + 1
    entries[entry, 0] = node
    entries[entry, 1] = stacks[priority, bound]
    stacks[priority, bound] = entry
    if priority < counters[_PRIORITY] or (priority == counters[_PRIORITY] and bound < counters[_BOUND]):
        counters[_PRIORITY] = priority
        counters[_BOUND] = bound


@kernel
def _pop(nodes, entries, stacks, counters):
    """The next open node: lowest priority, then lowest bound, then latest; -1 if there is none."""
    while counters[_PRIORITY] < PRIORITIES:
        priority, bound = counters[_PRIORITY], counters[_BOUND]
        if bound == BOUNDS:
            counters[_PRIORITY] = priority + 1
            counters[_BOUND] = 0
            continue
        entry = stacks[priority, bound]
        if entry < 0:
            counters[_BOUND] = bound + 1
            continue
        stacks[priority, bound] = entries[entry, 1]
        node = np.int64(entries[entry, 0])
        waits = not nodes[node].flags & CLOSED and nodes[node].bound == bound
        if waits and min(nodes[node].depth + counters[_WEIGHT] * bound, PRIORITIES - 1) == priority:
            return node
    return np.int64(-1)


@kernel
def _bound(remaining, arrival, at_once, level, sets):
    """The lower bound of a node; ``at_once``: the steps of the repair model that may be its next move."""
    if remaining == 0:
        return np.int64(0)
    if arrival & EDGES:
        repairs, steps = sets[remaining].bound, sets[remaining].steps
    else:
        repairs, steps = sets[remaining].alone, sets[remaining].steps_alone
    if level == 0 and not steps & at_once:
        level = 1
    return min(np.int64(repairs) + level, BOUNDS - 1)


@kernel
def _without(remaining, group, invalid):
    """The set less one group of this number; of equal ones the last, so equal positions have equal sets."""
    for k in range(invalid.shape[0] - 1, -1, -1):
        if (remaining >> k) & 1 and invalid[k] == group:
            return remaining & ~(1 << k)
    return remaining


@kernel
def _replace_sorted(groups, i, j, x, y, out):
    """Sorted ``groups`` with places i < j taken out and x <= y put in; return the places of x and y as bits."""
    place, source, waiting, fresh = 0, 0, 0, 0
    while place < out.shape[0]:
        if source == i or source == j:  # noqa: SIM109
            source += 1
            continue
        new = x if waiting == 0 else y
        if waiting < 2 and (source >= groups.shape[0] or new <= groups[source]):
            out[place] = new
            fresh |= 1 << place
            waiting += 1
        else:
            out[place] = groups[source]
            source += 1
        place += 1
    return fresh


@kernel
def _helpers(groups, valid_numbers, helps):
    """The dealt invalid groups that one of these groups is a partner of."""
    helpers = np.int64(0)
    for place in range(groups.shape[0]):
        number = valid_numbers[groups[place]]
        if number >= 0:
            helpers |= helps[number]
    return helpers


@kernel
def _start(groups, weight, deepest, model, moves, tree):
    """Make the deal (its sorted groups) the first node."""
    nodes, slots, entries, stacks, counters = tree
    remaining = model.sets.shape[0] - 1
    node = counters[_NODES]
    counters[:] = 0
    counters[_FIRST] = node
    counters[_NODES] = node + 1
    counters[_WEIGHT] = weight
    counters[_DEEPEST] = deepest
    counters[_GOAL] = node if remaining == 0 else -1
    counters[_BEST] = NEVER
    counters[_CANDIDATE] = -1
    counters[_PRIORITY] = PRIORITIES
    stacks[:] = -1
    high, low = _pack(groups)
    nodes[node].high, nodes[node].low = high, low
    nodes[node].parent = -1
    nodes[node].depth = 0
    nodes[node].remaining = remaining
    nodes[node].arrival = FREE | EDGES
    nodes[node].level = 0
    nodes[node].flags = 0
    at_once = _helpers(groups, moves.valid_numbers, model.helps) | EDGE_STEP
    nodes[node].bound = _bound(remaining, EDGES, at_once, 0, model.sets)
    slots[_slot(high, low, node, nodes, slots)] = node
    _push(node, nodes, entries, stacks, counters)


@kernel
def _number(child, target):
    """The number of a final position in the region."""
    for place in range(child.shape[0]):
        target.sorted[place] = target.region.numbers[child[place]]
    _sort(target.sorted)
    return _rank(target.sorted, target.region.firsts, target.region.edges, target.region.root)


@kernel
def _accept(node, child, depth, target, counters):
    """What a final position at a depth means for the target; whether it ends the search."""
    number = _number(child, target)
    if target.labels.shape[0]:
        if not target.wanted[target.labels[number]]:
            return False
        total = depth
    else:
        if target.distances[number] == UNREACHABLE:
            return False
        total = depth + target.distances[number]
    if total < counters[_BEST]:
        counters[_BEST] = total
        counters[_CANDIDATE] = node
    if counters[_WEIGHT] == 1 and total > counters[_PRIORITY]:
        return False
    counters[_GOAL] = node
    return True


@kernel
def _reach(child, parent, level, remaining, arrival, at_once, sets, target, nodes, slots, entries, stacks, counters):
    """Enter a position reached from ``parent``; whether it is a goal that ends the search."""
    first = counters[_FIRST]
    depth = nodes[parent].depth + 1
    high, low = _pack(child)
    slot = _slot(high, low, first, nodes, slots)
    node = np.int64(slots[slot])
    if node < first:
        node = counters[_NODES]
        counters[_NODES] = node + 1
        slots[slot] = node
        nodes[node].high, nodes[node].low = high, low
        nodes[node].remaining = remaining
        nodes[node].level = level
        nodes[node].flags = 0
    elif counters[_WEIGHT] == 1 and nodes[node].depth != depth:
        if nodes[node].depth < depth:
            return False
        if arrival & EDGES:
            nodes[node].level = level
            nodes[node].flags = 0
    else:
        known = nodes[node].arrival
        if known | arrival == known:
            return False
        depth, parent = nodes[node].depth, nodes[node].parent
        if arrival & EDGES:
            nodes[node].level = level
            nodes[node].flags &= CLOSED
        arrival |= known
        if not nodes[node].flags & CLOSED:
            nodes[node].arrival = arrival
            if nodes[node].bound <= _bound(remaining, arrival, at_once, np.int64(nodes[node].level), sets):
                return False
    nodes[node].parent = parent
    nodes[node].depth = depth
    nodes[node].arrival = arrival
    nodes[node].bound = _bound(remaining, arrival, at_once, np.int64(nodes[node].level), sets)
    nodes[node].flags &= ~np.uint8(CLOSED)
    if remaining == 0 and (target.labels.shape[0] or target.distances.shape[0]):
        return _accept(node, child, depth, target, counters)
    if remaining == 0 and not target.onward and (counters[_WEIGHT] > 1 or depth <= counters[_PRIORITY]):
        counters[_GOAL] = node
        return True
    _push(node, nodes, entries, stacks, counters)
    return False


@kernel
def _expand(node, groups, child, model, moves, target, tree):
    """Enter all positions one move away, until one is a goal that ends the search."""
    nodes, slots, entries, stacks, counters = tree
    valid_numbers, codes, results, numbers = moves.valid_numbers, moves.codes, moves.results, moves.numbers
    invalid, edge_codes, sets, helps = model.invalid, model.edge_codes, model.sets, model.helps
    count = groups.shape[0]
    remaining = np.int64(nodes[node].remaining)
    arrival = np.int64(nodes[node].arrival)
    level = min(np.int64(nodes[node].level), counters[_DEEPEST])
    nodes[node].flags |= CLOSED
    for i in range(count - 1):
        a = groups[i]
        number_a = valid_numbers[a]
        after_a = remaining if number_a >= 0 else _without(remaining, a, invalid)
        for j in range(i + 1, count):
            b = groups[j]
            number_b = valid_numbers[b]
            plain = number_a >= 0 and number_b >= 0
            edge = number_a < 0 and number_b < 0
            touches = (arrival >> i | arrival >> j) & 1
            if (not plain and not touches) or (edge and not arrival & EDGES):
                continue
            if number_b >= 0:
                code = codes[a, number_b]
            elif number_a >= 0:
                code = codes[b, number_a]
            else:
                code = _edge_code(a, b, invalid, edge_codes)
            if code == 0:
                continue
            after = after_a if number_b >= 0 else _without(after_a, b, invalid)
            if (sets[after].bound if edge else sets[after].alone) == DEAD:
                continue
            for result in range(code >> 4, (code >> 4) + (code & 15)):
                fresh = _replace_sorted(groups, i, j, results[result, 0], results[result, 1], child)
                if not plain:
                    made, least = FREE | (EDGES if edge else 0), level
                    at_once = _helpers(child, valid_numbers, helps) | EDGE_STEP
                elif touches or arrival & LOOSE:
                    made, least = fresh, max(level - 1, 0)
                    at_once = np.int64(helps[numbers[result, 0]] | helps[numbers[result, 1]])
                else:
                    made, least = LOOSE, max(level - 1, 0)
                    at_once = np.int64(0)
                if _reach(
                    child, node, least, after, made, at_once, sets, target, nodes, slots, entries, stacks, counters
                ):
                    return


@kernel
def _edge_code(a, b, invalid, edge_codes):
    for k in range(invalid.shape[0]):
        if invalid[k] == a:
            for j in range(invalid.shape[0]):
                if j != k and invalid[j] == b:
                    return edge_codes[k, j]
    return np.int32(0)


@kernel
def _settle_level(node, groups, model, moves, nodes, scratch, deepest):
    """Raise a node's level by one if it must be; whether it is right as it was."""
    level = np.int64(nodes[node].level)
    first = nodes[node].parent < 0
    if nodes[node].flags & EXACT or nodes[node].remaining == 0 or (level >= deepest and not first):
        return True
    remaining = np.int64(nodes[node].remaining)
    if deepest == RELAXED:
        return _settle_plan(node, groups, remaining, model, moves, nodes, scratch)
    limit = HOPELESS if first else level + 1
    with_edges = nodes[node].arrival & EDGES != 0
    settled = _levels(groups, remaining, with_edges, limit, model, moves, scratch.found)
    if settled <= level:
        nodes[node].flags |= EXACT
        return True
    nodes[node].level = settled
    repairs = model.sets[remaining].bound if with_edges else model.sets[remaining].alone
    bound = min(np.int64(repairs) + settled, BOUNDS - 1)
    nodes[node].bound = max(np.int64(nodes[node].bound), bound)
    return False


@kernel
def _settle_plan(node, groups, remaining, model, moves, nodes, scratch):
    """``_settle_level`` by the length of a relaxed plan, which takes the place of the level."""
    with_edges = nodes[node].arrival & EDGES != 0
    level = _relaxed_plan(groups, remaining, with_edges, model, moves, scratch.found, scratch.supports)
    nodes[node].level = level
    nodes[node].flags |= EXACT
    repairs = model.sets[remaining].bound if with_edges else model.sets[remaining].alone
    bound = min(np.int64(repairs) + level, BOUNDS - 1)
    if bound <= nodes[node].bound:
        return True
    nodes[node].bound = bound
    return False


@kernel
def _borrow(model, moves, target, tree, scratch):
    """All arrays without a share in their memory (see ``borrowed``)."""
    return (
        RepairModel(
            borrowed(model.dealt),
            borrowed(model.places),
            borrowed(model.invalid),
            borrowed(model.edges),
            borrowed(model.edge_codes),
            borrowed(model.sets),
            borrowed(model.helps),
        ),
        MoveTable(
            borrowed(moves.valid),
            borrowed(moves.rows),
            borrowed(moves.ranks),
            borrowed(moves.starts),
            borrowed(moves.results),
            borrowed(moves.valid_groups),
            borrowed(moves.valid_masks),
            borrowed(moves.valid_numbers),
            borrowed(moves.valid_rows),
            borrowed(moves.codes),
            borrowed(moves.numbers),
        ),
        Target(
            borrowed(target.distances),
            borrowed(target.wanted),
            borrowed(target.labels),
            _borrow_region(target.region),
            borrowed(target.sorted),
            target.onward,
        ),
        Tree(
            borrowed(tree.nodes),
            borrowed(tree.slots),
            borrowed(tree.entries),
            borrowed(tree.stacks),
            borrowed(tree.counters),
        ),
        Scratch(
            borrowed(scratch.groups),
            borrowed(scratch.child),
            FoundSets(
                borrowed(scratch.found.made),
                borrowed(scratch.found.all),
                borrowed(scratch.found.fresh),
                borrowed(scratch.found.partners),
            ),
            Supports(
                borrowed(scratch.supports.support),
                borrowed(scratch.supports.helper),
                borrowed(scratch.supports.stack),
            ),
        ),
    )


@kernel
def _search(triples, model, moves, target, tree, scratch, cuts, most, budget):
    """Expand nodes until the search ends, ``most`` are reached, the arrays are full, or ``budget`` are expanded."""
    model, moves, target, tree, scratch = _borrow(model, moves, target, tree, scratch)
    cuts = _borrow_cuts(cuts)
    nodes, entries, stacks, counters = tree.nodes, tree.entries, tree.stacks, tree.counters
    groups, child = scratch.groups, scratch.child
    while counters[_GOAL] < 0:
        if counters[_NODES] + CHILDREN > nodes.shape[0] or counters[_ENTRIES] + CHILDREN > entries.shape[0]:
            return FULL
        if counters[_NODES] - counters[_FIRST] >= most:
            return FULL
        if counters[_EXPANDED] >= budget:
            return PAUSED
        node = _pop(nodes, entries, stacks, counters)
        if counters[_CANDIDATE] >= 0 and (node < 0 or counters[_PRIORITY] >= counters[_BEST]):
            counters[_GOAL] = counters[_CANDIDATE]
            return FOUND
        if node < 0:
            return EXHAUSTED
        _unpack(nodes[node].high, nodes[node].low, triples, groups)
        remaining = np.int64(nodes[node].remaining)
        if not nodes[node].arrival & EDGES and _covered(groups, remaining, moves.valid_numbers, cuts):
            nodes[node].flags |= CLOSED
            continue
        bound = nodes[node].bound
        if (
            not _settle_level(node, groups, model, moves, nodes, scratch, counters[_DEEPEST])
            and nodes[node].bound > bound
        ):
            _push(node, nodes, entries, stacks, counters)
            continue
        counters[_EXPANDED] += 1
        if (
            _is_due(remaining, cuts)
            and not nodes[node].arrival & EDGES
            and _try_cut(groups, remaining, model.invalid, moves, cuts)
        ):
            nodes[node].flags |= CLOSED
            continue
        _expand(node, groups, child, model, moves, target, tree)
    return FOUND


@kernel
def _enter_all(nodes, slots, counters):
    """Enter all nodes of the present search into an empty table."""
    for node in range(counters[_FIRST], counters[_NODES]):
        slots[_slot(nodes[node].high, nodes[node].low, counters[_FIRST], nodes, slots)] = node


@kernel
def _path(triples, count, tree):
    """The exchanges on the way to the goal: int16, shape (moves, 4), two groups before and the two they become."""
    nodes, goal = tree.nodes, tree.counters[_GOAL]
    length = np.int64(nodes[goal].depth)
    steps = np.empty((length, 4), np.int16)
    after = np.empty(count, np.int16)
    before = np.empty(count, np.int16)
    node = np.int64(goal)
    while nodes[node].parent >= 0:
        _unpack(nodes[node].high, nodes[node].low, triples, after)
        node = np.int64(nodes[node].parent)
        _unpack(nodes[node].high, nodes[node].low, triples, before)
        length -= 1
        _difference(before, after, steps[length, :2])
        _difference(after, before, steps[length, 2:])
    return steps[length:]


@kernel
def _difference(groups, others, out):
    """The members of one sorted multiset that the other has not."""
    i, j, count = 0, 0, 0
    while i < groups.shape[0]:
        if j < others.shape[0] and others[j] < groups[i]:
            j += 1
        elif j < others.shape[0] and others[j] == groups[i]:
            i += 1
            j += 1
        else:
            out[count] = groups[i]
            count += 1
            i += 1


def no_target() -> Target:
    """Any final position will do."""
    return Target(
        np.empty(0, dtype=np.uint8),
        np.empty(0, dtype=np.bool_),
        np.empty(0, dtype=np.uint16),
        no_region(),
        np.empty(0, dtype=np.int16),
        False,
    )


def distance_target(region: Region, distances: NDArray[np.uint8]) -> Target:
    """The fewest moves to a goal, given its distances inside the region."""
    return no_target()._replace(
        distances=distances, region=region.arrays, sorted=np.empty(region.layout.groups, dtype=np.int16)
    )


def component_target(region: Region, labels: NDArray[np.uint16], wanted: NDArray[np.bool_]) -> Target:
    """A final position in one of the wanted components, chosen by label: bool, shape (65536,)."""
    return no_target()._replace(
        wanted=wanted, labels=labels, region=region.arrays, sorted=np.empty(region.layout.groups, dtype=np.int16)
    )


FIRST_CAPACITY = 1 << 16
NODE_BYTES = NODE.itemsize + 2 * 4 + 2 * 8
"""Bytes a node takes in all arrays of a ``Tree``."""


def _allocate(capacity: int) -> Tree:
    return Tree(
        np.empty(capacity, dtype=NODE),
        np.full(2 * capacity, -1, dtype=np.int32),
        np.empty((2 * capacity, 2), dtype=np.int32),
        np.full((PRIORITIES, BOUNDS), -1, dtype=np.int32),
        np.zeros(_COUNTERS, dtype=np.int64),
    )


class Outcome(IntEnum):
    """How a search stands."""

    FOUND = FOUND
    EXHAUSTED = EXHAUSTED
    FULL = FULL
    PAUSED = PAUSED


class Search:
    """A search that can be interrupted and gone on with; its arrays are used again for the next deal.

    Args:
        rules: the rule set.
        memory: bytes that all arrays together may take, the ones being copied while they grow included.
        positions: how many positions may be reached, or None.
    """

    def __init__(self, rules: RuleSet, memory: int, positions: int | None = None) -> None:
        self._moves = move_table(rules)
        self._found = found_sets(self._moves)
        self._supports = supports(self._moves)
        self._cuts = no_cuts(self._moves)
        self._memory = memory
        self._most = 1 << 62 if positions is None else positions
        capacity = FIRST_CAPACITY
        while capacity > 2 * CHILDREN and capacity * NODE_BYTES > memory:
            capacity //= 2
        self._tree = _allocate(capacity)

    def start(
        self, model: RepairModel, triples: int, *, weight: int = 1, deepest: int = 2, target: Target | None = None
    ) -> None:
        """Begin with a deal, given its repair model and number of triples.

        Args:
            model: the repair model of the deal.
            triples: how many of its groups are triples.
            weight: of the bound in the priority: 1 finds shortest solutions, more finds some solution sooner.
            deepest: levels above this one are not told apart. For a shortest solution that would take more time than
                the expansions it saves; the first solution is found sooner with them. Or ``RELAXED``.
            target: which final positions are wanted; None for any. With distances the search is for the fewest moves
                to the goal, by way of any final position.
        """
        nodes = self._tree.nodes
        if len(nodes) > FIRST_CAPACITY:
            self._tree = _allocate(FIRST_CAPACITY)
        elif self._tree.counters[_NODES] > len(nodes) // 2:
            self._tree.slots[:] = -1
            self._tree.counters[_NODES] = 0
        self._model = model
        self._triples = triples
        self._target = no_target() if target is None else target
        groups, child = np.empty((2, len(model.dealt)), dtype=np.int16)
        self._scratch = Scratch(groups, child, self._found, self._supports)
        _start(np.sort(model.dealt), weight, deepest, model, self._moves, self._tree)
        if self._target.onward:
            self._tree.counters[_GOAL] = -1

    def forget_cuts(self, model: RepairModel, tiles: int, *, most: int = MOST_CUTS) -> None:
        """Make ready for a new deal; searches for the same deal share the cuts they find, at most so many."""
        _forget_cuts(len(model.sets), tiles, most, self._cuts)

    def run(self, budget: int) -> Outcome:
        """Go on until the search ends, a limit is reached, or ``budget`` more positions are expanded."""
        until = int(self._tree.counters[_EXPANDED]) + budget
        while True:
            status = _search(
                self._triples,
                self._model,
                self._moves,
                self._target,
                self._tree,
                self._scratch,
                self._cuts,
                self._most,
                until,
            )
            if status != FULL or self.reached >= self._most or not self._grow():
                return Outcome(status)

    def _grow(self) -> bool:
        """Double the arrays if memory allows."""
        old = self._tree
        capacity = 2 * len(old.nodes)
        if (capacity + len(old.nodes)) * NODE_BYTES > self._memory:
            return False
        try:
            new = _allocate(capacity)
        except MemoryError:
            return False
        used, entries = int(old.counters[_NODES]), int(old.counters[_ENTRIES])
        new.nodes[:used] = old.nodes[:used]
        new.entries[:entries] = old.entries[:entries]
        new.stacks[:] = old.stacks
        new.counters[:] = old.counters
        _enter_all(new.nodes, new.slots, new.counters)
        self._tree = new
        return True

    @property
    def reached(self) -> int:
        """Positions reached so far, the deal included."""
        return int(self._tree.counters[_NODES] - self._tree.counters[_FIRST])

    def lingering(self, most: int) -> list[tuple[int, ...]]:
        """Sets of at most so many places of dealt invalid groups, those first that most expanded positions held."""
        model = self._model
        expansions = self._cuts.expansions[: len(model.sets), 0]
        found = []
        for remaining in np.argsort(-expansions, kind="stable")[:MOST_LINGERING].tolist():
            places = tuple(int(place) for k, place in enumerate(model.places) if remaining >> k & 1)
            if 1 <= len(places) <= most and expansions[remaining]:
                found.append(places)
        return found

    @property
    def has_cuts(self) -> bool:
        """Whether some positions were left out because a cut covers them."""
        return bool(self._cuts.state[0])

    @property
    def hopeless(self) -> bool:
        """Whether the levels of the deal, examined when it is expanded, show that nothing wins it."""
        return bool(self._tree.nodes[self._tree.counters[_FIRST]]["level"] == HOPELESS)

    @property
    def least(self) -> int:
        """A lower bound of the length of any solution: no position waits that could lead to a shorter one.

        Only for searches of weight 1.
        """
        counters = self._tree.counters
        return int(min(counters[_PRIORITY], counters[_BEST]))

    @property
    def best(self) -> int | None:
        """The fewest moves to the goal by way of a final position reached so far; None if none was."""
        best = int(self._tree.counters[_BEST])
        return None if best == NEVER else best

    @property
    def expanded(self) -> int:
        """Positions expanded so far."""
        return int(self._tree.counters[_EXPANDED])

    def out_of_positions(self) -> bool:
        """Whether the limit of positions, rather than memory, has stopped the search."""
        return self.reached >= self._most

    def path(self) -> list[list[int]]:
        """The exchanges that lead to the final position found, or to the best so far.

        Each is the numbers of two groups, and of the two that they become.
        """
        if self._tree.counters[_GOAL] < 0:
            self._tree.counters[_GOAL] = self._tree.counters[_CANDIDATE]
        steps: list[list[int]] = _path(self._triples, len(self._model.dealt), self._tree).tolist()
        return steps
