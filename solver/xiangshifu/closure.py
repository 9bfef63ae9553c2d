"""Closures: what can ever appear while some dealt invalid groups stay frozen.

Let U be a set of dealt invalid groups that stay as dealt. Collect what the exchanges among all other groups could
make on the tiles outside U. If no collected group, and no other group of U, can exchange with a group of U so
that both become valid, then none of U is ever the first of them to be repaired, and the deal is lost.

* The **relaxed closure** pretends that a group once there stays there: any two collected groups that fit together on
  the tiles outside U may exchange.
* The **pair closure** also collects which two groups can stand *beside* each other. Only such two may exchange; what
  they make stands beside each other, and beside all that stood beside both and fits together with both. This
  is the second of the planning heuristics h^m (Haslum and Geffner, "Admissible heuristics for optimal planning",
  2000), sharpened by the tiles that three groups need.

The union of two sets U for which an argument holds is such a set, so there is a largest one. It is found from above:
start with all invalid groups and let go, again and again, of those that find a partner.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.bits import canonical_word, lowest_bit
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
        groups: masks of the collected groups, ascending.
        pairs: how many pairs of them can stand beside each other; None for the relaxed closure.
    """

    frozen: tuple[int, ...]
    groups: tuple[int, ...]
    pairs: int | None = None


@kernel
def _fits(a, b, stock, masks, lower):
    """Whether the stock (a canonical mask) has the tiles of two groups that the set has."""
    both = masks[a] | masks[b] | ((masks[a] & masks[b] & lower) << np.uint32(1))
    return both & ~stock == 0


@kernel
def _fits_third(a, b, c, stock, masks, lower):
    """Whether the stock has the tiles of three groups."""
    one = np.uint32(1)
    ma, mb, mc = masks[a], masks[b], masks[c]
    shared = (ma & mb) | (ma & mc) | (mb & mc)
    if shared & ~(lower | (lower << one)):
        return False
    # Of a kind with two copies none is left for a third group, nor beside a group that holds both.
    over = ((ma >> one) & (mb | mc)) | ((mb >> one) & (ma | mc)) | ((mc >> one) & (ma | mb)) | (ma & mb & mc)
    return over & lower == 0 and (ma | mb | mc | ((shared & lower) << one)) & ~stock == 0


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
def _relaxed(frozen, stock, dealt, masks, lower, moves, collected, numbers):
    """Collect the relaxed closure."""
    collected[-1] = 0
    numbers[:] = -1
    for place in range(dealt.shape[0]):
        if not frozen[place]:
            _collect(dealt[place], collected, numbers)
    place = 0
    while place < collected[-1]:
        a = np.int64(collected[place])
        for other in range(place + 1):
            b = np.int64(collected[other])
            code = _code(a, b, moves)
            if code and _fits(a, b, stock, masks, lower):
                for result in range(code >> 4, (code >> 4) + (code & 15)):
                    _collect(moves.results[result, 0], collected, numbers)
                    _collect(moves.results[result, 1], collected, numbers)
        place += 1


@kernel
def _stands(x, y, beside):
    return (beside[x, y >> 6] >> np.uint64(y & 63)) & np.uint64(1) != 0


@kernel
def _meet(x, y, beside):
    """Note that collected groups number x and y can stand beside each other; whether that is new."""
    if _stands(x, y, beside):
        return False
    beside[x, y >> 6] |= np.uint64(1) << np.uint64(y & 63)
    beside[y, x >> 6] |= np.uint64(1) << np.uint64(x & 63)
    return True


@kernel
def _meet_neighbours(i, j, x, y, stock, masks, lower, collected, beside):
    """Put x and y, made of i and j, beside all that stood beside both and fits; whether any pair is new."""
    new = _meet(x, y, beside)
    for word in range(beside.shape[1]):
        bits = beside[i, word] & beside[j, word] & ~(beside[x, word] & beside[y, word])
        while bits:
            k = (word << 6) + np.int64(lowest_bit(bits))
            bits &= bits - np.uint64(1)
            if _fits_third(collected[i], collected[j], collected[k], stock, masks, lower):
                new |= _meet(x, k, beside)
                new |= _meet(y, k, beside)
    return new


