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

Bids of those who are averse to risk: `averse`. Whatever is served has been checked for gains from deviating before.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import comb, isfinite, isnan
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.polynomial import Polynomial

from tradekit.auctions.formats import Format, number_of_bidders
from tradekit.auctions.payment import not_known
from tradekit.auctions.quadrature import Integral, parts, polynomial, quantiles
from tradekit.auctions.revenue import among_first, spread, units
from tradekit.auctions.risk import NEUTRAL, Risk, RiskAttitude
from tradekit.auctions.values import Distribution, Floats, FloatsLike, Strategy, Values, known_types
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

_TABLE: Final = 1025  # points, by each scale, of the table that simulations look bids up in
_DEGREE: Final = 100  # of a polynomial at most
_EXACT: Final = 100.0  # the sum of a polynomial's coefficients, for an integral from 0 to 1 that is near 1
_CLOSED: Final = 1e6  # the same, where a polynomial is asked for: nine digits are right
_NEVER: Final = 1e-280  # chances below are nil: quotients of them have no meaning


METHODS: Final = ("auto", "quadrature", "closed form")
TOLERATED: Final = 1e-4  #: of what is at stake: a larger gain from deviating is never served


class NoEquilibriumKnown(ValueError):
    """A combination of format, values and risk attitude for which no equilibrium is known here."""


def solve(
    format: Format,
    bidders: int,
    values: Values | Distribution,
    risk: Risk = None,
    truncate: float | None = None,
    method: str = "auto",
) -> Equilibrium:
    """Find the symmetric equilibrium of `format` among `bidders` with private `values`.

    `values`: `Values`, or a frozen distribution of `scipy.stats`, cut off at the quantile `truncate`. `method`:
    "quadrature", "closed form" (values with a polynomial distribution function), or "auto": of both, the one whose
    rounding errors are smaller. Raises `NoEquilibriumKnown` where no formula is known here, or where somebody could
    gain by another bid than was found, and `ValueError` for what cannot be, such as a reserve at which nobody bids.

    >>> from scipy import stats
    >>> from tradekit.auctions import first_price
    >>> equilibrium = solve(first_price(), 3, stats.uniform())
    >>> equilibrium.bid(0.9).round(6), round(equilibrium.revenue, 6)
    (np.float64(0.6), 0.5)
    """
    bidders = number_of_bidders(bidders)
    if not isinstance(risk, RiskAttitude | None):
        raise ValueError(_("risk={risk!r}: CRRA(r) or CARA(a) is needed, or None for neutral").format(risk=risk))
    if method not in METHODS:
        raise ValueError(_("method={method!r}: one of {there} is needed").format(
            method=method, there=", ".join(METHODS)
        ))  # fmt: skip
    if format.places > bidders:
        raise ValueError(_("{k} prizes for {n} bidders: there must be as many").format(k=format.places, n=bidders))
    if format.step is not None:
        raise NoEquilibriumKnown(
            _("bids are multiples of {step}: solve() computes their equilibria; this formula needs step=None").format(
                step=format.step
            )
        )
    found = Equilibrium(format, bidders, Values.of(values, truncate), risk, method)
    if unknown := format.payment.unknown(format, found.attitude):
        raise not_known(unknown)
    _check_gain(found)
    return found


def _check_gain(found: Equilibrium) -> None:
    """Raise `NoEquilibriumKnown` where another bid would gain more than a ten-thousandth of what is at stake.

    That is the utility of the whole range of values that bid, times the largest prize: what a type may gain in
    equilibrium is as good as nothing where all have nearly the same value.
    """
    from tradekit.auctions.deviation import best_deviation

    try:
        best = best_deviation(found)
    except ArithmeticError:
        raise not_known(_("bids that are too steep to compute")) from None
    stake = found.format.prizes[0] * (found.values.high - found.threshold)
    allowed = TOLERATED * float(found.attitude.utility(stake))
    if best.gain > allowed or not isfinite(best.gain):
        bid, better = (_("nothing") if isnan(amount) else f"{amount:.6g}" for amount in (best.bid, best.better))
        raise NoEquilibriumKnown(
            _(
                "no equilibrium was found: a bidder with value {value:.6g} was to bid {bid}, and gains {gain:.3g} more "
                "by bidding {better}; at most {allowed:.3g} is tolerated"
            ).format(value=best.value, bid=bid, gain=best.gain, better=better, allowed=allowed)
        )


