"""The pictures of auctions: what types bid, win and gain, what the seller gets, and rounds that a person has bid in.

Each function gives a `Picture`, which shows itself in a notebook; `.chart` is the Altair chart, to restyle and combine,
and `.svg()` the same for a widget's page, where it must be there at once (see `chart_svg`). So there are two ways to
draw each kind of picture, beside each other in `_Kind`; a test compares what they show.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import altair as alt
import numpy as np
import pandas as pd
from markupsafe import Markup

from tradekit import theme
from tradekit.auctions.common import CommonEquilibrium
from tradekit.i18n import _, ngettext
from tradekit.show import charts
from tradekit.show.axes import MARKS, TRIANGLE, Axis, Canvas, Ends, Plot
from tradekit.show.html import element, fragment

if TYPE_CHECKING:
    from tradekit.auctions.equilibrium import Equilibrium
    from tradekit.auctions.values import Floats, Strategy, ValueModel

    Solved = Equilibrium | CommonEquilibrium

Rows = list[dict[str, Any]]

WIDTH, HEIGHT = 330, 200  # of a plot
_LEFT, _TOP, _RIGHT, _BOTTOM = 50, 10, 14, 42  # around it, on a page
_STRIPS: Final = 50  # places that can be clicked, across a plot
_POINTS: Final = 150  # simulated bidders shown
_BINS: Final = 20  # groups of types, of whom the average is shown
_BARS: Final = 40  # of a histogram, across the plot
_DASHES: Final = {(7, 4): "╌", (2, 3): "┈"}  # of lines to compare with, and how they are written in a line of text
NEAR: Final = 0.05  #: types this near to the chosen one, in parts of the range, are its like


@dataclass(frozen=True)
class Axes:
    """The parts of a chart that are kept when its marks change."""

    x: str
    y: str
    across: Ends
    up: Ends
    kinds: tuple[str, ...] = ()  #: of points, in the order of colours and shapes
    guides: tuple[str, ...] = ()  #: lines to compare with, in the order of `_DASHES`


@dataclass(frozen=True)
class Picture:
    """A chart: its axes, the rows of data by layer, and how layers are drawn."""

    title: str
    axes: Axes
    data: dict[str, Rows]
    kind: _Kind

    @property
    def chart(self) -> charts.LayerChart:
        """The Altair chart."""
        return self.kind.chart(self.axes, self.data).properties(width=WIDTH, height=HEIGHT, title=self.title)

    def _repr_mimebundle_(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        return self.chart._repr_mimebundle_(*args, **kwargs)

    def svg(self, label: str = "", choose: bool = False) -> Markup:
        """Return SVG text for a widget's page. `label`: what it shows, in words; `choose`: places are links to "#x"."""
        axes, canvas = self.axes, self.kind.canvas
        marks = self.kind.marks(canvas.plot(axes.across, axes.up), axes, self.data)
        x, y = Axis(axes.x, axes.across), Axis(axes.y, axes.up)
        links = _strips(axes.across) if choose else Markup("")
        return canvas.svg(x, y, marks + links, label or self.title, "group" if choose else "img")

    def key(self, line: str = "") -> Markup:
        """Return the legend of `svg`: marks of points, then lines; `line`: what the main one is."""
        marks = [
            (f"color: var(--tk-series-{i})", mark, kind)
            for i, (kind, mark) in enumerate(zip(self.axes.kinds, MARKS.values(), strict=False))
        ]
        lines = [(None, mark, name) for mark, name in zip(_DASHES.values(), self.axes.guides, strict=False)]
        return fragment(
            element("span", element("span", mark, aria_hidden="true", style=style), " ", name, class_="tk-key")
            for style, mark, name in [*marks, *([(None, "—", line)] if line else []), *lines]
        )


# What types do: theory, and simulation over it


