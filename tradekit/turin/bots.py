"""Turin Market's bots: `ValueBot` bids half of a lot's worth, `EquilibriumBot` solves the present auction.

Both calculate the final payments, with the cards still to come dealt at random (`values.Table`). They count their lead
over the others' mean, so that others' losses count as well. They differ only in their bids:

- Before the last auction an escudo is worth more than one because it buys cards later: the total still to be won,
  divided by all the escudos there are to pay for it.
- They borrow only to bid, and only if ten escudos are worth more than the fifteen that a loan costs (TU-30).
- They show the hand card that is worth least to them, and so keep the best (TU-10, TU-31). They take the best lot, and
  discard the cards worth least to them (TU-19).
- They claim a card on sale if it is worth more than its price. They offer a card that is worth more to another player,
  half way between the two values, for at most a third of their escudos, since coins on a card cannot be bid (TU-21).
- They take the goose if the last place of the tie still wins, and for the first place give it to the player who has
  least (TU-41).
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Final, cast

from tradekit import bots
from tradekit._utils import ties
from tradekit._utils.arguments import checked
from tradekit.game import Action, Actions, View
from tradekit.i18n import _
from tradekit.turin import auction
from tradekit.turin.actions import CLAIM_NUMBERS, DISCARD, DONE, NO_GOOSE, PASS, SELLS, SHOW, TAKE, Amounts, with_amount
from tradekit.turin.equilibria import AuctionSolution, awards_of, solved
from tradekit.turin.goose import CLAIM
from tradekit.turin.parameters import Cards, Step, bits, numbers
from tradekit.turin.payment import LOAN, REPAID
from tradekit.turin.rules import State
from tradekit.turin.values import Floats, Table, ahead

_ENDINGS: Final = 60  # drawn for a decision
_COINS: Final = 1 / 3  # highest share of the escudos put on a card for sale
_STEPS: Final = {2: 400, 3: 200, 4: 120, 5: 80}  # of the search for an equilibrium, by players: about 0.1 s

Valued = Iterator[tuple[Action, float]]  #: actions, each with its worth in escudos


class _Outlook:
    """A bot's estimates from its view."""

    def __init__(self, view: View) -> None:
        self.me, self.state = view.player, cast(State, view.known)
        self.table = Table(view, "sample", _ENDINGS)

    def escudo(self) -> float:
        """Return the worth of an escudo now, in escudos at the end."""
        parameters, now = self.state.parameters, self.state.auction
        cards = [sum(parameters.format(n).prizes) for n in range(parameters.auctions)]
        open_ = bool(self.state.centre) or self.state.step is Step.SHOW
        to_come = cards[now:] if open_ else cards[now + 1 :]
        if open_ and len(to_come) == 1:  # the last auction: escudos not spent now are kept
            return 1.0
        won = sum(parameters.payouts) * sum(to_come) / sum(cards)
        return max(1.0, won / max(1, sum(self.table.cash)))

    def awards(self, player: int) -> dict[Cards, float]:
        """Return the lead that each lot of this auction gives a player."""
        sets = awards_of(self.state.centre, self.prizes)
        return dict(zip(sets, self.table.ahead(player, sets).tolist(), strict=True))

    @property
    def prizes(self) -> Sequence[float]:
        """Lots of this auction, by place."""
        return self.state.parameters.format(self.state.auction).prizes

    def moved(self, cards: Sequence[int], buyer: int) -> Floats:
        """Return all players' leads if a card goes from its owner to a buyer for nothing, (cards, players)."""
        sets = [bits([card]) for card in cards]
        return ahead(self.table.differences(buyer, sets, self.table.now[None]))

    def amount(self, verb: str, wanted: float) -> Action:
        """Return the bid or addition of about that much, as far as the money allows."""
        state, me = self.state, self.me
        have = state.reserve[me] - (state.bids[me] if verb == "add" else 0)
        escudos = max(0, round(ties.settled(wanted)))
        if escudos > have and not state.loans[me] and self.borrows():
            return with_amount(verb, min(escudos, have + LOAN), True)
        return with_amount(verb, min(escudos, have))

    def borrows(self) -> bool:
        """Return True if a loan is worth its cost."""
        return self.escudo() * LOAN > REPAID


