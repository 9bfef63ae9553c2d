"""Processes that answer questions of who plays, and can be stopped in the middle of one.

A search can't be interrupted from outside but by ending its process, so each process answers one question at a time
and is replaced when whoever asked has gone, unless it is about to finish.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Hashable
from contextlib import suppress
from dataclasses import replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from cli.play.questions import NoTables, Question, answer
from cli.play.turns import Turns
from solver.errors import InputError
from solver.xiangshifu.position import Deal
from solver.xiangshifu.rules import CLASSIC

MOST_WAITING, MOST_OF_ONE = 300, 150
"""Questions that may wait for a process, and how many of one asker; more are turned away."""

SECONDS_IN_A_CROWD = 4.0
"""For an answer while others wait."""

SECONDS_ALONE = 0.5
"""For an answer that nobody waits for any more: most take less, and to start another process takes longer."""

PATIENCE = 120.0
"""Seconds without any news, beyond what an answer may take, after which a process is given up."""

WARM_UP = Question("hint", str(Deal.random(1, 3)), CLASSIC, "any", 1.0)
"""Asked before all others, so that the first who asks need not wait until kernels are loaded."""

CONTEXT = multiprocessing.get_context("spawn")

Answer = Callable[[Question, Callable[[dict[str, Any]], None]], dict[str, Any]]


def _work(connection: Connection, respond: Answer) -> None:
    """Answer questions until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        respond(WARM_UP, lambda news: None)
        while True:
            question = connection.recv()
            connection.send(_found(question, connection, respond))


def _found(question: Question, connection: Connection, respond: Answer) -> dict[str, Any]:
    """The last thing said about a question, which is known to be a good one: an error is one of this machine."""
    try:
        return {"answer": respond(question, connection.send)}
    except NoTables:
        return {"error": "no-tables"}
    except BrokenPipeError:
        raise
    except (InputError, OSError) as error:
        print(f"xsf: {error}", file=sys.stderr)
        return {"error": "bad-tables"}
    except MemoryError:
        return {"error": "no-memory"}


class _Worker:
    """One process and this end of its pipe."""

    def __init__(self, respond: Answer) -> None:
        self.connection, other = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=_work, args=(other, respond), daemon=True)
        # Until it can see to that itself, Ctrl-C must not reach it; signals that are blocked stay so in children. The
        # tracker has to run before: its own start opens them again.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        other.close()

    def stop(self) -> None:
        """End the process at once."""
        self.connection.close()
        self.process.kill()
        self.process.join()

    async def news(self) -> dict[str, Any]:
        """The next thing the process says; raises EOFError or OSError if it died."""
        ready = asyncio.Event()
        loop, number = asyncio.get_running_loop(), self.connection.fileno()
        loop.add_reader(number, ready.set)
        try:
            await ready.wait()
        finally:
            loop.remove_reader(number)
        return self.connection.recv()  # type: ignore[no-any-return]


def _is_last(found: dict[str, Any]) -> bool:
    return "answer" in found or "error" in found


class Workers:
    """A few processes that share the questions asked of them.

    Args:
        count: how many processes.
        respond: what a process does with a question.
        ahead: whether to start them now, and not when they are first needed.
    """

    def __init__(self, count: int, respond: Answer = answer, *, ahead: bool = True) -> None:
        self._respond = respond
        self._turns: Turns[_Worker | None] = Turns(MOST_WAITING, MOST_OF_ONE)
        for _ in range(count):
            self._turns.give(_Worker(respond) if ahead else None)
        self._busy: set[_Worker] = set()
        self._alone: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many questions wait for a process."""
        return self._turns.waiting

    @property
    def processes(self) -> list[int]:
        """The ids of the processes there are."""
        workers = [*self._busy, *filter(None, self._turns.free)]
        return sorted(worker.process.pid for worker in workers if worker.process.pid is not None)

    async def ask(self, question: Question, asker: Hashable = None) -> AsyncGenerator[dict[str, Any], None]:
        """News while an answer is worked out, and in the end ``{"answer": …}`` or ``{"error": …}`` with a code.

        News is ``{"waiting": …}`` if so many have to be answered before, then ``{"working": true}``, and what the
        process says.

        Closing the generator before that soon stops the work. While others wait there is less time for an answer.

        Args:
            question: the question.
            asker: who asks: those who ask take turns.

        Raises:
            Busy: too many questions wait already.
        """
        if not self._turns.free:
            yield {"waiting": self.waiting + 1}
        worker = await self._turns.take(asker) or _Worker(self._respond)
        if not worker.process.is_alive():
            worker.stop()
            worker = _Worker(self._respond)
        self._busy.add(worker)
        found: dict[str, Any] = {"working": True}
        failed = False
        try:
            if self.waiting:
                question = replace(question, seconds=min(question.seconds, SECONDS_IN_A_CROWD))
            worker.connection.send(question)
            yield found
            while not _is_last(found):
                async with asyncio.timeout(2 * question.seconds + PATIENCE):
                    found = await worker.news()
                yield found
        except TimeoutError:
            failed = True
            yield {"error": "too-long"}
        except (EOFError, OSError):
            failed = True
            yield {"error": "died"}
        finally:
            if failed:
                self._replace(worker)
            elif _is_last(found):
                self._release(worker)
            else:
                self._leave_alone(worker)

    def _release(self, worker: _Worker) -> None:
        """A process is free again."""
        self._busy.discard(worker)
        if not self._closed:
            self._turns.give(worker)

    def _replace(self, worker: _Worker) -> None:
        """Another process instead of this one; it takes a while to begin, so others are better to ask."""
        self._busy.discard(worker)
        if not self._closed:
            worker.stop()
            self._turns.give(_Worker(self._respond), soon=False)

    def _leave_alone(self, worker: _Worker) -> None:
        """Whoever asked has gone: let a process finish if that takes no longer than to replace it."""

        async def finish() -> None:
            try:
                async with asyncio.timeout(SECONDS_ALONE):
                    while not _is_last(await worker.news()):
                        pass
            except (TimeoutError, EOFError, OSError):
                self._replace(worker)
            else:
                self._release(worker)

        if not self._closed:
            task = asyncio.create_task(finish())
            self._alone.add(task)
            task.add_done_callback(self._alone.discard)

    def close(self) -> None:
        """End all processes."""
        self._closed = True
        for task in self._alone:
            task.cancel()
        for worker in (*self._busy, *filter(None, self._turns.free)):
            worker.stop()
