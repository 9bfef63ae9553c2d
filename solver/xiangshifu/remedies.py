"""How remedies change the game: rule sets compared on the same random deals, and by the groups they make valid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputError
from solver.statistics import Mean, PairedDifference, Share, mean_of, paired_difference, share_of
from solver.store import Store
from solver.xiangshifu.deadgroups import DeadGroups, dead_groups
from solver.xiangshifu.groups import TRIPLES, classified, group_table
from solver.xiangshifu.position import LAYOUTS, Deal
from solver.xiangshifu.rules import REMEDIES, RuleSet, combine
from solver.xiangshifu.survey import Survey, first_records
from solver.xiangshifu.verdicts import UNDECIDED, WINNABLE

SCHEMA = 1
EXAMPLES = 3
"""How many deals are named that a rule set wins or loses against the baseline."""

MOST_LENGTH = 255
"""Stands for all greater lengths in a record, so nothing is counted with it."""


def all_remedies() -> tuple[RuleSet, ...]:
    """The rule sets of all combinations of the remedies: classic, each alone, each two, all three."""
    sizes = range(len(REMEDIES) + 1)
    return tuple(combine(set(chosen)) for size in sizes for chosen in combinations(REMEDIES, size))


@dataclass(frozen=True)
class Comparison:
    """One rule set on the same deals as a baseline.

    Attributes:
        winnable: share of winnable deals among all.
        undecided: deals that stayed undecided.
        difference: of the winnable share from the baseline's, over the deals that both decided.
        gained: numbers of the first deals that are winnable here and not there.
        lost: numbers of the first deals that are winnable there and not here.
        length: mean shortest length of the winnable deals; None without lengths.
        length_in_both: the same of the deals that the baseline wins, too.
        baseline_length: the baseline's mean of these deals.
        change: mean change of the length of a deal winnable in both.
    """

    winnable: Share
    undecided: int
    difference: PairedDifference
    gained: tuple[int, ...]
    lost: tuple[int, ...]
    length: Mean | None
    length_in_both: Mean | None
    baseline_length: Mean | None
    change: Mean | None


def compare(records: NDArray[np.void], baseline: NDArray[np.void]) -> Comparison:
    """Compare the records of one rule set with those of a baseline.

    Args:
        records: ``RECORD``, shape (deals,): deals from number 0 on.
        baseline: the same deals under the rules to compare with.

    Raises:
        ValueError: the arrays are not of the same deals.
    """
    if records.shape != baseline.shape:
        raise ValueError(f"{len(records)} deals can't be compared with {len(baseline)}")
    won, won_there = records["outcome"] == WINNABLE, baseline["outcome"] == WINNABLE
    decided = (records["outcome"] != UNDECIDED) & (baseline["outcome"] != UNDECIDED)
    gained = np.flatnonzero(decided & won & ~won_there)
    lost = np.flatnonzero(decided & won_there & ~won)
    lengths, lengths_there = records["length"].astype(np.int64), baseline["length"].astype(np.int64)
    known, known_there = won & _known(lengths), won_there & _known(lengths_there)
    both = known & known_there
    return Comparison(
        share_of(int(won.sum()), len(records)),
        int((records["outcome"] == UNDECIDED).sum()),
        paired_difference(len(gained), len(lost), int(decided.sum())),
        tuple(map(int, gained[:EXAMPLES])),
        tuple(map(int, lost[:EXAMPLES])),
        _mean(lengths[known]),
        _mean(lengths[both]),
        _mean(lengths_there[both]),
        _mean(lengths[both] - lengths_there[both]),
    )


def _known(lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
    return (lengths > 0) & (lengths < MOST_LENGTH)


def _mean(values: NDArray[np.int64]) -> Mean | None:
    numbers, times = np.unique(values, return_counts=True)
    return mean_of(dict(zip(map(int, numbers), map(int, times), strict=True)))


@dataclass(frozen=True)
class Triples:
    """Some triples, counted as multisets of kinds and as sets of actual tiles."""

    kinds: int
    tiles: int

    def to_json(self) -> dict[str, int]:
        """Both counts."""
        return {"kinds": self.kinds, "tiles": self.tiles}


def count_triples(chosen: NDArray[np.bool_]) -> Triples:
    """How many triples are chosen: bool, shape (1771,) or (1550,), by group number."""
    triples = chosen[:TRIPLES]
    return Triples(int(triples.sum()), int(group_table().weights[:TRIPLES][triples].sum()))


@dataclass(frozen=True)
class RulesChange:
    """What a rule set makes valid, and condemns.

    Attributes:
        valid: valid triples.
        added: those that the baseline doesn't have.
        removed: those that only the baseline has.
        groups: dead and conditionally dead groups.
    """

    valid: Triples
    added: Triples
    removed: Triples
    groups: DeadGroups


def rules_change(rules: RuleSet, baseline: RuleSet) -> RulesChange:
    """How the valid triples differ from a baseline's, and which groups remain dead or conditionally dead."""
    here, there = classified(rules) != 0, classified(baseline) != 0
    return RulesChange(
        count_triples(here), count_triples(here & ~there), count_triples(there & ~here), dead_groups(rules)
    )


