"""The player at the keyboard."""

from __future__ import annotations

from textwrap import wrap

import click

from cli.cards.person import BasePerson
from cli.cuajo.show import card_text
from cli.cuajo.table import Teller, hints, situation
from cli.show.style import COLUMNS, MARGIN
from solver.cuajo.cards import parse_card
from solver.cuajo.game import Action
from solver.cuajo.players import Player, View

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


class Person(BasePerson[View, Player, Teller], Player):
    """Asks at the keyboard, and tells what happens."""

    help = HELP
    tip = "? for hints, help for help"

    def act(self, view: View) -> Action:
        """An action."""
        return self._turn(view, _question(view), lambda text: read_action(text, view))

    def _situation(self, view: View) -> list[str]:
        return situation(view, self._style)

    def _advise(self, view: View) -> None:
        for line in hints(view, self._style):
            click.echo(line)
        action = self._adviser.act(view)
        card = "" if action.card is None else f" {card_text(action.card, self._style)}"
        click.echo(f"{MARGIN}advice: {action.verb}{card}")

    def _complain(self, reason: str) -> None:
        for line in wrap(reason, COLUMNS - len(MARGIN)):
            super()._complain(line)


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
