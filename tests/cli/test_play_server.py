"""The play server: its answers, and that it takes whatever anybody sends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import date
from typing import Any

import pytest
from answers import obey
from hypothesis import given, settings
from hypothesis import strategies as st
from playserver import Served, served

from cli.play import patience, server
from cli.play.daily import daily_deal, daily_seed
from cli.play.page import ASSETS
from cli.play.requests import MOST_BYTES, read_board, read_deal, read_exchange, read_object, read_question
from cli.play.server import HEADERS, Settings, create_app
from cli.play.words import EN, ERRORS, FAULTS, REFUSALS, ZH
from solver.errors import InputError
from solver.xiangshifu.position import EIGHT, TEN, Deal
from solver.xiangshifu.session import REASONS
from solver.xiangshifu.solve import solve

httpx = pytest.importorskip("httpx", reason="no httpx: pip install 'xiangshifu[test]'")

DEAL = "56-13-62 21-44-52 61-51-33 61-11-55 14-34-24 22-55-51 31-44-54 53-63-11 46-33-64 56-32-66 22-66"
CLIENTS = int(os.environ.get("XSF_CLIENTS", "100"))


# ---- requests, one by one

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda values: st.lists(values, max_size=4) | st.dictionaries(st.text(), values, max_size=4),
)
fields = st.fixed_dictionaries(
    {},
    optional={
        "position": json_values | st.just(DEAL) | st.text("0123456- "),
        "rules": json_values | st.just("classic+thirteen"),
        "goal": json_values | st.sampled_from(["any", "pair:22-22", "shanghai", "../etc"]),
        "places": json_values | st.lists(st.integers(-2, 12), max_size=3),
        "out": json_values | st.lists(st.lists(st.sampled_from(["11", "66", "", "é"]), max_size=2), max_size=3),
        "seed": json_values,
        "index": json_values,
        "deal": json_values,
        "layout": json_values | st.just("eight"),
    },
)


@settings(max_examples=30)
@given(fields)
def test_readers_raise_nothing_but_their_own_error(record: dict[str, Any]) -> None:
    readers: list[Callable[[], object]] = [
        lambda: read_board(record),
        lambda: read_exchange(record),
        lambda: read_question(record, "hint"),
        lambda: read_deal(record),
    ]
    for reader in readers:
        try:
            reader()
        except InputError as error:
            assert len(str(error)) < 300
            assert "\n" not in str(error)


@given(st.binary(max_size=60) | json_values.map(lambda value: json.dumps(value).encode()))
def test_bodies(body: bytes) -> None:
    try:
        assert isinstance(read_object(body), dict)
    except InputError as error:
        assert str(error).startswith("the request is ")


@pytest.mark.parametrize("body", [b"[" * 4000, b'{"a":' * 700, b"9" * 4000, b" " * (MOST_BYTES + 1)])
def test_bodies_that_are_too_deep_or_long(body: bytes) -> None:
    with pytest.raises(InputError):
        read_object(body)


# ---- the application without a network


@pytest.fixture(scope="module")
def ask() -> Iterator[Callable[..., Any]]:
    """Requests to one application that lives as long as this module's tests; its processes obey."""
    with asyncio.Runner() as runner:
        app = create_app(Settings(1, respond=obey))
        lifespan = app.router.lifespan_context(app)
        runner.run(lifespan.__aenter__())

        def request(method: str, path: str, host: str = "localhost", **options: Any) -> Any:
            async def run() -> Any:
                transport = httpx.ASGITransport(app, raise_app_exceptions=False)
                async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}", timeout=120) as client:
                    return await client.request(method, path, **options)

            return runner.run(run())

        yield request
        runner.run(lifespan.__aexit__(None, None, None))


def test_the_page_and_its_files(ask: Callable[..., Any]) -> None:
    for lang, words in (("en", EN), ("zh", ZH)):
        page = ask("GET", f"/?lang={lang}")
        assert page.status_code == 200
        assert words["title"] in page.text
    assert ask("GET", "/?lang=../x").text == ask("GET", "/").text
    for name, media in ASSETS.items():
        found = ask("GET", f"/assets/{name}")
        assert (found.status_code, found.headers["content-type"].partition(";")[0]) == (200, media)
        assert f"/assets/{name}" in ask("GET", "/").text