def bids(equilibrium: Solved, simulation: pd.DataFrame | None = None, value: float | None = None) -> Picture:
    """Draw the bid function, and of simulated bidders the payments, won or lost; `value`: a type to mark.

    >>> from tradekit.auctions import first_price, uniform
    >>> bids(first_price().equilibrium(2, uniform()), value=0.5).data["chosen"]
    [{'x': 0.5, 'y': 0.25}]
    """
    across = equilibrium.values.span
    line = _line(*across, equilibrium.bid)
    won, lost = _("won, and paid"), _("lost, and paid")
    points: Rows = []
    if simulation is not None:
        some = simulation.head(_POINTS)
        columns = zip(some["type"], some["pays"], some["award"] > 0, strict=True)
        points = [_point(x, y, won if wins else lost, 24) for x, y, wins in columns]
    guides: dict[str, Strategy] = {}
    if isinstance(equilibrium, CommonEquilibrium):
        guides = {_("worth by the signal alone"): equilibrium.naive, _("worth if it wins"): equilibrium.break_even}
    beside = [row | {"guide": name} for name, rule in guides.items() for row in _line(*across, rule, points=2)]
    top = _end(max([equilibrium.format.prizes[0] * across[1], *(row["y"] for row in beside)]))
    axes = Axes(_type(equilibrium), _("bid, and paid"), across, (0, top), (won, lost), tuple(guides))
    return _curve(_("What a type bids"), axes, line, points, _chosen(value, equilibrium.bid), beside)


def wins(equilibrium: Solved, simulation: pd.DataFrame | None = None, value: float | None = None) -> Picture:
    """Draw the probability of winning something, and how often simulated bidders did."""
    axes = Axes(_type(equilibrium), _("chance to win"), equilibrium.values.span, (0, 1))
    return _averages(_("How often it wins"), axes, equilibrium, equilibrium.wins, simulation, "won", value)


def surplus(equilibrium: Solved, simulation: pd.DataFrame | None = None, value: float | None = None) -> Picture:
    """Draw the expected profit by value, and the mean profit of simulated bidders."""
    across = equilibrium.values.span
    axes = Axes(_type(equilibrium), _("gain"), across, (0, _end(float(equilibrium.surplus(across[1])))))
    title = _("What it gains")
    return _averages(title, axes, equilibrium, equilibrium.surplus, simulation, "gains", value)


def revenue(equilibrium: Solved, simulation: pd.DataFrame, value: float | None = None) -> Picture:
    """Draw the revenue: simulated auctions as bars, and their mean with its standard deviation next to the theory's.

    The part of the bars in full colour: auctions whose highest value is near `value`.
    """
    sums, highest = _by_auction(simulation)
    mean, sd = equilibrium.revenue, equilibrium.revenue_sd
    right = _end(max(float(np.quantile(sums, 0.995)), mean + sd))
    edges = np.linspace(0, right, _BARS + 1)
    low, high = equilibrium.values.span
    width = NEAR * (high - low)
    near = np.abs(highest - value) <= width if value is not None else np.zeros(len(sums), bool)
    bars: Rows = []
    for shade, which in ((0.4, sums), (1.0, sums[near])):
        counts = np.histogram(np.minimum(which, right), edges)[0] / len(sums)
        bars += [{"x": a, "x2": b, "y": n, "shade": shade} for a, b, n in zip(edges, edges[1:], counts, strict=False)]
    highest_bar = max(row["y"] for row in bars)
    bars = [{**row, "y": 0.8 * row["y"] / highest_bar} for row in bars]  # the axis says nothing, and can be kept
    theory, simulated = _("theory"), _("simulation")
    spread = [
        {"x": m, "low": max(0.0, m - s), "high": min(right, m + s), "y": place, "kind": kind}
        for kind, m, s, place in ((theory, mean, sd, 0.96), (simulated, sums.mean(), sums.std(), 0.88))
    ]
    axes = Axes(_("revenue"), _("share of auctions"), (0, right), (0, 1), (theory, simulated))
    return Picture(_("What the seller gets"), axes, {"bars": bars, "spread": spread}, _BARS_AND_SPREAD)


