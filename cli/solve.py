"""``xsf solve``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.allshortest import all_shortest_options, most_listed, readable, verdict_of
from cli.common import (
    BAD_INPUT,
    UNDECIDED,
    Input,
    announce_compiling,
    ascii_option,
    compact_json,
    goal_option,
    input_argument,
    json_option,
    rules_option,
    style,
)
from cli.pictures import drawing_options, lang_option, need_templates, only_one, write_solution
from cli.tables import provide_tables
from solver.cache import kernels_are_cached
from solver.errors import InputError

if TYPE_CHECKING:
    from cli.show.style import Style
    from solver.xiangshifu.goals import Goal
    from solver.xiangshifu.goalsolve import GoalSolver
    from solver.xiangshifu.position import Deal, Layout
    from solver.xiangshifu.rules import RuleSet
    from solver.xiangshifu.shortest import ShortestSolutions
    from solver.xiangshifu.solve import Limits, Result, Solver


@dataclass(frozen=True)
class Task:
    """What a worker needs to answer lines of input."""

    rules: RuleSet
    goal: str | None
    first: bool
    memory: int
    seconds: float | None
    positions: int | None
    style: Style | None
    board: bool
    most: int | None = None
    keeps: bool = False


@dataclass(frozen=True)
class Answer:
    """What became of one line: the verdict and the text to print, or what is wrong with the line.

    The result is there if the task keeps it, which takes time between processes.
    """

    line: int
    verdict: str | None
    text: str
    result: Result | None = None


class GoalSolvers:
    """Solves deals of any layout for their goals: a solver for each goal, made when it is first needed."""

    def __init__(self, rules: RuleSet, *, first: bool, limits: Limits) -> None:
        self._rules = rules
        self._first = first
        self._limits = limits
        self._solvers: dict[Goal | None, Solver | GoalSolver] = {}

    def solve(self, deal: Deal, goal: Goal) -> Result:
        """Decide a deal; for a goal other than any the tables have to be there."""
        # One solver is enough for goal any in all layouts.
        key = None if goal.id == "any" else goal
        if key not in self._solvers:
            self._solvers[key] = self._solver(key)
        return self._solvers[key].solve(deal)

    def _solver(self, goal: Goal | None) -> Solver | GoalSolver:
        from solver.xiangshifu.goalsolve import GoalSolver
        from solver.xiangshifu.solve import Solver
        from solver.xiangshifu.tablebase import Tablebase

        if goal is None:
            return Solver(self._rules, first=self._first, limits=self._limits)
        tablebase = Tablebase(goal.layout, self._rules)
        return GoalSolver(tablebase, goal, first=self._first, limits=self._limits)


@click.command("solve")
@input_argument
@rules_option
@goal_option
@click.option("--first", is_flag=True, help="Be content with any solution, found sooner.")
@all_shortest_options
@json_option
@click.option("--board/--no-board", default=None, help="Draw the deal first (by default for a single deal).")
@drawing_options
@lang_option
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
    all_shortest: bool,
    most: int | None,
    as_json: bool,
    board: bool | None,
    svg: Path | None,
    html: Path | None,
    lang: str,
    only_ascii: bool,
    time_limit: float | None,
    max_positions: int | None,
    memory: int,
    jobs: int,
) -> int:
    """Solve deals: the fewest moves, or a proof that there is no solution.

    INPUT is a deal in quotes, a file with a deal a line, or - for standard input. With --json, one object a line,
    which `xsf check` confirms.

    A goal other than any takes tables of the tablebase; those that are missing are built first. A solution for it is
    as short as a second or two of search makes it, and said to be shortest only where that is known.
    """
    from solver.parallel import ordered_map

    most = most_listed(all_shortest, most, first, goal)
    given = Input(source, "a deal")
    draws = svg is not None or html is not None
    numbered = _drawn_lines(given, all_shortest) if draws else given.numbered()
    board = given.is_text if board is None else board
    shown = None if as_json else style(only_ascii, lang)
    task = Task(rules, goal, first, memory, time_limit, max_positions, shown, board, most, draws)
    # Compile here, so that the workers find everything in the cache.
    compiles = jobs > 1 and not kernels_are_cached()
    if compiles:
        answerer(replace(task, goal="any"))((0, FIRST_DEAL))
    verdicts: Counter[str] = Counter()
    lines = _provided(numbered, task, compiles)
    for answer in ordered_map(answerer, task, lines, jobs=jobs, chunk=1 if time_limit else 32):
        if answer.verdict is None:
            given.bad(answer.line, answer.text)
            continue
        if verdicts and not as_json:
            click.echo()
        click.echo(answer.text)
        if answer.result is not None:
            write_solution(answer.result, lang, svg, html)
        verdicts[answer.verdict] += 1
    if verdicts.total() > 1 and not as_json:
        counts = ", ".join(f"{verdicts[verdict]:,} {verdict}" for verdict in verdicts)
        click.echo(f"\n{verdicts.total():,} deals: {counts}")
    if given.failed:
        return BAD_INPUT
    return UNDECIDED if verdicts["undecided"] else 0


def _drawn_lines(given: Input, all_shortest: bool) -> list[tuple[int, str]]:
    """The one line of input whose solution is drawn."""
    if all_shortest:
        raise click.UsageError("--all-shortest excludes --svg and --html")
    need_templates()
    return only_one(list(given.numbered()), "--svg and --html")


FIRST_DEAL = "13-46-12 22-16-14 33-15-36 11-55-23 44-13-56 66-44-33 55-46-26 11-22-16 15-35-34 56-45-25 66-24"
"""A loss whose proof takes every kernel."""


def _provided(lines: Iterable[tuple[int, str]], task: Task, compiles: bool) -> Iterator[tuple[int, str]]:
    """The same lines; the tables that one takes are there when it comes, and with ``compiles`` the kernels too."""
    seen: set[Layout] = set()
    for line, text in lines:
        goal = _goal_of(text, task.goal)
        if goal is not None and goal.layout not in seen:
            seen.add(goal.layout)
            if goal.id != "any":
                announce_compiling()
                provide_tables(goal, task.rules, task.memory)
                if compiles:
                    answerer(task)((line, text))
        yield line, text


def _goal_of(text: str, goal: str | None) -> Goal | None:
    """The goal of a line, or None if the line is bad; whoever answers it says how."""
    try:
        return read_deal(text, goal)[1]
    except InputError:
        return None


def read_deal(text: str, goal: str | None) -> tuple[Deal, Goal]:
    """A deal, and the goal in its layout; raises InputError."""
    from solver.xiangshifu.goals import parse_goal
    from solver.xiangshifu.position import Deal

    deal = Deal.parse(text)
    return deal, parse_goal(goal, deal.layout)


def answerer(task: Task) -> Callable[[tuple[int, str]], Answer]:
    """A function that answers a numbered line; built once in each process."""
    announce_compiling()
    from solver.xiangshifu.shortest import all_shortest
    from solver.xiangshifu.solve import Limits

    limits = Limits(task.memory, task.seconds, task.positions)
    solver = GoalSolvers(task.rules, first=task.first, limits=limits)

    def answer(numbered: tuple[int, str]) -> Answer:
        line, text = numbered
        try:
            deal, goal = read_deal(text, task.goal)
        except InputError as error:
            return Answer(line, None, str(error))
        if task.most is not None:
            return _answer_all(line, all_shortest(deal, task.rules, limits=limits), task, task.most)
        result = solver.solve(deal, goal)
        shown = compact_json(result.to_json()) if task.style is None else _readable(result, task)
        return Answer(line, result.verdict, shown, result if task.keeps else None)

    return answer


def _answer_all(line: int, found: ShortestSolutions, task: Task, most: int) -> Answer:
    style = task.style
    shown = readable(found, most, style, board=task.board) if style else compact_json(found.to_json(most))
    return Answer(line, verdict_of(found), shown)


def _readable(result: Result, task: Task) -> str:
    from cli.show.board import draw_board
    from cli.show.solution import describe_result

    style = task.style
    assert style is not None
    head = draw_board(result.deal, task.rules, style) + "\n" if task.board else str(result.deal)
    return f"{head}\n{describe_result(result, style)}"
