"""The pictures of auctions: what types bid, win and gain, what the seller gets, and rounds that a person has bid in.

Each function gives a `Picture`, which shows itself in a notebook; `.chart` is the Altair chart, to restyle and combine,
and `.svg()` the same for a widget's page, where it must be there at once: axes are kept, and only marks drawn anew.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, Final

import altair as alt
import numpy as np

from tradekit import charts, theme
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

    from tradekit.auctions.equilibrium import Equilibrium

Rows = list[dict[str, Any]]
Ends = tuple[float, float]

WIDTH, HEIGHT = 330, 200  # of a plot
_LEFT, _TOP, _RIGHT, _BOTTOM = 50, 10, 14, 42  # around it, on a page
_STRIPS: Final = 50  # places that can be clicked, across a plot
_POINTS: Final = 150  # simulated bidders shown
_ROLES: Final = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"')  # of single marks; the picture is named as a whole
_BINS: Final = 20  # groups of types, of whom the average is shown
_BARS: Final = 40  # of a histogram, across the plot
NEAR: Final = 0.05  #: types this near to the chosen one, in parts of the range, are its like


@dataclass(frozen=True)
class Axes:
    """What of a chart is kept when its marks change."""

    x: str
    y: str
    across: Ends
    up: Ends
    kinds: tuple[str, ...] = ()  #: of points, in the order of colours and shapes


@dataclass(frozen=True)
class Picture:
    """A chart: its axes, the rows of data by layer, and how layers are drawn."""

    title: str
    axes: Axes
    data: dict[str, Rows]
    draw: Callable[[Axes, dict[str, Rows]], charts.LayerChart]

    @property
    def chart(self) -> charts.LayerChart:
        """The Altair chart."""
        return self.draw(self.axes, self.data).properties(width=WIDTH, height=HEIGHT, title=self.title)

    def _repr_mimebundle_(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        return self.chart._repr_mimebundle_(*args, **kwargs)

    def svg(self, label: str = "", choose: bool = False) -> str:
        """SVG text for a widget's page. `label`: what it shows, in words; `choose`: places are links to "#x"."""
        import vl_convert

        spec = _spec(self.draw, self.axes)
        data = [{**rows, "values": self.data[rows["name"]]} if rows["name"] in self.data else rows
                for rows in spec["data"]]  # fmt: skip
        marks = vl_convert.vega_to_svg({**spec, "background": None, "axes": [], "data": data})
        links = _strips(self.axes.across) if choose else ""
        drawn = _empty(self.draw, self.axes).replace("</svg>", f"{marks}</svg>")
        svg = _ROLES.sub("", drawn).removesuffix("</svg>") + f"{links}</svg>"
        name, role = escape(label or self.title), "group" if choose else "img"
        return theme.on_page(svg.replace("<svg ", f'<svg role="{role}" aria-label="{name}" ', 1))

    def key(self) -> str:
        """The kinds of points with their marks, as HTML: the legend of `svg`."""
        marks = zip(self.axes.kinds, charts.MARKS.values(), strict=False)
        mark = '<span aria-hidden="true" style="color: var(--tk-series-{i})">{mark}</span>'
        return "".join(
            f'<span class="tk-key">{mark.format(i=i, mark=shape)} {kind}</span>'
            for i, (kind, shape) in enumerate(marks)
        )


# What types do: theory, and simulation over it


def bids(equilibrium: Equilibrium, simulation: pd.DataFrame | None = None, value: float | None = None) -> Picture:
    """The bid function; of simulated bidders what each paid, and whether they won; `value`: a type to mark.

    >>> from tradekit.auctions import first_price, uniform
    >>> bids(first_price().equilibrium(2, uniform()), value=0.5).data["chosen"]
    [{'x': 0.5, 'y': 0.25}]
    """
    values = equilibrium.values
    line = _line(values.low, values.high, equilibrium.bid)
    won, lost = _("won, and paid"), _("lost, and paid")
    points: Rows = []
    if simulation is not None:
        some = simulation.head(_POINTS)
        columns = zip(some["type"], some["pays"], some["award"] > 0, strict=True)
        points = [_point(x, y, won if wins else lost, 24) for x, y, wins in columns]
    top = _end(equilibrium.format.prizes[0] * values.high)
    axes = Axes(_("value"), _("bid, and paid"), (values.low, values.high), (0, top), (won, lost))
    return _curve(_("What a type bids"), axes, line, points, _chosen(value, equilibrium.bid))


