"""Tables of the tablebase, built where a command needs them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING

import click

from cli.common import cores, note
from cli.progress import Line, duration
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.xiangshifu.goals import Goal
    from solver.xiangshifu.position import Layout
    from solver.xiangshifu.rules import RuleSet


def need_tables(layout: Layout, rules: RuleSet, goals: Sequence[Goal | None], may_build: bool) -> None:
    """Build tables that are missing; if that is not allowed, raise InputError with the command that does."""
    from solver.xiangshifu.tablebase import MEMORY

    for goal in goals:
        reason = lack(layout, rules, goal)
        if reason is None:
            continue
        if may_build:
            build_tables(layout, rules, [goal], cores(), MEMORY, note)
        else:
            raise InputError(f"{reason}; build it: {_build_command(layout, rules, goals[-1])}")


def provide_tables(goal: Goal, rules: RuleSet, memory: int) -> None:
    """Build what is missing of the tables that a goal takes, announced in one line on stderr, and keep the region.

    Raises:
        InputError: a table takes more than so many MiB of memory, or can't be written.
    """
    from solver.xiangshifu.rules import CLASSIC

    missing = [wanted for wanted in (None, goal) if lack(goal.layout, rules, wanted) is not None]
    if missing:
        takes = "a minute or two" if rules == CLASSIC else "a while"
        tables = "tables" if len(missing) > 1 else "table"
        note(f"building the {tables} for {goal.id}, layout {goal.layout.name}; this happens once and takes {takes}")
        build_tables(goal.layout, rules, missing, cores(), memory, _silent)
    keep_region(goal.layout, rules)


def keep_region(layout: Layout, rules: RuleSet) -> None:
    """Write the file of a region that a command counts, so that the next one need not; where that fails, it will."""
    from solver.xiangshifu.tablebase import build_region, is_region_built

    try:
        if is_region_built(layout, rules):
            return
    except InputError as error:
        note(f"{error}; it is built again")
    with suppress(InputError):
        build_region(layout, rules, jobs=cores())


def _silent(message: str) -> None:
    pass


def lack(layout: Layout, rules: RuleSet, goal: Goal | None) -> str | None:
    """Why a table can't be used; None if it can."""
    from solver.xiangshifu.tablebase import is_built, table_path

    try:
        return None if is_built(layout, rules, goal) else f"{table_path(layout, rules, goal)}: not built yet"
    except InputError as error:
        return str(error)


def _build_command(layout: Layout, rules: RuleSet, goal: Goal | None) -> str:
    from solver.xiangshifu.rules import CLASSIC
    from solver.xiangshifu.tablebase import is_builtin

    words = ["xsf tablebase build"]
    if layout.name != "ten":
        words.append(f"--layout {layout.name}")
    if rules != CLASSIC:
        words.append(f"--rules {rules.id if is_builtin(rules) else 'FILE'}")
    if goal is not None:
        words.append(f"--goal {goal.id}")
    return " ".join(words)


def build_tables(
    layout: Layout,
    rules: RuleSet,
    goals: Iterable[Goal | None],
    jobs: int,
    memory: int,
    say: Callable[[str], object] = click.echo,
) -> None:
    """Build the tables that are missing or damaged, with a progress line on a terminal.

    Args:
        layout: the layout.
        rules: the rule set.
        goals: the goals, and None for the components, which come first.
        jobs: number of threads.
        memory: MiB that a table may take.
        say: told of each table.

    Raises:
        InputError: a table takes more than that, or can't be written.
    """
    from solver.xiangshifu.tablebase import is_built, table_path

    for goal in goals:
        path = table_path(layout, rules, goal)
        try:
            if is_built(layout, rules, goal):
                say(f"{path}: built already")
                continue
        except InputError as error:
            note(f"{error}; it is built again")
        start = time.monotonic()
        _build(layout, rules, goal, jobs, memory)
        say(f"{path}: built in {duration(time.monotonic() - start)}")


def _build(layout: Layout, rules: RuleSet, goal: Goal | None, jobs: int, memory: int) -> None:
    from solver.xiangshifu.tablebase import Tablebase, build_components, build_distances

    if goal is None:
        progress, total = build_components(layout, rules, jobs=jobs, memory=memory), None
    else:
        progress = build_distances(goal, rules, jobs=jobs, memory=memory)
        total = max(1, Tablebase(layout, rules).reach(goal))
    try:
        with Line(sys.stderr, "positions") as line, closing(progress):
            for step in progress:
                line.show(step.done, total or step.total)
    except MemoryError as error:
        raise InputError("out of memory") from error
