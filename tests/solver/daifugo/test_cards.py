"""Cards of one and two packs: text, and the words that kernels see."""

from __future__ import annotations

from itertools import product

import cardtable
import naive_daifugo as naive
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.daifugo.cards import (
    DIAMOND_THREE,
    RANKS,
    SPADE_THREE,
    card_names,
    deck,
    format_cards,
    from_hand,
    parse_cards,
    symbols,
    to_hand,
)
from solver.errors import InputError

PACKS = list(product((1, 2), (0, 1, 2)))
every_pack = pytest.mark.parametrize(("decks", "jokers"), PACKS)


@st.composite
def hands(draw: st.DrawFn) -> tuple[int, int, list[str]]:
    """A number of packs, of jokers, and some of the cards in any order."""
    decks, jokers = draw(st.sampled_from(PACKS))
    cards = draw(st.permutations(naive.pack({"decks": decks, "jokers": jokers})))
    return decks, jokers, cards[: draw(st.integers(0, len(cards)))]


@every_pack
def test_a_deck_has_52_cards_a_pack_and_its_jokers_in_ascending_order(decks: int, jokers: int) -> None:
    cards = deck(decks, jokers)
    assert list(cards.names(cards.full)) == naive.pack({"decks": decks, "jokers": jokers})
    assert cards.size == decks * (52 + jokers)
    assert cards.words == decks


@pytest.mark.parametrize(("decks", "jokers"), [(0, 1), (3, 1), (1, 3), (1, -1)])
def test_other_decks_are_refused(decks: int, jokers: int) -> None:
    with pytest.raises(InputError, match=f"^{decks} packs with {jokers} jokers each: "):
        deck(decks, jokers)


def test_every_spelling_of_a_card_is_read() -> None:
    for suit, letters in zip("cdhs", ("cC♣", "dD♦", "hH♥", "sS♠"), strict=True):
        for rank in RANKS:
            ranks = {rank, rank.lower()} | ({"T", "t"} if rank == "10" else set())
            for letter, spelled in product(letters, ranks):
                assert card_names(*parse_cards(letter + spelled, deck())) == [suit + rank]


@pytest.mark.parametrize("text", ["jk", "jo", "JK", "Jk", "JO", "Jo", "★"])
def test_every_spelling_of_the_joker_is_read(text: str) -> None:
    assert parse_cards(text, deck()) == (1 << 52, 0)


@pytest.mark.parametrize("text", ["d3 s10 jk", "d3,s10,jk", "jk, sT d3", " ♦3  ★ ♠10 ", "D3\tJO\nSt"])
def test_cards_are_separated_by_blanks_and_commas(text: str) -> None:
    assert format_cards(*parse_cards(text, deck())) == "d3 s10 jk"


def test_no_cards_are_a_hand() -> None:
    assert parse_cards("", deck()) == (0, 0)
    assert format_cards(0) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x3", "'x3' does not exist"),
        ("c1", "'c1' does not exist"),
        ("c11", "'c11' does not exist"),
        ("3c", "'3c' does not exist"),
        ("d3 joker", "'joker' does not exist"),
        ("d3 s10 d3", "more than 1 of d3; the deck has no more"),
        ("jk ★", "more than 1 of jk; the deck has no more"),
    ],
)
def test_what_is_no_hand_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_cards(text, deck())
    assert str(error.value) == message


def test_two_packs_hold_each_card_twice_and_no_more() -> None:
    assert format_cards(*parse_cards("s10 d3 d3 jk jk", deck(2, 1))) == "d3 d3 s10 jk jk"
    assert parse_cards("d3 d3 jk jk jk jk", deck(2, 2)) == (1 << 1 | 15 << 52, 1 << 1)
    with pytest.raises(InputError, match=r"^more than 2 of d3; the deck has no more$"):
        parse_cards("d3 d3 d3", deck(2, 1))
    with pytest.raises(InputError, match=r"^'jk' does not exist$"):
        parse_cards("jk", deck(2, 0))


def test_the_cards_with_a_part_of_their_own() -> None:
    assert format_cards(1 << SPADE_THREE) == "s3"
    assert format_cards(1 << DIAMOND_THREE) == "d3"


@given(hands())
def test_hands_are_the_same_as_text_as_masks_and_as_words(drawn: tuple[int, int, list[str]]) -> None:
    decks, jokers, names = drawn
    cards = deck(decks, jokers)
    hand = parse_cards(" ".join(names), cards)
    assert hand == cardtable.words(names)
    assert card_names(*hand) == list(naive.in_order(names))
    assert from_hand(*hand, cards) == cards.parse(" ".join(names))
    assert to_hand(from_hand(*hand, cards), cards) == hand


@given(hands())
def test_printed_suits_are_read_too(drawn: tuple[int, int, list[str]]) -> None:
    decks, jokers, names = drawn
    text = symbols(" ".join(names))
    assert not set(text) & set("cdhsjk")
    assert parse_cards(text, deck(decks, jokers)) == cardtable.words(names)


def test_a_play_in_printed_suits() -> None:
    assert symbols("c9 d10 jk=h9 jk") == "♣9 ♦10 ★=♥9 ★"
