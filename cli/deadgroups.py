"""``xsf dead-groups``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.common import announce_compiling, ascii_option, compact_json, json_option, rules_option, style
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.xiangshifu.losses import Losses
    from solver.xiangshifu.rules import RuleSet
    from solver.xiangshifu.theory import Theory

MOST_SIZE = 4


@click.command("dead-groups")
@rules_option
@json_option
@ascii_option
@click.option(
    "--size",
    type=click.IntRange(1, MOST_SIZE),
    default=3,
    show_default=True,
    metavar="N",
    help=f"Find sets of up to N groups that are dead together; {MOST_SIZE} takes minutes.",
)
@click.option("--exact", is_flag=True, help="Find exact shares also where that takes a minute.")
@click.option(
    "--deals",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Also decide N random deals, and show what their losses come from.",
)
@click.option("--seed", type=click.IntRange(0, (1 << 128) - 1), default=1, show_default=True, help="Seed of the deals.")
@click.option("--db", type=click.Path(path_type=Path), metavar="FILE", help="Take the deals of this survey instead.")
def command(
    rules: RuleSet, as_json: bool, only_ascii: bool, size: int, exact: bool, deals: int, seed: int, db: Path | None
) -> int:
    """Find the groups that lose a deal from the start, alone or together, and how many deals they lose."""
    if db is not None and deals:
        raise click.UsageError("--deals and --db exclude each other")
    announce_compiling()
    from solver.xiangshifu.odds import MOST_UNIONS
    from solver.xiangshifu.theory import FEW_UNIONS, theory

    found = theory(rules, size, MOST_UNIONS if exact else FEW_UNIONS)
    losses = _surveyed(found, db) if db is not None else _simulated(found, seed, deals) if deals else None
    if as_json:
        click.echo(compact_json(_to_json(found, losses)))
    else:
        from cli.show.deadgroups import describe_losses, describe_theory

        click.echo(describe_theory(found, style(only_ascii)))
        if losses is not None:
            click.echo()
            click.echo(describe_losses(losses, style(only_ascii)))
    return 0


def _surveyed(theory: Theory, db: Path) -> Losses:
    """What the survey in a file says of the losses under the theory's rules."""
    from solver.store import Store
    from solver.xiangshifu.losses import explain
    from solver.xiangshifu.survey import Survey, first_records

    with Store.open(db) as store:
        try:
            survey = Survey.from_description(store.description)
        except InputError as error:
            raise InputError(f"{db}: {error}") from error
        if theory.found.rules not in survey.rules or survey.layout != "ten":
            raise InputError(f"{db}: holds no deals of ten triples and a pair under rules {theory.found.rules.id!r}")
        stretches = store.covered(theory.found.rules.id)
        count = stretches[0][1] if stretches and stretches[0][0] == 0 else 0
        return explain(theory, survey.seed, first_records(store, theory.found.rules.id, count))


def _simulated(theory: Theory, seed: int, deals: int) -> Losses:
    from solver.xiangshifu.losses import explain
    from solver.xiangshifu.verdicts import Decider

    return explain(theory, seed, Decider(theory.found.rules).decide(seed, 0, deals))


def _to_json(theory: Theory, losses: Losses | None) -> dict[str, Any]:
    from solver.xiangshifu.losses import expected_shares

    dead, conditional = theory.levels[:2]
    return {
        **theory.found.to_json(),
        "odds": {
            "dead": [one.to_json() for one in dead.sets],
            "conditionally_dead": [one.to_json() for one in conditional.sets],
        },
        "dead_together": {"most_groups": theory.size, "sets": [one.to_json() for one in theory.together]},
        "levels": [share.to_json() for share in (losses.shares if losses else expected_shares(theory))],
        "simulation": losses.to_json() if losses else None,
        "unexplained": [held.to_json() for held in losses.unexplained] if losses else None,
    }
