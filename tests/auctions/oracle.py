"""Equilibrium bids computed independently of the package: by quantile, with quadrature in the log of a probability.

Only others' bids come from the package, and only if an equation cannot be solved for the bid: then the two sides of the
equation are compared.
"""

import numpy as np
from scipy import special, stats

X, W = np.polynomial.legendre.leggauss(20)


def panels(edges):
    edges = np.unique(edges)
    half = np.diff(edges)[:, None] / 2
    return edges[:-1, None] + half * (1 + X), half * W


#: Parts of the largest -log(q), where q is a probability; close together at first.
PARTS, WEIGHTS = (part.ravel() for part in panels(np.concatenate([[0], np.geomspace(1e-8, 1, 60)])))


def quantile(values, log_u):
    """Return the value at a quantile given by its logarithm; near the top, computed from above."""
    u = np.exp(log_u)
    return np.where(log_u > -0.1, values.isf(-np.expm1(log_u)), values.ppf(u)).clip(values.low, values.high)


def first_price(values, n, risk, reserve, prize, u):
    """Return bids at quantiles u: a mean over the highest rival's value, which is uniform in its own probability."""
    r = getattr(risk, "r", 1.0)
    power = (n - 1) / r
    v = prize * values.ppf(u)[:, None]
    with np.errstate(divide="ignore"):
        most = np.minimum(power * (np.log(u) - np.log(values.cdf(reserve / prize))), 45)[:, None]
    y = prize * quantile(values, np.log(u)[:, None] - most * PARTS / power)
    weights, none = most * WEIGHTS * np.exp(-most * PARTS), np.exp(-most[:, 0])  # nobody is above the reserve
    least = max(reserve, prize * values.low)
    if not hasattr(risk, "a"):
        return (y * weights).sum(axis=1) + none * least
    mean = (np.expm1(risk.a * (y - v)) * weights).sum(axis=1) + none * np.expm1(risk.a * (least - v[:, 0]))
    return v[:, 0] + np.log1p(mean) / risk.a


def neutral(values, n, prizes, share, reserve, fee, lowest, u, corners=()):
    """Return bids at quantiles u: the average cost of the units, by the density of the places' probabilities."""
    ks = np.arange(1, len(prizes) + 1)
    steps = np.array(prizes) - np.append(prizes[1:], 0)

    def expected(t):
        wins = [special.betainc(n - k, k, t) if k < n else np.ones_like(t) for k in ks]
        return sum(step * win for step, win in zip(steps, wins, strict=True)), wins[-1]

    start = float(values.cdf(lowest))
    near = 2.0 ** -np.arange(1, 45)
    ends = np.concatenate(
        [start + (1 - start) * near, 1 - (1 - start) * near, np.linspace(start, 1, 60), u, values.cdf(corners)]
    )
    ends = np.unique(ends.clip(start, 1))
    t, weights = panels(ends)
    slope = sum(step * stats.beta.pdf(t, n - k, k) for step, k in zip(steps, ks, strict=True) if k < n)
    sums = np.concatenate([[0], np.cumsum((values.ppf(t) * slope * weights).sum(axis=1))])
    spent = sums[np.searchsorted(ends, u)]
    _units, wins = expected(np.array([start]))
    least = reserve * (share + (1 - share) * wins) + fee  # payment of the lowest bidder
    spent = spent + (least if lowest > values.low or reserve or fee else 0.0)
    return (spent - fee) / (share + (1 - share) * expected(u)[1])


def slope(odds, worth, bids, share, a):
    """Return how fast bids rise with the log of the odds of winning: the first-order condition of theory2.md U2."""
    chance, k = special.expit(odds), worth - (1 - share) * bids
    losing = special.expit(-odds)
    with np.errstate(over="ignore"):
        return -np.expm1(-a * k) / a / (np.exp(-a * k) / losing + share / chance)


def losers_pay(equilibrium, odds):
    """Return bids at rising log odds of winning: the integral of the slope, given the bids that it depends on."""
    values, n, share = equilibrium.values, equilibrium.bidders, equilibrium.format.loser_pays
    prize, a = equilibrium.format.prizes[0], equilibrium.risk.a
    lowest, first = -60.0, 0.0
    if equilibrium.threshold > values.low:
        log_chance = (n - 1) * np.log(values.cdf(equilibrium.threshold))
        lowest, first = float(log_chance - np.log(-np.expm1(log_chance))), equilibrium.format.reserve
    edges = np.unique(np.concatenate([[lowest], np.arange(np.ceil(lowest), odds[-1], 1.0), odds]))

    def rises(edges):
        at, weights = panels(edges)
        v = quantile(values, special.log_expit(at) / (n - 1)).clip(equilibrium.threshold)
        return (slope(at, prize * v, equilibrium.bid(v), share, a) * weights).sum(axis=1)

    edges = edges[edges >= lowest]
    parts = rises(edges)
    for _halving in range(25):  # until halves add up to the whole
        middles = (edges[1:] + edges[:-1]) / 2
        halves = rises(np.sort(np.concatenate([edges, middles]))).reshape(-1, 2)
        apart = np.abs(halves.sum(axis=1) - parts) > 1e-10 * prize * values.high
        if not apart.any():
            break
        edges = np.sort(np.concatenate([edges, middles[apart]]))
        parts = np.concatenate(
            [half if split else [whole] for half, split, whole in zip(halves, apart, parts, strict=True)]
        )
    sums = first + np.concatenate([[0], np.cumsum(parts)])
    return sums[np.searchsorted(edges, odds)]
