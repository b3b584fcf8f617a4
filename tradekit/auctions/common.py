"""One value in common, which nobody knows: signals, and the winner's curse.

Who wins has the highest signal of all, and so has been too hopeful on average. Equilibrium bids reckon with that; the
naive ones, what the prize is worth by one's own signal alone, lose. Two classic models: the value is the mean of all
signals, or the signals lie around the value.

Sources: Wilson, Management Science 23 (1977); Milgrom and Weber, Econometrica 50 (1982); Kagel and Levin, *Common Value
Auctions and the Winner's Curse* (2002), for the signals around a value.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from tradekit._utils.arguments import checked, whole
from tradekit._utils.numerals import make_plain
from tradekit.auctions.equilibrium import NoEquilibriumKnown
from tradekit.auctions.formats import Format, number_of_bidders
from tradekit.auctions.payment import not_known
from tradekit.auctions.quadrature import quantiles
from tradekit.auctions.revenue import spread
from tradekit.auctions.risk import Risk
from tradekit.auctions.values import Floats, FloatsLike, Strategy, ValueModel, known_types
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(64)
_FEW_NODES, _FEW_WEIGHTS = np.polynomial.legendre.leggauss(4)
_TYPES: Final = 201  # of the check for gains from deviating
_DEVIATIONS: Final = 801


class CommonValues(ValueModel):
    """A model of one value in common: what signals say of it, and the bids that follow."""

    @checked
    def equilibrium(self, format: Format, bidders: int, risk: Risk = None) -> CommonEquilibrium:
        """Find the symmetric equilibrium of one prize, by the payment rule of the format.

        Raises `NoEquilibriumKnown` for other formats and for aversion to risk, `ValueError` for fewer than two bidders.
        """
        n = _check(format, bidders, risk)
        return CommonEquilibrium(format, n, self, format.payment.common_bids(self, format, n))

    @abstractmethod
    def own_bids(self, bidders: int, share: float) -> Strategy:
        """Return the bids where winners pay their bid, and losers a share of theirs."""

    @abstractmethod
    def next_bids(self, bidders: int) -> Strategy:
        """Return the bids where the winner pays the highest losing bid."""

    @abstractmethod
    def break_even(self, bidders: int) -> Strategy:
        """Return the bid at which a winner neither gains nor loses: E[V | own signal is the highest]."""

    @abstractmethod
    def gain(self, equilibrium: CommonEquilibrium) -> float:
        """Return the most that a signal could gain by acting as another."""

    @abstractmethod
    def expects(self, equilibrium: CommonEquilibrium, s: Floats, z: Floats) -> tuple[Floats, Floats, Floats]:
        """Return what signal s expects if it bids like z.

        The probability of winning, what the prize is worth then times that, and what is paid.
        """

    def signals(self) -> tuple[float, float]:
        """Return the lowest and the highest signal."""
        return self.span


@dataclass(frozen=True)
class MeanOfSignals(CommonValues):
    """Each bidder has a signal between 0 and 1, all equally likely; the prize is worth their mean to everyone.

    >>> from tradekit.auctions import second_price
    >>> second_price().equilibrium(3, MeanOfSignals()).bid(0.6).round(3)  # (n + 2) / (2 n) of the signal
    np.float64(0.5)
    >>> model = MeanOfSignals()
    >>> round(model.naive(3)(0.6), 3), round(model.break_even(3)(0.6), 3)  # the prize, before and after one has won it
    (0.533, 0.4)
    >>> model.signals()
    (0.0, 1.0)
    """

    def draw(self, rng: np.random.Generator, rounds: int, bidders: int) -> tuple[Floats, Floats]:
        """Draw signals and the value, the same for all of a round; both (rounds, bidders).

        >>> signals, worths = MeanOfSignals().draw(np.random.default_rng(1), rounds=4, bidders=3)
        >>> bool(np.allclose(signals.mean(axis=1), worths[:, 2]))
        True
        """
        signals = rng.random((rounds, bidders))
        return signals, np.broadcast_to(signals.mean(axis=1, keepdims=True), signals.shape)

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest signal."""
        return 0.0, 1.0

    @checked
    def own_bids(self, bidders: int, share: float) -> Strategy:
        """Return the bids where winners pay their bid, and losers a share of theirs."""
        n = bidders
        part = (n + 2) * (n - 1) / (2 * n**2)
        if share == 0:
            return lambda s: part * s
        return lambda s: part * s**n / (share + (1 - share) * s ** (n - 1))

    @checked
    def next_bids(self, bidders: int) -> Strategy:
        """Return the bids where the winner pays the highest losing bid: (n + 2) / (2 n) of the signal."""
        return lambda s: (bidders + 2) / (2 * bidders) * s

    @checked
    def naive(self, bidders: int) -> Strategy:
        """Return E[V | own signal], the bid of a bidder who forgets what winning says."""
        return lambda s: (s + (bidders - 1) / 2) / bidders

    @checked
    def break_even(self, bidders: int) -> Strategy:
        """Return the bid at which a winner neither gains nor loses: E[V | own signal is the highest]."""
        return lambda s: (bidders + 1) / (2 * bidders) * s

    def expects(self, equilibrium: CommonEquilibrium, s: Floats, z: Floats) -> tuple[Floats, Floats, Floats]:
        """Return what signal s expects if it bids like z: probability of winning, worth times that, and payment.

        By quadrature over the highest rival signal. `z` is a row of signals, `s` one for each of them, or a column:
        then what the prize is worth has a row for each of `s`.

        >>> from tradekit.auctions import first_price
        >>> model, surest = MeanOfSignals(), np.array([1.0])
        >>> [part.round(3).item() for part in model.expects(first_price().equilibrium(3, model), surest, surest)]
        [1.0, 0.667, 0.556]
        """
        format, n = equilibrium.format, equilibrium.bidders
        y = z * (1 + _NODES[:, None]) / 2  # the highest rival signal, below z
        weight = z / 2 * _WEIGHTS[:, None] * (n - 1) * y ** (n - 2)
        wins, mean = weight.sum(axis=0), (weight * y).sum(axis=0)
        worth = (s * wins + n / 2 * mean) / n  # the others lie evenly below the highest rival: (s + y + (n-2) y/2) / n
        spent = format.payment.spent(equilibrium.bid, z, y, lambda part: (weight * part).sum(axis=0))
        lost = format.loser_pays * equilibrium.bid(z) * (1 - wins) if format.loser_pays else 0.0
        return wins, worth, spent + lost

    def gain(self, equilibrium: CommonEquilibrium) -> float:
        """Return the most that a signal could gain by acting as another.

        >>> from tradekit.auctions import first_price
        >>> model, format = MeanOfSignals(), first_price()
        >>> round(model.gain(model.equilibrium(format, 3)), 6)
        0.0
        >>> round(model.gain(CommonEquilibrium(format, 3, model, model.naive(3))), 3)  # the naive should change
        0.049
        """
        s, z = np.linspace(0, 1, _TYPES)[:, None], np.linspace(0, 1, _DEVIATIONS)
        _wins, worth, paid = self.expects(equilibrium, s, z)
        gains = worth - paid
        mine = gains[np.arange(_TYPES), np.linspace(0, _DEVIATIONS - 1, _TYPES).astype(int)]
        return float((gains.max(axis=1) - mine).max())


