"""Time of whole commands: help, one deal with a warm and a cold cache, many deals on one and two processes.

python benchmarks/commands.py
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import click
from yardstick import yardstick

DEAL = "56-13-62 21-44-52 61-51-33 61-11-55 14-34-24 22-55-51 31-44-54 53-63-11 46-33-64 56-32-66 22-66"


def seconds(*args: str, **environment: str) -> float:
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "cli.main", *args],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    return time.perf_counter() - start


def median(runs: int, *args: str) -> float:
    return statistics.median(seconds(*args) for _ in range(runs))


@click.command()
@click.option("--deals", type=click.IntRange(min=1), default=20_000, show_default=True)
def main(deals: int) -> None:
    """Print seconds of wall-clock time, medians of five runs."""
    click.echo(f"yardstick {yardstick():.3f} s")
    seconds("solve", DEAL)
    click.echo(f"xsf --help                        {median(5, '--help'):7.2f} s")
    click.echo(f"xsf deal                          {median(5, 'deal', '--seed', '1'):7.2f} s")
    click.echo(f"xsf solve of one deal, warm       {median(5, 'solve', DEAL):7.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        click.echo(f"xsf solve of one deal, first ever {seconds('solve', DEAL, XSF_CACHE_DIR=folder):7.2f} s")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    click.echo(f"peak memory of these              {peak:7.0f} MiB")
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        subprocess.run(
            [sys.executable, "-m", "cli.main", "deal", "--seed", "1", "--count", str(deals)], check=True, stdout=file
        )
        one = seconds("solve", "--json", file.name)
        two = seconds("solve", "--json", "--jobs", "2", file.name)
    click.echo(f"{deals:,} deals, --jobs 1: {one:.1f} s, --jobs 2: {two:.1f} s, ratio {one / two:.2f}")


if __name__ == "__main__":
    main()
