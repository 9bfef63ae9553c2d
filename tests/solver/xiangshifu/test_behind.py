"""Looking from behind: just the positions from which a wanted one can be reached, and a way there."""

from __future__ import annotations

from random import Random

import naive
import numpy as np
import pytest
from near import Small, as_positions, deals, game, moves

from solver.xiangshifu.behind import QUICK_LOOK, look_from_behind
from solver.xiangshifu.groups import group_table
from solver.xiangshifu.position import Deal, Position, parse_group
from solver.xiangshifu.rules import CLASSIC
from solver.xiangshifu.solve import moves_of_steps

JAM = "56-34-12 13-56-24 46-15-23 26-35-14 13-46-25 44-44-45 33-33-36 55-55-15 66-66-16 11-11-16 22-22"
"""One of the classic positions of Five Dragons without a bond."""

SMALLS = [Small("mixed", "ten"), Small("kao", "shanghai")]


@pytest.mark.parametrize("quick", [QUICK_LOOK, 0])
@pytest.mark.parametrize("small", SMALLS, ids=str)
def test_a_wanted_position_is_found_if_it_can_be_reached(small: Small, quick: int) -> None:
    random, met, missed = Random(7), 0, 0
    some = list(deals(small, 30, seed=11))
    ends = [[at for at in known if all(game(small.rules).valid(one) for one in at)] for _, known in some]
    for place, (deal, known) in enumerate(some):
        for own in (ends[place], random.choice(ends)):
            if not own:
                continue
            wanted = random.sample(own, min(len(own), 3))
            found = look_from_behind(deal, as_positions(small, wanted), small.record, quick=quick)
            assert found.layered == (quick == 0)
            truth = min((known[at] for at in wanted if at in known), default=None)
            if truth is None:
                missed += 1
                assert (found.exhausted, found.steps) == (True, None)
            else:
                met += 1
                assert not found.exhausted
                assert found.steps is not None
                assert len(found.steps) >= truth
                assert end(small, deal, found.steps) in wanted
    assert met >= 10
    assert missed >= 10


def end(small: Small, deal: Deal, steps: list[list[int]]) -> naive.Groups:
    """Where steps lead; each of them must be a move."""
    at = start_of(deal)
    position: Position = deal
    for move in moves_of_steps(deal, steps, small.record):
        position = position.exchanged(*move.groups, move.after)
        after = tuple(sorted(naive.group(one) for one in str(position).split()))
        assert after in moves(small.rules, at)
        at = after
    return at


def start_of(deal: Deal) -> naive.Groups:
    return tuple(sorted(naive.group(one) for one in str(deal).split()))


@pytest.mark.parametrize("quick", [QUICK_LOOK, 0])
@pytest.mark.parametrize("small", SMALLS, ids=str)
def test_what_is_found_is_all_that_leads_there(small: Small, quick: int) -> None:
    random, compared, several = Random(8), 0, 0
    some = list(deals(small, 60, seed=12))
    ends = sorted({at for _, known in some for at in known if all(game(small.rules).valid(one) for one in at)})
    for deal, known in some:
        alike = sorted(set(ends) - known.keys(), key=lambda at: (-len(set(at) & set(start_of(deal))), at))
        for wanted in (*alike[:8], random.choice(alike)):
            found = look_from_behind(deal, as_positions(small, [wanted]), small.record, quick=quick)
            compared += 1
            assert found.exhausted
            truth = len(naive.leading_to(game(small.rules), start_of(deal), wanted, layered=quick == 0))
            assert found.positions == truth
            several += truth > 1
    assert compared >= 10
    # Layers leave hardly anything of such small deals.
    assert several >= 3 or quick == 0


def test_a_look_with_layers_finds_no_more_than_one_without() -> None:
    deal = Deal.random(1, 2325)
    wanted = np.array([[group_table().number(parse_group(group)) for group in JAM.split()]], dtype=np.int16)
    plain, layered = (look_from_behind(deal, wanted, CLASSIC, quick=quick, most=5_000) for quick in (5_000, 0))
    assert (plain.positions > 4_000, plain.exhausted, plain.layered) == (True, False, False)
    assert (0 < layered.positions < 100, layered.exhausted, layered.layered) == (True, True, True)


def test_no_more_positions_are_held_than_told() -> None:
    small = Small("mixed", "ten")
    deal, known = max(deals(small, 20, seed=13), key=lambda one: len(one[1]))
    final = next(at for at in known if all(game(small.rules).valid(one) for one in at))
    found = look_from_behind(deal, as_positions(small, [final]), small.record, most=1)
    assert not found.exhausted
    assert found.positions >= 1


def test_nothing_wanted_is_nothing_found() -> None:
    small = Small("mixed", "ten")
    deal, _ = next(deals(small, 1, seed=14))
    found = look_from_behind(deal, np.empty((0, 11), dtype=np.int16), small.record)
    assert (found.positions, found.exhausted, found.steps) == (0, True, None)
