"""``xsf tablebase``: what is built, told and played, and what goes wrong in one line."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from plain import SIZES, SMALL, small

import solver.xiangshifu.tablebase
from cli.main import main
from cli.show.style import Style
from cli.show.tablebase import describe_path, describe_probe
from cli.tablebase import _goal
from solver.cache import kernel_dir
from solver.errors import InputError
from solver.xiangshifu.goals import named_goals, parse_goal
from solver.xiangshifu.moves import legal_moves
from solver.xiangshifu.plain import UNREACHABLE
from solver.xiangshifu.position import LAYOUTS, TEN, Deal
from solver.xiangshifu.tablebase import Tablebase, region_path, table_path

ROOT = Path(__file__).parents[2]
PAIR = "pair:22-22"
PLAIN = Style(ascii=True)


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The file of the small rule set; this module's tables are in a folder of their own."""
    folder = tmp_path_factory.mktemp("tablebase")
    path = folder / "small.toml"
    path.write_text('name = "small"\nremove = ["full-fourteen", "coincidence"]\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XSF_CACHE_DIR", str(folder))
        yield str(path)


@pytest.fixture(scope="module")
def built(rules: str) -> str:
    result = xsf("build", "--rules", rules, "--goal", "all", "--jobs", "2")
    assert (result.exit_code, errors(result)) == (0, "")
    goals = [None, *named_goals(TEN)]
    for line, goal in zip(result.stdout.splitlines(), goals, strict=True):
        assert re.fullmatch(rf"{re.escape(str(table_path(TEN, SMALL, goal)))}: built in \d+ s", line)
    return rules


def xsf(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["tablebase", *args], input=stdin)


def errors(result: Result) -> str:
    """What was said on stderr, but for kernels that are compiled first."""
    return "".join(line for line in result.stderr.splitlines(keepends=True) if "compiling" not in line)


def position_at(distance: int) -> Deal:
    """The first position so far from the goal."""
    table = Tablebase(TEN, SMALL).distances(parse_goal(PAIR, TEN))
    return Deal.parse(str(small("ten").position(int(np.flatnonzero(table == distance)[0]))))


def test_what_is_built_is_kept(built: str) -> None:
    again = xsf("build", "--rules", built, "--goal", PAIR, "--goal", PAIR)
    assert (again.exit_code, errors(again)) == (0, "")
    paths = [table_path(TEN, SMALL, goal) for goal in (None, parse_goal(PAIR, TEN))]
    assert again.stdout == "".join(f"{path}: built already\n" for path in paths)


def test_a_damaged_file_is_named_and_built_again(built: str) -> None:
    path = table_path(TEN, SMALL, parse_goal(PAIR, TEN))
    content = path.read_bytes()
    path.write_bytes(content[:5000] + b"?" + content[5001:])
    told = xsf("probe", "--rules", built, "--goal", PAIR, str(position_at_start()))
    assert (told.exit_code, told.stdout) == (2, "")
    command = f"xsf tablebase build --rules FILE --goal {PAIR}"
    assert errors(told) == f"xsf: {path}: damaged; build it: {command}\n"
    again = xsf("build", "--rules", built, "--goal", PAIR)
    assert again.exit_code == 0
    assert errors(again) == f"xsf: {path}: damaged; it is built again\n"
    assert path.read_bytes() == content


def test_the_region_is_kept_too(built: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = region_path(TEN, SMALL)
    content = path.read_bytes()
    probe = ("probe", "--rules", built, "--goal", PAIR, position_at_start())
    answer = xsf(*probe)
    assert (answer.exit_code, errors(answer)) == (0, "")
    path.unlink()
    assert xsf("info", "--rules", built).exit_code == 0
    assert not path.exists()
    assert xsf(*probe).stdout == answer.stdout
    assert path.read_bytes() == content
    path.write_bytes(content[:5000] + b"?" + content[5001:])
    solver.xiangshifu.tablebase._read_region.cache_clear()
    again = xsf(*probe)
    assert (again.exit_code, again.stdout) == (0, answer.stdout)
    assert errors(again) == f"xsf: {path}: damaged; it is built again\n"
    assert path.read_bytes() == content
    monkeypatch.setattr(solver.xiangshifu.tablebase, "region", None)
    assert xsf(*probe).stdout == answer.stdout


def test_a_region_that_can_not_be_kept_is_no_harm(built: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = region_path(TEN, SMALL)
    content = path.read_bytes()
    path.unlink()

    def refuse(path: Path, *args: object, **options: object) -> None:
        raise InputError(f"{path}: Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr(solver.xiangshifu.tablebase, "write_table", refuse)
        answer = xsf("probe", "--rules", built, "--goal", PAIR, position_at_start())
    assert (answer.exit_code, errors(answer)) == (0, "")
    assert not path.exists()
    path.write_bytes(content)


def position_at_start() -> str:
    return str(small("ten").position(0))


def test_info_as_json(built: str) -> None:
    result = xsf("info", "--rules", built, "--json")
    assert (result.exit_code, errors(result)) == (0, "")
    told = json.loads(result.stdout)
    expected = Tablebase(TEN, SMALL).info()
    assert told == {"schema": 1, **json.loads(json.dumps(expected.to_json()))}
    assert told["positions"] == SIZES["ten"]
    assert told["rules"] == SMALL.to_json()
    assert told["largest"] == sorted(told["largest"], reverse=True)
    assert {len(told[key]) for key in ("largest", "bonds", "holds", "examples")} == {20}
    assert list(told["goals"]) == [goal.id for goal in named_goals(TEN)]
    for goal in told["goals"].values():
        assert set(goal) == {"goal_positions", "reach", "farthest", "by_distance"}
        assert sum(goal["by_distance"]) == goal["reach"] >= goal["goal_positions"]


def test_info_in_words(built: str) -> None:
    text = xsf("info", "--rules", built).stdout
    assert text.startswith("Rules small, layout ten\n6,018 valid positions in 2,406 components.\n\ncomponent ")
    assert re.search(r"^ +0 +32 +0\.53 % +26-34 14-23 +pair:66-66 pair:16-16 pair:14-23$", text, re.MULTILINE)
    assert re.search(r"^pair:22-22 +245 +935 +15\.54 % +8 +2\.09$", text, re.MULTILINE)
    assert re.search(r"^generals +0 +0 +0\.00 % +- +-$", text, re.MULTILINE)


def test_info_before_anything_is_built(rules: str) -> None:
    result = xsf("info", "--layout", "eight", "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    path = table_path(LAYOUTS["eight"], parsed("classic"), None)
    assert errors(result) == f"xsf: {path}: not built yet; build it: xsf tablebase build --layout eight\n"


def parsed(text: str) -> Any:
    from solver.xiangshifu.rules import RuleSet

    return RuleSet.parse(text)


def test_probe_as_json(built: str) -> None:
    position = position_at(5)
    (line,) = xsf("probe", "--rules", built, "--goal", PAIR, "--json", str(position)).stdout.splitlines()
    told = json.loads(line)
    tablebase, goal = Tablebase(TEN, SMALL), parse_goal(PAIR, TEN)
    best = tablebase.best_moves(position, goal)
    assert told == {
        "schema": 1,
        "position": str(position),
        "layout": "ten",
        "rules": SMALL.to_json(),
        "goal": PAIR,
        "distance": 5,
        "component": tablebase.component_of(position),
        "component_size": int(tablebase.components.sizes[tablebase.component_of(position)]),
        "moves": [move.to_json() for move in best],
    }
    assert told["moves"]


def test_path_as_json_leads_to_the_goal(built: str) -> None:
    position = position_at(7)
    told = json.loads(xsf("path", "--rules", built, "--goal", PAIR, "--json", str(position)).stdout)
    assert told["distance"] == len(told["moves"]) == 7
    for move in told["moves"]:
        (found,) = [one for one in legal_moves(position, SMALL) if one.to_json() == move]
        position = Deal.parse(str(position.exchanged(*found.groups, found.after)))
    assert parse_goal(PAIR, TEN).reached(position, SMALL)


def test_what_is_out_of_reach_is_an_answer(built: str) -> None:
    position = str(position_at(UNREACHABLE))
    for command, moves in (("probe", []), ("path", None)):
        result = xsf(command, "--rules", built, "--goal", PAIR, "--json", position)
        assert result.exit_code == 0
        told = json.loads(result.stdout)
        assert (told["distance"], told["moves"]) == (None, moves)
        text = xsf(command, "--rules", built, "--goal", PAIR, position)
        assert text.exit_code == 0
        assert text.stdout.startswith(f"No plain moves lead to {PAIR}.\n")


def test_answers_in_words(built: str) -> None:
    tablebase, goal = Tablebase(TEN, SMALL), parse_goal(PAIR, TEN)
    position = position_at(3)
    path = tablebase.path(position, goal)
    lines = describe_path(path, goal, SMALL, PLAIN).splitlines()
    assert lines[0] == f"3 moves to {PAIR}, no fewer."
    assert [line[:4] for line in lines[3:]] == ["  1.", "  2.", "  3."]
    assert describe_path((), goal, SMALL, PLAIN) == f"The position is the goal, {PAIR}."
    best = tablebase.best_moves(position, goal)
    probe = describe_probe(3, best, 7, 1234, goal, SMALL, PLAIN).splitlines()
    assert probe[:2] == [f"3 moves to {PAIR}, no fewer.", "Component 7, of 1,234 positions."]
    assert len(probe) == 5 + len(best)
    shown = xsf("path", "--rules", built, "--goal", PAIR, "--ascii", str(position)).stdout
    assert shown.splitlines() == lines


def test_positions_from_a_file_and_bad_ones_among_them(built: str, tmp_path: Path) -> None:
    good = position_at_start()
    broken = str(Deal.random(1, 0))
    file = tmp_path / "positions.txt"
    file.write_text(f"# four lines\n{good}\n{broken}\n{good} 11-11\n{small('shanghai').position(0)}\n{good}\n")
    result = xsf("probe", "--rules", built, "--goal", PAIR, "--json", str(file))
    assert result.exit_code == 2
    assert [json.loads(line)["position"] for line in result.stdout.splitlines()] == [good, good]
    first, second, third = errors(result).splitlines()
    assert first.startswith(f"xsf: {file}: line 3: groups 1 (11-44-33), 2 ")
    assert first.endswith("the tablebase holds valid positions only; `xsf hint` is for such positions")
    assert second.startswith(f"xsf: {file}: line 4: 10 triples and 2 pairs; a deal has ")
    assert third == f"xsf: {file}: line 5: goal '{PAIR}' belongs to layout ten, not shanghai"


def test_probe_builds_what_is_missing_if_told_to(rules: str) -> None:
    position = str(small("shanghai").position(0))
    missing = xsf("probe", "--rules", rules, position)
    path = table_path(LAYOUTS["shanghai"], SMALL, None)
    assert (missing.exit_code, missing.stdout) == (2, "")
    command = "xsf tablebase build --layout shanghai --rules FILE --goal shanghai"
    assert errors(missing) == f"xsf: {path}: not built yet; build it: {command}\n"
    made = xsf("probe", "--rules", rules, "--json", "--build", "-", stdin=f"{position}\n{position}\n")
    assert made.exit_code == 0
    assert [json.loads(line)["goal"] for line in made.stdout.splitlines()] == ["shanghai"] * 2
    assert [": built in " in line for line in errors(made).splitlines()] == [True, True]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("probe", "no-such-file"), "neither a file nor a position"),
        (("path", "11-22"), "0 triples and 1 pair"),
        (("build", "--goal", "moon"), "goal 'moon' is unknown"),
        (("build", "--goal", "any"), "goal any is reached by every valid position"),
        (("build", "--goal", "shanghai"), "belongs to layout shanghai"),
        (
            ("build", "--layout", "shanghai", "--memory", "8"),
            "4,502,891 valid positions; the table takes 9 MiB",
        ),
        (("build", "--jobs", "0"), "jobs"),
        (("build", "--layout", "nine"), "nine"),
        (("info", "--rules", "moon"), "moon"),
    ],
)
def test_bad_input_gets_one_line_and_status_2(rules: str, args: tuple[str, ...], words: str) -> None:
    result = xsf(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = errors(result).splitlines()
    assert words in line


def test_a_goal_has_to_be_named_in_layout_ten() -> None:
    with pytest.raises(InputError, match="--goal is missing; name one, such as"):
        _goal(None, TEN)
    assert _goal(None, LAYOUTS["eight"]).id == "eight"


STEPS = """
import sys
import cli.progress
cli.progress.Line.show = lambda line, done, total: print(done, flush=True)
from cli.main import main
main(["tablebase", *sys.argv[1:]])
"""


def test_ctrl_c_leaves_nothing_half(tmp_path: Path) -> None:
    environment = {**os.environ, "XSF_CACHE_DIR": str(tmp_path), "NUMBA_CACHE_DIR": str(kernel_dir())}
    process = subprocess.Popen(
        [sys.executable, "-c", STEPS, "build", "--layout", "shanghai"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert isinstance(process.stdout, io.TextIOBase)
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate()
    assert process.returncode == 130
    assert told.splitlines()[-1] == "xsf: interrupted"
    assert "Traceback" not in told
    assert list((tmp_path / "tablebase").iterdir()) == []
