"""The report of a survey of goals as text, as comma-separated values, and as a figure."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cli.show.report import bars
from cli.show.style import COLUMNS, Style, counted
from cli.show.table import decimals, percent, span, table
from solver.xiangshifu.goalreport import GoalReport, GoalShare, GoalsOfRules

SHARE, INTERVAL, INK, FAINT = "#0072B2", "#D55E00", "#222222", "#BBBBBB"
"""Blue and vermillion of Okabe and Ito's palette, which every kind of colour vision tells apart."""

ROW, MARGINS = 0.22, 1.5
"""Inches of height of a bar, and of everything else of a rule set."""


def describe_goal_report(found: GoalReport, style: Style) -> str:
    """The report as paragraphs, a table for each rule set."""
    survey = found.survey
    what = "all goals" if survey.goal == "all" else f"goal {survey.goal}"
    head = f"Survey of random deals: seed {survey.seed}, layout {survey.layout}, {what}"
    blocks = [style.bold(head)]
    blocks += ["\n".join(_facts(part, style)) for part in found.rules]
    return "\n\n".join(blocks)


def _facts(part: GoalsOfRules, style: Style) -> Iterable[str]:
    yield f"{style.bold(part.rules.id)}: {counted(part.deals, 'deal')}"
    if not part.deals:
        return
    head = ("goal", "winnable", "unwinnable", "undecided", "winnable %", "95 % interval")
    yield from (f"  {line}" for line in table([head, *map(_row, part.goals)], "<>>>.>"))
    if part.undecided:
        yield from textwrap.wrap(
            "Undecided deals count as not winnable here; if all of them were winnable, the shares would be: "
            + ", ".join(_at_most(share) for share in part.goals if share.undecided)
            + ".",
            COLUMNS,
            initial_indent="  ",
            subsequent_indent="  ",
            break_on_hyphens=False,
        )
    if part.reached:
        yield from _reached(part.reached, style)


def _row(share: GoalShare) -> tuple[str, ...]:
    interval = share.winnable.wilson
    digits = decimals(interval)
    return (
        share.goal,
        f"{share.winnable.hits:,}",
        f"{share.unwinnable:,}",
        f"{share.undecided:,}",
        percent(share.winnable.share, digits),
        span(interval.low, interval.high, digits),
    )


def _at_most(share: GoalShare) -> str:
    return f"{share.goal} {percent(share.most, decimals(share.winnable.wilson))} %".replace(" ", "\N{NO-BREAK SPACE}")


def _reached(reached: dict[int, int], style: Style) -> Iterable[str]:
    """How many goals deals can reach."""
    least, most = min(reached), max(reached)
    deals = sum(reached.values())
    mean = sum(goals * held for goals, held in reached.items()) / deals
    counts = [reached.get(goals, 0) for goals in range(least, most + 1)]
    yield f"  Goals that a deal can reach: mean {mean:.2f}, from {least} to {most}"
    yield f"  {least} {bars(counts, style)} {most}"


def goal_report_csv(found: GoalReport) -> str:
    """The report as comma-separated values, one row a rule set and goal."""
    out = io.StringIO()
    rows = [_csv_row(found, part, share) for part in found.rules for share in part.goals]
    writer = csv.DictWriter(out, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _csv_row(found: GoalReport, part: GoalsOfRules, share: GoalShare) -> dict[str, object]:
    survey = found.survey
    about = {"rules": part.rules.id, "seed": survey.seed, "layout": survey.layout, "goal": share.goal}
    return {**about, **share.to_json()}


def write_goal_plot(found: GoalReport, path: Path) -> None:
    """Draw the share of winnable deals of each goal, with its 95 % Wilson interval, to an SVG or PNG file.

    Raises:
        ImportError: there is no matplotlib.
    """
    import matplotlib

    from cli.show.plot import METADATA, SETTINGS

    with matplotlib.rc_context(SETTINGS):
        _figure(found).savefig(path, format=path.suffix[1:], dpi=200, metadata=METADATA[path.suffix])


def _figure(found: GoalReport) -> Any:
    from matplotlib.figure import Figure

    rows = len(found.rules[0].goals)
    figure = Figure(figsize=(6.5, (MARGINS + ROW * rows) * len(found.rules)), layout="constrained")
    for axes, part in zip(figure.subplots(len(found.rules), 1, squeeze=False)[:, 0], found.rules, strict=True):
        _draw_shares(axes, part)
    figure.supxlabel(_caption(found), fontsize=8, x=0.01, ha="left", color=INK)
    return figure


def _draw_shares(axes: Any, part: GoalsOfRules) -> None:
    """A bar for each goal; fainter what its undecided deals could add."""
    for row, share in enumerate(part.goals):
        if share.winnable.share is None:
            continue
        low, high = share.winnable.wilson.low, share.winnable.wilson.high
        axes.barh([row], [share.most], color=FAINT, height=0.7)
        axes.barh([row], [share.winnable.share], color=SHARE, height=0.7)
        axes.plot([low, high], [row, row], color=INTERVAL, linewidth=1.6, solid_capstyle="butt")
        text = f"{percent(share.winnable.share, decimals(share.winnable.wilson))} %"
        axes.text(1.02, row, text, ha="left", va="center", color=INK, fontsize=8)
    axes.set_xlim(0, 1)
    axes.set_ylim(len(part.goals) - 0.4, -0.6)
    axes.set_yticks(range(len(part.goals)), [share.goal for share in part.goals])
    axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
    axes.set_xlabel("winnable deals")
    axes.set_title(f"{part.rules.id}, n = {part.deals:,}", fontsize=9, loc="left")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=FAINT, linewidth=0.5)
    axes.set_axisbelow(True)


def _caption(found: GoalReport) -> str:
    survey = found.survey
    words = [f"Random deals of seed {survey.seed}, layout {survey.layout}. Lines: 95 % Wilson intervals."]
    if any(part.undecided for part in found.rules):
        words.append("Grey: what undecided deals could add.")
    return "\n".join(textwrap.wrap(" ".join(words), 100))
