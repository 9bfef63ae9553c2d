"""One deal in play: whose turn it is, what they may do, and what comes of it; illegal actions say what they break."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.bits import from_words
from solver.cuajo.cards import ALL_COPIES, CARDS, COPIES, card, parse_card
from solver.cuajo.dealing import STOCK, deal_order
from solver.cuajo.events import (
    Dealt,
    Discarded,
    Drawn,
    Drew,
    Laid,
    Passed,
    SaidNotPurro,
    SaidPurro,
    Skipped,
    Took,
    Won,
)
from solver.cuajo.hand import Hand
from solver.cuajo.payment import OWN, WAYS, Win, pay, secret_shares
from solver.cuajo.rules import PLAYERS, SOWEE_SECRET, TRADITIONAL, RuleSet
from solver.cuajo.state import (
    CLAIMING,
    CLOSE,
    DISCARD,
    DRAWING,
    KING_BITS,
    LAY,
    OVER,
    STATE,
    TAKE,
    VERB,
    WIN,
    _act,
    _begin,
    _legal,
    book_of,
    new_state,
)
from solver.errors import InputError
from solver.events import Event

VERBS = ("draw", "take", "win", "pass", "skip", "lay", "close", "discard")
"""What can be done, in the order of the kernels' codes; the last three need a card."""


class IllegalAction(InputError):
    """An action that the rules forbid; the message is one line that names the rule it breaks."""


@dataclass(frozen=True, order=True)
class Action:
    """Something a player may do.

    Attributes:
        verb: one of ``VERBS``: ``draw`` from the stock, ``take`` the discard, ``win``, ``pass`` (let the card go by),
            ``skip`` the discard, ``lay`` four identical cards, ``close`` a card with three like the sowee,
            ``discard``.
        card: the kind, for the last three.

    Raises:
        InputError: no such verb, or a card too many or too few.
    """

    verb: str
    card: int | None = None

    def __post_init__(self) -> None:
        if self.verb not in VERBS:
            raise InputError(f"{self.verb!r} is no action; known are {', '.join(VERBS)}")
        if (self.card is not None) != (VERBS.index(self.verb) >= LAY):
            raise InputError(f"{self.verb}: {'a card must be named' if self.card is None else 'it takes no card'}")

    def __str__(self) -> str:
        return self.verb if self.card is None else f"{self.verb} {card(self.card)}"

    @classmethod
    def parse(cls, text: str) -> Action:
        """An action from its text, such as ``discard o3``; raises InputError for anything else."""
        verb, *rest = text.split()
        return cls(verb, parse_card(" ".join(rest)) if rest else None)

    @property
    def code(self) -> int:
        """The action as kernels see it."""
        return VERB * VERBS.index(self.verb) + (self.card or 0)

    @classmethod
    def from_code(cls, code: int) -> Action:
        """The action that a kernel chose."""
        verb, kind = divmod(code, VERB)
        return cls(VERBS[verb], kind if verb >= LAY else None)


