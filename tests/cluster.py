"""A Dask cluster on this machine, for tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]


class Cluster:
    """A Dask scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[str]] = []
        _, log = self._start("scheduler", "--port", "0", words="Scheduler at")
        found = re.search(r"Scheduler at: +(\S+)", log)
        assert found is not None, log
        self.address = found[1]

    def worker(self, **environment: str) -> tuple[subprocess.Popen[str], str]:
        """Start a worker of one thread; its process and address."""
        options = ("--no-nanny", "--nthreads", "1", "--local-directory", str(self._folder))
        process, log = self._start("worker", self.address, *options, words="Registered to", **environment)
        found = re.search(r"Start worker at: +(\S+)", log)
        assert found is not None, log
        return process, found[1]

    def _start(self, role: str, *args: str, words: str, **environment: str) -> tuple[subprocess.Popen[str], str]:
        log = self._folder / f"{len(self._processes)}.log"
        command = [sys.executable, "-m", f"distributed.cli.dask_{role}", "--host", "127.0.0.1", "--no-dashboard", *args]
        with log.open("w") as file:
            process = subprocess.Popen(
                command, cwd=self._folder, stdout=file, stderr=file, text=True,
                env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            )  # fmt: skip
        self._processes.append(process)
        while words not in log.read_text():
            assert process.poll() is None, log.read_text()
            time.sleep(0.02)
        return process, log.read_text()

    def close(self) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait()
