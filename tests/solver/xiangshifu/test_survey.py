"""Surveys: their description, what work is left, and the records they keep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from plain import result

import solver.xiangshifu.survey as module
from solver.errors import InputError
from solver.store import Store
from solver.xiangshifu.goals import named_goals
from solver.xiangshifu.goalverdicts import GOAL_RECORD, GoalDecider
from solver.xiangshifu.position import LAYOUTS
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.survey import (
    CHUNK,
    GOAL_CHUNK,
    Piece,
    Progress,
    Survey,
    Work,
    build_worker,
    outcomes,
    read_goal_records,
    read_records,
    run,
    stored,
    tasks,
)
from solver.xiangshifu.tablebase import Tablebase, build_components
from solver.xiangshifu.verdicts import OUTCOMES, RECORD, WINNABLE, Decider

ROOT = Path(__file__).parents[3]
THIRTEEN = RuleSet.parse("thirteen")
GENTLE = RuleSet.parse(str(ROOT / "data" / "rules" / "gentle.toml"))
SURVEY = Survey((CLASSIC, THIRTEEN), seed=4)


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 32)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create_or_open(tmp_path / "survey.db", SURVEY.description()) as opened:
        yield opened


def all_records(store: Store, part: str) -> NDArray[np.void]:
    parts = list(read_records(store, part))
    ends = [start + len(records) for start, records in parts]
    assert [start for start, _ in parts] == [0, *ends[:-1]]
    return np.concatenate([records for _, records in parts])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("rules", [(CLASSIC,), (GENTLE, RuleSet.parse("thirteen+multiple"), CLASSIC)])
def test_a_survey_comes_back_from_its_file(tmp_path: Path, layout: str, rules: tuple[RuleSet, ...]) -> None:
    survey = Survey(rules, (1 << 128) - 1, layout, "any", True)
    with Store.create_or_open(tmp_path / "survey.db", survey.description()) as store:
        assert Survey.from_description(store.description) == survey


def test_a_survey_must_make_sense() -> None:
    for wrong, words in [
        ({"rules": ()}, "needs a rule set"),
        ({"rules": (CLASSIC, THIRTEEN, CLASSIC)}, "two rule sets have the id 'classic'"),
        ({"seed": -1}, "seed -1"),
        ({"seed": 1 << 128}, "seed"),
        ({"layout": "nine"}, "'nine'"),
        ({"goal": "moon"}, "moon"),
        ({"goal": "shanghai"}, "belongs to layout shanghai, not ten"),
        ({"goal": "generals", "shortest": True}, "for goal any only, not for goal generals"),
        ({"goal": "all", "shortest": True}, "for goal any only, not for goal all"),
    ]:
        with pytest.raises(InputError, match=words):
            Survey(**{"rules": (CLASSIC,), "seed": 1, **wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change", [{"kind": "daifugo"}, {"rules": 3}, {"seed": "x"}, {"seed": None}, {"rules": [{"id": "classic"}]}]
)
def test_other_descriptions_are_no_surveys(change: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Survey.from_description({**SURVEY.description(), **change})
    with pytest.raises(InputError):
        Survey.from_description({})


def test_work_is_paired_and_keeps_to_its_stretch(store: Store) -> None:
    assert list(tasks(store, SURVEY, 2 * CHUNK + 5)) == [
        Piece(place, start, count)
        for start, count in [(0, CHUNK), (CHUNK, CHUNK), (2 * CHUNK, 5)]
        for place in range(2)
    ]


def test_only_what_is_missing_is_worked_on(store: Store) -> None:
    store.add("classic", 100, b"", 100)
    store.add("classic", CHUNK - 3, b"", 2 * CHUNK)
    store.add("thirteen", 0, b"", 3 * CHUNK)
    assert list(tasks(store, SURVEY, 3 * CHUNK)) == [
        Piece(0, 0, 100),
        Piece(0, 200, CHUNK - 203),
        Piece(0, 3 * CHUNK - 3, 3),
    ]
    assert list(tasks(store, SURVEY, 150)) == [Piece(0, 0, 100)]
    assert stored(store, SURVEY, 150) == 200
    assert stored(store, SURVEY, 3 * CHUNK) == 6 * CHUNK - 100 - (CHUNK - 203) - 3


def test_work_for_very_many_deals_comes_bit_by_bit(store: Store) -> None:
    work = tasks(store, SURVEY, 1 << 60)
    assert [next(work).start for _ in range(4)] == [0, 0, CHUNK, CHUNK]
    assert stored(store, SURVEY, 1 << 60) == 0


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("shortest", [False, True])
def test_records_are_those_of_a_decider(tmp_path: Path, shortest: bool) -> None:
    survey = Survey((GENTLE, CLASSIC), 6, shortest=shortest)
    with Store.create_or_open(tmp_path / "survey.db", survey.description()) as store:
        assert [step.done for step in run(store, survey, 70)] == [0, 32, 64, 96, 128, 134, 140]
        for rules in survey.rules:
            expected = Decider(rules, shortest=shortest).decide(6, 0, 70)
            assert np.array_equal(all_records(store, rules.id), expected)
            counts = outcomes(store, rules.id, 50)
            assert counts.shape == (len(OUTCOMES),)
            assert counts.sum() == 50
            assert counts[WINNABLE] == (expected["outcome"][:50] == WINNABLE).sum()


@pytest.mark.usefixtures("small_chunks")
def test_other_layouts_have_deals_of_their_own() -> None:
    survey = Survey((CLASSIC,), 6, layout="eight")
    answer = build_worker(Work(survey))(Piece(0, 10, 20))
    expected = Decider(CLASSIC).decide(6, 10, 20, LAYOUTS["eight"])
    assert answer == expected.tobytes()


@pytest.mark.usefixtures("small_chunks")
def test_a_survey_grows(store: Store, tmp_path: Path) -> None:
    for count in (40, 41, 20, 100):
        assert list(run(store, SURVEY, count))[-1] == Progress(2 * count, 2 * count)
    path = tmp_path / "at-once.db"
    with Store.create_or_open(path, SURVEY.description()) as other:
        assert list(run(other, SURVEY, 100))[-1] == Progress(200, 200)
        for rules in SURVEY.rules:
            assert np.array_equal(all_records(store, rules.id), all_records(other, rules.id))


@pytest.mark.usefixtures("small_chunks")
def test_processes_change_nothing(store: Store, tmp_path: Path) -> None:
    list(run(store, SURVEY, 200))
    with Store.create_or_open(tmp_path / "two.db", SURVEY.description()) as other:
        list(run(other, SURVEY, 200, jobs=2))
        for rules in SURVEY.rules:
            assert np.array_equal(all_records(store, rules.id), all_records(other, rules.id))


@pytest.mark.usefixtures("small_chunks")
def test_a_stopped_survey_goes_on(store: Store) -> None:
    seen: list[Progress] = []
    steps = run(store, SURVEY, 100, stop=lambda: len(seen) == 3)
    for step in steps:
        seen.append(step)
    assert seen[-1] == Progress(64, 200)
    assert stored(store, SURVEY, 100) == 64
    assert [step.done for step in run(store, SURVEY, 100)] == [64, 96, 128, 160, 192, 196, 200]


@pytest.mark.usefixtures("small_chunks")
def test_what_another_process_stores_meanwhile_is_completed(store: Store) -> None:
    steps = run(store, SURVEY, 40)
    assert [next(steps).done, next(steps).done] == [0, 32]
    # Less than the next piece: that can't be added any more, so a second round does the rest of it.
    store.add("thirteen", 0, Decider(THIRTEEN).decide(4, 0, 7).tobytes(), 7)
    assert [step.done for step in steps] == [64, 72, 80, 55, 80]
    assert np.array_equal(all_records(store, "thirteen"), Decider(THIRTEEN).decide(4, 0, 40))


def test_records_of_another_size_are_damage(store: Store) -> None:
    store.add("classic", 0, bytes(RECORD.itemsize * 2), 3)
    with pytest.raises(InputError, match=r"survey\.db: damaged at classic 0"):
        list(read_records(store, "classic"))


def test_goals_of_a_survey() -> None:
    assert Survey((CLASSIC,), 1).goals == ()
    assert Survey((CLASSIC,), 1, "eight", "all").goals == named_goals(LAYOUTS["eight"])
    (goal,) = Survey((CLASSIC,), 1, "shanghai", "shanghai").goals
    assert goal.id == "shanghai"
    one, other = (Survey((CLASSIC,), 1, goal=text) for text in ("pair:34-25", "pair:25-34"))
    assert one == other
    assert one.description()["goal"] == "pair:25-34"


def test_goals_take_shorter_stretches(store: Store) -> None:
    survey = Survey((CLASSIC, THIRTEEN), 4, goal="all")
    assert list(tasks(store, survey, GOAL_CHUNK + 5)) == [
        Piece(place, start, count) for start, count in [(0, GOAL_CHUNK), (GOAL_CHUNK, 5)] for place in range(2)
    ]


def test_records_of_goals_are_those_of_a_decider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XSF_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(module, "GOAL_CHUNK", 8)
    layout = LAYOUTS["shanghai"]
    # Few enough valid positions for a table that is built soon, and deals of either kind.
    fewer = replace(CLASSIC, id="fewer", combinations=CLASSIC.combinations[:3])
    survey = Survey((fewer,), 6, "shanghai", "shanghai")
    with pytest.raises(InputError, match="No such file or directory; each worker needs the table of components in its"):
        build_worker(Work(survey))(Piece(0, 0, 1))
    result(build_components(layout, fewer, jobs=2))
    expected = GoalDecider(Tablebase(layout, fewer), survey.goals).decide(6, 0, 20)
    for jobs in (1, 2):
        with Store.create_or_open(tmp_path / f"{jobs}.db", survey.description()) as store:
            assert [step.done for step in run(store, survey, 20, jobs=jobs)][-1] == 20
            found = np.concatenate([records for _, records in read_goal_records(store, "fewer")])
        assert found.dtype == GOAL_RECORD
        assert np.array_equal(found, expected)
    # A bit for Shanghai, and one for any final position.
    assert {(1 | 2, 0), (2, 1), (0, 1 | 2)} == set(found[["winnable", "unwinnable"]].tolist())
