"""Players: what they see of a deal, what they are asked, and the players that come with the library.

Who writes a player subclasses ``Player`` and overrides ``act``. A player is asked with a ``View``, which holds what
that seat may know and nothing else. ``PLAYERS`` names those that can be asked for by name; ``PLAYERS["mine"] = Mine``
adds one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.random import Philox

from solver.cuajo.cards import CARDS, COPIES, KINDS
from solver.cuajo.events import Laid
from solver.cuajo.game import Action, Game
from solver.cuajo.hand import Hand
from solver.cuajo.policies import POLICIES, _choose, policy_code
from solver.cuajo.rules import PLAYERS as SEATS
from solver.cuajo.rules import RuleSet
from solver.cuajo.state import STATE, book_of
from solver.errors import InputError
from solver.events import Event
from solver.shuffle import check_shuffle


@dataclass(frozen=True)
class View:
    """What a seat knows when it is asked.

    Attributes:
        rules: the rule set.
        seat: whose view it is; the next player has the next number, the partner sits two further on.
        totals: the cents won so far in the match, by seat, those of this deal left out.
        cents: the cents won in this deal.
        hand: the own cards.
        dealer: who dealt.
        sowee: the card turned up after the deal.
        turn: whose turn it is.
        card: what the one in turn has drawn or taken, if the seat may know.
        top: the discard that may be taken.
        pile: the mask of all discards that lie.
        stock: how many cards are left in the stock.
        purro: who has said purro.
        barred: who has said not purro, and can't win yet.
        legal: every action that is legal now.
        events: what has happened in this deal, as far as the seat has seen it.
        state: what kernels see (``state.STATE``), without what is hidden from the seat.
    """

    rules: RuleSet
    seat: int
    totals: tuple[int, ...]
    cents: tuple[int, ...]
    hand: Hand
    dealer: int
    sowee: int
    turn: int
    card: int | None
    top: int | None
    pile: int
    stock: int
    purro: tuple[int, ...]
    barred: tuple[int, ...]
    legal: tuple[Action, ...]
    events: tuple[Event, ...]
    state: np.void = field(compare=False, repr=False)

    @classmethod
    def of(cls, game: Game, seat: int, totals: tuple[int, ...] = (0,) * SEATS) -> View:
        """What a seat knows of a deal now."""
        is_due = game.actor == seat and not game.is_over
        is_known = game.turn == seat or bool(game.state["shown"])
        seen = (event.seen_by(seat) for event in game.events)
        return cls(
            rules=game.rules,
            seat=seat,
            totals=totals,
            cents=game.cents,
            hand=game.hand(seat),
            dealer=game.dealer,
            sowee=game.sowee,
            turn=game.turn,
            card=game.card if is_known else None,
            top=game.top,
            pile=game.pile,
            stock=game.stock,
            purro=game.purro,
            barred=game.barred,
            legal=game.legal() if is_due else (),
            events=tuple(event for event in seen if event is not None),
            state=_redacted(game, seat),
        )

    @property
    def unseen(self) -> tuple[int, ...]:
        """For each kind how many cards the seat has not seen, laid face up ones and shown ones apart."""
        held, lying = CARDS.counts(self.hand.cards), CARDS.counts(self.pile)
        return tuple(COPIES - held[kind] - lying[kind] - (kind == self.sowee) for kind in range(KINDS))

    @property
    def laid(self) -> tuple[Laid, ...]:
        """The secrets laid so far, as far as the seat sees them."""
        return tuple(event for event in self.events if isinstance(event, Laid))


def _redacted(game: Game, seat: int) -> np.void:
    """The state without what is hidden from a seat: the stock, and what others hold or have laid face down."""
    state = game.state
    state["stock"][:] = 0
    is_open = game.rules.secret_shown == "face_up"
    for other in range(SEATS):
        if other != seat:
            state["low"][other] = state["high"][other] = 0
            state["closed"][other] = -1
            if not is_open:
                state["laid"][other] = 0
    if game.turn != seat:
        state["declined"] = False
        if not state["shown"]:
            state["card"] = -1
    return state


class Player(ABC):
    """Somebody who plays. Subclass it and override ``act``."""

    @abstractmethod
    def act(self, view: View) -> Action:
        """One of ``view.legal``."""

    def saw(self, event: Event) -> None:  # noqa: B027 -- who does not care need not override it
        """Told of whatever happens, as far as this player sees it."""

    def refused(self, reason: str) -> bool:
        """Told that a choice was illegal; whether to be asked again. By default not: the error goes to the caller."""
        return False


class PolicyPlayer(Player):
    """One of ``policies.POLICIES``; the same choices for the same seed for ever.

    Args:
        name: of the policy; raises InputError if there is none of that name.
        seed: of what it does at random.
    """

    def __init__(self, name: str, seed: int = 0) -> None:
        check_shuffle(seed, 0)
        self._code = policy_code(name)
        self._words = np.array([Philox(key=seed).random_raw()], dtype=np.uint64)
        self._states = np.zeros(2, dtype=STATE)
        self._room = np.empty((2, KINDS), dtype=np.int64)

    def act(self, view: View) -> Action:
        """What the policy does."""
        self._states[0] = view.state
        book, (wastes, unseen) = book_of(view.rules), self._room
        return Action.from_code(int(_choose(self._code, self._states, self._words, wastes, unseen, book)))


Factory = Callable[[int], Player]
"""Makes a player; the argument is a seed for what it does at random."""

PLAYERS: dict[str, Factory] = {name: partial(PolicyPlayer, name) for name in POLICIES}
"""The players that can be asked for by name, each stronger than the one before."""


def make_player(name: str, seed: int = 0) -> Player:
    """A player by name; raises InputError if there is none of that name."""
    if name not in PLAYERS:
        raise InputError(f"{name!r} is no player; known are {', '.join(PLAYERS)}")
    return PLAYERS[name](seed)