def _type(equilibrium: Solved) -> str:
    return _("signal") if isinstance(equilibrium, CommonEquilibrium) else _("value")


def _by_auction(simulation: pd.DataFrame) -> tuple[Floats, Floats]:
    """Return the revenue and the highest type of each auction."""
    rounds, columns = simulation["round"].to_numpy(), (simulation["pays"].to_numpy(), simulation["type"].to_numpy())
    first = np.flatnonzero(np.diff(rounds, prepend=rounds[0] - 1))
    return np.add.reduceat(columns[0], first), np.maximum.reduceat(columns[1], first)


def _averages(
    title: str,
    axes: Axes,
    equilibrium: Solved,
    rule: Strategy,
    simulation: pd.DataFrame | None,
    column: str,
    value: float | None,
) -> Picture:
    """A function of types, and the averages of groups of simulated bidders over it."""
    kind = _("average of simulated bidders")
    points: Rows = []
    if simulation is not None:
        types = simulation["type"].to_numpy()
        found = (simulation["award"] > 0 if column == "won" else simulation[column]).to_numpy(float)
        low, high = axes.across
        group = np.minimum(((types - low) / (high - low) * _BINS).astype(int), _BINS - 1)
        size = np.bincount(group, minlength=_BINS)
        there = size > 0
        x, y = (np.bincount(group, column, _BINS)[there] / size[there] for column in (types, found))
        points = [_point(a, b, kind, 36) for a, b in zip(x, y, strict=True)]
    axes = Axes(axes.x, axes.y, axes.across, axes.up, (kind,))
    return _curve(title, axes, _line(*axes.across, rule), points, _chosen(value, rule))


# Rounds that a person has bid in


def values_and_bids(
    points: Iterable[tuple[float, float, str, str]],
    across: Ends,
    bid: Strategy | None,
    type_name: str,
) -> Picture:
    """Draw bids over what bidders knew: points (type, bid, kind, name beside it), and the line b(v) if there is one."""
    rows = [_point(x, y, kind, 90, name) for x, y, kind, name in points]
    line = _line(*across, bid) if bid else []
    kinds = tuple(dict.fromkeys(row["kind"] for row in rows))
    axes = Axes(type_name, _("bid"), across, (0, _end(max((row["y"] for row in [*rows, *line]), default=1))), kinds)
    return _curve(_("Who bid what"), axes, line, rows, [])


def payoff(
    pieces: Iterable[Iterable[tuple[float, float]]],
    most: float,
    marks: Iterable[tuple[float, float, str]],
    kinds: tuple[str, ...],
    tried: tuple[float, float] | None = None,
) -> Picture:
    """Draw your profit by your bid up to `most`, all other bids as they were: a line with jumps.

    `marks`: (bid, gain, kind) on it, those of the first kind larger; `tried`: (bid, gain) to ring.
    """
    line = [{"x": x, "y": y, "part": part} for part, piece in enumerate(pieces) for x, y in piece]
    rows = [_point(x, y, kind, 240 if kind == kinds[0] else 90) for x, y, kind in marks]
    chosen = [{"x": tried[0], "y": tried[1]}] if tried else []
    heights = [row["y"] for row in [*line, *rows, *chosen]]
    bottom = -_end(-min(heights)) if min(heights) < 0 else 0.0
    axes = Axes(_("own bid"), _("own gain"), (0, most), (bottom, _end(max(max(heights), -bottom / 5))), kinds)
    return _curve(_("What every bid would have brought"), axes, line, rows, chosen)


# The bids of a class

_GROUPS: Final = 10  # of types at most, of which the class's mean is shown
_EACH: Final = 1_000  # bids at most that are drawn one by one
_CELLS: Final = (44, 34)  # of the chart, across and up: of more bids, those in a cell are drawn as one
_LARGEST: Final = 110  # size of the mark with the most bids; of one bid it is 18
_OVER: Final = 1.2  # times what a unit may be worth: bids above are drawn at the upper edge


