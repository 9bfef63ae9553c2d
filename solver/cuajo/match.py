"""Matches of several deals, money and all; and logs that can be replayed.

A match is a pure function of its rules, seed and players: deal ``number`` falls as ``dealing`` says, the first dealer
is drawn by lot, and then the winner of a deal deals the next, or after a draw the same dealer again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.random import Philox

from solver.cuajo.cards import card, parse_card
from solver.cuajo.dealing import PLAYER_STREAM, draw_dealer
from solver.cuajo.events import Event
from solver.cuajo.game import Action, Game, IllegalAction
from solver.cuajo.players import Player, View, make_player
from solver.cuajo.rules import PLAYERS, RuleSet
from solver.errors import InputError
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


def player_seed(seed: int, player: int) -> int:
    """The seed of what a player of a match does at random."""
    return int(Philox(key=seed, counter=(player << 64) | (PLAYER_STREAM << 192)).random_raw())


class Match:
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
        self.rules = rules
        self.seed = seed
        self.names = tuple(
            names or (player if isinstance(player, str) else type(player).__name__ for player in players)
        )
        if not len(players) == len(self.names) == PLAYERS:
            raise InputError(f"{len(players)} players and {len(self.names)} names: Cuajo is played by {PLAYERS}")
        self.results: list[DealResult] = []
        self.totals: tuple[int, ...] = (0,) * PLAYERS
        self.events: list[Event] = []
        self._players = [
            make_player(player, player_seed(seed, number)) if isinstance(player, str) else player
            for number, player in enumerate(players)
        ]
        self._watch = watch
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
        result = DealResult(number, game.dealer, game.winner, game.cents)
        self.results.append(result)
        self.totals = tuple(map(sum, zip(self.totals, game.cents, strict=True)))
        self._dealer = game.dealer if game.winner is None else game.winner
        return result

    def log(self) -> list[str]:
        """The match so far as JSON lines, which ``replay_log`` reads: a head, and a line an event."""
        head = {
            "schema": 1,
            "event": "match",
            "rules": self.rules.to_json(),
            "seed": self.seed,
            "players": list(self.names),
        }
        return [json.dumps(record, ensure_ascii=False) for record in (head, *(e.to_json() for e in self.events))]

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
            self.events.append(event)
            if self._watch is not None:
                self._watch(event)
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
    reader = _LogReader(lines)
    rules, seed, names = reader.head()
    try:
        match = Match(rules, [_LoggedPlayer(reader) for _ in names], seed, names=names, watch=reader.check)
        while reader.peek() is not None:
            match.play_deal()
    except InputError as error:
        raise InputError(f"line {reader.number}: {error}") from error
    return match


class _LogReader:
    """The lines of a log, one looked at ahead; ``number`` is that of the line looked at last."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.number = 0
        self._lines: Iterator[str] = iter(lines)
        self._next: dict[str, Any] | None = None

    def peek(self) -> dict[str, Any] | None:
        """The next record; None at the end."""
        while self._next is None:
            line = next(self._lines, None)
            if line is None:
                return None
            self.number += 1
            if line.strip():
                self._next = _read_record(line)
        return self._next

    def take(self) -> dict[str, Any]:
        """The next record, which must be there."""
        record = self.peek()
        if record is None:
            raise InputError("the log ends within a deal")
        self._next = None
        return record

    def head(self) -> tuple[RuleSet, int, list[str]]:
        """Rules, seed and names of the players, from the first record."""
        try:
            if self.peek() is None:
                raise InputError("the log is empty")
            record = self.take()
            if record.get("event") != "match" or not isinstance(record.get("rules"), dict):
                raise InputError("a log begins with an event 'match' and its rules")
            seed, names = record.get("seed"), record.get("players")
            if type(seed) is not int or not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise InputError("the head of a log has a seed and the players' names")
            return RuleSet.from_json(record["rules"]), seed, names
        except InputError as error:
            raise InputError(f"line {self.number}: {error}") from error

    def check(self, event: Event) -> None:
        """Raise InputError unless the next record is this event."""
        record, expected = self.take(), event.to_json()
        if record != expected:
            wrong = next((key for key in expected if record.get(key) != expected[key]), "keys")
            was, due = json.dumps(record.get(wrong)), json.dumps(expected.get(wrong))
            raise InputError(f"{record.get('event')}: {wrong} is {was}, and {due} comes of what was done")


def _read_record(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise InputError(f"not JSON: {error}") from error
    if not isinstance(record, dict):
        raise InputError("not a JSON object")
    return record


class _LoggedPlayer(Player):
    """Does what the log says."""

    def __init__(self, reader: _LogReader) -> None:
        self._reader = reader

    def act(self, view: View) -> Action:
        record = self._reader.peek()
        if record is None:
            raise InputError("the log ends within a deal")
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
    text = record.get(key)
    if not isinstance(text, str):
        raise InputError(f"{key}: a card such as {card(0)}, not {json.dumps(text)}")
    return parse_card(text)
