"""Wastes: by hand, against the naive twin, and the tables against the direct computation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import naive_cuajo as naive
import numpy as np
import pytest
from numpy.typing import NDArray

from solver.bits import to_words
from solver.cuajo.blocks import contents, discard_wastes, wastes
from solver.cuajo.cards import CARDS, KINDS, parse_card, parse_cards
from solver.cuajo.distances import NONE, Aim, least_waste

SEED = "oJ oA o3 o4 o5 cJ cA c3 c4 eJ e3 e5 bA b4 b5 bK"


def aim(cards: Sequence[str], size: int, stays: Sequence[str] = (), **most: int) -> Aim:
    """What cards may become if kings and some others stay, and there are just so many of some kinds."""
    held = [cards.count(kind) for kind in naive.KINDS]
    least = [count if kind[1] == "K" else 0 for kind, count in zip(naive.KINDS, held, strict=True)]
    for one in stays:
        least[parse_card(one)] = max(1, least[parse_card(one)])
    return Aim(tuple(held), tuple(least), tuple(most.get(kind, 4) for kind in naive.KINDS), size)


def random_hand(random: Random, size: int) -> list[str]:
    return random.sample(sorted(naive.DECK.elements()), size)


def words_of(hands: Sequence[Sequence[str]]) -> NDArray[np.uint64]:
    return to_words(CARDS, [parse_cards(" ".join(cards)) for cards in hands])


@pytest.mark.parametrize(
    ("text", "size", "waste"),
    [
        (SEED, 16, 0),
        (SEED.replace("bK", "eH"), 16, 1),
        (SEED.replace(" bK", ""), 16, 0),  # 15 cards: any king completes them
        (SEED.replace("oJ ", ""), 16, 0),
        (SEED.replace("oJ oA", "oH bH"), 16, 2),
        ("", 16, 0),
        ("", 1, 0),  # a king
        ("", 2, 0),  # two kings
        ("o3", 1, 1),
        ("o3", 2, 1),
        ("o3 o4", 3, 0),
        ("o3 o4", 4, 0),  # a run and a king
        ("o3 oJ", 3, 1),
        ("oK oK", 1, None),  # a king can't be discarded
        ("oK oK oA", 3, 1),  # a third king
        ("oK oK oA", 4, 1),
        ("oK oK oA", 5, 0),
        ("oA oA cA", 3, 1),
        ("oA oA oA", 4, 0),
        ("oA oA oA", 3, 2),
    ],
)
def test_wastes_by_hand(text: str, size: int, waste: int | None) -> None:
    cards = parse_cards(text)
    assert least_waste(aim(CARDS.names(cards), size)) == waste
    assert wastes(to_words(CARDS, [cards]), size).tolist() == [NONE if waste is None else waste]


def test_bounds_by_hand() -> None:
    assert least_waste(aim(["o3", "o4"], 3, o5=0)) == 1  # c3 and e3, or the like, go with one of them
    assert least_waste(aim(["o3", "o4"], 3, o5=0, c3=0, e3=0, b3=0)) == 1
    assert least_waste(aim(["o3", "o4"], 3, o5=0, c3=0, e3=0, c4=0, e4=0)) == 2
    assert least_waste(aim(["oA", "o3", "o4"], 3)) == 1
    assert least_waste(aim(["oA", "o3", "o4"], 3, ["oA"])) == 2
    assert least_waste(aim(["oA", "oA", "oA"], 3, ["oA"])) == 2
    assert least_waste(aim(["oA", "o3"], 3, ["oA", "o3"])) is None


def test_direct_wastes_agree_with_the_twin() -> None:
    random = Random(1)
    for number in range(150):
        size = random.choice((3, 4, 6, 7, 8, 9, 10))
        cards = random_hand(random, min(size, 3 + number % 7))
        stays = random.sample(cards, number % 2)
        fewer = {kind: cards.count(kind) for kind in random.sample(naive.KINDS, 2 * (number % 5))}
        expected = naive.waste(cards, size, stays=stays, most={**naive.DECK, **fewer})
        assert least_waste(aim(cards, size, stays, **fewer)) == expected, (cards, size, stays, fewer)


@pytest.mark.parametrize("size", [15, 16])
def test_whole_hands_agree_with_the_twin(size: int) -> None:
    random = Random(size)
    for _ in range(8):
        cards: list[str] = []
        while len(cards) < size - 2:
            one = random.choice(naive.all_combinations())
            if all((cards + list(one)).count(kind) <= 4 for kind in one):
                cards += one
        cards = cards[: size - 2]
        cards += random.sample(sorted((naive.DECK - Counter(cards)).elements()), 2)
        assert least_waste(aim(cards, 16)) == naive.waste(cards, 16)


def test_tables_agree_with_the_direct_computation_on_thousands_of_hands() -> None:
    random = Random(2)
    for size in (16, 16, 13, 12, 9, 8, 4):
        hands = [random_hand(random, random.randint(0, size)) for _ in range(300)]
        direct = [least_waste(aim(cards, size)) for cards in hands]
        assert wastes(words_of(hands), size).tolist() == [NONE if one is None else one for one in direct]


def test_wastes_after_each_discard() -> None:
    random = Random(3)
    for size in (16, 12):
        hands = [random_hand(random, size) for _ in range(40)]
        for cards, row in zip(hands, discard_wastes(words_of(hands), size).tolist(), strict=True):
            for number, kind in enumerate(naive.KINDS):
                if kind not in cards or kind[1] == "K":
                    assert row[number] == NONE
                else:
                    rest = list(cards)
                    rest.remove(kind)
                    waste = least_waste(aim(rest, size))
                    assert row[number] == (NONE if waste is None else waste)


def test_a_discard_changes_the_waste_by_one_at_most() -> None:
    hands = [random_hand(Random(seed), 16) for seed in range(2000)]
    words = words_of(hands)
    before, after = wastes(words), discard_wastes(words)
    best = after.min(axis=1)
    assert (best == np.maximum(before - 1, 0)).all()
    assert (after[after < NONE] <= np.repeat(before, (after < NONE).sum(axis=1))).all()


def test_all_contents_are_numbered_once() -> None:
    found = contents().columns
    assert len(found) == len(np.unique(found, axis=0)) == 696_751


def test_too_many_cards_and_no_such_size_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 16 cards"):
        wastes(words_of([random_hand(Random(1), 17)]))
    with pytest.raises(ValueError, match="0 to 16 cards, not 17"):
        discard_wastes(words_of([random_hand(Random(1), 3)]), 17)
    assert wastes(words_of([]).reshape(0, 2)).tolist() == []
    assert len(naive.KINDS) == KINDS
