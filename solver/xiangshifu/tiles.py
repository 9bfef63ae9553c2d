"""The Chinese domino set: 32 tiles of 21 kinds, on exactly 32 bits."""

from __future__ import annotations

from solver.deck import Deck, Kind

CIVILIAN = ("66", "11", "44", "13", "55", "33", "22", "56", "46", "16", "15")
MILITARY = ("36", "45", "26", "35", "25", "34", "14", "23", "24", "12")


def _kind(name: str, copies: int) -> Kind:
    return Kind(name, copies, () if name[0] == name[1] else (name[::-1],))


TILES = Deck((*(_kind(name, 2) for name in CIVILIAN), *(_kind(name, 1) for name in MILITARY)))
"""Civilian kinds first, twice each, in the order of their rank; then the military kinds (rules, "Tiles")."""

PIPS: tuple[tuple[int, int], ...] = tuple((int(kind.name[0]), int(kind.name[1])) for kind in TILES.kinds)
"""For each kind its two ends, the smaller first."""

KIND_OF_BIT: tuple[int, ...] = TILES.kinds_of(TILES.full)
"""For each of the 32 bits the kind it belongs to."""
