"""The rule record of Daifugō: every option of the game, its presets, and a user's own from TOML.

Source: the game's rules, "Options" and "Presets". The rules leave some questions open; where players differ there is an
option of our own (``players``, ``trick_end``, ``joker_locks``), and the modules that decide the others name them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from solver.errors import InputError
from solver.rulefile import read_rule_file

LEAST_PLAYERS, MOST_PLAYERS = 3, 8
MOST_ROUNDS = 1_000_000

SWITCH = (False, True)

OPTIONS: dict[str, tuple[bool | int | str, ...]] = {
    "players": (0, *range(LEAST_PLAYERS, MOST_PLAYERS + 1)),
    "jokers": (1, 0, 2),
    "decks": (1, 2),
    "sequences": (True, False),
    "sequence_two": (True, False),
    "compare": ("strict", "equal_or_higher"),
    "sequence_compare": ("top", "no_overlap"),
    "revolution_quads": ("off", "any", "natural"),
    "revolution_sequences": ("off", "five", "four"),
    "revolution_three_threes": SWITCH,
    "revolution_timing": ("cleared", "immediately"),
    "joker_revolution": SWITCH,
    "miyako_ochi": SWITCH,
    "miyako_ochi_timing": ("played_out", "at_once"),
    "suit_lock": ("off", "full", "partial"),
    "suit_lock_after": (2, 3),
    "joker_locks": (True, False),
    "forbidden_finish": ("off", "on", "joker_only"),
    "spade_three": ("off", "on", "clears"),
    "eight_stop": ("off", "on", "on_no_finish"),
    "eleven_back": SWITCH,
    "ten_discard": SWITCH,
    "pass_is_final": SWITCH,
    "trick_end": ("others_passed", "all_passed"),
    "two_clears": SWITCH,
    "max_set": (4, 5),
    "seating": ("fixed", "by_result", "by_result_reversed"),
    "leader": ("loser", "winner", "three_of_diamonds"),
    "exchange": ("base", "two_cards_always", "president", "off"),
    "joker_kept": SWITCH,
    "on_request": SWITCH,
    "scoring": ("titles", "none", "payments"),
}
"""The values of each option, that of the base game first; ``rounds``, any number from 1, is the only other one."""


class Switches(NamedTuple):
    """A rule record as kernels see it: an option is the index of its value in ``OPTIONS``, a number or switch itself.

    ``most_sequence`` is the highest rank a sequence may end with; ``reverses_at`` the least length of a sequence that
    makes a revolution, 0 for none.
    """

    decks: int
    sequences: int
    most_sequence: int
    equal_follows: int
    no_overlap: int
    revolution_quads: int
    reverses_at: int
    three_threes: int
    reverses_at_once: int
    falls: int
    falls_at_once: int
    suit_lock: int
    lock_after: int
    joker_locks: int
    forbidden_finish: int
    spade_three: int
    eight_stop: int
    eleven_back: int
    ten_discard: int
    pass_is_final: int
    all_pass: int
    two_clears: int
    max_set: int


@dataclass(frozen=True)
class RuleSet:
    """A rule record; the defaults are the traditional game.

    Attributes:
        id: a preset's name or a user's own.
        players: 0 for any number from 3 to 8, else exactly so many.
        jokers: of each pack.
        decks: packs.
        sequences: whether sequences are played.
        sequence_two: whether a 2 may end a sequence.
        compare: whether an equal play may follow.
        sequence_compare: by the top cards, or the lowest card has to be above the highest of the sequence it beats.
        revolution_quads: whether four of a kind (or five) make a revolution: off, with jokers too, natural ones only.
        revolution_sequences: whether sequences do: off, of five cards or more, of four or more.
        revolution_three_threes: whether three 3s do.
        revolution_timing: when: as the table is next cleared, or immediately.
        joker_revolution: both jokers dealt to the last or the last but one swap all titles before the exchange.
        miyako_ochi: whether a Daifugō who does not finish first again falls to the last place.
        miyako_ochi_timing: after having played the deal out, or at once.
        suit_lock: whether suits repeated lock the trick to them: all of them (full), or those in common (partial).
        suit_lock_after: so many plays in a row.
        joker_locks: whether a joker, in the suit it stands for, may make a lock.
        forbidden_finish: whether going out with a highest card makes a player last.
        spade_three: whether the 3 of spades beats a single joker, and whether that clears the table.
        eight_stop: whether a play with an 8 clears the table, and whether going out with one is forbidden.
        eleven_back: whether a play with a jack reverses the order until the table is cleared.
        ten_discard: whether for each 10 played a card may be discarded.
        pass_is_final: whether who passes is out of the trick.
        trick_end: once all others have passed, or only when the last to play has passed too.
        two_clears: whether a set of 2s (of 3s while the order is reversed) clears the table.
        max_set: most cards in a set, jokers included.
        seating: fixed, or by the result of the deal before.
        leader: who leads a deal after the first.
        exchange: how cards are exchanged before a deal.
        joker_kept: whether a Daihinmin may keep jokers in the exchange.
        on_request: whether the rich name the cards they want.
        scoring: of each deal.
        rounds: deals in a match.

    Raises:
        InputError: a value an option has not, or options that contradict each other.
    """

    id: str = "traditional"
    players: int = 0
    jokers: int = 1
    decks: int = 1
    sequences: bool = True
    sequence_two: bool = True
    compare: str = "strict"
    sequence_compare: str = "top"
    revolution_quads: str = "off"
    revolution_sequences: str = "off"
    revolution_three_threes: bool = False
    revolution_timing: str = "cleared"
    joker_revolution: bool = False
    miyako_ochi: bool = False
    miyako_ochi_timing: str = "played_out"
    suit_lock: str = "off"
    suit_lock_after: int = 2
    joker_locks: bool = True
    forbidden_finish: str = "off"
    spade_three: str = "off"
    eight_stop: str = "off"
    eleven_back: bool = False
    ten_discard: bool = False
    pass_is_final: bool = False
    trick_end: str = "others_passed"
    two_clears: bool = False
    max_set: int = 4
    seating: str = "fixed"
    leader: str = "loser"
    exchange: str = "base"
    joker_kept: bool = False
    on_request: bool = False
    scoring: str = "titles"
    rounds: int = 5

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not self.id.strip() or not self.id.isprintable():
            raise InputError(f"name: must be a text of printable characters, not {self.id!r}")
        for option, values in OPTIONS.items():
            value = getattr(self, option)
            if not any(value is known or (type(value) is type(known) and value == known) for known in values):
                raise InputError(f"{option}: {_text(value)} is none of {', '.join(_text(known) for known in values)}")
        if type(self.rounds) is not int or not 1 <= self.rounds <= MOST_ROUNDS:
            raise InputError(f"rounds: must be a number from 1 to {MOST_ROUNDS}, not {self.rounds!r}")
        for contradicts, reason in self._contradictions():
            if contradicts:
                raise InputError(reason)

    def _contradictions(self) -> list[tuple[bool, str]]:
        no_jokers = self.jokers == 0
        return [
            (self.joker_revolution and self.jokers * self.decks != 2, "joker_revolution needs two jokers in all"),
            (
                self.joker_revolution and self.exchange == "off",
                "joker_revolution needs the exchange, which is off",
            ),
            (no_jokers and self.spade_three != "off", "spade_three beats a single joker, and jokers is 0"),
            (no_jokers and self.forbidden_finish == "joker_only", "forbidden_finish is joker_only, and jokers is 0"),
            (no_jokers and self.joker_kept, "joker_kept needs a joker, and jokers is 0"),
            (
                no_jokers and self.decks == 1 and self.max_set == 5,
                "max_set 5 needs a joker or a second pack: four cards of a rank are all there are",
            ),
            (
                not self.sequences and self.revolution_sequences != "off",
                "revolution_sequences needs sequences, which are off",
            ),
            (
                not self.sequences and self.sequence_compare == "no_overlap",
                "sequence_compare needs sequences, which are off",
            ),
            (
                self.compare == "equal_or_higher" and self.sequence_compare == "no_overlap",
                "compare equal_or_higher contradicts sequence_compare no_overlap: equal sequences overlap",
            ),
            (
                self.seating == "by_result_reversed" and self.leader != "winner",
                "with seating by_result_reversed the winner leads: leader must be winner",
            ),
            (self.exchange == "off" and self.joker_kept, "joker_kept is about the exchange, which is off"),
            (self.exchange == "off" and self.on_request, "on_request is about the exchange, which is off"),
        ]

    def with_option(self, text: str) -> RuleSet:
        """The rule set with one option changed as ``option=value`` says, and that added to its name.

        Raises:
            InputError: no such option or value, or one that contradicts the others.
        """
        option, separator, value = (part.strip() for part in text.partition("="))
        if not separator or option not in (*OPTIONS, "rounds"):
            raise InputError(f"{text!r}: must be option=value, with one of {', '.join((*OPTIONS, 'rounds'))}")
        changes: dict[str, Any] = {option: _read_value(option, value), "id": f"{self.id} with {option}={value}"}
        return replace(self, **changes)

    def to_json(self) -> dict[str, Any]:
        """The whole record as JSON values; ``from_json`` reads it back."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> RuleSet:
        """The rule set that ``to_json`` wrote; raises InputError for anything else."""
        try:
            rules = cls(**record)
        except TypeError as error:
            raise InputError(f"rules: not a rule record ({error})") from error
        if rules.id in PRESETS and rules != PRESETS[rules.id]:
            raise InputError(f"rules: id: {rules.id!r} belongs to a built-in rule set with another record")
        return rules

    @classmethod
    def parse(cls, text: str) -> RuleSet:
        """Read what ``--rules`` takes: a preset's name, or the path of a TOML file.

        Such a file has ``name`` and ``base`` (a preset; else ``traditional``) and the options that differ from it.

        Raises:
            InputError: neither a preset nor a readable, valid file; the message names file, key and reason.
        """
        if text in PRESETS:
            return PRESETS[text]
        if text.endswith(".toml") or "/" in text or os.path.isfile(text):
            return _from_toml(Path(text))
        raise InputError(f"{text!r} is neither a rule set ({', '.join(PRESETS)}) nor a file")

    def check_players(self, players: int) -> None:
        """Raise InputError unless so many can play by these rules."""
        if not LEAST_PLAYERS <= players <= MOST_PLAYERS:
            raise InputError(f"{players} players: {LEAST_PLAYERS} to {MOST_PLAYERS} can play")
        if self.players and players != self.players:
            raise InputError(f"{players} players: {self.id} is played by {self.players}")

    def switches(self) -> Switches:
        """The options that kernels need."""
        return Switches(
            decks=self.decks,
            sequences=int(self.sequences),
            most_sequence=12 if self.sequence_two else 11,
            equal_follows=_index(self, "compare"),
            no_overlap=_index(self, "sequence_compare"),
            revolution_quads=_index(self, "revolution_quads"),
            reverses_at={"off": 0, "five": 5, "four": 4}[self.revolution_sequences],
            three_threes=int(self.revolution_three_threes),
            reverses_at_once=_index(self, "revolution_timing"),
            falls=int(self.miyako_ochi),
            falls_at_once=int(self.miyako_ochi and self.miyako_ochi_timing == "at_once"),
            suit_lock=_index(self, "suit_lock"),
            lock_after=self.suit_lock_after,
            joker_locks=int(self.joker_locks),
            forbidden_finish=_index(self, "forbidden_finish"),
            spade_three=_index(self, "spade_three"),
            eight_stop=_index(self, "eight_stop"),
            eleven_back=int(self.eleven_back),
            ten_discard=int(self.ten_discard),
            pass_is_final=int(self.pass_is_final),
            all_pass=_index(self, "trick_end"),
            two_clears=int(self.two_clears),
            max_set=self.max_set,
        )


