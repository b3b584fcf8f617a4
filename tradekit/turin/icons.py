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
        '<path d="M5 15c-2-4 1-8 5-8 1-3 6-3 7 0 4 1 5 6 2 9-2 4-11 4-14-1z"/><g fill="#000"><circle cx="9" '
        'cy="12" r="1"/><circle cx="13" cy="10.5" r="1"/><circle cx="15" cy="14.5" r="1"/><circle cx="11" cy="16" '
        'r="1"/></g>'
    ),
    "honey": (
        '<path d="M8 3h8v3H8zM6.5 7h11c2 2 2.5 4 2.5 6.5 0 4-2 7.5-4.5 7.5h-7C6 21 4 17.5 4 13.5 4 11 4.5 9 6.5 '
        '7z"/><path fill="#000" d="M12 10l3.5 2v4L12 18l-3.5-2v-4z"/>'
    ),
    "grapes": (
        '<circle cx="7" cy="10" r="3"/><circle cx="13" cy="10" r="3"/><circle cx="10" cy="14.8" r="3"/><circle '
        'cx="16" cy="14.8" r="3"/><circle cx="13" cy="19.5" r="3"/><path d="M13 7c0-3 2-5 6-5 1 3-1 5.5-5 5.5z"/>'
    ),
    "anchovies": (
        '<path d="M2 12c3-5 10-6 14-1l5-4c-1 3-1 7 0 10l-5-4c-4 5-11 4-14-1z"/><circle fill="#000" cx="6.5" '
        'cy="11" r="1.1"/>'
    ),
    "walnuts": (
        '<path d="M12 3c6 0 8.5 4 8.5 9S18 21 12 21s-8.5-4-8.5-9S6 3 12 3z"/><path fill="none" stroke="#000" '
        'stroke-width="1.5" d="M12 3v18M8 7c2 1 0 3 1.5 5S7 16 9 18M16 7c-2 1 0 3-1.5 5s2.5 4 .5 6"/>'
    ),
    "chocolate": (
        '<path d="M5 3h14v18H5z"/><path fill="none" stroke="#000" stroke-width="1.6" d="M12 3v18M5 9h14M5 15h14"/>'
    ),
    "butter": '<path d="M5 8l3-3h12l-3 3zM5 9.2h12V16H5zM18 8.5l3-3V13l-3 3zM2 18h20l-2 3H4z"/>',
    "rice": (
        '<path d="M2 12h20c0 5-3 8-6 9H8c-3-1-6-4-6-9z"/><path d="M7 10c0-3 1-5 2.5-6C11 6 11 8 10 10zM12 10c0-3 '
        '1.5-5.5 3.5-6 .8 2 .5 4-1 6z"/>'
    ),
    "maize": (
        '<path d="M12 2c3.5 2 4.5 6 4 11-.3 3-2 5-4 5s-3.7-2-4-5c-.5-5 .5-9 4-11z"/><path d="M5 11c3 2 5 6 6.5 '
        '11C7 21 4 17 5 11zM19 11c-3 2-5 6-6.5 11 4.5-1 7.5-5 6.5-11z"/><g fill="#000"><circle cx="12" cy="6" '
        'r=".9"/><circle cx="10.5" cy="9" r=".9"/><circle cx="13.5" cy="9" r=".9"/><circle cx="12" cy="12" r=".9"/>'
        "</g>"
    ),
    "coin": (
        '<circle cx="12" cy="12" r="10"/><circle cx="12" cy="12" r="7" fill="none" stroke="#000" '
        'stroke-width="1.4"/><path fill="#000" d="M10.8 8h2.4v8h-2.4z"/>'
    ),
    "loan": (
        '<path d="M5 2h11l4 4v16H5z"/><path fill="none" stroke="#000" stroke-width="1.5" d="M8 9h9M8 13h9M8 17h5"/>'
    ),
    "seal": (
        '<path d="M2 5h20v14H2z"/><path fill="none" stroke="#000" stroke-width="1.6" d="M2 6l10 8 10-8"/><circle '
        'cx="12" cy="13" r="3.6" stroke="#000" stroke-width="1.2"/>'
    ),
    "gavel": '<path d="M13 2l7 7-2 2-7-7zM8 7l7 7-2 2-7-7zM12 5l5 5-3 3-5-5zM2 20l7-7 2 2-7 7zM12 19h10v3H12z"/>',
    "goose": (
        '<path d="M5 8c0-3 2-5 4.5-5S14 5 14 8c0 3-1 4 0 5 3-1 6 0 8 2-1 5-4 7-9 7-4 0-6-3-6-7 0-3 1-4 1-6L2 '
        '9.5z"/><circle cx="9.3" cy="6.5" r="1" fill="#000"/>'
    ),
}


def good(deck: Deck, place: int) -> Markup:
    """Return the picture of a good in its colour; two letters for a good that we have not drawn.

    >>> print(good(Deck.house(), 1))
    <i class="tk-ic tk-ic-honey tk-good2" aria-hidden="true"></i>
    """
    name = deck.goods[place].name
    if name in ICONS:
        return Markup('<i class="tk-ic tk-ic-{} tk-good{}" aria-hidden="true"></i>').format(name, place + 1)
    letters = html.letters(tuple(good.shown for good in deck.goods))[place]
    return Markup('<b class="tk-letters tk-good{}" aria-hidden="true">{}</b>').format(place + 1, letters)


def logo() -> Markup:
    """Return the sign of the table: a goose."""
    return Markup('<i class="tk-ic tk-ic-goose tk-logo" aria-hidden="true"></i>')


@cache
def sheet() -> Sheet:
    """Return the style sheet of everything that Turin Market draws."""
    return components.sheet() + Sheet.read("tradekit.turin", "board.css") + icons.sheet(ICONS)
