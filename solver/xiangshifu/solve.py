"""Solving a deal: the verdict, the moves or the reason, and the proof, in one record."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from solver.errors import InputError
from solver.xiangshifu.groups import group_table
from solver.xiangshifu.moves import Move, move_between
from solver.xiangshifu.position import Deal, Position
from solver.xiangshifu.proof import ExhaustionProof, LossProof, MovesProof, Proof, prove_lost, prove_stuck
from solver.xiangshifu.repairs import DEAD, RepairModel, repair_model
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.search import Outcome, Search

SCHEMA = 1
MIB = 1 << 20
DEFAULT_MEMORY = 4096
SHORTEST_SEARCH = {"weight": 1, "deepest": 2}
FIRST_SEARCH = {"weight": 9, "deepest": 9}
"""How to search for a shortest and for any solution: the fastest of the values tried."""

ATTEMPTS = ((4_000, 1), (30_000, 64))
"""Expansions after which a proof without search is tried, and the effort put into it. Most deals are decided before."""

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
        lower_bound: the bound of the repair model, which no solution can beat; None if unwinnable.
        proof: None if undecided.
        expanded: positions expanded.
        seconds: time taken.
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
        deadline = None if self.limits.seconds is None else started + self.limits.seconds
        self._search.start(model, deal.layout.triples, **(FIRST_SEARCH if self.first else SHORTEST_SEARCH))
        outcome = self._search.run(1)
        for expansions, effort in ATTEMPTS:
            if outcome is Outcome.PAUSED and not self._search.hopeless:
                outcome = self._go_on(expansions, deadline)
            if outcome is Outcome.FOUND:
                break
            loss = prove_lost(deal, self.rules, effort)
            if loss is not None:
                return self._lost(deal, loss, self._search.expanded, started)
        if outcome is Outcome.PAUSED:
            outcome = self._go_on(None, deadline)
        expanded = self._search.expanded
        if outcome is Outcome.FOUND:
            return self._won(deal, model, expanded, started)
        if outcome is Outcome.EXHAUSTED:
            return self._lost(deal, ExhaustionProof(self._search.reached), expanded, started)
        return self._undecided(deal, model, outcome, expanded, started)

    def _go_on(self, expansions: int | None, deadline: float | None) -> Outcome:
        """Search until it ends, so many expansions are done in all, or the time is over."""
        outcome = Outcome.PAUSED
        while outcome is Outcome.PAUSED and (expansions is None or self._search.expanded < expansions):
            if deadline is not None and time.perf_counter() >= deadline:
                break
            outcome = self._search.run(CHUNK)
        return outcome

    def _won(self, deal: Deal, model: RepairModel, expanded: int, started: float) -> Result:
        moves = _moves(deal, self._search.path(), self.rules)
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


def _moves(deal: Deal, steps: list[list[int]], rules: RuleSet) -> tuple[Move, ...]:
    """Moves by places from exchanges by group numbers."""
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
