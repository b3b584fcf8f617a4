"""The course of a game of Turin Market: the steps of an auction, each called when the previous one is over.

A draft is a state under construction (see `tradekit.drafts`). An action sets some of its fields and calls the next
step. This step either waits for a player, and the state is done, or goes on to the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from tradekit.auctions.formats import Block
from tradekit.drafts import put
from tradekit.game import CHANCE
from tradekit.turin import auction, payment
from tradekit.turin.deck import GOODS
from tradekit.turin.goose import NOBODY
from tradekit.turin.parameters import ALL, BY_CHANCE, SIMULTANEOUS, START, Cards, Parameters, Step
from tradekit.turin.payment import LOAN, Payments

if TYPE_CHECKING:
    from tradekit.turin.rules import State

OPEN: Final = -1  #: commitment of a player who has not chosen yet
NOT_ASKED: Final = -2
NONE: Final = -1  #: addition of a player who adds nothing to the bid

_BY_CHANCE: Final = (CHANCE,)
(_DEAL, _SHOW, _WINDOW, _CHOOSE, _BID, _GOOSE, _ADD, _COIN, _TAKE, _OFFER, _PAID, _OVER) = Step


FIELDS: Final = (
    "parameters", "step", "auction", "reserve", "loans", "hands", "centre", "won", "gone", "rest", "sale", "commits",
    "bids", "standing", "added", "named", "queue", "claims", "tokens", "first", "holder", "bank", "cash", "past",
)  # fmt: skip


class Draft:
    """A state under construction; see `tradekit.drafts`."""

    __slots__ = (*FIELDS, "actors")  # the last follows from the others
    finished: ClassVar[type[State]]  #: class of a finished state
    parameters: Parameters
    step: Step
    auction: int  #: number of auctions before this one
    reserve: tuple[int, ...]  #: escudos of each player, without coins on cards for sale
    loans: tuple[int, ...]  #: 1 for each player with the loan (TU-30)
    hands: tuple[Cards, ...]  #: hand of each player; in a view, minus the number of cards for the others
    centre: Cards  #: cards of this auction
    won: tuple[Cards, ...]  #: cards face up in front of each player (TU-20)
    gone: Cards  #: discarded cards (TU-16)
    rest: Cards  #: cards not dealt; with two players six stay here, unseen (TU-5)
    sale: tuple[tuple[int, int, int], ...]  #: (card, owner, price) of the cards on sale (TU-20)
    commits: tuple[int, ...]  #: simultaneous choices: twice the number chosen, plus 1 with a loan
    bids: tuple[int, ...]  #: bids of the last auction, once revealed
    standing: tuple[int, ...]  #: numbers compared in place of the bids (`auction.standing`)
    added: tuple[int, ...]  #: escudos added in a tie; NONE for players not tied
    named: tuple[int, ...]  #: players who name cards to discard, in the order of the coin toss (TU-19)
    queue: tuple[tuple[int, int], ...]  #: turns to choose, (player, cards), negative to discard; or turns to offer
    claims: tuple[tuple[int, int, int], ...]  #: claims of several players to the same card: (card, player, loan)
    tokens: tuple[int, ...]  #: holder of each good's token (TU-25)
    first: int  #: player of the best filled place, who offers first (TU-20)
    holder: int  #: player with the goose
    bank: int  #: escudos that the bank has taken in minus those it has paid (TU-2)
    cash: tuple[int, ...]  #: escudos of each player before the payments, once these are made
    past: tuple[tuple[int, ...], ...]  #: final escudos of the games of a match so far (TU-40)
    actors: tuple[int, ...]

    def done(self) -> State:
        """Return the finished state."""
        step = self.step
        if step in BY_CHANCE:
            return self.asking(_BY_CHANCE)
        if step in SIMULTANEOUS:
            return self.asking(tuple([player for player, choice in enumerate(self.commits) if choice == OPEN]))
        return self.asking(() if step is _OVER else self.queue[0][:1])

    def asking(self, actors: tuple[int, ...]) -> State:
        """Return the finished state, with these players to act."""
        self.actors = actors
        self.__class__ = self.finished
        return self  # type: ignore[return-value]

    # Money and cards

    def borrow(self, player: int) -> None:
        """Give a player the loan (TU-30)."""
        self.loans = put(self.loans, player, 1)
        self.reserve = put(self.reserve, player, self.reserve[player] + LOAN)
        self.bank -= LOAN

    def may_pay(self, player: int, price: int) -> bool:
        """Return True if a player can pay the price, with a loan if necessary."""
        return price <= self.reserve[player] + LOAN * (not self.loans[player])

    def has_offer(self, player: int) -> bool:
        """Return True if a player has a card on sale."""
        return any(owner == player for _card, owner, _price in self.sale)

    def withdraw(self, offers: list[tuple[int, int, int]]) -> None:
        """End offers and return their coins (TU-21)."""
        for offer in offers:
            _card, owner, price = offer
            self.reserve = put(self.reserve, owner, self.reserve[owner] + price)
            self.sale = tuple([other for other in self.sale if other != offer])

    def buy(self, card: int, buyer: int, loan: int) -> None:
        """Sell a card on sale to its buyer (TU-22)."""
        if loan:
            self.borrow(buyer)
        owner, price = next((owner, price) for number, owner, price in self.sale if number == card)
        reserve, won = [*self.reserve], [*self.won]
        reserve[buyer] -= price
        reserve[owner] += 2 * price  # the price, and the coins on the card
        won[owner] ^= 1 << card - 1
        won[buyer] ^= 1 << card - 1
        self.reserve, self.won = tuple(reserve), tuple(won)
        self.sale = tuple([offer for offer in self.sale if offer[0] != card])

    # The steps of an auction, each called when the previous one is over

    def begin_auction(self) -> State:
        """Start the choice of hand cards (TU-10); with four or five players, the first auction has only the centre."""
        if not self.auction and self.parameters.centre:
            return self.ask_bids()
        if self.hands[0] & (self.hands[0] - 1):
            self.step = _SHOW
            self.commits = (OPEN,) * len(self.hands)
            return self.done()
        return self.show(self.hands)  # each has one card, and nothing to choose

    def reveal_cards(self) -> State:
        """Reveal the chosen hand cards (TU-10)."""
        return self.show(tuple([choice >> 1 for choice in self.commits]))

    def show(self, chosen: tuple[Cards, ...]) -> State:
        """Put cards of the hands into the auction."""
        self.hands = tuple([hand ^ card for hand, card in zip(self.hands, chosen, strict=True)])
        self.centre |= sum(chosen)
        return self.open_window() if self.auction else self.ask_bids()

    def open_window(self) -> State:
        """Let players claim cards on sale, if anybody can pay for one (TU-22)."""
        if self.sale:
            commits = [NOT_ASKED] * len(self.hands)
            for _card, owner, price in self.sale:
                for player, (have, loan) in enumerate(zip(self.reserve, self.loans, strict=True)):
                    if player != owner and (price <= have or (not loan and price <= have + LOAN)):
                        commits[player] = OPEN
            if OPEN in commits:
                self.step, self.commits = _WINDOW, tuple(commits)
                return self.done()
        return self.close_window()

    def close_window(self) -> State:
        """Go on to the bids, or to the next auction's cards (TU-22)."""
        self.commits = ()
        if self.centre:
            return self.ask_bids()
        self.auction += 1
        return self.begin_auction()

    def claimed(self) -> State:
        """Reveal all claims: a single claimant buys, and among several the owner chooses (TU-22)."""
        wanted: dict[int, list[tuple[int, int]]] = {}
        for player, choice in enumerate(self.commits):
            if choice > 1:
                wanted.setdefault(choice >> 1, []).append((player, choice & 1))
        self.commits = ()
        if not wanted:
            return self.close_window()
        self.claims = tuple((card, p, loan) for card in sorted(wanted) for p, loan in wanted[card])
        return self.serve()

    def serve(self) -> State:
        """Sell the cards claimed by one player each, then let players claim again."""
        while self.claims:
            card, buyer, loan = self.claims[0]
            if len(self.claims) > 1 and self.claims[1][0] == card:
                self.step = _CHOOSE
                self.queue = ((next(owner for number, owner, _price in self.sale if number == card), 0),)
                return self.done()
            self.buy(card, buyer, loan)
            self.claims = self.claims[1:]
        self.queue = ()
        return self.open_window()

    def ask_bids(self) -> State:
        """Ask all players to bid; a player without escudos who cannot borrow bids 0 (TU-11)."""
        players = len(self.hands)
        self.holder = self.parameters.goose.holder(self.holder, self.tokens, players)
        self.bids = self.standing = self.added = self.named = ()
        self.commits = tuple(
            [OPEN if have or not loan else 0 for have, loan in zip(self.reserve, self.loans, strict=True)]
        )
        self.step = _BID
        return self.done() if OPEN in self.commits else self.reveal_bids()

    def reveal_bids(self) -> State:
        """Reveal the bids and the loans that go with them."""
        commits, self.commits = self.commits, ()
        for player, choice in enumerate(commits):
            if choice & 1:
                self.borrow(player)
        self.bids = tuple([choice >> 1 for choice in commits])
        self.standing = auction.standing(self.bids, self.holder, self.parameters.goose.bonus())
        self.added = (NONE,) * len(commits)
        return self.settle_ties()

    def settle_ties(self) -> State:
        """Settle the highest tie next, until no tie is left (TU-14, TU-18)."""
        format, blocks = self.parameters.format(self.auction), self.blocks()
        if len(blocks) == len(self.bids):
            return self.pay(blocks)  # all bids differ
        if auction.flip(format, blocks, self.named):
            self.step = _COIN
            return self.done()
        if tied := auction.tie(blocks):
            asked = tuple([(p, 0) for p in tied if self.parameters.goose.may(self.holder, tied, p)])
            if not asked:
                return self.ask_additions(tied)
            self.step, self.queue = _GOOSE, asked
            return self.done()
        return self.pay(blocks)

    def blocks(self) -> list[Block]:
        """Return the bidders from the top, as far as their order is settled."""
        return self.parameters.format(self.auction).blocks(self.bids, self.additions(), self.standing)

    def additions(self) -> dict[int, int]:
        """Return the additions of the tied players."""
        return {player: amount for player, amount in enumerate(self.added) if amount >= 0}

    def ask_additions(self, tied: tuple[int, ...]) -> State:
        """Ask tied players to bid again; a player with nothing left who cannot borrow adds 0 (TU-14)."""
        self.commits = tuple(
            [NOT_ASKED if p not in tied else OPEN if self.may_pay(p, bid + 1) else 0 for p, bid in enumerate(self.bids)]
        )
        self.step, self.queue = _ADD, ()
        return self.done() if OPEN in self.commits else self.reveal_additions()

    def reveal_additions(self) -> State:
        """Reveal the additions."""
        for player, choice in enumerate(self.commits):
            if choice >= 0:
                if choice & 1:
                    self.borrow(player)
                self.added = put(self.added, player, choice >> 1)
        self.commits = ()
        return self.settle_ties()

    def pay(self, blocks: list[Block]) -> State:
        """Pay the bids (TU-12), then let players choose cards (TU-19)."""
        format = self.parameters.format(self.auction)
        pays = auction.payments(format, self.bids, self.additions(), blocks)
        self.reserve = tuple([have - int(due) for have, due in zip(self.reserve, pays, strict=True)])
        self.bank += int(sum(pays))
        turns = auction.turns(format, blocks, self.named)
        self.queue = tuple([(player, -cards if discards else cards) for player, cards, discards in turns])
        self.first = next((player for player, cards in self.queue if cards > 0), 0)
        return self.choose_cards()

    def choose_cards(self) -> State:
        """Ask the next player to choose; a player who must take all remaining cards is not asked."""
        while self.queue:
            if self.centre.bit_count() > abs(self.queue[0][1]):
                self.step = _TAKE
                return self.done()
            self.take(self.centre)
        self.gone |= self.centre
        self.centre = 0
        return self.end_auction()

    def take(self, cards: Cards) -> None:
        """Let the first player in the queue take these cards, or discard them."""
        player, number = self.queue[0]
        if number > 0:
            self.won = put(self.won, player, self.won[player] | cards)
        else:
            self.gone |= cards
        self.centre ^= cards
        self.queue = self.queue[1:]

    def end_auction(self) -> State:
        """Give out tokens (TU-25), then let players offer cards, except after the last auction (TU-24)."""
        units = [self.parameters.units(cards) for cards in self.won]
        columns = list(zip(*units, strict=True))
        most = list(map(max, columns))
        self.tokens = tuple(
            [column.index(n) if n and column.count(n) == 1 else NOBODY for column, n in zip(columns, most, strict=True)]
        )
        if self.auction + 1 == self.parameters.auctions:
            return self.end_game()
        players = len(self.hands)
        self.queue = tuple([((self.first + n) % players, 0) for n in range(players)])
        return self.ask_offer()

    def ask_offer(self) -> State:
        """Ask the next player who can to put a card up for sale (TU-20)."""
        while self.queue:
            player = self.queue[0][0]
            can_pay = self.reserve[player] or not self.loans[player]
            if (can_pay and self.won[player]) or self.has_offer(player):
                self.step = _OFFER
                return self.done()
            self.queue = self.queue[1:]
        return self.open_window()

    @property
    def owned(self) -> tuple[int, ...]:
        """All players' escudos: their purse and the coins on cards for sale (TU-24)."""
        if not self.sale:
            return self.reserve
        owned = [*self.reserve]
        for _card, owner, price in self.sale:
            owned[owner] += price
        return tuple(owned)

    def end_game(self) -> State:
        """Add last hand cards (TU-31), return coins on cards (TU-24), and make the payments (TU-32 to TU-35)."""
        self.reserve = self.cash = self.owned
        self.sale = ()
        self.won = tuple([won | hand for won, hand in zip(self.won, self.hands, strict=True)])
        self.hands = (0,) * len(self.reserve)
        payments = self.payments()
        self.reserve = payments.final
        self.bank += payments.bank
        self.step = _PAID if len(self.past) + 1 < self.parameters.rules.games else _OVER
        return self.done()

    def payments(self) -> Payments:
        """Return the account of the payments, good by good: as they were made, or as they would be now.

        >>> from tradekit import turin
        >>> [step.good for step in turin.new(seed=1).payments().steps if step.leaders]
        []
        """
        parameters = self.parameters
        units = [parameters.units(cards) for cards in self.won]
        return payment.settle(units, parameters.payouts, self.cash or self.owned, self.loans, parameters.order)


def fresh(parameters: Parameters) -> Draft:
    """Return the draft of a game that has not been dealt."""
    draft, players = Draft(), parameters.players
    draft.parameters, draft.step, draft.auction = parameters, _DEAL, 0
    draft.reserve, draft.bank = (START,) * players, -START * players
    draft.loans = draft.hands = draft.won = (0,) * players
    draft.centre, draft.gone, draft.rest = 0, 0, ALL
    draft.sale = draft.queue = draft.claims = draft.past = ()
    draft.commits = draft.bids = draft.standing = draft.added = draft.named = draft.cash = ()
    draft.tokens, draft.first, draft.holder = (NOBODY,) * GOODS, 0, NOBODY
    return draft
