"""Verdicts of many random deals, as arrays: what a survey stores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.xiangshifu.position import TEN, Deal, Layout
from solver.xiangshifu.proof import CasesProof, DeadGroupProof, ExhaustionProof
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.solve import Limits, Result, Solver

OUTCOMES = (
    "undecided",
    "winnable",
    "dead-group",
    "frozen-set",
    "repair-order",
    "relaxed-closure",
    "pair-closure",
    "cases",
    "exhaustion",
)
"""What can come of a deal: undecided, winnable, or unwinnable by this kind of proof. A survey stores places in this
tuple, so names are only ever added at its end."""

UNDECIDED, WINNABLE = 0, 1

RECORD = np.dtype([("expanded", "<u4"), ("held", "<u2"), ("outcome", "u1"), ("length", "u1")])
"""What is kept of one deal, 8 bytes: positions expanded; the places (bits) of the groups that the proof of a loss says
stay unrepaired, 0 if it names none; place in ``OUTCOMES``; the shortest length, 0 if it is unknown or 255 and more."""


class Decider:
    """Decides random deals of one rule set, using its tables and memory again.

    Args:
        rules: the rule set.
        shortest: whether to find shortest lengths, not only verdicts.
        limits: bounds of each search.
    """

    def __init__(self, rules: RuleSet, *, shortest: bool = False, limits: Limits = Limits()) -> None:
        self._shortest = shortest
        self._solver = Solver(rules, first=not shortest, limits=limits)

    def decide(self, seed: int, start: int, count: int, layout: Layout = TEN) -> NDArray[np.void]:
        """The records of deals ``start`` to ``start + count - 1`` of a seed: ``RECORD``, shape (count,)."""
        records = np.zeros(count, dtype=RECORD)
        for place in range(count):
            result = self._solver.solve(Deal.random(seed, start + place, layout))
            records[place] = _record(result, self._shortest)
        return records


def _record(result: Result, shortest: bool) -> tuple[int, int, int, int]:
    outcome, held = UNDECIDED, 0
    if result.verdict == "winnable":
        outcome = WINNABLE
    elif result.proof is not None:
        outcome = OUTCOMES.index(result.proof.kind)
        if isinstance(result.proof, DeadGroupProof | CasesProof):
            held = 1 << result.proof.group
        elif not isinstance(result.proof, ExhaustionProof):
            held = sum(1 << place for place in result.proof.groups)  # type: ignore[union-attr]
    return result.expanded, held, outcome, min(result.length or 0, 255) if shortest else 0
