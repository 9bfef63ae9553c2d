"""Whose turn it is: things that are shared out to many who wait, so that nobody takes more than a fair part."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Hashable
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class Busy(RuntimeError):
    """Too many wait already."""


class Turns(Generic[Thing]):
    """Things that are free, and those who wait for one: askers take turns, each asker's waits in their order.

    Args:
        most: how many may wait.
        most_of_one: how many of one asker may.
    """

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._free: list[Thing] = []
        self._waits: OrderedDict[Hashable, deque[asyncio.Future[Thing]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(map(len, self._waits.values()))

    @property
    def free(self) -> list[Thing]:
        """What is free now, the one that is taken next at the end."""
        return list(self._free)

    def give(self, thing: Thing, *, soon: bool = True) -> None:
        """Something is free: it goes to whoever is next, or is kept; if not for ``soon``, until all else is taken."""
        while self._waits:
            asker, waits = self._waits.popitem(last=False)
            wait = waits.popleft()
            if waits:
                self._waits[asker] = waits
            if not wait.done():
                wait.set_result(thing)
                return
        self._free.insert(len(self._free) if soon else 0, thing)

    async def take(self, asker: Hashable) -> Thing:
        """Something that is free, once it is this asker's turn.

        Raises:
            Busy: too many wait already.
        """
        if self._free:
            return self._free.pop()
        waits = self._waits.get(asker, deque())
        if self.waiting >= self._most or len(waits) >= self._most_of_one:
            raise Busy
        wait: asyncio.Future[Thing] = asyncio.get_running_loop().create_future()
        waits.append(wait)
        self._waits[asker] = waits
        try:
            return await wait
        except asyncio.CancelledError:
            self._leave(asker, wait)
            raise

    def _leave(self, asker: Hashable, wait: asyncio.Future[Thing]) -> None:
        """One who waited has gone, perhaps in the moment in which it got something."""
        waits = self._waits.get(asker)
        if waits is not None and wait in waits:
            waits.remove(wait)
            if not waits:
                del self._waits[asker]
        elif wait.done() and not wait.cancelled():
            self.give(wait.result())
