"""Tests of the independent checker: known facts of the game, genuine results, and tampered ones."""

from __future__ import annotations

import copy
import heapq
import json
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, partial
from itertools import combinations, combinations_with_replacement, count, islice, permutations, product
from typing import Any

import naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.xiangshifu import checker
from solver.xiangshifu.checker import (
    FULL_DECK,
    KINDS,
    BadResult,
    Dealt,
    Group,
    Table,
    all_groups,
    check,
    check_moves,
    group_text,
    layout_of,
    make_group,
    parse_deal,
    parse_group,
    parse_rules,
    parse_tile,
    preset,
    repair_bound,
    table_for,
)

Result = dict[str, Any]
Path = tuple[str | int, ...]
Position = naive.Groups

# Two deals published with a public solver.
PUBLIC_DEALS = (
    ("56-13-62 21-44-52 61-51-33 61-11-55 14-34-24 22-55-51 31-44-54 53-63-11 46-33-64 56-32-66 22-66"),
    ("54-66-64 43-22-44 55-53-42 64-65-44 55-32-61 33-22-33 31-65-11 66-51-52 63-21-51 62-31-11 41-61"),
)
# Losses, each with an argument that holds for it.
CLOSED_DEAL = "45-46-56 14-15-25 24-55-66 13-16-16 22-34-36 22-35-66 15-26-33 12-44-56 11-23-44 11-33-46 13-55"
SMALL_LOSS = "12-33-66 25-33-44 11-22-55 13-15-44 16-36-56 11-24-66 15-16-22 34-45-46 14-55-56 23-26-46 13-35"
EXHAUSTED_DEAL = "15-22-66 15-16-66 23-46-55 11-24-33 16-33-46 36-45-56 13-26-55 22-25-35 11-12-44 34-44-56 13-14"
# Group 4 could only be saved by an invalid partner; groups 8 and 10 wait for each other; group 3,
# the triple 15-25-33, is dead.
CONDITIONAL_DEAL = "11-14-66 25-44-46 22-23-55 12-45-46 24-34-36 11-16-66 13-44-56 26-33-35 13-16-55 15-15-56 22-33"
FROZEN_DEAL = "22-25-46 16-33-35 13-44-66 15-45-55 12-15-16 11-44-56 26-46-66 11-24-36 13-23-34 22-55-56 14-33"
DEAD_DEAL = "33-34-46 36-56-66 11-13-22 15-25-33 26-44-56 23-24-55 11-15-46 16-16-35 14-44-45 22-55-66 12-13"
EIGHT_DEAD_DEAL = "33-34-46 36-56-66 11-13-22 15-25-33 26-44-56 23-24-55 11-15-46 16-16-35 44-45 14-55 22-66 12-13"
# Groups 4 and 10 can repair each other, and nothing else ever can.
MUTUAL_DEAL = "26-33-44 16-24-56 22-33-66 45-55-55 13-34-36 14-23-56 16-25-46 11-11-15 22-46-66 12-15-44 13-35"
# No valid partner can repair group 9, but group 4, which is invalid too, can.
ONLY_INVALID_DEAL = "26-36-46 15-24-55 23-44-55 11-25-56 33-44-66 13-22-46 15-16-33 16-35-45 12-22-56 13-14-34 11-66"
# Groups 0 and 1 can each be repaired together with group 2, and with nothing else: one is too many.
RIVALS_DEAL = "11-25-33 23-35-44 22-22-46 15-46-56 24-56-66 11-33-36 12-16-66 15-26-34 44-45-55 13-13-16 14-55"
# Under mixed-dragon a relaxed closure around group 10 proves nothing, but a layered closure does.
LAYER_DEAL = "46-45-12 44-55-14 11-22-23 66-16-15 44-33-25 55-56-24 26-35-34 13-15-36 66-56-16 11-33-22 13-46"
# Either of groups 4 and 10 can be repaired, but then the other no more.
EITHER_DEAL = "22-33-44 11-46-55 13-13-44 22-55-56 23-24-25 33-36-46 16-56-66 15-45-66 11-12-35 14-16-26 15-34"
# The same with groups 0 and 4; group 6 can repair either as dealt.
EDGED_DEAL = "15-24-56 14-23-55 13-36-66 16-26-44 11-25-33 15-35-44 13-22-55 11-12-46 16-34-66 22-33-45 46-56"
# Under mixed-dragon groups 6, 8, 9 and 10 can't all be repaired.
FOUR_DEAL = "16-26-44 11-15-55 15-46-55 45-56-66 11-14-66 12-13-23 22-25-33 16-22-44 13-35-36 33-46-56 24-34"
# Under mixed-dragon any two of groups 0, 3 and 4 can be repaired, but never all three.
EIGHT_THREE_DEAL = "24-33-56 16-25-66 14-36-55 15-23-44 13-26-44 13-33-66 11-15-56 12-34-45 16-22 46-55 11-46 22-35"
# Group 1 could only be the last of groups 1 and 8, and then finds no partner.
EIGHT_TWO_DEAL = "11-22-26 15-33-44 11-12-25 24-46-55 15-23-56 16-56-66 13-22-44 16-34-55 35-45 14-33 36-46 13-66"
# Group 0 can't be repaired, whether group 5 is or not; the groups 6 and 8 are equal.
SHANGHAI_LOST_DEAL = "13-13-46 34-36-45 14-15-56 25-26-44 15-44-56 12-33-35 16-22-66 11-11-55 16-22-66 23-33-55"
# The groups 10 and 11 are equal and invalid, and can repair each other.
EQUAL_DEAL = "15-34-66 12-15-45 11-23-35 44-46-56 26-44-66 24-33-56 22-25-36 14-33-46 11-22 55-55 13-16 13-16"
# The lock of the pair 25-34 can be made of groups 8 and 10 only, and neither can then be repaired.
BOND_DEAL = "46-46-23 13-16-16 44-33-36 56-56-45 11-55-15 55-15-14 44-33-12 22-26-35 66-25-24 66-11-22 13-34"
# Group 5 holds a lock that no position of five-dragons has.
BOND_DEALT_DEAL = "44-56-45 66-15-35 66-22-46 55-16-15 22-46-12 26-25-23 11-44-16 11-33-33 13-36-34 55-56-24 13-14"
# Whichever locks are made for five-dragons, group 2 stays without a partner.
BOND_MADE_DEAL = "66-33-16 55-15-34 11-25-24 55-46-16 44-44-13 22-36-12 56-14-23 66-22-45 56-26-35 11-46-15 13-33"
# The repair of group 5 can take away the lock that group 4 holds.
BREAKER_DEAL = "66-33-14 16-16-15 13-55-35 11-56-45 26-25-23 13-46-36 55-22-56 33-46-24 22-15-12 11-44-44 66-34"
# The lock of the pair 25-34 could be made of groups 2, 4 and 6, of which 2 and 6 are equal.
EQUAL_MAKERS_DEAL = "11-22-45 11-22-46 44-56-16 55-55-33 33-36-25 35-34-23 44-56-16 66-15-12 66-13-15 26-14-24 13-46"
# Group 9 could break a lock that the pair 25-34 does not have; but whether it does or not, group 5 can't be repaired.
BROKEN_DEAL = "33-16-16 13-55-35 11-44-34 22-15-14 44-33-12 66-11-25 13-45-23 56-56-46 66-46-24 55-22-36 15-26"
# Like EQUAL_MAKERS_DEAL, but group 1 could break a lock.
EQUAL_BREAKER_DEAL = "11-22-45 36-22-46 44-56-16 55-55-33 33-11-25 35-34-23 44-56-16 66-15-12 66-13-15 26-14-24 13-46"
# Without the locks that can't be made, 219 positions lead to five-dragons, and the deal is none of them.
BEHIND_DEAL = "13-56-24 16-23-12 66-22-46 22-16-36 66-33-15 13-45-14 44-56-25 44-55-55 11-46-34 11-26-35 33-15"
# Tens of thousands of positions lead there without these locks, but by the layered closure only 232 of them can be.
LAYERED_BEHIND_DEAL = "66-46-26 66-55-25 44-56-16 13-22-35 46-23-12 13-45-14 44-33-34 11-15-36 55-56-24 11-33-16 22-15"
# The lock of the pair 25-34 can be made of two groups alike; however that is done, none of it can be there in the end.
LACK_DEAL = "56-26-34 15-35-24 11-13-36 11-15-25 44-55-14 55-23-12 22-56-45 33-46-16 33-46-16 66-66-22 44-13"
# The pair 25-34 can be reached by repairs of groups 4 and 7.
PAIR_DEAL = "44-33-45 13-22-15 66-56-56 44-55-46 55-16-35 13-22-15 11-14-24 11-25-34 16-36-12 66-46-26 33-23"
# Won in as many moves as the lower bound says, and in one more.
TIGHT_DEAL = "16-35-56 14-22-56 11-15-44 16-25-26 44-45-46 24-46-55 15-33-55 13-22-34 11-12-33 13-23-66 36-66"
LOOSE_DEAL = "26-55-56 34-44-55 13-16-46 15-24-46 15-36-66 11-23-33 12-45-66 22-25-33 11-14-44 13-16-22 35-56"
SHANGHAI_DEAL = "15-35-55 22-25-36 22-44-56 33-44-56 14-16-26 11-66-66 11-34-55 12-13-45 23-33-46 13-15-16"
EIGHT_DEAL = "14-16-35 24-36-55 15-22-44 25-34-56 44-46-56 15-22-33 11-33-66 11-46-55 12-13 23-66 13-45 16-26"

CLASSIC: Result = {
    "id": "classic",
    "fourteen_threshold": 14,
    "multiples_of": [],
    "combinations": ["five-points", "full-fourteen", "split", "coincidence", "five-sons"],
    "patterns": {
        "dragon": [1, 2, 3, 4, 5, 6],
        "small-dragon": [1, 1, 2, 2, 3, 3],
        "big-dragon": [4, 4, 5, 5, 6, 6],
        "two-three-kao": [2, 2, 3, 3, 6, 6],
    },
}
MIXED: Result = {
    **CLASSIC,
    "id": "mixed-dragon",
    "patterns": {
        "dragon": [1, 2, 3, 4, 5, 6],
        "small-dragon": [1, 1, 2, 2, 3, 3],
        "big-dragon": [4, 4, 5, 5, 6, 6],
        "mixed-dragon": [2, 3, 3, 4, 4, 5],
    },
}
# Locks of the classic layout ten.
LOCKS = (("16-25-34", "25-34"), ("36-35-34",), ("15-26-34",), ("26-25-23", "26-25-24"))
THIRTEEN_MULTIPLE: Result = {**CLASSIC, "id": "thirteen+multiple", "fourteen_threshold": 13, "multiples_of": [3, 4]}


# --- Genuine results, made by a small plain solver ------------------------------------------------


def outs(first: Group, second: Group) -> Iterator[tuple[Group, Group]]:
    """Yield every choice of tiles that may change places between two groups, legal or not."""
    yield from {((one,), (other,)) for one in first for other in second}
    if {len(first), len(second)} == {2, 3}:
        yield from {(one, other) for one in combinations(first, 2) for other in combinations(second, 2)}


@cache
def legal_lays(table: Table, first: Group, second: Group) -> tuple[tuple[tuple[Group, Group], ...], ...]:
    """Return (what leaves, what results) of every legal move between two groups, by trying."""
    found = []
    for out in outs(first, second):
        try:
            found.append((out, table.lay(first, second, out)))
        except BadResult:
            continue
    return tuple(found)


def moves_from(groups: tuple[Group, ...], table: Table) -> Iterator[tuple[Result, tuple[Group, ...]]]:
    """Yield every move as a result describes it, and the groups after it."""
    for one, other in combinations(range(len(groups)), 2):
        if not table.can_exchange(groups[one], groups[other]):
            continue
        before = groups[one], groups[other]
        for out, after in legal_lays(table, *before):
            move = {
                "groups": [one, other],
                "out": [list(tiles) for tiles in out],
                "before": [list(group) for group in before],
                "after": [list(group) for group in after],
                "names": [list(table.names(group)) for group in after],
            }
            following = list(groups)
            following[one], following[other] = after
            yield move, tuple(following)


def shortest_solution(dealt: Dealt) -> list[Result]:
    """Return a shortest solution of a winnable deal: A* with the repair bound."""
    order = checker.RepairOrder(dealt, dealt.invalid)
    ticket = count()
    heap: list[Any] = [(order.fewest_steps(dealt.invalid), 0, next(ticket), dealt.groups, [])]
    seen = set()
    while heap:
        _, minus_moves, _, groups, moves = heapq.heappop(heap)
        if tuple(sorted(groups)) in seen:
            continue
        seen.add(tuple(sorted(groups)))
        invalid = frozenset(p for p in dealt.invalid if not dealt.table.valid(groups[p]))
        if not invalid:
            return list(moves)
        for move, following in moves_from(groups, dealt.table):
            left = frozenset(p for p in invalid if following[p] == groups[p])
            bound = order.fewest_steps(left) - minus_moves + 1
            if bound < math.inf:
                heapq.heappush(heap, (bound, minus_moves - 1, next(ticket), following, [*moves, move]))
    raise AssertionError("the deal is not winnable")


def read(deal: str, record: Result = CLASSIC) -> Dealt:
    return Dealt(parse_deal(deal), table_for(parse_rules(record)))


def blank(deal: str, verdict: str, record: Result, layout: str) -> Result:
    """Return a result of which only the claims are missing."""
    return {
        "schema": 1,
        "deal": " ".join(group_text(group) for group in parse_deal(deal)),
        "layout": layout,
        "rules": copy.deepcopy(record),
        "goal": "any",
        "verdict": verdict,
        "reason": None,
        "length": None,
        "optimal": None,
        "lower_bound": None,
        "moves": None,
        "proof": None,
        "expanded": 12,
        "seconds": 0.5,
    }


def win(deal: str, record: Result = CLASSIC, layout: str = "ten") -> Result:
    dealt = read(deal, record)
    moves = shortest_solution(dealt)
    claims = {
        "length": len(moves),
        "optimal": True,
        "lower_bound": int(repair_bound(dealt)),
        "moves": moves,
        "proof": {"kind": "moves"},
    }
    return {**blank(deal, "winnable", record, layout), **claims}


def loss(deal: str, proof: Result, record: Result = CLASSIC, layout: str = "ten") -> Result:
    return {**blank(deal, "unwinnable", record, layout), "proof": proof}


def closure_proof(deal: str, groups: list[int], record: Result = CLASSIC) -> Result:
    collected = checker.relaxed_closure(read(deal, record), frozenset(groups))
    return {"kind": "relaxed-closure", "groups": groups, "closure": [group_text(group) for group in sorted(collected)]}


def layered_proof(deal: str, groups: list[int], record: Result = CLASSIC) -> Result:
    layers = checker.LayeredClosure(read(deal, record), frozenset(groups)).layers
    counts = {remaining: layer.counts() for remaining, layer in layers.items()}
    return {"kind": "layered-closure", "groups": groups, "layers": written(counts)}


def written(counts: dict[frozenset[int], tuple[int, int]]) -> list[Result]:
    """Return layers as a proof lists them, in their order."""
    order = sorted(counts, key=lambda remaining: sum(1 << place for place in remaining), reverse=True)
    return [{"remaining": sorted(left), "groups": counts[left][0], "pairs": counts[left][1]} for left in order]


def false_layered_proof(deal: str, groups: list[int], record: Result = CLASSIC) -> Result:
    """Return a layered closure of groups that can be repaired, by keeping quiet about the layer of none."""
    found = naive.game_of(record).layered_closure(parse_deal(deal), groups)
    assert frozenset() in found
    counts = {remaining: (len(layer), pairs(layer)) for remaining, layer in found.items() if remaining}
    return {"kind": "layered-closure", "groups": groups, "layers": written(counts)}


def pairs(layer: naive.Beside) -> int:
    """How many twos of pieces stand beside each other; two alike count as well."""
    return sum(one <= other for one in layer for other in layer[one])


