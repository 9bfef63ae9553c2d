"""``xsf play``."""

from __future__ import annotations

import ipaddress
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import click

from cli.common import Input, announce_compiling, ascii_option, goal_option, note, rules_option, style
from cli.pictures import lang_option, only_one
from solver.errors import Fault, InputError

if TYPE_CHECKING:
    from solver.xiangshifu.goals import Goal
    from solver.xiangshifu.position import Deal, Layout
    from solver.xiangshifu.rules import RuleSet
    from solver.xiangshifu.session import Session

HOST, PORT = "127.0.0.1", 8017
WORKERS = 2


@click.command("play")
@click.argument("source", metavar="[DEAL]", required=False)
@click.option("--layout", type=click.Choice(["ten", "shanghai", "eight"]), help="Layout of the deal.  [default: ten]")
@click.option("--seed", type=click.IntRange(min=0), metavar="S", help="Seed of the deal.  [default: a random one]")
@click.option("--index", type=click.IntRange(min=0), metavar="I", help="Number of the deal.  [default: 0]")
@rules_option
@goal_option
@click.option("--serve", is_flag=True, help="Play in the browser: serve a page until Ctrl-C.")
@click.option("--host", metavar="H", help=f"Where to serve; others than this machine reach 0.0.0.0.  [default: {HOST}]")
@click.option("--port", type=click.IntRange(0, 65535), metavar="P", help=f"0 for any that is free.  [default: {PORT}]")
@click.option("--open", "opens", is_flag=True, help="Also open the page in the browser.")
@lang_option
@ascii_option
def command(
    source: str | None,
    layout: str | None,
    seed: int | None,
    index: int | None,
    rules: RuleSet,
    goal: str | None,
    serve: bool,
    host: str | None,
    port: int | None,
    opens: bool,
    lang: str,
    only_ascii: bool,
) -> int:
    """Play the patience in the terminal, or with --serve in the browser.

    The game begins with DEAL (one in quotes, or a file), with deal number I of seed S, or with a random one; the page
    without any of these with the deal of the day. The solver helps: it shows best moves, and tells whether the game can
    still be won. A goal other than any takes tables, which are built when they are first needed.

    The page is for this machine only unless --host says otherwise. A server for others builds no tables.
    """
    if not serve and (host is not None or port is not None or opens):
        raise click.UsageError("--host, --port and --open go with --serve")
    if source is not None and (layout is not None or seed is not None or index is not None):
        raise click.UsageError("a deal of your own has no --layout, --seed or --index")
    if index is not None and seed is None:
        raise click.UsageError("--index needs --seed")
    if serve:
        _need("jinja2", "starlette", "uvicorn")
        with _complaining(lang):
            query = _query(source, layout, seed, index, rules, goal, lang)
        return _serve(HOST if host is None else host, PORT if port is None else port, query, opens)
    _need("prompt_toolkit")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("to play with keys takes a terminal; --serve plays in the browser")
    with _complaining(lang):
        return _play(source, layout, seed, index or 0, rules, goal, lang, only_ascii)


@contextmanager
def _complaining(lang: str) -> Iterator[None]:
    """Say in a language what is wrong with the deal or the goal."""
    from cli.play.words import wrong

    try:
        yield
    except InputError as error:
        if not error.faults:
            raise
        raise InputError(wrong(error, lang)) from error


def _need(*modules: str) -> None:
    """Raise InputError if a module of the extra is missing."""
    for module in modules:
        try:
            import_module(module)
        except ImportError as error:
            raise InputError(f"xsf play needs {module} ({error}): pip install 'xiangshifu[play]'") from error


def _own_deal(source: str) -> Deal:
    """The deal that the argument gives; raises InputError, UsageError."""
    from solver.xiangshifu.position import Deal

    try:
        given = Input(source, "a deal")
    except InputError as error:
        raise InputError(str(error), Fault("no-deal")) from None
    texts = only_one([text for _, text in given.numbered()], "xsf play")
    if not texts:
        raise InputError(f"{source}: no deal", Fault("no-deal"))
    return Deal.parse(texts[0])


