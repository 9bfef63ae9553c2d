"""Surveys of Cuajo as text."""

from __future__ import annotations

from collections.abc import Sequence

from cli.show.style import Style, counted
from cli.show.table import decimals, percent, span, table
from solver.cuajo.report import Dealt, Difference, Strength, TableReport
from solver.statistics import Mean, Share

SHARE_NAMES = {
    "draw": "deals that are a draw",
    "purro": "deals in which purro is said",
    "broken": "  of these, in which it is broken",
    "broken_by_king": "  of these, by a drawn king",
    "secret": "deals in which a secret is laid",
    "own_draw": "wins by the own draw",
    "others_draw": "wins by another's draw",
    "discard": "wins by a discard",
    "porbis": "wins that are a porbis",
    "both_conditions": "paid wins with both conditions",
    "bounit_condition": "  with the bounit's only",
    "sowee_condition": "  with the sowee's only",
    "no_condition": "  with none",
    "dealer_wins": "wins by the dealer",
}

MEAN_NAMES = {
    "turns": "turns a deal",
    "drawn": "cards drawn",
    "takes": "discards taken",
    "first_purro": "turn of the first purro",
    "purros": "purros said a deal",
    "breaks": "purros broken a deal",
    "secrets": "secrets a deal",
    "each": "cents from each opponent of a win",
    "turned": "cards turned for the conditions",
    "dealer_cents": "cents of the dealer a deal",
    "draw": "draws a deal",
    "porbis": "porbis a deal",
}


def _share_row(name: str, share: Share) -> tuple[str, ...]:
    digits = decimals(share.wilson)
    return name, percent(share.share, digits), span(share.wilson.low, share.wilson.high, digits)


def _mean_row(name: str, mean: Mean | None, *, sign: bool = False) -> tuple[str, ...]:
    if mean is None:
        return name, "-", ""
    form = "+.3f" if sign else ".3f"
    interval = mean.interval
    return name, f"{mean.mean:{form}}", "" if interval is None else f"{interval.low:{form}} to {interval.high:{form}}"


def describe_tables(
    seed: int, tables: Sequence[TableReport], dealt: Sequence[Dealt], difference: Difference | None, style: Style
) -> str:
    """What a survey shows, table by table, then how dealt hands compare with their odds."""
    lines = []
    for one in tables:
        lines += _table_lines(seed, one, style)
    lines += _dealt_lines(dealt, style)
    if difference is not None:
        lines += ["", style.bold(f"{difference.names[1]}, less {difference.names[0]}, on the same deals")]
        rows = [_mean_row(MEAN_NAMES[name], mean, sign=True) for name, mean in difference.means.items()]
        lines += table([("", "difference", "95 % interval"), *rows], "<.<")
    return "\n".join(lines)


def _table_lines(seed: int, one: TableReport, style: Style) -> list[str]:
    shares = [_share_row(name, one.shares[key]) for key, name in SHARE_NAMES.items()]
    means = [_mean_row(name, one.means[key]) for key, name in MEAN_NAMES.items() if key in one.means]
    seats = zip(one.table.players, one.cents, strict=True)
    return [
        style.bold(f"{one.name}, {counted(one.deals, 'deal')} of seed {seed}"),
        *table([("", "%", "95 % interval"), *shares], "<.<"),
        "",
        *table(
            [
                ("", "mean", "95 % interval"),
                *means,
                _mean_row("dealer, less the mean of the others", one.dealer_worth, sign=True),
                *(_mean_row(f"cents of seat {seat}, {name}", mean) for seat, (name, mean) in enumerate(seats)),
            ],
            "<.<",
        ),
        "",
    ]


def _dealt_lines(dealt: Sequence[Dealt], style: Style) -> list[str]:
    rows = [("cards", "waste", "% exactly", "% seen", "95 % interval")]
    for one in dealt:
        _, seen, interval = _share_row("", one.seen)
        rows.append((str(one.cards), str(one.waste), percent(one.exact, 6), seen, interval))
    head = style.bold("Dealt hands by waste (0: purro with 15 cards, complete with 16)")
    return [head, *table(rows, ">>..<")]


def describe_strength(seed: int, found: Sequence[Strength], style: Style) -> str:
    """Which players are stronger."""
    lines = []
    for one in found:
        deals = counted(one.deals, "deal")
        lines.append(style.bold(f"{one.strong} against {one.weak}, {deals} of seed {seed} twice, with changed seats"))
        rows = [
            _mean_row(f"share of deals won by {one.strong}", one.wins),
            _mean_row(f"share of deals won by {one.weak}", one.losses),
            _mean_row(f"cents that {one.strong} wins a deal and player", one.cents, sign=True),
        ]
        lines += [*table([("", "mean", "95 % interval"), *rows], "<.<"), ""]
    return "\n".join(lines[:-1])
