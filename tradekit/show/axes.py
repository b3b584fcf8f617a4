"""Altair charts that appear on a widget's page at once: Vega draws their axes, which are kept, and we their marks.

A chart takes Vega 30 to 50 ms, most of it for texts. So each axis is drawn once for each of its ends, and a change of
data costs only the marks: some text in the chart's own measures, and a fraction of the size of Vega's. The geometry of
marks is that of Vega (a point's `size` is the area of the square around it).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from html import escape
from itertools import count, product
from typing import Any, Final, NamedTuple

from tradekit import theme
from tradekit.show.svg import words

Ends = tuple[float, float]
Spec = dict[str, Any]  #: a specification of Vega
Point = tuple[float, float]

_TOP, _HALF, _BOTTOM = 1.39, 1.2, 0.69  # of a triangle, from its middle: up, to the sides and down
#: A triangle around its middle; Vega's own ("triangle-up") is half as large as circle and square of the same size.
TRIANGLE: Final = f"M0,{-_TOP}L{_HALF},{_BOTTOM}H{-_HALF}Z"
#: The marks of up to four kinds of points, and their characters in a line of text.
MARKS: Final = {"circle": "●", "square": "■", TRIANGLE: "▲", "diamond": "◆"}

_ROLES: Final = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"')  # of parts of axes; the picture has one label as a whole
_OUTSIDE: Final = re.compile(r"^<svg[^>]*>|</svg>$")


class Axis(NamedTuple):
    """The title and the ends of an axis."""

    title: str
    ends: Ends


@dataclass(frozen=True)
class Canvas:
    """The canvas of a chart: `chart` makes it without data, and around its plot is room for the axes, in pixels."""

    chart: Callable[[], Any]
    left: int
    right: int
    top: int
    bottom: int

    @cached_property
    def template(self) -> Spec:
        """The chart as a Vega specification. Headings, legends and fonts come from the page."""
        import vl_convert

        spec = self.chart().to_dict()
        spec.pop("title", None)
        spec["config"] |= {"font": "sans-serif", "legend": {"disable": True}}
        padding = {"left": self.left, "right": self.right, "top": self.top, "bottom": self.bottom}
        spec |= {"autosize": "none", "padding": padding}
        vega: dict[str, Any] = vl_convert.vegalite_to_vega(spec)
        return vega | {"background": None}

    def plot(self, x: Ends, y: Ends) -> Plot:
        """Return the plot, which places marks, for axes with these ends."""
        return Plot(x, y, self.template["width"], self.template["height"])

    def svg(self, x: Axis, y: Axis, marks: str, name: str, role: str = "img") -> str:
        """Return the picture in the page's colours; see `named`. `marks`: SVG in pixels from the plot's upper left."""
        width, height = (self.template[size] for size in ("width", "height"))
        wide, high = self.left + width + self.right, self.top + height + self.bottom
        grids_first = product((True, False), (("x", x), ("y", y)))
        axes = "".join(_axis(self, scale, axis, grid) for grid, (scale, axis) in grids_first)
        return theme.on_page(named(
            f'<svg xmlns="http://www.w3.org/2000/svg" class="marks" width="{wide}" height="{high}" '
            f'viewBox="0 0 {wide} {high}"><rect width="{wide}" height="{high}" fill="{theme.PAPER}"/>{axes}'
            f'<g transform="translate({self.left},{self.top})">{marks}</g></svg>',
            name, role,
        ))  # fmt: skip

    def prepare(self, scale: str, axis: Axis) -> None:
        """Draw an axis that may be wanted soon."""
        for grid in (True, False):
            _axis(self, scale, axis, grid)


@lru_cache(512)
def _axis(canvas: Canvas, scale: str, axis: Axis, grid: bool) -> str:
    """Return one axis alone: its lines across the plot, or everything else."""
    import vl_convert

    spec = _with_ends(canvas.template, {scale: axis.ends})
    title = {"title": axis.title}
    axes = [{**one, **title} if "title" in one else one
            for one in spec["axes"] if one["scale"] == scale and one["grid"] == grid]  # fmt: skip
    return _ROLES.sub("", _OUTSIDE.sub("", vl_convert.vega_to_svg({**spec, "axes": axes, "marks": []})))


def _with_ends(template: dict[str, Any], ends: dict[str, Ends]) -> dict[str, Any]:
    scales = [{**scale, "domain": list(ends[name])} if (name := scale["name"]) in ends else scale
              for scale in template["scales"]]  # fmt: skip
    return {**template, "scales": scales}


def named(svg: str, name: str, role: str = "img") -> str:
    """Return the picture with a label for screen readers; the role is "group" if it contains something to click."""
    return svg.replace("<svg ", f'<svg role="{role}" aria-label="{escape(name)}" ', 1)


# Marks


@dataclass(frozen=True)
class Plot:
    """A map from data to pixels. Marks are SVG text, which is empty without points.

    >>> plot = Plot((0, 10), (0, 1), 200, 100)
    >>> plot.line([(0, 0), (5, 1)], "#1f2328")
    '<path d="M0,100L100,0" fill="none" stroke="#1f2328" stroke-width="2"/>'
    """

    across: Ends
    up: Ends
    width: int
    height: int

    def x(self, value: float) -> float:
        """Return the pixels from the left."""
        low, high = self.across
        return (value - low) / (high - low) * self.width

    def y(self, value: float) -> float:
        """Return the pixels from the top."""
        low, high = self.up
        return (high - value) / (high - low) * self.height

    def _at(self, point: Point) -> str:
        return f"{self.x(point[0]):.5g},{self.y(point[1]):.5g}"

    def line(self, points: Iterable[Point], colour: str, width: float = 2, dash: str = "") -> str:
        """Return a line through points."""
        path = "L".join(map(self._at, points))
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        return f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}/>' if path else ""

    def points(self, points: Sequence[Point], shape: str, size: float, colour: str, opacity: float = 1) -> str:
        """Return filled points of one kind, as one path."""
        outline = _outline(shape, size)
        path = "".join(f"M{self._at(point)}{outline}" for point in points)
        seen = f' fill-opacity="{opacity}"' if opacity < 1 else ""
        return f'<path d="{path}" fill="{colour}"{seen}/>' if path else ""

    def ring(self, point: Point, size: float) -> str:
        """Return a ring around a chosen point."""
        outline = f"M{self._at(point)}{_outline('circle', size)}"
        return f'<path d="{outline}" fill="none" stroke="{theme.INK}" stroke-width="2.5"/>'

    def upright(self, x: float) -> str:
        """Return a dashed line from the bottom to the top."""
        place = f"{self.x(x):.5g}"
        return f'<path d="M{place},0V{self.height}" stroke="{theme.QUIET}" stroke-dasharray="4,3"/>'

    def bars(self, bars: Iterable[tuple[float, float, float]], colour: str, opacity: float) -> str:
        """Return bars (from, to, height) on the bottom, as one path."""
        path = "".join(
            f"M{self._at((low, 0))}V{self.y(high):.5g}H{self.x(right):.5g}V{self.height}Z"
            for low, right, high in bars
            if high
        )
        return f'<path d="{path}" fill="{colour}" fill-opacity="{opacity}"/>' if path else ""

    def text(self, point: Point, text: str, above: float) -> str:
        """Return text over a point, `above` pixels higher."""
        x, y = self.x(point[0]), self.y(point[1]) - above
        centred = 'text-anchor="middle" dominant-baseline="middle"'
        return f'<text x="{x:.5g}" y="{y:.5g}" {centred} font-size="11" fill="{theme.INK}">{escape(text)}</text>'


@lru_cache(64)
def _outline(shape: str, size: float) -> str:
    """Return a point's outline from its middle, as steps of an SVG path; the shapes are those of Vega."""
    r = size**0.5 / 2
    top, half, bottom = _TOP * r, _HALF * r, _BOTTOM * r
    return {
        "circle": f"m{-r:.4g},0a{r:.4g},{r:.4g} 0 1,0 {2 * r:.4g},0a{r:.4g},{r:.4g} 0 1,0 {-2 * r:.4g},0",
        "square": f"m{-r:.4g},{-r:.4g}h{2 * r:.4g}v{2 * r:.4g}h{-2 * r:.4g}z",
        TRIANGLE: f"m0,{-top:.4g}l{half:.4g},{top + bottom:.4g}h{-2 * half:.4g}z",
        "diamond": f"m{-r:.4g},0l{r:.4g},{-r:.4g}l{r:.4g},{r:.4g}l{-r:.4g},{r:.4g}z",
    }[shape]


def drawn_axes(plot: Plot, across: str, up: str) -> str:
    """Return axes that begin at 0: lines across the plot at whole numbers, and titles."""
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
    """Return whole numbers from 0 to `end` in steps of 1, 2, 5, 10, ..., with at most `most` steps."""
    step = next(n * 10**zeros for zeros in count() for n in (1, 2, 5) if end <= most * n * 10**zeros)
    return range(0, int(end) + 1, step)
