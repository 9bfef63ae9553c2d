"""A deal in play: the rules by example, whole deals against the twin, and what holds in every deal."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import naive_daifugo as naive
import numpy as np
import pytest
from cardtable import Pair, random_rules, rule_sets, words
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from numpy.typing import NDArray

from solver.daifugo.cards import JOKER_RANK
from solver.daifugo.playouts import count_plays, random_deal
from solver.daifugo.plays import parse_play
from solver.daifugo.rules import PRESETS, RuleSet
from solver.daifugo.state import MOST_PLAYERS, places_of, table_row

TRADITIONAL = PRESETS["traditional"]


def rules_with(**changes: Any) -> RuleSet:
    return replace(TRADITIONAL, id="example", **changes)


def play(pair: Pair, actions: str) -> Pair:
    """Actions one after the other, both sides agreeing all the time."""
    pair.compare()
    for action in actions.split(" | "):
        pair.act(action)
        pair.compare()
    return pair


def clear(pair: Pair) -> Pair:
    """All pass until the table is clear."""
    while pair.state["size"]:
        play(pair, "pass")
    return pair


def seats(mask: int) -> set[int]:
    return {seat for seat in range(MOST_PLAYERS) if mask >> seat & 1}


def leads(pair: Pair) -> int:
    """Who is to lead: the table is clear."""
    assert not pair.state["size"]
    return int(pair.state["turn"])


# The base game


def test_the_worked_trick_of_the_rules() -> None:
    pair = Pair.of(TRADITIONAL, "c4 d4 c6", "cA jk d6", "c7 d7 cK dK h6", "c8 d8 s6")
    play(pair, "c4 d4 | pass | c7 d7 | c8 d8 | pass | pass | cK dK | pass | pass | cA jk=dA | pass | pass")
    assert str(pair.deal.table) == "cA jk=dA"
    assert leads(play(pair, "pass")) == 1


def test_who_passed_may_play_later_in_the_trick() -> None:
    pair = play(Pair.of(TRADITIONAL, "c4 c9", "c5 cK", "c6 d6"), "c4 | pass | c6 | c9")
    assert pair.texts() == {"cK"}
    assert leads(play(pair, "cK | pass")) == 1


def test_when_all_others_have_passed_in_a_row_the_last_to_play_leads_anything() -> None:
    pair = play(Pair.of(TRADITIONAL, "c4 d4 h4 c3", "c5 cK", "c6 d6"), "c4 | c5 | pass | pass")
    assert leads(pair) == 1
    assert pair.texts() == {"cK"}


def test_who_is_out_can_be_beaten_and_if_not_the_next_to_the_left_with_cards_leads() -> None:
    pair = Pair.of(TRADITIONAL, "cQ", "c5 c6", "cK c7", "d5 d6")
    assert play(pair, "cQ").texts() == set()
    beaten = play(pair.copy(), "pass | cK | pass | pass")
    assert leads(beaten) == 2
    assert leads(play(pair, "pass | pass | pass")) == 1


def test_the_lead_passes_over_all_who_are_out() -> None:
    pair = play(Pair.of(TRADITIONAL, "c5", "c6", "c7 d7", "d3 d4"), "c5 | c6 | pass | pass")
    assert leads(pair) == 2


def test_the_deal_ends_when_one_is_left_and_places_are_the_order_of_going_out() -> None:
    pair = play(Pair.of(TRADITIONAL, "c3 c4", "c6", "c7", turn=1), "c6 | c7")
    assert pair.is_over
    assert places_of(pair.state) == (2, 0, 1)


def test_the_table_is_told_as_a_play() -> None:
    pair = Pair.of(TRADITIONAL, "h9 h10 jk c3", "c4", "c5")
    assert table_row(pair.state) is None
    play(pair, "h9 h10 jk=hJ")
    assert table_row(pair.state) == parse_play("h9 h10 jk=hJ", TRADITIONAL).to_row()


# Revolution


QUADS = ("c6 d6 h6 s6 c3", "c8 d8 h8 s8 c4", "c5 d5 h5 s5 d3 d4")


def test_without_revolutions_four_of_a_kind_turn_nothing() -> None:
    pair = clear(play(Pair.of(TRADITIONAL, *QUADS), "c6 d6 h6 s6"))
    assert not pair.state["is_reversed"]


def test_a_revolution_when_the_table_is_next_cleared() -> None:
    pair = play(Pair.of(rules_with(revolution_quads="any"), *QUADS), "c6 d6 h6 s6")
    assert pair.texts() == {"c8 d8 h8 s8"}
    assert (pair.state["is_reversed"], pair.state["pending"]) == (False, True)
    clear(pair)
    assert (pair.state["is_reversed"], pair.state["pending"]) == (True, False)


def test_four_of_a_kind_beaten_by_four_in_the_same_trick_cancel_out() -> None:
    pair = clear(play(Pair.of(rules_with(revolution_quads="any"), *QUADS), "c6 d6 h6 s6 | c8 d8 h8 s8"))
    assert pair.state["revolutions"] == 2
    assert not pair.state["is_reversed"]


def test_an_immediate_revolution_reverses_the_trick_itself() -> None:
    pair = Pair.of(rules_with(revolution_quads="any", revolution_timing="immediately"), *QUADS)
    assert play(pair, "c6 d6 h6 s6").texts() == set()
    assert play(pair, "pass").texts() == {"c5 d5 h5 s5"}
    assert not clear(play(pair, "c5 d5 h5 s5")).state["is_reversed"]


def test_after_a_revolution_lower_ranks_beat_higher_ones_and_the_joker_both() -> None:
    hands = "c6 d6 h6 s6 c9 s9", "c7 c10 jk", "c5 d5 h5 d3 d4"
    pair = clear(play(Pair.of(rules_with(revolution_quads="natural"), *hands), "c6 d6 h6 s6"))
    assert play(pair, "c9").texts() == {"c7", "jk"}


@pytest.mark.parametrize(
    ("changes", "lead", "revolves"),
    [
        ({"revolution_quads": "any"}, "c6 d6 h6 jk=s6", True),
        ({"revolution_quads": "natural"}, "c6 d6 h6 jk=s6", False),
        ({"revolution_quads": "natural"}, "c6 d6 h6 s6", True),
        ({"revolution_quads": "natural", "max_set": 5}, "c6 d6 h6 s6 jk", True),
        ({"revolution_quads": "any", "max_set": 5}, "c6 d6 h6 s6 jk", True),
        ({"revolution_quads": "any"}, "c6 d6 h6", False),
        ({"revolution_sequences": "off"}, "h5 h6 h7 h8 h9", False),
        ({"revolution_sequences": "five"}, "h5 h6 h7 h8 h9", True),
        ({"revolution_sequences": "five"}, "h5 h6 h7 h8 h9 h10", True),
        ({"revolution_sequences": "five"}, "h5 h6 h7 h8", False),
        ({"revolution_sequences": "four"}, "h5 h6 h7 h8", True),
        ({"revolution_sequences": "four"}, "h6 h7 h8", False),
        ({"revolution_sequences": "five", "revolution_quads": "any"}, "h5 h6 h7 h8", False),
        ({"revolution_three_threes": True}, "c3 d3 h3", True),
        ({"revolution_three_threes": True}, "c3 d3 jk=h3", True),
        ({"revolution_three_threes": True, "revolution_quads": "natural"}, "c3 d3 jk=h3", False),
        ({"revolution_three_threes": True}, "c3 d3 h3 s3", False),
        ({"revolution_three_threes": True}, "c3 d3", False),
        ({"revolution_three_threes": True}, "c6 d6 h6", False),
        ({"revolution_three_threes": False}, "c3 d3 h3", False),
        ({"revolution_quads": "any", "jokers": 2, "decks": 2}, "jk jk jk jk", False),
    ],
)
def test_what_makes_a_revolution(changes: dict[str, Any], lead: str, revolves: bool) -> None:
    rules = rules_with(suit_lock="full", revolution_timing="immediately", **changes)
    held = " ".join(card.split("=")[0] for card in lead.split())
    pair = play(Pair.of(rules, f"{held} cA", "c4 dA", "d4 hA"), lead)
    assert pair.state["is_reversed"] == revolves


def test_every_deal_starts_unreversed() -> None:
    pair = play(Pair.of(rules_with(revolution_quads="any", revolution_timing="immediately"), *QUADS), "c6 d6 h6 s6")
    assert pair.state["is_reversed"]
    again = Pair.of(pair.rules, *QUADS)
    assert not again.state["is_reversed"]


# Locks


def test_two_plays_of_the_same_suit_lock_it_till_the_table_is_cleared() -> None:
    hands = "h4 c10 cJ", "h6 s10 sJ", "h8 c8 s8 jk", "hK cK dK"
    pair = play(Pair.of(rules_with(suit_lock="full"), *hands), "h4 | h6")
    assert pair.texts() == {"h8", "jk"}
    assert play(pair, "h8").texts() == {"hK"}
    clear(pair)
    assert pair.state["lock"] == 0
    assert Pair.of(rules_with(suit_lock="off"), *hands).rules.suit_lock == "off"
    assert play(Pair.of(TRADITIONAL, *hands), "h4 | h6").texts() == {"h8", "c8", "s8", "jk"}


def test_a_full_lock_needs_all_suits_the_same() -> None:
    hands = "d3 s3 h4", "c6 s6 h5", "c9 d9 s9 h9", "c4"
    full = play(Pair.of(rules_with(suit_lock="full"), *hands), "d3 s3 | c6 s6")
    assert len(full.texts()) == 6
    again = play(Pair.of(rules_with(suit_lock="full"), "d3 s3 h4", "d6 s6 h5", "c9 d9 s9 h9 jk", "c4"), "d3 s3 | d6 s6")
    assert again.texts() == {"d9 s9", "d9 jk=s9", "s9 jk=d9"}


def test_kata_shibari_locks_the_suits_in_common_and_a_later_play_can_complete_the_lock() -> None:
    hands = "d3 s3 h4", "c6 s6 h5", "c9 d9 s9 h9", "cK dK sK hK"
    pair = play(Pair.of(rules_with(suit_lock="partial"), *hands), "d3 s3 | c6 s6")
    assert pair.texts() == {"c9 s9", "d9 s9", "h9 s9"}
    one = play(pair.copy(), "d9 s9")
    assert one.texts() == {"cK sK", "dK sK", "hK sK"}
    assert play(pair, "c9 s9").texts() == {"cK sK"}


def test_kata_shibari_of_triples_locks_one_or_two_suits() -> None:
    hands = "c3 d3 h3 h4", "c6 d6 s6 h5", "c9 d9 s9 h9", "c4"
    pair = play(Pair.of(rules_with(suit_lock="partial"), *hands), "c3 d3 h3 | c6 d6 s6")
    assert pair.texts() == {"c9 d9 s9", "c9 d9 h9"}


@pytest.mark.parametrize("value", ["full", "partial"])
def test_sequences_are_locked_to_their_suit(value: str) -> None:
    hands = "h3 h4 h5 c3", "h6 h7 h8 c4", "h9 h10 hJ s9 s10 sJ jk", "c5"
    pair = play(Pair.of(rules_with(suit_lock=value), *hands), "h3 h4 h5 | h6 h7 h8")
    assert all("s" not in text for text in pair.texts())
    assert "h9 h10 hJ" in pair.texts()


def test_a_lock_after_three_plays_in_a_row() -> None:
    hands = "h4 c10 hK cK", "h6 s10 sJ", "h8 c8 s8 jk", "hQ cQ dQ"
    pair = play(Pair.of(rules_with(suit_lock="full", suit_lock_after=3), *hands), "h4 | h6")
    assert pair.texts() == {"h8", "c8", "s8", "jk"}
    assert play(pair.copy(), "h8").texts() == {"hQ"}
    assert play(pair, "c8").texts() == {"hQ", "cQ", "dQ"}


def test_a_joker_may_make_a_lock_by_the_suit_it_stands_for_or_not() -> None:
    hands = "d3 s3 h4", "d6 jk h5", "c9 d9 s9 h9", "c4"
    locks = play(Pair.of(rules_with(suit_lock="full", joker_locks=True), *hands), "d3 s3 | d6 jk=s6")
    assert locks.texts() == {"d9 s9"}
    never = play(Pair.of(rules_with(suit_lock="full", joker_locks=False), *hands), "d3 s3 | d6 jk=s6")
    assert len(never.texts()) == 6


# Going out


@pytest.mark.parametrize(
    ("changes", "last", "forbidden"),
    [
        ({"forbidden_finish": "off"}, "c2", False),
        ({"forbidden_finish": "off"}, "jk", False),
        ({"forbidden_finish": "on"}, "c2", True),
        ({"forbidden_finish": "on"}, "c2 d2", True),
        ({"forbidden_finish": "on"}, "hK hA h2", True),
        ({"forbidden_finish": "on"}, "hQ hK hA", False),
        ({"forbidden_finish": "on", "sequence_two": False}, "hQ hK hA", True),
        ({"forbidden_finish": "on", "sequence_two": False}, "hJ hQ hK", False),
        ({"forbidden_finish": "on"}, "jk", True),
        ({"forbidden_finish": "on"}, "c9 jk=d9", True),
        ({"forbidden_finish": "on"}, "cA", False),
        ({"forbidden_finish": "on"}, "c3", False),
        ({"forbidden_finish": "joker_only"}, "jk", True),
        ({"forbidden_finish": "joker_only"}, "c9 jk=d9", True),
        ({"forbidden_finish": "joker_only"}, "c2", False),
        ({"eight_stop": "on"}, "c8", False),
        ({"eight_stop": "on_no_finish"}, "c8", True),
        ({"eight_stop": "on_no_finish"}, "h7 h8 h9", True),
        ({"eight_stop": "on_no_finish"}, "h7 h9 jk=h8", True),
        ({"eight_stop": "on_no_finish"}, "c2", False),
    ],
)
def test_going_out_in_a_forbidden_way_makes_last(changes: dict[str, Any], last: str, forbidden: bool) -> None:
    held = " ".join(card.split("=")[0] for card in last.split())
    pair = play(Pair.of(rules_with(**changes), held, "c4", "d4 s4"), last)
    while not pair.is_over:
        play(pair, "pass" if pair.state["size"] else "c4")
    assert places_of(pair.state) == ((2, 0, 1) if forbidden else (0, 1, 2))


@pytest.mark.parametrize(
    ("last", "forbidden"),
    [("c3", True), ("h3 h4 h5", True), ("jk", True), ("c2", False), ("hK hA h2", False), ("h4 h5 h6", False)],
)
def test_under_revolution_the_threes_are_forbidden_instead_of_the_twos(last: str, forbidden: bool) -> None:
    rules = rules_with(forbidden_finish="on", revolution_quads="any")
    pair = clear(play(Pair.of(rules, f"c9 d9 h9 s9 {last}", "c4 cK", "d4 dK"), "c9 d9 h9 s9"))
    assert pair.state["is_reversed"]
    play(pair, last)
    assert seats(pair.state["forbidden"]) == ({0} if forbidden else set())


def test_of_several_who_go_out_in_a_forbidden_way_the_first_is_last() -> None:
    pair = play(Pair.of(rules_with(forbidden_finish="on"), "c2", "jk", "c5", "d5 d6"), "c2 | jk | pass | pass | c5")
    assert places_of(pair.state) == (3, 2, 0, 1)


def test_a_daifugo_who_is_not_first_falls_after_having_played_the_deal_out() -> None:
    rules = rules_with(miyako_ochi=True)
    pair = play(Pair.of(rules, "c5", "c6", "c4 d4", "d3 h3", daifugo=1), "c5 | c6 | pass | pass")
    assert seats(pair.state["fallen"]) == {1}
    play(pair, "c4 | pass | d4")
    assert places_of(pair.state) == (0, 3, 1, 2)


def test_a_daifugo_who_falls_may_have_to_drop_out_at_once() -> None:
    rules = rules_with(miyako_ochi=True, miyako_ochi_timing="at_once")
    pair = play(Pair.of(rules, "c5", "c6", "c4 d4", "d3 h3", daifugo=1), "c5")
    assert seats(pair.state["in_play"]) == {2, 3}
    assert pair.state["turn"] == 2
    play(pair, "pass | pass | c4 | pass | d4")
    assert places_of(pair.state) == (0, 3, 1, 2)


@pytest.mark.parametrize(("changes", "daifugo"), [({"miyako_ochi": True}, 0), ({"miyako_ochi": True}, None), ({}, 1)])
def test_nobody_falls_if_the_daifugo_is_first_again_or_there_is_none(
    changes: dict[str, Any], daifugo: int | None
) -> None:
    pair = play(Pair.of(rules_with(**changes), "c5", "c6", "c4 d4", daifugo=daifugo), "c5 | c6")
    assert places_of(pair.state) == (0, 1, 2)
    assert pair.state["fallen"] == 0


def test_a_daifugo_is_safe_while_others_go_out_in_a_forbidden_way() -> None:
    rules = rules_with(miyako_ochi=True, forbidden_finish="on")
    pair = play(Pair.of(rules, "c2", "c5", "c4 d4", daifugo=1), "c2 | pass | pass")
    assert pair.state["fallen"] == 0
    assert places_of(play(pair, "c5").state) == (2, 0, 1)


def test_a_daifugo_falls_to_the_one_left_with_cards_if_nobody_else_went_out_in_an_allowed_way() -> None:
    rules = rules_with(miyako_ochi=True, forbidden_finish="on")
    pair = play(Pair.of(rules, "c2", "jk", "c4 d4", daifugo=1), "c2 | jk")
    assert pair.is_over
    assert seats(pair.state["fallen"]) == {1}
    assert places_of(pair.state) == (1, 2, 0)


# Cards with a part of their own


def test_after_the_three_of_spades_on_the_joker_it_ranks_as_any_three() -> None:
    hands = "jk c9", "s3 c10", "c4 cJ", "d4 dJ"
    pair = play(Pair.of(rules_with(spade_three="on"), *hands), "jk")
    assert pair.texts() == {"s3"}
    assert play(pair, "s3").texts() == {"c4", "cJ"}


def test_a_second_joker_beats_the_three_of_spades() -> None:
    pair = play(Pair.of(rules_with(spade_three="on", jokers=2), "jk c9", "s3 c10", "jk cJ"), "jk | s3")
    assert "jk" in pair.texts()


def test_the_three_of_spades_on_the_joker_may_clear_the_table() -> None:
    hands = "jk c9", "s3 c10", "c4 cJ"
    assert leads(play(Pair.of(rules_with(spade_three="clears"), *hands), "jk | s3")) == 1
    alone = play(Pair.of(rules_with(spade_three="clears"), *hands, turn=1), "s3")
    assert alone.state["size"] == 1


@pytest.mark.parametrize("value", ["on", "on_no_finish"])
@pytest.mark.parametrize("lead", ["c8", "c8 d8", "h7 h8 h9", "c8 jk=d8", "h7 h9 jk=h8"])
def test_an_eight_clears_the_table_and_its_player_leads_again(value: str, lead: str) -> None:
    held = " ".join(card.split("=")[0] for card in lead.split())
    pair = play(Pair.of(rules_with(suit_lock="full", eight_stop=value), f"c4 {held}", "cA", "dA"), lead)
    assert leads(pair) == 0
    assert play(Pair.of(rules_with(suit_lock="full"), f"c4 {held}", "cA", "dA"), lead).state["turn"] == 1


def test_an_eight_must_be_legal_and_a_joker_alone_is_none() -> None:
    pair = play(Pair.of(rules_with(eight_stop="on"), "c9 jk c4", "c8 cK", "dA"), "c9")
    assert pair.texts() == {"cK"}
    assert play(pair, "pass | pass | jk").state["size"] == 1


def test_after_going_out_with_an_eight_the_next_leads() -> None:
    assert leads(play(Pair.of(rules_with(eight_stop="on"), "c8", "c4 d4", "dA hA"), "c8")) == 1


def test_a_jack_reverses_the_order_at_once_till_the_table_is_cleared() -> None:
    hands = "c5 h6 c4", "c9 h3 d4", "cJ h4 d5", "d3 d6 d7 dQ dK d2"
    pair = play(Pair.of(rules_with(eleven_back=True), *hands), "c5 | c9 | cJ")
    assert pair.texts() == {"d7", "d6", "d3"}
    play(pair, "d7 | h6 | h3")
    assert pair.state["eleven"]
    assert leads(play(pair, "pass | pass | pass")) == 1
    assert not pair.state["eleven"]
    assert play(Pair.of(TRADITIONAL, *hands), "c5 | c9 | cJ").texts() == {"dQ", "dK", "d2"}


def test_a_jack_under_revolution_turns_the_order_back_and_a_second_jack_again() -> None:
    rules = rules_with(eleven_back=True, revolution_quads="any", compare="equal_or_higher")
    pair = clear(play(Pair.of(rules, "c9 d9 h9 s9 cJ c3", "dJ dQ d4", "hJ hQ h4"), "c9 d9 h9 s9"))
    assert play(pair, "cJ").texts() == {"dJ", "dQ"}
    assert play(pair, "dJ").texts() == {"hJ", "h4"}


def test_a_sequence_with_a_jack_or_a_joker_for_it_reverses_too() -> None:
    pair = play(Pair.of(rules_with(eleven_back=True), "h10 jk hQ c3", "s3 s4 s5 c4", "d3"), "h10 hQ jk=hJ")
    assert pair.texts() == {"s3 s4 s5"}


def test_for_each_ten_played_a_card_may_be_discarded() -> None:
    pair = Pair.of(rules_with(ten_discard=True), "c10 d10 c3 c4 c5 c6", "cJ dJ d3", "cK dK d4")
    play(pair, "c10 d10")
    assert (pair.state["turn"], pair.state["discards"]) == (0, 2)
    assert pair.actions() == ["discard", "discard c3", "discard c4", "discard c5", "discard c6"]
    assert play(pair.copy(), "discard").state["turn"] == 1
    play(pair, "discard c5 | discard c3")
    assert pair.state["turn"] == 1
    assert pair.deal.hands[0] == ["c4", "c6"]
    assert play(Pair.of(TRADITIONAL, "c10 c3", "cJ", "cQ"), "c10").state["discards"] == 0


@pytest.mark.parametrize(("lead", "count"), [("h9 h10 hJ", 1), ("c10 jk=d10", 2), ("h9 hJ jk=h10", 1), ("c9", 0)])
def test_jokers_count_as_the_tens_they_stand_for(lead: str, count: int) -> None:
    held = " ".join(card.split("=")[0] for card in lead.split())
    pair = play(Pair.of(rules_with(ten_discard=True, suit_lock="full"), f"{held} c3 c4 c5", "d3", "h3"), lead)
    assert pair.state["discards"] == count


def test_no_more_can_be_discarded_than_is_held_and_a_discard_may_be_the_last_card() -> None:
    pair = play(Pair.of(rules_with(ten_discard=True), "c10 d10 c3", "cJ dJ d3", "cK dK d4"), "c10 d10")
    assert pair.state["discards"] == 1
    play(pair, "discard c3")
    assert pair.state["order"][0] == 0
    assert pair.state["finished"] == 1


def test_the_table_is_cleared_after_the_discard() -> None:
    pair = Pair.of(rules_with(ten_discard=True, eight_stop="on"), "h8 h9 h10 c3 c4", "d3", "d4")
    assert leads(play(pair, "h8 h9 h10 | discard c3")) == 0


# Passing, and the end of a trick


def test_a_final_pass_is_for_the_whole_trick() -> None:
    hands = "c4 c9 c3", "c5 cK d3", "c6 d6 h3"
    pair = play(Pair.of(rules_with(pass_is_final=True), *hands), "c4 | pass | c6")
    assert play(pair, "c9").state["turn"] == 2
    assert leads(play(pair, "pass")) == 0
    assert play(Pair.of(TRADITIONAL, *hands), "c4 | pass | c6 | c9").state["turn"] == 1


def test_when_nobody_is_left_to_play_the_trick_ends_by_itself() -> None:
    pair = play(Pair.of(rules_with(pass_is_final=True), "c4 c9 c3", "c5 cK d3", "c6 d6 h3"), "c4 | pass | pass")
    assert leads(pair) == 0


def test_a_trick_may_end_only_when_the_last_to_play_has_passed_too() -> None:
    rules = rules_with(pass_is_final=True, trick_end="all_passed")
    pair = play(Pair.of(rules, "c4 c9 c3", "c5 cK d3", "c6 d6 h3"), "c4 | pass | pass")
    assert pair.texts() == {"c9"}
    assert leads(play(pair.copy(), "pass")) == 0
    assert leads(play(pair, "c9 | pass")) == 0


def test_all_must_pass_again_after_a_play_if_no_pass_is_final() -> None:
    rules = rules_with(trick_end="all_passed")
    pair = play(Pair.of(rules, "c4 c9 c3", "c5 cK d3", "c6 d6 h3"), "c4 | pass | pass | c9")
    assert pair.texts() == {"cK"}
    assert leads(play(pair, "pass | pass | pass")) == 0


@pytest.mark.parametrize("lead", ["c2", "c2 d2", "c2 d2 h2", "c2 d2 h2 s2", "c2 jk=d2"])
def test_a_set_of_twos_clears_the_table(lead: str) -> None:
    held = " ".join(card.split("=")[0] for card in lead.split())
    pair = Pair.of(rules_with(two_clears=True, suit_lock="full"), f"{held} c3", "c4", "c5")
    assert leads(play(pair, lead)) == 0
    assert play(Pair.of(rules_with(suit_lock="full"), f"{held} c3", "c4", "c5"), lead).state["size"] > 0


def test_a_sequence_to_a_two_and_a_lone_joker_clear_nothing_and_nothing_follows_the_joker() -> None:
    polish = PRESETS["polish"]
    assert play(Pair.of(polish, "hK hA h2 c3", "c4", "c5"), "hK hA h2").state["size"] == 3
    pair = play(Pair.of(polish, "jk c3", "c2 d2 c4", "c5"), "jk")
    assert pair.texts() == set()
    assert leads(play(pair, "pass | pass")) == 0


def test_by_the_polish_rules_threes_clear_after_any_four_of_a_kind() -> None:
    hands = "c9 d9 h9 s9 c3 c4 c2", "d3 d5 d2", "h3 h5 h2"
    pair = clear(play(Pair.of(PRESETS["polish"], *hands), "c9 d9 h9 s9"))
    assert pair.state["is_reversed"]
    assert play(pair.copy(), "c2").state["size"] == 1
    assert leads(play(pair, "c3")) == 0


# By kernels and by the twin


FULL_UECDA = replace(PRESETS["uecda"], id="uecda for three", players=0)
WILD = RuleSet(
    id="wild",
    jokers=2,
    decks=2,
    revolution_quads="any",
    revolution_sequences="four",
    revolution_three_threes=True,
    miyako_ochi=True,
    miyako_ochi_timing="at_once",
    suit_lock="partial",
    forbidden_finish="on",
    spade_three="on",
    eight_stop="on_no_finish",
    eleven_back=True,
    ten_discard=True,
    max_set=5,
)


@pytest.mark.parametrize(
    ("rules", "hands", "paths"),
    [
        (TRADITIONAL, ("c3 d3 h5 h6 jk", "c4 d4 h7 h8 h9", "c5 d5 s5 hK c2"), [13, 34, 111, 276, 648]),
        (FULL_UECDA, ("d3 s3 h5 h6 jk", "c4 d4 h7 h8 h9", "c5 d5 s5 hK c2"), [22, 46, 148, 333]),
        (PRESETS["polish"], ("c3 d3 h5 h6 jk", "c4 d4 h7 h8 h9", "c5 d5 s5 hK c2"), [13, 34, 129, 502]),
        (PRESETS["1979"], ("c3 d3 h5 s5 jk", "c4 d4 h7 h8 jk", "c5 d5 h9 hK c2"), [13, 51, 123, 283, 830]),
        (WILD, ("c3 c3 h10 hJ jk", "s3 d4 s10 h8 jk", "c8 d8 sJ hK c2"), [22, 169, 447]),
    ],
    ids=lambda value: value.id if isinstance(value, RuleSet) else "",
)
def test_counts_of_ways_to_play_on(rules: RuleSet, hands: tuple[str, ...], paths: list[int]) -> None:
    pair = Pair.of(rules, *hands, daifugo=2)
    assert [count_paths(pair, depth) for depth in range(1, len(paths) + 1)] == paths


def count_paths(pair: Pair, depth: int) -> int:
    """How many ways there are to go on for so many actions, by kernels and by the twin at every step."""
    pair.compare()
    if depth == 0:
        return 1
    if pair.is_over:
        return 0
    total = 0
    for action in pair.actions():
        after = pair.copy()
        after.act(action)
        total += count_paths(after, depth - 1)
    return total


def play_out(rules: RuleSet, players: int, random: Random, cards: int) -> Pair:
    pair = Pair(rules, naive.deal_at_random(rules.to_json(), players, random, cards))
    pair.compare()
    while not pair.is_over:
        pair.act(random.choice(pair.actions()))
        pair.compare()
    assert sorted(pair.deal.places()) == list(range(players))
    return pair


@settings(max_examples=40)
@given(rule_sets, st.integers(3, 8), st.integers(2, 7), st.randoms(use_true_random=False))
def test_small_deals_go_as_the_twin_says(rules: RuleSet, players: int, cards: int, random: Random) -> None:
    play_out(rules, players, random, players * cards)


@pytest.mark.parametrize("name", PRESETS)
def test_whole_deals_go_as_the_twin_says(name: str) -> None:
    random = Random(1)
    for players in [PRESETS[name].players] * 3 if PRESETS[name].players else (3, 4, 6):
        play_out(PRESETS[name], players, random, 108)


def test_whole_deals_under_random_rules_go_as_the_twin_says() -> None:
    random = Random(2)
    for _ in range(8):
        play_out(random_rules(random), random.randint(3, 8), random, 108)


@pytest.mark.slow
def test_many_deals_under_random_rules_go_as_the_twin_says() -> None:
    random = Random(3)
    for _ in range(1000):
        players = random.randint(3, 8)
        play_out(random_rules(random), players, random, random.choice([3, 5, 7, 36]) * players)


class Deals(RuleBasedStateMachine):
    """Deals that anybody plays in any way; both sides agree, and what must hold holds after every action."""

    @initialize(rules=rule_sets, players=st.integers(3, 8), cards=st.integers(1, 8), random=st.randoms())
    def begin(self, rules: RuleSet, players: int, cards: int, random: Random) -> None:
        self.deal(rules, players, cards, random)

    @precondition(lambda self: self.pair.is_over)
    @rule(rules=rule_sets, players=st.integers(3, 8), cards=st.integers(1, 8), random=st.randoms())
    def begin_again(self, rules: RuleSet, players: int, cards: int, random: Random) -> None:
        self.deal(rules, players, cards, random)

    def deal(self, rules: RuleSet, players: int, cards: int, random: Random) -> None:
        self.pair = Pair(rules, naive.deal_at_random(rules.to_json(), players, random, players * cards))

    @precondition(lambda self: not self.pair.is_over)
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        pair, state = self.pair, self.pair.state
        turn, passed = int(state["turn"]), seats(state["passed"])
        actions = pair.actions()
        assert actions
        assert ("pass" in actions) == bool(state["size"] and not state["discards"])
        pair.act(data.draw(st.sampled_from(actions)))
        if not pair.is_over and not state["discards"] and state["size"]:
            waits = {*seats(state["in_play"])} - seats(state["passed"])
            assert state["turn"] == next(seat for seat in pair.deal.clockwise(turn) if seat in waits)
        if pair.rules.pass_is_final and state["size"]:
            assert passed <= seats(state["passed"])

    @invariant()
    def both_sides_agree(self) -> None:
        self.pair.compare()

    @invariant()
    def cards_are_conserved(self) -> None:
        deal = self.pair.deal
        left = Counter(card for hand in [*deal.hands, deal.played] for card in hand)
        assert left <= self.pair.cards
        assert left.total() == self.pair.cards.total() - self.pair.discarded
        assert [words(hand) for hand in deal.hands] == self.pair.by_kernels()["hands"]

    @invariant()
    def who_plays_on_has_cards(self) -> None:
        deal, state = self.pair.deal, self.pair.state
        dropped = seats(state["fallen"]) if self.pair.rules.miyako_ochi_timing == "at_once" else set()
        assert seats(state["in_play"]) == {seat for seat, hand in enumerate(deal.hands) if hand} - dropped

    @invariant()
    def places_are_a_permutation(self) -> None:
        if self.pair.is_over:
            places = places_of(self.pair.state)
            assert sorted(places) == list(range(len(self.pair.deal.hands)))


Deals.TestCase.settings = settings(max_examples=15, stateful_step_count=40)
TestDeals = Deals.TestCase


# What holds in every deal


def bits(masks: NDArray[Any], count: int) -> NDArray[np.int64]:
    """The lowest bits of integers along a new last axis."""
    return (np.asarray(masks, dtype=np.int64)[..., None] >> np.arange(count)) & 1


def next_seat(turns: NDArray[Any], masks: NDArray[Any], players: int) -> NDArray[np.int64]:
    """For each row the first seat of a mask clockwise from the left of a seat."""
    order = (turns[:, None] + np.arange(1, players + 1)) % players
    return np.take_along_axis(order, np.argmax(masks[:, None] >> order & 1, axis=1)[:, None], axis=1)[:, 0]


def check_deals(rules: RuleSet, players: int, seed: int, deals: int) -> None:
    """Play deals by kernels and look at every state of them."""
    games = [random_deal(rules, players, seed, number) for number in range(deals)]
    states = np.concatenate(games)
    ends = np.cumsum([len(game) for game in games]) - 1
    is_last = np.zeros(len(states), dtype=bool)
    is_last[ends] = True
    check_cards(states, is_last, rules, players)
    check_turns(states, is_last, rules, players)
    check_order(states, rules)
    for state in states[ends]:
        assert sorted(places_of(state)) == list(range(players))
        out = state["order"][: state["finished"]].tolist()
        assert len(set(out)) == len(out)
        assert set(out).isdisjoint(seats(state["in_play"]))


def check_cards(states: NDArray[np.void], is_last: NDArray[np.bool_], rules: RuleSet, players: int) -> None:
    """No card is lost but by a discard, and none won; who plays on has cards, and who does not has none."""
    first = np.column_stack([states["first"], states["played_first"]])
    second = np.column_stack([states["second"], states["played_second"]])
    assert not (second & ~first).any()
    assert not (second >> 52).any()
    jokers = first >> 52
    assert not (jokers & (jokers + 1)).any()
    natural = (bits(first, 52) + bits(second, 52)).sum(axis=1)
    total = np.column_stack([natural, bits(jokers, 4).sum(axis=(1, 2))])
    starts = np.flatnonzero(np.concatenate([[True], is_last[:-1]]))
    assert (total[starts] == [*[rules.decks] * 52, rules.decks * rules.jokers]).all()
    lost = (total[:-1] - total[1:])[~is_last[:-1]]
    may_lose = (states["discards"][:-1] > 0)[~is_last[:-1]]
    assert (lost >= 0).all()
    assert (lost.sum(axis=1) <= may_lose).all()
    plays_on = bits(states["in_play"], MOST_PLAYERS).astype(bool)
    has_cards = states["first"] != 0
    fallen = bits(states["fallen"], MOST_PLAYERS).astype(bool) & (rules.miyako_ochi_timing == "at_once")
    assert (plays_on == (has_cards & ~fallen)).all()
    assert not has_cards[:, players:].any()
    assert (plays_on.sum(axis=1) <= 1).tolist() == is_last.tolist()


def check_turns(states: NDArray[np.void], is_last: NDArray[np.bool_], rules: RuleSet, players: int) -> None:
    """The turn goes clockwise to who may play, and whoever it comes to can act."""
    going = ~is_last
    assert (states["in_play"] >> states["turn"] & 1)[going].all()
    leads = going & (states["size"] == 0) & (states["discards"] == 0)
    assert (count_plays(states[leads], rules) > 0).all()
    assert (
        states["discards"]
        <= (bits(states["first"], 60).sum(axis=2) + bits(states["second"], 60).sum(axis=2))[
            np.arange(len(states)), states["turn"]
        ]
    )[going].all()
    pairs = np.flatnonzero(going[:-1] & going[1:])
    before, after = states[pairs], states[pairs + 1]
    waits = after["in_play"] & ~after["passed"]
    in_turn = next_seat(before["turn"], waits, players)
    last = after["last"].astype(np.int64)
    stays = after["in_play"] >> last & 1
    lead = np.where(stays, last, next_seat(last, after["in_play"], players))
    expected = np.where(after["size"] == 0, lead, in_turn)
    expected = np.where(after["discards"] > 0, before["turn"], expected)
    assert (after["turn"] == expected).all()
    assert (after["actions"] == before["actions"] + 1).all()
    from_empty = (before["size"] == 0) & (before["discards"] == 0)
    assert (after["last"] == before["turn"])[from_empty].all()


def check_order(states: NDArray[np.void], rules: RuleSet) -> None:
    """Revolutions and locks are what the options allow."""
    assert ((states["is_reversed"] ^ states["pending"]) == (states["revolutions"] & 1)).all()
    if rules.revolution_timing == "immediately":
        assert not states["pending"].any()
    if not rules.eleven_back:
        assert not states["eleven"].any()
    if rules.suit_lock == "off":
        assert not states["lock"].any()
    kept = (states["size"] > 0) & (states["rank"] != JOKER_RANK) & (rules.spade_three == "off")
    assert not (states["lock"] & ~states["table_suits"])[kept].any()
    assert not (states["lock"] | states["table_first"])[states["size"] == 0].any()


def test_what_holds_in_every_deal() -> None:
    random = Random(4)
    for seed in range(60):
        check_deals(random_rules(random), random.randint(3, 8), seed, 20)


@pytest.mark.slow
def test_what_holds_in_every_one_of_100_000_deals() -> None:
    random = Random(5)
    for seed in range(2000):
        check_deals(random_rules(random), random.randint(3, 8), seed, 50)
