"""Groups that are dead together: sets of invalid groups that wait for each other, though each alone could be repaired.

A set of dealt invalid groups is *dead together* if no two of them have an edge, none has a valid partner made of the
tiles outside the set, and no part of the set is like that already. None of them can be the first to be repaired then,
unless another dealt invalid group has an edge with one of them.

Every member has a valid partner that only the other members' tiles prevent. So the sets are found by taking one group
and a partner of it that is still possible, and trying as the next member each group that holds a tile of that partner,
until no partner is left; the last member has to hold a tile of every partner that is left.

There is no end to this before the tiles end, since all dealt groups are such a set whenever none is valid and none has
an edge. So only sets up to a given size are looked for. With each further member there are some thirty times as many
sets, but each is some hundreds of times less likely. A search for sets of three takes a tenth of a second, of four some
seconds, of five minutes.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import lowest_bit, popcount
from solver.jit import kernel
from solver.xiangshifu.families import FIELD, KINDS, TOP, excess_bias, word
from solver.xiangshifu.groups import GROUPS, TRIPLES, group_table
from solver.xiangshifu.moves import move_table
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.tiles import TILES

SIZE = 3
"""How many groups a set may have unless more are asked for."""
FEW = 64
BIAS = np.int64(excess_bias(TILES.full))


class _Candidates(NamedTuple):
    """The groups that a set can have, as kernels see them: invalid groups with a valid partner, those with most first.

    Attributes:
        groups: int16, shape (candidates,): their numbers.
        words: int64, shape (candidates,): their tiles by kind.
        starts: int32, shape (candidates + 1,): where the valid partners of each begin.
        partners: int16, shape (partners,): places of the partners in ``MoveTable.valid_groups``.
        valid_words: int64, shape (valid groups,): the valid groups' tiles by kind.
        touching: uint64, shape (valid groups, words): the candidates (bits) that hold a kind of a valid group.
        beside: uint64, shape (candidates, words): the candidates (bits) that can be dealt beside one without an edge.
    """

    groups: NDArray[np.int16]
    words: NDArray[np.int64]
    starts: NDArray[np.int32]
    partners: NDArray[np.int16]
    valid_words: NDArray[np.int64]
    touching: NDArray[np.uint64]
    beside: NDArray[np.uint64]


@lru_cache(maxsize=4)
def edge_matrix(rules: RuleSet) -> NDArray[np.bool_]:
    """Which groups have an exchange that makes both valid: bool, shape (1771, 1771), by group numbers."""
    rows = move_table(rules).rows
    upper = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")[:, :GROUPS].astype(np.bool_)
    return upper | upper.T


@cache
def group_words() -> NDArray[np.int64]:
    """The tiles by kind (see ``solver.xiangshifu.families``) of each group: int64, shape (1771,)."""
    return np.array([word(int(mask)) for mask in group_table().masks], dtype=np.int64)


def _as_bits(rows: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Rows of truth values as words of 64 bits."""
    padded = np.zeros((rows.shape[0], -rows.shape[1] % 64 + rows.shape[1]), dtype=np.bool_)
    padded[:, : rows.shape[1]] = rows
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def _candidates(rules: RuleSet) -> _Candidates:
    moves, words = move_table(rules), group_words()
    partners = np.unpackbits(moves.valid_rows.view(np.uint8), axis=1, bitorder="little")[:, : len(moves.valid_groups)]
    numbers = partners.sum(axis=1)
    groups = np.flatnonzero(~moves.valid & (numbers > 0))
    groups = groups[np.argsort(-numbers[groups], kind="stable")]
    held, valid_words = words[groups], words[moves.valid_groups]
    pair = groups >= TRIPLES
    fit = (held[:, None] + held + BIAS) & TOP == 0
    beside = fit & ~edge_matrix(rules)[np.ix_(groups, groups)] & ~(pair[:, None] & pair)
    return _Candidates(
        groups.astype(np.int16),
        held,
        np.concatenate([[0], np.cumsum(numbers[groups])]).astype(np.int32),
        np.nonzero(partners[groups])[1].astype(np.int16),
        valid_words,
        _as_bits(_kinds(valid_words)[:, None] & _kinds(held) != 0),
        _as_bits(beside),
    )


def _kinds(words: NDArray[np.int64]) -> NDArray[np.int64]:
    """The lowest bit of each kind held."""
    return (words | words >> 1) & np.int64(sum(1 << FIELD * kind for kind in range(KINDS)))


@kernel
def _has_partner_outside(member, used, candidates):
    """Whether the tiles outside a set (``used``: its tiles by kind, with ``BIAS``) make a valid partner of a member."""
    for place in range(candidates.starts[member], candidates.starts[member + 1]):
        if (candidates.valid_words[candidates.partners[place]] + used) & TOP == 0:
            return True
    return False


@kernel
def _any_partner_outside(members, used, candidates):
    for member in members:  # noqa: SIM110 (kernels have no generators)
        if _has_partner_outside(member, used, candidates):
            return True
    return False


