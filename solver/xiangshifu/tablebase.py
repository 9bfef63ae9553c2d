"""The tablebase: exact distances to a goal, and components, for every valid position, kept in files.

A file holds one table in the order of the region's numbers: ``components``, or the distances to one goal. With the
components it also holds what is known of each: its size, its first position, its bonds, and how many positions of each
named goal are in it.

The region itself takes seconds to count, so its rows may be kept in a file too. That file is never needed: where it is
missing or can't be used the region is counted.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.cache import cache_dir
from solver.errors import InputError
from solver.jit import kernel
from solver.parallel import threaded_map
from solver.xiangshifu.bonds import bonds, locks
from solver.xiangshifu.components import MOST_LABELS, OTHERS, QUEUE, Components, find_components
from solver.xiangshifu.distances import Progress, Threads, fill_distances, pieces
from solver.xiangshifu.goals import Goal, goal_arrays, named_goals
from solver.xiangshifu.groups import GROUPS, group_names, group_table
from solver.xiangshifu.moves import Move, legal_moves
from solver.xiangshifu.plain import UNREACHABLE, _borrow_region, _borrow_walker, _neighbours, new_walker
from solver.xiangshifu.position import TEN, Deal, Layout, Position, format_group
from solver.xiangshifu.region import EDGE, NUMBERING, Region, Rows, _begin_walk, _sort, _walk_to, region
from solver.xiangshifu.rules import CLASSIC, PRESETS, RuleSet, combine
from solver.xiangshifu.tablefile import open_table, write_table

VERSION = 1
"""To be raised with every change of what descriptions of tables say."""

MEMORY = 4096
"""MiB that a table may take unless another limit is given."""

MIB = 1 << 20
LARGEST = 20
"""Components that ``Info`` tells of one by one."""

LANES = 32
"""Positions that are looked up side by side."""

CHECKERS = 2
"""Threads that check a file when it is opened."""


# Where tables are


def table_path(layout: Layout, rules: RuleSet, goal: Goal | None) -> Path:
    """The file of the distances to a goal, or with None of the components; whether it is there or not."""
    return _path(layout, rules, "components" if goal is None else goal.id.replace(":", "-"))


def region_path(layout: Layout, rules: RuleSet) -> Path:
    """The file of the region; whether it is there or not."""
    return _path(layout, rules, "region")


def _path(layout: Layout, rules: RuleSet, what: str) -> Path:
    return cache_dir() / "tablebase" / f"{layout.name}-{_rules_text(rules)}-{what}.xsf"


def is_builtin(rules: RuleSet) -> bool:
    """Whether the id of a rule set says all: a preset's, or of several joined."""
    names = set(rules.id.split("+"))
    return names <= set(PRESETS) and rules == combine(names - {"classic"})


def _rules_text(rules: RuleSet) -> str:
    """A rule set in a file's name: its id, and unless the id says all a hash of the record."""
    if is_builtin(rules):
        return rules.id
    record = json.dumps([rules.to_json(), rules.excluded])
    short = re.sub(r"[^a-z0-9]+", "-", rules.id.lower()).strip("-")[:40]
    return f"{short}-{hashlib.sha256(record.encode()).hexdigest()[:12]}"


def _about(layout: Layout, rules: RuleSet, goal: Goal | None) -> dict[str, Any]:
    """What a file's description says of the table that it holds, apart from results."""
    return {
        "kind": "components" if goal is None else "distances",
        "layout": layout.name,
        "rules": rules.to_json(),
        "excluded": list(rules.excluded),
        "goal": None if goal is None else goal.id,
        "version": VERSION,
        "numbering": NUMBERING,
    }


def is_built(layout: Layout = TEN, rules: RuleSet = CLASSIC, goal: Goal | None = None) -> bool:
    """Whether there is a table of the distances to a goal, or with None of the components.

    Raises:
        InputError: there is a file, but it is damaged or of another version. To build it again replaces it.
    """
    path = table_path(layout, rules, goal)
    if not path.exists():
        return False
    open_table(path, _about(layout, rules, goal), jobs=CHECKERS)
    return True


