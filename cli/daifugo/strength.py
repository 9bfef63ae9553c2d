"""``xsf daifugo strength``."""

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


@click.command("strength")
@daifugo_rules_option
@click.option(
    "--players",
    default="random,greedy,rules,monte-carlo",
    show_default=True,
    metavar="NAME,…",
    help="Each is compared with the next.",
)
@click.option(
    "--seats", type=click.IntRange(3, 8), metavar="N", help="Players at a table.  [default: 4, or the rules']"
)
@survey_options
@json_option
@ascii_option
def command(
    rules: RuleSet,
    players: str,
    seats: int | None,
    changes: tuple[str, ...],
    deals: int,
    seed: int | None,
    path: str | None,
    jobs: int | None,
    scheduler: str | None,
    as_json: bool,
    only_ascii: bool,
) -> int:
    """Tell how much stronger each player is than the one before.

    The two sit alternately round a table, and again with seats changed round another, where the same deals are played:
    so each plays every hand once.
    """
    announce_compiling()
    from solver.daifugo.report import strength_report
    from solver.daifugo.survey import Survey, strength_tables

    rules = changed_rules(rules, changes)
    tables = strength_tables(players_of(players), rules, seats or rules.players or 4)
    used_seed, is_new = seed_of(seed, path)
    survey = Survey(tables, used_seed)
    with played(survey, deals, path, jobs=jobs, scheduler=scheduler, names_seed=is_new) as store:
        if store is None:
            return INTERRUPTED
        found = strength_report(store, survey, deals)
        version = store.description["version"]
    if as_json:
        click.echo(
            compact_json(
                {
                    "schema": 1,
                    "version": version,
                    "seed": survey.seed,
                    "deals": deals,
                    "rules": rules.to_json(),
                    "strength": [pair.to_json() for pair in found],
                }
            )
        )
    else:
        from cli.show.daifugoreport import describe_strength

        click.echo(describe_strength(survey, found, style(only_ascii)))
    return 0
