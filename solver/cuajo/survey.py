"""Surveys: the records of many deals at several tables, kept in a file that outlives a crash.

Every table meets the same deals of a seed, numbered from 0, so that they can be compared deal by deal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from solver.cuajo.deals import DEAL, Deals, Table
from solver.cuajo.rules import PLAYERS, RuleSet
from solver.store import Store
from solver.survey import read_first
from solver.tablesurvey import Play, TableSurvey, ladder

KIND = "cuajo survey"

CHUNK = 2000
"""Deals of a piece of work: about a second of it."""


@dataclass(frozen=True)
class Survey(TableSurvey[Table]):
    """Which tables play which deals; the records follow from it alone (``tablesurvey.TableSurvey``)."""

    kind: ClassVar[str] = KIND
    game: ClassVar[str] = "Cuajo"

    @property
    def stretch(self) -> int:
        """Into pieces of how many deals the work is divided."""
        return CHUNK

    def play_of(self, part: str) -> Play:
        """What plays the deals of a table."""
        return Deals(self.tables[part], self.seed).play

    @staticmethod
    def table_to_json(table: Table) -> dict[str, Any]:
        """A table as JSON values."""
        return {"players": list(table.players), "rules": table.rules.to_json()}

    @staticmethod
    def table_from_json(record: Mapping[str, Any]) -> Table:
        """The table that ``table_to_json`` wrote."""
        return Table(RuleSet.from_json(record["rules"]), tuple(record["players"]))


def read_deals(store: Store, part: str, deals: int) -> NDArray[np.void]:
    """The first deals of a table: ``DEAL``, shape (deals,); raises InputError if some are missing."""
    return read_first(store, part, deals, DEAL)


def strength_tables(players: tuple[str, ...], rules: RuleSet) -> dict[str, Table]:
    """The tables that show which of two players is stronger, for each and the next of a ladder.

    At one table a partnership of the one plays a partnership of the other, at the second they have changed seats; so
    each plays every hand once.

    Raises:
        InputError: fewer than two players, or one of them twice.
    """
    return {" against ".join(both): Table(rules, both * (PLAYERS // 2)) for both in ladder(players)}
