"""``xsf cuajo play``, ``replay``, ``simulate`` and ``strength`` as people and scripts meet them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cluster import ROOT, Cluster

from cli.cuajo.person import read_action
from cli.cuajo.table import Teller
from cli.main import main
from cli.show.style import COLUMNS, Style
from solver.cuajo.cards import parse_card
from solver.cuajo.events import Laid
from solver.cuajo.game import Action, Game
from solver.cuajo.players import View

SIMPLE = ("--players", "simple,simple,simple,simple")


def xsf(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["cuajo", *args], input=stdin, prog_name="xsf")


def advised(seed: int, log: Path) -> str:
    """A whole deal played by taking whatever is advised, with what had to be typed found out step by step."""
    typed: list[str] = []
    for _ in range(200):
        stdin = "".join(f"{line}\n" for line in [*typed, "?", "q"])
        output = xsf("play", "--seed", str(seed), "--deals", "1", "--log", str(log), stdin=stdin).stdout
        if output.rstrip().splitlines()[-1] != "left":
            return output
        advice = output.rpartition("advice: ")[2].splitlines()[0]
        typed.append(advice)
    raise AssertionError("the deal does not end")


def test_a_deal_is_played_to_its_end_by_taking_advice(tmp_path: Path) -> None:
    log = tmp_path / "deal.log"
    output = advised(1, log)
    assert "wins with" in output or "the deal is a draw" in output
    replayed = xsf("replay", str(log))
    assert replayed.exit_code == 0
    assert replayed.stdout.startswith("deal 1: ")
    record = json.loads(xsf("replay", str(log), "--json").stdout)
    assert (record["schema"], record["deal"], sum(record["cents"])) == (1, 0, 0)
    lines = log.read_text().splitlines()
    log.write_text("\n".join([*lines[:2], lines[3]]))
    broken = xsf("replay", str(log))
    assert broken.exit_code == 1
    assert broken.stderr.count("\n") == 1


def test_what_is_typed_wrong_is_told_and_asked_again() -> None:
    output = xsf("play", "--seed", "1", "--hints", stdin="help\nzz\nlay c3\nfly o3\nq\n").stdout
    for reason in ("'zz' is no card", "a secret has 4 identical cards", "'fly' is no action", "left", "d to draw"):
        assert reason in output
    assert all(len(line) <= COLUMNS for line in output.splitlines())


def test_the_end_of_the_input_is_an_interruption() -> None:
    assert xsf("play", "--seed", "1", stdin="").exit_code == 130


def test_hidden_cards_are_not_told() -> None:
    output = xsf("play", "--seed", "1", stdin="q\n").stdout
    assert "draws a card" in output
    teller = Teller(("a", "b", "c", "d"), 0, Style())
    laid = Laid(1, 3, 6, False, (0, 0, 0, 0))
    assert teller.tell(laid.seen_by(0)) == ["  b  lays a secret, a card"]
    assert teller.tell(laid) == ["  b  lays a secret, o5 with oK closed"]


def test_short_words_are_read() -> None:
    view = View.of(Game.deal(1), 0)
    assert read_action("d", view) == Action("draw")
    assert read_action("O3", view) == read_action("discard o3", view) == Action("discard", parse_card("o3"))
    assert read_action("close bk", view) == Action("close", parse_card("bK"))


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("play", "--players", "simple"), "three are needed beside you, not 1"),
        (("play", "--players", "simple,simple,nobody"), "'nobody' is no player"),
        (("play", "--seed", str(1 << 128)), "is not in 0..2^128-1"),
        (("simulate", "--players", "simple,simple", "--deals", "5"), "2 players: Cuajo is played by 4"),
        (("simulate", "--deals", "5", "--compare", "x=1"), "'x=1': must be option=value"),
        (("simulate", "--deals", "5", "--set", "x=1"), "'x=1': must be option=value"),
        (("simulate", "--deals", "5", "--jobs", "1", "--scheduler", "tcp://x:1"), "exclude each other"),
        (("strength", "--deals", "5", "--seed", "1", "--scheduler", "nowhere"), "no scheduler answers at 'nowhere'"),
        (("strength", "--players", "simple", "--deals", "5"), "two players or more"),
        (("replay", "/nowhere"), "/nowhere: No such file"),
    ],
)
def test_bad_input_is_one_line(args: tuple[str, ...], reason: str) -> None:
    result = xsf(*args)
    assert result.exit_code == 2
    assert reason in result.stderr.splitlines()[-1]


def test_simulate_keeps_and_compares(tmp_path: Path) -> None:
    args = ("simulate", *SIMPLE, "--deals", "300", "--seed", "1", "--jobs", "1", "--compare", "win_needs_purro=no")
    path = tmp_path / "cuajo.db"
    first = xsf(*args, "--db", str(path), "--json")
    assert first.exit_code == 0, first.output
    again = xsf(*args, "--db", str(path), "--json")
    assert again.stdout == first.stdout
    assert "holds all 600 deals already" in again.stderr
    found = json.loads(first.stdout)
    assert list(found) == ["schema", "version", "seed", "deals", "tables", "dealt", "difference"]
    assert [table["name"] for table in found["tables"]] == ["traditional", "traditional with win_needs_purro=no"]
    assert found["tables"][0]["deals"] == 300
    shown = xsf(*args, "--db", str(path)).stdout
    for text in ("deals that are a draw", "dealer, less the mean of the others", "Dealt hands", "on the same deals"):
        assert text in shown
    assert all(len(line) <= COLUMNS for line in shown.splitlines())
    no_seed = xsf("simulate", *SIMPLE, "--deals", "5", "--jobs", "1")
    assert no_seed.exit_code == 0
    assert "seed " in no_seed.stderr


def test_strength_shows_who_is_stronger() -> None:
    args = ("strength", "--players", "random,simple", "--deals", "300", "--seed", "1", "--jobs", "1")
    found = json.loads(xsf(*args, "--json").stdout)
    (one,) = found["strength"]
    assert (one["weak"], one["strong"], one["deals"]) == ("random", "simple", 300)
    assert one["cents"]["low"] > 100
    assert "cents that simple wins a deal and player" in xsf(*args).stdout


def test_options_are_set_one_after_another() -> None:
    args = (
        "--set",
        "porbis=500",
        "--set",
        "win_needs_purro=no",
        "--deals",
        "5",
        "--seed",
        "1",
        "--jobs",
        "1",
        "--json",
    )
    (table,) = json.loads(xsf("simulate", *SIMPLE, *args).stdout)["tables"]
    assert table["name"] == "traditional with porbis=500 with win_needs_purro=no"
    rules = json.loads(xsf("strength", "--players", "random,simple", *args).stdout)["rules"]
    assert (rules["porbis"], rules["win_needs_purro"]) == (500, False)


def test_a_cluster_plays_the_same_deals(tmp_path: Path, cluster: Cluster) -> None:
    cluster.worker()
    for args in (("simulate", *SIMPLE), ("strength", "--players", "random,simple")):
        args = (*args, "--deals", "2100", "--seed", "1", "--json")
        # In a process of its own, since a cluster's troubles are silenced for the whole process.
        command = [sys.executable, "-m", "cli.main", "cuajo", *args, "--scheduler", cluster.address]
        there = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (there.returncode, there.stderr) == (0, "")
        assert there.stdout == xsf(*args, "--jobs", "1").stdout
