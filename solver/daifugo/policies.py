"""Players as kernels: what to play, to discard, and to give in the exchange.

``random`` plays any legal play, or passes, with equal chances. ``greedy`` plays its lowest cards, as many as it can,
and never passes if it can play; jokers it keeps for last. ``rules`` weighs each play by what it leaves it with
(``planning``). ``monte-carlo`` plays out what it can't see, and finds what wins for certain once it sees all
(``montecarlo``); it exchanges as ``rules`` does.

No player looks at what it may not know: of the others' hands only the number of cards is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import highest_bit, lowest_bit, popcount
from solver.daifugo.cards import JOKER_RANK, NATURAL, NATURAL_MASK
from solver.daifugo.planning import Desk, _cost, _look_round, _worths, new_desk
from solver.daifugo.state import _order, _with, _without
from solver.errors import InputError
from solver.jit import kernel
from solver.kernelshuffle import _below

NAMES = ("random", "greedy", "rules", "monte-carlo")
"""From the weakest to the strongest; a player's code is its place."""

RANDOM, GREEDY, RULES, MONTE_CARLO = range(len(NAMES))

PLAYOUTS = 400
"""Of a decision of ``monte-carlo``, unless said otherwise."""

MOST_PLAYOUTS = 1_000_000


@dataclass(frozen=True)
class Policy:
    """A player that is a kernel.

    Attributes:
        code: its place in ``NAMES``.
        playouts: of a decision, for ``monte-carlo``; else 0.
    """

    code: int
    playouts: int = 0

    @property
    def name(self) -> str:
        """Its name, which ``policy_of`` reads."""
        return NAMES[self.code] + (f":{self.playouts}" if self.playouts not in (0, PLAYOUTS) else "")


def policy_of(name: str) -> Policy:
    """The player of a name: one of ``NAMES``; ``monte-carlo:1000`` plays out 1000 times a decision.

    Raises:
        InputError: no such player, or no such number of playouts.
    """
    head, colon, number = name.partition(":")
    if head not in NAMES:
        raise InputError(f"{name!r} is no player; known are {', '.join(NAMES)}")
    code = NAMES.index(head)
    if code != MONTE_CARLO:
        if colon:
            raise InputError(f"{name!r}: only monte-carlo takes a number of playouts")
        return Policy(code)
    if not colon:
        return Policy(code, PLAYOUTS)
    if not number.isdecimal() or not 1 <= int(number) <= MOST_PLAYOUTS:
        raise InputError(f"{name!r}: playouts must be a number from 1 to {MOST_PLAYOUTS}")
    return Policy(code, int(number))


class Mind(NamedTuple):
    """Room to choose in.

    Attributes:
        words: uint64, shape (1,): the random generator (``kernelshuffle``).
        worths: float64: of each legal play, and of passing.
        desk: for plans.
    """

    words: NDArray[np.uint64]
    worths: NDArray[np.float64]
    desk: Desk


def new_mind(room: int) -> Mind:
    """Room to choose in among at most so many plays."""
    return Mind(np.zeros(1, dtype=np.uint64), np.zeros(room + 1), new_desk())


@kernel
def _height(rank, order):
    """A rank's place from the lowest, in an order; jokers are above all."""
    if rank == JOKER_RANK:
        return np.int64(JOKER_RANK)
    return np.int64(JOKER_RANK - 1 - rank if order else rank)


@kernel
def _choose_lowest(state, out, used):
    """The place of the lowest play, with the most cards of these; few jokers before all else."""
    order = _order(state)
    best, least = np.int64(-1), np.int64(1) << 40
    for place in range(used):
        play = out[place]
        jokers = popcount(play.first >> NATURAL)
        key = (jokers << 16) + (_height(play.rank, order) << 8) - play.size
        if key < least:
            best, least = np.int64(place), key
    return best


@kernel
def _choose(code, state, jokers, book, out, used, mind):
    """The place in ``out`` of what a player plays, or -1 to pass; ``jokers``: of the whole deck."""
    if used == 0:
        return np.int64(-1)
    if code == RANDOM:
        place = _below(mind.words, used + (state.size > 0))
        return place if place < used else np.int64(-1)
    if code == GREEDY:
        return _choose_lowest(state, out, used)
    place = _worths(state, jokers, book, out, used, mind.desk, mind.worths)
    return np.int64(place) if place < used else np.int64(-1)


@kernel
def _nth_card(first, second, place):
    """A card of a hand by its place, identical ones counted twice; as a hand. Jokers come last."""
    natural = first & NATURAL_MASK
    for words in (natural, second):
        count = popcount(words)
        if place < count:
            for _ in range(place):
                words &= words - 1
            return words & -words, np.int64(0)
        place -= count
    return np.int64(1) << NATURAL, np.int64(0)


@kernel
def _lowest_card(first, second, order):
    """The lowest card of a hand in an order, as a hand."""
    natural = first & NATURAL_MASK
    if not natural:
        return np.int64(1) << NATURAL, np.int64(0)
    rank = highest_bit(natural) >> 2 if order else lowest_bit(natural) >> 2
    cards = natural & np.int64(15) << (4 * rank)
    return cards & -cards, np.int64(0)


