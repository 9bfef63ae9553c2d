"""``xsf survey``: kept results, crashes, signals, bad files, clusters."""

from __future__ import annotations

import csv
import io
import json
import logging
import os
import pty
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from cluster import Cluster
from numpy.typing import NDArray

import solver.parallel
import solver.xiangshifu.survey
from cli.main import main
from cli.progress import BAR, Line, duration
from solver.cache import kernel_dir
from solver.errors import InputError
from solver.store import Store
from solver.xiangshifu.goalverdicts import GOAL_RECORD
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.survey import Survey, read_goal_records, read_records
from solver.xiangshifu.verdicts import UNDECIDED, WINNABLE, Decider

ROOT = Path(__file__).parents[2]
SEED = 12
MOST = 480
ENDLESS = "100000000"
RULES = ("classic", "thirteen")
LINE = re.compile(r"(\S+) +([\d,]+) deals: ([\d,]+) winnable, ([\d,]+) unwinnable, ([\d,]+) undecided")

SMALL = "import solver.xiangshifu.survey as survey; survey.CHUNK = 64"
"""Pieces that are done, and stored, many times a second."""

ASLEEP = f"""
import time
{SMALL}
def build(work):
    def answer(piece):
        print("deciding", flush=True)
        time.sleep(1000)
    return answer
survey.build_worker = build
"""


@pytest.fixture(scope="module")
def expected() -> dict[str, NDArray[np.void]]:
    """The records of the first ``MOST`` deals; compiles the kernels on the way."""
    return {text: Decider(RuleSet.parse(text)).decide(SEED, 0, MOST) for text in RULES}


def xsf(*args: object) -> Result:
    return CliRunner().invoke(main, ["survey", *map(str, args)])


def arguments(path: Path, count: object = MOST, jobs: int = 1) -> list[str]:
    return ["--rules", ",".join(RULES), "--seed", str(SEED), "--count", str(count), "--db", str(path), "--jobs", str(jobs)]  # fmt: skip # noqa: E501


def start(*args: str, prelude: str = SMALL, **options: object) -> subprocess.Popen[str]:
    code = f"{prelude}\nfrom cli.main import main\nmain(['survey', *__import__('sys').argv[1:]])"
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
    return subprocess.Popen([sys.executable, "-c", code, *args], cwd=ROOT, start_new_session=True, **options)  # type: ignore[call-overload,no-any-return]


def held(path: Path) -> dict[str, NDArray[np.void]]:
    """All records of a file, which must be those of the first deals."""
    found = {}
    with Store.open(path) as store:
        for part in RULES:
            gaps = list(store.gaps(part, 1 << 62))
            assert len(gaps) == 1
            parts = [records for _, records in read_records(store, part)]
            found[part] = np.concatenate(parts) if parts else np.zeros(0, solver.xiangshifu.survey.RECORD)
    return found


def chunks(path: Path) -> int:
    """How many chunks a file holds; 0 while it is being created."""
    if Store.description_in(path) is None:
        return 0
    with Store.open(path) as store:
        return sum(1 for part in RULES for _ in store.chunks(part))


def wait_for_chunks(process: subprocess.Popen[str], path: Path, least: int) -> None:
    while process.poll() is None and chunks(path) < least:
        time.sleep(0.01)


def same(path: Path, expected: dict[str, NDArray[np.void]], count: int = MOST) -> bool:
    found = held(path)
    return all(np.array_equal(found[part], expected[part][:count]) for part in RULES)


def test_counts_are_printed_and_records_kept(tmp_path: Path, expected: dict[str, NDArray[np.void]]) -> None:
    path = tmp_path / "survey.db"
    result = xsf(*arguments(path))
    assert result.exit_code == 0
    assert result.stderr == ""
    for line, part in zip(result.stdout.splitlines(), RULES, strict=True):
        match = LINE.fullmatch(line)
        assert match is not None
        won = int((expected[part]["outcome"] == WINNABLE).sum())
        assert match.groups() == (part, str(MOST), str(won), str(MOST - won), "0")
    assert same(path, expected)


