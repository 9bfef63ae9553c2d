"""``xsf solve --all-shortest``: the options, and the answer to one deal in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from cli.show.style import Style
    from solver.xiangshifu.shortest import ShortestSolutions

Function = TypeVar("Function", bound=Callable[..., Any])

MOST_LISTED = 10
"""How many solutions are listed unless ``--most`` says otherwise."""


def all_shortest_options(function: Function) -> Function:
    """The options ``--all-shortest`` and ``--most``."""
    function = click.option(
        "--most",
        type=click.IntRange(min=0),
        metavar="N",
        help=f"With --all-shortest: how many solutions to list.  [default: {MOST_LISTED}]",
    )(function)
    return click.option(
        "--all-shortest", is_flag=True, help="Count all solutions with the fewest moves, and list some."
    )(function)


def most_listed(all_shortest: bool, most: int | None, first: bool, goal: str | None) -> int | None:
    """How many solutions are to be listed; None if all shortest solutions are not asked for.

    Args:
        all_shortest, most: the values of the options.
        first, goal: those of ``--first`` and ``--goal``.

    Raises:
        click.UsageError: the options don't go together.
    """
    if not all_shortest:
        if most is not None:
            raise click.UsageError("--most has no meaning without --all-shortest")
        return None
    if first:
        raise click.UsageError("--first has no meaning with --all-shortest")
    if goal not in (None, "any"):
        raise click.UsageError("--all-shortest is for the goal 'any' only")
    return MOST_LISTED if most is None else most


def verdict_of(found: ShortestSolutions) -> str:
    """The verdict; ``undecided`` also if a deal is won but a limit kept its shortest solutions from being counted."""
    return found.result.verdict if found.reason is None else "undecided"


def readable(found: ShortestSolutions, most: int, style: Style, *, board: bool) -> str:
    """What is known of the shortest solutions of a deal, below the deal.

    Args:
        found: what was found.
        most: how many solutions are listed at most.
        style: colours and characters.
        board: whether to draw the deal.
    """
    from cli.show.board import draw_board
    from cli.show.shortest import describe_shortest

    deal = found.result.deal
    head = draw_board(deal, found.result.rules, style) + "\n" if board else str(deal)
    return f"{head}\n{describe_shortest(found, most, style)}"
