"""Table files: complete or absent, and no damage goes unnoticed."""

from __future__ import annotations

import random
import resource
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import solver.xiangshifu.tablefile as tablefile
from solver.errors import InputError
from solver.xiangshifu.tablefile import BLOCK, HEAD, PART, open_table, remove_leftovers, write_table

ROOT = Path(__file__).parents[3]
ABOUT = {"kind": "test", "rules": {"id": "ü", "n": [3, 4]}, "goal": None}
DATA = np.arange(500, dtype=np.uint16)


def parts(folder: Path) -> list[Path]:
    return list(folder.glob(f".*{PART}"))


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("table") / "one.xsf"
    write_table(path, ABOUT, DATA)
    return path.read_bytes()


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int64"])
@pytest.mark.parametrize("length", [0, 1, 5000])
def test_what_is_written_comes_back(tmp_path: Path, dtype: str, length: int) -> None:
    path = tmp_path / "new" / "folder" / "one.xsf"
    data = np.random.default_rng(length).integers(0, 200, length).astype(dtype)
    write_table(path, ABOUT, data)
    description, table = open_table(path, ABOUT)
    assert description == {**ABOUT, "dtype": data.dtype.str, "length": length}
    assert table.dtype == data.dtype
    assert np.array_equal(table, data)
    assert numba.typeof(table) == numba.typeof(np.empty(length, dtype=dtype))
    assert [one.name for one in path.parent.iterdir()] == ["one.xsf"]


def test_many_blocks_and_threads(tmp_path: Path) -> None:
    path = tmp_path / "one.xsf"
    data = np.random.default_rng(1).integers(0, 256, 2 * BLOCK + 77).astype(np.uint8)
    write_table(path, ABOUT, data, jobs=3)
    before = path.read_bytes()
    assert np.array_equal(open_table(path, ABOUT, jobs=2)[1], data)
    write_table(path, ABOUT, data)
    assert path.read_bytes() == before
    with path.open("r+b") as file:
        file.seek(-1, 2)
        file.write(bytes([data[-1] ^ 1]))
    with pytest.raises(InputError, match="damaged"):
        open_table(path, ABOUT)


def test_writing_to_a_table_changes_neither_the_file_nor_others(tmp_path: Path) -> None:
    path = tmp_path / "one.xsf"
    write_table(path, ABOUT, DATA)
    before = path.read_bytes()
    table, other = (open_table(path, ABOUT)[1] for _ in range(2))
    table[:] = 7
    assert np.array_equal(other, DATA)
    assert path.read_bytes() == before


def test_a_table_outlives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "one.xsf"
    write_table(path, ABOUT, DATA)
    table = open_table(path, ABOUT)[1]
    write_table(path, ABOUT, DATA[::-1].copy())
    path.unlink()
    assert np.array_equal(table, DATA)


@given(st.data())
def test_every_flipped_bit_is_noticed(
    content: bytes, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("table") / "one.xsf"
    place = data.draw(st.one_of(st.integers(0, len(content) - 1), st.integers(0, HEAD.size + 100)))
    bit = data.draw(st.integers(0, 7))
    path.write_bytes(content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :])
    with pytest.raises(InputError) as caught:
        open_table(path, ABOUT)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_every_flipped_bit_of_the_head_is_noticed(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "one.xsf"
    for place in range(HEAD.size):
        for bit in range(8):
            path.write_bytes(content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :])
            with pytest.raises(InputError):
                open_table(path, ABOUT)


@given(st.integers(0, 10_000))
@example(0)
@example(HEAD.size)
@example(tablefile.ALIGNMENT)
def test_every_truncation_is_noticed(content: bytes, tmp_path_factory: pytest.TempPathFactory, size: int) -> None:
    path = tmp_path_factory.mktemp("table") / "one.xsf"
    path.write_bytes(content[: size % len(content)])
    with pytest.raises(InputError, match="damaged"):
        open_table(path, ABOUT)
    path.write_bytes(content + b"\0")
    with pytest.raises(InputError, match="damaged"):
        open_table(path, ABOUT)


def test_other_formats_and_tables_are_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "one.xsf"
    path.write_bytes(content[:8] + struct.pack("<I", 7) + content[12:])
    with pytest.raises(InputError, match=r"one\.xsf: written in format 7, but this version reads format 1"):
        open_table(path, ABOUT)
    path.write_bytes(content)
    with pytest.raises(InputError, match=r'one\.xsf: holds another table: kind "test", not "other"'):
        open_table(path, {**ABOUT, "kind": "other"})
    with pytest.raises(InputError, match=r"one\.xsf: holds another table: other rules"):
        open_table(path, {**ABOUT, "rules": {"id": "x" * 50}})
    with pytest.raises(InputError, match=r"one\.xsf: holds another table: numbering null, not 2"):
        open_table(path, {"numbering": 2})
    with pytest.raises(InputError, match=r"two\.xsf: No such file"):
        open_table(tmp_path / "two.xsf", ABOUT)


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "one.xsf"
    write_table(path, ABOUT, DATA)
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(InputError, match=r"one\.xsf: File too large"):
            write_table(path, ABOUT, np.zeros(1_000_000, dtype=np.uint8))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file"):
        write_table(tmp_path / "file" / "one.xsf", ABOUT, DATA)


def test_leftovers_go_and_what_is_being_written_stays(tmp_path: Path) -> None:
    path = tmp_path / "one.xsf"
    (tmp_path / f".two.xsf.00{PART}").write_text("left by a process that was killed")
    (tmp_path / "three.xsf").write_text("none of ours to remove")
    with tablefile._part(path) as (file, temporary):
        file.write(b"half")
        write_table(path, ABOUT, DATA)
        assert parts(tmp_path) == [temporary]
        remove_leftovers(tmp_path)
        assert temporary.exists()
    assert parts(tmp_path) == []
    assert (tmp_path / "three.xsf").exists()
    assert np.array_equal(open_table(path, ABOUT)[1], DATA)


WRITE = """
import sys, itertools, pathlib
import numpy as np
from solver.xiangshifu.tablefile import write_table
path, width = pathlib.Path(sys.argv[1]), int(sys.argv[2])
for number in itertools.count():
    write_table(path, {"kind": "killed"}, np.full(width, number % 256, dtype=np.uint8))
    print(number, flush=True)
"""


def writer(path: Path, width: int) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE, str(path), str(width)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "0\n"
    return process


def test_a_killed_writer_leaves_no_half_file(tmp_path: Path) -> None:
    path = tmp_path / "one.xsf"
    for seed in range(6):
        process = writer(path, 3_000_000)
        time.sleep(random.Random(seed).uniform(0, 0.1))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        _, table = open_table(path, {"kind": "killed"})
        assert len(table) == 3_000_000
        assert (table == table[0]).all()
        write_table(path, {"kind": "killed"}, DATA)
        assert parts(tmp_path) == []


def test_writers_at_once_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "one.xsf"
    processes = [writer(path, width) for width in (300_000, 200_000)]
    try:
        for _ in range(50):
            _, table = open_table(path, {"kind": "killed"})
            assert len(table) in (300_000, 200_000)
            assert (table == table[0]).all()
        assert [process.poll() for process in processes] == [None, None]
    finally:
        for process in processes:
            process.kill()
            process.communicate()
