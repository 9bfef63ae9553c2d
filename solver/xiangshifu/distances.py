"""Distances to a goal inside the region: one breadth-first search from all goal positions at once.

Plain moves can be undone, so the distance from a position to the goal is that from the goal to the position. One byte a
position holds it. A level is expanded by going through all numbers in order: neighbouring numbers share most of
their groups, which keeps going from one position to the next cheap, and no queue is needed.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputError
from solver.jit import kernel
from solver.parallel import threaded_map
from solver.xiangshifu.goals import Goal, _reaches, goal_arrays
from solver.xiangshifu.plain import UNREACHABLE, Walker, _borrow_region, _borrow_walker, _neighbours, new_walker
from solver.xiangshifu.region import Region, _begin_walk, _walk_to

MOST_DISTANCE = 253
"""Whether there is one more can still be seen, since 254 is not yet ``UNREACHABLE``."""

PIECE = 1 << 18
"""Positions that a thread goes through at a time."""


@dataclass(frozen=True)
class Progress:
    """How far a build is: positions settled out of all, of which some may turn out to be out of reach."""

    done: int
    total: int


@kernel
def _mark_goals(start, stop, weights, targets, region, walker, table):
    """Write 0 for goal positions and ``UNREACHABLE`` for the others; return how many goal positions there are."""
    region, walker = _borrow_region(region), _borrow_walker(walker)
    _begin_walk(region.root, walker.walk)
    count = 0
    for number in range(start, stop):
        _walk_to(number, walker.walk, walker.position, region.edges)
        for at in range(walker.position.shape[0]):
            walker.child[at] = region.groups[walker.position[at]]
        table[number] = UNREACHABLE
        if _reaches(walker.child, weights, targets):
            table[number] = 0
            count += 1
    return count


@kernel
def _spread(level, start, stop, region, walker, table):
    """Give the neighbours of all positions at a level the next one; return how many positions are at the level."""
    region, walker = _borrow_region(region), _borrow_walker(walker)
    _begin_walk(region.root, walker.walk)
    count = 0
    for number in range(start, stop):
        if table[number] != level:
            continue
        count += 1
        _walk_to(number, walker.walk, walker.position, region.edges)
        for place in range(_neighbours(region, walker)):
            neighbour = walker.found[place]
            # Another thread may write the same value at the same time.
            if table[neighbour] == UNREACHABLE:
                table[neighbour] = level + 1
    return count


class Threads:
    """A walker for each thread."""

    def __init__(self, region: Region) -> None:
        self._layout = region.layout
        self._local = threading.local()

    @property
    def walker(self) -> Walker:
        """This thread's."""
        if not hasattr(self._local, "walker"):
            self._local.walker = new_walker(self._layout)
        walker: Walker = self._local.walker
        return walker


def pieces(size: int) -> Iterator[tuple[int, int]]:
    """All numbers below ``size``, in stretches from the first number to before the last."""
    for start in range(0, size, PIECE):
        yield start, min(start + PIECE, size)


def fill_distances(
    region: Region, goal: Goal, table: NDArray[np.uint8], *, jobs: int = 1
) -> Generator[Progress, None, list[int]]:
    """Write the distance of every position of a region to a goal.

    Args:
        region: the region.
        goal: the goal.
        table: uint8, shape (region.size,), to be filled: moves to the nearest goal position, or ``UNREACHABLE``.
        jobs: number of threads.

    Yields the progress; returns how many positions are at each distance.

    Raises:
        InputError: a position is farther than ``MOST_DISTANCE`` moves.
    """
    threads = Threads(region)
    weights, targets = goal_arrays(goal, region.rules)

    def mark(piece: tuple[int, int]) -> int:
        return int(_mark_goals(*piece, weights, targets, region.arrays, threads.walker, table))

    def spread(piece: tuple[int, int]) -> int:
        return int(_spread(len(counts), *piece, region.arrays, threads.walker, table))

    for _ in threaded_map(mark, pieces(region.size), jobs=jobs):
        yield Progress(0, region.size)
    counts: list[int] = []
    done = 0
    while len(counts) < MOST_DISTANCE + 2:
        count = 0
        for found in threaded_map(spread, pieces(region.size), jobs=jobs):
            count += found
            yield Progress(done + count, region.size)
        if not count:
            return counts
        counts.append(count)
        done += count
    raise InputError(f"some positions are more than {MOST_DISTANCE} moves from goal {goal.id}")
