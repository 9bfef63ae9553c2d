"""Combinations and divisions: the seed's hand, what is counted by hand, and the naive twins."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import naive_cuajo as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.bits import to_words
from solver.cuajo.cards import CARDS, KINDS, card, parse_card, parse_cards
from solver.cuajo.melds import (
    Division,
    all_combinations,
    are_complete,
    completing,
    divisions,
    is_complete,
    words_with,
    words_without,
)
from solver.cuajo.rows import ROWS, row_tables

SEED = "oJ oA o3 o4 o5 cJ cA c3 c4 eJ e3 e5 bA b4 b5 bK"


def texts(found: Division) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted(tuple(sorted(one.cards())) for one in found))


def random_hand(random: Random, size: int) -> list[str]:
    return random.sample(sorted(naive.DECK.elements()), size)


def near_complete(random: Random, size: int) -> list[str]:
    """Cards put together from combinations, then a few of them exchanged."""
    while True:
        cards: list[str] = []
        while len(cards) < size:
            cards += random.choice(naive.all_combinations())
        if len(cards) == size:
            for _ in range(random.choice((0, 0, 1, 2))):
                cards[random.randrange(size)] = random.choice(naive.KINDS)
            if max(Counter(cards).values()) <= 4:
                return cards


def mask_of(cards: list[str]) -> int:
    return parse_cards(" ".join(cards))


def test_there_are_75_combinations() -> None:
    found = all_combinations()
    assert sorted(one.name for one in found) == sorted(["set"] * 35 + ["run"] * 8 + ["secret"] * 28 + ["king"] * 4)
    assert {tuple(sorted(one.cards())) for one in found} == set(naive.all_combinations())
    assert [one.kinds[0] for one in found] == sorted(one.kinds[0] for one in found)


def test_the_seed_has_one_division() -> None:
    (only,) = divisions(parse_cards(SEED))
    assert [" ".join(one.cards()) for one in only] == [
        "oA cA bA", "o3 c3 e3", "o4 c4 b4", "o5 e5 b5", "oJ cJ eJ", "bK",
    ]  # fmt: skip
    assert is_complete(parse_cards(SEED))


def test_sixteen_kings_divide_in_162_ways() -> None:
    kings = [suit + "K" for suit in "oceb"] * 4
    found = divisions(mask_of(kings))
    assert len(found) == len(set(map(texts, found))) == len(naive.divisions(kings)) == 162


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("", 1),
        ("oK", 1),
        ("o3 o4 o5", 1),
        ("oJ oH oK", 1),
        ("oA o3 o4", 0),
        ("o4 o5 oJ", 0),
        ("o5 oJ oH", 0),
        ("oA oA oA", 0),
        ("oA oA oA oA", 1),
        ("oA cA", 0),
        ("oA cA eA", 1),
        ("oA cA eA bA", 1),
        ("oA oA cA eA bA", 0),
        ("oA oA cA cA eA eA", 1),
        ("oA oA oA cA cA cA eA eA eA bA bA bA", 2),  # three sets of four, or four of three
        ("o3 o4 o5 c3 c4 c5 e3 e4 e5", 2),  # three runs, or three sets
        ("oK cK eK", 2),
        ("oK oK oK oK", 2),
        ("oK cK eK bK", 6),  # apart, a set of four, four sets of three and a king
        ("oJ oH oK oK", 1),
    ],
)
def test_divisions_counted_by_hand(text: str, ways: int) -> None:
    found = divisions(parse_cards(text))
    assert len(found) == ways
    assert is_complete(parse_cards(text)) == (ways > 0)


def test_three_like_the_sowee_are_a_combination_only_if_asked() -> None:
    sowee = parse_card("o3")
    cards = parse_cards("o3 o3 o3 cK")
    assert divisions(cards) == []
    (found,) = divisions(cards, sowee)
    assert [(one.name, one.cards()) for one in found] == [("sowee", ["o3", "o3", "o3"]), ("king", ["cK"])]


def test_more_than_a_hand_is_refused() -> None:
    with pytest.raises(ValueError, match="17 cards"):
        divisions(mask_of(random_hand(Random(1), 17)))


def test_divisions_agree_with_the_twin() -> None:
    random = Random(2)
    for number in range(600):
        cards = near_complete(random, 3 + number % 14)
        found = [texts(one) for one in divisions(mask_of(cards))]
        assert len(found) == len(set(found))
        assert set(found) == naive.divisions(cards)


def test_divisions_with_the_sowee_agree_with_the_twin() -> None:
    random = Random(3)
    for number in range(200):
        sowee = random.choice(naive.KINDS)
        cards = [sowee] * 3 + near_complete(random, 3 + number % 11)
        if cards.count(sowee) == 3:
            found = [texts(one) for one in divisions(mask_of(cards), parse_card(sowee))]
            assert len(found) == len(set(found))
            assert set(found) == naive.divisions(cards, [(sowee,) * 3])


def test_complete_or_not_agrees_with_the_twin_on_thousands_of_hands() -> None:
    random = Random(4)
    hands = [random_hand(random, 16) for _ in range(1000)] + [near_complete(random, 16) for _ in range(3000)]
    found = are_complete(to_words(CARDS, list(map(mask_of, hands))))
    assert found.dtype == np.bool_
    assert found.tolist() == [naive.complete(cards) for cards in hands]
    assert 1000 < found.sum() < 2500


@given(st.lists(st.integers(0, KINDS - 1), max_size=20))
def test_hands_of_any_size_agree_with_their_divisions(kinds: list[int]) -> None:
    counts = Counter(kinds)
    if max(counts.values(), default=0) <= 4:
        cards = [card(kind) for kind in kinds]
        assert is_complete(CARDS.mask(kinds)) == naive.complete(cards)


def test_the_cards_that_complete_agree_with_the_twin() -> None:
    random = Random(5)
    purro = 0
    for _ in range(120):
        cards = near_complete(random, 16)
        cards.remove(random.choice(cards))
        found = [card(kind) for kind in completing(mask_of(cards))]
        assert found == naive.completing(cards)
        purro += bool(found)
    assert 40 < purro < 120


def test_a_card_more_and_less() -> None:
    random = Random(6)
    for _ in range(100):
        cards = random_hand(random, 15)
        low, high = to_words(CARDS, [mask_of(cards)])[0]
        for kind in range(KINDS):
            if cards.count(card(kind)) < 4:
                more = words_with(low, high, kind)
                assert list(more) == list(to_words(CARDS, [mask_of([*cards, card(kind)])])[0])
                assert tuple(words_without(*more, kind)) == (low, high)


def test_rows_that_sets_and_secrets_use_up() -> None:
    tables = row_tables()
    covered = 0
    for row in product(range(5), repeat=4):
        number = sum(count * 5**suit for suit, count in enumerate(row))
        assert tuple(tables.counts[number]) == row
        aces = [suit + "A" for suit, count in zip("oceb", row, strict=True) for _ in range(count)]
        if len(aces) <= 12:
            assert bool(tables.covered[number]) == naive.complete(aces), row
        covered += bool(tables.covered[number])
    assert covered == 143


def test_bits_of_a_row_are_the_runs_that_fit() -> None:
    tables = row_tables()
    random = Random(7)
    for _ in range(300):
        row, runs = random.randrange(ROWS), random.randrange(ROWS)
        rest = tables.counts[row] - tables.counts[runs]
        below = bool((rest >= 0).all())
        fits = below and bool(tables.covered[int(rest @ [1, 5, 25, 125])])
        assert bool(int(tables.below[row, runs // 64]) >> runs % 64 & 1) == below
        assert bool(int(tables.fits[row, runs // 64]) >> runs % 64 & 1) == fits
