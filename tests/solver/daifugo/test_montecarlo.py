"""Sampled worlds: they agree with all that a seat knows, and all that do are equally likely."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from solver.daifugo.cards import JOKER_RANK, NATURAL, RANKS, Hand, card_names, deck, parse_cards, to_hand
from solver.daifugo.choosers import Chooser, Memory
from solver.daifugo.endgame import solve_state
from solver.daifugo.montecarlo import (
    Room,
    _clear_notes,
    _look,
    _look_through,
    _note_known,
    _sample,
    new_notes,
    new_room,
)
from solver.daifugo.plays import book_of, parse_play
from solver.daifugo.policies import policy_of
from solver.daifugo.rules import PRESETS, RuleSet
from solver.daifugo.state import _begin, _discard, new_state
from solver.daifugo.winning import NOTHING_PROVEN, new_duel

TRADITIONAL = PRESETS["traditional"]
ONE, TWO_PACKS = deck(1, 1), deck(2, 1)


def names(state: np.void, seat: int) -> Counter[str]:
    return Counter(card_names(int(state["first"][seat]), int(state["second"][seat])))


def put(state: np.void, seat: int, text: str, decks: int = 1) -> Hand:
    cards = parse_cards(text, deck(decks, 1))
    state["first"][seat], state["second"][seat] = cards
    return cards


def position(hands: list[str], decks: int = 1, gone: str = "") -> np.void:
    """A state in which all cards but the hands, and some that are gone unseen, were played."""
    state = new_state()
    for seat, text in enumerate(hands):
        put(state, seat, text, decks)
    _begin(state, len(hands), 0, -1)
    whole = Counter(card_names(*to_hand(deck(decks, 1).full, deck(decks, 1))))
    left = whole - Counter(" ".join([*hands, gone]).split())
    state["played_first"], state["played_second"] = parse_cards(" ".join(left.elements()), deck(decks, 1))
    return state


def worlds(state: np.void, notes: np.void, rules: RuleSet, times: int) -> list[tuple[str, ...]]:
    """Sampled worlds, the hands as text; the same seed always."""
    room: Room = new_room(rules)
    room.mind.words[0] = 1
    count = _look(state, notes, np.int64(0), rules.decks * rules.jokers, rules.decks, room)
    assert count == sum(room.needs)
    found = []
    for _ in range(times):
        _sample(notes, np.int64(0), count, room.mind.words, room)
        world = room.worlds[1]
        assert names(world, 0) == names(state, 0)
        found.append(tuple(" ".join(sorted(names(world, seat).elements())) for seat in range(int(state["players"]))))
    return found


def cleared() -> np.void:
    notes = new_notes()
    _clear_notes(notes)
    return notes


def equally_likely(found: list[tuple[str, ...]], kinds: int) -> None:
    counts = Counter(found)
    assert len(counts) == kinds
    assert chisquare(list(counts.values())).pvalue > 1e-3


def test_all_worlds_of_unknown_hands_are_equally_likely() -> None:
    state = position(["c3", "c4 d5", "h6 jk", "s9"])
    found = worlds(state, cleared(), TRADITIONAL, 6000)
    equally_likely(found, 30)
    for hands in found[:100]:
        assert Counter(" ".join(hands).split()) == Counter(["c3", "c4", "d5", "h6", "jk", "s9"])


def test_who_gave_its_highest_cards_has_none_above_them() -> None:
    state = position(["c3", "c4 d5", "h6 jk", "s9"])
    notes = cleared()
    notes["limit"][0, 2] = RANKS.index("6")
    equally_likely(worlds(state, notes, TRADITIONAL, 3000), 3 * 6 - 9)
    notes["keeps"] = 1 << 2
    equally_likely(worlds(state, notes, TRADITIONAL, 6000), 18)


def test_known_cards_stay_where_they_are() -> None:
    state = position(["c3", "c4 d5", "h6 jk", "s9"])
    notes = cleared()
    _note_known(notes, 0, 1, *map(np.int64, parse_cards("jk", ONE)))
    found = worlds(state, notes, TRADITIONAL, 3000)
    assert all("jk" in hands[1] for hands in found)
    equally_likely(found, 12)


def test_known_cards_may_have_been_discarded_since() -> None:
    """Seat 1 held the c4, and holds one card after a discard: it is either of two, the other is gone."""
    state = position(["c3", "d5", "h6"], gone="c4")
    notes = cleared()
    notes["discarded"][1] = 1
    _note_known(notes, 0, 1, *map(np.int64, parse_cards("c4", ONE)))
    found = worlds(state, notes, TRADITIONAL, 4000)
    assert set(found) == {("c3", "c4", "h6"), ("c3", "c4", "d5"), ("c3", "d5", "h6"), ("c3", "h6", "d5")}
    equally_likely(found, 4)


def test_own_discards_are_nobodys() -> None:
    state = position(["c3", "d5", "h6"], gone="c4")
    notes = cleared()
    notes["discarded"][0] = 1
    notes["gone_first"][0] = parse_cards("c4", ONE)[0]
    assert set(worlds(state, notes, TRADITIONAL, 200)) == {("c3", "d5", "h6"), ("c3", "h6", "d5")}


def test_two_packs_have_identical_cards() -> None:
    rules = RuleSet(id="two", decks=2)
    state = position(["c3 c3", "c4 c4", "jk jk", "s9 c5"], decks=2)
    notes = cleared()
    _note_known(notes, 0, 3, *map(np.int64, parse_cards("c4 jk", TWO_PACKS)))
    for hands in worlds(state, notes, rules, 200):
        assert sorted(" ".join(hands).split()) == sorted(["c3", "c3", "c4", "c4", "jk", "jk", "s9", "c5"])
        assert hands[3] == "c4 jk"
    assert JOKER_RANK == len(RANKS) == NATURAL // 4


@pytest.mark.parametrize("text", ["monte-carlo:200", "rules"])
def test_a_hand_that_wins_by_force_is_won(text: str) -> None:
    """With joker, 2-2 and a single 4 left, only the 4 may be led last: whoever leads it first gives the lead away."""
    state = position(["jk c2 d2 c4", "c5 d5 h5", "s6 h6 d6", "s9 s10 hQ"])
    play = Chooser(policy_of(text), TRADITIONAL, 1).play(state, [4, 3, 3, 3])
    assert play is not None
    assert str(play) != "c4"


def test_a_world_is_what_a_seat_may_know() -> None:
    """The same choice whatever the others really hold."""
    one = position(["c3 c9 dK h2", "c4 d5 s8", "h6 jk cQ", "s9 d7 d9"])
    other = position(["c3 c9 dK h2", "h6 s9 d7", "c4 d9 s8", "jk d5 cQ"])
    for name in ("monte-carlo:50", "rules", "greedy", "random"):
        chosen = [
            Chooser(policy_of(name), TRADITIONAL, seed).play(state, [4, 3, 3, 3], Memory(limits={1: 9}))
            for state in (one, other)
            for seed in range(10)
        ]
        assert chosen[:10] == chosen[10:]
    assert parse_play("c3", TRADITIONAL) in set(chosen)


def is_seen_through(state: np.void, notes: np.void, rules: RuleSet = TRADITIONAL) -> bool:
    """Whether the one to act finds a choice that wins for certain."""
    room, book = new_room(rules), book_of(rules)
    count = _look(state, notes, np.int64(state["turn"]), rules.decks * rules.jokers, rules.decks, room)
    return bool(_look_through(state, count, book, room, new_duel(rules.decks)) != NOTHING_PROVEN)


def test_a_win_is_certain_only_if_nothing_is_hidden() -> None:
    two = position(["s2 h2 c4", "c5 d5 hK"])
    assert is_seen_through(two, cleared())
    three = position(["s2 h2 c4", "c5 d5 hK", "c3"])
    assert not is_seen_through(three, cleared())
    three["in_play"] = 3
    assert not is_seen_through(three, cleared())


def test_a_card_the_other_discarded_hides_its_hand_and_an_own_one_does_not() -> None:
    state = position(["s2 h2 c4", "c5 d5 hK"], gone="d9")
    notes = cleared()
    notes["discarded"][1] = 1
    assert not is_seen_through(state, notes)
    notes["discarded"][:2] = 1, 0
    notes["gone_first"][0] = parse_cards("d9", ONE)[0]
    assert is_seen_through(state, notes)


def test_jokers_and_second_packs_are_seen_through() -> None:
    rules = RuleSet(id="two", decks=2)
    for hands, wins in ((["c4 c4 s9", "jk jk c5 c5"], False), (["jk jk c5 c5 s4", "c4 c4 s9"], True)):
        state = position(hands, decks=2)
        assert (solve_state(state, rules).winner == 0) == wins
        assert is_seen_through(state, cleared(), rules) == wins


@pytest.mark.parametrize(
    ("mine", "other"), [("cJ sJ sA", "c9 d6 hJ c2"), ("sJ dJ", "s5 sQ cJ c4"), ("dJ sJ", "c2 cJ c8 s7")]
)
def test_the_discard_that_wins_is_made(mine: str, other: str) -> None:
    rules = RuleSet(id="tens", ten_discard=True)
    state = position([mine, other])
    state["discards"], state["size"], state["rank"] = 1, 1, RANKS.index("10")
    assert solve_state(state, rules).winner == 0
    for name, wins in (("monte-carlo:1", True), ("rules", False)):
        counts = [len(mine.split()), len(other.split())]
        card = Chooser(policy_of(name), rules, 1).discard(state, counts) or (0, 0)
        after = state.copy()
        _discard(after, *map(np.int64, card), book_of(rules).switches)
        assert (solve_state(after, rules).winner == 0) == wins
