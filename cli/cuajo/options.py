"""What the commands of Cuajo share: their options, and hands from the command line, a file or standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cli.common import BAD_INPUT, Function, Input
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.cuajo.rules import RuleSet


class RulesType(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """The value of ``--rules``."""

    name = "rules"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> RuleSet:
        """A rule set from its text."""
        from solver.cuajo.rules import RuleSet

        if isinstance(value, RuleSet):
            return value
        try:
            return RuleSet.parse(str(value))
        except InputError as error:
            self.fail(str(error), param, ctx)


def rules_option(function: Function) -> Function:
    """The option ``--rules``."""
    return click.option(
        "--rules",
        type=RulesType(),
        default="traditional",
        show_default=True,
        metavar="RULES",
        help="traditional, options such as porbis_kings=yes,secret_payers=one, or a TOML file.",
    )(function)


def sowee_option(function: Function) -> Function:
    """The option ``--sowee``."""
    return click.option("--sowee", metavar="CARD", help="The card turned up after the deal.")(function)


def laid_option(function: Function) -> Function:
    """The option ``--laid``."""
    return click.option(
        "--laid",
        default="",
        metavar="CARDS",
        help="Secrets that are laid: four identical cards, or three like the sowee and a closed fourth.",
    )(function)


def seen_option(function: Function) -> Function:
    """The option ``--seen``."""
    return click.option(
        "--seen", default="", metavar="CARDS", help="Cards seen elsewhere: discards, shown cards, turned ones."
    )(function)


def hand_argument(cards: int) -> Callable[[Function], Function]:
    """The argument CARDS, so many of them."""

    def decorate(function: Function) -> Function:
        return click.argument("cards", metavar=f'"{cards} CARDS"', nargs=-1)(function)

    return decorate


def answer_hands(cards: tuple[str, ...], answer: Callable[[str], str], *, apart: bool) -> int:
    """Print the answer to a hand, or to each line of a file or of standard input; return the exit status.

    Args:
        cards: the arguments: cards, in quotes or not; a file; ``-``; or nothing for standard input.
        answer: what to print for the text of a hand; raises InputError for a bad one.
        apart: whether an empty line stands between two answers.
    """
    if cards and not (len(cards) == 1 and (cards[0] == "-" or os.path.isfile(cards[0]))):
        click.echo(answer(" ".join(cards)))
        return 0
    given = Input(cards[0] if cards else None, "a hand")
    first = True
    for number, text in given.numbered():
        try:
            found = answer(text)
        except InputError as error:
            given.bad(number, error)
            continue
        if apart and not first:
            click.echo()
        first = False
        click.echo(found)
        sys.stdout.flush()
    return BAD_INPUT if given.failed else 0
