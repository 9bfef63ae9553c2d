"""The one place that knows processes and clusters: maps over as many of them as wanted."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from solver.cache import fingerprint
from solver.errors import InputError

Spec = TypeVar("Spec")
Item = TypeVar("Item")
Answer = TypeVar("Answer")

AHEAD = 32
"""Chunks in flight for each process: one slow item must not leave the others idle, since answers come in order."""

IN_FLIGHT = 2
"""Items in flight for each process or thread where order does not matter: one under way and the next at hand."""

MOST_LOSSES = 3
"""How often an item may have been in flight when a process died; after one more it is held responsible."""

CONNECT_SECONDS = 10
CLUSTER_RETRIES = 2

_worker: Callable[[Any], Any]


class WorkerDied(RuntimeError):
    """Processes died again and again at the same work."""


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
    waiting: deque[Future[list[Answer]]] = deque()
    with _processes(jobs, _start_worker, build, spec) as executor:
        for part in islice(chunks, AHEAD * jobs):
            waiting.append(_submit(executor, _answer_chunk, part))
        while waiting:
            answers = waiting.popleft().result()
            for part in islice(chunks, 1):
                waiting.append(_submit(executor, _answer_chunk, part))
            yield from answers


def never() -> bool:
    """Work is not to be stopped."""
    return False


def unordered_map(
    build: Callable[[Spec], Callable[[Item], Answer]],
    spec: Spec,
    items: Iterable[Item],
    *,
    jobs: int = 1,
    stop: Callable[[], bool] = never,
) -> Generator[tuple[Item, Answer], None, None]:
    """Items and their answers as they come, computed by ``jobs`` processes.

    Args:
        build: called with ``spec`` in each process, makes the function that answers an item; importable by name, as
            are the answers and items it deals with.
        spec: what ``build`` needs; can be pickled.
        items: read no further ahead than ``IN_FLIGHT`` items a process, so there may be any number of them.
        jobs: number of processes; 1 does the work in this one.
        stop: asked before each new item. Once it says so, none is begun; those in flight are finished.

    If a process dies, all are started anew and what was in flight is done again. When the iterator is closed or
    interrupted, work under way is given up and the processes end.

    Raises:
        WorkerDied: the same item was in flight more than ``MOST_LOSSES`` times when a process died.
    """
    work = _Work(items, stop)
    if jobs == 1:
        answer = build(spec)
        while (flight := work.take()) is not None:
            yield flight.item, answer(flight.item)
        return
    recipe = pickle.dumps((build, spec))
    finished = False
    while not finished:
        try:
            with _processes(jobs, _start_quietly) as executor:
                yield from _fly(executor, recipe, work, IN_FLIGHT * jobs)
            finished = True
        except BrokenProcessPool:
            # The work that was lost is at the front of what is left.
            continue


def threaded_map(function: Callable[[Item], Answer], items: Iterable[Item], *, jobs: int) -> Iterator[Answer]:
    """Answers for items, in their order, computed by ``jobs`` threads: for kernels, which hold no lock.

    Items are read ``IN_FLIGHT`` a thread ahead. When the iterator is closed or interrupted, no further one is begun.
    """
    waiting: deque[Future[Answer]] = deque()
    iterator = iter(items)
    executor = ThreadPoolExecutor(jobs)
    try:
        for item in islice(iterator, IN_FLIGHT * jobs):
            waiting.append(executor.submit(function, item))
        while waiting:
            answer = waiting.popleft().result()
            for item in islice(iterator, 1):
                waiting.append(executor.submit(function, item))
            yield answer
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


class _Flight(NamedTuple, Generic[Item]):
    item: Item
    losses: int


class _Work(Generic[Item]):
    """Items to be done: first those in flight when a process died, then new ones, until told to stop."""

    def __init__(self, items: Iterable[Item], stop: Callable[[], bool]) -> None:
        self._items = iter(items)
        self._stop = stop
        self._again: deque[_Flight[Item]] = deque()

    def take(self) -> _Flight[Item] | None:
        """The next item, or None."""
        if self._stop():
            return None
        if self._again:
            return self._again.popleft()
        for item in self._items:
            return _Flight(item, 0)
        return None

    def lose(self, flights: Iterable[_Flight[Item]]) -> None:
        """Do these again; raises WorkerDied if one has been lost too often."""
        for flight in flights:
            if flight.losses == MOST_LOSSES:
                raise WorkerDied(f"processes died {MOST_LOSSES + 1} times at the same work, perhaps for want of memory")
            self._again.append(_Flight(flight.item, flight.losses + 1))


def _fly(executor: ProcessPoolExecutor, recipe: bytes, work: _Work[Item], most: int) -> Iterator[tuple[Item, Any]]:
    """Keep ``most`` items in flight; raises BrokenProcessPool once what was in flight is back in ``work``."""
    flights: dict[Future[Any], _Flight[Item]] = {}
    flight: _Flight[Item] | None = None
    try:
        while True:
            while len(flights) < most and (flight := work.take()) is not None:
                flights[_submit(executor, _answer, recipe, flight.item)] = flight
                flight = None
            if not flights:
                return
            for future in wait(flights, return_when=FIRST_COMPLETED).done:
                answer = future.result()
                yield flights.pop(future).item, answer
    except BrokenProcessPool:
        work.lose([*flights.values(), *([flight] if flight else [])])
        raise


def cluster_map(
    build: Callable[[Spec], Callable[[Item], Answer]],
    spec: Spec,
    items: Iterable[Item],
    *,
    scheduler: str,
    stop: Callable[[], bool] = never,
) -> Generator[tuple[Item, Answer], None, None]:
    """The same as ``unordered_map`` on the workers of a Dask cluster, which may come and go meanwhile.

    Args:
        build: called with ``spec`` in each thread of a worker, makes the function that answers an item.
        spec: what ``build`` needs; can be pickled.
        items: read no further ahead than ``IN_FLIGHT`` items a thread.
        scheduler: the address of the scheduler, such as ``tcp://host:8786``.
        stop: asked before each new item. Once it says so, none is begun; those in flight are finished.

    Raises:
        InputError: Dask is not installed, no scheduler answers there or it goes away, it has no worker, or a worker has
            other sources of this toolkit, or none.
        WorkerDied: several workers died at the same item.
    """
    distributed = _distributed()
    recipe = pickle.dumps((build, spec))
    work = _Work(items, stop)
    flights: dict[Any, _Flight[Item]] = {}
    with _client(distributed, scheduler) as client:
        _check_workers(client, scheduler)
        completed = distributed.as_completed(loop=client.loop)
        while True:
            with _one_line_losses(scheduler):
                most = IN_FLIGHT * max(1, sum(client.nthreads().values()))
            while len(flights) < most and (flight := work.take()) is not None:
                args = (fingerprint(), recipe, flight.item)
                future = client.submit(_answer_there, *args, pure=False, retries=CLUSTER_RETRIES)
                flights[future] = flight
                completed.add(future)
            if not flights:
                return
            future = next(completed)
            flight = flights.pop(future)
            if _failed(future, client, scheduler):
                work.lose([flight])
                continue
            with _one_line_losses(scheduler):
                answer = future.result()
            yield flight.item, answer


def check_scheduler(scheduler: str) -> None:
    """Raise InputError unless Dask is installed and a scheduler answers at an address."""
    _knock(_distributed(), scheduler)


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise InputError("a scheduler needs Dask: pip install 'xiangshifu[cluster]'") from error


def _failed(future: Any, client: Any, scheduler: str) -> bool:
    """Whether an item should be tried again; raises what its failure means if that is of no use."""
    if future.status == "finished":
        return False
    if future.status != "error":
        raise InputError(f"{scheduler}: the scheduler has gone")
    error = future.exception()
    if isinstance(error, _distributed().scheduler.KilledWorker):
        return True
    if isinstance(error, ImportError | AttributeError | OtherToolkit):
        # From a worker that came later; the check names it, unless it has left.
        _check_workers(client, scheduler)
        return True
    raise error


@contextmanager
def _one_line_losses(scheduler: str) -> Iterator[None]:
    try:
        yield
    except (OSError, CancelledError) as error:
        raise InputError(f"{scheduler}: the scheduler has gone") from error


@contextmanager
def _client(distributed: Any, scheduler: str) -> Iterator[Any]:
    _knock(distributed, scheduler)
    client = distributed.Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    try:
        try:
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError as error:
            raise InputError(f"{scheduler}: the scheduler has no workers") from error
        yield client
    finally:
        client.close()


def _knock(distributed: Any, scheduler: str) -> None:
    """Raise InputError unless Dask answers at an address: a client that fails to connect hangs and complains later."""
    import asyncio

    async def knock() -> None:
        security = distributed.Security().get_connection_args("client")
        connecting = distributed.comm.connect(scheduler, timeout=CONNECT_SECONDS, **security)
        await (await asyncio.wait_for(connecting, CONNECT_SECONDS)).close()

    try:
        # In a thread of its own, since this one may run an event loop already, as a notebook does.
        with ThreadPoolExecutor(1) as executor:
            executor.submit(asyncio.run, knock()).result()
    except Exception as error:  # whatever it is that listens there
        raise InputError(f"no scheduler answers at {scheduler!r}") from error


def _check_workers(client: Any, scheduler: str) -> None:
    """Raise InputError for a worker that does not have the same sources."""
    with _one_line_losses(scheduler):
        found = client.run(fingerprint, on_error="return")
    for address, answer in found.items():
        # A worker that can't be reached is about to be dropped by the scheduler.
        if answer != fingerprint() and not isinstance(answer, OSError):
            reason = f"can't load this toolkit ({answer})" if isinstance(answer, Exception) else "has another version"
            raise InputError(f"{scheduler}: worker {address} {reason}; all need the sources used here")


class OtherToolkit(Exception):
    """A worker has other sources of this toolkit than the program that sends the work."""


def _answer_there(expected: str, recipe: bytes, item: Any) -> Any:
    if fingerprint() != expected:
        raise OtherToolkit
    return _answer(recipe, item)


_made = threading.local()


def _answer(recipe: bytes, item: Any) -> Any:
    # One function a thread, since it need not be safe for several; only the last, since it may hold much memory.
    if getattr(_made, "recipe", None) != recipe:
        build, spec = pickle.loads(recipe)
        _made.answer, _made.recipe = build(spec), recipe
    return _made.answer(item)


def _batched(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    iterator = iter(items)
    while part := list(islice(iterator, size)):
        yield part


@contextmanager
def _processes(jobs: int, start: Callable[..., None], *args: Any) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with the block, at once if it is left by an exception."""
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=start, initargs=args)
    done = False
    try:
        yield executor
        done = True
    finally:
        executor.shutdown(wait=done, cancel_futures=True)
        if not done:
            for process in set(multiprocessing.active_children()) - others:
                process.kill()


def _submit(executor: ProcessPoolExecutor, function: Callable[..., Answer], *args: Any) -> Future[Answer]:
    """Submit work; a process that is started for it never sees Ctrl-C, not even while it starts."""
    if not hasattr(signal, "pthread_sigmask"):
        return executor.submit(function, *args)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return executor.submit(function, *args)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_quietly() -> None:
    # Ctrl-C reaches every process of the terminal; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    # A worker holds both ends of the queue it reads from, so it would wait for ever for a parent that was killed.
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _start_worker(build: Callable[[Any], Callable[[Any], Any]], spec: Any) -> None:
    global _worker
    _start_quietly()
    _worker = build(spec)


def _answer_chunk(part: list[Any]) -> list[Any]:
    return [_worker(item) for item in part]
