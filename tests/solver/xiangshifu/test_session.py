"""Exchanges by hand are the legal moves, and all others are refused with the reason; undoing and doing again."""

from __future__ import annotations

from itertools import combinations

import pytest

from solver.errors import InputError
from solver.xiangshifu.goals import parse_goal
from solver.xiangshifu.groups import group_names
from solver.xiangshifu.moves import legal_moves
from solver.xiangshifu.position import LAYOUTS, Deal, Position
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.session import REASONS, Refused, Session, board_json, exchange
from solver.xiangshifu.solve import solve
from solver.xiangshifu.tiles import TILES

DEAL = Deal.parse("56-13-62 21-44-52 61-51-33 61-11-55 14-34-24 22-55-51 31-44-54 53-63-11 46-33-64 56-32-66 22-66")


def choices(group: int) -> list[list[str]]:
    tiles = TILES.names(group)
    return [list(out) for size in (1, 2) for out in combinations(tiles, size)]


@pytest.mark.parametrize("rules", ["classic", "thirteen+mixed-dragon"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_allowed_is_what_is_legal(rules: str, layout: str) -> None:
    rule_set = RuleSet.parse(rules)
    deal = Deal.random(5, 2, LAYOUTS[layout])
    reached = set()
    for places in combinations(range(len(deal.groups)), 2):
        a, b = (deal.groups[place] for place in places)
        for out_a in choices(a):
            for out_b in choices(b):
                try:
                    move = exchange(deal, places, (out_a, out_b), rule_set)
                except Refused:
                    continue
                assert move.before == (a, b)
                assert move.names == tuple(group_names(group, rule_set) for group in move.after)
                assert all(move.names)
                reached.add(_key(deal.exchanged(*move.groups, move.after)))
    legal = {_key(deal.exchanged(*move.groups, move.after)) for move in legal_moves(deal, rule_set)}
    assert reached == legal


def _key(position: Position) -> tuple[int, ...]:
    return tuple(sorted(position.groups))


@pytest.mark.parametrize(
    ("places", "out", "code", "text"),
    [
        ((0, 11), (["56"], ["12"]), "two-groups", "an exchange is between two of the 11 groups"),
        ((0, 1, 2), (["56"], ["12"]), "two-groups", "an exchange is between two of the 11 groups"),
        ((-1, 0), (["56"], ["12"]), "two-groups", "an exchange is between two of the 11 groups"),
        ((3, 3), (["16"], ["11"]), "same-group", "both tiles lie in the same group"),
        ((0, 1), (["66"], ["12"]), "not-there", "66 is not in 13-56-26"),
        ((0, 1), (["56"], ["12", "44"]), "unequal", "as many tiles must come back as are given"),
        ((0, 1), (["56", "13"], ["12", "44"]), "too-many", REASONS["too-many"]),
        ((0, 1), ([], []), "too-many", REASONS["too-many"]),
        ((2, 3), (["16"], ["16"]), "unchanged", "this exchange changes nothing"),
        ((0, 1), (["56"], ["12"]), "both-invalid", "13-26-12 and 44-56-25 would be no valid groups"),
    ],
)
def test_refusals(places: tuple[int, ...], out: tuple[list[str], ...], code: str, text: str) -> None:
    with pytest.raises(Refused) as error:
        exchange(DEAL, places, out, CLASSIC)
    assert (error.value.code, str(error.value)) == (code, text)


def test_one_group_invalid_is_refused_too_and_what_is_no_tile_is_an_error() -> None:
    codes = set()
    for out_a in "13", "56", "26":
        for place in range(1, 11):
            for out_b in DEAL.tiles(place):
                try:
                    exchange(DEAL, (0, place), ([out_a], [out_b]), CLASSIC)
                except Refused as refused:
                    codes.add(refused.code)
    assert codes == {"invalid", "both-invalid", "unchanged"}
    assert codes <= set(REASONS)
    with pytest.raises(InputError, match="'77' does not exist"):
        exchange(DEAL, (0, 1), (["77"], ["12"]), CLASSIC)


def test_a_game() -> None:
    moves = solve(DEAL).moves
    assert moves is not None
    game = Session(DEAL, CLASSIC, parse_goal(None, DEAL.layout))
    for record in moves:
        assert not game.is_won
        out = [TILES.names(mask) for mask in record.out]
        move = exchange(game.position, record.groups, out, CLASSIC)
        assert move == exchange(game.position, record.groups[::-1], out[::-1], CLASSIC)
        game = game.do(move)
    assert game.is_won
    assert all(group["valid"] for group in board_json(game.position, CLASSIC))
    won = game
    for _ in moves:
        game = game.undo()
    assert game.position == DEAL
    with pytest.raises(InputError, match="nothing to undo"):
        game.undo()
    again = game.redo()
    assert again.do(won.moves[1]).undone == won.moves[:1:-1]
    other = next(move for move in legal_moves(again.position, CLASSIC) if move != won.moves[1])
    assert again.do(other).undone == ()
    for _ in moves:
        game = game.redo()
    assert (game.position, game.moves, game.undone) == (won.position, won.moves, ())
    with pytest.raises(InputError, match="nothing to do again"):
        game.redo()


def test_a_board_as_json() -> None:
    board = board_json(DEAL, CLASSIC)
    assert board[3] == {"tiles": ["11", "55", "16"], "valid": True, "names": ["full-fourteen"]}
    assert board[0] == {"tiles": ["13", "56", "26"], "valid": False, "names": []}
