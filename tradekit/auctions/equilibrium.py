"""Symmetric Bayes-Nash equilibria of sealed-bid formats with independent private values.

n bidders draw values per unit from F. With bids that rise with values, type v takes place k with the chance

    P_k(v) = C(n-1, k-1) F(v)^(n-k) (1 - F(v))^(k-1)

and so wins Q = sum w_k P_k units, and wins at all with chance W = sum P_k over the K prizes. In equilibrium no type
gains by acting as another (the envelope theorem), which fixes the expected payment whatever the format is:

    m(v) = v Q(v) - U* - integral of Q from v* to v

with v* the lowest type that bids and U* its surplus, 0 if v* is above the lowest value. Where winners pay their bid and
losers the share a of theirs, m = b D + fee with D = a + (1 - a) W, and that gives b. Sources: Vickrey 1961; Riley and
Samuelson 1981; Myerson 1981; Krishna, *Auction Theory*; war of attrition: Krishna and Morgan, Journal of Economic
Theory 72 (1997). For prizes by place with a loser's share the formula is by revenue equivalence.

Risk aversion: with u(x) = x^r the first-price bid is that of (n-1)/r rivals; with constant absolute risk aversion and
any loser's share the first-order condition is solved as an ordinary differential equation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.polynomial import Polynomial

from tradekit.auctions.formats import Format
from tradekit.auctions.quadrature import PANELS, Integral, grid, polynomial
from tradekit.auctions.risk import CARA, CRRA, Risk
from tradekit.auctions.takings import place_chance, spread
from tradekit.auctions.values import Floats, Values, known_types
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

_TABLE: Final = 4097  # points of the table that simulations look bids up in
_DEGREE: Final = 30  # of a polynomial at most; beyond, quadrature is nearer to the truth
_NEVER: Final = 1e-280  # chances below are nil: quotients of them have no meaning
_SURE: Final = 40  # the logarithm of odds beyond which a chance is 1


class NoEquilibriumKnown(ValueError):
    """A combination of format, values and risk attitude for which no equilibrium is known here."""


def solve(
    format: Format,
    bidders: int,
    values: Any,
    risk: Risk = None,
    truncate: float | None = None,
    method: str = "auto",
) -> Equilibrium:
    """The symmetric equilibrium of `format` among `bidders` with private `values`.

    `values`: `Values`, or a frozen distribution of `scipy.stats`, cut off at the quantile `truncate`. `method`:
    "quadrature", "closed form" (values with a polynomial distribution function), or "auto", the best of both. Raises
    `NoEquilibriumKnown` where no formula is known here, `ValueError` for what cannot be.

    >>> from scipy import stats
    >>> from tradekit.auctions import first_price
    >>> equilibrium = solve(first_price(), 3, stats.uniform())
    >>> equilibrium.bid(0.9).round(6), round(equilibrium.revenue, 6)
    (np.float64(0.6), 0.5)
    """
    check_bidders(bidders)
    if format.places > bidders:
        raise ValueError(_("{k} prizes for {n} bidders: there must be as many").format(k=format.places, n=bidders))
    if format.step is not None:
        raise NoEquilibriumKnown(
            _("bids are multiples of {step}: solve() computes their equilibria; this formula needs step=None").format(
                step=format.step
            )
        )
    values = Values.of(values, truncate)
    _check_known(format, risk)
    return Equilibrium(format, bidders, values, risk, method)


def check_bidders(bidders: int) -> None:
    """Raise `ValueError` where there are too few."""
    if bidders < 2:
        raise ValueError(_("bidders={n}: an auction needs two").format(n=bidders))


def _check_known(format: Format, risk: Risk) -> None:
    unknown = ""
    if format.winner_pays == "next" and format.loser_pays not in (0, 1):
        unknown = _("winners pay the highest losing bid and losers a share of theirs")
    elif (
        format.winner_pays == "next" and format.loser_pays == 1 and (format.places > 1 or format.reserve or format.fee)
    ):
        unknown = _("a war of attrition with several prizes, a reserve or a fee")
    elif risk and (format.places > 1 or format.fee):
        unknown = _("risk aversion with several prizes or a fee")
    elif risk and format.winner_pays == "next" and format.loser_pays:
        unknown = _("a war of attrition and risk aversion")
    elif isinstance(risk, CRRA) and format.loser_pays:
        unknown = _("CRRA where losers pay (their utility of a loss is not defined; CARA has one)")
    if unknown:
        raise NoEquilibriumKnown(_("no equilibrium is known here for: {what}").format(what=unknown))


@dataclass(frozen=True)
class Equilibrium:
    """The symmetric equilibrium: made by `Format.equilibrium`.

    A type v, what a unit is worth, may be a number or an array; amounts are in the money of the values. Raises
    `ValueError` for a type that nobody has and, once it is asked something, if reserve and fee keep everybody away.

    >>> from tradekit.auctions import losers_pay, uniform
    >>> equilibrium = losers_pay(0.5, prizes=(2, 1)).equilibrium(3, uniform())
    >>> float(equilibrium.units(0.5)), float(equilibrium.wins(0.5))
    (1.0, 0.75)
    >>> pays, surplus = equilibrium.pays(0.5), equilibrium.surplus(0.5)
    >>> round(float(pays), 6), round(float(surplus), 6)  # together they are v units
    (0.25, 0.25)
    >>> round(float(equilibrium.bid(0.5)), 3)  # paid in full by who wins, by half by who does not
    0.286
    """

    format: Format
    bidders: int
    values: Values
    risk: Risk = None
    method: str = field(default="auto", compare=False)

    # Places, by F(v)

    def units(self, v: Any) -> Floats:
        """Q: how many units type v expects; none if it does not bid."""
        v = known_types(self.values, v)
        return self._if_it_bids(v, self._units(v))

    def wins(self, v: Any) -> Floats:
        """W: the chance of type v to win something; none if it does not bid."""
        v = known_types(self.values, v)
        return self._if_it_bids(v, self._wins(v))

    def _if_it_bids(self, v: Floats, then: Floats) -> Floats:
        return np.where(v >= self.threshold, then, 0.0)[()]

    def _units(self, v: Any) -> Floats:
        u = self.values.cdf(v)
        return _sum([w * place_chance(self.bidders, k, u) for k, w in enumerate(self.format.prizes, 1)])

    def _wins(self, v: Any) -> Floats:
        u = self.values.cdf(v)
        return _sum([place_chance(self.bidders, k, u) for k in range(1, self.format.places + 1)])

    def _share(self, v: Any) -> Floats:
        """D: the part of a bid that is paid on average."""
        alpha = self.format.loser_pays
        return alpha + (1 - alpha) * self._wins(v)

    # Who bids, and how much

    @cached_property
    def threshold(self) -> float:
        """v*: the lowest value that bids."""
        from scipy.optimize import brentq

        format, low, high = self.format, self.values.low, self.values.high
        costless = not format.loser_pays and not format.fee  # to bid and to lose

        def surplus(v: Any) -> Any:
            """What type v gains with the least bid if all lower types stay away; if losing costs nothing, by win."""
            if costless:
                return v * self._units_won(v) - format.reserve
            if isinstance(self.risk, CARA):  # losers' share is paid for sure; what one owns does not matter
                sure = format.loser_pays * format.reserve
                won = self.risk.utility(format.prizes[0] * v - format.reserve + sure)
                return self._wins(v) * won - self.risk.utility(sure)
            return v * self._units(v) - format.reserve * self._paid_share(v) - format.fee

        if format.reserve == 0 == format.fee or surplus(low) >= 0 < self._units(low):
            return low
        if surplus(high) <= 0:
            raise ValueError(_("nobody would bid: a reserve of {r:g} and a fee of {c:g} are too much").format(
                r=format.reserve, c=format.fee
            ))  # fmt: skip
        least = max(low, format.reserve / format.prizes[0])  # below, winning the first prize would be a loss
        if surplus(least) >= 0 or (costless and len(set(format.prizes)) == 1):
            return least
        return float(brentq(surplus, least, high, xtol=1e-14))

    def _units_won(self, v: Any) -> Floats:
        """How many units type v expects if it wins: the last prize if nobody is below it, for then that is all."""
        units, wins = self._units(v), self._wins(v)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(wins > _NEVER, units / wins, self.format.prizes[-1])[()]

    def _paid_share(self, v: Any) -> Floats:
        """The part of the reserve that the lowest type to bid expects to pay."""
        return self._wins(v) if self.format.winner_pays == "next" else self._share(v)

    @cached_property
    def _lowest_surplus(self) -> float:
        """U*: what the lowest type that bids expects to gain."""
        v, format = self.threshold, self.format
        if v > self.values.low:
            return 0.0
        return max(0.0, float(v * self._units(v) - format.reserve * self._paid_share(v) - format.fee))

    @cached_property
    def _rent(self) -> Callable[[Any], Floats]:
        """The integral of Q from v* to v."""
        cdf = polynomial(self.values) if self.method != "quadrature" else None
        n = self.bidders
        if cdf is not None and (n - 1) * cdf.degree() > _DEGREE:
            cdf = None
        if cdf is None:
            if self.method == "closed form":
                raise NoEquilibriumKnown(_("no closed form is known here for these values; quadrature works"))
            return Integral(self._units, self.threshold, self.values)
        places = enumerate(self.format.prizes, 1)
        other = 1 - cdf
        units = sum((w * comb(n - 1, k - 1) * cdf ** (n - k) * other ** (k - 1) for k, w in places), Polynomial([0]))
        low, width = self.values.low, self.values.high - self.values.low
        integral = units.integ() * width
        start = integral((self.threshold - low) / width)
        return lambda v: np.asarray(integral((np.asarray(v, float) - low) / width) - start)

    def surplus(self, v: Any) -> Floats:
        """What type v expects to gain, in money (risk neutral: the integral of Q, whatever the format)."""
        v = known_types(self.values, v)
        if self.risk is None:
            gains = self._lowest_surplus + self._rent(np.maximum(v, self.threshold))
        else:
            gains = v * self._units(v) - self._payment(v)
        return self._if_it_bids(v, gains)

    def pays(self, v: Any) -> Floats:
        """What type v expects to pay, winning or losing, the fee included; nothing if it does not bid."""
        v = known_types(self.values, v)
        return self._if_it_bids(v, self._payment(v))

    def _payment(self, v: Floats) -> Floats:
        """m: what type v expects to pay, the fee included."""
        if self.risk is None:
            return v * self._units(v) - self._lowest_surplus - self._rent(np.maximum(v, self.threshold))
        if self.format.winner_pays == "next":  # bids are those of the risk neutral
            return Equilibrium(self.format, self.bidders, self.values)._payment(v)
        return np.nan_to_num(self.bid(v)) * self._share(v)

    def bid(self, v: Any) -> Floats:
        """b: the bid of type v, a number or an array; NaN for who does not bid.

        In a war of attrition there is no highest bid: the highest type's is infinite.
        """
        v = known_types(self.values, v)
        return np.where(v >= self.threshold, self._rule(np.maximum(v, self.threshold)), np.nan)[()]

    @cached_property
    def _rule(self) -> Callable[[Floats], Floats]:
        format = self.format
        if format.winner_pays == "next":
            return self._attrition if format.loser_pays else lambda v: format.prizes[0] * v
        if isinstance(self.risk, CARA):
            return self._differential(self.risk)
        if isinstance(self.risk, CRRA):
            return self._relative(self.risk.r)
        return self._neutral

    def _neutral(self, v: Floats) -> Floats:
        share = self._share(v)
        with np.errstate(invalid="ignore", divide="ignore"):
            bids = (self._payment(v) - self.format.fee) / share
        return np.where(share > _NEVER, bids, self.format.prizes[-1] * v)  # its limit where nobody else is below

    def _relative(self, r: float) -> Callable[[Floats], Floats]:
        power = (self.bidders - 1) / r
        units = self.format.prizes[0]

        def weight(v: Any) -> Floats:
            return np.asarray(self.values.cdf(v) ** power)

        rent = Integral(weight, self.threshold, self.values)

        def rule(v: Floats) -> Floats:
            there = weight(v)
            with np.errstate(invalid="ignore", divide="ignore"):
                gap = (rent(v) + (self.threshold - self.format.reserve / units) * weight(self.threshold)) / there
            return units * (v - np.where(there > _NEVER, gap, 0.0))

        return rule

    def _attrition(self, v: Floats) -> Floats:
        """Waiting costs a type what winning a moment later is worth: integral of x g / (1 - G), G = F^(n-1)."""
        n, values = self.bidders, self.values

        def rate(x: Any) -> Floats:
            u = values.cdf(x)
            return np.asarray(self.format.prizes[0] * x * (n - 1) * u ** (n - 2) * values.pdf(x) / (1 - u ** (n - 1)))

        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(values.cdf(v) < 1, Integral(rate, values.low, values)(v), np.inf)

    def _differential(self, risk: CARA) -> Callable[[Floats], Floats]:
        """The solution of b' = G' [u(v - b) - u(-a b)] / [G u'(v - b) + a (1 - G) u'(-a b)], G = F^(n-1).

        What losers pay is paid for sure, and with CARA what one owns does not matter: divided by u'(-a b), nothing in
        it is large. By l, the logarithm of the odds G / (1 - G), neither end is steep:

            db/dl = u(k) / [(1 + e^l) u'(k) + a (1 + e^-l)],   k = v - (1 - a) b
        """
        from scipy.integrate import solve_ivp
        from scipy.interpolate import CubicSpline

        alpha, units, n, values = self.format.loser_pays, self.format.prizes[0], self.bidders, self.values
        low, high = self.threshold, values.high

        def log_odds(v: Any) -> Floats:
            with np.errstate(divide="ignore"):
                log_chance = (n - 1) * np.log(values.cdf(v))
                return np.asarray(log_chance - np.log(-np.expm1(log_chance)))

        start, first = low, self.format.reserve
        if values.cdf(low) == 0:  # the odds are nil there: begin a little above, as the risk neutral would
            start = low + 1e-4 * (high - low)
            first = float(Equilibrium(self.format, n, values).bid(start))
        begin, end = float(log_odds(start)), _SURE + risk.a * units * high  # where losing does not matter any more
        odds = np.linspace(begin, _SURE, _TABLE)
        value_at = CubicSpline(odds, values.ppf(np.exp(-np.logaddexp(0, -odds) / (n - 1))))

        def slope(odds: float, b: Floats) -> Floats:
            profit = units * float(value_at(min(odds, _SURE))) - (1 - alpha) * b
            cost = _exp(-risk.a * profit) + _exp(odds - risk.a * profit) + alpha * (1 + _exp(-odds))
            return np.asarray(risk.utility(profit) / np.maximum(cost, _NEVER))

        solved = solve_ivp(slope, (begin, end), [first], method="LSODA", rtol=1e-11, atol=1e-13, dense_output=True)
        edge = float(Equilibrium(self.format, n, values).bid(low))
        path = solved.sol
        assert path is not None

        def rule(v: Floats) -> Floats:
            near = edge + (first - edge) * (v - low) / max(start - low, 1e-300)
            odds = np.clip(log_odds(v), begin, end)
            return np.where(v < start, near, path(odds.ravel())[0].reshape(v.shape))

        return rule

    @cached_property
    def strategy(self) -> Callable[[Floats], Floats]:
        """`bid` by table, for millions of draws: linear between 4,097 points, and between 40 more at the steep top."""
        low, high = self.threshold, self.values.high
        top = 1 - 0.5 ** np.arange(1, 41) / (_TABLE - 1)
        points = low + (high - low) * np.sort(np.concatenate([np.linspace(0, 1, _TABLE), top]))
        bids = self.bid(points)
        if not np.isfinite(bids[-1]):
            bids[-1] = bids[-2]  # a war of attrition has no highest bid

        def look_up(v: Floats) -> Floats:
            return (
                np.where(v >= low, np.interp(v, points, bids), np.nan)
                if low > self.values.low
                else np.interp(v, points, bids)
            )

        return look_up

    # Revenue

    @cached_property
    def revenue(self) -> float:
        """What the seller expects."""
        nodes, weights = grid(float(self.values.cdf(self.threshold)), 1.0, PANELS)
        return float(self.bidders * weights @ self._payment(self.values.ppf(nodes)))

    @cached_property
    def revenue_sd(self) -> float:
        """The standard deviation of the seller's revenue: its risk, which does depend on the format."""
        start = float(self.values.cdf(self.threshold))
        return spread(self.format, self.bidders, lambda u: self.bid(self.values.ppf(u)), start, self.revenue)

    @cached_property
    def gain(self) -> float:
        """The most that a type could gain by another bid, the others staying: what is left of errors.

        In utility for the risk averse. Computed from bids alone: see `deviation`.
        """
        from tradekit.auctions.deviation import largest_gain

        return largest_gain(self)

    # To look at

    def to_frame(self, points: int = 101) -> pd.DataFrame:
        """A row a type, at as many as `points` from the lowest value to the highest.

        Columns: ``value, bid`` (NaN: none), ``wins, units, surplus``.

        >>> from tradekit.auctions import first_price, uniform
        >>> first_price().equilibrium(2, uniform()).to_frame(points=3).round(3)
           value   bid  wins  units  surplus
        0    0.0  0.00   0.0    0.0    0.000
        1    0.5  0.25   0.5    0.5    0.125
        2    1.0  0.50   1.0    1.0    0.500
        """
        import pandas as pd

        v = np.linspace(self.values.low, self.values.high, points)
        rules = {"bid": self.bid, "wins": self.wins, "units": self.units, "surplus": self.surplus}
        return pd.DataFrame({"value": v} | {name: rule(v) for name, rule in rules.items()})

    def __repr__(self) -> str:
        return _("<equilibrium of {format} among {n}: revenue {revenue:.4g}, spread {sd:.4g}>").format(
            format=self.format, n=self.bidders, revenue=self.revenue, sd=self.revenue_sd
        )


def _exp(x: Any) -> Any:
    """e^x, or some number that is as good as infinite."""
    return np.exp(np.minimum(x, 700.0))


def _sum(parts: Sequence[Floats]) -> Floats:
    total: Floats = np.asarray(np.sum(parts, axis=0))[()]
    return total
