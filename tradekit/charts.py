"""Every Altair chart of tradekit, drawn offline.

Our charts are ordinary Altair charts: restyle, layer and save them as usual. They differ in how they show themselves:
the output holds the specification for JupyterLab's and Notebook's own Vega-Lite, beside a still picture for
everything else (Voila, exported HTML, code hosts). Nothing is loaded from another host, and no setting of Altair is
changed. To show a chart of your own that way, begin with `charts.Chart` instead of `alt.Chart`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from html import escape
from io import BytesIO, StringIO
from itertools import count, pairwise
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import altair as alt
import pandas as pd

from tradekit import theme
from tradekit.arguments import checked
from tradekit.bazar.stones import COLOURS, StonesLike
from tradekit.chart_svg import MARKS as MARKS
from tradekit.chart_svg import Plot, named
from tradekit.i18n import _, ngettext
from tradekit.svg import words
from tradekit.whole import write_whole

if TYPE_CHECKING:
    from tradekit.auctions.learn import Learning
    from tradekit.bazar.exchange import Exchange
    from tradekit.bazar.policy import Policy

# JupyterLab 4 bundles Vega-Lite 5 and knows this type; what our charts use draws the same in 5 and 6.
_MIME: Final = "application/vnd.vegalite.v5+json"
_SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v5.json"  # a name, which nothing fetches


def _any_number_of_rows() -> AbstractContextManager[Any]:
    """Altair's own way to hand on data, without its limit of 5,000 rows; what else somebody has chosen stays."""
    transformers: Any = alt.data_transformers
    own: AbstractContextManager[Any] = nullcontext()
    return transformers.enable(max_rows=None) if transformers.active == "default" else own


