"""The repair model of a deal: which dealt invalid groups can be repaired, in which order, in how few moves.

An invalid group stays as dealt until the move that repairs it, so what can still be repaired depends only on
*which* of the dealt invalid groups remain. Let M be that set. A group T of M can be repaired alone only with
a valid partner, and that partner is made of tiles that no group of M holds; two groups of M can be repaired
together only if they can exchange as dealt (an *edge*). A table over all sets M, of at most 2^12 entries,
therefore answers at once:

* ``bound``: the fewest repairs that empty M, a lower bound of the moves still needed. It is at least the number
  of groups less a maximum matching, and more where a group can only be repaired together with another, or must wait
  for others.
* or ``DEAD``: no order of repairs empties M. Then every position whose invalid groups are M is lost.
* ``steps``: which repairs lie on a shortest order. A position in which none of these can be done now needs
  at least ``bound + 1`` moves.

Both bounds are consistent: a move leaves M alone, or takes one step of the table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import canonical_word, lowest_bit
from solver.jit import kernel
from solver.xiangshifu.groups import group_table
from solver.xiangshifu.moves import _code, move_table
from solver.xiangshifu.position import LAYOUTS, Position
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.tiles import TILES

MOST_GROUPS = max(layout.groups for layout in LAYOUTS.values())
DEAD = 255
EDGE_STEP = 1 << 15
"""Bit of ``steps``: a shortest order begins with an edge."""

SET = np.dtype(
    [
        ("outside", np.uint32),
        ("steps", np.uint16),
        ("steps_alone", np.uint16),
        ("linked", np.uint16),
        ("bound", np.uint8),
        ("alone", np.uint8),
    ],
    align=True,
)
"""What is known of one set M of dealt invalid groups.

