"""What the play page asks for, read from JSON that anybody may have sent: everything is bounded and checked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from cli.play.questions import HINT, WINNABLE, Question
from solver.errors import Fault, InputError
from solver.shuffle import INDEX_LIMIT, SEED_LIMIT, fresh_seed
from solver.xiangshifu.goals import Goal, parse_goal
from solver.xiangshifu.position import LAYOUTS, Deal, Layout
from solver.xiangshifu.rules import REMEDIES, RuleSet, combine

MOST_BYTES = 4096
"""Of a request's body; a deal has some hundred."""

MOST_TEXT = 1000
RULE_SETS = ("classic", *REMEDIES)
ANSWER_SECONDS = 20.0


@dataclass(frozen=True)
class Board:
    """A position of a game, and what it is played by."""

    position: Deal
    rules: RuleSet
    goal: Goal


def read_object(body: bytes) -> dict[str, Any]:
    """The JSON object in a request's body; raises InputError if it is none or too long."""
    if len(body) > MOST_BYTES:
        raise InputError("the request is too long")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise InputError("the request is not JSON") from None
    if not isinstance(found, dict):
        raise InputError("the request is no JSON object")
    return found


def read_rules(value: object) -> RuleSet:
    """A built-in rule set, remedies joined by ``+``; never a file. Raises InputError."""
    names = value.split("+") if isinstance(value, str) and len(value) < MOST_TEXT else []
    if not names or any(name not in RULE_SETS for name in names):
        raise InputError(f"rules must be some of {', '.join(RULE_SETS)}, joined by +", Fault("no-rules"))
    return combine(set(names) - {"classic"})


def read_layout(value: object) -> Layout:
    """A layout by its name; raises InputError."""
    if not isinstance(value, str) or value not in LAYOUTS:
        raise InputError(f"layout must be one of {', '.join(LAYOUTS)}", Fault("layout"))
    return LAYOUTS[value]


def read_text(value: object, what: str) -> str:
    """A text of a sensible length; raises InputError."""
    if not isinstance(value, str) or len(value) > MOST_TEXT:
        raise InputError(f"{what} must be a short text", Fault("no-short-text"))
    return value


def read_board(record: dict[str, Any]) -> Board:
    """``position``, ``rules`` and ``goal`` of a request; raises InputError."""
    position = Deal.parse(read_text(record.get("position"), "position"))
    goal = record.get("goal")
    wanted = parse_goal(None if goal is None else read_text(goal, "goal"), position.layout)
    return Board(position, read_rules(record.get("rules", "classic")), wanted)


def read_exchange(record: dict[str, Any]) -> tuple[list[int], list[list[str]]]:
    """``places`` and ``out`` of a request; raises InputError."""
    places, out = record.get("places"), record.get("out")
    if not (isinstance(places, list) and all(type(place) is int for place in places)):
        raise InputError("places must be a list of two numbers")
    is_tiles = isinstance(out, list) and len(out) == 2 and all(isinstance(tiles, list) for tiles in out)
    if not is_tiles or not all(isinstance(tile, str) for tiles in out for tile in tiles):  # type: ignore[union-attr]
        raise InputError("out must be two lists of tiles")
    return places, out  # type: ignore[return-value]


def read_question(record: dict[str, Any], kind: str, may_build: bool = True) -> Question:
    """What the solver is to be asked about a board; raises InputError."""
    if kind not in (HINT, WINNABLE):
        raise InputError(f"a question is {HINT} or {WINNABLE}")
    board = read_board(record)
    return Question(kind, str(board.position), board.rules, board.goal.id, ANSWER_SECONDS, may_build)


def read_number(value: object, what: str, limit: int) -> int:
    """A number from 0 below a limit, as text or number; raises InputError."""
    text = str(value)
    if not (text.isascii() and text.isdecimal()) or len(text) > len(str(limit)) or int(text) >= limit:
        raise InputError(f"{what} must be a number from 0 to {limit - 1}", Fault(what))
    return int(text)


def read_deal(query: dict[str, Any]) -> tuple[Deal, int | None, int | None]:
    """A deal as a link names it, by text or by seed and number, with these two; raises InputError."""
    if "deal" in query:
        return Deal.parse(read_text(query["deal"], "deal")), None, None
    layout = read_layout(query.get("layout", "ten"))
    seed = read_number(query["seed"], "seed", SEED_LIMIT) if query.get("seed") else fresh_seed()
    index = read_number(query.get("index", 0), "index", INDEX_LIMIT)
    return Deal.random(seed, index, layout), seed, index
