"""Speed of Bazar's analysis compared with other libraries: `make bench` prints the ratios."""

from __future__ import annotations

from functools import partial
from itertools import combinations_with_replacement
from statistics import median
from timeit import timeit

import networkx as nx
import numpy as np
import pytest
import rustworkx

from benchmarks import peers
from tradekit import bazar
from tradekit.bazar import Exchange, Policy, Ware
from tradekit.bazar.hands import COUNTS, N

EXCHANGE = "R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY"
WARE = Ware("RWBGY")
WARES = [Ware("".join(stones)) for stones in combinations_with_replacement("RWBGY", 5)]


@pytest.fixture(scope="module")
def exchange() -> Exchange:
    exchange = Exchange(EXCHANGE)
    exchange.moves.by_degree  # noqa: B018  (the graph is built before the clock runs, as for the peers)
    return exchange


@pytest.mark.benchmark(group="turns to a ware from all 3,003 holdings")
@pytest.mark.parametrize("who", ["tradekit", "networkx"])
def test_turns(benchmark, exchange, who):
    graph = peers.target_graph(exchange, WARE)
    if who == "tradekit":
        turns = benchmark(exchange.turns, WARE)
        peer = nx.single_source_shortest_path_length(graph, "bought")
        assert all(turns[h] == peer.get(h, -1) for h in range(N))
    else:
        benchmark(nx.single_source_shortest_path_length, graph, "bought")


@pytest.mark.benchmark(group="distances between all pairs of holdings")
@pytest.mark.parametrize("who", ["tradekit", "rustworkx"])
def test_distances(benchmark, exchange, who):
    graph = peers.rustworkx_graph(exchange)
    if who == "tradekit":
        table = benchmark(exchange.distances)
        assert (np.where(table < 0, 0, table) == rustworkx.distance_matrix(graph)).all()
    else:
        benchmark(rustworkx.distance_matrix, graph)


@pytest.mark.benchmark(group="a policy against the die, set-up included")
@pytest.mark.parametrize("who", ["tradekit", "tradekit, all 126 wares", "QuantEcon", "QuantEcon, given our arrays"])
def test_policy(benchmark, exchange, who):
    def ours() -> Policy:
        return Exchange(EXCHANGE).solve(WARE)

    if who == "tradekit":
        policy = benchmark(ours)
        problem, states = peers.decision_problem(exchange, WARE)
        peer = problem.solve("policy_iteration").v
        turns = np.array([-peer[states[tuple(counts)]] for counts in COUNTS[:N].tolist()])
        assert np.abs(turns - policy.all_turns).max() < 1e-5  # the peer discounts a little
        peer = peers.decision_problem_of_arrays(exchange, WARE).solve("policy_iteration").v
        assert np.abs(peer[:N] + policy.all_turns).max() < 1e-5
        return
    run = {
        "tradekit, all 126 wares": lambda: Exchange(EXCHANGE).solve_all(WARES),
        "QuantEcon": lambda: peers.decision_problem(exchange, WARE)[0].solve("policy_iteration"),
        "QuantEcon, given our arrays": lambda: peers.decision_problem_of_arrays(exchange, WARE).solve(
            "policy_iteration"
        ),
    }[who]
    run()  # a run beforehand, in which Numba compiles
    benchmark.pedantic(run, rounds=5, iterations=1)
    # Separate measurements mislead on a machine that changes its pace: take turns.
    ratios = [timeit(run, peers.WASTE, number=1) / (timeit(ours, peers.WASTE, number=20) / 20) for _ in range(9)]
    benchmark.extra_info["taking turns"] = f"{median(ratios):.3g} ({min(ratios):.3g} to {max(ratios):.3g})"


@pytest.mark.benchmark(group="random play of Bazar, a thousand decisions of players")
@pytest.mark.parametrize("who", ["tradekit", "first_sealed_auction", "python_kuhn_poker"])
def test_play(benchmark, who):
    """Chance is not counted; making the games is. The peers are OpenSpiel's, in C++ and in Python."""
    peers.compare_play(benchmark, who, partial(bazar.new, 4, cards=(1, 4)))
