"""Winners pay their own bid: first price, discriminatory, all-pay, and the formats in which losers pay a share.

m = b D + fee with D = a + (1 - a) W, where losers pay the share a of their bid (see `equilibrium`), so the expected
payment gives the bid; bids of those who are averse to risk come from their `RiskAttitude`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tradekit.auctions.payment import PaymentRule
from tradekit.i18n import _

if TYPE_CHECKING:
    from tradekit.auctions.common import CommonValues
    from tradekit.auctions.deviation import Worth
    from tradekit.auctions.equilibrium import Equilibrium
    from tradekit.auctions.formats import Format
    from tradekit.auctions.risk import RiskAttitude
    from tradekit.auctions.values import Floats, Strategy


@dataclass(frozen=True)
class OwnBid(PaymentRule):
    """Winners pay their bid.

    >>> OwnBid().price(1, won=[5, 4], lost=[2], reserve=0)
    4
    """

    name: ClassVar[str] = "bid"
    rebids: ClassVar[bool] = True

    @property
    def words(self) -> str:
        """The rule in words."""
        return _("Winners pay their bid")

    def price(self, winner: int, won: Sequence[float], lost: Sequence[float], reserve: float) -> float:
        """Return the winner's bid."""
        return won[winner]

    def charged(self, bids: Sequence[float | None], winners: Sequence[int], reserve: float) -> list[float]:
        """Return the winners' bids: quicker, since nothing is put in order."""
        return [bid for n in winners if (bid := bids[n]) is not None]

    def prices(self, won: Floats, lost: Floats, reserve: float) -> Floats:
        """Return the winning bids."""
        return won

    def unknown(self, format: Format, risk: RiskAttitude) -> str:
        """Return for what no equilibrium is known here: whatever the attitude to risk excludes."""
        return risk.unknown(format)

    def bid_function(self, equilibrium: Equilibrium) -> Strategy:
        """Return the bids in equilibrium, which depend on the attitude to risk."""
        return equilibrium.attitude.own_bids(equilibrium)

    def averse_payment(self, equilibrium: Equilibrium, v: Floats) -> Floats:
        """Return what bidders expect to pay: the part of their bid that is paid on average."""
        import numpy as np

        return np.asarray(np.nan_to_num(equilibrium.bid(v)) * equilibrium.share(v))

    def mean_square(self, format: Format, bidders: int, bid: Strategy, start: float) -> float:
        """Return the mean square of revenue."""
        from tradekit.auctions.revenue import square_of_bids

        return square_of_bids(format, bidders, bid, start, {format.places: 1 - format.loser_pays})

    def worths(self, equilibrium: Equilibrium, z: Floats, bids: Floats) -> Worth:
        """Return what bidders expect of each of these bids."""
        from tradekit.auctions.deviation import OwnPrice

        return OwnPrice(equilibrium, z, bids)

    def common_bids(self, model: CommonValues, format: Format, bidders: int) -> Strategy:
        """Return the bids of the first-price auction, with or without a loser's share."""
        return model.own_bids(bidders, format.loser_pays)

    def spent(self, bid: Strategy, z: Floats, y: Floats, mean: Callable[[Floats], Floats]) -> Floats:
        """Return the bid times the probability of winning."""
        import numpy as np

        return np.asarray(bid(z) * mean(np.ones_like(y)))

    def known_price(self, bids: Floats, loses: Floats) -> Floats:
        """Return your bid."""
        return bids

    def lower_price(self, format: Format, bids: Floats, chances: Floats) -> Floats | float:
        """Return 0: lower bids do not matter."""
        return 0.0
