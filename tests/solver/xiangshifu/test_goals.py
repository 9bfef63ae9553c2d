"""Goals against their naive twin, the numbers of the rules, and the kernel against ``Goal.reached``."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import InputError
from solver.xiangshifu.goals import NEVER, RADIX, Goal, Part, _reaches, goal_arrays, named_goals, parse_goal
from solver.xiangshifu.groups import GROUPS, TRIPLES, classified, group_table
from solver.xiangshifu.moves import legal_moves
from solver.xiangshifu.position import LAYOUTS, TEN, Deal, Position, format_group, parse_group
from solver.xiangshifu.rules import CLASSIC, RuleSet

NO_DRAGONS = replace(CLASSIC, id="no dragons", patterns=CLASSIC.patterns[1:])
RULES = {
    "classic": CLASSIC,
    "everything": RuleSet.parse("thirteen+mixed-dragon+multiple"),
    "no dragons": NO_DRAGONS,
}
PAIRS = (
    *("66-66", "11-11", "44-44", "13-13", "55-55", "33-33", "22-22", "56-56", "46-46", "16-16", "15-15"),
    *("36-45", "26-35", "25-34", "14-23", "12-24"),
)
NAMES = {
    "ten": (*(f"pair:{pair}" for pair in PAIRS), "five-dragons", "generals"),
    "shanghai": ("shanghai",),
    "eight": ("eight-civil", "eight-military", "eight"),
}
DEFAULTS = {"ten": "any", "shanghai": "shanghai", "eight": "eight"}


def every_goal(layout: str) -> list[Goal]:
    return [*named_goals(LAYOUTS[layout]), parse_goal("any", LAYOUTS[layout])]


@cache
def game(rules: str) -> naive.Game:
    return naive.game_of(RULES[rules].to_json())


def triples_of(rules: str) -> list[naive.Group]:
    return [one for one in game(rules).valid_groups if len(one) == 3]


def position_of(groups: Iterable[naive.Group], layout: str) -> Position:
    """The position of some groups, which need not be of the layout's tiles."""
    ordered = sorted(groups, key=len, reverse=True)
    return Position(tuple(parse_group("-".join(one)) for one in ordered), LAYOUTS[layout])


def texts(position: Position) -> naive.Groups:
    return tuple(naive.group(format_group(group)) for group in position.groups)


def kernel_reaches(position: Position, goal: Goal, rules: RuleSet) -> bool:
    numbers = np.array([group_table().number(group) for group in position.groups], dtype=np.int16)
    return bool(_reaches(numbers, *goal_arrays(goal, rules)))


def reached_by_all(position: Position, rules: str) -> dict[str, bool]:
    """Which goals of its layout a position reaches, about which goal, kernel and twin agree."""
    found = {}
    for goal in every_goal(position.layout.name):
        found[goal.id] = goal.reached(position, RULES[rules])
        assert found[goal.id] == naive.goal_reached(game(rules), texts(position), goal.id), (goal.id, str(position))
        assert found[goal.id] == kernel_reaches(position, goal, RULES[rules]), (goal.id, str(position))
    return found


# Names


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_goals_of_a_layout(layout: str) -> None:
    goals = named_goals(LAYOUTS[layout])
    assert tuple(goal.id for goal in goals) == NAMES[layout]
    assert all(goal.layout == LAYOUTS[layout] for goal in goals)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_goal_is_read_by_its_id(layout: str) -> None:
    for goal in every_goal(layout):
        assert parse_goal(goal.id, LAYOUTS[layout]) is goal
    assert parse_goal(None, LAYOUTS[layout]).id == DEFAULTS[layout]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pair:2:2-2:2", "pair:22-22"),
        ("pair:31-13", "pair:13-13"),
        ("pair:24-12", "pair:12-24"),
        ("pair:42-21", "pair:12-24"),
        ("pair:5:4-6:3", "pair:36-45"),
        ("pair:[3:2][4:1]", "pair:14-23"),
    ],
)
def test_a_pair_is_read_in_any_spelling(text: str, name: str) -> None:
    assert parse_goal(text, TEN).id == name


