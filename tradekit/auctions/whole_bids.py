"""Whole bids: equilibria of auctions where bids stand on a grid, each with the largest gain from deviating from it.

With whole money the formulas of `equilibrium` hold no longer, and half a bid that is rounded down changes what people
should do. Solved here: private values, of which each bidder knows only their own, and values that all know.

- Regret matching+ in its predictive form (Farina, Kroer and Sandholm, "Faster game solving via predictive Blackwell
  approachability", 2021); the answer is the average strategy.
- Lemke and Howson's method (1964) for two players with known values: exact.
- Logit quantal response (McKelvey and Palfrey 1995): better bids are made more often, not always.

Such games have several equilibria: `Solution.compare` starts from several seeds and shows what differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

import numpy as np

from tradekit._utils.arguments import between, checked, generator, whole
from tradekit.auctions.formats import Format
from tradekit.auctions.rank_games import Bids, Game, KnownValues, PrivateValues, Rebids
from tradekit.auctions.values import Floats
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

_LOOK: Final = 500  # steps between two looks at the exploitability
NOTHING: Final = 1e-12  #: of the highest value; a regret that is less is an error of rounding, and none
_LEVELS: Final = 8  # doublings of the precision of a quantal response
_SEEN: Final = 1e-3  # bids made more rarely are not listed in a support


@dataclass(frozen=True)
class Method:
    """A method to solve a game: called with a game and a seed, it gives a strategy."""

    target: float = 1e-3  #: the exploitability to stop at
    steps: int = 50_000  #: at most
    precision: float | None = None  #: of a quantal response
    exact: bool = False  #: Lemke and Howson's

    def __post_init__(self) -> None:
        if self.precision is not None and not 0 <= self.precision < float("inf"):
            raise ValueError(_("precision={precision}: a number from 0 is needed").format(precision=self.precision))
        if self.exact and self.precision is not None:
            raise ValueError(_("exact=True finds an equilibrium, precision a quantal response: choose one"))

    def __call__(self, game: Game, seed: int) -> Floats:
        """Return a strategy for a game."""
        if self.exact:
            return lemke_howson(game, seed)
        if self.precision is not None:
            return quantal_response(game, self.precision)
        return regret_matching(game, self.target, self.steps, seed)

    def __str__(self) -> str:
        if self.precision is not None:
            return _("logit quantal response, precision {precision:g}").format(precision=self.precision)
        return _("Lemke and Howson's method") if self.exact else _("regret matching+")


@checked(steps=whole(1), target=between(0))
def solve(
    format: Format,
    values: Iterable[float] | Mapping[float, float] = range(21),
    bids: Bids = None,
    bidders: int = 2,
    *,
    cap: Callable[[float], float] | None = None,
    precision: float | None = None,
    target: float = Method.target,
    steps: int = Method.steps,
    seed: int = 0,
) -> Solution:
    """Find a symmetric equilibrium of 2 to 5 bidders with private values.

    `values` of a unit: equally likely, or a mapping of values to probabilities. `bids`: the highest, or all of them;
    whole ones, or multiples of the format's step. `cap(value)`: the highest bid that a value may make. The search ends
    when the exploitability is at most `target`, in the money of the values, or after so many `steps`: `reached` says
    which, and so does the text of the solution. A single value may gain more than the mean: see `gain`. With
    `precision`, the logit quantal response instead.

    >>> solution = solve(Format(loser_pays=0.5, reserve=1, step=1, rounding="down"))
    >>> solution.exploitability < 1e-3, solution.odd_share > 0.95
    (True, True)
    """
    game = PrivateValues.of(format, values, bids, bidders, cap)
    return _solution(game, Method(target, steps, precision), seed)


@checked(steps=whole(1), target=between(0))
def solve_known(
    format: Format,
    values: Iterable[float] | Iterable[Sequence[float]],
    bids: Bids = None,
    *,
    budgets: Iterable[float] | None = None,
    extra: Callable[[int, float], float] | None = None,
    tied: bool = False,
    precision: float | None = None,
    exact: bool = False,
    target: float = Method.target,
    steps: int = Method.steps,
    seed: int = 0,
) -> Solution:
    """Find an equilibrium of 2 to 5 bidders who know each other's values.

    `values`: of a unit, one a bidder; or a row a bidder of what each place is worth, which may be below 0. `budgets`:
    the highest bid of each. `extra(bidder, bid)`: what a bid costs besides. `exact`: by Lemke and Howson's method, from
    the pivot `seed`; for two bidders, and needs QuantEcon. If ties are settled by rebids (TU-14), these are solved
    first, in the same way. `tied`: this auction is such a rebid; `bids` are totals, from the tied bid up, and two or
    more who stay at the lowest win nothing (TU-16).

    >>> solution = solve_known(Format(loser_pays=0.5, step=0.5), (10, 8))
    >>> solution.payoffs.round(1) + 0, solution.gain < 5e-3
    (array([2., 0.]), True)
    """
    if format.ties == "rebid" and not format.payment.rebids:
        raise ValueError(_("ties='rebid' with winner_pays={rule!r}: not solved here").format(rule=format.winner_pays))
    if tied:
        format = replace(format, ties="coin")
    kind = Rebids if format.ties == "rebid" else KnownValues
    return _solution(kind.of(format, values, bids, budgets, extra, tied), Method(target, steps, precision, exact), seed)


def _solution(game: Game, method: Method, seed: int) -> Solution:
    ready = game.ready(partial(method, seed=seed))
    return Solution(ready, method(ready, seed), method, seed)


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """A strategy profile of a game, and how near it is to an equilibrium.

    >>> solution = solve_known(Format(loser_pays=1, step=1), (3, 3), bids=2)  # all-pay
    >>> solution.to_frame().head(3).round(2)
       player  value  bid  probability
    0       0    3.0  0.0         0.33
    1       0    3.0  1.0         0.33
    2       0    3.0  2.0         0.33
    >>> solution.support()[["payoff", "mean_bid", "bids"]].round(2)
       payoff  mean_bid     bids
    0     0.5       1.0  0, 1, 2
    1     0.5       1.0  0, 1, 2
    >>> solution.compare(seeds=[1])["distance"].round(2).tolist()  # another seed leads to the same
    [0.0]
    """

    game: Game
    strategy: Floats  #: by value (or player) and bid: the chance of the bid
    method: Method
    seed: int

    @cached_property
    def payoffs(self) -> Floats:
        """Expected payoff by value, or by player."""
        return np.asarray((self.strategy * self.game.payoffs(self.strategy)).sum(axis=1))

    @cached_property
    def gains(self) -> Floats:
        """By value, or by player: the most that is gained by deviating alone."""
        return self.game.gains(self.strategy)

    @property
    def gain(self) -> float:
        """The largest gain of any value, or player."""
        return float(self.gains.max())

    @property
    def exploitability(self) -> float:
        """The gains' mean over values, or players."""
        return float(self.game.weights @ self.gains)

    @property
    def reached(self) -> bool | None:
        """True if the mean gain is at most the target of the search; None for a method that has no target."""
        if self.method.exact or self.method.precision is not None:
            return None
        return self.exploitability <= self.method.target

    @cached_property
    def revenue(self) -> float:
        """The expected revenue."""
        return self.game.revenue(self.strategy)

    @property
    def odd_share(self) -> float:
        """The share of odd bids among the positive ones."""
        return self.game.odd_share(self.strategy)

    @property
    def residual(self) -> float | None:
        """The distance of a quantal response from the response to itself; None for an equilibrium."""
        if self.method.precision is None:
            return None
        return float(np.abs(response(self.game, self.strategy, self.method.precision) - self.strategy).max())

    def __str__(self) -> str:
        what = _("an equilibrium") if self.method.precision is None else _("a quantal response")
        if self.game.format.name:
            what = _("{what} of {format}").format(what=what, format=self.game.format)
        told = _(
            "{what}, {n} bidders ({method}, seed {seed}): largest gain from deviating {gain:.2g}, "
            "mean gain {mean:.2g}, revenue {revenue:.2f}"
        ).format(
            what=what, n=self.game.bidders, method=self.method, seed=self.seed,
            gain=self.gain, mean=self.exploitability, revenue=self.revenue,
        )  # fmt: skip
        if self.reached is None:
            return told
        if self.reached:
            return _("{told}; the mean gain is within its target, {target:g}").format(
                told=told, target=self.method.target
            )
        return _("{told}; the mean gain is above its target, {target:g}").format(told=told, target=self.method.target)

    def __repr__(self) -> str:
        return f"<Solution: {self}>"

    def to_frame(self) -> pd.DataFrame:
        """Return the strategy in long format: a row for each value, or player, and bid. No bid is NaN.

        Columns: ``value``, or ``player, value``, then ``bid, probability``.
        """
        import pandas as pd

        frame = self._rows().merge(pd.DataFrame({"bid": self.game.bids}), how="cross")
        return frame.assign(probability=self.strategy.ravel())

    @checked(least=between(0, 1))
    def support(self, least: float = _SEEN) -> pd.DataFrame:
        """Return a row for each value, or player: payoff, gain from deviating, mean bid, and the bids made.

        Columns: ``value``, or ``player, value``, then ``weight`` (the chance of that value), ``payoff, gain, mean_bid``
        and ``bids``, a text of those made with a probability of at least `least`; a dash there is no bid.
        """
        bids = np.nan_to_num(self.game.bids)
        names = np.array(["–" if np.isnan(bid) else f"{bid:g}" for bid in self.game.bids])
        made = [", ".join(names[row >= least]) for row in self.strategy]
        return self._rows().assign(
            weight=self.game.weights, payoff=self.payoffs, gain=self.gains, mean_bid=self.strategy @ bids, bids=made
        )

    def compare(self, seeds: Iterable[int] = range(4)) -> pd.DataFrame:
        """Solve the same game from other seeds: a row each, with the distance in bids from this solution.

        `distance`: the probability that would have to be moved, on average, to get from one strategy to the other.
        Payoffs are by value or by player, in columns of their own: ``payoff 0`` and so on, after ``seed,
        exploitability, gain, revenue, odd_share, distance``.
        """
        import pandas as pd

        rows = []
        for seed in seeds:
            other = _solution(self.game, self.method, seed)
            apart = float(self.game.weights @ np.abs(other.strategy - self.strategy).sum(axis=1)) / 2
            payoffs = {f"payoff {name}": x for name, x in zip(self._names(), other.payoffs.tolist(), strict=True)}
            rows.append(
                {"seed": seed, "exploitability": other.exploitability, "gain": other.gain, "revenue": other.revenue,
                 "odd_share": other.odd_share, "distance": apart, **payoffs}
            )  # fmt: skip
        return pd.DataFrame(rows)

    def _names(self) -> list[str]:
        return [f"{label:g}" for label in self.game.labels[1].tolist()]

    def _rows(self) -> pd.DataFrame:
        import pandas as pd

        name, labels = self.game.labels
        return pd.DataFrame({name: labels, "value": self.game.values})


