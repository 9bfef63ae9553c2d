"""Whole matches in kernels, with a player of ``policies`` in each seat.

A match is a pure function of its rules and players, a seed and its number. Its deal number ``round`` has the index
``number * 2**32 + round``: the cards are shuffled as by ``shuffle(size, seed, index, CARDS_STREAM)``, pack after pack
and the jokers last, and dealt one at a time from the dealer's left; the lot that draws the first leader is the first of
``shuffle(players, seed, index of the first deal, LOT_STREAM)``; the players' choices come from ``CHOICES_STREAM``. So
matches of a number get the same cards whatever the players and other rules are.

Choices where the rules are silent: the first dealer sits in the last seat, so that seat 0 gets the first card; the last
player of a small table may keep jokers (``joker_kept``) as a Daihinmin may; swapped titles (``joker_revolution``) count
for all that follows in the deal, who may fall (``miyako_ochi``) included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import popcount
from solver.daifugo.cards import DIAMOND_THREE, NATURAL
from solver.daifugo.exchange import LARGE_TABLE, exchanges, scores
from solver.daifugo.montecarlo import (
    NOTES,
    Room,
    _clear_notes,
    _give_card,
    _less,
    _note_discard,
    _note_gift,
    _note_known,
    _note_play,
    _think,
    _think_of_discard,
    new_room,
)
from solver.daifugo.plays import Book, book_of
from solver.daifugo.policies import (
    MONTE_CARLO,
    Policy,
    _choose,
    _choose_discard,
    _choose_gift,
    _choose_request,
    _choose_return,
    policy_of,
)
from solver.daifugo.rules import MOST_PLAYERS, OPTIONS, RuleSet
from solver.daifugo.state import STATE, _begin, _discard, _is_over, _legal_plays, _pass, _places, _play, _with, _without
from solver.daifugo.winning import Duel, new_duel, no_duel
from solver.jit import kernel
from solver.kernelshuffle import ShuffleArrays, _shuffle, _start, shuffle_arrays

CARDS_STREAM, LOT_STREAM, CHOICES_STREAM = 0, 1, 3
"""What random orders of a seed are for."""

ROUND_BITS = 32
NONE = -1

DEAL = np.dtype(
    [
        ("places", np.int8, (MOST_PLAYERS,)),
        ("before", np.int8, (MOST_PLAYERS,)),
        ("without", np.int8, (MOST_PLAYERS,)),
        ("plays", np.int16),
        ("passes", np.int16),
        ("tricks", np.int16),
        ("revolutions", np.int8),
        ("leader", np.int8),
        ("swapped", np.int8),
        ("fell", np.int8),
        ("forbidden", np.int8),
    ]
)
"""A deal that was played. All but the counts is by player.

- ``places``: the place of each, 0 the first, ``NONE`` for players that are not there; ``before``: the places that the
  exchange went by, ``NONE`` in a match's first deal; ``without``: the places after the same deal without exchange,
  ``NONE`` where there was none or it was not asked for.
- ``plays``, ``passes``, ``tricks``, ``revolutions``: how many; ``leader``: who led.
- ``swapped``: whether jokers swapped the titles; ``fell``: whether the Daifugō fell; ``forbidden``: how many went
  out in a forbidden way.
"""


class Plan(NamedTuple):
    """What kernels need of a table, beside the book.

    Attributes:
        codes, playouts: int64, shape (MOST_PLAYERS,): the players.
        gifts: int64, shape (gifts, 3): poor, rich and how many cards each gives (``exchange.exchanges``).
        players: how many.
        jokers: of the whole deck.
        loser_leads, winner_leads: who leads; if neither, the holder of the 3 of diamonds.
        seating: index in ``OPTIONS``.
        swaps: whether jokers may swap titles.
        joker_kept, on_request: switches of the exchange.
        falls: whether a Daifugō may fall.
        twins: whether each deal is also played without exchange.
    """

    codes: NDArray[np.int64]
    playouts: NDArray[np.int64]
    gifts: NDArray[np.int64]
    players: int
    jokers: int
    loser_leads: int
    winner_leads: int
    seating: int
    swaps: int
    joker_kept: int
    on_request: int
    falls: int
    twins: int


class Places(NamedTuple):
    """What a match remembers from deal to deal, and room; all int64.

    Attributes:
        order: shape (MOST_PLAYERS,): the player in each seat.
        before: shape (MOST_PLAYERS,): the place of each player in the deal before.
        seats: shape (MOST_PLAYERS,): the seat of each place.
        found: shape (MOST_PLAYERS,): the place of each seat in this deal.
        gifts: shape (gifts, 2): the cards given.
    """

    order: NDArray[np.int64]
    before: NDArray[np.int64]
    seats: NDArray[np.int64]
    found: NDArray[np.int64]
    gifts: NDArray[np.int64]


@kernel
def _deal(state, order, dealer, players, decks):
    """Deal shuffled cards one at a time from the dealer's left."""
    for seat in range(players):
        state.first[seat] = state.second[seat] = 0
    seat = (dealer + 1) % players
    for number in order:
        _give_card(state, seat, number % NATURAL if number < NATURAL * decks else np.int64(NATURAL))
        seat = (seat + 1) % players


