"""A slow, obvious engine of Daifugō, to be checked against the rules by eye: the twin of the kernels.

Nothing here knows the library. A card is its text (``s10``), the joker ``jk``; a hand is a sorted list of cards, in
which a card of two packs may stand twice. A rule record is the dict of its JSON.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations, combinations_with_replacement
from operator import and_
from random import Random
from typing import Any

Record = Mapping[str, Any]
Cards = tuple[str, ...]

SUITS = ["c", "d", "h", "s"]
RANKS = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
JOKER = "jk"


PLACE = {card: place for place, card in enumerate([*(suit + rank for rank in RANKS for suit in SUITS), JOKER])}


def in_order(cards: Iterable[str]) -> Cards:
    """Cards as they are written: by rank, then by suit; jokers last."""
    return tuple(sorted(cards, key=PLACE.__getitem__))


def pack(rules: Record) -> list[str]:
    """All cards that a rule record is played with."""
    one = [suit + rank for rank in RANKS for suit in SUITS] + [JOKER] * rules["jokers"]
    return list(in_order(one * rules["decks"]))


# Plays


@dataclass(frozen=True)
class Play:
    """A set or a sequence: the cards that leave the hand, and the cards that they are, each joker as what it stands for
    (a joker that stands for nothing stays a joker)."""

    kind: str
    cards: Cards
    stands: Cards

    def __str__(self) -> str:
        natural = [card for card in self.cards if card != JOKER]
        named = in_order((Counter(self.stands) - Counter(natural)).elements())
        return " ".join([*natural, *(card if card == JOKER else f"{JOKER}={card}" for card in named)])

    @property
    def is_jokers(self) -> bool:
        """Whether it is jokers alone."""
        return set(self.stands) == {JOKER}

    @property
    def ranks(self) -> list[str]:
        """The rank of each card that it is."""
        if self.is_jokers:
            return []
        return [self.stands[0][1:] if card == JOKER else card[1:] for card in self.stands]

    @property
    def suits(self) -> Counter[str]:
        """The suits that can be locked: of a sequence its one suit."""
        suits = [card[0] for card in self.stands if card != JOKER]
        return Counter(suits[:1] if self.kind == "sequence" else suits)


def sets(hand: Sequence[str], rules: Record) -> Iterator[Play]:
    """Every set that a hand can make, those of jokers alone too."""
    jokers = hand.count(JOKER)
    for size in range(1, min(jokers, rules["max_set"]) + 1):
        yield Play("set", (JOKER,) * size, (JOKER,) * size)
    for rank in dict.fromkeys(card[1:] for card in hand if card != JOKER):
        for natural in some_of([card for card in hand if card != JOKER and card[1:] == rank]):
            for used in range(jokers + 1):
                if 1 <= len(natural) <= len(natural) + used <= rules["max_set"]:
                    for stands in namings(natural, used, rules):
                        yield Play("set", natural + (JOKER,) * used, stands)


def namings(natural: Cards, jokers: int, rules: Record) -> list[Cards]:
    """All that a set of natural cards and jokers can be; where suits can't be locked they matter to nobody."""
    if not jokers:
        return [natural]
    whole = Counter(suit + natural[0][1:] for suit in SUITS for _ in range(rules["decks"]))
    free = in_order((whole - Counter(natural)).elements())
    bare = max(jokers - len(free), 0)
    chosen = list(dict.fromkeys(combinations(free, jokers - bare)))
    return [
        in_order(natural + named) + (JOKER,) * bare for named in (chosen[:1] if rules["suit_lock"] == "off" else chosen)
    ]


def some_of(cards: Sequence[str]) -> set[Cards]:
    """Every choice of some cards, or of none, whichever of two identical ones is taken."""
    return {in_order(chosen) for size in range(len(cards) + 1) for chosen in combinations(cards, size)}


def sequences(cards_held: Sequence[str], rules: Record) -> Iterator[Play]:
    """Every sequence that a hand can make: in each there is a natural card, and any other may be a joker."""
    jokers, hand = cards_held.count(JOKER), set(cards_held)
    ranks = RANKS if rules["sequence_two"] else RANKS[:-1]
    for suit in SUITS:
        for start in range(len(ranks)):
            for end in range(start + 3, len(ranks) + 1):
                cards = tuple(suit + rank for rank in ranks[start:end])
                held = [card for card in cards if card in hand]
                if len(cards) - len(held) > jokers:
                    break
                for natural in some_of(held) if jokers else [cards]:
                    used = len(cards) - len(natural)
                    if natural and used <= jokers:
                        yield Play("sequence", natural + (JOKER,) * used, cards)


