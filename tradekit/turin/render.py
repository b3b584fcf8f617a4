"""Pictures of Turin Market's cards and goods: pure functions from a value to HTML or SVG text.

Colour is never the only sign: the mark of a good bears two letters, which no other good of the deck has.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from markupsafe import Markup

from tradekit import theme
from tradekit.i18n import _
from tradekit.show import html, svg
from tradekit.show.html import element, fragment, spaced
from tradekit.turin.deck import GOODS, Deck

CARD_WIDTH: Final = 124  #: of a card in an SVG picture
CARD_HEIGHT: Final = 84
CHIP: Final = 118  #: from a small card to the next in an SVG picture


#: What the marks of the goods, and the cards, look like.
CSS: Final = """
.tu-mark { display: inline-block; width: 22px; box-sizing: border-box; border-radius: 4px; text-align: center;
  border: 1px solid #6b7280; font-weight: 600; font-size: 11px; line-height: 16px; }
.tu-card { display: inline-flex; flex-direction: column; gap: 2px; width: 117px; min-height: 88px; font-size: 12px;
  box-sizing: border-box; padding: 4px 2px 6px 5px;
  border: 1px solid var(--jp-ui-font-color2, #6b7280); border-radius: 8px; text-align: left; line-height: 18px;
  background: var(--jp-layout-color1, #fff); color: var(--jp-ui-font-color1, #1f2328); }
.tu-card > .tu-number { font-size: 11px; font-weight: 600; line-height: 16px;
  color: var(--jp-ui-font-color2, #57606a); }
.tu-units { display: flex; gap: 3px; align-items: center; white-space: nowrap; overflow: hidden; }
.tu-units b { width: 9px; font-variant-numeric: tabular-nums; }
.tu-small { display: inline-flex; gap: 3px; align-items: center; padding: 1px 5px; border-radius: 6px;
  line-height: 18px; border: 1px solid var(--jp-border-color1, #c4c8ce); font-size: 12px; white-space: nowrap; }
.tu-small .tu-number { font-weight: 600; margin-right: 2px; }
.tu-small b { font-weight: 400; margin-right: 2px; }
""" + "\n".join(
    f".tu-good-{place} {{ background: {fill}; color: {letters}; }}" for place, (fill, letters) in enumerate(theme.GOODS)
)


def marks(deck: Deck) -> tuple[str, ...]:
    """The letters of each good of a deck."""
    return html.letters(tuple(good.shown for good in deck.goods))


def mark(deck: Deck, good: int) -> Markup:
    """The mark of a good, beside its name or in place of it."""
    return element("span", marks(deck)[good], class_=f"tu-mark tu-good-{good}", aria_hidden="true")


def units(deck: Deck, number: int) -> list[tuple[int, int]]:
    """The goods of a card with their units, most first."""
    there = deck.card(number).units
    return sorted(((good, there[good]) for good in range(GOODS) if there[good]), key=lambda pair: -pair[1])


def label(deck: Deck, number: int) -> str:
    """Return a card in one line, in the words on it."""
    goods = ", ".join(f"{n} {deck.goods[good].shown}" for good, n in units(deck, number))
    return _("card {n}: {goods}").format(n=number, goods=goods)


def face(deck: Deck, number: int) -> Markup:
    """Return the face of a card."""
    rows = fragment(
        element("span", mark(deck, good), element("b", n), " ", deck.goods[good].shown, class_="tu-units")
        for good, n in units(deck, number)
    )
    return fragment(element("span", _("card {n}").format(n=number), class_="tu-number"), rows)


def card(deck: Deck, number: int) -> Markup:
    """A card."""
    return element("span", face(deck, number), class_="tu-card", role="img", aria_label=label(deck, number))


def small(deck: Deck, number: int) -> Markup:
    """A card in a line: its number, and letters for its goods."""
    goods = fragment(fragment(mark(deck, good), element("b", n)) for good, n in units(deck, number))
    name = label(deck, number)
    content = fragment(element("span", number, class_="tu-number"), goods)
    return element("span", content, class_="tu-small", role="img", aria_label=name, title=name)


def smalls(deck: Deck, numbers: Iterable[int]) -> Markup:
    """Several cards in a line."""
    return spaced(small(deck, number) for number in numbers)


def mark_svg(deck: Deck, good: int, x: float, y: float) -> Markup:
    """The mark of a good in an SVG picture, from (x, y) to the right and down."""
    return svg.mark(marks(deck)[good], *theme.GOODS[good], x, y)


def card_svg(deck: Deck, number: int, x: float, y: float) -> Markup:
    """A card in an SVG picture."""
    drawn = element(
        "rect",
        x=f"{x + 0.5:g}",
        y=f"{y + 0.5:g}",
        width=CARD_WIDTH - 8,
        height=CARD_HEIGHT - 6,
        rx="8",
        fill="none",
        stroke=theme.QUIET,
    )
    drawn += svg.words(x + 8, y + 15, _("card {n}").format(n=number), colour=theme.QUIET, bold=True, font_size=11)
    for line, (good, n) in enumerate(units(deck, number)):
        top = y + 19 + 19 * line
        drawn += mark_svg(deck, good, x + 7, top) + svg.words(x + 34, top + 12, str(n), bold=True, font_size=12)
        drawn += svg.words(x + 45, top + 12, deck.goods[good].shown, font_size=11)
    return drawn


def small_svg(deck: Deck, number: int, x: float, y: float) -> Markup:
    """A card in a line of an SVG picture."""
    drawn = svg.words(x + 16, y + 12, str(number), bold=True, text_anchor="end", font_size=12)
    for place, (good, n) in enumerate(units(deck, number)):
        left = x + 20 + 32 * place
        drawn += mark_svg(deck, good, left, y) + svg.words(left + svg.MARK + 1, y + 12, str(n), font_size=11)
    return drawn
