"""Reasons of a loss in words: golden texts, and that what they say of groups and tiles is so."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from cli.show.loss import explain_loss, one_tile_away
from cli.show.style import Style
from solver.xiangshifu.groups import group_names
from solver.xiangshifu.layers import Layer, layered_closure
from solver.xiangshifu.position import EIGHT, LAYOUTS, SHANGHAI, Deal, parse_group
from solver.xiangshifu.proof import ExhaustionProof, FrozenSetProof, LayeredClosureProof
from solver.xiangshifu.repairs import valid_partners
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.solve import Result, Solver, solve
from solver.xiangshifu.tiles import TILES

ANSI = re.compile(r"\x1b\[[\d;]*m")
PLAIN = Style(color=False, ascii=True)
RIVALS_DEAL = "11-25-33 23-35-44 22-22-46 15-46-56 24-56-66 11-33-36 12-16-66 15-26-34 44-45-55 13-13-16 14-55"

DEAD_GROUP = """\
Can't be won: group 1 (33-14-24) is dead, no exchange can repair it.
No other tile in place of one of its own would make it valid; and whatever
groups the other 29 tiles form, no exchange of two tiles for a whole pair
leaves both groups valid."""

FROZEN_GROUP = """\
Can't be won: group 6 (33-16-25) can never be repaired.
With another tile in place of one of its own it would be valid: 16-25-34 (3:4
for 3:3). But no valid group that can be made of the other 29 tiles can be its
partner, only another dealt invalid group could, and none here can."""

RELAXED_CLOSURE = """\
Can't be won: group 0 (66-13-22) can never be repaired.
Group 0 would need one of 26 valid partners: 66-11-16, 66-13-16, 66-33-36,
66-26-12, 11-11-16, 11-11-12 and 20 more.
As long as it stays as dealt, whatever is done with the other 29 tiles, only
these 16 groups (55-55, 56-56, 13-56-56, 44-22-16, 33-46-16, 55-15, 13-55-15,
11-56-15, 15-15, 55-45-25, 33-35-34, 36-26-14, 44-46-23, 13-56-24, 11-15-24,
66-11-12) can ever appear, and no exchange with any of those repairs it."""

LAYER = """\
Can't be won: group 10 (13-46) can never be repaired.
Group 10 would need one of 5 valid partners: 44-44-13, 44-44-46, 55-55-25,
22-22-25 or 56-56-25.
As long as it stays as dealt, whatever is done with the other 30 tiles, only
169 groups can ever appear, and only 10,845 pairs of them can stand beside each
other. None of these groups can be its partner."""

TWO_GROUPS = """\
Can't be won: group 0 (56-15-24) and group 4 (11-33-25) can't both be repaired,
in whatever order.
What could repair them:
  Group 0 (56-15-24): one of 14 valid partners, 66-66-36, 66-11-13, 11-11-13,
    11-13-56, 11-22-22, 11-16-36 and 8 more; dealt group 6.
  Group 4 (11-33-25): dealt group 6.
Whichever is repaired first, the other never finds a partner any more. To show
this, it was followed which groups can ever appear, and which two of them can
stand beside each other: 11 groups and 51 pairs while both stay as dealt, 186
groups and 13,456 pairs while only group 4 does and 26 groups and 193 pairs
while only group 0 does."""

FOUR_GROUPS = """\
Can't be won: group 6 (33-22-25), group 8 (13-36-35), group 9 (33-56-46) and
group 10 (34-24) can't all be repaired, in whatever order.
What could repair them:
  Group 6 (33-22-25): one of 43 valid partners, 66-66-56, 66-66-46, 66-66-36,
    66-11-13, 66-44-34, 66-44-24 and 37 more.
  Group 8 (13-36-35): one of 3 valid partners, 44-44-34, 44-34-14 or 33-33-34.
  Group 9 (33-56-46): one of 30 valid partners, 66-66-56, 66-66-36, 66-44-34,
    66-55-35, 11-13-56, 11-16-36 and 24 more.
  Group 10 (34-24): one of 10 valid partners, 66-22-25, 55-55-35, 55-22-25,
    33-33-35, 33-33-12, 22-22-25 and 4 more.
