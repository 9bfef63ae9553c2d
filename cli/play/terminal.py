"""The game in the terminal, by prompt_toolkit: the screen, the keys, and questions to the solver meanwhile."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.data_structures import Point
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, Window

from cli.play.questions import HINT, WINNABLE, Question
from cli.play.table import Table
from cli.play.words import WORDS
from cli.play.workers import Workers
from cli.show.board import board_rows, draw_board
from cli.show.style import Style, columns
from solver.xiangshifu.moves import Move
from solver.xiangshifu.session import Session, exchange

SECONDS = 20.0
"""For an answer of the solver."""

HEARTBEAT = 0.25
"""Seconds after which the time that an answer has taken is shown anew."""

INTERRUPTED = 130


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of so many columns; Chinese is broken anywhere, the rest between words."""
    lines = [""]
    for word in re.findall(r"[\u3000-\uffef]|[^\s\u3000-\uffef]+|\s+", text):
        if columns(lines[-1] + word) > width:
            lines.append("")
        if lines[-1] or not word.isspace():
            lines[-1] += word
    return [line.rstrip() for line in lines]


@dataclass(frozen=True)
class Deals:
    """Where deals come from while one plays.

    Attributes:
        new: a new deal, and which it is.
        daily: the deal of the day.
    """

    new: Callable[[], tuple[Session, str]]
    daily: Callable[[], tuple[Session, str]]


class Screen:
    """The game on the screen.

    Args:
        table: the game.
        title: said above the board.
        deals: where others come from.
        workers: who is asked.
        style: how to draw.
    """

    def __init__(self, table: Table, title: str, deals: Deals, workers: Workers, style: Style) -> None:
        self.table = table
        self._title = title
        self.deals = deals
        self._workers = workers
        self._style = style
        self._asking: asyncio.Task[None] | None = None
        self._learning: asyncio.Task[None] | None = None

    def application(self) -> Application[int]:
        """The application, to be run."""
        board = FormattedTextControl(self._board, show_cursor=False, get_cursor_position=self._where, focusable=True)
        parts = [
            Window(FormattedTextControl(self._head), height=2),
            Window(board, wrap_lines=False),
            Window(FormattedTextControl(self._says), dont_extend_height=True),
            Window(FormattedTextControl(self._keys), dont_extend_height=True),
        ]
        return Application(Layout(HSplit(parts)), key_bindings=_bindings(self), full_screen=True)

    # ---- what is shown

    def width(self) -> int:
        """How many columns there are."""
        return get_app().output.get_size().columns

    def _head(self) -> ANSI:
        return ANSI(f"{self._style.bold(self._title)}   {self.table.about}\n{self.table.count()}")

    def _board(self) -> ANSI:
        size = get_app().output.get_size()
        room = size.rows - 2 - len(self._wrapped(self.table.says)) - len(self._wrapped(self._words["keys"]))
        drawn = self._drawn(large=True)
        if drawn.count("\n") >= room:
            drawn = self._drawn(large=False)
        return ANSI(drawn)

    def _drawn(self, large: bool) -> str:
        session = self.table.session
        return draw_board(
            session.position, session.rules, self._style, width=self.width(), highlight=self.table.highlighted(),
            cursor=self.table.cursor, large=large, legend=False,
        )  # fmt: skip

    def _where(self) -> Point:
        """A line of the group pointed at, for terminals that can't show all."""
        lines = self._board().value.split("\n")
        rows = board_rows(self.table.session.position, self.width())
        row = next(at for at, places in enumerate(rows) if self.table.cursor[0] in places)
        # A row ends with an empty line.
        ends = [-1, *(at for at, line in enumerate(lines) if not line), len(lines)]
        return Point(0, ends[row + 1] - 1 if row else 0)

    def _says(self) -> ANSI:
        return ANSI("\n".join(map(self._style.bold, self._wrapped(self.table.says))))

    def _keys(self) -> ANSI:
        return ANSI("\n".join(map(self._style.dim, self._wrapped(self._words["keys"]))))

    def _wrapped(self, text: str) -> list[str]:
        return wrapped(text, max(20, self.width() - 1))

    @property
    def _words(self) -> dict[str, str]:
        return WORDS[self.table.lang]

    # ---- what is done

    def do(self, act: Callable[[], None]) -> None:
        """Something that changes the game; a question about what was before is given up."""
        self.stop()
        act()

    def begin(self, deal: Callable[[], tuple[Session, str]]) -> None:
        """Another deal."""
        self.stop()
        session, about = deal()
        self.table = Table(session, about, self.table.lang)
        self.learn()

    def learn(self) -> None:
        """Find out in how few moves the deal can be won."""
        if self._learning is not None:
            self._learning.cancel()
        table = self.table
        question = self._question(WINNABLE, str(table.session.deal))
        self._learning = get_app().create_background_task(self._ask(table, question, table.learn, quiet=True))

    def ask(self, kind: str) -> None:
        """Ask about the position."""
        self.stop()
        table, session = self.table, self.table.session

        def heard(answer: dict[str, Any]) -> None:
            if kind == HINT:
                table.show_hint(answer, _moves(answer, session))
            else:
                table.show_verdict(answer)

        question = self._question(kind, str(session.position))
        self._asking = get_app().create_background_task(self._ask(table, question, heard))

    def stop(self) -> None:
        """Give up a question."""
        if self._asking is not None and not self._asking.done():
            self._asking.cancel()
            self.table.says = self._words["stopped"]
        self._asking = None

    def escape(self) -> None:
        """Give up what is under way: a question, or what is picked up."""
        if self._asking is not None and not self._asking.done():
            self.stop()
        else:
            self.table.drop()

    def _question(self, kind: str, position: str) -> Question:
        session = self.table.session
        return Question(kind, position, session.rules, session.goal.id, SECONDS)

    async def _ask(
        self, table: Table, question: Question, answered: Callable[[dict[str, Any]], None], quiet: bool = False
    ) -> None:
        """Ask, and show that it goes on; quietly only where it takes really long."""
        began = time.monotonic()
        task = asyncio.current_task()
        news: dict[str, Any] = {}

        async def tick() -> None:
            while True:
                await asyncio.sleep(HEARTBEAT)
                given_up = task not in (self._asking, self._learning)
                if not given_up and (not quiet or "building" in news):
                    table.hear(news, time.monotonic() - began)
                    get_app().invalidate()

        ticking = asyncio.create_task(tick())
        try:
            async with aclosing(self._workers.ask(question)) as found:
                async for news in found:  # noqa: B007 - what is heard last is the answer
                    pass
        finally:
            ticking.cancel()
        if "answer" in news:
            answered(news["answer"])
        elif not quiet:
            table.fail(news["error"])
        get_app().invalidate()


