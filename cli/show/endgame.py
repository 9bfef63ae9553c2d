"""Endgames of Daifugō in words: the hands, who wins, and how."""

from __future__ import annotations

from collections.abc import Sequence

from cli.show.style import Style, counted, listed
from solver.daifugo.cards import Hand, format_cards, symbols
from solver.daifugo.endgame import EndgameResult, Step
from solver.daifugo.plays import Play


def describe_endgame(result: EndgameResult, style: Style) -> str:
    """The hands, who wins or who finishes where, and the line of play."""
    lines = [f"Player {seat}  {_cards(format_cards(*hand), style)}" for seat, hand in enumerate(result.hands)]
    if result.table is not None:
        lines.append(f"Table     {_cards(str(result.table), style)}")
    lines += ["", style.bold(_verdict(result))]
    if result.line:
        lines += ["", *_steps(result, result.line, style)]
    searched = f"{counted(result.positions, 'position')}, {result.seconds:.3f} s"
    return "\n".join([*lines, "", style.dim(searched)])


def describe_fewest(hand: Hand, plays: Sequence[Play], style: Style) -> str:
    """A hand and the fewest plays that get rid of it."""
    lines = [_cards(format_cards(*hand), style), "", style.bold(f"{counted(len(plays), 'play')}, the fewest possible.")]
    return "\n".join([*lines, "", *(f"  {_cards(str(play), style)}" for play in plays)])


def _cards(text: str, style: Style) -> str:
    return text if style.ascii else symbols(text)


def _verdict(result: EndgameResult) -> str:
    if result.places is None:
        return f"Undecided: the search reached its limit of {result.reason}."
    if len(result.hands) == 2:
        own = sum(step.seat == result.winner and step.action == "play" for step in result.line or ())
        return f"Player {result.winner} wins, here in {counted(own, 'play')}."
    order = sorted(range(len(result.places)), key=result.places.__getitem__)
    return f"The order of finishing is {listed([str(seat) for seat in order], 'then')}."


def _steps(result: EndgameResult, line: Sequence[Step], style: Style) -> list[str]:
    left = [first.bit_count() + second.bit_count() for first, second in result.hands]
    width = max(len(_cards(step.cards or "", style)) for step in line)
    lines = []
    for step in line:
        if step.action == "pass":
            lines.append(style.dim(f"  {step.seat}  passes"))
            continue
        left[step.seat] -= len((step.cards or "").split())
        what = _cards(step.cards or "nothing", style)
        what = f"discards {what}" if step.action == "discard" else what
        lines.append(f"  {step.seat}  {what:{width}}{'' if left[step.seat] else '  out'}".rstrip())
    return lines
