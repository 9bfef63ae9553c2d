"""Rule records: presets, combinations of remedies, files, JSON."""

from __future__ import annotations

import json
from itertools import chain, combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import InputError
from solver.xiangshifu.rules import CLASSIC, NAMED_ORDER, PRESETS, REMEDIES, STRUCTURAL, Only, RuleSet, combine

DRAGONS = (
    ("dragon", (1, 2, 3, 4, 5, 6)),
    ("small-dragon", (1, 1, 2, 2, 3, 3)),
    ("big-dragon", (4, 4, 5, 5, 6, 6)),
)
KAO = ("two-three-kao", (2, 2, 3, 3, 6, 6))
MIXED = ("mixed-dragon", (2, 3, 3, 4, 4, 5))


def test_classic_is_the_record_of_the_rules() -> None:
    assert RuleSet.parse("classic") == RuleSet("classic", 14, (), STRUCTURAL, (*DRAGONS, KAO)) == CLASSIC


@pytest.mark.parametrize(
    ("text", "threshold", "multiples", "patterns"),
    [
        ("thirteen", 13, (), (*DRAGONS, KAO)),
        ("mixed-dragon", 14, (), (*DRAGONS, MIXED)),
        ("multiple", 14, (3, 4), (*DRAGONS, KAO)),
        ("thirteen+mixed-dragon", 13, (), (*DRAGONS, MIXED)),
        ("thirteen+multiple", 13, (3, 4), (*DRAGONS, KAO)),
        ("mixed-dragon+multiple", 14, (3, 4), (*DRAGONS, MIXED)),
        ("thirteen+mixed-dragon+multiple", 13, (3, 4), (*DRAGONS, MIXED)),
    ],
)
def test_each_remedy_is_its_change_of_classic(
    text: str, threshold: int, multiples: tuple[int, ...], patterns: tuple[Any, ...]
) -> None:
    assert RuleSet.parse(text) == RuleSet(text, threshold, multiples, STRUCTURAL, patterns)


every_choice = list(chain.from_iterable(combinations(REMEDIES, size) for size in range(4)))


@pytest.mark.parametrize("chosen", every_choice, ids="+".join)
def test_remedies_combine_in_any_order_into_one_record(chosen: tuple[str, ...]) -> None:
    texts = ["+".join(order) for order in permutations(("classic", *chosen))]
    assert {RuleSet.parse(text) for text in texts} == {combine(set(chosen))}
    assert combine(set(chosen)).id == ("+".join(chosen) or "classic")


def test_combine_refuses_what_is_no_remedy() -> None:
    with pytest.raises(KeyError):
        combine({"thirteen", "classic"})


def test_wikipedia_is_an_alias_of_mixed_dragon() -> None:
    assert RuleSet.parse("wikipedia") == RuleSet.parse("mixed-dragon")
    assert RuleSet.parse("multiple + wikipedia").id == "mixed-dragon+multiple"


def test_a_remedy_named_twice_counts_once() -> None:
    assert RuleSet.parse("thirteen+thirteen") == RuleSet.parse("thirteen")


@pytest.mark.parametrize(
    "text", ["", "fourteen", "a" * 300, "a\0b", "Classic", "thirteen,multiple", "thirteen+", "+", "thirteen+x"]
)
def test_a_name_that_is_no_preset_is_refused_with_the_known_ones(text: str) -> None:
    with pytest.raises(InputError) as error:
        RuleSet.parse(text)
    bad = next(name for name in text.split("+") if name not in PRESETS)
    assert str(error.value) == (f"{bad!r} is neither a rule set (classic, thirteen, mixed-dragon, multiple) nor a file")


