"""What happens in a match, as frozen records, and their JSON.

Seats are numbered clockwise from 0, and all records speak of seats; ``Dealt`` tells which player sits where. Cards are
hands (``cards.Hand``), in JSON text as ``interface.md`` writes it. ``seen_by`` is what one player gets to see: cards
that are hidden from them are None.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from solver.daifugo.cards import SUITS, Hand, format_cards
from solver.daifugo.plays import Play
from solver.events import Event


def _text(hand: Hand | None) -> str | None:
    return None if hand is None else format_cards(*hand)


def _texts(hands: tuple[Hand | None, ...]) -> list[str | None]:
    return [_text(hand) for hand in hands]


def suit_letters(suits: int) -> str:
    """Suits as in ``Play.suits`` as letters, a suit that is there twice written twice."""
    return "".join(letter * ((suits >> suit & 1) + (suits >> (suit + 4) & 1)) for suit, letter in enumerate(SUITS))


@dataclass(frozen=True)
class Dealt(Event):
    """The cards are dealt.

    Attributes:
        number: of the deal in the match, from 0.
        order: who sits where: the player of each seat.
        dealer: their seat.
        hands: by seat.
    """

    kind: ClassVar[str] = "deal"
    number: int
    order: tuple[int, ...]
    dealer: int
    hands: tuple[Hand | None, ...] = field(metadata={"convert": _texts})

    def seen_by(self, seat: int) -> Dealt:
        """Only the own hand."""
        return replace(self, hands=tuple(hand if place == seat else None for place, hand in enumerate(self.hands)))


@dataclass(frozen=True)
class TitlesSwapped(Event):
    """Both jokers were dealt to the poor: all titles are swapped end for end (``joker_revolution``).

    Attributes:
        places: by seat, after it.
    """

    kind: ClassVar[str] = "titles-swapped"
    places: tuple[int, ...]


@dataclass(frozen=True)
class Requested(Event):
    """A rich player named cards they want (``on_request``)."""

    kind: ClassVar[str] = "request"
    seat: int
    of: int
    cards: Hand | None = field(metadata={"convert": _text})


@dataclass(frozen=True)
class _Handed(Event):
    seat: int
    to: int
    cards: Hand | None = field(metadata={"convert": _text})

    def seen_by(self, seat: int) -> _Handed:
        """The cards only if they are one's own, before or after."""
        return self if seat in (self.seat, self.to) else replace(self, cards=None)


@dataclass(frozen=True)
class Gave(_Handed):
    """A poor player gave cards to a rich one."""

    kind: ClassVar[str] = "gift"


@dataclass(frozen=True)
class Returned(_Handed):
    """A rich player gave cards back."""

    kind: ClassVar[str] = "return"


@dataclass(frozen=True)
class Led(Event):
    """The play begins.

    Attributes:
        seat: who leads.
    """

    kind: ClassVar[str] = "lead"
    seat: int


@dataclass(frozen=True)
class Played(Event):
    """A play was made."""

    kind: ClassVar[str] = "play"
    seat: int
    play: Play = field(metadata={"convert": str})


@dataclass(frozen=True)
class Passed(Event):
    """A player passed."""

    kind: ClassVar[str] = "pass"
    seat: int


@dataclass(frozen=True)
class Discarded(Event):
    """A card was discarded face down for a 10; None: the player would not."""

    kind: ClassVar[str] = "discard"
    seat: int
    is_done: bool
    card: Hand | None = field(metadata={"convert": _text})

    def seen_by(self, seat: int) -> Discarded:
        """The card only if it is one's own."""
        return self if seat == self.seat else replace(self, card=None)


@dataclass(frozen=True)
class Revolution(Event):
    """A play makes a revolution, now or as the table is cleared (``revolution_timing``)."""

    kind: ClassVar[str] = "revolution"
    seat: int


@dataclass(frozen=True)
class OrderTurned(Event):
    """The order of ranks turned, by a revolution or a jack."""

    kind: ClassVar[str] = "order"
    is_reversed: bool


@dataclass(frozen=True)
class Locked(Event):
    """The trick is locked to suits, all of them told (as in ``Play.suits``)."""

    kind: ClassVar[str] = "lock"
    suits: int = field(metadata={"convert": suit_letters})


@dataclass(frozen=True)
class Stopped(Event):
    """A play cleared the table at once (``eight_stop``, ``two_clears``, ``spade_three``)."""

    kind: ClassVar[str] = "stop"
    seat: int


@dataclass(frozen=True)
class WentOut(Event):
    """A player has no cards left; ``is_forbidden``: by a play that makes them last."""

    kind: ClassVar[str] = "out"
    seat: int
    is_forbidden: bool


@dataclass(frozen=True)
class Fell(Event):
    """The Daifugō did not finish first again and becomes the last (``miyako_ochi``)."""

    kind: ClassVar[str] = "fall"
    seat: int


@dataclass(frozen=True)
class Cleared(Event):
    """The table is cleared.

    Attributes:
        seat: who leads now.
    """

    kind: ClassVar[str] = "clear"
    seat: int


@dataclass(frozen=True)
class Finished(Event):
    """A deal is over; all tuples are by seat.

    Attributes:
        places: 0 the first.
        titles: as ``exchange.TITLES`` writes them.
        scores: of this deal.
    """

    kind: ClassVar[str] = "end"
    places: tuple[int, ...]
    titles: tuple[str, ...]
    scores: tuple[int, ...]
