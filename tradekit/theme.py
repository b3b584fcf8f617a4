"""Colours, type and spacing of every chart, table and widget, in one place.

Widgets and HTML use `CSS` (class names start with ``tk-``) and take text and background from Jupyter's own ``--jp-*``
variables, so they follow its light and dark themes; charts use `VEGA_CONFIG`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from markupsafe import Markup

from tradekit.show.html import Child, element

#: Fill and letter of a stone by colour. Every pair has a contrast of at least 4.5 : 1 (tested).
STONES: Final[dict[str, tuple[str, str]]] = {
    "R": ("#bf3326", "#ffffff"),
    "W": ("#f6f3ea", "#1f2328"),
    "B": ("#2b62a8", "#ffffff"),
    "G": ("#2f7a4a", "#ffffff"),
    "Y": ("#f0c237", "#1f2328"),
}

#: Fill and letters of a good's mark, by its place on the payout card; every pair has a contrast of at least 4.5 : 1.
GOODS: Final[tuple[tuple[str, str], ...]] = (
    ("#5b4636", "#ffffff"), ("#f0c237", "#1f2328"), ("#5f3585", "#ffffff"), ("#2b62a8", "#ffffff"),
    ("#c79a67", "#1f2328"), ("#8a2f2a", "#ffffff"), ("#f6e9b8", "#1f2328"), ("#dfe6ec", "#1f2328"),
    ("#e58a3c", "#1f2328"),
)  # fmt: skip

#: Marks of charts: the accent first, then other series. Legible on white and told apart without hue (tested).
ACCENT: Final = "#2b62a8"
SECOND: Final = "#d9722c"
QUIET: Final = "#6b7280"
SERIES: Final = (ACCENT, SECOND, "#36915a", "#5f3585", QUIET)
SERIES_DARK: Final = ("#7db0ee", "#f0995e", "#74c791", "#c7a3e6", "#a3abb7")  #: the same on a dark page
GRID: Final = "#e5e7eb"
NOTHING: Final = "#d1d5db"  #: missing value in a heat map
RAMP: Final = ("#eff4fb", "#7ba6da")  #: heat maps, from few to many; ink is legible on all of it
PAPER: Final = "#ffffff"  #: charts are printed on paper, in both themes
INK: Final = "#1f2328"

FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"

# Colours of every kind of text: a dark JupyterLab makes Vega write text without one in white, and we print on paper.
_GUIDE: Final = {
    "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": 500, "labelColor": INK, "titleColor": INK,
}  # fmt: skip

#: Vega-Lite configuration that our charts carry with them; a user's own theme or `.configure()` takes precedence.
VEGA_CONFIG: Final[dict[str, Any]] = {
    "background": PAPER,
    "font": FONT,
    "padding": 8,
    "view": {"stroke": None},
    "range": {"category": list(SERIES), "heatmap": list(RAMP), "ramp": list(RAMP)},
    "axis": {**_GUIDE, "gridColor": GRID, "domainColor": QUIET, "tickColor": QUIET, "labelFlush": False},
    "legend": _GUIDE,
    "header": _GUIDE,
    "facet": {"spacing": 36},  # room between the last label of a panel and the first of the next
    "title": {"fontSize": 14, "fontWeight": 600, "color": INK, "anchor": "start", "subtitleColor": QUIET},
    "mark": {"color": ACCENT},
}  # fmt: skip

_STONE_RULES = "\n".join(
    f".tk-{colour} {{ background: {fill}; color: {letter}; }}" for colour, (fill, letter) in STONES.items()
)


def _series(colours: Sequence[str]) -> str:
    return " ".join(f"--tk-series-{i}: {colour};" for i, colour in enumerate(colours))


CSS: Final = f"""
.tk {{ --tk-accent: {ACCENT}; --tk-focus: #4c8fe0; --tk-wrong: {STONES["R"][0]}; --tk-grid: {GRID};
  {_series(SERIES)} }}
[data-jp-theme-light="false"] .tk {{ --tk-wrong: #ff9d91; --tk-grid: #3d434b; {_series(SERIES_DARK)} }}
.tk {{ font: 13px/1.5 {FONT}; color: var(--jp-ui-font-color1, inherit); max-width: 100%; overflow-x: auto; }}
.tk-stones {{ display: inline-flex; flex-wrap: wrap; gap: 3px; vertical-align: middle; }}
.tk-stone {{ display: inline-flex; align-items: center; justify-content: center; width: 22px; height: 22px;
  box-sizing: border-box; border-radius: 50%; border: 1px solid #6b7280; font: 600 12px/1 {FONT}; }}
.tk-ware {{ display: inline-flex; align-items: center; gap: 6px; padding: 2px 6px; border-radius: 6px;
  border: 1px solid var(--jp-border-color1, #c4c8ce); }}
.tk-star {{ color: var(--jp-ui-font-color1, inherit); }}
.tk-sign {{ margin: 0 6px; color: var(--jp-ui-font-color2, #57606a); }}
.tk-quiet {{ color: var(--jp-ui-font-color2, #57606a); }}
.tk-good {{ border-left: 3px solid {STONES["G"][0]}; padding-left: 8px; }}
.tk-bad {{ border-left: 3px solid {STONES["R"][0]}; padding-left: 8px; }}
.tk table {{ border-collapse: collapse; margin: 4px 0; font-size: 13px; }}
.tk table tr {{ background: none !important; }}
.tk table th, .tk table td {{ padding: 3px 8px 3px 0; text-align: left !important; border: none; background: none;
  white-space: nowrap; }}
.tk td .tk-stones {{ flex-wrap: nowrap; }}
.tk table th {{ font-weight: 600; color: var(--jp-ui-font-color2, #57606a);
  border-bottom: 1px solid var(--jp-border-color1, #c4c8ce); }}
.tk table .tk-number {{ text-align: right !important; font-variant-numeric: tabular-nums; }}
{_STONE_RULES}
""".strip()


def shade(part: float) -> str:
    """Return the colour of a heat map at `part` of the way, 0 to 1, from few to many.

    >>> shade(0) == RAMP[0], shade(1) == RAMP[1]
    (True, True)
    """
    ends = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in RAMP]
    return "#" + "".join(f"{round(a + part * (b - a)):02x}" for a, b in zip(*ends, strict=True))


def page(*parts: Child) -> Markup:
    """Return HTML that can stand alone: `parts` with the styles they need."""
    return element("div", element("style", Markup(CSS)), parts, class_="tk")


def on_page(svg: str) -> Markup:
    """Return a chart's SVG in the colours of the page around it: light or dark, as Jupyter's theme is now."""
    page = {
        PAPER: "var(--jp-layout-color1, #fff)",
        INK: f"var(--jp-ui-font-color1, {INK})",
        GRID: f"var(--tk-grid, {GRID})",
        **{colour: f"var(--tk-series-{i}, {colour})" for i, colour in enumerate(SERIES)},
    }
    svg = str(svg)
    for colour, variable in page.items():
        svg = svg.replace(f'"{colour}"', f'"{variable}"')
    return Markup(svg)
