"""Sealed-bid auctions as theory, simulation and experiment: formats, equilibria, whole bids, learning, and the lab.

It knows no board game; Turin Market stands on it. Formats need the standard library alone; NumPy and SciPy come with
the first equilibrium, charts with `merge`, the widgets with `lab` and `bidding_game`.
"""

from typing import TYPE_CHECKING

from tradekit._utils.lazy import attach
from tradekit.auctions.formats import (
    Format,
    Outcome,
    Settlement,
    all_pay,
    discriminatory,
    dutch,
    english,
    first_price,
    losers_pay,
    second_price,
    turin,
    uniform_price,
    war_of_attrition,
)

if TYPE_CHECKING:
    from tradekit.auctions import charts as charts
    from tradekit.auctions.classroom import Classroom as Classroom
    from tradekit.auctions.classroom import merge as merge
    from tradekit.auctions.common import CommonEquilibrium as CommonEquilibrium
    from tradekit.auctions.common import MeanOfSignals as MeanOfSignals
    from tradekit.auctions.common import NoisySignals as NoisySignals
    from tradekit.auctions.equilibrium import Equilibrium as Equilibrium
    from tradekit.auctions.equilibrium import NoEquilibriumKnown as NoEquilibriumKnown
    from tradekit.auctions.risk import CARA as CARA
    from tradekit.auctions.risk import CRRA as CRRA
    from tradekit.auctions.simulate import recorded as recorded
    from tradekit.auctions.simulate import shading as shading
    from tradekit.auctions.values import Values as Values
    from tradekit.auctions.values import uniform as uniform
    from tradekit.auctions.whole_bids import Solution as Solution
    from tradekit.widgets.bidding import bidding_game as bidding_game
    from tradekit.widgets.lab import lab as lab

__all__ = [
    "CARA",
    "CRRA",
    "Classroom",
    "CommonEquilibrium",
    "Equilibrium",
    "Format",
    "MeanOfSignals",
    "NoEquilibriumKnown",
    "NoisySignals",
    "Outcome",
    "Settlement",
    "Solution",
    "Values",
    "all_pay",
    "bidding_game",
    "charts",
    "discriminatory",
    "dutch",
    "english",
    "first_price",
    "lab",
    "losers_pay",
    "merge",
    "recorded",
    "second_price",
    "shading",
    "turin",
    "uniform",
    "uniform_price",
    "war_of_attrition",
]

__getattr__, __dir__ = attach(
    __name__,
    {
        "CARA": "tradekit.auctions.risk",
        "CRRA": "tradekit.auctions.risk",
        "Classroom": "tradekit.auctions.classroom",
        "CommonEquilibrium": "tradekit.auctions.common",
        "Equilibrium": "tradekit.auctions.equilibrium",
        "MeanOfSignals": "tradekit.auctions.common",
        "NoEquilibriumKnown": "tradekit.auctions.equilibrium",
        "NoisySignals": "tradekit.auctions.common",
        "Solution": "tradekit.auctions.whole_bids",
        "Values": "tradekit.auctions.values",
        "bidding_game": "tradekit.widgets.bidding",
        "lab": "tradekit.widgets.lab",
        "merge": "tradekit.auctions.classroom",
        "recorded": "tradekit.auctions.simulate",
        "shading": "tradekit.auctions.simulate",
        "uniform": "tradekit.auctions.values",
        "charts": "tradekit.auctions.charts:",
    },
)
