"""The replay page: one file that holds the whole solution and asks for nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from cli.show.replay import replay_page
from cli.show.words import EN, WORDS, ZH
from solver.xiangshifu.groups import group_names
from solver.xiangshifu.names import LANGUAGES, group_name
from solver.xiangshifu.position import LAYOUTS, Deal, Layout, Position
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.solve import Limits, Result, Solver, solve
from solver.xiangshifu.tiles import TILES

DEAL = "56-13-62 21-44-52 61-51-33 61-11-55 14-34-24 22-55-51 31-44-54 53-63-11 46-33-64 56-32-66 22-66"
LOST = "25-23-24 22-16-36 66-11-33 55-56-56 11-45-12 44-35-14 66-55-15 44-13-22 33-46-16 13-46-26 15-34"

VOID = {"meta", "link", "input"}


class Page(HTMLParser):
    """The elements of a page, checked to be closed in order; texts by the class or id of what holds them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.elements.append((tag, found))
        if tag not in VOID:
            key = found.get("id") or found.get("class") or tag
            self._open.append((tag, key))
            self.texts.setdefault(key, []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[self._open[-1][1]][-1] += data

    def all(self, tag: str, attribute: str = "") -> list[dict[str, str]]:
        """The attributes of all elements of a tag, or of those that have a certain one."""
        return [
            {key: value or "" for key, value in found.items()}
            for name, found in self.elements
            if name == tag and (not attribute or attribute in found)
        ]


@pytest.fixture(scope="module", params=list(LAYOUTS.values()), ids=lambda layout: layout.name)
def result(request: pytest.FixtureRequest) -> Result:
    layout: Layout = request.param
    solver = Solver(first=True)
    return next(r for i in range(9) if (r := solver.solve(Deal.random(8, i, layout))).verdict == "winnable")


def record_of(page: Page) -> dict[str, list[dict[str, object]]]:
    return json.loads(page.texts["record"][0])  # type: ignore[no-any-return]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_holds_the_solution(result: Result, lang: str) -> None:
    page = Page(replay_page(result, lang))
    words = WORDS[lang]
    steps = record_of(page)["steps"]
    assert result.moves is not None
    assert len(steps) == len(result.moves) + 1
    tiles = {int(tile["data-tile"]): tile["aria-label"][:3] for tile in page.all("span", "data-tile")}
    position: Position = result.deal
    for number, step in enumerate(steps):
        groups = step["groups"]
        assert isinstance(groups, list)
        for group, mask in zip(groups, position.groups, strict=True):
            names = group_names(mask, CLASSIC)
            assert sorted(tiles[t].replace(":", "") for t in group["tiles"]) == sorted(TILES.names(mask))
            assert group["valid"] == bool(names)
            assert group["caption"] == (group_name(TILES.names(mask), names, lang) or words.invalid)
        if number < len(result.moves):
            move = result.moves[number]
            position = position.exchanged(*move.groups, move.after)
    assert str(step["announce"]).endswith(words.won + words.stop.strip())
    assert [text for text in page.texts["span"] if "-" in text] == str(result.deal).split()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_list_of_moves(result: Result, lang: str) -> None:
    page = Page(replay_page(result, lang))
    assert result.moves is not None
    entries = page.all("button", "data-step")
    assert [entry["data-step"] for entry in entries] == [str(number) for number in range(len(result.moves) + 1)]
    assert ["aria-current" in entry for entry in entries] == [True] + [False] * len(result.moves)
    repaired = sum(not group_names(before, CLASSIC) for move in result.moves for before in move.before)
    assert page.texts["hidden"].count(WORDS[lang].repaired) == repaired
    assert repaired == sum(not group_names(group, CLASSIC) for group in result.deal.groups)
    (slider,) = page.all("input")
    assert (slider["min"], slider["max"], slider["value"]) == ("0", str(len(result.moves)), "0")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("deal", [DEAL, LOST])
def test_the_page_asks_for_nothing(deal: str, lang: str) -> None:
    text = replay_page(solve(deal), lang)
    page = Page(text)
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    assert not page.all("img")
    assert not page.all("script", "src")
    assert all(link["href"].startswith("data:") for link in page.all("link"))
    assert not re.search(r"@import|url\((?!#)", text)
    (policy,) = page.all("meta", "http-equiv")
    assert policy["content"].startswith("default-src 'none'")
    assert page.all("html")[0]["lang"] == ("en" if lang == "en" else "zh-Hant")
    ids = [found["id"] for _, found in page.elements if "id" in found]
    assert len(ids) == len(set(ids))
    assert len(text.encode()) < 120_000


def test_a_loss_has_its_reason_and_nothing_to_play() -> None:
    page = Page(replay_page(solve(LOST)))
    assert page.texts["h1"] == ["Can't be won"]
    assert "group 0 (25-23-24) and group 10 (15-34) can't both be repaired" in page.texts["reason"][0]
    assert not page.all("button")
    assert not page.all("script")
    undecided = Page(replay_page(solve(DEAL, limits=Limits(positions=3))))
    assert undecided.texts["h1"] == ["Undecided"]
    assert "reason" not in undecided.texts


def test_names_of_ones_own_stay_text() -> None:
    record = {**CLASSIC.to_json(), "id": "</script><script>alert(1)</script>"}
    record["patterns"] = {**record["patterns"], "</script><b>&'": [1, 2, 3, 5, 6, 6]}
    text = replay_page(solve(DEAL, RuleSet.from_json(record)))
    page = Page(text)
    assert len(page.all("script")) == 2
    assert not page.all("b")
    captions = [group["caption"] for group in record_of(page)["steps"][0]["groups"]]  # type: ignore[attr-defined]
    assert "</script><b>&'" in captions


@pytest.mark.parametrize(
    ("lang", "goal", "head"),
    [("en", "any", "9 moves, the fewest possible"), ("zh", "any", "9 步，最少步數"),
     ("en", "pair:46-46", "Pair 46-46: 9 moves, the fewest possible"), ("zh", "generals", "將相和：9 步，最少步數")],
)  # fmt: skip
def test_headlines(lang: str, goal: str, head: str) -> None:
    page = Page(replay_page(replace(solve(DEAL), goal=goal), lang))
    assert page.texts["h1"] == [head]
    assert page.texts["about"]


def test_both_languages_say_the_same_things() -> None:
    for field in fields(EN):
        english, chinese = (set(re.findall(r"{(\w+)", getattr(words, field.name))) for words in (EN, ZH))
        assert english == chinese, field.name


def test_solve_writes_the_page(tmp_path: Path) -> None:
    path = tmp_path / "replay.html"
    result = CliRunner().invoke(main, ["solve", "--json", "--html", str(path), "--lang", "zh", DEAL])
    assert result.exit_code == 0
    assert f"wrote {path}" in result.stderr
    assert json.loads(result.stdout)["length"] == 9
    assert path.read_text(encoding="utf-8") == replay_page(solve(DEAL), "zh")
