"""Players: their names, and what they choose where it is plain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from solver.daifugo.cards import Hand, deck, format_cards, parse_cards
from solver.daifugo.choosers import Chooser
from solver.daifugo.plays import book_of, parse_play
from solver.daifugo.policies import MONTE_CARLO, NAMES, PLAYOUTS, RULES, Policy, policy_of
from solver.daifugo.rules import PRESETS, RuleSet
from solver.daifugo.state import _begin, _play, new_state
from solver.errors import InputError

TRADITIONAL = PRESETS["traditional"]


def cards(text: str, rules: RuleSet = TRADITIONAL) -> Hand:
    return parse_cards(text, deck(rules.decks, rules.jokers))


def chosen(
    name: str,
    hand: str,
    table: str = "",
    rules: RuleSet = TRADITIONAL,
    counts: Sequence[int] = (13, 13, 13),
    seed: int = 0,
) -> str:
    """What a player with a hand plays on a table, as text; empty for a pass."""
    state = new_state()
    players = len(counts) + 1
    state["first"][1], state["second"][1] = cards(hand, rules)
    others = [0, *range(2, players)]
    for seat, count in zip(others, counts, strict=True):
        state["first"][seat] = (1 << count) - 1
    _begin(state, players, 0 if table else 1, -1)
    if table:
        state["first"][0] = cards("c3 d3 h3 s3 c4 d4 h4 s4 jk", rules)[0] | cards(table.split("=")[0], rules)[0]
        _play(state, parse_play(table, rules).to_row(), book_of(rules).switches)
    held = [int(first).bit_count() for first in state["first"][:players]]
    play = Chooser(policy_of(name), rules, seed).play(state, held)
    return "" if play is None else str(play)


def test_names() -> None:
    for code, name in enumerate(NAMES):
        assert policy_of(name).code == code
        assert policy_of(name).name == name
    assert policy_of("monte-carlo") == Policy(MONTE_CARLO, PLAYOUTS)
    assert policy_of("monte-carlo:7") == Policy(MONTE_CARLO, 7)
    assert policy_of("monte-carlo:7").name == "monte-carlo:7"
    assert policy_of("rules") == Policy(RULES)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("best", "is no player; known are random, greedy, rules, monte-carlo"),
        ("greedy:3", "only monte-carlo takes a number of playouts"),
        ("monte-carlo:0", "playouts must be a number from 1 to 1000000"),
        ("monte-carlo:x", "playouts must be a number"),
        ("monte-carlo:", "playouts must be a number"),
    ],
)
def test_names_of_nobody(name: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        policy_of(name)


def test_greedy() -> None:
    assert chosen("greedy", "c5 d5 s7 jk") == "c5 d5"
    assert chosen("greedy", "c5 d5 s7 jk", "c4") in ("c5", "d5")
    assert chosen("greedy", "c5 jk", "c6") == "jk"
    assert chosen("greedy", "c5 c6 c7 d5") == "c5 c6 c7"
    assert chosen("greedy", "c5 d5", "c6") == ""


def test_random_plays_anything_and_passes() -> None:
    found = {chosen("random", "c5 s7", "c4", seed=seed) for seed in range(60)}
    assert found == {"c5", "s7", ""}
    assert {chosen("random", "c5 s7", seed=seed) for seed in range(60)} == {"c5", "s7"}


def test_rules_keeps_sets_together_and_high_cards_back() -> None:
    assert chosen("rules", "c5 d5 s7 dQ hA", "c4") == "s7"
    assert chosen("rules", "c5 c6 c7 s8 hA", "c4") == "s8"
    assert chosen("rules", "c3 c9 d9 h9 s9 jk") == "c3"


def test_rules_goes_out_when_it_can() -> None:
    assert chosen("rules", "c5 d5", "c4 d4") == "c5 d5"
    assert chosen("rules", "jk c3") == "c3 jk=d3"


def test_rules_wins_by_force_at_the_end() -> None:
    assert chosen("rules", "jk c5", "c9", counts=(5, 5, 5)) == "jk"
    assert chosen("rules", "c2 d2 h2 s2 c5") == "c2 d2 h2 s2"


def test_rules_does_not_go_out_in_a_forbidden_way() -> None:
    rules = replace(TRADITIONAL, forbidden_finish="on", id="forbidding")
    assert chosen("rules", "c2", "cA", rules) == ""
    assert chosen("rules", "c2", "cA") == "c2"
    assert chosen("rules", "c2 c4", "cA", rules) == "c2"


def test_rules_turns_the_order_when_its_hand_is_low() -> None:
    rules = replace(TRADITIONAL, revolution_quads="any", revolution_timing="immediately", id="turning")
    assert chosen("rules", "c9 d9 h9 s9 c3 d4 h4 s5", rules=rules) == "c9 d9 h9 s9"


def test_rules_stops_who_has_one_card_left() -> None:
    assert chosen("rules", "c5 c9 d9 hK", counts=(1, 5, 5)) == "c9 d9"


@pytest.mark.parametrize("name", ["greedy", "rules", "monte-carlo:10"])
def test_gifts(name: str) -> None:
    chooser = Chooser(policy_of(name), TRADITIONAL)
    assert format_cards(*chooser.give(cards("c3 dK hA s2 jk"), 2, 5)) == "s2 jk"
    assert format_cards(*chooser.give(cards("c3 dK hA s2 jk"), 2, 5, keeps=True)) == "hA s2"
    assert format_cards(*chooser.give(cards("c3 dK hA s2 jk"), 2, 5, cards("c3 d3"))) == "c3 jk"
    assert format_cards(*chooser.give(cards("jk"), 1, 5, keeps=True)) == "jk"
    assert format_cards(*chooser.request(cards("s2 h2 d2"), 2, 5)) == "c2 jk"
    returned = format_cards(*chooser.give_back(cards("c3 d5 h5 c2 d2 jk"), 1, 5))
    assert returned == "c3"


def test_rules_gives_of_equal_cards_the_one_it_needs_least() -> None:
    chooser = Chooser(policy_of("rules"), TRADITIONAL)
    assert format_cards(*chooser.give(cards("sQ sK sA dA c3"), 1, 5)) == "dA"
    assert format_cards(*chooser.give(cards("dQ dK dA sA c3"), 1, 5)) == "sA"
    assert format_cards(*chooser.give_back(cards("c3 d3 h3 s4 cA"), 1, 5)) == "s4"


def test_random_exchange_is_random_within_the_rules() -> None:
    gifts = {
        format_cards(*Chooser(policy_of("random"), TRADITIONAL, seed).give(cards("c3 dA hA jk"), 2, 5, keeps=True))
        for seed in range(60)
    }
    assert gifts == {"dA jk", "hA jk", "dA hA"}
    backs = {
        format_cards(*Chooser(policy_of("random"), TRADITIONAL, seed).give_back(cards("c3 dA jk"), 1, 5))
        for seed in range(60)
    }
    assert backs == {"c3", "dA", "jk"}


def test_discards() -> None:
    state = new_state()
    state["first"][0] = cards("c5 d9 h9")[0]
    _begin(state, 4, 0, -1)
    state["discards"] = 1
    for name in ("greedy", "rules"):
        assert Chooser(policy_of(name), TRADITIONAL).discard(state, [3, 5, 5, 5]) == cards("c5")
    found = {Chooser(policy_of("random"), TRADITIONAL, seed).discard(state, [3, 5, 5, 5]) for seed in range(60)}
    assert found == {cards("c5"), cards("d9"), cards("h9"), None}
    state["first"][0], state["forbids"] = cards("c5")[0], True
    assert Chooser(policy_of("rules"), TRADITIONAL).discard(state, [1, 5, 5, 5]) is None
    assert np.int64(state["discards"]) == 1