def plays(hand: Sequence[str], rules: Record) -> list[Play]:
    """Every play that a hand can make."""
    return [*sets(hand, rules), *(sequences(hand, rules) if rules["sequences"] else ())]


def readings(cards: Sequence[str], rules: Record) -> set[Play]:
    """Every play that exactly these cards are, found by trying each joker as each card."""
    natural = [card for card in cards if card != JOKER]
    jokers = len(cards) - len(natural)
    if not natural:
        return {Play("set", tuple(cards), tuple(cards))} if 0 < jokers <= rules["max_set"] else set()
    bare = max(len(cards) - len(SUITS) * rules["decks"], 0)
    found = set()
    for named in combinations_with_replacement([card for card in PLACE if card != JOKER], jokers):
        if is_sequence(in_order([*natural, *named]), rules):
            found.add(Play("sequence", in_order(cards), in_order([*natural, *named])))
    for named in combinations_with_replacement([card for card in PLACE if card != JOKER], max(jokers - bare, 0)):
        if len(cards) <= rules["max_set"] and is_set([*natural, *named], rules):
            found.add(Play("set", in_order(cards), in_order([*natural, *named]) + (JOKER,) * bare))
            if rules["suit_lock"] == "off":
                break
    return found


def is_set(cards: Sequence[str], rules: Record) -> bool:
    """Whether cards that exist are all of one rank."""
    return len({card[1:] for card in cards}) == 1 and max(Counter(cards).values()) <= rules["decks"]


def is_sequence(cards: Sequence[str], rules: Record) -> bool:
    """Whether cards follow upon each other in one suit."""
    ranks = [RANKS.index(card[1:]) for card in cards]
    if not rules["sequences"] or len(cards) < 3 or (cards[-1][1:] == "2" and not rules["sequence_two"]):
        return False
    return len({card[0] for card in cards}) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def strength(rank: str, is_reversed: bool) -> int:
    """How high a rank is."""
    return -RANKS.index(rank) if is_reversed else RANKS.index(rank)


def beats(play: Play, table: Play, is_reversed: bool, rules: Record) -> bool:
    """Whether a play may follow another, suits left aside."""
    if is_spade_three_on_joker(play, table, rules):
        return True
    if play.kind != table.kind or len(play.cards) != len(table.cards) or table.is_jokers:
        return False
    if play.is_jokers:
        return True
    mine = [strength(rank, is_reversed) for rank in play.ranks]
    theirs = [strength(rank, is_reversed) for rank in table.ranks]
    if play.kind == "sequence" and rules["sequence_compare"] == "no_overlap":
        return min(mine) > max(theirs)
    return max(mine) > max(theirs) or (max(mine) == max(theirs) and rules["compare"] == "equal_or_higher")


def is_spade_three_on_joker(play: Play, table: Play, rules: Record) -> bool:
    """Whether this is the one play that beats a single joker."""
    return rules["spade_three"] != "off" and play.cards == ("s3",) and table.cards == (JOKER,)


def legal_plays(
    hand: Sequence[str],
    rules: Record,
    table: Play | None = None,
    is_reversed: bool = False,
    lock: Mapping[str, int] | None = None,
) -> list[Play]:
    """Every play of a hand that may follow the one on the table, or if there is none all."""
    if table is None:
        return plays(hand, rules)
    return [
        play
        for play in (sets(hand, rules) if table.kind == "set" else sequences(hand, rules))
        if beats(play, table, is_reversed, rules)
        and (play.is_jokers or is_spade_three_on_joker(play, table, rules) or not Counter(lock) - play.suits)
    ]


def locked(trick: Sequence[Play], rules: Record) -> Counter[str]:
    """The suits that the plays of a trick have locked."""
    lock: Counter[str] = Counter()
    after = rules["suit_lock_after"]
    for end in range(after, len(trick) + 1):
        row = [counting_suits(play, rules) for play in trick[end - after : end]]
        common = reduce(and_, row)
        if rules["suit_lock"] == "partial":
            lock |= common
        if rules["suit_lock"] == "full" and all(suits == trick[end - 1].suits for suits in row):
            lock |= common
    return lock


