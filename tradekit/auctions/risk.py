"""Attitudes to risk: what an amount of money is worth to a bidder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tradekit.i18n import _


@dataclass(frozen=True)
class CRRA:
    """Constant relative risk aversion: utility x^r; r = 1 is risk neutral."""

    r: float

    def __post_init__(self) -> None:
        if not 0 < self.r <= 1:
            raise ValueError(_("CRRA({r}): an exponent above 0 and up to 1 is needed").format(r=self.r))

    def utility(self, x: Any) -> Any:
        """What an amount, not below 0, is worth."""
        return np.maximum(x, 0.0) ** self.r


@dataclass(frozen=True)
class CARA:
    """Constant absolute risk aversion: utility (1 - exp(-a x)) / a; a near 0 is risk neutral."""

    a: float

    def __post_init__(self) -> None:
        if not self.a > 0:
            raise ValueError(_("CARA({a}): a number above 0 is needed").format(a=self.a))

    def utility(self, x: Any) -> Any:
        """What an amount is worth."""
        return -np.expm1(-self.a * np.asarray(x)) / self.a

    def marginal(self, x: Any) -> Any:
        """How fast it rises there."""
        return np.exp(-self.a * np.asarray(x))


Risk = CRRA | CARA | None
