"""Speed of what is known of Cuajo hands, and of whole deals, one core, warm.

    python benchmarks/cuajo.py                      200,000 random hands, and as many put together from combinations
    python benchmarks/cuajo.py --hands 1000000
    python benchmarks/cuajo.py --deals 20000        of each player

The kernels are compiled and the tables made before the clock starts. Times are CPU seconds, the least of several tries.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import click
import numpy as np
from numpy.typing import NDArray
from yardstick import yardstick

from solver.bits import canonical_masks, from_words, to_words
from solver.cuajo.blocks import block_tables, discard_wastes, wastes
from solver.cuajo.cards import CARDS, COPIES, KINDS
from solver.cuajo.deals import Deals, Table
from solver.cuajo.hand import Hand, analyse, discards, purro
from solver.cuajo.match import Match
from solver.cuajo.melds import all_combinations, are_complete
from solver.cuajo.odds import dealt_hands
from solver.cuajo.policies import POLICIES
from solver.cuajo.rules import PLAYERS, TRADITIONAL

TRIES = 5
T = TypeVar("T")


@click.command()
@click.option("--hands", type=click.IntRange(min=100), default=200_000, show_default=True)
@click.option("--deals", type=click.IntRange(min=1), default=4000, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
def main(hands: int, deals: int, seed: int) -> None:
    """Print a line a figure."""
    random = np.random.default_rng(seed)
    sixteen, fifteen = dealt(random, hands, 16), dealt(random, hands, 15)
    whole = put_together(random, hands)
    click.echo(f"yardstick {yardstick():.3f} s; {hands:,} hands of seed {seed}")
    start = time.process_time()
    block_tables()
    click.echo(f"{'tables of wastes, with compiling':<44}{time.process_time() - start:12.2f} s")
    a_second("complete or not, dealt hands", sixteen, are_complete)
    a_second("complete or not, complete hands", whole, are_complete)
    a_second("distance of 15 cards", fifteen, wastes)
    a_second("distance after every discard of 16", sixteen[: hands // 4], discard_wastes)
    some = [Hand(mask) for mask in from_words(fifteen[:2000])]
    near = [Hand(mask & (mask - 1)) for mask in from_words(canonical_masks(CARDS, whole[:2000]))]
    seen = [(hand, fitting(hand, mask)) for hand, mask in zip(near, from_words(fifteen[:2000]), strict=True)]
    one_at_a_time("purro list, dealt hands", some, purro)
    one_at_a_time("purro list, purro hands", near, purro)
    one_at_a_time("purro list, purro hands, 15 others seen", seen, lambda both: purro(*both))
    full = [Hand(mask) for mask in from_words(sixteen[:60])]
    one_at_a_time("everything about 16 cards", full, analyse)
    one_at_a_time("all discards and what improves", full, discards)
    dealt_hands(15)
    start = time.process_time()
    dealt_hands(16)
    click.echo(f"{'all hands of 16 cards by distance, exactly':<44}{time.process_time() - start:12.2f} s")
    whole_deals(deals, seed)
    click.echo(f"yardstick {yardstick():.3f} s")


def whole_deals(deals: int, seed: int) -> None:
    """Print how many deals a second each player plays, in kernels and one action at a time."""
    for name in POLICIES:
        table = Deals(Table(TRADITIONAL, (name,) * PLAYERS), seed)
        table.play(0, 10)
        seconds = least(partial(table.play, 0, deals))
        click.echo(f"{f'deals of four {name} players':<44}{deals / seconds:12,.0f} a second")
    match = Match(TRADITIONAL, ["simple"] * PLAYERS, seed)
    match.play_deal()
    start = time.process_time()
    match.play(20)
    seconds = (time.process_time() - start) / 20
    click.echo(f"{'deals of simple players, Python interface':<44}{1 / seconds:12,.0f} a second")


def dealt(random: np.random.Generator, hands: int, cards: int) -> NDArray[np.uint64]:
    """Random hands as canonical words."""
    bits = np.array([shift + copy for shift in CARDS.shifts for copy in range(COPIES)])
    chosen = bits[np.argsort(random.random((hands, len(bits)), dtype=np.float32), axis=1)[:, :cards]]
    words = np.zeros((hands, 2), dtype=np.uint64)
    for column in chosen.T:
        words[np.arange(hands), column // 64] |= np.uint64(1) << (column % 64).astype(np.uint64)
    return canonical_masks(CARDS, words)


def put_together(random: np.random.Generator, hands: int) -> NDArray[np.uint64]:
    """Complete hands; some are repeated to have so many."""
    known = all_combinations()
    masks: list[int] = []
    while len(masks) < min(hands, 5000):
        kinds: list[int] = []
        while len(kinds) < 16:
            kinds += known[random.integers(len(known))].kinds
        if len(kinds) == 16 and max(map(kinds.count, range(KINDS))) <= COPIES:
            masks.append(CARDS.mask(kinds))
    words = to_words(CARDS, masks)
    return np.resize(words, (hands, 2))


def fitting(hand: Hand, mask: int) -> int:
    """As many of some cards as can be seen beside a hand."""
    counts = CARDS.counts(mask)
    return CARDS.mask_of_counts([min(count, hand.left(kind)) for kind, count in enumerate(counts)])


def a_second(name: str, words: NDArray[np.uint64], ask: Callable[[NDArray[np.uint64]], object]) -> None:
    """Print how many answers a second a batch gives."""
    ask(words[:100])
    click.echo(f"{name:<44}{len(words) / least(lambda: ask(words)):12,.0f} a second")


def one_at_a_time(name: str, hands: list[T], ask: Callable[[T], object]) -> None:
    """Print the mean time of a call from Python."""
    ask(hands[0])
    seconds = least(lambda: [ask(hand) for hand in hands])
    click.echo(f"{name:<44}{seconds / len(hands) * 1e6:12,.1f} µs")


def least(work: Callable[[], object]) -> float:
    """Least CPU seconds of several tries."""
    times = []
    for _ in range(TRIES):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    main()
