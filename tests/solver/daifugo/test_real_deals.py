"""The contest's records: 25 real deals read, replayed and written back."""

from __future__ import annotations

import re
from pathlib import Path

import naive_daifugo as naive
import pytest
from cardtable import Pair

from solver.daifugo.cards import card_names
from solver.daifugo.records import Record, format_action, format_record, parse_action, read_records
from solver.daifugo.rules import PRESETS
from solver.daifugo.state import places_of

UECDA = PRESETS["uecda"]
FILE = Path(__file__).parents[3] / "data" / "daifugo" / "uecda-25-games.dat"
LINES = FILE.read_text(encoding="utf-8").splitlines()
RECORDS = list(read_records(LINES, UECDA))


def pair_of(record: Record) -> Pair:
    """The deal of a record, at its lead: by who holds the 3 of diamonds."""
    by_seat = {seat: card_names(*record.original[player]) for player, seat in enumerate(record.seats)}
    hands = [by_seat[seat] for seat in range(len(record.seats))]
    leader = next(seat for seat, hand in enumerate(hands) if "d3" in hand)
    return Pair(UECDA, naive.Deal(UECDA.to_json(), hands, leader))


def test_there_are_25_deals_of_five_players_with_all_cards() -> None:
    assert [record.number for record in RECORDS] == list(range(25))
    for record in RECORDS:
        for hands in (record.dealt, record.original):
            cards = [card for hand in hands for card in card_names(*hand)]
            assert list(naive.in_order(cards)) == naive.pack(UECDA.to_json())
        for seats in (record.seats, record.classes, record.result):
            assert sorted(seats or ()) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record.number))
def test_every_real_play_is_legal_and_the_result_is_the_recorded_one(record: Record) -> None:
    pair = pair_of(record)
    for text in record.actions:
        pair.compare()
        play = parse_action(text, UECDA)
        if play is None:
            assert "pass" in pair.actions()
            pair.act("pass")
        else:
            assert play in pair.legal()
            pair.act(str(play))
    assert pair.is_over
    places = places_of(pair.state)
    assert tuple(places[seat] for seat in record.seats) == record.result


def test_the_file_is_written_back_but_for_thinking_times() -> None:
    written = "\n".join(line for record in RECORDS for line in format_record(record))
    assert written.rstrip() == re.sub(r"\[\d+\]", "", "\n".join(LINES[1:]))


def test_every_real_play_is_written_back() -> None:
    texts = {text for record in RECORDS for text in record.actions}
    assert len(texts) > 150
    assert [format_action(parse_action(text, UECDA)) for text in sorted(texts)] == sorted(texts)


def test_the_real_deals_hold_what_the_rules_are_about() -> None:
    texts = [text for record in RECORDS for text in record.actions]
    plays = [play for play in (parse_action(text, UECDA) for text in texts) if play is not None]
    assert sum(play.sequence for play in plays) > 20
    assert any(play.sequence and play.jokers for play in plays)
    assert any(not play.sequence and play.jokers and play.suits for play in plays)
    assert any(play.jokers == play.size for play in plays)
