"""``xsf daifugo strength``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.cards.surveys import Asked, head, played, players_of, survey_options
from cli.common import announce_compiling, ascii_option, compact_json, json_option, style
from cli.daifugo.options import daifugo_rules_option
from cli.progress import INTERRUPTED

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
    asked: Asked,
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

    rules = asked.changed(rules)
    tables = strength_tables(players_of(players), rules, seats or rules.players or 4)
    with played(asked, Survey, tables) as done:
        if done is None:
            return INTERRUPTED
        survey, store = done
        found = strength_report(store, survey, asked.deals)
        known = head(survey, store, asked.deals)
    if as_json:
        strength = [pair.to_json() for pair in found]
        click.echo(compact_json({**known, "rules": rules.to_json(), "strength": strength}))
    else:
        from cli.show.daifugoreport import describe_strength

        click.echo(describe_strength(survey, found, style(only_ascii)))
    return 0
