"""The player at the keyboard."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

import click

from cli.show.daifugo import MARGIN, Teller, cards_text, hand_text, plays_by_kind
from cli.show.style import Style
from solver.daifugo.cards import Hand, deck, format_cards, parse_cards
from solver.daifugo.events import Event
from solver.daifugo.exchange import due_gift
from solver.daifugo.players import Player, View
from solver.daifugo.plays import Play
from solver.errors import InputError

Choice = TypeVar("Choice")

HELP = """\
  cards     make a play: c9 h9, or c9 jk=h9, or c9 jk where only one thing fits
  p         pass
  ?         the legal plays, and what the adviser would do
  q         leave the game
  Cards are suit and rank: c d h s and 3 to 10, J Q K A 2; a joker is jk."""


class Leave(Exception):
    """The person has had enough."""


class Person(Player):
    """Asks at the keyboard, and tells what happens.

    Args:
        teller: says it.
        style: how.
        adviser: a player to ask for advice.
        hints: whether to show the legal plays before every turn.
    """

    def __init__(self, teller: Teller, style: Style, adviser: Player, *, hints: bool) -> None:
        self._teller = teller
        self._style = style
        self._adviser = adviser
        self._hints = hints
        self._is_first = True
        self._is_again = False

    def saw(self, event: Event) -> None:
        """Tell it."""
        for line in self._teller.tell(event):
            click.echo(line)

    def refused(self, reason: str) -> bool:
        """Say why, and ask again."""
        self._complain(reason)
        self._is_again = True
        return True

    def play(self, view: View) -> Play | None:
        """A play or a pass."""
        if self._hints and not self._is_again:
            self._show(view)
            self._advise(view)
        else:
            self._show(view)
        if self._is_first:
            click.echo(f"{MARGIN}{self._style.dim('? for the legal plays and advice, help for help')}")
            self._is_first = False

        def read(text: str) -> Play | None:
            return None if text.lower() in ("p", "pass", "") else view.read(text)

        return self._ask(view, "play", read, is_empty_choice=False)

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

    def _ask(
        self,
        view: View,
        prompt: str,
        read: Callable[[str], Choice],
        *,
        is_empty_choice: bool = True,
    ) -> Choice:
        """Ask until there is an answer that can be read."""
        while True:
            text = self._line(f"{MARGIN}{prompt}> ")
            if text.lower() in ("q", "quit"):
                raise Leave
            if text == "?":
                self._advise(view)
            elif text.lower() in ("h", "help"):
                click.echo(HELP)
            elif text or is_empty_choice:
                try:
                    return read(text)
                except InputError as error:
                    self._complain(str(error))

    def _line(self, prompt: str) -> str:
        if sys.stdin.isatty():
            try:
                return input(prompt).strip()
            except EOFError:
                click.echo()
                raise click.exceptions.Abort from None
        click.echo(prompt, nl=False)
        line = sys.stdin.readline()
        click.echo(line.rstrip("\n"))
        if not line:
            raise click.exceptions.Abort
        return line.strip()

    def _complain(self, reason: str) -> None:
        click.echo(f"{MARGIN}{self._style.invalid(reason)}")

    def _show(self, view: View) -> None:
        """The table and the hand, but not again after a mistake."""
        if self._is_again:
            self._is_again = False
            return
        for line in self._teller.situation(view):
            click.echo(line)
        click.echo(f"{MARGIN}{hand_text(view.hand, self._style, is_reversed=view.is_reversed)}")

    def _advise(self, view: View) -> None:
        if not view.in_play or view.may_discard:
            click.echo(HELP)
            return
        for line in plays_by_kind(view.legal, self._style) or ["no play beats that"]:
            click.echo(MARGIN + line)
        play = self._adviser.play(view)
        what = "pass" if play is None else cards_text(str(play), self._style)
        click.echo(f"{MARGIN}advice: {what}")
