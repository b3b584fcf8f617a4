"""The Silk Road: a market game in which demand falls with every sale, with trade, bribes, and the hordes.

The rules, numbered from SI-1, are in `docs/silk-rules.md`. They need only the standard library; the analysis
(SI-70 to SI-73) needs NumPy, and its charts are in `tradekit.silk.charts`.
"""

from typing import TYPE_CHECKING

from tradekit._utils.arguments import examples
from tradekit._utils.lazy import attach
from tradekit.silk.cards import COLOURS, GOODS, Good

examples(Revealed="silk.reveals(view, 1, 2, 3, 4)")

if TYPE_CHECKING:
    from tradekit.silk import charts as charts
    from tradekit.silk.demand import decay as decay
    from tradekit.silk.demand import demands as demands
    from tradekit.silk.demand import market_graph as market_graph
    from tradekit.silk.market import Market as Market
    from tradekit.silk.offer_inference import reveals as reveals
    from tradekit.silk.parameters import Rules as Rules
    from tradekit.silk.rules import State as State
    from tradekit.silk.rules import new as new
    from tradekit.silk.sale_odds import odds as odds
    from tradekit.silk.sale_odds import sales as sales
    from tradekit.silk.statistics import courses as courses
    from tradekit.silk.statistics import readings as readings
    from tradekit.silk.statistics import shares as shares
    from tradekit.silk.statistics import takings as takings

__all__ = [
    "COLOURS",
    "GOODS",
    "Good",
    "Market",
    "Rules",
    "State",
    "charts",
    "courses",
    "decay",
    "demands",
    "market_graph",
    "new",
    "odds",
    "readings",
    "reveals",
    "sales",
    "shares",
    "takings",
]

__getattr__, __dir__ = attach(
    __name__,
    {
        "Market": "tradekit.silk.market",
        "Rules": "tradekit.silk.parameters",
        "State": "tradekit.silk.rules",
        "new": "tradekit.silk.rules",
        "courses": "tradekit.silk.statistics",
        "decay": "tradekit.silk.demand",
        "demands": "tradekit.silk.demand",
        "market_graph": "tradekit.silk.demand",
        "odds": "tradekit.silk.sale_odds",
        "readings": "tradekit.silk.statistics",
        "reveals": "tradekit.silk.offer_inference",
        "sales": "tradekit.silk.sale_odds",
        "shares": "tradekit.silk.statistics",
        "takings": "tradekit.silk.statistics",
        "charts": "tradekit.silk.charts:",
    },
)
