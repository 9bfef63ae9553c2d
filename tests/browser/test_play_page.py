"""The play page in a real browser, with the real server: games are played as people do, by taps, drags and keys."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlparse

import pytest
from playserver import served

from solver.xiangshifu.moves import Move
from solver.xiangshifu.position import LAYOUTS, Deal
from solver.xiangshifu.solve import solve
from solver.xiangshifu.tiles import TILES

DEAL = "56-13-62 21-44-52 61-51-33 61-11-55 14-34-24 22-55-51 31-44-54 53-63-11 46-33-64 56-32-66 22-66"
LOST = "25-23-24 22-16-36 66-11-33 55-56-56 11-45-12 44-35-14 66-55-15 44-13-22 33-46-16 13-46-26 15-34"

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 860}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREENS = {"desktop": DESKTOP, "phone": PHONE}
PATIENCE = 60_000
"""Milliseconds; the solver may have other things to do."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as one:
        yield one.url


@dataclass
class Opener:
    """Opens the page, and hears what goes wrong in it."""

    browser: Any
    address: str
    complaints: list[str] = field(default_factory=list)

    def __call__(self, query: dict[str, Any] | None = None, **options: Any) -> Any:
        page = self.browser.new_context(**options).new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(f"{self.address}?{urlencode({'deal': DEAL} if query is None else query)}")
        page.locator(".group").first.wait_for()
        return page


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Opener]:
    opener = Opener(browser, address)
    yield opener
    for context in browser.contexts:
        context.close()
    assert opener.complaints == []


def expect(found: Any) -> Any:
    from playwright.sync_api import expect as expect_that

    expect_that.set_options(timeout=PATIENCE)
    return expect_that(found)