def class_bids(bids: pd.DataFrame, values: ValueModel, equilibrium: Solved | None, note: str = "") -> charts.LayerChart:
    """Draw a class's bids over what the students knew, next to the bid function of the equilibrium.

    Data are marks, theory is a line. A circle is a bid, a diamond the mean of types that are near each other, with one
    standard error up and down. In a group every student counts once, since the bids of one are not independent of each
    other: the mean is that of the students' own means, and so is its error. Of a large class a circle stands for all
    bids near each other, the larger the more they are.

    `bids`: the columns ``student, type, bid``; `values`: what types were drawn from; `note`: ends the subtitle.
    """
    low, high = values.span
    theory = _line(low, high, equilibrium.bid) if equilibrium else []
    edge = _OVER * high * (equilibrium.format.prizes[0] if equilibrium else 1)
    means = _means(bids, (low, high))
    heights = [*bids["bid"], *(row["y"] for row in theory), *means["high"]]
    top = min(_end(max(heights)), edge)
    one, mean, over = _("a bid"), _("mean, and its standard error"), _("a bid above the chart")
    circles = bids[["type", "bid"]].assign(bids=1, y=bids["bid"].clip(upper=top), above=bids["bid"] > top)
    most = 1  # bids that a mark stands for
    if len(bids) > _EACH:
        circles = _gathered(circles, (low, high), top)
        most = int(circles["bids"].max())
        one, over = _("bids near each other"), _("bids above the chart")
    above = circles.pop("above")
    sizes = np.where(above, 90, 18 + (_LARGEST - 18) * (circles["bids"] - 1) / max(most - 1, 1))
    circles = circles.assign(kind=np.where(above, over, one), size=sizes)
    kinds = [one, mean] if bids["bid"].max() <= top else [one, mean, over]

    x = alt.X("type:Q").title(_("value") if values.private else _("signal"))
    x = x.scale(domain=[low, high], nice=False).axis(tickCount=5)
    y = alt.Y("y:Q").title(_("bid")).scale(domain=[0, top], nice=False).axis(tickCount=5)
    look = alt.Legend(orient="bottom", direction="vertical", title=None, labelLimit=0, symbolOpacity=1)
    colours = alt.Scale(domain=kinds, range=[theme.ACCENT, theme.SECOND, theme.ACCENT][: len(kinds)])
    shapes = alt.Scale(domain=kinds, range=["circle", "diamond", TRIANGLE][: len(kinds)])
    colour, shape = alt.Color("kind:N").scale(colours).legend(look), alt.Shape("kind:N").scale(shapes).legend(look)

    itself = [{"x": end, "y": end, "part": 0} for end in (low, min(high, top))]
    lines = {
        _("theory: the equilibrium"): (theory, [1, 0]),
        (_("the value itself") if values.private else _("the signal itself")): (itself, [2, 4]),
    }
    drawn = {name: look for name, look in lines.items() if look[0]}
    rows = pd.DataFrame(
        [{"type": row["x"], "y": row["y"], "line": name} for name, (part, _dash) in drawn.items() for row in part]
    )
    dashes = alt.Scale(domain=[*drawn], range=[dash for _part, dash in drawn.values()])
    curve = charts.Chart(rows).mark_line(color=theme.INK, strokeWidth=2.5, clip=True).encode(
        x=x, y=y, strokeDash=alt.StrokeDash("line:N").scale(dashes).legend(look)
    )  # fmt: skip

    known = alt.Tooltip("type:Q", title=_("value") if values.private else _("signal"))
    tips = [known, alt.Tooltip("bid:Q", title=_("bid"))]
    if most > 1:
        tips = [known.format(".4~g"), tips[1].format(".4~g"), alt.Tooltip("bids:Q", title=_("bids"))]
    base = charts.Chart(circles).encode(x=x, y=y, tooltip=tips)
    marks = base.mark_point(filled=True, opacity=0.45).encode(
        color=colour, shape=shape, size=alt.Size("size:Q").scale(None).legend(None)
    )
    group = charts.Chart(means.assign(kind=mean)).encode(x=x, color=colour)
    error = group.mark_rule(strokeWidth=2, clip=True).encode(y="low:Q", y2="high:Q")
    for end in ("low:Q", "high:Q"):
        error += group.mark_tick(orient="horizontal", size=11, thickness=2, clip=True).encode(y=end)
    about = [known, alt.Tooltip("y:Q", title=_("mean")), alt.Tooltip("students:Q", title=_("students"))]
    diamonds = group.mark_point(filled=True, size=50, opacity=1, clip=True).encode(y=y, shape=shape, tooltip=about)
    students = bids["student"].nunique()
    subtitle = [
        ngettext("{n} student", "{n} students", students) + ", " + ngettext("{n} bid", "{n} bids", len(bids)),
        *([_("a circle is up to {n} bids near each other, the larger the more").format(n=most)] if most > 1 else []),
        *([] if theory else [_("no equilibrium is known here for this game")]),
        *([note] if note else []),
    ]
    chart: charts.LayerChart = curve + marks + error + diamonds
    title = alt.Title(_("What the class bid"), subtitle=subtitle)
    return chart.properties(width=WIDTH, height=260, title=title)


