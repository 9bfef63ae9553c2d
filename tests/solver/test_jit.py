"""How kernels are compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.jit import kernel


@kernel
def _scaled(value, factor, is_negative):  # type: ignore[no-untyped-def]
    return -value * factor if is_negative else value * factor


@kernel
def _sum_of_scaled(values):  # type: ignore[no-untyped-def]
    found = 0
    for value in values:
        found += _scaled(value, 2, False) + _scaled(value, 3, False) + _scaled(value, 4, True)
        found += _scaled(value, factor=value, is_negative=False)
    return found


def test_constants_of_other_kernels_do_not_compile_a_kernel_anew() -> None:
    values = np.array([1, 2, 5], dtype=np.int64)
    assert _sum_of_scaled(values) == sum(value * (2 + 3 - 4 + value) for value in values)
    compiled: Any = _scaled
    assert len(compiled.signatures) == 1
