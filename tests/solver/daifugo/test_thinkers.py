"""The players of kernels in a match of Python objects, and exact endgames once nothing is hidden."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solver.daifugo.cards import Hand, count_cards
from solver.daifugo.endgame import Limits, solve_state
from solver.daifugo.match import Match
from solver.daifugo.players import View
from solver.daifugo.plays import Play
from solver.daifugo.roster import PLAYERS, make_player
from solver.daifugo.rules import PRESETS, RuleSet
from solver.daifugo.state import new_state
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


class Watcher(PolicyPlayer):
    """``monte-carlo``, which notes when it can win for certain: the number of the deal, its seat and the other's."""

    def __init__(self, seed: int) -> None:
        super().__init__("monte-carlo:2", seed)
        self.certain: set[tuple[int, int, int]] = set()

    def watch(self, view: View) -> None:
        rivals = [seat for seat in view.in_play if seat != view.seat]
        if len(rivals) == 1 and view.counts[rivals[0]] == count_cards(view.unseen):
            state = new_state()
            for name in state.dtype.names or ():
                state[name] = view.state[name]  # type: ignore[index]
            state["first"][rivals[0]], state["second"][rivals[0]] = view.unseen
            if solve_state(state, view.rules, limits=Limits(positions=100_000)).winner == view.seat:
                self.certain.add((view.number, view.seat, rivals[0]))

    def play(self, view: View) -> Play | None:
        self.watch(view)
        return super().play(view)

    def discard(self, view: View) -> Hand | None:
        self.watch(view)
        return super().discard(view)


def test_an_endgame_that_is_won_is_won() -> None:
    for rules in (PRESETS["uecda"], RuleSet(id="forbidding", forbidden_finish="on", revolution_quads="any")):
        players = [Watcher(seed) for seed in range(3)]
        match = Match(replace(rules, players=0, rounds=8, id="eight"), players, seed=2)
        match.play()
        certain = [found for player in players for found in player.certain]
        assert len(certain) >= 4
        for number, seat, rival in certain:
            places = match.results[number].places
            assert places[seat] < places[rival]
