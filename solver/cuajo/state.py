"""One deal of Cuajo as it is played: the state, what may be done, and what each action does to it.

Choices where the rules are silent and the rule record has no option:

- Who has said purro and is no longer one card away after a discard, a king or not being the cause, says not purro, and
  the two barred turns follow.
- From that moment to the third own turn nothing can be won, not even between the second barred turn and the third.
- To say purro is no choice: it is a duty, done with the discard. What is left open is whether to claim.
- A card drawn is offered to its drawer first, then to the others in turn order; who let it pass can't claim it any
  more. A hand that a secret laid afterwards completes may still be won with.
- Without ``win_needs_purro`` a card another player draws can be claimed only if it is shown. A dealer's dealt hand
  is paid for like an own draw.
- Without ``last_discard_after_stock`` the player who drew the last card still lays secrets and discards.
- After the last discard only its taking to win is left: no secret is laid any more.
- Who skips the discard holds sixteen cards, and draws no card in the next own turn.
- A winner turns cards as long as a condition is missing and there are any.
- The four cards of a secret can't hold a closed card, which is not looked at again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bits import popcount
from solver.cuajo.blocks import BlockTables, block_tables, waste_of
from solver.cuajo.cards import COPIES, KINDS, KING, SUITS, kind_of
from solver.cuajo.dealing import BATCH, ROUNDS, STOCK
from solver.cuajo.melds import kinds_completing, words_are_complete, words_with, words_without
from solver.cuajo.payment import companions
from solver.cuajo.rows import RowTables, count_in, row_tables, tally
from solver.cuajo.rules import HAND, PLAYERS, SECRET, SOWEE_SECRET, RuleSet
from solver.jit import kernel

DRAWING, CLAIMING, ACTING, OVER = range(4)
"""Phases: the one in turn is to draw, ``asked`` may claim the card, the one in turn holds sixteen cards, the end."""

DRAW, TAKE, WIN, PASS, SKIP, LAY, CLOSE, DISCARD = range(8)
"""Verbs of actions. ``CLOSE`` lays three cards like the sowee with a fourth, whose kind is the action's."""

VERB = 32
"""An action is ``VERB * verb + kind``."""

BARRED = 3
"""What ``barred`` begins with: it goes down as each own turn begins, and at 0 all is normal again."""

OWN_DRAW, OTHERS_DRAW, TAKEN = range(3)
"""How a win came, in the order of ``payment.WAYS``."""

NONE = -1
RANKS_OF_SUIT = KINDS // len(SUITS)
KING_BITS = sum(1 << kind_of(suit, KING) for suit in range(len(SUITS)))
KING_OF_COINS = kind_of(0, KING)

STATE = np.dtype(
    [
        ("low", np.uint64, (PLAYERS,)),
        ("high", np.uint64, (PLAYERS,)),
        ("pile_low", np.uint64),
        ("pile_high", np.uint64),
        ("cents", np.int64, (PLAYERS,)),
        ("laid", np.int64, (PLAYERS,)),
        ("passed", np.int64, (PLAYERS,)),
        ("each", np.int64),
        ("stock", np.int8, (STOCK,)),
        ("closed", np.int8, (PLAYERS,)),
        ("barred", np.int8, (PLAYERS,)),
        ("drawn", np.int16),
        ("turned", np.int16),
        ("turns", np.int16),
        ("takes", np.int16),
        ("first_purro", np.int16),
        ("purros", np.int16),
        ("breaks", np.int16),
        ("king_breaks", np.int16),
        ("secrets", np.int16),
        ("sowee", np.int8),
        ("dealer", np.int8),
        ("turn", np.int8),
        ("phase", np.int8),
        ("asked", np.int8),
        ("card", np.int8),
        ("top", np.int8),
        ("purro", np.int8),
        ("winner", np.int8),
        ("way", np.int8),
        ("conditions", np.int8),
        ("porbis", np.bool_),
        ("from_stock", np.bool_),
        ("shown", np.bool_),
        ("declined", np.bool_),
        ("last", np.bool_),
    ],
    align=True,
)
"""A deal in play. Seats are numbered in turn order from 0; sets of seats and of kinds are bits; no card is -1.

- ``low``, ``high``: the words of each hand, without secrets that lie, with a closed card; ``pile_*``: the discards.
- ``laid``: kinds laid as secrets; ``closed``: the card closed with three like the sowee.
- ``stock``: kinds, the top first, of which ``drawn`` are gone and then ``turned`` turned.
- ``cents``: what each seat has won; ``each``: what each opponent paid for the win.
- ``purro``: who has said so; ``barred``: see ``BARRED``; ``passed``: kinds each let go by since they said purro, with
  the same hand.
- ``turn``: whose turn it is; ``asked``: who may claim; ``card``: what the one in turn drew or took; ``from_stock``,
  ``shown``: whether it was drawn, and is seen by all; ``declined``: whether its drawer let it go by.
- ``top``: the discard that may be taken; ``last``: the stock is used up, and ``top`` may be taken to win only.
- ``winner``: who won, -1 nobody (yet); ``way``: ``OWN_DRAW`` and so on; ``conditions``: bits 0 and 1, those met at the
  end.
- ``turns``: turns begun; ``takes``: discards taken; ``purros``, ``breaks``, ``king_breaks``: how often purro was said,
  broken, and broken by drawing a king; ``first_purro``: the turn of the first, -1 none; ``secrets``: laid in all.
"""


