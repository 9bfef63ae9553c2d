"""An independent checker for the results of `xsf solve`.

It shares no line with the solver it judges. Whoever reads this one file from top to bottom, knowing
only the rules of Xiang Shi Fu, can see what a checked result is worth:

1. tiles and deals as text,
2. the rules: which names a group of tiles has, and so whether it is valid,
3. exchanges: what one move can make of two groups,
4. goals: which final positions count as a win,
5. the repair bound, and of the proofs of a loss: dead-group, frozen-set, repair-order,
   relaxed-closure and layered-closure,
6. exhaustion: repeating a search to its end,
7. replaying the moves of a solution,
8. whole proofs of a loss: reading them,
9. locks, which the proofs of the kind bond rest on: why a goal other than any final position is out
   of reach,
10. `check`, which takes a whole result apart, and `check_moves` for a list written by a person,
11. the region of all final positions: `check_distances` and `check_components`.

Groups are sorted tuples of tiles, tiles are texts with the smaller pip first: `("16", "16", "23")`.
Nothing here prints, and nothing a result holds makes `check` raise: what is odd is a failure.
"""

from __future__ import annotations

import math
import re
import reprlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from typing import Any

Tile = str
Group = tuple[Tile, ...]
Deal = tuple[Group, ...]
Places = frozenset[int]

# Up to this many positions an exhaustion is repeated even when nobody asked for a full check.
SMALL_EXHAUSTION = 5_000

# A layered closure is about at most so many groups; each of them doubles the layers.
MOST_LAYERED = 4

# A proof by locks is about at most so many; each of them doubles the ways a game can end.
MOST_LOCKS = 10

# The search for a position of a goal gives up after so many steps.
MOST_STEPS = 200_000

# A case is looked at from behind if the goal has at most so many positions in it.
MOST_WANTED = 20_000

# The search for a solution shorter than a goal's lower bound gives up after so many positions.
MOST_SHORTER = 200_000


class BadResult(ValueError):
    """A result, or a part of it, that cannot be read or does not hold; the text says why."""


@dataclass(frozen=True)
class Report:
    """What `check` found: one sentence a failure, and what only a full check would confirm."""

    failures: tuple[str, ...]
    unconfirmed: str | None = None


@dataclass(frozen=True)
class MovesReport:
    """What `check_moves` found: the first bad line, whether all groups end valid, legal moves."""

    failures: tuple[str, ...]
    final: bool
    moves: int


def _require(condition: bool, sentence: str) -> None:
    """Raise BadResult with the sentence unless the condition holds."""
    if not condition:
        raise BadResult(sentence)


# --- 1. Tiles and deals ---------------------------------------------------------------------------

CIVILIAN = ("66", "11", "44", "13", "55", "33", "22", "56", "46", "16", "15")
MILITARY = ("36", "45", "26", "35", "25", "34", "14", "23", "24", "12")
KINDS = CIVILIAN + MILITARY
FULL_DECK = Counter(CIVILIAN * 2 + MILITARY)
SHANGHAI_DECK = FULL_DECK - Counter(["24", "46"])

# How many triples and pairs each layout has, and the tiles it is dealt from.
LAYOUTS = {"ten": (10, 1, FULL_DECK), "shanghai": (10, 0, SHANGHAI_DECK), "eight": (8, 4, FULL_DECK)}


def parse_tile(text: str) -> Tile:
    """Read a tile such as `16`, `61`, `6:1` or `[6:1]`; raise BadResult if there is none such."""
    written = re.fullmatch(r"\[?([1-6]):?([1-6])\]?", text)
    if written is None:
        raise BadResult(f"there is no tile {_show(text)}")
    return "".join(sorted(written.groups()))


def make_group(tiles: Iterable[Tile]) -> Group:
    """Return the tiles as a group: a tuple in a fixed order, so that equal groups are equal."""
    return tuple(sorted(tiles))


def parse_group(text: str) -> Group:
    """Read tiles joined by `-`; raise BadResult unless they are two or three."""
    group = make_group(parse_tile(tile) for tile in text.split("-"))
    _require(len(group) in (2, 3), f"{_show(text)} is neither a triple nor a pair")
    return group


def group_text(group: Group) -> str:
    """Return a group as it is written: its tiles joined by `-`."""
    return "-".join(group)


def parse_deal(text: str) -> Deal:
    """Read groups joined by blanks, keeping their order."""
    return tuple(parse_group(group) for group in text.split())


def layout_of(deal: Deal) -> str:
    """Return the name of the layout a deal has; raise BadResult if it has none of the three."""
    sizes = Counter(len(group) for group in deal)
    tiles = Counter(tile for group in deal for tile in group)
    shapes = [name for name, (triples, pairs, _) in LAYOUTS.items() if (sizes[3], sizes[2]) == (triples, pairs)]
    _require(bool(shapes), f"{sizes[3]} triples and {sizes[2]} pairs are no layout")
    deck = LAYOUTS[shapes[0]][2]
    for tile in KINDS:
        _require(tiles[tile] == deck[tile], f"the deal holds the tile {tile} {tiles[tile]} times, not {deck[tile]}")
    return shapes[0]


def minus(group: Group, tiles: Iterable[Tile]) -> Group:
    """Return what is left of a group when some of its tiles are taken away."""
    left = list(group)
    for tile in tiles:
        left.remove(tile)
    return tuple(left)


def fits(tiles: Iterable[Tile], stock: Counter[Tile]) -> bool:
    """Tell whether a stock of tiles holds all these, each as often as it is named."""
    wanted = tuple(tiles)
    return all(wanted.count(tile) <= stock[tile] for tile in wanted)


_FIRST_BIT = {kind: 2 * index for index, kind in enumerate(KINDS)}


def _stock_bits(stock: Counter[Tile]) -> int:
    """Write a stock with two bits a kind, 00, 01 or 11 for no, one or two copies.

    One stock holds another exactly if it has all its bits; `fits` is the same, but much slower.
    """
    return sum((2**count - 1) << _FIRST_BIT[kind] for kind, count in stock.items())


@cache
def _group_bits(group: Group) -> int:
    """Write the tiles of a group in the same way."""
    return _stock_bits(Counter(group))


def all_groups(deck: Counter[Tile], sizes: Iterable[int] = (2, 3)) -> Iterator[Group]:
    """Yield every group, valid or not, that can be made of the tiles of a deck."""
    kinds = sorted(deck)
    for size in sizes:
        for group in combinations_with_replacement(kinds, size):
            if fits(group, deck):
                yield group


class Numbering:
    """Numbers for groups, given as they turn up."""

    def __init__(self) -> None:
        """Start with no group."""
        self.groups: list[Group] = []
        self._numbers: dict[Group, int] = {}

    def of(self, group: Group) -> int:
        """Return the number of a group, a new one if it was not met before."""
        if group not in self._numbers:
            self._numbers[group] = len(self.groups)
            self.groups.append(group)
        return self._numbers[group]


# --- 2. Rules -------------------------------------------------------------------------------------

# The five that need more than a list of six ends, and the order in which names are always listed.
COUNTED = ("five-points", "full-fourteen", "split", "coincidence", "five-sons")
KNOWN_PATTERNS = ("dragon", "small-dragon", "big-dragon", "two-three-kao", "mixed-dragon")
NAME_ORDER = (*COUNTED, *KNOWN_PATTERNS, "multiple")
# Names a pattern must not have, because they say something else about a group.
TAKEN_NAMES = (*COUNTED, "multiple", "civilian", "military", "supreme")

Ends = tuple[int, ...]


@dataclass(frozen=True)
class Rules:
    """A rule record: which triples are valid. Pairs are the same under all rules."""

    id: str
    fourteen_threshold: int
    multiples_of: frozenset[int]
    combinations: frozenset[str]
    patterns: tuple[tuple[str, Ends], ...]

    def names(self, group: Group) -> tuple[str, ...]:
        """Return all names a group has under these rules, in the fixed order; none if invalid."""
        if len(group) == 2:
            return pair_names(group)
        found = self._triple_names(group)
        order = dict.fromkeys((*NAME_ORDER, *(name for name, _ in self.patterns)))
        return tuple(name for name in order if name in found)

    def _triple_names(self, triple: Group) -> set[str]:
        """Return the names of a triple by its six ends."""
        ends = sorted(int(pip) for tile in triple for pip in tile)
        total = sum(ends)
        three = [pip for pip in set(ends) if ends.count(pip) == 3]
        four = [pip for pip in set(ends) if ends.count(pip) == 4]
        others = [total - 3 * pip for pip in three]
        counted = {
            "five-points": 5 in others,
            "full-fourteen": any(rest >= self.fourteen_threshold for rest in others),
            "split": len(three) == 2,
            "coincidence": any(total - 4 * pip == pip for pip in four),
            "five-sons": any(ends.count(pip) == 5 for pip in ends),
        }
        found = {name for name in self.combinations if counted[name]}
        found |= {name for name, pattern in self.patterns if pattern == tuple(ends)}
        if any((total - 3 * pip) % pip == 0 for pip in self.multiples_of.intersection(three)):
            found.add("multiple")
        return found


def pair_names(pair: Group) -> tuple[str, ...]:
    """Return the name of a valid pair, or nothing."""
    first, second = pair
    if first == second and first in CIVILIAN:
        return ("civilian",)
    if pair == ("12", "24"):
        return ("supreme",)
    both_military = first in MILITARY and second in MILITARY
    if both_military and first != second and _pips(first) == _pips(second):
        return ("military",)
    return ()


def _pips(tile: Tile) -> int:
    return int(tile[0]) + int(tile[1])


REMEDIES = ("thirteen", "mixed-dragon", "multiple")


def preset(remedies: Iterable[str] = ()) -> Rules:
    """Return the classic rules changed by any of the three remedies."""
    chosen = [name for name in REMEDIES if name in set(remedies)]
    patterns: dict[str, Ends] = {
        "dragon": (1, 2, 3, 4, 5, 6),
        "small-dragon": (1, 1, 2, 2, 3, 3),
        "big-dragon": (4, 4, 5, 5, 6, 6),
        "two-three-kao": (2, 2, 3, 3, 6, 6),
    }
    if "mixed-dragon" in chosen:
        del patterns["two-three-kao"]
        patterns["mixed-dragon"] = (2, 3, 3, 4, 4, 5)
    return Rules(
        id="+".join(chosen) or "classic",
        fourteen_threshold=13 if "thirteen" in chosen else 14,
        multiples_of=frozenset({3, 4} if "multiple" in chosen else ()),
        combinations=frozenset(COUNTED),
        patterns=tuple(patterns.items()),
    )


def parse_rules(record: Any) -> Rules:
    """Read a rule record; raise BadResult if it is none, or has the id of a preset it is not."""
    _require(isinstance(record, Mapping), "the rules are no object")
    fields = ("id", "fourteen_threshold", "multiples_of", "combinations", "patterns")
    _require_exact_fields(record, fields, "the rules")
    rules = Rules(
        id=_text(record["id"], "the id of the rules"),
        fourteen_threshold=_whole(record["fourteen_threshold"], "fourteen_threshold", 1),
        multiples_of=frozenset(_pip_list(record["multiples_of"], "multiples_of")),
        combinations=frozenset(_combination_list(record["combinations"])),
        patterns=tuple(_pattern_items(record["patterns"])),
    )
    _require_honest_id(rules)
    return rules


def _pip_list(value: Any, what: str) -> list[int]:
    pips = [_whole(pip, f"a number in {what}", 1, 6) for pip in _items(value, what)]
    _require(len(set(pips)) == len(pips), f"{what} names a number twice")
    return pips


def _combination_list(value: Any) -> list[str]:
    names = [_text(name, "a name in combinations") for name in _items(value, "combinations")]
    for name in names:
        _require(name in COUNTED, f"combinations names {_show(name)}, which is unknown")
    _require(len(set(names)) == len(names), "combinations names one twice")
    return names


