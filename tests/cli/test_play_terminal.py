"""The game in the terminal: a whole game on the table, and keys on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from cli.play.questions import Question, answer
from cli.play.table import Table
from cli.play.words import WORDS
from cli.show.board import draw_board
from cli.show.style import Style, columns
from solver.xiangshifu.goals import parse_goal
from solver.xiangshifu.position import LAYOUTS, Deal
from solver.xiangshifu.rules import CLASSIC
from solver.xiangshifu.session import Session
from solver.xiangshifu.solve import solve
from solver.xiangshifu.tiles import TILES

prompt_toolkit = pytest.importorskip("prompt_toolkit", reason="no prompt_toolkit: pip install 'xiangshifu[play]'")

from prompt_toolkit.application import create_app_session  # noqa: E402
from prompt_toolkit.data_structures import Size  # noqa: E402
from prompt_toolkit.input import PipeInput, create_pipe_input  # noqa: E402
from prompt_toolkit.output import DummyOutput  # noqa: E402

from cli.play.terminal import INTERRUPTED, Deals, Screen, wrapped  # noqa: E402

DEAL = "56-13-62 21-44-52 61-51-33 61-11-55 14-34-24 22-55-51 31-44-54 53-63-11 46-33-64 56-32-66 22-66"
LOST = "25-23-24 22-16-36 66-11-33 55-56-56 11-45-12 44-35-14 66-55-15 44-13-22 33-46-16 13-46-26 15-34"


def game(deal: str = DEAL) -> Session:
    position = Deal.parse(deal)
    return Session(position, CLASSIC, parse_goal(None, position.layout))


def pick(table: Table, place: int, name: str, nth: int = 0) -> None:
    names = TILES.names(table.session.position.groups[place])
    table.cursor = place, [at for at, one in enumerate(names) if one == name][nth]
    table.pick()


# ---- the table


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_whole_game(lang: str) -> None:
    table = Table(game(), "a deal", lang)
    moves = solve(DEAL).moves
    assert moves is not None
    table.learn({"verdict": "winnable", "length": 9, "optimal": True})
    for number, move in enumerate(moves, 1):
        for place, out in zip(move.groups, move.out, strict=True):
            names = TILES.names(out)
            for at, name in enumerate(names):
                pick(table, place, name, names[:at].count(name))
        assert len(table.session.moves) == number
        assert table.picked == []
    won = {"en": "Won in 9 moves, the fewest possible!", "zh": "成局，用了 9 步，正是最少步數！"}
    assert table.says == won[lang]
    assert table.count() == {"en": "Moves: 9   shortest possible: 9", "zh": "步數：9   最少步數：9"}[lang]
    table.restart()
    assert (table.session.position, table.says) == (table.session.deal, "")
    table.undo()
    for _ in range(10):
        table.redo()
    assert table.says == won[lang]


def test_refusals_and_putting_back() -> None:
    table = Table(game(), "a deal")
    pick(table, 0, "56")
    assert table.highlighted() == {0: TILES.mask([TILES.kind("56")])}
    pick(table, 0, "56")
    assert table.highlighted() == {}
    pick(table, 0, "56")
    pick(table, 1, "12")
    assert table.says == "13-26-12 and 44-56-25 would be no valid groups."
    assert (table.picked, table.session.moves) == ([], ())
    pick(table, 0, "56")
    pick(table, 0, "13")
    pick(table, 1, "12")
    pick(table, 2, "33")
    assert table.picked == [(2, TILES.names(table.session.deal.groups[2]).index("33"))]
    table.drop()
    assert table.picked == []


def test_what_the_solver_says() -> None:
    table = Table(game(), "a deal")
    table.show_hint({"verdict": "winnable", "length": 9, "optimal": True}, solve(DEAL).moves or ())
    assert table.says == "Exchange 4:6 4:6 of group 8 for 6:6 2:2 of group 10."
    assert table.highlighted().keys() == {8, 10}
    table.show_verdict({"verdict": "winnable", "length": 9, "optimal": False})
    assert table.says == "Yes: 9 moves more will do."
    table.show_verdict({"verdict": "winnable", "length": 1, "optimal": True})
    assert table.says == "Yes: 1 move more will do, and no fewer."
    table.show_verdict({"verdict": "undecided", "length": None, "optimal": None})
    assert table.says == WORDS["en"]["unknown"]
    table.hear({"building": "any", "done": 1, "total": 3}, 0.0)
    assert table.says == "Building a table for this goal, once: 33 %"
    table.hear({}, 2.2)
    assert table.says == "Thinking … 2 s"
    table.learn({"verdict": "unwinnable", "length": None, "optimal": None})
    assert table.count() == "Moves: 0   this deal can't be won"


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_tile_can_be_pointed_at(layout: str, width: int) -> None:
    deal = Deal.random(1, 0, LAYOUTS[layout])
    table = Table(Session(deal, CLASSIC, parse_goal(None, deal.layout)), "")
    seen = {table.cursor}
    reached = [table.cursor]
    while reached:
        table.cursor = reached.pop()
        start = table.cursor
        for aside, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            table.cursor = start
            table.move(aside, down, width)
            if table.cursor not in seen:
                seen.add(table.cursor)
                reached.append(table.cursor)
    assert seen == {(place, at) for place in range(len(deal.groups)) for at in range(deal.groups[place].bit_count())}
    table.point(3)
    table.point(3)
    assert table.cursor == (3, 1)
    table.point(12)
    assert table.cursor == (3, 1)


def test_the_board_shows_where_one_points() -> None:
    deal = Deal.parse(DEAL)
    marked = draw_board(
        deal, CLASSIC, Style(ascii=True), highlight={0: TILES.mask([TILES.kind("56")])}, cursor=(1, 2), legend=False
    )
    assert marked.splitlines()[0].startswith(" 0 [1:3]<5:6>[2:6]   1 [4:4][2:5]{1:2}")
    both = draw_board(deal, CLASSIC, Style(ascii=True), highlight={1: TILES.mask([TILES.kind("12")])}, cursor=(1, 2))
    assert "(1:2)" in both
    assert "╔═══╗" in draw_board(deal, CLASSIC, Style(), cursor=(0, 0), large=False)


def test_lines() -> None:
    assert wrapped("", 20) == [""]
    assert wrapped("one two three four five", 9) == ["one two", "three", "four five"]
    lines = wrapped(WORDS["zh"]["keys"], 30)
    assert all(columns(line) <= 30 for line in lines)
    assert "".join(lines).replace(" ", "") == WORDS["zh"]["keys"].replace(" ", "")


# ---- the screen


class Here:
    """Answers questions without another process; ``slow`` ones never."""

    def __init__(self, slow: bool = False) -> None:
        self.slow = slow
        self.left = 0

    async def ask(self, question: Question) -> AsyncGenerator[dict[str, Any], None]:
        yield {"working": True}
        if self.slow:
            try:
                await asyncio.sleep(600)
            finally:
                self.left += 1
        yield {"answer": answer(question, lambda news: None)}


class Terminal(DummyOutput):
    def get_size(self) -> Size:
        return Size(rows=24, columns=80)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not condition():
            await asyncio.sleep(0.01)


def on_screen(keys: Callable[[Screen, PipeInput], Any], workers: Here | None = None, deal: str = DEAL) -> int:
    """Run the application while somebody types; returns its exit status."""
    deals = Deals(lambda: (game(LOST), "a new one"), lambda: (game(LOST), "of the day"))

    async def run(pipe: PipeInput) -> int:
        screen = Screen(Table(game(deal), "mine"), "title", deals, workers or Here(), Style())  # type: ignore[arg-type]
        running = asyncio.create_task(screen.application().run_async(pre_run=screen.learn))
        await keys(screen, pipe)
        async with asyncio.timeout(60):
            return await running

    with create_pipe_input() as pipe, create_app_session(input=pipe, output=Terminal()):
        return asyncio.run(run(pipe))


def test_keys() -> None:
    async def keys(screen: Screen, pipe: PipeInput) -> None:
        await until(lambda: screen.table.best is not None)
        assert screen.table.count() == "Moves: 0   shortest possible: 9"
        pipe.send_text("h")
        await until(lambda: screen.table.hinted is not None)
        pipe.send_text("w")
        await until(lambda: screen.table.says.startswith("Yes"))
        pipe.send_text("1\x1b[C\x1b[C 5 ")  # right twice: 1:2 of group 1, and the first tile of group 5
        await until(lambda: "valid" in screen.table.says)
        pipe.send_text("9\x1b[A")
        await until(lambda: screen.table.cursor == (5, 0))
        pipe.send_text("n")
        await until(lambda: screen.table.about == "a new one")
        await until(lambda: screen.table.best is not None)
        assert screen.table.count() == "Moves: 0   this deal can't be won"
        pipe.send_text("h")
        await until(lambda: screen.table.says == WORDS["en"]["no"])
        pipe.send_text("d")
        await until(lambda: screen.table.about == "of the day")
        pipe.send_text("q")

    assert on_screen(keys) == 0


def test_a_move_taken_back_and_done_again() -> None:
    move = (solve(DEAL).moves or ())[0]

    async def keys(screen: Screen, pipe: PipeInput) -> None:
        for place, out in zip(move.groups, move.out, strict=True):
            names = TILES.names(out)
            for at, name in enumerate(names):
                held = TILES.names(screen.table.session.position.groups[place])
                screen.table.cursor = place, [n for n, one in enumerate(held) if one == name][names[:at].count(name)]
                picked = len(screen.table.picked)
                pipe.send_text(" ")
                await until(lambda picked=picked: len(screen.table.picked) != picked)  # type: ignore[misc]
        for key, moves in (("u", 0), ("u", 0), ("r", 1), ("s", 0)):
            pipe.send_text(key)
            await until(lambda moves=moves: len(screen.table.session.moves) == moves)  # type: ignore[misc]
        pipe.send_text("\x03")

    assert on_screen(keys) == INTERRUPTED


def test_a_question_is_given_up() -> None:
    workers = Here(slow=True)

    async def keys(screen: Screen, pipe: PipeInput) -> None:
        pipe.send_text("w")
        await until(lambda: screen.table.says.startswith("Thinking"))
        pipe.send_text("\x1b")
        await until(lambda: workers.left == 1)
        assert screen.table.says == "Stopped."
        pipe.send_text("q")

    assert on_screen(keys, workers) == 0
    assert workers.left == 2


# ---- the command


def xsf(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize("serve", [[], ["--serve"]])
def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, serve: list[str]) -> None:
    missing = "uvicorn" if serve else "prompt_toolkit"
    monkeypatch.setitem(__import__("sys").modules, missing, None)
    result = xsf("play", *serve)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert missing in result.stderr
    assert "pip install 'xiangshifu[play]'" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "takes a terminal"),
        (["--port", "80"], "go with --serve"),
        (["--open"], "go with --serve"),
        ([DEAL, "--seed", "1"], "a deal of your own has no --layout, --seed or --index"),
        (["--index", "1"], "--index needs --seed"),
        (["--serve", "1-2-3"], "stray character"),
        (["--serve", "--goal", "shanghai"], "shanghai"),
        (["--serve", "--host", "no.such.host.invalid"], "can't serve at no.such.host.invalid"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(arguments: list[str], said: str) -> None:
    result = xsf("play", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_own_rules_are_not_for_the_page(tmp_path: Path) -> None:
    rules = Path(__file__).parents[2] / "data/rules/gentle.toml"
    result = xsf("play", "--serve", "--rules", str(rules))
    assert result.exit_code == 2
    assert "built-in rule sets only" in result.stderr
