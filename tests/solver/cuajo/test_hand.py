"""What is said of hands: complete, purro, discards; laid secrets, the closed card, the sowee."""

from __future__ import annotations

import json
from random import Random

import naive_cuajo as naive
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.cuajo.cards import CARDS, KINDS, card, parse_card, parse_cards
from solver.cuajo.hand import DiscardReport, Hand, analyse, discards, hand_is_complete, purro
from solver.cuajo.rules import RuleSet
from solver.errors import InputError

SEED = "oJ oA o3 o4 o5 cJ cA c3 c4 eJ e3 e5 bA b4 b5 bK"
FIFTEEN = SEED.replace("oJ ", "")
TWELVE = "oA cA eA o3 o4 o5 c3 c4 c5 cJ eJ bJ"
UNLAID = RuleSet(id="unlaid", sowee_secret_unlaid=True)


def hand(text: str, cards: int = 16, laid: str = "", sowee: str | None = None) -> Hand:
    return Hand.parse(text, cards, laid=laid, sowee=sowee)


def improving(text: str, **extra: str) -> dict[str, tuple[int | None, dict[str, int]]]:
    return as_text(discards(hand(text, **extra)))  # type: ignore[arg-type]


def as_text(report: DiscardReport) -> dict[str, tuple[int | None, dict[str, int]]]:
    return {
        card(one.kind): (one.distance, {card(kind): copies for kind, copies in one.improve.items()})
        for one in report.discards
    }


# Reading


def test_laid_cards_are_given_among_the_hand_or_beside_it() -> None:
    beside = hand(TWELVE, laid="bK bK bK bK")
    assert beside == hand(f"{TWELVE} bK bK bK bK", laid="bK bK bK bK")
    assert (beside.secrets, beside.closed, beside.size, beside.count) == ((parse_card("bK"),), None, 12, 16)
    assert CARDS.format(beside.free_cards) == "oA o3 o4 o5 cA c3 c4 c5 cJ eA eJ bJ"


def test_three_like_the_sowee_are_laid_with_a_closed_card() -> None:
    one = hand(f"{TWELVE} e5 e5 e5 bK", laid="e5 bK e5 e5", sowee="e5")
    assert (one.secrets, one.closed, one.size) == ((), parse_card("bK"), 13)
    assert [(part.name, part.cards()) for part in one.laid()] == [("sowee", ["e5"] * 3)]
    both = hand("oA cA eA o3 o4 o5 cK e3", laid="bK bK bK bK e5 e5 e5 cK", sowee="e5")
    assert (both.secrets, both.closed, both.size) == ((parse_card("bK"),), parse_card("cK"), 9)


@pytest.mark.parametrize(
    ("text", "cards", "laid", "sowee", "message"),
    [
        ("oA", 16, "", None, "1 card: the hand must have 16"),
        (SEED, 15, "", None, "16 cards: the hand must have 15"),
        (TWELVE, 16, "bK bK bK", "bK", "12 cards and 3 laid ones: the hand must have 16"),
        (SEED, 16, "oK oK oK oK", None, "laid: oK is laid, but not among the cards of the hand"),
        (
            SEED, 16, "oA", None,
            "laid: oA is no secret: four identical cards are, or three like the sowee and any fourth",
        ),
        (
            f"{TWELVE} e5 e5 e5 bK", 16, "e5 e5 e5 bK", None,
            "laid: e5 e5 e5 bK is no secret: four identical cards are, or three like the sowee and any fourth",
        ),
        (
            f"{TWELVE} e5 e5 e5 bK", 16, "e5 e5 e5 bK", "e4",
            "laid: e5 e5 e5 bK is no secret: four identical cards are, or three like the sowee and any fourth",
        ),
        (
            f"{TWELVE} e5 e5 e5 bK", 16, "e5 e5 bK cJ", "e5",
            "laid: cJ e5 e5 bK is no secret: four identical cards are, or three like the sowee and any fourth",
        ),
        (
            "e5 " + TWELVE.replace("cJ", "e5"), 16, "e5 e5 e5", "bK",
            "5 of e5, laid ones included: there are only 4 of each card",
        ),
        (
            f"{TWELVE} e5 e5 e5 e5", 16, "", "e5",
            "5 of e5 in all, the hand, the sowee and what is seen together: there are only 4 of each card",
        ),
        (SEED, 16, "", "o9", "'o9' is no card: a card is a suit (o c e b) and a rank (A 3 4 5 J H K), such as oK"),
    ],
)  # fmt: skip
def test_wrong_hands_are_refused(text: str, cards: int, laid: str, sowee: str | None, message: str) -> None:
    with pytest.raises(InputError) as error:
        hand(text, cards, laid, sowee)
    assert str(error.value) == message