def test_a_complete_survey_says_so_and_options_may_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "survey.db"
    first = xsf(*arguments(path, 50))
    before = path.read_bytes()
    for again in (xsf(*arguments(path, 50)), xsf("--db", path, "--count", 50)):
        assert again.exit_code == 0
        assert again.stderr == f"xsf: {path} holds all 100 deals already\n"
        assert again.stdout == first.stdout
    fewer = xsf("--db", path, "--count", 20, "--jobs", 1)
    assert "20 deals" in fewer.stdout
    assert path.read_bytes() == before
    more = xsf("--db", path, "--count", 70, "--jobs", 1)
    assert (more.exit_code, more.stderr) == (0, "")
    assert [line.split()[0] for line in more.stdout.splitlines()] == list(RULES)


def test_a_new_seed_is_named_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "survey.db"
    result = xsf("--db", path, "--count", 5, "--jobs", 1)
    seed = re.fullmatch(r"xsf: seed (\d+)\n", result.stderr)
    assert seed is not None
    with Store.open(path) as store:
        survey = Survey.from_description(store.description)
    assert survey == Survey((RuleSet.parse("classic"),), int(seed[1]))
    assert xsf("--db", path, "--count", 6, "--jobs", 1).stderr == ""


def test_a_file_and_options_that_disagree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "survey.db"
    xsf(*arguments(path, 5))
    before = path.read_bytes()
    for options, words in [
        (("--seed", 13), "seed 12, not 13"),
        (("--rules", "classic"), "2 rules, not 1"),
        (("--rules", "classic,multiple"), 'rules[1].id "thirteen", not "multiple"'),
        (("--shortest",), "shortest false, not true"),
        (("--layout", "eight"), 'layout "ten", not "eight"'),
    ]:
        result = xsf("--db", path, "--count", 9, *options)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"xsf: {path}: holds a survey with {words}\n"
    monkeypatch.setattr(solver.xiangshifu.survey, "version", lambda name: "9.9")
    result = xsf("--db", path, "--count", 9)
    assert result.exit_code == 2
    assert re.search(r'survey with version "[\d.]+", not "9.9"\n$', result.stderr)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--count", "0"), "--count"),
        (("--count", str(1 << 63)), "--count"),
        (("--rules", "classic,clasic"), "clasic"),
        (("--rules", "wikipedia,mixed-dragon"), "two rule sets have the id 'mixed-dragon'"),
        (("--rules", ""), "rule set"),
        (("--seed", "-1"), "-1"),
        (("--seed", str(1 << 128)), "seed"),
        (("--goal", "moon"), "moon"),
        (("--goal", "shanghai"), "belongs to layout shanghai"),
        (("--goal", "all", "--shortest"), "for goal any only"),
        (("--time-limit", "5"), "--time-limit is for goals other than any"),
        (("--jobs", "0"), "--jobs"),
        (("--memory", "0"), "--memory"),
        (("--jobs", "2", "--scheduler", "tcp://127.0.0.1:1"), "exclude"),
        (("--scheduler", ""), "no scheduler answers at ''"),
        (("--scheduler", "nowhere"), "no scheduler answers at 'nowhere'"),
        (("--db", "."), "folder"),
        (("--db", "no/such/folder/file.db"), "no such folder"),
        (("--db", "README.md"), "not a database"),
    ],
)
def test_bad_input_gets_one_line_and_status_2(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    args = ("--count", "5", "--seed", "1", "--db", str(tmp_path / "survey.db"), *options)
    # In a process of its own where Dask is loaded, which has warnings of its own.
    if "--scheduler" in options and "--jobs" not in options:
        with start(*args) as process:
            stdout, stderr = process.communicate()
        status = process.returncode
    else:
        result = xsf(*args)
        status, stdout, stderr = result.exit_code, result.stdout, result.stderr
    assert (status, stdout) == (2, "")
    assert words in stderr
    assert len(stderr.splitlines()) == 1


def test_options_that_must_be_given(tmp_path: Path) -> None:
    assert "--db" in xsf("--count", 5).stderr
    assert "--count" in xsf("--db", tmp_path / "survey.db").stderr


def test_undecided_deals_are_counted_and_change_the_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "survey.db"

    def undecided(work: object) -> object:
        return lambda piece: bytes(solver.xiangshifu.survey.RECORD.itemsize * piece.count)

    assert UNDECIDED == 0
    monkeypatch.setattr(solver.xiangshifu.survey, "build_worker", undecided)
    for _ in range(2):
        result = xsf("--count", 2000, "--seed", 1, "--db", path, "--jobs", 1)
        assert result.exit_code == 3
        assert result.stdout == "classic  2,000 deals: 0 winnable, 0 unwinnable, 2,000 undecided\n"


def test_help_loads_nothing_heavy() -> None:
    code = "import sys, contextlib\nfrom cli.main import main\nwith contextlib.suppress(SystemExit): main()\n"
    code += "print(sorted({'numba', 'numpy', 'scipy', 'distributed', 'dask', 'sqlite3'} & set(sys.modules)))"
    for args in (["--help"], ["survey", "--help"]):
        done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=True, cwd=ROOT)
        assert done.stdout.endswith("[]\n")


