"""The Silk Road: goods sold in a market whose demand falls with every sale; trade, bribes, and the hordes.

The rules, numbered SI-1 and on, are in `docs/silk-rules.md`. They need the standard library alone; NumPy comes with
the analysis (SI-70 to SI-73), whose pictures are in `tradekit.silk_charts`.
"""

from typing import TYPE_CHECKING

from tradekit._lazy import attach
from tradekit.silk.cards import COLOURS, GOODS, Good

if TYPE_CHECKING:
    from tradekit.silk.announced import reveals as reveals
    from tradekit.silk.chances import odds as odds
    from tradekit.silk.chances import sales as sales
    from tradekit.silk.demand import decay as decay
    from tradekit.silk.demand import demands as demands
    from tradekit.silk.demand import market_graph as market_graph
    from tradekit.silk.income import courses as courses
    from tradekit.silk.income import readings as readings
    from tradekit.silk.income import shares as shares
    from tradekit.silk.income import takings as takings
    from tradekit.silk.market import Market as Market
    from tradekit.silk.rules import State as State
    from tradekit.silk.rules import new as new
    from tradekit.silk.setting import Rules as Rules

__all__ = [
    "COLOURS",
    "GOODS",
    "Good",
    "Market",
    "Rules",
    "State",
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
        "Rules": "tradekit.silk.setting",
        "State": "tradekit.silk.rules",
        "new": "tradekit.silk.rules",
        "courses": "tradekit.silk.income",
        "decay": "tradekit.silk.demand",
        "demands": "tradekit.silk.demand",
        "market_graph": "tradekit.silk.demand",
        "odds": "tradekit.silk.chances",
        "readings": "tradekit.silk.income",
        "reveals": "tradekit.silk.announced",
        "sales": "tradekit.silk.chances",
        "shares": "tradekit.silk.income",
        "takings": "tradekit.silk.income",
    },
)
