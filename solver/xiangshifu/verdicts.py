"""Verdicts of many random deals, as arrays: what a survey stores.

One kernel deals, builds the repair model and searches, deal after deal, without going back to Python. The few deals
that it can't decide within some hundred expansions are left to ``Solver``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import borrowed
from solver.jit import kernel
from solver.kernelshuffle import _shuffle, shuffle_arrays
from solver.xiangshifu.cuts import MOST_CUTS, Cuts, _forget_cuts, no_cuts
from solver.xiangshifu.deadgroups import _smallest_frozen, dead_groups
from solver.xiangshifu.groups import group_table
from solver.xiangshifu.levels import HOPELESS, found_sets
from solver.xiangshifu.moves import MoveTable, move_table
from solver.xiangshifu.plans import supports
from solver.xiangshifu.position import LAYOUTS, TEN, Deal, Layout
from solver.xiangshifu.proof import BondProof, DeadGroupProof, ExhaustionProof, MovesProof
from solver.xiangshifu.repairs import DEAD, SET, TILE_ARRAYS, RepairModel, _fill_model
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.search import (
    _EXPANDED,
    _FIRST,
    _GOAL,
    _NODES,
    FIRST_CAPACITY,
    FOUND,
    PAUSED,
    Scratch,
    Target,
    Tree,
    _allocate,
    _search,
    _start,
    no_target,
)
from solver.xiangshifu.solve import FIRST, SHORTEST, Limits, Result, Solver
from solver.xiangshifu.tiles import TILES

OUTCOMES = (
    "undecided",
    "winnable",
    "dead-group",
    "frozen-set",
    "repair-order",
    "relaxed-closure",
    "layered-closure",
    "exhaustion",
)
"""What can come of a deal: undecided, winnable, or unwinnable by this kind of proof. A survey stores places in this
tuple, so names are only ever added at its end."""

MOST_LENGTH = 255
UNDECIDED, WINNABLE = 0, 1
DEAD_GROUP, FROZEN_SET = OUTCOMES.index("dead-group"), OUTCOMES.index("frozen-set")

RECORD = np.dtype([("expanded", "<u4"), ("held", "<u2"), ("outcome", "u1"), ("length", "u1")])
"""What is kept of one deal, 8 bytes: positions expanded; the places (bits) of the groups that the proof of a loss says
stay unrepaired, 0 if it names none; place in ``OUTCOMES``; the shortest length, 0 if it is unknown or 255 and more."""

STAGES = 3
"""How many stages of ``FIRST`` the kernel does before it leaves a deal to ``Solver``; of ``SHORTEST`` it does one."""


class _Room(NamedTuple):
    """Room for one deal: the arrays of a repair model at their largest, sorted groups, and a search."""

    groups: NDArray[np.int16]
    model: RepairModel
    target: Target
    tree: Tree
    scratch: Scratch
    cuts: Cuts


class _Setting(NamedTuple):
    """What stays the same from deal to deal."""

    kinds: NDArray[np.int64]
    triples: int
    tiles: int
    stream: int
    dead: NDArray[np.bool_]
    stages: NDArray[np.int64]


@kernel
def _deal(order, kinds, triples, triple, pair, dealt):
    """Group numbers of a shuffled set: each three tiles a triple, then each two a pair (``Deal.random``)."""
    place = 0
    for group in range(dealt.shape[0]):
        a, b = kinds[order[place]], kinds[order[place + 1]]
        if group < triples:
            dealt[group] = triple[a, b, kinds[order[place + 2]]]
            place += 3
        else:
            dealt[group] = pair[a, b]
            place += 2


@kernel
def _dealt_model(model, valid):
    """The arrays of the repair model cut to the number of invalid groups dealt."""
    count = 0
    for place in range(model.dealt.shape[0]):
        if not valid[model.dealt[place]]:
            model.places[count] = place
            count += 1
    return RepairModel(
        borrowed(model.dealt),
        borrowed(model.places)[:count],
        borrowed(model.invalid)[:count],
        borrowed(model.edges)[:count],
        borrowed(model.edge_codes)[:count],
        borrowed(model.sets)[: 1 << count],
        borrowed(model.helps),
    )


@kernel
def _stuck(model, dead, valid_rows, valid_masks, record):
    """Note the proof of a deal whose groups admit no order of repairs, if it is a dead group or a frozen set."""
    for k in range(model.places.shape[0]):
        if dead[model.invalid[k]]:
            record.outcome = DEAD_GROUP
            record.held = 1 << model.places[k]
            return
    frozen = _smallest_frozen(model.invalid, model.edges, model.sets, valid_rows, valid_masks)
    if frozen:
        record.outcome = FROZEN_SET
        for k in range(model.places.shape[0]):
            if (frozen >> k) & 1:
                record.held |= 1 << model.places[k]


@kernel
def _decide(start, shuffle, setting, triple, pair, kinds, moves, tiles, room, records):
    """Fill the records of deals from ``start`` on; those not decided keep the outcome 0."""
    groups, tree = room.groups, room.tree
    for place in range(records.shape[0]):
        records[place].expanded, records[place].held, records[place].outcome, records[place].length = 0, 0, 0, 0
        _shuffle(
            shuffle.key,
            np.uint64(start + place),
            np.uint64(setting.stream),
            shuffle.limits,
            shuffle.counter,
            shuffle.block,
            shuffle.order,
        )
        _deal(shuffle.order, setting.kinds, setting.triples, triple, pair, room.model.dealt)
        model = _dealt_model(room.model, moves.valid)
        _fill_model(model, setting.tiles, kinds, moves, tiles)
        if model.sets[-1].bound == DEAD:
            _stuck(model, setting.dead, moves.valid_rows, moves.valid_masks, records[place])
            continue
        _forget_cuts(model.sets.shape[0], setting.tiles, MOST_CUTS, room.cuts)
        groups[:] = model.dealt
        groups.sort()
        for stage in range(setting.stages.shape[0]):
            _search_stage(
                groups,
                setting.triples,
                setting.stages[stage],
                model,
                moves,
                room.target,
                tree,
                room.scratch,
                room.cuts,
                records[place],
            )
            if records[place].outcome or tree.nodes[tree.counters[_FIRST]].level == HOPELESS:
                break


@kernel
def _search_stage(groups, triples, stage, model, moves, target, tree, scratch, cuts, record):
    """Search as one stage (weight, deepest, expansions) says, and note what it finds."""
    if tree.counters[_NODES] > tree.nodes.shape[0] // 2:
        tree.slots[:] = -1
        tree.counters[_NODES] = 0
    _start(groups, stage[0], stage[1], model, moves, tree)
    status = _search(triples, model, moves, target, tree, scratch, cuts, 1 << 62, 1)
    if status == PAUSED and tree.nodes[tree.counters[_FIRST]].level != HOPELESS:
        status = _search(triples, model, moves, target, tree, scratch, cuts, 1 << 62, stage[2])
    record.expanded += tree.counters[_EXPANDED]
    if status == FOUND:
        record.outcome = WINNABLE
        record.length = min(np.int64(tree.nodes[tree.counters[_GOAL]].depth), MOST_LENGTH)


class Decider:
    """Decides random deals of one rule set, using its tables and memory again.

    Args:
        rules: the rule set.
        shortest: whether to find shortest lengths, not only verdicts.
        limits: bounds of each search, or None for those of ``Limits``.
    """

    def __init__(self, rules: RuleSet, *, shortest: bool = False, limits: Limits | None = None) -> None:
        self._shortest = shortest
        self._solver = Solver(rules, first=not shortest, limits=limits or Limits())
        self._moves = move_table(rules)
        self._dead = np.isin(group_table().masks, np.array(dead_groups(rules).dead, dtype=np.uint32))
        stages = SHORTEST[:1] if shortest else FIRST[:STAGES]
        self._stages = np.array([stage[:3] for stage in stages], dtype=np.int64)
        self._tree = _allocate(FIRST_CAPACITY)

    def decide(self, seed: int, start: int, count: int, layout: Layout = TEN) -> NDArray[np.void]:
        """The records of deals ``start`` to ``start + count - 1`` of a seed: ``RECORD``, shape (count,)."""
        records = np.zeros(count, dtype=RECORD)
        self._decide(seed, start, layout, records)
        if not self._shortest:
            records["length"] = 0
        for place in np.flatnonzero(records["outcome"] == UNDECIDED).tolist():
            result = self._solver.solve_on(Deal.random(seed, start + place, layout), len(self._stages))
            records[place] = _record(result, self._shortest)
        return records

    def _decide(self, seed: int, start: int, layout: Layout, records: NDArray[np.void]) -> None:
        table = group_table()
        kinds = np.array(TILES.kinds_of(layout.tiles), dtype=np.int64)
        stream = list(LAYOUTS).index(layout.name)
        setting = _Setting(kinds, layout.triples, layout.tiles, stream, self._dead, self._stages)
        room = _room(layout, self._moves, self._tree)
        shuffle = shuffle_arrays(len(kinds), seed)
        _decide(start, shuffle, setting, table.triple, table.pair, table.kinds, self._moves, TILE_ARRAYS, room, records)


def _room(layout: Layout, moves: MoveTable, tree: Tree) -> _Room:
    size = layout.groups
    groups, child, dealt, places, invalid = np.empty((5, size), dtype=np.int16)
    model = RepairModel(
        dealt,
        places,
        invalid,
        np.empty(size, dtype=np.uint16),
        np.empty((size, size), dtype=np.int32),
        np.empty(1 << size, dtype=SET),
        np.empty(len(moves.valid_groups), dtype=np.uint16),
    )
    scratch = Scratch(groups, child, found_sets(moves), supports(moves))
    return _Room(np.empty(size, dtype=np.int16), model, no_target(), tree, scratch, no_cuts(moves))


def _record(result: Result, shortest: bool) -> tuple[int, int, int, int]:
    if result.verdict == "undecided":
        return result.expanded, 0, UNDECIDED, 0
    if result.proof is None or result.verdict == "winnable":
        return result.expanded, 0, WINNABLE, min(result.length or 0, MOST_LENGTH) if shortest else 0
    match result.proof:
        case DeadGroupProof(place):
            places: tuple[int, ...] = (place,)
        case ExhaustionProof() | MovesProof() | BondProof():
            places = ()
        case proof:
            places = proof.groups
    return result.expanded, sum(1 << place for place in places), OUTCOMES.index(result.proof.kind), 0
