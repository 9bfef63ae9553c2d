"""Pursuit: several games of one deal, against all that small deals can reach."""

from __future__ import annotations

import time
from collections import Counter

import naive
import numpy as np
from near import Small, as_positions, deals, game

from solver.xiangshifu.bonds import locks
from solver.xiangshifu.plain import UNREACHABLE
from solver.xiangshifu.position import TEN, Deal, format_group, parse_group
from solver.xiangshifu.proof import ExhaustionProof, LackProof, prove_by_lack
from solver.xiangshifu.pursuit import Pursuable, pursue
from solver.xiangshifu.region import region
from solver.xiangshifu.rules import CLASSIC, Only
from solver.xiangshifu.search import Target, distance_target, no_target
from solver.xiangshifu.solve import Limits, moves_of_steps

SMALL = Small("mixed", "ten")


def target_of(wanted: list[naive.Groups]) -> Target:
    """A target of just these final positions; no way leads to them from others."""
    found = region(SMALL.kind, SMALL.record)
    distances = np.full(found.size, UNREACHABLE, dtype=np.uint8)
    distances[found.rank(as_positions(SMALL, wanted))] = 0
    return distance_target(found, distances)


def component_of(end: naive.Groups) -> list[naive.Groups]:
    return sorted(naive.distances(game(SMALL.rules), [end]))


def is_final(position: naive.Groups) -> bool:
    return all(game(SMALL.rules).valid(one) for one in position)


def test_what_can_be_reached_is_found_in_one_of_the_games() -> None:
    ends = [next((at for at in known if is_final(at)), None) for _, known in deals(SMALL, 40, seed=41)]
    seen: Counter[str] = Counter()
    for place, (deal, known) in enumerate(deals(SMALL, 40, seed=41)):
        # Its own end, or that of the next deal; whole components, since no search goes on from a final position.
        end = ends[place] if place % 2 else ends[place - 1]
        if end is None:
            continue
        wanted = component_of(end)
        barred = [Only(group, ()) for group in deal.groups if not is_final_group(group)]
        games = [Pursuable(record, {}) for record in (SMALL.record.restricted(only=barred[:1]), SMALL.record)]
        found = pursue(deal, games, target_of(wanted), Limits())
        if any(at in known for at in wanted):
            seen["found"] += 1
            assert found.steps is not None
            position = deal.groups
            for move in moves_of_steps(deal, found.steps, SMALL.record):
                position = tuple(
                    move.after[move.groups.index(at)] if at in move.groups else group
                    for at, group in enumerate(position)
                )
            assert as_sorted(position) in wanted
        else:
            seen["lost"] += 1
            assert found.steps is None
            assert found.reason is None
            assert all(loss is not None for loss in found.losses)
            exhausted = [loss for loss in found.losses if isinstance(loss, ExhaustionProof)]
            seen["exhausted"] += len(exhausted)
            assert all(1 <= loss.positions <= len(known) for loss in exhausted)
    assert min(seen["found"], seen["lost"], seen["exhausted"]) >= 4, seen


def is_final_group(group: int) -> bool:
    return game(SMALL.rules).valid(next(iter(as_sorted((group,)))))


def as_sorted(groups: tuple[int, ...]) -> naive.Groups:
    return tuple(sorted(naive.group(format_group(group)) for group in groups))


def test_no_games_are_lost_at_once() -> None:
    deal, _ = next(deals(SMALL, 1, seed=42))
    found = pursue(deal, [], target_of([]), Limits())
    assert (found.steps, found.losses, found.reason, found.expanded) == (None, (), None, 0)


def test_a_deadline_stops_the_pursuit() -> None:
    reasons = set()
    for deal, _ in deals(SMALL, 8, seed=43):
        found = pursue(deal, [Pursuable(SMALL.record, {})], target_of([]), Limits(), time.perf_counter())
        assert found.steps is None
        assert (found.reason is None) == (None not in found.losses)
        reasons.add(found.reason)
    assert "time" in reasons


def test_what_needs_a_lock_that_can_not_be_there_is_lost() -> None:
    """The pair 25-34 is out of reach in a deal of which all positions would be too many to look at."""
    deal = Deal.random(1, 12016)
    groups = tuple(map(parse_group, ("16-25-34", "25-34")))
    unwanted = [group for lock in locks(CLASSIC, TEN) if lock.groups[0] not in groups for group in lock.groups]
    games = [Pursuable(CLASSIC.restricted(unwanted), {3: groups})]
    found = pursue(deal, games, no_target()._replace(onward=True), Limits(positions=100_000))
    assert (found.steps, found.losses, found.reason) == (None, (LackProof(3, ()),), None)
    easy = prove_by_lack(Deal.random(1, 11431), [(), (4,), (4, 7)], {3: groups}, CLASSIC)
    assert easy is None
