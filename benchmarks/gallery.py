"""Writes data/results/gallery.md, which shows what each command prints, and the board picture of the README.

The commands run from the folder of the project; tables of the tablebase that are missing are built. What plays is
shown by screenshots, which this does not take.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "data/results/gallery.md"
PICTURE = "data/pictures/board.svg"
MOST_LINES = 45

DEAL = "56-13-62 21-44-52 61-51-33 61-11-55 14-34-24 22-55-51 31-44-54 53-63-11 46-33-64 56-32-66 22-66"
LOST = "25-23-24 22-16-36 66-11-33 55-56-56 11-45-12 44-35-14 66-55-15 44-13-22 33-46-16 13-46-26 15-34"
VALID = "66-11-12 66-44-24 11-22-23 44-13-14 13-46-25 55-33-35 55-33-34 22-56-26 56-46-45 16-16-36 15-15"

SECTIONS = (
    ("A board", [f'xsf show --svg {PICTURE} "{DEAL}"']),
    ("A solution", [f'xsf solve --no-board "{DEAL}"']),
    ("A loss, and why", [f'xsf solve --no-board "{LOST}"']),
    ("Deals", ["xsf deal --seed 1 --index 2219 --count 3", "xsf deal --seed 5 --length 14-20"]),
    ("Hints", [f'xsf hint "{DEAL}"']),
    ("The independent checker", ["xsf solve --json data/deals/public-deals.txt | xsf check --full -"]),
    ("Dead groups", ["xsf dead-groups"]),
    ("The graph of repairs", [f'xsf graph matching "{DEAL}"']),
    ("Bonds", ["xsf bonds --layout shanghai"]),
    ("Remedies", ["xsf remedies --count 200 --seed 1 --no-shortest"]),
    (
        "A survey, and its report",
        ["xsf survey --count 2000 --seed 1 --jobs 1 --db $TMP/survey.db", "xsf report $TMP/survey.db"],
    ),
    ("The tablebase", [f'xsf tablebase probe --goal generals "{VALID}"']),
)


def main() -> int:
    parts = [
        "# Gallery",
        "What the commands print; made by `python benchmarks/gallery.py`. Long answers are cut.",
        "![The board of the first deal, drawn by `xsf show --svg`](../pictures/board.svg)",
        "`xsf play --serve`, on a desk and on a phone:",
        "![The play page: a move is shown](../pictures/play.png)",
        "![The play page in Chinese on a phone: won](../pictures/play-phone.png)",
    ]
    for title, commands in SECTIONS:
        print(title, flush=True)
        parts += [f"## {title}", "```console\n" + "\n".join(map(shown, commands)) + "\n```"]
    PAGE.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return 0


def shown(command: str) -> str:
    """A command and what it prints on both streams."""
    real = re.sub(r"\bxsf\b", f"{sys.executable} -m cli.main", command)
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    run = subprocess.run(real, shell=True, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    lines = (run.stdout + run.stderr).rstrip().splitlines()
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], "..."]
    return "\n".join([f"$ {command}", *lines]).replace("$TMP/", "").replace(f"{os.environ['TMP']}/", "")


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMP"] = folder
        sys.exit(main())
