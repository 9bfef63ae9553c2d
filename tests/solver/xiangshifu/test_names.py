"""Names: everything that a person reads about has one in every language."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from solver.xiangshifu.goals import named_goals, parse_goal
from solver.xiangshifu.groups import GROUPS, TRIPLES, classified, group_names, group_table
from solver.xiangshifu.names import (
    COMBINATIONS,
    GOALS,
    LANGUAGES,
    LAYOUTS,
    PAIRS,
    RULES,
    TILES,
    Name,
    combination_name,
    goal_name,
    group_name,
    pair_name,
    rules_name,
    tile_name,
)
from solver.xiangshifu.position import LAYOUTS as ALL_LAYOUTS
from solver.xiangshifu.rules import CLASSIC, NAMED_ORDER, PAIR_NAMES, PRESETS, REMEDIES, RuleSet, combine
from solver.xiangshifu.tiles import TILES as DECK

RULE_FILES = sorted((Path(__file__).parents[3] / "data" / "rules").glob("*.toml"))
ALL_RULES = [combine(chosen) for chosen in ({*()}, *({name} for name in REMEDIES), set(REMEDIES))]
GOAL_IDS = ["any", *(goal.id for layout in ALL_LAYOUTS.values() for goal in named_goals(layout))]


def is_chinese(text: str) -> bool:
    return bool(text) and all(unicodedata.name(c).startswith("CJK") or c in "：、" for c in text)


@pytest.mark.parametrize("table", [TILES, PAIRS, COMBINATIONS, LAYOUTS, GOALS, RULES])
def test_names_are_in_their_language(table: dict[str, Name]) -> None:
    assert len(LANGUAGES) == len(Name._fields)
    for name in table.values():
        assert name.en.isascii()
        assert name.en.strip()
        assert is_chinese(name.zh), name


def test_every_tile() -> None:
    assert tuple(TILES) == tuple(kind.name for kind in DECK.kinds)
    assert (tile_name("66", "zh"), tile_name("13", "zh"), tile_name("12", "en")) == ("天", "和", "supreme three")
    civilian = [name for name, kind in zip(TILES.values(), DECK.kinds, strict=True) if kind.copies == 2]
    assert len(set(civilian)) == 11


def test_every_pair() -> None:
    valid = [DECK.names(int(group_table().masks[n])) for n in range(TRIPLES, GROUPS) if classified(CLASSIC)[n]]
    assert {"-".join(sorted(tiles)) for tiles in valid} == set(PAIRS)
    for lang in LANGUAGES:
        assert len({pair_name(tiles, lang) for tiles in valid}) == 16
    assert pair_name(("24", "12"), "zh") == pair_name(("12", "24"), "zh") == "至尊"


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: rules.id)
def test_every_combination_of_every_rule_set(rules: RuleSet) -> None:
    assert {*rules.names, *PAIR_NAMES} <= set(COMBINATIONS)
    assert is_chinese(rules_name(rules.id, "zh").replace("+", ""))
    assert rules_name(rules.id, "en") == rules.id
    for number in range(GROUPS):
        mask = int(group_table().masks[number])
        names = group_names(mask, rules)
        for lang in LANGUAGES:
            assert bool(group_name(DECK.names(mask), names, lang)) == bool(names)
        assert not names or is_chinese(group_name(DECK.names(mask), names, "zh"))


def test_no_name_is_left_over() -> None:
    assert set(COMBINATIONS) == {*NAMED_ORDER, *PAIR_NAMES}
    assert set(RULES) == set(PRESETS)
    assert set(LAYOUTS) == set(ALL_LAYOUTS)
    assert set(GOALS) == {goal for goal in GOAL_IDS if not goal.startswith("pair:")}


@pytest.mark.parametrize("goal", GOAL_IDS)
def test_every_goal(goal: str) -> None:
    assert any(parse_goal(goal, layout) for layout in ALL_LAYOUTS.values() if goal in ("any", *_ids(layout)))
    assert goal_name(goal, "en").isascii()
    assert is_chinese(goal_name(goal, "zh"))


def _ids(layout: object) -> list[str]:
    return [goal.id for goal in named_goals(layout)]  # type: ignore[arg-type]


@pytest.mark.parametrize("path", RULE_FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_of_a_users_own_are_kept(path: Path, lang: str) -> None:
    rules = RuleSet.parse(str(path))
    assert rules_name(rules.id, lang) == rules.id
    own = [name for name in rules.names if name not in COMBINATIONS]
    assert own
    for name in own:
        assert combination_name(name, lang) == name.replace("-", " ")


def test_names_of_a_group() -> None:
    assert group_name(("66", "66"), ("civilian",), "en") == "civilian pair"
    assert group_name(("66", "66"), ("civilian",), "zh") == "雙天"
    assert group_name(("11", "16", "66"), ("full-fourteen", "split"), "en") == "full fourteen, split"
    assert group_name(("11", "16", "66"), ("full-fourteen", "split"), "zh") == "十四點、分相"
    assert group_name(("11", "66"), (), "zh") == ""
    assert goal_name("pair:12-24", "en") == "pair 12-24"
    assert "至尊" in goal_name("pair:12-24", "zh")
