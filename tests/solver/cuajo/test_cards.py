"""Cards of Cuajo: how they lie in a mask, and how they are read and named."""

from __future__ import annotations

import naive_cuajo as naive
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.cuajo.cards import (
    CARDS,
    KINDS,
    card,
    copies_of,
    english,
    exceeds,
    full_names,
    kind_of,
    named,
    parse_card,
    parse_cards,
    rank_of,
    spanish,
    suit_of,
    tally,
)
from solver.errors import InputError

masks = st.lists(st.integers(0, KINDS - 1), max_size=16).map(
    lambda kinds: CARDS.mask(kind for place, kind in enumerate(kinds) if kinds[:place].count(kind) < 4)
)


def test_the_deck_is_that_of_the_rules() -> None:
    assert [kind.name for kind in CARDS.kinds] == naive.KINDS
    assert (CARDS.size, CARDS.words, KINDS) == (112, 2, 28)
    assert CARDS.full == (1 << 56) - 1 | ((1 << 56) - 1) << 64


def test_a_kind_is_its_suit_and_rank() -> None:
    for number, name in enumerate(naive.KINDS):
        suit, rank = suit_of(number), rank_of(number)
        assert kind_of(suit, rank) == number
        assert "oceb"[suit] + "A345JHK"[rank] == name == card(number)


@pytest.mark.parametrize("name", naive.KINDS)
def test_a_card_is_read_in_either_case(name: str) -> None:
    spellings = {name, name.lower(), name.upper(), name[0].upper() + name[1].lower(), f" {name} "}
    assert {card(parse_card(text)) for text in spellings} == {name}


@pytest.mark.parametrize("text", ["", "K", "Ko", "oS", "oC", "oR", "o2", "o10", "xK", "oK3", "ok oj"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"is no card: a card is a suit \(o c e b\) and a rank"):
        parse_card(text)


def test_cards_are_read_with_blanks_or_commas() -> None:
    assert parse_cards("oK, c3,eJ  oK") == CARDS.mask(map(parse_card, ("oK", "oK", "c3", "eJ")))
    assert parse_cards("  ") == 0


def test_a_fifth_copy_is_refused() -> None:
    with pytest.raises(InputError, match=r"^5 of oK: there are only 4 of each card$"):
        parse_cards("oK ok OK Ok oK")


def test_full_names() -> None:
    texts = ("oK", "c3", "eJ", "bH", "oA", "c4", "e5")
    assert [english(parse_card(text)) for text in texts] == [
        "king of coins", "three of cups", "jack of swords", "horse of batons", "ace of coins", "four of cups",
        "five of swords",
    ]  # fmt: skip
    assert [spanish(parse_card(text)) for text in texts] == [
        "rey de oros", "tres de copas", "sota de espadas", "caballo de bastos", "as de oros", "cuatro de copas",
        "cinco de espadas",
    ]  # fmt: skip
    assert full_names({parse_card("c3")}) == {"c3": {"en": "three of cups", "es": "tres de copas"}}
    assert list(named({parse_card("c3"): 2, parse_card("oK"): 1}).items()) == [("oK", 1), ("c3", 2)]


@given(masks)
def test_copies_are_counted(mask: int) -> None:
    counts = CARDS.counts(mask)
    assert [copies_of(mask, kind) for kind in range(KINDS)] == list(counts)
    assert [tally(mask) >> shift & 15 for shift in CARDS.shifts] == list(counts)


@given(st.tuples(masks, masks, masks))
def test_a_fifth_copy_among_several_masks_is_seen(three: tuple[int, int, int]) -> None:
    sums = [sum(counts) for counts in zip(*map(CARDS.counts, three), strict=True)]
    assert exceeds(*three) == (max(sums) > 4)
