"""Verdicts of many deals: the same as those of the solver, deal by deal."""

from __future__ import annotations

import numpy as np
import pytest

from solver import Deal, Limits, RuleSet, Solver
from solver.xiangshifu.position import LAYOUTS
from solver.xiangshifu.verdicts import OUTCOMES, RECORD, Decider

RULES = ["classic", "thirteen", "mixed-dragon", "multiple", "thirteen+multiple"]


@pytest.mark.parametrize("rules", RULES)
def test_verdicts_and_lengths_are_those_of_the_solver(rules: str) -> None:
    rule_set = RuleSet.parse(rules)
    verdicts = Decider(rule_set).decide(60, 0, 200)
    shortest = Decider(rule_set, shortest=True).decide(60, 0, 200)
    solver = Solver(rule_set)
    for index in range(200):
        result = solver.solve(Deal.random(60, index))
        assert (verdicts["outcome"][index] == 1) == (result.verdict == "winnable")
        assert shortest["length"][index] == (result.length or 0)
        assert verdicts["length"][index] == 0
    assert np.array_equal(verdicts["outcome"], shortest["outcome"])


def test_losses_carry_the_proof_that_the_solver_gives() -> None:
    rules = RuleSet.parse("classic")
    records = Decider(rules).decide(61, 0, 1500)
    solver = Solver(rules, first=True)
    kinds = set()
    for index in np.flatnonzero(records["outcome"] > 1).tolist():
        proof = solver.solve(Deal.random(61, index)).proof
        assert proof is not None
        kind = OUTCOMES[records["outcome"][index]]
        kinds.add(kind)
        assert kind == proof.kind
        value = proof.to_json()
        places = [value["group"]] if kind == "dead-group" else value.get("groups", [])
        assert records["held"][index] == sum(1 << place for place in places)
    assert {"dead-group", "frozen-set", "relaxed-closure"} <= kinds


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout(name: str) -> None:
    records = Decider(RuleSet.parse("classic")).decide(62, 1000, 60, LAYOUTS[name])
    solver = Solver(RuleSet.parse("classic"), first=True)
    for place in range(60):
        result = solver.solve(Deal.random(62, 1000 + place, LAYOUTS[name]))
        assert (records["outcome"][place] == 1) == (result.verdict == "winnable")


def test_records_do_not_depend_on_what_was_decided_before() -> None:
    rules = RuleSet.parse("mixed-dragon")
    decider = Decider(rules)
    whole = decider.decide(63, 0, 300)
    again = np.concatenate([decider.decide(63, 200, 100), decider.decide(63, 0, 200)])
    assert np.array_equal(np.concatenate([again[100:], again[:100]]), whole)
    assert whole.dtype == RECORD


def test_a_bound_that_is_reached_leaves_a_deal_undecided() -> None:
    """Deal 9576 of seed 1 takes far more than the stages of the kernel."""
    rules = RuleSet.parse("classic")
    assert OUTCOMES[Decider(rules, limits=Limits(positions=1)).decide(1, 9576, 1)["outcome"][0]] == "undecided"
    assert OUTCOMES[Decider(rules).decide(1, 9576, 1)["outcome"][0]] == "winnable"
