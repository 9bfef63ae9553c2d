"""Slow, obvious twins of every kernel, to be checked against the rules by eye.

Nothing here knows the library. A tile is its text, the smaller pip first ("13"); a group is a sorted tuple of
tiles; a position is a sequence of groups, and as a member of a set a sorted tuple of groups. A rule record is the
dict of its JSON.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise
from random import Random
from typing import Any

Group = tuple[str, ...]
Groups = tuple[Group, ...]
Record = Mapping[str, Any]
Places = frozenset[int]
Piece = tuple[Group, int]
"""A valid group and -1, or an invalid group and its place: two equal invalid groups are told apart."""
Beside = dict[Piece, set[Piece]]
"""For each piece those that can stand beside it, itself too if two such pieces can be there."""

CIVILIAN = ("66", "11", "44", "13", "55", "33", "22", "56", "46", "16", "15")
MILITARY = ("36", "45", "26", "35", "25", "34", "14", "23", "24", "12")
SET = Counter(2 * CIVILIAN + MILITARY)
"""The 32 tiles."""

NEVER = 255
"""The repair bound where no order of repairs exists."""


def group(text: str) -> Group:
    """A group written like ``62-13-56``, tiles and pips in any order."""
    return make_group("".join(sorted(tile)) for tile in text.split("-"))


def make_group(tiles: Iterable[str]) -> Group:
    """The group of these tiles."""
    return tuple(sorted(tiles))


def tiles_of(groups: Iterable[Group]) -> Counter[str]:
    """All tiles of some groups."""
    return Counter(tile for one in groups for tile in one)


# Names


def triple_names(tiles: Sequence[str], record: Record) -> frozenset[str]:
    """All combinations that three tiles are (rules, "Triples")."""
    ends = [int(pip) for tile in tiles for pip in tile]
    count = Counter(ends)
    threshold = record["fourteen_threshold"]
    found = set()
    for pip in range(1, 7):
        others = [end for end in ends if end != pip]
        if count[pip] == 3 and sum(others) == 5:
            found.add("five-points")
        if count[pip] == 3 and sum(others) >= threshold:
            found.add("full-fourteen")
        if count[pip] == 3 and len(set(others)) == 1:
            found.add("split")
        if count[pip] == 4 and sum(others) == pip:
            found.add("coincidence")
        if count[pip] == 5:
            found.add("five-sons")
    found &= set(record["combinations"])
    for pip in record["multiples_of"]:
        if count[pip] == 3 and sum(end for end in ends if end != pip) % pip == 0:
            found.add("multiple")
    for name, pattern in record["patterns"].items():
        if sorted(ends) == sorted(pattern):
            found.add(name)
    return frozenset(found)


def pair_names(tiles: Sequence[str]) -> frozenset[str]:
    """What kind of valid pair two tiles are (rules, "Pairs")."""
    first, second = sorted(tiles)
    if first == second and first in CIVILIAN:
        return frozenset({"civilian"})
    if first in MILITARY and second in MILITARY:
        if (first, second) == ("12", "24"):
            return frozenset({"supreme"})
        if int(first[0]) + int(first[1]) == int(second[0]) + int(second[1]):
            return frozenset({"military"})
    return frozenset()


def all_groups(size: int) -> set[Group]:
    """Every group of two or three tiles that the set can form."""
    return {make_group(tiles) for tiles in combinations_with_replacement(SET, size) if not Counter(tiles) - SET}


def ways(one: Group) -> int:
    """How many sets of actual tiles are this group, counted by taking them out of the 32 one by one."""
    copies = [(tile, copy) for tile in set(one) for copy in range(SET[tile])]
    return sum(1 for chosen in combinations(copies, len(one)) if make_group(tile for tile, _ in chosen) == one)


# Moves


class Game:
    """One rule record, and what has been worked out under it, to work it out only once."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self._names: dict[Group, frozenset[str]] = {}
        self._exchanges: dict[tuple[Group, Group], frozenset[Groups]] = {}
        self._partners: dict[Group, list[Group]] = {}
        self.valid_groups = sorted(one for size in (2, 3) for one in all_groups(size) if self.valid(one))

    def names(self, one: Group) -> frozenset[str]:
        """All names of a group."""
        if one not in self._names:
            self._names[one] = pair_names(one) if len(one) == 2 else triple_names(one, self.record)
        return self._names[one]

    def valid(self, one: Group) -> bool:
        """Whether a group is valid."""
        return bool(self.names(one))

    def exchanges(self, a: Group, b: Group) -> frozenset[Groups]:
        """What two groups can become by one exchange that leaves both valid; each result is sorted."""
        if (a, b) not in self._exchanges:
            self._exchanges[a, b] = frozenset(
                (min(x, y), max(x, y))
                for x, y in all_exchanges(a, b)
                if self.valid(x) and self.valid(y) and {x, y} != {a, b}
            )
        return self._exchanges[a, b]

    def moves(self, position: Sequence[Group]) -> set[Groups]:
        """All positions one move away."""
        return {
            tuple(sorted((*left, *result)))
            for i, j in combinations(range(len(position)), 2)
            for left in [[one for place, one in enumerate(position) if place not in (i, j)]]
            for result in self.exchanges(position[i], position[j])
        }

    def perft(self, deal: Sequence[Group], depth: int) -> list[int]:
        """How many distinct positions are exactly 1, 2, ... ``depth`` moves from the deal."""
        level = {tuple(sorted(deal))}
        seen = set(level)
        sizes = []
        for _ in range(depth):
            level = {after for position in level for after in self.moves(position)} - seen
            seen |= level
            sizes.append(len(level))
        return sizes

    # What plain moves can't change

    def plain_moves(self, layout: str) -> list[tuple[Groups, Groups]]:
        """All exchanges between two valid groups that fit a layout, as the two groups before and after."""
        return [
            (two, after)
            for two in combinations_with_replacement(self.valid_groups, 2)
            if fit(two, layout)
            for after in self.exchanges(*two)
        ]

    def bonds(self, layout: str) -> dict[Group, set[Group]]:
        """The valid groups that hold both, for each two single tiles that some hold and no plain move parts."""
        found = {}
        moves = self.plain_moves(layout)
        single = [tile for tile, copies in tiles_of_layout(layout).items() if copies == 1]
        for two in combinations(single, 2):
            holders = {one for one in self.valid_groups if fit([one], layout) and {*two} <= {*one}}
            if holders and not any(holders & {*before} and not holders & {*after} for before, after in moves):
                found[make_group(two)] = holders
        return found

    def breakers(self, holders: Collection[Group], layout: str) -> set[Group]:
        """The invalid groups whose repair by one of some valid groups leaves none of these."""
        return {
            other
            for other in all_groups(2) | all_groups(3)
            if not self.valid(other)
            for one in holders
            if fit([one, other], layout) and any(not {*holders} & {*after} for after in self.exchanges(one, other))
        }

    def makers(self, holders: Collection[Group], layout: str) -> set[Group]:
        """The invalid groups whose repair, by none of some valid groups, can make one of these.

        Any exchange can be undone by an exchange, so it is enough to undo those that make one.
        """
        return {
            group
            for one in holders
            for other in self.valid_groups
            if fit([one, other], layout)
            for before in all_exchanges(one, other)
            if not {*holders} & {*before}
            for group in before
            if not self.valid(group)
        }

    # Repairs

    def invalid_places(self, deal: Sequence[Group]) -> list[int]:
        """The places of the invalid groups."""
        return [place for place, one in enumerate(deal) if not self.valid(one)]

    def partners(self, one: Group) -> list[Group]:
        """All valid groups that could exchange with a group, if the tiles for both are there."""
        if one not in self._partners:
            self._partners[one] = [
                other for other in self.valid_groups if self.exchanges(one, other) and not tiles_of([one, other]) - SET
            ]
        return self._partners[one]

    def has_partner(self, one: Group, stock: Counter[str]) -> bool:
        """Whether a valid group made of the stock can exchange with a group."""
        return any(not Counter(other) - stock for other in self.partners(one))

    def repair_bound(self, invalid: Sequence[Group], tiles: Counter[str], *, edges: bool = True) -> int:
        """The fewest repairs that leave none of these dealt invalid groups, ``NEVER`` if no order does.

        A group is repaired alone with a valid partner made of tiles that none of the remaining holds, or together
        with another that remains, if the two can exchange as dealt and ``edges`` count.
        """
        return self._bound(tuple(sorted(invalid)), tiles, edges, {})

    def _bound(self, remaining: Groups, tiles: Counter[str], edges: bool, known: dict[Groups, int]) -> int:
        if not remaining:
            return 0
        if remaining not in known:
            stock = tiles - tiles_of(remaining)
            after = [without(remaining, place) for place, one in enumerate(remaining) if self.has_partner(one, stock)]
            after += [
                without(remaining, i, j)
                for i, j in combinations(range(len(remaining)), 2)
                if edges and self.exchanges(remaining[i], remaining[j])
            ]
            known[remaining] = min((1 + self._bound(rest, tiles, edges, known) for rest in after), default=NEVER)
            known[remaining] = min(known[remaining], NEVER)
        return known[remaining]

    def plain_moves_needed(self, deal: Sequence[Group]) -> int | None:
        """The first level at which every invalid group has found a partner; None if the levels stop growing before.

        Level 0 is what repairs alone can make of the groups at hand, if groups once there stay there; each further
        level adds what one exchange between two groups found so far can make, and repairs after it.
        """
        waiting = [deal[place] for place in self.invalid_places(deal)]
        found = {one for one in deal if self.names(one)}
        mended = set()
        for i, j in combinations(range(len(waiting)), 2):
            if made := self.made_by(waiting[i], waiting[j]):
                mended |= {i, j}
                found |= made
        level = 0
        while True:
            size = -1
            while size != len(found):
                size = len(found)
                for k, one in enumerate(waiting):
                    for other in tuple(found):
                        if made := self.made_by(one, other):
                            mended.add(k)
                            found |= made
            if len(mended) == len(waiting):
                return level
            for one, other in combinations_with_replacement(sorted(found), 2):
                found |= self.made_by(one, other)
            if size == len(found):
                return None
            level += 1

    def made_by(self, one: Group, other: Group) -> set[Group]:
        """All groups that exchanges between two groups make, if the set has the tiles for both."""
        if tiles_of([one, other]) - SET:
            return set()
        return {new for pair in self.exchanges(one, other) for new in pair}

    def largest_frozen_set(self, deal: Sequence[Group]) -> set[int]:
        """The largest set of places of invalid groups none of which can be the first of them to be repaired.

        Its partner would be another dealt invalid group, or a valid group made of tiles outside the set.
        """
        invalid = self.invalid_places(deal)
        for size in range(len(invalid), 0, -1):
            for frozen in combinations(invalid, size):
                stock = tiles_of(deal) - tiles_of(deal[place] for place in frozen)
                if not any(
                    self.has_partner(deal[place], stock)
                    or any(self.exchanges(deal[place], deal[other]) for other in invalid if other != place)
                    for place in frozen
                ):
                    return set(frozen)
        return set()

    # Closures

    def relaxed_closure(self, deal: Sequence[Group], frozen: Collection[int]) -> set[Group]:
        """All groups that could appear while the groups at the frozen places stay.

        The other dealt groups, and both results of every exchange between two collected groups (the same group
        twice is two groups) that fit together on the tiles outside the frozen ones.
        """
        stock = tiles_of(deal) - tiles_of(deal[place] for place in frozen)
        collected = {one for place, one in enumerate(deal) if place not in frozen}
        fresh = set(collected)
        while fresh:
            made = {
                new
                for a in fresh
                for b in collected
                if self.exchanges(a, b) and not tiles_of([a, b]) - stock
                for result in self.exchanges(a, b)
                for new in result
            }
            fresh = made - collected
            collected |= fresh
        return collected

    def thawed(self, deal: Sequence[Group], frozen: Collection[int], collected: Collection[Group]) -> set[int]:
        """The frozen places whose group can exchange with a collected group or with another frozen one."""
        return {
            place
            for place in frozen
            if any(self.exchanges(deal[place], other) for other in collected)
            or any(self.exchanges(deal[place], deal[other]) for other in frozen if other != place)
        }

    def freeze(self, deal: Sequence[Group], start: Iterable[int]) -> set[int]:
        """The largest subset of some places that the closure leaves frozen, found by letting go of those that thaw."""
        frozen = set(start)
        while frozen:
            gone = self.thawed(deal, frozen, self.relaxed_closure(deal, frozen))
            if not gone:
                break
            frozen -= gone
        return frozen

    def pieces(self, deal: Sequence[Group]) -> list[Piece]:
        """The dealt groups as pieces."""
        return [(one, -1 if self.valid(one) else place) for place, one in enumerate(deal)]

    def made(self, a: Piece, b: Piece) -> list[tuple[Piece, Piece]]:
        """What two pieces can become by one exchange."""
        return [((x, -1), (y, -1)) for x, y in self.exchanges(a[0], b[0])]

    def layered_closure(self, deal: Sequence[Group], chosen: Collection[int]) -> dict[Places, Beside]:
        """For each set of chosen places that might be those whose groups remain, what can stand beside what.

        It begins with all chosen groups; the others stand beside each other. Within a layer, if a and b stand beside
        each other and can become x and y, then x and y do; and so do x and c, and y and c, for every c beside a and
        beside b if a, b and c fit together on the tiles outside the remaining groups. If a remaining group and a can
        become x and y, then in the layer without that group x and y stand beside each other and beside all c that
        stood beside a, and any two c and d that stood beside a and beside each other still do if they and a fit
        together. If two remaining groups can become x and y, these stand beside each other and beside all that was
        there, and all else goes on. Some order may repair all chosen groups if the empty set is among the layers.
        """
        pieces = self.pieces(deal)
        others = [one for place, one in enumerate(pieces) if place not in chosen]
        layers: dict[Places, Beside] = {frozenset(chosen): {one: set() for one in others}}
        for a, b in combinations(others, 2):
            _put(layers[frozenset(chosen)], a, b)
        for size in range(len(chosen), -1, -1):
            for remaining in [layer for layer in layers if len(layer) == size]:
                layer = layers[remaining]
                stock = tiles_of(deal) - tiles_of(deal[place] for place in remaining)
                fits = cache(lambda a, b, c, stock=stock: not tiles_of([a[0], b[0], c[0]]) - stock)
                self._close(layer, fits)
                for place in remaining:
                    for a in layer:
                        for x, y in self.made(pieces[place], a):
                            below = layers.setdefault(remaining - {place}, {})
                            _put(below, x, y)
                            for c in layer[a]:
                                _put(below, x, c)
                                _put(below, y, c)
                                for d in layer[a] & layer[c]:
                                    if fits(a, c, d):
                                        _put(below, c, d)
                for one, other in combinations(remaining, 2):
                    for x, y in self.made(pieces[one], pieces[other]):
                        below = layers.setdefault(remaining - {one, other}, {})
                        _put(below, x, y)
                        for c in layer:
                            _put(below, x, c)
                            _put(below, y, c)
                            for d in layer[c]:
                                _put(below, c, d)
        return layers

    def _close(self, layer: Beside, fits: Callable[[Piece, Piece, Piece], bool]) -> None:
        """Lay all exchanges within a layer until nothing new comes of them."""
        size = -1
        while size < (size := sum(map(len, layer.values()))):
            for a in list(layer):
                for b in list(layer[a]):
                    for x, y in self.made(a, b):
                        _put(layer, x, y)
                        for c in layer[a] & layer[b] - (layer[x] & layer[y]):
                            if fits(a, b, c):
                                _put(layer, x, c)
                                _put(layer, y, c)


