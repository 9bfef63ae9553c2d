"""Plays of Daifugō: what cards can be together, and every legal play of a hand.

A play is a set of cards of one rank or a sequence in one suit. A joker stands for a card that the player names. In a
set its suit matters only where suits can be locked; where they can't, it is taken to be the first suit that is free.
A set of jokers alone stands for nothing and is the highest of its size; in a fifth card of one pack's set too, the
joker has no suit left to stand for. Every other play holds a natural card (the rules are silent; so here no two jokers
are a pair of nines). Nothing beats jokers alone, whether or not equal plays may follow, but the 3 of spades.

Source: the game's rules, "Base game" and the options ``jokers`` to ``suit_lock``, ``spade_three`` and ``max_set``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import lowest_bit, popcount
from solver.daifugo.cards import (
    JOKER,
    JOKER_RANK,
    MOST_JOKERS,
    NATURAL,
    NATURAL_MASK,
    RANKS,
    SPADE_THREE,
    SUITS,
    Hand,
    card_names,
    deck,
    parse_cards,
)
from solver.daifugo.rules import RuleSet, Switches
from solver.errors import InputError
from solver.jit import kernel

LEAST_SEQUENCE = 3
MOST_SET = 5

PLAY = np.dtype(
    [
        ("first", np.int64),
        ("second", np.int64),
        ("sequence", np.int8),
        ("size", np.int8),
        ("rank", np.int8),
        ("suits", np.int16),
    ],
    align=True,
)
"""A play. ``first`` and ``second``: the cards that leave the hand, as in ``cards.Hand``. ``rank``: of a set, or of the
lowest card of a sequence, in the order without revolution; ``JOKER_RANK`` for jokers alone. ``suits``: of all its
cards, what jokers stand for included; bit s: suit s at least once, bit 4 + s: twice (of a sequence: once)."""

ARRANGEMENT = np.dtype([("natural", np.int16), ("suits", np.int16), ("jokers", np.int8), ("size", np.int8)])
"""A way to make a set of one rank: which natural cards (suits as in ``PLAY``), how many jokers, all suits."""


class Arrangements(NamedTuple):
    """All ways to make sets of the cards of a rank.

    Attributes:
        rows: ``ARRANGEMENT``.
        starts: int32, shape (MOST_JOKERS + 1, 256, MOST_SET + 2): where the sets of each size begin, given the
            number of jokers held and the cards of the rank (suits as in ``PLAY``).
    """

    rows: NDArray[np.void]
    starts: NDArray[np.int32]


def _suits_of(counts: tuple[int, ...]) -> int:
    return sum((count >= 1) << suit | (count >= 2) << (suit + 4) for suit, count in enumerate(counts))


def _parts(counts: tuple[int, ...], size: int) -> list[tuple[int, ...]]:
    """All ways to take so many of some cards of each suit."""
    return [part for part in product(*(range(count + 1) for count in counts)) if sum(part) == size]


def _sets_of(held: tuple[int, ...], size: int, jokers: int, decks: int, names_suits: bool) -> list[tuple[int, ...]]:
    rows: list[tuple[int, ...]] = []
    for used in range(min(jokers, size - 1) + 1):
        for natural in _parts(held, size - used):
            free = tuple(decks - count for count in natural)
            named = _parts(free, min(used, sum(free)))
            # The first suits are the greatest counts of the last ones to come by: _parts ascends from the first suit.
            for part in named if names_suits else named[-1:]:
                suits = tuple(a + b for a, b in zip(natural, part, strict=True))
                rows.append((_suits_of(natural), _suits_of(suits), used, size))
    return rows


@lru_cache
def _arrangements(decks: int, most_jokers: int, max_set: int, names_suits: bool) -> Arrangements:
    rows: list[tuple[int, ...]] = []
    starts = np.zeros((MOST_JOKERS + 1, 256, MOST_SET + 2), dtype=np.int32)
    for jokers in range(most_jokers + 1):
        for held in product(range(decks + 1), repeat=len(SUITS)):
            if not any(held):
                continue
            for size in range(1, MOST_SET + 1):
                starts[jokers, _suits_of(held), size] = len(rows)
                if size <= max_set:
                    rows += _sets_of(held, size, jokers, decks, names_suits)
            starts[jokers, _suits_of(held), MOST_SET + 1] = len(rows)
    return Arrangements(np.array(rows, dtype=ARRANGEMENT), starts)


class Book(NamedTuple):
    """What kernels need of a rule record.

    Attributes:
        switches: the options.
        arrangements: all sets of a rank.
        room: int64, shape (1,): more plays than any hand has.
    """

    switches: Switches
    arrangements: Arrangements
    room: int


@lru_cache
def book_of(rules: RuleSet) -> Book:
    """What kernels need of a rule record, made once."""
    jokers = rules.decks * rules.jokers
    arrangements = _arrangements(rules.decks, jokers, rules.max_set, rules.suit_lock != "off")
    whole = _suits_of((rules.decks,) * len(SUITS))
    sets = len(RANKS) * int(np.ptp(arrangements.starts[jokers, whole, 1:]))
    windows = [length for length in range(LEAST_SEQUENCE, 14) for _ in range(14 - length)]
    fillings = [sum(len(list(combinations(range(n), j))) for j in range(min(jokers, n) + 1)) for n in windows]
    return Book(rules.switches(), arrangements, sets + len(SUITS) * sum(fillings) + MOST_SET + 1)


@kernel
def _enter(out, used, first, second, sequence, size, rank, suits):
    play = out[used]
    play.first, play.second = first, second
    play.sequence, play.size, play.rank, play.suits = sequence, size, rank, suits
    return used + 1


@kernel
def _jokers_mask(count):
    return ((np.int64(1) << count) - 1) << NATURAL


@kernel
def _suits_held(first, second, rank):
    """The cards of a rank, suits as in ``PLAY``."""
    return (first >> (4 * rank) & 15) | (second >> (4 * rank) & 15) << 4


@kernel
def _enter_sets(held, rank, jokers, least, most, lock, book, out, used):
    """Enter the sets of one rank, of some sizes, that a lock admits."""
    starts = book.arrangements.starts[jokers, held]
    for place in range(starts[least], starts[most + 1]):
        row = book.arrangements.rows[place]
        if row.suits & lock == lock:
            natural = np.int64(row.natural)
            first = (natural & 15) << (4 * rank) | _jokers_mask(row.jokers)
            used = _enter(out, used, first, (natural >> 4) << (4 * rank), 0, row.size, rank, row.suits)
    return used


@kernel
def _enter_joker_sets(jokers, least, most, out, used):
    for size in range(least, min(jokers, most) + 1):
        used = _enter(out, used, _jokers_mask(size), 0, 0, size, JOKER_RANK, 0)
    return used


@kernel
def _beginnings(held, jokers):
    """The cards, held or not, with which a sequence can begin: of its first three no more are missing than jokers."""
    if jokers >= LEAST_SEQUENCE:
        return np.int64(NATURAL_MASK)
    a, b, c = held, held >> 4, held >> 8
    if jokers == 0:
        return a & b & c
    if jokers == 1:
        return (a & b) | (a & c) | (b & c)
    return a | b | c


@kernel
def _enter_window(natural, window, jokers, rank, suit, size, out, used):
    """Enter a sequence with jokers for what is missing, and for natural cards too while jokers are left."""
    missing = size - popcount(natural)
    spare = min(jokers - missing, popcount(natural) - 1)
    used = _enter(out, used, natural | _jokers_mask(missing), 0, 1, size, rank, 1 << suit)
    if spare == 1:
        rest = natural
        while rest:
            card = rest & -rest
            rest ^= card
            used = _enter(out, used, natural ^ card | _jokers_mask(missing + 1), 0, 1, size, rank, 1 << suit)
    elif spare > 1:
        replaced = (-natural) & natural
        while replaced:
            count = popcount(replaced)
            if count <= spare:
                first = natural ^ replaced | _jokers_mask(missing + count)
                used = _enter(out, used, first, 0, 1, size, rank, 1 << suit)
            replaced = (replaced - natural) & natural
    return used


@kernel
def _enter_sequences(held, jokers, lowest, highest, least, most, lock, book, out, used):
    """Enter the sequences of some lengths whose lowest card's rank is in a range."""
    if lowest > highest:
        return used
    begins = _beginnings(held, jokers) & (((np.int64(1) << (4 * (highest - lowest + 1))) - 1) << (4 * lowest))
    begins &= lock * np.int64(0x1111111111111) if lock else np.int64(-1)
    while begins:
        card = lowest_bit(begins)
        begins &= begins - 1
        rank, suit = card >> 2, card & 3
        window, size = np.int64(0), 0
        while size < most and rank + size <= book.switches.most_sequence:
            window |= np.int64(1) << (card + 4 * size)
            size += 1
            natural = held & window
            if size - popcount(natural) > jokers:
                break
            if size >= least and natural:
                used = _enter_window(natural, window, jokers, rank, suit, size, out, used)
    return used


