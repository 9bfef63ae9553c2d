"""The relaxed closure: dealt invalid groups that stay frozen whatever is done among the other tiles.

Let U be a set of dealt invalid groups, and collect every group that could ever appear while all of U stays
as dealt: the other dealt groups, and both results of every valid exchange between two collected groups that fit
together on the tiles outside U. If no collected group, and no other group of U, can exchange with a group of U so that
both become valid, none of U is ever the first to be repaired.

The union of two such sets is such a set, so there is a largest one, found from above: start with all invalid
groups and let go, again and again, of those that find a partner.
"""

from __future__ import annotations

import numpy as np

from solver.bits import canonical_word
from solver.jit import kernel
from solver.xiangshifu.groups import GROUPS, group_table
from solver.xiangshifu.moves import _LOWER_BITS, MoveTable, _code, move_table
from solver.xiangshifu.position import Position
from solver.xiangshifu.repairs import TILE_ARRAYS, _hold_tiles
from solver.xiangshifu.rules import RuleSet


@kernel
def _fits(a, b, stock, masks, lower):  # type: ignore[no-untyped-def]
    """Whether the stock (a canonical mask) has the tiles of both groups, which the set has."""
    both = masks[a] | masks[b] | ((masks[a] & masks[b] & lower) << np.uint32(1))
    return both & ~stock == 0


@kernel
def _collect(group, collected, isin):  # type: ignore[no-untyped-def]
    if not isin[group]:
        isin[group] = True
        collected[collected[-1]] = group
        collected[-1] += 1


@kernel
def _close(first, stock, masks, lower, moves, collected, isin):  # type: ignore[no-untyped-def]
    """Collect all that exchanges make, given that groups before place ``first`` have met each other."""
    place = first
    while place < collected[-1]:
        a = np.int64(collected[place])
        for other in range(place + 1):
            b = np.int64(collected[other])
            code = _code(a, b, moves)
            if code and _fits(a, b, stock, masks, lower):
                for result in range(code >> 4, (code >> 4) + (code & 15)):
                    _collect(moves.results[result, 0], collected, isin)
                    _collect(moves.results[result, 1], collected, isin)
        place += 1


@kernel
def _thaws(place, frozen, dealt, moves, collected):  # type: ignore[no-untyped-def]
    """Whether a collected group, or another frozen one, can exchange with the frozen group at this place."""
    for other in range(collected[-1]):
        if _code(dealt[place], np.int64(collected[other]), moves):
            return True
    for other in range(dealt.shape[0]):
        if frozen[other] and other != place and _code(dealt[place], dealt[other], moves):
            return True
    return False


@kernel
def _closure(frozen, tiles, dealt, held, masks, lower, network, moves, collected, isin):  # type: ignore[no-untyped-def]
    """Collect all groups that can appear while the groups at ``frozen`` places stay."""
    collected[-1] = 0
    isin[:] = False
    stock = np.uint64(tiles)
    for place in range(dealt.shape[0]):
        if frozen[place]:
            stock &= ~held[place]
        else:
            _collect(dealt[place], collected, isin)
    _close(0, np.uint32(canonical_word(stock, network)), masks, lower, moves, collected, isin)


@kernel
def _freeze(frozen, tiles, dealt, kinds, masks, lower, tile_arrays, moves, collected, isin):  # type: ignore[no-untyped-def]
    """Let go of frozen groups until none finds a partner; whether any is left. ``collected`` is the closure."""
    held = _hold_tiles(dealt, kinds, tile_arrays)
    again = True
    left = True
    while again and left:
        _closure(frozen, tiles, dealt, held, masks, lower, tile_arrays.network, moves, collected, isin)
        again, left = False, False
        for place in range(dealt.shape[0]):
            if frozen[place] and _thaws(place, frozen, dealt, moves, collected):
                frozen[place] = False
                again = True
            left |= frozen[place]
    return left
