"""Comparisons of rule sets against counting by hand, the rules file, and solving."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver import Deal, RuleSet, solve
from solver.errors import InputError
from solver.statistics import Mean
from solver.store import Store
from solver.xiangshifu.remedies import (
    EXAMPLES,
    Triples,
    all_remedies,
    compare,
    remedies_report,
    rules_change,
    with_baseline,
)
from solver.xiangshifu.rules import CLASSIC
from solver.xiangshifu.survey import Survey, first_records, run
from solver.xiangshifu.verdicts import RECORD

LOST = 2
"""Any outcome that is a loss."""


def records(*deals: tuple[int, int]) -> NDArray[np.void]:
    """Records of deals by outcome and length."""
    found = np.zeros(len(deals), dtype=RECORD)
    found["outcome"] = [outcome for outcome, _ in deals]
    found["length"] = [length for _, length in deals]
    return found


def test_a_comparison_by_hand() -> None:
    baseline = records((1, 9), (1, 7), (LOST, 0), (LOST, 0), (1, 5), (0, 0), (1, 8), (1, 6))
    remedy = records((1, 6), (1, 7), (1, 4), (LOST, 0), (LOST, 0), (1, 5), (0, 0), (1, 4))
    found = compare(remedy, baseline)
    assert (found.winnable.hits, found.winnable.trials, found.undecided) == (5, 8, 1)
    # The two deals that one of them left undecided don't count.
    assert (found.difference.gained, found.difference.lost, found.difference.trials) == (1, 1, 6)
    assert (found.gained, found.lost) == ((2,), (4,))
    assert found.length is not None
    assert (found.length.count, found.length.mean) == (5, (6 + 7 + 4 + 5 + 4) / 5)
    assert found.length_in_both is not None
    assert (found.length_in_both.count, found.length_in_both.mean) == (3, 17 / 3)
    assert found.baseline_length is not None
    assert found.baseline_length.mean == 22 / 3
    assert isinstance(found.change, Mean)
    assert found.change.mean == pytest.approx((-3 + 0 - 2) / 3)


def test_without_lengths_only_verdicts_are_compared() -> None:
    found = compare(records((1, 0), (1, 0)), records((1, 0), (LOST, 0)))
    assert (found.length, found.length_in_both, found.change) == (None, None, None)
    assert found.difference.gained == 1


def test_lengths_beyond_what_a_record_holds_do_not_count() -> None:
    found = compare(records((1, 255), (1, 5)), records((1, 9), (1, 6)))
    assert found.length is not None
    assert (found.length.count, found.length.mean) == (1, 5.0)
    assert found.change is not None
    assert found.change.mean == -1


def test_few_deals_are_named_and_only_equal_numbers_compared() -> None:
    found = compare(records(*[(1, 3)] * 20), records(*[(LOST, 0)] * 20))
    assert found.gained == tuple(range(EXAMPLES))
    assert found.difference.gained == 20
    with pytest.raises(ValueError, match="20 deals can't be compared with 1"):
        compare(records(*[(1, 3)] * 20), records((1, 3)))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=60))
def test_gains_and_losses_make_the_difference(outcomes: list[tuple[int, int]]) -> None:
    here, there = records(*((a, 5) for a, _ in outcomes)), records(*((b, 5) for _, b in outcomes))
    found, other = compare(here, there), compare(there, here)
    assert (found.difference.gained, found.difference.lost) == (other.difference.lost, other.difference.gained)
    if all(a and b for a, b in outcomes):
        assert found.difference.gained - found.difference.lost == found.winnable.hits - other.winnable.hits


def test_all_combinations_of_the_remedies() -> None:
    found = all_remedies()
    assert [rules.id for rules in found] == [
        "classic",
        "thirteen",
        "mixed-dragon",
        "multiple",
        "thirteen+mixed-dragon",
        "thirteen+multiple",
        "mixed-dragon+multiple",
        "thirteen+mixed-dragon+multiple",
    ]
    assert all(RuleSet.parse(rules.id) == rules for rules in found)


@pytest.mark.parametrize(
    ("rules", "valid", "added", "removed", "dead"),
    [
        ("classic", (195, 674), (0, 0), (0, 0), 5),
        ("thirteen", (248, 872), (53, 198), (0, 0), 1),
        ("mixed-dragon", (198, 675), (5, 10), (2, 9), 0),
        ("multiple", (234, 811), (39, 137), (0, 0), 0),
    ],
)
def test_changes_of_the_rules_file(
    rules: str, valid: tuple[int, int], added: tuple[int, int], removed: tuple[int, int], dead: int
) -> None:
    found = rules_change(RuleSet.parse(rules), CLASSIC)
    assert (found.valid, found.added, found.removed) == (Triples(*valid), Triples(*added), Triples(*removed))
    assert len(found.groups.dead) == dead


def test_the_baseline_is_first_and_names_are_unique(tmp_path: Path) -> None:
    thirteen = RuleSet.parse("thirteen")
    assert with_baseline([thirteen, CLASSIC, thirteen], CLASSIC) == (CLASSIC, thirteen)
    own = []
    for number in (11, 12):
        file = tmp_path / f"{number}.toml"
        file.write_text(f'name = "own"\nfourteen_threshold = {number}\n')
        own.append(RuleSet.parse(str(file)))
    with pytest.raises(InputError, match="'own' names 2"):
        with_baseline(own, CLASSIC)


def test_first_records_of_chunks_and_what_is_missing(tmp_path: Path) -> None:
    every = records(*((1, length) for length in range(1, 41)))
    with Store.create_or_open(tmp_path / "s.db", {}) as store:
        for start, end in ((20, 40), (0, 15)):
            store.add("classic", start, every[start:end].tobytes(), end - start)
        assert first_records(store, "classic", 10).tolist() == every[:10].tolist()
        with pytest.raises(InputError, match="5 of the first 30 deals"):
            first_records(store, "classic", 30)
        store.add("classic", 15, every[15:20].tobytes(), 5)
        assert first_records(store, "classic", 33).tolist() == every[:33].tolist()


def test_remedies_on_the_same_deals_as_solving_says(tmp_path: Path) -> None:
    rules = (CLASSIC, RuleSet.parse("mixed-dragon"), RuleSet.parse("thirteen+multiple"))
    survey = Survey(rules=rules, seed=1, layout="ten", goal="any", shortest=True)
    with Store.create_or_open(tmp_path / "s.db", survey.description()) as store:
        for _ in run(store=store, survey=survey, count=64):
            pass
        found = remedies_report(survey, store, 64)
    assert [remedy.rules for remedy in found.remedies] == list(rules)
    lengths = {one.id: [solve(Deal.random(1, index), one).length for index in range(64)] for one in rules}
    for remedy in found.remedies:
        here, there = lengths[remedy.rules.id], lengths["classic"]
        comparison = remedy.comparison
        assert comparison.winnable.hits == sum(length is not None for length in here)
        both = [(a, b) for a, b in zip(here, there, strict=True) if a is not None and b is not None]
        assert comparison.change is not None
        assert comparison.change.mean == pytest.approx(sum(a - b for a, b in both) / len(both))
        gained = [index for index, (a, b) in enumerate(zip(here, there, strict=True)) if a is not None and b is None]
        assert comparison.gained == tuple(gained[:EXAMPLES])
    record = json.loads(json.dumps(found.to_json()))
    assert (record["schema"], record["baseline"], record["deals"]) == (1, "classic", 64)
    assert record["rules"]["classic"]["difference"] is None
    remedy = record["rules"]["thirteen+multiple"]
    assert remedy["difference"]["gained"] >= 3
    for example in remedy["difference"]["gained_deals"]:
        assert solve(example["deal"]).verdict == "unwinnable"
        assert solve(example["deal"], "thirteen+multiple").verdict == "winnable"
    assert remedy["valid_triples"]["removed"] == {"kinds": 0, "tiles": 0}
    assert remedy["in_both"]["change"]["mean"] < 0
