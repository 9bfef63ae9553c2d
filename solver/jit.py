"""How kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import config as numba_config
from numba.core import event
from numba.core import types as numba_types

from solver.cache import kernel_dir

F = TypeVar("F", bound=Callable[..., Any])

config: Any = numba_config
types: Any = numba_types


def kernel(function: F) -> F:
    """Compile ``function`` with Numba on its first call: no Python objects, no lock held, cached on disk.

    Only where our kernels are cached is set, not Numba's own setting, which belongs to the program that
    uses the library.
    """
    before = config.CACHE_DIR
    config.CACHE_DIR = str(kernel_dir())
    try:
        compiled: Any = numba.njit(cache=True, nogil=True)(function)
    finally:
        config.CACHE_DIR = before
    _forget_literals(compiled)
    return compiled  # type: ignore[no-any-return]


def _forget_literals(compiled: Any) -> None:
    """Let a kernel take constants from other kernels as any numbers.

    Numba would compile it once more for each constant, a fifth of all compilation; what LLVM makes of them when it
    inlines stays the same.
    """
    resolve = compiled.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = {name: types.unliteral(one) for name, one in kws.items()}
        return resolve([types.unliteral(one) for one in args], plain)

    compiled.get_call_template = get_call_template


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
