"""What commands share: the options of the interface, reading input, and talking on stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from solver.errors import InputError

if TYPE_CHECKING:
    from cli.show.style import Style
    from solver.xiangshifu.position import Deal

Function = TypeVar("Function", bound=Callable[..., Any])

WARM_UP = 300
"""Deals of seed 1 that take nearly every kernel."""

MOST_DEALS = (1 << 63) - 1
"""SQLite's integers end here."""

FAILED, BAD_INPUT, UNDECIDED = 1, 2, 3

GOALS = (
    "What to reach. Layout ten: any (any final position), a pair such as pair:22-22 or pair:12-24, five-dragons, "
    "generals. Shanghai: shanghai, any. Eight: eight-civil, eight-military, eight (either), any.  "
    "[default: any, shanghai, eight]"
)


class RulesType(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """The value of ``--rules``: a rule set of a game, whose package is loaded when it is needed."""

    name = "rules"

    def __init__(self, game: str = "xiangshifu") -> None:
        self._game = game

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """A rule set from its text."""
        rule_set = import_module(f"solver.{self._game}.rules").RuleSet
        if isinstance(value, rule_set):
            return value
        try:
            return rule_set.parse(str(value))
        except InputError as error:
            self.fail(str(error), param, ctx)


class RulesListType(RulesType):
    """The value of ``--rules`` where there may be several, with commas between them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Rule sets from their texts."""
        if isinstance(value, tuple):
            return value
        return tuple(super(RulesListType, self).convert(text.strip(), param, ctx) for text in str(value).split(","))


class GoalType(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """The value of ``--goal``: a text that names a goal in some layout; a deal tells which goal it is."""

    name = "goal"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text."""
        from solver.xiangshifu.goals import parse_goal
        from solver.xiangshifu.position import LAYOUTS

        wrong = []
        for layout in LAYOUTS.values():
            try:
                parse_goal(str(value), layout)
            except InputError as error:
                wrong.append(str(error))
        if len(wrong) == len(LAYOUTS):
            self.fail(wrong[0], param, ctx)
        return str(value)


def rules_option_of(game: str, default: str, text: str) -> Callable[[Function], Function]:
    """The option ``--rules`` of a game, with its help."""
    return click.option("--rules", type=RulesType(game), default=default, show_default=True, metavar="RULES", help=text)


def rules_option(function: Function) -> Function:
    """The option ``--rules``."""
    text = "classic, thirteen, mixed-dragon, multiple, several joined by +, or a TOML file."
    return rules_option_of("xiangshifu", "classic", text)(function)


def goal_option(function: Function) -> Function:
    """The option ``--goal``."""
    return click.option("--goal", type=GoalType(), metavar="GOAL", help=GOALS)(function)


def json_option(function: Function) -> Function:
    """The option ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")(function)


def seed_option(function: Function) -> Function:
    """The option ``--seed``; ``seed_or_new`` gives the seed."""
    return click.option(
        "--seed", type=click.IntRange(min=0), metavar="S", help="Default: a random one, printed on stderr."
    )(function)


def ascii_option(function: Function) -> Function:
    """The option ``--ascii``."""
    return click.option("--ascii", "only_ascii", is_flag=True, help="Draw with ASCII characters only.")(function)


def input_argument(function: Function) -> Function:
    """The argument INPUT."""
    return click.argument("source", metavar="[INPUT]", required=False)(function)


def style(only_ascii: bool, lang: str = "en") -> Style:
    """How to draw on this stdout: colours only on a terminal without NO_COLOR, Unicode only if it can be encoded."""
    from cli.show.style import Style

    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Style(color=color, ascii=only_ascii or not encoding.startswith("utf"), lang=lang)


def announce_compiling() -> None:
    """Say on stderr when kernels have to be compiled, which takes a while and happens once."""
    from solver.jit import on_first_compile

    on_first_compile(lambda: note("compiling the kernels; this happens once and takes about a minute"))


def compile_kernels() -> None:
    """Compile what is not in the cache yet, so that the processes of a long run find it there."""
    from solver.cache import kernels_are_cached

    if not kernels_are_cached():
        from solver.xiangshifu.rules import CLASSIC
        from solver.xiangshifu.verdicts import Decider

        Decider(CLASSIC).decide(1, 0, WARM_UP)


def cores() -> int:
    """How many cores this process may use."""
    with suppress(AttributeError):
        return os.process_cpu_count() or 1  # type: ignore[attr-defined,no-any-return,unused-ignore]
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def note(message: str) -> None:
    """One line for the person at the keyboard, on stderr."""
    click.echo(f"xsf: {message}", err=True)


def seed_or_new(seed: int | None) -> int:
    """The seed asked for, else a new one, which is printed."""
    from solver.shuffle import fresh_seed

    if seed is None:
        seed = fresh_seed()
        note(f"seed {seed}")
    return seed


def compact_json(record: Any) -> str:
    """JSON on one line."""
    return json.dumps(record, ensure_ascii=False, separators=(", ", ": "))


class Input:
    """Lines of the input argument: standard input for ``-`` or none, a file if it exists, else one line of text.

    ``failed`` tells afterwards whether a line was bad; each such line has been named on stderr.
    """

    def __init__(self, source: str | None, what: str) -> None:
        self.failed = False
        self._what = what
        if source is None and sys.stdin.isatty():
            raise click.UsageError(f"give {what}, a file, or - for standard input")
        self._source = "-" if source is None else source
        self._is_text = self._source != "-" and not os.path.exists(self._source)
        if self._is_text and not any(character.isdigit() for character in self._source):
            raise InputError(f"{self._source!r} is neither a file nor {what}")
        if self._is_text and Path(self._source).suffix in (".txt", ".json", ".jsonl"):
            raise InputError(f"{self._source}: no such file")

    @property
    def is_text(self) -> bool:
        """Whether the argument itself is the input."""
        return self._is_text

    def lines(self) -> Iterator[str]:
        """The lines; raises InputError if the file can't be read."""
        if self._is_text:
            yield self._source
        elif self._source == "-":
            yield from _decoded(sys.stdin, "standard input")
        else:
            with open(self._source, encoding="utf-8") as file:
                yield from _decoded(file, self._source)

    def bad(self, number: int, reason: object) -> None:
        """Report a bad line."""
        self.failed = True
        where = "" if self._is_text else f"{'standard input' if self._source == '-' else self._source}: line {number}: "
        note(f"{where}{reason}")

    def numbered(self) -> Iterator[tuple[int, str]]:
        """The lines that are not blank, without their comments, and their numbers from 1."""
        for number, line in enumerate(self.lines(), 1):
            text = line.partition("#")[0].strip()
            if text:
                yield number, text

    def deals(self) -> Iterator[Deal]:
        """The deals, one a line; bad lines are reported and left out."""
        from solver.xiangshifu.position import Deal

        for number, text in self.numbered():
            try:
                yield Deal.parse(text)
            except InputError as error:
                self.bad(number, error)


def _decoded(file: TextIO, name: str) -> Iterator[str]:
    try:
        yield from file
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 text ({error.reason})") from error
