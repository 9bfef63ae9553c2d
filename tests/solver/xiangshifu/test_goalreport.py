"""Reports of surveys of goals, against a plain recount of made-up records."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.errors import InputError
from solver.statistics import share_of
from solver.store import Store
from solver.xiangshifu.goalreport import goal_report
from solver.xiangshifu.goalverdicts import GOAL_RECORD
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.survey import Survey, goal_outcomes, read_goal_records, read_records

RULES = (CLASSIC, RuleSet.parse("thirteen"))
DEALS = 150


def made_up(place: int, goals: int) -> NDArray[np.void]:
    """Records as a rule set might have them."""
    source = np.random.default_rng(place)
    records = np.zeros(DEALS, dtype=GOAL_RECORD)
    records["winnable"] = source.integers(0, 1 << goals + 1, DEALS)
    records["unwinnable"] = source.integers(0, 1 << goals + 1, DEALS) & ~records["winnable"]
    return records


def stored(path: Path, survey: Survey) -> Store:
    store = Store.create_or_open(path, survey.description())
    for place, rules in enumerate(survey.rules):
        records = made_up(place, len(survey.goals))
        for start in range(0, DEALS, 64):
            part = records[start : start + 64]
            store.add(rules.id, start, part.tobytes(), len(part))
    return store


def bits(record: np.void, name: str, goals: int) -> list[bool]:
    return [bool(int(record[name]) >> goal & 1) for goal in range(goals + 1)]


@pytest.mark.parametrize("layout", ["ten", "eight"])
def test_numbers_equal_a_recount(tmp_path: Path, layout: str) -> None:
    survey = Survey(RULES, 3, layout, "all")
    ids = [goal.id for goal in survey.goals]
    with stored(tmp_path / "goals.db", survey) as store:
        found = goal_report(store)
        for place, part in enumerate(found.rules):
            told = part.to_json()
            wins, losses = (
                [bits(record, name, len(ids)) for record in made_up(place, len(ids))]
                for name in ("winnable", "unwinnable")
            )
            assert list(told["goals"]) == [*ids, "any"]
            for goal, one in enumerate(told["goals"].values()):
                won, lost = sum(win[goal] for win in wins), sum(loss[goal] for loss in losses)
                share = share_of(won, DEALS)
                assert (one["deals"], one["winnable"], one["unwinnable"]) == (DEALS, won, lost)
                assert one["undecided"] == DEALS - won - lost
                assert (one["share"], one["low"], one["high"]) == (share.share, share.wilson.low, share.wilson.high)
                assert one["share_at_most"] == (DEALS - lost) / DEALS
            reached = [sum(win[:-1]) for win in wins]
            assert told["goals_reached"] == {str(n): reached.count(n) for n in sorted(set(reached))}
            for a, one_goal in enumerate(ids):
                for b, other in enumerate(ids):
                    count = sum(win[a] and loss[b] for win, loss in zip(wins, losses, strict=True))
                    assert told["exclusions"][one_goal][other] == count
            outcomes = goal_outcomes(store, survey, part.rules.id, 100)
            assert outcomes.sum(axis=1).tolist() == [100] * (len(ids) + 1)
            assert outcomes[:, 0].tolist() == [sum(win[goal] for win in wins[:100]) for goal in range(len(ids) + 1)]


def test_a_single_goal_excludes_none(tmp_path: Path) -> None:
    survey = Survey(RULES, 3, goal="generals")
    with stored(tmp_path / "goals.db", survey) as store:
        told = goal_report(store).to_json()
    assert told["goal"] == "generals"
    for part in told["rules"].values():
        assert list(part["goals"]) == ["generals", "any"]
        assert part["goals_reached"] is part["exclusions"] is None


def test_a_survey_without_deals(tmp_path: Path) -> None:
    survey = Survey(RULES, 3, goal="all")
    with Store.create_or_open(tmp_path / "goals.db", survey.description()) as store:
        for part in goal_report(store).rules:
            assert (part.deals, part.undecided, part.reached) == (0, 0, {})
            assert {(share.winnable.share, share.most) for share in part.goals} == {(None, None)}


def test_records_of_other_surveys_are_refused(tmp_path: Path) -> None:
    with stored(tmp_path / "goals.db", Survey(RULES, 3, goal="all")) as store:
        with pytest.raises(InputError, match="a survey of goal all, but one of goal any is needed"):
            read_records(store, "classic")
        store.add("classic", 1000, bytes(GOAL_RECORD.itemsize), 2)
        with pytest.raises(InputError, match=r"goals\.db: damaged at classic 1000"):
            list(read_goal_records(store, "classic"))
    plain = Store.create_or_open(tmp_path / "any.db", Survey(RULES, 3).description())
    with plain, pytest.raises(InputError, match="not a survey of goals"):
        goal_report(plain)
