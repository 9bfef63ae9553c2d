"""Records of deals in the format of the UEC computer Daihinmin contest: reading and writing.

A file names its players and then holds deals between ``/*`` and ``*/``, of one line an item. ``class`` gives the place
of each player in the deal before and ``seat`` their turn position; ``dealt``, ``changed`` and ``original`` the hands as
dealt, what each gave in the exchange, and the hands after it, in braces, player by player; ``play`` the actions in
order, ``p`` for a pass, with thinking times in brackets; ``result`` the place of each player. A card is a suit and one
of ``3456789tjqka2``, the joker ``jo``. A play is suits, a hyphen and one rank, or of a sequence one suit and all ranks;
what the joker stands for is in parentheses, and alone it is ``jk``.

Reading is lenient: other items are skipped, upper case is read, thinking times may be missing, and of the items only
the hands, the plays and the result have to be there. Where the format has nothing to offer we extend it: the letters of
several jokers stand together in the parentheses, and several alone are ``jkjk``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from solver.daifugo.cards import (
    EMPTY,
    JOKER,
    RANKS,
    SUITS,
    Hand,
    card_names,
    deck,
    holds,
    join,
    jokers_only,
    parse_cards,
    single_cards,
    take,
)
from solver.daifugo.plays import Play, named_readings, readings
from solver.daifugo.rules import LEAST_PLAYERS, MOST_PLAYERS, RuleSet
from solver.errors import InputError

PASS = "p"
JOKER_IN_HAND = "jo"
RANK_LETTERS = "3456789tjqka2"
FIFTH = "x"
"""The suit of a joker in a set that has all suits already."""

HANDS: tuple[str, ...] = ("dealt", "changed", "original")
ITEMS = ("game", "class", "seat", *HANDS, "play", "result")

_ACTION = re.compile(r"(?P<play>[^\[\]\s]+)(?:\[[^\[\]\s]*\])?$")
_PLAY = re.compile(rf"(?P<suits>[{SUITS}{FIFTH}]+)-(?P<ranks>[{RANK_LETTERS}]+)(?:\((?P<jokers>\w+)\))?$")
_HANDS = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Record:
    """A deal as it was played. All tuples but ``actions`` are by player.

    Attributes:
        number: of the game in its file.
        seats: turn positions.
        classes: places in the deal before, 0 the first; None if they are not told.
        dealt: hands before the exchange.
        changed: cards given in it.
        original: hands after it.
        actions: plays as the format writes them, ``p`` for a pass.
        result: places, 0 the first.
    """

    number: int
    seats: tuple[int, ...]
    classes: tuple[int, ...] | None
    dealt: tuple[Hand, ...]
    changed: tuple[Hand, ...]
    original: tuple[Hand, ...]
    actions: tuple[str, ...]
    result: tuple[int, ...]


def read_records(
    lines: Iterable[str], rules: RuleSet, on_bad: Callable[[InputError], None] | None = None
) -> Iterator[Record]:
    """The deals of a file, in order.

    Args:
        lines: of the file.
        rules: whose deck is played with.
        on_bad: called with what is wrong with a deal, which is then left out; by default the error is raised.

    Raises:
        InputError: a deal that can't be read, with the number of its first line.
    """
    for count, (number, items) in enumerate(_blocks(lines)):
        try:
            if items is None:
                raise InputError("a deal begins or ends here that has no other end")
            yield _record(items, count, rules)
        except (InputError, ValueError) as error:
            problem = InputError(f"line {number}: {error}")
            if on_bad is None:
                raise problem from error
            on_bad(problem)


def _blocks(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, str] | None]]:
    """The items of each deal with its first line; None for a deal without an end or a beginning."""
    items: dict[str, str] | None = None
    begins = 0
    for number, line in enumerate(lines, 1):
        word, _, rest = line.strip().lstrip("\ufeff").partition(" ")
        if word.startswith("/*"):
            if items is not None:
                yield begins, None
            items, begins = {}, number
        elif word.startswith("*/"):
            yield begins if items is not None else number, items
            items = None
        elif items is not None and word.lower() in ITEMS:
            items[word.lower()] = rest
    if items is not None:
        yield begins, None


def _record(items: dict[str, str], count: int, rules: RuleSet) -> Record:
    for name in ("play", "result"):
        if name not in items:
            raise InputError(f"the deal has no line {name!r}")
    result = _places("result", items["result"], None)
    players = len(result)
    rules.check_players(players)
    told = [name for name in HANDS if name in items]
    hands = {name: _hands(name, items[name], players, rules) for name in told}
    dealt, changed, original = _complete(hands, players)
    classes = items.get("class", "").split()
    return Record(
        number=_number(items["game"]) if items.get("game", "").strip() else count,
        seats=_places("seat", items["seat"], players) if "seat" in items else tuple(range(players)),
        classes=_places("class", items["class"], players) if classes else None,
        dealt=dealt,
        changed=changed,
        original=original,
        actions=tuple(_action(text) for text in items["play"].split()),
        result=result,
    )


def _complete(hands: dict[str, tuple[Hand, ...]], players: int) -> tuple[tuple[Hand, ...], ...]:
    """The hands as dealt, the cards given and the hands after it, what is missing worked out from the rest."""
    if "original" not in hands and "dealt" not in hands:
        raise InputError("the deal has no line 'dealt'")
    dealt = hands.get("dealt", hands.get("original", ()))
    if "original" in hands:
        gone = tuple(map(_gone, dealt, hands["original"]))
        return dealt, hands.get("changed", gone), hands["original"]
    if any(hand[0] for hand in hands.get("changed", ())):
        raise InputError("the deal has no line 'original'")
    return dealt, (EMPTY,) * players, dealt


def _gone(before: Hand, after: Hand) -> Hand:
    """The cards of a hand that are not in another."""
    left, gone = after, EMPTY
    for card in single_cards(before):
        if holds(left, card):
            left = take(left, card)
        else:
            gone = join(gone, card)
    return gone


def _number(text: str) -> int:
    try:
        return int(text.split()[0])
    except ValueError as error:
        raise InputError(f"{text.split()[0]!r} is no number") from error


def _places(name: str, text: str, players: int | None) -> tuple[int, ...]:
    numbers = tuple(_number(part) for part in text.split())
    if players is None and not LEAST_PLAYERS <= len(numbers) <= MOST_PLAYERS:
        raise InputError(f"{name}: {len(numbers)} places; {LEAST_PLAYERS} to {MOST_PLAYERS} can play")
    if sorted(numbers) != list(range(players or len(numbers))):
        raise InputError(f"{name} must name each of 0 to {(players or len(numbers)) - 1} once")
    return numbers


def _hands(name: str, text: str, players: int, rules: RuleSet) -> tuple[Hand, ...]:
    hands = _HANDS.findall(text)
    if len(hands) != players:
        raise InputError(f"{name}: {len(hands)} hands for {players} players")
    cards = deck(rules.decks, rules.jokers)
    try:
        return tuple(parse_cards(hand, cards) for hand in hands)
    except InputError as error:
        raise InputError(f"{name}: {error}") from error


def _action(text: str) -> str:
    match = _ACTION.match(text)
    if match is None:
        raise InputError(f"play: {text!r} is no play")
    return match["play"].lower()


def parse_action(text: str, rules: RuleSet) -> Play | None:
    """A play as the format writes it; None for a pass.

    Raises:
        InputError: not a play of the format, or cards that are none.
    """
    if text == PASS:
        return None
    jokers = text.count(JOKER)
    if text == JOKER * jokers:
        return _reading(jokers_only(jokers), [], text, rules)
    match = _PLAY.match(text)
    if match is None:
        raise InputError(f"{text!r} is no play")
    suits, ranks = match["suits"], match["ranks"]
    names = [suit + rank for suit in suits for rank in ranks]
    named = []
    for letter in match["jokers"] or FIFTH * suits.count(FIFTH):
        fitting = [name for name in names if letter == (name[1] if len(ranks) > 1 else name[0])]
        if not fitting:
            raise InputError(f"{text}: the joker is none of these cards")
        names.remove(fitting[0])
        named.append(fitting[0])
    if not names or any(name[0] == FIFTH for name in names):
        raise InputError(f"{text}: no play; a joker alone is {JOKER}, and only jokers have the suit {FIFTH}")
    hand = parse_cards(" ".join(names + [JOKER] * len(named)), deck(rules.decks, rules.jokers))
    return _reading(hand, [_spelled(name) for name in named if name[0] != FIFTH], text, rules)


def _spelled(name: str) -> str:
    """A card of the format as this project writes it."""
    return name[0] + RANKS[RANK_LETTERS.index(name[1])]


def _reading(hand: Hand, named: list[str], text: str, rules: RuleSet) -> Play:
    found = named_readings(readings(hand, rules), named, rules)
    if not found:
        raise InputError(f"{text}: no play by the rules {rules.id}")
    return found[0]


def format_action(play: Play | None) -> str:
    """A play, or None for a pass, as the format writes it; ``parse_action`` reads it back."""
    if play is None:
        return PASS
    if not play.suits:
        return JOKER * play.jokers
    named = [_letters(name) for name in play.named]
    natural = [_letters(name) for name in card_names(*play.cards) if name != JOKER]
    cards = sorted(natural + named, key=_place)
    fifths = FIFTH * (play.jokers - len(named))
    ranks = "".join(card[1] for card in cards) if play.sequence else cards[0][1]
    suits = cards[0][0] if play.sequence else "".join(card[0] for card in cards) + fifths
    jokers = "".join(name[1 if play.sequence else 0] for name in named) + fifths
    return f"{suits}-{ranks}" + (f"({jokers})" if jokers else "")


def _letters(name: str) -> str:
    """A card of this project as the format writes it."""
    return JOKER_IN_HAND if name == JOKER else name[0] + RANK_LETTERS[RANKS.index(name[1:])]


def _place(card: str) -> tuple[int, int]:
    return RANK_LETTERS.index(card[1]), SUITS.index(card[0])


def format_records(records: Iterable[Record], names: Sequence[str]) -> list[str]:
    """A whole file: the players' names, blanks in them replaced, and the deals."""
    head = " ".join("_".join(name.split()) or "-" for name in names)
    return [f"player {head}", *(line for record in records for line in format_record(record))]


def format_record(record: Record) -> list[str]:
    """A deal as lines of the format; ``read_records`` reads them back."""
    classes = [] if record.classes is None else [f"class {_spaced(record.classes)}"]
    return [
        "/* ",
        f"game {record.number} ",
        "score ",
        *classes,
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
