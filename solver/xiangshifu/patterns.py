"""What would save the dead and conditionally dead groups of a rule set.

Whether a triple is valid depends on its six ends alone, so whatever is added to a rule set is a set of *patterns* (six
ends each) that become valid. Adding patterns only ever adds exchanges: a group that some exchange repairs, or that has
a valid partner, keeps both. So only the groups that are dead or conditionally dead already have to be looked at, and
for each of them the sets of at most three patterns that save it: of the groups an exchange makes, and of its partner.
What any further patterns save is then a union of bits, at a few nanoseconds a candidate instead of a table of moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.xiangshifu.deadgroups import dead_groups
from solver.xiangshifu.groups import GROUPS, KINDS, TRIPLES, classified, classify, group_table
from solver.xiangshifu.rules import Pattern, RuleSet
from solver.xiangshifu.tiles import PIPS, TILES

VALID = -1
"""In place of a pattern where nothing is needed."""

_NEVER = -2


@dataclass(frozen=True, eq=False)
class PatternTable:
    """All patterns that three tiles of the set can have, numbered.

    Attributes:
        patterns: the patterns, ascending.
        of_triple: int16, shape (1550,): the pattern of each triple.
        kinds: int64, shape (patterns,): how many triples have it.
        tiles: int64, shape (patterns,): the same counting copies.
    """

    patterns: tuple[Pattern, ...]
    of_triple: NDArray[np.int16]
    kinds: NDArray[np.int64]
    tiles: NDArray[np.int64]


@cache
def pattern_table() -> PatternTable:
    """The table of all patterns; the same object at every call."""
    table = group_table()
    ends = [_six_ends(map(int, kinds)) for kinds in table.kinds[:TRIPLES]]
    patterns = tuple(sorted(set(ends)))
    number = {pattern: place for place, pattern in enumerate(patterns)}
    of_triple = np.array([number[pattern] for pattern in ends], dtype=np.int16)
    tiles = np.zeros(len(patterns), dtype=np.int64)
    np.add.at(tiles, of_triple, table.weights[:TRIPLES])
    return PatternTable(patterns, of_triple, np.bincount(of_triple), tiles)


def _six_ends(kinds: Iterable[int]) -> Pattern:
    a, b, c, d, e, f = sorted(end for kind in kinds for end in PIPS[kind])
    return (a, b, c, d, e, f)


def valid_patterns(rules: RuleSet) -> NDArray[np.bool_]:
    """Which patterns are valid: bool, shape (patterns,). For rule sets of which there are many: nothing is kept."""
    table = pattern_table()
    valid = np.zeros(len(table.patterns), dtype=np.bool_)
    valid[table.of_triple[classify(group_table().masks[:TRIPLES], rules) != 0]] = True
    return valid


@dataclass(frozen=True, eq=False)
class Critical:
    """A dead or conditionally dead group, and what would save it.

    Attributes:
        number: the group.
        repair: int16, shape (sets, 3): sets of patterns, filled up with ``VALID``; if all of one became valid, some
            exchange would repair the group, or it would be valid itself. No set holds another.
        partner: the same for an exchange with a valid group.
    """

    number: int
    repair: NDArray[np.int16]
    partner: NDArray[np.int16]


@lru_cache(maxsize=8)
def critical_groups(rules: RuleSet) -> tuple[Critical, ...]:
    """The dead and then the conditionally dead groups of a rule set, and what would save each."""
    condemned = dead_groups(rules)
    masks = (*condemned.dead, *condemned.conditionally_dead)
    return tuple(_critical(group_table().number(mask), rules) for mask in masks)


def _critical(number: int, rules: RuleSet) -> Critical:
    exchanges = all_exchanges(number)
    repair, partner = (_missing(exchanges[:, columns], rules) for columns in ([1, 2], [0, 1, 2]))
    if number < TRIPLES:
        own = frozenset({int(pattern_table().of_triple[number])})
        repair.add(own)
        partner.add(own)
    return Critical(number, _minimal(repair), _minimal(partner))


def _missing(groups: NDArray[np.int64], rules: RuleSet) -> set[frozenset[int]]:
    """For each row of group numbers, the patterns that would make all of them valid, if patterns can."""
    needed = np.full(GROUPS, _NEVER)
    needed[:TRIPLES] = pattern_table().of_triple
    needed[classified(rules) != 0] = VALID
    rows = needed[groups]
    rows = np.sort(rows[(rows != _NEVER).all(axis=1)], axis=1)
    # Most rows hold a pattern that is enough by itself; without these, few sets have to be built.
    alone = (rows[:, :-1] == VALID).all(axis=1)
    enough = np.unique(rows[alone, -1])
    rows = np.unique(rows[alone | ~np.isin(rows, enough[enough != VALID]).any(axis=1)], axis=0)
    return {frozenset(row) - {VALID} for row in rows.tolist()}


def _minimal(sets: set[frozenset[int]]) -> NDArray[np.int16]:
    """Those of some sets that hold no other of them, as in ``Critical``."""
    kept = [
        sorted(chosen)
        for chosen in sets
        if not any(frozenset(part) in sets for size in range(len(chosen)) for part in combinations(chosen, size))
    ]
    rows = [[VALID] * (3 - len(chosen)) + chosen for chosen in kept]
    return np.array(sorted(rows), dtype=np.int16).reshape(-1, 3)


def all_exchanges(number: int) -> NDArray[np.int64]:
    """All exchanges of a group with any other that the set has the tiles for, whether the results are valid or not.

    Returns:
        int64, shape (exchanges, 3): the other group's number, and those of the two groups that result.
    """
    kinds = group_table().kinds.astype(np.int64)
    others = np.flatnonzero(_can_stand_with(number))
    own = [int(kind) for kind in kinds[number] if kind >= 0]
    found: list[NDArray[np.int64]] = []
    for size, group in ((3, others[others < TRIPLES]), (2, others[others >= TRIPLES])):
        tiles = kinds[group, :size]
        for i in range(len(own)):
            rest = own[:i] + own[i + 1 :]
            for j in range(size):
                found.append(_results(group, rest, tiles[:, [j]], [own[i]], np.delete(tiles, j, axis=1)))
            if (len(own), size) == (3, 2):
                found.append(_results(group, [own[i]], tiles, rest, tiles[:, :0]))
        if (len(own), size) == (2, 3):
            for j in range(3):
                found.append(_results(group, [], np.delete(tiles, j, axis=1), own, tiles[:, [j]]))
    exchanges = np.concatenate(found)
    return exchanges[(exchanges >= 0).all(axis=1)]


def _results(
    others: NDArray[np.intp], kept: list[int], coming: NDArray[np.int64], going: list[int], staying: NDArray[np.int64]
) -> NDArray[np.int64]:
    """One way of exchanging with many groups: int64, shape (others, 3); -1 where no such group exists.

    Our group is ``kept`` and ``coming`` afterwards, each other one ``going`` and ``staying``.
    """
    table = group_table()
    columns = [others.astype(np.int64)]
    for ours, theirs in ((kept, coming), (going, staying)):
        kinds = (*ours, *theirs.T)
        numbers = (table.triple if len(kinds) == 3 else table.pair)[kinds]
        columns.append(np.broadcast_to(numbers, others.shape).astype(np.int64))
    return np.stack(columns, axis=1)


def _can_stand_with(number: int) -> NDArray[np.bool_]:
    """bool, shape (1771,): whether the set has the tiles for a group and each other."""
    kinds = group_table().kinds
    counts = np.stack([(kinds == kind).sum(axis=1) for kind in range(KINDS)], axis=1)
    copies = np.array([kind.copies for kind in TILES.kinds])
    enough: NDArray[np.bool_] = (counts + counts[number] <= copies).all(axis=1)
    return enough


HALF = 32
"""A word of savings has bit n if critical group n has a valid partner, and bit n + 32 if some exchange repairs it."""


class Savings(NamedTuple):
    """What patterns save, on top of some that are given; in words of bits, see ``HALF``.

    Attributes:
        none: saved by what is given.
        one: uint64, shape (patterns,): saved by each pattern.
        two: uint64, shape (patterns, patterns): saved by two that are both needed; symmetric.
        three: int16, shape (sets, 3): three that are all needed, ascending.
        three_bits: uint64, shape (sets,): saved by each of these.
    """

    none: np.uint64
    one: NDArray[np.uint64]
    two: NDArray[np.uint64]
    three: NDArray[np.int16]
    three_bits: NDArray[np.uint64]


def savings(critical: Sequence[Critical], given: NDArray[np.bool_]) -> Savings:
    """What patterns save of critical groups if others are valid, too: bool, shape (patterns,)."""
    sets, bits = _sets(critical)
    needed = ~np.append(given, True)[sets]
    count = needed.sum(axis=1)
    one = np.zeros(len(given), dtype=np.uint64)
    two = np.zeros((len(given), len(given)), dtype=np.uint64)
    by_one, by_two, by_three = (count == size for size in (1, 2, 3))
    np.bitwise_or.at(one, sets[by_one][needed[by_one]], bits[by_one])
    first, second = sets[by_two][needed[by_two]].reshape(-1, 2).T
    np.bitwise_or.at(two, (first, second), bits[by_two])
    np.bitwise_or.at(two, (second, first), bits[by_two])
    none = np.bitwise_or.reduce(bits[count == 0], initial=np.uint64(0))
    return Savings(none, one, two, sets[by_three], bits[by_three])


def _sets(critical: Sequence[Critical]) -> tuple[NDArray[np.int16], NDArray[np.uint64]]:
    """All sets of patterns that save a group, and the bit of what each saves."""
    if len(critical) > HALF:
        raise ValueError(f"{len(critical)} critical groups are more than {HALF}")
    parts = [
        (sets, np.full(len(sets), 1 << bit, dtype=np.uint64))
        for n, group in enumerate(critical)
        for sets, bit in ((group.partner, n), (group.repair, n + HALF))
    ]
    if not parts:
        return np.zeros((0, 3), dtype=np.int16), np.zeros(0, dtype=np.uint64)
    return np.concatenate([sets for sets, _ in parts]), np.concatenate([bits for _, bits in parts])


def left_over(saved: NDArray[np.uint64], groups: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many of some critical groups are still dead or conditionally dead, and how many dead: int64 each."""
    low = np.uint64((1 << HALF) - 1)
    left = groups - np.bitwise_count(saved & low).astype(np.int64)
    dead = groups - np.bitwise_count(saved >> np.uint64(HALF)).astype(np.int64)
    return left, dead
