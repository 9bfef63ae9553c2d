"""The table of moves against the naive twin, the numbers of the rules, and moves as people see them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from random import Random

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.xiangshifu.groups import GROUPS, TRIPLES, classified, group_names, group_table, group_text
from solver.xiangshifu.moves import legal_moves, move_between, move_table
from solver.xiangshifu.position import LAYOUTS, Deal, format_group
from solver.xiangshifu.rules import CLASSIC, STRUCTURAL, Only, RuleSet
from solver.xiangshifu.tiles import TILES

ODD = RuleSet("odd", 9, (2, 5), STRUCTURAL[1:], (("mine", (1, 2, 2, 4, 5, 6)),))
RULES = {
    "classic": CLASSIC,
    "mixed-dragon": RuleSet.parse("mixed-dragon"),
    "everything": RuleSet.parse("thirteen+mixed-dragon+multiple"),
    "odd": ODD,
}
numbers = st.integers(0, GROUPS - 1)


@cache
def game(rules: str) -> naive.Game:
    return naive.game_of(RULES[rules].to_json())


@cache
def text_of(number: int) -> naive.Group:
    return naive.group(group_text(number))


@cache
def number_of() -> dict[naive.Group, int]:
    return {text_of(number): number for number in range(GROUPS)}


def can_stand(a: int, b: int) -> bool:
    return not naive.tiles_of([text_of(a), text_of(b)]) - naive.SET


def found(rules: str, a: int, b: int) -> list[naive.Groups]:
    """What the table says about two groups, in texts."""
    results = [sorted((text_of(x), text_of(y))) for x, y in move_table(RULES[rules]).exchanges(a, b)]
    return sorted((x, y) for x, y in results)


# The table and its twin


@given(st.sampled_from(sorted(RULES)), numbers, numbers)
def test_the_table_holds_the_exchanges_of_its_twin(rules: str, a: int, b: int) -> None:
    expected = sorted(game(rules).exchanges(text_of(a), text_of(b))) if can_stand(a, b) else []
    assert found(rules, a, b) == found(rules, b, a) == expected


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("a", [0, 333, 1111, TRIPLES - 1, TRIPLES, TRIPLES + 100, GROUPS - 1])
def test_whole_rows_of_the_table_are_those_of_its_twin(rules: str, a: int) -> None:
    for b in range(GROUPS):
        expected = sorted(game(rules).exchanges(text_of(a), text_of(b))) if can_stand(a, b) else []
        assert found(rules, a, b) == expected


@given(st.sampled_from(sorted(RULES)), st.data())
def test_exchanges_with_a_valid_partner_are_those_of_its_twin(rules: str, data: st.DataObject) -> None:
    # Most pairs of groups have no exchange; here every example has one.
    a = data.draw(numbers)
    partners = game(rules).partners(text_of(a))
    for other in data.draw(st.lists(st.sampled_from(partners), max_size=5) if partners else st.just([])):
        expected = sorted(game(rules).exchanges(text_of(a), other))
        assert expected
        assert found(rules, a, number_of()[other]) == expected


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        # One tile for one: 15 for 35.
        ("11-55-15", "16-35-14", "11-55-35 16-15-14"),
        # The whole pair for two tiles of a triple that are a valid pair.
        ("11-22-22", "11-13", "11-11-13 22-22"),
        # Between two pairs, and two ways to the same result.
        ("13-22", "13-22", "13-13 22-22"),
        ("36-26", "45-35", "36-45 26-35"),
        # Only the identities would change hands: 12 for 13.
        ("11-12-66", "11-13-66", None),
        ("66-66", "11-11", None),
    ],
)
def test_an_exchange_by_hand(a: str, b: str, result: str | None) -> None:
    expected = {tuple(sorted(map(naive.group, result.split())))} if result else set()
    one, other = naive.group(a), naive.group(b)
    assert game("classic").exchanges(one, other) == expected
    assert set(found("classic", number_of()[one], number_of()[other])) == expected


@pytest.mark.parametrize("rules", RULES)
def test_valid_flags_are_those_of_the_twin(rules: str) -> None:
    table = move_table(RULES[rules])
    assert table.valid.tolist() == [game(rules).valid(text_of(number)) for number in range(GROUPS)]
    assert table.valid_groups.tolist() == np.flatnonzero(classified(RULES[rules])).tolist()


@pytest.mark.parametrize("rules", RULES)
def test_results_are_valid_ordered_distinct_and_keep_the_tiles(rules: str) -> None:
    table = move_table(RULES[rules])
    assert table.valid[table.results].all()
    assert (table.results[:, 0] <= table.results[:, 1]).all()
    rows = pairs_with_an_exchange(RULES[rules])
    assert len(rows) == len(table.starts) - 1
    for entry in range(0, len(rows), 53):
        a, b = rows[entry].tolist()
        results = [tuple(result) for result in table.results[table.starts[entry] : table.starts[entry + 1]].tolist()]
        assert len(set(results)) == len(results) > 0
        assert (a, b) not in results
        for x, y in results:
            assert Counter(text_of(x) + text_of(y)) == Counter(text_of(a) + text_of(b))


@pytest.mark.parametrize("rules", RULES)
def test_moves_between_valid_groups_can_be_undone(rules: str) -> None:
    table = move_table(RULES[rules])
    for a, b in combinations(table.valid_groups.tolist()[::7], 2):
        for x, y in table.exchanges(a, b):
            assert (min(a, b), max(a, b)) in [(min(back), max(back)) for back in table.exchanges(x, y)]


def test_the_table_is_made_once() -> None:
    assert move_table(RuleSet.parse("multiple")) is move_table(RuleSet.parse("multiple"))


# The numbers of the rules


@cache
def together() -> np.ndarray:
    """Which groups can stand together: the set has the tiles of both."""
    held = np.array([TILES.counts(int(mask)) for mask in group_table().masks], dtype=np.int8)
    return np.array([(held + one <= TILES.counts(TILES.full)).all(axis=1) for one in held])


def pairs_with_an_exchange(rules: RuleSet) -> np.ndarray:
    """The pairs of group numbers that have an entry in the table; shape (entries, 2)."""
    return np.argwhere(np.unpackbits(move_table(rules).rows.view(np.uint8), axis=1, bitorder="little")[:, :GROUPS])


def test_963390_pairs_of_triples_can_stand_together() -> None:
    assert int(np.triu(together()[:TRIPLES, :TRIPLES]).sum()) == 963_390


@pytest.mark.parametrize("rules", RULES)
def test_only_groups_that_can_stand_together_have_an_entry(rules: str) -> None:
    pairs = pairs_with_an_exchange(RULES[rules])
    assert len(pairs) > 0
    assert together()[pairs[:, 0], pairs[:, 1]].all()
    assert (pairs[:, 0] <= pairs[:, 1]).all()


def test_95179_pairs_of_triples_have_an_exchange_with_107001_results_in_classic() -> None:
    table = move_table(CLASSIC)
    triples = (pairs_with_an_exchange(CLASSIC) < TRIPLES).all(axis=1)
    assert int(triples.sum()) == 95_179
    assert int(np.diff(table.starts)[triples].sum()) == 107_001


# Counts of positions


def positions_at(deal: Deal, rules: RuleSet, depth: int) -> list[int]:
    """How many distinct positions are exactly 1, 2, ... ``depth`` moves from a deal, by the table."""
    table = move_table(rules)
    level = {tuple(sorted(group_table().number(group) for group in deal.groups))}
    seen = set(level)
    sizes = []
    for _ in range(depth):
        level = {
            tuple(sorted((*position[:i], *position[i + 1 : j], *position[j + 1 :], *result)))
            for position in level
            for i, j in combinations(range(len(position)), 2)
            for result in table.exchanges(position[i], position[j])
        } - seen
        seen |= level
        sizes.append(len(level))
    return sizes


PERFT = {
    ("ten", 2, "classic"): [11, 73, 309],
    ("ten", 3, "mixed-dragon"): [10, 45, 145],
    ("ten", 0, "everything"): [15, 163, 1432],
    ("ten", 4, "odd"): [42, 1013, 18429],
    ("shanghai", 1, "classic"): [10, 61, 262],
    ("eight", 4, "classic"): [7, 32, 105],
}
"""For deals of seed 1, how many positions are exactly one, two and three moves away."""


@pytest.mark.parametrize("name", PERFT, ids=lambda name: "-".join(map(str, name)))
def test_so_many_positions_are_one_two_and_three_moves_away(name: tuple[str, int, str]) -> None:
    layout, index, rules = name
    deal = Deal.random(1, index, LAYOUTS[layout])
    assert positions_at(deal, RULES[rules], 3) == PERFT[name]
    assert game(rules).perft(naive.deal(1, index, layout), 3) == PERFT[name]


# Moves as people see them

deals = st.builds(
    lambda seed, layout: Deal.random(seed, 0, LAYOUTS[layout]), st.integers(0, 2**32), st.sampled_from(sorted(LAYOUTS))
)


def texts(groups: tuple[int, ...]) -> naive.Groups:
    return tuple(naive.group(format_group(group)) for group in groups)


@given(deals, st.sampled_from(sorted(RULES)))
def test_legal_moves_are_those_of_the_twin_each_once(deal: Deal, rules: str) -> None:
    moves = legal_moves(deal, RULES[rules])
    after = [tuple(sorted(texts(deal.exchanged(*move.groups, move.after).groups))) for move in moves]
    assert set(after) == game(rules).moves(texts(deal.groups))
    assert len(set(after)) == len(after)


@given(deals, st.sampled_from(sorted(RULES)))
def test_a_move_tells_what_it_does(deal: Deal, rules: str) -> None:
    for move in legal_moves(deal, RULES[rules]):
        first, second = move.groups
        assert first < second
        assert move.before == (deal.groups[first], deal.groups[second])
        leaving = [Counter(TILES.names(mask)) for mask in move.out]
        before = [Counter(TILES.names(mask)) for mask in move.before]
        after = [Counter(TILES.names(mask)) for mask in move.after]
        assert leaving[0].total() == leaving[1].total()
        assert not leaving[0] - before[0]
        assert not leaving[1] - before[1]
        assert after == [before[0] - leaving[0] + leaving[1], before[1] - leaving[1] + leaving[0]]
        assert move.names == tuple(group_names(group, RULES[rules]) for group in move.after)
        assert all(move.names)


@given(deals, st.sampled_from(sorted(RULES)))
def test_two_tiles_leave_only_as_a_whole_pair(deal: Deal, rules: str) -> None:
    for move in legal_moves(deal, RULES[rules]):
        size = move.out[0].bit_count()
        assert size in (1, 2)
        if size == 2:
            pair = next(side for side in range(2) if move.before[side].bit_count() == 2)
            assert move.out[pair] == move.before[pair]
            assert group_names(move.after[pair], RULES[rules])


def test_a_move_as_json() -> None:
    deal = Deal.random(1, 0)
    move = legal_moves(deal, CLASSIC)[0]
    assert move.to_json() == {
        "groups": [0, 6],
        "out": [["15"], ["35"]],
        "before": [["11", "55", "15"], ["16", "35", "14"]],
        "after": [["11", "55", "35"], ["16", "15", "14"]],
        "names": [["five-points"], ["full-fourteen"]],
    }


def test_a_move_between_places_in_either_order_is_the_same() -> None:
    deal = Deal.random(1, 2)
    for move in legal_moves(deal, CLASSIC):
        x, y = (group_table().number(group) for group in move.after)
        assert move_between(deal, *move.groups, x, y, CLASSIC) == move
        assert move_between(deal, *move.groups[::-1], x, y, CLASSIC) == move


def test_an_exchange_that_cannot_be_is_refused() -> None:
    deal = Deal.random(1, 0)
    with pytest.raises(ValueError, match="no exchange makes"):
        move_between(deal, 0, 1, 0, 1, CLASSIC)


# Restricted rule sets


def masks_of(groups: set[naive.Group]) -> tuple[int, ...]:
    return tuple(int(group_table().masks[number_of()[one]]) for one in sorted(groups))


def restriction(kind: str, random: Random) -> tuple[set[naive.Group], list[tuple[naive.Group, set[naive.Group], bool]]]:
    """Some groups to be excluded, and some repairs to be left, such that something is left of them."""
    game_ = game("classic")
    invalid = [one for one in random.sample(sorted(number_of()), 60) if not game_.valid(one)]
    invalid = [one for one in invalid if len(game_.partners(one)) > 5]
    excluded = set(random.sample(game_.valid_groups, 25)) if kind in ("excluded", "all") else set()
    only = []
    for breaks in {"making": [False], "breaking": [True], "all": [False, True, False, True]}.get(kind, []):
        one = random.choice(invalid)
        partners = game_.partners(one)
        made = sorted(new for other in partners for pair in game_.exchanges(one, other) for new in pair)
        only.append((one, set(random.sample(partners if breaks else made, 4)), breaks))
    return excluded, only


@pytest.mark.parametrize("kind", ["excluded", "making", "breaking", "all"])
def test_restricted_tables_hold_what_a_filter_leaves(kind: str) -> None:
    excluded, only = restriction(kind, Random(kind))
    records = [Only(masks_of({one})[0], masks_of(locked), breaks) for one, locked, breaks in only]
    table, plain = move_table(CLASSIC.restricted(masks_of(excluded), records)), move_table(CLASSIC)
    twin = naive.Restricted(game("classic"), excluded, only)
    assert {text_of(int(number)) for number in table.valid_groups} == set(twin.valid_groups)
    bits = np.unpackbits(plain.rows.view(np.uint8), axis=1, bitorder="little")
    left = total = 0
    # All entries take seconds; of what concerns no group of a restriction, one in twenty is looked at.
    touched = {number_of()[one] for one in (*excluded, *(one for one, _, _ in only))}
    for place, (a, b) in enumerate(np.argwhere(bits).tolist()):
        if place % 20 and not {a, b} & touched:
            continue
        before = plain.exchanges(a, b)
        expected = twin.filtered(text_of(a), text_of(b), [(text_of(x), text_of(y)) for x, y in before])
        found = table.exchanges(a, b)
        assert [(text_of(x), text_of(y)) for x, y in found] == expected
        total += len(before)
        left += len(expected)
    assert 0 < left < total
    for one, _, _ in only:
        number = number_of()[one]
        rows = [table.exchanges(number, int(other)) for other in table.valid_groups]
        codes = table.codes[number].tolist()
        assert rows == [
            [(x, y) for x, y in table.results[code >> 4 : (code >> 4) + (code & 15)].tolist()] for code in codes
        ]
        assert any(rows)


def test_no_restriction_changes_nothing() -> None:
    table, plain = move_table(CLASSIC.restricted()), move_table(CLASSIC)
    for field in ("rows", "starts", "results", "codes"):
        assert np.array_equal(getattr(table, field), getattr(plain, field))
