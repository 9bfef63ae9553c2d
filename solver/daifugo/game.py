"""One deal in play: whose turn it is, what they may do, and what comes of it; illegal actions say what they break."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.daifugo.cards import EMPTY, JOKER_RANK, Hand, count_cards, deck, format_cards, holds, join, to_hand
from solver.daifugo.events import (
    Cleared,
    Discarded,
    Fell,
    Finished,
    Led,
    Locked,
    OrderTurned,
    Passed,
    Played,
    Revolution,
    Stopped,
    WentOut,
    suit_letters,
)
from solver.daifugo.exchange import scores, title
from solver.daifugo.plays import PLAY, Play, book_of, readings
from solver.daifugo.rules import RuleSet
from solver.daifugo.state import (
    STATE,
    _begin,
    _discard,
    _is_over,
    _legal_plays,
    _order,
    _pass,
    _play,
    new_state,
    places_of,
    table_row,
)
from solver.errors import InputError
from solver.events import Event

SET_NAMES = {1: "single", 2: "pair", 3: "triple", 4: "quad"}


class IllegalAction(InputError):
    """An action that the rules forbid; the message is one line that names the rule it breaks."""


class Game:
    """One deal in play, from the first lead until one player is left with cards.

    An action that is refused raises ``IllegalAction`` and changes nothing; one that is done returns what happened.

    Args:
        hands: by seat, clockwise; all have cards.
        rules: the rule set.
        leader: the seat that leads.
        champion: the seat of the Daifugō who may fall (``miyako_ochi``), if there is one.

    Raises:
        InputError: a number of players the rules don't allow, cards that are not in the deck, a hand without cards.
    """

    def __init__(self, hands: Sequence[Hand], rules: RuleSet, *, leader: int = 0, champion: int | None = None) -> None:
        rules.check_players(len(hands))
        _check_hands(hands, rules)
        for name, seat in (("leader", leader), ("champion", champion)):
            if seat is not None and not 0 <= seat < len(hands):
                raise InputError(f"{name}: there is no seat {seat} among {len(hands)}")
        self._rules = rules
        self._book = book_of(rules)
        self._state = new_state()
        for seat, hand in enumerate(hands):
            self._state["first"][seat], self._state["second"][seat] = hand
        _begin(self._state, len(hands), leader, -1 if champion is None or not rules.miyako_ochi else champion)
        self._legal: tuple[Play, ...] | None = None
        self._events: list[Event] = [Led(leader)]

    def copy(self) -> Game:
        """The same deal, to be played on independently."""
        other = object.__new__(Game)
        other.__dict__.update(self.__dict__)
        other._state = self.state
        other._events = list(self._events)
        return other

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self._rules

    @property
    def players(self) -> int:
        """How many play."""
        return int(self._state["players"])

    @property
    def state(self) -> np.void:
        """A copy of what kernels see: ``STATE``."""
        copy = np.zeros(1, dtype=STATE)
        copy[0] = self._state
        return copy[0]  # type: ignore[no-any-return]

    @property
    def events(self) -> tuple[Event, ...]:
        """All that has happened."""
        return tuple(self._events)

    @property
    def is_over(self) -> bool:
        """Whether at most one player is left with cards."""
        return bool(_is_over(self._state))

    @property
    def turn(self) -> int:
        """The seat that is to act; once the deal is over, no matter who."""
        return int(self._state["turn"])

    def hand(self, seat: int) -> Hand:
        """The cards of a seat."""
        return int(self._state["first"][seat]), int(self._state["second"][seat])

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The cards of all seats."""
        return tuple(self.hand(seat) for seat in range(self.players))

    @property
    def played(self) -> Hand:
        """All cards played so far; those discarded face down are not among them."""
        return int(self._state["played_first"]), int(self._state["played_second"])

    @property
    def table(self) -> Play | None:
        """The play to beat, if there is one."""
        row = table_row(self._state)
        return None if row is None else Play.from_row(row)

    @property
    def last(self) -> int:
        """The seat that made the play to beat."""
        return int(self._state["last"])

    @property
    def is_reversed(self) -> bool:
        """Whether the order of ranks is reversed now, by revolutions or a jack."""
        return bool(_order(self._state))

    @property
    def lock(self) -> int:
        """The suits that the trick is locked to, as in ``Play.suits``; 0 for none."""
        return int(self._state["lock"])

    @property
    def passed(self) -> tuple[int, ...]:
        """Who passed since the last play, or, where a pass is final, in the trick."""
        return self._seats("passed")

    @property
    def in_play(self) -> tuple[int, ...]:
        """Who still plays."""
        return self._seats("in_play")

    @property
    def out(self) -> tuple[int, ...]:
        """Who went out, in order."""
        return tuple(self._state["order"][: int(self._state["finished"])].tolist())

    @property
    def places(self) -> tuple[int, ...] | None:
        """The place of each seat, 0 the first; None until the deal is over."""
        return places_of(self._state) if self.is_over else None

    @property
    def may_pass(self) -> bool:
        """Whether the one to act may pass."""
        return not self.is_over and not self.may_discard and bool(self._state["size"])

    @property
    def may_discard(self) -> int:
        """How many cards the one to act may still discard; they play on only after that."""
        return 0 if self.is_over else int(self._state["discards"])

    def legal_plays(self) -> tuple[Play, ...]:
        """Every play the one to act may make, ascending, sets before sequences; empty while they may discard."""
        if self._legal is None:
            self._legal = self._generate()
        return self._legal

    def play(self, play: Play, *, seat: int | None = None) -> tuple[Event, ...]:
        """Make a play.

        Args:
            play: the play.
            seat: whose; by default that of whose turn it is.

        Raises:
            IllegalAction: the rules forbid it.
        """
        self._check_turn(seat)
        if self.may_discard:
            raise IllegalAction(f"{play}: first a card may be discarded for the 10")
        if play not in self.legal_plays():
            raise IllegalAction(self._why_not(play))
        before = self.state
        _play(self._state, play.to_row(), self._book.switches)
        return self._happened(before, [Played(int(before["turn"]), play)])

    def pass_(self, *, seat: int | None = None) -> tuple[Event, ...]:
        """Pass.

        Raises:
            IllegalAction: it is someone else's turn, or there is nothing to pass on.
        """
        self._check_turn(seat)
        if self.may_discard:
            raise IllegalAction("a pass: first a card may be discarded for the 10")
        if not self.may_pass:
            raise IllegalAction("nothing to pass on: the table is empty, and who leads has to play")
        before = self.state
        _pass(self._state, self._book.switches)
        return self._happened(before, [Passed(int(before["turn"]))])

    def discard(self, card: Hand | None, *, seat: int | None = None) -> tuple[Event, ...]:
        """Discard a card face down for a 10 just played, or, with None, decline to.

        Raises:
            IllegalAction: it is someone else's turn, they may not discard, or they don't hold the card.
        """
        self._check_turn(seat)
        if not self.may_discard:
            raise IllegalAction("a discard: only who has just played a 10 may discard, by the rule ten_discard")
        if card is not None and count_cards(card) != 1:
            raise IllegalAction(f"{format_cards(*card) or 'no card'}: cards are discarded one at a time")
        if card is not None:
            self._check_held(card, format_cards(*card))
        before = self.state
        first, second = card or EMPTY
        _discard(self._state, np.int64(first), np.int64(second), self._book.switches)
        return self._happened(before, [Discarded(int(before["turn"]), card is not None, card)])

    def _seats(self, name: str) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.players) if int(self._state[name]) >> seat & 1)

    def _generate(self) -> tuple[Play, ...]:
        if self.is_over or self.may_discard:
            return ()
        out = np.empty(self._book.room, dtype=PLAY)
        return tuple(sorted(Play.from_row(row) for row in out[: _legal_plays(self._state, self._book, out)]))

    def _check_turn(self, seat: int | None) -> None:
        if self.is_over:
            raise IllegalAction("the deal is over")
        if seat is None or seat == self.turn:
            return
        if not 0 <= seat < self.players:
            raise IllegalAction(f"there is no seat {seat} among {self.players}")
        if seat not in self.in_play:
            raise IllegalAction(f"seat {seat} is out of the deal")
        if self._rules.pass_is_final and seat in self.passed:
            raise IllegalAction(f"seat {seat} has passed, and a pass is final")
        raise IllegalAction(f"it is the turn of seat {self.turn}, not of seat {seat}")

    def _check_held(self, cards: Hand, text: str) -> None:
        if not holds(self.hand(self.turn), cards):
            raise IllegalAction(f"{text}: not in the hand")

    def _why_not(self, play: Play) -> str:
        """The rule that a play breaks which is not legal now."""
        self._check_held(play.cards, str(play))
        if play not in readings(play.cards, self._rules):
            return f"{play}: no play by the rules {self._rules.id}"
        table = self.table
        assert table is not None, "every play can be led"
        if play.sequence != table.sequence or play.size != table.size:
            return f"{play}: a {kind_name(play)} can't follow a {kind_name(table)}, only another {kind_name(table)} can"
        if table.rank == JOKER_RANK:
            single = self._rules.spade_three != "off" and table.size == 1
            return f"{play}: {'only the 3 of spades' if single else 'nothing'} beats {table}"
        if not self._is_higher(play, table):
            return f"{play}: not higher than {table}{' while the order is reversed' if self.is_reversed else ''}"
        if play.sequence and self._rules.sequence_compare == "no_overlap" and not self._is_apart(play, table):
            return f"{play}: it overlaps {table}, and has to be wholly above it"
        return f"{play}: the suits are locked to {suit_letters(self.lock)}"

    def _is_higher(self, play: Play, table: Play) -> bool:
        if play.rank == JOKER_RANK:
            return True
        step = table.rank - play.rank if self.is_reversed else play.rank - table.rank
        return step > 0 or (step == 0 and self._rules.compare == "equal_or_higher")

    def _is_apart(self, play: Play, table: Play) -> bool:
        return abs(play.rank - table.rank) >= play.size

    def _happened(self, before: np.void, events: list[Event]) -> tuple[Event, ...]:
        """Tell what an action has changed, and keep it."""
        self._legal = None
        now, seat = self._state, int(before["turn"])
        is_play = isinstance(events[0], Played)
        if is_play and now["revolutions"] > before["revolutions"]:
            events.append(Revolution(seat))
        if now["lock"] != before["lock"] and now["lock"]:
            events.append(Locked(self.lock))
        if not isinstance(events[0], Passed) and not now["discards"]:
            events += self._concluded(before, seat)
        if bool(_order(before)) != self.is_reversed and not self.is_over:
            events.append(OrderTurned(self.is_reversed))
        if not now["size"] and not self.is_over:
            events.append(Cleared(self.turn))
        if self.is_over:
            events.append(self._finish())
        self._events += events
        return tuple(events)

    def _concluded(self, before: np.void, seat: int) -> list[Event]:
        """What follows a play and its discards."""
        now = self._state
        events: list[Event] = [Stopped(seat)] if now["clears"] else []
        if now["finished"] > before["finished"]:
            events.append(WentOut(seat, bool(int(now["forbidden"]) >> seat & 1)))
        if now["fallen"] != before["fallen"]:
            events.append(Fell(int(now["fallen"]).bit_length() - 1))
        return events

    def _finish(self) -> Finished:
        places, points = places_of(self._state), scores(self._rules, self.players)
        titles = tuple(title(place, self.players) for place in places)
        return Finished(places, titles, tuple(points[place] for place in places))


def kind_name(play: Play) -> str:
    """What kind of play it is: ``pair``, ``sequence of 3``."""
    if play.sequence:
        return f"sequence of {play.size}"
    return SET_NAMES.get(play.size, f"set of {play.size}")


def _check_hands(hands: Sequence[Hand], rules: RuleSet) -> None:
    cards = deck(rules.decks, rules.jokers)
    whole, dealt, count = to_hand(cards.full, cards), EMPTY, 0
    for seat, hand in enumerate(hands):
        if not hand[0]:
            raise InputError(f"seat {seat} has no cards")
        dealt, count = join(dealt, hand), count + count_cards(hand)
        if not holds(whole, dealt) or count_cards(dealt) != count:
            raise InputError(f"seat {seat}: {format_cards(*hand)}: the deck has not so many of a card")
