"""A slow, obvious twin of a deal of Cuajo in play, to be checked against the rules by eye; cards are texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import naive_cuajo as naive


class Deal:
    """One deal; ``rules`` has the options and amounts by name, actions are texts such as ``discard o3``."""

    def __init__(self, order: Sequence[str], dealer: int, rules: Mapping[str, Any]) -> None:
        self.rules = rules
        cards = list(order)
        self.hands: list[list[str]] = [[], [], [], []]
        for batch in range(3):
            for step in (1, 2, 3, 4):
                seat = (dealer + step) % 4
                for _ in range(6 if batch == 0 and seat == dealer else 5):
                    self.hands[seat].append(cards.pop(0))
        self.sowee = cards.pop(0)
        self.stock = cards
        self.pile: list[str] = []
        self.secrets: list[list[str]] = [[], [], [], []]
        self.closed: list[str | None] = [None] * 4
        self.cents = [0, 0, 0, 0]
        self.purro: set[int] = set()
        self.turns_barred = [0, 0, 0, 0]
        self.turn = dealer
        self.phase = "act"
        self.claimers: list[int] = []
        self.card: str | None = None
        self.drew = False
        self.shown = False
        self.offered: str | None = None
        self.is_last = False
        self.declined = False
        self.winner: int | None = None
        self.price = 0
        self.turned: list[str] = []

    @property
    def actor(self) -> int:
        return self.claimers[0] if self.phase == "claim" else self.turn

    def held(self, seat: int) -> list[str]:
        """All cards of a seat, laid ones included."""
        laid = [card for card in self.secrets[seat] for _ in range(4)]
        return [*self.hands[seat], *laid, *([self.sowee] * 3 if self.closed[seat] else [])]

    def complete(self, seat: int, more: Sequence[str] = ()) -> bool:
        """Whether a seat has sixteen cards with some more, all in combinations."""
        unlaid = self.rules["sowee_secret_unlaid"] and not self.closed[seat]
        extra = [(self.sowee,) * 3] if unlaid else []
        return len(self.held(seat)) + len(more) == 16 and naive.complete([*self.hands[seat], *more], extra)

    def is_purro(self, seat: int) -> bool:
        """Whether one card that exists beside the hand and the sowee completes it; or it is complete already."""
        if len(self.held(seat)) == 16:
            return self.complete(seat)
        left = naive.DECK - Counter(self.held(seat)) - Counter([self.sowee])
        return any(left[card] and self.complete(seat, [card]) for card in naive.KINDS)

    def entitled(self, seat: int) -> bool:
        may = seat in self.purro or not self.rules["win_needs_purro"]
        return may and not self.turns_barred[seat]

    def legal(self) -> set[str]:
        if self.phase == "over":
            return set()
        if self.phase == "claim":
            return {"win", "pass"}
        seat, found = self.turn, set()
        count = Counter(self.hands[seat])
        closed = self.closed[seat]
        if self.card or self.rules["secret_before_draw"]:
            found |= {f"lay {card}" for card in count if count[card] == 4 and card != closed}
            if count[self.sowee] == 3 and not closed:
                found |= {f"close {card}" for card in count if card != self.sowee}
        if self.phase == "draw":
            return found | {"draw"} | ({"take"} if self.offered else set())
        loose = count - Counter([closed] if closed else [])
        discards = {f"discard {card}" for card in loose if not card.endswith("K")}
        if not discards:
            found.add("skip")
        if self.entitled(seat) and not self.declined and self.complete(seat):
            found.add("win")
        return found | discards

    def do(self, action: str) -> None:
        verb, _, card = action.partition(" ")
        getattr(self, f"_{verb}")(*([card] if card else []))

    def _draw(self) -> None:
        seat = self.turn
        self.card = self.stock.pop(0)
        self.hands[seat].append(self.card)
        self.drew = True
        self.shown = bool(self.purro) or self.turns_barred[seat] > 0
        others = [(seat + step) % 4 for step in (1, 2, 3)] if self.shown else []
        claimers = [seat] if self.complete(seat) else []
        claimers += [other for other in others if self.complete(other, [self.card])]
        self._offer(claimers)

    def _take(self) -> None:
        self.card = self.pile.pop()
        self.hands[self.turn].append(self.card)
        self.offered = None
        self._offer([self.turn] if self.complete(self.turn) else [])

    def _offer(self, claimers: list[int]) -> None:
        self.claimers = [seat for seat in claimers if self.entitled(seat)]
        self.phase = "claim" if self.claimers else "act"

    def _pass(self) -> None:
        seat = self.claimers.pop(0)
        if self.is_last:
            self.phase = "over"
            return
        self.declined |= seat == self.turn
        self._offer(self.claimers)

    def _lay(self, card: str) -> None:
        for _ in range(4):
            self.hands[self.turn].remove(card)
        self.secrets[self.turn].append(card)
        self._pay_secret()

    def _close(self, card: str) -> None:
        for _ in range(3):
            self.hands[self.turn].remove(self.sowee)
        self.closed[self.turn] = card
        self._pay_secret()

    def _pay_secret(self) -> None:
        opponents = [(self.turn + 1) % 4, (self.turn + 3) % 4]
        for payer in opponents if self.rules["secret_payers"] == "each" else opponents[:1]:
            self._pay(payer, self.turn, self.rules["secret"])

    def _pay(self, payer: int, payee: int, cents: int) -> None:
        self.cents[payer] -= cents
        self.cents[payee] += cents

    def _discard(self, card: str) -> None:
        self.hands[self.turn].remove(card)
        self.pile.append(card)
        self._after_discard(card)

    def _skip(self) -> None:
        if self.rules["nothing_to_discard"] == "draw":
            self.phase = "over"
        else:
            self._after_discard(None)

    def _after_discard(self, card: str | None) -> None:
        seat = self.turn
        if not self.turns_barred[seat]:
            was, now = seat in self.purro, self.is_purro(seat)
            if now:
                self.purro.add(seat)
            elif was:
                self.purro.remove(seat)
                # The own turn that begins when two more have gone by is normal again.
                self.turns_barred[seat] = 3
        self.turn = seat = (seat + 1) % 4
        self.turns_barred[seat] = max(0, self.turns_barred[seat] - 1)
        self.card, self.drew, self.shown, self.declined, self.offered = None, False, False, False, card
        self.phase = "act" if len(self.held(seat)) == 16 else "draw"
        if not self.stock:
            self.is_last, self.phase = True, "over"
            may = self.rules["last_discard_after_stock"] and card and self.entitled(seat)
            if may and card and self.complete(seat, [card]):
                self.claimers, self.phase = [seat], "claim"

    def _win(self) -> None:
        seat, self.phase = self.actor, "over"
        by, bounit = "own", self.card
        if self.is_last:
            bounit = self.pile.pop()
            self.hands[seat].append(bounit)
            by = "discard"
        elif seat != self.turn:
            assert bounit
            self.hands[self.turn].remove(bounit)
            self.hands[seat].append(bounit)
            by = "draw"
        elif bounit and not self.drew:
            by = "discard"
        self.winner = seat
        cards = self.held(seat)
        self.price = self._price(cards, bounit or cards[0], by)
        for step in (1, 3):
            self._pay((seat + step) % 4, seat, self.price)

    def _price(self, cards: list[str], bounit: str, by: str) -> int:
        """The best of all prices that turning cards can bring, few or many."""
        if any(self.secrets) or any(self.closed):
            return self._price_with_laid(cards, bounit, by)
        return self._most(cards, bounit, by)

    def _most(self, cards: list[str], bounit: str, by: str) -> int:
        prices = [
            naive.payment(cards, self.sowee, bounit, by, self.stock[:turned], self.rules)
            for turned in range(min(self.rules["most_turned"], len(self.stock)) + 1)
        ]
        return max(prices)

    def _price_with_laid(self, cards: list[str], bounit: str, by: str) -> int:
        """A king in a run must be one of the cards that do not lie, which the naive payment does not know."""
        kings = [card for card in cards if card.endswith("K")]
        free = self.hands[self.winner or 0]
        if len(kings) == 1:
            more = (
                [(self.sowee,) * 3] if self.rules["sowee_secret_unlaid"] and not self.closed[self.winner or 0] else []
            )
            runs = naive.king_in_run(kings[0], naive.divisions(free, more))
            value = self.rules["king_of_coins"] if kings[0] == "oK" else self.rules["other_king"]
            if runs:
                return int(self.rules["porbis"] + (value if self.rules["porbis_kings"] else 0))
            # Without its king the hand is worth less by that; two kings can't be a porbis.
            return self._most([*cards, "bK"], bounit, by) - int(self.rules["other_king"])
        return self._most(cards, bounit, by)
