"""What the commands of Cuajo share: their options, and hands from the command line, a file or standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import click

from cli.common import BAD_INPUT, Function, Input, rules_option_of
from solver.errors import InputError

rules_option = rules_option_of(
    "cuajo", "traditional", "traditional, options such as porbis_kings=yes,secret_payers=one, or a TOML file."
)
"""The option ``--rules``."""


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
