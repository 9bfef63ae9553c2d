"""Daifugō, the Japanese climbing card game, with every option of its rules.

The names below are the public interface; they are imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.daifugo.cards import format_cards as format_cards
    from solver.daifugo.cards import parse_cards as parse_cards
    from solver.daifugo.endgame import solve_endgame as solve_endgame
    from solver.daifugo.game import Game as Game
    from solver.daifugo.game import IllegalAction as IllegalAction
    from solver.daifugo.match import Match as Match
    from solver.daifugo.match import replay_log as replay_log
    from solver.daifugo.players import Player as Player
    from solver.daifugo.players import View as View
    from solver.daifugo.plays import Play as Play
    from solver.daifugo.plays import legal_plays as legal_plays
    from solver.daifugo.plays import parse_play as parse_play
    from solver.daifugo.records import read_records as read_records
    from solver.daifugo.replay import replay_records as replay_records
    from solver.daifugo.roster import PLAYERS as PLAYERS
    from solver.daifugo.rules import PRESETS as PRESETS
    from solver.daifugo.rules import RuleSet as RuleSet
    from solver.daifugo.shedding import fewest_plays as fewest_plays

_HOMES = {
    "format_cards": "cards",
    "parse_cards": "cards",
    "Game": "game",
    "IllegalAction": "game",
    "Match": "match",
    "replay_log": "match",
    "PLAYERS": "roster",
    "solve_endgame": "endgame",
    "fewest_plays": "shedding",
    "Player": "players",
    "View": "players",
    "Play": "plays",
    "legal_plays": "plays",
    "parse_play": "plays",
    "read_records": "records",
    "replay_records": "replay",
    "PRESETS": "rules",
    "RuleSet": "rules",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'solver.daifugo' has no attribute {name!r}")
    value = getattr(import_module(f"solver.daifugo.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
