"""``xsf deal``."""

from __future__ import annotations

import re
import sys
from itertools import count as counting
from typing import TYPE_CHECKING

import click

from cli.common import FAILED, announce_compiling, note, rules_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.xiangshifu.position import Deal
    from solver.xiangshifu.rules import RuleSet


@click.command("deal")
@click.option("--layout", type=click.Choice(["ten", "shanghai", "eight"]), default="ten", show_default=True)
@click.option("--seed", type=click.IntRange(min=0), metavar="S", help="Default: a random one, printed on stderr.")
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="How many deals.")
@click.option("--index", type=click.IntRange(min=0), default=0, show_default=True, metavar="I", help="The first deal.")
@click.option("--winnable", "wanted", flag_value="winnable", help="Only deals that can be won.")
@click.option("--unwinnable", "wanted", flag_value="unwinnable", help="Only deals that can't be won.")
@click.option("--length", metavar="A-B", help="Only deals whose shortest solution has A to B moves.")
@click.option(
    "--tries",
    type=click.IntRange(min=1),
    default=1_000_000,
    show_default=True,
    help="Deals to look at in such a search.",
)
@rules_option
def command(
    layout: str,
    seed: int | None,
    count: int,
    index: int,
    wanted: str | None,
    length: str | None,
    tries: int,
    rules: RuleSet,
) -> int:
    """Deal at random: deal number I of seed S is always the same.

    With --winnable, --unwinnable or --length, deals from number I on are solved and those printed that fit, their
    numbers on stderr.
    """
    from solver.shuffle import fresh_seed
    from solver.xiangshifu.position import LAYOUTS, Deal

    if length is not None and wanted == "unwinnable":
        raise click.UsageError("--length and --unwinnable exclude each other")
    fits = _filter(wanted, length, rules)
    if seed is None:
        seed = fresh_seed()
        note(f"seed {seed}")
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


def _filter(wanted: str | None, length: str | None, rules: RuleSet) -> Callable[[Deal], bool] | None:
    if wanted is None and length is None:
        return None
    least, most = (0, sys.maxsize) if length is None else _span(length)
    announce_compiling()
    from solver.xiangshifu.solve import Solver

    solver = Solver(rules, first=length is None)

    def fits(deal: Deal) -> bool:
        result = solver.solve(deal)
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
