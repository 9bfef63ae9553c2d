"""Why a deal is lost, in plain words: which groups, what they would need, and why it can't come.

Sentences are about the deal at hand and must be true for every deal for which a proof of their kind holds.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from cli.show.bondloss import explain_bonds
from cli.show.goal import goal_text
from cli.show.style import COLUMNS, Style, counted, listed, tile_text
from solver.xiangshifu.groups import classified, group_table
from solver.xiangshifu.layers import Layer
from solver.xiangshifu.position import Deal, format_group
from solver.xiangshifu.proof import (
    Argument,
    BondProof,
    DeadGroupProof,
    ExhaustionProof,
    FrozenSetProof,
    LayeredClosureProof,
    MovesProof,
    RelaxedClosureProof,
    RepairOrderProof,
)
from solver.xiangshifu.repairs import repair_model, valid_partners
from solver.xiangshifu.rules import RuleSet
from solver.xiangshifu.solve import Result
from solver.xiangshifu.tiles import TILES

MOST_LISTED = 6
MANY = 3
MOST_OF_MANY = 2
"""How many partners are listed for each group of a frozen set of more than ``MANY`` groups."""

FEW = 16
"""A closure of at most so many groups is listed in full."""


def explain_loss(result: Result, style: Style) -> str:
    """Why an unwinnable deal is lost: a headline, then a paragraph or a few short lists.

    Raises:
        ValueError: the result is no loss.
    """
    if result.proof is None or isinstance(result.proof, MovesProof):
        raise ValueError(f"no loss to explain: {result.verdict}")
    if isinstance(result.proof, BondProof):
        head, body = _bonds(result.proof, result)
    elif isinstance(result.proof, ExhaustionProof) and not repair_model(result.deal, result.rules).places.size:
        head, body = _stranded(result.proof, result)
    else:
        head, body = _explain(result.proof, result.deal, result.rules)
    return "\n".join([*map(style.invalid, _wrapped(f"Can't be won: {head}")), *body])


def _bonds(proof: BondProof, result: Result) -> tuple[str, list[str]]:
    told = explain_bonds(proof, result.deal, result.rules, result.goal)
    body = _wrapped(told.first)
    for case in told.cases:
        body += _wrapped(case, 2, 4)
    return told.head, body


def _stranded(proof: ExhaustionProof, result: Result) -> tuple[str, list[str]]:
    """A deal without invalid groups, in a component that does not hold the goal."""
    number = counted(proof.positions, "position")
    text = f"All groups are valid, and moves lead to no more than {number}, this one included. All were looked at."
    return f"no moves lead to {goal_text(result.goal)}.", _wrapped(text)


def _explain(proof: Argument, deal: Deal, rules: RuleSet) -> tuple[str, list[str]]:
    """A headline, and the lines below it."""
    match proof:
        case DeadGroupProof():
            return _dead_group(proof, deal, rules)
        case FrozenSetProof() if len(proof.groups) == 1:
            return _one_frozen(proof.groups[0], deal, rules)
        case FrozenSetProof():
            return _frozen_set(proof, deal, rules)
        case RepairOrderProof():
            return _repair_order(proof, deal, rules)
        case RelaxedClosureProof():
            return _relaxed_closure(proof, deal, rules)
        case LayeredClosureProof() if len(proof.groups) == 1:
            return _one_layer(proof, deal, rules)
        case LayeredClosureProof():
            return _layers(proof, deal, rules)
        case ExhaustionProof():
            return _exhaustion(proof, deal, rules)


def _wrapped(text: str, indent: int = 0, hanging: int | None = None) -> list[str]:
    margins = " " * indent, " " * (indent if hanging is None else hanging)
    return textwrap.wrap(text, COLUMNS, initial_indent=margins[0], subsequent_indent=margins[1], break_on_hyphens=False)


def _named(place: int, deal: Deal) -> str:
    return f"group {place} ({format_group(deal.groups[place])})"


def _others(deal: Deal, places: Iterable[int]) -> int:
    """How many tiles lie outside the groups at some places."""
    return deal.layout.tiles.bit_count() - sum(deal.groups[place].bit_count() for place in places)


def _some(masks: tuple[int, ...]) -> str:
    """Groups in a row, the first few of them."""
    shown = [format_group(mask) for mask in masks[:MOST_LISTED]]
    more = len(masks) - len(shown)
    return listed([*shown, f"{more:,} more"]) if more else listed(shown, "or")


def one_tile_away(group: int, rules: RuleSet) -> list[tuple[int, int, int]]:
    """How one exchanged tile would make a group valid: the group after it, and the kinds that leave and come."""
    table = group_table()
    names = classified(rules)
    kinds = TILES.kinds_of(group)
    found = []
    for leaving in sorted(set(kinds)):
        kept = list(kinds)
        kept.remove(leaving)
        for coming in range(len(TILES.kinds)):
            number = int(table.triple[(*kept, coming)] if len(kept) == 2 else table.pair[kept[0], coming])
            if coming != leaving and number >= 0 and names[number]:
                found.append((int(table.masks[number]), leaving, coming))
    return found


def _would_be_valid(group: int, rules: RuleSet) -> str:
    """What the group would need, one tile exchanged; empty if no tile would do."""
    ways = one_tile_away(group, rules)
    if not ways:
        return ""
    tile = [tile_text(kind.name) for kind in TILES.kinds]
    words = [f"{format_group(made)} ({tile[coming]} for {tile[leaving]})" for made, leaving, coming in ways]
    shown = words[:MOST_LISTED]
    more = len(words) - len(shown)
    rest = f" or in {counted(more, 'other way')}" if more else ""
    return f"With another tile in place of one of its own it would be valid: {listed(shown, 'or')}{rest}."


def _dead_group(proof: DeadGroupProof, deal: Deal, rules: RuleSet) -> tuple[str, list[str]]:
    group = deal.groups[proof.group]
    head = f"{_named(proof.group, deal)} is dead, no exchange can repair it."
    ways = _would_be_valid(group, rules)
    others = f"whatever groups the other {_others(deal, [proof.group])} tiles form"
    if ways:
        text = f"{ways} But {others}, no exchange with any of them leaves both groups valid."
    else:
        text = (
            f"No other tile in place of one of its own would make it valid; and {others}, no exchange of two tiles "
            "for a whole pair leaves both groups valid."
        )
    return head, _wrapped(text)


def _one_frozen(place: int, deal: Deal, rules: RuleSet) -> tuple[str, list[str]]:
    group = deal.groups[place]
    head = f"{_named(place, deal)} can never be repaired."
    ways = _would_be_valid(group, rules)
    text = (
        f"{ways + ' But no' if ways else 'No'} valid group that can be made of the other {_others(deal, [place])} "
        "tiles can be its partner, only another dealt invalid group could, and none here can."
    )
    return head, _wrapped(text)


def _frozen_set(proof: FrozenSetProof, deal: Deal, rules: RuleSet) -> tuple[str, list[str]]:
    count = len(proof.groups)
    none = "neither of them" if count == 2 else f"none of these {count}"
    head = f"{listed(_named(place, deal) for place in proof.groups)}: {none} can be the first to be repaired."
    body = _wrapped(
        "No other dealt invalid group can exchange with any of them so that both become valid. So the first of them "
        "would need a valid partner, made of tiles that none of them holds:"
    )
    for place in proof.groups:
        body += _partners_out_of_reach(place, proof.groups, deal, rules)
    return head, [*body, *_wrapped("So all of them stay as dealt for ever.")]


def _partners_out_of_reach(place: int, frozen: tuple[int, ...], deal: Deal, rules: RuleSet) -> list[str]:
    """The valid partners of a frozen group, and for each the tiles it lacks."""
    partners = valid_partners(deal.groups[place], rules)
    named = f"Group {place} ({format_group(deal.groups[place])})"
    if not partners:
        return _wrapped(f"{named} has no valid partner at all.", 2, 4)
    lines = _wrapped(f"{named} would need", 2, 4)
    shown = partners[: MOST_LISTED if len(frozen) <= MANY else MOST_OF_MANY]
    width = max(len(format_group(partner)) for partner in shown)
    for partner in shown:
        lacks = listed(_lack(kind, place, frozen, deal) for kind in _missing(partner, frozen, deal))
        lines += _wrapped(f"{format_group(partner):<{width}}   {lacks}", 4, 7 + width)
    more = len(partners) - len(shown)
    if more:
        lines += _wrapped(f"or {counted(more, 'other group')}, for which a tile is missing in the same way.", 4)
    return lines


def _missing(partner: int, frozen: tuple[int, ...], deal: Deal) -> list[int]:
    """The kinds of which a group needs more than the frozen groups leave."""
    left = list(TILES.counts(deal.layout.tiles))
    for place in frozen:
        for kind in TILES.kinds_of(deal.groups[place]):
            left[kind] -= 1
    return [kind for kind, needed in enumerate(TILES.counts(partner)) if needed > left[kind]]


def _lack(kind: int, place: int, frozen: tuple[int, ...], deal: Deal) -> str:
    """Where a missing tile is."""
    tile = tile_text(TILES.kinds[kind].name)
    holders = [str(other) for other in frozen if other != place and kind in TILES.kinds_of(deal.groups[other])]
    if holders:
        return f"{tile} is in {'group' if len(holders) == 1 else 'groups'} {listed(holders)}"
    dealt = TILES.counts(deal.layout.tiles)[kind]
    return f"there is {'only one' if dealt else 'no'} {tile} in this layout"


def _repair_order(proof: RepairOrderProof, deal: Deal, rules: RuleSet) -> tuple[str, list[str]]:
    groups = listed(_named(place, deal) for place in proof.groups)
    count = len(proof.groups)
    never = {1: "can't be repaired", 2: "can't both be repaired"}.get(count, "can't all be repaired")
    head = f"{groups} {never}, in whatever order."
    body = []
    for place in proof.groups:
        body += _wrapped(_ways_of_repair(place, proof.groups, deal, rules), 2, 4)
    last = (
        "A dealt invalid group is repaired only once, so it can be repaired together with only one other. Even if "
        "all other groups could be repaired at any time, every order leaves at least one of these unrepaired."
    )
    return head, [*body, *_wrapped(last)]


def _ways_of_repair(place: int, among: tuple[int, ...], deal: Deal, rules: RuleSet) -> str:
    """With what a dealt invalid group can be repaired, as far as tiles go."""
    partners = valid_partners(deal.groups[place], rules)
    alone = [partner for partner in partners if not _missing(partner, (place,), deal)]
    at_once = [partner for partner in alone if not _missing(partner, among, deal)]
    together = [str(other) for other in _repaired_together(place, deal, rules)]
    named = f"Group {place}"
    if not alone:
        text = f"{named} has no valid partner that the other {_others(deal, [place])} tiles could form"
    elif not at_once:
        text = f"{named} has no valid partner while all of these groups stay as dealt"
    else:
        text = f"{named} may find a valid partner at any time, as far as the tiles go"
    if not together:
        return f"{text}, and no dealt invalid group can be repaired together with it."
    group = "group" if len(together) == 1 else "groups"
    return f"{text}; it can be repaired together with {group} {listed(together, 'or')}, while that is still as dealt."


def _repaired_together(place: int, deal: Deal, rules: RuleSet) -> list[int]:
    """The places of the dealt invalid groups that an exchange as dealt repairs together with one of them."""
    model = repair_model(deal, rules)
    places = [int(other) for other in model.places]
    edges = int(model.edges[places.index(place)])
    return [other for k, other in enumerate(places) if edges >> k & 1]


def _relaxed_closure(proof: RelaxedClosureProof, deal: Deal, rules: RuleSet) -> tuple[str, list[str]]:
    one = len(proof.groups) == 1
    groups = listed(_named(place, deal) for place in proof.groups)
    head = f"{groups} can never be repaired." if one else f"{groups}: none can be the first of them to be repaired."
    body = []
    for place in proof.groups:
        body += _wrapped(_needs(place, deal, rules), 0 if one else 2, 0 if one else 4)
    stays, them = ("it stays", "it") if one else ("they stay", "any of them")
    text = (
        f"As long as {stays} as dealt, whatever is done with the other {_others(deal, proof.groups)} tiles, only "
        f"{_these_groups(proof.closure)} can ever appear, and no exchange with any of those repairs {them}"
    )
    text += "." if one else ", nor can they repair one another."
    return head, body + _wrapped(text)


def _one_layer(proof: LayeredClosureProof, deal: Deal, rules: RuleSet) -> tuple[str, list[str]]:
    place, (layer,) = proof.groups[0], proof.layers
    text = (
        f"As long as it stays as dealt, whatever is done with the other {_others(deal, [place])} tiles, only "
        f"{counted(layer.groups, 'group')} can ever appear, and only {counted(layer.pairs, 'pair')} of them can stand "
        "beside each other. None of these groups can be its partner."
    )
    return f"{_named(place, deal)} can never be repaired.", [*_wrapped(_needs(place, deal, rules)), *_wrapped(text)]


def _layers(proof: LayeredClosureProof, deal: Deal, rules: RuleSet) -> tuple[str, list[str]]:
    count = len(proof.groups)
    named = listed(_named(place, deal) for place in proof.groups)
    head = f"{named} can't {'both' if count == 2 else 'all'} be repaired, in whatever order."
    body = _wrapped("What could repair them:")
    for place in proof.groups:
        body += _wrapped(_possible_repairs(place, deal, rules), 2, 4)
    text = (
        f"{_last_of_two(proof) if count == 2 else _always_left(proof)} To show this, it was followed which groups can "
        f"ever appear, and which two of them can stand beside each other: {_numbers(proof)}."
    )
    return head, [*body, *_wrapped(text)]


def _last_of_two(proof: LayeredClosureProof) -> str:
    """Which of two groups can be the first to be repaired, and what then becomes of the other."""
    alone = [layer.remaining[0] for layer in proof.layers if len(layer.remaining) == 1]
    if not alone:
        return "Neither of them finds a partner as long as both stay as dealt."
    if len(alone) == 2:
        return "Whichever is repaired first, the other never finds a partner any more."
    (last,) = alone
    first = sum(proof.groups) - last
    return (
        f"Group {last} finds no partner as long as group {first} stays as dealt, and once that is repaired, it never "
        "does any more."
    )


def _always_left(proof: LayeredClosureProof) -> str:
    """Which groups are left: whatever remains at any time holds one of the least sets that can remain."""
    can = [set(layer.remaining) for layer in proof.layers]
    least = sorted((sorted(s) for s in can if not any(other < s for other in can)), key=lambda s: (len(s), s))
    ways = [f"{'group' if len(s) == 1 else 'groups'} {listed(map(str, s))}" for s in least]
    return f"Whatever is done, {listed(ways, 'or')} {'stays' if len(least[-1]) == 1 else 'stay'} as dealt for ever."


def _numbers(proof: LayeredClosureProof) -> str:
    """How many groups can appear, and how many pairs of them, while so many of the groups of a proof remain."""
    count = len(proof.groups)
    parts = []
    for size in range(count, 0, -1):
        layers = [layer for layer in proof.layers if len(layer.remaining) == size]
        if size == count:
            parts.append(f"{_most(layers)} while {'both' if count == 2 else f'all {count}'} stay as dealt")
        elif count == 2:
            parts += [f"{_most([layer])} while only group {layer.remaining[0]} does" for layer in layers]
        elif layers:
            parts.append(f"{_most(layers)} while only {size} {'does' if size == 1 else 'do'}")
    return listed(parts)


def _most(layers: list[Layer]) -> str:
    groups, pairs = max(layer.groups for layer in layers), max(layer.pairs for layer in layers)
    return f"{'at most ' if len(layers) > 1 else ''}{counted(groups, 'group')} and {counted(pairs, 'pair')}"


def _needs(place: int, deal: Deal, rules: RuleSet) -> str:
    partners = valid_partners(deal.groups[place], rules)
    if not partners:
        return f"Group {place} has no valid partner, and no dealt invalid group can be repaired together with it."
    number = "the valid partner" if len(partners) == 1 else f"one of {len(partners):,} valid partners:"
    return f"Group {place} would need {number} {_some(partners)}."


def _these_groups(closure: tuple[int, ...]) -> str:
    if len(closure) > FEW:
        return f"{len(closure):,} groups"
    noun = "this group" if len(closure) == 1 else f"these {len(closure)} groups"
    return f"{noun} ({', '.join(format_group(group) for group in closure)})"


def _exhaustion(proof: ExhaustionProof, deal: Deal, rules: RuleSet) -> tuple[str, list[str]]:
    head = "no sequence of moves makes all groups valid."
    lines = []
    for place in map(int, repair_model(deal, rules).places):
        lines += _wrapped(_possible_repairs(place, deal, rules), 2, 4)
    text = (
        "No shorter reason was found, so every way of playing was followed, exchanges between two dealt invalid "
        f"groups first, for these can always be moved to the front. {_positions(proof.positions)} Any other position "
        "that is reached so is lost, since its invalid groups can't be repaired in any order."
    )
    return head, [*_wrapped("The invalid groups, and what could repair them:"), *lines, *_wrapped(text)]


def _positions(number: int) -> str:
    if number == 0:
        return "The dealt invalid groups can't be repaired in any order."
    hope = "its invalid groups could be repaired in some order, as far as the tiles go"
    if number == 1:
        return f"The deal itself is not final; {hope}, but it leads to no other position of which that is true."
    hope = hope.replace("its", "the")
    return (
        f"There are {number:,} positions that can be reached, the deal included, in which {hope}: all were looked at, "
        "and none is final."
    )


def _possible_repairs(place: int, deal: Deal, rules: RuleSet) -> str:
    partners = tuple(p for p in valid_partners(deal.groups[place], rules) if not _missing(p, (place,), deal))
    together = [str(other) for other in _repaired_together(place, deal, rules)]
    text = f"Group {place} ({format_group(deal.groups[place])}): "
    ways = []
    if partners:
        noun = "a valid partner" if len(partners) == 1 else f"one of {len(partners):,} valid partners"
        ways.append(f"{noun}, {_some(partners)}")
    if together:
        ways.append(f"dealt group {listed(together, 'or')}")
    return text + ("; ".join(ways) or "nothing") + "."
