"""Reports against counting one by one, and against solving."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from solver import Deal, RuleSet, solve
from solver.errors import InputError
from solver.statistics import mean_of, share_of
from solver.store import Store
from solver.xiangshifu import report as module
from solver.xiangshifu.report import HARDEST, batches, report, verdict_of
from solver.xiangshifu.survey import Survey, run
from solver.xiangshifu.verdicts import OUTCOMES, RECORD, UNDECIDED, WINNABLE

CLASSIC, THIRTEEN = RuleSet.parse("classic"), RuleSet.parse("thirteen")


def survey(*rules: RuleSet, shortest: bool = True) -> Survey:
    return Survey(rules=rules, seed=7, layout="ten", goal="any", shortest=shortest)


def made_up(count: int, seed: int = 1) -> NDArray[np.void]:
    """Records of all kinds; few values, so that there are ties."""
    source = np.random.default_rng(seed)
    records = np.zeros(count, dtype=RECORD)
    losses = len(OUTCOMES) - 2
    records["outcome"] = source.choice(len(OUTCOMES), count, p=[0.02, 0.6, *[0.38 / losses] * losses])
    records["length"] = np.where(records["outcome"] == WINNABLE, source.integers(3, 40, count), 0)
    records["expanded"] = source.choice([0, 1, 5, 30, 70_000], count, p=[0.3, 0.3, 0.2, 0.1, 0.1])
    records["held"] = source.integers(0, 1 << 11, count)
    return records


def stored(path: Path, given: Survey, parts: dict[str, list[tuple[int, NDArray[np.void]]]]) -> Path:
    with Store.create_or_open(path, given.description()) as store:
        for part, chunks in parts.items():
            for start, records in chunks:
                store.add(part, start, records.tobytes(), len(records))
    return path


@pytest.mark.parametrize("batch", [1, 100, 1 << 18])
def test_counts_are_those_of_counting_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    monkeypatch.setattr(module, "BATCH", batch)
    records = made_up(1000)
    # Stored out of order, and 400 to 699 are missing.
    chunks = [(700, records[700:]), (0, records[:250]), (250, records[250:400])]
    there = [*range(400), *range(700, 1000)]
    with Store.open(stored(tmp_path / "s.db", survey(CLASSIC), {"classic": chunks})) as store:
        (found,) = report(store).rules
    chosen = records[there]
    count = Counter(OUTCOMES[outcome] for outcome in chosen["outcome"])
    assert found.deals == 700
    assert found.winnable == share_of(count["winnable"], 700)
    assert found.undecided == count["undecided"]
    assert found.losses == {kind: count[kind] for kind in OUTCOMES[2:]}
    assert found.unwinnable.hits == 700 - count["winnable"] - count["undecided"]
    assert found.dead_group == share_of(count["dead-group"], 700)
    lengths = Counter(int(record["length"]) for record in chosen if record["outcome"] == WINNABLE)
    assert found.lengths == lengths
    assert found.length == mean_of(lengths)
    expanded = sorted(map(int, chosen["expanded"]))
    assert found.expanded is not None
    assert found.expanded.mean == pytest.approx(np.mean(expanded))
    assert found.expanded.most == max(expanded)
    assert found.expanded.median == expanded[349]
    assert found.expanded.high is None  # one in ten is beyond what is counted one by one


def test_the_hardest_deals_and_ties_by_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH", 64)
    records = made_up(1000)
    chunks = [(start, records[start : start + 40]) for start in range(0, 1000, 40)]
    with Store.open(stored(tmp_path / "s.db", survey(CLASSIC), {"classic": chunks})) as store:
        (found,) = report(store).rules

    def first(fits: NDArray[np.bool_], measure: str) -> list[int]:
        order = sorted(np.flatnonzero(fits).tolist(), key=lambda index: (-int(records[measure][index]), index))
        return order[:HARDEST]

    won, lost = records["outcome"] == WINNABLE, records["outcome"] > WINNABLE
    expected = {
        "longest": first(won, "length"),
        "most-expanded": first(won, "expanded"),
        "hardest-loss": first(lost, "expanded"),
        "undecided": first(records["outcome"] == UNDECIDED, "expanded"),
    }
    for why, indices in expected.items():
        chosen = [deal for deal in found.hardest if deal.why == why]
        assert [deal.index for deal in chosen] == indices
        for deal in chosen:
            record = records[deal.index]
            assert deal.deal == Deal.random(7, deal.index)
            assert (deal.outcome, deal.expanded) == (record["outcome"], record["expanded"])
            assert deal.length == (record["length"] if why in ("longest", "most-expanded") else None)


def test_without_shortest_lengths_there_are_none(tmp_path: Path) -> None:
    records = made_up(50)
    records["length"] = 0
    given = survey(CLASSIC, shortest=False)
    with Store.open(stored(tmp_path / "s.db", given, {"classic": [(0, records)]})) as store:
        (found,) = report(store).rules
    assert found.lengths is None
    assert found.length is None
    assert not any(deal.why == "longest" for deal in found.hardest)
    assert all(deal.length is None for deal in found.hardest)


def test_a_survey_without_deals(tmp_path: Path) -> None:
    with Store.open(stored(tmp_path / "s.db", survey(CLASSIC), {})) as store:
        record = report(store).to_json()["rules"]["classic"]
        assert list(batches(store, "classic")) == []
    assert (record["deals"], record["share"], record["expanded"], record["hardest"]) == (0, None, None, [])


def test_the_json_of_the_interface(tmp_path: Path) -> None:
    parts = {"classic": [(0, made_up(80))], "thirteen": [(0, made_up(80, 2))]}
    with Store.open(stored(tmp_path / "s.db", survey(CLASSIC, THIRTEEN), parts)) as store:
        record = json.loads(json.dumps(report(store).to_json()))
    assert {key: record[key] for key in ("schema", "seed", "layout", "goal", "shortest")} == {
        "schema": 1, "seed": 7, "layout": "ten", "goal": "any", "shortest": True,
    }  # fmt: skip
    assert "version" in record
    assert list(record["rules"]) == ["classic", "thirteen"]
    one = record["rules"]["thirteen"]
    assert RuleSet.from_json(one["record"]) == THIRTEEN
    assert {"deals", "winnable", "unwinnable", "undecided", "share", "low", "high", "lengths"} <= set(one)
    assert one["winnable"] + one["unwinnable"] + one["undecided"] == one["deals"] == 80
    assert one["low"] < one["share"] == one["winnable"] / 80 < one["high"]
    assert sum(one["lengths"].values()) == one["winnable"]


def test_what_is_no_survey_or_of_a_later_version_is_refused(tmp_path: Path) -> None:
    records = made_up(3)
    records["outcome"][1] = len(OUTCOMES)
    later = stored(tmp_path / "s.db", survey(CLASSIC), {"classic": [(0, records)]})
    with Store.open(later) as store, pytest.raises(InputError, match="later version"):
        report(store)
    with Store.create_or_open(tmp_path / "o.db", {"kind": "something else"}) as store, pytest.raises(InputError):
        report(store)


def test_a_real_survey_says_what_solving_says(tmp_path: Path) -> None:
    given = survey(CLASSIC)
    with Store.create_or_open(tmp_path / "s.db", given.description()) as store:
        for _ in run(store=store, survey=given, count=60):
            pass
        (found,) = report(store).rules
    results = [solve(Deal.random(7, index)) for index in range(60)]
    verdicts = Counter(result.verdict for result in results)
    assert (found.winnable.hits, found.unwinnable.hits) == (verdicts["winnable"], verdicts["unwinnable"])
    assert found.lengths == Counter(result.length for result in results if result.length is not None)
    for deal in found.hardest:
        assert verdict_of(deal.outcome) == results[deal.index].verdict
        assert solve(str(deal.deal)).length == deal.length
