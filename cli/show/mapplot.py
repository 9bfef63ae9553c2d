"""The figure of a tablebase: what the plain falls into, and how far each goal is."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from cli.show.plot import FAINT, INK, METADATA, SETTINGS
from solver.xiangshifu.tablebase import ComponentInfo as Part
from solver.xiangshifu.tablebase import Info

BAR = "#0072B2"

GIANT = 0.001
"""Share of the positions from which on a component is drawn by itself."""


def write_map(info: Info, path: Path) -> None:
    """Draw what is known of a tablebase to an SVG or PNG file, by its suffix.

    Above, the components by their bonds; below, for each goal whose distances are
    built, how many positions are at each distance, on a logarithmic scale of grey.
    """
    rows = [(goal, known.by_distance) for goal, known in info.goals.items() if known.by_distance]
    with matplotlib.rc_context(SETTINGS):
        ratios = [0.24 * (len(_giants(info)) + 1) + 0.5, 0.24 * len(rows) + 0.5]
        figure = Figure(figsize=(8.0, 0.6 + ratios[0] + (ratios[1] if rows else 0)), layout="constrained")
        axes = figure.subplots(2 if rows else 1, 1, squeeze=False, height_ratios=ratios if rows else None)[:, 0]
        _draw_components(axes[0], info)
        if rows:
            _draw_distances(figure, axes[1], rows)
        figure.supxlabel(_caption(info, bool(rows)), fontsize=8, x=0.01, ha="left", color=INK)
        figure.savefig(path, format=path.suffix[1:], dpi=200, metadata=METADATA[path.suffix])


def _draw_components(axes: Any, info: Info) -> None:
    giants = _giants(info)
    names = [" ".join(part.bonds) or "no bond" for part in giants] + [f"{info.components - len(giants):,} others"]
    sizes = [part.size for part in giants]
    sizes.append(info.positions - sum(sizes))
    axes.barh(range(len(sizes)), sizes, height=0.7, color=[BAR] * len(giants) + [FAINT])
    for row, size in enumerate(sizes):
        share = f"{size:,} ({100 * size / info.positions:.2g} %)"
        axes.text(1.1 * max(size, 1), row, share, va="center", fontsize=7, color=INK)
    axes.set_xscale("log")
    axes.set_xlim(max(1, min(sizes) // 10), 12 * info.positions)
    axes.set_yticks(range(len(sizes)), names, fontsize=8)
    axes.set_ylim(len(sizes) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("positions of a component (log scale)")


def _giants(info: Info) -> list[Part]:
    return [part for part in info.largest if part.size >= GIANT * info.positions]


def _draw_distances(figure: Figure, axes: Any, rows: list[tuple[str, tuple[int, ...]]]) -> None:
    widest = max(len(counts) for _, counts in rows)
    grid = np.full((len(rows), widest), np.nan)
    for row, (_, counts) in enumerate(rows):
        grid[row, : len(counts)] = counts
    shown = axes.imshow(grid, aspect="auto", cmap="viridis", norm=LogNorm(vmin=1), interpolation="nearest")
    for row, (_, counts) in enumerate(rows):
        axes.text(len(counts), row, str(len(counts) - 1), va="center", fontsize=7, color=INK)
    axes.set_yticks(range(len(rows)), [goal for goal, _ in rows], fontsize=8)
    axes.set_xlim(-0.5, widest + 2)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("plain moves to the goal; the number of the farthest position beside each row")
    axes.tick_params(axis="y", length=0)
    figure.colorbar(shown, ax=axes, label="positions", fraction=0.04, pad=0.01)


def _caption(info: Info, with_goals: bool) -> str:
    words = [
        f"Rules {info.rules.id}, layout {info.layout.name}: {info.positions:,} valid positions in {info.components:,} "
        "components. Above: the largest components and the bonds that all their positions have; grey: all others."
    ]
    if with_goals:
        words.append("Below: how many positions are how far from each goal.")
    return "\n".join(textwrap.wrap(" ".join(words), 125))
