"""What ``xsf cuajo simulate`` and ``strength`` share: options, the file of results, the run."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import Function, cores, note
from cli.progress import Line, say_stopped, stop_on_signals
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.cuajo.survey import Survey
    from solver.store import Store

MOST_DEALS = 1 << 40


def survey_options(function: Function) -> Function:
    """The options that say which deals are played, where results are kept, and who computes them."""
    options: tuple[Callable[[Function], Function], ...] = (
        click.option(
            "--deals", type=click.IntRange(1, MOST_DEALS), required=True, metavar="N", help="Deals: 0 to N-1 of S."
        ),
        click.option(
            "--seed", type=click.IntRange(min=0), metavar="S", help="Default: a random one, printed on stderr."
        ),
        click.option("--db", "path", type=click.Path(), metavar="FILE", help="Keep results in FILE, and go on."),
        click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [default: one a core]"),
    )
    for option in reversed(options):
        function = option(function)
    return function


def players_of(text: str) -> tuple[str, ...]:
    """Names of players with commas between them."""
    return tuple(name.strip() for name in text.split(","))


def seed_of(seed: int | None, path: str | None) -> int:
    """The seed asked for; else that of the file, if it holds a survey, else a new one, which is printed."""
    from solver.cuajo.survey import KIND
    from solver.shuffle import fresh_seed
    from solver.store import Store

    if seed is not None:
        return seed
    held = None if path is None else Store.description_in(path)
    if held is not None:
        if held.get("kind") != KIND or type(held.get("seed")) is not int:
            raise InputError(f"{path}: not a survey of Cuajo")
        return int(held["seed"])
    seed = fresh_seed()
    note(f"seed {seed}")
    return seed


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
def played(survey: Survey, deals: int, path: str | None, jobs: int | None) -> Iterator[Store | None]:
    """The file of a survey once its deals are played; None if that was stopped."""
    with _opened(survey, path) as store:
        if _play(store, survey, deals, cores() if jobs is None else jobs, is_kept=path is not None):
            yield store
        else:
            yield None


def _play(store: Store, survey: Survey, deals: int, jobs: int, *, is_kept: bool) -> bool:
    """Play what is missing, with the progress line; whether that came to its end."""
    from solver.cuajo.survey import run
    from solver.parallel import WorkerDied

    try:
        with (
            stop_on_signals() as stop,
            Line(sys.stderr) as line,
            closing(run(store, survey, deals, jobs=jobs, stop=stop)) as progress,
        ):
            last = next(progress)
            if last.done == last.total:
                note(f"{store.path} holds all {last.total:,} deals already")
            elif jobs > 1:
                _compile(survey)
            line.show(last.done, last.total)
            for last in progress:
                line.show(last.done, last.total)
    except WorkerDied as error:
        raise InputError(f"{error}; fewer --jobs may help; what is done is stored") from error
    if last.done == last.total:
        return True
    if is_kept:
        say_stopped(last.done, last.total)
    else:
        note("stopped; with --db FILE a run can be gone on with")
    return False


def _compile(survey: Survey) -> None:
    """Compile what is not in the cache yet, so that the processes find it there."""
    from solver.cuajo.deals import Deals

    for table in survey.tables.values():
        Deals(table, survey.seed).play(0, 0)