def game_of(record: Record) -> Game:
    """The game of a rule record, the same for all tests, so that nothing is worked out again in each."""
    return _game_of(json.dumps(record, sort_keys=True))


@cache
def _game_of(text: str) -> Game:
    return Game(json.loads(text))


def _put(layer: Beside, one: Piece, other: Piece) -> None:
    layer.setdefault(one, set()).add(other)
    layer.setdefault(other, set()).add(one)


def all_exchanges(a: Group, b: Group) -> Iterator[Groups]:
    """Every exchange between two groups, valid or not: one tile for one, or a whole pair for two of a triple."""
    for i, one in enumerate(a):
        for j, other in enumerate(b):
            yield make_group((*without(a, i), other)), make_group((*without(b, j), one))
    for triple, pair in ((a, b), (b, a)):
        if len(triple) == 3 and len(pair) == 2:
            for kept, tile in enumerate(triple):
                yield make_group((tile, *pair)), make_group(without(triple, kept))


def without(items: tuple[Any, ...], *places: int) -> tuple[Any, ...]:
    """A tuple without the items at some places."""
    return tuple(item for place, item in enumerate(items) if place not in places)


# Shuffling

WORD = 2**64


def philox(key: int, counter: int) -> list[int]:
    """One block of four words of Philox4x64-10 (Salmon et al. 2011, section 3.3)."""
    c0, c1, c2, c3 = (counter >> shift & WORD - 1 for shift in (0, 64, 128, 192))
    k0, k1 = key % WORD, key >> 64
    for _ in range(10):
        high0, low0 = divmod(0xD2E7470EE14C6C93 * c0, WORD)
        high1, low1 = divmod(0xCA5A826395121157 * c2, WORD)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0 = (k0 + 0x9E3779B97F4A7C15) % WORD
        k1 = (k1 + 0xBB67AE8584CAA73B) % WORD
    return [c0, c1, c2, c3]


