"""Deals of Daifugō by the kernels and by the twin side by side, and rule records at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import replace
from random import Random
from typing import Any

import naive_daifugo as naive
import numpy as np
from hypothesis import strategies as st

from solver.daifugo.plays import PLAY, Play, book_of
from solver.daifugo.rules import OPTIONS, RuleSet
from solver.daifugo.state import _begin, _discard, _is_over, _legal_plays, _order, _pass, _play, new_state, places_of
from solver.errors import InputError

NO_MATTER = {"lock": 0, "passed": 0, "is_reversed": 0, "pending": 0, "eleven": 0, "reversed now": 0}
"""What is left of the last trick once a deal is over."""

CARDS = [suit + rank for rank in naive.RANKS for suit in naive.SUITS]
JOKERS_FROM = len(CARDS)


def accepted(options: Mapping[str, Any]) -> RuleSet:
    """The base game with every one of some options that does not contradict those before it."""
    rules = RuleSet(id="random")
    for option, value in [*options.items(), *options.items()]:
        try:
            rules = replace(rules, **{option: value})
        except InputError:
            continue
    return rules


CHOICES = {option: values for option, values in OPTIONS.items() if option != "players"}
rule_sets = st.fixed_dictionaries({option: st.sampled_from(values) for option, values in CHOICES.items()}).map(accepted)


def random_rules(random: Random) -> RuleSet:
    """A rule record of options at random."""
    return accepted({option: random.choice(values) for option, values in CHOICES.items()})


def words(cards: Iterable[str]) -> tuple[int, int]:
    """Cards as kernels see them: those held at least once with the jokers, and those held twice."""
    count = Counter(cards)
    jokers = ((1 << count[naive.JOKER]) - 1) << JOKERS_FROM
    first, second = (sum(1 << CARDS.index(card) for card in CARDS if count[card] >= least) for least in (1, 2))
    return first | jokers, second


def suit_bits(suits: Mapping[str, int]) -> int:
    """Suits as kernels see them: bit s for one at least once, bit 4 + s for twice."""
    return sum(
        (suits.get(suit, 0) >= least) << (bit + 4 * (least - 1)) for bit, suit in enumerate("cdhs") for least in (1, 2)
    )


def as_play(play: naive.Play) -> Play:
    """A play of the twin as the library has it."""
    rank = 13 if play.is_jokers else naive.RANKS.index(play.ranks[0])
    return Play(play.kind == "sequence", len(play.cards), rank, suit_bits(play.suits), *words(play.cards))


def as_plays(plays: Iterable[naive.Play]) -> list[Play]:
    """Plays of the twin as the library has them, in its order."""
    return sorted(as_play(play) for play in plays)


class Pair:
    """A deal in play, by the twin and by the kernels; ``state`` is the kernels'."""

    def __init__(self, rules: RuleSet, deal: naive.Deal) -> None:
        self.rules, self.deal, self.state = rules, deal, new_state()
        self._book = book_of(rules)
        self._out = np.empty(self._book.room, dtype=PLAY)
        for seat, hand in enumerate(deal.hands):
            self.state["first"][seat], self.state["second"][seat] = words(hand)
        _begin(self.state, len(deal.hands), deal.turn, -1 if deal.daifugo is None else deal.daifugo)
        self.cards = Counter(card for hand in deal.hands for card in hand)
        self.discarded = 0

    @classmethod
    def of(cls, rules: RuleSet, *hands: str, turn: int = 0, daifugo: int | None = None) -> Pair:
        """A deal of these hands."""
        return cls(rules, naive.Deal(rules.to_json(), [list(naive.in_order(h.split())) for h in hands], turn, daifugo))

    def copy(self) -> Pair:
        """The same deal to be played on by itself."""
        pair = copy(self)
        pair.deal, pair.state = self.deal.copy(), self.state.copy()
        return pair

    @property
    def is_over(self) -> bool:
        """Whether the kernels say so."""
        return bool(_is_over(self.state))

    def legal(self) -> list[Play]:
        """The legal plays by the kernels, ascending."""
        return sorted(Play.from_row(row) for row in self._out[: _legal_plays(self.state, self._book, self._out)])

    def texts(self) -> set[str]:
        """The legal plays by the kernels, as text."""
        return {str(play) for play in self.legal()}

    def act(self, text: str) -> None:
        """An action on both sides: a play as text, ``pass``, ``discard d3`` or ``discard``."""
        word, *rest = text.split()
        if word == "pass":
            assert self.deal.trick
            _pass(self.state, self._book.switches)
            self.deal.pass_()
        elif word == "discard":
            _discard(self.state, *(np.int64(word) for word in words(rest)), self._book.switches)
            self.deal.discard(rest[0] if rest else None)
            self.discarded += bool(rest)
        else:
            (play,) = [play for play in self.legal() if str(play) == text]
            _play(self.state, play.to_row(), self._book.switches)
            self.deal.play(next(play for play in self.deal.legal() if str(play) == text))

    def actions(self) -> list[str]:
        """All that the one to act may do, by the kernels."""
        if self.state["discards"]:
            return ["discard", *(f"discard {card}" for card in dict.fromkeys(self.deal.hands[self.deal.turn]))]
        return [*sorted(str(play) for play in self.legal()), *(["pass"] if self.state["size"] else [])]

    def compare(self) -> None:
        """Both sides agree on everything."""
        assert self.by_kernels() == self.by_twin()
        if not self.is_over and not self.deal.discards:
            assert self.legal() == as_plays(self.deal.legal())

    def by_kernels(self) -> dict[str, Any]:
        """All of the state, as the kernels have it."""
        state, players = self.state, len(self.deal.hands)
        seen: dict[str, Any] = {
            name: int(state[name])
            for name in ("lock", "in_play", "passed", "forbidden", "fallen", "discards", "revolutions", "actions")
        }
        seen |= {name: bool(state[name]) for name in ("is_reversed", "pending", "eleven", "clears", "forbids")}
        seen["hands"] = [(int(state["first"][seat]), int(state["second"][seat])) for seat in range(players)]
        seen["played"] = (int(state["played_first"]), int(state["played_second"]))
        seen["order"] = state["order"][: state["finished"]].tolist()
        seen["reversed now"] = bool(_order(state))
        if self.is_over:
            seen["places"] = list(places_of(state))
            return seen | {
                "lock": 0,
                "passed": 0,
                "is_reversed": False,
                "pending": False,
                "eleven": False,
                "reversed now": False,
            }
        seen["turn"] = int(state["turn"])
        if state["size"]:
            table = [
                int(state[name]) for name in ("size", "rank", "table_suits", "table_first", "table_second", "last")
            ]
            seen["table"] = [bool(state["sequence"]), *table]
        return seen

    def by_twin(self) -> dict[str, Any]:
        """All of the state, as the twin has it."""
        deal = self.deal
        seen: dict[str, Any] = {
            "lock": suit_bits(deal.lock) if deal.rules["suit_lock"] != "off" else 0,
            "in_play": sum(1 << seat for seat in deal.in_play),
            "passed": sum(1 << seat for seat in deal.passed),
            "forbidden": sum(1 << seat for seat in deal.forbidden),
            "fallen": 0 if deal.fallen is None else 1 << deal.fallen,
            "discards": deal.discards,
            "revolutions": deal.revolutions,
            "actions": deal.actions,
            "is_reversed": deal.is_reversed,
            "pending": deal.is_pending,
            "eleven": deal.is_turned_by_jack,
            "clears": deal.does_clear,
            "forbids": deal.is_forbidden,
            "hands": [words(hand) for hand in deal.hands],
            "played": words(deal.played),
            "order": deal.out,
            "reversed now": deal.order,
        }
        if deal.is_over:
            seen["places"] = [deal.places().index(seat) for seat in range(len(deal.hands))]
            return seen | {
                "lock": 0,
                "passed": 0,
                "is_reversed": False,
                "pending": False,
                "eleven": False,
                "reversed now": False,
            }
        seen["turn"] = deal.turn
        if deal.table is not None:
            play = as_play(deal.table)
            seen["table"] = [play.sequence, play.size, play.rank, play.suits, play.first, play.second, deal.last]
        return seen
