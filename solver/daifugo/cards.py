"""Cards of Daifugō: one or two packs, as bits and as text.

A card's number is ``4 * rank + suit``, so that the cards of a rank stand together and those of a suit four bits apart.
In kernels a hand is two words: the cards held at least once, and those held twice (two packs). Jokers fill the bits
from 52 of the first word upwards, whatever their number.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, reduce

from solver.deck import Deck, Kind
from solver.errors import InputError

SUITS = "cdhs"
RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
"""From the lowest to the highest, as long as there is no revolution (rules, "Base game")."""

NATURAL = 4 * len(RANKS)
NATURAL_MASK = (1 << NATURAL) - 1
JOKER = "jk"
JOKER_RANK = len(RANKS)
"""Of a play of jokers alone: above all others, revolution or not."""

MOST_JOKERS = 4
THREE, EIGHT, TEN, JACK, TWO = (RANKS.index(rank) for rank in ("3", "8", "10", "J", "2"))
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
SPADE_THREE = 4 * THREE + SPADES
DIAMOND_THREE = 4 * THREE + DIAMONDS

SYMBOLS = "♣♦♥♠"
JOKER_SYMBOL = "★"

Hand = tuple[int, int]
"""A hand as kernels see it: the cards held at least once with the jokers, and those held twice."""

EMPTY: Hand = (0, 0)


def _spellings(suit: str, rank: str) -> tuple[str, ...]:
    ranks = {rank, rank.lower(), *(("T", "t") if rank == "10" else ())}
    both = {first + second for first in (suit, suit.upper()) for second in ranks}
    symbol = SYMBOLS[SUITS.index(suit)]
    return tuple(sorted((both | {symbol + second for second in ranks}) - {suit + rank}))


@lru_cache
def deck(decks: int = 1, jokers: int = 1) -> Deck:
    """The cards of one or two packs with 0 to 2 jokers each, in ascending order, the jokers last.

    Raises:
        InputError: another number of packs or jokers.
    """
    if decks not in (1, 2) or jokers not in (0, 1, 2):
        raise InputError(f"{decks} packs with {jokers} jokers each: one or two with 0, 1 or 2 are played")
    kinds = [Kind(suit + rank, decks, _spellings(suit, rank), rank) for rank in RANKS for suit in SUITS]
    if jokers:
        kinds.append(Kind(JOKER, decks * jokers, ("jo", "JK", "Jk", "JO", "Jo", JOKER_SYMBOL), "jokers"))
    return Deck(tuple(kinds))


def to_hand(mask: int, cards: Deck) -> Hand:
    """A mask of a deck as kernels see it."""
    if cards.words == 1:
        return mask, 0
    first = second = 0
    for kind, count in enumerate(cards.counts(mask)):
        if kind == NATURAL:
            first |= ((1 << count) - 1) << NATURAL
        else:
            first |= int(count >= 1) << kind
            second |= int(count >= 2) << kind
    return first, second


def from_hand(first: int, second: int, cards: Deck) -> int:
    """The mask of a deck that ``to_hand`` gave two words for."""
    if cards.words == 1:
        return first
    mask = 0
    for kind, shift in enumerate(cards.shifts):
        count = (first >> NATURAL).bit_count() if kind == NATURAL else (first >> kind & 1) + (second >> kind & 1)
        mask |= ((1 << count) - 1) << shift
    return mask


def parse_cards(text: str, cards: Deck | None = None) -> Hand:
    """A hand from names of cards separated by blanks or commas (``d3 s10 jk``, ``♦3``, ``dT``).

    Without a deck they are of one pack with one joker.

    Raises:
        InputError: a name that no card has, or a card named more often than the deck holds it.
    """
    cards = cards or deck()
    return to_hand(cards.parse(text.replace(",", " ")), cards)


def count_cards(hand: Hand) -> int:
    """How many cards a hand has."""
    return hand[0].bit_count() + hand[1].bit_count()


def holds(hand: Hand, part: Hand) -> bool:
    """Whether a hand has all cards of another."""
    jokers = (part[0] >> NATURAL).bit_count() <= (hand[0] >> NATURAL).bit_count()
    return jokers and not part[0] & NATURAL_MASK & ~hand[0] and not part[1] & ~hand[1]


def take(hand: Hand, part: Hand) -> Hand:
    """A hand less some cards that it has."""
    first, second = hand
    jokers = (first >> NATURAL).bit_count() - (part[0] >> NATURAL).bit_count()
    once, gone = first & NATURAL_MASK, part[0] & NATURAL_MASK
    left = once & ~((gone & ~second) | part[1])
    return left | ((1 << jokers) - 1) << NATURAL, second & ~gone


def join(hand: Hand, more: Hand) -> Hand:
    """A hand and more cards, of which there are two copies at most."""
    jokers = (hand[0] >> NATURAL).bit_count() + (more[0] >> NATURAL).bit_count()
    once, other = hand[0] & NATURAL_MASK, more[0] & NATURAL_MASK
    return once | other | ((1 << jokers) - 1) << NATURAL, hand[1] | more[1] | (once & other)


def join_all(hands: Iterable[Hand]) -> Hand:
    """All cards of some hands together."""
    return reduce(join, hands, EMPTY)


def jokers_only(count: int) -> Hand:
    """So many jokers."""
    return ((1 << count) - 1) << NATURAL, 0


def single_cards(hand: Hand) -> list[Hand]:
    """The cards of a hand one by one, ascending, jokers last; identical cards are there twice."""
    first, second = hand
    singles = [(1 << card, 0) for card in range(NATURAL) for _ in range((first >> card & 1) + (second >> card & 1))]
    return singles + [(1 << NATURAL, 0)] * (first >> NATURAL).bit_count()


def card_names(first: int, second: int) -> list[str]:
    """The names of a hand's cards, ascending, jokers last; identical cards are written twice."""
    names = [
        SUITS[card % 4] + RANKS[card // 4]
        for card in range(NATURAL)
        for _ in range((first >> card & 1) + (second >> card & 1))
    ]
    return names + [JOKER] * (first >> NATURAL).bit_count()


def format_cards(first: int, second: int = 0) -> str:
    """A hand as text; ``parse_cards`` reads it back."""
    return " ".join(card_names(first, second))


def symbols(text: str) -> str:
    """Cards or a play as text with the suits as they are printed on cards: ``d10 jk=h9`` as ``♦10 ★=♥9``."""
    return " ".join("=".join(_symbol(name) for name in card.split("=")) for card in text.split())


def _symbol(name: str) -> str:
    return JOKER_SYMBOL if name == JOKER else SYMBOLS[SUITS.index(name[0])] + name[1:]
