"""``xsf cuajo play`` and ``xsf cuajo replay``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.cards.play import YOU, log_option, play_deals, told_apart, write_lines
from cli.cards.surveys import players_of
from cli.common import (
    FAILED,
    announce_compiling,
    ascii_option,
    compact_json,
    json_option,
    note,
    seed_option,
    seed_or_new,
    style,
)
from cli.cuajo.options import rules_option
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.cuajo.rules import RuleSet


@click.command("play")
@rules_option
@click.option(
    "--players",
    default="simple,simple,simple",
    show_default=True,
    metavar="A,B,C",
    help="The next player, your partner, and the player before you: random, simple or careful.",
)
@seed_option
@click.option("--deals", type=click.IntRange(min=1), default=4, show_default=True, metavar="N", help="How many deals.")
@click.option("--hints", is_flag=True, help="Show the distance, the best discards and advice before every turn.")
@log_option
@ascii_option
def play(
    rules: RuleSet, players: str, seed: int | None, deals: int, hints: bool, log: Path | None, only_ascii: bool
) -> int:
    """Play against two of the library's players, with a third as your partner.

    Type d to draw, t to take the discard, a card to discard it, w to win, ? for hints, help for the rest.
    xsf cuajo replay reads what --log saves.
    """
    announce_compiling()
    from cli.cuajo.person import Person
    from cli.cuajo.table import Teller
    from solver.cuajo.match import Match
    from solver.cuajo.players import make_player

    others = players_of(players)
    if len(others) != 3:
        raise InputError(f"--players: three are needed beside you, not {len(others)}")
    seed, look = seed_or_new(seed), style(only_ascii)
    following, partner, preceding = told_apart(others)
    names = (YOU, following, f"{partner} (partner)", preceding)
    teller = Teller(names, 0, look)
    person = Person(teller, look, make_player("careful"), hints=hints)
    match = Match(rules, [person, *others], seed, names=names)
    play_deals(match, deals, lambda: [teller.totals(match.totals)], lambda: write_lines(log, match.log))
    return 0


@click.command("replay")
@click.argument("path", type=click.Path(path_type=Path), metavar="FILE")
@json_option
def replay(path: Path, as_json: bool) -> int:
    """Play a log again, check every event in it, and tell the results; exit status 1 if anything does not follow."""
    announce_compiling()
    from solver.cuajo.match import replay_log

    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    try:
        match = replay_log(lines)
    except InputError as error:
        note(f"{path}: {error}")
        return FAILED
    for result in match.results:
        if as_json:
            record = {"deal": result.number, "dealer": result.dealer, "winner": result.winner, "cents": result.cents}
            click.echo(compact_json({"schema": 1, **record}))
        else:
            won = "a draw" if result.winner is None else f"{match.names[result.winner]} wins"
            cents = "  ".join(f"{name} {each:+}" for name, each in zip(match.names, result.cents, strict=True))
            click.echo(f"deal {result.number + 1}: {won}; {cents}")
    return 0