@kernel
def _minimal(members, candidates):
    """Whether in every smaller set of the members (bits of ``chosen``) one has a valid partner outside that set."""
    part = np.empty_like(members)
    for chosen in range(1, (1 << members.shape[0]) - 1):
        used, size = BIAS, 0
        for place in range(members.shape[0]):
            if (chosen >> place) & 1:
                part[size] = members[place]
                used += candidates.words[members[place]]
                size += 1
        if not _any_partner_outside(part[:size], used, candidates):
            return False
    return True


@kernel
def _last_members(members, used, allowed, candidates, chosen):
    """Write the allowed candidates that touch every partner still possible to ``chosen``; whether there is one."""
    chosen[:] = allowed
    for member in members:
        for place in range(candidates.starts[member], candidates.starts[member + 1]):
            partner = candidates.partners[place]
            if (candidates.valid_words[partner] + used) & TOP == 0:
                left = np.uint64(0)
                for column in range(chosen.shape[0]):
                    chosen[column] &= candidates.touching[partner, column]
                    left |= chosen[column]
                if left == 0:
                    return False
    return True


@kernel
def _next_members(members, used, allowed, candidates, chosen):
    """Write the allowed candidates that touch a partner still possible, one that the fewest touch, to ``chosen``."""
    fewest, best = np.int64(1 << 30), -1
    for member in members:
        for place in range(candidates.starts[member], candidates.starts[member + 1]):
            partner = candidates.partners[place]
            if (candidates.valid_words[partner] + used) & TOP == 0:
                count = np.int64(0)
                for column in range(allowed.shape[0]):
                    count += np.int64(popcount(allowed[column] & candidates.touching[partner, column]))
                if count < fewest:
                    fewest, best = count, partner
    chosen[:] = allowed & candidates.touching[best]
    return fewest > 0


@kernel
def _first_bit(row):
    """The place of the lowest bit of a row of words, -1 if there is none."""
    for column in range(row.shape[0]):
        if row[column]:
            return 64 * column + np.int64(lowest_bit(row[column]))
    return -1


@kernel
def _with_row(found, count, members):
    """The sets found, and one more."""
    if count == found.shape[0]:
        larger = np.full((2 * count, found.shape[1]), -1, np.int16)
        larger[:count] = found
        found = larger
    for place in range(members.shape[0]):
        found[count, place] = members[place]
    return found


@kernel
def _search(size, candidates):
    """The members of all sets of up to ``size`` groups, a row each, -1 for none; and how many sets there are.

    A candidate that has been tried is not allowed in the branches after it, so no set is found twice.
    """
    found, count = np.full((FEW, size), np.int16(-1)), 0
    members, used = np.zeros(size, np.int64), np.full(size, BIAS)
    allowed = np.zeros((size, candidates.beside.shape[1]), np.uint64)
    for group in range(candidates.words.shape[0]):
        allowed[0, group >> 6] |= np.uint64(1) << np.uint64(group & 63)
    untried = allowed.copy()
    depth = 0
    while depth >= 0:
        group = _first_bit(untried[depth])
        if group < 0:
            depth -= 1
            continue
        column, bit = group >> 6, np.uint64(1) << np.uint64(group & 63)
        untried[depth, column] ^= bit
        allowed[depth, column] &= ~bit
        here = used[depth] + candidates.words[group]
        if here & TOP:
            continue
        members[depth] = group
        held = members[: depth + 1]
        if not _any_partner_outside(held, here, candidates):
            if _minimal(held, candidates):
                found = _with_row(found, count, held)
                count += 1
        elif depth + 1 < size:
            used[depth + 1] = here
            # The same group can be dealt twice, so it stays allowed below.
            allowed[depth + 1] = allowed[depth] & candidates.beside[group]
            allowed[depth + 1, column] |= bit & candidates.beside[group, column]
            if depth + 2 == size:
                some = _last_members(held, here, allowed[depth + 1], candidates, untried[depth + 1])
            else:
                some = _next_members(held, here, allowed[depth + 1], candidates, untried[depth + 1])
            depth += 1 if some else 0
    return found, count


@lru_cache(maxsize=16)
def dead_together(rules: RuleSet, size: int = SIZE) -> tuple[tuple[int, ...], ...]:
    """All sets of two to ``size`` invalid groups that are dead together in the layout of ten triples and a pair.

    Returns:
        Masks of the groups of each set; a group that has to be dealt twice is named twice. Smaller sets come first.
    """
    if size < 2:
        return ()
    candidates = _candidates(rules)
    found, count = _search(size, candidates)
    sets = (sorted(int(candidates.groups[place]) for place in row if place >= 0) for row in found[:count].tolist())
    masks = group_table().masks.tolist()
    return tuple(tuple(masks[group] for group in groups) for groups in sorted(sets, key=lambda one: (len(one), one)))
