"""Goals: which final positions count as a win.

A goal says how many groups of a final position must be of which sort (rules, "Predetermined goals", "Shanghai"
and "Eight triples"). A ``Goal`` knows no rule set: what it asks for and the rules hold invalid is out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import Fault, InputError
from solver.jit import kernel
from solver.xiangshifu.groups import GROUPS, TRIPLES, classified, group_names, group_table
from solver.xiangshifu.position import LAYOUTS, TEN, Layout, Position, format_group, parse_group
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.tiles import CIVILIAN, TILES

RADIX = 16
"""More than a position has groups, so that counts of different parts never run into each other."""

NEVER = 1 << 40
"""The weight of a group that no position of the goal holds: more than any target, and the sum of twelve fits."""

Groups = frozenset[int]


@dataclass(frozen=True)
class Part:
    """So many groups of a final position must be among these.

    Attributes:
        groups: canonical masks, some of which may be invalid under a rule set; those count for nothing.
        count: how many.
    """

    groups: Groups
    count: int


@dataclass(frozen=True)
class Goal:
    """Which final positions of a layout count as a win.

    Attributes:
        id: the name, as ``parse_goal`` reads it.
        layout: the layout it belongs to.
        alternatives: ways to reach it. A final position fits an alternative if each of its groups belongs to exactly
            one of the parts, and to each part exactly ``count`` groups.
    """

    id: str
    layout: Layout
    alternatives: tuple[tuple[Part, ...], ...]

    def reached(self, position: Position, rules: RuleSet) -> bool:
        """Whether all groups of a position are valid under the rules, and are what the goal asks for."""
        return all(group_names(group, rules) for group in position.groups) and any(
            _fits(position.groups, parts) for parts in self.alternatives
        )


def _fits(groups: Iterable[int], parts: tuple[Part, ...]) -> bool:
    held = [0] * len(parts)
    for group in groups:
        places = [place for place, part in enumerate(parts) if group in part.groups]
        if len(places) != 1:
            return False
        held[places[0]] += 1
    return held == [part.count for part in parts]


# What goals are made of


def _these(*texts: str) -> Groups:
    return frozenset(parse_group(text) for text in texts)


@cache
def _groups() -> Groups:
    return frozenset(group_table().masks.tolist())


@cache
def _triples() -> Groups:
    return frozenset(group_table().masks[:TRIPLES].tolist())


@cache
def _combination(name: str) -> Groups:
    """The triples that are this combination under the classic rules, which no remedy defines otherwise."""
    bit = 1 << CLASSIC.names.index(name)
    return frozenset(group_table().masks[:TRIPLES][classified(CLASSIC)[:TRIPLES] & bit != 0].tolist())


@cache
def _harmonies() -> Groups:
    """The triples of two equal civilian tiles and one military tile."""
    kinds = group_table().kinds[:TRIPLES]
    # A kind that stands twice is civilian, and civilian kinds come first.
    equal = (kinds[:, 0] == kinds[:, 1]) & (kinds[:, 2] >= len(CIVILIAN))
    return frozenset(group_table().masks[:TRIPLES][equal].tolist())


# The goals by name

DEFAULTS = {"ten": "any", "shanghai": "shanghai", "eight": "eight"}
"""The goal of each layout if none is named."""

_NAMED = {
    "ten": ("five-dragons", "generals"),
    "shanghai": ("shanghai",),
    "eight": ("eight-civil", "eight-military", "eight"),
}
_PAIR = "pair:"


def _five_dragons() -> tuple[Part, ...]:
    return Part(_these("22-22"), 1), Part(_combination("dragon"), 5), Part(_combination("five-sons"), 5)


def _generals() -> tuple[Part, ...]:
    return Part(_these("13-13"), 1), Part(_harmonies(), 10)


def _shanghai() -> tuple[Part, ...]:
    return (
        Part(_combination("dragon"), 4),
        Part(_combination("small-dragon"), 2),
        Part(_combination("big-dragon"), 2),
        Part(_these("16-16-36"), 1),
        Part(_these("15-15-35"), 1),
    )


def _eight_civil() -> tuple[Part, ...]:
    # No pair can be there twice, so four of these are all of them.
    return Part(_these("66-66", "11-11", "44-44", "13-13"), 4), Part(_triples(), 8)


def _eight_military() -> tuple[Part, ...]:
    return Part(_these("36-45", "26-35", "25-34", "14-23"), 4), Part(_triples(), 8)


_ALTERNATIVES: dict[str, tuple[Callable[[], tuple[Part, ...]], ...]] = {
    "five-dragons": (_five_dragons,),
    "generals": (_generals,),
    "shanghai": (_shanghai,),
    "eight-civil": (_eight_civil,),
    "eight-military": (_eight_military,),
    "eight": (_eight_civil, _eight_military),
}


def _alternatives(name: str, layout: Layout) -> tuple[tuple[Part, ...], ...]:
    if name == "any":
        return ((Part(_groups(), layout.groups),),)
    if name.startswith(_PAIR):
        return ((Part(_these(name.removeprefix(_PAIR)), 1), Part(_triples(), layout.triples)),)
    return tuple(parts() for parts in _ALTERNATIVES[name])


@cache
def _goal(name: str, layout: Layout) -> Goal:
    return Goal(name, layout, _alternatives(name, layout))


def parse_goal(text: str | None, layout: Layout) -> Goal:
    """The goal of a layout by its name; the same object at every call.

    A pair is read in any spelling, but named by its tiles in the order of their text, also where groups are written
    otherwise: ``pair:12-24``, though the group is written ``24-12``.

    Args:
        text: such as ``any``, ``pair:22-22`` or ``generals``; None for the layout's default.
        layout: the layout that is played.

    Raises:
        InputError: no such goal, a goal of another layout, or a pair that is not valid; in one line.
    """
    if text is None:
        return _goal(DEFAULTS[layout.name], layout)
    if text.startswith(_PAIR):
        name, homes = _pair_goal(text), ["ten"]
    else:
        name = text
        homes = [home for home in LAYOUTS if text == "any" or text in _NAMED[home]]
    if not homes:
        known = ", ".join(_known(layout))
        raise InputError(f"goal {text!r} is unknown; layout {layout.name} has {known}", Fault("no-goal"))
    if layout.name not in homes:
        fault = Fault("other-layout", home=homes[0], layout=layout.name)
        raise InputError(f"goal {text!r} belongs to layout {homes[0]}, not {layout.name}", fault)
    return _goal(name, layout)


def _known(layout: Layout) -> tuple[str, ...]:
    return ("any", *([f"{_PAIR}…"] if layout == TEN else []), *_NAMED[layout.name])


def _pair_goal(text: str) -> str:
    """The name of the goal of a pair, in any spelling."""
    try:
        pair = parse_group(text.removeprefix(_PAIR))
    except InputError as error:
        raise InputError(f"goal {text!r}: {error}", Fault("no-pair")) from None
    if pair.bit_count() != 2 or not group_names(pair, CLASSIC):
        raise InputError(f"goal {text!r}: {format_group(pair)} is no valid pair", Fault("no-pair"))
    return _pair_name(pair)


def _pair_name(pair: int) -> str:
    return _PAIR + "-".join(sorted(TILES.names(pair)))


def named_goals(layout: Layout) -> tuple[Goal, ...]:
    """All goals of a layout but ``any``; the sixteen pairs come first, in the order of the rules."""
    pairs: list[str] = []
    if layout == TEN:
        numbers = [number for number in range(TRIPLES, GROUPS) if classified(CLASSIC)[number]]
        pairs = [_pair_name(int(group_table().masks[number])) for number in numbers]
    return tuple(_goal(name, layout) for name in (*pairs, *_NAMED[layout.name]))


# Goals as kernels see them


class GoalArrays(NamedTuple):
    """A goal under a rule set as kernels take it.

    A group of part i weighs ``RADIX**i``, so the sum over a position counts the groups of every part.

    Attributes:
        weights: int64, shape (alternatives, 1771): the weight of each group by its number; ``NEVER`` for one that is
            invalid, or not in exactly one part.
        targets: int64, shape (alternatives,): the sum of a position that fits.
    """

    weights: NDArray[np.int64]
    targets: NDArray[np.int64]


@lru_cache(maxsize=64)
def goal_arrays(goal: Goal, rules: RuleSet) -> GoalArrays:
    """The arrays of a goal under a rule set; the same object at every call while it is among the latest 64."""
    masks = group_table().masks.tolist()
    weights = np.full((len(goal.alternatives), GROUPS), NEVER, dtype=np.int64)
    targets = np.zeros(len(goal.alternatives), dtype=np.int64)
    for alternative, parts in enumerate(goal.alternatives):
        for number in np.flatnonzero(classified(rules)).tolist():
            places = [place for place, part in enumerate(parts) if masks[number] in part.groups]
            if len(places) == 1:
                weights[alternative, number] = RADIX ** places[0]
        targets[alternative] = sum(part.count * RADIX**place for place, part in enumerate(parts))
    weights.flags.writeable = targets.flags.writeable = False
    return GoalArrays(weights, targets)


@kernel
def _reaches(groups, weights, targets):
    """Whether a position, int16 group numbers in any order, is one of the goal."""
    for alternative in range(targets.shape[0]):
        total = np.int64(0)
        for place in range(groups.shape[0]):
            total += weights[alternative, groups[place]]
        if total == targets[alternative]:
            return True
    return False
