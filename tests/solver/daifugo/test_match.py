"""Matches: dealing, exchange with all its options, seats, leaders, scores, logs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.daifugo.cards import NATURAL, Hand, count_cards, deck, format_cards, holds, join_all, parse_cards, to_hand
from solver.daifugo.dealing import deal_hands, draw_leader
from solver.daifugo.events import Dealt, Finished, Gave, Led, Requested, Returned, TitlesSwapped
from solver.daifugo.exchange import due_gift, is_due, title
from solver.daifugo.game import IllegalAction
from solver.daifugo.match import Match, replay_log
from solver.daifugo.players import GreedyPlayer, Player, RandomPlayer, View
from solver.daifugo.plays import Play, legal_plays, parse_play
from solver.daifugo.records import format_records, read_records
from solver.daifugo.replay import records_of, replay_records
from solver.daifugo.roster import PLAYERS, make_player
from solver.daifugo.rules import OPTIONS, PRESETS, RuleSet
from solver.daifugo.table import Table
from solver.errors import InputError
from solver.events import Event

BASE = RuleSet()
MIXED = ("greedy", "random", "greedy", "random", "random", "greedy", "random", "greedy")


def cards(text: str, rules: RuleSet = BASE) -> Hand:
    return parse_cards(text, deck(rules.decks, rules.jokers))


def rules(**options: Any) -> RuleSet:
    return replace(BASE, id="test", **options)


def test_deals_are_frozen() -> None:
    hands = deal_hands(BASE, 4, 1, 0, 3)
    assert [format_cards(*hand) for hand in hands] == FROZEN
    assert [draw_leader(5, seed) for seed in range(8)] == FROZEN_LOTS
    assert format_cards(*deal_hands(rules(decks=2, jokers=2), 4, 1, 0, 3)[2]) == FROZEN_OF_TWO_PACKS


FROZEN = [
    "c5 h6 d7 h7 s7 c10 dJ hJ dQ sQ hA c2 h2 s2",
    "s3 c4 h4 s4 h5 s5 s6 c7 h10 cQ cK sA d2",
    "c3 d3 h3 d4 c6 d8 s8 c9 d9 h9 s10 cJ sK",
    "d5 d6 c8 h8 s9 d10 sJ hQ dK hK cA dA jk",
]
FROZEN_LOTS = [2, 1, 4, 4, 1, 0, 2, 4]
FROZEN_OF_TWO_PACKS = "d3 d3 d4 s4 s4 h5 c6 d6 s6 c7 s7 s7 c8 d8 h8 h8 c9 s9 h10 cJ dJ dJ hJ dQ hQ cK sA"


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("players", [3, 5, 8])
def test_cards_are_dealt_evenly_from_the_dealers_left(decks: int, jokers: int, players: int) -> None:
    options = rules(decks=decks, jokers=jokers)
    hands = deal_hands(options, players, 7, 3, 1)
    whole = deck(decks, jokers)
    assert join_all(hands) == to_hand(whole.full, whole)
    sizes = [count_cards(hands[(2 + step) % players]) for step in range(players)]
    assert sum(sizes) == whole.size
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes) - min(sizes) <= 1


def test_a_match_is_a_function_of_its_seed() -> None:
    logs = [Match(BASE, MIXED[:4], seed) for seed in (5, 5, 6)]
    for match in logs:
        match.play()
    assert logs[0].log() == logs[1].log()
    assert logs[0].events != logs[2].events


@settings(max_examples=12)
@given(st.sampled_from(sorted(PRESETS)), st.integers(3, 8), st.integers(0, 2**64))
def test_logs_are_replayed_to_the_same_match(name: str, players: int, seed: int) -> None:
    preset = PRESETS[name]
    match = Match(preset, MIXED[: preset.players or players], seed)
    for _ in range(2):
        match.play_deal()
    again = replay_log(match.log())
    assert (again.log(), again.results, again.totals) == (match.log(), match.results, match.totals)
    assert (again.rules, again.names) == (match.rules, match.names)


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Any rule record that does not contradict itself: options that contradict those before are left as they are."""
    options = rules(rounds=3)
    for option, values in OPTIONS.items():
        if option != "players":
            with suppress(InputError):
                options = replace(options, **{option: draw(st.sampled_from(values))})
    return options


