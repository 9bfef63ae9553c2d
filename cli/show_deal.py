"""``xsf show``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.common import (
    BAD_INPUT,
    Input,
    announce_compiling,
    ascii_option,
    compact_json,
    input_argument,
    json_option,
    rules_option,
    style,
)
from cli.pictures import FILE, lang_option, need_templates, only_one, write_picture

if TYPE_CHECKING:
    from solver.xiangshifu.position import Deal
    from solver.xiangshifu.rules import RuleSet


@click.command("show")
@input_argument
@rules_option
@json_option
@click.option("--svg", type=FILE, metavar="FILE", help="Also draw the board into FILE.")
@lang_option
@ascii_option
def command(source: str | None, rules: RuleSet, as_json: bool, svg: Path | None, lang: str, only_ascii: bool) -> int:
    """Draw deals as players lay them, naming valid groups and marking invalid ones."""
    given = Input(source, "a deal")
    announce_compiling()
    deals = given.deals()
    if svg is not None:
        need_templates()
        deals = iter(only_one(list(deals), "--svg"))
    for number, deal in enumerate(deals):
        if svg is not None:
            write_picture(deal, rules, lang, svg)
        if as_json:
            click.echo(compact_json(_record(deal, rules)))
            continue
        from cli.show.board import draw_board

        if number:
            click.echo()
        click.echo(draw_board(deal, rules, style(only_ascii, lang)))
    return BAD_INPUT if given.failed else 0


def _record(deal: Deal, rules: RuleSet) -> dict[str, Any]:
    from solver.xiangshifu.groups import group_names

    groups = [
        {"tiles": list(deal.tiles(place)), "names": list(group_names(group, rules))}
        for place, group in enumerate(deal.groups)
    ]
    return {
        "schema": 1,
        "deal": str(deal),
        "layout": deal.layout.name,
        "rules": rules.to_json(),
        "groups": groups,
        "invalid": sum(not group["names"] for group in groups),
    }