@dataclass(frozen=True)
class Equilibrium:
    """The symmetric equilibrium: made by `Format.equilibrium`.

    A type v, what a unit is worth, may be a number or an array; amounts are in the money of the values. Raises
    `ValueError` for a type that nobody has, and if reserve and fee keep everybody away.

    >>> from tradekit.auctions import losers_pay, uniform
    >>> equilibrium = losers_pay(0.5, prizes=(2, 1)).equilibrium(3, uniform())
    >>> float(equilibrium.units(0.5)), float(equilibrium.wins(0.5))
    (1.0, 0.75)
    >>> pays, surplus = equilibrium.pays(0.5), equilibrium.surplus(0.5)
    >>> round(float(pays), 6), round(float(surplus), 6)  # together they are v units
    (0.25, 0.25)
    >>> round(float(equilibrium.bid(0.5)), 3)  # paid in full by who wins, by half by who does not
    0.286
    >>> float(equilibrium.share(0.5))  # the part of it that is paid on average
    0.875
    """

    format: Format
    bidders: int
    values: Values
    risk: Risk = None
    method: str = field(default="auto", compare=False)

    @property
    def attitude(self) -> RiskAttitude:
        """The attitude to risk as an object."""
        return self.risk or NEUTRAL

    @property
    def neutral(self) -> Equilibrium:
        """The equilibrium among bidders who are not averse to risk."""
        return replace(self, risk=None)

    # Places, by F(v)

    def units(self, v: FloatsLike) -> Floats:
        """Return Q, the expected units of type v; none if it does not bid."""
        v = known_types(self.values, v)
        return self._if_it_bids(v, self._units(v))

    def wins(self, v: FloatsLike) -> Floats:
        """Return W, the probability that type v wins something; none if it does not bid."""
        v = known_types(self.values, v)
        return self._if_it_bids(v, self._wins(v))

    def _if_it_bids(self, v: Floats, then: Floats) -> Floats:
        return np.where(v >= self.threshold, then, 0.0)[()]

    def _units(self, v: FloatsLike) -> Floats:
        return units(self.format, self.bidders, self.values.cdf(v))

    def _wins(self, v: FloatsLike) -> Floats:
        return among_first(self.bidders, self.format.places, self.values.cdf(v))

    def share(self, v: FloatsLike) -> Floats:
        """Return D, the part of a bid that is paid on average where winners pay their own."""
        alpha = self.format.loser_pays
        return alpha + (1 - alpha) * self._wins(v)

    # Who bids, and how much

    @cached_property
    def threshold(self) -> float:
        """v*: the lowest value that bids."""
        format, low, high = self.format, self.values.low, self.values.high
        costless = not format.loser_pays and not format.fee  # to bid and to lose

        def surplus(v: Any) -> Any:
            """Return the profit of type v with the least bid if lower types stay away (per win if losing is free)."""
            if costless:
                return v * self._units_won(v) - format.reserve
            return self.attitude.entering(format, v, self._wins(v), self._units(v))

        if format.reserve == 0 == format.fee or surplus(low) >= 0 < self._units(low):
            return low
        least = max(low, format.reserve / format.prizes[0])  # below, winning the first prize would be a loss
        found = high if surplus(high) <= 0 else least
        if surplus(high) > 0 > surplus(least) and not (costless and len(set(format.prizes)) == 1):
            from scipy.optimize import brentq

            found = float(brentq(surplus, least, high, xtol=1e-16 * high, rtol=1e-15))
            for _digit in range(100):  # of two neighbours in floating point, the one that does not lose
                if surplus(found) >= 0:
                    break
                found = float(np.nextafter(found, high))
        if found >= high:
            raise ValueError(_("nobody would bid: a reserve of {r:g} and a fee of {c:g} are too much").format(
                r=format.reserve, c=format.fee
            ))  # fmt: skip
        return found

    def _units_won(self, v: FloatsLike) -> Floats:
        """Return the expected units of type v if it wins: the last prize if nobody is below it."""
        units, wins = self._units(v), self._wins(v)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(wins > _NEVER, units / wins, self.format.prizes[-1])[()]

    @cached_property
    def _lowest_surplus(self) -> float:
        """U*: what the lowest type that bids expects to gain."""
        v, format = self.threshold, self.format
        if v > self.values.low:
            return 0.0
        return max(0.0, float(v * self._units(v) - format.reserve * self.share(v) - format.fee))

    @cached_property
    def _rent(self) -> Strategy:
        """The integral of Q from v* to v."""
        integral = self._polynomial if self.method != "quadrature" else None
        most = _EXACT if self.method == "auto" else _CLOSED
        if integral is None or np.abs(integral.coef).sum() > most * max(1.0, float(integral(1.0))):
            if self.method == "closed form":
                raise NoEquilibriumKnown(_("no closed form is known here for these values; quadrature works"))
            return Integral(self._units, self.threshold, self.values, self.bidders)
        low, width = self.values.low, self.values.high - self.values.low
        start = integral((self.threshold - low) / width)
        return lambda v: np.asarray(width * (integral((np.asarray(v, float) - low) / width) - start))

    @property
    def by_quadrature(self) -> bool:
        """True if expected surplus is computed by quadrature, not in closed form."""
        return isinstance(self._rent, Integral)

    @property
    def _polynomial(self) -> Polynomial | None:
        """The integral of Q from 0, values being counted from 0 to 1; its coefficients say how much rounding costs."""
        cdf, n = polynomial(self.values), self.bidders
        if cdf is None or (n - 1) * cdf.degree() > _DEGREE:
            return None
        other = 1 - cdf
        places = enumerate(self.format.prizes, 1)
        chances = (w * comb(n - 1, k - 1) * cdf ** (n - k) * other ** (k - 1) for k, w in places)
        return sum(chances, Polynomial([0])).integ()

    def surplus(self, v: FloatsLike) -> Floats:
        """Return the expected profit of type v, in money (risk neutral: the integral of Q, whatever the format)."""
        v = known_types(self.values, v)
        if self.attitude.neutral:
            gains = self._lowest_surplus + self._rent(np.maximum(v, self.threshold))
        else:
            gains = v * self._units(v) - self._payment(v)
        return self._if_it_bids(v, gains)

    def pays(self, v: FloatsLike) -> Floats:
        """Return the expected payment of type v, winning or losing, the fee included; nothing if it does not bid."""
        v = known_types(self.values, v)
        return self._if_it_bids(v, self._payment(v))

    def _payment(self, v: Floats) -> Floats:
        """m: what type v expects to pay, the fee included."""
        if self.attitude.neutral:
            return v * self._units(v) - self._lowest_surplus - self._rent(np.maximum(v, self.threshold))
        return self.format.payment.averse_payment(self, v)

    def bid(self, v: FloatsLike) -> Floats:
        """Return b, the bid of type v, a number or an array; NaN for no bid.

        In a war of attrition there is no highest bid: the highest type's is infinite.
        """
        v = known_types(self.values, v)
        bids = np.maximum(self._rule(np.maximum(v, self.threshold)), self.format.reserve)  # whatever the last digits
        return np.where(v >= self.threshold, bids, np.nan)[()]

    def _bid_at(self, u: Floats) -> Floats:
        """The bid of the type at quantile u, which bids; the lowest one may be a last digit too low."""
        return self.bid(np.maximum(self.values.ppf(u), self.threshold))

    @cached_property
    def _rule(self) -> Strategy:
        return self.format.payment.bid_function(self)

    @cached_property
    def strategy(self) -> Strategy:
        """`bid` by table, for millions of draws: linear between points by value, by quantile and by chance to win."""
        low, high = self.threshold, self.values.high
        spread_out = parts(self.bidders, _TABLE - 1)
        by_quantile = self.values.ppf(spread_out)
        by_value = low + (high - low) * parts(2, _TABLE - 1)
        points = np.unique(np.concatenate([[low], by_value, by_quantile[by_quantile > low]]).clip(low, high))
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
        """The expected revenue."""
        nodes, weights = quantiles(float(self.values.cdf(self.threshold)), self.bidders)
        return float(self.bidders * weights @ self._payment(self.values.ppf(nodes)))

    @cached_property
    def revenue_sd(self) -> float:
        """The standard deviation of the seller's revenue: its risk, which does depend on the format."""
        start = float(self.values.cdf(self.threshold))
        return spread(self.format, self.bidders, self._bid_at, start, self.revenue)

    @cached_property
    def gain(self) -> float:
        """The most that a type could gain by another bid, the others staying: what is left of errors.

        In utility for the risk averse. Computed from bids alone: see `deviation`.
        """
        from tradekit.auctions.deviation import best_deviation

        return best_deviation(self, fine=True).gain

    # To look at

    def to_frame(self, points: int = 101) -> pd.DataFrame:
        """Return a DataFrame with one row per type, at `points` values from the lowest to the highest.

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
