"""Proofs: why a deal is won or lost, in a form that the checker confirms without our tables and search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from solver.xiangshifu.closure import closure
from solver.xiangshifu.deadgroups import dead_groups, frozen_set
from solver.xiangshifu.moves import Move, move_between, move_table
from solver.xiangshifu.position import Position, format_group
from solver.xiangshifu.repairs import DEAD, RepairModel, bound_with, repair_model
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.tiles import TILES

EFFORT = 64
"""Positions that may be looked at to prove a loss by cases, some milliseconds each."""


@dataclass(frozen=True)
class MovesProof:
    """A win is proved by its moves."""

    kind: ClassVar[str] = "moves"

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON values."""
        return {"kind": self.kind}


@dataclass(frozen=True)
class DeadGroupProof:
    """The group at this place can't be repaired by any exchange with any group of the other tiles."""

    group: int
    kind: ClassVar[str] = "dead-group"

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON values."""
        return {"kind": self.kind, "group": self.group}


@dataclass(frozen=True)
class FrozenSetProof:
    """None of the groups at these places can be the first of them to be repaired."""

    groups: tuple[int, ...]
    kind: ClassVar[str] = "frozen-set"

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON values."""
        return {"kind": self.kind, "groups": list(self.groups)}


@dataclass(frozen=True)
class RepairOrderProof:
    """No order of repairs repairs all groups at these places, even if all others could be repaired at any time."""

    groups: tuple[int, ...]
    kind: ClassVar[str] = "repair-order"

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON values."""
        return {"kind": self.kind, "groups": list(self.groups)}


@dataclass(frozen=True)
class RelaxedClosureProof:
    """Nothing in the relaxed closure (masks of groups) can repair the groups at these places."""

    groups: tuple[int, ...]
    closure: tuple[int, ...]
    kind: ClassVar[str] = "relaxed-closure"

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON values."""
        return {"kind": self.kind, "groups": list(self.groups), "closure": [format_group(g) for g in self.closure]}


@dataclass(frozen=True)
class PairClosureProof:
    """Nothing in the pair closure (masks of groups, and the number of pairs) can repair the groups at these places."""

    groups: tuple[int, ...]
    closure: tuple[int, ...]
    pairs: int
    kind: ClassVar[str] = "pair-closure"

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON values."""
        return {
            "kind": self.kind,
            "groups": list(self.groups),
            "closure": [format_group(group) for group in self.closure],
            "pairs": self.pairs,
        }


@dataclass(frozen=True)
class ExhaustionProof:
    """None of the positions that can be reached is final.

    An exchange between two dealt invalid groups, both as dealt, touches nothing that moves before it touch, so only
    these ways are followed: first such exchanges, then moves that are not between two invalid groups.
    ``positions`` counts the positions reached, the deal included. Left out and not looked into are those
    whose invalid groups admit no order of repairs (see ``solver.xiangshifu.repairs``), and after the first other
    move those that admit none of repairs alone.
    """

    positions: int
    kind: ClassVar[str] = "exhaustion"

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON values."""
        return {"kind": self.kind, "positions": self.positions}


@dataclass(frozen=True)
class Case:
    """One way to repair a group together with another, both as dealt, and why the position is lost then.

    Attributes:
        groups: the places of the two groups, first that of the group the proof is about.
        after: masks of the groups that stand there afterwards.
        proof: of the loss of that position, taken as a deal.
    """

    groups: tuple[int, int]
    after: tuple[int, int]
    proof: LossProof

    def to_json(self) -> dict[str, Any]:
        """The case as JSON values."""
        return {
            "groups": list(self.groups),
            "after": [list(TILES.names(mask)) for mask in self.after],
            "proof": self.proof.to_json(),
        }


