"""Pictures: well-formed SVG with every tile and pip, the names and marks of groups, and what moves next."""

from __future__ import annotations

import re
import sys
from collections import Counter
from itertools import combinations
from math import hypot
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from cli.show.board import ROWS
from cli.show.picture import draw_picture, draw_solution
from cli.show.tile import HEIGHT, WIDTH, pips
from solver.xiangshifu.groups import group_names
from solver.xiangshifu.names import LANGUAGES, TILES, group_name
from solver.xiangshifu.position import LAYOUTS, Deal, Layout, Position
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.solve import solve
from solver.xiangshifu.tiles import TILES as DECK

NS = {"s": "http://www.w3.org/2000/svg"}
DEAL = "56-13-62 21-44-52 61-51-33 61-11-55 14-34-24 22-55-51 31-44-54 53-63-11 46-33-64 56-32-66 22-66"
LOST = "25-23-24 22-16-36 66-11-33 55-56-56 11-45-12 44-35-14 66-55-15 44-13-22 33-46-16 13-46-26 15-34"


def groups_of(svg: ET.Element) -> list[ET.Element]:
    return svg.findall("s:g[@transform]", NS)


def tiles_of(group: ET.Element) -> list[str]:
    return [use.get("href", "")[6:] for use in group.findall("s:g/s:use", NS)]


def place_of(group: ET.Element) -> int:
    return int(group.findtext("s:text[@class='place']", "", NS))


def caption_of(group: ET.Element) -> str:
    return " ".join(span.text or "" for span in group.findall("s:text[@class='name']/s:tspan", NS))


def corner_of(group: ET.Element) -> tuple[float, float]:
    x, y = re.findall(r"[\d.]+", group.get("transform", ""))
    return float(x), float(y)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=lambda layout: layout.name)
@pytest.mark.parametrize("index", range(5))
def test_a_picture_shows_the_position(layout: Layout, index: int, lang: str) -> None:
    deal = Deal.random(2, index, layout)
    text = draw_picture(deal, CLASSIC, lang)
    svg = ET.fromstring(text)
    drawn = groups_of(svg)
    assert [place_of(group) for group in drawn] == list(range(layout.groups))
    for group, mask in zip(drawn, deal.groups, strict=True):
        names = group_names(mask, CLASSIC)
        assert sorted(tiles_of(group)) == sorted(DECK.names(mask))
        said = group_name(DECK.names(mask), names, lang)
        assert caption_of(group).replace(" ", "") == (said or ("無效" if lang == "zh" else "invalid")).replace(" ", "")
        (mark,) = group.findall("s:use", NS)
        assert mark.get("href") == ("#mark-valid" if names else "#mark-invalid")
        assert group.get("class") == f"group {'valid' if names else 'invalid'}"
    symbols = {symbol.get("id", ""): symbol for symbol in svg.iter(f"{{{NS['s']}}}symbol")}
    shown = [f"tile-{tile}" for group in drawn for tile in tiles_of(group)]
    assert len(shown) == layout.tiles.bit_count()
    circles = [circle for tile in shown for circle in symbols[tile].findall("s:circle", NS)]
    assert len(circles) == sum(int(end) for tile in DECK.names(layout.tiles) for end in tile)
    assert len(text.encode()) < 25_000


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=lambda layout: layout.name)
def test_groups_lie_as_players_lay_them(layout: Layout) -> None:
    svg = ET.fromstring(draw_picture(Deal.random(2, 0, layout), CLASSIC))
    width, height = float(svg.get("width", "")), float(svg.get("height", ""))
    corners = {place_of(group): corner_of(group) for group in groups_of(svg)}
    rows: dict[float, list[int]] = {}
    for place, (_, y) in sorted(corners.items(), key=lambda item: (item[1][1], item[1][0])):
        rows.setdefault(y, []).append(place)
    assert tuple(map(tuple, rows.values())) == ROWS[layout.name]
    for group in groups_of(svg):
        tray = group.find("s:rect", NS)
        assert tray is not None
        x, y = corner_of(group)
        assert x + float(tray.get("width", "")) < width
        assert y + float(tray.get("height", "")) < height
    if layout.name == "ten":
        tray = groups_of(svg)[10].find("s:rect", NS)
        assert tray is not None
        assert corners[10][0] + float(tray.get("width", "")) / 2 == width / 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_picture_is_told_to_those_who_cant_see_it(lang: str) -> None:
    svg = ET.fromstring(draw_picture(Deal.parse(DEAL), CLASSIC, lang))
    assert svg.get("role") == "img"
    assert svg.get("aria-labelledby") == "title desc"
    assert svg.find("s:title[@id='title']", NS) is not None
    description = svg.findtext("s:desc[@id='desc']", "", NS)
    assert len(re.findall(r"\d:\d", description)) == 32
    assert description.count("無效" if lang == "zh" else "invalid") == 9
    hints = [title.text for title in svg.iterfind("s:g/s:g/s:title", NS)]
    assert len(hints) == 32
    assert f"6:6 {TILES['66'].within(lang)}" in hints


def test_pips_of_chinese_dominoes() -> None:
    for name in TILES:
        found = pips(name)
        assert len(found) == int(name[0]) + int(name[1])
        upper = [pip for pip in found if pip.y < HEIGHT / 2]
        assert len(upper) == int(name[0])
        for end, half in ((name[0], upper), (name[1], found[len(upper) :])):
            if name != "66":
                assert {pip.red for pip in half} == {end in "14"}
            assert (max(pip.radius for pip in half) > 5) == (end == "1")
        assert all(pip.radius < pip.x < WIDTH - pip.radius for pip in found)
        assert all(pip.radius < pip.y < HEIGHT - pip.radius for pip in found)
        assert all(hypot(a.x - b.x, a.y - b.y) > a.radius + b.radius + 2 for a, b in combinations(found, 2))
    assert Counter(pip.red for pip in pips("66")) == {True: 6, False: 6}
    assert Counter((pip.y < HEIGHT / 2) for pip in pips("66") if pip.red) == {True: 3, False: 3}


