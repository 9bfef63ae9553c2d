"""``xsf daifugo endgame``."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from cli.main import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["daifugo", "endgame", *arguments])


def test_two_hands() -> None:
    result = run("--hands", "d3 s10", "c4", "--json")
    record = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (record["schema"], record["winner"], record["places"]) == (1, 0, [0, 1])
    assert record["line"] == [
        {"seat": 0, "action": "play", "cards": "s10"},
        {"seat": 1, "action": "pass", "cards": None},
        {"seat": 0, "action": "play", "cards": "d3"},
    ]


def test_options_may_stand_before_or_after() -> None:
    for arguments in (["--turn", "1", "--hands", "d3 s10", "c4"], ["--hands", "d3 s10", "c4", "--turn", "1"]):
        assert json.loads(run(*arguments, "--json").stdout)["winner"] == 1
    record = json.loads(run("--hands", "d3 s10", "c4", "--turn", "1", "--table", "d5", "--reversed", "--json").stdout)
    assert (record["winner"], record["table"]) == (1, "d5")


def test_three_hands() -> None:
    record = json.loads(run("--hands", "d3", "c4", "sA", "--json").stdout)
    assert record["places"] == [0, 1, 2]


def test_text() -> None:
    shown = run("--hands", "d3 s10", "c4").stdout
    assert "Player 0  ♦3 ♠10" in shown
    assert "Player 0 wins, here in 2 plays." in shown
    assert "  1  passes" in shown
    plain = run("--hands", "d3 s10", "c4", "--ascii").stdout
    assert plain.isascii()
    assert "The order of finishing is 0, 1 then 2." in run("--hands", "d3", "c4", "sA").stdout


def test_one_hand() -> None:
    assert json.loads(run("--hands", "d3 d4 d5 s9", "--json").stdout)["plays"] == ["d3 d4 d5", "s9"]
    assert "2 plays, the fewest possible." in run("--hands", "d3 d4 d5 s9").stdout


def test_undecided() -> None:
    result = run("--hands", "d3 s10 h10 c7 d8 cK h4 s5", "c4 c5 jk d9 hQ h2 s3 dA", "--max-positions", "5")
    assert result.exit_code == 3
    assert "limit of positions" in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["--hands", "d3 d3", "c4"],
        ["--hands", "d3", "d3"],
        ["--hands", "d3", ""],
        ["--hands", "d3", "z9"],
        ["--hands"],
        ["--hands", "d3", "c4", "--turn", "7"],
        ["--hands", "d3", "c4", "--rules", "none"],
    ],
)
def test_bad_input_is_one_line(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert not result.stdout
