"""``xsf solve``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cli.common import (
    BAD_INPUT,
    UNDECIDED,
    Input,
    announce_compiling,
    ascii_option,
    input_argument,
    json_option,
    rules_option,
    style,
)

if TYPE_CHECKING:
    from cli.show.style import Style
    from solver.xiangshifu.position import Deal
    from solver.xiangshifu.rules import RuleSet
    from solver.xiangshifu.solve import Limits


@dataclass(frozen=True)
class Task:
    """What a worker needs to answer deals."""

    rules: RuleSet
    first: bool
    limits: Limits
    style: Style | None
    board: bool


@click.command("solve")
@input_argument
@rules_option
@click.option("--goal", default=None, metavar="GOAL", help="any: any final position (the goal of layout ten).")
@click.option("--first", is_flag=True, help="Be content with any solution, found sooner.")
@json_option
@click.option("--board/--no-board", default=None, help="Draw the deal first (by default for a single deal).")
@ascii_option
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Seconds for a deal.")
@click.option("--max-positions", type=click.IntRange(min=1), metavar="N", help="Positions to reach for a deal.")
@click.option(
    "--memory", type=click.IntRange(min=1), default=4096, show_default=True, metavar="MIB", help="Memory for a deal."
)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Processes.")
def command(
    source: str | None,
    rules: RuleSet,
    goal: str | None,
    first: bool,
    as_json: bool,
    board: bool | None,
    only_ascii: bool,
    time_limit: float | None,
    max_positions: int | None,
    memory: int,
    jobs: int,
) -> int:
    """Solve deals: the fewest moves, or a proof that there is no solution.

    INPUT is a deal in quotes, a file with a deal a line, or - for standard input. With --json, one object a line,
    which `xsf check` confirms.
    """
    from solver.parallel import ordered_map
    from solver.xiangshifu.solve import Limits

    if goal not in (None, "any"):
        raise click.BadParameter(f"{goal!r}: the only goal is 'any'", param_hint="--goal")
    given = Input(source, "a deal")
    board = given.is_text if board is None else board
    shown = None if as_json else style(only_ascii)
    task = Task(rules, first, Limits(memory, time_limit, max_positions), shown, board)
    _compile_first(task, jobs)
    verdicts: Counter[str] = Counter()
    deals = (deal for deal in given.deals() if _can_be_solved(deal, goal, given))
    for verdict, text in ordered_map(answerer, task, deals, jobs=jobs, chunk=1 if time_limit else 16):
        if verdicts and not as_json:
            click.echo()
        click.echo(text)
        verdicts[verdict] += 1
    if verdicts.total() > 1 and not as_json:
        counts = ", ".join(f"{verdicts[verdict]:,} {verdict}" for verdict in verdicts)
        click.echo(f"\n{verdicts.total():,} deals: {counts}")
    if given.failed:
        return BAD_INPUT
    return UNDECIDED if verdicts["undecided"] else 0


def _can_be_solved(deal: Deal, goal: str | None, given: Input) -> bool:
    if goal is None and deal.layout.name != "ten":
        given.failed = True
        click.echo(f"xsf: layout {deal.layout.name}: only --goal any can be solved", err=True)
        return False
    return True


def _compile_first(task: Task, jobs: int) -> None:
    """Compile in this process if need be, so that workers find everything in the cache."""
    from solver.jit import kernels_are_cached

    announce_compiling()
    if jobs > 1 and not kernels_are_cached():
        from solver.xiangshifu.position import Deal

        answerer(task)(Deal.random(0))


def answerer(task: Task) -> Callable[[Deal], tuple[str, str]]:
    """A function that solves a deal and gives the verdict and the text to print; built once in each process."""
    from solver.xiangshifu.solve import Solver

    solver = Solver(task.rules, first=task.first, limits=task.limits)

    def answer(deal: Deal) -> tuple[str, str]:
        result = solver.solve(deal)
        if task.style is None:
            return result.verdict, compact_json(result.to_json())
        from cli.show.solution import describe_result

        lines = [describe_result(result, task.style)]
        if task.board:
            from cli.show.board import draw_board

            lines.insert(0, draw_board(deal, task.rules, task.style) + "\n")
        else:
            lines.insert(0, str(deal))
        return result.verdict, "\n".join(lines)

    return answer


def compact_json(record: Any) -> str:
    """JSON on one line."""
    return json.dumps(record, ensure_ascii=False, separators=(", ", ": "))
