"""Endgames with all hands known, solved exactly: who wins, who finishes where, and how.

Of two players it is decided who wins; of more, where each finishes if all do the best for themselves, as ``finishing``
defines it. Of two players both are the same thing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.daifugo.cards import JACK, Hand, deck, format_cards, parse_cards
from solver.daifugo.choices import _choices, _choose
from solver.daifugo.duel import _search_duel, _start_duel
from solver.daifugo.finishing import _search_finishing, _start_finishing
from solver.daifugo.keys import key_words
from solver.daifugo.memo import grown, new_memo
from solver.daifugo.plays import PLAY, Play, _lead, book_of, parse_play
from solver.daifugo.room import DECIDED, FILLING, PLACE_BITS, _longest, _sort, new_room
from solver.daifugo.rules import MOST_PLAYERS, RuleSet
from solver.daifugo.state import (
    STATE,
    _begin,
    _does_clear,
    _holds_rank,
    _is_over,
    _is_revolution,
    _order,
    new_state,
    places_of,
    table_row,
)
from solver.errors import InputError

SCHEMA = 1
MIB = 1 << 20
DEFAULT_MEMORY = 1024

CHUNK = 20_000
"""Positions between looks at the clock, some tens of milliseconds."""


@dataclass(frozen=True)
class Limits:
    """Bounds of one search.

    Attributes:
        memory: MiB for the states remembered; when they are full some are forgotten, and the search takes longer.
        seconds: time, or None.
        positions: positions looked at, or None.
    """

    memory: int = DEFAULT_MEMORY
    seconds: float | None = None
    positions: int | None = None


@dataclass(frozen=True)
class Step:
    """What a player does in a line of play.

    Attributes:
        seat: the player.
        action: ``play``, ``pass`` or ``discard`` (a card for a 10).
        cards: the play, or the card discarded, as text; None for a pass, or if nothing is discarded.
    """

    seat: int
    action: str
    cards: str | None

    def to_json(self) -> dict[str, Any]:
        """The step as JSON values."""
        return {"seat": self.seat, "action": self.action, "cards": self.cards}


@dataclass(frozen=True)
class EndgameResult:
    """What is known of an endgame. All tuples but ``line`` are by seat.

    Attributes:
        hands: the cards held.
        rules: the rule set.
        turn: who is to act.
        table: the play to beat, or None.
        verdict: ``decided`` or ``undecided``.
        reason: what stopped an undecided search: ``time`` or ``positions``; else None.
        winner: who finishes before all others with cards; None if undecided.
        places: where each finishes, 0 the first; None if undecided.
        line: how it comes so, passes included; of two players the loser's plays are one way to resist. None if
            undecided.
        positions: positions looked at.
        seconds: time taken.
    """

    hands: tuple[Hand, ...]
    rules: RuleSet
    turn: int
    table: Play | None
    verdict: str
    reason: str | None
    winner: int | None
    places: tuple[int, ...] | None
    line: tuple[Step, ...] | None
    positions: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The JSON object of ``xsf daifugo endgame``."""
        return {
            "schema": SCHEMA,
            "hands": [format_cards(*hand) for hand in self.hands],
            "rules": self.rules.to_json(),
            "turn": self.turn,
            "table": None if self.table is None else str(self.table),
            "verdict": self.verdict,
            "reason": self.reason,
            "winner": self.winner,
            "places": None if self.places is None else list(self.places),
            "line": None if self.line is None else [step.to_json() for step in self.line],
            "positions": self.positions,
            "seconds": round(self.seconds, 6),
        }


