"""The Silk Road's bots: `SaleBot` sells what brings most now, `PlannerBot` weighs it against a better sale to come.

Both reckon in dinars what an action brings at once and what hand, safeguards and market are worth after it, and trade
by the same estimate. They differ in it: the one looks at the best sale as things are, the other at the odds of every
sale with the next draws (SI-71), and so it also sees what a bribe or the Vizier is good for.

What was said in a talk is taken at its word: cards that fit it are drawn from what is unseen, and the mean over them
counts (SI-11). An exchange is held against the hand as it is, and not against the barter that it rules out (SI-12);
`docs/bots.md` says how often that makes a difference. The draws are keyed by the view, so that equal views give equal
actions.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, pairwise
from math import exp
from typing import Final, NamedTuple, cast

import numpy as np

from tradekit import bots
from tradekit.game import Action, Actions, View, keyed
from tradekit.i18n import _
from tradekit.silk import kinds
from tradekit.silk.cards import (
    ALL,
    GOODS,
    OF_GOOD,
    ONE_GOOD,
    UNKNOWN,
    VALUES,
    Cards,
    cards_of,
    counts,
    good_of,
    lowest,
    numbers,
    worth,
)
from tradekit.silk.chances import SETS, SIZES, SUMS, Floats, best_sales, hypergeometric, most_of_subsets, subsets
from tradekit.silk.knowledge import sets_said
from tradekit.silk.market import HIGHEST, Market
from tradekit.silk.rules import State
from tradekit.silk.setting import FEWEST_OFFERED, NEUTRAL, OPEN, RAID, RICH_SALE, Said, Setting, Step

# Dinars and chances by which the bots reckon; those that matter were tried out in some hundred games, others guessed.
_CARD: Final = 0.2  #: dinars that any card is worth, while there is time to sell it,
_POINT: Final = 0.09  #: and each point of its value
_SAFEGUARD: Final = 1.0
_TIME: Final = 6  #: turns still to come from which on cards have their full worth
_AHEAD: Final = 4  #: draws that are looked ahead
_KEEP: Final = 0.95  #: what a dinar of the next turn counts
_BLOCKED: Final = 0.97  #: the same of goods that only oneself may sell
_BARRED: Final = 0.4  #: what a sale counts that another's bribe forbids for now
_NO_DEMAND: Final = 0.7  #: what a sale counts of a good that shows 0
_FALLS: Final = 0.2  #: the chance that others make a demand fall before one's own turn
_LAST: Final = 0.01  #: dinars that a safeguard is worth at the end, where it parts equals (SI-52)
_DRAWN: Final = 8  #: sets of cards that are drawn for something said
_TRIED: Final = 12  #: answers that are looked at closely
_MARGIN: Final = 0.15  #: dinars that an exchange must promise: who offers knows better what it is worth
_TAKES_UP: Final = 0.35  #: how often an offer comes to an exchange
_REFILL: Final = 25  #: cards of a pile that is still to be shuffled


class _Position(NamedTuple):
    """What the one who reckons may come to have: all that the estimates look at."""

    hand: Cards
    market: Market
    marker: tuple[int, ...]
    safeguards: int
    drawn: int = 0  #: cards that come to the hand from the pile, not known which
    got: Cards = 0  #: cards of the hand that came out of others' hands


class _Merchant(bots.Bot):
    """What both do; what a position is worth is open."""

    games = ("silk",)
    deterministic = True

    @property
    def measure(self) -> str:
        return _("dinars")

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:
        """The action that is worth most, of equals the first."""
        worths = self.evaluate(view, actions, rng)
        return max(worths, key=lambda action: worths[action])

    def evaluate(self, view: View, actions: Actions, rng: random.Random | None = None) -> dict[Action, float]:
        """What the actions worth a thought bring: at once, and by the position after them."""
        sight = _Sight(view)
        state = sight.state
        if state.step is Step.TURN and state.mover != state.turn:
            return dict(self._of_neutral(sight, state))
        rules = {
            Step.TURN: self._turn,
            Step.TRADE: self._trade,
            Step.ANSWER: self._answer,
            Step.ACCEPT: self._accept,
            Step.HORDES: self._losses,
            Step.NEUTRAL: self._neutral,
        }
        return dict(rules[state.step](sight))

    @abstractmethod
    def prospect(self, sight: _Sight, at: _Position) -> float:
        """What a position is worth, in dinars."""

    # Turns

    def _turn(self, sight: _Sight) -> Iterator[tuple[Action, float]]:
        yield from self._sales(sight)
        yield from self._trade(sight)
        yield _say(kinds.PASS), self.prospect(sight, sight.now)
        for (n,) in kinds.BUY.each(sight.state):
            at = sight.now._replace(safeguards=sight.now.safeguards - n, drawn=n * sight.state.rules.bought)
            yield _say(kinds.BUY, n), self.prospect(sight, at)

    def _sales(self, sight: _Sight) -> Iterator[tuple[Action, float]]:
        for (cards,) in kinds.SELL.each(sight.state):
            dinars = sight.setting.dinars[cards.bit_count()][worth(cards)]
            at = sight.sold(cards)
            raid = self._raid(sight, at) if dinars >= RICH_SALE and sight.state.hordes == 1 else 0.0
            yield _say(kinds.SELL, cards), dinars + self.prospect(sight, at) + raid

    def _trade(self, sight: _Sight) -> Iterator[tuple[Action, float]]:
        """Barters, offers, and the end of the trading.

        An offer counts as if one could have both the exchange and the barter, which SI-12 forbids.
        """
        state, now = sight.state, self.prospect(sight, sight.now)
        barters = {
            _say(kinds.BARTER, card): self.prospect(
                sight, sight.now._replace(hand=sight.now.hand & ~(1 << card), drawn=1)
            )
            for (card,) in kinds.BARTER.each(state)
        }
        yield from barters.items()
        if state.step is Step.TRADE and kinds.DONE.legal(state, ()):
            yield _say(kinds.DONE), now
        others = kinds.partners(state)
        if others:
            partner = max(others, key=lambda player: state.hands[player].bit_count())
            otherwise = max([*barters.values()], default=now)
            for cards, gain in self._gifts(sight, now, state.hands[partner].bit_count()):
                offer = _say(kinds.OFFER, partner, cards, named(cards))
                yield offer, otherwise + _TAKES_UP * gain

    def _gifts(self, sight: _Sight, now: float, most: int) -> Iterator[tuple[Cards, float]]:
        """Sets of two or three cards that one would gain by giving away for cards of the same worth."""
        held = numbers(sight.now.hand)
        for n in range(FEWEST_OFFERED, min(3, most, len(held)) + 1):
            for some in combinations(held, n):
                cards = cards_of(some)
                at = sight.now._replace(hand=sight.now.hand & ~cards, drawn=n)
                gain = self.prospect(sight, at) - n * sight.mean_worth + sight.worth(cards) - now - _MARGIN
                if gain > 0:
                    yield cards, gain

    # Talks

    def _answer(self, sight: _Sight) -> Iterator[tuple[Action, float]]:
        state = sight.state
        now = self.prospect(sight, sight.now)
        got = sight.heard(state.turn, state.offers[0])
        general = sum(map(sight.worth, got)) / len(got)
        least, most = kinds.answer_sizes(state)
        held = numbers(sight.now.hand)
        given = [cards_of(some) for n in range(least, most + 1) for some in combinations(held, n)]
        # What is left counts, and that the other one is given as much as it gives.
        likely = {
            cards: self.prospect(sight, sight.now._replace(hand=sight.now.hand & ~cards))
            + sight.worth(cards) - abs(sight.worth(cards) - general)
            for cards in given
        }  # fmt: skip
        yield _say(kinds.DECLINE), 0.0
        for cards in sorted(given, key=lambda cards: -likely[cards])[:_TRIED]:
            gain = self._exchanged(sight, cards, got) - now - _MARGIN
            accepts = 1 / (1 + exp(2 * (general - sight.worth(cards))))
            yield _say(kinds.ANSWER, cards, named(cards)), gain * (accepts if gain > 0 else 1.0)

    def _accept(self, sight: _Sight) -> Iterator[tuple[Action, float]]:
        """What the exchange gains over the hand as it is; that a barter may follow where one declines is left out."""
        offer, answer = sight.state.offers
        got = sight.heard(sight.state.partner, answer)
        gain = self._exchanged(sight, offer.cards, got) - self.prospect(sight, sight.now) - _MARGIN
        yield _say(kinds.DECLINE), 0.0
        yield _say(kinds.ACCEPT), gain

    def _exchanged(self, sight: _Sight, given: Cards, got: Iterable[Cards]) -> float:
        """What the hand is worth with other cards for those given, on average over what they may be."""
        kept = sight.now.hand & ~given
        worths = [self.prospect(sight, sight.now._replace(hand=kept | cards, got=cards)) for cards in got]
        return sum(worths) / len(worths)

    # Hordes, and the neutral

    def _losses(self, sight: _Sight) -> Iterator[tuple[Action, float]]:
        own = sight.state.commits[sight.me] == OPEN
        for cards in kinds.discards(sight.state.hands[sight.me if own else NEUTRAL]):
            at = sight.now._replace(hand=sight.now.hand & ~cards) if own else sight.now
            yield kinds.discard_text(cards, not own), self.prospect(sight, at)

    def _raid(self, sight: _Sight, at: _Position) -> float:
        """What an attack of the hordes brings: what the others lose on average, less what one loses oneself."""
        ways = (self.prospect(sight, at._replace(hand=at.hand & ~cards)) for cards in kinds.discards(at.hand))
        lost = self.prospect(sight, at) - max(ways)
        sizes = [hand.bit_count() for p, hand in enumerate(sight.state.hands[: sight.state.players]) if p != sight.me]
        most = RAID / max(sight.mean_points, 1)
        return sum(min(size, most) for size in sizes) * sight.mean_worth / len(sizes) - lost

    def _neutral(self, sight: _Sight) -> Iterator[tuple[Action, float]]:
        """A neutral turn is for what its cards can do to the market; the one that it draws is not counted on."""
        yield _say(kinds.NO_NEUTRAL_TURN), self.prospect(sight, sight.now) + _MARGIN
        neutral = sight.state._with(mover=NEUTRAL)
        worths = [value for _action, value in self._of_neutral(sight, neutral)]
        yield _say(kinds.NEUTRAL_TURN), max(worths)

    def _of_neutral(self, sight: _Sight, state: State) -> Iterator[tuple[Action, float]]:
        """What the neutral can do, by what it leaves oneself."""
        now, market = sight.now, sight.now.market
        for (cards,) in kinds.SELL.each(state):
            at = now._replace(market=market.sell(good_of(lowest(cards))), marker=sight.unmarked(cards))
            yield _say(kinds.SELL, cards), self.prospect(sight, at)
        for up, down, payment in cheapest(kinds.BRIBE.each(state)):
            marker = (lowest(payment), NEUTRAL, *sorted((up, down)))
            at = now._replace(market=market.bribe(up, down), marker=marker)
            yield _say(kinds.BRIBE, up, down, payment), self.prospect(sight, at)
        ways = kinds.ways_to_pay(state, state.rules.audience, 2)
        for good, order in audiences(market) if ways else ():
            at = now._replace(market=market.audience(good, order))
            yield _say(kinds.AUDIENCE, good, order, ways[0]), self.prospect(sight, at)
        same = self.prospect(sight, now)
        for (card,) in kinds.BARTER.each(state):
            yield _say(kinds.BARTER, card), same
        yield _say(kinds.NEUTRAL_PASS, *numbers(state.hands[NEUTRAL])), same


def _say(kind: kinds.Kind, *move: object) -> Action:
    """The action of a kind that says a move."""
    return Action(kind.text(move))


def named(cards: Cards) -> int:
    """The good to name of an offer: that of most of the cards, of several the one worth more."""
    return max(range(len(GOODS)), key=lambda good: (counts(cards)[good], worth(cards & OF_GOOD[good])))


def cheapest(bribes: Iterable[tuple[int, int, Cards]]) -> Iterator[tuple[int, int, Cards]]:
    """One bribe for each way to turn two piles: the neutral's cards are nobody's."""
    seen = set()
    for up, down, payment in bribes:
        if (up, down) not in seen:
            seen.add((up, down))
            yield up, down, payment


def audiences(market: Market) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The audiences worth a thought: a pile with one number on top and the others falling."""
    for order in market.orders():
        if all(a > b for a, b in pairwise(order[1:])):
            for good in range(len(GOODS)):
                yield good, order