@kernel
def _cheapest(first, second, among_first, order, switches, desk):
    """That of some cards of a hand without which it costs least, as a hand, and what it costs then."""
    best, least = np.int64(0), 1e9
    while among_first:
        if among_first & NATURAL_MASK:
            card = among_first & -among_first
            among_first ^= card
        else:
            card, among_first = np.int64(1) << NATURAL, np.int64(0)
        rest_first, rest_second = _without(first, second, card, np.int64(0))
        cost = _cost(rest_first, rest_second, order, switches, desk)[0] if rest_first else -1.0
        if cost < least:
            best, least = card, cost
    return best, least


@kernel
def _choose_discard(code, state, jokers, book, mind):
    """The card that a player discards for a 10, as a hand; none to keep all."""
    seat = state.turn
    first, second = state.first[seat], state.second[seat]
    held = popcount(first) + popcount(second)
    nothing = np.int64(0), np.int64(0)
    if code == RANDOM:
        place = _below(mind.words, held + 1)
        return _nth_card(first, second, place) if place < held else nothing
    if held == 1 and state.forbids and code != GREEDY:
        return nothing
    order = np.int64(state.is_reversed ^ state.pending)
    if code == GREEDY:
        return _lowest_card(first, second, order)
    _look_round(first, second, state, np.int64(seat), jokers, book.switches, mind.desk)
    card, cost = _cheapest(first, second, first, order, book.switches, mind.desk)
    if held > 1 and cost >= _cost(first, second, order, book.switches, mind.desk)[0]:
        return nothing
    return card, np.int64(0)


@kernel
def _choose_gift(code, asked_first, asked_second, count, keeps, state, seat, jokers, book, mind):
    """What the poor gives: cards asked for if it holds them, then its highest; ``keeps``: it may keep jokers.

    Of cards of equal rank a player chooses by its ways; ``random`` tosses a coin whether to keep jokers it may keep,
    the others do.
    """
    first, second = state.first[seat], state.second[seat]
    if keeps and code == RANDOM:
        keeps = _below(mind.words, 2) == 1
    given_first = given_second = np.int64(0)
    if code >= RULES:
        _look_round(first, second, state, seat, jokers, book.switches, mind.desk)
    for _ in range(count):
        if keeps and not first & NATURAL_MASK:
            keeps = False
        card = _asked_card(first, asked_first, asked_second, keeps)
        if card:
            asked_first, asked_second = _without(asked_first, asked_second, card, np.int64(0))
        elif first >> NATURAL and not keeps:
            card = np.int64(1) << NATURAL
        else:
            natural = first & NATURAL_MASK
            cards = natural & np.int64(15) << (4 * (highest_bit(natural) >> 2))
            if code == RANDOM:
                card = _nth_card(cards, np.int64(0), _below(mind.words, popcount(cards)))[0]
            elif code == GREEDY:
                card = np.int64(1) << highest_bit(cards)
            else:
                card = _cheapest(first, second, cards, 0, book.switches, mind.desk)[0]
        first, second = _without(first, second, card, np.int64(0))
        given_first, given_second = _with(given_first, given_second, card, np.int64(0))
    return given_first, given_second


@kernel
def _asked_card(first, asked_first, asked_second, keeps):
    """A card that is asked for and held, the highest such, or 0."""
    if asked_first >> NATURAL and first >> NATURAL and not keeps:
        return np.int64(1) << NATURAL
    both = asked_first & first & NATURAL_MASK
    return np.int64(1) << highest_bit(both) if both else np.int64(0)


@kernel
def _choose_request(code, count, state, seat, jokers, decks, mind):
    """The cards that the rich asks for: some it does not hold all copies of; the highest, or any if at random."""
    first, second = state.first[seat], state.second[seat]
    asked_first = asked_second = np.int64(0)
    missing = jokers - popcount(first >> NATURAL)
    for _ in range(count):
        free = NATURAL_MASK & ~((first if decks == 1 else second) | asked_first)
        if code == RANDOM:
            place = _below(mind.words, popcount(free) + missing)
            card = _nth_card(free, np.int64(0), place)[0]
        else:
            card = np.int64(1) << NATURAL if missing else np.int64(1) << highest_bit(free)
        missing -= card >> NATURAL
        asked_first, asked_second = _with(asked_first, asked_second, card, np.int64(0))
    return asked_first, asked_second


@kernel
def _choose_return(code, count, state, seat, jokers, book, mind):
    """What the rich gives back."""
    first, second = state.first[seat], state.second[seat]
    given_first = given_second = np.int64(0)
    if code >= RULES:
        _look_round(first, second, state, seat, jokers, book.switches, mind.desk)
    for _ in range(count):
        if code == RANDOM:
            card = _nth_card(first, second, _below(mind.words, popcount(first) + popcount(second)))[0]
        elif code == GREEDY:
            card = _lowest_card(first, second, False)[0]
        else:
            card = _cheapest(first, second, first, 0, book.switches, mind.desk)[0]
        first, second = _without(first, second, card, np.int64(0))
        given_first, given_second = _with(given_first, given_second, card, np.int64(0))
    return given_first, given_second
