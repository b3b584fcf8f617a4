"""Charts of auctions: bid functions, revenue, and how rules of learning come near the equilibrium."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Protocol

import altair as alt
import pandas as pd

from tradekit import theme
from tradekit._utils.arguments import checked
from tradekit.i18n import _
from tradekit.show.axes import MARKS
from tradekit.show.charts import Chart, HConcatChart, LayerChart, number_slider

if TYPE_CHECKING:
    from tradekit.auctions.learn import Learning


_MOST_POINTS: Final = 400  # simulated bids that are drawn


class BidFunction(Protocol):
    """An equilibrium that can be tabulated: of private values, of values in common, or one of your own."""

    def to_frame(self) -> pd.DataFrame:
        """Return the columns ``value`` (or ``signal``) and ``bid``.

        >>> from tradekit.auctions import first_price, uniform
        >>> [*first_price().equilibrium(2, uniform()).to_frame(3).columns[:2]]
        ['value', 'bid']
        """
        ...


@checked
def bid_function(
    curves: BidFunction | pd.DataFrame | Mapping[str, BidFunction | pd.DataFrame],
    simulated: pd.DataFrame | None = None,
    prediction: tuple[float, float | None] | None = None,
    *,
    signals: bool = False,
    slider: str | None = None,
) -> LayerChart:
    """Draw how much to bid, by value: one equilibrium or several, next to simulated bids and a reader's prediction.

    `curves`: an equilibrium or a frame with the columns ``value, bid``, or several of them by name. `simulated`: a
    result of `Format.simulate`, of which some hundred bids are drawn. `prediction`: a value and a bid, where None says
    that there is none yet. `signals`: the horizontal axis shows signals of a common value. `slider`: a column of the
    frame, of numbers the same distance apart, of which a slider or the field for its number chooses one.

    >>> from tradekit.auctions import first_price, uniform
    >>> bid_function(first_price().equilibrium(2, uniform()), prediction=(0.5, 0.3)).title.subtitle
    'thin line: the value itself; diamond: your prediction'
    """
    several = isinstance(curves, Mapping)
    by_name = curves if isinstance(curves, Mapping) else {_("equilibrium"): curves}
    frames = [
        (curve if isinstance(curve, pd.DataFrame) else curve.to_frame()).assign(name=name)
        for name, curve in by_name.items()
    ]
    data = (
        pd.concat(frames)
        .rename(columns={"signal": "value"})[["value", "bid", "name", *([slider] if slider else [])]]
        .dropna()
    )
    value, bid = (_("signal"), _("bid")) if signals else (_("value"), _("bid"))
    low, high = data["value"].min(), data["value"].max()
    x = alt.X("value:Q").title(value).scale(domain=[low, high], nice=False)
    y = alt.Y("bid:Q").title(bid)
    if slider:  # the axis stays when the curve moves
        y = y.scale(domain=[0, float(data["bid"].max())])
    legend = alt.Legend() if several else None
    names = [frame["name"].iloc[0] for frame in frames]
    tooltip = [
        alt.Tooltip("name:N", title=_("auction")),
        alt.Tooltip("value:Q", title=value),
        alt.Tooltip("bid:Q", title=bid, format=".4~g"),
    ]
    line = Chart(data).mark_line(strokeWidth=2.5, clip=True).encode(
        x=x, y=y, tooltip=tooltip,
        color=alt.Color("name:N").scale(domain=names).title("").legend(legend),
        strokeDash=alt.StrokeDash("name:N").scale(domain=names).title("").legend(legend),
    )  # fmt: skip
    if slider:
        steps = sorted(data[slider].unique().tolist())
        chosen, *fields = number_slider("chosen_" + re.sub(r"\W", "_", slider), slider, steps, steps[len(steps) // 2])
        line = line.add_params(chosen, *fields).transform_filter(f"abs(datum['{slider}'] - {chosen.name}) < 1e-6")
    said = []
    chart: LayerChart = LayerChart(layer=[line])
    if not any(_is_the_value_itself(curve) for _name, curve in data.groupby("name")):
        honest = Chart(pd.DataFrame({"value": [low, high], "bid": [low, high]}))
        chart = honest.mark_line(color=theme.QUIET, strokeWidth=1, clip=True).encode(x=x, y=y) + line
        said = [_("thin line: the signal itself") if signals else _("thin line: the value itself")]
    if simulated is not None:
        dots = simulated[["type", "bid"]].dropna().head(_MOST_POINTS)
        dots = dots[dots["type"].between(low, high)].rename(columns={"type": "value"})
        chart += Chart(dots).mark_point(size=14, color=theme.QUIET, opacity=0.6).encode(x=x, y=y)
        said.append(_("circles: simulated bids"))
    chart = _with_predictions(chart, [] if prediction is None else [prediction], x, y, said)
    title = alt.Title(_("What to bid"), subtitle="; ".join(said))
    return chart.properties(width=420, height=260, title=title)


def _is_the_value_itself(curve: pd.DataFrame) -> bool:
    """Return True if every value bids itself, so that a line to compare with would lie under the curve."""
    return bool(((curve["bid"] - curve["value"]).abs() <= 1e-6 * curve["value"].abs().max()).all())


@checked
def revenue(frame: pd.DataFrame, prediction: Sequence[tuple[str | float, float | None]] = ()) -> LayerChart:
    """Draw the seller's mean revenue, with one standard deviation up and down, by the first column of `frame`.

    `frame`: the columns ``revenue`` and ``spread``, and before them the format's name or a number such as the losers'
    share; ``bidders`` tells several lines apart, ``simulated`` is drawn as circles. `prediction`: places on the
    horizontal axis, each with a revenue, where None says that there is none yet.

    >>> frame = pd.DataFrame({"losers pay": [0, 1], "revenue": [0.67, 0.67], "spread": [0.11, 0.45]})
    >>> revenue(frame, prediction=[(1, 0.9)]).title.subtitle
    'vertical lines: one standard deviation up and down; diamond: your prediction'
    """
    first = str(frame.columns[0])
    several = "bidders" in frame
    numbers = pd.api.types.is_numeric_dtype(frame[first])
    data = frame.assign(
        low=frame["revenue"] - frame["spread"],
        high=frame["revenue"] + frame["spread"],
        bidders=frame["bidders"] if several else "",
        at=frame[first],
    )
    names = data["bidders"].unique().tolist()
    if numbers:  # side by side, so that no line hides another
        apart = 0.02 * (data["at"].max() - data["at"].min())
        data["at"] += apart * (data["bidders"].map(names.index) - (len(names) - 1) / 2)
        x = (
            alt.X("at:Q")
            .title(first)
            .scale(padding=24, nice=False)
            .axis(values=frame[first].unique().tolist(), format=".4~g")
        )
    else:
        x = alt.X("at:N").title(first).sort(None).axis(labelAngle=0)
    y = alt.Y("revenue:Q").title(_("revenue"))
    legend = alt.Legend() if several else None
    base = Chart(data).encode(
        x=x,
        color=alt.Color("bidders:N").scale(domain=names).title("").legend(legend),
        xOffset=alt.Undefined if numbers else alt.XOffset("bidders:N", sort=names),
        tooltip=[
            first,
            *([alt.Tooltip("bidders:N", title=_("bidders"))] if several else []),
            alt.Tooltip("revenue:Q", title=_("revenue"), format=".4~g"),
            alt.Tooltip("spread:Q", title=_("spread"), format=".4~g"),
        ],
    )
    bars = base.mark_rule(strokeWidth=2, opacity=0.6).encode(y=alt.Y("low:Q").title(_("revenue")), y2="high:Q")
    marks = base.mark_point(filled=True, size=80, opacity=1).encode(
        y=y, shape=alt.Shape("bidders:N").scale(domain=names).title("").legend(legend)
    )
    chart: LayerChart = bars + marks
    if numbers:
        dash = alt.StrokeDash("bidders:N").scale(domain=names).title("").legend(legend)
        chart += base.mark_line().encode(y=y, strokeDash=dash)
    said = [_("vertical lines: one standard deviation up and down")]
    if "simulated" in frame:
        chart += base.mark_point(size=200, strokeWidth=1.5).encode(y="simulated:Q", color=alt.value(theme.INK))
        said.append(_("rings: simulated"))
    chart = _with_predictions(chart, prediction, x, y, said)
    title = alt.Title(_("What the seller gets"), subtitle="; ".join(said))
    return chart.properties(width=420, height=260, title=title)


def _with_predictions(
    chart: LayerChart, guesses: Sequence[tuple[str | float, float | None]], x: alt.X, y: alt.Y, said: list[str]
) -> LayerChart:
    """`chart` with a reader's guesses, places on `x` with a number or None, as diamonds; `said` gets a word on them."""
    made = [guess for guess in guesses if guess[1] is not None]
    if guesses:
        said.append(_("diamond: your prediction") if made else _("no prediction of yours yet"))
    if not made:
        return chart
    columns = [axis.shorthand.split(":")[0] for axis in (x, y)]
    mark = Chart(pd.DataFrame(made, columns=columns)).mark_point(
        shape="diamond", filled=True, size=220, color=theme.INK, stroke=theme.PAPER, opacity=1
    )
    together: LayerChart = chart + mark.encode(x=x, y=y)
    return together


