"""Means over the rounds of a tournament, and ratios of two sums, with 95% intervals.

The games of a round share their luck, so only rounds are independent; and rounds that are played again under another
rule, with the same luck, are pairs. Sums are `fsum`'s, which are the same on every machine: a kept figure can be half
way between two that can be printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum, nan, sqrt
from statistics import fmean
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pandas as pd

#: The results of each round: the sum of what is counted, and the sum that it is divided by.
Rounds = Sequence[tuple[float, float]]
_SHARE: Final = (1 + 0.95) / 2  #: probability of Student's distribution below the upper end of a 95% interval


#: The columns of a mean with its interval, and of its change from another mean.
NUMBERS: Final = ("mean", "low", "high", "change", "change_low", "change_high")


def sums_by(frame: pd.DataFrame, measure: tuple[str, str], *by: str) -> Rounds:
    """Return each round's results for a measure: the sums of a column and of its divisor, over rows alike in `by`."""
    top, bottom = measure
    groups = frame.groupby([*by], sort=False)
    return [(fsum(group[top]), fsum(group[bottom])) for _round, group in groups]


def ratio(rounds: Rounds) -> tuple[float, float, float]:
    """Return the ratio of two sums, and its 95% interval; it is a mean if the divisor is the same in every round.

    The deviation of a round is its sum minus the ratio times its divisor (the ratio estimator of a sample: Cochran,
    Sampling Techniques, 3rd edition 1977, chapter 6), with Student's distribution. NaN if there is nothing to divide
    by.

    >>> [round(number, 2) for number in ratio([(4, 2), (6, 2), (5, 2), (9, 2)])]
    [3.0, 1.28, 4.72]
    """
    spreads = _spreads(rounds)
    return _interval(_quotient(rounds), spreads)


def difference(before: Rounds, after: Rounds) -> tuple[float, float, float]:
    """Return by how much a ratio changed, and its 95% interval; rounds are paired because they had the same luck."""
    spreads = [new - old for old, new in zip(_spreads(before), _spreads(after), strict=True)]
    return _interval(_quotient(after) - _quotient(before), spreads)


def _quotient(rounds: Rounds) -> float:
    tops, bottoms = map(fsum, zip(*rounds, strict=True))
    return tops / bottoms if bottoms else nan


def _spreads(rounds: Rounds) -> list[float]:
    quotient, mean = _quotient(rounds), fmean(bottom for _top, bottom in rounds)
    return [(top - quotient * bottom) / mean if mean else nan for top, bottom in rounds]


def _interval(middle: float, spreads: Iterable[float]) -> tuple[float, float, float]:
    from scipy.special import stdtrit

    some = [*spreads]
    n = len(some)
    if n < 2:
        return middle, nan, nan
    half = float(stdtrit(n - 1, _SHARE)) * sqrt(fsum(spread * spread for spread in some) / (n - 1) / n)
    return middle, middle - half, middle + half
