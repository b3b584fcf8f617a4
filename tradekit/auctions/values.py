"""The worth of a prize to bidders: private values from a distribution, or one value in common behind noisy signals.

Whatever it is, a bidder knows a *type*, the own value or signal, and `draw` says types and worths for many auctions.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

import numpy as np
import numpy.typing as npt

from tradekit._utils import ties
from tradekit._utils.arguments import checked, optional, whole
from tradekit._utils.numerals import plain
from tradekit.i18n import _

if TYPE_CHECKING:
    from tradekit.auctions.common import CommonEquilibrium
    from tradekit.auctions.equilibrium import Equilibrium
    from tradekit.auctions.formats import Format
    from tradekit.auctions.risk import Risk

Floats = npt.NDArray[np.float64]
FloatsLike = float | Floats | Sequence[float]
Strategy = Callable[[Floats], Floats]  #: what types bid

_PROBES: Final = (np.arange(2003) + 0.5) / 2003  # quantiles: two of them or more meet an atom of a thousandth
_JUMP: Final = 2e-4  # how far F may be from the quantile that was asked for; an atom of a thousandth is at 5e-4
_EVEN: Final = 1e-9  # virtual values as near to 0, in parts of what they are the difference of, have no sign


class ValueModel(ABC):
    """A model of what bidders know and what the prize is worth to them, with the equilibria that follow.

    A new model is one subclass: private values from another source, or signals of a value in common (`common`).
    """

    private: ClassVar[bool] = False  #: True if a type is the bidder's value, False if it is a signal

    @property
    @abstractmethod
    def span(self) -> tuple[float, float]:
        """The lowest and the highest type."""

    @abstractmethod
    def draw(self, rng: np.random.Generator, rounds: int, bidders: int) -> tuple[Floats, Floats]:
        """Return types and what a unit is worth to each bidder, both (rounds, bidders)."""

    @abstractmethod
    def naive(self, bidders: int) -> Strategy:
        """Return what a unit seems to be worth to a type that does not think of the others."""

    @abstractmethod
    def equilibrium(self, format: Format, bidders: int, risk: Risk = None) -> Equilibrium | CommonEquilibrium:
        """Find the symmetric equilibrium. Raises `NoEquilibriumKnown`."""


class Distribution(Protocol):
    """A continuous distribution as people bring it, such as a frozen one of `scipy.stats`."""

    def cdf(self, x: Floats, /) -> Floats:
        """Return the probability of a value up to x."""

    def pdf(self, x: Floats, /) -> Floats:
        """Return the density at x."""

    def ppf(self, u: Floats, /) -> Floats:
        """Return the value below which a share u of all lies."""

    def support(self) -> tuple[float, float]:
        """Return the lowest and the highest value."""


class Law(Distribution, Protocol):
    """A distribution with all that `Values` asks of it: made by `adapted`."""

    def sf(self, x: Floats, /) -> Floats:
        """Return the probability of a value above x."""

    def isf(self, u: Floats, /) -> Floats:
        """Return the value above which a share u of all lies."""

    def rvs(self, *, size: tuple[int, ...], random_state: np.random.Generator) -> Floats:
        """Return random values."""


@dataclass(frozen=True)
class Values(ValueModel):
    """Private values, independent draws from one continuous distribution on a bounded interval that is not below 0.

    Made by `Values.of` from any frozen distribution of `scipy.stats`. What it is asked may be a number or an array.

    >>> values = uniform(0, 20)
    >>> values.cdf(5).item(), values.pdf(5).item(), values.ppf(0.25).item()
    (0.25, 0.05, 5.0)
    """

    private = True

    distribution: Law
    low: float
    high: float
    mass: float = 1.0  #: the share of the distribution up to `high`, where it was cut off

    @classmethod
    def of(cls, distribution: Values | Distribution, truncate: float | None = None) -> Values:
        """Return the values of a distribution, or `Values` again; `truncate`: the quantile at which they are cut off.

        A distribution without an upper end must be cut off.

        Raises `ValueError` for atoms, negative values, and a distribution without end that is not cut off.

        >>> from scipy import stats
        >>> round(Values.of(stats.expon(), truncate=0.99).high, 3)
        4.605
        """
        if isinstance(distribution, Values):
            return distribution if truncate is None else distribution._up_to(truncate)
        distribution = adapted(distribution)
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

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        return self.low, self.high

    @checked
    def equilibrium(self, format: Format, bidders: int, risk: Risk = None) -> Equilibrium:
        """Find the symmetric equilibrium of a format: see `Format.equilibrium`.

        >>> from tradekit.auctions import second_price
        >>> uniform(0, 20).equilibrium(second_price(), 3).bid(5).item()
        5.0
        """
        from tradekit.auctions.equilibrium import solve

        return solve(format, bidders, self, risk)

    def cdf(self, x: FloatsLike) -> Floats:
        """Return F, the probability of a value up to x."""
        return np.clip(np.asarray(self.distribution.cdf(np.asarray(x, float)), float) / self.mass, 0.0, 1.0)

    def pdf(self, x: FloatsLike) -> Floats:
        """Return the density f, per unit of money; 0 where there are no values."""
        x = np.asarray(x, float)
        return np.where((x >= self.low) & (x <= self.high), self.distribution.pdf(x) / self.mass, 0.0)

    def ppf(self, u: FloatsLike) -> Floats:
        """Return the value below which a share u of all lies."""
        return np.asarray(self.distribution.ppf(np.asarray(u, float) * self.mass), float)

    def sf(self, x: FloatsLike) -> Floats:
        """Return 1 - F, the probability of a value above x, exact where it is small.

        >>> uniform(0, 20).sf(5).item()
        0.75
        """
        law = self.distribution
        beyond = law.sf(np.asarray(self.high)) if self.mass < 1 else 0.0
        return np.clip((np.asarray(law.sf(np.asarray(x, float)), float) - beyond) / self.mass, 0.0, 1.0)

    def log_cdf(self, x: FloatsLike) -> Floats:
        """Return the logarithm of F, exact at both ends.

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

    def isf(self, u: FloatsLike) -> Floats:
        """Return the value above which a share u of all lies, exact where u is small.

        >>> uniform(0, 20).isf(0.25).item()
        15.0
        """
        if self.mass == 1.0:
            return np.asarray(np.clip(self.distribution.isf(np.asarray(u, float)), self.low, self.high), float)
        return self.ppf(1 - np.asarray(u, float))

    def draw(self, rng: np.random.Generator, rounds: int, bidders: int) -> tuple[Floats, Floats]:
        """Draw a value for each bidder of each round, twice: it is what they know, and what a unit is worth to them.

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
        """Return what the prize seems to be worth to a type: here, what it is worth.

        >>> uniform(0, 20).naive(bidders=3)(np.array([5.0, 20.0])).tolist()
        [5.0, 20.0]
        """
        return lambda types: types

    @checked(bidders=optional(whole(1)))
    def optimal_reserve(self, bidders: int | None = None) -> float:
        """Find the value below which a seller who keeps nothing from an unsold unit should not sell (Myerson 1981).

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
            """Return the virtual value times the density: what a lower reserve would lose."""
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
        """Return the revenue from n bidders in a second-price auction with a reserve: higher values are bid."""
        from tradekit.auctions.quadrature import quantiles

        start = float(self.cdf(reserve))
        u, weights = quantiles(start, n)
        alone = n * start ** (n - 1) * (1 - start) * reserve
        return alone + n * (n - 1) * float(weights @ (u ** max(n - 2, 0) * (1 - u) * self.ppf(u)))


