"""The recursion of the race, solved for all 3,003 x 3,003 pairs of hands at once (BZ-45).

Two players take turns, and the first to buy the one ware wins. Let W(h, o) be the probability that the player to move,
with hand h against o, wins, and Z(e) = 1 - W(o, e) the value of ending a turn with e:

    U(e) = 1                     if e pays for the ware
    U(e) = Z(e)                  up to ten stones
    U(e) = min_c Z(e - c)        eleven after a roll: the opponent chooses the stone to go back (BZ-14)
    W(h) = max( max over trades U(after),  mean over the five colours and Choice U(h + c) )

where Choice (BZ-5) takes the best colour and a trade above ten must buy. Call the right-hand side T(W). It falls where
W rises. So from a W no higher than the player to move can force, the sweeps T, TTT, ... give values that fall to
1 - lose, and TT, TTTT, ... values that rise to win. (Win is the least W = TTW: Condon, Information and Computation 96,
1992.)

Values are integers, in units of 1 / 6^11. The sum over the faces of the die is then exact, and only its sixth is ever
rounded: down in the sweeps that rise, up in those that fall. So the two bound the truth, without any assumption about
their speed; where they agree to 1e-7, both numbers are sure to 1e-7. Where a race can be held up for ever they do not
agree, and the sweeps go on until none changes any value by a single unit.

Most pairs need no recursion. A hand is *ready* if a trade buys at once: a ready player to move has won, and against a
ready opponent only a roll that buys now helps. Short of buying, the best end of a turn is a ready hand, since nobody
can be kept from rolling and hoping. So if a trade makes a hand ready, its other trades need not be checked.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tradekit.bazar.chains import purchases
from tradekit.bazar.hands import N_ROLLED, RETURNED, ROLLED, Ints, Moves, N
from tradekit.bazar.stones import FACES, Ware

Singles = npt.NDArray[np.float32]
Units = npt.NDArray[np.uint32]

ACCURACY: Final = 1e-7  #: accuracy of win and lose; single precision adds a third of it
_FACES: Final = len(FACES)
_ONE: Final = _FACES**11  # the unit's inverse: six of them are the most that 32 bits hold
_MOSTLY: Final = 0.6  # share of a block above which the whole block is computed
_BLOCK: Final = 128  # opponents at a time: a thread's data stays in its cache


class Values(NamedTuple):
    """Probabilities that both can force, float32, (3003, 3003): rows for the player to move, columns the opponent."""

    win: Singles
    lose: Singles


def solve(moves: Moves, ware: Ware, report: Callable[[float], object] = lambda change: None) -> Values:
    """Solve both numbers for all pairs, never too high (except for the rounding to single precision).

    `report` gets, after each sweep, the largest change of any value.
    """
    problem = _Problem(moves, ware)
    low, high = problem.solve(report)
    now = problem.chance / _ONE  # against a ready opponent
    return Values(problem.all_pairs(low, 1, now), problem.all_pairs(_ONE - high, 0, 1 - now))


class _Problem:
    """The pairs that need the recursion: both hands *open*, which means not ready.

    Rows of Z are the open hands in the order of `open`, a row for all ready hands, a row for a purchase, and the
    multisets of eleven stones that can come up. Values (open, open) have a row per hand of the player to move.
    """

    def __init__(self, moves: Moves, ware: Ware) -> None:
        buys = purchases(ware)
        ready = np.append(np.any(buys.take(moves.after), axis=0), False)
        near = np.asarray(ready.take(moves.neighbours).any(axis=1))  # a trade makes it ready
        to_open = np.where(ready[moves.neighbours] | near[:, None], N, moves.neighbours)
        to_open.sort(axis=1)
        degrees = (to_open < N).sum(axis=1)
        # Hands with most trades come first, hands near a ready one last: arrays over trades are then shortest.
        order = np.lexsort([-degrees, near, ready[:N]])
        self.open = order[~ready[order]]
        self.n = n = self.open.size
        self.far = int(np.count_nonzero(~near[self.open]))  # number of open hands that are not near
        self._ready, self._bought = n, n + 1

        row = np.full(N + 1, self._ready)
        row[self.open] = np.arange(n)
        row[N] = self._bought  # no such stone can go back; the highest value, so never the least
        eleven = np.zeros(N_ROLLED, np.bool_)
        eleven[ROLLED[:, self.open]] = True
        eleven[:N] = False
        eleven[buys[:N_ROLLED]] = False
        rolled = np.full(N_ROLLED, self._bought)
        rolled[:N] = np.where(buys[:N], self._bought, row[:N])
        rolled[eleven] = n + 2 + np.arange(eleven.sum())
        self.rolled = rolled[ROLLED[:, self.open]]  #: (5, open): row after a roll of each colour
        self.returned = row[RETURNED[:, eleven[N:]]]  #: (5, elevens): row after each stone goes back
        self.rows = n + 2 + self.returned.shape[1]
        trades = to_open[self.open]
        #: for each j, rows of the j-th trades of the first hands, those that have one
        self.trades: list[Ints] = [row[column[column < N]] for column in trades.T if column[0] < N]

        buying = buys[ROLLED].sum(axis=0, dtype=np.uint32)
        #: (3003,): probability of buying by a roll now, including Choice
        self.chance = (buying + (buying > 0)) * np.uint32(_ONE // _FACES)
        self.ready = ready[:N]

    def solve(self, report: Callable[[float], object]) -> tuple[Units, Units]:
        """Return the two bounds, (open, open)."""
        # Rolling and hoping is the least that the player to move can force, and above zero: a good start.
        low = np.repeat(self.chance[self.open][:, None], self.n, axis=1)
        high = np.full_like(low, _ONE)
        blocks = [slice(start, min(start + _BLOCK, self.n)) for start in range(0, self.n, _BLOCK)]
        every = np.ones(self.n, np.bool_)
        # Hands whose rows of the table read by a sweep, or whose turns, changed since its last run: at first all.
        todo = {True: (every, np.arange(self.n)), False: (every, np.arange(self.n))}
        begun, change = 0, _ONE
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            while change and not all(self._meet(low, high, block) for block in blocks):
                for given, taken, up in ((low, high, True), (high, low, False)):
                    found = list(pool.map(partial(self._sweep, given, taken, up, *todo[up]), blocks))
                    change = max(most for most, _rows, _columns in found)
                    if begun:  # the first sweep changes what has not been read yet
                        rows = np.logical_or.reduce([rows for _most, rows, _columns in found])
                        todo[not up] = rows, self._touched(np.concatenate([columns for *_most, columns in found]))
                    begun += 1
                    report(change / _ONE)
        return low, high

    @staticmethod
    def _meet(low: Units, high: Units, block: slice) -> bool:
        return int((high[block] - low[block]).max()) <= ACCURACY * _ONE

    def _touched(self, changed: npt.NDArray[np.bool_]) -> Ints:
        """Return the hands whose turn can end with an open hand that has changed, in `changed`."""
        worth = np.append(changed, [False, False])
        worth = np.append(worth, worth[self.returned].any(axis=0))
        touched = worth[self.rolled].any(axis=0)
        for row in self.trades:
            touched[: row.size] |= worth[row]
        return np.flatnonzero(touched)

    def _sweep(
        self, given: Units, taken: Units, up: bool, changed: npt.NDArray[np.bool_], movers: Ints, block: slice
    ) -> tuple[int, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Compute T of `given` into `taken` for a block of opponents; return the largest change, and its places.

        Only opponents whose row of `given` has changed, and `movers` that can meet such a change, are computed.
        """
        others = block.start + np.flatnonzero(changed[block])
        here: tuple[Any, ...] = np.ix_(movers, others)
        if others.size > _MOSTLY * (block.stop - block.start):  # whole pieces of rows are quicker to move
            others, here = np.arange(block.start, block.stop), (movers, block)
        in_rows, in_columns = np.zeros(self.n, np.bool_), np.zeros(block.stop - block.start, np.bool_)
        if not others.size or not movers.size:
            return 0, in_rows, in_columns
        worth = self._worth_of_ending(given.take(others, axis=0), self.chance[self.open[others]])
        new = worth.take(self.rolled[0][movers], axis=0)
        most, one = new.copy(), np.empty_like(new)
        for row in self.rolled[1:]:
            worth.take(row[movers], axis=0, out=one, mode="clip")
            new += one
            np.maximum(most, one, out=most)
        new += most  # the face Choice
        if up:
            new += np.uint32(_FACES - 1)
        new //= np.uint32(_FACES)
        far = int(np.searchsorted(movers, self.far))
        np.maximum(new[far:], worth[self._ready], out=new[far:])
        for row in self.trades:
            n = int(np.searchsorted(movers, row.size))
            worth.take(row[movers[:n]], axis=0, out=one[:n], mode="clip")
            np.maximum(new[:n], one[:n], out=new[:n])
        before = taken[here]
        taken[here] = new
        difference = before - new if up else new - before
        found = difference > 0
        in_rows[movers], in_columns[others - block.start] = found.any(axis=1), found.any(axis=0)
        return int(difference.max()), in_rows, in_columns

    def _worth_of_ending(self, given: Units, chance: Units) -> Units:
        """Return Z, (rows, opponents), from the values of those opponents when they move, (opponents, open)."""
        worth = np.empty((self.rows, len(given)), np.uint32)
        np.subtract(np.uint32(_ONE), given.T, out=worth[: self.n])
        np.subtract(np.uint32(_ONE), chance, out=worth[self._ready])
        worth[self._bought] = _ONE
        least = worth[self._bought + 1 :]
        least[...] = _ONE
        one = np.empty_like(least)
        for row in self.returned:
            worth.take(row, axis=0, out=one, mode="clip")
            np.minimum(least, one, out=least)
        return worth

    def all_pairs(self, values: Units, ready: float, against_ready: npt.NDArray[np.float64]) -> Singles:
        """Return the values of all pairs, (3003, 3003).

        `values` is for open pairs, `ready` for ready hands, and `against_ready`, (3003,), for others against them.
        """
        table = np.empty((N, N), np.float32)
        table[...] = against_ready[:, None]
        for holding, row in zip(self.open.tolist(), values, strict=True):
            table[holding, self.open] = row / _ONE
        table[self.ready] = ready
        return table
