"""Moves: the table of all exchanges of a rule set, move generation, and moves as people see them.

For most pairs of groups no exchange makes both valid, so the table is sparse: a bit matrix tells which
pairs of groups have an exchange, and counting its bits finds the pair's entry in one list of results.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import lowest_bit, popcount
from solver.jit import kernel
from solver.xiangshifu.groups import GROUPS, classified, group_names, group_table
from solver.xiangshifu.position import Position
from solver.xiangshifu.rules import Only, RuleSet
from solver.xiangshifu.tiles import TILES

ROW_WORDS = (GROUPS + 63) // 64
LOWER_BITS = np.uint32(
    sum(1 << shift for kind, shift in zip(TILES.kinds, TILES.shifts, strict=True) if kind.copies == 2)
)
"""The lower bit of every kind that has two copies."""

MOST_RESULTS = 16
"""An upper limit of the results of one pair of groups: nine single exchanges and three whole pairs."""


class MoveTable(NamedTuple):
    """All exchanges between two groups that leave both valid, under one rule set; kernels take it as it is.

    Entries belong to pairs of group numbers ``a <= b`` that can stand together and have an exchange. Results are
    unordered pairs; one that only swaps the two groups' identities is no move and is not listed.

    Attributes:
        valid: bool, shape (1771,): whether a group is valid.
        rows: uint64, shape (1771, 28): bit b of row a is set if the pair (a, b), a <= b, has an entry.
        ranks: int32, shape (1771, 28): entries before each word of ``rows``.
        starts: int32, shape (entries + 1,): where an entry's results begin.
        results: int16, shape (results, 2): numbers of the two groups after an exchange, the smaller first.
        valid_groups: int16, shape (valid groups,): the valid groups, ascending.
        valid_masks: uint32, shape (valid groups,): their masks.
        valid_numbers: int16, shape (1771,): a valid group's place in ``valid_groups``; -1 for others.
        valid_rows: uint64, shape (1771, words): bit v of row a is set if a can exchange with ``valid_groups[v]``.
        codes: int32, shape (1771, valid groups): the same as numbers, 16 * start + count of the results of a with
            ``valid_groups[v]``; 0 if there are none.
        numbers: int16, shape (results, 2): ``results`` by their places in ``valid_groups``.
    """

    valid: NDArray[np.bool_]
    rows: NDArray[np.uint64]
    ranks: NDArray[np.int32]
    starts: NDArray[np.int32]
    results: NDArray[np.int16]
    valid_groups: NDArray[np.int16]
    valid_masks: NDArray[np.uint32]
    valid_numbers: NDArray[np.int16]
    valid_rows: NDArray[np.uint64]
    codes: NDArray[np.int32]
    numbers: NDArray[np.int16]

    def exchanges(self, a: int, b: int) -> list[tuple[int, int]]:
        """The results of exchanging between groups number a and b, in any order."""
        code = int(_code(a, b, self))
        return [(int(x), int(y)) for x, y in self.results[code >> 4 : (code >> 4) + (code & 15)]]


@kernel
def _entry(a, b, rows, ranks):
    """The entry of the pair a <= b, or -1."""
    word = rows[a, b >> 6]
    bit = np.uint64(b & 63)
    if not (word >> bit) & np.uint64(1):
        return -1
    below = word & ((np.uint64(1) << bit) - np.uint64(1))
    return ranks[a, b >> 6] + np.int64(popcount(below))


@kernel
def _code(a, b, moves):
    """The results of exchanging between any two groups, coded as in ``MoveTable.codes``."""
    entry = _entry(min(a, b), max(a, b), moves.rows, moves.ranks)
    if entry < 0:
        return np.int64(0)
    return np.int64(16 * moves.starts[entry] + moves.starts[entry + 1] - moves.starts[entry])


@kernel
def _replaced(a, i, new, kinds, triple, pair):
    """Group a with its i-th tile replaced by one of kind ``new``; -1 if no such group exists."""
    if kinds[a, 2] < 0:
        return pair[kinds[a, 1 - i], new]
    return triple[kinds[a, (i + 1) % 3], kinds[a, (i + 2) % 3], new]


@kernel
def _replacements(kinds, triple, pair, valid):
    """For each group and each of its tiles, the kinds (as bits) that make it valid in that tile's stead."""
    out = np.zeros((kinds.shape[0], 3), np.uint32)
    for a in range(kinds.shape[0]):
        for i in range(3 if kinds[a, 2] >= 0 else 2):
            for new in range(pair.shape[0]):
                x = _replaced(a, i, new, kinds, triple, pair)
                if x >= 0 and valid[x]:
                    out[a, i] |= np.uint32(1) << np.uint32(new)
    return out


