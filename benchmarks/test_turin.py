"""Speed of Turin Market's rules compared with OpenSpiel: `make bench` prints the ratios."""

from __future__ import annotations

from functools import partial

import pytest

from benchmarks import peers
from tradekit import turin


@pytest.mark.benchmark(group="random play of Turin Market, a thousand decisions of players")
@pytest.mark.parametrize("who", ["tradekit", "first_sealed_auction"])
def test_play(benchmark, who):
    """Four players; chance is not counted, making the games is. The peer is OpenSpiel's, in C++."""
    peers.compare_play(benchmark, who, partial(turin.new, 4))