class _Sight:
    """A view, and what follows from it."""

    def __init__(self, view: View) -> None:
        self.me, self.state = view.player, cast(State, view.known)
        self.view = view
        state = self.state
        self.setting = state.setting
        self.unseen = state.unseen & ALL
        self.turns = self._turns()
        self.table = _table(self.setting, min(self.turns, _TIME))
        self.now = _Position(state.hands[self.me], state.market, state.marker, len(state.safeguards[self.me]))
        n = max(self.unseen.bit_count(), 1)
        self.mean_points = worth(self.unseen) / n
        self.mean_worth = self.worth(self.unseen) / n

    def _turns(self) -> int:
        """How many turns of one's own are still to come, about."""
        state = self.state
        if state.closed:
            return state.to_come.count(self.me)
        more = state.setting.run_outs - state.ran_out - 1
        drawing = len(state.hands)  # in a game for two the neutral draws too
        return int((state.pile + _REFILL * more) / drawing) + 2

    def worth(self, cards: Cards) -> float:
        """What cards are worth wherever they are."""
        worths = self.table.worths
        return float(sum(worths[cards >> VALUES * good & ONE_GOOD] for good in range(len(GOODS))))

    def unmarked(self, sold: Cards) -> tuple[int, ...]:
        """The marker after a sale (SI-33)."""
        marker = self.state.marker
        return () if marker and good_of(lowest(sold)) in marker[2:] else marker

    def sold(self, cards: Cards) -> _Position:
        """The position after a sale of one's own."""
        hand, market, _marker, safeguards, *_rest = self.now
        return _Position(hand & ~cards, market.sell(good_of(lowest(cards))), self.unmarked(cards), safeguards + 1)

    def paid(self, payment: Cards, safeguards: int) -> _Position:
        """The position after a payment with these cards, or with so many safeguards (SI-30, SI-35)."""
        if payment == kinds.SAFEGUARDS:
            return self.now._replace(safeguards=self.now.safeguards - safeguards)
        return self.now._replace(hand=self.now.hand & ~payment)

    def heard(self, seat: int, said: Said) -> list[Cards]:
        """Sets of cards that somebody may mean by what was said."""
        hand = self.state.hands[seat]
        rng = keyed(0, str(self.view))
        known, hidden = hand & ALL, (hand >> UNKNOWN).bit_count()
        return [next(sets_said(said, known, hidden, self.unseen, rng)) for _set in range(_DRAWN)]


