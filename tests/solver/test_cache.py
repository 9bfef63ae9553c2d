"""Where things are cached."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.cache import cache_dir, kernel_dir, kernels_are_cached


def test_the_cache_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XSF_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert cache_dir() == tmp_path
    assert kernel_dir().parent == tmp_path
    assert not kernels_are_cached()
    (kernel_dir() / "any").mkdir(parents=True)
    (kernel_dir() / "any" / "kernel.nbc").touch()
    assert kernels_are_cached()


def test_numbas_own_setting_is_respected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert kernel_dir() == tmp_path
