"""The tablebase: what files say is what the region, the goals and the slow twin say."""

from __future__ import annotations

import dataclasses
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain import SIZES, SMALL, all_texts, everything, game, result, small, texts

import solver.xiangshifu.components as components
import solver.xiangshifu.tablebase as tablebase
from solver.cache import kernel_dir
from solver.errors import InputError
from solver.xiangshifu.bonds import bonds, bonds_in
from solver.xiangshifu.goals import named_goals, parse_goal
from solver.xiangshifu.groups import GROUPS, group_table
from solver.xiangshifu.plain import UNREACHABLE
from solver.xiangshifu.position import LAYOUTS, TEN, Deal, Position
from solver.xiangshifu.rules import CLASSIC, RuleSet
from solver.xiangshifu.tablebase import (
    LARGEST,
    Tablebase,
    build_components,
    build_distances,
    build_region,
    check_valid,
    is_built,
    is_region_built,
    known_region,
    region_path,
    table_path,
)

ROOT = Path(__file__).parents[3]
PAIR = parse_goal("pair:22-22", TEN)
numbers = st.integers(0, SIZES["ten"] - 1)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Tablebase]]:
    """All tables of the small rule set; their folder is that of this module's tests."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XSF_CACHE_DIR", str(folder))
        for layout in LAYOUTS.values():
            assert not is_built(layout, SMALL)
            assert result(build_components(layout, SMALL, jobs=2)).parent == folder / "tablebase"
            for goal in named_goals(layout):
                path = result(build_distances(goal, SMALL))
                assert path == table_path(layout, SMALL, goal)
                assert is_built(layout, SMALL, goal)
        yield {layout.name: Tablebase(layout, SMALL) for layout in LAYOUTS.values()}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for tables."""
    monkeypatch.setenv("XSF_CACHE_DIR", str(tmp_path))
    return tmp_path / "tablebase"


def position_at(layout: str, number: int) -> Position:
    return small(layout).position(number)


# Files


def test_files_have_names_that_say_what_they_hold(cache: Path) -> None:
    both = RuleSet.parse("mixed-dragon+thirteen")
    assert table_path(TEN, CLASSIC, None) == cache / "ten-classic-components.xsf"
    assert table_path(TEN, both, PAIR) == cache / "ten-thirteen+mixed-dragon-pair-22-22.xsf"
    own = dataclasses.replace(CLASSIC, id="My Rules / ü", fourteen_threshold=12)
    other = dataclasses.replace(own, fourteen_threshold=11)
    first, second = (table_path(TEN, rules, None).name for rules in (own, other))
    assert first.startswith("ten-my-rules-")
    assert first != second
    without = CLASSIC.restricted([int(group_table().masks[0])])
    assert len({table_path(TEN, rules, None) for rules in (CLASSIC, without, own, other)}) == 4


def test_what_is_missing_or_damaged_is_one_line(cache: Path) -> None:
    assert not is_built(TEN, SMALL)
    with pytest.raises(InputError, match=r"components\.xsf: No such file"):
        Tablebase(TEN, SMALL).info()
    path = result(build_components(TEN, SMALL))
    assert is_built(TEN, SMALL)
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    for ask in (is_built, lambda layout, rules: Tablebase(layout, rules).components):
        with pytest.raises(InputError, match=f"{path}: damaged"):
            ask(TEN, SMALL)
    assert result(build_components(TEN, SMALL)) == path
    assert path.read_bytes() == content


def test_another_numbering_is_not_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result(build_distances(PAIR, SMALL))
    monkeypatch.setattr(tablebase, "NUMBERING", 2)
    with pytest.raises(InputError, match="numbering 1, not 2"):
        is_built(TEN, SMALL, PAIR)


def test_a_table_of_other_rules_under_our_name_is_not_used(cache: Path) -> None:
    path = result(build_components(TEN, SMALL))
    other = dataclasses.replace(SMALL, fourteen_threshold=15)
    path.rename(table_path(TEN, other, None))
    with pytest.raises(InputError, match="holds another table: other rules"):
        is_built(TEN, other)


