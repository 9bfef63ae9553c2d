"""The encoding layer of all three games: a deck lays kinds and their copies out as bits.

A *deck* is a list of kinds, each with a number of identical copies, and every copy owns one bit. A *mask*
is a set of copies; the **canonical** mask of a multiset sets the lowest bits of each kind's copies, so equal
multisets have equal masks, a multiset is contained in another exactly if its bits are
(``part & ~whole == 0``), and its size is the number of its bits.

Up to 64 copies take one word. A larger deck takes two, divided between sections (suits), so that no kind
and no suit straddles the border. A mask is one Python int; the second word begins at bit 64, so the words
that kernels see are ``mask & (2**64 - 1)`` and ``mask >> 64``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from solver.errors import InputError

WORD = 64
WORD_MASK = (1 << WORD) - 1


@dataclass(frozen=True)
class Kind:
    """One kind of tile or card: how it is written, other spellings that are read, and its number of copies."""

    name: str
    copies: int
    aliases: tuple[str, ...] = ()
    section: str = ""


@dataclass(frozen=True)
class Deck:
    """Kinds laid out as bits.

    Attributes:
        kinds: the kinds in the order of their bits, which is the order they are written in.
        shifts: for each kind, the place of its lowest bit (second word from 64 on).
        words: 1 or 2.
        full: the mask of the whole deck.

    Raises:
        InputError: two kinds share a spelling, a kind has no copy, a section is not contiguous, or the deck
            fits no two words.
    """

    kinds: tuple[Kind, ...]
    shifts: tuple[int, ...] = field(init=False)
    words: int = field(init=False)
    full: int = field(init=False)
    _bits: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _kind_of_bit: dict[int, int] = field(init=False, repr=False, compare=False)
    _lanes: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _spellings: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        shifts = _lay_out(self.kinds)
        bits = tuple(((1 << kind.copies) - 1) << shift for kind, shift in zip(self.kinds, shifts, strict=True))
        full = sum(bits)
        spellings: dict[str, int] = {}
        for index, kind in enumerate(self.kinds):
            for spelling in (kind.name, *kind.aliases):
                if spelling in spellings:
                    raise InputError(f"two kinds of the deck are written {spelling!r}")
                spellings[spelling] = index
        object.__setattr__(self, "shifts", shifts)
        object.__setattr__(self, "words", 1 if full <= WORD_MASK else 2)
        object.__setattr__(self, "full", full)
        object.__setattr__(self, "_bits", bits)
        object.__setattr__(self, "_lanes", _lanes(self.kinds, shifts))
        object.__setattr__(
            self,
            "_kind_of_bit",
            {
                1 << (shift + copy): index
                for index, (kind, shift) in enumerate(zip(self.kinds, shifts, strict=True))
                for copy in range(kind.copies)
            },
        )
        object.__setattr__(self, "_spellings", spellings)

    @property
    def size(self) -> int:
        """How many copies the deck has in all."""
        return self.full.bit_count()

    def kind(self, text: str) -> int:
        """The index of the kind written ``text``; raises InputError if there is none."""
        index = self._spellings.get(text)
        if index is None:
            raise InputError(f"{text!r} does not exist")
        return index

    def mask(self, kinds: Iterable[int]) -> int:
        """The canonical mask of a multiset of kind indices, in any order.

        Raises:
            InputError: a kind is named more often than it has copies.
        """
        mask = 0
        for index in kinds:
            bit = 1 << self.shifts[index]
            while mask & bit:
                bit <<= 1
            if not bit & self._bits[index]:
                kind = self.kinds[index]
                raise InputError(f"more than {kind.copies} of {kind.name}; the deck has no more")
            mask |= bit
        return mask

    def mask_of_counts(self, counts: Sequence[int]) -> int:
        """The canonical mask of so many copies of each kind; raises InputError past a kind's copies."""
        mask = 0
        for kind, shift, count in zip(self.kinds, self.shifts, counts, strict=True):
            if not 0 <= count <= kind.copies:
                raise InputError(f"{count} of {kind.name}, the deck has {kind.copies}")
            mask |= ((1 << count) - 1) << shift
        return mask

    def counts(self, mask: int) -> tuple[int, ...]:
        """How many copies of each kind a mask holds."""
        return tuple((mask & bits).bit_count() for bits in self._bits)

    def kinds_of(self, mask: int) -> tuple[int, ...]:
        """The kind indices of a mask's copies, ascending, a kind as often as it is held."""
        kinds = []
        while mask:
            bit = mask & -mask
            kinds.append(self._kind_of_bit[bit])
            mask ^= bit
        return tuple(kinds)

    def canonical(self, mask: int) -> int:
        """The canonical mask of the multiset that any set of copies stands for."""
        for lane in self._lanes:
            low, high = mask & lane, (mask >> 1) & lane
            mask = (mask & ~(lane | (lane << 1))) | (low | high) | ((low & high) << 1)
        return mask

    def parse(self, text: str) -> int:
        """The canonical mask of names separated by blanks.

        Raises:
            InputError: a name that no kind has, or a kind named more often than it has copies.
        """
        return self.mask(self.kind(name) for name in text.split())

    def names(self, mask: int) -> tuple[str, ...]:
        """The names of a mask's copies, in the deck's order."""
        return tuple(self.kinds[index].name for index in self.kinds_of(mask))

    def format(self, mask: int, separator: str = " ") -> str:
        """A mask as text; ``parse`` reads it back."""
        return separator.join(self.names(mask))

    def sorting_network(self) -> tuple[tuple[int, ...], ...]:
        """What ``solver.bits.canonical_word`` needs, for each word: the lanes of ``canonical``.

        Canonical form is each kind's bits sorted downwards. A bubble network sorts the bits of all kinds at
        once: a lane holds, for every kind, the bit that one comparator compares with the next one up.
        """
        return tuple(tuple((lane >> (WORD * word)) & WORD_MASK for lane in self._lanes) for word in range(self.words))


def _lanes(kinds: Sequence[Kind], shifts: Sequence[int]) -> tuple[int, ...]:
    """The bubble network that sorts the bits of every kind, one lane a comparator."""
    most = max(kind.copies for kind in kinds)
    steps = [low for sweep in range(most - 1) for low in range(most - 1 - sweep)]
    return tuple(
        sum(1 << (shift + low) for kind, shift in zip(kinds, shifts, strict=True) if kind.copies > low + 1)
        for low in steps
    )


def _lay_out(kinds: Sequence[Kind]) -> tuple[int, ...]:
    """The place of each kind's lowest bit; whole sections move to the second word once the first is full."""
    sections = [(name, list(members)) for name, members in groupby(kinds, key=lambda kind: kind.section)]
    if len({name for name, _ in sections}) < len(sections):
        raise InputError("the kinds of a section must stand together")
    if any(kind.copies < 1 for kind in kinds):
        raise InputError("every kind needs a copy")
    one_word = sum(kind.copies for kind in kinds) <= WORD
    shifts: list[int] = []
    place = 0
    for name, members in sections:
        size = sum(kind.copies for kind in members)
        if not one_word and place < WORD < place + size:
            place = WORD
        if place + size > (2 * WORD if place >= WORD else WORD):
            raise InputError(f"section {name!r} does not fit into the deck's two words")
        for kind in members:
            shifts.append(place)
            place += kind.copies
    return tuple(shifts)
