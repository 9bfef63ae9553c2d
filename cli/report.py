"""``xsf report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import ascii_option, compact_json, json_option, note, style
from cli.output import replacing
from solver.errors import InputError

if TYPE_CHECKING:
    from cli.show.style import Style
    from solver.store import Store
    from solver.xiangshifu.goalreport import GoalReport
    from solver.xiangshifu.report import Report

OUTPUT = click.Path(dir_okay=False, path_type=Path)


@click.command("report")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values, one row a rule set.")
@click.option("--parquet", type=OUTPUT, metavar="F", help="Also write all deals to a Parquet file.")
@click.option("--plot", type=OUTPUT, metavar="F", help="Also draw a figure, F.svg or F.png.")
@ascii_option
def command(file: Path, as_json: bool, as_csv: bool, parquet: Path | None, plot: Path | None, only_ascii: bool) -> int:
    """Report what the survey in FILE shows so far: shares with 95 % intervals, proofs, lengths, the hardest deals.

    Of a survey of goals, the shares of each goal. The survey may be unfinished or running.
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other")
    if plot is not None and plot.suffix not in (".svg", ".png"):
        raise click.BadParameter(f"{str(plot)!r} ends neither in .svg nor in .png", param_hint="--plot")
    from solver.store import Store
    from solver.xiangshifu.goalreport import GoalReport

    with Store.open(file) as store:
        found = _found(store, file)
        if parquet is not None:
            if isinstance(found, GoalReport):
                raise click.UsageError("--parquet is for surveys of goal any")
            _write_parquet(store, parquet)
    if plot is not None:
        _write_plot(found, plot)
    if as_json:
        click.echo(compact_json(found.to_json()))
    elif as_csv:
        click.echo(_csv(found), nl=False)
    else:
        click.echo(_description(found, style(only_ascii)))
    return 0


def _found(store: Store, file: Path) -> Report | GoalReport:
    from solver.xiangshifu.goalreport import goal_report
    from solver.xiangshifu.report import report
    from solver.xiangshifu.survey import Survey

    try:
        return goal_report(store) if Survey.from_description(store.description).goals else report(store)
    except InputError as error:
        raise InputError(f"{file}: {error}") from error


def _csv(found: Report | GoalReport) -> str:
    from cli.show.goalreport import goal_report_csv
    from cli.show.report import report_csv
    from solver.xiangshifu.goalreport import GoalReport

    return goal_report_csv(found) if isinstance(found, GoalReport) else report_csv(found)


def _description(found: Report | GoalReport, how: Style) -> str:
    from cli.show.goalreport import describe_goal_report
    from cli.show.report import describe_report
    from solver.xiangshifu.goalreport import GoalReport

    return describe_goal_report(found, how) if isinstance(found, GoalReport) else describe_report(found, how)


def _write_parquet(store: Store, path: Path) -> None:
    try:
        from cli.show.parquet import write_parquet
    except ImportError as error:
        raise InputError(f"--parquet needs pyarrow ({error}): pip install 'xiangshifu[parquet]'") from error
    with replacing(path) as temporary:
        rows = write_parquet(store, temporary)
    note(f"wrote {rows:,} deals to {path}")


def _write_plot(found: Report | GoalReport, path: Path) -> None:
    try:
        from cli.show.plot import write_plot
    except ImportError as error:
        raise InputError(f"--plot needs matplotlib ({error}): pip install 'xiangshifu[plot]'") from error
    from cli.show.goalreport import write_goal_plot
    from solver.xiangshifu.goalreport import GoalReport

    with replacing(path) as temporary:
        if isinstance(found, GoalReport):
            write_goal_plot(found, temporary)
        else:
            write_plot(found, temporary)
    note(f"wrote {path}")
