"""The players that can be asked for by name; ``PLAYERS["mine"] = Mine`` adds one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from solver.daifugo.players import GreedyPlayer, Player, RandomPlayer
from solver.daifugo.thinkers import PolicyPlayer
from solver.errors import InputError

Factory = Callable[[int], Player]
"""Makes a player; the argument is a seed for what it does at random."""

PLAYERS: dict[str, Factory] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "rules": partial(PolicyPlayer, "rules"),
    "monte-carlo": partial(PolicyPlayer, "monte-carlo"),
}
"""The players by name, each stronger than the one before (``data/results/daifugo.md``)."""


def make_player(name: str, seed: int = 0) -> Player:
    """A player by name; raises InputError if there is none of that name."""
    if name not in PLAYERS:
        raise InputError(f"{name!r} is no player; known are {', '.join(PLAYERS)}")
    return PLAYERS[name](seed)