def wins(equilibrium: Equilibrium, simulation: pd.DataFrame | None = None, value: float | None = None) -> Picture:
    """The chance to win something, and how often simulated bidders did."""
    axes = Axes(_("value"), _("chance to win"), (equilibrium.values.low, equilibrium.values.high), (0, 1))
    return _averages(_("How often it wins"), axes, equilibrium, _chance(equilibrium), simulation, "won", value)


def surplus(equilibrium: Equilibrium, simulation: pd.DataFrame | None = None, value: float | None = None) -> Picture:
    """What a type gains on average, and what simulated bidders did."""
    values = equilibrium.values
    axes = Axes(_("value"), _("gain"), (values.low, values.high), (0, _end(float(equilibrium.surplus(values.high)))))
    title = _("What it gains")
    return _averages(title, axes, equilibrium, equilibrium.surplus, simulation, "gains", value)


def revenue(equilibrium: Equilibrium, simulation: pd.DataFrame, value: float | None = None) -> Picture:
    """What the seller gets: simulated auctions as bars, and their mean with its spread beside the theory's.

    The part of the bars in full colour: auctions whose highest value is near `value`.
    """
    auctions = simulation.groupby("round", sort=False).agg({"pays": "sum", "type": "max"})
    sums, highest = auctions["pays"].to_numpy(), auctions["type"].to_numpy()
    mean, sd = equilibrium.revenue, equilibrium.revenue_sd
    right = _end(max(float(np.quantile(sums, 0.995)), mean + sd))
    edges = np.linspace(0, right, _BARS + 1)
    width = NEAR * (equilibrium.values.high - equilibrium.values.low)
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
    return Picture(_("What the seller gets"), axes, {"bars": bars, "spread": spread}, _bars_and_spread)


def _chance(equilibrium: Equilibrium) -> Callable[[Any], Any]:
    """W, and 0 for who does not bid."""
    return lambda v: np.where(np.asarray(v) >= equilibrium.threshold, equilibrium.wins(v), 0.0)


def _averages(
    title: str,
    axes: Axes,
    equilibrium: Equilibrium,
    rule: Callable[[Any], Any],
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
    bid: Callable[[Any], Any] | None,
    type_name: str,
) -> Picture:
    """Bids over what bidders knew: points (type, bid, kind, name beside it), and the line b(v) if there is one."""
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
    """The own gain by the own bid up to `most`, all other bids as they were: a line with jumps.

    `marks`: (bid, gain, kind) on it, those of the first kind larger; `tried`: (bid, gain) to ring.
    """
    line = [{"x": x, "y": y, "part": part} for part, piece in enumerate(pieces) for x, y in piece]
    rows = [_point(x, y, kind, 240 if kind == kinds[0] else 90) for x, y, kind in marks]
    chosen = [{"x": tried[0], "y": tried[1]}] if tried else []
    heights = [row["y"] for row in [*line, *rows, *chosen]]
    bottom = -_end(-min(heights)) if min(heights) < 0 else 0.0
    axes = Axes(_("own bid"), _("own gain"), (0, most), (bottom, _end(max(max(heights), -bottom / 5))), kinds)
    return _curve(_("What every bid would have brought"), axes, line, rows, chosen)


# Layers


def _curve(title: str, axes: Axes, line: Rows, points: Rows, chosen: Rows) -> Picture:
    return Picture(title, axes, {"line": line, "points": points, "chosen": chosen}, _line_and_points)


def _line_and_points(axes: Axes, data: dict[str, Rows]) -> charts.LayerChart:
    x, y = _places(axes)
    line = _layer(data, "line").mark_line(color=theme.INK, strokeWidth=2).encode(x=x, y=y, detail="part:N")
    base = _layer(data, "points").encode(x=x, y=y)
    marks = base.mark_point(filled=True, opacity=0.85).encode(
        color=alt.Color("kind:N").title(None).scale(domain=list(axes.kinds)),
        shape=alt.Shape("kind:N").title(None).scale(domain=list(axes.kinds), range=[*charts.MARKS]),
        size=alt.Size("size:Q").scale(None).legend(None),
    )
    names = base.mark_text(dy=-12, color=theme.INK, fontSize=11).encode(text="name:N")
    chosen = _layer(data, "chosen")
    rule = chosen.mark_rule(color=theme.QUIET, strokeDash=[4, 3]).encode(x=x)
    ring = chosen.mark_point(size=180, strokeWidth=2.5, color=theme.INK, opacity=1).encode(x=x, y=y)
    chart: charts.LayerChart = line + marks + names + rule + ring
    return chart


