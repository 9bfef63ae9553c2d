"""The players of ``policies`` one choice at a time, for a game that is not played in kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solver.daifugo.cards import Hand
from solver.daifugo.montecarlo import NOTES, Room, _clear_notes, _think, _think_of_discard, new_room
from solver.daifugo.plays import Play, book_of
from solver.daifugo.policies import (
    MONTE_CARLO,
    Policy,
    _choose,
    _choose_discard,
    _choose_gift,
    _choose_request,
    _choose_return,
)
from solver.daifugo.rules import RuleSet
from solver.daifugo.state import STATE, _begin, _legal_plays
from solver.daifugo.winning import Duel, new_duel, no_duel
from solver.deck import WORD_MASK

NOTHING: Hand = (0, 0)


@dataclass(frozen=True)
class Memory:
    """What a seat knows beside its hand and what lies open.

    Attributes:
        known: by seat, cards it is known to have held and not to have played: what was given to it in the exchange,
            or got from it and given back.
        limits: by seat, the highest rank that its other cards can have, as it gave away its highest ones.
        keeps: seats that may hold jokers nevertheless (``joker_kept``).
        gone: the cards this seat has discarded.
        discarded: by seat, how many each has discarded.
    """

    known: Mapping[int, Hand] = field(default_factory=dict)
    limits: Mapping[int, int] = field(default_factory=dict)
    keeps: frozenset[int] = frozenset()
    gone: Hand = NOTHING
    discarded: Mapping[int, int] = field(default_factory=dict)


NO_MEMORY = Memory()


class Chooser:
    """Chooses as a policy does, by some rules; the same choices for the same seed and questions."""

    def __init__(self, policy: Policy, rules: RuleSet, seed: int = 0) -> None:
        self.policy = policy
        self.rules = rules
        self._book = book_of(rules)
        self._jokers = rules.decks * rules.jokers
        self._room: Room = new_room(rules)
        self._duel: Duel = new_duel(rules.decks) if policy.code == MONTE_CARLO else no_duel(rules.decks)
        self._room.mind.words[0] = np.uint64(seed & WORD_MASK)
        self._states: NDArray[np.void] = np.zeros(1, dtype=STATE)
        self._notes: NDArray[np.void] = np.zeros(1, dtype=NOTES)

    def play(self, state: np.void, counts: Sequence[int], memory: Memory = NO_MEMORY) -> Play | None:
        """What the one to act plays; None to pass.

        Args:
            state: ``state.STATE``; of the hands, that of the one to act alone is read.
            counts: how many cards each seat holds.
            memory: what the one to act knows beside.
        """
        seen, room = self._seen(state, counts), self._room
        used = _legal_plays(seen, self._book, room.out)
        if self.policy.code == MONTE_CARLO:
            notes = self._notes_of(int(seen["turn"]), memory)
            place = _think(self.policy.playouts, seen, notes, self._jokers, self._book, used, room, self._duel)
        else:
            place = _choose(self.policy.code, seen, self._jokers, self._book, room.out, used, room.mind)
        return None if place < 0 else Play.from_row(room.out[place])

    def discard(self, state: np.void, counts: Sequence[int], memory: Memory = NO_MEMORY) -> Hand | None:
        """The card the one to act discards for a 10; None to keep all. Arguments as for ``play``."""
        seen = self._seen(state, counts)
        if self.policy.code == MONTE_CARLO:
            notes = self._notes_of(int(seen["turn"]), memory)
            first, second = _think_of_discard(seen, notes, self._jokers, self._book, self._room, self._duel)
        else:
            first, second = _choose_discard(self.policy.code, seen, self._jokers, self._book, self._room.mind)
        return (int(first), int(second)) if first else None

    def give(self, hand: Hand, count: int, players: int, asked: Hand = NOTHING, *, keeps: bool = False) -> Hand:
        """What a poor gives of a hand: cards asked for, and its highest; ``keeps``: it may keep jokers."""
        first, second = _choose_gift(
            self.policy.code,
            np.int64(asked[0]),
            np.int64(asked[1]),
            count,
            keeps,
            self._dealt(hand, players),
            np.int64(0),
            self._jokers,
            self._book,
            self._room.mind,
        )
        return int(first), int(second)

    def give_back(self, hand: Hand, count: int, players: int) -> Hand:
        """What a rich returns, of its hand with the gift."""
        state = self._dealt(hand, players)
        first, second = _choose_return(
            self.policy.code, count, state, np.int64(0), self._jokers, self._book, self._room.mind
        )
        return int(first), int(second)

    def request(self, hand: Hand, count: int, players: int) -> Hand:
        """The cards a rich asks for."""
        state = self._dealt(hand, players)
        first, second = _choose_request(
            self.policy.code, count, state, np.int64(0), self._jokers, self.rules.decks, self._room.mind
        )
        return int(first), int(second)

    def _seen(self, state: np.void, counts: Sequence[int]) -> np.void:
        """The state with so many cards, whichever, in the others' hands."""
        self._states[0] = state
        seen: np.void = self._states[0]
        for seat, count in enumerate(counts):
            if seat != seen["turn"]:
                seen["first"][seat], seen["second"][seat] = (1 << count) - 1, 0
        return seen

    def _dealt(self, hand: Hand, players: int) -> np.void:
        """The state before the first play, with a hand in seat 0."""
        state: np.void = self._states[0]
        state["first"][:], state["second"][:] = 0, 0
        state["first"][0], state["second"][0] = hand
        _begin(state, players, 0, -1)
        return state

    def _notes_of(self, seat: int, memory: Memory) -> np.void:
        """What a seat knows, in the words of kernels."""
        notes: np.void = self._notes[0]
        _clear_notes(notes)
        for other, (first, second) in memory.known.items():
            notes["known_first"][seat, other], notes["known_second"][seat, other] = first, second
        for other, rank in memory.limits.items():
            notes["limit"][seat, other] = rank
        notes["keeps"] = sum(1 << other for other in memory.keeps)
        notes["gone_first"][seat], notes["gone_second"][seat] = memory.gone
        for other, count in memory.discarded.items():
            notes["discarded"][other] = count
        return notes
