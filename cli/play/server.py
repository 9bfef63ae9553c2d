"""The play page's server: hands out the page, deals and boards, and passes questions on to the solver.

It keeps no games: a game is kept by the page, and every request carries the position it is about. Anybody may send it
anything, so sizes, times and numbers are bounded, and an answer tells nothing of the machine.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from cli.play.daily import daily_deal, daily_seed, today
from cli.play.page import ASSETS, play_page, read_asset
from cli.play.questions import Question, answer
from cli.play.requests import MOST_BYTES, read_board, read_deal, read_exchange, read_layout, read_object, read_question
from cli.play.turns import Busy
from cli.play.words import WORDS, wrong
from cli.play.workers import Answer, Workers
from solver.errors import InputError
from solver.xiangshifu.goals import Goal
from solver.xiangshifu.position import TEN, Deal
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.session import Refused, board_json, exchange

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

READ_SECONDS = 10.0
"""For a request's body."""


@dataclass(frozen=True)
class Settings:
    """How the server is run.

    Attributes:
        workers: how many processes answer questions; one more builds tables.
        hosts: the names under which it may be called; ``*`` for any.
        may_build: whether it builds tables that are missing.
        respond: what a process does with a question.
    """

    workers: int = 2
    hosts: Sequence[str] = LOOPBACK
    may_build: bool = True
    respond: Answer = answer