def _gathered(bids: pd.DataFrame, across: Ends, top: float) -> pd.DataFrame:
    """Bids near each other as one: their mean type and bid, and how many ``bids`` they are."""
    low, high = across
    columns, rows = _CELLS
    column = ((bids["type"] - low) / (high - low) * columns).astype(int).clip(0, columns - 1)
    row = (bids["y"] / top * rows).astype(int).clip(0, rows - 1)
    cells = bids.groupby([column.rename("column"), row.rename("row"), "above"])
    means = cells.agg({"type": "mean", "bid": "mean", "bids": "sum", "y": "mean"})
    return means.reset_index()[["type", "bid", "bids", "y", "above"]]


def _means(bids: pd.DataFrame, across: Ends) -> pd.DataFrame:
    """Groups of types: the mean type and bid, one standard error below and above, and how many students are in it."""
    low, high = across
    groups = int(np.clip(np.sqrt(len(bids)), 1, _GROUPS))
    place = ((bids["type"] - low) / (high - low) * groups).astype(int).clip(0, groups - 1)
    own = bids.groupby([place.rename("group"), "student"])[["type", "bid"]].mean().groupby("group")
    error = own["bid"].sem().fillna(0.0)  # of one student nothing is known about it
    means = own.mean().rename(columns={"bid": "y"}).assign(students=own.size())
    return means.assign(low=(means["y"] - error).clip(lower=0), high=means["y"] + error).reset_index(drop=True)


# Layers


def _curve(title: str, axes: Axes, line: Rows, points: Rows, chosen: Rows, beside: Sequence[Any] = ()) -> Picture:
    return Picture(title, axes, {"line": line, "points": points, "chosen": chosen, "beside": [*beside]}, _CURVE)


