"""Dead groups by computation, against the rules file and by trying everything."""

from __future__ import annotations

import pytest

from solver import Deal, RuleSet, dead_groups, parse_group
from solver.xiangshifu.deadgroups import frozen_set
from solver.xiangshifu.groups import GROUPS, classified, group_table
from solver.xiangshifu.moves import move_table
from solver.xiangshifu.position import format_group
from solver.xiangshifu.repairs import repair_model, valid_partners


def groups(*texts: str) -> set[int]:
    return {parse_group(text) for text in texts}


@pytest.mark.parametrize(
    ("rules", "dead"),
    [
        ("classic", groups("14-24-33", "14-24-45", "15-25-33", "15-25-44", "23-24-34")),
        ("thirteen", groups("14-24-33")),
        ("mixed-dragon", set()),
        ("multiple", set()),
        ("thirteen+mixed-dragon+multiple", set()),
    ],
)
def test_dead_groups_of_the_rules_file(rules: str, dead: set[int]) -> None:
    assert set(dead_groups(RuleSet.parse(rules)).dead) == dead


@pytest.mark.parametrize(
    ("rules", "conditional"),
    [
        ("classic", groups("11-33-25", "44-35-23", "13-34-14", "33-16-25", "33-16-24", "36-34-24", "22-16")),
        ("thirteen", set()),
        ("mixed-dragon", groups("13-34-14", "33-16-25", "22-16")),
        ("multiple", set()),
    ],
)
def test_conditionally_dead_groups(rules: str, conditional: set[int]) -> None:
    assert set(dead_groups(RuleSet.parse(rules)).conditionally_dead) == conditional


def test_conditionally_dead_by_trying_every_group() -> None:
    rules = RuleSet.parse("classic")
    table, moves, names = group_table(), move_table(rules), classified(rules)
    for mask in dead_groups(rules).conditionally_dead:
        partners = [g for g in range(GROUPS) if moves.exchanges(table.number(mask), g)]
        assert partners
        assert not any(names[partner] for partner in partners)
        assert valid_partners(mask, rules) == ()


def test_valid_partners_are_valid_and_exchange() -> None:
    rules = RuleSet.parse("classic")
    table, moves, names = group_table(), move_table(rules), classified(rules)
    group = table.number(parse_group("33-13-13"))
    found = {table.number(mask) for mask in valid_partners(parse_group("33-13-13"), rules)}
    assert found == {g for g in range(GROUPS) if names[g] and moves.exchanges(group, g)}


def test_json_names_groups_as_text() -> None:
    record = dead_groups(RuleSet.parse("classic")).to_json()
    assert record["valid_triples"] == {"kinds": 195, "tiles": 674}
    assert record["valid_pairs"] == 16
    assert len(record["dead"]["triples"]) == 5
    assert record["dead"]["pairs"] == []
    assert record["conditionally_dead"]["pairs"] == [format_group(parse_group("22-16"))]


def test_a_dead_group_is_a_frozen_set_of_its_own() -> None:
    rules = RuleSet.parse("classic")
    dead = set(dead_groups(rules).dead)
    seen = 0
    for index in range(400):
        deal = Deal.random(30, index)
        if dead & set(deal.groups):
            seen += 1
            assert len(frozen_set(repair_model(deal, rules), rules)) == 1
    assert seen > 3
