"""``xsf daifugo moves``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.common import announce_compiling, ascii_option, compact_json, json_option, style
from cli.daifugo.options import daifugo_rules_option
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.daifugo.plays import Play
    from solver.daifugo.rules import RuleSet


@click.command("moves")
@daifugo_rules_option
@click.option("--hand", required=True, metavar="CARDS", help="The cards held.")
@click.option("--table", metavar="PLAY", help="The play to beat; without it all plays that can be led.")
@click.option("--reversed", "is_reversed", is_flag=True, help="The order of ranks is reversed.")
@click.option("--lock", metavar="SUITS", default="", help="The suits the trick is locked to, such as h or cs.")
@json_option
@ascii_option
def command(
    rules: RuleSet, hand: str, table: str | None, is_reversed: bool, lock: str, as_json: bool, only_ascii: bool
) -> int:
    """List every legal play of a hand, passing left out."""
    from solver.daifugo.cards import deck, parse_cards
    from solver.daifugo.plays import legal_plays, parse_play

    announce_compiling()
    cards = parse_cards(hand, deck(rules.decks, rules.jokers))
    if not cards[0]:
        raise InputError("--hand: no cards")
    to_beat = None if table is None else parse_play(table, rules)
    plays = legal_plays(cards, rules, to_beat, is_reversed=is_reversed, lock=_suits(lock))
    if as_json:
        click.echo(compact_json({"schema": 1, "plays": [str(play) for play in plays]}))
    else:
        _show(plays, only_ascii)
    return 0


def _suits(text: str) -> int:
    from solver.daifugo.cards import SUITS

    suits = 0
    for letter in text.lower().replace(",", " ").split() if " " in text or "," in text else text.lower():
        if letter not in tuple(SUITS):
            raise InputError(f"--lock: {letter!r} is no suit; they are c, d, h and s")
        bit = 1 << SUITS.index(letter)
        suits |= bit << 4 if suits & bit else bit
    return suits


def _show(plays: list[Play], only_ascii: bool) -> None:
    from cli.show.daifugo import plays_by_kind

    for line in plays_by_kind(plays, style(only_ascii)) or ["no play; only a pass"]:
        click.echo(line)
