"""Three players and more: the order of finishing if each does the best for himself.

Each player wants the best place for himself; among equal places, that the next player clockwise comes out as late as
possible, then the one after him, and so on round the table. No two ways to finish are equal by that, so every state
has one value, whatever the order in which choices are tried (max^n; Luckhardt and Irani, "An algorithmic solution of
N-person games", 1986).
"""

from __future__ import annotations

import numpy as np

from solver.bits import popcount
from solver.daifugo.choices import _choose
from solver.daifugo.keys import _write_key
from solver.daifugo.memo import UNKNOWN, _is_filling, _look_up, _remember
from solver.daifugo.room import DECIDED, FILLING, RUNNING, _next_choice, _settle, _sort
from solver.daifugo.rules import MOST_PLAYERS
from solver.daifugo.state import _order, _places
from solver.jit import kernel

BITS = 3
"""Of a place; a value is the places of all seats, that of seat 0 in the lowest bits."""

FALLS = 1 << (BITS * MOST_PLAYERS)
"""Of places among those who play on: the Daifugō in danger comes last of all."""


@kernel
def _place_in(value, seat):
    return value >> (BITS * seat) & ((1 << BITS) - 1)


@kernel
def _worth(value, seat, players):
    """What an end of the deal is worth to a player, by the order of preference."""
    worth = ((1 << BITS) - 1) - _place_in(value, seat)
    for step in range(1, players):
        worth = worth << BITS | _place_in(value, (seat + step) % players)
    return worth


@kernel
def _end_value(state):
    """The value of a deal that is over."""
    places = np.zeros(MOST_PLAYERS, dtype=np.int64)
    _places(state, places)
    value = np.int64(0)
    for seat in range(state.players):
        value |= places[seat] << (BITS * seat)
    return value


@kernel
def _ahead(state):
    """How many have gone out ahead of all who play on."""
    ahead = np.int64(0)
    for i in range(state.finished):
        ahead += ~np.int64(state.forbidden | state.fallen) >> state.order[i] & 1
    return ahead


@kernel
def _in_danger(state):
    """The Daifugō who has fallen, or may fall; -1 if there is none."""
    for seat in range(state.players):
        if state.fallen >> seat & 1:
            return np.int64(seat)
    return np.int64(state.champion)


@kernel
def _among_those_left(value, state):
    """From places in the deal to places among those who play on; seats out of play have 0."""
    first, most, among = _ahead(state), popcount(np.int64(state.in_play)), np.int64(0)
    for seat in range(state.players):
        if state.in_play >> seat & 1:
            among |= min(_place_in(value, seat) - first, most - 1) << (BITS * seat)
    danger = _in_danger(state)
    if danger >= 0 and _place_in(value, danger) == state.players - 1:
        among |= FALLS
    return among


@kernel
def _in_deal(among, state):
    """From places among those who play on to places in the deal."""
    fallen = _in_danger(state) if state.fallen or among & FALLS else np.int64(-1)
    low = np.int64(state.forbidden)
    value, place = np.int64(0), np.int64(0)
    if fallen >= 0:
        low |= 1 << fallen
        value = np.int64(state.players - 1) << (BITS * fallen)
    for i in range(state.finished):
        if not low >> state.order[i] & 1:
            value |= place << (BITS * state.order[i])
            place += 1
    for seat in range(state.players):
        if state.in_play >> seat & 1 and seat != fallen:
            value |= (place + _place_in(among, seat)) << (BITS * seat)
    place += popcount(np.int64(state.in_play))
    if fallen >= 0:
        place -= state.in_play >> fallen & 1
    for i in range(state.finished - 1, -1, -1):
        seat = state.order[i]
        if state.forbidden >> seat & 1 and seat != fallen:
            value |= place << (BITS * seat)
            place += 1
    return value


@kernel
def _most_worth(state):
    """What the best end there can be is worth to the one to act, or more."""
    if state.champion >= 0 or state.fallen & state.in_play:
        return np.int64(1) << 62
    among, place = np.int64(0), popcount(np.int64(state.in_play)) - 1
    for step in range(1, state.players):
        seat = (state.turn + step) % state.players
        if state.in_play >> seat & 1:
            among |= place << (BITS * seat)
            place -= 1
    return _worth(_in_deal(among, state), np.int64(state.turn), state.players)


@kernel
def _open(state, depth, begin, book, room, memo):
    """The value of a state reached, if it is known at once; else ``UNKNOWN``, and its choices are set out."""
    room.progress[2] += 1
    end = _settle(state, book, room.choices, begin)
    if end == begin:
        return _end_value(state)
    key = room.keys[depth]
    _write_key(state, room.seats, book, key)
    known = _look_up(memo, key)
    if known != UNKNOWN:
        return _in_deal(known, state)
    _sort(state.first[state.turn], _order(state), room, begin, end)
    frame = room.frames[depth]
    frame.begin, frame.end, frame.next, frame.best, frame.score = begin, end, begin, UNKNOWN, -1
    return np.int64(UNKNOWN)


@kernel
def _start_finishing(room, book, memo):
    """Look at the first state."""
    room.progress[0] = 0
    room.progress[2] = 0
    room.progress[1] = _open(room.states[0], 0, 0, book, room, memo)


@kernel
def _take_up(value, state, frame):
    """Weigh the value of a choice; returns that of the state if no other choice has to be tried, or ``UNKNOWN``."""
    worth = _worth(value, np.int64(state.turn), state.players)
    if worth > frame.score:
        frame.best, frame.score = value, worth
    if frame.next == frame.end or frame.score >= _most_worth(state):
        return np.int64(frame.best)
    return np.int64(UNKNOWN)


@kernel
def _search_finishing(book, room, memo, most):
    """Search on until the first state is decided, the memory fills, or so many positions have been looked at."""
    depth, value = room.progress[0], room.progress[1]
    status = RUNNING
    while True:
        if value != UNKNOWN:
            if depth == 0:
                status = DECIDED
                break
            depth -= 1
            state = room.states[depth]
            value = _take_up(value, state, room.frames[depth])
            if value != UNKNOWN:
                _remember(memo, room.keys[depth], _among_those_left(value, state))
            continue
        if room.progress[2] >= most:
            break
        if _is_filling(memo):
            status = FILLING
            break
        frame = room.frames[depth]
        chosen = _next_choice(frame, room)
        room.states[depth + 1] = room.states[depth]
        state = room.states[depth + 1]
        _choose(state, room.choices[chosen], book.switches)
        depth += 1
        value = _open(state, depth, frame.end, book, room, memo)
    room.progress[0], room.progress[1] = depth, value
    return status
