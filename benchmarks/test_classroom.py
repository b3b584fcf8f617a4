"""A large class from its files to its page: 400 students with 30 rounds each, each student with other values.

There is no peer to compare with; the check is that nothing is lost. The aim is 10 s on one core for all of it.
"""

from __future__ import annotations

import random

import pytest

from tradekit import auctions
from tradekit.auctions import first_price, uniform
from tradekit.auctions.experiment import Experiment

STUDENTS, ROUNDS, DAMAGED = 400, 30, 5  # every fifth file has a wrong cell


def hand_in(seed: int) -> str:
    rng = random.Random(seed)
    game = Experiment.begin(first_price(), uniform(0, 100), ["equilibrium", "naive"], ROUNDS, seed)
    for a_round in game.rounds:
        game = game.bid(max(0.0, round(a_round.types[0] * 0.7 + rng.gauss(0, 3), 1)))
    text = game.to_csv()
    return text if seed % DAMAGED else text.replace("person,bid", "person,bit", 1)


@pytest.mark.benchmark(group=f"a class of {STUDENTS} with {ROUNDS} rounds each: read, problems, chart and page")
def test_a_large_class(benchmark):
    texts = {f"student {n}": hand_in(n) for n in range(STUDENTS)}

    def shown() -> auctions.Classroom:
        class_results = auctions.merge(texts)
        assert class_results._repr_html_() and len(class_results.problems)
        return class_results

    class_results = benchmark.pedantic(shown, rounds=1)
    assert len(class_results.frame) + class_results.problems["lost"].sum() == 3 * ROUNDS * STUDENTS
