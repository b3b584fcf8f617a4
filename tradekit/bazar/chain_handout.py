"""Handout of a chain: its trades with a proof that none is shorter, or a puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from tradekit._utils.arguments import an_object, checked, optional
from tradekit.bazar import render
from tradekit.bazar.chains import UNREACHABLE, Chain
from tradekit.bazar.hands import index
from tradekit.game import ParseError
from tradekit.i18n import _, ngettext
from tradekit.show.html import element, filled, fragment, table
from tradekit.show.paper import Handout, page

if TYPE_CHECKING:
    import pandas as pd

    from tradekit.bazar.exchange import Exchange

_ACROSS: Final = 12  # turns side by side


@checked(chain=optional(an_object(Chain, "exchange.chain('RR', 'RWBGY')")))
def handout(chain: Chain, exchange: Exchange | None = None, *, blank: bool = False, answers: bool = True) -> Handout:
    """Return the handout of a chain: start, ware, and each trade with the stones before and after it (BZ-41).

    With its `exchange` it also shows the equations and proves that no chain is shorter, or reports a shorter one.
    `blank` makes a puzzle, with trades and stones left to find; `answers` then adds a second page with the chain.
    Raises `ParseError` for anything other than a chain, and for a trade that the exchange does not have (BZ-10).

    >>> from tradekit import bazar
    >>> tonight = bazar.Exchange.of_cards(1, 4)
    >>> handout(tonight.chain("GY", "RWBGY", left=0), tonight, blank=True)
    handout 'A puzzle: GY buys RWBGY in 10 turns', 2 pages: save(path) writes it
    """
    if not isinstance(chain, Chain):
        raise ParseError(_("{chain!r} is no chain; exchange.chain(have, ware) gives one, or None").format(chain=chain))
    if exchange is not None:
        for step in chain.steps:
            if step.trade not in exchange.moves.trades:
                raise ParseError(_("{trade}: the exchange does not have it (BZ-10)").format(trade=step.trade))
    in_turns = _("{have} buys {ware} in {turns}").format(
        have=chain.start, ware=chain.ware, turns=ngettext("{n} turn", "{n} turns", chain.turns)
    )
    whole = (_goal(chain), _equations(chain, exchange), _trades(chain, exchange), _proof(chain, exchange))
    if not blank:
        title = _("A chain: {what}").format(what=in_turns)
        return Handout(title, (page(title, element("h1", _("A chain of trades")), *whole, to_fill_in=False),))
    title = _("A puzzle: {what}").format(what=in_turns)
    puzzle = page(
        "tradekit", element("h1", _("Find the trades")), _goal(chain), _equations(chain, exchange), _rows(chain)
    )
    solved = page(title, element("h1", _("For the teacher")), *whole[2:], to_fill_in=False)
    return Handout(title, (puzzle, solved) if answers else (puzzle,))


def _goal(chain: Chain) -> Markup:
    """Return the start, the purchase, and the stones allowed to be left over."""
    left = ngettext("{n} stone left", "{n} stones left", chain.left) if chain.left else _("no stone left")
    turns = ngettext("{n} turn", "{n} turns", chain.turns)
    rows = [
        [_("You hold"), render.stones(chain.start)],
        [_("You buy"), fragment(render.ware(chain.ware), f" {_('with the last trade')}, {left}")],
        [_("You have"), _("{turns}, one trade each").format(turns=turns)],
    ]
    lines = fragment(element("tr", element("th", what), element("td", is_)) for what, is_ in rows)
    return element("table", lines, class_="plain")


def _equations(chain: Chain, exchange: Exchange | None) -> Markup:
    """Return the exchange or, if it is unknown, the equations of the chain in alphabetical order."""
    if exchange is not None:
        heading, there = _("The exchange"), list(exchange.equations)
    else:
        heading = _("Equations of the chain")
        there = sorted({trade.sides: trade for trade in chain.trades}.values(), key=str)
    lines = fragment(element("li", render.equation(equation)) for equation in there)
    return fragment(element("h2", heading), element("ol", lines, class_="equations"))


def _trades(chain: Chain, exchange: Exchange | None) -> Markup:
    """Return one line per trade, with an exchange also the fewest turns needed from there."""
    head = [_("turn"), _("before"), _("trade"), _("after")]
    rows = [
        [str(turn), render.stones(step.before), render.equation(step.trade, "→"), render.stones(step.after)]
        for turn, step in enumerate(chain.steps, 1)
    ]
    numbers = [0]
    if exchange is not None:
        head.append(_("turns needed"))
        numbers.append(4)
        needed = exchange.turns(chain.ware, _goal_left(chain, exchange))
        for row, step in zip(rows, chain.steps, strict=True):
            row.append(str(needed[index(step.before)]))
    buys = chain.buys(render.ware, render.stones, filled)
    return fragment(
        element("h2", _("The trades")), table(head, rows, numbers), element("p", _("The last trade"), " ", buys, ".")
    )


def _rows(chain: Chain) -> Markup:
    """Return lines to fill in; the start is given."""
    head = fragment(element("th", what) for what in (_("turn"), _("before"), _("trade"), _("after")))
    rows = fragment(
        element(
            "tr",
            element("td", turn),
            element("td", render.stones(chain.start) if turn == 1 else ""),
            element("td"),
            element("td"),
        )
        for turn in range(1, chain.turns + 1)
    )
    return fragment(element("h2", _("Your chain")), element("table", element("tr", head), rows, class_="puzzle"))


def _goal_left(chain: Chain, exchange: Exchange) -> int | None:
    """Return the stones allowed to be left over: None if the chain is shortest for any number, otherwise its own."""
    return None if exchange.turns(chain.ware)[index(chain.start)] == chain.turns else chain.left


def _proof(chain: Chain, exchange: Exchange | None) -> str:
    """Return the proof, by distances and by counting, that no chain is shorter, or report a shorter one."""
    if exchange is None:
        return ""
    left = _goal_left(chain, exchange)
    fewest = int(exchange.turns(chain.ware, left)[index(chain.start)])
    assert fewest != UNREACHABLE, "the chain itself is one"
    if left is None:
        claim = _("No chain is shorter, whatever is left.")
    else:
        claim = _("No chain that leaves as much is shorter.")
    if fewest < chain.turns:
        turns = ngettext("{n} turn", "{n} turns", fewest)
        return element("p", _("This chain is not a shortest one: {turns} are enough.").format(turns=turns))
    why = _(
        "The last column says how many turns are needed at least from the holding before the trade, by trades alone. "
        "No trade makes that number smaller by more than one, so nothing is quicker than the first number. It can be "
        "checked: all holdings that can be reached are counted below, turn by turn, and none buys before the last turn."
    )
    levels = exchange.proof(chain.start, chain.ware, left).reset_index()
    counted = fragment(_across(levels[n : n + _ACROSS]) for n in range(0, len(levels), _ACROSS))
    return fragment(element("h2", claim), element("p", why), counted)


def _across(levels: pd.DataFrame) -> Markup:
    """Return turns side by side: hands first reached, and the number of them that buy."""
    titles = {"turn": _("turn"), "holdings": _("holdings first reached"), "buying": _("of these buy")}
    rows = (
        element("tr", element("th", title), (element("td", number) for number in levels[column].tolist()))
        for column, title in titles.items()
    )
    return element("table", rows, class_="counts plain")
