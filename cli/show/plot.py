"""The figure of a survey: how many deals are lost under each rule set, and how long solutions are."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from cli.show.table import decimals, percent
from solver.statistics import Interval
from solver.xiangshifu.report import Report, RulesReport

LOSS, LENGTH, INK, FAINT = "#D55E00", "#0072B2", "#222222", "#BBBBBB"
"""Vermillion and blue of Okabe and Ito's palette, which every kind of colour vision tells apart."""

SETTINGS: dict[Any, Any] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "xiangshifu",
}
"""Text in an SVG stays text, and the same report always gives the same file."""

ROW, MARGINS = 0.42, 1.75
"""Inches of height of a rule set, and of everything else."""

ROOM = 0.85
"""Share of a row's height that the tallest bar fills."""

METADATA: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".png": {"Software": None}}
FORMATS = tuple(METADATA)


def write_plot(found: Report, path: Path) -> None:
    """Draw a report to an SVG or PNG file, by its suffix, one of ``FORMATS``.

    The left side has a dot for the share of unwinnable deals of each rule set and a bar for its 95 % Wilson interval,
    on a logarithmic axis since remedies bring it down by powers of ten. Where no loss was seen an arrow starts at the
    upper end of the interval. The right side has the distribution of shortest lengths, if the survey has them.
    """
    parts = [part for part in found.rules if part.deals]
    with matplotlib.rc_context(SETTINGS):
        figure = _figure(found, parts)
        figure.savefig(path, format=path.suffix[1:], dpi=200, metadata=METADATA[path.suffix])


def _figure(found: Report, parts: list[RulesReport]) -> Figure:
    with_lengths = any(part.lengths for part in parts)
    figure = Figure(figsize=(8.0 if with_lengths else 6.0, MARGINS + ROW * max(len(parts), 2)), layout="constrained")
    columns = figure.subplots(1, 2 if with_lengths else 1, squeeze=False, width_ratios=[1, 1.1][: 1 + with_lengths])[0]
    _draw_losses(columns[0], parts)
    if with_lengths:
        _draw_lengths(columns[1], parts)
    figure.supxlabel(_caption(found, parts), fontsize=8, x=0.01, ha="left", color=INK)
    return figure


def _draw_losses(axes: Any, parts: list[RulesReport]) -> None:
    for row, part in enumerate(parts):
        lost = part.unwinnable
        low, high = lost.wilson.low, lost.wilson.high
        if lost.hits:
            axes.plot([low, high], [row, row], color=LOSS, linewidth=1.6, solid_capstyle="butt")
            axes.plot([lost.share], [row], marker="o", color=LOSS, markersize=5)
            share = f"{percent(lost.share, decimals(lost.wilson))} %"
            axes.text(lost.share, row - 0.16, share, ha="center", va="bottom", color=INK, fontsize=8)
        else:
            axes.plot([high], [row], marker="|", color=LOSS, markersize=8)
            axes.annotate(
                "", (high / 3, row), (high, row), arrowprops={"arrowstyle": "->", "color": LOSS, "linewidth": 1.2}
            )
    axes.set_xscale("log")
    axes.set_xlim(*_decades(parts))
    axes.xaxis.set_major_locator(LogLocator(base=10))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:g} %"))
    axes.set_xlabel("unwinnable deals (log scale)")
    axes.grid(axis="x", color=FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    _name_rows(axes, parts)


def _decades(parts: list[RulesReport]) -> tuple[float, float]:
    """Limits of the axis of losses: around all intervals."""
    intervals: list[Interval] = [part.unwinnable.wilson for part in parts]
    if not intervals:
        return 1e-3, 1.0
    lowest = min(interval.low if interval.low > 0 else interval.high / 4 for interval in intervals)
    highest = max(interval.high for interval in intervals)
    return lowest / 1.5, min(highest * 1.5, 1.2)


def _name_rows(axes: Any, parts: list[RulesReport]) -> None:
    axes.set_ylim(len(parts) - 0.4, -0.75)
    axes.yaxis.set_major_locator(FixedLocator(range(len(parts))))
    axes.set_yticklabels([part.rules.id for part in parts])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _draw_lengths(axes: Any, parts: list[RulesReport]) -> None:
    """A row of bars for each rule set, all on one scale, on a line from the least to the greatest length."""
    tallest = max((count / sum(_counts(part)) for part in parts for count in _counts(part)), default=1.0)
    for row, part in enumerate(parts):
        if not part.lengths or part.length is None:
            continue
        total = sum(part.lengths.values())
        heights = [-ROOM * count / total / tallest for count in part.lengths.values()]
        base = row + 0.3
        axes.bar(list(part.lengths), heights, bottom=base, width=0.8, color=LENGTH)
        axes.plot([min(part.lengths) - 0.4, max(part.lengths) + 0.4], [base, base], color=LENGTH, linewidth=0.8)
        axes.plot([part.length.mean], [base + 0.07], marker="^", color=INK, markersize=4, clip_on=False)
        axes.text(1.0, base, f"{part.length.mean:.2f}", transform=axes.get_yaxis_transform(), ha="right", color=INK)
    axes.text(1.0, -0.62, "mean", transform=axes.get_yaxis_transform(), ha="right", va="bottom", color=INK, fontsize=8)
    axes.set_xlim(0, 1.12 * max(max(part.lengths) for part in parts if part.lengths) + 2)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("moves of a shortest solution")
    axes.set_ylim(len(parts) - 0.4, -0.75)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)


def _counts(part: RulesReport) -> list[int]:
    return list(part.lengths.values()) if part.lengths else []


def _caption(found: Report, parts: list[RulesReport]) -> str:
    survey = found.survey
    numbers = sorted({part.deals for part in parts})
    deals = f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} to {numbers[-1]:,}" if numbers else "no"
    words = [
        f"n = {deals} random deals for each rule set (seed {survey.seed}, layout {survey.layout}, goal {survey.goal}).",
        "Bars: 95 % Wilson intervals.",
    ]
    if undecided := sum(part.undecided for part in parts):
        words.append(f"{undecided:,} deals stayed undecided and count as not lost.")
    if not all(part.unwinnable.hits for part in parts):
        words.append("Arrows: no loss was seen, the mark is the upper end of the interval.")
    if any(part.lengths for part in parts):
        words.append(
            "Right: shares of the winnable deals, from the least to the greatest length; triangles at the means."
        )
    return "\n".join(textwrap.wrap(" ".join(words), 130 if any(part.lengths for part in parts) else 95))
