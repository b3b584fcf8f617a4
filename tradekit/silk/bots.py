"""The Silk Road's bots: `SaleBot` makes the best sale now, `PlannerBot` weighs it against a better sale to come.

Both estimate in dinars the immediate gain of an action and the value of hand, safeguards and market after it, and trade
by the same estimate. `SaleBot` estimates from the best sale in the present market, `PlannerBot` from the odds of every
sale with the next draws (SI-71), so only `PlannerBot` sees the use of a bribe or of the Vizier.

Both believe the words of an offer: they take the mean over the cards that fit it, each set weighted by its probability
(SI-11, SI-72). They compare an exchange with what they give up for it: on their own turn, the barter that it rules out
(SI-12).
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Final, NamedTuple, cast

import numpy as np

from tradekit import bots
from tradekit._utils import ties
from tradekit.game import Action, Actions, View
from tradekit.i18n import _
from tradekit.silk import actions as kinds
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
from tradekit.silk.market import HIGHEST, Market
from tradekit.silk.offer_inference import meant
from tradekit.silk.parameters import FEWEST_OFFERED, NEUTRAL, OPEN, RAID, RICH_SALE, Parameters, Said, Step
from tradekit.silk.rules import State
from tradekit.silk.sale_odds import SETS, SIZES, SUMS, Ints, best_sales, means_of_draws, most_of_subsets

# Values are integers, in grains, so that decisions are the same on every machine: floats differ in their last bits.
DINAR: Final = 600_000  #: grains
_PARTS: Final = 100  #: parts of a whole: shares are in hundredths

# Weights of the bots' estimates. Those that matter were tested in some hundred games, the others are guesses.
_TIME: Final = 6  #: turns to come from which cards have their full value
_CARD: Final = DINAR * 20 // 100 // _TIME  #: grains per card and turn to come, 0.2 dinars at most,
_POINT: Final = DINAR * 9 // 100 // _TIME  #: and each point of its value
_SAFEGUARD: Final = DINAR // _TIME
_AHEAD: Final = 4  #: draws planned ahead
#: Weight of a dinar n turns later, as a share of `_WHOLE`: 0.95 per turn, or 0.97 for goods only the bot may sell.
_KEEP: Final[list[int]] = [95**n * _PARTS ** (_AHEAD - n) for n in range(_AHEAD + 1)]
_BLOCKED: Final[list[int]] = [97**n * _PARTS ** (_AHEAD - n) for n in range(_AHEAD + 1)]
_WHOLE: Final = _PARTS**_AHEAD
_BARRED: Final = 40  #: weight in hundredths of a sale that another player's bribe forbids for now
_NO_DEMAND: Final = 70  #: weight in hundredths of a sale of a good that shows 0
_FALLS: Final = 20  #: probability in hundredths that others lower a demand before the bot's turn
_LATER: Final = (100, 85, 72, 61, 52)  #: weights in hundredths of the best sale and the next ones: one sale per turn
_LAST: Final = DINAR // 100  #: grains per safeguard at the end, where it breaks ties (SI-52)
_HEARD: Final = 12  #: sets of cards considered for an offer
_TRIED: Final = 12  #: answers examined closely
_MARGIN: Final = DINAR * 5 // 100  #: least gain, in grains, of an exchange: the offering player knows its value better
_TAKES_UP: Final = 1  #: weight in hundredths of a gain by an exchange: an offer is made before a barter
_REFILL: Final = 25  #: cards of a pile still to be shuffled


class _Position(NamedTuple):
    """A position that the bot can reach, with everything that the estimates use."""

    hand: Cards
    market: Market
    marker: tuple[int, ...]
    safeguards: int
    drawn: int = 0  #: unknown cards that come to the hand from the pile
    got: Cards = 0  #: cards of the hand that came from others' hands


class _Merchant(bots.Bot):
    """Common base of the two bots; subclasses define the value of a position."""

    games = ("silk",)
    deterministic = True

    @property
    def measure(self) -> str:
        return _("dinars")

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:
        """Return the action with the highest value (the first one in a tie)."""
        worths = self.evaluate(view, actions, rng)
        return ties.best(worths, worths.__getitem__)

    def evaluate(self, view: View, actions: Actions, rng: random.Random | None = None) -> dict[Action, float]:
        """Return the values of the actions worth considering: the immediate gain and the position after them."""
        return {action: grains / DINAR for action, grains in self._worths(_Sight(view))}

    def _worths(self, sight: _Sight) -> Iterator[tuple[Action, int]]:
        state = sight.state
        if state.step is Step.TURN and state.mover != state.turn:
            return self._of_neutral(sight, state)
        rules = {
            Step.TURN: self._turn,
            Step.TRADE: self._trade,
            Step.ANSWER: self._answer,
            Step.ACCEPT: self._accept,
            Step.HORDES: self._losses,
            Step.NEUTRAL: self._neutral,
        }
        return rules[state.step](sight)

    @abstractmethod
    def prospect(self, sight: _Sight, at: _Position) -> int:
        """Return the value of a position, in grains."""

    # Turns

    def _turn(self, sight: _Sight) -> Iterator[tuple[Action, int]]:
        yield from self._sales(sight)
        yield from self._trade(sight)
        yield _say(kinds.PASS), self.prospect(sight, sight.now)
        for (n,) in kinds.BUY.each(sight.state):
            at = sight.now._replace(safeguards=sight.now.safeguards - n, drawn=n * sight.state.rules.bought)
            yield _say(kinds.BUY, n), self.prospect(sight, at)

    def _sales(self, sight: _Sight) -> Iterator[tuple[Action, int]]:
        for (cards,) in kinds.SELL.each(sight.state):
            dinars = sight.parameters.dinars[cards.bit_count()][worth(cards)]
            at = sight.sold(cards)
            raid = self._raid(sight, at) if dinars >= RICH_SALE and sight.state.hordes == 1 else 0
            yield _say(kinds.SELL, cards), DINAR * dinars + self.prospect(sight, at) + raid

    def _trade(self, sight: _Sight) -> Iterator[tuple[Action, int]]:
        """Yield barters, offers, and the end of the trading, with their values.

        The value of an offer is the value if it fails, plus a share of what an exchange gains above that.
        """
        state = sight.state
        yield from self._barters(sight)
        if state.step is Step.TRADE and kinds.DONE.legal(state, ()):
            yield _say(kinds.DONE), self.prospect(sight, sight.now)
        others = kinds.partners(state)
        if others:
            partner = max(others, key=lambda player: state.hands[player].bit_count())
            otherwise = self._otherwise(sight)
            for cards, gain in self._gifts(sight, otherwise, partner):
                offer = _say(kinds.OFFER, partner, cards, named(cards))
                yield offer, otherwise + gain * _TAKES_UP // _PARTS

    def _barters(self, sight: _Sight) -> Iterator[tuple[Action, int]]:
        for (card,) in kinds.BARTER.each(sight.state):
            at = sight.now._replace(hand=sight.now.hand & ~(1 << card), drawn=1)
            yield _say(kinds.BARTER, card), self.prospect(sight, at)

    def _otherwise(self, sight: _Sight) -> int:
        """Return the bot's value if its offer fails: that of the best barter, which an exchange rules out (SI-12)."""
        return max([worth for _barter, worth in self._barters(sight)], default=self.prospect(sight, sight.now))

    def _gifts(self, sight: _Sight, otherwise: int, partner: int) -> Iterator[tuple[Cards, int]]:
        """Yield sets of two or three cards that the bot would gain by exchanging for cards of the same worth.

        Cards that the partner gave away are not offered to the partner again.
        """
        state = sight.state
        held = numbers(sight.now.hand & ~state.knows[partner])
        for n in range(FEWEST_OFFERED, min(3, state.hands[partner].bit_count(), len(held)) + 1):
            for some in combinations(held, n):
                cards = cards_of(some)
                at = sight.now._replace(hand=sight.now.hand & ~cards, drawn=n)
                gain = self.prospect(sight, at) - n * sight.mean_worth + sight.worth(cards) - otherwise - _MARGIN
                if gain > 0:
                    yield cards, gain

    # Offers and answers

    def _answer(self, sight: _Sight) -> Iterator[tuple[Action, int]]:
        state = sight.state
        now = self.prospect(sight, sight.now)
        got = sight.heard(state.turn, state.offers[0])
        general = _mean((sight.worth(cards), weight) for cards, weight in got.items())
        least, most = kinds.answer_sizes(state)
        held = numbers(sight.now.hand)
        given = [cards_of(some) for n in range(least, most + 1) for some in combinations(held, n)]
        # The best answers leave a good hand and give the other player about as much as they offer.
        likely = {
            cards: self.prospect(sight, sight.now._replace(hand=sight.now.hand & ~cards))
            + sight.worth(cards) - abs(sight.worth(cards) - general)
            for cards in given
        }  # fmt: skip
        yield _say(kinds.DECLINE), 0
        for cards in sorted(given, key=lambda cards: -likely[cards])[:_TRIED]:
            gain = self._exchanged(sight, cards, got) - now - _MARGIN
            yield _say(kinds.ANSWER, cards, named(cards)), _if_taken(gain, sight.worth(cards) - general)

    def _accept(self, sight: _Sight) -> Iterator[tuple[Action, int]]:
        """Yield declining and accepting; the exchange counts by its gain over declining."""
        offer, answer = sight.state.offers
        got = sight.heard(sight.state.partner, answer)
        yield _say(kinds.DECLINE), 0
        yield _say(kinds.ACCEPT), self._exchanged(sight, offer.cards, got) - self._otherwise(sight) - _MARGIN

    def _exchanged(self, sight: _Sight, given: Cards, got: Mapping[Cards, int]) -> int:
        """Return the mean value of the hand after an exchange, over the cards that it can bring."""
        kept = sight.now.hand & ~given
        return _mean(
            (self.prospect(sight, sight.now._replace(hand=kept | cards, got=cards)), weight)
            for cards, weight in got.items()
        )

    # Hordes, and the neutral

    def _losses(self, sight: _Sight) -> Iterator[tuple[Action, int]]:
        own = sight.state.commits[sight.me] == OPEN
        for cards in kinds.discards(sight.state.hands[sight.me if own else NEUTRAL]):
            at = sight.now._replace(hand=sight.now.hand & ~cards) if own else sight.now
            yield kinds.discard_text(cards, not own), self.prospect(sight, at)

    def _raid(self, sight: _Sight, at: _Position) -> float:
        """Return the gain of an attack of the hordes: the others' mean loss minus the bot's loss."""
        ways = (self.prospect(sight, at._replace(hand=at.hand & ~cards)) for cards in kinds.discards(at.hand))
        lost = self.prospect(sight, at) - max(ways)
        sizes = [hand.bit_count() for p, hand in enumerate(sight.state.hands[: sight.state.players]) if p != sight.me]
        n, points = sight.unseen.bit_count(), max(worth(sight.unseen), 1)  # cards worth RAID are RAID * n / points
        most = sum(min(size * points, RAID * n) for size in sizes)
        return most * sight.mean_worth // (points * len(sizes)) - lost

    def _neutral(self, sight: _Sight) -> Iterator[tuple[Action, int]]:
        """Yield the neutral turn, valued by its effects on the market without the card it draws, and no such turn."""
        yield _say(kinds.NO_NEUTRAL_TURN), self.prospect(sight, sight.now) + _MARGIN
        neutral = sight.state._with(mover=NEUTRAL)
        worths = [value for _action, value in self._of_neutral(sight, neutral)]
        yield _say(kinds.NEUTRAL_TURN), max(worths)

    def _of_neutral(self, sight: _Sight, state: State) -> Iterator[tuple[Action, int]]:
        """Yield the neutral player's actions, with the value for the bot of the position after each."""
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
    """Return the action of a kind for a move."""
    return Action(kind.text(move))


