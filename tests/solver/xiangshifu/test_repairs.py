"""The repair model against plain recursion, and against what a matching promises."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import naive
import networkx as nx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solver.errors import InputError
from solver.xiangshifu.groups import GROUPS, group_table, group_text
from solver.xiangshifu.moves import move_table
from solver.xiangshifu.position import LAYOUTS, TEN, Deal, format_group, parse_group
from solver.xiangshifu.repairs import DEAD, EDGE_STEP, RepairModel, bound_with, repair_model, valid_partners
from solver.xiangshifu.rules import CLASSIC, STRUCTURAL, RuleSet
from solver.xiangshifu.tiles import TILES

RULES = {
    "classic": CLASSIC,
    "mixed-dragon": RuleSet.parse("mixed-dragon"),
    "multiple": RuleSet.parse("multiple"),
    "harsh": RuleSet("harsh", 17, (), STRUCTURAL, (("dragon", (1, 2, 3, 4, 5, 6)),)),
}
FINAL = "11-11-16 12-35-46 13-26-45 13-25-46 14-44-44 15-15-16 22-24-56 22-23-66 33-36-66 33-34-56 55-55"

deals = st.builds(
    lambda seed, layout: Deal.random(seed, 0, LAYOUTS[layout]), st.integers(0, 2**32), st.sampled_from(sorted(LAYOUTS))
)
rule_names = st.sampled_from(sorted(RULES))


@cache
def game(rules: str) -> naive.Game:
    return naive.game_of(RULES[rules].to_json())


def groups_of(deal: Deal) -> list[naive.Group]:
    return [naive.group(text) for text in str(deal).split()]


def invalid_groups(deal: Deal, model: RepairModel, chosen: int = -1) -> list[naive.Group]:
    """The dealt invalid groups of a set M."""
    groups = groups_of(deal)
    return [groups[place] for k, place in enumerate(model.places.tolist()) if chosen >> k & 1]


def matching_of(model: RepairModel, chosen: int) -> int:
    """The size of a maximum matching among a set of dealt invalid groups."""
    graph: nx.Graph[int] = nx.Graph()
    places = [k for k in range(len(model.places)) if chosen >> k & 1]
    graph.add_edges_from((i, j) for i, j in combinations(places, 2) if int(model.edges[i]) >> j & 1)
    return len(nx.max_weight_matching(graph, maxcardinality=True))


# Against the twin


@given(deals, rule_names)
def test_the_invalid_groups_are_those_of_the_twin(deal: Deal, rules: str) -> None:
    model = repair_model(deal, RULES[rules])
    assert model.places.tolist() == game(rules).invalid_places(groups_of(deal))
    assert [group_text(number) for number in model.dealt.tolist()] == str(deal).split()
    assert model.invalid.tolist() == [model.dealt[place] for place in model.places]


@given(deals, rule_names)
def test_edges_are_exchanges_between_two_groups_as_dealt(deal: Deal, rules: str) -> None:
    model = repair_model(deal, RULES[rules])
    invalid = invalid_groups(deal, model)
    for i, one in enumerate(invalid):
        partners = [j for j, other in enumerate(invalid) if j != i and game(rules).exchanges(one, other)]
        assert [j for j in range(16) if int(model.edges[i]) >> j & 1] == partners
        for j, other in enumerate(invalid):
            code = int(model.edge_codes[i, j])
            assert (code & 15) == (len(game(rules).exchanges(one, other)) if j != i else 0)


@settings(max_examples=30)
@given(deals, rule_names)
def test_the_bound_of_a_deal_is_that_of_its_twin(deal: Deal, rules: str) -> None:
    model = repair_model(deal, RULES[rules])
    tiles = naive.tiles_of(groups_of(deal))
    assert int(model.sets[-1]["bound"]) == game(rules).repair_bound(invalid_groups(deal, model), tiles)


@settings(max_examples=25)
@given(deals, rule_names, st.data())
def test_every_set_has_the_bound_and_steps_of_its_twin(deal: Deal, rules: str, data: st.DataObject) -> None:
    model = repair_model(deal, RULES[rules])
    tiles = naive.tiles_of(groups_of(deal))
    chosen = data.draw(st.integers(0, len(model.sets) - 1))

    def bound(members: int, *, edges: bool = True) -> int:
        return game(rules).repair_bound(invalid_groups(deal, model, members), tiles, edges=edges)

    best, alone = bound(chosen), bound(chosen, edges=False)
    members = [k for k in range(len(model.places)) if chosen >> k & 1]
    edges = [(i, j) for i, j in combinations(members, 2) if int(model.edges[i]) >> j & 1]
    steps_alone = 0
    if alone != DEAD:
        steps_alone = sum(1 << k for k in members if bound(chosen & ~(1 << k), edges=False) != DEAD)
    steps = steps_alone if alone == best else 0
    if best != DEAD and any(bound(chosen & ~(1 << i) & ~(1 << j)) == best - 1 for i, j in edges):
        steps |= EDGE_STEP
    found = model.sets[chosen]
    assert (int(found["bound"]), int(found["steps"])) == (best, steps)
    assert (int(found["alone"]), int(found["steps_alone"])) == (alone, steps_alone)
    assert int(model.sets[chosen]["linked"]) == sum(1 << k for k in {k for edge in edges for k in edge})


@given(deals, rule_names, st.data())
def test_outside_a_set_are_all_tiles_that_its_groups_do_not_hold(deal: Deal, rules: str, data: st.DataObject) -> None:
    model = repair_model(deal, RULES[rules])
    chosen = data.draw(st.integers(0, len(model.sets) - 1))
    outside = int(model.sets[chosen]["outside"])
    rest = naive.tiles_of(groups_of(deal)) - naive.tiles_of(invalid_groups(deal, model, chosen))
    assert outside == TILES.parse(" ".join(rest.elements()))


@given(st.integers(0, GROUPS - 1), rule_names)
def test_valid_partners_are_those_of_the_twin(number: int, rules: str) -> None:
    mask = int(group_table().masks[number])
    partners = [naive.group(format_group(partner)) for partner in valid_partners(mask, RULES[rules])]
    assert sorted(partners) == game(rules).partners(naive.group(group_text(number)))


@given(deals, rule_names)
def test_helps_names_the_dealt_invalid_groups_of_each_valid_group(deal: Deal, rules: str) -> None:
    model = repair_model(deal, RULES[rules])
    helped: dict[naive.Group, int] = {}
    for k, one in enumerate(invalid_groups(deal, model)):
        for partner in game(rules).partners(one):
            helped[partner] = helped.get(partner, 0) | 1 << k
    for number, bits in zip(move_table(RULES[rules]).valid_groups.tolist(), model.helps.tolist(), strict=True):
        assert bits == helped.get(naive.group(group_text(number)), 0)


# What must hold whatever the deal


@given(deals, rule_names)
def test_the_bound_is_never_below_the_groups_minus_a_maximum_matching(deal: Deal, rules: str) -> None:
    model = repair_model(deal, RULES[rules])
    for chosen in range(0, len(model.sets), 37):
        assert int(model.sets[chosen]["bound"]) >= chosen.bit_count() - matching_of(model, chosen)


@given(deals, rule_names)
def test_without_constraints_the_bound_is_the_groups_minus_a_maximum_matching(deal: Deal, rules: str) -> None:
    model = repair_model(deal, RULES[rules])
    everything = len(model.sets) - 1
    assert bound_with(0, model, RULES[rules]) == everything.bit_count() - matching_of(model, everything)
    assert bound_with(everything, model, RULES[rules]) == int(model.sets[-1]["bound"])


@pytest.mark.parametrize(
    ("rules", "index"),
    [("classic", 18), ("classic", 33), ("classic", 65), ("mixed-dragon", 33), ("multiple", 343)],
)
def test_a_deal_with_a_frozen_set_has_no_order_of_repairs(rules: str, index: int) -> None:
    deal = Deal.random(1, index)
    assert game(rules).largest_frozen_set(groups_of(deal))
    assert int(repair_model(deal, RULES[rules]).sets[-1]["bound"]) == DEAD


@given(deals, rule_names)
def test_a_move_never_lowers_the_bound_by_more_than_one(deal: Deal, rules: str) -> None:
    groups = groups_of(deal)
    model = repair_model(deal, RULES[rules])
    places = {place: k for k, place in enumerate(model.places.tolist())}
    start = int(model.sets[-1]["bound"])
    assume(start != DEAD)
    for i, j in combinations(range(len(groups)), 2):
        if game(rules).exchanges(groups[i], groups[j]):
            left = len(model.sets) - 1
            for place in (i, j):
                if place in places:
                    left &= ~(1 << places[place])
            assert int(model.sets[left]["bound"]) >= start - 1


# Known deals


def test_a_deal_with_a_dead_group_is_dead() -> None:
    # [1:4][2:4][3:3] is one of the five dead groups of classic.
    deal = Deal.parse("14-24-33 11-11-12 22-22-23 33-13-13 44-44-34 55-55-35 66-66-26 16-16-36 15-15-25 46-46-45 56-56")
    assert int(repair_model(deal, CLASSIC).sets[-1]["bound"]) == DEAD


def test_a_position_without_invalid_groups_needs_no_repair() -> None:
    model = repair_model(Deal.parse(FINAL), CLASSIC)
    assert len(model.places) == 0
    assert model.sets["bound"].tolist() == [0]
    assert int(model.sets[0]["outside"]) == TEN.tiles


@pytest.mark.parametrize("text", ["14-24-33", "14-24-45", "15-25-33", "15-25-44", "23-24-34"])
def test_a_dead_group_of_classic_has_no_valid_partner(text: str) -> None:
    assert valid_partners(parse_group(text), CLASSIC) == ()


def test_partners_of_what_is_no_group_are_refused() -> None:
    with pytest.raises(InputError, match="is neither a triple nor a pair"):
        valid_partners(1, CLASSIC)
