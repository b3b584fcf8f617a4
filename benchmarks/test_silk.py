"""Speed of The Silk Road's rules compared with OpenSpiel: `make bench` prints the ratios."""

from __future__ import annotations

from functools import partial

import pytest

from benchmarks import peers
from tradekit import silk


@pytest.mark.benchmark(group="random play of The Silk Road, a thousand decisions of players")
@pytest.mark.parametrize("who", ["tradekit", "first_sealed_auction"])
def test_play(benchmark, who):
    """Four players; chance is not counted, making the games is. The peer is OpenSpiel's, in C++."""
    peers.compare_play(benchmark, who, partial(silk.new, 4))
