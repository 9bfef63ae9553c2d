"""Processes that answer questions: they take turns, are stopped, die and are replaced."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any

import pytest
from answers import obey

from cli.play import workers as play_workers
from cli.play.questions import Question
from cli.play.turns import Busy, Turns
from cli.play.workers import SECONDS_IN_A_CROWD, Workers
from solver.xiangshifu.rules import CLASSIC


def question(goal: str) -> Question:
    return Question("hint", "nowhere", CLASSIC, goal, 20.0)


async def last(workers: Workers, goal: str, asker: str = "me") -> dict[str, Any]:
    found: dict[str, Any] = {}
    async with aclosing(workers.ask(question(goal), asker)) as news:
        async for found in news:  # noqa: B007
            pass
    return found


def with_workers(test: Callable[[Workers], Awaitable[None]], count: int = 1, **options: Any) -> None:
    async def run() -> None:
        workers = Workers(count, obey, **options)
        try:
            async with asyncio.timeout(120):
                await test(workers)
        finally:
            workers.close()
        assert not any(map(_lives, workers.processes))

    asyncio.run(run())


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_answers_and_errors_of_the_machine() -> None:
    async def test(workers: Workers) -> None:
        assert workers.processes == []
        first = (await last(workers, "any"))["answer"]
        assert (first["verdict"], first["seconds"]) == ("winnable", 20.0)
        assert workers.processes == [first["process"]]
        assert await last(workers, "refuse") == {"error": "no-tables"}
        assert await last(workers, "memory") == {"error": "no-memory"}
        assert await last(workers, "disk") == {"error": "bad-tables"}
        assert (await last(workers, "any"))["answer"]["process"] == first["process"]

    with_workers(test, ahead=False)


def test_one_who_goes_stops_the_work_and_one_who_dies_is_replaced() -> None:
    async def test(workers: Workers) -> None:
        (before,) = workers.processes
        async with aclosing(workers.ask(question("never"))) as news:
            heard = [await anext(news), await anext(news)]
        assert heard == [{"working": True}, {"building": "something", "done": 1, "total": 4}]
        while _lives(before):
            await asyncio.sleep(0.01)
        (second,) = workers.processes
        assert await last(workers, "die") == {"error": "died"}
        (third,) = workers.processes
        os.kill(third, 9)
        while _state(third) not in "ZX":
            await asyncio.sleep(0.01)
        fourth = (await last(workers, "any"))["answer"]["process"]
        assert len({before, second, third, fourth}) == 4

    with_workers(test)


def _state(process: int) -> str:
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "X"


def test_an_answer_that_nobody_waits_for_may_still_be_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_workers, "SECONDS_ALONE", 100)

    async def test(workers: Workers) -> None:
        before = workers.processes
        async with aclosing(workers.ask(question("soon"))) as news:
            await anext(news)
        assert workers.waiting == 0
        assert (await last(workers, "any"))["answer"]["process"] == before[0]
        assert workers.processes == before

    with_workers(test)


def test_whoever_has_begun_is_asked_before_one_who_begins() -> None:
    async def test(workers: Workers) -> None:
        before = workers.processes
        assert await last(workers, "die") == {"error": "died"}
        assert (await last(workers, "any"))["answer"]["process"] in before

    with_workers(test, count=2)


def test_those_who_wait_are_told_and_get_less_time_while_others_wait() -> None:
    async def test(workers: Workers) -> None:
        holding = asyncio.create_task(last(workers, "never"))
        await asyncio.sleep(0.1)
        async with aclosing(workers.ask(question("any"), "a")) as news:
            assert await anext(news) == {"waiting": 1}
        crowd = [asyncio.create_task(last(workers, "any", "b")) for _ in range(2)]
        await asyncio.sleep(0.1)
        assert workers.waiting == 2
        holding.cancel()
        seconds = sorted([(await one)["answer"]["seconds"] for one in crowd])
        assert seconds == [SECONDS_IN_A_CROWD, 20.0]

    with_workers(test)


def in_turns(test: Callable[[Turns[str]], Awaitable[None]], most: int = 9, most_of_one: int = 5) -> None:
    asyncio.run(test(Turns(most, most_of_one)))  # type: ignore[arg-type]


def test_askers_take_turns() -> None:
    async def test(turns: Turns[str]) -> None:
        served: list[str] = []

        async def wait(asker: str) -> None:
            await turns.take(asker)
            served.append(asker)

        waits = [asyncio.create_task(wait(asker)) for asker in "aaabbc"]
        await asyncio.sleep(0)
        assert turns.waiting == 6
        for _ in waits:
            turns.give("it")
        await asyncio.gather(*waits)
        assert "".join(served) == "abcaba"

    in_turns(test)


def test_too_many_are_turned_away() -> None:
    async def test(turns: Turns[str]) -> None:
        waits = [asyncio.create_task(turns.take(asker)) for asker in "aabb"]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await turns.take("a")
        waits.append(asyncio.create_task(turns.take("c")))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await turns.take("d")
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
        assert turns.waiting == 0

    in_turns(test, most=5, most_of_one=2)


def test_what_is_given_to_one_who_goes_is_not_lost() -> None:
    async def test(turns: Turns[str]) -> None:
        first, second = (asyncio.create_task(turns.take(asker)) for asker in "ab")
        await asyncio.sleep(0)
        turns.give("it")
        first.cancel()
        assert await second == "it"
        with pytest.raises(asyncio.CancelledError):
            await first

    in_turns(test)