def create_app(settings: Settings) -> Starlette:
    """The server as an ASGI application."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.settings = settings
        app.state.workers = Workers(settings.workers, settings.respond)
        # Building a table can take long: it has a process of its own, so that others are answered meanwhile.
        app.state.builder = Workers(1, settings.respond, ahead=False)
        # The first page loads much, which must not take place while somebody waits for it.
        await run_in_threadpool(lambda: [play_page(lang) for lang in WORDS])
        daily = asyncio.create_task(run_in_threadpool(daily_deal, today(), TEN))
        yield
        app.state.workers.close()
        app.state.builder.close()
        daily.cancel()

    return Starlette(
        routes=[
            Route("/", _page),
            Route("/api/deal", _deal),
            Route("/api/daily", _daily),
            Route("/api/board", _board, methods=["POST"]),
            Route("/api/exchange", _exchange, methods=["POST"]),
            Route("/api/ask/{kind}", _ask, methods=["POST"]),
            Route("/assets/{name}", _asset),
        ],
        middleware=[Middleware(_Guard, hosts=settings.hosts)],
        exception_handlers={InputError: _refused, HTTPException: _failed, Exception: _broken},
        lifespan=lifespan,
    )


class _Guard:
    """Turns away who calls by another name than the server's own, and adds the headers that every answer has.

    A page of somebody else's can have its own name lead to this machine; the name in the request gives it away.
    """

    def __init__(self, app: Any, hosts: Sequence[str]) -> None:
        self._app = app
        self._hosts = None if "*" in hosts else frozenset(hosts)
        self._headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def send_more(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif self._hosts is not None and _host(scope) not in self._hosts:
            await _error("this server goes by another name", 400)(scope, receive, send_more)
        else:
            await self._app(scope, receive, send_more)


def _host(scope: Any) -> str:
    """The name in a request, without the port; empty if there is none, or something else."""
    named = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    found = re.fullmatch(r"(\[[^\[\]]*\]|[^:@\[\]]*)(:[0-9]*)?", named.lower())
    return found[1] if found else ""


def _lang(request: Request) -> str:
    """The language in which the page that asks is written."""
    return "zh" if request.headers.get("accept-language", "").startswith("zh") else "en"


def _error(text: str, status: int, code: str = "bad") -> Response:
    return JSONResponse({"error": {"code": code, "text": text}}, status_code=status, headers={"Connection": "close"})


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, InputError)
    return _error(wrong(error, _lang(request)), 400)


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error(wrong(InputError(error.detail), _lang(request)), error.status_code)


async def _broken(request: Request, error: Exception) -> Response:
    answer = _error("the server made a mistake", 500, "mistake")
    answer.headers.update(HEADERS)
    return answer


async def _read(request: Request) -> dict[str, Any]:
    """The JSON object in a request, read no longer and no further than sensible; raises InputError, HTTPException."""
    # Pages of others can send anything but JSON without asking first.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "the request must be of type application/json")
    body = bytearray()
    try:
        async with asyncio.timeout(READ_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > MOST_BYTES:
                    raise HTTPException(413, "the request is too long")
    except TimeoutError:
        raise HTTPException(408, "the request took too long") from None
    except ClientDisconnect:
        raise HTTPException(400, "the request ended early") from None
    return read_object(bytes(body))


def _json(value: dict[str, Any]) -> Response:
    return JSONResponse(value, headers={"Cache-Control": "no-store"})


async def _page(request: Request) -> Response:
    page = play_page("zh" if request.query_params.get("lang") == "zh" else "en")
    return HTMLResponse(page, headers={"Cache-Control": "no-cache"})


async def _asset(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in ASSETS:
        raise HTTPException(404, "there is no such file")
    body, media = read_asset(name)
    return Response(body, media_type=media, headers={"Cache-Control": "no-cache"})


async def _deal(request: Request) -> Response:
    query, lang = dict(request.query_params), _lang(request)

    def find() -> dict[str, Any]:
        try:
            deal, seed, index = read_deal(query)
        except InputError as error:
            # People type deals: that one is wrong is a good answer, and no failure of the page.
            return {"wrong": wrong(error, lang)}
        # A seed may be longer than a number that JavaScript holds exactly.
        names = {"seed": None if seed is None else str(seed), "index": None if index is None else str(index)}
        return {"deal": str(deal), "layout": deal.layout.name, **names}

    return _json(await run_in_threadpool(find))


async def _daily(request: Request) -> Response:
    layout = read_layout(request.query_params.get("layout", "ten"))
    day = today()
    deal, index = await run_in_threadpool(daily_deal, day, layout)
    seed = str(daily_seed(day))
    return _json({"deal": str(deal), "layout": layout.name, "seed": seed, "index": str(index), "day": str(day)})


async def _board(request: Request) -> Response:
    record = await _read(request)

    def find() -> dict[str, Any]:
        board = read_board(record)
        return _board_of(board.position, board.rules, board.goal)

    return _json(await run_in_threadpool(find))


def _board_of(position: Deal, rules: RuleSet, goal: Goal) -> dict[str, Any]:
    return {
        "position": str(position),
        "layout": position.layout.name,
        "goal": goal.id,
        "groups": board_json(position, rules),
        "won": goal.reached(position, rules),
    }


async def _exchange(request: Request) -> Response:
    record = await _read(request)

    def find() -> dict[str, Any]:
        board = read_board(record)
        places, out = read_exchange(record)
        try:
            move = exchange(board.position, places, out, board.rules)
        except Refused as refused:
            return {"refused": {"code": refused.code, "values": refused.values}}
        changed = board.position.exchanged(*move.groups, move.after)
        after = Deal(changed.groups, changed.layout)
        return {"move": move.to_json(), **_board_of(after, board.rules, board.goal)}

    return _json(await run_in_threadpool(find))


async def _ask(request: Request) -> Response:
    state = request.app.state
    question = read_question(await _read(request), request.path_params["kind"], state.settings.may_build)
    builds = question.may_build and await run_in_threadpool(question.lacks_tables)
    asker = request.client.host if request.client else None
    lines = _lines(state.builder if builds else state.workers, question, asker)
    return StreamingResponse(lines, media_type="application/x-ndjson", headers={"Cache-Control": "no-store"})


async def _lines(workers: Workers, question: Question, asker: str | None) -> AsyncGenerator[str, None]:
    """What is said about a question, each time one line of JSON."""
    try:
        async with aclosing(workers.ask(question, asker)) as news:
            async for found in news:
                said = {"error": {"code": found["error"], "text": ""}} if "error" in found else found
                yield json.dumps(said, separators=(",", ":")) + "\n"
    except Busy:
        yield json.dumps({"error": {"code": "busy", "text": ""}}) + "\n"