class _Offline:
    """What the chart classes below add to Altair's: the theme, the offline picture, and to stay so when combined."""

    def to_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        with _any_number_of_rows():
            spec: dict[str, Any] = super().to_dict(*args, **kwargs)  # type: ignore[misc]
        if "$schema" in spec:  # the whole chart, not a part of one
            spec["config"] = _merged(theme.VEGA_CONFIG, spec.get("config", {}))
            _keep_in_step(spec.get("params", []))
        return spec

    def _repr_mimebundle_(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        spec = self.to_dict()
        bundle: dict[str, Any] = {"text/plain": f"<{type(self).__name__}: {_name(spec)}>", "image/svg+xml": _svg(spec)}
        if not os.environ.get("SERVER_SOFTWARE", "").startswith("voila"):
            bundle[_MIME] = {**spec, "$schema": _SCHEMA}
        return bundle

    def save(self, fp: Any, format: str | None = None, *args: Any, **kwargs: Any) -> None:
        """As Altair's `save`; an HTML file holds all that it needs (``inline=True``) unless told otherwise.

        A file is written whole, or not at all.
        """
        kind = format or (Path(fp).suffix.lstrip(".") if isinstance(fp, str | os.PathLike) else None)
        if kind == "html":
            kwargs.setdefault("inline", True)
        if not isinstance(fp, str | os.PathLike):
            return super().save(fp, format, *args, **kwargs)  # type: ignore[misc,no-any-return]
        written: BytesIO | StringIO = BytesIO() if kind in ("png", "pdf") else StringIO()
        super().save(written, kind, *args, **kwargs)  # type: ignore[misc]
        write_whole(fp, written.getvalue())

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

    return named(vl_convert.vegalite_to_svg(spec), _name(spec))


def _name(spec: dict[str, Any]) -> str:
    title = spec.get("title", "")
    return str((title.get("text") if isinstance(title, dict) else title) or _("chart"))


# Bazar


@checked
def frontier(frame: pd.DataFrame, chosen: int | None = None) -> LayerChart:
    """Turns against points: the result of `Exchange.frontier`, or of `Exchange.outlook` against the die.

    `chosen` is the row to mark.

    >>> from tradekit import bazar
    >>> frame = bazar.Exchange.of_cards(1, 4).frontier("WY", ["RWBGY", "BYYYY*"])
    >>> frontier(frame, chosen=0).title.subtitle
    'the number at a mark: stones left'
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
    labels, lifted = (
        best.transform_filter(which).mark_text(dy=-above, color=theme.INK, fontSize=11).encode(text="left:N")
        for which, above in (("!datum.ringed", _ABOVE), ("datum.ringed", _ABOVE_RING))
    )
    ring = base.transform_filter("datum.chosen").mark_point(size=380, strokeWidth=2.5, color=theme.INK, opacity=1)
    heading = alt.Title(_("Turns against points"), subtitle=_("the number at a mark: stones left"))
    chart: LayerChart = line + marks + labels + ring + lifted
    return chart.properties(width=330, height=230, title=heading)


_ABOVE, _ABOVE_RING = 14, 19  # pixels from a mark up to its number, without and with a ring around the mark


def _frontier_rows(frame: pd.DataFrame, chosen: int | None) -> pd.DataFrame:
    rows = frame[["ware", "turns", "points"]].assign(left=frame["left"].astype(str), best=frame.get("best", True))
    ringed = _ringed(frame, chosen)
    return rows.assign(name=_frontier_names(frame), chosen=[row == chosen for row in range(len(rows))], ringed=ringed)


def _ringed(frame: pd.DataFrame, chosen: int | None) -> list[bool]:
    """Whether a row's mark is in the ring around the chosen one: several wares may stand at one place."""
    places = [*zip(frame["turns"].tolist(), frame["points"].tolist(), strict=True)]
    return [chosen is not None and place == places[chosen] for place in places]


def _frontier_names(frame: pd.DataFrame) -> list[str]:
    """What a screen reader says of each mark."""
    text = _("{ware}, left {left}, turns {turns:.3g}, points {points:.3g}")
    columns = (frame[column].tolist() for column in ("ware", "left", "turns", "points"))
    return [text.format(ware=w, left=n, turns=t, points=p) for w, n, t, p in zip(*columns, strict=True)]


def _ends(frame: pd.DataFrame) -> tuple[int, int]:
    """Where the axes of turns and of points end: at few places, so that axes can be kept and do not jump."""
    turns, points = (5 * max(1, ceil(frame[column].max() / 5)) if len(frame) else 5 for column in ("turns", "points"))
    return turns, points


@checked
def frontier_svg(frame: pd.DataFrame, chosen: int | None = None) -> str:
    """`frontier` as SVG text for a widget's page, each mark a link to "#row".

    It must be there at once, so it is drawn here, as Vega would (a test compares them), for which Vega takes 15 to 50
    ms. Wares have the marks `MARKS` and the colours of `theme.SERIES` in the order of their names.

    >>> from tradekit import bazar
    >>> frame = bazar.Exchange.of_cards(1, 4).frontier("WY", ["RWBGY", "BYYYY*"])
    >>> re.findall('href="(#[0-9]+)"', frontier_svg(frame))
    ['#0', '#1']
    """
    against_die, (right, top) = "best" in frame, _ends(frame)
    plot = Plot((0, right), (0, top), width=330, height=230)
    wares = frame["ware"].tolist()
    looks = dict(zip(sorted(set(wares)), zip(MARKS, theme.SERIES, strict=False), strict=False))
    places = [*zip(frame["turns"].tolist(), frame["points"].tolist(), strict=True)]
    links = [
        f'<a href="#{row}" aria-label="{escape(name)}">{plot.points([place], looks[ware][0], 110, looks[ware][1])}</a>'
        for row, (place, ware, name) in enumerate(zip(places, wares, _frontier_names(frame), strict=True))
    ]
    ringed = _ringed(frame, chosen)
    best = [row for row in range(len(frame)) if not against_die or frame["best"].iat[row]]
    corners = [places[row] for row in best]
    if not against_die:  # steps: until the next chain is done, the last one's points are what one can have
        to_next = pairwise(corners)
        corners[1:] = [corner for (_turns, low), (turns, high) in to_next for corner in ((turns, low), (turns, high))]
    drawn = "".join([
        _axes(plot, _("expected turns") if against_die else _("turns"), _("points")),
        plot.line(corners, theme.QUIET, dash="4,3"),
        f'<g stroke="{theme.PAPER}" stroke-width="2">{"".join(links)}</g>',
        *(
            plot.text(places[row], str(frame["left"].iat[row]), above=_ABOVE_RING if ringed[row] else _ABOVE)
            for row in best
        ),
        *(plot.ring(places[row], 380) for row in range(len(frame)) if row == chosen),
    ])  # fmt: skip
    return theme.on_page(named(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="marks" width="392" height="298" viewBox="-46 -24 392 298">'
        f'<rect x="-46" y="-24" width="392" height="298" fill="{theme.PAPER}"/>{drawn}</svg>',
        _("Turns against points"), role="group",
    ))  # fmt: skip


def _axes(plot: Plot, across: str, up: str) -> str:
    """Axes that begin at 0: lines across the plot at whole numbers, and what they are."""
    xs = [(plot.x(n), n) for n in _ticks(plot.across[1], most=10)]
    ys = [(plot.y(n), n) for n in _ticks(plot.up[1], most=6)]
    wide, high = plot.width, plot.height
    grid = "".join([*(f"M{x:.5g},0v{high}" for x, _n in xs), *(f"M0,{y:.5g}h{wide}" for y, _n in ys)])
    ticks = "".join([*(f"M{x:.5g},{high}v5" for x, _n in xs), *(f"M0,{y:.5g}h-5" for y, _n in ys)])
    text = partial(words, font_size=12)
    return "".join([
        f'<path d="{grid}" stroke="{theme.GRID}"/>',
        f'<path d="M0,0v{high}h{wide}{ticks}" fill="none" stroke="{theme.QUIET}"/>',
        *(text(round(x, 1), high + 16, str(n), text_anchor="middle") for x, n in xs),
        *(text(-7, round(y + 4, 1), str(n), text_anchor="end") for y, n in ys),
        text(wide / 2, high + 34, across, text_anchor="middle"),
        text(-high / 2, -30, up, text_anchor="middle", transform="rotate(-90)"),
    ])  # fmt: skip


def _ticks(end: float, most: int) -> range:
    """Whole numbers from 0 to `end` in steps of 1, 2, 5, 10, ..., at most so many steps."""
    step = next(n * 10**zeros for zeros in count() for n in (1, 2, 5) if end <= most * n * 10**zeros)
    return range(0, int(end) + 1, step)


@checked
def heat_map(policy: Policy, have: StonesLike = "", x: str = "R", y: str = "W") -> LayerChart:
    """Expected turns by the number of stones of two colours, the rest of the holding as it is; `have` is ringed.

    >>> from tradekit import bazar
    >>> policy = bazar.Exchange.of_cards(1, 4).solve("RWBGY", left=0)
    >>> heat_map(policy, "GY", "R", "Y").title.subtitle
    'buy RWBGY, 0 left: fewest turns'
    """
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


@checked
def picture(exchange: Exchange) -> LayerChart:
    """The exchange as a bipartite picture: each equation between the colours of its left and of its right side.

    >>> from tradekit import bazar
    >>> picture(bazar.Exchange("R=WW W=BG")).title.subtitle
    'left side — equation — right side; thicker lines: more stones'
    """
    high = max(len(exchange.equations), len(COLOURS))
    place = {colour: (i + 0.5) * high / len(COLOURS) - 0.5 for i, colour in enumerate(COLOURS)}
    names = pd.DataFrame([
        (1 - _half_label(str(e)), 1, 1 + _half_label(str(e)), row + (high - len(exchange.equations)) / 2, str(e))
        for row, e in enumerate(exchange.equations)
    ], columns=["left", "x", "right", "y", "equation"])  # fmt: skip
    lines = pd.DataFrame(
        [
            (x, place[colour], end, y, n)
            for equation, left, right, y in zip(
                exchange.equations, names["left"], names["right"], names["y"], strict=True
            )
            for x, end, side in ((0, left, equation.left), (2, right, equation.right))
            for colour, n in zip(COLOURS, side.counts, strict=True)
            if n
        ],
        columns=["x", "y", "x2", "y2", "n"],
    )
    dots = pd.DataFrame([(x, y, colour) for x in (0, 2) for colour, y in place.items()], columns=["x", "y", "colour"])
    x = alt.X("x:Q").axis(None).scale(domain=[-0.2, 2.2], nice=False)
    y = alt.Y("y:Q").axis(None).scale(domain=[high - 0.4, -0.6])
    fills = alt.Color("colour:N").scale(domain=list(COLOURS), range=[theme.STONES[c][0] for c in COLOURS]).legend(None)
    letters = fills.scale(domain=list(COLOURS), range=[theme.STONES[c][1] for c in COLOURS])
    width = alt.StrokeWidth("n:Q").scale(domain=[1, 4], range=[1, 5]).legend(None)
    rule = Chart(lines).mark_rule(color=theme.QUIET, opacity=0.75)
    rule = rule.encode(x=x, y=y, x2="x2:Q", y2="y2:Q", strokeWidth=width)
    dot = Chart(dots).mark_point(filled=True, size=620, opacity=1, stroke=theme.QUIET).encode(x=x, y=y, color=fills)
    letter = Chart(dots).mark_text(fontWeight=600, fontSize=13).encode(x=x, y=y, text="colour:N", color=letters)
    paper = Chart(names).mark_rule(color=theme.PAPER, strokeWidth=18)
    paper = paper.encode(x=alt.X("left:Q").axis(None).scale(domain=[-0.2, 2.2]), x2="right:Q", y=y)
    name = Chart(names).mark_text(fontSize=12, color=theme.INK).encode(x=x, y=y, text="equation:N")
    title = alt.Title(_("The exchange"), subtitle=_("left side — equation — right side; thicker lines: more stones"))
    chart: LayerChart = rule + paper + name + dot + letter
    chart = chart.resolve_scale(color="independent")  # dots and letters have colours of their own
    return chart.properties(width=_PICTURE, height=30 * high + 30, title=title)


_PICTURE: Final = 440  # pixels: the width of the picture of an exchange


def _half_label(text: str) -> float:
    """Half the width of an equation in the picture, with room around it, on its axis of 2.4; the font is not known."""
    return (4.2 * len(text) + 5) * 2.4 / _PICTURE


@checked
def proof(frame: pd.DataFrame) -> LayerChart:
    """The search behind a shortest chain, from `Exchange.proof`: the holdings new at each turn, and how many of them
    buy. Those may be few, so their number stands on the bar.

    >>> from tradekit import bazar
    >>> proof(bazar.Exchange("R=WW W=BG").proof("RRR", "WWBGG")).title
    'Every holding within reach, turn by turn'
    """
    data = frame.reset_index()
    kinds = {_("does not buy"): data["holdings"] - data["buying"], _("buys"): data["buying"]}
    parts = pd.concat(data.assign(kind=kind, part=part, above=n) for n, (kind, part) in enumerate(kinds.items()))
    x = alt.X("turn:O").title(_("turn")).axis(labelAngle=0)
    bars = Chart(parts).mark_bar().encode(
        x=x,
        y=alt.Y("part:Q").title(_("holdings first reached")).axis(tickMinStep=1),
        color=alt.Color("kind:N").title(None).scale(domain=[*kinds], range=[theme.QUIET, theme.ACCENT]),
        order="above:Q",
        tooltip=[
            alt.Tooltip("turn:O", title=_("turn")),
            alt.Tooltip("holdings:Q", title=_("holdings first reached")),
            alt.Tooltip("buying:Q", title=_("buys")),
        ],
    )  # fmt: skip
    some = data[data["buying"] > 0]
    some = some.assign(label=[ngettext("{n} buys", "{n} buy", n) for n in some["buying"].tolist()])
    labels = Chart(some).mark_text(dy=-7, fontSize=11, color=theme.INK)
    chart: LayerChart = bars + labels.encode(x=x, y="holdings:Q", text="label:N")
    return chart.properties(width=330, height=200, title=_("Every holding within reach, turn by turn"))


@checked
def plays(frame: pd.DataFrame, expected: float, prediction: float | None = None) -> LayerChart:
    """Simulated plays (`Policy.simulate`) by their turns, beside the expected number and a reader's prediction.

    >>> from tradekit import bazar
    >>> policy = bazar.Exchange.of_cards(1, 4).solve("RWBGY", left=0)
    >>> plays(policy.simulate("", plays=100, seed=1), policy.turns(""), prediction=5).title
    'How long it took'
    """
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


@checked
def review(frame: pd.DataFrame) -> VConcatChart:
    """A game looked at again (`bazar.review`): what each player's position was worth, and what each decision gave away.

    A line a player: the value of the action taken. Below it, on a scale of their own, bars: what a better one would
    have been worth more.

    >>> from tradekit import Record, bazar, bots
    >>> start = bazar.State.parse("bazar players=2 deck=house cards=1,4 step=buy turn=p0 hands=RWBGYYYY,RRW "
    ...     "stalls=RWBGY:1,-:0,RRWBB:4,GGGGG*:4 bought=-,- idle=0")
    >>> review(bazar.review(Record.begin(start).then("buy 1"))).title.text
    'What each decision was worth'
    """
    names = [*dict.fromkeys(frame["name"])]
    ends = [frame["move"].min() - 1, frame["move"].max() + 1] if len(frame) else [0, 1]
    move = alt.X("move:Q").title(_("move")).scale(domain=ends, nice=False).axis(tickMinStep=1)
    player = alt.Color("name:N").title(_("player")).scale(domain=names)
    shape = alt.Shape("name:N").title(_("player")).scale(domain=names, range=[*MARKS])
    tooltip = [
        alt.Tooltip("name:N", title=_("player")),
        alt.Tooltip("action:N", title=_("did")),
        alt.Tooltip("best:N", title=_("best")),
        alt.Tooltip("value:Q", format=".2f", title=_("value")),
        alt.Tooltip("costs:Q", format=".2f", title=_("gave away")),
    ]
    base = Chart(frame).encode(x=move, color=player, tooltip=tooltip)
    line = base.mark_line().encode(y=alt.Y("value:Q").title(_("points ahead")))
    marks = base.mark_point(filled=True, size=40, opacity=1).encode(y="value:Q", shape=shape)
    bars = base.mark_bar(width=4).encode(y=alt.Y("costs:Q").title(_("gave away")).axis(tickCount=4))
    worth = (line + marks).properties(width=_REVIEW, height=220)
    chart: VConcatChart = worth & bars.properties(width=_REVIEW, height=90)
    return chart.properties(title=alt.Title(_("What each decision was worth")))


_REVIEW: Final = 540  # pixels: the width of both its panels


# Sliders

_NUMBER, _STEPS = "_number", "_steps"  # what the parameters beside a slider's own are called
_PAUSE: Final = 250  # milliseconds after the last key before a typed number counts


def _slider(
    name: str,
    label: str,
    places: Sequence[float],
    chosen: float,
    numbers: Sequence[float] | None = None,
    number_label: str = "",
) -> tuple[alt.Parameter, ...]:
    """A slider over `places`, which are the same distance apart, and a field for its number.

    `numbers`: what the places stand for in the field, if not for themselves.
    """
    step = places[1] - places[0] if len(places) > 1 else 1
    ranged = alt.binding_range(min=places[0], max=places[-1], step=round(step, 9), name=f"{label} ")
    field = _("{label}: a number").format(label=number_label or label)
    typed = alt.binding(input="number", name=f"{field} ", debounce=_PAUSE)
    shown = numbers[places.index(chosen)] if numbers else chosen
    params = alt.param(name, value=chosen, bind=ranged), alt.param(name + _NUMBER, value=shown, bind=typed)
    return (*params, alt.param(name + _STEPS, value=[*numbers])) if numbers else params


def _keep_in_step(params: list[dict[str, Any]]) -> None:
    """Let each slider follow the field for its number, and the field the slider.

    Vega has ``on`` for it; Vega-Lite hands it through, though its schema and so Altair do not know it. Two parameters
    that follow each other would be a circle, so the field listens to the slider's own events on the page; and to its
    own, when it is left, to show the nearest number there is.
    """
    named = {param["name"]: param for param in params}
    for name, slider in named.items():
        typed, field = f"toNumber({name + _NUMBER})", named.get(name + _NUMBER)
        if field is None:
            continue
        if steps := named.get(name + _STEPS):
            borders = [(low + high) / 2 for low, high in pairwise(steps["value"])]
            place = " + ".join([f"({typed} > {border})" for border in borders] or ["0"])
            number = f"{name + _STEPS}[{name}]"
        else:
            low, high, step = (slider["bind"][end] for end in ("min", "max", "step"))
            place = f"round(1e9 * clamp({low} + round(({typed} - {low}) / {step}) * {step}, {low}, {high})) / 1e9"
            number = name
        moved = {"source": "window", "type": "input", "filter": f"event.target.name == '{name}'"}
        left = {"source": "window", "type": "change", "filter": f"event.target.name == '{name + _NUMBER}'"}
        slider["on"] = [{"events": {"signal": name + _NUMBER}, "update": f"isValid({typed}) ? {place} : {name}"}]
        field["on"] = [{"events": [moved, {**left, "debounce": 2 * _PAUSE}], "update": number}]


# Auctions

_MOST_POINTS: Final = 400  # simulated bids that are drawn


@checked
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
    frame, of numbers the same distance apart, of which a slider or the field for its number chooses one.

    >>> from tradekit.auctions import first_price, uniform
    >>> bid_function(first_price().equilibrium(2, uniform()), prediction=(0.5, 0.3)).title.subtitle
    'thin line: the value itself; diamond: your prediction'
    """
    several = isinstance(curves, dict)
    frames = [
        (curve if isinstance(curve, pd.DataFrame) else curve.to_frame()).assign(name=name)
        for name, curve in (curves if several else {_("equilibrium"): curves}).items()
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
        chosen, *fields = _slider("chosen_" + re.sub(r"\W", "_", slider), slider, steps, steps[len(steps) // 2])
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
    """Whether every value bids itself, so that a line to compare with would lie under the curve."""
    return bool(((curve["bid"] - curve["value"]).abs() <= 1e-6 * curve["value"].abs().max()).all())


@checked
def revenue(frame: pd.DataFrame, prediction: Sequence[tuple[Any, float | None]] = ()) -> LayerChart:
    """What the seller gets on average, with one standard deviation up and down, by whatever stands in the first column.

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
    chart: LayerChart, guesses: Sequence[tuple[Any, float | None]], x: alt.X, y: alt.Y, said: list[str]
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
    """How far from equilibrium rules of learning are (`learn.learn`), and what they bid in a round that a slider sets.

    Lines drawn through are the averages over time, dashed ones the last steps; each rule has a colour and a mark. The
    field beside the slider takes the number of a round, of which the nearest one is shown.

    >>> from tradekit.auctions import Format
    >>> from tradekit.auctions.learn import learn
    >>> from tradekit.auctions.ranks import KnownValues
    >>> game = KnownValues.of(Format(loser_pays=1, step=1), (10, 8))
    >>> learning(learn(game, steps=20, moments=4)).title.text
    'Learning to bid'
    """
    rounds = sorted(learned.frame["step"].unique().tolist())
    moment, *fields = _slider("moment", _("time"), range(len(rounds)), len(rounds) - 1, rounds, _("round"))
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
    """How far neighbouring ones are apart at least; 1 if there is only one."""
    different = sorted(set(numbers))
    return min((float(b - a) for a, b in pairwise(different)), default=1.0)


_LEAST_GAIN: Final = 1e-4  # drawn; smaller ones are drawn there
