"""Proofs of losses: are all confirmed by the independent checker, and how long does each take it?

    python benchmarks/proofs.py                                  the losses among 10,000 classic deals
    python benchmarks/proofs.py --rules mixed-dragon --deals 50000

The losses are found as a survey finds them, then proved by `Solver`, and their JSON checked by `solver.check`, which
is pure Python and shares no code with the solver.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict

import click
import numpy as np
from yardstick import yardstick

from solver import OUTCOMES, Deal, Decider, RuleSet, Solver, check

SECOND = 1.0


@click.command()
@click.option("--rules", default="classic", show_default=True)
@click.option("--deals", type=click.IntRange(min=1), default=10_000, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
def main(rules: str, deals: int, seed: int) -> None:
    """Print a line a kind of proof, and the share of losses that the checker confirms within a second."""
    rule_set = RuleSet.parse(rules)
    lost = np.flatnonzero(Decider(rule_set).decide(seed, 0, deals)["outcome"] > OUTCOMES.index("winnable"))
    solver = Solver(rule_set, first=True)
    seconds: dict[str, list[float]] = defaultdict(list)
    bytes_of: dict[str, list[int]] = defaultdict(list)
    failed = unconfirmed = 0
    for index in lost.tolist():
        text = json.dumps(solver.solve(Deal.random(seed, index)).to_json())
        kind = json.loads(text)["proof"]["kind"]
        start = time.perf_counter()
        report = check(json.loads(text), full=True)
        seconds[kind].append(time.perf_counter() - start)
        bytes_of[kind].append(len(text))
        failed += bool(report.failures)
        unconfirmed += report.unconfirmed is not None
    click.echo(f"yardstick {yardstick():.3f} s; {len(lost):,} losses among {deals:,} {rules} deals of seed {seed}")
    click.echo(f"{'proof':<18}{'deals':>8}{'mean s':>10}{'worst s':>10}{'JSON bytes':>12}")
    for kind, times in sorted(seconds.items(), key=lambda item: -len(item[1])):
        click.echo(f"{kind:<18}{len(times):8,}{np.mean(times):10.4f}{max(times):10.3f}{np.mean(bytes_of[kind]):12,.0f}")
    quick = sum(duration <= SECOND for times in seconds.values() for duration in times)
    click.echo(f"within {SECOND:.0f} s: {quick:,} of {len(lost):,}; failed {failed}, unconfirmed {unconfirmed}")


if __name__ == "__main__":
    main()