@dataclass(frozen=True)
class Remedy:
    """One rule set, by what it changes in the rules and on the table."""

    rules: RuleSet
    change: RulesChange
    comparison: Comparison


@dataclass(frozen=True)
class RemediesReport:
    """Rule sets compared on the same deals.

    Attributes:
        survey: which deals, and whether for shortest lengths.
        deals: how many.
        remedies: one a rule set; the first is the baseline.
    """

    survey: Survey
    deals: int
    remedies: tuple[Remedy, ...]

    @property
    def baseline(self) -> RuleSet:
        """The rule set that all are compared with."""
        return self.remedies[0].rules

    @property
    def undecided(self) -> int:
        """Deals that stayed undecided, of all rule sets together."""
        return sum(remedy.comparison.undecided for remedy in self.remedies)

    def deal(self, index: int) -> Deal:
        """The deal of this number."""
        return Deal.random(self.survey.seed, index, LAYOUTS[self.survey.layout])

    def to_json(self) -> dict[str, Any]:
        """The JSON object of ``xsf remedies``."""
        return {
            "schema": SCHEMA,
            "seed": self.survey.seed,
            "layout": self.survey.layout,
            "goal": self.survey.goal,
            "shortest": self.survey.shortest,
            "deals": self.deals,
            "baseline": self.baseline.id,
            "rules": {remedy.rules.id: self._remedy_json(remedy) for remedy in self.remedies},
        }

    def _remedy_json(self, remedy: Remedy) -> dict[str, Any]:
        found, change = remedy.comparison, remedy.change
        condemned = change.groups.to_json()
        return {
            "record": remedy.rules.to_json(),
            "deals": self.deals,
            "winnable": found.winnable.hits,
            "unwinnable": self.deals - found.winnable.hits - found.undecided,
            "undecided": found.undecided,
            **found.winnable.to_json(),
            "difference": None if remedy.rules == self.baseline else self._difference_json(found),
            "valid_triples": {
                **change.valid.to_json(),
                "added": change.added.to_json(),
                "removed": change.removed.to_json(),
            },
            "dead": condemned["dead"],
            "conditionally_dead": condemned["conditionally_dead"],
            "mean_length": found.length and found.length.to_json(),
            "in_both": None if remedy.rules == self.baseline else _in_both_json(found),
        }

    def _difference_json(self, found: Comparison) -> dict[str, Any]:
        return {
            **found.difference.to_json(),
            "gained_deals": [self._example(index) for index in found.gained],
            "lost_deals": [self._example(index) for index in found.lost],
        }

    def _example(self, index: int) -> dict[str, Any]:
        return {"index": index, "deal": str(self.deal(index))}


def _in_both_json(found: Comparison) -> dict[str, Any] | None:
    if found.length_in_both is None or found.baseline_length is None or found.change is None:
        return None
    return {
        "deals": found.length_in_both.count,
        "mean_length": found.length_in_both.mean,
        "baseline_mean_length": found.baseline_length.mean,
        "change": found.change.to_json(),
    }


def remedies_report(survey: Survey, store: Store, count: int) -> RemediesReport:
    """Compare all rule sets of a survey with its first, on its first ``count`` deals.

    Raises:
        InputError: deals are missing.
    """
    baseline = survey.rules[0]
    there = first_records(store, baseline.id, count)
    remedies = (
        Remedy(rules, rules_change(rules, baseline), compare(first_records(store, rules.id, count), there))
        for rules in survey.rules
    )
    return RemediesReport(survey, count, tuple(remedies))


def with_baseline(chosen: Iterable[RuleSet], baseline: RuleSet) -> tuple[RuleSet, ...]:
    """Rule sets with the baseline in front, each once.

    Raises:
        InputError: two that differ have the same name.
    """
    unique = dict.fromkeys([baseline, *chosen])
    _refuse_same_names(tuple(unique))
    return tuple(unique)


def _refuse_same_names(rules: Sequence[RuleSet]) -> None:
    for name, times in Counter(record.id for record in rules).items():
        if times > 1:
            raise InputError(f"rules: {name!r} names {times} different rule sets")
