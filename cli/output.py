"""Files that commands write: there in full, or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from solver.errors import InputError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside ``path`` to be written, which takes its place when the block ends without an error.

    Raises:
        InputError: the folder of the file is missing or can't be written to, or ``path`` is a folder.
    """
    if path.is_dir():
        raise InputError(f"{path}: is a folder")
    try:
        number, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    os.close(number)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(_permissions(path))
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _permissions(path: Path) -> int:
    """Those of the file that is replaced, or of any new file: a temporary file is closed to others."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
