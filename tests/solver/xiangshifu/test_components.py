"""Components against the slow twin, whether they are flooded with a queue or as giants, with a label or without."""

from __future__ import annotations

import naive
import numpy as np
import pytest
from plain import SIZES, all_texts, game, result, small

import solver.xiangshifu.components as components
import solver.xiangshifu.distances as distances
from solver.errors import InputError
from solver.xiangshifu.components import OTHERS, Components, find_components
from solver.xiangshifu.position import LAYOUTS, TEN
from solver.xiangshifu.region import region
from solver.xiangshifu.rules import CLASSIC

SMALLEST_QUEUE = 1025
"""It has room for the neighbours of one position, so everything larger is a giant."""


def check(found: Components, layout: str) -> None:
    """Every labelled component is one of the twin's."""
    texts = all_texts(layout)
    expected = naive.components(game(), texts)
    assert found.sizes.tolist() == [len(one) for one in expected]
    held: dict[int, set[naive.Groups]] = {}
    for number, label in enumerate(found.labels.tolist()):
        held.setdefault(label, set()).add(texts[number])
    assert {frozenset(one) for one in held.values()} == {frozenset(one) for one in expected}
    for label, one in held.items():
        assert len(one) == found.sizes[label]
        assert found.firsts[label] == np.flatnonzero(found.labels == label)[0]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_components_are_those_of_the_twin(layout: str) -> None:
    check(result(find_components(small(layout))), layout)


@pytest.mark.parametrize("jobs", [1, 4])
def test_giants_are_flooded_alike(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(components, "QUEUE", SMALLEST_QUEUE)
    monkeypatch.setattr(distances, "PIECE", 300)
    check(result(find_components(small("shanghai"), jobs=jobs)), "shanghai")


def test_components_beyond_the_last_label(monkeypatch: pytest.MonkeyPatch) -> None:
    plenty = result(find_components(small("ten")))
    monkeypatch.setattr(components, "MOST_LABELS", 1000)
    found = result(find_components(small("ten")))
    assert sorted(found.sizes) == sorted(plenty.sizes)
    assert (np.diff(found.sizes[:1000]) <= 0).all()
    assert (np.diff(found.firsts[1000:]) > 0).all()
    assert (found.labels == OTHERS).sum() == found.sizes[1000:].sum()
    for label in range(1000):
        numbers = np.flatnonzero(found.labels == label)
        assert (len(numbers), numbers[0]) == (found.sizes[label], found.firsts[label])
        assert len(set(plenty.labels[numbers])) == 1


def test_a_giant_without_a_label_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(components, "MOST_LABELS", 2)
    monkeypatch.setattr(components, "QUEUE", SMALLEST_QUEUE)
    with pytest.raises(InputError, match="more than 2 components of valid positions"):
        result(find_components(small("ten")))


def test_progress_ends_at_all_positions() -> None:
    steps = list(find_components(small("ten")))
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert (steps[-1].done, steps[-1].total) == (SIZES["ten"], SIZES["ten"])


@pytest.mark.slow
def test_components_of_the_game() -> None:
    found = result(find_components(region(TEN, CLASSIC), jobs=2))
    assert len(found.sizes) == 5884
    assert found.sizes[:6].tolist() == [26_015_035, 6_632_006, 3_168_947, 2_518_173, 889_510, 155_744]
    assert found.sizes.sum() == 39_427_952


@pytest.mark.slow
def test_components_of_shanghai() -> None:
    found = result(find_components(region(LAYOUTS["shanghai"], CLASSIC), jobs=2))
    assert found.sizes.sum() == 4_502_891
    assert found.sizes[0] == 3_453_599
    assert np.array_equal(np.bincount(found.labels), found.sizes)
