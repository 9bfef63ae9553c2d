"""Time to decide random deals: verdict, solution and proof, one deal after the other on one core, warm.

    python benchmarks/solve.py                      10,000 classic deals, shortest solutions
    python benchmarks/solve.py --first              any solution
    python benchmarks/solve.py --rules thirteen --rules multiple --deals 1000
    python benchmarks/solve.py --summary FILE       also write what was found, as JSON

The kernels are compiled and warmed before the clock starts. Each deal counts with everything `Solver.solve` does.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import click
import numpy as np
from yardstick import yardstick

from solver import Deal, Result, RuleSet, Solver


@click.command()
@click.option("--rules", multiple=True, default=["classic"], show_default=True)
@click.option("--deals", type=click.IntRange(min=1), default=10_000, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--first", is_flag=True, help="Any solution instead of the shortest.")
@click.option("--summary", type=click.Path(path_type=Path), help="Write verdicts, proofs and lengths to this file.")
def main(rules: tuple[str, ...], deals: int, seed: int, first: bool, summary: Path | None) -> None:
    """Print a line a rule set: milliseconds a deal and expansions a second."""
    click.echo(
        f"yardstick {yardstick():.3f} s; {deals:,} deals of seed {seed}, {'any' if first else 'shortest'} solution"
    )
    click.echo(f"{'rules':<32}{'mean':>8}{'median':>8}{'99 %':>8}{'worst':>9} ms{'expansions/s':>14}")
    found = {}
    for text in rules:
        solver = Solver(RuleSet.parse(text), first=first)
        for index in range(300):
            solver.solve(Deal.random(seed + 1, index))
        tally = Tally()
        for index in range(deals):
            tally.add(solver.solve(Deal.random(seed, index)))
        click.echo(tally.line(text))
        found[text] = tally.summary()
    click.echo(f"yardstick {yardstick():.3f} s")
    if summary:
        summary.write_text(json.dumps({"seed": seed, "deals": deals, "rules": found}, indent=1) + "\n")


class Tally:
    """What is kept of the results."""

    def __init__(self) -> None:
        self._seconds: list[float] = []
        self._expanded: list[int] = []
        self._verdicts: Counter[str] = Counter()
        self._proofs: Counter[str] = Counter()
        self._lengths: Counter[int] = Counter()

    def add(self, result: Result) -> None:
        self._seconds.append(result.seconds)
        self._expanded.append(result.expanded)
        self._verdicts[result.verdict] += 1
        self._proofs[result.proof.kind if result.proof else "none"] += 1
        if result.length is not None:
            self._lengths[result.length] += 1

    def line(self, name: str) -> str:
        times = np.array(self._seconds) * 1000
        figures = [times.mean(), np.median(times), np.quantile(times, 0.99), times.max()]
        speed = sum(self._expanded) / sum(self._seconds)
        return f"{name:<32}" + "".join(f"{x:8.3f}" for x in figures[:3]) + f"{figures[3]:9.1f}   {speed:14,.0f}"

    def summary(self) -> dict[str, Any]:
        return {
            "verdicts": dict(self._verdicts.most_common()),
            "proofs": dict(self._proofs.most_common()),
            "lengths": dict(sorted(self._lengths.items())),
            "expansions": {"mean": float(np.mean(self._expanded)), "median": float(np.median(self._expanded))},
        }


if __name__ == "__main__":
    main()
