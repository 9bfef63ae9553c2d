"""The commands as scripts meet them: output, errors on one line, exit status."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import main

ROOT = Path(__file__).parents[2]
DEALS = ROOT / "data" / "deals" / "public-deals.txt"
REAL = "56-13-62 21-44-52 61-51-33 61-11-55 14-34-24 22-55-51 31-44-54 53-63-11 46-33-64 56-32-66 22-66"
LOST = "11-33-22 14-24-33 44-55-66 11-13-56 13-44-55 66-22-56 46-46-16 16-15-15 36-45-26 35-25-34 23-12"


def xsf(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, args, input=stdin)


def records(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_solve_prints_a_solution() -> None:
    result = xsf("solve", REAL)
    assert result.exit_code == 0
    assert "9 moves" in result.stdout or "moves" in result.stdout
    assert result.stderr == "" or "compiling" in result.stderr


def test_solve_json_has_every_field_of_the_interface() -> None:
    (record,) = records(xsf("solve", "--json", REAL))
    assert set(record) == {
        "schema", "deal", "layout", "rules", "goal", "verdict", "reason", "length", "optimal", "lower_bound", "moves",
        "proof", "expanded", "seconds",
    }  # fmt: skip
    assert record["schema"] == 1
    assert record["verdict"] == "winnable"
    assert record["optimal"] is True
    assert record["rules"]["id"] == "classic"  # type: ignore[index]
    move = record["moves"][0]  # type: ignore[index]
    assert set(move) == {"groups", "out", "before", "after", "names"}


def test_solved_deals_pass_the_check() -> None:
    solved = xsf("solve", "--json", str(DEALS))
    assert len(records(solved)) == 2
    checked = xsf("check", "-", stdin=solved.stdout)
    assert (checked.exit_code, checked.stdout) == (0, "checked 2, failed 0\n")
    assert xsf("check", "--full", "-", stdin=solved.stdout).exit_code == 0


def test_a_tampered_result_fails_the_check() -> None:
    text = xsf("solve", "--json", REAL).stdout.replace('"length": ', '"length": 1')
    checked = xsf("check", "-", stdin=text)
    assert checked.exit_code == 1
    assert checked.stdout.endswith("checked 1, failed 1\n")
    assert "line 1: " in checked.stdout


def test_what_is_not_json_is_bad_input_and_the_rest_is_checked() -> None:
    text = "{broken\n" + xsf("solve", "--json", REAL).stdout
    checked = xsf("check", "-", stdin=text)
    assert checked.exit_code == 2
    assert "line 1: not JSON" in checked.stderr
    assert checked.stdout == "checked 1, failed 0\n"


def test_an_unwinnable_deal_is_an_answer() -> None:
    result = xsf("solve", "--json", LOST)
    assert result.exit_code == 0
    (record,) = records(result)
    assert record["verdict"] == "unwinnable"
    assert record["proof"] == {"kind": "dead-group", "group": 1}
    assert record["moves"] is None
    assert record["lower_bound"] is None


def test_bad_lines_are_named_and_the_others_answered(tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    file.write_text(f"# two good, two bad\n{REAL}\n56-13\n\n{REAL.replace('22-66', '22-67')}\n{LOST}\n")
    result = xsf("solve", "--json", str(file))
    assert result.exit_code == 2
    assert [record["verdict"] for record in records(result)] == ["winnable", "unwinnable"]
    lines = [line for line in result.stderr.splitlines() if "line " in line]
    assert len(lines) == 2
    assert "line 3: " in lines[0]
    assert "line 5: tile 67 does not exist" in lines[1]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("solve", "no-such-file"), "neither a file nor a deal"),
        (("solve", "deals-2026.txt"), "no such file"),
        (("solve", "11-22"), "0 triples and 1 pair"),
        (("solve", "--rules", "clasic", REAL), "clasic"),
        (("solve", "--rules", "missing.toml", REAL), "missing.toml"),
        (("solve", "--goal", "moon", REAL), "moon"),
        (("solve", "--memory", "0", REAL), "memory"),
        (("solve", "--jobs", "0", REAL), "jobs"),
        (("solve", "--time-limit", "-1", REAL), "time-limit"),
        (("solve", "--wrong"), "--wrong"),
        (("bogus",), "bogus"),
        (("check", "nothing.jsonl"), "nothing.jsonl"),
        (("check", "--moves", "nothing.txt", REAL), "nothing.txt"),
        (("deal", "--length", "abc"), "abc"),
        (("deal", "--length", "9-3"), "9 is more than 3"),
        (("deal", "--seed", "-1"), "-1"),
        (("deal", "--seed", str(1 << 128)), "seed"),
        (("deal", "--unwinnable", "--length", "3-4"), "exclude"),
        (("show", "11"), "1 tile"),
        (("dead-groups", "--rules", "+"), "rule set"),
        (("graph", "matching", "11"), "1 tile"),
    ],
)
def test_bad_input_gets_one_line_and_status_2(args: tuple[str, ...], words: str) -> None:
    result = xsf(*args)
    assert result.exit_code == 2
    lines = [line for line in result.stderr.splitlines() if "compiling" not in line]
    assert words in lines[0]
    assert "Traceback" not in result.output
    if args[0] != "graph":
        assert len(lines) == 1


def test_limits_leave_a_deal_undecided_with_status_3() -> None:
    result = xsf("solve", "--json", "--max-positions", "2", REAL)
    assert result.exit_code == 3
    (record,) = records(result)
    assert (record["verdict"], record["reason"], record["proof"]) == ("undecided", "positions", None)
    assert xsf("check", "-", stdin=result.stdout).exit_code == 0


def test_bad_input_wins_over_undecided() -> None:
    assert xsf("solve", "--max-positions", "2", "-", stdin=f"{REAL}\nnonsense 1\n").exit_code == 2


def test_jobs_change_nothing_but_the_time() -> None:
    deals = xsf("deal", "--seed", "3", "--count", "40").stdout
    one = records(xsf("solve", "--json", "-", stdin=deals))
    two = records(xsf("solve", "--json", "--jobs", "2", "-", stdin=deals))
    for record in (*one, *two):
        del record["seconds"]
    assert one == two


def test_a_users_rules_come_with_the_result() -> None:
    rules = str(ROOT / "data" / "rules" / "gentle.toml")
    result = xsf("solve", "--json", "--rules", rules, REAL)
    (record,) = records(result)
    assert record["rules"]["id"] == "gentle"  # type: ignore[index]
    assert record["rules"]["patterns"]["low-pairs"] == [1, 1, 2, 2, 4, 4]  # type: ignore[index]
    assert xsf("check", "-", stdin=result.stdout).exit_code == 0


def test_deal_is_a_function_of_seed_and_index() -> None:
    many = xsf("deal", "--seed", "7", "--count", "5").stdout.splitlines()
    assert len(set(many)) == 5
    assert xsf("deal", "--seed", "7", "--index", "3").stdout.splitlines() == [many[3]]
    assert xsf("deal", "--seed", "7", "--index", "3", "--layout", "eight").stdout.splitlines() != [many[3]]


def test_deal_without_a_seed_names_it() -> None:
    result = xsf("deal")
    seed = result.stderr.split()[-1]
    assert xsf("deal", "--seed", seed).stdout == result.stdout


def test_deals_of_a_wanted_kind() -> None:
    lost = xsf("deal", "--seed", "5", "--unwinnable", "--count", "2")
    assert [record["verdict"] for record in records(xsf("solve", "--json", "-", stdin=lost.stdout))] == [
        "unwinnable"
    ] * 2
    short = xsf("deal", "--seed", "5", "--length", "5-6", "--count", "2")
    assert all(record["length"] in (5, 6) for record in records(xsf("solve", "--json", "-", stdin=short.stdout)))
    assert xsf("deal", "--seed", "5", "--winnable").exit_code == 0
    assert xsf("deal", "--seed", "5", "--length", "90-99", "--tries", "3").exit_code == 1


def test_own_moves_are_checked(tmp_path: Path) -> None:
    (record,) = records(xsf("solve", "--json", REAL))
    lines = [" ".join("-".join(out) for out in move["out"]) for move in record["moves"]]  # type: ignore[attr-defined]
    file = tmp_path / "moves.txt"
    file.write_text("# my solution\n" + "\n".join(lines) + "\n")
    done = xsf("check", "--moves", str(file), REAL)
    assert (done.exit_code, "won" in done.stdout) == (0, True)
    file.write_text("\n".join(lines[:-1]) + "\n")
    assert xsf("check", "--moves", str(file), REAL).exit_code == 1
    file.write_text("66 66\n")
    refused = xsf("check", "--moves", str(file), REAL)
    assert refused.exit_code == 1
    assert "line 1" in refused.stdout


def test_show_names_and_marks_groups() -> None:
    (record,) = records(xsf("show", "--json", LOST))
    groups = record["groups"]
    assert groups[0]["names"] == ["small-dragon"]  # type: ignore[index]
    assert groups[1] == {"tiles": ["33", "14", "24"], "names": []}  # type: ignore[index]
    assert xsf("show", "--ascii", LOST).stdout.isascii()


def test_dead_groups_as_json() -> None:
    (record,) = records(xsf("dead-groups", "--json", "--rules", "wikipedia"))
    assert record["rules"]["id"] == "mixed-dragon"  # type: ignore[index]
    assert record["dead"] == {"triples": [], "pairs": []}


def test_graph_commands(tmp_path: Path) -> None:
    assert "so at least" in xsf("graph", "matching", REAL).stdout
    file = tmp_path / "moves.graphml"
    assert xsf("graph", "moves", "--most", "20", "-o", str(file), REAL).exit_code == 0
    assert file.read_text().count("<node ") == 20
    data = json.loads(xsf("graph", "moves", "--most", "5", "--format", "json", REAL).stdout)
    assert len(data["nodes"]) == 5


def run(*args: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cli.main", *args]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, **options)  # type: ignore[call-overload,no-any-return]


def test_help_does_not_load_numba() -> None:
    code = (
        "import sys; sys.argv = ['xsf', '--help']\ntry:\n import cli.main; cli.main.main()\nexcept SystemExit: pass\n"
    )
    code += "print(sorted({'numba', 'numpy', 'networkx'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.endswith("[]\n")


def test_a_full_disk_is_one_line() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cli.main", "deal", "--seed", "1"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=ROOT,
        )  # fmt: skip
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "No space left" in done.stderr


def test_a_closed_pipe_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m cli.main deal --seed 1 --count 3000 | head -n 1",
        shell=True, capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupt_keeps_what_is_done(jobs: str, tmp_path: Path) -> None:
    deals = tmp_path / "deals.txt"
    deals.write_text(100 * xsf("deal", "--seed", "8", "--count", "300").stdout)
    answers = tmp_path / "answers.jsonl"
    with answers.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "cli.main", "solve", "--json", "--jobs", jobs, str(deals)],
            stdout=out, stderr=subprocess.PIPE, text=True, cwd=ROOT, start_new_session=True,
        )  # fmt: skip
        while process.poll() is None and answers.stat().st_size == 0:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "xsf: interrupted"
    assert "Traceback" not in err
    lines = answers.read_text().splitlines()
    assert 0 < len(lines) < 30000
    assert all(json.loads(line)["schema"] == 1 for line in lines)