@kernel
def _pair_results(a, b, kinds, triple, pair, valid, good, found):
    """Write the results of exchanging between a <= b to ``found``; return how many there are."""
    size_b = 3 if kinds[b, 2] >= 0 else 2
    held = np.uint32(0)
    for j in range(size_b):
        held |= np.uint32(1) << np.uint32(kinds[b, j])
    count = 0
    for i in range(3 if kinds[a, 2] >= 0 else 2):
        if not good[a, i] & held:
            continue
        for j in range(size_b):
            if (good[a, i] >> np.uint32(kinds[b, j])) & (good[b, j] >> np.uint32(kinds[a, i])) & np.uint32(1):
                x = _replaced(a, i, kinds[b, j], kinds, triple, pair)
                y = _replaced(b, j, kinds[a, i], kinds, triple, pair)
                count = _add_result(x, y, a, b, found, count)
    if size_b == 2 and kinds[a, 2] >= 0:
        for kept in range(3):
            y = pair[kinds[a, (kept + 1) % 3], kinds[a, (kept + 2) % 3]]
            if y >= 0 and valid[y]:
                x = triple[kinds[a, kept], kinds[b, 0], kinds[b, 1]]
                if x >= 0 and valid[x]:
                    count = _add_result(x, y, a, b, found, count)
    return count


@kernel
def _add_result(x, y, a, b, found, count):
    low, high = min(x, y), max(x, y)
    if low == a and high == b:
        return count
    for place in range(count):
        if found[place, 0] == low and found[place, 1] == high:
            return count
    found[count, 0], found[count, 1] = low, high
    return count + 1


@kernel
def _can_stand(a, b, masks, lower):
    """Whether the set has the tiles for both groups; ``lower``: the lower bit of each kind with two copies."""
    one = np.uint32(1)
    single = ~(lower | (lower << one))
    twice_a = (masks[a] >> one) & lower
    twice_b = (masks[b] >> one) & lower
    return (masks[a] & masks[b] & single) | (twice_a & masks[b]) | (twice_b & masks[a]) == 0


@kernel
def _count_entries(masks, lower, kinds, triple, pair, valid, good, rows, ranks, totals):
    found = np.empty((MOST_RESULTS, 2), np.int16)
    for a in range(masks.shape[0]):
        for b in range(a, masks.shape[0]):
            if b & 63 == 0 or b == a:
                ranks[a, b >> 6] = totals[0]
            if _can_stand(a, b, masks, lower):
                count = _pair_results(a, b, kinds, triple, pair, valid, good, found)
                if count:
                    rows[a, b >> 6] |= np.uint64(1) << np.uint64(b & 63)
                    totals[0] += 1
                    totals[1] += count


@kernel
def _fill_entries(rows, kinds, triple, pair, valid, good, starts, results):
    found = np.empty((MOST_RESULTS, 2), np.int16)
    entry, place = 0, 0
    for a in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            word = rows[a, column]
            while word:
                b = (column << 6) + np.int64(lowest_bit(word))
                word &= word - np.uint64(1)
                count = _pair_results(a, b, kinds, triple, pair, valid, good, found)
                starts[entry] = place
                results[place : place + count] = found[:count]
                entry += 1
                place += count
    starts[entry] = place