def test_hands_that_contradict_themselves_are_refused() -> None:
    kind = parse_card("oA")
    with pytest.raises(InputError, match="1 of oA are held; a secret has 4"):
        Hand(parse_cards(SEED), secrets=(kind,))
    with pytest.raises(InputError, match="needs 3 cards like the sowee"):
        Hand(parse_cards(SEED), sowee=kind, closed=parse_card("bK"))
    with pytest.raises(InputError, match="no cK is left to be laid"):
        Hand(parse_cards("oA oA oA bK"), sowee=kind, closed=parse_card("cK"))
    with pytest.raises(InputError, match="17 cards: a hand has at most 16"):
        Hand(parse_cards(f"{SEED} oK"))


# Complete or not


def test_the_seed_is_complete() -> None:
    report = analyse(hand(SEED, sowee="o4"))
    record = json.loads(json.dumps(report.to_json()))
    assert record["divisions"] == [
        [["oA", "cA", "bA"], ["o3", "c3", "e3"], ["o4", "c4", "b4"], ["o5", "e5", "b5"], ["oJ", "cJ", "eJ"], ["bK"]]
    ]
    assert (record["schema"], record["complete"], record["distance"], record["missing"]) == (1, True, 0, 0)
    assert (record["sowee"], record["laid"], record["closed"]) == ("o4", [], None)
    assert record["rules"]["id"] == "traditional"
    assert record["names"]["bK"] == {"en": "king of batons", "es": "rey de bastos"}


def test_a_hand_with_one_card_missing_has_distance_0_but_is_not_complete() -> None:
    report = analyse(hand(SEED.replace("oJ", "oH")))
    assert (report.complete, report.divisions, report.distance, report.missing) == (False, (), 0, 1)
    report = analyse(hand(SEED.replace("oJ oA", "oH bH")))
    assert (report.complete, report.distance, report.missing) == (False, 1, 2)


def test_laid_secrets_stand_and_are_used_for_nothing_else() -> None:
    text = "oA cA eA o3 o4 o5 c3 c4 c5 cJ cH cJ"
    kings = "cK cK cK cK"
    assert analyse(hand(f"{text.replace('cJ cH cJ', 'cJ cH eK')} {kings}")).complete
    assert not analyse(hand(text.replace("cJ cH cJ", "cJ cH eK"), laid=kings)).complete
    (found,) = analyse(hand(TWELVE, laid=kings)).divisions
    assert (found[0].name, found[0].cards()) == ("secret", ["cK"] * 4)
    assert sum(len(one.kinds) for one in found) == 16
    assert len(analyse(hand(f"{TWELVE} {kings}")).divisions) == 2


def test_three_like_the_sowee_count_only_when_laid() -> None:
    text = f"{TWELVE} e5 e5 e5 bK"
    assert not hand_is_complete(hand(text, sowee="e5"))
    assert analyse(hand(text, sowee="e5")).divisions == ()
    laid = analyse(hand(text, laid="e5 e5 e5 bK", sowee="e5"))
    assert (laid.complete, laid.distance) == (True, 0)
    assert laid.to_json()["laid"] == [["e5", "e5", "e5"]]
    unlaid = analyse(hand(text, sowee="e5"), UNLAID)
    assert (unlaid.complete, unlaid.distance, len(unlaid.divisions)) == (True, 0, 1)
    assert not analyse(hand(text), UNLAID).complete


