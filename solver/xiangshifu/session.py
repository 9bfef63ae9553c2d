"""Playing by hand: exchanges as a person means them, refused with the reason where they are none, and a game so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from solver.errors import InputError
from solver.xiangshifu.goals import Goal
from solver.xiangshifu.groups import group_names, group_table
from solver.xiangshifu.moves import Move, move_between
from solver.xiangshifu.position import Deal, Position, format_group
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.tiles import TILES

REASONS = {
    "two-groups": "an exchange is between two of the {groups} groups",
    "same-group": "both tiles lie in the same group",
    "not-there": "{tiles} is not in {group}",
    "unequal": "as many tiles must come back as are given",
    "too-many": "one tile is exchanged for another, or a whole pair for two tiles",
    "unchanged": "this exchange changes nothing",
    "invalid": "{group} would be no valid group",
    "both-invalid": "{group} and {other} would be no valid groups",
}
"""Why an exchange can be refused: a code, and what it says."""


class Refused(InputError):
    """An exchange that the rules don't allow.

    Args:
        code: why, one of ``REASONS``.
        values: what the reason names, as text.
    """

    def __init__(self, code: str, **values: str) -> None:
        super().__init__(REASONS[code].format(**values))
        self.code = code
        self.values = values


def exchange(position: Position, places: Sequence[int], out: Sequence[Iterable[str]], rules: RuleSet) -> Move:
    """The move that exchanges tiles between the groups at two places.

    Args:
        position: where.
        places: the two places, in any order.
        out: for each of the two, the names of the tiles that leave it: one each, or two each of which one is a pair.
        rules: the rule set.

    Raises:
        Refused: it is no exchange, or not allowed (rules, "Play").
        InputError: a tile is none.
    """
    first, second = _two_places(position, places)
    out_a, out_b = (_leaving(position, place, tiles) for place, tiles in zip((first, second), out, strict=True))
    a, b = position.groups[first], position.groups[second]
    if out_a.bit_count() != out_b.bit_count():
        raise Refused("unequal")
    if not 1 <= out_a.bit_count() <= 2 or (out_a.bit_count() == 2 and 2 not in (a.bit_count(), b.bit_count())):
        raise Refused("too-many")
    after = _replaced(a, out_a, out_b), _replaced(b, out_b, out_a)
    if sorted(after) == sorted((a, b)):
        raise Refused("unchanged")
    wrong = [format_group(group) for group in after if not group_names(group, rules)]
    if len(wrong) == 2:
        raise Refused("both-invalid", group=wrong[0], other=wrong[1])
    if wrong:
        raise Refused("invalid", group=wrong[0])
    return _move(position, (first, second), (out_a, out_b), after, rules)


def _two_places(position: Position, places: Sequence[int]) -> tuple[int, int]:
    if len(places) != 2 or not all(0 <= place < len(position.groups) for place in places):
        raise Refused("two-groups", groups=str(len(position.groups)))
    if places[0] == places[1]:
        raise Refused("same-group")
    return places[0], places[1]


def _leaving(position: Position, place: int, tiles: Iterable[str]) -> int:
    out = TILES.mask(TILES.kind(tile) for tile in tiles)
    if out & ~position.groups[place]:
        raise Refused("not-there", tiles=format_group(out), group=format_group(position.groups[place]))
    return out


def _replaced(group: int, out: int, new: int) -> int:
    kinds = list(TILES.kinds_of(group))
    for kind in TILES.kinds_of(out):
        kinds.remove(kind)
    return TILES.mask([*kinds, *TILES.kinds_of(new)])


def _move(
    position: Position, places: tuple[int, int], out: tuple[int, int], after: tuple[int, int], rules: RuleSet
) -> Move:
    """The move, the groups as the person leaves them; the same by fewer tiles is the same move."""
    numbers = [group_table().number(group) for group in after]
    found = move_between(position, *places, numbers[0], numbers[1], rules)
    ordered = after if places == found.groups else after[::-1]
    if found.after == ordered:
        return found
    turned = out if places == found.groups else out[::-1]
    names = group_names(ordered[0], rules), group_names(ordered[1], rules)
    return replace(found, out=turned, after=ordered, names=names)


@dataclass(frozen=True)
class Session:
    """A game so far. Every method that changes something gives a new one.

    Attributes:
        deal: the position at the start.
        rules: the rule set.
        goal: what is to be reached.
        moves: done so far.
        undone: that can be done again, the next one last.
    """

    deal: Deal
    rules: RuleSet
    goal: Goal
    moves: tuple[Move, ...] = ()
    undone: tuple[Move, ...] = ()

    @property
    def position(self) -> Deal:
        """The position now."""
        position: Position = self.deal
        for move in self.moves:
            position = position.exchanged(*move.groups, move.after)
        return Deal(position.groups, position.layout)

    @property
    def is_won(self) -> bool:
        """Whether the goal is reached."""
        return self.goal.reached(self.position, self.rules)

    def do(self, move: Move) -> Session:
        """The game after one more move; what was undone is forgotten unless the move does it again."""
        undone = self.undone[:-1] if self.undone and self.undone[-1] == move else ()
        return replace(self, moves=(*self.moves, move), undone=undone)

    def undo(self) -> Session:
        """The game before the latest move.

        Raises:
            InputError: there is none.
        """
        if not self.moves:
            raise InputError("there is nothing to undo")
        return replace(self, moves=self.moves[:-1], undone=(*self.undone, self.moves[-1]))

    def redo(self) -> Session:
        """The game after the move undone last.

        Raises:
            InputError: there is none.
        """
        if not self.undone:
            raise InputError("there is nothing to do again")
        return replace(self, moves=(*self.moves, self.undone[-1]), undone=self.undone[:-1])


def board_json(position: Position, rules: RuleSet) -> list[dict[str, Any]]:
    """The groups of a position as JSON values: ``tiles``, ``valid`` and ``names``."""
    return [
        {"tiles": list(position.tiles(place)), "valid": bool(names), "names": list(names)}
        for place, names in enumerate(group_names(group, rules) for group in position.groups)
    ]