# The solvers


def regret_matching(game: Game, target: float, steps: int, seed: int) -> Floats:
    """Return the average strategy of predictive regret matching+ when `target` is reached, or the best one seen.

    A bid's regret is what it would have earned more than the strategy did, added up and never below 0. The next
    strategy is in proportion to the regrets that there would be if the last step happened again; without this
    prediction known values take many times as long. Players change in turn. Later steps weigh more in the average, by
    their square.
    """
    regrets = generator(seed).random(game.allowed.shape) * game.values.max()
    nothing = NOTHING * game.values.max()
    total, strategy = np.zeros(game.allowed.shape), game.normalised(regrets)
    best, least = strategy.copy(), np.inf
    for step in range(1, steps + 1):
        for rows in game.turns:
            payoffs = game.payoffs(strategy, rows)
            missed = payoffs - (strategy[rows] * payoffs).sum(axis=1, keepdims=True)
            missed[np.abs(missed) <= nothing] = 0
            regrets[rows] = np.maximum(regrets[rows] + missed, 0)
            strategy[rows] = game.normalised(np.maximum(regrets[rows] + missed, 0), rows)
        total += step**2 * strategy
        if step % _LOOK == 0 or step == steps:
            average = game.normalised(total)
            exploitability = game.exploitability(average)
            if exploitability < least:
                best, least = average, exploitability
            if least <= target:
                break
    return best


