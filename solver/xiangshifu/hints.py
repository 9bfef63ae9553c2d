"""Hints: how far a position is from a goal, and which moves lead on best.

Unlike the tablebase they are for any position: one with invalid groups is solved as if it had been dealt, and so is
what each legal move makes of it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from solver.errors import InputError
from solver.xiangshifu.goals import Goal
from solver.xiangshifu.goalsolve import GoalSolver
from solver.xiangshifu.moves import Move, legal_moves
from solver.xiangshifu.position import Deal
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.solve import SCHEMA, Limits, Result, Solver, lower_bound
from solver.xiangshifu.tablebase import Tablebase

A_HINT = Limits(seconds=20.0)
"""Bounds of a hint unless others are given."""

A_MOVE = Limits(seconds=1.0)
"""Bounds of the look at what one move leads to."""


@dataclass(frozen=True)
class Prospect:
    """A move and what comes of it.

    Attributes:
        move: the move.
        verdict: of the position after it: ``winnable``, ``unwinnable`` or ``undecided``.
        length: how many moves the best solution known has that begins with it; None unless winnable.
    """

    move: Move
    verdict: str
    length: int | None

    def to_json(self) -> dict[str, Any]:
        """The prospect as JSON values."""
        return {**self.move.to_json(), "verdict": self.verdict, "length": self.length}


@dataclass(frozen=True)
class Hint:
    """What is known of a position.

    Attributes:
        result: of the position, solved as if it were dealt. Its solution is the best known, also where a look at the
            moves has found it.
        moves: the moves that a solution of that length can begin with, as far as is known; none at the goal.
        missed: moves that may be as good, or better, but were not decided in the time given.
        prospects: what comes of each legal move, the best first, if that was asked for; else None.
    """

    result: Result
    moves: tuple[Move, ...]
    missed: int = 0
    prospects: tuple[Prospect, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """The JSON object of ``xsf hint``."""
        known = self.result.to_json()
        kept = ("goal", "verdict", "reason", "length", "optimal", "lower_bound")
        return {
            "schema": SCHEMA,
            "position": known["deal"],
            "layout": known["layout"],
            "rules": known["rules"],
            **{key: known[key] for key in kept},
            "moves": [move.to_json() for move in self.moves],
            "missed": self.missed,
            "all": None if self.prospects is None else [prospect.to_json() for prospect in self.prospects],
            "solution": known["moves"],
            "proof": known["proof"],
        }


class Adviser:
    """Gives hints for one goal, one after the other.

    For goal ``any`` they are exact. For others the best solution known is compared with what a short look at each
    move finds, so a move may be better than it seems; exact is what the result calls optimal.

    Not for use by several threads at once.

    Args:
        goal: the goal.
        rules: the rule set.
        limits: bounds; the time is for a whole hint.
    """

    def __init__(self, goal: Goal, rules: RuleSet = CLASSIC, limits: Limits = A_HINT) -> None:
        self.goal = goal
        self.rules = rules
        self._seconds = limits.seconds
        self._solver: Solver | GoalSolver
        self._looker: Solver | GoalSolver
        a_move = replace(limits, seconds=A_MOVE.seconds)
        self._tablebase: Tablebase | None = None
        if goal.id == "any":
            self._solver = Solver(rules, limits=limits)
            self._looker = Solver(rules, limits=a_move)
        else:
            self._tablebase = Tablebase(goal.layout, rules)
            self._solver = GoalSolver(self._tablebase, goal, limits=limits)
            self._looker = GoalSolver(self._tablebase, goal, first=True, limits=a_move)

    def solve(self, position: Deal) -> Result:
        """A position, valid or not, solved as if it were dealt; raises InputError for one of another layout."""
        if position.layout != self.goal.layout:
            wrong = f"belongs to layout {self.goal.layout.name}, not {position.layout.name}"
            raise InputError(f"goal {self.goal.id} {wrong}")
        return self._solver.solve(position)

    def hint(self, position: Deal, *, every: bool = False) -> Hint:
        """The best moves of a position.

        Args:
            position: the position, valid or not.
            every: whether to tell of all legal moves; else those are passed over that can't be as good.

        Raises:
            InputError: a position of another layout.
        """
        started = time.perf_counter()
        result = self.solve(position)
        if result.length is None or (result.length == 0 and not every):
            return Hint(result, (), prospects=() if every else None)
        deadline = None if self._seconds is None else started + self._seconds
        return self._compared(position, result, every, deadline)

    def _compared(self, position: Deal, result: Result, every: bool, deadline: float | None) -> Hint:
        """What comes of the moves; the likeliest to be good come first, in case time runs out."""
        assert result.moves is not None
        best, missed = result.moves, 0
        prospects: list[Prospect] = []
        for bound, after, move in self._successors(position):
            may_be_best = bound is not None and bound < len(best)
            if not (may_be_best or every):
                continue
            found = self._look(after, move, bound, deadline)
            if found.length is not None and found.length < len(best):
                best = (move, *self._solution(after))
            prospects.append(found)
            missed += may_be_best and found.verdict == "undecided"
        if best:
            # The look at its own first move may have found less than the solver did.
            prospects = [Prospect(one.move, "winnable", len(best)) if one.move == best[0] else one for one in prospects]
        prospects.sort(key=_rank)
        moves = tuple(one.move for one in prospects if best and one.length == len(best))
        optimal = result.optimal or len(best) == result.lower_bound
        result = replace(result, moves=best, optimal=optimal)
        return Hint(result, moves, missed, tuple(prospects) if every else None)

    def _successors(self, position: Deal) -> list[tuple[int | None, Deal, Move]]:
        """What each legal move leads to, and the least number of moves from there; None if it is plainly lost."""
        found = []
        for move in legal_moves(position, self.rules):
            after = Deal(position.exchanged(*move.groups, move.after).groups, position.layout)
            found.append((lower_bound(after, self.rules), after, move))
        return sorted(found, key=lambda one: (one[0] is None, one[0] or 0))

    def _look(self, after: Deal, move: Move, bound: int | None, deadline: float | None) -> Prospect:
        if bound is None:
            return Prospect(move, "unwinnable", None)
        if bound == 0:
            # All groups are valid, so that is known.
            rest = 0 if self._tablebase is None else self._tablebase.probe(after, self.goal)
            return Prospect(move, *(("unwinnable", None) if rest is None else ("winnable", 1 + rest)))
        if deadline is not None and time.perf_counter() >= deadline:
            return Prospect(move, "undecided", None)
        found = self._looker.solve(after)
        return Prospect(move, found.verdict, None if found.length is None else 1 + found.length)

    def _solution(self, after: Deal) -> tuple[Move, ...]:
        """The solution that a look has found; to find it again is seldom needed."""
        moves = self._looker.solve(after).moves
        assert moves is not None
        return moves


def _rank(prospect: Prospect) -> tuple[int, int]:
    return ("winnable", "undecided", "unwinnable").index(prospect.verdict), prospect.length or 0
