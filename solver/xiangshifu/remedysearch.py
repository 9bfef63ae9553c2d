"""Better remedies: which further combinations leave no dead group, and make the fewest new triples valid.

Candidates are the classic rules with up to two changes: another threshold of the full fourteen, multiples of other
numbers, another pattern of six ends; and with three patterns, if no two leave no group dead or conditionally dead. All
are ranked by what they leave and add (see ``patterns``), and the best of them by how many random deals they win.

A deal that can be won stays winnable when more triples are valid: its solution is still one. So only the lost deals
of the classic rules are decided again for each candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.parallel import ordered_map
from solver.statistics import Share, share_of
from solver.xiangshifu.patterns import Savings, critical_groups, left_over, pattern_table, savings, valid_patterns
from solver.xiangshifu.remedies import RulesChange, all_remedies, rules_change
from solver.xiangshifu.rules import CLASSIC, Pattern, RuleSet
from solver.xiangshifu.verdicts import UNDECIDED, WINNABLE, Decider

SCHEMA = 1
THRESHOLDS = range(13, 4, -1)
NUMBERS = range(1, 7)
REMOVABLE = "two-three-kao"
MIXED_DRAGON: Pattern = (2, 3, 3, 4, 4, 5)


class Change(NamedTuple):
    """What a candidate changes in the classic rules.

    Attributes:
        without_kao: whether two-three-kao is taken away.
        threshold: another threshold of the full fourteen, or None.
        multiples: the numbers n of which three and a multiple of n are valid.
        patterns: further six-end patterns, ascending.
    """

    without_kao: bool = False
    threshold: int | None = None
    multiples: tuple[int, ...] = ()
    patterns: tuple[Pattern, ...] = ()

    @property
    def name(self) -> str:
        """A name made of the changes, such as ``from-13+multiple-3-4+ends-233445``; ``classic`` without any."""
        words = ["no-kao"] if self.without_kao else []
        words += [] if self.threshold is None else [f"from-{self.threshold}"]
        words += ["-".join(map(str, ("multiple", *self.multiples)))] if self.multiples else []
        words += ["-".join(("ends", *map(_digits, self.patterns)))] if self.patterns else []
        return "+".join(words) or CLASSIC.id

    def rules(self) -> RuleSet:
        """The classic rules with this change; a built-in rule set if it is one."""
        kept = [one for one in CLASSIC.patterns if not (self.without_kao and one[0] == REMOVABLE)]
        added = [(_pattern_name(pattern), pattern) for pattern in self.patterns]
        rules = replace(
            CLASSIC,
            id=self.name,
            fourteen_threshold=CLASSIC.fourteen_threshold if self.threshold is None else self.threshold,
            multiples_of=self.multiples,
            patterns=(*kept, *added),
        )
        return next((known for known in all_remedies() if replace(rules, id=known.id) == known), rules)

    def toml(self) -> str:
        """The rules as a file that ``--rules`` takes."""
        lines = [f'name = "{self.name if self.name != CLASSIC.id else "my rules"}"', f'base = "{CLASSIC.id}"']
        lines += [] if self.threshold is None else [f"fourteen_threshold = {self.threshold}"]
        lines += [f"multiples_of = {list(self.multiples)}"] if self.multiples else []
        lines += [f'remove = ["{REMOVABLE}"]'] if self.without_kao else []
        if self.patterns:
            lines += ["", "[patterns]"]
            lines += [f"{_pattern_name(pattern)} = {list(pattern)}" for pattern in self.patterns]
        return "\n".join(lines) + "\n"


def _digits(pattern: Pattern) -> str:
    return "".join(map(str, pattern))


def _pattern_name(pattern: Pattern) -> str:
    return "mixed-dragon" if pattern == MIXED_DRAGON else f"ends-{_digits(pattern)}"


REFERENCES = (
    Change(),
    Change(threshold=13),
    Change(without_kao=True, patterns=(MIXED_DRAGON,)),
    Change(multiples=(3, 4)),
)
"""Classic and the three remedies, to compare with."""

# All candidates


@cache
def options() -> dict[Change, NDArray[np.bool_]]:
    """All changes by numbers, none first, and which patterns each makes valid.

    Of those that make the same valid, only the simplest is there.
    """
    subsets = [chosen for size in range(1, len(NUMBERS) + 1) for chosen in combinations(NUMBERS, size)]
    every = chain(
        [Change()],
        (Change(threshold=threshold) for threshold in THRESHOLDS),
        (Change(multiples=chosen) for chosen in subsets),
        (Change(threshold=threshold, multiples=chosen) for threshold in THRESHOLDS for chosen in subsets),
    )
    classic = valid_patterns(CLASSIC)
    found: dict[bytes, tuple[Change, NDArray[np.bool_]]] = {}
    for change in every:
        patterns = valid_patterns(change.rules()) & ~classic
        found.setdefault(patterns.tobytes(), (change, patterns))
    return dict(found.values())


ROW = np.dtype(
    [
        ("option", "<i2"),
        ("patterns", "<i2", (3,)),
        ("changes", "u1"),
        ("left", "u1"),
        ("dead", "u1"),
        ("kinds", "<u2"),
        ("tiles", "<u2"),
    ]
)
"""A candidate: its place in ``options()`` and numbers of its patterns, -1 for none; how many changes it is, without the
removal; how many groups it leaves dead or conditionally dead, and how many dead; new valid triples, as kinds and with
copies."""


def all_candidates(*, without_kao: bool = False) -> NDArray[np.void]:
    """All candidates: ``ROW``, shape (candidates,), the best first: by what they leave, then by what they add.

    Args:
        without_kao: whether two-three-kao is taken away from all. That never saves a group or wins a deal.
    """
    critical = critical_groups(Change(without_kao=without_kao).rules())
    free = np.flatnonzero(~valid_patterns(CLASSIC))
    parts = []
    for place, (option, given) in enumerate(options().items()):
        found = savings(critical, given)
        parts.append(_rows(np.array([found.none]), len(critical), place, np.zeros((1, 0), dtype=np.int64)))
        if len(option.multiples) == 0 or option.threshold is None:
            more = free[~given[free]]
            parts.append(_rows(found.none | found.one[more], len(critical), place, more[:, None]))
    alone = savings(critical, np.zeros(len(pattern_table().patterns), dtype=np.bool_))
    parts.append(_two_patterns(alone, free, len(critical)))
    fewest = int(parts[-1]["left"].min())
    if fewest > 0:
        parts.append(_three_patterns(alone, free, len(critical), fewest))
    rows = np.concatenate(parts)
    return rows[np.argsort(rows[["left", "dead", "kinds", "tiles", "changes", "option", "patterns"]], kind="stable")]


def _rows(saved: NDArray[np.uint64], groups: int, option: int, patterns: NDArray[np.int64]) -> NDArray[np.void]:
    """Candidates of one option: uint64, shape (n,), what each saves; int64, shape (n, up to 3), its patterns."""
    table = pattern_table()
    change, given = list(options().items())[option]
    rows = np.zeros(len(saved), dtype=ROW)
    rows["option"], rows["patterns"] = option, -1
    rows["patterns"][:, : patterns.shape[1]] = patterns
    rows["changes"] = (change.threshold is not None) + bool(change.multiples) + patterns.shape[1]
    rows["left"], rows["dead"] = left_over(saved, groups)
    rows["kinds"] = table.kinds[given].sum() + table.kinds[patterns].sum(axis=1)
    rows["tiles"] = table.tiles[given].sum() + table.tiles[patterns].sum(axis=1)
    return rows


def _two_patterns(found: Savings, free: NDArray[np.intp], groups: int) -> NDArray[np.void]:
    first, second = (free[places] for places in np.triu_indices(len(free), 1))
    saved = found.none | found.one[first] | found.one[second] | found.two[first, second]
    return _rows(saved, groups, 0, np.stack([first, second], axis=1))


def _three_patterns(found: Savings, free: NDArray[np.intp], groups: int, fewest: int) -> NDArray[np.void]:
    """Three patterns that leave fewer groups than any two, which leave ``fewest``."""
    by_two = found.none | found.one[:, None] | found.one[None, :] | found.two
    parts = []
    for place, first in enumerate(free):
        rest = free[place + 1 :]
        saved = by_two | found.one[first] | found.two[first][:, None] | found.two[first][None, :]
        needed = found.three[:, 0] == first
        _, second, third = found.three[needed].T
        np.bitwise_or.at(saved, (second, third), found.three_bits[needed])
        saved = saved[np.ix_(rest, rest)]
        left, _ = left_over(saved, groups)
        j, k = np.nonzero(np.triu(left < fewest, 1))
        patterns = np.stack([np.full(len(j), first), rest[j], rest[k]], axis=1)
        parts.append(_rows(saved[j, k], groups, 0, patterns))
    return np.concatenate(parts)


def change_of(row: np.void, *, without_kao: bool = False) -> Change:
    """The change that a row of candidates stands for."""
    option = list(options())[int(row["option"])]
    patterns = tuple(pattern_table().patterns[number] for number in row["patterns"] if number >= 0)
    return option._replace(without_kao=without_kao, patterns=patterns)


def promising(rows: NDArray[np.void], best: int) -> NDArray[np.void]:
    """The candidates worth trying on deals: of each number of changes the first, and those no other one surpasses.

    Args:
        rows: candidates, the best first, as ``all_candidates`` gives them.
        best: how many of each number of changes are taken from the front.
    """
    places: set[int] = set()
    for changes in range(1, 4):
        chosen = np.flatnonzero(rows["changes"] == changes)
        places.update(chosen[:best].tolist())
        columns = [rows[chosen][name].astype(np.int64) for name in ("left", "kinds", "tiles")]
        if len(chosen):
            points, first = np.unique(np.stack(columns, axis=1), axis=0, return_index=True)
            places.update(chosen[first[on_front(points)]].tolist())
    return rows[sorted(places)]


def on_front(points: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which points are surpassed by no other: one that is no greater anywhere, and less somewhere.

    Args:
        points: int64, shape (n, measures), the less the better.
    """
    unique, place = np.unique(points, axis=0, return_inverse=True)
    kept: list[int] = []
    # In this order only an earlier point can surpass one, and if any does, one that was kept does.
    for number, point in enumerate(unique):
        if not (unique[kept] <= point).all(axis=1).any():
            kept.append(number)
    front = np.zeros(len(unique), dtype=np.bool_)
    front[kept] = True
    return front[place.reshape(-1)]


