"""Goals as people call them."""

from __future__ import annotations

from solver.xiangshifu.names import goal_name


def goal_text(name: str, lang: str = "en") -> str:
    """A goal, given by its id, inside a sentence: ``Five Dragons``, ``pair 25-34``."""
    return goal_name(name, lang)


def goal_head(name: str, lang: str = "en") -> str:
    """The same at the beginning of one."""
    text = goal_text(name, lang)
    return text[0].upper() + text[1:]
