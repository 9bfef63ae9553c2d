"""Surveys: records of many random deals in a file that outlives a crash, computed in pieces; knows no game.

A survey has parts, each of which meets the same deals, numbered from 0. A deal's record must follow from the part and
its number alone, whoever computes it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from heapq import merge
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputError
from solver.parallel import cluster_map, never, unordered_map
from solver.store import Store

Spec = TypeVar("Spec")


@dataclass(frozen=True)
class Piece:
    """Work for one process: deals ``start`` to ``start + count - 1`` of the part at a place in the survey."""

    place: int
    start: int
    count: int


@dataclass(frozen=True)
class Progress:
    """How many deals are stored, out of how many, each counted once a part."""

    done: int
    total: int


def pieces(store: Store, parts: Sequence[str], count: int, stretch: int) -> Iterator[Piece]:
    """What is missing of the first ``count`` deals, each piece within a stretch of so many deals.

    All parts of one stretch come before the next stretch, so that a survey that is stopped has met (nearly) the same
    deals in each.
    """
    missing = (_pieces_of(store, part, place, count, stretch) for place, part in enumerate(parts))
    return merge(*missing, key=lambda piece: (piece.start // stretch, piece.place))


def _pieces_of(store: Store, part: str, place: int, count: int, stretch: int) -> Iterator[Piece]:
    for start, stop in store.gaps(part, count):
        while start < stop:
            end = min(stop, (start // stretch + 1) * stretch)
            yield Piece(place, start, end - start)
            start = end


def run_pieces(
    store: Store,
    parts: Sequence[str],
    count: int,
    stretch: int,
    build: Callable[[Spec], Callable[[Piece], bytes]],
    work: Spec,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    stop: Callable[[], bool] = never,
) -> Generator[Progress, None, None]:
    """Compute and store what is missing of the first ``count`` deals of each part.

    Yields the progress before the first piece and after each.

    Args:
        store: the file.
        parts: their names in it.
        count: how many deals.
        stretch: into pieces of how many deals the work is divided.
        build: called with ``work`` in each process, makes the function that answers a piece with its records' bytes.
        work: can be pickled.
        jobs: number of processes.
        scheduler: the address of a Dask scheduler, whose workers do it instead.
        stop: once it says so, no piece is begun; those in flight are finished and stored.

    Raises:
        InputError: the file or the cluster fails.
        WorkerDied: processes die again and again.
    """
    total = count * len(parts)
    done = count_stored(store, parts, count)
    yield Progress(done, total)
    # Another process may store a stretch of which we then can't add the rest: a second round finds it.
    while done < total and not stop():
        missing = pieces(store, parts, count, stretch)
        if scheduler is None:
            answers = unordered_map(build, work, missing, jobs=jobs, stop=stop)
        else:
            answers = cluster_map(build, work, missing, scheduler=scheduler, stop=stop)
        with closing(answers):
            for piece, data in answers:
                store.add(parts[piece.place], piece.start, data, piece.count)
                done += piece.count
                yield Progress(done, total)
        counted, done = done, count_stored(store, parts, count)
        if done != counted:
            yield Progress(done, total)


def count_stored(store: Store, parts: Sequence[str], count: int) -> int:
    """How many of the first ``count`` deals are stored, each counted once a part."""
    missing = sum(stop - start for part in parts for start, stop in store.gaps(part, count))
    return count * len(parts) - missing


def read_chunks(store: Store, part: str, record: np.dtype[np.void]) -> Iterator[tuple[int, NDArray[np.void]]]:
    """The records of a part by ascending number: of the first deal, and an array of shape (deals,)."""
    for start, count, data in store.chunks(part):
        if len(data) != count * record.itemsize:
            raise InputError(f"{store.path}: damaged at {part} {start}")
        yield start, np.frombuffer(data, dtype=record)


def read_first(store: Store, part: str, count: int, record: np.dtype[np.void]) -> NDArray[np.void]:
    """The records of deals 0 to ``count - 1`` of a part: shape (count,).

    Raises:
        InputError: some of them are missing.
    """
    return gathered(read_chunks(store, part, record), part, count, record)


def gathered(
    chunks: Iterator[tuple[int, NDArray[np.void]]], part: str, count: int, record: np.dtype[np.void]
) -> NDArray[np.void]:
    """``read_first`` of chunks that come by ascending number."""
    found = np.zeros(count, dtype=record)
    held = np.zeros(count, dtype=np.bool_)
    for start, records in chunks:
        if start >= count:
            break
        end = min(start + len(records), count)
        found[start:end] = records[: end - start]
        held[start:end] = True
    if not held.all():
        raise InputError(f"{part}: {int((~held).sum()):,} of the first {count:,} deals are not decided yet")
    return found
