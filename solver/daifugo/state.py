"""One deal of Daifugō as it is played: the state, and what each action does to it.

Choices where the rules are silent, beside those named in ``plays`` and ``rules``:

- a jack turns the order that is in force (``eleven_back``), so a second one in a trick turns it back;
- what counts as the highest (``two_clears``, ``forbidden_finish``) goes by the order in force when the play is made,
  jacks included; a play holding a joker is one that holds a highest card;
- a lone joker stops and clears nothing, and jokers alone make no revolution; a joker that stands for an 8, 10 or jack
  counts as one; three 3s with a joker count as three 3s unless ``revolution_quads`` is natural;
- the 3 of spades beats a single joker whatever suits are locked;
- a discard for a 10 follows the play before anything else happens; who goes out by it is judged by that play;
- of several players who go out in a forbidden way, the first to do so comes last of all but a fallen Daifugō;
- who comes first is the first to go out in an allowed way, or, if nobody does, the one who is left with cards; as soon
  as that is another than the Daifugō, the Daifugō falls (``miyako_ochi``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.bits import lowest_bit, popcount
from solver.daifugo.cards import EIGHT, JACK, JOKER_RANK, NATURAL, NATURAL_MASK, TEN, THREE, TWO
from solver.daifugo.plays import PLAY, _legal
from solver.daifugo.rules import MOST_PLAYERS
from solver.jit import kernel

STATE = np.dtype(
    [
        ("first", np.int64, (MOST_PLAYERS,)),
        ("second", np.int64, (MOST_PLAYERS,)),
        ("played_first", np.int64),
        ("played_second", np.int64),
        ("table_first", np.int64),
        ("table_second", np.int64),
        ("table_suits", np.int16),
        ("suits", np.int16),
        ("suits_before", np.int16),
        ("lock", np.int16),
        ("in_play", np.int16),
        ("passed", np.int16),
        ("forbidden", np.int16),
        ("fallen", np.int16),
        ("order", np.int8, (MOST_PLAYERS,)),
        ("sequence", np.int8),
        ("size", np.int8),
        ("rank", np.int8),
        ("players", np.int8),
        ("turn", np.int8),
        ("last", np.int8),
        ("champion", np.int8),
        ("finished", np.int8),
        ("discards", np.int8),
        ("is_reversed", np.bool_),
        ("pending", np.bool_),
        ("eleven", np.bool_),
        ("clears", np.bool_),
        ("forbids", np.bool_),
        ("revolutions", np.int16),
        ("actions", np.int16),
    ],
    align=True,
)
"""A deal in play. Seats are numbered clockwise from 0; sets of seats are bits.

- ``first``, ``second``: the hands; ``played_*``: all cards played so far.
- ``table_*``, ``sequence``, ``size``, ``rank``: the play to beat, as in ``PLAY``; size 0 if there is none.
- ``suits``, ``suits_before``: of it and of the one it beat, as far as they count for locks; ``lock``: the suits that
  the trick is locked to.
- ``in_play``: who has cards and plays on; ``passed``: who passed since the last play (a final pass: in the trick).
- ``order``: seats as they went out, ``finished`` many; ``forbidden``: those that did so in a forbidden way.
- ``champion``: the Daifugō who may fall, or -1; ``fallen``: that one, once fallen.
- ``turn``: who is to act; ``last``: who made the last play; ``discards``: how many cards the one to act may discard.
- ``is_reversed``: by revolutions; ``pending``: one that comes as the table is cleared; ``eleven``: whether a jack has
  turned the order.
