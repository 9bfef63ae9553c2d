"""What pictures and pages show: every single tile in its slot, through all moves of a solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.xiangshifu.groups import group_names
from solver.xiangshifu.moves import Move
from solver.xiangshifu.position import Layout, Position
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.tiles import TILES


@dataclass(frozen=True)
class Tile:
    """One of the tiles on the table.

    Attributes:
        number: tells it from all others, its like included; counted through the deal from 0.
        name: its text, such as ``16``.
    """

    number: int
    name: str


@dataclass(frozen=True)
class Group:
    """A group on the table.

    Attributes:
        place: its place.
        tiles: its tiles from left to right.
        names: its combinations; empty for an invalid group.
    """

    place: int
    tiles: tuple[Tile, ...]
    names: tuple[str, ...]


@dataclass(frozen=True)
class Scene:
    """A position as it lies on the table.

    Attributes:
        layout: the layout.
        groups: the groups by their places.
        moving: the numbers of the tiles that the next move exchanges.
    """

    layout: Layout
    groups: tuple[Group, ...]
    moving: frozenset[int] = frozenset()

    @property
    def invalid(self) -> int:
        """How many groups are invalid."""
        return sum(not group.names for group in self.groups)


def scenes(deal: Position, moves: Sequence[Move], rules: RuleSet) -> list[Scene]:
    """The position before each move and the one at the end.

    A tile that is exchanged takes the slot of the one it is exchanged for; all others stay where they are.
    """
    slots = _dealt(deal)
    masks = list(deal.groups)
    found = []
    for move in moves:
        swaps = _swaps(slots, move)
        moving = frozenset(slots[place][at].number for swap in swaps for place, at in swap)
        found.append(_scene(deal.layout, slots, masks, rules, moving))
        for (place, at), (other, there) in swaps:
            slots[place][at], slots[other][there] = slots[other][there], slots[place][at]
        for place, group in zip(move.groups, move.after, strict=True):
            masks[place] = group
    return [*found, _scene(deal.layout, slots, masks, rules)]


def _dealt(deal: Position) -> list[list[Tile]]:
    slots: list[list[Tile]] = []
    number = 0
    for group in deal.groups:
        slots.append([Tile(number + at, name) for at, name in enumerate(TILES.names(group))])
        number += len(slots[-1])
    return slots


Slot = tuple[int, int]
"""A place and which tile of its group, from 0."""


def _swaps(slots: list[list[Tile]], move: Move) -> list[tuple[Slot, Slot]]:
    """The slots whose tiles a move exchanges."""
    leaving = [
        [(place, at) for at in _leaving(slots[place], out)] for place, out in zip(move.groups, move.out, strict=True)
    ]
    return list(zip(*leaving, strict=True))


def _leaving(tiles: list[Tile], out: int) -> list[int]:
    """Where among the tiles of a group those of a mask are; of tiles that are alike, the first."""
    found: list[int] = []
    for name in TILES.names(out):
        found.append(next(at for at, tile in enumerate(tiles) if tile.name == name and at not in found))
    return found


def _scene(
    layout: Layout, slots: list[list[Tile]], masks: list[int], rules: RuleSet, moving: frozenset[int] = frozenset()
) -> Scene:
    groups = tuple(
        Group(place, tuple(tiles), group_names(mask, rules))
        for place, (tiles, mask) in enumerate(zip(slots, masks, strict=True))
    )
    return Scene(layout, groups, moving)
