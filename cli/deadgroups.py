"""``xsf dead-groups``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.common import announce_compiling, ascii_option, json_option, rules_option, style
from cli.solve import compact_json

if TYPE_CHECKING:
    from solver.xiangshifu.rules import RuleSet


@click.command("dead-groups")
@rules_option
@json_option
@ascii_option
def command(rules: RuleSet, as_json: bool, only_ascii: bool) -> int:
    """Find the groups that lose a deal from the start, or that only another invalid group can save."""
    announce_compiling()
    from solver.xiangshifu.deadgroups import dead_groups

    found = dead_groups(rules)
    if as_json:
        click.echo(compact_json(found.to_json()))
    else:
        from cli.show.deadgroups import describe_dead_groups

        click.echo(describe_dead_groups(found, style(only_ascii)))
    return 0
