"""Proofs: why a deal is won or lost, in a form that the checker confirms without our tables and search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from solver.xiangshifu.bonds import Lock
from solver.xiangshifu.closure import relaxed_closure
from solver.xiangshifu.deadgroups import dead_groups, frozen_set
from solver.xiangshifu.groups import group_table
from solver.xiangshifu.layers import Layer, layered_closure, standing_beside
from solver.xiangshifu.moves import move_table
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
class LayeredClosureProof:
    """No order of repairs of the groups at these places works out, by the layered closure."""

    groups: tuple[int, ...]
    layers: tuple[Layer, ...]
    kind: ClassVar[str] = "layered-closure"

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON values."""
        layers = [
            {"remaining": list(layer.remaining), "groups": layer.groups, "pairs": layer.pairs} for layer in self.layers
        ]
        return {"kind": self.kind, "groups": list(self.groups), "layers": layers}


@dataclass(frozen=True)
class ExhaustionProof:
    """None of the positions that can be reached is final, or of the goal.

    An exchange between two dealt invalid groups, both as dealt, touches nothing that moves before it touch, so only
    these ways are followed: first such exchanges, then moves that are not between two invalid groups.
    ``positions`` counts the positions reached, the deal included. Left out and not looked into are those
    whose invalid groups admit no order of repairs (see ``solver.xiangshifu.repairs``), and after the first other
    move those that admit none of repairs alone. Final positions that are not of the goal are gone on from.
    """

    positions: int
    kind: ClassVar[str] = "exhaustion"

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON values."""
        return {"kind": self.kind, "positions": self.positions}


@dataclass(frozen=True)
class LackProof:
    """Once the groups at these places are repaired no group of a lock can be there, by the layered closure.

    ``lock`` is its index; it is one of those that are present in the case. Without any groups, it never can be there.
    """

    lock: int
    groups: tuple[int, ...]
    kind: ClassVar[str] = "lack"

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON values."""
        return {"kind": self.kind, "lock": self.lock, "groups": list(self.groups)}


@dataclass(frozen=True)
class Way:
    """The proof that one game of a case is lost.

    Attributes:
        makers: places of the groups whose repair makes the locks in question, in their order.
        breakers: places of those whose repair breaks the locks in question last; None for a lock that never appears.
        proof: why the game is lost.
    """

    makers: tuple[int, ...]
    breakers: tuple[int | None, ...]
    proof: WayProof


@dataclass(frozen=True)
class CaseProof:
    """The proof that the end can't have some locks and lack others.

    Attributes:
        present, absent: indices of the locks.
        dealt: the place of a dealt group that is of an absent lock, for good; or None.
        made: the present locks whose makers tell the games apart; None if no final position of the goal is of this
            case.
        broken: the absent locks whose breakers do.
        ways: the games.
        behind: how many positions lead to the goal's positions of this case, the deal not being one of them; or None.
        layered: whether the layered closure of all invalid groups left out others.
    """

    present: tuple[int, ...]
    absent: tuple[int, ...]
    dealt: int | None = None
    made: tuple[int, ...] | None = None
    broken: tuple[int, ...] = ()
    ways: tuple[Way, ...] = ()
    behind: int | None = None
    layered: bool = False

    def to_json(self) -> dict[str, Any]:
        """The case as JSON values."""
        return {"present": list(self.present), "absent": list(self.absent), "proof": self._reason()}

    def _reason(self) -> dict[str, Any]:
        if self.dealt is not None:
            return {"kind": "dealt", "group": self.dealt}
        if self.behind is not None:
            return {"kind": "layered-behind" if self.layered else "behind", "positions": self.behind}
        if self.made is None:
            return {"kind": "no-goal"}
        ways = [
            {"makers": list(way.makers), "breakers": list(way.breakers), "proof": way.proof.to_json()}
            for way in self.ways
        ]
        return {"kind": "made", "locks": list(self.made), "broken": list(self.broken), "ways": ways}


