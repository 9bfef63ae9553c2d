"""What processes of the play server can be told to do with questions instead of solving them; by the goal asked for."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from cli.play.questions import NoTables, Question


def obey(question: Question, tell: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Answer at once, soon or never, or die, by what stands in place of the goal."""
    if question.goal == "never":
        tell({"building": "something", "done": 1, "total": 4})
        time.sleep(600)
    if question.goal == "soon":
        time.sleep(0.3)
    if question.goal == "die":
        os._exit(9)
    if question.goal == "refuse":
        raise NoTables("none")
    if question.goal == "memory":
        raise MemoryError
    if question.goal == "disk":
        raise OSError("no space left on /some/secret/place")
    return {"verdict": "winnable", "length": 3, "seconds": question.seconds, "process": os.getpid()}