- ``clears``, ``forbids``: whether the latest play clears the table, and forbids to go out.
- ``revolutions``, ``actions``: how many there have been.
"""


@kernel
def _begin(state, players, leader, champion):
    """Start a deal whose hands are set already."""
    state.played_first = state.played_second = 0
    state.players, state.turn, state.champion = players, leader, champion
    state.last = leader
    state.in_play = (1 << players) - 1
    state.forbidden = state.fallen = state.finished = state.discards = 0
    state.is_reversed = state.pending = state.clears = state.forbids = False
    state.revolutions = state.actions = 0
    _clear(state)


@kernel
def _clear(state):
    """Clear the table: a new trick begins."""
    state.table_first = state.table_second = state.table_suits = 0
    state.sequence = state.size = state.rank = 0
    state.suits = state.suits_before = state.lock = state.passed = 0
    state.is_reversed ^= state.pending
    state.pending = state.eleven = False


@kernel
def _order(state):
    """Whether the order of ranks is reversed now."""
    return state.is_reversed ^ state.eleven


@kernel
def _legal_plays(state, book, out):
    """All plays of the one to act, passing left out; returns how many."""
    return _legal(state.first[state.turn], state.second[state.turn], state, _order(state), state.lock, book, out)


@kernel
def _is_over(state):
    return popcount(state.in_play) <= 1


@kernel
def _without(first, second, gone_first, gone_second):
    """A hand less some of its cards."""
    jokers = popcount(first >> NATURAL) - popcount(gone_first >> NATURAL)
    once, gone = first & NATURAL_MASK, gone_first & NATURAL_MASK
    left = once & ~((gone & ~second) | gone_second)
    return left | ((np.int64(1) << jokers) - 1) << NATURAL, second & ~gone


@kernel
def _with(first, second, more_first, more_second):
    """A hand and more cards."""
    jokers = popcount(first >> NATURAL) + popcount(more_first >> NATURAL)
    once, more = first & NATURAL_MASK, more_first & NATURAL_MASK
    return once | more | ((np.int64(1) << jokers) - 1) << NATURAL, second | more_second | (once & more)


@kernel
def _take(state, gone_first, gone_second):
    """Take cards out of the hand of the one to act."""
    seat = state.turn
    first, second = _without(state.first[seat], state.second[seat], gone_first, gone_second)
    state.first[seat], state.second[seat] = first, second


@kernel
def _holds_rank(play, rank):
    """Whether a play has a card of a rank, jokers taken for what they stand for."""
    if play.sequence:
        return play.rank <= rank < play.rank + play.size
    return play.rank == rank


@kernel
def _count_rank(play, rank):
    """How many cards of a rank a play has, jokers taken for what they stand for."""
    if play.sequence:
        return np.int64(play.rank <= rank < play.rank + play.size)
    return np.int64(play.size) if play.rank == rank else np.int64(0)


@kernel
def _is_revolution(play, switches):
    """Whether a play turns the order of ranks (``revolution_*``)."""
    if play.sequence:
        return switches.reverses_at > 0 and play.size >= switches.reverses_at
    if play.rank == JOKER_RANK:
        return False
    natural = np.int64(play.size) - popcount(play.first >> NATURAL)
    counted = natural if switches.revolution_quads == 2 else np.int64(play.size)
    if switches.revolution_quads and counted >= 4:
        return True
    return switches.three_threes and play.rank == THREE and play.size == 3 and counted == 3


@kernel
def _is_forbidden(play, is_reversed, switches):
    """Whether going out with a play is forbidden (``forbidden_finish``, ``eight_stop``)."""
    if switches.eight_stop == 2 and _holds_rank(play, EIGHT):
        return True
    if not switches.forbidden_finish:
        return False
    if play.first >> NATURAL:
        return True
    if switches.forbidden_finish == 2:
        return False
    if _holds_rank(play, THREE if is_reversed else TWO):
        return True
    return play.sequence and not is_reversed and play.rank + play.size - 1 == switches.most_sequence


@kernel
def _does_clear(state, play, is_reversed, switches):
    """Whether a play clears the table at once (``eight_stop``, ``two_clears``, ``spade_three``)."""
    if switches.eight_stop and _holds_rank(play, EIGHT):
        return True
    if switches.two_clears and not play.sequence and play.rank == (THREE if is_reversed else TWO):
        return True
    return switches.spade_three == 2 and state.size == 1 and state.rank == JOKER_RANK


@kernel
def _lock_suits(state, play, switches):
    """Set the lock that a play makes with those before it (``suit_lock``)."""
    suits = np.int16(play.suits)
    if play.first >> NATURAL and not switches.joker_locks:
        suits = np.int16(0)
    common = suits & state.suits
    if switches.lock_after == 3:
        common &= state.suits_before
    if switches.suit_lock == 2 or (switches.suit_lock == 1 and common == play.suits):
        state.lock |= common
    state.suits_before = state.suits
    state.suits = suits


@kernel
def _play(state, play, switches):
    """Make a legal play for the one to act."""
    is_reversed = _order(state)
    state.actions += 1
    state.clears = _does_clear(state, play, is_reversed, switches)
    state.forbids = _is_forbidden(play, is_reversed, switches)
    _take(state, play.first, play.second)
    first, second = _with(state.played_first, state.played_second, play.first, play.second)
    state.played_first, state.played_second = first, second
    if switches.suit_lock:
        _lock_suits(state, play, switches)
    state.table_first, state.table_second, state.table_suits = play.first, play.second, play.suits
    state.sequence, state.size, state.rank = play.sequence, play.size, play.rank
    state.last = state.turn
    if not switches.pass_is_final:
        state.passed = 0
    if _is_revolution(play, switches):
        state.revolutions += 1
        if switches.reverses_at_once:
            state.is_reversed ^= True
        else:
            state.pending ^= True
    if switches.eleven_back and _holds_rank(play, JACK):
        state.eleven ^= True
    if switches.ten_discard:
        held = popcount(state.first[state.turn]) + popcount(state.second[state.turn])
        state.discards = min(_count_rank(play, TEN), held)
        if state.discards:
            return
    _conclude(state, switches)


@kernel
def _discard(state, first, second, switches):
    """Discard a card of the one to act, who may; none ends it."""
    state.actions += 1
    _take(state, first, second)
    state.discards = state.discards - 1 if first else 0
    if not state.discards:
        _conclude(state, switches)


@kernel
def _pass(state, switches):
    """Pass for the one to act."""
    state.actions += 1
    state.passed |= 1 << state.turn
    _advance(state, switches)


@kernel
def _conclude(state, switches):
    """What follows a play: going out, clearing the table, the next turn."""
    seat = state.turn
    if not state.first[seat]:
        _go_out(state, seat, switches)
    if state.clears:
        _clear(state)
        if not state.in_play >> seat & 1:
            _next(state)
    else:
        _advance(state, switches)


@kernel
def _go_out(state, seat, switches):
    """A player has no cards left."""
    state.in_play &= ~(1 << seat)
    state.order[state.finished] = seat
    state.finished += 1
    if state.forbids:
        state.forbidden |= 1 << seat
        if popcount(state.in_play) == 1:
            _judge_champion(state, lowest_bit(np.int64(state.in_play)), switches)
    else:
        _judge_champion(state, seat, switches)


@kernel
def _judge_champion(state, seat, switches):
    """Once it is known who comes first: a Daifugō who is that is no longer in danger, any other falls."""
    if switches.falls and state.champion >= 0:
        if seat != state.champion:
            state.fallen = 1 << state.champion
            if switches.falls_at_once:
                state.in_play &= ~state.fallen
        state.champion = -1


@kernel
def _next(state):
    """Turn to the next player clockwise who plays on and has not passed out of the trick."""
    for _ in range(state.players):
        state.turn = (state.turn + 1) % state.players
        if (state.in_play & ~state.passed) >> state.turn & 1:
            return


@kernel
def _advance(state, switches):
    """Turn to the next player, or, if the trick is over, clear the table and turn to who leads."""
    waiting = np.int64(state.in_play & ~state.passed)
    if not switches.all_pass:
        waiting &= ~(1 << state.last)
    if waiting:
        _next(state)
        return
    _clear(state)
    state.turn = state.last
    if not state.in_play >> state.last & 1:
        _next(state)


@kernel
def _places(state, places):
    """The place of each seat, 0 the first, once the deal is over."""
    low = np.int64(state.forbidden | state.fallen)
    place = 0
    for i in range(state.finished):
        if not low >> state.order[i] & 1:
            places[state.order[i]] = place
            place += 1
    for seat in range(state.players):
        if (state.in_play & ~low) >> seat & 1:
            places[seat] = place
            place += 1
    for i in range(state.finished - 1, -1, -1):
        seat = state.order[i]
        if (state.forbidden & ~state.fallen) >> seat & 1:
            places[seat] = place
            place += 1
    for seat in range(state.players):
        if state.fallen >> seat & 1:
            places[seat] = place


def places_of(state: np.void) -> tuple[int, ...]:
    """The place of each seat once a deal is over, 0 the first."""
    places: NDArray[np.int64] = np.zeros(MOST_PLAYERS, dtype=np.int64)
    _places(state, places)
    return tuple(places[: int(state["players"])].tolist())


def new_state() -> np.void:
    """A state whose fields are still to be set: ``STATE``."""
    return np.zeros(1, dtype=STATE)[0]  # type: ignore[no-any-return]


def table_row(state: np.void) -> np.void | None:
    """The play to beat as a row: ``PLAY``; None if there is none."""
    if not state["size"]:
        return None
    row = np.zeros(1, dtype=PLAY)
    for name in ("first", "second", "suits"):
        row[name] = state[f"table_{name}"]
    for name in ("sequence", "size", "rank"):
        row[name] = state[name]
    return row[0]  # type: ignore[no-any-return]
