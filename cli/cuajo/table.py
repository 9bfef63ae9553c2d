"""A deal of Cuajo on a terminal: what happens, the table before one's own turn, hints, results."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from cli.cuajo.show import card_text, draw_cards
from cli.show.style import COLUMNS, MARGIN, Style, counted, listed
from solver.cuajo.cards import CARDS, card, copies_of, english
from solver.cuajo.events import (
    Dealt,
    Discarded,
    Drawn,
    Drew,
    Laid,
    SaidNotPurro,
    SaidPurro,
    Skipped,
    Took,
    Won,
)
from solver.cuajo.hand import Hand, discards, hand_is_complete, purro
from solver.cuajo.players import View
from solver.cuajo.rules import DEALT, HAND
from solver.events import Event

BEST = 4
"""Discards that a hint names."""

HOW = {"own": "drawn", "draw": "drawn by another", "discard": "a discard"}


class Teller:
    """Tells what one seat sees.

    Args:
        names: by seat.
        me: the seat.
        style: how to draw.
    """

    def __init__(self, names: Sequence[str], me: int, style: Style) -> None:
        self._names = names
        self._me = me
        self._style = style

    def tell(self, event: Event) -> list[str]:
        """Lines that tell an event; none for what needs no telling."""
        style = self._style
        match event:
            case Dealt():
                head = f"deal {event.number + 1}: {self._names[event.dealer]} deals"
                return ["", style.bold(f"{head}, the sowee is {self._card(event.sowee)}, {english(event.sowee)}")]
            case Drew():
                return [self._line(event.seat, f"draws {self._card(event.card)}")]
            case Took():
                return [self._line(event.seat, f"takes {self._card(event.card)}")]
            case Discarded():
                return [self._line(event.seat, f"discards {self._card(event.card)}")]
            case Skipped():
                return [self._line(event.seat, "has nothing to discard")]
            case Laid():
                closed = "" if event.closed is None else f" with {self._card(event.closed)} closed"
                return [self._line(event.seat, f"lays a secret, {self._card(event.card)}{closed}")]
            case SaidPurro():
                return [self._line(event.seat, style.valid("purro!"))]
            case SaidNotPurro():
                return [self._line(event.seat, style.invalid("not purro"))]
            case Won():
                return self._won(event)
            case Drawn():
                return [style.bold("The stock is used up, or nothing can be discarded: the deal is a draw.")]
        return []

    def _line(self, seat: int, text: str) -> str:
        width = max(map(len, self._names))
        return f"{MARGIN}{self._names[seat]:<{width}}  {text}"

    def _card(self, kind: int | None) -> str:
        return "a card" if kind is None else card_text(kind, self._style)

    def _won(self, event: Won) -> list[str]:
        bounit = "as dealt" if event.bounit is None else f"with {self._card(event.bounit)}, {HOW[event.by]}"
        turned = f"; turned: {' '.join(map(card, event.turned))}" if event.turned else ""
        paid = ", ".join(f"{name} {cents}" for name, cents in event.lines)
        return [
            self._style.bold(f"{self._names[event.seat]} wins {bounit}"),
            draw_cards(event.hand, self._style),
            *wrap(f"each opponent pays {sum(cents for _, cents in event.lines)}: {paid}{turned}", COLUMNS),
        ]

    def totals(self, totals: Sequence[int]) -> str:
        """The money so far."""
        return "  ".join(f"{name} {cents:+}" for name, cents in zip(self._names, totals, strict=True))


def situation(view: View, style: Style) -> list[str]:
    """The table and the own cards, before the own turn."""
    laid = f"; laid: {' '.join(card(kind) for one in view.hand.laid() for kind in one.kinds)}" if _lies(view) else ""
    top = "" if view.top is None else f", the discard is {card_text(view.top, style)}"
    card_there = "" if view.card is None else f", the card is {card_text(view.card, style)}"
    return [
        draw_cards(view.hand.cards, style),
        f"{MARGIN}{counted(view.stock, 'card')} in the stock{top}{card_there}{laid}",
    ]


def _lies(view: View) -> bool:
    return bool(view.hand.secrets) or view.hand.closed is not None


def hints(view: View, style: Style) -> list[str]:
    """What helps to choose: the distance, the best discards, or the cards that complete the hand."""
    hand = view.hand
    if hand.count == HAND:
        if hand_is_complete(hand, view.rules):
            return [f"{MARGIN}{style.valid('complete')}"]
        return _best_discards(view, hand, style)
    if hand.count == DEALT:
        return _to_come(view, hand, style)
    return []


def _seen(view: View) -> int:
    """The cards seen elsewhere: the discards that lie, and a shown card in another's hand."""
    counts = list(CARDS.counts(view.pile))
    if view.turn != view.seat and view.card is not None:
        counts[view.card] += 1
    return CARDS.mask_of_counts(counts)


def _best_discards(view: View, hand: Hand, style: Style) -> list[str]:
    lines = []
    for one in discards(hand, _seen(view), view.rules).discards[:BEST]:
        away = "no way" if one.distance is None else "purro" if one.distance == 0 else counted(one.distance, "exchange")
        lines.append(f"{MARGIN}discard {card_text(one.kind, style)}: {away}, {counted(one.copies, 'card')} would help")
    return lines or [f"{MARGIN}nothing may be discarded"]


def _to_come(view: View, hand: Hand, style: Style) -> list[str]:
    report = purro(hand, _seen(view), view.rules)
    if report.purro:
        cards = [f"{card_text(kind, style)} ({copies})" for kind, copies in report.cards.items()]
        lines = [f"{MARGIN}{style.valid('purro')} with {listed(cards)}"]
    elif report.distance is None:
        lines = [f"{MARGIN}the hand can't become complete: its kings have to stay"]
    else:
        lines = [f"{MARGIN}{counted(report.distance, 'exchange')} to purro"]
    if view.top is not None and copies_of(hand.cards, view.top) < 4:
        lines += _with_top(view, hand, report.distance, style)
    return lines


def _with_top(view: View, hand: Hand, distance: int | None, style: Style) -> list[str]:
    """What taking the discard would bring."""
    assert view.top is not None
    counts = list(CARDS.counts(hand.cards))
    counts[view.top] += 1
    taken = Hand(CARDS.mask_of_counts(counts), hand.sowee, hand.secrets, hand.closed)
    name = card_text(view.top, style)
    if hand_is_complete(taken, view.rules):
        return [f"{MARGIN}the discard {name} completes the hand"]
    best = next(iter(discards(taken, 0, view.rules).discards), None)
    if best is None or best.distance is None or (distance is not None and best.distance >= distance):
        return [f"{MARGIN}the discard {name} brings it no nearer"]
    return [f"{MARGIN}the discard {name} brings it nearer"]
