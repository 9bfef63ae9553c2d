"""Dead groups of a rule set, and frozen sets of a deal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from solver.bits import lowest_bit, popcount
from solver.jit import kernel
from solver.xiangshifu.groups import GROUPS, TRIPLES, group_table, group_text
from solver.xiangshifu.moves import move_table
from solver.xiangshifu.repairs import RepairModel, _has_partner
from solver.xiangshifu.rules import RuleSet


@dataclass(frozen=True)
class DeadGroups:
    """The groups that a rule set condemns by themselves.

    Attributes:
        rules: the rule set.
        valid_kinds: valid triples as multisets of kinds.
        valid_tiles: valid triples as sets of actual tiles.
        valid_pairs: valid pairs, as multisets of kinds.
        dead: masks of the groups that no exchange can repair, whatever the rest is.
        conditionally_dead: masks of the groups that only another dealt invalid group can repair: no valid group
            that can be made of the tiles outside can be the partner.
    """

    rules: RuleSet
    valid_kinds: int
    valid_tiles: int
    valid_pairs: int
    dead: tuple[int, ...]
    conditionally_dead: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """The JSON object of ``xsf dead-groups``."""
        return {
            "schema": 1,
            "rules": self.rules.to_json(),
            "valid_triples": {"kinds": self.valid_kinds, "tiles": self.valid_tiles},
            "valid_pairs": self.valid_pairs,
            "dead": _by_size(self.dead),
            "conditionally_dead": _by_size(self.conditionally_dead),
        }


def _by_size(groups: tuple[int, ...]) -> dict[str, list[str]]:
    numbers = [group_table().number(group) for group in groups]
    return {
        "triples": [group_text(number) for number in numbers if number < TRIPLES],
        "pairs": [group_text(number) for number in numbers if number >= TRIPLES],
    }


@lru_cache(maxsize=16)
def dead_groups(rules: RuleSet) -> DeadGroups:
    """The dead and conditionally dead groups of a rule set, by trying every exchange with every group."""
    table = group_table()
    moves = move_table(rules)
    bits = np.unpackbits(moves.rows.view(np.uint8), axis=1, bitorder="little")[:, :GROUPS].astype(np.bool_)
    repairable = bits.any(axis=1) | bits.any(axis=0)
    with_valid = moves.valid_rows.any(axis=1)
    valid = moves.valid
    triples = valid[:TRIPLES]
    return DeadGroups(
        rules,
        int(triples.sum()),
        int(table.weights[:TRIPLES][triples].sum()),
        int(valid[TRIPLES:].sum()),
        tuple(int(mask) for mask in table.masks[~valid & ~repairable]),
        tuple(int(mask) for mask in table.masks[~valid & repairable & ~with_valid]),
    )


@kernel
def _smallest_frozen(invalid, edges, sets, valid_rows, valid_masks):
    """A frozen set with the fewest groups, as bits; 0 if there is none."""
    best, best_size = 0, invalid.shape[0] + 1
    for frozen in range(1, sets.shape[0]):
        if popcount(frozen) >= best_size:
            continue
        rest = frozen
        while rest:
            k = lowest_bit(rest)
            if edges[k] or _has_partner(invalid[k], sets[frozen].outside, valid_rows, valid_masks):
                break
            rest &= rest - 1
        if rest == 0:
            best, best_size = frozen, popcount(frozen)
    return best


def frozen_set(model: RepairModel, rules: RuleSet) -> tuple[int, ...]:
    """The places of a smallest frozen set of a deal, empty if it has none.

    A set of dealt invalid groups is frozen if none of them has an edge to any dealt invalid group, or a valid
    partner that could be made of the tiles outside the set: then none can be the first of them to be repaired.
    """
    moves = move_table(rules)
    found = int(_smallest_frozen(model.invalid, model.edges, model.sets, moves.valid_rows, moves.valid_masks))
    return tuple(int(place) for k, place in enumerate(model.places) if found >> k & 1)
