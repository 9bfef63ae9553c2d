"""The game in the terminal, apart from the terminal: what lies on the table, what is picked up, and what is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cli.play.words import ERRORS, WORDS, counted_moves, refusal
from cli.show.board import board_rows
from cli.show.style import tile_text
from solver.errors import InputError
from solver.xiangshifu.moves import Move
from solver.xiangshifu.names import group_name
from solver.xiangshifu.session import Refused, Session, exchange
from solver.xiangshifu.tiles import TILES

Spot = tuple[int, int]
"""A place, and which of the tiles of its group, from 0."""


@dataclass
class Table:
    """A game as one plays it with keys.

    Attributes:
        session: the game so far.
        about: which deal it is.
        lang: the language of what is said.
        cursor: the tile pointed at.
        picked: the tiles picked up.
        hinted: the move shown.
        best: what is known of the deal: ``verdict``, ``length`` and ``optimal``.
        says: what was said last.
    """

    session: Session
    about: str
    lang: str = "en"
    cursor: Spot = (0, 0)
    picked: list[Spot] = field(default_factory=list)
    hinted: Move | None = None
    best: Mapping[str, Any] | None = None
    says: str = ""

    # Pointing

    def move(self, aside: int, down: int, width: int) -> None:
        """Point at the next tile to one side, above or below, on a board drawn so wide."""
        rows = board_rows(self.session.position, width)
        row = next(at for at, places in enumerate(rows) if self.cursor[0] in places)
        if aside:
            self.cursor = self._beside(rows[row], aside)
        elif 0 <= row + down < len(rows):
            self.cursor = self._across(rows[row], rows[row + down])

    def _beside(self, places: tuple[int, ...], aside: int) -> Spot:
        spots = [(place, at) for place in places for at in range(self._size(place))]
        return spots[(spots.index(self.cursor) + aside) % len(spots)]

    def _across(self, here: tuple[int, ...], there: tuple[int, ...]) -> Spot:
        place, at = self.cursor
        middle = (here.index(place) + 0.5) / len(here)
        other = min(there, key=lambda place: abs((there.index(place) + 0.5) / len(there) - middle))
        return other, min(at, self._size(other) - 1)

    def point(self, place: int) -> None:
        """Point at a group, or if that is pointed at already at its next tile."""
        if place < len(self.session.deal.groups):
            at = (self.cursor[1] + 1) % self._size(place) if place == self.cursor[0] else 0
            self.cursor = place, at

    def _size(self, place: int) -> int:
        return self.session.position.groups[place].bit_count()

    # Exchanging

    def pick(self) -> None:
        """Pick up the tile pointed at, or put it back; once as many are picked of two groups, exchange them."""
        self.hinted = None
        self.says = ""
        if self.cursor in self.picked:
            self.picked.remove(self.cursor)
            return
        self.picked.append(self.cursor)
        places = list(dict.fromkeys(place for place, _ in self.picked))
        if len(places) > 2:
            self.picked = [self.cursor]
        elif len(places) == 2:
            out = [[self._tile(spot) for spot in self.picked if spot[0] == place] for place in places]
            if len(out[0]) == len(out[1]):
                self._exchange(places, out)

    def drop(self) -> None:
        """Put back what is picked up, and forget a move shown."""
        self.picked.clear()
        self.hinted = None
        self.says = ""

    def _tile(self, spot: Spot) -> str:
        return TILES.names(self.session.position.groups[spot[0]])[spot[1]]

    def _exchange(self, places: list[int], out: list[list[str]]) -> None:
        self.picked.clear()
        try:
            move = exchange(self.session.position, places, out, self.session.rules)
        except Refused as refused:
            self.says = refusal(refused, self.lang)
            return
        self._go(self.session.do(move))
        if not self.session.is_won:
            self.says = self._word("semicolon").join(
                self._word("group", place=place) + self._word("colon") + self._caption(group, names)
                for place, group, names in zip(move.groups, move.after, move.names, strict=True)
            )

    def _caption(self, group: int, names: tuple[str, ...]) -> str:
        return group_name(TILES.names(group), names, self.lang)

    def _go(self, session: Session) -> None:
        self.session = session
        self.drop()
        self.cursor = self.cursor[0], min(self.cursor[1], self._size(self.cursor[0]) - 1)
        if session.is_won:
            self.says = self._won()

    def undo(self) -> None:
        """Take back the latest move, if there is one."""
        self._attempt(Session.undo)

    def redo(self) -> None:
        """Do again what was undone last, if anything was."""
        self._attempt(Session.redo)

    def restart(self) -> None:
        """Take back all moves."""
        while self.session.moves:
            self.undo()

    def _attempt(self, step: Any) -> None:
        try:
            self._go(step(self.session))
        except InputError:
            self.picked.clear()

    # What the solver says

    def learn(self, answer: Mapping[str, Any]) -> None:
        """What is known of the deal."""
        self.best = answer
        if self.session.is_won:
            self.says = self._won()

    def hear(self, news: Mapping[str, Any], seconds: float) -> None:
        """What the solver does."""
        if "building" in news:
            share = min(100, 100 * news["done"] // max(1, news["total"]))
            self.says = self._word("building", percent=share)
        elif seconds >= 1:
            self.says = self._word("thinking", seconds=round(seconds))

    def fail(self, code: str) -> None:
        """There is no answer, for a reason of ``words.ERRORS``."""
        self.says = ERRORS[self.lang][code]

    def show_hint(self, answer: Mapping[str, Any], moves: tuple[Move, ...]) -> None:
        """A best move."""
        self.show_verdict(answer)
        if answer["verdict"] != "winnable" or not moves:
            return
        self.picked.clear()
        self.hinted = moves[0]
        a, b = (" ".join(map(tile_text, TILES.names(out))) for out in self.hinted.out)
        i, j = self.hinted.groups
        self.says = self._word("hintSays", a=a, b=b, i=i, j=j)
        self.cursor = self._spots(self.hinted)[0]

    def show_verdict(self, answer: Mapping[str, Any]) -> None:
        """Whether it can still be won, and in how many moves."""
        length = answer["length"]
        if answer["verdict"] == "unwinnable":
            self.says = self._word("no")
        elif length is None:
            self.says = self._word("unknown")
        elif length == 0:
            self.says = self._word("done")
        else:
            self.says = self._word("yesBest" if answer["optimal"] else "yes", moves=counted_moves(length, self.lang))

    # What is shown

    def highlighted(self) -> dict[int, int]:
        """The tiles picked up or shown, place -> mask."""
        if self.hinted is not None:
            return dict(zip(self.hinted.groups, self.hinted.out, strict=True))
        places = {place for place, _ in self.picked}
        return {
            place: TILES.mask(TILES.kind(self._tile(spot)) for spot in self.picked if spot[0] == place)
            for place in places
        }

    def _spots(self, move: Move) -> list[Spot]:
        groups = self.session.position.groups
        return [
            (place, TILES.names(groups[place]).index(TILES.names(out)[0]))
            for place, out in zip(move.groups, move.out, strict=True)
        ]

    def count(self) -> str:
        """The number of moves, beside the shortest possible."""
        text = f"{self._word('moves')}{self._word('colon')}{len(self.session.moves)}"
        if self.best is None or (self.best["length"] is None and self.best["verdict"] != "unwinnable"):
            return text
        if self.best["verdict"] == "unwinnable":
            return f"{text}   {self._word('lostDeal')}"
        known = self._word("shortest" if self.best["optimal"] else "atMost")
        return f"{text}   {known}{self._word('colon')}{self.best['length']}"

    def _won(self) -> str:
        done = len(self.session.moves)
        moves = counted_moves(done, self.lang)
        if self.best is None or not self.best["optimal"]:
            return self._word("won", moves=moves)
        shortest = self.best["length"]
        return self._word("wonBest" if done <= shortest else "wonMore", moves=moves, shortest=shortest)

    def _word(self, word: str, **values: Any) -> str:
        return WORDS[self.lang][word].format(**values)
