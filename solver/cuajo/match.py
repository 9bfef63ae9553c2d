"""Matches of several deals, money and all; and logs that can be replayed.

A match is a pure function of its rules, seed and players: deal ``number`` falls as ``dealing`` says, the first dealer
is drawn by lot, and then the winner of a deal deals the next, or after a draw the same dealer again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from solver.cuajo.cards import card, parse_card
from solver.cuajo.dealing import PLAYER_STREAM, draw_dealer
from solver.cuajo.game import Action, Game, IllegalAction
from solver.cuajo.players import Player, View, make_player
from solver.cuajo.rules import PLAYERS, RuleSet
from solver.errors import InputError
from solver.events import Event
from solver.match import BaseMatch, LogReader, replay, text_of
from solver.shuffle import check_shuffle


@dataclass(frozen=True)
class DealResult:
    """How a deal ended.

    Attributes:
        number: of the deal in the match, from 0.
        dealer: who dealt.
        winner: who won; None for a draw.
        cents: what each seat got.
    """

    number: int
    dealer: int
    winner: int | None
    cents: tuple[int, ...]


class Match(BaseMatch[RuleSet, Player, DealResult]):
    """Several deals between the same players.

    Args:
        rules: the rule set.
        players: in turn order: players, or names of ``players.PLAYERS``.
        seed: of all that is random.
        names: what to call the players in logs; by default the names they are asked for by, or their classes'.
        watch: called with every event, nothing hidden.

    Raises:
        InputError: not four players, an unknown name, a seed out of range.
    """

    def __init__(
        self,
        rules: RuleSet,
        players: Sequence[Player | str],
        seed: int = 0,
        *,
        names: Sequence[str] | None = None,
        watch: Callable[[Event], None] | None = None,
    ) -> None:
        check_shuffle(seed, 0)
        named = len(names or players)
        if not len(players) == named == PLAYERS:
            raise InputError(f"{len(players)} players and {named} names: Cuajo is played by {PLAYERS}")
        super().__init__(rules, players, seed, make_player, PLAYER_STREAM, names=names, watch=watch)
        self._dealer = draw_dealer(seed)

    def play(self, deals: int) -> list[DealResult]:
        """Play so many more deals, and return the results of all."""
        for _ in range(deals):
            self.play_deal()
        return self.results

    def play_deal(self) -> DealResult:
        """Play the next deal; one that breaks off leaves no trace but events.

        Raises:
            IllegalAction: a player chose what the rules forbid, and did not choose again.
        """
        number = len(self.results)
        game = Game.deal(self.seed, number, self._dealer, self.rules)
        self._tell(game.events)
        while not game.is_over:
            self._tell(self._act(game))
        self._dealer = game.dealer if game.winner is None else game.winner
        return self._enter(DealResult(number, game.dealer, game.winner, game.cents), game.cents)

    def _act(self, game: Game) -> tuple[Event, ...]:
        """Let the one to act choose until what they choose can be done."""
        seat = game.actor
        player = self._players[seat]
        while True:
            action = player.act(View.of(game, seat, self.totals))
            try:
                return game.do(action, seat=seat)
            except IllegalAction as error:
                if not player.refused(str(error)):
                    raise

    def _tell(self, events: Iterable[Event]) -> None:
        for event in events:
            self._note(event)
            for seat, player in enumerate(self._players):
                seen = event.seen_by(seat)
                if seen is not None:
                    player.saw(seen)


def replay_log(lines: Iterable[str]) -> Match:
    """The match that ``Match.log`` wrote, played again from its actions; all else is worked out and compared.

    Raises:
        InputError: a line that is none of a log, an action the rules forbid, an event that did not come about, or a
            log that ends within a deal; the message names the line.
    """

    def begin(reader: LogReader, rules: RuleSet, seed: int, names: Sequence[str]) -> Match:
        return Match(rules, [_LoggedPlayer(reader) for _ in names], seed, names=names, watch=reader.check)

    return replay(lines, RuleSet.from_json, begin)


class _LoggedPlayer(Player):
    """Does what the log says."""

    def __init__(self, reader: LogReader) -> None:
        self._reader = reader

    def act(self, view: View) -> Action:
        record = self._reader.due()
        event = record.get("event")
        if record.get("seat") != view.seat:
            was = json.dumps(record.get("seat"))
            raise InputError(f"an action of seat {view.seat} is due, not {json.dumps(event)} of seat {was}")
        if event == "discard":
            return Action("discard", _kind(record, "card"))
        if event == "secret":
            if record.get("closed") is None:
                return Action("lay", _kind(record, "card"))
            return Action("close", _kind(record, "closed"))
        if event not in ("draw", "take", "win", "pass", "skip"):
            raise InputError(f"an action of seat {view.seat} is due, not {json.dumps(event)}")
        return Action(str(event))


def _kind(record: dict[str, Any], key: str) -> int:
    return parse_card(text_of(record, key, f"a card such as {card(0)}"))
