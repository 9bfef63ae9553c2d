"""The search for better remedies against trying everything on a sample."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver import Deal, RuleSet, solve
from solver.xiangshifu.patterns import pattern_table, valid_patterns
from solver.xiangshifu.remedies import rules_change
from solver.xiangshifu.remedysearch import (
    REFERENCES,
    Change,
    all_candidates,
    change_of,
    on_front,
    options,
    promising,
    score,
    search_report,
    worth_trying,
)
from solver.xiangshifu.rules import CLASSIC

MIXED = (2, 3, 3, 4, 4, 5)


@cache
def candidates(without_kao: bool = False) -> NDArray[np.void]:
    return all_candidates(without_kao=without_kao)


def sample(rows: NDArray[np.void], count: int) -> list[np.void]:
    """Some rows of each number of changes, and of those that leave no group."""
    source = np.random.default_rng(3)
    parts = [rows[rows["changes"] == changes] for changes in (1, 2, 3)] + [rows[rows["left"] == 0]]
    return [part[place] for part in parts for place in source.choice(len(part), count, replace=False)]


@pytest.mark.parametrize("without_kao", [False, True])
def test_rows_are_what_trying_every_exchange_says(without_kao: bool) -> None:
    for row in sample(candidates(without_kao), 3):
        change = change_of(row, without_kao=without_kao)
        effect = rules_change(change.rules(), CLASSIC)
        dead, conditional = len(effect.groups.dead), len(effect.groups.conditionally_dead)
        assert (int(row["left"]), int(row["dead"])) == (dead + conditional, dead), change
        assert (int(row["kinds"]), int(row["tiles"])) == (effect.added.kinds, effect.added.tiles), change


def test_every_candidate_is_there_once_and_the_best_are_first() -> None:
    rows = candidates()
    keys = rows[["option", "patterns"]]
    assert len(np.unique(keys)) == len(rows)
    ranks = [tuple(map(int, row)) for row in rows[["left", "dead", "kinds", "tiles"]].tolist()]
    assert ranks == sorted(ranks)
    free = int((~valid_patterns(CLASSIC)).sum())
    two = rows[(rows["option"] == 0) & (rows["patterns"][:, 1] >= 0) & (rows["patterns"][:, 2] < 0)]
    assert len(two) == free * (free - 1) // 2
    assert all(row["left"] < two["left"].min() for row in rows[rows["changes"] == 3])


def test_three_patterns_that_save_all_are_found() -> None:
    rows = candidates()
    found = {change_of(row).patterns for row in rows[(rows["changes"] == 3) & (rows["left"] == 0)]}
    assert len(found) > 1000
    table = pattern_table()
    cheap = [table.patterns[n] for n in np.flatnonzero(~valid_patterns(CLASSIC)) if table.kinds[n] == 1]
    few = [tuple(sorted((MIXED, *pair))) for pair in combinations(cheap[:7], 2)]
    for patterns in few:
        effect = rules_change(Change(patterns=patterns).rules(), CLASSIC)
        none = not effect.groups.dead and not effect.groups.conditionally_dead
        assert (patterns in found) == none


def test_options_make_different_patterns_valid() -> None:
    made = [patterns.tobytes() for patterns in options().values()]
    assert len(set(made)) == len(made)
    assert next(iter(options())) == Change()
    for change in (Change(threshold=13), Change(multiples=(3, 4)), Change(threshold=12, multiples=(4,))):
        patterns = valid_patterns(change.rules()) & ~valid_patterns(CLASSIC)
        assert patterns.tobytes() in made


def test_known_remedies_are_recognised() -> None:
    assert [change.rules().id for change in REFERENCES] == ["classic", "thirteen", "mixed-dragon", "multiple"]
    assert Change(patterns=(MIXED,)).rules().id == "ends-233445"
    assert Change(threshold=13, multiples=(3, 4)).rules() == RuleSet.parse("thirteen+multiple")


CHANGES = [
    Change(threshold=9),
    Change(multiples=(2, 5), patterns=((1, 1, 1, 1, 4, 4),)),
    Change(without_kao=True, patterns=((1, 1, 1, 1, 4, 4), MIXED)),
    Change(without_kao=True),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_rule_file_has_the_rules(change: Change, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(change.toml())
    assert RuleSet.parse(str(file)) == change.rules()


@pytest.mark.parametrize("change", REFERENCES)
def test_a_rule_file_of_a_built_in_rule_set_has_another_name(change: Change, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(change.toml())
    assert valid_patterns(RuleSet.parse(str(file))).tolist() == valid_patterns(change.rules()).tolist()


points = st.lists(st.tuples(*[st.integers(0, 5)] * 3), min_size=1, max_size=40)


@given(points)
def test_the_front_is_what_no_other_surpasses(chosen: list[tuple[int, int, int]]) -> None:
    found = on_front(np.array(chosen, dtype=np.int64))
    for point, kept in zip(chosen, found, strict=True):
        surpassed = any(all(a <= b for a, b in zip(other, point, strict=True)) and other != point for other in chosen)
        assert kept != surpassed


def test_promising_candidates_are_the_first_and_the_front() -> None:
    rows = candidates()
    chosen = promising(rows, 3)
    for changes in (1, 2, 3):
        of_these = rows[rows["changes"] == changes]
        assert np.isin(of_these[:3], chosen).all()
        measures = np.stack([of_these[name] for name in ("left", "kinds", "tiles")], axis=1).astype(np.int64)
        front = {tuple(point) for point in measures[on_front(measures)].tolist()}
        kept = chosen[chosen["changes"] == changes]
        assert front <= {(int(row["left"]), int(row["kinds"]), int(row["tiles"])) for row in kept}
    count, tried = worth_trying(best=3)
    assert count == len(rows)
    assert tried[: len(REFERENCES)] == REFERENCES
    assert len(set(tried)) == len(tried)


def test_the_cheapest_that_leave_nothing() -> None:
    first = candidates()[0]
    assert (int(first["left"]), int(first["kinds"]), int(first["tiles"])) == (0, 7, 14)
    assert MIXED in change_of(first).patterns


def test_scores_are_those_of_deciding_every_deal() -> None:
    changes = [
        *REFERENCES,
        Change(patterns=((3, 3, 3, 3, 6, 6),)),
        Change(without_kao=True, patterns=((3, 3, 3, 3, 6, 6),)),
    ]
    found = list(score(changes, 1, 100))
    assert [one.change for one in found] == changes
    for one in found:
        verdicts = [solve(Deal.random(1, index), one.rules, first=True).verdict for index in range(100)]
        assert one.winnable.hits == verdicts.count("winnable")
        assert one.undecided == 0
    assert list(score(changes[:2], 1, 100, jobs=2)) == found[:2]
    report = search_report(1, 100, 12, found)
    assert [one.rank for one in report.scored] == sorted(one.rank for one in found)
    record = json.loads(json.dumps(report.to_json()))
    assert (record["schema"], record["best"], record["deals"], record["candidates"]) == (1, "multiple", 100, 12)
    assert record["rules"]["classic"]["front"]
    assert {"record", "toml", "winnable", "share", "low", "high", "dead", "conditionally_dead"} <= set(
        record["rules"]["thirteen"]
    )
