"""A rule set with few valid positions, small enough for the slow twins, and how the twins write its positions."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from functools import cache
from typing import TypeVar

import naive
import numpy as np
from numpy.typing import NDArray

from solver.xiangshifu.groups import group_table
from solver.xiangshifu.position import LAYOUTS, format_group
from solver.xiangshifu.region import Region, region
from solver.xiangshifu.rules import RuleSet

Value = TypeVar("Value")

SMALL = RuleSet.from_json(
    {
        "id": "small",
        "fourteen_threshold": 14,
        "multiples_of": [],
        "combinations": ["five-points", "split", "five-sons"],
        "patterns": {
            "dragon": [1, 2, 3, 4, 5, 6],
            "small-dragon": [1, 1, 2, 2, 3, 3],
            "big-dragon": [4, 4, 5, 5, 6, 6],
            "two-three-kao": [2, 2, 3, 3, 6, 6],
        },
    }
)
SIZES = {"ten": 6018, "shanghai": 789, "eight": 15_985}
"""Valid positions of each layout, as the slow twin finds them too."""


def result(generator: Generator[object, None, Value]) -> Value:
    """What a generator returns after all its progress."""
    while True:
        try:
            next(generator)
        except StopIteration as end:
            value: Value = end.value
            return value


@cache
def small(layout: str) -> Region:
    """The region of the small rule set."""
    return region(LAYOUTS[layout], SMALL)


@cache
def game() -> naive.Game:
    """The twin of the small rule set."""
    return naive.game_of(SMALL.to_json())


@cache
def text_of(group: int) -> naive.Group:
    """A group, given by its number, as the twins write it."""
    return naive.group(format_group(int(group_table().masks[group])))


def texts(positions: Iterable[Iterable[int]]) -> list[naive.Groups]:
    """Positions, given by numbers of groups, as the twins write them."""
    return [tuple(sorted(text_of(int(group)) for group in groups)) for groups in positions]


@cache
def all_texts(layout: str) -> list[naive.Groups]:
    """All positions of the small region in the order of their numbers, as the twins write them."""
    return texts(everything(small(layout)))


def everything(found: Region) -> NDArray[np.int16]:
    """All positions of a region."""
    return found.unrank(np.arange(found.size))
