"""``xsf daifugo play``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.cards.play import YOU, log_option, play_deals, told_apart, write_lines
from cli.cards.surveys import players_of
from cli.common import announce_compiling, ascii_option, seed_option, seed_or_new, style
from cli.daifugo.options import daifugo_rules_option
from solver.errors import InputError

if TYPE_CHECKING:
    from cli.show.daifugo import Teller
    from solver.daifugo.match import Match
    from solver.daifugo.rules import RuleSet

OPPONENTS = "greedy"


@click.command("play")
@daifugo_rules_option
@click.option(
    "--players", metavar="A,B,...", help="Who plays against you, clockwise from your left.  [default: three greedy]"
)
@seed_option
@click.option("--rounds", type=click.IntRange(min=1), metavar="N", help="How many deals; default: as the rules say.")
@click.option("--hints", is_flag=True, help="Show the legal plays, and advice, before every turn.")
@log_option
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
    from cli.daifugo.person import Person
    from cli.show.daifugo import Names, Teller
    from solver.daifugo.match import Match
    from solver.daifugo.roster import make_player

    if rounds is not None and rounds != rules.rounds:
        rules = rules.with_option(f"rounds={rounds}")
    if save is not None and rules.ten_discard:
        raise InputError(f"{save}: records can't hold the discards of ten_discard; --log can")
    opponents = _opponents(players, rules)
    rules.check_players(len(opponents) + 1)
    seed, look = seed_or_new(seed), style(only_ascii)
    names = Names((YOU, *told_apart(opponents)), 0, rules.rounds)
    teller = Teller(names, look)
    announce_compiling()
    person = Person(teller, look, make_player(_adviser()), hints=hints)
    match = Match(rules, [person, *opponents], seed, names=names.names)
    play_deals(match, rules.rounds, lambda: _results(match, teller), lambda: _save(match, log, save))
    return 0


def _opponents(players: str | None, rules: RuleSet) -> list[str]:
    from solver.daifugo.roster import PLAYERS

    if players is None:
        return [OPPONENTS] * ((rules.players or 4) - 1)
    names = [*players_of(players)]
    for name in names:
        if name not in PLAYERS:
            raise InputError(f"--players: {name!r} is no player; known are {', '.join(PLAYERS)}")
    return names


def _adviser() -> str:
    """The strongest player that answers at once."""
    from solver.daifugo.roster import PLAYERS

    return next(name for name in ("rules", "greedy") if name in PLAYERS)


def _results(match: Match, teller: Teller) -> list[str]:
    from solver.daifugo.events import Finished

    end = match.events[-1]
    assert isinstance(end, Finished)
    return teller.results(end, match.totals)


def _save(match: Match, log: Path | None, save: Path | None) -> None:
    def records() -> Iterable[str]:
        from solver.daifugo.records import format_records
        from solver.daifugo.replay import records_of

        return format_records(records_of(match), match.names)

    write_lines(log, match.log)
    write_lines(save, records)