def _compile() -> None:
    """Compile what is missing once, before several processes do."""
    from solver.cache import kernels_are_cached

    if not kernels_are_cached():
        from cli.play.questions import answer
        from cli.play.workers import WARM_UP

        announce_compiling()
        answer(WARM_UP, lambda news: None)


# In the browser


def _query(
    source: str | None,
    layout: str | None,
    seed: int | None,
    index: int | None,
    rules: RuleSet,
    goal: str | None,
    lang: str,
) -> dict[str, str]:
    """What the page's address says of the first game; raises InputError."""
    from solver.xiangshifu.goals import parse_goal
    from solver.xiangshifu.position import LAYOUTS, TEN
    from solver.xiangshifu.tablebase import is_builtin

    if not is_builtin(rules):
        raise InputError(f"rules {rules.id}: the page plays built-in rule sets only; without --serve any can be played")
    query = {} if lang == "en" else {"lang": lang}
    on = TEN if layout is None else LAYOUTS[layout]
    if source is not None:
        deal = _own_deal(source)
        query["deal"], on = str(deal), deal.layout
    elif seed is not None:
        query |= {"layout": on.name, "seed": str(seed), "index": str(index or 0)}
    elif layout is not None:
        query["layout"] = on.name
    if rules.id != "classic":
        query["rules"] = rules.id
    if goal is not None:
        query["goal"] = parse_goal(goal, on).id
    return query


def _serve(host: str, port: int, query: dict[str, str], opens: bool) -> int:
    from cli.play.patience import listen, serve
    from cli.play.server import LOOPBACK, Settings, create_app

    listener = listen(host, port)
    _compile()
    here = _is_this_machine(host)
    settings = Settings(WORKERS, (*LOOPBACK, host) if here else ("*",), may_build=here)

    def ready(port: int) -> None:
        name = f"[{host}]" if ":" in host else host
        url = f"http://{name}:{port}/{'?' if query else ''}{urlencode(query)}"
        note(f"play at {url} (Ctrl-C ends)")
        if opens:
            # A browser in the terminal would keep the server waiting.
            Thread(target=webbrowser.open, args=(url,), daemon=True).start()

    serve(create_app(settings), listener, ready)
    return 0


def _is_this_machine(host: str) -> bool:
    """Whether nobody but this machine can call a host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


# In the terminal


def _play(
    source: str | None,
    layout: str | None,
    seed: int | None,
    index: int,
    rules: RuleSet,
    goal: str | None,
    lang: str,
    only_ascii: bool,
) -> int:
    from cli.play.daily import daily_deal, today
    from cli.play.table import Table
    from cli.play.terminal import Deals, play
    from cli.play.words import WORDS
    from cli.show.goal import goal_text
    from solver.shuffle import fresh_seed
    from solver.xiangshifu.goals import parse_goal
    from solver.xiangshifu.names import LAYOUTS as NAMES
    from solver.xiangshifu.names import rules_name
    from solver.xiangshifu.position import LAYOUTS, TEN, Deal
    from solver.xiangshifu.session import Session

    announce_compiling()
    own = None if source is None else _own_deal(source)
    on: Layout = own.layout if own is not None else TEN if layout is None else LAYOUTS[layout]
    wanted: Goal = parse_goal(goal, on)
    words = WORDS[lang]

    def random(seed: int, index: int) -> tuple[Session, str]:
        about = words["seed"].format(seed=seed, index=index)
        return Session(Deal.random(seed, index, on), rules, wanted), about

    def daily() -> tuple[Session, str]:
        return Session(daily_deal(today(), on)[0], rules, wanted), words["dailyDeal"].format(day=today())

    if own is not None:
        first = Session(own, rules, wanted), words["ownDeal"]
    else:
        first = random(fresh_seed() if seed is None else seed, index)
    _compile()
    comma = words["comma"]
    title = comma.join([NAMES[on.name].within(lang), rules_name(rules.id, lang), goal_text(wanted.id, lang)])
    deals = Deals(lambda: random(fresh_seed(), 0), daily)
    return play(Table(*first, lang), title, deals, style(only_ascii, lang))