def words(seed: int, index: int, stream: int) -> Iterator[int]:
    """The words of one shuffle: blocks 1, 2, ... of the counter's lowest word."""
    block = index * 2**64 + stream * 2**192
    while True:
        block += 1
        yield from philox(seed, block)


def shuffle(size: int, source: Iterator[int]) -> list[int]:
    """Fisher-Yates with words from a source; those that would favour low places are skipped."""
    order = list(range(size))
    for place in range(size - 1, 0, -1):
        choices = place + 1
        word = next(word for word in source if word < WORD - WORD % choices)
        order[place], order[word % choices] = order[word % choices], order[place]
    return order


LAYOUTS: dict[str, tuple[int, int, int]] = {"ten": (0, 10, 1), "shanghai": (1, 10, 0), "eight": (2, 8, 4)}
"""For each layout its stream, its triples and its pairs."""


def tiles_of_layout(layout: str) -> Counter[str]:
    """The tiles that are dealt."""
    return SET - Counter(["24", "46"]) if layout == "shanghai" else SET


def fit(groups: Collection[Group], layout: str) -> bool:
    """Whether some groups can stand together in a layout."""
    pairs = [one for one in groups if len(one) == 2]
    return not tiles_of(groups) - tiles_of_layout(layout) and len(pairs) <= LAYOUTS[layout][2]