def _pattern_items(value: Any) -> Iterator[tuple[str, Ends]]:
    _require(isinstance(value, Mapping), "patterns is no object")
    for key, ends in value.items():
        name = _text(key, "the name of a pattern")
        what = f"the pattern {_show(name)}"
        _require(name not in TAKEN_NAMES, f"{what} has a name that means something else")
        pips = [_whole(pip, f"an end of {what}", 1, 6) for pip in _items(ends, what)]
        _require(len(pips) == 6, f"{what} does not have six ends")
        yield name, tuple(sorted(pips))


def _require_honest_id(rules: Rules) -> None:
    """Refuse a record that bears the id of a preset but is another."""
    words = rules.id.split("+")
    if not set(words) <= {"classic", *REMEDIES}:
        return
    meant = preset(words)
    _require(rules.id == meant.id, f"the rules {rules.id} are to be written {meant.id}")
    for field in ("fourteen_threshold", "multiples_of", "combinations"):
        _require(
            getattr(rules, field) == getattr(meant, field), f"the rules say {rules.id}, but {field} differs from it"
        )
    _require(dict(rules.patterns) == dict(meant.patterns), f"the rules say {rules.id}, but patterns differ from it")


# --- 3. Exchanges ---------------------------------------------------------------------------------


class Table:
    """Rules, with everything that is asked again and again kept."""

    def __init__(self, rules: Rules) -> None:
        """Prepare empty memories for these rules."""
        self.rules = rules
        self.names: Callable[[Group], tuple[str, ...]] = cache(rules.names)
        self.completions = cache(self._completions)
        self.openings = cache(self._openings)
        self.partners = cache(self._partners)
        # There are millions of twos of groups; in a long run, keeping them all is too much.
        self.exchanges: Callable[[Group, Group], frozenset[tuple[Group, Group]]] = lru_cache(maxsize=1 << 18)(
            self._exchanges
        )

    @cached_property
    def valid_groups(self) -> tuple[Group, ...]:
        """All valid groups."""
        return tuple(group for group in all_groups(FULL_DECK) if self.valid(group))

    def valid(self, group: Group) -> bool:
        """Tell whether a group is valid: it has at least one name."""
        return bool(self.names(group))

    def _completions(self, rest: Group) -> frozenset[Tile]:
        """Return the tiles that make a group one tile short valid."""
        return frozenset(tile for tile in KINDS if self.valid(make_group((*rest, tile))))

    def _openings(self, group: Group) -> tuple[tuple[Tile, Group, frozenset[Tile]], ...]:
        """Return (tile that leaves, tiles that stay, tiles that could come) where any could."""
        found = []
        for tile in sorted(set(group)):
            rest = minus(group, [tile])
            if self.completions(rest):
                found.append((tile, rest, self.completions(rest)))
        return tuple(found)

    def _exchanges(self, first: Group, second: Group) -> frozenset[tuple[Group, Group]]:
        """Return what one legal move can make of two groups that stand together, as sorted twos."""
        results = {*self._one_for_one(first, second), *self._whole_pair(first, second)}
        return frozenset(_both(*result) for result in results) - {_both(first, second)}

    def _one_for_one(self, first: Group, second: Group) -> Iterator[tuple[Group, Group]]:
        for leaving, rest, welcome in self.openings(first):
            for coming in welcome.intersection(second):
                other_rest = minus(second, [coming])
                if leaving in self.completions(other_rest):
                    yield make_group((*rest, coming)), make_group((*other_rest, leaving))

    def _whole_pair(self, first: Group, second: Group) -> Iterator[tuple[Group, Group]]:
        """Yield the exchanges of a whole pair for two tiles of a triple; its third tile stays."""
        pair, triple = sorted((first, second), key=len)
        if (len(pair), len(triple)) != (2, 3):
            return
        for staying in self.completions(pair).intersection(triple):
            new_pair = minus(triple, [staying])
            if self.valid(new_pair):
                yield new_pair, make_group((*pair, staying))

    def _partners(self, group: Group) -> tuple[Group, ...]:
        """Return the valid groups that a group can exchange with."""
        return tuple(partner for partner in self.valid_groups if self.can_exchange(group, partner))

    def can_exchange(self, first: Group, second: Group) -> bool:
        """Tell whether two groups that stand together have any legal move between them."""
        return bool(self.exchanges(first, second))

    def lay(self, first: Group, second: Group, out: tuple[Group, Group]) -> tuple[Group, Group]:
        """Return the two groups after this exchange; raise BadResult, saying why, if illegal."""
        for group, tiles in zip((first, second), out, strict=True):
            _require(fits(tiles, Counter(group)), f"{group_text(group)} does not hold {group_text(tiles)}")
        size = len(out[0])
        _require(size == len(out[1]) and size in (1, 2), "tiles go one for one, or two for two")
        sizes = {len(first), len(second)}
        _require(size == 1 or sizes == {2, 3}, "two tiles for two need a pair and a triple")
        after = (make_group((*minus(first, out[0]), *out[1])), make_group((*minus(second, out[1]), *out[0])))
        for group in after:
            _require(self.valid(group), f"{group_text(group)} would be invalid")
        _require(_both(*after) != _both(first, second), "the exchange changes nothing")
        return after


def _both(first: Group, second: Group) -> tuple[Group, Group]:
    """Two groups without saying which is which."""
    return (first, second) if first <= second else (second, first)


@lru_cache(maxsize=8)
def table_for(rules: Rules) -> Table:
    """Return the table of these rules, the same one when asked again."""
    return Table(rules)


# --- 4. Goals -------------------------------------------------------------------------------------

# The goals of each layout; any one of the valid pairs is a goal of layout ten, too.
GOALS = {
    "ten": ("any", "five-dragons", "generals"),
    "shanghai": ("any", "shanghai"),
    "eight": ("any", "eight-civil", "eight-military", "eight"),
}

INGOTS = (("16", "16", "36"), ("15", "15", "35"))
TOP_CIVILIAN_PAIRS = (("66", "66"), ("11", "11"), ("44", "44"), ("13", "13"))
MILITARY_PAIRS = (("36", "45"), ("26", "35"), ("25", "34"), ("14", "23"))


def parse_goal(value: Any, layout: str) -> str:
    """Return the id of a goal of this layout; raise BadResult if it is none, or not written as ids are."""
    _require(isinstance(value, str), f"the goal {_show(value)} is unknown")
    goal = str(value)
    if goal.startswith("pair:"):
        pair = parse_group(goal.removeprefix("pair:"))
        _require(len(pair) == 2 and bool(pair_names(pair)), f"the goal {_show(goal)} names no valid pair")
        written = f"pair:{group_text(pair)}"
        _require(goal == written, f"the goal {_show(goal)} is to be written {written}")
        homes = ["ten"]
    else:
        homes = [home for home, goals in GOALS.items() if goal in goals]
    _require(bool(homes), f"the goal {_show(goal)} is unknown")
    _require(layout in homes, f"the goal {goal} belongs to the layout {homes[0]}, not {layout}")
    return goal


def goal_reached(groups: Collection[Group], goal: str, table: Table) -> bool:
    """Tell whether groups, all there are of some layout, are valid and as a goal of this layout asks.

    What a goal asks for is told by tiles and ends, not by names: rules may lack a combination that
    a goal needs, and then it is never reached, as the groups in question are invalid.
    """
    return all(table.valid(group) for group in groups) and _as_asked(goal, groups)


@dataclass(frozen=True)
class Wish:
    """One way to reach a goal: these groups, and of all others so many of each sort, none being of two sorts."""

    groups: tuple[Group, ...]
    others: tuple[tuple[Callable[[Group], bool], int], ...]


@cache
def wishes(goal: str) -> tuple[Wish, ...]:
    """Return the ways to reach a goal other than any final position."""
    if goal.startswith("pair:"):
        return (Wish((parse_group(goal.removeprefix("pair:")),), ((_is_triple, 10),)),)
    if goal == "five-dragons":
        return (Wish((("22", "22"),), ((_is_dragon, 5), (_is_five_sons, 5))),)
    if goal == "generals":
        return (Wish((("13", "13"),), ((_is_harmony, 10),)),)
    if goal == "shanghai":
        return (Wish(INGOTS, ((_is_dragon, 4), (_is_small_dragon, 2), (_is_big_dragon, 2))),)
    if goal == "eight-civil":
        return (Wish(TOP_CIVILIAN_PAIRS, ((_is_triple, 8),)),)
    if goal == "eight-military":
        return (Wish(MILITARY_PAIRS, ((_is_triple, 8),)),)
    _require(goal == "eight", f"the goal {_show(goal)} is unknown")
    return (*wishes("eight-civil"), *wishes("eight-military"))


def _as_asked(goal: str, groups: Collection[Group]) -> bool:
    return goal == "any" or any(_granted(wish, groups) for wish in wishes(goal))


def _granted(wish: Wish, groups: Collection[Group]) -> bool:
    return all(group in groups for group in wish.groups) and all(
        sum(map(wanted, groups)) == number for wanted, number in wish.others
    )


def _ends(group: Group) -> str:
    """Write the ends of the tiles of a group, the smallest first."""
    return "".join(sorted("".join(group)))


def _is_triple(group: Group) -> bool:
    return len(group) == 3


def _is_dragon(group: Group) -> bool:
    return _ends(group) == "123456"


def _is_small_dragon(group: Group) -> bool:
    return _ends(group) == "112233"


def _is_big_dragon(group: Group) -> bool:
    return _ends(group) == "445566"


def _is_five_sons(group: Group) -> bool:
    return len(group) == 3 and max(Counter(_ends(group)).values()) == 5


def _is_harmony(group: Group) -> bool:
    """Two equal civilian tiles and a military one."""
    civilian = [tile for tile in group if tile in CIVILIAN]
    return len(group) == 3 and len(civilian) == 2 and len(set(civilian)) == 1


# --- 5. The repair bound and the arguments for a loss ---------------------------------------------
#
# All of these rest on one fact: every move leaves two valid groups, so an invalid group stays as it
# was dealt until the one move that repairs it, and is never invalid again.
#
# A position of any goal is a final one. So an argument that no final position can be reached, or
# not in fewer moves, holds for every goal.


class Dealt:
    """A deal under some rules, played for a goal: what every argument about it starts from."""

    def __init__(self, groups: Deal, table: Table, goal: str = "any") -> None:
        """Find the invalid groups of the deal."""
        self.groups = groups
        self.table = table
        self.goal = goal
        self.invalid: Places = frozenset(place for place, group in enumerate(groups) if not table.valid(group))

    def others(self, places: Collection[int]) -> list[Group]:
        """Return the dealt groups at all places but these."""
        return [group for place, group in enumerate(self.groups) if place not in places]

    def outside(self, places: Collection[int]) -> Counter[Tile]:
        """Count the tiles of the dealt groups at all places but these."""
        return Counter(chain.from_iterable(self.others(places)))

    def edges(self, place: int) -> Places:
        """Return the dealt invalid groups that this one can exchange with as dealt."""
        group = self.groups[place]
        others = self.invalid - {place}
        return frozenset(other for other in others if self.table.can_exchange(group, self.groups[other]))

    def valid_partners(self, place: int, stock: Counter[Tile]) -> list[Group]:
        """Return the valid groups made of the stock that this dealt group can exchange with."""
        group = self.groups[place]
        return [partner for partner in self.table.partners(group) if fits(partner, stock)]

    def text(self, place: int) -> str:
        """Name a dealt group in a sentence."""
        return f"group {place} ({group_text(self.groups[place])})"


