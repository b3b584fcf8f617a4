"""The same questions put to other libraries."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from itertools import islice, product
from statistics import median
from time import process_time
from timeit import timeit
from typing import Any

import networkx as nx
import numpy as np
import pyspiel
import rustworkx
from open_spiel.python.games import kuhn_poker  # noqa: F401  (it registers itself)
from quantecon.markov import DiscreteDP
from scipy.sparse import csr_array

from tradekit.bazar import Exchange, Ware
from tradekit.bazar.chains import purchases
from tradekit.bazar.hands import N_ROLLED, RETURNED, ROLLED, N
from tradekit.bazar.stones import LIMIT
from tradekit.game import CHANCE, State, draw


def target_graph(exchange: Exchange, ware: Ware) -> nx.DiGraph:
    """Return the reversed trade graph with a virtual target, one step away from every hand that can buy."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(N))
    for after in exchange.moves.after:
        before = np.flatnonzero(after < N)
        graph.add_edges_from(zip(after[before].tolist(), before.tolist(), strict=True))
    buyers = np.flatnonzero(purchases(ware)[exchange.moves.after].any(axis=0))
    graph.add_edges_from(("bought", holding) for holding in buyers.tolist())
    return graph


def rustworkx_graph(exchange: Exchange) -> rustworkx.PyDiGraph:
    """Return the trade graph for rustworkx."""
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(N))
    for after in exchange.moves.after:
        before = np.flatnonzero(after < N)
        graph.add_edges_from_no_data(list(zip(before.tolist(), after[before].tolist(), strict=True)))
    return graph


BETA = 1 - 1e-10  # `DiscreteDP` requires a discount below one


def decision_problem(exchange: Exchange, ware: Ware) -> tuple[DiscreteDP, dict[Hashable, int]]:
    """Return BZ-43, fewest turns, as QuantEcon's `DiscreteDP`, written from the rules as its user would write it.

    States: hands; ("choice", hand) with Choice rolled; eleven stones; and "bought". Their numbers are returned as well.
    """
    price, size = ware.stones.counts, LIMIT
    holdings = [h for h in product(range(size + 1), repeat=5) if sum(h) <= size]
    trades = [(t.left.counts, t.right.counts) for e in exchange.equations for t in (e, e.reversed)]
    states: dict[Hashable, int] = {}
    pairs: list[tuple[int, int, float, dict[int, float]]] = []  # state, action, reward, probabilities

    def number(state: Hashable) -> int:
        return states.setdefault(state, len(states))

    def buys(have: tuple[int, ...]) -> bool:
        return all(a >= b for a, b in zip(have, price, strict=True))

    def after(have: tuple[int, ...]) -> int:
        """Return the state in which a turn ends that has got to `have`: buying at once is best."""
        return number("bought" if buys(have) else have)

    def plus(have: tuple[int, ...], colour: int, n: int = 1) -> tuple[int, ...]:
        return (*have[:colour], have[colour] + n, *have[colour + 1 :])

    for have in holdings:
        number(have)
    elevens: set[tuple[int, ...]] = set()
    for have in holdings:
        for action, (give, take) in enumerate(trades):
            if all(a >= b for a, b in zip(have, give, strict=True)):
                made = tuple(a - b + c for a, b, c in zip(have, give, take, strict=True))
                if sum(made) <= size or buys(made):
                    pairs.append((number(have), action, -1.0, {after(made): 1.0}))
        rolled = [plus(have, colour) for colour in range(5)]
        elevens.update(r for r in rolled if sum(r) > size)
        chances: dict[int, float] = {number(("choice", have)): 1 / 6}
        for made in rolled:
            chances[after(made)] = chances.get(after(made), 0) + 1 / 6
        pairs.append((number(have), len(trades), -1.0, chances))
        pairs += [(number(("choice", have)), colour, 0.0, {after(made): 1.0}) for colour, made in enumerate(rolled)]
    for have in elevens:
        for colour in range(5):
            if have[colour]:
                pairs.append((number(have), colour, 0.0, {number(plus(have, colour, -1)): 1.0}))
    pairs.append((number("bought"), 0, 0.0, {number("bought"): 1.0}))
    pairs.sort(key=lambda pair: pair[:2])
    chances = csr_array(
        (
            [p for pair in pairs for p in pair[3].values()],
            ([i for i, pair in enumerate(pairs) for _ in pair[3]], [end for pair in pairs for end in pair[3]]),
        ),
        shape=(len(pairs), len(states)),
    )
    state, action, reward = (np.array([pair[i] for pair in pairs]) for i in range(3))
    return DiscreteDP(reward, chances, BETA, state, action), states


