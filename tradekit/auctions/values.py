"""What a prize is worth to bidders: private values from a distribution, or one value in common behind noisy signals.

Whatever it is, a bidder knows a *type*, the own value or signal, and `draw` says types and worths for many auctions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from tradekit._utils import ties
from tradekit._utils.arguments import checked, optional, whole
from tradekit._utils.numerals import plain
from tradekit.i18n import _

Floats = npt.NDArray[np.float64]
Strategy = Callable[[Floats], Floats]  #: what types bid

_PROBES: Final = (np.arange(2003) + 0.5) / 2003  # quantiles: two of them or more meet an atom of a thousandth
_JUMP: Final = 2e-4  # how far F may be from the quantile that was asked for; an atom of a thousandth is at 5e-4
_EVEN: Final = 1e-9  # virtual values as near to 0, in parts of what they are the difference of, have no sign


class Types(Protocol):
    """What bidders may know."""

    def draw(self, rng: np.random.Generator, rounds: int, bidders: int) -> tuple[Floats, Floats]:
        """Types and what a unit is worth to each, both (rounds, bidders)."""
        ...

    def naive(self, bidders: int) -> Strategy:
        """What a unit seems to be worth to a type that does not think of the others."""
        ...


@dataclass(frozen=True)
class Values:
    """Private values, independent draws from one continuous distribution on a bounded interval that is not below 0.

    Made by `Values.of` from any frozen distribution of `scipy.stats`. What it is asked may be a number or an array.

    >>> values = uniform(0, 20)
    >>> values.cdf(5).item(), values.pdf(5).item(), values.ppf(0.25).item()
    (0.25, 0.05, 5.0)
    """

    distribution: Any
    low: float
    high: float
    mass: float = 1.0  #: the share of the distribution up to `high`, where it was cut off

    @classmethod
    def of(cls, distribution: Any, truncate: float | None = None) -> Values:
        """The values of a distribution, or `Values` again; `truncate`: the quantile at which they are cut off.

        A distribution without an upper end must be cut off.

        Raises `ValueError` for atoms, negative values, and a distribution without end that is not cut off.

        >>> from scipy import stats
        >>> round(Values.of(stats.expon(), truncate=0.99).high, 3)
        4.605
        """
        if isinstance(distribution, Values):
            return distribution if truncate is None else distribution._up_to(truncate)
        if hasattr(distribution, "icdf"):
            distribution = Renamed(distribution)
        if not hasattr(distribution, "cdf") or not hasattr(distribution, "ppf"):
            raise ValueError(
                _("values: a distribution of scipy.stats is needed, such as stats.uniform(), not {what!r}").format(
                    what=plain(distribution)
                )
            )
        if not hasattr(distribution, "pdf"):
            raise ValueError(_("values: the distribution has atoms; a continuous one is needed (whole values: solve)"))
        low, high = map(float, distribution.support())
        if low < 0:
            raise ValueError(_("values: {low:g} to {high:g}; values below 0 cannot be").format(low=low, high=high))
        if not low < high:
            raise ValueError(
                _("values: {low:g} to {high:g}; the lowest must be below the highest").format(low=low, high=high)
            )
        whole = cls(distribution, low, high)
        if truncate is not None:
            return whole._up_to(truncate)
        if not math.isfinite(high):
            raise ValueError(
                _("values have no upper end; say at which quantile to cut them off, such as truncate=0.999")
            )
        whole._check_continuous()
        return whole

    def _up_to(self, quantile: float) -> Values:
        """These values cut off at a quantile."""
        if not 0 < quantile < 1:
            raise ValueError(_("truncate={value}: a quantile between 0 and 1 is needed").format(value=quantile))
        cut = replace(self, high=float(self.ppf(quantile)), mass=self.mass * quantile)
        cut._check_continuous()
        return cut

    def _check_continuous(self) -> None:
        """Raise `ValueError` for an atom, or what floating point cannot tell from one: then F skips quantiles.

        Atoms of a thousandth and more are found whatever the object says of itself.
        """
        values = self.ppf(_PROBES)
        with np.errstate(invalid="ignore"):
            skipped = np.nan_to_num(np.abs(self.cdf(values) - _PROBES), nan=1.0)
        if skipped.max() <= _JUMP:
            return
        worst = values[ties.first_best(skipped)]
        raise ValueError(
            _(
                "values: the distribution has atoms: about {share:.2g} of all at {value:.6g}, or too near to it to be "
                "told apart in floating point; a continuous one is needed (whole values: solve)"
            ).format(share=float(np.mean(np.abs(values - worst) <= 1e-12 * self.high)), value=worst)
        )

    def cdf(self, x: Any) -> Floats:
        """F: the chance of a value up to x."""
        return np.clip(np.asarray(self.distribution.cdf(x), float) / self.mass, 0.0, 1.0)

    def pdf(self, x: Any) -> Floats:
        """The density f, per unit of money; 0 where there are no values."""
        x = np.asarray(x, float)
        return np.where((x >= self.low) & (x <= self.high), self.distribution.pdf(x) / self.mass, 0.0)

    def ppf(self, u: Any) -> Floats:
        """The value below which a share u of all lies."""
        return np.asarray(self.distribution.ppf(np.asarray(u, float) * self.mass), float)

    def sf(self, x: Any) -> Floats:
        """1 - F: the chance of a value above x, exact where it is small.

        >>> uniform(0, 20).sf(5).item()
        0.75
        """
        if not hasattr(self.distribution, "sf"):
            return np.asarray(1.0 - self.cdf(x), float)
        beyond = self.distribution.sf(self.high) if self.mass < 1 else 0.0
        return np.clip((np.asarray(self.distribution.sf(x), float) - beyond) / self.mass, 0.0, 1.0)

    def log_cdf(self, x: Any) -> Floats:
        """The logarithm of F, exact at both ends.

        >>> uniform(0, 20).log_cdf([0, 10, 20]).round(3).tolist()
        [-inf, -0.693, -0.0]
        """
        x = np.asarray(x, float)
        below = self.cdf(x)
        with np.errstate(divide="ignore"):
            logarithm = np.array(np.log(below))
        upper = below > 0.5
        logarithm[upper] = np.log1p(-self.sf(x[upper]))
        return np.asarray(logarithm)

    def isf(self, u: Any) -> Floats:
        """The value above which a share u of all lies, exact where u is small.

        >>> uniform(0, 20).isf(0.25).item()
        15.0
        """
        if self.mass == 1.0 and hasattr(self.distribution, "isf"):
            return np.asarray(np.clip(self.distribution.isf(u), self.low, self.high), float)
        return self.ppf(1 - np.asarray(u, float))

    def draw(self, rng: np.random.Generator, rounds: int, bidders: int) -> tuple[Floats, Floats]:
        """A value for each bidder of each round, twice: it is what they know, and what a unit is worth to them.

        >>> types, worths = uniform(0, 20).draw(np.random.default_rng(1), rounds=4, bidders=3)
        >>> types.shape, bool((types == worths).all())
        ((4, 3), True)
        """
        if self.mass == 1.0 and hasattr(self.distribution, "rvs"):
            values = np.asarray(self.distribution.rvs(size=(rounds, bidders), random_state=rng), float)
        else:
            values = self.ppf(rng.random((rounds, bidders)))
        return values, values

    def naive(self, bidders: int) -> Strategy:
        """What the prize seems to be worth to a type: here, what it is worth.

        >>> uniform(0, 20).naive(bidders=3)(np.array([5.0, 20.0])).tolist()
        [5.0, 20.0]
        """
        return lambda types: types

    @checked(bidders=optional(whole(1)))
    def optimal_reserve(self, bidders: int | None = None) -> float:
        """The value below which a seller who keeps nothing from an unsold unit should not sell (Myerson 1981).

        It solves v = (1 - F(v)) / f(v), where the virtual value v - (1 - F) / f is 0, and is `low` if selling always
        pays. If virtual values fall somewhere, they may become positive at several values. Then the number of bidders
        counts, and the one with the highest revenue among so many `bidders` is returned. (Another rule than a reserve
        may earn still more where virtual values fall.) Raises `ValueError` if there are several and `bidders` is None.

        >>> from scipy import stats
        >>> round(Values.of(stats.uniform()).optimal_reserve(), 6)
        0.5
        >>> mostly_low = stats.rv_histogram(([0.8, 0.001, 0.199], [0, 0.05, 0.9, 1]), density=False)
        >>> round(Values.of(mostly_low).optimal_reserve(bidders=2), 6)
        0.9
        """
        from scipy.optimize import brentq

        def marginal(v: Any) -> Any:
            """The virtual value times the density: what a lower reserve would lose."""
            return v * self.pdf(v) - self.sf(v)

        even = np.linspace(0, 1, 2001)[1:-1]
        inside = np.unique(np.concatenate([self.low + (self.high - self.low) * even, self.ppf(even)]))
        inside = inside[(inside > self.low) & (inside < self.high)]
        gains = marginal(inside)
        sure = np.abs(gains) > _EVEN * (inside * self.pdf(inside) + self.sf(inside))
        inside, signs = inside[sure], gains[sure] > 0
        crossings = [self.low] * bool(signs[0]) + [
            float(brentq(marginal, float(inside[at]), float(inside[at + 1]), xtol=1e-15 * self.high, rtol=1e-14))
            for at in np.flatnonzero(~signs[:-1] & signs[1:])
        ]
        if len(crossings) < 2:
            return crossings[0] if crossings else self.high
        if bidders is None:
            raise ValueError(
                _(
                    "virtual values are not monotone: they become positive at {values}, and which of these is the best "
                    "reserve depends on the number of bidders: optimal_reserve(bidders=...)"
                ).format(values=", ".join(f"{value:.6g}" for value in crossings))
            )
        many = bidders
        return ties.best(crossings, key=lambda reserve: self._revenue(reserve, many) / self.high)

    def _revenue(self, reserve: float, n: int) -> float:
        """What n bidders pay in a second-price auction with a reserve, where all whose value is higher bid it."""
        from tradekit.auctions.quadrature import quantiles

        start = float(self.cdf(reserve))
        u, weights = quantiles(start, n)
        alone = n * start ** (n - 1) * (1 - start) * reserve
        return alone + n * (n - 1) * float(weights @ (u ** max(n - 2, 0) * (1 - u) * self.ppf(u)))


@dataclass(frozen=True)
class Renamed:
    """A distribution of SciPy's new kind, such as `stats.Uniform(a=0, b=1)`, under the old names of what it is asked.

    >>> from scipy import stats
    >>> Values.of(stats.Uniform(a=0, b=2)).ppf(0.25).item()
    0.5
    """

    distribution: Any

    def __getattr__(self, name: str) -> Any:
        names = {"ppf": "icdf", "sf": "ccdf", "isf": "iccdf"}
        if name == "distribution" or name.startswith("__"):  # when it is copied
            raise AttributeError(name)
        return getattr(self.distribution, names.get(name, name))

    def rvs(self, size: Any, random_state: Any) -> Any:
        """Random values."""
        return self.distribution.sample(size, rng=random_state)


def types_of(values: Any, truncate: float | None = None) -> Any:
    """What bidders may know: `Values`, made of a distribution and cut off at a quantile, or a model of signals.

    Raises `ValueError` for what is neither, and for signals that should be cut off.

    >>> types_of(uniform(0, 20), truncate=0.5).high
    10.0
    """
    if private(values) or not hasattr(values, "draw"):
        return Values.of(values, truncate)
    if truncate is not None:
        raise ValueError(
            _("truncate={value}: private values can be cut off, signals of a value in common cannot").format(
                value=truncate
            )
        )
    return values


def span(values: Any) -> tuple[float, float]:
    """The lowest and the highest type.

    >>> from tradekit.auctions import MeanOfSignals, NoisySignals
    >>> span(MeanOfSignals()), span(NoisySignals(30, 0, 200))
    ((0.0, 1.0), (-30.0, 230.0))
    """
    noise = getattr(values, "noise", 0.0)
    return float(getattr(values, "low", 0.0)) - noise, float(getattr(values, "high", 1.0)) + noise


def known_types(values: Any, types: Any) -> Floats:
    """Types as an array. Raises `ValueError` for one that nobody has.

    >>> known_types(uniform(0, 20), 21)
    Traceback (most recent call last):
    ValueError: values are from 0 to 20
    """
    low, high = span(values)
    array = np.asarray(types, float)
    if ((array < low) | (array > high)).any():
        said = (
            _("values are from {low:g} to {high:g}") if private(values) else _("signals are from {low:g} to {high:g}")
        )
        raise ValueError(said.format(low=low, high=high))
    return array


def private(values: Any) -> bool:
    """Whether a type is the own value, and not a signal of a value in common."""
    return isinstance(values, Values)


@checked
def uniform(low: float = 0.0, high: float = 1.0) -> Values:
    """Values between `low` and `high`, each equally likely. Raises `ValueError` unless 0 <= low < high.

    >>> uniform(0, 20).cdf(5).item()
    0.25
    """
    from scipy import stats

    if not low < high:
        raise ValueError(_("uniform({low:g}, {high:g}): the first must be below the second").format(low=low, high=high))
    return Values.of(stats.uniform(low, high - low))