class RepairOrder:
    """In which orders the dealt invalid groups could be repaired, if that were all there is to it.

    A constrained group needs a partner for its repair: another unrepaired group it has an edge to,
    or a valid group made of tiles that do not lie in unrepaired constrained groups. A group that is
    not constrained may be repaired at any time. The game allows no more than that, so what is
    impossible here is impossible in the game, and the fewest steps here are no more than the fewest
    moves there.
    """

    def __init__(self, dealt: Dealt, constrained: Places, *, edges: bool = True) -> None:
        """Collect, once, the possible partners of each invalid group; without `edges` only valid ones."""
        self._dealt = dealt
        self._constrained = constrained
        self._edges = {place: dealt.edges(place) if edges else frozenset() for place in dealt.invalid}
        self._partners = {
            place: [_group_bits(partner) for partner in dealt.valid_partners(place, dealt.outside([place]))]
            for place in constrained
        }
        self._fewest: dict[Places, float] = {frozenset(): 0}

    def fewest_steps(self, unrepaired: Places) -> float:
        """Return the fewest steps that repair all these groups; infinity if no steps do."""
        if unrepaired not in self._fewest:
            after = [self.fewest_steps(rest) for rest in self._steps(unrepaired)]
            self._fewest[unrepaired] = 1 + min(after, default=math.inf)
        return self._fewest[unrepaired]

    def _steps(self, unrepaired: Places) -> Iterator[Places]:
        """Yield what each possible next step leaves unrepaired."""
        stock = _stock_bits(self._dealt.outside(unrepaired & self._constrained))
        for place in unrepaired:
            if place not in self._constrained or self._has_partner(place, stock):
                yield unrepaired - {place}
            for other in self._edges[place] & unrepaired:
                yield unrepaired - {place, other}

    def _has_partner(self, place: int, stock: int) -> bool:
        return any(partner & stock == partner for partner in self._partners[place])


def repair_bound(dealt: Dealt) -> float:
    """Return the fewest moves the repairs alone could take; infinity proves a loss."""
    return RepairOrder(dealt, dealt.invalid).fewest_steps(dealt.invalid)


def _check_dead_group(dealt: Dealt, place: int) -> None:
    """No group at all, valid or not, can exchange with this one."""
    group = dealt.groups[place]
    for partner in all_groups(dealt.outside([place])):
        if dealt.table.can_exchange(group, partner):
            raise BadResult(f"{dealt.text(place)} is not dead: it can exchange with {group_text(partner)}")


def _check_frozen_set(dealt: Dealt, frozen: Places) -> None:
    """None of these groups can be the first of them to be repaired."""
    _require_no_edges(dealt, frozen)
    stock = dealt.outside(frozen)
    for place in sorted(frozen):
        for partner in dealt.valid_partners(place, stock):
            raise BadResult(f"{dealt.text(place)} has the valid partner {group_text(partner)}")


def _check_repair_order(dealt: Dealt, constrained: Places) -> None:
    """There is no order in which all invalid groups could be repaired."""
    steps = RepairOrder(dealt, constrained).fewest_steps(dealt.invalid)
    _require(steps == math.inf, f"all invalid groups could be repaired, the fewest steps being {steps}")


def _check_relaxed_closure(dealt: Dealt, frozen: Places, claimed: frozenset[Group]) -> None:
    """While these groups wait, no group that could save the first of them ever appears.

    The invalid groups in the closure are dealt ones, as every exchange makes valid ones only.
    """
    _require_no_edges(dealt, frozen)
    collected = relaxed_closure(dealt, frozen)
    for group in sorted(claimed - collected):
        raise BadResult(f"the closure lists {group_text(group)}, which is never collected")
    for group in sorted(collected - claimed):
        raise BadResult(f"the closure lacks {group_text(group)}")
    for place in sorted(frozen):
        for partner in sorted(filter(dealt.table.valid, collected)):
            if dealt.table.can_exchange(dealt.groups[place], partner):
                raise BadResult(f"{dealt.text(place)} can exchange with {group_text(partner)} of the closure")


def _require_no_edges(dealt: Dealt, frozen: Places) -> None:
    """No other dealt invalid group can exchange with one of these as dealt."""
    for place in sorted(frozen):
        for other in sorted(dealt.edges(place)):
            raise BadResult(f"{dealt.text(place)} can exchange with {dealt.text(other)} as dealt")


def relaxed_closure(dealt: Dealt, frozen: Places) -> frozenset[Group]:
    """Collect every group that could appear while the groups at the frozen places stay as dealt.

    From the other dealt groups on, both results of every exchange between two collected groups are
    added if the two fit together on the tiles outside. Whether the rest of the tiles could then be
    laid in groups at all is not asked, so more may be collected than can really appear, never less.
    """
    stock = dealt.outside(frozen)
    waiting = set(dealt.others(frozen))
    collected: set[Group] = set()
    while waiting:
        group = waiting.pop()
        collected.add(group)
        for other in collected:
            results = dealt.table.exchanges(group, other)
            if results and fits(group + other, stock):
                waiting.update(new for both in results for new in both if new not in collected)
    return frozenset(collected)


class Layer:
    """What can appear while exactly some chosen groups remain as dealt, and what can stand beside what.

    Groups are numbers, sets of them bits: bit n stands for the group of the number n. `beside[n]`
    is the set of what can stand beside the group n, itself included if two such groups can be there.
    """

    def __init__(self, numbers: int, stock: Counter[Tile]) -> None:
        """Begin with nothing, made of a stock: all tiles but those of the groups that remain."""
        self.members = 0
        self.beside = [0] * numbers
        self.stock = stock
        # For two groups, which third ones fit into the stock with them.
        self.thirds: dict[tuple[int, int], int] = {}

    def put(self, x: int, y: int, others: int) -> None:
        """Let x and y stand beside each other, and all these others beside both."""
        both = 1 << x | 1 << y
        self.members |= both | others
        self.beside[x] |= others | 1 << y
        self.beside[y] |= others | 1 << x
        for other in _members(others):
            self.beside[other] |= both

    def counts(self) -> tuple[int, int]:
        """Return how many groups can appear, and how many twos of them can stand beside each other."""
        alike = sum(row >> number & 1 for number, row in enumerate(self.beside))
        return self.members.bit_count(), (sum(row.bit_count() for row in self.beside) + alike) // 2


class LayeredClosure:
    """What can appear for each set of a few chosen invalid groups, while exactly these remain as dealt.

    Such a set is a layer. At first all chosen groups remain, and the other dealt groups stand beside
    each other. Where two groups do and can exchange, the layer gets what they make: these two stand
    beside each other, and beside every third group that stands beside both of the two, if the three
    fit together on the tiles that the remaining groups leave. An exchange that repairs a remaining
    group leads to the layer without it, with all that stood beside its partner; two of them still
    stand beside each other if they do in the layer left and fit there together with the partner.
    As only three groups are looked at, more may stand beside each other than really can, never less.

    So if no way leads to the layer in which none remains, the chosen groups are never all repaired.
    If one does, that layer tells what can be there when they are.
    """

    def __init__(self, dealt: Dealt, chosen: Places, onward: bool = False) -> None:
        """Follow all layers; raise BadResult if all chosen groups might be repaired, unless `onward` asks for that."""
        self._dealt = dealt
        self._chosen = chosen
        self._onward = onward
        # Valid groups are followed by what they are; an invalid one is a dealt one, and followed by where it lies.
        self._groups = [*dealt.table.valid_groups, *(dealt.groups[place] for place in sorted(dealt.invalid - chosen))]
        self._results: Callable[[int, int], list[tuple[int, int]]] = cache(self._find_results)
        self._valid = {group: number for number, group in enumerate(dealt.table.valid_groups)}
        self._holders = [self._holding(1 << bit) for bit in range(2 * len(KINDS))]
        self.layers: dict[Places, Layer] = {}
        self._begin()
        for remaining in _downwards(chosen):
            if remaining in self.layers:
                self._grow(self.layers[remaining])
                self._leave_by_one(remaining)
                self._leave_by_two(remaining)
        if Places() in self.layers:
            self._grow(self.layers[Places()])

    def stand(self, remaining: Places, groups: Iterable[Group]) -> bool:
        """Tell whether each two of some valid groups can stand beside each other while just some groups remain."""
        layer = self.layers.get(remaining)
        pairs = combinations([self._valid[group] for group in groups], 2)
        return all(layer is not None and layer.beside[one] >> other & 1 for one, other in pairs)

    def in_the_end(self, group: Group) -> bool:
        """Tell whether a valid group can stand beside others once no chosen group remains."""
        layer = self.layers.get(Places())
        return layer is not None and layer.beside[self._valid[group]] != 0

    def _holding(self, bit: int) -> int:
        """Return which groups hold the tile that a bit of a stock stands for."""
        return sum(1 << number for number, group in enumerate(self._groups) if _group_bits(group) & bit)

    def _begin(self) -> None:
        """Let all other dealt groups stand beside each other in the layer of all chosen ones."""
        top = self._layer(self._chosen)
        invalid = sorted(self._dealt.invalid - self._chosen)
        numbers = [len(self._valid) + index for index in range(len(invalid))]
        numbers += [self._valid[group] for group in self._dealt.groups if group in self._valid]
        top.members = sum(1 << number for number in set(numbers))
        for one, other in combinations(numbers, 2):
            top.put(one, other, 0)

    def _layer(self, remaining: Places) -> Layer:
        """Return the layer in which just these groups remain, a new one if it was not reached before."""
        if remaining not in self.layers:
            self.layers[remaining] = Layer(len(self._groups), self._dealt.outside(remaining))
        return self.layers[remaining]

    def _find_results(self, one: int, other: int) -> list[tuple[int, int]]:
        return self._exchange(self._groups[one], self._groups[other])

    def _exchange(self, first: Group, second: Group) -> list[tuple[int, int]]:
        return [(self._valid[x], self._valid[y]) for x, y in self._dealt.table.exchanges(first, second)]

    def _thirds(self, one: int, other: int, layer: Layer) -> int:
        """Return which groups fit into the stock of a layer together with these two."""
        if (one, other) not in layer.thirds:
            room = _stock_bits(layer.stock - Counter(self._groups[one] + self._groups[other]))
            fitting = (1 << len(self._groups)) - 1
            for bit, holders in enumerate(self._holders):
                if not room >> bit & 1:
                    fitting &= ~holders
            layer.thirds[one, other] = fitting
        return layer.thirds[one, other]

    def _grow(self, layer: Layer) -> None:
        """Lay the exchanges between groups that stand beside each other, until they bring nothing new."""
        beside = layer.beside
        exchanges: list[tuple[int, int, int, int]] = []
        looked_at = [0] * len(beside)
        before: list[int] = []
        while beside != before:
            before = list(beside)
            for one, row in enumerate(before):
                for other in _members(row & ~looked_at[one] & ((2 << one) - 1)):
                    exchanges += [(one, other, x, y) for x, y in self._results(one, other)]
                looked_at[one] = row
            for one, other, x, y in exchanges:
                news = beside[one] & beside[other] & ~(beside[x] & beside[y])
                if news:
                    news &= self._thirds(one, other, layer)
                if news or not beside[x] >> y & 1:
                    layer.put(x, y, news)

    def _leave_by_one(self, remaining: Places) -> None:
        """Repair each remaining group with each possible partner."""
        layer = self.layers[remaining]
        for place in sorted(remaining):
            left = remaining - {place}
            for partner in _members(layer.members):
                results = self._exchange(self._dealt.groups[place], self._groups[partner])
                if results and not left and not self._onward:
                    partner_text = group_text(self._groups[partner])
                    raise BadResult(f"{self._dealt.text(place)} can exchange with {partner_text} once it alone remains")
                if results:
                    self._carry(layer, partner, results, self._layer(left))

    def _carry(self, layer: Layer, partner: int, results: list[tuple[int, int]], below: Layer) -> None:
        """Let go on what stood beside the partner, beside what was made of it."""
        near = layer.beside[partner]
        for x, y in results:
            below.put(x, y, near)
        for one in _members(near):
            below.beside[one] |= layer.beside[one] & near & self._thirds(partner, one, layer)

    def _leave_by_two(self, remaining: Places) -> None:
        """Repair each two remaining groups that can exchange as dealt; everything else goes on."""
        layer = self.layers[remaining]
        for one, other in combinations(sorted(remaining), 2):
            results = self._exchange(self._dealt.groups[one], self._dealt.groups[other])
            left = remaining - {one, other}
            if results and not left and not self._onward:
                both = f"{self._dealt.text(one)} and {self._dealt.text(other)}"
                raise BadResult(f"{both} can exchange with each other once they alone remain")
            for x, y in results:
                self._layer(left).put(x, y, layer.members)
                for number, row in enumerate(layer.beside):
                    self._layer(left).beside[number] |= row


