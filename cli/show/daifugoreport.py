"""Surveys of Daifugō as text: how deals went at each table, how two tables differ, who is stronger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cli.show.style import Style, counted
from cli.show.table import decimals, percent, span, table
from solver.daifugo.exchange import title
from solver.daifugo.report import Difference, Strength, TableReport, WorthReport
from solver.daifugo.survey import Survey
from solver.statistics import Interval, Mean, Share

LABEL = 15
"""Columns of the words in front of a fact."""

MEASURE_NAMES = {
    "plays": "plays a deal",
    "passes": "passes a deal",
    "tricks": "tricks a deal",
    "revolutions": "revolutions a deal",
    "stays_first": "first stays first",
    "stays_last": "last stays last",
    "leader_first": "leader ends first",
}


def describe_tables(survey: Survey, tables: Sequence[TableReport], difference: Difference | None, style: Style) -> str:
    """The report of ``xsf daifugo simulate`` as paragraphs."""
    deals = tables[0].deals
    head = f"Daifugō: {counted(deals, 'deal')} of seed {survey.seed}, in matches of {survey.rounds:,}"
    blocks = [style.bold(_plain(head, style))]
    blocks += ["\n".join(_table(found, style)) for found in tables]
    if difference is not None:
        blocks.append("\n".join(_difference(tables, difference, style)))
    return "\n\n".join(blocks)


def _plain(text: str, style: Style) -> str:
    return text.replace("ō", "o").replace("ū", "u") if style.ascii else text


def _table(found: TableReport, style: Style) -> list[str]:
    lines = [style.bold(found.name), *_indented(_players(found))]
    lines += [f"  {label:<{LABEL}}{text}" for label, text in _facts(found)]
    if found.stays_first.trials:
        lines += ["", *_indented(_transitions(found, style))]
    return lines


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _players(found: TableReport) -> list[str]:
    rows = [("", "player", "first %", "last %", "mean place", "95 % interval", "mean score", "95 % interval")]
    for number, player in enumerate(found.players, 1):
        rows.append(
            (
                str(number),
                player.name,
                percent(player.first.share, 2),
                percent(player.last.share, 2),
                *_mean_cells(player.place),
                *_mean_cells(player.score),
            )
        )
    return table(rows, ">< >> .> .>".replace(" ", ""))


def _places(interval: Interval | None) -> int:
    """How many decimals a number with an interval is written with."""
    return 3 if interval is None else max(2, decimals(Interval(interval.low / 100, interval.high / 100)))


def _mean_cells(mean: Mean | None, *, sign: bool = False) -> tuple[str, str]:
    if mean is None:
        return "-", ""
    digits = min(4, _places(mean.interval))
    form = f"{'+' if sign else ''}.{digits}f"
    if mean.interval is None:
        return f"{mean.mean:{form}}", ""
    return f"{mean.mean:{form}}", f"{mean.interval.low:{form}} to {mean.interval.high:{form}}"


def _with_interval(mean: Mean | None, *, sign: bool = False) -> str:
    value, interval = _mean_cells(mean, sign=sign)
    return f"{value} ({interval})" if interval else value


def _share(share: Share) -> str:
    digits = decimals(share.wilson)
    return f"{percent(share.share, digits)} % ({span(share.wilson.low, share.wilson.high, digits)})"


def _facts(found: TableReport) -> Iterable[tuple[str, str]]:
    measures = found.measures
    if found.stays_first.trials:
        yield "stays first", f"{_share(found.stays_first)}; by chance {100 / len(found.players):.2f} %"
        yield "stays last", _share(found.stays_last)
    yield "a deal", f"{_with_interval(measures['plays'])} plays, {_with_interval(measures['passes'])} passes"
    yield "", f"{_with_interval(measures['tricks'])} tricks"
    revolutions = (
        f"{_with_interval(measures['revolutions'])} a deal; at least one in {_share(found.revolution)} of deals"
    )
    yield "revolutions", revolutions if found.revolution.hits else "none"
    yield "leader", f"ends first in {_share(found.leader_first)}"
    if found.fell.hits:
        yield "fallen", f"a first in {_share(found.fell)} of deals"
    if found.forbidden.hits:
        yield "forbidden", f"somebody went out in a forbidden way in {_share(found.forbidden)} of deals"
    if found.swapped.hits:
        yield "swapped", f"jokers swapped the titles in {_share(found.swapped)} of deals"
    if found.worth is not None:
        yield from _worth(found.worth)


def _worth(worth: WorthReport) -> Iterable[tuple[str, str]]:
    yield "exchange", f"on the same {counted(worth.deals, 'deal')}, with it rather than without,"
    for who, place, score in (
        ("first", worth.first_place, worth.first_score),
        ("last", worth.last_place, worth.last_score),
    ):
        moves = _with_interval(place, sign=True)
        yield "", f"the former {who} ends {moves} places higher and scores {_with_interval(score, sign=True)}"


def _transitions(found: TableReport, style: Style) -> list[str]:
    players = len(found.players)
    rows = [("then % (from, to)", *(str(place) for place in range(1, players + 1)))]
    for place, counts in enumerate(found.transitions.tolist()):
        total = sum(counts)
        name = _plain(f"{place + 1} {title(place, players)}", style)
        rows.append((name, *(percent(count / total if total else None, 2) for count in counts)))
    return table(rows, "<" + "." * players)


def _difference(tables: Sequence[TableReport], found: Difference, style: Style) -> list[str]:
    rows = [("", "difference", "95 % interval")]
    for name, mean in found.measures.items():
        rows.append((MEASURE_NAMES.get(name, f"{name.replace('score ', 'score of player ')}"), *_cells(name, mean)))
    return [style.bold(f"{found.names[1]}, less {found.names[0]}, on the same deals"), *_indented(table(rows, "<.>"))]


def _cells(name: str, mean: Mean) -> tuple[str, str]:
    if name in ("stays_first", "stays_last", "leader_first"):
        if mean.interval is None:
            return f"{percent(mean.mean, 2, sign=True)} %", ""
        digits = decimals(mean.interval)
        interval = span(mean.interval.low, mean.interval.high, digits, sign=True)
        return f"{percent(mean.mean, digits, sign=True)} %", interval
    return _mean_cells(mean, sign=True)


def describe_strength(survey: Survey, found: Sequence[Strength], style: Style) -> str:
    """The report of ``xsf daifugo strength``."""
    rules = next(iter(survey.tables.values())).rules
    head = f"Daifugō, {rules.id}: each player and the next, {counted(found[0].deals, 'deal')} of seed {survey.seed}"
    rows = [("stronger", "weaker", "places better", "95 % interval", "score a deal", "95 % interval")]
    for pair in found:
        cells = (*_mean_cells(pair.place, sign=True), *_mean_cells(pair.score, sign=True))
        rows.append((pair.strong, pair.weak, *cells))
    note = "Each played every hand once: both sit alternately, and again with seats changed."
    return "\n".join([style.bold(_plain(head, style)), "", *table(rows, "<<.>.>"), "", note])
