"""Daifugō: deals a second played at random, and the time to find all legal plays, on one core, warm.

    python benchmarks/daifugo.py                            four players, every preset that they can play
    python benchmarks/daifugo.py --players 5 --rules uecda --rules house.toml
    python benchmarks/daifugo.py --summary FILE             also write the figures, as JSON

A deal at random is dealt, and every action drawn from all legal ones, to the end. Legal plays are found once more for
each position of such deals, many times over. The same deals are played by the twin of the tests, a plain Python engine
that knows no kernels. CPU time is counted; the bars are 10,000 deals a second and a microsecond a position.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import click
import numpy as np
from yardstick import yardstick

from solver.daifugo.playouts import count_plays, random_deal, random_deals
from solver.daifugo.rules import PRESETS, RuleSet

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import naive_daifugo as naive

SAMPLE = 500
"""Deals whose positions are looked at."""

REPEATS = 5


@click.command()
@click.option("--rules", multiple=True, help="Rule sets or files; all presets unless said.")
@click.option("--players", type=click.IntRange(3, 8), default=4, show_default=True)
@click.option("--deals", type=click.IntRange(min=1), default=20_000, show_default=True)
@click.option("--naive-deals", type=click.IntRange(min=1), default=40, show_default=True, help="By the Python engine.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--summary", type=click.Path(path_type=Path), help="Write the figures to this file.")
def main(rules: tuple[str, ...], players: int, deals: int, naive_deals: int, seed: int, summary: Path | None) -> None:
    """Print a line a rule set."""
    chosen = [RuleSet.parse(text) for text in rules] or [r for r in PRESETS.values() if r.players in (0, players)]
    click.echo(f"yardstick {yardstick():.3f} s; {players} players, {deals:,} deals of seed {seed}")
    click.echo(
        f"{'rules':<14}{'deals/s':>10}{'actions':>9}{'plays':>7}{'ns/position':>13}{'Python deals/s':>16}{'times':>8}"
    )
    found = {}
    for rule_set in chosen:
        figures = measure(rule_set, players, deals, naive_deals, seed)
        found[rule_set.id] = figures
        click.echo(
            f"{rule_set.id:<14}{figures['deals_per_second']:10,.0f}{figures['actions']:9.1f}{figures['plays']:7.2f}"
            f"{figures['ns_per_position']:13.0f}{figures['python_deals_per_second']:16.1f}{figures['ratio']:8,.0f}"
        )
    click.echo(f"yardstick {yardstick():.3f} s")
    if summary:
        summary.write_text(json.dumps({"seed": seed, "players": players, "rules": found}, indent=1) + "\n")


def measure(rules: RuleSet, players: int, deals: int, naive_deals: int, seed: int) -> dict[str, float]:
    """Deals a second and what is in them, the time to find the legal plays, and the twin's deals a second."""
    random_deals(rules, players, seed, 0, 10)
    seconds = cpu_seconds(lambda: random_deals(rules, players, seed, 0, deals))
    counts = random_deals(rules, players, seed, 0, deals)
    games = [random_deal(rules, players, seed, number) for number in range(SAMPLE)]
    states = np.concatenate([game[:-1][game[:-1]["discards"] == 0] for game in games])
    plays = count_plays(states, rules)
    generation = min(cpu_seconds(lambda: count_plays(states, rules)) for _ in range(REPEATS))
    slow = cpu_seconds(lambda: play_naively(rules, players, naive_deals, seed)) / naive_deals
    return {
        "deals_per_second": deals / seconds,
        "actions": float(counts["actions"].mean()),
        "plays": float(plays.mean()),
        "ns_per_position": generation / len(states) * 1e9,
        "python_deals_per_second": 1 / slow,
        "ratio": deals / seconds * slow,
    }


def cpu_seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def play_naively(rules: RuleSet, players: int, deals: int, seed: int) -> None:
    """As many deals at random by the twin of the tests."""
    random = Random(seed)
    for _ in range(deals):
        deal = naive.deal_at_random(rules.to_json(), players, random)
        while not deal.is_over:
            naive.act_at_random(deal, random)


if __name__ == "__main__":
    main()