def _moves(answer: dict[str, Any], session: Session) -> tuple[Move, ...]:
    """The moves of an answer, as moves of the position."""
    return tuple(exchange(session.position, move["groups"], move["out"], session.rules) for move in answer["moves"])


def _bindings(screen: Screen) -> KeyBindings:
    keys = KeyBindings()

    def on(*names: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
        def bind(act: Callable[[], None]) -> Callable[[], None]:
            for name in names:
                keys.add(name)(lambda event: act())
            return act

        return bind

    for name, aside, down in (("left", -1, 0), ("right", 1, 0), ("up", 0, -1), ("down", 0, 1)):
        on(name)(lambda aside=aside, down=down: screen.table.move(aside, down, screen.width()))  # type: ignore[misc]
    for digit in range(10):
        on(str(digit))(lambda place=digit: screen.table.point(place))  # type: ignore[misc]
    on(" ", "enter")(lambda: screen.do(screen.table.pick))
    on("u", "z", "backspace")(lambda: screen.do(screen.table.undo))
    on("r", "y")(lambda: screen.do(screen.table.redo))
    on("s")(lambda: screen.do(screen.table.restart))
    on("h")(lambda: screen.ask(HINT))
    on("w")(lambda: screen.ask(WINNABLE))
    on("n")(lambda: screen.begin(screen.deals.new))
    on("d")(lambda: screen.begin(screen.deals.daily))
    on("escape")(screen.escape)

    @keys.add("q")
    def _quit(event: KeyPressEvent) -> None:
        event.app.exit(result=0)

    @keys.add("c-c")
    def _interrupt(event: KeyPressEvent) -> None:
        event.app.exit(result=INTERRUPTED)

    return keys


def play(table: Table, title: str, deals: Deals, style: Style) -> int:
    """Play until one has enough; returns the exit status."""
    workers = Workers(1)
    try:
        screen = Screen(table, title, deals, workers, style)
        return screen.application().run(pre_run=screen.learn)
    finally:
        workers.close()
