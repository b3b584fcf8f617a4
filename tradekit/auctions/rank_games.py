"""Auctions with whole bids as finite games: what every bid earns against the others' mixed strategies.

What a bid wins depends on two things only: how many others bid more, and who bids the same. Their joint distribution
is built opponent by opponent, so five bidders cost little more than two, and nothing is drawn at random. Both games
give arrays of one row a type (or a player) and one column a bid; `finite` solves them, `learn` watches them learned.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from tradekit._utils.arguments import items, number
from tradekit.auctions.formats import Format
from tradekit.auctions.values import Floats
from tradekit.i18n import _

Bools = npt.NDArray[np.bool_]
Bids = float | Iterable[float] | None  #: the highest bid, or all of them, or None: up to the largest value

Play = Callable[["Game"], Floats]  #: solves a game: its strategy

FEWEST: Final = 2
MOST: Final = 5  #: bidders
ALL: Final = slice(None)  #: rows
_NEARLY: Final = 1e-9


def ranks(opponents: Sequence[Floats] | Floats) -> Floats:
    """Return the probability of each rank, by number of opponents above, who of them is equal, and own bid.

    `opponents`: of each the chances of the bids. The second axis is a bit mask: with opponents 0 and 2 equal it is 5.
    With m opponents the shape is (m + 1, 2^m, bids).

    >>> ranks([np.array([0.25, 0.75])])[:, :, 0]      # an opponent's bid is higher than 0, or equal, but never lower
    array([[0.  , 0.25],
           [0.75, 0.  ]])
    """
    chances = np.zeros((len(opponents) + 1, 1, len(opponents[0])))
    chances[0] = 1
    for bids in opponents:
        below = np.cumsum(bids) - bids
        apart = chances * below
        apart[1:] += chances[:-1] * (1 - below - bids)
        chances = np.concatenate([apart, chances * bids], axis=1)
    return chances


class Terms:
    """A format's rules as two arrays: mean units and payments of a bidder, by rank (see `ranks`) and own bid.

    Equal bidders share their places evenly (a coin). With `void`, a tie at the lowest bid wins nothing: so is a rebid
    to which nobody adds (TU-16). `units`: of each place to this bidder, if not the format's prizes. `extra`: what each
    bid costs besides.
    """

    def __init__(
        self,
        format: Format,
        bids: Floats,
        bidders: int,
        void: bool = False,
        units: Floats | None = None,
        extra: Floats | float = 0.0,
    ) -> None:
        self._format, self._bids = format, np.nan_to_num(bids)
        above = np.arange(bidders)[:, None, None]
        equal = np.array([mask.bit_count() for mask in range(1 << (bidders - 1))])[:, None]
        prizes = np.zeros(2 * bidders)
        prizes[: format.places] = (format.prizes if units is None else units)[: 2 * bidders]
        wins = self._mean(np.arange(2 * bidders) < format.places, above, equal) * (bids >= format.reserve)
        self.units: Floats = self._mean(prizes, above, equal) * (bids >= format.reserve)
        if void:
            wins[:, 1:, 0] = self.units[:, 1:, 0] = 0
        owes = format.loser_owes(self._bids)
        price = format.payment.known_price(self._bids, above + equal + 1 > format.places)
        self.pays: Floats = wins * price + (1 - wins) * owes + format.fee + extra
        self.pays[..., np.isnan(bids)] = 0

    @staticmethod
    def _mean(prizes: npt.NDArray[np.generic], above: npt.NDArray[np.int64], equal: npt.NDArray[np.int64]) -> Floats:
        """The mean prize of the places that `equal + 1` bidders fill."""
        sums = np.concatenate([[0.0], np.cumsum(prizes)])
        return np.asarray((sums[np.minimum(above + equal + 1, len(prizes))] - sums[above]) / (equal + 1))

    def earned(self, opponents: Sequence[Floats] | Floats) -> tuple[Floats, Floats]:
        """Return expected units and payment of each bid, against `opponents` as for `ranks`.

        >>> terms = Terms(Format(), np.array([0.0, 1.0, 2.0]), bidders=2)  # first price
        >>> units, pays = terms.earned([np.array([0.5, 0.5, 0])])
        >>> units.tolist(), pays.tolist()
        ([0.25, 0.75, 1.0], [0.0, 0.75, 2.0])
        """
        chances = ranks(opponents)
        units = np.einsum("aeb,aeb->b", chances, self.units)
        pays = np.einsum("aeb,aeb->b", chances, self.pays)
        return units, pays + self._format.payment.lower_price(self._format, self._bids, chances)


@dataclass(frozen=True, eq=False)
class Game(ABC):
    """A finite auction game; a strategy has a row for each type or player, of the chances of the bids.

    Made by `PrivateValues.of` or `KnownValues.of`. Units and amounts are expectations, amounts in the money of the
    values; `rows` asks for some rows only.

    >>> game = PrivateValues.of(Format(step=1), range(3))  # first price, the values 0, 1 and 2
    >>> even = game.uniform()
    >>> units, pays = game.earned(even)
    >>> units.round(2), pays.round(2)
    (array([[0.17, 0.5 , 0.83]]), array([[0.  , 0.5 , 1.67]]))
    >>> game.payoffs(even).round(2)
    array([[ 0.  , -0.5 , -1.67],
           [ 0.17,  0.  , -0.83],
           [ 0.33,  0.5 ,  0.  ]])
    >>> game.gains(even).round(2), round(game.exploitability(even), 2)
    (array([0.72, 0.39, 0.22]), 0.44)
    >>> best = np.eye(3)[[0, 0, 1]]  # they bid 0, 0 and 1
    >>> game.exploitability(best), round(game.revenue(best), 2), game.odd_share(best)
    (0.0, 0.56, 1.0)
    """

    format: Format
    bids: Floats  #: rising; NaN stands for no bid
    values: Floats  #: of a unit, by row
    weights: Floats  #: how often each row is met; they add up to 1
    allowed: Bools  #: which bids each row may make
    bidders: int
    terms: tuple[Terms, ...]  #: the rules for each player, or one for all

    @property
    def labels(self) -> tuple[str, npt.NDArray[np.generic]]:
        """The kind of rows, and their names."""
        return "value", self.values

    @property
    def turns(self) -> Iterator[slice]:
        """Rows that may change together; a player's change is another's surprise."""
        yield ALL

    @abstractmethod
    def earned(self, strategy: Floats, rows: slice = ALL) -> tuple[Floats, Floats]:
        """Return expected units and payment, by row and bid, when everyone else plays the strategy."""

    def ready(self, play: Play) -> Game:
        """Return the game with what must be played first solved by `play`: rebids, so here there is nothing to do.

        >>> game = KnownValues.of(Format(step=1), (3, 2))
        >>> game.ready(Game.uniform) is game
        True
        """
        return self

    def payoffs(self, strategy: Floats, rows: slice = ALL) -> Floats:
        """Return the expected payoff, by row and bid."""
        units, pays = self.earned(strategy, rows)
        return self.values[rows, None] * units - pays

    def gains(self, strategy: Floats) -> Floats:
        """Return the most that each row gains by deviating alone."""
        payoffs = self.payoffs(strategy)
        best = np.where(self.allowed, payoffs, -np.inf).max(axis=1)
        return np.asarray(best - (strategy * payoffs).sum(axis=1))

    def exploitability(self, strategy: Floats) -> float:
        """Return the mean over types, or players, of the largest gain from deviating."""
        return float(self.weights @ self.gains(strategy))

    def revenue(self, strategy: Floats) -> float:
        """Return the expected revenue."""
        pays = (strategy * self.earned(strategy)[1]).sum(axis=1)
        return float(self.bidders * (self.weights @ pays))

    def odd_share(self, strategy: Floats) -> float:
        """Return the share of odd bids (in steps) among the positive ones."""
        chances = self.weights @ strategy
        steps = np.round(np.nan_to_num(self.bids) / (self.format.step or 1), 9)
        positive = chances[steps > 0].sum()
        return float(chances[steps % 2 == 1].sum() / positive) if positive else 0.0

    def normalised(self, amounts: Floats | Bools, rows: slice = ALL) -> Floats:
        """Return amounts as a strategy: in proportion, and evenly over the allowed bids in a row where all are 0.

        >>> game = PrivateValues.of(Format(step=1), range(2))
        >>> game.normalised(np.array([[0, 0], [3, 1]])).tolist()
        [[0.5, 0.5], [0.75, 0.25]]
        """
        amounts = amounts * self.allowed[rows]
        amounts = np.where(amounts.any(axis=1, keepdims=True), amounts, self.allowed[rows])
        return np.asarray(amounts / amounts.sum(axis=1, keepdims=True))

    def uniform(self) -> Floats:
        """Return the strategy that makes every allowed bid equally often."""
        return self.normalised(np.zeros(self.allowed.shape))


class PrivateValues(Game):
    """Values are drawn independently, and each bidder knows only their own: one strategy, that all play."""

    @classmethod
    def of(
        cls,
        format: Format,
        values: Iterable[float] | Mapping[float, float] = range(21),
        bids: Bids = None,
        bidders: int = 2,
        cap: Callable[[float], float] | None = None,
    ) -> PrivateValues:
        """Return the game of a format; what it takes is explained at `finite.solve`.

        Raises `ValueError` for ties by rebid (TU-14), for values, chances or bids that cannot be, for other numbers of
        bidders than 2 to 5, and for more prizes than bidders.

        >>> game = PrivateValues.of(Format(fee=1), {0: 0.25, 4: 0.75}, bids=2)
        >>> game.bids, game.weights  # where it costs to bid, one may stay away
        (array([nan,  0.,  1.,  2.]), array([0.25, 0.75]))
        """
        if format.ties == "rebid":
            raise ValueError(
                _(
                    "ties='rebid' with private values: bids that are seen before a rebid tell about the values, a game "
                    "with beliefs that is not solved here; use dataclasses.replace(format, ties='coin') (TU-14)"
                )
            )
        if not isinstance(values, Mapping):
            values = items(values, "values", number, "(0, 1, 2)")
            if len({*values}) < len(values):
                raise ValueError(_("values={values}: one stands twice; give {{value: chance}}").format(values=values))
            values = dict.fromkeys(values, 1 / max(1, len(values)))
        worth, weights = _numbers(values.keys(), _("values")), _numbers(values.values(), _("probabilities"))
        if abs(weights.sum() - 1) > _NEARLY:
            raise ValueError(_("probabilities add up to {sum:g}, not to 1").format(sum=weights.sum()))
        _check_bidders(format, bidders)
        grid = _grid(format, bids, worth)
        most = np.array([np.inf if cap is None else cap(value) for value in worth.tolist()])
        return cls(format, grid, worth, weights, _allowed(grid, most, worth), bidders, (Terms(format, grid, bidders),))

    def earned(self, strategy: Floats, rows: slice = ALL) -> tuple[Floats, Floats]:
        """Return expected units and payment, by bid, for whatever value."""
        units, pays = self.terms[0].earned([self.weights @ strategy] * (self.bidders - 1))
        return units[None], pays[None]


@dataclass(frozen=True, eq=False)
class KnownValues(Game):
    """Everybody knows what a unit, or each place, is worth to everybody: a row for each player."""

    units: Floats  #: of each place, by player; values times units is what the places are worth
    extra: Floats  #: what each bid costs besides, by player and bid

    @classmethod
    def of(
        cls,
        format: Format,
        values: Iterable[float] | Iterable[Sequence[float]],
        bids: Bids = None,
        budgets: Iterable[float] | None = None,
        extra: Callable[[int, float], float] | None = None,
        tied: bool = False,
    ) -> Self:
        """Return the game of a format; what it takes is explained at `finite.solve_known`.

        Raises `ValueError` for values, bids or budgets that cannot be, for other numbers of bidders than 2 to 5, and
        for more prizes than bidders.

        >>> KnownValues.of(Format(step=1), (3, 2), budgets=(3, 1)).allowed
        array([[ True,  True,  True,  True],
               [ True,  True, False, False]])
        """
        worth, units = _worth(format, values)
        players = len(worth)
        _check_bidders(format, players)
        grid = _grid(format, bids, worth)
        most = np.full(players, np.inf) if budgets is None else _numbers(budgets, _("budgets"))
        if len(most) != players:
            raise ValueError(_("budgets={budgets}: {n} are needed, one a bidder").format(budgets=budgets, n=players))
        costs = [[extra(player, bid) if extra else 0.0 for bid in grid.tolist()] for player in range(players)]
        return cls._among(format, grid, worth, units, np.array(costs), _allowed(grid, most, worth), tied)

    @classmethod
    def _among(
        cls, format: Format, bids: Floats, values: Floats, units: Floats, extra: Floats, allowed: Bools, void: bool
    ) -> Self:
        n = len(values)
        terms = tuple(Terms(format, bids, n, void, *own) for own in zip(units, extra, strict=True))
        return cls(format, bids, values, np.full(n, 1 / n), allowed, n, terms, units, extra)

    @property
    def labels(self) -> tuple[str, npt.NDArray[np.generic]]:
        """The players, by number."""
        return "player", np.arange(self.bidders)

    @property
    def turns(self) -> Iterator[slice]:
        """The players, one by one."""
        return (slice(player, player + 1) for player in range(self.bidders))

    def earned(self, strategy: Floats, rows: slice = ALL) -> tuple[Floats, Floats]:
        """Return expected units and payment, by player and bid."""
        players = range(self.bidders)[rows]
        earned = [self.terms[player].earned(np.delete(strategy, player, axis=0)) for player in players]
        units, pays = zip(*earned, strict=True)
        return np.stack(units), np.stack(pays)

    def payoffs(self, strategy: Floats, rows: slice = ALL) -> Floats:
        """Return the expected payoff, by player and bid."""
        if self.bidders > 2:
            return super().payoffs(strategy, rows)
        tables = self._matrices  # the same, but much quicker
        return np.stack([tables[player] @ strategy[1 - player] for player in range(2)[rows]])

    def matrices(self) -> Floats:
        """Return the payoffs by player, own bid and the other's bid. Raises `ValueError` for more than two players.

        >>> KnownValues.of(Format(loser_pays=1, step=1), (3, 3), bids=2).matrices()[0]  # all-pay
        array([[ 1.5,  0. ,  0. ],
               [ 2. ,  0.5, -1. ],
               [ 1. ,  1. , -0.5]])
        """
        if self.bidders != 2:
            raise ValueError(_("{n} bidders: matrices of payoffs are for two").format(n=self.bidders))
        bids = np.eye(len(self.bids))
        return np.stack([super(KnownValues, self).payoffs(np.stack([bid, bid])) for bid in bids], axis=-1)

    @cached_property
    def _matrices(self) -> Floats:
        return self.matrices()


@dataclass(frozen=True, eq=False)
class Rebids(KnownValues):
    """Known values where the tied bid again (TU-14 to TU-17), by backward induction.

    A rebid is the same auction among the tied for the places that they fill, in totals from the tied bid up; if two or
    more add nothing, they are void. What it gives in equilibrium is put where the tie was.

    >>> from tradekit.auctions import turin
    >>> ready = Rebids.of(turin(2), (4, 4), bids=3).ready(Game.uniform)
    >>> ready.terms[0].units[0, 1].round(2)  # cards, where both bid 0, 1, 2 or 3: at 3 nobody can add (TU-16)
    array([0.  , 0.89, 0.75, 0.  ])
    """

    slack: tuple[Floats, ...] = ()  #: by player, in the form of their terms: what is gained by deviating in a rebid

    def ready(self, play: Play) -> Rebids:
        """Return the game with each rebid solved by `play`."""
        terms = self._among(self.format, self.bids, self.values, self.units, self.extra, self.allowed, void=False).terms
        slack = tuple(np.zeros_like(t.units) for t in terms)
        for low in np.flatnonzero(self.bids >= self.format.reserve).tolist():
            for group in _groups(np.flatnonzero(self.allowed[:, low]).tolist()):
                for above in range(min(self.format.places, self.bidders - len(group) + 1)):
                    rebid = self._rebid(group, above, low)
                    strategy = play(rebid)
                    units, pays = ((strategy * part).sum(axis=1) for part in rebid.earned(strategy))
                    gains = rebid.gains(strategy)
                    for row, player in enumerate(group):
                        cell = above, _mask(player, group), low
                        terms[player].units[cell], terms[player].pays[cell] = units[row], pays[row]
                        slack[player][cell] = gains[row]
        return replace(self, terms=terms, slack=slack)

    def _rebid(self, group: Sequence[int], above: int, low: int) -> KnownValues:
        rows, format = [*group], replace(self.format, prizes=self.format.prizes[above:], ties="coin")
        units, extra, allowed = self.units[rows, above:], self.extra[rows, low:], self.allowed[rows, low:]
        return KnownValues._among(format, self.bids[low:], self.values[rows], units, extra, allowed, void=True)

    def gains(self, strategy: Floats) -> Floats:
        """Return the most that each player gains by deviating alone, in the first bids and the rebids together."""
        payoffs = self.payoffs(strategy)
        chances = (ranks(np.delete(strategy, player, axis=0)) for player in range(self.bidders))
        more = [np.einsum("aeb,aeb->b", c, slack) for c, slack in zip(chances, self.slack, strict=True)]
        best = np.where(self.allowed, payoffs + more, -np.inf).max(axis=1)
        return np.asarray(best - (strategy * payoffs).sum(axis=1))


def _groups(players: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All groups of two or more."""
    return chain.from_iterable(combinations(players, size) for size in range(2, len(players) + 1))


