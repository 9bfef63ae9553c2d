"""``xsf cuajo play`` and ``xsf cuajo replay``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import announce_compiling, ascii_option, json_option, note, style
from cli.cuajo.options import rules_option
from cli.cuajo.surveys import players_of
from cli.output import replacing
from cli.solve import compact_json
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.cuajo.match import Match
    from solver.cuajo.rules import RuleSet

YOU = "you"
REPLAY_FAILED = 1


@click.command("play")
@rules_option
@click.option(
    "--players",
    default="simple,simple,simple",
    show_default=True,
    metavar="A,B,C",
    help="The next player, your partner, and the player before you: random, simple or careful.",
)
@click.option("--seed", type=click.IntRange(min=0), metavar="S", help="Default: a random one, printed on stderr.")
@click.option("--deals", type=click.IntRange(min=1), default=4, show_default=True, metavar="N", help="How many deals.")
@click.option("--hints", is_flag=True, help="Show the distance, the best discards and advice before every turn.")
@click.option("--log", type=click.Path(path_type=Path), metavar="FILE", help="Save what happens as JSON lines.")
@ascii_option
def play(
    rules: RuleSet, players: str, seed: int | None, deals: int, hints: bool, log: Path | None, only_ascii: bool
) -> int:
    """Play against two of the library's players, with a third as your partner.

    Type d to draw, t to take the discard, a card to discard it, w to win, ? for hints, help for the rest.
    xsf cuajo replay reads what --log saves.
    """
    announce_compiling()
    from cli.cuajo.person import Leave, Person
    from cli.cuajo.table import Teller
    from solver.cuajo.match import Match, player_seed
    from solver.cuajo.players import make_player
    from solver.shuffle import fresh_seed

    others = players_of(players)
    if len(others) != 3:
        raise InputError(f"--players: three are needed beside you, not {len(others)}")
    if seed is None:
        seed = fresh_seed()
        note(f"seed {seed}")
    names, look = (YOU, *_told_apart(others)), style(only_ascii)
    teller = Teller(names, 0, look)
    person = Person(teller, look, make_player("careful"), always=hints)
    seats = [person, *(make_player(name, player_seed(seed, number)) for number, name in enumerate(others, 1))]
    match = Match(rules, seats, seed, names=names)
    _save(match, log)
    try:
        for _ in range(deals):
            match.play_deal()
            click.echo(teller.totals(match.totals))
            _save(match, log)
    except Leave:
        click.echo("left")
    return 0


def _told_apart(names: tuple[str, ...]) -> list[str]:
    """Names with a number where they occur more than once; the partner is told."""
    total, seen = Counter(names), Counter[str]()
    told = []
    for place, name in enumerate(names):
        seen[name] += 1
        number = f" {seen[name]}" if total[name] > 1 else ""
        told.append(f"{name}{number}{' (partner)' if place == 1 else ''}")
    return told


def _save(match: Match, log: Path | None) -> None:
    """Write what there is; before the first deal too, so that a bad path is told at once."""
    if log is not None:
        with replacing(log) as temporary:
            temporary.write_text("".join(line + "\n" for line in match.log()), encoding="utf-8")


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
        return REPLAY_FAILED
    for result in match.results:
        if as_json:
            record = {"deal": result.number, "dealer": result.dealer, "winner": result.winner, "cents": result.cents}
            click.echo(compact_json({"schema": 1, **record}))
        else:
            won = "a draw" if result.winner is None else f"{match.names[result.winner]} wins"
            cents = "  ".join(f"{name} {each:+}" for name, each in zip(match.names, result.cents, strict=True))
            click.echo(f"deal {result.number + 1}: {won}; {cents}")
    return 0
