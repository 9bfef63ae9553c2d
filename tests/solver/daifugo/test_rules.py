"""The rule record: options, contradictions, presets, files, JSON."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import cardtable
import pytest
from hypothesis import given

from solver.daifugo.rules import OPTIONS, PRESETS, RuleSet
from solver.errors import InputError

BASE = {
    "id": "traditional",
    "players": 0,
    "jokers": 1,
    "decks": 1,
    "sequences": True,
    "sequence_two": True,
    "compare": "strict",
    "sequence_compare": "top",
    "revolution_quads": "off",
    "revolution_sequences": "off",
    "revolution_three_threes": False,
    "revolution_timing": "cleared",
    "joker_revolution": False,
    "miyako_ochi": False,
    "miyako_ochi_timing": "played_out",
    "suit_lock": "off",
    "suit_lock_after": 2,
    "joker_locks": True,
    "forbidden_finish": "off",
    "spade_three": "off",
    "eight_stop": "off",
    "eleven_back": False,
    "ten_discard": False,
    "pass_is_final": False,
    "trick_end": "others_passed",
    "two_clears": False,
    "max_set": 4,
    "seating": "fixed",
    "leader": "loser",
    "exchange": "base",
    "joker_kept": False,
    "on_request": False,
    "scoring": "titles",
    "rounds": 5,
}
PRESIDENT = {
    "jokers": 0,
    "sequences": False,
    "compare": "equal_or_higher",
    "two_clears": True,
    "exchange": "president",
}
CHANGES: dict[str, dict[str, Any]] = {
    "traditional": {},
    "president": PRESIDENT,
    "polish": PRESIDENT
    | {
        "jokers": 1,
        "sequences": True,
        "revolution_quads": "any",
        "revolution_timing": "immediately",
        "eight_stop": "on",
    },
    "uecda": {
        "players": 5,
        "sequence_compare": "no_overlap",
        "max_set": 5,
        "revolution_quads": "any",
        "revolution_sequences": "five",
        "revolution_timing": "immediately",
        "eight_stop": "on",
        "spade_three": "clears",
        "suit_lock": "full",
        "pass_is_final": True,
        "trick_end": "all_passed",
        "leader": "three_of_diamonds",
    },
    "1979": {"jokers": 2, "sequences": False, "joker_revolution": True},
}
CONTRADICTIONS = [
    ({"joker_revolution": True}, "joker_revolution needs two jokers in all"),
    ({"joker_revolution": True, "jokers": 2, "decks": 2}, "joker_revolution needs two jokers in all"),
    ({"joker_revolution": True, "jokers": 2, "exchange": "off"}, "joker_revolution needs the exchange"),
    ({"jokers": 0, "spade_three": "on"}, "spade_three beats a single joker, and jokers is 0"),
    ({"jokers": 0, "spade_three": "clears"}, "spade_three beats a single joker, and jokers is 0"),
    ({"jokers": 0, "forbidden_finish": "joker_only"}, "forbidden_finish is joker_only, and jokers is 0"),
    ({"jokers": 0, "joker_kept": True}, "joker_kept needs a joker"),
    ({"jokers": 0, "max_set": 5}, "max_set 5 needs a joker or a second pack"),
    ({"sequences": False, "revolution_sequences": "five"}, "revolution_sequences needs sequences"),
    ({"sequences": False, "revolution_sequences": "four"}, "revolution_sequences needs sequences"),
    ({"sequences": False, "sequence_compare": "no_overlap"}, "sequence_compare needs sequences"),
    ({"compare": "equal_or_higher", "sequence_compare": "no_overlap"}, "equal sequences overlap"),
    ({"seating": "by_result_reversed"}, "leader must be winner"),
    ({"seating": "by_result_reversed", "leader": "three_of_diamonds"}, "leader must be winner"),
    ({"exchange": "off", "joker_kept": True}, "joker_kept is about the exchange, which is off"),
    ({"exchange": "off", "on_request": True}, "on_request is about the exchange, which is off"),
]


def test_the_defaults_are_the_base_game() -> None:
    assert RuleSet().to_json() == BASE
    assert {option: values[0] for option, values in OPTIONS.items()} == {
        option: value for option, value in BASE.items() if option not in ("id", "rounds")
    }


def test_presets_are_their_changes_of_the_base_game() -> None:
    assert {name: rules.to_json() for name, rules in PRESETS.items()} == {
        name: BASE | changes | {"id": name} for name, changes in CHANGES.items()
    }


@pytest.mark.parametrize(("changes", "reason"), CONTRADICTIONS)
def test_contradictions_are_refused_with_a_reason(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError) as error:
        RuleSet(**changes)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"jokers": 2, "joker_revolution": True},
        {"decks": 2, "joker_revolution": True},
        {"spade_three": "on"},
        {"forbidden_finish": "joker_only"},
        {"jokers": 0, "forbidden_finish": "on"},
        {"joker_kept": True, "on_request": True},
        {"max_set": 5},
        {"jokers": 0, "decks": 2, "max_set": 5},
        {"revolution_sequences": "four"},
        {"sequence_compare": "no_overlap"},
        {"sequences": False, "jokers": 0, "exchange": "off"},
        {"compare": "equal_or_higher"},
        {"seating": "by_result_reversed", "leader": "winner"},
    ],
)
def test_what_borders_on_a_contradiction_is_none(changes: dict[str, Any]) -> None:
    rules = RuleSet(**changes)
    assert {option: getattr(rules, option) for option in changes} == changes


def test_every_value_of_every_option_is_allowed_somewhere() -> None:
    random = Random(1)
    records = [cardtable.random_rules(random).to_json() for _ in range(400)] + [
        RuleSet(players=n).to_json() for n in OPTIONS["players"]
    ]
    for option, values in OPTIONS.items():
        assert {record[option] for record in records} == set(values)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"jokers": 3}, "jokers: 3 is none of 1, 0, 2"),
        ({"jokers": True}, "jokers: true is none of 1, 0, 2"),
        ({"jokers": [1]}, "jokers: [1] is none of 1, 0, 2"),
        ({"sequences": 1}, "sequences: 1 is none of true, false"),
        ({"sequences": "on"}, "sequences: on is none of true, false"),
        ({"compare": "Strict"}, "compare: Strict is none of strict, equal_or_higher"),
        ({"compare": None}, "compare: None is none of strict, equal_or_higher"),
        ({"players": 2}, "players: 2 is none of 0, 3, 4, 5, 6, 7, 8"),
        ({"rounds": 0}, "rounds: must be a number from 1 to 1000000, not 0"),
        ({"rounds": True}, "rounds: must be a number from 1 to 1000000, not True"),
        ({"rounds": 1_000_001}, "rounds: must be a number from 1 to 1000000, not 1000001"),
        ({"id": " "}, "name: must be a text of printable characters, not ' '"),
        ({"id": "a\nb"}, "name: must be a text of printable characters, not 'a\\nb'"),
        ({"id": 7}, "name: must be a text of printable characters, not 7"),
    ],
)
def test_values_that_an_option_has_not_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        RuleSet(**changes)
    assert str(error.value) == message


def test_an_option_is_changed_by_text() -> None:
    rules = (
        PRESETS["traditional"].with_option(" suit_lock = full").with_option("ten_discard=on").with_option("rounds=12")
    )
    assert rules == RuleSet(
        id="traditional with suit_lock=full with ten_discard=on with rounds=12",
        suit_lock="full",
        ten_discard=True,
        rounds=12,
    )
    assert PRESETS["uecda"].with_option("jokers=2").jokers == 2
    assert PRESETS["president"].with_option("sequences=true").sequences
    assert not PRESETS["traditional"].with_option("sequences=off").sequences


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("suit_lock", "must be option=value"),
        ("id=x", "must be option=value, with one of players, jokers"),
        ("suit_locks=full", "must be option=value, with one of players, jokers"),
        ("suit_lock=on", "suit_lock: 'on' is none of off, full, partial"),
        ("sequences=1", "sequences: '1' is none of true, false"),
        ("rounds=many", "rounds: 'many' is none of the numbers"),
        ("rounds=" + "9" * 5000, "is none of the numbers"),
        ("rounds=0", "rounds: must be a number from 1"),
        ("joker_revolution=on", "joker_revolution needs two jokers in all"),
    ],
)
def test_changes_by_text_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        RuleSet().with_option(text)
    assert message in str(error.value)


@given(cardtable.rule_sets)
def test_json_reads_back(rules: RuleSet) -> None:
    record = rules.to_json()
    assert list(record) == [field.name for field in fields(RuleSet)]
    assert RuleSet.from_json(json.loads(json.dumps(record))) == rules


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": "mine", "jokes": 1}, "jokes"),
        ({"id": "uecda"}, "'uecda' belongs to a built-in rule set"),
        ({"id": "mine", "jokers": "1"}, "jokers: 1 is none of"),
    ],
)
def test_other_json_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        RuleSet.from_json(BASE | changes)
    assert message in str(error.value)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_read_by_name(name: str) -> None:
    assert RuleSet.parse(name) is PRESETS[name]
    assert RuleSet.from_json(PRESETS[name].to_json()) == PRESETS[name]


def write(folder: Path, text: str) -> str:
    path = folder / "house.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_file_has_a_base_and_what_differs_from_it(tmp_path: Path) -> None:
    path = write(tmp_path, 'name = "ours"\nbase = "uecda"\nsuit_lock = "partial"\neleven_back = true\nrounds = 20\n')
    assert RuleSet.parse(path) == replace(PRESETS["uecda"], id="ours", suit_lock="partial", eleven_back=True, rounds=20)


def test_a_file_without_name_and_base_is_named_after_itself_and_starts_from_the_base_game(tmp_path: Path) -> None:
    assert RuleSet.parse(write(tmp_path, "miyako_ochi = true\n")) == RuleSet(id="house", miyako_ochi=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("suitlock = 'full'", "suitlock: no such key; known are name, base, players"),
        ("id = 'ours'", "id: no such key"),
        ("suit_lock = ", "not TOML"),
        ("suit_lock = 'half'", "suit_lock: half is none of off, full, partial"),
        ("base = 'chess'", "base: 'chess' is no rule set"),
        ("base = ['uecda']", "base: ['uecda'] is no rule set"),
        ("name = 'uecda'", "name: 'uecda' belongs to a built-in rule set"),
        ("name = ['uecda']", "name: must be a text"),
        ("joker_revolution = true", "joker_revolution needs two jokers in all"),
        ("jokers = 1.0", "jokers: 1.0 is none of 1, 0, 2"),
    ],
)
def test_bad_files_are_refused_with_file_key_and_reason(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError) as error:
        RuleSet.parse(path)
    assert str(error.value).startswith(f"{path}: {message}")


def test_what_is_neither_a_preset_nor_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'whist' is neither a rule set .* nor a file"):
        RuleSet.parse("whist")
    for path in (str(tmp_path / "none.toml"), str(tmp_path)):
        with pytest.raises(InputError, match=r"none\.toml|directory"):
            RuleSet.parse(path)


def test_so_many_can_play() -> None:
    for players in range(3, 9):
        RuleSet().check_players(players)
    PRESETS["uecda"].check_players(5)
    with pytest.raises(InputError, match=r"^2 players: 3 to 8 can play$"):
        RuleSet().check_players(2)
    with pytest.raises(InputError, match=r"^9 players: 3 to 8 can play$"):
        RuleSet().check_players(9)
    with pytest.raises(InputError, match=r"^4 players: uecda is played by 5$"):
        PRESETS["uecda"].check_players(4)
