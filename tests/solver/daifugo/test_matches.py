"""Matches in kernels against a plain replay in Python, which also sees to it that only legal plays are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.random import Philox

from solver.daifugo.cards import DIAMOND_THREE, JOKER_RANK, NATURAL, Hand, deck, to_hand
from solver.daifugo.choosers import Chooser, Memory
from solver.daifugo.endgame import Limits, solve_state
from solver.daifugo.exchange import exchanges, first_leader, is_gift, scores, seating, swaps_titles
from solver.daifugo.matches import (
    CARDS_STREAM,
    CHOICES_STREAM,
    DEAL,
    LOT_STREAM,
    NONE,
    ROUND_BITS,
    Matches,
    Table,
    scores_of,
)
from solver.daifugo.plays import Play, book_of, legal_plays
from solver.daifugo.policies import NAMES, policy_of
from solver.daifugo.rules import MOST_PLAYERS, PRESETS, RuleSet
from solver.daifugo.state import _begin, _discard, _is_over, _order, _pass, _play, new_state, places_of, table_row
from solver.errors import InputError
from solver.shuffle import shuffle

SEED = 7
NOTHING: Hand = (0, 0)

MANY = RuleSet(
    id="many",
    jokers=2,
    revolution_quads="any",
    revolution_three_threes=True,
    joker_revolution=True,
    miyako_ochi=True,
    miyako_ochi_timing="at_once",
    suit_lock="partial",
    forbidden_finish="on",
    spade_three="on",
    eight_stop="on_no_finish",
    eleven_back=True,
    ten_discard=True,
    seating="by_result",
    exchange="two_cards_always",
    joker_kept=True,
    rounds=4,
)
BIG = RuleSet(
    id="big", decks=2, max_set=5, ten_discard=True, on_request=True, seating="by_result_reversed", leader="winner",
    exchange="president", rounds=3,
)  # fmt: skip
DIAMONDS = RuleSet(id="diamonds", decks=2, leader="three_of_diamonds", revolution_quads="natural", rounds=3)

RULES = [
    (PRESETS["traditional"], 4),
    (PRESETS["traditional"], 6),
    (PRESETS["president"], 3),
    (PRESETS["polish"], 4),
    (PRESETS["uecda"], 5),
    (PRESETS["1979"], 5),
    (MANY, 4),
    (BIG, 8),
    (DIAMONDS, 6),
]


def counter(hand: Hand) -> Counter[int]:
    first, second = hand
    found = Counter(card for card in range(NATURAL) if first >> card & 1)
    found.update(card for card in range(NATURAL) if second >> card & 1)
    found[NATURAL] = (first >> NATURAL).bit_count()
    return +found


def hand(cards: Counter[int]) -> Hand:
    assert all(count in (1, 2) for card, count in cards.items() if card < NATURAL and count)
    first = sum(1 << card for card, count in cards.items() if card < NATURAL and count)
    second = sum(1 << card for card, count in cards.items() if card < NATURAL and count == 2)
    return first | ((1 << cards[NATURAL]) - 1) << NATURAL, second


class PlainMatch:
    """A match as one would write it down, one action after the other; policies are asked through ``Chooser``."""

    def __init__(self, table: Table, seed: int, number: int) -> None:
        self.rules, self.players = table.rules, len(table.players)
        self.seed, self.number = seed, number
        self.choosers = [Chooser(policy_of(name), table.rules) for name in table.players]
        self.order = list(range(self.players))
        self.before: list[int] | None = None
        self.whole = counter(to_hand((cards := deck(self.rules.decks, self.rules.jokers)).full, cards))
        self.records = np.zeros(0, dtype=DEAL)

    def asked(self, seat: int) -> Chooser:
        """The chooser of who sits there, with the generator that all share."""
        chooser = self.choosers[self.order[seat]]
        chooser._room.mind.words[0] = self.word
        self.last = chooser
        return chooser

    def done(self) -> None:
        self.word = self.last._room.mind.words[0]

    def play(self, rounds: int) -> np.ndarray:
        return np.concatenate([self.play_deal(number) for number in range(rounds)])

    def play_deal(self, number: int) -> np.ndarray:
        self.deal_number = number
        record = np.zeros(1, dtype=DEAL)
        for name in ("places", "before", "without"):
            record[name] = NONE
        index = (self.number << ROUND_BITS) + number
        self.word = Philox(key=self.seed, counter=(index << 64) | (CHOICES_STREAM << 192)).random_raw()
        places = self.seat()
        dealer = self.players - 1 if places is None else places.index(self.players - 1)
        self.deal(index, dealer)
        if places is not None:
            if swaps_titles([hand(cards) for cards in self.hands], places, self.rules):
                record["swapped"] = 1
                places = [self.players - 1 - place for place in places]
            for seat, place in enumerate(places):
                record["before"][0, self.order[seat]] = place
        self.known = [[Counter() for _ in range(self.players)] for _ in range(self.players)]
        self.limits: list[dict[int, int]] = [{} for _ in range(self.players)]
        self.keeps: set[int] = set()
        self.gone = [Counter() for _ in range(self.players)]
        if places is not None:
            self.exchange(places)
        drawn = shuffle(self.players, self.seed, self.number << ROUND_BITS, LOT_STREAM)[0]
        leader = first_leader(self.rules, [hand(cards) for cards in self.hands], dealer, places, drawn)
        if self.rules.leader == "three_of_diamonds":
            for viewer in range(self.players):
                if viewer != leader and not self.known[viewer][leader][DIAMOND_THREE]:
                    self.known[viewer][leader][DIAMOND_THREE] += 1
        champion = places.index(0) if places is not None and self.rules.miyako_ochi else -1
        state = self.run(leader, champion, record)
        ends = places_of(state)
        self.before = [ends[self.order.index(player)] for player in range(self.players)]
        record["places"][0, : self.players] = self.before
        record["leader"] = self.order[leader]
        record["revolutions"] = state["revolutions"]
        record["fell"] = state["fallen"] != 0
        record["forbidden"] = int(state["forbidden"]).bit_count()
        return record

    def seat(self) -> list[int] | None:
        """Take seats; the place of each seat in the deal before."""
        if self.before is None:
            return None
        self.order = list(seating(self.rules, self.order, self.before))
        return [self.before[player] for player in self.order]

    def deal(self, index: int, dealer: int) -> None:
        size = sum(self.whole.values())
        self.hands = [Counter() for _ in range(self.players)]
        for place, card in enumerate(shuffle(size, self.seed, index, CARDS_STREAM)):
            natural = card < NATURAL * self.rules.decks
            self.hands[(dealer + 1 + place) % self.players][card % NATURAL if natural else NATURAL] += 1
        assert sum(self.hands, Counter()) == self.whole

    def exchange(self, places: list[int]) -> None:
        gifts = []
        for poor_place, rich_place, count in exchanges(self.rules, self.players):
            poor, rich = places.index(poor_place), places.index(rich_place)
            wanted = NOTHING
            if self.rules.on_request:
                wanted = self.asked(rich).request(hand(self.hands[rich]), count, self.players)
                self.done()
                assert sum(counter(wanted).values()) == count
                assert counter(wanted) <= self.whole - self.hands[rich]
            keeps = self.rules.joker_kept and poor_place == self.players - 1
            had = hand(self.hands[poor])
            gift = self.asked(poor).give(had, count, self.players, wanted, keeps=keeps)
            self.done()
            assert counter(gift) <= counter(had)
            if not self.rules.on_request:
                assert any(is_gift(gift, had, count, keeps_jokers=kept) for kept in {False, keeps})
                naturals = [card for card in counter(gift) if card < NATURAL]
                self.limits[rich][poor] = min(naturals) // 4 if naturals else JOKER_RANK
                if keeps:
                    self.keeps.add(poor)
            gifts.append((poor, rich, count, counter(gift)))
        for poor, rich, _, gift in gifts:
            self.hands[poor] -= gift
            self.hands[rich] += gift
        for poor, rich, count, gift in gifts:
            back = counter(self.asked(rich).give_back(hand(self.hands[rich]), count, self.players))
            self.done()
            assert sum(back.values()) == count
            assert back <= self.hands[rich]
            self.hands[rich] -= back
            self.hands[poor] += back
            self.known[rich][poor] += back
            self.known[poor][rich] += gift - back

    def memory(self, seat: int) -> Memory:
        return Memory(
            known={other: hand(cards) for other, cards in enumerate(self.known[seat]) if +cards},
            limits=self.limits[seat],
            keeps=frozenset(self.keeps),
            gone=hand(self.gone[seat]),
            discarded={other: sum(cards.values()) for other, cards in enumerate(self.gone)},
        )

    def run(self, leader: int, champion: int, record: np.ndarray) -> np.void:
        state, switches = new_state(), book_of(self.rules).switches
        for seat, cards in enumerate(self.hands):
            state["first"][seat], state["second"][seat] = hand(cards)
        _begin(state, self.players, leader, champion)
        while not _is_over(state):
            seat = int(state["turn"])
            counts = [sum(cards.values()) for cards in self.hands]
            self.look(seat, state)
            if state["discards"]:
                self.discard(seat, state, counts)
            else:
                play = self.asked(seat).play(state, counts, self.memory(seat))
                self.done()
                if play is None:
                    assert state["size"]
                    record["passes"] += 1
                    _pass(state, switches)
                else:
                    assert play in self.legal(state)
                    record["plays"] += 1
                    self.hands[seat] -= counter(play.cards)
                    for viewer in range(self.players):
                        self.known[viewer][seat] -= counter(play.cards)
                    _play(state, play.to_row(), switches)
            assert [hand(cards) for cards in self.hands] == [
                (int(state["first"][seat]), int(state["second"][seat])) for seat in range(self.players)
            ]
            record["tricks"] += state["size"] == 0 and not state["discards"]
        record["tricks"] += state["size"] > 0
        return state

    def look(self, seat: int, state: np.void) -> None:
        """Called before each action."""

    def discard(self, seat: int, state: np.void, counts: list[int]) -> None:
        gone = self.asked(seat).discard(state, counts, self.memory(seat))
        self.done()
        if gone is not None:
            assert sum(counter(gone).values()) == 1
            assert counter(gone) <= self.hands[seat]
            self.hands[seat] -= counter(gone)
            self.gone[seat] += counter(gone)
        _discard(state, *map(np.int64, gone or NOTHING), book_of(self.rules).switches)

    def legal(self, state: np.void) -> list[Play]:
        table = table_row(state)
        return legal_plays(
            (int(state["first"][state["turn"]]), int(state["second"][state["turn"]])),
            self.rules,
            None if table is None else Play.from_row(table),
            is_reversed=bool(_order(state)),
            lock=int(state["lock"]),
        )


class WatchedMatch(PlainMatch):
    """Notes whenever a player of one name has to act, nothing is hidden from it, and it can win for certain."""

    def __init__(self, table: Table, seed: int, number: int, name: str) -> None:
        super().__init__(table, seed, number)
        self.name = name
        self.certain: set[tuple[int, int, int]] = set()

    def look(self, seat: int, state: np.void) -> None:
        rivals = [other for other in range(self.players) if other != seat and state["in_play"] >> other & 1]
        if len(rivals) > 1 or self.rules_of(seat) != self.name:
            return
        others = [other for other in range(self.players) if other != seat]
        hidden = [self.hands[other] for other in others if other not in rivals] + [self.gone[other] for other in others]
        cards = sum(sum(hand.values()) for hand in self.hands)
        if any(+some for some in hidden) or cards > 24:
            return
        if solve_state(state, self.rules, limits=Limits(memory=64, positions=100_000)).winner == seat:
            self.certain.add((self.deal_number, self.order[seat], self.order[rivals[0]]))

    def rules_of(self, seat: int) -> str:
        return self.choosers[self.order[seat]].policy.name


def outcomes(rules: RuleSet, players: int, names: tuple[str, ...], matches: int) -> list[bool]:
    """For each deal that the first of some players could win for certain from some point on, whether it did."""
    table, rounds = Table(rules, seated(names, players)), min(rules.rounds, 4)
    found = Matches(table, SEED).play(0, matches, rounds)["places"].reshape(matches, rounds, -1)
    won = []
    for number in range(matches):
        match = WatchedMatch(table, SEED, number, names[0])
        match.play(rounds)
        won += [found[number, deal, player] < found[number, deal, rival] for deal, player, rival in match.certain]
    return won


def seated(names: tuple[str, ...], players: int) -> tuple[str, ...]:
    return tuple(names[seat % len(names)] for seat in range(players))


def cases() -> Iterator[object]:
    for rules, players in RULES:
        for names in (("random",), ("greedy", "random"), ("rules", "greedy")):
            yield pytest.param(Table(rules, seated(names, players)), 4, id=f"{rules.id}-{players}-{'-'.join(names)}")
    for rules, players in [RULES[0], *RULES[4:]]:
        names = ("monte-carlo:6", "random", "rules")
        yield pytest.param(Table(rules, seated(names, players)), 1, id=f"{rules.id}-{players}-monte-carlo")


@pytest.mark.parametrize(("table", "matches"), [*cases()])
def test_matches_agree_with_a_plain_replay(table: Table, matches: int) -> None:
    rounds = min(table.rules.rounds, 4)
    found = Matches(table, SEED).play(3, matches, rounds)
    for match in range(matches):
        plain = PlainMatch(table, SEED, 3 + match).play(rounds)
        assert np.array_equal(found[match * rounds : (match + 1) * rounds], plain)


@pytest.mark.parametrize(
    ("rules", "players", "matches"),
    [
        (PRESETS["traditional"], 4, 6),
        (PRESETS["uecda"], 5, 6),
        (PRESETS["president"], 3, 4),
        (replace(MANY, ten_discard=False, id="many without discards"), 4, 8),
        (replace(BIG, ten_discard=False, id="big without discards"), 8, 4),
    ],
    ids=lambda value: getattr(value, "id", str(value)),
)
def test_monte_carlo_wins_each_endgame_that_is_won(rules: RuleSet, players: int, matches: int) -> None:
    won = outcomes(rules, players, ("monte-carlo:1", "rules"), matches)
    assert len(won) >= matches
    assert all(won)


def test_others_do_not_win_each_endgame_that_is_won() -> None:
    """So the test before this one can fail."""
    won = outcomes(PRESETS["president"], 3, ("rules", "greedy"), 8)
    assert not all(won)
    assert sum(won) > len(won) / 2


def test_nothing_is_remembered_from_one_match_to_another() -> None:
    """Not in the tables of exact searches either."""
    table = Table(replace(PRESETS["president"], rounds=2, id="two"), ("monte-carlo:2",) * 3)
    whole = Matches(table, SEED).play(0, 8)
    again = Matches(table, SEED)
    for number in (7, 2, 5):
        assert np.array_equal(again.play(number, 1), whole[2 * number : 2 * number + 2])


def test_tables_of_searches_are_only_for_who_searches() -> None:
    rules = PRESETS["traditional"]
    sizes = [
        sum(array.nbytes for part in Matches(Table(rules, names), SEED)._duel for array in part)
        for names in (("rules",) * 3, ("rules", "rules", "monte-carlo"))
    ]
    assert sizes[0] < 10_000
    assert 2**20 < sizes[1] < 2**25


def test_a_match_depends_on_its_number_alone() -> None:
    table = Table(MANY, ("random", "greedy", "rules", "random"))
    whole = Matches(table, SEED).play(0, 6)
    again = Matches(table, SEED)
    for number in (5, 2, 3):
        assert np.array_equal(again.play(number, 1), whole[number * 4 : number * 4 + 4])
    short = again.play(0, 6, 3)
    assert np.array_equal(short.reshape(6, 3), whole.reshape(6, 4)[:, :3])
    assert not np.array_equal(Matches(table, SEED + 1).play(0, 6), whole)


def test_the_same_cards_whatever_the_players() -> None:
    """The first deal has no exchange: with the same players, only rules that change play change it."""
    tables = [Table(rules, ("greedy",) * 4) for rules in (PRESETS["traditional"], replace(MANY, jokers=1, joker_revolution=False, id="one"))]  # fmt: skip # noqa: E501
    leaders = [Matches(table, SEED).play(0, 50, 1)["leader"] for table in tables]
    assert np.array_equal(*leaders)
    assert len(set(leaders[0].tolist())) == 4


def test_twins_change_nothing_else_and_are_deals_without_exchange() -> None:
    rules = PRESETS["traditional"]
    plain, twins = (Matches(Table(rules, ("rules", "random") * 2, twin), SEED).play(0, 20) for twin in (False, True))
    assert (plain["without"] == NONE).all()
    later = twins["before"][:, 0] != NONE
    assert np.array_equal(later, np.arange(100) % 5 > 0)
    assert (np.sort(twins["without"][later][:, :4]) == np.arange(4)).all()
    assert (twins["without"][~later] == NONE).all()
    twins["without"] = NONE
    assert np.array_equal(plain, twins)


def test_scores_follow_the_titles() -> None:
    rules = replace(PRESETS["traditional"], scoring="payments", id="paid")
    records = Matches(Table(rules, ("greedy",) * 5), SEED).play(0, 4)
    found = scores_of(records, rules, 5)
    assert found.shape == (20, 5)
    assert (found.sum(axis=1) == 0).all()
    assert all(found[0, player] == scores(rules, 5)[records["places"][0, player]] for player in range(5))


def test_places_are_a_permutation_under_every_rule() -> None:
    for rules, players in RULES:
        records = Matches(Table(rules, seated(NAMES[:3], players)), SEED).play(0, 30)
        assert (np.sort(records["places"][:, :players]) == np.arange(players)).all()
        assert (records["places"][:, players:] == NONE).all()
        assert (records["plays"] >= players - 1).all()


def test_what_rules_forbid_or_allow_happens() -> None:
    records = Matches(Table(MANY, ("greedy", "random", "rules", "random")), SEED).play(0, 200)
    for name in ("fell", "forbidden", "swapped", "revolutions"):
        assert records[name].any()
        assert not Matches(Table(PRESETS["president"], ("random",) * 4), SEED).play(0, 20)[name].any()
    assert records["places"].shape[1] == MOST_PLAYERS


def test_tables_that_cannot_be() -> None:
    with pytest.raises(InputError, match="4 players: uecda is played by 5"):
        Table(PRESETS["uecda"], ("random",) * 4)
    with pytest.raises(InputError, match="'clever' is no player"):
        Table(PRESETS["traditional"], ("random", "clever", "random"))
