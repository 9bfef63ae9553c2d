"""``xsf daifugo simulate``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.cards.surveys import Asked, compare_option, head, played, players_of, survey_options
from cli.common import announce_compiling, ascii_option, compact_json, json_option, style
from cli.daifugo.options import daifugo_rules_option
from cli.progress import INTERRUPTED

if TYPE_CHECKING:
    from solver.daifugo.matches import Table
    from solver.daifugo.rules import RuleSet


@click.command("simulate")
@daifugo_rules_option
@click.option(
    "--players",
    metavar="NAME,…",
    help="Clockwise: random, greedy, rules, monte-carlo or monte-carlo:PLAYOUTS.  [default: four times rules]",
)
@survey_options
@compare_option
@click.option(
    "--worth/--no-worth",
    default=True,
    show_default=True,
    help="Also play each deal without its exchange, to tell what that is worth.",
)
@json_option
@ascii_option
def command(
    rules: RuleSet,
    players: str | None,
    asked: Asked,
    compare: str | None,
    worth: bool,
    as_json: bool,
    only_ascii: bool,
) -> int:
    """Play many deals in matches of as many as the rules say (`rounds`), and tell how they go.

    With --db what is finished is kept: the same command goes on after Ctrl-C or a crash, and a greater --deals adds
    to it. With --compare an option of the rules is changed at a second table, which plays the same deals.

    \b
    xsf daifugo simulate --rules uecda --players rules,rules,rules,rules,rules --deals 10000 --seed 1
    xsf daifugo simulate --players greedy,greedy,greedy,greedy --deals 100000 --compare eight_stop=on
    """
    announce_compiling()
    from solver.daifugo.report import difference_report, report
    from solver.daifugo.survey import Survey

    tables = _tables(asked.changed(rules), players, compare, worth)
    with played(asked, Survey, tables) as done:
        if done is None:
            return INTERRUPTED
        survey, store = done
        reports = report(store, survey, asked.deals)
        difference = None if compare is None else difference_report(store, survey, asked.deals)
        known = head(survey, store, asked.deals)
    if as_json:
        click.echo(
            compact_json(
                {
                    **known,
                    "tables": [table.to_json() for table in reports],
                    "difference": None if difference is None else difference.to_json(),
                }
            )
        )
    else:
        from cli.show.daifugoreport import describe_tables

        click.echo(describe_tables(survey, reports, difference, style(only_ascii)))
    return 0


def _tables(rules: RuleSet, players: str | None, compare: str | None, worth: bool) -> dict[str, Table]:
    from solver.daifugo.matches import Table

    names = ("rules",) * (rules.players or 4) if players is None else players_of(players)
    records = [rules] if compare is None else [rules, rules.with_option(compare)]
    return {each.id: Table(each, names, worth and each.exchange != "off") for each in records}
