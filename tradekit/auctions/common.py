"""One value in common, which nobody knows: signals, and the winner's curse.

Who wins has the highest signal of all, and so has been too hopeful on average. Equilibrium bids reckon with that; the
naive ones, what the prize is worth by one's own signal alone, lose. Two classic models: the value is the mean of all
signals, or the signals lie around the value.

Sources: Wilson, Management Science 23 (1977); Milgrom and Weber, Econometrica 50 (1982); Kagel and Levin, *Common Value
Auctions and the Winner's Curse* (2002), for the signals around a value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from tradekit.auctions.equilibrium import NoEquilibriumKnown
from tradekit.auctions.formats import Format
from tradekit.auctions.risk import Risk
from tradekit.auctions.values import Floats
from tradekit.i18n import _

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(64)
_TYPES: Final = 201  # of the check for gains from deviating
_DEVIATIONS: Final = 801


@dataclass(frozen=True)
class MeanOfSignals:
    """Each bidder has a signal between 0 and 1, all equally likely; the prize is worth their mean to everyone.

    >>> from tradekit.auctions import second_price
    >>> second_price().equilibrium(3, MeanOfSignals()).bid(0.6).round(3)  # (n + 2) / (2 n) of the signal
    np.float64(0.5)
    """

    def draw(self, rng: np.random.Generator, rounds: int, bidders: int) -> tuple[Floats, Floats]:
        """Signals, and the value, the same for all of a round."""
        signals = rng.random((rounds, bidders))
        return signals, np.broadcast_to(signals.mean(axis=1, keepdims=True), signals.shape)

    def equilibrium(self, format: Format, bidders: int, risk: Risk = None) -> CommonEquilibrium:
        """The symmetric equilibrium of one prize: second price, or winners pay their bid and losers a share."""
        _check(format, bidders, risk)
        n, alpha = bidders, format.loser_pays
        if format.winner_pays == "next":
            if alpha:
                raise NoEquilibriumKnown(_("no equilibrium is known here for a war of attrition with values in common"))

            def rule(s: Floats) -> Floats:
                return (n + 2) / (2 * n) * s
        else:

            def rule(s: Floats) -> Floats:
                won = s ** (n - 1)
                part = (n + 2) * (n - 1) / (2 * n**2)
                if alpha == 0:
                    return part * s
                return part * s**n / (alpha + (1 - alpha) * won)

        return CommonEquilibrium(format, n, self, rule)

    def naive(self, bidders: int) -> Callable[[Floats], Floats]:
        """E[V | own signal], the bid of who forgets what winning says."""
        return lambda s: (s + (bidders - 1) / 2) / bidders

    def gain(self, equilibrium: CommonEquilibrium) -> float:
        """The most that a signal could gain by acting as another, by quadrature over the highest rival signal."""
        format, n = equilibrium.format, equilibrium.bidders
        s = np.linspace(0, 1, _TYPES)[:, None]
        z = np.linspace(0, 1, _DEVIATIONS)
        y = z * (1 + _NODES[:, None]) / 2  # the highest rival signal, below z
        weight = z / 2 * _WEIGHTS[:, None] * (n - 1) * y ** (n - 2)
        mass, mean = weight.sum(axis=0), (weight * y).sum(axis=0)
        worth = (s * mass + n / 2 * mean) / n  # the others lie evenly below the highest rival: (s + y + (n-2) y/2) / n
        if format.winner_pays == "next":
            paid = (weight * equilibrium.bid(y)).sum(axis=0)
        else:
            bids = equilibrium.bid(z)
            paid = bids * mass + format.loser_pays * bids * (1 - mass)
        gains = worth - paid
        mine = gains[np.arange(_TYPES), np.linspace(0, _DEVIATIONS - 1, _TYPES).astype(int)]
        return float((gains.max(axis=1) - mine).max())


@dataclass(frozen=True)
class NoisySignals:
    """The value lies anywhere between `low` and `high`, each signal within `noise` of it, all equally likely.

    Bids hold for signals at least `noise` away from both ends; the reflex to bid the signal, or near it, is the curse.

    >>> from tradekit.auctions import second_price
    >>> second_price().equilibrium(4, NoisySignals(30, 0, 200)).bid(100.0)  # eps (n - 2) / n below the signal
    np.float64(85.0)
    """

    noise: float
    low: float = 0.0
    high: float = 200.0

    def __post_init__(self) -> None:
        if not 0 < 2 * self.noise <= self.high - self.low:
            raise ValueError(
                _("noise={noise:g}: above 0, and {low:g} to {high:g} at least twice as wide, are needed").format(
                    noise=self.noise, low=self.low, high=self.high
                )
            )

    def draw(self, rng: np.random.Generator, rounds: int, bidders: int) -> tuple[Floats, Floats]:
        """Signals, and the value, the same for all of a round."""
        worth = np.broadcast_to(rng.uniform(self.low, self.high, (rounds, 1)), (rounds, bidders))
        return worth + rng.uniform(-self.noise, self.noise, (rounds, bidders)), worth

    def equilibrium(self, format: Format, bidders: int, risk: Risk = None) -> CommonEquilibrium:
        """The symmetric equilibrium of one prize where losers pay nothing."""
        _check(format, bidders, risk)
        if format.loser_pays:
            raise NoEquilibriumKnown(_("no equilibrium is known here where losers pay and signals lie around a value"))
        n, noise = bidders, self.noise

        def rule(s: Floats) -> Floats:
            if format.winner_pays == "next":
                return s - noise * (n - 2) / n
            near_low = 2 * noise / (n + 1) * np.exp(-n / (2 * noise) * (s - self.low - noise))
            return s - noise + near_low

        return CommonEquilibrium(format, n, self, lambda s: np.maximum(rule(s), 0.0))

    def naive(self, bidders: int) -> Callable[[Floats], Floats]:
        """E[V | own signal], the bid of who forgets what winning says."""
        low, high = self.low, self.high
        return lambda s: np.clip((np.maximum(s - self.noise, low) + np.minimum(s + self.noise, high)) / 2, 0, None)

    def break_even(self, bidders: int) -> Callable[[Floats], Floats]:
        """The bid at which a winner neither gains nor loses: E[V | own signal is the highest]."""
        return lambda s: s - self.noise * (bidders - 1) / (bidders + 1)

    def gain(self, equilibrium: CommonEquilibrium) -> float:
        """The most that a signal away from both ends could gain by acting as another, over all values behind it."""
        format, n, noise = equilibrium.format, equilibrium.bidders, self.noise
        # Signals are looked at three widths of the noise from the lower end, where the bid's last term has died out.
        s = self.low + (self.high - self.low) * 0.6
        width = min(noise, (self.high - self.low) / 10)
        z = s + np.linspace(-width, width, _DEVIATIONS)
        first, last = np.maximum(s, z) - noise, np.minimum(s, z) + noise  # the values between which it is open who wins
        open_ = first + (last - first) * (1 + _NODES[:, None]) / 2
        sure = np.broadcast_to((s - noise + first) / 2, open_.shape)[:1]  # below them z beats everyone
        v = np.concatenate([open_, sure])
        weight = np.concatenate([(last - first) / 2 * _WEIGHTS[:, None], [first - (s - noise)]]) / (2 * noise)
        share = np.minimum((z - v + noise) / (2 * noise), 1)  # the chance of one rival to be below z
        wins = share ** (n - 1)
        if format.winner_pays == "next":
            spent = (v - noise - noise * (n - 2) / n) * wins + 2 * noise * (n - 1) / n * share**n
        else:
            spent = equilibrium.bid(z) * wins
        gains = (weight * (v * wins - spent)).sum(axis=0)
        return float(gains.max() - gains[_DEVIATIONS // 2])


@dataclass(frozen=True)
class CommonEquilibrium:
    """A symmetric equilibrium where the value is in common: made by `Format.equilibrium`."""

    format: Format
    bidders: int
    values: Any
    strategy: Callable[[Floats], Floats]  #: the bid function, of arrays

    def bid(self, s: Any) -> Any:
        """The bid of signal s, a number or an array."""
        return self.strategy(np.asarray(s, float))[()]

    def naive(self, s: Any) -> Any:
        """What who forgets the others' signals takes the prize to be worth."""
        return self.values.naive(self.bidders)(np.asarray(s, float))[()]

    @cached_property
    def gain(self) -> float:
        """The most that a signal could gain by acting as another; computed from the model, not from the formula."""
        return float(self.values.gain(self))


def _check(format: Format, bidders: int, risk: Risk) -> None:
    if bidders < 2:
        raise ValueError(_("bidders={n}: an auction needs two").format(n=bidders))
    unknown = ""
    if format.places > 1 or format.prizes != (1,):
        unknown = _("several prizes and values in common")
    elif format.reserve or format.fee or format.step is not None:
        unknown = _("a reserve, a fee or whole bids, and values in common")
    elif risk is not None:
        unknown = _("risk aversion and values in common")
    if unknown:
        raise NoEquilibriumKnown(_("no equilibrium is known here for: {what}").format(what=unknown))
