"""Xiang Shi Fu toolkit: solve any deal of the Chinese domino patience in the fewest moves, or prove it can't be won.

The names below are the public interface. They are imported on first use, so that importing ``solver`` costs
nothing and only what computes loads Numba.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.deck import Deck as Deck
    from solver.deck import Kind as Kind
    from solver.errors import InputError as InputError
    from solver.xiangshifu.checker import Report as Report
    from solver.xiangshifu.checker import check as check
    from solver.xiangshifu.checker import check_moves as check_moves
    from solver.xiangshifu.deadgroups import dead_groups as dead_groups
    from solver.xiangshifu.goals import Goal as Goal
    from solver.xiangshifu.goals import parse_goal as parse_goal
    from solver.xiangshifu.goalsolve import GoalSolver as GoalSolver
    from solver.xiangshifu.graph import move_graph as move_graph
    from solver.xiangshifu.graph import repair_graph as repair_graph
    from solver.xiangshifu.groups import group_names as group_names
    from solver.xiangshifu.hints import Adviser as Adviser
    from solver.xiangshifu.hints import Hint as Hint
    from solver.xiangshifu.moves import Move as Move
    from solver.xiangshifu.moves import legal_moves as legal_moves
    from solver.xiangshifu.position import Deal as Deal
    from solver.xiangshifu.position import Position as Position
    from solver.xiangshifu.position import parse_group as parse_group
    from solver.xiangshifu.rules import RuleSet as RuleSet
    from solver.xiangshifu.solve import Limits as Limits
    from solver.xiangshifu.solve import Result as Result
    from solver.xiangshifu.solve import Solver as Solver
    from solver.xiangshifu.solve import solve as solve
    from solver.xiangshifu.tablebase import Tablebase as Tablebase
    from solver.xiangshifu.verdicts import OUTCOMES as OUTCOMES
    from solver.xiangshifu.verdicts import Decider as Decider

_HOMES = {
    "Deck": "deck",
    "Kind": "deck",
    "InputError": "errors",
    "Report": "xiangshifu.checker",
    "check": "xiangshifu.checker",
    "check_moves": "xiangshifu.checker",
    "dead_groups": "xiangshifu.deadgroups",
    "Goal": "xiangshifu.goals",
    "parse_goal": "xiangshifu.goals",
    "GoalSolver": "xiangshifu.goalsolve",
    "move_graph": "xiangshifu.graph",
    "repair_graph": "xiangshifu.graph",
    "group_names": "xiangshifu.groups",
    "Adviser": "xiangshifu.hints",
    "Hint": "xiangshifu.hints",
    "Move": "xiangshifu.moves",
    "legal_moves": "xiangshifu.moves",
    "Deal": "xiangshifu.position",
    "Position": "xiangshifu.position",
    "parse_group": "xiangshifu.position",
    "RuleSet": "xiangshifu.rules",
    "Limits": "xiangshifu.solve",
    "Result": "xiangshifu.solve",
    "Solver": "xiangshifu.solve",
    "solve": "xiangshifu.solve",
    "Tablebase": "xiangshifu.tablebase",
    "Decider": "xiangshifu.verdicts",
    "OUTCOMES": "xiangshifu.verdicts",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    value = getattr(import_module(f"solver.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
