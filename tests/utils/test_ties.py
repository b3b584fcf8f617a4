"""Ties within a tolerance: the last bits of a sum do not decide."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradekit._utils import ties

VALUES = st.lists(st.integers(-50, 50), min_size=1, max_size=12)


@given(VALUES, st.integers(0, 10**6))
def test_the_last_bits_decide_nothing(values, seed):
    """Nudge every value by some units in the last place: the choice and the order stay those of the exact values."""
    rng = random.Random(seed)
    nudged = [value / 7 for value in values]
    for _ in range(4):
        nudged = [math.nextafter(value, rng.choice((-math.inf, math.inf))) for value in nudged]
    places = range(len(values))
    exact = max(places, key=lambda place: (values[place], -place))
    assert ties.best(places, key=nudged.__getitem__) == exact
    assert ties.first_best(np.array(nudged)) == exact
    assert ties.ranked(places, key=nudged.__getitem__) == sorted(places, key=lambda place: -values[place])


def test_what_really_differs_is_told_apart():
    assert ties.best([0, 1], key=[1.0, 1.0 + 1e-6].__getitem__) == 1
    assert ties.best([0, 1], key=[-math.inf, -math.inf].__getitem__) == 0
    assert ties.best([0, 1], key=[1.0, math.inf].__getitem__) == 1
    assert ties.first_best(np.array([[1.0, 2.0], [1.0 + 1e-12, 3.0]])).tolist() == [0, 1]
    with pytest.raises(ValueError):
        ties.best([], key=abs)
