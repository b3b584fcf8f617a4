"""Speed of the atlas (BZ-47): a pair of cards, all 126 wares, any number left over and none; and reading the file."""

from __future__ import annotations

import pytest

from tradekit import bazar
from tradekit.bazar import Deck, atlases

PAIRS = {"tradekit": (1, 4), "tradekit, the poorest pair": (5, 6)}


@pytest.mark.benchmark(group="the atlas of a pair of cards, a 45th of all")
@pytest.mark.parametrize("who", PAIRS)
def test_a_pair(benchmark, who):
    deck = Deck("pair", tuple(Deck.house().card(number) for number in PAIRS[who]))
    table = benchmark.pedantic(atlases.compute, [deck], rounds=5, iterations=1, warmup_rounds=1)
    assert len(table) == 126


@pytest.mark.benchmark(group="the atlas of the house deck, from its file")
@pytest.mark.parametrize("who", ["tradekit"])
def test_the_file(benchmark, who):
    assert len(benchmark(bazar.atlas)) == 45 * 126
