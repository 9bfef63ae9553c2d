"""``xsf tablebase``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.common import (
    BAD_INPUT,
    Input,
    announce_compiling,
    ascii_option,
    compact_json,
    cores,
    json_option,
    rules_option,
    style,
)
from cli.output import replacing
from cli.tables import build_tables, keep_region, need_tables
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.xiangshifu.goals import Goal
    from solver.xiangshifu.position import Deal, Layout
    from solver.xiangshifu.rules import RuleSet
    from solver.xiangshifu.tablebase import Info, Tablebase

ALL = "all"
OUTPUT = click.Path(dir_okay=False, path_type=Path)


@click.group("tablebase")
def command() -> None:
    """Exact distances between valid positions, from tables that are built once and kept in files.

    \b
    xsf tablebase build --goal generals     a minute or two each
    xsf tablebase probe --goal generals "POSITION"
    """


layout_option = click.option(
    "--layout", "layout_name", type=click.Choice(["ten", "shanghai", "eight"]), default="ten", show_default=True
)
goal_option = click.option("--goal", metavar="GOAL", help="A goal such as pair:22-22, five-dragons, generals.")
build_option = click.option("--build", "may_build", is_flag=True, help="Build tables that are missing.")
jobs_option = click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Threads.  [default: one a core]")
memory_option = click.option(
    "--memory", type=click.IntRange(min=1), default=4096, show_default=True, metavar="MIB", help="Memory for a table."
)
position_argument = click.argument("source", metavar="[POSITION]", required=False)


@command.command("build")
@layout_option
@rules_option
@click.option("--goal", "goals", multiple=True, metavar="GOAL", help="Distances to this goal too; all: to every goal.")
@jobs_option
@memory_option
def build(layout_name: str, rules: RuleSet, goals: tuple[str, ...], jobs: int | None, memory: int) -> int:
    """Build the table of components, and those of the distances to goals. What is there already is kept.

    Under classic rules a table takes about a minute and 40 MB on the disk (the components 80). The numbering of the
    positions, seconds of work, is kept beside them (150).
    """
    announce_compiling()
    from solver.xiangshifu.goals import named_goals
    from solver.xiangshifu.position import LAYOUTS

    layout = LAYOUTS[layout_name]
    wanted = [goal for text in goals for goal in (named_goals(layout) if text == ALL else [_goal(text, layout)])]
    build_tables(layout, rules, [None, *dict.fromkeys(wanted)], cores() if jobs is None else jobs, memory)
    keep_region(layout, rules)
    return 0


@command.command("info")
@layout_option
@rules_option
@json_option
@ascii_option
@click.option("--plot", type=OUTPUT, metavar="F", help="Also draw a map, F.svg or F.png.")
def info(layout_name: str, rules: RuleSet, as_json: bool, only_ascii: bool, plot: Path | None) -> int:
    """Describe the valid positions: how many, their components, and how far the goals are from them."""
    if plot is not None and plot.suffix not in (".svg", ".png"):
        raise click.BadParameter(f"{str(plot)!r} ends neither in .svg nor in .png", param_hint="--plot")
    announce_compiling()
    from cli.show.tablebase import describe_info
    from solver.xiangshifu.position import LAYOUTS
    from solver.xiangshifu.tablebase import Tablebase

    need_tables(LAYOUTS[layout_name], rules, [None], may_build=False)
    found = Tablebase(LAYOUTS[layout_name], rules).info()
    if plot is not None:
        _write_map(found, plot)
    click.echo(compact_json({"schema": 1, **found.to_json()}) if as_json else describe_info(found, style(only_ascii)))
    return 0


def _write_map(found: Info, path: Path) -> None:
    try:
        from cli.show.mapplot import write_map
    except ImportError as error:
        raise InputError(f"--plot needs matplotlib ({error}): pip install 'xiangshifu[plot]'") from error
    with replacing(path) as temporary:
        write_map(found, temporary)


@command.command("probe")
@position_argument
@goal_option
@rules_option
@build_option
@json_option
@ascii_option
def probe(
    source: str | None, goal: str | None, rules: RuleSet, may_build: bool, as_json: bool, only_ascii: bool
) -> int:
    """Tell how far valid positions are from a goal, and all moves that are best. For other positions see xsf hint.

    POSITION is one in quotes, a file with one a line, or - for standard input.
    """
    from cli.show.tablebase import describe_probe

    def answer(tablebase: Tablebase, position: Deal, wanted: Goal) -> str:
        component = tablebase.component_of(position)
        size = int(tablebase.components.sizes[component])
        distance = tablebase.probe(position, wanted)
        moves = tablebase.best_moves(position, wanted)
        if not as_json:
            return describe_probe(distance, moves, component, size, wanted, rules, style(only_ascii))
        known = {"distance": distance, "component": component, "component_size": size}
        return compact_json({**_head(position, rules, wanted), **known, "moves": [move.to_json() for move in moves]})

    return _answer_all(source, goal, rules, may_build, answer)


@command.command("path")
@position_argument
@goal_option
@rules_option
@build_option
@json_option
@ascii_option
def path(source: str | None, goal: str | None, rules: RuleSet, may_build: bool, as_json: bool, only_ascii: bool) -> int:
    """Show a shortest way from valid positions to a goal. For other positions see xsf solve and xsf hint.

    POSITION is one in quotes, a file with one a line, or - for standard input.
    """
    from cli.show.tablebase import describe_path

    def answer(tablebase: Tablebase, position: Deal, wanted: Goal) -> str:
        moves = tablebase.path(position, wanted)
        if not as_json:
            return describe_path(moves, wanted, rules, style(only_ascii))
        distance, shown = (None, None) if moves is None else (len(moves), [move.to_json() for move in moves])
        return compact_json({**_head(position, rules, wanted), "distance": distance, "moves": shown})

    return _answer_all(source, goal, rules, may_build, answer)


def _head(position: Deal, rules: RuleSet, goal: Goal) -> dict[str, Any]:
    return {
        "schema": 1,
        "position": str(position),
        "layout": position.layout.name,
        "rules": rules.to_json(),
        "goal": goal.id,
    }


def _answer_all(
    source: str | None,
    goal: str | None,
    rules: RuleSet,
    may_build: bool,
    answer: Callable[[Tablebase, Deal, Goal], str],
) -> int:
    """Print the answers for all positions of the input; bad ones are reported and left out."""
    announce_compiling()
    from solver.xiangshifu.tablebase import Tablebase

    given = Input(source, "a position")
    tablebases: dict[Layout, Tablebase] = {}
    for number, text in given.numbered():
        try:
            position, wanted = _read(text, goal, rules)
        except InputError as error:
            given.bad(number, error)
            continue
        if position.layout not in tablebases:
            need_tables(position.layout, rules, [None, wanted], may_build)
            keep_region(position.layout, rules)
            tablebases[position.layout] = Tablebase(position.layout, rules)
        click.echo(answer(tablebases[position.layout], position, wanted))
    return BAD_INPUT if given.failed else 0


def _read(text: str, goal: str | None, rules: RuleSet) -> tuple[Deal, Goal]:
    """A valid position and the goal in its layout."""
    from solver.xiangshifu.position import Deal
    from solver.xiangshifu.tablebase import check_valid

    position = Deal.parse(text)
    wanted = _goal(goal, position.layout)
    try:
        check_valid(position, rules)
    except InputError as error:
        raise InputError(f"{error}; `xsf hint` is for such positions") from None
    return position, wanted


def _goal(text: str | None, layout: Layout) -> Goal:
    """A goal that distances are of use for."""
    from solver.xiangshifu.goals import parse_goal

    goal = parse_goal(text, layout)
    if goal.id == "any":
        wrong = "--goal is missing" if text is None else "goal any is reached by every valid position"
        raise InputError(f"{wrong}; name one, such as pair:22-22 or generals in layout ten")
    return goal
