"""The commands of ``xsf daifugo`` as scripts and people meet them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.daifugo.person import Person
from cli.main import main
from cli.show.daifugo import Names, Teller, cards_text, hand_text, suits_text
from cli.show.style import Style
from solver.daifugo.cards import deck, parse_cards
from solver.daifugo.events import Locked, Requested
from solver.daifugo.players import View

ROOT = Path(__file__).parents[2]
FILE = ROOT / "data" / "daifugo" / "uecda-25-games.dat"


def xsf(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["daifugo", *args], input=stdin)


def records(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def complaints(result: Result) -> list[str]:
    return [line for line in result.stderr.splitlines() if "compiling" not in line]


def test_moves_as_json() -> None:
    result = xsf("moves", "--json", "--hand", "c9 jk d3", "--table", "h8 s8", "--rules", "uecda")
    assert result.exit_code == 0
    assert records(result) == [{"schema": 1, "plays": ["c9 jk=d9", "c9 jk=h9", "c9 jk=s9"]}]


def test_moves_go_by_lock_and_order() -> None:
    args = ("moves", "--json", "--rules", "uecda", "--hand", "c9 d9 c4 d4", "--table", "c7 h7")
    assert records(xsf(*args, "--reversed"))[0]["plays"] == ["c4 d4"]
    assert records(xsf(*args, "--lock", "ch"))[0]["plays"] == []
    assert records(xsf(*args, "--lock", "cd"))[0]["plays"] == ["c9 d9"]


def test_moves_for_the_eye() -> None:
    assert xsf("moves", "--hand", "h9 h10 jk").stdout.splitlines() == [
        "3 singles",
        "  ♥9    ♥10   ★",
        "2 pairs",
        "  ♥9 ★=♣9     ♥10 ★=♣10",
        "2 sequences of 3",
        "  ♥9 ♥10 ★=♥8   ♥9 ♥10 ★=♥J",
    ]
    assert xsf("moves", "--ascii", "--hand", "h9 h10 jk").stdout.isascii()
    assert xsf("moves", "--hand", "d3", "--table", "c4").stdout == "no play; only a pass\n"


def test_all_given_deals_agree() -> None:
    result = xsf("replay", str(FILE), "--rules", "uecda", "--json")
    assert result.exit_code == 0
    assert [record["deal"] for record in records(result)] == list(range(25))
    assert records(result)[0] == {
        "schema": 1, "deal": 0, "legal": True, "first_illegal": None, "result": [1, 0, 4, 2, 3], "agrees": True,
    }  # fmt: skip
    text = xsf("replay", "-", "--rules", "uecda", stdin=FILE.read_text())
    assert text.stdout.splitlines()[-1] == "replayed 25, confirmed 25, failed 0"


def test_a_deal_that_fails_is_told_with_status_1(tmp_path: Path) -> None:
    file = tmp_path / "tampered.dat"
    file.write_text(
        FILE.read_text().replace("result 1 0 4 2 3", "result 0 1 4 2 3").replace("s-t[182517]", "s-3[1]", 1)
    )
    result = xsf("replay", str(file), "--rules", "uecda", "--json")
    assert result.exit_code == 1
    first, second, *others = records(result)
    assert (first["legal"], first["agrees"], first["result"]) == (True, False, [1, 0, 4, 2, 3])
    assert second["first_illegal"] == {"action": 6, "play": "s-3", "reason": "s3: not in the hand"}
    assert (second["legal"], second["agrees"], second["result"]) == (False, False, None)
    assert all(record["agrees"] for record in others)
    text = xsf("replay", str(file), "--rules", "uecda").stdout.splitlines()
    assert text[0] == "deal 0: legal, result 1 0 4 2 3, which is not the one recorded"
    assert text[1] == "deal 1: illegal: action 6, s-3: s3: not in the hand"
    assert text[-1] == "replayed 25, confirmed 23, failed 2"


def test_a_bad_deal_is_one_line_and_the_others_are_answered(tmp_path: Path) -> None:
    file = tmp_path / "bad.dat"
    file.write_bytes(
        b"player \xff\xfe b c d e\n" + FILE.read_bytes().replace(b"result 2 0 3 1 4", b"result 2 0 3 1", 1)
    )
    result = xsf("replay", str(file), "--rules", "uecda", "--json")
    assert result.exit_code == 2
    (line,) = complaints(result)
    assert f"{file}: line 14: " in line
    assert len(records(result)) == 24


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("moves",), "--hand"),
        (("moves", "--hand", ""), "no cards"),
        (("moves", "--hand", "c9 c9"), "c9"),
        (("moves", "--hand", "z9"), "z9"),
        (("moves", "--hand", "c9", "--table", "c4 c5"), "no play"),
        (("moves", "--hand", "c9", "--lock", "x"), "'x' is no suit"),
        (("moves", "--hand", "c9", "--rules", "moon"), "moon"),
        (("moves", "--hand", "jk", "--rules", "president"), "jk"),
        (("replay", "nothing.dat"), "nothing.dat"),
        (("replay",), "FILE"),
        (("replay", str(ROOT / "README.md")), "no deals in it"),
        (("play", "--players", "moon"), "'moon' is no player"),
        (("play", "--players", "greedy"), "2 players"),
        (("play", "--rules", "uecda", "--players", "greedy,greedy"), "played by 5"),
        (("play", "--log", "/no/such/folder/log"), "/no/such/folder/log"),
        (("play", "--seed", "-1"), "-1"),
        (("play", "--rounds", "0"), "0"),
        (("rules", "moon"), "moon"),
        (("moon",), "moon"),
    ],
)
def test_bad_input_gets_one_line_and_status_2(args: tuple[str, ...], words: str) -> None:
    result = xsf(*args)
    assert result.exit_code == 2
    (line,) = [line for line in complaints(result) if not line.startswith("xsf: seed")]
    assert words in line


def test_rule_sets_are_listed(tmp_path: Path) -> None:
    assert "1979: jokers 2, sequences false, joker_revolution true" in xsf("rules").stdout
    file = tmp_path / "mine.toml"
    file.write_text('base = "president"\nsuit_lock = "full"\n')
    text = xsf("rules", str(file)).stdout
    assert "Rules mine" in text
    assert "suit_lock                full*" in text
    (record,) = records(xsf("rules", "--json", "uecda"))
    assert record["rules"]["leader"] == "three_of_diamonds"
    assert len(records(xsf("rules", "--json"))) == 5


# Playing


def test_a_person_is_told_what_is_wrong_and_asked_again() -> None:
    result = xsf("play", "--seed", "5", "--ascii", stdin="?\np\nx\nhelp\nd3\nc4 h8\nh3\np\nq\n")
    assert result.exit_code == 0
    for words in (
        "advice: h3",
        "nothing to pass on",
        "'x' does not exist",
        "cards     make a play",
        "d3: not in the hand",
        "'c4 h8' is no play",
        "you       h3",
        "you       pass",
        "left",
    ):
        assert words in result.stdout
    assert result.stdout.isascii()


def test_the_end_of_input_interrupts() -> None:
    result = xsf("play", "--seed", "5", stdin="h3\n")
    assert result.exit_code == 130
    assert complaints(result) == ["xsf: interrupted"]
    assert "you       ♥3" in result.stdout


def test_a_seed_is_told_and_repeats_the_game() -> None:
    first = xsf("play", stdin="q\n")
    seed = complaints(first)[0].split()[-1]
    assert xsf("play", "--seed", seed, stdin="q\n").stdout == first.stdout


@pytest.fixture
def advised(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who does as the adviser says, and else takes what Enter gives."""
    views: list[View] = []
    show = Person._show

    def _show(self: Person, view: View) -> None:
        views.append(view)
        show(self, view)

    def _line(self: Person, prompt: str) -> str:
        if not prompt.strip().startswith("play"):
            return ""
        play = self._adviser.play(views[-1])
        return "p" if play is None else str(play)

    monkeypatch.setattr(Person, "_show", _show)
    monkeypatch.setattr(Person, "_line", _line)