@cache
def genuine() -> dict[str, Result]:
    """Return genuine results of every kind, by name."""
    undecided = {"reason": "time", "lower_bound": int(repair_bound(read(PUBLIC_DEALS[1])))}
    return {
        "tight": win(TIGHT_DEAL),
        "loose": win(LOOSE_DEAL),
        "public": win(PUBLIC_DEALS[0]),
        "mixed": win(PUBLIC_DEALS[0], MIXED),
        "combined": win(TIGHT_DEAL, THIRTEEN_MULTIPLE),
        "shanghai": win(SHANGHAI_DEAL, layout="shanghai"),
        "eight": win(EIGHT_DEAL, layout="eight"),
        "mutual": win(MUTUAL_DEAL),
        "near": win(after_solution(TIGHT_DEAL, unlaid=2)),
        "final": win(after_solution(TIGHT_DEAL)),
        "dead": loss(DEAD_DEAL, {"kind": "dead-group", "group": 3}),
        "eight-dead": loss(EIGHT_DEAD_DEAL, {"kind": "dead-group", "group": 3}, layout="eight"),
        "dead-frozen": loss(DEAD_DEAL, {"kind": "frozen-set", "groups": [3]}),
        "conditional": loss(CONDITIONAL_DEAL, {"kind": "frozen-set", "groups": [4]}),
        "frozen": loss(FROZEN_DEAL, {"kind": "frozen-set", "groups": [8, 10]}),
        "order": loss(FROZEN_DEAL, {"kind": "repair-order", "groups": [8, 10]}),
        "rivals": loss(RIVALS_DEAL, {"kind": "repair-order", "groups": [0, 1]}),
        "small-closure": loss(SMALL_LOSS, closure_proof(SMALL_LOSS, [1])),
        "closure": loss(CLOSED_DEAL, closure_proof(CLOSED_DEAL, [6])),
        "small-layer": loss(SMALL_LOSS, layered_proof(SMALL_LOSS, [1])),
        "layer": loss(LAYER_DEAL, layered_proof(LAYER_DEAL, [10], MIXED), MIXED),
        "small-layers": loss(SMALL_LOSS, layered_proof(SMALL_LOSS, [0, 1])),
        "either": loss(EITHER_DEAL, layered_proof(EITHER_DEAL, [4, 10])),
        "edged": loss(EDGED_DEAL, layered_proof(EDGED_DEAL, [0, 4, 6])),
        "four": loss(FOUR_DEAL, layered_proof(FOUR_DEAL, [6, 8, 9, 10], MIXED), MIXED),
        "eight-two": loss(EIGHT_TWO_DEAL, layered_proof(EIGHT_TWO_DEAL, [1, 8]), layout="eight"),
        "eight-three": loss(EIGHT_THREE_DEAL, layered_proof(EIGHT_THREE_DEAL, [0, 3, 4], MIXED), MIXED, "eight"),
        "shanghai-two": loss(SHANGHAI_LOST_DEAL, layered_proof(SHANGHAI_LOST_DEAL, [0, 5]), layout="shanghai"),
        "exhaustion": loss(EXHAUSTED_DEAL, {"kind": "exhaustion", "positions": 27}),
        "bond": bond_loss(BOND_DEAL, "pair:25-34", LOCKS),
        "bond-twice": bond_loss(BOND_DEAL, "pair:25-34", (LOCKS[0], LOCKS[0])),
        "bond-dealt": bond_loss(BOND_DEALT_DEAL, "five-dragons", LOCKS),
        "bond-one-dealt": bond_loss(BOND_DEALT_DEAL, "five-dragons", LOCKS[3:]),
        "bond-made": bond_loss(BOND_MADE_DEAL, "five-dragons", LOCKS),
        "broken": bond_loss(BROKEN_DEAL, "pair:25-34", LOCKS),
        "behind": bond_loss(BEHIND_DEAL, "five-dragons", LOCKS, behind=219),
        "behind-layers": layered_behind(bond_loss(LAYERED_BEHIND_DEAL, "five-dragons", LOCKS, behind=232)),
        "bond-lack": {**loss(LACK_DEAL, lack_proof()), "goal": "pair:25-34"},
        "never-live": loss(FROZEN_DEAL, {"kind": "exhaustion", "positions": 0}),
        "undecided": {**blank(PUBLIC_DEALS[1], "undecided", CLASSIC, "ten"), **undecided},
    }


# --- Genuine proofs by locks, made case by case ---------------------------------------------------

Texts = tuple[str, ...]
# Groups that are not valid, and what the repair of some invalid ones has to make or break.
Restriction = tuple[frozenset[Group], frozenset[checker.Only]]
Way = tuple[tuple[int, ...], tuple[int | None, ...]]


def bond_loss(deal: str, goal: str, locks: Collection[Texts], behind: int | None = None) -> Result:
    """Return a loss by locks; with `behind`, so many positions lead to the goal where all locks are absent."""
    proof = bond_proof(Dealt(parse_deal(deal), table_for(parse_rules(CLASSIC)), goal), locks, behind)
    assert proof is not None
    return {**loss(deal, proof), "goal": goal}


def bond_proof(dealt: Dealt, texts: Collection[Texts], behind: int | None = None) -> Result | None:
    """Return a proof with a case for each end, or None if some case can't be shown to be impossible."""
    locks = [lock_of(groups, dealt) for groups in texts]
    cases = []
    for end in product((True, False), repeat=len(locks)):
        from_behind = behind is not None and not any(end)
        proof = {"kind": "behind", "positions": behind} if from_behind else case_proof(end, locks, dealt)
        if proof is None:
            return None
        present = [number for number, there in enumerate(end) if there]
        absent = [number for number, there in enumerate(end) if not there]
        cases.append({"present": present, "absent": absent, "proof": proof})
    written_locks = [{"name": groups[0], "groups": list(groups)} for groups in texts]
    return {"kind": "bond", "locks": written_locks, "cases": cases}


def lack_proof() -> Result:
    """Return a proof that the pair 25-34 asks for the first of the locks alone, and that this one can't be there."""
    lack = {"kind": "lack", "lock": 0, "groups": [10]}
    made = {"kind": "made", "locks": [], "broken": [], "ways": [{"makers": [], "breakers": [], "proof": lack}]}
    cases = []
    for end in product((True, False), repeat=len(LOCKS)):
        proof = made if end == (True, False, False, False) else {"kind": "no-goal"}
        numbers = [[number for number, there in enumerate(end) if there == wanted] for wanted in (True, False)]
        cases.append({"present": numbers[0], "absent": numbers[1], "proof": proof})
    locks = [{"name": groups[0], "groups": list(groups)} for groups in LOCKS]
    return {"kind": "bond", "locks": locks, "cases": cases}


def layered_behind(result: Result) -> Result:
    """Return a loss whose look from behind is told to be with layers."""
    case_of(result, [])["proof"]["kind"] = "layered-behind"
    return result


def lock_of(texts: Texts, dealt: Dealt) -> checker.Lock:
    return checker.Lock(texts[0], frozenset(map(parse_group, texts)), dealt)


def case_proof(end: tuple[bool, ...], locks: list[checker.Lock], dealt: Dealt) -> Result | None:
    present = [lock for there, lock in zip(end, locks, strict=True) if there]
    absent = [lock for there, lock in zip(end, locks, strict=True) if not there]
    for lock in absent:
        if lock.for_good and lock.dealt:
            return {"kind": "dealt", "group": lock.dealt[0]}
    unwanted = frozenset(group for lock in absent for group in lock.groups)
    wanted = tuple(lock.groups for lock in present)
    if checker.position_with(dealt.goal, layout_of(dealt.groups), dealt.table.rules, wanted, unwanted) is None:
        return {"kind": "no-goal"}
    made = [number for number, lock in enumerate(locks) if end[number] and not lock.dealt]
    broken = [number for number, lock in enumerate(locks) if not end[number] and lock.breakers]
    ways = []
    for (makers, breakers), restriction in restrictions(end, locks, dealt).items():
        proof = plain_loss(restricted(dealt, restriction))
        named = [dealt.groups[place] for place in (*makers, *breakers) if place is not None]
        if proof is None or any(dealt.groups.count(group) > 1 for group in named):
            return None
        ways.append({"makers": list(makers), "breakers": list(breakers), "proof": proof})
    return {"kind": "made", "locks": made, "broken": broken, "ways": ways}


def restrictions(end: tuple[bool, ...], locks: list[checker.Lock], dealt: Dealt) -> dict[Way, Restriction]:
    """Return the restrictions of the games that can lead to an end, by the makers and the breakers of its locks."""
    made = [lock for there, lock in zip(end, locks, strict=True) if there and not lock.dealt]
    absent = [lock for there, lock in zip(end, locks, strict=True) if not there]
    broken = [lock for lock in absent if lock.breakers]
    found = {}
    for makers in product(*(lock.makers for lock in made)):
        for breakers in product(*([*lock.breakers, *([] if lock.dealt else [None])] for lock in broken)):
            never = {lock for lock, place in zip(broken, breakers, strict=True) if place is None}
            never.update(lock for lock in absent if not lock.breakers)
            only = {checker.Only(dealt.groups[place], lock.groups) for place, lock in zip(makers, made, strict=True)}
            for lock, place in zip(broken, breakers, strict=True):
                if place is not None:
                    only.add(checker.Only(dealt.groups[place], lock.groups, breaks=True))
            found[makers, breakers] = frozenset(group for lock in never for group in lock.groups), frozenset(only)
    return found


def restricted(dealt: Dealt, restriction: Restriction) -> Dealt:
    return Dealt(dealt.groups, checker.RestrictedTable(dealt.table, *restriction), dealt.goal)


def plain_loss(dealt: Dealt) -> Result | None:
    """Return a frozen set or, if there is none, a short exhaustion; None if neither proves a loss."""
    frozen = dealt.invalid
    while frozen != (less := frozenset(place for place in frozen if is_frozen(place, frozen, dealt))):
        frozen = less
    if frozen:
        return {"kind": "frozen-set", "groups": sorted(frozen)}
    walked = list(islice(checker.Search(dealt).walk_edges_first(), 1000))
    return None if any(walked) or len(walked) == 1000 else {"kind": "exhaustion", "positions": len(walked)}


def is_frozen(place: int, frozen: frozenset[int], dealt: Dealt) -> bool:
    return not dealt.edges(place) and not dealt.valid_partners(place, dealt.outside(frozen))


def after_solution(deal: str, unlaid: int = 0) -> str:
    """Return the position a solution of the deal leads to, all but so many of its moves laid."""
    groups = list(parse_deal(deal))
    solution = shortest_solution(read(deal))
    for move in solution[: len(solution) - unlaid]:
        for place, after in zip(move["groups"], move["after"], strict=True):
            groups[place] = make_group(after)
    return " ".join(group_text(group) for group in groups)


def fresh(name: str) -> Result:
    """Return a copy of a genuine result that has been through JSON, as the checker gets it."""
    copied: Result = json.loads(json.dumps(genuine()[name]))
    return copied


NAMES = (
    "tight", "loose", "public", "mixed", "combined", "shanghai", "eight", "mutual", "near",
    "final", "dead", "eight-dead", "dead-frozen", "conditional", "frozen", "order", "rivals",
    "small-closure", "closure", "small-layer", "layer", "small-layers", "either", "edged", "four",
    "eight-two", "eight-three", "shanghai-two", "exhaustion",
    "bond", "bond-twice", "bond-dealt", "bond-one-dealt", "bond-made", "broken", "behind", "behind-layers",
    "bond-lack", "never-live", "undecided",
)  # fmt: skip


def test_the_list_of_genuine_results_is_complete() -> None:
    assert tuple(genuine()) == NAMES


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("full", [False, True])
def test_genuine_results_pass(name: str, full: bool) -> None:
    result = fresh(name)
    report = check(result, full=full)
    assert report.failures == ()
    tight = result["verdict"] != "winnable" or result["length"] == result["lower_bound"]
    assert report.unconfirmed == (None if tight or full else "optimality")


def test_a_deal_is_read_in_any_orientation() -> None:
    result = fresh("public")
    result["deal"] = PUBLIC_DEALS[0]
    assert check(result).failures == ()


# --- Known facts of the game ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("remedies", "triples", "with_copies"),
    [((), 195, 674), (("thirteen",), 248, 872), (("mixed-dragon",), 198, 675), (("multiple",), 234, 811)],
)
def test_numbers_of_valid_groups(remedies: tuple[str, ...], triples: int, with_copies: int) -> None:
    table = table_for(preset(remedies))
    valid = [group for group in table.valid_groups if len(group) == 3]
    assert len(valid) == triples
    assert sum(copies(group) for group in valid) == with_copies
    assert sum(len(group) == 2 for group in table.valid_groups) == 16


def copies(group: Group) -> int:
    """In how many ways can the copies of the tiles make this group?"""
    return math.prod(math.comb(FULL_DECK[tile], group.count(tile)) for tile in set(group))


def test_number_of_triples() -> None:
    triples = list(all_groups(FULL_DECK, [3]))
    assert len(triples) == len(set(triples)) == 1550
    assert sum(copies(group) for group in triples) == 4960


def test_numbers_by_combination() -> None:
    table = table_for(preset())
    triples = [group for group in table.valid_groups if len(group) == 3]
    expected = {
        "five-points": 18,
        "full-fourteen": 102,
        "split": 15,
        "coincidence": 15,
        "five-sons": 30,
        "dragon": 15,
        "small-dragon": 3,
        "big-dragon": 4,
        "two-three-kao": 2,
    }
    for name, number in expected.items():
        assert sum(name in table.names(group) for group in triples) == number, name
    two_names = [table.names(group) for group in triples if len(table.names(group)) > 1]
    assert two_names == [("full-fourteen", "split")] * 9


EXAMPLES = [
    ("classic", "33-31-22", ["five-points"]),
    ("classic", "16-16-14", ["full-fourteen"]),
    ("classic", "11-16-66", ["full-fourteen", "split"]),
    ("classic", "55-53-52", ["coincidence"]),
    ("classic", "11-11-13", ["five-sons"]),
    ("classic", "13-26-45", ["dragon"]),
    ("classic", "13-13-22", ["small-dragon"]),
    ("classic", "44-65-65", ["big-dragon"]),
    ("classic", "22-33-66", ["two-three-kao"]),
    ("classic", "23-26-36", ["two-three-kao"]),
    ("classic", "22-22-26", ["five-sons"]),
    ("classic", "22-23-33", ["split"]),
    ("classic", "15-55-66", []),
    ("thirteen", "15-55-66", ["full-fourteen"]),
    ("classic", "55-56-66", ["full-fourteen", "split"]),
    # Four or more equal ends are not three equal ends.
    ("classic", "11-11-22", []),
    ("classic", "55-65-54", []),
    ("classic", "33-31-31", []),
    ("classic", "24-33-45", []),
    ("mixed-dragon", "24-33-45", ["mixed-dragon"]),
    ("mixed-dragon", "22-33-66", []),
    ("multiple", "33-13-14", ["multiple"]),
    ("multiple", "44-14-12", ["multiple"]),
    ("multiple", "44-14-65", ["multiple"]),
    ("multiple", "33-31-31", []),
    ("classic", "33-13-14", []),
    ("classic", "44-14-12", []),
    ("classic", "66-66", ["civilian"]),
    ("classic", "63-54", ["military"]),
    ("classic", "62-53", ["military"]),
    ("classic", "52-43", ["military"]),
    ("classic", "41-32", ["military"]),
    ("classic", "12-24", ["supreme"]),
    ("classic", "36-36", []),
    ("classic", "33-15", []),
    ("classic", "15-24", []),
]


@pytest.mark.parametrize(("rules", "group", "names"), EXAMPLES)
def test_examples_of_combinations(rules: str, group: str, names: list[str]) -> None:
    remedies = () if rules == "classic" else (rules,)
    assert list(preset(remedies).names(parse_group(group))) == names


@pytest.mark.parametrize(
    ("remedies", "dead"),
    [((), ["14-24-33", "14-24-45", "15-25-33", "15-25-44", "23-24-34"]), (("thirteen",), ["14-24-33"])],
)
def test_dead_groups(remedies: tuple[str, ...], dead: list[str]) -> None:
    table = table_for(preset(remedies))
    # A dead group has no opening at all, or only such as no partner can use.
    invalid = [group for group in all_groups(FULL_DECK) if not table.valid(group)]
    found = [group for group in invalid if is_dead(table, group)]
    assert sorted(group_text(group) for group in found) == dead


def is_dead(table: Table, group: Group) -> bool:
    rest = FULL_DECK - Counter(group)
    return not any(table.can_exchange(group, partner) for partner in all_groups(rest))


def test_presets_are_the_written_records() -> None:
    assert parse_rules(CLASSIC) == preset()
    assert parse_rules(MIXED) == preset(["mixed-dragon"])
    assert parse_rules(THIRTEEN_MULTIPLE) == preset(["multiple", "thirteen"])


def test_own_rules() -> None:
    own = {
        "id": "my rules",
        "fourteen_threshold": 12,
        "multiples_of": [6],
        "combinations": ["full-fourteen"],
        "patterns": {"zebra": [6, 5, 4, 3, 2, 1], "ant": [1, 2, 3, 4, 5, 6], "dragon": [1] * 6},
    }
    rules = parse_rules(own)
    assert rules.names(parse_group("13-26-45")) == ("zebra", "ant")
    assert rules.names(parse_group("66-26-44")) == ()
    assert rules.names(parse_group("66-16-55")) == ()
    assert rules.names(parse_group("66-46-44")) == ("full-fourteen", "multiple")
    assert rules.names(parse_group("11-11-13")) == ()


@pytest.mark.parametrize(
    ("first", "second", "out", "why"),
    [
        ("11-16-66", "11-16-44", "66 44", "the exchange changes nothing"),
        ("11-16-66", "11-16-44", "11 11", "the exchange changes nothing"),
        ("11-16-66", "22-33-66", "11 22", "11-33-66 would be invalid"),
        ("11-16-66", "22-33-66", "12 22", "11-16-66 does not hold 12"),
        ("11-16-66", "22-33-66", "11-11 22-33", "11-16-66 does not hold 11-11"),
        ("11-16-66", "22-33-66", "11-16 22-33", "two tiles for two need a pair and a triple"),
        ("44-44", "33-33", "44-44 33-33", "two tiles for two need a pair and a triple"),
        ("11-16-66", "22-33-66", "11-16-66 22-33-66", "tiles go one for one, or two for two"),
        ("11-16-66", "22-22", "66 22-22", "tiles go one for one, or two for two"),
        ("13-13-22", "13-13", "13-13 13-13", "the exchange changes nothing"),
    ],
)
def test_illegal_exchanges(first: str, second: str, out: str, why: str) -> None:
    one, other = (make_group(word.split("-")) for word in out.split())
    with pytest.raises(BadResult, match=why):
        table_for(preset()).lay(parse_group(first), parse_group(second), (one, other))


