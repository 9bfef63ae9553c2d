"""Players see only what they may, and do only what is legal; the same in kernels and one at a time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.cuajo.cards import KINDS
from solver.cuajo.game import Action, Game
from solver.cuajo.hand import discards
from solver.cuajo.match import Match
from solver.cuajo.players import PLAYERS, Player, View, make_player
from solver.cuajo.policies import CAREFUL, POLICIES, SIMPLE, _choose
from solver.cuajo.rules import TRADITIONAL
from solver.cuajo.state import STATE, book_of
from solver.errors import InputError


@settings(max_examples=15)
@given(st.integers(0, 2**20), st.sampled_from(["face_down", "face_up"]))
def test_players_choose_by_what_they_see_only(seed: int, shown: str) -> None:
    rules = replace(TRADITIONAL, id="test", secret_shown=shown)
    game = Game.deal(seed, 0, seed % 4, rules)
    words, rooms = np.zeros(1, dtype=np.uint64), np.empty((2, KINDS), dtype=np.int64)
    states = np.zeros(2, dtype=STATE)
    for step in range(60):
        if game.is_over:
            break
        view = View.of(game, game.actor)
        assert view.legal
        code = (SIMPLE, CAREFUL)[step % 2]
        states[0] = game.state
        knowing = Action.from_code(int(_choose(code, states, words, rooms[0], rooms[1], book_of(rules))))
        action = make_player(POLICIES[code]).act(view)
        assert action == knowing
        assert action in view.legal
        game.do(action)


@given(st.integers(0, 2**20), st.integers(0, 40))
def test_a_view_hides_the_hands_and_cards_of_others(seed: int, steps: int) -> None:
    game = Game.deal(seed)
    player = make_player("random", seed)
    for _ in range(steps):
        if not game.is_over:
            game.do(player.act(View.of(game, game.actor)))
    for seat in range(4):
        view = View.of(game, seat)
        for other in range(4):
            if other != seat:
                assert view.state["low"][other] == view.state["high"][other] == view.state["laid"][other] == 0
                assert view.state["closed"][other] == -1
        assert not view.state["stock"].any()
        assert bool(view.legal) == (seat == game.actor and not game.is_over)
        hidden = [event for event in view.events if getattr(event, "seat", seat) != seat and event.kind == "secret"]
        assert all(event.to_json()["card"] is None for event in hidden)
        assert sum(view.unseen) == 112 - 1 - view.hand.count - view.pile.bit_count()


@given(st.integers(0, 2**20))
def test_simple_makes_a_best_discard(seed: int) -> None:
    game = Game.deal(seed)
    action = make_player("simple").act(View.of(game, 0))
    report = discards(replace(game.hand(0), sowee=None))
    if action.verb == "discard":
        found = {one.kind: one.distance for one in report.discards}
        assert found[action.card or 0] == report.discards[0].distance


class Stubborn(Player):
    """Wants what is not legal, and then draws or discards."""

    def __init__(self) -> None:
        self.reasons: list[str] = []

    def act(self, view: View) -> Action:
        if len(self.reasons) % 2 == 0:
            return Action("lay", 0)
        self.reasons.append("")
        return next(action for action in view.legal if action.verb in ("draw", "pass", "skip", "discard"))

    def refused(self, reason: str) -> bool:
        self.reasons.append(reason)
        return True


def test_anybody_can_write_a_player() -> None:
    player = Stubborn()
    match = Match(TRADITIONAL, [player, "simple", "simple", "simple"], 1)
    match.play(1)
    assert any("a secret has 4 identical cards" in reason for reason in player.reasons)


def test_random_players_are_the_same_for_the_same_seed() -> None:
    view = View.of(Game.deal(3), 0)
    assert [make_player("random", 5).act(view) for _ in range(3)] == [make_player("random", 5).act(view)] * 3
    player = make_player("random", 5)
    assert len({player.act(view) for _ in range(40)}) > 5


def test_players_go_by_their_names() -> None:
    assert list(PLAYERS) == ["random", "simple", "careful"]
    with pytest.raises(InputError, match="'greedy' is no player; known are random, simple, careful"):
        make_player("greedy")