@kernel
def _pairs(frozen, stock, dealt, masks, lower, moves, collected, numbers, beside):
    """Collect the pair closure."""
    collected[-1] = 0
    numbers[:] = -1
    beside[:] = 0
    for place in range(dealt.shape[0]):
        if not frozen[place]:
            x = _collect(dealt[place], collected, numbers)
            for other in range(place):
                if not frozen[other]:
                    _meet(x, np.int64(numbers[dealt[other]]), beside)
    again = True
    while again:
        again = False
        for i in range(np.int64(collected[-1])):
            for j in range(i + 1):
                if not _stands(i, j, beside):
                    continue
                code = _code(np.int64(collected[i]), np.int64(collected[j]), moves)
                for result in range(code >> 4, (code >> 4) + (code & 15)):
                    x = _collect(moves.results[result, 0], collected, numbers)
                    y = _collect(moves.results[result, 1], collected, numbers)
                    again |= _meet_neighbours(i, j, x, y, stock, masks, lower, collected, beside)


@kernel
def _thaws(place, frozen, with_edges, dealt, moves, collected):
    """Whether a collected group, or another frozen one, can exchange with the frozen group at this place."""
    for other in range(collected[-1]):
        group = np.int64(collected[other])
        if (with_edges or moves.valid[group]) and _code(dealt[place], group, moves):
            return True
    for other in range(dealt.shape[0]):
        if with_edges and frozen[other] and other != place and _code(dealt[place], dealt[other], moves):
            return True
    return False


@kernel
def _freeze(
    frozen, with_pairs, with_edges, tiles, dealt, held, masks, lower, network, moves, collected, numbers, beside
):
    """Let go of frozen groups until none finds a partner; whether any is left."""
    again = True
    while again:
        stock = _stock(frozen, tiles, held, network)
        if with_pairs:
            _pairs(frozen, stock, dealt, masks, lower, moves, collected, numbers, beside)
        else:
            _relaxed(frozen, stock, dealt, masks, lower, moves, collected, numbers)
        again = False
        for place in range(dealt.shape[0]):
            if frozen[place] and _thaws(place, frozen, with_edges, dealt, moves, collected):
                frozen[place] = False
                again = True
    return frozen.any()


def closure(
    position: Position, frozen: Iterable[int], rules: RuleSet, *, pairs: bool = False, edges: bool = True
) -> Closure:
    """The largest subset of some places whose groups stay frozen for good, and its closure.

    Args:
        position: a position taken as a deal.
        frozen: places of invalid groups to begin with.
        rules: the rule set.
        pairs: whether to use the pair closure (stronger, some milliseconds) or the relaxed one (well under one).
        edges: whether an exchange between two dealt invalid groups, as dealt, can repair a frozen group.

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
    most = len(moves.valid_groups) + len(dealt) if pairs else 0
    beside: NDArray[np.uint64] = np.empty((most, (most + 63) // 64), dtype=np.uint64)
    held = _hold_tiles(dealt, table.kinds, TILE_ARRAYS)
    _freeze(
        start,
        pairs,
        edges,
        position.layout.tiles,
        dealt,
        held,
        table.masks,
        LOWER_BITS,
        TILE_ARRAYS.network,
        moves,
        collected,
        numbers,
        beside,
    )
    groups = tuple(sorted(int(table.masks[group]) for group in collected[: collected[-1]]))
    return Closure(tuple(np.flatnonzero(start).tolist()), groups, _count_pairs(beside) if pairs else None)


def _count_pairs(beside: NDArray[np.uint64]) -> int:
    twice = int(np.bitwise_count(beside).sum())
    alone = sum(int(beside[i, i >> 6]) >> (i & 63) & 1 for i in range(len(beside)))
    return (twice + alone) // 2
