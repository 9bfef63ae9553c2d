"""The one place that knows processes: an ordered map over as many of them as wanted."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from typing import Any, TypeVar

Spec = TypeVar("Spec")
Item = TypeVar("Item")
Answer = TypeVar("Answer")

AHEAD = 32
"""Chunks in flight for each process: one slow item must not leave the others idle, since answers come in order."""

_worker: Callable[[Any], Any]


def ordered_map(
    build: Callable[[Spec], Callable[[Item], Answer]],
    spec: Spec,
    items: Iterable[Item],
    *,
    jobs: int = 1,
    chunk: int = 32,
) -> Iterator[Answer]:
    """Answers for items, in their order, computed by ``jobs`` processes.

    Args:
        build: called once in each process with ``spec``, makes the function that answers an item; importable by
            name, as are the answers and items it deals with.
        spec: what ``build`` needs; can be pickled.
        items: read no further ahead than ``AHEAD`` chunks a process, so there may be any number of them.
        jobs: number of processes; 1 does the work in this one.
        chunk: items sent at once.

    When the iterator is closed or interrupted, work under way is given up and the processes end.
    """
    if jobs == 1:
        yield from map(build(spec), items)
        return
    chunks = _batched(items, chunk)
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(jobs, context, initializer=_start_worker, initargs=(build, spec))
    waiting: deque[Future[list[Answer]]] = deque()
    done = False
    try:
        for part in islice(chunks, AHEAD * jobs):
            waiting.append(executor.submit(_answer_chunk, part))
        while waiting:
            answers = waiting.popleft().result()
            for part in islice(chunks, 1):
                waiting.append(executor.submit(_answer_chunk, part))
            yield from answers
        done = True
    finally:
        executor.shutdown(wait=done, cancel_futures=True)
        if not done:
            for process in multiprocessing.active_children():
                process.terminate()


def _batched(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    iterator = iter(items)
    while part := list(islice(iterator, size)):
        yield part


def _start_worker(build: Callable[[Any], Callable[[Any], Any]], spec: Any) -> None:
    global _worker
    # Ctrl-C reaches every process of the terminal; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker = build(spec)


def _answer_chunk(part: list[Any]) -> list[Any]:
    return [_worker(item) for item in part]
