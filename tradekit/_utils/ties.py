"""Ties: the best of several options when sums differ in their last bits, and numbers without those bits.

The last bits of a sum of floats depend on the processor's linear algebra kernel, the C library and Python's version. A
choice that depended on them would give unequal games for equal seeds. So values that differ by less than a tolerance
count as equal here, and the first of equal options wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Tolerance within which values count as equal, relative to the best value's size or 1, whichever is larger.
TOLERANCE: Final = 1e-9

T = TypeVar("T")


def _margin(best: float, tolerance: float) -> float:
    return tolerance * max(1.0, abs(best)) if abs(best) != float("inf") else 0.0


def best(options: Iterable[T], key: Callable[[T], float], tolerance: float = TOLERANCE) -> T:
    """Return the first of the options whose `key` ties with the highest.

    Raises `ValueError` if there are no options.

    >>> best(["a", "b"], key={"a": 0.3, "b": 0.1 + 0.2}.get)  # 0.1 + 0.2 is 0.30000000000000004
    'a'
    """
    options = [*options]
    values = [key(option) for option in options]
    least = max(values) - _margin(max(values), tolerance)
    return next(option for option, value in zip(options, values, strict=True) if value >= least)


def ranked(options: Iterable[T], key: Callable[[T], float], tolerance: float = TOLERANCE) -> list[T]:
    """Return the options from the highest `key` to the lowest; tied options keep their order.

    >>> ranked(["a", "b", "c"], key={"a": 0.3, "b": 0.1 + 0.2, "c": 1.0}.get)
    ['c', 'a', 'b']
    """
    rows = [(key(option), place, option) for place, option in enumerate(options)]
    rows.sort(key=lambda row: (-row[0], row[1]))
    order: list[T] = []
    while rows:
        least = rows[0][0] - _margin(rows[0][0], tolerance)
        tied = [row for row in rows if row[0] >= least]
        order += [option for _value, _place, option in sorted(tied, key=lambda row: row[1])]
        rows = rows[len(tied) :]
    return order


def costs(values: Iterable[float], tolerance: float = TOLERANCE) -> list[float]:
    """Return how much each of some ranked values falls short of the first: 0 if it ties with it.

    No cost is lower than the one before it, as the last bits of tied values could otherwise make it.

    >>> costs([2.0, 0.1 + 0.2, 0.3 + 1e-16, 0.0])
    [0.0, 1.7, 1.7, 2.0]
    """
    found: list[float] = []
    values = [*values]
    for value in values:
        short = 0.0 if value >= values[0] - _margin(values[0], tolerance) else float(values[0] - value)
        found.append(max([*found[-1:], short]))
    return found


def first_best(values: NDArray[np.floating], axis: int = 0, tolerance: float = TOLERANCE) -> NDArray[np.intp]:
    """Return along an axis the index of the first value that ties with the highest: `argmax` without the last bits.

    >>> import numpy as np
    >>> int(first_best(np.array([0.3, 0.1 + 0.2])))
    0
    """
    highest = values.max(axis=axis, keepdims=True)
    return (values >= highest - tolerance * abs(highest).clip(1.0)).argmax(axis=axis)  # type: ignore[no-any-return]


def settled(value: float, digits: int = 9) -> float:
    """Return a number without its last bits, so that rounding it to a few digits does not depend on them.

    >>> value = (0.3 - 0.1) * 1.875  # three eighths
    >>> f"{value:.2f}", f"{settled(value):.2f}"
    ('0.37', '0.38')
    """
    return round(value, digits)
