"""What is paid, to the cent: for a win, line by line, and for a secret.

Source: the game's rules, "Payment". What they leave open and is no option:

- An opponent who pays alone for a secret (``secret_payers`` is ``one``) is the next in turn order.
- ``bounit_is_sowee_twin`` decides about one card only: whether the last card may be the card like the sowee. That it
  accompanies the sowee, or that the same two cards accompany both, is always allowed: the rules let the cards
  be used otherwise too.
- Cards turned where nothing has to be found (an own draw, a porbis, both conditions met) change nothing.
- Cards of laid secrets, a closed one too, belong to the winning sixteen: they are held, and kings among them pay.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from solver.cuajo.cards import ACE, CARDS, COINS, KING, SUITS, card, english, kind_of, rank_of, suit_of
from solver.cuajo.hand import SCHEMA, Hand, hand_divisions
from solver.cuajo.melds import RUN
from solver.cuajo.rules import HAND, PLAYERS, RUNS, TRADITIONAL, RuleSet
from solver.errors import InputError

OWN, DRAW, DISCARD = "own", "draw", "discard"
WAYS = (OWN, DRAW, DISCARD)
"""How the last card came: drawn by the winner, drawn by another, taken from the player to the left."""

ACES = tuple(kind_of(suit, ACE) for suit in range(len(SUITS)))
KINGS = tuple(kind_of(suit, KING) for suit in range(len(SUITS)))
COMPANIONS = 2


@dataclass(frozen=True)
class Line:
    """One line of a payment.

    Attributes:
        name: ``kings``, ``own-draw``, ``both-conditions``, ``condition-1``, ``condition-2``, ``no-condition`` or
            ``porbis``.
        cents: what each opponent pays for it.
        text: what for, in words.
    """

    name: str
    cents: int
    text: str


@dataclass(frozen=True)
class Win:
    """A won hand.

    Attributes:
        hand: the sixteen cards; its sowee is known.
        bounit: the kind of the last card.
        by: how it came: ``own``, ``draw`` or ``discard``.
        turned: mask of the cards turned after the win.

    Raises:
        InputError: not sixteen cards, no sowee, a last card that the hand does not hold or that can't have come so, or
            a fifth copy.
    """

    hand: Hand
    bounit: int
    by: str
    turned: int = 0

    def __post_init__(self) -> None:
        if self.hand.count != HAND:
            raise InputError(f"{self.hand.count} cards: a winning hand has {HAND}")
        if self.hand.sowee is None:
            raise InputError("the sowee must be known")
        if self.by not in WAYS:
            raise InputError(f"{self.by!r} is no way to get the last card: {', '.join(WAYS)}")
        if not CARDS.counts(self.hand.cards)[self.bounit]:
            raise InputError(f"bounit: {card(self.bounit)} is not among the cards of the hand")
        closed = int(self.hand.closed == self.bounit)
        if self.by == DRAW and self.hand.free()[self.bounit] <= closed:
            raise InputError(f"bounit: {card(self.bounit)} lies in a secret, so it can't be another's draw")
        self.hand.check_copies(self.turned)


@dataclass(frozen=True)
class Conditions:
    """Which conditions are met, from the hand and what was turned.

    Attributes:
        bounit: two cards accompany the last card.
        sowee: a card like the sowee is held and two cards accompany it.
    """

    bounit: bool
    sowee: bool


@dataclass(frozen=True)
class Payment:
    """What a win is worth.

    Attributes:
        win, rules: what was asked.
        lines: what each opponent pays, line by line.
        porbis: whether it is one.
        conditions: None where they do not matter: an own draw or a porbis.
    """

    win: Win
    rules: RuleSet
    lines: tuple[Line, ...]
    porbis: bool
    conditions: Conditions | None

    @property
    def each_opponent(self) -> int:
        """Cents that each opponent pays."""
        return sum(line.cents for line in self.lines)

    def shares(self, winner: int) -> tuple[int, ...]:
        """What each of the four seats gets, in cents; the winner's partner nothing, the opponents less than that."""
        return tuple(
            (2 * self.each_opponent, -self.each_opponent, 0, -self.each_opponent)[(seat - winner) % PLAYERS]
            for seat in range(PLAYERS)
        )

    def to_json(self) -> dict[str, Any]:
        """The JSON object of ``xsf cuajo pay``."""
        conditions = self.conditions
        return {
            "schema": SCHEMA,
            **self.win.hand.to_json(),
            "bounit": card(self.win.bounit),
            "by": self.win.by,
            "turned": list(CARDS.names(self.win.turned)),
            "rules": self.rules.to_json(),
            "each_opponent": self.each_opponent,
            "lines": [[line.name, line.cents] for line in self.lines],
            "porbis": self.porbis,
            "conditions": conditions and {"bounit": conditions.bounit, "sowee": conditions.sowee},
        }