def _bars_and_spread(axes: Axes, data: dict[str, Rows]) -> charts.LayerChart:
    x, y = _places(axes)
    y = y.axis(labels=False, ticks=False, grid=False)
    shade = alt.Opacity("shade:Q").scale(None).legend(None)
    bars = _layer(data, "bars").mark_rect(color=theme.ACCENT).encode(x=x, x2="x2", y=y, y2=alt.datum(0), opacity=shade)
    spread = _layer(data, "spread").encode(y=y, color=alt.Color("kind:N").title(None).scale(domain=list(axes.kinds)))
    line = spread.mark_rule(strokeWidth=2.5).encode(x=_places(axes, "low:Q")[0], x2="high")
    shapes = alt.Scale(domain=list(axes.kinds), range=[*charts.MARKS])
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


def _line(low: float, high: float, rule: Callable[[Any], Any], points: int = 101) -> Rows:
    """A function's points, those left out where it says NaN (no bid) or has no end."""
    x = np.linspace(low, high, points)
    y = np.asarray(rule(x), float)
    return [{"x": float(a), "y": float(b), "part": 0} for a, b in zip(x, y, strict=True) if np.isfinite(b)]


def _chosen(value: float | None, rule: Callable[[Any], Any]) -> Rows:
    """The mark of a type; who does not bid is marked at the bottom."""
    return [] if value is None else [{"x": float(value), "y": float(np.nan_to_num(rule(value)))}]


def _end(top: float) -> float:
    """Where an axis ends: at few places, so that axes can be kept and do not jump."""
    if top <= 0:
        return 1.0
    unit = 10.0 ** np.floor(np.log10(top * 1.0000001))
    return float(next(unit * step for step in (1, 2, 3, 5, 10) if top <= unit * step * 1.0000001))


# Quick drawing


def warm_up() -> None:
    """Load what the first picture of a page would wait for."""
    import vl_convert

    vl_convert.vega_to_svg({**_template(_line_and_points), "marks": []})


def _spec(draw: Callable[..., charts.LayerChart], axes: Axes) -> dict[str, Any]:
    """The chart as a Vega specification without data: its marks and axes take the same place, drawn apart or not."""
    template = _template(draw)
    domains = {"x": axes.across, "y": axes.up, "color": axes.kinds, "shape": axes.kinds}
    titles = {"x": axes.x, "y": axes.y}
    scales = [{**scale, "domain": list(domains.get(scale["name"], ()))} for scale in template["scales"]]
    drawn = [{**axis, "title": titles[axis["scale"]]} if "title" in axis else axis for axis in template["axes"]]
    return {**template, "scales": scales, "axes": drawn}


@cache
def _template(draw: Callable[..., charts.LayerChart]) -> dict[str, Any]:
    import vl_convert

    spec = (
        draw(Axes("x", "y", (0, 1), (0, 1), ("1", "2")), defaultdict(list))
        .properties(width=WIDTH, height=HEIGHT)
        .to_dict()
    )
    spec["config"] |= {"font": "sans-serif", "legend": {"disable": True}, "aria": False}
    padding = {"left": _LEFT, "right": _RIGHT, "top": _TOP, "bottom": _BOTTOM}
    spec["autosize"], spec["padding"] = "none", padding
    vega: dict[str, Any] = vl_convert.vegalite_to_vega(spec)
    return vega


@lru_cache(256)
def _empty(draw: Callable[..., charts.LayerChart], axes: Axes) -> str:
    """The axes alone, as SVG."""
    import vl_convert

    return str(vl_convert.vega_to_svg({**_spec(draw, axes), "marks": []}))


def _strips(across: Ends) -> str:
    """Links over the plot, side by side: a click chooses a place. The keyboard has the slider for it."""
    width, (low, high) = WIDTH / _STRIPS, across
    return "".join(
        f'<a href="#{low + (high - low) * (i + 0.5) / _STRIPS:.6g}" tabindex="-1" aria-hidden="true">'
        f'<rect x="{_LEFT + i * width:g}" y="{_TOP}" width="{width:g}" height="{HEIGHT}" fill="transparent"/></a>'
        for i in range(_STRIPS)
    )
