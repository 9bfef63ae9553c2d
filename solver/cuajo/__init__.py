"""Cuajo, the Philippine card game for two pairs of partners: hands, purro, payments, deals in play and players.

The names below are the public interface; they are imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.cuajo.cards import parse_card as parse_card
    from solver.cuajo.cards import parse_cards as parse_cards
    from solver.cuajo.game import Action as Action
    from solver.cuajo.game import Game as Game
    from solver.cuajo.game import IllegalAction as IllegalAction
    from solver.cuajo.hand import Hand as Hand
    from solver.cuajo.hand import analyse as analyse
    from solver.cuajo.hand import discards as discards
    from solver.cuajo.hand import purro as purro
    from solver.cuajo.match import Match as Match
    from solver.cuajo.match import replay_log as replay_log
    from solver.cuajo.odds import dealt_hands as dealt_hands
    from solver.cuajo.payment import Win as Win
    from solver.cuajo.payment import pay as pay
    from solver.cuajo.players import PLAYERS as PLAYERS
    from solver.cuajo.players import Player as Player
    from solver.cuajo.players import View as View
    from solver.cuajo.rules import RuleSet as RuleSet

_HOMES = {
    "parse_card": "cards",
    "parse_cards": "cards",
    "Action": "game",
    "Game": "game",
    "IllegalAction": "game",
    "Hand": "hand",
    "analyse": "hand",
    "discards": "hand",
    "purro": "hand",
    "Match": "match",
    "replay_log": "match",
    "dealt_hands": "odds",
    "Win": "payment",
    "pay": "payment",
    "PLAYERS": "players",
    "Player": "players",
    "View": "players",
    "RuleSet": "rules",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'solver.cuajo' has no attribute {name!r}")
    value = getattr(import_module(f"solver.cuajo.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
