"""Hands of Cuajo, what is known of them and what they pay, as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap

from cli.show.style import COLUMNS, Style, counted, listed
from solver.cuajo.cards import (
    ACE,
    CARDS,
    JACK,
    KINDS,
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    SUITS,
    card,
    copies_of,
    english,
    kind_of,
    rank_of,
    spanish,
    suit_of,
)
from solver.cuajo.hand import Discard, DiscardReport, Hand, HandReport, PurroReport
from solver.cuajo.melds import KING_NAME, RUN, SECRET_NAME, SET, Combination, Division
from solver.cuajo.payment import Conditions, Payment, companions

COLORS = ("33", "31", "34", "32")
"""ANSI codes of coins, cups, swords and batons."""

BLOCK_STARTS = (1, JACK)
"""Ranks before which a wider gap stands: those of the runs belong together."""

SUIT_WIDTH = max(len(name) for name, _ in SUIT_NAMES)
SPANISH_WIDTH = max(len(name) for _, name in SUIT_NAMES)
ENGLISH_NAME = max(len(english(kind)) for kind in range(KINDS))
SPANISH_NAME = max(len(spanish(kind)) for kind in range(KINDS))
WAYS_SHOWN = 4
"""Divisions that are shown."""

LEGEND = ", ".join(f"{RANKS[rank]} {' '.join(names)}" for rank, names in enumerate(RANK_NAMES) if RANKS[rank].isalpha())
"""The ranks that are letters, in English and Spanish."""

PLURALS = ("aces", "threes", "fours", "fives", "jacks", "horses", "kings")


def _colored(text: str, suit: int, style: Style) -> str:
    return f"\x1b[{COLORS[suit]}m{text}\x1b[0m" if style.color and text.strip() else text


def card_text(kind: int, style: Style) -> str:
    """A card on the line, in the colour of its suit."""
    return _colored(card(kind), suit_of(kind), style)


def _cards(kinds: Iterable[int], style: Style) -> str:
    return " ".join(card_text(kind, style) for kind in kinds)


def _full_name(kind: int) -> str:
    return f"{english(kind)} ({spanish(kind)})"


def draw_cards(mask: int, style: Style) -> str:
    """Cards as a table: a line a suit, a column a rank, as many letters as copies."""
    counts = [[copies_of(mask, kind_of(suit, rank)) for rank in range(len(RANKS))] for suit in range(len(SUITS))]
    widths = [max(1, *(row[rank] for row in counts)) for rank in range(len(RANKS))]
    lines = []
    for suit, row in enumerate(counts):
        cells = [
            ("   " if rank in BLOCK_STARTS else " ") + f"{RANKS[rank] * row[rank]:<{widths[rank]}}"
            for rank in range(len(RANKS))
        ]
        names = f"{SUIT_NAMES[suit][0]:<{SUIT_WIDTH}} {SUIT_NAMES[suit][1]:<{SPANISH_WIDTH}}"
        lines.append(f"  {style.dim(names)}  {_colored(''.join(cells).rstrip(), suit, style)}".rstrip())
    return "\n".join(lines)


def _head(hand: Hand, style: Style) -> str:
    lines = [draw_cards(hand.cards, style), f"  {style.dim(LEGEND)}"]
    for one in hand.laid():
        closed = "" if one.name == SECRET_NAME or hand.closed is None else f", closed {card_text(hand.closed, style)}"
        lines.append(f"  laid: {_cards(one.kinds, style)}{closed}")
    if hand.sowee is not None:
        lines.append(f"  sowee: {card_text(hand.sowee, style)}, {_full_name(hand.sowee)}")
    return "\n".join(lines)


def combination_name(one: Combination) -> str:
    """What a combination is: ``set of aces``, ``run of cups``."""
    first = one.kinds[0]
    if one.name == SET:
        return f"set of {PLURALS[rank_of(first)]}"
    if one.name == RUN:
        return f"run of {SUIT_NAMES[suit_of(first)][0]}"
    if one.name == SECRET_NAME:
        return f"secret: {english(first)}"
    return "king alone" if one.name == KING_NAME else "three like the sowee"


def _division(found: Division, style: Style) -> list[str]:
    width = max(len(combination_name(one)) for one in found)
    return [f"    {combination_name(one):<{width}}  {_cards(one.kinds, style)}" for one in found]


def describe_hand(report: HandReport, style: Style) -> str:
    """Sixteen cards: drawn, and their divisions or their distance."""
    lines = [_head(report.hand, style), ""]
    if report.complete:
        ways = len(report.divisions)
        lines.append(f"{style.valid('Complete')}, in {counted(ways, 'way')}:")
        for number, found in enumerate(report.divisions[:WAYS_SHOWN], 1):
            if ways > 1:
                lines.append(f"  {number}.")
            lines += _division(found, style)
        if ways > WAYS_SHOWN:
            lines.append(f"  and {counted(ways - WAYS_SHOWN, 'way')} more; --json lists all")
        return "\n".join(lines)
    verdict = style.invalid("Not complete")
    if report.missing is None or report.distance is None:
        lines.append(f"{verdict}, and it can't become so: its kings have to stay.")
    elif report.distance == 0:
        lines.append(f"{verdict}: one card is missing. With the right discard the hand is purro.")
    else:
        lines.append(
            f"{verdict}: {report.missing} cards are missing. After the best discard it takes\n"
            f"{counted(report.distance, 'exchange')} to purro."
        )
    return "\n".join(lines)


def describe_purro(report: PurroReport, style: Style) -> str:
    """Fifteen cards: drawn, and what completes them."""
    lines = [_head(report.hand, style), ""]
    if report.purro:
        kinds, copies = len(report.cards), sum(report.cards.values())
        verb = "completes" if kinds == 1 else "complete"
        come = f"{counted(copies, 'copy')} can come".replace("copys", "copies")
        lines.append(f"{style.valid('Purro')}: {counted(kinds, 'card')} {verb} the hand, {come}.")
        lines += [f"  {_named(kind, style)}  {count}" for kind, count in report.cards.items()]
    elif report.distance is None:
        lines.append(f"{style.invalid('Not purro')}, and it can't become so: its kings have to stay.")
    else:
        lines.append(f"{style.invalid('Not purro')}: {counted(report.distance, 'exchange')} away.")
    return "\n".join(lines)


def _named(kind: int, style: Style) -> str:
    return f"{card_text(kind, style)}  {english(kind):<{ENGLISH_NAME}}  {spanish(kind):<{SPANISH_NAME}}"


def describe_discards(report: DiscardReport, style: Style) -> str:
    """Sixteen cards: drawn, and for each discard what it leaves and what improves that."""
    lines = [_head(report.hand, style), ""]
    if report.complete:
        lines.append(f"{style.valid('Complete')} as it is.")
    if not report.discards:
        return "\n".join([*lines, "Nothing may be discarded: there are only kings and laid cards."])
    lines.append("Discards, the best first, with the cards that improve what is left:")
    for one in report.discards:
        lines += _discard(one, style)
    return "\n".join(lines)


def _discard(one: Discard, style: Style) -> list[str]:
    if one.distance is None:
        away = "can't become complete"
    elif one.distance == 0:
        away = style.valid("purro")
    else:
        away = f"{counted(one.distance, 'exchange')} to purro"
    total = f", {counted(one.copies, 'card')}" if one.improve else ""
    return [f"  {_named(one.kind, style)}  {away}{total}", *_copies(one.improve, style)]


def _copies(counts: Mapping[int, int], style: Style) -> list[str]:
    times = "x" if style.ascii else "×"
    plain = " ".join(f"{card(kind)}{times}{count}" for kind, count in counts.items())
    lines = wrap(plain, COLUMNS - 6)
    shown = [" ".join(_colored(word, "oceb".index(word[0]), style) for word in line.split()) for line in lines]
    return [f"      {line}" for line in shown]


def describe_payment(payment: Payment, style: Style) -> str:
    """A won hand: drawn, and what each opponent pays, line by line."""
    win = payment.win
    ways = {"own": "drawn by the winner", "draw": "drawn by another", "discard": "a discard taken"}
    lines = [
        _head(win.hand, style),
        f"  bounit: {card_text(win.bounit, style)}, {_full_name(win.bounit)}, {ways[win.by]}",
        *_turned(win.turned, style),
        "",
        f"Each of the two opponents pays {style.bold(str(payment.each_opponent))} cents:",
        *(f"{line.cents:>7}  {line.text}" for line in payment.lines),
    ]
    if payment.conditions is not None:
        lines += _conditions(payment, payment.conditions, style)
    return "\n".join([*lines, f"The winner gets {2 * payment.each_opponent} cents, the partner neither pays nor gets."])


def _turned(turned: int, style: Style) -> list[str]:
    if not turned:
        return []
    lines = wrap(" ".join(CARDS.names(turned)), COLUMNS - 10)
    return [f"  turned: {lines[0]}", *(f"          {line}" for line in lines[1:])]


def _conditions(payment: Payment, conditions: Conditions, style: Style) -> list[str]:
    win = payment.win
    sowee = win.hand.sowee
    assert sowee is not None
    twin = payment.rules.bounit_is_sowee_twin or win.bounit != sowee
    kept = "" if twin else " that is not the bounit"
    held = [
        (conditions.bounit, f"1: two cards accompany the bounit, {_wanted(win.bounit)}: {_there(payment, win.bounit)}"),
        (
            conditions.sowee,
            f"2: a card like the sowee{kept}, {card(sowee)}, is held, and two accompany it, {_wanted(sowee)}: "
            f"{_there(payment, sowee, twin=True)}",
        ),
    ]
    lines = []
    for met, text in held:
        mark = style.valid(style.check) if met else style.invalid(style.cross)
        first, *more = wrap(text, COLUMNS - 11)
        lines += [f"         {mark} {first}", *(f"             {line}" for line in more)]
    return lines


def _wanted(kind: int) -> str:
    others = [card(other) for other in companions(kind)]
    return f"two of {listed(others)}" if rank_of(kind) == ACE else listed(others)


def _there(payment: Payment, kind: int, *, twin: bool = False) -> str:
    """Which of the cards wanted for a condition are there, and which of these were turned only."""
    win = payment.win
    held, turned = CARDS.counts(win.hand.cards), CARDS.counts(win.turned)
    wanted: Sequence[int] = (kind, *companions(kind)) if twin else companions(kind)
    words = []
    for one in wanted:
        own = held[one]
        if one == kind and win.bounit == kind and not payment.rules.bounit_is_sowee_twin:
            own -= 1
        if own > 0:
            words.append(card(one))
        elif turned[one]:
            words.append(f"{card(one)} (turned)")
    return f"{listed(words)} {'is' if len(words) == 1 else 'are'} there" if words else "none is there"
