"""The rule record: which triples and pairs are valid.

Every table of the game is derived from a ``RuleSet``; the presets are values of it and get no special
treatment. Source of the combinations and remedies: the game's rules, "Triples", "Pairs" and "Remedies".
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from solver.errors import InputError
from solver.rulefile import read_rule_file

STRUCTURAL = ("five-points", "full-fourteen", "split", "coincidence", "five-sons")
"""Combinations defined by counting equal ends; all others are six-end patterns, or ``multiple``."""

MULTIPLE = "multiple"
NAMED_ORDER = (
    *STRUCTURAL,
    "dragon",
    "small-dragon",
    "big-dragon",
    "two-three-kao",
    "mixed-dragon",
    MULTIPLE,
)
"""The order in which names are listed; patterns of a user's own follow."""

PAIR_NAMES = ("civilian", "military", "supreme")

MOST_THRESHOLD = 99
MOST_PATTERNS = 50
"""Names are bits of one word in the validators."""

Pattern = tuple[int, int, int, int, int, int]


@dataclass(frozen=True, order=True)
class Only:
    """An invalid group that may only be repaired by making, or by breaking up, one of some valid groups.

    Attributes:
        group: its mask.
        locked: masks of the valid groups.
        breaks: whether its partner has to be one of them and none may be left, instead of one being made.
    """

    group: int
    locked: tuple[int, ...]
    breaks: bool = False