def _index(rules: RuleSet, option: str) -> int:
    return OPTIONS[option].index(getattr(rules, option))


def _text(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _read_value(option: str, text: str) -> bool | int | str:
    if option == "rounds":
        values: tuple[bool | int | str, ...] = (int(text),) if text.isdecimal() and len(text) < 20 else ()
    else:
        values = OPTIONS[option]
    spelling = {"on": "true", "off": "false"}.get(text, text) if values == SWITCH or values == SWITCH[::-1] else text
    for value in values:
        if _text(value) == spelling:
            return value
    raise InputError(f"{option}: {text!r} is none of {', '.join(_text(value) for value in values) or 'the numbers'}")


PRESIDENT = RuleSet(
    id="president",
    jokers=0,
    sequences=False,
    compare="equal_or_higher",
    two_clears=True,
    exchange="president",
)

PRESETS: dict[str, RuleSet] = {
    rules.id: rules
    for rules in (
        RuleSet(),
        PRESIDENT,
        replace(
            PRESIDENT,
            id="polish",
            jokers=1,
            sequences=True,
            revolution_quads="any",
            revolution_timing="immediately",
            eight_stop="on",
        ),
        RuleSet(
            id="uecda",
            players=5,
            sequence_compare="no_overlap",
            revolution_quads="any",
            revolution_sequences="five",
            revolution_timing="immediately",
            suit_lock="full",
            spade_three="clears",
            eight_stop="on",
            pass_is_final=True,
            trick_end="all_passed",
            max_set=5,
            leader="three_of_diamonds",
        ),
        RuleSet(id="1979", jokers=2, sequences=False, joker_revolution=True),
    )
}
"""The rules files' presets by name; the first is the base game."""


def _from_toml(path: Path) -> RuleSet:
    document = read_rule_file(path, ("name", "base", *OPTIONS, "rounds"))
    name, base = document.pop("name", path.stem), document.pop("base", "traditional")
    if not isinstance(base, str) or base not in PRESETS:
        raise InputError(f"{path}: base: {base!r} is no rule set; known are {', '.join(PRESETS)}")
    if isinstance(name, str) and name in PRESETS:
        raise InputError(f"{path}: name: {name!r} belongs to a built-in rule set; choose another")
    try:
        return replace(PRESETS[base], **document, id=name)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
