"""Tables of text, and how shares are written."""

from __future__ import annotations

import math
from collections.abc import Sequence

from solver.statistics import Interval

GAP = 2


def table(rows: Sequence[Sequence[str]], alignment: str, *, gap: int = GAP) -> list[str]:
    """Lines of a table.

    Args:
        rows: cells, each row with one for every column; the first row is the head.
        alignment: a character a column: ``<`` left, ``>`` right, ``.`` on the decimal point of all rows but the head.
        gap: blanks between columns.
    """
    columns = [_column(cells, align) for cells, align in zip(zip(*rows, strict=True), alignment, strict=True)]
    return [(" " * gap).join(cells).rstrip() for cells in zip(*columns, strict=True)]


def _column(cells: tuple[str, ...], align: str) -> list[str]:
    head, *body = cells
    if align == ".":
        whole = max((len(cell.partition(".")[0]) for cell in body), default=0)
        body = [" " * (whole - len(cell.partition(".")[0])) + cell for cell in body]
        width = max(map(len, body), default=0)
        body = [cell.ljust(width) for cell in body]
        align = ">"
    width = max(map(len, (head, *body)))
    return [f"{cell:{align}{width}}" for cell in (head, *body)]


def decimals(interval: Interval) -> int:
    """How many decimals of a percentage an interval warrants: two digits of its width, but from 2 to 6."""
    width = 100 * (interval.high - interval.low)
    return min(6, max(2, 1 - math.floor(math.log10(width)))) if width > 0 else 6


def percent(share: float | None, digits: int, *, sign: bool = False) -> str:
    """A share as a percentage without its mark, ``-`` if there is none."""
    if share is None:
        return "-"
    return f"{100 * share:{'+' if sign else ''}.{digits}f}"


def span(low: float, high: float, digits: int, *, sign: bool = False) -> str:
    """An interval of shares as percentages: ``92.73 to 93.72``."""
    return f"{percent(low, digits, sign=sign)} to {percent(high, digits, sign=sign)}"
