"""Bids where winners pay their own, by attitude to risk: closed forms, and a differential equation where there is none.

The risk neutral bid what gives their expected payment. For the averse there is one prize. With u(x) = x^r the
first-price bid is that of (n-1)/r rivals. With constant absolute risk aversion, G = F^(n-1), the chance of winning, and
u(x) = (1 - e^(-a x)) / a,

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
from tradekit.auctions.quadrature import Integral, Panels, nodes, value_edges
from tradekit.auctions.values import Floats, FloatsLike, Values

if TYPE_CHECKING:
    from tradekit.auctions.equilibrium import Equilibrium

Rule = Callable[[Floats], Floats]

_NEVER: Final = 1e-280  # chances below are nil: quotients of them have no meaning
_BEND: Final = 6.0  # a panel is divided if a logarithm changes by more in it
_RARE: Final = -20.0  # logarithm of a chance of lower types that are too rare for that
_MOST: Final = 5000.0  # rivals; the gap that so many leave is inversely proportional to their number
_NEARLY_NEUTRAL: Final = 1e-3  # a times the range of values
_FIRST: Final = -40.0  # logarithm of the odds at which bids begin: a part of 1e-17 of what is at stake
_LAST: Final = 37.0  # logarithm of the odds of a value that is the highest in floating point


class Shading:
    """The gap between value and bid of the averse in a first-price auction: v - b, with F(v)^power to win.

    In panels the integrand is taken in parts of what its factor e^level is at the panel's upper end.
    """

    def __init__(self, values: Values, start: float, power: float, a: float = 0.0) -> None:
        self.values, self.power, self.a = values, power, a
        #: Whether the mean of e^(-a (v - y)) is summed up, or else what it lacks of 1, divided by a.
        self.by_mass = a * (values.high - values.low) > _NEARLY_NEUTRAL
        edges = self._divided(value_edges(values, start, round(power) + 1))
        y = nodes(edges[:-1], edges[1:])
        log_chance, self.tops = self._log_chance(y), self._log_chance(edges)
        with np.errstate(invalid="ignore", divide="ignore"):
            chance = np.nan_to_num(np.exp(log_chance - self.tops[1:, None]))
            self.bottoms = np.nan_to_num(np.exp(self.tops[:-1] - self.tops[1:]))
            if self.by_mass:
                chance = chance - self.bottoms[:, None]
            self.panels = Panels(edges, chance * np.exp(-a * (edges[1:, None] - y)))
            whole = self.panels.whole
            if self.by_mass:
                whole = np.maximum(1 - self.bottoms - a * whole, 0.0)
            levels = self.tops + a * (edges - values.low)
            begin = levels[0] if self.by_mass else -np.inf  # at a reserve nobody below bids
            self.sums = np.logaddexp.accumulate(np.concatenate([[begin], np.log(whole) + levels[1:]]))
            self.before = np.nan_to_num(np.exp(self.sums[:-1] - levels[1:]))

    def _log_chance(self, y: Floats) -> Floats:
        return np.asarray(self.power * self.values.log_cdf(y))

    def _divided(self, edges: Floats) -> Floats:
        """These edges, and more where the level changes much."""
        log_cdf = self.values.log_cdf(edges)
        with np.errstate(invalid="ignore"):
            change = np.diff(self.power * log_cdf + self.a * edges)
        much = (log_cdf[1:] > _RARE) & np.isfinite(change)
        pieces = np.where(much, np.ceil(np.where(much, change, 0.0) / _BEND), 1).astype(int).clip(1)
        left, width = np.repeat(edges[:-1], pieces), np.repeat(np.diff(edges) / pieces, pieces)
        number = np.arange(len(left)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
        return np.unique(np.append(left + number * width, edges[-1]))

    def __call__(self, v: Floats) -> Floats:
        """The gap v - b."""
        flat = np.asarray(v, float).ravel()
        panel = self.panels.find(flat)
        within = self.panels.up_to(panel, flat)
        right, log_chance, a = self.panels.edges[panel + 1], self._log_chance(flat), self.a
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            chance = np.nan_to_num(np.exp(log_chance - self.tops[panel + 1]))
            discount = np.exp(-a * (right - flat))
            if self.by_mass:
                within = (chance - self.bottoms[panel]) * discount - a * within
            total = (self.before[panel] + within) / (chance * discount)
            gap = total if not a else -(np.log(total) if self.by_mass else np.log1p(-a * total)) / a
        return np.where(np.isfinite(gap), np.maximum(gap, 0.0), 0.0).reshape(np.shape(v))


def by_payment(equilibrium: Equilibrium) -> Rule:
    """Return the bids of the risk neutral: the expected payment, divided by the part of a bid that is paid."""
    format = equilibrium.format

    def rule(v: Floats) -> Floats:
        share = equilibrium.share(v)
        with np.errstate(invalid="ignore", divide="ignore"):
            bids = (equilibrium.pays(v) - format.fee) / share
        return np.where(share > _NEVER, bids, format.prizes[-1] * v)  # its limit where nobody else is below

    return rule


def crra(equilibrium: Equilibrium, r: float) -> Rule:
    """Return the first-price bids for u(x) = x^r."""
    power = (equilibrium.bidders - 1) / r
    shading = Shading(equilibrium.values, equilibrium.threshold, min(power, _MOST))
    prize, part = equilibrium.format.prizes[0], min(1.0, _MOST / power)
    return lambda v: np.asarray(prize * (v - part * shading(v)))


def cara(equilibrium: Equilibrium, a: float) -> Rule:
    """Return the bids where winners pay theirs and losers any share of theirs, for u(x) = (1 - e^(-a x)) / a."""
    share, prize = equilibrium.format.loser_pays, equilibrium.format.prizes[0]
    if share == 0:
        shading = Shading(equilibrium.values, equilibrium.threshold, equilibrium.bidders - 1, a * prize)
        return lambda v: np.asarray(prize * (v - shading(v)))
    rule = (_all_pay if share == 1 else _in_between)(equilibrium, a)
    return lambda v: np.minimum(rule(v), prize * v)  # whatever the last digits: a loss of them may be too bad


def log_chances(equilibrium: Equilibrium, v: FloatsLike) -> tuple[Floats, Floats]:
    """Return the logarithms of the probabilities G that all rivals are below v, and 1 - G."""
    log_chance = (equilibrium.bidders - 1) * equilibrium.values.log_cdf(v)
    with np.errstate(divide="ignore"):
        return log_chance, np.log(-np.expm1(log_chance))


def _all_pay(equilibrium: Equilibrium, a: float) -> Rule:
    """By parts: b = -log(1 - G k) / a - integral of G (1 - k) / (1 - G k) dx, which asks for no density."""
    prize, start = equilibrium.format.prizes[0], equilibrium.threshold

    def worst(v: Any) -> tuple[Floats, Floats]:
        """Log G (1 - k) and log(1 - G k)."""
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
            upper,
            values.isf(np.where(upper, -np.expm1(log_cdf), 0.5)),
            values.ppf(np.where(upper, 0.5, np.exp(log_cdf))),
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