# The region


def _about_region(layout: Layout, rules: RuleSet) -> dict[str, Any]:
    return {**_about(layout, rules, None), "kind": "region", "row": [list(field) for field in EDGE.descr]}


@lru_cache(maxsize=4)
def _read_region(path: Path, layout: Layout, rules: RuleSet) -> Region:
    description, data = open_table(path, _about_region(layout, rules), jobs=CHECKERS)
    rows = Rows(data.view(EDGE), np.array(description["root"], dtype=np.int64), description["size"])
    return Region(layout, rules, rows)


def is_region_built(layout: Layout = TEN, rules: RuleSet = CLASSIC) -> bool:
    """Whether there is a file of the region.

    Raises:
        InputError: there is one, but it is damaged or of another version. To build it again replaces it.
    """
    path = region_path(layout, rules)
    if not path.exists():
        return False
    _read_region(path, layout, rules)
    return True


def known_region(layout: Layout = TEN, rules: RuleSet = CLASSIC) -> Region:
    """The region: from its file if there is one that can be used, else counted. Writes nothing.

    Raises:
        InputError: it can't be counted.
    """
    try:
        return _read_region(region_path(layout, rules), layout, rules)
    except InputError:
        return region(layout, rules)


def build_region(layout: Layout = TEN, rules: RuleSet = CLASSIC, *, jobs: int = 1) -> Path:
    """Count the region and write its file, over one that is there; ``jobs`` threads do it.

    Raises:
        InputError: it can't be counted, or the file can't be written.
    """
    rows = region(layout, rules).rows
    path = region_path(layout, rules)
    _check_disk(path, -(-rows.edges.nbytes // MIB))
    about = {**_about_region(layout, rules), "root": rows.root.tolist(), "size": rows.size}
    write_table(path, about, rows.edges.view(np.int64), jobs=jobs)
    return path


# Building


def build_distances(
    goal: Goal, rules: RuleSet = CLASSIC, *, jobs: int = 1, memory: int = MEMORY
) -> Generator[Progress, None, Path]:
    """Compute the distance of every valid position to a goal, and write the file, over one that is there.

    Args:
        goal: the goal; its layout is the tablebase's.
        rules: the rule set.
        jobs: number of threads.
        memory: MiB that the table may take.

    Yields the progress; returns the file.

    Raises:
        InputError: the table is larger than that, its file can't be written, or a distance does not fit in.
    """
    found = known_region(goal.layout, rules)
    path = table_path(goal.layout, rules, goal)
    _check_room(found, path, 1, memory)
    table = np.empty(found.size, dtype=np.uint8)
    counts = yield from fill_distances(found, goal, table, jobs=jobs)
    write_table(path, {**_about(goal.layout, rules, goal), "by_distance": counts}, table, jobs=jobs)
    return path


def build_components(
    layout: Layout = TEN, rules: RuleSet = CLASSIC, *, jobs: int = 1, memory: int = MEMORY
) -> Generator[Progress, None, Path]:
    """Find the components of the valid positions and what is in them, and write the file, over one that is there.

    Args:
        layout: the layout.
        rules: the rule set.
        jobs: number of threads.
        memory: MiB that the table may take.

    Yields the progress; returns the file.

    Raises:
        InputError: the table is larger than that, its file can't be written, or there are too many components.
    """
    found = known_region(layout, rules)
    path = table_path(layout, rules, None)
    _check_room(found, path, 2, memory)
    components = yield from find_components(found, jobs=jobs)
    description = {
        **_about(layout, rules, None),
        "sizes": components.sizes.tolist(),
        "firsts": components.firsts.tolist(),
        **_bonds_of(found, components),
        "examples": [str(found.position(int(first))) for first in components.firsts[:LARGEST]],
        "goals": _goals_held(found, components, jobs),
    }
    write_table(path, description, components.labels, jobs=jobs)
    return path


def _check_room(found: Region, path: Path, width: int, memory: int) -> None:
    """Refuse a table that is too large for memory or disk, before an hour's work rather than after it."""
    needed = -(-found.size * width // MIB)
    if needed > memory:
        raise InputError(
            f"{found.rules.id}, layout {found.layout.name}: {found.size:,} valid positions; "
            f"the table takes {needed:,} MiB of memory, but the limit is {memory:,} MiB"
        )
    _check_disk(path, needed)


def _check_disk(path: Path, needed: int) -> None:
    """Refuse a file of so many MiB that the disk has no room for."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(path.parent).free // MIB
    except OSError as error:
        raise InputError(f"{path.parent}: {error.strerror or error}") from error
    if needed > free:
        raise InputError(f"{path}: takes {needed:,} MiB, but {free:,} MiB are free there")


def _bonds_of(found: Region, components: Components) -> dict[str, Any]:
    """The names of all bonds, and for each component the places of those that its positions have, as bits."""
    known = bonds(found.rules, found.layout)
    holds = np.zeros((GROUPS, len(known)), dtype=np.bool_)
    for place, bond in enumerate(known):
        holds[[group_table().number(group) for group in bond.groups], place] = True
    present = np.zeros(len(components.firsts), dtype=np.int64)
    for place in range(len(known)):
        present |= holds[found.unrank(components.firsts), place].any(axis=1).astype(np.int64) << place
    return {"bonds": [bond.name for bond in known], "bonds_of": present.tolist()}


class _Weights(NamedTuple):
    """The alternatives of several goals side by side.

    Attributes:
        weights: int64, shape (groups, alternatives): by region numbers, as in ``GoalArrays``.
        targets: int64, shape (alternatives,).
        goals: int64, shape (alternatives,): places of the goals, ascending.
    """

    weights: NDArray[np.int64]
    targets: NDArray[np.int64]
    goals: NDArray[np.int64]


def _weights(goals: Iterable[Goal], found: Region) -> _Weights:
    arrays = [goal_arrays(goal, found.rules) for goal in goals]
    weights = np.concatenate([one.weights for one in arrays])[:, found.arrays.groups].T
    owners = np.repeat(np.arange(len(arrays)), [len(one.targets) for one in arrays])
    return _Weights(np.ascontiguousarray(weights), np.concatenate([one.targets for one in arrays]), owners)


@kernel
def _count_position(sums, targets, goals, counts):
    """Count a position, given the sums of its weights, once for each goal that it is of."""
    last = -1
    for alternative in range(targets.shape[0]):
        if sums[alternative] == targets[alternative] and goals[alternative] != last:
            last = goals[alternative]
            counts[last] += 1


@kernel
def _count_goals(start, stop, weights, targets, goals, labels, region, walker, counts):
    """Count the positions of each goal by component: ``counts`` has a row for each label, and the last for OTHERS.

    The sums of weights up to each place of the walk are kept as the walk is.
    """
    region, walker = _borrow_region(region), _borrow_walker(walker)
    walk, position = walker.walk, walker.position
    sums = np.zeros((position.shape[0] + 1, targets.shape[0]), np.int64)
    _begin_walk(region.root, walk)
    for number in range(start, stop):
        at = position.shape[0] - 1
        while at >= 0 and not walk[at].start <= number < walk[at].end:
            at -= 1
        _walk_to(number, walk, position, region.edges)
        for place in range(at + 1, position.shape[0]):
            for alternative in range(targets.shape[0]):
                sums[place + 1, alternative] = sums[place, alternative] + weights[position[place], alternative]
        label = min(np.int64(labels[number]), np.int64(counts.shape[0] - 1))
        _count_position(sums[position.shape[0]], targets, goals, counts[label])


@kernel
def _flood_alone(start, queue, slots, region, walker):
    """Write the positions of a component to ``queue``, which has room for it; return how many.

    ``slots`` has a power of two of places, more than the component, and is -1 everywhere before and after.
    """
    region, walker = _borrow_region(region), _borrow_walker(walker)
    last = slots.shape[0] - 1
    queue[0] = start
    slots[start & last] = start
    place, used = 0, 1
    _begin_walk(region.root, walker.walk)
    while place < used:
        _walk_to(queue[place], walker.walk, walker.position, region.edges)
        place += 1
        for neighbour in walker.found[: _neighbours(region, walker)]:
            slot = neighbour & last
            while slots[slot] >= 0 and slots[slot] != neighbour:
                slot = (slot + 1) & last
            if slots[slot] < 0:
                slots[slot] = neighbour
                queue[used] = neighbour
                used += 1
    _clear(queue[:used], slots)
    return used


@kernel
def _clear(numbers, slots):
    """Empty the slots that these numbers have filled."""
    last = slots.shape[0] - 1
    for number in numbers:
        slot = number & last
        while slots[slot] >= 0:
            slots[slot] = -1
            slot = (slot + 1) & last


class _Flooder:
    """Finds the positions of components that have no label, all of which are small."""

    def __init__(self, found: Region) -> None:
        self._region = found
        self._queue = np.empty(QUEUE, dtype=np.int64)
        self._slots = np.full(2 * QUEUE, -1, dtype=np.int64)
        self._walker = new_walker(found.layout)

    def component(self, number: int) -> NDArray[np.int64]:
        """The numbers of all positions in the component of one, in any order; valid until the next call."""
        return self._queue[: _flood_alone(number, self._queue, self._slots, self._region.arrays, self._walker)]


def _goals_held(found: Region, components: Components, jobs: int) -> dict[str, Any]:
    """For each named goal the components that hold positions of it, and how many."""
    goals = named_goals(found.layout)
    known = _weights(goals, found)
    threads = Threads(found)
    labelled = min(len(components.sizes), MOST_LABELS)

    def count(piece: tuple[int, int]) -> NDArray[np.int64]:
        counts = np.zeros((labelled + 1, len(goals)), dtype=np.int64)
        _count_goals(*piece, *known, components.labels, found.arrays, threads.walker, counts)
        return counts

    counts = np.zeros((len(components.sizes) + 1, len(goals)), dtype=np.int64)
    for part in threaded_map(count, pieces(found.size), jobs=jobs):
        counts[: labelled + 1] += part
    if counts[labelled].any():
        counts[labelled:-1] = _counted_alone(found, components.firsts[labelled:], known, len(goals))
    held = {}
    for place, goal in enumerate(goals):
        with_goal = np.flatnonzero(counts[:-1, place])
        held[goal.id] = {"components": with_goal.tolist(), "positions": counts[with_goal, place].tolist()}
    return held


def _counted_alone(found: Region, firsts: NDArray[np.int64], known: _Weights, goals: int) -> NDArray[np.int64]:
    """How many positions of each goal the components with these first positions have, of which none has a label."""
    flooder = _Flooder(found)
    counts = np.zeros((len(firsts), goals), dtype=np.int64)
    for place, first in enumerate(firsts):
        positions = found.arrays.numbers[found.unrank(flooder.component(int(first)))]
        fits = known.weights[positions].sum(axis=1) == known.targets
        for goal in range(goals):
            counts[place, goal] = fits[:, known.goals == goal].any(axis=1).sum()
    return counts


# What is known


@dataclass(frozen=True)
class GoalInfo:
    """What is known of a goal.

    Attributes:
        goal_positions: valid positions that are the goal.
        reach: valid positions that can reach one of them by plain moves, these included.
        farthest: the distance of the farthest of those; None unless the table of distances is built, or if there are
            none.
        by_distance: how many positions are at each distance; None unless the table of distances is built.
    """

    goal_positions: int
    reach: int
    farthest: int | None
    by_distance: tuple[int, ...] | None


@dataclass(frozen=True)
class ComponentInfo:
    """A component.

    Attributes:
        size: how many positions it has.
        example: the first of them.
        bonds: the names of the bonds that all of them have.
        goals: the ids of the named goals that it holds positions of.
    """

    size: int
    example: Position
    bonds: tuple[str, ...]
    goals: tuple[str, ...]


@dataclass(frozen=True)
class Info:
    """What is known of the valid positions of a layout and rule set.

    Attributes:
        layout: the layout.
        rules: the rule set.
        positions: how many valid positions there are.
        components: how many components they fall into.
        largest: the twenty largest, or all if they are fewer.
        goals: each named goal by its id.
    """

    layout: Layout
    rules: RuleSet
    positions: int
    components: int
    largest: tuple[ComponentInfo, ...]
    goals: dict[str, GoalInfo]

    def to_json(self) -> dict[str, Any]:
        """The record as JSON values."""
        return {
            "layout": self.layout.name,
            "rules": self.rules.to_json(),
            "positions": self.positions,
            "components": self.components,
            "largest": [part.size for part in self.largest],
            "examples": [str(part.example) for part in self.largest],
            "bonds": [list(part.bonds) for part in self.largest],
            "holds": [list(part.goals) for part in self.largest],
            "goals": {
                goal: {
                    "goal_positions": known.goal_positions,
                    "reach": known.reach,
                    "farthest": known.farthest,
                    "by_distance": None if known.by_distance is None else list(known.by_distance),
                }
                for goal, known in self.goals.items()
            },
        }


# Looking things up


def check_valid(position: Position, rules: RuleSet) -> None:
    """Raise InputError, naming the invalid groups, unless a position is a valid one."""
    invalid = [place for place, group in enumerate(position.groups) if not group_names(group, rules)]
    if invalid:
        named = ", ".join(f"{place} ({format_group(position.groups[place])})" for place in invalid)
        groups = f"groups {named} are" if len(invalid) > 1 else f"group {named} is"
        raise InputError(f"{groups} invalid under rules {rules.id}; the tablebase holds valid positions only")


@kernel
def _begin_lanes(positions, region, sorted_groups, rows, firsts, counts, ranks):
    """Sort some positions side by side; ``rows`` becomes -1 for those with a group that the region does not have."""
    for lane in range(positions.shape[0]):
        known = True
        for at in range(positions.shape[1]):
            sorted_groups[lane, at] = region.numbers[positions[lane, at]]
            known = known and sorted_groups[lane, at] >= 0
        _sort(sorted_groups[lane])
        rows[lane] = region.root[0] if known else -1
        firsts[lane], counts[lane] = region.root[1], region.root[2]
        ranks[lane] = 0


@kernel
def _probe_all(positions, region, table, out):
    """Look up positions, of which some may be none of the region.

    This is ``_rank`` for ``LANES`` positions at once, step by step: memory is slow, and look-ups of different
    positions don't wait for each other.
    """
    region = _borrow_region(region)
    edges = region.edges
    sorted_groups = np.empty((LANES, positions.shape[1]), np.int16)
    rows, firsts = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    counts, ranks = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    for start in range(0, positions.shape[0], LANES):
        lanes = min(LANES, positions.shape[0] - start)
        _begin_lanes(positions[start : start + lanes], region, sorted_groups, rows, firsts, counts, ranks)
        for at in range(positions.shape[1]):
            for lane in range(lanes):
                row, first = rows[lane], firsts[lane]
                group = np.int64(sorted_groups[lane, at])
                if row < 0 or group < first or group >= first + counts[lane]:
                    rows[lane] = -1
                    continue
                edge = row + group - first
                ranks[lane] += edges[edge].before
                if at and sorted_groups[lane, at - 1] >= first:
                    ranks[lane] -= edges[row + sorted_groups[lane, at - 1] - first].before
                rows[lane], firsts[lane], counts[lane] = edges[edge].after, edges[edge].first, edges[edge].count
        for lane in range(lanes):
            out[start + lane] = table[ranks[lane]] if rows[lane] >= 0 else UNREACHABLE


class Tablebase:
    """Exact answers about the valid positions of a layout and rule set, from files that have been built.

    Everything is read when it is first asked for. All methods raise InputError, in one line, if the file they need is
    missing, damaged or of another version, and for a position of another layout or with an invalid group.

    Attributes:
        layout: the layout.
        rules: the rule set.
    """

    def __init__(self, layout: Layout = TEN, rules: RuleSet = CLASSIC) -> None:
        self.layout = layout
        self.rules = rules
        self._distances: dict[Goal, NDArray[np.uint8]] = {}

    @cached_property
    def region(self) -> Region:
        """The region, which numbers the positions."""
        return known_region(self.layout, self.rules)

    @cached_property
    def _components(self) -> tuple[dict[str, Any], NDArray[Any]]:
        return self._read(None)

    def _read(self, goal: Goal | None) -> tuple[dict[str, Any], NDArray[Any]]:
        path = table_path(self.layout, self.rules, goal)
        return open_table(path, _about(self.layout, self.rules, goal), jobs=CHECKERS)

    def _checked(self, table: NDArray[Any]) -> NDArray[Any]:
        if len(table) != self.region.size:
            raise InputError(f"a table has {len(table):,} positions, but the region {self.region.size:,}")
        return table

    @cached_property
    def components(self) -> Components:
        """The components."""
        description, labels = self._components
        sizes, firsts = (np.array(description[key], dtype=np.int64) for key in ("sizes", "firsts"))
        return Components(self._checked(labels), sizes, firsts)

    def distances(self, goal: Goal) -> NDArray[np.uint8]:
        """The distances of all positions to a goal: uint8, shape (region.size,), ``UNREACHABLE`` if there is none."""
        if goal not in self._distances:
            if goal.layout != self.layout:
                raise InputError(f"goal {goal.id} belongs to layout {goal.layout.name}, not {self.layout.name}")
            self._distances[goal] = self._checked(self._read(goal)[1])
        return self._distances[goal]

    def number(self, position: Position | int) -> int:
        """The number of a position; a number is taken as it is."""
        if isinstance(position, Position):
            found = self.region.number(position)
            if found is None:
                check_valid(position, self.rules)
                raise InputError(f"a position of layout {position.layout.name}, not {self.layout.name}")
            return found
        if not 0 <= position < self.region.size:
            raise InputError(f"there is no position number {position}; they go up to {self.region.size - 1}")
        return position

    def probe(self, position: Position | int, goal: Goal) -> int | None:
        """The fewest plain moves from a position to a goal, or None if no plain moves lead there."""
        distance = int(self.distances(goal)[self.number(position)])
        return None if distance == UNREACHABLE else distance

    def probe_many(self, positions: NDArray[Any], goal: Goal) -> NDArray[np.uint8]:
        """The distances of many positions to a goal.

        Args:
            positions: their numbers, int64, shape (positions,); or int16, shape (positions, groups), numbers in the
                table of all groups, in any order.
            goal: the goal.

        Returns:
            uint8, shape (positions,): ``UNREACHABLE`` also for positions with an invalid group.

        Raises:
            ValueError: no such shape, number or group.
        """
        table = self.distances(goal)
        if positions.ndim == 1:
            if positions.size and not (positions.min() >= 0 and positions.max() < len(table)):
                raise ValueError(f"positions are numbered from 0 to {len(table) - 1}")
            looked_up: NDArray[np.uint8] = table[positions]
            return looked_up
        if positions.ndim != 2 or positions.shape[1] != self.layout.groups:
            raise ValueError(f"positions of this layout have {self.layout.groups} groups")
        if positions.size and not (positions.min() >= 0 and positions.max() < GROUPS):
            raise ValueError("no such group")
        out = np.empty(len(positions), dtype=np.uint8)
        _probe_all(np.ascontiguousarray(positions, dtype=np.int16), self.region.arrays, table, out)
        return out

    def best_moves(self, position: Position, goal: Goal) -> list[Move]:
        """All moves of a shortest way to a goal that can come first; none at the goal, or if it is out of reach."""
        distance = self.probe(position, goal)
        if not distance:
            return []
        moves = legal_moves(position, self.rules)
        after = [position.exchanged(*move.groups, move.after).groups for move in moves]
        numbers = np.array([[group_table().number(group) for group in groups] for groups in after], dtype=np.int16)
        nearer = self.probe_many(numbers, goal) == distance - 1
        return [move for move, is_nearer in zip(moves, nearer, strict=True) if is_nearer]

    def path(self, position: Position, goal: Goal) -> tuple[Move, ...] | None:
        """A shortest way to a goal, always the first of the best moves; None if the goal is out of reach."""
        distance = self.probe(position, goal)
        if distance is None:
            return None
        moves: list[Move] = []
        while len(moves) < distance:
            move = self.best_moves(position, goal)[0]
            moves.append(move)
            position = position.exchanged(*move.groups, move.after)
        return tuple(moves)

    def component_of(self, position: Position | int) -> int:
        """The place of a position's component among all, 0 being the largest."""
        number = self.number(position)
        label = int(self.components.labels[number])
        if label != OTHERS:
            return label
        first = int(_Flooder(self.region).component(number).min())
        # Those without a label stand in the order of their first positions.
        return MOST_LABELS + int(np.searchsorted(self.components.firsts[MOST_LABELS:], first))

    def component_size(self, position: Position | int) -> int:
        """How many positions a position can reach by plain moves, itself included."""
        return int(self.components.sizes[self.component_of(position)])

    def holds(self, goal: Goal) -> NDArray[np.int64]:
        """The places of the components that hold positions of a named goal, ascending."""
        description, _ = self._components
        return np.array(description["goals"][goal.id]["components"], dtype=np.int64)

    @cached_property
    def component_signatures(self) -> NDArray[np.int64]:
        """For each component the locks that its positions have, as bits (``bonds.locks``)."""
        masks = group_table().masks[self.region.unrank(self.components.firsts)]
        found = np.zeros(len(masks), dtype=np.int64)
        for place, lock in enumerate(locks(self.rules, self.layout)):
            present = np.isin(masks, np.array(lock.groups, dtype=np.uint32)).any(axis=1)
            found |= present.astype(np.int64) << place
        return found

    def signatures(self, goal: Goal) -> frozenset[int]:
        """The locks that positions of a named goal have, as bits: every combination that occurs."""
        return frozenset(self.component_signatures[self.holds(goal)].tolist())

    def case_components(self, goal: Goal, signature: int) -> NDArray[np.int64]:
        """The places of the components with just these locks (bits) that hold positions of a named goal."""
        held = self.holds(goal)
        found: NDArray[np.int64] = held[self.component_signatures[held] == signature]
        return found

    def positions_of(self, components: NDArray[np.int64]) -> NDArray[np.int16]:
        """All positions of some components: int16, shape (positions, groups), numbers in the table of all groups."""
        labelled = components[components < MOST_LABELS]
        numbers = [np.flatnonzero(np.isin(self.components.labels, labelled.astype(np.uint16)))]
        for component in components[len(labelled) :]:
            numbers.append(_Flooder(self.region).component(int(self.components.firsts[component])).copy())
        return self.region.unrank(np.concatenate(numbers))

    def reach(self, goal: Goal) -> int:
        """How many positions can reach a named goal by plain moves."""
        description, _ = self._components
        return sum(description["sizes"][component] for component in description["goals"][goal.id]["components"])

    def info(self) -> Info:
        """What is known of all valid positions, and of each named goal."""
        description, labels = self._components
        sizes = description["sizes"]
        goals = {goal.id: self._goal_info(goal, description) for goal in named_goals(self.layout)}
        parts = tuple(self._part(place, description) for place in range(min(len(sizes), LARGEST)))
        return Info(self.layout, self.rules, len(labels), len(sizes), parts, goals)

    def _goal_info(self, goal: Goal, description: dict[str, Any]) -> GoalInfo:
        counts = None
        if table_path(self.layout, self.rules, goal).exists():
            counts = tuple(self._read(goal)[0]["by_distance"])
        goal_positions = sum(description["goals"][goal.id]["positions"])
        return GoalInfo(goal_positions, self.reach(goal), len(counts) - 1 if counts else None, counts)

    def _part(self, place: int, description: dict[str, Any]) -> ComponentInfo:
        present = description["bonds_of"][place]
        return ComponentInfo(
            description["sizes"][place],
            Deal.parse(description["examples"][place]),
            tuple(name for bit, name in enumerate(description["bonds"]) if present >> bit & 1),
            tuple(goal for goal, held in description["goals"].items() if place in held["components"]),
        )