@checked
@dataclass(frozen=True)
class NoisySignals(CommonValues):
    """The value lies anywhere between `low` and `high`, each signal within `noise` of it, all equally likely.

    The reflex to bid the signal, or near it, is the curse. Nearer than `noise` to an end of the values, a signal says
    more than in the middle, for it cannot be that wrong: bids take that into account, for all signals. Raises
    `ValueError` for values below 0 or without end, and for a noise that is not above 0 and at most half of what lies
    between the ends.

    >>> from tradekit.auctions import second_price
    >>> second_price().equilibrium(4, NoisySignals(30, 0, 200)).bid(100.0)  # eps (n - 2) / n below the signal
    np.float64(85.0)
    >>> model = NoisySignals(30, 0, 200)
    >>> model.break_even(4)(np.array([-30, 100, 230])).tolist(), model.signals()  # at the ends the value is certain
    ([0.0, 82.0, 200.0], (-30.0, 230.0))
    """

    noise: float
    low: float = 0.0
    high: float = 200.0

    def __post_init__(self) -> None:
        make_plain(self)
        if not 0 <= self.low < self.high < math.inf:
            raise ValueError(
                _("values from {low:g} to {high:g}: two amounts are needed, from 0, the lower one first").format(
                    low=self.low, high=self.high
                )
            )
        if not 0 < 2 * self.noise <= self.high - self.low:
            raise ValueError(
                _("noise={noise:g}: above 0, and {low:g} to {high:g} at least twice as wide, are needed").format(
                    noise=self.noise, low=self.low, high=self.high
                )
            )

    def draw(self, rng: np.random.Generator, rounds: int, bidders: int) -> tuple[Floats, Floats]:
        """Draw signals and the value, the same for all of a round; both (rounds, bidders).

        >>> signals, worths = NoisySignals(30).draw(np.random.default_rng(1), rounds=1000, bidders=4)
        >>> bool((worths[:, 0] == worths[:, 3]).all()), round(abs(signals - worths).max())
        (True, 30)
        """
        worth = np.broadcast_to(rng.uniform(self.low, self.high, (rounds, 1)), (rounds, bidders))
        return worth + rng.uniform(-self.noise, self.noise, (rounds, bidders)), worth

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest signal: `noise` beyond the values."""
        return float(self.low - self.noise), float(self.high + self.noise)

    @checked
    def own_bids(self, bidders: int, share: float) -> Strategy:
        """Return the first-price bids (Milgrom and Weber 1982).

        The bid rises as b' = (w - b) r, where w is the worth if another signal is as high and none is higher, and r is
        the chance that a rival has the same signal if nobody has a higher one. Raises `NoEquilibriumKnown` for a
        loser's share.
        """
        if share:
            raise NoEquilibriumKnown(_("no equilibrium is known here where losers pay and signals lie around a value"))
        return self._first_price(bidders)

    @checked
    def next_bids(self, bidders: int) -> Strategy:
        """Return the second-price bids: what the prize is worth if another signal is as high and none is higher."""
        return self._worth(bidders - 2)

    def _first_price(self, n: int) -> Strategy:
        """The solution of b' = (E[V | s, tied highest] - b) r: closed but near the upper end."""
        from scipy.integrate import solve_ivp

        low, noise, width = self.low, self.noise, 2 * self.noise

        def near_low(s: Floats) -> Floats:
            least = np.maximum(s - noise, low)  # that the value can be
            return least + (s + noise - least) / (n + 1) * np.exp(-n * (least - low) / width)

        # Near the upper end b = s - noise + width h(x), where x is the part of the noise's width that `high` cuts off.
        def slope(x: float, h: Floats) -> Floats:
            return np.asarray(n * (_powers(n - 1, x) / _powers(n, x) * (1 - h) - 1))

        top = self.high - noise
        first = (near_low(np.array([top])) - top + noise) / width
        solved = solve_ivp(slope, (0, 1), first, method="LSODA", rtol=1e-11, atol=1e-13, dense_output=True)
        path = solved.sol
        assert path is not None

        def rule(s: Floats) -> Floats:
            x = np.clip((s - top) / width, 0, 1)
            return np.where(s < top, near_low(s), s - noise + width * path(x.ravel())[0].reshape(x.shape))

        return rule

    def _worth(self, beaten: int) -> Strategy:
        """E[V | own signal s, and so many others below it, chosen beforehand].

        V is s + noise - t, with t up to the width of the noise, and less where the ends forbid it; that so many others
        are below s has the chance (t / width) ^ beaten. So this is a mean of t with that weight.
        """

        def worth(s: Floats) -> Floats:
            width = 2 * self.noise
            most = np.clip(s + self.noise - self.low, 0, width)
            cut = np.clip(s + self.noise - self.high, 0, width) / width  # the least t, in parts of the most
            mean = (beaten + 1) / (beaten + 2) * _powers(beaten + 2, cut) / _powers(beaten + 1, cut)
            return np.asarray(s + self.noise - most * mean)

        return worth

    @checked
    def naive(self, bidders: int) -> Strategy:
        """Return E[V | own signal], the bid of a bidder who forgets what winning says.

        >>> NoisySignals(30, 0, 200).naive(4)(np.array([-30, 100, 230])).tolist()  # at the ends the value is certain
        [0.0, 100.0, 200.0]
        """
        return self._worth(0)

    @checked
    def break_even(self, bidders: int) -> Strategy:
        """Return the bid at which a winner neither gains nor loses: E[V | own signal is the highest]."""
        return self._worth(bidders - 1)

    def expects(self, equilibrium: CommonEquilibrium, s: Floats, z: Floats) -> tuple[Floats, Floats, Floats]:
        """Raise `NoEquilibriumKnown`: not worked out here, where signals are not independent of each other.

        >>> from tradekit.auctions import second_price
        >>> model, s = NoisySignals(30), np.array([100.0])
        >>> model.expects(second_price().equilibrium(4, model), s, s)
        Traceback (most recent call last):
        tradekit.auctions.equilibrium.NoEquilibriumKnown: not known here where signals lie around a value, ...
        """
        raise NoEquilibriumKnown(
            _("not known here where signals lie around a value, and so depend on each other; simulate() it")
        )

    def gain(self, equilibrium: CommonEquilibrium) -> float:
        """Return the most that a signal could gain by acting as another, over all values behind it.

        >>> from tradekit.auctions import first_price
        >>> model, format = NoisySignals(30), first_price()
        >>> round(model.gain(model.equilibrium(format, 4)), 6)
        0.0
        >>> round(model.gain(CommonEquilibrium(format, 4, model, model.naive(4))), 1)  # the naive should change
        4.6
        """
        n, noise, width = equilibrium.bidders, self.noise, 2 * self.noise
        s = np.linspace(*self.signals(), _TYPES + 2)[1:-1, None]
        least, most = np.maximum(s - noise, self.low), np.minimum(s + noise, self.high)  # what the value can be
        # The highest rival signal y, in panels up to each z: its density, and that times what the prize is then worth.
        # Corners are where y reaches or leaves the noise of such a value, and where bids have theirs.
        ends = [np.full_like(s, end) for end in (self.low + noise, self.high - noise)]
        reach = s + width * np.linspace(-1, 1, _DEVIATIONS)
        z = np.sort(np.clip(np.hstack([reach, s, least + noise, most - noise, *ends]), *self.signals()), axis=1)
        half = np.diff(z, axis=1)[..., None] / 2
        y = z[:, :-1, None] + half * (1 + _FEW_NODES)
        first, last = (np.clip((y - end[..., None] + noise) / width, 0, 1) for end in (most, least))
        over = (most - least)[..., None]
        density = (last ** (n - 1) - first ** (n - 1)) / over
        worth = (y + noise) * density - width * (n - 1) / n * (last**n - first**n) / over

        def up_to_z(part: Floats) -> Floats:
            return np.pad(np.cumsum((part * half) @ _FEW_WEIGHTS, axis=1), ((0, 0), (1, 0)))

        spent = equilibrium.format.payment.spent(equilibrium.bid, z, y, lambda part: up_to_z(part * density))
        gains = up_to_z(worth) - spent
        mine = np.take_along_axis(gains, (z >= s).argmax(axis=1)[:, None], axis=1)
        return float((gains - mine).max())


