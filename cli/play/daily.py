"""The deal of the day: the same for everybody."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import lru_cache
from threading import Lock

from solver.xiangshifu.position import Deal, Layout
from solver.xiangshifu.rules import CLASSIC
from solver.xiangshifu.solve import Solver

LATEST = 400
"""How many are remembered."""

_one_at_a_time = Lock()


def today() -> date:
    """The day it is, by universal time."""
    return datetime.now(UTC).date()


def daily_seed(day: date) -> int:
    """The seed of a day's deals."""
    return int(day.strftime("%Y%m%d"))


def daily_deal(day: date, layout: Layout) -> tuple[Deal, int]:
    """The deal of a day and its number: the first of the day's seed that classic rules can win."""
    with _one_at_a_time:
        return _find(day, layout)


@lru_cache(maxsize=LATEST)
def _find(day: date, layout: Layout) -> tuple[Deal, int]:
    solver = Solver(CLASSIC, first=True)
    index = 0
    while True:
        deal = Deal.random(daily_seed(day), index, layout)
        if solver.solve(deal).verdict == "winnable":
            return deal, index
        index += 1
