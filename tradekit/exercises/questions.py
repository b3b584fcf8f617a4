"""The context of an exercise, to print above it: the equations, the position, or what the notebook has said before.

In its notebook this stands further up on the page; on paper it has to be repeated. Each part is HTML.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from markupsafe import Markup

from tradekit import auctions, silk, turin
from tradekit._utils.arguments import checked
from tradekit.bazar import Exchange, puzzle, render
from tradekit.bazar.rules import State
from tradekit.exercises.bazar import BALANCED, ONE_LEFT, PUZZLE, THREE_LEFT, TONIGHT
from tradekit.exercises.silk import BARGAIN
from tradekit.exercises.turin import before_bids, evening
from tradekit.i18n import _, language
from tradekit.show.html import element, fragment, table
from tradekit.show.names import join_words

_NAMES: Final = ("Ana", "Bruno", "Carla")


@checked
def given(name: str) -> list[str]:
    """Return the context of exercise `name` as HTML parts; an empty list if its text is complete.

    >>> ["<svg" in part for part in given("05.1")], given("06.1")
    ([True], [])
    """
    shown = _GIVEN.get(name) or _GIVEN.get(name[:2])
    return shown() if shown else []


def _tonight() -> list[str]:
    cards = _("The exchange of cards {cards}:").format(cards=join_words(map(str, TONIGHT)))
    return [_paragraph(cards) + _equations(Exchange.of_cards(*TONIGHT))]


def _balanced() -> list[str]:
    return [_paragraph(_("The balanced exchange:")) + _equations(Exchange(BALANCED))]


def _equations(exchange: Exchange) -> Markup:
    lines = fragment(element("li", render.equation(equation)) for equation in exchange.equations)
    return element("ol", lines, class_="equations")


def _paragraph(text: str) -> Markup:
    return element("p", text)


def _jar() -> list[str]:
    said = _(
        "The jar: what it is worth lies between 0 and 200, all equally likely. An estimate lies up to 30 above or "
        "below it, all equally likely. The highest bid wins."
    )
    return [_paragraph(said)]


def _signals() -> list[str]:
    said = _("Each bidder has a signal between 0 and 1, all equally likely. The prize is worth their mean to everyone.")
    return [_paragraph(said)]


def _learning() -> list[str]:
    said = _(
        "Losers pay half of their bid, rounded down. Bids are whole, 1 at least; values are whole, 0 to 20, all "
        "equally likely. Three rules learn: fictitious play, regret matching, replicator dynamics."
    )
    return [_paragraph(said)]


def _three_rounds() -> list[str]:
    return [_paragraph(_("First price, whole bids, ties by coin; your value is 10. The other has bid 2, 2 and 5."))]


def _whole_bids() -> list[str]:
    return [_paragraph(_("Bids are whole, 1 at least. The highest bid wins one card and is paid."))]


def _who_wins() -> list[str]:
    three = auctions.turin(3)
    said = _("{n} of the three win; the loser pays half, rounded down. Who is tied adds to the bid.")
    return [_paragraph(said.format(n=three.places))]


def _evening_s_end() -> list[str]:
    end = evening().state()
    assert isinstance(end, turin.State)
    spanish = language() == "es"
    new = ", ".join(f"{good.spanish if spanish else good.name} {good.new}" for good in end.parameters.deck.goods)
    return [end.to_svg(names=_NAMES), _paragraph(_("The new payouts: {payouts}.").format(payouts=new))]


def _evening_s_bids() -> list[str]:
    columns = {
        "auction": _("auction"),
        "name": _("player"),
        "bid": _("bid"),
        "added": _("added"),
        "award": _("cards won"),
    }
    bids = turin.bids(evening())[[*columns]].astype(object)
    rows = bids.where(bids.notna(), "").map(lambda cell: f"{cell:g}" if isinstance(cell, float) else str(cell))
    heading = _paragraph(_("The five auctions of the evening; losers pay half, rounded down:"))
    return [heading + table(columns.values(), rows.to_numpy().tolist(), (0, 2, 3, 4))]


def _position(text: str) -> Callable[[], list[str]]:
    return lambda: [State.parse(text).to_svg()]


def _before_bids(auction: int) -> Callable[[], list[str]]:
    return lambda: [before_bids(auction).to_svg(names=_NAMES)]


def _beginning() -> list[str]:
    return [silk.new(players=3, seed=29).to_svg(0, _NAMES)]


def _row() -> list[str]:
    return [_paragraph(_("The row of demands as it is laid out: 4 3 2 1 0."))]


def _bargain() -> list[str]:
    known = silk.State.parse(BARGAIN).view(1).known
    assert isinstance(known, silk.State)
    return [known.to_svg(1, _NAMES)]


def _day_s_puzzle() -> list[str]:
    day = puzzle(PUZZLE)
    return [_paragraph(str(day)), day.start.to_svg()]


#: Context by exercise, or by notebook.
_GIVEN: Final[dict[str, Callable[[], list[str]]]] = {
    "01": _tonight,
    "02": _tonight,
    "03": _balanced,
    "04": _tonight,
    "05.1": _position(THREE_LEFT),
    "05.2": _position(ONE_LEFT),
    "08": _whole_bids,
    "09.1": _jar,
    "09.2": _jar,
    "09.3": _signals,
    "10.2": _three_rounds,
    "10.3": _learning,
    "11.1": _who_wins,
    "11.2": _evening_s_end,
    "11.3": _evening_s_bids,
    "12.2": _before_bids(1),
    "12.3": _before_bids(3),
    "13": _beginning,
    "14.1": _row,
    "15": _bargain,
    "18": _tonight,
    "18.3": _day_s_puzzle,
}
