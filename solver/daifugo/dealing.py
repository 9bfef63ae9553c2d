"""How the cards of a deal fall: a pure function of a seed and the deal's number, frozen by a test.

The cards are numbered pack after pack, the jokers last: number n below 52 times the packs is card ``n % 52`` of
``cards``, any other a joker. ``solver.shuffle`` puts them in an order, whose first card goes to the dealer's left.
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.daifugo.cards import NATURAL, Hand, join
from solver.daifugo.rules import RuleSet
from solver.shuffle import shuffle

CARDS_STREAM, LOT_STREAM, PLAYER_STREAM = range(3)
"""What random orders of a seed are for: the cards, the lot that draws the first leader, the players' own choices."""


def pack_size(rules: RuleSet) -> int:
    """How many cards are dealt."""
    return rules.decks * (NATURAL + rules.jokers)


def deal_order(order: Sequence[int], rules: RuleSet, players: int, dealer: int) -> tuple[Hand, ...]:
    """Hands by seat when cards are dealt in an order, one at a time clockwise from the dealer's left."""
    hands: list[Hand] = [(0, 0)] * players
    for place, number in enumerate(order):
        seat = (dealer + 1 + place) % players
        natural = number < NATURAL * rules.decks
        hands[seat] = join(hands[seat], (1 << (number % NATURAL if natural else NATURAL), 0))
    return tuple(hands)


def deal_hands(rules: RuleSet, players: int, seed: int, number: int, dealer: int) -> tuple[Hand, ...]:
    """The hands by seat of deal ``number`` of a seed.

    Raises:
        InputError: the seed is not in 0..2**128-1, or the number not in 0..2**64-1.
    """
    return deal_order(shuffle(pack_size(rules), seed, number, CARDS_STREAM), rules, players, dealer)


def draw_leader(players: int, seed: int) -> int:
    """The seat that leads the first deal of a seed, by lot."""
    return shuffle(players, seed, 0, LOT_STREAM)[0]
