"""Tables in files: one array under a description, there in full or not at all, and no damage taken for content.

A file begins with a head: ``MAGIC``; the format's version and the length of the description (uint32); where the data
begins and its length (uint64); a CRC-32 of the data, of the head itself and 4 bytes of zero. All numbers are
little-endian. The description follows, a JSON object, then zeros up to the data, which a page of memory can begin
with. The head's CRC covers all that is before the data, taken with zero in the CRC's place; the data's is that of the
CRCs of its blocks of ``BLOCK`` bytes, so that several threads can share the work.
"""

from __future__ import annotations

import json
import mmap
import os
import secrets
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputError
from solver.parallel import threaded_map

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows, which lets nobody remove an open file
    fcntl = None

MAGIC = b"\x89xsfT\r\n\x1a"
"""No text begins like this, and a transfer that changes ends of lines changes it."""

FORMAT = 1
HEAD = struct.Struct("<8sIIQQIII")
_CRC_PLACE = HEAD.size - 8
ALIGNMENT = 4096
BLOCK = 1 << 24
PART = ".part"
"""The end of the name of a file that is being written."""

Description = Mapping[str, Any]


def write_table(path: Path, description: Description, data: NDArray[Any], *, jobs: int = 1) -> None:
    """Write a file in full, or leave what was there.

    Args:
        path: the file; its folder is made if need be, and what killed writers left there is removed.
        description: what the data is; ``dtype`` and ``length`` are added to it.
        data: one contiguous dimension.
        jobs: number of threads.

    Raises:
        InputError: it can't be written.
    """
    view = data.data.cast("B")
    about = {**description, "dtype": data.dtype.str, "length": len(data)}
    text = json.dumps(about, ensure_ascii=False, separators=(",", ":")).encode()
    head = _head(text, view, jobs)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers(path.parent)
        with _part(path) as (file, temporary):
            file.write(head)
            for start in range(0, len(view), BLOCK):
                file.write(view[start : start + BLOCK])
            file.flush()
            os.fsync(file.fileno())
            if fcntl is None:
                file.close()
            os.replace(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error


def open_table(path: Path, expected: Description, *, jobs: int = 1) -> tuple[dict[str, Any], NDArray[Any]]:
    """The description and the data of a file, after all of it has been checked.

    The data is mapped into memory: it may be written to, which changes neither the file nor what others see.

    Args:
        path: the file.
        expected: what its description has to say, among other things.
        jobs: number of threads.

    Raises:
        InputError: the file is absent, damaged, of another version, or not what is expected.
    """
    try:
        with path.open("rb") as file:
            return _opened(file, path, expected, jobs)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error


def _opened(file: BinaryIO, path: Path, expected: Description, jobs: int) -> tuple[dict[str, Any], NDArray[Any]]:
    size = os.fstat(file.fileno()).st_size
    head = file.read(HEAD.size)
    if not head.startswith(MAGIC):
        raise InputError(f"{path}: damaged: it does not begin as a table does")
    if len(head) < HEAD.size:
        raise InputError(f"{path}: damaged: it ends too early")
    _, version, text_length, start, length, data_crc, head_crc, _ = HEAD.unpack(head)
    if version != FORMAT:
        raise InputError(f"{path}: written in format {version}, but this version reads format {FORMAT}")
    if size < start + length or start < HEAD.size + text_length:
        raise InputError(f"{path}: damaged: it ends too early")
    file.seek(0)
    if _head_crc(file.read(start)) != head_crc or size > start + length:
        raise InputError(f"{path}: damaged")
    file.seek(HEAD.size)
    description = json.loads(file.read(text_length))
    _check_expected(path, description, expected)
    mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    if _crc(memoryview(mapped)[start:], jobs) != data_crc:
        raise InputError(f"{path}: damaged")
    return description, np.frombuffer(mapped, dtype=np.dtype(description["dtype"]), offset=start)


def _check_expected(path: Path, description: Description, expected: Description) -> None:
    for key, wanted in expected.items():
        held = description.get(key)
        if held != wanted:
            texts = [json.dumps(value, ensure_ascii=False) for value in (held, wanted)]
            told = f": {key} {texts[0]}, not {texts[1]}" if max(map(len, texts)) < 40 else f": other {key}"
            raise InputError(f"{path}: holds another table{told}")


def _head(text: bytes, view: memoryview, jobs: int) -> bytes:
    """All that comes before the data."""
    start = -(-(HEAD.size + len(text)) // ALIGNMENT) * ALIGNMENT
    fields = (MAGIC, FORMAT, len(text), start, len(view), _crc(view, jobs))
    head = (HEAD.pack(*fields, 0, 0) + text).ljust(start, b"\0")
    return head[:_CRC_PLACE] + _head_crc(head).to_bytes(4, "little") + head[_CRC_PLACE + 4 :]


def _head_crc(head: bytes) -> int:
    return zlib.crc32(head[_CRC_PLACE + 4 :], zlib.crc32(head[:_CRC_PLACE] + bytes(4)))


def _crc(view: memoryview, jobs: int) -> int:
    blocks = (view[start : start + BLOCK] for start in range(0, len(view), BLOCK))
    found = threaded_map(zlib.crc32, blocks, jobs=jobs)
    return zlib.crc32(b"".join(crc.to_bytes(4, "little") for crc in found))


# Files that are being written


@contextmanager
def _part(path: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """A new file beside ``path``, locked as long as its writer lives; it is gone in the end, unless renamed."""
    while True:
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}{PART}")
        with temporary.open("xb") as file:
            try:
                # Between its creation and the lock another build may have taken it for a leftover.
                if _lock(file) and temporary.exists():
                    yield file, temporary
                    return
            finally:
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)


def remove_leftovers(folder: Path) -> None:
    """Remove the files in a folder that a writer left there when it was killed."""
    for path in folder.glob(f".*{PART}"):
        with suppress(OSError), path.open("rb") as file:
            if _lock(file):
                path.unlink()


def _lock(file: BinaryIO) -> bool:
    """Lock a file until it is closed, unless another process has locked it."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sync_folder(folder: Path) -> None:
    """Make a rename outlast a power failure, where folders can be opened."""
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
