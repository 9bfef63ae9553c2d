"""``xsf bonds``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from cli.common import announce_compiling, json_option, rules_option

if TYPE_CHECKING:
    from solver.xiangshifu.rules import RuleSet


@click.command("bonds")
@rules_option
@click.option("--layout", type=click.Choice(["ten", "shanghai", "eight"]), default="ten", show_default=True)
@json_option
def command(rules: RuleSet, layout: str, as_json: bool) -> None:
    """What moves between valid groups can't change: bonds, locks, and all linear invariants.

    Two bonded tiles never part once they stand in one valid group, unless the repair of an invalid group parts them. A
    lock is a set of groups of which one is present for good, or never, once all groups are valid.
    """
    announce_compiling()
    record = _record(rules, layout)
    if as_json:
        click.echo(json.dumps(record, ensure_ascii=False))
        return
    from cli.show.bonds import describe_bonds

    click.echo(describe_bonds(record))


def _record(rules: RuleSet, layout: str) -> dict[str, Any]:
    from solver.xiangshifu.bonds import bonds, linear_invariants, locks
    from solver.xiangshifu.position import LAYOUTS, format_group

    place = LAYOUTS[layout]
    known = linear_invariants(rules, place)
    return {
        "schema": 1,
        "layout": layout,
        "rules": rules.to_json(),
        "bonds": [
            {
                "tiles": bond.name,
                "groups": [format_group(group) for group in bond.groups],
                "breakers": [format_group(group) for group in bond.breakers],
            }
            for bond in bonds(rules, place)
        ],
        "locks": [
            {
                "name": lock.name,
                "groups": [format_group(group) for group in lock.groups],
                "breakers": [format_group(group) for group in lock.breakers],
                "makers": len(lock.makers),
            }
            for lock in locks(rules, place)
        ],
        "invariants": {
            "dimension": known.dimension,
            "trivial": known.trivial,
            "with_bonds": known.with_bonds,
            "orders": list(known.orders),
            "extra": None if known.extra is None else [[format_group(group) for group in one] for one in known.extra],
        },
    }
