"""How the cards of a deal fall: a pure function of a seed and the deal's number, frozen by a test.

Card n of the deck, from 0 to 111, is of kind n // 4. ``solver.shuffle`` puts them in an order, the top card first.
Seats are numbered in the order of play (anticlockwise), so the next player has the next number, and partners are two
apart. Batches begin at the player after the dealer.
"""

from __future__ import annotations

from solver.cuajo.cards import CARDS, COPIES
from solver.cuajo.rules import PLAYERS
from solver.shuffle import shuffle

CARDS_STREAM, LOT_STREAM, PLAYER_STREAM, CHOICES_STREAM = range(4)
"""What random orders of a seed are for: the cards, the lot that draws the first dealer, and the players' choices."""

BATCH = 5
ROUNDS = 3
"""Batches that each player gets; the dealer's first has one card more."""

DEALT_CARDS = PLAYERS * BATCH * ROUNDS + 1
STOCK = CARDS.size - DEALT_CARDS - 1
"""Cards in all hands, and cards in the stock; the sowee lies between them."""


def deal_order(seed: int, number: int) -> tuple[int, ...]:
    """The kinds of all cards of deal ``number`` of a seed, the top card first.

    Raises:
        InputError: the seed is not in 0..2**128-1, or the number not in 0..2**64-1.
    """
    return tuple(card // COPIES for card in shuffle(CARDS.size, seed, number, CARDS_STREAM))


def batches(dealer: int) -> list[tuple[int, int]]:
    """To whom the cards go: seats and numbers of cards, in order."""
    return [
        (seat, BATCH + (turn == 0 and seat == dealer))
        for turn in range(ROUNDS)
        for seat in ((dealer + step) % PLAYERS for step in range(1, PLAYERS + 1))
    ]


def draw_dealer(seed: int, number: int = 0) -> int:
    """The seat that deals, drawn by lot."""
    return shuffle(PLAYERS, seed, number, LOT_STREAM)[0]
