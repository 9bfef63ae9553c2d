"""The room of a depth-first search through a deal: the way to the state looked at, and the choices on it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import popcount
from solver.daifugo.cards import JOKER_RANK, NATURAL
from solver.daifugo.choices import _choices
from solver.daifugo.plays import PLAY
from solver.daifugo.state import STATE, _is_over, _pass
from solver.jit import kernel

FRAME = np.dtype(
    [("begin", np.int64), ("end", np.int64), ("next", np.int64), ("best", np.int64), ("score", np.int64)], align=True
)
"""A state with its choices: where they begin and end in the list of all, which comes next, and the best value of those
before with what it is worth to the one who chooses."""

RUNNING, DECIDED, FILLING = range(3)
"""How far a search is: it can go on; the first state has a value; the memory should grow before it goes on."""

PLACE_BITS = 20
"""Of a score: the place in the list of choices, so that no two are equal."""


class Room(NamedTuple):
    """The way from the state asked about to the one looked at, and room for all choices on it.

    Attributes:
        states: ``STATE``, shape (depth,).
        frames: ``FRAME``, shape (depth,).
        keys: int64, shape (depth, words).
        choices: ``PLAY``, shape (most choices of a state * depth,).
        scores: int64, same shape: the order in which a state's choices are tried, as scores and places.
        seats: int64, shape (players,): who played on at first.
        progress: int64, shape (3,): depth, the value just found or ``UNKNOWN``, positions looked at.
    """

    states: NDArray[np.void]
    frames: NDArray[np.void]
    keys: NDArray[np.int64]
    choices: NDArray[np.void]
    scores: NDArray[np.int64]
    seats: NDArray[np.int64]
    progress: NDArray[np.int64]


def new_room(depth: int, words: int, most: int, seats: list[int]) -> Room:
    """Room for so deep a search of states with at most so many choices."""
    return Room(
        np.zeros(depth, dtype=STATE),
        np.zeros(depth, dtype=FRAME),
        np.zeros((depth, words), dtype=np.int64),
        np.zeros(most * depth, dtype=PLAY),
        np.zeros(most * depth, dtype=np.int64),
        np.array(seats, dtype=np.int64),
        np.zeros(3, dtype=np.int64),
    )


@kernel
def _longest(cards, players):
    """How many states the longest way of players who hold so many cards has at most, the first and the last included.

    Between two plays each may pass once; what is discarded is a card, or nothing once for each play.
    """
    return (cards + 1) * (players + 3)


@kernel
def _settle(state, book, out, begin):
    """Pass for those who can't play; returns the end of the choices of the next who can, or of none when it is over."""
    while not _is_over(state):
        end = _choices(state, book, out, begin)
        if end > begin:
            return end
        _pass(state, book.switches)
    return begin


@kernel
def _score(first, choice, is_reversed):
    """How soon to try a choice of a hand: last a pass; most cards first, but no joker, and no card left of a set's
    rank; of equal ones the lowest."""
    size, rank = np.int64(choice.size), np.int64(choice.rank)
    if not size:
        return np.int64(-1000)
    size -= popcount(choice.first >> NATURAL)
    if not choice.sequence and rank < JOKER_RANK:
        size -= popcount((first & ~choice.first) >> (4 * rank) & 15)
    return 20 * size - (JOKER_RANK - 1 - rank if is_reversed and rank < JOKER_RANK else rank)


@kernel
def _sort(first, is_reversed, room, begin, end):
    """Put the choices of a hand in the order to try them in."""
    for at in range(begin, end):
        score = _score(first, room.choices[at], is_reversed) << PLACE_BITS | ((1 << PLACE_BITS) - 1 - (at - begin))
        place = at
        while place > begin and room.scores[place - 1] < score:
            room.scores[place] = room.scores[place - 1]
            place -= 1
        room.scores[place] = score


@kernel
def _latest_choice(frame, room):
    """Where the choice of a state that was tried latest is in the list of all."""
    return frame.begin + (1 << PLACE_BITS) - 1 - (room.scores[frame.next - 1] & ((1 << PLACE_BITS) - 1))


@kernel
def _next_choice(frame, room):
    """Where the next choice of a state is in the list of all."""
    frame.next += 1
    return _latest_choice(frame, room)