def counting_suits(play: Play, rules: Record) -> Counter[str]:
    """The suits with which a play may make a lock."""
    return play.suits if JOKER not in play.cards or rules["joker_locks"] else Counter()


# What a play does


def is_revolution(play: Play, rules: Record) -> bool:
    """Whether a play turns the order of ranks."""
    if play.is_jokers:
        return False
    size = len(play.cards)
    if play.kind == "sequence":
        return size >= {"off": 99, "five": 5, "four": 4}[rules["revolution_sequences"]]
    natural = size - play.cards.count(JOKER)
    if rules["revolution_quads"] == "any" and size >= 4:
        return True
    if rules["revolution_quads"] == "natural" and natural >= 4:
        return True
    three_threes = play.ranks == ["3", "3", "3"] and (natural == 3 or rules["revolution_quads"] != "natural")
    return bool(rules["revolution_three_threes"] and three_threes)


def clears(play: Play, table: Play | None, is_reversed: bool, rules: Record) -> bool:
    """Whether a play clears the table at once."""
    if rules["eight_stop"] != "off" and "8" in play.ranks:
        return True
    if rules["two_clears"] and play.kind == "set" and set(play.ranks) == {"3" if is_reversed else "2"}:
        return True
    return rules["spade_three"] == "clears" and table is not None and is_spade_three_on_joker(play, table, rules)


def is_forbidden_finish(play: Play, is_reversed: bool, rules: Record) -> bool:
    """Whether nobody may go out with a play."""
    if rules["eight_stop"] == "on_no_finish" and "8" in play.ranks:
        return True
    if rules["forbidden_finish"] == "off":
        return False
    if JOKER in play.cards:
        return True
    if rules["forbidden_finish"] == "joker_only":
        return False
    top_of_sequences = "2" if rules["sequence_two"] else "A"
    if is_reversed:
        return "3" in play.ranks
    return "2" in play.ranks or (play.kind == "sequence" and play.ranks[-1] == top_of_sequences)


# A deal


