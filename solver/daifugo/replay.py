"""Records of real deals played again: whether the exchange and every play were legal, and the result is what they say.

What a record leaves open is tried: the leader of a first deal drawn by lot, of two players with a 3 of diamonds the
first, and cards that the rich requested are taken to be those given. A record without an exchange where the rules have
one is taken to be a first deal, unless it follows the deal that its classes come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from solver.daifugo.cards import (
    DIAMOND_THREE,
    EMPTY,
    Hand,
    count_cards,
    deck,
    format_cards,
    holds,
    join,
    join_all,
    take,
    to_hand,
)
from solver.daifugo.events import Dealt, Discarded, Finished, Gave, Passed, Played, Returned
from solver.daifugo.exchange import exchanges, is_due, swaps_titles
from solver.daifugo.game import Game
from solver.daifugo.match import Match
from solver.daifugo.records import Record, format_action, parse_action
from solver.daifugo.rules import RuleSet
from solver.errors import InputError


@dataclass(frozen=True)
class Fault:
    """The first thing in a record that the rules forbid.

    Attributes:
        action: its place among the actions, from 0; None if it is in the deal or the exchange.
        text: the action as the record writes it, or None.
        reason: the rule it breaks.
    """

    action: int | None
    text: str | None
    reason: str


@dataclass(frozen=True)
class Replay:
    """What came of a record.

    Attributes:
        deal: the number of the game in its file.
        fault: the first thing that is illegal; None if all is legal.
        result: places by player that came out; None if the deal did not come to an end.
        agrees: whether that is the recorded result.
    """

    deal: int
    fault: Fault | None
    result: tuple[int, ...] | None
    agrees: bool

    @property
    def is_confirmed(self) -> bool:
        """Whether all is legal and the result agrees."""
        return self.fault is None and self.agrees

    def to_json(self) -> dict[str, Any]:
        """The replay as JSON values (``interface.md``)."""
        fault = self.fault
        return {
            "schema": 1,
            "deal": self.deal,
            "legal": fault is None,
            "first_illegal": fault and {"action": fault.action, "play": fault.text, "reason": fault.reason},
            "result": self.result and list(self.result),
            "agrees": self.agrees,
        }


def replay_records(records: Iterable[Record], rules: RuleSet) -> Iterator[Replay]:
    """Each record of a file played again."""
    before: Record | None = None
    for record in records:
        yield replay_record(record, rules, before)
        before = record


def replay_record(record: Record, rules: RuleSet, before: Record | None = None) -> Replay:
    """A record played again; ``before`` is the record of the deal before, if it is known."""
    try:
        places = _check_exchange(record, rules, before)
    except InputError as error:
        return Replay(record.number, Fault(None, None, str(error)), None, False)
    tries = [_replay(record, rules, leader, places) for leader in _leaders(record, rules, places)]
    if not tries:
        return Replay(record.number, Fault(None, None, "nobody holds the 3 of diamonds, which leads"), None, False)
    return max(tries, key=lambda replay: (replay.fault is None, replay.agrees, _progress(replay)))


def _progress(replay: Replay) -> int:
    return replay.fault.action or 0 if replay.fault else 0


def _by_seat(record: Record) -> list[int]:
    """The player of each seat."""
    return [record.seats.index(seat) for seat in range(len(record.seats))]


def _leaders(record: Record, rules: RuleSet, places: tuple[int, ...] | None) -> list[int]:
    """The seats that may lead."""
    seats = _by_seat(record)
    if rules.leader == "three_of_diamonds":
        return [seat for seat, player in enumerate(seats) if record.original[player][0] >> DIAMOND_THREE & 1]
    if places is None:
        return list(range(len(seats)))
    return [record.seats[places.index(len(seats) - 1 if rules.leader == "loser" else 0)]]


def _check_exchange(record: Record, rules: RuleSet, before: Record | None) -> tuple[int, ...] | None:
    """The places by player that a deal is played with, None in a first deal.

    Raises:
        InputError: the cards are not a deck, or the exchange breaks a rule.
    """
    rules.check_players(len(record.seats))
    _check_deck("dealt", record.dealt, rules)
    _check_deck("original", record.original, rules)
    places = record.classes
    due = exchanges(rules, len(record.seats))
    follows = before is not None and before.number + 1 == record.number and before.result == places
    if places is None or (not follows and not any(hand[0] for hand in record.changed) and (due or not record.number)):
        due, places = (), None
    if places is not None and swaps_titles(record.dealt, places, rules):
        places = tuple(len(places) - 1 - place for place in places)
    hands, changed = list(record.dealt), record.changed
    silent = set(range(len(hands)))
    for poor_place, rich_place, count in due:
        assert places is not None
        poor, rich = places.index(poor_place), places.index(rich_place)
        _check_gift(record, rules, poor, rich, count, is_last=poor_place == len(places) - 1)
        hands[rich] = take(join(hands[rich], changed[poor]), changed[rich])
        hands[poor] = join(take(hands[poor], changed[poor]), changed[rich])
        silent -= {poor, rich}
    for player, hand in enumerate(hands):
        if player in silent and changed[player][0]:
            raise InputError(f"exchange: player {player} gives {format_cards(*changed[player])}, and owes nothing")
        if hand != record.original[player]:
            raise InputError(f"exchange: the original hand of player {player} is not what comes of the exchange")
    return places


def _check_deck(name: str, hands: tuple[Hand, ...], rules: RuleSet) -> None:
    cards = deck(rules.decks, rules.jokers)
    whole, together = to_hand(cards.full, cards), join_all(hands)
    if together != whole or sum(map(count_cards, hands)) != cards.size:
        missing = format_cards(*take(whole, together)) if holds(whole, together) else ""
        raise InputError(f"{name}: not every card of the deck once{missing and f', {missing} is missing'}")


def _check_gift(record: Record, rules: RuleSet, poor: int, rich: int, count: int, *, is_last: bool) -> None:
    """Check what two players give each other."""
    gift, back = record.changed[poor], record.changed[rich]
    for player, cards in ((poor, gift), (rich, back)):
        if count_cards(cards) != count:
            raise InputError(f"exchange: player {player} gives {format_cards(*cards) or 'nothing'}, and owes {count}")
    requested = gift if rules.on_request else EMPTY
    if not is_due(gift, record.dealt[poor], requested, count, may_keep_jokers=rules.joker_kept and is_last):
        raise InputError(f"exchange: player {poor} gives {format_cards(*gift)}, not the highest of the hand")
    if not holds(join(record.dealt[rich], gift), back):
        raise InputError(f"exchange: player {rich} returns {format_cards(*back)} without holding it")


def _replay(record: Record, rules: RuleSet, leader: int, places: tuple[int, ...] | None) -> Replay:
    """Play a record with a given leader."""
    hands = [record.original[player] for player in _by_seat(record)]
    champion = None if places is None else record.seats[places.index(0)]
    game = Game(hands, rules, leader=leader, champion=champion)
    for place, text in enumerate(record.actions):
        try:
            play = parse_action(text, rules)
            if game.may_discard:
                game.discard(None)
            if play is None:
                game.pass_()
            else:
                game.play(play)
        except InputError as error:
            return Replay(record.number, Fault(place, text, str(error)), None, False)
    if game.may_discard:
        game.discard(None)
    if game.places is None:
        return Replay(record.number, None, None, False)
    result = tuple(game.places[seat] for seat in record.seats)
    return Replay(record.number, None, result, result == record.result)


def records_of(match: Match) -> list[Record]:
    """The deals of a match as records, as far as they are finished.

    Raises:
        InputError: a card was discarded for a 10, for which the format has no way.
    """
    records: list[Record] = []
    for event in match.events:
        if isinstance(event, Dealt):
            draft = _Draft(event)
        elif isinstance(event, (Gave, Returned)):
            draft.hand_over(event)
        elif isinstance(event, Played):
            draft.actions.append(format_action(event.play))
        elif isinstance(event, Passed):
            draft.actions.append(format_action(None))
        elif isinstance(event, Discarded) and event.is_done:
            raise InputError("the format of the records has no way to write a discard")
        elif isinstance(event, Finished):
            records.append(draft.record(event, records[-1].result if records else None))
    return records


class _Draft:
    """A record in the making; hands are by seat."""

    def __init__(self, dealt: Dealt) -> None:
        self._dealt = dealt
        self._hands = [hand or EMPTY for hand in dealt.hands]
        self._changed = [EMPTY] * len(self._hands)
        self.actions: list[str] = []

    def hand_over(self, event: Gave | Returned) -> None:
        """Enter cards given in the exchange."""
        cards = event.cards or EMPTY
        self._changed[event.seat] = cards
        self._hands[event.seat] = take(self._hands[event.seat], cards)
        self._hands[event.to] = join(self._hands[event.to], cards)

    def record(self, end: Finished, before: tuple[int, ...] | None) -> Record:
        """The record, by player."""
        order = self._dealt.order
        seats = tuple(order.index(player) for player in range(len(order)))
        return Record(
            number=self._dealt.number,
            seats=seats,
            classes=before or tuple(range(len(order))),
            dealt=tuple(self._dealt.hands[seat] or EMPTY for seat in seats),
            changed=tuple(self._changed[seat] for seat in seats),
            original=tuple(self._hands[seat] for seat in seats),
            actions=tuple(self.actions),
            result=tuple(end.places[seat] for seat in seats),
        )