def test_the_closed_card_has_to_fit() -> None:
    text = f"{TWELVE} e5 e5 e5"
    assert not analyse(hand(f"{text} bH", laid="e5 e5 e5 bH", sowee="e5")).complete
    assert analyse(hand(f"{text} bA", laid="e5 e5 e5 bA", sowee="e5")).complete  # a set of four aces


def test_the_closed_card_and_kings_stay() -> None:
    text = f"{TWELVE} e5 e5 e5 bH"
    free = analyse(hand(text.replace("e5 e5 e5", "e4 e4 e4")))
    assert free.missing is not None
    closed = analyse(hand(text, laid="e5 e5 e5 bH", sowee="e5"))
    # bH needs two more cards, and the other three of its run or set have to go.
    assert (closed.missing, closed.distance) == (2, 1)
    assert "bH" not in improving(text, laid="e5 e5 e5 bH", sowee="e5")
    assert [card(kind) for kind in hand(SEED, laid="").discardable()] == [
        kind for kind in CARDS.names(parse_cards(SEED)) if kind != "bK"
    ]


def test_a_hand_of_kings_has_nothing_to_discard() -> None:
    kings = "oK oK oK oK cK cK cK cK eK eK eK eK bK bK bK bK"
    report = discards(hand(kings))
    assert (report.complete, report.discards) == (True, ())
    assert analyse(hand(kings)).distance == 0


# Purro


def test_purro_of_the_seed_without_a_jack() -> None:
    report = purro(hand(FIFTEEN, 15), parse_cards("oJ c3"))
    record = json.loads(json.dumps(report.to_json()))
    assert (record["purro"], record["cards"], record["copies"]) == (True, {"oJ": 3, "bJ": 4}, 7)
    assert (record["distance"], record["schema"]) == (0, 1)
    assert record["names"]["bJ"] == {"en": "jack of batons", "es": "sota de bastos"}


def test_any_king_and_any_fourth_card_of_a_set_complete_five_sets_of_three() -> None:
    record = purro(hand(SEED.replace(" bK", ""), 15), parse_cards("eK bK bK bK bK")).to_json()
    assert record["cards"] == {"oK": 4, "cK": 4, "c5": 4, "eA": 4, "eK": 3, "e4": 4, "b3": 4, "bJ": 4, "bK": 0}


def test_a_card_held_four_times_completes_nothing() -> None:
    # A fifth oA would complete a set.
    text = "oA oA oA oA cA eA o3 o4 o5 c3 c4 c5 e3 e4 e5"
    found = purro(hand(text, 15)).to_json()["cards"]
    assert "oA" not in found
    assert found == naive_purro(text)


def naive_purro(text: str) -> dict[str, int]:
    cards = text.split()
    return {kind: 4 - cards.count(kind) for kind in naive.completing(cards)}


def test_the_sowee_and_laid_cards_are_no_copies_to_come() -> None:
    assert purro(hand(FIFTEEN, 15, sowee="bJ")).to_json()["cards"] == {"oJ": 4, "bJ": 3}
    three = "oA cA eA o3 o4 o5 c3 c4 c5 bA bA"
    record = purro(hand(three, 15, laid="bK bK bK bK")).to_json()
    assert "bK" not in record["cards"]
    # With all three held and one the sowee, no fourth is left.
    text = "e5 e5 e5 c5 bA cA eA o3 o4 o5 c3 c4 c5 oK cK"
    assert "e5" not in purro(hand(text, 15, sowee="e5")).to_json()["cards"]


def test_purro_with_three_like_the_sowee_in_the_hand() -> None:
    two = hand(f"{TWELVE} e5 e5 bK", 15, sowee="e5")
    assert purro(two).to_json()["cards"] == {}
    assert purro(two, rules=UNLAID).to_json()["cards"] == {"e5": 1}
    three = hand(f"{TWELVE} e5 e5 e5", 15, sowee="e5")
    assert {"oK", "cK", "eK", "bK", "bA"} <= set(purro(three, rules=UNLAID).to_json()["cards"])


