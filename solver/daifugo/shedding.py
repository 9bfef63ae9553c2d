"""The fewest plays that a hand can be got rid of in, with nobody in the way.

The lowest card has to be in one of the plays, so only those with it are tried. The bound is deepened play by play, and
hands that were too large for what was left are remembered.
"""

from __future__ import annotations

import numpy as np

from solver.bits import popcount
from solver.daifugo.cards import NATURAL_MASK, Hand
from solver.daifugo.choices import _in_sequences, _without_repeated
from solver.daifugo.memo import _is_filling, _look_up, _remember, grown, new_memo
from solver.daifugo.plays import Play, _lead, book_of
from solver.daifugo.room import DECIDED, FILLING, RUNNING, Room, _next_choice, _sort, new_room
from solver.daifugo.rules import RuleSet
from solver.daifugo.state import _without
from solver.errors import InputError
from solver.jit import kernel

MEMORY = 1 << 28
"""Bytes for the hands remembered."""


@kernel
def _least_plays(first, second, longest, switches):
    """No fewer plays can get rid of a hand: cards in no sequence take a set for each rank."""
    cards = popcount(first) + popcount(second)
    rest = (first & NATURAL_MASK & ~_in_sequences(first, switches)) | second
    ranks = popcount((rest | rest >> 1 | rest >> 2 | rest >> 3) & 0x1111111111111)
    return max(ranks, (cards + longest - 1) // longest)


@kernel
def _with_lowest(first, second, book, out, begin):
    """Enter the plays of a hand that hold its lowest card; returns the end of the list."""
    end, lowest = begin + _lead(first, second, book, out[begin:]), first & -first
    kept = begin
    for at in range(begin, end):
        if out[at].first & lowest:
            out[kept] = out[at]
            kept += 1
    return _without_repeated(first, second, _in_sequences(first, book.switches), out, begin, kept)


@kernel
def _enter_hand(depth, begin, most, longest, book, room, memo):
    """Set out the plays of a hand, none if it is known that ``most`` plays don't get rid of it."""
    first, second = room.keys[depth, 0], room.keys[depth, 1]
    frame = room.frames[depth]
    frame.begin = frame.end = frame.next = begin
    if _least_plays(first, second, longest, book.switches) > most or _look_up(memo, room.keys[depth]) >= most:
        return
    frame.end = _with_lowest(first, second, book, room.choices, begin)
    _sort(first, False, room, begin, frame.end)


@kernel
def _shed(most, longest, book, room, memo):
    """Look for a way in at most so many plays: DECIDED, or RUNNING if there is none, or FILLING.

    ``room.keys``: the hand at each depth; ``best`` in each frame: its play.
    """
    depth = 0
    _enter_hand(0, 0, most, longest, book, room, memo)
    while depth >= 0:
        if _is_filling(memo):
            return FILLING
        frame = room.frames[depth]
        if frame.next == frame.end:
            if frame.end > frame.begin:
                _remember(memo, room.keys[depth], most - depth)
            depth -= 1
            continue
        frame.best = _next_choice(frame, room)
        play = room.choices[frame.best]
        first, second = _without(room.keys[depth, 0], room.keys[depth, 1], play.first, play.second)
        depth += 1
        room.keys[depth, 0], room.keys[depth, 1] = first, second
        if not first:
            return DECIDED
        _enter_hand(depth, frame.end, most - depth, longest, book, room, memo)
    return RUNNING


def fewest_plays(hand: Hand, rules: RuleSet) -> tuple[Play, ...]:
    """A partition of a hand into the fewest plays, lowest cards first; of several, always the same one.

    Discards for tens are not counted on, and no play is a forbidden finish.

    Raises:
        InputError: there are no cards.
    """
    if not hand[0]:
        raise InputError("a hand without cards")
    first, second = np.int64(hand[0]), np.int64(hand[1])
    book = book_of(rules)
    cards = hand[0].bit_count() + hand[1].bit_count()
    room = new_room(1, 2, book.room, [0])
    count = _lead(first, second, book, room.choices)
    longest = int(room.choices["size"][:count].max())
    room = new_room(cards + 2, 2, count + 1, [0])
    room.keys[0] = hand
    most = int(_least_plays(first, second, longest, book.switches))
    memo = new_memo(2, MEMORY)
    while True:
        status = _shed(most, longest, book, room, memo)
        if status == DECIDED:
            return _plays_found(room)
        if status == FILLING:
            memo = grown(memo)
        else:
            most += 1


def _plays_found(room: Room) -> tuple[Play, ...]:
    plays, hand = [], (int(room.keys[0, 0]), int(room.keys[0, 1]))
    for frame in room.frames:
        play = Play.from_row(room.choices[frame["best"]])
        plays.append(play)
        first, second = _without(np.int64(hand[0]), np.int64(hand[1]), np.int64(play.first), np.int64(play.second))
        hand = int(first), int(second)
        if not hand[0]:
            break
    return tuple(plays)
