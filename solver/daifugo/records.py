"""Records of deals in the format of the UEC computer Daihinmin contest: reading, writing, replaying.

A file names its players and then holds deals between ``/*`` and ``*/``, of one line an item. ``class`` gives the place
of each player in the deal before and ``seat`` their turn position; ``dealt``, ``changed`` and ``original`` the hands as
dealt, what each gave in the exchange, and the hands after it, in braces, player by player; ``play`` the actions in
order, ``p`` for a pass, with thinking times in brackets; ``result`` the place of each player. A card is a suit and one
of ``3456789tjqka2``, the joker ``jo``. A play is suits, a hyphen and one rank, or of a sequence one suit and all ranks;
what the joker stands for is in parentheses, and alone it is ``jk``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from solver.daifugo.cards import JOKER, NATURAL, RANKS, SUITS, Hand, card_names, deck, parse_cards
from solver.daifugo.plays import Play, readings
from solver.daifugo.rules import RuleSet
from solver.errors import InputError

PASS = "p"
JOKER_IN_HAND = "jo"
RANK_LETTERS = "3456789tjqka2"
FIFTH = "x"
"""The suit of a joker that is the fifth card of a set."""

_ACTION = re.compile(r"(?P<play>[^\[\s]+)(?:\[(?P<time>\d*)\])?$")
_HANDS = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Record:
    """A deal as it was played. All tuples but ``actions`` are by player.

    Attributes:
        number: of the game in its file.
        seats: turn positions.
        classes: places in the deal before, 0 the first.
        dealt: hands before the exchange.
        changed: cards given in it.
        original: hands after it.
        actions: plays as the format writes them, ``p`` for a pass.
        result: places, 0 the first.
    """

    number: int
    seats: tuple[int, ...]
    classes: tuple[int, ...]
    dealt: tuple[Hand, ...]
    changed: tuple[Hand, ...]
    original: tuple[Hand, ...]
    actions: tuple[str, ...]
    result: tuple[int, ...]


def read_records(lines: Iterable[str], rules: RuleSet) -> Iterator[Record]:
    """The deals of a file, in order.

    Raises:
        InputError: a line that can't be read, with its number, or a deal that lacks one.
    """
    items: dict[str, str] = {}
    begins = 0
    for number, line in enumerate(lines, 1):
        word, _, rest = line.strip().partition(" ")
        if word == "/*":
            items, begins = {}, number
        elif word == "*/":
            if not begins:
                raise InputError(f"line {number}: a deal ends that did not begin")
            yield _record(items, rules, begins)
            begins = 0
        elif begins and word:
            items[word] = rest
    if begins:
        raise InputError(f"line {begins}: the deal that begins here has no end")


def _record(items: dict[str, str], rules: RuleSet, line: int) -> Record:
    try:
        seats = _numbers(items["seat"])
        players = len(seats)
        record = Record(
            number=int(items["game"]),
            seats=seats,
            classes=_numbers(items["class"]),
            dealt=_hands(items["dealt"], players, rules),
            changed=_hands(items["changed"], players, rules),
            original=_hands(items["original"], players, rules),
            actions=tuple(_action(text) for text in items["play"].split()),
            result=_numbers(items["result"]),
        )
    except KeyError as error:
        raise InputError(f"line {line}: the deal has no line {error.args[0]!r}") from error
    except (InputError, ValueError) as error:
        raise InputError(f"line {line}: {error}") from error
    for name in ("seats", "classes", "result"):
        if sorted(getattr(record, name)) != list(range(players)):
            raise InputError(f"line {line}: {name} must name each of 0 to {players - 1} once")
    return record


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split())


def _hands(text: str, players: int, rules: RuleSet) -> tuple[Hand, ...]:
    hands = _HANDS.findall(text)
    if len(hands) != players:
        raise InputError(f"{len(hands)} hands for {players} players")
    cards = deck(rules.decks, rules.jokers)
    return tuple(parse_cards(hand, cards) for hand in hands)


def _action(text: str) -> str:
    match = _ACTION.match(text)
    if match is None:
        raise InputError(f"{text!r} is no play")
    return match["play"]


def parse_action(text: str, rules: RuleSet) -> Play | None:
    """A play as the format writes it; None for a pass.

    Raises:
        InputError: not a play of the format, or cards that are none.
    """
    if text == PASS:
        return None
    if text == JOKER:
        return _reading((1 << NATURAL, 0), [], text, rules)
    joker = ""
    match = re.fullmatch(r"(.+)\((.+)\)", text)
    if match:
        text, joker = match.groups()
    suits, hyphen, ranks = text.partition("-")
    if not hyphen or not suits or not ranks or set(suits) - {*SUITS, FIFTH} or set(ranks) - {*RANK_LETTERS}:
        raise InputError(f"{text!r} is no play")
    names = [suit + rank for suit in suits for rank in ranks]
    named = [name for name in names if joker and joker in (name[0], name[1])][:1]
    if joker and not named:
        raise InputError(f"{text}({joker}): the joker is none of these cards")
    natural = [name for name in names if name not in named]
    hand = parse_cards(" ".join(natural + [JOKER] * len(named)), deck(rules.decks, rules.jokers))
    return _reading(hand, [_spelled(name) for name in named if name[0] != FIFTH], text, rules)


def _spelled(name: str) -> str:
    """A card of the format as this project writes it."""
    return name[0] + RANKS[RANK_LETTERS.index(name[1])]


def _reading(hand: Hand, named: list[str], text: str, rules: RuleSet) -> Play:
    for play in readings(hand, rules):
        if play.named == named:
            return play
    raise InputError(f"{text!r} is no play by these rules")


def format_action(play: Play | None) -> str:
    """A play, or None for a pass, as the format writes it; ``parse_action`` reads it back."""
    if play is None:
        return PASS
    if not play.suits:
        return JOKER
    named = [_letters(name) for name in play.named]
    cards = sorted([_letters(name) for name in card_names(*play.cards) if name != JOKER] + named, key=_place)
    ranks = "".join(card[1] for card in cards) if play.sequence else cards[0][1]
    suits = cards[0][0] if play.sequence else "".join(card[0] for card in cards)
    if not play.jokers:
        return f"{suits}-{ranks}"
    if not named:
        return f"{suits}{FIFTH}-{ranks}({FIFTH})"
    return f"{suits}-{ranks}({named[0][1 if play.sequence else 0]})"


def _letters(name: str) -> str:
    """A card of this project as the format writes it."""
    return JOKER_IN_HAND if name == JOKER else name[0] + RANK_LETTERS[RANKS.index(name[1:])]


def _place(card: str) -> tuple[int, int]:
    return RANK_LETTERS.index(card[1]), SUITS.index(card[0])


def format_record(record: Record) -> list[str]:
    """A deal as lines of the format; ``read_records`` reads them back."""
    return [
        "/* ",
        f"game {record.number} ",
        "score ",
        f"class {_spaced(record.classes)}",
        f"seat {_spaced(record.seats)}",
        f"dealt {_braced(record.dealt)}",
        f"changed {_braced(record.changed)}",
        f"original {_braced(record.original)}",
        f"play {' '.join(record.actions)} ",
        f"result {_spaced(record.result)}",
        "*/ ",
    ]


def _spaced(numbers: tuple[int, ...]) -> str:
    return "".join(f"{number} " for number in numbers)


def _braced(hands: tuple[Hand, ...]) -> str:
    return "".join("{ " + "".join(f"{_letters(name)} " for name in card_names(*hand)) + "} " for hand in hands)
