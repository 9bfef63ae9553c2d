"""Boards: every tile is drawn once, in the characters, colours and columns that are allowed."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.show.board import draw_board
from cli.show.style import Style, columns
from solver.xiangshifu.groups import group_names
from solver.xiangshifu.names import LANGUAGES
from solver.xiangshifu.position import LAYOUTS, Deal
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.tiles import TILES

ANSI = re.compile(r"\x1b\[[\d;]*m")
PLAIN = Style(color=False, ascii=True)
UNICODE = Style(color=False, ascii=False)
STYLES = st.builds(Style, color=st.booleans(), ascii=st.booleans(), lang=st.sampled_from(LANGUAGES))
DEALS = st.builds(Deal.random, st.just(5), st.integers(0, 10**6), st.sampled_from(list(LAYOUTS.values())))
DEAL = Deal.random(1, 5)

SMALL_DEAL = """\
 0 ┏━━━┓╭───╮╭───╮   1 ╭───╮╭───╮╭───╮   2 ╭───╮╭───╮╭───╮   3 ╭───╮╭───╮╭───╮
   ┃ ⚂ ┃│ ⚁ ││ ⚄ │     │ ⚃ ││ ⚃ ││ ⚂ │     │ ⚃ ││ ⚁ ││ ⚀ │     │ ⚅ ││ ⚄ ││ ⚀ │
   ┃ ⚂ ┃│ ⚁ ││ ⚅ │     │ ⚃ ││ ⚅ ││ ⚅ │     │ ⚅ ││ ⚅ ││ ⚁ │     │ ⚅ ││ ⚄ ││ ⚃ │
   ┗━━━┛╰───╯╰───╯     ╰───╯╰───╯╰───╯     ╰───╯╰───╯╰───╯     ╰───╯╰───╯╰───╯
   ✗ invalid           full fourteen       ✗ invalid           ✗ invalid

 4 ╭───╮╭───╮╭───╮              10 ╭───╮╭───╮                5 ╭───╮╭───╮╭───╮
   │ ⚂ ││ ⚁ ││ ⚃ │                 │ ⚀ ││ ⚂ │                  │ ⚅ ││ ⚄ ││ ⚁ │
   │ ⚂ ││ ⚁ ││ ⚄ │                 │ ⚀ ││ ⚄ │                  │ ⚅ ││ ⚅ ││ ⚂ │
   ╰───╯╰───╯╰───╯                 ╰───╯╰───╯                  ╰───╯╰───╯╰───╯
   ✗ invalid                       ✗ invalid                   ✗ invalid

 6 ╭───╮╭───╮╭───╮   7 ╭───╮╭───╮╭───╮   8 ╭───╮╭───╮╭───╮   9 ╭───╮╭───╮╭───╮
   │ ⚀ ││ ⚀ ││ ⚄ │     │ ⚀ ││ ⚁ ││ ⚁ │     │ ⚃ ││ ⚀ ││ ⚂ │     │ ⚀ ││ ⚀ ││ ⚀ │
   │ ⚂ ││ ⚂ ││ ⚄ │     │ ⚅ ││ ⚄ ││ ⚃ │     │ ⚃ ││ ⚄ ││ ⚃ │     │ ⚀ ││ ⚅ ││ ⚄ │
   ╰───╯╰───╯╰───╯     ╰───╯╰───╯╰───╯     ╰───╯╰───╯╰───╯     ╰───╯╰───╯╰───╯
   ✗ invalid           ✗ invalid           ✗ invalid           ✗ invalid"""

ASCII_DEAL = """\
 0 <3:3>[2:2][5:6]   1 [4:4][4:6][3:6]   2 [4:6][2:6][1:2]   3 [6:6][5:5][1:4]
   x invalid           full fourteen       x invalid           x invalid

 4 [3:3][2:2][4:5]              10 [1:1][3:5]                5 [6:6][5:6][2:3]
   x invalid                       x invalid                   x invalid

 6 [1:3][1:3][5:5]   7 [1:6][2:5][2:4]   8 [4:4][1:5][3:4]   9 [1:1][1:6][1:5]
   x invalid           x invalid           x invalid           x invalid

