"""What the solver is asked while one plays, and its answers; runs in a process of its own that may be killed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from solver.errors import InputError
from solver.xiangshifu.goals import Goal, parse_goal
from solver.xiangshifu.hints import Adviser
from solver.xiangshifu.position import LAYOUTS, Deal, Layout
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.solve import Limits
from solver.xiangshifu.tablebase import Tablebase, build_components, build_distances, is_built, table_path

HINT, WINNABLE = "hint", "winnable"
MEMORY = 1024
"""MiB that one answer may take."""

ADVISERS = 4

Tell = Callable[[dict[str, Any]], None]
"""Receives news while an answer is worked out."""


@dataclass(frozen=True)
class Question:
    """What is asked of a position.

    Attributes:
        kind: ``hint`` for the best moves, ``winnable`` for the verdict and the shortest length.
        position: as text.
        rules: the rule set.
        goal: the id of a goal of the position's layout.
        seconds: for the answer, tables apart.
        may_build: whether tables that are missing may be built, which can take long and much of the disk.
    """

    kind: str
    position: str
    rules: RuleSet
    goal: str
    seconds: float
    may_build: bool = True

    def lacks_tables(self) -> bool:
        """Whether there is no file of a table that the answer takes."""
        if self.goal == "any":
            return False
        goal = parse_goal(self.goal, Deal.parse(self.position).layout)
        return not all(table_path(goal.layout, self.rules, wanted).exists() for wanted in (None, goal))


class NoTables(InputError):
    """An answer takes tables that are missing and may not be built."""


def answer(question: Question, tell: Tell) -> dict[str, Any]:
    """The answer as JSON values: ``verdict``, ``length``, ``optimal``, ``lower_bound``, and ``moves`` of a hint.

    Tables that a goal needs are built first, while ``tell`` hears which and how much of it is done.

    Raises:
        NoTables: they may not be built.
        InputError: they can't be.
    """
    position = Deal.parse(question.position)
    goal = parse_goal(question.goal, position.layout)
    if goal.id != "any" and (goal.id, position.layout.name, question.rules) not in _provided:
        _provide_tables(goal, question.rules, question.may_build, tell)
        _provided.add((goal.id, position.layout.name, question.rules))
    adviser = _adviser(goal.id, position.layout.name, question.rules, question.seconds)
    found = (adviser.hint(position) if question.kind == HINT else adviser.solve(position)).to_json()
    kept = ("verdict", "length", "optimal", "lower_bound", "moves")
    return {key: found[key] for key in kept if key != "moves" or question.kind == HINT}


_provided: set[tuple[str, str, RuleSet]] = set()
"""Goals whose tables have been looked at by this process; to check a table means to read it."""


@lru_cache(maxsize=ADVISERS)
def _adviser(goal: str, layout: str, rules: RuleSet, seconds: float) -> Adviser:
    return Adviser(parse_goal(goal, LAYOUTS[layout]), rules, Limits(MEMORY, seconds))


def _provide_tables(goal: Goal, rules: RuleSet, may_build: bool, tell: Tell) -> None:
    layout = goal.layout
    missing = [wanted for wanted in (None, goal) if not _is_built(layout, rules, wanted)]
    if missing and not may_build:
        raise NoTables(f"no tables for {goal.id}")
    if None in missing:
        with closing(build_components(layout, rules)) as steps:
            for step in steps:
                tell({"building": "components", "done": step.done, "total": step.total})
    if goal in missing:
        total = max(1, Tablebase(layout, rules).reach(goal))
        with closing(build_distances(goal, rules)) as steps:
            for step in steps:
                tell({"building": goal.id, "done": step.done, "total": total})


def _is_built(layout: Layout, rules: RuleSet, goal: Goal | None) -> bool:
    """Whether a table is there and whole; one that is damaged can be built again."""
    try:
        return is_built(layout, rules, goal)
    except InputError:
        return False
