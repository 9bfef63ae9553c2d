"""Exact probabilities that some groups are dealt and others are not, in a random deal.

The tiles are taken as different, so a group is one or several *actual groups*, sets of actual tiles. How likely it is
that disjoint actual groups are all dealt depends only on how many triples and pairs they are. The rest is counting (see
``solver.xiangshifu.families``):

* some groups **all dealt**: the families of disjoint actual groups that are these groups;
* groups of which **none** is dealt: inclusion and exclusion over all families of disjoint actual groups;
* **any of several events**: inclusion and exclusion over the events.

Everything is exact: counts are integers and probabilities fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial, prod

from solver.xiangshifu.families import TOP, count_families, excess_bias, word
from solver.xiangshifu.position import TEN, Layout
from solver.xiangshifu.tiles import TILES

MOST_UNIONS = 20_000
"""Unions of events that inclusion and exclusion looks at, each about half a millisecond."""


_counts = cache(TILES.counts)


@dataclass(frozen=True)
class Event:
    """What a deal may show.

    Attributes:
        present: masks of groups that are all dealt; one named m times is dealt m times at least.
        absent: masks of groups none of which is dealt beside these. So a group in both is dealt just as often as it is
            named in ``present``.
    """

    present: tuple[int, ...]
    absent: frozenset[int] = frozenset()


@cache
def number_of_deals(triples: int, pairs: int) -> int:
    """In how many ways ``3 * triples + 2 * pairs`` different tiles make so many triples and pairs."""
    tiles = 3 * triples + 2 * pairs
    orders: int = 6**triples * factorial(triples) * 2**pairs * factorial(pairs)
    return factorial(tiles) // orders


def probability(present: Iterable[int], absent: Iterable[int] = (), layout: Layout = TEN) -> Fraction:
    """The probability that some groups are all dealt, and none of others beside them.

    Let a group be dealt N times. That this is m times at least is the sum over j >= m of
    (-1)^(j - m) C(j - 1, m - 1) C(N, j), and the expectation of C(N, j) counts families of j actual groups. If the
    group is also absent, N has to be m: only families of m actual groups count, with none beside them.

    Args:
        present: masks of groups; one named m times has to be dealt m times at least.
        absent: masks of groups.
        layout: the layout of the deal.
    """
    wanted = Counter(present)
    unwanted = frozenset(absent)
    numbers = [
        [least] if group in unwanted else range(least, _most(group, layout) + 1) for group, least in wanted.items()
    ]
    total = Fraction(0)
    for often in product(*numbers):
        chosen = dict(zip(wanted, often, strict=True))
        if _fits(chosen, layout):
            sign = prod((-1) ** (j - wanted[group]) * comb(j - 1, wanted[group] - 1) for group, j in chosen.items())
            total += sign * _ways(chosen, layout) * _dealt_alone(chosen, unwanted, layout)
    return total


def probability_of_none(groups: Iterable[int], layout: Layout = TEN) -> Fraction:
    """The probability that none of the groups (masks) is dealt."""
    return probability((), groups, layout)


def probability_of_any(
    events: Sequence[Event], layout: Layout = TEN, most_unions: int = MOST_UNIONS
) -> Fraction | None:
    """The probability that at least one of the events happens, by inclusion and exclusion.

    Sets of events that come to the same are counted together, and those that contradict each other dropped. What
    remains are different unions of events.

    Returns:
        None if there are more than ``most_unions`` of them: then only a simulation tells.
    """
    signs = _Unions(events, layout).signs(most_unions)
    if signs is None:
        return None
    none = sum((sign * probability(event.present, event.absent, layout) for event, sign in signs.items()), Fraction(0))
    return 1 - none


class _Unions:
    """The unions of events that can happen together.

    A set of groups is a bit set over those that any event names: bit n is group number n, bit n + (number of groups)
    says that it is there twice. No group can be dealt more often.
    """

    def __init__(self, events: Sequence[Event], layout: Layout) -> None:
        self._layout = layout
        events = [event for event in events if _fits(Counter(event.present), layout)]
        self._groups = sorted({group for event in events for group in (*event.present, *event.absent)})
        self._numbers = {group: number for number, group in enumerate(self._groups)}
        self._possible: dict[int, bool] = {}
        named = {group for event in events for group in event.present}
        self._events = [
            (self._bits(event.present), self._bits(event.absent), self._bits(self._too_many(event, named)))
            for event in events
        ]

    def signs(self, most: int) -> dict[Event, int] | None:
        """For each union, the even sets of events that make it less the odd ones; None if there are too many."""
        signs = {(0, 0): 1}
        for present, absent, too_many in self._events:
            unlike = self._twice(absent | too_many) & ~present
            for (known, missing), sign in list(signs.items()):
                if known & unlike or present & self._twice(missing) & ~known:
                    continue
                if self._can_be_dealt(known | present):
                    union = known | present, missing | absent
                    signs[union] = signs.get(union, 0) - sign
            if len(signs) > most:
                return None
        return {self._event(*union): sign for union, sign in signs.items() if sign}

    def _too_many(self, event: Event, named: Iterable[int]) -> Iterable[int]:
        """The groups for which an event leaves too few tiles."""
        used = excess_bias(self._layout.tiles) + sum(map(word, event.present))
        return (group for group in named if used + word(group) & TOP)

    def _twice(self, bits: int) -> int:
        return bits | bits << len(self._groups)

    def _bits(self, groups: Iterable[int]) -> int:
        bits = 0
        for group in groups:
            bit = 1 << self._numbers[group]
            bits |= bit << len(self._groups) if bits & bit else bit
        return bits

    def _named(self, bits: int) -> Iterable[int]:
        while bits:
            yield self._groups[((bits & -bits).bit_length() - 1) % len(self._groups)]
            bits &= bits - 1

    def _event(self, present: int, absent: int) -> Event:
        return Event(tuple(self._named(present)), frozenset(self._named(absent)))

    def _can_be_dealt(self, present: int) -> bool:
        if present not in self._possible:
            self._possible[present] = _fits(Counter(self._named(present)), self._layout)
        return self._possible[present]


def _most(group: int, layout: Layout) -> int:
    """How often a group can be dealt at most."""
    held, there = _counts(group), _counts(layout.tiles)
    return min(tiles // used for used, tiles in zip(held, there, strict=True) if used)


def _fits(groups: Mapping[int, int], layout: Layout) -> bool:
    """Whether the layout has the tiles and the places for each group so often."""
    triples = sum(often for group, often in groups.items() if group.bit_count() == 3)
    if triples > layout.triples or sum(groups.values()) - triples > layout.pairs:
        return False
    used = excess_bias(layout.tiles)
    for group, often in groups.items():
        for _ in range(often):
            used += word(group)
            if used & TOP:
                return False
    return True


def _ways(groups: Mapping[int, int], layout: Layout) -> int:
    """How many families of disjoint actual groups hold each group just so often."""
    ways = 1
    left = list(_counts(layout.tiles))
    for group, often in groups.items():
        for _ in range(often):
            for kind, used in enumerate(_counts(group)):
                ways *= comb(left[kind], used)
                left[kind] -= used
        ways //= factorial(often)
    return ways


def _dealt_alone(groups: Mapping[int, int], absent: Iterable[int], layout: Layout) -> Fraction:
    """The probability that one family of disjoint actual groups is dealt, and nothing absent beside it."""
    triples = sum(often for group, often in groups.items() if group.bit_count() == 3)
    pairs = sum(groups.values()) - triples
    left = word(layout.tiles) - sum(often * word(group) for group, often in groups.items())
    more_triples, more_pairs = layout.triples - triples, layout.pairs - pairs
    families = count_families(left, map(word, absent), more_triples, more_pairs)
    deals = sum(
        (-1) ** (k + q) * families[k][q] * number_of_deals(more_triples - k, more_pairs - q)
        for k in range(more_triples + 1)
        for q in range(more_pairs + 1)
    )
    return Fraction(deals, number_of_deals(layout.triples, layout.pairs))