# What cards are worth


class _Table(NamedTuple):
    """Values by set of values of one good, for a number of turns to come."""

    worths: list[float]  #: (1024,): what the cards are worth wherever they are
    gains: Floats  #: (5, 1024): what the best sale at each demand brings above that
    safeguard: float


@lru_cache(maxsize=512)
def _table(setting: Setting, turns: int) -> _Table:
    time = turns / _TIME
    safeguard = _SAFEGUARD * time if turns else _LAST
    worths = time * (_CARD * SIZES + _POINT * SUMS)
    gains = np.zeros((HIGHEST + 1, len(SETS)))
    for demand in range(1, HIGHEST + 1):
        net = np.array(setting.dinars[demand])[SUMS] + safeguard - worths
        gains[demand] = most_of_subsets(np.where((demand == SIZES) & (net > 0), net, 0.0))
    return _Table(worths.tolist(), gains, safeguard)


@lru_cache(maxsize=1 << 16)
def _gains(setting: Setting, turns: int, demand: int, held: int, unseen: int, cards: int) -> list[float]:
    """What the best sale of a good gains on average with 0, 1, ... unseen cards more, of which `cards` there are."""
    sets, sizes, number = subsets(unseen)
    gains = _table(setting, turns).gains[demand]
    by_size = np.bincount(sizes, gains[sets | held]) / number
    draws = min(_AHEAD + 4, cards)
    means: list[float] = (hypergeometric(cards, len(number) - 1, draws) @ by_size).tolist()
    return means


