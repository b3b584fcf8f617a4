"""HTML for the output of a cell, in the styles of every output and the colours of the page around it."""

from __future__ import annotations

from markupsafe import Markup

from tradekit import theme
from tradekit.show.html import Child, element


def page(*parts: Child) -> Markup:
    """Return HTML that can stand alone: `parts` with the styles they need."""
    return element("div", element("style", Markup(theme.CSS)), parts, class_="tk")


def on_page(svg: str) -> Markup:
    """Return a chart's SVG in the colours of the page around it: light or dark, as Jupyter's theme is now."""
    page = {
        theme.PAPER: "var(--jp-layout-color1, #fff)",
        theme.INK: f"var(--jp-ui-font-color1, {theme.INK})",
        theme.GRID: f"var(--tk-grid, {theme.GRID})",
        **{colour: f"var(--tk-series-{i}, {colour})" for i, colour in enumerate(theme.SERIES)},
    }
    svg = str(svg)
    for colour, variable in page.items():
        svg = svg.replace(f'"{colour}"', f'"{variable}"')
    return Markup(svg)
