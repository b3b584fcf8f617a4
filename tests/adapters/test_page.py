"""The claims of docs/adapters.md: its code runs, and its numbers of words are right."""

import re
from pathlib import Path

import pytest

from tradekit import bazar, silk, turin
from tradekit.adapters.words import Words

PAGE = (Path(__file__).parents[2] / "docs" / "adapters.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.S)


@pytest.mark.parametrize("block", BLOCKS, ids=["openspiel", "pettingzoo"])
def test_the_code_of_the_page_runs(block):
    exec(compile(block, "adapters.md", "exec"), {})


def test_the_page_has_the_right_numbers_of_words():
    given = {len(Words.of(bazar.new(cards=(a, b)))) for a, b in ((1, 4), (2, 7), (5, 10))}
    markets, roads = ([len(Words.of(game.new(players))) for players in (2, 3, 4, 5)] for game in (turin, silk))
    said = (
        f"Bazar has {len(Words.of(bazar.new(2)))} words ({given.pop()} once the exchange cards are known), "
        f"Turin Market {min(markets)} to {max(markets)}, The Silk Road {min(roads)} to {max(roads)}."
    )
    assert not given
    assert said in PAGE, said
