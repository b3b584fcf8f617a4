"""A tournament of Bazar's simple bots, including all preparations; `make bench` records the figure.

There is no peer. The aim is a hundred games in 3 s of one core.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

PLAY = """
from time import process_time
begun = process_time()
from tradekit import tournament
tournament.play("bazar", ["random", "chain"], games=100, seed={seed}, progress=False{options})
print(process_time() - begun)
"""


@pytest.mark.benchmark(group="100 tournament games of random and chain: processor time is printed")
@pytest.mark.parametrize("who", ["tradekit", "tradekit, one pair of cards"])
def test_a_hundred_games(benchmark, who):
    """Each runs in a new process, which remembers nothing: NumPy is loaded, the chains of each drawn pair are found."""
    options = ", cards=(1, 4)" if "one pair" in who else ""
    seconds: list[float] = []

    def play() -> None:
        code = PLAY.format(seed=len(seconds), options=options)
        run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        seconds.append(float(run.stdout))

    benchmark.pedantic(play, rounds=4)
    benchmark.extra_info["processor time, s"] = sorted(seconds)
    print(f"\n{who}: {min(seconds):.2f} to {max(seconds):.2f} s of processor time")
