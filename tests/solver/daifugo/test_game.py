"""One deal in play: what is refused and why, and what is told of what is done."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from solver.daifugo.cards import Hand, deck, format_cards, parse_cards
from solver.daifugo.events import (
    Cleared,
    Discarded,
    Fell,
    Finished,
    Locked,
    OrderTurned,
    Passed,
    Played,
    Revolution,
    Stopped,
    WentOut,
)
from solver.daifugo.game import Game, IllegalAction
from solver.daifugo.plays import Play, legal_plays, parse_play
from solver.daifugo.rules import PRESETS, RuleSet
from solver.errors import InputError
from solver.events import Event

BASE = RuleSet()


def cards(text: str, rules: RuleSet = BASE) -> Hand:
    return parse_cards(text, deck(rules.decks, rules.jokers))


def game(*hands: str, rules: RuleSet = BASE, **options: Any) -> Game:
    return Game([cards(hand, rules) for hand in hands], rules, **options)


def make(deal: Game, *texts: str) -> tuple[Event, ...]:
    """Do several actions, each a play or ``p``; returns the events of the last."""
    events: tuple[Event, ...] = ()
    for text in texts:
        events = deal.pass_() if text == "p" else deal.play(parse_play(text, deal.rules))
    return events


def kinds(events: tuple[Event, ...]) -> list[type]:
    return [type(event) for event in events]


def rules(**options: Any) -> RuleSet:
    return replace(BASE, id="test", **options)


def test_the_worked_trick_of_the_rules() -> None:
    deal = game("c4 d4 c3 h3", "cA jk c5 h5", "c7 d7 cK dK c6 h6", "c8 d8 c9 h9")
    events = make(deal, "c4 d4", "p", "c7 d7", "c8 d8", "p", "p", "cK dK", "p", "p", "cA jk=dA", "p", "p", "p")
    assert events == (Passed(0), Cleared(1))
    assert deal.turn == 1
    assert deal.table is None


HANDS = ("c4 d4 h4 s9 h9", "c7 d7 h7 h5 h6 jk", "c8 s8 d9 cJ h8", "d10 h10 s10 c3 s3")
REFUSALS = [
    ({}, ["c4"], lambda deal: deal.play(parse_play("c8", BASE)), "c8: not in the hand"),
    ({}, ["c4"], lambda deal: deal.play(parse_play("d7 h7", BASE)), "a pair can't follow a single"),
    ({}, ["c4 d4"], lambda deal: deal.play(parse_play("h5 h6 h7", BASE)), "a sequence of 3 can't follow a pair"),
    ({}, ["c4 d4"], lambda deal: deal.play(parse_play("c7 d7 h7", BASE)), "a triple can't follow a pair"),
    ({}, ["h9"], lambda deal: deal.play(parse_play("h7", BASE)), "h7: not higher than h9"),
    ({}, [], lambda deal: deal.pass_(), "nothing to pass on"),
    ({}, ["c4"], lambda deal: deal.pass_(seat=2), "it is the turn of seat 1, not of seat 2"),
    ({}, ["c4"], lambda deal: deal.play(parse_play("cJ", BASE), seat=2), "it is the turn of seat 1"),
    ({}, ["c4"], lambda deal: deal.pass_(seat=7), "there is no seat 7"),
    ({}, ["c4"], lambda deal: deal.discard(None), "only who has just played a 10"),
    ({"pass_is_final": True}, ["c4", "p"], lambda deal: deal.pass_(seat=1), "a pass is final"),
    ({}, ["c4", "jk"], lambda deal: deal.play(parse_play("cJ", BASE)), "nothing beats jk"),
    ({"spade_three": "on"}, ["c4", "jk", "p"], lambda deal: deal.play(parse_play("c3", BASE)), "only the 3 of spades"),
    (
        {"suit_lock": "full"},
        ["h4", "h5", "h8"],
        lambda deal: deal.play(parse_play("s10", deal.rules)),
        "the suits are locked to h",
    ),
    ({"eleven_back": True}, ["h9", "p", "cJ"], lambda deal: deal.play(parse_play("d10", BASE)), None),
    (
        {"ten_discard": True},
        ["h4", "p", "p", "d10"],
        lambda deal: deal.play(parse_play("h10", BASE)),
        "first a card may be discarded",
    ),
    ({"ten_discard": True}, ["h4", "p", "p", "d10"], lambda deal: deal.pass_(), "first a card may be discarded"),
    (
        {"ten_discard": True},
        ["h4", "p", "p", "d10"],
        lambda deal: deal.discard(cards("s9")),
        "s9: not in the hand",
    ),
    (
        {"ten_discard": True},
        ["h4", "p", "p", "d10"],
        lambda deal: deal.discard(cards("h10 s10")),
        "one at a time",
    ),
    (
        {"sequences": False},
        ["c4"],
        lambda deal: deal.play(parse_play("h5 h6 h7", BASE)),
        "no play by the rules",
    ),
]


@pytest.mark.parametrize(("options", "actions", "action", "reason"), REFUSALS)
def test_what_is_illegal_says_why_and_changes_nothing(
    options: dict[str, Any], actions: list[str], action: Any, reason: str | None
) -> None:
    deal = game(*HANDS, rules=rules(**options))
    make(deal, *actions)
    before, events = deal.state.tobytes(), deal.events
    if reason is None:
        action(deal)
        return
    with pytest.raises(IllegalAction) as refusal:
        action(deal)
    assert reason in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert (deal.state.tobytes(), deal.events) == (before, events)


def test_sequences_that_overlap_are_told_apart_from_lower_ones() -> None:
    uecda = PRESETS["uecda"]
    deal = game("h4 h5 h6 d3", "s6 s7 s8 s9 s3", "c3", "c4", "c5", rules=uecda)
    make(deal, "h4 h5 h6")
    with pytest.raises(IllegalAction, match="overlaps h4 h5 h6"):
        make(deal, "s6 s7 s8")
    assert make(deal, "s7 s8 s9")[0] == Played(1, parse_play("s7 s8 s9", uecda))


def test_legal_plays_are_those_of_the_generator() -> None:
    deal = game(*HANDS, rules=rules(suit_lock="full"))
    make(deal, "h4")
    assert deal.legal_plays() == tuple(legal_plays(deal.hand(1), deal.rules, deal.table))
    make(deal, "h5", "h8")
    assert deal.lock == 4
    assert [str(play) for play in deal.legal_plays()] == ["h10"]


def test_a_copy_goes_its_own_way() -> None:
    deal = game(*HANDS)
    other = deal.copy()
    make(other, "c4")
    assert (deal.table, str(other.table)) == (None, "c4")
    assert len(deal.events) == 1


def test_eights_clear_and_lead_again() -> None:
    deal = game(*HANDS, rules=rules(eight_stop="on"))
    events = make(deal, "c4", "c7", "c8")
    assert kinds(events) == [Played, Stopped, Cleared]
    assert (deal.turn, deal.table) == (2, None)


def test_a_revolution_waits_for_the_table_to_be_cleared_or_not() -> None:
    hands = ("c4 d4 h4 s4 c9 d9", "c5 d6", "c7 d7")
    late = game(*hands, rules=rules(revolution_quads="any"))
    assert kinds(make(late, "c4 d4 h4 s4")) == [Played, Revolution]
    assert not late.is_reversed
    assert kinds(make(late, "p", "p")) == [Passed, OrderTurned, Cleared]
    assert late.is_reversed
    now = game(*hands, rules=rules(revolution_quads="any", revolution_timing="immediately"))
    assert kinds(make(now, "c4 d4 h4 s4")) == [Played, Revolution, OrderTurned]


def test_a_jack_turns_the_order_until_the_table_is_cleared() -> None:
    deal = game("c5 c7 s4", "c9 c6 s5", "cJ c3 s6", "dQ dK h2", rules=rules(eleven_back=True))
    events = make(deal, "c5", "c9", "cJ")
    assert events[1:] == (OrderTurned(True),)
    for text in ("dQ", "dK", "h2"):
        with pytest.raises(IllegalAction, match="while the order is reversed"):
            make(deal, text)
    make(deal, "p", "c7", "c6", "c3", "p", "p")
    assert make(deal, "p")[1:] == (OrderTurned(False), Cleared(2))


def test_locks_are_told() -> None:
    deal = game(*HANDS, rules=rules(suit_lock="full"))
    make(deal, "h4")
    assert make(deal, "h5")[1:] == (Locked(4),)


def test_discards_come_before_all_else() -> None:
    deal = game("c10 d10 c3 c4", "c5 c6", "c7 c8", rules=rules(ten_discard=True))
    assert kinds(make(deal, "c10 d10")) == [Played]
    assert (deal.may_discard, deal.legal_plays(), deal.may_pass) == (2, (), False)
    assert deal.discard(cards("c3")) == (Discarded(0, True, cards("c3")),)
    events = deal.discard(cards("c4"))
    assert events == (Discarded(0, True, cards("c4")), WentOut(0, False))
    assert deal.turn == 1
    assert format_cards(*deal.played) == "c10 d10"


def test_a_discard_can_be_declined() -> None:
    deal = game("c10 c3 c4", "c5 c6", "c7 c8", rules=rules(ten_discard=True))
    make(deal, "c10")
    assert deal.discard(None) == (Discarded(0, False, None),)
    assert (deal.turn, deal.may_discard) == (1, 0)


def test_the_end_of_a_deal_has_places_titles_and_scores() -> None:
    deal = game("c3", "c4 c5", "c6 c7")
    assert make(deal, "c3") == (Played(0, parse_play("c3", BASE)), WentOut(0, False))
    make(deal, "c4", "c6", "p")
    events = make(deal, "c7")
    assert events[1:] == (WentOut(2, False), Finished((0, 2, 1), ("Fugō", "Hinmin", "Heimin"), (1, 0, 0)))
    assert deal.is_over
    assert deal.places == (0, 2, 1)
    with pytest.raises(IllegalAction, match="the deal is over"):
        deal.pass_()
    with pytest.raises(IllegalAction, match="the deal is over"):
        make(deal, "c5")


def test_who_is_out_can_do_nothing() -> None:
    deal = game("c3", "c4 c5", "c6 c7")
    make(deal, "c3")
    with pytest.raises(IllegalAction, match="seat 0 is out"):
        deal.pass_(seat=0)


def test_a_forbidden_finish_is_told() -> None:
    deal = game("c2", "c4 c5", "c6 c7", rules=rules(forbidden_finish="on"))
    assert make(deal, "c2")[1] == WentOut(0, True)
    make(deal, "p", "p")
    make(deal, "c4", "c6", "p")
    assert make(deal, "c7")[-1].to_json()["places"] == [2, 1, 0]


@pytest.mark.parametrize(("timing", "in_play"), [("played_out", (1, 2)), ("at_once", (2,))])
def test_the_daifugo_falls(timing: str, in_play: tuple[int, ...]) -> None:
    hands = ("c3", "c4 c5", "c6 c7")
    deal = game(*hands, rules=rules(miyako_ochi=True, miyako_ochi_timing=timing), champion=1)
    events = make(deal, "c3")
    assert Fell(1) in events
    assert deal.in_play == in_play
    assert deal.is_over == (timing == "at_once")


def test_without_the_rule_nobody_falls() -> None:
    deal = game("c3", "c4 c5", "c6 c7", champion=1)
    assert Fell(1) not in make(deal, "c3")


@pytest.mark.parametrize(
    ("hands", "reason"),
    [
        (("c3", "c4"), "2 players"),
        (("c3", "c4", ""), "seat 2 has no cards"),
        (("c3", "c4", "c3"), "seat 2: c3: the deck has not so many"),
        (("jk", "c4", "jk"), "seat 2: jk: the deck"),
    ],
)
def test_hands_must_be_of_the_deck(hands: tuple[str, ...], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        game(*hands)


def test_seats_must_exist() -> None:
    with pytest.raises(InputError, match="leader: there is no seat 3"):
        game("c3", "c4", "c5", leader=3)


def test_a_play_made_up_is_refused() -> None:
    deal = game("c3 d4", "c4 c5", "c6 c7")
    with pytest.raises(IllegalAction, match="no play by the rules"):
        deal.play(Play(False, 2, 0, 1, *cards("c3 d4")))


def test_identical_cards_of_two_packs() -> None:
    two = rules(decks=2)
    deal = game("c3 c3 d3", "c4 c4 d4", "c5 c5 d5", rules=two)
    assert make(deal, "c3 c3")[0] == Played(0, parse_play("c3 c3", two))
    assert format_cards(*deal.hand(0)) == "d3"
    make(deal, "c4 d4")
    assert format_cards(*deal.hand(1)) == "c4"
