"""The layered closure against its naive twin, against play, and against what weaker arguments show."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from functools import cache
from itertools import combinations

import naive
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solver.xiangshifu.closure import relaxed_closure
from solver.xiangshifu.layers import MOST_CHOSEN, Layer, layered_closure, standing_beside
from solver.xiangshifu.moves import legal_moves, move_table
from solver.xiangshifu.position import EIGHT, LAYOUTS, SHANGHAI, TEN, Deal, Position, parse_group
from solver.xiangshifu.rules import CLASSIC, STRUCTURAL, RuleSet
from solver.xiangshifu.solve import solve

RULES = {
    "classic": CLASSIC,
    "mixed-dragon": RuleSet.parse("mixed-dragon"),
    # Of fewer valid triples, so that twins are quick and often everything that can be reached is seen.
    "stern": RuleSet("stern", 16, (), STRUCTURAL, (("dragon", (1, 2, 3, 4, 5, 6)),)),
}
LOST = {
    "one": ("classic", Deal.random(3, 949), (1,)),
    "one, with many pairs": ("mixed-dragon", Deal.random(1, 44), (10,)),
    "two": ("classic", Deal.random(1, 1314), (0, 4)),
    "four": ("mixed-dragon", Deal.random(3, 20641), (6, 8, 9, 10)),
    "shanghai": ("classic", Deal.random(1, 1720, SHANGHAI), (1,)),
    "eight": ("classic", Deal.random(1, 1055, EIGHT), (1, 8)),
    "eight, three": ("mixed-dragon", Deal.random(1, 708, EIGHT), (0, 3, 4)),
}
"""Deals that are lost by the layered closure of some places."""

TWINS_DEAL = "15-34-66 12-15-45 11-23-35 44-46-56 26-44-66 24-33-56 22-25-36 14-33-46 11-22 55-55 13-16 13-16"
"""Two of its invalid groups are equal, and can exchange with each other."""


@cache
def game(rules: str) -> naive.Game:
    return naive.game_of(RULES[rules].to_json())


def groups_of(deal: Position) -> list[naive.Group]:
    return [naive.group(text) for text in str(deal).split()]


def invalid_places(deal: Position, rules: str) -> list[int]:
    return game(rules).invalid_places(groups_of(deal))


def counts(layers: Collection[Layer]) -> dict[tuple[int, ...], tuple[int, int]]:
    return {layer.remaining: (layer.groups, layer.pairs) for layer in layers}


def pairs(layer: naive.Beside) -> int:
    """How many twos of pieces stand beside each other; two alike count as well."""
    return sum(one <= other for one in layer for other in layer[one])


def assert_twins_agree(deal: Deal, chosen: Collection[int], rules: str) -> tuple[Layer, ...] | None:
    layers = layered_closure(deal, list(chosen), RULES[rules])
    twin = game(rules).layered_closure(groups_of(deal), chosen)
    assert (layers is None) == (frozenset() in twin)
    if layers is not None:
        expected = {tuple(sorted(remaining)): (len(layer), pairs(layer)) for remaining, layer in twin.items()}
        assert counts(layers) == expected
        assert len(layers) == len(expected)
    return layers


deals = st.builds(
    lambda seed, layout: Deal.random(seed, 0, LAYOUTS[layout]), st.integers(0, 2**32), st.sampled_from(sorted(LAYOUTS))
)


@given(deals, st.data())
def test_layers_are_those_of_the_twin(deal: Deal, data: st.DataObject) -> None:
    invalid = invalid_places(deal, "stern")
    chosen = data.draw(st.permutations(invalid))[: data.draw(st.integers(1, MOST_CHOSEN))]
    assume(chosen)
    assert_twins_agree(deal, chosen, "stern")


@pytest.mark.slow
@settings(max_examples=6)
@given(deals, st.sampled_from(["classic", "mixed-dragon"]), st.data())
def test_layers_of_many_groups_are_those_of_the_twin(deal: Deal, rules: str, data: st.DataObject) -> None:
    invalid = invalid_places(deal, rules)
    chosen = data.draw(st.permutations(invalid))[: data.draw(st.integers(1, MOST_CHOSEN))]
    assume(chosen)
    assert_twins_agree(deal, chosen, rules)


@pytest.mark.parametrize("name", LOST)
def test_known_losses_are_those_of_the_twin(name: str) -> None:
    rules, deal, chosen = LOST[name]
    layers = assert_twins_agree(deal, chosen, rules)
    assert layers is not None
    assert layers[0].remaining == chosen
    assert layered_closure(deal, chosen[::-1], RULES[rules]) == layers


def test_layers_come_in_the_order_of_their_bits() -> None:
    layers = layered_closure(Deal.random(1, 708, EIGHT), (0, 3, 4), RULES["mixed-dragon"])
    assert layers is not None
    assert [layer.remaining for layer in layers] == [(0, 3, 4), (3, 4), (0, 4), (4,), (0, 3), (3,), (0,)]


@pytest.mark.parametrize("chosen", [(10,), (10, 11), (0, 10, 11), (1, 2, 10), (0, 2), (0, 1, 2, 4)])
def test_equal_invalid_groups_are_told_apart(chosen: tuple[int, ...]) -> None:
    for rules in ("classic", "stern"):
        layers = assert_twins_agree(Deal.parse(TWINS_DEAL), chosen, rules)
        assert layers is None or chosen != (10, 11)


# Play


@cache
def reached(deal: Deal, rules: str, most: int) -> tuple[tuple[naive.Piece, ...], ...]:
    """The positions that can be reached, as sorted pieces, the nearest of them if there are more than ``most``."""
    start = tuple(sorted(game(rules).pieces(groups_of(deal))))
    seen, waiting = {start}, [start]
    for position in waiting:
        for after in after_a_move(position, rules):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(waiting) > most:
            break
    return tuple(waiting)


def after_a_move(position: tuple[naive.Piece, ...], rules: str) -> Iterator[tuple[naive.Piece, ...]]:
    for i, j in combinations(range(len(position)), 2):
        for made in game(rules).made(position[i], position[j]):
            yield tuple(sorted((*naive.without(position, i, j), *made)))


def assert_all_is_followed(deal: Deal, chosen: Collection[int], rules: str, most: int) -> None:
    """Whatever is reached while some of the chosen groups remain stands beside each other in their layer."""
    twin = game(rules).layered_closure(groups_of(deal), chosen)
    for position in reached(deal, rules, most):
        remaining = frozenset(place for _, place in position if place in chosen)
        others = [piece for piece in position if piece[1] not in remaining]
        assert remaining in twin
        # What comes after the last of them is repaired is not followed.
        if remaining:
            assert all(other in twin[remaining][one] for one, other in combinations(others, 2))


@pytest.mark.parametrize("name", LOST)
def test_nothing_that_play_brings_about_is_missing(name: str) -> None:
    rules, deal, chosen = LOST[name]
    assert_all_is_followed(deal, chosen, rules, 1000)


@settings(max_examples=20)
@given(deals, st.data())
def test_nothing_that_any_play_brings_about_is_missing(deal: Deal, data: st.DataObject) -> None:
    chosen = data.draw(st.permutations(invalid_places(deal, "stern")))[: data.draw(st.integers(1, MOST_CHOSEN))]
    assert_all_is_followed(deal, chosen, "stern", 300)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_groups_that_play_repairs_have_no_closure(layout: object) -> None:
    """By trying everything: what is claimed to remain in part for ever does."""
    held = fell = 0
    for seed in range(40):
        deal = Deal.random(seed, 0, layout)  # type: ignore[arg-type]
        everything = reached(deal, "stern", 400)
        if len(everything) > 400:
            continue
        invalid = invalid_places(deal, "stern")
        remaining = {frozenset(place for _, place in position if place >= 0) for position in everything}
        for chosen in (set(places) for size in (1, 2, 3) for places in combinations(invalid, size)):
            repaired = any(not chosen & places for places in remaining)
            lost = layered_closure(deal, sorted(chosen), RULES["stern"]) is not None
            assert not (repaired and lost)
            fell += repaired
            held += lost
    assert held > 100
    assert fell > 100


@pytest.mark.parametrize("name", LOST)
def test_a_loss_remains_one_in_play(name: str) -> None:
    """A position that a closure covers has one for the groups that remain, with nothing in it that was not there."""
    rules, deal, chosen = LOST[name]
    layers = layered_closure(deal, chosen, RULES[rules])
    assert layers is not None
    known = counts(layers)
    position: Position = deal
    for step in range(30):
        moves = legal_moves(position, RULES[rules])
        if not moves:
            break
        move = moves[step * 7 % len(moves)]
        position = position.exchanged(*move.groups, move.after)
        remaining = tuple(place for place in chosen if position.groups[place] == deal.groups[place])
        after = layered_closure(position, remaining, RULES[rules])
        assert after is not None
        for places, (groups, beside) in counts(after).items():
            assert groups <= known[places][0]
            assert beside <= known[places][1]


# Weaker arguments


@pytest.mark.parametrize("name", LOST)
def test_a_loss_is_also_one_with_more_groups_chosen(name: str) -> None:
    rules, deal, chosen = LOST[name]
    fewer = layered_closure(deal, chosen, RULES[rules])
    assert fewer is not None
    known = counts(fewer)
    for place in invalid_places(deal, rules):
        if place in chosen or len(chosen) == MOST_CHOSEN:
            continue
        more = layered_closure(deal, (*chosen, place), RULES[rules])
        assert more is not None
        for layer in more:
            groups, beside = known[tuple(other for other in layer.remaining if other != place)]
            # The one more is itself a group of the layer in which it is not chosen.
            assert layer.groups + (place in layer.remaining) <= groups
            assert layer.pairs + (place in layer.remaining) * layer.groups <= beside


@settings(max_examples=40)
@given(deals, st.sampled_from(sorted(RULES)))
def test_what_the_relaxed_closure_leaves_frozen_is_lost_by_layers(deal: Deal, rules: str) -> None:
    for place in invalid_places(deal, rules):
        alone = relaxed_closure(deal, [place], RULES[rules])
        layers = layered_closure(deal, [place], RULES[rules])
        if alone.frozen:
            assert layers is not None
            assert layers[0].groups <= len(alone.groups) + equal_groups(deal, rules)


@settings(max_examples=40)
@given(deals, st.data())
def test_a_frozen_set_is_never_left(deal: Deal, data: st.DataObject) -> None:
    start = data.draw(st.permutations(invalid_places(deal, "stern")))[:MOST_CHOSEN]
    found = relaxed_closure(deal, start, RULES["stern"])
    assume(found.frozen)
    layers = layered_closure(deal, found.frozen, RULES["stern"])
    assert layers is not None
    (layer,) = layers
    assert layer.remaining == found.frozen
    assert layer.groups <= len(found.groups) + equal_groups(deal, "stern")


def equal_groups(deal: Deal, rules: str) -> int:
    """How many invalid groups are equal to an earlier one: the relaxed closure does not tell them apart."""
    invalid = [deal.groups[place] for place in invalid_places(deal, rules)]
    return len(invalid) - len(set(invalid))


def test_a_winnable_deal_has_no_closure() -> None:
    deal = Deal.random(1, 2, TEN)
    invalid = invalid_places(deal, "classic")
    for size in range(1, MOST_CHOSEN + 1):
        for chosen in combinations(invalid, size):
            assert layered_closure(deal, chosen, CLASSIC) is None


# All layers, the empty one too


def standing(deal: Deal, chosen: Collection[int], rules: str) -> dict[frozenset[int], set[tuple[int, int]]]:
    """The twos of valid groups that can stand beside each other, for each set of chosen places that can be left."""
    beside = standing_beside(deal, list(chosen), RULES[rules])
    assert beside is not None
    groups = [int(mask) for mask in move_table(RULES[rules]).valid_masks]
    places = sorted(chosen)
    found = {}
    for layer, rows in enumerate(beside):
        bits = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")[: len(groups), : len(groups)]
        twos = {(groups[i], groups[j]) for i, j in np.argwhere(bits)}
        if twos:
            found[frozenset(place for k, place in enumerate(places) if layer >> k & 1)] = twos
    return found


def assert_standing_is_that_of_the_twin(deal: Deal, chosen: Collection[int], rules: str) -> int:
    twin = game(rules).layered_closure(groups_of(deal), chosen)
    expected = {}
    for remaining, layer in twin.items():
        valid = {one: parse_group("-".join(one[0])) for one in layer if one[1] < 0}
        twos = {(valid[one], valid[other]) for one in valid for other in layer[one] if other in valid}
        if twos:
            expected[remaining] = twos
    assert standing(deal, chosen, rules) == expected
    return len(expected)


@settings(max_examples=30)
@given(deals, st.data())
def test_what_stands_in_all_layers_is_that_of_the_twin(deal: Deal, data: st.DataObject) -> None:
    invalid = invalid_places(deal, "stern")
    chosen = data.draw(st.permutations(invalid))[: data.draw(st.integers(0, 8))]
    assert_standing_is_that_of_the_twin(deal, chosen, "stern")


def test_equal_groups_are_told_apart_in_all_layers() -> None:
    for chosen in ((10, 11), (0, 1, 10, 11)):
        assert assert_standing_is_that_of_the_twin(Deal.parse(TWINS_DEAL), chosen, "classic") == 2


def test_a_solution_stands_in_its_layers() -> None:
    """At each position of a solution, the valid groups stand beside each other in the layer of the invalid ones."""
    numbers = {int(mask): number for number, mask in enumerate(move_table(CLASSIC).valid_masks)}
    looked_at = 0
    for deal in (Deal.random(2, number) for number in range(6)):
        moves = solve(deal, first=True).moves
        invalid = invalid_places(deal, "classic")
        beside = standing_beside(deal, invalid, CLASSIC)
        assert moves
        assert beside is not None
        position: Position = deal
        for move in moves:
            position = position.exchanged(*move.groups, move.after)
            layer = sum(1 << k for k, place in enumerate(invalid) if position.groups[place] not in numbers)
            valid = [numbers[group] for group in position.groups if group in numbers]
            for one, other in combinations(valid, 2):
                assert int(beside[layer, one, other >> 6]) >> (other & 63) & 1
            looked_at += 1
    assert looked_at > 30


def test_no_time_for_layers() -> None:
    deal = Deal.random(1, 4410)
    assert standing_beside(deal, invalid_places(deal, "classic"), CLASSIC, time.perf_counter()) is None


# Arguments


@pytest.mark.parametrize("chosen", [(), (3,), (1, 3), (-1,), (11,), (0, 1, 2, 5, 6)])
def test_what_can_not_be_chosen(chosen: tuple[int, ...]) -> None:
    _, deal, _ = LOST["one"]
    assert 8 not in invalid_places(deal, "classic")
    places = tuple(8 if place == 3 else place for place in chosen)
    with pytest.raises(ValueError, match="places of invalid groups"):
        layered_closure(deal, places, CLASSIC)


@pytest.mark.parametrize("chosen", [(8,), (1, 8), (-1,), (11,), (1, 1)])
def test_what_can_not_be_left(chosen: tuple[int, ...]) -> None:
    _, deal, _ = LOST["one"]
    with pytest.raises(ValueError, match="places of invalid groups"):
        standing_beside(deal, chosen, CLASSIC)
