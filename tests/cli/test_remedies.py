"""``xsf remedies`` as scripts and people meet it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from solver import RuleSet
from solver.store import Store

ROOT = Path(__file__).parents[2]


def xsf(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def record_of(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    record: dict[str, Any] = json.loads(result.stdout)
    return record


def held(file: Path, part: str) -> int:
    with Store.open(file) as store:
        return sum(count for _, count, _ in store.chunks(part))


SMALL = ("--seed", "1", "--count", "50")


def test_all_combinations_by_default() -> None:
    record = record_of(xsf("remedies", *SMALL, "--no-shortest", "--json"))
    assert len(record["rules"]) == 8
    assert (record["schema"], record["baseline"], record["seed"], record["deals"]) == (1, "classic", 1, 50)
    assert record["rules"]["thirteen"]["valid_triples"]["added"] == {"kinds": 53, "tiles": 198}
    assert record["rules"]["multiple"]["winnable"] == 50
    assert record["rules"]["multiple"]["mean_length"] is None


def test_text_fits_a_terminal() -> None:
    result = xsf("remedies", *SMALL, "--rules", "mixed-dragon,thirteen+mixed-dragon+multiple")
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 79
    for words in ("Winnable deals", "Groups", "97 (345)", "Moves of a shortest solution", "wins"):
        assert words in result.stdout
    assert xsf("remedies", *SMALL, "--rules", "thirteen", "--ascii").stdout.isascii()


def test_a_random_seed_is_named() -> None:
    result = xsf("remedies", "--count", "3", "--rules", "thirteen", "--json")
    seed = result.stderr.split()[-1]
    again = record_of(xsf("remedies", "--count", "3", "--rules", "thirteen", "--json", "--seed", seed))
    assert json.loads(result.stdout) == again


def test_a_file_keeps_verdicts_and_grows(tmp_path: Path) -> None:
    file = tmp_path / "s.db"
    args = ("remedies", "--db", str(file), "--json")
    first = record_of(xsf(*args, *SMALL, "--rules", "thirteen,multiple"))
    assert held(file, "classic") == held(file, "multiple") == 50
    again = record_of(xsf(*args, "--count", "50"))
    assert again == first
    more = record_of(xsf(*args, "--count", "70", "--rules", "multiple"))
    assert list(more["rules"]) == ["classic", "multiple"]
    assert held(file, "multiple") >= 70
    report = record_of(xsf("report", "--json", str(file)))
    assert report["rules"]["classic"]["deals"] >= 70
    whole = record_of(xsf("remedies", "--seed", "1", "--count", "70", "--rules", "multiple", "--json"))
    assert more == whole


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--seed", "2"), "seed 1, not 2"),
        (("--no-shortest",), "with shortest lengths"),
        (("--rules", "mixed-dragon"), "'mixed-dragon'"),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, args: tuple[str, ...], words: str) -> None:
    file = tmp_path / "s.db"
    xsf("remedies", "--db", str(file), "--seed", "1", "--count", "2", "--rules", "thirteen")
    result = xsf("remedies", "--db", str(file), "--count", "2", *args)
    assert result.exit_code == 2
    (line,) = [line for line in result.stderr.splitlines() if "compiling" not in line]
    assert words in line


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--rules", "thirteen,nonsense"), "nonsense"),
        (("--count", "0"), "count"),
        (("--search", "--db", "x.db"), "--db has no meaning with --search"),
        (("--search", "--rules", "thirteen"), "--rules has no meaning with --search"),
        (("--toml", "folder"), "--toml has no meaning without --search"),
        (("--without-kao",), "--without-kao has no meaning without --search"),
        (("--db", str(ROOT / "README.md")), "README.md"),
    ],
)
def test_bad_input_gets_one_line_and_status_2(args: tuple[str, ...], words: str) -> None:
    result = xsf("remedies", *args)
    assert result.exit_code == 2
    (line,) = [line for line in result.stderr.splitlines() if "compiling" not in line]
    assert words in line


def test_search_ranks_candidates_and_writes_rule_files(tmp_path: Path) -> None:
    result = xsf("remedies", "--search", "--best", "1", *SMALL, "--json", "--toml", str(tmp_path / "rules"))
    record = record_of(result)
    assert record["schema"] == 1
    assert record["candidates"] > 90_000
    best = record["rules"][record["best"]]
    assert best["dead"] == best["conditionally_dead"] == {"triples": [], "pairs": []}
    assert best["valid_triples"]["added"] == {"kinds": 7, "tiles": 14}
    assert best["front"]
    files = sorted((tmp_path / "rules").iterdir())
    assert len(files) == len(record["rules"])
    for file in files:
        assert RuleSet.parse(str(file)).fourteen_threshold <= 14
    name = record["best"]
    file = tmp_path / "rules" / f"{name}.toml"
    assert file.read_text() == best["toml"]
    compared = record_of(xsf("remedies", *SMALL, "--rules", str(file), "--json"))
    assert compared["rules"][name]["winnable"] == best["winnable"]
    assert RuleSet.from_json(best["record"]) == RuleSet.parse(str(file))


def test_search_as_text() -> None:
    result = xsf("remedies", "--search", "--best", "1", "--seed", "1", "--count", "5")
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 79
    assert "The best, as a file for --rules\nname = " in result.stdout
    for reference in ("classic", "thirteen", "mixed-dragon", "multiple"):
        assert f" {reference} " in result.stdout


def test_interrupt_keeps_what_is_done(tmp_path: Path) -> None:
    file = tmp_path / "s.db"
    command = [sys.executable, "-m", "cli.main", "remedies", "--db", str(file), "--seed", "1", "--count", "500000"]
    process = subprocess.Popen(
        [*command, "--rules", "thirteen"], stderr=subprocess.PIPE, text=True, cwd=ROOT, start_new_session=True
    )
    try:
        limit = time.monotonic() + 120
        while time.monotonic() < limit and process.poll() is None and not _holds_some(file):
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert err.splitlines()[-1].endswith("deals are stored; the same command goes on")
    done = held(file, "classic")
    assert done > 0
    record = record_of(xsf("report", "--json", str(file)))
    assert record["rules"]["classic"]["deals"] == done


def _holds_some(file: Path) -> bool:
    try:
        return file.exists() and held(file, "classic") > 0
    except ValueError:
        return False
