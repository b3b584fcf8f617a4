"""Drawings of Turin Market: the nine goods of the house deck, coin, loan, seal, gavel and goose."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from markupsafe import Markup

from tradekit.show import components, html, icons
from tradekit.show.sheets import Sheet
from tradekit.turin.deck import Deck

#: What each icon is drawn with; see `show.icons`.
ICONS: Final[Mapping[str, str]] = {
    "truffles": (
        '<path fill-rule="evenodd" d="M5 15c-2-4 1-8 5-8 1-3 6-3 7 0 4 1 5 6 2 9-2 4-11 4-14-1zM8 12a1 1 0 102 0 1 '
        "1 0 10-2 0zM12 10.5a1 1 0 102 0 1 1 0 10-2 0zM14 14.5a1 1 0 102 0 1 1 0 10-2 0zM10 16a1 1 0 102 0 1 1 0 "
        '10-2 0z"/>'
    ),
    "honey": (
        '<path fill-rule="evenodd" d="M8 3h8v3H8zM6.5 7h11c2 2 2.5 4 2.5 6.5 0 4-2 7.5-4.5 7.5h-7C6 21 4 17.5 4 '
        '13.5 4 11 4.5 9 6.5 7zM12 10l3.5 2v4L12 18l-3.5-2v-4z"/>'
    ),
    "grapes": (
        '<circle cx="7" cy="10" r="3"/><circle cx="13" cy="10" r="3"/><circle cx="10" cy="14.8" r="3"/><circle '
        'cx="16" cy="14.8" r="3"/><circle cx="13" cy="19.5" r="3"/><path d="M13 7c0-3 2-5 6-5 1 3-1 5.5-5 5.5z"/>'
    ),
    "anchovies": (
        '<path fill-rule="evenodd" d="M2 12c3-5 10-6 14-1l5-4c-1 3-1 7 0 10l-5-4c-4 5-11 4-14-1zM5.4 11a1.1 1.1 0 '
        '102.2 0 1.1 1.1 0 10-2.2 0z"/>'
    ),
    "walnuts": (
        '<path d="M12 3c6 0 8.5 4 8.5 9S18 21 12 21s-8.5-4-8.5-9S6 3 12 3z"/><path fill="none" stroke="#000" '
        'stroke-width="1.5" d="M12 3v18M8 7c2 1 0 3 1.5 5S7 16 9 18M16 7c-2 1 0 3-1.5 5s2.5 4 .5 6"/>'
    ),
    "chocolate": (
        '<path d="M5 3h6.2v5.2H5zM12.8 3H19v5.2h-6.2zM5 9.8h6.2v4.4H5zM12.8 9.8H19v4.4h-6.2zM5 15.8h6.2V21H5zM12.8 '
        '15.8H19V21h-6.2z"/>'
    ),
    "butter": '<path d="M5 8l3-3h12l-3 3zM5 9.2h12V16H5zM18 8.5l3-3V13l-3 3zM2 18h20l-2 3H4z"/>',
    "rice": (
        '<path d="M2 12h20c0 5-3 8-6 9H8c-3-1-6-4-6-9z"/><path d="M7 10c0-3 1-5 2.5-6C11 6 11 8 10 10zM12 10c0-3 '
        '1.5-5.5 3.5-6 .8 2 .5 4-1 6z"/>'
    ),
    "maize": (
        '<path fill-rule="evenodd" d="M12 2c3.5 2 4.5 6 4 11-.3 3-2 5-4 5s-3.7-2-4-5c-.5-5 .5-9 4-11zM11.1 6a.9 .9 '
        "0 101.8 0 .9 .9 0 10-1.8 0zM9.6 9a.9 .9 0 101.8 0 .9 .9 0 10-1.8 0zM12.6 9a.9 .9 0 101.8 0 .9 .9 0 10-1.8 "
        '0zM11.1 12a.9 .9 0 101.8 0 .9 .9 0 10-1.8 0z"/><path d="M5 11c3 2 5 6 6.5 11C7 21 4 17 5 11zM19 11c-3 2-5 '
        '6-6.5 11 4.5-1 7.5-5 6.5-11z"/>'
    ),
    "coin": (
        '<path fill-rule="evenodd" d="M2 12a10 10 0 1020 0 10 10 0 10-20 0zM4.3 12a7.7 7.7 0 1015.4 0 7.7 7.7 0 '
        '10-15.4 0zM5.7 12a6.3 6.3 0 1012.6 0 6.3 6.3 0 10-12.6 0zM10.8 8h2.4v8h-2.4z"/>'
    ),
    "loan": '<path fill-rule="evenodd" d="M5 2h11l4 4v16H5zM8 8.2h9v1.6H8zM8 12.2h9v1.6H8zM8 16.2h5v1.6H8z"/>',
    "seal": (
        '<path d="M2 5h20v14H2z"/><path fill="none" stroke="#000" stroke-width="1.6" d="M2 6l10 8 10-8"/><circle '
        'cx="12" cy="13" r="3.6" stroke="#000" stroke-width="1.2"/>'
    ),
    "gavel": '<path d="M13 2l7 7-2 2-7-7zM8 7l7 7-2 2-7-7zM12 5l5 5-3 3-5-5zM2 20l7-7 2 2-7 7zM12 19h10v3H12z"/>',
    "goose": (
        '<path fill-rule="evenodd" d="M5 8c0-3 2-5 4.5-5S14 5 14 8c0 3-1 4 0 5 3-1 6 0 8 2-1 5-4 7-9 7-4 0-6-3-6-7 '
        '0-3 1-4 1-6L2 9.5zM8.3 6.5a1 1 0 102 0 1 1 0 10-2 0z"/>'
    ),
}


def good(deck: Deck, place: int) -> Markup:
    """Return the picture of a good in its colour; two letters for a good that we have not drawn.

    >>> print(good(Deck.house(), 1))
    <i class="tk-ic tk-ic-honey tk-good2" aria-hidden="true"></i>
    """
    name = deck.goods[place].name
    if name in ICONS:
        return html.element("i", class_=f"tk-ic tk-ic-{name} tk-good{place + 1}", aria_hidden="true")
    letters = html.letters(tuple(good.shown for good in deck.goods))[place]
    return html.element("b", letters, class_=f"tk-letters tk-good{place + 1}", aria_hidden="true")


def logo() -> Markup:
    """Return the sign of the table: a goose."""
    return Markup('<i class="tk-ic tk-ic-goose tk-logo" aria-hidden="true"></i>')


@cache
def sheet() -> Sheet:
    """Return the style sheet of everything that Turin Market draws."""
    return components.sheet() + Sheet.read("tradekit.turin", "board.css") + icons.sheet(ICONS)
