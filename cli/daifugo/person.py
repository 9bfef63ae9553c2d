"""The player at the keyboard."""

from __future__ import annotations

import click

from cli.cards.person import BasePerson
from cli.show.daifugo import Teller, cards_text, hand_text, plays_by_kind
from cli.show.style import MARGIN
from solver.daifugo.cards import Hand, deck, format_cards, parse_cards
from solver.daifugo.exchange import due_gift
from solver.daifugo.players import Player, View
from solver.daifugo.plays import Play

HELP = """\
  cards     make a play: c9 h9, or c9 jk=h9, or c9 jk where only one thing fits
  p         pass
  ?         the legal plays, and what the adviser would do
  q         leave the game
  Cards are suit and rank: c d h s and 3 to 10, J Q K A 2; a joker is jk."""


class Person(BasePerson[View, Player, Teller], Player):
    """Asks at the keyboard, and tells what happens."""

    help = HELP
    tip = "? for the legal plays and advice, help for help"

    def play(self, view: View) -> Play | None:
        """A play or a pass."""

        def read(text: str) -> Play | None:
            return None if text.lower() in ("p", "pass", "") else view.read(text)

        return self._turn(view, "play", read)

    def discard(self, view: View) -> Hand | None:
        """A card, or nothing."""
        self._show(view)
        what = f"discard for the 10 ({view.may_discard} left; Enter for none)"
        return self._ask(view, what, lambda text: self._cards(view, text) if text else None)

    def request(self, view: View, count: int) -> Hand:
        """Cards wanted."""
        self._show(view)
        default = super().request(view, count)
        return self._choose(view, f"ask {self._partner(view)} for {count}", default)

    def give(self, view: View, count: int) -> Hand:
        """The gift, which the rules nearly always settle."""
        self._show(view)
        due = due_gift(view.hand, view.requested, count)
        return self._choose(view, f"give {self._partner(view)} your highest {count}", due)

    def give_back(self, view: View, count: int) -> Hand:
        """Any cards."""
        self._show(view)
        default = super().give_back(view, count)
        return self._choose(view, f"return {count} to {self._partner(view)}", default)

    def _partner(self, view: View) -> str:
        return self._teller.name(view.partner) if view.partner is not None else "nobody"

    def _choose(self, view: View, what: str, default: Hand) -> Hand:
        prompt = f"{what} (Enter for {format_cards(*default)})"
        return self._ask(view, prompt, lambda text: self._cards(view, text) if text else default)

    def _cards(self, view: View, text: str) -> Hand:
        return parse_cards(text, deck(view.rules.decks, view.rules.jokers))

    def _situation(self, view: View) -> list[str]:
        hand = hand_text(view.hand, self._style, is_reversed=view.is_reversed)
        return [*self._teller.situation(view), f"{MARGIN}{hand}"]

    def _advise(self, view: View) -> None:
        if not view.in_play or view.may_discard:
            click.echo(HELP)
            return
        for line in plays_by_kind(view.legal, self._style) or ["no play beats that"]:
            click.echo(MARGIN + line)
        play = self._adviser.play(view)
        what = "pass" if play is None else cards_text(str(play), self._style)
        click.echo(f"{MARGIN}advice: {what}")
