"""The relaxed closure: what could ever appear while some dealt invalid groups stay frozen.

Let U be a set of dealt invalid groups that stay as dealt. Collect what the exchanges among all other groups could
make on the tiles outside U. If no collected group, and no other group of U, can exchange with a group of U so
that both become valid, then none of U is ever the first of them to be repaired, and the deal is lost.

The **relaxed closure** pretends that a group once there stays there: any two collected groups that fit together on the
tiles outside U may exchange. (``solver.xiangshifu.layers`` also follows which groups stand beside each other.)

The union of two sets U for which an argument holds is such a set, so there is a largest one. It is found from above:
start with all invalid groups and let go, again and again, of those that find a partner.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.bits import canonical_word
from solver.jit import kernel
from solver.xiangshifu.groups import GROUPS, group_table
from solver.xiangshifu.moves import LOWER_BITS, _code, move_table
from solver.xiangshifu.position import Position
from solver.xiangshifu.repairs import TILE_ARRAYS, _hold_tiles
from solver.xiangshifu.rules import RuleSet


@dataclass(frozen=True)
class Closure:
    """What can appear while groups stay frozen.

    Attributes:
        frozen: places of the frozen groups; empty if the argument holds for none.
        groups: masks of the collected groups, ascending; empty if nothing is frozen.
    """

    frozen: tuple[int, ...]
    groups: tuple[int, ...]


@kernel
def _fits(a, b, stock, masks, lower):
    """Whether the stock (a canonical mask) has the tiles of two groups that the set has."""
    both = masks[a] | masks[b] | ((masks[a] & masks[b] & lower) << np.uint32(1))
    return both & ~stock == 0


@kernel
def _stock(frozen, tiles, held, network):
    """The canonical mask of the tiles that no frozen group holds."""
    stock = np.uint64(tiles)
    for place in range(frozen.shape[0]):
        if frozen[place]:
            stock &= ~held[place]
    return np.uint32(canonical_word(stock, network))


@kernel
def _collect(group, collected, numbers):
    """The number of a group among those collected, whose count is kept in the last place."""
    if numbers[group] < 0:
        numbers[group] = collected[-1]
        collected[collected[-1]] = group
        collected[-1] += 1
    return np.int64(numbers[group])


@kernel
def _thaw(frozen, dealt, moves, collected, start):
    """Let go of the frozen groups that a group collected from ``start`` on can exchange with; whether any is."""
    thawed = False
    for other in range(start, np.int64(collected[-1])):
        for place in range(dealt.shape[0]):
            if frozen[place] and _code(dealt[place], np.int64(collected[other]), moves):
                frozen[place] = False
                thawed = True
    return thawed


@kernel
def _thaw_each_other(frozen, dealt, moves):
    """Let go of the frozen groups that can exchange with each other."""
    for place in range(dealt.shape[0]):
        for other in range(place):
            if frozen[place] and frozen[other] and _code(dealt[place], dealt[other], moves):
                frozen[place] = frozen[other] = False


@kernel
def _relaxed(frozen, stock, dealt, masks, lower, moves, collected, numbers):
    """Collect the relaxed closure; stop as soon as a frozen group thaws, and return whether one did."""
    collected[-1] = 0
    numbers[:] = -1
    for place in range(dealt.shape[0]):
        if not frozen[place]:
            _collect(dealt[place], collected, numbers)
    place, checked = 0, 0
    while place < collected[-1]:
        if _thaw(frozen, dealt, moves, collected, checked):
            return True
        checked = np.int64(collected[-1])
        a = np.int64(collected[place])
        for other in range(place + 1):
            b = np.int64(collected[other])
            code = _code(a, b, moves)
            if code and _fits(a, b, stock, masks, lower):
                for result in range(code >> 4, (code >> 4) + (code & 15)):
                    _collect(moves.results[result, 0], collected, numbers)
                    _collect(moves.results[result, 1], collected, numbers)
        place += 1
    return _thaw(frozen, dealt, moves, collected, checked)


@kernel
def _freeze(frozen, tiles, dealt, held, masks, lower, network, moves, collected, numbers):
    """Let go of frozen groups until none finds a partner."""
    _thaw_each_other(frozen, dealt, moves)
    thawed = True
    while thawed and frozen.any():
        stock = _stock(frozen, tiles, held, network)
        thawed = _relaxed(frozen, stock, dealt, masks, lower, moves, collected, numbers)


def relaxed_closure(position: Position, frozen: Iterable[int], rules: RuleSet) -> Closure:
    """The largest subset of some places whose groups stay frozen for good, and its relaxed closure.

    Args:
        position: a position taken as a deal.
        frozen: places of invalid groups to begin with.
        rules: the rule set.

    Raises:
        ValueError: a place is not that of an invalid group.
    """
    table = group_table()
    moves = move_table(rules)
    dealt = np.array([table.number(group) for group in position.groups], dtype=np.int16)
    start = np.zeros(len(dealt), dtype=np.bool_)
    for place in frozen:
        if not 0 <= place < len(dealt) or moves.valid[dealt[place]]:
            raise ValueError(f"no invalid group is at place {place}")
        start[place] = True
    collected = np.zeros(GROUPS + 1, dtype=np.int16)
    numbers = np.empty(GROUPS, dtype=np.int16)
    held = _hold_tiles(dealt, table.kinds, TILE_ARRAYS.shifts)
    tiles, network = position.layout.tiles, TILE_ARRAYS.network
    _freeze(start, tiles, dealt, held, table.masks, LOWER_BITS, network, moves, collected, numbers)
    if not start.any():
        return Closure((), ())
    groups = tuple(sorted(int(table.masks[group]) for group in collected[: collected[-1]]))
    return Closure(tuple(np.flatnonzero(start).tolist()), groups)


def appearing_groups(position: Position, remaining: Iterable[int], rules: RuleSet) -> NDArray[np.int16]:
    """The numbers of all groups that could appear, by the relaxed closure, while the groups at some places remain.

    Args:
        position: a position taken as a deal.
        remaining: places of invalid groups that are left alone.
        rules: the rule set.
    """
    table = group_table()
    chosen = np.zeros(len(position.groups), dtype=np.bool_)
    chosen[list(remaining)] = True
    dealt = np.array([table.number(group) for group in position.groups], dtype=np.int16)
    collected = np.zeros(GROUPS + 1, dtype=np.int16)
    numbers = np.empty(GROUPS, dtype=np.int16)
    held = _hold_tiles(dealt, table.kinds, TILE_ARRAYS.shifts)
    stock = _stock(chosen, position.layout.tiles, held, TILE_ARRAYS.network)
    others = dealt[~chosen]
    none = np.zeros(len(others), dtype=np.bool_)
    _relaxed(none, stock, others, table.masks, LOWER_BITS, move_table(rules), collected, numbers)
    return collected[: collected[-1]].copy()
