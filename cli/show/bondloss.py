"""Why a goal is out of reach though all groups can be repaired: the locks it asks for can't be brought about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cli.show.goal import goal_text
from cli.show.style import counted, listed
from solver.xiangshifu.bonds import Lock
from solver.xiangshifu.cases import Dealing
from solver.xiangshifu.position import Position, format_group
from solver.xiangshifu.proof import (
    BondProof,
    CaseProof,
    DeadGroupProof,
    ExhaustionProof,
    LackProof,
    LayeredClosureProof,
    RepairOrderProof,
    Way,
    WayProof,
)
from solver.xiangshifu.rules import RuleSet

MOST_GROUPS = 3
"""A lock of at most so many groups is called by them."""

MOST_CASES = 4
MOST_REASONS = 4


@dataclass(frozen=True)
class Explained:
    """The parts of an explanation, each a paragraph.

    Attributes:
        head: the headline.
        first: what the goal asks for.
        cases: each way to fulfil it, and why it fails.
    """

    head: str
    first: str
    cases: tuple[str, ...]


def explain_bonds(proof: BondProof, deal: Position, rules: RuleSet, goal: str) -> Explained:
    """Why no final position of the goal can be reached.

    Cases of which the goal has no final position need no words.
    """
    cases = [case for case in proof.cases if case.dealt is not None or case.made is not None]
    if not proof.locks:
        reason = listed(_loss(way.proof, deal) for case in cases for way in case.ways)
        return Explained(f"{goal_text(goal)} is out of reach.", _sentence(reason[0].upper() + reason[1:]), ())
    reasons: dict[str, list[str]] = {}
    for case in cases:
        reasons.setdefault(_why(case, proof.locks, deal, rules), []).append(_title(case, proof.locks))
    told = [f"{'; or '.join(titles)}: {why}" for why, titles in list(reasons.items())[:MOST_CASES]]
    if len(reasons) > MOST_CASES:
        told.append("The others fail in the same manner.")
    head = f"{goal_text(goal)} needs other groups than the repairs can leave."
    return Explained(head, _what_is_asked(cases, proof.locks), tuple(told))


def _what_is_asked(cases: Sequence[CaseProof], known: Sequence[Lock]) -> str:
    if not cases:
        return "No final position is one of the goal."
    groups = "; ".join(map(_lock, known))
    ways = "one choice" if len(cases) == 1 else f"{len(cases)} choices"
    return (
        f"Once all groups are valid, no move changes whether these are there: {groups}. So that is up to the repairs. "
        f"The goal leaves {ways}:"
    )


def _lock(lock: Lock) -> str:
    """What a lock is: its groups, or if they are many what they have in common."""
    if len(lock.groups) <= MOST_GROUPS:
        return listed(map(format_group, lock.groups), "or")
    if "/" not in lock.name:
        tiles = listed(f"{tile[0]}:{tile[1]}" for tile in lock.name.split("-"))
        return f"a group with {tiles}"
    return f"one of {len(lock.groups)} groups ({', '.join(map(format_group, lock.groups[:MOST_GROUPS]))}, …)"


def _title(case: CaseProof, known: Sequence[Lock]) -> str:
    present = listed(_lock(known[index]) for index in case.present) if case.present else "None"
    if not case.absent:
        return present[0].upper() + present[1:]
    if not case.present:
        return f"{present} of them"
    others = "not the other" if len(case.absent) == 1 else "none of the others"
    return f"{present[0].upper()}{present[1:]}, {others}"


def _why(case: CaseProof, known: Sequence[Lock], deal: Position, rules: RuleSet) -> str:
    if case.dealt is not None:
        group = _named([case.dealt], deal)
        return f"{group} is dealt, and no repair in this deal can part it for good."
    for index in case.made or ():
        if not Dealing(deal, rules).invalid(known[index].makers):
            return f"there is no dealt invalid group whose repair could make {_lock(known[index])}."
    return _sentence(_ways(case, known, deal))


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


def _ways(case: CaseProof, known: Sequence[Lock], deal: Position) -> str:
    """All ways in which a case can come true, those together that fail for the same reason."""
    made = tuple(case.made or ())
    if not made and not case.broken:
        return f"then {listed(_loss(way.proof, deal) for way in case.ways)}"
    if len(made) == 1 and not case.broken:
        return _one_made(case.ways, known[made[0]], deal)
    reasons: dict[str, list[Way]] = {}
    for way in case.ways:
        reasons.setdefault(_loss(way.proof, deal), []).append(way)
    told = [f"{_conditions(ways, made, case.broken, known)}, {reason}" for reason, ways in reasons.items()]
    return _cut(told)


def _cut(told: Sequence[str]) -> str:
    more = len(told) - MOST_REASONS
    rest = f"; and {counted(more, 'other way')} fail{'s' if more == 1 else ''} in the same manner" if more > 0 else ""
    return "; ".join(told[:MOST_REASONS]) + rest


def _one_made(ways: Sequence[Way], lock: Lock, deal: Position) -> str:
    """Makers of one lock: those that find no partner for it, and those that leave others unrepaired."""
    places = [way.makers[0] for way in ways]
    helpless = [way.makers[0] for way in ways if _groups(way.proof) == way.makers]
    it = "it" if len(lock.groups) == 1 else "one"
    text = f"only the repair of {_named(places, deal, 'or')} could make {it}"
    if helpless == places:
        none = (
            "no partner that it would need for that can ever come"
            if len(places) == 1
            else ("none of them ever finds a partner for that")
        )
        return f"{text}, but {none}"
    told = []
    if helpless:
        finds = "never finds" if len(helpless) == 1 else "never find"
        told.append(f"{_places(helpless)} {finds} a partner for that")
    reasons: dict[str, list[int]] = {}
    for way in ways:
        if way.makers[0] not in helpless:
            reasons.setdefault(_loss(way.proof, deal), []).append(way.makers[0])
    told += [f"if {_places(makers, 'or')} does, {reason}" for reason, makers in reasons.items()]
    return f"{text}. But {_cut(told)}"


def _conditions(ways: Sequence[Way], made: Sequence[int], broken: Sequence[int], known: Sequence[Lock]) -> str:
    """What ways that fail alike have in common: which groups make and break what."""
    parts = []
    for column, index in enumerate(made):
        parts.append(f"{_places(sorted({way.makers[column] for way in ways}), 'or')} makes {_lock(known[index])}")
    for column, index in enumerate(broken):
        breakers = {way.breakers[column] for way in ways}
        places = sorted(place for place in breakers if place is not None)
        choices = [f"{_places(places, 'or')} parts {_lock(known[index])}"] if places else []
        if None in breakers:
            choices.append(f"{_lock(known[index])} never appears")
        parts.append(listed(choices, "or"))
    return f"if {listed(parts)}"


def _groups(proof: WayProof) -> tuple[int, ...]:
    """The places of the groups that can't be repaired; empty if that is not why."""
    if isinstance(proof, ExhaustionProof | LackProof):
        return ()
    return (proof.group,) if isinstance(proof, DeadGroupProof) else proof.groups


def _loss(proof: WayProof, deal: Position) -> str:
    """Why one way fails, briefly."""
    if isinstance(proof, LackProof):
        return "no order of repairs leaves it there in the end"
    if isinstance(proof, ExhaustionProof) and proof.positions <= 1:
        return "no position can be reached that leaves hope"
    if isinstance(proof, ExhaustionProof):
        return f"{counted(proof.positions, 'position')} can be reached that leave hope, and none leads to the goal"
    groups = _groups(proof)
    named = _named(groups, deal)
    if len(groups) > 1 and isinstance(proof, RepairOrderProof | LayeredClosureProof):
        return f"{named} can't {'both' if len(groups) == 2 else 'all'} be repaired"
    return f"{named} can't be repaired"


def _named(places: Sequence[int], deal: Position, last: str = "and") -> str:
    """Groups with their tiles."""
    groups = [f"{place} ({format_group(deal.groups[place])})" for place in places]
    return f"{_noun(len(groups), last)} {listed(groups, last)}"


def _noun(number: int, last: str) -> str:
    return "group" if number == 1 or last == "or" else "groups"


def _places(places: Iterable[int], last: str = "and") -> str:
    words = [str(place) for place in places]
    return f"{_noun(len(words), last)} {listed(words, last)}"
