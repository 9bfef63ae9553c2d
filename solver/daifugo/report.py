"""What a survey of Daifugō shows: titles that change hands, revolutions, the length of deals, strength, differences.

Intervals are at 95 %. Means are taken over deals, but deals of a match depend on each other through their titles, so
their intervals go by matches (``statistics.clustered_mean``); shares have Wilson's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.daifugo.matches import NONE, Table, scores_of
from solver.daifugo.survey import Survey, read_deals
from solver.statistics import Mean, Share, clustered_mean, share_of
from solver.store import Store
from solver.tablesurvey import rungs

SCHEMA = 1
"""Of the JSON of reports."""

MEASURES = ("plays", "passes", "tricks", "revolutions")
"""What is counted in each deal."""

Records = NDArray[np.void]


@dataclass(frozen=True)
class PlayerReport:
    """How one player fared.

    Attributes:
        name: of the player.
        place: mean place, 1 the first.
        score: mean score of a deal.
        first: in how many deals it was first, and
        last: last.
    """

    name: str
    place: Mean | None
    score: Mean | None
    first: Share
    last: Share


@dataclass(frozen=True)
class WorthReport:
    """What the exchange is worth, from the same deals with and without it.

    Attributes:
        deals: how many.
        first_place, last_place: how many places better the former first and last ended with it.
        first_score, last_score: how much more they scored.
    """

    deals: int
    first_place: Mean
    first_score: Mean
    last_place: Mean
    last_score: Mean


@dataclass(frozen=True)
class TableReport:
    """What is known of a table.

    Attributes:
        name: of the table.
        table: its rules and players.
        deals: how many were played.
        stays_first: how often who was first is so again, and
        stays_last: who was last, last.
        transitions: int64, shape (players, players): how often a place (row) was followed by another (column).
        measures: means by ``MEASURES``.
        revolution: deals with at least one revolution.
        leader_first: deals whose leader ended first.
        fell: deals in which a Daifugō fell.
        forbidden: deals in which somebody went out in a forbidden way.
        swapped: deals in which jokers swapped the titles.
        players: by player.
        worth: of the exchange; None if it was not asked for.
    """

    name: str
    table: Table
    deals: int
    stays_first: Share
    stays_last: Share
    transitions: NDArray[np.int64]
    measures: dict[str, Mean | None]
    revolution: Share
    leader_first: Share
    fell: Share
    forbidden: Share
    swapped: Share
    players: tuple[PlayerReport, ...]
    worth: WorthReport | None

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        shares = ("stays_first", "stays_last", "revolution", "leader_first", "fell", "forbidden", "swapped")
        return {
            "name": self.name,
            "rules": self.table.rules.to_json(),
            "players": [
                {
                    "player": player.name,
                    "place": _json(player.place),
                    "score": _json(player.score),
                    "first": player.first.to_json(),
                    "last": player.last.to_json(),
                }
                for player in self.players
            ],
            "deals": self.deals,
            **{name: getattr(self, name).to_json() for name in shares},
            "transitions": self.transitions.tolist(),
            **{name: _json(mean) for name, mean in self.measures.items()},
            "worth": None if self.worth is None else _worth_json(self.worth),
        }


@dataclass(frozen=True)
class Difference:
    """How the second of two tables differs from the first on the same deals.

    Attributes:
        names: of both.
        measures: mean differences of ``MEASURES``, of the shares ``stays_first``, ``stays_last`` and ``leader_first``,
            and of the score of each player (``score 1`` and so on).
    """

    names: tuple[str, str]
    measures: dict[str, Mean]

    def to_json(self) -> dict[str, Any]:
        """The differences as JSON values."""
        return {"tables": list(self.names), **{name: mean.to_json() for name, mean in self.measures.items()}}


@dataclass(frozen=True)
class Strength:
    """How much better one player is than another, from matches with changed seats.

    Attributes:
        weak, strong: their names.
        deals: of each of the two tables.
        place: how many places better ``strong`` ended on average.
        score: how much more it scored a deal.
    """

    weak: str
    strong: str
    deals: int
    place: Mean
    score: Mean

    def to_json(self) -> dict[str, Any]:
        """The comparison as JSON values."""
        return {
            "weak": self.weak,
            "strong": self.strong,
            "deals": self.deals,
            "place": self.place.to_json(),
            "score": self.score.to_json(),
        }


def _json(mean: Mean | None) -> dict[str, Any] | None:
    return None if mean is None else mean.to_json()


def _worth_json(worth: WorthReport) -> dict[str, Any]:
    names = ("first_place", "first_score", "last_place", "last_score")
    return {"deals": worth.deals, **{name: getattr(worth, name).to_json() for name in names}}


def _mean(values: NDArray[Any], matches: NDArray[np.int64]) -> Mean | None:
    """The mean of some values, each of a deal of a match."""
    if not len(values):
        return None
    counts = np.bincount(matches)
    held = counts > 0
    return clustered_mean(np.bincount(matches, weights=values)[held], counts[held])


def _sure(mean: Mean | None) -> Mean:
    assert mean is not None
    return mean


def _share(hits: NDArray[np.bool_]) -> Share:
    return share_of(int(hits.sum()), len(hits))


def table_report(name: str, table: Table, records: Records) -> TableReport:
    """What the first deals of a table show: ``DEAL``, shape (deals,)."""
    players, rounds = len(table.players), table.rules.rounds
    matches = np.arange(len(records)) // rounds
    places, before = records["places"][:, :players], records["before"][:, :players]
    later = before[:, 0] != NONE
    transitions = np.zeros((players, players), dtype=np.int64)
    np.add.at(transitions, (before[later].ravel(), places[later].ravel()), 1)
    points = scores_of(records, table.rules, players)
    return TableReport(
        name=name,
        table=table,
        deals=len(records),
        stays_first=_share(stays(records, players, 0)[later]),
        stays_last=_share(stays(records, players, players - 1)[later]),
        transitions=transitions,
        measures={measure: _mean(records[measure], matches) for measure in MEASURES},
        revolution=_share(records["revolutions"] > 0),
        leader_first=_share(_leader_first(records)),
        fell=_share(records["fell"] > 0),
        forbidden=_share(records["forbidden"] > 0),
        swapped=_share(records["swapped"][later] > 0),
        players=tuple(
            PlayerReport(
                player,
                _mean(places[:, place] + 1.0, matches),
                _mean(points[:, place], matches),
                _share(places[:, place] == 0),
                _share(places[:, place] == players - 1),
            )
            for place, player in enumerate(table.players)
        ),
        worth=_worth(records, table, matches),
    )


def stays(records: Records, players: int, place: int) -> NDArray[np.bool_]:
    """In which deals who had a place before ends there again; never in a match's first."""
    hits: NDArray[np.bool_] = ((records["before"] == place) & (records["places"] == place))[:, :players].any(axis=1)
    return hits


