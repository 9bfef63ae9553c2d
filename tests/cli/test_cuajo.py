"""``xsf cuajo`` as people and scripts meet it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.cuajo.show import describe_discards, describe_hand, describe_payment, describe_purro
from cli.main import main
from cli.show.style import COLUMNS, Style
from solver.cuajo.cards import parse_card, parse_cards
from solver.cuajo.hand import Hand, analyse, discards, purro
from solver.cuajo.payment import Win, pay

SEED = "oJ oA o3 o4 o5 cJ cA c3 c4 eJ e3 e5 bA b4 b5 bK"
FIFTEEN = SEED.replace("oJ ", "")
WITH_HORSE = SEED.replace("oJ", "eH")
TWELVE = "oA cA eA o3 o4 o5 c3 c4 c5 cJ eJ bJ"
ALL_KINGS = "oK oK oK oK cK cK cK cK eK eK eK eK bK bK bK bK"


def xsf(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["cuajo", *args], input=stdin, prog_name="xsf")


def text(*args: str) -> str:
    result = xsf(*args)
    assert result.exit_code == 0, result.output
    assert all(len(line) <= COLUMNS and line == line.rstrip() for line in result.stdout.splitlines())
    return result.stdout


def record(*args: str) -> dict[str, Any]:
    result = xsf(*args, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


COMMON = ["schema", "hand", "sowee", "laid", "closed", "names"]


def test_hand_as_json() -> None:
    found = record("hand", SEED, "--sowee", "o4")
    assert list(found) == [*COMMON, "rules", "complete", "divisions", "distance", "missing"]
    assert found["complete"] is True
    assert ["oJ", "cJ", "eJ"] in found["divisions"][0]
    assert (found["schema"], found["distance"]) == (1, 0)
    assert found["rules"]["id"] == "traditional"
    assert record("hand", WITH_HORSE)["complete"] is False
    assert record("hand", WITH_HORSE)["divisions"] == []
    assert record("hand", WITH_HORSE)["sowee"] is None


def test_hand_as_text() -> None:
    shown = text("hand", SEED, "--sowee", "o4")
    assert shown.startswith("  coins  oros      A   3 4 5   J\n  cups   copas     A   3 4     J\n")
    assert "sowee: o4, four of coins (cuatro de oros)" in shown
    assert "\nComplete, in 1 way:\n    set of aces    oA cA bA\n" in shown
    assert shown.endswith("    king alone     bK\n")
    assert "one card is missing. With the right discard the hand is purro." in text("hand", WITH_HORSE)
    assert "2 cards are missing. After the best discard it takes\n1 exchange to purro." in text(
        "hand", WITH_HORSE.replace("oA o3", "bH cH")
    )
    kings = text("hand", ALL_KINGS)
    assert "Complete, in 162 ways:" in kings
    assert kings.endswith("  and 158 ways more; --json lists all\n")


def test_cards_may_stand_without_quotes_and_in_any_case() -> None:
    expected = record("hand", SEED)
    assert record("hand", *SEED.upper().split()) == expected
    assert record("hand", SEED.lower().replace(" ", ", ")) == expected


def test_laid_secrets() -> None:
    found = record("hand", f"{TWELVE} e5 e5 e5 bK", "--laid", "e5 e5 e5 bK", "--sowee", "e5")
    assert (found["complete"], found["laid"], found["closed"]) == (True, [["e5", "e5", "e5"]], "bK")
    shown = text("hand", TWELVE, "--laid", "e5 e5 e5 bK", "--sowee", "e5")
    assert "  laid: e5 e5 e5, closed bK\n" in shown
    assert "    three like the sowee  e5 e5 e5\n" in shown
    assert "    secret: king of batons  bK bK bK bK\n" in text("hand", TWELVE, "--laid", "bK bK bK bK")
    assert record("hand", f"{TWELVE} e5 e5 e5 bK", "--sowee", "e5")["complete"] is False
    unlaid = record("hand", f"{TWELVE} e5 e5 e5 bK", "--sowee", "e5", "--rules", "sowee_secret_unlaid=yes")
    assert unlaid["complete"] is True
    assert unlaid["rules"]["sowee_secret_unlaid"] is True


def test_purro_as_json() -> None:
    found = record("purro", FIFTEEN, "--seen", "oJ c3")
    assert list(found) == [*COMMON, "rules", "purro", "distance", "cards", "copies"]
    assert (found["purro"], found["cards"], found["distance"]) == (True, {"oJ": 3, "bJ": 4}, 0)
    assert found["names"]["oJ"] == {"en": "jack of coins", "es": "sota de oros"}
    assert record("purro", FIFTEEN.replace("oA", "oH"))["purro"] is False


def test_purro_as_text() -> None:
    shown = text("purro", FIFTEEN, "--seen", "oJ c3")
    assert "\nPurro: 2 cards complete the hand, 7 copies can come.\n" in shown
    assert "\n  oJ  jack of coins    sota de oros        3\n" in shown
    assert "Not purro: 1 exchange away.\n" in text("purro", FIFTEEN.replace("oA", "oH"))
    seen = text("purro", FIFTEEN.replace("cJ", "bJ"), "--seen", "cJ cJ cJ oJ oJ oJ oJ")
    assert "2 cards complete the hand, 1 copy can come." in seen


def test_discard_as_json() -> None:
    found = record("discard", WITH_HORSE, "--seen", "oJ")
    assert list(found) == [*COMMON, "rules", "complete", "discards"]
    first = found["discards"][0]
    assert first == {"card": "eH", "distance": 0, "improve": {"oJ": 3, "bJ": 4}, "copies": 7}
    assert len(found["discards"]) == 15
    assert found["names"]["bJ"]["es"] == "sota de bastos"


def test_discard_as_text() -> None:
    shown = text("discard", WITH_HORSE)
    assert "  eH  horse of swords  caballo de espadas  purro, 8 cards\n      oJ×4 bJ×4\n" in shown
    assert "  eJ  jack of swords   sota de espadas     1 exchange to purro, " in shown
    assert "×" not in text("discard", WITH_HORSE, "--ascii")
    assert "Complete as it is." in text("discard", SEED)
    assert "Nothing may be discarded" in text("discard", ALL_KINGS)


PAY = ("pay", "--hand", SEED, "--sowee", "o4")


def test_pay_as_json() -> None:
    found = record(*PAY, "--bounit", "oA", "--by", "draw")
    assert list(found) == [
        *COMMON, "bounit", "by", "turned", "rules", "each_opponent", "lines", "porbis", "conditions",
    ]  # fmt: skip
    assert (found["each_opponent"], found["lines"]) == (130, [["kings", 20], ["both-conditions", 110]])
    assert found["conditions"] == {"bounit": True, "sowee": True}
    turned = record(*PAY, "--bounit", "cJ", "--by", "discard", "--turned", "cH cK")
    assert (turned["each_opponent"], turned["turned"]) == (130, ["cH", "cK"])
    porbis = record("pay", "--hand", f"{TWELVE} bA e3 e4 e5", "--sowee", "oK", "--bounit", "e3", "--by", "own")
    assert (porbis["each_opponent"], porbis["lines"], porbis["porbis"]) == (300, [["porbis", 300]], True)


def test_pay_as_text() -> None:
    shown = text(*PAY, "--bounit", "cJ", "--by", "draw", "--turned", "cH b3")
    assert "\nEach of the two opponents pays 90 cents:\n     20  1 other king at 20\n     70  only" in shown
    assert "✗ 1: two cards accompany the bounit, cH and cK: cH (turned) is there\n" in shown
    assert "✓ 2: a card like the sowee, o4, is held, and two accompany it, o3 and\n" in shown
    assert shown.endswith("The winner gets 180 cents, the partner neither pays nor gets.\n")
    assert "none is there" in text("pay", "--hand", SEED, "--sowee", "bH", "--bounit", "cJ", "--by", "draw")
    assert "that is not the bounit" in text(
        *PAY, "--bounit", "o4", "--by", "draw", "--rules", "bounit_is_sowee_twin=no"
    )
    own = text(*PAY, "--bounit", "oA", "--by", "own", "--ascii")
    assert "    110  the ace of coins drawn from the stock\n" in own
    assert own.isascii()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("hand", "oJ oX"), "xsf: 'oX' is no card: a card is a suit (o c e b) and a rank (A 3 4 5 J H K), such as oK"),
        (("hand", "oS " + FIFTEEN), "xsf: 'oS' is no card: "),
        (("hand", "oJ oJ oj OJ oJ"), "xsf: 5 of oJ: there are only 4 of each card"),
        (("hand", FIFTEEN), "xsf: 15 cards: the hand must have 16"),
        (("purro", SEED), "xsf: 16 cards: the hand must have 15"),
        (("discard", "oA"), "xsf: 1 card: the hand must have 16"),
        (("purro", FIFTEEN, "--seen", "oA oA oA oA"), "xsf: 5 of oA in all, the hand, the sowee and what is seen"),
        (("hand", SEED, "--laid", "oA"), "xsf: laid: oA is no secret"),
        (("hand", SEED, "--rules", "odd"), "xsf cuajo hand: Invalid value for '--rules': 'odd' is neither a rule set"),
        ((*PAY, "--bounit", "oK", "--by", "own"), "xsf: bounit: oK is not among the cards of the hand"),
        ((*PAY, "--bounit", "oA", "--by", "luck"), "xsf cuajo pay: Invalid value for '--by': 'luck' is not one of"),
        (("pay", "--hand", SEED), "xsf cuajo pay: Missing option '--sowee'."),
    ],
)
def test_bad_input_is_one_line_and_status_2(args: tuple[str, ...], message: str) -> None:
    result = xsf(*args)
    assert result.exit_code == 2
    lines = [line for line in result.stderr.splitlines() if "compiling" not in line]
    assert len(lines) == 1
    assert lines[0].startswith(message)
    assert result.stdout == ""


def test_hands_from_standard_input_and_a_file(tmp_path: Path) -> None:
    lines = f"# hands\n{SEED}\n\noA oA  # too few\n{WITH_HORSE}\n"
    result = xsf("hand", "--json", "-", stdin=lines)
    assert result.exit_code == 2
    assert "xsf: standard input: line 4: 2 cards: the hand must have 16" in result.stderr
    assert [json.loads(line)["complete"] for line in result.stdout.splitlines()] == [True, False]
    path = tmp_path / "hands.txt"
    path.write_text(f"{SEED}\n{WITH_HORSE}\n", encoding="utf-8")
    assert xsf("hand", str(path)).stdout.count("coins  oros") == 2
    assert xsf("hand", str(path)).exit_code == 0


def test_rules_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text('name = "club"\nother_king = 25\n', encoding="utf-8")
    found = record(*PAY, "--bounit", "oA", "--by", "own", "--rules", str(path))
    assert (found["rules"]["id"], found["lines"]) == ("club", [["kings", 25], ["own-draw", 110]])


def test_colours_change_nothing_else() -> None:
    import re

    whole, part = Hand.parse(WITH_HORSE, 16, sowee="o4"), Hand.parse(FIFTEEN, 15)
    won = Hand.parse(SEED, 16, sowee="o4")
    payment = pay(Win(won, parse_card("cJ"), "draw", parse_cards("cH")))
    for style in (Style(), Style(ascii=True)):
        colored = Style(color=True, ascii=style.ascii)
        for describe in (
            lambda style: describe_hand(analyse(won), style),
            lambda style: describe_hand(analyse(whole), style),
            lambda style: describe_purro(purro(part), style),
            lambda style: describe_discards(discards(whole), style),
            lambda style: describe_payment(payment, style),
        ):
            plain, shown = describe(style), describe(colored)
            assert shown != plain
            assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == plain


def test_help_loads_no_numba() -> None:
    script = (
        "import sys\nfrom click.testing import CliRunner\nfrom cli.main import main\n"
        "for args in (['--help'], ['cuajo', '--help'], ['cuajo', 'pay', '--help']):\n"
        "    assert CliRunner().invoke(main, args).exit_code == 0\n"
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[2])