class Game:
    """One deal in play, from the dealer's first discard to a win or a draw.

    An action that is refused raises ``IllegalAction`` and changes nothing; one that is done returns what happened.
    Saying purro is no action: it is due after a discard, and done.

    Args:
        order: the kinds of all 112 cards as they are dealt, the top card first (``dealing.deal_order``).
        dealer: the seat that deals, and begins.
        rules: the rule set.
        number: of the deal, for the record.

    Raises:
        InputError: the cards are not the deck, or there is no such seat.
    """

    def __init__(self, order: Sequence[int], dealer: int = 0, rules: RuleSet = TRADITIONAL, *, number: int = 0) -> None:
        if sorted(order) != sorted(CARDS.kinds_of(CARDS.full)):
            raise InputError("the cards dealt must be the whole deck")
        if not 0 <= dealer < PLAYERS:
            raise InputError(f"dealer: there is no seat {dealer} among {PLAYERS}")
        self._rules = rules
        self._book = book_of(rules)
        self._state = new_state()
        _begin(self._state, np.array(order, dtype=np.int64), dealer)
        self._events: list[Event] = [Dealt(number, dealer, self.sowee, tuple(hand.cards for hand in self.hands))]

    @classmethod
    def deal(cls, seed: int, number: int = 0, dealer: int = 0, rules: RuleSet = TRADITIONAL) -> Game:
        """Deal ``number`` of a seed."""
        return cls(deal_order(seed, number), dealer, rules, number=number)

    def copy(self) -> Game:
        """The same deal, to be played on independently."""
        other = object.__new__(Game)
        other.__dict__.update(self.__dict__)
        other._state = self.state
        other._events = list(self._events)
        return other

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self._rules

    @property
    def state(self) -> np.void:
        """A copy of what kernels see: ``STATE``."""
        copy = np.zeros(1, dtype=STATE)
        copy[0] = self._state
        return copy[0]  # type: ignore[no-any-return]

    @property
    def events(self) -> tuple[Event, ...]:
        """All that has happened."""
        return tuple(self._events)

    @property
    def is_over(self) -> bool:
        """Whether the deal is won or a draw."""
        return int(self._state["phase"]) == OVER

    @property
    def turn(self) -> int:
        """Whose turn it is; who draws and discards."""
        return int(self._state["turn"])

    @property
    def actor(self) -> int:
        """Who is to act: the one in turn, or who may claim the card."""
        return int(self._state["asked"] if int(self._state["phase"]) == CLAIMING else self._state["turn"])

    @property
    def dealer(self) -> int:
        """Who dealt."""
        return int(self._state["dealer"])

    @property
    def sowee(self) -> int:
        """The card turned up after the deal."""
        return int(self._state["sowee"])

    @property
    def winner(self) -> int | None:
        """Who has won; None for a draw, and before the end."""
        winner = int(self._state["winner"])
        return None if winner < 0 else winner

    @property
    def cents(self) -> tuple[int, ...]:
        """What each seat has won so far."""
        return tuple(self._state["cents"].tolist())

    @property
    def purro(self) -> tuple[int, ...]:
        """Who has said purro."""
        return tuple(seat for seat in range(PLAYERS) if int(self._state["purro"]) >> seat & 1)

    @property
    def barred(self) -> tuple[int, ...]:
        """Who has said not purro, and can't win until their third own turn."""
        return tuple(seat for seat in range(PLAYERS) if self._state["barred"][seat])

    @property
    def card(self) -> int | None:
        """What the one in turn has drawn or taken."""
        return _kind(self._state["card"])

    @property
    def top(self) -> int | None:
        """The discard that may be taken now."""
        is_open = int(self._state["phase"]) == DRAWING or bool(self._state["last"])
        return _kind(self._state["top"]) if is_open else None

    @property
    def pile(self) -> int:
        """The mask of all discards that lie."""
        return _mask(self._state["pile_low"], self._state["pile_high"])

    @property
    def stock(self) -> int:
        """How many cards are left in the stock."""
        return STOCK - int(self._state["drawn"]) - int(self._state["turned"])

    def hand(self, seat: int) -> Hand:
        """All cards of a seat, laid ones included."""
        return hand_in(self._state, seat)

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The cards of all seats."""
        return tuple(map(self.hand, range(PLAYERS)))

    def legal(self) -> tuple[Action, ...]:
        """Every action that the one to act may do; empty once the deal is over."""
        return legal_in(self._state, self._rules)

    def do(self, action: Action, *, seat: int | None = None) -> tuple[Event, ...]:
        """Do an action.

        Args:
            action: the action.
            seat: whose; by default that of who is to act.

        Raises:
            IllegalAction: the rules forbid it.
        """
        self._check_turn(seat)
        if action not in self.legal():
            raise IllegalAction(f"{action}: {self._why_not(action)}")
        before = self.state
        _act(self._state, action.code, self._book)
        events = [self._done(action, before), *self._followed(before)]
        self._events += events
        return tuple(events)

    def _check_turn(self, seat: int | None) -> None:
        if self.is_over:
            raise IllegalAction("the deal is over")
        if seat is None or seat == self.actor:
            return
        if not 0 <= seat < PLAYERS:
            raise IllegalAction(f"there is no seat {seat} among {PLAYERS}")
        raise IllegalAction(f"seat {self.actor} is to act now, not seat {seat}")

    def _why_not(self, action: Action) -> str:
        """The rule that an action breaks which is not legal now."""
        phase, verb = int(self._state["phase"]), VERBS.index(action.verb)
        if verb == WIN:
            return self._why_no_win(phase)
        if phase == CLAIMING:
            return "first the card may be claimed, with win, or let go by, with pass"
        if action.verb == "pass":
            return "there is no card to claim"
        if verb in (LAY, CLOSE):
            return self._why_no_secret(action)
        if phase == DRAWING:
            if verb == TAKE:
                return "there is no discard of the previous player to take"
            return "first a card must be drawn from the stock, or the previous player's discard taken"
        if action.card is None:
            return "a card must be discarded" if action.verb == "skip" else "a turn has one card, and it is there"
        return self._why_no_discard(action.card)

    def _why_no_win(self, phase: int) -> str:
        seat = self.actor
        if phase == DRAWING:
            return "a hand is complete with sixteen cards; first draw, or take the discard"
        if seat in self.barred:
            return "who said not purro can't win in the next two own turns"
        if seat not in self.purro and self._rules.win_needs_purro:
            return "only who said purro can win (win_needs_purro)"
        if self._state["declined"]:
            return "the card was let go by"
        return "the hand is not complete"

    def _why_no_secret(self, action: Action) -> str:
        hand = self.hand(self.actor)
        if self.card is None and not self._rules.secret_before_draw:
            return "a secret may be laid only after drawing (secret_before_draw)"
        assert action.card is not None
        free = hand.free()
        if action.verb == "close":
            if hand.closed is not None or free[self.sowee] < SOWEE_SECRET:
                return f"a secret of {SOWEE_SECRET} cards needs {SOWEE_SECRET} cards like the sowee in the hand"
            return "the fourth card must be another one that is held and lies in no secret"
        if action.card == hand.closed:
            return "a closed card is not looked at again"
        return f"{free[action.card]} of it in the hand; a secret has {COPIES} identical cards"

    def _why_no_discard(self, kind: int) -> str:
        hand = self.hand(self.actor)
        if hand.free()[kind]:
            return "kings can't be discarded" if KING_BITS >> kind & 1 else "a closed card can't be discarded"
        laid = kind in hand.secrets or (kind == self.sowee and hand.closed is not None)
        return "cards of a secret can't be discarded" if laid else "not in the hand"

    def _done(self, action: Action, before: np.void) -> Event:
        """The event that an action is."""
        now, seat = self._state, int(before["turn"])
        if action.verb == "draw":
            return Drew(seat, int(before["stock"][before["drawn"]]), bool(now["shown"]))
        if action.verb == "take":
            return Took(seat, int(before["top"]))
        if action.verb == "win":
            return self._won(before)
        if action.verb == "pass":
            return Passed(int(before["asked"]))
        if action.verb == "skip":
            return Skipped(seat)
        assert action.card is not None
        if action.verb == "discard":
            return Discarded(seat, action.card)
        is_open = self._rules.secret_shown == "face_up"
        shares = secret_shares(seat, self._rules)
        if action.verb == "lay":
            return Laid(seat, action.card, None, is_open, shares)
        return Laid(seat, self.sowee, action.card, is_open, shares)

    def _followed(self, before: np.void) -> list[Event]:
        """What an action has led to."""
        events: list[Event] = []
        for seat in range(PLAYERS):
            said = int(before["purro"]) >> seat & 1, int(self._state["purro"]) >> seat & 1
            if said == (0, 1):
                events.append(SaidPurro(seat))
            elif said == (1, 0):
                events.append(SaidNotPurro(seat))
        if self.is_over and self.winner is None:
            events.append(Drawn(self.cents))
        return events

    def _won(self, before: np.void) -> Won:
        """The win, its payment explained by ``payment.pay``."""
        now, seat = self._state, int(self._state["winner"])
        drawn = int(now["drawn"])
        turned = tuple(now["stock"][drawn : drawn + int(now["turned"])].tolist())
        hand, bounit, by = self.hand(seat), self.card, WAYS[int(now["way"])]
        # A dealt hand has no last card; it is paid for like an own draw, for which the card does not matter.
        known = CARDS.kinds_of(hand.cards)[0] if bounit is None else bounit
        payment = pay(Win(hand, known, OWN if bounit is None else by, CARDS.mask(turned)), self._rules)
        lines = tuple((line.name, line.cents) for line in payment.lines)
        return Won(seat, hand.cards, bounit, by, turned, lines, payment.shares(seat), self.cents)


def _kind(value: np.int8) -> int | None:
    return None if value < 0 else int(value)


def _mask(low: np.uint64, high: np.uint64) -> int:
    return from_words(np.array([[low, high]], dtype=np.uint64))[0]


def hand_in(state: np.void, seat: int) -> Hand:
    """All cards of a seat in a state, laid ones included."""
    cards, sowee, closed = _mask(state["low"][seat], state["high"][seat]), int(state["sowee"]), state["closed"][seat]
    laid = tuple(kind for kind in range(len(CARDS.kinds)) if int(state["laid"][seat]) >> kind & 1)
    for kind in laid:
        cards |= ALL_COPIES << CARDS.shifts[kind]
    if closed >= 0:
        cards |= ((1 << SOWEE_SECRET) - 1) << CARDS.shifts[sowee]
    return Hand(cards, sowee, laid, _kind(closed))


def legal_in(state: np.void, rules: RuleSet) -> tuple[Action, ...]:
    """Every action that who is to act may do in a state, in the order of ``VERBS`` and of the cards."""
    verbs, *cards = (int(bits) for bits in _legal(state, book_of(rules)))
    found = [Action(verb) for code, verb in enumerate(VERBS) if verbs >> code & 1]
    for code, bits in zip((LAY, CLOSE, DISCARD), cards, strict=True):
        found += [Action(VERBS[code], kind) for kind in range(len(CARDS.kinds)) if bits >> kind & 1]
    return tuple(found)


def cards_of(state: np.void) -> int:
    """How many cards there are in a state, wherever they lie; 112, whatever is done."""
    hands = sum(hand_in(state, seat).count for seat in range(PLAYERS))
    return hands + _mask(state["pile_low"], state["pile_high"]).bit_count() + STOCK - int(state["drawn"]) + 1
