"""Integrals over values: Gauss-Legendre rules in panels, and polynomials where the distribution function is one."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any, Final

import numpy as np
from numpy.polynomial import Polynomial

from tradekit.auctions.values import Floats, Values

PANELS: Final = 64  #: by value, and as many by quantile
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


def grid(low: float, high: float, panels: int) -> tuple[Floats, Floats]:
    """Nodes and weights of a composite Gauss-Legendre rule."""
    edges = np.linspace(low, high, panels + 1)
    half = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + half * (1 + _NODES)).ravel(), (half * _WEIGHTS).ravel()


class Integral:
    """The integral of a function from `start`, at any value; panels by value and by quantile, as both may bend."""

    def __init__(self, function: Callable[[Any], Floats], start: float, values: Values) -> None:
        self.function = function
        even = np.linspace(0, 1, PANELS + 1)
        places = np.concatenate([values.low + (values.high - values.low) * even, values.ppf(even), [start]])
        edges = np.unique(np.clip(places, start, values.high))
        self.edges = edges[np.concatenate([[True], np.diff(edges) > 1e-12 * (values.high - values.low)])]
        self.sums = np.concatenate([[0.0], np.cumsum(self._within(self.edges[:-1], self.edges[1:]))])

    def _within(self, low: Floats, high: Floats) -> Floats:
        half = (high - low)[:, None] / 2
        return np.asarray((self.function(low[:, None] + half * (1 + _NODES)) * half) @ _WEIGHTS)

    def __call__(self, v: Any) -> Floats:
        """The integral from the start to v, a number or an array."""
        flat = np.atleast_1d(np.asarray(v, float)).ravel()
        panel = np.clip(np.searchsorted(self.edges, flat, side="right") - 1, 0, len(self.edges) - 1)
        result = self.sums[panel] + self._within(self.edges[panel], np.maximum(flat, self.edges[panel]))
        return np.asarray(result.reshape(np.shape(v)))


def polynomial(values: Values) -> Polynomial | None:
    """F as a polynomial in (v - low) / (high - low), where it is one: uniform values, and Beta with whole numbers."""
    from scipy import stats

    frozen = values.distribution
    law = getattr(frozen, "dist", None)
    if law is None or values.mass != 1.0:
        return None
    if isinstance(law, type(stats.uniform)):
        return Polynomial([0, 1])
    if isinstance(law, type(stats.beta)):
        a, b = (*frozen.args, *(frozen.kwds.get(name) for name in ("a", "b")[len(frozen.args) :]))[:2]
        if a is None or b is None or a != int(a) or b != int(b):
            return None
        a, b = int(a), int(b)
        density = a * comb(a + b - 1, a) * Polynomial([0, 1]) ** (a - 1) * Polynomial([1, -1]) ** (b - 1)
        return density.integ()
    return None
