"""Where the toolkit keeps what it caches; loads nothing heavy."""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path


def cache_dir() -> Path:
    """The folder for everything this toolkit caches: ``XSF_CACHE_DIR``, or one in the user's cache folder."""
    named = os.environ.get("XSF_CACHE_DIR")
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "xiangshifu"


@cache
def fingerprint() -> str:
    """A short text that is the same exactly where the sources of this library are: for a cache, or a cluster."""
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def kernel_dir() -> Path:
    """The folder for compiled kernels: ``NUMBA_CACHE_DIR`` if set, else one named after Numba's version and our files.

    Numba's cache checks only the file a kernel stands in, not the files of the kernels it calls, so one edited
    module could leave stale code in another's cache. A fingerprint of all sources can't.
    """
    named = os.environ.get("NUMBA_CACHE_DIR")
    return Path(named) if named else cache_dir() / f"jit-{version('numba')}-{fingerprint()}"


def kernels_are_cached() -> bool:
    """Whether kernels of these sources have been compiled before on this machine."""
    return any(kernel_dir().rglob("*.nbc"))
