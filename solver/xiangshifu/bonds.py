"""What plain moves can't change: bonds, linear invariants and locked sets.

A *plain move* exchanges between two valid groups, so it can be undone. Two tiles are *bonded* under a rule set and a
layout if some valid group holds both and no plain move parts them; then none brings them together either. So which
bonds are present never changes once all groups are valid. Before, a repair can make a bond, and few can part one:
the invalid groups whose repair does are the bond's *breakers*. They don't come back, so without one in the deal a
bond in a valid group is there for good.

A bond is a special case. Let f give each valid group a number such that f(a) + f(b) = f(x) + f(y) for every plain move
of a and b to x and y: a *linear invariant*. Its sum over the groups of a position never changes while all are valid.
Some of them say nothing, because they are the same for all positions of a layout: how many tiles of a kind there are,
how many groups, how many pairs. The others tell apart what plain moves can't connect. A *locked set* is a set of valid
groups of which the number never changes, and no part of it is like that.

All linear invariants together are one: each group is an element of the abelian group that the valid groups generate
and the plain moves relate. It is found by substituting one group after another, with exact numbers throughout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from math import gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.xiangshifu.groups import GROUPS, TRIPLES, group_table
from solver.xiangshifu.moves import move_table
from solver.xiangshifu.position import TEN, Layout, format_group
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.tiles import TILES

MOST_PARTS = 1 << 14
"""How many functions that might become the indicator of a set are held at once."""

MOST_LOCKS = 10
"""How many locks are told of; a proof goes through all combinations of them."""

Number = int | Fraction
Element = dict[int, Number]
"""A combination of generators."""
Together = NDArray[np.bool_]


@dataclass(frozen=True)
class Bond:
    """Two tiles that no plain move parts.

    Attributes:
        tiles: their kinds, ascending; the layout has one tile of each.
        groups: masks of the valid groups that hold both.
        breakers: masks of the invalid groups whose repair by one of ``groups`` parts them.
    """

    tiles: tuple[int, int]
    groups: tuple[int, ...]
    breakers: tuple[int, ...]

    @property
    def name(self) -> str:
        """The two tiles as text, such as ``25-34``."""
        return format_group(TILES.mask(self.tiles))


@dataclass(frozen=True, eq=False)
class Invariants:
    """The linear invariants of a rule set in a layout.

    Attributes:
        groups: int16, shape (groups,): numbers of the valid groups that the layout can have.
        basis: int64, shape (groups, dimension): each column is an invariant; all others are sums of multiples of them.
        orders: orders of the cyclic groups that the abelian group has besides the integers. If there are none, an
            invariant in numbers modulo anything is no more than an invariant in integers.
        trivial: the dimension of what is the same for all positions: tiles of each kind, groups, pairs.
        bonded: the bonds, as kinds.
        with_bonds: the dimension of the trivial invariants and the presence of bonds.
        extra: locked sets (masks) that account for what is left, the smallest that do. Should they be fewer than
            ``dimension - with_bonds``, the rest is no number of groups of a set. None if they are too many to find.
    """

    groups: NDArray[np.int16]
    basis: NDArray[np.int64]
    orders: tuple[int, ...]
    trivial: int
    bonded: tuple[tuple[int, int], ...]
    with_bonds: int
    extra: tuple[tuple[int, ...], ...] | None

    @property
    def dimension(self) -> int:
        """The dimension of all linear invariants."""
        return int(self.basis.shape[1])

    def dimension_modulo(self, prime: int) -> int:
        """The dimension of the invariants in numbers modulo a prime."""
        return self.dimension + sum(order % prime == 0 for order in self.orders)

    def values(self, groups: Iterable[int]) -> tuple[int, ...]:
        """The sums of ``basis`` over the valid ones among some groups (masks).

        Plain moves can't lead from one final position to another that has other values.
        """
        table = group_table()
        places = {int(number): place for place, number in enumerate(self.groups)}
        held = [places[number] for number in map(table.number, groups) if number in places]
        return tuple(self.basis[held].sum(axis=0).tolist())


@cache
def _held() -> NDArray[np.int8]:
    """How many tiles of each kind the groups hold: int8, shape (1771, 21)."""
    return np.array([TILES.counts(int(mask)) for mask in group_table().masks], dtype=np.int8)


def _hold_both(numbers: NDArray[np.int16], tiles: tuple[int, int]) -> NDArray[np.bool_]:
    """Whether groups hold both of two kinds."""
    one, other = _held()[numbers][:, tiles].T.astype(np.bool_)
    both: NDArray[np.bool_] = one & other
    return both


def _masks(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(int(group_table().masks[number]) for number in numbers)


def _exchanges(rules: RuleSet, layout: Layout) -> NDArray[np.int16]:
    """All exchanges that make both groups valid and fit the layout: rows of a, b, x, y, numbers with a <= b, x <= y."""
    moves = move_table(rules)
    pairs = np.argwhere(np.unpackbits(moves.rows.view(np.uint8), axis=1, bitorder="little")[:, :GROUPS])
    rows = np.hstack([np.repeat(pairs, np.diff(moves.starts), axis=0), moves.results]).astype(np.int16)
    tiles = _held()[rows[:, 0]] + _held()[rows[:, 1]]
    fit = (tiles <= np.array(TILES.counts(layout.tiles))).all(axis=1)
    fitting: NDArray[np.int16] = rows[fit & ((rows[:, :2] >= TRIPLES).sum(axis=1) <= layout.pairs)]
    return fitting


def _valid_groups(rules: RuleSet, layout: Layout, together: Together | None) -> NDArray[np.int16]:
    """Numbers of the valid groups that the layout can have."""
    fit = move_table(rules).valid & (_held() <= np.array(TILES.counts(layout.tiles))).all(axis=1)
    fit &= (np.arange(GROUPS) < TRIPLES) | (layout.pairs > 0)
    if together is not None:
        fit &= together.any(axis=1)
    return np.flatnonzero(fit).astype(np.int16)


def plain_moves(rules: RuleSet, layout: Layout = TEN, together: Together | None = None) -> NDArray[np.int16]:
    """All exchanges between two valid groups, each in one of its two directions.

    Args:
        rules: the rule set.
        layout: what the two groups have to fit.
        together: bool, shape (1771, 1771), symmetric: which groups (numbers) can stand together. Others don't move.

    Returns:
        int16, shape (moves, 4): numbers of the two groups before and after, each two ascending.
    """
    moves = _exchanges(rules, layout)
    valid = move_table(rules).valid
    a, b, x, y = moves.T
    chosen = valid[a] & valid[b] & ((a < x) | (a == x) & (b < y))
    if together is not None:
        chosen &= together[a, b] & together[x, y]
    plain: NDArray[np.int16] = moves[chosen]
    return plain


# Bonds


def _bonded(groups: NDArray[np.int16], moves: NDArray[np.int16], layout: Layout) -> tuple[tuple[int, int], ...]:
    """The kinds that are bonded."""
    single = [kind for kind, count in enumerate(TILES.counts(layout.tiles)) if count == 1]
    found = []
    for one, other in combinations(single, 2):
        both = _hold_both(np.arange(GROUPS, dtype=np.int16), (one, other))
        a, b, x, y = both[moves].T
        if both[groups].any() and not ((a | b) ^ (x | y)).any():
            found.append((one, other))
    return tuple(found)


def breakers(groups: Iterable[int], rules: RuleSet, layout: Layout = TEN) -> tuple[int, ...]:
    """The invalid groups whose repair by one of some valid groups leaves none of these.

    Args:
        groups: masks of valid groups, such as those of a bond or a locked set.
        rules: the rule set.
        layout: what the two groups have to fit.

    Returns:
        The masks of the invalid groups.

    Raises:
        InputError: a mask is no group.
    """
    inside = np.zeros(GROUPS, dtype=np.bool_)
    inside[[group_table().number(group) for group in groups]] = True
    rows = _exchanges(rules, layout)
    rows = rows[~inside[rows[:, 2:]].any(axis=1)]
    valid = move_table(rules).valid
    found = [rows[inside[rows[:, side]] & ~valid[rows[:, 1 - side]], 1 - side] for side in (0, 1)]
    return _masks(np.unique(np.concatenate(found)))


@lru_cache(maxsize=32)
def bonds(rules: RuleSet, layout: Layout = TEN) -> tuple[Bond, ...]:
    """The bonds of a rule set in a layout, in the order of their tiles."""
    groups = _valid_groups(rules, layout, None)
    found = []
    for tiles in _bonded(groups, plain_moves(rules, layout), layout):
        holders = _masks(groups[_hold_both(groups, tiles)])
        found.append(Bond(tiles, holders, breakers(holders, rules, layout)))
    return tuple(found)


def bonds_in(groups: Iterable[int], known: Iterable[Bond]) -> frozenset[Bond]:
    """The bonds present in the valid ones among some groups (masks)."""
    held = set(groups)
    return frozenset(bond for bond in known if not held.isdisjoint(bond.groups))


def bonds_for_good(groups: Iterable[int], known: Iterable[Bond]) -> frozenset[Bond]:
    """The bonds present in a position (its groups as masks) that no moves from there can part."""
    held = set(groups)
    return frozenset(bond for bond in bonds_in(held, known) if held.isdisjoint(bond.breakers))


# Locks


@dataclass(frozen=True)
class Lock:
    """Valid groups of which at most one is present at a time, and one always or never once all groups are valid.

    A bond is a lock, several bonds that the same groups hold are one, and so is a locked set that no bond explains.

    Attributes:
        name: the bonded tiles, or the groups.
        groups: their masks.
        breakers: masks of the invalid groups whose repair by one of ``groups`` leaves none of them.
        makers: masks of the invalid groups whose repair, by none of ``groups``, can make one.
    """

    name: str
    groups: tuple[int, ...]
    breakers: tuple[int, ...]
    makers: tuple[int, ...]


def _makers(groups: Iterable[int], rules: RuleSet, layout: Layout) -> tuple[int, ...]:
    inside = np.isin(group_table().masks, np.array(list(groups), dtype=np.uint32))
    rows = _exchanges(rules, layout)
    rows = rows[inside[rows[:, 2:]].any(axis=1) & ~inside[rows[:, :2]].any(axis=1)]
    found = np.unique(rows[:, :2])
    return _masks(found[~move_table(rules).valid[found]])


def _lock(name: str, groups: tuple[int, ...], rules: RuleSet, layout: Layout) -> Lock:
    return Lock(name, groups, breakers(groups, rules, layout), _makers(groups, rules, layout))


@lru_cache(maxsize=32)
def locks(rules: RuleSet, layout: Layout = TEN) -> tuple[Lock, ...]:
    """The locks of a rule set in a layout, the first ``MOST_LOCKS`` of them; the same tuple at every call."""
    tiles: dict[tuple[int, ...], set[int]] = {}
    for bond in bonds(rules, layout):
        tiles.setdefault(bond.groups, set()).update(bond.tiles)
    named = [(format_group(TILES.mask(kinds)), groups) for groups, kinds in tiles.items()]
    for groups in linear_invariants(rules, layout).extra or ():
        if _exclude_each_other(groups, layout):
            named.append(("/".join(map(format_group, groups)), groups))
    return tuple(_lock(name, groups, rules, layout) for name, groups in named[:MOST_LOCKS])


def _exclude_each_other(groups: Iterable[int], layout: Layout) -> bool:
    """Whether the layout never has the tiles for two of these groups, nor for one twice."""
    counts = np.array([TILES.counts(group) for group in groups])
    most = np.array(TILES.counts(layout.tiles))
    return bool(((counts[:, None] + counts[None]) > most).any(axis=2).all())


def signature(groups: Iterable[int], known: Sequence[Lock]) -> int:
    """Which locks (bits) are present in the valid ones among some groups (masks)."""
    held = set(groups)
    return sum(1 << place for place, lock in enumerate(known) if not held.isdisjoint(lock.groups))


# Linear invariants


def _change(equation: Sequence[int], elements: Sequence[Element]) -> Element:
    """What a move changes; it has to be nothing."""
    total: Element = {}
    for place, sign in zip(equation, (1, 1, -1, -1), strict=True):
        for generator, times in elements[place].items():
            total[generator] = total.get(generator, 0) + sign * times
    return {generator: times for generator, times in total.items() if times}


def _substitute(generator: int, zero: Element, elements: Iterable[Element]) -> None:
    """Express a generator by the others, given a combination that is zero."""
    own = zero[generator]
    for element in elements:
        if generator in element:
            times = -element[generator] * (own if own in (1, -1) else 1 / Fraction(own))
            for other, factor in zero.items():
                element[other] = element.get(other, 0) + times * factor
                if not element[other]:
                    del element[other]


def _orders(rows: Sequence[Element]) -> tuple[int, ...]:
    """Orders of the finite cyclic groups among generators of which these combinations are zero (Smith's diagonal)."""
    columns = sorted({generator for row in rows for generator in row})
    matrix: NDArray[Any] = np.array([[row.get(column, 0) for column in columns] for row in rows], dtype=object)
    orders = []
    while matrix.any():
        row, column = min(np.argwhere(matrix).tolist(), key=lambda place: abs(matrix[place[0], place[1]]))
        least = matrix[row, column]
        by_rows = matrix[:, column] // least
        by_rows[row] = 0
        matrix -= np.outer(by_rows, matrix[row])
        by_columns = matrix[row] // least
        by_columns[column] = 0
        matrix -= np.outer(matrix[:, column], by_columns)
        if np.count_nonzero(matrix[row]) == np.count_nonzero(matrix[:, column]) == 1:
            orders.append(abs(least))
            matrix[row, column] = 0
    return tuple(sorted(order for order in orders if order > 1))


def _solve(size: int, equations: Sequence[Sequence[int]]) -> tuple[list[Element], tuple[int, ...]]:
    """Elements that satisfy all equations a + b = x + y, as general as can be, and the orders besides.

    As long as a generator that occurs once can be substituted, all numbers are integers and nothing is lost.
    """
    elements: list[Element] = [{place: 1} for place in range(size)]
    waiting = list(equations)
    while True:
        left = []
        for equation in waiting:
            zero = _change(equation, elements)
            once = next((generator for generator, times in zero.items() if times in (1, -1)), None)
            if once is not None:
                _substitute(once, zero, elements)
            elif zero:
                left.append(equation)
        if len(left) == len(waiting) or not left:
            break
        waiting = left
    orders = _orders([_change(equation, elements) for equation in left])
    for equation in left:
        if zero := _change(equation, elements):
            _substitute(next(iter(zero)), zero, elements)
    return elements, orders


def _basis(elements: Sequence[Element]) -> NDArray[np.int64]:
    """Elements as rows of integers."""
    generators = sorted({generator for element in elements for generator in element})
    columns = []
    for generator in generators:
        column = [element.get(generator, 0) for element in elements]
        scale = lcm(*(number.denominator for number in column))
        columns.append([int(number * scale) for number in column])
    return np.array(columns, dtype=np.int64).reshape(len(generators), len(elements)).T


class _Span:
    """The space that some vectors of integers span."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, NDArray[Any]]] = []

    def add(self, vector: NDArray[Any]) -> bool:
        """Add a vector; whether it was not in the space before."""
        rest: NDArray[Any] = vector.astype(np.int64).astype(object)
        for place, row in self._rows:
            if rest[place]:
                rest = rest * row[place] - row * rest[place]
                rest //= gcd(*rest) or 1
        if not rest.any():
            return False
        self._rows.append((int(np.flatnonzero(rest)[0]), rest))
        return True


def linear_invariants(rules: RuleSet, layout: Layout = TEN, together: Together | None = None) -> Invariants:
    """All linear invariants of plain moves.

    Args:
        rules: the rule set.
        layout: the layout.
        together: bool, shape (1771, 1771), symmetric: which groups (numbers) stand together in some final position.
            With it the invariants are those inside the region of final positions: groups that stand together with
            none are left out, and so are moves of two groups that don't stand together.
    """
    return _known_invariants(rules, layout) if together is None else _invariants(rules, layout, together)


@lru_cache(maxsize=16)
def _known_invariants(rules: RuleSet, layout: Layout) -> Invariants:
    return _invariants(rules, layout, None)


def _invariants(rules: RuleSet, layout: Layout, together: Together | None) -> Invariants:
    groups = _valid_groups(rules, layout, together)
    moves = plain_moves(rules, layout, together)
    elements, orders = _solve(len(groups), np.searchsorted(groups, moves).tolist())
    basis = _basis(elements)
    held = _held()[groups]
    span = _Span()
    trivial = sum(span.add(vector) for vector in (*held.T, np.ones(len(groups)), groups >= TRIPLES))
    bonded = _bonded(groups, moves, layout)
    with_bonds = trivial + sum(span.add(_hold_both(groups, tiles)) for tiles in bonded)
    extra: tuple[tuple[int, ...], ...] | None = ()
    if basis.shape[1] > with_bonds:
        sets = _locked_sets(np.searchsorted(groups, moves), basis)
        if sets is not None:
            extra = tuple(_masks(groups[list(one)]) for one in sets if span.add(_indicator(one, len(groups))))
        else:
            extra = None
    return Invariants(groups, basis, orders, trivial, bonded, with_bonds, extra)


# Locked sets


def locked_sets(
    rules: RuleSet, layout: Layout = TEN, together: Together | None = None
) -> tuple[tuple[int, ...], ...] | None:
    """All locked sets, the trivial ones included, smaller ones first.

    Args:
        rules: the rule set.
        layout: the layout.
        together: as ``linear_invariants`` takes it.

    Returns:
        The masks of each set's groups; None if more than ``MOST_PARTS`` functions would have to be held.
    """
    known = linear_invariants(rules, layout, together)
    moves = np.searchsorted(known.groups, plain_moves(rules, layout, together))
    sets = _locked_sets(moves, known.basis)
    return None if sets is None else tuple(_masks(known.groups[list(one)]) for one in sets)


def _indicator(places: Iterable[int], size: int) -> NDArray[np.int64]:
    """1 at some places."""
    vector = np.zeros(size, dtype=np.int64)
    vector[list(places)] = 1
    return vector


def _locked_sets(moves: NDArray[np.intp], basis: NDArray[np.int64]) -> list[tuple[int, ...]] | None:
    """The locked sets as places of groups, given moves by places.

    Groups that no chain of moves connects have nothing to do with each other.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = len(basis)
    ends = np.concatenate([moves[:, [0, place]] for place in (1, 2, 3)])
    graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
    number, labels = connected_components(graph, directed=False)
    found = []
    for label in range(number):
        places = np.flatnonzero(labels == label)
        indicators = _indicators(_deciding(basis[places]))
        if indicators is None:
            return None
        found += [tuple(places[one].tolist()) for one in _minimal(indicators)]
    return sorted(found, key=lambda one: (len(one), one))


def _direction(vector: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The same vector for all multiples of one."""
    first = next(number for number in vector if number)
    return tuple(number / first for number in vector)


def _deciding(basis: NDArray[np.int64]) -> NDArray[np.int64]:
    """Another basis: each column is the value of an invariant at one group, and early ones decide as many as they can.

    Returns:
        int64, shape (groups, dimension + 1): what multiples of the deciding values sum to a multiple of the group's
        own, and in the last column which one.
    """
    matrix: NDArray[Any] = np.array([[Fraction(number) for number in row] for row in basis.tolist()], dtype=object)
    settled: list[int] = []
    while True:
        rest = [column for column in range(matrix.shape[1]) if column not in settled]
        undecided = [row for row in range(len(matrix)) if matrix[row, rest].any()]
        if not undecided:
            break
        directions = {row: _direction(matrix[row, rest].tolist()) for row in undecided}
        best = Counter(directions.values()).most_common(1)[0][0]
        row = next(row for row in undecided if directions[row] == best)
        pivot = next(column for column in rest if matrix[row, column])
        matrix[:, pivot] /= matrix[row, pivot]
        for column in range(matrix.shape[1]):
            if column != pivot and matrix[row, column]:
                matrix[:, column] -= matrix[:, pivot] * matrix[row, column]
        settled.append(pivot)
    rows = []
    for row in matrix[:, settled].tolist():
        scale = lcm(*(number.denominator for number in row))
        rows.append([*(int(number * scale) for number in row), scale])
    return np.array(rows, dtype=np.int64)


def _indicators(deciding: NDArray[np.int64]) -> NDArray[np.bool_] | None:
    """All invariants that are 0 or 1 at every group: bool, shape (functions, groups); None if they are too many.

    The deciding values are chosen one after another; what can't come to lie between 0 and 1 any more is dropped.
    """
    steps, scale = deciding[:, :-1].T, deciding[:, -1]
    after = np.vstack([steps[1:], np.zeros_like(scale)])[::-1]
    lowest = np.minimum(after, 0).cumsum(axis=0)[::-1]
    highest = np.maximum(after, 0).cumsum(axis=0)[::-1]
    parts = np.zeros((1, len(scale)), dtype=np.int64)
    for step, low, high in zip(steps, lowest, highest, strict=True):
        parts = np.concatenate([parts, parts + step])
        parts = parts[((parts + low <= scale) & (parts + high >= 0)).all(axis=1)]
        if len(parts) > MOST_PARTS:
            return None
    found: NDArray[np.bool_] = parts[((parts == 0) | (parts == scale)).all(axis=1)].astype(np.bool_)
    return found


def _minimal(indicators: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """The indicators of sets that contain no other, the smallest first; the empty set is none."""
    found: list[NDArray[np.bool_]] = []
    for one in indicators[np.argsort(indicators.sum(axis=1), kind="stable")]:
        if one.any() and not any((one | other == one).all() for other in found):
            found.append(one)
    return found