def test_names_are_listed_in_the_order_of_the_interface() -> None:
    assert NAMED_ORDER == (
        "five-points",
        "full-fourteen",
        "split",
        "coincidence",
        "five-sons",
        "dragon",
        "small-dragon",
        "big-dragon",
        "two-three-kao",
        "mixed-dragon",
        "multiple",
    )
    assert RuleSet.parse("classic").names == NAMED_ORDER[:9]
    assert RuleSet.parse("multiple").names == (*NAMED_ORDER[:9], "multiple")
    assert RuleSet.parse("mixed-dragon+multiple").names == (*NAMED_ORDER[:8], "mixed-dragon", "multiple")


# Files


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_empty_file_is_classic_under_the_name_of_the_file(tmp_path: Path) -> None:
    rules = RuleSet.parse(str(written(tmp_path, "")))
    assert rules == RuleSet("mine", 14, (), STRUCTURAL, CLASSIC.patterns)


def test_the_example_of_the_interface_is_read(tmp_path: Path) -> None:
    text = """
        name = "my rules"
        base = "classic"
        fourteen_threshold = 13          # 1..; absent: as base
        multiples_of = [3, 4]            # exactly three of the number
        remove = ["two-three-kao"]
        [patterns]                       # extra six-end patterns
        mixed-dragon = [2, 3, 3, 4, 4, 5]
    """
    rules = RuleSet.parse(str(written(tmp_path, text)))
    everything = RuleSet.parse("thirteen+mixed-dragon+multiple").to_json()
    assert rules.to_json() == {**everything, "id": "my rules"}


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("fourteen_threshold = 1", {"fourteen_threshold": 1}),
        ("multiples_of = [6, 2, 6]", {"multiples_of": [2, 6]}),
        ('remove = ["split", "five-sons"]', {"combinations": ["five-points", "full-fourteen", "coincidence"]}),
        (
            'remove = ["dragon"]\n[patterns]\ndragon = [6, 1, 5, 1, 4, 1]',
            {"patterns": {**dict(CLASSIC.to_json()["patterns"]), "dragon": [1, 1, 1, 4, 5, 6]}},
        ),
        (
            "[patterns]\n'ten tigers' = [5, 5, 4, 4, 3, 3]",
            {"patterns": {**dict(CLASSIC.to_json()["patterns"]), "ten tigers": [3, 3, 4, 4, 5, 5]}},
        ),
        ('base = "thirteen"', {"fourteen_threshold": 13}),
        ('base = "multiple+thirteen"', {"fourteen_threshold": 13, "multiples_of": [3, 4]}),
        ('base = "multiple"\nmultiples_of = []', {}),
        ('base = "multiple"\nremove = ["multiple"]', {}),
        ('base = "multiple"\nmultiples_of = [5]', {"multiples_of": [5]}),
        ('base = "thirteen"\nfourteen_threshold = 14', {}),
    ],
)
def test_each_key_changes_its_part_of_the_base(tmp_path: Path, text: str, changes: dict[str, Any]) -> None:
    rules = RuleSet.parse(str(written(tmp_path, text)))
    assert rules.to_json() == {**CLASSIC.to_json(), "id": "mine", **changes}


def test_a_pattern_of_ones_own_is_listed_last(tmp_path: Path) -> None:
    rules = RuleSet.parse(str(written(tmp_path, "multiples_of = [3]\n[patterns]\nabc = [1, 1, 2, 2, 4, 4]")))
    assert rules.names == (*NAMED_ORDER[:9], "multiple", "abc")


def test_a_file_without_the_ending_is_read_if_it_exists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house").write_text("fourteen_threshold = 12", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert RuleSet.parse("house").fourteen_threshold == 12


