"""What a rule set condemns, as text: groups and sets of groups with their odds, and what losses come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor, log10
from textwrap import wrap

from cli.show.style import COLUMNS, Style, counted, listed
from solver.xiangshifu.deadgroups import DeadGroups
from solver.xiangshifu.losses import FROZEN_SET, Held, Losses, Share, expected_shares
from solver.xiangshifu.theory import CONDITIONALLY_DEAD, DEAD_GROUP, TOGETHER, FrozenGroups, Theory

TRIPLE_TILES = 3
TILE_WIDTH = 5
ODDS_WIDTH = 12
LIKELIEST = 8
"""Sets of groups dead together that are shown."""
MOST_FREQUENT = 12
"""Groups that are shown to hold losses."""

MEANINGS = {
    DEAD_GROUP: "no exchange can repair it, whatever the rest is.",
    CONDITIONALLY_DEAD: (
        "no valid group made of the other tiles can be its partner,\nonly another dealt invalid group might repair it."
    ),
    TOGETHER: (
        "each waits for tiles that the others hold, only another dealt\ninvalid group might repair the first of them."
    ),
}


def describe_theory(theory: Theory, style: Style) -> str:
    """How many groups a rule set makes valid, all that it condemns, and how many deals that loses."""
    dead, conditional, *together = theory.levels
    return "\n\n".join(
        [
            _valid_groups(theory.found, style),
            _single_groups("dead", DEAD_GROUP, dead.sets, style),
            _single_groups("conditionally dead", CONDITIONALLY_DEAD, conditional.sets, style),
            *([_together(theory, style)] if together else []),
            _levels(expected_shares(theory)[: len(theory.levels)], style),
        ]
    )


def describe_losses(losses: Losses, style: Style) -> str:
    """What the losses of many deals come from, and what holds those that no frozen set explains."""
    decided = f"{losses.winnable:,} winnable, {losses.unwinnable:,} unwinnable, {losses.undecided:,} undecided"
    head = f"{counted(losses.deals, 'deal')} of seed {losses.seed}"
    gap = " " if len(head) + len(decided) + 3 <= COLUMNS else "\n"
    parts = [f"{style.bold(head)}:{gap}{decided}."]
    if losses.unwinnable:
        parts.append(_shares(losses.shares, style))
    if losses.larger:
        parts.append(_larger(losses))
    if losses.unexplained:
        parts.append(_unexplained(losses.unexplained, style))
    return "\n\n".join(parts)


def one_in(chance: Fraction | float | None) -> str:
    """A probability as the number of deals among which there is one: ``1,653``, to four digits; empty if none."""
    if not chance:
        return ""
    number = 1 / float(chance)
    if number < 10:
        return f"{number:.1f}"
    return f"{round(number, min(0, 3 - floor(log10(number)))):,.0f}"


def percent(share: Fraction | float | None) -> str:
    """A share in percent: two decimals, or two digits if it is very small; empty if it is not known."""
    if share is None:
        return ""
    value = 100 * float(share)
    decimals = 2 if value == 0 else max(2, 1 - floor(log10(value)))
    return f"{value:.{decimals}f} %"


def _valid_groups(found: DeadGroups, style: Style) -> str:
    return (
        f"{style.bold(f'Rules {found.rules.id}')}\n"
        f"{counted(found.valid_kinds, 'valid triple')} ({found.valid_tiles:,} counting copies) and "
        f"{counted(found.valid_pairs, 'valid pair')}."
    )


def _heading(kind: str, meaning: str, style: Style) -> str:
    return f"{style.bold(kind.capitalize())}: {meaning}"


def _single_groups(kind: str, name: str, sets: Sequence[FrozenGroups], style: Style) -> str:
    lines = [_heading(kind, MEANINGS[name], style)]
    if not sets:
        lines.append(f"  There is no {kind} group.")
    for noun, size in (("triple", TRIPLE_TILES), ("pair", TRIPLE_TILES - 1)):
        chosen = [one for one in sets if one.groups[0].bit_count() == size]
        if chosen:
            lines.append(_odds_heading(counted(len(chosen), noun)))
            lines += _rows(chosen, style)
    return "\n".join(lines)


def _odds_heading(text: str) -> str:
    return f"  {text}".ljust(COLUMNS - 2 * ODDS_WIDTH) + "dealt 1 in".rjust(ODDS_WIDTH) + "lost 1 in".rjust(ODDS_WIDTH)


def _rows(sets: Iterable[FrozenGroups], style: Style) -> list[str]:
    """A line for each set: its groups, the odds that it is dealt, and that it is and no edge partner is."""
    lines = []
    for one in sets:
        *above, last = _lines_of_groups(one.groups, style)
        used = 4 + sum(width for _, width in last)
        pad = " " * (COLUMNS - 2 * ODDS_WIDTH - used)
        lines += ["    " + "".join(text for text, _ in line) for line in above]
        odds = one_in(one.dealt).rjust(ODDS_WIDTH) + (one_in(one.lost) or "never").rjust(ODDS_WIDTH)
        lines.append("    " + "".join(text for text, _ in last) + pad + odds)
    return lines


def _lines_of_groups(groups: Sequence[int], style: Style) -> list[list[tuple[str, int]]]:
    """Groups, each as text and its width, three on a line."""
    cells = [(style.tiles(group) + "  ", TILE_WIDTH * group.bit_count() + 2) for group in groups]
    return [cells[start : start + 3] for start in range(0, len(cells), 3)]


def _together(theory: Theory, style: Style) -> str:
    lines = [_heading("dead together", MEANINGS[TOGETHER], style)]
    numbers = [f"{len(level.sets):,} of {level.name.removeprefix(TOGETHER)} groups" for level in theory.levels[2:]]
    likeliest = sorted(theory.together, key=lambda one: (-one.lost, len(one.groups), one.groups))
    if not likeliest:
        return "\n".join([*lines, f"  There is no such set of up to {theory.size} groups."])
    always = sum(one.unconditional for one in likeliest)
    if always:
        what = (
            "1 set loses every deal that holds it"
            if always == 1
            else f"{always:,} sets lose every deal that holds them"
        )
        lines.append(f"{what}, whatever the rest is.")
    lines.append(_odds_heading(f"{listed(numbers)}"))
    lines += _rows(likeliest[:LIKELIEST], style)
    if len(likeliest) > LIKELIEST:
        lines.append(f"    and {len(likeliest) - LIKELIEST:,} less likely ones; --json lists all")
    return "\n".join(lines)


def _level_text(name: str, size: int) -> str:
    if name.startswith(TOGETHER):
        return f"{name.removeprefix(TOGETHER)} groups dead together"
    words = {
        DEAD_GROUP: "dead group",
        CONDITIONALLY_DEAD: "conditionally dead group",
        FROZEN_SET: f"{size + 1} or more frozen groups",
        "repair-order": "no order of repairs",
    }
    return words.get(name, name.replace("-", " "))


def _levels(shares: Sequence[Share], style: Style) -> str:
    """What each level loses of all deals, exactly or at most."""
    lines = [style.bold(f"{'Deals lost by':<27}{'share':>19}{'1 in':>13}{'so far':>12}")]
    for share in shares:
        chance = share.at_most if share.exact is None else share.exact
        text = percent(chance) if share.exact is not None else f"at most {percent(chance)}"
        lines.append(
            f"  {_level_text(share.name, 0):<25}{text:>19}{one_in(chance):>13}{percent(share.so_far):>12}".rstrip()
        )
    return "\n".join(lines)


def _shares(shares: Sequence[Share], style: Style) -> str:
    """How many deals each level lost, and how many standard deviations (z) that is from what is exact."""
    size = sum(share.name.startswith(TOGETHER) for share in shares) + 1
    names = f"{'deals':>7}{'share':>10}{'exact':>11}{'z':>6}{'of losses':>10}{'so far':>9}"
    lines = [style.bold(f"{'Lost by':<26}{names}")]
    for share in shares:
        z = "" if share.z is None else f"{round(share.z, 1) + 0:+.1f}"
        lines.append(
            f"  {_level_text(share.name, size):<24}{share.deals:>7,}{percent(share.share):>10}"
            f"{percent(share.exact):>11}{z:>6}{percent(share.share_of_losses):>10}{percent(share.losses_so_far):>9}"
        )
    return "\n".join(lines)


def _larger(losses: Losses) -> str:
    sizes = list(losses.larger)
    span = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    text = (
        f"The larger frozen sets have {span} groups. Such deals are stuck as a whole: "
        f"{losses.without_move:,} of {sum(losses.larger.values()):,} have no move at all."
    )
    return "\n".join(wrap(text, COLUMNS))


def _unexplained(unexplained: Sequence[Held], style: Style) -> str:
    """What holds the losses beyond frozen sets; of one group alone also how many valid partners there can be."""
    total = sum(one.deals for one in unexplained)
    single = sum(one.deals for one in unexplained if len(one.groups) == 1)
    lines = wrap(
        f"No frozen set explains {counted(total, 'loss') if total == 1 else f'{total:,} losses'}; "
        f"{single:,} of them hang on one group. What holds most of them, and how many valid partners such a group has:",
        COLUMNS,
    )
    named: Counter[tuple[int, ...]] = Counter()
    for one in unexplained:
        named[one.groups] += one.deals if one.groups else 0
    partners_of = {one.groups: one.partners for one in unexplained}
    for groups, deals in (+named).most_common(MOST_FREQUENT):
        first, *more = _lines_of_groups(groups, style)
        partners = str(partners_of[groups][0]).rjust(21 - first[0][1]) if len(groups) == 1 else ""
        lines.append(f"  {deals:>4,}  {''.join(text for text, _ in first)}{partners}".rstrip())
        lines += ["        " + "".join(text for text, _ in line).rstrip() for line in more]
    if len(+named) > MOST_FREQUENT:
        lines.append(f"        and {len(+named) - MOST_FREQUENT:,} more; --json lists all")
    return "\n".join(lines)
