"""Titles, what they score, and the exchange of cards, seats and lead that they bring before the next deal.

Places count from 0, the first. Choices where the rules are silent: all gifts of the poor come first, then the rich
return cards with those they were given in hand, the highest of them first; of cards of equal rank the poor choose
which to give; a card named on request that the poor do not hold is replaced by the highest they have left; who leads
with the 3 of diamonds in two packs is the first from the dealer's left to hold one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.bits import highest_bit, popcount
from solver.daifugo.cards import (
    DIAMOND_THREE,
    EMPTY,
    JOKER_RANK,
    NATURAL,
    NATURAL_MASK,
    Hand,
    count_cards,
    holds,
    join,
    jokers_only,
    single_cards,
    take,
)
from solver.daifugo.rules import RuleSet
from solver.errors import InputError
from solver.jit import kernel

DAIFUGO, FUGO, HEIMIN, HINMIN, DAIHINMIN = TITLES = ("Daifugō", "Fugō", "Heimin", "Hinmin", "Daihinmin")
LARGE_TABLE = 5
"""From so many players on there are two titles at either end (rules, "Titles")."""

Gift = tuple[int, int, int]
"""An exchange: the place of the poor, that of the rich, and how many cards each gives."""


def title(place: int, players: int) -> str:
    """The title of a place: with five players or more two at either end, else Fugō and Hinmin only."""
    if players < LARGE_TABLE:
        return FUGO if place == 0 else HINMIN if place == players - 1 else HEIMIN
    return {0: DAIFUGO, 1: FUGO, players - 2: HINMIN, players - 1: DAIHINMIN}.get(place, HEIMIN)


def scores(rules: RuleSet, players: int) -> tuple[int, ...]:
    """What each place scores in a deal (``scoring``)."""
    worth = {DAIFUGO: 2, FUGO: 1, HINMIN: -1, DAIHINMIN: -2}
    if rules.scoring == "none":
        return (0,) * players
    points = tuple(worth.get(title(place, players), 0) for place in range(players))
    return points if rules.scoring == "payments" else tuple(max(0, point) for point in points)


def exchanges(rules: RuleSet, players: int) -> tuple[Gift, ...]:
    """Who exchanges how many cards with whom, the highest place first (``exchange``)."""
    if rules.exchange == "off":
        return ()
    last = players - 1
    if rules.exchange == "base":
        return ((last, 0, 2), (last - 1, 1, 1)) if players >= LARGE_TABLE else ((last, 0, 1),)
    return ((last, 0, 2), (last - 1, 1, 1)) if players > 3 else ((last, 0, 2),)


def swaps_titles(hands: Sequence[Hand], places: Sequence[int], rules: RuleSet) -> bool:
    """Whether the deal swaps all titles end for end (``joker_revolution``), given hands and places by seat."""
    if not rules.joker_revolution:
        return False
    players = len(hands)
    poor = {players - 1, players - 2} if players >= LARGE_TABLE else {players - 1}
    return any(
        (hand[0] >> NATURAL).bit_count() == 2 for hand, place in zip(hands, places, strict=True) if place in poor
    )


def seating(rules: RuleSet, order: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
    """Who sits clockwise in the next deal.

    Args:
        rules: the rule set (``seating``).
        order: the players clockwise in the last one.
        places: each player's place in it, by player.
    """
    if rules.seating == "fixed":
        return tuple(order)
    by_place = sorted(order, key=lambda player: places[player])
    if rules.seating == "by_result":
        return tuple(reversed(by_place))
    return (by_place[-1], *by_place[:-1])


@kernel
def _highest_cards(first, second, count, keeps_jokers):
    """The highest cards of a hand as a hand, of equal ranks those of the highest suits."""
    taken_first = taken_second = np.int64(0)
    jokers = 0 if keeps_jokers else min(count, popcount(first >> NATURAL))
    natural = first & NATURAL_MASK
    left = count - jokers
    while left and natural:
        card = np.int64(1) << highest_bit(natural)
        natural ^= card
        taken_first |= card
        left -= 1
        if left and second & card:
            taken_second |= card
            left -= 1
    return taken_first | ((np.int64(1) << jokers) - 1) << NATURAL, taken_second


def highest_cards(hand: Hand, count: int, *, keeps_jokers: bool = False) -> Hand:
    """The highest cards of a hand, of equal ranks those of the highest suits; fewer if it has no more."""
    first, second = _highest_cards(np.int64(hand[0]), np.int64(hand[1]), count, keeps_jokers)
    return int(first), int(second)


def is_gift(gift: Hand, hand: Hand, count: int, *, keeps_jokers: bool = False) -> bool:
    """Whether cards of a hand are as high as its highest, whatever their suits."""
    return _ranks(gift) == _ranks(highest_cards(hand, count, keeps_jokers=keeps_jokers))


def _ranks(hand: Hand) -> list[int]:
    first, second = hand
    cards = [card for card in range(NATURAL) for _ in range((first >> card & 1) + (second >> card & 1))]
    return [card // 4 for card in cards] + [JOKER_RANK] * (first >> NATURAL).bit_count()


def due_gift(hand: Hand, requested: Hand, count: int, *, kept: int = 0) -> Hand:
    """The cards a poor player has to give: those requested, if held, and else the highest they have.

    Of equal ranks those of the highest suits. ``kept``: how many of their jokers they keep (``joker_kept``).
    """
    held = take(hand, jokers_only(kept))
    named = _named(held, requested)
    return join(named, highest_cards(take(held, named), count - count_cards(named)))


def is_due(gift: Hand, hand: Hand, requested: Hand, count: int, *, may_keep_jokers: bool = False) -> bool:
    """Whether a gift is what a poor player has to give, or as high; with ``may_keep_jokers`` less some jokers."""
    if not holds(hand, gift):
        return False
    for kept in range((hand[0] >> NATURAL).bit_count() + 1 if may_keep_jokers else 1):
        held = take(hand, jokers_only(kept))
        named = _named(held, requested)
        left = count - count_cards(named)
        if holds(held, gift) and holds(gift, named) and is_gift(take(gift, named), take(held, named), left):
            return True
    return False


def _named(hand: Hand, requested: Hand) -> Hand:
    """Those cards of a hand that are requested."""
    named = EMPTY
    for card in single_cards(requested):
        if holds(hand, join(named, card)):
            named = join(named, card)
    return named


def first_leader(rules: RuleSet, hands: Sequence[Hand], dealer: int, places: Sequence[int] | None, drawn: int) -> int:
    """The seat that leads a deal (``leader``).

    Args:
        rules: the rule set.
        hands: by seat, after the exchange.
        dealer: the dealer's seat.
        places: by seat, in the deal before; None in the first deal.
        drawn: the seat that leads the first deal, drawn by lot.

    Raises:
        InputError: the 3 of diamonds is to lead, and nobody holds it.
    """
    players = len(hands)
    if rules.leader == "three_of_diamonds":
        for step in range(1, players + 1):
            seat = (dealer + step) % players
            if hands[seat][0] >> DIAMOND_THREE & 1:
                return seat
        raise InputError("nobody holds the 3 of diamonds, which leads")
    if places is None:
        return drawn
    return list(places).index(players - 1 if rules.leader == "loser" else 0)
