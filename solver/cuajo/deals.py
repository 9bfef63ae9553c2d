"""Whole deals in kernels, with a player of ``policies`` in each seat.

Deal ``number`` of a seed falls as ``dealing.deal_order`` says; seat ``number % 4`` deals. The players' choices come
from the word that ``CHOICES_STREAM`` begins with. So all tables get the same cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.cuajo.blocks import waste_of
from solver.cuajo.cards import CARDS, COPIES, KINDS
from solver.cuajo.dealing import CARDS_STREAM, CHOICES_STREAM
from solver.cuajo.policies import _choose, policy_code
from solver.cuajo.rules import HAND, PLAYERS, RuleSet
from solver.cuajo.state import OVER, STATE, Book, _act, _actor, _begin, book_of
from solver.errors import InputError
from solver.jit import kernel
from solver.kernelshuffle import ShuffleArrays, _philox, _shuffle, shuffle_arrays

MOST_ACTIONS = 100_000
"""A deal that is not over by then never will be: players may take each other's discards for ever."""

DEAL = np.dtype(
    [
        ("cents", np.int32, (PLAYERS,)),
        ("each", np.int32),
        ("turns", np.int16),
        ("drawn", np.int16),
        ("takes", np.int16),
        ("first_purro", np.int16),
        ("purros", np.int16),
        ("breaks", np.int16),
        ("king_breaks", np.int16),
        ("turned", np.int8),
        ("secrets", np.int8),
        ("dealer", np.int8),
        ("winner", np.int8),
        ("way", np.int8),
        ("conditions", np.int8),
        ("porbis", np.int8),
        ("wastes", np.int8, (PLAYERS,)),
    ]
)
"""A deal that was played; the names are those of ``STATE``.

- ``wastes``: of each dealt hand, the dealer's of sixteen cards.
"""


@kernel
def _record(state, record):
    """Enter how a deal ended."""
    for seat in range(PLAYERS):
        record.cents[seat] = state.cents[seat]
    record.each, record.turns, record.drawn, record.takes = state.each, state.turns, state.drawn, state.takes
    record.first_purro, record.purros = state.first_purro, state.purros
    record.breaks, record.king_breaks = state.breaks, state.king_breaks
    record.turned, record.secrets, record.dealer = state.turned, state.secrets, state.dealer
    record.winner, record.way, record.conditions, record.porbis = (
        state.winner,
        state.way,
        state.conditions,
        state.porbis,
    )


@kernel
def _play(codes, states, words, waste_room, unseen, book):
    """Play the deal in ``states[0]`` to its end; whether it came to one."""
    state = states[0]
    for _ in range(MOST_ACTIONS):
        if state.phase == OVER:
            return True
        seat = _actor(state)
        _act(state, _choose(codes[seat], states, words[seat], waste_room, unseen, book), book)
    return False


@kernel
def _play_deals(first, codes, shuffles, kinds, states, words, waste_room, unseen, book, records):
    """Play deals from number ``first`` on; the place of one without an end, or how many there are."""
    for place in range(records.shape[0]):
        number, record, state = np.uint64(first + place), records[place], states[0]
        shuffles.counter[:] = np.uint64(0)
        shuffles.counter[1], shuffles.counter[3] = number, np.uint64(CHOICES_STREAM)
        _philox(shuffles.counter, shuffles.key, shuffles.block)
        for seat in range(PLAYERS):
            words[seat, 0] = shuffles.block[seat]
        _shuffle(
            shuffles.key,
            number,
            np.uint64(CARDS_STREAM),
            shuffles.limits,
            shuffles.counter,
            shuffles.block,
            shuffles.order,
        )
        for card in range(kinds.shape[0]):
            kinds[card] = shuffles.order[card] // COPIES
        _begin(state, kinds, np.int64(number % np.uint64(PLAYERS)))
        for seat in range(PLAYERS):
            record.wastes[seat] = waste_of(state.low[seat], state.high[seat], HAND, book.tables)
        if not _play(codes, states, words, waste_room, unseen, book):
            return place
        _record(state, record)
    return records.shape[0]


@dataclass(frozen=True)
class Table:
    """Who plays by which rules.

    Attributes:
        rules: the rule set.
        players: their names (``policies.POLICIES``), by seat.

    Raises:
        InputError: not four players, or one that is not known.
    """

    rules: RuleSet
    players: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.players) != PLAYERS:
            raise InputError(f"{len(self.players)} players: Cuajo is played by {PLAYERS}")
        for name in self.players:
            policy_code(name)


class Deals:
    """Plays deals of a seed at a table.

    Args:
        table: the table.
        seed: of the deals; raises InputError if it is out of range.
    """

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self._shuffles: ShuffleArrays = shuffle_arrays(CARDS.size, seed)
        self._codes = np.array([policy_code(name) for name in table.players], dtype=np.int64)

    @cached_property
    def _book(self) -> Book:
        return book_of(self.table.rules)

    def play(self, first: int, count: int) -> NDArray[np.void]:
        """Play deals ``first`` to ``first + count - 1``: ``DEAL``, shape (count,).

        Raises:
            InputError: a deal does not come to an end.
        """
        records = np.zeros(count, dtype=DEAL)
        played = _play_deals(
            first,
            self._codes,
            self._shuffles,
            np.empty(CARDS.size, dtype=np.int64),
            np.zeros(2, dtype=STATE),
            np.zeros((PLAYERS, 1), dtype=np.uint64),
            np.empty(KINDS, dtype=np.int64),
            np.empty(KINDS, dtype=np.int64),
            self._book,
            records,
        )
        if played < count:
            raise InputError(f"deal {first + played} does not come to an end")
        return records
