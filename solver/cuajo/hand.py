"""What can be said of a hand: complete or not, its divisions, purro, its distance, and what each discard leaves.

What the rules leave open, and what is meant here:

- The **distance** of fifteen cards is the fewest exchanges until they are purro, 0 if they are. Sixteen cards, of
  which one is still to be discarded, have the distance of the best discard; complete ones have 0 too. How many cards
  are **missing** tells purro from complete: none, for a complete hand. Distances ask which cards there are beside the
  hand and the sowee, not which of them have been seen elsewhere; what is seen counts for the copies that can still
  come. So a hand whose last cards have all been seen is purro, with no copy to come.
- Kings, laid secrets and a closed fourth card can't be discarded.
- The **closed** fourth card of a secret like the sowee may stand in any combination, alone (a king) or with other cards
  of the hand; which one it is remains known to the analysis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from solver.cuajo.cards import (
    ALL_COPIES,
    CARDS,
    COPIES,
    KINDS,
    KING,
    card,
    copies_of,
    exceeds,
    full_names,
    named,
    parse_card,
    parse_cards,
    rank_of,
)
from solver.cuajo.distances import Aim, least_waste
from solver.cuajo.melds import (
    SECRET_NAME,
    SOWEE_NAME,
    Combination,
    Division,
    completing,
    divisions,
    is_complete,
)
from solver.cuajo.rules import DEALT, HAND, SECRET, SOWEE_SECRET, TRADITIONAL, RuleSet
from solver.errors import InputError

SCHEMA = 1


@dataclass(frozen=True)
class Hand:
    """All cards of a player.

    Attributes:
        cards: the mask of all of them, laid ones included.
        sowee: the kind of the sowee, None if it is not known.
        secrets: kinds that are laid as secrets.
        closed: the kind of the fourth card laid with three like the sowee; None if no such secret is laid.

    Raises:
        InputError: more than sixteen cards, a fifth copy, or something is laid that is not held or is no secret.
    """

    cards: int
    sowee: int | None = None
    secrets: tuple[int, ...] = ()
    closed: int | None = None

    def __post_init__(self) -> None:
        if self.cards.bit_count() > HAND:
            raise InputError(f"{self.cards.bit_count()} cards: a hand has at most {HAND}")
        if self.sowee is not None:
            self.check_copies(0)
        counts = CARDS.counts(self.cards)
        for kind in self.secrets:
            if counts[kind] < SECRET:
                raise InputError(f"laid: {counts[kind]} of {card(kind)} are held; a secret has {SECRET}")
        if self.closed is not None:
            self._check_closed(self.closed, counts)

    def _check_closed(self, closed: int, counts: tuple[int, ...]) -> None:
        if self.sowee is None or counts[self.sowee] < SOWEE_SECRET:
            raise InputError(f"laid: a secret of {SOWEE_SECRET} cards needs {SOWEE_SECRET} cards like the sowee")
        if closed == self.sowee or closed in self.secrets or not counts[closed]:
            raise InputError(f"laid: no {card(closed)} is left to be laid with the cards like the sowee")

    def left(self, kind: int, seen: int = 0) -> int:
        """How many copies of a kind are neither held, nor the sowee, nor seen elsewhere; below 0 for a fifth copy."""
        return COPIES - copies_of(self.cards, kind) - copies_of(seen, kind) - (kind == self.sowee)

    def check_copies(self, seen: int) -> None:
        """Raise InputError unless the hand, the sowee and what is seen elsewhere can be in one deck."""
        sowee = 0 if self.sowee is None else 1 << CARDS.shifts[self.sowee]
        if not exceeds(self.cards, seen, sowee):
            return
        kind, left = next((kind, left) for kind in range(KINDS) if (left := self.left(kind, seen)) < 0)
        raise InputError(
            f"{COPIES - left} of {card(kind)} in all, the hand, the sowee and what is seen together: "
            f"there are only {COPIES} of each card"
        )

    @classmethod
    def parse(cls, text: str, cards: int, *, laid: str = "", sowee: str | None = None) -> Hand:
        """A hand of so many cards from text.

        Args:
            text: the cards, with or without those that are laid.
            cards: how many there have to be, laid ones included.
            laid: cards of laid secrets: four identical cards each; three like the sowee and any fourth.
            sowee: the card turned up after the deal.

        Raises:
            InputError: something is no card, a fifth copy, a wrong count, or no secret.
        """
        held, lying = parse_cards(text), parse_cards(laid)
        count = held.bit_count()
        if count + lying.bit_count() == cards and lying:
            held = _joined(held, lying)
        elif count != cards:
            beside = f" and {lying.bit_count()} laid ones" if lying else ""
            raise InputError(f"{_number(count)}{beside}: the hand must have {cards}")
        kind = None if sowee is None else parse_card(sowee)
        missing = [one for one, (a, b) in enumerate(_pairs(held, lying)) if b > a]
        if missing:
            raise InputError(f"laid: {card(missing[0])} is laid, but not among the cards of the hand")
        secrets, closed = _read_laid(lying, kind)
        return cls(held, kind, secrets, closed)

    @property
    def count(self) -> int:
        """How many cards there are, laid ones included."""
        return self.cards.bit_count()

    @property
    def size(self) -> int:
        """Cards of a complete hand without the combinations that lie."""
        return HAND - SECRET * len(self.secrets) - (0 if self.closed is None else SOWEE_SECRET)

    @cached_property
    def free_cards(self) -> int:
        """The mask of the cards that are in no combination that lies; the closed card is one of them."""
        lying = self.secrets if self.closed is None or self.sowee is None else (*self.secrets, self.sowee)
        return self.cards & ~sum(ALL_COPIES << CARDS.shifts[kind] for kind in lying)

    def free(self) -> list[int]:
        """How many cards of each kind ``free_cards`` has."""
        return list(CARDS.counts(self.free_cards))

    def laid(self) -> list[Combination]:
        """The combinations that lie."""
        found = [Combination(SECRET_NAME, (kind,) * SECRET) for kind in self.secrets]
        if self.closed is not None and self.sowee is not None:
            found.append(Combination(SOWEE_NAME, (self.sowee,) * SOWEE_SECRET))
        return found

    def discardable(self) -> list[int]:
        """The kinds that may be discarded."""
        counts = self.free()
        if self.closed is not None:
            counts[self.closed] -= 1
        return [kind for kind, count in enumerate(counts) if count and rank_of(kind) != KING]

    def to_json(self, others: Iterable[int] = ()) -> dict[str, Any]:
        """The hand as JSON values, with the full names of its cards, the sowee and some other kinds."""
        kinds = {*CARDS.kinds_of(self.cards), *others, *(() if self.sowee is None else (self.sowee,))}
        return {
            "hand": CARDS.format(self.cards),
            "sowee": None if self.sowee is None else card(self.sowee),
            "laid": [one.cards() for one in self.laid()],
            "closed": None if self.closed is None else card(self.closed),
            "names": full_names(kinds),
        }


def _number(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _pairs(first: int, second: int) -> Iterator[tuple[int, int]]:
    return zip(CARDS.counts(first), CARDS.counts(second), strict=True)


def _joined(first: int, second: int) -> int:
    """The cards of two masks; raises InputError for a fifth copy."""
    sums = [a + b for a, b in _pairs(first, second)]
    for kind, count in enumerate(sums):
        if count > COPIES:
            raise InputError(f"{count} of {card(kind)}, laid ones included: there are only {COPIES} of each card")
    return CARDS.mask_of_counts(sums)


def _read_laid(lying: int, sowee: int | None) -> tuple[tuple[int, ...], int | None]:
    """The secrets that laid cards are, and the closed card."""
    counts = list(CARDS.counts(lying))
    secrets = tuple(kind for kind, count in enumerate(counts) if count == SECRET)
    rest = [kind for kind, count in enumerate(counts) if count < SECRET for _ in range(count)]
    if not rest:
        return secrets, None
    if sowee is not None and counts[sowee] == SOWEE_SECRET and len(rest) == SECRET:
        return secrets, next(kind for kind in rest if kind != sowee)
    raise InputError(
        f"laid: {' '.join(card(kind) for kind in rest)} is no secret: "
        f"four identical cards are, or three like the sowee and any fourth"
    )


def _aims(hand: Hand, held: list[int], rules: RuleSet) -> Iterator[Aim]:
    """What free cards may become: one aim, or two if three cards like the sowee count in the hand too."""
    most = [COPIES] * KINDS
    if hand.sowee is not None:
        most[hand.sowee] -= 1
    for one in hand.laid():
        for kind in one.kinds:
            most[kind] -= 1
    least = [count if rank_of(kind) == KING else 0 for kind, count in enumerate(held)]
    if hand.closed is not None:
        least[hand.closed] = max(least[hand.closed], 1)
    yield Aim(tuple(held), tuple(least), tuple(most), hand.size)
    if _counts_unlaid(hand, rules) and hand.sowee is not None:
        # There are just three cards like the sowee: all of them go into this combination, drawn or held.
        for counts in (held := list(held), least, most):
            counts[hand.sowee] = 0
        yield Aim(tuple(held), tuple(least), tuple(most), hand.size - SOWEE_SECRET)


def _counts_unlaid(hand: Hand, rules: RuleSet) -> bool:
    return rules.sowee_secret_unlaid and hand.closed is None


def _waste(hand: Hand, held: list[int], rules: RuleSet) -> int | None:
    wastes = [waste for aim in _aims(hand, held, rules) if (waste := least_waste(aim)) is not None]
    return min(wastes, default=None)


def _with(counts: list[int], kind: int, change: int) -> list[int]:
    changed = counts.copy()
    changed[kind] += change
    return changed


def hand_is_complete(hand: Hand, rules: RuleSet = TRADITIONAL) -> bool:
    """Whether all sixteen cards of a hand stand in combinations."""
    if hand.count != HAND:
        return False
    free = hand.free()
    if is_complete(hand.free_cards):
        return True
    if not _counts_unlaid(hand, rules) or hand.sowee is None or free[hand.sowee] < SOWEE_SECRET:
        return False
    return is_complete(CARDS.mask_of_counts(_with(free, hand.sowee, -SOWEE_SECRET)))


def hand_divisions(hand: Hand, rules: RuleSet = TRADITIONAL) -> list[Division]:
    """All divisions of a complete hand, each once, with the combinations that lie first; empty for any other hand."""
    if hand.count != HAND:
        return []
    sowee = hand.sowee if _counts_unlaid(hand, rules) else None
    laid = tuple(hand.laid())
    return [(*laid, *found) for found in divisions(hand.free_cards, sowee)]


@dataclass(frozen=True)
class HandReport:
    """What ``analyse`` says of sixteen cards.

    Attributes:
        hand, rules: what was asked.
        complete: whether it is complete.
        divisions: all of them.
        distance: exchanges to purro; None if it can't become complete.
        missing: cards missing to a complete hand; None likewise.
    """

    hand: Hand
    rules: RuleSet
    complete: bool
    divisions: tuple[Division, ...]
    distance: int | None
    missing: int | None

    def to_json(self) -> dict[str, Any]:
        """The JSON object of ``xsf cuajo hand``."""
        return {
            "schema": SCHEMA,
            **self.hand.to_json(),
            "rules": self.rules.to_json(),
            "complete": self.complete,
            "divisions": [[one.cards() for one in found] for found in self.divisions],
            "distance": self.distance,
            "missing": self.missing,
        }


def analyse(hand: Hand, rules: RuleSet = TRADITIONAL) -> HandReport:
    """Whether a hand of sixteen cards is complete, its divisions and its distance.

    Raises:
        InputError: it has another number of cards.
    """
    _check_count(hand, HAND)
    found = tuple(hand_divisions(hand, rules))
    missing = _waste(hand, hand.free(), rules)
    distance = None if missing is None else max(0, missing - 1)
    return HandReport(hand, rules, bool(found), found, distance, missing)


def _check_count(hand: Hand, count: int) -> None:
    if hand.count != count:
        raise InputError(f"{_number(hand.count)}: the hand must have {count}")


@dataclass(frozen=True)
class PurroReport:
    """What ``purro`` says of fifteen cards.

    Attributes:
        hand, rules: what was asked.
        cards: the kinds that complete the hand, and how many copies of each can still come.
    """

    hand: Hand
    rules: RuleSet
    cards: dict[int, int]

    @property
    def purro(self) -> bool:
        """Whether one card completes the hand."""
        return bool(self.cards)

    @property
    def distance(self) -> int | None:
        """Exchanges to purro; None if the hand can't become complete."""
        return 0 if self.cards else _waste(self.hand, self.hand.free(), self.rules)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of ``xsf cuajo purro``."""
        return {
            "schema": SCHEMA,
            **self.hand.to_json(self.cards),
            "rules": self.rules.to_json(),
            "purro": self.purro,
            "distance": self.distance,
            "cards": named(self.cards),
            "copies": sum(self.cards.values()),
        }


def purro(hand: Hand, seen: int = 0, rules: RuleSet = TRADITIONAL) -> PurroReport:
    """The cards that complete a hand of fifteen.

    Args:
        hand: the cards, laid ones included.
        seen: mask of cards seen elsewhere; neither the hand's own nor the sowee.
        rules: the rule set.

    Raises:
        InputError: another number of cards, or a fifth copy.
    """
    _check_count(hand, DEALT)
    hand.check_copies(seen)
    found = set(completing(hand.free_cards))
    if _counts_unlaid(hand, rules) and hand.sowee is not None:
        found |= _completing_with_sowee(hand.free(), hand.sowee)
    # Where all copies are held, laid, or the sowee, there is no card to complete the hand.
    return PurroReport(hand, rules, {kind: hand.left(kind, seen) for kind in sorted(found) if hand.left(kind)})


def _completing_with_sowee(free: list[int], sowee: int) -> set[int]:
    """The kinds that complete free cards in which three like the sowee are a combination."""
    others = CARDS.mask_of_counts(_with(free, sowee, -free[sowee]))
    if free[sowee] == SOWEE_SECRET:
        return set(completing(others))
    return {sowee} if free[sowee] == SOWEE_SECRET - 1 and is_complete(others) else set()


@dataclass(frozen=True)
class Discard:
    """What a discard leaves.

    Attributes:
        kind: the card discarded.
        distance: exchanges from then on to purro; None if the rest can't become complete.
        improve: the kinds that bring the hand one exchange nearer, or complete it, and the copies that can come.
    """

    kind: int
    distance: int | None
    improve: dict[int, int]

    @property
    def copies(self) -> int:
        """How many cards improve the hand."""
        return sum(self.improve.values())

    def to_json(self) -> dict[str, Any]:
        """One entry of ``discards`` in the JSON object of ``xsf cuajo discard``."""
        return {
            "card": card(self.kind),
            "distance": self.distance,
            "improve": named(self.improve),
            "copies": self.copies,
        }


@dataclass(frozen=True)
class DiscardReport:
    """What ``discards`` says of sixteen cards.

    Attributes:
        hand, rules: what was asked.
        complete: whether the hand is complete as it is.
        discards: all cards that may be discarded, the best first: least distance, then most cards that improve.
    """

    hand: Hand
    rules: RuleSet
    complete: bool
    discards: tuple[Discard, ...]

    def to_json(self) -> dict[str, Any]:
        """The JSON object of ``xsf cuajo discard``."""
        return {
            "schema": SCHEMA,
            **self.hand.to_json(kind for one in self.discards for kind in one.improve),
            "rules": self.rules.to_json(),
            "complete": self.complete,
            "discards": [one.to_json() for one in self.discards],
        }


def discards(hand: Hand, seen: int = 0, rules: RuleSet = TRADITIONAL) -> DiscardReport:
    """For each card of a hand of sixteen that may be discarded: the distance after it, and the cards that improve.

    Args:
        hand: the cards, laid ones included.
        seen: mask of cards seen elsewhere; neither the hand's own nor the sowee.
        rules: the rule set.

    Raises:
        InputError: another number of cards, or a fifth copy.
    """
    _check_count(hand, HAND)
    hand.check_copies(seen)
    found = [_discard(hand, kind, seen, rules) for kind in hand.discardable()]
    found.sort(key=lambda one: (HAND if one.distance is None else one.distance, -one.copies, one.kind))
    return DiscardReport(hand, rules, hand_is_complete(hand, rules), tuple(found))


def _discard(hand: Hand, kind: int, seen: int, rules: RuleSet) -> Discard:
    held = _with(hand.free(), kind, -1)
    distance = _waste(hand, held, rules)
    if distance is None:
        return Discard(kind, None, {})
    # The copy that is discarded exists beside the hand, but can't come.
    drawn = [other for other in range(KINDS) if hand.left(other) or other == kind]
    improve = {
        other: hand.left(other, seen) for other in drawn if _waste(hand, _with(held, other, 1), rules) == distance
    }
    return Discard(kind, distance, improve)
