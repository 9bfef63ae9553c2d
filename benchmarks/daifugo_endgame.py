"""Two-player endgames: how long does it take to decide who wins?

    python benchmarks/daifugo_endgame.py                    ten cards a side, all presets
    python benchmarks/daifugo_endgame.py --cards 8 --rules uecda

Hands are drawn from the whole deck, the first player leads. Times are CPU time of this process, warm, winning line
included.
"""

from __future__ import annotations

import random
import time

import click
import numpy as np
from yardstick import yardstick

from solver.daifugo.cards import Hand, deck, parse_cards
from solver.daifugo.endgame import solve_endgame
from solver.daifugo.rules import PRESETS, RuleSet

WARM_UP, WARM_CARDS = 20, 8


def random_hands(rng: random.Random, rules: RuleSet, players: int, cards: int) -> list[Hand]:
    """Hands of so many cards each."""
    kinds = deck(rules.decks, rules.jokers)
    names = [kind.name for kind in kinds.kinds for _ in range(kind.copies)]
    drawn = rng.sample(names, players * cards)
    return [parse_cards(" ".join(drawn[seat * cards : (seat + 1) * cards]), kinds) for seat in range(players)]


@click.command()
@click.option("--rules", multiple=True, default=list(PRESETS), show_default=True)
@click.option("--cards", type=click.IntRange(min=1, max=26), default=10, show_default=True)
@click.option("--players", type=click.IntRange(min=2, max=8), default=2, show_default=True)
@click.option("--count", type=click.IntRange(min=1), default=200, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def main(rules: tuple[str, ...], cards: int, players: int, count: int, seed: int) -> None:
    """Print a line a rule set: milliseconds and positions of an endgame, and how often the leader wins."""
    click.echo(f"yardstick {yardstick():.3f} s; {count} endgames, {players} players with {cards} cards, seed {seed}")
    click.echo(f"{'':<14}{'milliseconds':^37}{'positions':^22}{'leader':>7}")
    click.echo(f"{'rules':<14}{'median':>10}{'mean':>9}{'95 %':>9}{'worst':>9}{'median':>11}{'mean':>11}{'wins':>7}")
    for name in rules:
        rule_set = RuleSet.parse(name)
        rng = random.Random(seed)
        for _ in range(WARM_UP):
            solve_endgame(random_hands(rng, rule_set, players, min(cards, WARM_CARDS)), rule_set)
        seconds, positions, wins = [], [], 0
        for _ in range(count):
            hands = random_hands(rng, rule_set, players, cards)
            start = time.process_time()
            result = solve_endgame(hands, rule_set)
            seconds.append(time.process_time() - start)
            positions.append(result.positions)
            wins += result.winner == 0
        times = 1000 * np.array(seconds)
        click.echo(
            f"{name:<14}{np.median(times):10.2f}{times.mean():9.2f}{np.quantile(times, 0.95):9.2f}{times.max():9.2f}"
            f"{int(np.median(positions)):11,}{int(np.mean(positions)):11,}{wins / count:7.2f}"
        )


if __name__ == "__main__":
    main()