def _shown(outlook: _Outlook, actions: Actions) -> Valued:
    cards = [SHOW.cards[action] for action in actions]
    for action, value in zip(actions, outlook.table.ahead(outlook.me, cards).tolist(), strict=True):
        yield action, -value


def _taken(outlook: _Outlook, actions: Actions) -> Valued:
    takes = outlook.state.queue[0][1] > 0
    cards = [(TAKE if takes else DISCARD).cards[action] for action in actions]
    for action, value in zip(actions, outlook.table.ahead(outlook.me, cards).tolist(), strict=True):
        yield action, value if takes else -value


def _claimed(outlook: _Outlook, actions: Actions) -> Valued:
    prices = {card: price for card, _owner, price in outlook.state.sale}
    for action in actions:
        if action == PASS:
            yield action, 0.0
            continue
        card, loan = CLAIM_NUMBERS[action]
        if not loan:
            yield action, _bought(outlook, card, outlook.me, prices[card])


def _chosen(outlook: _Outlook, actions: Actions) -> Valued:
    card = outlook.state.claims[0][0]
    price = next(price for number, _owner, price in outlook.state.sale if number == card)
    for action in actions:
        yield action, _bought(outlook, card, int(action.rpartition("p")[2]), price)


def _bought(outlook: _Outlook, card: int, buyer: int, price: int) -> float:
    """Return the bot's lead from the purchase of a card on sale; the bot is the owner or the buyer."""
    players = len(outlook.table.players)
    paid = outlook.escudo() * price * players / (players - 1)  # the owner gets what the buyer pays
    return float(outlook.moved([card], buyer)[0, outlook.me]) + (-paid if buyer == outlook.me else paid)


def _offered(outlook: _Outlook, actions: Actions) -> Valued:
    """Yield offers halfway between the card's worth to the bot and to another; standing offers are made again."""
    me, players = outlook.me, len(outlook.table.players)
    yield DONE, 0.0
    most = min(cast(Amounts, actions).most, max(1, int(_COINS * outlook.table.cash[me])))
    unit = outlook.escudo() * players / (players - 1)
    cards = numbers(outlook.state.won[me])
    moved = {other: outlook.moved(cards, other) / unit for other in outlook.table.players if other != me}
    for place, card in enumerate(cards):
        for other, changes in moved.items():
            least, limit = -float(changes[place, me]), float(changes[place, other])
            price = round(ties.settled((least + limit) / 2))
            action = with_amount(SELLS[card], price)
            if ties.settled(limit - least) >= 1 and 1 <= price <= most and action in actions:
                yield action, (price - least) * unit


def _goose_used(outlook: _Outlook, actions: Actions) -> Valued:
    blocks = outlook.state.blocks()
    block = next(block for block in blocks if block.who == auction.tie(blocks))
    last_wins = block.place + len(block.who) <= len(outlook.prizes)
    scores = outlook.state.scores()
    for action in actions:
        if action == CLAIM:
            yield action, 1.0 if last_wins else -1.0
        elif action.startswith("give p"):
            poorest = max(scores) - scores[int(action.removeprefix("give p"))]
            yield action, 1.0 + poorest
        elif action == NO_GOOSE:
            yield action, 0.0


_RULES: Final[dict[Step, Callable[[_Outlook, Actions], Valued]]] = {
    Step.SHOW: _shown,
    Step.WINDOW: _claimed,
    Step.CHOOSE: _chosen,
    Step.GOOSE: _goose_used,
    Step.TAKE: _taken,
    Step.OFFER: _offered,
}


