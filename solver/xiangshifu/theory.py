"""What a rule set condemns, with exact odds: dead groups, conditionally dead groups, and groups dead together.

All of them are *frozen sets* seen without the rest of the deal (see ``solver.xiangshifu.deadgroups``): a set of invalid
groups none of which has a valid partner made of the tiles outside the set. If moreover no dealt invalid group has an
edge with one of them, no deal that holds the set can be won. The sets listed are the minimal ones, so the smallest
frozen sets of a deal have so many groups exactly if it holds a listed set of that size without an edge partner, and no
smaller one. That makes each *level* a union of events whose odds are exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from solver.xiangshifu.deadgroups import DeadGroups, dead_groups
from solver.xiangshifu.families import TOP
from solver.xiangshifu.groups import GROUPS, TRIPLES, group_table
from solver.xiangshifu.moves import move_table
from solver.xiangshifu.odds import Event, probability, probability_of_any
from solver.xiangshifu.position import format_group
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.together import BIAS, SIZE, dead_together, edge_matrix, group_words

DEAD_GROUP, CONDITIONALLY_DEAD, TOGETHER = "dead-group", "conditionally-dead", "dead-together-"
"""Names of levels; the last is followed by the number of groups."""

FEW_UNIONS = 2_000
"""Unions of events that take a second or two to go through."""


@dataclass(frozen=True)
class FrozenGroups:
    """Invalid groups that lose every deal which holds them and none of their edge partners.

    Attributes:
        groups: their masks; a group that has to be dealt twice is named twice.
        partners: masks of their edge partners: the invalid groups that can be dealt beside them and have an edge with
            one of them.
        dealt: the probability that a deal holds them all.
        lost: the probability that it holds them all, and no edge partner.
    """

    groups: tuple[int, ...]
    partners: frozenset[int]
    dealt: Fraction
    lost: Fraction

    @property
    def unconditional(self) -> bool:
        """Whether no dealt group can have an edge with them, so that every deal that holds them is lost."""
        return not self.partners

    @property
    def event(self) -> Event:
        """That a deal is lost by them."""
        return Event(self.groups, self.partners)

    def to_json(self) -> dict[str, Any]:
        """The groups and their odds as JSON values."""
        return {
            "groups": [format_group(group) for group in self.groups],
            "unconditional": self.unconditional,
            "edge_partners": len(self.partners),
            "dealt": chance_to_json(self.dealt),
            "lost": chance_to_json(self.lost),
        }


@dataclass(frozen=True)
class Level:
    """The losses that sets of one kind explain, beyond those of the levels before.

    Attributes:
        name: ``dead-group``, ``conditionally-dead``, or ``dead-together-2`` and so on.
        sets: the sets, those that lose most deals first.
        at_most: the sum of what the sets lose: an upper limit of what the level adds.
        exact: what the level adds: the probability that a deal is lost by it and by none before. None if
            inclusion and exclusion would go through too many unions of events.
        so_far: the probability that a deal is lost by this level or one before; None likewise.
    """

    name: str
    sets: tuple[FrozenGroups, ...]
    at_most: Fraction
    exact: Fraction | None
    so_far: Fraction | None


@dataclass(frozen=True)
class Theory:
    """All that a rule set condemns in the layout of ten triples and a pair.

    Attributes:
        found: its dead and conditionally dead groups.
        size: the most groups of a set that were looked for.
        levels: dead groups, conditionally dead groups, and sets of two to ``size`` groups dead together.
    """

    found: DeadGroups
    size: int
    levels: tuple[Level, ...]

    @property
    def together(self) -> tuple[FrozenGroups, ...]:
        """The sets of groups that are dead together, smaller ones first."""
        return tuple(one for level in self.levels[2:] for one in level.sets)


def chance_to_json(chance: Fraction | None) -> dict[str, Any] | None:
    """A probability as JSON values: the exact fraction as text, and a number; null if it is not known."""
    if chance is None:
        return None
    return {"fraction": f"{chance.numerator}/{chance.denominator}", "value": float(chance)}


def edge_partners(groups: Iterable[int], rules: RuleSet) -> frozenset[int]:
    """The invalid groups that can be dealt beside some groups (masks) and have an edge with one of them, as masks."""
    table, words = group_table(), group_words()
    numbers = [table.number(group) for group in groups]
    partners = edge_matrix(rules)[numbers].any(axis=0) & ~move_table(rules).valid
    partners &= (words + words[numbers].sum() + BIAS) & TOP == 0
    if max(numbers) >= TRIPLES:
        partners &= np.arange(GROUPS) < TRIPLES
    return frozenset(table.masks[partners].tolist())


def _frozen_groups(groups: tuple[int, ...], rules: RuleSet) -> FrozenGroups:
    partners = edge_partners(groups, rules)
    return FrozenGroups(groups, partners, probability(groups), probability(groups, partners))


@lru_cache(maxsize=16)
def theory(rules: RuleSet, size: int = SIZE, most_unions: int = FEW_UNIONS) -> Theory:
    """What a rule set condemns, with exact odds.

    Args:
        rules: the rule set.
        size: the most groups of a set dead together (see ``solver.xiangshifu.together``).
        most_unions: how many unions of events may be gone through for the probability of a level. Of the presets only
            ``classic`` needs more than ``FEW_UNIONS`` for sets of three, some 8,000; sets of four are out of reach.
    """
    found = dead_groups(rules)
    kinds: list[tuple[str, list[tuple[int, ...]]]] = [
        (DEAD_GROUP, [(group,) for group in found.dead]),
        (CONDITIONALLY_DEAD, [(group,) for group in found.conditionally_dead]),
    ]
    together = dead_together(rules, size)
    kinds += [(f"{TOGETHER}{n}", [groups for groups in together if len(groups) == n]) for n in range(2, size + 1)]
    levels: list[Level] = []
    events: list[Event] = []
    for name, members in kinds:
        sets = sorted((_frozen_groups(groups, rules) for groups in members), key=lambda one: (-one.lost, one.groups))
        events += [one.event for one in sets if one.lost]
        before = levels[-1].so_far if levels else Fraction(0)
        so_far = None if before is None else probability_of_any(events, most_unions=most_unions)
        exact = None if so_far is None or before is None else so_far - before
        levels.append(Level(name, tuple(sets), sum((one.lost for one in sets), Fraction(0)), exact, so_far))
    return Theory(found, size, tuple(levels))
