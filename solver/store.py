"""Results that survive a crash: chunks of bytes in an SQLite file, under one description.

A file holds one *description*, a JSON object that says what the results are, and for each *part* of them chunks: the
bytes that belong to the items ``start`` to ``start + count - 1``. A chunk is there entirely or not at all, whenever
the power fails. What the bytes mean is the caller's business; they must follow from the description alone, so that
it does no harm if two processes fill the same file.

The tables are ``description (json)``, compact JSON with its keys in the order given, and ``chunks (part, start, count,
data)``. ``data`` is the bytes compressed by zlib, then a CRC-32 over description, part, start, count and bytes, so that
no damage is taken for results.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any

from solver.errors import InputError

APPLICATION_ID = 0x78736652
"""Marks our files among those of SQLite: "xsfR"."""

FORMAT = 1
BUSY_SECONDS = 60.0
"""How long to wait for another process that writes the same file."""

CRC_BYTES = 4

_CREATE = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {FORMAT}",
    "CREATE TABLE description (json TEXT NOT NULL)",
    "CREATE TABLE chunks (part TEXT NOT NULL, start INTEGER NOT NULL, count INTEGER NOT NULL, data BLOB NOT NULL,"
    " PRIMARY KEY (part, start)) WITHOUT ROWID",
)

# Chunks never overlap, so of those that begin before the new one's end the last reaches farthest.
_ADD = """
INSERT OR IGNORE INTO chunks SELECT :part, :start, :count, :data
WHERE coalesce((SELECT start + count FROM chunks WHERE part = :part AND start < :start + :count
                ORDER BY start DESC LIMIT 1), 0) <= :start
"""


class Store:
    """An open file of results; a context manager that closes it.

    ``create_or_open`` and ``open`` make one. Every method raises InputError, one line that names the file, if it is
    damaged or can't be read or written.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, text: str) -> None:
        self.path = path
        self.description: dict[str, Any] = json.loads(text)
        self._connection = connection
        self._text = text

    @classmethod
    def create_or_open(cls, path: str | PathLike[str], description: Mapping[str, Any]) -> Store:
        """The file at ``path``, which is created if there is none or an empty one.

        Raises:
            InputError: the file holds results under another description, or is none of ours.
        """
        text = json.dumps(description, ensure_ascii=False, separators=(",", ":"))
        store = cls._opened(Path(path), "rwc", text)
        found = _difference(store.description, json.loads(text))
        if found is not None:
            store.close()
            raise InputError(f"{path}: holds a survey with {found}")
        return store

    @classmethod
    def open(cls, path: str | PathLike[str]) -> Store:
        """The file at ``path``, for reading only; raises InputError if it is absent, or none of ours."""
        if not Path(path).exists():
            raise InputError(f"{path}: no such file")
        store = cls._opened(Path(path), "rw", None)
        store._connection.execute("PRAGMA query_only = TRUE")
        return store

    @classmethod
    def description_in(cls, path: str | PathLike[str]) -> dict[str, Any] | None:
        """The description that a file holds; None if there is no file, or nothing in it yet."""
        # The size alone won't do: a crash while the file was created leaves pages that SQLite takes back.
        if not Path(path).exists():
            return None
        with _one_line_errors(Path(path)):
            connection = _connect(Path(path), "rw")
            try:
                if _is_new(connection):
                    return None
            finally:
                connection.close()
        with cls.open(path) as store:
            return store.description

    @classmethod
    def _opened(cls, path: Path, mode: str, new: str | None) -> Store:
        with _one_line_errors(path):
            connection = _connect(path, mode)
            try:
                if new is not None and _is_new(connection):
                    _create(connection, new)
                _check(connection, path)
                (text,) = connection.execute("SELECT json FROM description").fetchone()
                return cls(path, connection, text)
            except BaseException:
                connection.close()
                raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was added stays."""
        self._connection.close()

    def covered(self, part: str) -> list[tuple[int, int]]:
        """What is stored of a part, as ascending intervals ``(start, stop)`` that don't touch each other."""
        intervals: list[tuple[int, int]] = []
        with _one_line_errors(self.path):
            rows = self._connection.execute("SELECT start, count FROM chunks WHERE part = ? ORDER BY start", (part,))
            for start, count in rows:
                before = intervals[-1][1] if intervals else 0
                if start < before or count < 1:
                    raise self._damaged(part, start)
                if intervals and start == before:
                    intervals[-1] = (intervals[-1][0], start + count)
                else:
                    intervals.append((start, start + count))
        return intervals

    def gaps(self, part: str, count: int) -> Iterator[tuple[int, int]]:
        """What is missing of the first ``count`` items of a part, as ascending intervals ``(start, stop)``."""
        before = 0
        for start, stop in self.covered(part):
            if start >= count:
                break
            if before < start:
                yield before, start
            before = stop
        if before < count:
            yield before, count

    def add(self, part: str, start: int, data: bytes, count: int) -> bool:
        """Store a chunk; once this returns it survives any crash.

        Nothing happens, and False is returned, if something is stored already for one of these items.
        """
        blob = zlib.compress(data) + self._seal(part, start, count, data)
        values = {"part": part, "start": start, "count": count, "data": blob}
        with _one_line_errors(self.path):
            return self._connection.execute(_ADD, values).rowcount == 1

    def chunks(self, part: str) -> Iterator[tuple[int, int, bytes]]:
        """The chunks of a part, ``(start, count, data)``, by ascending start."""
        query = "SELECT start, count, data FROM chunks WHERE part = ? ORDER BY start"
        stop = 0
        with _one_line_errors(self.path):
            for start, count, blob in self._connection.execute(query, (part,)):
                if start < stop:
                    raise self._damaged(part, start)
                stop = start + count
                yield start, count, self._unpacked(part, start, count, blob)

    def _unpacked(self, part: str, start: int, count: int, blob: bytes) -> bytes:
        unpacker = zlib.decompressobj()
        try:
            data = unpacker.decompress(blob)
        except (zlib.error, TypeError) as error:
            raise self._damaged(part, start) from error
        if not unpacker.eof or unpacker.unused_data != self._seal(part, start, count, data):
            raise self._damaged(part, start)
        return data

    def _seal(self, part: str, start: int, count: int, data: bytes) -> bytes:
        head = f"{self._text}\0{part}\0{start}\0{count}\0".encode()
        return zlib.crc32(data, zlib.crc32(head)).to_bytes(CRC_BYTES, "little")

    def _damaged(self, part: str, start: int) -> InputError:
        return InputError(f"{self.path}: damaged at {part} {start}")


