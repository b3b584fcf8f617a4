"""Attitudes to risk: what an amount of money is worth to a bidder, and what follows for their bids.

To add one, subclass `RiskAttitude`: its utility, and the bids of those who pay their own bid (`own_bids`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from tradekit._utils.arguments import amounts, checked
from tradekit._utils.numerals import make_plain
from tradekit.i18n import _

if TYPE_CHECKING:
    from tradekit.auctions.equilibrium import Equilibrium
    from tradekit.auctions.formats import Format
    from tradekit.auctions.values import Floats, FloatsLike, Strategy

_MUCH: Final = 100.0  # a times an amount from which on a loss is counted in logarithms


class RiskAttitude(ABC):
    """An attitude to risk: the worth of an amount of money to a bidder."""

    neutral: ClassVar[bool] = False  #: True if only means count

    @property
    def degree(self) -> float:
        """The parameter: how averse."""
        return 0.0

    @abstractmethod
    def utility(self, x: FloatsLike) -> Floats:
        """Return what an amount is worth, a number or an array."""

    @abstractmethod
    def own_bids(self, equilibrium: Equilibrium) -> Strategy:
        """Return the bids in equilibrium where winners pay their bid."""

    def unknown(self, format: Format) -> str:
        """Return for what no equilibrium is known here, in words; empty where one is."""
        return _("risk aversion with several prizes or a fee") if format.places > 1 or format.fee else ""

    def entering(self, format: Format, v: Floats, wins: Floats, units: Floats) -> Floats:
        """Return what value `v` gains with the least bid, where losing costs something, at these chances."""
        share = format.loser_pays + (1 - format.loser_pays) * wins
        return np.asarray(v * units - format.reserve * share - format.fee)

    def losing(self, lost: Floats, pays: Floats) -> Floats:
        """Return the expected utility of losing: the probability times the utility of what is paid."""
        return np.asarray(lost * self.utility(-pays))


class Neutral(RiskAttitude):
    """Only the mean counts: the attitude of `risk=None`."""

    neutral = True

    def utility(self, x: FloatsLike) -> Floats:
        """Return the amount."""
        return np.asarray(x, float)

    def own_bids(self, equilibrium: Equilibrium) -> Strategy:
        """Return the bids that give the expected payment, or what is more exact for one prize by quadrature."""
        from tradekit.auctions import averse

        format = equilibrium.format
        if format.places == 1 and not format.loser_pays and not format.fee and equilibrium.by_quadrature:
            return averse.crra(equilibrium, 1.0)
        return averse.by_payment(equilibrium)

    def unknown(self, format: Format) -> str:
        """Return nothing: with any number of prizes the bids are known."""
        return ""


@checked
@dataclass(frozen=True)
class CRRA(RiskAttitude):
    """Constant relative risk aversion: utility x^r; r = 1 is risk neutral.

    The coefficient that textbooks name is 1 - r (Pratt, Econometrica 32 (1964)). Raises `ValueError` for an r that is
    not above 0 and up to 1.
    """

    r: float

    @property
    def degree(self) -> float:
        """The parameter r."""
        return self.r

    def __post_init__(self) -> None:
        make_plain(self)
        if not 0 < self.r <= 1:
            raise ValueError(_("CRRA({r}): an exponent above 0 and up to 1 is needed").format(r=self.r))

    def utility(self, x: FloatsLike) -> Floats:
        """Return what an amount is worth, a number or an array; one below 0 counts as 0.

        >>> CRRA(0.5).utility([0, 25, 100])  # four times the money is worth twice as much
        array([ 0.,  5., 10.])
        """
        return np.asarray(np.maximum(amounts(x, "x"), 0.0) ** self.r)[()]

    @checked
    def own_bids(self, equilibrium: Equilibrium) -> Strategy:
        """Return the first-price bids."""
        from tradekit.auctions import averse

        return averse.crra(equilibrium, self.r)

    @checked
    def unknown(self, format: Format) -> str:
        """Return for what no equilibrium is known here: several prizes, a fee, and losses."""
        losses = _("CRRA where losers pay (their utility of a loss is not defined; CARA has one)")
        return super().unknown(format) or (losses if format.loser_pays else "")


@checked
@dataclass(frozen=True)
class CARA(RiskAttitude):
    """Constant absolute risk aversion: utility (1 - exp(-a x)) / a; a near 0 is risk neutral.

    a is per unit of money, the same whatever one owns (Pratt, Econometrica 32 (1964)). Raises `ValueError` for an a
    that is not above 0.
    """

    a: float

    @property
    def degree(self) -> float:
        """The parameter a."""
        return self.a

    def __post_init__(self) -> None:
        make_plain(self)
        if not 0 < self.a < inf:
            raise ValueError(_("CARA({a}): a number above 0 is needed").format(a=self.a))

    def utility(self, x: FloatsLike) -> Floats:
        """Return what an amount is worth, a number or an array; a loss is below 0.

        >>> CARA(0.1).utility([10, -10]).round(2)  # a loss weighs more than a gain of the same size
        array([  6.32, -17.18])
        """
        return np.asarray(-np.expm1(-self.a * amounts(x, "x")) / self.a)[()]

    @checked
    def own_bids(self, equilibrium: Equilibrium) -> Strategy:
        """Return the bids where losers pay any share of theirs."""
        from tradekit.auctions import averse

        return averse.cara(equilibrium, self.a)

    @checked
    def entering(self, format: Format, v: Floats, wins: Floats, units: Floats) -> Floats:
        """Return what value `v` gains: the losers' share is paid for sure, and what one owns does not matter."""
        sure = format.loser_pays * format.reserve
        won = self.utility(format.prizes[0] * v - format.reserve + sure)
        return np.asarray(wins * won - self.utility(sure))

    def losing(self, lost: Floats, pays: Floats) -> Floats:
        """Return the expected utility of losing; by logarithms where the loss is huge and its probability tiny."""
        some = self.a * pays <= _MUCH
        with np.errstate(divide="ignore", over="ignore"):
            huge = -np.exp(np.log(lost) + self.a * pays) / self.a
        return np.where(some, lost * self.utility(-np.where(some, pays, 0.0)), huge)


Risk = RiskAttitude | None  #: None: neutral
NEUTRAL: Final = Neutral()
