"""Turin Market: simultaneous sealed bids where winners pay all and losers half, and majorities of goods pay in the end.

The rules, numbered TU-1 and on, are in `docs/turin-rules.md`. They need the standard library alone; NumPy comes with
the analysis.
"""

from typing import TYPE_CHECKING

from tradekit._lazy import attach
from tradekit.turin.deck import Card, Deck, Good

if TYPE_CHECKING:
    from tradekit.turin.rules import State as State
    from tradekit.turin.rules import new as new
    from tradekit.turin.setting import Rules as Rules

__all__ = ["Card", "Deck", "Good", "Rules", "State", "new"]

__getattr__, __dir__ = attach(
    __name__,
    {
        "Rules": "tradekit.turin.setting",
        "State": "tradekit.turin.rules",
        "new": "tradekit.turin.rules",
    },
)