Whatever is done, groups 8 and 9 or groups 8 and 10 stay as dealt for ever. To
show this, it was followed which groups can ever appear, and which two of them
can stand beside each other: 66 groups and 1,250 pairs while all 4 stay as
dealt, at most 104 groups and 3,614 pairs while only 3 do and at most 110
groups and 4,745 pairs while only 2 do."""

RIVALS = """\
Can't be won: group 0 (11-33-25) and group 1 (44-35-23) can't both be repaired,
in whatever order.
  Group 0 has no valid partner that the other 29 tiles could form; it can be
    repaired together with group 2, while that is still as dealt.
  Group 1 has no valid partner that the other 29 tiles could form; it can be
    repaired together with group 2, while that is still as dealt.
A dealt invalid group is repaired only once, so it can be repaired together
with only one other. Even if all other groups could be repaired at any time,
every order leaves at least one of these unrepaired."""

LOSS = Result(Deal.random(1, 0), CLASSIC, "unwinnable", None, None, None, None, ExhaustionProof(1), 0, 0.0)
"""What a loss is, but for its deal and its proof."""


def lost(index: int, rules: str = "classic") -> str:
    """The reason why a deal of seed 1 is lost."""
    return explain_loss(solve(Deal.random(1, index), rules), PLAIN)


def layered(deal: Deal, places: tuple[int, ...], rules: str = "classic") -> str:
    """The reason by the layered closure of some places."""
    record = RuleSet.parse(rules)
    layers = layered_closure(deal, places, record)
    assert layers is not None
    return explain_loss(replace(LOSS, deal=deal, rules=record, proof=LayeredClosureProof(places, layers)), PLAIN)


def test_golden_reasons() -> None:
    assert lost(18) == DEAD_GROUP
    assert lost(33) == FROZEN_GROUP
    assert lost(225) == RELAXED_CLOSURE
    assert lost(44, "mixed-dragon") == LAYER
    assert lost(1314) == TWO_GROUPS
    assert layered(Deal.random(3, 20641), (6, 8, 9, 10), "mixed-dragon") == FOUR_GROUPS
    assert explain_loss(solve(RIVALS_DEAL), PLAIN) == RIVALS


def test_exhaustion() -> None:
    result = solve(Deal.random(1, 3451))
    text = explain_loss(result, PLAIN)
    assert "and 40 more; dealt group 2.\n" in text
    words = " ".join(text.split())
    assert "There are 63 positions that can be reached, the deal included" in words
    many = explain_loss(replace(result, proof=ExhaustionProof(1234567)), PLAIN)
    assert "1,234,567 positions" in " ".join(many.split())
    for few in (0, 1):
        assert "There are" not in explain_loss(replace(result, proof=ExhaustionProof(few)), PLAIN)


@pytest.mark.parametrize(
    ("deal", "places", "words"),
    [
        (
            Deal.random(3, 24638),
            (4, 10),
            "Whichever is repaired first, the other never finds a partner any more. To show this, it was followed "
            "which groups can ever appear, and which two of them can stand beside each other: 137 groups and 7,503 "
            "pairs while both stay as dealt, 148 groups and 8,698 pairs while only group 10 does and 130 groups and "
            "6,686 pairs while only group 4 does.",
        ),
        (
            Deal.random(3, 949),
            (1, 5),
            "Group 1 finds no partner as long as group 5 stays as dealt, and once that is repaired, it never does any "
            "more. ",
        ),
        (Deal.random(3, 949), (1, 6), "Neither of them finds a partner as long as both stay as dealt. "),
        (Deal.random(3, 949), (1, 9, 10), "Whatever is done, group 1 stays as dealt for ever. "),
        (Deal.random(3, 949), (1, 6, 7), "Whatever is done, groups 1, 6 and 7 stay as dealt for ever. "),
        (Deal.random(3, 949), (0, 4, 5), "Whatever is done, group 0 or group 5 stays as dealt for ever. "),
        (
            Deal.random(3, 949),
            (0, 1, 6),
            "Whatever is done, groups 1 and 6 stay as dealt for ever. To show this, it was followed which groups can "
            "ever appear, and which two of them can stand beside each other: 31 groups and 233 pairs while all 3 stay "
            "as dealt and 17 groups and 106 pairs while only 2 do.",
        ),
    ],
)
def test_what_always_remains(deal: Deal, places: tuple[int, ...], words: str) -> None:
    assert words in " ".join(layered(deal, places).split()) + " "


def test_what_remains_of_groups_that_remain_in_different_numbers() -> None:
    sets = [(3, 4, 5, 10), (3, 4, 5), (3, 4), (5, 10), (10,)]
    proof = LayeredClosureProof((3, 4, 5, 10), tuple(Layer(places, 1, 0) for places in sets))
    deal = Deal.random(3, 14393)
    words = " ".join(explain_loss(replace(LOSS, deal=deal, proof=proof), PLAIN).split())
    assert "Whatever is done, group 10 or groups 3 and 4 stay as dealt for ever. " in words


def test_frozen_set_of_several_groups() -> None:
    result = solve(Deal.random(1, 97, SHANGHAI))
    assert isinstance(result.proof, FrozenSetProof)
    assert len(result.proof.groups) == 8
    text = explain_loss(result, PLAIN)
    assert "\n    66-66-24   6:6 is in group 8 and there is no 2:4 in this layout\n" in text
    for place, block in re.findall(r"^  Group (\d+) .*\n((?:    .*\n)+)", text, re.M):
        told = [parse_group(word) for word in re.findall(r"^    (\d\d-\S+) ", block, re.M)]
        assert told == list(valid_partners(result.deal.groups[int(place)], CLASSIC))[:2]
    for tile, holders in re.findall(r"(\d:\d) is in groups? (\d+(?:(?:, | and )\d+(?!:))*)", text):
        for place in re.findall(r"\d+", holders):
            assert TILES.parse(tile.replace(":", "")) & ~result.deal.groups[int(place)] == 0


@pytest.fixture(scope="module")
def losses() -> list[Result]:
    """Losses of every layout."""
    solver = Solver()
    deals = [
        Deal.random(seed, index, layout)
        for seed, layout in ((7, LAYOUTS["ten"]), (8, EIGHT), (9, SHANGHAI))
        for index in range(60)
    ]
    found = [result for result in map(solver.solve, deals) if result.verdict == "unwinnable"]
    assert len(found) >= 6
    return [*found, *map(solve, (RIVALS_DEAL, Deal.random(1, 1314), Deal.random(1, 3451)))]


@pytest.mark.parametrize("style", [Style(color, plain) for color in (False, True) for plain in (False, True)])
def test_characters_colours_and_width(losses: list[Result], style: Style) -> None:
    for result in losses:
        text = explain_loss(result, style)
        plain = ANSI.sub("", text)
        assert (plain != text) == style.color
        assert plain == explain_loss(result, PLAIN)
        assert max(map(len, plain.split("\n"))) <= 79


def test_groups_are_told_by_place_and_tiles(losses: list[Result]) -> None:
    for result in losses:
        text = " ".join(explain_loss(result, PLAIN).split())
        proof = result.proof
        places = getattr(proof, "groups", None) or [getattr(proof, "group", None)]
        for place in places:
            assert place is None or f"group {place} (" in text
        for place, group in re.findall(r"[Gg]roup (\d+) \(([\d-]+)\)", text):
            assert parse_group(group) == result.deal.groups[int(place)]


def test_only_losses_are_explained() -> None:
    with pytest.raises(ValueError, match="no loss"):
        explain_loss(solve(Deal.random(1, 2)), PLAIN)


def test_one_tile_away() -> None:
    group = parse_group("22-16")
    assert {made for made, _, _ in one_tile_away(group, CLASSIC)} == {parse_group("22-22"), parse_group("16-16")}
    for made, leaving, coming in one_tile_away(parse_group("66-13-22"), CLASSIC):
        assert group_names(made, CLASSIC)
        assert sorted([*TILES.kinds_of(made), leaving]) == sorted([*TILES.kinds_of(parse_group("66-13-22")), coming])
