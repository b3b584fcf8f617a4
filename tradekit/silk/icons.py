"""Drawings of The Silk Road: its five goods, and what is done with them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from markupsafe import Markup

from tradekit.show import components, icons
from tradekit.show.html import element
from tradekit.show.sheets import Sheet
from tradekit.silk.cards import GOODS

#: What each icon is drawn with; see `show.icons`.
ICONS: Final[Mapping[str, str]] = {
    "silk": (
        '<path d="M7 3h10v3H7zM7 18h10v3H7z"/><path d="M8.5 7h7v10h-7z"/><path d="M15.5 13c3 0 2 5 6 5v2c-5 '
        '0-4-5-6-5z"/><path fill="none" stroke="#000" stroke-width="1" d="M8.5 9.5l7 1M8.5 12l7 1M8.5 14.5l7 1"/>'
    ),
    "tea": (
        '<path d="M4 9h13v5c0 4-3 6-6.5 6S4 18 4 14z"/><path d="M17 10h2c2 0 3 1.5 3 3s-1.5 3.5-5 3.5v-2c2 0 3-.8 '
        '3-1.5s-.5-1-1-1h-2zM8 3c1.5 1 0 2 1 4H7.5C6.5 5 8 4.5 8 3zM12 2c1.5 1.5 0 3 1 5h-1.5c-1-2 .5-3.5.5-5z"/>'
    ),
    "cloth": (
        '<path d="M3 6c3-2 6-2 9 0s6 2 9 0v10c-3 2-6 2-9 0s-6-2-9 0z"/><path fill="none" stroke="#000" '
        'stroke-width="1.2" d="M3 10.5c3-2 6-2 9 0s6 2 9 0"/><path d="M3 18c3-2 6-2 9 0s6 2 9 0v2c-3 2-6 2-9 '
        '0s-6-2-9 0z"/>'
    ),
    "ivory": (
        '<path d="M4 4c1 8 5 14 16 15l1 2C9 22 2 14 1.5 5z"/><path d="M8 3c1 6 4 10 12 12l.5 2C11 16 6 11 5.5 4z"/>'
    ),
    "spices": (
        '<path fill-rule="evenodd" d="M6 11c1-4 3-6 6-8 3 2 5 4 6 8zM9.1 8.5a.9 .9 0 101.8 0 .9 .9 0 10-1.8 0z'
        'M12.6 7.5a.9 .9 0 101.8 0 .9 .9 0 10-1.8 0zM11.6 9.9a.9 .9 0 101.8 0 .9 .9 0 10-1.8 0z"/><path d="M3 '
        '12h18c0 4-2 7-5 8.5H8C5 19 3 16 3 12z"/>'
    ),
    "camel": (
        '<path d="M3 9c0-2 1-3 3-3 1 0 1.5.7 1.5 2v3c1-3 2-4 3.5-4s2 3 3 3 1.5-3 3-3 3 3 3.5 6l1 '
        '3h-1.5l-1-2v8h-2l-.5-6h-6l-.5 6h-2l-.5-7C5.5 14 5 13 5 11V9.5H3z"/>'
    ),
    "hordes": (
        '<path d="M4 3l9 9 1.5-1.5L16 12l-1.5 1.5L20 19l-2 2-5.5-5.5L11 17l-1.5-1.5L11 14 3 5zM20 3l-7 7-1-1zM10 '
        '15l-5 6-2-2 6-5z"/>'
    ),
    "hand": (
        '<path d="M2 9l5-3 4 2 3-2 4 1 4 4-4 6-2 3-3-1-3 1-4-4-4-2z"/><path fill="none" stroke="#000" '
        'stroke-width="1.3" d="M11 8l-2 4c2 1 3 0 4-2l5 5"/>'
    ),
    "bribe": (
        '<path fill-rule="evenodd" d="M8 2h8l-2 4h-4zM9.5 7h5c4 3 6 7 6 10 0 3-2 5-5 5h-7c-3 0-5-2-5-5 0-3 2-7 '
        '6-10zM10.8 11h2.4v7h-2.4z"/>'
    ),
    "vizier": (
        '<path fill-rule="evenodd" d="M4 12c0-5 3-9 8-9s8 4 8 9c-4-2-12-2-16 0zM5 14c4-2 10-2 14 0-1 4-3 8-7 '
        '8s-6-4-7-8zM10.2 8a1.8 1.8 0 103.6 0 1.8 1.8 0 10-3.6 0z"/>'
    ),
    "sell": '<path fill-rule="evenodd" d="M3 3h9l10 10-9 9L3 12zM5.5 7.5a2 2 0 104 0 2 2 0 10-4 0z"/>',
    "pile": '<path d="M7 2h12v15H7z"/><path d="M4 6h2v12h10v3H4z"/>',
    "shield": '<path d="M12 2l9 3c0 8-3 14-9 17C6 19 3 13 3 5z"/>',
}


def ground(good: int) -> str:
    """Return the class of whatever lies on the colour of a good: a tile, a card, the stall of a pile.

    >>> ground(0)
    'tk-w1'
    """
    return f"tk-w{good + 1}"


def tile(good: int) -> Markup:
    """Return the picture of a good on its colour. Show its name next to it, or give a label.

    >>> print(tile(1))
    <span class="tk-tile tk-w2" aria-hidden="true"><i class="tk-ic tk-ic-tea" aria-hidden="true"></i></span>
    """
    return element("span", icons.icon(GOODS[good]), class_=f"tk-tile {ground(good)}", aria_hidden="true")


def logo() -> Markup:
    """Return the sign of the table: a camel."""
    return Markup('<i class="tk-ic tk-ic-camel tk-logo" aria-hidden="true"></i>')


@cache
def sheet() -> Sheet:
    """Return the style sheet of everything that The Silk Road draws."""
    return components.sheet() + Sheet.read("tradekit.silk", "board.css") + icons.sheet(ICONS)
