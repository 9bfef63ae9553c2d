"""Pursuit: searching several games of one deal, in turns, for a final position of a wanted kind.

Every stage of the schedule is tried in each game before the next one, so that a game that is hard to decide does not
keep another waiting in which the goal is near.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from solver.xiangshifu.layers import MOST_CHOSEN
from solver.xiangshifu.position import Position
from solver.xiangshifu.proof import (
    ExhaustionProof,
    WayProof,
    prove_by_closure,
    prove_by_lack,
    prove_by_layers,
    prove_stuck,
)
from solver.xiangshifu.repairs import RepairModel, repair_model
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.search import Outcome, Search, Target, no_target
from solver.xiangshifu.solve import CHUNK, CLOSURES, FIRST, MIB, PAIRS, Limits, Stage


@dataclass(frozen=True)
class Pursued:
    """What came of a pursuit.

    Attributes:
        steps: exchanges that lead to a wanted final position: numbers of two groups, and of the two they become; None
            if none was found.
        losses: for each game the proof that nothing wanted can be reached in it, or None.
        reason: what stopped the search of games that are not decided: ``time``, ``memory`` or ``positions``; or None.
        expanded: positions expanded.
    """

    steps: list[list[int]] | None
    losses: tuple[WayProof | None, ...]
    reason: str | None
    expanded: int


class Pursuable(NamedTuple):
    """A game to be searched.

    Attributes:
        rules: its rule set.
        needed: the groups (masks) of the locks that are present in all wanted positions, by their indices.
    """

    rules: RuleSet
    needed: Mapping[int, Sequence[int]]


class _Hunt:
    """The search of one game."""

    def __init__(self, deal: Position, game: Pursuable, target: Target, limits: Limits) -> None:
        self._deal = deal
        self._rules = rules = game.rules
        self._needed = game.needed
        self._target = target
        self._limits = limits
        self._search: Search | None = None
        self._model: RepairModel = repair_model(deal, rules)
        self.loss: WayProof | None = prove_stuck(deal, self._model, rules)
        self.reason: str | None = None
        self.expanded = 0

    def run(self, stage: Stage, deadline: float | None, *, is_first: bool) -> list[list[int]] | None:
        """One stage; the steps to a wanted final position if it finds one. Otherwise the game may be lost by now."""
        search = self._begin(stage)
        outcome = _run(search, stage.expansions, deadline)
        self.expanded += search.expanded
        if outcome is Outcome.FOUND:
            return search.path()
        self._prove(search, CLOSURES if is_first else stage.effort, deadline)
        if self.loss is None and outcome is Outcome.EXHAUSTED:
            outcome = self._exhaust(search, deadline)
        if self.loss is None and outcome is not Outcome.PAUSED:
            self.reason = "positions" if search.out_of_positions() else "memory"
        return None

    def _begin(self, stage: Stage) -> Search:
        if self._search is None:
            self._search = Search(self._rules, self._limits.memory * MIB, self._limits.positions)
            self._search.forget_cuts(self._model, self._deal.layout.tiles)
        layout = self._deal.layout
        self._search.start(self._model, layout.triples, weight=stage.weight, deepest=stage.deepest, target=self._target)
        return self._search

    def _prove(self, search: Search, effort: int, deadline: float | None) -> None:
        if effort >= CLOSURES:
            self.loss = prove_by_closure(self._deal, self._model, self._rules)
            self.loss = self.loss or prove_by_layers(self._deal, search.lingering(MOST_CHOSEN), self._rules)
            self.loss = self.loss or self._lack((), deadline)
        if effort >= PAIRS and self.loss is None:
            pairs = combinations(self._model.places.tolist(), 2)
            self.loss = prove_by_layers(self._deal, pairs, self._rules)
            self.loss = self.loss or self._lack(self._model.places.tolist(), deadline)

    def _lack(self, places: Sequence[int], deadline: float | None) -> WayProof | None:
        return prove_by_lack(self._deal, [places], self._needed, self._rules, deadline)

    def _exhaust(self, search: Search, deadline: float | None) -> Outcome:
        """Look at all positions again, those after final ones and those that a cut would cover too, as a checker does.

        None of them is wanted, or the search before had found it.
        """
        search.forget_cuts(self._model, self._deal.layout.tiles, most=0)
        search.start(self._model, self._deal.layout.triples, target=no_target()._replace(onward=True))
        outcome = _run(search, None, deadline)
        self.expanded += search.expanded
        if outcome is Outcome.EXHAUSTED:
            self.loss = ExhaustionProof(search.reached)
        return outcome


def _run(search: Search, expansions: int | None, deadline: float | None) -> Outcome:
    left = expansions
    outcome = Outcome.PAUSED
    while outcome is Outcome.PAUSED and not _is_over(deadline) and (left is None or left > 0):
        outcome = search.run(CHUNK if left is None else min(CHUNK, left))
        left = None if left is None else left - CHUNK
    return outcome


def _is_over(deadline: float | None) -> bool:
    return deadline is not None and time.perf_counter() >= deadline


def pursue(
    deal: Position, games: Sequence[Pursuable], target: Target, limits: Limits, deadline: float | None = None
) -> Pursued:
    """Search games of a deal for a final position that a target wants.

    Args:
        deal: the deal.
        games: the games.
        target: which final positions are wanted.
        limits: bounds of each search; ``seconds`` is not looked at.
        deadline: by ``time.perf_counter``, when to give up; None for never.
    """
    hunts = [_Hunt(deal, game, target, limits) for game in games]
    for place, stage in enumerate(FIRST):
        for hunt in hunts:
            if hunt.loss is not None or hunt.reason is not None:
                continue
            steps = hunt.run(stage, deadline, is_first=place == 0)
            if steps is not None or _is_over(deadline):
                return _pursued(hunts, steps, deadline)
    return _pursued(hunts, None, deadline)


def _pursued(hunts: Sequence[_Hunt], steps: list[list[int]] | None, deadline: float | None) -> Pursued:
    losses = tuple(hunt.loss for hunt in hunts)
    reason = None
    if steps is None and None in losses:
        reason = next((hunt.reason for hunt in hunts if hunt.reason), "time")
    return Pursued(steps, losses, reason, sum(hunt.expanded for hunt in hunts))