def until(page: Any, condition: str) -> None:
    """Wait for something in the page; Playwright's own way runs against the page's policy."""
    for _ in range(PATIENCE // 50):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(condition)


def tile(page: Any, place: int, name: str, nth: int = 0) -> Any:
    return page.locator(f'.group[data-place="{place}"] .tile[aria-label^="{name[0]}:{name[1]} "]').nth(nth)


def tap(page: Any, target: Any) -> None:
    touch = page.evaluate("navigator.maxTouchPoints > 0")
    (target.tap if touch else target.click)()


def play(page: Any, move: Move) -> None:
    for place, out in zip(move.groups, move.out, strict=True):
        names = TILES.names(out)
        for at, name in enumerate(names):
            tap(page, tile(page, place, name, names[:at].count(name)))


def count(page: Any) -> Any:
    return page.locator("#count")


def says(page: Any) -> Any:
    return page.locator("#says")


def board(page: Any) -> list[list[str]]:
    return page.locator(".group").evaluate_all(  # type: ignore[no-any-return]
        "groups => groups.map(group => [...group.querySelectorAll('.tile')].map(tile => tile.ariaLabel.slice(0, 3)))"
    )


@pytest.mark.parametrize("screen", SCREENS)
def test_a_deal_is_solved_by_tapping(open_page: Opener, screen: str) -> None:
    page = open_page(**SCREENS[screen])
    moves = solve(DEAL).moves
    assert moves is not None
    expect(page.locator("#best")).to_have_text("shortest possible: 9")
    for number, move in enumerate(moves, 1):
        play(page, move)
        expect(count(page)).to_have_text(f"Moves: {number}")
    expect(says(page)).to_have_text("Won in 9 moves, the fewest possible!")
    assert page.locator(".group.invalid").count() == 0
    assert "won" in page.locator("#felt").get_attribute("class").split()
    tap(page, page.locator("#undo"))
    expect(says(page)).to_have_text("")
    assert page.locator(".group.invalid").count() > 0


@pytest.mark.parametrize(
    ("lang", "reason"),
    [
        ("en", "13-26-12 and 44-56-25 would be no valid groups."),
        ("zh", "13-26-12 和 44-56-25 都不是有效的組合。"),
    ],
)
def test_an_illegal_exchange_is_refused_with_the_reason(open_page: Opener, lang: str, reason: str) -> None:
    page = open_page({"deal": DEAL, "lang": lang}, **PHONE)
    before = board(page)
    tap(page, tile(page, 0, "56"))
    assert tile(page, 0, "56").get_attribute("aria-pressed") == "true"
    tap(page, tile(page, 1, "12"))
    expect(says(page)).to_have_text(reason)
    assert board(page) == before
    assert page.locator("[aria-pressed=true]").count() == 0


def test_hints_undo_redo_and_reload(open_page: Opener) -> None:
    page = open_page(**DESKTOP)
    start = board(page)
    for number in (1, 2):
        page.click("#hint")
        page.locator(".tile.moving").first.wait_for()
        shown = page.locator(".tile.moving").evaluate_all("tiles => tiles.map(tile => tile.dataset.tile)")
        for one in shown:
            page.click(f'[data-tile="{one}"]')
        expect(count(page)).to_have_text(f"Moves: {number}")
    after = board(page)
    page.click("#winnable")
    expect(says(page)).to_have_text("Yes: 7 moves more will do, and no fewer.")
    page.keyboard.press("z")
    page.click("#undo")
    expect(count(page)).to_have_text("Moves: 0")
    assert board(page) == start
    assert page.locator("#undo").get_attribute("aria-disabled") == "true"
    page.keyboard.press("y")
    page.click("#redo")
    assert board(page) == after
    page.reload()
    expect(count(page)).to_have_text("Moves: 2")
    assert board(page) == after
    page.click("#undo")
    expect(count(page)).to_have_text("Moves: 1")
    page.click("#restart")
    assert board(page) == start


def test_a_tile_is_dragged_onto_another(open_page: Opener) -> None:
    moves = solve(DEAL).moves
    assert moves is not None
    move = next(move for move in moves if move.groups[0] == 0)
    page = open_page(**DESKTOP)
    boxes = [
        tile(page, place, TILES.names(out)[0]).bounding_box() for place, out in zip(move.groups, move.out, strict=True)
    ]
    a, b = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
    page.mouse.move(*a)
    page.mouse.down()
    page.mouse.move((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, steps=3)
    page.mouse.move(*b, steps=3)
    assert page.locator(".tile.over").count() == 1
    page.mouse.up()
    expect(says(page)).not_to_have_text("")
    # Dropped on the felt it goes back.
    before = board(page)
    page.mouse.move(*a)
    page.mouse.down()
    page.mouse.move(a[0] + 40, 5, steps=3)
    page.mouse.up()
    assert board(page) == before
    assert page.locator(".dragged, [aria-pressed=true]").count() == 0


def test_dragging_by_touch(open_page: Opener) -> None:
    page = open_page(**PHONE)
    boxes = [tile(page, *where).bounding_box() for where in ((0, "56"), (1, "12"))]
    a, b = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
    finger = page.context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [a]),
        ("touchMove", [((a[0] + b[0]) / 2, a[1])]),
        ("touchMove", [b]),
        ("touchEnd", []),
    ):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
    expect(says(page)).to_have_text("13-26-12 and 44-56-25 would be no valid groups.")


def test_with_keys_only(open_page: Opener) -> None:
    page = open_page(**DESKTOP)
    moves = solve(DEAL).moves
    assert moves is not None
    tile(page, 0, "13").focus()
    first = page.evaluate("document.activeElement.dataset.tile")
    for key in ("ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.tile") == first
    page.keyboard.press("Space")
    assert page.locator("[aria-pressed=true]").count() == 1
    page.keyboard.press("Escape")
    assert page.locator("[aria-pressed=true]").count() == 0
    for place, out in zip(moves[0].groups, moves[0].out, strict=True):
        names = TILES.names(out)
        for at, name in enumerate(names):
            tile(page, place, name, names[:at].count(name)).focus()
            page.keyboard.press("Enter")
    expect(count(page)).to_have_text("Moves: 1")
    assert page.evaluate("document.activeElement.className").startswith("tile")
    page.keyboard.press("h")
    page.locator(".tile.moving").first.wait_for()


