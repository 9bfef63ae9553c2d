"""Surveys: the records of many deals at several tables, kept in a file that outlives a crash.

Every table meets the same deals of a seed, numbered from 0, so that they can be compared deal by deal.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.cuajo.deals import DEAL, Deals, Table
from solver.cuajo.rules import PLAYERS, RuleSet
from solver.errors import InputError
from solver.parallel import never, unordered_map
from solver.shuffle import SEED_LIMIT
from solver.store import Store

KIND = "cuajo survey"

CHUNK = 2000
"""Deals of a piece of work: about a second of it."""


@dataclass(frozen=True)
class Survey:
    """Which tables play which deals; the records follow from it alone.

    Attributes:
        tables: each with a name of its own, which names its part of the file.
        seed: of the deals.

    Raises:
        InputError: no table, or a seed out of range.
    """

    tables: Mapping[str, Table]
    seed: int

    def __post_init__(self) -> None:
        if not self.tables:
            raise InputError("a survey needs a table")
        if not 0 <= self.seed < SEED_LIMIT:
            raise InputError(f"seed {self.seed} is not in 0..2^128-1")

    def description(self) -> dict[str, Any]:
        """The description of the survey's file."""
        return {
            "kind": KIND,
            "version": version("xiangshifu"),
            "seed": self.seed,
            "tables": {
                name: {"players": list(table.players), "rules": table.rules.to_json()}
                for name, table in self.tables.items()
            },
        }


@dataclass(frozen=True)
class Piece:
    """Work for one process: deals ``start`` to ``start + count - 1`` of a table."""

    part: str
    start: int
    count: int


@dataclass(frozen=True)
class Progress:
    """How many deals are stored, out of how many, each counted once a table."""

    done: int
    total: int


def build_worker(survey: Survey) -> Callable[[Piece], bytes]:
    """A function that answers a piece with the bytes of its records."""
    known: dict[str, Deals] = {}

    def answer(piece: Piece) -> bytes:
        if piece.part not in known:
            known[piece.part] = Deals(survey.tables[piece.part], survey.seed)
        return known[piece.part].play(piece.start, piece.count).tobytes()

    return answer


def _pieces(store: Store, survey: Survey, deals: int) -> Iterator[Piece]:
    """What is missing of the first deals, stretch after stretch for all tables."""
    for first in range(0, deals, CHUNK):
        for part in survey.tables:
            for start, stop in store.gaps(part, min(first + CHUNK, deals)):
                if stop > first:
                    yield Piece(part, max(start, first), stop - max(start, first))


def run(
    store: Store, survey: Survey, deals: int, *, jobs: int = 1, stop: Callable[[], bool] = never
) -> Generator[Progress, None, None]:
    """Play and store what is missing of the first ``deals`` deals of each table.

    Yields the progress before the first piece of work and after each.

    Args:
        store: a file with the survey's description.
        survey: the survey.
        deals: how many.
        jobs: number of processes.
        stop: once it says so, no piece is begun; those in flight are finished and stored.

    Raises:
        InputError: the file fails, or a deal does not come to an end.
        WorkerDied: processes die again and again.
    """
    missing = list(_pieces(store, survey, deals))
    total = deals * len(survey.tables)
    done = total - sum(piece.count for piece in missing)
    yield Progress(done, total)
    with closing(unordered_map(build_worker, survey, missing, jobs=jobs, stop=stop)) as answers:
        for piece, data in answers:
            store.add(piece.part, piece.start, data, piece.count)
            done += piece.count
            yield Progress(done, total)


def read_deals(store: Store, part: str, deals: int) -> NDArray[np.void]:
    """The first deals of a table: ``DEAL``, shape (deals,).

    Raises:
        InputError: some are missing, or the file is damaged.
    """
    found = np.zeros(deals, dtype=DEAL)
    held = 0
    for start, count, data in store.chunks(part):
        if len(data) != count * DEAL.itemsize:
            raise InputError(f"{store.path}: damaged at {part} {start}")
        end = min(start + count, deals)
        if start < end:
            found[start:end] = np.frombuffer(data, dtype=DEAL)[: end - start]
            held += end - start
    if held < deals:
        raise InputError(f"{part}: {deals - held:,} of the first {deals:,} deals are not played yet")
    return found


def strength_tables(players: tuple[str, ...], rules: RuleSet) -> dict[str, Table]:
    """The tables that show which of two players is stronger, for each and the next of a ladder.

    At one table a partnership of the one plays a partnership of the other, at the second they have changed seats; so
    each plays every hand once.

    Raises:
        InputError: fewer than two players, or one of them twice.
    """
    if len(players) < 2 or len(set(players)) < len(players):
        raise InputError("strength is compared between two players or more, each named once")
    tables = {}
    for weak, strong in pairwise(players):
        for both in ((weak, strong), (strong, weak)):
            tables[" against ".join(both)] = Table(rules, both * (PLAYERS // 2))
    return tables
