"""Surveys that are stored and gone on with, and what they come to."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from solver.cuajo.deals import Deals, Table
from solver.cuajo.odds import dealt_hands
from solver.cuajo.report import (
    MEANS,
    SHARES,
    dealt_report,
    difference_report,
    report,
    strength_report,
    table_report,
)
from solver.cuajo.rules import TRADITIONAL
from solver.cuajo.survey import CHUNK, KIND, Survey, read_deals, strength_tables
from solver.errors import InputError
from solver.store import Store
from solver.tablesurvey import run

SIMPLE = Table(TRADITIONAL, ("simple",) * 4)
SURVEY = Survey({"traditional": SIMPLE}, 1)


def test_a_survey_is_stored_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "deals.db"
    with Store.create_or_open(path, SURVEY.description()) as store:
        assert [progress.done for progress in run(store, SURVEY, 300)] == [0, 300]
        with pytest.raises(InputError, match="100 of the first 400 deals are not decided yet"):
            read_deals(store, "traditional", 400)
    count = CHUNK + 100
    with Store.create_or_open(path, SURVEY.description()) as store:
        assert [progress.done for progress in run(store, SURVEY, count)] == [300, CHUNK, count]
        records = read_deals(store, "traditional", count)
    assert records.tobytes() == Deals(SIMPLE, 1).play(0, count).tobytes()
    with pytest.raises(InputError, match="seed 1, not 2"):
        Store.create_or_open(path, Survey(SURVEY.tables, 2).description())


def test_a_survey_stops_when_told(tmp_path: Path) -> None:
    with Store.create_or_open(tmp_path / "deals.db", SURVEY.description()) as store:
        assert [progress.done for progress in run(store, SURVEY, 300, stop=lambda: True)] == [0]


def test_a_file_tells_which_survey_it_holds() -> None:
    assert Survey.from_description(json.loads(json.dumps(SURVEY.description()))) == SURVEY
    with pytest.raises(InputError, match="not a survey of Cuajo"):
        Survey.from_description({**SURVEY.description(), "kind": "daifugo survey"})
    with pytest.raises(InputError, match="not a survey"):
        Survey.from_description({"kind": KIND, "seed": 1})
    with pytest.raises(InputError, match="needs a table"):
        Survey({}, 1)
    with pytest.raises(InputError, match="seed -1 is not in"):
        Survey(SURVEY.tables, -1)


def test_a_report_counts_what_the_records_say() -> None:
    records = Deals(SIMPLE, 1).play(0, 1000)
    found = table_report("traditional", SIMPLE, records)
    assert set(found.shares) == set(SHARES)
    assert set(found.means) == set(MEANS)
    won = records[records["winner"] >= 0]
    assert found.shares["draw"].hits == 1000 - len(won)
    ways = [found.shares[name] for name in ("own_draw", "others_draw", "discard")]
    assert sum(share.hits for share in ways) == ways[0].trials == len(won)
    paid = [found.shares[f"{name}_condition"].hits for name in ("bounit", "sowee", "no")]
    assert sum(paid) + found.shares["both_conditions"].hits == found.shares["no_condition"].trials
    each, worth = found.means["each"], found.dealer_worth
    assert each is not None
    assert worth is not None
    assert each.mean == pytest.approx(won["each"].mean())
    rows = np.arange(1000)
    dealer = records["cents"][rows, records["dealer"]]
    others = (records["cents"].sum(axis=1) - dealer) / 3
    assert worth.mean == pytest.approx((dealer - others).mean())
    assert found.to_json()["means"]["turns"]["mean"] == pytest.approx(records["turns"].mean())


def test_dealt_hands_agree_with_their_odds() -> None:
    records = Deals(SIMPLE, 4).play(0, 3000)
    found = dealt_report(records)
    assert [one.seen.trials for one in found[::5]] == [9000, 3000]
    for one in found:
        assert one.exact == float(dealt_hands(one.cards).share(one.waste))
        spread = (one.exact * (1 - one.exact) / one.seen.trials) ** 0.5
        assert abs((one.seen.share or 0) - one.exact) < 4.5 * spread + 1 / one.seen.trials


def test_each_player_is_stronger_than_the_one_before(tmp_path: Path) -> None:
    survey = Survey(strength_tables(("random", "simple", "careful"), TRADITIONAL), 1)
    with Store.create_or_open(tmp_path / "strength.db", survey.description()) as store:
        list(run(store, survey, 600))
        found = strength_report(store, survey, 600)
    assert [(one.weak, one.strong) for one in found] == [("random", "simple"), ("simple", "careful")]
    for one in found:
        assert one.cents is not None
        assert one.cents.interval is not None
        assert one.cents.interval.low > 10
        assert one.wins is not None
        assert one.losses is not None
        assert one.wins.mean > one.losses.mean
    for players in (("simple",), ("simple", "simple")):
        with pytest.raises(InputError, match="two players or more"):
            strength_tables(players, TRADITIONAL)


def test_an_option_is_compared_on_the_same_deals(tmp_path: Path) -> None:
    other = TRADITIONAL.with_option("porbis=500")
    survey = Survey({"a": SIMPLE, "b": Table(other, SIMPLE.players)}, 1)
    with Store.create_or_open(tmp_path / "both.db", survey.description()) as store:
        list(run(store, survey, 1000))
        change = difference_report(store, survey, 1000).means
        first, second = report(store, survey, 1000)
    turns, each = change["turns"], change["each"]
    assert turns is not None
    assert each is not None
    assert turns.mean == 0
    assert each.mean == pytest.approx(200 * first.shares["porbis"].hits / 1000)
    assert first.shares == second.shares
