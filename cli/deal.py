"""``xsf deal``."""

from __future__ import annotations

import re
import sys
from itertools import count as counting
from typing import TYPE_CHECKING

import click

from cli.common import FAILED, announce_compiling, goal_option, note, rules_option, seed_option, seed_or_new
from cli.solve import GoalSolvers
from cli.tables import provide_tables

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.xiangshifu.goals import Goal
    from solver.xiangshifu.position import Deal
    from solver.xiangshifu.rules import RuleSet


GOAL_SECONDS = 10.0
"""For a deal and a goal other than any, unless another limit is given."""


@click.command("deal")
@click.option("--layout", type=click.Choice(["ten", "shanghai", "eight"]), default="ten", show_default=True)
@seed_option
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="How many deals.")
@click.option("--index", type=click.IntRange(min=0), default=0, show_default=True, metavar="I", help="The first deal.")
@click.option("--winnable", "wanted", flag_value="winnable", help="Only deals that can be won.")
@click.option("--unwinnable", "wanted", flag_value="unwinnable", help="Only deals that can't be won.")
@click.option(
    "--length",
    metavar="A-B",
    help="Only deals whose shortest solution has A to B moves; for goals other than any, the shortest one found.",
)
@click.option(
    "--tries",
    type=click.IntRange(min=1),
    default=1_000_000,
    show_default=True,
    help="Deals to look at in such a search.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="Seconds for a deal; one that stays undecided is passed over.  [default: none, or 10 for a goal but any]",
)
@rules_option
@goal_option
def command(
    layout: str,
    seed: int | None,
    count: int,
    index: int,
    wanted: str | None,
    length: str | None,
    tries: int,
    time_limit: float | None,
    rules: RuleSet,
    goal: str | None,
) -> int:
    """Deal at random: deal number I of seed S is always the same.

    With --winnable, --unwinnable or --length, deals from number I on are solved and those printed that fit, their
    numbers on stderr. They fit as `xsf solve` with the same --goal and --rules says; tables that the goal takes and
    are missing are built first.
    """
    from solver.xiangshifu.goals import parse_goal
    from solver.xiangshifu.position import LAYOUTS, Deal

    if length is not None and wanted == "unwinnable":
        raise click.UsageError("--length and --unwinnable exclude each other")
    if goal is not None and length is None and wanted is None:
        raise click.UsageError("--goal needs --winnable, --unwinnable or --length")
    asked = parse_goal(goal, LAYOUTS[layout])
    fits = _filter(wanted, length, rules, asked, time_limit)
    seed = seed_or_new(seed)
    if fits is None:
        for number in range(index, index + count):
            click.echo(str(Deal.random(seed, number, LAYOUTS[layout])))
        return 0
    found = 0
    for number in counting(index):
        deal = Deal.random(seed, number, LAYOUTS[layout])
        if fits(deal):
            found += 1
            click.echo(str(deal))
            sys.stdout.flush()
            note(f"index {number}")
        if found == count:
            return 0
        if number - index + 1 == tries:
            note(f"found {found} among {tries:,} deals")
            return FAILED
    return 0


def _filter(
    wanted: str | None, length: str | None, rules: RuleSet, goal: Goal, seconds: float | None
) -> Callable[[Deal], bool] | None:
    if wanted is None and length is None:
        return None
    least, most = (0, sys.maxsize) if length is None else _span(length)
    announce_compiling()
    from solver.xiangshifu.solve import DEFAULT_MEMORY, Limits

    if goal.id != "any":
        provide_tables(goal, rules, DEFAULT_MEMORY)
        seconds = seconds or GOAL_SECONDS
    solver = GoalSolvers(rules, first=length is None, limits=Limits(seconds=seconds))

    def fits(deal: Deal) -> bool:
        result = solver.solve(deal, goal)
        if wanted == "unwinnable":
            return result.verdict == "unwinnable"
        return result.length is not None and least <= result.length <= most

    return fits


def _span(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)(?:(-)(\d*))?", text.strip())
    if match is None:
        raise click.BadParameter(f"{text!r} is not like 8-10", param_hint="--length")
    least = int(match[1])
    most = least if match[2] is None else int(match[3]) if match[3] else sys.maxsize
    if most < least:
        raise click.BadParameter(f"{text!r}: {least} is more than {most}", param_hint="--length")
    return least, most