def _mean(weighted: Iterable[tuple[int, int]]) -> int:
    """Return the weighted mean of numbers, rounded down."""
    total = weights = 0
    for value, weight in weighted:
        total += value * weight
        weights += weight
    return total // weights


def _if_taken(gain: int, more: int) -> int:
    """Weight a gain by the probability that a player agrees who gets cards worth `more` than those given.

    For equal worth the probability is one half; it goes to 1 or 0 as more / (dinar + |more|) goes to 1 or -1.
    """
    return gain * (DINAR + abs(more) + more) // (2 * (DINAR + abs(more))) if gain > 0 else gain


def named(cards: Cards) -> int:
    """Return the good to name in an offer: the most frequent one (in a tie, the one worth more)."""
    return max(range(len(GOODS)), key=lambda good: (counts(cards)[good], worth(cards & OF_GOOD[good])))


def cheapest(bribes: Iterable[tuple[int, int, Cards]]) -> Iterator[tuple[int, int, Cards]]:
    """Yield one bribe for each way to turn two piles: for the neutral player, the cost does not matter."""
    seen = set()
    for up, down, payment in bribes:
        if (up, down) not in seen:
            seen.add((up, down))
            yield up, down, payment


def audiences(market: Market) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the audiences worth considering: a pile with one number on top and the others falling."""
    for order in market.orders():
        if all(a > b for a, b in pairwise(order[1:])):
            for good in range(len(GOODS)):
                yield good, order


class _Sight:
    """A view, with the numbers that the estimates need from it."""

    def __init__(self, view: View) -> None:
        self.me, self.state = view.player, cast(State, view.known)
        self.view = view
        state = self.state
        self.parameters = state.parameters
        self.unseen = state.unseen & ALL
        self.turns = self._turns()
        self.table = _table(self.parameters, min(self.turns, _TIME))
        self.now = _Position(state.hands[self.me], state.market, state.marker, len(state.safeguards[self.me]))
        self.mean_worth = self.worth(self.unseen) // max(self.unseen.bit_count(), 1)

    def _turns(self) -> int:
        """Return about how many of the bot's turns are still to come."""
        state = self.state
        if state.closed:
            return state.to_come.count(self.me)
        more = state.parameters.run_outs - state.ran_out - 1
        drawing = len(state.hands)  # in a game for two the neutral draws too
        return (state.pile + _REFILL * more) // drawing + 2

    def worth(self, cards: Cards) -> int:
        """Return the general value of cards, wherever they are."""
        return min(self.turns, _TIME) * (_CARD * cards.bit_count() + _POINT * worth(cards))

    def unmarked(self, sold: Cards) -> tuple[int, ...]:
        """Return the marker after a sale (SI-33)."""
        marker = self.state.marker
        return () if marker and good_of(lowest(sold)) in marker[2:] else marker

    def sold(self, cards: Cards) -> _Position:
        """Return the position after the bot's sale of these cards."""
        hand, market, _marker, safeguards, *_rest = self.now
        return _Position(hand & ~cards, market.sell(good_of(lowest(cards))), self.unmarked(cards), safeguards + 1)

    def paid(self, payment: Cards, safeguards: int) -> _Position:
        """Return the position after a payment with these cards, or with this many safeguards (SI-30, SI-35)."""
        if payment == kinds.SAFEGUARDS:
            return self.now._replace(safeguards=self.now.safeguards - safeguards)
        return self.now._replace(hand=self.now.hand & ~payment)

    def heard(self, seat: int, said: Said) -> Mapping[Cards, int]:
        """Return sets of cards that a player can mean by the words said, each weighted by its probability."""
        hand = self.state.hands[seat]
        return meant(said, hand & ALL, (hand >> UNKNOWN).bit_count(), self.unseen, _HEARD)