def _mask(player: int, group: Sequence[int]) -> int:
    """The group as `player` sees it: bits of the opponents, in their order."""
    return sum(1 << (other - (other > player)) for other in group if other != player)


# Checks


def _numbers(numbers: Iterable[float], what: str) -> Floats:
    array = np.array(items(numbers, what, number), float)
    if not array.size or not np.isfinite(array).all() or array.min() < 0:
        raise ValueError(
            _("{what}: {numbers}; numbers of 0 or more are needed").format(what=what, numbers=array.tolist())
        )
    return array


def _check_bidders(format: Format, bidders: int) -> None:
    if bidders not in range(FEWEST, MOST + 1):
        raise ValueError(_("bidders={n}: {few} to {many} are needed").format(n=bidders, few=FEWEST, many=MOST))
    if format.places > bidders:
        raise ValueError(_("{k} prizes for {n} bidders: there must not be more").format(k=format.places, n=bidders))


def _worth(format: Format, values: Iterable[float] | Iterable[Sequence[float]]) -> tuple[Floats, Floats]:
    """Return the worth of a unit to each player, and the units of each place to each.

    Where each place has a worth of its own, the best one counts as one unit.
    """
    given = items(values, "values", example="(3, 2)")
    if not given or not isinstance(given[0], Sequence | np.ndarray):
        worth = _numbers(given, _("values"))
        return worth, np.broadcast_to(np.array(format.prizes, float), (len(worth), format.places))
    places = np.array(given, float)
    if places.shape[1:] != (format.places,) or not np.isfinite(places).all():
        raise ValueError(
            _("values: {values}; of each bidder a number for each of the {n} places is needed").format(
                values=places.tolist(), n=format.places
            )
        )
    best = places.max(axis=1)
    worth = np.where(best > 0, best, 1.0)
    return worth, places / worth[:, None]


