"""Templates of pictures and pages, filled in by Jinja2; what they show is escaped."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from cli.show.tile import HEIGHT, WIDTH, pips

_FOLDER = "templates"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("cli.show", _FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(asset=_asset, pips=pips, tile_width=WIDTH, tile_height=HEIGHT)
    return environment


def _asset(name: str) -> Markup:
    """A style sheet or script as it is, to stand inside a picture or page."""
    return Markup(files("cli.show").joinpath(_FOLDER, name).read_text(encoding="utf-8").rstrip())


def render(template: str, **values: Any) -> str:
    """A template with its values filled in.

    Args:
        template: the name of its file.
        values: what it takes; one that is missing is an error.
    """
    return _environment().get_template(template).render(**values)
