"""Solving a deal for a goal: one particular kind of final position.

A solution repairs all groups, and then goes on by plain moves to the goal, whose distance from every final position the
tablebase knows. Which goals stay open is decided by the locks that the repairs make and break, so the search goes
through the cases of the end (``solver.xiangshifu.cases``) in which the goal has a position. Where these are few, they
are looked at from behind (``solver.xiangshifu.behind``).
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputError
from solver.xiangshifu.behind import Behind, look_from_behind
from solver.xiangshifu.bonds import locks
from solver.xiangshifu.cases import CaseGames, case_games
from solver.xiangshifu.goals import Goal, goal_arrays
from solver.xiangshifu.moves import Move
from solver.xiangshifu.position import Deal, Position
from solver.xiangshifu.proof import BondProof, CaseProof, ExhaustionProof, MovesProof, Proof, Way
from solver.xiangshifu.pursuit import Pursuable, pursue
from solver.xiangshifu.repairs import repair_model
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.search import Outcome, Search, distance_target
from solver.xiangshifu.solve import CHUNK, MIB, Limits, Result, Solver, moves_of_steps
from solver.xiangshifu.tablebase import Tablebase

IMPROVEMENT = 200_000
"""Expansions put into a shorter solution, or the proof that there is none, once one is known; a second or two."""

FEW = 20_000
"""A case with at most so many positions is looked at from behind: the goal's, and those that can reach them."""


class CaseBook:
    """The cases of the end in which a goal has positions.

    Attributes:
        searched: the locks (bits) of those that are searched from the deal.
        behind: of those that are looked at from behind, with their positions as ``look_from_behind`` takes them.
    """

    def __init__(self, tablebase: Tablebase, goal: Goal) -> None:
        self.searched: list[int] = []
        self.behind: dict[int, NDArray[np.int16]] = {}
        for present in sorted(tablebase.signatures(goal)):
            components = tablebase.case_components(goal, present)
            if tablebase.components.sizes[components].sum() > FEW:
                self.searched.append(present)
            else:
                self.behind[present] = _of_goal(tablebase.positions_of(components), goal, tablebase.rules)


def _of_goal(positions: NDArray[np.int16], goal: Goal, rules: RuleSet) -> NDArray[np.int16]:
    """Those of some final positions that are of a goal."""
    weights, targets = goal_arrays(goal, rules)
    found: NDArray[np.int16] = positions[(weights[:, positions].sum(axis=2) == targets[:, None]).any(axis=0)]
    return found


@dataclass
class _Task:
    """What is known of a deal so far."""

    deal: Deal
    started: float
    deadline: float | None
    expanded: int = 0


