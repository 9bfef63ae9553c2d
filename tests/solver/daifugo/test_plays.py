"""Plays: what cards can be, every legal play of a hand, text."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import cardtable
import naive_daifugo as naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.daifugo.cards import deck, parse_cards
from solver.daifugo.plays import Play, book_of, legal_plays, parse_play, readings
from solver.daifugo.rules import PRESETS, RuleSet
from solver.errors import InputError

TRADITIONAL = PRESETS["traditional"]
LOCKS = RuleSet(id="locks", suit_lock="full")
TWO_PACKS = RuleSet(id="two packs", decks=2)
WHOLE_SUIT = " ".join("h" + rank for rank in naive.RANKS)


def texts(hand: str, rules: RuleSet = TRADITIONAL, table: str = "", **situation: Any) -> list[str]:
    cards = parse_cards(hand, deck(rules.decks, rules.jokers))
    play = parse_play(table, rules) if table else None
    return [str(play) for play in legal_plays(cards, rules, play, **situation)]


def draw_cards(random: Random, rules: RuleSet, most: int) -> list[str]:
    """Cards of which many lie close together, jokers among them more often than by chance."""
    cards = naive.pack(rules.to_json())
    random.shuffle(cards)
    if random.random() < 0.6:
        near = {*random.sample(naive.RANKS, 3)}, {*random.sample(naive.SUITS, 1)}
        cards.sort(key=lambda card: card[1:] not in near[0] and card[0] not in near[1])
    if random.random() < 0.5:
        cards.sort(key=lambda card: card != naive.JOKER)
        cards = cards[random.randrange(1 + cards.count(naive.JOKER)) :]
    return cards[: random.randint(1, most)]


# Against the twin


def check_position(random: Random, rules: RuleSet) -> int:
    """The legal plays of a random hand, table, lock and order, against the twin; returns how many there are."""
    record = rules.to_json()
    held = draw_cards(random, rules, 11)
    rest = list((Counter(naive.pack(record)) - Counter(held)).elements())
    table = None
    if random.random() < 0.8:
        others = [play for play in naive.plays(random.sample(rest, 8), record) if random.random() < 0.9]
        kinds = sorted({(play.kind, len(play.cards)) for play in others})
        kind = random.choice(kinds) if kinds else None
        table = random.choice([play for play in others if (play.kind, len(play.cards)) == kind]) if kind else None
    lock: Counter[str] = Counter()
    if table is not None and rules.suit_lock != "off" and random.random() < 0.6:
        suits = list(table.suits.elements())
        lock = Counter(random.sample(suits, random.randint(0, len(suits))))
    is_reversed = random.random() < 0.5
    expected = naive.legal_plays(held, record, table, is_reversed, lock)
    found = legal_plays(
        cardtable.words(held),
        rules,
        None if table is None else cardtable.as_play(table),
        is_reversed=is_reversed,
        lock=cardtable.suit_bits(lock),
    )
    assert found == cardtable.as_plays(expected)
    assert len(set(found)) == len(found) <= book_of(rules).room
    return len(found)


def test_legal_plays_are_those_of_the_twin() -> None:
    random = Random(2)
    found = [check_position(random, cardtable.random_rules(random)) for _ in range(700)]
    assert sum(count > 0 for count in found) > 300


@pytest.mark.slow
def test_legal_plays_are_those_of_the_twin_in_many_more_positions() -> None:
    random = Random(3)
    for _ in range(20_000):
        check_position(random, cardtable.random_rules(random))


@given(cardtable.rule_sets, st.randoms(use_true_random=False))
def test_legal_plays_are_those_of_the_twin_under_any_rules(rules: RuleSet, random: Random) -> None:
    check_position(random, rules)


@settings(max_examples=25)
@given(cardtable.rule_sets, st.randoms(use_true_random=False))
def test_plays_and_readings_are_found_by_trying_every_choice_of_cards(rules: RuleSet, random: Random) -> None:
    record = rules.to_json()
    held = draw_cards(random, rules, 5)
    every = [cards for cards in naive.some_of(held) if cards and cards.count(naive.JOKER) <= 2]
    tried = {cards: naive.readings(cards, record) for cards in every}
    for cards, expected in tried.items():
        assert readings(cardtable.words(cards), rules) == cardtable.as_plays(expected)
    found = [play for play in legal_plays(cardtable.words(held), rules) if play.jokers <= 2]
    assert found == cardtable.as_plays(play for plays in tried.values() for play in plays)


def test_no_hand_has_more_plays_than_there_is_room() -> None:
    for rules in (*PRESETS.values(), LOCKS, replace(LOCKS, jokers=2, max_set=5), replace(LOCKS, decks=2)):
        cards = naive.pack(rules.to_json())
        assert 0 < len(legal_plays(cardtable.words(cards), rules)) <= book_of(rules).room


# Counts


@pytest.mark.parametrize(
    ("hand", "rules", "count"),
    [
        ("c3", TRADITIONAL, 1),
        ("jk", TRADITIONAL, 1),
        ("c3 d3", TRADITIONAL, 3),
        ("c3 d3 h3 s3", TRADITIONAL, 15),
        ("c3 jk", TRADITIONAL, 3),  # each alone, and a pair
        ("c3 d3 jk", TRADITIONAL, 7),  # every choice of some of three cards
        ("c3 d3 h3 s3 jk", TRADITIONAL, 30),  # every choice but all five
        ("c3 d3 h3 s3 jk", replace(TRADITIONAL, max_set=5), 31),
        ("c3 jk", LOCKS, 5),  # the pair in three ways
        ("c3 d3 h3 jk", LOCKS, 7 + 1 + 3 * 3 + 3 * 2 + 1),
        ("h3 h4 h5", TRADITIONAL, 4),
        (WHOLE_SUIT, TRADITIONAL, 13 + 66),  # eleven sequences of three, ten of four, ...
        (WHOLE_SUIT, replace(TRADITIONAL, sequence_two=False), 13 + 55),
        (WHOLE_SUIT, PRESETS["1979"], 13),
        ("h9 h10 jk", TRADITIONAL, 3 + 2 + 2),  # singles, pairs with the joker, 8-9-10 and 9-10-J
        ("h9 h10 hJ jk", TRADITIONAL, 4 + 3 + 1 + 5 + 2),  # ... 9-10-J, five of three with the joker, two of four
        ("h3 h5 jk", TRADITIONAL, 3 + 2 + 1),
        ("hA h2 jk", TRADITIONAL, 3 + 2 + 1),
        ("h3 h6 jk", TRADITIONAL, 3 + 2),
        ("jk jk", PRESETS["1979"], 2),
        ("c3 jk jk", PRESETS["1979"], 1 + 1 + 1 + 1 + 1),
        ("h9 jk jk", replace(TRADITIONAL, jokers=2), 5 + 3),  # 7-8-9, 8-9-10 and 9-10-J
        ("c3 c3", TWO_PACKS, 2),
        ("c3 c3 d3", TWO_PACKS, 2 + 2 + 1),
        ("h3 h4 h5 h3 h4 h5", TWO_PACKS, 3 + 3 + 1),
        ("jk jk jk jk", replace(TWO_PACKS, jokers=2), 4),
        ("d3 d4 d5 d6 h6 c8 s8 h10 sJ hK s2 jk", TRADITIONAL, 43),
        ("d3 d4 d5 d6 h6 c8 s8 h10 sJ hK s2 jk", PRESETS["uecda"], 67),
        ("d3 d4 d5 d6 h6 c8 s8 h10 sJ hK s2 jk", PRESETS["polish"], 43),
        ("d3 d4 d5 d6 h6 c8 s8 h10 sJ hK s2", PRESETS["president"], 13),
        ("c3 c3 d3 h4 h5 h6 h7 h7 s7 sK jk jk", TWO_PACKS, 104),
        ("c3 c3 d3 h4 h5 h6 h7 h7 s7 sK jk jk", replace(TWO_PACKS, suit_lock="partial", max_set=5), 240),
    ],
)
def test_counts_of_plays_to_lead(hand: str, rules: RuleSet, count: int) -> None:
    assert len(texts(hand, rules)) == count
    assert len(naive.plays(hand.split(), rules.to_json())) == count


# The rules, play by play


def test_a_lead_is_a_set_or_a_sequence() -> None:
    assert texts("h3 h4 h5 s5") == ["h3", "h4", "h5", "s5", "h5 s5", "h3 h4 h5"]


def test_the_lowest_and_the_highest_sequence() -> None:
    assert "h3 h4 h5" in texts(WHOLE_SUIT)
    assert "hK hA h2" in texts(WHOLE_SUIT)
    assert texts("hA h2 h3") == ["h3", "hA", "h2"]
    assert texts("h2 h3 h4") == ["h3", "h4", "h2"]


def test_without_a_two_in_sequences_an_ace_is_the_top_of_the_highest() -> None:
    rules = replace(TRADITIONAL, sequence_two=False)
    assert "hQ hK hA" in texts(WHOLE_SUIT, rules)
    assert not [text for text in texts(WHOLE_SUIT + " jk", rules) if "h2" in text and len(text.split()) > 2]
    assert texts("hQ hK jk", rules)[-2:] == ["hQ hK jk=hJ", "hQ hK jk=hA"]


def test_the_same_kind_the_same_number_and_strictly_higher() -> None:
    assert texts("c4 c7 c8 d8 h8 jk", table="h7") == ["c8", "d8", "h8", "jk"]
    assert texts("c7 d7 c8 d8 h8", table="h7 s7") == ["c8 d8", "c8 h8", "d8 h8"]
    assert texts("h3 h4 h5 h6 s6 d6", table="c3 c4 c5") == ["h4 h5 h6"]
    assert texts("h3 h4 h5 h6", table="c3 c4 c5 c6") == []


def test_a_set_with_a_joker_ranks_as_its_natural_twin() -> None:
    assert texts("c8 d8", table="h8 jk=s8") == []
    assert texts("c8 jk", table="h8 s8") == []
    assert texts("c9 jk", table="h8 s8") == ["c9 jk=d9"]


def test_a_joker_alone_is_the_highest_single() -> None:
    assert texts("s3 jk", table="h2") == ["jk"]
    assert texts("s3 jk", table="h3", is_reversed=True) == ["jk"]
    assert texts("s3 c2 h2", table="jk") == []


def test_two_jokers_are_the_highest_pair_of_two_and_stand_for_no_other() -> None:
    rules = PRESETS["1979"]
    assert texts("jk jk", rules, "c2 d2") == ["jk jk"]
    assert texts("c2 d2", rules, "jk jk") == []
    assert texts("jk jk", rules, "c3 d3", is_reversed=True) == ["jk jk"]


def test_equal_plays_may_follow_if_the_rules_say_so() -> None:
    rules = replace(TRADITIONAL, compare="equal_or_higher")
    assert texts("c7 c8 c6", rules, "h7") == ["c7", "c8"]
    assert texts("h3 h4 h5 h6", rules, "c4 c5 c6") == ["h4 h5 h6"]
    assert texts("h3 h4 h5 h6", rules, "c3 c4 c5") == ["h3 h4 h5", "h4 h5 h6"]
    assert texts("c7 c6", rules, "h7", is_reversed=True) == ["c6", "c7"]
    assert texts("c7", replace(rules, compare="strict"), "h7") == []


def test_sequences_may_have_to_be_above_those_they_beat() -> None:
    rules = replace(TRADITIONAL, sequence_compare="no_overlap")
    assert texts("h4 h5 h6 h7 h8", rules, "c3 c4 c5") == ["h6 h7 h8"]
    assert texts("h4 h5 h6 h7 h8", TRADITIONAL, "c3 c4 c5") == ["h4 h5 h6", "h5 h6 h7", "h6 h7 h8"]
    assert texts("h3 h4 h5 h6 h7", rules, "c6 c7 c8", is_reversed=True) == ["h3 h4 h5"]


def test_a_revolution_reverses_natural_ranks_only() -> None:
    assert texts("c3 c5 c9 jk", table="h7", is_reversed=True) == ["c3", "c5", "jk"]
    assert texts("h3 h4 h5 h6 h7", table="c4 c5 c6", is_reversed=True) == ["h3 h4 h5"]


def test_the_three_of_spades_and_no_other_card_beats_a_single_joker() -> None:
    for value in ("on", "clears"):
        rules = replace(TRADITIONAL, spade_three=value)
        assert texts("c3 s3 s4 c2", rules, "jk") == ["s3"]
        assert texts("c3 s4 c2", rules, "jk") == []
        assert texts("c3 s4 jk", rules, "s3") == ["s4", "jk"]
        assert texts("s3", rules, "h3") == []
    assert texts("s3", TRADITIONAL, "jk") == []


def test_the_three_of_spades_beats_no_pair_of_jokers_and_no_joker_stands_for_it() -> None:
    rules = replace(TRADITIONAL, jokers=2, spade_three="on")
    assert texts("s3 h3", rules, "jk jk") == []
    assert texts("jk", rules, "jk") == []


def test_the_three_of_spades_beats_the_joker_whatever_is_locked() -> None:
    assert texts("s3", replace(LOCKS, spade_three="on"), "jk", lock=0b0100) == ["s3"]


def test_a_lock_admits_its_suits_and_jokers() -> None:
    hearts, hearts_and_spades = 0b0100, 0b1100
    assert texts("c8 h8 s9 jk", LOCKS, "h7", lock=hearts) == ["h8", "jk"]
    assert texts("c8 h8 s8 jk", LOCKS, "h7 s7", lock=hearts_and_spades) == ["h8 s8", "h8 jk=s8", "s8 jk=h8"]
    assert texts("c8 d8 jk", LOCKS, "h7 s7", lock=hearts_and_spades) == []
    assert texts("c8 d8 h8", LOCKS, "h7 s7", lock=hearts) == ["c8 h8", "d8 h8"]
    assert texts("c6 c7 c8 h6 h7 jk", LOCKS, "h4 h5 h6", lock=hearts) == ["h6 h7 jk=h5", "h6 h7 jk=h8"]


def test_a_fifth_card_of_a_set() -> None:
    rules = replace(LOCKS, max_set=5)
    assert texts("c8 d8 h8 s8 jk", rules)[-1] == "c8 d8 h8 s8 jk"
    assert texts("c9 d9 h9 s9 jk", rules, "c8 d8 h8 s8 jk") == ["c9 d9 h9 s9 jk"]
    assert texts("c9 d9 h9 s9 jk", LOCKS)[-1] == "d9 h9 s9 jk=c9"
    two = replace(rules, jokers=2)
    assert texts("c9 d9 h9 jk jk", two, "c8 d8 h8 s8 jk") == ["c9 d9 h9 jk=s9 jk"]
    assert texts("c9 c9 d9 h9 h9", replace(TWO_PACKS, max_set=5))[-1] == "c9 c9 d9 h9 h9"


def test_two_packs_have_identical_cards_and_each_play_once() -> None:
    assert texts("c3 c3 d3", TWO_PACKS) == ["c3", "d3", "c3 d3", "c3 c3", "c3 c3 d3"]
    locks = replace(TWO_PACKS, suit_lock="full")
    assert texts("c4 c4 d4", locks, "c3 c3", lock=0b00010001) == ["c4 c4"]
    assert texts("c4 jk", locks, "c3 c3", lock=0b00010001) == ["c4 jk=c4"]


# Text


@given(cardtable.rule_sets, st.randoms(use_true_random=False))
def test_every_play_reads_back(rules: RuleSet, random: Random) -> None:
    cards = cardtable.words(draw_cards(random, rules, 9))
    for play in legal_plays(cards, rules):
        assert parse_play(str(play), rules) == play
        assert play in readings(play.cards, rules)


@given(cardtable.rule_sets, st.randoms(use_true_random=False))
def test_plays_are_written_as_the_twin_writes_them(rules: RuleSet, random: Random) -> None:
    cards = draw_cards(random, rules, 9)
    expected = {cardtable.as_play(play): str(play) for play in naive.plays(cards, rules.to_json())}
    assert {play: str(play) for play in legal_plays(cardtable.words(cards), rules)} == expected


@given(cardtable.rule_sets, st.randoms(use_true_random=False))
def test_rows_of_kernels_read_back(rules: RuleSet, random: Random) -> None:
    for play in legal_plays(cardtable.words(draw_cards(random, rules, 6)), rules):
        assert Play.from_row(play.to_row()) == play


def named(text: str, rules: RuleSet) -> list[list[str]]:
    return [play.named for play in readings(parse_cards(text, deck(rules.decks, rules.jokers)), rules)]


def test_what_a_joker_can_stand_for() -> None:
    assert named("h9 h10 jk", TRADITIONAL) == [["h8"], ["hJ"]]
    assert named("h9 jk", TRADITIONAL) == [["c9"]]
    assert named("h9 jk", LOCKS) == [["c9"], ["d9"], ["s9"]]
    assert named("h9 s10", TRADITIONAL) == []
    two = replace(TRADITIONAL, jokers=2)
    assert named("h9 jk jk", two) == [["c9", "d9"], ["h7", "h8"], ["h8", "h10"], ["h10", "hJ"]]
    assert named("h9 jk jk", replace(two, suit_lock="full"))[:3] == [["c9", "d9"], ["c9", "s9"], ["d9", "s9"]]
    assert named("jk jk", two) == [[]]
    assert named("c9 d9 h9 s9 jk", replace(two, max_set=5)) == [[]]
    assert named("c9 d9 h9 jk jk", replace(two, max_set=5)) == [["s9"]]
    assert named("c9 c9 jk jk", replace(TWO_PACKS, jokers=1)) == [["d9", "d9"]]
    assert named("", TRADITIONAL) == []


@pytest.mark.parametrize(
    ("text", "rules", "read"),
    [
        ("d3", TRADITIONAL, "d3"),
        ("♦10,♣10", TRADITIONAL, "c10 d10"),
        ("h5 h4 h3", TRADITIONAL, "h3 h4 h5"),
        ("JO", TRADITIONAL, "jk"),
        ("jk jk", PRESETS["1979"], "jk jk"),
        ("h9 jk", TRADITIONAL, "h9 jk=c9"),
        ("h9 jk=s9", TRADITIONAL, "h9 jk=c9"),
        ("h9 ★=♠9", LOCKS, "h9 jk=s9"),
        ("jk=hJ hT h9", TRADITIONAL, "h9 h10 jk=hJ"),
        ("h9 jk hJ", TRADITIONAL, "h9 hJ jk=h10"),
        ("h9 jk jk=d9", replace(LOCKS, jokers=2, sequences=False), None),
        ("h9 jk=s9 jk=d9", replace(LOCKS, jokers=2), "h9 jk=d9 jk=s9"),
        ("h9 jk=h10 jk", replace(TRADITIONAL, jokers=2), None),
        ("h9 jk=h8 jk=h10", replace(TRADITIONAL, jokers=2), "h9 jk=h8 jk=h10"),
        ("c9 d9 h9 jk jk=s9", replace(LOCKS, jokers=2, max_set=5), "c9 d9 h9 jk=s9 jk"),
        ("c9 d9 h9 s9 jk", replace(LOCKS, max_set=5), "c9 d9 h9 s9 jk"),
        ("c9 jk=c9", replace(TWO_PACKS, suit_lock="full"), "c9 jk=c9"),
    ],
)
def test_plays_are_read_in_any_order_and_jokers_named_where_there_is_a_choice(
    text: str, rules: RuleSet, read: str | None
) -> None:
    if read is None:
        with pytest.raises(InputError, match=r"say what the joker stands for, as in 'h9 jk="):
            parse_play(text, rules)
    else:
        assert str(parse_play(text, rules)) == read


@pytest.mark.parametrize(
    ("text", "rules", "message"),
    [
        ("", TRADITIONAL, "'' is no play"),
        ("h9 s10", TRADITIONAL, "'h9 s10' is no play"),
        ("h2 h3 h4", TRADITIONAL, "'h2 h3 h4' is no play"),
        ("h3 h4 h5", PRESETS["president"], "'h3 h4 h5' is no play"),
        ("c9 d9 h9 s9 jk", TRADITIONAL, "'c9 d9 h9 s9 jk' is no play"),
        ("h9 h9", TRADITIONAL, "more than 1 of h9; the deck has no more"),
        ("h9 x9", TRADITIONAL, "'x9' does not exist"),
        ("jk", PRESETS["president"], "'jk' does not exist"),
        ("h9 jk", LOCKS, "'h9 jk': say what the joker stands for, as in 'h9 jk=c9'"),
        ("h9 h10 jk", TRADITIONAL, "'h9 h10 jk': say what the joker stands for, as in 'h9 h10 jk=h8'"),
        ("h9 jk=h10", TRADITIONAL, "'h9 jk=h10': the joker can't stand for that"),
        ("h9 h10 jk=h7", TRADITIONAL, "'h9 h10 jk=h7': the joker can't stand for that"),
        ("h9 h10 jk=sJ", TRADITIONAL, "'h9 h10 jk=sJ': the joker can't stand for that"),
        ("h9 jk=h9", TRADITIONAL, "more than 1 of h9; the deck has no more"),
        ("jk=h9", TRADITIONAL, "'jk=h9': the joker can't stand for that"),
        ("h9 jk=", TRADITIONAL, "'h9 jk=': the joker can't stand for that"),
        ("h9 jk=jk", TRADITIONAL, "'h9 jk=jk': the joker can't stand for that"),
        ("h9 s9=d9", TRADITIONAL, "'h9 s9=d9': only a joker can stand for another card"),
        ("h9 =d9", TRADITIONAL, "'h9 =d9': only a joker can stand for another card"),
        ("c9 d9 h9 s9 jk=c9", replace(LOCKS, max_set=5), "more than 1 of c9; the deck has no more"),
    ],
)
def test_what_is_no_play_is_refused(text: str, rules: RuleSet, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_play(text, rules)
    assert str(error.value) == message
