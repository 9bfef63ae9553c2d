"""``xsf remedies``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from cli.common import (
    UNDECIDED,
    RulesListType,
    announce_compiling,
    ascii_option,
    compact_json,
    compile_kernels,
    json_option,
    note,
    seed_option,
    seed_or_new,
    style,
)
from cli.output import replacing
from cli.progress import INTERRUPTED, Line, say_stopped, stop_on_signals
from solver.errors import InputError

if TYPE_CHECKING:
    from cli.show.style import Style
    from solver.store import Store
    from solver.xiangshifu.remedysearch import SearchReport
    from solver.xiangshifu.rules import RuleSet
    from solver.xiangshifu.survey import Survey


@click.command("remedies")
@click.option("--count", type=click.IntRange(min=1), default=2000, show_default=True, metavar="N", help="Deals.")
@seed_option
@click.option(
    "--rules",
    type=RulesListType(),
    metavar="A,B,...",
    help="Rule sets to compare with classic.  [default: all combinations of the three remedies]",
)
@click.option(
    "--shortest/--no-shortest", default=None, help="Whether to compare shortest lengths, too.  [default: shortest]"
)
@click.option("--db", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Keep verdicts in FILE.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Processes.")
@click.option("--search", is_flag=True, help="Look for better remedies instead.")
@click.option(
    "--best",
    type=click.IntRange(min=1),
    default=15,
    show_default=True,
    metavar="K",
    help="With --search: candidates to try on deals of those with one, two and three changes each.",
)
@click.option("--without-kao", is_flag=True, help="With --search: take two-three-kao away, as mixed-dragon does.")
@click.option(
    "--toml",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="With --search: write those that were tried as rule files into this folder.",
)
@json_option
@ascii_option
def command(
    count: int,
    seed: int | None,
    rules: tuple[RuleSet, ...] | None,
    shortest: bool | None,
    db: Path | None,
    jobs: int,
    search: bool,
    best: int,
    without_kao: bool,
    toml: Path | None,
    as_json: bool,
    only_ascii: bool,
) -> int:
    """Compare remedies with the classic rules, on the same random deals.

    With --db, FILE is a survey: what it holds is not computed again, an interrupted run goes on where it was, and
    `xsf report` reads it. Of a FILE that exists, seed, rules and --shortest are taken from it.

    With --search, further changes of the classic rules are ranked by the groups that they leave dead or conditionally
    dead, the new valid triples, and the deals that the best of them win.
    """
    announce_compiling()
    if search:
        _refuse(rules=rules, db=db, shortest=shortest)
        return _search(seed_or_new(seed), count, jobs, best, without_kao, toml, None if as_json else style(only_ascii))
    _refuse(toml=toml, without_kao=without_kao or None)
    from solver.xiangshifu.remedies import remedies_report
    from solver.xiangshifu.survey import run

    if db is not None and _is_begun(db):
        survey = _existing(db, seed, rules, shortest)
    else:
        survey = _new(seed_or_new(seed), rules, shortest is not False)
    with _open(survey, db) as store:
        if jobs > 1:
            compile_kernels()
        with stop_on_signals() as stop, Line(sys.stderr) as line:
            for last in run(store=store, survey=survey, count=count, jobs=jobs, stop=stop):
                line.show(last.done, last.total)
        if last.done < last.total:
            say_stopped(last.done, last.total) if db else note("stopped; with --db FILE a run can be gone on with")
            return INTERRUPTED
        found = remedies_report(survey, store, count)
    if as_json:
        click.echo(compact_json(found.to_json()))
    else:
        from cli.show.remedies import describe_remedies

        click.echo(describe_remedies(found, style(only_ascii)))
    return UNDECIDED if found.undecided else 0


def _new(seed: int, rules: tuple[RuleSet, ...] | None, shortest: bool) -> Survey:
    from solver.xiangshifu.remedies import all_remedies, with_baseline
    from solver.xiangshifu.rules import CLASSIC
    from solver.xiangshifu.survey import Survey

    chosen = with_baseline(all_remedies() if rules is None else rules, CLASSIC)
    return Survey(rules=chosen, seed=seed, layout="ten", goal="any", shortest=shortest)


def _existing(db: Path, seed: int | None, rules: tuple[RuleSet, ...] | None, shortest: bool | None) -> Survey:
    """The part of a file's survey that is asked for."""
    from solver.store import Store
    from solver.xiangshifu.remedies import with_baseline
    from solver.xiangshifu.rules import CLASSIC
    from solver.xiangshifu.survey import Survey

    with Store.open(db) as store:
        survey = Survey.from_description(store.description)
    if seed not in (None, survey.seed):
        raise InputError(f"{db}: holds deals of seed {survey.seed}, not {seed}")
    if shortest not in (None, survey.shortest):
        raise InputError(f"{db}: was begun with{'' if survey.shortest else 'out'} shortest lengths")
    chosen = with_baseline(survey.rules if rules is None else rules, CLASSIC)
    for record in chosen:
        if record not in survey.rules:
            raise InputError(f"{db}: holds no deals of rules {record.id!r}")
    return replace(survey, rules=chosen)


def _is_begun(db: Path) -> bool:
    return db.exists() and db.stat().st_size > 0


@contextmanager
def _open(survey: Survey, db: Path | None) -> Iterator[Store]:
    """The file, created if need be, or one that is gone afterwards."""
    from solver.store import Store

    if db is None:
        with TemporaryDirectory(prefix="xsf-") as folder, _open(survey, Path(folder) / "survey.db") as store:
            yield store
        return
    description = survey.description()
    if _is_begun(db):
        with Store.open(db) as existing:
            description = existing.description
    with Store.create_or_open(db, description) as store:
        yield store


def _refuse(**options: object) -> None:
    """Refuse options that mean nothing here."""
    for name, value in options.items():
        if value is not None:
            raise click.UsageError(f"--{name.replace('_', '-')} has no meaning with{_OUT[name]} --search")


_OUT = {"rules": "", "db": "", "shortest": "", "toml": "out", "without_kao": "out"}


def _search(
    seed: int, count: int, jobs: int, best: int, without_kao: bool, toml: Path | None, shown: Style | None
) -> int:
    from solver.xiangshifu.remedysearch import Scored, score, search_report, worth_trying

    if jobs > 1:
        compile_kernels()
    candidates, chosen = worth_trying(best=best, without_kao=without_kao)
    scored: list[Scored] = []
    with Line(sys.stderr, "candidates") as line:
        for one in score(chosen, seed, count, jobs=jobs):
            scored.append(one)
            line.show(len(scored), len(chosen))
    found = search_report(seed, count, candidates, scored)
    if toml is not None:
        _write_rules(found, toml)
    if shown is None:
        click.echo(compact_json(found.to_json()))
    else:
        from cli.show.remedies import describe_search

        click.echo(describe_search(found, best, shown))
    return UNDECIDED if any(one.undecided for one in found.scored) else 0


def _write_rules(found: SearchReport, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for one in found.scored:
        with replacing(folder / f"{one.change.name}.toml") as temporary:
            temporary.write_text(one.change.toml(), encoding="utf-8")
    note(f"wrote {len(found.scored)} files to {folder}")