def kill_and_go_on(path: Path, kills: int, jobs: int) -> None:
    """Kill a survey again and again at random moments, then let it end."""
    for _ in range(kills):
        with start(*arguments(path, jobs=jobs)) as process:
            wait_for_chunks(process, path, chunks(path) + random.randrange(3))
            with suppress(subprocess.TimeoutExpired):
                process.wait(random.uniform(0, 0.1))
            process.kill()
    result = xsf(*arguments(path, jobs=jobs))
    assert result.exit_code == 0, result.stderr
    assert len(result.stdout.splitlines()) == len(RULES)


@pytest.mark.parametrize(("jobs", "kills"), [(1, 3), (2, 1)])
def test_killed_it_goes_on(jobs: int, kills: int, tmp_path: Path, expected: dict[str, NDArray[np.void]]) -> None:
    path = tmp_path / "survey.db"
    kill_and_go_on(path, kills, jobs)
    assert same(path, expected)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_a_hundred_times_it_goes_on(jobs: int, tmp_path: Path, expected: dict[str, NDArray[np.void]]) -> None:
    for trial in range(10):
        path = tmp_path / f"survey{trial}.db"
        kill_and_go_on(path, 10, jobs)
        assert same(path, expected)


@pytest.mark.parametrize(("jobs", "number"), [(1, signal.SIGTERM), (2, signal.SIGINT)])
def test_stopped_it_keeps_what_is_done(
    jobs: int, number: signal.Signals, tmp_path: Path, expected: dict[str, NDArray[np.void]]
) -> None:
    path = tmp_path / "survey.db"
    with start(*arguments(path, ENDLESS, jobs)) as process:
        wait_for_chunks(process, path, 3)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does
        else:
            process.send_signal(number)
        stdout, stderr = process.communicate()
    assert (process.returncode, stdout) == (130, "")
    line = re.fullmatch(
        r"xsf: stopped at 0 %: ([\d,]+) of 200,000,000 deals are stored; the same command goes on\n", stderr
    )
    assert line is not None
    found = held(path)
    assert sum(map(len, found.values())) == int(line[1].replace(",", ""))
    for part in RULES:
        most = min(MOST, len(found[part]))
        assert np.array_equal(found[part][:most], expected[part][:most])