@contextmanager
def _one_line_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise InputError(f"{path}: {error}") from error


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    if path.is_dir():
        raise InputError(f"{path}: is a folder")
    if not path.absolute().parent.is_dir():
        raise InputError(f"{path}: no such folder")
    address = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(address, timeout=BUSY_SECONDS, isolation_level=None, uri=True)
    try:
        # SQLite's default rollback journal, not its write-ahead log: at rest there is one file, which can be copied or
        # lie on a network drive, and with a commit every second or so the log would gain nothing. Full, so that what
        # was said to be stored outlives a power failure.
        connection.execute("PRAGMA synchronous = FULL")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _pragma(connection: sqlite3.Connection, name: str) -> Any:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _is_new(connection: sqlite3.Connection) -> bool:
    if _pragma(connection, "application_id") or _pragma(connection, "user_version"):
        return False
    return not connection.execute("SELECT name FROM sqlite_master").fetchall()


def _create(connection: sqlite3.Connection, text: str) -> None:
    connection.execute("BEGIN IMMEDIATE")
    # Asked again under the lock, since another process may have created it just now.
    if _is_new(connection):
        for statement in _CREATE:
            connection.execute(statement)
        connection.execute("INSERT INTO description VALUES (?)", (text,))
    connection.execute("COMMIT")


def _check(connection: sqlite3.Connection, path: Path) -> None:
    if _pragma(connection, "application_id") != APPLICATION_ID:
        raise InputError(f"{path}: not a file of results")
    version = _pragma(connection, "user_version")
    if version != FORMAT:
        raise InputError(f"{path}: written in format {version}, but this version reads format {FORMAT}")
    # Without this, a damaged page could pass for a part of which less is stored.
    if _pragma(connection, "quick_check(1)") != "ok":
        raise InputError(f"{path}: damaged")


def _difference(held: Any, wanted: Any, name: str = "") -> str | None:
    """The first difference between two JSON values, such as ``seed 1, not 2``; the order of keys is none."""
    if isinstance(held, dict) and isinstance(wanted, dict):
        for key in [*wanted, *(key for key in held if key not in wanted)]:
            inner = f"{name}.{key}" if name else key
            if key not in held or key not in wanted:
                return f"{'a' if key in held else 'no'} value of {inner}"
            found = _difference(held[key], wanted[key], inner)
            if found is not None:
                return found
        return None
    if isinstance(held, list) and isinstance(wanted, list):
        if len(held) != len(wanted):
            return f"{len(held)} {name}, not {len(wanted)}"
        pairs = enumerate(zip(held, wanted, strict=True))
        return next(filter(None, (_difference(a, b, f"{name}[{place}]") for place, (a, b) in pairs)), None)
    # As texts, since Python holds True equal to 1.
    shown = [json.dumps(value, ensure_ascii=False) for value in (held, wanted)]
    return None if shown[0] == shown[1] else f"{name} {shown[0]}, not {shown[1]}"