@settings(max_examples=10)
@given(rule_sets(), st.integers(3, 8), st.integers(0, 2**64))
def test_any_rules_make_a_match_that_can_be_replayed(options: RuleSet, players: int, seed: int) -> None:
    match = Match(options, MIXED[:players], seed)
    results = match.play()
    assert len(results) == 3
    for result in results:
        assert sorted(result.places) == sorted(result.order) == list(range(players))
    again = replay_log(match.log())
    assert again.log() == match.log()
    if not options.ten_discard:
        records = records_of(match)
        assert list(read_records(format_records(records, match.names), options)) == records
        assert all(replay.is_confirmed for replay in replay_records(records, options))


def played(options: RuleSet, count: int = 4, seed: int = 3, deals: int = 2) -> list[dict[str, Any]]:
    match = Match(options, MIXED[:count], seed)
    for _ in range(deals):
        match.play_deal()
    return [json.loads(line) for line in match.log()]


def test_a_log_that_was_tampered_with_is_refused_with_its_line() -> None:
    records = played(BASE)
    place = next(i for i, record in enumerate(records) if record["event"] == "play")
    records[place]["play"] = "s2" if records[place]["play"] != "s2" else "h2"
    with pytest.raises(InputError, match=f"^line {place + 1}: "):
        replay_log(map(json.dumps, records))


