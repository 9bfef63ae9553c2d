"""Plain moves by numbers against the slow twin and the moves that people see."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain import all_texts, game, small

from solver.xiangshifu.moves import legal_moves
from solver.xiangshifu.plain import neighbours
from solver.xiangshifu.position import LAYOUTS, TEN
from solver.xiangshifu.region import region
from solver.xiangshifu.rules import CLASSIC, RuleSet


@pytest.mark.parametrize("layout", LAYOUTS)
def test_neighbours_are_one_move_away(layout: str) -> None:
    found, texts = small(layout), all_texts(layout)
    moved = 0
    for number in range(0, found.size, 7):
        after = neighbours(found, number)
        assert {texts[neighbour] for neighbour in after} == game().moves(texts[number])
        assert (np.diff(after) > 0).all()
        moved += len(after)
    assert moved > found.size / 7


@pytest.mark.parametrize("layout", LAYOUTS)
def test_plain_moves_can_be_undone(layout: str) -> None:
    found = small(layout)
    pairs = {(number, int(after)) for number in range(found.size) for after in neighbours(found, number)}
    assert pairs == {(after, number) for number, after in pairs}
    assert all(number != after for number, after in pairs)


@pytest.mark.parametrize("rules", ["classic", pytest.param("thirteen+mixed-dragon", marks=pytest.mark.slow)])
@given(data=st.data())
def test_neighbours_are_the_legal_moves_of_the_game(rules: str, data: st.DataObject) -> None:
    found = region(TEN, RuleSet.parse(rules))
    number = data.draw(st.integers(0, found.size - 1))
    position = found.position(number)
    moves = legal_moves(position, found.rules)
    after = {found.number(position.exchanged(*move.groups, move.after)) for move in moves}
    assert after == set(neighbours(found, number).tolist())


def test_there_must_be_such_a_position() -> None:
    found = region(TEN, CLASSIC)
    for number in (-1, found.size):
        with pytest.raises(ValueError, match="numbered from 0 to 39427951"):
            neighbours(found, number)
