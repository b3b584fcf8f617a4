"""The optimality equation of play against the die, solved for all 3,003 hands at once (BZ-43).

A turn is a roll or a trade, then perhaps the purchase; the policy minimises the expected number of turns to it, or
maximises expected points minus a cost per turn. Both are one Markov decision process. Let V(h) be the value of
beginning a turn with hand h and G(e) the worth of a purchase at e (minus infinity if it does not reach the goal):

    U(e) = max(G(e), V(e))               up to ten stones
    U(e) = max(G(e), max_c V(e - c))     eleven after a roll: buy, or one stone goes back (BZ-14)
    U(e) = G(e)                          above ten after a trade: it must buy (BZ-14)
    V(h) = -cost + max( max over trades U(after),  mean over the five colours and Choice U(h + c) )

where Choice (BZ-5) takes the best colour. Fewest turns are G = 0, cost 1, V = -turns.

Passes over the equation find the best actions soon, but values converge only as fast as the wait for the right stone
ends. So once actions have settled they are kept and valued by themselves, which is cheap, and passes go on from there
(modified policy iteration: Puterman and Shin, Management Science 24, 1978).

The last step is always a pass that changes no value by more than a residual r, and this bounds the error. Take fewest
turns: V = TV + e with |e| <= r everywhere means that V is exact for a world in which every turn costs between 1 - r and
1 + r, so true turns lie within a factor 1 +- r of V. With points, an error of r per turn adds up over at most
(best points - V) / cost turns (Bertsekas, Dynamic Programming and Optimal Control, vol. 2, stochastic shortest paths).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from itertools import count
from typing import Any, Final, TypeVar, cast

import numpy as np
import numpy.typing as npt

from tradekit.bazar.hands import N_ROLLED, RETURNED, ROLLED, Ints, Moves, N
from tradekit.bazar.stones import FACES

Floats = npt.NDArray[np.float64]
S = TypeVar("S", np.float64, np.bool_)

_ACCURACY: Final = 5e-10  # of a value; 1e-9 is promised
_BLOCK: Final = 24  # goals side by side; threads share blocks, because with fewer goals they wait for each other
_START: Final = 1.3  # turns expected at first for each turn that luck would need
_SETTLED: Final = 0.1  # a residual at which most of the best actions are found
_DOUBLINGS: Final = 6  # so 64 trades in a row are followed
_SWEEPS: Final = 100  # over the rolls, at most
_KEPT: Final = 20  # how often actions are kept; after that passes alone, which always converge


def solve(moves: Moves, gains: Floats, costs: Floats) -> Floats:
    """Solve V for several goals side by side, shared by threads: (3004, goals).

    `gains` is G, (8569, goals); `costs` the cost of a turn, (goals,), above 0. The last row of V and of G is "nowhere",
    minus infinity. V is also minus infinity if the goal cannot be reached with certainty.
    """
    # Costly turns are solved in units of their cost: its size would leave too few digits for the points.
    units = np.maximum(costs, 1.0)
    return _solve(moves, gains / units, costs / units) * units


def _solve(moves: Moves, gains: Floats, costs: Floats) -> Floats:
    """Solve V as `solve` does, for costs up to 1."""
    blocks = np.array_split(np.arange(len(costs)), -(-len(costs) // _BLOCK))
    moves.by_degree  # noqa: B018  (once, before the threads)

    def solved(block: Ints) -> Floats:
        return _Problem(moves, gains[:, block], costs[block]).solve()

    if len(blocks) == 1:
        return solved(blocks[0])
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return np.concatenate(list(pool.map(solved, blocks)), axis=1)


class _Problem:
    """Some goals side by side, with hands in the order of `Moves.by_degree`, which keeps arrays over trades short.

    Arrays of values are (3004, goals), the last row "nowhere", as in `solve`.
    """

    def __init__(self, moves: Moves, gains: Floats, costs: Floats) -> None:
        self.order, place, self.neighbours = moves.by_degree
        self.rolled = np.where(ROLLED < N, place.take(ROLLED, mode="clip"), ROLLED)[:, self.order]
        self.returned = place[RETURNED]
        self.costs = costs
        self.most = gains.max(axis=0)
        self.at_once = _best(gains, moves.after)[self.order]  #: worth of the best purchase right after a trade
        self.gains = gains[:N_ROLLED].copy()  #: worth of a purchase after a roll
        self.gains[:N] = gains[self.order]
        self.soonest = self.with_luck()
        self.sure = self.soonest < np.inf

    def solve(self) -> Floats:
        """Solve V, with the hands in their usual order again."""
        values: npt.NDArray[Any] = np.full((N + 1, len(self.costs)), -np.inf)
        values[:N] = self.most - _START * self.costs * self.soonest
        settled = _SETTLED * self.costs.max()
        rough, residual = self.in_single_precision(), np.inf
        values = values.astype(np.float32)
        while residual > settled:
            values, residual = rough.turn(values)
        values = values.astype(float)
        for kept in count():
            values, residual = self.turn(values)
            if residual * self.most_turns(values) <= _ACCURACY:
                break
            if residual <= settled and kept < _KEPT:
                values[:N] = self.keep_on(values)
        solved = np.full_like(values, -np.inf)
        solved[self.order] = values[:N]
        return solved

    def in_single_precision(self) -> _Problem:
        """Return the same problem in half the memory; memory determines the time of a pass."""
        rough, single = copy(self), cast(Any, np.float32)
        rough.gains, rough.at_once = self.gains.astype(single), self.at_once.astype(single)
        rough.costs = self.costs.astype(single)
        return rough

    def turn(self, values: Floats) -> tuple[Floats, float]:
        """Make a pass: return the values with one more turn before them, and the residual, the largest change."""
        new = np.empty_like(values)
        np.subtract(self.best(values), self.costs, out=new[:N])
        new[N] = -np.inf
        with np.errstate(invalid="ignore"):  # minus infinity stays what it is
            return new, float(np.fmax.reduce(np.abs(new - values), axis=None, initial=0))

    def most_turns(self, values: Floats) -> float:
        """Return a bound, 1 or more, on the expected turns from any hand."""
        spread = np.subtract(self.most, values[:N], where=self.sure, out=np.zeros_like(values[:N]))
        return float((spread.max(axis=0) / self.costs).max(initial=1))

    def best(self, values: Floats) -> Floats:
        """Return the values of the best actions before their cost, (3003, goals)."""
        outcomes = reached(self.gains, values, self.returned)
        total: Floats = outcomes.take(self.rolled[0], axis=0)
        most, one = total.copy(), np.empty_like(total)
        for row in self.rolled[1:]:
            outcomes.take(row, axis=0, out=one, mode="clip")
            total += one
            np.maximum(most, one, out=most)
        total += most  # the face Choice
        total /= len(FACES)
        np.maximum(total, self.at_once, out=total)
        traded = _best(values, self.neighbours)
        np.maximum(total[: len(traded)], traded, out=total[: len(traded)])
        return total

    def keep_on(self, values: Floats) -> Floats:
        """Return the values, (3003, goals), of keeping the actions that are best now for ever.

        Trades are followed to the roll or purchase that they lead to; the rest is linear equations between the hands
        that roll, solved by sweeps.
        """
        to, gain, rolls = self.trades_followed(values)
        then, constant = self.rolls_followed(values, to, gain, rolls)
        kept = np.append(values[:N], 0)
        enough = _ACCURACY / 20 / self.most_turns(values)
        for _ in range(_SWEEPS):
            new = kept.take(then).sum(axis=0)
            new /= len(FACES)
            new += constant
            change = np.abs(new - kept[rolls]).max(initial=0)
            kept[rolls] = new
            if change <= enough:
                break
        result: Floats = gain + kept.take(to)
        return result[:-1].reshape(N, -1)

    def trades_followed(self, values: Floats) -> tuple[Ints, Floats, Ints]:
        """Return the ends of the best trades, by doubling, their gains, and the cells that roll.

        Cells are the hands of each goal, and last "bought", worth 0: V[cell] = gain[cell] + V[to[cell]].
        """
        goals = len(self.costs)
        cells, bought = np.arange(N * goals).reshape(N, goals), N * goals
        best = self.best(values)
        ends = cells.copy()
        for near in self.neighbours:
            best_now = values.take(near, axis=0) >= best[: len(near)]
            np.copyto(ends[: len(near)], cells.take(near, axis=0), where=best_now)
        buys = self.at_once >= best
        ends[buys] = bought
        ends[~self.sure] = cells[~self.sure]
        acts = ends != cells
        gain = np.append(np.where(acts, np.where(buys, self.at_once, 0) - self.costs, 0), 0)
        to = np.append(ends, bought)
        for _ in range(_DOUBLINGS):
            gain += gain.take(to)
            to = to.take(to)
        return to, gain, np.flatnonzero(~acts & self.sure)

    def rolls_followed(self, values: Floats, to: Ints, gain: Floats, rolls: Ints) -> tuple[Ints, Floats]:
        """Return the cells after the six faces of each roll, (6, rolls), and the roll's other worth, (rolls,)."""
        goals = len(self.costs)
        cells = np.arange(N * goals).reshape(N, goals)
        outcomes = reached(self.gains, values, self.returned)
        back = values.take(self.returned, axis=0).argmax(axis=0)
        eleven = self.returned[back, np.arange(N_ROLLED - N)[:, None]] * goals + np.arange(goals)
        buys = self.gains >= outcomes
        then = np.where(buys, N * goals, np.concatenate([cells, eleven]))
        paid = np.where(buys, outcomes, 0) + gain.take(then)

        holding, goal = np.divmod(rolls, goals)
        faces = self.rolled[:, holding] * goals + goal
        choice = outcomes.take(faces).argmax(axis=0)[None]
        faces = np.concatenate([faces, np.take_along_axis(faces, choice, 0)])
        return to.take(then.take(faces)), paid.take(faces).mean(axis=0) - self.costs[goal]

    def with_luck(self) -> Floats:
        """Return the fewest turns to the goal if every roll helps, (3003, goals); infinite if no policy is certain.

        The goal is certain in the largest set in which every hand has a way to the goal whose every outcome stays in
        the set.
        """
        buys, at_once = self.gains > -np.inf, self.at_once > -np.inf
        sure = np.ones((N + 1, len(self.costs)), np.bool_)
        sure[N] = False
        while True:
            safe = sure[:N] if sure[:N].all() else reached(buys, sure, self.returned)[self.rolled].all(axis=0)
            found = np.zeros_like(sure)
            found[:N] = at_once & sure[:N]
            soonest = np.ones((N, len(self.costs)))
            size, new, most = -1, int(found.sum()), int(sure.sum())
            while size < new < most:
                size = new
                soonest += ~found[:N]
                leads = safe & _best(reached(buys, found, self.returned), self.rolled)
                traded = _best(found, self.neighbours)
                leads[: len(traded)] |= traded
                found[:N] |= leads & sure[:N]
                new = int(found.sum())
            if (found == sure).all():
                soonest[~sure[:N]] = np.inf
                return soonest
            sure = found


def _best(values: npt.NDArray[S], choices: Sequence[Ints] | Ints) -> npt.NDArray[S]:
    """Return the best of ``values[choice]`` over the rows of choices; later rows may be shorter. For booleans: any."""
    best = values.take(choices[0], axis=0)
    one = np.empty_like(best)
    for row in choices[1:]:
        n = len(row)
        values.take(row, axis=0, out=one[:n], mode="clip")
        np.maximum(best[:n], one[:n], out=best[:n])
    return best


def reached(gains: npt.NDArray[S], values: npt.NDArray[S], returned: Ints = RETURNED) -> npt.NDArray[S]:
    """Return U after a roll, up to eleven stones, (4368, goals); for booleans, True if the goal can be reached."""
    best = gains[:N_ROLLED].copy()
    np.maximum(best[:N], values[:N], out=best[:N])
    np.maximum(best[N:], _best(values, returned), out=best[N:])
    return best
