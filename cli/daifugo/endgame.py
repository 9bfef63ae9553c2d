"""``xsf daifugo endgame``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.common import UNDECIDED, announce_compiling, ascii_option, compact_json, json_option, style
from cli.daifugo.options import daifugo_rules_option

if TYPE_CHECKING:
    from solver.daifugo.rules import RuleSet


@click.command("endgame")
# An option takes no list of values; so it is a flag, and what follows are the command's arguments.
@click.option(
    "--hands", "follow", is_flag=True, expose_value=False, help="The players' cards follow, clockwise from player 0."
)
@click.argument("hands", nargs=-1, metavar='"CARDS"...')
@daifugo_rules_option
@click.option("--turn", type=int, default=0, show_default=True, metavar="N", help="The player to act.")
@click.option("--table", metavar="CARDS", help="The play to beat, made by the player before.  [default: none]")
@click.option("--reversed", "is_reversed", is_flag=True, help="Revolutions have reversed the order of ranks.")
@json_option
@ascii_option
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Seconds for the search.")
@click.option("--max-positions", type=click.IntRange(min=1), metavar="N", help="Positions to look at.")
@click.option(
    "--memory", type=click.IntRange(min=1), default=1024, show_default=True, metavar="MIB", help="Memory for it."
)
def command(
    hands: tuple[str, ...],
    rules: RuleSet,
    turn: int,
    table: str | None,
    is_reversed: bool,
    as_json: bool,
    only_ascii: bool,
    time_limit: float | None,
    max_positions: int | None,
    memory: int,
) -> int:
    """Solve an endgame in which all cards are known.

    \b
    xsf daifugo endgame --hands "d3 s10" "c4"
    xsf daifugo endgame --hands "d3 jk" "c4 h4" "sA" --table d9 --rules uecda

    Of two hands it is told who wins, and how; of more, in which order all finish if each does the best for himself:
    the best place for himself first, then the worst for the next player clockwise, and so on. Of a single hand it is
    told in how few plays it can be got rid of.
    """
    announce_compiling()
    if not hands:
        raise click.UsageError('give the hands: --hands "d3 s10" "c4"')
    if len(hands) == 1:
        return _fewest(hands[0], rules, as_json, only_ascii)
    from cli.show.endgame import describe_endgame
    from solver.daifugo.endgame import Limits, solve_endgame

    limits = Limits(memory, time_limit, max_positions)
    result = solve_endgame(hands, rules, turn, table, is_reversed=is_reversed, limits=limits)
    click.echo(compact_json(result.to_json()) if as_json else describe_endgame(result, style(only_ascii)))
    return UNDECIDED if result.verdict == "undecided" else 0


def _fewest(text: str, rules: RuleSet, as_json: bool, only_ascii: bool) -> int:
    from cli.show.endgame import describe_fewest
    from solver.daifugo.cards import deck, format_cards, parse_cards
    from solver.daifugo.shedding import fewest_plays

    hand = parse_cards(text, deck(rules.decks, rules.jokers))
    plays = fewest_plays(hand, rules)
    if as_json:
        record = {
            "schema": 1,
            "hand": format_cards(*hand),
            "rules": rules.to_json(),
            "fewest": len(plays),
            "plays": [str(play) for play in plays],
        }
        click.echo(compact_json(record))
    else:
        click.echo(describe_fewest(hand, plays, style(only_ascii)))
    return 0
