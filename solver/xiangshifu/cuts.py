"""Cuts: positions in the middle of a search from which nothing wins, by the layered closure.

Where a search lingers with the same few invalid groups, it often does so in vain, and the layered closure
(``solver.xiangshifu.layers``) of one position shows it. What can be reached from a position that such a closure covers
is covered by it too. So one *cut*, found in some milliseconds, settles up to millions of positions.

A position is covered by a cut if its invalid groups are a layer of it, and its valid ones are in that layer, each two
of them beside each other. Exchanges between two dealt invalid groups are not considered, so a position that only
such exchanges have led to is never taken for covered (see ``solver.xiangshifu.search``, "Edges first").
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import borrowed, popcount
from solver.jit import kernel
from solver.xiangshifu.groups import group_table
from solver.xiangshifu.layers import _fill_top, _follow_layers, _has, _layer_stocks
from solver.xiangshifu.moves import LOWER_BITS, MoveTable
from solver.xiangshifu.repairs import MOST_GROUPS, TILE_ARRAYS, _hold_tiles

MOST_CUTS = 48
"""Cuts kept for one deal."""

MOST_REMAINING = 3
"""Invalid groups of a position for which a cut is looked for; each doubles the layers."""

FIRST_TRY, TRY_FACTOR = 1000, 4
"""Expansions with the same invalid groups before a cut is tried, and how many times as many before each next try."""

_USED, _TILES, _MOST = range(3)


class Cuts(NamedTuple):
    """The cuts of one deal, and room to look for more.

    Attributes:
        state: int64, shape (3,): cuts found, the tiles of the deal (a mask), and how many cuts may be found.
        expansions: int32, shape (2**MOST_GROUPS, 2): for each set of remaining invalid groups, expansions
            so far and those at which a cut is tried next.
        remaining: uint16, shape (MOST_CUTS,): the dealt invalid groups (bits) of the position whose closure it is.
        order: int8, shape (MOST_CUTS, MOST_REMAINING): the dealt invalid group (its number) of each bit of a layer.
        members: uint64, shape (MOST_CUTS, layers, words): the groups of each layer, as in ``layers``.
        beside: uint64, shape (MOST_CUTS, layers, groups, words): which of them can stand beside each other.
        groups: int16, shape (groups,): their numbers.
        masks, kinds, shifts, network: what kernels need to know of groups and tiles.
    """

    state: NDArray[np.int64]
    expansions: NDArray[np.int32]
    remaining: NDArray[np.uint16]
    order: NDArray[np.int8]
    members: NDArray[np.uint64]
    beside: NDArray[np.uint64]
    groups: NDArray[np.int16]
    masks: NDArray[np.uint32]
    kinds: NDArray[np.int16]
    shifts: NDArray[np.int64]
    network: NDArray[np.uint64]


def no_cuts(moves: MoveTable) -> Cuts:
    """Room for the cuts of deals of one rule set."""
    table = group_table()
    size = len(moves.valid_groups) + MOST_GROUPS
    words, layers = (size + 63) // 64, 1 << MOST_REMAINING
    groups = np.zeros(size, dtype=np.int16)
    groups[: len(moves.valid_groups)] = moves.valid_groups
    return Cuts(
        np.zeros(3, dtype=np.int64),
        np.zeros((1 << MOST_GROUPS, 2), dtype=np.int32),
        np.zeros(MOST_CUTS, dtype=np.uint16),
        np.empty((MOST_CUTS, MOST_REMAINING), dtype=np.int8),
        np.empty((MOST_CUTS, layers, words), dtype=np.uint64),
        np.empty((MOST_CUTS, layers, size, words), dtype=np.uint64),
        groups,
        table.masks,
        table.kinds,
        TILE_ARRAYS.shifts,
        TILE_ARRAYS.network,
    )


@kernel
def _borrow_cuts(cuts):
    return Cuts(
        borrowed(cuts.state),
        borrowed(cuts.expansions),
        borrowed(cuts.remaining),
        borrowed(cuts.order),
        borrowed(cuts.members),
        borrowed(cuts.beside),
        borrowed(cuts.groups),
        borrowed(cuts.masks),
        borrowed(cuts.kinds),
        borrowed(cuts.shifts),
        borrowed(cuts.network),
    )


@kernel
def _forget_cuts(sets, tiles, most, cuts):
    """Make ready for a deal with so many sets of invalid groups, of these tiles, and at most so many cuts."""
    cuts.state[_USED] = 0
    cuts.state[_TILES] = tiles
    cuts.state[_MOST] = most
    cuts.expansions[:sets, 0] = 0
    cuts.expansions[:sets, 1] = FIRST_TRY


@kernel
def _covered_by(cut, groups, remaining, valid_numbers, cuts):
    """Whether a cut covers a position: its group numbers, and which dealt invalid groups remain (bits)."""
    if remaining & ~np.int64(cuts.remaining[cut]):
        return False
    layer = 0
    for bit in range(MOST_REMAINING):
        k = cuts.order[cut, bit]
        if k >= 0 and (remaining >> k) & 1:
            layer |= 1 << bit
    members, beside = cuts.members[cut, layer], cuts.beside[cut, layer]
    for place in range(groups.shape[0]):
        number = np.int64(valid_numbers[groups[place]])
        if number < 0:
            continue
        if not _has(members, number):
            return False
        for other in range(place):
            beyond = np.int64(valid_numbers[groups[other]])
            if beyond >= 0 and not _has(beside[number], beyond):
                return False
    return True


@kernel
def _covered(groups, remaining, valid_numbers, cuts):
    """Whether any cut covers a position."""
    for cut in range(cuts.state[_USED]):  # noqa: SIM110
        if _covered_by(cut, groups, remaining, valid_numbers, cuts):
            return True
    return False


@kernel
def _is_due(remaining, cuts):
    """Count an expansion with these invalid groups; whether a cut is to be tried."""
    cuts.expansions[remaining, 0] += 1
    if cuts.expansions[remaining, 0] < cuts.expansions[remaining, 1]:
        return False
    cuts.expansions[remaining, 1] *= TRY_FACTOR
    return cuts.state[_USED] < cuts.state[_MOST]


@kernel
def _try_cut(groups, remaining, invalid, moves, cuts):
    """Look for a cut that covers this position; whether there is one."""
    cut, count = cuts.state[_USED], np.int64(popcount(remaining))
    if count > MOST_REMAINING:
        return False
    chosen = np.empty(count, np.int64)
    stocks = np.empty(1 << count, np.uint32)
    _choose(groups, remaining, invalid, moves.valid, chosen, cuts.order[cut])
    held = _hold_tiles(groups, cuts.kinds, cuts.shifts)
    _layer_stocks(chosen, cuts.state[_TILES], held, cuts.network, stocks)
    members, beside = cuts.members[cut], cuts.beside[cut]
    members[: 1 << count] = 0
    beside[: 1 << count] = 0
    top = stocks.shape[0] - 1
    _fill_top(chosen, groups, cuts.groups, moves, members[top], beside[top])
    if _follow_layers(
        top,
        0,
        False,
        False,
        chosen,
        stocks,
        groups,
        cuts.groups,
        cuts.masks,
        LOWER_BITS,
        moves,
        members,
        beside,
    ):
        return False
    cuts.remaining[cut] = remaining
    cuts.state[_USED] = cut + 1
    return True


@kernel
def _choose(groups, remaining, invalid, valid, chosen, order):
    """The places of a position's invalid groups, and for each which dealt invalid group it is."""
    order[:] = -1
    count = 0
    for place in range(groups.shape[0]):
        if valid[groups[place]]:
            continue
        chosen[count] = place
        for k in range(invalid.shape[0]):
            if (remaining >> k) & 1 and invalid[k] == groups[place]:
                order[count] = k
                remaining &= ~(1 << k)
                break
        count += 1
