"""Sales of a hand, and the exact probability of a better sale with the cards to come (SI-71).

To a player all unseen cards are alike: any of them can come next (hypergeometric draws). The exception are cards that
the player has put under the pile, which come when the rest of the pile is drawn. Goods depend on each other only
through the number of cards that come, so sets of cards are counted good by good and the counts are combined.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Final, cast

import numpy as np
import numpy.typing as npt

from tradekit._utils.arguments import checked, whole
from tradekit.game import CHANCE, View
from tradekit.game import State as AnyState
from tradekit.i18n import _
from tradekit.silk.actions import SELL
from tradekit.silk.cards import GOODS, ONE_GOOD, UNKNOWN, VALUES, WORTH, Cards, lowest, text, worth
from tradekit.silk.market import HIGHEST
from tradekit.silk.parameters import HIDDEN, RICH_SALE, Parameters, Step
from tradekit.silk.rules import State

if TYPE_CHECKING:
    import pandas as pd

Ints = npt.NDArray[np.int64]
Position = AnyState | View

ANY: Final = "any"  #: name of the row for all goods together
SETS: Final = np.arange(ONE_GOOD + 1)  #: all sets of values of one good
SIZES: Final = np.array([values.bit_count() for values in SETS.tolist()])
SUMS: Final = np.array(WORTH)


def most_of_subsets(values: Ints) -> Ints:
    """Return, for every set of values, the highest of `values` among its subsets, (..., 1024)."""
    most = values.reshape(*values.shape[:-1], *(2,) * VALUES).copy()
    for axis in range(values.ndim - 1, most.ndim):
        without, with_ = np.moveaxis(most, axis, 0)
        np.maximum(without, with_, out=with_)
    return most.reshape(values.shape)


@lru_cache(maxsize=64)
def best_sales(parameters: Parameters) -> Ints:
    """Return the dinars of the best sale at each demand by set of values of a good, (5, 1024); 0 for none (SI-21)."""
    best = np.zeros((HIGHEST + 1, len(SETS)), np.int64)
    for demand in range(1, HIGHEST + 1):
        dinars = np.array(parameters.dinars[demand])[SUMS]
        best[demand] = most_of_subsets(np.where(demand == SIZES, dinars, 0))
    return best


@lru_cache(maxsize=4096)
def subsets(values: int) -> tuple[Ints, Ints]:
    """Return all subsets of a set of values, and their sizes."""
    found = np.zeros(1, np.int64)
    for bit in range(VALUES):
        if values >> bit & 1:
            found = np.concatenate([found, found | 1 << bit])
    return found, SIZES[found]


@lru_cache(maxsize=8192)
def _others(cards: int, good: int, draws: int) -> tuple[Ints, Ints]:
    """Count n draws from `cards` with k of the `good` ones, (draws + 1, good + 1); and count all draws."""
    rows = [[comb(cards - good, n - k) if k <= n else 0 for k in range(good + 1)] for n in range(draws + 1)]
    return np.array(rows), np.array([comb(cards, n) for n in range(draws + 1)])


def means_of_draws(values: Ints, held: int, unseen: int, cards: int, draws: int) -> Ints:
    """Return the mean of `values` for the set in hand plus draws from `unseen`, rounded down, (draws + 1,).

    0, 1, ... `draws` of the `cards` are drawn. The arithmetic uses integers, so the result is the same on every
    machine. For `values` up to 10^9 the sums stay below 2^63, because there are at most 5 * 10^8 ways to draw eight
    cards.

    >>> means_of_draws(10 * SIZES, held=0b1, unseen=0b1110, cards=6, draws=2).tolist()  # half of the cards are of it
    [10, 15, 20]
    """
    sets, sizes = subsets(unseen)
    by_size = np.zeros(unseen.bit_count() + 1, np.int64)
    np.add.at(by_size, sizes, values[sets | held])
    others, ways = _others(cards, unseen.bit_count(), draws)
    return (others @ by_size) // ways


# A view read for the odds


class Outlook:
    """A player's hand, the present market, and the cards that can still come: a view read for the odds."""

    def __init__(self, position: Position, player: int | None = None) -> None:
        if isinstance(position, View):
            view = position
        else:
            if player is None and position.turn_of == CHANCE:
                raise ValueError(_("before the game begins nobody has the turn: say for which player"))
            view = position.view(position.turn_of if player is None else player)
        if player is not None and player != view.player:
            raise ValueError(
                _("that is what player {n} knows, not player {player}").format(n=view.player, player=player)
            )
        self.player, self.state = view.player, cast(State, view.known)
        if self.state.game.name != "silk" or self.state.step in (Step.MARKET, Step.DEAL):
            raise ValueError(_("the odds of a sale need a hand and a market of The Silk Road (SI-71)"))
        self.hand, self.unseen = self.state.hands[self.player], self.state.unseen

    @property
    def demands(self) -> list[int]:
        """Number of cards of each good that this player can sell; 0 where a bribe forbids it (SI-32)."""
        marker = self.state.marker
        barred = marker[2:] if marker and marker[1] != self.player else ()
        return [0 if good in barred else demand for good, demand in enumerate(self.state.market.demands)]

    def coming(self, draws: int, between: int = 0) -> tuple[int, Cards]:
        """Return the number of unseen cards among the player's next `draws` cards, and the known cards among them.

        `between` is the number of cards that others draw before each draw except the first. Cards under the pile come
        last. Draws beyond the end of the pile are left out.
        """
        state = self.state
        hidden = sum((hand >> UNKNOWN).bit_count() for hand in state.hands) + sum(c == HIDDEN for c, _b in state.under)
        above = state.unseen.bit_count() - hidden
        unseen, known = 0, 0
        for place in range(0, draws * (between + 1), between + 1):
            if place >= state.pile or state.closed:
                break
            card = HIDDEN if place < above else state.under[place - above][0]
            if card == HIDDEN:
                unseen += 1
            else:
                known |= 1 << card
        return unseen, known

    def sale_ways(self, draws: int, known: Cards = 0, demands: Sequence[int] | None = None) -> list[int]:
        """Count the ways to draw `draws` unseen cards, with the `known` ones, by dinars of the best sale (from 0).

        The counts are exact: for every number of dinars, the sets of cards that allow no more are counted.
        """
        best = best_sales(self.state.parameters)
        demands = self.demands if demands is None else demands
        hand, unseen = self.hand | known, self.unseen & ~known
        most = int(best.max())
        ways = np.zeros((most + 1, draws + 1), np.int64)  # by dinars and number of cards: sets that allow no more
        ways[:, 0] = 1
        for good, demand in enumerate(demands):
            shift = VALUES * good
            sets, sizes = subsets(unseen >> shift & ONE_GOOD)
            dinars = best[demand][sets | hand >> shift & ONE_GOOD]
            table = np.zeros((most + 1, VALUES + 1), np.int64)
            np.add.at(table, (dinars, sizes), 1)
            table = table.cumsum(axis=0)
            folded = np.zeros_like(ways)
            for k in range(min(VALUES, draws) + 1):
                folded[:, k:] += ways[:, : draws + 1 - k] * table[:, k : k + 1]
            ways = folded
        found: list[int] = np.diff(ways[:, draws], prepend=0).tolist()
        return found