@contextmanager
def on_a_terminal(*args: str, prelude: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A survey whose stderr is a terminal, and that terminal's other end."""
    ours, theirs = pty.openpty()
    with start(*args, prelude=prelude, stderr=theirs, env={**os.environ, "TERM": "xterm"}) as process:
        os.close(theirs)
        yield process, ours
        os.close(ours)


def read_until(terminal: int, words: str) -> str:
    text = ""
    with suppress(OSError):  # the end, on Linux
        while words not in text and (more := os.read(terminal, 4096)):
            text += more.decode()
    return text


def test_a_second_interrupt_stops_at_once(tmp_path: Path) -> None:
    with on_a_terminal(*arguments(tmp_path / "survey.db"), prelude=ASLEEP) as (process, terminal):
        assert process.stdout is not None
        assert process.stdout.readline() == "deciding\n"
        os.killpg(process.pid, signal.SIGINT)
        assert "Ctrl-C again stops at once" in read_until(terminal, "at once\r\n")
        os.killpg(process.pid, signal.SIGINT)
        rest = read_until(terminal, "nothing of the kind")
        assert process.wait() == 130
    assert rest.endswith("xsf: interrupted\r\n")
    assert "Traceback" not in rest


def test_the_progress_line_on_a_terminal(tmp_path: Path) -> None:
    with on_a_terminal(*arguments(tmp_path / "survey.db", 128), prelude=SMALL) as (process, terminal):
        text = read_until(terminal, "nothing of the kind")
        assert process.wait() == 0
    assert f"\r  0 % {'─' * BAR} 0 of 256 deals" in text or f"\r  0 % {'.' * BAR} 0 of 256 deals" in text
    # The line is wiped at the end.
    assert text.endswith("\r\x1b[K")


class Terminal(io.StringIO):
    encoding = "utf-8"  # type: ignore[assignment]

    def isatty(self) -> bool:
        return True


def test_the_progress_line_tells_speed_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "xterm")
    now = 0.0
    stream = Terminal()
    with Line(stream, clock=lambda: now) as line:
        for second in range(0, 101, 10):
            now = float(second)
            line.show(1000 + 5 * second, 9000)
        now += 0.1
        line.show(2000, 9000)
        drawn = stream.getvalue().split("\r")
    assert drawn[-1] == f" 16 % {'━' * 4}{'─' * 20} 1,500 of 9,000 deals, 5 a second, 25 min left\x1b[K"
    assert len(drawn) == 12
    assert stream.getvalue().endswith("\r\x1b[K")


