"""The replay page in a real browser: every way to step through a solution shows the positions of its record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cli.show.board import ROWS
from cli.show.replay import replay_page
from cli.show.words import EN
from solver.xiangshifu.groups import group_names
from solver.xiangshifu.names import group_name
from solver.xiangshifu.position import LAYOUTS, Deal, Position
from solver.xiangshifu.solve import Result, Solver, solve
from solver.xiangshifu.tiles import TILES

DEAL = "56-13-62 21-44-52 61-51-33 61-11-55 14-34-24 22-55-51 31-44-54 53-63-11 46-33-64 56-32-66 22-66"
LOST = "25-23-24 22-16-36 66-11-33 55-56-56 11-45-12 44-35-14 66-55-15 44-13-22 33-46-16 13-46-26 15-34"

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
SCREENS = {"desktop": DESKTOP, "phone": PHONE}

Board = list[tuple[list[str], str]]
"""For each group its tiles in ascending order, and its caption."""


@pytest.fixture(scope="module")
def result() -> Result:
    return solve(DEAL)


@dataclass
class Opener:
    """Opens replay pages, and hears what goes wrong in them."""

    browser: Any
    folder: Path
    complaints: list[str]

    def __call__(self, result: Result, lang: str = "en", **options: Any) -> Any:
        path = self.folder / f"replay-{lang}.html"
        path.write_text(replay_page(result, lang), encoding="utf-8")
        page = self.browser.new_context(**options).new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self._heard(request.url))
        page.goto(path.as_uri())
        return page

    def _heard(self, url: str) -> None:
        if not url.startswith(("file:", "data:")):
            self.complaints.append(f"asked for {url}")


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Opener]:
    opener = Opener(browser, tmp_path, [])
    yield opener
    for context in browser.contexts:
        context.close()
    assert opener.complaints == []


def record_of(result: Result) -> list[Board]:
    """The positions of a solution, from the deal to the end."""
    position: Position = result.deal
    boards = []
    for move in (*(result.moves or ()), None):
        boards.append([_group(mask, result) for mask in position.groups])
        if move is not None:
            position = position.exchanged(*move.groups, move.after)
    return boards


def _group(mask: int, result: Result) -> tuple[list[str], str]:
    tiles = TILES.names(mask)
    return sorted(tiles), group_name(tiles, group_names(mask, result.rules), "en") or EN.invalid


def shown(page: Any) -> Board:
    """The board as a reader without eyes meets it."""
    groups = page.locator(".board > .group").evaluate_all(
        "groups => groups.map(group => [[...group.querySelectorAll('.tile')].map(tile => tile.ariaLabel.slice(0, 3)),"
        " group.querySelector('.name').textContent])"
    )
    return [(sorted(tile.replace(":", "") for tile in tiles), name) for tiles, name in groups]


def step_of(page: Any) -> int:
    """The step that is shown, by the slider and the list of moves, which have to agree."""
    (current,) = page.locator(".entry[aria-current]").evaluate_all("found => found.map(one => one.dataset.step)")
    assert page.locator("#slider").input_value() == current
    return int(current)


def wait_until(page: Any, condition: str) -> None:
    """Wait for a condition; the page's policy forbids the driver's own way, which evaluates text inside the page."""
    for _ in range(100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never true: {condition}")


LANDED = "document.getAnimations().length === 0"


@pytest.mark.parametrize("screen", SCREENS)
def test_buttons(open_page: Opener, result: Result, screen: str) -> None:
    page, boards = open_page(result, **SCREENS[screen]), record_of(result)
    press = page.tap if screen == "phone" else page.click
    end = len(boards) - 1
    assert shown(page) == boards[0]
    for step in range(1, end + 1):
        press("#forward")
        assert (step_of(page), shown(page)) == (step, boards[step])
    assert page.locator("#forward").get_attribute("aria-disabled") == "true"
    press("#forward", force=True)
    assert step_of(page) == end
    press("#back")
    assert shown(page) == boards[end - 1]
    press("#first")
    assert shown(page) == boards[0]
    assert page.locator("#back").get_attribute("aria-disabled") == "true"
    press("#last")
    assert shown(page) == boards[end]


def test_keys(open_page: Opener, result: Result) -> None:
    page, boards = open_page(result, **DESKTOP), record_of(result)
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("ArrowLeft", 0), ("ArrowLeft", 0),
                      ("End", 9), ("ArrowRight", 9), ("ArrowLeft", 8), ("Home", 0)):  # fmt: skip
        page.keyboard.press(key)
        assert (step_of(page), shown(page)) == (step, boards[step])
    page.keyboard.press("Control+ArrowRight")
    assert step_of(page) == 0


def test_slider_by_mouse_and_keys(open_page: Opener, result: Result) -> None:
    page, boards = open_page(result, **DESKTOP), record_of(result)
    slider = page.locator("#slider")
    box = slider.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 3, box["y"] + box["height"] / 2)
    assert (step_of(page), shown(page)) == (3, boards[3])
    for key, step in (("ArrowRight", 4), ("ArrowLeft", 3), ("End", 9), ("Home", 0)):
        slider.press(key)
        assert (step_of(page), shown(page)) == (step, boards[step])
    slider.fill("7")
    assert shown(page) == boards[7]
    assert slider.get_attribute("aria-valuetext") == "Move 7 of 9"


@pytest.mark.parametrize("screen", SCREENS)
def test_list_of_moves(open_page: Opener, result: Result, screen: str) -> None:
    page, boards = open_page(result, **SCREENS[screen]), record_of(result)
    entries = page.locator(".entry")
    assert entries.count() == len(boards)
    for step in (9, 4, 0, 6):
        (entries.nth(step).tap if screen == "phone" else entries.nth(step).click)()
        assert (step_of(page), shown(page)) == (step, boards[step])
        wait_until(page, "document.querySelector('.felt').getBoundingClientRect().top >= 0")


def test_play_and_pause(open_page: Opener, result: Result) -> None:
    page = open_page(result, **DESKTOP)
    page.clock.install()
    page.reload()
    play = page.locator("#play")
    assert play.get_attribute("aria-label") == "Play"
    play.click()
    assert (step_of(page), play.get_attribute("aria-label")) == (1, "Pause")
    page.clock.run_for(2 * 1600 + 10)
    assert step_of(page) == 3
    page.keyboard.press("Space")  # on the button, which has the focus
    page.clock.run_for(5000)
    assert (step_of(page), play.get_attribute("aria-label")) == (3, "Play")
    page.locator("h1").click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    page.clock.run_for(20 * 1600)
    assert (step_of(page), play.get_attribute("aria-label")) == (9, "Play")
    play.click()
    assert step_of(page) == 0


def test_the_next_tiles_stand_out(open_page: Opener, result: Result) -> None:
    page = open_page(result, **DESKTOP)
    for move in result.moves or ():
        moving = page.locator(".tile.moving").evaluate_all("tiles => tiles.map(tile => tile.ariaLabel.slice(0, 3))")
        assert sorted(tile.replace(":", "") for tile in moving) == sorted(
            tile for out in move.out for tile in TILES.names(out)
        )
        page.keyboard.press("ArrowRight")
    assert page.locator(".tile.moving").count() == 0


def test_moves_are_announced(open_page: Opener, result: Result) -> None:
    page = open_page(result, **DESKTOP)
    status = page.get_by_role("status")
    assert status.text_content() == ""
    page.keyboard.press("ArrowRight")
    assert status.text_content() == (
        "Move 1 of 9. 4:6 4:6 of group 8 exchanged for 6:6 2:2 of group 10. Group 8: 3:3, 6:6, 2:2, two-three-kao. "
        "Group 10: 4:6, 4:6, civilian pair. 7 of 11 groups invalid."
    )
    page.keyboard.press("End")
    assert status.text_content().endswith("All groups are valid: won.")


def test_the_focus_goes_through_the_controls_in_order(open_page: Opener, result: Result) -> None:
    page = open_page(result, **DESKTOP)
    passed = []
    for _ in range(8):
        page.keyboard.press("Tab")
        passed.append(page.evaluate("document.activeElement.id || document.activeElement.dataset.step"))
    assert passed == ["slider", "first", "back", "play", "forward", "last", "0", "1"]
    page.keyboard.press("Enter")
    assert step_of(page) == 1


def test_tiles_fly_unless_that_is_unwelcome(open_page: Opener, result: Result) -> None:
    flights = "document.getAnimations().length"
    page = open_page(result, **DESKTOP)
    page.keyboard.press("ArrowRight")
    assert page.evaluate(flights) == 4
    wait_until(page, LANDED)
    assert page.locator(".flying").count() == 0
    page = open_page(result, reduced_motion="reduce", **DESKTOP)
    page.keyboard.press("ArrowRight")
    assert page.evaluate(flights) == 0
    assert shown(page) == record_of(result)[1]


def test_hurried_steps_end_where_they_should(open_page: Opener, result: Result) -> None:
    page, boards = open_page(result, **DESKTOP), record_of(result)
    for key in ("ArrowRight",) * 7 + ("ArrowLeft",) * 3 + ("End", "Home", "ArrowRight"):
        page.keyboard.press(key)
    assert shown(page) == boards[1]
    wait_until(page, LANDED)
    inside = page.evaluate(
        "[...document.querySelectorAll('.group')].every(group => [...group.querySelectorAll('.tile')].every(tile => {"
        " const a = group.getBoundingClientRect(), b = tile.getBoundingClientRect();"
        " return b.left >= a.left && b.right <= a.right && b.bottom <= a.bottom }))"
    )
    assert inside


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_board_fits_every_screen(open_page: Opener, layout: str) -> None:
    solver = Solver(first=True)
    deals = (Deal.random(8, index, LAYOUTS[layout]) for index in range(9))
    result = next(found for deal in deals if (found := solver.solve(deal)).verdict == "winnable")
    page = open_page(result)
    for width in (320, 360, 600, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        boxes = [group.bounding_box() for group in page.locator(".group").all()]
        for a, one in enumerate(boxes):
            for other in boxes[a + 1 :]:
                apart = (
                    one["x"] + one["width"] <= other["x"], other["x"] + other["width"] <= one["x"],
                    one["y"] + one["height"] <= other["y"], other["y"] + other["height"] <= one["y"],
                )  # fmt: skip
                assert any(apart)
        if width >= 600:
            by_row = sorted(range(len(boxes)), key=lambda place: (round(boxes[place]["y"]), boxes[place]["x"]))
            assert tuple(by_row) == sum(ROWS[layout], ())
        felt = page.locator(".felt").bounding_box()
        if layout == "ten":
            pair = boxes[10]
            assert pair["x"] + pair["width"] / 2 == pytest.approx(felt["x"] + felt["width"] / 2, abs=1)
            # A caption of two lines makes the row above or below a little higher.
            assert pair["y"] + pair["height"] / 2 == pytest.approx(felt["y"] + felt["height"] / 2, abs=10)


def test_a_thumb_finds_the_controls(open_page: Opener, result: Result) -> None:
    page = open_page(result, **PHONE)
    for button in page.locator(".buttons button").all():
        box = button.bounding_box()
        assert box["width"] >= 44
        assert box["height"] >= 44
        assert box["y"] + box["height"] <= PHONE["viewport"]["height"]


@pytest.mark.parametrize(
    ("screen", "scheme", "lang"),
    [("desktop", "light", "en"), ("desktop", "dark", "zh"), ("phone", "light", "zh"), ("phone", "dark", "en")],
)
def test_accessibility(open_page: Opener, result: Result, screen: str, scheme: str, lang: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-playwright-python")
    page = open_page(result, lang, color_scheme=scheme, **SCREENS[screen])
    for key in ("ArrowRight", "End"):
        page.keyboard.press(key)
        wait_until(page, LANDED)
        report = axe.Axe().run(page)
        assert report.violations_count == 0, report.generate_report()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_loss(open_page: Opener, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-playwright-python")
    lost = solve(LOST)
    page = open_page(lost, color_scheme=scheme, **PHONE)
    assert shown(page) == record_of(lost)[0]
    assert "can't both be repaired" in page.locator(".reason").text_content()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    report = axe.Axe().run(page)
    assert report.violations_count == 0, report.generate_report()


def test_without_scripts_the_deal_and_the_moves_are_there(open_page: Opener, result: Result) -> None:
    page = open_page(result, java_script_enabled=False, **DESKTOP)
    assert page.locator(".tile").count() == 32
    assert page.locator(".entry").count() == 10
    assert not page.locator(".controls").is_visible()
    assert page.locator("noscript p").is_visible()
