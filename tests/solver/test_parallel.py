"""The ordered map over processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, islice

import pytest

from solver.parallel import AHEAD, ordered_map


def adder(amount: int) -> Callable[[int], int]:
    """Build what workers do: add an amount, or fail at 13."""

    def add(number: int) -> int:
        if number == 13:
            raise ValueError("thirteen")
        return number + amount

    return add


def drawn(taken: list[int]) -> Iterator[int]:
    """The numbers from 20 on, noting which are taken."""
    for number in count(20):
        taken.append(number)
        yield number


@pytest.mark.parametrize("jobs", [1, 2])
def test_answers_come_in_the_order_of_items(jobs: int) -> None:
    items = range(20, 120)
    assert list(ordered_map(adder, 1000, items, jobs=jobs, chunk=7)) == [item + 1000 for item in items]


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_items_no_answers(jobs: int) -> None:
    assert list(ordered_map(adder, 1, [], jobs=jobs)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_endless_input_is_read_only_as_far_as_needed(jobs: int) -> None:
    taken: list[int] = []
    answers = ordered_map(adder, 0, drawn(taken), jobs=jobs, chunk=5)
    assert list(islice(answers, 10)) == list(range(20, 30))
    answers.close()  # type: ignore[attr-defined]
    assert len(taken) <= 10 + 5 * (AHEAD * jobs + 1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_in_a_worker_is_raised_here(jobs: int) -> None:
    answers = ordered_map(adder, 0, [11, 12, 13, 14], jobs=jobs, chunk=1)
    assert [next(answers), next(answers)] == [11, 12]
    with pytest.raises(ValueError, match="thirteen"):
        next(answers)
