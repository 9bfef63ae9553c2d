"""``xsf dead-groups`` as people and scripts meet it."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from cli.show.deadgroups import describe_losses, describe_theory, one_in, percent
from cli.show.style import COLUMNS, Style
from solver import RuleSet
from solver.xiangshifu.losses import Held, Losses, Share, expected_shares
from solver.xiangshifu.theory import theory
from solver.xiangshifu.verdicts import OUTCOMES


def xsf(*args: str) -> Result:
    result = CliRunner().invoke(main, ["dead-groups", *args])
    assert result.exit_code == 0, result.output
    return result


def record(*args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(xsf("--json", *args).stdout)
    return found


def fits(text: str) -> bool:
    return all(len(line) <= COLUMNS and line == line.rstrip() for line in text.splitlines())


def test_text_of_the_classic_rules() -> None:
    text = xsf().stdout
    assert fits(text)
    assert text.startswith("Rules classic\n195 valid triples (674 counting copies) and 16 valid pairs.\n\nDead: ")
    assert re.search(r"\n  5 triples +dealt 1 in   lost 1 in\n    \[4:4\]\[1:5\]\[2:5\] +124 +124\n", text)
    assert re.search(r"\n  1 pair +dealt 1 in   lost 1 in\n    \[2:2\]\[1:6\] +124 +186\n", text)
    assert "\n  30 of 2 groups and 683 of 3 groups " in text
    assert "\n    and 705 less likely ones; --json lists all\n" in text
    assert re.search(r"\n  dead group +2\.41 % +42 +2\.41 %\n", text)
    assert re.search(r"\n  3 groups dead together +at most 0\.0051 % +19,610\n", text)
    assert "deals of seed" not in text


def test_text_of_rules_that_condemn_little() -> None:
    text = xsf("--rules", "multiple", "--ascii").stdout
    assert fits(text)
    assert "There is no dead group." in text
    assert "There is no conditionally dead group." in text
    assert "[4:4][3:5][2:3]  [3:6][3:4][2:4]" in text
    assert "less likely" not in text
    assert "There is no such set" not in text
    assert "Dead together" not in xsf("--rules", "multiple", "--size", "1").stdout
    assert "There is no such set of up to 2 groups." in xsf("--rules", "thirteen+multiple", "--size", "2").stdout


def test_json_has_every_key() -> None:
    found = record()
    assert list(found) == [
        "schema", "rules", "valid_triples", "valid_pairs", "dead", "conditionally_dead",
        "odds", "dead_together", "levels", "simulation", "unexplained",
    ]  # fmt: skip
    assert found["dead"] == {"triples": ["44-15-25", "33-15-25", "33-14-24", "45-14-24", "34-23-24"], "pairs": []}
    assert found["conditionally_dead"]["pairs"] == ["22-16"]
    entry = found["odds"]["conditionally_dead"][0]
    assert set(entry) == {"groups", "unconditional", "edge_partners", "dealt", "lost"}
    assert entry["groups"] == ["33-16-25"]
    assert Fraction(entry["dealt"]["fraction"]) == Fraction(1, 124)
    assert float(Fraction(entry["lost"]["fraction"])) == entry["lost"]["value"]
    assert found["dead_together"]["most_groups"] == 3
    assert len(found["dead_together"]["sets"]) == 713
    assert [level["level"] for level in found["levels"]] == [
        "dead-group", "conditionally-dead", "dead-together-2", "dead-together-3", *OUTCOMES[3:],
    ]  # fmt: skip
    assert found["levels"][0]["exact"]["value"] == pytest.approx(0.0240545)
    assert found["levels"][3]["exact"] is None
    assert found["levels"][3]["at_most"]["value"] == pytest.approx(5.098e-5, rel=1e-3)
    assert found["levels"][0]["deals"] is None
    assert found["simulation"] is None
    assert found["unexplained"] is None


def test_json_of_a_simulation() -> None:
    found = record("--rules", "mixed-dragon", "--size", "2", "--deals", "150", "--seed", "2")
    simulation = found["simulation"]
    assert set(simulation) == {"seed", "deals", "winnable", "unwinnable", "undecided", "larger_frozen_sets"}
    assert (simulation["seed"], simulation["deals"]) == (2, 150)
    assert simulation["winnable"] + simulation["unwinnable"] + simulation["undecided"] == 150
    assert sum(level["deals"] for level in found["levels"]) == simulation["unwinnable"]
    assert all(set(held) == {"proof", "groups", "valid_partners", "deals"} for held in found["unexplained"])


def test_text_of_a_simulation() -> None:
    text = xsf("--deals", "60", "--size", "1").stdout
    assert fits(text)
    assert "60 deals of seed 1: " in text
    assert re.search(r"\nLost by +deals +share +exact +z of losses +so far\n  dead group +\d", text)


def made_up(held: tuple[Held, ...], larger: dict[int, int]) -> Losses:
    shares = [*expected_shares(theory(RuleSet.parse("classic")))]
    shares[0] = Share("dead-group", 5, None, Fraction(1, 41), None, 123_456, 0.0000021, 1.0, 1.0, -12.34)
    shares[1:] = [Share(share.name, deals=0, share=0.0, share_of_losses=0.0, losses_so_far=1.0) for share in shares[1:]]
    return Losses(1, 12_345_678, 12_000_000, 345_678, 0, tuple(shares), larger, 3, held)


def test_losses_fit_the_terminal() -> None:
    known = theory(RuleSet.parse("classic"))
    groups = known.levels[3].sets[0].groups
    others = [one.groups for one in known.levels[2].sets if one.groups[0] != groups[0]][:20]
    held = (
        Held("relaxed-closure", groups[:1], (7,), 1_234),
        Held("relaxed-closure", groups * 2, (1, 2, 3) * 2, 20),
        Held("exhaustion", (), (), 2),
        Held("layered-closure", groups[:1], (7,), 66),
        *(Held("layered-closure", other, (1, 2), 1) for other in others),
    )
    text = describe_losses(made_up(held, {7: 3, 9: 1}), Style())
    assert fits(text)
    assert "The larger frozen sets have 7 to 9 groups." in text
    assert "3 of 4 have no move at all." in " ".join(text.split())
    assert re.search(r"\n +1,300 .* 7\n", text)
    assert "and 10 more; --json lists all" in text
    assert "have 8 groups" in describe_losses(made_up((), {8: 3}), Style())


def test_colour_changes_no_width() -> None:
    known = theory(RuleSet.parse("thirteen"))
    plain, coloured = describe_theory(known, Style()), describe_theory(known, Style(color=True))
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain
    assert fits(plain)


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (Fraction(1, 3), ("3.0", "33.33 %")),
        (Fraction(1, 124), ("124", "0.81 %")),
        (Fraction(1, 1653), ("1,653", "0.060 %")),
        (Fraction(1, 1_234_567), ("1,235,000", "0.000081 %")),
        (Fraction(0), ("", "0.00 %")),
        (None, ("", "")),
        (1, ("1.0", "100.00 %")),
    ],
)
def test_probabilities_as_text(chance: Fraction | None, words: tuple[str, str]) -> None:
    assert (one_in(chance), percent(chance)) == words


@pytest.mark.parametrize("args", [("--size", "0"), ("--size", "5"), ("--deals", "-1"), ("--seed", "-1")])
def test_bad_options_get_status_2(args: tuple[str, str]) -> None:
    result = CliRunner().invoke(main, ["dead-groups", *args])
    assert result.exit_code == 2
    assert args[0] in result.stderr
