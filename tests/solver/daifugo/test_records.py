"""Records of the contest: reading leniently, writing, and replaying them with what can be wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.daifugo.cards import deck, format_cards, join, parse_cards, take
from solver.daifugo.match import Match
from solver.daifugo.records import (
    Record,
    format_action,
    format_record,
    format_records,
    parse_action,
    read_records,
)
from solver.daifugo.replay import Replay, records_of, replay_record, replay_records
from solver.daifugo.rules import PRESETS, RuleSet
from solver.errors import InputError

UECDA = PRESETS["uecda"]
FILE = Path(__file__).parents[3] / "data" / "daifugo" / "uecda-25-games.dat"
LINES = FILE.read_text().splitlines()
RECORDS = list(read_records(LINES, UECDA))
MIXED = ("greedy", "random", "greedy", "random", "random", "greedy", "random", "greedy")


def test_all_given_deals_agree() -> None:
    replays = list(replay_records(RECORDS, UECDA))
    assert [replay.deal for replay in replays] == list(range(25))
    assert all(replay.is_confirmed for replay in replays)
    assert [replay.result for replay in replays] == [record.result for record in RECORDS]
    assert replays[0].to_json() == {
        "schema": 1, "deal": 0, "legal": True, "first_illegal": None, "result": [1, 0, 4, 2, 3], "agrees": True,
    }  # fmt: skip


def test_a_file_is_written_as_it_was() -> None:
    """But for the thinking times, which a record does not keep."""
    written = format_records(RECORDS, ["blauweregen"] * 5)
    assert [line.strip() for line in written] == [re.sub(r"\[\d+\]", "", line).strip() for line in LINES]
    assert list(read_records(written, UECDA)) == RECORDS


@pytest.mark.parametrize(
    ("text", "play"),
    [
        ("d-3", "d3"),
        ("jk", "jk"),
        ("hs-t", "h10 s10"),
        ("ch-a(c)", "hA jk=cA"),
        ("h-678(7)", "h6 h8 jk=h7"),
        ("d-tjqk(j)", "d10 dQ dK jk=dJ"),
        ("h-9tjqk(9)", "h10 hJ hQ hK jk=h9"),
        ("cdhsx-5(x)", "c5 d5 h5 s5 jk"),
        ("cdhs-8(d)", "c8 h8 s8 jk=d8"),
        ("h-jqka2(q)", "hJ hK hA h2 jk=hQ"),
    ],
)
def test_plays_are_read_and_written(text: str, play: str) -> None:
    found = parse_action(text, UECDA)
    assert str(found) == play
    assert format_action(found) == text


def test_a_fifth_card_needs_no_name() -> None:
    assert parse_action("cdhsx-5", UECDA) == parse_action("cdhsx-5(x)", UECDA)


def test_several_jokers() -> None:
    two = RuleSet(id="two", jokers=2, suit_lock="full")
    for text, play in (
        ("jkjk", "jk jk"),
        ("c-4567(47)", "c5 c6 jk=c4 jk=c7"),
        ("cdh-9(dh)", "c9 jk=d9 jk=h9"),
    ):
        found = parse_action(text, two)
        assert str(found) == play
        assert format_action(found) == text


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "d3",
        "d-",
        "-3",
        "e-3",
        "d-1",
        "x-3",
        "d-3(d)",
        "d-3(s)",
        "d-3(3)",
        "d-345(6)",
        "d-3-4",
        "d-34",
        "dd-3",
        "jkj",
    ],
)
def test_what_is_no_play(text: str) -> None:
    with pytest.raises(InputError):
        parse_action(text, UECDA)


def lines_of(number: int = 1) -> list[str]:
    return format_record(RECORDS[number])


def without(word: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [line for line in lines if not line.startswith(word)]


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: ["// a comment", "match 3", "player a b c d e", *lines, "// the end"],
        lambda lines: [lines[0], "unknown item 1 2 3", "score 1 2 3 4 5", "play_time 3", *lines[1:]],
        lambda lines: [line.upper() for line in lines],
        lambda lines: ["\ufeff" + lines[0], *(line + "\r" for line in lines[1:])],
        lambda lines: [line.replace("p ", "p[] ").replace("d-9 ", "d-9[0.125] ") for line in lines],
        lambda lines: ["", *(f"  {line}  " for line in lines)],
        lambda lines: [line.replace("{ ", "{").replace(" }", "}") for line in lines],
        lambda lines: [lines[0].strip() + "*", *lines[1:]],
        without("changed"),
        without("score"),
    ],
)
def test_reading_is_lenient(change: Callable[[list[str]], list[str]]) -> None:
    assert list(read_records(change(lines_of()), UECDA)) == [RECORDS[1]]


def test_what_is_missing_has_defaults() -> None:
    first = RECORDS[0]
    lines = [line for line in lines_of(0) if line.split()[0] not in ("game", "class", "changed", "original")]
    assert list(read_records(lines, UECDA)) == [replace(first, classes=None)]
    (record,) = read_records(without("seat")(lines_of(3)), UECDA)
    assert record.seats == (0, 1, 2, 3, 4)
    assert replay_record(replace(first, classes=None), UECDA).is_confirmed


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (without("play"), "no line 'play'"),
        (without("result"), "no line 'result'"),
        (lambda lines: [line for line in lines if line.split()[0] not in ("dealt", "original")], "no line 'dealt'"),
        (without("original"), "no line 'original'"),
        (without("*/"), "no other end"),
        (without("/*"), "no other end"),
        (lambda lines: [line.replace("result 2", "result 1") for line in lines], "result must name"),
        (lambda lines: [line.replace("result 2", "result two") for line in lines], "'two' is no number"),
        (lambda lines: [line.replace("seat 4", "seat 5") for line in lines], "seat must name"),
        (lambda lines: [line.replace("dealt {", "dealt ") for line in lines], "dealt: 4 hands for 5"),
        (lambda lines: [line.replace("h3", "h1", 1) for line in lines], "'h1' does not exist"),
        (lambda lines: [line.replace("d-3456", "d-34[56") for line in lines], "is no play"),
    ],
)
def test_bad_deals_are_named_and_the_others_read(change: Callable[[list[str]], list[str]], reason: str) -> None:
    bad = change(lines_of())
    with pytest.raises(InputError, match=rf"^line \d+: .*{re.escape(reason)}"):
        list(read_records(bad, UECDA))
    problems: list[InputError] = []
    read = list(read_records([*lines_of(0), *bad, *lines_of(2)], UECDA, problems.append))
    assert read == [RECORDS[0], RECORDS[2]]
    assert problems
    assert all(reason in str(problem) for problem in problems)


# Replaying


def tampered(number: int = 1, **changes: object) -> Replay:
    before = RECORDS[number - 1] if number else None
    return replay_record(replace(RECORDS[number], **changes), UECDA, before)  # type: ignore[arg-type]


def test_an_illegal_play_is_named() -> None:
    actions = list(RECORDS[1].actions)
    place = actions.index("s-q")
    actions[place] = "c-q"
    replay = tampered(actions=tuple(actions))
    assert not replay.is_confirmed
    assert replay.to_json()["first_illegal"] == {"action": place, "play": "c-q", "reason": "cQ: not in the hand"}
    assert (replay.result, replay.agrees) == (None, False)


def test_a_pass_on_an_empty_table_is_illegal() -> None:
    replay = tampered(actions=("p", *RECORDS[1].actions))
    assert replay.fault is not None
    assert replay.fault.action == 0
    assert "nothing to pass on" in replay.fault.reason


def test_actions_after_the_end_are_illegal_and_too_few_do_not_agree() -> None:
    actions = RECORDS[1].actions
    longer = tampered(actions=(*actions, "p"))
    assert longer.fault is not None
    assert (longer.fault.action, longer.fault.reason) == (len(actions), "the deal is over")
    shorter = tampered(actions=actions[:-1])
    assert (shorter.fault, shorter.result, shorter.agrees) == (None, None, False)


def test_another_result_does_not_agree() -> None:
    replay = tampered(result=(0, 2, 3, 1, 4))
    assert (replay.fault, replay.result, replay.is_confirmed) == (None, RECORDS[1].result, False)


def swapped(record: Record, player: int, out: str, into: str) -> Record:
    """A record in whose exchange a player gives another card."""
    cards = deck(1, 1)
    gone, more = parse_cards(out, cards), parse_cards(into, cards)
    changed = list(record.changed)
    changed[player] = join(take(changed[player], gone), more)
    return replace(record, changed=tuple(changed))


def test_the_exchange_is_checked() -> None:
    assert format_cards(*RECORDS[1].changed[2]) == "hA d2"
    for record, reason in (
        (swapped(RECORDS[1], 2, "hA", "c9"), "player 2 gives c9 d2, not the highest"),
        (swapped(RECORDS[1], 1, "d4", "s3"), "player 1 returns s3 h6 without holding it"),
        (
            replace(RECORDS[1], changed=(*RECORDS[1].changed[:3], (1, 0), (1 << 50, 0))),
            "player 3 gives c3, and owes nothing",
        ),
        (replace(RECORDS[1], changed=((0, 0), *RECORDS[1].changed[1:])), "player 0 gives nothing, and owes 1"),
        (replace(RECORDS[1], original=RECORDS[1].dealt), "the original hand of player 0 is not"),
        (replace(RECORDS[1], changed=((0, 0),) * 5, original=RECORDS[1].dealt), "gives nothing, and owes"),
        (replace(RECORDS[1], dealt=((1, 0), *RECORDS[1].dealt[1:])), "dealt: not every card of the deck once"),
    ):
        fault = replay_record(record, UECDA, RECORDS[0]).fault
        assert fault is not None
        assert fault.action is None
        assert reason in fault.reason


def test_without_an_exchange_a_deal_may_be_the_first_of_a_series() -> None:
    record = replace(RECORDS[1], changed=((0, 0),) * 5, original=RECORDS[1].dealt, actions=())
    assert replay_record(record, UECDA).fault is None


@settings(max_examples=12)
@given(st.sampled_from(sorted(PRESETS)), st.integers(3, 8), st.integers(0, 2**64))
def test_matches_are_written_read_and_replayed(name: str, players: int, seed: int) -> None:
    rules = PRESETS[name]
    match = Match(rules, MIXED[: rules.players or players], seed)
    for _ in range(3):
        match.play_deal()
    records = records_of(match)
    assert len(records) == 3
    assert list(read_records(format_records(records, match.names), rules)) == records
    assert all(replay.is_confirmed for replay in replay_records(records, rules))
    assert [record.result for record in records] == [result.places for result in match.results]


@pytest.mark.parametrize(
    "options",
    [
        {"suit_lock": "partial", "jokers": 2, "forbidden_finish": "on"},
        {"miyako_ochi": True, "seating": "by_result", "exchange": "two_cards_always"},
        {"decks": 2, "jokers": 2, "max_set": 5, "suit_lock": "full", "eleven_back": True},
        {"jokers": 2, "joker_revolution": True, "on_request": True, "joker_kept": True},
        {"exchange": "off", "leader": "winner"},
    ],
)
def test_options_that_records_must_survive(options: dict[str, object]) -> None:
    rules = replace(RuleSet(), id="test", **options)  # type: ignore[arg-type]
    for seed in range(4):
        match = Match(rules, MIXED[: 3 + seed], seed)
        for _ in range(3):
            match.play_deal()
        records = records_of(match)
        assert list(read_records(format_records(records, match.names), rules)) == records
        assert all(replay.is_confirmed for replay in replay_records(records, rules))


def test_discards_can_not_be_written() -> None:
    match = Match(replace(RuleSet(), id="test", ten_discard=True), MIXED[:4], 1)
    match.play_deal()
    with pytest.raises(InputError, match="no way to write a discard"):
        records_of(match)