# The bots


@bots.register
class SaleBot(_Merchant):
    """Sells whatever brings the most dinars now; if nothing can be sold, it goes for the best sale next turn.

    It looks neither at bribes nor at the Vizier.
    """

    name = "sale"

    def _turn(self, sight: _Sight) -> Iterator[tuple[Action, float]]:
        """Sales if there are any; of equal ones the one that leaves more."""
        sales = False
        for (cards,) in kinds.SELL.each(sight.state):
            sales = True
            dinars = sight.setting.dinars[cards.bit_count()][worth(cards)]
            yield _say(kinds.SELL, cards), dinars + sight.worth(sight.now.hand & ~cards) / 100
        if not sales:
            yield from super()._turn(sight)

    def prospect(self, sight: _Sight, at: _Position) -> float:
        """The dinars of the best sale as things are, of cards to come their mean, and the cards' general worth."""
        best = best_sales(sight.setting)
        demands = at.market.demands
        barred = at.marker[2:] if at.marker and at.marker[1] != sight.me else ()
        unseen = sight.unseen & ~at.got
        most = 0.0
        for good, demand in enumerate(demands):
            if demand and good not in barred:
                shift = VALUES * good
                held, out = at.hand >> shift & ONE_GOOD, unseen >> shift & ONE_GOOD
                dinars = best[demand]
                value = float(dinars[held])
                if at.drawn:
                    sets, sizes, number = subsets(out)
                    by_size = np.bincount(sizes, dinars[sets | held]) / number
                    draws = min(at.drawn, unseen.bit_count())
                    value = float(hypergeometric(unseen.bit_count(), len(number) - 1, draws)[draws] @ by_size)
                most = max(most, value)
        return most + sight.worth(at.hand) + at.drawn * sight.mean_worth + at.safeguards * sight.table.safeguard


