"""Whole bids compared with other libraries: OpenSpiel's distance of a profile from equilibrium, QuantEcon's equilibria.

As everywhere here, every pair is checked to give the same answer.
"""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability

from tradekit.auctions.formats import Format, first_price, losers_pay
from tradekit.auctions.rank_games import KnownValues, PrivateValues
from tradekit.auctions.values import uniform
from tradekit.auctions.whole_bids import solve, solve_known

FLOOR = Format(loser_pays=0.5, reserve=1, step=1, rounding="down")


def below(value: float) -> float:
    """Return the highest bid of a value in OpenSpiel's `first_sealed_auction`, which must be less than the value."""
    return value - 1


def tabular(game, strategy: np.ndarray) -> policy.TabularPolicy:
    """Return our strategy, one row per value from 1 on, as OpenSpiel's policy for all players."""
    table = policy.TabularPolicy(game)
    for state, index in table.state_lookup.items():
        value = int(state.split("val ")[1].split()[0])
        table.action_probability_array[index] = strategy[value - 1, : table.action_probability_array.shape[1]]
    return table


@pytest.mark.benchmark(group="how far a profile of first_sealed_auction is from equilibrium, 2 players, values to 5")
@pytest.mark.parametrize("who", ["tradekit", "OpenSpiel"])
def test_exploitability(benchmark, who):
    theirs = pyspiel.load_game("first_sealed_auction(players=2,max_value=5)")
    ours = PrivateValues.of(first_price(step=1), range(1, 6), bids=range(5), cap=below)
    strategy = ours.uniform()
    if who == "tradekit":
        assert benchmark(ours.exploitability, strategy) == pytest.approx(0.29138888888888)
    else:
        nash_conv = benchmark(exploitability.nash_conv, theirs, tabular(theirs, strategy))
        assert nash_conv / 2 == pytest.approx(ours.exploitability(strategy))


@pytest.mark.benchmark(group="the same of a solved profile, by players and largest value")
@pytest.mark.parametrize("who", ["tradekit", "OpenSpiel", "OpenSpiel, 3 players"])
def test_solved(benchmark, who):
    players, most = (3, 3) if "3" in who else (2, 5)
    theirs = pyspiel.load_game(f"first_sealed_auction(players={players},max_value={most})")
    solution = solve(first_price(step=1), range(1, most + 1), range(most), players, cap=below, target=1e-5)
    assert solution.exploitability <= 1e-5
    if who == "tradekit":
        benchmark(solution.game.exploitability, solution.strategy)
        return
    rough = np.random.default_rng(1).dirichlet(np.ones(most), size=most)
    for strategy in (solution.game.normalised(rough), solution.strategy):
        nash_conv = exploitability.nash_conv(theirs, tabular(theirs, strategy))
        assert nash_conv / players == pytest.approx(solution.game.exploitability(strategy), abs=1e-9)
    benchmark.pedantic(exploitability.nash_conv, (theirs, tabular(theirs, solution.strategy)), rounds=5)


@pytest.mark.benchmark(group="values 10 and 8 in half units, to a mean gain of a thousandth")
@pytest.mark.parametrize("who", ["tradekit", "QuantEcon"])
def test_known_values(benchmark, who):
    """Exact and learned payoffs agree within the stated gain, and equal the theory's 2 and 0."""
    game = Format(loser_pays=0.5, step=0.5), (10, 8)
    options = {"exact": who == "QuantEcon"}
    solution = benchmark.pedantic(solve_known, game, options, rounds=3)
    assert solution.exploitability <= (1e-9 if who == "QuantEcon" else 1e-3)
    assert solution.payoffs == pytest.approx([2, 0], abs=2 * solution.gain + 1e-9)


@pytest.mark.benchmark(group="values 10 and 8 with Turin's rebid")
@pytest.mark.parametrize("who", ["tradekit"])
def test_rebids(benchmark, who):
    """TU-14: one equilibrium has even bids against odd ones and pays 2 and 0, another pays 1 and 0."""
    format = Format(loser_pays=0.5, reserve=1, step=1, rounding="down", ties="rebid")
    even, other = (solve_known(format, (10, 8), exact=True, seed=seed) for seed in (0, 1))
    for solution, payoffs in ((even, [2, 0]), (other, [1, 0])):
        assert solution.payoffs == pytest.approx(payoffs) and solution.gain < 1e-9
    assert even.strategy[0, 1::2].sum() == pytest.approx(0)
    assert even.strategy[1, 2::2].sum() == pytest.approx(0)
    benchmark.pedantic(solve_known, (format, (10, 8)), {"exact": True}, rounds=3)


@pytest.mark.benchmark(group="a budget of 15 for a value of 20 (theory.md F)")
@pytest.mark.parametrize("who", ["tradekit"])
def test_budgets(benchmark, who):
    """74% of the bids are on 15 if a coin decides ties, about 40% with the rebid."""
    shares = []
    for ties in ("coin", "rebid"):
        format = Format(loser_pays=0.5, reserve=1, step=1, rounding="down", ties=ties)
        solution = solve_known(format, (20, 20), budgets=(15, 15), exact=True)
        assert solution.gain < 1e-9
        shares.append(solution.strategy[:, 15].mean())
    assert shares == pytest.approx([0.74, 0.40], abs=0.01)
    benchmark(KnownValues.of(FLOOR, (20, 20), budgets=(15, 15)).matrices)


@pytest.mark.benchmark(group="two million bids of five bidders: drawn, looked up, settled, as a DataFrame")
@pytest.mark.parametrize("who", ["tradekit"])
def test_simulation(benchmark, who):
    """No peer simulates auctions; the figure is only recorded."""
    format_, values = losers_pay(0.5, (2, 2, 1)), uniform()
    theory = format_.equilibrium(5, values)
    frame = benchmark.pedantic(
        lambda: format_.simulate(theory, values, 400_000, bidders=5, progress=False), rounds=5, iterations=1
    )
    assert len(frame) == 2_000_000
