"""``xsf survey``."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cli.common import (
    MOST_DEALS,
    UNDECIDED,
    RulesListType,
    announce_compiling,
    compile_kernels,
    cores,
    note,
    seed_option,
)
from cli.progress import INTERRUPTED, follow, say_stopped
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.store import Store
    from solver.survey import Progress
    from solver.xiangshifu.rules import RuleSet
    from solver.xiangshifu.solve import Limits
    from solver.xiangshifu.survey import Survey

GOAL_SECONDS = 10.0
"""The time limit of a deal where goals are surveyed; some goals can't be decided in any reasonable time."""


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
@seed_option
@click.option("--db", "path", type=click.Path(), required=True, metavar="FILE", help="Where results are kept.")
@click.option("--shortest", is_flag=True, default=None, help="Find shortest lengths too, not only verdicts.")
@click.option("--layout", type=click.Choice(["ten", "shanghai", "eight"]), help="[default: ten]")
@click.option("--goal", metavar="GOAL", help="A goal, or all of the layout's.  [default: the layout's]")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [default: one a core]")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Use the workers of this Dask scheduler instead. For goals each needs the table of components in its cache "
    "folder (XSF_CACHE_DIR), which may be shared with this machine's.",
)
@click.option(
    "--memory", type=click.IntRange(min=1), default=4096, show_default=True, metavar="MIB", help="Memory for a deal."
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help=f"Seconds for a deal, with a goal other than any.  [default: {GOAL_SECONDS:g}]",
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
    time_limit: float | None,
) -> int:
    """Decide many random deals, the same ones under each rule set, and keep the results in FILE.

    What FILE holds is not computed again, so the same command goes on after Ctrl-C or a crash, and a greater --count
    adds deals. Options that FILE answers may be left out; others must agree with it. `xsf report FILE` evaluates it.

    With --goal all it is decided for each goal of the layout whether a deal can reach it. That needs the table of
    components (`xsf tablebase build`), which is built first on this machine if it is missing here.
    """
    if scheduler is not None and jobs is not None:
        raise click.UsageError("--jobs and --scheduler exclude each other")
    announce_compiling()
    from solver.parallel import WorkerDied
    from solver.store import Store

    description = Store.description_in(path)
    survey = _survey(Asked(rules, seed, layout, goal, shortest), description, path)
    limits = _limits(survey, memory, time_limit)
    try:
        with Store.create_or_open(path, survey.description()) as store:
            if description is None and seed is None:
                note(f"seed {survey.seed}")
            last = _run(store, survey, count, limits, cores() if jobs is None else jobs, scheduler)
            if last.done < last.total:
                say_stopped(last.done, last.total)
                return INTERRUPTED
            return (_summarize_goals if survey.goals else _summarize)(store, survey, count)
    except WorkerDied as error:
        raise InputError(f"{error}; fewer --jobs or less --memory may help; what is done is stored") from error
    except MemoryError as error:
        raise InputError("out of memory; less --memory may help; what is done is stored") from error


def _survey(asked: Asked, description: dict[str, Any] | None, path: str) -> Survey:
    """The survey asked for: what is not said comes from the file if it holds one, else from the defaults."""
    from solver.shuffle import fresh_seed
    from solver.xiangshifu.goals import DEFAULTS
    from solver.xiangshifu.rules import CLASSIC
    from solver.xiangshifu.survey import Survey

    given = {name: value for name, value in asked._asdict().items() if value is not None}
    if description is None:
        goal = DEFAULTS[asked.layout or "ten"]
        return Survey(**{"rules": (CLASSIC,), "seed": fresh_seed(), "goal": goal, **given})
    try:
        held = Survey.from_description(description)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    return replace(held, **given)


def _limits(survey: Survey, memory: int, time_limit: float | None) -> Limits:
    from solver.xiangshifu.solve import Limits

    if survey.goals:
        return Limits(memory, GOAL_SECONDS if time_limit is None else time_limit)
    if time_limit is not None:
        raise click.UsageError("--time-limit is for goals other than any, for which every deal is decided soon")
    return Limits(memory)


def _build_tables(survey: Survey, jobs: int) -> None:
    """Build the tables of components that are missing or damaged, which a survey of goals needs; keep the regions."""
    from cli.tables import build_tables, keep_region, lack
    from solver.xiangshifu.position import LAYOUTS
    from solver.xiangshifu.tablebase import MEMORY

    layout = LAYOUTS[survey.layout]
    for rules in survey.rules:
        if lack(layout, rules, None) is not None:
            note(f"building the table of components, rules {rules.id}, layout {layout.name}, which goals need")
            build_tables(layout, rules, [None], jobs, MEMORY, note)
        keep_region(layout, rules)


def _run(store: Store, survey: Survey, count: int, limits: Limits, jobs: int, scheduler: str | None) -> Progress:
    from solver.parallel import check_scheduler
    from solver.xiangshifu.survey import run, stored

    if scheduler is not None:
        # Dask logs whole tracebacks when a connection is lost, which one line of ours reports.
        logging.disable()
    if survey.goals and stored(store, survey, count) < count * len(survey.rules):
        if scheduler is not None:
            # Not to be found out after minutes of building.
            check_scheduler(scheduler)
        _build_tables(survey, jobs)

    def prepare() -> None:
        if jobs > 1 and scheduler is None:
            compile_kernels()

    def begin(stop: Callable[[], bool]) -> Generator[Progress, None, None]:
        return run(store, survey, count, limits=limits, jobs=jobs, scheduler=scheduler, stop=stop)

    return follow(begin, store.path, prepare)


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


def _summarize_goals(store: Store, survey: Survey, count: int) -> int:
    from cli.show.table import table
    from solver.xiangshifu.survey import ANY, VERDICTS, goal_outcomes

    left = 0
    for rules in survey.rules:
        found = goal_outcomes(store, survey, rules.id, count)
        left += int(found[:, VERDICTS.index("undecided")].sum())
        rows = [
            (goal, *(f"{deals:,}" for deals in verdicts))
            for goal, verdicts in zip([*(goal.id for goal in survey.goals), ANY], found.tolist(), strict=True)
        ]
        click.echo(f"{rules.id}  {count:,} deals")
        click.echo("\n".join(f"  {line}" for line in table([("goal", *VERDICTS), *rows], "<>>>")))
    return UNDECIDED if left else 0
