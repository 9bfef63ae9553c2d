"""Speed of surveys: deals a second with one process and with two, each survey a command of its own.

    python benchmarks/survey.py                                  classic and thirteen, 20,000 deals each
    python benchmarks/survey.py --rules multiple --count 5000 --shortest
    python benchmarks/survey.py --jobs 8

The kernels are compiled before the clock starts. A run counts from the start of the command to its end, so everything
is in it: starting processes, dealing, deciding, storing, and the counts at the end.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click
from yardstick import yardstick


def seconds(path: Path, *args: str) -> float:
    start = time.perf_counter()
    command = [sys.executable, "-m", "cli.main", "survey", "--db", str(path), *args]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


@click.command()
@click.option("--rules", default="classic,thirteen", show_default=True, help="As for `xsf survey`.")
@click.option("--count", type=click.IntRange(min=1), default=20_000, show_default=True, help="Deals.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--shortest", is_flag=True, help="Find shortest lengths too.")
@click.option(
    "--jobs", type=click.IntRange(min=2), default=2, show_default=True, help="Compare with so many processes."
)
@click.option("--runs", type=click.IntRange(min=1), default=3, show_default=True, help="Runs of each; the best counts.")
def main(rules: str, count: int, seed: int, shortest: bool, jobs: int, runs: int) -> None:
    """Print deals a second, counting a deal once a rule set, and how many times faster several processes are."""
    total = count * len(rules.split(","))
    what = ["--rules", rules, "--seed", str(seed), *(["--shortest"] if shortest else [])]
    click.echo(f"yardstick {yardstick():.3f} s; {count:,} deals of seed {seed} under {rules}, {total:,} in all")
    with tempfile.TemporaryDirectory() as folder:
        seconds(Path(folder, "warm.db"), *what, "--count", "300", "--jobs", "1")
        best = {}
        for number in (1, jobs):
            args = (*what, "--count", str(count), "--jobs", str(number))
            best[number] = min(seconds(Path(folder, f"{number}-{run}.db"), *args) for run in range(runs))
            click.echo(f"--jobs {number:<3} {best[number]:8.1f} s {total / best[number]:10,.0f} deals/s")
        size = Path(folder, "1-0.db").stat().st_size
    click.echo(f"ratio {best[1] / best[jobs]:.2f}; {size / total:.1f} bytes a deal on disk")
    click.echo(f"yardstick {yardstick():.3f} s")


if __name__ == "__main__":
    main()
