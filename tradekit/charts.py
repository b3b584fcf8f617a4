"""Every Altair chart of tradekit, drawn offline.

Our charts are ordinary Altair charts: restyle, layer and save them as usual. They differ in how they show themselves:
the output holds the specification for JupyterLab's and Notebook's own Vega-Lite, beside a still picture for
everything else (Voila, exported HTML, code hosts). Nothing is loaded from another host, and no setting of Altair is
changed. To show a chart of your own that way, begin with `charts.Chart` instead of `alt.Chart`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from html import escape
from itertools import product
from math import ceil
from typing import TYPE_CHECKING, Any, Final

import altair as alt
import pandas as pd

from tradekit import theme
from tradekit.bazar.stones import COLOURS, StonesLike
from tradekit.i18n import _

if TYPE_CHECKING:
    from tradekit.auctions.learn import Learning
    from tradekit.bazar.exchange import Exchange
    from tradekit.bazar.policy import Policy

# JupyterLab 4 bundles Vega-Lite 5 and knows this type; what our charts use draws the same in 5 and 6.
_MIME: Final = "application/vnd.vegalite.v5+json"
_SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v5.json"  # a name, which nothing fetches


class _Offline:
    """What the chart classes below add to Altair's: the theme, the offline picture, and to stay so when combined."""

    def to_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        spec: dict[str, Any] = super().to_dict(*args, **kwargs)  # type: ignore[misc]
        if "$schema" in spec:  # the whole chart, not a part of one
            spec["config"] = _merged(theme.VEGA_CONFIG, spec.get("config", {}))
        return spec

    def _repr_mimebundle_(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        spec = self.to_dict()
        bundle: dict[str, Any] = {"text/plain": f"<{type(self).__name__}: {_name(spec)}>", "image/svg+xml": _svg(spec)}
        if not os.environ.get("SERVER_SOFTWARE", "").startswith("voila"):
            bundle[_MIME] = {**spec, "$schema": _SCHEMA}
        return bundle

    def save(self, *args: Any, **kwargs: Any) -> None:
        """As Altair's `save`; an HTML file holds all that it needs (``inline=True``) unless told otherwise."""
        kwargs.setdefault("inline", True)
        super().save(*args, **kwargs)  # type: ignore[misc]

    def to_svg(self) -> str:
        """The chart as SVG text."""
        return _svg(self.to_dict())

    def __add__(self, other: Any) -> Any:
        return _offline(super().__add__(other))  # type: ignore[misc]

    def __or__(self, other: Any) -> Any:
        return _offline(super().__or__(other))  # type: ignore[misc]

    def __and__(self, other: Any) -> Any:
        return _offline(super().__and__(other))  # type: ignore[misc]

    def facet(self, *args: Any, **kwargs: Any) -> Any:
        return _offline(super().facet(*args, **kwargs))  # type: ignore[misc]

    def repeat(self, *args: Any, **kwargs: Any) -> Any:
        return _offline(super().repeat(*args, **kwargs))  # type: ignore[misc]


class Chart(_Offline, alt.Chart):
    """`alt.Chart`, drawn offline."""


class LayerChart(_Offline, alt.LayerChart):
    """`alt.LayerChart`, drawn offline."""


class HConcatChart(_Offline, alt.HConcatChart):
    """`alt.HConcatChart`, drawn offline."""


class VConcatChart(_Offline, alt.VConcatChart):
    """`alt.VConcatChart`, drawn offline."""


class ConcatChart(_Offline, alt.ConcatChart):
    """`alt.ConcatChart`, drawn offline."""


class FacetChart(_Offline, alt.FacetChart):
    """`alt.FacetChart`, drawn offline."""


class RepeatChart(_Offline, alt.RepeatChart):
    """`alt.RepeatChart`, drawn offline."""


_CLASSES: Final[dict[type, type]] = {
    cls.__bases__[1]: cls
    for cls in (Chart, LayerChart, HConcatChart, VConcatChart, ConcatChart, FacetChart, RepeatChart)
}


def _offline(chart: Any) -> Any:
    """`chart` as one of ours, if Altair made one of its own."""
    if type(chart) in _CLASSES:
        object.__setattr__(
            chart, "__class__", _CLASSES[type(chart)]
        )  # Altair's own takes it for a property of the chart
    return chart


def _merged(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    """Both configurations, level by level; what the user says wins."""
    merged = {**ours, **theirs}
    for key in ours.keys() & theirs.keys():
        if isinstance(ours[key], dict) and isinstance(theirs[key], dict):
            merged[key] = _merged(ours[key], theirs[key])
    return merged


def _svg(spec: dict[str, Any]) -> str:
    """A specification as SVG text, named by its title for who cannot see it."""
    import vl_convert  # takes a second to start

    return _on_its_own(vl_convert.vegalite_to_svg(spec), _name(spec))


def _name(spec: dict[str, Any]) -> str:
    title = spec.get("title", "")
    return str((title.get("text") if isinstance(title, dict) else title) or _("chart"))


def _on_its_own(svg: str, name: str, role: str = "img") -> str:
    """The picture with a name for who cannot see it; the role is "group" if there is something to click in it."""
    return svg.replace("<svg ", f'<svg role="{role}" aria-label="{escape(name)}" ', 1)


# Bazar


#: The marks of up to four wares, and how they are written in a line of text.
MARKS: Final = {"circle": "●", "square": "■", "triangle-up": "▲", "diamond": "◆"}


def frontier(frame: pd.DataFrame, chosen: int | None = None) -> LayerChart:
    """Turns against points: the result of `Exchange.frontier`, or of `Exchange.outlook` against the die.

    `chosen` is the row to mark.
    """
    against_die = "best" in frame
    title = _("expected turns") if against_die else _("turns")
    right, top = _ends(frame)
    x = alt.X("turns:Q").title(title).scale(domain=[0, right], nice=False).axis(tickMinStep=1)
    y = alt.Y("points:Q").title(_("points")).scale(domain=[0, top], nice=False).axis(tickMinStep=1)
    tooltip = [
        alt.Tooltip("ware:N", title=_("ware")),
        alt.Tooltip("left:N", title=_("stones left")),
        alt.Tooltip("turns:Q", format=".3~f", title=title),
        alt.Tooltip("points:Q", format=".3~f", title=_("points")),
    ]
    base = Chart(_frontier_rows(frame, chosen)).encode(x=x, y=y)
    best = base.transform_filter("datum.best")
    line = best.mark_line(color=theme.QUIET, strokeDash=[4, 3], interpolate="linear" if against_die else "step-after")
    marks = base.mark_point(filled=True, size=110, opacity=1, stroke=theme.PAPER).encode(
        tooltip=tooltip,
        description="name:N",
        color=alt.Color("ware:N").title(_("ware")),
        shape=alt.Shape("ware:N").title(_("ware")).scale(range=list(MARKS)),
    )
    labels = best.mark_text(dy=-14, color=theme.INK, fontSize=11).encode(text="left:N")
    ring = base.transform_filter("datum.chosen").mark_point(size=380, strokeWidth=2.5, color=theme.INK, opacity=1)
    heading = alt.Title(_("Turns against points"), subtitle=_("the number at a mark: stones left"))
    chart: LayerChart = line + marks + labels + ring
    return chart.properties(width=330, height=230, title=heading)


def _frontier_rows(frame: pd.DataFrame, chosen: int | None) -> pd.DataFrame:
    rows = frame[["ware", "turns", "points"]].assign(left=frame["left"].astype(str), best=frame.get("best", True))
    text = _("{row}: {ware}, left {left}, turns {turns:.3g}, points {points:.3g}")
    columns = zip(rows["ware"], rows["left"], rows["turns"], rows["points"], strict=True)
    return rows.assign(
        name=[text.format(row=i, ware=w, left=n, turns=t, points=p) for i, (w, n, t, p) in enumerate(columns)],
        chosen=[row == chosen for row in range(len(rows))],
    )


def _ends(frame: pd.DataFrame) -> tuple[int, int]:
    """Where the axes of turns and of points end: at few places, so that axes can be kept and do not jump."""
    turns, points = (5 * max(1, ceil(frame[column].max() / 5)) if len(frame) else 5 for column in ("turns", "points"))
    return turns, points


def frontier_svg(frame: pd.DataFrame, chosen: int | None = None) -> str:
    """`frontier` as SVG text for a widget's page, each mark a link to "#row".

    It must be fast, so only the marks are drawn anew, over axes that are kept; and links are added here, for Vega's own
    take as long as all the rest. Wares have the marks `MARKS` and the colours of `theme.SERIES` in the order of their
    names.
    """
    import vl_convert

    against_die, ends = "best" in frame, _ends(frame)
    spec = _frontier_spec(against_die, ends)
    first, *rest = spec["data"]
    rows = {**first, "values": _frontier_rows(frame, chosen).to_dict("records")}
    marks = vl_convert.vega_to_svg({**spec, "background": None, "axes": [], "data": [rows, *rest]})
    marks = _MARK.sub(r'<a href="#\1" aria-label="\2"><path \3</a>', marks)
    svg = _frontier_axes(against_die, ends).replace("</svg>", f"{marks}</svg>")
    return theme.on_page(_on_its_own(svg, _("Turns against points"), role="group"))


def warm_up() -> None:
    """Draw the usual axes of `frontier_svg`, so that no click waits for them."""
    for against_die, turns, points in product((False, True), (5, 10), (5, 10)):
        _frontier_axes(against_die, (turns, points))


@lru_cache
def _frontier_axes(against_die: bool, ends: tuple[int, int]) -> str:
    import vl_convert

    return str(vl_convert.vega_to_svg({**_frontier_spec(against_die, ends), "marks": []}))


def _frontier_spec(against_die: bool, ends: tuple[int, int]) -> dict[str, Any]:
    """`frontier` as a Vega specification without data: its marks and axes take the same place, drawn apart or not."""
    template = _frontier_template(against_die)
    domains = {name: {"domain": [0, end]} for name, end in zip("xy", ends, strict=True)}
    return {**template, "scales": [{**scale, **domains.get(scale["name"], {})} for scale in template["scales"]]}


@cache
def _frontier_template(against_die: bool) -> dict[str, Any]:
    import vl_convert

    columns = {"ware": "", "left": "", "turns": 1.0, "points": 1.0} | ({"best": True} if against_die else {})
    spec = frontier(pd.DataFrame([columns])).to_dict()
    spec.pop("title")  # the page has its own heading, legend and type
    spec["config"] |= {"font": "sans-serif", "legend": {"disable": True}}
    spec["autosize"], spec["padding"] = "none", {"left": 46, "right": 16, "top": 24, "bottom": 44}
    vega: dict[str, Any] = vl_convert.vegalite_to_vega(spec)
    return vega


_MARK: Final = re.compile(r'<path aria-label="(\d+): ([^"]*)" role="graphics-symbol" ([^>]*/>)')


def heat_map(policy: Policy, have: StonesLike = "", x: str = "R", y: str = "W") -> LayerChart:
    """Expected turns by the number of stones of two colours, the rest of the holding as it is; `have` is ringed."""
    data = policy.grid(have, x, y)
    data["label"] = ["∞" if turns == float("inf") else f"{turns:.1f}" for turns in data["turns"]]
    base = Chart(data).encode(
        x=alt.X("x:O").title(_("{colour} stones").format(colour=x)).axis(labelAngle=0),
        y=alt.Y("y:O").title(_("{colour} stones").format(colour=y)).sort("descending"),
    )
    cell = base.mark_rect(invalid=None).encode(
        color=alt.condition(
            "isFinite(datum.turns)",
            alt.Color("turns:Q").title(_("expected turns")).scale(zero=False),
            alt.value(theme.NOTHING),
        )
    )
    number = base.mark_text(fontSize=10, color=theme.INK).encode(text="label:N")
    ring = base.transform_filter("datum.here").mark_rect(fill=None, stroke=theme.INK, strokeWidth=2.5)
    title = alt.Title(_("Expected turns, trade or roll"), subtitle=policy.title())
    chart: LayerChart = cell + number + ring
    return chart.properties(width=330, height=230, title=title)


def picture(exchange: Exchange) -> LayerChart:
    """The exchange as a bipartite picture: each equation between the colours of its left and of its right side."""
    rows = len(exchange.equations)
    high = max(rows, len(COLOURS))
    place = {colour: (i + 0.5) * high / len(COLOURS) - 0.5 for i, colour in enumerate(COLOURS)}
    lines = pd.DataFrame(
        [
            (x, place[colour], 1, row + (high - rows) / 2, n)
            for row, equation in enumerate(exchange.equations)
            for x, side in ((0, equation.left), (2, equation.right))
            for colour, n in zip(COLOURS, side.counts, strict=True)
            if n
        ],
        columns=["x", "y", "x2", "y2", "n"],
    )
    dots = pd.DataFrame([(x, y, colour) for x in (0, 2) for colour, y in place.items()], columns=["x", "y", "colour"])
    names = pd.DataFrame(
        [(1, row + (high - rows) / 2, str(e)) for row, e in enumerate(exchange.equations)],
        columns=["x", "y", "equation"],
    )
    x = alt.X("x:Q").axis(None).scale(domain=[-0.2, 2.2])
    y = alt.Y("y:Q").axis(None).scale(domain=[high - 0.4, -0.6])
    fills = alt.Color("colour:N").scale(domain=list(COLOURS), range=[theme.STONES[c][0] for c in COLOURS]).legend(None)
    letters = fills.scale(domain=list(COLOURS), range=[theme.STONES[c][1] for c in COLOURS])
    width = alt.StrokeWidth("n:Q").scale(domain=[1, 4], range=[1, 5]).legend(None)
    rule = Chart(lines).mark_rule(color=theme.QUIET, opacity=0.75)
    rule = rule.encode(x=x, y=y, x2="x2:Q", y2="y2:Q", strokeWidth=width)
    dot = Chart(dots).mark_point(filled=True, size=620, opacity=1, stroke=theme.QUIET).encode(x=x, y=y, color=fills)
    letter = Chart(dots).mark_text(fontWeight=600, fontSize=13).encode(x=x, y=y, text="colour:N", color=letters)
    label = Chart(names).encode(x=x, y=y)
    paper = label.mark_point(shape="square", filled=True, size=1400, opacity=1, color=theme.PAPER)
    name = label.mark_text(fontSize=12, color=theme.INK).encode(text="equation:N")
    title = alt.Title(_("The exchange"), subtitle=_("left side — equation — right side; thicker lines: more stones"))
    chart: LayerChart = rule + paper + name + dot + letter
    chart = chart.resolve_scale(color="independent")  # dots and letters have colours of their own
    return chart.properties(width=440, height=30 * high + 30, title=title)


def proof(frame: pd.DataFrame) -> Chart:
    """The search behind a shortest chain, from `Exchange.proof`: the holdings new at each turn, and whether any
    buys.
    """
    data = frame.reset_index().assign(buys=[_("buys") if n else _("none buys") for n in frame["buying"]])
    colours = alt.Scale(domain=[_("none buys"), _("buys")], range=[theme.QUIET, theme.ACCENT])
    chart: Chart = Chart(data).mark_bar().encode(
        x=alt.X("turn:O").title(_("turn")).axis(labelAngle=0),
        y=alt.Y("holdings:Q").title(_("holdings first reached")),
        color=alt.Color("buys:N").title(None).scale(colours),
        tooltip=["turn", "holdings", "buying"],
    )  # fmt: skip
    return chart.properties(width=330, height=200, title=_("Every holding within reach, turn by turn"))


def plays(frame: pd.DataFrame, expected: float, prediction: float | None = None) -> LayerChart:
    """Simulated plays (`Policy.simulate`) by their turns, beside the expected number and a reader's prediction."""
    bars = Chart(frame.groupby("turns").size().rename("plays").reset_index()).mark_bar(color=theme.ACCENT).encode(
        x=alt.X("turns:Q").title(_("turns")).axis(tickMinStep=1), y=alt.Y("plays:Q").title(_("plays"))
    )  # fmt: skip
    marks = [(expected, _("expected {n:.2f}").format(n=expected), 8)]
    if prediction is not None:
        marks.append((float(prediction), _("your prediction {n:g}").format(n=prediction), 24))
    lines = pd.DataFrame(marks, columns=["turns", "what", "dy"])
    rule = Chart(lines).mark_rule(strokeWidth=2).encode(
        x="turns:Q", color=alt.Color("what:N").title(None).scale(range=[theme.SECOND, theme.INK]),
        strokeDash=alt.StrokeDash("what:N").title(None),
    )  # fmt: skip
    chart: LayerChart = bars + rule
    return chart.properties(width=420, height=220, title=_("How long it took"))


def review(frame: pd.DataFrame) -> LayerChart:
    """A game looked at again (`bazar.review`): what each player's position was worth, and what each decision gave away.

    A line a player: the value of the action taken. A bar below zero: what a better one would have been worth more.
    """
    move = alt.X("move:Q").title(_("move")).axis(tickMinStep=1)
    player = alt.Color("name:N").title(_("player"))
    tooltip = [
        alt.Tooltip("name:N", title=_("player")),
        alt.Tooltip("action:N", title=_("did")),
        alt.Tooltip("best:N", title=_("best")),
        alt.Tooltip("value:Q", format=".2f", title=_("value")),
        alt.Tooltip("costs:Q", format=".2f", title=_("gave away")),
    ]
    data = frame.assign(given=-frame["costs"])
    base = Chart(data).encode(x=move, color=player, tooltip=tooltip)
    line = base.mark_line().encode(y=alt.Y("value:Q").title(_("points ahead; given away, downwards")))
    marks = base.mark_point(filled=True, size=40).encode(y="value:Q", shape=alt.Shape("name:N").legend(None))
    bars = base.mark_bar(width=4, opacity=0.8).encode(y="given:Q")
    chart: LayerChart = bars + line + marks
    return chart.properties(width=560, height=260, title=_("What each decision was worth"))


# Auctions

_MOST_POINTS: Final = 400  # simulated bids that are drawn


def bid_function(
    curves: Any,
    simulated: pd.DataFrame | None = None,
    prediction: tuple[float, float | None] | None = None,
    *,
    signals: bool = False,
    slider: str | None = None,
) -> LayerChart:
    """What to bid, by value: one equilibrium or several, beside simulated bids and a reader's prediction.

    `curves`: an equilibrium or a frame with the columns ``value, bid``, or several of them by name. `simulated`: a
    result of `Format.simulate`, of which some hundred bids are drawn. `prediction`: a value and a bid, where None says
    that there is none yet. `signals`: the horizontal axis shows signals of a common value. `slider`: a column of the
    frame, of numbers, of which a slider below the chart chooses one.
    """
    several = isinstance(curves, dict)
    frames = [
        (curve if isinstance(curve, pd.DataFrame) else curve.to_frame()).assign(name=name)
        for name, curve in (curves if several else {_("equilibrium"): curves}).items()
    ]
    data = pd.concat(frames)[["value", "bid", "name", *([slider] if slider else [])]].dropna()
    value, bid = (_("signal"), _("bid")) if signals else (_("value"), _("bid"))
    low, high = data["value"].min(), data["value"].max()
    x = alt.X("value:Q").title(value).scale(domain=[low, high], nice=False)
    y = alt.Y("bid:Q").title(bid)
    if slider:  # the axis stays when the curve moves
        y = y.scale(domain=[0, float(data["bid"].max())])
    honest = pd.DataFrame({"value": [low, high], "bid": [low, high]})
    diagonal = (
        Chart(honest).mark_line(color=theme.QUIET, strokeDash=[2, 4], strokeWidth=1.5, clip=True).encode(x=x, y=y)
    )
    legend = alt.Legend() if several else None
    names, tooltip = [frame["name"].iloc[0] for frame in frames], ["name", "value", alt.Tooltip("bid:Q", format=".4~g")]
    line = Chart(data).mark_line(strokeWidth=2.5, clip=True).encode(
        x=x, y=y, tooltip=tooltip,
        color=alt.Color("name:N").scale(domain=names).title("").legend(legend),
        strokeDash=alt.StrokeDash("name:N").scale(domain=names).title("").legend(legend),
    )  # fmt: skip
    if slider:
        steps = sorted(data[slider].unique())
        chosen = alt.param(
            name=f"chosen_{slider}",
            value=float(steps[len(steps) // 2]),
            bind=alt.binding_range(
                min=float(steps[0]), max=float(steps[-1]), step=float(steps[1] - steps[0]), name=f"{slider} "
            ),
        )
        line = line.add_params(chosen).transform_filter(f"abs(datum['{slider}'] - {chosen.name}) < 1e-6")
    chart: LayerChart = diagonal + line
    subtitle = _("dotted: the signal itself") if signals else _("dotted: the value itself")
    if simulated is not None:
        dots = simulated[["type", "bid"]].dropna().head(_MOST_POINTS)
        dots = dots[dots["type"].between(low, high)].rename(columns={"type": "value"})
        chart += Chart(dots).mark_point(size=14, color=theme.QUIET, opacity=0.6).encode(x=x, y=y)
        subtitle += _("; circles: simulated bids")
    if prediction is not None and prediction[1] is not None:
        chart += _predicted(pd.DataFrame([prediction], columns=["value", "bid"]), x, y)
        subtitle += _("; diamond: your prediction")
    elif prediction is not None:
        subtitle += _("; no prediction of yours yet")
    title = alt.Title(_("What to bid"), subtitle=subtitle)
    return chart.properties(width=420, height=260, title=title)


def revenue(frame: pd.DataFrame, prediction: Sequence[tuple[Any, float | None]] = ()) -> LayerChart:
    """What the seller gets on average, with one standard deviation up and down, by whatever stands in the first column.

    `frame`: the columns ``revenue`` and ``spread``, and before them the format's name or a number such as the losers'
    share; ``bidders`` tells several lines apart, ``simulated`` is drawn as circles. `prediction`: places on the
    horizontal axis, each with a revenue, where None says that there is none yet.
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
        tooltip=[first, "bidders", alt.Tooltip("revenue:Q", format=".4~g"), alt.Tooltip("spread:Q", format=".4~g")],
    )
    bars = base.mark_rule(strokeWidth=2, opacity=0.6).encode(y=alt.Y("low:Q").title(_("revenue")), y2="high:Q")
    marks = base.mark_point(filled=True, size=80, opacity=1).encode(
        y=y, shape=alt.Shape("bidders:N").scale(domain=names).title("").legend(legend)
    )
    chart: LayerChart = bars + marks
    if numbers:
        dash = alt.StrokeDash("bidders:N").scale(domain=names).title("").legend(legend)
        chart += base.mark_line().encode(y=y, strokeDash=dash)
    subtitle = _("vertical lines: one standard deviation up and down")
    if "simulated" in frame:
        chart += base.mark_point(size=200, strokeWidth=1.5).encode(y="simulated:Q", color=alt.value(theme.INK))
        subtitle += _("; rings: simulated")
    said = [guess for guess in prediction if guess[1] is not None]
    if said:
        chart += _predicted(pd.DataFrame(said, columns=["at", "revenue"]), x, y)
        subtitle += _("; diamond: your prediction")
    elif prediction:
        subtitle += _("; no prediction of yours yet")
    return chart.properties(width=420, height=260, title=alt.Title(_("What the seller gets"), subtitle=subtitle))


def _predicted(frame: pd.DataFrame, x: alt.X, y: alt.Y) -> Chart:
    """A reader's prediction as a diamond."""
    mark = Chart(frame).mark_point(
        shape="diamond", filled=True, size=220, color=theme.INK, stroke=theme.PAPER, opacity=1
    )
    chart: Chart = mark.encode(x=x, y=y)
    return chart


def learning(learned: Learning) -> HConcatChart:
    """How far from equilibrium rules of learning are (`learn.learn`), and what they bid at a moment that a slider sets.

    Lines drawn through are the averages over time, dashed ones the last steps.
    """
    end = int(learned.frame["moment"].max())
    slider = alt.binding_range(min=0, max=end, step=1, name=_("moment") + " ")
    moment = alt.param(name="moment", value=end, bind=slider)
    rules = alt.Color("rule:N").title("").legend(orient="bottom")
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
    frame["exploitability"] = frame["exploitability"].clip(lower=_LEAST_GAIN)  # the axis has no 0
    base = Chart(frame)
    lines = base.mark_line().encode(
        x=alt.X("step:Q").title(_("step")).scale(type="log", nice=False),
        y=alt.Y("exploitability:Q").title(_("mean gain from deviating")).scale(type="log"),
        color=rules,
        strokeDash=alt.StrokeDash("profile:N").title("").scale(domain=list(profiles.values()), range=[[1, 0], [4, 3]]),
        opacity=alt.condition(alt.datum.profile == profiles["average"], alt.value(1), alt.value(0.5)),
        tooltip=["rule", "profile", "step", *(alt.Tooltip(f"{n}:Q", format=".3~g") for n in _MEASURES)],
    )
    here = base.transform_filter("datum.moment == moment").mark_rule(color=theme.INK).encode(x="step:Q")
    distance = (lines + here).properties(width=360, height=330, title=_("Distance from equilibrium"))
    bids = Chart(bid_shares).transform_filter("datum.moment == moment").mark_line(
        point={"size": 24}, interpolate="linear"
    ).encode(
        x=alt.X("bid:Q").title(_("bid")), color=rules,
        tooltip=["rule", "bid", alt.Tooltip("probability:Q", format=".3f")],
        y=alt.Y("probability:Q").title(_("share of bids")),
    )  # fmt: skip
    row, title = ("player:O", _("player")) if "player" in means else ("value:Q", _("value"))
    mean = Chart(means).transform_filter("datum.moment == moment").encode(
        x=alt.X(row).title(title).axis(labelAngle=0), color=rules, tooltip=["rule", row, "mean_bid:Q"],
        y=alt.Y("mean_bid:Q").title(_("mean bid")).scale(domain=[0, max(1.0, float(means["mean_bid"].max()))]),
    )  # fmt: skip
    mean = mean.mark_point(size=70, opacity=1) if "player" in means else mean.mark_line(point={"size": 24})
    bids = bids.properties(width=300, height=120, title=_("Bids at the moment"))
    chart: HConcatChart = distance | (bids & mean.properties(width=300, height=120, title=_("Mean bid at the moment")))
    return chart.add_params(moment).properties(title=_("Learning to bid"))


_LEAST_GAIN: Final = 1e-9
_MEASURES: Final = ("exploitability", "gain", "revenue", "odd_share")
