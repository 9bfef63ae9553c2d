"""What happens in a deal, as frozen records, and their JSON.

Seats are numbered in turn order from 0. Cards are kinds, in JSON text such as ``oK``. ``seen_by`` is what one player
gets to see: cards that are hidden from them are None.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from solver.cuajo.cards import CARDS, card
from solver.events import Event


def _card(kind: int | None) -> str | None:
    return None if kind is None else card(kind)


def _cards(mask: int | None) -> str | None:
    return None if mask is None else CARDS.format(mask)


def _hands(masks: tuple[int | None, ...]) -> list[str | None]:
    return [_cards(mask) for mask in masks]


def _kinds(kinds: tuple[int, ...]) -> list[str]:
    return [card(kind) for kind in kinds]


def _lines(lines: tuple[tuple[str, int], ...]) -> list[list[Any]]:
    return [list(line) for line in lines]


@dataclass(frozen=True)
class Dealt(Event):
    """The cards are dealt and the sowee is turned up.

    Attributes:
        number: of the deal in the match, from 0.
        dealer: who deals, and begins.
        sowee: the card turned up.
        hands: masks by seat.
    """

    kind: ClassVar[str] = "deal"
    number: int
    dealer: int
    sowee: int = field(metadata={"convert": _card})
    hands: tuple[int | None, ...] = field(metadata={"convert": _hands})

    def seen_by(self, seat: int) -> Dealt:
        """Only the own hand."""
        return replace(self, hands=tuple(hand if place == seat else None for place, hand in enumerate(self.hands)))


@dataclass(frozen=True)
class Drew(Event):
    """A card was drawn from the stock; ``is_shown``: to all."""

    kind: ClassVar[str] = "draw"
    seat: int
    card: int | None = field(metadata={"convert": _card})
    is_shown: bool

    def seen_by(self, seat: int) -> Drew:
        """The card only if it is shown or one's own."""
        return self if self.is_shown or seat == self.seat else replace(self, card=None)


@dataclass(frozen=True)
class Took(Event):
    """The previous player's discard was taken."""

    kind: ClassVar[str] = "take"
    seat: int
    card: int = field(metadata={"convert": _card})


@dataclass(frozen=True)
class Passed(Event):
    """Who was entitled to the card let it go by; the others do not get to know."""

    kind: ClassVar[str] = "pass"
    seat: int

    def seen_by(self, seat: int) -> Passed | None:
        """Only one's own."""
        return self if seat == self.seat else None


@dataclass(frozen=True)
class Laid(Event):
    """A secret was laid.

    Attributes:
        seat: by whom.
        card: of which it is; hidden from the others if secrets are laid face down.
        closed: the fourth card, laid with three like the sowee, always hidden from the others; None for four alike.
        is_open: whether it lies face up (``secret_shown``).
        shares: what each seat gets for it, in cents.
    """

    kind: ClassVar[str] = "secret"
    seat: int
    card: int | None = field(metadata={"convert": _card})
    closed: int | None = field(metadata={"convert": _card})
    is_open: bool
    shares: tuple[int, ...]

    def seen_by(self, seat: int) -> Laid:
        """The cards only if they are one's own, or face up."""
        if seat == self.seat:
            return self
        return replace(self, card=self.card if self.is_open else None, closed=None)


@dataclass(frozen=True)
class Discarded(Event):
    """A card was discarded."""

    kind: ClassVar[str] = "discard"
    seat: int
    card: int = field(metadata={"convert": _card})


@dataclass(frozen=True)
class Skipped(Event):
    """A player has nothing to discard (``nothing_to_discard``)."""

    kind: ClassVar[str] = "skip"
    seat: int


@dataclass(frozen=True)
class SaidPurro(Event):
    """A player says that one card is missing."""

    kind: ClassVar[str] = "purro"
    seat: int


@dataclass(frozen=True)
class SaidNotPurro(Event):
    """A player is purro no more, and can't win in the next two own turns."""

    kind: ClassVar[str] = "not-purro"
    seat: int


@dataclass(frozen=True)
class Won(Event):
    """The deal is won.

    Attributes:
        seat: who won.
        hand: mask of the sixteen cards, which are shown.
        bounit: the last card; None for a dealer's dealt hand.
        by: how it came, as ``payment.WAYS`` write it.
        turned: kinds turned after the win, in order.
        lines: what each opponent pays, line by line: names and cents.
        shares: what each seat gets for the win, in cents.
        totals: and in the whole deal, with secrets.
    """

    kind: ClassVar[str] = "win"
    seat: int
    hand: int = field(metadata={"convert": _cards})
    bounit: int | None = field(metadata={"convert": _card})
    by: str
    turned: tuple[int, ...] = field(metadata={"convert": _kinds})
    lines: tuple[tuple[str, int], ...] = field(metadata={"convert": _lines})
    shares: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True)
class Drawn(Event):
    """The deal is a draw: nobody pays, but for secrets.

    Attributes:
        totals: what each seat gets in the deal, in cents.
    """

    kind: ClassVar[str] = "drawn"
    totals: tuple[int, ...]