class _Search:
    """Values of the states that can be reached from one: the winner of two players, else the places of all."""

    def __init__(self, state: np.void, rules: RuleSet, limits: Limits) -> None:
        self._book = book_of(rules)
        seats = [seat for seat in range(int(state["players"])) if state["in_play"] >> seat & 1]
        words = key_words(len(seats), rules.decks)
        out, hands = np.empty(self._book.room, dtype=PLAY), [(state["first"][s], state["second"][s]) for s in seats]
        most = max(int(_lead(*hand, self._book, out)) for hand in hands) + 2
        cards = sum(int(word).bit_count() for hand in hands for word in hand)
        self._room = new_room(_longest(cards, len(seats)), words, most, seats)
        self._memo = new_memo(words, limits.memory * MIB)
        self._start = _start_duel if len(seats) == 2 else _start_finishing
        self._search = _search_duel if len(seats) == 2 else _search_finishing

    @property
    def positions(self) -> int:
        """Positions looked at for the latest value."""
        return int(self._room.progress[2])

    def value(self, state: np.void, limits: Limits = Limits()) -> int | str:
        """The value of a state, or the reason why there is none."""
        deadline = None if limits.seconds is None else time.perf_counter() + limits.seconds
        self._room.states[0] = state
        self._start(self._room, self._book, self._memo)
        while True:
            most = self.positions + CHUNK if limits.positions is None else min(limits.positions, self.positions + CHUNK)
            status = self._search(self._book, self._room, self._memo, most)
            if status == DECIDED:
                return int(self._room.progress[1])
            if status == FILLING:
                self._memo = grown(self._memo)
            elif limits.positions is not None and self.positions >= limits.positions:
                return "positions"
            if deadline is not None and time.perf_counter() >= deadline:
                return "time"

    def line(self, state: np.void, value: int) -> tuple[tuple[Step, ...], tuple[int, ...]]:
        """How a state comes to its value, and the places at the end.

        Each player makes the first choice, in the order of the search, that keeps the value.
        """
        state, steps = _copied(state), []
        while not _is_over(state):
            choices = self._ordered(state)
            chosen, after = choices[0], _after(state, choices[0], self._book.switches)
            for choice in choices[1:]:
                if self.value(after) == value:
                    break
                chosen, after = choice, _after(state, choice, self._book.switches)
            steps.append(_step(state, chosen))
            state = after
        return tuple(steps), places_of(state)

    def _ordered(self, state: np.void) -> list[np.void]:
        """The choices of the one to act, a pass that is forced included, in the order of the search."""
        room = self._room
        end = _choices(state, self._book, room.choices, 0)
        if not end:
            return [np.zeros(1, dtype=PLAY)[0]]
        _sort(state["first"][state["turn"]], _order(state), room, 0, end)
        mask = (1 << PLACE_BITS) - 1
        return [room.choices[mask - (int(score) & mask)].copy() for score in room.scores[:end]]


def _copied(state: np.void) -> np.void:
    copy = np.zeros(1, dtype=STATE)
    copy[0] = state
    return copy[0]  # type: ignore[no-any-return]


def _after(state: np.void, choice: np.void, switches: Any) -> np.void:
    after = _copied(state)
    _choose(after, choice, switches)
    return after


def _step(state: np.void, choice: np.void) -> Step:
    seat = int(state["turn"])
    cards = str(Play.from_row(choice)) if choice["size"] else None
    if state["discards"]:
        return Step(seat, "discard", cards)
    return Step(seat, "play" if cards else "pass", cards)


def solve_state(state: np.void, rules: RuleSet, *, limits: Limits = Limits()) -> EndgameResult:
    """Solve a deal from any state of it on, whatever has come before.

    Args:
        state: ``STATE``; it stays as it is.
        rules: the rule set.
        limits: bounds; when one is reached the verdict is ``undecided``.

    Raises:
        InputError: the deal is over.
    """
    started = time.perf_counter()
    if _is_over(state):
        raise InputError("fewer than two players have cards: the deal is over")
    _check_limits(limits)
    search = _Search(state, rules, limits)
    value = search.value(state, limits)
    positions, players = search.positions, int(state["players"])
    winner = places = line = None
    if not isinstance(value, str):
        line, places = search.line(state, value)
        playing = [seat for seat in range(players) if state["in_play"] >> seat & 1]
        winner = min(playing, key=places.__getitem__)
    return EndgameResult(
        hands=tuple((int(state["first"][seat]), int(state["second"][seat])) for seat in range(players)),
        rules=rules,
        turn=int(state["turn"]),
        table=_table_of(state),
        verdict="undecided" if line is None else "decided",
        reason=value if isinstance(value, str) else None,
        winner=winner,
        places=places,
        line=line,
        positions=positions,
        seconds=time.perf_counter() - started,
    )


