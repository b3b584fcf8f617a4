"""tradekit: trading and auction games as objects of analysis and teaching, inside Jupyter.

>>> from tradekit import bazar
>>> bazar.Exchange("R=WW W=BG").chain("RRR", "WWBGG").turns
4

Importing tradekit is cheap and changes nothing: NumPy, pandas, Altair and the widgets are loaded when first used.
"""

from tradekit._utils.lazy import attach

__version__ = "0.1.0.dev0"

__getattr__, __dir__ = attach(
    __name__,
    {
        **{
            name: f"tradekit.{name}:"
            for name in ("auctions", "bazar", "bots", "exercises", "game", "silk", "theme", "tournament", "turin")
        },
        "charts": "tradekit.show.charts:",
        "Record": "tradekit.record",
        "play": "tradekit.widgets.table",
        "set_language": "tradekit.i18n",
    },
)
