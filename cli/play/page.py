"""The play page: its HTML, and the style sheets, scripts and pictures that it loads."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any

from cli.play.requests import MOST_TEXT
from cli.play.words import ERRORS, REFUSALS, WORDS
from cli.show.goal import goal_head
from cli.show.render import render
from solver.xiangshifu.goals import named_goals
from solver.xiangshifu.names import COMBINATIONS, LAYOUTS, PAIRS, TILES, rules_name
from solver.xiangshifu.position import LAYOUTS as ALL_LAYOUTS
from solver.xiangshifu.position import Layout
from solver.xiangshifu.rules import REMEDIES, combine

TAGS = {"en": "en", "zh": "zh-Hant"}

ASSETS = {
    "page.css": "text/css",
    "tile.css": "text/css",
    "board.css": "text/css",
    "play.css": "text/css",
    "board.js": "text/javascript",
    "play.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
"""The files the page loads, and their types."""


@cache
def read_asset(name: str) -> tuple[bytes, str]:
    """One of ``ASSETS`` and its type; raises KeyError for another name."""
    return files("cli.show").joinpath("templates", name).read_bytes(), ASSETS[name]


@cache
def play_page(lang: str) -> str:
    """The page in one of the languages of ``names``."""
    return render(
        "play.html.j2",
        lang=lang,
        tag=TAGS[lang],
        words=WORDS[lang],
        kinds=sorted(TILES),
        layouts=[(name, LAYOUTS[name].within(lang)) for name in ALL_LAYOUTS],
        rules=[(rules, _head(rules_name(rules, lang))) for rules in _rule_sets()],
        facts=_facts(lang),
    )


def _head(text: str) -> str:
    return text[0].upper() + text[1:]


def _rule_sets() -> list[str]:
    """All built-in rule sets, those with fewer remedies first."""
    return [combine(set(chosen)).id for size in range(len(REMEDIES) + 1) for chosen in combinations(REMEDIES, size)]


def _facts(lang: str) -> dict[str, Any]:
    """What the page's script needs."""
    return {
        "words": WORDS[lang],
        "refusals": REFUSALS[lang],
        "errors": ERRORS[lang],
        "mostText": MOST_TEXT,
        "names": {
            "tiles": {tile: name.within(lang) for tile, name in TILES.items()},
            "combinations": {name: names.within(lang) for name, names in COMBINATIONS.items()},
            "pairs": {pair: name.zh for pair, name in PAIRS.items()} if lang == "zh" else {},
            "language": lang,
            "otherLanguage": "en" if lang == "zh" else "zh",
        },
        "goals": {
            layout.name: [(goal, goal_head(goal, lang)) for goal in _goals(layout)] for layout in ALL_LAYOUTS.values()
        },
    }


def _goals(layout: Layout) -> list[str]:
    """The goals of a layout, the default first."""
    default = {"ten": "any"}.get(layout.name, layout.name)
    return list(dict.fromkeys([default, *(goal.id for goal in named_goals(layout)), "any"]))