def learning(learned: Learning) -> HConcatChart:
    """Draw how far rules of learning (`learn.learn`) are from equilibrium, and their bids in a round set by a slider.

    Lines drawn through are the averages over time, dashed ones the last steps; each rule has a colour and a mark. The
    field beside the slider takes the number of a round, of which the nearest one is shown.

    >>> from tradekit.auctions import Format
    >>> from tradekit.auctions.learn import learn
    >>> from tradekit.auctions.rank_games import KnownValues
    >>> game = KnownValues.of(Format(loser_pays=1, step=1), (10, 8))
    >>> learning(learn(game, steps=20, moments=4)).title.text
    'Learning to bid'
    """
    rounds = sorted(learned.frame["step"].unique().tolist())
    moment, *fields = number_slider("moment", _("time"), range(len(rounds)), len(rounds) - 1, rounds, _("round"))
    profiles = {"average": _("average so far"), "last": _("last step")}
    names = {
        "fictitious play": _("fictitious play"),
        "regret matching": _("regret matching"),
        "replicator dynamics": _("replicator dynamics"),
    }
    frame, bid_shares, means = (
        frame.replace({"rule": names}) for frame in (learned.frame, learned.bids().dropna(), learned.mean_bids())
    )
    frame = frame.replace({"profile": profiles})
    frame["drawn"] = frame["exploitability"].clip(lower=_LEAST_GAIN)  # the axis has no 0
    kinds = frame["rule"].unique().tolist()
    legend = alt.Legend(orient="bottom", symbolSize=70)
    colour = alt.Color("rule:N").title("").scale(domain=kinds).legend(legend)
    shape = alt.Shape("rule:N").title("").scale(domain=kinds, range=[*MARKS]).legend(legend)

    base = Chart(frame).encode(
        x=alt.X("step:Q").title(_("round")).scale(type="log", nice=False),
        y=alt.Y("drawn:Q").title(_("mean gain from deviating")).scale(type="log"),
        color=colour,
        opacity=alt.condition(alt.datum.profile == profiles["average"], alt.value(1), alt.value(0.5)),
        tooltip=[
            alt.Tooltip("rule:N", title=_("rule")),
            alt.Tooltip("profile:N", title=_("bids")),
            alt.Tooltip("step:Q", title=_("round")),
            alt.Tooltip("exploitability:Q", title=_("mean gain from deviating"), format=".3~g"),
            alt.Tooltip("gain:Q", title=_("largest gain from deviating"), format=".3~g"),
            alt.Tooltip("revenue:Q", title=_("revenue"), format=".3~g"),
            alt.Tooltip("odd_share:Q", title=_("share of odd bids"), format=".3~g"),
        ],
    )
    dashes = alt.StrokeDash("profile:N").title("").scale(domain=list(profiles.values()), range=[[1, 0], [4, 3]])
    dashes = dashes.legend(orient="bottom")
    lines = base.mark_line().encode(strokeDash=dashes)
    marks = base.mark_point(filled=True, size=36).encode(shape=shape)
    here = Chart(frame).transform_filter("datum.moment == moment").mark_rule(color=theme.INK).encode(x="step:Q")
    distance = (lines + marks + here).properties(width=360, height=330, title=_("Distance from equilibrium"))

    def now(data: pd.DataFrame, x: alt.X, y: alt.Y, title: str, lines: bool) -> LayerChart:
        base = Chart(data).transform_filter("datum.moment == moment")
        shown = (alt.Tooltip(axis.shorthand, title=axis["title"]) for axis in (x, y))
        base = base.encode(x=x, y=y, color=colour, tooltip=[alt.Tooltip("rule:N", title=_("rule")), *shown])
        marks = base.mark_point(filled=True, size=40, opacity=1).encode(shape=shape)
        if not lines:  # side by side, so that no mark hides another
            marks = marks.encode(xOffset=alt.XOffset("rule:N", sort=kinds))
        chart: LayerChart = base.mark_line() + marks if lines else LayerChart(layer=[marks])
        before, after = (json.dumps(part) for part in title.split("{n}"))
        heading = alt.Title(alt.ExprRef(f"{before} + moment_steps[moment] + {after}"))
        return chart.properties(width=300, height=120, title=heading)

    share = alt.Y("probability:Q").title(_("share of bids"))
    bid = alt.X("bid:Q").title(_("bid")).axis(tickMinStep=_apart(bid_shares["bid"]))
    bids = now(bid_shares, bid, share, _("Bids up to round {n}"), lines=True)
    players = "player" in means
    row = alt.X("player:O").title(_("player")) if players else alt.X("value:Q").title(_("value"))
    row = row.axis(labelAngle=0) if players else row.axis(tickMinStep=_apart(means["value"]))
    highest = alt.Scale(domain=[0, max(1.0, float(means["mean_bid"].max()))])
    mean_bid = alt.Y("mean_bid:Q").title(_("mean bid")).scale(highest)
    mean = now(means, row, mean_bid, _("Mean bid up to round {n}"), lines=not players)
    chart: HConcatChart = distance | (bids & mean)
    return chart.add_params(moment, *fields).properties(title=alt.Title(_("Learning to bid"), offset=14))


def _apart(numbers: pd.Series[float]) -> float:
    """Return the smallest distance between neighbouring numbers; 1 if there is only one."""
    different = sorted(set(numbers))
    return min((float(b - a) for a, b in pairwise(different)), default=1.0)


_LEAST_GAIN: Final = 1e-4  # drawn; smaller ones are drawn there
