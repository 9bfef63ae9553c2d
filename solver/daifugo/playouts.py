"""Deals played at random, a pure function of a seed and a number, for tests and measurements.

The cards fall as in ``solver.shuffle``; who leads, who was the Daifugō before (or nobody), and each action are drawn
with equal chances: every play, and passing where it is allowed, or every card that may be discarded, and none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import popcount
from solver.daifugo.cards import NATURAL
from solver.daifugo.plays import PLAY, Book, book_of
from solver.daifugo.rules import MOST_PLAYERS, RuleSet
from solver.daifugo.state import STATE, _begin, _discard, _is_over, _legal_plays, _pass, _places, _play, _with
from solver.jit import kernel
from solver.kernelshuffle import ShuffleArrays, _below, _shuffle, _start, shuffle_arrays

CARDS_STREAM, CHOICE_STREAM = 0, 2

COUNTS = np.dtype(
    [
        ("actions", np.int64),
        ("plays", np.int64),
        ("revolutions", np.int64),
        ("places", np.int8, (MOST_PLAYERS,)),
    ],
    align=True,
)
"""Of a deal: actions made; legal plays that there were in all, at each turn to play or pass; revolutions; the place of
each seat, 0 the first."""


class Dealing(NamedTuple):
    """What it takes to play deals at random.

    Attributes:
        book: of the rules.
        players: how many play.
        random: of the seed.
        words: uint64, shape (1,): the generator of choices.
        out: ``PLAY``: room for legal plays.
    """

    book: Book
    players: int
    random: ShuffleArrays
    words: NDArray[np.uint64]
    out: NDArray[np.void]


def _dealing(rules: RuleSet, players: int, seed: int) -> Dealing:
    rules.check_players(players)
    book = book_of(rules)
    random = shuffle_arrays(rules.decks * (NATURAL + rules.jokers), seed)
    return Dealing(book, players, random, np.zeros(1, dtype=np.uint64), np.empty(book.room, dtype=PLAY))


@kernel
def _deal(state, dealing, number):
    """Deal, and begin."""
    random, players = dealing.random, np.int64(dealing.players)
    _shuffle(random.key, number, CARDS_STREAM, random.limits, random.counter, random.block, random.order)
    _start(random.key, number, CHOICE_STREAM, random.counter, random.block, dealing.words)
    state.first[:] = 0
    state.second[:] = 0
    for place in range(random.order.shape[0]):
        card, seat = random.order[place], place % players
        bit = np.int64(1) << (card % NATURAL if card < NATURAL * dealing.book.switches.decks else NATURAL)
        first, second = _with(state.first[seat], state.second[seat], bit, np.int64(0))
        state.first[seat], state.second[seat] = first, second
    _begin(state, players, _below(dealing.words, players), _below(dealing.words, players + 1) - 1)


@kernel
def _act(state, book, out, words):
    """Make an action at random; returns how many legal plays there were."""
    if state.discards:
        held = np.int64(state.first[state.turn])
        for _ in range(_below(words, popcount(held) + 1)):
            held &= held - 1
        _discard(state, held & -held, np.int64(0), book.switches)
        return 0
    used = _legal_plays(state, book, out)
    choice = _below(words, used + (state.size > 0))
    if choice < used:
        _play(state, out[choice], book.switches)
    else:
        _pass(state, book.switches)
    return used


@kernel
def _play_deals(dealing, first, state, places, counts):
    for row in range(counts.shape[0]):
        _deal(state, dealing, np.uint64(first + row))
        plays = 0
        while not _is_over(state):
            plays += _act(state, dealing.book, dealing.out, dealing.words)
        _places(state, places)
        count = counts[row]
        count.actions, count.plays, count.revolutions = state.actions, plays, state.revolutions
        count.places[:] = places


@kernel
def _play_deal(dealing, number, state, states):
    """Play a deal, keeping the state before each action and at the end; returns how many there are."""
    _deal(state, dealing, np.uint64(number))
    used = 0
    while not _is_over(state):
        states[used] = state
        used += 1
        _act(state, dealing.book, dealing.out, dealing.words)
    states[used] = state
    return used + 1


@kernel
def _count_plays(states, book, out, counts):
    for row in range(states.shape[0]):
        counts[row] = _legal_plays(states[row], book, out)


def random_deals(rules: RuleSet, players: int, seed: int, first: int, deals: int) -> NDArray[np.void]:
    """Play deals number ``first`` and following at random: ``COUNTS``, shape (deals,).

    Raises:
        InputError: so many can't play by these rules, or the seed is not in 0..2**128-1.
    """
    counts = np.zeros(deals, dtype=COUNTS)
    places: NDArray[np.int64] = np.zeros(MOST_PLAYERS, dtype=np.int64)
    _play_deals(_dealing(rules, players, seed), first, np.zeros(1, dtype=STATE)[0], places, counts)
    return counts


def random_deal(rules: RuleSet, players: int, seed: int, number: int) -> NDArray[np.void]:
    """One of ``random_deals``, state by state: ``STATE``, before each action and at the end.

    Raises:
        InputError: so many can't play by these rules, or the seed is not in 0..2**128-1.
    """
    dealing = _dealing(rules, players, seed)
    # Every play takes a card, and may be followed by one discard of nothing and a pass of each player.
    room = dealing.random.order.size * (players + 2) + 1
    states = np.zeros(room, dtype=STATE)
    return states[: _play_deal(dealing, number, np.zeros(1, dtype=STATE)[0], states)]


def count_plays(states: NDArray[np.void], rules: RuleSet) -> NDArray[np.int64]:
    """How many legal plays there are in each of many states (``STATE``), passing left out: int64, shape (states,)."""
    book = book_of(rules)
    counts = np.empty(states.size, dtype=np.int64)
    _count_plays(states, book, np.empty(book.room, dtype=PLAY), counts)
    return counts