@kernel
def _lead(first, second, book, out):
    """All plays on an empty table; returns how many."""
    jokers, held = popcount(first >> NATURAL), first & NATURAL_MASK
    used = 0
    for rank in range(JOKER_RANK):
        suits = _suits_held(held, second, rank)
        if suits:
            used = _enter_sets(suits, rank, jokers, 1, book.switches.max_set, 0, book, out, used)
    used = _enter_joker_sets(jokers, 1, book.switches.max_set, out, used)
    if book.switches.sequences:
        used = _enter_sequences(held, jokers, 0, JOKER_RANK - 3, LEAST_SEQUENCE, JOKER_RANK, 0, book, out, used)
    return used


@kernel
def _higher(rank, size, sequence, is_reversed, switches):
    """The least and the greatest rank of what beats a play."""
    step = 1 - switches.equal_follows
    if sequence and switches.no_overlap:
        step = size
    if is_reversed:
        return 0, rank - step
    return rank + step, JOKER_RANK - 1 - (size - 1 if sequence else 0)


@kernel
def _follow(first, second, table, is_reversed, lock, book, out):
    """All plays that beat the play on the table; returns how many."""
    jokers, held = popcount(first >> NATURAL), first & NATURAL_MASK
    size = np.int64(table.size)
    if table.rank == JOKER_RANK:
        if book.switches.spade_three and size == 1 and held >> SPADE_THREE & 1:
            return _enter(out, 0, np.int64(1) << SPADE_THREE, 0, 0, 1, SPADE_THREE >> 2, 1 << (SPADE_THREE & 3))
        return 0
    lowest, highest = _higher(np.int64(table.rank), size, table.sequence, is_reversed, book.switches)
    if table.sequence:
        return _enter_sequences(held, jokers, lowest, highest, size, size, lock, book, out, 0)
    used = 0
    for rank in range(lowest, highest + 1):
        suits = _suits_held(held, second, rank)
        if suits:
            used = _enter_sets(suits, rank, jokers, size, size, lock, book, out, used)
    return _enter_joker_sets(jokers, size, size, out, used)