FILE_ERRORS = {
    "fourteen_threshold = 0": "fourteen_threshold: must be a number from 1 to 99, not 0",
    "fourteen_threshold = 13.0": "fourteen_threshold: must be a number from 1 to 99, not 13.0",
    "fourteen_threshold = true": "fourteen_threshold: must be a number from 1 to 99, not True",
    'fourteen_threshold = "13"': "fourteen_threshold: must be a number from 1 to 99, not '13'",
    "multiples_of = 3": "multiples_of: must be a list of numbers from 1 to 6, not 3",
    "multiples_of = [0]": "multiples_of: must be a list of numbers from 1 to 6, not [0]",
    "multiples_of = [7]": "multiples_of: must be a list of numbers from 1 to 6, not [7]",
    "multiples_of = [true]": "multiples_of: must be a list of numbers from 1 to 6, not [True]",
    'remove = "dragon"': "remove: must be a list of combinations",
    "remove = [1]": "remove: 1 is no combination of classic",
    'remove = ["mixed-dragon"]': "remove: 'mixed-dragon' is no combination of classic (five-points, ",
    'remove = ["multiple"]': "remove: 'multiple' is no combination of classic",
    'base = "mixed-dragon"\nremove = ["two-three-kao"]': "remove: 'two-three-kao' is no combination of mixed-dragon",
    "patterns = 3": "patterns: must be a table of six-end patterns",
    "[patterns]\ndragon = [1, 2, 3, 4, 5, 6]": "patterns.dragon: classic has this pattern already; list it in 'remove'",
    "[patterns]\nx = [1, 2, 3, 4, 5]": "patterns.x: must be six numbers from 1 to 6, not [1, 2, 3, 4, 5]",
    "[patterns]\nx = [1, 2, 3, 4, 5, 7]": "patterns.x: must be six numbers from 1 to 6, not [1, 2, 3, 4, 5, 7]",
    "[patterns]\nx = [0, 2, 3, 4, 5, 6]": "patterns.x: must be six numbers from 1 to 6, not [0, 2, 3, 4, 5, 6]",
    "[patterns]\nx = 123456": "patterns.x: must be six numbers from 1 to 6, not 123456",
    "[patterns]\nsplit = [1, 2, 3, 4, 5, 6]": "patterns.split: this name belongs to another combination",
    "[patterns]\nmultiple = [1, 2, 3, 4, 5, 6]": "patterns.multiple: this name belongs to another combination",
    "[patterns]\n'' = [1, 2, 3, 4, 5, 6]": "patterns: a pattern needs a name of printable characters",
    '[patterns]\n"a\\tb" = [1, 2, 3, 4, 5, 6]': "patterns: a pattern needs a name of printable characters",
    "base = 3": "base: must be a text such as 'classic'",
    'base = "fourteen"': "base: 'fourteen' is no rule set; known are classic, thirteen, mixed-dragon, multiple",
    "name = 3": "name: must be a text of printable characters",
    'name = " "': "name: must be a text of printable characters",
    'name = "a\\nb"': "name: must be a text of printable characters",
    'name = "classic"': "name: 'classic' belongs to a built-in rule set; choose another",
    'name = "wikipedia + multiple"': "name: 'wikipedia + multiple' belongs to a built-in rule set; choose another",
    "treshold = 13": (
        "treshold: no such key; known are name, base, fourteen_threshold, multiples_of, remove, patterns"
    ),
    "a = ": "not TOML: ",
}


@pytest.mark.parametrize("text", FILE_ERRORS)
def test_a_bad_file_is_refused_with_file_key_and_reason(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        RuleSet.parse(str(path))
    assert str(error.value).startswith(f"{path}: {FILE_ERRORS[text]}")
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b'name = "\xff"')
    with pytest.raises(InputError) as error:
        RuleSet.parse(str(path))
    assert str(error.value).startswith(f"{path}: not TOML: ")


def test_a_file_named_like_a_preset_is_refused_without_a_name_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "thirteen.toml"
    path.write_text("", encoding="utf-8")
    with pytest.raises(InputError) as error:
        RuleSet.parse(str(path))
    assert str(error.value) == f"{path}: name: 'thirteen' belongs to a built-in rule set; choose another"


