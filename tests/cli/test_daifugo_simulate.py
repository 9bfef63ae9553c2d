"""``xsf daifugo simulate`` and ``strength``."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from cli.main import main
from solver.daifugo.matches import Matches, Table
from solver.daifugo.rules import PRESETS
from solver.daifugo.survey import read_deals
from solver.store import Store

ROOT = Path(__file__).parents[2]
PLAYERS = "greedy,random,greedy,random"
BASE = ("--players", PLAYERS, "--seed", "3", "--jobs", "1")

SMALL = """
import solver.daifugo.survey as survey
survey.CHUNK = 5
from cli.main import main
main(['daifugo', *__import__('sys').argv[1:]])
"""


def xsf(*args: object) -> Result:
    return CliRunner().invoke(main, ["daifugo", *map(str, args)])


def refused(result: Result) -> str:
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_simulate_as_json() -> None:
    result = xsf("simulate", *BASE, "--deals", 60, "--json")
    assert result.exit_code == 0
    assert [line for line in result.stderr.splitlines() if "compiling" not in line] == []
    found = json.loads(result.stdout)
    assert (found["schema"], found["seed"], found["deals"], found["difference"]) == (1, 3, 60, None)
    (table,) = found["tables"]
    assert table["rules"] == PRESETS["traditional"].to_json()
    assert [player["player"] for player in table["players"]] == PLAYERS.split(",")
    records = Matches(Table(PRESETS["traditional"], tuple(PLAYERS.split(","))), 3).play(0, 12)
    assert table["plays"]["mean"] == pytest.approx(records["plays"].mean())
    assert [player["place"]["mean"] for player in table["players"]] == pytest.approx(
        (records["places"][:, :4] + 1).mean(axis=0).tolist()
    )
    assert sum(map(sum, table["transitions"])) == 4 * 48
    assert table["worth"]["deals"] == 48


def test_simulate_as_text() -> None:
    result = xsf("simulate", *BASE, "--deals", 60, "--compare", "revolution_quads=any", "--set", "rounds=6")
    assert result.exit_code == 0
    assert [line for line in result.stderr.splitlines() if "compiling" not in line] == []
    text = result.stdout
    assert text.startswith("Daifugō: 60 deals of seed 3, in matches of 6\n")
    assert (
        "traditional with rounds=6 with revolution_quads=any, less traditional with rounds=6, on the same deals" in text
    )
    for word in ("stays first", "stays last", "exchange", "1 Fugō", "revolutions a deal", "score of player 4"):
        assert word in text
    assert xsf("simulate", *BASE, "--deals", 10, "--ascii").stdout.isascii()
    assert "exchange" not in xsf("simulate", *BASE, "--deals", 10, "--no-worth").stdout


def test_the_players_are_by_default_as_many_as_the_rules_want() -> None:
    found = json.loads(xsf("simulate", "--rules", "uecda", "--deals", 5, "--seed", 1, "--jobs", 1, "--json").stdout)
    assert [player["player"] for player in found["tables"][0]["players"]] == ["rules"] * 5


def test_results_are_kept_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    first = xsf("simulate", *BASE, "--deals", 30, "--db", path)
    again = xsf("simulate", *BASE, "--deals", 30, "--db", path)
    assert again.stdout == first.stdout
    assert again.stderr == f"xsf: {path} holds all 30 deals already\n"
    more = xsf("simulate", "--players", PLAYERS, "--deals", 43, "--db", path, "--jobs", 2)
    assert more.stderr == ""
    assert more.stdout == xsf("simulate", *BASE, "--deals", 43).stdout


def test_a_seed_of_its_own_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    result = xsf("simulate", "--players", PLAYERS, "--deals", 5, "--jobs", 1, "--db", path)
    seed = re.fullmatch(r"xsf: seed (\d+)\n", result.stderr)
    assert seed is not None
    assert f"of seed {seed[1]}," in result.stdout
    assert xsf("simulate", "--players", PLAYERS, "--deals", 6, "--jobs", 1, "--db", path).stderr == ""


def test_what_cannot_be_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    assert xsf("simulate", *BASE, "--deals", 5, "--db", path).exit_code == 0
    other = ["--players", PLAYERS, "--jobs", 1, "--deals", 5, "--db", path]
    assert "holds a survey with seed 3, not 4" in refused(xsf("simulate", *other, "--seed", 4))
    assert "tables" in refused(xsf("simulate", *other, "--seed", 3, "--rules", "president"))
    assert "twins true, not false" in refused(xsf("simulate", *other, "--seed", 3, "--no-worth"))
    assert "tables" in refused(xsf("strength", "--players", "greedy,random", "--jobs", 1, "--deals", 5, "--db", path))
    assert "'clever' is no player" in refused(xsf("simulate", "--players", "clever,random,random", "--deals", 5))
    assert "2 players: 3 to 8 can play" in refused(xsf("simulate", "--players", "random,random", "--deals", 5))
    assert "uecda is played by 5" in refused(xsf("simulate", *BASE, "--rules", "uecda", "--deals", 5))
    assert "'eight' is none" in refused(xsf("simulate", *BASE, "--deals", 5, "--compare", "eight_stop=eight"))
    assert "exclude each other" in refused(xsf("simulate", *BASE, "--deals", 5, "--scheduler", "tcp://x:1"))
    assert "rounds" in refused(xsf("simulate", *BASE, "--deals", 5, "--compare", "rounds=3"))
    assert "each named once" in refused(xsf("strength", "--players", "random", "--deals", 5))


def test_strength() -> None:
    arguments = ["strength", "--players", "random,greedy,rules", "--deals", 100, "--seed", 1, "--jobs", 1]
    result = xsf(*arguments, "--rules", "uecda")
    assert result.exit_code == 0
    assert [line.split()[:2] for line in result.stdout.splitlines()[3:5]] == [["greedy", "random"], ["rules", "greedy"]]
    found = json.loads(xsf(*arguments, "--json").stdout)
    assert [pair["strong"] for pair in found["strength"]] == ["greedy", "rules"]
    assert found["strength"][0]["place"]["low"] > 1
    assert found["strength"][0]["deals"] == 100


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_stopped_loses_nothing(number: signal.Signals, tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    arguments = ["simulate", *BASE, "--no-worth", "--db", str(path), "--deals"]
    process = subprocess.Popen(
        [sys.executable, "-c", SMALL, *arguments, "100000000"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    while process.poll() is None and kept(path) < 20:
        time.sleep(0.02)
    process.send_signal(number)
    _, errors = process.communicate()
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert re.fullmatch(r"xsf: stopped at 0 %: [\d,]+ of 100,000,000 deals are stored; .*\n", errors)
    deals = 5 * kept(path)
    assert deals >= 100
    expected = Matches(Table(PRESETS["traditional"], tuple(PLAYERS.split(","))), 3).play(0, deals // 5 + 1)
    with Store.open(path) as store:
        assert np.array_equal(read_deals(store, "traditional", deals), expected[:deals])
    assert xsf(*arguments, deals + 3).exit_code == 0
    with Store.open(path) as store:
        assert np.array_equal(read_deals(store, "traditional", deals + 3), expected[: deals + 3])


def kept(path: Path) -> int:
    """How many pieces are stored."""
    if Store.description_in(path) is None:
        return 0
    with Store.open(path) as store:
        return sum(1 for _ in store.chunks("traditional"))


def test_help_does_not_wait_for_numba() -> None:
    code = "import sys, cli.main; assert not {'numba', 'scipy'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert "eight_stop=on" in xsf("simulate", "--help").stdout
