"""One deal in play against a slow twin, what is refused and why, and what is told of what is done."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import naive_cuajo as naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_cuajo_game import Deal

from solver.cuajo.cards import CARDS, card, parse_card
from solver.cuajo.dealing import STOCK, deal_order, draw_dealer
from solver.cuajo.events import (
    Dealt,
    Discarded,
    Drawn,
    Drew,
    Laid,
    Passed,
    SaidNotPurro,
    SaidPurro,
    Skipped,
    Won,
)
from solver.cuajo.game import VERBS, Action, Game, IllegalAction, cards_of
from solver.cuajo.players import View, make_player
from solver.cuajo.rules import OPTIONS, TRADITIONAL, RuleSet
from solver.errors import InputError
from solver.events import Event


def changed(**options: Any) -> RuleSet:
    return replace(TRADITIONAL, id="test", **options)


def stacked(hands: list[str], sowee: str, stock: str = "", dealer: int = 0, rules: RuleSet = TRADITIONAL) -> Game:
    """A deal in which the cards fall so; what is not told comes from the rest of the deck, below what is told."""
    dealt = [hand.split() for hand in (*hands, *[""] * (4 - len(hands)))]
    told = [name for hand in dealt for name in hand] + [sowee, *stock.split()]
    rest = list((naive.DECK - Counter(told)).elements())
    assert max(Counter(told).values()) <= 4
    # The rest from the end of the deck: nothing told depends on it.
    for seat, hand in enumerate(dealt):
        while len(hand) < 15 + (seat == dealer):
            hand.append(rest.pop())
    order: list[str] = []
    for batch in range(3):
        for step in (1, 2, 3, 4):
            seat = (dealer + step) % 4
            count = 6 if batch == 0 and seat == dealer else 5
            order += dealt[seat][:count]
            del dealt[seat][:count]
    order += [sowee, *stock.split(), *rest]
    return Game([parse_card(name) for name in order], dealer, rules)


def make(game: Game, *actions: str) -> tuple[Event, ...]:
    """Do several actions; returns the events of the last."""
    events: tuple[Event, ...] = ()
    for action in actions:
        events = game.do(Action.parse(action))
    return events


def refused(game: Game, action: str, seat: int | None = None) -> str:
    """Why an action is refused; it must change nothing."""
    before, events = game.state.tobytes(), game.events
    with pytest.raises(IllegalAction) as refusal:
        game.do(Action.parse(action), seat=seat)
    assert (game.state.tobytes(), game.events) == (before, events)
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


# The twin


def assert_alike(game: Game, twin: Deal) -> None:
    for seat, hand in enumerate(game.hands):
        assert Counter(CARDS.names(hand.cards)) == Counter(twin.held(seat))
        assert sorted(map(card, hand.secrets)) == sorted(twin.secrets[seat])
        assert (None if hand.closed is None else card(hand.closed)) == twin.closed[seat]
    assert Counter(CARDS.names(game.pile)) == Counter(twin.pile)
    assert list(game.cents) == twin.cents
    assert set(game.purro) == twin.purro
    assert set(game.barred) == {seat for seat in range(4) if twin.turns_barred[seat]}
    assert {str(action) for action in game.legal()} == twin.legal()
    assert game.is_over == (twin.phase == "over")
    if not game.is_over:
        assert (game.actor, game.turn) == (twin.actor, twin.turn)
    assert game.winner == twin.winner
    assert int(game.state["each"]) == twin.price
    assert cards_of(game.state) == 112
    assert sum(game.cents) == 0


rule_sets = st.builds(
    changed,
    **{name: st.sampled_from(values) for name, values in OPTIONS.items()},
    most_turned=st.sampled_from([15, 3, 0]),
)
tables = st.sampled_from(
    [
        ("careful",) * 4,
        ("simple",) * 4,
        ("simple", "random", "careful", "careful"),
        ("random", "careful", "random", "simple"),
    ]
)


def follow(seed: int, rules: RuleSet, players: tuple[str, ...], most: int = 150) -> Game:
    dealer = draw_dealer(seed)
    game = Game.deal(seed, 0, dealer, rules)
    twin = Deal([card(kind) for kind in deal_order(seed, 0)], dealer, rules.to_json())
    seats = [make_player(name, seed + seat) for seat, name in enumerate(players)]
    assert_alike(game, twin)
    for _ in range(most):
        if game.is_over:
            break
        action = seats[game.actor].act(View.of(game, game.actor))
        game.do(action)
        twin.do(str(action))
        assert_alike(game, twin)
    end = game.events[-1]
    if isinstance(end, Won):
        assert sum(cents for _, cents in end.lines) == twin.price
        assert end.totals == tuple(twin.cents)
    return game


@settings(max_examples=12)
@given(st.integers(0, 2**20), rule_sets, tables)
def test_deals_go_as_those_of_a_slow_twin(seed: int, rules: RuleSet, players: tuple[str, ...]) -> None:
    follow(seed, rules, players)


@pytest.mark.slow
def test_many_deals_go_as_those_of_a_slow_twin() -> None:
    ends = Counter[bool]()
    for seed in range(150):
        rules = changed(sowee_secret_unlaid=seed % 3 == 0, win_needs_purro=seed % 5 > 0)
        ends[follow(seed, rules, ("careful", "simple", "careful", "random"), 2000).winner is None] += 1
    assert ends[False] > 100


@given(st.integers(0, 2**20), st.integers(0, 60))
def test_what_is_not_legal_is_refused_and_changes_nothing(seed: int, steps: int) -> None:
    game = Game.deal(seed)
    player = make_player("random", seed)
    for _ in range(steps):
        if not game.is_over:
            game.do(player.act(View.of(game, game.actor)))
    legal = set(game.legal())
    every = [Action(verb) for verb in VERBS[:5]] + [Action(verb, kind) for verb in VERBS[5:] for kind in range(28)]
    for action in every:
        if action not in legal:
            assert refused(game, str(action))


# Deal


def test_cards_are_dealt_in_batches_from_the_dealers_right() -> None:
    order = deal_order(1, 0)
    game = Game(order, 2)
    batch = {3: (0, 5), 0: (5, 10), 1: (10, 15), 2: (15, 21)}
    for seat, (start, stop) in batch.items():
        first = Counter(order[start:stop])
        held = Counter(CARDS.kinds_of(game.hand(seat).cards))
        assert not first - held
    assert [hand.count for hand in game.hands] == [15, 15, 16, 15]
    assert game.sowee == order[61]
    assert game.stock == STOCK == 50
    assert game.actor == 2
    assert {action.verb for action in game.legal()} <= {"discard", "lay", "close"}


def test_deals_are_frozen() -> None:
    assert [card(kind) for kind in deal_order(1, 0)[:8]] == ["c5", "cK", "bK", "bK", "e4", "bJ", "b4", "e3"]
    assert deal_order(1, 0) != deal_order(1, 1)


def test_a_bad_deck_or_seat_is_refused() -> None:
    with pytest.raises(InputError, match="whole deck"):
        Game([0] * 112)
    with pytest.raises(InputError, match="no seat 4"):
        Game(deal_order(1, 0), 4)


# Turns, purro, claims

# One card from complete: a third jack, or any king.
PURRO = "oA cA eA o3 c3 e3 o4 c4 e4 o5 c5 e5 oK cJ eJ"
JUNK = ("bA b3 b4 b5 bJ bH", "bA b3 b4 b5 bJ bH cH", "eH eH oH oH")


def purro_game(stock: str = "", junk: tuple[str, ...] = JUNK, rules: RuleSet = TRADITIONAL) -> Game:
    """Seat 0 deals, discards bA, and says purro: a jack of another suit completes the hand."""
    game = stacked([f"{PURRO} bA", *junk], "oH", stock, rules=rules)
    assert make(game, "discard bA")[1:] == (SaidPurro(0),)
    return game


def pass_round(game: Game, turns: int = 3) -> None:
    """So many players draw and discard what they drew."""
    for _ in range(turns):
        make(game, "draw")
        make(game, f"discard {card(game.card or 0)}")


def test_purro_is_said_with_the_discard_and_draws_are_shown_from_then_on() -> None:
    game = purro_game("c3 bJ")
    assert game.purro == (0,)
    drawn = make(game, "draw")[0]
    assert drawn == Drew(1, parse_card("c3"), True)
    assert drawn.seen_by(3) == drawn


def test_another_players_draw_wins_and_pays() -> None:
    game = purro_game("bJ oH")
    make(game, "draw")
    assert (game.actor, game.turn) == (0, 1)
    assert "first the card may be claimed" in refused(game, "discard b3")
    assert "seat 0 is to act now, not seat 1" in refused(game, "win", 1)
    won = make(game, "win")[0]
    assert isinstance(won, Won)
    assert (won.seat, won.by, won.lines[0]) == (0, "draw", ("kings", 50))
    each = sum(cents for _, cents in won.lines)
    assert won.shares == won.totals == (2 * each, -each, 0, -each)
    assert game.hand(0).count == 16
    assert game.hand(1).count == 15
    assert refused(game, "draw") == "the deal is over"


def test_who_lets_a_card_go_by_may_not_come_back_to_it() -> None:
    game = purro_game("bJ c3")
    assert make(game, "draw", "pass") == (Passed(0),)
    assert (game.actor, game.turn) == (1, 1)
    assert Passed(0).seen_by(1) is None


def test_the_own_draw_comes_first() -> None:
    game = stacked([f"{PURRO} bA", "bA", "oH", PURRO.replace("oK", "bK")], "oH", "bJ bJ bJ bJ", dealer=0)
    make(game, "discard bA", "draw", "pass")
    assert game.actor == 1


def test_only_who_said_purro_can_win() -> None:
    complete = f"{PURRO} bJ"
    game = stacked([complete], "oH")
    assert "only who said purro can win" in refused(game, "win")
    game = stacked([complete], "oH", rules=changed(win_needs_purro=False))
    won = make(game, "win")[0]
    assert isinstance(won, Won)
    assert (won.bounit, won.by, won.lines) == (None, "own", (("kings", 50), ("own-draw", 110)))


def test_a_discard_is_the_next_players_only() -> None:
    game = purro_game("c3 c4 c5 c3")
    make(game, "draw", "discard bJ")
    # Seat 0 needs bJ, but it is seat 2's to take.
    assert (game.actor, game.top) == (2, parse_card("bJ"))
    make(game, "take")
    assert (game.actor, game.top) == (2, None)
    assert "a turn has one card" in refused(game, "take")
    assert "seat 2 is to act now" in refused(game, "win", 0)


def test_the_previous_players_discard_wins_in_the_own_turn() -> None:
    game = purro_game("c3 c4 c5", (*JUNK[:2], "bJ eH eH oH oH"))
    make(game, "draw", "discard c3", "draw", "discard c4", "draw", "discard bJ", "take")
    assert game.actor == 0
    won = make(game, "win")[0]
    assert isinstance(won, Won)
    assert won.by == "discard"


def test_a_drawn_king_can_break_purro() -> None:
    game = purro_game("c3 c4 c5 bK")
    pass_round(game)
    make(game, "draw")
    assert "the hand is not complete" in refused(game, "win")
    assert "kings can't be discarded" in refused(game, "discard bK")
    # Without one of the two jacks the other stands alone.
    assert make(game, "discard cJ") == (Discarded(0, parse_card("cJ")), SaidNotPurro(0))
    assert (game.barred, int(game.state["king_breaks"])) == ((0,), 1)


def barred_game(*drawn: str) -> Game:
    """Seat 0 breaks its hand in its next turn; then it draws some cards, the others what is of no use to it."""
    others = ("c3 c4 c5", "c3 c4 c5", "e3 e4 e5", "e3 e4 e5")
    stock = " ".join(f"{three} {own}" for three, own in zip(others, ("b3", *drawn), strict=False))
    game = purro_game(stock)
    pass_round(game)
    assert make(game, "draw", "discard cJ")[1:] == (SaidNotPurro(0),)
    pass_round(game)
    return game


def test_two_turns_are_barred_and_shown_and_the_third_is_normal() -> None:
    game = barred_game("oJ", "b4", "b5")
    for discard in ("b3", "b4"):
        # The hand is one card away again, but that may be said only in the third turn.
        assert game.barred == (0,)
        drawn = make(game, "draw")[0]
        assert isinstance(drawn, Drew)
        assert drawn.is_shown
        assert make(game, f"discard {discard}") == (Discarded(0, parse_card(discard)),)
        pass_round(game)
    assert game.barred == ()
    assert make(game, "draw") == (Drew(0, parse_card("b5"), False),)
    assert make(game, "discard b5")[1:] == (SaidPurro(0),)


def test_barred_players_can_not_win_at_all() -> None:
    game = barred_game("oJ", "bJ")
    make(game, "draw", "discard b3")
    pass_round(game)
    make(game, "draw")
    assert game.actor == 0
    assert "can't win in the next two own turns" in refused(game, "win")


# Secrets


def test_secrets_are_paid_at_once_and_can_not_be_discarded() -> None:
    game = stacked(["o3 o3 o3 o3 c4"], "oH")
    assert "3 cards like the sowee" in refused(game, "close c4")
    assert "1 of it in the hand; a secret has 4" in refused(game, "lay c4")
    (laid,) = make(game, "lay o3")
    assert laid == Laid(0, parse_card("o3"), None, False, (100, -50, 0, -50))
    assert laid.seen_by(2) == replace(laid, card=None)
    assert game.cents == (100, -50, 0, -50)
    assert "cards of a secret can't be discarded" in refused(game, "discard o3")
    other = stacked(["o3 o3 o3 o3 c4"], "oH", rules=changed(secret_payers="one", secret_shown="face_up"))
    (laid,) = make(other, "lay o3")
    assert laid.seen_by(2) == laid
    assert other.cents == (50, -50, 0, 0)


def test_three_cards_like_the_sowee_with_a_closed_card() -> None:
    game = stacked(["o3 o3 o3 c4 cK"], "o3")
    assert "must be another one that is held" in refused(game, "close bA")
    (laid,) = make(game, "close c4")
    assert laid == Laid(0, parse_card("o3"), parse_card("c4"), False, (100, -50, 0, -50))
    assert "a closed card can't be discarded" in refused(game, "discard c4")
    assert "kings can't be discarded" in refused(game, "discard cK")
    assert "not in the hand" in refused(game, "discard bA")
    assert game.hand(0).closed == parse_card("c4")
    assert game.hand(0).count == 16


def test_secrets_only_after_drawing() -> None:
    game = stacked(["o3 o3 o3 o3 c4"], "oH", rules=changed(secret_before_draw=False))
    assert "only after drawing" in refused(game, "lay o3")


KINGS = "oK oK oK oK cK cK cK cK eK eK eK eK bK bK bK bK"


def test_who_has_nothing_to_discard_skips_or_ends_the_deal() -> None:
    game = stacked([KINGS], "oH")
    assert {action.verb for action in game.legal()} == {"lay", "skip"}
    assert make(game, "skip") == (Skipped(0), SaidPurro(0))
    assert game.top is None
    assert "no discard of the previous player" in refused(game, "take")
    pass_round(game)
    # Sixteen cards are there already: none is drawn, and now they win.
    assert game.actor == 0
    won = make(game, "win")[0]
    assert isinstance(won, Won)
    assert won.lines == (("kings", 4 * 50 + 12 * 20), ("own-draw", 110))
    game = stacked([KINGS], "oH", rules=changed(nothing_to_discard="draw"))
    assert make(game, "skip") == (Skipped(0), Drawn((0, 0, 0, 0)))


# The end of the stock


def exhausted(rules: RuleSet) -> Game:
    """Seat 0 is purro for the jack that seat 3 holds, who has drawn the last card; others hold the kings."""
    hands = (
        "cK cK cK cK eK eK eK eK bK bK bK bK c3 b4 eH",
        "oK oK oK oJ oJ oJ oJ bJ bJ bJ e3 b5 cH o4 c5",
        "bJ e3 e3 b5 b5 c4 c4 oA oA eH eH b3 b3 o5 o5",
    )
    game = purro_game("", hands, rules)
    make(game, "take", "discard bA")
    pass_round(game, STOCK - 1)
    make(game, "draw")
    assert (game.stock, game.actor) == (0, 3)
    return game


def test_the_last_discard_may_be_taken_to_win() -> None:
    game = exhausted(TRADITIONAL)
    make(game, "discard bJ")
    assert {action.verb for action in game.legal()} == {"win", "pass"}
    won = make(game.copy(), "win")[0]
    assert isinstance(won, Won)
    assert (won.seat, won.by, won.turned) == (0, "discard", ())
    assert make(game, "pass") == (Passed(0), Drawn((0, 0, 0, 0)))


def test_the_last_discard_may_not_be_taken_for_nothing() -> None:
    game = exhausted(TRADITIONAL)
    assert make(game, "discard b5")[1:] == (Drawn((0, 0, 0, 0)),)


def test_the_deal_ends_with_the_stock() -> None:
    game = exhausted(changed(last_discard_after_stock=False))
    assert make(game, "discard bJ")[1:] == (Drawn((0, 0, 0, 0)),)


def test_events_tell_a_seat_only_what_it_may_know() -> None:
    game = Game.deal(5)
    dealt = game.events[0]
    assert isinstance(dealt, Dealt)
    seen = dealt.seen_by(1)
    assert [hand is not None for hand in seen.hands] == [False, True, False, False]
    assert Drew(0, 3, False).seen_by(1) == Drew(0, None, False)


def test_actions_are_read_and_written() -> None:
    assert str(Action.parse("discard o3")) == "discard o3"
    for text, reason in (("discard", "a card must be named"), ("draw o3", "it takes no card"), ("fly", "no action")):
        with pytest.raises(InputError, match=reason):
            Action.parse(text)
