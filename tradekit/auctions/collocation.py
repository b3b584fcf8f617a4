"""Initial value problems of one unknown, y' = f(x, y), by Radau's collocation in panels that are halved until they do.

Within a panel y is a polynomial that has the right slope at twelve points, the right end among them (Radau IIA of order
23): equations that bend sharply are no harder than others. A panel whose last coefficients are not small is halved, so
a step of f, wherever it is, ends up in a panel of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.polynomial import legendre

from tradekit.auctions.values import Floats

#: Of x at some points and y there: the slope, and how it changes with y.
Slope = Callable[[Floats, Floats, Floats], tuple[Floats, Floats]]

_STAGES: Final = 12
_NODES: Final = np.sort(legendre.legroots([0] * (_STAGES - 1) + [-1, 1]).real)  # of P12 - P11: 1 is one of them
_WITH_LEFT: Final = np.concatenate([[-1.0], _NODES])
_UP_TO: Final = (
    legendre.legvander(_NODES, _STAGES)
    @ legendre.legint(np.eye(_STAGES), lbnd=-1)
    @ np.linalg.inv(legendre.legvander(_NODES, _STAGES - 1))
)  # from slopes at the nodes to integrals from -1
_COEFFICIENTS: Final = np.linalg.inv(legendre.legvander(_WITH_LEFT, _STAGES))
_UNIT: Final = np.eye(_STAGES)
_ROUNDS: Final = 25  # of Newton's method
_NARROW: Final = 2.0**-40  # of a panel's first width: it is not halved any more
_PANELS: Final = 20_000  # at most


def solve(
    slope: Slope, knowing: Callable[[Floats], Floats], edges: Sequence[float] | Floats, first: float, scale: float
) -> Callable[[Floats], Floats]:
    """Solve from `first` at the first edge, and return the solution as a function between the edges.

    `slope(x, known, y)`, where `known` is `knowing(x)`: what does not depend on y, asked for in bulk. `scale`: of y; it
    is found to some 1e-12 of that. Raises `ArithmeticError` where there is no end to halving.

    >>> grows = solve(lambda x, _known, y: (y, np.ones_like(y)), lambda x: x, [0.0, 0.5, 1.0], 1.0, 1.0)
    >>> grows(np.array([0.0, 0.3, 1.0])).round(6).tolist()
    [1.0, 1.349859, 2.718282]
    """
    edges = np.asarray(edges, float)
    half = np.diff(edges)[:, None] / 2
    known = knowing(edges[:-1, None] + half * (1 + _NODES))
    todo = [(edges[n], edges[n + 1], known[n], edges[n + 1] - edges[n]) for n in reversed(range(len(half)))]
    starts, widths, found = [], [], []
    while todo:
        left, right, there, widest = todo.pop()
        h = (right - left) / 2
        x = left + h * (1 + _NODES)
        y = _collocated(slope, x, there, h, first, scale)
        narrow = right - left <= _NARROW * widest
        if y is not None:
            terms = _COEFFICIENTS @ np.concatenate([[first], y])
            if narrow or np.abs(terms[-2:]).max() <= 1e-12 * scale:
                starts.append(left)
                widths.append(right - left)
                found.append(terms)
                first = float(y[-1])
                continue
        if narrow or len(found) + len(todo) > _PANELS:
            raise ArithmeticError
        middle = left + h
        pair = [(left, middle), (middle, right)]
        halves = knowing(np.array([a + (b - a) / 2 * (1 + _NODES) for a, b in pair]))
        todo += [(*pair[1], halves[1], widest), (*pair[0], halves[0], widest)]
    begins, wide, terms = np.array(starts), np.array(widths), np.array(found)

    def path(x: Floats) -> Floats:
        flat = np.clip(np.asarray(x, float).ravel(), edges[0], edges[-1])
        panel = np.searchsorted(begins, flat, side="right") - 1
        at = 2 * (flat - begins[panel]) / wide[panel] - 1
        powers = legendre.legvander(at, _STAGES)
        return np.asarray((powers * terms[panel]).sum(axis=1).reshape(np.shape(x)))

    return path


def _collocated(slope: Slope, x: Floats, known: Floats, h: float, first: float, scale: float) -> Floats | None:
    """Y at the nodes of a panel by Newton's method; None if it does not settle."""
    y = np.full(_STAGES, first)
    for _round in range(_ROUNDS):
        with np.errstate(over="ignore", invalid="ignore"):  # far from the solution
            f, by_y = slope(x, known, y)
        if not (np.isfinite(f).all() and np.isfinite(by_y).all()):
            return None
        step = np.linalg.solve(_UNIT - h * _UP_TO * by_y, first + h * (_UP_TO @ f) - y)
        y = y + step
        if np.abs(step).max() <= 1e-13 * scale:
            return y
    return None
