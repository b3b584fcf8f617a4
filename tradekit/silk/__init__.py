"""The Silk Road: a market game in which demand falls with every sale, with trade, bribes, and the hordes.

The rules, numbered from SI-1, are in `docs/silk-rules.md`. They need only the standard library; the analysis
(SI-70 to SI-73) needs NumPy, and its charts are in `tradekit.silk.charts`.
"""

from typing import TYPE_CHECKING

from tradekit._utils.arguments import examples
from tradekit._utils.lazy import attach_imports

examples(Revealed="silk.inference(view, 1, 2, 3, 4)")

if TYPE_CHECKING:
    from tradekit.silk import charts as charts
    from tradekit.silk.cards import COLOURS as COLOURS
    from tradekit.silk.cards import GOODS as GOODS
    from tradekit.silk.cards import Good as Good
    from tradekit.silk.demand import decay as decay
    from tradekit.silk.demand import demands as demands
    from tradekit.silk.demand import market_graph as market_graph
    from tradekit.silk.market import Market as Market
    from tradekit.silk.offer_inference import inference as inference
    from tradekit.silk.parameters import Rules as Rules
    from tradekit.silk.rules import State as State
    from tradekit.silk.rules import new as new
    from tradekit.silk.sale_odds import odds as odds
    from tradekit.silk.sale_odds import sales as sales
    from tradekit.silk.statistics import compare_zero_rules as compare_zero_rules
    from tradekit.silk.statistics import game_stats as game_stats
    from tradekit.silk.statistics import income as income
    from tradekit.silk.statistics import income_shares as income_shares

__getattr__, __dir__, __all__ = attach_imports(__name__)
