"""Matches of several deals: dealing, seats, scores; and logs that can be replayed.

A match is a pure function of its rules, seed and players: deal ``number`` falls as ``dealing`` says, the first dealer
sits in the last seat, so that seat 0 gets the first card, and the loser of a deal deals the next. Choices where the
rules are silent, beside those named in ``exchange``: swapped titles (``joker_revolution``) count for everything that
follows in the deal, who may fall (``miyako_ochi``) included; the last player of a small table may keep jokers
(``joker_kept``) as a Daihinmin may; the rich name at most as many cards as they are due (``on_request``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from solver.daifugo.cards import Hand, deck, parse_cards
from solver.daifugo.dealing import PLAYER_STREAM, deal_hands, draw_leader
from solver.daifugo.events import Dealt, Finished
from solver.daifugo.exchange import seating
from solver.daifugo.players import Player, View
from solver.daifugo.plays import Play, parse_play
from solver.daifugo.roster import make_player
from solver.daifugo.rules import RuleSet
from solver.daifugo.table import Table
from solver.errors import InputError
from solver.events import Event
from solver.match import BaseMatch, LogReader, replay, text_of


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


class Match(BaseMatch[RuleSet, Player, DealResult]):
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
        super().__init__(rules, players, seed, make_player, PLAYER_STREAM, names=names, watch=watch)
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
        end = Table(self.rules, seated, dealt, places, drawn, self.totals, self._note).play()
        self._order = order
        return self._enter_deal(number, end)

    def _enter_deal(self, number: int, end: Finished) -> DealResult:
        seat_of = {player: seat for seat, player in enumerate(self._order)}
        seats = [seat_of[player] for player in range(len(self._order))]
        result = DealResult(
            number,
            self._order,
            tuple(end.places[seat] for seat in seats),
            tuple(end.titles[seat] for seat in seats),
            tuple(end.scores[seat] for seat in seats),
        )
        return self._enter(result, result.scores)


def replay_log(lines: Iterable[str]) -> Match:
    """The match that ``Match.log`` wrote, played again from its actions; all else is worked out and compared.

    Raises:
        InputError: a line that is none of a log, an action the rules forbid, an event that did not come about, or a
            log that ends within a deal; the message names the line.
    """

    def begin(reader: LogReader, rules: RuleSet, seed: int, names: Sequence[str]) -> Match:
        return Match(rules, [_LoggedPlayer(reader, rules) for _ in names], seed, names=names, watch=reader.check)

    return replay(lines, RuleSet.from_json, begin)


class _LoggedPlayer(Player):
    """Does what the log says."""

    def __init__(self, reader: LogReader, rules: RuleSet) -> None:
        self._reader = reader
        self._rules = rules

    def play(self, view: View) -> Play | None:
        record = self._action(view, "play", "pass")
        return None if record["event"] == "pass" else parse_play(text_of(record, "play"), self._rules)

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
        record = self._reader.due()
        if record.get("event") not in kinds or record.get("seat") != view.seat:
            due = f"a {' or '.join(kinds)} of seat {view.seat} is due"
            raise InputError(f"{due}, not {json.dumps(record.get('event'))} of seat {json.dumps(record.get('seat'))}")
        return record

    def _cards(self, record: dict[str, Any], key: str) -> Hand:
        return parse_cards(text_of(record, key), deck(self._rules.decks, self._rules.jokers))
