"""Turin Market: sealed-bid auctions where winners pay all and losers half, and majorities of goods pay in the end.

The bids are simultaneous. The rules, numbered from TU-1, are in `docs/turin-rules.md`. They need only the standard
library; the analysis needs NumPy.
"""

from typing import TYPE_CHECKING

from tradekit._utils.arguments import examples
from tradekit._utils.lazy import attach_imports

examples(AuctionSolution="turin.solve_auction(state)")

if TYPE_CHECKING:
    from tradekit.turin import charts as charts
    from tradekit.turin.deck import Card as Card
    from tradekit.turin.deck import Deck as Deck
    from tradekit.turin.deck import Good as Good
    from tradekit.turin.equilibria import AuctionSolution as AuctionSolution
    from tradekit.turin.equilibria import solve_auction as solve_auction
    from tradekit.turin.history import bids as bids
    from tradekit.turin.history import theory_bid as theory_bid
    from tradekit.turin.parameters import Rules as Rules
    from tradekit.turin.rules import State as State
    from tradekit.turin.rules import new as new
    from tradekit.turin.values import awards as awards
    from tradekit.turin.values import worth as worth

__getattr__, __dir__, __all__ = attach_imports(__name__)
