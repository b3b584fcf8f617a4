"""The course of a game of The Silk Road: changes of hands and pile, and the steps of a turn.

A draft is a state under construction (see `tradekit.drafts`). An action sets some of its fields and calls the next
step. This step either waits for a player, and the state is done, or goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from tradekit.drafts import put
from tradekit.game import CHANCE
from tradekit.silk import actions as kinds
from tradekit.silk.cards import ALL, Cards, cards_of
from tradekit.silk.market import Market
from tradekit.silk.parameters import ALL_KNOW, HORDES, LIMIT, NEUTRAL, NOBODY, OPEN, Parameters, Said, Step

if TYPE_CHECKING:
    from tradekit.silk.rules import State

_MARKET, _DEAL, _FIRST, _DRAW, _TURN, _TRADE, _ANSWER, _ACCEPT, _REFILL, _DROP, _HORDES, _NEUTRAL, _OVER = Step

FIELDS: Final = (
    "parameters", "step", "turn", "mover", "market", "hordes", "hands", "unseen", "under", "discards", "safeguards",
    "dinars", "marker", "knows", "left", "talked", "exchanged", "partner", "offers", "commits", "idle", "ran_out",
    "to_come",
)  # fmt: skip


class Draft:
    """A state under construction; see `tradekit.drafts`."""

    __slots__ = (*FIELDS, "actors")  # the last one follows from the others
    finished: ClassVar[type[State]]  #: class of a finished state
    parameters: Parameters
    step: Step
    turn: int  #: player on turn; CHANCE during the set-up
    mover: int  #: seat whose hand acts: `turn`, or `NEUTRAL` in a neutral turn (SI-60)
    market: Market
    hordes: int  #: number that the hordes' pile shows (SI-25)
    hands: tuple[Cards, ...]  #: hand of each player, and in a game for two of the neutral player until it leaves
    unseen: Cards  #: draw pile without `under`, unordered; in a view, with all cards hidden from the player
    under: tuple[tuple[int, int], ...]  #: cards under the draw pile from the top, each with its player (SI-12)
    discards: Cards
    safeguards: tuple[tuple[int, ...], ...]  #: safeguards of each player, the oldest first (SI-22)
    dinars: tuple[int, ...]
    marker: tuple[int, ...]  #: card of the marker, the briber, and the two goods; () without a bribe (SI-33)
    knows: tuple[Cards, ...]  #: by player: cards in others' hands that the player saw going there
    left: int  #: number of cards still to be drawn, or discarded at a pass
    talked: int  #: one bit per player whose talk with the player on turn is finished this turn (SI-10)
    exchanged: bool  #: True if one of these talks ended in an exchange (SI-12)
    partner: int  #: partner of the open talk, or NOBODY
    offers: tuple[Said, ...]  #: words of the talk: the offer, and the answer
    commits: tuple[int, ...]  #: loss of each hand to the hordes, OPEN until chosen; () without a raid
    idle: int  #: turns since the pile last shrank or something was sold (SI-53); -1: in this turn
    ran_out: int  #: number of times the pile has run out (SI-50)
    to_come: tuple[int, ...]  #: seats with turns to come after the last run-out (SI-51)
    actors: tuple[int, ...]  #: players who decide now; follows from the other fields

    def done(self) -> State:
        """Return the finished state."""
        self.actors = self.parameters.actors[self.step][self.turn] or self.several()
        self.__class__ = self.finished
        return self  # type: ignore[return-value]

    def several(self) -> tuple[int, ...]:
        """Return the actors outside normal turns: the partner to answer, or all who still choose their losses."""
        if self.step is _ANSWER:
            return (self.partner,)
        n, commits = self.parameters.players, self.commits
        chooses = {player for player, cards in enumerate(commits[:n]) if cards == OPEN}
        if commits[n:] == (OPEN,):  # SI-60: they also choose for the neutral player, after their own hand
            chooses.add(self.turn)
        return tuple(sorted(chooses))

    @property
    def closed(self) -> bool:
        """True if the pile has run out for the last time and stays empty (SI-51)."""
        return self.ran_out >= self.parameters.run_outs

    # Moving cards

    def give(self, seat: int, cards: Cards) -> None:
        """Add cards to a hand, or take out those that are in it."""
        hands = [*self.hands]
        hands[seat] ^= cards
        self.hands = tuple(hands)

    def discard(self, seat: int, cards: Cards) -> None:
        """Discard cards of a hand face up: nobody has to remember where they were."""
        self.give(seat, cards)
        self.discards |= cards
        self.forget(cards)

    def forget(self, cards: Cards) -> None:
        """Forget cards that are no longer where players saw them go, or that everybody can see."""
        if any(self.knows):
            self.knows = tuple([known & ~cards for known in self.knows])

    def clear_marker(self) -> None:
        """End the bribe and discard its marker (SI-33)."""
        if self.marker:
            self.discards |= 1 << self.marker[0]
            self.marker = ()

    # The pile

    def fetch(self) -> State:
        """Continue drawing: chance chooses the next card, except from the known bottom of the pile (SI-12)."""
        while self.left:
            if self.unseen:
                return self.done()
            card, by = self.under[0]
            self.under = self.under[1:]
            if self.mover < len(self.knows):  # the neutral's hand is open
                for player in range(len(self.knows)):
                    if player != self.mover and by in (player, ALL_KNOW):
                        self.know(player, 1 << card)
            self.receive(1 << card)
        if self.step is _REFILL:
            return self.action_over()
        if self.mover != self.turn and len(self.hands) <= NEUTRAL:  # it has left (SI-62)
            return self.turn_over()
        self.step = _TURN
        return self.done()

    def know(self, player: int, cards: Cards) -> None:
        """Note that a player sees these cards go into another hand."""
        self.knows = put(self.knows, player, self.knows[player] | cards)

    def receive(self, card: Cards) -> None:
        """Give a card from the pile to the player to move."""
        hands = [*self.hands]
        hands[self.mover] |= card
        self.hands = tuple(hands)
        self.left -= 1
        if not (self.unseen or self.under):
            self.run_out(bought=self.step is _REFILL)  # a barter and the neutral's pass put back as many as they draw

    def drop(self) -> State:
        """Continue revealing the cards discarded at a pass, then end the turn (SI-41)."""
        while self.left:
            if self.unseen:
                return self.done()
            (card, _by), *rest = self.under
            self.under = tuple(rest)
            self.lose(1 << card)
        return self.turn_over()

    def lose(self, card: Cards) -> None:
        """Discard a card of the pile."""
        self.discards |= card
        self.left -= 1
        if not (self.unseen or self.under):
            self.run_out()

    def run_out(self, bought: bool = False) -> None:
        """Make a new pile, or begin the last turns (SI-51): the pile ran out (SI-50) or counts as run out (SI-53).

        `bought`: it ran out by a purchase, and its buyer has one turn less.
        """
        parameters = self.parameters
        self.ran_out += 1
        self.neutral_leaves()
        if not self.closed:
            self.market = self.market.raised()
            self.unseen |= self.discards | cards_of(card for card, _by in self.under)
            self.discards, self.under = 0, ()
            if self.unseen:
                return
            self.ran_out = parameters.run_outs
            self.neutral_leaves()
        n = parameters.players
        order = [(self.turn + 1 + place) % n for place in range(n)]
        last = [*order, *order] if parameters.rules.last_turns == "rounds" else [p for p in order for _turn in (1, 2)]
        if bought:
            last.pop(len(last) - 1 - last[::-1].index(self.turn))
        self.left, self.to_come = 0, tuple(last)

    def neutral_leaves(self) -> None:
        """Discard the neutral player's marker and hand if it is time for the neutral player to leave (SI-62)."""
        if self.ran_out < self.parameters.neutral_leaves or len(self.hands) == self.parameters.players:
            return
        if self.marker and self.marker[1] == NEUTRAL:
            self.clear_marker()
        self.discards |= self.hands[NEUTRAL]
        self.hands = self.hands[:NEUTRAL]

    # The course of a turn

    def begin_turn(self, seat: int) -> State:
        """Begin a turn with that hand: draw a card with six or fewer in hand, while there is a pile (SI-6, SI-51).

        A neutral turn is a separate turn, in which nothing has been exchanged yet (SI-60).
        """
        self.mover, self.talked, self.exchanged = seat, 0, False
        if self.hands[seat].bit_count() >= LIMIT or self.closed:
            self.step = _TURN
            return self.done()
        self.step, self.left, self.idle = _DRAW, 1, -1
        return self.done() if self.unseen else self.fetch()

    def trade_on(self) -> State:
        """Continue or end trading after a talk; its end needs an exchange, a barter, or a closed pile (SI-13)."""
        self.partner, self.offers = NOBODY, ()
        self.step = _TRADE
        if kinds.partners(self) or not (self.exchanged or self.closed):
            return self.done()
        return self.action_over()

    def action_over(self) -> State:
        """End an action other than a pass: offer two players a neutral turn (SI-60), otherwise end the turn."""
        if self.mover == self.turn and len(self.hands) > self.parameters.players:
            self.step = _NEUTRAL
            return self.done()
        return self.turn_over()

    def turn_over(self) -> State:
        """Begin the next player's turn, or end the game (SI-5, SI-51)."""
        parameters = self.parameters
        self.idle += 1
        if self.idle == parameters.patience and not self.closed:
            self.idle = 0
            self.run_out()
        if self.ran_out < parameters.run_outs:
            self.turn = parameters.left[self.turn]
        elif self.to_come:
            self.turn, self.to_come = self.to_come[0], self.to_come[1:]
        else:
            self.mover, self.step, self.talked, self.exchanged = self.turn, _OVER, 0, False
            return self.done()
        return self.begin_turn(self.turn)

    def raid(self) -> State:
        """Begin an attack of the hordes: all choose their losses at once, unless there is no choice (SI-25)."""
        self.step = _HORDES
        self.commits = kinds.first_commits(self.hands, self.parameters.players)
        return self.raided()

    def raided(self) -> State:
        """Discard the chosen losses once all have chosen."""
        if OPEN in self.commits:
            return self.done()
        lost, self.commits = self.commits, ()
        for seat, cards in enumerate(lost):
            self.discard(seat, cards)
        return self.action_over()


def fresh(parameters: Parameters) -> Draft:
    """Return the draft of a game before its set-up."""
    draft, players = Draft(), parameters.players
    draft.parameters, draft.step, draft.turn, draft.mover = parameters, _MARKET, CHANCE, CHANCE
    draft.market, draft.hordes = Market(), HORDES - 1
    draft.hands, draft.knows = (0,) * (players + (players == 2)), (0,) * players
    draft.unseen, draft.discards, draft.under = ALL, 0, ()
    draft.safeguards, draft.dinars, draft.marker = ((),) * players, (0,) * players, ()
    draft.left = draft.talked = draft.idle = draft.ran_out = 0
    draft.exchanged, draft.partner = False, NOBODY
    draft.offers = draft.commits = draft.to_come = ()
    return draft
