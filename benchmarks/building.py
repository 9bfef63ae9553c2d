"""What it takes to build a table: the speed of going through a region, on samples of it, one core.

    python benchmarks/building.py                    classic
    python benchmarks/building.py --rules thirteen   496,631,828 positions

A table of distances goes through each position once, one of components too. No table is built here.
"""

from __future__ import annotations

import time

import click
import numpy as np
from yardstick import yardstick

from solver.xiangshifu.distances import _spread
from solver.xiangshifu.plain import UNREACHABLE, new_walker
from solver.xiangshifu.position import LAYOUTS
from solver.xiangshifu.region import region
from solver.xiangshifu.rules import RuleSet

SAMPLES, SIZE = 20, 100_000
MIB = 1 << 20


@click.command()
@click.option("--rules", default="classic", show_default=True)
@click.option("--layout", type=click.Choice(list(LAYOUTS)), default="ten", show_default=True)
def main(rules: str, layout: str) -> None:
    """Print the speed, and what a whole table would take."""
    click.echo(f"yardstick {yardstick():.3f} s; rules {rules}, layout {layout}")
    start = time.perf_counter()
    found = region(LAYOUTS[layout], RuleSet.parse(rules))
    click.echo(f"region of {found.size:,} positions counted in {time.perf_counter() - start:.1f} s")
    table = np.full(found.size, UNREACHABLE, dtype=np.uint8)
    walker = new_walker(found.layout)
    _spread(1, 0, 1, found.arrays, walker, table)
    seconds = 0.0
    for first in np.random.default_rng(1).integers(0, found.size - SIZE, SAMPLES).tolist():
        table[first : first + SIZE] = 0
        start = time.perf_counter()
        _spread(0, first, first + SIZE, found.arrays, walker, table)
        seconds += time.perf_counter() - start
        table[:] = UNREACHABLE
    speed = SAMPLES * SIZE / seconds
    click.echo(f"{speed:,.0f} positions a second; all in {found.size / speed / 60:.1f} minutes on one core")
    region_size = found.arrays.edges.nbytes // MIB
    click.echo(f"memory: region {region_size:,} MiB, distances {found.size // MIB:,} MiB, components twice that")


if __name__ == "__main__":
    main()
