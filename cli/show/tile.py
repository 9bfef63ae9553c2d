"""The face of a Chinese domino: where its pips are, and which of them are red.

The sets that are in use differ in details. Here ones and fours are red, the one is larger than all others, there is no
line across the middle, and of 6:6 one long row is red (Pollett, "Chinese Domino Cards": "1s, 4s and one row of the
double 6s are red").
"""

from __future__ import annotations

from dataclasses import dataclass

from cli.show.style import RED_PIPS

WIDTH, HEIGHT = 40, 92
"""The size of a tile, in the units of its pips."""

RADIUS, RADIUS_OF_ONE = 4.1, 6.0
_CENTRES = (23.0, 69.0)
_ASIDE, _ALONG = 9.5, 11.5

_FACES: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
)
"""For each number of pips how far aside and along each of them is from the middle of its end."""


@dataclass(frozen=True)
class Pip:
    """One pip: its centre, its radius, and whether it is red."""

    x: float
    y: float
    radius: float
    red: bool


def pips(name: str) -> list[Pip]:
    """The pips of a tile by its text such as ``16``, the first end above."""
    found = []
    for end, middle in zip(map(int, name), _CENTRES, strict=True):
        radius = RADIUS_OF_ONE if end == 1 else RADIUS
        for aside, along in _FACES[end]:
            red = end in RED_PIPS or (name == "66" and aside < 0)
            found.append(Pip(WIDTH / 2 + aside * _ASIDE, middle + along * _ALONG, radius, red))
    return found