The number beside a group is its place, counted from 0."""

LARGE_GROUP = """\
 9 ╭───╮╭───╮╭───╮
   │   ││   ││   │
   │ ● ││ ● ││ ● │
   │   ││   ││   │
   ├───┤├───┤├───┤
   │   ││● ●││● ●│
   │ ● ││● ●││ ● │
   │   ││● ●││● ●│
   ╰───╯╰───╯╰───╯
   ✗ invalid"""


def test_small_board() -> None:
    highlight = {0: TILES.parse("33")}
    assert draw_board(DEAL, CLASSIC, UNICODE, highlight=highlight, large=False, legend=False) == SMALL_DEAL


def test_ascii_board() -> None:
    assert draw_board(DEAL, CLASSIC, PLAIN, highlight={0: TILES.parse("33")}) == ASCII_DEAL


def test_large_group() -> None:
    assert LARGE_GROUP in draw_board(DEAL, CLASSIC, UNICODE, width=20)


@given(DEALS, st.integers(18, 130))
def test_every_tile_once_in_ascii(deal: Deal, width: int) -> None:
    text = draw_board(deal, CLASSIC, PLAIN, width=width)
    groups = re.findall(r"(?:^| )(\d+) ((?:\[\d:\d\])+)", text, re.MULTILINE)
    assert {
        int(place): TILES.mask(TILES.kind(a + b) for a, b in re.findall(r"(\d):(\d)", tiles)) for place, tiles in groups
    } == dict(enumerate(deal.groups))
    assert len(groups) == len(deal.groups)


@given(DEALS, st.integers(18, 130), st.booleans())
def test_every_pip_is_drawn(deal: Deal, width: int, large: bool) -> None:
    text = draw_board(deal, CLASSIC, UNICODE, width=width, large=large)
    ends = [int(end) for group in deal.groups for name in TILES.names(group) for end in name]
    if large:
        assert text.count("●") == sum(ends)
    else:
        assert Counter(re.findall("[⚀-⚅]", text)) == Counter("⚀⚁⚂⚃⚄⚅"[end - 1] for end in ends)


@given(DEALS, STYLES, st.integers(18, 130), st.booleans())
def test_width_characters_and_colours(deal: Deal, style: Style, width: int, large: bool) -> None:
    text = draw_board(deal, CLASSIC, style, width=width, large=large)
    plain = ANSI.sub("", text)
    assert max(map(columns, plain.split("\n"))) <= width
    assert (plain != text) == style.color
    assert plain == draw_board(deal, CLASSIC, Style(False, style.ascii, style.lang), width=width, large=large)
    assert text.isascii() or not style.ascii
    valid = sum(bool(group_names(group, CLASSIC)) for group in deal.groups)
    assert plain.count(style.invalid_text) == len(deal.groups) - valid


@pytest.mark.parametrize("ascii_only", [True, False])
def test_of_two_identical_tiles_one_is_emphasised(ascii_only: bool) -> None:
    deal = Deal.random(1, 5)
    text = draw_board(deal, CLASSIC, Style(ascii=ascii_only), highlight={6: TILES.parse("13")}, large=False)
    assert ("<1:3>[1:3][5:5]" if ascii_only else " 6 ┏━━━┓╭───╮╭───╮") in text
    assert text.count("<" if ascii_only else "┏") == 1


def test_chinese_names_keep_the_columns() -> None:
    chinese = draw_board(DEAL, CLASSIC, Style(lang="zh"), legend=False)
    assert "1 ╭" in chinese
    captions = [line for line in chinese.split("\n") if "無效" in line]
    assert captions[0] == "   ✗ 無效              十四點              ✗ 無效              ✗ 無效"
    assert draw_board(DEAL, CLASSIC, Style(ascii=True, lang="zh")) == ASCII_DEAL.replace("<3:3>", "[3:3]")


def test_long_names_are_wrapped() -> None:
    name = "the-name-of-my-own-pattern-that-takes-lines"
    record = {**CLASSIC.to_json(), "id": "own"}
    record["patterns"] = {**record["patterns"], name: [2, 2, 3, 3, 5, 6]}
    text = draw_board(DEAL, RuleSet.from_json(record), PLAIN)
    assert max(map(len, text.split("\n"))) <= 80
    assert "the name of my" in text
