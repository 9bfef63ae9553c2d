"""``xsf cuajo simulate`` and ``xsf cuajo strength``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.common import announce_compiling, ascii_option, json_option, style
from cli.cuajo.options import rules_option
from cli.cuajo.surveys import played, players_of, seed_of, survey_options
from cli.progress import INTERRUPTED
from cli.solve import compact_json

if TYPE_CHECKING:
    from solver.cuajo.rules import RuleSet


@click.command("simulate")
@rules_option
@click.option(
    "--players",
    default="careful,careful,careful,careful",
    show_default=True,
    metavar="NAME,…",
    help="Four in turn order, partners opposite: random, simple or careful.",
)
@survey_options
@click.option("--compare", metavar="OPTION=VALUE", help="Also play the same deals with this option, and compare.")
@json_option
@ascii_option
def simulate(
    rules: RuleSet,
    players: str,
    deals: int,
    seed: int | None,
    path: str | None,
    jobs: int | None,
    compare: str | None,
    as_json: bool,
    only_ascii: bool,
) -> int:
    """Play many deals, and tell how they go; the dealer changes from deal to deal.

    With --db what is finished is kept: the same command goes on after Ctrl-C or a crash, and a greater --deals adds
    to it. With --compare an option of the rules is changed at a second table, which plays the same deals.

    \b
    xsf cuajo simulate --players simple,simple,simple,simple --deals 10000 --seed 1
    xsf cuajo simulate --deals 10000 --seed 1 --compare win_needs_purro=no --db cuajo.db
    """
    announce_compiling()
    from cli.cuajo.reports import describe_tables
    from solver.cuajo.deals import Table
    from solver.cuajo.report import dealt_report, difference_report, report
    from solver.cuajo.survey import Survey, read_deals

    names = players_of(players)
    records = [rules] if compare is None else [rules, rules.with_option(compare)]
    survey = Survey({each.id: Table(each, names) for each in records}, seed_of(seed, path))
    with played(survey, deals, path, jobs) as store:
        if store is None:
            return INTERRUPTED
        tables = report(store, survey, deals)
        dealt = dealt_report(read_deals(store, tables[0].name, deals))
        difference = None if compare is None else difference_report(store, survey, deals)
        version = store.description["version"]
    if not as_json:
        click.echo(describe_tables(survey.seed, tables, dealt, difference, style(only_ascii)))
        return 0
    click.echo(
        compact_json(
            {
                "schema": 1,
                "version": version,
                "seed": survey.seed,
                "deals": deals,
                "tables": [table.to_json() for table in tables],
                "dealt": [one.to_json() for one in dealt],
                "difference": None if difference is None else difference.to_json(),
            }
        )
    )
    return 0


@click.command("strength")
@rules_option
@click.option(
    "--players",
    default="random,simple,careful",
    show_default=True,
    metavar="NAME,…",
    help="Each is compared with the next.",
)
@survey_options
@json_option
@ascii_option
def strength(
    rules: RuleSet,
    players: str,
    deals: int,
    seed: int | None,
    path: str | None,
    jobs: int | None,
    as_json: bool,
    only_ascii: bool,
) -> int:
    """Tell which of two players is stronger: a partnership of each, the same deals twice, with changed seats."""
    announce_compiling()
    from cli.cuajo.reports import describe_strength
    from solver.cuajo.report import strength_report
    from solver.cuajo.survey import Survey, strength_tables

    survey = Survey(strength_tables(players_of(players), rules), seed_of(seed, path))
    with played(survey, deals, path, jobs) as store:
        if store is None:
            return INTERRUPTED
        found = strength_report(store, survey, deals)
        version = store.description["version"]
    if not as_json:
        click.echo(describe_strength(survey.seed, found, style(only_ascii)))
        return 0
    click.echo(
        compact_json(
            {
                "schema": 1,
                "version": version,
                "seed": survey.seed,
                "deals": deals,
                "rules": rules.to_json(),
                "strength": [one.to_json() for one in found],
            }
        )
    )
    return 0
