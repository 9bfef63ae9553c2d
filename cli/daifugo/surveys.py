"""What ``xsf daifugo simulate`` and ``strength`` share: options, the file of results, the run."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cli.common import cores, note
from cli.progress import follow, say_stopped
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.daifugo.rules import RuleSet
    from solver.daifugo.survey import Survey
    from solver.store import Store
    from solver.survey import Progress

Function = TypeVar("Function", bound=Callable[..., Any])

MOST_DEALS = (1 << 63) - 1
"""SQLite's integers end here."""


def survey_options(function: Function) -> Function:
    """The options that say which deals are played, where results are kept, and who computes them."""
    for option in reversed(
        (
            click.option(
                "--set",
                "changes",
                multiple=True,
                metavar="OPTION=VALUE",
                help="Change an option of the rules; may be repeated.",
            ),
            click.option(
                "--deals", type=click.IntRange(1, MOST_DEALS), required=True, metavar="N", help="Deals: 0 to N-1 of S."
            ),
            click.option(
                "--seed", type=click.IntRange(min=0), metavar="S", help="Default: a random one, printed on stderr."
            ),
            click.option("--db", "path", type=click.Path(), metavar="FILE", help="Keep results in FILE, and go on."),
            click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [default: one a core]"),
            click.option("--scheduler", metavar="ADDRESS", help="Use the workers of this Dask scheduler instead."),
        )
    ):
        function = option(function)
    return function


def players_of(text: str) -> tuple[str, ...]:
    """Names of players with commas between them."""
    return tuple(name.strip() for name in text.split(","))


def changed_rules(rules: RuleSet, changes: tuple[str, ...]) -> RuleSet:
    """The rules with all ``--set`` options."""
    for change in changes:
        rules = rules.with_option(change)
    return rules


def seed_of(seed: int | None, path: str | None) -> tuple[int, bool]:
    """The seed asked for; else that of the file, if it holds a survey, else a new one; and whether it is new."""
    from solver.daifugo.survey import Survey
    from solver.shuffle import fresh_seed
    from solver.store import Store

    if seed is not None:
        return seed, False
    held = None if path is None else Store.description_in(path)
    if held is not None:
        try:
            return Survey.from_description(held).seed, False
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
    return fresh_seed(), True


@contextmanager
def _opened(survey: Survey, path: str | None) -> Iterator[Store]:
    from solver.store import Store

    if path is not None:
        with Store.create_or_open(path, survey.description()) as store:
            yield store
        return
    with (
        tempfile.TemporaryDirectory(prefix="xsf-") as folder,
        Store.create_or_open(Path(folder) / "survey.db", survey.description()) as store,
    ):
        yield store


@contextmanager
def played(
    survey: Survey, deals: int, path: str | None, *, jobs: int | None, scheduler: str | None, names_seed: bool
) -> Iterator[Store | None]:
    """The file of a survey once its deals are played, None if that was stopped; ``names_seed``: print it first."""
    from solver.daifugo.survey import run
    from solver.parallel import WorkerDied

    if scheduler is not None and jobs is not None:
        raise click.UsageError("--jobs and --scheduler exclude each other")
    if scheduler is not None:
        # Dask logs whole tracebacks when a connection is lost, which one line of ours reports.
        logging.disable()
    processes = cores() if jobs is None else jobs
    with _opened(survey, path) as store:
        if names_seed:
            note(f"seed {survey.seed}")

        def begin(stop: Callable[[], bool]) -> Generator[Progress, None, None]:
            return run(store, survey, deals, jobs=processes, scheduler=scheduler, stop=stop)

        def prepare() -> None:
            if processes > 1 and scheduler is None:
                _compile(survey)

        try:
            last = follow(begin, store.path, prepare)
        except WorkerDied as error:
            raise InputError(f"{error}; fewer --jobs may help; what is done is stored") from error
        if last.done < last.total:
            if path is None:
                note("stopped; with --db FILE a run can be gone on with")
            else:
                say_stopped(last.done, last.total)
            yield None
        else:
            yield store


def _compile(survey: Survey) -> None:
    """Compile what is not in the cache yet, so that the processes find it there."""
    from solver.daifugo.matches import Matches

    for table in survey.tables.values():
        Matches(table, survey.seed).play(0, 0)