def deal(seed: int, index: int, layout: str) -> list[Group]:
    """One random deal, triples before pairs."""
    stream, triples, pairs = LAYOUTS[layout]
    tiles = [tile for tile in CIVILIAN for _ in range(2)] + list(MILITARY)
    if layout == "shanghai":
        tiles.remove("24")
        tiles.remove("46")
    shuffled = [tiles[place] for place in shuffle(len(tiles), words(seed, index, stream))]
    cut = 3 * triples
    return [make_group(shuffled[start : start + 3]) for start in range(0, cut, 3)] + [
        make_group(shuffled[start : start + 2]) for start in range(cut, cut + 2 * pairs, 2)
    ]


# Goals

SHANGHAI_INGOTS = (("16", "16", "36"), ("15", "15", "35"))
CIVIL_PAIRS = {("66", "66"), ("11", "11"), ("44", "44"), ("13", "13")}
MILITARY_PAIRS = {("36", "45"), ("26", "35"), ("25", "34"), ("14", "23")}


def ends(one: Group) -> str:
    """The ends of a group's tiles, ascending."""
    return "".join(sorted("".join(one)))


def goal_reached(game: Game, position: Sequence[Group], goal: str) -> bool:
    """Whether all groups are valid and what a goal asks for (rules, from "Predetermined goals" on)."""
    pairs = {one for one in position if len(one) == 2}
    triples = [one for one in position if len(one) == 3]
    if not all(game.valid(one) for one in position):
        return False
    if goal.startswith("pair:"):
        return pairs == {group(goal.removeprefix("pair:"))}
    if goal == "five-dragons":
        dragons = [one for one in triples if ends(one) == "123456"]
        five_sons = [one for one in triples if max(Counter(ends(one)).values()) == 5]
        return pairs == {("22", "22")} and len(dragons) == len(five_sons) == 5
    if goal == "generals":
        return pairs == {("13", "13")} and all(is_harmony(one) for one in triples)
    if goal == "shanghai":
        patterns = Counter(ends(one) for one in triples if one not in SHANGHAI_INGOTS)
        ingots = [one for one in triples if one in SHANGHAI_INGOTS]
        return patterns == {"123456": 4, "112233": 2, "445566": 2} and sorted(ingots) == sorted(SHANGHAI_INGOTS)
    if goal == "eight-civil":
        return pairs == CIVIL_PAIRS
    if goal == "eight-military":
        return pairs == MILITARY_PAIRS
    if goal == "eight":
        return pairs in (CIVIL_PAIRS, MILITARY_PAIRS)
    return goal == "any"


