"""Which goals a deal can reach, all in one go, as short records for surveys.

The goals share their searches: a solution that ends in a component decides all goals of it at once, and a case of the
end that can't come true is out for every goal.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.xiangshifu.behind import Behind, look_from_behind
from solver.xiangshifu.cases import CaseGames, case_games
from solver.xiangshifu.components import MOST_LABELS
from solver.xiangshifu.goals import Goal
from solver.xiangshifu.goalsolve import CaseBook, end_of
from solver.xiangshifu.moves import Move
from solver.xiangshifu.position import Deal
from solver.xiangshifu.proof import ExhaustionProof
from solver.xiangshifu.pursuit import Pursuable, pursue
from solver.xiangshifu.search import component_target
from solver.xiangshifu.solve import Limits, Solver, moves_of_steps
from solver.xiangshifu.tablebase import Tablebase

GOAL_RECORD = np.dtype([("winnable", np.uint32), ("unwinnable", np.uint32), ("expanded", np.uint32)])
"""One deal: the goals (bits) that are decided either way, the others being undecided, and positions expanded. After the
goals asked for comes one more bit for ``any``."""

MOST_GOALS = 31

MOST_BEHIND = 1 << 20
"""Positions after which looking from behind is given up, some five seconds; nearly all looks end much sooner."""


class _Deal:
    """What is known of one deal."""

    def __init__(self, deal: Deal, goals: int, deadline: float | None) -> None:
        self.deal = deal
        self.goals = goals
        self.deadline = deadline
        self.winnable = 0
        self.doubtful = 0
        self.expanded = 0

    @property
    def open(self) -> int:
        """The goals that are not known to be winnable, and whose cases so far could all be refused."""
        return self.goals & ~self.winnable


class GoalDecider:
    """Decides for random deals of one rule set and layout which goals they can reach.

    Args:
        tablebase: of the layout and rule set, with the components built.
        goals: at most ``MOST_GOALS`` goals of the layout, none of them ``any``.
        limits: bounds of each search; the time limit is for a whole deal.
    """

    def __init__(self, tablebase: Tablebase, goals: Sequence[Goal], *, limits: Limits | None = None) -> None:
        if len(goals) > MOST_GOALS:
            raise ValueError(f"at most {MOST_GOALS} goals can be decided at once")
        self._tablebase = tablebase
        self._goals = tuple(goals)
        self._limits = limits or Limits()
        self._solver = Solver(tablebase.rules, first=True, limits=self._limits)
        self._books = [CaseBook(tablebase, goal) for goal in goals]
        self._held = np.zeros(len(tablebase.components.sizes), dtype=np.uint32)
        for place, goal in enumerate(goals):
            self._held[tablebase.holds(goal)] |= np.uint32(1 << place)
        # Components without a label can't be looked for.
        self._unlabelled = int(np.bitwise_or.reduce(self._held[MOST_LABELS:], initial=np.uint32(0)))

    def decide(self, seed: int, start: int, count: int) -> NDArray[np.void]:
        """The records of deals ``start`` to ``start + count - 1`` of a seed: ``GOAL_RECORD``, shape (count,)."""
        records = np.zeros(count, dtype=GOAL_RECORD)
        for place in range(count):
            records[place] = self.decide_deal(Deal.random(seed, start + place, self._tablebase.layout))
        return records

    def decide_deal(self, deal: Deal) -> tuple[int, int, int]:
        """What one deal can reach and what not, as bits, and the positions expanded."""
        goals, anything = (1 << len(self._goals)) - 1, 1 << len(self._goals)
        seconds = self._limits.seconds
        state = _Deal(deal, goals, None if seconds is None else time.perf_counter() + seconds)
        plain = self._solver.solve(deal)
        if plain.verdict == "unwinnable":
            return 0, goals | anything, plain.expanded
        state.expanded = plain.expanded
        if plain.moves is not None:
            self._reach(state, plain.moves)
        if plain.moves != ():
            self._search_cases(state)
            self._look_back(state)
        if plain.moves is not None or state.winnable:
            state.winnable |= anything
        return state.winnable, state.open & ~state.doubtful, state.expanded

    def _reach(self, state: _Deal, moves: Sequence[Move]) -> None:
        """Note the goals of the component in which a solution ends."""
        label = self._tablebase.component_of(end_of(state.deal, moves))
        state.winnable |= int(self._held[label]) & state.goals

    def _search_cases(self, state: _Deal) -> None:
        searched = sorted({present for book in self._books for present in book.searched})
        for present in searched:
            case: CaseGames | None = None
            while wanted := self._wanting(state, present):
                case = case or case_games(state.deal, present, self._tablebase.rules)
                if not self._search_case(state, case, wanted):
                    break

    def _wanting(self, state: _Deal, present: int) -> int:
        """The open goals that might be reached in a case."""
        goals = sum(1 << place for place, book in enumerate(self._books) if present in book.searched)
        return goals & state.open

    def _search_case(self, state: _Deal, case: CaseGames, wanted: int) -> bool:
        """Look for a solution that reaches some of the wanted goals in a case; whether there is one."""
        tablebase = self._tablebase
        fits = (tablebase.component_signatures == case.present) & (self._held & np.uint32(wanted) != 0)
        components = np.zeros(1 << 16, dtype=np.bool_)
        components[: min(len(fits), MOST_LABELS)] = fits[:MOST_LABELS]
        target = component_target(tablebase.region, tablebase.components.labels, components)
        games = [Pursuable(game.rules, case.needed) for game in case.games]
        pursued = pursue(state.deal, games, target, self._limits, state.deadline)
        state.expanded += pursued.expanded
        if pursued.steps is not None:
            self._reach(state, moves_of_steps(state.deal, pursued.steps, tablebase.rules))
            return True
        if pursued.reason is not None:
            state.doubtful |= wanted
        elif any(isinstance(loss, ExhaustionProof) for loss in pursued.losses):
            # A win that ends in a component without a label would not have been noticed.
            state.doubtful |= wanted & self._unlabelled
        return False

    def _look_back(self, state: _Deal) -> None:
        """Look from behind at all cases at once that are looked at so."""
        presents = {present for _, book in self._open_books(state) for present in book.behind}
        possible = {one for one in presents if case_games(state.deal, one, self._tablebase.rules).games}
        while True:
            goals, parts = 0, []
            for place, book in self._open_books(state):
                found = [positions for present, positions in book.behind.items() if present in possible]
                goals |= 1 << place if found else 0
                parts += found
            if not goals:
                return
            look = self._looked(state, np.concatenate(parts))
            if look.steps is None:
                state.doubtful |= 0 if look.exhausted else goals
                return
            self._reach(state, moves_of_steps(state.deal, look.steps, self._tablebase.rules))

    def _open_books(self, state: _Deal) -> list[tuple[int, CaseBook]]:
        return [(place, book) for place, book in enumerate(self._books) if state.open >> place & 1]

    def _looked(self, state: _Deal, wanted: NDArray[np.int16]) -> Behind:
        look = look_from_behind(state.deal, wanted, self._tablebase.rules, most=MOST_BEHIND, deadline=state.deadline)
        state.expanded += look.positions
        return look