@dataclass(frozen=True)
class BondProof:
    """The goal asks for locks, or for their absence, that the deal can't bring about."""

    locks: tuple[Lock, ...]
    cases: tuple[CaseProof, ...]
    kind: ClassVar[str] = "bond"

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON values."""
        locks = [{"name": lock.name, "groups": [format_group(group) for group in lock.groups]} for lock in self.locks]
        return {"kind": self.kind, "locks": locks, "cases": [case.to_json() for case in self.cases]}


Argument = (
    DeadGroupProof | FrozenSetProof | RepairOrderProof | RelaxedClosureProof | LayeredClosureProof | ExhaustionProof
)
"""A proof that needs no goal."""
WayProof = Argument | LackProof
LossProof = Argument | BondProof
Proof = MovesProof | LossProof


def prove_stuck(position: Position, model: RepairModel, rules: RuleSet) -> Argument | None:
    """The simplest proof that the dealt invalid groups admit no order of repairs, if they admit none."""
    if model.sets[-1]["bound"] != DEAD:
        return None
    frozen = frozen_set(model, rules)
    if not frozen:
        return RepairOrderProof(_fewest_constrained(model, rules))
    if len(frozen) == 1 and not (rules.excluded or rules.only):
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


def prove_by_closure(position: Position, model: RepairModel, rules: RuleSet) -> Argument | None:
    """A proof by the relaxed closure or, failing that, by the layered closure of a single group; None if neither holds.

    A single frozen group is looked for first, since that is the easiest to understand.
    """
    invalid = [int(place) for place in model.places]
    largest = relaxed_closure(position, invalid, rules)
    if largest.frozen:
        alone = (relaxed_closure(position, [place], rules) for place in largest.frozen)
        found = next((single for single in alone if single.frozen), largest)
        return RelaxedClosureProof(found.frozen, found.groups)
    return prove_by_layers(position, [(place,) for place in invalid], rules)


def prove_by_layers(
    position: Position, candidates: Iterable[Sequence[int]], rules: RuleSet
) -> LayeredClosureProof | None:
    """A proof by the layered closure for the first of some choices of places that has one, less all it can spare."""
    for places in candidates:
        layers = layered_closure(position, places, rules)
        if layers is None:
            continue
        needed = sorted(places)
        for place in sorted(places):
            fewer = [other for other in needed if other != place]
            found = layered_closure(position, fewer, rules) if fewer else None
            if found is not None:
                needed, layers = fewer, found
        return LayeredClosureProof(tuple(needed), layers)
    return None


def prove_by_lack(
    position: Position,
    candidates: Iterable[Sequence[int]],
    needed: Mapping[int, Sequence[int]],
    rules: RuleSet,
    deadline: float | None = None,
) -> LackProof | None:
    """The proof that no group of some lock can be there once all are repaired; None if there is none, or no time.

    Args:
        position: a position taken as a deal.
        candidates: choices of places to prove it by; of the first that does, those it can spare are left out.
        needed: the groups (masks) of each lock, by its index.
        rules: the rule set.
        deadline: by ``time.perf_counter``, when to give up; None for never.
    """
    table, moves = group_table(), move_table(rules)
    numbers = {lock: moves.valid_numbers[[table.number(g) for g in groups]] for lock, groups in needed.items()}
    for places, (lock, members) in product(candidates, numbers.items()):
        held = members[members >= 0]
        if not _are_lacking(position, places, held, rules, deadline):
            continue
        chosen = sorted(places)
        for place in sorted(places):
            fewer = [other for other in chosen if other != place]
            if _are_lacking(position, fewer, held, rules, deadline):
                chosen = fewer
        return LackProof(lock, tuple(chosen))
    return None


def _are_lacking(
    position: Position, chosen: Sequence[int], numbers: NDArray[np.int16], rules: RuleSet, deadline: float | None
) -> bool:
    """Whether none of some valid groups can stand beside any other once the chosen places are repaired."""
    beside = standing_beside(position, chosen, rules, deadline)
    return beside is not None and not beside[0, numbers].any()
