"""``xsf cuajo``: what can be said of a hand, what a win pays, and deals played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.common import announce_compiling, ascii_option, compact_json, json_option, style
from cli.cuajo.options import answer_hands, hand_argument, laid_option, rules_option, seen_option, sowee_option
from cli.cuajo.play import play, replay
from cli.cuajo.simulate import simulate, strength

if TYPE_CHECKING:
    from solver.cuajo.rules import RuleSet


@click.group("cuajo")
def command() -> None:
    """Cuajo, the Philippine card game: complete hands, purro, discards and payments; playing, and many deals played.

    A card is a suit, o (oros, coins), c (copas, cups), e (espadas, swords) or b (bastos, batons), and a rank, A 3 4 5
    J H K (jack, horse, king), in upper or lower case.

    \b
    xsf cuajo hand "oJ oA o3 o4 o5 cJ cA c3 c4 eJ e3 e5 bA b4 b5 bK"
    xsf cuajo purro "oA o3 o4 o5 cJ cA c3 c4 eJ e3 e5 bA b4 b5 bK" --seen "oJ c3"
    xsf cuajo pay --hand "..." --sowee o4 --bounit oA --by draw
    xsf cuajo play --hints
    xsf cuajo simulate --deals 10000 --seed 1
    """


@command.command("hand")
@hand_argument(16)
@sowee_option
@laid_option
@rules_option
@json_option
@ascii_option
def hand(cards: tuple[str, ...], sowee: str | None, laid: str, rules: RuleSet, as_json: bool, only_ascii: bool) -> int:
    """Tell whether 16 cards are complete, all their divisions into combinations, and how far they are from purro.

    CARDS are 16 cards, laid ones included or not; or a file with such a hand a line, or - for standard input.
    """
    announce_compiling()
    from cli.cuajo.show import describe_hand
    from solver.cuajo.hand import Hand, analyse
    from solver.cuajo.rules import HAND

    def answer(text: str) -> str:
        report = analyse(Hand.parse(text, HAND, laid=laid, sowee=sowee), rules)
        return compact_json(report.to_json()) if as_json else describe_hand(report, style(only_ascii))

    return answer_hands(cards, answer, apart=not as_json)


@command.command("purro")
@hand_argument(15)
@seen_option
@sowee_option
@laid_option
@rules_option
@json_option
@ascii_option
def purro(
    cards: tuple[str, ...], seen: str, sowee: str | None, laid: str, rules: RuleSet, as_json: bool, only_ascii: bool
) -> int:
    """Tell which cards complete a hand of 15, and how many copies of each can still come.

    CARDS are 15 cards, laid ones included or not; or a file with such a hand a line, or - for standard input.
    """
    announce_compiling()
    from cli.cuajo.show import describe_purro
    from solver.cuajo.cards import parse_cards
    from solver.cuajo.hand import Hand
    from solver.cuajo.hand import purro as find
    from solver.cuajo.rules import DEALT

    elsewhere = parse_cards(seen)

    def answer(text: str) -> str:
        report = find(Hand.parse(text, DEALT, laid=laid, sowee=sowee), elsewhere, rules)
        return compact_json(report.to_json()) if as_json else describe_purro(report, style(only_ascii))

    return answer_hands(cards, answer, apart=not as_json)


@command.command("discard")
@hand_argument(16)
@seen_option
@sowee_option
@laid_option
@rules_option
@json_option
@ascii_option
def discard(
    cards: tuple[str, ...], seen: str, sowee: str | None, laid: str, rules: RuleSet, as_json: bool, only_ascii: bool
) -> int:
    """Tell for each card that may be discarded how far the rest is from purro, and which cards improve it.

    The best discards come first. Kings, laid secrets and the closed card of a secret can't be discarded.

    CARDS are 16 cards, laid ones included or not; or a file with such a hand a line, or - for standard input.
    """
    announce_compiling()
    from cli.cuajo.show import describe_discards
    from solver.cuajo.cards import parse_cards
    from solver.cuajo.hand import Hand, discards
    from solver.cuajo.rules import HAND

    elsewhere = parse_cards(seen)

    def answer(text: str) -> str:
        report = discards(Hand.parse(text, HAND, laid=laid, sowee=sowee), elsewhere, rules)
        return compact_json(report.to_json()) if as_json else describe_discards(report, style(only_ascii))

    return answer_hands(cards, answer, apart=not as_json)


WAYS = ("own", "draw", "discard")


@command.command("pay")
@click.option("--hand", "cards", required=True, metavar="CARDS", help="The 16 winning cards.")
@click.option("--sowee", required=True, metavar="CARD", help="The card turned up after the deal.")
@click.option("--bounit", required=True, metavar="CARD", help="The last card, with which the hand was won.")
@click.option(
    "--by",
    type=click.Choice(WAYS),
    required=True,
    help="Drawn by the winner, drawn by another player, or taken from the discards.",
)
@click.option("--turned", default="", metavar="CARDS", help="The cards turned from the stock after the win.")
@laid_option
@rules_option
@json_option
@ascii_option
def pay(
    cards: str,
    sowee: str,
    bounit: str,
    by: str,
    turned: str,
    laid: str,
    rules: RuleSet,
    as_json: bool,
    only_ascii: bool,
) -> int:
    """Tell what each of the two opponents pays for a win, and explain the sum line by line."""
    announce_compiling()
    from cli.cuajo.show import describe_payment
    from solver.cuajo.cards import parse_card, parse_cards
    from solver.cuajo.hand import Hand
    from solver.cuajo.payment import Win
    from solver.cuajo.payment import pay as payment_for
    from solver.cuajo.rules import HAND

    won = Hand.parse(cards, HAND, laid=laid, sowee=sowee)
    payment = payment_for(Win(won, parse_card(bounit), by, parse_cards(turned)), rules)
    click.echo(compact_json(payment.to_json()) if as_json else describe_payment(payment, style(only_ascii)))
    return 0


for _command in (play, replay, simulate, strength):
    command.add_command(_command)
