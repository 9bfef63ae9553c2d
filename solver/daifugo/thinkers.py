"""The players of ``policies`` in a match: what they see is put into the words of kernels."""

from __future__ import annotations

from solver.daifugo.cards import EMPTY, NATURAL, Hand, holds, join, single_cards, take
from solver.daifugo.choosers import Chooser, Memory
from solver.daifugo.events import Discarded
from solver.daifugo.players import Player, View
from solver.daifugo.plays import Play
from solver.daifugo.policies import policy_of
from solver.daifugo.rules import RuleSet


class PolicyPlayer(Player):
    """Plays as one of the players of ``policies``; the same choices for the same seed.

    Args:
        name: of the player, as ``policies.policy_of`` reads it.
        seed: for what is done at random.
    """

    def __init__(self, name: str, seed: int = 0) -> None:
        self._policy = policy_of(name)
        self._seed = seed
        self._chooser: Chooser | None = None

    def _advice(self, rules: RuleSet) -> Chooser:
        if self._chooser is None or self._chooser.rules != rules:
            self._chooser = Chooser(self._policy, rules, self._seed)
        return self._chooser

    def play(self, view: View) -> Play | None:
        """The play the policy chooses."""
        return self._advice(view.rules).play(view.state, view.counts, _memory(view))  # type: ignore[arg-type]

    def discard(self, view: View) -> Hand | None:
        """The card the policy discards for a 10."""
        return self._advice(view.rules).discard(view.state, view.counts, _memory(view))  # type: ignore[arg-type]

    def request(self, view: View, count: int) -> Hand:
        """The cards the policy wants."""
        return self._advice(view.rules).request(view.hand, count, view.players)

    def give(self, view: View, count: int) -> Hand:
        """What the policy gives."""
        return self._advice(view.rules).give(view.hand, count, view.players, view.requested)

    def give_back(self, view: View, count: int) -> Hand:
        """What the policy returns."""
        return self._advice(view.rules).give_back(view.hand, count, view.players)


def _memory(view: View) -> Memory:
    """What a seat knows of the exchange and of discards."""
    gone: Hand = EMPTY
    discarded: dict[int, int] = {}
    for event in view.events:
        if isinstance(event, Discarded) and not event.is_done:
            discarded[event.seat] = discarded.get(event.seat, 0) + 1
            if event.seat == view.seat and event.card is not None:
                gone = join(gone, event.card)
    if view.partner is None or view.places is None:
        return Memory(gone=gone, discarded=discarded)
    unseen = take(view.unseen, gone)
    known = EMPTY
    for card in single_cards(view.given):
        if holds(unseen, join(known, card)):
            known = join(known, card)
    partner = view.partner
    limits: dict[int, int] = {}
    keeps: frozenset[int] = frozenset()
    natural = [card for card in single_cards(view.got) if not card[0] >> NATURAL]
    if view.places[view.seat] < view.places[partner] and natural and not view.rules.on_request:
        limits[partner] = (natural[0][0].bit_length() - 1) // 4
        keeps = frozenset({partner}) if view.rules.joker_kept else frozenset()
    return Memory({partner: known}, limits, keeps, gone, discarded)
