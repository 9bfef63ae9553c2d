"""Solving a deal for a goal: one particular kind of final position.

A solution repairs all groups, and then goes on by plain moves to the goal, whose distance from every final position the
tablebase knows. Which goals stay open is decided by the locks that the repairs make and break, so the search goes
through the cases of the end (``solver.xiangshifu.cases``) in which the goal has a position.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

from solver.errors import InputError
from solver.xiangshifu.bonds import locks
from solver.xiangshifu.cases import CaseGames, case_games
from solver.xiangshifu.goals import Goal
from solver.xiangshifu.moves import Move
from solver.xiangshifu.position import Deal, Position
from solver.xiangshifu.proof import Argument, BondProof, CaseProof, ExhaustionProof, MovesProof, Proof, Way
from solver.xiangshifu.pursuit import Pursued, pursue
from solver.xiangshifu.repairs import repair_model
from solver.xiangshifu.search import Outcome, Search, distance_target
from solver.xiangshifu.solve import CHUNK, MIB, Limits, Result, Solver, moves_of_steps
from solver.xiangshifu.tablebase import Tablebase

IMPROVEMENT = 200_000
"""Expansions put into a shorter solution, or the proof that there is none, once one is known; a second or two."""


class GoalSolver:
    """Solves deals of one rule set and layout for one goal, one after the other.

    Not for use by several threads at once.

    Args:
        tablebase: of the layout and rule set, with the components and the goal's distances built.
        goal: the goal, not ``any``.
        first: be content with any solution, found sooner.
        limits: bounds of each search; the time limit is for the whole deal.
    """

    def __init__(self, tablebase: Tablebase, goal: Goal, *, first: bool = False, limits: Limits | None = None) -> None:
        if goal.layout != tablebase.layout:
            raise InputError(f"goal {goal.id} belongs to layout {goal.layout.name}, not {tablebase.layout.name}")
        self.tablebase = tablebase
        self.rules = tablebase.rules
        self.goal = goal
        self.first = first
        self.limits = limits = limits or Limits()
        self._distances = tablebase.distances(goal)
        self._target = distance_target(tablebase.region, self._distances)
        self._signatures = tablebase.signatures(goal)
        self._plain = Solver(self.rules, first=True, limits=limits)
        self._search = Search(self.rules, limits.memory * MIB, limits.positions)

    def solve(self, deal: Deal) -> Result:
        """Decide one deal. A solution is shortest only where the result says so."""
        if deal.layout != self.goal.layout:
            raise InputError(f"goal {self.goal.id} belongs to layout {self.goal.layout.name}, not {deal.layout.name}")
        started = time.perf_counter()
        deadline = None if self.limits.seconds is None else started + self.limits.seconds
        any_result = self._plain.solve(deal)
        if any_result.verdict == "unwinnable":
            return replace(any_result, goal=self.goal.id)
        moves = self._completed(deal, any_result.moves) if any_result.moves is not None else None
        expanded = any_result.expanded
        if moves is None and any_result.moves == ():
            return self._stranded(deal, started)
        if moves is None:
            cases = [case_games(deal, present, self.rules) for present in sorted(self._signatures)]
            pursued = pursue(
                deal, [game.rules for case in cases for game in case.games], self._target, self.limits, deadline
            )
            expanded += pursued.expanded
            if pursued.steps is None:
                return self._not_won(deal, cases, pursued, expanded, started)
            moves = self._completed(deal, moves_of_steps(deal, pursued.steps, self.rules))
            assert moves is not None
        return self._won(deal, moves, expanded, started, deadline)

    def _completed(self, deal: Position, moves: Iterable[Move]) -> tuple[Move, ...] | None:
        """Moves that end in a final position, and the shortest way on to the goal; None if there is none."""
        moves = tuple(moves)
        end = _end(deal, moves)
        rest = self.tablebase.path(end, self.goal)
        return None if rest is None else moves + rest

    def _stranded(self, deal: Deal, started: float) -> Result:
        """A deal without invalid groups, from which no plain moves lead to the goal."""
        case = self._refuted_at_once(deal)
        proof: Proof = case or ExhaustionProof(self.tablebase.component_size(deal))
        return self._result(deal, "unwinnable", None, proof, None, 0, started)

    def _refuted_at_once(self, deal: Deal) -> BondProof | None:
        cases = [case_games(deal, present, self.rules) for present in sorted(self._signatures)]
        if any(case.games for case in cases):
            return None
        return self._bond_proof(cases, ())

    def _not_won(self, deal: Deal, cases: list[CaseGames], pursued: Pursued, expanded: int, started: float) -> Result:
        if pursued.reason is not None:
            return self._result(deal, "undecided", pursued.reason, None, None, expanded, started)
        losses = [loss for loss in pursued.losses if loss is not None]
        return self._result(deal, "unwinnable", None, self._bond_proof(cases, losses), None, expanded, started)

    def _bond_proof(self, cases: list[CaseGames], losses: Iterable[Argument]) -> BondProof:
        """The proof of all cases: those that the goal has, with the losses of their games in order, and the others."""
        known = locks(self.rules, self.goal.layout)
        waiting = iter(losses)
        proofs = []
        for case in cases:
            ways = tuple(Way(game.makers, game.breakers, next(waiting)) for game in case.games)
            proofs.append(
                _case_proof(case.present, len(known), dealt=case.dealt, made=case.made, broken=case.broken, ways=ways)
            )
        others = sorted(set(range(1 << len(known))) - self._signatures)
        return BondProof(known, (*proofs, *(_case_proof(present, len(known)) for present in others)))

    def _won(
        self, deal: Deal, moves: tuple[Move, ...], expanded: int, started: float, deadline: float | None
    ) -> Result:
        bound = int(repair_model(deal, self.rules).sets[-1]["bound"])
        if bound == 0:
            # All groups are valid, so the table's distance is exact.
            bound = len(moves)
        elif not self.first and len(moves) > bound:
            moves, least = self._improved(deal, moves, deadline)
            bound = max(bound, min(least, len(moves)))
            expanded += self._search.expanded
        return self._result(deal, "winnable", None, MovesProof(), moves, expanded, started, bound)

    def _improved(self, deal: Deal, moves: tuple[Move, ...], deadline: float | None) -> tuple[tuple[Move, ...], int]:
        """The best solution found with some effort, and a lower bound of all."""
        model, search = repair_model(deal, self.rules), self._search
        search.forget_cuts(model, deal.layout.tiles)
        search.start(model, deal.layout.triples, target=self._target)
        outcome, left = Outcome.PAUSED, IMPROVEMENT
        while outcome is Outcome.PAUSED and left > 0 and search.least < len(moves):
            if deadline is not None and time.perf_counter() >= deadline:
                break
            outcome = search.run(CHUNK)
            left -= CHUNK
        least = len(moves) if outcome is Outcome.EXHAUSTED else search.least
        if search.best is not None and search.best < len(moves):
            better = self._completed(deal, moves_of_steps(deal, search.path(), self.rules))
            if better is not None and len(better) < len(moves):
                moves = better
        return moves, least

    def _result(
        self,
        deal: Deal,
        verdict: str,
        reason: str | None,
        proof: Proof | None,
        moves: tuple[Move, ...] | None,
        expanded: int,
        started: float,
        bound: int | None = None,
    ) -> Result:
        if verdict == "undecided":
            bound = int(repair_model(deal, self.rules).sets[-1]["bound"])
        optimal = None if moves is None else len(moves) == bound
        seconds = time.perf_counter() - started
        return Result(deal, self.rules, verdict, reason, moves, optimal, bound, proof, expanded, seconds, self.goal.id)


def _case_proof(
    present: int,
    count: int,
    *,
    dealt: int | None = None,
    made: tuple[int, ...] | None = None,
    broken: tuple[int, ...] = (),
    ways: tuple[Way, ...] = (),
) -> CaseProof:
    inside = tuple(lock for lock in range(count) if present >> lock & 1)
    outside = tuple(lock for lock in range(count) if not present >> lock & 1)
    return CaseProof(inside, outside, dealt, made, broken, ways)


def _end(deal: Position, moves: Iterable[Move]) -> Position:
    """The position after some moves."""
    position = deal
    for move in moves:
        position = position.exchanged(*move.groups, move.after)
    return position
