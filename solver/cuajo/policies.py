"""Players as kernels: what each does in a state, of which it uses only what its seat may know.

- ``random``: every legal action alike.
- ``simple``: keeps its distance (``solver.cuajo.blocks``) as low as it can. It takes a discard only if that brings it
  nearer, lays a secret that costs it nothing, and always claims.
- ``careful``: counts, for each discard that keeps the distance low, the cards still unseen that would bring it nearer,
  and, once purro, what each of them pays; leaves the next player, who is always an opponent, what is of least use, and
  who is purro what they let go by; lays secrets even at the price of an exchange.
"""

from __future__ import annotations

import numpy as np

from solver.bits import lowest_bit, popcount
from solver.cuajo.blocks import waste_of, wastes_after
from solver.cuajo.cards import ACE, COPIES, KINDS
from solver.cuajo.distances import NONE as NO_WASTE
from solver.cuajo.melds import words_with, words_without
from solver.cuajo.rows import count_in, tally
from solver.cuajo.rules import PLAYERS, RUNS, SECRET, SOWEE_SECRET
from solver.cuajo.state import (
    CLAIMING,
    CLOSE,
    DISCARD,
    DRAW,
    DRAWING,
    KING_BITS,
    LAY,
    NONE,
    RANKS_OF_SUIT,
    SKIP,
    TAKE,
    VERB,
    WIN,
    _actor,
    _completing,
    _entitled,
    _legal,
    _price,
    _size,
    _wins_with,
    _without_sowee,
)
from solver.errors import InputError
from solver.jit import kernel

POLICIES = ("random", "simple", "careful")
"""The players by name; a player's code is its place."""

RANDOM, SIMPLE, CAREFUL = range(len(POLICIES))

EXCHANGE = 1000
"""What an exchange is worth to ``careful``, in the unit of one unseen card that brings it nearer (10)."""

CARD = 10
RISK = (60, 250, 900)
"""What giving a purro opponent a card they have not let go by is worth, at distance 0, 1, and beyond."""


def policy_code(name: str) -> int:
    """The code of a player by name; raises InputError if there is none of that name."""
    if name not in POLICIES:
        raise InputError(f"{name!r} is no player; known are {', '.join(POLICIES)}")
    return POLICIES.index(name)


@kernel
def _next_word(words):
    """The next 64 random bits (splitmix64; Steele, Lea and Flood, "Fast splittable pseudorandom number generators")."""
    words[0] += np.uint64(0x9E3779B97F4A7C15)
    word = words[0]
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def _nth_bit(bits, number):
    """The place of a bit that is set, the lowest being number 0."""
    for _ in range(number):
        bits &= bits - 1
    return lowest_bit(bits)


@kernel
def _choose_random(verbs, lays, closes, discards, words):
    """Any legal action, each alike."""
    total = popcount(verbs) + popcount(lays) + popcount(closes) + popcount(discards)
    # The upper half of the word, so that the bias of at most 2**-26 can't be seen in any survey.
    number = np.int64(_next_word(words) >> np.uint64(32)) * total >> 32
    for first, bits in ((0, verbs), (VERB * LAY, lays), (VERB * CLOSE, closes), (VERB * DISCARD, discards)):
        if number < popcount(bits):
            place = _nth_bit(bits, number)
            return VERB * place if first == 0 else first + place
        number -= popcount(bits)
    return np.int64(VERB * SKIP)


@kernel
def _waste(state, seat, book):
    """The waste of a seat's hand as it is."""
    return waste_of(state.low[seat], state.high[seat], _size(state, seat), book.tables)


