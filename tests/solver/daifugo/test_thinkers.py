"""The players of kernels in a match of Python objects, and exact endgames once nothing is hidden."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solver.daifugo import thinkers
from solver.daifugo.match import Match
from solver.daifugo.players import View
from solver.daifugo.roster import PLAYERS, make_player
from solver.daifugo.rules import PRESETS, RuleSet
from solver.daifugo.thinkers import PolicyPlayer

MANY_OPTIONS = RuleSet(
    id="many options",
    decks=2,
    jokers=2,
    ten_discard=True,
    on_request=True,
    joker_kept=True,
    suit_lock="partial",
    miyako_ochi=True,
    miyako_ochi_timing="at_once",
    rounds=3,
)


@pytest.mark.parametrize("rules", [replace(PRESETS["1979"], rounds=3, id="1979 of 3"), MANY_OPTIONS], ids=str)
def test_policies_play_whole_matches_by_legal_choices(rules: RuleSet) -> None:
    names = ["rules", "monte-carlo", "greedy", "rules"]
    first, second = (Match(rules, names, seed=4) for _ in range(2))
    first.play()
    second.play()
    assert len(first.results) == 3
    assert first.log() == second.log()


def test_names_are_known_in_the_order_of_strength() -> None:
    assert list(PLAYERS) == ["random", "greedy", "rules", "monte-carlo"]
    assert isinstance(make_player("rules", 3), PolicyPlayer)


def test_an_endgame_that_is_won_is_won(monkeypatch: pytest.MonkeyPatch) -> None:
    won: list[tuple[int, int]] = []
    settled = thinkers._settled

    def noted(view: View) -> tuple[bool, object]:
        found = settled(view)
        if found[0]:
            won.append((view.number, view.seat))
            assert found[1] is None or found[1] in view.legal
        return found

    monkeypatch.setattr(thinkers, "_settled", noted)
    rules = replace(PRESETS["uecda"], players=0, rounds=8, id="eight of uecda")
    match = Match(rules, ["monte-carlo", "monte-carlo", "monte-carlo"], seed=2)
    match.play()
    assert won
    for number, seat in won:
        assert match.results[number].places[seat] < 2
