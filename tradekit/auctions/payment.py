"""Payment rules: what winners pay, one object for each rule.

A rule is one class in one module, such as `own_bid` and `next_bid`: how it is settled, its words, and what is known
about its equilibria. `Format.winner_pays` takes such an object, or the name of a rule in `formats.RULES`.

To add a rule, write `price`; that is enough to settle and to simulate. `bid_function` states an equilibrium, which is
checked for gains from deviating like all others; the methods after it are quicker or more exact than what they inherit.
NumPy is imported by what computes equilibria only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from tradekit.i18n import _

if TYPE_CHECKING:
    from tradekit.auctions.common import CommonValues
    from tradekit.auctions.deviation import Worth
    from tradekit.auctions.equilibrium import Equilibrium, NoEquilibriumKnown
    from tradekit.auctions.formats import Format
    from tradekit.auctions.risk import RiskAttitude
    from tradekit.auctions.values import Floats, Strategy


class PaymentRule(ABC):
    """A rule for the prices of winners. Losers pay the format's share of their bid, whatever the rule.

    >>> from tradekit.auctions import Format
    >>> Format(winner_pays="next").payment.price(0, won=[5], lost=[4, 2], reserve=0)
    4
    """

    name: ClassVar[str] = ""  #: as it is typed: `winner_pays="next"`
    rebids: ClassVar[bool] = False  #: True if games with rebids (TU-14) can be solved

    @property
    @abstractmethod
    def words(self) -> str:
        """The rule in words, for a sentence that goes on with what losers pay."""

    @abstractmethod
    def price(self, winner: int, won: Sequence[float], lost: Sequence[float], reserve: float) -> float:
        """Return what a winner pays.

        `won`: the winning bids from the highest, of which `winner` is one, from 0. `lost`: the other bids from the
        highest; those below the reserve are left out.
        """

    def check(self, format: Format) -> None:
        """Raise `ValueError` for a format that the rule does not fit."""
        if format.open:
            raise ValueError(_("open=True needs winner_pays='next': a price that rises until the others have left"))

    # Settlement

    def charged(self, bids: Sequence[float | None], winners: Sequence[int], reserve: float) -> list[float]:
        """Return what each winner pays; `bids` by bidder, `winners` by place."""
        taken = set(winners)
        won = [bid for n in winners if (bid := bids[n]) is not None]
        others = (bid for n, bid in enumerate(bids) if n not in taken and bid is not None)
        lost = sorted((bid for bid in others if bid >= reserve), reverse=True)
        return [self.price(place, won, lost, reserve) for place in range(len(won))]

    def prices(self, won: Floats, lost: Floats, reserve: float) -> Floats:
        """Return what winners pay in many auctions, a row each; minus infinity stands for no bid."""
        import numpy as np

        charged = np.zeros(won.shape)
        for row, (first, rest) in enumerate(zip(won.tolist(), lost.tolist(), strict=True)):
            first, rest = ([bid for bid in bids if bid > -np.inf] for bids in (first, rest))
            charged[row, : len(first)] = [self.price(place, first, rest, reserve) for place in range(len(first))]
        return charged

    # Private values

    def unknown(self, format: Format, risk: RiskAttitude) -> str:
        """Return for what no equilibrium is known here, in words; empty where one is."""
        return "" if risk.neutral else _("risk aversion and this payment rule")

    def bid_function(self, equilibrium: Equilibrium) -> Strategy:
        """Return the bids in equilibrium. Raises `NoEquilibriumKnown` if it is not known here."""
        raise not_known(self.words)

    def bounded(self, format: Format) -> bool:
        """Return True if the highest bid in equilibrium is finite."""
        return True

    def averse_payment(self, equilibrium: Equilibrium, v: Floats) -> Floats:
        """Return what bidders with value `v` expect to pay if they are averse to risk."""
        raise not_known(_("risk aversion and this payment rule"))

    def mean_square(self, format: Format, bidders: int, bid: Strategy, start: float) -> float:
        """Return the mean square of revenue; `bid` is by quantile, and those below the quantile `start` do not bid."""
        from tradekit.auctions.revenue import sampled_square

        return sampled_square(format, bidders, bid, start)

    def worths(self, equilibrium: Equilibrium, z: Floats, bids: Floats) -> Worth:
        """Return what bidders expect of each of these bids, which are those of the values `z`."""
        from tradekit.auctions.deviation import Sampled

        return Sampled(equilibrium, z, bids)

    # Values in common

    def common_bids(self, model: CommonValues, format: Format, bidders: int) -> Strategy:
        """Return the bids by signal in equilibrium. Raises `NoEquilibriumKnown` if they are not known here."""
        raise not_known(self.words)

    def spent(self, bid: Strategy, z: Floats, y: Floats, mean: Callable[[Floats], Floats]) -> Floats:
        """Return the mean price of whoever bids like signal `z`, times the probability of winning.

        `y`: highest rival signals below `z`; `mean`: sums over them, weighted by their probability.
        """
        raise not_known(self.words)

    # Whole bids

    def known_price(self, bids: Floats, loses: Floats) -> Floats:
        """Return the part of the price that depends on your bid alone; `loses`: where somebody tied with it loses."""
        raise not_known(self.words)

    def lower_price(self, format: Format, bids: Floats, chances: Floats) -> Floats | float:
        """Return the mean part of the price that comes from lower bids; `chances`: of ranks, see `ranks.ranks`."""
        raise not_known(self.words)


def not_known(what: str) -> NoEquilibriumKnown:
    """Return the error for what no equilibrium is known here.

    >>> not_known("a war")
    NoEquilibriumKnown('no equilibrium is known here for: a war')
    """
    from tradekit.auctions.equilibrium import NoEquilibriumKnown

    return NoEquilibriumKnown(_("no equilibrium is known here for: {what}").format(what=what))