def _powers(terms: int, x: float | Floats) -> Floats:
    """1 + x + x^2 and so on, so many terms: (1 - x^terms) / (1 - x), at x = 1 too."""
    return np.asarray(np.polyval(np.ones(terms), x), float)


@dataclass(frozen=True)
class CommonEquilibrium:
    """A symmetric equilibrium where the value is in common: made by `Format.equilibrium`.

    Chances, surplus and revenue raise `NoEquilibriumKnown` for `NoisySignals`. A signal may be a number or an array;
    one that nobody has raises `ValueError`. Amounts are in the money of the value.

    >>> from tradekit.auctions import first_price
    >>> equilibrium = first_price().equilibrium(3, MeanOfSignals())
    >>> wins, pays = equilibrium.wins(0.6), equilibrium.pays(0.6)
    >>> round(float(wins), 3), round(float(equilibrium.units(0.6)), 3), round(float(pays), 3)
    (0.36, 0.36, 0.12)
    >>> round(float(equilibrium.bid(0.6)), 3)  # which is paid by who wins
    0.333
    >>> round(float(equilibrium.naive(0.6)), 3), round(float(equilibrium.break_even(0.6)), 3)
    (0.533, 0.4)
    """

    format: Format
    bidders: int
    values: CommonValues
    strategy: Strategy  #: the bid function, of arrays

    def bid(self, s: FloatsLike) -> Floats:
        """Return the bid of signal s, a number or an array."""
        return self.strategy(known_types(self.values, s))[()]

    def naive(self, s: FloatsLike) -> Floats:
        """Return the worth of the prize to a bidder who forgets the others' signals: E[V | own signal]."""
        return self.values.naive(self.bidders)(known_types(self.values, s))[()]

    def break_even(self, s: FloatsLike) -> Floats:
        """Return the worth of the prize to the winner with signal s: E[V | own signal is the highest]."""
        return self.values.break_even(self.bidders)(known_types(self.values, s))[()]

    def _expects(self, s: FloatsLike) -> tuple[Floats, Floats, Floats]:
        flat = known_types(self.values, s).ravel()
        wins, worth, paid = (part.reshape(np.shape(s))[()] for part in self.values.expects(self, flat, flat))
        return wins, worth, paid

    def wins(self, s: FloatsLike) -> Floats:
        """Return the probability that signal s wins."""
        return self._expects(s)[0]

    def units(self, s: FloatsLike) -> Floats:
        """Return the expected units: with one prize, the probability of winning."""
        return self.wins(s)

    def pays(self, s: FloatsLike) -> Floats:
        """Return the expected payment of signal s, winning or losing."""
        return self._expects(s)[2]

    def surplus(self, s: FloatsLike) -> Floats:
        """Return the expected profit of signal s.

        >>> from tradekit.auctions import first_price
        >>> round(float(first_price().equilibrium(3, MeanOfSignals()).surplus(1.0)), 6)
        0.111111
        """
        _wins, worth, paid = self._expects(s)
        return worth - paid

    @cached_property
    def revenue(self) -> float:
        """The expected revenue."""
        s, weights = quantiles(0.0, self.bidders)
        return float(self.bidders * weights @ self.pays(s))

    @cached_property
    def revenue_sd(self) -> float:
        """The standard deviation of the seller's revenue. Signals are all equally likely, so they are quantiles."""
        return spread(self.format, self.bidders, self.bid, 0.0, self.revenue)

    @cached_property
    def gain(self) -> float:
        """The most that a signal could gain by acting as another; computed from the model, not from the formula."""
        return float(self.values.gain(self))

    @checked(points=whole(2, 1_000_000))
    def to_frame(self, points: int = 101) -> pd.DataFrame:
        """Return a DataFrame with one row per signal, at `points` signals from the lowest to the highest.

        Columns: ``signal, bid, naive, break_even``.

        >>> from tradekit.auctions import first_price
        >>> first_price().equilibrium(3, MeanOfSignals()).to_frame(points=3).round(2)
           signal   bid  naive  break_even
        0     0.0  0.00   0.33        0.00
        1     0.5  0.28   0.50        0.33
        2     1.0  0.56   0.67        0.67
        """
        import pandas as pd

        s = np.linspace(*self.values.signals(), points)
        rules = {"bid": self.bid, "naive": self.naive, "break_even": self.break_even}
        return pd.DataFrame({"signal": s} | {name: rule(s) for name, rule in rules.items()})

    def __repr__(self) -> str:
        return _("<equilibrium of {format} among {n}, a value in common>").format(format=self.format, n=self.bidders)


def _check(format: Format, bidders: int, risk: Risk) -> int:
    """Return the number of bidders. Raises `NoEquilibriumKnown` for a format, a number or a risk not known here."""
    n = number_of_bidders(bidders)
    unknown = ""
    if format.places > 1 or format.prizes != (1,):
        unknown = _("several prizes and values in common")
    elif format.reserve or format.fee or format.step is not None:
        unknown = _("a reserve, a fee or whole bids, and values in common")
    elif risk is not None:
        unknown = _("risk aversion and values in common")
    elif format.open and n > 2:
        unknown = _(
            "an English auction among three or more and values in common (who leaves tells the others something, so "
            "one bid for each signal is not enough; second_price() is the sealed auction)"
        )
    if unknown:
        raise not_known(unknown)
    return n
