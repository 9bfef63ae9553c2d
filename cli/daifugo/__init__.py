"""``xsf daifugo``: the card game."""

from __future__ import annotations

import click

from cli.daifugo import (
    endgame,
    moves,
    play,
    replay,
    rules,
    simulate,
    strength,
)


@click.group("daifugo")
def command() -> None:
    """Daifugō, the Japanese climbing card game, with every option of its rules.

    Cards are written as suit (c d h s) and rank (3..10 J Q K A 2), a joker is jk, in a play with the card it stands
    for: jk=h9.

    \b
    xsf daifugo play
    xsf daifugo moves --hand "h9 h10 jk c3"
    xsf daifugo simulate --players rules,greedy,greedy,random --deals 10000
    xsf daifugo endgame --hands "d3 s10" "c4 h4"
    xsf daifugo replay --rules uecda data/daifugo/uecda-25-games.dat
    """


for _module in (
    endgame,
    moves,
    play,
    replay,
    rules,
    simulate,
    strength,
):
    command.add_command(_module.command)
