"""``xsf daifugo simulate``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.common import announce_compiling, ascii_option, json_option, style
from cli.daifugo.options import daifugo_rules_option
from cli.daifugo.surveys import changed_rules, played, players_of, seed_of, survey_options
from cli.progress import INTERRUPTED
from cli.solve import compact_json

if TYPE_CHECKING:
    from solver.daifugo.rules import RuleSet
    from solver.daifugo.survey import Survey


@click.command("simulate")
@daifugo_rules_option
@click.option(
    "--players",
    metavar="NAME,…",
    help="Clockwise: random, greedy, rules, monte-carlo or monte-carlo:PLAYOUTS.  [default: four times rules]",
)
@survey_options
@click.option("--compare", metavar="OPTION=VALUE", help="Also play the same deals with this option, and compare.")
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
    changes: tuple[str, ...],
    deals: int,
    seed: int | None,
    path: str | None,
    jobs: int | None,
    scheduler: str | None,
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

    used_seed, is_new = seed_of(seed, path)
    survey = _survey(changed_rules(rules, changes), players, used_seed, compare, worth)
    with played(survey, deals, path, jobs=jobs, scheduler=scheduler, names_seed=is_new) as store:
        if store is None:
            return INTERRUPTED
        tables = report(store, survey, deals)
        difference = None if compare is None else difference_report(store, survey, deals)
        version = store.description["version"]
    if as_json:
        click.echo(
            compact_json(
                {
                    "schema": 1,
                    "version": version,
                    "seed": survey.seed,
                    "deals": deals,
                    "tables": [table.to_json() for table in tables],
                    "difference": None if difference is None else difference.to_json(),
                }
            )
        )
    else:
        from cli.show.daifugoreport import describe_tables

        click.echo(describe_tables(survey, tables, difference, style(only_ascii)))
    return 0


def _survey(rules: RuleSet, players: str | None, seed: int, compare: str | None, worth: bool) -> Survey:
    from solver.daifugo.matches import Table
    from solver.daifugo.survey import Survey

    names = ("rules",) * (rules.players or 4) if players is None else players_of(players)
    records = [rules] if compare is None else [rules, rules.with_option(compare)]
    return Survey({each.id: Table(each, names, worth and each.exchange != "off") for each in records}, seed)