def _leader_first(records: Records) -> NDArray[np.bool_]:
    hits: NDArray[np.bool_] = records["places"][np.arange(len(records)), records["leader"]] == 0
    return hits


def _worth(records: Records, table: Table, matches: NDArray[np.int64]) -> WorthReport | None:
    players = len(table.players)
    both = records["without"][:, 0] != NONE
    if not both.any():
        return None
    points = scores_of(records, table.rules, players)[both]
    other = records[both].copy()
    other["places"] = other["without"]
    other_points = scores_of(other, table.rules, players)
    found = []
    for former in (0, players - 1):
        who = np.argmax(records["before"][both][:, :players] == former, axis=1)
        rows = np.arange(len(who))
        better = records["without"][both][rows, who].astype(np.int64) - records["places"][both][rows, who]
        found.append(_sure(_mean(better, matches[both])))
        found.append(_sure(_mean(points[rows, who] - other_points[rows, who], matches[both])))
    return WorthReport(int(both.sum()), *found)


def difference(names: tuple[str, str], tables: tuple[Table, Table], records: tuple[Records, Records]) -> Difference:
    """How two tables of the same number of players differ, deal by deal."""
    players = len(tables[0].players)
    matches = np.arange(len(records[0])) // tables[0].rules.rounds
    measures = {}

    def compare(name: str, values: list[NDArray[Any]], where: NDArray[np.bool_] | None = None) -> None:
        both = np.ones(len(matches), dtype=np.bool_) if where is None else where
        if both.any():
            change = values[1].astype(np.float64) - values[0].astype(np.float64)
            measures[name] = _sure(_mean(change[both], matches[both]))

    for measure in MEASURES:
        compare(measure, [part[measure] for part in records])
    later = records[0]["before"][:, 0] != NONE
    for name, place in (("stays_first", 0), ("stays_last", players - 1)):
        compare(name, [stays(part, players, place) for part in records], later)
    compare("leader_first", [_leader_first(part) for part in records])
    points = [scores_of(part, table.rules, players) for part, table in zip(records, tables, strict=True)]
    for player in range(players):
        compare(f"score {player + 1}", [part[:, player] for part in points])
    return Difference(names, measures)


def strength(weak: str, strong: str, tables: tuple[Table, Table], records: tuple[Records, Records]) -> Strength:
    """How much better one player is, from the two tables that ``survey.strength_tables`` makes for a pair."""
    players, rules = len(tables[0].players), tables[0].rules
    matches = np.arange(len(records[0])) // rules.rounds
    places: dict[str, list[NDArray[Any]]] = {weak: [], strong: []}
    points: dict[str, list[NDArray[Any]]] = {weak: [], strong: []}
    for table, part in zip(tables, records, strict=True):
        scored = scores_of(part, rules, players)
        for seat, name in enumerate(table.players):
            places[name].append(part["places"][:, seat])
            points[name].append(scored[:, seat])
    better = np.mean(places[weak], axis=0) - np.mean(places[strong], axis=0)
    more = np.mean(points[strong], axis=0) - np.mean(points[weak], axis=0)
    return Strength(weak, strong, len(matches), _sure(_mean(better, matches)), _sure(_mean(more, matches)))


def report(store: Store, survey: Survey, deals: int) -> tuple[TableReport, ...]:
    """What the first deals of each table of a survey show."""
    return tuple(table_report(name, table, read_deals(store, name, deals)) for name, table in survey.tables.items())


def difference_report(store: Store, survey: Survey, deals: int) -> Difference:
    """How the second table of a survey differs from the first."""
    (one, first), (two, second) = list(survey.tables.items())[:2]
    records = read_deals(store, one, deals), read_deals(store, two, deals)
    return difference((one, two), (first, second), records)


def strength_report(store: Store, survey: Survey, deals: int) -> tuple[Strength, ...]:
    """How the players of ``survey.strength_tables`` compare, each with the next."""
    return tuple(strength(*rung) for rung in rungs(survey, lambda part: read_deals(store, part, deals)))
