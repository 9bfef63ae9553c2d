"""``xsf daifugo play``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import announce_compiling, ascii_option, note, style
from cli.daifugo.options import daifugo_rules_option
from cli.output import replacing
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.daifugo.match import Match
    from solver.daifugo.rules import RuleSet

OPPONENTS = "greedy"
YOU = "you"


@click.command("play")
@daifugo_rules_option
@click.option(
    "--players", metavar="A,B,...", help="Who plays against you, clockwise from your left.  [default: three greedy]"
)
@click.option("--seed", type=click.IntRange(min=0), metavar="S", help="Default: a random one, printed on stderr.")
@click.option("--rounds", type=click.IntRange(min=1), metavar="N", help="How many deals; default: as the rules say.")
@click.option("--hints", is_flag=True, help="Show the legal plays, and advice, before every turn.")
@click.option("--log", type=click.Path(path_type=Path), metavar="FILE", help="Save what happens as JSON lines.")
@click.option("--save", type=click.Path(path_type=Path), metavar="FILE", help="Save records of the deals.")
@ascii_option
def command(
    rules: RuleSet,
    players: str | None,
    seed: int | None,
    rounds: int | None,
    hints: bool,
    log: Path | None,
    save: Path | None,
    only_ascii: bool,
) -> int:
    """Play against the players of the library.

    Type cards to play them, p to pass, ? for the legal plays and advice, q to leave. Files hold the deals played to
    the end; xsf daifugo replay reads both kinds.
    """
    from cli.daifugo.person import Leave, Person
    from cli.show.daifugo import Names, Teller
    from solver.daifugo.match import Match, player_seed
    from solver.daifugo.roster import make_player
    from solver.shuffle import fresh_seed

    if rounds is not None and rounds != rules.rounds:
        rules = rules.with_option(f"rounds={rounds}")
    if save is not None and rules.ten_discard:
        raise InputError(f"{save}: records can't hold the discards of ten_discard; --log can")
    opponents = _opponents(players, rules)
    rules.check_players(len(opponents) + 1)
    if seed is None:
        seed = fresh_seed()
        note(f"seed {seed}")
    look = style(only_ascii)
    names = Names((YOU, *_told_apart(opponents)), 0, rules.rounds)
    teller = Teller(names, look)
    others = [make_player(name, player_seed(seed, number)) for number, name in enumerate(opponents, 1)]
    announce_compiling()
    person = Person(teller, look, make_player(_adviser()), hints=hints)
    match = Match(rules, [person, *others], seed, names=names.names)
    _save(match, log, save)
    try:
        for _ in range(rules.rounds):
            match.play_deal()
            _tell_result(match, teller)
            _save(match, log, save)
    except Leave:
        click.echo("left")
    return 0


def _opponents(players: str | None, rules: RuleSet) -> list[str]:
    from solver.daifugo.roster import PLAYERS

    if players is None:
        return [OPPONENTS] * ((rules.players or 4) - 1)
    names = [name.strip() for name in players.split(",")]
    for name in names:
        if name not in PLAYERS:
            raise InputError(f"--players: {name!r} is no player; known are {', '.join(PLAYERS)}")
    return names


def _told_apart(names: list[str]) -> list[str]:
    """Names with a number where they occur more than once."""
    total, seen = Counter(names), Counter[str]()
    told = []
    for name in names:
        seen[name] += 1
        told.append(f"{name} {seen[name]}" if total[name] > 1 else name)
    return told


def _adviser() -> str:
    """The strongest player that answers at once."""
    from solver.daifugo.roster import PLAYERS

    return next(name for name in ("rules", "greedy") if name in PLAYERS)


def _tell_result(match: Match, teller: object) -> None:
    from cli.show.daifugo import Teller
    from solver.daifugo.events import Finished

    end = match.events[-1]
    assert isinstance(end, Finished)
    assert isinstance(teller, Teller)
    for line in teller.results(end, match.totals):
        click.echo(line)


def _save(match: Match, log: Path | None, save: Path | None) -> None:
    """Write what there is; before the first deal too, so that a bad path is told at once."""
    from solver.daifugo.records import format_records
    from solver.daifugo.replay import records_of

    for path, lines in (
        (log, match.log() if log else []),
        (save, format_records(records_of(match), match.names) if save else []),
    ):
        if path is not None:
            with replacing(path) as temporary:
                temporary.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
