"""The player that plays out what it can't see: hidden hands dealt at random, and the best play on average.

A world deals the cards that a seat has not seen to the others, so many to each as they hold; cards it knows where they
are, from the exchange or the lead, lie there, and who gave its highest cards away holds none above them. All worlds
that agree with this are equally likely. Each of the most promising plays (``planning``), and passing, is tried in some
worlds, the rest of the deal being played greedily by all; the bandit rule UCB1 (Auer, Cesa-Bianchi, Fischer,
"Finite-time analysis of the multiarmed bandit problem", 2002) tells which next. All plays meet the same worlds in the
same order, so that luck makes little difference between them. The one tried most is played.

Once two players are left and all cards that one of them has not seen are in the other's hand, nothing is hidden, and a
choice that wins for certain is made where there is one (``winning``), of a card to discard as well.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import lowest_bit, popcount
from solver.daifugo.cards import JOKER_RANK, NATURAL, NATURAL_MASK
from solver.daifugo.planning import _worths
from solver.daifugo.plays import PLAY, book_of
from solver.daifugo.policies import GREEDY, MONTE_CARLO, Mind, _choose_discard, _choose_lowest, new_mind
from solver.daifugo.rules import MOST_PLAYERS, RuleSet
from solver.daifugo.state import (
    STATE,
    _discard,
    _is_over,
    _legal_plays,
    _pass,
    _places,
    _play,
    _with,
    _without,
)
from solver.daifugo.winning import MOST_POSITIONS, NOTHING_PROVEN, _winning_choice
from solver.jit import kernel
from solver.kernelshuffle import _below, _word

NOTES = np.dtype(
    [
        ("known_first", np.int64, (MOST_PLAYERS, MOST_PLAYERS)),
        ("known_second", np.int64, (MOST_PLAYERS, MOST_PLAYERS)),
        ("limit", np.int8, (MOST_PLAYERS, MOST_PLAYERS)),
        ("keeps", np.int16),
        ("gone_first", np.int64, (MOST_PLAYERS,)),
        ("gone_second", np.int64, (MOST_PLAYERS,)),
        ("discarded", np.int8, (MOST_PLAYERS,)),
    ],
    align=True,
)
"""What seats remember of a deal beside its state.

- ``known_*[a, b]``: cards that seat a knows seat b to have held and not to have played.
- ``limit[a, b]``: the highest rank that seat a knows all other cards of seat b to have; ``JOKER_RANK`` if none.
- ``keeps``: seats (bits) that may hold jokers whatever the limit.
- ``gone_*[a]``: the cards that seat a has discarded face down, which it knows alone; ``discarded``: how many, which all
  know.
