"""How kernels are compiled, and where their machine code is kept.

Numba's on-disk cache checks only the file a kernel stands in, not the files of the kernels it calls,
so one edited module could leave stale code in another's cache. The cache folder is therefore named
after a fingerprint of all sources of the library.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config as numba_config
from numba.core import event

F = TypeVar("F", bound=Callable[..., Any])

config: Any = numba_config


def cache_dir() -> Path:
    """The folder for everything this toolkit caches: ``XSF_CACHE_DIR``, or the user's cache folder."""
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
def _fingerprint() -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def kernel(function: F) -> F:
    """Compile ``function`` with Numba on its first call: no Python objects, no lock held, cached on disk.

    Only where our kernels are cached is set, not Numba's own setting, which belongs to the program that
    uses the library.
    """
    before = config.CACHE_DIR
    if not before:
        config.CACHE_DIR = str(cache_dir() / f"jit-{_fingerprint()}")
    try:
        compiled: Any = numba.njit(cache=True, nogil=True)(function)
        return compiled  # type: ignore[no-any-return]
    finally:
        config.CACHE_DIR = before


class _Announcer(event.Listener):
    """Calls back at the first real compilation (a kernel found in the cache is none)."""

    def __init__(self, callback: Callable[[], None]) -> None:
        self._callback: Callable[[], None] | None = callback

    def on_start(self, event: Any) -> None:
        if self._callback is not None:
            callback, self._callback = self._callback, None
            callback()

    def on_end(self, event: Any) -> None:
        pass


def on_first_compile(callback: Callable[[], None]) -> None:
    """Call ``callback`` once, before the first kernel that has to be compiled in this process."""
    register: Any = event.register
    register("numba:compile", _Announcer(callback))


def kernels_are_cached() -> bool:
    """Whether kernels of these sources have been compiled before on this machine."""
    folder = Path(config.CACHE_DIR) if config.CACHE_DIR else cache_dir() / f"jit-{_fingerprint()}"
    return any(folder.rglob("*.nbc"))