@dataclass(frozen=True)
class CasesProof:
    """A group that only another dealt invalid group can repair, and the deal is lost whichever does.

    No valid group of the closure (masks; the pair closure if ``pairs`` is given) can repair the group. What is left
    is an exchange with another dealt invalid group, both as dealt. It touches nothing that other moves touch
    before it, so it may as well be the first move; ``cases`` are all of them.
    """

    group: int
    closure: tuple[int, ...]
    pairs: int | None
    cases: tuple[Case, ...]
    kind: ClassVar[str] = "cases"

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON values."""
        return {
            "kind": self.kind,
            "group": self.group,
            "closure": [format_group(group) for group in self.closure],
            "pairs": self.pairs,
            "cases": [case.to_json() for case in self.cases],
        }


LossProof = (
    DeadGroupProof
    | FrozenSetProof
    | RepairOrderProof
    | RelaxedClosureProof
    | PairClosureProof
    | CasesProof
    | ExhaustionProof
)
Proof = MovesProof | LossProof


def prove_stuck(position: Position, model: RepairModel, rules: RuleSet) -> LossProof | None:
    """The simplest proof that the dealt invalid groups admit no order of repairs, if they admit none."""
    if model.sets[-1]["bound"] != DEAD:
        return None
    frozen = frozen_set(model, rules)
    if not frozen:
        return RepairOrderProof(_fewest_constrained(model, rules))
    if len(frozen) == 1:
        for place in map(int, model.places):
            if position.groups[place] in dead_groups(rules).dead:
                return DeadGroupProof(place)
    return FrozenSetProof(frozen)


def _fewest_constrained(model: RepairModel, rules: RuleSet) -> tuple[int, ...]:
    """Places of groups that admit no order of repairs between them; leaving out any one of them would."""
    constrained = len(model.sets) - 1
    for k in range(len(model.places)):
        if bound_with(constrained & ~(1 << k), model, rules) == DEAD:
            constrained &= ~(1 << k)
    return tuple(int(place) for k, place in enumerate(model.places) if constrained >> k & 1)


def prove_lost(position: Position, rules: RuleSet, effort: int = EFFORT) -> LossProof | None:
    """The simplest proof of a loss that needs no search, or None if there is none.

    ``effort``: how many positions may be looked at in all to distinguish cases.
    """
    return _Attempt(rules, effort).prove(position)


class _Attempt:
    """One attempt at a proof, with the positions it may still look at."""

    def __init__(self, rules: RuleSet, effort: int) -> None:
        self._rules = rules
        self._effort = effort

    def prove(self, position: Position) -> LossProof | None:
        if self._effort <= 0:
            return None
        self._effort -= 1
        model = repair_model(position, self._rules)
        return (
            prove_stuck(position, model, self._rules)
            or prove_by_closure(position, model, self._rules)
            or self._prove_by_cases(position, model)
        )

    def _prove_by_cases(self, position: Position, model: RepairModel) -> CasesProof | None:
        if self._effort <= 0:
            return None
        invalid = [int(place) for place in model.places]
        for pairs in (False, True):
            largest = closure(position, invalid, self._rules, pairs=pairs, edges=False)
            for place in sorted(largest.frozen, key=lambda place: len(self._edge_results(position, model, place))):
                alone = closure(position, [place], self._rules, pairs=pairs, edges=False)
                if alone.frozen:
                    cases = self._prove_cases(position, place, self._edge_results(position, model, place))
                    if cases is not None:
                        return CasesProof(place, alone.groups, alone.pairs, cases)
        return None

    def _edge_results(self, position: Position, model: RepairModel, place: int) -> list[Move]:
        """All exchanges of the group at a place with another dealt invalid group."""
        k = model.places.tolist().index(place)
        found = []
        for j, other in enumerate(model.places.tolist()):
            if model.edges[k] >> j & 1:
                for x, y in move_table(self._rules).exchanges(int(model.invalid[k]), int(model.invalid[j])):
                    found.append(move_between(position, place, other, x, y, self._rules))
        return found

    def _prove_cases(self, position: Position, place: int, edges: list[Move]) -> tuple[Case, ...] | None:
        cases = []
        for move in edges:
            proof = self.prove(position.exchanged(*move.groups, move.after))
            if proof is None:
                return None
            (one, other), (after_one, after_other) = move.groups, move.after
            if one != place:
                (one, other), (after_one, after_other) = (other, one), (after_other, after_one)
            cases.append(Case((one, other), (after_one, after_other), proof))
        return tuple(cases)


def prove_by_closure(position: Position, model: RepairModel, rules: RuleSet) -> LossProof | None:
    """A proof by the relaxed closure or, failing that, by the pair closure; None if neither holds.

    A single frozen group is looked for first, since that is the easiest to understand.
    """
    invalid = [int(place) for place in model.places]
    for pairs in (False, True):
        largest = closure(position, invalid, rules, pairs=pairs)
        if not largest.frozen:
            continue
        alone = (closure(position, [place], rules, pairs=pairs) for place in largest.frozen)
        found = next((single for single in alone if single.frozen), largest)
        if found.pairs is None:
            return RelaxedClosureProof(found.frozen, found.groups)
        return PairClosureProof(found.frozen, found.groups, found.pairs)
    return None