def test_not_purro_tells_how_far() -> None:
    report = purro(hand(FIFTEEN.replace("oA", "oH").replace("bK", "bH"), 15))
    assert (report.purro, report.cards, report.distance) == (False, {}, 2)


def test_a_wrong_count_and_a_fifth_copy_are_refused() -> None:
    with pytest.raises(InputError, match="16 cards: the hand must have 15"):
        purro(hand(SEED))
    with pytest.raises(InputError, match="15 cards: the hand must have 16"):
        discards(hand(FIFTEEN, 15))
    with pytest.raises(InputError, match="15 cards: the hand must have 16"):
        analyse(hand(FIFTEEN, 15))
    with pytest.raises(InputError, match="5 of oA in all"):
        purro(hand(FIFTEEN, 15), parse_cards("oA oA oA oA"))
    with pytest.raises(InputError, match="5 of oA in all"):
        discards(hand(SEED, sowee="oA"), parse_cards("oA oA oA"))


@given(st.integers(0, 2**32))
def test_purro_is_distance_0_and_agrees_with_the_twin(seed: int) -> None:
    random = Random(seed)
    cards: list[str] = []
    while len(cards) < 16:
        cards += random.choice(naive.all_combinations())
    cards = cards[:16]
    cards.remove(random.choice(cards))
    if any(cards.count(kind) > 4 for kind in cards):
        return
    report = purro(hand(" ".join(cards), 15))
    assert report.to_json()["cards"] == naive_purro(" ".join(cards))
    assert (report.distance == 0) == report.purro


# Discards


def test_discards_of_the_seed_with_a_horse_for_a_jack() -> None:
    found = improving(SEED.replace("oJ", "eH"))
    assert list(found)[:2] == ["eH", "cJ"]
    assert found["eH"] == (0, {"oJ": 4, "bJ": 4})
    assert found["cJ"] == (0, {"eK": 4})
    assert "bK" not in found
    assert found["eJ"][0] == 1


def test_the_copy_that_is_discarded_does_not_come_again() -> None:
    found = improving(SEED)
    assert found["oJ"] == (0, {"oJ": 3, "bJ": 4})
    assert found["oA"][1] == {"oA": 3, "eA": 4}


def test_what_each_discard_leaves_agrees_with_purro() -> None:
    random = Random(1)
    for _ in range(12):
        cards: list[str] = []
        while len(cards) < 16 or any(cards.count(kind) > 4 for kind in cards):
            cards = [*cards, *random.choice(naive.all_combinations())][:16]
            if any(cards.count(kind) > 4 for kind in cards):
                cards = []
        for one in discards(hand(" ".join(cards)), parse_cards("")).discards:
            rest = list(cards)
            rest.remove(card(one.kind))
            left = purro(hand(" ".join(rest), 15), 1 << CARDS.shifts[one.kind])
            assert left.distance == one.distance
            if left.purro:
                assert left.cards == one.improve


def test_cards_that_improve_bring_the_hand_nearer_and_no_others_do() -> None:
    cards = SEED.replace("oJ oA", "oH bH").replace("c4", "cH")
    for one in discards(hand(cards, sowee="e4")).discards[:4]:
        rest = cards.split()
        rest.remove(card(one.kind))
        for kind in range(KINDS):
            if rest.count(card(kind)) + (card(kind) == "e4") < 4:
                after = analyse(hand(" ".join([*rest, card(kind)]), sowee="e4"))
                assert one.distance is not None
                nearer = after.complete if one.distance == 0 else after.distance == one.distance - 1
                assert nearer == (kind in one.improve)


def test_seen_cards_count_for_copies_only() -> None:
    plain = improving(SEED.replace("oJ", "eH"))
    seen = parse_cards("oJ oJ bJ eK eK eK eK")
    found = as_text(discards(hand(SEED.replace("oJ", "eH")), seen))
    assert {name: distance for name, (distance, _) in found.items()} == {
        name: distance for name, (distance, _) in plain.items()
    }
    assert found["eH"] == (0, {"oJ": 2, "bJ": 3})
    assert found["cJ"] == (0, {"eK": 0})
