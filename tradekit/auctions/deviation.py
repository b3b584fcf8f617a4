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

_TYPES: Final = 401
_DEVIATIONS: Final = 2001


def largest_gain(equilibrium: Equilibrium) -> float:
    """The most that a type could gain by another bid, the others staying: what is left of errors.

    In utility for the risk averse. Computed from bids alone: 401 types against 2,001 bids and not bidding, the
    chances of places counted from the binomial distribution.
    """
    from scipy.stats import binom

    format, n, values = equilibrium.format, equilibrium.bidders, equilibrium.values
    z = np.linspace(equilibrium.threshold, values.high, _DEVIATIONS)
    if format.winner_pays == "next" and format.loser_pays:
        z = z[:-1]  # the highest bid has no end
    v, bids, below = np.linspace(values.low, values.high, _TYPES)[:, None], equilibrium.bid(z), values.cdf(z)
    chances = [binom.pmf(k, n - 1, 1 - below) for k in range(format.places)]
    wins = np.asarray(np.sum(np.stack(chances), axis=0))
    utility: Callable[[Any], Any] = equilibrium.risk.utility if equilibrium.risk else lambda x: x
    if format.winner_pays == "next":
        worth = _against_prices(equilibrium, v, z, bids, wins, utility)
    else:
        parts = zip(format.prizes, chances, strict=True)
        worth = sum(chance * utility(units * v - bids - format.fee) for units, chance in parts)
        worth = worth + (1 - wins) * utility(-format.loser_pays * bids - format.fee)
    best = np.maximum(worth.max(axis=1), 0.0)
    mine = np.array(
        [np.interp(x, z, row) if x >= equilibrium.threshold else 0.0 for x, row in zip(v[:, 0], worth, strict=True)]
    )
    return float((best - mine).max())


def _against_prices(
    equilibrium: Equilibrium, v: Floats, z: Floats, bids: Floats, wins: Floats, utility: Callable[[Any], Any]
) -> Floats:
    """What type v expects who bids as z, where a winner pays the highest losing bid."""
    from scipy.special import betainc

    format, n, values = equilibrium.format, equilibrium.bidders, equilibrium.values
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
    return np.asarray(won + (1 - wins) * utility(-format.loser_pays * bids - format.fee))
