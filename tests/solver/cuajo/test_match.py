"""Matches, who deals next, and logs that are saved and replayed."""

from __future__ import annotations

import json

import pytest

from solver.cuajo.dealing import draw_dealer
from solver.cuajo.match import Match, replay_log
from solver.cuajo.rules import TRADITIONAL, RuleSet
from solver.errors import InputError

PLAYERS = ("random", "simple", "careful", "simple")


@pytest.fixture(scope="module")
def match() -> Match:
    played = Match(TRADITIONAL, PLAYERS, 7)
    played.play(4)
    return played


def test_the_winner_deals_next_and_after_a_draw_the_same(match: Match) -> None:
    assert match.results[0].dealer == draw_dealer(7)
    for before, after in zip(match.results, match.results[1:], strict=False):
        assert after.dealer == (before.dealer if before.winner is None else before.winner)


def test_the_same_dealer_deals_after_a_draw() -> None:
    played = Match(TRADITIONAL, ["random"] * 4, 1)
    played.play(6)
    draws = [number for number, result in enumerate(played.results[:-1]) if result.winner is None]
    assert draws
    for number in draws:
        assert played.results[number + 1].dealer == played.results[number].dealer


def test_money_is_conserved_and_added_up(match: Match) -> None:
    assert all(sum(result.cents) == 0 for result in match.results)
    assert match.totals == tuple(map(sum, zip(*(result.cents for result in match.results), strict=True)))


def test_a_match_is_a_function_of_its_seed(match: Match) -> None:
    again = Match(TRADITIONAL, PLAYERS, 7)
    again.play(4)
    assert again.log() == match.log()


def test_a_log_is_replayed(match: Match) -> None:
    again = replay_log(match.log())
    assert (again.results, again.totals, again.log()) == (match.results, match.totals, match.log())


def tampered(match: Match, line: int, **changes: object) -> list[str]:
    log = match.log()
    log[line] = json.dumps({**json.loads(log[line]), **changes})
    return log


def test_a_log_that_was_tampered_with_is_refused(match: Match) -> None:
    log = match.log()
    with pytest.raises(InputError, match=r"line 3: discard bK: (not in the hand|kings can't be discarded)"):
        replay_log(tampered(match, 2, card="bK"))
    with pytest.raises(InputError, match=r"line 2: deal: sowee is"):
        replay_log(tampered(match, 1, sowee="xx"))
    win = next(number for number, line in enumerate(log) if json.loads(line)["event"] == "win")
    with pytest.raises(InputError, match=rf"line {win + 1}: win: lines is"):
        replay_log(tampered(match, win, lines=[["porbis", 1]]))
    with pytest.raises(InputError, match="ends within a deal"):
        replay_log(log[:-1])
    with pytest.raises(InputError, match="line 1: a log begins"):
        replay_log(log[1:])
    with pytest.raises(InputError, match="the log is empty"):
        replay_log([])
    with pytest.raises(InputError, match="line 2: not JSON"):
        replay_log([log[0], "{"])


def test_three_players_are_too_few() -> None:
    with pytest.raises(InputError, match="played by 4"):
        Match(RuleSet(), ["simple"] * 3)