def quantal_response(game: Game, precision: float) -> Floats:
    """Find the logit quantal response: each bid's probability is in proportion to exp(precision x its payoff).

    Followed from even chances as the precision is doubled up to the one wanted, each time by Powell's hybrid method (a
    damped iteration alone circles where the precision is high). `Solution.residual` tells how well it answers itself.
    """
    from scipy.optimize import root

    def change(flat: Floats, precision: float) -> Floats:
        strategy = flat.reshape(game.allowed.shape)
        return np.asarray((response(game, strategy, precision) - strategy).ravel())

    strategy = game.uniform()
    for halvings in range(_LEVELS, -1, -1):
        found = root(change, strategy.ravel(), args=(precision / 2**halvings,), method="hybr", tol=1e-12)
        strategy = found.x.reshape(strategy.shape)
    return response(game, strategy, precision)


def response(game: Game, strategy: Floats, precision: float) -> Floats:
    """Return the logit response to a strategy."""
    worth = np.where(game.allowed, precision * game.payoffs(strategy), -np.inf)
    return game.normalised(np.exp(worth - worth.max(axis=1, keepdims=True)))


def lemke_howson(game: Game, seed: int) -> Floats:
    """Find an equilibrium of two players with known values, exact but for rounding; `seed` chooses the pivot."""
    if not isinstance(game, KnownValues) or game.bidders != 2:
        raise ValueError(_("exact=True is for two bidders with known values"))
    try:
        game_theory = import_module("quantecon.game_theory")  # heavy: it brings Numba
    except ImportError as error:
        raise ImportError(_("exact=True needs QuantEcon: pip install 'tradekit[exact]'")) from error
    first, second = game.matrices()
    able = [np.flatnonzero(row) for row in game.allowed]
    tables = (first[np.ix_(*able)], second[np.ix_(*able[::-1])])
    players = [game_theory.Player(np.ascontiguousarray(table)) for table in tables]
    found = game_theory.lemke_howson(game_theory.NormalFormGame(players), init_pivot=seed % sum(map(len, able)))
    strategy = np.zeros(game.allowed.shape)
    for row, bids, chances in zip(strategy, able, found, strict=True):
        row[bids] = chances
    return strategy
