"""Players: what they see of a match, what they are asked, and the players that come with the library.

Who writes a player subclasses ``Player`` and overrides ``play``; the other methods have sensible defaults. A player is
asked with a ``View``, which holds what that seat may know and nothing else. ``roster`` names those that can be asked
for by name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.random import Philox

from solver.daifugo.cards import (
    EMPTY,
    JOKER_RANK,
    NATURAL,
    RANKS,
    Hand,
    count_cards,
    deck,
    holds,
    join,
    join_all,
    parse_cards,
    single_cards,
    take,
    to_hand,
)
from solver.daifugo.exchange import due_gift
from solver.daifugo.game import Game
from solver.daifugo.plays import Play, parse_play
from solver.daifugo.rules import RuleSet
from solver.events import Event
from solver.shuffle import check_shuffle

WORDS = 1 << 64
"""How many words a random generator has."""


@dataclass(frozen=True)
class View:
    """What a seat knows when it is asked.

    Attributes:
        rules: the rule set.
        seat: whose view it is.
        number: of the deal in the match, from 0.
        order: who sits where: the player of each seat.
        totals: the scores so far, by player.
        hand: the cards held.
        counts: how many cards each seat has.
        places: of each seat in the deal before, titles swapped where they are; None in the first deal.
        given: cards given in the exchange of this deal, and
        got: cards received in it.
        partner: the seat exchanged with; None if there is none.
        requested: the cards the partner has named, where the rich do that; of a gift, to whom it is due.
        events: what has happened in this deal, as far as the seat has seen it.
        table: the play to beat, if any.
        last: the seat that made it.
        is_reversed: whether the order of ranks is reversed now.
        lock: the suits the trick is locked to, as in ``Play.suits``.
        passed: who has passed since the last play (where a pass is final: in the trick).
        in_play: who still plays.
        out: who went out, in order.
        played: the cards played so far.
        legal: every play that is legal now.
        may_pass: whether passing is.
        may_discard: how many cards may be discarded now.
        state: what kernels see (``state.STATE``), the hands of the others empty; None during the exchange.
    """

    rules: RuleSet
    seat: int
    number: int
    order: tuple[int, ...]
    totals: tuple[int, ...]
    hand: Hand
    counts: tuple[int, ...]
    places: tuple[int, ...] | None = None
    given: Hand = EMPTY
    got: Hand = EMPTY
    partner: int | None = None
    requested: Hand = EMPTY
    events: tuple[Event, ...] = ()
    table: Play | None = None
    last: int | None = None
    is_reversed: bool = False
    lock: int = 0
    passed: tuple[int, ...] = ()
    in_play: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    played: Hand = EMPTY
    legal: tuple[Play, ...] = ()
    may_pass: bool = False
    may_discard: int = 0
    state: np.void | None = field(default=None, compare=False, repr=False)

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.counts)

    @property
    def unseen(self) -> Hand:
        """The cards the others hold, or have discarded face down, as far as the table tells."""
        cards = deck(self.rules.decks, self.rules.jokers)
        return take(to_hand(cards.full, cards), join(self.hand, self.played))

    def in_game(self, game: Game) -> View:
        """The view with what the play of the deal adds to it."""
        state = game.state
        for seat in range(len(state["first"])):
            if seat != self.seat:
                state["first"][seat] = state["second"][seat] = 0
        is_due = game.turn == self.seat and not game.is_over
        return replace(
            self,
            hand=game.hand(self.seat),
            counts=tuple(map(count_cards, game.hands)),
            table=game.table,
            last=game.last if game.table else None,
            is_reversed=game.is_reversed,
            lock=game.lock,
            passed=game.passed,
            in_play=game.in_play,
            out=game.out,
            played=game.played,
            legal=game.legal_plays() if is_due else (),
            may_pass=game.may_pass and is_due,
            may_discard=game.may_discard if is_due else 0,
            state=state,
        )

    def read(self, text: str) -> Play:
        """A play from its text (``plays.parse_play``); a bare joker stands for what is legal now.

        Raises:
            InputError: no play, or jokers that could stand for several cards.
        """
        if "=" not in text:
            cards = parse_cards(text, deck(self.rules.decks, self.rules.jokers))
            fitting = [play for play in self.legal if play.cards == cards]
            if len({(play.sequence, play.rank) for play in fitting}) == 1:
                return fitting[0]
        return parse_play(text, self.rules)


class Player(ABC):
    """Somebody who plays. Subclass it and override ``play``; the other choices have defaults."""

    @abstractmethod
    def play(self, view: View) -> Play | None:
        """One of ``view.legal``, or None to pass."""

    def discard(self, view: View) -> Hand | None:
        """A card to discard face down for a 10, or None to keep all; by default the lowest."""
        return single_cards(view.hand)[-1 if view.is_reversed and not view.hand[0] >> NATURAL else 0]

    def request(self, view: View, count: int) -> Hand:
        """The cards a rich player wants (``on_request``), at most so many; by default the highest they don't hold."""
        cards = deck(view.rules.decks, view.rules.jokers)
        wanted = [card for card in single_cards(to_hand(cards.full, cards)) if not holds(view.hand, card)]
        return join_all(wanted[-count:])

    def give(self, view: View, count: int) -> Hand:
        """What a poor player gives: the highest cards. Overridden where jokers may be kept or ranks are equal."""
        return due_gift(view.hand, view.requested, count)

    def give_back(self, view: View, count: int) -> Hand:
        """What a rich player returns, any cards; by default the lowest."""
        return join_all(single_cards(view.hand)[:count])

    def saw(self, event: Event) -> None:  # noqa: B027 -- who does not care need not override it
        """Told of whatever happens, as far as this player sees it."""

    def refused(self, reason: str) -> bool:
        """Told that a choice was illegal; whether to be asked again. By default not: the error goes to the caller."""
        return False


class RandomPlayer(Player):
    """Plays or passes at random, every legal choice alike; the same choices for the same seed for ever."""

    def __init__(self, seed: int = 0) -> None:
        check_shuffle(seed, 0)
        self._generator = Philox(key=seed)

    def _below(self, number: int) -> int:
        while True:
            word = int(self._generator.random_raw())
            if word < WORDS // number * number:
                return word % number

    def play(self, view: View) -> Play | None:
        """Any legal play, or a pass where that is legal."""
        choice = self._below(len(view.legal) + view.may_pass)
        return view.legal[choice] if choice < len(view.legal) else None

    def discard(self, view: View) -> Hand | None:
        """Any card, or none."""
        cards = [*single_cards(view.hand), None]
        return cards[self._below(len(cards))]

    def give_back(self, view: View, count: int) -> Hand:
        """Any cards."""
        cards = single_cards(view.hand)
        return join_all([cards.pop(self._below(len(cards))) for _ in range(count)])


class GreedyPlayer(Player):
    """Makes the lowest play it can, of several with most cards, and keeps jokers for the end; passes if it has none."""

    def __init__(self, seed: int = 0) -> None:
        pass

    def play(self, view: View) -> Play | None:
        """The lowest legal play."""
        if not view.legal:
            return None
        return min(view.legal, key=lambda play: (play.jokers, _height(play, view.is_reversed), -play.size))


def _height(play: Play, is_reversed: bool) -> int:
    """How high a play is in the order in force."""
    if play.rank == JOKER_RANK or not is_reversed:
        return play.rank
    return len(RANKS) - 1 - play.rank