@pytest.mark.parametrize(
    ("text", "layout", "message"),
    [
        ("luck", "ten", "goal 'luck' is unknown; layout ten has any, pair:…, five-dragons, generals"),
        ("", "shanghai", "goal '' is unknown; layout shanghai has any, shanghai"),
        ("a\nb", "eight", r"goal 'a\nb' is unknown; layout eight has any, eight-civil, eight-military, eight"),
        ("Generals", "ten", "goal 'Generals' is unknown; layout ten has any, pair:…, five-dragons, generals"),
        ("generals", "eight", "goal 'generals' belongs to layout ten, not eight"),
        ("shanghai", "ten", "goal 'shanghai' belongs to layout shanghai, not ten"),
        ("eight-civil", "shanghai", "goal 'eight-civil' belongs to layout eight, not shanghai"),
        ("pair:22-22", "eight", "goal 'pair:22-22' belongs to layout ten, not eight"),
        ("pair:22-33", "ten", "goal 'pair:22-33': 33-22 is no valid pair"),
        ("pair:22-22-33", "ten", "goal 'pair:22-22-33': 33-22-22 is no valid pair"),
        ("pair:22", "ten", "goal 'pair:22': group '22' has 1 tile; a group has 2 or 3"),
        ("pair:", "ten", "goal 'pair:': '' is not one group"),
        ("pair:77-77", "ten", "goal 'pair:77-77': tile 77 does not exist (column 1)"),
        ("pair:36-36", "ten", "goal 'pair:36-36': more than 1 of 36; the deck has no more"),
    ],
)
def test_what_is_no_goal_is_refused(text: str, layout: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_goal(text, LAYOUTS[layout])
    assert str(caught.value) == message


# Positions by hand

FIVE_DRAGONS = "11-11-15 56-34-12 13-56-24 13-46-25 26-35-14 55-55-15 16-45-23 66-66-16 33-33-36 44-44-46 22-22"
GENERALS = "11-11-12 15-15-14 16-16-36 22-22-23 44-44-24 55-55-25 66-66-26 33-33-34 56-56-35 46-46-45 13-13"
ONLY_SHANGHAI = "11-33-22 11-33-22 56-34-12 13-46-25 13-45-26 56-14-23 15-15-35 16-16-36 66-44-55 66-44-55"


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        (FIVE_DRAGONS, {"any", "pair:22-22", "five-dragons"}),
        (GENERALS, {"any", "pair:13-13", "generals"}),
        (ONLY_SHANGHAI, {"any", "shanghai"}),
    ],
)
def test_goals_of_a_position_by_hand(text: str, goals: set[str]) -> None:
    found = reached_by_all(Deal.parse(text), "classic")
    assert {goal for goal, reached in found.items() if reached} == goals


def test_without_valid_dragons_there_are_no_five_of_them() -> None:
    assert not any(reached_by_all(Deal.parse(FIVE_DRAGONS), "no dragons").values())


# The numbers of the rules


def goal_positions(pairs: Iterable[naive.Group], layout: str, asked: Callable[[naive.Group], bool]) -> list[Position]:
    """All final positions, classic, with these pairs and such triples."""
    tiles = naive.tiles_of(naive.deal(0, 0, layout)) - naive.tiles_of(pairs)
    triples = [one for one in triples_of("classic") if asked(one)]
    return [position_of((*pairs, *found), layout) for found in naive.partitions(tiles, triples)]


def is_dragon_or_five_sons(one: naive.Group) -> bool:
    return naive.ends(one) == "123456" or max(Counter(naive.ends(one)).values()) == 5


def is_of_shanghai(one: naive.Group) -> bool:
    return naive.ends(one) in ("123456", "112233", "445566") or one in naive.SHANGHAI_INGOTS


@cache
def positions_of(goal: str) -> list[Position]:
    """All positions that reach a goal, found by the rules' words for it."""
    if goal == "five-dragons":
        return goal_positions([("22", "22")], "ten", is_dragon_or_five_sons)
    if goal == "generals":
        return goal_positions([("13", "13")], "ten", naive.is_harmony)
    if goal == "shanghai":
        return goal_positions([], "shanghai", is_of_shanghai)
    pairs = naive.CIVIL_PAIRS if goal == "eight-civil" else naive.MILITARY_PAIRS
    return goal_positions(pairs, "eight", lambda one: True)


GOAL_POSITIONS = {"five-dragons": 34, "generals": 93, "shanghai": 1, "eight-civil": 2192, "eight-military": 3606}


@pytest.mark.parametrize("goal", GOAL_POSITIONS)
def test_so_many_final_positions_reach_a_goal(goal: str) -> None:
    positions = positions_of(goal)
    chosen = parse_goal(goal, positions[0].layout)
    assert len(set(positions)) == GOAL_POSITIONS[goal]
    assert sum(chosen.reached(position, CLASSIC) for position in positions) == GOAL_POSITIONS[goal]


@pytest.mark.parametrize("goal", GOAL_POSITIONS)
def test_goals_at_and_next_to_goal_positions(goal: str) -> None:
    positions = random.Random(1).sample(positions_of(goal), min(5, GOAL_POSITIONS[goal]))
    found = Counter()
    for position in positions:
        assert reached_by_all(position, "classic")[goal]
        for move in random.Random(2).sample(moves := legal_moves(position, CLASSIC), min(20, len(moves))):
            found[reached_by_all(position.exchanged(*move.groups, move.after), "classic")[goal]] += 1
    assert found[False] > 0


@pytest.mark.parametrize(("pair", "positions"), [("22-22", 1_037_904), ("36-45", 1_875_205), ("12-24", 4_608_385)])
def test_so_many_final_positions_end_with_a_pair(pair: str, positions: int) -> None:
    count = naive.partition_counter(triples_of("classic"))
    assert count(naive.SET - Counter(naive.group(pair))) == positions


def test_both_ways_to_count_partitions_agree() -> None:
    count = naive.partition_counter(triples_of("classic"))
    for pairs in (naive.CIVIL_PAIRS, naive.MILITARY_PAIRS):
        tiles = naive.SET - naive.tiles_of(pairs)
        assert count(tiles) == len(list(naive.partitions(tiles, triples_of("classic"))))