# Trying candidates on deals


@dataclass(frozen=True)
class Scored:
    """A candidate and how many deals it wins.

    Attributes:
        change: the candidate.
        rules: its rules.
        effect: what they make valid, and which groups they leave.
        winnable: share of winnable deals.
        undecided: deals that stayed undecided.
    """

    change: Change
    rules: RuleSet
    effect: RulesChange
    winnable: Share
    undecided: int

    @property
    def left(self) -> int:
        """How many groups are dead or conditionally dead."""
        return len(self.effect.groups.dead) + len(self.effect.groups.conditionally_dead)

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """The less the better: groups left, new triples as kinds and with copies, deals not won."""
        lost = self.winnable.trials - self.winnable.hits
        return self.left, self.effect.added.kinds, self.effect.added.tiles, lost


@dataclass(frozen=True)
class SearchReport:
    """What a search for better remedies found.

    Attributes:
        seed: seed of the deals.
        deals: on how many deals the candidates were tried.
        candidates: how many candidates there are.
        scored: those that were tried on deals, and the references; by rank.
    """

    seed: int
    deals: int
    candidates: int
    scored: tuple[Scored, ...]

    @property
    def best(self) -> Scored:
        """The first by rank: the fewest groups left, then the fewest new triples, then the most deals won."""
        return self.scored[0]

    def front(self) -> frozenset[str]:
        """Ids of the candidates that no other one surpasses in all of: groups left, new triples, deals won."""
        points = np.array([one.rank for one in self.scored], dtype=np.int64)
        return frozenset(one.rules.id for one, kept in zip(self.scored, on_front(points), strict=True) if kept)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of ``xsf remedies --search``."""
        front = self.front()
        return {
            "schema": SCHEMA,
            "seed": self.seed,
            "layout": "ten",
            "deals": self.deals,
            "candidates": self.candidates,
            "best": self.best.rules.id,
            "rules": {one.rules.id: _scored_json(one, one.rules.id in front) for one in self.scored},
        }


def _scored_json(one: Scored, front: bool) -> dict[str, Any]:
    condemned = one.effect.groups.to_json()
    return {
        "record": one.rules.to_json(),
        "toml": one.change.toml(),
        "front": front,
        "winnable": one.winnable.hits,
        "unwinnable": one.winnable.trials - one.winnable.hits - one.undecided,
        "undecided": one.undecided,
        **one.winnable.to_json(),
        "valid_triples": {
            **one.effect.valid.to_json(),
            "added": one.effect.added.to_json(),
            "removed": one.effect.removed.to_json(),
        },
        "dead": condemned["dead"],
        "conditionally_dead": condemned["conditionally_dead"],
    }


TASK = 100
"""Deals sent to a process at once."""

Task = tuple[RuleSet, tuple[int, ...]]


def score(changes: Sequence[Change], seed: int, count: int, *, jobs: int = 1) -> Iterator[Scored]:
    """Try candidates on deals 0 to ``count - 1`` of a seed, with so many processes; in the order given."""
    lost = {bare: _lost(Change(without_kao=bare).rules(), seed, count, jobs) for bare in _bases(changes)}
    tasks = [(change.rules(), lost[change.without_kao]) for change in changes]
    for change, (rules, deals), outcomes in zip(
        changes, tasks, ordered_map(_decider, seed, tasks, jobs=jobs, chunk=1), strict=True
    ):
        won = count - len(deals) + outcomes.count(WINNABLE)
        yield Scored(change, rules, rules_change(rules, CLASSIC), share_of(won, count), outcomes.count(UNDECIDED))


def _bases(changes: Sequence[Change]) -> list[bool]:
    return sorted({change.without_kao for change in changes})


def _lost(rules: RuleSet, seed: int, count: int, jobs: int) -> tuple[int, ...]:
    """The deals that are not known to be winnable."""
    tasks: list[Task] = [(rules, tuple(range(start, min(start + TASK, count)))) for start in range(0, count, TASK)]
    outcomes = chain.from_iterable(ordered_map(_decider, seed, tasks, jobs=jobs, chunk=1))
    return tuple(index for index, outcome in enumerate(outcomes) if outcome != WINNABLE)


def _decider(seed: int) -> Callable[[Task], list[int]]:
    """A function that decides deals of a seed: places in ``OUTCOMES``; built once in each process."""
    latest: list[tuple[RuleSet, Decider]] = []

    def decide(task: Task) -> list[int]:
        rules, deals = task
        if not latest or latest[0][0] != rules:
            latest[:] = [(rules, Decider(rules))]
        return [int(latest[0][1].decide(seed, deal, 1)["outcome"][0]) for deal in deals]

    return decide


def worth_trying(*, best: int, without_kao: bool = False) -> tuple[int, tuple[Change, ...]]:
    """How many candidates there are, and the references and ``promising`` candidates to be tried on deals."""
    rows = all_candidates(without_kao=without_kao)
    chosen = [change_of(row, without_kao=without_kao) for row in promising(rows, best)]
    return len(rows), tuple(dict.fromkeys([*REFERENCES, *chosen]))


def search_report(seed: int, count: int, candidates: int, scored: Iterable[Scored]) -> SearchReport:
    """The report of candidates that were tried on the first ``count`` deals of a seed."""
    return SearchReport(seed, count, candidates, tuple(sorted(scored, key=lambda one: (one.rank, one.rules.id))))
