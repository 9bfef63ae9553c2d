"""The rule record of Cuajo: what combinations there are, what is paid, and every open question as an option.

Source: the game's rules. What they leave open and is no option is decided where it matters, and said there:
whom an opponent who pays alone is (``solver.cuajo.payment``), and what a closed card may become
(``solver.cuajo.hand``).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from solver.cuajo.cards import FIVE, FOUR, HORSE, JACK, KING, THREE
from solver.errors import InputError
from solver.rulefile import read_rule_file

DEALT = 15
HAND = 16
"""Cards dealt (the dealer gets one more), and cards of a complete hand."""

RUNS = ((THREE, FOUR, FIVE), (JACK, HORSE, KING))
"""The only runs (rules, "Cards and hands")."""

LEAST_SET = 3
"""Cards of a set, in different suits; a set of all suits has one more."""

SECRET = 4
SOWEE_SECRET = 3
"""Identical cards of a secret; and how many cards like the sowee make one."""

PLAYERS = 4

OPTIONS: dict[str, tuple[bool | str, ...]] = {
    "win_needs_purro": (True, False),
    "secret_payers": ("each", "one"),
    "secret_before_draw": (True, False),
    "sowee_secret_unlaid": (False, True),
    "bounit_is_sowee_twin": (True, False),
    "porbis_kings": (False, True),
    "last_discard_after_stock": (True, False),
    "nothing_to_discard": ("skip", "draw"),
    "secret_shown": ("face_down", "face_up"),
}
"""The values of each option, the first the default (rules, "Open in the seed")."""

AMOUNTS = (
    "king_of_coins",
    "other_king",
    "own_draw",
    "both_conditions",
    "bounit_condition",
    "sowee_condition",
    "no_condition",
    "porbis",
    "secret",
)
"""What is paid, in cents (rules, "Payment")."""

MOST_AMOUNT = 1_000_000
MOST_TURNED = 111
"""The whole deck without the sowee."""


@dataclass(frozen=True)
class RuleSet:
    """A rule record; the defaults are the traditional game.

    Attributes:
        id: a preset's name or a user's own.
        win_needs_purro: whether only a player who said purro can win.
        secret_payers: who pays for a secret: each opponent, or one in all.
        secret_before_draw: whether a secret may be laid before drawing too.
        sowee_secret_unlaid: whether three cards like the sowee are a combination in the hand too.
        bounit_is_sowee_twin: whether the last card may be the card like the sowee that condition 2 asks for.
        porbis_kings: whether the value of its king is added to a porbis.
        last_discard_after_stock: whether the discard after the last stock card may still be taken to win.
        nothing_to_discard: whether a player who may discard nothing skips that, or the deal is a draw.
        secret_shown: how secrets are laid.
        king_of_coins: cents paid for each king of coins in the winning hand.
        other_king: for each other king.
        own_draw: for a last card that the winner drew.
        both_conditions: for any other, with both conditions met.
        bounit_condition: with only the first met: two cards accompany the last card.
        sowee_condition: with only the second met: a card like the sowee is held, and two cards accompany it.
        no_condition: with none met.
        porbis: for a porbis.
        secret: for a secret when it is laid.
        most_turned: cards a winner may turn to meet the conditions.

    Raises:
        InputError: a value an option has not, or values that contradict each other.
    """

    id: str = "traditional"
    win_needs_purro: bool = True
    secret_payers: str = "each"
    secret_before_draw: bool = True
    sowee_secret_unlaid: bool = False
    bounit_is_sowee_twin: bool = True
    porbis_kings: bool = False
    last_discard_after_stock: bool = True
    nothing_to_discard: str = "skip"
    secret_shown: str = "face_down"
    king_of_coins: int = 50
    other_king: int = 20
    own_draw: int = 110
    both_conditions: int = 110
    bounit_condition: int = 60
    sowee_condition: int = 70
    no_condition: int = 20
    porbis: int = 300
    secret: int = 50
    most_turned: int = 15

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not self.id.strip() or not self.id.isprintable():
            raise InputError(f"name: must be a text of printable characters, not {self.id!r}")
        for option, values in OPTIONS.items():
            value = getattr(self, option)
            if not any(type(value) is type(known) and value == known for known in values):
                raise InputError(f"{option}: {_text(value)} is none of {', '.join(_text(known) for known in values)}")
        for name in (*AMOUNTS, "most_turned"):
            value = getattr(self, name)
            most = MOST_TURNED if name == "most_turned" else MOST_AMOUNT
            if type(value) is not int or not 0 <= value <= most:
                raise InputError(f"{name}: must be a whole number from 0 to {most}, not {value!r}")
        for contradicts, reason in self._contradictions():
            if contradicts:
                raise InputError(reason)

    def _contradictions(self) -> list[tuple[bool, str]]:
        single = ("bounit_condition", "sowee_condition")
        return [
            *(
                (
                    getattr(self, name) > self.both_conditions,
                    f"{name} {getattr(self, name)} is more than both_conditions {self.both_conditions}: "
                    "a winner would lose by meeting the other condition too",
                )
                for name in single
            ),
            *(
                (
                    getattr(self, name) < self.no_condition,
                    f"{name} {getattr(self, name)} is less than no_condition {self.no_condition}: "
                    "a winner would lose by meeting a condition",
                )
                for name in single
            ),
        ]

    def with_option(self, text: str) -> RuleSet:
        """The rule set with one option or amount changed as ``option=value`` says, and that added to its name.

        Raises:
            InputError: no such option or value, or one that contradicts the others.
        """
        option, separator, value = (part.strip() for part in text.partition("="))
        if not separator or option not in KEYS:
            raise InputError(f"{text!r}: must be option=value, with one of {', '.join(KEYS)}")
        changes: dict[str, Any] = {option: _read_value(option, value), "id": f"{self.id} with {option}={value}"}
        return replace(self, **changes)

    def to_json(self) -> dict[str, Any]:
        """The whole record as JSON values; ``from_json`` reads it back."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> RuleSet:
        """The rule set that ``to_json`` wrote; raises InputError for anything else."""
        missing = [field.name for field in fields(cls) if field.name not in record]
        if missing:
            raise InputError(f"rules: {missing[0]} is missing")
        try:
            rules = cls(**record)
        except TypeError as error:
            raise InputError(f"rules: not a rule record ({error})") from error
        if rules.id == TRADITIONAL.id and rules != TRADITIONAL:
            raise InputError(f"rules: id: {rules.id!r} belongs to a built-in rule set with another record")
        return rules

    @classmethod
    def parse(cls, text: str) -> RuleSet:
        """Read what ``--rules`` takes: ``traditional``, the path of a TOML file, or ``option=value,option=value``.

        Such a file has ``name`` and the options and amounts that differ from the traditional game.

        Raises:
            InputError: none of these, or not valid; the message names file, key and reason.
        """
        if text == TRADITIONAL.id:
            return TRADITIONAL
        if text.endswith(".toml") or "/" in text or os.path.isfile(text):
            return _from_toml(Path(text))
        if "=" in text:
            return _from_options(text)
        raise InputError(f"{text!r} is neither a rule set ({TRADITIONAL.id}), nor a file, nor option=value")