@pytest.mark.parametrize(
    ("first", "second", "out", "after"),
    [
        ("22-33-66", "24-33-45", "33 45", ("22-45-66", "24-33-33")),
        ("13-26-45", "11-16-66", "45 66", ("13-26-66", "11-16-45")),
    ],
)
def test_exchanges_need_both_groups_valid(first: str, second: str, out: str, after: tuple[str, str]) -> None:
    table = table_for(preset())
    assert not all(table.valid(parse_group(group)) for group in after)
    one, other = (make_group([word]) for word in out.split())
    with pytest.raises(BadResult, match="would be invalid"):
        table.lay(parse_group(first), parse_group(second), (one, other))


def test_a_whole_pair_for_two_tiles_of_a_triple() -> None:
    table = table_for(preset())
    pair, triple = parse_group("22-22"), parse_group("13-13-66")
    with pytest.raises(BadResult):
        table.lay(pair, triple, (pair, make_group(["13", "66"])))
    # The triple 13-13-26 waits for the two tiles that make five sons of its third one.
    after = table.lay(pair, parse_group("13-13-26"), (pair, parse_group("13-13")))
    assert after == (parse_group("13-13"), parse_group("22-22-26"))


# --- The parts against slow, obvious twins --------------------------------------------------------


def shuffled_groups(seed: int, layout: str = "ten") -> tuple[Group, ...]:
    triples, pairs, deck = checker.LAYOUTS[layout]
    tiles = sorted(deck.elements())
    random.Random(seed).shuffle(tiles)
    sizes = [3] * triples + [2] * pairs
    return tuple(make_group(tiles.pop() for _ in range(size)) for size in sizes)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["ten", "shanghai", "eight"]))
def test_exchanges_are_what_trying_finds(seed: int, layout: str) -> None:
    table = table_for(preset(["thirteen", "multiple"]))
    for first, second in combinations(shuffled_groups(seed, layout), 2):
        tried = {tuple(sorted(after)) for _, after in legal_lays(table, first, second)}
        assert table.exchanges(first, second) == tried
        assert table.exchanges(second, first) == tried


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_stock_bits_are_the_same_as_fits(seed: int) -> None:
    groups = shuffled_groups(seed)
    stock = Counter(tile for group in groups[:4] for tile in group)
    bits = checker._stock_bits(stock)
    for group in table_for(preset()).valid_groups:
        within = checker._stock_bits(Counter(group)) | bits == bits
        assert within == checker.fits(group, stock) == (Counter(group) <= stock)


@pytest.mark.parametrize("name", ["small-closure", "closure", "frozen", "eight-dead"])
def test_relaxed_closure_against_a_plain_loop(name: str) -> None:
    result = fresh(name)
    dealt = read(result["deal"])
    frozen = frozenset(list(dealt.invalid)[:1])
    stock = dealt.outside(frozen)
    collected = {group for place, group in enumerate(dealt.groups) if place not in frozen}
    size = 0
    while size < len(collected):
        size = len(collected)
        for one in sorted(collected):
            for other in sorted(collected):
                if Counter(one + other) <= stock:
                    for result_groups in dealt.table.exchanges(one, other):
                        collected.update(result_groups)
    assert checker.relaxed_closure(dealt, frozen) == collected


def small_deal(seed: int) -> Dealt:
    """Return a few groups of few kinds, the first two of them equal in every other deal; they are no layout."""
    rng = random.Random(seed)
    kinds = rng.sample(("11", "22", "33", "44", "66", "13", "16", "15"), 8)
    twice = [make_group(kinds[:3])] * 2 if seed % 2 else []
    tiles = kinds[3 if twice else 0 :] * 2 + rng.sample(("12", "23", "34", "36", "24"), 4)
    rng.shuffle(tiles)
    others = [make_group(tiles.pop() for _ in range(size)) for size in ((2, 3, 3, 3) if twice else (2, 3, 3, 3, 3))]
    return Dealt((*twice, *others), table_for(preset(["thirteen", "multiple"] if seed % 3 else [])))


Layers = dict[frozenset[int], naive.Beside]


def layers_of(dealt: Dealt, chosen: frozenset[int]) -> Layers | None:
    """Return what can stand beside what in each layer, in the words of the twin; None if no proof comes of it."""
    try:
        closure = checker.LayeredClosure(dealt, chosen)
    except BadResult:
        return None
    invalid = sorted(dealt.invalid - chosen)
    pieces = [(group, -1) for group in dealt.table.valid_groups] + [(dealt.groups[p], p) for p in invalid]
    return {
        remaining: {
            pieces[number]: {pieces[other] for other in checker._members(layer.beside[number])}
            for number in checker._members(layer.members)
        }
        for remaining, layer in closure.layers.items()
    }


@pytest.mark.parametrize("seed", range(60))
def test_layered_closures_of_small_deals(seed: int) -> None:
    """The layers are what plain loops find, and hold all that moves can lead to; and what they say is so."""
    dealt = small_deal(seed)
    game = naive.game_of(THIRTEEN_MULTIPLE if seed % 3 else CLASSIC)
    invalid = sorted(dealt.invalid)
    reached = reached_by_pieces(dealt, game)
    for chosen in {frozenset(places[:size]) for places in (invalid, invalid[::-1]) for size in range(1, 5)}:
        twin = game.layered_closure(dealt.groups, chosen)
        layers = layers_of(dealt, chosen)
        assert layers == (None if frozenset() in twin else twin)
        for position in reached:
            remaining = frozenset(place for _, place in position if place in chosen)
            assert remaining or layers is None
            others = [piece for piece in position if piece[1] not in remaining]
            if layers is not None:
                assert layers[remaining].keys() >= set(others)
                assert all(other in layers[remaining][one] for one, other in combinations(others, 2))


def reached_by_pieces(dealt: Dealt, game: naive.Game) -> set[tuple[naive.Piece, ...]]:
    """Return all positions that moves lead to, as sorted pieces."""
    start = tuple(sorted(game.pieces(dealt.groups)))
    reached, waiting = {start}, [start]
    while waiting:
        position = waiting.pop()
        for i, j in combinations(range(len(position)), 2):
            for made in game.made(position[i], position[j]):
                after = tuple(sorted((*naive.without(position, i, j), *made)))
                if after not in reached:
                    reached.add(after)
                    waiting.append(after)
    return reached


def test_small_deals_have_all_kinds_of_layers() -> None:
    """They would show nothing if all of them were lost, or none, or no layer ever left."""
    sizes = Counter()
    for dealt in map(small_deal, range(60)):
        layers = layers_of(dealt, frozenset(sorted(dealt.invalid)[:2])) if len(dealt.invalid) > 1 else {}
        sizes[None if layers is None else len(layers)] += 1
    assert min(sizes[None], sizes[1], sizes[2], sizes[3]) >= 3


@pytest.mark.parametrize(
    "name",
    ["small-layer", "layer", "small-layers", "edged", "four", "eight-two", "eight-three", "shanghai-two"],
)
def test_layered_closures_against_plain_loops(name: str) -> None:
    result = fresh(name)
    groups = frozenset(result["proof"]["groups"])
    twin = naive.game_of(result["rules"]).layered_closure(parse_deal(result["deal"]), groups)
    assert layers_of(read(result["deal"], result["rules"]), groups) == twin
    assert result["proof"]["layers"] == written(
        {remaining: (len(layer), pairs(layer)) for remaining, layer in twin.items()}
    )


@pytest.mark.parametrize("chosen", [[0], [0, 1], [2, 5], [0, 10], [0, 10, 11]])
def test_equal_invalid_groups_are_followed_each_for_itself(chosen: list[int]) -> None:
    twin = naive.game_of(CLASSIC).layered_closure(parse_deal(EQUAL_DEAL), chosen)
    expected = None if frozenset() in twin else twin
    assert layers_of(read(EQUAL_DEAL), frozenset(chosen)) == expected


def test_examples_of_layered_closures() -> None:
    layers = {name: fresh(name)["proof"]["layers"] for name in ("layer", "either", "eight-three", "four")}
    told = {
        name: [(layer["remaining"], layer["groups"], layer["pairs"]) for layer in listed]
        for name, listed in layers.items()
    }
    assert told["layer"] == [([10], 169, 10_845)]
    assert told["either"] == [([4, 10], 137, 7_503), ([10], 148, 8_698), ([4], 130, 6_686)]
    assert [remaining for remaining, _, _ in told["eight-three"]] == [
        [0, 3, 4], [3, 4], [0, 4], [4], [0, 3], [3], [0],
    ]  # fmt: skip
    assert [remaining for remaining, _, _ in told["four"]] == [
        [6, 8, 9, 10], [8, 9, 10], [6, 8, 10], [8, 10], [8, 9],
    ]  # fmt: skip


def test_a_loss_that_only_a_layered_closure_proves() -> None:
    relaxed = closure_proof(LAYER_DEAL, [10], MIXED)
    (failure,) = check(loss(LAYER_DEAL, relaxed, MIXED)).failures
    assert failure.startswith("group 10 (13-46) can exchange with ")
    assert failure.endswith(" of the closure")


def test_neither_of_two_groups_alone_proves_the_loss() -> None:
    for place in (4, 10):
        (failure,) = check(loss(EITHER_DEAL, false_layered_proof(EITHER_DEAL, [place]))).failures
        assert failure.startswith(f"group {place} (")
        assert failure.endswith(" once it alone remains")


FAILURES_OF_LAYERS: list[tuple[str, Tamper, str]] = [
    ("either", lambda r: layers_in(r)[0].update(groups=136), "the layer of groups 4, 10 has 137 groups, not 136"),
    ("either", lambda r: layers_in(r)[1].update(pairs=8_699), "the layer of group 10 has 8,698 pairs, not 8,699"),
    ("either", lambda r: layers_in(r).pop(1), "the layer of group 10 is reached, but not listed"),
    ("either", lambda r: layers_in(r).pop(0), "the layer of groups 4, 10 is reached, but not listed"),
    ("either", lambda r: layers_in(r).reverse(), "the layers are not in their order"),
    ("either", lambda r: layers_in(r).append(layers_in(r)[2]), "the layer of group 4 is listed twice"),
    ("four", lambda r: layers_in(r).append(a_layer(8)), "the layer of group 8 is listed, but never reached"),
    (
        "four",
        lambda r: layers_in(r).insert(1, a_layer(6, 8, 9)),
        "the layer of groups 6, 8, 9 is listed, but never reached",
    ),
    ("either", lambda r: layers_in(r).append(a_layer()), "a layer names no group"),
    ("either", lambda r: layers_in(r).append(a_layer(3)), "a layer names group 3 (22-55-56), which the proof does not"),
    ("either", lambda r: layers_in(r)[0].update(remaining=[10, 4]), "the groups of a layer are not in ascending order"),
    ("either", lambda r: layers_in(r)[0].update(remaining=[4, 4]), "a layer names a place twice"),
    ("either", lambda r: layers_in(r)[0].update(note=None), "a layer has the field 'note', which is unknown"),
    ("either", lambda r: layers_in(r)[0].pop("pairs"), "a layer lacks the field pairs"),
    ("either", lambda r: layers_in(r).append(None), "a layer is no object"),
    (
        "either",
        lambda r: layers_in(r)[1].update(pairs=True),
        "the number of pairs in the layer of group 10 is True, which is no possible number",
    ),
    ("either", lambda r: r["proof"].update(groups=[10, 4]), "the groups of the proof are not in ascending order"),
    (
        "small-layers",
        lambda r: r["proof"].update(groups=[0, 1, 2, 3, 4]),
        "the proof names 5 groups, more than 4",
    ),
    (
        "either",
        lambda r: r["proof"].update(groups=[4], layers=[a_layer(4)]),
        "group 4 (23-24-25) can exchange with 22-22-26 once it alone remains",
    ),
    (
        "mutual",
        lambda r: r.update(loss(MUTUAL_DEAL, false_layered_proof(MUTUAL_DEAL, [4, 10]))),
        "group 4 (13-34-36) and group 10 (13-35) can exchange with each other once they alone remain",
    ),
]


def layers_in(result: Result) -> Any:
    return result["proof"]["layers"]


def a_layer(*remaining: int) -> Result:
    return {"remaining": list(remaining), "groups": 10, "pairs": 45}


@pytest.mark.parametrize(("name", "tamper", "failure"), FAILURES_OF_LAYERS, ids=[f[2] for f in FAILURES_OF_LAYERS])
def test_failures_of_layered_closures(name: str, tamper: Tamper, failure: str) -> None:
    result = fresh(name)
    tamper(result)
    assert check(result).failures == (failure,)


@pytest.mark.parametrize("deal", [TIGHT_DEAL, LOOSE_DEAL, PUBLIC_DEALS[0], MUTUAL_DEAL])
@pytest.mark.parametrize("size", [1, 2, 4])
def test_no_winnable_deal_is_lost_by_a_layered_closure(deal: str, size: int) -> None:
    groups = sorted(read(deal).invalid)[-size:]
    proof = {"kind": "layered-closure", "groups": groups, "layers": [a_layer(*groups)]}
    (failure,) = check(loss(deal, proof)).failures
    assert failure.endswith((" once it alone remains", " once they alone remain"))


@pytest.mark.parametrize("deal", [EXHAUSTED_DEAL, SMALL_LOSS])
def test_exhaustion_against_a_plain_search(deal: str) -> None:
    dealt = read(deal)
    order = checker.RepairOrder(dealt, dealt.invalid)
    reached = {tuple(sorted(dealt.groups))}
    waiting = [dealt.groups]
    while waiting:
        for _, following in moves_from(waiting.pop(), dealt.table):
            invalid = (p for p in dealt.invalid if following[p] == dealt.groups[p])
            live = order.fewest_steps(frozenset(invalid)) < math.inf
            if live and tuple(sorted(following)) not in reached:
                reached.add(tuple(sorted(following)))
                waiting.append(following)
    assert len(list(checker.Search(dealt).walk())) == len(reached)


@pytest.mark.parametrize("deal", [EXHAUSTED_DEAL, SMALL_LOSS])
def test_edges_first_against_a_search_in_two_parts(deal: str) -> None:
    dealt = read(deal)
    orders = {edges: checker.RepairOrder(dealt, dealt.invalid, edges=edges) for edges in (True, False)}
    reached: set[tuple[tuple[str, ...], ...]] = {tuple(sorted(dealt.groups))}
    fronts: list[tuple[tuple[str, ...], ...]] = [dealt.groups]
    for edges in (True, False):
        waiting = list(fronts)
        while waiting:
            groups = waiting.pop()
            for move, following in moves_from(groups, dealt.table):
                one, other = move["groups"]
                on_edge = not dealt.table.valid(groups[one]) and not dealt.table.valid(groups[other])
                invalid = frozenset(p for p in dealt.invalid if following[p] == dealt.groups[p])
                key = tuple(sorted(following))
                if on_edge == edges and key not in reached and orders[edges].fewest_steps(invalid) < math.inf:
                    reached.add(key)
                    waiting.append(following)
                    if edges:
                        fronts.append(following)
    walk = list(checker.Search(dealt).walk_edges_first())
    assert len(walk) == len(reached)
    assert not any(walk)


@pytest.mark.parametrize("deal", [TIGHT_DEAL, LOOSE_DEAL, MUTUAL_DEAL])
def test_edges_first_finds_a_win(deal: str) -> None:
    assert any(checker.Search(read(deal)).walk_edges_first())


@pytest.mark.parametrize("deal", [TIGHT_DEAL, LOOSE_DEAL, PUBLIC_DEALS[0]])
def test_repair_bound_is_never_more_than_the_moves_left(deal: str) -> None:
    dealt = read(deal)
    solution = shortest_solution(dealt)
    groups = list(dealt.groups)
    order = checker.RepairOrder(dealt, dealt.invalid)
    for done, move in enumerate(solution):
        invalid = frozenset(p for p in dealt.invalid if not dealt.table.valid(groups[p]))
        assert order.fewest_steps(invalid) <= len(solution) - done
        for place, after in zip(move["groups"], move["after"], strict=True):
            groups[place] = make_group(after)


def test_repair_bound_of_the_public_deals() -> None:
    assert [repair_bound(read(deal)) for deal in PUBLIC_DEALS] == [8, 7]
    assert repair_bound(read(FROZEN_DEAL)) == math.inf
    assert repair_bound(read(after_solution(TIGHT_DEAL))) == 0


# --- Tampering ------------------------------------------------------------------------------------

Tamper = Callable[[Result], object]


def put(*path_and_value: Any) -> Tamper:
    """Return a function that writes a value at a path of a result."""
    *path, key, value = path_and_value

    def change(result: Result) -> None:
        target: Any = result
        for step in path:
            target = target[step]
        target[key] = value

    return change


def add(field: str, amount: int) -> Tamper:
    return lambda result: result.update({field: result[field] + amount})


