"""The encoding layer: how decks are laid out, masks, and text."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.deck import WORD, Deck, Kind
from solver.errors import InputError
from solver.xiangshifu.tiles import CIVILIAN, KIND_OF_BIT, MILITARY, PIPS, TILES

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def cards(suits: str, ranks: tuple[str, ...], copies: int, jokers: int = 0) -> Deck:
    kinds = [Kind(suit + rank, copies, section=suit) for suit in suits for rank in ranks]
    if jokers:
        kinds.append(Kind("jk", jokers, ("jo",), "jokers"))
    return Deck(tuple(kinds))


DECKS = {
    "domino": TILES,
    "52": cards("cdhs", RANKS, 1),
    "53": cards("cdhs", RANKS, 1, 1),
    "54": cards("cdhs", RANKS, 1, 2),
    "104": cards("cdhs", RANKS, 2),
    "106": cards("cdhs", RANKS, 2, 2),
    "108": cards("cdhs", RANKS, 2, 4),
    "112": cards("oceb", ("A", "3", "4", "5", "J", "H", "K"), 4),
}
SIZES = {name: 32 if name == "domino" else int(name) for name in DECKS}
each_deck = pytest.mark.parametrize("name", DECKS)


@st.composite
def multisets(draw: st.DrawFn, deck: Deck) -> list[int]:
    """Kind indices in any order, none more often than it has copies."""
    copies = [index for index, kind in enumerate(deck.kinds) for _ in range(kind.copies)]
    size = draw(st.integers(0, len(copies)))
    return draw(st.permutations(copies))[:size]


decks_with_multisets = st.sampled_from(sorted(DECKS)).flatmap(
    lambda name: st.tuples(st.just(DECKS[name]), multisets(DECKS[name]))
)


def bits_of(deck: Deck, index: int) -> range:
    return range(deck.shifts[index], deck.shifts[index] + deck.kinds[index].copies)


@each_deck
def test_a_deck_has_as_many_bits_as_copies(name: str) -> None:
    deck = DECKS[name]
    taken = [bit for index in range(len(deck.kinds)) for bit in bits_of(deck, index)]
    assert len(set(taken)) == len(taken) == deck.size == SIZES[name]
    assert deck.full == sum(1 << bit for bit in taken)


def test_the_domino_set_fills_exactly_32_bits() -> None:
    assert TILES.full == 2**32 - 1
    assert TILES.words == 1
    assert [kind.copies for kind in TILES.kinds] == [2] * 11 + [1] * 10


def test_the_domino_set_has_every_two_pips_once_as_a_kind() -> None:
    assert sorted(PIPS) == [(low, high) for low in range(1, 7) for high in range(low, 7)]
    assert tuple(kind.name for kind in TILES.kinds) == CIVILIAN + MILITARY
    assert Counter(KIND_OF_BIT) == {index: kind.copies for index, kind in enumerate(TILES.kinds)}


@pytest.mark.parametrize("name", ["52", "53", "54"])
def test_one_pack_takes_one_word_from_bit_0(name: str) -> None:
    assert DECKS[name].words == 1
    assert DECKS[name].full == 2 ** SIZES[name] - 1


@pytest.mark.parametrize("name", ["104", "106", "108", "112"])
def test_two_packs_take_two_words_and_no_kind_or_suit_straddles_the_border(name: str) -> None:
    deck = DECKS[name]
    assert deck.words == 2
    assert deck.full < 2 ** (2 * WORD)
    words_of_section: dict[str, set[int]] = {}
    for index, kind in enumerate(deck.kinds):
        words_of_section.setdefault(kind.section, set()).update(bit // WORD for bit in bits_of(deck, index))
    assert all(len(words) == 1 for words in words_of_section.values())
    assert set().union(*words_of_section.values()) == {0, 1}


def test_64_copies_are_one_word_and_65_are_two() -> None:
    assert Deck((Kind("a", 40, section="x"), Kind("b", 24, section="y"))).words == 1
    two = Deck((Kind("a", 40, section="x"), Kind("b", 25, section="y")))
    assert (two.words, two.shifts) == (2, (0, 64))


@given(decks_with_multisets)
def test_text_of_a_mask_reads_back(case: tuple[Deck, list[int]]) -> None:
    deck, kinds = case
    mask = deck.mask(kinds)
    assert deck.parse(deck.format(mask)) == mask
    assert deck.names(mask) == tuple(deck.kinds[kind].name for kind in sorted(kinds))
    assert deck.kinds_of(mask) == tuple(sorted(kinds))
    assert mask.bit_count() == len(kinds)


@given(decks_with_multisets, st.data())
def test_equal_multisets_have_equal_masks(case: tuple[Deck, list[int]], data: st.DataObject) -> None:
    deck, kinds = case
    assert deck.mask(data.draw(st.permutations(kinds))) == deck.mask(kinds)


@given(st.sampled_from(sorted(DECKS)), st.data())
def test_masks_are_contained_exactly_as_multisets_are(name: str, data: st.DataObject) -> None:
    deck = DECKS[name]
    whole = data.draw(multisets(deck))
    some = whole[: data.draw(st.integers(0, len(whole)))]
    other = data.draw(multisets(deck))
    assert deck.mask(some) & ~deck.mask(whole) == 0
    assert (deck.mask(other) & ~deck.mask(whole) == 0) == (Counter(other) <= Counter(whole))


def any_copies(deck: Deck) -> st.SearchStrategy[int]:
    return st.integers(0, 2 ** (WORD * deck.words) - 1).map(lambda bits: bits & deck.full)


@given(st.sampled_from(sorted(DECKS)), st.data())
def test_canonical_keeps_the_counts_and_sets_lowest_bits(name: str, data: st.DataObject) -> None:
    deck = DECKS[name]
    copies = data.draw(any_copies(deck))
    canonical = deck.canonical(copies)
    for index in range(len(deck.kinds)):
        held = [bool(copies >> bit & 1) for bit in bits_of(deck, index)]
        assert [bool(canonical >> bit & 1) for bit in bits_of(deck, index)] == sorted(held, reverse=True)
    assert deck.canonical(canonical) == canonical


@given(st.sampled_from(sorted(DECKS)), st.data())
def test_the_sorting_network_makes_masks_canonical(name: str, data: st.DataObject) -> None:
    deck = DECKS[name]
    copies = data.draw(any_copies(deck))
    sorted_words = 0
    for word, network in enumerate(deck.sorting_network()):
        bits = copies >> (WORD * word) & 2**WORD - 1
        for lane in network:
            for low in range(WORD):
                if lane >> low & 1 and bits >> low & 3 == 2:
                    bits ^= 3 << low
        sorted_words |= bits << (WORD * word)
    assert sorted_words == deck.canonical(copies)


@pytest.mark.parametrize("copies", [1, 2, 3, 4, 5])
def test_a_network_of_n_copies_has_no_more_steps_than_a_bubble_sort(copies: int) -> None:
    (network,) = Deck((Kind("a", copies), Kind("b", 1))).sorting_network()
    assert len(network) == copies * (copies - 1) // 2


def test_other_spellings_are_read_and_the_name_is_written() -> None:
    assert DECKS["54"].parse("jo jk") == DECKS["54"].parse("jk jk")
    assert DECKS["54"].format(DECKS["54"].parse("jo")) == "jk"
    assert TILES.format(TILES.parse("31 65 13"), "-") == "13-13-56"


def test_names_are_read_in_any_order() -> None:
    assert {TILES.parse(" ".join(order)) for order in permutations(("66", "13", "31", "12"))} == {
        0b1 | 0b11 << 6 | 1 << 31
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("13 77", "'77' does not exist"),
        ("66 66 66", "more than 2 of 66; the deck has no more"),
        ("12 12", "more than 1 of 12; the deck has no more"),
    ],
)
def test_what_the_deck_does_not_have_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        TILES.parse(text)
    assert str(error.value) == message


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(InputError, match="-1 of 66, the deck has 2"):
        TILES.mask_of_counts([-1] + [0] * 20)


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ((Kind("a", 1), Kind("a", 2)), "two kinds of the deck are written 'a'"),
        ((Kind("a", 1), Kind("b", 1, ("a",))), "two kinds of the deck are written 'a'"),
        ((Kind("a", 0),), "every kind needs a copy"),
        (
            (Kind("a", 1, section="x"), Kind("b", 1, section="y"), Kind("c", 1, section="x")),
            "the kinds of a section must stand together",
        ),
        ((Kind("a", 65, section="x"),), "section 'x' does not fit into the deck's two words"),
        (
            tuple(Kind(name, 43, section=name) for name in "xyz"),
            "section 'z' does not fit into the deck's two words",
        ),
    ],
)
def test_a_deck_that_cannot_be_laid_out_is_refused(kinds: tuple[Kind, ...], message: str) -> None:
    with pytest.raises(InputError) as error:
        Deck(kinds)
    assert str(error.value) == message


def test_a_mask_of_the_second_word_begins_at_bit_64() -> None:
    deck = DECKS["112"]
    first = deck.parse("eA")
    assert first == 1 << 64
    assert deck.counts(first) == tuple(int(kind.name == "eA") for kind in deck.kinds)
