"""The seller's revenue: its mean and its mean square, where bidders' types are independent and all bid by one rule.

Both follow from the rule as a function of quantiles u = F(type) alone, for who wins and who pays what depends on the
order of the bids.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final

import numpy as np

from tradekit.auctions.formats import Format
from tradekit.auctions.quadrature import quantile_edges, rule, running
from tradekit.auctions.values import Floats

_NEVER: Final = 1e-18  # chances below add nothing

Rule = Callable[[Floats], Floats]  #: what the type at quantile u bids


def among_first(bidders: int, places: int, u: Floats) -> Floats:
    """W: the chance of the type at quantile u to take one of the first places.

    >>> float(among_first(3, 2, np.float64(0.5)))
    0.75
    """
    from scipy.special import betainc

    if places < 1 or places >= bidders:
        return np.full(np.shape(u), float(places >= bidders))
    return np.asarray(u ** (bidders - 1) if places == 1 else betainc(bidders - places, places, u))


def units(format: Format, bidders: int, u: Floats) -> Floats:
    """Q: how many units the type at quantile u expects; all its terms are positive, so nothing cancels."""
    steps = [(k, w - then) for k, (w, then) in enumerate(pairwise([*format.prizes, 0]), 1) if w > then]
    return np.asarray(sum(step * among_first(bidders, k, u) for k, step in steps))


def spread(format: Format, bidders: int, bid: Rule, start: float, mean: float) -> float:
    """The standard deviation of revenue with this mean; types below the quantile `start` do not bid."""
    known_prices = format.winner_pays == "next" and not format.loser_pays
    square = (_square_of_prices if known_prices else _square_of_bids)(format, bidders, bid, start)
    return float(np.sqrt(max(0.0, square - mean**2)))


def _square_of_bids(format: Format, n: int, bid: Rule, start: float) -> float:
    """E[R^2] where each pays a part of their own bid that depends on their place.

    The part is a sum of steps: whoever is among the first k places pays so much more. Of two bidders the lower one is
    among the first k if fewer than k - 1 of the others are above it, and then the upper one is among them, too: so what
    both pay is the sum of a product of what depends on the one and on the other.
    """
    places, share, fee = format.places, format.loser_pays, format.fee
    steps = {places: 1 - share}
    if format.winner_pays == "next":  # the winner pays the bid of the place below
        steps = {places: -share - places, places + 1: float(places)}
    edges = quantile_edges(start, n)
    u, weights = rule(edges)
    bids = bid(u)
    bids = np.minimum(bids, bids[np.isfinite(bids)].max())  # a war of attrition has no highest bid
    own, paid = (share * bids + fee) ** 2, share
    for k in sorted(steps, reverse=True):
        own = own + among_first(n, k, u) * (((paid + steps[k]) * bids + fee) ** 2 - (paid * bids + fee) ** 2)
        paid += steps[k]
    upper = share + sum(step * among_first(n - 1, k, u) for k, step in steps.items())
    lower = share + sum(step * among_first(n - 1, k - 1, u) for k, step in steps.items())
    pairs = bids * (share * upper * running(edges, bids) + paid * running(edges, bids * (lower - share)))
    if fee:
        pairs = pairs + fee * (bids * upper * (u - start) + running(edges, bids * lower)) + fee**2 * (u - start)
    return float(n * weights @ own + 2 * n * (n - 1) * (weights @ pairs))


def _square_of_prices(format: Format, n: int, bid: Rule, start: float) -> float:
    """E[R^2] where winners pay the highest losing bid: by the number of those who bid."""
    from scipy.stats import beta, binom

    places = format.places
    u, weights = rule(quantile_edges(0.0, n))
    bids = bid(start + (1 - start) * u)
    chances = binom.pmf(np.arange(n + 1), n, 1 - start)
    total = 0.0
    for there in np.flatnonzero(chances > _NEVER).tolist():
        if there <= places:
            square = float(there * (format.reserve + format.fee)) ** 2
        else:  # the price is the (K+1)-th highest of those who bid
            paid = places * np.maximum(bids, format.reserve) + there * format.fee
            square = float(weights @ (beta.pdf(u, there - places, places + 1) * paid**2))
        total += float(chances[there]) * square
    return total
