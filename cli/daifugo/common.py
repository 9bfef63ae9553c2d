"""What the commands of Daifugō share: their rules option."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from solver.errors import InputError

if TYPE_CHECKING:
    from solver.daifugo.rules import RuleSet

Function = TypeVar("Function", bound=Callable[..., Any])


class RulesType(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """The value of ``--rules``: a preset's name or a TOML file."""

    name = "rules"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> RuleSet:
        """A rule set from its text."""
        from solver.daifugo.rules import RuleSet

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
        help="traditional, president, polish, uecda, 1979, or a TOML file.",
    )(function)
