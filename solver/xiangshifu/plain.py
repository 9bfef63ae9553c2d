"""Plain moves, those between valid groups, inside the region: from numbers of positions to numbers of positions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import borrowed
from solver.jit import kernel
from solver.xiangshifu.position import Layout
from solver.xiangshifu.region import Region, RegionArrays, _begin_walk, _rank_from, _walk_to, new_walk

MOST_NEIGHBOURS = 1024
"""More than the results of all pairs of twelve groups, 66 * 12."""


UNREACHABLE = 255
"""The distance of a position that can't reach the goal by plain moves."""


class Walker(NamedTuple):
    """Room for one thread to go through a region.

    Attributes:
        walk: ``WALK``, shape (groups,): the way to the position.
        position: int16, shape (groups,): its region numbers, ascending.
        child: int16, shape (groups,): a neighbour.
        found: int64, shape (MOST_NEIGHBOURS,): numbers of the neighbours.
    """

    walk: NDArray[np.void]
    position: NDArray[np.int16]
    child: NDArray[np.int16]
    found: NDArray[np.int64]


def new_walker(layout: Layout) -> Walker:
    """Room for a layout's positions."""
    position, child = np.zeros((2, layout.groups), dtype=np.int16)
    return Walker(new_walk(layout), position, child, np.empty(MOST_NEIGHBOURS, dtype=np.int64))


@kernel
def _borrow_region(region):
    """All arrays without a share in their memory (see ``borrowed``)."""
    return RegionArrays(
        borrowed(region.groups),
        borrowed(region.numbers),
        borrowed(region.firsts),
        borrowed(region.edges),
        borrowed(region.root),
        borrowed(region.codes),
        borrowed(region.results),
    )


@kernel
def _borrow_walker(walker):
    return Walker(borrowed(walker.walk), borrowed(walker.position), borrowed(walker.child), borrowed(walker.found))


@kernel
def _rank_replaced(i, j, x, y, walk, position, child, firsts, edges):
    """The number of the position at the end of a walk with the groups at places i < j replaced by x and y."""
    low, high = min(x, y), max(x, y)
    at, source, changed = 0, 0, position.shape[0]
    waiting = 2
    while at < child.shape[0]:
        if source == i or source == j:  # noqa: SIM109
            changed = min(changed, at)
            source += 1
            continue
        new = low if waiting == 2 else high
        if waiting and (source >= position.shape[0] or new <= position[source]):
            changed = min(changed, at)
            child[at] = new
            waiting -= 1
        else:
            child[at] = position[source]
            source += 1
        at += 1
    start = walk[changed - 1].start if changed else np.int64(0)
    return _rank_from(changed, walk[changed].row, start, child, firsts, edges)


@kernel
def _neighbours(region, walker):
    """Write the numbers of all positions one plain move from the one at the end of the walk; return how many."""
    position, codes, results = walker.position, region.codes, region.results
    count = 0
    for i in range(position.shape[0] - 1):
        a = position[i]
        if i and position[i - 1] == a:
            continue
        for j in range(i + 1, position.shape[0]):
            b = position[j]
            code = codes[a, b]
            if code == 0 or (j > i + 1 and position[j - 1] == b):
                continue
            for result in range(code >> 4, (code >> 4) + (code & 15)):
                walker.found[count] = _rank_replaced(
                    i,
                    j,
                    results[result, 0],
                    results[result, 1],
                    walker.walk,
                    position,
                    walker.child,
                    region.firsts,
                    region.edges,
                )
                count += 1
    return count


@kernel
def _neighbours_of(number, region, walker):
    region, walker = _borrow_region(region), _borrow_walker(walker)
    _begin_walk(region.root, walker.walk)
    _walk_to(number, walker.walk, walker.position, region.edges)
    return _neighbours(region, walker)


def neighbours(region: Region, number: int) -> NDArray[np.int64]:
    """The numbers of all positions one plain move from a position, ascending, each once.

    Raises:
        ValueError: there is no position of this number.
    """
    if not 0 <= number < region.size:
        raise ValueError(f"positions are numbered from 0 to {region.size - 1}")
    walker = new_walker(region.layout)
    count = _neighbours_of(number, region.arrays, walker)
    return np.unique(walker.found[:count])
