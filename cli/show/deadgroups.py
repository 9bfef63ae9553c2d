"""The groups that a rule set condemns by themselves, as a list."""

from __future__ import annotations

from cli.show.style import COLUMNS, Style, counted
from solver.xiangshifu.deadgroups import DeadGroups

GAP = 3
TRIPLE_TILES = 3


def describe_dead_groups(found: DeadGroups, style: Style) -> str:
    """How many groups a rule set makes valid, and its dead and conditionally dead groups."""
    valid = (
        f"{counted(found.valid_kinds, 'valid triple')} ({found.valid_tiles:,} counting copies) and "
        f"{counted(found.valid_pairs, 'valid pair')}."
    )
    return "\n".join(
        [
            style.bold(f"Rules {found.rules.id}"),
            valid,
            "",
            _section("dead", "no exchange can repair it, whatever the rest is.", found.dead, style),
            "",
            _section(
                "conditionally dead",
                "no valid group made of the other tiles can be its partner,\n"
                "only another dealt invalid group might repair it.",
                found.conditionally_dead,
                style,
            ),
        ]
    )


def _section(kind: str, meaning: str, groups: tuple[int, ...], style: Style) -> str:
    lines = [f"{style.bold(kind.capitalize())}: {meaning}"]
    if not groups:
        lines.append(f"  There is no {kind} group.")
    for noun, size in (("triple", TRIPLE_TILES), ("pair", TRIPLE_TILES - 1)):
        chosen = [group for group in groups if group.bit_count() == size]
        if chosen:
            lines += [f"  {counted(len(chosen), noun)}", *_columns(chosen, size, style)]
    return "\n".join(lines)


def _columns(groups: list[int], size: int, style: Style) -> list[str]:
    width = 5 * size
    columns = (COLUMNS - 4 + GAP) // (width + GAP)
    rows = [groups[start : start + columns] for start in range(0, len(groups), columns)]
    return ["    " + (" " * GAP).join(style.tiles(group) for group in row) for row in rows]
