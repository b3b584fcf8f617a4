"""How a game of The Silk Road goes on: what happens to hands and pile, and the course of a turn.

A draft is a state in the making (see `tradekit.drafts`). An action sets some of its fields and calls what follows; that
either asks somebody, and the state is done, or goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from tradekit.silk import actions as kinds
from tradekit.silk.cards import Cards, cards_of
from tradekit.silk.market import Market
from tradekit.silk.parameters import ALL_KNOW, LIMIT, NEUTRAL, NOBODY, OPEN, Said, Setting, Step

if TYPE_CHECKING:
    from tradekit.silk.rules import State

_MARKET, _DEAL, _FIRST, _DRAW, _TURN, _TRADE, _ANSWER, _ACCEPT, _REFILL, _DROP, _HORDES, _NEUTRAL, _OVER = Step

FIELDS: Final = (
    "setting", "step", "turn", "mover", "market", "hordes", "hands", "unseen", "under", "discards", "safeguards",
    "dinars", "marker", "knows", "left", "talked", "exchanged", "partner", "offers", "commits", "idle", "ran_out",
    "to_come",
)  # fmt: skip


class Draft:
    """A state in the making; see `tradekit.drafts`."""

    __slots__ = (*FIELDS, "actors")  # the last one follows from the others
    finished: ClassVar[type[State]]  #: the class of a finished state
    setting: Setting
    step: Step
    turn: int  #: whose turn it is; CHANCE during the set-up
    mover: int  #: whose hand acts: `turn`, or in a neutral turn `NEUTRAL` (SI-60)
    market: Market
    hordes: int  #: what the hordes' pile shows (SI-25)
    hands: tuple[Cards, ...]  #: of each player; in a game for two also of the neutral while it is there
    unseen: Cards  #: the draw pile but for `under`, without order; in a view: with all that is hidden from the player
    under: tuple[tuple[int, int], ...]  #: SI-12: cards under the draw pile from the top, each with who put it there
    discards: Cards
    safeguards: tuple[tuple[int, ...], ...]  #: SI-22: of each player, the oldest first
    dinars: tuple[int, ...]
    marker: tuple[int, ...]  #: SI-33: its card, the briber, and the two goods; () without a bribe
    knows: tuple[Cards, ...]  #: of each player: cards in hands of others that the player has seen going there
    left: int  #: cards that are still to be drawn or dropped
    talked: int  #: a bit for each player with whom a talk was finished this turn (SI-10)
    exchanged: bool  #: whether one of these talks ended in an exchange (SI-12)
    partner: int  #: with whom the talk is; NOBODY
    offers: tuple[Said, ...]  #: what was said in it: the offer, and the answer
    commits: tuple[int, ...]  #: what each hand loses to the hordes, OPEN until it is chosen; () without a raid
    idle: int  #: turns since the pile last shrank or something was sold (SI-53); -1: in this turn
    ran_out: int  #: how often the pile has run out (SI-50)
    to_come: tuple[int, ...]  #: whose turns are still to come when it has for the last time (SI-51)
    actors: tuple[int, ...]  #: whose decision is open: follows from the others

    def done(self) -> State:
        """The finished state."""
        self.actors = self.setting.actors[self.step][self.turn] or self.several()
        self.__class__ = self.finished
        return self  # type: ignore[return-value]

    def several(self) -> tuple[int, ...]:
        """Who acts where it is not by turns: who answers, and all who still choose what the hordes take."""
        if self.step is _ANSWER:
            return (self.partner,)
        n, commits = self.setting.players, self.commits
        chooses = {player for player, cards in enumerate(commits[:n]) if cards == OPEN}
        if commits[n:] == (OPEN,):  # SI-60: for the neutral, too, behind the own hand
            chooses.add(self.turn)
        return tuple(sorted(chooses))

    @property
    def closed(self) -> bool:
        """Whether the pile has run out for the last time, and stays empty (SI-51)."""
        return self.ran_out >= self.setting.run_outs

    # Where cards go

    def give(self, seat: int, cards: Cards) -> None:
        """Add cards to a hand, or for cards that are in it take them out."""
        hands = [*self.hands]
        hands[seat] ^= cards
        self.hands = tuple(hands)

    def discard(self, seat: int, cards: Cards) -> None:
        """Cards of a hand go to the discards, face up: nobody has to remember where they were."""
        self.give(seat, cards)
        self.discards |= cards
        self.forget(cards)

    def forget(self, cards: Cards) -> None:
        """These cards are not where somebody saw them going any more, or all see where they are."""
        if any(self.knows):
            self.knows = tuple([known & ~cards for known in self.knows])

    def clear_marker(self) -> None:
        """The bribe is over; its marker goes to the discards (SI-33)."""
        if self.marker:
            self.discards |= 1 << self.marker[0]
            self.marker = ()

    # The pile

    def fetch(self) -> State:
        """Go on drawing: chance says which card comes up, but of the known bottom of the pile (SI-12)."""
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
        """A player sees these cards going into another's hand."""
        knows = [*self.knows]
        knows[player] |= cards
        self.knows = tuple(knows)

    def receive(self, card: Cards) -> None:
        """The one who moves gets a card from the pile."""
        hands = [*self.hands]
        hands[self.mover] |= card
        self.hands = tuple(hands)
        self.left -= 1
        if not (self.unseen or self.under):
            self.run_out(bought=self.step is _REFILL)  # a barter and the neutral's pass put back as many as they draw

    def drop(self) -> State:
        """Go on turning up the cards that a pass drops (SI-41); then the turn is over."""
        while self.left:
            if self.unseen:
                return self.done()
            (card, _by), *rest = self.under
            self.under = tuple(rest)
            self.lose(1 << card)
        return self.turn_over()

    def lose(self, card: Cards) -> None:
        """A card of the pile goes to the discards."""
        self.discards |= card
        self.left -= 1
        if not (self.unseen or self.under):
            self.run_out()

    def run_out(self, bought: bool = False) -> None:
        """The pile has run out (SI-50), or is treated so (SI-53): a new one is made, or the end comes (SI-51).

        `bought`: by a purchase, whose buyer then has one turn less.
        """
        setting = self.setting
        self.ran_out += 1
        self.neutral_leaves()
        if not self.closed:
            self.market = self.market.raised()
            self.unseen |= self.discards | cards_of(card for card, _by in self.under)
            self.discards, self.under = 0, ()
            if self.unseen:
                return
            self.ran_out = setting.run_outs
            self.neutral_leaves()
        n = setting.players
        order = [(self.turn + 1 + place) % n for place in range(n)]
        last = [*order, *order] if setting.rules.last_turns == "rounds" else [p for p in order for _turn in (1, 2)]
        if bought:
            last.pop(len(last) - 1 - last[::-1].index(self.turn))
        self.left, self.to_come = 0, tuple(last)

    def neutral_leaves(self) -> None:
        """If it is time: the neutral's marker and its hand go to the discards (SI-62)."""
        if self.ran_out < self.setting.neutral_leaves or len(self.hands) == self.setting.players:
            return
        if self.marker and self.marker[1] == NEUTRAL:
            self.clear_marker()
        self.discards |= self.hands[NEUTRAL]
        self.hands = self.hands[:NEUTRAL]

    # The course of a turn

    def begin_turn(self, seat: int) -> State:
        """A turn with that hand begins: with six cards or fewer one is drawn, while there is a pile (SI-6, SI-51).

        The neutral's is a turn of its own, in which nothing has been exchanged yet (SI-60).
        """
        self.mover, self.talked, self.exchanged = seat, 0, False
        if self.hands[seat].bit_count() >= LIMIT or self.closed:
            self.step = _TURN
            return self.done()
        self.step, self.left, self.idle = _DRAW, 1, -1
        return self.done() if self.unseen else self.fetch()

    def trade_on(self) -> State:
        """After a talk: another one, or the end of the trading; SI-13 wants an exchange, a barter, or a closed pile."""
        self.partner, self.offers = NOBODY, ()
        self.step = _TRADE
        if kinds.partners(self) or not (self.exchanged or self.closed):
            return self.done()
        return self.action_over()

    def action_over(self) -> State:
        """After an action other than a pass: two players may take a neutral turn (SI-60), else the turn is over."""
        if self.mover == self.turn and len(self.hands) > self.setting.players:
            self.step = _NEUTRAL
            return self.done()
        return self.turn_over()

    def turn_over(self) -> State:
        """The next one's turn begins (SI-5, SI-51), or the game is over."""
        setting = self.setting
        self.idle += 1
        if self.idle == setting.patience and not self.closed:
            self.idle = 0
            self.run_out()
        if self.ran_out < setting.run_outs:
            self.turn = setting.left[self.turn]
        elif self.to_come:
            self.turn, self.to_come = self.to_come[0], self.to_come[1:]
        else:
            self.mover, self.step, self.talked, self.exchanged = self.turn, _OVER, 0, False
            return self.done()
        return self.begin_turn(self.turn)

    def raid(self) -> State:
        """The hordes attack (SI-25): all choose what they lose, at once; where nothing is to choose it is settled."""
        self.step = _HORDES
        self.commits = kinds.first_commits(self.hands, self.setting.players)
        return self.raided()

    def raided(self) -> State:
        """The hordes take what was chosen when all have chosen."""
        if OPEN in self.commits:
            return self.done()
        lost, self.commits = self.commits, ()
        for seat, cards in enumerate(lost):
            self.discard(seat, cards)
        return self.action_over()
