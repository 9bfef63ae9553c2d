"""Settings that all tests share."""

from __future__ import annotations

import os

from hypothesis import settings

from solver.cache import kernel_dir

# Tests that move the tables elsewhere, and the processes they start, still find the kernels that are compiled already.
os.environ["NUMBA_CACHE_DIR"] = str(kernel_dir())

settings.register_profile("local", deadline=None, max_examples=50)
settings.register_profile("ci", deadline=None, max_examples=50, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
