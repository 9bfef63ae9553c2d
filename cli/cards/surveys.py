"""What ``simulate`` and ``strength`` of a card game share: options, the file of results, the run."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

import click

from cli.common import MOST_DEALS, Function, cores, note, seed_option
from cli.progress import follow, say_stopped
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.store import Store
    from solver.survey import Progress
    from solver.tablesurvey import TableSurvey

    Survey = TypeVar("Survey", bound=TableSurvey[Any])


class Changeable(Protocol):
    """A rule set with options that can be changed."""

    def with_option(self, text: str) -> Self:
        """The rule set with one option changed as ``option=value`` says."""


Rules = TypeVar("Rules", bound=Changeable)


@dataclass(frozen=True)
class Asked:
    """What ``survey_options`` say."""

    changes: tuple[str, ...]
    deals: int
    seed: int | None
    path: str | None
    jobs: int | None
    scheduler: str | None

    def changed(self, rules: Rules) -> Rules:
        """The rules with all ``--set`` options."""
        for change in self.changes:
            rules = rules.with_option(change)
        return rules


OPTIONS = (
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
    seed_option,
    click.option("--db", "path", type=click.Path(), metavar="FILE", help="Keep results in FILE, and go on."),
    click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [default: one a core]"),
    click.option("--scheduler", metavar="ADDRESS", help="Use the workers of this Dask scheduler instead."),
)


def survey_options(function: Callable[..., int]) -> Callable[..., int]:
    """The options that say which deals are played, where results are kept, and who computes them.

    The command gets them as one argument ``asked``.
    """

    @wraps(function)
    def command(**options: Any) -> int:
        asked = Asked(**{each.name: options.pop(each.name) for each in fields(Asked)})
        return function(asked=asked, **options)

    for option in reversed(OPTIONS):
        command = option(command)
    return command


def compare_option(function: Function) -> Function:
    """The option ``--compare``."""
    return click.option(
        "--compare", metavar="OPTION=VALUE", help="Also play the same deals with this option, and compare."
    )(function)


def players_of(text: str) -> tuple[str, ...]:
    """Names of players with commas between them."""
    return tuple(name.strip() for name in text.split(","))


@contextmanager
def played(asked: Asked, kind: type[Survey], tables: Mapping[str, Any]) -> Iterator[tuple[Survey, Store] | None]:
    """The survey of some tables, and its file once the deals are played; None if that was stopped.

    The seed is the one asked for; else that of the file, if it holds a survey, else a new one, which is printed.
    """
    if asked.scheduler is not None and asked.jobs is not None:
        raise click.UsageError("--jobs and --scheduler exclude each other")
    seed, is_new = _seed_of(asked, kind)
    survey = kind(tables, seed)
    with _opened(survey, asked.path) as store:
        if is_new:
            note(f"seed {seed}")
        last = _play(store, survey, asked)
        if last.done == last.total:
            yield survey, store
            return
        if asked.path is None:
            note("stopped; with --db FILE a run can be gone on with")
        else:
            say_stopped(last.done, last.total)
        yield None


def head(survey: TableSurvey[Any], store: Store, deals: int) -> dict[str, Any]:
    """What the JSON of a survey begins with."""
    return {"schema": 1, "version": store.description["version"], "seed": survey.seed, "deals": deals}


def _seed_of(asked: Asked, kind: type[TableSurvey[Any]]) -> tuple[int, bool]:
    """The seed, and whether it is new."""
    from solver.shuffle import fresh_seed
    from solver.store import Store

    if asked.seed is not None:
        return asked.seed, False
    held = None if asked.path is None else Store.description_in(asked.path)
    if held is None:
        return fresh_seed(), True
    try:
        return kind.from_description(held).seed, False
    except InputError as error:
        raise InputError(f"{asked.path}: {error}") from error


@contextmanager
def _opened(survey: TableSurvey[Any], path: str | None) -> Iterator[Store]:
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


def _play(store: Store, survey: TableSurvey[Any], asked: Asked) -> Progress:
    """Play what is missing, with the progress line; how far that came."""
    from solver.parallel import WorkerDied
    from solver.tablesurvey import run

    if asked.scheduler is not None:
        # Dask logs whole tracebacks when a connection is lost, which one line of ours reports.
        logging.disable()
    jobs = cores() if asked.jobs is None else asked.jobs

    def begin(stop: Callable[[], bool]) -> Generator[Progress, None, None]:
        return run(store, survey, asked.deals, jobs=jobs, scheduler=asked.scheduler, stop=stop)

    def prepare() -> None:
        """Compile what is not in the cache yet, so that the processes find it there."""
        if jobs > 1 and asked.scheduler is None:
            for part in survey.parts:
                survey.play_of(part)(0, 0)

    try:
        return follow(begin, store.path, prepare)
    except WorkerDied as error:
        raise InputError(f"{error}; fewer --jobs may help; what is done is stored") from error
