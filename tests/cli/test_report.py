"""``xsf report`` as scripts and people meet it."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from numpy.typing import NDArray

from cli.main import main
from cli.output import replacing
from cli.show.report import bars
from cli.show.style import Style
from cli.show.table import decimals, percent, table
from solver import Deal, RuleSet
from solver.errors import InputError
from solver.statistics import Interval, share_of
from solver.store import Store
from solver.xiangshifu.survey import Survey
from solver.xiangshifu.verdicts import OUTCOMES, RECORD

ROOT = Path(__file__).parents[2]
RULES = ("classic", "multiple", "thirteen+mixed-dragon+multiple")
DEALS = 400


def xsf(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def made_up(place: int) -> NDArray[np.void]:
    """Records as one of ``RULES`` might have them; the last knows no loss."""
    source = np.random.default_rng(place)
    records = np.zeros(DEALS, dtype=RECORD)
    records["outcome"] = 1 if place == 2 else source.choice([1, 1, 1, 1, 1, 1, 0, 2, 3, 5], DEALS)
    won = records["outcome"] == 1
    records["length"] = np.where(won, source.binomial(30, 0.3, DEALS) + 2, 0)
    records["expanded"] = source.integers(0, 5000, DEALS)
    records["held"] = np.where(records["outcome"] > 1, 4, 0)
    return records


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return survey_file(tmp_path_factory.mktemp("survey") / "s.db")


def survey_file(path: Path, *, shortest: bool = True, deals: bool = True) -> Path:
    rules = tuple(RuleSet.parse(name) for name in RULES)
    survey = Survey(rules=rules, seed=11, layout="ten", goal="any", shortest=shortest)
    with Store.create_or_open(path, survey.description()) as store:
        for place, name in enumerate(RULES):
            records = made_up(place)
            if not shortest:
                records["length"] = 0
            for start in range(0, DEALS if deals else 0, 150):
                part = records[start : start + 150]
                store.add(name, start, part.tobytes(), len(part))
    return path


def test_text_fits_a_terminal_and_names_what_matters(file: Path) -> None:
    result = xsf("report", str(file))
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 79
    share = share_of(int((made_up(0)["outcome"] == 1).sum()), DEALS)
    digits = decimals(share.wilson)
    row = next(line for line in lines if line.startswith("classic "))
    for number in (share.share, share.wilson.low, share.wilson.high):
        assert percent(number, digits) in row
    assert "seed 11" in lines[0]
    assert "frozen set" in result.stdout
    assert "xsf deal --seed 11 --index NUMBER" in lines[-1]
    assert all(name in lines for name in RULES)


def test_text_in_ascii(file: Path) -> None:
    assert xsf("report", "--ascii", str(file)).stdout.isascii()


def test_text_of_surveys_without_deals_or_lengths(tmp_path: Path) -> None:
    empty = xsf("report", str(survey_file(tmp_path / "empty.db", deals=False)))
    assert empty.exit_code == 0
    assert "NUMBER" not in empty.stdout
    short = xsf("report", str(survey_file(tmp_path / "short.db", shortest=False)))
    assert short.exit_code == 0
    assert "lengths" not in short.stdout


def test_json_of_the_interface(file: Path) -> None:
    result = xsf("report", "--json", str(file))
    assert (result.exit_code, result.stderr) == (0, "")
    record = json.loads(result.stdout)
    assert record["schema"] == 1
    assert list(record["rules"]) == list(RULES)
    for place, name in enumerate(RULES):
        one = record["rules"][name]
        outcomes = made_up(place)["outcome"]
        assert (one["deals"], one["winnable"]) == (DEALS, int((outcomes == 1).sum()))
        assert one["undecided"] == int((outcomes == 0).sum())
        assert one["losses"]["dead-group"] == int((outcomes == 2).sum())
        for hard in one["hardest"]:
            assert hard["deal"] == str(Deal.random(11, hard["index"]))


def test_csv_has_a_row_for_each_rule_set(file: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(xsf("report", "--csv", str(file)).stdout)))
    assert [row["rules"] for row in rows] == list(RULES)
    record = json.loads(xsf("report", "--json", str(file)).stdout)
    for row in rows:
        one = record["rules"][row["rules"]]
        for key in ("deals", "winnable", "unwinnable", "undecided", "share", "low", "high", "exact_low"):
            assert float(row[key]) == one[key]
        assert float(row["mean_length"]) == one["mean_length"]["mean"]
        assert int(row["proof_frozen_set"]) == one["losses"]["frozen-set"]


def test_parquet_has_a_row_for_each_deal(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "deals.parquet"
    result = xsf("report", "--json", str(file), "--parquet", str(out))
    assert result.exit_code == 0
    json.loads(result.stdout)
    assert "1,200 deals" in result.stderr
    found = pq.read_table(out)
    assert found.num_rows == 3 * DEALS
    assert found["rules"].to_pylist() == [name for name in RULES for _ in range(DEALS)]
    assert found["index"].to_pylist() == [*range(DEALS)] * 3
    records = np.concatenate([made_up(place) for place in range(3)])
    assert found["outcome"].to_pylist() == [OUTCOMES[outcome] for outcome in records["outcome"]]
    assert found["expanded"].to_pylist() == records["expanded"].tolist()
    assert found["held"].to_pylist() == records["held"].tolist()
    assert found["length"].to_pylist() == [int(length) or None for length in records["length"]]
    verdicts = {0: "undecided", 1: "winnable"}
    assert found["verdict"].to_pylist() == [verdicts.get(outcome, "unwinnable") for outcome in records["outcome"]]
    assert json.loads(pq.read_schema(out).metadata[b"xiangshifu"])["layout"] == "ten"


def test_an_svg_is_reproducible_and_its_text_is_text(file: Path, tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        result = xsf("report", str(file), "--plot", str(tmp_path / name))
        assert result.exit_code == 0
        assert "classic" in result.stdout
    text = (tmp_path / "one.svg").read_text()
    assert text == (tmp_path / "two.svg").read_text()
    assert "<dc:date>" not in text
    for words in ("thirteen+mixed-dragon+multiple", "unwinnable deals (log scale)", "n = 400", "seed 11", "mean"):
        assert words in text


@pytest.mark.parametrize(("shortest", "deals"), [(True, True), (False, True), (True, False)])
def test_a_png_of_any_survey(tmp_path: Path, shortest: bool, deals: bool) -> None:
    survey = survey_file(tmp_path / "s.db", shortest=shortest, deals=deals)
    out = tmp_path / "plot.png"
    assert xsf("report", str(survey), "--plot", str(out)).exit_code == 0
    assert out.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("missing.db",), "missing.db"),
        (("FILE", "--json", "--csv"), "exclude"),
        (("FILE", "--plot", "plot.pdf"), ".svg"),
        (("FILE", "--plot", "no/such/folder/plot.svg"), "no/such/folder"),
        (("FILE", "--parquet", "no/such/folder/deals.parquet"), "no/such/folder"),
        ((str(ROOT / "README.md"),), "README.md"),
    ],
)
def test_bad_input_gets_one_line_and_status_2(file: Path, args: tuple[str, ...], words: str) -> None:
    result = xsf("report", *(str(file) if arg == "FILE" else arg for arg in args))
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert words in line


@pytest.mark.parametrize(
    ("option", "module", "name"), [("--parquet", "pyarrow", "o.parquet"), ("--plot", "matplotlib", "o.svg")]
)
def test_what_is_not_installed_is_named(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str, module: str, name: str
) -> None:
    monkeypatch.delitem(sys.modules, f"cli.show.{option.removeprefix('--')}", raising=False)
    monkeypatch.setitem(sys.modules, module, None)
    result = xsf("report", str(file), option, str(tmp_path / name))
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert f"pip install 'xiangshifu[{option.removeprefix('--')}]'" in line
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_in_full_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("old")
    path.chmod(0o640)
    with pytest.raises(ZeroDivisionError), replacing(path) as temporary:
        temporary.write_text(f"half{1 // 0}")
    assert path.read_text() == "old"
    with replacing(path) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(InputError, match="folder"), replacing(tmp_path):
        pass


def test_help_loads_nothing_heavy() -> None:
    code = "import sys\ntry:\n import cli.main; cli.main.main(['report', '--help'])\nexcept SystemExit: pass\n"
    code += "print(sorted({'numba', 'numpy', 'scipy', 'matplotlib', 'pyarrow'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.endswith("[]\n")


def test_tables_and_numbers() -> None:
    lines = table([("a", "b", "c"), ("x", "1.25", "10"), ("longer", "-13.5", "7")], "<.>")
    assert lines == ["a            b   c", "x         1.25  10", "longer  -13.5    7"]
    assert decimals(Interval(0.92, 0.94)) == 2
    assert decimals(Interval(0.9998, 0.99992)) == 3
    assert decimals(Interval(1.0, 1.0)) == 6
    assert percent(None, 2) == "-"
    assert percent(0.0625, 1, sign=True) == "+6.2"
    assert bars([0, 1, 1000], Style()) == " ▁█"
    assert bars([0, 1, 1000], Style(ascii=True)) == " .@"