def test_memory_and_disk_are_asked_first(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = LAYOUTS["shanghai"]
    for build in (build_components(layout, memory=8), build_distances(parse_goal(None, layout), memory=4)):
        with pytest.raises(InputError, match=r"4,502,891 valid positions; the table takes (9|5) MiB of memory"):
            next(build)
    monkeypatch.setattr(tablebase.shutil, "disk_usage", lambda path: Free(5 << 20))
    with pytest.raises(InputError, match=r"components\.xsf: takes 9 MiB, but 5 MiB are free there"):
        next(build_components(layout))
    assert list(cache.iterdir()) == []


@dataclasses.dataclass
class Free:
    free: int


def same_region(layout: str) -> bool:
    """Whether the region that is known of a layout is the one that was counted."""
    counted, found = small(layout), known_region(LAYOUTS[layout], SMALL)
    same = all(np.array_equal(*pair) for pair in zip(counted.arrays, found.arrays, strict=True))
    return same and (found.layout, found.rules, found.size) == (counted.layout, SMALL, counted.size)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_region_in_a_file_is_not_counted_again(cache: Path, monkeypatch: pytest.MonkeyPatch, layout: str) -> None:
    assert not is_region_built(LAYOUTS[layout], SMALL)
    assert same_region(layout)
    assert not cache.exists()
    path = build_region(LAYOUTS[layout], SMALL)
    assert path == region_path(LAYOUTS[layout], SMALL)
    assert path.parent == cache
    assert path.name.startswith(f"{layout}-small-")
    monkeypatch.setattr(tablebase, "region", None)
    assert is_region_built(LAYOUTS[layout], SMALL)
    assert same_region(layout)
    found = known_region(LAYOUTS[layout], SMALL)
    assert np.array_equal(found.rank(everything(small(layout))), np.arange(found.size))
    assert [one.name for one in cache.iterdir()] == [path.name]


def test_a_region_whose_file_can_not_be_used_is_counted(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = build_region(TEN, SMALL)
    content = path.read_bytes()
    for damaged in (content[:-1] + bytes([content[-1] ^ 1]), content[:-1], content[:3]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=f"{path}: damaged"):
            is_region_built(TEN, SMALL)
        assert same_region("ten")
        assert path.read_bytes() == damaged
    assert build_region(TEN, SMALL) == path
    assert path.read_bytes() == content
    other = dataclasses.replace(SMALL, fourteen_threshold=15)
    path.rename(region_path(TEN, other))
    with pytest.raises(InputError, match="holds another table: other rules"):
        is_region_built(TEN, other)
    build_region(TEN, SMALL)
    monkeypatch.setattr(tablebase, "NUMBERING", 2)
    with pytest.raises(InputError, match="numbering 1, not 2"):
        is_region_built(TEN, SMALL)
    assert same_region("ten")


def test_a_region_that_can_not_be_written_is_one_line(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(tablebase.shutil, "disk_usage", lambda path: Free(0))
        with pytest.raises(InputError, match=r"region\.xsf: takes 1 MiB, but 0 MiB are free there"):
            build_region(TEN, SMALL)
    cache.rmdir()
    cache.touch()
    with pytest.raises(InputError, match="File exists"):
        build_region(TEN, SMALL)
    assert same_region("ten")


REBUILD = """
import sys
sys.path.insert(0, "tests")
from plain import SMALL, result
from solver.xiangshifu.goals import parse_goal
from solver.xiangshifu.position import TEN
from solver.xiangshifu.tablebase import build_components, build_distances
for steps in range(1_000_000):
    result(build_components(TEN, SMALL))
    print("built", flush=True)
    result(build_distances(parse_goal("pair:22-22", TEN), SMALL))
"""


def test_a_build_that_is_killed_leaves_only_whole_files(cache: Path) -> None:
    command = [sys.executable, "-c", REBUILD]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(kernel_dir())}
    for seed in range(3):
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "built\n"
        time.sleep(random.Random(seed).uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert is_built(TEN, SMALL)
        if is_built(TEN, SMALL, PAIR):
            assert Tablebase(TEN, SMALL).probe_many(np.arange(5), PAIR).shape == (5,)
    result(build_distances(PAIR, SMALL))
    assert sorted(path.suffix for path in cache.iterdir()) == [".xsf", ".xsf"]


# Answers


@given(numbers)
def test_one_probe(built: dict[str, Tablebase], number: int) -> None:
    found = built["ten"]
    position = position_at("ten", number)
    expected = int(found.distances(PAIR)[number])
    assert found.probe(position, PAIR) == found.probe(number, PAIR) == (None if expected == UNREACHABLE else expected)
    turned = Position(position.groups[::-1], TEN)
    assert found.number(turned) == number


@pytest.mark.parametrize("layout", LAYOUTS)
def test_many_probes(built: dict[str, Tablebase], layout: str) -> None:
    found = built[layout]
    goal = named_goals(found.layout)[-1]
    table = found.distances(goal)
    positions = np.random.default_rng(4).permuted(everything(small(layout)), axis=1)
    assert np.array_equal(found.probe_many(positions, goal), table)
    assert np.array_equal(found.probe_many(np.arange(len(table)), goal), table)
    assert found.probe_many(positions[:0], goal).tolist() == []
    some = positions[1000 % len(positions) :][:77]
    assert np.array_equal(found.probe_many(some, goal), found.probe_many(small(layout).rank(some), goal))


def test_positions_outside_the_region_are_out_of_reach(built: dict[str, Tablebase]) -> None:
    found = built["ten"]
    positions = everything(small("ten"))
    broken = positions.copy()
    broken[::3] = np.random.default_rng(5).integers(0, GROUPS, broken[::3].shape)
    assert (small("ten").rank(broken[::3]) < 0).all()
    distances = found.probe_many(broken, PAIR)
    assert (distances[::3] == UNREACHABLE).all()
    assert np.array_equal(distances[1::3], found.distances(PAIR)[1::3])
    for wrong in (np.zeros((2, 10), dtype=np.int16), np.full((2, 11), -1), np.array([-1]), np.array([SIZES["ten"]])):
        with pytest.raises(ValueError, match=r"11 groups|no such group|numbered"):
            found.probe_many(wrong, PAIR)


@given(numbers)
def test_best_moves_are_all_that_lead_nearer(built: dict[str, Tablebase], number: int) -> None:
    found = built["ten"]
    position = position_at("ten", number)
    distance = found.probe(position, PAIR)
    best = [position.exchanged(*move.groups, move.after) for move in found.best_moves(position, PAIR)]
    after = texts([[group_table().number(group) for group in one.groups] for one in best])
    table = dict(zip(all_texts("ten"), found.distances(PAIR).tolist(), strict=True))
    nearer = {one for one in game().moves(all_texts("ten")[number]) if distance and table[one] == distance - 1}
    assert set(after) == nearer
    assert len(after) == len(nearer)


@given(numbers)
def test_paths_are_played_to_the_goal(built: dict[str, Tablebase], number: int) -> None:
    found = built["ten"]
    position = position_at("ten", number)
    moves = found.path(position, PAIR)
    assert (None if moves is None else len(moves)) == found.probe(position, PAIR)
    for move in moves or ():
        assert tuple(position.groups[place] for place in move.groups) == move.before
        position = position.exchanged(*move.groups, move.after)
        check_valid(position, SMALL)
    assert moves is None or PAIR.reached(position, SMALL)


def test_what_can_not_be_asked(built: dict[str, Tablebase]) -> None:
    found = built["ten"]
    deal = Deal.random(1, 0)
    with pytest.raises(InputError, match=r"^groups 1 \(11-44-33\), 2 .* are invalid under rules small; the tablebase"):
        found.probe(deal, PAIR)
    valid = found.region.position(5)
    with pytest.raises(InputError, match=r"^group 0 \(11-44-33\) is invalid"):
        check_valid(Position((deal.groups[1], *valid.groups[1:]), TEN), SMALL)
    with pytest.raises(InputError, match="a position of layout shanghai, not ten"):
        found.probe(position_at("shanghai", 0), PAIR)
    with pytest.raises(InputError, match="goal shanghai belongs to layout shanghai, not ten"):
        found.probe(valid, parse_goal("shanghai", LAYOUTS["shanghai"]))
    with pytest.raises(InputError, match="no position number 6018"):
        found.probe(SIZES["ten"], PAIR)


# What is known


@pytest.mark.parametrize("layout", LAYOUTS)
def test_info_counts_what_the_twin_finds(built: dict[str, Tablebase], layout: str) -> None:
    found = built[layout]
    info = found.info()
    parts = naive.components(game(), all_texts(layout))
    assert (info.positions, info.components) == (SIZES[layout], len(parts))
    assert [part.size for part in info.largest] == [len(part) for part in parts[:LARGEST]]
    home = {text: place for place, part in enumerate(parts) for text in part}
    positions = [position_at(layout, number) for number in range(info.positions)]
    for goal in named_goals(found.layout):
        reached = [goal.reached(position, SMALL) for position in positions]
        homes = {home[text] for text, is_goal in zip(all_texts(layout), reached, strict=True) if is_goal}
        told = info.goals[goal.id]
        assert told.goal_positions == sum(reached)
        assert told.reach == sum(len(parts[place]) for place in homes) == sum(told.by_distance or ())
        table = found.distances(goal)
        assert told.by_distance == tuple(np.bincount(table[table < UNREACHABLE]).tolist())
        assert told.farthest == (len(told.by_distance) - 1 if sum(reached) else None)


def test_the_largest_components_have_their_bonds_and_goals(built: dict[str, Tablebase]) -> None:
    found = built["ten"]
    table = bonds(SMALL, TEN)
    info = found.info()
    for place, part in enumerate(info.largest):
        for number in np.flatnonzero(found.components.labels == place):
            position = position_at("ten", int(number))
            assert {bond.name for bond in bonds_in(position.groups, table)} == set(part.bonds)
            assert found.component_of(position) == place
        inside = np.flatnonzero(found.components.labels == place)
        held = [goal.id for goal in named_goals(TEN) if (found.distances(goal)[inside] == 0).any()]
        assert held == list(part.goals)
        assert found.number(part.example) == inside[0]
    pairs = [told.goal_positions for goal, told in info.goals.items() if goal.startswith("pair:")]
    assert sum(pairs) == info.positions


def test_components_without_a_label_are_known_all_the_same(
    built: dict[str, Tablebase], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plenty, expected = built["ten"], built["ten"].info()
    assert plenty.component_of(0) < len(plenty.components.sizes)
    monkeypatch.setenv("XSF_CACHE_DIR", str(tmp_path))
    for module in (components, tablebase):
        monkeypatch.setattr(module, "MOST_LABELS", 1000)
    result(build_components(TEN, SMALL, jobs=2))
    few = Tablebase(TEN, SMALL)
    for goal, told in few.info().goals.items():
        assert (told.goal_positions, told.reach) == (expected.goals[goal].goal_positions, expected.goals[goal].reach)
        assert (told.farthest, told.by_distance) == (None, None)
    same: dict[int, int] = {}
    for number in range(SIZES["ten"]):
        component = few.component_of(number)
        assert same.setdefault(component, plenty.component_of(number)) == plenty.component_of(number)
        assert few.components.sizes[component] == plenty.components.sizes[same[component]]
    assert len(same) == len(set(same.values())) == len(plenty.components.sizes)


def test_a_region_without_positions(cache: Path) -> None:
    nothing = dataclasses.replace(CLASSIC, id="nothing", combinations=(), patterns=CLASSIC.patterns[1:2])
    build_region(TEN, nothing)
    assert is_region_built(TEN, nothing)
    result(build_components(TEN, nothing))
    result(build_distances(PAIR, nothing))
    info = Tablebase(TEN, nothing).info()
    assert (info.positions, info.components, info.largest) == (0, 0, ())
    assert info.goals["pair:22-22"] == tablebase.GoalInfo(0, 0, None, ())


@pytest.mark.slow
def test_rules_that_allow_everything_are_refused(cache: Path) -> None:
    everything = dataclasses.replace(CLASSIC, id="all", fourteen_threshold=1, multiples_of=(1, 2, 3, 4, 5, 6))
    with pytest.raises(InputError, match=r"4,867,846,901,048 valid positions; the table takes 9,284,682 MiB"):
        next(build_components(TEN, everything))
