"""One protocol for all games of buying and selling: auctions, and later markets and bargaining.

`Format` is the first mechanism. A double auction or a bargaining game is another class with the same six methods, in a
module of its own; what shows, plays or compares mechanisms asks for no more than these. The type parameters are what
is bid, how it ends, what a solution is, and what a simulation needs of strategies and of values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    import pandas as pd

    from tradekit.auctions.formats import Format, Settlement
    from tradekit.auctions.simulate import Strategies
    from tradekit.auctions.values import Distribution, ValueModel
    from tradekit.auctions.whole_bids import Solution

_Bids = TypeVar("_Bids", contravariant=True)
_End = TypeVar("_End", covariant=True)
_Solution = TypeVar("_Solution", covariant=True)
_Plans = TypeVar("_Plans", contravariant=True)
_Worths = TypeVar("_Worths", contravariant=True)


@runtime_checkable
class Mechanism(Protocol[_Bids, _End, _Solution, _Plans, _Worths]):
    """A game of buying and selling; all parameters not named here have defaults.

    >>> from tradekit.auctions import first_price
    >>> isinstance(first_price(), Mechanism)
    True
    """

    def describe(self) -> str:
        """Return the rules in a sentence or two, translated."""

    def settle(self, bids: _Bids, /) -> _End:
        """Return who gets and pays what: bids of an auction, orders in a market, offers in bargaining."""

    def solve(self) -> _Solution:
        """Find an equilibrium in whole numbers, with the largest gain from deviating from it."""

    def simulate(self, strategies: _Plans, values: _Worths, /, *, rounds: int = ..., seed: int = ...) -> pd.DataFrame:
        """Simulate many rounds, as a DataFrame with one row per player and round; the same seed gives the same."""

    def play(self) -> object:
        """Return a widget in which a person plays against bots."""

    def chart(self) -> object:
        """Draw theory and simulation, as a picture that shows itself in a notebook."""


if TYPE_CHECKING:
    #: `Format` as a mechanism: the type checker sees here that it is one.
    SealedBids = Mechanism[Sequence[float | None], Settlement, Solution, Strategies, ValueModel | Distribution]
    _format: SealedBids = Format()