def is_harmony(triple: Group) -> bool:
    """Whether a triple is two equal civilian tiles and a military one."""
    return len(set(triple)) == 2 and any(tile in MILITARY for tile in triple)


def partitions(tiles: Counter[str], groups: Collection[Group]) -> Iterator[Groups]:
    """All ways to split some tiles into these groups, each a sorted tuple and each once.

    The first tile left is the first of the next group; groups that begin alike come in their order.
    """

    def extended(laid: Groups, rest: Counter[str]) -> Iterator[Groups]:
        if not rest:
            yield laid
            return
        first = min(rest)
        for one in ordered:
            if one[0] == first and laid[-1:] <= (one,) and not Counter(one) - rest:
                yield from extended((*laid, one), rest - Counter(one))

    ordered = sorted(groups)
    yield from extended((), tiles)


def partition_counter(groups: Collection[Group]) -> Callable[[Counter[str]], int]:
    """A function that tells in how many ways some tiles split into these groups, keeping what it found.

    As in ``partitions``, but military tiles first, which are in fewer triples; tiles are digits of a number, three
    bits each, of which the highest shows that a digit was too small.
    """
    place = {tile: 3 * index for index, tile in enumerate(MILITARY + CIVILIAN)}
    guards = sum(4 << shift for shift in place.values())

    def number(tiles: Iterable[str]) -> int:
        return sum(1 << place[tile] for tile in tiles)

    beginning: dict[int, list[int]] = {shift: [] for shift in place.values()}
    for one in groups:
        beginning[min(place[tile] for tile in one)].append(number(one))

    @cache
    def count(rest: int, least: int) -> int:
        if not rest:
            return 1
        first = lowest(rest)
        total = 0
        for index in range(least, len(beginning[first])):
            left = (rest | guards) - beginning[first][index]
            if left & guards == guards:
                left ^= guards
                total += count(left, index if left and lowest(left) == first else 0)
        return total

    def lowest(rest: int) -> int:
        return ((rest & -rest).bit_length() - 1) // 3 * 3

    return lambda tiles: count(number(tiles.elements()), 0)