def _line_and_points(axes: Axes, data: dict[str, Rows]) -> charts.LayerChart:
    x, y = _places(axes)
    line = _layer(data, "line").mark_line(color=theme.INK, strokeWidth=2).encode(x=x, y=y, detail="part:N")
    dashes = alt.Scale(domain=list(axes.guides), range=[list(dash) for dash in _DASHES])
    guides = _layer(data, "beside").mark_line(color=theme.QUIET, strokeWidth=1.5).encode(
        x=x, y=y, strokeDash=alt.StrokeDash("guide:N").title(None).scale(dashes)
    )  # fmt: skip
    base = _layer(data, "points").encode(x=x, y=y)
    marks = base.mark_point(filled=True, opacity=0.85).encode(
        color=alt.Color("kind:N").title(None).scale(domain=list(axes.kinds)),
        shape=alt.Shape("kind:N").title(None).scale(domain=list(axes.kinds), range=[*MARKS]),
        size=alt.Size("size:Q").scale(None).legend(None),
    )
    names = base.mark_text(dy=-12, color=theme.INK, fontSize=11).encode(text="name:N")
    chosen = _layer(data, "chosen")
    rule = chosen.mark_rule(color=theme.QUIET, strokeDash=[4, 3]).encode(x=x)
    ring = chosen.mark_point(size=180, strokeWidth=2.5, color=theme.INK, opacity=1).encode(x=x, y=y)
    chart: charts.LayerChart = line + guides + marks + names + rule + ring
    return chart


def _bars_and_spread(axes: Axes, data: dict[str, Rows]) -> charts.LayerChart:
    x, y = _places(axes)
    y = y.axis(labels=False, ticks=False, grid=False)
    shade = alt.Opacity("shade:Q").scale(None).legend(None)
    bars = _layer(data, "bars").mark_rect(color=theme.ACCENT).encode(x=x, x2="x2", y=y, y2=alt.datum(0), opacity=shade)
    spread = _layer(data, "spread").encode(y=y, color=alt.Color("kind:N").title(None).scale(domain=list(axes.kinds)))
    line = spread.mark_rule(strokeWidth=2.5).encode(x=_places(axes, "low:Q")[0], x2="high")
    shapes = alt.Scale(domain=list(axes.kinds), range=[*MARKS])
    mean = spread.mark_point(filled=True, size=90, opacity=1).encode(
        x=x, shape=alt.Shape("kind:N").title(None).scale(shapes)
    )
    chart: charts.LayerChart = bars + line + mean
    return chart


def _layer(data: dict[str, Rows], name: str) -> charts.Chart:
    return charts.Chart(alt.InlineData(values=data[name], name=name))


def _places(axes: Axes, field: str = "x:Q") -> tuple[alt.X, alt.Y]:
    across, up = (alt.Scale(domain=list(ends), nice=False, zero=False) for ends in (axes.across, axes.up))
    x = alt.X(field).title(axes.x).scale(across).axis(tickCount=5)
    return x, alt.Y("y:Q").title(axes.y).scale(up).axis(tickCount=5)


# Data


def _point(x: float, y: float, kind: str, size: int, name: str = "") -> dict[str, Any]:
    return {"x": float(x), "y": float(y), "kind": kind, "size": size, "name": name}


def _line(low: float, high: float, rule: Strategy, points: int = 101) -> Rows:
    """A function's points, those left out where it says NaN (no bid) or has no end."""
    x = np.linspace(low, high, points)
    y = np.asarray(rule(x), float)
    return [{"x": float(a), "y": float(b), "part": 0} for a, b in zip(x, y, strict=True) if np.isfinite(b)]


def _chosen(value: float | None, rule: Strategy) -> Rows:
    """The mark of a type; who does not bid is marked at the bottom."""
    return [] if value is None else [{"x": float(value), "y": float(np.nan_to_num(rule(np.asarray(value))))}]


def _end(top: float) -> float:
    """Return the end of an axis: one of few places, so that axes can be kept and do not jump."""
    if top <= 0:
        return 1.0
    unit = 10.0 ** np.floor(np.log10(top * 1.0000001))
    return float(next(unit * step for step in (1, 2, 3, 5, 10) if top <= unit * step * 1.0000001))


# The same for a page


