"""What ``xsf show`` and ``xsf solve`` draw into files: pictures, and a page that plays a solution."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cli.common import note
from cli.output import replacing
from solver.errors import InputError
from solver.xiangshifu.names import LANGUAGES

if TYPE_CHECKING:
    from solver.xiangshifu.position import Deal
    from solver.xiangshifu.rules import RuleSet
    from solver.xiangshifu.solve import Result

Function = TypeVar("Function", bound=Callable[..., Any])
Item = TypeVar("Item")

FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)

STEM = "position-"
"""What the name of each picture of a solution begins with; its number follows."""


def lang_option(function: Function) -> Function:
    """The option ``--lang``."""
    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        default="en",
        show_default=True,
        help="Language of names, pictures and pages.",
    )(function)


def drawing_options(function: Function) -> Function:
    """The options ``--svg`` and ``--html`` of a solution."""
    svg = click.option("--svg", type=FOLDER, metavar="DIR", help="Also draw each position of the solution into DIR.")
    html = click.option("--html", type=FILE, metavar="FILE", help="Also write a page that plays the solution.")
    return svg(html(function))


def only_one(deals: list[Item], options: str) -> list[Item]:
    """The same deals, or lines; a usage error if there are several: what is drawn into files is drawn of one."""
    if len(deals) > 1:
        raise click.UsageError(f"{options}: one deal at a time, not {len(deals)}")
    return deals


def need_templates() -> None:
    """Raise InputError if what fills in templates is missing; better before a search than after it."""
    try:
        import jinja2  # noqa: F401
    except ImportError as error:
        raise InputError(f"pictures and pages need Jinja2 ({error}): pip install 'xiangshifu[play]'") from error


def write_picture(deal: Deal, rules: RuleSet, lang: str, path: Path) -> None:
    """Draw a deal into an SVG file; raises InputError if it can't be written."""
    from cli.show.picture import draw_picture

    _write(path, draw_picture(deal, rules, lang))
    note(f"wrote {path}")


def write_solution(result: Result, lang: str, svg: Path | None, html: Path | None) -> None:
    """Draw a solution: its positions into a folder, and a page that plays it.

    Raises:
        InputError: a file can't be written, or the folder holds pictures of another solution.
    """
    if svg is not None:
        _write_pictures(result, lang, svg)
    if html is not None:
        from cli.show.replay import replay_page

        _write(html, replay_page(result, lang))
        note(f"wrote {html}")


def _write_pictures(result: Result, lang: str, folder: Path) -> None:
    from cli.show.picture import draw_solution

    pictures = draw_solution(result, lang)
    digits = len(str(len(pictures) - 1))
    drawn = {folder / f"{STEM}{number:0{digits}}.svg": picture for number, picture in enumerate(pictures)}
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.glob(f"{STEM}*.svg")):
        if path not in drawn:
            raise InputError(f"{path}: is of another solution; choose another folder, or empty this one")
    for path, picture in drawn.items():
        _write(path, picture)
    note(f"wrote {len(drawn)} {'picture' if len(drawn) == 1 else 'pictures'} into {folder}")


def _write(path: Path, text: str) -> None:
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
