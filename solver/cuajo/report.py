"""What surveys of Cuajo come to: shares and means, each with its interval at 95 %."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.cuajo.deals import Table
from solver.cuajo.odds import dealt_hands
from solver.cuajo.rules import DEALT, HAND, PLAYERS
from solver.cuajo.state import OTHERS_DRAW, OWN_DRAW, TAKEN
from solver.cuajo.survey import Survey, read_deals
from solver.statistics import Mean, Share, mean_of, share_of
from solver.store import Store
from solver.tablesurvey import rungs

Records = NDArray[np.void]

SHARES = (
    "draw",
    "own_draw",
    "others_draw",
    "discard",
    "porbis",
    "both_conditions",
    "bounit_condition",
    "sowee_condition",
    "no_condition",
    "purro",
    "broken",
    "broken_by_king",
    "secret",
    "dealer_wins",
)
"""What is told as a share. ``draw``, ``purro``, ``broken`` (in deals with purro: at least once), ``broken_by_king`` and
``secret`` count deals; the others won deals. Conditions are those met at last, in wins by neither own draw nor
porbis."""

MEANS = ("turns", "drawn", "takes", "first_purro", "purros", "breaks", "secrets", "each", "turned", "dealer_cents")
"""What is told as a mean a deal: turns, cards drawn, discards taken, the turn of the first purro (of deals with one),
how often purro was said and broken, secrets laid, cents each opponent paid (of won deals), cards turned (where
conditions mattered), and the cents of the dealer, whose partner shares neither gain nor loss."""


@dataclass(frozen=True)
class Dealt:
    """How dealt hands compare with their exact odds.

    Attributes:
        cards: of the hand.
        waste: the least waste: 0 is purro for 15 cards and complete for 16.
        exact: the probability.
        seen: the share in the deals.
    """

    cards: int
    waste: int
    exact: float
    seen: Share

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {"cards": self.cards, "waste": self.waste, "exact": self.exact, **_share_json(self.seen)}


@dataclass(frozen=True)
class TableReport:
    """What is known of a table.

    Attributes:
        name: of the table.
        table: its rules and players.
        deals: how many were played.
        shares: by ``SHARES``.
        means: by ``MEANS``; None where there is nothing to average.
        cents: mean cents a deal of each seat.
        dealer_worth: by how much more, in cents a deal, the dealer wins than the mean of the other three seats.
    """

    name: str
    table: Table
    deals: int
    shares: dict[str, Share]
    means: dict[str, Mean | None]
    cents: tuple[Mean | None, ...]
    dealer_worth: Mean | None

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "name": self.name,
            "rules": self.table.rules.to_json(),
            "players": [
                {"player": name, "cents": _mean_json(mean)}
                for name, mean in zip(self.table.players, self.cents, strict=True)
            ],
            "deals": self.deals,
            "shares": {name: _share_json(share) for name, share in self.shares.items()},
            "means": {name: _mean_json(mean) for name, mean in self.means.items()},
            "dealer_worth": _mean_json(self.dealer_worth),
        }


@dataclass(frozen=True)
class Difference:
    """How the second of two tables differs from the first on the same deals.

    Attributes:
        names: of both.
        means: mean differences of the measures of a deal.
    """

    names: tuple[str, str]
    means: dict[str, Mean | None]

    def to_json(self) -> dict[str, Any]:
        """The differences as JSON values."""
        return {"tables": list(self.names), **{name: _mean_json(mean) for name, mean in self.means.items()}}


@dataclass(frozen=True)
class Strength:
    """How much better one player is than another, from the same deals with changed seats.

    Attributes:
        weak, strong: their names.
        deals: of each of the two tables.
        wins: the share of all deals, at both tables, that ``strong`` won.
        losses: that ``weak`` won.
        cents: what ``strong`` wins a deal and player, on average of both tables.
    """

    weak: str
    strong: str
    deals: int
    wins: Mean | None
    losses: Mean | None
    cents: Mean | None

    def to_json(self) -> dict[str, Any]:
        """The comparison as JSON values."""
        return {
            "weak": self.weak,
            "strong": self.strong,
            "deals": self.deals,
            **{name: _mean_json(getattr(self, name)) for name in ("wins", "losses", "cents")},
        }


def _share_json(share: Share) -> dict[str, Any]:
    return {"hits": share.hits, "trials": share.trials, **share.to_json()}


def _mean_json(mean: Mean | None) -> dict[str, Any] | None:
    return None if mean is None else mean.to_json()


def _share(hits: NDArray[np.bool_]) -> Share:
    return share_of(int(hits.sum()), len(hits))


def _mean(values: NDArray[Any], parts: int = 1) -> Mean | None:
    """The mean of values that are whole numbers once multiplied by ``parts``."""
    whole = np.rint(values * parts).astype(np.int64)
    found, counts = np.unique(whole, return_counts=True)
    mean = mean_of(dict(zip(found.tolist(), counts.tolist(), strict=True)))
    return mean if mean is None or parts == 1 else _divided(mean, parts)


def _divided(mean: Mean, parts: int) -> Mean:
    error, interval = mean.error, mean.interval
    return Mean(
        mean.count,
        mean.mean / parts,
        None if error is None else error / parts,
        None if interval is None else type(interval)(interval.low / parts, interval.high / parts),
    )


def _dealer_cents(records: Records) -> NDArray[np.int64]:
    cents: NDArray[np.int64] = records["cents"][np.arange(len(records)), records["dealer"]].astype(np.int64)
    return cents


def table_report(name: str, table: Table, records: Records) -> TableReport:
    """What the deals of a table show: ``DEAL``, shape (deals,)."""
    won = records[records["winner"] >= 0]
    paid = won[(won["way"] != OWN_DRAW) & (won["porbis"] == 0)]
    said = records[records["purros"] > 0]
    cents = _dealer_cents(records)
    ways = (("own_draw", OWN_DRAW), ("others_draw", OTHERS_DRAW), ("discard", TAKEN))
    met = (("both_conditions", 3), ("bounit_condition", 1), ("sowee_condition", 2), ("no_condition", 0))
    shares = {
        "draw": _share(records["winner"] < 0),
        **{way: _share(won["way"] == code) for way, code in ways},
        "porbis": _share(won["porbis"] > 0),
        **{condition: _share(paid["conditions"] == bits) for condition, bits in met},
        "purro": _share(records["purros"] > 0),
        "broken": _share(said["breaks"] > 0),
        "broken_by_king": _share(said["king_breaks"] > 0),
        "secret": _share(records["secrets"] > 0),
        "dealer_wins": _share(won["winner"] == won["dealer"]),
    }
    of = {"first_purro": said, "each": won, "turned": paid}
    means = {measure: _mean(of.get(measure, records)[measure]) for measure in MEANS[:-1]}
    # Cents sum to 0, so the other three seats have -cents together: the worth is 4/3 of the dealer's cents.
    worth = _mean(4 * cents, 1)
    return TableReport(
        name=name,
        table=table,
        deals=len(records),
        shares=shares,
        means={**means, "dealer_cents": _mean(cents)},
        cents=tuple(_mean(records["cents"][:, seat]) for seat in range(PLAYERS)),
        dealer_worth=None if worth is None else _divided(worth, PLAYERS - 1),
    )


def difference(names: tuple[str, str], records: tuple[Records, Records]) -> Difference:
    """How two tables differ, deal by deal."""
    means = {}

    def compare(name: str, values: list[NDArray[Any]]) -> None:
        means[name] = _mean(values[1].astype(np.int64) - values[0].astype(np.int64))

    for measure in ("turns", "drawn", "takes", "purros", "breaks", "secrets", "each"):
        compare(measure, [part[measure] for part in records])
    compare("draw", [part["winner"] < 0 for part in records])
    compare("porbis", [part["porbis"] > 0 for part in records])
    compare("dealer_cents", [_dealer_cents(part) for part in records])
    return Difference(names, means)


def strength(weak: str, strong: str, tables: tuple[Table, Table], records: tuple[Records, Records]) -> Strength:
    """How much better one player is, from the two tables that ``survey.strength_tables`` makes for a pair."""
    wins, losses, cents = (np.zeros(len(records[0]), dtype=np.int64) for _ in range(3))
    for table, part in zip(tables, records, strict=True):
        own = np.array([name == strong for name in table.players])
        winner = part["winner"]
        wins += (winner >= 0) & own[winner]
        losses += (winner >= 0) & ~own[winner]
        cents += part["cents"][:, own].sum(axis=1)
    # Two tables, and at each two players of a partnership.
    return Strength(weak, strong, len(cents), _mean(wins / 2, 2), _mean(losses / 2, 2), _mean(cents / 4, 4))


def dealt_report(records: Records, most: int = 4) -> tuple[Dealt, ...]:
    """How far dealt hands are from purro or complete, and how far they exactly should be."""
    is_dealer = np.arange(PLAYERS)[None, :] == records["dealer"][:, None]
    found = []
    for cards, which in ((DEALT, ~is_dealer), (HAND, is_dealer)):
        odds, wastes = dealt_hands(cards), records["wastes"][which]
        found += [Dealt(cards, waste, float(odds.share(waste)), _share(wastes == waste)) for waste in range(most + 1)]
    return tuple(found)


def report(store: Store, survey: Survey, deals: int) -> tuple[TableReport, ...]:
    """What the first deals of each table of a survey show."""
    return tuple(table_report(name, table, read_deals(store, name, deals)) for name, table in survey.tables.items())


def difference_report(store: Store, survey: Survey, deals: int) -> Difference:
    """How the second table of a survey differs from the first."""
    one, two = survey.parts[:2]
    return difference((one, two), (read_deals(store, one, deals), read_deals(store, two, deals)))


def strength_report(store: Store, survey: Survey, deals: int) -> tuple[Strength, ...]:
    """How the players of ``survey.strength_tables`` compare, each with the next."""
    return tuple(strength(*rung) for rung in rungs(survey, lambda part: read_deals(store, part, deals)))
