"""Bonds and invariants as text."""

from __future__ import annotations

import textwrap
from typing import Any

WIDTH = 78


def describe_bonds(record: dict[str, Any]) -> str:
    """What ``xsf bonds`` says, from its JSON."""
    lines = [f"Rules {record['rules']['id']}, layout {record['layout']}"]
    lines += _bonds(record["bonds"]) if record["bonds"] else ["No two tiles are bonded."]
    lines += _locks(record["locks"])
    return "\n".join([*lines, *_invariants(record["invariants"])])


def _bonds(bonds: list[dict[str, Any]]) -> list[str]:
    lines = ["Bonded tiles, and the valid groups that hold both:"]
    for bond in bonds:
        lines.append(f"  {bond['tiles']}  {' '.join(bond['groups'])}")
        if bond["breakers"]:
            lines += _wrapped(f"parted only by the repair of {' '.join(bond['breakers'])}", 9)
    return lines


def _locks(locks: list[dict[str, Any]]) -> list[str]:
    lines = []
    for lock in locks:
        good = "once there, for good" if not lock["breakers"] else f"broken by {len(lock['breakers'])} invalid groups"
        lines.append(f"Lock {lock['name']}: {good}; {lock['makers']} of all invalid groups can make it when repaired.")
    return lines


def _invariants(known: dict[str, Any]) -> list[str]:
    left = known["dimension"] - known["with_bonds"]
    text = (
        f"All linear invariants: {known['dimension']} dimensions, {known['trivial']} of them the same for every "
        f"position, {known['with_bonds'] - known['trivial']} by bonds"
    )
    text += f", {left} more." if left else ", and no more."
    lines = textwrap.wrap(text, WIDTH)
    for one in known["extra"] or []:
        lines += _wrapped(f"the number of {' '.join(one)} never changes", 2)
    return lines


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent)