def _downwards(chosen: Places) -> list[Places]:
    """Return all sets of some of these places but the empty one, each after all that hold it.

    The order is that of numbers whose lowest bit stands for the lowest place, the highest number first.
    """
    places = sorted(chosen)
    numbers = range(2 ** len(places) - 1, 0, -1)
    return [frozenset(place for bit, place in enumerate(places) if number >> bit & 1) for number in numbers]


def _check_layered_closure(dealt: Dealt, chosen: Places, claimed: dict[Places, tuple[int, int]]) -> None:
    """No order of repairing these groups works out, and what can appear meanwhile is told truly."""
    reached = LayeredClosure(dealt, chosen).layers
    for remaining in claimed:
        _require(remaining in reached, f"{_layer_text(remaining)} is listed, but never reached")
    for remaining in reached:
        _require(remaining in claimed, f"{_layer_text(remaining)} is reached, but not listed")
    for remaining, layer in reached.items():
        for what, count, told in zip(("groups", "pairs"), layer.counts(), claimed[remaining], strict=True):
            _require(count == told, f"{_layer_text(remaining)} has {count:,} {what}, not {told:,}")
    downwards = [remaining for remaining in _downwards(chosen) if remaining in claimed]
    _require(list(claimed) == downwards, "the layers are not in their order")


def _layer_text(remaining: Places) -> str:
    """Name a layer in a sentence."""
    places = ", ".join(map(str, sorted(remaining)))
    return f"the layer of {'group' if len(remaining) == 1 else 'groups'} {places}"


def _members(numbers: int) -> Iterator[int]:
    """Yield the numbers whose bits are set."""
    while numbers:
        lowest = numbers & -numbers
        yield lowest.bit_length() - 1
        numbers ^= lowest


# --- 6. Exhaustion --------------------------------------------------------------------------------

Position = tuple[int, ...]


class Search:
    """Plain breadth-first searches over live positions.

    Groups are numbered as they turn up, and a position is the sorted tuple of its groups' numbers,
    so that places do not matter. A position is live if `RepairOrder` still finds a way to repair
    all of its invalid groups; no position that is not live leads to a final one, and so none leads
    to one of the goal. Nothing else is left out: a final position that is not one of the goal is
    live, and is gone on from like any other.
    """

    def __init__(self, dealt: Dealt) -> None:
        """Number the dealt groups."""
        self._dealt = dealt
        self._numbers = Numbering()
        self._start = tuple(sorted(self._numbers.of(group) for group in dealt.groups))
        self._invalid = frozenset(self._numbers.of(dealt.groups[place]) for place in dealt.invalid)
        self._results: Callable[[int, int], list[tuple[int, int]]] = cache(self._find_results)
        self._bound_of = self._bounds_by(RepairOrder(dealt, dealt.invalid))
        self._bound_alone_of = self._bounds_by(RepairOrder(dealt, dealt.invalid, edges=False))

    def walk(self, most_moves: float = math.inf) -> Iterator[bool]:
        """Yield, for every live position reached, whether it is one of the goal; the deal first.

        Positions from which no final one can be within `most_moves` of the deal are left out.
        """
        seen: set[Position] = set()
        moves_left = most_moves
        candidates: Iterable[Position] = [self._start]
        while candidates:
            level = []
            for position in candidates:
                # An infinite bound is not below infinity plus one, so it never passes.
                if position not in seen and self._bound(position) < moves_left + 1:
                    seen.add(position)
                    level.append(position)
                    yield self._won(position)
            candidates = chain.from_iterable(map(self._following, level)) if level else ()
            moves_left -= 1

    def walk_edges_first(self) -> Iterator[bool]:
        """Yield, for every position that an exhaustion must look at, whether it is one of the goal; the deal first.

        An exchange along an edge touches nothing that any move before it touches, so it can be moved
        to the front of a solution, which still ends in the same position, whatever the goal. It is
        enough to follow edges from the deal, and all other moves from every position so reached; and
        once another move is made, a position is live only if its groups can be repaired without edges.
        """
        reached = [(self._start, True)] if self._bound(self._start) < math.inf else []
        seen = {self._start}
        for position, only_edges in reached:
            yield self._won(position)
            for edges in (True, False) if only_edges else (False,):
                bound = self._bound if edges else self._bound_alone
                for after in self._following(position, edges):
                    if after not in seen and bound(after) < math.inf:
                        seen.add(after)
                        reached.append((after, edges))

    def _following(self, position: Position, edges: bool | None = None) -> Iterator[Position]:
        """Yield what every legal move makes of a position: only those along edges, or only the others."""
        for first, second in combinations(position, 2):
            if edges is not None and edges != (first in self._invalid and second in self._invalid):
                continue
            for result in self._results(first, second):
                groups = list(position)
                groups.remove(first)
                groups.remove(second)
                groups.extend(result)
                groups.sort()
                yield tuple(groups)

    def _find_results(self, first: int, second: int) -> list[tuple[int, int]]:
        known = self._numbers.groups
        results = self._dealt.table.exchanges(known[first], known[second])
        return [(self._numbers.of(one), self._numbers.of(other)) for one, other in results]

    def _won(self, position: Position) -> bool:
        if self._unrepaired(position):
            return False
        groups = [self._numbers.groups[number] for number in position]
        return goal_reached(groups, self._dealt.goal, self._dealt.table)

    def _bound(self, position: Position) -> float:
        return self._bound_of(self._unrepaired(position))

    def _bound_alone(self, position: Position) -> float:
        return self._bound_alone_of(self._unrepaired(position))

    def _unrepaired(self, position: Position) -> Position:
        return tuple([number for number in position if number in self._invalid])

    def _bounds_by(self, order: RepairOrder) -> Callable[[Position], float]:
        return cache(lambda unrepaired: order.fewest_steps(self._places(unrepaired)))

    def _places(self, unrepaired: Position) -> Places:
        """Return the dealt places of the invalid groups of a position."""
        places: set[int] = set()
        for number in unrepaired:
            group = self._numbers.groups[number]
            # Two places can hold equal groups; then it does not matter which of them is meant.
            equal = (p for p in self._dealt.invalid - places if self._dealt.groups[p] == group)
            places.add(next(equal))
        return frozenset(places)


def _check_exhaustion(dealt: Dealt, claimed: int) -> None:
    """Exactly so many live positions can be reached with edges first, and none of them is one of the goal."""
    reached = 0
    wanted = "a final position" if dealt.goal == "any" else f"a position of the goal {dealt.goal}"
    for won in Search(dealt).walk_edges_first():
        _require(not won, f"{wanted} can be reached")
        reached += 1
        _require(reached <= claimed, f"more than {claimed:,} positions can be reached")
    _require(reached == claimed, f"{reached:,} positions can be reached, not {claimed:,}")


def _check_none_shorter(dealt: Dealt, length: int, most: float = math.inf) -> bool:
    """No position of the goal can be reached in fewer moves; False if that takes more than `most` positions."""
    for number, won in enumerate(Search(dealt).walk(most_moves=length - 1)):
        if number >= most:
            return False
        _require(not won, f"there is a solution of fewer than {length} moves")
    return True


# --- 7. Replaying moves ---------------------------------------------------------------------------


def _replay(moves: list[Any], dealt: Dealt) -> None:
    """Lay every move of a solution, comparing all that is said about it; the end must reach the goal."""
    groups = list(dealt.groups)
    for number, move in enumerate(moves):
        try:
            _replay_move(move, groups, dealt.table)
        except BadResult as problem:
            raise BadResult(f"move {number}: {problem}") from None
    for place, group in enumerate(groups):
        _require(dealt.table.valid(group), f"after the last move group {place} ({group_text(group)}) is invalid")
    missed = f"after the last move all groups are valid, but the goal {dealt.goal} is not reached"
    _require(goal_reached(groups, dealt.goal, dealt.table), missed)


def _replay_move(move: Any, groups: list[Group], table: Table) -> None:
    """Lay one move on the groups; raise BadResult if it is not legal or not as described."""
    _require(isinstance(move, Mapping), "it is no object")
    _require_fields(move, ("groups", "out", "before", "after", "names"), "it")
    places = _places(move["groups"], len(groups), "groups")
    _require(len(places) == 2, "groups is not two places")
    one, other = places
    before = groups[one], groups[other]
    _require(_two_groups(move["before"], "before") == before, f"before is not {_two_texts(before)}")
    after = table.lay(*before, _two_groups(move["out"], "out"))
    _require(_two_groups(move["after"], "after") == after, f"after is not {_two_texts(after)}")
    names = [list(table.names(group)) for group in after]
    _require(move["names"] == names, f"names is not {names}")
    groups[one], groups[other] = after


def _two_groups(value: Any, what: str) -> tuple[Group, Group]:
    """Read two lists of tiles."""
    lists = _items(value, what)
    _require(len(lists) == 2, f"{what} is not two lists of tiles")
    first, second = (make_group(_tile(tile, what) for tile in _items(tiles, what)) for tiles in lists)
    return first, second


def _tile(value: Any, what: str) -> Tile:
    tile = _text(value, f"a tile in {what}")
    _require(tile in KINDS, f"{what} names {_show(tile)}, which is no tile written smaller pip first")
    return tile


def _two_texts(groups: tuple[Group, Group]) -> str:
    return " and ".join(group_text(group) for group in groups)


# --- 8. Whole proofs of a loss --------------------------------------------------------------------

LOSS_FIELDS = {
    "dead-group": ("group",),
    "frozen-set": ("groups",),
    "repair-order": ("groups",),
    "relaxed-closure": ("groups", "closure"),
    "layered-closure": ("groups", "layers"),
    "exhaustion": ("positions",),
}
PROOF_FIELDS = {**LOSS_FIELDS, "bond": ("locks", "cases")}
WAY_FIELDS = {**LOSS_FIELDS, "lack": ("lock", "groups")}


def _kind(proof: Any, fields: Mapping[str, tuple[str, ...]]) -> str:
    """Read of what kind a proof is, given the fields of each kind; it must have these and no others."""
    _require(isinstance(proof, Mapping) and "kind" in proof, "a loss needs a proof with its kind")
    kind = _text(proof["kind"], "the kind of the proof")
    _require(kind in fields, f"a proof of the kind {_show(kind)} is unknown here")
    _require_exact_fields(proof, ("kind", *fields[kind]), "the proof")
    return kind


# Of how many positions each sort of search is left unconfirmed.
Unconfirmed = Counter[str]


def _check_in_game(proof: Any, dealt: Dealt, full: bool) -> Unconfirmed:
    """A proof of any kind but bond holds; return what is left unconfirmed."""
    if _kind(proof, LOSS_FIELDS) != "exhaustion":
        _check_argument(proof, dealt)
        return Unconfirmed()
    positions = _whole(proof["positions"], "positions")
    if positions > SMALL_EXHAUSTION and not full:
        return Unconfirmed({"exhaustion": positions})
    _check_exhaustion(dealt, positions)
    return Unconfirmed()


def _check_argument(proof: Mapping[str, Any], dealt: Dealt) -> None:
    """A proof of any kind but exhaustion holds."""
    kind = proof["kind"]
    places = _invalid_places([proof["group"]] if "group" in proof else proof["groups"], dealt)
    if kind == "dead-group":
        _check_dead_group(dealt, *places)
    elif kind == "frozen-set":
        _check_frozen_set(dealt, places)
    elif kind == "repair-order":
        _check_repair_order(dealt, places)
    elif kind == "relaxed-closure":
        _check_relaxed_closure(dealt, places, _closure(proof["closure"]))
    elif kind == "layered-closure":
        most = f"the proof names {len(places)} groups, more than {MOST_LAYERED}"
        _require(len(places) <= MOST_LAYERED, most)
        _require(proof["groups"] == sorted(places), "the groups of the proof are not in ascending order")
        _check_layered_closure(dealt, places, _layers(proof["layers"], places, dealt))