# The plain


def layout_tiles(layout: str) -> Counter[str]:
    """The tiles of a layout."""
    return SET - Counter(("24", "46")) if layout == "shanghai" else SET


def valid_positions(game: Game, layout: str) -> set[Groups]:
    """All ways to share out a layout's tiles among valid groups: one of them must hold the first tile that is left."""
    holders = {tile: [one for one in game.valid_groups if tile in one] for tile in SET}
    # Tiles that few groups hold come first, so that dead ends end soon; any order finds the same.
    order = sorted(SET, key=lambda tile: len(holders[tile]))

    needs = {one: [(order.index(tile), one.count(tile)) for tile in set(one)] for one in game.valid_groups}

    @cache
    def completions(left: tuple[int, ...], pairs: int) -> set[Groups]:
        if not any(left):
            return set() if pairs else {()}
        first = next(place for place, count in enumerate(left) if count)
        found = set()
        for one in holders[order[first]]:
            after = list(left)
            for place, count in needs[one]:
                after[place] -= count
            if min(after) >= 0 and (len(one) == 3 or pairs):
                rest = completions(tuple(after), pairs - (len(one) == 2))
                found |= {tuple(sorted((one, *others))) for others in rest}
        return found

    return completions(tuple(layout_tiles(layout)[tile] for tile in order), LAYOUTS[layout][2])


