"""Reading, writing and dealing positions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import InputError
from solver.xiangshifu.position import (
    EIGHT,
    LAYOUTS,
    SHANGHAI,
    TEN,
    Deal,
    Layout,
    Position,
    format_group,
    parse_group,
)
from solver.xiangshifu.tiles import TILES

DEALS = Path(__file__).parents[3] / "data" / "deals"

HYPHENS = "56-13-62 21-44-52 61-51-33 61-11-55 14-34-24 22-55-51 31-44-54 53-63-11 46-33-64 56-32-66 22-66"
BRACKETS = (
    "[5:6][1:3][6:2] [2:1][4:4][5:2] [6:1][5:1][3:3] [6:1][1:1][5:5] [1:4][3:4][2:4] [2:2][5:5][5:1] "
    "[3:1][4:4][5:4] [5:3][6:3][1:1] [4:6][3:3][6:4] [5:6][3:2][6:6] [2:2][6:6]"
)
TRIPLETS = (
    "[Triplet{[[5:6], [1:3], [6:2]]}, Triplet{[[2:1], [4:4], [5:2]]}, Triplet{[[6:1], [5:1], [3:3]]}, "
    "Triplet{[[6:1], [1:1], [5:5]]}, Triplet{[[1:4], [3:4], [2:4]]}, Triplet{[[2:2], [5:5], [5:1]]}, "
    "Triplet{[[3:1], [4:4], [5:4]]}, Triplet{[[5:3], [6:3], [1:1]]}, Triplet{[[4:6], [3:3], [6:4]]}, "
    "Triplet{[[5:6], [3:2], [6:6]]}, Triplet{[[2:2], [ - ], [6:6]]}]"
)
WRITTEN = "13-56-26 44-25-12 33-16-15 11-55-16 34-14-24 55-22-15 44-13-45 11-36-35 33-46-46 66-56-23 66-22"


# Notations


@pytest.mark.parametrize("text", [HYPHENS, BRACKETS, TRIPLETS, WRITTEN])
def test_every_notation_reads_as_the_same_deal(text: str) -> None:
    deal = Deal.parse(text)
    assert str(deal) == WRITTEN
    assert deal.layout is TEN


@pytest.mark.parametrize(
    "text",
    [
        HYPHENS.replace(" ", ","),
        HYPHENS.replace(" ", ", "),
        BRACKETS.replace(" ", ","),
        BRACKETS.replace("][", "]-["),
        BRACKETS.replace(":", ""),
        BRACKETS.replace(":", " : "),
        TRIPLETS.replace(" ", ""),
        TRIPLETS.replace(", ", ",\n"),
        TRIPLETS[1:-1],
        TRIPLETS.replace("[ - ]", "[-]"),
        f"  {HYPHENS}\n",
        "5:6-1:3-6:2 " + HYPHENS.partition(" ")[2],
        "[56][13][62] " + HYPHENS.partition(" ")[2],
    ],
)
def test_blanks_commas_colons_and_brackets_are_free(text: str) -> None:
    assert str(Deal.parse(text)) == WRITTEN


def test_pairs_are_written_last_and_triples_keep_their_order() -> None:
    groups = HYPHENS.split()
    assert str(Deal.parse(" ".join([groups[-1], *groups[:-1]]))) == WRITTEN
    turned = Deal.parse(" ".join(reversed(groups)))
    assert str(turned).split() == [*reversed(WRITTEN.split()[:-1]), WRITTEN.split()[-1]]


def test_a_tile_is_written_with_the_smaller_pip_first() -> None:
    assert format_group(parse_group("62-54-41")) == "45-26-14"


layouts = st.sampled_from(sorted(LAYOUTS))
deals = st.builds(
    lambda seed, index, layout: Deal.random(seed, index, LAYOUTS[layout]),
    st.integers(0, 2**32),
    st.integers(0, 2**32),
    layouts,
)


def hyphens(groups: list[list[str]]) -> str:
    return " ".join("-".join(group) for group in groups)


def brackets(groups: list[list[str]]) -> str:
    return ", ".join("".join(f"[{tile[0]}:{tile[1]}]" for tile in group) for group in groups)


def triplets(groups: list[list[str]]) -> str:
    boxes = [[f"[{tile[0]}:{tile[1]}]" for tile in group] for group in groups]
    boxes = [[box[0], "[ - ]", box[1]] if len(box) == 2 else box for box in boxes]
    return "[" + ", ".join("Triplet{[" + ", ".join(box) + "]}" for box in boxes) + "]"


@given(deals)
def test_what_is_written_reads_back(deal: Deal) -> None:
    assert Deal.parse(str(deal)) == deal


@given(deals, st.data(), st.sampled_from([hyphens, brackets, triplets]))
def test_order_and_orientation_of_tiles_and_groups_are_free(deal: Deal, data: st.DataObject, write: object) -> None:
    groups = [list(data.draw(st.permutations(group.split("-")))) for group in str(deal).split()]
    groups = [[data.draw(st.sampled_from([tile, tile[::-1]])) for tile in group] for group in groups]
    groups = list(data.draw(st.permutations(groups)))
    read = Deal.parse(write(groups))  # type: ignore[operator]
    assert read.layout is deal.layout
    assert Counter(read.groups) == Counter(deal.groups)
    triples = [naive.group("-".join(group)) for group in groups if len(group) == 3]
    assert [naive.group(text) for text in str(read).split()][: len(triples)] == triples


def reading(text: str) -> Deal | InputError:
    try:
        return Deal.parse(text)
    except InputError as error:
        return error


@given(
    st.sampled_from([HYPHENS, BRACKETS, TRIPLETS]),
    st.integers(0, 120),
    st.integers(0, 3),
    st.text(alphabet="0123456789-:[], \tTriplet{}\N{ARABIC-INDIC DIGIT FIVE}", max_size=3),
)
def test_a_deal_with_a_slip_of_the_pen_is_read_or_refused_in_one_line(
    text: str, start: int, length: int, other: str
) -> None:
    read = reading(text[:start] + other + text[start + length :])
    assert str(read).splitlines() == [str(read)]
    assert isinstance(read, InputError) or Deal.parse(str(read)) == read


# Layouts


@pytest.mark.parametrize(
    ("layout", "triples", "pairs", "tiles"), [(TEN, 10, 1, 32), (SHANGHAI, 10, 0, 30), (EIGHT, 8, 4, 32)]
)
def test_a_layout_deals_all_its_tiles(layout: Layout, triples: int, pairs: int, tiles: int) -> None:
    assert (layout.triples, layout.pairs, layout.groups) == (triples, pairs, triples + pairs)
    assert layout.tiles.bit_count() == 3 * triples + 2 * pairs == tiles


def test_shanghai_lacks_one_24_and_one_46() -> None:
    missing = Counter(TILES.names(TEN.tiles)) - Counter(TILES.names(SHANGHAI.tiles))
    assert missing == {"24": 1, "46": 1}
    assert SHANGHAI.tiles == TILES.canonical(SHANGHAI.tiles)


@given(deals)
def test_a_random_deal_has_the_tiles_and_group_sizes_of_its_layout(deal: Deal) -> None:
    sizes = [group.bit_count() for group in deal.groups]
    assert sizes == [3] * deal.layout.triples + [2] * deal.layout.pairs
    held = Counter(tile for place in range(len(deal.groups)) for tile in deal.tiles(place))
    assert held == Counter(TILES.names(deal.layout.tiles))


@given(deals)
def test_the_layout_follows_from_the_groups(deal: Deal) -> None:
    assert Deal.parse(str(deal)).layout is deal.layout


# Bad deals


def swapped(old: str, new: str) -> str:
    assert HYPHENS.count(old) >= 1
    return HYPHENS.replace(old, new, 1)


KNOWN = "a deal has 10 and 1 (ten), 10 and 0 (shanghai), 8 and 4 (eight)"
BAD_DEALS = {
    "": f"0 triples and 0 pairs; {KNOWN}",
    "[]": "stray character '[' at column 1",
    "hello": "stray character 'h' at column 1",
    "5": "stray character '5' at column 1",
    "56-13-62": f"1 triple and 0 pairs; {KNOWN}",
    HYPHENS + " 11-22-33": f"11 triples and 1 pair; {KNOWN}",
    HYPHENS.removesuffix(" 22-66") + " 22 66": "group 11 (22) has 1 tile; a group has 2 or 3",
    swapped("56-13-62 21-44-52", "56-13-62-21 44-52"): "group 1 (56-13-26-12) has 4 tiles; a group has 2 or 3",
    swapped("21-44-52", "27-44-52"): "tile 27 does not exist (column 10)",
    swapped("21-44-52", "20-44-52"): "tile 20 does not exist (column 10)",
    BRACKETS.replace("[4:4]", "[4:8]", 1): "tile 48 does not exist (column 22)",
    TRIPLETS.replace("[4:4]", "[4:8]", 1): "tile 48 does not exist (column 50)",
    swapped("21-44-52", "21-44-53"): "tile 35 appears 2 times instead of 1; tile 25 is missing",
    swapped("22-66", "22-22"): "tile 66 is missing (1 of 2); tile 22 appears 3 times instead of 2",
    swapped("66 22-66", "22 22-22"): "tile 66 is missing (0 of 2); tile 22 appears 4 times instead of 2",
    HYPHENS.removesuffix(" 22-66"): (
        "tile 66 is missing (1 of 2); tile 22 is missing (1 of 2); tile 46 appears 2 times instead of 1; "
        "tile 24 appears 1 time instead of 0"
    ),
    swapped("56-13-62", "56-13-62-"): "stray character '-' at column 9",
    swapped("56-13-62", "-56-13-62"): "stray character '-' at column 1",
    swapped("56-13-62", "56--13-62"): "stray character '-' at column 4",
    swapped("56-13-62", "561362"): "stray character '1' at column 3",
    swapped("56-13-62", "56-13-6"): "stray character '6' at column 7",
    swapped("56-13-62", "56-13-6x"): "stray character 'x' at column 8",
    swapped("56-13-62", "56/13/62"): "stray character '/' at column 3",
    BRACKETS.replace("[6:2]", "[6:2", 1): "stray character '[' at column 11",
    BRACKETS.replace("[6:2]", "6:2]", 1): "stray character '6' at column 11",
    BRACKETS.replace("[6:2]", "[6:2]]", 1): "stray character ']' at column 16",
    TRIPLETS.replace("[6:2]", "[6:x]", 1): "stray character '[' at column 25",
    TRIPLETS.replace("Triplet", "triplet", 1): "stray character 't' at column 2",
    TRIPLETS.replace("}, ", "}; ", 1): "stray character ';' at column 32",
}


@pytest.mark.parametrize("text", BAD_DEALS)
def test_a_bad_deal_is_refused_with_its_reason(text: str) -> None:
    with pytest.raises(InputError) as error:
        Deal.parse(text)
    assert str(error.value) == BAD_DEALS[text]


def test_the_empty_tile_may_be_left_out() -> None:
    assert str(Deal.parse(TRIPLETS.replace("[ - ], ", ""))) == WRITTEN


# Groups


@pytest.mark.parametrize("text", ["13-62-56", "[1:3][6:2][5:6]", "[13][26][56]", "1:3-6:2-5:6", " 65-31-26 "])
def test_a_group_is_read_in_any_notation(text: str) -> None:
    assert format_group(parse_group(text)) == "13-56-26"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not one group"),
        ("11-22 33", "'11-22 33' is not one group"),
        ("11", "group '11' has 1 tile; a group has 2 or 3"),
        ("11-22-33-44", "group '11-22-33-44' has 4 tiles; a group has 2 or 3"),
        ("11-77", "tile 77 does not exist (column 4)"),
        ("36-63", "more than 1 of 36; the deck has no more"),
    ],
)
def test_a_bad_group_is_refused_with_its_reason(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_group(text)
    assert str(error.value) == message


# Positions


def test_two_groups_of_a_position_are_replaced() -> None:
    deal = Deal.parse(HYPHENS)
    after = deal.exchanged(0, 10, (parse_group("13-22-62"), parse_group("56-66")))
    assert str(after).split() == ["13-22-26", *WRITTEN.split()[1:-1], "66-56"]
    assert type(after) is Position
    assert str(deal) == WRITTEN


def test_equal_deals_are_equal_and_hash_alike() -> None:
    assert {Deal.parse(HYPHENS), Deal.parse(BRACKETS), Deal.parse(TRIPLETS)} == {Deal.parse(WRITTEN)}
    assert Deal.random(0, 0, TEN) != Deal.random(0, 1, TEN)


def test_tiles_of_a_place_are_named() -> None:
    assert Deal.parse(HYPHENS).tiles(10) == ("66", "22")


def published(name: str) -> list[str]:
    """The deals of a file of data/deals."""
    lines = (DEALS / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def test_the_real_deals_are_read() -> None:
    assert [str(Deal.parse(line)) for line in published("public-deals.txt")] == [
        WRITTEN,
        "66-46-45 44-22-34 55-35-24 44-56-46 55-16-23 33-33-22 11-13-56 66-15-25 15-36-12 11-13-26 16-14",
    ]


def test_the_real_deal_of_eight_triples_is_read() -> None:
    (deal,) = map(Deal.parse, published("public-deal-eight.txt"))
    assert deal.layout is EIGHT
    assert str(deal).split()[8:] == ["55-12", "56-46", "33-46", "44-13"]
