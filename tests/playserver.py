"""The play server as people start it, for tests: a process of its own that listens on some free port."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Served:
    """A server that runs: its address, and its process."""

    url: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])

    def children(self) -> set[int]:
        """The processes it has started, as the system knows them."""
        task = Path(f"/proc/{self.process.pid}/task")
        return {int(pid) for one in task.glob("*/children") for pid in one.read_text().split()}


@contextmanager
def served(*options: str, cache: Path | None = None) -> Iterator[Served]:
    """A server that runs, with tables in another folder if one is given, until the block ends."""
    env = os.environ if cache is None else {**os.environ, "XSF_CACHE_DIR": str(cache)}
    command = [sys.executable, "-m", "cli.main", "play", "--serve", "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env, start_new_session=True)
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if found := re.search(r"play at (http://\S+)", line):
                yield Served(found[1], process)
                break
        else:
            raise AssertionError(f"the server ended with status {process.wait()}")
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.wait(60)
        process.stderr.close()