KEYS = (*OPTIONS, *AMOUNTS, "most_turned")
"""All that a rule record says, besides its name."""

TRADITIONAL = RuleSet()
"""The game as its rules tell it, with the default of every option."""


def _text(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _read_value(option: str, text: str) -> bool | int | str:
    if option not in OPTIONS:
        if not (text.isascii() and text.isdecimal()):
            raise InputError(f"{option}: must be a whole number, not {text!r}")
        return int(text)
    values = OPTIONS[option]
    spelling = {"yes": "true", "no": "false"}.get(text, text) if isinstance(values[0], bool) else text
    for value in values:
        if _text(value) == spelling:
            return value
    raise InputError(f"{option}: {text!r} is none of {', '.join(_text(value) for value in values)}")


def _from_options(text: str) -> RuleSet:
    """Traditional rules with several options changed; they are judged together, so their order does not matter."""
    changes: dict[str, Any] = {}
    for part in text.split(","):
        option, separator, value = (piece.strip() for piece in part.partition("="))
        if not separator or option not in KEYS:
            raise InputError(f"{part.strip()!r}: must be option=value, with one of {', '.join(KEYS)}")
        if option in changes:
            raise InputError(f"{option} is given twice")
        changes[option] = _read_value(option, value)
    name = ", ".join(f"{option}={_text(value)}" for option, value in changes.items())
    return replace(TRADITIONAL, **changes, id=f"{TRADITIONAL.id} with {name}")


def _from_toml(path: Path) -> RuleSet:
    document = read_rule_file(path, ("name", *KEYS))
    name = document.pop("name", path.stem)
    if name == TRADITIONAL.id:
        raise InputError(f"{path}: name: {name!r} belongs to a built-in rule set; choose another")
    try:
        return replace(TRADITIONAL, **document, id=name)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
