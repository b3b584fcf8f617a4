"""Bazar: stones traded by equations. The exchange is a graph, and the question is the best chain of trades.

The rules, numbered from BZ-1, are in `docs/bazar-rules.md`. The values need only the standard library; NumPy is loaded
with the first analysis, the widgets with `explore`.
"""

from typing import TYPE_CHECKING

from tradekit._utils.arguments import examples
from tradekit._utils.lazy import attach_imports

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
    from tradekit.bazar.deck import Card as Card
    from tradekit.bazar.deck import Deck as Deck
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
    from tradekit.bazar.stones import COLOURS as COLOURS
    from tradekit.bazar.stones import POINTS as POINTS
    from tradekit.bazar.stones import Equation as Equation
    from tradekit.bazar.stones import Stones as Stones
    from tradekit.bazar.stones import Ware as Ware

__getattr__, __dir__, __all__ = attach_imports(__name__)
