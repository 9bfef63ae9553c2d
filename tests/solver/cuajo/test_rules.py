"""The rule record of Cuajo: defaults, options, files, JSON, contradictions."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from solver.cuajo.rules import AMOUNTS, KEYS, OPTIONS, TRADITIONAL, RuleSet
from solver.errors import InputError


def test_the_defaults_are_the_first_values_of_the_rules_file() -> None:
    assert {option: getattr(TRADITIONAL, option) for option in OPTIONS} == {
        "win_needs_purro": True,
        "secret_payers": "each",
        "secret_before_draw": True,
        "sowee_secret_unlaid": False,
        "bounit_is_sowee_twin": True,
        "porbis_kings": False,
        "last_discard_after_stock": True,
        "nothing_to_discard": "skip",
        "secret_shown": "face_down",
    }
    assert all(getattr(TRADITIONAL, option) == values[0] for option, values in OPTIONS.items())


def test_the_amounts_are_those_of_the_rules() -> None:
    assert [getattr(TRADITIONAL, name) for name in AMOUNTS] == [50, 20, 110, 110, 60, 70, 20, 300, 50]
    assert TRADITIONAL.most_turned == 15


def test_a_record_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        TRADITIONAL.porbis = 0  # type: ignore[misc]


@pytest.mark.parametrize(("option", "value"), [(option, value) for option in OPTIONS for value in OPTIONS[option]])
def test_every_value_of_every_option_is_taken(option: str, value: Any, tmp_path: Path) -> None:
    text = {True: "yes", False: "no"}.get(value, value)
    rules = TRADITIONAL.with_option(f"{option} = {text}")
    assert getattr(rules, option) is value or getattr(rules, option) == value
    assert rules.id == f"traditional with {option}={text}"
    parsed = RuleSet.parse(f"{option}={text}")
    assert getattr(parsed, option) == value
    path = tmp_path / "mine.toml"
    path.write_text(f"{option} = {json.dumps(value)}", encoding="utf-8")
    assert RuleSet.parse(str(path)) == RuleSet(id="mine", **{option: value})


def test_several_options_at_once_in_any_order() -> None:
    rules = RuleSet.parse("no_condition=80, bounit_condition=90,sowee_condition=80")
    assert (rules.no_condition, rules.bounit_condition, rules.sowee_condition) == (80, 90, 80)
    assert rules.id == "traditional with no_condition=80, bounit_condition=90, sowee_condition=80"


def test_json_is_the_whole_record_and_is_read_back() -> None:
    rules = RuleSet.parse("porbis_kings=true,porbis=500")
    record = json.loads(json.dumps(rules.to_json()))
    assert set(record) == {"id", *KEYS}
    assert RuleSet.from_json(record) == rules
    assert RuleSet.from_json(TRADITIONAL.to_json()) == TRADITIONAL


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"porbis_kings": "yes"}, "porbis_kings: yes is none of false, true"),
        ({"porbis_kings": 1}, "porbis_kings: 1 is none of false, true"),
        ({"secret_payers": "both"}, "secret_payers: both is none of each, one"),
        ({"nothing_to_discard": True}, "nothing_to_discard: true is none of skip, draw"),
        ({"id": " "}, "name: must be a text of printable characters, not ' '"),
        ({"id": 3}, "name: must be a text of printable characters, not 3"),
        ({"porbis": -1}, "porbis: must be a whole number from 0 to 1000000, not -1"),
        ({"secret": 0.5}, "secret: must be a whole number from 0 to 1000000, not 0.5"),
        ({"secret": True}, "secret: must be a whole number from 0 to 1000000, not True"),
        ({"most_turned": 112}, "most_turned: must be a whole number from 0 to 111, not 112"),
        (
            {"bounit_condition": 120},
            "bounit_condition 120 is more than both_conditions 110: a winner would lose by meeting the other "
            "condition too",
        ),
        (
            {"both_conditions": 65},
            "sowee_condition 70 is more than both_conditions 65: a winner would lose by meeting the other "
            "condition too",
        ),
        (
            {"no_condition": 65},
            "bounit_condition 60 is less than no_condition 65: a winner would lose by meeting a condition",
        ),
        ({"sowee_condition": 10}, "sowee_condition 10 is less than no_condition 20: a winner would lose by meeting a "
         "condition"),
    ],
)  # fmt: skip
def test_wrong_values_and_contradictions_are_refused_with_the_reason(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        RuleSet(**change)
    assert str(error.value) == message
    with pytest.raises(InputError):
        RuleSet.from_json({**TRADITIONAL.to_json(), "id": "mine", **change})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("classic", "'classic' is neither a rule set (traditional), nor a file, nor option=value"),
        ("porbis_kings=maybe", "porbis_kings: 'maybe' is none of false, true"),
        ("porbis=-3", "porbis: must be a whole number, not '-3'"),
        ("porbis=300,porbis=300", "porbis is given twice"),
        ("missing.toml", "missing.toml: No such file or directory"),
    ],
)
def test_texts_that_are_no_rules_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        RuleSet.parse(text)
    assert str(error.value) == message


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    for read in (RuleSet.parse, TRADITIONAL.with_option):
        with pytest.raises(InputError, match=r"^'colour=red': must be option=value, with one of win_needs_purro, "):
            read("colour=red")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = ", "not TOML: "),
        ("colour = 1", "colour: no such key; known are name, win_needs_purro, "),
        ('name = "traditional"', "name: 'traditional' belongs to a built-in rule set; choose another"),
        ("name = 3", "name: must be a text of printable characters, not 3"),
        ('porbis = "much"', "porbis: must be a whole number"),
        ("both_conditions = 10", "bounit_condition 60 is more than both_conditions 10"),
    ],
)
def test_files_that_are_no_rules_are_refused_with_their_name(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        RuleSet.parse(str(path))
    assert str(error.value).startswith(f"{path}: {message}")
    assert "\n" not in str(error.value)


def test_records_that_are_not_whole_are_refused() -> None:
    record = TRADITIONAL.to_json()
    with pytest.raises(InputError, match=r"^rules: not a rule record"):
        RuleSet.from_json({**record, "colour": 1})
    with pytest.raises(InputError, match=r"^rules: porbis is missing$"):
        RuleSet.from_json({key: value for key, value in record.items() if key != "porbis"})
    with pytest.raises(InputError, match="belongs to a built-in rule set with another record"):
        RuleSet.from_json({**record, "porbis": 100})