``outside``: canonical mask of the tiles that no group of M holds; ``bound``: the fewest repairs that empty M, or
``DEAD``; ``steps``: groups whose repair alone, and ``EDGE_STEP``, that lead to a set with a bound one lower;
``alone`` and ``steps_alone``: the same without edges; ``linked``: the groups of M with an edge to another of M.
"""


class RepairModel(NamedTuple):
    """The repair model as kernels see it.

    Attributes:
        dealt: int16, shape (groups,): numbers of the dealt groups by place.
        places: int16, shape (invalid,): the places of the dealt invalid groups; index k is bit k of a set M.
        invalid: int16, shape (invalid,): their group numbers.
        edges: uint16, shape (invalid,): for each of them, the others it has an edge to.
        edge_codes: int32, shape (invalid, invalid or more): the results of an edge, coded as in ``MoveTable.codes``.
        sets: ``SET``, shape (2**invalid,): what is known of each set M.
        helps: uint16, shape (valid groups,): for each of ``MoveTable.valid_groups``, the dealt invalid groups it
            is a partner of.
    """

    dealt: NDArray[np.int16]
    places: NDArray[np.int16]
    invalid: NDArray[np.int16]
    edges: NDArray[np.uint16]
    edge_codes: NDArray[np.int32]
    sets: NDArray[np.void]
    helps: NDArray[np.uint16]


class _TileArrays(NamedTuple):
    shifts: NDArray[np.int64]
    network: NDArray[np.uint64]


TILE_ARRAYS = _TileArrays(np.array(TILES.shifts, dtype=np.int64), np.array(TILES.sorting_network()[0], dtype=np.uint64))


@kernel
def _hold_tiles(dealt, kinds, shifts):
    """For each place, the actual copies its group holds: every copy goes to one place."""
    used = np.zeros(shifts.shape[0], np.int64)
    held = np.zeros(dealt.shape[0], np.uint64)
    for place in range(dealt.shape[0]):
        for i in range(3):
            kind = kinds[dealt[place], i]
            if kind >= 0:
                held[place] |= np.uint64(1) << np.uint64(shifts[kind] + used[kind])
                used[kind] += 1
    return held


@kernel
def _fill_edges(invalid, moves, edges, edge_codes):
    for k in range(invalid.shape[0]):
        edges[k] = 0
        for other in range(invalid.shape[0]):
            edge_codes[k, other] = 0
            if other != k:
                edge_codes[k, other] = _code(invalid[k], invalid[other], moves)
            if edge_codes[k, other]:
                edges[k] |= np.uint16(1 << other)


@kernel
def _has_partner(group, stock, valid_rows, valid_masks):
    """Whether the stock of tiles (a canonical mask) has the tiles of a valid partner of the group."""
    for word in range(valid_rows.shape[1]):
        bits = valid_rows[group, word]
        while bits:
            number = (word << 6) + np.int64(lowest_bit(bits))
            bits &= bits - np.uint64(1)
            if valid_masks[number] & ~stock == 0:
                return True
    return False


@kernel
def _fill_bounds(invalid, edges, sets, constrained, valid_rows, valid_masks):
    """Fill the bounds. A group not in ``constrained`` is taken to find a partner at any time."""
    sets[0].bound, sets[0].alone = 0, 0
    sets[0].steps, sets[0].steps_alone = 0, 0
    for remaining in range(1, sets.shape[0]):
        stock = sets[remaining & constrained].outside
        alone, steps = np.int64(DEAD), 0
        rest = remaining
        while rest:
            k = lowest_bit(rest)
            rest &= rest - 1
            after = np.int64(sets[remaining & ~(1 << k)].alone)
            if after == DEAD:
                continue
            steps |= 1 << k
            if alone == DEAD and (
                not (constrained >> k) & 1 or _has_partner(invalid[k], stock, valid_rows, valid_masks)
            ):
                alone = after + 1
        sets[remaining].alone = alone
        sets[remaining].steps_alone = steps if alone < DEAD else 0
        _fill_bound_with_edges(remaining, edges, sets)


@kernel
def _fill_bound_with_edges(remaining, edges, sets):
    """Edges first: each is at hand from the start, and the fewer groups remain the more partners there can be."""
    best, steps = np.int64(sets[remaining].alone), np.int64(sets[remaining].steps_alone)
    rest = remaining
    while rest:
        k = lowest_bit(rest)
        rest &= rest - 1
        others = np.int64(edges[k]) & rest
        while others:
            j = lowest_bit(others)
            others &= others - 1
            after = np.int64(sets[remaining & ~(1 << k) & ~(1 << j)].bound) + 1
            if after < best:
                best, steps = after, EDGE_STEP
            elif after == best < DEAD:
                steps |= EDGE_STEP
    sets[remaining].bound = best
    sets[remaining].steps = steps if best < DEAD else 0


@kernel
def _fill_sets(tiles_of_deal, held, places, edges, sets, network):
    """Fill all of ``sets`` but the bounds."""
    taken = np.zeros(sets.shape[0], np.uint64)
    sets[0].linked = 0
    sets[0].outside = tiles_of_deal
    for remaining in range(1, sets.shape[0]):
        low = lowest_bit(remaining)
        rest = remaining & (remaining - 1)
        met = np.int64(edges[low]) & remaining
        sets[remaining].linked = np.int64(sets[rest].linked) | met | ((1 << low) if met else 0)
        taken[remaining] = taken[rest] | held[places[low]]
        sets[remaining].outside = canonical_word(np.uint64(tiles_of_deal) & ~taken[remaining], network)


@kernel
def _fill_model(model, tiles_of_deal, kinds, moves, tiles):
    dealt, places, invalid, edges, edge_codes, sets, helps = model
    for k in range(places.shape[0]):
        invalid[k] = dealt[places[k]]
    _fill_edges(invalid, moves, edges, edge_codes)
    _fill_sets(tiles_of_deal, _hold_tiles(dealt, kinds, tiles.shifts), places, edges, sets, tiles.network)
    for number in range(helps.shape[0]):
        helps[number] = 0
        for k in range(places.shape[0]):
            if (moves.valid_rows[invalid[k], number >> 6] >> np.uint64(number & 63)) & np.uint64(1):
                helps[number] |= np.uint16(1 << k)
    _fill_bounds(invalid, edges, sets, sets.shape[0] - 1, moves.valid_rows, moves.valid_masks)


def repair_model(position: Position, rules: RuleSet) -> RepairModel:
    """The repair model of a position taken as a deal: sets M are sets of its invalid groups."""
    table = group_table()
    moves = move_table(rules)
    dealt = np.array([table.number(group) for group in position.groups], dtype=np.int16)
    places = np.flatnonzero(~moves.valid[dealt]).astype(np.int16)
    count = len(places)
    model = RepairModel(
        dealt,
        places,
        np.empty(count, dtype=np.int16),
        np.empty(count, dtype=np.uint16),
        np.empty((count, count), dtype=np.int32),
        np.empty(1 << count, dtype=SET),
        np.empty(len(moves.valid_groups), dtype=np.uint16),
    )
    _fill_model(model, position.layout.tiles, table.kinds, moves, TILE_ARRAYS)
    return model


def bound_with(constrained: int, model: RepairModel, rules: RuleSet) -> int:
    """The bound of the whole deal, or ``DEAD``, if groups not in a set (bits) could find a partner at any time."""
    sets = model.sets.copy()
    moves = move_table(rules)
    _fill_bounds(model.invalid, model.edges, sets, constrained, moves.valid_rows, moves.valid_masks)
    return int(sets[-1]["bound"])


def valid_partners(group: int, rules: RuleSet) -> tuple[int, ...]:
    """The masks of all valid groups that a group can exchange with so that both are valid afterwards.

    Raises:
        InputError: the mask is neither a triple nor a pair of the set.
    """
    row = move_table(rules).valid_rows[group_table().number(group)]
    bits = np.unpackbits(row.view(np.uint8), bitorder="little")
    return tuple(int(mask) for mask in move_table(rules).valid_masks[np.flatnonzero(bits)])
