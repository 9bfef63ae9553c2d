"""Verdicts: against the independent checker, against exhaustion, and within limits."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from solver import Deal, InputError, Limits, RuleSet, Solver, check, legal_moves, solve
from solver.xiangshifu.position import LAYOUTS, Position
from solver.xiangshifu.proof import (
    DeadGroupProof,
    ExhaustionProof,
    FrozenSetProof,
    LayeredClosureProof,
    RelaxedClosureProof,
    RepairOrderProof,
)
from solver.xiangshifu.solve import Result, lower_bound

RULES = ["classic", "thirteen", "mixed-dragon", "multiple"]
REAL = "56-13-62 21-44-52 61-51-33 61-11-55 14-34-24 22-55-51 31-44-54 53-63-11 46-33-64 56-32-66 22-66"


def confirmed(result: Result, *, full: bool = False) -> Result:
    """The result, once its JSON text has passed the checker."""
    report = check(json.loads(json.dumps(result.to_json())), full=full)
    assert report.failures == ()
    if full:
        assert report.unconfirmed is None
    return result


@pytest.fixture(scope="module", params=RULES)
def rules(request: pytest.FixtureRequest) -> RuleSet:
    """Each preset."""
    return RuleSet.parse(request.param)


@pytest.mark.parametrize("count", [50, pytest.param(150, marks=pytest.mark.slow)])
def test_random_deals_are_decided_and_confirmed(rules: RuleSet, count: int) -> None:
    solver = Solver(rules)
    for index in range(count):
        assert confirmed(solver.solve(Deal.random(20, index))).verdict != "undecided"


def test_shortest_solutions_are_confirmed_by_plain_search(rules: RuleSet) -> None:
    solver = Solver(rules)
    for index in range(25):
        result = solver.solve(Deal.random(21, index))
        if result.length is None or result.length <= 11:
            confirmed(result, full=True)


@pytest.mark.parametrize("count", [50, pytest.param(150, marks=pytest.mark.slow)])
def test_first_solutions_agree_on_the_verdict_and_are_never_shorter(rules: RuleSet, count: int) -> None:
    shortest, first = Solver(rules), Solver(rules, first=True)
    for index in range(count):
        deal = Deal.random(22, index)
        best, some = shortest.solve(deal), confirmed(first.solve(deal))
        assert some.verdict == best.verdict
        if best.length is not None and some.length is not None:
            assert some.length >= best.length
            assert not some.optimal or some.length == best.length


@pytest.mark.parametrize("combination", ["thirteen+mixed-dragon", "thirteen+multiple", "mixed-dragon+multiple"])
def test_combinations_of_remedies(combination: str) -> None:
    solver = Solver(RuleSet.parse(combination))
    for index in range(40):
        assert confirmed(solver.solve(Deal.random(23, index))).verdict != "undecided"


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_every_layout_for_any_final_position(layout: object) -> None:
    solver = Solver()
    for index in range(40):
        assert confirmed(solver.solve(Deal.random(24, index, layout))).verdict != "undecided"  # type: ignore[arg-type]


def reachable(deal: Deal, rules: RuleSet, most: int) -> list[Position] | None:
    """All positions that can be reached, by plain breadth-first search over legal moves; None past ``most``."""
    seen = {tuple(sorted(deal.groups))}
    waiting: list[Position] = [deal]
    for position in waiting:
        for move in legal_moves(position, rules):
            after = position.exchanged(*move.groups, move.after)
            key = tuple(sorted(after.groups))
            if key not in seen:
                seen.add(key)
                waiting.append(after)
        if len(waiting) > most:
            return None
    return waiting


def test_verdicts_agree_with_exhausting_small_deals() -> None:
    rules = RuleSet.parse("classic")
    solver, small = Solver(rules), 0
    for index in range(250):
        deal = Deal.random(25, index)
        result = solver.solve(deal)
        if result.verdict == "unwinnable":
            positions = reachable(deal, rules, 700)
            if positions is not None:
                small += 1
                assert all(lower_bound(position, rules) != 0 for position in positions)
    assert small >= 3


@pytest.mark.parametrize(
    ("rules_text", "index", "kind"),
    [
        ("classic", 18, DeadGroupProof),
        ("classic", 33, FrozenSetProof),
        ("classic", 225, RelaxedClosureProof),
        ("classic", 1227, LayeredClosureProof),
        ("classic", 1314, LayeredClosureProof),
        ("classic", 2219, LayeredClosureProof),
        ("classic", 3451, ExhaustionProof),
        ("mixed-dragon", 44, LayeredClosureProof),
        ("mixed-dragon", 2208, LayeredClosureProof),
        ("mixed-dragon", 3451, ExhaustionProof),
    ],
)
def test_each_kind_of_proof_is_found(rules_text: str, index: int, kind: type) -> None:
    for first in (False, True):
        result = solve(Deal.random(1, index), rules_text, first=first)
        assert isinstance(confirmed(result, full=True).proof, kind)


@pytest.mark.parametrize(
    ("rules_text", "layout", "index", "most"),
    [
        ("classic", "ten", 1227, 1),
        ("classic", "ten", 1314, 2),
        ("classic", "eight", 1055, 2),
        ("mixed-dragon", "eight", 708, 3),
        ("mixed-dragon", "eight", 1422, 4),
        ("mixed-dragon", "shanghai", 2436, 1),
    ],
)
def test_layered_closures_of_few_groups(rules_text: str, layout: str, index: int, most: int) -> None:
    proof = confirmed(solve(Deal.random(1, index, LAYOUTS[layout]), rules_text)).proof
    assert isinstance(proof, LayeredClosureProof)
    assert proof.groups == tuple(sorted(proof.groups)) == proof.layers[0].remaining
    assert len(proof.groups) <= most


def test_common_proofs_all_occur() -> None:
    solver = Solver()
    kinds = Counter(type(solver.solve(Deal.random(26, index)).proof) for index in range(600))
    assert kinds[DeadGroupProof] > 5
    assert kinds[FrozenSetProof] > 10
    assert kinds[RelaxedClosureProof] > 0


def test_a_final_position_needs_no_move() -> None:
    deal = final_position()
    result = confirmed(solve(deal), full=True)
    assert (result.verdict, result.length, result.lower_bound, result.moves) == ("winnable", 0, 0, ())


def final_position() -> Deal:
    """The end of a real deal's solution."""
    result = solve(REAL)
    position: Position = result.deal
    assert result.moves is not None
    for move in result.moves:
        position = position.exchanged(*move.groups, move.after)
    return Deal(position.groups)


