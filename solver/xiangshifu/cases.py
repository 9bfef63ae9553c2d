"""Cases of the end: which locks are present once all groups are valid, and the games in which they can be.

A lock (``solver.xiangshifu.bonds``) can't come or go once all groups are valid, so a goal whose final positions have a
lock, or have it not, asks for something that the repairs decide. That makes each case a game of its own, narrower than
the deal's:

* A lock that is *present* in the end, and not as dealt, is first made by an exchange that repairs a dealt invalid
  group, its maker. In the game of that maker, it may be repaired in no other way.
* A lock that is *absent* in the end never appears, so that its groups may as well not be valid; or else it is broken
  last by the repair of a dealt invalid group, its breaker, which may then be repaired in no other way.

If the deal can't be won in any game of a case, the case can't come true. All arguments for losses hold for these games
as they do for a rule set, and mostly the simplest one does: no partner that a maker could have is ever at hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from solver.xiangshifu.bonds import Lock, locks
from solver.xiangshifu.groups import classified, group_table
from solver.xiangshifu.position import Position
from solver.xiangshifu.rules import Only, RuleSet

MOST_GAMES = 256
"""Games of one case; where makers and breakers tell more apart, those of some locks are left open."""


@dataclass(frozen=True)
class Game:
    """A narrower game: one way in which a case can come true.

    Attributes:
        makers: places of the dealt groups that make the locks ``CaseGames.made``, in their order.
        breakers: places of those that break ``CaseGames.broken`` last; None for a lock that never appears.
        rules: the rule set of the game.
    """

    makers: tuple[int, ...]
    breakers: tuple[int | None, ...]
    rules: RuleSet


@dataclass(frozen=True)
class CaseGames:
    """The games of one case.

    Attributes:
        present: the locks that are present in the end, as bits.
        dealt: the place of a dealt group of a lock that is there for good, but must be absent; None if there is none.
        made: the locks whose makers tell the games apart. One without a maker leaves no game.
        broken: the locks whose breakers do.
        games: the games.
        needed: the groups (masks) of each lock that is present, by its index.
    """

    present: int
    dealt: int | None
    made: tuple[int, ...]
    broken: tuple[int, ...]
    games: tuple[Game, ...]
    needed: dict[int, tuple[int, ...]]


class Dealing:
    """A deal's groups and the locks of its rule set."""

    def __init__(self, deal: Position, rules: RuleSet) -> None:
        table = group_table()
        valid = classified(rules)[[table.number(group) for group in deal.groups]] != 0
        self.rules = rules
        self.locks: tuple[Lock, ...] = locks(rules, deal.layout)
        self._valid = {group: place for place, group in enumerate(deal.groups) if valid[place]}
        self._invalid = [(place, group) for place, group in enumerate(deal.groups) if not valid[place]]

    def holder(self, lock: Lock) -> int | None:
        """The place of the dealt valid group that is of a lock, or None."""
        return next((self._valid[group] for group in lock.groups if group in self._valid), None)

    def invalid(self, among: Sequence[int]) -> list[tuple[int, int]]:
        """Places and masks of the dealt invalid groups among some."""
        return [(place, group) for place, group in self._invalid if group in among]

    def are_unlike(self, groups: Iterable[tuple[int, int]]) -> bool:
        """Whether no other dealt invalid group is like one of these; a game can't tell them apart."""
        held = [group for _, group in self._invalid]
        return all(held.count(group) == 1 for _, group in groups)


def case_games(deal: Position, present: int, rules: RuleSet) -> CaseGames:
    """The games in which just the locks of the bits ``present`` are present in the end."""
    dealing = Dealing(deal, rules)
    excluded: set[int] = set()
    needed = {index: lock.groups for index, lock in enumerate(dealing.locks) if present >> index & 1}
    made: dict[int, list[tuple[int, int]]] = {}
    broken: dict[int, list[tuple[int, int] | None]] = {}
    for index, lock in enumerate(dealing.locks):
        holder = dealing.holder(lock)
        if present >> index & 1:
            makers = dealing.invalid(lock.makers)
            if holder is None and dealing.are_unlike(makers):
                made[index] = makers
        elif not (breakers := dealing.invalid(lock.breakers)):
            if holder is not None:
                return CaseGames(present, holder, (), (), (), needed)
            excluded.update(lock.groups)
        elif dealing.are_unlike(breakers):
            broken[index] = [*breakers, None] if holder is None else [*breakers]
    _leave_open(made, broken)
    games = tuple(
        _game(made, makers, broken, breakers, excluded, dealing)
        for makers in product(*made.values())
        for breakers in product(*broken.values())
    )
    return CaseGames(present, None, tuple(made), tuple(broken), games, needed)


def _leave_open(made: dict[int, list[tuple[int, int]]], broken: dict[int, list[tuple[int, int] | None]]) -> None:
    """Take out the locks with the most makers or breakers as long as the games are too many."""
    ways = {index: len(makers) for index, makers in made.items()}
    ways |= {index: len(breakers) for index, breakers in broken.items()}
    while prod(ways.values()) > MOST_GAMES:
        widest = max(ways, key=lambda index: ways[index])
        del ways[widest]
        made.pop(widest, None)
        broken.pop(widest, None)


def _game(
    made: Iterable[int],
    makers: tuple[tuple[int, int], ...],
    broken: Iterable[int],
    breakers: tuple[tuple[int, int] | None, ...],
    excluded: set[int],
    dealing: Dealing,
) -> Game:
    never: set[int] = set()
    only = [Only(group, dealing.locks[index].groups) for index, (_, group) in zip(made, makers, strict=True)]
    for index, breaker in zip(broken, breakers, strict=True):
        groups = dealing.locks[index].groups
        if breaker is None:
            never.update(groups)
        else:
            only.append(Only(breaker[1], groups, breaks=True))
    return Game(
        tuple(place for place, _ in makers),
        tuple(None if breaker is None else breaker[0] for breaker in breakers),
        dealing.rules.restricted(excluded | never, only),
    )
