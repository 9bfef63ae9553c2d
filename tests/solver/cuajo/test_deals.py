"""Deals by the thousand: what holds at every step, and that kernels play as the players do one at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver.bits import popcount
from solver.cuajo.cards import COPIES, KINDS
from solver.cuajo.dealing import STOCK, deal_order
from solver.cuajo.deals import DEAL, MOST_ACTIONS, Deals, Table
from solver.cuajo.game import Game
from solver.cuajo.players import View, make_player
from solver.cuajo.policies import POLICIES, _choose
from solver.cuajo.rows import count_in, tally
from solver.cuajo.rules import PLAYERS, SECRET, SOWEE_SECRET, TRADITIONAL, RuleSet
from solver.cuajo.state import DISCARD, OVER, SKIP, STATE, VERB, _act, _actor, _begin, _count, _legal, book_of
from solver.errors import InputError
from solver.jit import kernel


@kernel
def _is_whole(state):
    """Whether each kind has four copies, and each seat as many cards as it should."""
    for kind in range(KINDS):
        found = count_in(tally(state.pile_low), tally(state.pile_high), kind) + (kind == state.sowee)
        for seat in range(PLAYERS):
            found += count_in(tally(state.low[seat]), tally(state.high[seat]), kind)
            found += SECRET * (state.laid[seat] >> kind & 1)
            found += SOWEE_SECRET * (state.closed[seat] >= 0 and kind == state.sowee)
        for place in range(state.drawn, STOCK):
            found += state.stock[place] == kind
        if found != COPIES:
            return False
    for seat in range(PLAYERS):
        count = _count(state, seat)
        if count != 15 and not (count == 16 and (seat == state.turn or state.winner == seat)):
            return False
    return True


@kernel
def _play_checked(codes, states, words, rooms, book):
    """Play a deal; 0, or the number of what did not hold."""
    state = states[0]
    for _ in range(MOST_ACTIONS):
        if not _is_whole(state):
            return 1
        if state.cents.sum() != 0:
            return 2
        verbs, lays, closes, discards = _legal(state, book)
        if state.phase == OVER:
            return 3 if verbs | lays | closes | discards else 0
        if not verbs | lays | closes | discards:
            return 4
        seat, turn = _actor(state), state.turn
        action = _choose(codes[seat], states, words, rooms[0], rooms[1], book)
        verb, kind = action // VERB, action % VERB
        if verb > SKIP:
            allowed = discards if verb == DISCARD else closes if verb == DISCARD - 1 else lays
            if not allowed >> kind & 1:
                return 5
        elif not verbs >> verb & 1:
            return 6
        _act(state, action, book)
        ends_turn = verb in (DISCARD, SKIP)
        if state.phase != OVER and state.turn != (turn + ends_turn) % PLAYERS:
            return 7
        if popcount(state.purro) > PLAYERS or state.drawn > STOCK:
            return 8
    return 9


def check_deals(deals: int, players: tuple[str, ...], rules: RuleSet = TRADITIONAL) -> NDArray[np.int64]:
    """Play deals of seed 1 and check every step; the cents of all."""
    codes = np.array([POLICIES.index(name) for name in players], dtype=np.int64)
    states, rooms, words = np.zeros(2, dtype=STATE), np.empty((2, KINDS), dtype=np.int64), np.zeros(1, dtype=np.uint64)
    cents = np.zeros((deals, PLAYERS), dtype=np.int64)
    for number in range(deals):
        _begin(states[0], np.array(deal_order(1, number), dtype=np.int64), number % PLAYERS)
        assert _play_checked(codes, states, words, rooms, book_of(rules)) == 0, f"deal {number}"
        cents[number] = states[0]["cents"]
    return cents


TABLES = [("simple",) * 4, ("careful", "simple", "careful", "simple"), ("random",) * 4, ("random", "careful") * 2]


@pytest.mark.parametrize("players", TABLES, ids=["simple", "careful", "random", "mixed"])
def test_every_step_of_some_deals(players: tuple[str, ...]) -> None:
    check_deals(250, players)


@settings(max_examples=8)
@given(st.integers(0, 255))
def test_every_step_under_any_rules(bits: int) -> None:
    options = ("win_needs_purro", "secret_before_draw", "bounit_is_sowee_twin", "last_discard_after_stock")
    changes = {name: not bits >> place & 1 for place, name in enumerate(options)}
    rules = RuleSet(
        id="test",
        **changes,
        sowee_secret_unlaid=bool(bits >> 4 & 1),
        porbis_kings=bool(bits >> 5 & 1),
        nothing_to_discard=("skip", "draw")[bits >> 6 & 1],
        secret_payers=("each", "one")[bits >> 7 & 1],
    )
    check_deals(40, ("random", "careful", "simple", "careful"), rules)


@pytest.mark.slow
def test_every_step_of_a_hundred_thousand_deals() -> None:
    for players, deals in zip(TABLES, (60_000, 20_000, 10_000, 10_000), strict=True):
        check_deals(deals, players)


def test_whole_deals_are_those_played_step_by_step() -> None:
    players = ("careful", "simple", "careful", "simple")
    records = Deals(Table(TRADITIONAL, players), 1).play(0, 60)
    assert records["cents"].tolist() == check_deals(60, players).tolist()
    for number in range(4):
        game = Game.deal(1, number, number % PLAYERS)
        seats = [make_player(name) for name in players]
        while not game.is_over:
            game.do(seats[game.actor].act(View.of(game, game.actor)))
        record = records[number]
        assert tuple(record["cents"]) == game.cents
        assert (None if record["winner"] < 0 else record["winner"]) == game.winner


def test_a_deal_does_not_depend_on_where_a_survey_begins() -> None:
    deals = Deals(Table(TRADITIONAL, ("random", "simple", "random", "careful")), 3)
    assert deals.play(0, 20)[7:].tobytes() == deals.play(7, 13).tobytes()


def test_records_hang_together() -> None:
    records = Deals(Table(TRADITIONAL, ("simple",) * 4), 2).play(0, 2000)
    assert records.dtype == DEAL
    assert not records["cents"].sum(axis=1).any()
    won = records["winner"] >= 0
    assert (records["each"][~won] == 0).all()
    assert (records["each"][won] >= 20).all()
    assert (records["each"][records["porbis"] > 0] == 300).all()
    assert (records["dealer"] == np.arange(2000) % PLAYERS).all()
    assert (records["drawn"] <= STOCK).all()
    assert (records["turns"] <= 1 + records["drawn"] + records["takes"]).all()
    assert set(records["way"][won]) == {0, 1, 2}


def test_tables_of_unknown_or_too_few_players_are_refused() -> None:
    with pytest.raises(InputError, match="'greedy' is no player"):
        Table(TRADITIONAL, ("greedy",) * 4)
    with pytest.raises(InputError, match="3 players"):
        Table(TRADITIONAL, ("simple",) * 3)
