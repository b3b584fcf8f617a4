"""Integrals over values: Gauss-Legendre rules in panels, and polynomials where the distribution function is one.

Panels are laid by value, by quantile and by the chance of winning, since a function may bend in each of them; they are
halved again and again towards both ends, where bids may be steep; and those in which F has a corner are halved until it
lies in one that is too narrow to matter.
"""

from __future__ import annotations

from math import comb
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numpy.polynomial import Polynomial, legendre

from tradekit.auctions.values import Floats, FloatsLike, Strategy, Uniform, Values

PANELS: Final = 64  #: by value, and as many by quantile
NODES, WEIGHTS = legendre.leggauss(16)  #: of a panel from -1 to 1
_ENDS: Final = 0.5 ** np.arange(7, 51)  # how near to an end panels begin
#: From values at the nodes: the coefficients of their polynomial, and their integrals from the panel's left end.
_COEFFICIENTS: Final = np.linalg.inv(legendre.legvander(NODES, 15))
_TERMS: Final = legendre.legint(np.eye(16), lbnd=-1) @ _COEFFICIENTS
_UP_TO: Final = legendre.legvander(NODES, 16) @ _TERMS  # times half a width
_RARE: Final = 1e-3  # of a panel's integral: before it there is less
_RESOLVED: Final = 1e-11  # the last coefficients of F in a panel without a corner
_NOISY: Final = 200  # so many corners are none: F is not exact


def grid(low: float, high: float, panels: int) -> tuple[Floats, Floats]:
    """Return nodes and weights of a composite Gauss-Legendre rule."""
    return rule(np.linspace(low, high, panels + 1))


def rule(edges: Floats) -> tuple[Floats, Floats]:
    """Return nodes and weights of a composite Gauss-Legendre rule between these edges.

    >>> x, weights = rule(np.array([0.0, 0.5, 1.0]))
    >>> round(float(weights @ x**2 * 3), 12)
    1.0
    """
    return nodes(edges[:-1], edges[1:]).ravel(), (np.diff(edges)[:, None] / 2 * WEIGHTS).ravel()


def running(edges: Floats, values: Floats) -> Floats:
    """Return the integral from the first edge to each node of `rule(edges)`, of a function with these values there."""
    half = np.diff(edges)[:, None] / 2
    rows = half * values.reshape(len(half), len(NODES))
    before = np.concatenate([[0.0], np.cumsum(rows @ WEIGHTS)[:-1]])
    return np.asarray((before[:, None] + rows @ _UP_TO.T).ravel())


def parts(bidders: int, count: int = PANELS) -> Floats:
    """Return quantiles from 0 to 1: even ones, even by the chance that all rivals are below, and near both ends."""
    even = np.concatenate([np.linspace(0, 1, count + 1), _ENDS, 1 - _ENDS])
    return np.unique(np.concatenate([even, even ** (1 / max(1, bidders - 1))]))