@kernel
def _secret(state, seat, lays, closes, price, book):
    """A secret to lay that raises the waste by at most ``price``; -1 if there is none."""
    size, low, high = _size(state, seat), state.low[seat], state.high[seat]
    now = waste_of(low, high, size, book.tables)
    while lays:
        kind = np.int64(lowest_bit(lays))
        lays &= lays - 1
        less_low, less_high = low, high
        for _ in range(SECRET):
            less_low, less_high = words_without(less_low, less_high, kind)
        if waste_of(less_low, less_high, size - SECRET, book.tables) <= now + price:
            return VERB * LAY + kind
    if closes:
        less_low, less_high = _without_sowee(low, high, np.int64(state.sowee))
        less = waste_of(less_low, less_high, size - SOWEE_SECRET, book.tables)
        if less <= now + price:
            kind = _fourth(less_low, less_high, size - SOWEE_SECRET, less, closes, book)
            if kind >= 0:
                return VERB * CLOSE + kind
    return np.int64(NONE)


@kernel
def _fourth(low, high, size, waste, closes, book):
    """A card to close that stays of use anyway: a king, or one that is in every best hand; -1 if there is none."""
    if closes & KING_BITS:
        return np.int64(lowest_bit(closes & KING_BITS))
    while closes:
        kind = np.int64(lowest_bit(closes))
        closes &= closes - 1
        less_low, less_high = words_without(low, high, kind)
        if waste_of(less_low, less_high, size, book.tables) >= waste:
            return kind
    return np.int64(NONE)


@kernel
def _brings_nearer(state, seat, kind, book):
    """Whether a card wins, or with the best discard would lower the waste of fifteen cards."""
    if _entitled(state, seat, book) and _wins_with(state, seat, kind, book):
        return True
    low, high = words_with(state.low[seat], state.high[seat], kind)
    # Of sixteen cards with the waste w the best discard leaves w - 1, or w if there is nothing to throw away.
    after = max(0, waste_of(low, high, _size(state, seat), book.tables) - 1)
    return after < _waste(state, seat, book)


@kernel
def _before_discard(state, seat, verbs, lays, closes, discards, price, book):
    """What is done before a card is discarded, or instead; -1 if that is due."""
    if verbs >> WIN & 1:
        return np.int64(VERB * WIN)
    if lays or closes:
        action = _secret(state, seat, lays, closes, price, book)
        if action >= 0:
            return action
    if state.phase == DRAWING:
        if verbs >> TAKE & 1 and _brings_nearer(state, seat, np.int64(state.top), book):
            return np.int64(VERB * TAKE)
        return np.int64(VERB * DRAW)
    if not discards:
        return np.int64(VERB * SKIP)
    return np.int64(-1)


@kernel
def _choose_simple(state, seat, verbs, lays, closes, discards, waste_room, book):
    action = _before_discard(state, seat, verbs, lays, closes, discards, 0, book)
    if action >= 0:
        return action
    wastes_after(state.low[seat], state.high[seat], _size(state, seat), book.tables, waste_room)
    best, least = np.int64(NONE), np.int64(2 * NO_WASTE)
    for kind in range(KINDS):
        if discards >> kind & 1 and waste_room[kind] < least:
            best, least = np.int64(kind), waste_room[kind]
    return VERB * DISCARD + best


@kernel
def _unseen(state, seat, out):
    """For each kind how many cards a seat has not seen."""
    low, high = tally(state.low[seat]), tally(state.high[seat])
    pile_low, pile_high = tally(state.pile_low), tally(state.pile_high)
    for kind in range(KINDS):
        out[kind] = COPIES - count_in(low, high, kind) - count_in(pile_low, pile_high, kind)
        if state.laid[seat] >> kind & 1:
            out[kind] = 0
    out[state.sowee] -= 1 + SOWEE_SECRET * (state.closed[seat] >= 0)


@kernel
def _use(kind, unseen):
    """How much a card may be of use to others: the unseen cards that make combinations with it."""
    rank = kind % RANKS_OF_SUIT
    found = 0
    for other in range(rank, KINDS, RANKS_OF_SUIT):
        found += unseen[other]
    if rank != ACE:
        first = kind - rank + (RUNS[0][0] if rank < RUNS[1][0] else RUNS[1][0])
        for other in range(first, first + 3):
            found += unseen[other]
    return found


