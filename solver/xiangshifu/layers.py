"""Layered closure: no order of repairing a few chosen groups works out.

Choose some dealt invalid groups S, and follow separately what can appear while exactly the groups R of S remain as
dealt: the *layer* R. The first is S itself, with the other dealt groups. In a layer two things are collected: which
groups can appear, and which two of them can stand *beside* each other. Only such two may exchange; what they make
stands beside each other, and beside all that stood beside both and fits together with both on the tiles outside R. An
exchange that repairs a group k of R leads on to the layer R less k, where all that stood beside the partner goes on
standing, now beside what the exchange made. A valid group is followed by its kind, an invalid one by its place, so two
equal invalid groups count as two. If no layer leads on to the empty one, the groups of S are never all
repaired, and the deal is lost.

With a single group S this is the second of the planning heuristics h^m (Haslum and Geffner, "Admissible heuristics for
optimal planning", 2000), sharpened by the tiles that three groups need. With more it settles what needed millions
of positions before: deals in which either of two groups can be repaired, but then the other no more.

With all invalid groups chosen and the empty layer followed too, the layers tell of any position whether its valid
groups can stand beside each other while just its invalid groups remain (``standing_beside``). Mostly a tenth of the
layers can be reached at all, so that takes no more than some tenths of a second.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.bits import canonical_word, lowest_bit
from solver.jit import kernel
from solver.xiangshifu.groups import group_table
from solver.xiangshifu.moves import LOWER_BITS, _code, move_table
from solver.xiangshifu.position import Position
from solver.xiangshifu.repairs import MOST_GROUPS, TILE_ARRAYS, _hold_tiles
from solver.xiangshifu.rules import RuleSet

MOST_CHOSEN = 4
"""Groups that may be chosen for a proof that they are never all repaired; each doubles the layers."""

LAYERS = 16
"""Layers followed between looks at the clock, some milliseconds."""


@dataclass(frozen=True)
class Layer:
    """What can appear while just these chosen groups remain as dealt.

    Attributes:
        remaining: their places.
        groups: how many groups can.
        pairs: how many pairs of them can stand beside each other.
    """

    remaining: tuple[int, ...]
    groups: int
    pairs: int


@kernel
def _has(bits, place):
    return (bits[place >> 6] >> np.uint64(place & 63)) & np.uint64(1) != 0


@kernel
def _add(bits, place):
    bits[place >> 6] |= np.uint64(1) << np.uint64(place & 63)


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
def _join(i, j, members, beside):
    """Note that groups i and j can stand beside each other; whether that is new."""
    if _has(beside[i], j):
        return False
    _add(members, i)
    _add(members, j)
    _add(beside[i], j)
    _add(beside[j], i)
    return True


@kernel
def _exchange_beside(i, j, code, stock, groups, masks, lower, numbers, members, beside):
    """What an exchange between two groups that stand beside each other makes; whether any pair is new."""
    new = False
    for result in range(code >> 4, (code >> 4) + (code & 15)):
        x, y = np.int64(numbers[result, 0]), np.int64(numbers[result, 1])
        new |= _join(x, y, members, beside)
        for word in range(beside.shape[1]):
            bits = beside[i, word] & beside[j, word] & ~(beside[x, word] & beside[y, word])
            while bits:
                k = (word << 6) + np.int64(lowest_bit(bits))
                bits &= bits - np.uint64(1)
                if _fits_third(groups[i], groups[j], groups[k], stock, masks, lower):
                    new |= _join(x, k, members, beside)
                    new |= _join(y, k, members, beside)
    return new


@kernel
def _grow_layer(stock, last, groups, masks, lower, moves, members, beside):
    """Close a layer under exchanges; stop and return True if a partner of the group ``last`` (-1: none) appears."""
    valid = moves.valid_groups.shape[0]
    again = True
    while again:
        again = False
        for i in range(groups.shape[0]):
            if not _has(members, i):
                continue
            if last >= 0 and _code(last, groups[i], moves):
                return True
            for word in range(moves.valid_rows.shape[1]):
                bits = moves.valid_rows[groups[i], word] & beside[i, word]
                while bits:
                    j = (word << 6) + np.int64(lowest_bit(bits))
                    bits &= bits - np.uint64(1)
                    if j <= i:
                        code = np.int64(moves.codes[groups[i], j])
                        again |= _exchange_beside(
                            i, j, code, stock, groups, masks, lower, moves.numbers, members, beside
                        )
            for j in range(valid, i if i >= valid else valid):
                if _has(beside[i], j):
                    code = _code(groups[i], groups[j], moves)
                    if code:
                        again |= _exchange_beside(
                            i, j, code, stock, groups, masks, lower, moves.numbers, members, beside
                        )
    return False


@kernel
def _carry(i, code, stock, groups, masks, lower, numbers, members, beside, members_on, beside_on):
    """Into a lower layer: what group i makes with the group repaired, and all that stood beside i."""
    for word in range(members.shape[0]):
        bits = beside[i, word] if i >= 0 else members[word]
        while bits:
            m = (word << 6) + np.int64(lowest_bit(bits))
            bits &= bits - np.uint64(1)
            _add(members_on, m)
            for result in range(code >> 4, (code >> 4) + (code & 15)):
                _join(np.int64(numbers[result, 0]), m, members_on, beside_on)
                _join(np.int64(numbers[result, 1]), m, members_on, beside_on)
            for column in range(word + 1):
                both = beside[m, column] & ~beside_on[m, column]
                if i >= 0:
                    both &= beside[i, column]
                while both:
                    n = (column << 6) + np.int64(lowest_bit(both))
                    both &= both - np.uint64(1)
                    if i < 0 or _fits_third(groups[i], groups[m], groups[n], stock, masks, lower):
                        _join(m, n, members_on, beside_on)
    for result in range(code >> 4, (code >> 4) + (code & 15)):
        _join(np.int64(numbers[result, 0]), np.int64(numbers[result, 1]), members_on, beside_on)


@kernel
def _leave_layer(layer, onward, with_edges, chosen, dealt, stock, groups, masks, lower, moves, members, beside):
    """Follow the repairs of groups of this layer; at the empty one, unless ``onward``, stop and return True.

    Two chosen groups repair each other only ``with_edges``.
    """
    for k in range(chosen.shape[0]):
        if not (layer >> k) & 1:
            continue
        group = dealt[chosen[k]]
        on = layer ^ (1 << k)
        for i in range(groups.shape[0]):
            if _has(members[layer], i):
                code = _code(group, groups[i], moves)
                if code:
                    if on == 0 and not onward:
                        return True
                    _carry(
                        i,
                        code,
                        stock,
                        groups,
                        masks,
                        lower,
                        moves.numbers,
                        members[layer],
                        beside[layer],
                        members[on],
                        beside[on],
                    )
        for other in range(k if with_edges else 0):
            on = layer ^ (1 << k) ^ (1 << other)
            if on & layer == on and (layer >> other) & 1:
                code = _code(group, dealt[chosen[other]], moves)
                if code:
                    if on == 0 and not onward:
                        return True
                    _carry(
                        -1,
                        code,
                        stock,
                        groups,
                        masks,
                        lower,
                        moves.numbers,
                        members[layer],
                        beside[layer],
                        members[on],
                        beside[on],
                    )
    return False


@kernel
def _layer_stocks(chosen, tiles, held, network, stocks):
    """For each layer, the canonical mask of the tiles that none of its remaining groups holds."""
    for layer in range(stocks.shape[0]):
        stock = np.uint64(tiles)
        for k in range(chosen.shape[0]):
            if (layer >> k) & 1:
                stock &= ~held[chosen[k]]
        stocks[layer] = canonical_word(stock, network)


@kernel
def _fill_top(chosen, dealt, groups, moves, members, beside):
    """Let all dealt groups that are not chosen stand beside each other."""
    valid = moves.valid_groups.shape[0]
    for place in range(dealt.shape[0]):
        groups[valid + place] = dealt[place]
    for place in range(dealt.shape[0]):
        if (chosen == place).any():
            continue
        number = np.int64(moves.valid_numbers[dealt[place]])
        i = number if number >= 0 else valid + place
        _add(members, i)
        for other in range(place):
            if not (chosen == other).any():
                number = np.int64(moves.valid_numbers[dealt[other]])
                _join(i, number if number >= 0 else valid + other, members, beside)


@kernel
def _follow_layers(first, end, onward, with_edges, chosen, stocks, dealt, groups, masks, lower, moves, members, beside):
    """Fill the layers from ``first`` down to ``end``, without it, and what they lead to; return as ``_leave_layer``."""
    for layer in range(first, end, -1):
        # With all groups chosen and none of them valid, the top has no members; but two of the chosen may exchange.
        if layer < stocks.shape[0] - 1 and not members[layer].any():
            continue
        is_last = layer & (layer - 1) == 0 and not onward
        last = np.int64(dealt[chosen[lowest_bit(layer)]]) if is_last else -1
        if _grow_layer(stocks[layer], last, groups, masks, lower, moves, members[layer], beside[layer]):
            return True
        if _leave_layer(
            layer,
            onward,
            with_edges,
            chosen,
            dealt,
            stocks[layer],
            groups,
            masks,
            lower,
            moves,
            members,
            beside,
        ):
            return True
    return False


class _Layers:
    """The layers of some chosen places, none of them filled but the top.

    Attributes:
        places: int64, shape (chosen,): the places, ascending; index k is bit k of a layer.
        members: uint64, shape (layers, words): which groups can appear: first the valid ones, by their numbers among
            them, then the invalid ones by place.
        beside: uint64, shape (layers, valid groups + MOST_GROUPS, words): which of them can stand beside each.
    """

    def __init__(self, position: Position, chosen: Iterable[int], rules: RuleSet) -> None:
        table = group_table()
        self._moves = moves = move_table(rules)
        self._dealt = dealt = np.array([table.number(group) for group in position.groups], dtype=np.int16)
        self.places = np.array(sorted(chosen), dtype=np.int64)
        held = _hold_tiles(dealt, table.kinds, TILE_ARRAYS.shifts)
        layers = 1 << len(self.places)
        self._stocks = np.empty(layers, dtype=np.uint32)
        _layer_stocks(self.places, position.layout.tiles, held, TILE_ARRAYS.network, self._stocks)
        size = len(moves.valid_groups) + MOST_GROUPS
        self._groups = np.zeros(size, dtype=np.int16)
        self._groups[: len(moves.valid_groups)] = moves.valid_groups
        self.members = np.zeros((layers, (size + 63) // 64), dtype=np.uint64)
        self.beside = np.zeros((layers, size, (size + 63) // 64), dtype=np.uint64)
        _fill_top(self.places, dealt, self._groups, moves, self.members[-1], self.beside[-1])

    def follow(self, first: int, end: int, *, onward: bool) -> bool:
        """Fill layers, see ``_follow_layers``."""
        masks = group_table().masks
        arrays = self.places, self._stocks, self._dealt, self._groups, masks, LOWER_BITS, self._moves
        return bool(_follow_layers(first, end, onward, True, *arrays, self.members, self.beside))


def layered_closure(position: Position, chosen: Sequence[int], rules: RuleSet) -> tuple[Layer, ...] | None:
    """The layers that can be reached, if the chosen groups are never all repaired; None if they might be.

    Args:
        position: a position taken as a deal.
        chosen: places of one to ``MOST_CHOSEN`` invalid groups.
        rules: the rule set.

    Raises:
        ValueError: a place is not that of an invalid group or named twice, or there are too many or none.
    """
    _require_invalid(position, chosen, rules)
    if not 1 <= len(chosen) <= MOST_CHOSEN:
        raise ValueError(f"{tuple(chosen)} are not one to {MOST_CHOSEN} places of invalid groups")
    layers = _Layers(position, chosen, rules)
    top = len(layers.members) - 1
    if layers.follow(top, 0, onward=False):
        return None
    return tuple(
        Layer(
            tuple(int(p) for k, p in enumerate(layers.places) if layer >> k & 1),
            int(np.bitwise_count(layers.members[layer]).sum()),
            _count_pairs(layers.beside[layer]),
        )
        for layer in range(top, 0, -1)
        if layers.members[layer].any()
    )


def _require_invalid(position: Position, chosen: Sequence[int], rules: RuleSet) -> None:
    valid = move_table(rules).valid
    groups = [group_table().number(group) for group in position.groups]
    if len(set(chosen)) < len(chosen) or any(not 0 <= p < len(groups) or valid[groups[p]] for p in chosen):
        raise ValueError(f"{tuple(chosen)} are not different places of invalid groups")


def _count_pairs(beside: np.ndarray) -> int:
    twice = int(np.bitwise_count(beside).sum())
    alone = sum(int(beside[i, i >> 6]) >> (i & 63) & 1 for i in range(len(beside)))
    return (twice + alone) // 2


def standing_beside(
    position: Position, chosen: Sequence[int], rules: RuleSet, deadline: float | None = None
) -> NDArray[np.uint64] | None:
    """Which groups can stand beside each other while just some of the chosen ones remain as dealt, and when none does.

    Args:
        position: a position taken as a deal.
        chosen: places of invalid groups.
        rules: the rule set.
        deadline: by ``time.perf_counter``, when to give up; None for never.

    Returns:
        uint64, shape (layers, groups, words): bit k of a layer's number is set if the k-th of the chosen groups, by
        place, remains, so layer 0 is the empty one. There, bit j of row i is set if the valid groups with these numbers
        among all valid ones can stand beside each other; rows and bits beyond these are of invalid groups. None if the
        time is over.

    Raises:
        ValueError: a place is not that of an invalid group or named twice.
    """
    _require_invalid(position, chosen, rules)
    layers = _Layers(position, chosen, rules)
    for first in range(len(layers.members) - 1, -1, -LAYERS):
        if deadline is not None and time.perf_counter() >= deadline:
            return None
        layers.follow(first, max(first - LAYERS, -1), onward=True)
    return layers.beside