def test_pictures_of_a_solution() -> None:
    result = solve(DEAL)
    pictures = [ET.fromstring(text) for text in draw_solution(result)]
    assert result.moves is not None
    assert len(pictures) == len(result.moves) + 1
    position: Position = result.deal
    for svg, move in zip(pictures, result.moves, strict=False):
        for group in groups_of(svg):
            place = place_of(group)
            assert sorted(tiles_of(group)) == sorted(DECK.names(position.groups[place]))
            moving = group.findall("s:g[@class='tile moving']", NS)
            out = dict(zip(move.groups, move.out, strict=True)).get(place, 0)
            assert sorted(tile.find("s:use", NS).get("href")[6:] for tile in moving) == sorted(DECK.names(out))  # type: ignore[union-attr,index]
            assert all(len(tile.findall("s:rect[@class='ring']", NS)) == 1 for tile in moving)
        position = position.exchanged(*move.groups, move.after)
    titles = [svg.findtext("s:g/s:text[@class='title']", "", NS) for svg in pictures]
    assert titles == [*(f"Move {n} of 9" for n in range(1, 10)), "All groups are valid: won"]
    assert not [element for element in pictures[-1].iter() if "moving" in element.get("class", "")]


def test_pictures_of_a_loss_and_of_what_is_won_already() -> None:
    (lost,) = draw_solution(solve(LOST))
    assert "Can&#39;t be won" in lost
    result = solve(DEAL)
    position: Position = result.deal
    for move in result.moves or ():
        position = position.exchanged(*move.groups, move.after)
    (won,) = draw_solution(solve(str(position)))
    assert "All groups are valid: won" in won


def test_long_names_and_names_of_ones_own() -> None:
    name = "a<b & the-name-of-my-own-pattern"
    record = {**CLASSIC.to_json(), "id": "<script>alert(1)</script>"}
    record["patterns"] = {**record["patterns"], name: [1, 2, 3, 5, 6, 6]}
    svg = ET.fromstring(draw_picture(Deal.parse(DEAL), RuleSet.from_json(record)))
    captions = [caption_of(group) for group in groups_of(svg)]
    assert "invalid" in captions
    assert name.replace("-", " ") in captions
    assert not svg.findall(".//s:script", NS)
    assert "<script>alert(1)</script> rules" in [text.text for text in svg.findall("s:g/s:text", NS)]
    spans = [span.text or "" for span in svg.iterfind(".//s:tspan", NS)]
    assert max(map(len, spans)) <= 17


def test_no_picture_needs_anything_from_elsewhere() -> None:
    text = draw_picture(Deal.parse(DEAL), CLASSIC)
    assert re.findall(r"https?://[^\"]+", text) == ["http://www.w3.org/2000/svg"]
    assert text == draw_picture(Deal.parse(DEAL), CLASSIC)


# The commands


def xsf(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, args, input=stdin)


def test_show_writes_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "deal.svg"
    result = xsf("show", "--svg", str(path), "--lang", "zh", DEAL)
    assert result.exit_code == 0
    assert f"wrote {path}" in result.stderr
    assert "✗ 無效" in result.stdout
    assert "✗ invalid" not in result.stdout
    assert path.read_text(encoding="utf-8") == draw_picture(Deal.parse(DEAL), CLASSIC, "zh")


def test_solve_writes_pictures(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    result = xsf("solve", "--svg", str(folder), "--no-board", "-", stdin=f"# one deal\n{DEAL}\n")
    assert result.exit_code == 0
    assert f"wrote 10 pictures into {folder}" in result.stderr
    written = [path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())]
    assert written == draw_solution(solve(DEAL))
    assert xsf("solve", "--svg", str(folder), DEAL).exit_code == 0
    other = xsf("solve", "--svg", str(folder), LOST)
    assert other.exit_code == 2
    assert "is of another solution" in other.stderr
    assert len(list(folder.iterdir())) == 10


@pytest.mark.parametrize("command", [("show", "--svg"), ("solve", "--svg"), ("solve", "--html")])
def test_one_deal_at_a_time(tmp_path: Path, command: tuple[str, str]) -> None:
    result = xsf(*command, str(tmp_path / "x"), "-", stdin=f"{DEAL}\n{LOST}\n")
    assert result.exit_code == 2
    assert "one deal at a time, not 2" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("command", [("show", "--svg"), ("solve", "--svg"), ("solve", "--html")])
def test_without_jinja2_one_line_says_so(
    tmp_path: Path, command: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    result = xsf(*command, str(tmp_path / "x"), DEAL)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert "pip install 'xiangshifu[play]'" in line


@pytest.mark.parametrize("command", [("show", "--svg"), ("solve", "--svg"), ("solve", "--html")])
def test_what_cant_be_written_is_one_line(tmp_path: Path, command: tuple[str, str]) -> None:
    (tmp_path / "file").touch()
    result = xsf(*command, str(tmp_path / "file" / "x"), DEAL)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


def test_a_bad_deal_draws_nothing(tmp_path: Path) -> None:
    for command in (("show", "--svg"), ("solve", "--html")):
        result = xsf(*command, str(tmp_path / "x"), "12-34-99")
        assert result.exit_code == 2
        assert not (tmp_path / "x").exists()


def test_drawing_does_not_go_with_all_shortest(tmp_path: Path) -> None:
    result = xsf("solve", "--all-shortest", "--html", str(tmp_path / "x"), DEAL)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