@kernel
def _legal(first, second, table, is_reversed, lock, book, out):
    """All plays of a hand, passing left out; returns how many."""
    if table.size == 0:
        return _lead(first, second, book, out)
    return _follow(first, second, table, is_reversed, lock, book, out)


@kernel
def _read_set(first, second, jokers, book, out):
    """Enter what cards can be as a set."""
    natural = first & NATURAL_MASK
    size = popcount(natural) + popcount(second) + jokers
    if size > book.switches.max_set:
        return 0
    if not natural:
        return _enter_joker_sets(jokers, size, size, out, 0)
    rank = lowest_bit(natural) >> 2
    if natural & ~(np.int64(15) << (4 * rank)):
        return 0
    used = 0
    suits = _suits_held(natural, second, rank)
    starts = book.arrangements.starts[jokers, suits]
    for place in range(starts[size], starts[size + 1]):
        row = book.arrangements.rows[place]
        if row.natural == suits:
            used = _enter(out, used, first, second, 0, size, rank, row.suits)
    return used


@kernel
def _read_sequences(first, second, jokers, book, out, used):
    """Enter what cards can be as a sequence."""
    natural = first & NATURAL_MASK
    size = popcount(natural) + jokers
    if not book.switches.sequences or second or not natural or size < LEAST_SEQUENCE or size > JOKER_RANK:
        return used
    suit = lowest_bit(natural) & 3
    for rank in range(book.switches.most_sequence - size + 2):
        window = np.int64(0)
        for card in range(size):
            window |= np.int64(1) << (4 * (rank + card) + suit)
        if not natural & ~window:
            used = _enter(out, used, first, second, 1, size, rank, 1 << suit)
    return used


@kernel
def _readings(first, second, book, out):
    """All plays that exactly these cards can be; returns how many."""
    jokers = popcount(first >> NATURAL)
    if not first:
        return 0
    used = _read_set(first, second, jokers, book, out)
    return _read_sequences(first, second, jokers, book, out, used)