def distances(game: Game, starts: Iterable[Groups]) -> dict[Groups, int]:
    """How many moves it takes to each position that can be reached from one of some valid positions."""
    known = dict.fromkeys(starts, 0)
    level = list(known)
    while level:
        after = {new for position in level for new in game.moves(position)} - known.keys()
        known |= dict.fromkeys(after, known[level[0]] + 1)
        level = list(after)
    return known


def components(game: Game, positions: Iterable[Groups]) -> list[set[Groups]]:
    """Valid positions that can reach each other, together; the largest first."""
    left = set(positions)
    found = []
    while left:
        component = set(distances(game, [next(iter(left))]))
        left -= component
        found.append(component)
    return sorted(found, key=len, reverse=True)


# All shortest solutions


def shortest_solutions(game: Game, deal: Sequence[Group]) -> list[tuple[Groups, ...]]:
    """All sequences of positions that lead from a deal to a final position in the fewest moves; none if none does."""
    paths: list[tuple[Groups, ...]] = [(tuple(sorted(deal)),)]
    moves = cache(game.moves)
    seen: set[Groups] = set()
    while paths:
        won = [path for path in paths if all(game.valid(one) for one in path[-1])]
        if won:
            return won
        seen |= {path[-1] for path in paths}
        paths = [(*path, after) for path in paths for after in moves(path[-1]) if after not in seen]
    return []


def exchanges_made(path: Sequence[Groups]) -> frozenset[Any]:
    """The exchanges of a sequence of positions in no order: the groups before and after each, and how often it is."""
    made: Counter[tuple[Groups, Groups]] = Counter()
    for before, after in pairwise(path):
        gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
        made[tuple(sorted(gone.elements())), tuple(sorted(come.elements()))] += 1
    return frozenset(made.items())


# Deals near their end, and all that can come of them


def spoiled(game: Game, position: Groups, random: Random) -> Groups:
    """A position with one exchange between two groups that are valid, after which they are not both.

    Its reverse is a move, so what was final can be again.
    """
    while True:
        i, j = sorted(random.sample(range(len(position)), 2))
        one, other = position[i], position[j]
        if game.valid(one) and game.valid(other):
            x, y = random.choice(list(all_exchanges(one, other)))
            if not (game.valid(x) and game.valid(y)) and not tiles_of([x, y]) - SET:
                return tuple(sorted((*without(position, i, j), x, y)))


def stirred(game: Game, position: Groups, random: Random) -> Groups:
    """A position with any exchange between two groups that changes something; often there is no way back."""
    while True:
        i, j = sorted(random.sample(range(len(position)), 2))
        x, y = random.choice(list(all_exchanges(position[i], position[j])))
        if {x, y} != {position[i], position[j]}:
            return tuple(sorted((*without(position, i, j), x, y)))


