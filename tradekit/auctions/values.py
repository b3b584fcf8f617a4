"""What a prize is worth to bidders: private values from a distribution, or one value in common behind noisy signals.

Whatever it is, a bidder knows a *type*, the own value or signal, and `draw` says types and worths for many auctions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tradekit.arguments import checked
from tradekit.i18n import _
from tradekit.numerals import plain

Floats = npt.NDArray[np.float64]
Strategy = Callable[[Floats], Floats]  #: what types bid


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
        if not hasattr(distribution, "cdf") or not hasattr(distribution, "ppf"):
            raise ValueError(
                _("values: a distribution of scipy.stats is needed, such as stats.uniform(), not {what!r}").format(
                    what=plain(distribution)
                )
            )
        if not hasattr(distribution, "pdf") or not _continuous(distribution):
            raise ValueError(_("values: the distribution has atoms; a continuous one is needed (whole values: solve)"))
        low, high = map(float, distribution.support())
        if low < 0:
            raise ValueError(_("values: {low:g} to {high:g}; values below 0 cannot be").format(low=low, high=high))
        if truncate is None:
            if not math.isfinite(high):
                raise ValueError(
                    _("values have no upper end; say at which quantile to cut them off, such as truncate=0.999")
                )
            return cls(distribution, low, high)
        return cls(distribution, low, high)._up_to(truncate)

    def _up_to(self, quantile: float) -> Values:
        """These values cut off at a quantile."""
        if not 0 < quantile < 1:
            raise ValueError(_("truncate={value}: a quantile between 0 and 1 is needed").format(value=quantile))
        return replace(self, high=float(self.ppf(quantile)), mass=self.mass * quantile)

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

    def draw(self, rng: np.random.Generator, rounds: int, bidders: int) -> tuple[Floats, Floats]:
        """A value for each bidder of each round, twice: it is what they know, and what a unit is worth to them.

        >>> types, worths = uniform(0, 20).draw(np.random.default_rng(1), rounds=4, bidders=3)
        >>> types.shape, bool((types == worths).all())
        ((4, 3), True)
        """
        if self.mass == 1.0:
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

    def optimal_reserve(self) -> float:
        """The value below which a seller who keeps nothing from an unsold unit should not sell (Myerson 1981).

        It solves v = (1 - F(v)) / f(v), for distributions where that has one solution; `low` if selling always pays.

        >>> from scipy import stats
        >>> round(Values.of(stats.uniform()).optimal_reserve(), 6)
        0.5
        """
        from scipy.optimize import brentq

        def virtual(v: Any) -> Any:
            return v * self.pdf(v) - (1 - self.cdf(v))

        inside = np.linspace(self.low, self.high, 2001)[1:-1]
        rises = np.flatnonzero(virtual(inside) > 0)
        if not len(rises):
            return self.high
        first = int(rises[0])
        return self.low if first == 0 else float(brentq(virtual, inside[first - 1], inside[first], xtol=1e-14))


def _continuous(distribution: Any) -> bool:
    """Whether no single value has a chance of its own, as far as a thousand quantiles show."""
    if not hasattr(distribution, "dist"):
        return True
    from scipy import stats

    return isinstance(distribution.dist, stats.rv_continuous)


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