def pay(win: Win, rules: RuleSet = TRADITIONAL) -> Payment:
    """What each opponent pays for a win.

    Raises:
        InputError: the hand is not complete, or more cards were turned than the rules allow.
    """
    if win.turned.bit_count() > rules.most_turned:
        raise InputError(f"turned: {win.turned.bit_count()} cards; at most {rules.most_turned} may be turned")
    found = hand_divisions(win.hand, rules)
    if not found:
        raise InputError("the hand is not complete, so it can't win")
    counts = CARDS.counts(win.hand.cards)
    kings = sum(counts[king] for king in KINGS)
    if kings == 0 or (kings == 1 and any(_king_in_run(division) for division in found)):
        lines = [Line("porbis", rules.porbis, "porbis: no king" if kings == 0 else "porbis: the only king is in a run")]
        if kings and rules.porbis_kings:
            lines.insert(0, _kings_line(counts, rules))
        return Payment(win, rules, tuple(lines), True, None)
    kings_line = _kings_line(counts, rules)
    if win.by == OWN:
        own = Line("own-draw", rules.own_draw, f"the {english(win.bounit)} drawn from the stock")
        return Payment(win, rules, (kings_line, own), False, None)
    conditions = conditions_of(win, rules)
    return Payment(win, rules, (kings_line, _bounit_line(conditions, rules)), False, conditions)


def _king_in_run(division: Iterable[Any]) -> bool:
    return any(one.name == RUN and any(kind in KINGS for kind in one.kinds) for one in division)


def _kings_line(counts: tuple[int, ...], rules: RuleSet) -> Line:
    of_coins = counts[KINGS[COINS]]
    others = sum(counts[king] for king in KINGS) - of_coins
    words = [
        f"{number} {noun if number == 1 else noun.replace('king', 'kings')} at {cents}"
        for number, noun, cents in (
            (of_coins, "king of coins", rules.king_of_coins),
            (others, "other king", rules.other_king),
        )
        if number
    ]
    return Line("kings", of_coins * rules.king_of_coins + others * rules.other_king, ", ".join(words))


def _bounit_line(conditions: Conditions, rules: RuleSet) -> Line:
    if conditions.bounit and conditions.sowee:
        return Line("both-conditions", rules.both_conditions, "both conditions are met")
    if conditions.bounit:
        return Line("condition-1", rules.bounit_condition, "only condition 1 is met")
    if conditions.sowee:
        return Line("condition-2", rules.sowee_condition, "only condition 2 is met")
    return Line("no-condition", rules.no_condition, "no condition is met")


def companions(kind: int) -> tuple[int, ...]:
    """The kinds of which two have to be there to accompany a card: two of other aces, or the rest of its run."""
    if rank_of(kind) == ACE:
        return tuple(ace for ace in ACES if ace != kind)
    run = next(run for run in RUNS if rank_of(kind) in run)
    return tuple(kind_of(suit_of(kind), rank) for rank in run if rank != rank_of(kind))


def conditions_of(win: Win, rules: RuleSet = TRADITIONAL) -> Conditions:
    """Which conditions a hand and the cards turned for it meet."""
    sowee = win.hand.sowee
    assert sowee is not None
    counts = [a + b for a, b in zip(CARDS.counts(win.hand.cards), CARDS.counts(win.turned), strict=True)]
    twins = counts[sowee] - int(win.bounit == sowee and not rules.bounit_is_sowee_twin)
    return Conditions(_accompanied(win.bounit, counts), twins > 0 and _accompanied(sowee, counts))


def _accompanied(kind: int, counts: list[int]) -> bool:
    return sum(counts[other] > 0 for other in companions(kind)) >= COMPANIONS


def turn_cards(win: Win, stock: Iterable[int], rules: RuleSet = TRADITIONAL) -> Win:
    """The win with cards turned from the stock, one after the other, as long as a condition is missing.

    Args:
        win: a win, with nothing turned yet.
        stock: kinds in the order they are turned; it may run out.
        rules: the rule set; nothing is turned where it pays regardless of conditions.
    """
    if pay(win, rules).conditions is None:
        return win
    turned: list[int] = []
    for kind in stock:
        if len(turned) == rules.most_turned or conditions_of(win, rules) == Conditions(True, True):
            break
        turned.append(kind)
        win = replace(win, turned=CARDS.mask(turned))
    return win


def secret_shares(seat: int, rules: RuleSet = TRADITIONAL) -> tuple[int, ...]:
    """What each of the four seats gets, in cents, when a seat lays a secret."""
    shares = [0] * PLAYERS
    payers = (1, 3) if rules.secret_payers == "each" else (1,)
    for step in payers:
        shares[(seat + step) % PLAYERS] = -rules.secret
    shares[seat] = rules.secret * len(payers)
    return tuple(shares)
