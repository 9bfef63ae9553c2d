"""``xsf solve --all-shortest``: what is said, and the JSON."""

from __future__ import annotations

import json
import re

import click
import pytest

from cli.allshortest import MOST_LISTED, most_listed, readable, verdict_of
from cli.show.board import draw_board
from cli.show.shortest import describe_shortest
from cli.show.style import Style
from solver import Deal, Limits, check
from solver.xiangshifu.shortest import all_shortest

PLAIN = Style(color=False, ascii=True)
NONE, ONE, MANY = Deal.random(1, 33), Deal.random(1, 44), Deal.random(1, 17)

TEXT = """\
Winnable in 10 moves, the fewest possible.
108 solutions have 10 moves; they end in 2 final positions. They make 4 sets of
exchanges in different orders. The first 2:

Solution 1 of 108
     exchange                   groups that result; + repaired
  1. [6:6] (4)  <-> [5:6] (9)     11-56-16 full fourteen  + 66-26-12 five points
"""


def shown(deal: Deal, most: int, limits: Limits | None = None) -> str:
    text = describe_shortest(all_shortest(deal, limits=limits), most, PLAIN)
    return re.sub(r" in [\d.]+ m?s\.$", "", text)


def test_text() -> None:
    text = shown(MANY, 2)
    assert text.startswith(TEXT)
    assert text.endswith("\n\n36 positions reached")
    assert text.count("Solution ") == 2
    assert "\n\nSolution 2 of 108\n" in text


def test_how_many_are_listed() -> None:
    assert "orders.\n\n36 positions" in shown(MANY, 0)
    assert " The first of them:\n" in shown(MANY, 1)
    text = shown(MANY, 500)
    assert "All of them:\n" in text
    assert text.count("Solution ") == 108


def test_only_one_solution() -> None:
    text = shown(ONE, 5)
    assert text.startswith(
        "Winnable in 11 moves, the fewest possible.\nNo other solution has 11 moves.\n\n     exchange"
    )
    assert "Solution" not in text
    assert text.count("<->") == 11
    assert shown(ONE, 0).count("<->") == 0


def test_no_two_with_the_same_exchanges() -> None:
    found = all_shortest(Deal.random(5, 162))
    assert (found.count, found.sets) == (2, 2)
    text = " ".join(describe_shortest(found, 0, PLAIN).split())
    assert "2 solutions have 6 moves; they end in 1 final position. No two of them make the same exchanges." in text


def test_won_as_dealt() -> None:
    moves = all_shortest(MANY).result.moves
    position = MANY
    assert moves is not None
    for move in moves:
        position = Deal(position.exchanged(*move.groups, move.after).groups)
    assert shown(position, 3) == "Won as dealt: all groups are valid.\n\n1 position reached"


def test_no_solution() -> None:
    assert shown(NONE, 3).startswith("Can't be won: group 6 (33-16-25) can never be repaired.\n")


def test_a_limit_reached() -> None:
    text = shown(Deal.random(1, 20), 5, Limits(positions=900))
    summary = " ".join(text.split("\n\n")[0].split())
    assert summary.endswith(
        "How many solutions have 10 moves was not found out: the search reached its limit of positions. "
        "This is one of them."
    )
    assert text.count("<->") == 10
    undecided = shown(Deal.random(1, 1718), 5, Limits(positions=100))
    assert undecided.startswith("Undecided: the search reached its limit of positions.")


def test_readable() -> None:
    found = all_shortest(MANY)
    assert readable(found, 1, PLAIN, board=False) == f"{MANY}\n{describe_shortest(found, 1, PLAIN)}"
    text = readable(found, 1, PLAIN, board=True)
    assert text.endswith(f"\n\n{describe_shortest(found, 1, PLAIN)}")
    assert text.startswith(draw_board(MANY, found.result.rules, PLAIN))


def test_verdict() -> None:
    assert verdict_of(all_shortest(MANY)) == "winnable"
    assert verdict_of(all_shortest(NONE)) == "unwinnable"
    limited = all_shortest(Deal.random(1, 20), limits=Limits(positions=900))
    assert (limited.result.verdict, verdict_of(limited)) == ("winnable", "undecided")


def test_json() -> None:
    record = json.loads(json.dumps(all_shortest(MANY).to_json(3)))
    assert [record[key] for key in ("schema", "reason", "length", "count", "sets", "ends")] == [1, None, 10, 108, 4, 2]
    assert len(record["solutions"]) == 3
    assert check(record["result"]).failures == ()
    for moves in record["solutions"]:
        assert check({**record["result"], "moves": moves}).failures == ()


def test_options_that_do_not_go_together() -> None:
    assert most_listed(False, None, True, None) is None
    assert most_listed(True, None, False, "any") == MOST_LISTED == 10
    assert most_listed(True, 0, False, None) == 0
    for values in [(False, 3, False, None), (True, None, True, None), (True, None, False, "shanghai")]:
        with pytest.raises(click.UsageError):
            most_listed(*values)
