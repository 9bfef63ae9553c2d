"""Solutions in words: headline, bound and move lines say what the result says."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.show.solution import describe_result, duration, most_double_repairs
from cli.show.style import Style
from solver.xiangshifu.position import LAYOUTS, Deal
from solver.xiangshifu.solve import Limits, Result, Solver, solve

ANSI = re.compile(r"\x1b\[[\d;]*m")
PLAIN = Style(color=False, ascii=True)
STYLES = [Style(color, ascii_only) for color in (False, True) for ascii_only in (False, True)]

SOLUTION = """\
Winnable in 6 moves, the fewest possible.
10 groups are invalid and at most 4 exchanges can repair two at once, so it
takes at least 6 moves.

     exchange                   groups that result; + repaired
  1. [1:6] (4)  <-> [4:4] (10)  + 44-22-14 five points    + 16-16    civilian pair
  2. [2:4] (6)  <-> [3:5] (9)   + 55-35-25 coincidence    + 13-56-24 dragon
  3. [1:5] (1)  <-> [3:3] (7)   + 13-33-33 five sons      + 11-46-15 full fourteen
  4. [5:5] (2)  <-> [1:5] (8)   + 15-26-34 dragon         + 66-55-45 full fourteen
  5. [4:6] (5)  <-> [4:5] (8)   + 36-45-12 dragon           66-55-46 full fourteen
  6. [6:6] (3)  <-> [5:5] (8)   + 44-55-56 full fourteen    66-66-46 five sons

6 positions expanded in 1.5 ms."""


@pytest.fixture(scope="module")
def results() -> list[Result]:
    """Results of every verdict and layout."""
    found = [
        Solver(first=first).solve(Deal.random(3, index, layout))
        for layout in LAYOUTS.values()
        for first in (False, True)
        for index in range(12)
    ]
    return [*found, *(solve(Deal.random(1, index)) for index in (18, 33, 225))]


def test_solution() -> None:
    assert describe_result(replace(solve(Deal.random(1, 2)), seconds=0.0015), PLAIN) == SOLUTION


def test_chinese_names() -> None:
    result = solve(Deal.random(1, 2))
    text = describe_result(result, Style(lang="zh"))
    lines = text.split("\n")[5:11]
    assert lines[0] == "  1. [1:6] (4)  ⇄ [4:4] (10)  ✓ 44-22-14 五點    ✓ 16-16    雙高腳"
    assert lines[5] == "  6. [6:6] (3)  ⇄ [5:5] (8)   ✓ 44-55-56 十四點    66-66-46 五子"
    assert describe_result(result, Style(ascii=True, lang="zh")) == describe_result(result, PLAIN)


def test_bound_and_search() -> None:
    text = describe_result(solve(Deal.random(1, 1)), PLAIN)
    assert "takes at least 8 moves. The search ruled out 8.\n" in text
    text = describe_result(solve(Deal.random(1, 1), first=True), PLAIN)
    assert text.startswith("Winnable: a solution of 10 moves; none can have fewer than 8.\n")
    assert "ruled out" not in text


def test_undecided() -> None:
    result = replace(solve(Deal.random(1, 1), limits=Limits(positions=100)), expanded=1234, seconds=75.4)
    assert describe_result(result, PLAIN).split("\n") == [
        "Undecided: the search reached its limit of positions.",
        "If the deal can be won, it takes at least 8 moves.",
        "",
        "1,234 positions expanded in 75.4 s.",
    ]


def test_won_as_dealt() -> None:
    won = solve(Deal.random(1, 2))
    position: Deal = won.deal
    for move in won.moves or ():
        position = Deal(position.exchanged(*move.groups, move.after).groups, position.layout)
    text = describe_result(solve(position), PLAIN)
    assert text.startswith("Won as dealt: all groups are valid.\n")
    assert "[1:1][4:6][1:5]" in describe_result(solve(position), PLAIN, boards=True)


def test_move_lines_tell_the_moves(results: list[Result]) -> None:
    for result in results:
        lines = re.findall(
            r"^ *(\d+)\. (\S+) +\((\d+)\) +<-> (\S+) +\((\d+)\) (.*)$", describe_result(result, PLAIN), re.M
        )
        assert len(lines) == (result.length or 0)
        for number, (line, move) in enumerate(zip(lines, result.moves or (), strict=True), 1):
            assert (int(line[0]), int(line[2]), int(line[4])) == (number, *move.groups)
            assert (line[1], line[3]) == tuple(map(PLAIN.tiles, move.out))
            assert all(PLAIN.combinations(names) in line[5] for names in move.names)
        assert sum(line[5].count("+") for line in lines) == (len(invalid_places(result)) if result.moves else 0)


def invalid_places(result: Result) -> set[int]:
    """Places of the dealt invalid groups, as the board marks them."""
    board = describe_result(result, PLAIN, boards=True)
    first = board.split("The number beside")[0]
    return set(range(first.count("x invalid")))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("boards", [False, True])
def test_characters_and_colours(results: list[Result], style: Style, boards: bool) -> None:
    for result in results:
        text = describe_result(result, style, boards=boards)
        plain = ANSI.sub("", text)
        assert (plain != text) == style.color
        assert plain == describe_result(result, replace(style, color=False), boards=boards)
        assert text.isascii() or not style.ascii
        assert plain.count("counted from 0") == (boards and bool(result.moves))


@given(
    st.integers(0, 7).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.sampled_from(list(combinations(range(8), 2)))))
    )
)
def test_most_double_repairs(graph: tuple[int, set[tuple[int, int]]]) -> None:
    size, edges = graph[0], sorted(edge for edge in graph[1] if edge[1] < graph[0])
    rows = [0] * size
    for a, b in edges:
        rows[a] |= 1 << b
        rows[b] |= 1 << a
    best = max(k for k in range(size // 2 + 1) for some in combinations(edges, k) if len({*sum(some, ())}) == 2 * k)
    assert most_double_repairs(tuple(rows)) == best


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0.0 ms"),
        (0.0012, "1.2 ms"),
        (0.9996, "1.0 s"),
        (3.44, "3.4 s"),
        (99.96, "1 min 40 s"),
        (3725, "62 min 05 s"),
    ],
)
def test_duration(seconds: float, text: str) -> None:
    assert duration(seconds) == text
