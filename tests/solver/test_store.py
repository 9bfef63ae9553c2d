"""Results that survive crashes, damage and a full disk."""

from __future__ import annotations

import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from itertools import count as counting
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import solver.store
from solver.errors import InputError
from solver.store import APPLICATION_ID, Store

ROOT = Path(__file__).parents[2]
ABOUT = {"kind": "test", "seed": 1, "rules": [{"id": "one", "n": 3}, {"id": "two", "n": 4}], "deep": False}


def payload(part: str, start: int, count: int) -> bytes:
    """What the tests store: a function of the place alone, that compression can't shrink."""
    return random.Random(f"{part} {start}").randbytes(count)


def add(store: Store, part: str, start: int, count: int) -> bool:
    return store.add(part, start, payload(part, start, count), count)


def filled(path: Path) -> list[tuple[str, int, int, bytes]]:
    """Create a file of a few chunks in two parts; what it holds."""
    with Store.create_or_open(path, ABOUT) as store:
        for part in ("one", "two"):
            for start in range(0, 30_000, 3000):
                add(store, part, start, 3000)
    return contents(path)


def contents(path: Path) -> list[tuple[str, int, int, bytes]]:
    with Store.open(path) as store:
        return [(part, *chunk) for part in ("one", "two") for chunk in store.chunks(part)]


def test_what_is_stored_comes_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    with Store.create_or_open(path, ABOUT) as store:
        for start in (20, 0, 10):
            assert add(store, "one", start, 10)
        assert store.add("two", 5, b"", 1)
    with Store.open(path) as store:
        assert store.description == ABOUT
        assert list(store.chunks("one")) == [(start, 10, payload("one", start, 10)) for start in (0, 10, 20)]
        assert list(store.chunks("two")) == [(5, 1, b"")]
        assert store.covered("one") == [(0, 30)]
        assert list(store.gaps("two", 9)) == [(0, 5), (6, 9)]
        assert list(store.chunks("three")) == []
        with pytest.raises(InputError, match="readonly"):
            add(store, "one", 30, 1)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 15)), max_size=12), st.integers(1, 60))
def test_gaps_are_what_is_missing_and_nothing_counts_twice(
    tmp_path_factory: pytest.TempPathFactory, spans: list[tuple[int, int]], count: int
) -> None:
    held: set[int] = set()
    with Store.create_or_open(tmp_path_factory.mktemp("store") / "r.db", ABOUT) as store:
        for start, size in spans:
            fits = held.isdisjoint(range(start, start + size))
            assert add(store, "one", start, size) == fits
            held |= set(range(start, start + size)) if fits else set()
        missing = [number for start, stop in store.gaps("one", count) for number in range(start, stop)]
        assert missing == sorted(set(range(count)) - held)
        covered = store.covered("one")
        assert [number for start, stop in covered for number in range(start, stop)] == sorted(held)
        assert all(stop < start for (_, stop), (start, _) in pairwise(covered))


def test_an_empty_file_is_new_and_an_absent_one_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    assert Store.description_in(path) is None
    with pytest.raises(InputError, match="no such file"):
        Store.open(path)
    assert not path.exists()
    path.touch()
    assert Store.description_in(path) is None
    Store.create_or_open(path, ABOUT).close()
    assert Store.description_in(path) == ABOUT


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({**ABOUT, "seed": 2}, "seed 1, not 2"),
        ({**ABOUT, "seed": True}, "seed 1, not true"),
        ({**ABOUT, "kind": "toast", "seed": 2}, 'kind "test", not "toast"'),
        ({**ABOUT, "rules": [{"id": "one", "n": 3}, {"id": "six", "n": 4}]}, r'rules\[1\].id "two", not "six"'),
        ({**ABOUT, "rules": [{"id": "one", "n": 3}]}, "2 rules, not 1"),
        ({**ABOUT, "more": 1}, "no value of more"),
        ({key: ABOUT[key] for key in ("kind", "seed", "rules")}, "a value of deep"),
    ],
)
def test_another_description_is_refused(tmp_path: Path, other: dict[str, object], words: str) -> None:
    path = tmp_path / "results.db"
    filled(path)
    with pytest.raises(InputError, match=rf"^{path}: holds a survey with {words}$"):
        Store.create_or_open(path, other)