class Switches(NamedTuple):
    """A rule record as kernels see it; ``first_pays``: one opponent pays for a secret; amounts in cents."""

    needs_purro: bool
    first_pays: bool
    before_draw: bool
    unlaid: bool
    twin: bool
    porbis_kings: bool
    last_discard: bool
    skips: bool
    king_of_coins: int
    other_king: int
    own_draw: int
    both: int
    bounit: int
    sowee: int
    no_condition: int
    porbis: int
    secret: int
    most_turned: int


class Book(NamedTuple):
    """What kernels know of the rules.

    Attributes:
        rows, tables: of completeness and of wastes.
        companions: int64, shape (28, 3): kinds of which two have to be there to accompany each; -1 fills it.
        switches: the rule record.
    """

    rows: RowTables
    tables: BlockTables
    companions: NDArray[np.int64]
    switches: Switches


@lru_cache(maxsize=32)
def book_of(rules: RuleSet) -> Book:
    """What kernels need of a rule set; the same object for the same rules."""
    others = np.full((KINDS, len(SUITS) - 1), NONE, dtype=np.int64)
    for kind in range(KINDS):
        found = companions(kind)
        others[kind, : len(found)] = found
    switches = Switches(
        rules.win_needs_purro,
        rules.secret_payers == "one",
        rules.secret_before_draw,
        rules.sowee_secret_unlaid,
        rules.bounit_is_sowee_twin,
        rules.porbis_kings,
        rules.last_discard_after_stock,
        rules.nothing_to_discard == "skip",
        rules.king_of_coins,
        rules.other_king,
        rules.own_draw,
        rules.both_conditions,
        rules.bounit_condition,
        rules.sowee_condition,
        rules.no_condition,
        rules.porbis,
        rules.secret,
        rules.most_turned,
    )
    return Book(row_tables(), block_tables(), others, switches)


@kernel
def _begin(state, order, dealer):
    """Deal the kinds in ``order``, the top card first; the dealer is to discard."""
    for seat in range(PLAYERS):
        state.low[seat] = state.high[seat] = np.uint64(0)
        state.laid[seat] = state.passed[seat] = state.cents[seat] = state.barred[seat] = 0
        state.closed[seat] = NONE
    place = 0
    for batch in range(ROUNDS):
        for step in range(1, PLAYERS + 1):
            seat = (dealer + step) % PLAYERS
            for _ in range(BATCH + (batch == 0 and step == PLAYERS)):
                _give(state, seat, np.int64(order[place]))
                place += 1
    state.sowee = order[place]
    for number in range(STOCK):
        state.stock[number] = order[place + 1 + number]
    state.pile_low = state.pile_high = np.uint64(0)
    state.drawn = state.turned = state.turns = state.takes = state.purros = 0
    state.breaks = state.king_breaks = state.secrets = state.purro = state.each = state.conditions = 0
    state.first_purro = state.card = state.top = state.winner = state.way = state.asked = NONE
    state.porbis = state.from_stock = state.shown = state.declined = state.last = False
    state.dealer = state.turn = dealer
    state.phase = ACTING


