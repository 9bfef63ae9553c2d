"""Hints in words: how far it is, and the best moves."""

from __future__ import annotations

import textwrap
from itertools import groupby

from cli.show.goal import goal_head
from cli.show.loss import explain_loss
from cli.show.solution import describe_undecided, move_lines
from cli.show.style import COLUMNS, Style, counted
from solver.xiangshifu.hints import Hint, Prospect


def describe_hint(hint: Hint, style: Style) -> str:
    """How far a position is from the goal, the best moves, and what comes of the others if that was asked for."""
    result = hint.result
    if result.verdict == "unwinnable":
        return explain_loss(result, style)
    if result.verdict == "undecided":
        return describe_undecided(result, style)
    lines = [style.bold(_distance(hint))]
    if hint.missed:
        good = "as good" if result.optimal else "as good, or better"
        missed = f"{counted(hint.missed, 'move')} could not be judged in the time given and may be {good}."
        lines += textwrap.wrap(missed, COLUMNS)
    if hint.prospects is not None:
        return "\n".join([*lines, *_all(hint.prospects, hint, style)])
    if hint.moves:
        lines += ["", _heading(hint), *move_lines(hint.moves, result.rules, style)]
    return "\n".join(lines)


def _distance(hint: Hint) -> str:
    result = hint.result
    length, bound = result.length or 0, result.lower_bound or 0
    if length == 0:
        return "All groups are valid: won." if result.goal == "any" else f"{goal_head(result.goal)}: won."
    if result.goal == "any":
        to_go = f"{counted(length, 'move')} to go"
    else:
        to_go = f"{goal_head(result.goal)}: {counted(length, 'move')} to go"
    if result.optimal:
        return f"{to_go}, the fewest possible."
    return f"{to_go} by the best solution known; no solution is shorter than {bound:,}."


def _heading(hint: Hint) -> str:
    best = "best" if hint.result.optimal else "best known"
    if len(hint.moves) == 1:
        return f"The {'only ' if hint.result.optimal and not hint.missed else ''}{best} move:"
    return f"The {len(hint.moves)} {best} moves:"


def _all(prospects: tuple[Prospect, ...], hint: Hint, style: Style) -> list[str]:
    """All moves, those together that lead to as much."""
    heading, *lines = move_lines([prospect.move for prospect in prospects], hint.result.rules, style)
    shown, place = ["", heading], 0
    for title, group in groupby(prospects, key=_title):
        count = len(list(group))
        shown += [f"{title}:", *lines[place : place + count]]
        place += count
    return shown


def _title(prospect: Prospect) -> str:
    if prospect.length is not None:
        return f"{counted(prospect.length, 'move')} in all"
    return "Lost" if prospect.verdict == "unwinnable" else "Not decided in the time given"