def test_every_answer_has_the_headers(ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "read_deal", lambda query: 1 / 0)
    answers = [
        ask("GET", "/"), ask("GET", "/assets/../server.py"), ask("GET", "/nothing"), ask("DELETE", "/"),
        ask("GET", "/api/daily?layout=round"), ask("GET", "/", host="evil.example"), ask("GET", "/api/deal"),
    ]  # fmt: skip
    assert [answer.status_code for answer in answers] == [200, 404, 404, 405, 400, 400, 500]
    for answer in answers:
        assert HEADERS.items() <= {name.title(): value for name, value in answer.headers.items()}.items()
    assert answers[-1].json()["error"] == {"code": "mistake", "text": "the server made a mistake"}


def test_deals(ask: Callable[..., Any]) -> None:
    found = ask("GET", f"/api/deal?layout=eight&seed={2**63 + 1}&index=5").json()
    assert found == {
        "deal": str(Deal.random(2**63 + 1, 5, EIGHT)), "layout": "eight", "seed": str(2**63 + 1), "index": "5",
    }  # fmt: skip
    one, other = (ask("GET", "/api/deal").json() for _ in range(2))
    assert one["seed"] != other["seed"]
    assert ask("GET", "/api/deal", params={"deal": DEAL}).json()["deal"] == str(Deal.parse(DEAL))
    seeds = ("seed=-1", "seed=x", "seed=1&index=1e9", "seed=²")
    for query in ("deal=1-2", "deal=", "deal=" + "1" * 2000, *seeds, "layout=../x"):
        answer = ask("GET", f"/api/deal?{query}")
        assert (answer.status_code, list(answer.json())) == (200, ["wrong"])


def test_what_is_wrong_is_said_in_the_language_of_the_page(ask: Callable[..., Any]) -> None:
    for lang, wrong, other in (
        ("en", "tile 37 does not exist (column 1)", "layout must be one of ten, shanghai, eight"),
        ("zh", "沒有 37 這張牌（第 1 個字）", "沒有這種局式"),
    ):
        headers = {"Accept-Language": lang}
        assert ask("GET", "/api/deal?deal=37", headers=headers).json() == {"wrong": wrong}
        found = ask("GET", "/api/daily?layout=round", headers=headers)
        assert (found.status_code, found.json()["error"]["text"]) == (400, other)
    failed = ask("POST", "/api/board", content=b"", headers={"Accept-Language": "zh"})
    assert (failed.status_code, failed.json()["error"]["text"]) == (415, FAULTS["other"])


def test_the_deal_of_the_day(ask: Callable[..., Any]) -> None:
    found = ask("GET", "/api/daily").json()
    day = date.fromisoformat(found["day"])
    assert found["deal"] == str(Deal.random(int(found["seed"]), int(found["index"]), TEN))
    assert int(found["seed"]) == daily_seed(day)
    assert daily_seed(date(2025, 1, 31)) == 20250131
    deal, index = daily_deal(date(2025, 1, 31), TEN)
    assert solve(deal).verdict == "winnable"
    before = [solve(Deal.random(20250131, earlier, TEN)).verdict for earlier in range(index)]
    assert set(before) <= {"unwinnable"}


def test_exchanges(ask: Callable[..., Any]) -> None:
    game = {"position": DEAL, "rules": "classic", "goal": "any"}
    board = ask("POST", "/api/board", json=game).json()
    assert (board["won"], len(board["groups"])) == (False, 11)
    done = ask("POST", "/api/exchange", json={**game, "places": [10, 8], "out": [["66", "22"], ["46", "46"]]}).json()
    assert done["groups"][10] == {"tiles": ["46", "46"], "valid": True, "names": ["civilian"]}
    refused = ask("POST", "/api/exchange", json={**game, "places": [0, 1], "out": [["56"], ["12"]]}).json()
    assert refused == {"refused": {"code": "both-invalid", "values": {"group": "13-26-12", "other": "44-56-25"}}}
    wrong = ask("POST", "/api/exchange", json={**game, "places": [0, 1], "out": [["99"], ["12"]]})
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (400, "bad")


def test_only_json_of_a_sensible_length(ask: Callable[..., Any]) -> None:
    body = json.dumps({"position": DEAL}).encode()
    assert ask("POST", "/api/board", content=body).status_code == 415
    assert ask("POST", "/api/board", content=body, headers={"Content-Type": "text/plain"}).status_code == 415
    kind = {"Content-Type": "application/json; charset=utf-8"}
    assert ask("POST", "/api/board", content=body, headers=kind).status_code == 200
    assert ask("POST", "/api/board", content=body + b" " * MOST_BYTES, headers=kind).status_code == 413
    assert ask("POST", "/api/board", content=b"\xff{", headers=kind).status_code == 400