@kernel
def _give(state, seat, kind):
    low, high = words_with(state.low[seat], state.high[seat], kind)
    state.low[seat], state.high[seat] = low, high


@kernel
def _withdraw(state, seat, kind):
    low, high = words_without(state.low[seat], state.high[seat], kind)
    state.low[seat], state.high[seat] = low, high


@kernel
def _held(state, seat, kind):
    """How many cards of a kind a seat holds, without secrets that lie."""
    return count_in(tally(state.low[seat]), tally(state.high[seat]), kind)


@kernel
def _size(state, seat):
    """Cards of the complete hand of a seat without the combinations that lie."""
    return HAND - SECRET * popcount(state.laid[seat]) - SOWEE_SECRET * (state.closed[seat] >= 0)


@kernel
def _count(state, seat):
    """How many cards a seat has, those that lie included."""
    free = np.int64(popcount(state.low[seat])) + np.int64(popcount(state.high[seat]))
    return free + HAND - _size(state, seat)


@kernel
def _without_sowee(low, high, sowee):
    """The words of a hand without its cards like the sowee."""
    for _ in range(count_in(tally(low), tally(high), sowee)):
        low, high = words_without(low, high, sowee)
    return low, high


@kernel
def _whole(low, high, sowee, closed, book):
    """Whether free cards all stand in combinations."""
    if words_are_complete(low, high, book.rows):
        return True
    if not book.switches.unlaid or closed >= 0 or count_in(tally(low), tally(high), sowee) != SOWEE_SECRET:
        return False
    low, high = _without_sowee(low, high, sowee)
    return words_are_complete(low, high, book.rows)


@kernel
def _wins_with(state, seat, kind, book):
    """Whether a seat's hand is complete with one card more; kind -1: as it is."""
    low, high = state.low[seat], state.high[seat]
    count = _count(state, seat)
    if kind >= 0:
        low, high = words_with(low, high, kind)
        count += 1
    return count == HAND and _whole(low, high, np.int64(state.sowee), state.closed[seat], book)


@kernel
def _completing(state, seat, book):
    """Bits for the kinds that complete fifteen cards and of which there is one beside the hand and the sowee."""
    low, high, sowee = state.low[seat], state.high[seat], np.int64(state.sowee)
    found = np.int64(kinds_completing(low, high, book.rows))
    twins = SOWEE_SECRET if state.closed[seat] >= 0 else count_in(tally(low), tally(high), sowee)
    if book.switches.unlaid and state.closed[seat] < 0 and twins >= SOWEE_SECRET - 1:
        low, high = _without_sowee(low, high, sowee)
        if twins == SOWEE_SECRET:
            found |= kinds_completing(low, high, book.rows)
        elif words_are_complete(low, high, book.rows):
            found |= np.int64(1) << sowee
    if twins == SOWEE_SECRET:
        found &= ~(np.int64(1) << sowee)
    return found & ~state.laid[seat]


@kernel
def _is_purro(state, seat, book):
    """Whether a seat is one card from a complete hand, after its discard."""
    if _count(state, seat) == HAND:
        return _whole(state.low[seat], state.high[seat], np.int64(state.sowee), state.closed[seat], book)
    if not book.switches.unlaid and waste_of(state.low[seat], state.high[seat], _size(state, seat), book.tables):
        return False
    return _completing(state, seat, book) != 0


@kernel
def _entitled(state, seat, book):
    """Whether a seat may win at all now."""
    return state.barred[seat] == 0 and (state.purro >> seat & 1 or not book.switches.needs_purro)


@kernel
def _may_win(state, book):
    """Whether the one in turn, who holds sixteen cards, may win with them."""
    seat = np.int64(state.turn)
    return not state.declined and _entitled(state, seat, book) and _wins_with(state, seat, NONE, book)


