"""The player at the keyboard."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from textwrap import wrap

import click

from cli.cuajo.show import card_text
from cli.cuajo.table import MARGIN, Teller, hints, situation
from cli.show.style import COLUMNS, Style
from solver.cuajo.cards import parse_card
from solver.cuajo.events import Event
from solver.cuajo.game import Action
from solver.cuajo.players import Player, View
from solver.errors import InputError

HELP = """\
  d            draw from the stock
  t            take the discard
  c3           discard a card, by its name
  w            win with the card
  p            let it go by; or, with nothing to discard, go on
  lay c3       lay four identical cards, a secret
  close bK     lay three cards like the sowee with another one, closed
  ?            hints
  q            leave the game
  Cards are a suit (o coins, c cups, e swords, b batons) and A 3 4 5 J H K.
  Purro is said for you. Your partner sits opposite."""

SHORT = {"d": "draw", "t": "take", "w": "win", "p": "pass"}


class Leave(Exception):
    """The person has had enough."""


class Person(Player):
    """Asks at the keyboard, and tells what happens.

    Args:
        teller: says it.
        style: how.
        adviser: a player to ask for advice.
        always: whether to show hints before every turn.
    """

    def __init__(self, teller: Teller, style: Style, adviser: Player, *, always: bool) -> None:
        self._teller = teller
        self._style = style
        self._adviser = adviser
        self._always = always
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

    def act(self, view: View) -> Action:
        """An action."""
        if not self._is_again:
            self._show(situation(view, self._style))
            if self._always:
                self._advise(view)
        self._is_again = False
        if self._is_first:
            click.echo(f"{MARGIN}{self._style.dim('? for hints, help for help')}")
            self._is_first = False
        while True:
            text = self._line(f"{MARGIN}{_question(view)}> ")
            if text.lower() in ("q", "quit"):
                raise Leave
            if text == "?":
                self._advise(view)
            elif text.lower() in ("h", "help"):
                click.echo(HELP)
            elif text:
                try:
                    return read_action(text, view)
                except InputError as error:
                    self._complain(str(error))

    def _advise(self, view: View) -> None:
        self._show(hints(view, self._style))
        action = self._adviser.act(view)
        card = "" if action.card is None else f" {card_text(action.card, self._style)}"
        click.echo(f"{MARGIN}advice: {action.verb}{card}")

    def _complain(self, reason: str) -> None:
        for line in wrap(reason, COLUMNS - len(MARGIN)):
            click.echo(f"{MARGIN}{self._style.invalid(line)}")

    def _show(self, lines: Sequence[str]) -> None:
        for line in lines:
            click.echo(line)

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


def read_action(text: str, view: View) -> Action:
    """An action from what was typed; raises InputError if it is none."""
    word, *rest = text.split()
    verb = SHORT.get(word.lower(), word.lower())
    verbs = {action.verb for action in view.legal}
    if not rest and verb == "pass" and "skip" in verbs:
        return Action("skip")
    if not rest and verb not in (*SHORT.values(), "skip", "lay", "close", "discard"):
        return Action("discard", parse_card(word))
    return Action.parse(" ".join((verb, *rest)))


def _question(view: View) -> str:
    verbs = {action.verb for action in view.legal}
    if "pass" in verbs:
        return "w to win, p to let it go by"
    if "draw" in verbs:
        return "d to draw, t to take the discard" if "take" in verbs else "d to draw"
    extra = ", w to win" if "win" in verbs else ""
    return f"nothing to discard: p to go on{extra}" if "skip" in verbs else f"a card to discard{extra}"
