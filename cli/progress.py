"""Long runs at the keyboard: the progress line, and stopping cleanly."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from types import FrameType
from typing import TYPE_CHECKING, TextIO

from cli.common import note

if TYPE_CHECKING:
    from solver.survey import Progress

INTERRUPTED = 130
"""Exit status of a run that was stopped."""


def say_stopped(done: int, total: int) -> None:
    """Say on stderr how far a run came that can be gone on with."""
    note(f"stopped at {100 * done // total} %: {done:,} of {total:,} deals are stored; the same command goes on")


@contextmanager
def stop_on_signals() -> Iterator[Callable[[], bool]]:
    """Tells whether Ctrl-C or SIGTERM came in the meantime; a second one interrupts at once."""
    came: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        if came:
            raise KeyboardInterrupt
        came.append(number)
        if sys.stderr.isatty():
            # Not through sys.stderr, which may be in the middle of a line.
            os.write(2, b"\r\x1b[Kxsf: finishing what is under way; Ctrl-C again stops at once\n")

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(came)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def follow(
    begin: Callable[[Callable[[], bool]], Generator[Progress, None, None]], path: object, prepare: Callable[[], None]
) -> Progress:
    """Run a survey to its end, or until it is stopped, with the progress line; the last progress.

    Args:
        begin: begins the run, given what tells it whether to stop.
        path: the file that is named if it holds all already.
        prepare: called before the first piece of work, if there is any.
    """
    with stop_on_signals() as stop, Line(sys.stderr) as line, closing(begin(stop)) as progress:
        last = next(progress)
        if last.done == last.total:
            note(f"{path} holds all {last.total:,} deals already")
        else:
            prepare()
        line.show(last.done, last.total)
        for last in progress:
            line.show(last.done, last.total)
    return last


REDRAW_SECONDS = 0.2
SPEED_SECONDS = 30.0
"""The speed shown is that of about so many seconds past."""

BAR = 24


class Line:
    """The progress line: drawn over itself on a terminal, silent elsewhere."""

    def __init__(self, stream: TextIO, what: str = "deals", clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._what = what
        self._clock = clock
        self._shows = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._blocks = ("━", "─") if (stream.encoding or "").lower().startswith("utf") else ("#", ".")
        self._seen: deque[tuple[float, int]] = deque()
        self._drawn = -REDRAW_SECONDS

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *error: object) -> None:
        if self._shows and self._seen:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def show(self, done: int, total: int) -> None:
        """Draw, unless it was drawn just now."""
        now = self._clock()
        self._seen.append((now, done))
        while now - self._seen[0][0] > SPEED_SECONDS and len(self._seen) > 2:
            self._seen.popleft()
        if self._shows and now - self._drawn >= REDRAW_SECONDS:
            self._drawn = now
            width = shutil.get_terminal_size().columns - 1
            self._stream.write(f"\r{self.text(done, total)[:width]}\x1b[K")
            self._stream.flush()

    def text(self, done: int, total: int) -> str:
        """The line."""
        share = done / total
        full = int(share * BAR)
        bar = self._blocks[0] * full + self._blocks[1] * (BAR - full)
        head = f"{int(100 * share):3} % {bar} {done:,} of {total:,} {self._what}"
        seconds = self._seen[-1][0] - self._seen[0][0] if self._seen else 0.0
        if seconds <= 0 or self._seen[-1][1] == self._seen[0][1]:
            return head
        speed = (self._seen[-1][1] - self._seen[0][1]) / seconds
        return f"{head}, {speed:,.0f} a second, {duration((total - done) / speed)} left"


def duration(seconds: float) -> str:
    """A length of time in words, such as ``1 h 20 min``."""
    if round(seconds) < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 24 else f"{hours // 24} d {hours % 24} h"