@dataclass(frozen=True, order=True)
class Play:
    """A play: cards that leave the hand, and what jokers among them stand for.

    Attributes:
        sequence: whether it is a sequence, else a set.
        size: how many cards.
        rank: index in ``RANKS`` of the set's rank or of the sequence's lowest card; ``JOKER_RANK`` for jokers alone.
        suits: the suits of all its cards; bit s: suit s at least once, bit 4 + s: twice.
        first: the cards that leave the hand, and
        second: those of them that do so twice (``cards.Hand``).
    """

    sequence: bool
    size: int
    rank: int
    suits: int
    first: int
    second: int

    @classmethod
    def from_row(cls, row: np.void) -> Play:
        """The play that a row of kernels stands for."""
        return cls(
            bool(row["sequence"]),
            int(row["size"]),
            int(row["rank"]),
            int(row["suits"]),
            int(row["first"]),
            int(row["second"]),
        )

    def to_row(self) -> np.void:
        """The row that kernels see: ``PLAY``."""
        row = np.zeros(1, dtype=PLAY)
        for name in PLAY.names or ():
            row[name] = getattr(self, name)
        return row[0]  # type: ignore[no-any-return]

    @property
    def jokers(self) -> int:
        """How many jokers it holds."""
        return (self.first >> NATURAL).bit_count()

    @property
    def cards(self) -> Hand:
        """The cards that leave the hand."""
        return self.first, self.second

    @property
    def named(self) -> list[str]:
        """The cards that its jokers stand for, ascending; fewer than jokers if some stand for none."""
        if self.rank == JOKER_RANK:
            return []
        if self.sequence:
            suit = self.suits.bit_length() - 1
            window = sum(1 << (4 * (self.rank + step) + suit) for step in range(self.size))
            return card_names(window & ~self.first, 0)
        first, second = (self.suits & 15) << (4 * self.rank), (self.suits >> 4) << (4 * self.rank)
        both, held_twice = first & ~self.first, second & ~self.second
        return card_names(both | held_twice, both & held_twice)

    def __str__(self) -> str:
        """The play as ``interface.md`` writes it: its cards, each joker with what it stands for (``c9 jk=h9``)."""
        names = [name for name in card_names(self.first, self.second) if name != JOKER]
        named = self.named
        return " ".join(names + [f"{JOKER}={name}" for name in named] + [JOKER] * (self.jokers - len(named)))


def _buffer(book: Book) -> NDArray[np.void]:
    return np.empty(book.room, dtype=PLAY)


def readings(hand: Hand, rules: RuleSet) -> list[Play]:
    """All plays that exactly these cards can be: none, one, or several that differ in what jokers stand for."""
    book = book_of(rules)
    out = _buffer(book)
    return sorted(Play.from_row(row) for row in out[: _readings(*_words(hand), book, out)])


def _words(hand: Hand) -> tuple[Any, Any]:
    return np.int64(hand[0]), np.int64(hand[1])


def legal_plays(
    hand: Hand, rules: RuleSet, table: Play | None = None, *, is_reversed: bool = False, lock: int = 0
) -> list[Play]:
    """Every legal play of a hand, each once, passing left out; ascending, sets before sequences.

    Args:
        hand: the cards held.
        rules: the rule set.
        table: the play to beat; None to lead.
        is_reversed: whether the order of ranks is reversed.
        lock: the suits that a trick is locked to, as in ``Play.suits``.
    """
    book = book_of(rules)
    out = _buffer(book)
    row = np.zeros(1, dtype=PLAY)[0] if table is None else table.to_row()
    used = _legal(*_words(hand), row, is_reversed, lock, book, out)
    return sorted(Play.from_row(play) for play in out[:used])


def parse_play(text: str, rules: RuleSet) -> Play:
    """Read a play: its cards, with ``jk=h9`` or a bare ``jk`` where there is only one thing it can stand for.

    In a set, where suits can't be locked, they matter to nobody: any free suit may be named, or none.

    Raises:
        InputError: cards that don't exist or are no play, or jokers that could stand for several cards.
    """
    parts = text.replace(",", " ").split()
    cards = deck(rules.decks, rules.jokers)
    hand = parse_cards(" ".join(part.split("=")[0] for part in parts), cards)
    found = readings(hand, rules)
    if not found:
        raise InputError(f"{text!r} is no play")
    named = [part.split("=", 1) for part in parts if "=" in part]
    for joker, _ in named:
        if parse_cards(joker, cards)[0] != 1 << NATURAL:
            raise InputError(f"{text!r}: only a joker can stand for another card")
    names = [name for part in named for name in card_names(*parse_cards(part[1], cards))]
    parse_cards(" ".join([name for name in card_names(*hand) if name != JOKER] + names), cards)
    fitting = named_readings(found, names, rules)
    if not fitting or len(names) < len(named):
        raise InputError(f"{text!r}: the joker can't stand for that")
    if len(fitting) > 1:
        raise InputError(f"{text!r}: say what the joker stands for, as in {str(fitting[0])!r}")
    return fitting[0]


def named_readings(found: list[Play], names: list[str], rules: RuleSet) -> list[Play]:
    """Of several plays of the same cards those whose jokers, or some of them, stand for the named cards.

    Where suits matter to nobody, in a set any suit will do.
    """
    ranks = Counter(name[1:] for name in names)
    return [
        play
        for play in found
        if Counter(names) <= Counter(play.named)
        or (rules.suit_lock == "off" and not play.sequence and ranks <= Counter(name[1:] for name in play.named))
    ]
