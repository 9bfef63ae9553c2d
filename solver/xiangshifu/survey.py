"""Surveys: the verdicts of many random deals under several rule sets, kept in a file that outlives a crash.

Every rule set meets the same deals, so that they can be compared deal by deal.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from heapq import merge
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputError
from solver.parallel import cluster_map, never, unordered_map
from solver.shuffle import SEED_LIMIT
from solver.store import Store
from solver.xiangshifu.position import LAYOUTS
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.solve import Limits
from solver.xiangshifu.verdicts import OUTCOMES, RECORD, Decider

KIND = "xiangshifu survey"

DEFAULT_LIMITS = Limits()

CHUNK = 2048
"""Deals of a piece of work: a second or two of it, and 16 KiB of records."""


@dataclass(frozen=True)
class Survey:
    """What is asked of which deals; the records follow from it alone.

    Attributes:
        rules: the rule sets, each with an id of its own, which names its part of the file.
        seed: of the deals; number 0 is the first.
        layout: the name of their layout.
        goal: what counts as winning.
        shortest: whether shortest lengths are found, not only verdicts.

    Raises:
        InputError: no rule set, two of the same id, or a value out of range.
    """

    rules: tuple[RuleSet, ...]
    seed: int
    layout: str = "ten"
    goal: str = "any"
    shortest: bool = False

    def __post_init__(self) -> None:
        ids = [rules.id for rules in self.rules]
        if not ids:
            raise InputError("a survey needs a rule set")
        for rules_id in ids:
            if ids.count(rules_id) > 1:
                raise InputError(f"two rule sets have the id {rules_id!r}")
        if not 0 <= self.seed < SEED_LIMIT:
            raise InputError(f"seed {self.seed} is not in 0..2^128-1")
        if self.layout not in LAYOUTS:
            raise InputError(f"layout {self.layout!r} is none of {', '.join(LAYOUTS)}")
        if self.goal != "any":
            raise InputError(f"goal {self.goal!r}: the only goal is 'any'")

    def description(self) -> dict[str, Any]:
        """The description of the survey's file; ``from_description`` reads it back."""
        return {
            "kind": KIND,
            "version": version("xiangshifu"),
            "seed": self.seed,
            "layout": self.layout,
            "goal": self.goal,
            "shortest": self.shortest,
            "rules": [rules.to_json() for rules in self.rules],
        }

    @classmethod
    def from_description(cls, description: Mapping[str, Any]) -> Survey:
        """The survey that a file holds, whichever version wrote it; raises InputError if it holds none."""
        if description.get("kind") != KIND:
            raise InputError("not a survey of Xiang Shi Fu")
        try:
            return cls(
                rules=tuple(RuleSet.from_json(record) for record in description["rules"]),
                seed=int(description["seed"]),
                layout=description["layout"],
                goal=description["goal"],
                shortest=bool(description["shortest"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise error if isinstance(error, InputError) else InputError(f"not a survey ({error!r})") from error


@dataclass(frozen=True)
class Piece:
    """Work for one process: deals ``start`` to ``start + count - 1`` under the rule set at a place in the survey."""

    place: int
    start: int
    count: int


@dataclass(frozen=True)
class Work:
    """What a worker needs to answer pieces.

    The limits are not part of the survey: what they leave undecided is recorded as such, and nothing else depends on
    them.
    """

    survey: Survey
    limits: Limits = DEFAULT_LIMITS


@dataclass(frozen=True)
class Progress:
    """How many deals are stored, out of how many, each counted once a rule set."""

    done: int
    total: int


def tasks(store: Store, survey: Survey, count: int) -> Iterator[Piece]:
    """What is missing of the first ``count`` deals, each piece within ``CHUNK`` deals from a multiple of it.

    All rule sets of one such stretch come before the next stretch, so that a survey that is stopped has met
    (nearly) the same deals under each.
    """
    missing = (_pieces(store, rules.id, place, count) for place, rules in enumerate(survey.rules))
    return merge(*missing, key=lambda piece: (piece.start // CHUNK, piece.place))


def _pieces(store: Store, part: str, place: int, count: int) -> Iterator[Piece]:
    for start, stop in store.gaps(part, count):
        while start < stop:
            end = min(stop, (start // CHUNK + 1) * CHUNK)
            yield Piece(place, start, end - start)
            start = end


def build_worker(work: Work) -> Callable[[Piece], bytes]:
    """A function that answers a piece with the bytes of its records."""
    survey = work.survey
    deciders: dict[int, Decider] = {}

    def answer(piece: Piece) -> bytes:
        if piece.place not in deciders:
            rules = survey.rules[piece.place]
            deciders[piece.place] = Decider(rules, shortest=survey.shortest, limits=work.limits)
        return deciders[piece.place].decide(survey.seed, piece.start, piece.count, LAYOUTS[survey.layout]).tobytes()

    return answer


def run(
    store: Store,
    survey: Survey,
    count: int,
    *,
    limits: Limits = DEFAULT_LIMITS,
    jobs: int = 1,
    scheduler: str | None = None,
    stop: Callable[[], bool] = never,
) -> Generator[Progress, None, None]:
    """Decide and store what is missing of the first ``count`` deals.

    Yields the progress before the first piece and after each.

    Args:
        store: a file with the survey's description.
        survey: the survey.
        count: how many deals.
        limits: bounds of each search.
        jobs: number of processes.
        scheduler: the address of a Dask scheduler, whose workers do it instead.
        stop: once it says so, no piece is begun; those in flight are finished and stored.

    Raises:
        InputError: the file or the cluster fails.
        WorkerDied: processes die again and again.
    """
    total = count * len(survey.rules)
    done = stored(store, survey, count)
    yield Progress(done, total)
    work = Work(survey, limits)
    # Another process may store a stretch of which we then can't add the rest: a second round finds it.
    while done < total and not stop():
        pieces = tasks(store, survey, count)
        if scheduler is None:
            answers = unordered_map(build_worker, work, pieces, jobs=jobs, stop=stop)
        else:
            answers = cluster_map(build_worker, work, pieces, scheduler=scheduler, stop=stop)
        with closing(answers):
            for piece, data in answers:
                store.add(survey.rules[piece.place].id, piece.start, data, piece.count)
                done += piece.count
                yield Progress(done, total)
        counted, done = done, stored(store, survey, count)
        if done != counted:
            yield Progress(done, total)


def stored(store: Store, survey: Survey, count: int) -> int:
    """How many of the first ``count`` deals are stored, each counted once a rule set."""
    missing = sum(stop - start for rules in survey.rules for start, stop in store.gaps(rules.id, count))
    return count * len(survey.rules) - missing


def read_records(store: Store, part: str) -> Iterator[tuple[int, NDArray[np.void]]]:
    """The records of a rule set's id by ascending number: of the first deal, and ``RECORD``, shape (deals,)."""
    for start, count, data in store.chunks(part):
        if len(data) != count * RECORD.itemsize:
            raise InputError(f"{store.path}: damaged at {part} {start}")
        yield start, np.frombuffer(data, dtype=RECORD)


def first_records(store: Store, part: str, count: int) -> NDArray[np.void]:
    """The records of deals 0 to ``count - 1`` of one rule set: ``RECORD``, shape (count,).

    Raises:
        InputError: some of them are missing.
    """
    found = np.zeros(count, dtype=RECORD)
    held = np.zeros(count, dtype=np.bool_)
    for start, records in read_records(store, part):
        if start >= count:
            break
        end = min(start + len(records), count)
        found[start:end] = records[: end - start]
        held[start:end] = True
    if not held.all():
        raise InputError(f"{part}: {int((~held).sum()):,} of the first {count:,} deals are not decided yet")
    return found


def outcomes(store: Store, part: str, count: int) -> NDArray[np.int64]:
    """How many of the first ``count`` deals came to each of ``OUTCOMES``, shape (len(OUTCOMES),)."""
    total = np.zeros(len(OUTCOMES), dtype=np.int64)
    for start, records in read_records(store, part):
        if start >= count:
            break
        total += np.bincount(records["outcome"][: count - start], minlength=len(OUTCOMES))
    return total
