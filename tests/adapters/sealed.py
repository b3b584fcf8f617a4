"""A sealed auction of one card as a game: chance deals each bidder a value, all bid at once, a coin settles ties.

It is `tradekit.auctions.Format` as a game, so that a solver of games and the solver of whole bids can be compared.
Losers pay a share of their bid, rounded down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from tradekit.auctions.formats import Format
from tradekit.game import CHANCE, NO_ACTIONS, Game, IllegalAction, Listed, ParseError, State, register

OPEN, UNKNOWN = -1, -2


@dataclass(frozen=True, slots=True, repr=False)
class Sealed(State):
    values: tuple[int, ...] = (OPEN, OPEN)
    bids: tuple[int, ...] = (OPEN, OPEN)
    coin: int = OPEN
    least: int = 0  #: lowest value
    most: int = 3  #: highest value; all are equally likely
    percent: int = 50  #: percentage of their bid that losers pay
    reserve: int = 1
    capped: int = 0  #: 1: nobody bids more than the value less 1 (OpenSpiel's first_sealed_auction)

    @property
    def format(self):
        return _format(self.percent, self.reserve)

    def endings(self):
        return _endings(self.format, self.bids)

    @property
    def actors(self):
        if OPEN in self.values:
            return (CHANCE,)
        if OPEN in self.bids:
            return tuple(player for player, bid in enumerate(self.bids) if bid == OPEN)
        return (CHANCE,) if self.coin == OPEN else ()

    def actions(self, player):
        if player not in self.actors or player == CHANCE:
            return NO_ACTIONS
        most = self.values[player] - 1 if self.capped else self.most
        return Listed.of(*(f"bid {bid}" for bid in range(most + 1)))

    def outcomes(self):
        if OPEN in self.values:
            values = range(self.least, self.most + 1)
            return [(action, 1 / len(values)) for action in Listed.of(*(f"value {value}" for value in values))]
        if self.actors != (CHANCE,):
            return ()
        return [(Listed.of(f"coin {n}")[0], ending.probability) for n, ending in enumerate(self.endings())]

    def after(self, action, player=None):
        actor = player if player is not None else (*self.actors, None)[0] if len(self.actors) < 2 else None
        if action not in self.vocabulary():
            raise ParseError(f"{action!r} is no action; write bid 2")
        if actor not in self.actors or action not in (self.actions(actor) or dict(self.outcomes())):
            raise IllegalAction(f"{action} cannot be done here by {actor}")
        verb, number = action.split()[0], int(action.split()[1])
        if verb == "value":
            place = self.values.index(OPEN)
            return replace(self, values=tuple(number if n == place else v for n, v in enumerate(self.values)))
        if verb == "bid":
            bids = tuple(number if n == actor else bid for n, bid in enumerate(self.bids))
            bid = replace(self, bids=bids)
            return replace(bid, coin=0) if OPEN not in bids and len(bid.endings()) == 1 else bid
        return replace(self, coin=number)

    def scores(self):
        if self.coin == OPEN:
            return (0,) * len(self.values)
        ending = self.endings()[self.coin]
        return tuple(
            int(value * won - paid) for value, won, paid in zip(self.values, ending.awards, ending.pays, strict=True)
        )

    def vocabulary(self):
        return _vocabulary(max(self.most, 1))

    def hide_from(self, player):
        if not self.actors:
            return self
        values = tuple(v if n == player or v == OPEN else UNKNOWN for n, v in enumerate(self.values))
        waiting = OPEN in self.bids
        bids = tuple(bid if n == player or not waiting else OPEN for n, bid in enumerate(self.bids))
        return replace(self, values=values, bids=bids)

    def sample_hidden(self, rng, player):
        return replace(
            self, values=tuple(rng.randint(self.least, self.most) if v == UNKNOWN else v for v in self.values)
        )


@cache
def _format(percent, reserve):
    return Format(loser_pays=percent / 100, reserve=reserve, step=1, rounding="down")


@cache  # solvers visit the same few hundred positions again and again
def _endings(format, bids):
    return format.settle(bids).outcomes


@cache
def _vocabulary(most):
    return Listed.of(*(f"{verb} {n}" for verb in ("value", "bid", "coin") for n in range(most + 1)))


def new(players=2, seed=None, **options):
    return Sealed((OPEN,) * players, (OPEN,) * players, **options)


GAME = register(Game("sealed", Sealed, new, players=(2, 3), simultaneous=True, hidden=True, low=-5, high=5))
