"""All shortest solutions of a deal in words: how many there are, and the first of them move by move."""

from __future__ import annotations

import textwrap

from cli.show.solution import LIMITS, describe_result, duration, move_lines
from cli.show.style import COLUMNS, Style, counted
from solver.xiangshifu.moves import Move
from solver.xiangshifu.shortest import ShortestSolutions


def describe_shortest(found: ShortestSolutions, most: int, style: Style) -> str:
    """What is known of the shortest solutions of a deal.

    Args:
        found: what was found.
        most: how many solutions are listed at most.
        style: colours and characters.
    """
    if found.length is None:
        return describe_result(found.result, style)
    if found.length == 0:
        text = style.bold("Won as dealt: all groups are valid.")
    else:
        head = style.bold(f"Winnable in {counted(found.length, 'move')}, the fewest possible.")
        summary = textwrap.fill(_summary(found, found.length, most), COLUMNS)
        text = "\n\n".join([f"{head}\n{summary}", *_listed(found, most, style)])
    effort = f"{counted(found.positions, 'position')} reached in {duration(found.seconds)}."
    return f"{text}\n\n{style.dim(effort)}"


def _summary(found: ShortestSolutions, length: int, most: int) -> str:
    moves = counted(length, "move")
    if found.count is None:
        limit = LIMITS.get(found.reason or "", "a limit")
        text = f"How many solutions have {moves} was not found out: the search reached {limit}."
        return text + (" This is one of them." if most else "")
    if found.count == 1:
        return f"No other solution has {moves}."
    text = f"{counted(found.count, 'solution')} have {moves}; they end in {counted(found.ends or 0, 'final position')}."
    if found.sets == found.count:
        text += " No two of them make the same exchanges."
    elif found.sets is not None:
        text += f" They make {counted(found.sets, 'set')} of exchanges in different orders."
    if most:
        text += (
            " All of them:" if found.count <= most else " The first of them:" if most == 1 else f" The first {most:,}:"
        )
    return text


def _listed(found: ShortestSolutions, most: int, style: Style) -> list[str]:
    """The solutions, each under its number; if they could not be found, the one that is known."""
    if found.count is None:
        return [_move_text(found.result.moves or (), found, style)] if most else []
    texts = [_move_text(moves, found, style) for moves in found.solutions(most)]
    if found.count == 1:
        return texts
    return [f"{style.bold(f'Solution {number:,} of {found.count:,}')}\n{text}" for number, text in enumerate(texts, 1)]


def _move_text(moves: tuple[Move, ...], found: ShortestSolutions, style: Style) -> str:
    return "\n".join(move_lines(moves, found.result.rules, style))