def test_the_progress_line_fits_and_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    Line(stream).show(1, 3)
    assert stream.getvalue() == f"\r 33 % {'━' * 8}{'─' * 15}\x1b[K"
    plain = io.StringIO()
    with Line(plain) as line:
        line.show(1, 3)
    monkeypatch.setenv("TERM", "dumb")
    with Line(Terminal()) as line:
        line.show(1, 3)
    assert plain.getvalue() == ""


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "0 s"),
        (59, "59 s"),
        (59.9, "1 min"),
        (3569, "59 min"),
        (3571, "1 h 0 min"),
        (4800, "1 h 20 min"),
        (200_000, "2 d 7 h"),
    ],
)
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@pytest.mark.usefixtures("expected")  # so that kernels are compiled where files may grow
def test_a_full_disk_is_one_line_and_the_survey_goes_on_after(tmp_path: Path) -> None:
    path = tmp_path / "survey.db"

    def cramped() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (13_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

    with start(*arguments(path, ENDLESS), preexec_fn=cramped) as process:
        stdout, stderr = process.communicate()
    assert (process.returncode, stdout) == (2, "")
    assert re.fullmatch(rf"xsf: {path}: (disk I/O error|database or disk is full)\n", stderr)
    done = len(held(path)["classic"])
    assert done > 0
    assert xsf(*arguments(path, done + 10)).exit_code == 0
    fresh = tmp_path / "fresh.db"
    assert xsf(*arguments(fresh, done + 10)).exit_code == 0
    assert same(path, held(fresh), done + 10)


def test_a_damaged_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "survey.db"
    assert xsf(*arguments(path)).exit_code == 0
    whole = path.read_bytes()
    connection = sqlite3.connect(path)
    (blob,) = connection.execute("SELECT data FROM chunks WHERE part = 'thirteen'").fetchone()
    connection.close()
    for place in (100, 2 * 4096, whole.index(blob[100:132])):
        path.write_bytes(whole[:place] + random.Random(place).randbytes(300) + whole[place + 300 :])
        result = xsf(*arguments(path))
        assert result.exit_code == 2
        assert result.stderr.splitlines()[-1].startswith(f"xsf: {path}: ")
        assert len(result.stderr.splitlines()) <= 2  # first that all deals are there, if that can still be told
    path.write_bytes(whole[: len(whole) // 2])
    assert xsf(*arguments(path)).exit_code == 2


def test_a_process_that_is_killed_costs_nothing(tmp_path: Path, expected: dict[str, NDArray[np.void]]) -> None:
    path = tmp_path / "survey.db"
    with start(*arguments(path, jobs=2)) as process:
        wait_for_chunks(process, path, 2)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        if not children.exists():
            pytest.skip("this system does not list the children of a process")
        for child in map(int, children.read_text().split()):
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)
                break
        _, stderr = process.communicate()
    assert (process.returncode, stderr) == (0, "")
    assert same(path, expected)


def on_cluster(path: Path, cluster: Cluster, count: object = MOST) -> list[str]:
    return [*arguments(path, count)[:-2], "--scheduler", cluster.address]


def test_a_cluster_that_loses_a_worker(tmp_path: Path, cluster: Cluster, expected: dict[str, NDArray[np.void]]) -> None:
    path = tmp_path / "survey.db"
    cluster.worker()
    doomed, _ = cluster.worker()
    with start(*on_cluster(path, cluster)) as process:
        wait_for_chunks(process, path, 3)
        doomed.kill()
        _, stderr = process.communicate()
    assert (process.returncode, stderr) == (0, "")
    assert same(path, expected)


def refusal(path: Path, cluster: Cluster) -> str:
    """The one line that is said of the cluster's worker, without the address of the scheduler."""
    with start(*on_cluster(path, cluster)) as process:
        stdout, stderr = process.communicate()
    assert (process.returncode, stdout) == (2, "")
    assert len(stderr.splitlines()) == 1
    return stderr.removeprefix(f"xsf: {cluster.address}: ")


def test_a_worker_with_another_version_is_refused(tmp_path: Path, cluster: Cluster) -> None:
    other = tmp_path / "other"
    shutil.copytree(ROOT / "solver", other / "solver", ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "solver" / "errors.py").open("a") as file:
        file.write("# another version\n")
    _, address = cluster.worker(PYTHONPATH=str(other))
    said = refusal(tmp_path / "survey.db", cluster)
    assert said == f"worker {address} has another version; all need the sources used here\n"


@pytest.mark.slow
def test_a_worker_without_the_toolkit_is_refused(tmp_path: Path, cluster: Cluster) -> None:
    (tmp_path / "solver.py").write_text("raise ImportError('none here')\n")
    _, address = cluster.worker(PYTHONPATH=str(tmp_path))
    said = refusal(tmp_path / "survey.db", cluster)
    assert said.startswith(f"worker {address} can't load this toolkit (")
    assert "none here" in said


def test_a_cluster_whose_scheduler_goes(tmp_path: Path, cluster: Cluster) -> None:
    path = tmp_path / "survey.db"
    cluster.worker()
    with start(*on_cluster(path, cluster, ENDLESS)) as process:
        wait_for_chunks(process, path, 2)
        cluster._processes[0].kill()
        stdout, stderr = process.communicate()
    assert (process.returncode, stdout) == (2, "")
    assert stderr == f"xsf: {cluster.address}: the scheduler has gone\n"


GOALS_HEAD = ["goal", "winnable", "unwinnable", "undecided"]


@pytest.fixture(scope="module")
def goal_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the file of a rule set that has few valid positions, where tables are kept too."""
    folder = tmp_path_factory.mktemp("goals")
    (folder / "small.toml").write_text('name = "small"\nremove = ["full-fourteen", "coincidence"]\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_CACHE_DIR", str(kernel_dir()))
        patch.setenv("XSF_CACHE_DIR", str(folder))
        yield folder


def goal_arguments(folder: Path, path: Path, count: int, jobs: int = 1) -> list[str]:
    rules = str(folder / "small.toml")
    return ["--rules", rules, "--seed", "3", "--layout", "eight", "--goal", "all", "--count", str(count), "--db", str(path), "--jobs", str(jobs)]  # fmt: skip # noqa: E501


def goal_records(path: Path) -> NDArray[np.void]:
    with Store.open(path) as store:
        return np.concatenate([records for _, records in read_goal_records(store, "small")])


def test_goals_are_surveyed_and_their_tables_built(goal_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "goals.db"
    first = xsf(*goal_arguments(goal_folder, path, 100))
    told = [line for line in first.stderr.splitlines() if "compiling" not in line]
    assert first.exit_code == 0
    assert told[0] == "xsf: building the table of components, rules small, layout eight, which goals need"
    assert re.search(r": built in \d+ s$", told[1])
    assert len(told) == 2
    head, *lines = first.stdout.splitlines()
    assert head == "small  100 deals"
    assert lines[0].split() == [*GOALS_HEAD]
    assert [line.split()[0] for line in lines[1:]] == ["eight-civil", "eight-military", "eight", "any"]
    found = goal_records(path)
    for goal, line in enumerate(lines[1:]):
        won, lost = (int((found[name] >> goal & 1).sum()) for name in ("winnable", "unwinnable"))
        assert line.split()[1:] == [str(won), str(lost), str(100 - won - lost)]
    again = xsf("--db", path, "--count", 100)
    assert again.stdout == first.stdout
    assert again.stderr == f"xsf: {path} holds all 100 deals already\n"
    more = xsf("--db", path, "--count", 110, "--jobs", 1)
    assert (more.exit_code, more.stderr) == (0, "")


def test_a_layout_has_a_goal_of_its_own(goal_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "goals.db"
    rules = goal_folder / "small.toml"
    result = xsf("--rules", rules, "--layout", "eight", "--seed", 3, "--count", 5, "--db", path, "--jobs", 1)
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["small", "goal", "eight", "any"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_survey_of_goals_killed_goes_on(goal_folder: Path, tmp_path: Path, jobs: int) -> None:
    path, other = tmp_path / "goals.db", tmp_path / "whole.db"
    prelude = "import solver.xiangshifu.survey as survey; survey.GOAL_CHUNK = 8"
    with start(*goal_arguments(goal_folder, path, 10_000_000, jobs), prelude=prelude) as process:
        while process.poll() is None and not parts(path):
            time.sleep(0.01)
        process.kill()
    kept = parts(path)
    assert kept
    count = 8 * kept + 50
    assert xsf(*goal_arguments(goal_folder, path, count)).exit_code == 0
    assert xsf(*goal_arguments(goal_folder, other, count)).exit_code == 0
    assert np.array_equal(goal_records(path)[:count], goal_records(other))


def test_a_scheduler_is_looked_for_before_tables_are_built(
    goal_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(scheduler: str) -> None:
        raise InputError(f"no scheduler answers at {scheduler!r}")

    monkeypatch.setenv("XSF_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(solver.parallel, "check_scheduler", refuse)
    # Logging stays as it is for other tests.
    monkeypatch.setattr(logging, "disable", lambda: None)
    result = xsf(*goal_arguments(goal_folder, tmp_path / "goals.db", 5)[:-2], "--scheduler", "nowhere")
    assert (result.exit_code, result.stderr) == (2, "xsf: no scheduler answers at 'nowhere'\n")
    assert not (tmp_path / "cache").exists()


def on_goal_cluster(folder: Path, path: Path, cluster: Cluster) -> tuple[int, str]:
    """The status of a survey of goals on a cluster, and what it says."""
    args = [*goal_arguments(folder, path, 130)[:-2], "--scheduler", cluster.address]
    with start(*args, prelude="") as process:
        _, stderr = process.communicate()
    return process.returncode, stderr


def test_goals_are_surveyed_on_a_cluster(goal_folder: Path, tmp_path: Path, cluster: Cluster) -> None:
    path, other = tmp_path / "goals.db", tmp_path / "here.db"
    assert xsf(*goal_arguments(goal_folder, other, 130)).exit_code == 0
    cluster.worker(XSF_CACHE_DIR=str(goal_folder))
    assert on_goal_cluster(goal_folder, path, cluster) == (0, "")
    assert np.array_equal(goal_records(path), goal_records(other))


@pytest.mark.slow
def test_a_worker_without_the_table_of_components(goal_folder: Path, tmp_path: Path, cluster: Cluster) -> None:
    path = tmp_path / "goals.db"
    assert xsf(*goal_arguments(goal_folder, tmp_path / "here.db", 1)).exit_code == 0
    cluster.worker(XSF_CACHE_DIR=str(tmp_path / "empty"))
    status, stderr = on_goal_cluster(goal_folder, path, cluster)
    table = rf"{tmp_path}/empty/tablebase/eight-small-\w+-components\.xsf"
    needed = "each worker needs the table of components in its cache folder"
    assert status == 2
    assert re.fullmatch(rf"xsf: \S+: {table}: No such file or directory; {needed}\n", stderr)
    assert parts(path) == 0


def parts(path: Path) -> int:
    """How many chunks a file of the small rule set holds."""
    if Store.description_in(path) is None:
        return 0
    with Store.open(path) as store:
        return sum(1 for _ in store.chunks("small"))


def test_goals_left_undecided_change_the_status(
    goal_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def undecided(work: object) -> object:
        return lambda piece: bytes(GOAL_RECORD.itemsize * piece.count)

    monkeypatch.setattr(solver.xiangshifu.survey, "build_worker", undecided)
    result = xsf(*goal_arguments(goal_folder, tmp_path / "goals.db", 70), "--time-limit", "0.5")
    assert result.exit_code == 3
    assert result.stdout.splitlines()[2].split() == ["eight-civil", "0", "0", "70"]


def test_reports_of_goals(goal_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "goals.db"
    xsf(*goal_arguments(goal_folder, path, 60))
    found = goal_records(path)

    def report(*options: str) -> Result:
        return CliRunner().invoke(main, ["report", str(path), *options])

    told = json.loads(report("--json").stdout)
    assert (told["goal"], told["layout"], list(told["rules"])) == ("all", "eight", ["small"])
    goals = told["rules"]["small"]["goals"]
    rows = list(csv.DictReader(io.StringIO(report("--csv").stdout)))
    assert list(goals) == [row["goal"] for row in rows] == ["eight-civil", "eight-military", "eight", "any"]
    for place, (one, row) in enumerate(zip(goals.values(), rows, strict=True)):
        won, lost = (int((found[name] >> place & 1).sum()) for name in ("winnable", "unwinnable"))
        assert (one["deals"], one["winnable"], one["unwinnable"], one["undecided"]) == (60, won, lost, 60 - won - lost)
        assert (row["deals"], row["winnable"], float(row["low"])) == ("60", str(won), one["low"])
    text = report("--ascii").stdout
    assert text.startswith("Survey of random deals: seed 3, layout eight, all goals\n\nsmall: 60 deals\n")
    assert max(map(len, text.splitlines())) <= 79
    assert text.isascii()
    figure = tmp_path / "goals.svg"
    assert report("--plot", str(figure)).exit_code == 0
    assert "eight-military" in figure.read_text()
    refused = report("--parquet", str(tmp_path / "goals.parquet"))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--parquet is for surveys of goal any" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
