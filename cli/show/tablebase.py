"""What the tablebase knows, in words and tables."""

from __future__ import annotations

from collections.abc import Sequence

from cli.show.solution import move_lines
from cli.show.style import Style, counted
from cli.show.table import table
from solver.xiangshifu.goals import Goal
from solver.xiangshifu.moves import Move
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.tablebase import ComponentInfo, GoalInfo, Info

NONE = "-"
MOST_GOALS = 4
"""Goals of a component that are named."""


def describe_info(info: Info, style: Style) -> str:
    """The number of valid positions, their largest components, and how far they are from each goal."""
    head = f"{style.bold(f'Rules {info.rules.id}, layout {info.layout.name}')}\n"
    head += f"{counted(info.positions, 'valid position')} in {counted(info.components, 'component')}."
    return "\n\n".join([head, *_largest(info, style), _goals(info, style)])


def _largest(info: Info, style: Style) -> list[str]:
    if not info.largest:
        return []
    rows = [("component", "positions", "share", "bonds", "goals")]
    for place, part in enumerate(info.largest):
        share = f"{100 * part.size / info.positions:.2f} %"
        rows.append((f"{place}", f"{part.size:,}", share, " ".join(part.bonds) or NONE, _named(part, info)))
    heading, *lines = table(rows, ">>><<")
    return ["\n".join([style.bold(heading), *lines])]


def _named(part: ComponentInfo, info: Info) -> str:
    """The goals that a component holds, or their number if they are many."""
    if len(part.goals) <= MOST_GOALS:
        return " ".join(part.goals) or NONE
    return "all" if len(part.goals) == len(info.goals) else f"{len(part.goals)} of {len(info.goals)}"


def _goals(info: Info, style: Style) -> str:
    rows = [("goal", "its positions", "can reach it", "share", "farthest", "mean")]
    for name, goal in info.goals.items():
        share = f"{100 * goal.reach / info.positions:.2f} %" if info.positions else NONE
        farthest = NONE if goal.farthest is None else f"{goal.farthest:,}"
        rows.append((name, f"{goal.goal_positions:,}", f"{goal.reach:,}", share, farthest, _mean(goal)))
    heading, *lines = table(rows, "<>>>>>")
    return "\n".join([style.bold(heading), *lines])


def _mean(goal: GoalInfo) -> str:
    if not goal.by_distance:
        return NONE
    return f"{sum(distance * count for distance, count in enumerate(goal.by_distance)) / goal.reach:.2f}"


def describe_probe(
    distance: int | None,
    moves: Sequence[Move],
    component: int,
    size: int,
    goal: Goal,
    rules: RuleSet,
    style: Style,
) -> str:
    """How far a position is from a goal, and the best moves."""
    where = f"Component {component:,}, of {counted(size, 'position')}."
    lines = [style.bold(_distance(distance, goal)), where]
    if moves:
        lines += ["", "The only best move:" if len(moves) == 1 else f"The {len(moves)} best moves:"]
        lines += move_lines(tuple(moves), rules, style)
    return "\n".join(lines)


def describe_path(moves: tuple[Move, ...] | None, goal: Goal, rules: RuleSet, style: Style) -> str:
    """A shortest way to a goal."""
    head = style.bold(_distance(None if moves is None else len(moves), goal))
    return "\n".join([head, "", *move_lines(moves, rules, style)]) if moves else head


def _distance(distance: int | None, goal: Goal) -> str:
    if distance is None:
        return f"No plain moves lead to {goal.id}."
    if distance == 0:
        return f"The position is the goal, {goal.id}."
    return f"{counted(distance, 'move')} to {goal.id}, no fewer."
