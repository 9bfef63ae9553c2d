"""What a hand is worth to its holder: the groups it falls into, and how likely each is to win its trick.

A hand falls into sets and sequences, each to be played as a whole. A group costs a turn to be rid of, less what its
strength gives back: the chance that nobody beats it, from the cards that its holder has not seen. Playing well is
keeping the cost of what is left low; see ``_worth``. All is estimated from what the holder may know: its own hand, the
cards played, and how many cards the others hold.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import lowest_bit, popcount
from solver.daifugo.cards import EIGHT, JOKER_RANK, NATURAL, NATURAL_MASK, SPADE_THREE, THREE, TWO
from solver.daifugo.plays import LEAST_SEQUENCE, MOST_SET
from solver.daifugo.state import _does_clear, _is_forbidden, _is_revolution, _order, _without
from solver.jit import kernel

RECOVERY = 1.25
"""A group that surely wins its trick gives back so much of the turn it costs. This and the next four were tuned."""

DOUBT = 1.0
"""How much each expected answer of the others takes from the chance to win the trick."""

LEAD = 0.4
"""What it is worth, in turns, to win the trick."""

PATIENCE = 0.15
"""What it is worth to pass and keep the hand as it is."""

ALARM = 0.6
"""What it costs to let another answer who could go out with so many cards."""

NO_END = 3.0
"""What it costs to be left with nothing that may be played last."""

LEAST_GAIN = 0.05
"""A sequence is taken out of a hand if it saves more than this."""

SURE = 0.999
WON, LOST = -100.0, 100.0
"""Worths of a play that wins by force, and of one that goes out in a forbidden way."""

JOKER_DOUBT = 0.1
"""How many answers to a sequence a joker that was not seen makes expected."""

_WAYS = np.array([[1.0 if n == 0 else 0.0 for n in range(MOST_SET + 1)]] * 13)
for _m in range(1, 13):
    for _n in range(1, MOST_SET + 1):
        _WAYS[_m, _n] = _WAYS[_m - 1, _n - 1] + _WAYS[_m - 1, _n]


class Desk(NamedTuple):
    """Room to plan in.

    Attributes:
        strength: float64, shape (2, MOST_SET + 1, JOKER_RANK): of a set, by order, size and rank.
        runs: int64, shape (JOKER_RANK + 1,): by size, the cards from which so many unseen ones follow in their suit.
        counts: int64, shape (JOKER_RANK,): cards of each rank that a hand has left.
        numbers: float64, shape (2,): how many others play on, and unseen jokers.
    """

    strength: NDArray[np.float64]
    runs: NDArray[np.int64]
    counts: NDArray[np.int64]
    numbers: NDArray[np.float64]


def new_desk() -> Desk:
    """Room for a plan."""
    return Desk(
        np.zeros((2, MOST_SET + 1, JOKER_RANK)),
        np.zeros(JOKER_RANK + 1, dtype=np.int64),
        np.zeros(JOKER_RANK, dtype=np.int64),
        np.zeros(2),
    )


@kernel
def _held(first, second, rank):
    """How many cards of a rank a hand holds."""
    return popcount(first >> (4 * rank) & 15) + popcount(second >> (4 * rank) & 15)


@kernel
def _look_round(first, second, state, seat, jokers, switches, desk):
    """Fill the desk with what the holder of a hand may expect; ``jokers``: of the whole deck."""
    others = np.float64(max(1, popcount(np.int64(state.in_play) & ~(np.int64(1) << seat))))
    desk.numbers[0] = others
    unseen_jokers = jokers - popcount(first >> NATURAL) - popcount(state.played_first >> NATURAL)
    desk.numbers[1] = unseen_jokers
    for order in range(2):
        for size in range(1, MOST_SET + 1):
            _fill_strengths(first, second, state, order, size, unseen_jokers, switches, desk)
    if switches.sequences:
        gone = first | state.played_first
        if switches.decks == 2:
            gone = (first & state.played_first) | second | state.played_second
        run = NATURAL_MASK & ~gone
        unseen = run
        for size in range(2, JOKER_RANK + 1):
            run &= unseen >> (4 * (size - 1))
            desk.runs[size] = run


@kernel
def _fill_strengths(first, second, state, order, size, jokers, switches, desk):
    """The strengths of sets of one size in one order, from the highest rank down."""
    fewer = desk.numbers[0] ** (size - 1)
    answers = _WAYS[jokers, size] / fewer
    for step in range(JOKER_RANK):
        rank = step if order else JOKER_RANK - 1 - step
        unseen = 4 * switches.decks - _held(first, second, rank) - _held(state.played_first, state.played_second, rank)
        more = 0.0
        if unseen > 0:
            more = _WAYS[unseen + (jokers if size > 1 else 0), size] / fewer
        if switches.equal_follows:
            answers += more
        stops = (rank == EIGHT and switches.eight_stop) or (step == 0 and switches.two_clears)
        desk.strength[order, size, rank] = 1.0 if stops else 1.0 / (1.0 + DOUBT * answers)
        if not switches.equal_follows:
            answers += more


@kernel
def _run_strength(rank, size, order, switches, desk):
    """The strength of a sequence from its lowest rank."""
    if switches.eight_stop and rank <= EIGHT < rank + size:
        return 1.0
    step = size if switches.no_overlap else 1 - switches.equal_follows
    if order:
        higher = desk.runs[size] & ((np.int64(1) << (4 * max(0, rank - step + 1))) - 1)
    else:
        higher = desk.runs[size] >> (4 * min(JOKER_RANK, rank + step))
    answers = popcount(higher) / desk.numbers[0] ** (size - 1) + JOKER_DOUBT * desk.numbers[1]
    return 1.0 / (1.0 + DOUBT * answers)


@kernel
def _set_cost(rank, count, order, switches, desk):
    """The turns that the cards of a rank cost."""
    if count == 0:
        return 0.0
    size = min(count, np.int64(switches.max_set))
    cost = 1.0 - RECOVERY * desk.strength[order, size, rank]
    if count > size:
        cost += 1.0 - RECOVERY * desk.strength[order, count - size, rank]
    return cost


@kernel
def _take_runs(natural, order, switches, desk):
    """Take the sequences that lower the cost out of ``desk.counts``; the cost, groups and unsure ones of them."""
    cost, groups, unsure = 0.0, 0, 0
    while True:
        starts = natural & natural >> 4 & natural >> 8
        best, best_card, best_size = LEAST_GAIN, np.int64(-1), 0
        while starts:
            card = lowest_bit(starts)
            starts &= starts - 1
            rank, size, gain = card >> 2, 0, 0.0
            while rank + size <= switches.most_sequence and natural >> (card + 4 * size) & 1:
                count = desk.counts[rank + size]
                gain += _set_cost(rank + size, count, order, switches, desk)
                gain -= _set_cost(rank + size, count - 1, order, switches, desk)
                size += 1
                if size >= LEAST_SEQUENCE:
                    saved = gain - 1.0 + RECOVERY * _run_strength(rank, size, order, switches, desk)
                    if saved > best:
                        best, best_card, best_size = saved, card, size
        if best_card < 0:
            return cost, groups, unsure
        strength = _run_strength(best_card >> 2, best_size, order, switches, desk)
        cost += 1.0 - RECOVERY * strength
        groups += 1
        unsure += strength < SURE
        for step in range(best_size):
            desk.counts[(best_card >> 2) + step] -= 1
            natural &= ~(np.int64(1) << (best_card + 4 * step))


@kernel
def _cost(first, second, order, switches, desk):
    """The turns that a hand costs, its groups, those that may lose their trick, and those that may be played last."""
    natural = first & NATURAL_MASK
    for rank in range(JOKER_RANK):
        desk.counts[rank] = _held(first, second, rank)
    cost, groups, unsure = 0.0, 0, 0
    if switches.sequences:
        cost, groups, unsure = _take_runs(natural, order, switches, desk)
    last = groups
    highest = THREE if order else TWO
    for rank in range(JOKER_RANK):
        count = desk.counts[rank]
        if count:
            cost += _set_cost(rank, count, order, switches, desk)
            size = min(count, np.int64(switches.max_set))
            groups += 1 + (count > size)
            unsure += (desk.strength[order, size, rank] < SURE) + (count > size)
            forbidden = switches.forbidden_finish == 1 and rank == highest
            last += not (forbidden or (switches.eight_stop == 2 and rank == EIGHT))
    jokers = popcount(first >> NATURAL)
    if not switches.forbidden_finish:
        last += jokers
    return cost + jokers * (1.0 - RECOVERY), groups + jokers, unsure, last


@kernel
def _strength(state, play, order, switches, desk):
    """The chance that nobody beats a play on the table; ``order``: once it lies there."""
    if _does_clear(state, play, _order(state), switches):
        return 1.0
    if not np.int64(state.in_play) & ~np.int64(state.passed) & ~(np.int64(1) << state.turn) and switches.pass_is_final:
        return 1.0
    if play.rank == JOKER_RANK:
        if play.size == 1 and switches.spade_three:
            seen = (state.first[state.turn] | state.played_first) >> SPADE_THREE & 1
            return 1.0 if seen and switches.decks == 1 else 0.9
        return 1.0
    if play.sequence:
        return _run_strength(np.int64(play.rank), np.int64(play.size), order, switches, desk)
    return desk.strength[order, play.size, play.rank]


@kernel
def _threatens(state, size):
    """Whether another could go out with so many cards."""
    for seat in range(state.players):
        plays = seat != state.turn and state.in_play >> seat & 1
        if plays and popcount(state.first[seat]) + popcount(state.second[seat]) == size:
            return True
    return False


@kernel
def _worth(state, play, switches, desk):
    """What the one to act is left with after a play, in turns: less is better."""
    order = np.int64(_order(state))
    after = np.int64(state.is_reversed ^ state.pending)
    if _is_revolution(play, switches):
        after ^= 1
        if switches.reverses_at_once:
            order ^= 1
    first, second = _without(state.first[state.turn], state.second[state.turn], play.first, play.second)
    if not first:
        return LOST if _is_forbidden(play, np.int64(_order(state)), switches) else WON
    strength = _strength(state, play, order, switches, desk)
    cost, groups, unsure, last = _cost(first, second, after, switches, desk)
    if last == 0:
        cost += NO_END
    elif strength >= SURE and unsure <= 1:
        return WON / 2 + groups
    if _threatens(state, np.int64(play.size)):
        cost += ALARM * (1.0 - strength)
    return cost - LEAD * strength


@kernel
def _worths(state, jokers, book, out, used, desk, worths):
    """The worth of each legal play of the one to act, and, at place ``used``, of passing; the place of the best."""
    seat = np.int64(state.turn)
    first, second = state.first[seat], state.second[seat]
    _look_round(first, second, state, seat, jokers, book.switches, desk)
    best = used
    if state.size > 0:
        after = np.int64(state.is_reversed ^ state.pending)
        worths[used] = _cost(first, second, after, book.switches, desk)[0] - PATIENCE
    else:
        worths[used] = 2 * LOST
    for place in range(used):
        worths[place] = _worth(state, out[place], book.switches, desk)
        if worths[place] < worths[best]:
            best = place
    return best
