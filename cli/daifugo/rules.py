"""``xsf daifugo rules``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.common import RulesType, compact_json, json_option

if TYPE_CHECKING:
    from solver.daifugo.rules import RuleSet


@click.command("rules")
@click.argument("name", metavar="[RULES]", type=RulesType("daifugo"), required=False)
@json_option
def command(name: RuleSet | None, as_json: bool) -> int:
    """List the rule sets that have names, or all options of one, which may also be a TOML file.

    \b
    name = "mine"              # a file such as mine.toml; the options that differ from base
    base = "traditional"
    suit_lock = "full"
    """
    from cli.show.daifugo import describe_options, describe_presets
    from solver.daifugo.rules import PRESETS

    if as_json:
        for rules in [name] if name else PRESETS.values():
            click.echo(compact_json({"schema": 1, "rules": rules.to_json()}))
        return 0
    for line in describe_options(name) if name else describe_presets():
        click.echo(line)
    return 0
