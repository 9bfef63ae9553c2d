"""What is said of deals and links that are wrong, in Chinese too."""

from __future__ import annotations

import re
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from cli.main import main
from cli.play.requests import MOST_TEXT, read_board, read_deal
from cli.play.words import FAULTS, wrong
from solver.errors import Fault, InputError
from solver.xiangshifu.position import Deal

DEAL = "56-13-62 21-44-52 61-51-33 61-11-55 14-34-24 22-55-51 31-44-54 53-63-11 46-33-64 56-32-66 22-66"

DEALS = [
    ({"deal": DEAL.replace("14-", "1x-")}, "stray", "第 38 個字 'x' 不該在此"),
    ({"deal": "[Triplet{[[5:6], [1:3], [6:2]]} and"}, "stray", "第 33 個字 'a' 不該在此"),
    ({"deal": "\x1b[2J"}, "stray", "第 1 個字 '\\x1b' 不該在此"),
    ({"deal": DEAL.replace("44-52", "44-57")}, "no-tile", "沒有 57 這張牌（第 16 個字）"),
    ({"deal": "56-13-62 11"}, "group-size", "第 2 組（11）有 1 張牌，一組應為 2 張或 3 張"),
    (
        {"deal": "56-13-62 11-22"}, "no-layout",
        "三張的有 1 組，對子有 1 組，一局應有 10 和 1（相十副）、10 和 0（上海式）、8 和 4（相八副）",
    ),
    (
        {"deal": ""}, "no-layout",
        "三張的有 0 組，對子有 0 組，一局應有 10 和 1（相十副）、10 和 0（上海式）、8 和 4（相八副）",
    ),
    ({"deal": DEAL.replace("14-", "24-")}, "tile-missing", "14 應有 1 張，只有 0 張；24 應有 1 張，卻有 2 張"),
    ({"deal": DEAL.replace("56-", "65-").replace("14-", "56-")}, "tile-too-often",
     "56 應有 2 張，卻有 3 張；14 應有 1 張，只有 0 張"),
    ({"deal": "1" * (MOST_TEXT + 1)}, "no-short-text", "文字太長"),
    ({"seed": str(1 << 128)}, "seed", "種子須是 0 至 2^128-1 的整數"),
    ({"seed": "seven"}, "seed", "種子須是 0 至 2^128-1 的整數"),
    ({"seed": "7", "index": "-1"}, "index", "局號須是 0 至 2^64-1 的整數"),
    ({"layout": "round"}, "layout", "沒有這種局式"),
]  # fmt: skip
BOARDS = [
    ({"position": DEAL, "rules": "old"}, "no-rules", "沒有這種規則"),
    ({"position": DEAL, "goal": "never"}, "no-goal", "沒有這個目標"),
    ({"position": DEAL, "goal": "shanghai"}, "other-layout", "此局式沒有這個目標"),
    ({"position": DEAL, "goal": "pair:11"}, "no-pair", "目標中的對子不對"),
    ({"position": DEAL, "goal": "pair:11-66"}, "no-pair", "目標中的對子不對"),
    ({"position": 7}, "no-short-text", "文字太長"),
]
ARGUMENTS = [
    (["nothing"], "no-deal", "這裡沒有開局"),
    (["7.txt"], "no-deal", "這裡沒有開局"),
    (["56-13-62 11-2x"], "stray", "第 14 個字 'x' 不該在此"),
    ([DEAL, "--goal", "shanghai"], "other-layout", "此局式沒有這個目標"),
]


def in_chinese(error: InputError) -> str:
    said = wrong(error, "zh")
    # A character that is named may be any; apart from these nothing is in Latin letters.
    assert re.search("[a-z]", re.sub(r"'.*?'|\".\"", "", said), re.IGNORECASE) is None
    assert "\n" not in said
    assert wrong(error, "en") == str(error)
    return said


@pytest.mark.parametrize(("query", "code", "said"), DEALS)
def test_deals_and_links(query: dict[str, Any], code: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        read_deal(query)
    assert code in [fault.code for fault in error.value.faults]
    assert in_chinese(error.value) == said


@pytest.mark.parametrize(("record", "code", "said"), BOARDS)
def test_how_it_is_played(record: dict[str, Any], code: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        read_board(record)
    assert [fault.code for fault in error.value.faults] == [code]
    assert in_chinese(error.value) == said


@pytest.mark.parametrize(("arguments", "code", "said"), ARGUMENTS)
def test_arguments(arguments: list[str], code: str, said: str) -> None:
    result = CliRunner().invoke(main, ["play", "--serve", "--lang", "zh", *arguments])
    assert (result.exit_code, result.stderr) == (2, f"xsf: {said}\n")


@pytest.mark.parametrize(("seed", "index", "code"), [(1 << 128, 0, "seed"), (0, 1 << 64, "index")])
def test_numbers_of_deals(seed: int, index: int, code: str) -> None:
    with pytest.raises(InputError) as error:
        Deal.random(seed, index)
    assert [fault.code for fault in error.value.faults] == [code]
    assert in_chinese(error.value) == FAULTS[code]


def test_no_fault_is_left_out() -> None:
    assert {code for _, code, _ in (*DEALS, *BOARDS, *ARGUMENTS)} | {"other"} == FAULTS.keys()


def test_what_people_can_not_have_typed() -> None:
    assert in_chinese(InputError("the request is not JSON")) == FAULTS["other"]


tiles = st.sampled_from([a + b for a in "0123456" for b in "123456"])
groups = st.lists(tiles, max_size=4).map("-".join)
deals = st.text() | st.lists(groups, max_size=12).map(" ".join) | st.text("0123456-:[], Triplet{}")
changed = st.tuples(st.integers(0, len(DEAL) - 1), st.characters()).map(
    lambda found: DEAL[: found[0]] + found[1] + DEAL[found[0] + 1 :]
)


@given(st.fixed_dictionaries({}, optional={"deal": deals | changed, "seed": st.text(), "index": st.text()}))
def test_every_wrong_deal_has_its_words(query: dict[str, Any]) -> None:
    try:
        read_deal(query)
    except InputError as error:
        assert error.faults
        in_chinese(error)


def test_a_fault_goes_with_an_error_through_a_pipe() -> None:
    import pickle

    error = pickle.loads(pickle.dumps(InputError("bad", Fault("seed"))))
    assert (str(error), [fault.code for fault in error.faults]) == ("bad", ["seed"])
