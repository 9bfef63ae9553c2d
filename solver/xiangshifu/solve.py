"""Solving a deal: the verdict, the moves or the reason, and the proof, in one record."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from solver.errors import InputError
from solver.xiangshifu.groups import group_table
from solver.xiangshifu.layers import MOST_CHOSEN
from solver.xiangshifu.moves import Move, move_between
from solver.xiangshifu.position import Deal, Position
from solver.xiangshifu.proof import (
    ExhaustionProof,
    LossProof,
    MovesProof,
    Proof,
    prove_by_closure,
    prove_by_layers,
    prove_stuck,
)
from solver.xiangshifu.repairs import DEAD, RepairModel, repair_model
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.search import RELAXED, Outcome, Search

SCHEMA = 1
MIB = 1 << 20
DEFAULT_MEMORY = 4096


class Stage(NamedTuple):
    """One attempt to decide a deal by search.

    A stage that searches as the one before goes on where that stopped; any other starts afresh.

    Attributes:
        weight, deepest: how to search, see ``Search.start``.
        expansions: after which it is given up; None: never.
        effort: then put into a proof of a loss without search.
    """

    weight: int
    deepest: int
    expansions: int | None
    effort: int = 0


CLOSURES, PAIRS = 1, 2
"""Efforts of a proof without search: closures, and layers of what the search lingers with; also all pairs of groups."""

SHORTEST = (Stage(1, 2, 4_000, CLOSURES), Stage(1, 2, 30_000, PAIRS), Stage(1, 2, None))
FIRST = (
    Stage(5, 9, 200),
    Stage(2, 2, 500),
    Stage(4, 2, 1_500, CLOSURES),
    Stage(1, RELAXED, 3_000, CLOSURES),
    Stage(1, 2, 6_000, PAIRS),
    Stage(9, 9, 6_000),
    Stage(1, RELAXED, 30_000),
    Stage(4, 2, 60_000),
    Stage(1, 2, 100_000),
    Stage(1, RELAXED, None),
)
"""How a shortest and how any solution is searched for. What misleads one greedy search seldom misleads another, so
several short ones decide sooner than a long one (Gomes, Selman and Crato, "Heavy-tailed distributions in
combinatorial search", 1997); the figures are the best of those tried."""

CHUNK = 2000
"""Expansions between looks at the clock, some tens of milliseconds."""


@dataclass(frozen=True)
class Limits:
    """Bounds of one search.

    Attributes:
        memory: MiB for all arrays of the search together.
        seconds: time, or None.
        positions: positions reached, or None.
    """

    memory: int = DEFAULT_MEMORY
    seconds: float | None = None
    positions: int | None = None


@dataclass(frozen=True)
class Result:
    """What is known of a deal.

    Attributes:
        deal: the deal.
        rules: the rule set.
        verdict: ``winnable``, ``unwinnable`` or ``undecided``.
        reason: what stopped an undecided search: ``memory``, ``time`` or ``positions``; else None.
        moves: the solution of a winnable deal; else None.
        optimal: whether no solution is shorter; None unless winnable.
        lower_bound: what no solution can beat, None if unwinnable. For goal ``any`` the bound of the repair model, for
            others the best that the search has proved.
        proof: None if undecided.
        expanded: positions expanded.
        seconds: time taken.
        goal: the goal's id.
    """

    deal: Deal
    rules: RuleSet
    verdict: str
    reason: str | None
    moves: tuple[Move, ...] | None
    optimal: bool | None
    lower_bound: int | None
    proof: Proof | None
    expanded: int
    seconds: float
    goal: str = "any"

    @property
    def length(self) -> int | None:
        """How many moves the solution has."""
        return None if self.moves is None else len(self.moves)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of ``xsf solve``; ``solver.check`` takes it."""
        return {
            "schema": SCHEMA,
            "deal": str(self.deal),
            "layout": self.deal.layout.name,
            "rules": self.rules.to_json(),
            "goal": self.goal,
            "verdict": self.verdict,
            "reason": self.reason,
            "length": self.length,
            "optimal": self.optimal,
            "lower_bound": self.lower_bound,
            "moves": None if self.moves is None else [move.to_json() for move in self.moves],
            "proof": None if self.proof is None else self.proof.to_json(),
            "expanded": self.expanded,
            "seconds": round(self.seconds, 6),
        }


class Solver:
    """Solves deals of one rule set one after the other, using its tables and memory again.

    Not for use by several threads at once.

    Args:
        rules: the rule set.
        first: be content with any solution, found sooner.
        limits: bounds of each search.
    """

    def __init__(self, rules: RuleSet = CLASSIC, *, first: bool = False, limits: Limits = Limits()) -> None:
        if limits.memory < 1 or (limits.positions is not None and limits.positions < 1):
            raise InputError("limits of memory and positions must be 1 or more")
        self.rules = rules
        self.first = first
        self.limits = limits
        self._search = Search(rules, limits.memory * MIB, limits.positions)

    def solve(self, deal: Deal) -> Result:
        """Decide one deal.

        The goal is any final position. A solution is shortest unless the solver is content with the first.
        """
        started = time.perf_counter()
        model = repair_model(deal, self.rules)
        stuck = prove_stuck(deal, model, self.rules)
        if stuck is not None:
            return self._lost(deal, stuck, 0, started)
        return self._search_on(deal, model, FIRST if self.first else SHORTEST, started)

    def solve_on(self, deal: Deal, done: int) -> Result:
        """Decide a deal that the repair model and the first ``done`` stages have left undecided.

        Most such deals are lost, so the closures are tried first.
        """
        started = time.perf_counter()
        model = repair_model(deal, self.rules)
        loss = prove_by_closure(deal, model, self.rules)
        if loss is not None:
            return self._lost(deal, loss, 0, started)
        return self._search_on(deal, model, (FIRST if self.first else SHORTEST)[done:], started)

    def _search_on(self, deal: Deal, model: RepairModel, stages: tuple[Stage, ...], started: float) -> Result:
        deadline = None if self.limits.seconds is None else started + self.limits.seconds
        search, spent, searched = self._search, 0, None
        search.forget_cuts(model, deal.layout.tiles)
        for place, stage in enumerate(stages):
            if searched != (stage.weight, stage.deepest):
                spent += search.expanded if searched else 0
                searched = stage.weight, stage.deepest
                search.start(model, deal.layout.triples, weight=stage.weight, deepest=stage.deepest)
            outcome = self._run(stage.expansions, deadline, doubtful=place == 0)
            if outcome is Outcome.FOUND:
                return self._won(deal, model, spent + search.expanded, started)
            over = outcome is not Outcome.PAUSED or _is_over(deadline)
            doubtful = over or (place == 0 and search.hopeless)
            loss = self._prove(deal, model, PAIRS if doubtful else stage.effort)
            if loss is not None:
                return self._lost(deal, loss, spent + search.expanded, started)
            if over:
                break
        if outcome is Outcome.EXHAUSTED and search.has_cuts:
            spent += search.expanded
            outcome = self._exhaust(deal, model, deadline)
        if outcome is Outcome.EXHAUSTED:
            return self._lost(deal, ExhaustionProof(search.reached), spent + search.expanded, started)
        return self._undecided(deal, model, outcome, spent + search.expanded, started)

    def _prove(self, deal: Deal, model: RepairModel, effort: int) -> LossProof | None:
        """A proof of a loss that needs no search."""
        loss: LossProof | None = None
        if effort >= CLOSURES:
            loss = prove_by_closure(deal, model, self.rules)
            loss = loss or prove_by_layers(deal, self._search.lingering(MOST_CHOSEN), self.rules)
        if effort >= PAIRS and loss is None:
            loss = prove_by_layers(deal, combinations(model.places.tolist(), 2), self.rules)
        return loss

    def _exhaust(self, deal: Deal, model: RepairModel, deadline: float | None) -> Outcome:
        """Look at all positions, those too that a cut would cover: a checker need not know of cuts."""
        self._search.forget_cuts(model, deal.layout.tiles, most=0)
        self._search.start(model, deal.layout.triples)
        return self._run(None, deadline, doubtful=False)

    def _run(self, expansions: int | None, deadline: float | None, *, doubtful: bool) -> Outcome:
        """Search until it ends, so many more expansions are done, or the time is over; if ``doubtful``, also stop if
        the levels of the deal show that it is lost, since there is a simple proof then."""
        outcome, left = self._search.run(1), expansions
        while outcome is Outcome.PAUSED and not _is_over(deadline) and not (doubtful and self._search.hopeless):
            if left is not None and left <= 1:
                break
            outcome = self._search.run(CHUNK if left is None else min(CHUNK, left - 1))
            left = None if left is None else left - CHUNK
        return outcome

    def _won(self, deal: Deal, model: RepairModel, expanded: int, started: float) -> Result:
        moves = moves_of_steps(deal, self._search.path(), self.rules)
        bound = int(model.sets[-1]["bound"])
        return Result(
            deal,
            self.rules,
            "winnable",
            None,
            moves,
            not self.first or len(moves) == bound,
            bound,
            MovesProof(),
            expanded,
            time.perf_counter() - started,
        )

    def _lost(self, deal: Deal, proof: LossProof, expanded: int, started: float) -> Result:
        seconds = time.perf_counter() - started
        return Result(deal, self.rules, "unwinnable", None, None, None, None, proof, expanded, seconds)

    def _undecided(self, deal: Deal, model: RepairModel, outcome: Outcome, expanded: int, started: float) -> Result:
        reason = "positions" if self._search.out_of_positions() else "memory"
        if outcome is Outcome.PAUSED:
            reason = "time"
        bound = int(model.sets[-1]["bound"])
        seconds = time.perf_counter() - started
        return Result(deal, self.rules, "undecided", reason, None, None, bound, None, expanded, seconds)


def _is_over(deadline: float | None) -> bool:
    return deadline is not None and time.perf_counter() >= deadline


def solve(
    deal: Deal | str, rules: RuleSet | str = CLASSIC, *, first: bool = False, limits: Limits = Limits()
) -> Result:
    """Decide a deal: a shortest solution, or a proof that there is none.

    Args:
        deal: the deal, or its text.
        rules: the rule set, or what ``--rules`` takes.
        first: be content with any solution, found sooner.
        limits: bounds of the search; when one is reached the verdict is ``undecided``.

    Raises:
        InputError: the text of the deal or of the rules can't be used.
    """
    rules = RuleSet.parse(rules) if isinstance(rules, str) else rules
    deal = Deal.parse(deal) if isinstance(deal, str) else deal
    return Solver(rules, first=first, limits=limits).solve(deal)


def lower_bound(position: Position, rules: RuleSet = CLASSIC) -> int | None:
    """The fewest moves any solution could take by the repair model; None if no order of repairs exists."""
    bound = int(repair_model(position, rules).sets[-1]["bound"])
    return None if bound == DEAD else bound


def moves_of_steps(deal: Position, steps: list[list[int]], rules: RuleSet) -> tuple[Move, ...]:
    """Moves by places from exchanges by group numbers, as ``Search.path`` gives them."""
    table = group_table()
    numbers = [table.number(group) for group in deal.groups]
    position: Position = deal
    moves = []
    for a, b, x, y in steps:
        first = numbers.index(a)
        second = numbers.index(b, first + 1) if a == b else numbers.index(b)
        move = move_between(position, first, second, x, y, rules)
        position = position.exchanged(*move.groups, move.after)
        for place, group in zip(move.groups, move.after, strict=True):
            numbers[place] = table.number(group)
        moves.append(move)
    return tuple(moves)