# Values of cards


@dataclass(frozen=True, eq=False)  # compared by identity, and so a quick key
class _Table:
    """Values by set of values of one good, for a number of turns to come."""

    gains: Ints  #: (5, 1024): gain of the best sale at each demand above the general value of its cards
    safeguard: int


@lru_cache(maxsize=512)
def _table(parameters: Parameters, turns: int) -> _Table:
    safeguard = _SAFEGUARD * turns or _LAST
    worths = turns * (_CARD * SIZES + _POINT * SUMS)
    gains = np.zeros((HIGHEST + 1, len(SETS)), np.int64)
    for demand in range(1, HIGHEST + 1):
        net = DINAR * np.array(parameters.dinars[demand])[SUMS] + safeguard - worths
        gains[demand] = most_of_subsets(np.where((demand == SIZES) & (net > 0), net, 0))
    return _Table(gains, safeguard)


@lru_cache(maxsize=1 << 16)
def _gains(table: _Table, demand: int, held: int, unseen: int, cards: int) -> list[int]:
    """Return the mean gain of the best sale of a good with 0, 1, ... more unseen cards, out of `cards`."""
    means: list[int] = means_of_draws(table.gains[demand], held, unseen, cards, min(_AHEAD + 4, cards)).tolist()
    return means


@lru_cache(maxsize=1 << 17)
def _best_sale(
    table: _Table, demand: int, held: int, unseen: int, cards: int, drawn: int, ahead: int, mine: bool
) -> int:
    """Return the gain of the best sale of a good within the draws to come; `mine`: only the bot may sell it."""
    gain = _waiting(_gains(table, demand or 1, held, unseen, cards), drawn, ahead, mine)
    if demand > 1 and not mine:
        less = _waiting(_gains(table, demand - 1, held, unseen, cards), drawn, ahead, mine)
        gain += _FALLS * (less - gain) // _PARTS
    return gain if demand else gain * _NO_DEMAND // _PARTS


