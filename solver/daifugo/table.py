"""One deal at a table: the cards fall, the exchange, the play; what each seat sees, and asking the players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from solver.daifugo.cards import EMPTY, Hand, count_cards, deck, format_cards, holds, join, take, to_hand
from solver.daifugo.events import Dealt, Finished, Gave, Requested, Returned, TitlesSwapped
from solver.daifugo.exchange import Gift, exchanges, first_leader, is_due, swaps_titles
from solver.daifugo.game import Game, IllegalAction
from solver.daifugo.players import Player, View
from solver.daifugo.plays import Play
from solver.daifugo.rules import RuleSet
from solver.events import Event

Choice = TypeVar("Choice")


class Table:
    """One deal of a match.

    Args:
        rules: the rule set.
        players: by seat.
        dealt: how the cards fell.
        places: by seat in the deal before; None in the first.
        drawn: the seat that leads the first deal, drawn by lot.
        totals: the scores so far, by player.
        tell: called with every event, nothing hidden.
    """

    def __init__(
        self,
        rules: RuleSet,
        players: Sequence[Player],
        dealt: Dealt,
        places: tuple[int, ...] | None,
        drawn: int,
        totals: tuple[int, ...],
        tell: Callable[[Event], None],
    ) -> None:
        self._rules = rules
        self._players = players
        self._dealt = dealt
        self._places = places
        self._drawn = drawn
        self._totals = totals
        self._tell_all = tell
        self._hands: list[Hand] = [hand or EMPTY for hand in dealt.hands]
        self._given: list[Hand] = [EMPTY] * len(players)
        self._got: list[Hand] = [EMPTY] * len(players)
        self._partners: dict[int, int] = {}
        self._requested: dict[int, Hand] = {}
        self._seen: list[list[Event]] = [[] for _ in players]
        self._game: Game | None = None

    def play(self) -> Finished:
        """Play the deal to its end.

        Raises:
            IllegalAction: a player chose what the rules forbid, and did not choose again.
        """
        self._tell(self._dealt)
        if self._places is not None:
            self._swap_titles()
            self._exchange()
        leader = first_leader(self._rules, self._hands, self._dealt.dealer, self._places, self._drawn)
        champion = None if self._places is None else self._places.index(0)
        game = self._game = Game(self._hands, self._rules, leader=leader, champion=champion)
        self._tell(*game.events)
        while not game.is_over:
            self._act(game)
        end = game.events[-1]
        assert isinstance(end, Finished)
        return end

    def view(self, seat: int) -> View:
        """What a seat knows now."""
        view = View(
            rules=self._rules,
            seat=seat,
            number=self._dealt.number,
            order=self._dealt.order,
            totals=self._totals,
            hand=self._hands[seat],
            counts=tuple(map(count_cards, self._hands)),
            places=self._places,
            given=self._given[seat],
            got=self._got[seat],
            partner=self._partners.get(seat),
            requested=self._requested.get(seat, EMPTY),
            events=tuple(self._seen[seat]),
        )
        return view if self._game is None else view.in_game(self._game)

    def _tell(self, *events: Event) -> None:
        for event in events:
            self._tell_all(event)
            for seat, player in enumerate(self._players):
                seen = event.seen_by(seat)
                if seen is not None:
                    self._seen[seat].append(seen)
                    player.saw(seen)

    def _ask(self, seat: int, choose: Callable[[Player, View], Choice], act: Callable[[Choice], None]) -> None:
        """Let a player choose until what they choose can be done."""
        while True:
            choice = choose(self._players[seat], self.view(seat))
            try:
                act(choice)
            except IllegalAction as error:
                if not self._players[seat].refused(str(error)):
                    raise
            else:
                return

    def _act(self, game: Game) -> None:
        """The next action of the play."""

        def play(choice: Play | None) -> None:
            self._tell(*(game.pass_() if choice is None else game.play(choice)))

        def discard(card: Hand | None) -> None:
            self._tell(*game.discard(card))

        if game.may_discard:
            self._ask(game.turn, lambda player, view: player.discard(view), discard)
        else:
            self._ask(game.turn, lambda player, view: player.play(view), play)

    def _swap_titles(self) -> None:
        assert self._places is not None
        if swaps_titles(self._hands, self._places, self._rules):
            self._places = tuple(len(self._places) - 1 - place for place in self._places)
            self._tell(TitlesSwapped(self._places))

    def _exchange(self) -> None:
        assert self._places is not None
        seats = {place: seat for seat, place in enumerate(self._places)}
        due = [(seats[poor], seats[rich], count) for poor, rich, count in exchanges(self._rules, len(seats))]
        for poor, rich, _ in due:
            self._partners |= {poor: rich, rich: poor}
        for gift in due:
            if self._rules.on_request:
                self._request(gift)
            self._give(gift)
        for gift in due:
            self._give_back(gift)

    def _request(self, gift: Gift) -> None:
        poor, rich, count = gift
        cards = deck(self._rules.decks, self._rules.jokers)

        def request(wanted: Hand) -> None:
            if count_cards(wanted) > count:
                raise IllegalAction(f"{format_cards(*wanted)}: a request names at most {count}, by the rule on_request")
            if not holds(to_hand(cards.full, cards), wanted):
                raise IllegalAction(f"{format_cards(*wanted)}: a request for cards that are not in the deck")
            self._requested[poor] = wanted
            self._tell(Requested(rich, poor, wanted))

        self._ask(rich, lambda player, view: player.request(view, count), request)

    def _give(self, gift: Gift) -> None:
        poor, rich, count = gift
        assert self._places is not None
        may_keep = self._rules.joker_kept and self._places[poor] == len(self._players) - 1

        def give(cards: Hand) -> None:
            self._check_handed(poor, cards, count)
            if not is_due(cards, self._hands[poor], self._requested.get(poor, EMPTY), count, may_keep_jokers=may_keep):
                wanted = "those requested, and else the highest" if self._rules.on_request else "the highest"
                raise IllegalAction(f"{format_cards(*cards)}: a gift must be {wanted} {count} of the hand")
            self._hand_over(poor, rich, cards)
            self._tell(Gave(poor, rich, cards))

        self._ask(poor, lambda player, view: player.give(view, count), give)

    def _give_back(self, gift: Gift) -> None:
        poor, rich, count = gift

        def give_back(cards: Hand) -> None:
            self._check_handed(rich, cards, count)
            self._hand_over(rich, poor, cards)
            self._tell(Returned(rich, poor, cards))

        self._ask(rich, lambda player, view: player.give_back(view, count), give_back)

    def _check_handed(self, seat: int, cards: Hand, count: int) -> None:
        if count_cards(cards) != count:
            raise IllegalAction(f"{format_cards(*cards) or 'nothing'}: {count} must be given, not {count_cards(cards)}")
        if not holds(self._hands[seat], cards):
            raise IllegalAction(f"{format_cards(*cards)}: not in the hand")

    def _hand_over(self, giver: int, taker: int, cards: Hand) -> None:
        self._hands[giver] = take(self._hands[giver], cards)
        self._hands[taker] = join(self._hands[taker], cards)
        self._given[giver] = join(self._given[giver], cards)
        self._got[taker] = join(self._got[taker], cards)
