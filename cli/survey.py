"""``xsf survey``."""

from __future__ import annotations

import logging
import sys
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cli.common import UNDECIDED, RulesListType, announce_compiling, compile_kernels, cores, note
from cli.progress import INTERRUPTED, Line, say_stopped, stop_on_signals
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.store import Store
    from solver.xiangshifu.rules import RuleSet
    from solver.xiangshifu.survey import Progress, Survey

MOST_DEALS = (1 << 63) - 1
"""SQLite's integers end here."""


class Asked(NamedTuple):
    """The options that say what the survey is; None where they are left to the file, or to their defaults."""

    rules: tuple[RuleSet, ...] | None
    seed: int | None
    layout: str | None
    goal: str | None
    shortest: bool | None


@click.command("survey")
@click.option("--rules", type=RulesListType(), metavar="RULES,…", help="Rule sets, as for `solve`.  [default: classic]")
@click.option("--count", type=click.IntRange(1, MOST_DEALS), required=True, metavar="N", help="Deals: 0 to N-1 of S.")
@click.option("--seed", type=click.IntRange(min=0), metavar="S", help="Default: a random one, printed on stderr.")
@click.option("--db", "path", type=click.Path(), required=True, metavar="FILE", help="Where results are kept.")
@click.option("--shortest", is_flag=True, default=None, help="Find shortest lengths too, not only verdicts.")
@click.option("--layout", type=click.Choice(["ten", "shanghai", "eight"]), help="[default: ten]")
@click.option("--goal", metavar="GOAL", help="any: any final position.  [default: any]")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [default: one a core]")
@click.option("--scheduler", metavar="ADDRESS", help="Use the workers of this Dask scheduler instead.")
@click.option(
    "--memory", type=click.IntRange(min=1), default=4096, show_default=True, metavar="MIB", help="Memory for a deal."
)
def command(
    rules: tuple[RuleSet, ...] | None,
    count: int,
    seed: int | None,
    path: str,
    shortest: bool | None,
    layout: str | None,
    goal: str | None,
    jobs: int | None,
    scheduler: str | None,
    memory: int,
) -> int:
    """Decide many random deals, the same ones under each rule set, and keep the results in FILE.

    What FILE holds is not computed again, so the same command goes on after Ctrl-C or a crash, and a greater --count
    adds deals. Options that FILE answers may be left out; others must agree with it. `xsf report FILE` evaluates it.
    """
    if goal not in (None, "any"):
        raise click.BadParameter(f"{goal!r}: the only goal is 'any'", param_hint="--goal")
    if scheduler is not None and jobs is not None:
        raise click.UsageError("--jobs and --scheduler exclude each other")
    announce_compiling()
    from solver.parallel import WorkerDied
    from solver.store import Store

    description = Store.description_in(path)
    survey = _survey(Asked(rules, seed, layout, goal, shortest), description, path)
    try:
        with Store.create_or_open(path, survey.description()) as store:
            if description is None and seed is None:
                note(f"seed {survey.seed}")
            last = _run(store, survey, count, memory, cores() if jobs is None else jobs, scheduler)
            if last.done < last.total:
                say_stopped(last.done, last.total)
                return INTERRUPTED
            return _summarize(store, survey, count)
    except WorkerDied as error:
        raise InputError(f"{error}; fewer --jobs or less --memory may help; what is done is stored") from error
    except MemoryError as error:
        raise InputError("out of memory; less --memory may help; what is done is stored") from error


def _survey(asked: Asked, description: dict[str, Any] | None, path: str) -> Survey:
    """The survey asked for: what is not said comes from the file if it holds one, else from the defaults."""
    from solver.shuffle import fresh_seed
    from solver.xiangshifu.rules import CLASSIC
    from solver.xiangshifu.survey import Survey

    given = {name: value for name, value in asked._asdict().items() if value is not None}
    if description is None:
        if asked.goal is None and asked.layout not in (None, "ten"):
            raise InputError(f"layout {asked.layout}: only --goal any can be solved")
        return Survey(**{"rules": (CLASSIC,), "seed": fresh_seed(), **given})
    try:
        held = Survey.from_description(description)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    return replace(held, **given)


def _run(store: Store, survey: Survey, count: int, memory: int, jobs: int, scheduler: str | None) -> Progress:
    from solver.xiangshifu.solve import Limits
    from solver.xiangshifu.survey import run

    if scheduler is not None:
        # Dask logs whole tracebacks when a connection is lost, which one line of ours reports.
        logging.disable()
    limits = Limits(memory)
    with stop_on_signals() as stop, Line(sys.stderr) as line:
        progress = run(store, survey, count, limits=limits, jobs=jobs, scheduler=scheduler, stop=stop)
        with closing(progress):
            last = next(progress)
            if last.done == last.total:
                note(f"{store.path} holds all {last.total:,} deals already")
            elif jobs > 1 and scheduler is None:
                compile_kernels()
            line.show(last.done, last.total)
            for last in progress:
                line.show(last.done, last.total)
    return last


def _summarize(store: Store, survey: Survey, count: int) -> int:
    from solver.xiangshifu.survey import outcomes
    from solver.xiangshifu.verdicts import UNDECIDED as OPEN
    from solver.xiangshifu.verdicts import WINNABLE

    width = max(len(rules.id) for rules in survey.rules)
    left = 0
    for rules in survey.rules:
        found = outcomes(store, rules.id, count)
        winnable, undecided = int(found[WINNABLE]), int(found[OPEN])
        lost = int(found.sum()) - winnable - undecided
        left += undecided
        click.echo(
            f"{rules.id:<{width}}  {count:,} deals: {winnable:,} winnable, {lost:,} unwinnable, {undecided:,} undecided"
        )
    return UNDECIDED if left else 0