@kernel
def _held_bits(low, high, least):
    """Bits for the kinds of which words hold at least so many."""
    low, high = tally(low), tally(high)
    found = np.int64(0)
    for kind in range(KINDS):
        if count_in(low, high, kind) >= least:
            found |= np.int64(1) << kind
    return found


@kernel
def _discardable(state, seat):
    """Bits for the kinds that a seat may discard."""
    found = _held_bits(state.low[seat], state.high[seat], 1) & ~KING_BITS
    closed = np.int64(state.closed[seat])
    if closed >= 0 and _held(state, seat, closed) == 1:
        found &= ~(np.int64(1) << closed)
    return found


@kernel
def _layable(state, seat):
    """Bits for the kinds that may be laid as a secret, and for those that may be closed with three like the sowee."""
    lays = _held_bits(state.low[seat], state.high[seat], COPIES)
    if state.closed[seat] >= 0:
        return lays & ~(np.int64(1) << state.closed[seat]), np.int64(0)
    if _held(state, seat, np.int64(state.sowee)) < SOWEE_SECRET:
        return lays, np.int64(0)
    return lays, _held_bits(state.low[seat], state.high[seat], 1) & ~(np.int64(1) << state.sowee)


@kernel
def _legal(state, book):
    """What may be done now: bits for the verbs without a card; kinds to lay, to close, to discard."""
    none = np.int64(0)
    if state.phase == OVER:
        return none, none, none, none
    if state.phase == CLAIMING:
        return np.int64(1 << WIN | 1 << PASS), none, none, none
    seat = np.int64(state.turn)
    verbs, lays, closes = none, none, none
    if book.switches.before_draw or state.card >= 0:
        lays, closes = _layable(state, seat)
    if state.phase == DRAWING:
        return np.int64(1 << DRAW | (state.top >= 0) << TAKE), lays, closes, none
    discards = _discardable(state, seat)
    if not discards:
        verbs |= 1 << SKIP
    if _may_win(state, book):
        verbs |= 1 << WIN
    return verbs, lays, closes, discards


@kernel
def _actor(state):
    """The seat that is to act."""
    return np.int64(state.asked if state.phase == CLAIMING else state.turn)


@kernel
def _act(state, action, book):
    """Do a legal action."""
    verb, kind = action // VERB, action % VERB
    if verb == DRAW:
        _draw(state, book)
    elif verb == TAKE:
        _take(state, book)
    elif verb == WIN:
        _win(state, _actor(state), book)
    elif verb == PASS:
        _pass(state, book)
    elif verb == SKIP:
        _skip(state, book)
    elif verb == LAY:
        _lay(state, kind, book)
    elif verb == CLOSE:
        _close(state, kind, book)
    else:
        _discard(state, kind, book)


@kernel
def _draw(state, book):
    """Draw from the stock; those whom the card completes are asked."""
    seat, kind = np.int64(state.turn), np.int64(state.stock[state.drawn])
    state.drawn += 1
    if state.top >= 0:
        state.passed[seat] |= np.int64(1) << state.top
    _give(state, seat, kind)
    state.card, state.from_stock = kind, True
    state.shown = state.purro != 0 or state.barred[seat] > 0
    _ask(state, 0, book)


@kernel
def _take(state, book):
    """Take the previous player's discard."""
    kind = np.int64(state.top)
    low, high = words_without(state.pile_low, state.pile_high, kind)
    state.pile_low, state.pile_high = low, high
    _give(state, np.int64(state.turn), kind)
    state.card, state.from_stock, state.shown, state.top = kind, False, True, NONE
    state.takes += 1
    _ask(state, 0, book)


@kernel
def _ask(state, step, book):
    """Turn to the next, so many steps on, who may claim the card; if there is none, its drawer goes on."""
    state.phase = ACTING
    while step < PLAYERS:
        seat = np.int64(state.turn + step) % PLAYERS
        if step and not (state.from_stock and state.shown):
            return
        if _entitled(state, seat, book) and _wins_with(state, seat, np.int64(state.card if step else NONE), book):
            state.phase, state.asked = CLAIMING, seat
            return
        if state.shown:
            state.passed[seat] |= np.int64(1) << state.card
        step += 1