@pytest.mark.parametrize("text", ["none.toml", "./none", "no/such/folder.toml"])
def test_a_file_that_is_not_there_is_refused_by_its_name(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as error:
        RuleSet.parse(text)
    assert str(error.value) == f"{Path(text)}: No such file or directory"


@pytest.mark.parametrize("text", ["a" * 300 + ".toml", "a\0b.toml"])
def test_a_file_name_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        RuleSet.parse(text)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        RuleSet.parse(str(tmp_path))
    assert str(error.value) == f"{tmp_path}: Is a directory"


# JSON

pips = st.integers(1, 6)
pattern_names = st.sampled_from(["dragon", "mixed-dragon", "two-three-kao", "mine", "ten tigers"])
records = st.builds(
    RuleSet,
    id=st.text(st.characters(categories=("L", "N", "P")), max_size=8).map(lambda text: f"own {text}"),
    fourteen_threshold=st.integers(1, 40),
    multiples_of=st.sets(pips).map(lambda chosen: tuple(sorted(chosen))),
    combinations=st.sets(st.sampled_from(STRUCTURAL)).map(lambda on: tuple(c for c in STRUCTURAL if c in on)),
    patterns=st.dictionaries(pattern_names, st.lists(pips, min_size=6, max_size=6)).map(
        lambda chosen: tuple((name, tuple(sorted(ends))) for name, ends in chosen.items())
    ),
)


@given(records)
def test_a_record_reads_back_from_its_json(rules: RuleSet) -> None:
    assert RuleSet.from_json(json.loads(json.dumps(rules.to_json()))) == rules


def test_classic_as_json() -> None:
    assert CLASSIC.to_json() == {
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


@pytest.mark.parametrize("key", CLASSIC.to_json())
def test_a_record_without_a_key_is_refused(key: str) -> None:
    record = CLASSIC.to_json()
    del record[key]
    with pytest.raises(InputError, match=f"rules: {key} is missing"):
        RuleSet.from_json(record)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fourteen_threshold": 0}, "rules: fourteen_threshold: must be a number from 1 to 99, not 0"),
        ({"multiples_of": [7]}, "rules: multiples_of: must be a list of numbers from 1 to 6, not [7]"),
        ({"combinations": ["dragon"]}, "rules: combinations: 'dragon' is not one of five-points, full-fourteen"),
        ({"combinations": None}, "rules: not a rule record"),
        ({"patterns": {"x": [1]}}, "rules: patterns.x: must be six numbers from 1 to 6, not [1]"),
        ({"patterns": None}, "rules: not a rule record"),
        ({"patterns": "abc"}, "rules: "),
        ({"patterns": {3: [1, 2, 3, 4, 5, 6]}}, "rules: "),
    ],
)
def test_a_bad_record_is_refused_with_key_and_reason(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        RuleSet.from_json({**CLASSIC.to_json(), **change})
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("record", ["classic", [], None, 3])
def test_what_is_no_record_at_all_is_refused(record: Any) -> None:
    with pytest.raises(InputError, match="rules: not a rule record"):
        RuleSet.from_json(record)


# Restricted rule sets


def test_a_restricted_rule_set_is_another_whatever_the_order() -> None:
    one, other = Only(7, (1, 2)), Only(7, (1, 2), breaks=True)
    rules = CLASSIC.restricted([5, 3], [other, one])
    assert rules == CLASSIC.restricted({3, 5}, (one, other))
    assert hash(rules) == hash(CLASSIC.restricted({3, 5}, (one, other)))
    assert (rules.excluded, rules.only) == ((3, 5), (one, other))
    assert len({rules, CLASSIC, CLASSIC.restricted([3, 5]), CLASSIC.restricted(only=[one])}) == 4
    assert CLASSIC.restricted() == CLASSIC


def test_restrictions_are_no_part_of_the_record() -> None:
    rules = CLASSIC.restricted([3], [Only(7, (1, 2))])
    assert rules.to_json() == CLASSIC.to_json()
    assert rules.names == CLASSIC.names
    assert rules.restricted() == CLASSIC
