"""Goals as people call them."""

from __future__ import annotations

_NAMES = {
    "any": "a final position",
    "five-dragons": "Five Dragons",
    "generals": "Generals in Mutual Harmony",
    "shanghai": "Shanghai",
    "eight-civil": "the four civilian pairs",
    "eight-military": "the four military pairs",
    "eight": "Eight Triples",
}


def goal_text(name: str) -> str:
    """A goal, given by its id, inside a sentence: ``Five Dragons``, ``pair 25-34``."""
    return _NAMES.get(name) or name.replace(":", " ")


def goal_head(name: str) -> str:
    """The same at the beginning of one."""
    text = goal_text(name)
    return text[0].upper() + text[1:]
