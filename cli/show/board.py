"""The board: groups of dominoes as players lay them, the pair in the centre and the triples around it."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from types import MappingProxyType

from cli.show.style import Style, columns
from solver.xiangshifu.groups import group_names
from solver.xiangshifu.position import Position
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.tiles import TILES

ROWS: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "ten": ((0, 1, 2, 3), (4, 10, 5), (6, 7, 8, 9)),
    "shanghai": ((0, 1, 2, 3), (4, 5), (6, 7, 8, 9)),
    "eight": ((0, 1, 2, 3), (8, 9, 10, 11), (4, 5, 6, 7)),
}
"""For each layout the places of each row of the board."""

MARGIN = 3
TILE_WIDTH = 5
CELL = MARGIN + 3 * TILE_WIDTH
GAP = 2

PIPS = ("   |   |   ", "   | ● |   ", "●  |   |  ●", "●  | ● |  ●", "● ●|   |● ●", "● ●| ● |● ●", "● ●|● ●|● ●")
DICE = " ⚀⚁⚂⚃⚄⚅"
LIGHT, HEAVY, DOUBLE = tuple("╭─╮│├┤╰╯"), tuple("┏━┓┃┣┫┗┛"), tuple("╔═╗║╠╣╚╝")

LEGEND = "The number beside a group is its place, counted from 0."
NOTHING: Mapping[int, int] = MappingProxyType({})


def draw_board(
    position: Position,
    rules: RuleSet,
    style: Style,
    *,
    width: int = 80,
    highlight: Mapping[int, int] = NOTHING,
    cursor: tuple[int, int] | None = None,
    large: bool = True,
    legend: bool = True,
) -> str:
    """The groups of a position as dominoes on the table.

    Each group has its place beside it, and below it the names of its combinations or the mark of an invalid group.

    Args:
        position: the position.
        rules: which groups are valid.
        style: colours and characters; in ASCII each group is one line.
        width: columns there are; below 78 the groups stand in fewer columns, and one needs 18.
        highlight: place -> mask of the tiles to emphasise.
        cursor: a place and which of its tiles is pointed at, from 0.
        large: whether to draw each pip (11 lines a group) or dice faces (6 lines); ASCII knows one size.
        legend: whether to say what the numbers are.
    """
    cells = [
        _cell(
            place,
            group,
            group_names(group, rules),
            _looks(group, highlight.get(place, 0), cursor[1] if cursor and cursor[0] == place else None),
            style,
            large,
        )
        for place, group in enumerate(position.groups)
    ]
    rows = [_row([cells[place] for place in row], width) for row in board_rows(position, width)]
    if legend:
        rows.append("\n".join(map(style.dim, textwrap.wrap(LEGEND, width))))
    return "\n\n".join(rows)


def board_rows(position: Position, width: int) -> list[tuple[int, ...]]:
    """The places of each row of a board drawn so wide."""
    columns = max(1, (width + GAP) // (CELL + GAP))
    if columns >= 4:
        return list(ROWS[position.layout.name])
    places = range(len(position.groups))
    return [tuple(places[start : start + columns]) for start in range(0, len(places), columns)]


def _row(cells: list[list[str]], width: int) -> str:
    """Cells side by side, spread over four columns where there is room for them."""
    total = 4 * CELL + 3 * GAP
    gap = (total - len(cells) * CELL) // (len(cells) - 1) if 1 < len(cells) <= 4 and width >= total else GAP
    height = max(len(cell) for cell in cells)
    blank = " " * CELL
    lines = ((" " * gap).join(cell[at] if at < len(cell) else blank for cell in cells) for at in range(height))
    return "\n".join(line.rstrip() for line in lines)


def _cell(
    place: int, group: int, names: tuple[str, ...], looks: list[tuple[bool, bool]], style: Style, large: bool
) -> list[str]:
    """The lines of one group, each ``CELL`` columns wide: its tiles, the place beside them, and its names."""
    tiles = TILES.names(group)
    drawn = [_tile(name, *look, style, large) for name, look in zip(tiles, looks, strict=True)]
    width = len(tiles) * TILE_WIDTH
    side = CELL - MARGIN - width
    left, right = side // 2, side - side // 2
    lines = []
    for at, parts in enumerate(zip(*drawn, strict=True)):
        number = style.bold(f"{place:>{MARGIN - 1}} ") if at == 0 else " " * MARGIN
        lines.append(" " * left + number + "".join(parts) + " " * right)
    return lines + _caption(style.combinations(names, tiles), left, style)


def _caption(names: str, left: int, style: Style) -> list[str]:
    text = names or style.invalid_text
    paint = style.valid if names else style.invalid
    indent = left + MARGIN
    room = CELL - indent
    return [" " * indent + paint(line) + " " * (room - columns(line)) for line in textwrap.wrap(text, room)]


def _looks(group: int, highlighted: int, pointed: int | None) -> list[tuple[bool, bool]]:
    """For each tile of a group whether it is highlighted, and whether it is pointed at."""
    return [(moves, at == pointed) for at, moves in enumerate(_moving(TILES.names(group), highlighted))]


def _moving(tiles: tuple[str, ...], highlighted: int) -> list[bool]:
    """For each tile of a group whether it is among those highlighted; of two identical tiles one may be."""
    left = list(TILES.names(highlighted))
    moving = []
    for name in tiles:
        moving.append(name in left)
        if name in left:
            left.remove(name)
    return moving


BRACKETS = {(False, False): "[]", (True, False): "<>", (False, True): "{}", (True, True): "()"}
"""Around a tile in ASCII, by whether it is highlighted and pointed at."""


def _tile(name: str, moves: bool, pointed: bool, style: Style, large: bool) -> list[str]:
    """The lines of one domino, each ``TILE_WIDTH`` columns wide."""
    if style.ascii:
        return [style.tile(name, BRACKETS[moves, pointed])]
    paint = style.moving if moves else style.bold if pointed else str
    corner, across, corner_2, down, joint, joint_2, corner_3, corner_4 = (
        DOUBLE if pointed else HEAVY if moves else LIGHT
    )
    halves = [_half(int(end), style, large) for end in name]
    side = paint(down)
    upper, lower = ([side + line + side for line in half] for half in halves)
    middle = [paint(joint + 3 * across + joint_2)] if large else []
    return [paint(corner + 3 * across + corner_2), *upper, *middle, *lower, paint(corner_3 + 3 * across + corner_4)]


def _half(end: int, style: Style, large: bool) -> list[str]:
    lines = PIPS[end].split("|") if large else [f" {DICE[end]} "]
    return [style.pip(end, line) for line in lines]