def swap_moves(result: Result) -> None:
    moves = result["moves"]
    # Two moves on the same group cannot change places.
    one, other = next(
        (i, j) for i, j in combinations(range(len(moves)), 2) if set(moves[i]["groups"]) & set(moves[j]["groups"])
    )
    moves[one], moves[other] = moves[other], moves[one]


def drop_last_move(result: Result) -> None:
    result["moves"].pop()
    result["length"] -= 1


def detour(result: Result) -> None:
    """Append a legal move and its undoing."""
    groups = list(parse_deal(result["deal"]))
    for move in result["moves"]:
        for place, after in zip(move["groups"], move["after"], strict=True):
            groups[place] = make_group(after)
    table = table_for(parse_rules(result["rules"]))
    there, _ = next(moves_from(tuple(groups), table))
    back = {
        "groups": there["groups"],
        "out": there["out"][::-1],
        "before": there["after"],
        "after": there["before"],
        "names": [list(table.names(make_group(group))) for group in there["before"]],
    }
    result["moves"] += [there, back]
    result["length"] += 2


def loss_claim(proof: Any) -> Tamper:
    """Claim with this proof that a deal that can be won is lost."""
    nothing = dict.fromkeys(("length", "optimal", "lower_bound", "moves"))
    return lambda result: result.update(verdict="unwinnable", proof=proof, **nothing)


def without(*path: str | int) -> Tamper:
    def change(result: Result) -> None:
        target: Any = result
        for step in path[:-1]:
            target = target[step]
        del target[path[-1]]

    return change


TAMPERINGS: list[tuple[str, str, Tamper]] = [
    ("tile of the deal", "tight", lambda r: r.update(deal="11" + r["deal"][2:])),
    ("tile that does not exist", "tight", lambda r: r.update(deal="17" + r["deal"][2:])),
    ("deal cut short", "tight", lambda r: r.update(deal=r["deal"][:-6])),
    ("deal empty", "tight", put("deal", "")),
    ("deal no text", "tight", put("deal", 7)),
    ("group of four", "tight", lambda r: r.update(deal=r["deal"].replace(" ", "-", 1))),
    ("another layout", "tight", put("layout", "eight")),
    ("unknown layout", "tight", put("layout", ["ten"])),
    ("unknown goal", "tight", put("goal", "luck")),
    ("goal that is not reached", "tight", put("goal", "generals")),
    ("goal of another layout", "shanghai", put("goal", "generals")),
    ("goal of no valid pair", "tight", put("goal", "pair:12-23")),
    ("goal a list", "tight", put("goal", ["any"])),
    ("goal null", "tight", put("goal", None)),
    ("schema 2", "tight", put("schema", 2)),
    ("schema true", "tight", put("schema", True)),
    ("verdict unknown", "tight", put("verdict", "lost")),
    ("verdict a list", "tight", put("verdict", ["winnable"])),
    ("verdict flipped to unwinnable", "tight", put("verdict", "unwinnable")),
    ("verdict flipped to winnable", "frozen", put("verdict", "winnable")),
    ("verdict flipped to undecided", "tight", put("verdict", "undecided")),
    ("lower bound raised", "loose", add("lower_bound", 1)),
    ("lower bound lowered", "tight", add("lower_bound", -1)),
    ("lower bound of an undecided deal raised", "undecided", add("lower_bound", 1)),
    ("lower bound missing in an undecided deal", "undecided", put("lower_bound", None)),
    ("lower bound of a loss", "frozen", put("lower_bound", 3)),
    ("reason of a win", "tight", put("reason", "time")),
    ("reason unknown", "undecided", put("reason", "patience")),
    ("reason missing", "undecided", put("reason", None)),
    ("undecided with a proof", "undecided", put("proof", {"kind": "moves"})),
    ("undecided but known to be lost", "undecided", lambda r: r.update(deal=genuine()["frozen"]["deal"])),
    ("length raised", "tight", add("length", 1)),
    ("length a fraction", "tight", lambda r: r.update(length=float(r["length"]))),
    ("optimal denied at the lower bound", "tight", put("optimal", False)),
    ("optimal null", "loose", put("optimal", None)),
    ("optimal a number", "loose", put("optimal", 1)),
    ("first move removed", "tight", lambda r: r["moves"].pop(0)),
    ("last move removed, length adapted", "tight", drop_last_move),
    ("moves swapped", "tight", swap_moves),
    ("move laid twice", "tight", lambda r: (r["moves"].append(r["moves"][-1]), add("length", 1)(r))),
    ("moves null", "tight", put("moves", None)),
    ("a move is null", "tight", put("moves", 0, None)),
    ("wrong names", "tight", put("moves", 0, "names", 0, ["dragon", "five-sons"])),
    ("names swapped", "combined", lambda r: r["moves"][-1]["names"].append([])),
    ("after in the wrong place", "tight", lambda r: r["moves"][0]["after"].reverse()),
    ("before in the wrong place", "tight", lambda r: r["moves"][0]["before"].reverse()),
    ("out in the wrong place", "tight", lambda r: r["moves"][0]["out"].reverse()),
    ("more tiles out", "tight", lambda r: r["moves"][0]["out"][0].append("11")),
    ("tile larger pip first", "tight", put("moves", 0, "out", 0, 0, "61")),
    ("place off by one", "tight", lambda r: r["moves"][0]["groups"].__setitem__(0, 9)),
    ("place out of range", "tight", put("moves", 0, "groups", 0, 11)),
    ("place negative", "tight", put("moves", 0, "groups", 0, -1)),
    ("same place twice", "tight", put("moves", 0, "groups", [3, 3])),
    ("three places", "tight", put("moves", 0, "groups", [1, 2, 3])),
    ("proof of a win missing", "tight", put("proof", None)),
    ("proof of a win with more", "tight", put("proof", "groups", [1])),
    ("rules claim another preset", "tight", put("rules", "id", "thirteen")),
    ("rules with another threshold", "tight", put("rules", "fourteen_threshold", 13)),
    ("rules with a true threshold", "tight", put("rules", "fourteen_threshold", True)),
    ("rules with an unknown combination", "tight", put("rules", "combinations", 0, "luck")),
    ("rules without a combination", "tight", lambda r: r["rules"]["combinations"].pop()),
    ("rules with another pattern", "tight", put("rules", "patterns", "luck", [1, 1, 1, 2, 2, 2])),
    ("rules with a pattern of five ends", "tight", put("rules", "patterns", "dragon", [1, 2, 3, 4, 5])),
    ("rules with a pattern named like a pair", "tight", put("rules", "patterns", {"civilian": [1] * 6})),
    ("rules with an unknown field", "tight", put("rules", "wild", ["11"])),
    ("rules with multiples", "tight", put("rules", "multiples_of", [3, 4])),
    ("rules with multiples of nothing", "tight", put("rules", "multiples_of", [0])),
    ("rules null", "tight", put("rules", None)),
    ("rules without id", "tight", without("rules", "id")),
    ("rules id in another order", "combined", put("rules", "id", "multiple+thirteen")),
    ("rules of another game", "combined", put("rules", CLASSIC)),
    ("solution under rules that do not allow it", "mixed", put("rules", {**CLASSIC, "combinations": [], "id": "x"})),
    ("unknown kind", "frozen", put("proof", "kind", "intuition")),
    ("kind missing", "frozen", without("proof", "kind")),
    ("kind of a win for a loss", "frozen", put("proof", {"kind": "moves"})),
    ("kind a list", "frozen", put("proof", "kind", [])),
    ("proof a list", "frozen", put("proof", [])),
    ("unknown field of a proof", "frozen", put("proof", "note", "trust me")),
    ("dead group off", "dead", put("proof", "group", 4)),
    ("dead group valid as dealt", "dead", put("proof", "group", 9)),
    ("dead group a list", "dead", put("proof", "group", [3])),
    ("dead group true", "dead", put("proof", "group", True)),
    ("conditionally dead group claimed dead", "conditional", put("proof", {"kind": "dead-group", "group": 4})),
    ("dead group claimed in a winnable deal", "tight", loss_claim({"kind": "dead-group", "group": 0})),
    ("frozen set too small", "frozen", put("proof", "groups", [8])),
    ("frozen set too large", "frozen", put("proof", "groups", [0, 8, 10])),
    ("frozen set off", "frozen", put("proof", "groups", [8, 9])),
    ("frozen set empty", "frozen", put("proof", "groups", [])),
    ("frozen set with a place twice", "frozen", put("proof", "groups", [8, 10, 10])),
    ("frozen set with a text", "frozen", put("proof", "groups", ["8", 10])),
    ("frozen set with a negative place", "frozen", put("proof", "groups", [-3, 10])),
    ("frozen set claimed in a winnable deal", "tight", loss_claim({"kind": "frozen-set", "groups": [0, 1]})),
    ("frozen set with an edge inside", "mutual", loss_claim({"kind": "frozen-set", "groups": [4, 10]})),
    ("frozen set with an edge outwards", "mutual", loss_claim({"kind": "frozen-set", "groups": [4]})),
    ("repair order with an edge", "mutual", loss_claim({"kind": "repair-order", "groups": [4, 10]})),
    ("closure with an edge", "mutual", loss_claim(closure_proof(MUTUAL_DEAL, [4, 10]))),
    ("dead group with an edge", "mutual", loss_claim({"kind": "dead-group", "group": 4})),
    ("unknown field in a dead group", "dead", put("proof", "note", None)),
    ("unknown field in a repair order", "order", put("proof", "note", None)),
    ("unknown field in a closure", "closure", put("proof", "note", None)),
    ("unknown field in an exhaustion", "exhaustion", put("proof", "note", None)),
    ("valid group in a frozen set", "dead", put("proof", {"kind": "frozen-set", "groups": [3, 9]})),
    ("bool as place", "small-closure", put("proof", "groups", [True])),
    ("repair order that works", "order", put("proof", "groups", [8])),
    ("rivals claimed frozen", "rivals", put("proof", "kind", "frozen-set")),
    ("one rival alone", "rivals", put("proof", "groups", [0])),
    ("repair order empty", "order", put("proof", "groups", [])),
    ("repair order in a winnable deal", "tight", loss_claim({"kind": "repair-order", "groups": [0, 1]})),
    ("closure lacks a group", "closure", lambda r: r["proof"]["closure"].pop()),
    ("closure has one more", "closure", lambda r: r["proof"]["closure"].append("23-24-34")),
    ("closure has one twice", "closure", lambda r: r["proof"]["closure"].append(r["proof"]["closure"][0])),
    ("closure of no groups", "closure", put("proof", "closure", [])),
    ("closure of odd groups", "closure", put("proof", "closure", 0, "1-2-3")),
    ("closure around another group", "closure", put("proof", "groups", [0])),
    ("closure true but not closed", "closure", lambda r: r.update(proof=closure_proof(CLOSED_DEAL, [0]))),
    ("a pair less", "layer", lambda r: layers_in(r)[0].update(pairs=10_844)),
    ("a pair more", "layer", lambda r: layers_in(r)[0].update(pairs=10_846)),
    ("pairs without those of two alike", "layer", lambda r: layers_in(r)[0].update(pairs=10_835)),
    ("pairs true", "layer", put("proof", "layers", 0, "pairs", True)),
    ("pairs null", "layer", put("proof", "layers", 0, "pairs", None)),
    ("pairs a text", "layer", put("proof", "layers", 0, "pairs", "10845")),
    ("pairs a fraction", "layer", put("proof", "layers", 0, "pairs", 10_845.0)),
    ("pairs negative", "layer", put("proof", "layers", 0, "pairs", -10_845)),
    ("a group less", "layer", put("proof", "layers", 0, "groups", 168)),
    ("a group more", "layer", put("proof", "layers", 0, "groups", 170)),
    ("groups a list", "layer", put("proof", "layers", 0, "groups", ["11-22-23"])),
    ("groups of a lower layer", "edged", put("proof", "layers", 1, "groups", 187)),
    ("layers swapped", "edged", lambda r: layers_in(r).insert(1, layers_in(r).pop())),
    ("one layer for another", "eight-three", lambda r: layers_in(r).__setitem__(3, layers_in(r)[5])),
    ("layer missing", "eight-three", lambda r: layers_in(r).pop(4)),
    ("layer twice", "eight-three", lambda r: layers_in(r).append(layers_in(r)[6])),
    ("layer of a group that is the first to be repaired", "eight-two", lambda r: layers_in(r).append(a_layer(8))),
    ("layer of no groups", "either", lambda r: layers_in(r).append({"remaining": [], "groups": 0, "pairs": 0})),
    ("layer of a valid group", "layer", put("proof", "layers", 0, "remaining", [2])),
    ("layer of a group out of range", "layer", put("proof", "layers", 0, "remaining", [11])),
    ("layer of a text", "layer", put("proof", "layers", 0, "remaining", "10")),
    ("layer of true", "small-layer", put("proof", "layers", 0, "remaining", [True])),
    ("layer null", "layer", put("proof", "layers", 0, None)),
    ("layer without groups", "layer", without("proof", "layers", 0, "groups")),
    ("layer with unknown field", "layer", put("proof", "layers", 0, "closure", [])),
    ("layers empty", "layer", put("proof", "layers", [])),
    ("layers null", "layer", put("proof", "layers", None)),
    ("layers an object", "layer", put("proof", "layers", {})),
    ("layers missing", "layer", without("proof", "layers")),
    ("layers of another deal", "edged", lambda r: r["proof"].update(layers=fresh("eight-three")["proof"]["layers"])),
    ("layers with unknown field", "layer", put("proof", "note", None)),
    ("layers around nothing", "layer", put("proof", "groups", [])),
    ("layers around a valid group", "layer", put("proof", "groups", [2, 10])),
    ("layers around a place twice", "layer", put("proof", "groups", [10, 10])),
    ("layers around true", "small-layer", put("proof", "groups", [True])),
    ("layers around another group", "layer", put("proof", "groups", [0])),
    ("layers around one more", "layer", put("proof", "groups", [0, 10])),
    ("layers around one less", "four", put("proof", "groups", [6, 8, 10])),
    ("layers around a text", "layer", put("proof", "groups", "10")),
    ("layered closure called relaxed", "layer", put("proof", "kind", "relaxed-closure")),
    ("relaxed closure called layered", "closure", put("proof", "kind", "layered-closure")),
    ("layered closure called a frozen set", "small-layer", put("proof", "kind", "frozen-set")),
    ("layered closure under other rules", "layer", put("rules", CLASSIC)),
    ("layered closure of all but an edge", "mutual", lambda r: loss_claim(false_layered_proof(MUTUAL_DEAL, [4]))(r)),
    (
        "layered closure where two repair each other",
        "final",
        lambda r: r.update(loss(EQUAL_DEAL, false_layered_proof(EQUAL_DEAL, [10, 11]), layout="eight")),
    ),
    (
        "layered closure of a winnable deal",
        "tight",
        lambda r: loss_claim({"kind": "layered-closure", "groups": [0, 1], "layers": [a_layer(0, 1)]})(r),
    ),
    (
        "relaxed closure where only layers prove it",
        "layer",
        lambda r: r.update(proof=closure_proof(LAYER_DEAL, [10], MIXED)),
    ),
    (
        "a kind that is no more",
        "layer",
        put("proof", {"kind": "pair-closure", "groups": [10], "closure": [], "pairs": 0}),
    ),
    ("fewer positions", "exhaustion", put("proof", "positions", 26)),
    ("more positions", "exhaustion", put("proof", "positions", 28)),
    ("no positions", "exhaustion", put("proof", "positions", 0)),
    ("negative positions", "exhaustion", put("proof", "positions", -1)),
    ("positions a text", "exhaustion", put("proof", "positions", "27")),
    ("never live but one position", "never-live", put("proof", "positions", 1)),
    ("exhaustion of a winnable deal", "tight", loss_claim({"kind": "exhaustion", "positions": 4999})),
    ("exhaustion of a final deal", "final", loss_claim({"kind": "exhaustion", "positions": 1})),
    ("expanded negative", "tight", put("expanded", -1)),
    ("expanded null", "frozen", put("expanded", None)),
    ("seconds negative", "tight", put("seconds", -0.5)),
    ("seconds not a number", "tight", put("seconds", math.nan)),
    ("seconds without end", "tight", put("seconds", math.inf)),
    ("seconds true", "tight", put("seconds", True)),
]


@pytest.mark.parametrize(("what", "name", "tamper"), TAMPERINGS, ids=[t[0] for t in TAMPERINGS])
def test_tampering_is_found(what: str, name: str, tamper: Tamper) -> None:
    result = fresh(name)
    tamper(result)
    report = check(result)
    assert report.failures
    assert all(sentence and "\n" not in sentence for sentence in report.failures)


@pytest.mark.parametrize("name", ["tight", "frozen", "undecided"])
@pytest.mark.parametrize("field", checker.FIELDS)
def test_missing_field(name: str, field: str) -> None:
    result = fresh(name)
    del result[field]
    assert check(result).failures == (f"the result lacks the field {field}",)


