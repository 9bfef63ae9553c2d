"""``xsf cuajo simulate`` and ``xsf cuajo strength``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.cards.surveys import Asked, compare_option, head, played, players_of, survey_options
from cli.common import announce_compiling, ascii_option, compact_json, json_option, style
from cli.cuajo.options import rules_option
from cli.progress import INTERRUPTED

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
@compare_option
@json_option
@ascii_option
def simulate(
    rules: RuleSet,
    players: str,
    asked: Asked,
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

    names, rules = players_of(players), asked.changed(rules)
    records = [rules] if compare is None else [rules, rules.with_option(compare)]
    with played(asked, Survey, {each.id: Table(each, names) for each in records}) as done:
        if done is None:
            return INTERRUPTED
        survey, store = done
        tables = report(store, survey, asked.deals)
        dealt = dealt_report(read_deals(store, tables[0].name, asked.deals))
        difference = None if compare is None else difference_report(store, survey, asked.deals)
        known = head(survey, store, asked.deals)
    if not as_json:
        click.echo(describe_tables(survey.seed, tables, dealt, difference, style(only_ascii)))
        return 0
    click.echo(
        compact_json(
            {
                **known,
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
    asked: Asked,
    as_json: bool,
    only_ascii: bool,
) -> int:
    """Tell which of two players is stronger: a partnership of each, the same deals twice, with changed seats."""
    announce_compiling()
    from cli.cuajo.reports import describe_strength
    from solver.cuajo.report import strength_report
    from solver.cuajo.survey import Survey, strength_tables

    rules = asked.changed(rules)
    with played(asked, Survey, strength_tables(players_of(players), rules)) as done:
        if done is None:
            return INTERRUPTED
        survey, store = done
        found = strength_report(store, survey, asked.deals)
        known = head(survey, store, asked.deals)
    if not as_json:
        click.echo(describe_strength(survey.seed, found, style(only_ascii)))
        return 0
    click.echo(compact_json({**known, "rules": rules.to_json(), "strength": [one.to_json() for one in found]}))
    return 0
