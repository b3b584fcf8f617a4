"""The check of equilibria: how much could a type gain by another bid, the others staying?

It knows bids and the format alone, nothing of the formula that the bids came from: chances of places are counted from
the binomial distribution, prices from that of the highest rival bids.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tradekit.auctions.values import Floats

if TYPE_CHECKING:
    from tradekit.auctions.equilibrium import Equilibrium

_DEVIATIONS: Final = 2001
_EACH: Final = 5  # so many of their bids apart are the types that bid
_AWAY: Final = 100  # types that do not
_NEARLY: Final = 1e-9


def largest_gain(equilibrium: Equilibrium) -> float:
    """The most that a type could gain by another bid, the others staying: what is left of errors.

    In utility for the risk averse. Computed from bids alone: 401 types that bid, and 100 below them that do not,
    against 2,001 bids, the reserve, and not bidding. Chances of places are counted from the binomial distribution.
    """
    format, values = equilibrium.format, equilibrium.values
    z = np.linspace(equilibrium.threshold, values.high, _DEVIATIONS)
    if format.winner_pays == "next" and format.loser_pays:
        z = z[:-1]  # the highest bid has no end
    bidding, away = z[::_EACH], np.linspace(values.low, equilibrium.threshold, _AWAY, endpoint=False)
    if equilibrium.threshold == values.low:
        away = away[:0]
    v, bids = np.concatenate([away, bidding])[:, None], equilibrium.bid(z)
    if format.winner_pays == "next":
        worth = _against_prices(equilibrium, v, z, bids)
        best = worth.max(axis=1)
    else:
        worth = _at_own_price(equilibrium, v, bids, values.cdf(z))
        lowest = _at_own_price(equilibrium, v, np.array([format.reserve]), values.cdf(z[:1]))
        best = np.hstack([worth, lowest]).max(axis=1)
    mine = np.concatenate([np.zeros_like(away), np.diagonal(worth[len(away) :, ::_EACH])])
    return float((np.maximum(best, 0.0) - mine).max())


def _utility(equilibrium: Equilibrium) -> Callable[[Any], Any]:
    """What an amount of money is worth; a loss may be too bad for a number, and is infinite then."""
    risk = equilibrium.risk
    if risk is None:
        return lambda x: x

    def utility(x: Any) -> Any:
        with np.errstate(over="ignore"):
            return risk.utility(x)

    return utility


def _chances(equilibrium: Equilibrium, bids: Floats, below: Floats) -> list[Floats]:
    """Of each winning place, for bids that each rival is below with that chance; a bid below the reserve has none."""
    from scipy.stats import binom

    format, n = equilibrium.format, equilibrium.bidders
    valid = bids >= format.reserve - _NEARLY * equilibrium.values.high
    return [np.asarray(valid * binom.pmf(k, n - 1, 1 - below)) for k in range(format.places)]


def _lost(equilibrium: Equilibrium, bids: Floats, wins: Floats) -> Floats:
    """What losing is worth, times its chance."""
    format = equilibrium.format
    paid = np.where(wins < 1, format.loser_pays * bids, 0.0) + format.fee  # who is sure to win may bid without measure
    return np.asarray((1 - wins) * _utility(equilibrium)(-paid))


def _at_own_price(equilibrium: Equilibrium, v: Floats, bids: Floats, below: Floats) -> Floats:
    """What type v expects of bids that each rival is below with that chance, where winners pay their bid."""
    format, utility = equilibrium.format, _utility(equilibrium)
    chances = _chances(equilibrium, bids, below)
    won = [
        chance * utility(units * v - bids - format.fee) for units, chance in zip(format.prizes, chances, strict=True)
    ]
    return np.asarray(sum(won) + _lost(equilibrium, bids, np.sum(chances, axis=0)))


def _against_prices(equilibrium: Equilibrium, v: Floats, z: Floats, bids: Floats) -> Floats:
    """What type v expects who bids as z, where a winner pays the highest losing bid."""
    from scipy.special import betainc

    format, n, values, utility = equilibrium.format, equilibrium.bidders, equilibrium.values, _utility(equilibrium)
    chances = np.sum(_chances(equilibrium, bids, values.cdf(z)), axis=0)
    fine = np.linspace(equilibrium.threshold, z[-1], 8 * (len(z) - 1) + 1)
    beaten = betainc(n - format.places, format.places, values.cdf(fine)) if n > format.places else np.ones_like(fine)
    middle = np.maximum(equilibrium.bid((fine[1:] + fine[:-1]) / 2), format.reserve)
    units, steps = format.prizes[0], np.diff(beaten)
    alone = beaten[0] * utility(units * v - format.reserve - format.fee)  # nobody below bids
    if equilibrium.risk is None:
        spent = np.concatenate([[0.0], np.cumsum(middle * steps)])[::8]
        won = alone + units * v * (beaten[::8] - beaten[0]) - spent - (beaten[::8] - beaten[0]) * format.fee
    else:
        won = alone + np.array(
            [np.concatenate([[0.0], np.cumsum(utility(units * x - middle) * steps)])[::8] for x in v[:, 0]]
        )
    return np.asarray(np.where(chances > 0, won, 0.0) + _lost(equilibrium, bids, chances))
