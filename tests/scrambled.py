"""Deals near valid positions of a rule set with few of them, where deals at random can hardly ever be won.

The rule set has few enough locks that the checker takes the proofs that rest on them.
"""

from __future__ import annotations

import random

import numpy as np

from solver.xiangshifu.goals import Goal
from solver.xiangshifu.position import LAYOUTS, Deal, Position
from solver.xiangshifu.region import region
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.tablebase import Tablebase
from solver.xiangshifu.tiles import TILES

FEW_TOML = 'name = "few"\nfourteen_threshold = 16\nremove = ["dragon"]\n'
FEW = RuleSet.from_json(
    {
        "id": "few",
        "fourteen_threshold": 16,
        "multiples_of": [],
        "combinations": ["five-points", "full-fourteen", "split", "coincidence", "five-sons"],
        "patterns": {
            "small-dragon": [1, 1, 2, 2, 3, 3],
            "big-dragon": [4, 4, 5, 5, 6, 6],
            "two-three-kao": [2, 2, 3, 3, 6, 6],
        },
    }
)


def mixed(position: Position, swaps: int, choice: random.Random) -> Deal:
    """A valid position with tiles of so many pairs of triples exchanged; the same exchanges backwards are legal."""
    groups = [list(TILES.kinds_of(group)) for group in position.groups]
    places = choice.sample([place for place, group in enumerate(groups) if len(group) == 3], 2 * swaps)
    for one, other in zip(places[::2], places[1::2], strict=True):
        groups[one][0], groups[other][0] = groups[other][0], groups[one][0]
    return Deal(tuple(map(TILES.mask, groups)), position.layout)


def scrambled(seed: int, swaps: int, layout: str = "ten") -> Deal:
    """Any valid position, mixed."""
    choice = random.Random(f"{layout} {seed}")
    found = region(LAYOUTS[layout], FEW)
    return mixed(found.position(choice.randrange(found.size)), swaps, choice)


def scrambled_at(distance: int, swaps: int, tablebase: Tablebase, goal: Goal) -> Deal:
    """The first position so far from a goal, mixed."""
    first = int(np.flatnonzero(tablebase.distances(goal) == distance)[0])
    return mixed(tablebase.region.position(first), swaps, random.Random(distance))


def scrambled_deals(count: int, layout: str = "ten") -> list[Deal]:
    """Deals of none to three such exchanges, in turns."""
    return [scrambled(seed, seed % 4, layout) for seed in range(count)]
