"""The maps over processes and clusters."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path

import pytest

from solver.errors import InputError
from solver.parallel import (
    AHEAD,
    IN_FLIGHT,
    MOST_LOSSES,
    WorkerDied,
    check_scheduler,
    cluster_map,
    ordered_map,
    unordered_map,
)

ROOT = Path(__file__).parents[2]


def adder(amount: int) -> Callable[[int], int]:
    """Build what workers do: add an amount, or fail at 13."""

    def add(number: int) -> int:
        if number == 13:
            raise ValueError("thirteen")
        return number + amount

    return add


def drawn(taken: list[int]) -> Iterator[int]:
    """The numbers from 20 on, noting which are taken."""
    for number in count(20):
        taken.append(number)
        yield number


@pytest.mark.parametrize("jobs", [1, 2])
def test_answers_come_in_the_order_of_items(jobs: int) -> None:
    items = range(20, 120)
    assert list(ordered_map(adder, 1000, items, jobs=jobs, chunk=7)) == [item + 1000 for item in items]


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_items_no_answers(jobs: int) -> None:
    assert list(ordered_map(adder, 1, [], jobs=jobs)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_endless_input_is_read_only_as_far_as_needed(jobs: int) -> None:
    taken: list[int] = []
    answers = ordered_map(adder, 0, drawn(taken), jobs=jobs, chunk=5)
    assert list(islice(answers, 10)) == list(range(20, 30))
    answers.close()  # type: ignore[attr-defined]
    assert len(taken) <= 10 + 5 * (AHEAD * jobs + 1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_in_a_worker_is_raised_here(jobs: int) -> None:
    answers = ordered_map(adder, 0, [11, 12, 13, 14], jobs=jobs, chunk=1)
    assert [next(answers), next(answers)] == [11, 12]
    with pytest.raises(ValueError, match="thirteen"):
        next(answers)


@pytest.mark.parametrize("jobs", [1, 2])
def test_unordered_answers_come_with_their_items(jobs: int) -> None:
    answers = list(unordered_map(adder, 1000, range(20, 120), jobs=jobs))
    assert sorted(answers) == [(item, item + 1000) for item in range(20, 120)]
    assert list(unordered_map(adder, 1, [], jobs=jobs)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_told_to_stop_it_finishes_what_is_in_flight(jobs: int) -> None:
    taken: list[int] = []
    stops: list[bool] = []
    answers = unordered_map(adder, 0, drawn(taken), jobs=jobs, stop=lambda: bool(stops))
    got = [next(answers)[0] for _ in range(10)]
    stops.append(True)
    got += [item for item, _ in answers]
    assert sorted(got) == taken
    assert len(taken) <= 10 + IN_FLIGHT * jobs


@pytest.mark.parametrize("jobs", [1, 2])
def test_told_to_stop_before_it_begins(jobs: int) -> None:
    taken: list[int] = []
    assert list(unordered_map(adder, 0, drawn(taken), jobs=jobs, stop=lambda: True)) == []
    assert taken == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_unordered_failure_is_raised_here(jobs: int) -> None:
    with pytest.raises(ValueError, match="thirteen"):
        list(unordered_map(adder, 0, [11, 12, 13, 14], jobs=jobs))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_to_build_is_raised_here(jobs: int) -> None:
    with pytest.raises(TypeError, match="NoneType"):
        list(unordered_map(adder, None, [20], jobs=jobs))  # type: ignore[arg-type]


def suicidal(folder: Path) -> Callable[[int], int]:
    """Build workers that die at each number that has no file in the folder yet, or always at 13."""

    def answer(number: int) -> int:
        mark = folder / str(number)
        if number == 13 or (number % 10 == 0 and not mark.exists()):
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return -number

    return answer


def test_work_of_a_process_that_died_is_done_again(tmp_path: Path) -> None:
    answers = dict(unordered_map(suicidal, tmp_path, range(20, 60), jobs=2))
    assert answers == {number: -number for number in range(20, 60)}
    assert sorted(mark.name for mark in tmp_path.iterdir()) == ["20", "30", "40", "50"]


def test_work_that_kills_every_process_is_given_up(tmp_path: Path) -> None:
    got: list[int] = []
    with pytest.raises(WorkerDied, match=f"{MOST_LOSSES + 1} times at the same work"):
        got.extend(item for item, _ in unordered_map(suicidal, tmp_path, [21, 13, *range(31, 40)], jobs=2))
    assert set(got) <= {21, *range(31, 40)}


def test_a_process_that_dies_after_the_stop_costs_only_its_work(tmp_path: Path) -> None:
    taken: list[int] = []
    answers = unordered_map(suicidal, tmp_path, drawn(taken), jobs=2, stop=lambda: bool(taken))
    assert list(answers) == []
    assert taken == [20]


NAME_WORKERS = """
import os
import time
from solver.parallel import unordered_map
def build(spec):
    return work
def work(item):
    print(os.getpid(), flush=True)
    time.sleep(1000)
if __name__ == "__main__":
    list(unordered_map(build, None, [1, 2], jobs=2))
"""


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z"


def test_workers_end_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(NAME_WORKERS)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        pids = [int(process.stdout.readline()) for _ in range(2)]
        process.kill()
        # Until end of file, which comes when the last worker has gone.
        process.stdout.read()
    while not all(map(gone, pids)):
        time.sleep(0.01)


def test_a_cluster_without_dask_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install 'xiangshifu\[cluster\]'"):
        next(cluster_map(adder, 1, [20], scheduler="tcp://127.0.0.1:1"))
    with pytest.raises(InputError, match=r"pip install 'xiangshifu\[cluster\]'"):
        check_scheduler("tcp://127.0.0.1:1")
