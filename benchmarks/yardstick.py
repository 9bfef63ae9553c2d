"""A fixed piece of work that tells how fast this machine is just now, to put beside every figure."""

from __future__ import annotations

import time


def yardstick(repeats: int = 5) -> float:
    """Least CPU seconds, of several tries, that five million steps of plain Python arithmetic take."""
    return min(_once() for _ in range(repeats))


def _once() -> float:
    start = time.process_time()
    total = 0
    for number in range(5_000_000):
        total += number * number & 7
    return time.process_time() - start


if __name__ == "__main__":
    print(f"yardstick {yardstick():.3f} s")