def decision_problem_of_arrays(exchange: Exchange, ware: Ware) -> DiscreteDP:
    """Return the same built from tradekit's own arrays: it times the peer's solver alone, with the best set-up.

    States: the hands; those with Choice rolled, from N on; those of eleven stones, from 2 N on; and "bought" at the
    end.
    """
    able = purchases(ware)
    bought = 2 * N + (N_ROLLED - N)
    kept = np.concatenate([np.arange(N), 2 * N + np.arange(N_ROLLED - N)])  # the state of a hand that does not buy
    states, actions, rewards, ends, chances = [], [], [], [], []

    def add(state: np.ndarray, action: int, reward: float, end: np.ndarray, chance: float = 1.0) -> None:
        states.append(state), actions.append(np.full(state.size, action)), rewards.append(np.full(state.size, reward))
        ends.append(end), chances.append(np.full(state.size, chance))

    for action, after in enumerate(exchange.moves.after):
        state = np.flatnonzero((after < N) | able[after])
        add(state, action, -1, np.where(able[after[state]], bought, after[state]))
    roll, everyone = len(exchange.moves.trades), np.arange(N)
    for after in ROLLED:
        add(everyone, roll, -1, np.where(able[after], bought, kept[after]), 1 / 6)
    add(everyone, roll, -1, N + everyone, 1 / 6)
    for colour, after in enumerate(ROLLED):
        add(N + everyone, colour, 0, np.where(able[after], bought, kept[after]))
    for colour, after in enumerate(RETURNED):
        state = np.flatnonzero(after < N)
        add(2 * N + state, colour, 0, after[state])
    add(np.array([bought]), 0, 0, np.array([bought]))

    state, action, end = np.concatenate(states), np.concatenate(actions), np.concatenate(ends)
    reward, chance = np.concatenate(rewards), np.concatenate(chances)
    pairs, first, pair = np.unique(state * (roll + 1) + action, return_index=True, return_inverse=True)
    chances_of = csr_array((chance, (pair, end)), shape=(pairs.size, bought + 1))
    return DiscreteDP(reward[first].astype(float), chances_of, BETA, pairs // (roll + 1), pairs % (roll + 1))


RNG = random.Random(1)
WASTE = "import gc; gc.enable()"  # as in real use; timeit alone would favour whoever leaves the most garbage


def play_ours(new: Callable[[], State]) -> Iterator[None]:
    """Play random games of ours, one after the other; yield at every decision of a player."""
    while True:
        state = new()
        while actors := state.actors:
            player = actors[0]
            if player == CHANCE:
                state = state.after(draw(state.outcomes(), RNG))
            else:
                state = state.after(state.actions(player).sample(RNG), player)
                yield


def play_open_spiel(name: str) -> Iterator[None]:
    """Play random games of OpenSpiel's in the same way."""
    game = pyspiel.load_game(name)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(RNG.choices(actions, chances)[0])
            else:
                state.apply_action(RNG.choice(state.legal_actions()))
                yield


def thousand(decisions: Iterator[None]) -> None:
    """Play on for a thousand decisions."""
    for _decision in islice(decisions, 1000):
        pass


def compare_play(benchmark: Any, who: str, new: Callable[[], State]) -> None:
    """Measure a thousand decisions of random play: of our game for ``tradekit``, otherwise of a game of OpenSpiel.

    Separate measurements mislead on a machine that changes its pace: so the two also take turns, in processor time,
    because both use one core.
    """
    ours = partial(thousand, play_ours(new))
    if who == "tradekit":
        benchmark(ours)
        return
    theirs = partial(thousand, play_open_spiel(who))
    benchmark(theirs)
    ratios = [timeit(theirs, WASTE, process_time, 10) / timeit(ours, WASTE, process_time, 10) for _ in range(15)]
    benchmark.extra_info["taking turns"] = f"{median(ratios):.3g} ({min(ratios):.3g} to {max(ratios):.3g})"
