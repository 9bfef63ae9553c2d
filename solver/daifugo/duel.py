"""Two players with cards left: who wins, by depth-first search with a memory of exact keys."""

from __future__ import annotations

import numpy as np

from solver.bits import popcount
from solver.daifugo.choices import _choose
from solver.daifugo.keys import _write_key
from solver.daifugo.memo import UNKNOWN, _is_filling, _look_up, _remember
from solver.daifugo.room import DECIDED, FILLING, RUNNING, _next_choice, _settle, _sort
from solver.daifugo.state import _is_forbidden, _order
from solver.jit import kernel


@kernel
def _way_out(state, choices, begin, end, switches):
    """Where among some choices one is to go out in an allowed way, or -1."""
    held = popcount(state.first[state.turn]) + popcount(state.second[state.turn])
    if not state.discards:
        for at in range(begin, end):
            if choices[at].size == held and not _is_forbidden(choices[at], _order(state), switches):
                return np.int64(at)
    return np.int64(-1)


@kernel
def _open(state, depth, begin, book, room, memo):
    """The winner of a state reached, if that is known at once; else ``UNKNOWN``, and its choices are set out."""
    switches, seats = book.switches, room.seats
    both = seats[0] + seats[1]
    room.progress[2] += 1
    end = _settle(state, book, room.choices, begin)
    if end == begin:
        seat = np.int64(state.order[state.finished - 1])
        return both - seat if state.forbidden >> seat & 1 else seat
    for seat in seats:
        if state.fallen >> seat & 1:
            return both - seat
    if _way_out(state, room.choices, begin, end, switches) >= 0:
        return np.int64(state.turn)
    key = room.keys[depth]
    _write_key(state, seats, book, key)
    known = _look_up(memo, key)
    if known != UNKNOWN:
        return known
    _sort(state.first[state.turn], _order(state), room, begin, end)
    frame = room.frames[depth]
    frame.begin, frame.end, frame.next = begin, end, begin
    return np.int64(UNKNOWN)


@kernel
def _start_duel(room, book, memo):
    """Look at the first state."""
    room.progress[0] = 0
    room.progress[2] = 0
    room.progress[1] = _open(room.states[0], 0, 0, book, room, memo)


@kernel
def _search_duel(book, room, memo, most):
    """Search on until the first state is decided, the memory fills, or so many positions have been looked at."""
    depth, value = room.progress[0], room.progress[1]
    both = room.seats[0] + room.seats[1]
    status = RUNNING
    while True:
        if value != UNKNOWN:
            if depth == 0:
                status = DECIDED
                break
            depth -= 1
            seat = np.int64(room.states[depth].turn)
            frame = room.frames[depth]
            if value != seat:
                value = np.int64(UNKNOWN)
                if frame.next == frame.end:
                    value = both - seat
            if value != UNKNOWN:
                _remember(memo, room.keys[depth], value)
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