@dataclass
class Deal:
    """A deal in play; seats are numbered clockwise."""

    rules: Record
    hands: list[list[str]]
    turn: int
    daifugo: int | None = None
    played: list[str] = field(default_factory=list)
    trick: list[Play] = field(default_factory=list)
    last: int | None = None
    passed: set[int] = field(default_factory=set)
    out: list[int] = field(default_factory=list)
    forbidden: list[int] = field(default_factory=list)
    fallen: int | None = None
    is_reversed: bool = False
    is_pending: bool = False
    is_turned_by_jack: bool = False
    discards: int = 0
    does_clear: bool = False
    is_forbidden: bool = False
    revolutions: int = 0
    actions: int = 0

    def copy(self) -> Deal:
        """The same deal to be played on by itself."""
        own: dict[str, Any] = {name: list(getattr(self, name)) for name in ("played", "trick", "out", "forbidden")}
        return replace(self, hands=[list(hand) for hand in self.hands], passed=set(self.passed), **own)

    @property
    def in_play(self) -> list[int]:
        """The seats with cards, less a fallen Daifugō who had to drop out."""
        drops = self.rules["miyako_ochi_timing"] == "at_once"
        return [seat for seat, hand in enumerate(self.hands) if hand and not (drops and seat == self.fallen)]

    @property
    def table(self) -> Play | None:
        """The play to beat."""
        return self.trick[-1] if self.trick else None

    @property
    def lock(self) -> Counter[str]:
        """The suits that the trick is locked to."""
        return locked(self.trick, self.rules)

    @property
    def order(self) -> bool:
        """Whether the order of ranks is reversed just now."""
        return self.is_reversed != self.is_turned_by_jack

    @property
    def is_over(self) -> bool:
        """Whether no two players are left."""
        return len(self.in_play) <= 1

    def legal(self) -> list[Play]:
        """Every play of the one to act, passing left out."""
        return legal_plays(self.hands[self.turn], self.rules, self.table, self.order, self.lock)

    def play(self, play: Play) -> None:
        """Make a play for the one to act."""
        order, table = self.order, self.table
        self.actions += 1
        self.does_clear = clears(play, table, order, self.rules)
        self.is_forbidden = is_forbidden_finish(play, order, self.rules)
        for card in play.cards:
            self.hands[self.turn].remove(card)
            self.played.append(card)
        self.trick.append(play)
        self.last = self.turn
        if not self.rules["pass_is_final"]:
            self.passed = set()
        if is_revolution(play, self.rules):
            self.revolutions += 1
            if self.rules["revolution_timing"] == "immediately":
                self.is_reversed = not self.is_reversed
            else:
                self.is_pending = not self.is_pending
        if self.rules["eleven_back"] and "J" in play.ranks:
            self.is_turned_by_jack = not self.is_turned_by_jack
        if self.rules["ten_discard"]:
            self.discards = min(play.ranks.count("10"), len(self.hands[self.turn]))
        if not self.discards:
            self.conclude()

    def discard(self, card: str | None) -> None:
        """Discard a card face down, or none (and no more) for the one to act."""
        self.actions += 1
        if card is None:
            self.discards = 0
        else:
            self.hands[self.turn].remove(card)
            self.discards -= 1
        if not self.discards:
            self.conclude()

    def pass_(self) -> None:
        """Pass for the one to act."""
        self.actions += 1
        self.passed.add(self.turn)
        self.advance()

    def conclude(self) -> None:
        """What follows a play: going out, clearing the table, the next turn."""
        if not self.hands[self.turn]:
            self.out.append(self.turn)
            if self.is_forbidden:
                self.forbidden.append(self.turn)
            self.see_who_falls()
        if self.is_over:
            return
        if self.does_clear:
            self.clear_table()
        else:
            self.advance()

    def see_who_falls(self) -> None:
        """Miyako-ochi: the Daifugō falls as soon as another is the first."""
        allowed = [seat for seat in self.out if seat not in self.forbidden]
        first = allowed[0] if allowed else self.in_play[0] if self.is_over else None
        if self.rules["miyako_ochi"] and self.daifugo is not None and first not in (None, self.daifugo):
            self.fallen = self.daifugo

    def clockwise(self, seat: int) -> list[int]:
        """All seats from the left of one on, that one last."""
        return [(seat + step) % len(self.hands) for step in range(1, len(self.hands) + 1)]

    def advance(self) -> None:
        """To the next player who may still play in this trick; if there is none, the last to play takes it."""
        may = [seat for seat in self.clockwise(self.turn) if seat in self.in_play and seat not in self.passed]
        if self.rules["trick_end"] == "others_passed":
            may = [seat for seat in may if seat != self.last]
        if may:
            self.turn = may[0]
        else:
            self.clear_table()

    def clear_table(self) -> None:
        """The last to play leads, or the next player to the left who still holds cards."""
        assert self.last is not None
        self.trick = []
        self.passed = set()
        self.is_reversed = self.is_reversed != self.is_pending
        self.is_pending = self.is_turned_by_jack = False
        lead = [self.last, *self.clockwise(self.last)]
        self.turn = next(seat for seat in lead if seat in self.in_play)

    def places(self) -> list[int]:
        """Who came first, second, and so on, once the deal is over."""
        allowed = [seat for seat in self.out if seat not in self.forbidden]
        ranking = [*allowed, *self.in_play, *reversed(self.forbidden)]
        return [seat for seat in ranking if seat != self.fallen] + [seat for seat in [self.fallen] if seat is not None]


# Play at random


def deal_at_random(rules: Record, players: int, random: Random, cards: int = 99) -> Deal:
    """A deal of all cards, or of so many of them drawn, one at a time clockwise."""
    drawn = pack(rules)
    random.shuffle(drawn)
    hands = [list(in_order(drawn[:cards][seat::players])) for seat in range(players)]
    return Deal(rules, hands, random.randrange(players), random.choice([None, *range(players)]))


def act_at_random(deal: Deal, random: Random) -> None:
    """One action of the one to act: each play, and passing, with the same chance."""
    if deal.discards:
        deal.discard(random.choice([None, *deal.hands[deal.turn]]))
        return
    chosen = random.choice([*deal.legal(), *([None] if deal.trick else [])])
    if chosen is None:
        deal.pass_()
    else:
        deal.play(chosen)
