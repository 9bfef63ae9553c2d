"""How text is dressed for a terminal: colours or none, Unicode or ASCII; and how tiles and names are written."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from solver.xiangshifu.names import group_name
from solver.xiangshifu.tiles import TILES

RED_PIPS = (1, 4)
"""Ones and fours are red on Chinese dominoes."""

COLUMNS = 79
"""Where running text is wrapped."""

MARGIN = "  "
"""Of lines that stand beneath others."""


@dataclass(frozen=True)
class Style:
    """What a terminal can show.

    Attributes:
        color: whether to use ANSI codes.
        ascii: whether to keep to ASCII.
        lang: the language of names, one of ``names.LANGUAGES``; English in ASCII.
    """

    color: bool = False
    ascii: bool = False
    lang: str = "en"

    def _dressed(self, codes: str, text: str) -> str:
        return f"\x1b[{codes}m{text}\x1b[0m" if self.color and text else text

    def bold(self, text: str) -> str:
        """Text that stands out."""
        return self._dressed("1", text)

    def dim(self, text: str) -> str:
        """Text of less weight."""
        return self._dressed("2", text)

    def valid(self, text: str) -> str:
        """What is said of a valid group."""
        return self._dressed("32", text)

    def invalid(self, text: str) -> str:
        """What is said of an invalid group."""
        return self._dressed("1;31", text)

    def moving(self, text: str) -> str:
        """The outline of a tile that is about to move."""
        return self._dressed("1;33", text)

    def pip(self, value: int, text: str) -> str:
        """What shows an end with so many pips; ones and fours are red."""
        return self._dressed("31", text) if value in RED_PIPS else text

    def red(self, text: str) -> str:
        """What is red on a playing card."""
        return self._dressed("31", text)

    def joker(self, text: str) -> str:
        """A joker."""
        return self._dressed("1;35", text)

    @property
    def cross(self) -> str:
        """The mark of an invalid group."""
        return "x" if self.ascii else "✗"

    @property
    def check(self) -> str:
        """The mark of a repaired group."""
        return "+" if self.ascii else "✓"

    @property
    def exchange(self) -> str:
        """What stands between two exchanged tiles."""
        return "<->" if self.ascii else "⇄"

    def tile(self, name: str, brackets: str = "[]") -> str:
        """A tile, by its name such as ``16``, on the line: ``[1:6]``, five columns wide."""
        ends = ":".join(self.pip(int(end), end) for end in name)
        if brackets == "[]":
            return f"[{ends}]"
        return self.moving(brackets[0]) + ends + self.moving(brackets[1])

    def tiles(self, mask: int) -> str:
        """The tiles of a mask on the line: ``[1:6][2:3]``, five columns each."""
        return "".join(self.tile(name) for name in TILES.names(mask))

    @property
    def invalid_text(self) -> str:
        """What is said of an invalid group, with its mark."""
        return f"{self.cross} {'無效' if self.lang == 'zh' and not self.ascii else 'invalid'}"

    def combinations(self, names: Iterable[str], tiles: tuple[str, ...] = ()) -> str:
        """The names of combinations as people write them: ``full fourteen, split``; empty if there is none.

        Args:
            names: the combinations of a group.
            tiles: its tiles, by which Chinese names pairs.
        """
        if not self.ascii:
            return group_name(tiles, names, self.lang)
        return group_name(tiles, names, "en").encode("ascii", "replace").decode()


def tile_text(name: str) -> str:
    """A tile in running text: ``1:6``."""
    return f"{name[0]}:{name[1]}"


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: Chinese characters take two each."""
    return len(text) + sum(unicodedata.east_asian_width(character) in "WF" for character in text)


def counted(number: int, noun: str) -> str:
    """A number with thousands separators and its noun, such as ``1,314 positions``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words in a row: ``a``, ``a and b``, ``a, b and c``."""
    *most, final = words
    return f"{', '.join(most)} {last} {final}" if most else final
