"""Pictures of The Silk Road's goods, cards and piles: pure functions from a value to HTML or SVG text.

Colour is never the only sign: the mark of a good bears two letters, which no other good has.
"""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from tradekit import theme
from tradekit.show import html, svg
from tradekit.show.html import element, fragment, spaced
from tradekit.silk import wording
from tradekit.silk.cards import GOODS, OF_GOOD, Cards, good_of, numbers, value_of

#: Fill and letters of each good's mark: the colours of its cards (SI-1).
FILLS: Final = (*(theme.STONES[colour] for colour in "RGBY"), theme.GOODS[2])

#: What the marks of the goods, and the cards, look like.
CSS: Final = """
.si-mark { display: inline-block; width: 24px; box-sizing: border-box; border-radius: 4px; text-align: center;
  border: 1px solid #6b7280; font-weight: 600; font-size: 11px; line-height: 16px; }
.si .si-card { display: inline-flex; flex-direction: column; justify-content: space-between; align-items: flex-start;
  gap: 0; width: 50px; height: 54px; box-sizing: border-box; padding: 4px; border-radius: 6px;
  border: 1px solid var(--jp-ui-font-color2, #6b7280); position: relative;
  background: var(--jp-layout-color1, #fff); color: var(--jp-ui-font-color1, #1f2328); }
.si-card b { align-self: flex-end; font-size: 18px; line-height: 22px; font-variant-numeric: tabular-nums; }
.si-line { white-space: nowrap; font-variant-numeric: tabular-nums; }
""" + "\n".join(
    f".si-good-{good} {{ background: {fill}; color: {letters}; }}" for good, (fill, letters) in enumerate(FILLS)
)


def marks() -> tuple[str, ...]:
    """The letters of each good."""
    return html.letters(tuple(map(wording.good, range(len(GOODS)))))


def mark(good: int) -> Markup:
    """The mark of a good, beside its name or in place of it."""
    return element("span", marks()[good], class_=f"si-mark si-good-{good}", aria_hidden="true")


def face(number: int) -> Markup:
    """Return the face of a card."""
    return fragment(mark(good_of(number)), element("b", value_of(number)))


def card(number: int) -> Markup:
    """A card."""
    name = wording.card(number)
    return element("span", face(number), class_="si-card", role="img", aria_label=name, title=name)


def line(cards: Cards) -> Markup:
    """A set of cards in a line: the mark of each good, and its values."""
    goods = []
    for good, own in enumerate(OF_GOOD):
        if cards & own:
            values = spaced(str(value_of(number)) for number in numbers(cards & own))
            name = wording.cards(cards & own)
            goods.append(
                element("span", mark(good), " ", values, class_="si-line", role="img", aria_label=name, title=name)
            )
    return spaced(goods)


# SVG


def mark_svg(good: int, x: float, y: float) -> Markup:
    """The mark of a good in an SVG picture, from (x, y) to the right and down."""
    return svg.mark(marks()[good], *FILLS[good], x, y)


def line_svg(cards: Cards, x: float, y: float) -> Markup:
    """A set of cards in a line of an SVG picture."""
    drawn = Markup("")
    for good, own in enumerate(OF_GOOD):
        if cards & own:
            values = " ".join(str(value_of(number)) for number in numbers(cards & own))
            drawn += mark_svg(good, x, y) + svg.words(x + svg.MARK + 4, y + 12, values, font_size=12)
            x += svg.MARK + 14 + 7 * len(values)
    return drawn
