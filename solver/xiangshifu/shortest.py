"""All shortest solutions of a deal: how many there are, where they end, and each of them.

Once the fewest moves are known, every position that might lie on a solution of that length is reached, level by
level: those whose moves from the deal and lower bound together are no more. Unlike the search for one solution, which
takes edges first and repairs early, this must try all orders, so the bounds are those that hold in any order: that of
the repair model with edges, which may come at any time, and the levels with edges
(``solver.xiangshifu.levels``). A solution with no move to spare visits no position that fewer moves reach, so
each position belongs to one level and the positions and moves that lead to an end form a graph without cycles. The
solutions are its paths, and are counted from the ends back.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel
from solver.xiangshifu.levels import FoundSets, _levels, found_sets
from solver.xiangshifu.moves import Move, MoveTable, _code, move_table
from solver.xiangshifu.position import Deal
from solver.xiangshifu.repairs import EDGE_STEP, RepairModel, repair_model
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.search import CHILDREN, EDGES, _bound, _helpers, _pack, _replace_sorted, _slot, _unpack, _without
from solver.xiangshifu.solve import MIB, SCHEMA, Limits, Result, Solver, moves_of_steps

SPOT = np.dtype([("high", np.uint64), ("low", np.uint64), ("remaining", np.uint16), ("depth", np.uint16)], align=True)
"""A position: its key, which dealt invalid groups remain (bits), and moves from the deal."""

STEP = np.dtype(
    [
        ("high", np.uint64),
        ("low", np.uint64),
        ("remaining", np.uint16),
        ("helped", np.uint16),
        ("a", np.int16),
        ("b", np.int16),
        ("x", np.int16),
        ("y", np.int16),
    ],
    align=True,
)
"""A move: the key of the position it leads to, which dealt invalid groups remain there and which a valid group there
is a partner of (bits), the two groups before it and after it, the smaller first."""

DONE, FULL, PAUSED = range(3)
"""Why the kernel that explores returned."""

FIRST_CAPACITY = 1 << 14
SPOT_BYTES = SPOT.itemsize + 2 * 4 + 1 + 4
"""Bytes a position takes: itself, its slots, whether it leads to an end, and its number among those that do."""

EDGE_BYTES = 200
"""Bytes a move of the graph takes while solutions are counted."""

CHUNK = 20_000
"""Positions between looks at the clock."""


class Room(NamedTuple):
    """Room to work in.

    Attributes:
        groups: int16, shape (groups,): the position being looked at.
        child: int16, shape (groups,): one that a move leads to.
        steps: ``STEP``, shape (CHILDREN,): its moves.
        found: sets of valid groups.
    """

    groups: NDArray[np.int16]
    child: NDArray[np.int16]
    steps: NDArray[np.void]
    found: FoundSets


class Ways(NamedTuple):
    """The positions on shortest solutions, numbered by moves from the deal (which is 0), and the moves between them.

    Attributes:
        starts: int64, shape (positions + 1,): where the moves of each position begin; an end has none.
        steps: int16, shape (moves, 4): numbers of the two groups before each and after it, the smaller first; those of
            a position ascending.
        heads: int32, shape (moves,): the position that each leads to.
    """

    starts: NDArray[np.int64]
    steps: NDArray[np.int16]
    heads: NDArray[np.int32]


@dataclass(frozen=True)
class ShortestSolutions:
    """What is known of the shortest solutions of a deal. Identical tiles, and identical groups, count as one.

    Attributes:
        result: the verdict, with one shortest solution or the proof of a loss.
        reason: the limit that was reached before all were counted: ``memory``, ``time`` or ``positions``; else None.
        count: how many sequences of positions lead from the deal to a final position in the fewest moves; 0 if
            unwinnable, None if a limit was reached.
        sets: how many are left if solutions that make the same exchanges (the same two groups into the same two, each
            as often) in different orders count as one; None if a limit was reached before these were counted, too.
        ends: how many different final positions they lead to; None if a limit was reached.
        positions: positions reached, the deal included.
        seconds: time taken.
    """

    result: Result
    reason: str | None
    count: int | None
    sets: int | None
    ends: int | None
    positions: int
    seconds: float
    _ways: Ways | None = field(default=None, repr=False, compare=False)

    @property
    def length(self) -> int | None:
        """How many moves each has; None unless the deal is known to be winnable."""
        return self.result.length

    def solutions(self, most: int | None = None) -> Iterator[tuple[Move, ...]]:
        """The solutions, one at a time; at most so many if given.

        Their order is that of the numbers of the groups before and after the first move, then the second, and so on.
        Of identical groups, the one at the first place is meant. There are none if a limit was reached.
        """
        if self._ways is not None:
            for steps in islice(_paths(self._ways), most):
                yield moves_of_steps(self.result.deal, steps, self.result.rules)

    def to_json(self, most: int | None = None) -> dict[str, Any]:
        """The JSON object of ``xsf solve --all-shortest``; ``result`` is that of ``xsf solve``.

        Args:
            most: how many solutions are listed at most; None for all.
        """
        return {
            "schema": SCHEMA,
            "result": self.result.to_json(),
            "reason": self.reason,
            "length": self.length,
            "count": self.count,
            "sets": self.sets,
            "ends": self.ends,
            "solutions": [[move.to_json() for move in solution] for solution in self.solutions(most)],
            "positions": self.positions,
            "seconds": round(self.seconds, 6),
        }


@kernel
def _look_ahead(remaining, model, moves, room):
    """Write the moves of ``room.groups`` to ``room.steps``, each resulting position once; return how many."""
    groups, child, steps = room.groups, room.child, room.steps
    numbers, codes, invalid = moves.valid_numbers, moves.codes, model.invalid
    count = 0
    for i in range(groups.shape[0] - 1):
        a = groups[i]
        if i > 0 and groups[i - 1] == a:
            continue
        after_a = remaining if numbers[a] >= 0 else _without(remaining, a, invalid)
        for j in range(i + 1, groups.shape[0]):
            b = groups[j]
            if j > i + 1 and groups[j - 1] == b:
                continue
            after = after_a if numbers[b] >= 0 else _without(after_a, b, invalid)
            if numbers[b] >= 0:
                code = np.int64(codes[a, numbers[b]])
            elif numbers[a] >= 0:
                code = np.int64(codes[b, numbers[a]])
            else:
                code = np.int64(_code(a, b, moves))
            for result in range(code >> 4, (code >> 4) + (code & 15)):
                x, y = moves.results[result, 0], moves.results[result, 1]
                _replace_sorted(groups, i, j, x, y, child)
                steps[count].high, steps[count].low = _pack(child)
                steps[count].remaining = after
                steps[count].helped = _helpers(child, numbers, model.helps)
                steps[count].a, steps[count].b, steps[count].x, steps[count].y = a, b, x, y
                count += 1
    return count


@kernel
def _enter(high, low, remaining, depth, nodes, slots, used):
    """Note a position unless it is known; return how many there are."""
    slot = _slot(high, low, 0, nodes, slots)
    if slots[slot] >= 0:
        return used
    slots[slot] = used
    nodes[used].high, nodes[used].low = high, low
    nodes[used].remaining = remaining
    nodes[used].depth = depth
    return used + 1


@kernel
def _enter_deal(dealt, remaining, nodes, slots):
    high, low = _pack(dealt)
    return _enter(high, low, remaining, 0, nodes, slots, 0)


@kernel
def _enter_again(used, nodes, slots):
    """Enter all positions into an empty table."""
    for node in range(used):
        slots[_slot(nodes[node].high, nodes[node].low, 0, nodes, slots)] = node


@kernel
def _is_late(remaining, left, model, moves, room):
    """Whether the levels show that so many moves are too few for ``room.groups``."""
    spare = left - np.int64(model.sets[remaining].bound)
    return _levels(room.groups, remaining, True, spare + 1, model, moves, room.found) > spare


@kernel
def _explore(length, triples, model, moves, room, nodes, slots, place, used, most, budget):
    """Look at positions from ``place`` on and enter those that may lie on a solution of this length.

    Stops when all are found, ``budget`` have been looked at, there are ``most``, or the arrays are full; returns why,
    the next to look at, and how many there are. Those of the last level need not be looked at.
    """
    for _ in range(budget):
        if place == used or nodes[place].depth == length:
            return DONE, place, used
        if used >= most or used + CHILDREN > nodes.shape[0]:
            return FULL, place, used
        remaining = np.int64(nodes[place].remaining)
        depth = np.int64(nodes[place].depth)
        _unpack(nodes[place].high, nodes[place].low, triples, room.groups)
        place += 1
        if _is_late(remaining, length - depth, model, moves, room):
            continue
        count = _look_ahead(remaining, model, moves, room)
        for step in room.steps[:count]:
            after = np.int64(step.remaining)
            least = _bound(after, EDGES, np.int64(step.helped) | EDGE_STEP, 0, model.sets)
            if depth + 1 + least <= length:
                used = _enter(step.high, step.low, after, depth + 1, nodes, slots, used)
    return PAUSED, place, used


@kernel
def _onward(step, depth, nodes, slots, leads):
    """The position that a move leads to if it is of the next level and leads to an end, else -1."""
    node = np.int64(slots[_slot(step.high, step.low, 0, nodes, slots)])
    return node if node >= 0 and nodes[node].depth == depth + 1 and leads[node] else np.int64(-1)


@kernel
def _mark_leads(length, triples, model, moves, room, nodes, slots, leads):
    """Mark the positions that lead to an end; return how many moves between them there are."""
    total = 0
    for node in range(leads.shape[0] - 1, -1, -1):
        depth = np.int64(nodes[node].depth)
        leads[node] = depth == length
        if leads[node]:
            continue
        _unpack(nodes[node].high, nodes[node].low, triples, room.groups)
        count = _look_ahead(np.int64(nodes[node].remaining), model, moves, room)
        for step in room.steps[:count]:
            if _onward(step, depth, nodes, slots, leads) >= 0:
                leads[node] = True
                total += 1
    return total


@kernel
def _collect(triples, model, moves, room, nodes, slots, leads, numbers, starts, steps, heads):
    """Write the moves between positions that lead to an end, by their numbers."""
    total = 0
    for node in range(leads.shape[0]):
        if not leads[node]:
            continue
        _unpack(nodes[node].high, nodes[node].low, triples, room.groups)
        count = _look_ahead(np.int64(nodes[node].remaining), model, moves, room)
        for step in room.steps[:count]:
            head = _onward(step, np.int64(nodes[node].depth), nodes, slots, leads)
            if head >= 0:
                steps[total, 0], steps[total, 1], steps[total, 2], steps[total, 3] = step.a, step.b, step.x, step.y
                heads[total] = numbers[head]
                total += 1
        starts[numbers[node] + 1] = total


class _Stopped(Exception):
    """A limit was reached; the argument is its name."""


class _Explorer:
    """Finds all ways of one length from a deal to final positions, within limits."""

    def __init__(self, deal: Deal, rules: RuleSet, length: int, limits: Limits, deadline: float | None) -> None:
        self._model: RepairModel = repair_model(deal, rules)
        self._moves: MoveTable = move_table(rules)
        self._length, self._triples = length, deal.layout.triples
        self._memory, self._deadline = limits.memory * MIB, deadline
        self._most = 1 << 62 if limits.positions is None else limits.positions
        groups, child = np.empty((2, len(self._model.dealt)), dtype=np.int16)
        self._room = Room(groups, child, np.empty(CHILDREN, dtype=STEP), found_sets(self._moves))
        self._nodes = np.empty(FIRST_CAPACITY, dtype=SPOT)
        self._slots = np.full(2 * FIRST_CAPACITY, -1, dtype=np.int32)
        self.positions = _enter_deal(np.sort(self._model.dealt), len(self._model.sets) - 1, self._nodes, self._slots)

    def ways(self) -> Ways:
        """The ways; raises _Stopped."""
        self._explore()
        context = (self._triples, self._model, self._moves, self._room, self._nodes, self._slots)
        leads = np.empty(self.positions, dtype=np.bool_)
        total = _mark_leads(self._length, *context, leads)
        if total * EDGE_BYTES + len(self._nodes) * SPOT_BYTES > self._memory:
            raise _Stopped("memory")
        numbers = np.cumsum(leads, dtype=np.int32) - np.int32(1)
        starts = np.zeros(int(leads.sum()) + 1, dtype=np.int64)
        steps, heads = np.empty((total, 4), dtype=np.int16), np.empty(total, dtype=np.int32)
        _collect(*context, leads, numbers, starts, steps, heads)
        tails = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        order = np.lexsort((*steps.T[::-1], tails))
        return Ways(starts, steps[order], heads[order])

    def _explore(self) -> None:
        status, place = PAUSED, 0
        while status != DONE:
            if status == FULL:
                self._grow()
            if self._deadline is not None and time.perf_counter() >= self._deadline:
                raise _Stopped("time")
            status, place, self.positions = _explore(
                self._length,
                self._triples,
                self._model,
                self._moves,
                self._room,
                self._nodes,
                self._slots,
                place,
                self.positions,
                self._most,
                CHUNK,
            )

    def _grow(self) -> None:
        """Double the arrays."""
        if self.positions >= self._most:
            raise _Stopped("positions")
        capacity = 2 * len(self._nodes)
        if (capacity + len(self._nodes)) * SPOT_BYTES > self._memory:
            raise _Stopped("memory")
        nodes = np.empty(capacity, dtype=SPOT)
        nodes[: self.positions] = self._nodes[: self.positions]
        self._nodes = nodes
        self._slots = np.full(2 * capacity, -1, dtype=np.int32)
        _enter_again(self.positions, nodes, self._slots)


def _count(ways: Ways) -> int:
    """How many paths lead from the deal to an end; counts have no limit."""
    starts, heads = ways.starts.tolist(), ways.heads.tolist()
    counts = [1] * (len(starts) - 1)
    for node in range(len(counts) - 1, -1, -1):
        if starts[node] < starts[node + 1]:
            counts[node] = sum(counts[head] for head in heads[starts[node] : starts[node + 1]])
    return counts[0]


def _count_sets(ways: Ways, length: int, memory: int, deadline: float | None) -> int | None:
    """How many different multisets of exchanges the paths are made of; None if a limit comes first.

    A multiset is one number, with a field for each exchange that tells how often it is made.
    """
    starts, heads = ways.starts.tolist(), ways.heads.tolist()
    different, exchange = np.unique(ways.steps, axis=0, return_inverse=True)
    width = length.bit_length()
    ones = [1 << (width * place) for place in exchange.reshape(-1).tolist()]
    most = memory // (100 + width * len(different) // 7)
    onward: list[set[int]] = [{0} for _ in range(len(starts) - 1)]
    held = 0
    for node in range(len(onward) - 1, -1, -1):
        edges = range(starts[node], starts[node + 1])
        if edges:
            onward[node] = {ones[edge] + rest for edge in edges for rest in onward[heads[edge]]}
        held += len(onward[node])
        if held > most or (deadline is not None and time.perf_counter() >= deadline):
            return None
    return len(onward[0])


def _paths(ways: Ways) -> Iterator[list[list[int]]]:
    """The steps of each path from the deal to an end, in order."""
    starts = ways.starts
    taken: list[int] = []
    waiting = [iter(range(starts[0], starts[1]))]
    if not len(ways.heads):
        yield []
    while waiting:
        edge = next(waiting[-1], None)
        if edge is None:
            waiting.pop()
            if taken:
                taken.pop()
            continue
        taken.append(edge)
        head = ways.heads[edge]
        if starts[head] == starts[head + 1]:
            yield ways.steps[taken].tolist()
            taken.pop()
        else:
            waiting.append(iter(range(starts[head], starts[head + 1])))


def all_shortest(
    deal: Deal | str, rules: RuleSet | str = CLASSIC, *, limits: Limits | None = None
) -> ShortestSolutions:
    """Find all shortest solutions of a deal (goal: any final position).

    Args:
        deal: the deal, or its text.
        rules: the rule set, or what ``--rules`` takes.
        limits: bounds of the search for one solution, and then of the search for all, which share the time; None for
            the usual ones. When one is reached, ``reason`` says so and nothing is counted, though the deal may be
            known to be winnable.

    Raises:
        InputError: the text of the deal or of the rules can't be used, or a limit is less than 1.
    """
    started = time.perf_counter()
    rules = RuleSet.parse(rules) if isinstance(rules, str) else rules
    deal = Deal.parse(deal) if isinstance(deal, str) else deal
    limits = limits or Limits()
    result = Solver(rules, limits=limits).solve(deal)
    if result.length is None:
        none = 0 if result.verdict == "unwinnable" else None
        return ShortestSolutions(result, result.reason, none, none, none, 0, time.perf_counter() - started)
    deadline = None if limits.seconds is None else started + limits.seconds
    explorer = _Explorer(deal, rules, result.length, limits, deadline)
    try:
        ways = explorer.ways()
    except _Stopped as stopped:
        seconds = time.perf_counter() - started
        return ShortestSolutions(result, str(stopped), None, None, None, explorer.positions, seconds)
    sets = _count_sets(ways, result.length, limits.memory * MIB, deadline)
    ends = int(np.count_nonzero(np.diff(ways.starts) == 0))
    seconds = time.perf_counter() - started
    return ShortestSolutions(result, None, _count(ways), sets, ends, explorer.positions, seconds, ways)