"""

MOST_ARMS = 12
"""Plays that are tried, the most promising ones."""

CURIOSITY = 0.5
"""Of UCB1: how much is tried what was tried little, for values from 0 to 1."""


TAKEN = 1e9
"""A worth beyond all others."""


class Room(NamedTuple):
    """What a table needs to choose and to play out.

    Attributes:
        out, playout: ``PLAY``: legal plays of the deal, and of one that is played out.
        mind: room for all choices.
        quick: the same for playouts, whose generator is another.
        worlds: ``STATE``, shape (2,): what a seat sees, and a world.
        places: int64, shape (MOST_PLAYERS,).
        arms, visits: int64, shape (MOST_ARMS + 1,): places of plays, and how often each was tried.
        totals: float64, shape (MOST_ARMS + 1,): the values they got.
        unseen: int64: unseen cards by number, jokers as ``NATURAL``.
        cards: int64: the same while they are dealt.
        needs: int64, shape (MOST_PLAYERS,): how many each seat is dealt of them.
    """

    out: NDArray[np.void]
    playout: NDArray[np.void]
    mind: Mind
    quick: Mind
    worlds: NDArray[np.void]
    places: NDArray[np.int64]
    arms: NDArray[np.int64]
    visits: NDArray[np.int64]
    totals: NDArray[np.float64]
    unseen: NDArray[np.int64]
    cards: NDArray[np.int64]
    needs: NDArray[np.int64]


def new_room(rules: RuleSet) -> Room:
    """Room for a table that plays by some rules."""
    plays = book_of(rules).room
    return Room(
        np.zeros(plays, dtype=PLAY),
        np.zeros(plays, dtype=PLAY),
        new_mind(plays),
        new_mind(plays),
        np.zeros(2, dtype=STATE),
        np.zeros(MOST_PLAYERS, dtype=np.int64),
        np.zeros(MOST_ARMS + 1, dtype=np.int64),
        np.zeros(MOST_ARMS + 1, dtype=np.int64),
        np.zeros(MOST_ARMS + 1),
        np.zeros(rules.decks * (NATURAL + rules.jokers), dtype=np.int64),
        np.zeros(rules.decks * (NATURAL + rules.jokers), dtype=np.int64),
        np.zeros(MOST_PLAYERS, dtype=np.int64),
    )


def new_notes() -> np.void:
    """Notes that are still to be cleared: ``NOTES``."""
    return np.zeros(1, dtype=NOTES)[0]  # type: ignore[no-any-return]


@kernel
def _clear_notes(notes):
    """Notes of a deal in which nobody knows more than its own hand."""
    notes.known_first[:] = 0
    notes.known_second[:] = 0
    notes.limit[:] = JOKER_RANK
    notes.keeps = 0
    notes.gone_first[:] = 0
    notes.gone_second[:] = 0
    notes.discarded[:] = 0


@kernel
def _note_known(notes, viewer, holder, first, second):
    """Note that a seat knows another to hold some cards."""
    both_first, both_second = _with(
        notes.known_first[viewer, holder], notes.known_second[viewer, holder], first, second
    )
    notes.known_first[viewer, holder], notes.known_second[viewer, holder] = both_first, both_second


@kernel
def _note_gift(notes, poor, rich, first, second, is_highest, keeps):
    """Note what the rich learns of a poor whose gift it got."""
    if is_highest:
        natural = first & NATURAL_MASK
        if natural:
            notes.limit[rich, poor] = lowest_bit(natural) >> 2
        if keeps:
            notes.keeps |= 1 << poor
            if not natural:
                notes.limit[rich, poor] = JOKER_RANK


@kernel
def _note_play(notes, players, seat, first, second):
    """Forget what was known of cards that are played now."""
    for viewer in range(players):
        known = notes.known_first[viewer, seat]
        if known:
            left, left_second = _less(known, notes.known_second[viewer, seat], first, second)
            notes.known_first[viewer, seat], notes.known_second[viewer, seat] = left, left_second


@kernel
def _less(first, second, gone_first, gone_second):
    """A hand less what it shares with another."""
    jokers = max(0, popcount(first >> NATURAL) - popcount(gone_first >> NATURAL))
    once, gone = first & NATURAL_MASK, gone_first & NATURAL_MASK
    left = once & ~((gone & ~second) | gone_second)
    return left | ((np.int64(1) << jokers) - 1) << NATURAL, second & ~gone


@kernel
def _note_discard(notes, seat, first, second):
    """Note a card discarded face down."""
    if first:
        notes.discarded[seat] += 1
        gone_first, gone_second = _with(notes.gone_first[seat], notes.gone_second[seat], first, second)
        notes.gone_first[seat], notes.gone_second[seat] = gone_first, gone_second


@kernel
def _look(state, notes, seat, jokers, decks, room):
    """Set up what a seat sees: the state without the others' hands, unseen cards, and how many go to each.

    The number of unseen cards is returned.
    """
    room.worlds[0] = state
    view = room.worlds[0]
    for other in range(state.players):
        held = popcount(state.first[other]) + popcount(state.second[other])
        room.needs[other] = held + notes.discarded[other]
        if other != seat:
            view.first[other] = view.second[other] = 0
    room.needs[seat] = 0
    own_first, own_second = state.first[seat], state.second[seat]
    gone_first, gone_second = notes.gone_first[seat], notes.gone_second[seat]
    count = 0
    for card in range(NATURAL):
        seen = (own_first >> card & 1) + (own_second >> card & 1) + (gone_first >> card & 1)
        seen += (gone_second >> card & 1) + (state.played_first >> card & 1) + (state.played_second >> card & 1)
        for _ in range(decks - seen):
            room.unseen[count] = card
            count += 1
    seen = popcount(own_first >> NATURAL) + popcount(gone_first >> NATURAL) + popcount(state.played_first >> NATURAL)
    for _ in range(jokers - seen):
        room.unseen[count] = NATURAL
        count += 1
    return np.int64(count)


@kernel
def _give_card(world, seat, card):
    """Put a card by its number into a hand."""
    if card == NATURAL:
        world.first[seat] |= np.int64(1) << (NATURAL + popcount(world.first[seat] >> NATURAL))
    elif world.first[seat] >> card & 1:
        world.second[seat] |= np.int64(1) << card
    else:
        world.first[seat] |= np.int64(1) << card


@kernel
def _sample(notes, seat, count, words, room):
    """Deal the unseen cards, set up by ``_look``, into the world ``room.worlds[1]``."""
    room.worlds[1] = room.worlds[0]
    world = room.worlds[1]
    cards = room.cards
    # In the same order each time, so that the generator alone tells the world.
    for place in range(count):
        cards[place] = room.unseen[place]
    for other in range(world.players):
        if other != seat and notes.known_first[seat, other]:
            count = _deal_known(notes, seat, other, count, world, cards)
    for other in range(world.players):
        if other != seat and notes.limit[seat, other] < JOKER_RANK:
            count = _deal_limited(notes, seat, other, count, words, world, room)
    for other in range(world.players):
        left = room.needs[other] - popcount(world.first[other]) - popcount(world.second[other])
        if other != seat:
            for _ in range(left):
                count = _deal_one(_below(words, count), other, count, world, cards)
    for other in range(world.players):
        if other != seat:
            for _ in range(notes.discarded[other]):
                _lose_one(world, other, words)


@kernel
def _deal_one(place, other, count, world, cards):
    """Deal the card at a place of the unseen ones, and put it behind those that are left."""
    card = cards[place]
    cards[place], cards[count - 1] = cards[count - 1], card
    _give_card(world, other, card)
    return count - 1


@kernel
def _deal_known(notes, seat, other, count, world, cards):
    first, second = notes.known_first[seat, other], notes.known_second[seat, other]
    jokers = popcount(first >> NATURAL)
    first &= NATURAL_MASK
    place = count - 1
    while place >= 0 and (first or second or jokers):
        card = cards[place]
        deals = False
        if card == NATURAL:
            deals = jokers > 0
            jokers -= deals
        elif second >> card & 1:
            second ^= np.int64(1) << card
            deals = True
        elif first >> card & 1:
            first ^= np.int64(1) << card
            deals = True
        if deals:
            count = _deal_one(place, other, count, world, cards)
        place -= 1
    return count


@kernel
def _deal_limited(notes, seat, other, count, words, world, room):
    """Deal to a seat that holds no card above a limit all it needs."""
    cards, limit, keeps = room.cards, notes.limit[seat, other], notes.keeps >> other & 1
    allowed = 0
    for place in range(count):
        card = cards[place]
        if card >> 2 <= limit if card < NATURAL else keeps:
            cards[place], cards[allowed] = cards[allowed], card
            allowed += 1
    left = room.needs[other] - popcount(world.first[other]) - popcount(world.second[other])
    for _ in range(left):
        place = _below(words, allowed)
        # The last of those allowed takes its place, so that they stay in front.
        card = cards[place]
        cards[place], cards[allowed - 1] = cards[allowed - 1], card
        count = _deal_one(np.int64(allowed - 1), other, count, world, cards)
        allowed -= 1
    return count


@kernel
def _lose_one(world, other, words):
    """A card of a sampled hand was discarded."""
    first, second = world.first[other], world.second[other]
    place = _below(words, popcount(first) + popcount(second))
    natural = first & NATURAL_MASK
    card = np.int64(1) << NATURAL
    for masks in (natural, second):
        held = popcount(masks)
        if 0 <= place < held:
            for _ in range(place):
                masks &= masks - 1
            card = masks & -masks
        place -= held
    first, second = _without(first, second, card, np.int64(0))
    world.first[other], world.second[other] = first, second


@kernel
def _value(world, seat, places):
    """From 1 for the first place to 0 for the last."""
    _places(world, places)
    return 1.0 - places[seat] / (world.players - 1.0)


@kernel
def _play_out(world, seat, jokers, book, room):
    """Play a world out, all greedily, until the place of a seat is known; its value."""
    while not _is_over(world) and world.in_play >> seat & 1:
        if world.discards:
            first, second = _choose_discard(GREEDY, world, jokers, book, room.quick)
            _discard(world, first, second, book.switches)
            continue
        place = _choose_lowest(world, room.playout, _legal_plays(world, book, room.playout))
        if place < 0:
            _pass(world, book.switches)
        else:
            _play(world, room.playout[place], book.switches)
    return _value(world, seat, room.places)


@kernel
def _pick_arms(state, jokers, book, used, room):
    """The most promising plays, best first, into ``room.arms``; returns how many."""
    worths = room.mind.worths
    _worths(state, jokers, book, room.out, used, room.mind.desk, worths)
    arms = 0
    candidates = used + (state.size > 0)
    while arms < MOST_ARMS and arms < candidates:
        best = np.int64(-1)
        for place in range(candidates):
            if worths[place] < TAKEN and (best < 0 or worths[place] < worths[best]):
                best = np.int64(place)
        if best < 0:
            break
        room.arms[arms] = best if best < used else -1
        worths[best] = TAKEN
        arms += 1
    return arms


@kernel
def _next_arm(arms, tried, room):
    """The arm that UCB1 tries next."""
    best, most = np.int64(0), -1.0
    spread = CURIOSITY * math.sqrt(math.log(tried + 1.0))
    for arm in range(arms):
        if room.visits[arm] == 0:
            return np.int64(arm)
        bound = room.totals[arm] / room.visits[arm] + spread / math.sqrt(room.visits[arm])
        if bound > most:
            best, most = np.int64(arm), bound
    return best


@kernel
def _look_through(state, count, book, room, duel):
    """Where in ``duel.room.choices`` that is by which the one to act wins for certain, or ``NOTHING_PROVEN``.

    What it sees, with so many unseen cards, is set up by ``_look``; of the others' hands only the numbers of cards are
    read.
    """
    rivals = np.int64(state.in_play) & ~(np.int64(1) << state.turn)
    if popcount(rivals) != 1:
        return np.int64(NOTHING_PROVEN)
    rival = lowest_bit(rivals)
    if popcount(state.first[rival]) + popcount(state.second[rival]) != count:
        return np.int64(NOTHING_PROVEN)
    room.worlds[1] = room.worlds[0]
    world = room.worlds[1]
    for place in range(count):
        _give_card(world, rival, room.unseen[place])
    return _winning_choice(world, room.playout, MOST_POSITIONS, book, duel)


@kernel
def _place_of(choice, out, used):
    """The place of a choice among plays; -1 for a pass."""
    for place in range(used):
        play = out[place]
        is_alike = play.sequence == choice.sequence and play.rank == choice.rank and play.suits == choice.suits
        if is_alike and play.first == choice.first and play.second == choice.second:
            return np.int64(place)
    return np.int64(-1)


@kernel
def _choose_by_playouts(playouts, state, notes, jokers, book, used, count, room):
    """The place in ``room.out`` of what does best in playouts, or -1 to pass; ``count``: of unseen cards."""
    arms, seat = _pick_arms(state, jokers, book, used, room), np.int64(state.turn)
    room.visits[:] = 0
    room.totals[:] = 0.0
    base = _word(room.mind.words)
    for tried in range(playouts):
        arm = _next_arm(arms, tried, room)
        room.quick.words[0] = base + np.uint64(room.visits[arm]) * np.uint64(0xD1342543DE82EF95)
        _sample(notes, seat, count, room.quick.words, room)
        world = room.worlds[1]
        if room.arms[arm] < 0:
            _pass(world, book.switches)
        else:
            _play(world, room.out[room.arms[arm]], book.switches)
        room.totals[arm] += _play_out(world, seat, jokers, book, room)
        room.visits[arm] += 1
    best = 0
    for arm in range(arms):
        if (room.visits[arm], room.totals[arm]) > (room.visits[best], room.totals[best]):
            best = arm
    return room.arms[best]


@kernel
def _think(playouts, state, notes, jokers, book, used, room, duel):
    """The place in ``room.out`` of what ``monte-carlo`` plays, or -1 to pass."""
    if used + (state.size > 0) <= 1:
        return np.int64(used - 1)
    seat = np.int64(state.turn)
    count = _look(state, notes, seat, jokers, book.switches.decks, room)
    proven = _look_through(state, count, book, room, duel)
    if proven != NOTHING_PROVEN:
        return _place_of(duel.room.choices[proven], room.out, used)
    return _choose_by_playouts(playouts, state, notes, jokers, book, used, count, room)


@kernel
def _think_of_discard(state, notes, jokers, book, room, duel):
    """The card that ``monte-carlo`` discards for a 10, as a hand; none to keep all."""
    count = _look(state, notes, np.int64(state.turn), jokers, book.switches.decks, room)
    proven = _look_through(state, count, book, room, duel)
    if proven != NOTHING_PROVEN:
        card = duel.room.choices[proven]
        return card.first, card.second
    return _choose_discard(MONTE_CARLO, state, jokers, book, room.mind)
