"""Surveys: the records of many deals at several tables, kept in a file that outlives a crash.

Deal ``n`` of a table is deal ``n % rounds`` of match ``n // rounds``; every table meets the same matches, so that they
can be compared deal by deal.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.daifugo.matches import DEAL, Matches, Table
from solver.daifugo.policies import MONTE_CARLO
from solver.daifugo.rules import RuleSet
from solver.errors import InputError
from solver.parallel import never
from solver.shuffle import SEED_LIMIT
from solver.store import Store
from solver.survey import Piece, Progress, read_first, run_pieces

KIND = "daifugo survey"

CHUNK = 2048
"""Deals of a piece of work, or a whole match if that has more: about a second of it."""

SLOW_CHUNK = 16
"""The same with players that take much longer."""


@dataclass(frozen=True)
class Survey:
    """Which tables play which deals; the records follow from it alone.

    Attributes:
        tables: each with a name of its own, which names its part of the file.
        seed: of the matches; number 0 is the first.

    Raises:
        InputError: no table, two of the same name, matches of different length, or a seed out of range.
    """

    tables: Mapping[str, Table]
    seed: int

    def __post_init__(self) -> None:
        if not self.tables:
            raise InputError("a survey needs a table")
        if not 0 <= self.seed < SEED_LIMIT:
            raise InputError(f"seed {self.seed} is not in 0..2^128-1")
        if len({table.rules.rounds for table in self.tables.values()}) > 1:
            raise InputError("rounds: the matches of a survey must have the same number of deals")

    @property
    def rounds(self) -> int:
        """How many deals a match has."""
        return next(iter(self.tables.values())).rules.rounds

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of its parts in the file."""
        return tuple(self.tables)

    @property
    def stretch(self) -> int:
        """Into pieces of how many deals the work is divided: whole matches."""
        slow = any(policy.code == MONTE_CARLO for table in self.tables.values() for policy in table.policies)
        return max(1, (SLOW_CHUNK if slow else CHUNK) // self.rounds) * self.rounds

    def description(self) -> dict[str, Any]:
        """The description of the survey's file; ``from_description`` reads it back."""
        return {
            "kind": KIND,
            "version": version("xiangshifu"),
            "seed": self.seed,
            "tables": {
                name: {"players": list(table.players), "twins": table.twins, "rules": table.rules.to_json()}
                for name, table in self.tables.items()
            },
        }

    @classmethod
    def from_description(cls, description: Mapping[str, Any]) -> Survey:
        """The survey that a file holds, whichever version wrote it; raises InputError if it holds none."""
        if description.get("kind") != KIND:
            raise InputError("not a survey of Daifugō")
        try:
            tables = {
                name: Table(RuleSet.from_json(held["rules"]), tuple(held["players"]), bool(held["twins"]))
                for name, held in description["tables"].items()
            }
            return cls(tables, int(description["seed"]))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise error if isinstance(error, InputError) else InputError(f"not a survey ({error!r})") from error


def build_worker(survey: Survey) -> Callable[[Piece], bytes]:
    """A function that answers a piece with the bytes of its records."""
    matches: dict[int, Matches] = {}

    def answer(piece: Piece) -> bytes:
        if piece.place not in matches:
            matches[piece.place] = Matches(survey.tables[survey.parts[piece.place]], survey.seed)
        return play_deals(matches[piece.place], piece.start, piece.count, survey.rounds).tobytes()

    return answer


def play_deals(matches: Matches, start: int, count: int, rounds: int) -> NDArray[np.void]:
    """Deals ``start`` to ``start + count - 1`` of matches of so many deals: ``DEAL``, shape (count,).

    A match that begins before ``start`` is played from its beginning; one that ends later is cut short.
    """
    first, (last, rest) = start // rounds, divmod(start + count, rounds)
    played = []
    if last > first:
        played.append(matches.play(first, last - first, rounds))
    if rest:
        played.append(matches.play(last, 1, rest))
    return np.concatenate(played)[start - first * rounds :]


def run(
    store: Store,
    survey: Survey,
    deals: int,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    stop: Callable[[], bool] = never,
) -> Generator[Progress, None, None]:
    """Play and store what is missing of the first ``deals`` deals of each table (``survey.run_pieces``).

    Args:
        store: a file with the survey's description.
        survey: the survey.
        deals: how many.
        jobs: number of processes.
        scheduler: the address of a Dask scheduler, whose workers do it instead.
        stop: once it says so, no piece is begun; those in flight are finished and stored.

    Raises:
        InputError: the file or the cluster fails.
        WorkerDied: processes die again and again.
    """
    return run_pieces(
        store, survey.parts, deals, survey.stretch, build_worker, survey, jobs=jobs, scheduler=scheduler, stop=stop
    )


def read_deals(store: Store, part: str, deals: int) -> NDArray[np.void]:
    """The first deals of a table: ``DEAL``, shape (deals,); raises InputError if some are missing."""
    return read_first(store, part, deals, DEAL)


def strength_tables(players: tuple[str, ...], rules: RuleSet, seats: int) -> dict[str, Table]:
    """The tables that show which of two players is stronger, for each and the next of a ladder.

    At one table the two sit alternately, at the other they have changed seats; so each plays every hand once.

    Raises:
        InputError: fewer than two players, or one of them twice.
    """
    if len(players) < 2 or len(set(players)) < len(players):
        raise InputError("strength is compared between two players or more, each named once")
    tables = {}
    for weak, strong in pairwise(players):
        for both in ((weak, strong), (strong, weak)):
            tables[" and ".join(both)] = Table(rules, tuple(both[seat % 2] for seat in range(seats)))
    return tables
