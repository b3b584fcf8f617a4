"""Attitudes to risk: what an amount of money is worth to a bidder."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from tradekit._utils.arguments import amounts, checked
from tradekit._utils.numerals import make_plain
from tradekit.i18n import _


@checked
@dataclass(frozen=True)
class CRRA:
    """Constant relative risk aversion: utility x^r; r = 1 is risk neutral.

    The coefficient that textbooks name is 1 - r (Pratt, Econometrica 32 (1964)). Raises `ValueError` for an r that is
    not above 0 and up to 1.
    """

    r: float

    def __post_init__(self) -> None:
        make_plain(self)
        if not 0 < self.r <= 1:
            raise ValueError(_("CRRA({r}): an exponent above 0 and up to 1 is needed").format(r=self.r))

    def utility(self, x: Any) -> Any:
        """What an amount is worth, a number or an array; one below 0 counts as 0.

        >>> CRRA(0.5).utility([0, 25, 100])  # four times the money is worth twice as much
        array([ 0.,  5., 10.])
        """
        return np.maximum(amounts(x, "x"), 0.0) ** self.r


@checked
@dataclass(frozen=True)
class CARA:
    """Constant absolute risk aversion: utility (1 - exp(-a x)) / a; a near 0 is risk neutral.

    a is per unit of money, the same whatever one owns (Pratt, Econometrica 32 (1964)). Raises `ValueError` for an a
    that is not above 0.
    """

    a: float

    def __post_init__(self) -> None:
        make_plain(self)
        if not 0 < self.a < inf:
            raise ValueError(_("CARA({a}): a number above 0 is needed").format(a=self.a))

    def utility(self, x: Any) -> Any:
        """What an amount is worth, a number or an array; a loss is below 0.

        >>> CARA(0.1).utility([10, -10]).round(2)  # a loss weighs more than a gain of the same size
        array([  6.32, -17.18])
        """
        return -np.expm1(-self.a * amounts(x, "x")) / self.a


Risk = CRRA | CARA | None
