"""Goals at the command line: ``solve``, ``hint`` and ``deal`` with ``--goal``, and the tables that they build."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from scrambled import FEW, FEW_TOML, scrambled, scrambled_at, scrambled_deals

from cli.main import main
from cli.show.hint import describe_hint
from cli.show.loss import explain_loss
from cli.show.solution import describe_result, move_lines
from cli.show.style import Style
from solver.xiangshifu.bonds import locks
from solver.xiangshifu.goals import parse_goal
from solver.xiangshifu.hints import Adviser
from solver.xiangshifu.moves import legal_moves
from solver.xiangshifu.position import LAYOUTS, TEN, Deal
from solver.xiangshifu.proof import BondProof, CaseProof, FrozenSetProof, LackProof, Way
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.solve import Limits
from solver.xiangshifu.solve import Result as Solved
from solver.xiangshifu.tablebase import Tablebase, table_path

PAIR = "pair:22-22"
PLAIN = Style(ascii=True)

LOCKED = """\
Can't be won: pair 25-34 needs other groups than the repairs can leave.
Once all groups are valid, no move changes whether these are there: 36-35-34;
26-25-23 or 26-25-24; 15-26-34; 16-25-34 or 25-34. So that is up to the
repairs. The goal leaves one choice:
  16-25-34 or 25-34, none of the others: only the repair of group 3 (55-16-24),
    4 (16-26-12), 7 (22-56-34) or 10 (66-25) could make one. But groups 3, 4
    and 7 never find a partner for that; if group 10 does, group 8 (13-36-35)
    can't be repaired."""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The file of the rule set; this module's tables are in a folder of their own."""
    folder = tmp_path_factory.mktemp("goals")
    path = folder / "few.toml"
    path.write_text(FEW_TOML)
    assert RuleSet.parse(str(path)) == FEW
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XSF_CACHE_DIR", str(folder))
        yield str(path)


@pytest.fixture(scope="module")
def solved(rules: str) -> Result:
    """Thirty deals solved for the pair; the tables are built on the way."""
    return xsf("solve", "--rules", rules, "--goal", PAIR, "--json", "-", stdin=lines(scrambled_deals(30)))


def xsf(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, args, input=stdin)


def errors(result: Result) -> list[str]:
    """What was said on stderr, but for kernels that are compiled first."""
    return [line for line in result.stderr.splitlines() if "compiling" not in line]


def records(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def lines(deals: list[Deal]) -> str:
    return "".join(f"{deal}\n" for deal in deals)


def test_solutions_for_a_goal_pass_the_check(solved: Result) -> None:
    assert solved.exit_code == 0
    found = records(solved)
    assert [record["goal"] for record in found] == [PAIR] * 30
    assert {record["verdict"] for record in found} == {"winnable", "unwinnable"}
    won = [record for record in found if record["verdict"] == "winnable"]
    checked = xsf("check", "-", stdin="".join(json.dumps(record) + "\n" for record in won))
    assert (checked.exit_code, checked.stdout) == (0, f"checked {len(won)}, failed 0\n")


def test_losses_for_a_goal_pass_the_check(solved: Result) -> None:
    lost = [record for record in records(solved) if record["verdict"] == "unwinnable"]
    assert "bond" in {record["proof"]["kind"] for record in lost}
    checked = xsf("check", "-", stdin="".join(json.dumps(record) + "\n" for record in lost))
    assert (checked.exit_code, checked.stdout) == (0, f"checked {len(lost)}, failed 0\n")


def test_tables_are_built_once_and_announced_in_one_line(solved: Result, rules: str) -> None:
    assert errors(solved) == [f"xsf: building the tables for {PAIR}, layout ten; this happens once and takes a while"]
    assert table_path(TEN, FEW, parse_goal(PAIR, TEN)).exists()
    again = xsf("solve", "--rules", rules, "--goal", PAIR, "--json", str(scrambled(1, 1)))
    assert (again.exit_code, errors(again)) == (0, [])


def test_answers_do_not_depend_on_the_number_of_processes(solved: Result, rules: str) -> None:
    deals = lines(scrambled_deals(30))
    two = records(xsf("solve", "--rules", rules, "--goal", PAIR, "--json", "--jobs", "2", "-", stdin=deals))
    one = records(solved)
    for record in (*one, *two):
        del record["seconds"]
    assert one == two


def test_the_goal_follows_the_layout_of_each_deal(rules: str) -> None:
    deals = [scrambled(3, 1), scrambled(3, 1, "shanghai")]
    found = xsf("solve", "--rules", rules, "--json", "-", stdin=lines(deals))
    assert found.exit_code == 0
    assert [record["goal"] for record in records(found)] == ["any", "shanghai"]
    assert errors(found)[0].startswith("xsf: building the tables for shanghai, layout shanghai;")


def test_a_goal_of_another_layout_is_a_bad_line(solved: Result, rules: str) -> None:
    deals = [Deal.random(1, 0, LAYOUTS["shanghai"]), scrambled(1, 1)]
    found = xsf("solve", "--rules", rules, "--goal", PAIR, "--json", "-", stdin=lines(deals))
    assert found.exit_code == 2
    assert [record["layout"] for record in records(found)] == ["ten"]
    assert errors(found) == [f"xsf: standard input: line 1: goal '{PAIR}' belongs to layout ten, not shanghai"]


@pytest.mark.parametrize("command", ["solve", "hint", "deal"])
def test_an_unknown_goal_is_wrong_usage(command: str) -> None:
    found = xsf(command, "--goal", "moon")
    assert (found.exit_code, found.stdout) == (2, "")
    (line,) = errors(found)
    assert "goal 'moon' is unknown" in line


def test_memory_bounds_the_tables_too() -> None:
    found = xsf("solve", "--goal", "shanghai", "--memory", "8", str(Deal.random(1, 1, LAYOUTS["shanghai"])))
    assert (found.exit_code, found.stdout) == (2, "")
    assert errors(found)[-1].endswith("the table takes 9 MiB of memory, but the limit is 8 MiB")


def test_solutions_in_words_tell_where_all_groups_are_valid(solved: Result) -> None:
    seen, tablebase, goal = set(), Tablebase(TEN, FEW), parse_goal(PAIR, TEN)
    for distance, swaps in ((4, 0), (0, 1), (0, 2), (4, 1), (4, 2), (9, 3)):
        deal = scrambled_at(distance, swaps, tablebase, goal)
        result = solver().solve(deal)
        text = describe_result(result, PLAIN)
        assert text.startswith("Pair 22-22 in ")
        first = next(
            (number for number in range(len(result.moves) + 1) if is_valid_after(deal, result.moves[:number])), None
        )
        assert first is not None
        inside = 0 < first < len(result.moves)
        assert ("all groups are valid; on to pair 22-22:" in text) == inside
        if inside:
            numbered = text.splitlines()
            place = next(k for k, line in enumerate(numbered) if "on to pair" in line)
            assert numbered[place - 1].startswith(f"{first:>3}. ")
            assert numbered[place + 1].startswith(f"{first + 1:>3}. ")
        seen.add((inside, first == 0))
    assert seen == {(True, False), (False, False), (False, True)}


def solver() -> Any:
    from solver.xiangshifu.goalsolve import GoalSolver

    return GoalSolver(Tablebase(TEN, FEW), parse_goal(PAIR, TEN))


def is_valid_after(deal: Deal, moves: Any) -> bool:
    position: Any = deal
    for move in moves:
        position = position.exchanged(*move.groups, move.after)
    return parse_goal("any", TEN).reached(position, FEW)


def test_plain_moves_repair_nothing(solved: Result) -> None:
    deal = scrambled(4, 0)
    heading, *rest = move_lines(legal_moves(deal, FEW), FEW, PLAIN)
    assert rest
    assert not any("+" in line or "repaired" in line for line in (heading, *rest))
    assert move_lines([], FEW, PLAIN) == []


def test_a_golden_reason() -> None:
    made = [Way((place,), (), FrozenSetProof((frozen,))) for place, frozen in ((3, 3), (4, 4), (7, 7), (10, 8))]
    cases = CaseProof((3,), (0, 1, 2), made=(3,), ways=tuple(made)), CaseProof((), (0, 1, 2, 3))
    proof = BondProof(locks(CLASSIC), cases)
    deal = Deal.random(5, 10)
    loss = Solved(deal, CLASSIC, "unwinnable", None, None, None, None, proof, 0, 0.0, "pair:25-34")
    assert explain_loss(loss, PLAIN) == LOCKED
    dealt = replace(loss, proof=BondProof(locks(CLASSIC), (replace(cases[0], dealt=8, made=None, ways=()), cases[1])))
    last = "none of the others: group 8 (13-36-35) is dealt, and no repair in this deal can part it for good."
    assert " ".join(explain_loss(dealt, PLAIN).split()).endswith(last)


def test_a_golden_reason_for_a_lock_that_is_not_there_in_the_end() -> None:
    lacking = CaseProof((3,), (0, 1, 2), made=(), ways=(Way((), (), LackProof(3, ())),))
    made = replace(lacking, made=(3,), ways=(Way((10,), (), LackProof(3, (2,))),))
    told = []
    for case in (lacking, made):
        proof = BondProof(locks(CLASSIC), (case, CaseProof((), (0, 1, 2, 3))))
        loss = Solved(Deal.random(5, 10), CLASSIC, "unwinnable", None, None, None, None, proof, 0, 0.0, "pair:25-34")
        told.append(" ".join(explain_loss(loss, PLAIN).split()))
    assert told[0].endswith("none of the others: then no order of repairs leaves it there in the end.")
    assert told[1].endswith("But if group 10 does, no order of repairs leaves it there in the end.")


def test_losses_in_words(solved: Result) -> None:
    told = 0
    for deal in scrambled_deals(30):
        result = solver().solve(deal)
        if result.verdict != "unwinnable":
            continue
        text = describe_result(result, PLAIN)
        assert max(map(len, text.splitlines())) <= 79
        if result.proof.kind == "bond":
            told += 1
            assert text.startswith("Can't be won: pair 22-22 needs other groups than the repairs can leave.\n")
            assert len(text.splitlines()) < 40
        elif result.proof.kind == "exhaustion" and is_valid_after(deal, ()):
            assert text.startswith("Can't be won: no moves lead to pair 22-22.\n")
    assert told


def test_hint_as_json(solved: Result, rules: str) -> None:
    position = scrambled(1, 1)
    found = xsf("hint", "--rules", rules, "--goal", PAIR, "--json", str(position))
    assert (found.exit_code, errors(found)) == (0, [])
    (told,) = records(found)
    hint = Adviser(parse_goal(PAIR, TEN), FEW, Limits(seconds=20)).hint(position)
    assert told == json.loads(json.dumps(hint.to_json()))


def test_hints_in_words(solved: Result) -> None:
    adviser = Adviser(parse_goal("any", TEN))
    hint = adviser.hint(Deal.random(1, 2))
    shown = describe_hint(hint, PLAIN).splitlines()
    assert shown[0] == "6 moves to go, the fewest possible."
    assert sum(". [" in line for line in shown) == len(hint.moves)
    every = adviser.hint(Deal.random(1, 2), every=True)
    assert every.prospects is not None
    shown = describe_hint(every, PLAIN).splitlines()
    assert "6 moves in all:" in shown
    assert (
        sum(". [" in line for line in shown)
        == len(every.prospects)
        == len(legal_moves(Deal.random(1, 2), every.result.rules))
    )
    assert describe_hint(adviser.hint(Deal.random(1, 18)), PLAIN).startswith("Can't be won: group 1 ")


def test_hint_of_many_positions(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text(f"{Deal.random(1, 2)}\nmoon 11\n{Deal.random(1, 18)}\n")
    found = xsf("hint", "--json", str(file))
    assert found.exit_code == 2
    assert [record["verdict"] for record in records(found)] == ["winnable", "unwinnable"]
    (line,) = errors(found)
    assert f"{file}: line 2: " in line


def test_an_undecided_hint_has_status_3() -> None:
    found = xsf("hint", "--json", "--time-limit", "0.000001", str(Deal.random(1, 1)))
    (told,) = records(found)
    assert (found.exit_code, told["verdict"]) in ((3, "undecided"), (0, "winnable"))


def test_deals_for_a_goal(rules: str) -> None:
    found = xsf("deal", "--rules", rules, "--goal", PAIR, "--seed", "1", "--unwinnable", "--count", "2")
    assert found.exit_code == 0
    solved = records(xsf("solve", "--rules", rules, "--goal", PAIR, "--json", "-", stdin=found.stdout))
    assert [record["verdict"] for record in solved] == ["unwinnable"] * 2
    assert xsf("deal", "--goal", "five-dragons").exit_code == 2
    assert xsf("deal", "--goal", "shanghai", "--winnable").exit_code == 2
