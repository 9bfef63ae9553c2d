"""What a survey shows: shares with intervals, proofs, lengths, and the hardest deals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputError
from solver.statistics import Mean, Share, mean_of, share_of
from solver.store import Store
from solver.xiangshifu.position import LAYOUTS, Deal
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.survey import Survey, read_records
from solver.xiangshifu.verdicts import OUTCOMES, RECORD, UNDECIDED, WINNABLE

LOSSES = OUTCOMES[2:]
"""The kinds of proof of a loss."""

MOST_LENGTH = 255
"""Stands for itself and all greater lengths in a record."""

HARDEST = 5
"""How many deals are named of each kind of hardness."""

COUNTED = 1 << 16
"""Numbers of expansions below this are counted one by one, so that quantiles among them are exact."""

BATCH = 1 << 18
"""Records looked at together; smaller chunks are joined, since each look has a price of its own."""


def verdict_of(outcome: int) -> str:
    """The verdict that a place in ``OUTCOMES`` means."""
    return {UNDECIDED: "undecided", WINNABLE: "winnable"}.get(outcome, "unwinnable")


@dataclass(frozen=True)
class HardDeal:
    """One of the hardest deals of a survey.

    Attributes:
        why: ``longest`` (shortest solution), ``most-expanded`` (of the winnable), ``hardest-loss`` (most expanded of
            the unwinnable) or ``undecided``.
        index: its number.
        deal: the deal.
        outcome: place in ``OUTCOMES``.
        length: length of its shortest solution; None if unknown.
        expanded: positions expanded.
    """

    why: str
    index: int
    deal: Deal
    outcome: int
    length: int | None
    expanded: int

    def to_json(self) -> dict[str, Any]:
        """The deal as JSON values; its text can be given to ``xsf solve``."""
        return {
            "why": self.why,
            "index": self.index,
            "deal": str(self.deal),
            "verdict": verdict_of(self.outcome),
            "proof": OUTCOMES[self.outcome] if self.outcome > WINNABLE else None,
            "length": self.length,
            "expanded": self.expanded,
        }


@dataclass(frozen=True)
class Expansions:
    """How many positions were expanded a deal.

    Attributes:
        mean: mean of all deals.
        median: the least number that suffices for half of the deals; None if ``COUNTED`` or more.
        high: and for 99 of 100; None if ``COUNTED`` or more.
        most: the most of all.
    """

    mean: float
    median: int | None
    high: int | None
    most: int

    def to_json(self) -> dict[str, Any]:
        """The numbers as JSON values."""
        return {"mean": self.mean, "median": self.median, "percentile_99": self.high, "max": self.most}


@dataclass(frozen=True)
class RulesReport:
    """What a survey shows of one rule set.

    Attributes:
        rules: the rule set.
        winnable: share of winnable deals among all.
        undecided: undecided deals.
        losses: for each kind of proof the unwinnable deals that it decided.
        dead_group: share of deals that hold a dead group. (A deal with one is always proved lost by it.)
        lengths: shortest length -> winnable deals; None if the survey did not look for shortest solutions.
        length: mean of these lengths.
        expanded: positions expanded; None without deals.
        hardest: the hardest deals, by kind of hardness, the hardest first.
    """

    rules: RuleSet
    winnable: Share
    undecided: int
    losses: dict[str, int]
    dead_group: Share
    lengths: dict[int, int] | None
    length: Mean | None
    expanded: Expansions | None
    hardest: tuple[HardDeal, ...]

    @property
    def deals(self) -> int:
        """Deals looked at."""
        return self.winnable.trials

    @property
    def unwinnable(self) -> Share:
        """Share of deals proved unwinnable."""
        return share_of(sum(self.losses.values()), self.deals)

    def to_json(self) -> dict[str, Any]:
        """The value of ``rules`` -> id in the JSON object of ``xsf report``."""
        return {
            "record": self.rules.to_json(),
            "deals": self.deals,
            "winnable": self.winnable.hits,
            "unwinnable": sum(self.losses.values()),
            "undecided": self.undecided,
            **self.winnable.to_json(),
            "losses": self.losses,
            "dead_group": {"deals": self.dead_group.hits, **self.dead_group.to_json()},
            "lengths": None if self.lengths is None else {str(n): deals for n, deals in self.lengths.items()},
            "mean_length": None if self.length is None else self.length.to_json(),
            "expanded": None if self.expanded is None else self.expanded.to_json(),
            "hardest": [deal.to_json() for deal in self.hardest],
        }


@dataclass(frozen=True)
class Report:
    """What a survey shows.

    Attributes:
        survey: what was surveyed.
        version: version of the toolkit that began the survey; None if the file doesn't say.
        rules: one report a rule set, in the order of the survey.
    """

    survey: Survey
    version: str | None
    rules: tuple[RulesReport, ...]

    def to_json(self) -> dict[str, Any]:
        """The JSON object of ``xsf report``."""
        return {
            **self.survey.heading(self.version),
            "rules": {part.rules.id: part.to_json() for part in self.rules},
        }


def report(store: Store) -> Report:
    """What the survey in a store shows so far. Reads it in batches, so any number of deals fits into memory.

    Raises:
        InputError: the store holds no survey, or outcomes that this version doesn't know.
    """
    survey = Survey.from_description(store.description)
    version = store.description.get("version")
    return Report(survey, version, tuple(_rules_report(store, survey, rules) for rules in survey.rules))


def batches(store: Store, part: str) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.void]]]:
    """The numbers and records of all deals of one rule set, ascending, in batches of at least ``BATCH`` but the last.

    Yields:
        uint64 and ``RECORD``, shape (deals,) each.
    """
    waiting: list[tuple[int, NDArray[np.void]]] = []
    held = 0
    for start, records in read_records(store, part):
        waiting.append((start, records))
        held += len(records)
        if held >= BATCH:
            yield _joined(waiting)
            waiting, held = [], 0
    if held:
        yield _joined(waiting)


def _joined(chunks: list[tuple[int, NDArray[np.void]]]) -> tuple[NDArray[np.uint64], NDArray[np.void]]:
    numbers = [np.uint64(start) + np.arange(len(records), dtype=np.uint64) for start, records in chunks]
    return np.concatenate(numbers), np.concatenate([records for _, records in chunks])


class _Hardest:
    """The deals with the greatest of some measure, of deals that come in ascending order; ties go to the first."""

    def __init__(self) -> None:
        self._measures = np.zeros(0, dtype=np.int64)
        self._numbers = np.zeros(0, dtype=np.uint64)
        self._records = np.zeros(0, dtype=RECORD)

    def add(self, measures: NDArray[np.int64], numbers: NDArray[np.uint64], records: NDArray[np.void]) -> None:
        """Take deals into account; a measure of 0 is never among the greatest."""
        least = int(self._measures[-1]) if len(self._measures) == HARDEST else 0
        better = np.flatnonzero(measures > least)
        if len(better) == 0:
            return
        found = np.concatenate((self._measures, measures[better]))
        first = np.argsort(-found, kind="stable")[:HARDEST]
        self._measures = found[first]
        self._numbers = np.concatenate((self._numbers, numbers[better]))[first]
        self._records = np.concatenate((self._records, records[better]))[first]

    def deals(self, why: str, survey: Survey) -> Iterator[HardDeal]:
        """The deals found, the hardest first."""
        for number, record in zip(self._numbers, self._records, strict=True):
            index, outcome = int(number), int(record["outcome"])
            length = int(record["length"]) if survey.shortest and outcome == WINNABLE else None
            deal = Deal.random(survey.seed, index, LAYOUTS[survey.layout])
            yield HardDeal(why, index, deal, outcome, length, int(record["expanded"]))


class _Tally:
    """Counts of one rule set's records."""

    def __init__(self) -> None:
        self.outcomes = np.zeros(len(OUTCOMES), dtype=np.int64)
        self.lengths = np.zeros(MOST_LENGTH + 1, dtype=np.int64)
        self.expanded = np.zeros(COUNTED + 1, dtype=np.int64)
        self.expanded_total = 0
        self.expanded_most = 0
        self.hardest = {why: _Hardest() for why in ("longest", "most-expanded", "hardest-loss", "undecided")}

    def add(self, numbers: NDArray[np.uint64], records: NDArray[np.void]) -> None:
        """Count a batch."""
        outcomes = records["outcome"]
        if int(outcomes.max()) >= len(OUTCOMES):
            raise InputError(f"outcome {int(outcomes.max())} is unknown: a later version wrote this survey")
        won = outcomes == WINNABLE
        expanded = records["expanded"].astype(np.int64)
        lengths = np.where(won, records["length"], 0).astype(np.int64)
        self.outcomes += np.bincount(outcomes, minlength=len(OUTCOMES))
        self.lengths += np.bincount(lengths, minlength=MOST_LENGTH + 1)
        self.expanded += np.bincount(np.minimum(expanded, COUNTED), minlength=COUNTED + 1)
        self.expanded_total += int(expanded.sum())
        self.expanded_most = max(self.expanded_most, int(expanded.max()))
        self.hardest["longest"].add(lengths, numbers, records)
        self.hardest["most-expanded"].add(np.where(won, expanded, 0), numbers, records)
        self.hardest["hardest-loss"].add(np.where(outcomes > WINNABLE, expanded, 0), numbers, records)
        self.hardest["undecided"].add(np.where(outcomes == UNDECIDED, expanded + 1, 0), numbers, records)

    def expansions(self) -> Expansions | None:
        """Mean and quantiles of the expansions."""
        deals = int(self.outcomes.sum())
        if deals == 0:
            return None
        upto = np.cumsum(self.expanded)
        median, high = (int(np.searchsorted(upto, share * deals)) for share in (0.5, 0.99))
        return Expansions(
            self.expanded_total / deals,
            median if median < COUNTED else None,
            high if high < COUNTED else None,
            self.expanded_most,
        )


def _rules_report(store: Store, survey: Survey, rules: RuleSet) -> RulesReport:
    tally = _Tally()
    for numbers, records in batches(store, rules.id):
        tally.add(numbers, records)
    counts = [int(count) for count in tally.outcomes]
    deals = sum(counts)
    losses = dict(zip(LOSSES, counts[2:], strict=True))
    lengths = {n: int(tally.lengths[n]) for n in range(1, MOST_LENGTH + 1) if tally.lengths[n]}
    return RulesReport(
        rules,
        share_of(counts[WINNABLE], deals),
        counts[UNDECIDED],
        losses,
        share_of(losses["dead-group"], deals),
        lengths if survey.shortest else None,
        mean_of(lengths) if survey.shortest else None,
        tally.expansions(),
        tuple(deal for why, found in tally.hardest.items() for deal in found.deals(why, survey)),
    )
