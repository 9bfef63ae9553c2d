"""What rule sets condemn: against a slow twin, against the frozen sets of random deals, and against the checker."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from random import Random

import naive
import numpy as np
import pytest

from solver import Deal, RuleSet, Solver, check, parse_group
from solver.xiangshifu.deadgroups import frozen_set
from solver.xiangshifu.groups import TRIPLES, classified, group_table
from solver.xiangshifu.losses import FROZEN_SET, expected_shares, explain
from solver.xiangshifu.odds import Event, probability, probability_of_any
from solver.xiangshifu.proof import DeadGroupProof, FrozenSetProof, prove_stuck
from solver.xiangshifu.repairs import repair_model
from solver.xiangshifu.theory import FrozenGroups, Theory, edge_partners, theory
from solver.xiangshifu.tiles import TILES
from solver.xiangshifu.together import dead_together
from solver.xiangshifu.verdicts import OUTCOMES, RECORD, Decider

CLASSIC = RuleSet.parse("classic")


def masks(text: str) -> tuple[int, ...]:
    return tuple(parse_group(group) for group in text.split())


def as_naive(groups: tuple[int, ...]) -> naive.Groups:
    return tuple(sorted(naive.make_group(TILES.names(group)) for group in groups))


# The sets


@pytest.mark.parametrize(
    ("rules", "numbers"),
    [
        ("classic", {2: 30, 3: 683}),
        ("mixed-dragon", {2: 5, 3: 322}),
        ("thirteen", {2: 1, 3: 38}),
        ("multiple", {2: 1, 3: 2}),
    ],
)
def test_numbers_of_sets(rules: str, numbers: dict[int, int]) -> None:
    sets = dead_together(RuleSet.parse(rules))
    assert Counter(map(len, sets)) == numbers
    assert len(set(sets)) == len(sets)
    assert dead_together(RuleSet.parse(rules), 2) == sets[: numbers[2]]
    assert dead_together(RuleSet.parse(rules), 1) == ()


def test_some_sets() -> None:
    assert set(dead_together(RuleSet.parse("multiple"))) == {
        masks("44-35-23 36-34-24"),
        masks("44-35-23 33-16-25 16-34"),
        masks("44-35-23 22-16-34 66-14"),
    }
    assert masks("34-14-24 44-23") in dead_together(RuleSet.parse("thirteen"))
    assert masks("44-16-15 44-16-15") in dead_together(RuleSet.parse("mixed-dragon"))


def frozen(groups: naive.Groups, game: naive.Game) -> bool:
    """Whether no group has a valid partner made of the tiles outside, or an exchange with another."""
    stock = naive.SET - naive.tiles_of(groups)
    return not any(game.has_partner(one, stock) for one in groups) and not any(
        game.exchanges(one, other) for place, one in enumerate(groups) for other in groups[:place]
    )


def sets_by_trying(groups: list[naive.Group], game: naive.Game, size: int) -> set[naive.Groups]:
    """All minimal sets of two to ``size`` of some groups that are dead together."""
    found: set[naive.Groups] = set()
    alone = {one for one in groups if frozen((one,), game)}
    for n in range(2, size + 1):
        for chosen in combinations_with_replacement(groups, n):
            parts = {tuple(sorted(naive.without(chosen, place))) for place in range(n)}
            parts |= {part[:place] + part[place + 1 :] for part in parts for place in range(len(part)) if n > 2}
            if (
                not naive.tiles_of(chosen) - naive.SET
                and sum(len(one) == 2 for one in chosen) < 2
                and alone.isdisjoint(chosen)
                and found.isdisjoint(parts)
                and frozen(chosen, game)
            ):
                found.add(tuple(sorted(chosen)))
    return found


@pytest.mark.parametrize("rules", ["classic", "mixed-dragon", "multiple"])
def test_sets_by_trying_every_set_of_some_groups(rules: str) -> None:
    record = RuleSet.parse(rules)
    game = naive.game_of(record.to_json())
    sets = dead_together(record)
    random = Random(5)
    seeds = random.sample(sets, min(len(sets), 8)) + [s for s in sets if len(set(s)) < len(s)][:1]
    invalid = group_table().masks[classified(record) == 0].tolist()
    some = sorted({group for one in seeds for group in one} | set(random.sample(invalid, 8)))
    found = sets_by_trying([as_naive((group,))[0] for group in some], game, 3)
    expected = {as_naive(one) for one in sets if set(one) <= set(some)}
    assert found == expected
    assert len(found) >= min(len(sets), 8)


# The levels


def test_classic_levels() -> None:
    dead, conditional, two, three = theory(CLASSIC).levels
    assert {one.groups for one in dead.sets} == {(g,) for g in masks("14-24-33 14-24-45 15-25-33 15-25-44 23-24-34")}
    assert {one.groups for one in conditional.sets} == {
        (g,) for g in masks("11-33-25 44-35-23 13-34-14 33-16-25 33-16-24 36-34-24 22-16")
    }
    assert all(one.unconditional and one.lost == one.dealt for one in dead.sets)
    assert all(not one.unconditional and 0 < one.lost < one.dealt for one in conditional.sets)
    assert float(dead.exact or 0) == pytest.approx(0.024054505)
    assert float(conditional.so_far or 0) == pytest.approx(0.055863644)
    assert float(two.exact or 0) == pytest.approx(0.000605040)
    # Some 8,000 unions of events are too many unless asked for.
    assert three.exact is None
    assert float(three.at_most) == pytest.approx(5.0981553e-5)
    assert sum(one.unconditional for one in three.sets) == 26


def test_a_conditionally_dead_group_by_its_odds() -> None:
    (one,) = (one for one in theory(CLASSIC).levels[1].sets if one.groups == masks("22-16"))
    # Four actual pairs, each one in C(32, 2).
    assert one.dealt == Fraction(4, 496)
    # Of the 75 invalid groups with an edge one is a pair, and there is no second pair.
    assert len(one.partners) == 74


@pytest.mark.parametrize("rules", ["mixed-dragon", "thirteen", "multiple"])
def test_levels_add_up(rules: str) -> None:
    levels = theory(RuleSet.parse(rules)).levels
    so_far = Fraction(0)
    for level in levels:
        assert level.exact is not None
        so_far += level.exact
        assert level.so_far == so_far
        assert level.exact <= level.at_most <= sum(one.dealt for one in level.sets)
        assert [one.lost for one in level.sets] == sorted((one.lost for one in level.sets), reverse=True)


def test_edge_partners_fit_beside_the_groups() -> None:
    game = naive.game_of(CLASSIC.to_json())
    invalid = [as_naive((mask,))[0] for mask in group_table().masks[classified(CLASSIC) == 0].tolist()]
    for text in ("22-16", "33-16-25", "44-44-15 13-36-34", "13-26-14 44-33"):
        groups = masks(text)
        used = naive.tiles_of(as_naive(groups))
        expected = {
            other
            for other in invalid
            if any(game.exchanges(one, other) for one in as_naive(groups))
            and not used + Counter(other) - naive.SET
            and not (len(other) == 2 and any(len(one) == 2 for one in as_naive(groups)))
        }
        assert {as_naive((mask,))[0] for mask in edge_partners(groups, CLASSIC)} == expected


# Against deals


def holds(deal: Deal, one: FrozenGroups) -> bool:
    if not set(one.groups) <= set(deal.groups):
        return False
    dealt, wanted = Counter(deal.groups), Counter(one.groups)
    return wanted <= dealt and one.partners.isdisjoint(dealt - wanted)


def smallest(deal: Deal, known: Theory) -> int | None:
    """How many groups the smallest listed set has that loses a deal."""
    sets = (one for level in known.levels for one in level.sets)
    return min((len(one.groups) for one in sets if holds(deal, one)), default=None)


@pytest.mark.parametrize("rules", ["classic", "mixed-dragon"])
def test_smallest_frozen_sets_of_random_deals(rules: str) -> None:
    known = theory(RuleSet.parse(rules))
    seen: Counter[int | None] = Counter()
    for index in range(1200):
        deal = Deal.random(11, index)
        size = len(frozen_set(repair_model(deal, known.found.rules), known.found.rules)) or None
        expected = smallest(deal, known)
        assert size == expected or (expected is None and size is not None and size > known.size)
        seen[size] += 1
    assert seen[1] > 5


def completed(groups: tuple[int, ...], random: Random) -> Deal:
    """A random deal that holds some groups."""
    tiles = list(TILES.kinds_of(TILES.full))
    for group in groups:
        for kind in TILES.kinds_of(group):
            tiles.remove(kind)
    random.shuffle(tiles)
    triples = [group for group in groups if group.bit_count() == 3]
    pairs = [group for group in groups if group.bit_count() == 2]
    while len(triples) < 10:
        triples.append(TILES.mask(tiles.pop() for _ in range(3)))
    pairs = pairs or [TILES.mask(tiles)]
    return Deal((*triples, *pairs))


def test_a_deal_with_a_set_and_no_edge_partner_is_proved_lost() -> None:
    known, random = theory(CLASSIC), Random(9)
    solver = Solver(CLASSIC, first=True)
    for one in [*known.levels[2].sets, *random.sample(known.levels[3].sets, 20)]:
        deal = completed(one.groups, random)
        while not holds(deal, one):
            deal = completed(one.groups, random)
        proof = prove_stuck(deal, repair_model(deal, CLASSIC), CLASSIC)
        if smallest(deal, known) == len(one.groups):
            assert isinstance(proof, FrozenSetProof)
            assert len(proof.groups) == len(one.groups)
        else:
            assert isinstance(proof, FrozenSetProof | DeadGroupProof)
        result = solver.solve(deal)
        assert result.verdict == "unwinnable"
        assert check(result.to_json()).failures == ()


def test_sets_are_no_loss_when_an_edge_partner_can_help() -> None:
    """Dead together is only conditional: there are winnable deals that hold such a set."""
    random, solver = Random(4), Solver(CLASSIC, first=True)
    (one,) = (one for one in theory(CLASSIC).levels[2].sets if set(one.groups) == set(masks("11-33-24 44-15-12")))
    deals = (completed(one.groups, random) for _ in range(100))
    assert any(solver.solve(deal).verdict == "winnable" for deal in deals if not holds(deal, one))


def test_odds_of_groups_dead_together_by_shuffling() -> None:
    """All orders of the tiles outside a set are as likely, so its odds follow from a few thousand of them."""
    random = Random(2)
    one = max(theory(CLASSIC).levels[2].sets, key=lambda one: len(one.partners))
    tries = 4000
    alone = sum(holds(completed(one.groups, random), one) for _ in range(tries)) / tries
    expected = float(one.lost / one.dealt)
    assert abs(alone - expected) < 4.5 * (expected * (1 - expected) / tries) ** 0.5


def test_events_of_a_level_are_the_union() -> None:
    level = theory(CLASSIC).levels[2]
    few = [one.event for one in level.sets[:6]]
    together = probability_of_any(few)
    assert together is not None
    assert max(one.lost for one in level.sets[:6]) <= together <= sum(one.lost for one in level.sets[:6])
    assert probability_of_any(few[:1]) == probability(few[0].present, few[0].absent)
    assert probability_of_any([*few, *few]) == together
    assert probability_of_any([Event(())]) == 1


# What losses come from


def test_losses_of_random_deals_by_level() -> None:
    known = theory(CLASSIC)
    records = Decider(CLASSIC).decide(1, 0, 250)
    losses = explain(known, 1, records)
    lost = np.flatnonzero(records["outcome"] > 1)
    assert (losses.deals, losses.unwinnable, losses.undecided) == (250, len(lost), 0)
    assert losses.winnable == 250 - len(lost)
    shares = {share.name: share for share in losses.shares}
    assert [share.name for share in losses.shares] == [share.name for share in expected_shares(known)]
    assert sum(share.deals or 0 for share in losses.shares) == len(lost)
    assert losses.shares[-1].losses_so_far == 1
    dead = shares["dead-group"]
    assert dead.deals == (records["outcome"] == OUTCOMES.index("dead-group")).sum()
    assert dead.share == (dead.deals or 0) / 250
    assert dead.z is not None
    assert abs(dead.z) < 4
    sizes = Counter(smallest(Deal.random(1, int(index)), known) for index in lost)
    assert sizes[1] == (dead.deals or 0) + (shares["conditionally-dead"].deals or 0)
    beyond = sum(share.deals or 0 for share in losses.shares[1 + [*shares].index(FROZEN_SET) :])
    assert sum(held.deals for held in losses.unexplained) == beyond


def test_every_kind_of_record_has_its_level() -> None:
    known = theory(RuleSet.parse("multiple"))
    records = np.zeros(8, dtype=RECORD)
    kinds = [
        "undecided",
        "winnable",
        "frozen-set",
        "frozen-set",
        "frozen-set",
        "exhaustion",
        "layered-closure",
        "layered-closure",
    ]
    records["outcome"] = [OUTCOMES.index(kind) for kind in kinds]
    records["held"] = [0, 0, 0b1, 0b110, 0b11110, 0, 0b1000, 0b10000000000]
    losses = explain(known, 3, records)
    assert (losses.winnable, losses.unwinnable, losses.undecided) == (1, 6, 1)
    shares = {share.name: share.deals for share in losses.shares}
    assert shares["conditionally-dead"] == shares["dead-together-2"] == shares["frozen-set"] == 1
    assert shares["exhaustion"] == 1
    assert shares["layered-closure"] == 2
    assert losses.larger == {4: 1}
    assert sum(held.deals for held in losses.unexplained) == 3
    deal = Deal.random(3, 6)
    (held,) = (held for held in losses.unexplained if held.groups == (deal.groups[3],))
    assert held.proof == "layered-closure"
    assert len(held.partners) == 1
    assert group_table().number(Deal.random(3, 7).groups[10]) >= TRIPLES