def test_deals_of_all_kinds_and_their_links(open_page: Opener) -> None:
    page = open_page({"seed": 7, "index": 3, "rules": "thirteen"}, **DESKTOP)
    assert board(page) == [[f"{name[0]}:{name[1]}" for name in Deal.random(7, 3).tiles(place)] for place in range(11)]
    assert page.input_value("#rules") == "thirteen"
    first = page.url
    page.click("#new")
    expect(page.locator("#which")).not_to_have_text("deal 3 of seed 7")
    assert parse_qs(urlparse(page.url).query)["seed"] != ["7"]
    page.click("#daily")
    expect(page.locator("#which")).to_contain_text("deal of 20")
    page.select_option("#rules", "classic")
    page.click("#paste")
    page.fill("#text", "11-22")
    page.click("#open")
    expect(page.locator("#own-wrong")).not_to_have_text("")
    page.keyboard.press("Escape")
    expect(page.locator("#own")).not_to_be_visible()
    page.click("#paste")
    page.fill("#text", LOST)
    page.click("#open")
    expect(page.locator("#best")).to_have_text("this deal can't be won")
    page.click("#winnable")
    expect(says(page)).to_have_text("No: from here it can't be won. Undo, or begin again.")
    for layout, one in LAYOUTS.items():
        page.select_option("#layout", layout)
        expect(page.locator("#board")).to_have_attribute("data-layout", layout)
        expect(page.locator(".group")).to_have_count(len(Deal.random(1, 0, one).groups))
    page.goto(first)
    expect(page.locator("#which")).to_have_text("deal 3 of seed 7")


def test_of_deals_asked_for_in_a_row_the_last_one_stays(open_page: Opener) -> None:
    page = open_page({"seed": 7, "index": 3}, **DESKTOP)
    # The first answer is held back until the second one is shown.
    page.evaluate("""() => {
        const real = window.fetch;
        window.fetch = async (path, options) => {
            const answer = await real(path, options);
            if (!String(path).includes("layout=shanghai")) return answer;
            document.body.dataset.held = "yes";
            await new Promise((go) => { window.release = go; });
            return answer;
        };
    }""")
    page.select_option("#layout", "shanghai")
    expect(page.locator("body")).to_have_attribute("data-held", "yes")
    page.select_option("#layout", "eight")
    expect(page.locator("#board")).to_have_attribute("data-layout", "eight")
    url = page.url
    page.evaluate("window.release()")
    page.wait_for_timeout(500)
    assert page.url == url
    expect(page.locator("#board")).to_have_attribute("data-layout", "eight")


def test_what_is_learned_later_leaves_a_hint_and_picked_tiles_alone(open_page: Opener) -> None:
    page = open_page(**DESKTOP)
    expect(page.locator("#best")).to_have_text("shortest possible: 9")
    page.evaluate("""() => {
        const real = window.fetch;
        window.fetch = async (path, options) => {
            const answer = await real(path, options);
            if (String(path).includes("ask/winnable")) await new Promise((go) => {
                window.late = () => { window.late = null; go(); };
            });
            return answer;
        };
    }""")
    page.select_option("#rules", "thirteen")
    until(page, "Boolean(window.late)")
    page.click("#hint")
    page.locator(".tile.moving").first.wait_for()
    shown = page.locator(".tile.moving").count()
    page.evaluate("window.late()")
    expect(page.locator("#best")).not_to_have_text("")
    assert page.locator(".tile.moving").count() == shown
    page.select_option("#rules", "classic")
    until(page, "Boolean(window.late)")
    tile(page, 0, "13").click()
    page.evaluate("window.late()")
    expect(page.locator("#best")).not_to_have_text("")
    assert tile(page, 0, "13").get_attribute("aria-pressed") == "true"