@pytest.mark.parametrize("result", [None, [], "x", 3, {}])
def test_what_is_no_result(result: Any) -> None:
    assert check(result).failures


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of all values in a JSON object that hold no further ones."""
    children: Any = ()
    if isinstance(value, dict):
        children = value.items()
    elif isinstance(value, list):
        children = enumerate(value)
    for key, child in children:
        yield from leaves(child, (*path, key)) if child not in ([], {}) else [(*path, key)]
    if not isinstance(value, (dict, list)):
        yield path


# Values of these fields may be others without making a result wrong.
FREE = {("rules", "id"), ("expanded",), ("seconds",)}


@pytest.mark.parametrize(
    "name",
    [
        "near", "final", "frozen", "small-closure", "small-layer", "small-layers", "eight-two", "exhaustion",
        "bond-twice", "bond-one-dealt",
    ],
)  # fmt: skip
def test_no_single_value_can_be_another(name: str) -> None:
    """Change every value of a result, one at a time, to several others: each must be a failure."""
    others: tuple[Any, ...] = (None, True, 0, 1, 5, 6, "", "x", "16", "dragon", [], {}, ["16"])
    for path in leaves(genuine()[name]):
        if path in FREE or path == ("optimal",) or path[-1] == "name":
            continue
        for other in others:
            result = fresh(name)
            target: Any = result
            for step in path[:-1]:
                target = target[step]
            if type(target[path[-1]]) is type(other) and target[path[-1]] == other:
                continue
            target[path[-1]] = other
            assert check(result).failures, (path, other)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(NAMES), st.data(), json_values)
def test_nothing_is_raised(name: str, data: st.DataObject, value: Any) -> None:
    result = fresh(name)
    target: Any = result
    for _ in range(data.draw(st.integers(0, 4))):
        keys = list(target) if isinstance(target, dict) else list(range(len(target)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(target[key], (dict, list)) or not target[key]:
            break
        target = target[key]
    keys = list(target) if isinstance(target, dict) else list(range(len(target)))
    target[data.draw(st.sampled_from(keys))] = value
    assert isinstance(check(result), checker.Report)


def test_a_frozen_set_has_no_edge_to_a_group_outside() -> None:
    claim = loss(ONLY_INVALID_DEAL, {"kind": "frozen-set", "groups": [9]})
    (failure,) = check(claim).failures
    assert failure == "group 9 (13-14-34) can exchange with group 4 (33-44-66) as dealt"


@pytest.mark.parametrize("kind", ["dead-group", "frozen-set", "repair-order", "relaxed-closure", "layered-closure"])
def test_a_proof_names_no_valid_group(kind: str) -> None:
    proof: Result = {"kind": kind, "groups": [3]}
    if kind == "dead-group":
        proof = {"kind": kind, "group": 3}
    elif kind == "relaxed-closure":
        proof["closure"] = []
    elif kind == "layered-closure":
        proof["layers"] = [a_layer(3)]
    final = genuine()["final"]["deal"]
    (failure,) = check(loss(final, proof)).failures
    assert failure.startswith("the proof names group 3 (")
    assert failure.endswith("), which is valid as dealt")


def test_all_failures_are_told() -> None:
    result = fresh("tight")
    result.update(seconds=-1, lower_bound=0, moves=[])
    assert len(check(result).failures) == 3


# --- What only a full check confirms --------------------------------------------------------------


def test_a_large_exhaustion_is_left_unconfirmed() -> None:
    result = fresh("exhaustion")
    result["proof"]["positions"] = 1_234_567
    assert check(result) == checker.Report((), "exhaustion of 1,234,567 positions")
    report = check(result, full=True)
    assert report == checker.Report(("27 positions can be reached, not 1,234,567",))


@pytest.mark.parametrize("name", ["tight", "loose", "shanghai"])
def test_a_detour_is_not_optimal(name: str) -> None:
    result = fresh(name)
    detour(result)
    assert check(result).unconfirmed == "optimality"
    assert check(result).failures == ()
    (failure,) = check(result, full=True).failures
    assert failure.startswith("there is a solution of fewer than")
    result["optimal"] = False
    assert check(result, full=True) == checker.Report(())


def test_one_move_more_than_needed_is_not_optimal() -> None:
    near = fresh("near")
    dealt = read(near["deal"])
    wasted, rest = next(
        (move, rest)
        for move, following in moves_from(dealt.groups, dealt.table)
        if len(rest := shortest_solution(Dealt(following, dealt.table))) == near["length"]
    )
    near.update(moves=[wasted, *rest], length=near["length"] + 1)
    assert check(near) == checker.Report((), "optimality")
    assert check(near, full=True) == checker.Report(("there is a solution of fewer than 3 moves",))


def test_a_large_exhaustion_of_a_winnable_deal() -> None:
    result = fresh("tight")
    loss_claim({"kind": "exhaustion", "positions": 10**9})(result)
    assert check(result).failures == ()
    assert check(result, full=True).failures == ("a final position can be reached",)


# --- A person's own list of moves -----------------------------------------------------------------


def as_lines(result: Result) -> list[str]:
    return [" ".join("-".join(tiles) for tiles in move["out"]) for move in result["moves"]]


@pytest.mark.parametrize("name", ["tight", "loose", "public", "combined", "shanghai", "eight"])
def test_a_solution_as_a_list_of_moves(name: str) -> None:
    result = fresh(name)
    report = check_moves(result["deal"], as_lines(result), result["rules"])
    assert report == checker.MovesReport((), True, result["length"])


def test_comments_blank_lines_and_other_spellings() -> None:
    result = fresh("tight")
    lines = [
        "# my solution",
        "",
        *(f"  {' '.join(w[::-1] for w in line.split())}  # so\r\n" for line in as_lines(result)),
    ]
    assert check_moves(result["deal"], lines, CLASSIC).final


def test_an_unfinished_list_is_not_final() -> None:
    result = fresh("tight")
    report = check_moves(result["deal"], as_lines(result)[:-1], CLASSIC)
    assert report == checker.MovesReport((), False, result["length"] - 1)
    assert check_moves(result["deal"], [], CLASSIC) == checker.MovesReport((), False, 0)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("17 23", "there is no tile '17'"),
        ("16", "a line is two tiles"),
        ("16 23 11", "a line is two tiles"),
        ("16-16 23", "one for one, or two for two"),
        ("16-16-11 23-24-25", "one for one, or two for two"),
        ("16 61", "changes nothing"),
        ("24-12 66-66", "no two groups become valid"),
        ("55 11", "no two groups become valid"),
    ],
)
def test_bad_lines(line: str, why: str) -> None:
    result = fresh("tight")
    lines = ["# first", *as_lines(result)[:1], line, "nonsense"]
    report = check_moves(result["deal"], lines, CLASSIC)
    assert report.moves == 1
    assert not report.final
    (failure,) = report.failures
    assert failure.startswith("line 3: ")
    assert why in failure


def test_a_tile_that_is_not_dealt() -> None:
    (failure,) = check_moves(SHANGHAI_DEAL, ["24 11"], CLASSIC).failures
    assert failure == "line 1: the tile 24 is not in this deal"


def test_every_reading_of_a_line_is_kept() -> None:
    """All positions that equal lines can lead to are kept: every move of a deal is some reading."""
    dealt = read(PUBLIC_DEALS[0])
    start = frozenset([tuple(sorted(dealt.groups))])
    for move, following in moves_from(dealt.groups, dealt.table):
        words = ["-".join(tiles) for tiles in move["out"]]
        assert tuple(sorted(following)) in checker._lay_line(words, start, dealt.table)


@pytest.mark.parametrize("deal", ["", "11-22", "11-22-33 44", TIGHT_DEAL + " 11-11", "aa-bb-cc"])
def test_an_unreadable_deal(deal: str) -> None:
    with pytest.raises(BadResult):
        check_moves(deal, [], CLASSIC)


def test_unreadable_rules() -> None:
    with pytest.raises(BadResult):
        check_moves(TIGHT_DEAL, [], {"id": "classic"})


@pytest.mark.parametrize("text", ["16", "61", "1:6", "6:1", "[6:1]", "[16]"])
def test_spellings_of_a_tile(text: str) -> None:
    assert parse_tile(text) == "16"


@given(st.text(max_size=6))
def test_any_text_is_a_tile_or_refused(text: str) -> None:
    try:
        assert parse_tile(text) in KINDS
    except BadResult as problem:
        assert "there is no tile" in str(problem)


# --- Goals ----------------------------------------------------------------------------------------

# Classic without two combinations: few positions are final, and whole regions can be searched plainly.
SPARSE: Result = {**CLASSIC, "id": "sparse", "combinations": ["five-points", "split", "five-sons"]}
PAIR_GOALS = tuple(f"pair:{group_text(group)}" for group in table_for(preset()).valid_groups if len(group) == 2)
GOALS = {
    "ten": ("any", *PAIR_GOALS, "five-dragons", "generals"),
    "shanghai": ("any", "shanghai"),
    "eight": ("any", "eight-civil", "eight-military", "eight"),
}


@cache
def game_of(record: str) -> naive.Game:
    return naive.game_of({"classic": CLASSIC, "sparse": SPARSE}[record])


@cache
def sparse_region(layout: str) -> tuple[checker.Deal, ...]:
    return tuple(checker.region(layout, parse_rules(SPARSE)))


def distances(starts: Collection[Position], game: naive.Game) -> dict[Position, int]:
    """Return how many moves away from the nearest start each position is that moves lead to."""
    found = dict.fromkeys(starts, 0)
    waiting = list(found)
    for position in waiting:
        for after in game.moves(position):
            if after not in found:
                found[after] = found[position] + 1
                waiting.append(after)
    return found


@cache
def goal_distances(goal: str, layout: str = "ten") -> dict[Position, int]:
    """Return how far all positions of the sparse region are from a goal that moves lead to."""
    game = game_of("sparse")
    return distances([one for one in sparse_region(layout) if naive.goal_reached(game, one, goal)], game)


def test_numbers_of_goals() -> None:
    assert len(PAIR_GOALS) == 16
    for layout, goals in GOALS.items():
        assert [checker.parse_goal(goal, layout) for goal in goals] == list(goals)


@pytest.mark.parametrize(
    ("goal", "layout", "failure"),
    [
        (None, "ten", "the goal None is unknown"),
        (3, "ten", "the goal 3 is unknown"),
        (["any"], "ten", "the goal ['any'] is unknown"),
        ("", "ten", "the goal '' is unknown"),
        ("luck", "eight", "the goal 'luck' is unknown"),
        ("eight", "ten", "the goal eight belongs to the layout eight, not ten"),
        ("generals", "shanghai", "the goal generals belongs to the layout ten, not shanghai"),
        ("pair:22-22", "eight", "the goal pair:22-22 belongs to the layout ten, not eight"),
        ("pair:24-12", "ten", "the goal 'pair:24-12' is to be written pair:12-24"),
        ("pair:22-33", "ten", "the goal 'pair:22-33' names no valid pair"),
        ("pair:36-36", "ten", "the goal 'pair:36-36' names no valid pair"),
        ("pair:22-22-33", "ten", "the goal 'pair:22-22-33' names no valid pair"),
        ("pair:22", "ten", "'22' is neither a triple nor a pair"),
        ("pair:", "ten", "there is no tile ''"),
    ],
)
def test_what_is_no_goal(goal: Any, layout: str, failure: str) -> None:
    result = {**fresh("tight"), "goal": goal}
    if layout == "ten":
        assert check(result).failures == (failure,)
    with pytest.raises(BadResult) as caught:
        checker.parse_goal(goal, layout)
    assert str(caught.value) == failure


def agreed_goals(position: Position, layout: str, record: str) -> set[str]:
    """Return the goals a position reaches, about which the checker and the twin agree."""
    table = table_for(parse_rules({"classic": CLASSIC, "sparse": SPARSE}[record]))
    found = {goal for goal in GOALS[layout] if checker.goal_reached(position, goal, table)}
    assert found == {goal for goal in GOALS[layout] if naive.goal_reached(game_of(record), position, goal)}
    return found


def test_goals_in_a_whole_region() -> None:
    table = table_for(parse_rules(SPARSE))
    assert sum(checker.goal_reached(one, "five-dragons", table) for one in sparse_region("ten")) == 34
    for position in [*sparse_region("ten")[::40], *goal_distances("five-dragons")]:
        found = agreed_goals(position, "ten", "sparse")
        assert "any" in found
        assert len(found.intersection(PAIR_GOALS)) == 1
    (shanghai,) = (one for one in sparse_region("shanghai") if "shanghai" in agreed_goals(one, "shanghai", "sparse"))
    assert agreed_goals(shanghai, "shanghai", "classic") == {"any", "shanghai"}


def test_goals_of_all_generals_and_of_what_is_next_to_them() -> None:
    harmonies = [one for one in game_of("classic").valid_groups if len(one) == 3 and naive.is_harmony(one)]
    found = Counter()
    for triples in naive.partitions(naive.SET - Counter(["13", "13"]), harmonies):
        position = (("13", "13"), *triples)
        assert agreed_goals(position, "ten", "classic") == {"any", "pair:13-13", "generals"}
        found[True] += 1
        for after in sorted(game_of("classic").moves(position))[:20]:
            found[len(agreed_goals(after, "ten", "classic"))] += 1
    assert found[True] == 93
    assert found[2] > 0


@pytest.mark.parametrize("pairs", ["civil", "military"])
def test_goals_of_eight_triples(pairs: str) -> None:
    held = naive.CIVIL_PAIRS if pairs == "civil" else naive.MILITARY_PAIRS
    triples = [one for one in game_of("classic").valid_groups if len(one) == 3]
    for found in islice(naive.partitions(naive.SET - naive.tiles_of(held), triples), 20):
        position = (*held, *found)
        assert agreed_goals(position, "eight", "classic") == {"any", "eight", f"eight-{pairs}"}
        for after in sorted(game_of("classic").moves(position))[:20]:
            agreed_goals(after, "eight", "classic")


def test_no_goal_is_reached_with_an_invalid_group() -> None:
    for position in sparse_region("ten")[::200]:
        broken = (make_group(["12", "13", "45"]), *position[1:])
        assert agreed_goals(broken, "ten", "sparse") == set()


# --- Results for a goal ---------------------------------------------------------------------------


def shortest_to(deal: str, goal: str, record: Result) -> list[Result]:
    """Return a shortest solution for a goal, by a plain search."""
    dealt = read(deal, record)
    game = naive.game_of(record)
    waiting: list[tuple[checker.Deal, list[Result]]] = [(dealt.groups, [])]
    seen = {tuple(sorted(dealt.groups))}
    for groups, moves in waiting:
        if naive.goal_reached(game, groups, goal):
            return moves
        for move, following in moves_from(groups, dealt.table):
            if tuple(sorted(following)) not in seen:
                seen.add(tuple(sorted(following)))
                waiting.append((following, [*moves, move]))
    raise AssertionError("the goal is out of reach")


def win_for(goal: str, deal: str, record: Result = SPARSE, layout: str = "ten") -> Result:
    moves = shortest_to(deal, goal, record)
    claims = {"length": len(moves), "optimal": True, "lower_bound": len(moves), "moves": moves, "goal": goal}
    result = {**blank(deal, "winnable", record, layout), **claims, "proof": {"kind": "moves"}}
    return json.loads(json.dumps(result))


def loss_for(goal: str, deal: str, positions: int) -> Result:
    return {**loss(deal, {"kind": "exhaustion", "positions": positions}, SPARSE), "goal": goal}


def position_at(distance: int, goal: str) -> str:
    """Return a final position so far from a goal."""
    return checker.position_text(next(one for one, moves in goal_distances(goal).items() if moves == distance))


@cache
def far_win() -> Result:
    return win_for("pair:22-22", position_at(4, "pair:22-22"))


def test_a_deal_that_is_final_but_not_of_the_goal() -> None:
    result = far_win()
    assert (repair_bound(read(result["deal"], SPARSE)), result["length"]) == (0, 4)
    assert check(result) == checker.Report((), "lower bound")
    assert check(result, full=True) == checker.Report(())


@pytest.mark.parametrize("bound", range(4))
def test_a_lower_bound_that_leaves_optimality_open(bound: int) -> None:
    result = {**far_win(), "lower_bound": bound, "optimal": False}
    assert check(result) == checker.Report((), "lower bound" if bound else None)
    assert check(result, full=True) == checker.Report(())
    (failure,) = check({**result, "optimal": True}).failures
    assert failure == f"optimal is true, but lower_bound is {bound}, not 4"


def test_a_lower_bound_above_the_length() -> None:
    result = {**far_win(), "lower_bound": 5}
    assert check(result).failures == ("there are 4 moves, fewer than the lower bound 5",)
    assert check(result, full=True).failures[0] == "there is a solution of fewer than 5 moves"


def test_a_lower_bound_equal_to_the_length_is_optimal() -> None:
    (failure,) = check({**far_win(), "optimal": False}).failures
    assert failure == "length is the lower bound, so optimal must be true"


def test_a_lower_bound_below_the_repair_bound() -> None:
    result = fresh("tight")
    (pair,) = (group for group in parse_deal(after_solution(TIGHT_DEAL)) if len(group) == 2)
    result.update(goal=f"pair:{group_text(pair)}", optimal=False, lower_bound=result["lower_bound"] - 1)
    assert check(result).failures == (f"lower_bound is at least {result['length']}, not {result['lower_bound']}",)


def test_only_other_goals_have_a_lower_bound_above_the_repair_bound() -> None:
    result = fresh("undecided")
    bound = result["lower_bound"]
    result["lower_bound"] += 1
    assert check(result).failures == (f"lower_bound is {bound}, not {bound + 1}",)
    assert check({**result, "goal": "generals"}) == checker.Report((), "lower bound")


def test_the_lower_bound_of_an_undecided_deal() -> None:
    blank_result = {**blank(far_win()["deal"], "undecided", SPARSE, "ten"), "goal": "pair:22-22", "reason": "time"}
    for bound in range(6):
        result = {**blank_result, "lower_bound": bound}
        assert check(result) == checker.Report((), "lower bound" if bound else None)
        failures = () if bound <= 4 else (f"there is a solution of fewer than {bound} moves",)
        assert check(result, full=True) == checker.Report(failures)


def test_a_lower_bound_that_takes_too_long_to_confirm(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = len(list(checker.Search(Dealt(*dealt_and_table(far_win()), "pair:22-22")).walk(most_moves=3)))
    monkeypatch.setattr(checker, "MOST_SHORTER", positions)
    assert check(far_win(), full=True) == checker.Report(())
    monkeypatch.setattr(checker, "MOST_SHORTER", positions - 1)
    assert check(far_win(), full=True) == checker.Report((), "lower bound")


def dealt_and_table(result: Result) -> tuple[checker.Deal, Table]:
    return parse_deal(result["deal"]), table_for(parse_rules(result["rules"]))


def test_a_final_position_that_is_not_of_the_goal_is_no_win() -> None:
    (failure,) = check({**far_win(), "goal": "pair:11-11"}).failures
    assert failure == "after the last move all groups are valid, but the goal pair:11-11 is not reached"
    short = copy.deepcopy(far_win())
    drop_last_move(short)
    (failure,) = check(short).failures
    assert failure == "after the last move all groups are valid, but the goal pair:22-22 is not reached"


def test_a_win_for_a_goal_that_is_longer_than_needed() -> None:
    result = copy.deepcopy(far_win())
    detour(result)
    result["lower_bound"] = 6
    assert check(result) == checker.Report((), "lower bound")
    assert check(result, full=True).failures == ("there is a solution of fewer than 6 moves",)
    result.update(optimal=False, lower_bound=4)
    assert check(result, full=True) == checker.Report(())


def test_what_is_optimal_for_any_goal_is_so_for_the_one_it_reaches() -> None:
    result = fresh("tight")
    groups = parse_deal(after_solution(TIGHT_DEAL))
    (pair,) = (group for group in groups if len(group) == 2)
    for goal in PAIR_GOALS:
        reached = goal == f"pair:{group_text(pair)}"
        assert (check({**result, "goal": goal}, full=True).failures == ()) == reached


def test_a_loss_for_a_goal_that_is_in_another_component() -> None:
    lost = [one for one in sparse_region("ten") if one not in goal_distances("pair:22-22")]
    deal = checker.position_text(max(lost, key=lambda one: len(game_of("sparse").moves(one))))
    reached = len(distances([tuple(sorted(parse_deal(deal)))], game_of("sparse")))
    assert reached > 10
    assert check(loss_for("pair:22-22", deal, reached)) == checker.Report(())
    wrong = loss_for("pair:22-22", deal, reached + 1)
    assert check(wrong).failures == (f"{reached} positions can be reached, not {reached + 1}",)
    wrong = loss_for("pair:22-22", deal, reached - 1)
    assert check(wrong).failures == (f"more than {reached - 1} positions can be reached",)
    assert check(loss_for("any", deal, reached)).failures == ("a final position can be reached",)


def test_a_loss_for_a_goal_that_can_be_reached() -> None:
    deal = position_at(4, "pair:22-22")
    claim = loss_for("pair:22-22", deal, 10**6)
    assert check(claim) == checker.Report((), "exhaustion of 1,000,000 positions")
    assert check(claim, full=True).failures == ("a position of the goal pair:22-22 can be reached",)


@pytest.mark.parametrize(
    "name", ["dead", "eight-dead", "frozen", "order", "small-closure", "small-layer", "shanghai-two", "exhaustion"]
)
def test_a_loss_whatever_the_goal(name: str) -> None:
    result = fresh(name)
    for goal in GOALS[result["layout"]]:
        assert check({**result, "goal": goal}).failures == ()


def disturbed(seed: int) -> tuple[checker.Deal, str]:
    """Return a deal, near to some goal or not, some of its groups invalid, and the goal."""
    rng = random.Random(seed)
    goal = rng.choice(["pair:22-22", "pair:11-11", "pair:66-66", "five-dragons"])
    near = sorted(goal_distances(goal)) if rng.random() < 0.6 else sorted(sparse_region("ten"))
    groups = [list(group) for group in rng.choice(near)]
    for _ in range(rng.randint(1, 3)):
        one, other = rng.sample(groups, 2)
        one[0], other[0] = other[0], one[0]
    return tuple(map(make_group, groups)), goal


def ways_to(seed: int) -> tuple[Dealt, float, float]:
    """Return a disturbed deal, and how many moves away a final position and one of the goal are."""
    deal, goal = disturbed(seed)
    game = game_of("sparse")
    reached = distances([tuple(sorted(deal))], game)
    final = [moves for one, moves in reached.items() if all(map(game.valid, one))]
    won = [moves for one, moves in reached.items() if naive.goal_reached(game, one, goal)]
    dealt = Dealt(deal, table_for(parse_rules(SPARSE)), goal)
    return dealt, min(final, default=math.inf), min(won, default=math.inf)


@pytest.mark.parametrize("seed", range(40))
def test_searches_find_a_goal_if_there_is_a_way(seed: int) -> None:
    dealt, _, moves = ways_to(seed)
    search = checker.Search(dealt)
    assert any(search.walk()) == any(search.walk_edges_first()) == (moves < math.inf)
    if moves < math.inf:
        assert any(search.walk(most_moves=moves))
        assert not any(search.walk(most_moves=moves - 1))


def test_disturbed_deals_are_of_all_sorts() -> None:
    """They would show nothing if the goal were always the nearest final position, or never in reach."""
    ways = [ways_to(seed) for seed in range(40)]
    assert sum(bool(dealt.invalid) for dealt, _, _ in ways) >= 30
    assert sum(final < won < math.inf for _, final, won in ways) >= 3
    assert sum(final == won < math.inf for _, final, won in ways) >= 3
    assert sum(final < won == math.inf for _, final, won in ways) >= 3
    assert sum(final == math.inf for _, final, _ in ways) >= 3


# --- Proofs by locks ------------------------------------------------------------------------------

# Some locks of the sparse rules in layout ten.
SPARSE_LOCKS: tuple[Texts, ...] = (
    ("13-13",), ("12-34-56",), ("12-35-46",), ("13-24-56",), ("15-26-34",), ("16-23-45",), ("23-26-36",),
    ("44-45-55",), ("45-46-56",), ("25-34", "16-25-34"), ("14-23", "14-23-56"), ("36-45", "12-36-45"),
)  # fmt: skip


def case_of(result: Result, present: list[int]) -> Any:
    """Return the case of a proof with just these locks."""
    return next(case for case in result["proof"]["cases"] if case["present"] == present)


def change_case(present: list[int], *path_and_value: Any) -> Tamper:
    return lambda result: put(*path_and_value)(case_of(result, present))


def drop_case(present: list[int]) -> Tamper:
    return lambda result: result["proof"]["cases"].remove(case_of(result, present))


def drop_way(present: list[int], number: int) -> Tamper:
    return lambda result: case_of(result, present)["proof"]["ways"].pop(number)


def add_way(present: list[int], makers: list[int], proof: Result, breakers: Collection[int | None] = ()) -> Tamper:
    return lambda result: case_of(result, present)["proof"]["ways"].append(
        {"makers": makers, "breakers": list(breakers), "proof": proof}
    )


FROZEN_8: Result = {"kind": "frozen-set", "groups": [8]}
# What is done to which result, and the failure.
BOND_TAMPERINGS: list[tuple[str, Tamper, str]] = [
    ("bond", put("goal", "any"), "a proof of the kind bond needs a goal other than any"),
    ("bond", drop_case([1]), "there is no case for an end with just these locks: '36-35-34'"),
    ("bond", drop_case([]), "there is no case for an end with just these locks: none"),
    (
        "bond",
        change_case([0], "present", [0, 1]),
        "a case has a lock both present and absent",
    ),
    ("bond", change_case([1, 2], "present", [2, 1]), "present locks are not in ascending order"),
    ("bond", change_case([], "absent", [0, 1, 2, 2]), "absent locks are not in ascending order"),
    ("bond", change_case([], "absent", [0, 1, 2, 4]), "a number in absent locks is 4, which is no possible number"),
    ("bond", change_case([], "absent", None), "absent locks is None, which is no list"),
    ("bond", change_case([], "note", ""), "a case has the field 'note', which is unknown"),
    ("bond", put("proof", "cases", {}), "cases is {}, which is no list"),
    ("bond", put("proof", "cases", 0, []), "a case is no object"),
    ("bond", put("proof", "locks", None), "locks is None, which is no list"),
    ("bond", put("proof", "locks", 0, None), "a lock is no object"),
    ("bond", put("proof", "locks", 0, "name", ""), "the name of a lock is '', which is no text"),
    ("bond", put("proof", "locks", 0, "good", True), "a lock has the field 'good', which is unknown"),
    ("bond", put("proof", "note", 1), "the proof has the field 'note', which is unknown"),
    (
        "bond",
        lambda r: r["proof"].update(locks=r["proof"]["locks"] * 3),
        "the proof names 12 locks, more than 10",
    ),
    ("bond", put("proof", "locks", 0, "groups", []), "the lock '16-25-34' has no group"),
    ("bond", put("proof", "locks", 0, "groups", ["25-34", "34-25"]), "the lock '16-25-34' lists a group twice"),
    (
        "bond",
        put("proof", "locks", 0, "groups", ["12-13-14"]),
        "the lock '16-25-34' is none: 12-13-14 is no valid group of the layout ten",
    ),
    (
        "bond",
        put("proof", "locks", 0, "groups", ["25-34"]),
        "the lock '16-25-34' is none: 25-34 and 11-11-16 can become 11-11 and 16-25-34",
    ),
    (
        "bond",
        put("proof", "locks", 0, "groups", ["25-34", "11-11"]),
        "the lock '16-25-34' is none: 11-11 and 12-16-16 can become 11-11-12 and 16-16",
    ),
    (
        "bond",
        put("proof", "locks", 0, "groups", ["25-34", "11-11-12"]),
        "the lock '16-25-34' is none: 11-11-12 and 25-34 could be there at the same time",
    ),
    (
        "bond",
        change_case([0], "proof", {"kind": "no-goal"}),
        "case 7: the goal pair:25-34 has such a position: ",
    ),
    ("bond", change_case([1], "proof", "note", 1), "case 11: the proof has the field 'note', which is unknown"),
    ("bond", change_case([1], "proof", "kind", "luck"), "case 11: a proof of the kind 'luck' is unknown here"),
    ("bond", change_case([1], "proof", FROZEN_8), "case 11: a proof of the kind 'frozen-set' is unknown here"),
    ("bond", change_case([1], "proof", None), "case 11: a loss needs a proof with its kind"),
    (
        "bond",
        change_case([0], "proof", {"kind": "dealt", "group": 5}),
        "case 7: group 5 (14-15-55) is of no absent lock",
    ),
    (
        "bond-dealt",
        change_case([3], "proof", {"kind": "dealt", "group": 5}),
        "case 14: group 5 (23-25-26) is of no absent lock",
    ),
    (
        "bond-dealt",
        change_case([0], "proof", "group", 11),
        "case 7: the group of the proof is 11, which is no possible number",
    ),
    (
        "bond-dealt",
        change_case([0], "proof", {"kind": "made", "locks": [], "broken": [], "ways": []}),
        "case 7: group 5 (23-25-26) is dealt, and of the absent lock '26-25-23', which is for good",
    ),
    (
        "bond-dealt",
        change_case([3], "proof", {"kind": "made", "locks": [3], "broken": [], "ways": []}),
        "case 14: the lock '26-25-23' need not be made, as group 5 (23-25-26) is dealt",
    ),
    ("bond", drop_way([0], 0), "case 7: there is no way with the makers [8]"),
    ("bond", drop_way([0], 1), "case 7: there is no way with the makers [10]"),
    ("bond-twice", drop_way([0, 1], 1), "case 0: there is no way with the makers [8, 10]"),
    ("bond", add_way([0], [8], FROZEN_8), "case 7: there are two ways with the makers [8]"),
    ("bond", add_way([0], [8, 8], FROZEN_8), "case 7: a way names 2 makers, not 1"),
    ("bond", add_way([0], [], FROZEN_8), "case 7: a way names 0 makers, not 1"),
    ("bond", add_way([0], [True], FROZEN_8), "case 7: a place in makers is True, which is no possible number"),
    (
        "bond",
        add_way([0], [7], FROZEN_8),
        "case 7: a way names the maker group 7 (22-26-35), which is valid as dealt",
    ),
    (
        "bond",
        add_way([0], [5], FROZEN_8),
        "case 7: with the makers [5]: group 8 (24-25-66) has the valid partner ",
    ),
    (
        "bond",
        change_case([0], "proof", "ways", 0, "proof", {"kind": "frozen-set", "groups": [10]}),
        "case 7: with the makers [8]: group 10 (13-34) has the valid partner ",
    ),
    (
        "bond",
        change_case([0], "proof", "ways", 0, "proof", {"kind": "dead-group", "group": 8}),
        "case 7: with the makers [8]: group 8 (24-25-66) is not dead: it can exchange with ",
    ),
    (
        "bond",
        change_case([0], "proof", "ways", 0, "proof", {"kind": "no-goal"}),
        "case 7: with the makers [8]: a proof of the kind 'no-goal' is unknown here",
    ),
    (
        "bond",
        change_case([0], "proof", "ways", 0, "proof", {"kind": "bond", "locks": [], "cases": []}),
        "case 7: with the makers [8]: a proof of the kind 'bond' is unknown here",
    ),
    (
        "bond",
        change_case([0], "proof", "ways", 0, "proof", {"kind": "exhaustion", "positions": 1}),
        "case 7: with the makers [8]: 0 positions can be reached, not 1",
    ),
    ("bond", change_case([0], "proof", "ways", 0, "note", 1), "case 7: a way has the field 'note', which is unknown"),
    ("bond", change_case([0], "proof", "ways", 0, None), "case 7: a way is no object"),
    ("bond", change_case([0], "proof", "ways", None), "case 7: ways is None, which is no list"),
    ("bond", change_case([0], "proof", "locks", [1]), "case 7: the lock '36-35-34' is made, but not present"),
    ("bond", change_case([0], "proof", "locks", [0, 0]), "case 7: the made locks are not in ascending order"),
    ("bond", change_case([0], "proof", "locks", []), "case 7: a way names 1 makers, not 0"),
    (
        "behind",
        change_case([], "proof", "positions", 218),
        "case 15: more than 218 positions lead to the goal five-dragons",
    ),
    (
        "behind",
        change_case([], "proof", "positions", 220),
        "case 15: 219 positions lead to the goal five-dragons, not 220",
    ),
    ("behind", change_case([], "proof", "positions", None), "case 15: positions is None, which is no possible number"),
    (
        "behind-layers",
        change_case([], "proof", "positions", 231),
        "case 15: more than 231 positions lead to the goal five-dragons",
    ),
    (
        "behind-layers",
        change_case([], "proof", "positions", 233),
        "case 15: 232 positions lead to the goal five-dragons, not 233",
    ),
    (
        "behind-layers",
        change_case([], "proof", "kind", "behind"),
        "case 15: more than 232 positions lead to the goal five-dragons",
    ),
    (
        "bond-lack",
        change_case([0], "proof", "ways", 0, "proof", "lock", 1),
        "case 7: with the makers []: the lock '36-35-34' is lacking, but not present",
    ),
    (
        "bond-lack",
        change_case([0], "proof", "ways", 0, "proof", "lock", 4),
        "case 7: with the makers []: the lock of the proof is 4, which is no possible number",
    ),
    (
        "bond",
        change_case([0], "proof", "ways", 0, "proof", {"kind": "lack", "lock": 0, "groups": [2]}),
        "case 7: with the makers [8]: the proof names group 2 (33-36-44), which is valid as dealt",
    ),
    (
        "bond-lack",
        change_case([0], "proof", "ways", 0, "proof", "groups", [10, 0]),
        "case 7: with the makers []: the groups of the proof are not in ascending order",
    ),
    ("behind", change_case([], "proof", "note", 1), "case 15: the proof has the field 'note', which is unknown"),
    ("broken", drop_way([0], 0), "case 7: there is no way with the makers [5] and the breakers [9]"),
    ("broken", drop_way([0], 1), "case 7: there is no way with the makers [5] and the breakers [null]"),
    ("broken", change_case([0], "proof", "broken", []), "case 7: a way names 1 breakers, not 0"),
    (
        "broken",
        change_case([0], "proof", "broken", [2, 3]),
        "case 7: the lock '15-26-34' can't be broken, as it is for good",
    ),
    ("broken", change_case([0], "proof", "broken", [3, 3]), "case 7: the broken locks are not in ascending order"),
    (
        "broken",
        change_case([0], "proof", "broken", [4]),
        "case 7: a number in the broken locks is 4, which is no possible number",
    ),
    ("broken", without("proof", "cases", 7, "proof", "broken"), "case 7: the proof lacks the field broken"),
    (
        "broken",
        without("proof", "cases", 7, "proof", "ways", 0, "breakers"),
        "case 7: a way lacks the field breakers",
    ),
    ("broken", change_case([0], "proof", "ways", 0, "breakers", []), "case 7: a way names 0 breakers, not 1"),
    ("broken", change_case([0], "proof", "ways", 0, "breakers", None), "case 7: breakers is None, which is no list"),
    (
        "broken",
        change_case([0], "proof", "ways", 0, "breakers", [None]),
        "case 7: there are two ways with the makers [5] and the breakers [null]",
    ),
    (
        "broken",
        change_case([0], "proof", "ways", 0, "breakers", [11]),
        "case 7: a place in breakers is 11, which is no possible number",
    ),
    (
        "broken",
        change_case([0], "proof", "ways", 0, "breakers", [2]),
        "case 7: a way names the breaker group 2 (11-34-44), which is valid as dealt",
    ),
    (
        "broken",
        change_case([0], "proof", "ways", 0, "proof", "groups", [9]),
        "case 7: with the makers [5] and the breakers [9]: group 9 (22-36-55) has the valid partner ",
    ),
    ("bond", change_case([0], "proof", "broken", None), "case 7: the broken locks is None, which is no list"),
    ("bond", change_case([0], "proof", "broken", [0]), "case 7: the lock '16-25-34' is broken, but not absent"),
    (
        "bond",
        change_case([0], "proof", "broken", [1]),
        "case 7: the lock '36-35-34' can't be broken, as it is for good",
    ),
    ("bond", change_case([0], "proof", "ways", 0, "breakers", [8]), "case 7: a way names 1 breakers, not 0"),
    (
        "bond-made",
        change_case([], "proof", "ways", []),
        "case 15: there is no way with the makers []",
    ),
    (
        "bond-made",
        change_case([], "proof", "ways", 0, "proof", FROZEN_8),
        "case 15: with the makers []: group 8 (26-35-56) can exchange with group 7 (22-45-66) as dealt",
    ),
]


@pytest.mark.parametrize(("name", "tamper", "failure"), BOND_TAMPERINGS)
def test_failures_of_proofs_by_locks(name: str, tamper: Tamper, failure: str) -> None:
    result = fresh(name)
    tamper(result)
    (found,) = check(result).failures
    assert found.startswith(failure) if failure.endswith(" ") else found == failure


def test_genuine_proofs_by_locks_are_of_all_sorts() -> None:
    kinds = {
        name: Counter(case["proof"]["kind"] for case in genuine()[name]["proof"]["cases"])
        for name in NAMES
        if name.startswith(("bond", "broken", "behind"))
    }
    assert kinds == {
        "bond": {"no-goal": 15, "made": 1},
        "bond-twice": {"no-goal": 3, "made": 1},
        "bond-dealt": {"no-goal": 8, "dealt": 8},
        "bond-one-dealt": {"no-goal": 1, "dealt": 1},
        "bond-made": {"no-goal": 13, "made": 3},
        "broken": {"no-goal": 15, "made": 1},
        "behind": {"no-goal": 13, "made": 2, "behind": 1},
        "behind-layers": {"no-goal": 13, "made": 2, "layered-behind": 1},
        "bond-lack": {"no-goal": 15, "made": 1},
    }
    ways = case_of(genuine()["bond-twice"], [0, 1])["proof"]["ways"]
    assert [way["makers"] for way in ways] == [[8, 8], [8, 10], [10, 8], [10, 10]]
    broken = case_of(genuine()["broken"], [0])["proof"]
    assert broken["broken"] == [3]
    assert [(way["makers"], way["breakers"]) for way in broken["ways"]] == [([5], [9]), ([5], [None])]


def test_a_lock_can_be_lacking_whatever_is_repaired() -> None:
    result = fresh("bond-lack")
    case_of(result, [0])["proof"]["ways"][0]["proof"]["groups"] = []
    assert check(result) == checker.Report(())


@pytest.mark.parametrize("groups", [[], [0], [0, 1, 4, 7]])
def test_a_lock_that_can_be_there_is_not_lacking(groups: list[int]) -> None:
    result = {**loss(PAIR_DEAL, lack_proof()), "goal": "pair:25-34"}
    case_of(result, [0])["proof"]["ways"][0]["proof"]["groups"] = groups
    (failure,) = check(result).failures
    assert re.fullmatch(r"case 7: with the makers \[\]: (16-)?25-34 of the lock '16-25-34' can be there", failure)


def test_a_case_can_be_for_many_ends() -> None:
    result = fresh("bond")
    cases = [{**case_of(result, [0]), "absent": []}, {"present": [], "absent": [0], "proof": {"kind": "no-goal"}}]
    result["proof"]["cases"] = cases
    assert check(result) == checker.Report(())


def test_further_ways_must_hold_too() -> None:
    result = fresh("bond")
    # Group 9 can't make the lock, so it could not be repaired if it had to.
    add_way([0], [9], {"kind": "frozen-set", "groups": [9]})(result)
    assert check(result) == checker.Report(())
    add_way([0], [0], {"kind": "frozen-set", "groups": [9]})(result)
    (failure,) = check(result).failures
    assert failure == "case 7: with the makers [0]: group 9 (11-22-66) can exchange with group 5 (14-15-55) as dealt"


def test_the_same_deal_is_not_lost_without_locks() -> None:
    """So the arguments of the genuine proofs hold in restricted games only."""
    for name in ("bond", "bond-made"):
        assert plain_loss(read(genuine()[name]["deal"])) is None


def test_a_maker_whose_equal_is_dealt_too() -> None:
    dealt = Dealt(parse_deal(EQUAL_MAKERS_DEAL), table_for(preset()), "pair:25-34")
    assert lock_of(LOCKS[0], dealt).makers == [2, 4, 6]
    way = {"makers": [6], "breakers": [], "proof": {"kind": "frozen-set", "groups": [6]}}
    made = {"kind": "made", "locks": [0], "broken": [], "ways": [way]}
    proof = {
        "kind": "bond",
        "locks": [{"name": "x", "groups": list(LOCKS[0])}],
        "cases": [
            {"present": [0], "absent": [], "proof": made},
            {"present": [], "absent": [0], "proof": {"kind": "no-goal"}},
        ],
    }
    (failure,) = check({**loss(EQUAL_MAKERS_DEAL, proof), "goal": "pair:25-34"}).failures
    assert failure == "case 0: a way names the maker group 6 (16-44-56), which is dealt twice"


def test_a_breaker_whose_equal_is_dealt_too() -> None:
    """No lock of the classic rules can be broken by a group that could be dealt twice, but a proof may say so."""
    dealt = Dealt(parse_deal(EQUAL_BREAKER_DEAL), table_for(preset()), "pair:25-34")
    assert lock_of(LOCKS[3], dealt).breakers == [1]
    way = {"makers": [], "breakers": [6], "proof": {"kind": "frozen-set", "groups": [6]}}
    case = {"present": [], "absent": [0], "proof": {"kind": "made", "locks": [], "broken": [0], "ways": [way]}}
    locks = [{"name": "x", "groups": list(LOCKS[3])}]
    other = {"present": [0], "absent": [], "proof": {"kind": "no-goal"}}
    proof = {"kind": "bond", "locks": locks, "cases": [case, other]}
    failures = check({**loss(EQUAL_BREAKER_DEAL, proof), "goal": "pair:25-34"}).failures
    assert failures == ("case 0: a way names the breaker group 6 (16-44-56), which is dealt twice",)


def test_a_lock_that_is_not_for_good() -> None:
    proof = copy.deepcopy(genuine()["bond-one-dealt"]["proof"])
    (case,) = (case for case in proof["cases"] if case["absent"])
    case["proof"]["group"] = 4
    result = {**loss(BREAKER_DEAL, proof), "goal": "five-dragons"}
    assert check(result).failures == ("case 1: the lock '26-25-23' is not for good",)
    # Nothing is known of a case in which it is absent, but that the deal may be lost anyway.
    case["proof"] = {
        "kind": "made",
        "locks": [],
        "broken": [],
        "ways": [{"makers": [], "breakers": [], "proof": {"kind": "frozen-set", "groups": [5]}}],
    }
    (failure,) = check(result).failures
    assert failure.startswith("case 1: with the makers []: group 5 (13-36-46) ")
    # As one of its groups is dealt, it must be broken.
    case["proof"]["broken"] = [0]
    case["proof"]["ways"][0]["breakers"] = [None]
    told = "case 1: a way lacks the breaker of the lock '26-25-23', as group 4 (23-25-26) is dealt"
    assert check(result).failures == (told,)
    case["proof"]["ways"] = []
    assert check(result).failures == ("case 1: there is no way with the makers [] and the breakers [5]",)


def test_an_exhaustion_within_a_proof_by_locks() -> None:
    result = fresh("bond-twice")
    ways = case_of(result, [0, 1])["proof"]["ways"]
    ways[0]["proof"] = {"kind": "exhaustion", "positions": 0}
    assert check(result) == checker.Report(())
    ways[0]["proof"] = ways[3]["proof"] = {"kind": "exhaustion", "positions": 100_000}
    assert check(result) == checker.Report((), "exhaustion of 200,000 positions")
    failure = "case 0: with the makers [8, 8]: 0 positions can be reached, not 100,000"
    assert check(result, full=True) == checker.Report((failure,))


# The locks against slow, obvious twins


@pytest.mark.parametrize("deal", [BOND_DEAL, BOND_MADE_DEAL, BREAKER_DEAL, EQUAL_MAKERS_DEAL, BROKEN_DEAL])
def test_makers_and_breakers_against_trying(deal: str) -> None:
    dealt = read(deal)
    game = game_of("classic")
    for texts in LOCKS:
        lock = lock_of(texts, dealt)
        makers = [place for place in sorted(dealt.invalid) if makes(place, lock.groups, dealt)]
        assert lock.makers == makers
        breakers = game.breakers(lock.groups, "ten")
        assert lock.breakers == [place for place, group in enumerate(dealt.groups) if group in breakers]
        assert lock.for_good == breakers.isdisjoint(dealt.groups)


def makes(place: int, groups: frozenset[Group], dealt: Dealt) -> bool:
    """Tell whether a dealt group can make one of some groups, beside any group at all that is none of them."""
    game = game_of("classic")
    return any(
        not groups.isdisjoint(result)
        for other in all_groups(dealt.outside([place]))
        if other not in groups
        for result in game.exchanges(dealt.groups[place], other)
    )


def test_locks_are_what_no_plain_move_changes() -> None:
    plain = game_of("classic").plain_moves("ten")
    single = [(group_text(group),) for group in game_of("classic").valid_groups if max(Counter(group).values()) == 1]
    for texts in (*LOCKS, *single):
        groups = frozenset(map(parse_group, texts))
        same = all(len(groups.intersection(a)) == len(groups.intersection(b)) for a, b in plain)
        if texts in LOCKS or set(texts[0].split("-")) & set(checker.MILITARY):
            assert is_lock(groups) == same
    assert all(is_lock(frozenset(map(parse_group, texts))) for texts in LOCKS)


def is_lock(groups: frozenset[Group]) -> bool:
    try:
        checker._require_lock(groups, "ten", preset())
    except BadResult:
        return False
    return True


def goal_positions(goal: str, layout: str) -> list[checker.Deal]:
    game = game_of("sparse")
    return [one for one in sparse_region(layout) if naive.goal_reached(game, one, goal)]


@pytest.mark.parametrize(
    ("goal", "layout"),
    [("pair:22-22", "ten"), ("pair:25-34", "ten"), ("five-dragons", "ten"), ("shanghai", "shanghai")],
)
def test_search_for_a_position_of_a_goal(goal: str, layout: str) -> None:
    rules = parse_rules(SPARSE)
    groups = checker.groups_of(layout, rules)
    positions = goal_positions(goal, layout)
    rng = random.Random(1)
    found = Counter[bool]()
    for _ in range(60):
        absent = frozenset(rng.sample(groups, rng.choice([0, 5, 20])))
        present = tuple(frozenset(rng.sample(groups, rng.choice([1, 8]))) for _ in range(rng.choice([0, 1, 2])))
        fitting = [
            one for one in positions if absent.isdisjoint(one) and not any(map(frozenset(one).isdisjoint, present))
        ]
        position = checker.position_with(goal, layout, rules, present, absent)
        assert (position is not None) == bool(fitting)
        assert position is None or tuple(sorted(position)) in fitting
        found[position is None] += 1
    assert min(found[True], found[False]) > 5


def test_a_search_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    checker.position_with.cache_clear()
    monkeypatch.setattr(checker, "MOST_STEPS", 0)
    result = fresh("bond")
    change_case([0], "proof", {"kind": "no-goal"})(result)
    assert check(result).failures == ("case 7: the search for a position of the goal takes too long",)


def restricted_walk(dealt: Dealt, restriction: Restriction) -> set[checker.Deal]:
    """Return all positions that moves lead to in a restricted game, by leaving moves out of the real one."""
    excluded, only = restriction
    start = tuple(sorted(dealt.groups))
    seen = {start}
    waiting = [start]
    for position in waiting:
        for one, other in combinations(range(len(position)), 2):
            rest = [group for place, group in enumerate(position) if place not in (one, other)]
            for result in game_of("sparse").exchanges(position[one], position[other]):
                before = position[one], position[other]
                wrong = any(rule.group in before and not is_as_told(rule, before, result) for rule in only)
                after = tuple(sorted((*rest, *result)))
                if not wrong and excluded.isdisjoint(result) and after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return seen


def is_as_told(only: checker.Only, before: tuple[Group, ...], after: tuple[Group, ...]) -> bool:
    there_before, there_after = (any(group in only.lock for group in groups) for groups in (before, after))
    return there_before and not there_after if only.breaks else there_after


def disturbed_with_locks(seed: int) -> tuple[Dealt, list[Texts]]:
    """Return a disturbed deal, and the locks that could ever be present."""
    deal, goal = disturbed(seed)
    dealt = Dealt(deal, table_for(parse_rules(SPARSE)), goal)
    locks = [lock_of(texts, dealt) for texts in SPARSE_LOCKS]
    return dealt, [texts for texts, lock in zip(SPARSE_LOCKS, locks, strict=True) if lock.dealt or lock.makers]


@pytest.mark.parametrize("seed", range(15))
def test_every_final_position_is_reached_in_a_restricted_game_of_its_end(seed: int) -> None:
    dealt, possible = disturbed_with_locks(seed)
    assert_ends_are_reached(dealt, [*((texts,) for texts in possible), *islice(combinations(possible, 2), 10)])


def assert_ends_are_reached(dealt: Dealt, choices: list[tuple[Texts, ...]]) -> None:
    walk = cache(lambda restriction: restricted_walk(dealt, restriction))
    game = game_of("sparse")
    final = [one for one in walk((frozenset(), frozenset())) if all(map(game.valid, one))]
    for chosen in choices:
        locks = [lock_of(texts, dealt) for texts in chosen]
        ends: dict[tuple[bool, ...], set[checker.Deal]] = {}
        for one in final:
            ends.setdefault(tuple(not lock.groups.isdisjoint(one) for lock in locks), set()).add(one)
        for end, positions in ends.items():
            assert all(there or not (lock.for_good and lock.dealt) for there, lock in zip(end, locks, strict=True))
            reached = [walk(restriction) for restriction in restrictions(end, locks, dealt).values()]
            assert positions <= set[checker.Deal]().union(*reached)


@pytest.mark.parametrize("seed", range(15))
def test_restricted_games_have_just_the_moves_that_are_left(seed: int) -> None:
    dealt, possible = disturbed_with_locks(seed)
    for texts in possible:
        lock = lock_of(texts, dealt)
        for end in (True, False):
            for restriction in restrictions((end,), [lock], dealt).values():
                if restriction[0].isdisjoint(dealt.groups):
                    assert_same_walk(restricted(dealt, restriction), restricted_walk(dealt, restriction))


# Locks of the sparse rules that can be broken, and disturbed deals in which some can be.
BREAKABLE: tuple[Texts, ...] = (("13-13",), ("44-45-55",), ("46-46",), ("46-46-55",))
BREAKING_SEEDS = (16, 80, 98, 100, 101, 121, 133, 148)


def disturbed_and_breakable(seed: int) -> tuple[Dealt, list[Texts]]:
    """Return a disturbed deal, and the locks that it could make or break."""
    deal, goal = disturbed(seed)
    dealt = Dealt(deal, table_for(parse_rules(SPARSE)), goal)
    locks = [(texts, lock_of(texts, dealt)) for texts in BREAKABLE]
    return dealt, [texts for texts, lock in locks if lock.breakers and (lock.dealt or lock.makers)]


@pytest.mark.parametrize("seed", BREAKING_SEEDS)
def test_games_in_which_locks_are_broken(seed: int) -> None:
    dealt, possible = disturbed_and_breakable(seed)
    assert possible
    choices = [*((texts,) for texts in possible), *combinations(possible, 2)]
    assert_ends_are_reached(dealt, choices)
    for chosen in choices:
        locks = [lock_of(texts, dealt) for texts in chosen]
        for restriction in restrictions((False,) * len(locks), locks, dealt).values():
            if restriction[0].isdisjoint(dealt.groups):
                assert_same_walk(restricted(dealt, restriction), restricted_walk(dealt, restriction))


def test_no_goal_that_can_be_reached_is_refused_where_locks_can_be_broken() -> None:
    breakers = Counter[int | None]()
    for seed in BREAKING_SEEDS:
        dealt, possible = disturbed_and_breakable(seed)
        _, _, moves = ways_to(seed)
        for texts in (*((one,) for one in possible), *combinations(possible, 2)):
            proof = bond_proof(dealt, texts)
            if proof is not None:
                assert moves == math.inf
                result = loss(" ".join(map(group_text, dealt.groups)), proof, SPARSE)
                assert check({**result, "goal": dealt.goal}, full=True) == checker.Report(())
                ways = [way for case in proof["cases"] for way in case["proof"].get("ways", ())]
                breakers.update(breaker for way in ways for breaker in way["breakers"])
    assert breakers[None] > 0
    assert len(breakers) > 1


def assert_same_walk(dealt: Dealt, expected: set[checker.Deal]) -> None:
    start = tuple(sorted(dealt.groups))
    seen = {start}
    waiting = [start]
    for position in waiting:
        new = checker.neighbours(position, dealt.table) - seen
        seen |= new
        waiting.extend(new)
    assert seen == expected
    for group in dealt.groups:
        partners = {other for other in dealt.table.valid_groups if dealt.table.exchanges(group, other)}
        assert set(dealt.table.partners(group)) == partners


def test_no_goal_that_can_be_reached_is_refused() -> None:
    kinds = Counter[str]()
    for seed in range(20):
        dealt, possible = disturbed_with_locks(seed)
        _, _, moves = ways_to(seed)
        for texts in (*((one,) for one in possible), *combinations(possible[:5], 2)):
            proof = bond_proof(dealt, texts)
            kinds["refused" if proof else "not refused"] += 1
            if proof is not None:
                assert moves == math.inf
                result = loss(" ".join(map(group_text, dealt.groups)), proof, SPARSE)
                assert check({**result, "goal": dealt.goal}, full=True) == checker.Report(())
                kinds.update(case["proof"]["kind"] for case in proof["cases"])
    assert min(kinds.values()) > 30
    assert set(kinds) == {"refused", "not refused", "no-goal", "dealt", "made"}


# Looking from behind


def backwards(dealt: Dealt, wanted: Collection[checker.Deal]) -> set[checker.Deal]:
    """Return the positions that lead to some final ones, all that the deal could hold being tried for each move."""
    game = game_of("sparse")
    lost = [place for place, group in enumerate(dealt.groups) if not game.valid(group)]
    appears = {frozen: checker.relaxed_closure(dealt, frozenset(frozen)) for frozen in [(), *((one,) for one in lost)]}
    befores = befores_of(frozenset(dealt.groups[place] for place in lost))

    def can_be(position: checker.Deal) -> bool:
        held, there = Counter(dealt.groups[place] for place in lost), Counter(position)
        remaining = [(place,) for place in lost if dealt.groups[place] in there]
        valid = set(filter(game.valid, position))
        few = all(there[group] <= number for group, number in held.items())
        return few and all(valid <= appears[frozen] for frozen in [(), *remaining])

    found = set(filter(can_be, wanted))
    waiting = list(found)
    for position in waiting:
        for one, other in combinations(range(len(position)), 2):
            rest = [group for place, group in enumerate(position) if place not in (one, other)]
            for before in befores.get((position[one], position[other]), ()):
                new = tuple(sorted((*rest, *before)))
                if new not in found and can_be(new):
                    found.add(new)
                    waiting.append(new)
    return found


def befores_of(lost: frozenset[Group]) -> dict[Position, list[Position]]:
    """Return which twos of groups, valid or among some invalid ones, an exchange turns into each two."""
    game = game_of("sparse")
    found: dict[Position, list[Position]] = {}
    for before in combinations_with_replacement(sorted({*game.valid_groups, *lost}), 2):
        for after in game.exchanges(*before):
            found.setdefault(after, []).append(before)
    return found


def found_behind(dealt: Dealt, wanted: Collection[checker.Deal], layered: bool = False) -> list[checker.Deal]:
    search = checker.Backwards(dealt, layered)
    known = search._numbers.groups
    return [tuple(sorted(known[number] for number in position)) for position in search.walk(wanted)]


@pytest.mark.parametrize("seed", range(12))
def test_looking_from_behind_against_trying(seed: int) -> None:
    dealt, _, moves = ways_to(seed)
    wanted = [one for one, far in goal_distances(dealt.goal).items() if far == 0]
    for some in (wanted, wanted[::7]):
        found = found_behind(dealt, some)
        assert len(found) == len(set(found))
        assert set(found) == backwards(dealt, some)
        close = found_behind(dealt, some, layered=True)
        assert len(close) == len(set(close))
        assert set(close) <= set(found)
        if some is wanted:
            assert (tuple(sorted(dealt.groups)) in found) == (moves < math.inf)
            assert (tuple(sorted(dealt.groups)) in close) == (moves < math.inf)


@pytest.mark.parametrize(
    ("goal", "layout"),
    [("pair:22-22", "ten"), ("pair:25-34", "ten"), ("five-dragons", "ten"), ("shanghai", "shanghai")],
)
def test_all_positions_of_a_goal(goal: str, layout: str) -> None:
    rules = parse_rules(SPARSE)
    positions = goal_positions(goal, layout)
    assert checker.positions_with(goal, layout, rules, (), frozenset()) == set(positions)
    locks = [frozenset(map(parse_group, texts)) for texts in SPARSE_LOCKS if layout == "ten" or len(texts) == 1]
    for present, absent in permutations(locks[1:6], 2):
        fitting = {one for one in positions if not present.isdisjoint(one) and absent.isdisjoint(one)}
        assert checker.positions_with(goal, layout, rules, (present,), absent) == fitting
        wanted = Counter(
            tuple(sorted(one))
            for wish in checker.wishes(goal)
            for one in checker.Covering(wish, layout, frozenset(checker.groups_of(layout, rules)) - absent).find_all(
                (present,)
            )
        )
        assert set(wanted.values()) <= {1}


def test_too_many_positions_to_look_from_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    checker.positions_with.cache_clear()
    monkeypatch.setattr(checker, "MOST_WANTED", 10)
    (failure,) = check(fresh("behind")).failures
    assert failure == "case 15: the goal five-dragons has more than 10 such positions, too many to look from behind"


def test_only_a_full_check_repeats_a_long_look_from_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    result = fresh("behind")
    number = case_of(result, [])["proof"]["positions"]
    monkeypatch.setattr(checker, "SMALL_EXHAUSTION", number - 1)
    assert check(result) == checker.Report((), f"search from behind of {number} positions")
    assert check(result, full=True) == checker.Report(())
    way = case_of(result, [2])["proof"]["ways"][0]
    way["proof"] = {"kind": "exhaustion", "positions": 1_000}
    told = f"exhaustion of 1,000 positions and search from behind of {number} positions"
    assert check(result) == checker.Report((), told)


def test_looking_from_behind_finds_a_deal_that_can_be_won() -> None:
    """Of deals with a goal, none is refused by looking from behind, whatever the number, that can be won."""
    verdicts = Counter[str]()
    for seed in range(30):
        dealt, _, moves = ways_to(seed)
        wanted = checker.positions_with(dealt.goal, "ten", parse_rules(SPARSE), (), frozenset())
        number = len(found_behind(dealt, wanted))
        case = {"present": [], "absent": [], "proof": {"kind": "behind", "positions": number}}
        deal = " ".join(map(group_text, dealt.groups))
        result = {**loss(deal, {"kind": "bond", "locks": [], "cases": [case]}, SPARSE), "goal": dealt.goal}
        failures = check(result, full=True).failures
        if moves < math.inf:
            assert failures == (f"case 0: the deal leads to a position of the goal {dealt.goal}",)
        else:
            assert failures == ()
        verdicts["won" if failures else "lost"] += 1
    assert min(verdicts["won"], verdicts["lost"]) > 5


# --- The region of all final positions ------------------------------------------------------------


def test_numbers_of_final_positions() -> None:
    assert [len(sparse_region(layout)) for layout in ("ten", "shanghai")] == [6_018, 789]
    no_fourteen = {**CLASSIC, "id": "no fourteen", "combinations": ["five-points", "split", "coincidence", "five-sons"]}
    positions = list(checker.region("shanghai", parse_rules(no_fourteen)))
    assert len(positions) == len(set(positions)) == 2_734


@pytest.mark.parametrize(
    ("combinations", "layout", "number"),
    [(["five-points"], "ten", 8), (["five-points"], "eight", 46), (["five-points", "split"], "shanghai", 188)],
)
def test_a_region_is_what_the_twin_finds(combinations: list[str], layout: str, number: int) -> None:
    record = {**CLASSIC, "id": "few", "combinations": combinations}
    _, _, pairs = naive.LAYOUTS[layout]
    twin = [
        found
        for found in naive.partitions(naive.tiles_of(naive.deal(0, 0, layout)), naive.game_of(record).valid_groups)
        if sum(len(one) == 2 for one in found) == pairs
    ]
    positions = list(checker.region(layout, parse_rules(record)))
    assert len(positions) == number
    assert sorted(positions) == sorted(twin)
    assert all(layout_of(parse_deal(checker.position_text(one))) == layout for one in positions)


def test_a_region_is_as_large_as_the_twin_counts() -> None:
    groups = game_of("sparse").valid_groups
    count = naive.partition_counter([one for one in groups if len(one) == 3])
    shanghai = naive.tiles_of(naive.deal(0, 0, "shanghai"))
    by_pair = {pair: count(naive.SET - Counter(pair)) for pair in groups if len(pair) == 2}
    assert Counter(one for position in sparse_region("ten") for one in position if len(one) == 2) == by_pair
    assert len(sparse_region("shanghai")) == count(shanghai)


def test_neighbours_are_those_of_the_twin() -> None:
    table = table_for(parse_rules(SPARSE))
    for position in sparse_region("ten")[::100]:
        assert checker.neighbours(position, table) == game_of("sparse").moves(position)


def as_probe(found: Mapping[Position, Any]) -> Callable[[str], Any]:
    return {checker.position_text(position): value for position, value in found.items()}.get


def all_distances(goal: str, probe: Callable[[str], Any], step: int = 1) -> checker.Report:
    texts = map(checker.position_text, sparse_region("ten")[::step])
    return checker.check_distances("ten", SPARSE, goal, probe, texts)


@pytest.mark.parametrize(("goal", "step"), [("pair:22-22", 1), ("five-dragons", 20), ("generals", 20), ("any", 20)])
def test_true_distances_pass(goal: str, step: int) -> None:
    assert all_distances(goal, as_probe(goal_distances(goal)), step) == checker.Report(())


def test_true_distances_in_shanghai() -> None:
    texts = list(map(checker.position_text, sparse_region("shanghai")))
    probe = as_probe(goal_distances("shanghai", "shanghai"))
    assert checker.check_distances("shanghai", SPARSE, "shanghai", probe, texts) == checker.Report(())
    assert len(checker.check_distances("shanghai", SPARSE, "shanghai", lambda text: None, texts).failures) == 1


def test_every_wrong_distance_is_found() -> None:
    """At the position itself, whichever it is, and whatever is said in place of the truth."""
    right = as_probe(goal_distances("pair:22-22"))
    texts = list(map(checker.position_text, random.Random(1).sample(sparse_region("ten"), 60)))
    assert {right(text) for text in texts} >= {None, 0, 1, 2}
    for wrong in texts:
        for claim in (None, 0, 1, 2, 3, 17, True, -1, "1", 1.0):
            if type(claim) is type(right(wrong)) and claim == right(wrong):
                continue
            probe = partial(one_claim, right, wrong, claim)
            report = checker.check_distances("ten", SPARSE, "pair:22-22", probe, [wrong])
            assert len(report.failures) == 1, (wrong, claim)


def one_claim(right: Callable[[str], Any], wrong: str, claim: Any, text: str) -> Any:
    """Answer like another probe, but for one position."""
    return claim if text == wrong else right(text)


def test_distances_that_are_wrong_all_over() -> None:
    right = goal_distances("pair:22-22")
    everywhere = {one: right.get(one) for one in sparse_region("ten")}
    wrong = [
        {one: distance + 1 for one, distance in right.items()},
        {one: 2 * distance for one, distance in right.items()},
        {one: min(distance, 3) for one, distance in right.items()},
        {one: 7 if distance is None else distance for one, distance in everywhere.items()},
        {},
        goal_distances("pair:11-11"),
    ]
    for found in wrong:
        assert all_distances("pair:22-22", as_probe(found), step=20).failures


@pytest.mark.parametrize(
    ("claims", "failure"),
    [
        ({1: 0}, "the distance is 0, but the goal is not reached"),
        ({1: None}, "the distance is None, but a neighbour has 0"),
        ({1: 3}, "the distance is 3, but a neighbour has 0"),
        ({0: 1}, "the distance is 1, but no neighbour has 0"),
        ({0: None}, "the distance is 1, but a neighbour has None"),
        ({1: True}, "a distance is True, which is no possible number"),
        ({0: -1}, "a distance is -1, which is no possible number"),
    ],
)
def test_failures_of_distances(claims: dict[int, Any], failure: str) -> None:
    """A goal position and a position all of whose neighbours are such, with other claims about them."""
    right = goal_distances("pair:22-22")
    table = table_for(parse_rules(SPARSE))
    edge = next(
        one
        for one, distance in right.items()
        if distance == 1 and all(right[other] == 0 for other in checker.neighbours(one, table))
    )
    text = checker.position_text(edge)
    found = {one: claims.get(right[one], right[one]) for one in [edge, *checker.neighbours(edge, table)]}
    report = checker.check_distances("ten", SPARSE, "pair:22-22", as_probe(found), [text])
    assert report.failures == (f"{text}: {failure}",)


def test_distance_of_a_goal_position() -> None:
    text = position_at(0, "pair:22-22")
    report = checker.check_distances("ten", SPARSE, "pair:22-22", lambda text: 5, [text])
    assert report.failures == (f"{text}: the goal is reached, but the distance is 5",)


def test_positions_that_are_not_of_the_region() -> None:
    shanghai = checker.position_text(sparse_region("shanghai")[0])
    probe = as_probe(goal_distances("any"))
    report = checker.check_distances("ten", SPARSE, "any", probe, [shanghai, TIGHT_DEAL, "11-12"])
    assert len(report.failures) == 3
    assert report.failures[0] == f"{shanghai}: the layout of the position is shanghai, not ten"
    assert report.failures[1] == f"{TIGHT_DEAL}: 16-35-56 is invalid"


def test_questions_that_cannot_be_understood() -> None:
    for layout, record, goal in [("nine", SPARSE, "any"), ("ten", {}, "any"), ("ten", SPARSE, "shanghai")]:
        with pytest.raises(BadResult):
            checker.check_distances(layout, record, goal, lambda text: None, [])
    for layout, record in [("nine", SPARSE), ("ten", {})]:
        with pytest.raises(BadResult):
            checker.check_components(layout, record, lambda text: 0)


@cache
def true_components() -> tuple[tuple[Position, ...], ...]:
    """Return the components of the sparse region of Shanghai, the largest first."""
    left = set(sparse_region("shanghai"))
    components = []
    while left:
        component = sorted(distances([min(left)], game_of("sparse")))
        left.difference_update(component)
        components.append(tuple(component))
    return tuple(sorted(components, key=len, reverse=True))


def labelled() -> dict[Position, int]:
    return {one: number for number, component in enumerate(true_components()) for one in component}


def components_report(labels: Mapping[Position, Any]) -> checker.Report:
    return checker.check_components("shanghai", SPARSE, as_probe(labels))


def test_true_components_pass_whatever_their_numbers() -> None:
    labels = labelled()
    assert len(true_components()) == 220
    assert components_report(labels) == checker.Report(())
    assert components_report({one: 7 * (1000 - label) for one, label in labels.items()}) == checker.Report(())


def test_components_cut_in_two() -> None:
    labels = labelled()
    component = true_components()[0]
    (failure,) = components_report({**labels, component[3]: 220}).failures
    assert ", but moves lead to " in failure
    (failure,) = components_report({**labels, component[3]: labels[true_components()[1][0]]}).failures
    assert ", but moves lead to " in failure


def test_components_taken_for_one() -> None:
    labels = labelled()
    (failure,) = components_report({one: max(label, 1) for one, label in labels.items()}).failures
    assert " has the label 1 like " in failure
    assert failure.endswith(", but no moves lead there")
    assert len(components_report(dict.fromkeys(labels, 0)).failures) == 219


@pytest.mark.parametrize("label", [None, True, -1, "0", 1.5])
def test_labels_that_are_no_numbers(label: Any) -> None:
    (failure,) = components_report({**labelled(), true_components()[5][0]: label}).failures
    assert failure.endswith(f"a label is {label!r}, which is no possible number")
