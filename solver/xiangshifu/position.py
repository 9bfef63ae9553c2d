"""Positions: reading and writing them, and dealing them.

A position is a tuple of groups, each the canonical mask of its tiles. All notations of the interface are
read here; one is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from solver.errors import Fault, InputError
from solver.shuffle import shuffle
from solver.xiangshifu.tiles import TILES


@dataclass(frozen=True)
class Layout:
    """How many triples and pairs are dealt, and which tiles (as a mask)."""

    name: str
    triples: int
    pairs: int
    tiles: int

    @property
    def groups(self) -> int:
        """Triples and pairs together."""
        return self.triples + self.pairs


def _shanghai_tiles() -> int:
    counts = list(TILES.counts(TILES.full))
    counts[TILES.kind("24")] -= 1
    counts[TILES.kind("46")] -= 1
    return TILES.mask_of_counts(counts)


TEN = Layout("ten", 10, 1, TILES.full)
SHANGHAI = Layout("shanghai", 10, 0, _shanghai_tiles())
EIGHT = Layout("eight", 8, 4, TILES.full)
LAYOUTS = {layout.name: layout for layout in (TEN, SHANGHAI, EIGHT)}
"""The layouts in an order that is frozen: a layout's place is part of what names a random deal."""


@dataclass(frozen=True)
class Position:
    """Groups of tiles as they lie on the table.

    Attributes:
        groups: canonical masks of ``TILES``, triples in their order and pairs last. A group's index is its
            *place*.
        layout: how many triples and pairs there are, of which tiles.
    """

    groups: tuple[int, ...]
    layout: Layout = TEN

    def __str__(self) -> str:
        return " ".join(format_group(group) for group in self.groups)

    def tiles(self, place: int) -> tuple[str, ...]:
        """The names of the tiles of one group."""
        return TILES.names(self.groups[place])

    def exchanged(self, first: int, second: int, groups: tuple[int, int]) -> Position:
        """The position with the groups at two places replaced."""
        changed = list(self.groups)
        changed[first], changed[second] = groups
        return Position(tuple(changed), self.layout)


@dataclass(frozen=True)
class Deal(Position):
    """The position at the start.

    Raises:
        InputError: the layout has other numbers of triples and pairs.
    """

    def __post_init__(self) -> None:
        sizes = [group.bit_count() for group in self.groups]
        if sizes != [3] * self.layout.triples + [2] * self.layout.pairs:
            raise InputError(f"these groups are not {self.layout.triples} triples and then {self.layout.pairs} pairs")

    @classmethod
    def parse(cls, text: str) -> Deal:
        """Read a deal in any notation of the interface, tiles and groups in any order and orientation.

        Raises:
            InputError: one line that says which tile, group or character is wrong.
        """
        return _assemble(_parse_groups(text))

    @classmethod
    def random(cls, seed: int, index: int = 0, layout: Layout = TEN) -> Deal:
        """Deal number ``index`` (from 0) of a seed: a pure function of seed, index and layout.

        The layout's tiles in the order of their bits are shuffled by ``solver.shuffle.shuffle`` (the
        layout's place in ``LAYOUTS`` is the stream); each three in turn are a triple, then each two a pair.
        """
        kinds = TILES.kinds_of(layout.tiles)
        order = [kinds[place] for place in shuffle(len(kinds), seed, index, list(LAYOUTS).index(layout.name))]
        cuts = [3] * layout.triples + [2] * layout.pairs
        groups, start = [], 0
        for size in cuts:
            groups.append(TILES.mask(order[start : start + size]))
            start += size
        return cls(tuple(groups), layout)


def format_group(group: int) -> str:
    """A group as text, such as ``13-26-56``."""
    return TILES.format(group, "-")


def parse_group(text: str) -> int:
    """The mask of one group written like ``13-62-56`` or ``[1:3][6:2][5:6]``; raises InputError."""
    words = list(_words(text))
    if len(words) != 1:
        raise InputError(f"{text!r} is not one group")
    kinds = words[0]
    if len(kinds) not in (2, 3):
        raise InputError(f"group {text!r} has {_counted(len(kinds), 'tile')}; a group has 2 or 3")
    return TILES.mask(kinds)


_TILE = re.compile(r"\[\s*(\d)\s*:?\s*(\d)\s*\]|(\d):?(\d)")
_EMPTY_TILE = re.compile(r"\[\s*-\s*\]")
_TRIPLET = re.compile(r"Triplet\s*\{\s*\[(.*?)\]\s*\}", re.DOTALL)


def _parse_groups(text: str) -> list[list[int]]:
    if "Triplet" in text:
        return _triplets(text)
    return list(_words(text))


