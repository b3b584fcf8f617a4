"""A thousand settings of `Format.equilibrium`, against an independent computation of the bids.

Distributions, bidders, shares, prizes, reserves and attitudes to risk are drawn; an error counts as a failure.
Tolerances are relative to the highest prize: 1e-7 except for `NEAR`.
"""

import numpy as np
import pytest
from scipy import stats

from tradekit.auctions import CARA, CRRA, Format, Values

from . import oracle

SETTINGS = 1000
GROUPS = 20
#: Tolerances where the oracle is less exact: at corners, and where neighbours in floating point bid differently.
NEAR = {"histogram": 5e-6, "beta, steep at the top": 1e-6}
CORNERS = {}  # of the distribution functions of histograms


def evenly_by_factor(rng, low, high):
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def some_values(rng):
    scale = float(10.0 ** rng.choice([0, 0, 0, 2, -6, 6]))
    shift = float(rng.choice([0, 0, 0, 0.5, 100])) * scale
    near = min(shift, scale)  # a larger shift would be an atom in floating point
    kinds = {
        "uniform": lambda: Values.of(stats.uniform(shift, scale)),
        "uniform, new": lambda: Values.of(stats.Uniform(a=shift, b=shift + scale)),
        "beta": lambda: Values.of(
            stats.beta(evenly_by_factor(rng, 0.3, 50), evenly_by_factor(rng, 0.3, 50), near, scale)
        ),
        "beta, steep at the top": lambda: Values.of(stats.beta(evenly_by_factor(rng, 1, 8), 0.3, 0, scale)),
        "pareto": lambda: Values.of(
            stats.pareto(evenly_by_factor(rng, 1.05, 3), scale=scale), float(rng.choice([0.9, 0.999, 0.9999]))
        ),
        "lognormal": lambda: Values.of(stats.lognorm(evenly_by_factor(rng, 0.3, 2), scale=scale), 0.999),
        "exponential": lambda: Values.of(stats.expon(shift, scale), 0.999),
        "exponential, cut off": lambda: Values.of(stats.truncexpon(evenly_by_factor(rng, 0.5, 10), shift, scale)),
        "triangular": lambda: Values.of(stats.triang(rng.uniform(0, 1), shift, scale)),
        "power": lambda: Values.of(stats.powerlaw(evenly_by_factor(rng, 0.3, 10), near, scale)),
        "Weibull": lambda: Values.of(stats.weibull_min(evenly_by_factor(rng, 0.6, 4), scale=scale), 0.999),
        "gamma": lambda: Values.of(stats.gamma(evenly_by_factor(rng, 0.5, 20), scale=scale), 0.999),
    }
    name = str(rng.choice([*kinds, "histogram"]))
    if name != "histogram":
        return name, kinds[name]()
    cells = rng.integers(2, 6)
    edges = np.concatenate([[0], np.sort(rng.uniform(0, 1, cells - 1)), [1]]) * scale + shift
    values = Values.of(stats.rv_histogram((rng.dirichlet(np.ones(cells)), edges), density=False))
    CORNERS[values] = edges
    return name, values


def some_setting(seed):
    rng = np.random.default_rng(seed)
    name, values = some_values(rng)
    bidders, share = int(rng.integers(2, 51)), float(rng.choice([0, 0, 1, 1, 0.5, 0.001, 0.999, rng.uniform(0, 1)]))
    kind = rng.choice(["neutral", "CRRA", "CARA", "CARA"])
    risk = None
    if kind == "CRRA" and share == 0:
        risk = CRRA(evenly_by_factor(rng, 0.01, 1))
    elif kind != "neutral":
        risk = CARA(evenly_by_factor(rng, 0.01, 30) / (values.high - values.low if rng.random() < 0.5 else values.high))
    reserve = 0.0
    if rng.random() < 0.3:
        reserve = float(values.ppf(rng.uniform(0, 0.6))) * float(rng.uniform(0.1, 0.9) if share else 1)
        if isinstance(risk, CARA) and share:  # otherwise it keeps all away except the last values below the highest
            reserve = min(reserve, (0.2 if name.startswith("beta") else 5) / (risk.a * share))
    prizes = (int(rng.integers(1, 3)),)
    if risk is None:
        prizes = tuple(sorted(rng.integers(1, 4, rng.integers(1, min(bidders, 6) + 1)).tolist(), reverse=True))
    return name, Format(prizes, share, reserve=reserve), bidders, values, risk