@kernel
def _improving(low, high, waste, size, unseen, book):
    """How many unseen cards bring fifteen cards with a waste nearer."""
    found = 0
    for kind in range(KINDS):
        if unseen[kind] > 0 and count_in(tally(low), tally(high), kind) < COPIES:
            more_low, more_high = words_with(low, high, kind)
            if waste_of(more_low, more_high, size, book.tables) <= waste:
                found += unseen[kind]
    return found


@kernel
def _prospect(states, seat, kind, unseen, book):
    """What a hand is worth that is purro after discarding a card: unseen cards that win, by what they pay, in cents."""
    state, trial = states[0], states[1]
    low, high = words_without(state.low[seat], state.high[seat], kind)
    trial.low[seat], trial.high[seat] = low, high
    bits = _completing(trial, seat, book)
    found = 0
    while bits:
        other = np.int64(lowest_bit(bits))
        bits &= bits - 1
        if unseen[other] > 0:
            more_low, more_high = words_with(low, high, other)
            trial.low[seat], trial.high[seat] = more_low, more_high
            # One own draw to three of others; what would be turned for the conditions is left out.
            trial.turned, trial.drawn = 0, trial.stock.shape[0]
            value = _price(trial, seat, other, 0, book) + 3 * _price(trial, seat, other, 1, book)
            found += unseen[other] * (200 + value // 4)
            trial.low[seat], trial.high[seat] = low, high
    return found


@kernel
def _choose_discard(states, seat, discards, waste_room, unseen, book):
    """The discard that scores best."""
    state, size = states[0], _size(states[0], seat)
    low, high = state.low[seat], state.high[seat]
    wastes_after(low, high, size, book.tables, waste_room)
    least = np.int64(NO_WASTE)
    for kind in range(KINDS):
        if discards >> kind & 1:
            least = min(least, waste_room[kind])
    follower = (seat + 1) % PLAYERS
    danger = state.purro >> follower & 1
    best, most = np.int64(NONE), np.int64(-1 << 40)
    for kind in range(KINDS):
        if not discards >> kind & 1 or waste_room[kind] > least + danger:
            continue
        waste = waste_room[kind]
        score = -EXCHANGE * waste - _use(kind, unseen)
        if danger and not state.passed[follower] >> kind & 1:
            score -= RISK[min(waste, 2)]
        if waste == 0:
            score += _prospect(states, seat, kind, unseen, book) // 20
        elif waste < NO_WASTE:
            less_low, less_high = words_without(low, high, kind)
            score += CARD * _improving(less_low, less_high, waste, size, unseen, book)
        if score > most:
            best, most = np.int64(kind), score
    return VERB * DISCARD + best


@kernel
def _choose_careful(states, seat, verbs, lays, closes, discards, waste_room, unseen, book):
    state = states[0]
    action = _before_discard(state, seat, verbs, lays, closes, discards, 1, book)
    if action >= 0:
        return action
    _unseen(state, seat, unseen)
    states[1] = states[0]
    return _choose_discard(states, seat, discards, waste_room, unseen, book)


@kernel
def _choose(code, states, words, waste_room, unseen, book):
    """The action of a player in ``states[0]``; ``states[1]`` is room.

    Args:
        code: of the player.
        states: ``STATE``, shape (2,).
        words: uint64, shape (1,): the state of the random numbers.
        waste_room, unseen: int64, shape (28,): room.
        book: the rules.
    """
    state = states[0]
    seat = np.int64(_actor(state))
    verbs, lays, closes, discards = _legal(state, book)
    if code == RANDOM:
        return _choose_random(verbs, lays, closes, discards, words)
    if state.phase == CLAIMING:
        return np.int64(VERB * WIN)
    if code == SIMPLE:
        return _choose_simple(state, seat, verbs, lays, closes, discards, waste_room, book)
    return _choose_careful(states, seat, verbs, lays, closes, discards, waste_room, unseen, book)
