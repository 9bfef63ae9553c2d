"""The player at the keyboard, at any card game: telling, asking, help and advice."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Generic, Protocol, TypeVar

import click

from cli.show.style import MARGIN, Style
from solver.errors import InputError
from solver.events import Event


class Telling(Protocol):
    """Tells a game in words."""

    def tell(self, event: Event) -> list[str]:
        """The lines for an event, maybe none."""


View = TypeVar("View")
Adviser = TypeVar("Adviser")
Teller = TypeVar("Teller", bound=Telling)
Choice = TypeVar("Choice")


class Leave(Exception):
    """The person has had enough."""


class BasePerson(ABC, Generic[View, Adviser, Teller]):
    """Asks at the keyboard, and tells what happens; a game's says what can be chosen.

    Args:
        teller: says it.
        style: how.
        adviser: a player to ask for advice.
        hints: whether to show advice before every turn.
    """

    help: ClassVar[str]
    """What can be typed."""

    tip: ClassVar[str]
    """Said before the first turn."""

    def __init__(self, teller: Teller, style: Style, adviser: Adviser, *, hints: bool) -> None:
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

    @abstractmethod
    def _situation(self, view: View) -> list[str]:
        """The table and the own cards."""

    @abstractmethod
    def _advise(self, view: View) -> None:
        """Show what can be done, and what the adviser would do."""

    def _turn(self, view: View, prompt: str, read: Callable[[str], Choice]) -> Choice:
        """The choice of a turn, with advice first if that is wanted; Enter is none."""
        advises = self._hints and not self._is_again
        self._show(view)
        if advises:
            self._advise(view)
        if self._is_first:
            click.echo(f"{MARGIN}{self._style.dim(self.tip)}")
            self._is_first = False
        return self._ask(view, prompt, read, is_empty_choice=False)

    def _ask(self, view: View, prompt: str, read: Callable[[str], Choice], *, is_empty_choice: bool = True) -> Choice:
        """Ask until there is an answer that can be read."""
        while True:
            text = self._line(f"{MARGIN}{prompt}> ")
            if text.lower() in ("q", "quit"):
                raise Leave
            if text == "?":
                self._advise(view)
            elif text.lower() in ("h", "help"):
                click.echo(self.help)
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
        """The table and the own cards, but not again after a mistake."""
        if self._is_again:
            self._is_again = False
            return
        for line in self._situation(view):
            click.echo(line)
