"""Deals at random: a function of seed and number, fair, and the same whether counted or told state by state."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.daifugo.playouts import count_plays, random_deal, random_deals
from solver.daifugo.plays import Play, legal_plays
from solver.daifugo.rules import PRESETS, RuleSet
from solver.daifugo.state import places_of, table_row
from solver.errors import InputError
from solver.kernelshuffle import ShuffleArrays, _below, _start, shuffle_arrays
from solver.shuffle import shuffle

TRADITIONAL = PRESETS["traditional"]
WORDS = np.zeros(1, dtype=np.uint64)


def start(arrays: ShuffleArrays, index: int) -> None:
    _start(arrays.key, np.uint64(index), 2, arrays.counter, arrays.block, WORDS)


# These numbers are what a seed means; they never change.
@pytest.mark.parametrize(
    ("name", "players", "actions", "plays", "revolutions"),
    [
        ("traditional", 4, [112, 106, 105, 103, 100], 26773, 0),
        ("president", 6, [112, 122, 92, 116, 111], 19018, 0),
        ("polish", 3, [73, 67, 74, 69, 72], 37521, 3),
        ("uecda", 5, [117, 127, 117, 134, 116], 23614, 1),
        ("1979", 8, [176, 190, 194, 176, 205], 16530, 0),
    ],
)
def test_what_a_seed_means(name: str, players: int, actions: list[int], plays: int, revolutions: int) -> None:
    counts = random_deals(PRESETS[name], players, 1, 0, 100)
    assert counts["actions"][:5].tolist() == actions
    assert (counts["plays"].sum(), counts["revolutions"].sum()) == (plays, revolutions)


@pytest.mark.parametrize("rules", [*PRESETS.values(), RuleSet(id="tens", decks=2, ten_discard=True, suit_lock="full")])
def test_deals_told_state_by_state_are_those_counted(rules: RuleSet) -> None:
    players = rules.players or 4
    counts = random_deals(rules, players, 7, 3, 5)
    assert (counts == random_deals(rules, players, 7, 0, 8)[3:]).all()
    for number, count in enumerate(counts, 3):
        states = random_deal(rules, players, 7, number)
        choosing = states[:-1][states[:-1]["discards"] == 0]
        assert states["actions"].tolist() == list(range(count["actions"] + 1))
        assert count_plays(choosing, rules).sum() == count["plays"]
        assert states[-1]["revolutions"] == count["revolutions"]
        assert places_of(states[-1]) == tuple(count["places"][:players].tolist())


def test_the_cards_fall_as_the_shuffle_says() -> None:
    state = random_deal(TRADITIONAL, 4, 12, 34)[0]
    order = shuffle(53, 12, 34)
    assert state["first"][:4].tolist() == [sum(1 << card for card in order[seat::4]) for seat in range(4)]
    state = random_deal(RuleSet(decks=2), 5, 12, 34)[0]
    order = [104 if card >= 104 else card % 52 for card in shuffle(106, 12, 34)]
    for seat in range(5):
        held = Counter(order[seat::5])
        jokers = (1 << held.pop(104, 0)) - 1
        assert state["first"][seat] == sum(1 << card for card in held) | jokers << 52
        assert state["second"][seat] == sum(1 << card for card, count in held.items() if count == 2)


def test_counts_of_plays_are_those_of_each_state() -> None:
    states = random_deal(PRESETS["polish"], 4, 1, 1)[:-1]
    counts = count_plays(states, PRESETS["polish"])
    for state, count in zip(states, counts, strict=True):
        seat = state["turn"]
        hand = int(state["first"][seat]), int(state["second"][seat])
        row = table_row(state)
        table = None if row is None else Play.from_row(row)
        found = legal_plays(hand, PRESETS["polish"], table, is_reversed=bool(state["is_reversed"]))
        assert count == len(found)


def test_who_leads_and_who_comes_first_is_fair() -> None:
    firsts = np.argmin(random_deals(TRADITIONAL, 4, 5, 0, 4000)["places"][:, :4], axis=1)
    leaders = [int(random_deal(TRADITIONAL, 4, 5, number)[0]["turn"]) for number in range(2000)]
    # The seats are alike, but that the first has one card more: five standard deviations.
    assert np.abs(np.bincount(firsts, minlength=4)[1:] / 4000 - 0.25).max() < 0.05
    assert np.abs(np.bincount(leaders, minlength=4) / 2000 - 0.25).max() < 5 * np.sqrt(0.25 * 0.75 / 2000)


def test_so_many_cannot_play() -> None:
    with pytest.raises(InputError, match=r"^4 players: uecda is played by 5$"):
        random_deals(PRESETS["uecda"], 4, 1, 0, 1)
    with pytest.raises(InputError, match=r"^seed -1 is not in"):
        random_deal(TRADITIONAL, 4, -1, 0)


@settings(max_examples=20)
@given(st.integers(0, 2**64 - 1), st.integers(1, 60))
def test_choices_are_even(index: int, limit: int) -> None:
    arrays = shuffle_arrays(1, 9)
    start(arrays, index)
    drawn = np.bincount([_below(WORDS, limit) for _ in range(limit * 50)], minlength=limit)
    assert len(drawn) == limit
    # Fifty expected of each: seven standard deviations.
    assert np.abs(drawn - 50).max() <= 50
