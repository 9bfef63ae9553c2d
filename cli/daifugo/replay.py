"""``xsf daifugo replay``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cli.common import BAD_INPUT, FAILED, announce_compiling, compact_json, json_option, note
from cli.daifugo.options import daifugo_rules_option
from solver.errors import InputError

if TYPE_CHECKING:
    from solver.daifugo.replay import Replay
    from solver.daifugo.rules import RuleSet


@click.command("replay")
@click.argument("source", metavar="FILE")
@daifugo_rules_option
@json_option
def command(source: str, rules: RuleSet, as_json: bool) -> int:
    """Replay recorded deals: are the exchange and every play legal, and does the result agree?

    FILE holds records of the UEC computer Daihinmin contest, or a log of xsf daifugo play, which brings its own rules;
    - is standard input.
    """
    lines = _read(source)
    announce_compiling()
    if next((line for line in lines if line.strip()), "").lstrip().startswith("{"):
        return _replay_log(source, lines, as_json)
    return _replay_records(source, lines, rules, as_json)


def _read(source: str) -> list[str]:
    if source == "-":
        data = sys.stdin.buffer.read()
    else:
        with open(source, "rb") as file:
            data = file.read()
    # Only players' names can hold anything else, and those are not needed.
    return data.decode("utf-8-sig", "replace").splitlines()


def _replay_records(source: str, lines: list[str], rules: RuleSet, as_json: bool) -> int:
    from solver.daifugo.records import read_records
    from solver.daifugo.replay import replay_records

    bad: list[InputError] = []

    def report(error: InputError) -> None:
        bad.append(error)
        note(f"{source}: {error}")

    good = total = 0
    for replay in replay_records(read_records(lines, rules, report), rules):
        good, total = good + replay.is_confirmed, total + 1
        click.echo(compact_json(replay.to_json()) if as_json else _line(replay))
    if not total and not bad:
        raise InputError(f"{source}: no deals in it")
    if not as_json:
        click.echo(f"replayed {total}, confirmed {good}, failed {total - good}")
    return BAD_INPUT if bad else FAILED if good < total else 0


def _line(replay: Replay) -> str:
    head = f"deal {replay.deal}: "
    if replay.fault is not None:
        fault = replay.fault
        where = "" if fault.action is None else f"action {fault.action}, {fault.text}: "
        return f"{head}illegal: {where}{fault.reason}"
    if replay.result is None:
        return f"{head}all plays are legal, but the deal is not over"
    result = " ".join(map(str, replay.result))
    return f"{head}legal, result {result}{' agrees' if replay.agrees else ', which is not the one recorded'}"


def _replay_log(source: str, lines: list[str], as_json: bool) -> int:
    from solver.daifugo.match import replay_log

    try:
        match = replay_log(lines)
    except InputError as error:
        note(f"{source}: {error}")
        return FAILED
    for result in match.results:
        record = {
            "schema": 1,
            "deal": result.number,
            "legal": True,
            "first_illegal": None,
            "result": list(result.places),
            "agrees": True,
        }
        text = f"deal {result.number}: legal, result {' '.join(map(str, result.places))} agrees"
        click.echo(compact_json(record) if as_json else text)
    if not as_json:
        click.echo(f"replayed {len(match.results)}, confirmed {len(match.results)}, failed 0")
    return 0
