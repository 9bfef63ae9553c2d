"""The command ``xsf``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from cli import (
    bonds,
    check,
    daifugo,
    deadgroups,
    deal,
    graph,
    hint,
    remedies,
    report,
    show_deal,
    solve,
    survey,
    tablebase,
)
from cli.cuajo import group as cuajo
from cli.play import command as play
from solver.errors import InputError

BAD_INPUT = 2
INTERRUPTED = 130


class OneLineErrors(click.Group):
    """A group whose errors are one line on stderr each, never a traceback, with the interface's exit status."""

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = "xsf", **extra: Any
    ) -> NoReturn:
        """Run the command and exit."""
        extra.pop("standalone_mode", None)
        try:
            status = super().main(args, prog_name, standalone_mode=False, **extra)
            sys.stdout.flush()
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.ctx.get_help() if error.ctx else error.format_message())
            sys.exit(0)
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else "xsf"
            _fail(f"{path}: {' '.join(error.format_message().split())}")
        except click.ClickException as error:
            _fail(f"xsf: {error.format_message()}")
        except InputError as error:
            _fail(f"xsf: {error}")
        except (KeyboardInterrupt, click.Abort):
            click.echo("xsf: interrupted", err=True)
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            # The reader has gone (a closed `head`); keep Python from failing again when it flushes at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        except OSError as error:
            _fail(f"xsf: {error.filename or 'output'}: {error.strerror or error}")
        sys.exit(status if isinstance(status, int) else 0)


def _fail(message: str) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(BAD_INPUT)


@click.group(cls=OneLineErrors, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="xiangshifu", prog_name="xsf")
def main() -> None:
    """Xiang Shi Fu, the Chinese domino patience: solve deals, or prove that they can't be won.

    \b
    xsf deal | xsf solve            solve a random deal
    xsf play                        play one; --serve: in the browser
    xsf solve data/deals/public-deals.txt
    xsf solve --goal five-dragons deals.txt
    xsf solve --json - < deals.txt | xsf check -
    """


for _module in (
    solve,
    hint,
    check,
    deal,
    show_deal,
    play,
    deadgroups,
    graph,
    survey,
    report,
    remedies,
    bonds,
    tablebase,
    daifugo,
    cuajo,
):
    main.add_command(_module.command)


if __name__ == "__main__":
    main()