@kernel
def _fill_valid_rows(rows, ranks, starts, valid_numbers, valid_rows, codes):
    for a in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            word = rows[a, column]
            while word:
                b = (column << 6) + np.int64(lowest_bit(word))
                word &= word - np.uint64(1)
                entry = _entry(a, b, rows, ranks)
                code = 16 * starts[entry] + starts[entry + 1] - starts[entry]
                for one, other in ((a, b), (b, a)):
                    number = valid_numbers[other]
                    if number >= 0:
                        valid_rows[one, number >> 6] |= np.uint64(1) << np.uint64(number & 63)
                        codes[one, number] = code


@kernel
def _is_left(a, b, x, y, group, locked, breaks):
    """Whether an exchange of a and b for x and y is left when ``group`` may only make or break a locked one."""
    if a != group and b != group:
        return True
    made = locked[x] or locked[y]
    return (locked[a] or locked[b]) and not made if breaks else made


@kernel
def _keep_entries(moves, group, locked, breaks, rows, ranks, starts, results):
    """Copy what is left of the entries; return how many entries and results there are."""
    entry, place, source = 0, 0, 0
    for a in range(moves.rows.shape[0]):
        for column in range(moves.rows.shape[1]):
            ranks[a, column] = entry
            word = moves.rows[a, column]
            while word:
                bit = np.uint64(lowest_bit(word))
                word &= word - np.uint64(1)
                b = (column << 6) + np.int64(bit)
                starts[entry] = place
                for result in range(moves.starts[source], moves.starts[source + 1]):
                    x, y = moves.results[result, 0], moves.results[result, 1]
                    if _is_left(a, b, x, y, group, locked, breaks):
                        results[place, 0], results[place, 1] = x, y
                        place += 1
                source += 1
                if place > starts[entry]:
                    rows[a, column] |= np.uint64(1) << bit
                    entry += 1
    starts[entry] = place
    return entry, place


def _restrict(moves: MoveTable, only: Only) -> MoveTable:
    """The table in which an invalid group may only be repaired in certain ways."""
    locked = np.isin(group_table().masks, np.array(only.locked, dtype=np.uint32))
    group = group_table().number(only.group)
    rows, ranks = np.zeros_like(moves.rows), np.empty_like(moves.ranks)
    starts, results = np.empty_like(moves.starts), np.empty_like(moves.results)
    entries, places = _keep_entries(moves, group, locked, only.breaks, rows, ranks, starts, results)
    return _complete(moves.valid, rows, ranks, starts[: entries + 1], results[:places])


def move_table(rules: RuleSet) -> MoveTable:
    """The table of a rule set; the same object at every call while it is among the latest ones."""
    return _restricted_table(rules) if rules.only else _full_table(rules)


@lru_cache(maxsize=32)
def _restricted_table(rules: RuleSet) -> MoveTable:
    return _restrict(move_table(rules.restricted(rules.excluded, rules.only[:-1])), rules.only[-1])


@lru_cache(maxsize=32)
def _full_table(rules: RuleSet) -> MoveTable:
    table = group_table()
    valid = classified(rules) != 0
    good = _replacements(table.kinds, table.triple, table.pair, valid)
    rows = np.zeros((GROUPS, ROW_WORDS), dtype=np.uint64)
    ranks = np.zeros((GROUPS, ROW_WORDS), dtype=np.int32)
    totals = np.zeros(2, dtype=np.int64)
    _count_entries(table.masks, LOWER_BITS, table.kinds, table.triple, table.pair, valid, good, rows, ranks, totals)
    starts = np.empty(int(totals[0]) + 1, dtype=np.int32)
    results = np.empty((int(totals[1]), 2), dtype=np.int16)
    _fill_entries(rows, table.kinds, table.triple, table.pair, valid, good, starts, results)
    return _complete(valid, rows, ranks, starts, results)


