"""What plain moves can't change: against slow twins, along random walks, and the numbers that are known."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random

import naive
import numpy as np
import pytest
from near import KAO, MIXED
from plain import SMALL

from solver import Deal, RuleSet, Solver, parse_group
from solver.xiangshifu import bonds as module
from solver.xiangshifu.bonds import (
    Bond,
    Invariants,
    bonds,
    bonds_for_good,
    bonds_in,
    breakers,
    linear_invariants,
    locked_sets,
    locks,
    plain_moves,
    signature,
)
from solver.xiangshifu.groups import GROUPS, group_names, group_table
from solver.xiangshifu.moves import legal_moves, move_table
from solver.xiangshifu.position import LAYOUTS, TEN, Position
from solver.xiangshifu.rules import CLASSIC, STRUCTURAL
from solver.xiangshifu.tiles import TILES

EIGHTEEN = RuleSet("eighteen", 18, (), STRUCTURAL, ())
RULES = {
    "classic": CLASSIC,
    "eighteen": EIGHTEEN,
    **{
        name: RuleSet.parse(name)
        for name in ("thirteen", "mixed-dragon", "multiple", "thirteen+mixed-dragon", "mixed-dragon+multiple")
    },
}
CASES = [("classic", "ten"), ("mixed-dragon", "shanghai"), ("eighteen", "eight")]


def masks(text: str) -> set[int]:
    return {parse_group(group) for group in text.split()}


def as_naive(groups: tuple[int, ...]) -> set[naive.Group]:
    return {naive.make_group(TILES.names(group)) for group in groups}


@cache
def game(rules: str) -> naive.Game:
    return naive.game_of(RULES[rules].to_json())


@cache
def moves_of_the_twin(rules: str, layout: str) -> list[tuple[naive.Groups, naive.Groups]]:
    return game(rules).plain_moves(layout)


# Bonds


@pytest.mark.parametrize(
    ("rules", "layout", "names"),
    [
        ("classic", "ten", "36-35 36-34 26-25 26-34 35-34 25-34"),
        ("mixed-dragon", "ten", "26-25 26-34 25-34"),
        ("multiple", "ten", "25-34"),
        ("thirteen", "ten", ""),
        ("thirteen+mixed-dragon", "ten", ""),
        ("mixed-dragon+multiple", "ten", "25-34"),
        ("classic", "eight", "36-35 36-34 26-25 26-34 35-34 25-34"),
        ("classic", "shanghai", "36-35 36-34 26-25 26-34 35-34 25-34 25-23"),
        ("thirteen", "shanghai", ""),
        ("thirteen+mixed-dragon", "shanghai", "26-25 26-23 25-23"),
    ],
)
def test_names_of_bonds(rules: str, layout: str, names: str) -> None:
    assert [bond.name for bond in bonds(RULES[rules], LAYOUTS[layout])] == names.split()


@pytest.mark.parametrize(("rules", "layout"), CASES)
def test_bonds_are_those_of_the_twin(rules: str, layout: str) -> None:
    found = bonds(RULES[rules], LAYOUTS[layout])
    expected = game(rules).bonds(layout)
    assert {naive.group(bond.name): as_naive(bond.groups) for bond in found} == expected
    for bond in found:
        assert as_naive(bond.breakers) == game(rules).breakers(as_naive(bond.groups), layout)
    assert len(found) > 2


def bond(name: str, rules: str = "classic") -> Bond:
    return next(one for one in bonds(RULES[rules]) if one.name == name)


def test_only_one_bond_of_classic_has_breakers() -> None:
    assert [one.name for one in bonds(CLASSIC) if one.breakers] == ["26-25"]
    assert set(bond("26-25").breakers) == masks(
        "66-55-36 66-22-36 13-46-36 55-55-36 55-22-36 55-36-35 55-36-12 "
        "22-22-36 22-56-36 22-46-36 22-36-45 56-56-36 16-36-34 36-34"
    )
    assert set(bond("26-25").groups) == masks("26-25-23 26-25-24")
    assert not any(one.breakers for rules in ("mixed-dragon", "multiple") for one in bonds(RULES[rules]))


def test_a_breaker_parts_a_bond() -> None:
    deal = Deal.parse("66-55-36 26-25-23 66-11-11 44-44-13 13-55-33 33-22-22 56-56-46 46-16-16 15-15-45 35-34-14 24-12")
    known = bonds(CLASSIC)
    assert bonds_in(deal.groups, known) == {bond("26-25")}
    assert bonds_for_good(deal.groups, known) == frozenset()
    after = [deal.exchanged(*move.groups, move.after) for move in legal_moves(deal, CLASSIC)]
    parted = [position for position in after if bond("26-25") not in bonds_in(position.groups, known)]
    assert any(masks("66-55-25 36-26-23") <= set(position.groups) for position in parted)


def test_two_tiles_in_an_invalid_group_are_no_bond() -> None:
    assert bonds_in(masks("26-25-12 36-35-13"), bonds(CLASSIC)) == frozenset()
    assert {one.name for one in bonds_in(masks("36-35-34 26-25-24"), bonds(CLASSIC))} == {
        "36-35",
        "36-34",
        "35-34",
        "26-25",
    }


def test_what_breaks_a_locked_set() -> None:
    assert breakers(masks("26-25-23 26-25-24 26-23-24"), RULES["thirteen+mixed-dragon"]) == ()
    found = breakers(masks("44-33-25"), RULES["mixed-dragon"])
    assert as_naive(found) == game("mixed-dragon").breakers({naive.group("44-33-25")}, "ten")
    assert len(found) == 32


def test_bonds_are_made_once() -> None:
    assert bonds(RuleSet.parse("multiple")) is bonds(RuleSet.parse("multiple"))


# Walks


def walk(position: Position, rules: RuleSet, steps: int, random: Random) -> Iterator[Position]:
    """Positions of a random walk."""
    for _ in range(steps):
        moves = legal_moves(position, rules)
        if not moves:
            return
        move = random.choice(moves)
        position = position.exchanged(*move.groups, move.after)
        yield position


def valid_deals(rules: RuleSet, layout: str, count: int) -> list[Position]:
    """Final positions that solutions of random deals lead to."""
    solver, found, index = Solver(rules, first=True), [], 0
    while len(found) < count:
        position: Position = Deal.random(8, index, LAYOUTS[layout])
        result = solver.solve(position)
        for move in result.moves or ():
            position = position.exchanged(*move.groups, move.after)
        if result.verdict == "winnable":
            found.append(position)
        index += 1
    return found


@pytest.mark.parametrize(
    ("rules", "layout"), [("classic", "ten"), ("mixed-dragon", "eight"), ("classic", "shanghai"), ("thirteen", "ten")]
)
def test_plain_walks_change_no_invariant_and_no_bond(rules: str, layout: str) -> None:
    record, random = RULES[rules], Random(3)
    invariants, known = linear_invariants(record, LAYOUTS[layout]), bonds(record, LAYOUTS[layout])
    values = set()
    for start in valid_deals(record, layout, 12):
        assert all(group_names(group, record) for group in start.groups)
        before = invariants.values(start.groups), bonds_in(start.groups, known)
        steps = 0
        for position in walk(start, record, 25, random):
            assert (invariants.values(position.groups), bonds_in(position.groups, known)) == before
            assert bonds_for_good(position.groups, known) == before[1]
            steps += 1
        assert steps == 25
        values.add(before[0])
    # Without bonds there is nothing to tell final positions apart.
    assert (len(values) == 1) == (not known)


@pytest.mark.parametrize("rules", ["classic", "mixed-dragon"])
def test_bonds_for_good_last_in_any_walk(rules: str) -> None:
    record, random, seen = RULES[rules], Random(6), set()
    for index in range(1500):
        deal = Deal.random(5, index)
        lasting = bonds_for_good(deal.groups, bonds(record))
        if lasting:
            for position in walk(deal, record, 12, random):
                assert lasting <= bonds_in(position.groups, bonds(record))
                assert lasting <= bonds_for_good(position.groups, bonds(record))
            seen |= lasting
    assert len(seen) >= 3


# Linear invariants


def rank(rows: list[list[int]], prime: int) -> int:
    """The rank of a matrix modulo a prime."""
    left, found = np.array(rows, dtype=np.int64) % prime, 0
    for column in range(left.shape[1]):
        place = np.flatnonzero(left[:, column])
        if len(place):
            row = left[place[0]] * pow(int(left[place[0], column]), -1, prime) % prime
            left[place] = (left[place] - left[place, column][:, None] * row) % prime
            left = left[left.any(axis=1)]
            found += 1
    return found


@pytest.mark.parametrize(("rules", "layout"), CASES)
def test_dimensions_are_those_of_the_equations(rules: str, layout: str) -> None:
    known = linear_invariants(RULES[rules], LAYOUTS[layout])
    groups = [one for one in game(rules).valid_groups if naive.fit([one], layout)]
    assert set(groups) == as_naive(tuple(group_table().masks[known.groups].tolist()))
    number = {one: place for place, one in enumerate(groups)}
    equations = []
    for before, after in moves_of_the_twin(rules, layout):
        if before < after:
            equations.append([0] * len(groups))
            for one, sign in zip((*before, *after), (1, 1, -1, -1), strict=True):
                equations[-1][number[one]] += sign
    for prime in (2, 3, 1_000_003):
        assert known.dimension_modulo(prime) == len(groups) - rank(equations, prime)
    tiles = [[one.count(tile) for one in groups] for tile in naive.SET]
    trivial = [*tiles, [1] * len(groups), [int(len(one) == 2) for one in groups]]
    holders = [[int({*two} <= {*one}) for one in groups] for two in game(rules).bonds(layout)]
    assert known.trivial == rank(trivial, 1_000_003)
    assert known.with_bonds == rank(trivial + holders, 1_000_003)
    assert rank(known.basis.T.tolist(), 1_000_003) == known.dimension


@pytest.mark.parametrize(
    ("rules", "layout", "dimensions", "extra"),
    [
        ("classic", "ten", (26, 22, 26), []),
        ("thirteen", "ten", (22, 22, 22), []),
        ("mixed-dragon", "ten", (26, 22, 25), ["44-33-25"]),
        ("multiple", "ten", (23, 22, 23), []),
        ("thirteen+mixed-dragon", "ten", (23, 22, 22), ["26-25-23 26-25-24 26-23-24"]),
        ("classic", "eight", (26, 22, 26), []),
        ("classic", "shanghai", (24, 20, 24), []),
        ("mixed-dragon", "shanghai", (25, 20, 24), ["44-33-25"]),
        ("thirteen+mixed-dragon", "shanghai", (21, 20, 21), []),
    ],
)
def test_what_bonds_leave_unexplained(
    rules: str, layout: str, dimensions: tuple[int, int, int], extra: list[str]
) -> None:
    known = linear_invariants(RULES[rules], LAYOUTS[layout])
    assert (known.dimension, known.trivial, known.with_bonds) == dimensions
    assert known.orders == ()
    assert [set(one) for one in known.extra or ()] == [masks(text) for text in extra]
    assert known.bonded == tuple(one.tiles for one in bonds(RULES[rules], LAYOUTS[layout]))


def test_a_rule_set_with_an_invariant_modulo_two() -> None:
    known = linear_invariants(EIGHTEEN)
    assert known.orders == (2,)
    assert known.dimension_modulo(2) == known.dimension + 1


@pytest.mark.parametrize(
    ("rows", "orders"),
    [
        ([{0: 2, 1: -2}], (2,)),
        ([{0: 2, 1: 3}], ()),
        ([{0: 4, 1: 6}, {0: 6, 1: 4}], (2, 10)),
        ([{0: 3}, {0: 3, 1: 3}, {1: 6}], (3, 3)),
        ([{0: 2}, {0: 3}], ()),
        ([], ()),
    ],
)
def test_orders_of_small_groups(rows: list[dict[int, int]], orders: tuple[int, ...]) -> None:
    assert module._orders(rows) == orders


def sums(known: Invariants, moves: np.ndarray) -> np.ndarray:
    """For each move and invariant, what the two groups have before and after; shape (2, moves, dimension)."""
    values = np.zeros((GROUPS, known.dimension), dtype=np.int64)
    values[known.groups] = known.basis
    return np.stack([values[moves[:, :2]].sum(axis=1), values[moves[:, 2:]].sum(axis=1)])


@pytest.mark.parametrize("rules", RULES)
def test_every_invariant_holds_for_every_plain_move(rules: str) -> None:
    moves = plain_moves(RULES[rules])
    before, after = sums(linear_invariants(RULES[rules]), moves)
    assert len(moves) > 50
    assert (before == after).all()


@pytest.mark.parametrize(("rules", "layout"), CASES)
def test_plain_moves_are_those_of_the_twin(rules: str, layout: str) -> None:
    held = group_table().masks[plain_moves(RULES[rules], LAYOUTS[layout])].tolist()
    found = {frozenset([tuple(sorted(as_two(move[:2]))), tuple(sorted(as_two(move[2:])))]) for move in held}
    assert len(found) == len(held)
    assert found == {frozenset([tuple(sorted(a)), tuple(sorted(b))]) for a, b in moves_of_the_twin(rules, layout)}


def as_two(groups: list[int]) -> list[naive.Group]:
    return [naive.make_group(TILES.names(group)) for group in groups]


# Groups that stand together


def some_together(rules: RuleSet, size: int, random: Random) -> np.ndarray:
    """Some groups that plain moves connect, as those that can stand together; no others can."""
    moves = plain_moves(rules)
    chosen = set(moves[random.randrange(len(moves))].tolist())
    while len(chosen) < size:
        inside = np.isin(moves, list(chosen)).sum(axis=1)
        close = moves[(inside == inside[inside < 4].max())]
        chosen |= set(random.choice(close.tolist()))
    together = np.zeros((GROUPS, GROUPS), dtype=np.bool_)
    together[np.ix_(list(chosen), list(chosen))] = True
    # Some of them can't after all.
    for a, b in random.sample(sorted(combinations(sorted(chosen), 2)), size):
        together[a, b] = together[b, a] = False
    return together


@pytest.mark.parametrize("seed", range(8))
def test_locked_sets_by_trying_all_sets(seed: int) -> None:
    random = Random(seed)
    rules = RULES[random.choice(sorted(RULES))]
    together = some_together(rules, 10, random)
    groups = np.flatnonzero(together.any(axis=1)).tolist()
    inside = {(a, b) for a in groups for b in groups if together[a, b]}
    moves = [
        (a, b, x, y)
        for a, b in inside
        for x, y in move_table(rules).exchanges(a, b)
        if (x, y) in inside and move_table(rules).valid[[a, b]].all()
    ]
    assert moves
    locked: list[set[int]] = []
    for size in range(1, len(groups) + 1):
        for chosen in map(set, combinations(groups, size)):
            if not any(one <= chosen for one in locked) and all(
                (a in chosen) + (b in chosen) == (x in chosen) + (y in chosen) for a, b, x, y in moves
            ):
                locked.append(chosen)
    found = locked_sets(rules, TEN, together) or ()
    numbers = [{group_table().number(group) for group in one} for one in found]
    assert sorted(map(sorted, numbers)) == sorted(map(sorted, locked))
    known = linear_invariants(rules, TEN, together)
    assert known.groups.tolist() == groups
    before, after = sums(known, plain_moves(rules, TEN, together))
    assert (before == after).all()


def test_all_groups_together_is_no_restriction() -> None:
    together = np.ones((GROUPS, GROUPS), dtype=np.bool_)
    known, free = linear_invariants(CLASSIC, TEN, together), linear_invariants(CLASSIC)
    assert (known.groups == free.groups).all()
    assert (known.basis == free.basis).all()
    assert linear_invariants(CLASSIC) is free


def test_fewer_moves_leave_more_invariants() -> None:
    moves = plain_moves(CLASSIC)
    together = np.ones((GROUPS, GROUPS), dtype=np.bool_)
    a, b = moves[::2, 0], moves[::2, 1]
    together[a, b] = together[b, a] = False
    assert len(plain_moves(CLASSIC, TEN, together)) < len(moves)
    assert linear_invariants(CLASSIC, TEN, together).dimension > linear_invariants(CLASSIC).dimension


@pytest.mark.parametrize(("rules", "number"), [("classic", 25), ("mixed-dragon", 25)])
def test_locked_sets(rules: str, number: int) -> None:
    sets = locked_sets(RULES[rules])
    assert sets is not None
    assert len(sets) == number
    assert not any(set(one) <= set(other) for place, other in enumerate(sets) for one in sets[:place])
    moves = group_table().masks[plain_moves(RULES[rules])]
    for one in sets:
        inside = np.isin(moves, one)
        assert (inside[:, :2].sum(axis=1) == inside[:, 2:].sum(axis=1)).all()
    valid = [parse_group("-".join(group)) for group in game(rules).valid_groups]
    for tile in ("45", "12", "14"):
        assert {group for group in valid if tile in TILES.names(group)} in [set(one) for one in sets]


def test_too_many_locked_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PARTS", 8)
    together = np.ones((GROUPS, GROUPS), dtype=np.bool_)
    assert locked_sets(CLASSIC, TEN, together) is None
    assert linear_invariants(RULES["mixed-dragon"], TEN, together).extra is None


# Locks


@pytest.mark.parametrize(
    ("rules", "names"), [("classic", "36-35-34 26-25 26-34 25-34"), ("thirteen", ""), ("multiple", "25-34")]
)
def test_names_of_locks(rules: str, names: str) -> None:
    found = locks(RULES[rules])
    assert [one.name for one in found] == names.split()
    assert found is locks(RULES[rules])
    for one in found:
        if one.name.count("-") == 1:
            assert (one.groups, one.breakers) == (bond(one.name, rules).groups, bond(one.name, rules).breakers)


@pytest.mark.parametrize("rules", [KAO, MIXED], ids=lambda rules: rules.id)
def test_locks_are_what_the_twin_says(rules: RuleSet) -> None:
    twin = naive.game_of(rules.to_json())
    moves = twin.plain_moves("ten")
    found = locks(rules, TEN)
    assert len(found) == 5
    for lock in found:
        groups = as_naive(lock.groups)
        for before, after in moves:
            assert sum(one in groups for one in before) == sum(one in groups for one in after)
        assert not any(naive.fit([one, other], "ten") for one in groups for other in groups)
        assert as_naive(lock.breakers) == twin.breakers(groups, "ten")
        assert as_naive(lock.makers) == twin.makers(groups, "ten")
    assert any(lock.breakers for lock in found)


def test_signatures_tell_which_locks_are_present() -> None:
    found = locks(CLASSIC)
    for index, lock in enumerate(found):
        assert signature([lock.groups[-1], parse_group("22-22")], found) == 1 << index
    assert signature([], found) == 0
    assert signature([found[0].groups[0], found[1].groups[0]], found) == 3


def test_locks_are_no_more_than_a_proof_can_go_through() -> None:
    assert len(bonds(SMALL)) > 0
    assert len(locks(SMALL)) == module.MOST_LOCKS
