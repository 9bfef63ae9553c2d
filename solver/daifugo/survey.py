"""Surveys: the records of many deals at several tables, kept in a file that outlives a crash.

Deal ``n`` of a table is deal ``n % rounds`` of match ``n // rounds``; every table meets the same matches, so that they
can be compared deal by deal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from solver.daifugo.matches import DEAL, Matches, Table
from solver.daifugo.policies import MONTE_CARLO
from solver.daifugo.rules import RuleSet
from solver.errors import InputError
from solver.store import Store
from solver.survey import read_first
from solver.tablesurvey import Play, TableSurvey, ladder

KIND = "daifugo survey"

CHUNK = 2048
"""Deals of a piece of work, or a whole match if that has more: about a second of it."""

SLOW_CHUNK = 16
"""The same with players that take much longer."""


@dataclass(frozen=True)
class Survey(TableSurvey[Table]):
    """Which tables play which deals; the records follow from it alone.

    Attributes:
        tables: each with a name of its own, which names its part of the file.
        seed: of the matches; number 0 is the first.

    Raises:
        InputError: no table, matches of different length, or a seed out of range.
    """

    kind: ClassVar[str] = KIND
    game: ClassVar[str] = "Daifugō"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len({table.rules.rounds for table in self.tables.values()}) > 1:
            raise InputError("rounds: the matches of a survey must have the same number of deals")

    @property
    def rounds(self) -> int:
        """How many deals a match has."""
        return next(iter(self.tables.values())).rules.rounds

    @property
    def stretch(self) -> int:
        """Into pieces of how many deals the work is divided: whole matches."""
        slow = any(policy.code == MONTE_CARLO for table in self.tables.values() for policy in table.policies)
        return max(1, (SLOW_CHUNK if slow else CHUNK) // self.rounds) * self.rounds

    def play_of(self, part: str) -> Play:
        """What plays the deals of a table."""
        matches = Matches(self.tables[part], self.seed)
        return lambda start, count: play_deals(matches, start, count, self.rounds)

    @staticmethod
    def table_to_json(table: Table) -> dict[str, Any]:
        """A table as JSON values."""
        return {"players": list(table.players), "twins": table.twins, "rules": table.rules.to_json()}

    @staticmethod
    def table_from_json(record: Mapping[str, Any]) -> Table:
        """The table that ``table_to_json`` wrote."""
        return Table(RuleSet.from_json(record["rules"]), tuple(record["players"]), bool(record["twins"]))


def play_deals(matches: Matches, start: int, count: int, rounds: int) -> NDArray[np.void]:
    """Deals ``start`` to ``start + count - 1`` of matches of so many deals: ``DEAL``, shape (count,).

    A match that begins before ``start`` is played from its beginning; one that ends later is cut short.
    """
    first, (last, rest) = start // rounds, divmod(start + count, rounds)
    played = []
    if last > first or not rest:
        played.append(matches.play(first, last - first, rounds))
    if rest:
        played.append(matches.play(last, 1, rest))
    return np.concatenate(played)[start - first * rounds :]


def read_deals(store: Store, part: str, deals: int) -> NDArray[np.void]:
    """The first deals of a table: ``DEAL``, shape (deals,); raises InputError if some are missing."""
    return read_first(store, part, deals, DEAL)


def strength_tables(players: tuple[str, ...], rules: RuleSet, seats: int) -> dict[str, Table]:
    """The tables that show which of two players is stronger, for each and the next of a ladder.

    At one table the two sit alternately, at the other they have changed seats; so each plays every hand once.

    Raises:
        InputError: fewer than two players, or one of them twice.
    """
    return {
        " and ".join(both): Table(rules, tuple(both[seat % 2] for seat in range(seats))) for both in ladder(players)
    }