def _waiting(means: list[int], drawn: int, ahead: int, mine: bool) -> int:
    """Return the highest gain after some draws, weighted by the value of a dinar at that time."""
    keep, last = _BLOCKED if mine else _KEEP, len(means) - 1
    return max([keep[n] * means[min(n + drawn, last)] for n in range(ahead + 1)]) // _WHOLE


# The bots


class SaleBot(_Merchant):
    """A bot that makes the sale with the most dinars now or, without one, prepares the best sale for the next turn.

    It considers neither bribes nor the Vizier.
    """

    name = "sale"

    def _turn(self, sight: _Sight) -> Iterator[tuple[Action, int]]:
        """Yield sales if there are any; among equal ones, the sale that leaves more counts more."""
        sales = False
        for (cards,) in kinds.SELL.each(sight.state):
            sales = True
            dinars = sight.parameters.dinars[cards.bit_count()][worth(cards)]
            yield _say(kinds.SELL, cards), DINAR * dinars + sight.worth(sight.now.hand & ~cards) // 100
        if not sales:
            yield from super()._turn(sight)

    def prospect(self, sight: _Sight, at: _Position) -> int:
        """Return the dinars of the best sale now, with the mean for cards to come, plus the cards' general value."""
        best = best_sales(sight.parameters)
        demands = at.market.demands
        barred = at.marker[2:] if at.marker and at.marker[1] != sight.me else ()
        unseen = sight.unseen & ~at.got
        most = 0
        for good, demand in enumerate(demands):
            if demand and good not in barred:
                shift = VALUES * good
                held, out = at.hand >> shift & ONE_GOOD, unseen >> shift & ONE_GOOD
                dinars = DINAR * best[demand]
                if at.drawn:
                    cards = unseen.bit_count()
                    most = max(most, int(means_of_draws(dinars, held, out, cards, min(at.drawn, cards))[-1]))
                else:
                    most = max(most, int(dinars[held]))
        return most + sight.worth(at.hand) + at.drawn * sight.mean_worth + at.safeguards * sight.table.safeguard


