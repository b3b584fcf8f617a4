"""Charts of Turin Market: values of cards, the present auction solved, and the bids of a game.

They are drawn offline as all of ours are (`charts`). Players differ by place or mark as well as by colour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import pandas as pd

from tradekit import theme
from tradekit._utils.arguments import checked
from tradekit.i18n import _, pgettext
from tradekit.show.charts import MARKS, Chart, FacetChart, LayerChart
from tradekit.show.names import Names, shown_name

if TYPE_CHECKING:
    from tradekit.turin.equilibria import AuctionSolution


@checked
def worth(frame: pd.DataFrame, names: Names = ()) -> LayerChart:
    """Draw the worth of each card to each player, with numbers: the result of `turin.worth` or `turin.awards`.

    >>> from tradekit import turin
    >>> worth(turin.worth(turin.new(players=2, seed=1), 0)).title.text
    'What cards are worth'
    """
    cards = "card" if "card" in frame else "cards"
    data = frame.assign(
        label=[f"{value:.1f}".removesuffix(".0") for value in frame["worth"]],
        name=[shown_name(player, names) for player in frame["player"]],
        what=frame[cards].astype(str),
        error=frame.get("error", 0.0),
    )
    if "where" in frame:
        places = {
            "centre": _("{card} in the centre"),
            "sale": _("{card} on sale by {name}"),
            "won": _("{card} of {name}"),
            "hand": _("{card} in a hand"),
        }
        rows = zip(frame["card"], frame["where"], frame["owner"], strict=True)
        data["what"] = [places[where].format(card=card, name=shown_name(owner, names)) for card, where, owner in rows]
    base = Chart(data).encode(
        x=alt.X("name:N").title(None).sort(None).axis(labelAngle=0, orient="top"),
        y=alt.Y("what:N").title(_("card") if cards == "card" else _("cards")).sort(None),
        tooltip=[
            alt.Tooltip("name:N", title=_("player")),
            alt.Tooltip("what:N", title=_("card") if cards == "card" else _("cards")),
            alt.Tooltip("worth:Q", title=_("worth"), format=".2f"),
            alt.Tooltip("error:Q", title=_("error"), format=".2f"),
        ],
    )
    cell = base.mark_rect().encode(color=alt.Color("worth:Q").title(_("escudos")))
    number = base.mark_text(fontSize=11, color=theme.INK).encode(text="label:N")
    chart: LayerChart = cell + number
    title = alt.Title(_("What cards are worth"), subtitle=_("change of the final escudos, to each player"))
    width, height = 90 * data["name"].nunique(), 24 * max(1, data["what"].nunique())
    return chart.properties(width=width, height=height, title=title)


@checked
def auction(night: AuctionSolution, player: int | None = None, bid: int | None = None, names: Names = ()) -> FacetChart:
    """Draw the mixed bids of a solved auction (`turin.solve_auction`), a row per player; a `bid` of `player` is marked.

    >>> from tradekit import exercises, turin
    >>> night = turin.solve_auction(turin.State.parse(exercises.DUEL), target=0.5)
    >>> auction(night, player=1, bid=2, names=["Ana", "Bruno"]).title.text
    'Mixed bids in equilibrium'
    """
    data = night.strategy
    data["name"] = [shown_name(who, names) for who in data["player"]]
    data["marked"] = (data["player"] == player) & (data["bid"] == bid)
    data["bid"] = data["bid"].astype(int)
    subtitle = _("largest gain from deviating: {gain:.2g} escudos").format(gain=night.gain)
    if player is not None and bid is not None:
        said = _("{bid} by {name}, marked, loses {far:.2f} against the best bid")
        subtitle = f"{said.format(bid=bid, name=shown_name(player, names), far=night.how_far(player, bid))}; {subtitle}"
    base = Chart(data).encode(
        x=alt.X("bid:O").title(_("bid")).axis(labelAngle=0),
        tooltip=[
            alt.Tooltip("name:N", title=_("player")),
            alt.Tooltip("bid:O", title=_("bid")),
            alt.Tooltip("probability:Q", title=pgettext("probability", "chance"), format=".3f"),
            alt.Tooltip("payoff:Q", title=_("gain"), format=".2f"),
        ],
    )
    bar = base.mark_bar(color=theme.ACCENT).encode(y=alt.Y("probability:Q").title(pgettext("probability", "chance")))
    own = base.transform_filter("datum.marked").mark_rule(color=theme.SECOND, strokeWidth=3, strokeDash=[5, 3])
    layers: LayerChart = bar + own
    chart: FacetChart = layers.properties(width=360, height=70).facet(row=alt.Row("name:N").title(None).sort(None))
    return chart.properties(title=alt.Title(_("Mixed bids in equilibrium"), subtitle=subtitle))


@checked
def history(frame: pd.DataFrame) -> LayerChart:
    """Draw the bids of a game, auction by auction, and theory's bids: the result of `turin.bids`.

    A mark is a bid with its addition, filled if it won a card; the line across is theory's bid.

    >>> from tradekit import Record, exercises, turin
    >>> history(turin.bids(Record.parse(exercises.EVENING))).title.subtitle
    'filled: won a card; line across: theory'
    """
    several = frame["game"].nunique() > 1
    data = frame.assign(
        total=frame["bid"] + frame["added"].fillna(0),
        won=frame["award"] > 0,
        at=[f"{game}.{n}" if several else str(n) for game, n in zip(frame["game"], frame["auction"], strict=True)],
    )
    names = list(dict.fromkeys(data["name"]))
    colour = alt.Color("name:N").title(_("player")).scale(domain=names)
    base = Chart(data).encode(
        x=alt.X("at:N").title(_("auction")).sort(None).axis(labelAngle=0),
        xOffset=alt.XOffset("name:N", sort=names),
        tooltip=[
            alt.Tooltip("name:N", title=_("player")),
            alt.Tooltip("at:N", title=_("auction")),
            alt.Tooltip("bid:Q", title=_("bid")),
            alt.Tooltip("added:Q", title=_("added")),
            alt.Tooltip("paid:Q", title=_("paid")),
            alt.Tooltip("cards:N", title=_("cards")),
            alt.Tooltip("worth:Q", title=_("worth"), format=".1f"),
            alt.Tooltip("best:Q", title=_("best award"), format=".1f"),
            alt.Tooltip("theory:Q", title=_("theory"), format=".1f"),
        ],
    )
    gap = base.mark_rule(color=theme.QUIET, strokeDash=[2, 3]).encode(y="total:Q", y2="theory:Q")
    line = base.mark_tick(color=theme.INK, thickness=2.5, size=16).encode(y="theory:Q")
    shape = alt.Shape("name:N").title(_("player")).scale(domain=names, range=[*MARKS][: len(names)])
    mark = base.mark_point(size=90, opacity=1, strokeWidth=2).encode(
        y=alt.Y("total:Q").title(_("escudos")), color=colour, shape=shape
    )
    filled = base.transform_filter("datum.won").mark_point(size=90, opacity=1, filled=True)
    filled = filled.encode(y="total:Q", color=colour, shape=shape)
    chart: LayerChart = gap + line + mark + filled
    title = alt.Title(_("What was bid"), subtitle=_("filled: won a card; line across: theory"))
    return chart.properties(width=120 * max(2, data["at"].nunique()), height=240, title=title)