@kernel
def _find_seats(order, before, players, seats):
    """The seat of each place."""
    for seat in range(players):
        seats[before[order[seat]]] = seat


@kernel
def _seat(places, players, seating):
    """Seat the players by the deal before."""
    if seating == 0:
        return
    order, before = places.order, places.before
    for player in range(players):
        seat = players - 1 - before[player]
        if seating == 2:
            seat = (before[player] + 1) % players
        order[seat] = player


@kernel
def _swaps(state, seats, players):
    """Whether the last, or, where there are two poor, the last but one was dealt two jokers."""
    poor = 2 if players >= LARGE_TABLE else 1
    found = False
    for place in range(players - poor, players):
        found |= popcount(state.first[seats[place]] >> NATURAL) == 2
    return found


@kernel
def _move(state, giver, taker, first, second):
    """Move cards between hands."""
    left_first, left_second = _without(state.first[giver], state.second[giver], first, second)
    state.first[giver], state.second[giver] = left_first, left_second
    more_first, more_second = _with(state.first[taker], state.second[taker], first, second)
    state.first[taker], state.second[taker] = more_first, more_second


@kernel
def _collect_gift(row, state, notes, plan, places, book, mind):
    """What a poor is to give, into ``places.gifts``; what is asked for is asked before."""
    poor, rich, count = places.seats[plan.gifts[row, 0]], places.seats[plan.gifts[row, 1]], plan.gifts[row, 2]
    jokers, asked_first, asked_second = plan.jokers, np.int64(0), np.int64(0)
    if plan.on_request:
        code, decks = plan.codes[places.order[rich]], book.switches.decks
        asked_first, asked_second = _choose_request(code, count, state, rich, jokers, decks, mind)
    keeps = plan.joker_kept and plan.gifts[row, 0] == plan.players - 1
    code = plan.codes[places.order[poor]]
    first, second = _choose_gift(code, asked_first, asked_second, count, keeps, state, poor, jokers, book, mind)
    places.gifts[row, 0], places.gifts[row, 1] = first, second
    _note_gift(notes, poor, rich, first, second, not plan.on_request, keeps)


@kernel
def _return_cards(row, state, notes, plan, places, book, mind):
    """What a rich returns for a gift."""
    poor, rich, count = places.seats[plan.gifts[row, 0]], places.seats[plan.gifts[row, 1]], plan.gifts[row, 2]
    code = plan.codes[places.order[rich]]
    first, second = _choose_return(code, count, state, rich, plan.jokers, book, mind)
    _move(state, rich, poor, first, second)
    _note_known(notes, rich, poor, first, second)
    kept_first, kept_second = _less(places.gifts[row, 0], places.gifts[row, 1], first, second)
    _note_known(notes, poor, rich, kept_first, kept_second)


@kernel
def _exchange(state, notes, plan, places, book, mind):
    """The exchange: all gifts of the poor, then what the rich return, the highest first."""
    gifts = places.gifts
    for row in range(gifts.shape[0]):
        _collect_gift(row, state, notes, plan, places, book, mind)
    for row in range(gifts.shape[0]):
        poor, rich = places.seats[plan.gifts[row, 0]], places.seats[plan.gifts[row, 1]]
        _move(state, poor, rich, gifts[row, 0], gifts[row, 1])
    for row in range(gifts.shape[0]):
        _return_cards(row, state, notes, plan, places, book, mind)


@kernel
def _find_leader(state, plan, places, dealer, is_first, drawn):
    """The seat that leads."""
    if plan.loser_leads or plan.winner_leads:
        if is_first:
            return drawn
        return places.seats[plan.players - 1 if plan.loser_leads else 0]
    for step in range(1, plan.players + 1):
        seat = (dealer + step) % plan.players
        if state.first[seat] >> DIAMOND_THREE & 1:
            return seat
    return np.int64(-1)


