"""Matches of several deals between the same players, and logs that can be replayed; knows no game."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from numpy.random import Philox

from solver.errors import InputError
from solver.events import Event
from solver.shuffle import check_shuffle


class Recorded(Protocol):
    """A rule set, as far as a match knows it."""

    def to_json(self) -> dict[str, Any]:
        """The whole record as JSON values."""


Rules = TypeVar("Rules", bound=Recorded)
Player = TypeVar("Player")
Result = TypeVar("Result")


def player_seed(seed: int, player: int, stream: int) -> int:
    """The seed of what a player of a match does at random, from that stream of the match's seed."""
    return int(Philox(key=seed, counter=(player << 64) | (stream << 192)).random_raw())


class BaseMatch(ABC, Generic[Rules, Player, Result]):
    """What the matches of all games have in common; a game's plays its deals.

    Args:
        rules: the rule set.
        players: players, or names.
        seed: of all that is random.
        make_player: makes a player from a name, and a seed for what it does at random.
        stream: of the seed, where players' seeds come from.
        names: what to call the players in logs; by default the names they are asked for by, or their classes'.
        watch: called with every event, nothing hidden.

    Attributes:
        results: of the deals that were played to the end.
        totals: what each player has got so far.
        events: all that happened.

    Raises:
        InputError: an unknown name, more or fewer names than players, a seed out of range.
    """

    def __init__(
        self,
        rules: Rules,
        players: Sequence[Player | str],
        seed: int,
        make_player: Callable[[str, int], Player],
        stream: int,
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
        if len(self.names) != len(players):
            raise InputError(f"{len(self.names)} names for {len(players)} players")
        self.results: list[Result] = []
        self.totals: tuple[int, ...] = (0,) * len(players)
        self.events: list[Event] = []
        self._players = [
            make_player(player, player_seed(seed, number, stream)) if isinstance(player, str) else player
            for number, player in enumerate(players)
        ]
        self._watch = watch

    @abstractmethod
    def play_deal(self) -> Result:
        """Play the next deal."""

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

    def _note(self, event: Event) -> None:
        """Keep an event, and tell who watches."""
        self.events.append(event)
        if self._watch is not None:
            self._watch(event)

    def _enter(self, result: Result, gains: Sequence[int]) -> Result:
        """Enter the result of a deal, and what each player got."""
        self.results.append(result)
        self.totals = tuple(map(sum, zip(self.totals, gains, strict=True)))
        return result


AnyMatch = TypeVar("AnyMatch", bound=BaseMatch[Any, Any, Any])


def replay(
    lines: Iterable[str],
    read_rules: Callable[[Mapping[str, Any]], Rules],
    begin: Callable[[LogReader, Rules, int, Sequence[str]], AnyMatch],
) -> AnyMatch:
    """The match that ``BaseMatch.log`` wrote, played again from its actions; all else is worked out and compared.

    Args:
        lines: of the log.
        read_rules: makes the rule set from its record.
        begin: makes the match from rules, seed and names, with players that do what the reader's next record says,
            and with ``LogReader.check`` to watch it.

    Raises:
        InputError: a line that is none of a log, an action the rules forbid, an event that did not come about, or a
            log that ends within a deal; the message names the line.
    """
    reader = LogReader(lines)
    try:
        match = begin(reader, *reader.head(read_rules))
        while reader.peek() is not None:
            match.play_deal()
    except InputError as error:
        raise InputError(f"line {reader.number}: {error}") from error
    return match


class LogReader:
    """The lines of a log, one looked at ahead; ``number`` is that of the line looked at last.

    Its methods raise InputError for a line that is none of a log.
    """

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

    def due(self) -> dict[str, Any]:
        """The next record, which must be there."""
        record = self.peek()
        if record is None:
            raise InputError("the log ends within a deal")
        return record

    def head(self, read_rules: Callable[[Mapping[str, Any]], Rules]) -> tuple[Rules, int, list[str]]:
        """Rules, seed and names of the players, from the first record."""
        record = self.peek()
        if record is None:
            raise InputError("the log is empty")
        self._next = None
        if record.get("event") != "match" or not isinstance(record.get("rules"), dict):
            raise InputError("a log begins with an event 'match' and its rules")
        seed, names = record.get("seed"), record.get("players")
        if type(seed) is not int or not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise InputError("the head of a log has a seed and the players' names")
        return read_rules(record["rules"]), seed, names

    def check(self, event: Event) -> None:
        """Take the next record, which must be this event."""
        record, expected = self.due(), event.to_json()
        self._next = None
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


def text_of(record: Mapping[str, Any], key: str, what: str = "a text") -> str:
    """The text that a record has under a key; raises InputError, with ``what`` it should be, if it has none."""
    text = record.get(key)
    if not isinstance(text, str):
        raise InputError(f"{key}: {what}, not {json.dumps(text)}")
    return text
