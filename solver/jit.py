"""How kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import config as numba_config
from numba.core import event

from solver.cache import kernel_dir

F = TypeVar("F", bound=Callable[..., Any])

config: Any = numba_config


def kernel(function: F) -> F:
    """Compile ``function`` with Numba on its first call: no Python objects, no lock held, cached on disk.

    Only where our kernels are cached is set, not Numba's own setting, which belongs to the program that
    uses the library.
    """
    before = config.CACHE_DIR
    config.CACHE_DIR = str(kernel_dir())
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