def _invalid_places(value: Any, dealt: Dealt) -> Places:
    """Read the places a proof names: at least one, all of them of dealt invalid groups."""
    places = _places(value, len(dealt.groups), "the proof")
    _require(bool(places), "the proof names no group")
    for place in places:
        _require(place in dealt.invalid, f"the proof names {dealt.text(place)}, which is valid as dealt")
    return frozenset(places)


def _closure(value: Any) -> frozenset[Group]:
    """Read the groups of a closure; none may be there twice."""
    groups = [parse_group(_text(text, "a group of the closure")) for text in _items(value, "closure")]
    _require(len(set(groups)) == len(groups), "the closure lists a group twice")
    return frozenset(groups)


def _layers(value: Any, chosen: Places, dealt: Dealt) -> dict[Places, tuple[int, int]]:
    """Read which groups remain in each layer, and how many groups and pairs it has."""
    layers: dict[Places, tuple[int, int]] = {}
    for layer in _items(value, "layers"):
        _require(isinstance(layer, Mapping), "a layer is no object")
        _require_exact_fields(layer, ("remaining", "groups", "pairs"), "a layer")
        places = _places(layer["remaining"], len(dealt.groups), "a layer")
        remaining = frozenset(places)
        _require(bool(places), "a layer names no group")
        _require(places == sorted(places), "the groups of a layer are not in ascending order")
        for place in places:
            _require(place in chosen, f"a layer names {dealt.text(place)}, which the proof does not")
        _require(remaining not in layers, f"{_layer_text(remaining)} is listed twice")
        what = _layer_text(remaining)
        layers[remaining] = (
            _whole(layer["groups"], f"the number of groups in {what}"),
            _whole(layer["pairs"], f"the number of pairs in {what}"),
        )
    return layers


# --- 9. Locks -------------------------------------------------------------------------------------
#
# A lock is a set of valid groups of which at most one can be there at a time, and which no exchange
# between two valid groups brings in or takes away. So whether it is present, that is, whether a
# group of it is there, changes at repairs only. A lock is for good in a deal if no repair of a dealt
# invalid group, a breaker, takes it away either. Each end of a game has some locks present and the others absent:
#
# - If a lock that is for good is absent in the end, it never was present. So the solution is also one
#   of the game in which the groups of the lock are not valid; and there is none if one of them is
#   dealt.
# - If a lock is present in the end and no group of it is dealt, then some repair made the first one,
#   of groups that are not of the lock. One of the two was a dealt invalid group, a maker. So the
#   solution is also one of the game in which the maker is repaired only by making a group of the lock.
# - If a lock that is not for good is absent in the end, either it never was present, as above. Or it
#   went, for the last time, at the repair of a breaker, by an exchange with the group of the lock that
#   left none. A group is repaired once, so the solution is also one of the game in which this breaker is
#   repaired in no other way.
#
# One solution is all of these at once, so what is forbidden in these games may be forbidden together.
# Each of these games allows less than the real one, and every argument about a deal and the table of
# its exchanges holds in it as well, since there, too, moves leave valid groups and nothing else.


@dataclass(frozen=True)
class Only:
    """An invalid group that is repaired only by making a group of a lock or, as its breaker, by taking it away."""

    group: Group
    lock: frozenset[Group]
    breaks: bool = False

    def forbids(self, before: tuple[Group, Group], after: tuple[Group, Group]) -> bool:
        """Tell whether an exchange that makes two groups of two others is another repair of the group."""
        made = not self.lock.isdisjoint(after)
        as_meant = not made and not self.lock.isdisjoint(before) if self.breaks else made
        return self.group in before and not as_meant


class RestrictedTable(Table):
    """The table of a game in which some valid groups are not, and some invalid ones are repaired only as told."""

    def __init__(self, base: Table, excluded: frozenset[Group], only: frozenset[Only]) -> None:
        """Take from a table what the excluded groups and the ways of repair leave."""
        super().__init__(base.rules)
        self._base = base
        self._excluded = excluded
        self._only = only
        self.names = self._names
        # The exchanges of the base are kept already.
        self.exchanges = self._exchanges

    @cached_property
    def valid_groups(self) -> tuple[Group, ...]:
        """All valid groups that are not excluded."""
        return tuple(filter(self.valid, self._base.valid_groups))

    def _names(self, group: Group) -> tuple[str, ...]:
        return () if group in self._excluded else self._base.names(group)

    def _partners(self, group: Group) -> tuple[Group, ...]:
        """Return the valid groups that a group can exchange with."""
        partners = filter(self.valid, self._base.partners(group))
        return tuple(partner for partner in partners if self.can_exchange(group, partner))

    def _exchanges(self, first: Group, second: Group) -> frozenset[tuple[Group, Group]]:
        """Return what one move can make of two groups: nothing excluded, and nothing that is no way of repair."""
        before = (first, second)
        concerned = [only for only in self._only if only.group in before]
        return frozenset(
            result
            for result in self._base.exchanges(first, second)
            if self._excluded.isdisjoint(result) and not any(only.forbids(before, result) for only in concerned)
        )


@lru_cache(maxsize=32)
def restricted_table(base: Table, excluded: frozenset[Group], only: frozenset[Only]) -> RestrictedTable:
    """Return the table so restricted, the same one when asked again."""
    return RestrictedTable(base, excluded, only)


@lru_cache(maxsize=16)
def groups_of(layout: str, rules: Rules) -> tuple[Group, ...]:
    """Return the valid groups that a layout can have."""
    _, pairs, deck = LAYOUTS[layout]
    return tuple(group for group in table_for(rules).valid_groups if fits(group, deck) and (pairs or len(group) == 3))


def _stand_together(first: Group, second: Group, layout: str) -> bool:
    """Tell whether a layout has the tiles, and the pairs, for both of two groups."""
    _, pairs, deck = LAYOUTS[layout]
    return fits(first + second, deck) and (len(first) == 2) + (len(second) == 2) <= pairs


@lru_cache(maxsize=256)
def _require_lock(groups: frozenset[Group], layout: str, rules: Rules) -> None:
    """At most one of these groups can be there, and exchanges between valid groups leave their number alone.

    Those in which one of them takes part are enough, since any other that makes one can be undone.
    """
    table = table_for(rules)
    for group in sorted(groups):
        _require(group in groups_of(layout, rules), f"{group_text(group)} is no valid group of the layout {layout}")
    for both in combinations_with_replacement(sorted(groups), 2):
        _require(not _stand_together(*both, layout), f"{_two_texts(both)} could be there at the same time")
    for group in sorted(groups):
        for other in groups_of(layout, rules):
            if _stand_together(group, other, layout):
                _require_kept((group, other), groups, table)


def _require_kept(both: tuple[Group, Group], groups: frozenset[Group], table: Table) -> None:
    """No exchange between two groups changes how many of them are among these groups."""
    for result in sorted(table.exchanges(*both)):
        kept = _held(both, groups) == _held(result, groups)
        _require(kept, f"{_two_texts(both)} can become {_two_texts(result)}")


def _held(some: Iterable[Group], groups: frozenset[Group]) -> int:
    return sum(group in groups for group in some)


@lru_cache(maxsize=256)
def _makers(groups: frozenset[Group], layout: str, rules: Rules) -> frozenset[Group]:
    """Return the invalid groups that a move could make one of these groups of, beside a group that is none of them."""
    found: set[Group] = set()
    for made in groups:
        for other in groups_of(layout, rules):
            if _stand_together(made, other, layout):
                found.update(*(before for before in _befores(made, other) if groups.isdisjoint(before)))
    return frozenset(found).difference(groups_of(layout, rules))


def _befores(first: Group, second: Group) -> Iterator[tuple[Group, Group]]:
    """Yield all twos of groups, valid or not, that an exchange makes these two of."""
    for one in set(first):
        for other in set(second):
            yield make_group((*minus(first, [one]), other)), make_group((*minus(second, [other]), one))
    pair, triple = sorted((first, second), key=len)
    if (len(pair), len(triple)) == (2, 3):
        for staying in set(triple):
            yield minus(triple, [staying]), make_group((*pair, staying))


class Lock:
    """A lock, and what it means in a deal."""

    def __init__(self, name: str, groups: frozenset[Group], dealt: Dealt) -> None:
        """Find out what there is to know; raise BadResult if the groups are no lock."""
        self.name = name
        self.groups = groups
        layout, rules = layout_of(dealt.groups), dealt.table.rules
        _require_lock(groups, layout, rules)
        self.dealt = [place for place, group in enumerate(dealt.groups) if group in groups]
        possible = _makers(groups, layout, rules)
        self.makers = [place for place in sorted(dealt.invalid) if dealt.groups[place] in possible]
        self.breakers = [place for place in sorted(dealt.invalid) if self._is_broken_by(dealt.groups[place], dealt)]
        self.for_good = not self.breakers

    def _is_broken_by(self, breaker: Group, dealt: Dealt) -> bool:
        """Tell whether some exchange of an invalid group with one of the lock leaves none of it."""
        layout = layout_of(dealt.groups)
        return any(
            self.groups.isdisjoint(result)
            for group in self.groups
            if _stand_together(group, breaker, layout)
            for result in dealt.table.exchanges(group, breaker)
        )


@dataclass(frozen=True)
class Case:
    """Which of the locks, by their numbers, are present and absent in the end, and why that can't be."""

    present: list[int]
    absent: list[int]
    proof: Any


CASE_FIELDS = {
    "no-goal": (),
    "dealt": ("group",),
    "made": ("locks", "broken", "ways"),
    "behind": ("positions",),
    "layered-behind": ("positions",),
}


def _check_bond(proof: Mapping[str, Any], dealt: Dealt, full: bool) -> Unconfirmed:
    """No end of the goal is possible, whichever locks it has; return what is left unconfirmed."""
    _require(dealt.goal != "any", "a proof of the kind bond needs a goal other than any")
    locks = _locks(proof["locks"], dealt)
    cases = [_case(case, len(locks)) for case in _items(proof["cases"], "cases")]
    _require_all_ends(cases, locks)
    unconfirmed = Unconfirmed()
    for number, case in enumerate(cases):
        try:
            unconfirmed += _check_case(case, locks, dealt, full)
        except BadResult as problem:
            raise BadResult(f"case {number}: {problem}") from None
    return unconfirmed


def _locks(value: Any, dealt: Dealt) -> list[Lock]:
    """Read the locks; each must be one."""
    items = _items(value, "locks")
    _require(len(items) <= MOST_LOCKS, f"the proof names {len(items)} locks, more than {MOST_LOCKS}")
    return [_lock(item, dealt) for item in items]


def _lock(value: Any, dealt: Dealt) -> Lock:
    _require(isinstance(value, Mapping), "a lock is no object")
    _require_exact_fields(value, ("name", "groups"), "a lock")
    name = _text(value["name"], "the name of a lock")
    what = f"the lock {_show(name)}"
    texts = [_text(text, f"a group of {what}") for text in _items(value["groups"], f"groups of {what}")]
    groups = frozenset(map(parse_group, texts))
    _require(bool(texts), f"{what} has no group")
    _require(len(groups) == len(texts), f"{what} lists a group twice")
    try:
        return Lock(name, groups, dealt)
    except BadResult as problem:
        raise BadResult(f"{what} is none: {problem}") from None


