"""Daifugō on a terminal: cards, what happens, the table before one's own turn, results, rule sets."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from cli.show.style import COLUMNS, MARGIN, Style, counted, listed
from cli.show.table import table
from solver.daifugo.cards import JOKER, RANKS, SUITS, SYMBOLS, Hand, card_names, symbols
from solver.daifugo.events import (
    Cleared,
    Dealt,
    Discarded,
    Fell,
    Finished,
    Gave,
    Led,
    Locked,
    OrderTurned,
    Passed,
    Played,
    Requested,
    Returned,
    Revolution,
    Stopped,
    TitlesSwapped,
    WentOut,
    suit_letters,
)
from solver.daifugo.game import kind_name
from solver.daifugo.players import View
from solver.daifugo.plays import Play
from solver.daifugo.rules import OPTIONS, PRESETS, RuleSet
from solver.events import Event

RED_SUITS = "dh"


def card_text(name: str, style: Style) -> str:
    """A card by its name, in a play with what it stands for: ``♥9``, ``★=♥9``."""
    shown = name if style.ascii else symbols(name)
    if name.startswith(JOKER):
        return style.joker(shown)
    return style.red(shown) if name[0] in RED_SUITS else shown


def cards_text(text: str, style: Style) -> str:
    """Cards or a play, as text, for the eye."""
    return " ".join(card_text(name, style) for name in text.split())


def hand_text(hand: Hand, style: Style, *, is_reversed: bool = False) -> str:
    """A hand in the order in force, the lowest first, those of a rank together."""
    names = card_names(*hand)
    if is_reversed:
        jokers = names.count(JOKER)
        naturals = names[: len(names) - jokers]
        names = sorted(naturals, key=lambda name: -RANKS.index(name[1:])) + names[len(naturals) :]
    ranks = [" ".join(card_text(name, style) for name in group) for _, group in groupby(names, lambda name: name[1:])]
    return "  ".join(ranks)


def suits_text(suits: int, style: Style) -> str:
    """Suits as in ``Play.suits``."""
    letters = suit_letters(suits)
    if style.ascii:
        return letters
    return "".join(
        style.red(SYMBOLS[SUITS.index(letter)]) if letter in RED_SUITS else SYMBOLS[SUITS.index(letter)]
        for letter in letters
    )


def plays_by_kind(plays: Sequence[Play], style: Style) -> list[str]:
    """Plays, those of a kind together under its name."""
    lines = []
    for (_, _, kind), group in groupby(plays, lambda play: (play.sequence, play.size, kind_name(play))):
        found = list(group)
        lines.append(style.bold(f"{counted(len(found), kind) if ' of ' not in kind else _counted_of(found, kind)}"))
        lines += _columns([str(play) for play in found], style)
    return lines


def _counted_of(plays: Sequence[Play], kind: str) -> str:
    noun, _, size = kind.partition(" of ")
    return f"{counted(len(plays), noun)} of {size}"


def _columns(texts: Sequence[str], style: Style) -> list[str]:
    """Plays in columns; jokers are told as wide as they are shown."""
    widths = [len(text if style.ascii else symbols(text)) for text in texts]
    width = max(widths) + 3
    each = max(1, (COLUMNS - len(MARGIN)) // width)
    cells = [cards_text(text, style) + " " * (width - shown) for text, shown in zip(texts, widths, strict=True)]
    return [MARGIN + "".join(cells[at : at + each]).rstrip() for at in range(0, len(cells), each)]


@dataclass(frozen=True)
class Names:
    """What players are called.

    Attributes:
        names: by player.
        me: the player at the keyboard.
        rounds: of the match.
    """

    names: tuple[str, ...]
    me: int
    rounds: int

    @property
    def width(self) -> int:
        """Of the longest name."""
        return max(map(len, self.names))


class Teller:
    """Tells what happens, event by event; knows who sits where."""

    def __init__(self, names: Names, style: Style) -> None:
        self._names = names
        self._style = style
        self._order: tuple[int, ...] = tuple(range(len(names.names)))

    def tell(self, event: Event) -> list[str]:
        """The lines for an event, maybe none."""
        if isinstance(event, Dealt):
            self._order = event.order
            head = f"Deal {event.number + 1} of {self._names.rounds}" if self._names.rounds > 1 else "The deal"
            return ["", self._style.bold(head) + self._style.dim(f"  {self._verb(event.dealer, 'deal')}"), ""]
        if isinstance(event, (Played, Passed)):
            return [self._act(event)]
        return [f"{MARGIN}{line}" for line in self._lines(event)]

    def name(self, seat: int) -> str:
        """What the player of a seat is called."""
        return self._names.names[self._order[seat]]

    def _verb(self, seat: int, verb: str) -> str:
        """A player and what they do: ``you deal``, ``greedy deals``."""
        return f"{self.name(seat)} {verb if self._order[seat] == self._names.me else verb + 's'}"

    def _is(self, seat: int) -> str:
        return f"{self.name(seat)} {'are' if self._order[seat] == self._names.me else 'is'}"

    def _act(self, event: Played | Passed) -> str:
        name = f"{self.name(event.seat):<{self._names.width}}"
        if isinstance(event, Passed):
            return self._style.dim(f"{MARGIN}{name}  pass")
        return f"{MARGIN}{name}  {cards_text(str(event.play), self._style)}"

    def _lines(self, event: Event) -> list[str]:
        match event:
            case Cleared(seat):
                return [self._style.dim(f"{'-' * 4 if self._style.ascii else '────'} {self._verb(seat, 'lead')}")]
            case Led(seat):
                return [self._style.dim(self._verb(seat, "lead"))]
            case Requested(seat, of, cards):
                return [f"{self._verb(seat, 'ask')} {self.name(of)} for {self._cards(cards) or 'nothing'}"]
            case Gave(seat, to, cards) | Returned(seat, to, cards):
                verb = "give" if isinstance(event, Gave) else "return"
                return [f"{self._verb(seat, verb)} {self._cards(cards) or 'cards'} to {self.name(to)}"]
            case Discarded(seat, is_done, card):
                return [self._verb(seat, "discard") + f" {self._cards(card) or 'a card'}"] if is_done else []
            case WentOut(seat, is_forbidden):
                return [self._style.bold(f"{self._is(seat)} out{', by a forbidden play' if is_forbidden else ''}")]
            case Fell(seat):
                return [self._style.invalid(f"{self._verb(seat, 'fall')} to the last place: miyako ochi")]
        return self._changes(event)

    def _changes(self, event: Event) -> list[str]:
        """What changes the course of the game for all."""
        match event:
            case Revolution():
                return [self._style.moving("revolution!")]
            case OrderTurned(is_reversed):
                return [self._style.moving("the order is reversed" if is_reversed else "the order is as usual again")]
            case Locked(suits):
                return [self._style.moving("locked to ") + suits_text(suits, self._style)]
            case Stopped():
                return [self._style.moving("that clears the table")]
            case TitlesSwapped():
                return [self._style.moving("both jokers are with the poor: all titles are swapped")]
        return []

    def _cards(self, cards: Hand | None) -> str:
        return "" if cards is None else cards_text(" ".join(card_names(*cards)), self._style)

    def results(self, end: Finished, totals: Sequence[int]) -> list[str]:
        """The result of a deal, the first place first; ``totals`` are the scores so far, by player."""
        scored = any(end.scores)
        rows = [["", "", "title", *(["score", "total"] if scored else [])]]
        for place, seat in sorted((place, seat) for seat, place in enumerate(end.places)):
            numbers = [f"{end.scores[seat]:+}" if end.scores[seat] else "0", str(totals[self._order[seat]])]
            rows.append([f"{place + 1}.", self.name(seat), end.titles[seat], *(numbers if scored else [])])
        return ["", *(MARGIN + line for line in table(rows, "<<<>>" if scored else "<<<"))]

    def situation(self, view: View) -> list[str]:
        """What lies on the table, and how many cards the others have."""
        others = []
        for step in range(1, view.players):
            seat = (view.seat + step) % view.players
            if seat in view.out:
                others.append(f"{self.name(seat)} out")
            else:
                passed = " passed" if seat in view.passed else ""
                others.append(f"{self.name(seat)} {view.counts[seat]}{passed}")
        dot = " | " if self._style.ascii else " · "
        lines = ["", MARGIN + self._style.dim(dot.join(others))]
        facts = []
        if view.table is not None:
            facts.append(f"to beat: {cards_text(str(view.table), self._style)}")
        elif view.in_play:
            facts.append("lead anything")
        if view.lock:
            facts.append(f"locked to {suits_text(view.lock, self._style)}")
        if view.is_reversed:
            facts.append(self._style.moving("order reversed"))
        return [*lines, MARGIN + dot.join(facts)] if facts else lines


def describe_presets() -> list[str]:
    """The rule sets that have names, with what differs from the base game."""
    lines = []
    for rules in PRESETS.values():
        differs = _differences(rules)
        text = ", ".join(f"{option} {_value(value)}" for option, value in differs) or "the base game"
        lines += textwrap.wrap(f"{rules.id}: {text}", COLUMNS, subsequent_indent=MARGIN)
    return lines


def describe_options(rules: RuleSet) -> list[str]:
    """All options of a rule set, each with the values it can have."""
    changed = dict(_differences(rules))
    rows = [["option", "value", "of"]]
    for option, values in OPTIONS.items():
        mark = "*" if option in changed else ""
        rows.append([option, _value(getattr(rules, option)) + mark, " ".join(map(_value, values))])
    rows.append(["rounds", _value(rules.rounds) + ("*" if "rounds" in changed else ""), "1 and more"])
    what = f"* differs from the base game: {listed(changed)}." if changed else "This is the base game."
    return [f"Rules {rules.id}", "", *table(rows, "<<<"), "", *textwrap.wrap(what, COLUMNS)]


def _differences(rules: RuleSet) -> list[tuple[str, bool | int | str]]:
    base = PRESETS["traditional"]
    options: Iterable[str] = (*OPTIONS, "rounds")
    return [(name, getattr(rules, name)) for name in options if getattr(rules, name) != getattr(base, name)]


def _value(value: bool | int | str) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
