"""Cards of Cuajo: 28 kinds, four identical copies of each, as bits, as text and by their names.

A kind's number is ``7 * suit + rank``, so a suit stands together: coins and cups fill 56 bits of the first word of a
mask, swords and batons 56 bits of the second. A card is written as its suit and its rank, such as ``oK``.
"""

from __future__ import annotations

from collections.abc import Mapping

from solver.deck import Deck, Kind
from solver.errors import InputError

SUITS = "oceb"
RANKS = "A345JHK"
COPIES = 4
KINDS = len(SUITS) * len(RANKS)
ALL_COPIES = (1 << COPIES) - 1

COINS, CUPS, SWORDS, BATONS = range(len(SUITS))
ACE, THREE, FOUR, FIVE, JACK, HORSE, KING = range(len(RANKS))

SUIT_NAMES = (("coins", "oros"), ("cups", "copas"), ("swords", "espadas"), ("batons", "bastos"))
"""For each suit its name in English and in Spanish."""

RANK_NAMES = (
    ("ace", "as"),
    ("three", "tres"),
    ("four", "cuatro"),
    ("five", "cinco"),
    ("jack", "sota"),
    ("horse", "caballo"),
    ("king", "rey"),
)
"""For each rank its name in English and in Spanish."""


def _spellings(suit: str, rank: str) -> tuple[str, ...]:
    both = {first + second for first in (suit, suit.upper()) for second in (rank, rank.lower())}
    return tuple(sorted(both - {suit + rank}))


CARDS = Deck(tuple(Kind(suit + rank, COPIES, _spellings(suit, rank), suit) for suit in SUITS for rank in RANKS))
"""All cards, 112 on 2 × 56 bits."""


def kind_of(suit: int, rank: int) -> int:
    """The number of a kind."""
    return len(RANKS) * suit + rank


def suit_of(kind: int) -> int:
    """The suit of a kind."""
    return kind // len(RANKS)


def rank_of(kind: int) -> int:
    """The rank of a kind."""
    return kind % len(RANKS)


_ONES = sum(1 << shift for shift in CARDS.shifts)
"""The lowest bit of every kind's four."""


def tally(mask: int) -> int:
    """The counts of a mask's kinds, each in the four bits where its copies stood."""
    mask -= (mask >> 1) & 5 * _ONES
    return (mask & 3 * _ONES) + (mask >> 2 & 3 * _ONES)


def exceeds(*masks: int) -> bool:
    """Whether some masks, at most three of them, have more than four of a kind together."""
    # Three more make a count from five on reach the fourth bit; three times four and three do not leave it.
    return bool((sum(map(tally, masks)) + 3 * _ONES) & (8 * _ONES))


def copies_of(mask: int, kind: int) -> int:
    """How many cards of a kind a mask holds."""
    return (mask >> CARDS.shifts[kind] & ALL_COPIES).bit_count()


def card(kind: int) -> str:
    """A card as text."""
    return CARDS.kinds[kind].name


def parse_card(text: str) -> int:
    """The kind of one card; upper and lower case are read.

    Raises:
        InputError: there is no such card.
    """
    try:
        return CARDS.kind(text.strip())
    except InputError:
        raise InputError(
            f"{text.strip()!r} is no card: a card is a suit (o c e b) and a rank (A 3 4 5 J H K), such as oK"
        ) from None


def parse_cards(text: str) -> int:
    """The mask of cards separated by blanks or commas, in any order.

    Raises:
        InputError: something is no card, or there is a fifth copy.
    """
    kinds = [parse_card(name) for name in text.replace(",", " ").split()]
    for kind in sorted(set(kinds)):
        if kinds.count(kind) > COPIES:
            raise InputError(f"{kinds.count(kind)} of {card(kind)}: there are only {COPIES} of each card")
    return CARDS.mask(kinds)


def english(kind: int) -> str:
    """A card's full name in English: ``king of coins``."""
    return f"{RANK_NAMES[rank_of(kind)][0]} of {SUIT_NAMES[suit_of(kind)][0]}"


def spanish(kind: int) -> str:
    """A card's full name in Spanish: ``rey de oros``."""
    return f"{RANK_NAMES[rank_of(kind)][1]} de {SUIT_NAMES[suit_of(kind)][1]}"


def named(counts: Mapping[int, int]) -> dict[str, int]:
    """Numbers for kinds as JSON: by the text of the card, in the order of the deck."""
    return {card(kind): counts[kind] for kind in sorted(counts)}


def full_names(kinds: set[int]) -> dict[str, dict[str, str]]:
    """The full names of cards as JSON, in English (``en``) and Spanish (``es``)."""
    return {card(kind): {"en": english(kind), "es": spanish(kind)} for kind in sorted(kinds)}
