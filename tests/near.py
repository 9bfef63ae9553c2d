"""Rule sets with few final positions and some locks, deals near their end, and all that can come of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random

import naive
import numpy as np
from numpy.typing import NDArray

from solver.xiangshifu.bonds import locks
from solver.xiangshifu.groups import group_table
from solver.xiangshifu.position import LAYOUTS, Deal, Layout, format_group, parse_group
from solver.xiangshifu.rules import RuleSet

DRAGON = ("dragon", (1, 2, 3, 4, 5, 6))
KAO = RuleSet("kao", 13, (3, 4), ("split", "coincidence"), (DRAGON, ("two-three-kao", (2, 2, 3, 3, 6, 6))))
MIXED = RuleSet("mixed", 16, (3, 4), ("five-points", "coincidence"), (("mixed-dragon", (2, 3, 3, 4, 4, 5)),))
RULES = {"kao": KAO, "mixed": MIXED}
"""Both have five locks in layout ten, of which one or two can be broken."""


@dataclass(frozen=True)
class Small:
    """A rule set and layout small enough to look at everything."""

    rules: str
    layout: str

    @property
    def record(self) -> RuleSet:
        return RULES[self.rules]

    @property
    def kind(self) -> Layout:
        return LAYOUTS[self.layout]


@cache
def game(rules: str) -> naive.Game:
    return naive.Game(RULES[rules].to_json())


@cache
def final_positions(small: Small) -> list[naive.Groups]:
    return sorted(naive.valid_positions(game(small.rules), small.layout))


@cache
def moves(rules: str, position: naive.Groups) -> frozenset[naive.Groups]:
    """All positions one move away; most deals reach the same final positions, so they are kept."""
    return frozenset(game(rules).moves(position))


def text(position: naive.Groups) -> str:
    return " ".join("-".join(one) for one in position)


def texts(groups: Iterable[int]) -> set[naive.Group]:
    """Groups (masks) as the twins write them."""
    return {naive.group(format_group(group)) for group in groups}


@cache
def locked(small: Small) -> tuple[set[naive.Group], ...]:
    """The groups of each lock."""
    return tuple(texts(lock.groups) for lock in locks(small.record, small.kind))


def signature(small: Small, position: naive.Groups) -> int:
    """Which locks a final position has, as bits."""
    return sum(1 << index for index, groups in enumerate(locked(small)) if groups & {*position})


def unbroken(small: Small, position: naive.Groups) -> list[naive.Groups]:
    """All positions from which a repair that breaks a lock leads to a final position."""
    return sorted(
        tuple(sorted((*naive.without(position, i, j), one, other)))
        for i, j in combinations(range(len(position)), 2)
        for one, other in naive.all_exchanges(position[i], position[j])
        if not (game(small.rules).valid(one) and game(small.rules).valid(other))
        for groups in locked(small)
        if (one in groups) != (other in groups) and not groups & {*position}
    )


def near_deal(small: Small, random: Random) -> naive.Groups:
    """A deal that one to four moves, or an exchange that can't be undone besides, have made of a final position."""
    position = random.choice(final_positions(small))
    for _ in range(random.randint(1, 3)):
        position = naive.spoiled(game(small.rules), position, random)
    if random.random() < 0.3:
        position = naive.stirred(game(small.rules), position, random)
    return position


def twinned(small: Small, position: naive.Groups, random: Random) -> naive.Groups | None:
    """A position in which two exchanges, each of which a move undoes, have made two equal invalid groups."""
    options: dict[naive.Group, list[tuple[int, int, naive.Group, naive.Group]]] = {}
    for i, j in combinations(range(len(position)), 2):
        for x, y in naive.all_exchanges(position[i], position[j]):
            for made in {x, y}:
                if not game(small.rules).valid(made):
                    options.setdefault(made, []).append((i, j, x, y))
    twice = [
        tuple(sorted((*naive.without(position, i, j, k, m), x, y, z, w)))
        for made in sorted(options)
        for (i, j, x, y), (k, m, z, w) in combinations(options[made], 2)
        if not {i, j} & {k, m}
    ]
    return random.choice(twice) if twice else None


def broken_deal(small: Small, random: Random) -> naive.Groups:
    """A deal with a lock that a repair can break."""
    before: list[naive.Groups] = []
    while not before:
        before = unbroken(small, random.choice(final_positions(small)))
    return random.choice(before)


def deals(small: Small, count: int, seed: int, most: int = 3000) -> Iterator[tuple[Deal, dict[naive.Groups, int]]]:
    """Deals that reach at most so many positions, and the fewest moves to each.

    Of five deals one has equal invalid groups, and one a lock that can be broken.
    """
    random = Random(seed)
    while count:
        made = near_deal(small, random)
        if count % 5 == 0:
            made = twinned(small, made, random) or made
        elif count % 5 == 1:
            made = broken_deal(small, random)
        known = naive.reachable(made, lambda at: moves(small.rules, at), most)
        if known is not None:
            count -= 1
            yield Deal.parse(text(made)), known


def as_positions(small: Small, positions: Iterable[naive.Groups]) -> NDArray[np.int16]:
    """Positions as numbers of groups, in any order."""
    number = group_table().number
    rows = [[number(parse_group("-".join(one))) for one in position] for position in positions]
    return np.array(rows, dtype=np.int16).reshape(-1, small.kind.groups)
