"""Pictures that stand alone, as SVG text: pure functions in the colours and type of `theme`.

Texts are given escaped, as for HTML. Colours are fixed, those of paper, so that a picture looks the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final, NamedTuple

from tradekit import theme

LINE: Final = 20  #: from one line of text to the next


class Row(NamedTuple):
    """A part of a picture: how high it is, and what is drawn from (0, 0) down."""

    height: int
    drawn: str


def words(x: float, y: float, text: str, *, colour: str = theme.INK, bold: bool = False, **attributes: object) -> str:
    """A line of text; `attributes` are SVG's, with underscores for hyphens.

    >>> words(0, 14, "roll", text_anchor="end")
    '<text x="0" y="14" fill="#1f2328" text-anchor="end">roll</text>'
    """
    given: dict[str, object] = {"x": x, "y": y, "fill": colour, "font_weight": 600 if bold else None, **attributes}
    pairs = (f' {name.replace("_", "-")}="{value}"' for name, value in given.items() if value is not None)
    return f"<text{''.join(pairs)}>{text}</text>"


def heading(text: str) -> Row:
    """The heading of what stands below."""
    return Row(26, words(0, 18, text, colour=theme.QUIET, bold=True, font_size=12))


def stack(x: float, y: float, rows: Iterable[Row]) -> Row:
    """Rows one below the other, the first one at (x, y); its height is where the last one ends."""
    drawn = []
    for row in rows:
        drawn.append(f'<g transform="translate({x} {y})">{row.drawn}</g>')
        y += row.height
    return Row(round(y), "".join(drawn))


def picture(width: float, height: float, title: str, *parts: str) -> str:
    """A picture on paper, smaller where a page is too narrow; `title` is what it is called where it cannot be seen."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'style="max-width: 100%; height: auto" role="img" font-family="{escape(theme.FONT)}" font-size="13">'
        f"<title>{title}</title>"
        f'<rect width="{width}" height="{height}" fill="{theme.PAPER}"/>{"".join(parts)}</svg>'
    )


def page_of_text(title: str, lines: Iterable[str]) -> str:
    """Lines of text as a picture, letter below letter."""
    lines = [*lines]
    rows = [Row(LINE, words(0, 14, escape(line))) for line in lines]
    text = stack(16, 12, rows)
    width = 32 + 8 * max(map(len, lines), default=0)
    return picture(width, text.height + 12, escape(title), f'<g font-family="monospace">{text.drawn}</g>')


MARK: Final = 22  #: width of a mark


def mark(letters: str, fill: str, ink: str, x: float, y: float) -> str:
    """Two letters on a coloured ground, the mark of a good, from (x, y) to the right and down."""
    box = f'<rect x="{x:g}" y="{y:g}" width="{MARK}" height="16" rx="4" fill="{fill}" stroke="{theme.QUIET}"/>'
    text = words(x + MARK / 2, y + 12, escape(letters), colour=ink, bold=True, text_anchor="middle", font_size=11)
    return box + text