@dataclass(frozen=True)
class RuleSet:
    """A rule record.

    Attributes:
        id: a preset's name, presets joined by ``+``, or a user's own name.
        fourteen_threshold: least sum of the other three ends in a full fourteen.
        multiples_of: the numbers n for which three n and three ends that sum to a multiple of n are valid.
        combinations: which of ``STRUCTURAL`` are on, in that order.
        patterns: named sets of six ends, each ascending.
        excluded: masks of groups that are not valid after all.
        only: which repairs some invalid groups are left.

    No rule set of the game has the last two; arguments about what a deal can reach do (``restricted``).
    """

    id: str
    fourteen_threshold: int
    multiples_of: tuple[int, ...]
    combinations: tuple[str, ...]
    patterns: tuple[tuple[str, Pattern], ...]
    excluded: tuple[int, ...] = ()
    only: tuple[Only, ...] = ()

    def restricted(self, excluded: Iterable[int] = (), only: Iterable[Only] = ()) -> RuleSet:
        """The rule set with some groups (masks) not valid, and some invalid groups repaired only in certain ways."""
        return replace(self, excluded=tuple(sorted(excluded)), only=tuple(sorted(only)))

    def __hash__(self) -> int:
        """By what tells most records apart, since they are keys of many caches."""
        return hash((self.id, self.excluded, self.only))

    @property
    def names(self) -> tuple[str, ...]:
        """All combinations that are on, in the order names are listed."""
        active = {*self.combinations, *(name for name, _ in self.patterns)}
        if self.multiples_of:
            active.add(MULTIPLE)
        known = tuple(name for name in NAMED_ORDER if name in active)
        return known + tuple(name for name, _ in self.patterns if name not in NAMED_ORDER)

    def to_json(self) -> dict[str, Any]:
        """The whole record as JSON values; ``from_json`` reads it back."""
        return {
            "id": self.id,
            "fourteen_threshold": self.fourteen_threshold,
            "multiples_of": list(self.multiples_of),
            "combinations": list(self.combinations),
            "patterns": {name: list(ends) for name, ends in self.patterns},
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> RuleSet:
        """The rule set that ``to_json`` wrote; raises InputError for anything else."""
        try:
            rules = _validated(
                "rules",
                record["id"],
                record["fourteen_threshold"],
                record["multiples_of"],
                tuple(record["combinations"]),
                dict(record["patterns"]),
            )
        except InputError:
            raise
        except KeyError as error:
            raise InputError(f"rules: {error.args[0]} is missing") from error
        except (TypeError, ValueError) as error:
            raise InputError(f"rules: not a rule record ({error})") from error
        if _is_preset(rules.id) and rules != _combine(rules.id):
            raise InputError(f"rules: id: {rules.id!r} belongs to a built-in rule set with another record")
        return rules

    @classmethod
    def parse(cls, text: str) -> RuleSet:
        """Read what ``--rules`` takes: presets joined by ``+``, or the path of a TOML file.

        Raises:
            InputError: neither a preset nor a readable, valid file; the message names file, key and reason.
        """
        if not _is_preset(text) and (text.endswith(".toml") or "/" in text or os.path.isfile(text)):
            return _from_toml(Path(text))
        return _combine(text)


CLASSIC = RuleSet(
    id="classic",
    fourteen_threshold=14,
    multiples_of=(),
    combinations=STRUCTURAL,
    patterns=(
        ("dragon", (1, 2, 3, 4, 5, 6)),
        ("small-dragon", (1, 1, 2, 2, 3, 3)),
        ("big-dragon", (4, 4, 5, 5, 6, 6)),
        ("two-three-kao", (2, 2, 3, 3, 6, 6)),
    ),
)


def _thirteen(rules: RuleSet) -> RuleSet:
    return replace(rules, fourteen_threshold=13)


def _mixed_dragon(rules: RuleSet) -> RuleSet:
    kept = tuple(pattern for pattern in rules.patterns if pattern[0] != "two-three-kao")
    return replace(rules, patterns=(*kept, ("mixed-dragon", (2, 3, 3, 4, 4, 5))))


def _multiple(rules: RuleSet) -> RuleSet:
    return replace(rules, multiples_of=(3, 4))


REMEDIES = {"thirteen": _thirteen, "mixed-dragon": _mixed_dragon, "multiple": _multiple}
"""Each remedy is a change of the valid triples (rules, "Remedies"); their order is the order in an id."""

ALIASES = {"wikipedia": "mixed-dragon"}
PRESETS = ("classic", *REMEDIES)


def combine(remedies: frozenset[str] | set[str]) -> RuleSet:
    """Classic with the named remedies applied; raises KeyError for a name that is none."""
    rules = CLASSIC
    chosen = [name for name in REMEDIES if name in remedies]
    if len(chosen) < len(remedies):
        raise KeyError(f"not all remedies: {sorted(remedies)}")
    for name in chosen:
        rules = REMEDIES[name](rules)
    return replace(rules, id="+".join(chosen) or "classic")


def _preset_names(text: str) -> list[str]:
    return [ALIASES.get(name.strip(), name.strip()) for name in text.split("+")]


def _is_preset(text: str) -> bool:
    return all(name in PRESETS for name in _preset_names(text))


def _combine(text: str) -> RuleSet:
    names = _preset_names(text)
    for name in names:
        if name not in PRESETS:
            raise InputError(f"{name!r} is neither a rule set ({', '.join(PRESETS)}) nor a file")
    return combine(set(names) - {"classic"})


TOML_KEYS = ("name", "base", "fourteen_threshold", "multiples_of", "remove", "patterns")


def _from_toml(path: Path) -> RuleSet:
    document = read_rule_file(path, TOML_KEYS)
    base = _base(path, document.get("base", "classic"))
    removed = _removed(path, base, document.get("remove", []))
    patterns: dict[str, Any] = {name: ends for name, ends in base.patterns if name not in removed}
    own = document.get("patterns", {})
    if not isinstance(own, dict):
        raise InputError(f"{path}: patterns: must be a table of six-end patterns")
    for name, ends in own.items():
        if name in patterns:
            raise InputError(f"{path}: patterns.{name}: {base.id} has this pattern already; list it in 'remove' first")
        patterns[name] = ends
    return _validated(
        str(path),
        _name(path, document.get("name", path.stem)),
        document.get("fourteen_threshold", base.fourteen_threshold),
        document.get("multiples_of", () if MULTIPLE in removed else base.multiples_of),
        tuple(name for name in base.combinations if name not in removed),
        patterns,
    )


def _name(path: Path, name: object) -> object:
    if isinstance(name, str) and _is_preset(name):
        raise InputError(f"{path}: name: {name!r} belongs to a built-in rule set; choose another")
    return name


def _base(path: Path, base: object) -> RuleSet:
    if not isinstance(base, str):
        raise InputError(f"{path}: base: must be a text such as 'classic'")
    try:
        return _combine(base)
    except InputError:
        raise InputError(f"{path}: base: {base!r} is no rule set; known are {', '.join(PRESETS)}") from None


def _removed(path: Path, base: RuleSet, names: object) -> set[str]:
    if not isinstance(names, list):
        raise InputError(f"{path}: remove: must be a list of combinations")
    for name in names:
        if name not in base.names:
            raise InputError(f"{path}: remove: {name!r} is no combination of {base.id} ({', '.join(base.names)})")
    return set(names)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _validated(
    where: str,
    name: Any,
    threshold: Any,
    multiples: Any,
    combinations: tuple[str, ...],
    patterns: Mapping[str, Any],
) -> RuleSet:
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise InputError(f"{where}: name: must be a text of printable characters, not {name!r}")
    if not _is_int(threshold) or not 1 <= threshold <= MOST_THRESHOLD:
        raise InputError(f"{where}: fourteen_threshold: must be a number from 1 to {MOST_THRESHOLD}, not {threshold!r}")
    if not isinstance(multiples, list | tuple) or not all(_is_int(n) and 1 <= n <= 6 for n in multiples):
        raise InputError(f"{where}: multiples_of: must be a list of numbers from 1 to 6, not {multiples!r}")
    if len(patterns) > MOST_PATTERNS:
        raise InputError(f"{where}: patterns: {len(patterns)} are too many; at most {MOST_PATTERNS}")
    for combination in combinations:
        if combination not in STRUCTURAL:
            raise InputError(f"{where}: combinations: {combination!r} is not one of {', '.join(STRUCTURAL)}")
    return RuleSet(
        id=name,
        fourteen_threshold=threshold,
        multiples_of=tuple(sorted(set(multiples))),
        combinations=tuple(c for c in STRUCTURAL if c in combinations),
        patterns=tuple((key, _pattern(where, key, ends)) for key, ends in patterns.items()),
    )


def _pattern(where: str, name: Any, ends: Any) -> Pattern:
    if name in STRUCTURAL or name == MULTIPLE:
        raise InputError(f"{where}: patterns.{name}: this name belongs to another combination")
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise InputError(f"{where}: patterns: a pattern needs a name of printable characters")
    if not isinstance(ends, list | tuple) or len(ends) != 6 or not all(_is_int(n) and 1 <= n <= 6 for n in ends):
        raise InputError(f"{where}: patterns.{name}: must be six numbers from 1 to 6, not {ends!r}")
    a, b, c, d, e, f = sorted(ends)
    return (a, b, c, d, e, f)