@bots.register
class PlannerBot(_Merchant):
    """Weighs every action by the odds of the sales after it."""

    name = "planner"

    def _turn(self, sight: _Sight) -> Iterator[tuple[Action, float]]:
        yield from super()._turn(sight)
        yield from self._market(sight)

    def _market(self, sight: _Sight) -> Iterator[tuple[Action, float]]:
        """Bribes and audiences, each turn of the piles with the payment that costs least."""
        state, market = sight.state, sight.now.market
        pairs = kinds.open_pairs(state)
        costs = self._cheapest(sight, kinds.ways_to_pay(state, state.rules.bribe, 1), 1) if pairs else []
        for a, b in pairs if costs else ():
            for up, down in ((a, b), (b, a)):
                turned = market.bribe(up, down)
                for payment, paid in costs:
                    marker = (0, sight.me, min(up, down), max(up, down))
                    at = paid._replace(market=turned, marker=marker)
                    yield _say(kinds.BRIBE, up, down, payment), self.prospect(sight, at)
        costs = self._cheapest(sight, kinds.ways_to_pay(state, state.rules.audience, 2), 2)
        for good, order in audiences(market) if costs else ():
            turned = market.audience(good, order)
            for payment, paid in costs:
                value = self.prospect(sight, paid._replace(market=turned))
                yield _say(kinds.AUDIENCE, good, order, payment), value

    def _cheapest(self, sight: _Sight, ways: list[Cards], safeguards: int) -> list[tuple[Cards, _Position]]:
        """The three ways to pay that leave most, as things are, and the positions that they leave."""
        paid = [(payment, sight.paid(payment, safeguards)) for payment in ways]
        return sorted(paid, key=lambda pair: -self.prospect(sight, pair[1]))[:3]

    def prospect(self, sight: _Sight, at: _Position) -> float:
        """The cards' general worth, and for every good what the best sale gains above it, within the draws to come.

        The best number of draws is waited for; each turn that passes, a dinar counts for less.
        """
        turns = sight.turns
        value = sight.worth(at.hand) + at.drawn * sight.mean_worth + at.safeguards * sight.table.safeguard
        if not turns:
            return value
        setting, time = sight.setting, min(turns, _TIME)
        unseen = sight.unseen & ~at.got
        cards = unseen.bit_count()
        ahead = 0 if sight.state.closed else min(turns, _AHEAD)
        marker = at.marker
        found = []
        for good, demand in enumerate(at.market.demands):
            shift = VALUES * good
            held, out = at.hand >> shift & ONE_GOOD, unseen >> shift & ONE_GOOD
            if not held and not ahead:
                continue
            mine = bool(marker) and good in marker[2:]
            barred = mine and marker[1] != sight.me
            mine = mine and not barred
            gain = _waiting(_gains(setting, time, demand or 1, held, out, cards), at.drawn, ahead, mine)
            if demand > 1 and not mine:
                less = _waiting(_gains(setting, time, demand - 1, held, out, cards), at.drawn, ahead, mine)
                gain += _FALLS * (less - gain)
            found.append(gain * (_BARRED if barred else 1.0) * (1.0 if demand else _NO_DEMAND))
        if turns < len(found):
            found = sorted(found)[-turns:]
        return value + sum(found)


def _waiting(means: list[float], drawn: int, ahead: int, mine: bool) -> float:
    """The most of what can be gained after some draws, by what a dinar counts then."""
    keep = _BLOCKED if mine else _KEEP
    factor, best = 1.0, 0.0
    for n in range(ahead + 1):
        value = factor * means[min(n + drawn, len(means) - 1)]
        if value > best:
            best = value
        factor *= keep
    return best
