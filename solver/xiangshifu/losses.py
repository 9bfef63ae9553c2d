"""What the losses of many random deals come from: how many each level of a theory explains, and what holds the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.xiangshifu.moves import legal_moves
from solver.xiangshifu.position import Deal, format_group
from solver.xiangshifu.repairs import valid_partners
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.theory import CONDITIONALLY_DEAD, TOGETHER, Theory, chance_to_json
from solver.xiangshifu.verdicts import OUTCOMES, UNDECIDED, WINNABLE

FROZEN_SET = "frozen-set"
"""Name of the level of frozen sets that are larger than a theory lists."""


@dataclass(frozen=True)
class Share:
    """How many losses one level explains.

    Attributes:
        name: the level of a theory, or ``frozen-set`` for larger ones, or another kind of proof.
        sets: how many sets of groups the theory has on this level; None beyond it.
        at_most: an upper limit of the level's probability; None beyond the theory.
        exact: its probability; None if it is not known.
        so_far: the probability of this level and those before; None if it is not known.
        deals: how many deals it explains; None if there was no simulation.
        share: these as a share of all deals; None likewise.
        share_of_losses: as a share of the unwinnable deals; None if there is none.
        losses_so_far: the same, of this level and those before.
        z: how many standard deviations ``deals`` is above what ``exact`` lets expect; None if either is unknown.
    """

    name: str
    sets: int | None = None
    at_most: Fraction | None = None
    exact: Fraction | None = None
    so_far: Fraction | None = None
    deals: int | None = None
    share: float | None = None
    share_of_losses: float | None = None
    losses_so_far: float | None = None
    z: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The share as JSON values."""
        return {
            "level": self.name,
            "sets": self.sets,
            "at_most": chance_to_json(self.at_most),
            "exact": chance_to_json(self.exact),
            "so_far": chance_to_json(self.so_far),
            "deals": self.deals,
            "share": self.share,
            "share_of_losses": self.share_of_losses,
            "losses_so_far": self.losses_so_far,
            "z": self.z,
        }


@dataclass(frozen=True)
class Held:
    """Groups that a proof beyond frozen sets says stay unrepaired, and how many deals they hold.

    Attributes:
        proof: the kind of the proof.
        groups: masks, ascending; none if the proof names none.
        partners: for each group, how many valid partners the tiles outside it can make.
        deals: how many deals are lost like that.
    """

    proof: str
    groups: tuple[int, ...]
    partners: tuple[int, ...]
    deals: int

    def to_json(self) -> dict[str, Any]:
        """The groups as JSON values."""
        return {
            "proof": self.proof,
            "groups": [format_group(group) for group in self.groups],
            "valid_partners": list(self.partners),
            "deals": self.deals,
        }


@dataclass(frozen=True)
class Losses:
    """What the losses of the first deals of a seed come from.

    Attributes:
        seed: the seed.
        deals: how many deals.
        winnable: how many can be won.
        unwinnable: how many can't.
        undecided: how many are undecided.
        shares: the losses by level, in the order in which proofs are tried.
        larger: for frozen sets larger than the theory lists, how many have so many groups.
        without_move: in how many of these deals there is no move at all.
        unexplained: what holds the losses that no frozen set explains, most frequent first.
    """

    seed: int
    deals: int
    winnable: int
    unwinnable: int
    undecided: int
    shares: tuple[Share, ...]
    larger: dict[int, int]
    without_move: int
    unexplained: tuple[Held, ...]

    def to_json(self) -> dict[str, Any]:
        """The key ``simulation`` of ``xsf dead-groups``."""
        return {
            "seed": self.seed,
            "deals": self.deals,
            "winnable": self.winnable,
            "unwinnable": self.unwinnable,
            "undecided": self.undecided,
            "larger_frozen_sets": {
                "sizes": {str(size): deals for size, deals in self.larger.items()},
                "without_a_move": self.without_move,
            },
        }


def expected_shares(theory: Theory) -> tuple[Share, ...]:
    """The levels of a theory and the kinds of proofs beyond it, without any simulation."""
    known = [Share(level.name, len(level.sets), level.at_most, level.exact, level.so_far) for level in theory.levels]
    return (*known, *(Share(name) for name in OUTCOMES[OUTCOMES.index(FROZEN_SET) :]))


def explain(theory: Theory, seed: int, records: NDArray[np.void]) -> Losses:
    """What the losses of deals 0, 1, ... of a seed come from.

    A proof by a frozen set names a smallest one, so its size tells the level (see ``solver.xiangshifu.theory``).

    Args:
        theory: of the rule set that the deals were decided by.
        seed: the seed.
        records: ``solver.xiangshifu.verdicts.RECORD``, shape (deals,): the verdicts.
    """
    rules = theory.found.rules
    levels: Counter[str] = Counter()
    larger: list[Deal] = []
    sizes: Counter[int] = Counter()
    unexplained: Counter[tuple[str, tuple[int, ...]]] = Counter()
    for index in map(int, np.flatnonzero(records["outcome"] > WINNABLE)):
        deal = Deal.random(seed, index)
        outcome, held = OUTCOMES[records["outcome"][index]], list(_places(int(records["held"][index])))
        level = _level(outcome, len(held), theory.size)
        levels[level] += 1
        if level == FROZEN_SET:
            sizes[len(held)] += 1
            larger.append(deal)
        elif level == outcome and OUTCOMES.index(outcome) > OUTCOMES.index(FROZEN_SET):
            unexplained[outcome, tuple(sorted(deal.groups[place] for place in held))] += 1
    outcomes = records["outcome"].tolist()
    return Losses(
        seed,
        len(records),
        outcomes.count(WINNABLE),
        levels.total(),
        outcomes.count(UNDECIDED),
        tuple(_observed(expected_shares(theory), levels, len(records))),
        dict(sorted(sizes.items())),
        sum(not legal_moves(deal, rules) for deal in larger),
        _sorted_by_number(unexplained, rules),
    )


def _places(bits: int) -> Iterator[int]:
    return (place for place in range(bits.bit_length()) if bits >> place & 1)


def _level(outcome: str, groups: int, size: int) -> str:
    """The level of a loss with this proof, which names so many groups."""
    if outcome != FROZEN_SET or groups > max(size, 1):
        return outcome
    return CONDITIONALLY_DEAD if groups == 1 else f"{TOGETHER}{groups}"


def _observed(shares: tuple[Share, ...], levels: Counter[str], deals: int) -> Iterator[Share]:
    losses, so_far = levels.total(), 0
    for share in shares:
        seen = levels[share.name]
        so_far += seen
        yield Share(
            share.name,
            share.sets,
            share.at_most,
            share.exact,
            share.so_far,
            seen,
            seen / deals if deals else None,
            seen / losses if losses else None,
            so_far / losses if losses else None,
            _z(seen, deals, share.exact),
        )


def _z(seen: int, deals: int, chance: Fraction | None) -> float | None:
    """How many standard deviations of a binomial distribution a number is above its mean."""
    if not chance or not deals:
        return None
    return (seen - deals * float(chance)) / sqrt(deals * float(chance * (1 - chance)))


def _sorted_by_number(found: Counter[tuple[str, tuple[int, ...]]], rules: RuleSet) -> tuple[Held, ...]:
    held = [
        Held(proof, groups, tuple(len(valid_partners(group, rules)) for group in groups), deals)
        for (proof, groups), deals in found.items()
    ]
    return tuple(sorted(held, key=lambda one: (-one.deals, OUTCOMES.index(one.proof), one.groups)))
