"""Surveys of Daifugō and what is reported of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import solver.daifugo.survey as module
from solver.daifugo.matches import DEAL, NONE, Matches, Table
from solver.daifugo.report import difference, difference_report, report, stays, strength_report, table_report
from solver.daifugo.rules import PRESETS
from solver.daifugo.survey import Survey, play_deals, read_deals, strength_tables
from solver.errors import InputError
from solver.statistics import share_of
from solver.store import Store
from solver.tablesurvey import run

TRADITIONAL = PRESETS["traditional"]
NAMES = ("greedy", "random", "greedy", "random")
STOP = TRADITIONAL.with_option("eight_stop=on")
SURVEY = Survey({rules.id: Table(rules, NAMES, True) for rules in (TRADITIONAL, STOP)}, 5)


@pytest.fixture(scope="module")
def expected() -> dict[str, NDArray[np.void]]:
    return {name: Matches(table, SURVEY.seed).play(0, 24) for name, table in SURVEY.tables.items()}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 15)


def filled(path: Path, survey: Survey, deals: int, jobs: int = 1) -> Store:
    store = Store.create_or_open(path, survey.description())
    *_, last = run(store, survey, deals, jobs=jobs)
    assert last.done == last.total == deals * len(survey.tables)
    return store


def same(store: Store, expected: dict[str, NDArray[np.void]], deals: int) -> bool:
    return all(np.array_equal(read_deals(store, name, deals), found[:deals]) for name, found in expected.items())


@pytest.mark.usefixtures("small")
def test_records_do_not_depend_on_pieces_or_processes(tmp_path: Path, expected: dict[str, NDArray[np.void]]) -> None:
    with filled(tmp_path / "a.db", SURVEY, 33) as store:
        assert same(store, expected, 33)
        *_, last = run(store, SURVEY, 101, jobs=2)
        assert last.done == 202
        assert same(store, expected, 101)
        assert [progress.done for progress in run(store, SURVEY, 50)] == [100]
    with filled(tmp_path / "b.db", SURVEY, 120, jobs=2) as store:
        assert same(store, expected, 120)


@pytest.mark.usefixtures("small")
def test_a_stopped_survey_keeps_what_is_finished(tmp_path: Path, expected: dict[str, NDArray[np.void]]) -> None:
    with Store.create_or_open(tmp_path / "a.db", SURVEY.description()) as store:
        asked: Iterator[int] = iter(range(100))
        found = list(run(store, SURVEY, 120, stop=lambda: next(asked) > 3))
        assert 0 < found[-1].done < found[-1].total
        *_, last = run(store, SURVEY, 120)
        assert last.done == 240
        assert same(store, expected, 120)
        with pytest.raises(InputError, match="5 of the first 125 deals"):
            read_deals(store, "traditional", 125)


def test_deals_from_anywhere(expected: dict[str, NDArray[np.void]]) -> None:
    matches = Matches(SURVEY.tables["traditional"], SURVEY.seed)
    for start, count in [(0, 0), (5, 0), (7, 0), (0, 1), (3, 1), (4, 2), (2, 20), (5, 5), (99, 21)]:
        assert np.array_equal(play_deals(matches, start, count, 5), expected["traditional"][start : start + count])


def test_a_file_holds_one_survey(tmp_path: Path) -> None:
    assert Survey.from_description(json.loads(json.dumps(SURVEY.description()))) == SURVEY
    with filled(tmp_path / "a.db", SURVEY, 5):
        pass
    with pytest.raises(InputError, match="holds a survey with seed 5, not 6"):
        Store.create_or_open(tmp_path / "a.db", replace(SURVEY, seed=6).description())
    other = {"traditional": Table(TRADITIONAL, ("greedy",) * 4, True), STOP.id: SURVEY.tables[STOP.id]}
    with pytest.raises(InputError, match=r'players\[1\] "random", not "greedy"'):
        Store.create_or_open(tmp_path / "a.db", Survey(other, 5).description())
    with pytest.raises(InputError, match="not a survey of Daifugō"):
        Survey.from_description({"kind": "xiangshifu survey"})
    with pytest.raises(InputError, match="not a survey"):
        Survey.from_description({"kind": module.KIND, "seed": 1})


def test_surveys_that_cannot_be() -> None:
    with pytest.raises(InputError, match="needs a table"):
        Survey({}, 1)
    with pytest.raises(InputError, match="seed -1 is not in"):
        replace(SURVEY, seed=-1)
    longer = TRADITIONAL.with_option("rounds=7")
    with pytest.raises(InputError, match="rounds: the matches of a survey"):
        Survey({"a": Table(TRADITIONAL, NAMES), "b": Table(longer, NAMES)}, 1)
    for names in (("random",), ("random", "random")):
        with pytest.raises(InputError, match="two players or more, each named once"):
            strength_tables(names, TRADITIONAL, 4)


def test_a_report_counts_what_happened() -> None:
    """Two matches of three players, counted by hand."""
    rules = TRADITIONAL.with_option("rounds=3")
    records = np.zeros(6, dtype=DEAL)
    places = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 1, 0), (0, 1, 2), (0, 2, 1)]
    for name in ("places", "before", "without"):
        records[name] = NONE
    records["places"][:, :3] = places
    for deal in (1, 2, 4, 5):
        records["before"][deal, :3] = places[deal - 1]
        records["without"][deal, :3] = (1, 0, 2)
    records["plays"] = [10, 20, 30, 40, 50, 60]
    records["revolutions"] = [0, 1, 2, 0, 0, 0]
    found = table_report("x", Table(rules, ("random",) * 3, True), records)
    assert found.stays_first == share_of(2, 4)
    assert found.stays_last == share_of(0, 4)
    assert found.transitions.tolist() == [[2, 1, 1], [0, 1, 3], [2, 2, 0]]
    assert found.revolution == share_of(2, 6)
    assert found.measures["plays"].mean == 35
    assert found.measures["revolutions"].mean == 0.5
    assert [player.place.mean for player in found.players] == pytest.approx([9 / 6, 13 / 6, 14 / 6])
    assert [player.first.hits for player in found.players] == [4, 1, 1]
    assert [player.score.mean for player in found.players] == pytest.approx([4 / 6, 1 / 6, 1 / 6])
    assert found.leader_first == share_of(4, 6)
    # The former firsts are players 0, 0, 2 and 0: without the exchange they come 1, 1, 2, 1, with it 0, 1, 2, 0.
    assert found.worth.first_place.mean == 0.5
    # The former lasts are players 2, 1, 0, 2: without it 2, 0, 1, 2, with it 1, 0, 0, 1.
    assert found.worth.last_place.mean == 0.75
    assert found.worth.last_score.mean == 0.25
    assert found.worth.deals == 4
    assert stays(records, 3, 0).tolist() == [False, True, False, False, False, True]
    assert json.loads(json.dumps(found.to_json()))["worth"]["deals"] == 4


def test_a_table_does_not_differ_from_itself(expected: dict[str, NDArray[np.void]]) -> None:
    name, other = SURVEY.parts
    tables = SURVEY.tables[name], SURVEY.tables[name]
    found = difference((name, name), tables, (expected[name], expected[name]))
    assert all(mean.mean == 0 and mean.error == 0 for mean in found.measures.values())
    found = difference((name, other), (tables[0], SURVEY.tables[other]), (expected[name], expected[other]))
    plain = expected[other]["plays"].mean() - expected[name]["plays"].mean()
    assert found.measures["plays"].mean == pytest.approx(plain)
    assert found.measures["plays"].error > 0
    later = expected[name]["before"][:, 0] != NONE
    change = [stays(expected[part], 4, 0)[later].mean() for part in (name, other)]
    assert found.measures["stays_first"].mean == pytest.approx(change[1] - change[0])


def test_comparisons_are_read_from_the_file(tmp_path: Path) -> None:
    with filled(tmp_path / "a.db", SURVEY, 20) as store:
        assert [found.name for found in report(store, SURVEY, 20)] == list(SURVEY.parts)
        assert difference_report(store, SURVEY, 20).names == SURVEY.parts


def strength_of(names: tuple[str, ...], rules: str, seats: int, deals: int, path: Path) -> list[float]:
    """Lower bounds of how many places better each player ends than the one before."""
    survey = Survey(strength_tables(names, PRESETS[rules], seats), 3)
    with filled(path, survey, deals) as store:
        found = strength_report(store, survey, deals)
    assert [(pair.weak, pair.strong) for pair in found] == list(pairwise(names))
    for pair in found:
        assert pair.place.interval is not None
    return [pair.place.interval.low for pair in found]  # type: ignore[union-attr]


@pytest.mark.parametrize(("rules", "seats"), [("traditional", 4), ("uecda", 5), ("president", 3)])
def test_each_player_is_stronger_than_the_one_before(rules: str, seats: int, tmp_path: Path) -> None:
    assert min(strength_of(("random", "greedy", "rules"), rules, seats, 400, tmp_path / "s.db")) > 0.1


def test_playouts_are_stronger_than_greed(tmp_path: Path) -> None:
    assert min(strength_of(("greedy", "monte-carlo:60"), "traditional", 4, 60, tmp_path / "s.db")) > 0.1


@pytest.mark.slow
def test_playouts_are_stronger_than_rules(tmp_path: Path) -> None:
    assert min(strength_of(("rules", "monte-carlo"), "traditional", 4, 600, tmp_path / "s.db")) > 0
