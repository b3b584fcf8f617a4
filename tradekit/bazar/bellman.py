"""The optimality equation of play against the die (BZ-43), solved for all 3,003 holdings at once.

A turn is a roll or a trade, then perhaps the purchase; the policy minimises the expected number of turns to it, or
maximises expected points minus a cost per turn. Both are one Markov decision process. With V(h) the value of
beginning a turn with holding h and G(e) what a purchase at e is worth (minus infinity where it does not reach the
goal):

    U(e) = max(G(e), V(e))               up to ten stones
    U(e) = max(G(e), max_c V(e - c))     eleven after a roll: buy, or one stone goes back (BZ-14)
    U(e) = G(e)                          above ten after a trade: it must buy (BZ-14)
    V(h) = -cost + max( max over trades U(after),  mean over the five colours and Choice U(h + c) )

where Choice (BZ-5) takes the best colour. Fewest turns are G = 0, cost 1, V = -turns.

The equation is iterated until it holds to a residual r (the largest change in one more pass). That bounds the error.
Take fewest turns: V = TV + e with |e| <= r everywhere means that V is exact for a world in which every turn costs
between 1 - r and 1 + r, so true turns lie within a factor 1 +- r of V. With points, an error of r a turn adds up over
at most (best points - V) / cost turns (Bertsekas, Dynamic Programming and Optimal Control, vol. 2, stochastic
shortest paths).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tradekit.bazar.holdings import N_ROLLED, RETURNED, ROLLED, Ints, Moves, N

Floats = npt.NDArray[np.float64]

FACES: Final = 6  # BZ-5: five colours and Choice
_ACCURACY: Final = 1e-10  # of a value; 1e-9 is promised
_BLOCK: Final = 16  # goals side by side: what fits a core's cache


def solve(moves: Moves, gains: Floats, costs: Floats) -> Floats:
    """V for several goals side by side, threads sharing them: (3004, goals).

    `gains` is G, (8569, goals); `costs` the cost of a turn, (goals,), above 0. The last row of V and of G is "nowhere",
    minus infinity; so is V where the goal cannot be reached with certainty.
    """
    moves.by_degree  # noqa: B018  (once, before the threads)
    threads = min(len(costs), os.cpu_count() or 1)
    blocks = np.array_split(np.arange(len(costs)), max(threads, -(-len(costs) // _BLOCK)))
    with ThreadPoolExecutor(threads) as pool:
        values = pool.map(lambda block: _iterate(moves, gains[:, block], costs[block]), blocks)
        return np.concatenate(list(values), axis=1)


def _iterate(moves: Moves, gains: Floats, costs: Floats) -> Floats:
    """(3004, goals): V of every holding, and minus infinity for "nowhere"."""
    order, neighbours = moves.by_degree
    order = order[: len(neighbours[0])]
    at_once = gains.take(moves.after, axis=0).max(axis=0)  # the best purchase right after a trade
    values = np.where(_sure(moves, gains > -np.inf, at_once > -np.inf), 0.0, -np.inf)
    solved = np.empty_like(values)
    goals = np.arange(len(costs))  # those not solved yet
    for sweep in count(1):
        outcomes = reached(gains, values)
        total, most = outcomes.take(ROLLED[0], axis=0), _best(outcomes, ROLLED)
        for row in ROLLED[1:]:
            total += outcomes.take(row, axis=0)
        total += most  # the face Choice
        total /= FACES
        np.maximum(total, at_once, out=total)
        total[order] = np.maximum(total.take(order, axis=0), _best(values, neighbours))
        total -= costs
        old, values[:N] = values[:N].copy(), total
        if sweep % 4 == 0:
            open_ = _residual(total, old) * _most_turns(gains, total, costs) > _ACCURACY
            solved[:, goals[~open_]] = values[:, ~open_]
            if not open_.any():
                break
            if not open_.all():
                goals, costs = goals[open_], costs[open_]
                gains, at_once, values = gains[:, open_], at_once[:, open_], values[:, open_]
    return solved


def _residual(new: Floats, old: Floats) -> Floats:
    """(goals,): the largest change, where values are finite at all."""
    changes = np.subtract(new, old, where=np.isfinite(new), out=np.zeros_like(new))
    return np.asarray(np.abs(changes).max(axis=0))


def _most_turns(gains: Floats, values: Floats, costs: Floats) -> Floats:
    """(goals,): at most so many turns, 1 or more, are expected from anywhere."""
    least = np.where(np.isfinite(values), values, np.inf).min(axis=0)
    return np.asarray(np.maximum((gains.max(axis=0) - least) / costs, 1))


def _best(values: npt.NDArray[Any], choices: Sequence[Ints] | Ints) -> npt.NDArray[Any]:
    """The best of ``values[choice]`` over the rows of choices; later rows may be shorter. For booleans: any."""
    best = values.take(choices[0], axis=0)
    for row in choices[1:]:
        np.maximum(best[: len(row)], values.take(row, axis=0), out=best[: len(row)])
    return best


def reached(gains: npt.NDArray[Any], values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """(4368, goals): U after a roll, up to eleven stones (booleans: whether the goal can be reached from there)."""
    best = gains[:N_ROLLED].copy()
    np.maximum(best[:N], values[:N], out=best[:N])
    np.maximum(best[N:], _best(values, RETURNED), out=best[N:])
    return best


def _sure(moves: Moves, buys: npt.NDArray[np.bool_], at_once: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """(3004, goals): the holdings from which some policy buys with certainty; elsewhere expected turns are infinite.

    The largest set in which every holding has a way to the goal whose every outcome stays in the set.
    """
    order, neighbours = moves.by_degree
    order = order[: len(neighbours[0])]
    sure = np.ones((N + 1, buys.shape[1]), np.bool_)
    sure[N] = False
    while True:
        safe = sure[:N] if sure[:N].all() else reached(buys, sure)[ROLLED].all(axis=0)
        found = np.zeros_like(sure)
        found[:N] = at_once & sure[:N]
        size = -1
        while size != (size := int(found.sum())):
            rolls = safe & _best(reached(buys, found), ROLLED)
            rolls[order] |= _best(found, neighbours)
            found[:N] |= rolls & sure[:N]
        if (found == sure).all():
            return sure
        sure = found