def _case(value: Any, locks: int) -> Case:
    _require(isinstance(value, Mapping), "a case is no object")
    _require_exact_fields(value, ("present", "absent", "proof"), "a case")
    present, absent = (_ascending(value[field], locks, f"{field} locks") for field in ("present", "absent"))
    _require(set(present).isdisjoint(absent), "a case has a lock both present and absent")
    return Case(present, absent, value["proof"])


def _ascending(value: Any, locks: int, what: str) -> list[int]:
    """Read numbers of locks."""
    numbers = [_whole(number, f"a number in {what}", 0, locks - 1) for number in _items(value, what)]
    _require(numbers == sorted(set(numbers)), f"{what} are not in ascending order")
    return numbers


def _require_all_ends(cases: list[Case], locks: list[Lock]) -> None:
    """Whichever locks are present in the end, there is a case for it."""
    masks = {(_mask(case.present), _mask(case.absent)) for case in cases}
    for end in range(2 ** len(locks)):
        covered = any(present & ~end == 0 and absent & end == 0 for present, absent in masks)
        _require(covered, f"there is no case for an end with just these locks: {_names_of(_members(end), locks)}")


def _mask(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def _names_of(numbers: Iterable[int], locks: list[Lock]) -> str:
    return ", ".join(_show(locks[number].name) for number in numbers) or "none"


def _check_case(case: Case, locks: list[Lock], dealt: Dealt, full: bool) -> Unconfirmed:
    """The case is impossible; return what is left unconfirmed."""
    kind = _kind(case.proof, CASE_FIELDS)
    if kind == "no-goal":
        _check_no_goal(case, locks, dealt)
    elif kind == "dealt":
        _check_dealt(case, locks, dealt)
    elif kind == "made":
        return _check_made(case, locks, dealt, full)
    elif kind in ("behind", "layered-behind"):
        return _check_behind(case, locks, dealt, full)
    return Unconfirmed()


def _check_dealt(case: Case, locks: list[Lock], dealt: Dealt) -> None:
    """A group of an absent lock is dealt, and can't go away."""
    place = _whole(case.proof["group"], "the group of the proof", 0, len(dealt.groups) - 1)
    holding = [locks[number] for number in case.absent if place in locks[number].dealt]
    _require(bool(holding), f"{dealt.text(place)} is of no absent lock")
    good = any(lock.for_good for lock in holding)
    _require(good, f"the lock {', '.join(_show(lock.name) for lock in holding)} is not for good")


# The places of the makers and those of the breakers; None for a lock that never was present.
Way = tuple[tuple[int, ...], tuple[int | None, ...]]


def _check_made(case: Case, locks: list[Lock], dealt: Dealt, full: bool) -> Unconfirmed:
    """Whatever makes some present locks and breaks some absent ones, the deal is lost; return what is unconfirmed."""
    never = [locks[number] for number in case.absent if locks[number].for_good]
    for lock in never:
        for place in lock.dealt:
            raise BadResult(
                f"{dealt.text(place)} is dealt, and of the absent lock {_show(lock.name)}, which is for good"
            )
    made = _made_locks(case, locks, dealt)
    broken = _broken_locks(case, locks)
    ways = _ways(case.proof["ways"], made, broken, dealt)
    for way in _all_ways(made, broken):
        _require(way in ways, f"there is no way with {_way_text(way)}")
    unconfirmed = Unconfirmed()
    for way, proof in ways.items():
        game = Dealt(dealt.groups, _table_of_way(way, made, broken, never, dealt), dealt.goal)
        try:
            unconfirmed += _check_way(proof, case, locks, game, full)
        except BadResult as problem:
            raise BadResult(f"with {_way_text(way)}: {problem}") from None
    return unconfirmed


def _check_way(proof: Any, case: Case, locks: list[Lock], game: Dealt, full: bool) -> Unconfirmed:
    """The game of a way is lost, or can't end with all present locks; return what is unconfirmed."""
    if _kind(proof, WAY_FIELDS) != "lack":
        return _check_in_game(proof, game, full)
    number = _whole(proof["lock"], "the lock of the proof", 0, len(locks) - 1)
    lock = locks[number]
    _require(number in case.present, f"the lock {_show(lock.name)} is lacking, but not present")
    places = _invalid_places(proof["groups"], game) if proof["groups"] != [] else Places()
    _require(proof["groups"] == sorted(proof["groups"]), "the groups of the proof are not in ascending order")
    closure = LayeredClosure(game, places, onward=True)
    for group in sorted(filter(game.table.valid, lock.groups)):
        _require(not closure.in_the_end(group), f"{group_text(group)} of the lock {_show(lock.name)} can be there")
    return Unconfirmed()


def _all_ways(made: list[Lock], broken: list[Lock]) -> Iterator[Way]:
    """Yield which dealt groups can make some locks first, and break others last."""
    breakers = [[*lock.breakers, *([] if lock.dealt else [None])] for lock in broken]
    yield from product(product(*(lock.makers for lock in made)), product(*breakers))


def _table_of_way(way: Way, made: list[Lock], broken: list[Lock], never: list[Lock], dealt: Dealt) -> Table:
    """Return the table of the game in which locks are made and broken in one way, and some are never present."""
    makers, breakers = way
    gone = [*never, *(lock for lock, place in zip(broken, breakers, strict=True) if place is None)]
    only = {Only(dealt.groups[place], lock.groups) for lock, place in zip(made, makers, strict=True)}
    for lock, breaker in zip(broken, breakers, strict=True):
        if breaker is not None:
            only.add(Only(dealt.groups[breaker], lock.groups, breaks=True))
    excluded = frozenset[Group]().union(*(lock.groups for lock in gone))
    return restricted_table(dealt.table, excluded, frozenset(only))


def _way_text(way: Way) -> str:
    """Name a way in a sentence."""
    makers, breakers = way
    written = ", ".join("null" if place is None else str(place) for place in breakers)
    return f"the makers {list(makers)}" + (f" and the breakers [{written}]" if breakers else "")


def _made_locks(case: Case, locks: list[Lock], dealt: Dealt) -> list[Lock]:
    """Read of which present locks the makers are asked for; none of their groups may be dealt."""
    numbers = _ascending(case.proof["locks"], len(locks), "the made locks")
    for number in numbers:
        lock = locks[number]
        _require(number in case.present, f"the lock {_show(lock.name)} is made, but not present")
        for place in lock.dealt:
            raise BadResult(f"the lock {_show(lock.name)} need not be made, as {dealt.text(place)} is dealt")
    return [locks[number] for number in numbers]


def _broken_locks(case: Case, locks: list[Lock]) -> list[Lock]:
    """Read of which absent locks the breakers are asked for; none of them may be for good."""
    numbers = _ascending(case.proof["broken"], len(locks), "the broken locks")
    for number in numbers:
        lock = locks[number]
        _require(number in case.absent, f"the lock {_show(lock.name)} is broken, but not absent")
        _require(not lock.for_good, f"the lock {_show(lock.name)} can't be broken, as it is for good")
    return [locks[number] for number in numbers]


def _ways(value: Any, made: list[Lock], broken: list[Lock], dealt: Dealt) -> dict[Way, Any]:
    """Read the proofs by their makers and breakers."""
    ways: dict[Way, Any] = {}
    for item in _items(value, "ways"):
        _require(isinstance(item, Mapping), "a way is no object")
        _require_exact_fields(item, ("makers", "breakers", "proof"), "a way")
        way = (
            tuple(_repaired(place, "maker", dealt) for place in _items(item["makers"], "makers")),
            tuple(_breaker(place, dealt) for place in _items(item["breakers"], "breakers")),
        )
        for places, some, what in ((way[0], made, "makers"), (way[1], broken, "breakers")):
            _require(len(places) == len(some), f"a way names {len(places)} {what}, not {len(some)}")
        for lock, breaker in zip(broken, way[1], strict=True):
            for place in lock.dealt if breaker is None else ():
                raise BadResult(
                    f"a way lacks the breaker of the lock {_show(lock.name)}, as {dealt.text(place)} is dealt"
                )
        _require(way not in ways, f"there are two ways with {_way_text(way)}")
        ways[way] = item["proof"]
    return ways


def _breaker(value: Any, dealt: Dealt) -> int | None:
    return None if value is None else _repaired(value, "breaker", dealt)


def _repaired(value: Any, what: str, dealt: Dealt) -> int:
    """Read the place of a dealt invalid group that is to be repaired in certain ways only."""
    place = _whole(value, f"a place in {what}s", 0, len(dealt.groups) - 1)
    _require(place in dealt.invalid, f"a way names the {what} {dealt.text(place)}, which is valid as dealt")
    # The ways of its repair are told by its tiles, not by its place.
    alone = dealt.groups.count(dealt.groups[place]) == 1
    _require(alone, f"a way names the {what} {dealt.text(place)}, which is dealt twice")
    return place


def _check_no_goal(case: Case, locks: list[Lock], dealt: Dealt) -> None:
    """No position of the goal has all present locks and no absent one."""
    found = position_with(dealt.goal, layout_of(dealt.groups), dealt.table.rules, *_groups_of_case(case, locks))
    if found is not None:
        raise BadResult(f"the goal {dealt.goal} has such a position: {position_text(found)}")


def _groups_of_case(case: Case, locks: list[Lock]) -> tuple[tuple[frozenset[Group], ...], frozenset[Group]]:
    """Return the groups of each present lock, and those of all absent ones."""
    present = tuple(locks[number].groups for number in case.present)
    return present, frozenset[Group]().union(*(locks[number].groups for number in case.absent))


@lru_cache(maxsize=1024)
def position_with(
    goal: str, layout: str, rules: Rules, present: tuple[frozenset[Group], ...], absent: frozenset[Group]
) -> Deal | None:
    """Return a position of a goal with a group of each present set and no absent group; None if there is none."""
    allowed = frozenset(groups_of(layout, rules)) - absent
    for wish in wishes(goal):
        found = Covering(wish, layout, allowed).find(present)
        if found is not None:
            return found
    return None


@lru_cache(maxsize=8)
def positions_with(
    goal: str, layout: str, rules: Rules, present: tuple[frozenset[Group], ...], absent: frozenset[Group]
) -> frozenset[Deal]:
    """Return all such positions, sorted; raise BadResult if they are too many."""
    allowed = frozenset(groups_of(layout, rules)) - absent
    positions: set[Deal] = set()
    for wish in wishes(goal):
        for position in Covering(wish, layout, allowed).find_all(present):
            positions.add(tuple(sorted(position)))
            few = len(positions) <= MOST_WANTED
            _require(few, f"the goal {goal} has more than {MOST_WANTED:,} such positions, too many to look from behind")
    return frozenset(positions)


# Three bits a kind count its copies, the third of them being free.
_UNIT = {kind: 1 << 3 * index for index, kind in enumerate(KINDS)}
_FREE_BITS = sum(4 * unit for unit in _UNIT.values())


def _code(tiles: Iterable[Tile]) -> int:
    return sum(_UNIT[tile] for tile in tiles)


class Covering:
    """A search for positions that grant a wish, with a group of each of some sets."""

    def __init__(self, wish: Wish, layout: str, allowed: frozenset[Group]) -> None:
        """Sort the allowed groups by what the wish asks for."""
        self._wish = wish
        self._deck = LAYOUTS[layout][2]
        self._allowed = allowed
        self._sorts = {
            group: sort for group in sorted(allowed) for sort, (wanted, _) in enumerate(wish.others) if wanted(group)
        }
        self._codes = {group: _code(group) for group in self._sorts}
        self._failed: set[tuple[int, tuple[int, ...]]] = set()

    def find(self, sets: tuple[frozenset[Group], ...]) -> Deal | None:
        """Return a position with a group of each set, or None; raise BadResult if the search takes too long."""
        covers = (self._cover(*begun, list(self._sorts)) for begun in self._begin(sets))
        return next((found for found in covers if found is not None), None)

    def find_all(self, sets: tuple[frozenset[Group], ...]) -> Iterator[Deal]:
        """Yield all positions with a group of each set, some perhaps more than once; raise BadResult likewise."""
        for begun in self._begin(sets):
            yield from self._cover_all(*begun, list(self._sorts))

    def _begin(self, sets: tuple[frozenset[Group], ...]) -> Iterator[tuple[Deal, int, tuple[int, ...]]]:
        """Yield what the groups that the wish names, and a group of each set, leave to be covered."""
        if self._allowed.issuperset(self._wish.groups):
            left = _code(self._deck.elements()) - _code(chain.from_iterable(self._wish.groups))
            numbers = tuple(number for _, number in self._wish.others)
            yield from self._hold(self._wish.groups, left, numbers, sets)

    def _hold(
        self, laid: Deal, left: int, numbers: tuple[int, ...], sets: tuple[frozenset[Group], ...]
    ) -> Iterator[tuple[Deal, int, tuple[int, ...]]]:
        """Lay a group of each set that has none yet."""
        open_sets = tuple(groups for groups in sets if groups.isdisjoint(laid))
        if not open_sets:
            yield laid, left, numbers
            return
        for group in self._fitting(sorted(open_sets[0]), left, numbers):
            yield from self._hold(*self._lay(group, laid, left, numbers), open_sets[1:])

    def _cover(self, laid: Deal, left: int, numbers: tuple[int, ...], groups: list[Group]) -> Deal | None:
        """Cover the tiles that are left with some of these groups, that which fits the fewest groups first."""
        if not left or (left, numbers) in self._failed:
            return None if left else laid
        _require(len(self._failed) < MOST_STEPS, "the search for a position of the goal takes too long")
        fitting = self._fitting(groups, left, numbers)
        rarest = _rarest(left, fitting)
        for group in fitting:
            if rarest in group:
                found = self._cover(*self._lay(group, laid, left, numbers), fitting)
                if found is not None:
                    return found
        self._failed.add((left, numbers))
        return None

    def _cover_all(self, laid: Deal, left: int, numbers: tuple[int, ...], groups: list[Group]) -> Iterator[Deal]:
        """Yield all ways to cover the tiles that are left with some of these groups, each once."""
        if not left:
            yield laid
            return
        # This uses all groups, not only these, so it does not see every dead end; but it sees most.
        if self._cover(laid, left, numbers, list(self._sorts)) is None:
            return
        fitting = self._fitting(groups, left, numbers)
        rarest = _rarest(left, fitting)
        for group in [group for group in fitting if rarest in group]:
            yield from self._cover_all(*self._lay(group, laid, left, numbers), fitting)
            # All covers with this group are found.
            fitting = [other for other in fitting if other != group]

    def _fitting(self, groups: Iterable[Group], left: int, numbers: tuple[int, ...]) -> list[Group]:
        """Return those of some groups that the wish still asks for and the tiles that are left can make."""
        stock = left | _FREE_BITS
        wanted = (group for group in groups if group in self._sorts and numbers[self._sorts[group]])
        return [group for group in wanted if stock - self._codes[group] & _FREE_BITS == _FREE_BITS]

    def _lay(self, group: Group, laid: Deal, left: int, numbers: tuple[int, ...]) -> tuple[Deal, int, tuple[int, ...]]:
        """Return what is laid, left and still asked for after one more group."""
        sort = self._sorts[group]
        fewer = (*numbers[:sort], numbers[sort] - 1, *numbers[sort + 1 :])
        return (*laid, group), left - self._codes[group], fewer


def _rarest(left: int, groups: list[Group]) -> Tile:
    """Return the tile, of those that are left, that is in the fewest of some groups."""
    uses = Counter(tile for group in groups for tile in set(group))
    return min((tile for tile in KINDS if left & 3 * _UNIT[tile]), key=lambda tile: uses[tile])


class Backwards:
    """A search for all positions of a deal that lead to some final ones.

    Every move can be taken back where its results stand: one between valid groups always, as it can be
    undone, and the repair of a dealt group once for each time that the group was dealt. So if the deal
    leads to one of the final positions, it is found from there. Left out are positions that the deal
    leads to in no case: those with a valid group that never appears, or that does not while one of
    their invalid groups remains, by the relaxed closure; and if `layered` asks for it, also those with
    two valid groups that never stand beside each other while just their invalid groups remain, by
    the layered closure of all dealt invalid groups.
    """

    def __init__(self, dealt: Dealt, layered: bool = False) -> None:
        """Find out which groups can appear while which dealt invalid ones remain."""
        self._layers = LayeredClosure(dealt, dealt.invalid, onward=True) if layered else None
        self._table = dealt.table
        self._numbers = Numbering()
        self.deal = self._position(dealt.groups)
        self._dealt = Counter(self.deal)
        # Where equal groups are dealt, it does not matter which of them remains.
        places = {self._numbers.of(dealt.groups[place]): place for place in sorted(dealt.invalid)}
        # The lowest bit is for appearing at all, the others are for doing so while a group remains.
        self._bits = {number: 2 << index for index, number in enumerate(places)}
        self._appears = dict.fromkeys(places, -1)
        remaining = [(1, Places()), *((self._bits[number], Places([place])) for number, place in places.items())]
        for bit, frozen in remaining:
            for group in filter(self._table.valid, relaxed_closure(dealt, frozen)):
                number = self._numbers.of(group)
                self._appears[number] = self._appears.get(number, 0) | bit
        self._places = {
            number: [p for p in sorted(dealt.invalid) if dealt.groups[p] == self._numbers.groups[number]]
            for number in places
        }
        self._befores: Callable[[int, int], list[tuple[int, int]]] = cache(self._find_befores)

    def walk(self, wanted: Iterable[Deal]) -> Iterator[Position]:
        """Yield every position found, the wanted ones first."""
        seen: set[Position] = set()
        waiting = [self._position(groups) for groups in wanted]
        for position in waiting:
            if position not in seen:
                seen.add(position)
                if self._can_be(position):
                    yield position
                    waiting.extend(before for before in self._before(position) if before not in seen)

    def _position(self, groups: Iterable[Group]) -> Position:
        return tuple(sorted(map(self._numbers.of, groups)))

    def _can_be(self, position: Position) -> bool:
        """Tell whether each group can appear while those that are invalid remain, and these are no more than dealt."""
        needed = 1
        for number in position:
            needed |= self._bits.get(number, 0)
        appear = all(self._appears.get(number, 0) & needed == needed for number in position)
        few = all(position.count(number) <= self._dealt[number] for number in position if number in self._bits)
        return appear and few and (self._layers is None or self._can_stand(position, self._layers))

    def _can_stand(self, position: Position, layers: LayeredClosure) -> bool:
        """Tell whether the valid groups of a position can stand beside each other while the invalid ones remain."""
        remaining: list[int] = []
        for number in set(position) & set(self._bits):
            remaining += self._places[number][: position.count(number)]
        valid = [self._numbers.groups[number] for number in position if number not in self._bits]
        return layers.stand(frozenset(remaining), valid)

    def _before(self, position: Position) -> Iterator[Position]:
        """Yield the positions that a move turns into this one."""
        for first, second in combinations(position, 2):
            for before in self._befores(first, second):
                groups = list(position)
                groups.remove(first)
                groups.remove(second)
                groups.extend(before)
                groups.sort()
                yield tuple(groups)

    def _find_befores(self, first: int, second: int) -> list[tuple[int, int]]:
        """Return the twos, of groups that can be there, that a move turns into these two groups."""
        after = _both(self._numbers.groups[first], self._numbers.groups[second])
        return [
            (self._numbers.of(one), self._numbers.of(other))
            for one, other in {_both(*before) for before in _befores(*after)}
            if self._numbers.of(one) in self._appears and self._numbers.of(other) in self._appears
            if after in self._table.exchanges(one, other)
        ]


@lru_cache(maxsize=1)
def _backwards(dealt: Dealt, layered: bool) -> Backwards:
    """Return the search in a deal, the same one for all of its cases."""
    return Backwards(dealt, layered)


def _check_behind(case: Case, locks: list[Lock], dealt: Dealt, full: bool) -> Unconfirmed:
    """So many positions lead to those of the goal in this case, the deal not; return what is left unconfirmed."""
    claimed = _whole(case.proof["positions"], "positions")
    if claimed > SMALL_EXHAUSTION and not full:
        return Unconfirmed({"search from behind": claimed})
    wanted = positions_with(dealt.goal, layout_of(dealt.groups), dealt.table.rules, *_groups_of_case(case, locks))
    search = _backwards(dealt, case.proof["kind"] == "layered-behind")
    found = 0
    for position in search.walk(wanted):
        _require(position != search.deal, f"the deal leads to a position of the goal {dealt.goal}")
        found += 1
        _require(found <= claimed, f"more than {claimed:,} positions lead to the goal {dealt.goal}")
    _require(found == claimed, f"{found:,} positions lead to the goal {dealt.goal}, not {claimed:,}")
    return Unconfirmed()


# --- 10. Whole results -----------------------------------------------------------------------------

FIELDS = (
    "schema", "deal", "layout", "rules", "goal", "verdict", "reason", "length", "optimal",
    "lower_bound", "moves", "proof", "expanded", "seconds",
)  # fmt: skip
REASONS = ("memory", "time", "positions")


def check(result: Mapping[str, Any], *, full: bool = False) -> Report:
    """Check one parsed JSON object of `xsf solve` and report what does not hold.

    Solutions are replayed, and must reach the goal; arguments for a loss and the lower bound are
    derived again from the deal. With `full`, exhaustions of any size are repeated and optimality is
    confirmed by a search of the checker's own; without it, the report says what of this is left
    unconfirmed. Whatever a result holds, nothing is raised.
    """
    failures = []
    unconfirmed = None
    try:
        dealt = _read_deal(result)
        parts = _parts_for(_text(result["verdict"], "verdict"))
    except BadResult as problem:
        return Report((str(problem),))
    for part in parts:
        try:
            unconfirmed = part(result, dealt, full) or unconfirmed
        except BadResult as problem:
            failures.append(str(problem))
    return Report(tuple(failures), unconfirmed)


# A part of a check raises BadResult, or returns what it leaves unconfirmed.
Part = Callable[[Mapping[str, Any], Dealt, bool], str | None]


def _parts_for(verdict: str) -> tuple[Part, ...]:
    """Return what is to be checked for a verdict."""
    if verdict == "winnable":
        return (_check_effort, _check_lower_bound, _check_solution)
    if verdict == "unwinnable":
        return (_check_effort, _check_loss)
    if verdict == "undecided":
        return (_check_effort, _check_lower_bound, _check_undecided)
    raise BadResult(f"the verdict {_show(verdict)} is unknown")


def _read_deal(result: Any) -> Dealt:
    """Read what must be understood before anything else can be checked."""
    _require(isinstance(result, Mapping), "the result is no object")
    _require_fields(result, FIELDS, "the result")
    _require(_whole(result["schema"], "schema") == 1, f"schema {result['schema']} is unknown")
    groups = parse_deal(_text(result["deal"], "deal"))
    layout = layout_of(groups)
    _require(result["layout"] == layout, f"the layout of the deal is {layout}, not {_show(result['layout'])}")
    goal = parse_goal(result["goal"], layout)
    return Dealt(groups, table_for(parse_rules(result["rules"])), goal)


def _check_effort(result: Mapping[str, Any], dealt: Dealt, full: bool) -> None:
    """What the search took cannot be confirmed, but it must be possible."""
    _whole(result["expanded"], "expanded")
    seconds = result["seconds"]
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    _require(number and 0 <= seconds < math.inf, "seconds is no number of seconds")


def _check_lower_bound(result: Mapping[str, Any], dealt: Dealt, full: bool) -> str | None:
    """The lower bound is the repair bound of the deal, or more if a goal takes more moves than that."""
    bound = repair_bound(dealt)
    _require(bound < math.inf, "the invalid groups cannot all be repaired, so the deal is lost")
    claimed = _whole(result["lower_bound"], "lower_bound")
    if dealt.goal == "any":
        _require(claimed == bound, f"lower_bound is {bound}, not {claimed}")
    _require(claimed >= bound, f"lower_bound is at least {bound}, not {claimed}")
    if claimed > bound and not (full and _check_none_shorter(dealt, claimed, MOST_SHORTER)):
        return "lower bound"
    return None


def _check_solution(result: Mapping[str, Any], dealt: Dealt, full: bool) -> str | None:
    """The moves win, and are as few as is said."""
    _require_null(result, ("reason",))
    _require(result["proof"] == {"kind": "moves"}, 'the proof of a win is {"kind": "moves"}')
    moves = _items(result["moves"], "moves")
    length = _whole(result["length"], "length")
    _require(length == len(moves), f"length is {length}, but there are {len(moves)} moves")
    _replay(moves, dealt)
    optimal = result["optimal"]
    _require(isinstance(optimal, bool), "optimal is neither true nor false")
    bound = _whole(result["lower_bound"], "lower_bound")
    _require(length >= bound, f"there are {length} moves, fewer than the lower bound {bound}")
    if length == bound:
        _require(optimal, "length is the lower bound, so optimal must be true")
        return None
    # The lower bound of a goal is what was proved, not what repairs alone take.
    _require(not optimal or dealt.goal == "any", f"optimal is true, but lower_bound is {bound}, not {length}")
    if optimal and not full:
        return "optimality"
    if optimal:
        _check_none_shorter(dealt, length)
    return None


def _check_undecided(result: Mapping[str, Any], dealt: Dealt, full: bool) -> None:
    """Nothing is claimed but a reason for giving up."""
    _require_null(result, ("length", "optimal", "moves", "proof"))
    _require(result["reason"] in REASONS, f"the reason {_show(result['reason'])} is unknown")


def _check_loss(result: Mapping[str, Any], dealt: Dealt, full: bool) -> str | None:
    """The argument for a loss holds."""
    _require_null(result, ("reason", "length", "optimal", "lower_bound", "moves"))
    proof = result["proof"]
    by_locks = _kind(proof, PROOF_FIELDS) == "bond"
    unconfirmed = (_check_bond if by_locks else _check_in_game)(proof, dealt, full)
    return " and ".join(f"{what} of {positions:,} positions" for what, positions in unconfirmed.items()) or None


# --- Reading values that may be anything ----------------------------------------------------------


def _show(value: object) -> str:
    """Write a value in a sentence, shortened if need be."""
    try:
        return reprlib.repr(value)
    except ValueError:
        # Python refuses to write numbers of several thousand digits.
        return "a very long number"


def _require_fields(value: Mapping[str, Any], fields: Iterable[str], what: str) -> None:
    for field in fields:
        _require(field in value, f"{what} lacks the field {field}")


def _require_exact_fields(value: Mapping[str, Any], fields: tuple[str, ...], what: str) -> None:
    """Refuse missing fields, and unknown ones too: a claim nobody checks is worthless."""
    _require_fields(value, fields, what)
    for field in value:
        _require(field in fields, f"{what} has the field {_show(field)}, which is unknown")


def _require_null(value: Mapping[str, Any], fields: Iterable[str]) -> None:
    for field in fields:
        _require(value[field] is None, f"{field} must be null with this verdict")


def _whole(value: Any, what: str, least: int = 0, most: int = 2**63) -> int:
    """Read a whole number; true and false are none."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadResult(f"{what} is {_show(value)}, which is no possible number")
    return value


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str) or not value:
        raise BadResult(f"{what} is {_show(value)}, which is no text")
    return value


def _items(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadResult(f"{what} is {_show(value)}, which is no list")
    return value


def _places(value: Any, groups: int, what: str) -> list[int]:
    """Read distinct places of groups in a deal."""
    places = [_whole(place, f"a place in {what}", 0, groups - 1) for place in _items(value, what)]
    _require(len(set(places)) == len(places), f"{what} names a place twice")
    return places


# --- A list of moves written by a person ----------------------------------------------------------


def check_moves(deal: str, lines: Iterable[str], rules: Mapping[str, Any]) -> MovesReport:
    """Replay a person's list of exchanges, one a line: `16 23`, or `44-11 65-65` for a whole pair.

    Which groups are meant is not written, and a tile may lie in two of them. So all positions that
    some legal reading of the lines so far leads to are kept, and a line that has no legal reading
    is the failure. `#` starts a comment. Raises BadResult if deal or rules cannot be read.
    """
    dealt = parse_deal(deal)
    layout_of(dealt)
    table = table_for(parse_rules(rules))
    positions: frozenset[Deal] = frozenset([tuple(sorted(dealt))])
    moves = 0
    failures: tuple[str, ...] = ()
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].split()
        try:
            if words:
                positions = _lay_line(words, positions, table)
                moves += 1
        except BadResult as problem:
            failures = (f"line {number}: {problem}",)
            break
    final = any(all(table.valid(group) for group in position) for position in positions)
    return MovesReport(failures, final, moves)


def _lay_line(words: list[str], positions: frozenset[Deal], table: Table) -> frozenset[Deal]:
    """Return all positions that a legal reading of a line leads to; raise BadResult if none."""
    _require(len(words) == 2, "a line is two tiles, or two times two tiles joined by -")
    first, second = (make_group(parse_tile(tile) for tile in word.split("-")) for word in words)
    _require(len(first) == len(second) <= 2, "tiles go one for one, or two for two")
    _require(first != second, "the exchange changes nothing")
    deck = Counter(tile for position in positions for group in position for tile in group)
    for tile in first + second:
        _require(tile in deck, f"the tile {tile} is not in this deal")
    found = {after for position in positions for after in _readings(first, second, position, table)}
    _require(bool(found), f"no two groups become valid by exchanging {group_text(first)} and {group_text(second)}")
    return frozenset(found)


def _readings(first: Group, second: Group, position: Deal, table: Table) -> Iterator[Deal]:
    """Yield what the exchange of these tiles makes of a position, whichever groups may be meant."""
    for one, other in permutations(range(len(position)), 2):
        try:
            after = table.lay(position[one], position[other], (first, second))
        except BadResult:
            continue
        rest = [group for place, group in enumerate(position) if place not in (one, other)]
        yield tuple(sorted((*rest, *after)))


# --- 11. The region of all final positions --------------------------------------------------------
#
# Every move within the region can be undone. So to be a move apart is mutual there, and the region
# falls apart into components.


def region(layout: str, rules: Rules) -> Iterator[Deal]:
    """Yield all final positions of a layout, each once, as a sorted tuple; for regions that are not large.

    A sorted position is laid group by group. The smallest tile that is left lies in the next group,
    and is its first tile.
    """
    _, pairs, deck = LAYOUTS[layout]
    beginning: dict[Tile, list[Group]] = {tile: [] for tile in deck}
    for group in table_for(rules).valid_groups:
        if fits(group, deck):
            beginning[group[0]].append(group)

    def lay_on(laid: Deal, left: tuple[Tile, ...], pairs_left: int) -> Iterator[Deal]:
        if not left and not pairs_left:
            yield laid
        stock = Counter(left)
        for group in beginning[left[0]] if left else ():
            ordered = not laid or laid[-1] <= group
            pairs_after = pairs_left - (len(group) == 2)
            if ordered and pairs_after >= 0 and fits(group, stock):
                yield from lay_on((*laid, group), minus(left, group), pairs_after)

    yield from lay_on((), tuple(sorted(deck.elements())), pairs)


def neighbours(position: Deal, table: Table) -> frozenset[Deal]:
    """Return all positions one move away, sorted."""
    found = set()
    for one, other in combinations(range(len(position)), 2):
        rest = [group for place, group in enumerate(position) if place not in (one, other)]
        for result in table.exchanges(position[one], position[other]):
            found.add(tuple(sorted((*rest, *result))))
    return frozenset(found)


def position_text(position: Deal) -> str:
    """Return a position as it is written: triples first, then pairs."""
    return " ".join(map(group_text, sorted(position, key=len, reverse=True)))


# What is judged: the moves from a position, as text, to a goal; None if no moves lead there.
Probe = Callable[[str], int | None]
# And the number of the component a position, as text, lies in.
Labels = Callable[[str], int]


def check_distances(layout: str, rules: Mapping[str, Any], goal: str, probe: Probe, positions: Iterable[str]) -> Report:
    """Check what `probe` says about some final positions against what it says about their neighbours.

    A distance is right at all of a region's positions exactly if at each of them it is 0 where the
    goal is reached and nowhere else, elsewhere one more than at the nearest neighbour, at no
    neighbour more than one off, and None only where it is None at all neighbours: so from each
    distance a way of that many moves leads down to the goal, and no way leads down faster.
    Raises BadResult if layout, rules or goal cannot be read.
    """
    table = table_for(parse_rules(rules))
    _require(layout in LAYOUTS, f"the layout {_show(layout)} is unknown")
    goal = parse_goal(goal, layout)
    failures = []
    for text in positions:
        try:
            _check_distance(_read_final(text, layout, table), goal, table, probe)
        except BadResult as problem:
            failures.append(f"{text}: {problem}")
    return Report(tuple(failures))


def _read_final(text: str, layout: str, table: Table) -> Deal:
    position = parse_deal(text)
    found = layout_of(position)
    _require(found == layout, f"the layout of the position is {found}, not {layout}")
    for group in position:
        _require(table.valid(group), f"{group_text(group)} is invalid")
    return position


def _check_distance(position: Deal, goal: str, table: Table, probe: Probe) -> None:
    """The distance of one position agrees with the goal and with the distances of its neighbours."""
    distance = _distance(position, probe)
    around = [_distance(other, probe) for other in neighbours(position, table)]
    reached = goal_reached(position, goal, table)
    _require(not reached or distance == 0, f"the goal is reached, but the distance is {distance}")
    _require(reached or distance != 0, "the distance is 0, but the goal is not reached")
    known = [other for other in around if other is not None]
    if distance is None:
        _require(not known, f"the distance is None, but a neighbour has {min(known, default=None)}")
        return
    _require(len(known) == len(around), f"the distance is {distance}, but a neighbour has None")
    for other in known:
        _require(abs(other - distance) <= 1, f"the distance is {distance}, but a neighbour has {other}")
    _require(reached or distance - 1 in known, f"the distance is {distance}, but no neighbour has {distance - 1}")


def _distance(position: Deal, probe: Probe) -> int | None:
    distance = probe(position_text(position))
    return None if distance is None else _whole(distance, "a distance")


def check_components(layout: str, rules: Mapping[str, Any], labels: Labels) -> Report:
    """Check that `labels` gives two final positions the same number exactly if moves lead from one to the other.

    All positions of the region are found and flooded, so it must not be large. Raises BadResult if
    layout or rules cannot be read.
    """
    table = table_for(parse_rules(rules))
    _require(layout in LAYOUTS, f"the layout {_show(layout)} is unknown")
    components = _flood(region(layout, table.rules), table)
    failures = []
    owners: dict[int, Deal] = {}
    for component in components:
        first = component[0]
        try:
            label = _label(first, labels)
            for position in component:
                other = _label(position, labels)
                apart = f"has the label {label}, but moves lead to {position_text(position)}, which has {other}"
                _require(other == label, apart)
            owner = owners.setdefault(label, first)
            alike = f"has the label {label} like {position_text(owner)}, but no moves lead there"
            _require(owner == first, alike)
        except BadResult as problem:
            failures.append(f"{position_text(first)}: {problem}")
    return Report(tuple(failures))


def _label(position: Deal, labels: Labels) -> int:
    return _whole(labels(position_text(position)), "a label")


def _flood(positions: Iterable[Deal], table: Table) -> list[list[Deal]]:
    """Return the components of a whole region."""
    unseen = dict.fromkeys(positions)
    components = []
    while unseen:
        component = [unseen.popitem()[0]]
        for position in component:
            for other in neighbours(position, table):
                if other in unseen:
                    del unseen[other]
                    component.append(other)
        components.append(component)
    return components