def _check_limits(limits: Limits) -> None:
    if limits.memory < 1 or (limits.positions is not None and limits.positions < 1):
        raise InputError("limits of memory and positions must be 1 or more")


def _table_of(state: np.void) -> Play | None:
    row = table_row(state)
    return None if row is None else Play.from_row(row)


def solve_endgame(
    hands: Sequence[Hand | str],
    rules: RuleSet | str = "traditional",
    turn: int = 0,
    table: Play | str | None = None,
    *,
    is_reversed: bool = False,
    lock: int = 0,
    limits: Limits = Limits(),
) -> EndgameResult:
    """Solve an endgame of two players or more, seated clockwise in the order of their hands.

    Args:
        hands: the cards held, or their text; none is empty.
        rules: the rule set, or what ``--rules`` takes; any number of players is allowed.
        turn: the seat to act.
        table: the play to beat, made by the player before, or its text; None to lead. A jack that has turned the order,
            and a revolution that is to come as the table is cleared, are taken from it.
        is_reversed: whether revolutions have reversed the order, one made by ``table`` included.
        lock: the suits that the trick is locked to, as in ``Play.suits``.
        limits: bounds; when one is reached the verdict is ``undecided``.

    Raises:
        InputError: cards that don't exist, are held twice or are no play; no hands, an empty one, or a wrong seat.
    """
    rules = RuleSet.parse(rules) if isinstance(rules, str) else rules
    cards = deck(rules.decks, rules.jokers)
    held = [parse_cards(hand, cards) if isinstance(hand, str) else hand for hand in hands]
    play = parse_play(table, rules) if isinstance(table, str) else table
    if not 2 <= len(held) <= MOST_PLAYERS:
        raise InputError(f"{len(held)} hands: an endgame has 2 to {MOST_PLAYERS}")
    for seat, hand in enumerate(held):
        if not hand[0]:
            raise InputError(f"hand {seat} has no cards")
    if not 0 <= turn < len(held):
        raise InputError(f"turn {turn}: the hands are numbered from 0 to {len(held) - 1}")
    # Raises for a card held more often than the deck has it.
    parse_cards(" ".join(format_cards(*part) for part in [*held, *([play.cards] if play else [])]), cards)
    state = new_state()
    for seat, hand in enumerate(held):
        state["first"][seat], state["second"][seat] = hand
    _begin(state, len(held), turn, -1)
    state["is_reversed"] = is_reversed
    if play is not None:
        _lay(state, play, rules)
        state["lock"] = lock
    return solve_state(state, rules, limits=limits)


def _lay(state: np.void, play: Play, rules: RuleSet) -> None:
    """Put a play on the table that the player before the one to act has made."""
    switches, row = rules.switches(), play.to_row()
    turns_at_once = _is_revolution(row, switches) and switches.reverses_at_once
    if _does_clear(state, row, bool(state["is_reversed"]) != bool(turns_at_once), switches):
        raise InputError(f"table: {play} clears the table; there is nothing to beat")
    state["table_first"], state["table_second"] = play.cards
    state["table_suits"], state["sequence"], state["size"], state["rank"] = (
        play.suits,
        play.sequence,
        play.size,
        play.rank,
    )
    if switches.suit_lock and (switches.joker_locks or not play.jokers):
        state["suits"] = play.suits
    state["pending"] = _is_revolution(row, switches) and not turns_at_once
    state["eleven"] = switches.eleven_back and _holds_rank(row, JACK)
    state["last"] = (int(state["turn"]) - 1) % int(state["players"])