def test_the_order_of_keys_is_kept_and_makes_no_difference(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    Store.create_or_open(path, {"b": {"z": 1, "a": 2}, "a": 1}).close()
    with Store.create_or_open(path, {"a": 1, "b": {"a": 2, "z": 1}}) as store:
        assert list(store.description["b"]) == ["z", "a"]


def foreign(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_files_of_another_kind_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("this is no database, but a text of some length\n" * 50)
    other = tmp_path / "other.db"
    foreign(other, "CREATE TABLE t (x)")
    later = tmp_path / "later.db"
    foreign(later, f"PRAGMA application_id = {APPLICATION_ID}", "PRAGMA user_version = 99", "CREATE TABLE t (x)")
    for file, words in [
        (path, "not a database"),
        (other, "not a file of results"),
        (later, "format 99"),
        (tmp_path, "folder"),
        (tmp_path / "no" / "file", "no such f"),
    ]:
        before = file.read_bytes() if file.is_file() else None
        for attempt in (lambda file=file: Store.open(file), lambda file=file: Store.create_or_open(file, ABOUT)):
            with pytest.raises(InputError, match=words) as caught:
                attempt()
            assert str(caught.value).startswith(f"{file}: ")
            assert "\n" not in str(caught.value)
        assert before == (file.read_bytes() if file.is_file() else None)


@pytest.mark.parametrize("length", [1, 16, 64, 512, 4096])
def test_damage_is_noticed_or_harmless(tmp_path: Path, length: int) -> None:
    path = tmp_path / "results.db"
    whole = filled(path)
    data = path.read_bytes()
    noticed = 0
    for trial in range(60):
        chance = random.Random(f"{length} {trial}")
        place = chance.randrange(len(data) - length)
        path.write_bytes(data[:place] + chance.randbytes(length) + data[place + length :])
        try:
            assert contents(path) == whole
        except InputError as error:
            assert str(error).startswith(f"{path}: ")
            assert "\n" not in str(error)
            noticed += 1
    assert noticed > 30


def test_a_truncated_file_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    filled(path)
    data = path.read_bytes()
    # The last page may not be full, so to miss some of it need not matter.
    for size in range(1, len(data) - 4096, 997):
        path.write_bytes(data[:size])
        with pytest.raises(InputError, match=str(path)):
            contents(path)


def test_results_of_another_description_are_no_results(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    filled(path)
    foreign(path, """UPDATE description SET json = replace(json, '"seed":1', '"seed":2')""")
    with Store.open(path) as store, pytest.raises(InputError, match="damaged at one 0"):
        next(store.chunks("one"))


def test_a_misplaced_chunk_is_no_result(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    filled(path)
    foreign(path, "UPDATE chunks SET start = 40000 WHERE part = 'two' AND start = 27000")
    with Store.open(path) as store, pytest.raises(InputError, match="damaged at two 40000"):
        list(store.chunks("two"))


def test_a_full_disk_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    before = filled(path)
    with Store.create_or_open(path, ABOUT) as store:
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(InputError, match="full"):
            add(store, "one", 30_000, 100_000)
        assert contents(path) == before
        store._connection.execute(f"PRAGMA max_page_count = {10 * pages}")
        assert add(store, "one", 30_000, 100_000)
    assert len(contents(path)) == len(before) + 1


def test_a_disk_too_full_to_create_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results.db"
    connect = solver.store._connect

    def cramped(path: Path, mode: str) -> sqlite3.Connection:
        connection = connect(path, mode)
        connection.execute("PRAGMA max_page_count = 2")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(solver.store, "_connect", cramped)
        with pytest.raises(InputError, match="full"):
            Store.create_or_open(path, ABOUT)
    assert Store.description_in(path) is None
    Store.create_or_open(path, ABOUT).close()


def test_a_lock_that_stays_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results.db"
    filled(path)
    monkeypatch.setattr(solver.store, "BUSY_SECONDS", 0.0)
    other = sqlite3.connect(path, isolation_level=None)
    with Store.create_or_open(path, ABOUT) as store:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InputError, match=f"{path}: database is locked"):
            add(store, "one", 30_000, 10)
        other.execute("ROLLBACK")
        assert add(store, "one", 30_000, 10)
    other.close()


def crashed(path: Path, *statements: str) -> Path:
    """A copy of a file as a crash leaves it after statements of an unfinished transaction have reached the disk."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("PRAGMA cache_spill = 1")
    connection.execute("BEGIN IMMEDIATE")
    for statement in statements:
        connection.execute(statement)
    copy = path.with_name("crashed.db")
    shutil.copy(path, copy)
    shutil.copy(f"{path}-journal", f"{copy}-journal")
    connection.execute("ROLLBACK")
    connection.close()
    return copy


def test_a_crash_while_writing_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    before = filled(path)
    changes = "UPDATE chunks SET data = randomblob(9000)", "INSERT INTO chunks VALUES ('two', 99, 1, randomblob(99999))"
    copy = crashed(path, *changes)
    assert copy.read_bytes() != path.read_bytes()
    assert contents(copy) == before


def test_a_crash_while_creating_leaves_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    path.touch()
    long = "INSERT INTO description SELECT hex(randomblob(200000))"
    copy = crashed(path, *solver.store._CREATE, long, long)
    assert copy.stat().st_size > 100_000
    assert Store.description_in(copy) is None
    Store.create_or_open(copy, ABOUT).close()
    assert Store.description_in(copy) == ABOUT


CREATE_AND_DIE = """
import os, signal, sys
import solver.store
from solver.store import Store
connect, left = solver.store._connect, int(sys.argv[2])
def counted(*args):
    connection = connect(*args)
    connection.set_trace_callback(count_down)
    return connection
def count_down(statement):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
solver.store._connect = counted
Store.create_or_open(sys.argv[1], {"seed": 1}).close()
"""


def python(code: str, *args: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code, *args], cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_killed_at_any_statement_of_creation_the_file_is_new_or_whole(tmp_path: Path) -> None:
    for left in counting():
        path = tmp_path / f"{left}.db"
        with python(CREATE_AND_DIE, str(path), str(left)) as process:
            killed = process.wait() == -signal.SIGKILL
        assert Store.description_in(path) in (None, {"seed": 1})
        Store.create_or_open(path, {"seed": 1}).close()
        if not killed:
            break
    assert left > 5


FILL = """
import random, sys
from solver.store import Store
with Store.create_or_open(sys.argv[1], {"seed": 1}) as store:
    (start, stop), = store.gaps("one", 10**9)
    print(start, flush=True)
    while True:
        print(store.add("one", start, random.Random(f"one {start}").randbytes(3000), 3000), flush=True)
        start += 3000
"""


def test_killed_while_filling_everything_reported_is_there(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    reported = 0
    for trial in range(12):
        with python(FILL, str(path)) as process:
            assert process.stdout is not None
            assert int(process.stdout.readline()) >= 3000 * reported
            for _ in range(random.randrange(1, 30)):
                assert process.stdout.readline() == "True\n"
                reported += 1
            process.kill()
        with Store.open(path) as store:
            chunks = list(store.chunks("one"))
        assert len(chunks) >= reported, trial
        reported = len(chunks)
        assert chunks == [(start, 3000, payload("one", start, 3000)) for start in range(0, 3000 * reported, 3000)]


FILL_TOGETHER = """
import random, sys
from solver.store import Store
added = 0
with Store.create_or_open(sys.argv[1], {"seed": 1}) as store:
    for start in range(0, 300, 3):
        added += store.add("one", start, random.Random(f"one {start}").randbytes(3), 3)
print(added)
"""


def test_two_processes_may_fill_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    processes = [python(FILL_TOGETHER, str(path)) for _ in range(2)]
    assert sum(int(process.communicate()[0]) for process in processes) == 100
    with Store.open(path) as store:
        assert list(store.chunks("one")) == [(start, 3, payload("one", start, 3)) for start in range(0, 300, 3)]
