"""Pictures that stand alone, as SVG text: pure functions in the colours and type of `theme`.

Colours are fixed, those of paper, so that a picture looks the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from markupsafe import Markup

from tradekit import theme
from tradekit.show.html import Child, element, fragment

LINE: Final = 20  #: from one line of text to the next


class Row(NamedTuple):
    """A part of a picture: how high it is, and what is drawn from (0, 0) down."""

    height: int
    drawn: Markup


def words(
    x: float, y: float, text: Child, *, colour: str = theme.INK, bold: bool = False, **attributes: object
) -> Markup:
    """A line of text; `attributes` are SVG's, with underscores for hyphens.

    >>> words(0, 14, "roll", text_anchor="end")
    Markup('<text x="0" y="14" fill="#1f2328" text-anchor="end">roll</text>')
    """
    look = {"fill": colour, "font_weight": 600 if bold else None, **attributes}
    return element("text", text, x=x, y=y, **look)


def heading(text: str) -> Row:
    """The heading of what stands below."""
    return Row(26, words(0, 18, text, colour=theme.QUIET, bold=True, font_size=12))


def stack(x: float, y: float, rows: Iterable[Row]) -> Row:
    """Rows one below the other, the first one at (x, y); its height is where the last one ends."""
    drawn = []
    for row in rows:
        drawn.append(element("g", row.drawn, transform=f"translate({x} {y})"))
        y += row.height
    return Row(round(y), fragment(drawn))


def picture(width: float, height: float, title: str, *parts: Child) -> Markup:
    """A picture on paper, smaller where a page is too narrow; `title` is what it is called where it cannot be seen."""
    return element(
        "svg",
        element("title", title),
        element("rect", width=width, height=height, fill=theme.PAPER),
        parts,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {width} {height}",
        style="max-width: 100%; height: auto",
        role="img",
        font_family=theme.FONT,
        font_size="13",
    )


def page_of_text(title: str, lines: Iterable[str]) -> Markup:
    """Lines of text as a picture, letter below letter."""
    lines = [*lines]
    rows = [Row(LINE, words(0, 14, line)) for line in lines]
    text = stack(16, 12, rows)
    width = 32 + 8 * max(map(len, lines), default=0)
    return picture(width, text.height + 12, title, element("g", text.drawn, font_family="monospace"))


MARK: Final = 22  #: width of a mark


def mark(letters: str, fill: str, ink: str, x: float, y: float) -> Markup:
    """Two letters on a coloured ground, the mark of a good, from (x, y) to the right and down."""
    box = element("rect", x=f"{x:g}", y=f"{y:g}", width=MARK, height="16", rx="4", fill=fill, stroke=theme.QUIET)
    text = words(x + MARK / 2, y + 12, letters, colour=ink, bold=True, text_anchor="middle", font_size=11)
    return fragment(box, text)
