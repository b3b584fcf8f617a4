"""Bids of those who are averse to risk, one prize: closed forms, and a differential equation where there is none.

With u(x) = x^r the first-price bid is that of (n-1)/r rivals. With constant absolute risk aversion, G = F^(n-1), the
chance of winning, and u(x) = (1 - e^(-a x)) / a,

- first price: e^(a b(v)) is the mean of e^(a y), where y is the highest rival value, below v;
- all-pay: b = integral of k / (a (1 - G k)) dG with k = 1 - e^(-a x);
- a share in between: db/dG = [u(v - b) - u(-s b)] / [G u'(v - b) + s (1 - G) u'(-s b)], where s is the share, from
  b = 0 at G = 0, or from the reserve.

All are computed from the logarithms of chances, so nothing underflows with many bidders, and nothing is steep.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tradekit.auctions import collocation
from tradekit.auctions.quadrature import NODES, WEIGHTS, Integral, value_edges
from tradekit.auctions.values import Floats, Values

if TYPE_CHECKING:
    from tradekit.auctions.equilibrium import Equilibrium
    from tradekit.auctions.risk import CARA

Rule = Callable[[Floats], Floats]

_BEND: Final = 16.0  # a panel is divided if a logarithm changes by more in it
_RARE: Final = -20.0  # logarithm of a chance of lower types that are too rare for that
_MOST: Final = 5000.0  # rivals; the gap that so many leave is inversely proportional to their number
_NEARLY_NEUTRAL: Final = 1e-3  # a times the range of values
_FIRST: Final = -40.0  # logarithm of the odds at which bids begin: a part of 1e-17 of what is at stake
_LAST: Final = 37.0  # logarithm of the odds of a value that is the highest in floating point


class Shading:
    """How far below their value the averse bid in a first-price auction: v - b, with F(v)^power to win."""

    def __init__(self, values: Values, start: float, power: float, a: float = 0.0) -> None:
        self.values, self.power, self.a = values, power, a
        edges = value_edges(values, start, round(power) + 1)
        with np.errstate(invalid="ignore"):
            change = np.diff(self._level(edges))
        rare = values.log_cdf(edges[1:]) < _RARE
        pieces = np.where(rare | ~np.isfinite(change), 1, np.ceil(change / _BEND)).astype(int).clip(1)
        self.edges = np.append(
            np.concatenate([np.linspace(*ends, n, endpoint=False) for *ends, n in zip(edges, edges[1:], pieces)]),
            edges[-1],
        )
        levels = self._level(self.edges)
        with np.errstate(divide="ignore"):
            parts = np.log(self._within(self.edges[:-1], self.edges[1:])) + levels[1:]
        begin = levels[0] if self._by_mass else -np.inf  # at the reserve nobody below bids
        self.sums = np.logaddexp.accumulate(np.concatenate([[begin], parts]))

    @property
    def _by_mass(self) -> bool:
        """Whether the mean of e^(-a (v - y)) is summed up, or else what it lacks of 1, divided by a."""
        return self.a * (self.values.high - self.values.low) > _NEARLY_NEUTRAL

    def _level(self, y: Floats) -> Floats:
        return np.asarray(self.power * self.values.log_cdf(y) + self.a * (y - self.values.low))

    def _within(self, low: Floats, high: Floats) -> Floats:
        """The part of panels, or of their beginnings, in parts of what e^level is at their upper end."""
        half = (high - low)[:, None] / 2
        y = low[:, None] + half * (1 + NODES)
        log_cdf, top = self.power * self.values.log_cdf(y), self.power * self.values.log_cdf(high)[:, None]
        with np.errstate(invalid="ignore"):
            chance = np.nan_to_num(np.exp(log_cdf - top))
            discount = np.exp(-self.a * (high[:, None] - y))
            if not self._by_mass:
                return np.asarray((chance * discount * half) @ WEIGHTS)
            bottom = np.nan_to_num(np.exp(self.power * self.values.log_cdf(low)[:, None] - top))
            mass = np.nan_to_num(-np.expm1(self.power * self.values.log_cdf(low) - top[:, 0]))
        return np.maximum(mass - self.a * ((discount * (chance - bottom) * half) @ WEIGHTS), 0.0)

    def __call__(self, v: Floats) -> Floats:
        flat = np.asarray(v, float).ravel()
        panel = np.clip(np.searchsorted(self.edges, flat, side="right") - 1, 0, len(self.edges) - 1)
        level = self._level(flat)
        with np.errstate(invalid="ignore", divide="ignore"):
            total = np.exp(self.sums[panel] - level) + self._within(self.edges[panel], flat)
            if not self.a:
                gap = total
            else:
                gap = -(np.log(total) if self._by_mass else np.log1p(-self.a * total)) / self.a
        return np.where(np.isfinite(level), gap, 0.0).reshape(np.shape(v))


def crra(equilibrium: Equilibrium, r: float) -> Rule:
    """First price, u(x) = x^r."""
    power = (equilibrium.bidders - 1) / r
    shading = Shading(equilibrium.values, equilibrium.threshold, min(power, _MOST))
    prize, part = equilibrium.format.prizes[0], min(1.0, _MOST / power)
    return lambda v: np.asarray(prize * (v - part * shading(v)))


def cara(equilibrium: Equilibrium, risk: CARA) -> Rule:
    """Winners pay their bid, losers any share of theirs; u(x) = (1 - e^(-a x)) / a."""
    share, prize = equilibrium.format.loser_pays, equilibrium.format.prizes[0]
    if share == 0:
        shading = Shading(equilibrium.values, equilibrium.threshold, equilibrium.bidders - 1, risk.a * prize)
        return lambda v: np.asarray(prize * (v - shading(v)))
    return _all_pay(equilibrium, risk.a) if share == 1 else _in_between(equilibrium, risk.a)


def log_chances(equilibrium: Equilibrium, v: Any) -> tuple[Floats, Floats]:
    """The logarithms of the chances G that all rivals are below v, and 1 - G."""
    log_chance = (equilibrium.bidders - 1) * equilibrium.values.log_cdf(v)
    with np.errstate(divide="ignore"):
        return log_chance, np.log(-np.expm1(log_chance))


def _all_pay(equilibrium: Equilibrium, a: float) -> Rule:
    """By parts: b = -log(1 - G k) / a - integral of G (1 - k) / (1 - G k) dx, which asks for no density."""
    prize, start = equilibrium.format.prizes[0], equilibrium.threshold

    def worst(v: Any) -> tuple[Floats, Floats]:
        """log G (1 - k) and log(1 - G k)."""
        won, lost = log_chances(equilibrium, v)
        won = won - a * prize * v
        return won, np.logaddexp(lost, won)

    def slope(v: Any) -> Floats:
        won, either = worst(v)
        return np.asarray(prize * np.exp(won - either))

    integral = Integral(slope, start, equilibrium.values, equilibrium.bidders)

    def surely(v: Floats) -> Floats:
        """-log(1 - G k) / a, exact where it is small."""
        chance = np.exp((equilibrium.bidders - 1) * equilibrium.values.log_cdf(v))
        gk = -chance * np.expm1(-a * prize * v)
        with np.errstate(divide="ignore"):
            return np.where(gk < 0.5, -np.log1p(-np.minimum(gk, 0.5)), -worst(v)[1]) / a

    first = equilibrium.format.reserve - float(surely(np.asarray(start)))
    return lambda v: first + surely(v) - integral(v)


def _in_between(equilibrium: Equilibrium, a: float) -> Rule:
    """The differential equation by l, the logarithm of the odds G / (1 - G), where neither end is steep:

    db/dl = u(k) / [(1 + e^l) u'(k) + s (1 + e^-l)],   k = v - (1 - s) b

    What losers pay is paid for sure, and with CARA what one owns does not matter: divided by u'(-s b), nothing in it is
    large. Below the first odds b is in proportion to G.
    """
    values, n = equilibrium.values, equilibrium.bidders
    share, prize, start = equilibrium.format.loser_pays, equilibrium.format.prizes[0], equilibrium.threshold
    high, rest = prize * values.high, 1 - share

    def value_at(odds: Floats) -> Floats:
        """The type whose chance has these odds."""
        log_cdf = -np.logaddexp(0, -odds) / (n - 1)
        upper = log_cdf > -0.5
        found = np.where(
            upper, values.isf(np.where(upper, -np.expm1(log_cdf), 0.5)), values.ppf(np.where(upper, 0.5, np.exp(log_cdf)))
        )
        return np.asarray(prize * found.clip(start, values.high))

    def slope(odds: Floats, worth: Floats, bids: Floats) -> tuple[Floats, Floats]:
        profit = a * (worth - rest * bids)
        less = _exp(-profit)
        won = less + _exp(odds - profit)
        cost = won + share * (1 + _exp(-odds))
        slopes = -np.expm1(np.minimum(-profit, 700.0)) / (a * cost)
        return slopes, -rest * (less + a * slopes * won) / cost

    begin, first = float(_log_odds(equilibrium, start)), equilibrium.format.reserve
    from_nothing = begin == -np.inf
    if from_nothing:
        begin = _FIRST + float(np.log(share))
        first = float(np.exp(begin) * -np.expm1(-a * float(value_at(np.asarray(begin)))) / (a * share))
    end = max(begin, _LAST) + 40 + a * high
    steps = np.arange(begin, max(begin, 2 * _LAST), 1.0)
    wider = steps[-1] + np.cumsum(1.5 ** np.arange(1, 200))
    edges = np.append(np.concatenate([steps, wider[wider < end]]), end)
    path = collocation.solve(slope, value_at, edges, first, high)

    def rule(v: Floats) -> Floats:
        odds = _log_odds(equilibrium, v)
        return np.asarray(path(odds) * (np.exp(np.minimum(odds - begin, 0.0)) if from_nothing else 1.0))

    return rule


def _log_odds(equilibrium: Equilibrium, v: Any) -> Floats:
    won, lost = log_chances(equilibrium, v)
    return np.asarray(won - lost)


def _exp(x: Any) -> Any:
    """e^x, or some number that is as good as infinite."""
    return np.exp(np.minimum(x, 700.0))
