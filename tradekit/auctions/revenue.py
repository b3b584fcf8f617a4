"""The seller's revenue: its mean and its mean square, where bidders' types are independent and all bid by one rule.

Both follow from the rule as a function of quantiles u = F(type) alone, for who wins and who pays what depends on the
order of the bids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final

import numpy as np

from tradekit.auctions.formats import Format
from tradekit.auctions.quadrature import quantile_edges, rule, running
from tradekit.auctions.values import Floats

_SAMPLED: Final = 1 << 14  # auctions
_NEVER: Final = 1e-18  # chances below add nothing

Rule = Callable[[Floats], Floats]  #: what the type at quantile u bids


def among_first(bidders: int, places: int, u: Floats) -> Floats:
    """Return W, the probability of the type at quantile u to take one of the first places.

    >>> float(among_first(3, 2, np.float64(0.5)))
    0.75
    """
    if places < 1 or places >= bidders:
        return np.full(np.shape(u), float(places >= bidders))
    if places == 1:
        return np.asarray(u ** (bidders - 1))
    from scipy.special import betainc

    return np.asarray(betainc(bidders - places, places, u))


def place_density(bidders: int, place: int, u: Floats) -> Floats:
    """Return the density of the quantile that takes a place, from 1 for the highest, among so many.

    >>> float(place_density(3, 1, np.float64(0.5)))  # the highest of three: 3 u^2
    0.75
    """
    if place <= 2:
        return np.asarray(bidders * (bidders - 1) ** (place - 1) * u ** (bidders - place) * (1 - u) ** (place - 1))
    from scipy.stats import beta

    return np.asarray(beta.pdf(u, bidders - place + 1, place))


def binomial(trials: int, chance: float) -> Floats:
    """Return the probability of each number of successes.

    >>> binomial(2, 0.5).round(12).tolist()
    [0.25, 0.5, 0.25]
    """
    if chance == 1:
        return np.append(np.zeros(trials), 1.0)
    from scipy.stats import binom

    return np.asarray(binom.pmf(np.arange(trials + 1), trials, chance))


def fewer(places: int, trials: int, chance: Floats) -> Floats:
    """Return the probability of fewer successes than `places`, such as rivals above you where so many places win.

    >>> round(float(fewer(1, 3, np.float64(0.5))), 12)
    0.125
    """
    if places == 1:
        with np.errstate(divide="ignore"):
            return np.asarray(np.exp(trials * np.log1p(-chance)))
    from scipy.stats import binom

    return np.asarray(binom.cdf(places - 1, trials, chance))


def at_least(places: int, trials: int, chance: Floats) -> Floats:
    """Return the probability of so many successes or more, exact where it is small.

    >>> float(at_least(1, 3, np.float64(0.5)))
    0.875
    """
    if places == 1:
        with np.errstate(divide="ignore"):
            return np.asarray(-np.expm1(trials * np.log1p(-chance)))
    from scipy.special import betainc

    return np.asarray(betainc(places, trials - places + 1, chance))


def units(format: Format, bidders: int, u: Floats) -> Floats:
    """Return Q, the expected units of the type at quantile u; all its terms are positive, so nothing cancels."""
    steps = [(k, w - then) for k, (w, then) in enumerate(pairwise([*format.prizes, 0]), 1) if w > then]
    return np.asarray(sum(step * among_first(bidders, k, u) for k, step in steps))


def spread(format: Format, bidders: int, bid: Rule, start: float, mean: float) -> float:
    """Return the standard deviation of revenue with this mean; types below the quantile `start` do not bid."""
    return float(np.sqrt(max(0.0, format.payment.mean_square(format, bidders, bid, start) - mean**2)))


def square_of_bids(format: Format, n: int, bid: Rule, start: float, steps: Mapping[int, float]) -> float:
    """Return E[R^2] where each pays a part of their own bid that depends on their place.

    The part is the losers' share and a sum of `steps`: whoever is among the first k places pays `steps[k]` more. Of two
    bidders the lower one is among the first k if fewer than k - 1 of the others are above it, and then so is the upper
    one: what both pay is the sum of a product of what depends on the one and on the other.
    """
    share, fee = format.loser_pays, format.fee
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


def square_of_prices(format: Format, n: int, bid: Rule, start: float) -> float:
    """Return E[R^2] where winners pay the highest losing bid: by the number of those who bid."""
    places = format.places
    u, weights = rule(quantile_edges(0.0, n))
    bids = bid(start + (1 - start) * u)
    chances = binomial(n, 1 - start)
    total = 0.0
    for there in np.flatnonzero(chances > _NEVER).tolist():
        if there <= places:
            square = float(there * (format.reserve + format.fee)) ** 2
        else:  # the price is the (K+1)-th highest of those who bid
            paid = places * np.maximum(bids, format.reserve) + there * format.fee
            square = float(weights @ (place_density(there, places + 1, u) * paid**2))
        total += float(chances[there]) * square
    return total


def sampled_square(format: Format, n: int, bid: Rule, start: float) -> float:
    """Return E[R^2] by any payment rule, from auctions with draws that lie evenly (see `even_draws`)."""
    [u] = even_draws(_SAMPLED, n)
    _awards, pays = format.payments(np.where(u < start, np.nan, bid(np.maximum(u, start))), np.random.default_rng(0))
    return float(np.mean(pays.sum(axis=1) ** 2))


def even_draws(count: int, *sizes: int) -> list[Floats]:
    """Return draws from 0 to 1 that lie evenly, in groups of these sizes, each group from its highest draw.

    Points of an additive recurrence, by roots of the generalised golden ratio, are folded in half, which makes means of
    smooth functions more exact. The highest of n draws is the n-th root of a coordinate, and so on downwards.

    >>> [draws] = even_draws(4096, 3)
    >>> draws.mean(axis=0).round(3).tolist()
    [0.75, 0.5, 0.25]
    """
    ratio, dimensions = 2.0, sum(sizes)
    for _step in range(60):  # x^(d+1) = x + 1
        ratio = (1 + ratio) ** (1 / (dimensions + 1))
    points = (0.5 + np.arange(count)[:, None] * ratio ** -np.arange(1, dimensions + 1)) % 1
    groups = np.split(1 - np.abs(2 * points - 1), np.cumsum(sizes)[:-1], axis=1)
    powers = (1 / np.arange(size, 0, -1) for size in sizes)
    return [np.asarray(np.cumprod(group**power, axis=1), float) for group, power in zip(groups, powers, strict=True)]