@dataclass(frozen=True)
class Adapted:
    """A distribution under the names of `Distribution`: SciPy's new kind, or one that lacks some of them.

    >>> from scipy import stats
    >>> Values.of(stats.Uniform(a=0, b=2)).ppf(0.25).item()
    0.5
    """

    distribution: Any

    def __getattr__(self, name: str) -> Any:
        names = {"ppf": "icdf", "sf": "ccdf", "isf": "iccdf"}
        if name == "distribution" or name.startswith("__"):  # when it is copied
            raise AttributeError(name)
        found = getattr(self.distribution, name, None) or getattr(self.distribution, names.get(name, name), None)
        if found is None and name == "sf":
            return lambda x: 1.0 - np.asarray(self.distribution.cdf(x), float)
        if found is None and name == "isf":
            return lambda u: self.ppf(1 - np.asarray(u, float))
        if found is None:
            raise AttributeError(name)
        return found

    def rvs(self, *, size: tuple[int, ...], random_state: np.random.Generator) -> Floats:
        """Return random values."""
        if hasattr(self.distribution, "sample"):
            return np.asarray(self.distribution.sample(size, rng=random_state), float)
        return np.asarray(self.ppf(random_state.random(size)), float)


def adapted(given: Distribution) -> Law:
    """Return a distribution with all the names that values need: the one place that looks at what a stranger brings.

    Raises `ValueError` for what is no distribution, and for one with atoms.
    """
    complete = all(hasattr(given, name) for name in ("ppf", "sf", "isf", "rvs"))
    found: Any = given if complete else Adapted(given)
    if not hasattr(found, "cdf") or not hasattr(found, "ppf"):
        raise ValueError(
            _("values: a distribution of scipy.stats is needed, such as stats.uniform(), not {what!r}").format(
                what=plain(given)
            )
        )
    if not hasattr(found, "pdf"):
        raise ValueError(_("values: the distribution has atoms; a continuous one is needed (whole values: solve)"))
    law: Law = found
    return law


