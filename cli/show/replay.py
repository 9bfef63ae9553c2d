"""A page that plays a solution: one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cli.show.goal import goal_head
from cli.show.loss import explain_loss
from cli.show.render import render
from cli.show.scene import Scene, scenes
from cli.show.style import Style
from cli.show.words import WORDS, Words
from solver.xiangshifu.groups import group_names
from solver.xiangshifu.moves import Move
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.solve import Result
from solver.xiangshifu.tiles import TILES


def replay_page(result: Result, lang: str = "en") -> str:
    """The page of a deal: its solution to step through, or why there is none.

    Args:
        result: the result.
        lang: the language, one of ``names.LANGUAGES``; the reason of a loss is in English.
    """
    words = WORDS[lang]
    moves = result.moves or ()
    found = scenes(result.deal, moves, result.rules)
    return render(
        "replay.html.j2",
        words=words,
        headline=words.headline(result),
        facts=_facts(result, found[0], words),
        reason=explain_loss(result, Style()) if result.verdict == "unwinnable" else "",
        scene=found[0],
        deal=str(result.deal).split(),
        kinds=sorted({tile.name for group in found[0].groups for tile in group.tiles}),
        moves=[_move(move, found[number], result.rules, words) for number, move in enumerate(moves, 1)],
        record={
            "steps": [_step(number, found, result, words) for number in range(len(found))],
            "words": {"play": words.play, "pause": words.pause},
        },
    )


def _facts(result: Result, scene: Scene, words: Words) -> list[str]:
    goal = [] if result.goal in ("any", scene.layout.name) else [goal_head(result.goal, words.lang)]
    layout = words.layout(scene)
    return [*([layout] if layout != words.game else []), words.rules_of(result.rules), *goal]


def _move(move: Move, after: Scene, rules: RuleSet, words: Words) -> dict[str, Any]:
    """A move as the list of moves shows it."""
    return {
        "out": [TILES.names(mask) for mask in move.out],
        "groups": move.groups,
        "results": [
            {
                "place": place,
                "name": words.caption(after.groups[place]),
                "repaired": not group_names(before, rules),
            }
            for place, before in zip(move.groups, move.before, strict=True)
        ],
    }


def _step(number: int, found: Sequence[Scene], result: Result, words: Words) -> dict[str, Any]:
    """The position after so many moves as the script of the page takes it."""
    scene, moves = found[number], result.moves or ()
    if number < len(moves):
        about = f"{words.next}{words.colon}{' ⇄ '.join(words.tiles(mask) for mask in moves[number].out)}"
    else:
        about = words.standing(scene) if result.moves is None else words.end(result)
    return {
        "groups": [
            {
                "tiles": [tile.number for tile in group.tiles],
                "caption": words.caption(group),
                "valid": bool(group.names),
            }
            for group in scene.groups
        ],
        "moving": sorted(scene.moving),
        "title": words.step.format(number=number, total=len(moves)) if number else words.deal,
        "about": about,
        "announce": words.announce(number, found, result),
    }