@kernel
def _pass(state, book):
    """Let the card go by."""
    seat = np.int64(state.asked)
    if state.last:
        _end(state)
        return
    if state.shown:
        state.passed[seat] |= np.int64(1) << state.card
    if seat == state.turn:
        state.declined = True
    _ask(state, (seat - state.turn) % PLAYERS + 1, book)


@kernel
def _lay(state, kind, book):
    """Lay four identical cards."""
    seat = np.int64(state.turn)
    for _ in range(SECRET):
        _withdraw(state, seat, kind)
    state.laid[seat] |= np.int64(1) << kind
    _pay_secret(state, seat, book)


@kernel
def _close(state, kind, book):
    """Lay three cards like the sowee with a closed one, which goes on counting as held."""
    seat = np.int64(state.turn)
    for _ in range(SOWEE_SECRET):
        _withdraw(state, seat, np.int64(state.sowee))
    state.closed[seat] = kind
    _pay_secret(state, seat, book)


@kernel
def _pay_secret(state, seat, book):
    state.secrets += 1
    cents = book.switches.secret
    for step in range(1, 2 if book.switches.first_pays else PLAYERS, 2):
        state.cents[(seat + step) % PLAYERS] -= cents
        state.cents[seat] += cents


@kernel
def _discard(state, kind, book):
    """Discard a card, and say purro or not purro."""
    seat = np.int64(state.turn)
    _withdraw(state, seat, kind)
    low, high = words_with(state.pile_low, state.pile_high, kind)
    state.pile_low, state.pile_high = low, high
    state.top = kind
    if kind != state.card:
        state.passed[seat] = 0
    _announce(state, seat, book)
    _next_turn(state, book)


@kernel
def _skip(state, book):
    """Discard nothing, or end the deal (``nothing_to_discard``)."""
    if not book.switches.skips:
        _end(state)
        return
    state.top = NONE
    _announce(state, np.int64(state.turn), book)
    _next_turn(state, book)


@kernel
def _announce(state, seat, book):
    """Say purro or not purro, whichever is due after a discard."""
    bit = np.int8(1 << seat)
    said, due = (state.purro & bit) != 0, state.barred[seat] == 0 and _is_purro(state, seat, book)
    if due and not said:
        state.purro |= bit
        state.passed[seat] = 0
        state.purros += 1
        if state.first_purro < 0:
            state.first_purro = state.turns
    elif said and not due:
        state.purro &= ~bit
        state.barred[seat] = BARRED
        state.breaks += 1
        if state.card >= 0 and KING_BITS >> state.card & 1:
            state.king_breaks += 1


@kernel
def _next_turn(state, book):
    """Turn to the next player; or to the last claim, or the end, if the stock is used up."""
    seat = np.int64(state.turn + 1) % PLAYERS
    state.turn = seat
    state.turns += 1
    state.card = NONE
    state.from_stock = state.shown = state.declined = False
    if state.barred[seat]:
        state.barred[seat] -= 1
    if state.drawn < STOCK:
        state.phase = ACTING if _count(state, seat) == HAND else DRAWING
        return
    claims = book.switches.last_discard and state.top >= 0 and _entitled(state, seat, book)
    if claims and _wins_with(state, seat, np.int64(state.top), book):
        state.last, state.phase, state.asked = True, CLAIMING, seat
    else:
        _end(state)


@kernel
def _end(state):
    """The deal is a draw."""
    state.phase = OVER


@kernel
def _win(state, seat, book):
    """A seat wins and is paid."""
    if state.last:
        _take_last(state, seat)
    bounit, state.way = np.int64(state.card), OWN_DRAW
    if seat != state.turn:
        state.way = OTHERS_DRAW
        _withdraw(state, np.int64(state.turn), bounit)
        _give(state, seat, bounit)
    elif not state.from_stock and bounit >= 0:
        state.way = TAKEN
    state.winner, state.phase = seat, OVER
    state.each = _price(state, seat, bounit, np.int64(state.way), book)
    for step in (1, 3):
        state.cents[(seat + step) % PLAYERS] -= state.each
        state.cents[seat] += state.each