def quantile_edges(start: float, bidders: int) -> Floats:
    """Return edges of panels over the quantiles from `start` to 1, close together near both ends."""
    edges = parts(bidders, PANELS // 2)
    near = start + (1 - start) * np.concatenate([[0.0], _ENDS])
    return np.unique(np.concatenate([near, edges[edges > start]]))


def quantiles(start: float, bidders: int) -> tuple[Floats, Floats]:
    """Return nodes and weights for an integral over the quantiles from `start` to 1.

    >>> u, weights = quantiles(0.0, bidders=50)
    >>> round(float(weights @ u**49 * 50), 9)
    1.0
    """
    return rule(quantile_edges(start, bidders))


def value_edges(values: Values, start: float, bidders: int) -> Floats:
    """Return edges of panels over the values from `start` up: in each F is a polynomial as far as numbers tell."""
    even = np.concatenate([np.linspace(0, 1, PANELS + 1), _ENDS, 1 - _ENDS])
    ends = np.array([start, values.high])
    places = np.concatenate([values.low + (values.high - values.low) * even, values.ppf(parts(bidders)), ends])
    edges: Floats = np.unique(np.clip(places, start, values.high))
    fresh = edges
    while len(fresh) > 1:
        left, right = (edges[:-1], edges[1:]) if fresh is edges else (fresh[::2], fresh[1::2])
        tail = np.abs(values.cdf(nodes(left, right)) @ _COEFFICIENTS[-2:].T).max(axis=1)
        bent = (tail > _RESOLVED) & (right - left > 1e-13 * values.high)
        if not bent.any() or bent.sum() > _NOISY:
            break
        middle = (left[bent] + right[bent]) / 2
        fresh = np.stack([left[bent], middle, middle, right[bent]], axis=1).ravel()
        edges = np.union1d(edges, middle)
    return edges


class Panels:
    """Polynomials in panels, as near as possible to the running integrals of what has these values at the nodes."""

    def __init__(self, edges: Floats, values: Floats) -> None:
        self.edges, half = edges, np.diff(edges)[:, None] / 2
        self.whole = np.asarray((half * values) @ WEIGHTS)  #: the integral over each panel
        self._terms = (half * values) @ _TERMS.T

    def find(self, v: Floats) -> npt.NDArray[np.intp]:
        """Return the panel of each value."""
        return np.clip(np.searchsorted(self.edges, v, side="right") - 1, 0, len(self.whole) - 1)

    def up_to(self, panel: npt.NDArray[np.intp], v: Floats) -> Floats:
        """Return the integral from the left end of that panel to a value in it."""
        left, right = self.edges[panel], self.edges[panel + 1]
        at = legendre.legvander(2 * (v - left) / (right - left) - 1, len(NODES))
        return np.asarray((at * self._terms[panel]).sum(axis=-1))


class Integral:
    """The integral of a function from `start`, at any value."""

    def __init__(self, function: Strategy, start: float, values: Values, bidders: int = 2) -> None:
        self.function = function
        edges = value_edges(values, start, bidders)
        self.panels = Panels(edges, function(nodes(edges[:-1], edges[1:])))
        self.sums = np.concatenate([[0.0], np.cumsum(self.panels.whole)])

    def __call__(self, v: FloatsLike) -> Floats:
        """Return the integral from the start to v, a number or an array."""
        flat = np.atleast_1d(np.asarray(v, float)).ravel()
        panel = self.panels.find(flat)
        before, within = self.sums[panel], self.panels.up_to(panel, flat)
        rare = np.abs(before) < _RARE * np.abs(self.panels.whole[panel])  # where every digit counts
        if rare.any():
            low = self.panels.edges[panel[rare]]
            half = (flat[rare] - low) / 2
            within[rare] = (self.function(nodes(low, flat[rare])) * half[:, None]) @ WEIGHTS
        return np.asarray((before + within).reshape(np.shape(v)))


def nodes(low: Floats, high: Floats) -> Floats:
    """Return the nodes of panels, a row each."""
    return low[:, None] + (high - low)[:, None] / 2 * (1 + NODES)


def polynomial(values: Values) -> Polynomial | None:
    """Return F as a polynomial in (v - low) / (high - low), if it is one: uniform values, Beta with whole numbers."""
    if values.mass != 1.0:
        return None
    if isinstance(values.distribution, Uniform):
        return Polynomial([0, 1])
    frozen: Any = values.distribution
    law = getattr(frozen, "dist", None)
    if law is None:
        return None
    from scipy import stats

    if type(law) is type(stats.uniform):
        return Polynomial([0, 1])
    if type(law) is type(stats.beta):
        a, b = (*frozen.args, *(frozen.kwds.get(name) for name in ("a", "b")[len(frozen.args) :]))[:2]
        if a is None or b is None or a != int(a) or b != int(b) or a + b > 60:
            return None
        a, b = int(a), int(b)
        density = a * comb(a + b - 1, a) * Polynomial([0, 1]) ** (a - 1) * Polynomial([1, -1]) ** (b - 1)
        return density.integ()
    return None
