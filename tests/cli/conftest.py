"""What tests of several commands need."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cluster import Cluster


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed", reason="needs the extra 'cluster'")
    running = Cluster(tmp_path)
    yield running
    running.close()