def bids_apart(equilibrium, u):
    """Return quantiles of values near these, and the bids there by the package and by the oracle."""
    format_, n, values = equilibrium.format, equilibrium.bidders, equilibrium.values
    v = values.ppf(u)
    u = values.cdf(v)
    if equilibrium.risk is None:
        lowest = equilibrium.threshold
        money = (format_.loser_pays, format_.reserve, format_.fee, lowest)
        there = oracle.neutral(values, n, format_.prizes, *money, u, CORNERS.get(values, []))
    elif not format_.loser_pays:
        there = oracle.first_price(values, n, equilibrium.risk, format_.reserve, format_.prizes[0], u)
    else:
        log_chance = (n - 1) * np.where(
            u < 0.5, np.log(np.maximum(u, 1e-300)), np.log1p(-np.minimum(values.sf(v), 0.9))
        )
        with np.errstate(divide="ignore"):
            odds = log_chance - np.log(-np.expm1(log_chance))
        seen = (odds > -45) & np.isfinite(odds)  # lower ones never win
        v, there = v[seen], oracle.losers_pay(equilibrium, odds[seen]) if seen.any() else []
    return equilibrium.bid(v), there


def check(seed):
    name, format_, n, values, risk = some_setting(seed)
    equilibrium = format_.equilibrium(n, values, risk)  # must not be refused
    start = float(values.cdf(equilibrium.threshold))
    parts = np.array([0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999])
    u = np.concatenate([start + (1 - start) * parts, parts[[0, 2, 5, 7]] ** (1 / (n - 1))])
    told_apart = 1 - 10 * float(values.sf(np.nextafter(values.high, 0)))  # above it there are only a few numbers
    found, expected = bids_apart(equilibrium, np.unique(u[(u > start) & (u < told_apart)]))
    near = NEAR.get(name, 1e-7) * format_.prizes[0] * values.high
    assert np.abs(found - expected).max(initial=0) < near, (seed, name, format_, n, values, risk)


@pytest.mark.parametrize("group", range(GROUPS))
def test_bids_of_a_thousand_settings(group):
    for seed in range(group, SETTINGS, GROUPS):
        check(seed)


EXTREMES = {
    "many bidders, all-pay": (1, 50, stats.uniform(), CARA(3)),
    "a share of nearly one": (0.999, 50, stats.uniform(), CARA(3)),
    "a share of nearly nothing": (0.001, 30, stats.uniform(100, 1), CARA(3)),
    "steep at the top": (1, 20, stats.beta(5, 0.3), CARA(3)),
    "steep at the bottom": (0.5, 9, stats.beta(0.3, 5), CARA(3)),
    "narrow": (0.5, 50, stats.beta(500, 500), CARA(100)),
    "a long tail": (1, 2, Values.of(stats.pareto(1.1), 0.9999), CARA(1)),
    "a very long tail": (0.3, 3, Values.of(stats.pareto(0.5), 0.9999), CARA(1)),
    "much at stake": (0.01, 3, stats.uniform(0, 1e4), CARA(1)),
    "hardly any aversion": (0.5, 5, stats.uniform(), CARA(1e-12)),
    "hardly any aversion, first price": (0, 5, stats.uniform(), CARA(1e-12)),
    "much aversion, CRRA": (0, 50, stats.beta(2, 2), CRRA(0.01)),
    "an empty middle": (0.5, 4, stats.rv_histogram(([0.5, 0, 0.5], [0, 0.1, 0.9, 1]), density=False), CARA(50)),
}


@pytest.mark.parametrize(("share", "n", "law", "risk"), EXTREMES.values(), ids=EXTREMES)
def test_bids_where_it_is_hard(share, n, law, risk):
    equilibrium = Format(loser_pays=share).equilibrium(n, law, risk)
    u = np.array([1e-4, 0.001, 0.03, 0.3, 0.499, 0.6, 0.9, 0.99, 0.999, 0.9999])
    found, expected = bids_apart(equilibrium, np.unique(np.concatenate([u, u ** (1 / (n - 1))])))
    assert np.abs(found - expected).max() < 1e-7 * equilibrium.values.high


@pytest.mark.parametrize("seed", range(40))
def test_money_has_no_unit(seed):
    """Values, reserve and 1/a in another currency give bids and revenue in that currency."""
    rng = np.random.default_rng(seed)
    a, b, n, share = *rng.uniform(0.5, 5, 2), int(rng.integers(2, 51)), float(rng.choice([0, 0.001, 0.5, 1]))
    risk = float(rng.choice([0, 0.3, 3, 20]))
    u, bids, revenue, spread = np.array([0.1, 0.5, 0.9, 0.999]), [], [], []
    for unit in (1.0, 1e-6, 1e6, 7.0):
        equilibrium = Format(loser_pays=share, reserve=0.05 * unit).equilibrium(
            n, stats.beta(a, b, scale=unit), CARA(risk / unit) if risk else None
        )
        bids.append(np.nan_to_num(equilibrium.bid(equilibrium.values.ppf(u))) / unit)
        revenue.append(equilibrium.revenue / unit)
        spread.append(equilibrium.revenue_sd / unit)
    for other in range(1, 4):
        assert bids[other] == pytest.approx(bids[0], abs=1e-9)
        assert (revenue[other], spread[other]) == pytest.approx((revenue[0], spread[0]), abs=1e-8)
