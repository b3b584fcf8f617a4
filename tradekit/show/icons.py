"""Icons: shapes in one colour, that of the text around them. Each game has its own in its folder.

An icon is written once in the style sheet, as a mask; on the page it is one short element, because a table shows some
of them many times.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from markupsafe import Markup

from tradekit.show.html import element
from tradekit.show.sheets import Sheet

#: What each icon is drawn with, in a square of 24 units. Black is cut out.
ICONS: Final[Mapping[str, str]] = {
    "undo": '<path d="M9 4v4h5a6 6 0 010 12H7v-3h7a3 3 0 000-6H9v4L2.5 9.5z"/>',
    "hint": '<path d="M12 2a7 7 0 00-4 12.7V17h8v-2.3A7 7 0 0012 2zM8.5 18.5h7V20h-7zM10 21h4v1.5h-4z"/>',
    "more": '<circle cx="5" cy="12" r="2.2"/><circle cx="12" cy="12" r="2.2"/><circle cx="19" cy="12" r="2.2"/>',
    "review": '<path d="M3 19h18v2H3zM5 11h3v6H5zM10.5 5h3v12h-3zM16 8h3v9h-3z"/>',
    "rules": '<path d="M3 4c4-1 6-.5 8 1v15c-2-1.5-5-2-8-1zM21 4c-4-1-6-.5-8 1v15c2-1.5 5-2 8-1z"/>',
    "new": '<path d="M10.5 3h3v7.5H21v3h-7.5V21h-3v-7.5H3v-3h7.5z"/>',
    "seats": (
        '<circle cx="8" cy="8" r="4"/><circle cx="17" cy="9" r="3"/><path d="M1 20c0-5 3-7 7-7s7 2 7 7zM16 '
        '20c0-3-.5-5-2-6.5 4-1 8 1 8.5 6.5z"/>'
    ),
    "save": '<path d="M10.5 2h3v10l3.5-3.5 2 2L12 17.5l-7-7 2-2 3.5 3.5zM3 19h18v3H3z"/>',
    "open": '<path d="M2 5h7l2 2.5h9V10H7L4 18H2zM8 11.5h15L20 20H5z"/>',
    "arrow": '<path d="M3 10.5h12L11 6.5 13 4l8 8-8 8-2-2.5 4-4H3z"/>',
    "swap": '<path d="M7 3L2 8l5 5V9.5h10v-3H7zM17 11l5 5-5 5v-3.5H7v-3h10z"/>',
    "play": '<path d="M5 3l16 9-16 9z"/>',
    "turns": '<path d="M12 3a9 9 0 11-8.5 6H7a6 6 0 105-3v4L5 5l7-5z"/>',
    "check": '<path d="M3 12.5l3-3 4 4L18 5l3 3L10 19.5z"/>',
    "clock": (
        '<path fill-rule="evenodd" d="M2 12a10 10 0 1020 0 10 10 0 10-20 0zM11 6h2v5.9l3.6 2.2-1.1 1.7-4.5-2.8z"/>'
    ),
    "lock": '<path d="M7 10V7a5 5 0 0110 0v3h2v12H5V10zm2.5 0h5V7a2.5 2.5 0 00-5 0z"/>',
    "crown": '<path d="M2 7l5 5 5-8 5 8 5-5-2 12H4z"/>',
    "star": '<path d="M12 2l3 6.8 7.3.8-5.5 5 1.6 7.4L12 18.2 5.6 22l1.6-7.4-5.5-5 7.3-.8z"/>',
    "flag": '<path d="M4 2h2.5v20H4zM7.5 3C12 1 15 6 21 4v9c-6 2-9-3-13.5-1z"/>',
    "close": '<path d="M5.4 3L12 9.6 18.6 3 21 5.4 14.4 12 21 18.6 18.6 21 12 14.4 5.4 21 3 18.6 9.6 12 3 5.4z"/>',
    "next": '<path d="M3 3l12 9-12 9zM17 3h3.5v18H17z"/>',
}


def icon(name: str) -> Markup:
    """Return an icon. Screen readers skip it, so put words next to it or give its control a label.

    >>> icon("undo")
    Markup('<i class="tk-ic tk-ic-undo" aria-hidden="true"></i>')
    """
    return element("i", class_=f"tk-ic tk-ic-{name}", aria_hidden="true")


def drawing(shapes: str) -> str:
    """Return an icon as a picture that stands alone, as SVG text.

    >>> drawing('<circle cx="12" cy="12" r="9"/>')
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></svg>'
    """
    if "#000" in shapes:  # cut out of the others by a mask of the drawing, because the mask of CSS sees opacity only
        shapes = f'<mask id="m"><g fill="#fff">{shapes}</g></mask><rect width="24" height="24" mask="url(#m)"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{shapes}</svg>'


def link(svg: str) -> str:
    """Return a picture as an address that holds it, for a style sheet.

    >>> print(link('<svg viewBox="0 0 1 1"/>'))
    url("data:image/svg+xml,%3Csvg viewBox='0 0 1 1'/>")
    """
    text = svg.replace('"', "'")
    return f"""url("data:image/svg+xml,{quote(text, safe=" ='/:;,()-._>")}")"""


def sheet(icons: Mapping[str, str]) -> Sheet:
    """Return the rules of some icons."""
    return Sheet("\n".join(f".tk-ic-{name} {{ --i: {link(drawing(shapes))} }}" for name, shapes in icons.items()))


def cup() -> Markup:
    """Return the cup of a winner."""
    return Markup(
        '<svg class="tk-cup" viewBox="0 0 64 64" aria-hidden="true">'
        '<path d="M18 8h28v14c0 10-6 16-14 16s-14-6-14-16z" fill="#e3ad2d" stroke="#8a5a00" stroke-width="2"/>'
        '<path d="M18 12H9c0 10 3 15 10 16M46 12h9c0 10-3 15-10 16" fill="none" stroke="#8a5a00" stroke-width="3"/>'
        '<path d="M29 38h6v8h-6z" fill="#b98716"/><path d="M20 46h24v10H20z" fill="var(--awning)"/>'
        '<path d="M24 12h4v14c0 4 1 6 3 8-5-2-7-6-7-11z" fill="#fff" opacity=".45"/>'
        '<path d="M32 15l2.2 4.5 5 .7-3.6 3.5.8 5-4.4-2.4-4.4 2.4.8-5-3.6-3.5 5-.7z" fill="#8a5a00"/></svg>'
    )