def test_a_body_that_never_ends(ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "READ_SECONDS", 0.05)

    async def body() -> AsyncIterator[bytes]:
        yield b'{"position"'
        await asyncio.sleep(60)

    answer = ask("POST", "/api/board", content=body(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 408


def test_names_of_the_server(ask: Callable[..., Any]) -> None:
    for host in ("127.0.0.1:99", "[::1]:99", "[::1]", "localhost", "LocalHost:8017"):
        assert ask("GET", "/", headers={"Host": host}).status_code == 200
    for host in ("127.0.0.1.nip.io", "localhost.", "localhost:80@evil", "[::1]evil", "[::1", "", "localhost:x"):
        assert ask("GET", "/", headers={"Host": host}).status_code == 400


def test_pages_of_others_can_not_ask(ask: Callable[..., Any]) -> None:
    """To send JSON a page of somebody else's has to ask for leave first, and gets none."""
    asks = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    answer = ask("OPTIONS", "/api/board", headers=asks | {"Access-Control-Request-Headers": "content-type"})
    assert answer.status_code == 405
    answers = [answer, ask("GET", "/api/deal", headers=asks), ask("HEAD", "/api/deal", headers=asks)]
    assert not any(name.startswith("access-control") for one in answers for name in one.headers)


def test_numbers_and_letters_that_are_none(ask: Callable[..., Any]) -> None:
    """Whatever JSON can write is either understood or refused, and never an error of the server's own."""
    head = f'{{"position": "{DEAL}", '
    for body, status in (
        (f'{head}"places": [{"9" * 3800}, 1], "out": [["11"], ["22"]]}}', 200),
        (head + '"places": [1e999, NaN], "out": [["11"], ["22"]]}', 400),
        (head + '"places": [0, 1], "out": [["\\ud800"], ["22"]]}', 400),
        ('{"position": "\\ud800"}', 400),
        (head + '"goal": "pair:\\ud800"}', 400),
        (head + '"rules": "/etc/passwd"}', 400),
    ):
        found = ask("POST", "/api/exchange", content=body, headers={"Content-Type": "application/json"})
        assert found.status_code == status
        assert found.json().keys() <= {"refused", "error"}


def test_questions(ask: Callable[..., Any]) -> None:
    found = ask("POST", "/api/ask/hint", json={"position": DEAL})
    *news, last = map(json.loads, found.text.splitlines())
    assert {"working": True} in news
    assert last["answer"]["verdict"] == "winnable"
    for path, record in (("why", {"position": DEAL}), ("hint", {"position": DEAL, "goal": "never"}), ("hint", {})):
        assert ask("POST", f"/api/ask/{path}", json=record).status_code == 400


def test_all_words_are_there_in_both_languages() -> None:
    assert EN.keys() == ZH.keys()
    assert ERRORS["en"].keys() == ERRORS["zh"].keys()
    assert REFUSALS["en"].keys() == REFUSALS["zh"].keys() == REASONS.keys()
    for code, text in REFUSALS["en"].items():
        assert _blanks(text) == _blanks(REFUSALS["zh"][code])
    for word, text in EN.items():
        assert _blanks(text) == _blanks(ZH[word])


def _blanks(text: str) -> set[str]:
    return {part.partition("}")[0] for part in text.split("{")[1:]}


# ---- clients that keep one waiting


async def _endless(scope: Any, receive: Any, send: Any) -> None:
    """An application that says ever more."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while True:
        await send({"type": "http.response.body", "body": b"x" * 65536, "more_body": True})
        await asyncio.sleep(0)


async def _short(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


def serving(app: Any, test: Callable[[int], Awaitable[None]]) -> None:
    async def run() -> None:
        ready = asyncio.Event()
        listener = patience.listen("127.0.0.1", 0)
        one = patience.make_server(app, listener, lambda port: ready.set())
        task = asyncio.create_task(one._serve([listener]))
        async with asyncio.timeout(60):
            await ready.wait()
            await test(listener.getsockname()[1])
            one.should_exit = True
            await task

    asyncio.run(run())


async def _until_closed(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionError:
        return b""


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\n"])
def test_a_request_that_never_comes(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(patience, "REQUEST_SECONDS", 0.2)

    async def test(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        assert await _until_closed(reader) == b""
        writer.close()

    serving(_short, test)


def test_the_second_request_must_come_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "REQUEST_SECONDS", 0.3)

    async def test(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        writer.write(b"GET / HT")
        assert await _until_closed(reader) == b""
        writer.close()

    serving(_short, test)


def test_an_answer_that_is_never_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "SEND_SECONDS", 0.2)

    async def test(port: int) -> None:
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            while _peers(port) == 1:
                await asyncio.sleep(0.05)

    serving(_endless, test)


def _peers(port: int) -> int:
    """Connections of this process to a port that are still open on the server's side."""
    with open("/proc/net/tcp", encoding="ascii") as file:
        rows = [line.split() for line in file][1:]
    return sum(row[1].endswith(f":{port:04X}") and row[3] == "01" for row in rows)


def test_too_many_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "MOST_CONNECTIONS", 3)

    async def test(port: int) -> None:
        pairs = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4)]
        assert await _until_closed(pairs[3][0]) == b""
        pairs[0][1].write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert (await pairs[0][0].readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        for _, writer in pairs:
            writer.close()

    serving(_short, test)


def test_one_address_does_not_take_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "MOST_OF_ONE", 2)

    async def test(port: int) -> None:
        pairs = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        assert await _until_closed(pairs[2][0]) == b""
        other = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0))
        other[1].write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert (await other[0].readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        for _, writer in (*pairs, other):
            writer.close()

    serving(_short, test)


def test_where_it_cannot_listen() -> None:
    with patience.listen("127.0.0.1", 0) as taken, pytest.raises(InputError) as error:
        patience.listen("127.0.0.1", taken.getsockname()[1])
    assert str(error.value).endswith("address already in use")


# ---- as people run it


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server without any tables."""
    with served(cache=tmp_path_factory.mktemp("cache")) as one:
        yield one


def test_many_clients_at_once_are_all_answered(running: Served) -> None:
    """Some ask, some dawdle, some talk nonsense; ``XSF_CLIENTS`` says how many of each."""

    async def ask(client: Any, number: int) -> str:
        deal = Deal.random(2, number)
        found = await client.post("/api/ask/winnable", json={"position": str(deal)})
        verdict = json.loads(found.text.splitlines()[-1])["answer"]["verdict"]
        assert verdict == solve(deal).verdict
        return str(verdict)

    async def look(client: Any, number: int) -> int:
        return int((await client.get("/", params={"seed": number})).status_code)

    async def dawdle() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
        writer.write(b"POST /api/board HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n")
        return reader, writer

    async def babble(number: int) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
        writer.write(bytes((number * step) % 256 for step in range(1, 300)) + b"\r\n\r\n")
        said = await _until_closed(reader)
        writer.close()
        return said

    async def run() -> None:
        limits = httpx.Limits(max_connections=2 * CLIENTS)
        async with httpx.AsyncClient(base_url=running.url, limits=limits, timeout=240) as client:
            slow = [await dawdle() for _ in range(CLIENTS)]
            asked = asyncio.gather(*(ask(client, number) for number in range(CLIENTS)))
            looked = asyncio.gather(*(look(client, number) for number in range(CLIENTS)))
            babbled = asyncio.gather(*(babble(number) for number in range(CLIENTS)))
            assert set(await looked) == {200}
            assert set(await asked) <= {"winnable", "unwinnable"}
            assert all(said == b"" or said.startswith(b"HTTP/1.1 4") for said in await babbled)
            for _, writer in slow:
                writer.close()

    asyncio.run(run())


def test_who_goes_stops_the_work(running: Served) -> None:
    """A question whose table is missing takes minutes; its process is gone once nobody waits for it."""

    async def run() -> None:
        record = {"position": DEAL, "goal": "pair:22-22"}
        before = running.children()
        async with (
            httpx.AsyncClient(base_url=running.url, timeout=120) as client,
            client.stream("POST", "/api/ask/hint", json=record) as answer,
        ):
            lines = answer.aiter_lines()
            assert json.loads(await anext(lines)) == {"working": True}
            (builder,) = running.children() - before
        while os.path.exists(f"/proc/{builder}"):
            await asyncio.sleep(0.05)

    asyncio.run(run())


def test_ctrl_c_leaves_nothing_behind() -> None:
    with served("--lang", "zh", "--seed", "7") as one:
        assert one.url.endswith("/?lang=zh&layout=ten&seed=7&index=0")
        children = one.children()
        assert children
        os.killpg(one.process.pid, signal.SIGINT)
        assert one.process.wait(60) == 130
        assert one.process.stderr is not None
        assert one.process.stderr.read().strip() == "xsf: interrupted"
    # Multiprocessing's own helper goes by itself a moment later.
    for _ in range(600):
        if not any(os.path.exists(f"/proc/{child}") for child in children):
            return
        time.sleep(0.05)
    raise AssertionError("processes are left")
