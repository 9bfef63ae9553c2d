"""Components of the region: which valid positions can reach each other by plain moves.

Small components are flooded with a queue. One that outgrows it, a giant, is flooded by going through all numbers again
and again, as in ``solver.xiangshifu.distances``, until nothing is pending.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputError
from solver.jit import kernel
from solver.parallel import threaded_map
from solver.xiangshifu.distances import Progress, Threads, pieces
from solver.xiangshifu.plain import _borrow_region, _borrow_walker, _neighbours
from solver.xiangshifu.region import Region, _begin_walk, _walk_to

OTHERS = 65_535
"""The label that components share which got none of their own."""

PENDING = 65_534
UNKNOWN = 65_533
MOST_LABELS = 65_500
QUEUE = 1 << 16
"""Positions up to which a component is flooded with a queue."""


@dataclass(frozen=True)
class Components:
    """The components of a region.

    Attributes:
        labels: uint16, shape (region.size,): each position's component, 0 being the largest; ``OTHERS`` for those in
            components without a label of their own.
        sizes: int64, shape (components,): positions of each, the largest first. Those without a label come last.
        firsts: int64, shape (components,): the first position of each.
    """

    labels: NDArray[np.uint16]
    sizes: NDArray[np.int64]
    firsts: NDArray[np.int64]


@kernel
def _flood_small(start, label, queue, region, walker, labels):
    """Flood the component of a position while the queue has room; return its size, or -1 with the rest ``PENDING``."""
    region, walker = _borrow_region(region), _borrow_walker(walker)
    labels[start] = label
    queue[0] = start
    place, used = 0, 1
    _begin_walk(region.root, walker.walk)
    while place < used:
        if used + walker.found.shape[0] > queue.shape[0]:
            for left in range(place, used):
                labels[queue[left]] = PENDING
            return -1
        _walk_to(queue[place], walker.walk, walker.position, region.edges)
        place += 1
        for neighbour in walker.found[: _neighbours(region, walker)]:
            if labels[neighbour] == UNKNOWN:
                labels[neighbour] = label
                queue[used] = neighbour
                used += 1
    return used


@kernel
def _flood(label, start, stop, region, walker, labels):
    """Label all pending positions from ``start`` on, which leaves their neighbours pending; return how many."""
    region, walker = _borrow_region(region), _borrow_walker(walker)
    _begin_walk(region.root, walker.walk)
    count = 0
    for number in range(start, stop):
        if labels[number] != PENDING:
            continue
        labels[number] = label
        count += 1
        _walk_to(number, walker.walk, walker.position, region.edges)
        for neighbour in walker.found[: _neighbours(region, walker)]:
            # Another thread may have labelled it in between: then it is gone through once more, to no effect.
            if labels[neighbour] == UNKNOWN:
                labels[neighbour] = PENDING
    return count


@kernel
def _next_unknown(start, labels):
    while start < labels.shape[0] and labels[start] != UNKNOWN:
        start += 1
    return start


@kernel
def _count_labels(start, stop, labels, counts):
    for number in range(start, stop):
        counts[labels[number]] += 1


@kernel
def _relabel(start, stop, new, labels):
    for number in range(start, stop):
        labels[number] = new[labels[number]]


def find_components(region: Region, *, jobs: int = 1) -> Generator[Progress, None, Components]:
    """The components of a region.

    Args:
        region: the region.
        jobs: number of threads.

    Yields the progress; returns the components.

    Raises:
        InputError: a component is large, and more than 65,500 others come before it.
    """
    threads = Threads(region)
    labels = np.full(region.size, UNKNOWN, dtype=np.uint16)
    queue = np.empty(QUEUE, dtype=np.int64)
    sizes: list[int] = []
    firsts: list[int] = []
    start = done = 0
    while True:
        start = int(_next_unknown(start, labels))
        if start == region.size:
            break
        label = len(sizes) if len(sizes) < MOST_LABELS else OTHERS
        size = int(_flood_small(start, label, queue, region.arrays, threads.walker, labels))
        if size < 0:
            if label == OTHERS:
                raise InputError(f"more than {MOST_LABELS:,} components of valid positions")
            yield from _flood_giant(region, label, labels, threads, done, jobs)
            size = int(_count_label(label, labels))
        sizes.append(size)
        firsts.append(start)
        done += size
        yield Progress(done, region.size)
    return _by_size(labels, np.array(sizes, dtype=np.int64), np.array(firsts, dtype=np.int64))


@kernel
def _count_label(label, labels):
    count = 0
    for number in range(labels.shape[0]):
        count += labels[number] == label
    return count


def _flood_giant(
    region: Region, label: int, labels: NDArray[np.uint16], threads: Threads, done: int, jobs: int
) -> Generator[Progress, None, None]:
    def flood(piece: tuple[int, int]) -> int:
        return int(_flood(label, *piece, region.arrays, threads.walker, labels))

    found = -1
    while found:
        found = 0
        for count in threaded_map(flood, pieces(region.size), jobs=jobs):
            found += count
            done += count
            yield Progress(min(done, region.size), region.size)


def _by_size(labels: NDArray[np.uint16], sizes: NDArray[np.int64], firsts: NDArray[np.int64]) -> Components:
    """Number the components by size, in place. Those past ``MOST_LABELS`` are small and stay without a label."""
    named = np.argsort(-sizes[:MOST_LABELS], kind="stable")
    new = np.arange(1 << 16, dtype=np.uint16)
    new[named] = np.arange(len(named))
    for start, stop in pieces(len(labels)):
        _relabel(start, stop, new, labels)
    order = np.concatenate([named, np.arange(len(named), len(sizes))])
    return Components(labels, sizes[order], firsts[order])
