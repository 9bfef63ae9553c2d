"""Exact endgames against plain search through all states, under random rules."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from solver.daifugo.cards import NATURAL, RANKS, Hand, card_names, count_cards, deck, format_cards, parse_cards, to_hand
from solver.daifugo.choices import _choose
from solver.daifugo.endgame import Limits, solve_endgame, solve_state
from solver.daifugo.plays import PLAY, Book, book_of, legal_plays, parse_play, readings
from solver.daifugo.rules import OPTIONS, PRESETS, RuleSet
from solver.daifugo.shedding import fewest_plays
from solver.daifugo.state import (
    STATE,
    _begin,
    _discard,
    _is_over,
    _legal_plays,
    _pass,
    _play,
    new_state,
    places_of,
)
from solver.daifugo.winning import MOST_CARDS, MOST_POSITIONS, NOTHING_PROVEN, Duel, _winning_choice, new_duel, no_duel
from solver.errors import InputError

Places = tuple[int, ...]
NOTHING = np.int64(0)


def random_rules(rng: random.Random) -> RuleSet:
    while True:
        try:
            options = {
                name: rng.choice(values) if rng.random() < 0.5 else values[0] for name, values in OPTIONS.items()
            }
            return RuleSet(id="random", **options)
        except InputError:
            continue


def random_hands(rng: random.Random, rules: RuleSet, players: int, most: int) -> list[Hand]:
    """Small hands, often of few ranks, so that there is something to play."""
    kinds = deck(rules.decks, rules.jokers)
    low = rng.randint(0, 8)
    ranks = rng.choice([range(13), range(low, low + 5), rng.sample(range(13), 5)])
    names = [
        kind.name
        for place, kind in enumerate(kinds.kinds)
        for _ in range(kind.copies)
        if place >= NATURAL or place // 4 in ranks
    ]
    rng.shuffle(names)
    sizes = [rng.randint(1, most) for _ in range(players)]
    return [parse_cards(" ".join(names.pop() for _ in range(size)), kinds) for size in sizes]


def begun(hands: list[Hand], turn: int, champion: int) -> np.void:
    state = new_state()
    for seat, hand in enumerate(hands):
        state["first"][seat], state["second"][seat] = hand
    _begin(state, len(hands), turn, champion)
    return state


def copied(state: np.void) -> np.void:
    copy = np.zeros(1, dtype=STATE)
    copy[0] = state
    return copy[0]


def successors(state: np.void, book: Book) -> list[np.void]:
    """The states after everything that the one to act can do, by the kernels of a deal and nothing else."""
    seat, found = int(state["turn"]), []
    if state["discards"]:
        words = (int(state["first"][seat]), int(state["second"][seat]))
        cards = [1 << card for card in range(NATURAL + 1) if words[0] >> card & 1]
        actions = [(_discard, np.int64(card), NOTHING) for card in [*cards, 0]]
    else:
        out = np.empty(book.room, dtype=PLAY)
        actions = [(_play, out[place]) for place in range(_legal_plays(state, book, out))]
        if state["size"]:
            actions.append((_pass,))
    for action, *what in actions:
        after = copied(state)
        action(after, *what, book.switches)
        for name in ("actions", "revolutions", "played_first", "played_second"):
            after[name] = 0
        found.append(after)
    return found


def preference(places: Places, seat: int) -> Places:
    """The greater, the better for a player: his own place, then how late the players after him come out."""
    return (-places[seat], *(places[(seat + step) % len(places)] for step in range(1, len(places))))


def best_places(state: np.void, book: Book, known: dict[bytes, Places]) -> Places:
    """Where all finish under best play, by looking at everything."""
    if _is_over(state):
        return places_of(state)
    key = state.tobytes()
    if key not in known:
        values = [best_places(after, book, known) for after in successors(state, book)]
        known[key] = max(values, key=lambda places: preference(places, int(state["turn"])))
    return known[key]


def wandered(state: np.void, book: Book, rng: random.Random) -> np.void:
    """A state some actions later, often in the middle of a trick."""
    for _ in range(rng.choice([0, 0, 1, 2, 3])):
        after = rng.choice(successors(state, book))
        if _is_over(after):
            break
        state = after
    return state


def check_against_all(seed: int, count: int, players: int, most: int, **changes: object) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        rules = random_rules(rng)
        if rng.random() < 0.6:
            rules = replace(rules, suit_lock="off")
        rules, book = replace(rules, **changes), book_of(replace(rules, **changes))
        champion = rng.choice([-1, *range(players)]) if rules.miyako_ochi else -1
        state = begun(random_hands(rng, rules, players, most), rng.randrange(players), champion)
        state["is_reversed"] = rng.random() < 0.3
        state = wandered(state, book, rng)
        result = solve_state(state, rules)
        expected = best_places(state, book, {})
        seats = [seat for seat in range(players) if state["in_play"] >> seat & 1]
        assert result.winner == min(seats, key=expected.__getitem__), (rules, state)
        assert result.places == expected, (rules, state)


def test_two_players() -> None:
    check_against_all(1, 400, players=2, most=4)


def test_three_players() -> None:
    check_against_all(2, 60, players=3, most=3)


def test_a_daifugo_may_fall_and_finishes_be_forbidden() -> None:
    check_against_all(3, 40, players=4, most=2, miyako_ochi=True, forbidden_finish="on")


@pytest.mark.slow
@pytest.mark.parametrize(("players", "most", "count"), [(2, 6, 3000), (3, 4, 800), (4, 3, 500)])
def test_thousands(players: int, most: int, count: int) -> None:
    check_against_all(players, count, players, most)


def test_ranks_are_pushed_together_only_where_none_has_an_effect() -> None:
    """Q alone and 2 alone are third of the ranks held, but only a set of 2s clears the table."""
    rules = replace(PRESETS["president"], id="own", miyako_ochi=True, forbidden_finish="on")
    state = begun([parse_cards(hand, deck(1, 0)) for hand in ("hQ h2 s2", "h8 sQ", "h3 c8 d8", "c3")], 1, 0)
    assert solve_state(state, rules).places == best_places(state, book_of(rules), {})


@pytest.mark.parametrize("name", PRESETS)
def test_the_line_can_be_played(name: str) -> None:
    rules, rng = PRESETS[name], random.Random(4)
    book = book_of(rules)
    for _ in range(15):
        hands = random_hands(rng, rules, 2, 7)
        result = solve_endgame(hands, rules)
        state = begun(hands, 0, -1)
        for step in result.line or ():
            assert step.seat == state["turn"]
            if step.action == "pass":
                _pass(state, book.switches)
            else:
                _play(state, parse_play(step.cards or "", rules).to_row(), book.switches)
        assert _is_over(state)
        assert places_of(state) == result.places


def test_suits_do_not_matter_without_sequences() -> None:
    rng = random.Random(5)
    for _ in range(30):
        hands = random_hands(rng, PRESETS["president"], 2, 6)
        turned = [
            " ".join("dhsc"["cdhs".index(name[0])] + name[1:] for name in format_cards(*hand).split()) for hand in hands
        ]
        first, second = solve_endgame(hands, "president"), solve_endgame(turned, "president")
        assert (first.winner, first.positions) == (second.winner, second.positions)


def test_seats_do_not_matter() -> None:
    rng = random.Random(6)
    for _ in range(30):
        hands = random_hands(rng, PRESETS["uecda"], 2, 6)
        assert solve_endgame(hands, "uecda").winner == 1 - (solve_endgame(hands[::-1], "uecda", 1).winner or 0)


def test_little_memory_changes_nothing() -> None:
    rng = random.Random(7)
    for _ in range(3):
        hands = random_hands(rng, PRESETS["uecda"], 2, 9)
        assert solve_endgame(hands, "uecda", limits=Limits(memory=1)).winner == solve_endgame(hands, "uecda").winner


def test_bounds() -> None:
    hands = ["d3 s10 h10 c7 d8 cK h4 s5", "c4 c5 jk d9 hQ h2 s3 dA"]
    whole = solve_endgame(hands)
    result = solve_endgame(hands, limits=Limits(positions=whole.positions // 2))
    assert (result.verdict, result.reason, result.winner, result.line) == ("undecided", "positions", None, None)
    assert solve_endgame(hands, limits=Limits(positions=whole.positions)).verdict == "decided"
    assert solve_endgame(hands, limits=Limits(seconds=1e-9)).reason in ("time", None)


def test_the_table() -> None:
    assert solve_endgame(["d3 s10", "c4"]).winner == 0
    assert solve_endgame(["d3 s10", "c4"], turn=1).winner == 1
    assert solve_endgame(["d3 s10", "c4"], turn=1, table="d5").winner == 0
    assert solve_endgame(["d3 s10", "c4"], turn=1, table="d5", is_reversed=True).winner == 1
    back = RuleSet(id="own", eleven_back=True)
    assert solve_endgame(["d3 s10", "c4"], back, turn=1, table="dJ").winner == 1


@pytest.mark.parametrize(
    ("hands", "options", "reason"),
    [
        (["d3 d3", "c4"], {}, "d3"),
        (["d3", "d3"], {}, "d3"),
        (["d3", "c4"], {"table": "d3"}, "d3"),
        (["d3", ""], {}, "hand 1 has no cards"),
        (["d3"], {}, "1 hands"),
        (["d3", "c4"], {"turn": 2}, "turn 2"),
        (["d3", "x4"], {}, "'x4' does not exist"),
        (["d3", "c4"], {"table": "d5 h6"}, "is no play"),
        (["d3", "c4"], {"table": "d8", "rules": "uecda"}, "clears the table"),
    ],
)
def test_bad_input(hands: list[str], options: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        solve_endgame(hands, **options)  # type: ignore[arg-type]


def winning(state: np.void, book: Book, duel: Duel, most: int = MOST_POSITIONS) -> np.void | None:
    """The state after the choice that wins for certain."""
    found = _winning_choice(state, np.empty(book.room, dtype=PLAY), most, book, duel)
    if found == NOTHING_PROVEN:
        return None
    after = copied(state)
    _choose(after, duel.room.choices[found], book.switches)
    return after


def has_choice(state: np.void, book: Book) -> bool:
    return bool(state["discards"]) or _legal_plays(state, book, np.empty(book.room, dtype=PLAY)) > 0


def test_the_choice_that_wins_is_found_where_there_is_one() -> None:
    rng, duels, won = random.Random(9), [new_duel(1), new_duel(2)], 0
    for _ in range(150):
        rules = random_rules(rng)
        book = book_of(rules)
        champion = rng.choice([-1, 0, 1]) if rules.miyako_ochi else -1
        state = wandered(begun(random_hands(rng, rules, 2, 5), rng.randrange(2), champion), book, rng)
        if not has_choice(state, book) or state["fallen"]:
            continue
        before, known, seat = state.tobytes(), {}, int(state["turn"])
        expected = best_places(state, book, known)[seat] == 0
        after = winning(state, book, duels[rules.decks - 1])
        assert state.tobytes() == before
        assert (after is not None) == expected
        if after is not None:
            won += 1
            assert best_places(after, book, known)[seat] == 0
    assert won > 30


def test_a_longer_search_for_a_choice_agrees_with_the_solver() -> None:
    """With hands that fill the small table of a search."""
    rng, rules, duel = random.Random(4), PRESETS["president"], new_duel(1)
    book, longest, found = book_of(rules), 0, set()
    names = card_names(*to_hand(deck(1, 0).full, deck(1, 0)))
    for _ in range(8):
        rng.shuffle(names)
        state = begun([parse_cards(" ".join(names[at : at + 12]), deck(1, 0)) for at in (0, 12)], 0, -1)
        result = solve_state(state, rules)
        after = winning(state, book, duel)
        longest = max(longest, result.positions)
        found.add(result.winner)
        assert (after is not None) == (result.winner == 0)
        if after is not None:
            assert _is_over(after) or solve_state(after, rules).winner == 0
    assert longest > 20_000
    assert found == {0, 1}


def test_bounds_of_a_choice_that_wins() -> None:
    rules = PRESETS["traditional"]
    book, duel = book_of(rules), new_duel(1)
    hands = [parse_cards(text, deck(1, 1)) for text in ("c3 d9 hK s2", "h4 h10 sA")]
    state = begun(hands, 0, -1)
    assert solve_state(state, rules).winner == 0
    assert winning(state, book, duel) is not None
    assert winning(state, book, duel, 1) is None
    assert winning(state, book, no_duel(1)) is None
    whole = to_hand(deck(1, 1).full, deck(1, 1))
    assert winning(begun([whole, parse_cards("jk", deck(1, 1))], 0, -1), book, duel) is None
    state["in_play"], state["fallen"] = 3, 2
    assert winning(state, book, duel) is None


def test_hands_with_too_many_plays_are_not_searched() -> None:
    rules = RuleSet(id="large", decks=2, jokers=2, max_set=5, suit_lock="full")
    cards, book = deck(2, 2), book_of(rules)
    long = " ".join(f"{suit}{rank}" for suit in "cd" for rank in RANKS[4:12])
    hands = [parse_cards(text, cards) for text in (f"{long} jk jk jk jk", "c3")]
    assert sum(map(count_cards, hands)) < MOST_CARDS
    assert winning(begun(hands, 0, -1), book, new_duel(2)) is None


def fewest(cards: frozenset[int], names: list[str], rules: RuleSet, known: dict[frozenset[int], int]) -> int:
    """How many plays some cards take, by trying every part of them that holds the first."""
    if not cards:
        return 0
    if cards not in known:
        first, *rest = sorted(cards)
        counts = []
        for chosen in range(1 << len(rest)):
            part = frozenset([first, *(card for place, card in enumerate(rest) if chosen >> place & 1)])
            hand = parse_cards(" ".join(names[card] for card in part), deck(rules.decks, rules.jokers))
            if readings(hand, rules):
                counts.append(1 + fewest(cards - part, names, rules, known))
        known[cards] = min(counts)
    return known[cards]


def test_fewest_plays() -> None:
    rng = random.Random(8)
    for _ in range(60):
        rules = random_rules(rng)
        hand = random_hands(rng, rules, 1, 7)[0]
        names = format_cards(*hand).split()
        plays = fewest_plays(hand, rules)
        assert len(plays) == fewest(frozenset(range(len(names))), names, rules, {}), (rules, names)
        played = [name for play in plays for name in format_cards(*play.cards).split()]
        assert sorted(played) == sorted(names)
        assert all(play in legal_plays(hand, rules) for play in plays)


def test_fewest_plays_of_a_whole_suit() -> None:
    rules = PRESETS["traditional"]
    hand = parse_cards(" ".join("d" + rank for rank in RANKS), deck())
    assert len(fewest_plays(hand, rules)) == 1
    assert len(fewest_plays(hand, PRESETS["president"])) == 13
    with pytest.raises(InputError, match="without cards"):
        fewest_plays((0, 0), rules)
