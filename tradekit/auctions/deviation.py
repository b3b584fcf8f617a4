"""The check of equilibria: how much could a type gain by another bid, the others staying?

It knows bids and the format alone, nothing of the formula that the bids came from: chances of places are counted from
the binomial distribution, prices from that of the highest rival bids. Types, and the bids of others that they may make,
are spread by value, by quantile and by the chance of winning, and lie close together near both ends: bids may be wrong
in a part of any of these scales.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tradekit._utils import ties
from tradekit.auctions.revenue import among_first, at_least, even_draws, fewer, place_density
from tradekit.auctions.values import Floats, Strategy

if TYPE_CHECKING:
    from tradekit.auctions.equilibrium import Equilibrium

_COARSE: Final = 33  # points of each scale
_FINE: Final = 501
_EACH: Final = 3  # so many of the fine points apart are the types that bid
_AWAY: Final = 40  # types that do not
_ENDS: Final = 10.0 ** -np.arange(2, 15)  # parts of a scale, from both of its ends
_RIVALS: Final = 1024  # points at which a rule of which nothing else is known is looked at
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(6)  # of prices between two bids
_AT_ONCE: Final = 1 << 20  # numbers in a table
_NEARLY: Final = 1e-9
_ROUNDING: Final = 4e-16  # of a chance, and of a bid in parts of itself


class Deviation(NamedTuple):
    """The bid that gains most over what was to be one."""

    value: float  #: the type that gains
    bid: float  #: what it should bid; NaN: nothing
    better: float  #: what it would rather bid; NaN: nothing
    gain: float  #: in utility


def best_deviation(equilibrium: Equilibrium, fine: bool = False) -> Deviation:
    """Find the type that could gain most by another bid, the others staying, and how much: what is left of errors.

    Computed from bids alone, by types and bids that are spread over three scales: 150 of both, or `fine`, 600 types and
    2,000 bids; besides the reserve, and not bidding. Types that do not bid are asked, too.
    """
    format, values = equilibrium.format, equilibrium.values
    z = _spread(equilibrium, _FINE if fine else _COARSE)
    bids = equilibrium.bid(z)
    if not format.payment.bounded(format):
        z, bids = z[np.isfinite(bids)], bids[np.isfinite(bids)]  # the highest bid has no end
    each = np.unique(np.append(np.arange(0, len(z), _EACH if fine else 1), len(z) - 1))
    away = np.linspace(values.low, equilibrium.threshold, _AWAY, endpoint=False)
    if equilibrium.threshold == values.low:
        away = away[:0]
    types = np.concatenate([away, z[each]])
    own = np.concatenate([np.full(len(away), -1), each])
    worth = format.payment.worths(equilibrium, z, bids)
    found = []
    rows = max(1, _AT_ONCE // worth.size)
    for start in range(0, len(types), rows):
        part = slice(start, start + rows)
        v, chosen = types[part, None], own[part]
        table = worth(v)
        mine = np.where(chosen < 0, 0.0, worth.own(v, chosen, table))
        best = table.max(axis=1)
        gains = np.maximum(best, 0.0) - mine
        row = int(ties.first_best(gains, tolerance=0.0))
        bid = np.nan if chosen[row] < 0 else bids[chosen[row]]
        better = np.nan if best[row] <= 0 else worth.bids[table[row].argmax()]
        found.append(Deviation(*map(float, (types[part][row], bid, better, gains[row]))))
    return max(found, key=lambda deviation: deviation.gain)


def _spread(equilibrium: Equilibrium, count: int) -> Floats:
    """Types that bid."""
    values, low = equilibrium.values, equilibrium.threshold
    scale = np.concatenate([np.linspace(0, 1, count), _ENDS, 1 - _ENDS])
    least = float(values.cdf(low))
    by_chance = scale ** (1 / (equilibrium.bidders - 1))
    quantiles = np.concatenate([least + (1 - least) * scale, by_chance[by_chance > least]])
    points = np.concatenate([low + (values.high - low) * scale, values.ppf(quantiles)])
    return np.unique(points.clip(low, values.high))


def _utility(equilibrium: Equilibrium) -> Strategy:
    """Return what an amount of money is worth; a loss may be too bad for a number, and is infinite then."""
    attitude = equilibrium.attitude

    def utility(x: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return attitude.utility(x)

    return utility


class Worth:
    """The expected utility of bids: a table with a row for each type, from a column of them."""

    bids: Floats  #: that are tried
    size: int  #: numbers to be kept for each type

    def __call__(self, v: Floats) -> Floats:
        """Return the table."""
        raise NotImplementedError

    def own(self, v: Floats, chosen: npt.NDArray[np.intp], table: Floats) -> Floats:
        """Return what types expect of the bids that are theirs: those at these places."""
        return np.asarray(table[np.arange(len(table)), chosen])


class _Chances:
    """Of bids: to beat so many rivals, and what losing is worth."""

    def __init__(self, equilibrium: Equilibrium, above: Floats, bids: Floats) -> None:
        """`above`: the chance of each rival to bid more."""
        format, n = equilibrium.format, equilibrium.bidders
        self.valid = bids >= format.reserve - _NEARLY * equilibrium.values.high
        lost = at_least(format.places, n - 1, above) if n > format.places else np.zeros_like(bids)
        lost = np.where(self.valid, lost, 1.0)
        pays = np.where(lost > 0, format.loser_pays * bids, 0.0) + format.fee  # who is sure to win may bid anything
        with np.errstate(over="ignore"):
            self.losing = equilibrium.attitude.losing(lost, pays)


class OwnPrice(Worth):
    """Winners pay their bid.

    Neither chances nor bids are known beyond rounding. Where all depends on the last values below the highest, what
    looks like a gain may be that: so a bid that is tried meets a chance of rivals above that is a little larger, and
    one's own bid a smaller chance, and a smaller price.
    """

    def __init__(self, equilibrium: Equilibrium, z: Floats, bids: Floats) -> None:
        self.format, self.utility = equilibrium.format, _utility(equilibrium)
        self.bids = np.append(bids, self.format.reserve)
        z = np.append(z, z[0])
        self.size = len(z)
        runs = [(units, len([*equal])) for units, equal in groupby(self.format.prizes)]
        self.units = [units for units, _many in runs]
        places = np.cumsum([many for _units, many in runs]).tolist()
        rivals = equilibrium.bidders - 1

        def counted(towards: float, more: float) -> tuple[list[Floats], Floats]:
            """The chances of each kind of prize: as many rivals above as leave it."""
            above = np.clip(equilibrium.values.sf(np.nextafter(z, towards)) + more, 0.0, 1.0)
            chances = _Chances(equilibrium, above, self.bids)
            among: list[Any] = [0.0, *(fewer(k, rivals, above) for k in places)]
            return [chances.valid * (most - less) for less, most in pairwise(among)], chances.losing

        self.tried, self.kept = counted(-np.inf, _ROUNDING), counted(np.inf, -_ROUNDING)

    def __call__(self, v: Floats) -> Floats:
        """Return the table."""
        return self._worth(v, self.bids, *self.tried)

    def own(self, v: Floats, chosen: npt.NDArray[np.intp], table: Floats) -> Floats:
        """Return what types expect of their bids, rounded against them."""
        chances, losing = self.kept
        bids = self.bids[chosen] * (1 - _ROUNDING)
        return self._worth(v[:, 0], bids, [chance[chosen] for chance in chances], losing[chosen])

    def _worth(self, v: Floats, bids: Floats, chances: Sequence[Floats], losing: Floats) -> Floats:
        won = [
            chance * self.utility(units * v - bids - self.format.fee)
            for units, chance in zip(self.units, chances, strict=True)
        ]
        return np.asarray(sum(won) + losing)


class Prices(Worth):
    """Winners pay the highest losing bid."""

    def __init__(self, equilibrium: Equilibrium, z: Floats, bids: Floats) -> None:
        self.format, self.utility, self.bids = equilibrium.format, _utility(equilibrium), bids
        format, n, values = self.format, equilibrium.bidders, equilibrium.values
        chances = _Chances(equilibrium, values.sf(z), bids)
        self.valid, self.losing = chances.valid, chances.losing
        self.neutral = equilibrium.attitude.neutral
        self.size = len(_NODES) * len(z)
        if n <= format.places:
            self.beaten, self.steps = np.ones_like(z), np.zeros((len(z) - 1, len(_NODES)))
            self.prices = self.steps
            return
        u = values.cdf(z)
        self.beaten = among_first(n, format.places, u)
        half = np.diff(u)[:, None] / 2
        between = u[:-1, None] + half * (1 + _NODES)  # the highest rival who loses, by quantile
        self.steps = half * _WEIGHTS * place_density(n - 1, format.places, between)
        at = values.ppf(between).clip(equilibrium.threshold, values.high)
        prices = np.maximum(equilibrium.bid(at), format.reserve)
        self.prices = np.minimum(prices, prices[np.isfinite(prices)].max())

    def __call__(self, v: Floats) -> Floats:
        """Return the table."""
        format, prices = self.format, self.prices
        worth = format.prizes[0] * v - format.fee
        alone = self.beaten[0] * self.utility(worth - format.reserve)  # nobody below bids
        if self.neutral:
            spent = np.concatenate([[0.0], np.cumsum((prices * self.steps).sum(axis=1))])
            won = alone + worth * (self.beaten - self.beaten[0]) - spent
        else:
            gains = self.utility(worth[..., None] - prices)
            gains = (np.where(self.steps > 0, gains, 0.0) * self.steps).sum(axis=2)
            won = alone + np.pad(np.cumsum(gains, axis=1), ((0, 0), (1, 0)))
        return np.asarray(np.where(self.valid, won, 0.0) + self.losing)


class Sampled(Worth):
    """Winners pay by any rule: the mean price of each bid, over draws of rivals that lie evenly.

    The draws are the same for all bids, so an error of the mean is much the same for bids near each
    other, and shifts the best of them by little. Bidders are risk neutral.
    """

    def __init__(self, equilibrium: Equilibrium, z: Floats, bids: Floats) -> None:
        self.bids, self.size = bids, len(z)
        format, n, values = equilibrium.format, equilibrium.bidders, equilibrium.values
        above = values.sf(z)
        chances = _Chances(equilibrium, above, bids)
        self.valid, self.losing = chances.valid, chances.losing
        self.units, self.spent = np.zeros_like(z), np.zeros_like(z)
        for better in range(min(format.places, n)):  # so many rivals above
            chance = fewer(better + 1, n - 1, above) - (fewer(better, n - 1, above) if better else 0.0)
            prices = [self._price(equilibrium, better, over, bid) for over, bid in zip(above, bids, strict=True)]
            self.units += chance * format.prizes[better]
            self.spent += chance * (np.array(prices) + format.fee)

    def __call__(self, v: Floats) -> Floats:
        """Return the table."""
        return np.where(self.valid, self.units * v - self.spent, 0.0) + self.losing

    @staticmethod
    def _price(equilibrium: Equilibrium, better: int, over: float, bid: float) -> float:
        """The mean price of a bid, if each rival is above it with the chance `over`, and so many are."""
        format = equilibrium.format
        above, below = even_draws(_RIVALS, better, equilibrium.bidders - 1 - better)
        quantiles = 1 - over + over * above, (1 - over) * below
        bids = [equilibrium.strategy(equilibrium.values.ppf(part)) for part in quantiles]
        rows = np.nan_to_num(np.hstack([bids[0], np.full((_RIVALS, 1), bid), bids[1]]), nan=-np.inf)
        won, lost = rows[:, : format.places], rows[:, format.places :]
        return float(format.payment.prices(won, lost, format.reserve)[:, better].mean())