class PlannerBot(_Merchant):
    """A bot that weighs every action by the odds of the sales after it."""

    name = "planner"

    def _turn(self, sight: _Sight) -> Iterator[tuple[Action, int]]:
        yield from super()._turn(sight)
        yield from self._market(sight)

    def _market(self, sight: _Sight) -> Iterator[tuple[Action, int]]:
        """Yield bribes and audiences, each turn of the piles with the payment that costs least."""
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
        """Return the three payments that leave most in the present market, with the positions after them."""
        paid = [(payment, sight.paid(payment, safeguards)) for payment in ways]
        return sorted(paid, key=lambda pair: -self.prospect(sight, pair[1]))[:3]

    def prospect(self, sight: _Sight, at: _Position) -> int:
        """Return the cards' general value plus, for every good, the gain of its best sale within the draws to come.

        The bot waits for the best number of draws, and a dinar counts less with each turn that passes. A sale also
        counts less for each other sale that comes before it.
        """
        turns = sight.turns
        value = sight.worth(at.hand) + at.drawn * sight.mean_worth + at.safeguards * sight.table.safeguard
        if not turns:
            return value
        unseen = sight.unseen & ~at.got
        cards = unseen.bit_count()
        ahead = 0 if sight.state.closed else min(turns, _AHEAD)
        blocked, barred = at.marker[2:], at.marker[1:2] != (sight.me,)
        found = []
        for good, demand in enumerate(at.market.demands):
            shift = VALUES * good
            held, out = at.hand >> shift & ONE_GOOD, unseen >> shift & ONE_GOOD
            if not held and not ahead:
                continue
            mine = good in blocked and not barred
            gain = _best_sale(sight.table, demand, held, out, cards, at.drawn, ahead, mine)
            found.append(gain * _BARRED // _PARTS if good in blocked and barred else gain)
        found.sort(reverse=True)
        return value + sum([gain * share for gain, share in zip(found[:turns], _LATER, strict=False)]) // _PARTS
