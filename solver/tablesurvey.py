"""Surveys of card games: the records of many deals at several tables, in a file that outlives a crash; knows no game.

A table is who plays by which rules. Every table meets the same deals of a seed, numbered from 0, so that they can be
compared deal by deal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from itertools import pairwise
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputError
from solver.parallel import never
from solver.shuffle import check_shuffle
from solver.store import Store
from solver.survey import Piece, Progress, run_pieces

Records = NDArray[np.void]

Play = Callable[[int, int], Records]
"""Plays deals of a table: from the first, so many; one record each."""


class Seated(Protocol):
    """A table, as far as a survey knows it."""

    @property
    def players(self) -> tuple[str, ...]:
        """The names of those who play."""


Table = TypeVar("Table", bound=Seated)


@dataclass(frozen=True)
class TableSurvey(ABC, Generic[Table]):
    """Which tables play which deals; the records follow from it alone. A game's says what a table is.

    Attributes:
        tables: each with a name of its own, which names its part of the file.
        seed: of the deals.

    Raises:
        InputError: no table, or a seed out of range.
    """

    kind: ClassVar[str]
    """What the description of a file says it is."""

    game: ClassVar[str]
    """The game's name, for people."""

    tables: Mapping[str, Table]
    seed: int

    def __post_init__(self) -> None:
        if not self.tables:
            raise InputError("a survey needs a table")
        check_shuffle(self.seed, 0)

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of its parts in the file."""
        return tuple(self.tables)

    @property
    @abstractmethod
    def stretch(self) -> int:
        """Into pieces of how many deals the work is divided."""

    @abstractmethod
    def play_of(self, part: str) -> Play:
        """What plays the deals of a table."""

    @staticmethod
    @abstractmethod
    def table_to_json(table: Table) -> dict[str, Any]:
        """A table as JSON values."""

    @staticmethod
    @abstractmethod
    def table_from_json(record: Mapping[str, Any]) -> Table:
        """The table that ``table_to_json`` wrote."""

    def description(self) -> dict[str, Any]:
        """The description of the survey's file; ``from_description`` reads it back."""
        return {
            "kind": self.kind,
            "version": version("xiangshifu"),
            "seed": self.seed,
            "tables": {name: self.table_to_json(table) for name, table in self.tables.items()},
        }

    @classmethod
    def from_description(cls, description: Mapping[str, Any]) -> Self:
        """The survey that a file holds, whichever version wrote it; raises InputError if it holds none."""
        if description.get("kind") != cls.kind:
            raise InputError(f"not a survey of {cls.game}")
        try:
            tables = {name: cls.table_from_json(record) for name, record in description["tables"].items()}
            return cls(tables, int(description["seed"]))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise error if isinstance(error, InputError) else InputError(f"not a survey ({error!r})") from error


def build_worker(survey: TableSurvey[Any]) -> Callable[[Piece], bytes]:
    """A function that answers a piece with the bytes of its records."""
    play_of = cache(survey.play_of)

    def answer(piece: Piece) -> bytes:
        return play_of(survey.parts[piece.place])(piece.start, piece.count).tobytes()

    return answer


def run(
    store: Store,
    survey: TableSurvey[Any],
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
        InputError: the file or the cluster fails, or a deal can't be played.
        WorkerDied: processes die again and again.
    """
    return run_pieces(
        store, survey.parts, deals, survey.stretch, build_worker, survey, jobs=jobs, scheduler=scheduler, stop=stop
    )


def ladder(players: Sequence[str]) -> list[tuple[str, str]]:
    """The two that sit at each table of a comparison of strength: each player and the next, and then changed about.

    Raises:
        InputError: fewer than two players, or one of them twice.
    """
    if len(players) < 2 or len(set(players)) < len(players):
        raise InputError("strength is compared between two players or more, each named once")
    return [both for weak, strong in pairwise(players) for both in ((weak, strong), (strong, weak))]


def rungs(
    survey: TableSurvey[Table], read: Callable[[str], Records]
) -> Iterator[tuple[str, str, tuple[Table, Table], tuple[Records, Records]]]:
    """The pairs of a survey of ``ladder``'s tables: the weak one, the strong one, their two tables, and the records.

    Args:
        survey: each player sits at seat 0 of a table, the other of the pair at seat 1.
        read: gives the records of a part.
    """
    for one, two in zip(survey.parts[::2], survey.parts[1::2], strict=True):
        tables = survey.tables[one], survey.tables[two]
        weak, strong = tables[0].players[:2]
        yield weak, strong, tables, (read(one), read(two))
