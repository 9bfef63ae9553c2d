"""What a player can do, as far as it makes a difference: the ground of the exact endgame searches.

What is left out is sound under every rule record:

- Cards of one rank that can't be in a sequence any more differ in nothing if suits are never locked. A hand only
  shrinks, so a card that is in no sequence of a hand now will be in none later. Of the plays that differ only in such
  cards one is kept. The 3 of spades is a card of its own while a joker may still be beaten by it.
- A player who can't play passes; that is no choice, and the state in between is never looked at.
"""

from __future__ import annotations

import numpy as np

from solver.bits import lowest_bit, popcount
from solver.daifugo.cards import JOKER_RANK, NATURAL, SPADE_THREE
from solver.daifugo.plays import LEAST_SEQUENCE, _beginnings
from solver.daifugo.state import _discard, _legal_plays, _pass, _play, _without
from solver.jit import kernel


@kernel
def _in_sequences(first, switches):
    """The natural cards of a hand that can be in a sequence now or later."""
    if not switches.sequences:
        return np.int64(0)
    held = first & ((np.int64(1) << (4 * (switches.most_sequence + 1))) - 1)
    jokers = popcount(first >> NATURAL)
    begins = _beginnings(held, jokers) & ((np.int64(1) << (4 * (switches.most_sequence + 2 - LEAST_SEQUENCE))) - 1)
    return held & (begins | begins << 4 | begins << 8)


@kernel
def _is_spade_three_special(state, switches):
    """Whether the 3 of spades may still beat a single joker."""
    if not switches.spade_three:
        return False
    jokers = np.int64(state.size == 1 and state.rank == JOKER_RANK)
    for seat in range(state.players):
        jokers |= state.first[seat] >> NATURAL
    return jokers != 0


@kernel
def _distinct(state, seat, switches):
    """The cards of a hand that differ from others of their rank in what they can do, if suits are not locked."""
    first = state.first[seat]
    distinct = _in_sequences(first, switches)
    if _is_spade_three_special(state, switches):
        distinct |= first & np.int64(1) << SPADE_THREE
    return distinct


@kernel
def _is_repeated(first, second, distinct, out, begin, at):
    """Whether a set, or a discard, has the effect of an earlier one in a list of what can be done with a hand."""
    choice = out[at]
    first_left, second_left = _without(first, second, choice.first, choice.second)
    jokers = popcount(choice.first >> NATURAL)
    for i in range(at - 1, begin - 1, -1):
        other = out[i]
        if other.rank != choice.rank or other.sequence:
            return False
        if other.size == choice.size and popcount(other.first >> NATURAL) == jokers:
            other_first, other_second = _without(first, second, other.first, other.second)
            if not ((first_left ^ other_first) | (second_left ^ other_second)) & distinct:
                return True
    return False


@kernel
def _without_repeated(first, second, distinct, out, begin, end):
    """Strike out what has the effect of something before it; returns the new end of the list."""
    kept = begin
    for at in range(begin, end):
        if kept != at:
            out[kept] = out[at]
        if out[kept].sequence or not _is_repeated(first, second, distinct, out, begin, kept):
            kept += 1
    return kept


@kernel
def _discards(state, out, begin):
    """Enter all cards that may be discarded, each as a single; returns the end of the list."""
    seat, end = state.turn, begin
    held = state.first[seat]
    while held:
        card = lowest_bit(held)
        held = held & (held - 1) if card < NATURAL else np.int64(0)
        choice = out[end]
        choice.first, choice.second = np.int64(1) << card, 0
        choice.sequence, choice.size, choice.rank, choice.suits = 0, 1, card >> 2, 0
        end += 1
    return end


@kernel
def _enter_nothing(out, end):
    """Enter a pass, or that no card is discarded."""
    choice = out[end]
    choice.first = choice.second = 0
    choice.sequence = choice.size = choice.rank = choice.suits = 0
    return end + 1


@kernel
def _choices(state, book, out, begin):
    """Enter the choices of the one to act, from a place in ``out`` on; returns the end of the list.

    ``out``: ``PLAY``, with room for all plays of the hand and one more; of size 0: a pass, or no discard. A player who
    can't play has no choice.
    """
    end = _discards(state, out, begin) if state.discards else begin + _legal_plays(state, book, out[begin:])
    if not book.switches.suit_lock:
        seat = state.turn
        distinct = _distinct(state, seat, book.switches)
        end = _without_repeated(state.first[seat], state.second[seat], distinct, out, begin, end)
    if end > begin and (state.size or state.discards):
        end = _enter_nothing(out, end)
    return end


@kernel
def _choose(state, choice, switches):
    """Do what was chosen."""
    if state.discards:
        _discard(state, choice.first, choice.second, switches)
    elif choice.size:
        _play(state, choice, switches)
    else:
        _pass(state, switches)
