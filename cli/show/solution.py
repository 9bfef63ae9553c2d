"""The answer to a deal in words: the solution move by move, or why there is none."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import cache

from cli.show.board import draw_board
from cli.show.goal import goal_head, goal_text
from cli.show.loss import explain_loss
from cli.show.style import COLUMNS, Style, columns, counted
from solver.xiangshifu.groups import group_names
from solver.xiangshifu.moves import Move
from solver.xiangshifu.position import Position, format_group
from solver.xiangshifu.repairs import repair_model
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.solve import Result
from solver.xiangshifu.tiles import TILES

LIMITS = {"memory": "its limit of memory", "time": "its limit of time", "positions": "its limit of positions"}


def describe_result(result: Result, style: Style, *, boards: bool = False) -> str:
    """What is known of a deal: verdict, moves or reason, and what the answer took.

    Args:
        result: the result.
        style: colours and characters.
        boards: whether to draw the board before each move of a solution, and at the end.
    """
    if result.verdict == "winnable":
        text = _describe_win(result, style, boards)
    elif result.verdict == "unwinnable":
        text = explain_loss(result, style)
    else:
        text = describe_undecided(result, style)
    return f"{text}\n\n{style.dim(_effort(result))}"


def _effort(result: Result) -> str:
    return f"{counted(result.expanded, 'position')} expanded in {duration(result.seconds)}."


def duration(seconds: float) -> str:
    """A time as people read it: ``1.2 ms``, ``3.4 s`` or ``2 min 05 s``."""
    if seconds < 0.9995:
        return f"{1000 * seconds:.1f} ms"
    if seconds < 99.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:,} min {rest:02} s"


def describe_undecided(result: Result, style: Style) -> str:
    """What stopped the search of an undecided deal, and what is known of it."""
    about, won = ("", "won") if result.goal == "any" else (f" for {goal_text(result.goal)}", "won so")
    lines = [style.bold(f"Undecided{about}: the search reached {LIMITS.get(result.reason or '', 'a limit')}.")]
    if result.lower_bound:
        lines.append(f"If the deal can be {won}, it takes at least {counted(result.lower_bound, 'move')}.")
    return "\n".join(lines)


def _describe_win(result: Result, style: Style, boards: bool) -> str:
    moves = result.moves or ()
    if not moves:
        why = "all groups are valid" if result.goal == "any" else f"this is {goal_text(result.goal)}"
        text = style.bold(f"Won as dealt: {why}.")
        return f"{text}\n\n{draw_board(result.deal, result.rules, style)}" if boards else text
    head = "\n".join([style.bold(_headline(result)), *textwrap.wrap(_why_so_many(result), COLUMNS)])
    lines = move_lines(moves, result.rules, style)
    valid = _first_valid(moves, result.rules)
    if 0 < valid < len(moves):
        # The heading is the first line.
        lines[valid] += style.dim(f"\n     all groups are valid; on to {goal_text(result.goal)}:")
    if boards:
        return "\n\n".join([head, *_with_boards(result, lines, style)])
    return "\n".join([head, "", *lines])


def _first_valid(moves: tuple[Move, ...], rules: RuleSet) -> int:
    """After how many moves of a solution all groups are valid."""
    return max((number for number, move in enumerate(moves, 1) if _repairs(move, rules)), default=0)


def _repairs(move: Move, rules: RuleSet) -> bool:
    return not all(group_names(group, rules) for group in move.before)


def _headline(result: Result) -> str:
    length, bound = result.length or 0, result.lower_bound or 0
    if result.goal != "any":
        fewest = ", the fewest possible" if result.optimal else f"; no solution is shorter than {bound:,}"
        return f"{goal_head(result.goal)} in {counted(length, 'move')}{fewest}."
    if result.optimal:
        return f"Winnable in {counted(length, 'move')}, the fewest possible."
    return f"Winnable: a solution of {counted(length, 'move')}; none can have fewer than {bound:,}."


def _why_so_many(result: Result) -> str:
    """Why no solution can be shorter than the bound and, if it is longer, how that is known."""
    length, bound = result.length or 0, result.lower_bound or 0
    if result.goal != "any":
        return _two_parts(result)
    text = _why_bound(result.deal, bound, result.rules)
    if result.optimal and length > bound:
        join = " or " if length - 2 == bound else " to "
        text += f" The search ruled out {bound}" + (f"{join}{length - 1}." if length - 1 > bound else ".")
    return text


def _two_parts(result: Result) -> str:
    """How a solution for a goal divides into repairs and what follows."""
    moves = result.moves or ()
    valid = _first_valid(moves, result.rules)
    if not valid:
        return "All groups are valid as dealt, so the number of moves is known from the tablebase."
    if valid == len(moves):
        return "All groups are valid only with the last move."
    return f"All groups are valid after {counted(valid, 'move')}; {len(moves) - valid:,} more lead on to the goal."


def _why_bound(deal: Position, bound: int, rules: RuleSet) -> str:
    """Why the deal takes so many moves: by counting repairs where that is enough."""
    edges = tuple(int(others) for others in repair_model(deal, rules).edges)
    count = len(edges)
    double = most_double_repairs(edges)
    invalid = "1 group is invalid" if count == 1 else f"{count} groups are invalid"
    if bound != count - double:
        return f"{invalid}, and in whatever order they are repaired, that takes at least {counted(bound, 'move')}."
    if count == 1:
        return f"{invalid}, and that takes at least 1 move."
    if double == 0:
        return f"{invalid} and no exchange can repair two at once, so it takes at least {counted(bound, 'move')}."
    exchanges = "1 exchange" if double == 1 else f"{double} exchanges"
    return f"{invalid} and at most {exchanges} can repair two at once, so it takes at least {counted(bound, 'move')}."


def most_double_repairs(edges: tuple[int, ...]) -> int:
    """The size of a maximum matching: how many exchanges at most can each repair two dealt invalid groups.

    Args:
        edges: for each dealt invalid group, those it can be repaired together with, as bits.
    """

    @cache
    def most(remaining: int) -> int:
        if not remaining:
            return 0
        rest = remaining & (remaining - 1)
        others = edges[(remaining & -remaining).bit_length() - 1] & rest
        best = most(rest)
        for other in range(len(edges)):
            if others >> other & 1:
                best = max(best, 1 + most(rest & ~(1 << other)))
        return best

    return most((1 << len(edges)) - 1)


def move_lines(moves: Sequence[Move], rules: RuleSet, style: Style) -> list[str]:
    """A heading, then one aligned line a move, numbered from 1; none if there are no moves."""
    if not moves:
        return []
    out = max(_tiles_width(mask) for move in moves for mask in move.out)
    groups = max(len(format_group(group)) for move in moves for group in move.after)
    names = max(columns(_names(move, 0, style)) for move in moves)
    exchange = 2 * out + len(style.exchange) + 14
    mark = f"; {style.check} repaired" if any(_repairs(move, rules) for move in moves) else ""
    heading = style.dim(f"{'':5}{'exchange':<{exchange}}groups that result{mark}")
    lines = [heading]
    for number, move in enumerate(moves, 1):
        left, right = (_given(move, side, out, style) for side in (0, 1))
        results = (_result(move, side, groups, names if side == 0 else 0, rules, style) for side in (0, 1))
        lines.append(f"{number:>3}. {left} {style.exchange} {right}  {'  '.join(results)}".rstrip())
    return lines


def _tiles_width(mask: int) -> int:
    return len(Style(ascii=True).tiles(mask))


def _given(move: Move, side: int, width: int, style: Style) -> str:
    """The tiles that leave a group, and its place."""
    place = f"({move.groups[side]})"
    return f"{style.tiles(move.out[side])}{' ' * (width - _tiles_width(move.out[side]))} {place:<4}"


def _result(move: Move, side: int, groups: int, names: int, rules: RuleSet, style: Style) -> str:
    """The group that a move makes, and the names of its combinations."""
    repaired = not group_names(move.before[side], rules)
    mark = style.valid(style.check) if repaired else " "
    combinations = _names(move, side, style)
    return f"{mark} {format_group(move.after[side]):<{groups}} {style.valid(combinations)}" + " " * (
        names - columns(combinations)
    )


def _names(move: Move, side: int, style: Style) -> str:
    return style.combinations(move.names[side], TILES.names(move.after[side]))


def _with_boards(result: Result, lines: list[str], style: Style) -> list[str]:
    """The board before each move with the tiles that are about to leave, each move, and the board at the end."""
    position: Position = result.deal
    heading, *move_lines = lines
    shown = []
    for number, (move, line) in enumerate(zip(result.moves or (), move_lines, strict=True)):
        going = dict(zip(move.groups, move.out, strict=True))
        first = number == 0
        shown.append(draw_board(position, result.rules, style, highlight=going, large=False, legend=first))
        shown.append(f"{heading}\n{line}" if first else line)
        position = position.exchanged(*move.groups, move.after)
    return [*shown, draw_board(position, result.rules, style, large=False, legend=False)]
