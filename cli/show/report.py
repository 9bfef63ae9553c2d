"""A survey's report as text: an overview, then what is known of each rule set."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Iterable

from cli.show.style import COLUMNS, Style, counted, listed
from cli.show.table import decimals, percent, span, table
from solver.xiangshifu.report import HardDeal, Report, RulesReport

LABEL = 13
"""Columns of the word in front of a fact."""

UNBROKEN = "\N{NO-BREAK SPACE}"
"""Stands for a blank at which no line is broken."""

BARS, ASCII_BARS = " ▁▂▃▄▅▆▇█", " .:-=+*#@"


def describe_report(found: Report, style: Style) -> str:
    """The report as paragraphs of at most ``COLUMNS`` columns, if names of rule sets are not overly long."""
    survey = found.survey
    head = f"Survey of random deals: seed {survey.seed}, layout {survey.layout}, goal {survey.goal}"
    blocks = ["\n".join([style.bold(head), "", *_overview(found)])]
    blocks += ["\n".join(_facts(part, style)) for part in found.rules if part.deals]
    if any(part.hardest for part in found.rules):
        layout = "" if survey.layout == "ten" else f" --layout {survey.layout}"
        blocks.append(f"To see such a deal:  xsf deal --seed {survey.seed}{layout} --index NUMBER")
    return "\n\n".join(blocks)


def _overview(found: Report) -> list[str]:
    rows = [("rules", "deals", "winnable %", "95 % interval")]
    for part in found.rules:
        digits = decimals(part.winnable.wilson)
        interval = part.winnable.wilson
        share = percent(part.winnable.share, digits)
        rows.append((part.rules.id, f"{part.deals:,}", share, span(interval.low, interval.high, digits)))
    return table(rows, "<>.>")


def _facts(part: RulesReport, style: Style) -> list[str]:
    lines = [style.bold(part.rules.id)]
    for label, text in _labelled(part, style):
        margins = f"  {label:<{LABEL}}", " " * (LABEL + 2)
        wrapped = textwrap.wrap(
            text, COLUMNS, initial_indent=margins[0], subsequent_indent=margins[1], break_on_hyphens=False
        )
        lines += [line.replace(UNBROKEN, " ") for line in wrapped]
    return lines


def _labelled(part: RulesReport, style: Style) -> Iterable[tuple[str, str]]:
    """Facts and the words in front of them."""
    exact = part.winnable.exact
    digits = decimals(exact)
    yield "winnable", f"{part.winnable.hits:,}, exact interval {span(exact.low, exact.high, digits)} %"
    if part.undecided:
        yield "undecided", counted(part.undecided, "deal")
    lost = part.unwinnable
    if lost.hits:
        digits = decimals(lost.wilson)
        interval = span(lost.wilson.low, lost.wilson.high, digits)
        yield "unwinnable", f"{lost.hits:,}, {percent(lost.share, digits)} % ({interval}), proved by {_proofs(part)}"
    if part.dead_group.hits:
        digits = decimals(part.dead_group.wilson)
        interval = span(part.dead_group.wilson.low, part.dead_group.wilson.high, digits)
        yield "dead group", f"in {percent(part.dead_group.share, digits)} % of deals ({interval})"
    yield from _lengths(part, style)
    if part.expanded is not None:
        yield "expanded", _expanded(part)
    yield from _hardest(part)


def _proofs(part: RulesReport) -> str:
    kinds = sorted(part.losses.items(), key=lambda item: -item[1])
    return listed(f"{kind.replace('-', ' ')} {count:,}" for kind, count in kinds if count)


def _lengths(part: RulesReport, style: Style) -> Iterable[tuple[str, str]]:
    if not part.lengths or part.length is None:
        return
    least, most = min(part.lengths), max(part.lengths)
    mean = f"mean {part.length.mean:.2f}"
    if part.length.interval is not None:
        mean += f" ({part.length.interval.low:.2f} to {part.length.interval.high:.2f})"
    yield "lengths", f"{mean}, from {least} to {most} moves"
    counts = [part.lengths.get(length, 0) for length in range(least, most + 1)]
    yield "", f"{least} {bars(counts, style)} {most}"


def bars(counts: list[int], style: Style) -> str:
    """Numbers as a row of bars, one column each; whatever is not 0 shows."""
    levels = ASCII_BARS if style.ascii else BARS
    tallest = max(counts)
    heights = (-(-count * (len(levels) - 1) // tallest) for count in counts)
    return "".join(levels[height] for height in heights)


def _expanded(part: RulesReport) -> str:
    expanded = part.expanded
    assert expanded is not None
    words = [f"positions: mean {expanded.mean:,.1f}"]
    if expanded.median is not None:
        words.append(f"median {expanded.median:,}")
    if expanded.high is not None:
        words.append(f"99 % at most {expanded.high:,}")
    return ", ".join([*words, f"most {expanded.most:,}"])


HARDNESS = {
    "longest": "longest",
    "most-expanded": "hardest wins",
    "hardest-loss": "hard losses",
    "undecided": "undecided",
}


def _hardest(part: RulesReport) -> Iterable[tuple[str, str]]:
    for why, label in HARDNESS.items():
        chosen = [deal for deal in part.hardest if deal.why == why]
        if chosen:
            yield label, ", ".join(map(_hard_deal, chosen))


def _hard_deal(deal: HardDeal) -> str:
    measure = f"{deal.length} moves" if deal.why == "longest" else f"{deal.expanded:,}"
    return f"{measure} (deal {deal.index})".replace(" ", UNBROKEN)


def report_csv(found: Report) -> str:
    """The report as comma-separated values, one row a rule set."""
    out = io.StringIO()
    rows = [_csv_row(found, part) for part in found.rules]
    writer = csv.DictWriter(out, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _csv_row(found: Report, part: RulesReport) -> dict[str, object]:
    length, expanded = part.length, part.expanded
    return {
        "rules": part.rules.id,
        "seed": found.survey.seed,
        "layout": found.survey.layout,
        "goal": found.survey.goal,
        "deals": part.deals,
        "winnable": part.winnable.hits,
        "unwinnable": part.unwinnable.hits,
        "undecided": part.undecided,
        **part.winnable.to_json(),
        **{f"proof_{kind.replace('-', '_')}": count for kind, count in part.losses.items()},
        "mean_length": length and length.mean,
        "mean_length_error": length and length.error,
        "min_length": min(part.lengths) if part.lengths else None,
        "max_length": max(part.lengths) if part.lengths else None,
        "expanded_mean": expanded and expanded.mean,
        "expanded_median": expanded and expanded.median,
        "expanded_max": expanded and expanded.most,
    }
