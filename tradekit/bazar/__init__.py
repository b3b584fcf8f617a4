"""Bazar: stones traded by equations. The exchange is a graph, and the question is the best chain of trades.

The rules, numbered BZ-1 and on, are in `docs/bazar-rules.md`. The values need the standard library alone; NumPy comes
with the first analysis, the widgets with `explore`.
"""

from typing import TYPE_CHECKING

from tradekit._lazy import attach
from tradekit.bazar.deck import Card, Deck
from tradekit.bazar.stones import COLOURS, POINTS, Equation, Stones, Ware

if TYPE_CHECKING:
    from tradekit.bazar.atlases import atlas as atlas
    from tradekit.bazar.chains import Chain as Chain
    from tradekit.bazar.exchange import Exchange as Exchange
    from tradekit.bazar.hindsight import playouts as playouts
    from tradekit.bazar.hindsight import review as review
    from tradekit.bazar.policy import Goal as Goal
    from tradekit.bazar.policy import Policy as Policy
    from tradekit.bazar.prices import Arbitrage as Arbitrage
    from tradekit.bazar.prices import Prices as Prices
    from tradekit.bazar.puzzles import Puzzle as Puzzle
    from tradekit.bazar.puzzles import puzzle as puzzle
    from tradekit.bazar.race import Race as Race
    from tradekit.bazar.rules import State as State
    from tradekit.bazar.rules import new as new
    from tradekit.bazar.setting import Rules as Rules
    from tradekit.bazar.solo import Solo as Solo
    from tradekit.bazar.tablebase import cache as cache
    from tradekit.widgets.explorer import explore as explore

__all__ = [
    "COLOURS",
    "POINTS",
    "Arbitrage",
    "Card",
    "Chain",
    "Deck",
    "Equation",
    "Exchange",
    "Goal",
    "Policy",
    "Prices",
    "Puzzle",
    "Race",
    "Rules",
    "Solo",
    "State",
    "Stones",
    "Ware",
    "atlas",
    "cache",
    "explore",
    "new",
    "playouts",
    "puzzle",
    "review",
]

__getattr__, __dir__ = attach(
    __name__,
    {
        "Exchange": "tradekit.bazar.exchange",
        "Chain": "tradekit.bazar.chains",
        "Goal": "tradekit.bazar.policy",
        "Policy": "tradekit.bazar.policy",
        "Prices": "tradekit.bazar.prices",
        "Arbitrage": "tradekit.bazar.prices",
        "Race": "tradekit.bazar.race",
        "cache": "tradekit.bazar.tablebase",
        "Solo": "tradekit.bazar.solo",
        "Puzzle": "tradekit.bazar.puzzles",
        "puzzle": "tradekit.bazar.puzzles",
        "Rules": "tradekit.bazar.setting",
        "State": "tradekit.bazar.rules",
        "new": "tradekit.bazar.rules",
        "playouts": "tradekit.bazar.hindsight",
        "review": "tradekit.bazar.hindsight",
        "atlas": "tradekit.bazar.atlases",
        "explore": "tradekit.widgets.explorer",
    },
)
