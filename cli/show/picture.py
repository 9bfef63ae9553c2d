"""A board as an SVG picture: the dominoes as players lay them, which groups are valid, and what moves next."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from cli.show.board import ROWS
from cli.show.render import render
from cli.show.scene import Group, Scene, Tile, scenes
from cli.show.style import columns
from cli.show.tile import HEIGHT, WIDTH
from cli.show.words import WORDS, Words
from solver.xiangshifu.position import Position
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.solve import Result

MARGIN, HEAD = 22, 44
GAP = 14
"""Between trays."""

INSET, TILE_GAP = 9, 4
TRAY = 3 * WIDTH + 2 * TILE_GAP + 2 * INSET
LINE, CAPTION = 15, 18
"""Between lines of a caption, and from the tiles to the first."""

CAPTION_COLUMNS = 17
LIFT = 5
"""How far a tile that moves next is above its place."""


@dataclass(frozen=True)
class DrawnTile:
    """A tile with the upper left corner where it is drawn."""

    tile: Tile
    x: float
    y: float
    moving: bool


@dataclass(frozen=True)
class DrawnGroup:
    """A group with the upper left corner and height of its tray; tiles and caption are relative to the corner."""

    group: Group
    x: float
    y: float
    height: float
    tiles: tuple[DrawnTile, ...]
    caption: tuple[str, ...]


def draw_picture(position: Position, rules: RuleSet, lang: str = "en") -> str:
    """A position as SVG.

    Args:
        position: the position.
        rules: which groups are valid.
        lang: the language of names, one of ``names.LANGUAGES``.
    """
    words = WORDS[lang]
    (scene,) = scenes(position, (), rules)
    return _draw(scene, words, words.layout(scene), words.standing(scene), words.rules_of(rules))


def draw_solution(result: Result, lang: str = "en") -> list[str]:
    """The positions of a solution as SVG: before each move with the tiles that it exchanges, and the end.

    Of a deal without a solution, the deal.

    Args:
        result: the result.
        lang: the language of names, one of ``names.LANGUAGES``.
    """
    words, moves = WORDS[lang], result.moves or ()
    found = scenes(result.deal, moves, result.rules)
    pictures = []
    for number, scene in enumerate(found):
        if number < len(moves):
            title = words.step.format(number=number + 1, total=len(moves))
            about = " ⇄ ".join(words.tiles(mask) for mask in moves[number].out)
        elif result.moves is None:
            title, about = words.headline(result), words.standing(scene)
        else:
            title, about = words.end(result), words.headline(result)
        pictures.append(_draw(scene, words, title, about, words.rules_of(result.rules)))
    return pictures


def _draw(scene: Scene, words: Words, title: str, about: str, rules: str) -> str:
    rows = ROWS[scene.layout.name]
    width = 4 * TRAY + 3 * GAP
    drawn, y = [], float(MARGIN + HEAD)
    for row in rows:
        captions = [_caption(words.caption(scene.groups[place])) for place in row]
        height = INSET + HEIGHT + CAPTION + LINE * (max(map(len, captions)) - 1) + INSET
        for x, place, caption in zip(_columns(len(row), width), row, captions, strict=True):
            drawn.append(_drawn(scene.groups[place], x + MARGIN, y, height, caption, scene.moving))
        y += height + GAP
    return render(
        "picture.svg.j2",
        words=words,
        title=title,
        about=about,
        rules=rules,
        scene=scene,
        groups=sorted(drawn, key=lambda group: group.group.place),
        kinds=sorted({tile.name for group in scene.groups for tile in group.tiles}),
        width=width + 2 * MARGIN,
        height=round(y - GAP + MARGIN),
        tray=TRAY,
        margin=MARGIN,
        inset=INSET,
        line=LINE,
        caption_at=INSET + HEIGHT + CAPTION - 2,
    )


def _columns(count: int, width: float) -> list[float]:
    """Where so many trays begin that are spread over a width."""
    return [at * (width - TRAY) / (count - 1) for at in range(count)]


def _caption(text: str) -> tuple[str, ...]:
    """A caption in lines; Chinese characters take two columns."""
    room = CAPTION_COLUMNS if columns(text) == len(text) else CAPTION_COLUMNS // 2
    return tuple(textwrap.wrap(text, room))


def _drawn(
    group: Group, x: float, y: float, height: float, caption: Sequence[str], moving: frozenset[int]
) -> DrawnGroup:
    taken = len(group.tiles) * WIDTH + (len(group.tiles) - 1) * TILE_GAP
    left = (TRAY - taken) / 2
    tiles = tuple(
        DrawnTile(
            tile,
            left + at * (WIDTH + TILE_GAP),
            INSET - (LIFT if tile.number in moving else 0),
            tile.number in moving,
        )
        for at, tile in enumerate(group.tiles)
    )
    return DrawnGroup(group, x, y, height, tiles, tuple(caption))