def test_the_link_is_shared(open_page: Opener) -> None:
    page = open_page({"seed": 7, "index": 3}, permissions=["clipboard-read", "clipboard-write"], **DESKTOP)
    page.click("#share")
    expect(says(page)).to_have_text("The link to this deal is in the clipboard.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_a_long_answer_shows_how_far_it_is_and_can_be_stopped(open_page: Opener) -> None:
    page = open_page(**DESKTOP)
    expect(page.locator("#best")).to_have_text("shortest possible: 9")
    # The server's part is tested with it; here it says that it builds a table, and goes on for ever.
    page.evaluate("""() => {
        const real = window.fetch;
        window.fetch = (path, options) => {
            if (!String(path).includes("ask/hint")) return real(path, options);
            const news = '{"working":true}\\n{"building":"any","done":1,"total":4}\\n';
            const body = new ReadableStream({ start(stream) {
                stream.enqueue(new TextEncoder().encode(news));
                options.signal.onabort = () => stream.error(new DOMException("", "AbortError"));
            } });
            return Promise.resolve(new Response(body));
        };
    }""")
    page.click("#hint")
    expect(says(page)).to_have_text("Building a table for this goal, once: 25 %")
    page.click("#stop")
    expect(says(page)).to_have_text("Stopped.")
    expect(page.locator("#stop")).not_to_be_visible()


def test_without_a_server_it_says_so(open_page: Opener) -> None:
    page = open_page(**DESKTOP)
    expect(page.locator("#best")).to_have_text("shortest possible: 9")
    page.route("**/api/**", lambda route: route.abort())
    page.click("#hint")
    expect(says(page)).to_have_text("The server does not answer.")
    assert all("net::ERR_FAILED" in complaint for complaint in open_page.complaints)
    open_page.complaints.clear()


def test_in_chinese(open_page: Opener) -> None:
    page = open_page({"deal": DEAL, "lang": "zh"}, **PHONE)
    assert page.locator("html").get_attribute("lang") == "zh-Hant"
    expect(page.locator("#best")).to_have_text("最少步數：9")
    page.tap("#winnable")
    expect(says(page)).to_have_text("能：再走 9 步 即可，不能更少。")
    page.tap("#paste")
    for text, wrong in (
        ("56-13-62 11-2x", "第 14 個字 'x' 不該在此。"),
        ("5" * 20_000, "種子須是 0 至 2^128-1 的整數。"),
        ("十" * 20_000, "文字太長。"),
    ):
        page.fill("#text", text)
        page.tap("#open")
        expect(page.locator("#own-wrong")).to_have_text(wrong)
    page.keyboard.press("Escape")
    page.tap("#language")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#which")).to_have_text("a deal of your own")


def test_all_fits_on_the_screen(open_page: Opener) -> None:
    page = open_page({"seed": 1, "index": 3}, **DESKTOP)
    for layout in LAYOUTS:
        page.select_option("#layout", layout)
        expect(page.locator("#board")).to_have_attribute("data-layout", layout)
        for width, height in ((320, 700), (390, 844), (800, 1100), (1280, 860), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            if width >= 1280:
                assert page.evaluate("document.documentElement.scrollHeight") <= height
            for control in ("#new", "#goal", "#hint", "#share"):
                box = page.locator(control).bounding_box()
                assert box["height"] >= 44
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= width


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_all_that_is_needed_fits_on_a_phone(open_page: Opener, layout: str, lang: str) -> None:
    page = open_page({"seed": 3918273645, "index": 3, "layout": layout, "goal": "any", "lang": lang}, **PHONE)
    expect(page.locator("#best")).not_to_have_text("")
    ends = [page.locator(part).bounding_box() for part in (".choices", "#board", ".count", ".says", ".desk .tools")]
    for above, below in itertools.pairwise(ends):
        assert above["y"] + above["height"] <= below["y"]
    assert ends[-1]["y"] + ends[-1]["height"] <= PHONE["viewport"]["height"]
    # Nothing that is written runs out of what it stands on.
    assert (
        page.locator("button, select, .caption").evaluate_all(
            "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length"
        )
        == 0
    )


@pytest.mark.parametrize(
    ("screen", "scheme", "lang"),
    [("desktop", "light", "en"), ("desktop", "dark", "zh"), ("phone", "light", "zh"), ("phone", "dark", "en")],
)
def test_accessibility(open_page: Opener, screen: str, scheme: str, lang: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-playwright-python")
    page = open_page({"deal": DEAL, "lang": lang}, color_scheme=scheme, **SCREENS[screen])

    def check() -> None:
        report = axe.Axe().run(page)
        assert report.violations_count == 0, report.generate_report()

    page.click("#hint")
    page.locator(".tile.moving").first.wait_for()
    check()
    page.click("#paste")
    check()


def test_without_scripts_it_says_what_it_needs(open_page: Opener) -> None:
    page = open_page.browser.new_context(java_script_enabled=False).new_page()
    page.goto(open_page.address)
    assert page.locator("noscript p").is_visible()
