"""What ``play`` of a card game shares: names, the deals, files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.common import Function
from cli.output import replacing

if TYPE_CHECKING:
    from solver.match import BaseMatch

YOU = "you"


def log_option(function: Function) -> Function:
    """The option ``--log``."""
    return click.option(
        "--log", type=click.Path(path_type=Path), metavar="FILE", help="Save what happens as JSON lines."
    )(function)


def told_apart(names: Sequence[str]) -> list[str]:
    """Names with a number where they occur more than once."""
    total, seen = Counter(names), Counter[str]()
    told = []
    for name in names:
        seen[name] += 1
        told.append(f"{name} {seen[name]}" if total[name] > 1 else name)
    return told


def play_deals(
    match: BaseMatch[Any, Any, Any], deals: int, results: Callable[[], Iterable[str]], save: Callable[[], None]
) -> None:
    """Play deals of a match until the person leaves.

    Args:
        match: with a person.
        deals: how many.
        results: what to tell after a deal.
        save: called after each deal; and before the first, so that a bad path is told at once.
    """
    from cli.cards.person import Leave

    save()
    try:
        for _ in range(deals):
            match.play_deal()
            for line in results():
                click.echo(line)
            save()
    except Leave:
        click.echo("left")


def write_lines(path: Path | None, lines: Callable[[], Iterable[str]]) -> None:
    """Write a file of lines, if there is to be one."""
    if path is not None:
        with replacing(path) as temporary:
            temporary.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
