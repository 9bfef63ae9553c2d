"""Proofs: why a deal is won or lost, in a form that the checker confirms without our tables and search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from solver.xiangshifu.closure import closure
from solver.xiangshifu.deadgroups import dead_groups, frozen_set
from solver.xiangshifu.position import Position, format_group
from solver.xiangshifu.repairs import DEAD, RepairModel, bound_with
from solver.xiangshifu.rules import RuleSet


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

    ``positions`` counts those, the deal included, whose invalid groups admit some order of repairs (see
    ``solver.xiangshifu.repairs``); the others are lost by that argument and not looked into.
    """

    positions: int
    kind: ClassVar[str] = "exhaustion"

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON values."""
        return {"kind": self.kind, "positions": self.positions}


LossProof = (
    DeadGroupProof | FrozenSetProof | RepairOrderProof | RelaxedClosureProof | PairClosureProof | ExhaustionProof
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
