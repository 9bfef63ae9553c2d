"""Slow, obvious twins of the kernels of Cuajo, to be checked against the rules by eye.

Nothing here knows the library. A card is its text ("oK"), a hand a sequence of cards or a Counter of them, a
combination a sorted tuple of cards, a division a sorted tuple of combinations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

Combination = tuple[str, ...]

SUITS = "oceb"
RANKS = "A345JHK"
KINDS = [suit + rank for suit in SUITS for rank in RANKS]
RUNS = ("345", "JHK")
DECK = Counter(dict.fromkeys(KINDS, 4))


@cache
def all_combinations() -> list[Combination]:
    """Every set, run, secret and single king."""
    sets = [
        tuple(sorted(suit + rank for suit in suits))
        for rank in RANKS
        for size in (3, 4)
        for suits in combinations(SUITS, size)
    ]
    runs = [tuple(sorted(suit + rank for rank in run)) for suit in SUITS for run in RUNS]
    secrets = [(kind,) * 4 for kind in KINDS]
    return [*sets, *runs, *secrets, *((suit + "K",) for suit in SUITS)]


def divisions(cards: Iterable[str], more: Sequence[Combination] = ()) -> set[tuple[Combination, ...]]:
    """All ways to divide cards into combinations; ``more`` are combinations besides those of the rules."""
    left = Counter(cards)
    if not left:
        return {()}
    first = min(left)
    found = set()
    for one in (*all_combinations(), *more):
        if first in one and not Counter(one) - left:
            found |= {tuple(sorted((*rest, one))) for rest in divisions((left - Counter(one)).elements(), more)}
    return found


def complete(cards: Iterable[str], more: Sequence[Combination] = ()) -> bool:
    """Whether all cards stand in combinations."""
    left = Counter(cards)
    if not left:
        return True
    first = min(left)
    return any(
        complete((left - Counter(one)).elements(), more)
        for one in (*all_combinations(), *more)
        if first in one and not Counter(one) - left
    )


def completing(cards: Sequence[str]) -> list[str]:
    """The cards that complete a hand, of those that it does not hold four times."""
    held = Counter(cards)
    return [kind for kind in KINDS if held[kind] < 4 and complete([*cards, kind])]


def waste(
    cards: Sequence[str],
    size: int,
    *,
    stays: Sequence[str] = (),
    most: Mapping[str, int] = DECK,
) -> int | None:
    """The fewest cards that have to be discarded so that the rest is part of a complete hand of a size.

    Kings stay, and so do the cards in ``stays``. ``most`` says how many of each kind a complete hand may have.
    """
    for allowed in range(len(cards) + 1):
        if _fits(tuple(sorted(cards)), size, allowed, Counter(stays), Counter(), most):
            return allowed
    return None


def _fits(
    cards: tuple[str, ...],
    size: int,
    allowed: int,
    stays: Counter[str],
    made: Counter[str],
    most: Mapping[str, int],
) -> bool:
    """Whether with so many discards all cards go into combinations that have ``size`` cards together.

    The first card is discarded, or stands in some combination; others of this combination may be held or not.
    """
    if not cards:
        return size == 0 or any(
            _fits((), size - len(one), allowed, stays, made + Counter(one), most)
            for one in all_combinations()
            if len(one) <= size and _allowed(made + Counter(one), most)
        )
    if size < 0 or len(cards) - allowed > size:
        return False
    first, *rest = cards
    # Cards are sorted: of those that stay, the last of a kind does.
    may_go = not first.endswith("K") and not (first not in rest and stays[first] > made[first])
    if may_go and allowed and _fits(tuple(rest), size, allowed - 1, stays, made, most):
        return True
    for one in all_combinations():
        if first in one and len(one) <= size and _allowed(made + Counter(one), most):
            left = tuple(sorted((Counter(cards) - Counter(one)).elements()))
            if _fits(left, size - len(one), allowed, stays, made + Counter(one), most):
                return True
    return False


def _allowed(made: Counter[str], most: Mapping[str, int]) -> bool:
    return all(count <= most[kind] for kind, count in made.items())


def choices(cards: Iterable[str]) -> int:
    """How many sets of actual cards are these cards."""
    product = 1
    for count in Counter(cards).values():
        product *= comb(4, count)
    return product


def hands(size: int) -> Iterator[tuple[str, ...]]:
    """Every multiset of so many cards."""

    def of(kinds: Sequence[str], left: int) -> Iterator[tuple[str, ...]]:
        if left == 0:
            yield ()
        elif kinds:
            for count in range(min(4, left) + 1):
                for rest in of(kinds[1:], left - count):
                    yield (kinds[0],) * count + rest

    return of(KINDS, size)


# Payment


def accompanied(card: str, cards: Iterable[str]) -> bool:
    """Whether two cards accompany one (rules, "Payment")."""
    suit, rank = card[0], card[1]
    if rank == "A":
        return len({other for other in cards if other[1] == "A" and other[0] != suit}) >= 2
    run = next(run for run in RUNS if rank in run)
    return all(suit + other in cards for other in run if other != rank)


def king_in_run(king: str, found: Iterable[tuple[Combination, ...]]) -> bool:
    """Whether a king stands in a run in some division."""
    run = tuple(sorted(king[0] + rank for rank in "JHK"))
    return any(run in division for division in found)


def payment(
    cards: Sequence[str], sowee: str, bounit: str, by: str, turned: Sequence[str], rules: Mapping[str, Any]
) -> int:
    """What each opponent pays for a complete hand of which nothing is laid."""
    kings = [card for card in cards if card[1] == "K"]
    value = sum(rules["king_of_coins"] if king == "oK" else rules["other_king"] for king in kings)
    more = [(sowee,) * 3] if rules["sowee_secret_unlaid"] else []
    if not kings or (len(kings) == 1 and king_in_run(kings[0], divisions(cards, more))):
        return int(rules["porbis"] + (value if rules["porbis_kings"] else 0))
    if by == "own":
        return int(value + rules["own_draw"])
    pool = [*cards, *turned]
    first = accompanied(bounit, pool)
    twins = list(pool)
    if not rules["bounit_is_sowee_twin"]:
        twins.remove(bounit)
    second = sowee in twins and accompanied(sowee, pool)
    name = {(True, True): "both_conditions", (True, False): "bounit_condition", (False, True): "sowee_condition"}
    return int(value + rules[name.get((first, second), "no_condition")])