def _complete(
    valid: NDArray[np.bool_],
    rows: NDArray[np.uint64],
    ranks: NDArray[np.int32],
    starts: NDArray[np.int32],
    results: NDArray[np.int16],
) -> MoveTable:
    """A table with all that follows from its entries."""
    valid_groups = np.flatnonzero(valid).astype(np.int16)
    valid_numbers = np.full(GROUPS, -1, dtype=np.int16)
    valid_numbers[valid_groups] = np.arange(len(valid_groups))
    valid_rows = np.zeros((GROUPS, (len(valid_groups) + 63) // 64), dtype=np.uint64)
    codes = np.zeros((GROUPS, len(valid_groups)), dtype=np.int32)
    _fill_valid_rows(rows, ranks, starts, valid_numbers, valid_rows, codes)
    numbers = valid_numbers[results]
    return MoveTable(
        valid,
        rows,
        ranks,
        starts,
        results,
        valid_groups,
        group_table().masks[valid_groups],
        valid_numbers,
        valid_rows,
        codes,
        numbers,
    )


@dataclass(frozen=True)
class Move:
    """One exchange between the groups at two places of a position.

    Attributes:
        groups: the two places, ascending.
        out: for each of the two, the mask of the tiles that leave it for the other.
        before: masks of the two groups before the exchange.
        after: and after it.
        names: the combinations that each of the two is afterwards.
    """

    groups: tuple[int, int]
    out: tuple[int, int]
    before: tuple[int, int]
    after: tuple[int, int]
    names: tuple[tuple[str, ...], tuple[str, ...]]

    def to_json(self) -> dict[str, Any]:
        """The move as JSON values (interface, ``xsf solve``)."""
        return {
            "groups": list(self.groups),
            "out": [list(TILES.names(mask)) for mask in self.out],
            "before": [list(TILES.names(mask)) for mask in self.before],
            "after": [list(TILES.names(mask)) for mask in self.after],
            "names": [list(names) for names in self.names],
        }


@lru_cache(maxsize=1 << 16)
def _exchange(a: int, b: int, x: int, y: int, rules: RuleSet) -> tuple[Any, Any, Any]:
    """How groups (masks) a and b become numbers x and y, or y and x: ``out``, ``after`` and ``names`` of a Move.

    Bits that two canonical masks share are the tiles that two groups have in common.
    """
    masks = int(group_table().masks[x]), int(group_table().masks[y])
    for leaving in (1, 2):
        for after_a, after_b in (masks, masks[::-1]):
            out_a, out_b = a & ~after_a, after_a & ~a
            if out_a.bit_count() == out_b.bit_count() == leaving:
                out = TILES.canonical(out_a), TILES.canonical(out_b)
                if out == (TILES.canonical(after_b & ~b), TILES.canonical(b & ~after_b)):
                    return out, (after_a, after_b), (group_names(after_a, rules), group_names(after_b, rules))
    raise ValueError(f"no exchange makes groups {x} and {y} of {a:#x} and {b:#x}")


def move_between(position: Position, first: int, second: int, x: int, y: int, rules: RuleSet) -> Move:
    """The move that makes groups number x and y of those at two places.

    A whole pair is exchanged only where no exchange of single tiles does the same.

    Raises:
        ValueError: no exchange does.
    """
    if first > second:
        first, second = second, first
    before = position.groups[first], position.groups[second]
    out, after, names = _exchange(*before, x, y, rules)
    return Move((first, second), out, before, after, names)


def legal_moves(position: Position, rules: RuleSet) -> list[Move]:
    """All moves of a position, each resulting position once, by places.

    Identical tiles and identical groups count as one; exchanges that change nothing are no moves (rules, "Play").
    """
    table = group_table()
    moves = move_table(rules)
    numbers = [table.number(group) for group in position.groups]
    seen: set[tuple[int, int]] = set()
    found = []
    for second in range(len(numbers)):
        for first in range(second):
            pair = min(numbers[first], numbers[second]), max(numbers[first], numbers[second])
            if pair not in seen:
                seen.add(pair)
                for x, y in moves.exchanges(*pair):
                    found.append(move_between(position, first, second, x, y, rules))
    return sorted(found, key=lambda move: move.groups)
