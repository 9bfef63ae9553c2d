"""The comparison of remedies as text: three tables, and deals to look at."""

from __future__ import annotations

import textwrap

from cli.show.style import COLUMNS, Style, counted, listed
from cli.show.table import decimals, percent, table
from solver.statistics import Interval, Mean
from solver.xiangshifu.remedies import RemediesReport, Remedy, Triples
from solver.xiangshifu.remedysearch import REFERENCES, Scored, SearchReport

NARROW = 1


def describe_remedies(found: RemediesReport, style: Style) -> str:
    """What each rule set wins, what it changes in the rules, and what that does to the length of solutions."""
    survey = found.survey
    head = f"{found.deals:,} random deals under each rule set: seed {survey.seed}, layout {survey.layout}"
    blocks = [
        style.bold(head),
        _section(f"Winnable deals in %, and the difference to {found.baseline.id}", _shares(found), SHARES_NOTE, style),
    ]
    blocks.append(_section("Groups", _groups(found), GROUPS_NOTE, style))
    if any(remedy.comparison.length is not None for remedy in found.remedies):
        note = LENGTHS_NOTE.format(baseline=found.baseline.id)
        blocks.append(_section("Moves of a shortest solution", _lengths(found), note, style))
    if found.undecided:
        blocks.append(f"{counted(found.undecided, 'deal')} stayed undecided and count for no rule set.")
    if examples := _examples(found):
        blocks.append("\n".join([style.bold(f"Deals won and lost against {found.baseline.id}"), *examples]))
    return "\n\n".join(blocks)


SHARES_NOTE = (
    "Intervals at 95 %: Wilson's of a share, the adjusted Wald interval of a difference of paired shares. p: McNemar's "
    "exact test that the shares are equal."
)
GROUPS_NOTE = (
    "Triples: valid ones, and those new or gone, as kinds (counting copies). Dead: no exchange can repair the group; "
    "conditionally dead: none with a valid group can."
)
LENGTHS_NOTE = "All: every winnable deal. Both: those that {baseline} wins, too; then the moves they take there."


def _section(title: str, lines: list[str], note: str, style: Style) -> str:
    notes = [style.dim(line) for line in textwrap.wrap(note, COLUMNS)]
    return "\n".join([style.bold(title), *lines, *notes])


def _shares(found: RemediesReport) -> list[str]:
    rows: list[tuple[str, ...]] = [("", "share", "interval", "diff.", "interval", "p")]
    for remedy in found.remedies:
        share, difference = remedy.comparison.winnable, remedy.comparison.difference
        digits = decimals(share.wilson)
        row = (remedy.rules.id, percent(share.share, digits), _range(share.wilson, digits))
        if remedy.rules == found.baseline:
            rows.append((*row, "", "", ""))
            continue
        digits = decimals(difference.interval)
        shown = percent(difference.difference, digits, sign=True)
        rows.append((*row, shown, _range(difference.interval, digits), _p_value(difference.p_value)))
    return table(rows, "<.>.>>", gap=NARROW)


def _range(interval: Interval, digits: int) -> str:
    return f"{percent(interval.low, digits)}..{percent(interval.high, digits)}"


def _p_value(value: float) -> str:
    if value >= 0.001:
        return f"{value:.3f}"
    return f"{value:.0e}" if value >= 1e-99 else "<1e-99"


def _groups(found: RemediesReport) -> list[str]:
    rows: list[tuple[str, ...]] = [("", "triples", "new", "gone", "dead", "cond. dead")]
    for remedy in found.remedies:
        change = remedy.change
        counts = map(_triples, (change.valid, change.added, change.removed))
        condemned = change.groups
        rows.append((remedy.rules.id, *counts, str(len(condemned.dead)), str(len(condemned.conditionally_dead))))
    return table(rows, "<>>>>>")


def _triples(counted_triples: Triples) -> str:
    if counted_triples.kinds == 0:
        return "-"
    return f"{counted_triples.kinds} ({counted_triples.tiles})"


def _lengths(found: RemediesReport) -> list[str]:
    rows: list[tuple[str, ...]] = [("", "all", "both", found.baseline.id, "change", "interval")]
    for remedy in found.remedies:
        part = remedy.comparison
        row = (remedy.rules.id, _mean(part.length))
        if remedy.rules == found.baseline:
            rows.append((*row, "", "", "", ""))
        else:
            rows.append((*row, _mean(part.length_in_both), _mean(part.baseline_length), *_change(part.change)))
    return table(rows, "<>>>>>")


def _mean(mean: Mean | None) -> str:
    return "-" if mean is None else f"{mean.mean:.2f}"


def _change(change: Mean | None) -> tuple[str, str]:
    if change is None:
        return "-", "-"
    interval = change.interval
    return f"{change.mean:+.2f}", "-" if interval is None else f"{interval.low:.2f}..{interval.high:.2f}"


def _examples(found: RemediesReport) -> list[str]:
    lines = []
    for remedy in found.remedies[1:]:
        lines += textwrap.wrap(
            _example(remedy), COLUMNS, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )
    if lines:
        layout = "" if found.survey.layout == "ten" else f" --layout {found.survey.layout}"
        lines.append(f"To see such a deal:  xsf deal --seed {found.survey.seed}{layout} --index NUMBER")
    return lines


def _example(remedy: Remedy) -> str:
    part = remedy.comparison
    words = []
    for verb, count, deals in (
        ("wins", part.difference.gained, part.gained),
        ("loses", part.difference.lost, part.lost),
    ):
        examples = f" (such as {listed(map(str, deals))})" if deals else ""
        words.append(f"{verb} {count:,}{examples}")
    return f"{remedy.rules.id} {listed(words)}."


SEARCH_NOTE = (
    "*: no other one leaves no more groups, adds no more triples, wins no fewer deals, and is better in one of these. "
    "New: valid triples that classic doesn't have, as kinds (counting copies). From: threshold of the full fourteen. "
    "Ends: further patterns of six ends."
)


def describe_search(found: SearchReport, most: int, style: Style) -> str:
    """The best candidates that were tried on deals, and the very best as a rule file.

    Args:
        found: what was found.
        most: how many of the first by rank to show; those on the front and the references always are.
        style: colours and characters.
    """
    head = f"{found.candidates:,} changes of the classic rules; {len(found.scored)} tried on "
    head += f"{found.deals:,} random deals (seed {found.seed})"
    front = found.front()
    rows: list[tuple[str, ...]] = [("", "dead", "cond.", "new", "gone", "winnable %", "interval")]
    rows += [
        _search_row(one, one.rules.id in front)
        for place, one in enumerate(found.scored)
        if place < most or one.rules.id in front or one.change in REFERENCES
    ]
    best = [style.bold("The best, as a file for --rules"), found.best.change.toml().rstrip()]
    notes = [style.dim(line) for line in textwrap.wrap(SEARCH_NOTE, COLUMNS)]
    return "\n\n".join(["\n".join([style.bold(head), *table(rows, "<>>>>.>", gap=NARROW), *notes]), "\n".join(best)])


def _search_row(one: Scored, front: bool) -> tuple[str, ...]:
    digits = decimals(one.winnable.wilson)
    groups = one.effect.groups
    return (
        f"{'*' if front else ' '} {one.rules.id}",
        str(len(groups.dead)),
        str(len(groups.conditionally_dead)),
        _triples(one.effect.added),
        _triples(one.effect.removed),
        percent(one.winnable.share, digits),
        _range(one.winnable.wilson, digits),
    )