def _grid(format: Format, bids: Bids, values: Floats) -> Floats:
    """The bids there are: whole ones, or multiples of the format's step; with a fee also none at all."""
    step = format.step or 1
    if bids is None:
        bids = float(values.max() * format.prizes[0])
    grid = _numbers(bids if isinstance(bids, Iterable) else [bids], _("bids"))
    if not isinstance(bids, Iterable):
        grid = step * np.arange(int(grid[0] / step + _NEARLY) + 1, dtype=float)
    if (np.diff(grid) <= 0).any():
        raise ValueError(_("bids: {bids}; they must rise").format(bids=grid.tolist()))
    off = grid[np.abs(grid / step - np.round(grid / step)) > _NEARLY]
    if format.step is not None and off.size:
        raise ValueError(_("bids: {bid:g} is not a multiple of {step:g}").format(bid=off[0], step=step))
    return np.concatenate([[np.nan], grid]) if format.fee else grid


def _allowed(grid: Floats, most: Floats, values: Floats) -> Bools:
    allowed = np.nan_to_num(grid) <= most[:, None] + _NEARLY
    unable = values[~allowed.any(axis=1)]
    if unable.size:
        raise ValueError(_("value {value:g} may make none of the bids").format(value=unable[0]))
    return np.asarray(allowed)
