"""Winners pay the highest losing bid: second price, uniform price, English, and the war of attrition.

If losers pay nothing, everyone bids their value. In the war of attrition (one prize, losers pay their bid) waiting a
moment longer costs as much as winning then is worth: Krishna and Morgan, Journal of Economic Theory 72 (1997).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from tradekit.auctions.payment import PaymentRule, not_known
from tradekit.i18n import _

if TYPE_CHECKING:
    from tradekit.auctions.common import CommonValues
    from tradekit.auctions.deviation import Worth
    from tradekit.auctions.equilibrium import Equilibrium
    from tradekit.auctions.formats import Format
    from tradekit.auctions.risk import RiskAttitude
    from tradekit.auctions.values import Floats, Strategy

_LEAST: Final = -745.0  # the logarithm of the smallest number above 0


@dataclass(frozen=True)
class NextBid(PaymentRule):
    """Winners pay the highest losing bid, and not less than the reserve.

    >>> NextBid().price(0, won=[5, 4], lost=[2], reserve=3)
    3
    """

    name: ClassVar[str] = "next"

    @property
    def words(self) -> str:
        """The rule in words."""
        return _("Winners pay the highest losing bid")

    def price(self, winner: int, won: Sequence[float], lost: Sequence[float], reserve: float) -> float:
        """Return the highest losing bid, or the reserve."""
        return max([reserve, *lost[:1]])

    def check(self, format: Format) -> None:
        """Raise `ValueError` unless all prizes are equal: nobody would pay the same for a smaller one."""
        if len(set(format.prizes)) > 1:
            raise ValueError(_("winner_pays='next' needs equal prizes, not {prizes}").format(prizes=format.prizes))

    def charged(self, bids: Sequence[float | None], winners: Sequence[int], reserve: float) -> list[float]:
        """Return the same price for each winner: quicker, since nothing is put in order."""
        lost = [bid for n, bid in enumerate(bids) if bid is not None and n not in winners]
        return [max([reserve, *lost])] * len(winners)

    def prices(self, won: Floats, lost: Floats, reserve: float) -> Floats:
        """Return the highest losing bids, or the reserve."""
        import numpy as np

        following = lost[:, :1] if lost.shape[1] else np.full((len(lost), 1), -np.inf)
        return np.broadcast_to(np.maximum(following, reserve), won.shape)

    def unknown(self, format: Format, risk: RiskAttitude) -> str:
        """Return for what no equilibrium is known here."""
        if format.loser_pays not in (0, 1):
            return _("winners pay the highest losing bid and losers a share of theirs")
        if format.loser_pays and (format.places > 1 or format.reserve or format.fee):
            return _("a war of attrition with several prizes, a reserve or a fee")
        if format.loser_pays and not risk.neutral:
            return _("a war of attrition and risk aversion")
        return risk.unknown(format)

    def bid_function(self, equilibrium: Equilibrium) -> Strategy:
        """Return the bids in equilibrium: what the prize is worth, or the bids of a war of attrition."""
        if equilibrium.format.loser_pays:
            return _attrition(equilibrium)
        prize = equilibrium.format.prizes[0]
        return lambda v: prize * v

    def bounded(self, format: Format) -> bool:
        """Return False for a war of attrition: the bidder with the highest value never gives up."""
        return not format.loser_pays

    def averse_payment(self, equilibrium: Equilibrium, v: Floats) -> Floats:
        """Return what bidders expect to pay: they bid like the risk neutral."""
        return equilibrium.neutral.pays(v)

    def mean_square(self, format: Format, bidders: int, bid: Strategy, start: float) -> float:
        """Return the mean square of revenue; in a war of attrition winners pay the bid of the place below."""
        from tradekit.auctions.revenue import square_of_bids, square_of_prices

        if not format.loser_pays:
            return square_of_prices(format, bidders, bid, start)
        places = format.places
        steps = {places: -format.loser_pays - places, places + 1: float(places)}
        return square_of_bids(format, bidders, bid, start, steps)

    def worths(self, equilibrium: Equilibrium, z: Floats, bids: Floats) -> Worth:
        """Return what bidders expect of each of these bids."""
        from tradekit.auctions.deviation import Prices

        return Prices(equilibrium, z, bids)

    def common_bids(self, model: CommonValues, format: Format, bidders: int) -> Strategy:
        """Return the bids of the second-price auction."""
        if format.loser_pays:
            raise not_known(_("a war of attrition with values in common"))
        return model.next_bids(bidders)

    def spent(self, bid: Strategy, z: Floats, y: Floats, mean: Callable[[Floats], Floats]) -> Floats:
        """Return the mean bid of the highest rival, where that is below."""
        return mean(bid(y))

    def known_price(self, bids: Floats, loses: Floats) -> Floats:
        """Return your bid in a tie that not all win; elsewhere the price comes from lower bids."""
        import numpy as np

        return np.where(loses, bids, 0)

    def lower_price(self, format: Format, bids: Floats, chances: Floats) -> Floats | float:
        """Return the mean of the highest losing bid where that is lower: with K prizes the K-th highest opponent's."""
        import numpy as np

        places, reserve = format.places, format.reserve
        valid = bids >= reserve
        if places >= len(chances):  # everyone wins
            return np.asarray(valid * float(reserve), float)
        at_most = chances[:places].sum(axis=(0, 1))
        prices = np.diff(at_most, prepend=0) * np.maximum(bids, reserve)
        return np.asarray((np.cumsum(prices) - prices) * valid, float)


def _attrition(equilibrium: Equilibrium) -> Strategy:
    """Return the bids of a war of attrition: the integral of x dG / (1 - G), where G = F^(n-1).

    By parts, which asks for no density: -x log(1 - G) + integral of log(1 - G) dx.
    """
    import numpy as np

    from tradekit.auctions.averse import log_chances
    from tradekit.auctions.quadrature import Integral

    values, prize = equilibrium.values, equilibrium.format.prizes[0]

    def log_lost(v: Floats) -> Floats:
        return np.maximum(log_chances(equilibrium, v)[1], _LEAST)

    integral = Integral(log_lost, values.low, values, equilibrium.bidders)

    def rule(v: Floats) -> Floats:
        bids = prize * (integral(v) - v * log_lost(v))
        return np.where(values.sf(v) > 0, bids, np.inf)

    return rule