@pytest.mark.usefixtures("advised")
def test_a_match_is_played_saved_and_replayed(tmp_path: Path) -> None:
    log, save = tmp_path / "log.jsonl", tmp_path / "deals.dat"
    options = ("--rules", "uecda", "--seed", "3", "--rounds", "3", "--players", "greedy,random,random,greedy")
    result = xsf("play", *options, "--log", str(log), "--save", str(save))
    assert result.exit_code == 0
    assert "Deal 3 of 3" in result.stdout
    assert "Daihinmin" in result.stdout
    replayed = xsf("replay", str(log))
    assert (replayed.exit_code, replayed.stdout.splitlines()[-1]) == (0, "replayed 3, confirmed 3, failed 0")
    again = xsf("replay", str(save), "--rules", "uecda", "--json")
    assert again.exit_code == 0
    assert records(again) == records(xsf("replay", str(log), "--json"))
    log.write_text(log.read_text().replace('"event": "pass"', '"event": "play"', 1))
    wrong = xsf("replay", str(log))
    assert wrong.exit_code == 1
    assert "line " in complaints(wrong)[0]


@pytest.mark.usefixtures("advised")
def test_every_rule_can_be_played_by(tmp_path: Path) -> None:
    file = tmp_path / "wild.toml"
    file.write_text(
        'suit_lock = "partial"\nrevolution_quads = "any"\nmiyako_ochi = true\nforbidden_finish = "on"\n'
        'spade_three = "on"\neight_stop = "on"\neleven_back = true\nten_discard = true\non_request = true\n'
        'joker_kept = true\nseating = "by_result"\nscoring = "payments"\njokers = 2\njoker_revolution = true\n'
    )
    log = tmp_path / "log.jsonl"
    options = ("--rules", str(file), "--players", "random,greedy,random,greedy", "--rounds", "6", "--hints")
    result = xsf("play", *options, "--seed", "1", "--log", str(log))
    assert result.exit_code == 0
    for words in ("discard", "locked to", "the order is reversed", "that clears the table", " to you", "asks"):
        assert words in result.stdout
    assert xsf("replay", str(log)).exit_code == 0


