"""``xsf check``."""

from __future__ import annotations

import json
from collections import Counter
from typing import IO, TYPE_CHECKING

import click

from cli.common import BAD_INPUT, FAILED, Input, input_argument, note, rules_option
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.xiangshifu.rules import RuleSet


@click.command("check")
@input_argument
@click.option("--full", is_flag=True, help="Also repeat exhaustions and confirm that solutions are shortest.")
@click.option("--moves", type=click.File(encoding="utf-8"), metavar="FILE", help="Check a list of exchanges of DEAL.")
@rules_option
def command(source: str | None, full: bool, moves: IO[str] | None, rules: RuleSet) -> int:
    """Confirm results of `xsf solve --json` by an independent program.

    INPUT holds one JSON object a line. With --moves FILE it is a deal instead, and FILE a person's own exchanges, one a
    line: `16 23`, or `44-11 65-65` for a whole pair; --rules is for these only.
    """
    if moves is not None:
        return _check_moves(source, moves, rules)
    from solver.xiangshifu.checker import check

    given = Input(source, "results")
    checked, failed = 0, 0
    unconfirmed: Counter[str] = Counter()
    for number, line in enumerate(given.lines(), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            given.bad(number, f"not JSON: {error}")
            continue
        report = check(record, full=full)
        checked += 1
        failed += bool(report.failures)
        for failure in report.failures:
            click.echo(f"line {number}: {failure}")
        if report.unconfirmed:
            unconfirmed[report.unconfirmed.split(" of ")[0]] += 1
    click.echo(f"checked {checked}, failed {failed}")
    if unconfirmed:
        left = ", ".join(f"{what} of {count:,}" for what, count in unconfirmed.items())
        note(f"not confirmed without --full: {left}")
    if given.failed:
        return BAD_INPUT
    return FAILED if failed else 0


def _check_moves(source: str | None, moves: IO[str], rules: RuleSet) -> int:
    from solver.xiangshifu.checker import BadResult, check_moves

    if source is None:
        raise click.UsageError("--moves needs a deal")
    given = Input(source, "a deal")
    deals = list(given.deals())
    if given.failed:
        return BAD_INPUT
    if len(deals) != 1:
        raise InputError(f"--moves needs one deal, not {len(deals)}")
    try:
        report = check_moves(str(deals[0]), moves, rules.to_json())
    except BadResult as error:
        raise InputError(str(error)) from error
    for failure in report.failures:
        click.echo(failure)
    legal = f"{report.moves} legal {'move' if report.moves == 1 else 'moves'}"
    click.echo(f"{legal}; {'all groups are valid: won' if report.final else 'not all groups are valid'}")
    return 0 if report.final and not report.failures else FAILED