def test_moves_carry_on_from_each_other() -> None:
    result = solve(REAL)
    position: Position = result.deal
    assert result.moves
    for move in result.moves:
        assert (position.groups[move.groups[0]], position.groups[move.groups[1]]) == move.before
        assert move in legal_moves(position, result.rules)
        position = position.exchanged(*move.groups, move.after)


def hard_deal() -> Deal:
    """A winnable deal that takes thousands of expansions."""
    return Deal.random(1, 1718)


def test_limit_of_positions() -> None:
    result = confirmed(solve(hard_deal(), limits=Limits(positions=100)))
    assert (result.verdict, result.reason, result.moves, result.proof) == ("undecided", "positions", None, None)
    assert result.lower_bound == lower_bound(hard_deal())


def test_limit_of_time() -> None:
    result = confirmed(solve(hard_deal(), limits=Limits(seconds=1e-9)))
    assert (result.verdict, result.reason) == ("undecided", "time")


def test_limit_of_memory() -> None:
    result = confirmed(solve(hard_deal(), limits=Limits(memory=1)))
    assert (result.verdict, result.reason) == ("undecided", "memory")


def test_a_search_that_grows_finds_the_same() -> None:
    small = Solver(limits=Limits(memory=8))
    assert small.solve(hard_deal()).length == Solver().solve(hard_deal()).length == 16


def test_deals_do_not_influence_each_other() -> None:
    solver = Solver()
    deals = [Deal.random(27, index) for index in range(60)]
    forwards = [solver.solve(deal).length for deal in deals]
    backwards = [solver.solve(deal).length for deal in reversed(deals)]
    assert forwards == backwards[::-1]


def test_the_order_and_orientation_of_a_deal_do_not_matter() -> None:
    deal = Deal.parse(REAL)
    turned = " ".join("-".join(tile[::-1] for tile in reversed(deal.tiles(place))) for place in range(10, -1, -1))
    assert solve(turned).length == solve(deal).length


@pytest.mark.parametrize("limits", [Limits(memory=0), Limits(positions=0)])
def test_senseless_limits_are_refused(limits: Limits) -> None:
    with pytest.raises(InputError, match="1 or more"):
        Solver(limits=limits)


def test_repair_order_proof() -> None:
    rivals = "11-25-33 23-35-44 22-22-46 15-46-56 24-56-66 11-33-36 12-16-66 15-26-34 44-45-55 13-13-16 14-55"
    assert confirmed(solve(rivals)).proof == RepairOrderProof((0, 1))


@pytest.mark.slow
@pytest.mark.parametrize("rules_text", RULES)
def test_ten_thousand_deals(rules_text: str) -> None:
    solver = Solver(RuleSet.parse(rules_text))
    for index in range(10_000):
        assert confirmed(solver.solve(Deal.random(1, index))).verdict != "undecided"