class _Trader(bots.Bot):
    """Common base of the two bots: takes the action with the highest value; subclasses define the bid."""

    games = ("turin",)

    @property
    def measure(self) -> str:
        return _("escudos ahead of the others")

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:
        """Return the action with the highest value (the first one in a tie), or the bid of the subclass."""
        if len(actions) == 1:
            return next(iter(actions))
        if cast(State, view.known).step in (Step.BID, Step.ADD):
            return self.bid(_Outlook(view), rng)
        worth = self.evaluate(view, actions, rng)
        return ties.best(worth, key=worth.__getitem__)

    def evaluate(self, view: View, actions: Actions, rng: random.Random | None = None) -> dict[Action, float]:
        """Return the values of the actions considered, including only offers from which both sides gain."""
        rule = _RULES.get(cast(State, view.known).step)
        return dict(rule(_Outlook(view), actions)) if rule else {}

    @abstractmethod
    def bid(self, outlook: _Outlook, rng: random.Random) -> Action:
        """Return the bid, or the addition to it."""


class ValueBot(_Trader):
    """A bot that bids a share of the best lot's worth to it: half, plus or minus three tenths of that.

    In the equilibria of Turin's formats with values between 0 and 1 (`theory_bid`), a bidder with value 1 bids about
    half, from 0.4 to 0.5 of the lot. In a tie the bot adds the same share of the remaining worth of winning.
    """

    name = "value"

    @checked
    def __init__(self, share: float = 0.5, spread: float = 0.3) -> None:
        if not 0 < share <= 1 or not 0 <= spread <= 1:
            raise ValueError(_("share={share}, spread={spread}: 0 to 1 is needed").format(share=share, spread=spread))
        self.share, self.spread = share, spread

    def bid(self, outlook: _Outlook, rng: random.Random) -> Action:  # noqa: D102
        state, me = outlook.state, outlook.me
        size = int(outlook.prizes[0])
        value = max(v for cards, v in outlook.awards(me).items() if cards.bit_count() == size) / outlook.escudo()
        share = self.share * (1 + self.spread * (2 * rng.random() - 1))
        if state.step is Step.ADD:
            left = value - state.bids[me] / 2  # a loser pays half of the bid anyway (TU-17)
            return outlook.amount("add", max(1.0, share * left) if ties.settled(left) >= 1 else 0)
        enough = 1 + max(
            have + LOAN * (not loan)
            for player, (have, loan) in enumerate(zip(state.reserve, state.loans, strict=True))
            if player != me
        )
        return outlook.amount("bid", min(share * value, enough))


class EquilibriumBot(_Trader):
    """A bot that draws its bid from a mixed equilibrium of the present auction, with ties decided by a coin (TU-51).

    It estimates the worth of a lot to others from its view, as for itself. Escudos count double before the last
    auction, because losers pay as well, so that money buys less than there is to win.
    """

    name = "equilibrium"

    def evaluate(self, view: View, actions: Actions, rng: random.Random | None = None) -> dict[Action, float]:
        """Return the values of actions; for bids, the expected escudos against the others' strategies."""
        step = cast(State, view.known).step
        if step not in (Step.BID, Step.ADD):
            return super().evaluate(view, actions, rng)
        outlook = _Outlook(view)
        verb, least = ("bid", 0) if step is Step.BID else ("add", outlook.state.bids[outlook.me])
        earns = self._solved(outlook).earns(outlook.me)
        return {outlook.amount(verb, bid - least): payoff for bid, payoff in earns.items()}

    def bid(self, outlook: _Outlook, rng: random.Random) -> Action:  # noqa: D102
        chances = self._solved(outlook).chances(outlook.me)
        bid = rng.choices([*chances], [*chances.values()])[0]
        if outlook.state.step is Step.ADD:
            return outlook.amount("add", bid - outlook.state.bids[outlook.me])
        return outlook.amount("bid", bid)

    def _solved(self, outlook: _Outlook) -> AuctionSolution:
        escudo = outlook.escudo()
        dear = escudo if escudo == 1 else 2 * escudo
        players = outlook.table.players
        worths = {(p, cards): value / dear for p in players for cards, value in outlook.awards(p).items()}
        return solved(
            outlook.table, worths, loans=outlook.borrows(), ties="coin", target=0.05, steps=_STEPS[len(players)]
        )
