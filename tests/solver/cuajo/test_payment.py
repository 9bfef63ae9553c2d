"""Payments: cases worked by hand from the rules, the naive twin, and money that is conserved."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import naive_cuajo as naive
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.cuajo.cards import CARDS, parse_card, parse_cards
from solver.cuajo.hand import Hand
from solver.cuajo.payment import Win, companions, pay, secret_shares, turn_cards
from solver.cuajo.rules import TRADITIONAL, RuleSet
from solver.errors import InputError

SEED = "oJ oA o3 o4 o5 cJ cA c3 c4 eJ e3 e5 bA b4 b5 bK"
"""The hand of the seed: one king, which stands alone."""
FOUR = "oK oK cK bK oA cA eA o3 o4 o5 cJ eJ bJ e3 e4 e5"
"""Four kings, 140 cents; two of them of coins."""
NO_KING = "oA cA eA bA o3 o4 o5 c3 c4 c5 e3 e4 e5 oJ cJ eJ"
IN_RUN = "oA cA eA bA o3 o4 o5 c3 c4 c5 e3 e4 e5 oJ oH oK"
CUPS_RUN = "oA cA eA bA o3 o4 o5 c3 c4 c5 e3 e4 e5 cJ cH cK"
EITHER = "oJ cJ eJ bJ oH cH eH bH oK oA cA eA bA o3 o4 o5"
"""The king stands alone beside two sets of four, or in a run beside two sets of three."""
TWO_RUNS = "oJ oH oK cJ cH cK oA cA eA bA o3 o4 o5 e3 e4 e5"
TWELVE = "oA cA eA o3 o4 o5 c3 c4 c5 cJ eJ bJ"
KINGS_SECRET = f"{TWELVE} oK oK oK oK"
SOWEE_SECRET = f"{TWELVE} e5 e5 e5 bK"
THREES = "oA cA eA o3 o4 o5 cJ eJ bJ oK cK eK"

KINGS, OWN, BOTH, ONE, TWO, NONE, PORBIS = (
    "kings", "own-draw", "both-conditions", "condition-1", "condition-2", "no-condition", "porbis",
)  # fmt: skip

CASES: list[tuple[str, str, str, str, str, list[tuple[str, int]]]] = [
    # hand, sowee, bounit, by, turned, lines
    (SEED, "o4", "oA", "own", "", [(KINGS, 20), (OWN, 110)]),
    (SEED, "o4", "oA", "draw", "", [(KINGS, 20), (BOTH, 110)]),
    (SEED, "o4", "oA", "discard", "", [(KINGS, 20), (BOTH, 110)]),
    (SEED, "o4", "o3", "draw", "", [(KINGS, 20), (BOTH, 110)]),
    (SEED, "o4", "o4", "draw", "", [(KINGS, 20), (BOTH, 110)]),
    (SEED, "o4", "cJ", "draw", "", [(KINGS, 20), (TWO, 70)]),
    (SEED, "o4", "e3", "discard", "", [(KINGS, 20), (TWO, 70)]),
    (SEED, "o4", "bK", "draw", "", [(KINGS, 20), (TWO, 70)]),
    (SEED, "o4", "cA", "draw", "", [(KINGS, 20), (BOTH, 110)]),
    (SEED, "o4", "b4", "discard", "", [(KINGS, 20), (TWO, 70)]),
    (SEED, "o4", "c4", "draw", "", [(KINGS, 20), (TWO, 70)]),
    (SEED, "o3", "o4", "draw", "", [(KINGS, 20), (BOTH, 110)]),
    (SEED, "oA", "o5", "draw", "", [(KINGS, 20), (BOTH, 110)]),
    (SEED, "eA", "oA", "draw", "", [(KINGS, 20), (ONE, 60)]),
    (SEED, "eA", "cJ", "draw", "", [(KINGS, 20), (NONE, 20)]),
    (SEED, "eA", "cJ", "own", "", [(KINGS, 20), (OWN, 110)]),
    (SEED, "oK", "cJ", "discard", "", [(KINGS, 20), (NONE, 20)]),
    (SEED, "bK", "bA", "draw", "", [(KINGS, 20), (ONE, 60)]),
    # turned cards
    (SEED, "o4", "cJ", "draw", "cH cK", [(KINGS, 20), (BOTH, 110)]),
    (SEED, "o4", "cJ", "draw", "cH oH eK", [(KINGS, 20), (TWO, 70)]),
    (SEED, "eA", "oA", "draw", "eA", [(KINGS, 20), (BOTH, 110)]),
    (SEED, "eA", "cJ", "discard", "eA cH cK", [(KINGS, 20), (BOTH, 110)]),
    (SEED, "eA", "cJ", "draw", "eA", [(KINGS, 20), (TWO, 70)]),
    (SEED, "eA", "cJ", "draw", "cH cK", [(KINGS, 20), (ONE, 60)]),
    (SEED, "eA", "cJ", "draw", "oK oK oK cK cK eK", [(KINGS, 20), (NONE, 20)]),
    (SEED, "eA", "cJ", "own", "oK cH", [(KINGS, 20), (OWN, 110)]),
    # several kings, of coins too
    (FOUR, "e4", "cJ", "own", "", [(KINGS, 140), (OWN, 110)]),
    (FOUR, "e4", "o3", "draw", "", [(KINGS, 140), (BOTH, 110)]),
    (FOUR, "e4", "cJ", "draw", "", [(KINGS, 140), (TWO, 70)]),
    (FOUR, "cK", "oA", "draw", "", [(KINGS, 140), (ONE, 60)]),
    (FOUR, "bH", "eJ", "discard", "", [(KINGS, 140), (NONE, 20)]),
    (FOUR, "cK", "cJ", "draw", "cH", [(KINGS, 140), (BOTH, 110)]),
    (KINGS_SECRET, "b3", "o4", "own", "", [(KINGS, 200), (OWN, 110)]),
    (TWO_RUNS, "cH", "oJ", "draw", "", [(KINGS, 70), (BOTH, 110)]),
    (TWO_RUNS, "b5", "oK", "discard", "", [(KINGS, 70), (ONE, 60)]),
    # porbis
    (NO_KING, "o4", "oA", "own", "", [(PORBIS, 300)]),
    (NO_KING, "b4", "oJ", "draw", "", [(PORBIS, 300)]),
    (NO_KING, "o4", "e5", "discard", "oK", [(PORBIS, 300)]),
    (IN_RUN, "o4", "oK", "own", "", [(PORBIS, 300)]),
    (IN_RUN, "b4", "oJ", "draw", "", [(PORBIS, 300)]),
    (CUPS_RUN, "b4", "cH", "discard", "", [(PORBIS, 300)]),
    (EITHER, "b4", "o3", "draw", "", [(PORBIS, 300)]),
]


def win(cards: str, sowee: str, bounit: str, by: str, turned: str = "", laid: str = "") -> Win:
    return Win(Hand.parse(cards, 16, laid=laid, sowee=sowee), parse_card(bounit), by, parse_cards(turned))


def lines(one: Win, rules: RuleSet = TRADITIONAL) -> list[tuple[str, int]]:
    return [(line.name, line.cents) for line in pay(one, rules).lines]


def changed(**values: Any) -> RuleSet:
    return RuleSet(id="changed", **values)


@pytest.mark.parametrize(("cards", "sowee", "bounit", "by", "turned", "expected"), CASES)
def test_cases_by_hand(
    cards: str, sowee: str, bounit: str, by: str, turned: str, expected: list[tuple[str, int]]
) -> None:
    payment = pay(win(cards, sowee, bounit, by, turned))
    assert [(line.name, line.cents) for line in payment.lines] == expected
    assert payment.each_opponent == sum(cents for _, cents in expected)
    assert payment.porbis == (expected[0][0] == PORBIS)
    assert (payment.conditions is None) == (expected[-1][0] in (PORBIS, OWN))


def test_there_are_thirty_cases_and_every_line_occurs() -> None:
    assert len(CASES) >= 30
    assert {name for case in CASES for name, _ in case[5]} == {KINGS, OWN, BOTH, ONE, TWO, NONE, PORBIS}


def test_the_example_of_the_interface() -> None:
    one = win("oK oA cA eA o3 o4 o5 c3 c4 c5 cJ eJ bJ e3 e4 e5", "b4", "oK", "own")
    record = json.loads(json.dumps(pay(one).to_json()))
    assert (record["each_opponent"], record["lines"]) == (160, [["kings", 50], ["own-draw", 110]])
    assert record["conditions"] is None
    assert (record["schema"], record["bounit"], record["by"], record["turned"]) == (1, "oK", "own", [])


def test_a_king_of_a_closed_card_counts_and_laid_cards_are_held() -> None:
    one = win(SOWEE_SECRET, "e5", "o4", "draw", laid="e5 e5 e5 bK")
    assert lines(one) == [(KINGS, 20), (ONE, 60)]
    assert lines(win(SOWEE_SECRET, "e5", "o4", "draw", "e3 e4", "e5 e5 e5 bK")) == [(KINGS, 20), (BOTH, 110)]
    secret = win(f"{THREES} b3 b3 b3 b3", "b4", "oA", "own", laid="b3 b3 b3 b3")
    assert lines(secret) == [(KINGS, 90), (OWN, 110)]
    # A laid b3 accompanies the sowee with b5, which was turned with the twin.
    secret = win(f"{THREES} b3 b3 b3 b3", "b4", "oA", "draw", "b4 b5", laid="b3 b3 b3 b3")
    assert lines(secret) == [(KINGS, 90), (BOTH, 110)]


def test_the_only_king_in_a_secret_of_the_sowee_may_stand_in_a_run() -> None:
    cards = "oJ oH oK oA cA eA bA o3 o4 o5 c3 c4 c5 e5 e5 e5"
    assert lines(win(cards, "e5", "oA", "draw", laid="e5 e5 e5 oK")) == [(PORBIS, 300)]


# Options


def test_option_porbis_kings() -> None:
    rules = changed(porbis_kings=True)
    assert lines(win(IN_RUN, "o4", "oK", "own"), rules) == [(KINGS, 50), (PORBIS, 300)]
    assert lines(win(CUPS_RUN, "o4", "cK", "draw"), rules) == [(KINGS, 20), (PORBIS, 300)]
    assert lines(win(NO_KING, "o4", "oA", "draw"), rules) == [(PORBIS, 300)]


def test_option_bounit_is_sowee_twin() -> None:
    rules = changed(bounit_is_sowee_twin=False)
    one = win(SEED, "o4", "o4", "draw")
    assert lines(one) == [(KINGS, 20), (BOTH, 110)]
    assert lines(one, rules) == [(KINGS, 20), (ONE, 60)]
    assert lines(win(SEED, "o4", "o4", "draw", "o4"), rules) == [(KINGS, 20), (BOTH, 110)]
    # The last card may still accompany the sowee.
    assert lines(win(SEED, "o4", "o3", "draw"), rules) == [(KINGS, 20), (BOTH, 110)]
    held_twice = "oA cA eA oA cA eA o3 o4 o5 cJ eJ bJ c3 c4 c5 bK"
    assert lines(win(held_twice, "oA", "oA", "discard"), rules) == [(KINGS, 20), (BOTH, 110)]


def test_option_sowee_secret_unlaid() -> None:
    one = win(SOWEE_SECRET, "e5", "o4", "draw")
    with pytest.raises(InputError, match=r"^the hand is not complete, so it can't win$"):
        pay(one)
    assert lines(one, changed(sowee_secret_unlaid=True)) == [(KINGS, 20), (ONE, 60)]


def test_option_secret_payers() -> None:
    assert secret_shares(0) == (100, -50, 0, -50)
    assert secret_shares(3) == (-50, 0, -50, 100)
    assert secret_shares(1, changed(secret_payers="one")) == (0, 50, -50, 0)
    assert secret_shares(3, changed(secret_payers="one")) == (-50, 0, 0, 50)


def test_amounts_of_ones_own() -> None:
    rules = changed(king_of_coins=7, other_king=3, own_draw=200, secret=9, porbis=1)
    assert lines(win(FOUR, "e4", "cJ", "own"), rules) == [(KINGS, 20), (OWN, 200)]
    assert lines(win(NO_KING, "e4", "cJ", "own"), rules) == [(PORBIS, 1)]
    assert secret_shares(2, rules) == (0, -9, 18, -9)


# Turning cards


def kinds(text: str) -> list[int]:
    return [parse_card(name) for name in text.split()]


def test_cards_are_turned_until_both_conditions_are_met() -> None:
    one = turn_cards(win(SEED, "o4", "cJ", "draw"), kinds("oK cH b3 cK c5 e4"))
    assert CARDS.format(one.turned) == "oK cH cK b3"
    assert lines(one) == [(KINGS, 20), (BOTH, 110)]


def test_fifteen_cards_are_turned_at_most() -> None:
    stock = kinds("oK oK oK oK oH oH oH oH cH cH cH cH eH eH eH cK")
    one = turn_cards(win(SEED, "o4", "cJ", "draw"), stock)
    assert one.turned.bit_count() == 15
    assert lines(one) == [(KINGS, 20), (TWO, 70)]
    assert lines(turn_cards(win(SEED, "o4", "cJ", "draw"), stock), changed(most_turned=15)) == [(KINGS, 20), (TWO, 70)]
    assert turn_cards(win(SEED, "o4", "cJ", "draw"), stock, changed(most_turned=0)).turned == 0


def test_the_stock_may_run_out() -> None:
    one = turn_cards(win(SEED, "o4", "cJ", "draw"), kinds("cH"))
    assert CARDS.format(one.turned) == "cH"


@pytest.mark.parametrize(
    "one",
    [win(SEED, "o4", "cJ", "own"), win(SEED, "o4", "oA", "draw"), win(NO_KING, "b4", "oJ", "draw")],
    ids=["own draw", "both conditions", "porbis"],
)
def test_nothing_is_turned_where_nothing_is_missing(one: Win) -> None:
    assert turn_cards(one, kinds("oH cH")).turned == 0


def test_too_many_turned_cards_are_refused() -> None:
    turned = "oK oK oK oK oH oH oH oH cH cH cH cH eH eH eH eH"
    with pytest.raises(InputError, match=r"^turned: 16 cards; at most 15 may be turned$"):
        pay(win(SEED, "o4", "cJ", "draw", turned))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cards": SEED.replace("oJ", "oH"), "bounit": "oA"}, "the hand is not complete, so it can't win"),
        ({"bounit": "eK"}, "bounit: eK is not among the cards of the hand"),
        ({"by": "gift"}, "'gift' is no way to get the last card: own, draw, discard"),
        ({"turned": "o4 o4 o4"}, "5 of o4 in all, the hand, the sowee and what is seen together: there are only 4 of"),
        (
            {"cards": KINGS_SECRET, "bounit": "oK", "laid": "oK oK oK oK"},
            "bounit: oK lies in a secret, so it can't be another's draw",
        ),
        (
            {"cards": SOWEE_SECRET, "bounit": "bK", "sowee": "e5", "laid": "e5 e5 e5 bK"},
            "bounit: bK lies in a secret, so it can't be another's draw",
        ),
    ],
)
def test_what_can_be_no_win_is_refused(change: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as error:
        pay(win(**{"cards": SEED, "sowee": "o4", "bounit": "oJ", "by": "draw", **change}))
    assert str(error.value).startswith(message)


def test_fifteen_cards_and_an_unknown_sowee_are_refused() -> None:
    with pytest.raises(InputError, match="15 cards: a winning hand has 16"):
        Win(Hand(parse_cards(SEED.replace("oJ ", "")), parse_card("o4")), parse_card("oA"), "own")
    with pytest.raises(InputError, match="the sowee must be known"):
        Win(Hand(parse_cards(SEED)), parse_card("oA"), "own")


def test_companions() -> None:
    found = {name: " ".join(CARDS.kinds[kind].name for kind in companions(parse_card(name))) for name in naive.KINDS}
    assert found["cJ"] == "cH cK"
    assert found["o4"] == "o3 o5"
    assert found["bK"] == "bJ bH"
    assert found["eA"] == "oA cA bA"


# The twin, and all money


def complete_hand(random: Random) -> list[str]:
    while True:
        cards: list[str] = []
        while len(cards) < 16:
            cards += random.choice(naive.all_combinations()[: 75 - random.choice((0, 4, 32))])
        if len(cards) == 16 and max(map(cards.count, cards)) <= 4:
            return cards


def any_rules(random: Random) -> RuleSet:
    return changed(
        bounit_is_sowee_twin=random.random() < 0.5,
        porbis_kings=random.random() < 0.5,
        sowee_secret_unlaid=random.random() < 0.5,
    )


@given(st.integers(0, 2**32))
def test_payments_agree_with_the_twin_and_money_is_conserved(seed: int) -> None:
    random = Random(seed)
    cards = complete_hand(random)
    rest = sorted((naive.DECK - Counter(cards)).elements())
    random.shuffle(rest)
    sowee, bounit, by = rest.pop(), random.choice(cards), random.choice(("own", "draw", "discard"))
    turned = rest[: random.randrange(16)]
    rules = any_rules(random)
    payment = pay(win(" ".join(cards), sowee, bounit, by, " ".join(turned)), rules)
    assert payment.each_opponent == naive.payment(cards, sowee, bounit, by, turned, rules.to_json())
    for seat in range(4):
        shares = payment.shares(seat)
        assert sum(shares) == 0
        assert (shares[seat], shares[seat - 2]) == (2 * payment.each_opponent, 0)
        assert sum(secret_shares(seat, rules)) == 0


@given(st.integers(0, 2**32))
def test_turning_cards_never_pays_less(seed: int) -> None:
    random = Random(seed)
    cards = complete_hand(random)
    rest = sorted((naive.DECK - Counter(cards)).elements())
    random.shuffle(rest)
    one = win(" ".join(cards), rest[0], random.choice(cards), "draw")
    turned = turn_cards(one, [parse_card(name) for name in rest[1:]])
    assert pay(turned).each_opponent >= pay(one).each_opponent
    assert turned.turned.bit_count() <= 15