def _drawn_points(plot: Plot, axes: Axes, data: dict[str, Rows]) -> Markup:
    parts, kept = defaultdict(list), defaultdict(list)
    for row in data["line"]:
        parts[row["part"]].append(_at(row))
    for row in data["points"]:
        kept[axes.kinds.index(row["kind"]), row["size"]].append(_at(row))
    beside = [[_at(row) for row in data["beside"] if row["guide"] == name] for name in axes.guides]
    shapes, dashes = [*MARKS], [f"{on},{off}" for on, off in _DASHES]
    return fragment([
        *(plot.line(points, theme.INK) for points in parts.values()),
        *(plot.line(points, theme.QUIET, 1.5, dash) for points, dash in zip(beside, dashes, strict=False)),
        *(plot.points(points, shapes[kind], size, theme.SERIES[kind], 0.85) for (kind, size), points in kept.items()),
        *(plot.text(_at(row), row["name"], 12) for row in data["points"] if row["name"]),
        *(plot.upright(row["x"]) + plot.ring(_at(row), 180) for row in data["chosen"]),
    ])  # fmt: skip


def _drawn_bars(plot: Plot, axes: Axes, data: dict[str, Rows]) -> Markup:
    bars = defaultdict(list)
    for row in data["bars"]:
        bars[row["shade"]].append((row["x"], row["x2"], row["y"]))
    looks = {kind: (shape, colour) for kind, shape, colour in zip(axes.kinds, MARKS, theme.SERIES, strict=False)}
    spread = [(*looks[row["kind"]], row) for row in data["spread"]]
    return fragment([
        *(plot.bars(some, theme.ACCENT, shade) for shade, some in bars.items()),
        *(plot.line([(row["low"], row["y"]), (row["high"], row["y"])], c, 2.5) for _shape, c, row in spread),
        *(plot.points([_at(row)], shape, 90, colour) for shape, colour, row in spread),
    ])  # fmt: skip


def _at(row: dict[str, Any]) -> tuple[float, float]:
    return row["x"], row["y"]


@dataclass(frozen=True)
class _Kind:
    """A kind of picture: as an Altair chart, and as marks on a page."""

    chart: Callable[[Axes, dict[str, Rows]], charts.LayerChart]
    marks: Callable[[Plot, Axes, dict[str, Rows]], str]

    @cached_property
    def canvas(self) -> Canvas:
        """Return its place on a page."""
        return Canvas(self._empty, _LEFT, _RIGHT, _TOP, _BOTTOM)

    def _empty(self) -> charts.LayerChart:
        axes = Axes("x", "y", (0, 1), (0, 1), ("1", "2"))
        return self.chart(axes, defaultdict(list)).properties(width=WIDTH, height=HEIGHT)


_CURVE: Final = _Kind(_line_and_points, _drawn_points)
_BARS_AND_SPREAD: Final = _Kind(_bars_and_spread, _drawn_bars)


def warm_up() -> None:
    """Load what the first picture of a page would wait for."""
    _ready = _CURVE.canvas.template


def draw_axes(high: float = 1.0) -> Iterator[None]:
    """Draw, one each time, the axes that pictures of values up to `high` may need; they are kept.

    Where they end, in parts of `high`: bids at the largest prize, gains below it, revenue at up to all prizes together.
    """
    ends = (
        (_CURVE, "y", _("gain"), (0.2, 0.3, 0.5, 1, 2, 0.1)),
        (_CURVE, "y", _("bid, and paid"), (1, 2)),
        (_BARS_AND_SPREAD, "x", _("revenue"), (1, 2, 3, 5, 0.5)),
    )
    for kind, scale, title, parts in ends:
        for part in parts:
            kind.canvas.prepare(scale, Axis(title, (0, _end(part * high))))
            yield


def _strips(across: Ends) -> Markup:
    """Links over the plot, side by side: a click chooses a place. The keyboard has the slider for it."""
    width, (low, high) = WIDTH / _STRIPS, across
    links = [
        element(
            "a",
            element("rect", x=f"{i * width:g}", width=f"{width:g}", height=HEIGHT),
            href=f"#{low + (high - low) * (i + 0.5) / _STRIPS:.6g}",
            tabindex=-1,
        )
        for i in range(_STRIPS)
    ]
    return element("g", links, fill="transparent", aria_hidden="true")
