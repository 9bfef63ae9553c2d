"""``xsf hint``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.common import (
    BAD_INPUT,
    UNDECIDED,
    Input,
    announce_compiling,
    ascii_option,
    compact_json,
    goal_option,
    json_option,
    rules_option,
    style,
)
from cli.solve import read_deal
from cli.tables import provide_tables
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.xiangshifu.goals import Goal
    from solver.xiangshifu.hints import Adviser
    from solver.xiangshifu.rules import RuleSet
    from solver.xiangshifu.solve import Limits


@click.command("hint")
@click.argument("source", metavar="[POSITION]", required=False)
@rules_option
@goal_option
@json_option
@click.option("--all", "every", is_flag=True, help="Tell what comes of every legal move.")
@ascii_option
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    default=20,
    show_default=True,
    metavar="S",
    help="Seconds for a position.",
)
@click.option(
    "--memory", type=click.IntRange(min=1), default=4096, show_default=True, metavar="MIB", help="Memory for a search."
)
def command(
    source: str | None,
    rules: RuleSet,
    goal: str | None,
    as_json: bool,
    every: bool,
    only_ascii: bool,
    time_limit: float,
    memory: int,
) -> int:
    """Tell how far positions are from a goal, and the best next moves, whether their groups are valid or not.

    POSITION is one in quotes, a file with one a line, or - for standard input.

    For goal any, and where all groups are valid, the answer is exact. Elsewhere it is the best that is found in the
    time, and said to be the fewest moves possible only where that is known.
    """
    from cli.show.hint import describe_hint
    from solver.xiangshifu.solve import Limits

    announce_compiling()
    given = Input(source, "a position")
    limits = Limits(memory, time_limit)
    advisers: dict[Goal, Adviser] = {}
    shown, undecided = 0, False
    for number, text in given.numbered():
        try:
            position, wanted = read_deal(text, goal)
        except InputError as error:
            given.bad(number, error)
            continue
        hint = _adviser(wanted, rules, limits, advisers).hint(position, every=every)
        if shown and not as_json:
            click.echo()
        click.echo(compact_json(hint.to_json()) if as_json else describe_hint(hint, style(only_ascii)))
        shown += 1
        undecided |= hint.result.verdict == "undecided"
    if given.failed:
        return BAD_INPUT
    return UNDECIDED if undecided else 0


def _adviser(goal: Goal, rules: RuleSet, limits: Limits, known: dict[Goal, Adviser]) -> Adviser:
    """The adviser for a goal, made when it is first needed; the tables it takes are built if they are missing."""
    from solver.xiangshifu.hints import Adviser

    if goal not in known:
        if goal.id != "any":
            provide_tables(goal, rules, limits.memory)
        known[goal] = Adviser(goal, rules, limits)
    return known[goal]
