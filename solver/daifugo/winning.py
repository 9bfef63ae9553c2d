"""The choice that wins for certain, for one of two players left who sees both hands: the exact search of ``duel``.

Each search begins anew and is bounded by positions, never by time: what is found follows from the state alone, on every
machine and whatever was asked before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.bits import lowest_bit, popcount
from solver.daifugo.choices import _choices
from solver.daifugo.duel import _search_duel, _start_duel, _way_out
from solver.daifugo.keys import key_words
from solver.daifugo.memo import LEAST, UNKNOWN, Memo, _copy, _forget, memo_of
from solver.daifugo.plays import _lead
from solver.daifugo.room import DECIDED, FILLING, Room, _latest_choice, _longest, new_room
from solver.jit import kernel

MOST_CARDS = 24
"""Of both players in an endgame that is searched."""

MOST_POSITIONS = 200_000
"""Looked at for one choice; if they do not decide, nothing is proven."""

MOST_CHOICES = 1 << 18
"""On the way to a position; hands that might have more are not searched."""

MOST_KEYS = 1 << 18

NOTHING_PROVEN = -1


class Duel(NamedTuple):
    """What such searches need, made once.

    Attributes:
        room: the way to the position looked at.
        memo, larger: what a search remembers, at first and once that fills: most searches are short, and a small table
            is quickly emptied.
    """

    room: Room
    memo: Memo
    larger: Memo


def new_duel(decks: int) -> Duel:
    """Room to search endgames of so many packs: 20 MB, of which little is used but by long searches."""
    words = key_words(2, decks)
    depth = _longest(MOST_CARDS, 2)
    room = new_room(depth, words, -(-MOST_CHOICES // depth), [0, 1])
    return Duel(room, memo_of(words, LEAST, MOST_KEYS), memo_of(words, MOST_KEYS, MOST_KEYS))


def no_duel(decks: int) -> Duel:
    """Room for nobody who searches: nothing is proven with it."""
    words = key_words(2, decks)
    return Duel(new_room(0, words, 0, [0, 1]), memo_of(words, 0, 0), memo_of(words, 0, 0))


@kernel
def _has_room(state, out, book, room):
    """Whether there is room for all that two hands can do; ``out``: room for all plays of one."""
    cards, most = np.int64(0), np.int64(0)
    for seat in room.seats:
        first, second = state.first[seat], state.second[seat]
        cards += popcount(first) + popcount(second)
        most = max(most, np.int64(_lead(first, second, book, out)))
    depth = _longest(cards, 2)
    return depth <= room.states.shape[0] and (most + 2) * depth <= room.choices.shape[0]


@kernel
def _find_winner(most, book, duel):
    """The winner of the first state of a room, or ``UNKNOWN`` if so many positions do not decide."""
    room = duel.room
    _forget(duel.memo)
    _start_duel(room, book, duel.memo)
    status = _search_duel(book, room, duel.memo, most)
    if status == FILLING:
        _forget(duel.larger)
        _copy(duel.memo, duel.larger)
        status = _search_duel(book, room, duel.larger, most)
    return room.progress[1] if status == DECIDED else np.int64(UNKNOWN)


@kernel
def _winning_choice(state, out, most, book, duel):
    """Where in ``duel.room.choices`` that choice is by which the one to act wins for certain, or ``NOTHING_PROVEN``.

    ``state``: two players are left, all cards are in their hands, and the one to act has a choice; ``out``: ``PLAY``,
    room for all plays of a hand; ``most``: positions to look at.
    """
    room = duel.room
    room.seats[0] = lowest_bit(np.int64(state.in_play))
    room.seats[1] = lowest_bit(np.int64(state.in_play & (state.in_play - 1)))
    # Of a Daifugō who has fallen the other wins whatever they do.
    if state.fallen & state.in_play or not _has_room(state, out, book, room):
        return np.int64(NOTHING_PROVEN)
    room.states[0] = state
    way_out = _way_out(state, room.choices, 0, _choices(state, book, room.choices, 0), book.switches)
    if way_out >= 0:
        return way_out
    if _find_winner(most, book, duel) != state.turn:
        return np.int64(NOTHING_PROVEN)
    return np.int64(_latest_choice(room.frames[0], room))