def types_of(values: ValueModel | Distribution, truncate: float | None = None) -> ValueModel:
    """Return a value model: `Values`, made of a distribution and cut off at a quantile, or a model of signals.

    Raises `ValueError` for what is neither, and for signals that should be cut off.

    >>> types_of(uniform(0, 20), truncate=0.5).span
    (0.0, 10.0)
    """
    if isinstance(values, Values) or not isinstance(values, ValueModel):
        return Values.of(values, truncate)
    if truncate is not None:
        raise ValueError(
            _("truncate={value}: private values can be cut off, signals of a value in common cannot").format(
                value=truncate
            )
        )
    return values


def known_types(values: ValueModel, types: FloatsLike) -> Floats:
    """Return types as an array. Raises `ValueError` for one that nobody has.

    >>> known_types(uniform(0, 20), 21)
    Traceback (most recent call last):
    ValueError: values are from 0 to 20
    """
    low, high = values.span
    array = np.asarray(types, float)
    if ((array < low) | (array > high)).any():
        said = _("values are from {low:g} to {high:g}") if values.private else _("signals are from {low:g} to {high:g}")
        raise ValueError(said.format(low=low, high=high))
    return array


@dataclass(frozen=True)
class Uniform:
    """All values between two ends, equally likely: SciPy's `stats.uniform`, without SciPy."""

    low: float
    high: float

    def _part(self, x: Floats) -> Floats:
        return np.asarray((x - self.low) / (self.high - self.low))

    def cdf(self, x: Floats) -> Floats:
        """Return the probability of a value up to x."""
        return self._part(x).clip(0.0, 1.0)

    def pdf(self, x: Floats) -> Floats:
        """Return the density at x."""
        part = self._part(x)
        return np.where((part >= 0) & (part <= 1), 1 / (self.high - self.low), 0.0)

    def ppf(self, u: Floats) -> Floats:
        """Return the value below which a share u of all lies; NaN if u is no share."""
        return np.where((u >= 0) & (u <= 1), u * (self.high - self.low) + self.low, np.nan)

    def sf(self, x: Floats) -> Floats:
        """Return the probability of a value above x."""
        return 1.0 - self.cdf(x)

    def isf(self, u: Floats) -> Floats:
        """Return the value above which a share u of all lies."""
        return self.ppf(1.0 - u)

    def rvs(self, *, size: tuple[int, ...], random_state: np.random.Generator) -> Floats:
        """Return random values."""
        return np.asarray(random_state.uniform(0.0, 1.0, size) * (self.high - self.low) + self.low)

    def support(self) -> tuple[float, float]:
        """Return the lowest and the highest value."""
        return self.low, self.high


@checked
def uniform(low: float = 0.0, high: float = 1.0) -> Values:
    """Return values between `low` and `high`, each equally likely. Raises `ValueError` unless 0 <= low < high.

    >>> uniform(0, 20).cdf(5).item()
    0.25
    """
    if not low < high:
        raise ValueError(_("uniform({low:g}, {high:g}): the first must be below the second").format(low=low, high=high))
    return Values.of(Uniform(float(low), float(high)))
