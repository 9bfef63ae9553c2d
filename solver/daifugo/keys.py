"""Exact keys: two states of a deal with equal keys are worth the same to every player.

A key holds all that matters for what can still happen, and leaves out what does not, under every rule record:

- which cards of a rank they are that differ in nothing (``choices``);
- in sets of ranks that nobody holds: if nobody can make a sequence, only the order of the ranks held matters, and the
  ranks with an effect of their own; the play to beat is then known by how many of those ranks are below it;
- who went out when, but for those whom a Daifugō who falls would come after;
- the cards on the table and those played before.
"""

from __future__ import annotations

import numpy as np

from solver.bits import lowest_bit, popcount
from solver.daifugo.cards import EIGHT, JACK, JOKER_RANK, NATURAL, NATURAL_MASK, SPADE_THREE, TEN, THREE, TWO
from solver.daifugo.choices import _in_sequences, _is_spade_three_special
from solver.daifugo.plays import _higher
from solver.daifugo.state import _order
from solver.jit import kernel

SPADE_THREE_BIT = 60


def key_words(players: int, decks: int) -> int:
    """How many words of 64 bits a key of so many players has."""
    return players * (1 + decks) + 2


@kernel
def _counts(first, second):
    """How many natural cards of each rank a hand holds, four bits each."""
    total = np.int64(0)
    for word in (first & NATURAL_MASK, second):
        pairs = word - ((word >> 1) & 0x5555555555555)
        total += (pairs & 0x3333333333333) + ((pairs >> 2) & 0x3333333333333)
    return total


@kernel
def _ranks_of_effect(switches):
    """The ranks that have an effect of their own, as lowest bits of four each."""
    ranks = np.int64(0)
    if switches.three_threes or switches.two_clears or switches.forbidden_finish == 1 or switches.spade_three:
        ranks |= np.int64(1) << (4 * THREE)
    if switches.two_clears or switches.forbidden_finish == 1:
        ranks |= np.int64(1) << (4 * TWO)
    if switches.eight_stop:
        ranks |= np.int64(1) << (4 * EIGHT)
    if switches.ten_discard:
        ranks |= np.int64(1) << (4 * TEN)
    if switches.eleven_back:
        ranks |= np.int64(1) << (4 * JACK)
    return ranks


@kernel
def _ranks_held(state, seats):
    """The ranks held by anybody, as lowest bits of four each."""
    ranks = np.int64(0)
    for seat in seats:
        cards = state.first[seat] & NATURAL_MASK
        ranks |= (cards | cards >> 1 | cards >> 2 | cards >> 3) & 0x1111111111111
    return ranks


@kernel
def _pushed_together(counts, ranks, fixed):
    """Counts of ranks without those of the ranks left out: each moves down to the one below, but for the fixed ones."""
    together, place = np.int64(0), np.int64(0)
    while ranks:
        rank = lowest_bit(ranks)
        ranks &= ranks - 1
        if fixed >> rank & 1:
            place = rank
        together |= (counts >> rank & 15) << place
        place += 4
    return together


@kernel
def _beating(state, ranks, switches):
    """The play to beat by how many of some ranks are below what beats it, in reversed order up to it; 15 for jokers."""
    if state.size == 0:
        return np.int64(0)
    if state.rank == JOKER_RANK:
        return np.int64(15)
    if state.sequence:
        return np.int64(state.rank)
    is_reversed = _order(state)
    lowest, highest = _higher(np.int64(state.rank), np.int64(state.size), False, is_reversed, switches)
    if is_reversed:
        return popcount(ranks & ((np.int64(1) << (4 * (highest + 1))) - 1)) if highest >= 0 else np.int64(0)
    return popcount(ranks & ((np.int64(1) << (4 * lowest)) - 1))


@kernel
def _write_hands(state, seats, book, key):
    """Write what matters of the hands; returns the number that stands for the rank of the play to beat."""
    switches = book.switches
    words = 1 + switches.decks
    if switches.suit_lock:
        for i in range(seats.shape[0]):
            key[words * i], key[words * i + 1] = state.first[seats[i]], state.second[seats[i]]
            if words == 3:
                key[words * i + 2] = 0
        return np.int64(state.rank)
    special = _is_spade_three_special(state, switches)
    sequences = np.int64(0)
    for i in range(seats.shape[0]):
        first, second = state.first[seats[i]], state.second[seats[i]]
        cards = _in_sequences(first, switches)
        sequences |= cards
        key[words * i] = cards
        key[words * i + 1] = _counts(first, second)
        if words == 3:
            key[words * i + 2] = second & cards
    rank = np.int64(state.rank)
    if not sequences:
        fixed = _ranks_of_effect(switches)
        ranks = _ranks_held(state, seats) | fixed
        rank = _beating(state, ranks, switches)
        for i in range(seats.shape[0]):
            key[words * i + 1] = _pushed_together(key[words * i + 1], ranks, fixed)
    for i in range(seats.shape[0]):
        first = state.first[seats[i]]
        key[words * i + 1] |= popcount(first >> NATURAL) << NATURAL
        if special:
            key[words * i + 1] |= (first >> SPADE_THREE & 1) << SPADE_THREE_BIT
    return rank


@kernel
def _can_be_overtaken(state):
    """Whether a Daifugō who falls comes after others than he would otherwise, of those who are out already."""
    if state.champion < 0:
        return (state.fallen & state.in_play) != 0 and state.forbidden != 0
    if state.in_play >> state.champion & 1:
        return state.forbidden != 0
    for i in range(state.finished):
        if state.order[i] == state.champion:
            return False
        if state.forbidden >> state.order[i] & 1:
            return True
    return False


@kernel
def _write_key(state, seats, book, key):
    """Write the key of a state.

    ``seats``: those who played on where the search began; ``key``: int64, shape (key_words,).
    """
    rank = _write_hands(state, seats, book, key)
    word = np.int64(state.turn) | np.int64(state.in_play) << 3 | np.int64(state.is_reversed) << 11
    word |= np.int64(state.fallen & state.in_play) << 12 | np.int64(state.champion + 1) << 20
    word |= np.int64(_can_be_overtaken(state)) << 24
    locks = np.int64(0)
    if state.size:
        word |= np.int64(state.size) << 25 | rank << 29 | np.int64(state.sequence) << 33
        word |= np.int64(state.pending) << 34 | np.int64(state.eleven) << 35 | np.int64(state.last) << 36
        word |= np.int64(state.passed & state.in_play) << 39
        locks = np.int64(state.lock) | np.int64(state.suits) << 8 | np.int64(state.suits_before) << 16
    if state.discards:
        word |= np.int64(state.discards) << 47 | np.int64(state.clears) << 55 | np.int64(state.forbids) << 56
    key[key.shape[0] - 2], key[key.shape[0] - 1] = word, locks
