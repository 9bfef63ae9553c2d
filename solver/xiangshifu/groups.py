"""Every group that the set can form, numbered, and the validators that name its combinations.

Groups are multisets of kinds: 1,550 triples, then 221 pairs. Kernels work on these numbers; below
``TRIPLES`` a number is a triple, from there on a pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from solver.bits import lowest_bit, popcount
from solver.errors import InputError
from solver.jit import kernel
from solver.xiangshifu.position import format_group
from solver.xiangshifu.rules import MULTIPLE, PAIR_NAMES, STRUCTURAL, RuleSet
from solver.xiangshifu.tiles import CIVILIAN, KIND_OF_BIT, PIPS, TILES

KINDS = len(TILES.kinds)
TRIPLES = 1550
PAIRS = 221
GROUPS = TRIPLES + PAIRS

_FIVE_POINTS, _FULL_FOURTEEN, _SPLIT, _COINCIDENCE, _FIVE_SONS, _MULTIPLE = range(6)
_ROLES = (*STRUCTURAL, MULTIPLE)


@dataclass(frozen=True, eq=False)
class GroupTable:
    """All groups of the domino set.

    Attributes:
        masks: uint32, shape (1771,): the canonical mask of each group.
        kinds: int16, shape (1771, 3): its kinds ascending; -1 fills the third place of a pair.
        triple: int16, shape (21, 21, 21): number of the triple of three kinds in any order, -1 if there is none.
        pair: int16, shape (21, 21): the like for pairs.
        weights: int64, shape (1771,): how many sets of actual tiles are this group.
    """

    masks: NDArray[np.uint32]
    kinds: NDArray[np.int16]
    triple: NDArray[np.int16]
    pair: NDArray[np.int16]
    weights: NDArray[np.int64]
    _numbers: dict[int, int]

    def number(self, mask: int) -> int:
        """The number of the group with this canonical mask; raises InputError if it is no group."""
        number = self._numbers.get(mask)
        if number is None:
            raise InputError(f"{TILES.format(mask, '-')!r} is neither a triple nor a pair")
        return number


def _multisets(size: int) -> list[tuple[int, ...]]:
    copies = [kind.copies for kind in TILES.kinds]
    return [
        group
        for group in combinations_with_replacement(range(KINDS), size)
        if all(group.count(kind) <= copies[kind] for kind in group)
    ]


@cache
def group_table() -> GroupTable:
    """The table of all groups; the same object at every call."""
    groups = _multisets(3) + _multisets(2)
    kinds = np.array([(*group, -1)[:3] for group in groups], dtype=np.int16)
    triple = np.full((KINDS,) * 3, -1, dtype=np.int16)
    pair = np.full((KINDS,) * 2, -1, dtype=np.int16)
    for number, group in enumerate(groups):
        if len(group) == 2:
            pair[group] = pair[group[::-1]] = number
        else:
            a, b, c = group
            for order in ((a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)):
                triple[order] = number
    masks = [TILES.mask(group) for group in groups]
    return GroupTable(
        np.array(masks, dtype=np.uint32),
        kinds,
        triple,
        pair,
        np.array([_weight(group) for group in groups], dtype=np.int64),
        {mask: number for number, mask in enumerate(masks)},
    )


def _weight(group: tuple[int, ...]) -> int:
    """Sets of tiles that make a group: a civilian tile of which only one is used can be either copy."""
    single = sum(TILES.kinds[kind].copies == 2 and group.count(kind) == 1 for kind in set(group))
    return 1 << single


@dataclass(frozen=True, eq=False)
class Validator:
    """A rule set as the arrays that the validators take.

    Attributes:
        names: the names that bits of a triple's classification stand for.
        roles: int64, shape (6,): for each structural combination and ``multiple`` its bit, 0 if it is off.
        fourteen: threshold of the full fourteen.
        multiples: bit n set: three n and a rest that is a multiple of n.
        codes: int64, shape (patterns,): the tally of each six-end pattern.
        code_bits: int64, shape (patterns,): the bit of each pattern.
    """

    names: tuple[str, ...]
    roles: NDArray[np.int64]
    fourteen: int
    multiples: int
    codes: NDArray[np.int64]
    code_bits: NDArray[np.int64]


_ENDS = np.array([PIPS[kind] for kind in KIND_OF_BIT], dtype=np.int64)
_KIND_OF_BIT = np.array(KIND_OF_BIT, dtype=np.int64)


@cache
def validator(rules: RuleSet) -> Validator:
    """The arrays of a rule set; the same object at every call."""
    bit = {name: 1 << place for place, name in enumerate(rules.names)}
    on = {*rules.combinations, *([MULTIPLE] if rules.multiples_of else [])}
    return Validator(
        rules.names,
        np.array([bit[name] if name in on else 0 for name in _ROLES], dtype=np.int64),
        rules.fourteen_threshold,
        sum(1 << n for n in rules.multiples_of),
        np.array([sum(1 << (3 * end) for end in ends) for _, ends in rules.patterns], dtype=np.int64),
        np.array([bit[name] for name, _ in rules.patterns], dtype=np.int64),
    )


@kernel
def _triple_names(mask, ends, roles, fourteen, multiples, codes, code_bits):
    tally = 0  # three bits a pip: how many ends show it
    total = 0
    rest = np.int64(mask)
    while rest:
        bit = lowest_bit(rest)
        rest &= rest - 1
        for side in range(2):
            tally += 1 << (3 * ends[bit, side])
            total += ends[bit, side]
    names = 0
    threes = 0
    for pip in range(1, 7):
        count = (tally >> (3 * pip)) & 7
        others = total - count * pip
        if count == 3:
            threes += 1
            if others == 5:
                names |= roles[_FIVE_POINTS]
            if others >= fourteen:
                names |= roles[_FULL_FOURTEEN]
            if (multiples >> pip) & 1 and others % pip == 0:
                names |= roles[_MULTIPLE]
        elif count == 4 and others == pip:
            names |= roles[_COINCIDENCE]
        elif count == 5:
            names |= roles[_FIVE_SONS]
    if threes == 2:
        names |= roles[_SPLIT]
    for place in range(codes.shape[0]):
        if codes[place] == tally:
            names |= code_bits[place]
    return names


@kernel
def _pair_names(mask, ends, kind_of_bit, civilian_kinds):
    rest = np.int64(mask)
    first = lowest_bit(rest)
    second = lowest_bit(rest & (rest - 1))
    kind_a, kind_b = kind_of_bit[first], kind_of_bit[second]
    if kind_a == kind_b:
        return 1
    if kind_a < civilian_kinds or kind_b < civilian_kinds:
        return 0
    low, high = ends[first, 0] + ends[first, 1], ends[second, 0] + ends[second, 1]
    if low == high:
        return 2
    # 1:2 and 2:4 are the only military tiles of their pip sums, 3 and 6.
    return 4 if (low == 3 and high == 6) or (low == 6 and high == 3) else 0


@kernel
def _all_names(masks, ends, kind_of_bit, civilian_kinds, roles, fourteen, multiples, codes, code_bits, out):
    for number in range(masks.shape[0]):
        if popcount(masks[number]) == 3:
            out[number] = _triple_names(masks[number], ends, roles, fourteen, multiples, codes, code_bits)
        else:
            out[number] = _pair_names(masks[number], ends, kind_of_bit, civilian_kinds)


def classify(masks: NDArray[np.uint32], rules: RuleSet) -> NDArray[np.int64]:
    """Which combinations each group is, as bits; 0 is an invalid group.

    Args:
        masks: uint32, shape (groups,): masks of two or three tiles.
        rules: the rule set (rules, "Triples" and "Pairs").

    Returns:
        int64, shape (groups,): for a triple, bit i stands for ``rules.names[i]``; for a pair, for
        ``PAIR_NAMES[i]``.

    Raises:
        ValueError: a mask does not hold two or three tiles.
    """
    masks = np.ascontiguousarray(masks, dtype=np.uint32)
    sizes = np.bitwise_count(masks)
    if not np.all((sizes == 2) | (sizes == 3)):
        raise ValueError("a group has two or three tiles")
    arrays = validator(rules)
    out = np.empty(masks.shape[0], dtype=np.int64)
    _all_names(
        masks,
        _ENDS,
        _KIND_OF_BIT,
        len(CIVILIAN),
        arrays.roles,
        arrays.fourteen,
        arrays.multiples,
        arrays.codes,
        arrays.code_bits,
        out,
    )
    out[np.isin(masks, np.array(rules.excluded, dtype=np.uint32))] = 0
    return out


@cache
def classified(rules: RuleSet) -> NDArray[np.int64]:
    """``classify`` for all 1,771 groups of ``group_table``; the same array at every call."""
    names = classify(group_table().masks, rules)
    names.flags.writeable = False
    return names


def names_of_bits(bits: int, triple: bool, rules: RuleSet) -> tuple[str, ...]:
    """The names that the bits of one classification stand for."""
    names = rules.names if triple else PAIR_NAMES
    return tuple(name for place, name in enumerate(names) if bits >> place & 1)


@cache
def group_names(group: int, rules: RuleSet) -> tuple[str, ...]:
    """All combinations that one group is; empty for an invalid group.

    Args:
        group: the mask of two or three tiles.
        rules: the rule set.

    Raises:
        InputError: the mask is neither a triple nor a pair of the set.
    """
    number = group_table().number(group)
    return names_of_bits(int(classified(rules)[number]), number < TRIPLES, rules)


def group_text(number: int) -> str:
    """The group with this number as text."""
    return format_group(int(group_table().masks[number]))
