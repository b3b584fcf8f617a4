"""The seller's revenue: its mean and its mean square, where bidders' types are independent and all bid by one rule.

Both follow from the rule as a function of quantiles u = F(type) alone, for who wins and who pays what depends on the
order of the bids.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb, factorial

import numpy as np

from tradekit.auctions.formats import Format
from tradekit.auctions.quadrature import grid
from tradekit.auctions.values import Floats

Rule = Callable[[Floats], Floats]  #: what the type at quantile u bids


def place_chance(bidders: int, place: int, u: Floats) -> Floats:
    """P_k: the chance of the type at quantile u to take a place, the first being 1."""
    n = bidders
    return np.asarray(comb(n - 1, place - 1) * u ** (n - place) * (1 - u) ** (place - 1))


def spread(format: Format, bidders: int, bid: Rule, start: float, mean: float) -> float:
    """The standard deviation of revenue with this mean; types below the quantile `start` do not bid."""
    known_prices = format.winner_pays == "next" and not format.loser_pays
    square = (_square_of_prices if known_prices else _square_of_bids)(format, bidders, bid, start)
    return float(np.sqrt(max(0.0, square - mean**2)))


def _square_of_bids(format: Format, n: int, bid: Rule, start: float) -> float:
    """E[R^2] where each pays a part of their own bid that depends on their place."""
    parts = np.full(n + 1, format.loser_pays)
    parts[1 : format.places + 1] = 0 if format.winner_pays == "next" else 1
    if format.winner_pays == "next":  # the winner pays the bid of the place below
        parts[format.places + 1] += format.places
    u, weights = grid(start, 1.0, 8)
    bids = bid(u)
    own = sum(place_chance(n, k, u) * (parts[k] * bids + format.fee) ** 2 for k in range(1, n + 1))
    total = n * weights @ own
    inner, inner_weights = grid(0.0, 1.0, 4)
    lower = start + (u[:, None] - start) * inner
    weight = weights[:, None] * (u[:, None] - start) * inner_weights
    above, between = 1 - u[:, None], u[:, None] - lower
    high, low = bids[:, None], bid(lower)
    pairs = np.zeros_like(lower)
    for j in range(n - 1):
        for m in range(n - 1 - j):
            rest = n - 2 - j - m
            ways = factorial(n - 2) / (factorial(j) * factorial(m) * factorial(rest))
            chance = ways * above**j * between**m * lower**rest
            pairs += chance * (parts[j + 1] * high + format.fee) * (parts[j + m + 2] * low + format.fee)
    return float(total + n * (n - 1) * 2 * (weight * pairs).sum())


def _square_of_prices(format: Format, n: int, bid: Rule, start: float) -> float:
    """E[R^2] where winners pay the highest losing bid: by the number of those who bid."""
    from scipy.stats import beta, binom

    places = format.places
    u, weights = grid(0.0, 1.0, 8)
    bids = bid(start + (1 - start) * u)
    total = 0.0
    for there in range(n + 1):
        if there <= places:
            square = (there * (format.reserve + format.fee)) ** 2
        else:  # the price is the (K+1)-th highest of those who bid
            paid = places * np.maximum(bids, format.reserve) + there * format.fee
            square = float(weights @ (beta.pdf(u, there - places, places + 1) * paid**2))
        total += float(binom.pmf(there, n, 1 - start)) * square
    return total