def reachable(deal: Groups, moves: Callable[[Groups], Collection[Groups]], most: int) -> dict[Groups, int] | None:
    """The fewest moves to each position that can be reached, the deal included; None if they are more than ``most``."""
    known = {deal: 0}
    level = [deal]
    while level:
        level = sorted({after for position in level for after in moves(position)} - known.keys())
        known |= dict.fromkeys(level, max(known.values()) + 1)
        if len(known) > most:
            return None
    return known


class Restricted(Game):
    """A game in which some groups are not valid after all, and some invalid ones are repaired only in certain ways.

    Each of ``only`` is an invalid group, some valid groups, and whether its partner has to be one of these and none
    may be left; otherwise one of them has to be made.
    """

    def __init__(
        self, game: Game, excluded: Collection[Group], only: Collection[tuple[Group, Collection[Group], bool]]
    ) -> None:
        self._game = game
        self._excluded = excluded
        self._only = only
        super().__init__(game.record)

    def names(self, one: Group) -> frozenset[str]:
        """All names of a group."""
        return frozenset() if one in self._excluded else self._game.names(one)

    def exchanges(self, a: Group, b: Group) -> frozenset[Groups]:
        """What two groups can become by one exchange that is left."""
        return frozenset(self.filtered(a, b, self._game.exchanges(a, b)))

    def filtered(self, a: Group, b: Group, results: Iterable[Groups]) -> list[Groups]:
        """Those results of an exchange between two groups that are left."""
        return [(x, y) for x, y in results if self.names(x) and self.names(y) and self._left(a, b, x, y)]

    def _left(self, a: Group, b: Group, x: Group, y: Group) -> bool:
        for one, locked, breaks in self._only:
            if one in (a, b):
                made = x in locked or y in locked
                broken = (a in locked or b in locked) and not made
                if not (broken if breaks else made):
                    return False
        return True


def leading_to(game: Game, deal: Groups, wanted: Groups, *, layered: bool = False) -> set[Groups]:
    """All positions, with no invalid groups but dealt ones, from which moves lead to a wanted position.

    Any exchange can be undone by an exchange, so each position before another is one exchange away. Those are left out,
    and not gone on from, in which a valid group stands that can't appear while one of the invalid ones remains, or that
    can't appear at all; and ``layered``, those too with two valid groups that never stand beside each other while just
    the invalid ones remain.
    """
    dealt = Counter(one for one in deal if not game.valid(one))
    while_left = {group: game.relaxed_closure(deal, {deal.index(group)}) for group in dealt}
    ever = game.relaxed_closure(deal, set())
    lost = [place for place, one in enumerate(deal) if not game.valid(one)]
    layers = game.layered_closure(deal, lost) if layered else {}

    def can_be(position: Groups) -> bool:
        valid = {one for one in position if game.valid(one)}
        left = Counter(one for one in position if not game.valid(one))
        if left - dealt or not valid <= ever or not all(valid <= while_left[group] for group in left):
            return False
        return not layered or can_stand([one for one in position if game.valid(one)], left)

    def can_stand(valid: Sequence[Group], left: Counter[Group]) -> bool:
        remaining: list[int] = []
        for group, number in left.items():
            remaining += [place for place in lost if deal[place] == group][:number]
        layer = layers.get(frozenset(remaining), {})
        return all((b, -1) in layer.get((a, -1), ()) for a, b in combinations(valid, 2))

    found = {wanted} if can_be(wanted) else set()
    level = list(found)
    while level:
        before = {
            tuple(sorted((*without(position, i, j), x, y)))
            for position in level
            for i, j in combinations(range(len(position)), 2)
            if game.valid(position[i]) and game.valid(position[j])
            for x, y in all_exchanges(position[i], position[j])
            if (game.valid(x) or x in dealt) and (game.valid(y) or y in dealt)
        }
        level = [one for one in before - found if can_be(one)]
        found |= set(level)
    return found