@pytest.mark.parametrize("event", ["deal", "lead", "out", "clear", "end", "gift", "return"])
def test_events_that_did_not_come_about_are_refused(event: str) -> None:
    records = played(BASE)
    place = next(i for i, record in enumerate(records) if record["event"] == event)
    for key in records[place]:
        if key in ("schema", "event", "titles"):
            continue
        wrong = [dict(record) for record in records]
        wrong[place][key] = 77
        with pytest.raises(InputError, match=f"^line {place + 1}: "):
            replay_log(map(json.dumps, wrong))
    with pytest.raises(InputError, match=r"^line \d+: "):
        replay_log(map(json.dumps, records[:place] + records[place + 1 :]))


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([], "line 0: the log is empty"),
        (["nonsense"], "line 1: not JSON"),
        (["[1]"], "line 1: not a JSON object"),
        (['{"event": "deal"}'], "line 1: a log begins with"),
        (['{"event": "match", "rules": {"id": "x", "moon": 1}, "seed": 1, "players": []}'], "line 1: rules"),
        (['{"event": "match", "rules": {"id": "x"}, "seed": "1", "players": []}'], "line 1: the head"),
        (['{"event": "match", "rules": {"id": "x"}, "seed": 1, "players": ["a"]}'], "line 1: 1 players"),
    ],
)
def test_bad_logs(lines: list[str], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        replay_log(lines)


def test_a_log_cut_short_is_refused() -> None:
    records = played(BASE)
    with pytest.raises(InputError, match="ends within a deal"):
        replay_log(map(json.dumps, records[:-3]))


def test_a_log_of_no_deal_is_a_match_of_none() -> None:
    assert replay_log(Match(BASE, MIXED[:3], 1).log()).results == []


# The exchange


class Giver(GreedyPlayer):
    """Greedy, but the exchange is as told; what is not told is as by default."""

    def __init__(self, gift: str | None = None, back: str | None = None, wish: str | None = None) -> None:
        self.gift, self.back, self.wish = gift, back, wish
        self.views: list[View] = []
        self.seen: list[Event] = []

    def give(self, view: View, count: int) -> Hand:
        self.views.append(view)
        return super().give(view, count) if self.gift is None else cards(self.gift, view.rules)

    def give_back(self, view: View, count: int) -> Hand:
        self.views.append(view)
        return super().give_back(view, count) if self.back is None else cards(self.back, view.rules)

    def request(self, view: View, count: int) -> Hand:
        self.views.append(view)
        return super().request(view, count) if self.wish is None else cards(self.wish, view.rules)

    def saw(self, event: Event) -> None:
        self.seen.append(event)


HANDS_FIVE = (
    "c3 d3 h3 s3 c4 d4 jk c2",
    "h4 s4 c5 d5 h5 s5 c6 d2",
    "d6 h6 s6 c7 d7 h7 s7 h2",
    "c8 d8 h8 s8 c9 d9 h9 s2",
    "s9 c10 d10 h10 s10 cJ dJ hJ",
)


def sit(options: RuleSet, hands: Sequence[str], places: tuple[int, ...], *players: Player) -> list[Event]:
    """Play a deal whose hands and places are given; returns its events."""
    events: list[Event] = []
    dealt = Dealt(1, tuple(range(len(hands))), places.index(len(hands) - 1), tuple(cards(h, options) for h in hands))
    seated = [*players, *(Giver() for _ in hands[len(players) :])]
    Table(options, seated, dealt, places, 0, (0,) * len(hands), events.append).play()
    return events


def handed(events: list[Event]) -> list[tuple[str, int, int, str]]:
    return [
        (event.kind, event.seat, event.to, format_cards(*(event.cards or (0, 0))))
        for event in events
        if isinstance(event, (Gave, Returned))
    ]


def test_the_base_exchange_of_five() -> None:
    events = sit(BASE, HANDS_FIVE, (4, 3, 2, 1, 0))
    assert handed(events) == [
        ("gift", 0, 4, "c2 jk"),
        ("gift", 1, 3, "d2"),
        ("return", 4, 0, "s9 c10"),
        ("return", 3, 1, "c8"),
    ]
    assert next(event for event in events if isinstance(event, Led)) == Led(0)


def test_the_base_exchange_of_four_is_one_card() -> None:
    assert handed(sit(BASE, HANDS_FIVE[:4], (3, 2, 1, 0))) == [("gift", 0, 3, "jk"), ("return", 3, 0, "c8")]


def test_two_cards_always() -> None:
    events = sit(rules(exchange="two_cards_always"), HANDS_FIVE[:4], (3, 2, 1, 0))
    assert handed(events) == [
        ("gift", 0, 3, "c2 jk"),
        ("gift", 1, 2, "d2"),
        ("return", 3, 0, "c8 d8"),
        ("return", 2, 1, "d6"),
    ]
    events = sit(rules(exchange="two_cards_always"), HANDS_FIVE[:3], (2, 1, 0))
    assert handed(events) == [("gift", 0, 2, "c2 jk"), ("return", 2, 0, "d6 h6")]


def test_president_exchanges_two_at_any_table() -> None:
    events = sit(rules(exchange="president"), HANDS_FIVE[:3], (2, 1, 0))
    assert handed(events) == [("gift", 0, 2, "c2 jk"), ("return", 2, 0, "d6 h6")]


def test_no_exchange() -> None:
    assert handed(sit(rules(exchange="off"), HANDS_FIVE, (4, 3, 2, 1, 0))) == []


def test_a_gift_must_be_the_highest() -> None:
    with pytest.raises(IllegalAction, match="d4 jk: a gift must be the highest 2"):
        sit(BASE, HANDS_FIVE, (4, 3, 2, 1, 0), Giver("d4 jk"))
    with pytest.raises(IllegalAction, match="2 must be given, not 1"):
        sit(BASE, HANDS_FIVE, (4, 3, 2, 1, 0), Giver("jk"))
    with pytest.raises(IllegalAction, match="s2 jk: not in the hand"):
        sit(BASE, HANDS_FIVE, (4, 3, 2, 1, 0), Giver("jk s2"))
    with pytest.raises(IllegalAction, match="c3: not in the hand"):
        sit(BASE, HANDS_FIVE[:4], (3, 2, 1, 0), Giver(), Giver(), Giver(), Giver(None, "c3"))


def test_of_equal_ranks_the_poor_choose() -> None:
    hands = ("c2 d2 h2 c3", "c4 d4 h4", "c5 d5 h5", "c6 d6 h6", "c7 d7 h7")
    assert handed(sit(BASE, hands, (4, 3, 2, 1, 0), Giver("c2 d2")))[0] == ("gift", 0, 4, "c2 d2")
    assert handed(sit(BASE, hands, (4, 3, 2, 1, 0)))[0] == ("gift", 0, 4, "d2 h2")


def test_the_rich_may_return_what_they_were_given() -> None:
    events = sit(BASE, HANDS_FIVE, (4, 3, 2, 1, 0), Giver(), Giver(), Giver(), Giver(), Giver(None, "c2 s9"))
    assert handed(events)[2] == ("return", 4, 0, "s9 c2")


def test_a_daihinmin_may_keep_the_joker() -> None:
    kept = rules(joker_kept=True)
    assert handed(sit(kept, HANDS_FIVE, (4, 3, 2, 1, 0), Giver("d4 c2")))[0] == ("gift", 0, 4, "d4 c2")
    assert handed(sit(kept, HANDS_FIVE, (4, 3, 2, 1, 0)))[0] == ("gift", 0, 4, "c2 jk")
    with pytest.raises(IllegalAction):
        sit(kept, HANDS_FIVE, (4, 3, 2, 1, 0), Giver("h3 c2"))
    # A Hinmin at a large table may not.
    with pytest.raises(IllegalAction):
        sit(kept, HANDS_FIVE, (3, 4, 2, 1, 0), Giver("c2"))


def test_the_rich_name_cards() -> None:
    asked = rules(on_request=True)
    events = sit(asked, HANDS_FIVE, (4, 3, 2, 1, 0), Giver(), Giver(), Giver(), Giver(), Giver(wish="c3 sA"))
    assert next(event for event in events if isinstance(event, Requested)) == Requested(4, 0, cards("c3 sA"))
    assert handed(events)[0] == ("gift", 0, 4, "c3 jk")
    with pytest.raises(IllegalAction, match="those requested"):
        sit(asked, HANDS_FIVE, (4, 3, 2, 1, 0), Giver("c2 jk"), Giver(), Giver(), Giver(), Giver(wish="c3 sA"))
    with pytest.raises(IllegalAction, match="names at most 2"):
        sit(asked, HANDS_FIVE, (4, 3, 2, 1, 0), Giver(), Giver(), Giver(), Giver(), Giver(wish="c3 d3 h3"))


def test_by_default_the_rich_ask_for_the_highest_they_lack() -> None:
    events = sit(rules(on_request=True), HANDS_FIVE, (4, 3, 2, 1, 0))
    wishes = [format_cards(*(event.cards or (0, 0))) for event in events if isinstance(event, Requested)]
    assert wishes == ["s2 jk", "jk"]


def test_swapped_titles() -> None:
    swap = rules(jokers=2, joker_revolution=True)
    hands = ("c3 jk jk", "c4 d4 h4", "c5 d5 h5", "c6 d6 h6", "c7 d7 h7")
    for places, swapped in (((4, 3, 2, 1, 0), (0, 1, 2, 3, 4)), ((3, 4, 2, 1, 0), (1, 0, 2, 3, 4))):
        events = sit(swap, hands, places)
        assert TitlesSwapped(swapped) in events
        assert handed(events)[0][1:3] == (swapped.index(4), swapped.index(0))
        assert next(event for event in events if isinstance(event, Led)).seat == swapped.index(4)
    assert not [event for event in sit(swap, hands, (2, 3, 4, 1, 0)) if isinstance(event, TitlesSwapped)]


def test_what_others_see_of_the_exchange() -> None:
    players = [Giver() for _ in range(5)]
    sit(BASE, HANDS_FIVE, (4, 3, 2, 1, 0), *players)
    gifts = [[event.cards for event in player.seen if isinstance(event, Gave)] for player in players]
    assert gifts[0] == [cards("c2 jk"), None]
    assert gifts[2] == [None, None]
    for seat, player in enumerate(players):
        dealt = player.seen[0]
        assert isinstance(dealt, Dealt)
        assert [hand is not None for hand in dealt.hands] == [place == seat for place in range(5)]


@given(st.data())
def test_due_gifts_are_due(data: st.DataObject) -> None:
    two = rules(decks=2, jokers=2)
    names = deck(2, 2).names(deck(2, 2).full)
    hand = cards(" ".join(data.draw(st.lists(st.sampled_from(range(len(names))), min_size=6, unique=True).map(
        lambda places: [names[place] for place in places]))), two)  # fmt: skip
    wish = cards(" ".join(data.draw(st.lists(st.sampled_from(sorted(set(names))), max_size=2, unique=True))), two)
    jokers = (hand[0] >> NATURAL).bit_count()
    kept = data.draw(st.integers(0, min(jokers, count_cards(hand) - 2)))
    gift = due_gift(hand, wish, 2, kept=kept)
    assert count_cards(gift) == 2
    assert holds(hand, gift)
    assert is_due(gift, hand, wish, 2, may_keep_jokers=True)
    assert is_due(gift, hand, wish, 2) or kept


# From deal to deal


@pytest.mark.parametrize("count", [3, 4, 5, 6, 8])
def test_the_loser_deals_and_leads_and_scores_add_up(count: int) -> None:
    match = Match(BASE, MIXED[:count], 11)
    match.play()
    assert len(match.results) == BASE.rounds
    dealt = [event for event in match.events if isinstance(event, Dealt)]
    leads = [event.seat for event in match.events if isinstance(event, Led)]
    assert dealt[0].dealer == count - 1
    assert leads[0] == draw_leader(count, 11)
    for before, deal, lead in zip(match.results, dealt[1:], leads[1:], strict=False):
        assert before.places[deal.order[deal.dealer]] == count - 1
        assert lead == deal.dealer
    assert match.totals == tuple(map(sum, zip(*(result.scores for result in match.results), strict=True)))
    for result in match.results:
        assert sorted(result.places) == list(range(count))
        assert result.titles == tuple(title(place, count) for place in result.places)


def test_titles_and_their_scores() -> None:
    assert [title(place, 6) for place in range(6)] == ["Daifugō", "Fugō", "Heimin", "Heimin", "Hinmin", "Daihinmin"]
    assert [title(place, 4) for place in range(4)] == ["Fugō", "Heimin", "Heimin", "Hinmin"]
    for scoring, scores in (("titles", (2, 1, 0, 0, 0)), ("none", (0,) * 5), ("payments", (2, 1, 0, -1, -2))):
        result = Match(rules(scoring=scoring), MIXED[:5], 1).play_deal()
        assert tuple(result.scores[result.places.index(place)] for place in range(5)) == scores


@pytest.mark.parametrize("seating", ["by_result", "by_result_reversed"])
def test_seats_by_result(seating: str) -> None:
    match = Match(rules(seating=seating, leader="winner"), MIXED[:5], 2)
    first, second = match.play_deal(), match.play_deal()
    clockwise = [first.places[player] for player in second.order]
    expected = [4, 3, 2, 1, 0] if seating == "by_result" else [4, 0, 1, 2, 3]
    assert clockwise == expected
    leads = [event.seat for event in match.events if isinstance(event, Led)]
    assert leads[1] == expected.index(0)


def test_the_holder_of_the_three_of_diamonds_leads() -> None:
    match = Match(PRESETS["uecda"], MIXED[:5], 2)
    match.play()
    hands: list[Hand] = []
    for event in match.events:
        if isinstance(event, Dealt):
            hands = [hand or (0, 0) for hand in event.hands]
            swaps: list[tuple[int, int, Hand]] = []
        elif isinstance(event, (Gave, Returned)):
            swaps.append((event.seat, event.to, event.cards or (0, 0)))
        elif isinstance(event, Led):
            holder = next(seat for seat, hand in enumerate(hands) if holds(hand, cards("d3")))
            for giver, taker, given in swaps:
                holder = taker if holder == giver and holds(given, cards("d3")) else holder
            assert event.seat == holder


def test_the_champion_falls_across_deals() -> None:
    match = Match(rules(miyako_ochi=True), MIXED[:5], 4)
    results = [match.play_deal() for _ in range(12)]
    falls = 0
    for before, after in pairwise(results):
        champion = before.places.index(0)
        assert after.places[champion] in (0, 4)
        falls += after.places[champion] == 4
    assert 0 < falls < 12


@pytest.mark.parametrize("count", [2, 9])
def test_three_to_eight_play(count: int) -> None:
    with pytest.raises(InputError, match=f"{count} players"):
        Match(BASE, ["greedy"] * count)


def test_players_are_asked_for_by_name() -> None:
    with pytest.raises(InputError, match="'moon' is no player; known are random, greedy"):
        Match(BASE, ["greedy", "moon", "random"])
    assert isinstance(make_player("random", 5), RandomPlayer)
    assert {"random", "greedy"} <= set(PLAYERS)


class Stubborn(GreedyPlayer):
    """Tries to pass always, and gives in when refused."""

    def __init__(self) -> None:
        self.reasons: list[str] = []
        self._was_refused = False

    def play(self, view: View) -> Play | None:
        refused, self._was_refused = self._was_refused, False
        return super().play(view) if refused else None

    def refused(self, reason: str) -> bool:
        self.reasons.append(reason)
        self._was_refused = True
        return True


def test_a_player_may_choose_again() -> None:
    player = Stubborn()
    match = Match(BASE, [player, "greedy", "greedy"], 1)
    for _ in range(2):
        match.play_deal()
    assert player.reasons
    assert all(reason.startswith("nothing to pass on") for reason in player.reasons)


class Watcher(GreedyPlayer):
    """Keeps the views it plays by."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def play(self, view: View) -> Play | None:
        self.views.append(view)
        return super().play(view)


def test_a_view_shows_what_is_known_and_no_more() -> None:
    watcher = Watcher()
    match = Match(BASE, [watcher, "greedy", "random", "random"], 9)
    for _ in range(3):
        match.play_deal()
    whole = deck(1, 1)
    for view in watcher.views:
        assert view.counts[view.seat] == count_cards(view.hand)
        assert count_cards(view.unseen) == sum(view.counts) - count_cards(view.hand)
        assert join_all((view.unseen, view.hand, view.played)) == to_hand(whole.full, whole)
        assert view.legal or view.may_pass
        assert view.state is not None
        others = [seat for seat in range(8) if seat != view.seat]
        assert not view.state["first"][others].any()
        assert (int(view.state["first"][view.seat]), int(view.state["second"][view.seat])) == view.hand
        for event in view.events:
            assert not isinstance(event, Dealt) or sum(hand is not None for hand in event.hands) == 1
    last = watcher.views[-1]
    assert last.number == 2
    assert last.places is not None


def test_a_bare_joker_is_what_is_legal() -> None:
    options = rules(suit_lock="full")
    view = View(options, 0, 0, (0, 1, 2), (0, 0, 0), cards("c9 jk"), (2, 2, 2), legal=())
    with pytest.raises(InputError, match="say what the joker stands for, as in 'c9 jk=d9'"):
        view.read("c9 jk")
    legal = tuple(legal_plays(view.hand, options, parse_play("c5 h5", options), lock=5))
    assert str(replace(view, legal=legal).read("c9 jk")) == "c9 jk=h9"


def test_greedy_keeps_jokers() -> None:
    options = BASE
    hand = cards("c9 h9 jk c4")
    view = View(options, 0, 0, (0, 1, 2), (0, 0, 0), hand, (4, 2, 2), legal=tuple(legal_plays(hand, options)))
    assert str(GreedyPlayer().play(view)) == "c4"
    last = replace(view, legal=tuple(legal_plays(cards("jk"), options)))
    assert str(GreedyPlayer().play(last)) == "jk"
    assert GreedyPlayer().play(replace(view, legal=())) is None


def test_the_end_is_told_to_everybody() -> None:
    player = Giver()
    Match(BASE, [player, "greedy", "random"], 1).play_deal()
    assert isinstance(player.seen[-1], Finished)