def _kind(match: re.Match[str]) -> int:
    name = "".join(part for part in match.groups() if part)
    try:
        return TILES.kind(name)
    except InputError:
        column = match.start() + 1
        fault = Fault("no-tile", tile=name, column=column)
        raise InputError(f"tile {name} does not exist (column {column})", fault) from None


def _stray(text: str, place: int) -> InputError:
    """The character at a place that no tile can begin with; of a lone digit, the one that spoils it."""
    if text[place].isdigit() and re.match(r"[^\d\s:,\-\[\]]", text[place + 1 :]):
        place += 1
    fault = Fault("stray", character=repr(text[place]), column=place + 1)
    return InputError(f"stray character {text[place]!r} at column {place + 1}", fault)


def _words(text: str) -> Iterator[list[int]]:
    """Groups of the notations ``56-13-62 ...`` and ``[5:6][1:3][6:2] ...``, blank or comma between them."""
    for word in re.finditer(r"(?:\[[^\[\]]*\]|[^\s,\[\]]|[\[\]])+", text):
        kinds: list[int] = []
        place, hyphen = word.start(), True
        while place < word.end():
            tile = _TILE.match(text, place, word.end())
            if tile is None or not (hyphen or text[place] == "["):
                raise _stray(text, place)
            kinds.append(_kind(tile))
            place = tile.end()
            hyphen = place < word.end() and text[place] == "-"
            place += hyphen
        if hyphen:
            raise _stray(text, place - 1)
        yield kinds


def _triplets(text: str) -> list[list[int]]:
    """Groups of the notation ``[Triplet{[[5:6], [1:3], [6:2]]}, ...]``, where ``[ - ]`` is no tile."""
    groups = []
    outside = list(text)
    for triplet in _TRIPLET.finditer(text):
        outside[triplet.start() : triplet.end()] = " " * (triplet.end() - triplet.start())
        groups.append(_inside_triplet(text, triplet.start(1), triplet.end(1)))
    for place, character in enumerate(outside):
        if not (character.isspace() or character in ",[]"):
            raise _stray(text, place)
    return groups


def _inside_triplet(text: str, place: int, end: int) -> list[int]:
    kinds = []
    while place < end:
        empty = _EMPTY_TILE.match(text, place, end)
        tile = None if empty else _TILE.match(text, place, end)
        if tile:
            kinds.append(_kind(tile))
            place = tile.end()
        elif empty:
            place = empty.end()
        elif text[place].isspace() or text[place] == ",":
            place += 1
        else:
            raise _stray(text, place)
    return kinds


def _assemble(groups: Sequence[list[int]]) -> Deal:
    for number, group in enumerate(groups, 1):
        if len(group) not in (2, 3):
            names = "-".join(TILES.kinds[kind].name for kind in group)
            fault = Fault("group-size", group=number, tiles=names, count=len(group))
            raise InputError(f"group {number} ({names}) has {_counted(len(group), 'tile')}; a group has 2 or 3", fault)
    triples = [group for group in groups if len(group) == 3]
    pairs = [group for group in groups if len(group) == 2]
    layout = _layout(len(triples), len(pairs))
    _check_tiles([kind for group in groups for kind in group], layout)
    return Deal(tuple(TILES.mask(group) for group in (*triples, *pairs)), layout)


def _layout(triples: int, pairs: int) -> Layout:
    for layout in LAYOUTS.values():
        if (layout.triples, layout.pairs) == (triples, pairs):
            return layout
    known = ", ".join(f"{lay.triples} and {lay.pairs} ({lay.name})" for lay in LAYOUTS.values())
    fault = Fault("no-layout", triples=triples, pairs=pairs)
    raise InputError(f"{_counted(triples, 'triple')} and {_counted(pairs, 'pair')}; a deal has {known}", fault)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _check_tiles(kinds: Iterable[int], layout: Layout) -> None:
    held = Counter(kinds)
    wrong, faults = [], []
    for kind, due in enumerate(TILES.counts(layout.tiles)):
        name = TILES.kinds[kind].name
        if held[kind] > due:
            wrong.append(f"tile {name} appears {_counted(held[kind], 'time')} instead of {due}")
            faults.append(Fault("tile-too-often", tile=name, count=held[kind], due=due))
        elif held[kind] < due:
            wrong.append(f"tile {name} is missing" + ("" if due == 1 else f" ({held[kind]} of {due})"))
            faults.append(Fault("tile-missing", tile=name, count=held[kind], due=due))
    if wrong:
        raise InputError("; ".join(wrong), *faults)