def test_records_can_not_hold_discards(tmp_path: Path) -> None:
    file = tmp_path / "ten.toml"
    file.write_text("ten_discard = true\n")
    result = xsf("play", "--rules", str(file), "--save", str(tmp_path / "x.dat"), stdin="q\n")
    assert result.exit_code == 2
    assert "ten_discard" in complaints(result)[0]


# Showing

PLAIN, COLOR = Style(), Style(color=True)


def test_cards_for_the_eye() -> None:
    assert cards_text("c9 jk=h9 d10 jk", PLAIN) == "♣9 ★=♥9 ♦10 ★"
    assert cards_text("c9 jk=h9 d10", Style(ascii=True)) == "c9 jk=h9 d10"
    assert cards_text("c9 d10", COLOR) == "♣9 \x1b[31m♦10\x1b[0m"
    hand = parse_cards("c3 d3 h9 jk", deck())
    assert hand_text(hand, PLAIN) == "♣3 ♦3  ♥9  ★"
    assert hand_text(hand, PLAIN, is_reversed=True) == "♥9  ♣3 ♦3  ★"
    assert suits_text(0b0100_0110, PLAIN) == "♦♥♥"


def test_events_in_words() -> None:
    teller = Teller(Names(("you", "anna"), 0, 1), PLAIN)
    assert teller.tell(Locked(6)) == ["  locked to ♦♥"]
    assert teller.tell(Requested(1, 0, parse_cards("s2", deck()))) == ["  anna asks you for ♠2"]
