"""Cases of the end: what they rule out can't be, and what can be is possible in one of their games."""

from __future__ import annotations

from collections import Counter

import naive
import pytest
from near import Small, as_positions, deals, game, signature, texts

from solver.xiangshifu import cases as module
from solver.xiangshifu.behind import look_from_behind
from solver.xiangshifu.bonds import locks
from solver.xiangshifu.bonds import signature as signature_of
from solver.xiangshifu.cases import case_games
from solver.xiangshifu.position import Deal
from solver.xiangshifu.rules import RuleSet

SMALLS = [Small("mixed", "ten"), Small("kao", "shanghai")]


def twin(small: Small, rules: RuleSet) -> naive.Restricted:
    only = [(*texts([one.group]), texts(one.locked), one.breaks) for one in rules.only]
    return naive.Restricted(game(small.rules), texts(rules.excluded), only)


def ends_of(small: Small, positions: dict[naive.Groups, int]) -> list[naive.Groups]:
    return [at for at in positions if all(game(small.rules).valid(one) for one in at)]


def is_reachable(small: Small, deal: Deal, end: naive.Groups, rules: RuleSet) -> bool:
    """Whether an end can be reached in a narrower game, by the twin."""
    start = tuple(sorted(naive.group(one) for one in str(deal).split()))
    known = naive.reachable(start, twin(small, rules).moves, 3000)
    assert known is not None
    return end in known


@pytest.mark.parametrize("small", SMALLS, ids=str)
def test_each_end_can_be_reached_in_a_game_of_its_case(small: Small) -> None:
    seen: Counter[str] = Counter()
    for deal, known in deals(small, 40, seed=21):
        by_case: dict[int, naive.Groups] = {}
        for end in ends_of(small, known):
            by_case[signature(small, end)] = end
        for present, end in by_case.items():
            case = case_games(deal, present, small.record)
            assert case.dealt is None
            wanted = as_positions(small, [end])
            ways = [game for game in case.games if look_from_behind(deal, wanted, game.rules).steps is not None]
            assert ways
            seen["made"] += any(way.makers for way in ways)
            seen["broken"] += any(way.breakers for way in ways)
            seen["really broken"] += all(any(place is not None for place in way.breakers) for way in ways)
            seen["narrower"] += any(way.rules.only or way.rules.excluded for way in ways)
        for present in range(1 << len(locks(small.record, small.kind))):
            if case_games(deal, present, small.record).dealt is not None:
                seen["refused"] += 1
                assert present not in by_case
    assert min(seen[what] for what in ("made", "broken", "really broken", "narrower", "refused")) >= 3, seen


def test_games_are_what_the_twin_says() -> None:
    small, reached, missed = Small("mixed", "ten"), 0, 0
    for deal, known in deals(small, 12, seed=22):
        for end in ends_of(small, known)[:2]:
            # In games of another case the end can hardly be reached.
            own, other = signature(small, end), signature(small, end) ^ 1
            for way in (way for case in (own, other) for way in case_games(deal, case, small.record).games[:3]):
                expected = is_reachable(small, deal, end, way.rules)
                found = look_from_behind(deal, as_positions(small, [end]), way.rules)
                assert (found.steps is not None) == expected
                reached += expected
                missed += not expected
    assert min(reached, missed) >= 3


def test_signatures_are_those_of_the_twin() -> None:
    small = Small("kao", "shanghai")
    known = locks(small.record, small.kind)
    for deal, positions in deals(small, 10, seed=23):
        assert signature_of(deal.groups, known) < 1 << len(known)
        for end in ends_of(small, positions)[:5]:
            position = Deal.parse(" ".join("-".join(one) for one in end))
            assert signature_of(position.groups, known) == signature(small, end)


def test_makers_and_breakers_are_dealt_invalid_groups_of_their_lock() -> None:
    small = Small("mixed", "ten")
    known = locks(small.record, small.kind)
    tried = 0
    for deal, _ in deals(small, 20, seed=24):
        for present in range(1 << len(known)):
            case = case_games(deal, present, small.record)
            for way in case.games:
                tried += 1
                for index, maker in zip(case.made, way.makers, strict=True):
                    assert present >> index & 1
                    assert deal.groups[maker] in known[index].makers
                for index, breaker in zip(case.broken, way.breakers, strict=True):
                    assert not present >> index & 1
                    assert breaker is None or deal.groups[breaker] in known[index].breakers
    assert tried > 100


def test_too_many_games_leave_some_locks_open(monkeypatch: pytest.MonkeyPatch) -> None:
    small = Small("kao", "shanghai")
    deal, present = next(
        (deal, present)
        for deal, _ in deals(small, 60, seed=25)
        for present in range(32)
        if len(case_games(deal, present, small.record).games) > 8
    )
    all_told = case_games(deal, present, small.record)
    monkeypatch.setattr(module, "MOST_GAMES", 8)
    fewer = case_games(deal, present, small.record)
    assert 1 <= len(fewer.games) <= 8
    assert {*fewer.made, *fewer.broken} < {*all_told.made, *all_told.broken}