@kernel
def _play_deal(state, notes, plan, order, book, room, duel, record):
    """Play a deal that has begun to its end, and count."""
    while not _is_over(state):
        seat = state.turn
        player = order[seat]
        code = plan.codes[player]
        if state.discards:
            if code == MONTE_CARLO:
                first, second = _think_of_discard(state, notes, plan.jokers, book, room, duel)
            else:
                first, second = _choose_discard(code, state, plan.jokers, book, room.mind)
            _note_discard(notes, seat, first, second)
            _discard(state, first, second, book.switches)
        else:
            used = _legal_plays(state, book, room.out)
            if code == MONTE_CARLO:
                place = _think(plan.playouts[player], state, notes, plan.jokers, book, used, room, duel)
            else:
                place = _choose(code, state, plan.jokers, book, room.out, used, room.mind)
            if place < 0:
                record.passes += 1
                _pass(state, book.switches)
            else:
                record.plays += 1
                play = room.out[place]
                _note_play(notes, plan.players, seat, play.first, play.second)
                _play(state, play, book.switches)
        record.tricks += state.size == 0 and not state.discards
    record.tricks += state.size > 0


@kernel
def _start_deal(state, notes, plan, places, dealer, is_first, book):
    """Begin a deal whose hands are ready; the seat that leads."""
    leader = _find_leader(state, plan, places, dealer, is_first, np.int64(state.turn))
    if not (plan.loser_leads or plan.winner_leads):
        for viewer in range(plan.players):
            if viewer != leader and not notes.known_first[viewer, leader] >> DIAMOND_THREE & 1:
                _note_known(notes, viewer, leader, np.int64(1) << DIAMOND_THREE, np.int64(0))
    champion = np.int64(-1) if is_first or not plan.falls else places.seats[0]
    _begin(state, plan.players, leader, champion)
    return leader


@kernel
def _play_twin(states, notes, plan, places, dealer, book, room, duel, record, spare):
    """Play the deal in ``states[1]`` without exchange, and keep its places only."""
    state = states[1]
    _clear_notes(notes)
    _start_deal(state, notes, plan, places, dealer, False, book)
    _play_deal(state, notes, plan, places.order, book, room, duel, spare)
    _places(state, places.found)
    for seat in range(plan.players):
        record.without[places.order[seat]] = places.found[seat]


@kernel
def _random_order(index, stream, shuffles):
    """Shuffle into ``shuffles.order``."""
    stream = np.uint64(stream)
    _shuffle(shuffles.key, index, stream, shuffles.limits, shuffles.counter, shuffles.block, shuffles.order)


@kernel
def _start_choices(index, shuffles, words):
    """Start the generator of the players' choices."""
    _start(shuffles.key, index, np.uint64(CHOICES_STREAM), shuffles.counter, shuffles.block, words)


@kernel
def _swap_titles(plan, places):
    for player in range(plan.players):
        places.before[player] = plan.players - 1 - places.before[player]
    _find_seats(places.order, places.before, plan.players, places.seats)


@kernel
def _prepare(state, plan, places, index, is_first, shuffles, decks, record):
    """Seat the players, deal, and swap titles; the dealer's seat."""
    players, dealer = plan.players, np.int64(plan.players - 1)
    if not is_first:
        _seat(places, players, plan.seating)
        _find_seats(places.order, places.before, players, places.seats)
        dealer = places.seats[players - 1]
    _random_order(index, CARDS_STREAM, shuffles)
    _deal(state, shuffles.order, dealer, players, decks)
    if not is_first:
        if plan.swaps and _swaps(state, places.seats, players):
            record.swapped = 1
            _swap_titles(plan, places)
        for player in range(players):
            record.before[player] = places.before[player]
    return dealer


@kernel
def _clear_record(record):
    record.places[:] = NONE
    record.before[:] = NONE
    record.without[:] = NONE
    record.plays = record.passes = record.tricks = 0
    record.swapped = 0


@kernel
def _enter(state, plan, places, leader, record):
    """Enter how a deal ended."""
    _places(state, places.found)
    record.leader = places.order[leader]
    record.revolutions = state.revolutions
    record.fell = state.fallen != 0
    record.forbidden = popcount(np.int64(state.forbidden))
    for seat in range(plan.players):
        record.places[places.order[seat]] = places.found[seat]
        places.before[places.order[seat]] = places.found[seat]