@kernel
def _take_last(state, seat):
    kind = np.int64(state.top)
    low, high = words_without(state.pile_low, state.pile_high, kind)
    state.pile_low, state.pile_high = low, high
    _give(state, seat, kind)
    state.card, state.from_stock, state.shown, state.top = kind, False, True, NONE
    state.takes += 1


@kernel
def _price(state, seat, bounit, way, book):
    """What each opponent pays for the complete hand of a seat; sets what the state tells of it."""
    switches = book.switches
    kings, value = _kings(state, seat, switches)
    state.porbis = kings == 0 or (kings == 1 and _king_runs(state, seat, book))
    if state.porbis:
        return switches.porbis + (value if switches.porbis_kings else 0)
    if way == OWN_DRAW:
        return value + switches.own_draw
    pool = _kinds_of(state, seat)
    spare = switches.twin or bounit != state.sowee or _all_held(state, seat, bounit) > 1
    pool_twin = pool if spare else pool & ~(np.int64(1) << state.sowee)
    met = _conditions(pool, pool_twin, bounit, np.int64(state.sowee), book)
    while met != 3 and state.turned < min(switches.most_turned, STOCK - state.drawn):
        card = np.int64(1) << state.stock[state.drawn + state.turned]
        state.turned += 1
        pool |= card
        pool_twin |= card
        met = _conditions(pool, pool_twin, bounit, np.int64(state.sowee), book)
    state.conditions = met
    if met == 3:
        return value + switches.both
    if met:
        return value + (switches.bounit if met == 1 else switches.sowee)
    return value + switches.no_condition


@kernel
def _all_held(state, seat, kind):
    """How many cards of a kind a seat has, those that lie included."""
    if state.laid[seat] >> kind & 1:
        return np.int64(SECRET)
    held = _held(state, seat, kind)
    return held + SOWEE_SECRET if state.closed[seat] >= 0 and kind == state.sowee else held


@kernel
def _kinds_of(state, seat):
    """Bits for the kinds that a seat has, those that lie included."""
    pool = _held_bits(state.low[seat], state.high[seat], 1) | state.laid[seat]
    return pool | np.int64(1) << state.sowee if state.closed[seat] >= 0 else pool


@kernel
def _kings(state, seat, switches):
    """How many kings a seat has, and what they pay."""
    kings, value = np.int64(0), 0
    for suit in range(len(SUITS)):
        kind = RANKS_OF_SUIT * suit + KING
        held = _all_held(state, seat, kind)
        kings += held
        value += held * (switches.king_of_coins if kind == KING_OF_COINS else switches.other_king)
    return kings, value


@kernel
def _king_runs(state, seat, book):
    """Whether the only king of a complete hand stands in a run in some division."""
    low, high = state.low[seat], state.high[seat]
    for suit in range(len(SUITS)):
        king = RANKS_OF_SUIT * suit + KING
        if _held(state, seat, king) and _held(state, seat, king - 1) and _held(state, seat, king - 2):
            for kind in (king, king - 1, king - 2):
                low, high = words_without(low, high, kind)
            return _whole(low, high, np.int64(state.sowee), state.closed[seat], book)
    return False


@kernel
def _conditions(pool, pool_twin, bounit, sowee, book):
    """Bits for the conditions met by kinds that are there; ``pool_twin``: those that may be the card like the sowee."""
    met = np.int64(_accompanied(pool, bounit, book))
    if pool_twin >> sowee & 1 and _accompanied(pool, sowee, book):
        met |= 2
    return met


@kernel
def _accompanied(pool, kind, book):
    found = 0
    for other in book.companions[kind]:
        if other >= 0:
            found += pool >> other & 1
    return found >= 2


def new_state() -> np.void:
    """A state whose fields are still to be set: ``STATE``."""
    return np.zeros(1, dtype=STATE)[0]  # type: ignore[no-any-return]