class GoalSolver:
    """Solves deals of one rule set and layout for one goal, one after the other.

    Not for use by several threads at once.

    Args:
        tablebase: of the layout and rule set, with the components and the goal's distances built.
        goal: the goal, not ``any``.
        first: be content with any solution, found sooner.
        limits: bounds of each search; the time limit is for the whole deal.

    Raises:
        InputError: a table is missing, or the goal is of another layout.
    """

    def __init__(self, tablebase: Tablebase, goal: Goal, *, first: bool = False, limits: Limits | None = None) -> None:
        if goal.layout != tablebase.layout:
            raise InputError(f"goal {goal.id} belongs to layout {goal.layout.name}, not {tablebase.layout.name}")
        self.tablebase = tablebase
        self.rules = tablebase.rules
        self.goal = goal
        self.first = first
        self.limits = limits = limits or Limits()
        self._target = distance_target(tablebase.region, tablebase.distances(goal))
        self._cases = CaseBook(tablebase, goal)
        self._plain = Solver(self.rules, first=True, limits=limits)
        self._search = Search(self.rules, limits.memory * MIB, limits.positions)

    def solve(self, deal: Deal) -> Result:
        """Decide one deal. A solution is shortest only where the result says so.

        Raises:
            InputError: the deal is of another layout.
        """
        if deal.layout != self.goal.layout:
            raise InputError(f"goal {self.goal.id} belongs to layout {self.goal.layout.name}, not {deal.layout.name}")
        started = time.perf_counter()
        task = _Task(deal, started, None if self.limits.seconds is None else started + self.limits.seconds)
        plain = self._plain.solve(deal)
        task.expanded = plain.expanded
        if plain.verdict == "unwinnable":
            return replace(plain, goal=self.goal.id)
        if plain.moves is not None:
            moves = self._completed(deal, plain.moves)
            if moves is not None:
                return self._won(task, moves)
            if not plain.moves:
                return self._stranded(task)
        return self._by_cases(task)

    def _by_cases(self, task: _Task) -> Result:
        """Decide a deal of which any solution found so far ends apart from the goal."""
        deal = task.deal
        cases = [case_games(deal, present, self.rules) for present in self._cases.searched]
        games = [Pursuable(game.rules, case.needed) for case in cases for game in case.games]
        pursued = pursue(deal, games, self._target, self.limits, task.deadline)
        task.expanded += pursued.expanded
        if pursued.steps is not None:
            return self._won(task, self._along(deal, pursued.steps))
        looks: dict[int, Behind] = {}
        for present, wanted in self._cases.behind.items():
            case = case_games(deal, present, self.rules)
            if case.dealt is not None or not case.games:
                cases.append(case)
                continue
            looks[present] = look_from_behind(deal, wanted, self.rules, deadline=task.deadline)
            task.expanded += looks[present].positions
            steps = looks[present].steps
            if steps is not None:
                return self._won(task, self._along(deal, steps))
        reason = pursued.reason
        if reason is None and not all(look.exhausted for look in looks.values()):
            is_over = task.deadline is not None and time.perf_counter() >= task.deadline
            reason = "time" if is_over else "memory"
        if reason is not None:
            return self._result(task, "undecided", reason=reason)
        count = len(locks(self.rules, self.goal.layout))
        losses = iter([loss for loss in pursued.losses if loss is not None])
        proofs = [
            _case_proof(case, tuple(Way(game.makers, game.breakers, next(losses)) for game in case.games), count)
            for case in cases
        ]
        proofs += [self._bare_case(present, look) for present, look in looks.items()]
        return self._result(task, "unwinnable", proof=self._bond_proof(proofs))

    def _along(self, deal: Deal, steps: list[list[int]]) -> tuple[Move, ...]:
        moves = self._completed(deal, moves_of_steps(deal, steps, self.rules))
        assert moves is not None
        return moves

    def _completed(self, deal: Position, moves: Iterable[Move]) -> tuple[Move, ...] | None:
        """Moves that end in a final position, and the shortest way on to the goal; None if there is none."""
        moves = tuple(moves)
        rest = self.tablebase.path(end_of(deal, moves), self.goal)
        return None if rest is None else moves + rest

    def _stranded(self, task: _Task) -> Result:
        """A deal without invalid groups, from which no plain moves lead to the goal."""
        cases = [case_games(task.deal, present, self.rules) for present in (*self._cases.searched, *self._cases.behind)]
        proof: Proof = ExhaustionProof(self.tablebase.component_size(task.deal))
        if not any(case.games for case in cases):
            count = len(locks(self.rules, self.goal.layout))
            proof = self._bond_proof([_case_proof(case, (), count) for case in cases])
        return self._result(task, "unwinnable", proof=proof)

    def _bond_proof(self, proofs: list[CaseProof]) -> BondProof:
        """The proof by the cases that the goal has, and the others, in which it has no position."""
        known = locks(self.rules, self.goal.layout)
        had = {*self._cases.searched, *self._cases.behind}
        return BondProof(known, (*proofs, *(self._bare_case(p) for p in range(1 << len(known)) if p not in had)))

    def _bare_case(self, present: int, look: Behind | None = None) -> CaseProof:
        inside, outside = _split(present, len(locks(self.rules, self.goal.layout)))
        if look is None:
            return CaseProof(inside, outside)
        return CaseProof(inside, outside, behind=look.positions, layered=look.layered)

    def _won(self, task: _Task, moves: tuple[Move, ...]) -> Result:
        bound = int(repair_model(task.deal, self.rules).sets[-1]["bound"])
        if bound == 0:
            # All groups are valid, so the table's distance is exact.
            bound = len(moves)
        elif not self.first and len(moves) > bound:
            moves, least = self._improved(task, moves)
            bound = max(bound, min(least, len(moves)))
        return self._result(task, "winnable", proof=MovesProof(), moves=moves, bound=bound)

    def _improved(self, task: _Task, moves: tuple[Move, ...]) -> tuple[tuple[Move, ...], int]:
        """The best solution found with some effort, and a lower bound of all."""
        deal, search = task.deal, self._search
        model = repair_model(deal, self.rules)
        search.forget_cuts(model, deal.layout.tiles)
        search.start(model, deal.layout.triples, target=self._target)
        outcome, left = Outcome.PAUSED, IMPROVEMENT
        while outcome is Outcome.PAUSED and left > 0 and search.least < len(moves):
            if task.deadline is not None and time.perf_counter() >= task.deadline:
                break
            outcome = search.run(CHUNK)
            left -= CHUNK
        task.expanded += search.expanded
        least = len(moves) if outcome is Outcome.EXHAUSTED else search.least
        if search.best is not None and search.best < len(moves):
            moves = self._along(deal, search.path())
        return moves, least

    def _result(
        self,
        task: _Task,
        verdict: str,
        *,
        reason: str | None = None,
        proof: Proof | None = None,
        moves: tuple[Move, ...] | None = None,
        bound: int | None = None,
    ) -> Result:
        if verdict == "undecided":
            bound = int(repair_model(task.deal, self.rules).sets[-1]["bound"])
        return Result(
            task.deal,
            self.rules,
            verdict,
            reason,
            moves,
            None if moves is None else len(moves) == bound,
            bound,
            proof,
            task.expanded,
            time.perf_counter() - task.started,
            self.goal.id,
        )


def _split(present: int, count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The locks that are present, and those that are absent."""
    inside = tuple(lock for lock in range(count) if present >> lock & 1)
    return inside, tuple(lock for lock in range(count) if not present >> lock & 1)


def _case_proof(case: CaseGames, ways: tuple[Way, ...], count: int) -> CaseProof:
    return CaseProof(*_split(case.present, count), case.dealt, case.made, case.broken, ways)


def end_of(deal: Position, moves: Iterable[Move]) -> Position:
    """The position after some moves."""
    position = deal
    for move in moves:
        position = position.exchanged(*move.groups, move.after)
    return position
