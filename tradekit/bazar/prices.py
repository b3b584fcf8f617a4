"""Prices and arbitrage: positive prices at which all equations balance, or a proof that none exist (BZ-46).

Let D be the matrix of changes (one row per equation: its right side minus its left). Prices are p > 0 with D p = 0. By
Stiemke's theorem either such p exist or some mix y of trades, in either direction, gains: y D >= 0 and not 0. Both
sides are found by linear programs, rounded to integers and checked in integers, so that the answer is a proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from tradekit._utils.arguments import need_one_of
from tradekit.bazar import render
from tradekit.bazar.chains import UNREACHABLE, Step, distances, walk
from tradekit.bazar.hands import COUNTS, SIZES, Moves, N, holding, indices
from tradekit.bazar.stones import COLOURS, LIMIT, Equation, Stones, StonesLike
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

_DENOMINATOR = 10**4  # a vertex's denominators are minors of D, below 6,000 by Hadamard's bound


@dataclass(frozen=True, slots=True)
class Prices:
    """Whole-number prices at which every equation balances; any multiple serves as well.

    >>> prices = of([Equation("R=WW"), Equation("W=BG"), Equation("B=G"), Equation("Y=RW")])
    >>> print(prices)
    R=4 W=2 B=1 G=1 Y=6
    >>> prices.value("RWBGY")
    14
    """

    counts: tuple[int, ...]  #: price of each colour, in the order R W B G Y, without a common divisor
    unique: bool  #: True if these are the only prices, except for scale

    def __getitem__(self, colour: str) -> int:
        need_one_of("colour", colour, [*COLOURS])
        return self.counts[COLOURS.index(colour)]

    def value(self, stones: StonesLike) -> int:
        """Return the value of some stones: the sum of their prices. No trade changes it (BZ-46).

        >>> from tradekit.bazar import Exchange
        >>> prices = Exchange("R=WW W=BG").prices()
        >>> prices.value("RW") == prices.value("WWW") == prices.value("WWBG")
        True
        """
        return sum(price * n for price, n in zip(self.counts, Stones(stones).counts, strict=True))

    def __str__(self) -> str:
        return " ".join(f"{colour}={price}" for colour, price in zip(COLOURS, self.counts, strict=True))

    def to_frame(self) -> pd.DataFrame:
        """Return the ``price`` of each colour, an integer: one row per colour, in the order R W B G Y.

        >>> from tradekit.bazar import Exchange
        >>> Exchange("R=WW W=BG").prices().to_frame()["price"].to_dict()
        {'R': 4, 'W': 2, 'B': 1, 'G': 1, 'Y': 1}
        """
        import pandas as pd

        return pd.DataFrame({"price": self.counts}, index=pd.Index(list(COLOURS), name="colour"))

    def _repr_html_(self) -> str:
        return render.page(render.prices(self))


@dataclass(frozen=True, slots=True)
class Arbitrage:
    """A loop of trades that leads from some stones to the same and more, so that no prices can balance (BZ-46).

    >>> from tradekit.bazar import Exchange
    >>> loop = Exchange("R=WW W=R").prices()
    >>> loop.title(), loop.gain
    ('R becomes RW in 2 trades, within ten stones', Stones('W'))
    >>> loop.to_frame()
          before give take after
    trade
    1          R    R   WW    WW
    2         WW    W    R    RW
    """

    start: Stones
    trades: tuple[Equation, ...]  #: trades, each read from left to right
    within_ten: bool  #: True if every hand on the way has at most ten stones (BZ-14); if not, no such loop exists

    @property
    def steps(self) -> tuple[Step, ...]:
        """Trades in order, with the hand before and after each."""
        return walk(self.start, self.trades)

    @property
    def gain(self) -> Stones:
        """Stones at the end beyond those at the start."""
        return self.steps[-1].after - self.start

    def title(self) -> str:
        """Return one line with the start, the end, and whether the loop stays within ten stones."""
        how = (
            _("within ten stones")
            if self.within_ten
            else _("with the limit of ten stones lifted; within it there is no gain")
        )
        return _("{start} becomes {end} in {n} trades, {how}").format(
            start=self.start, end=self.steps[-1].after, n=len(self.trades), how=how
        )

    def __str__(self) -> str:
        return f"{self.title()}: {', '.join(map(str, self.trades))}"

    def to_frame(self) -> pd.DataFrame:
        """Return one row per trade, numbered from 1: ``before, give, take, after`` (stones as text)."""
        import pandas as pd

        rows = [tuple(map(str, (s.before, s.trade.left, s.trade.right, s.after))) for s in self.steps]
        return pd.DataFrame(
            rows, columns=["before", "give", "take", "after"], index=pd.RangeIndex(1, len(rows) + 1, name="trade")
        )

    def _repr_html_(self) -> str:
        return render.page(render.arbitrage(self))


def of(equations: Sequence[Equation]) -> Prices | Arbitrage:
    """Return the prices of an exchange, or the proof that there are none."""
    changes = np.array([e.right.counts for e in equations]) - np.array([e.left.counts for e in equations])
    counts = _balance(changes)
    if counts is not None:
        return Prices(counts, bool(np.linalg.matrix_rank(changes) == len(COLOURS) - 1))
    return _loop_within_ten(Moves(equations)) or _loop(equations, changes)


def _balance(changes: np.ndarray) -> tuple[int, ...] | None:
    """Return integer positive p with D p = 0, or None."""
    from scipy.optimize import linprog

    found = linprog(np.ones(5), A_eq=changes, b_eq=np.zeros(len(changes)), bounds=(1, None))
    if found.x is None:
        return None
    fractions = [Fraction(x).limit_denominator(_DENOMINATOR) for x in found.x.tolist()]
    scale = lcm(*(x.denominator for x in fractions))
    whole = np.array([int(x * scale) for x in fractions])
    whole //= np.gcd.reduce(whole)
    if whole.min() < 1 or (changes @ whole).any():
        raise ArithmeticError(f"prices {found.x} did not round to a solution in whole numbers")
    return tuple(whole.tolist())


def _loop_within_ten(moves: Moves) -> Arbitrage | None:
    """Find the shortest gaining loop inside the trade graph, with the fewest stones at its start; None without one.

    All pairs of a hand and a larger one that contains it are checked, 181,753 of them.
    """
    table = distances(moves)
    best: tuple[int, int, int] | None = None
    for gain in range(1, N):
        fits = int(np.searchsorted(SIZES, LIMIT - SIZES[gain], side="right"))  # smaller hands come first
        end = indices(COUNTS[:fits] + COUNTS[gain])
        length = table[np.arange(fits), end].astype(np.intp)
        length[length == UNREACHABLE] = N
        start = int(length.argmin())
        if length[start] < N and (best is None or (length[start], SIZES[start]) < (best[0], SIZES[best[1]])):
            best = int(length[start]), start, int(end[start])
    if best is None:
        return None
    left, at, goal = best
    trades = []
    while left:
        left -= 1
        number = next(i for i, e in enumerate(moves.after[:, at].tolist()) if e < N and table[e, goal] == left)
        trades.append(moves.trades[number])
        at = int(moves.after[number, at])
    return Arbitrage(holding(best[1]), tuple(trades), within_ten=True)


def _loop(equations: Sequence[Equation], changes: np.ndarray) -> Arbitrage:
    """Return the gaining mix of fewest trades, in an order that needs few stones at the start."""
    from scipy.optimize import LinearConstraint, milp

    trades = [t for e in equations for t in (e, e.reversed)]
    change = np.stack([sign * row for row in changes for sign in (1, -1)])
    gains = [LinearConstraint(change.T, 0), LinearConstraint(change.sum(axis=1), 1)]
    found = milp(np.ones(len(trades)), constraints=gains, integrality=np.ones(len(trades), int))
    if found.x is None:
        raise ArithmeticError("neither prices nor a gaining mix of trades were found, against Stiemke's theorem")
    todo = np.rint(found.x).astype(int)
    start, have, order = np.zeros(5, int), np.zeros(5, int), []
    while todo.any():
        lacking = {i: np.maximum(np.array(trades[i].left.counts) - have, 0) for i in np.flatnonzero(todo).tolist()}
        chosen = min(lacking, key=lambda i: int(lacking[i].sum()))
        start, have = start + lacking[chosen], have + lacking[chosen] + change[chosen]
        todo[chosen] -= 1
        order.append(trades[chosen])
    return Arbitrage(Stones.of(start.tolist()), tuple(order), within_ten=False)
