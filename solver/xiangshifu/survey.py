"""Surveys: the verdicts of many random deals under several rule sets, kept in a file that outlives a crash.

Every rule set meets the same deals, so that they can be compared deal by deal.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputError
from solver.parallel import never
from solver.shuffle import SEED_LIMIT
from solver.store import Store
from solver.survey import Piece, Progress, count_stored, gathered, pieces, read_chunks, run_pieces
from solver.xiangshifu.goals import Goal, named_goals, parse_goal
from solver.xiangshifu.goalverdicts import GOAL_RECORD, GoalDecider
from solver.xiangshifu.position import LAYOUTS
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.solve import Limits
from solver.xiangshifu.tablebase import Tablebase
from solver.xiangshifu.verdicts import OUTCOMES, RECORD, Decider

KIND = "xiangshifu survey"
SCHEMA = 1
"""Of the JSON of reports."""

DEFAULT_LIMITS = Limits()

CHUNK = 2048
"""Deals of a piece of work: a second or two of it, and 16 KiB of records."""

GOAL_CHUNK = 64
"""The same where goals are surveyed, which takes several seconds."""

ANY, ALL = "any", "all"

VERDICTS = ("winnable", "unwinnable", "undecided")
"""What can be said of a deal and a goal."""


@dataclass(frozen=True)
class Survey:
    """What is asked of which deals; the records follow from it alone.

    Attributes:
        rules: the rule sets, each with an id of its own, which names its part of the file.
        seed: of the deals; number 0 is the first.
        layout: the name of their layout.
        goal: what counts as winning: ``any``, the id of a goal of the layout, or ``all`` for each of its named goals.
        shortest: whether shortest lengths are found, not only verdicts; for goal ``any`` only.

    Raises:
        InputError: no rule set, two of the same id, or a value out of range.
    """

    rules: tuple[RuleSet, ...]
    seed: int
    layout: str = "ten"
    goal: str = "any"
    shortest: bool = False

    def __post_init__(self) -> None:
        ids = [rules.id for rules in self.rules]
        if not ids:
            raise InputError("a survey needs a rule set")
        for rules_id in ids:
            if ids.count(rules_id) > 1:
                raise InputError(f"two rule sets have the id {rules_id!r}")
        if not 0 <= self.seed < SEED_LIMIT:
            raise InputError(f"seed {self.seed} is not in 0..2^128-1")
        if self.layout not in LAYOUTS:
            raise InputError(f"layout {self.layout!r} is none of {', '.join(LAYOUTS)}")
        if self.goal != ALL:
            # A pair has many spellings, and the file knows one.
            object.__setattr__(self, "goal", parse_goal(self.goal, LAYOUTS[self.layout]).id)
        if self.shortest and self.goal != ANY:
            raise InputError(f"shortest lengths are surveyed for goal any only, not for goal {self.goal}")

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The goals that each deal is decided for, in the order of the bits of ``GOAL_RECORD``; none for ``any``."""
        layout = LAYOUTS[self.layout]
        if self.goal == ANY:
            return ()
        return named_goals(layout) if self.goal == ALL else (parse_goal(self.goal, layout),)

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of its parts in the file."""
        return tuple(rules.id for rules in self.rules)

    @property
    def stretch(self) -> int:
        """Into pieces of how many deals the work is divided."""
        return CHUNK if self.goal == ANY else GOAL_CHUNK

    def description(self) -> dict[str, Any]:
        """The description of the survey's file; ``from_description`` reads it back."""
        return {
            "kind": KIND,
            "version": version("xiangshifu"),
            "seed": self.seed,
            "layout": self.layout,
            "goal": self.goal,
            "shortest": self.shortest,
            "rules": [rules.to_json() for rules in self.rules],
        }

    def heading(self, version: str | None) -> dict[str, Any]:
        """What the JSON of every report on this survey begins with, given the version of the toolkit that began it."""
        return {
            "schema": SCHEMA,
            "version": version,
            "seed": self.seed,
            "layout": self.layout,
            "goal": self.goal,
            "shortest": self.shortest,
        }

    @classmethod
    def from_description(cls, description: Mapping[str, Any]) -> Survey:
        """The survey that a file holds, whichever version wrote it; raises InputError if it holds none."""
        if description.get("kind") != KIND:
            raise InputError("not a survey of Xiang Shi Fu")
        try:
            return cls(
                rules=tuple(RuleSet.from_json(record) for record in description["rules"]),
                seed=int(description["seed"]),
                layout=description["layout"],
                goal=description["goal"],
                shortest=bool(description["shortest"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise error if isinstance(error, InputError) else InputError(f"not a survey ({error!r})") from error


@dataclass(frozen=True)
class Work:
    """What a worker needs to answer pieces.

    The limits are not part of the survey: what they leave undecided is recorded as such, and nothing else depends on
    them.
    """

    survey: Survey
    limits: Limits = DEFAULT_LIMITS


def tasks(store: Store, survey: Survey, count: int) -> Iterator[Piece]:
    """What is missing of the first ``count`` deals, each piece within a stretch of the survey."""
    return pieces(store, survey.parts, count, survey.stretch)


def build_worker(work: Work) -> Callable[[Piece], bytes]:
    """A function that answers a piece with the bytes of its records.

    For goals the tables of components must be in the cache folder of the process, which on a cluster is the worker's;
    the function raises InputError, which names the machine, if they are not.
    """
    if work.survey.goals:
        return _build_goal_worker(work)
    survey = work.survey
    deciders: dict[int, Decider] = {}

    def answer(piece: Piece) -> bytes:
        if piece.place not in deciders:
            rules = survey.rules[piece.place]
            deciders[piece.place] = Decider(rules, shortest=survey.shortest, limits=work.limits)
        return deciders[piece.place].decide(survey.seed, piece.start, piece.count, LAYOUTS[survey.layout]).tobytes()

    return answer


def _build_goal_worker(work: Work) -> Callable[[Piece], bytes]:
    survey = work.survey
    layout = LAYOUTS[survey.layout]
    deciders: dict[int, GoalDecider] = {}

    def answer(piece: Piece) -> bytes:
        if piece.place not in deciders:
            tablebase = Tablebase(layout, survey.rules[piece.place])
            try:
                deciders[piece.place] = GoalDecider(tablebase, survey.goals, limits=work.limits)
            except InputError as error:
                needed = "each worker needs the table of components in its cache folder"
                raise InputError(f"{platform.node()}: {error}; {needed}") from error
        return deciders[piece.place].decide(survey.seed, piece.start, piece.count).tobytes()

    return answer


def run(
    store: Store,
    survey: Survey,
    count: int,
    *,
    limits: Limits = DEFAULT_LIMITS,
    jobs: int = 1,
    scheduler: str | None = None,
    stop: Callable[[], bool] = never,
) -> Generator[Progress, None, None]:
    """Decide and store what is missing of the first ``count`` deals.

    Yields the progress before the first piece and after each.

    Args:
        store: a file with the survey's description.
        survey: the survey.
        count: how many deals.
        limits: bounds of each search; of a survey of goals, the time limit is for a whole deal.
        jobs: number of processes.
        scheduler: the address of a Dask scheduler, whose workers do it instead.
        stop: once it says so, no piece is begun; those in flight are finished and stored.

    Raises:
        InputError: the file or the cluster fails.
        WorkerDied: processes die again and again.
    """
    work = Work(survey, limits)
    return run_pieces(
        store, survey.parts, count, survey.stretch, build_worker, work, jobs=jobs, scheduler=scheduler, stop=stop
    )


def stored(store: Store, survey: Survey, count: int) -> int:
    """How many of the first ``count`` deals are stored, each counted once a rule set."""
    return count_stored(store, survey.parts, count)


def read_records(store: Store, part: str) -> Iterator[tuple[int, NDArray[np.void]]]:
    """The records of a rule set's id by ascending number: of the first deal, and ``RECORD``, shape (deals,).

    Raises:
        InputError: the survey is one of goals, whose records are others.
    """
    goal = store.description.get("goal", ANY)
    if goal != ANY:
        raise InputError(f"{store.path}: a survey of goal {goal}, but one of goal any is needed")
    return read_chunks(store, part, RECORD)


def read_goal_records(store: Store, part: str) -> Iterator[tuple[int, NDArray[np.void]]]:
    """``read_records`` for a survey of goals: ``GOAL_RECORD``, shape (deals,)."""
    return read_chunks(store, part, GOAL_RECORD)


def first_records(store: Store, part: str, count: int) -> NDArray[np.void]:
    """The records of deals 0 to ``count - 1`` of one rule set: ``RECORD``, shape (count,).

    Raises:
        InputError: some of them are missing.
    """
    return gathered(read_records(store, part), part, count, RECORD)


def outcomes(store: Store, part: str, count: int) -> NDArray[np.int64]:
    """How many of the first ``count`` deals came to each of ``OUTCOMES``, shape (len(OUTCOMES),)."""
    total = np.zeros(len(OUTCOMES), dtype=np.int64)
    for start, records in read_records(store, part):
        if start >= count:
            break
        total += np.bincount(records["outcome"][: count - start], minlength=len(OUTCOMES))
    return total


def goal_verdicts(records: NDArray[np.void], goals: int) -> NDArray[np.bool_]:
    """Records of so many goals and ``any``, spelt out: shape (3, deals, goals + 1), a plane each of ``VERDICTS``."""
    bits = np.arange(goals + 1, dtype=np.uint32)
    winnable, unwinnable = ((records[name][:, None] >> bits & 1).astype(np.bool_) for name in VERDICTS[:2])
    return np.stack((winnable, unwinnable, ~(winnable | unwinnable)))


def goal_outcomes(store: Store, survey: Survey, part: str, count: int) -> NDArray[np.int64]:
    """How many of the first ``count`` deals came to each of ``VERDICTS``, by goal: shape (goals + 1, 3), any last."""
    goals = len(survey.goals)
    total = np.zeros((goals + 1, len(VERDICTS)), dtype=np.int64)
    for start, records in read_goal_records(store, part):
        if start >= count:
            break
        total += goal_verdicts(records[: count - start], goals).sum(axis=1).T
    return total
