"""The tablebase: probes a second, and time to decide random deals for a goal, one after the other on one core, warm.

    python benchmarks/tablebase.py                                        200 classic deals, goal pair:22-22
    python benchmarks/tablebase.py --goal five-dragons --deals 1000 --first
    python benchmarks/tablebase.py --layout shanghai --goal shanghai

Tables are those of the cache (XSF_CACHE_DIR); what is missing there is built first, which takes minutes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator

import click
import numpy as np
from yardstick import yardstick

from solver import Deal, Result, RuleSet
from solver.xiangshifu.goals import Goal, parse_goal
from solver.xiangshifu.goalsolve import GoalSolver
from solver.xiangshifu.position import LAYOUTS
from solver.xiangshifu.solve import Limits
from solver.xiangshifu.tablebase import Tablebase, build_components, build_distances, is_built

PROBES = 1_000_000
SINGLE = 1000
WARM = 5


@click.command()
@click.option("--rules", default="classic", show_default=True)
@click.option("--layout", type=click.Choice(list(LAYOUTS)), default="ten", show_default=True)
@click.option("--goal", default="pair:22-22", show_default=True)
@click.option("--deals", type=click.IntRange(min=1), default=200, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--first", is_flag=True, help="Any solution instead of a short one.")
@click.option("--seconds", type=float, help="Time limit of a deal.")
def main(rules: str, layout: str, goal: str, deals: int, seed: int, first: bool, seconds: float | None) -> None:
    """Print probes a second, then milliseconds a deal and what was found."""
    click.echo(f"yardstick {yardstick():.3f} s; rules {rules}, layout {layout}, goal {goal}")
    wanted = parse_goal(goal, LAYOUTS[layout])
    tablebase = built(wanted, RuleSet.parse(rules))
    measure_probes(tablebase, wanted)
    solver = GoalSolver(tablebase, wanted, first=first, limits=Limits(seconds=seconds))
    for index in range(WARM):
        solver.solve(Deal.random(seed + 1, index, wanted.layout))
    tally = Tally()
    for index in range(deals):
        tally.add(solver.solve(Deal.random(seed, index, wanted.layout)))
    click.echo(f"{deals:,} deals of seed {seed}, {'any' if first else 'short'} solution")
    tally.show()
    click.echo(f"yardstick {yardstick():.3f} s")


def built(goal: Goal, rules: RuleSet) -> Tablebase:
    """The tablebase with the components and the goal's distances."""
    if not is_built(goal.layout, rules):
        finish("components", build_components(goal.layout, rules, jobs=2))
    if not is_built(goal.layout, rules, goal):
        finish(goal.id, build_distances(goal, rules, jobs=2))
    return Tablebase(goal.layout, rules)


def finish(what: str, building: Generator[object, None, object]) -> None:
    start = time.perf_counter()
    for _ in building:
        pass
    click.echo(f"built {what} in {time.perf_counter() - start:.1f} s")


def measure_probes(tablebase: Tablebase, goal: Goal) -> None:
    start = time.perf_counter()
    region = tablebase.region
    tablebase.distances(goal)
    click.echo(f"region of {region.size:,} positions and table opened in {time.perf_counter() - start:.2f} s")
    numbers = np.random.default_rng(1).integers(0, region.size, PROBES)
    groups = region.unrank(numbers)
    positions = [region.position(int(number)) for number in numbers[:SINGLE]]
    tablebase.probe_many(groups[:1000], goal)
    tablebase.best_moves(positions[0], goal)
    rate("probes of many positions", PROBES, lambda: tablebase.probe_many(groups, goal))
    rate("probes of many numbers", PROBES, lambda: tablebase.probe_many(numbers, goal))
    rate("probes one by one", SINGLE, lambda: [tablebase.probe(position, goal) for position in positions])
    rate("best moves", SINGLE // 10, lambda: [tablebase.best_moves(one, goal) for one in positions[: SINGLE // 10]])


def rate(what: str, count: int, work: Callable[[], object]) -> None:
    start = time.perf_counter()
    work()
    click.echo(f"{what:<28}{count / (time.perf_counter() - start):16,.0f} a second")


class Tally:
    """What is kept of the results."""

    def __init__(self) -> None:
        self._seconds: list[float] = []
        self._lengths: list[int] = []
        self._gaps: list[int] = []
        self._verdicts: Counter[str] = Counter()
        self._proofs: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()

    def add(self, result: Result) -> None:
        self._seconds.append(result.seconds)
        self._verdicts[result.verdict] += 1
        if result.verdict == "unwinnable" and result.proof is not None:
            self._proofs[result.proof.kind] += 1
        if result.reason is not None:
            self._reasons[result.reason] += 1
        if result.length is not None and result.lower_bound is not None:
            self._lengths.append(result.length)
            self._gaps.append(result.length - result.lower_bound)

    def show(self) -> None:
        times = np.array(self._seconds) * 1000
        click.echo(
            f"ms a deal: mean {times.mean():.1f}, median {np.median(times):.1f}, "
            f"99 % {np.quantile(times, 0.99):.1f}, worst {times.max():.1f}"
        )
        for name, counts in (("verdicts", self._verdicts), ("losses", self._proofs), ("undecided", self._reasons)):
            click.echo(f"{name}: " + (", ".join(f"{kind} {count:,}" for kind, count in counts.most_common()) or "none"))
        if self._lengths:
            lengths, gaps = np.array(self._lengths), np.array(self._gaps)
            click.echo(f"length: mean {lengths.mean():.2f}, {lengths.min()} to {lengths.max()}")
            click.echo(
                f"above the lower bound: mean {gaps.mean():.2f}, worst {gaps.max()}, "
                f"proved shortest {(gaps == 0).mean():.1%}"
            )


if __name__ == "__main__":
    main()