@kernel
def _play_matches(first, count, rounds, plan, places, shuffles, lots, book, states, notes, room, duel, records, spare):
    """Play the first deals of matches from number ``first`` on; ``records``: ``DEAL``, shape (count * rounds,).

    All in one kernel: each that calls another one has to compile that with all it calls once more.
    """
    state, words = states[0], room.mind.words
    for place in range(count * rounds):
        record, is_first = records[place], place % rounds == 0
        number = np.uint64(first + place // rounds) << np.uint64(ROUND_BITS)
        index = number + np.uint64(place % rounds)
        if is_first:
            for seat in range(plan.players):
                places.order[seat] = seat
            _random_order(number, LOT_STREAM, lots)
        _clear_record(record)
        dealer = _prepare(state, plan, places, index, is_first, shuffles, book.switches.decks, record)
        _begin(state, plan.players, lots.order[0], np.int64(-1))
        if plan.twins and not is_first and plan.gifts.shape[0]:
            states[1] = states[0]
            _start_choices(index, shuffles, words)
            _play_twin(states, notes, plan, places, dealer, book, room, duel, record, spare)
        # Anew, so that a twin does not change what the players choose at random.
        _start_choices(index, shuffles, words)
        _clear_notes(notes)
        if not is_first:
            _exchange(state, notes, plan, places, book, room.mind)
        leader = _start_deal(state, notes, plan, places, dealer, is_first, book)
        _play_deal(state, notes, plan, places.order, book, room, duel, record)
        _enter(state, plan, places, leader, record)


@dataclass(frozen=True)
class Table:
    """Who plays by which rules.

    Attributes:
        rules: the rule set.
        players: their names (``policies.policy_of``), clockwise as they sit in the first deal.
        twins: whether each deal with an exchange is also played without it.

    Raises:
        InputError: an unknown player, or a number of players that the rules do not allow.
    """

    rules: RuleSet
    players: tuple[str, ...]
    twins: bool = False

    def __post_init__(self) -> None:
        self.rules.check_players(len(self.players))
        for name in self.players:
            policy_of(name)

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The players."""
        return tuple(policy_of(name) for name in self.players)


def plan_of(table: Table) -> Plan:
    """What kernels need of a table."""
    rules, players = table.rules, len(table.players)
    codes, playouts = np.zeros((2, MOST_PLAYERS), dtype=np.int64)
    for place, policy in enumerate(table.policies):
        codes[place], playouts[place] = policy.code, policy.playouts
    return Plan(
        codes,
        playouts,
        np.array(exchanges(rules, players), dtype=np.int64).reshape(-1, 3),
        players,
        rules.decks * rules.jokers,
        int(rules.leader == "loser"),
        int(rules.leader == "winner"),
        OPTIONS["seating"].index(rules.seating),
        int(rules.joker_revolution),
        int(rules.joker_kept),
        int(rules.on_request),
        int(rules.miyako_ochi),
        int(table.twins),
    )


class Matches:
    """Plays matches of a table from a seed."""

    def __init__(self, table: Table, seed: int) -> None:
        rules = table.rules
        self.table = table
        self._book: Book = book_of(rules)
        self._plan = plan_of(table)
        self._shuffles: ShuffleArrays = shuffle_arrays(rules.decks * (NATURAL + rules.jokers), seed)
        self._lots = shuffle_arrays(len(table.players), seed)
        self._room: Room = new_room(rules)
        self._duel: Duel = (new_duel if MONTE_CARLO in self._plan.codes else no_duel)(rules.decks)
        self._states = np.zeros(2, dtype=STATE)
        self._notes = np.zeros(1, dtype=NOTES)
        self._spare = np.zeros(1, dtype=DEAL)
        self._places = Places(
            np.zeros(MOST_PLAYERS, dtype=np.int64),
            np.zeros(MOST_PLAYERS, dtype=np.int64),
            np.zeros(MOST_PLAYERS, dtype=np.int64),
            np.zeros(MOST_PLAYERS, dtype=np.int64),
            np.zeros((len(self._plan.gifts), 2), dtype=np.int64),
        )

    def play(self, first: int, count: int, rounds: int | None = None) -> NDArray[np.void]:
        """The deals of some matches, in order.

        Args:
            first: number of the first match.
            count: how many matches.
            rounds: how many deals of each; those of the rules if None.

        Returns:
            ``DEAL``, shape (count * rounds,).
        """
        rounds = self.table.rules.rounds if rounds is None else rounds
        records = np.zeros(count * rounds, dtype=DEAL)
        _play_matches(
            first,
            count,
            rounds,
            self._plan,
            self._places,
            self._shuffles,
            self._lots,
            self._book,
            self._states,
            self._notes[0],
            self._room,
            self._duel,
            records,
            self._spare[0],
        )
        return records


def scores_of(records: NDArray[np.void], rules: RuleSet, players: int) -> NDArray[np.int64]:
    """What each player scored in each deal: int64, shape (deals, players)."""
    points: NDArray[np.int64] = np.array(scores(rules, players), dtype=np.int64)[records["places"][:, :players]]
    return points
