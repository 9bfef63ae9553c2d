"""Matches of several deals: dealing, seats, scores; and logs that can be replayed.

A match is a pure function of its rules, seed and players: deal ``number`` falls as ``dealing`` says, the first dealer
sits in the last seat, so that seat 0 gets the first card, and the loser of a deal deals the next. Choices where the
rules are silent, beside those named in ``exchange``: swapped titles (``joker_revolution``) count for everything that
follows in the deal, who may fall (``miyako_ochi``) included; the last player of a small table may keep jokers
(``joker_kept``) as a Daihinmin may; the rich name at most as many cards as they are due (``on_request``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.random import Philox

from solver.daifugo.cards import Hand, deck, parse_cards
from solver.daifugo.dealing import PLAYER_STREAM, deal_hands, draw_leader
from solver.daifugo.events import Dealt, Event, Finished
from solver.daifugo.exchange import seating
from solver.daifugo.players import Player, View
from solver.daifugo.plays import Play, parse_play
from solver.daifugo.roster import make_player
from solver.daifugo.rules import RuleSet
from solver.daifugo.table import Table
from solver.errors import InputError
from solver.shuffle import check_shuffle


@dataclass(frozen=True)
class DealResult:
    """How a deal ended; all tuples are by player, not by seat.

    Attributes:
        number: of the deal in the match, from 0.
        order: the players clockwise.
        places: 0 the first.
        titles: as ``exchange.TITLES`` writes them.
        scores: of this deal.
    """

    number: int
    order: tuple[int, ...]
    places: tuple[int, ...]
    titles: tuple[str, ...]
    scores: tuple[int, ...]


def player_seed(seed: int, player: int) -> int:
    """The seed of what a player of a match does at random."""
    return int(Philox(key=seed, counter=(player << 64) | (PLAYER_STREAM << 192)).random_raw())


class Match:
    """Several deals between the same players.

    Args:
        rules: the rule set; ``rounds`` is how many deals ``play`` plays.
        players: clockwise from seat 0 of the first deal: players, or names of ``roster.PLAYERS``.
        seed: of all that is random.
        names: what to call the players in logs; by default the names they are asked for by, or their classes'.
        watch: called with every event, nothing hidden.

    Raises:
        InputError: a number of players the rules don't allow, an unknown name, a seed out of range.
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
        rules.check_players(len(players))
        check_shuffle(seed, 0)
        self.rules = rules
        self.seed = seed
        self.names = tuple(
            names or (player if isinstance(player, str) else type(player).__name__ for player in players)
        )
        if len(self.names) != len(players):
            raise InputError(f"{len(self.names)} names for {len(players)} players")
        self.results: list[DealResult] = []
        self.totals: tuple[int, ...] = (0,) * len(players)
        self.events: list[Event] = []
        self._players = [
            make_player(player, player_seed(seed, number)) if isinstance(player, str) else player
            for number, player in enumerate(players)
        ]
        self._watch = watch
        self._order = tuple(range(len(players)))

    def play(self) -> list[DealResult]:
        """Play the deals that are left of the match, and return the results of all."""
        while len(self.results) < self.rules.rounds:
            self.play_deal()
        return self.results

    def play_deal(self) -> DealResult:
        """Play the next deal, also beyond the rounds of the rules; one that breaks off leaves no trace but events.

        Raises:
            IllegalAction: a player chose what the rules forbid, and did not choose again.
        """
        number, size = len(self.results), len(self._players)
        before = self.results[-1].places if self.results else None
        order = self._order if before is None else seating(self.rules, self._order, before)
        places = None if before is None else tuple(before[player] for player in order)
        dealer = size - 1 if places is None else places.index(size - 1)
        dealt = Dealt(number, order, dealer, deal_hands(self.rules, size, self.seed, number, dealer))
        seated = [self._players[player] for player in order]
        drawn = draw_leader(size, self.seed)
        end = Table(self.rules, seated, dealt, places, drawn, self.totals, self._tell).play()
        self._order = order
        return self._enter(number, end)

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

    def _tell(self, event: Event) -> None:
        self.events.append(event)
        if self._watch is not None:
            self._watch(event)

    def _enter(self, number: int, end: Finished) -> DealResult:
        seat_of = {player: seat for seat, player in enumerate(self._order)}
        seats = [seat_of[player] for player in range(len(self._order))]
        result = DealResult(
            number,
            self._order,
            tuple(end.places[seat] for seat in seats),
            tuple(end.titles[seat] for seat in seats),
            tuple(end.scores[seat] for seat in seats),
        )
        self.results.append(result)
        self.totals = tuple(map(sum, zip(self.totals, result.scores, strict=True)))
        return result


def replay_log(lines: Iterable[str]) -> Match:
    """The match that ``Match.log`` wrote, played again from its actions; all else is worked out and compared.

    Raises:
        InputError: a line that is none of a log, an action the rules forbid, an event that did not come about, or a
            log that ends within a deal; the message names the line.
    """
    reader = _LogReader(lines)
    rules, seed, names = reader.head()
    players = [_LoggedPlayer(reader, rules) for _ in names]
    try:
        match = Match(rules, players, seed, names=names, watch=reader.check)
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

    def __init__(self, reader: _LogReader, rules: RuleSet) -> None:
        self._reader = reader
        self._rules = rules

    def play(self, view: View) -> Play | None:
        record = self._action(view, "play", "pass")
        return None if record["event"] == "pass" else parse_play(_text(record, "play"), self._rules)

    def discard(self, view: View) -> Hand | None:
        record = self._action(view, "discard")
        return self._cards(record, "card") if record.get("is_done") else None

    def request(self, view: View, count: int) -> Hand:
        return self._cards(self._action(view, "request"), "cards")

    def give(self, view: View, count: int) -> Hand:
        return self._cards(self._action(view, "gift"), "cards")

    def give_back(self, view: View, count: int) -> Hand:
        return self._cards(self._action(view, "return"), "cards")

    def _action(self, view: View, *kinds: str) -> dict[str, Any]:
        record = self._reader.peek()
        if record is None:
            raise InputError("the log ends within a deal")
        if record.get("event") not in kinds or record.get("seat") != view.seat:
            due = f"a {' or '.join(kinds)} of seat {view.seat} is due"
            raise InputError(f"{due}, not {json.dumps(record.get('event'))} of seat {json.dumps(record.get('seat'))}")
        return record

    def _cards(self, record: dict[str, Any], key: str) -> Hand:
        return parse_cards(_text(record, key), deck(self._rules.decks, self._rules.jokers))


def _text(record: dict[str, Any], key: str) -> str:
    text = record.get(key)
    if not isinstance(text, str):
        raise InputError(f"{key}: a text, not {json.dumps(text)}")
    return text