# Random final positions


def random_cover(rng: random.Random, tiles: Counter[str], groups: list[naive.Group]) -> naive.Groups | None:
    """Some groups that use up all tiles, by trying; the tile that fits into the fewest goes first."""
    hopeless = set()

    def covered(rest: Counter[str], groups: list[naive.Group]) -> naive.Groups | None:
        key = frozenset(rest.items())
        fitting = [one for one in groups if not Counter(one) - rest]
        scarce = min(rest, key=lambda tile: sum(tile in one for one in fitting), default=None)
        if scarce is None:
            return ()
        for one in rng.sample(fitting, len(fitting)) if key not in hopeless else ():
            if scarce in one and (others := covered(rest - Counter(one), fitting)) is not None:
                return (one, *others)
        hopeless.add(key)
        return None

    return covered(tiles, groups)


def random_final(seed: int, layout: str, rules: str) -> Position:
    """A random final position; of each pair that could be there some are tried."""
    rng = random.Random(seed)
    tiles = naive.tiles_of(naive.deal(0, 0, layout))
    _, _, pairs = naive.LAYOUTS[layout]
    for _ in range(100):
        chosen = rng.sample([naive.group(pair) for pair in PAIRS], pairs)
        if cover := random_cover(rng, tiles - naive.tiles_of(chosen), triples_of(rules)):
            return position_of((*chosen, *cover), layout)
    raise AssertionError("no final position found")


@given(st.integers(0, 2**32), st.sampled_from(sorted(LAYOUTS)), st.sampled_from(["classic", "everything"]))
def test_goals_of_random_final_positions(seed: int, layout: str, rules: str) -> None:
    position = random_final(seed, layout, rules)
    found = reached_by_all(position, rules)
    assert found["any"]
    if layout == "ten":
        assert sum(reached for goal, reached in found.items() if goal.startswith("pair:")) == 1


@given(st.integers(0, 2**32), st.sampled_from(sorted(LAYOUTS)))
def test_no_goal_is_reached_with_an_invalid_group(seed: int, layout: str) -> None:
    position = random_final(seed, layout, "classic")
    rng = random.Random(seed)
    numbers = np.flatnonzero(classified(CLASSIC)[:TRIPLES] == 0)
    broken = [int(group_table().masks[rng.choice(numbers)]), *position.groups[1:]]
    assert not any(reached_by_all(replace(position, groups=tuple(broken)), "classic").values())


@given(st.integers(0, 2**32), st.sampled_from(sorted(LAYOUTS)))
def test_no_goal_is_reached_by_a_deal_of_another_layout(seed: int, layout: str) -> None:
    position = random_final(seed, layout, "classic")
    for other in LAYOUTS.values():
        if other != position.layout:
            goals = every_goal(other.name)
            assert not any(goal.reached(position, CLASSIC) for goal in goals)
            assert not any(kernel_reaches(position, goal, CLASSIC) for goal in goals)


# Arrays


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_arrays_of_a_goal(layout: str, rules: str) -> None:
    for goal in every_goal(layout):
        weights, targets = arrays = goal_arrays(goal, RULES[rules])
        assert arrays is goal_arrays(goal, RULES[rules])
        assert weights.dtype == targets.dtype == np.int64
        assert weights.shape == (len(goal.alternatives), GROUPS)
        assert targets.shape == (len(goal.alternatives),)
        assert (weights[:, classified(RULES[rules]) == 0] == NEVER).all()
        assert (targets < NEVER).all()


def test_twelve_groups_that_never_fit_do_not_overflow() -> None:
    assert 0 < 12 * NEVER < 2**63
    assert max(layout.groups for layout in LAYOUTS.values()) <= min(12, RADIX - 1)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_parts_of_a_goal_share_no_group_and_fill_the_layout(layout: str) -> None:
    for goal in every_goal(layout):
        for parts in goal.alternatives:
            assert sum(part.count for part in parts) == goal.layout.groups
            assert len(frozenset().union(*(part.groups for part in parts))) == sum(len(part.groups) for part in parts)


def test_a_group_in_two_parts_fits_neither() -> None:
    position = Deal.parse(FIVE_DRAGONS)
    masks = frozenset(group_table().masks.tolist())
    twenty_two = frozenset([parse_group("22-22")])
    fitting = Goal("own", TEN, ((Part(masks - twenty_two, 10), Part(twenty_two, 1)),))
    doubtful = Goal("own", TEN, ((Part(masks, 10), Part(twenty_two, 1)),))
    for goal, reached in ((fitting, True), (doubtful, False)):
        assert goal.reached(position, CLASSIC) == kernel_reaches(position, goal, CLASSIC) == reached


def test_one_of_several_alternatives_is_enough() -> None:
    for goal in ("eight-civil", "eight-military"):
        found = reached_by_all(positions_of(goal)[0], "classic")
        assert found == {"any": True, "eight-civil": False, "eight-military": False, "eight": True, goal: True}