# Tables


@checked
def sales(position: Position, player: int | None = None) -> pd.DataFrame:
    """List every sale that a hand allows in the present market, the best first (SI-20 to SI-22).

    `position` is a view, or a state with the `player` whose hand is used (default: the player on turn). Columns:
    ``sale`` (the action), ``good, cards, sum, dinars``, ``safeguard`` (the card kept), ``hordes`` (True if the sale
    advances them: SI-25).

    >>> from tradekit import silk
    >>> sales(silk.new(3, seed=7))[["sale", "dinars"]].head(1).values.tolist()
    [['sell tea 6 9', 5]]
    """
    import pandas as pd

    outlook = Outlook(position, player)
    at = outlook.state._with(mover=outlook.player)
    found = []
    for (cards,) in SELL.each(at):
        n, total = cards.bit_count(), worth(cards)
        dinars = outlook.state.parameters.dinars[n][total]
        good = GOODS[lowest(cards) // VALUES]
        row = (SELL.text((cards,)), good, n, total, dinars, text(1 << lowest(cards)), dinars >= RICH_SALE)
        found.append(row)
    frame = pd.DataFrame(found, columns=["sale", "good", "cards", "sum", "dinars", "safeguard", "hordes"])
    return frame.sort_values(["dinars", "sum"], ascending=[False, True], kind="stable", ignore_index=True)


@checked(draws=whole(0, 1000), between=whole(0, 1000))
def odds(position: Position, draws: int = 5, *, between: int = 0, player: int | None = None) -> pd.DataFrame:
    """Return the exact probability of a better sale than the best one now, within 0, 1, ... `draws` draws.

    The market stays as it is, and no card leaves the hand. `between` is the number of cards that others draw from the
    pile before each draw except the first; it matters only for cards that the player has put under the pile. The draws
    end with the pile. The index is (draws, good), with "any" for all goods together. Columns: ``better``, the
    probability that the best sale of that good brings more dinars than the best of all now, and ``mean``, the mean
    dinars of the best sale of that good.

    >>> from tradekit import silk
    >>> odds(silk.new(3, seed=5), draws=2).xs("any", level="good").round(3).to_dict("list")
    {'better': [0.0, 0.444, 0.697], 'mean': [1.0, 2.911, 4.321]}
    """
    import pandas as pd

    if draws < 0 or between < 0:
        raise ValueError(_("draws={n}, between={m}: 0 or more are needed").format(n=draws, m=between))
    outlook = Outlook(position, player)
    demands = outlook.demands
    alone = {ANY: demands} | {
        name: [demand if good == other else 0 for other, demand in enumerate(demands)]
        for good, name in enumerate(GOODS)
    }
    now = outlook.sale_ways(0).index(1)
    rows = []
    for n in range(draws + 1):
        unseen, known = outlook.coming(n, between)
        if unseen + known.bit_count() < n:
            break
        for name, some in alone.items():
            ways = outlook.sale_ways(unseen, known, some)
            mean = sum(dinars * n_ways for dinars, n_ways in enumerate(ways)) / sum(ways)
            rows.append((n, name, sum(ways[now + 1 :]) / sum(ways), mean))
    return pd.DataFrame(rows, columns=["draws", "good", "better", "mean"]).set_index(["draws", "good"])
