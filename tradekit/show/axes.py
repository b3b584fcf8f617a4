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
from itertools import count, product
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from tradekit import theme
from tradekit.show import cell
from tradekit.show.html import Child, element, fragment
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

    def svg(self, x: Axis, y: Axis, marks: str, name: str, role: str = "img") -> Markup:
        """Return the picture in the page's colours. `marks`: SVG in pixels from the plot's upper left.

        `name` is its label for screen readers; `role` is "group" if it contains something to click.
        """
        width, height = (self.template[size] for size in ("width", "height"))
        wide, high = self.left + width + self.right, self.top + height + self.bottom
        grids_first = product((True, False), (("x", x), ("y", y)))
        axes = [_axis(self, scale, axis, grid) for grid, (scale, axis) in grids_first]
        plot = element("g", marks, transform=f"translate({self.left},{self.top})")
        return drawing((0, 0, wide, high), axes, plot, name=name, role=role)

    def prepare(self, scale: str, axis: Axis) -> None:
        """Draw an axis that may be wanted soon."""
        for grid in (True, False):
            _axis(self, scale, axis, grid)


@lru_cache(512)
def _axis(canvas: Canvas, scale: str, axis: Axis, grid: bool) -> Markup:
    """Return one axis alone: its lines across the plot, or everything else."""
    import vl_convert

    spec = _with_ends(canvas.template, {scale: axis.ends})
    title = {"title": axis.title}
    axes = [{**one, **title} if "title" in one else one
            for one in spec["axes"] if one["scale"] == scale and one["grid"] == grid]  # fmt: skip
    return Markup(_ROLES.sub("", _OUTSIDE.sub("", vl_convert.vega_to_svg({**spec, "axes": axes, "marks": []}))))


def _with_ends(template: dict[str, Any], ends: dict[str, Ends]) -> dict[str, Any]:
    scales = [{**scale, "domain": list(ends[name])} if (name := scale["name"]) in ends else scale
              for scale in template["scales"]]  # fmt: skip
    return {**template, "scales": scales}


def drawing(view: tuple[int, int, int, int], *parts: Child, name: str, role: str = "img") -> Markup:
    """Return a chart on paper, in the page's colours; `view`: left, top, width and height."""
    x, y, width, height = view
    paper = element("rect", x=x or None, y=y or None, width=width, height=height, fill=theme.PAPER)
    return cell.on_page(element(
        "svg", paper, parts, role=role, aria_label=name, xmlns="http://www.w3.org/2000/svg", class_="marks",
        width=width, height=height, viewBox=f"{x} {y} {width} {height}",
    ))  # fmt: skip


def with_label(svg: str, name: str) -> Markup:
    """Return a picture with a label for screen readers."""
    label = Markup(' role="img" aria-label="{}"').format(name)
    return Markup("<svg") + label + Markup(svg.removeprefix("<svg"))


# Marks


@dataclass(frozen=True)
class Plot:
    """A map from data to pixels. Marks are SVG text, which is empty without points.

    >>> plot = Plot((0, 10), (0, 1), 200, 100)
    >>> plot.line([(0, 0), (5, 1)], "#1f2328")
    Markup('<path d="M0,100L100,0" fill="none" stroke="#1f2328" stroke-width="2"/>')
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

    def line(self, points: Iterable[Point], colour: str, width: float = 2, dash: str | None = None) -> Markup:
        """Return a line through points."""
        path = "L".join(map(self._at, points))
        return _path(path and f"M{path}", fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dash)

    def points(self, points: Sequence[Point], shape: str, size: float, colour: str, opacity: float = 1) -> Markup:
        """Return filled points of one kind, as one path."""
        outline = _outline(shape, size)
        path = "".join(f"M{self._at(point)}{outline}" for point in points)
        return _path(path, fill=colour, fill_opacity=opacity if opacity < 1 else None)

    def ring(self, point: Point, size: float) -> Markup:
        """Return a ring around a chosen point."""
        outline = f"M{self._at(point)}{_outline('circle', size)}"
        return _path(outline, fill="none", stroke=theme.INK, stroke_width=2.5)

    def upright(self, x: float) -> Markup:
        """Return a dashed line from the bottom to the top."""
        return _path(f"M{self.x(x):.5g},0V{self.height}", stroke=theme.QUIET, stroke_dasharray="4,3")

    def bars(self, bars: Iterable[tuple[float, float, float]], colour: str, opacity: float) -> Markup:
        """Return bars (from, to, height) on the bottom, as one path."""
        path = "".join(
            f"M{self._at((low, 0))}V{self.y(high):.5g}H{self.x(right):.5g}V{self.height}Z"
            for low, right, high in bars
            if high
        )
        return _path(path, fill=colour, fill_opacity=opacity)

    def text(self, point: Point, text: str, above: float) -> Markup:
        """Return text over a point, `above` pixels higher."""
        x, y = self.x(point[0]), self.y(point[1]) - above
        return element(
            "text", text, x=f"{x:.5g}", y=f"{y:.5g}", text_anchor="middle", dominant_baseline="middle", font_size=11,
            fill=theme.INK,
        )  # fmt: skip


def _path(d: str, **attributes: object) -> Markup:
    """A path; nothing without points."""
    return element("path", d=d, **attributes) if d else Markup("")


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


def drawn_axes(plot: Plot, across: str, up: str) -> Markup:
    """Return axes that begin at 0: lines across the plot at whole numbers, and titles."""
    xs = [(plot.x(n), n) for n in _ticks(plot.across[1], most=10)]
    ys = [(plot.y(n), n) for n in _ticks(plot.up[1], most=6)]
    wide, high = plot.width, plot.height
    grid = "".join([*(f"M{x:.5g},0v{high}" for x, _n in xs), *(f"M0,{y:.5g}h{wide}" for y, _n in ys)])
    ticks = "".join([*(f"M{x:.5g},{high}v5" for x, _n in xs), *(f"M0,{y:.5g}h-5" for y, _n in ys)])
    text = partial(words, font_size=12)
    return fragment(
        _path(grid, stroke=theme.GRID),
        _path(f"M0,0v{high}h{wide}{ticks}", fill="none", stroke=theme.QUIET),
        [text(round(x, 1), high + 16, str(n), text_anchor="middle") for x, n in xs],
        [text(-7, round(y + 4, 1), str(n), text_anchor="end") for y, n in ys],
        text(wide / 2, high + 34, across, text_anchor="middle"),
        text(-high / 2, -30, up, text_anchor="middle", transform="rotate(-90)"),
    )


def _ticks(end: float, most: int) -> range:
    """Return whole numbers from 0 to `end` in steps of 1, 2, 5, 10, ..., with at most `most` steps."""
    step = next(n * 10**zeros for zeros in count() for n in (1, 2, 5) if end <= most * n * 10**zeros)
    return range(0, int(end) + 1, step)
