"""Bazar: stones traded by equations. The exchange is a graph, and the question is the best chain of trades.

The rules, numbered from BZ-1, are in `docs/bazar-rules.md`. The values need only the standard library; NumPy is loaded
with the first analysis, the widgets with `explore`.
"""

from typing import TYPE_CHECKING

from tradekit._utils.arguments import examples
from tradekit._utils.lazy import attach
from tradekit.bazar.deck import Card, Deck
from tradekit.bazar.stones import COLOURS, POINTS, Equation, Stones, Ware

examples(
    Exchange="bazar.Exchange.of_cards(1, 4)",
    Policy="exchange.solve('RWBGY')",
    Race="exchange.race('RWBGY')",
    Chain="exchange.chain('RR', 'RWBGY')",
)

if TYPE_CHECKING:
    from tradekit.bazar import atlas_charts as atlas_charts
    from tradekit.bazar import charts as charts
    from tradekit.bazar import race_charts as race_charts
    from tradekit.bazar.atlases import atlas as atlas
    from tradekit.bazar.chain_handout import handout as handout
    from tradekit.bazar.chains import Chain as Chain
    from tradekit.bazar.exchange import Exchange as Exchange
    from tradekit.bazar.explorer import explore as explore
    from tradekit.bazar.game_review import playouts as playouts
    from tradekit.bazar.game_review import review as review
    from tradekit.bazar.open_bazaar_solver import Solo as Solo
    from tradekit.bazar.parameters import Rules as Rules
    from tradekit.bazar.policy import Goal as Goal
    from tradekit.bazar.policy import Policy as Policy
    from tradekit.bazar.prices import Arbitrage as Arbitrage
    from tradekit.bazar.prices import Prices as Prices
    from tradekit.bazar.puzzles import Puzzle as Puzzle
    from tradekit.bazar.puzzles import puzzle as puzzle
    from tradekit.bazar.race import Race as Race
    from tradekit.bazar.race_files import cache as cache
    from tradekit.bazar.rules import State as State
    from tradekit.bazar.rules import new as new

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
    "atlas_charts",
    "cache",
    "charts",
    "explore",
    "handout",
    "new",
    "playouts",
    "puzzle",
    "race_charts",
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
        "cache": "tradekit.bazar.race_files",
        "Solo": "tradekit.bazar.open_bazaar_solver",
        "Puzzle": "tradekit.bazar.puzzles",
        "puzzle": "tradekit.bazar.puzzles",
        "Rules": "tradekit.bazar.parameters",
        "State": "tradekit.bazar.rules",
        "new": "tradekit.bazar.rules",
        "playouts": "tradekit.bazar.game_review",
        "review": "tradekit.bazar.game_review",
        "atlas": "tradekit.bazar.atlases",
        "explore": "tradekit.bazar.explorer",
        "handout": "tradekit.bazar.chain_handout",
        "atlas_charts": "tradekit.bazar.atlas_charts:",
        "charts": "tradekit.bazar.charts:",
        "race_charts": "tradekit.bazar.race_charts:",
    },
)
