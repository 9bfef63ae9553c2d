"""What a survey of goals shows: how many deals can reach each goal, how many goals a deal can reach, and which goals
exclude each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputError
from solver.statistics import Share, share_of
from solver.store import Store
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.survey import ALL, ANY, Survey, goal_verdicts, read_goal_records


@dataclass(frozen=True)
class GoalShare:
    """How many deals can reach a goal.

    Attributes:
        goal: the goal's id.
        winnable: share among all deals of those that are known to reach it.
        unwinnable: deals that are proved not to reach it.
    """

    goal: str
    winnable: Share
    unwinnable: int

    @property
    def undecided(self) -> int:
        """Deals of which neither is known."""
        return self.winnable.trials - self.winnable.hits - self.unwinnable

    @property
    def most(self) -> float | None:
        """The share if all undecided deals reached the goal; None without deals."""
        deals = self.winnable.trials
        return (deals - self.unwinnable) / deals if deals else None

    def to_json(self) -> dict[str, Any]:
        """The value of ``goals`` -> id in the JSON object of ``xsf report``."""
        return {
            "deals": self.winnable.trials,
            "winnable": self.winnable.hits,
            "unwinnable": self.unwinnable,
            "undecided": self.undecided,
            **self.winnable.to_json(),
            "share_at_most": self.most,
        }


@dataclass(frozen=True)
class GoalsOfRules:
    """What a survey of goals shows of one rule set.

    Attributes:
        rules: the rule set.
        deals: deals looked at.
        goals: for each goal of the survey, and then for ``any``, how many deals can reach it.
        reached: number of goals (without ``any``) -> deals that are known to reach just so many; for some of these it
            may be undecided whether they can reach more. None unless the survey is of all goals.
        exclusions: int64, shape (goals, goals), without ``any``: deals that are known to reach the goal of the row, and
            not to reach that of the column. None unless the survey is of all goals.
    """

    rules: RuleSet
    deals: int
    goals: tuple[GoalShare, ...]
    reached: dict[int, int] | None
    exclusions: NDArray[np.int64] | None

    @property
    def undecided(self) -> int:
        """Pairs of a deal and a goal, ``any`` included, of which it is not known."""
        return sum(share.undecided for share in self.goals)

    def to_json(self) -> dict[str, Any]:
        """The value of ``rules`` -> id in the JSON object of ``xsf report``."""
        return {
            "record": self.rules.to_json(),
            "deals": self.deals,
            "goals": {share.goal: share.to_json() for share in self.goals},
            "goals_reached": None if self.reached is None else {str(n): deals for n, deals in self.reached.items()},
            "exclusions": None if self.exclusions is None else self._exclusions(self.exclusions),
        }

    def _exclusions(self, exclusions: NDArray[np.int64]) -> dict[str, dict[str, int]]:
        ids = [share.goal for share in self.goals[:-1]]
        return {goal: dict(zip(ids, row, strict=True)) for goal, row in zip(ids, exclusions.tolist(), strict=True)}


@dataclass(frozen=True)
class GoalReport:
    """What a survey of goals shows.

    Attributes:
        survey: what was surveyed.
        version: version of the toolkit that began the survey; None if the file doesn't say.
        rules: one report a rule set, in the order of the survey.
    """

    survey: Survey
    version: str | None
    rules: tuple[GoalsOfRules, ...]

    def to_json(self) -> dict[str, Any]:
        """The JSON object of ``xsf report``."""
        return {
            **self.survey.heading(self.version),
            "rules": {part.rules.id: part.to_json() for part in self.rules},
        }


def goal_report(store: Store) -> GoalReport:
    """What the survey of goals in a store shows so far. Reads it bit by bit, so any number of deals fits into memory.

    Raises:
        InputError: the store holds no survey of goals.
    """
    survey = Survey.from_description(store.description)
    if not survey.goals:
        raise InputError("not a survey of goals")
    version = store.description.get("version")
    return GoalReport(survey, version, tuple(_of_rules(store, survey, rules) for rules in survey.rules))


def _of_rules(store: Store, survey: Survey, rules: RuleSet) -> GoalsOfRules:
    goals = len(survey.goals)
    counts = np.zeros((3, goals + 1), dtype=np.int64)
    reached = np.zeros(goals + 1, dtype=np.int64)
    exclusions = np.zeros((goals, goals), dtype=np.int64)
    for _, records in read_goal_records(store, rules.id):
        verdicts = goal_verdicts(records, goals)
        counts += verdicts.sum(axis=1)
        winnable, unwinnable, _ = verdicts[:, :, :goals].astype(np.int64)
        reached += np.bincount(winnable.sum(axis=1), minlength=goals + 1)
        exclusions += winnable.T @ unwinnable
    deals = int(reached.sum())
    ids = [*(goal.id for goal in survey.goals), ANY]
    shares = tuple(
        GoalShare(goal, share_of(won, deals), lost)
        for goal, won, lost in zip(ids, counts[0].tolist(), counts[1].tolist(), strict=True)
    )
    of_all = survey.goal == ALL
    return GoalsOfRules(
        rules,
        deals,
        shares,
        {n: held for n, held in enumerate(reached.tolist()) if held} if of_all else None,
        exclusions if of_all else None,
    )
