"""Pictures of Bazar's values: pure functions from a value to HTML or SVG text.

Colour is never the only sign: every stone bears its letter. Nothing here imports the values, so that they can show
themselves through it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from tradekit import theme
from tradekit.i18n import _
from tradekit.show import svg
from tradekit.show.cell import page as page
from tradekit.show.html import element, filled, fragment, spaced
from tradekit.show.html import table as table

if TYPE_CHECKING:
    from tradekit.bazar.chains import Chain
    from tradekit.bazar.policy import Policy
    from tradekit.bazar.prices import Arbitrage, Prices
    from tradekit.bazar.stones import Equation, Stones, StonesLike, Ware

STONE_STEP: Final = 28  #: from a stone to the next in an SVG picture


def stones(stones: Stones | str) -> Markup:
    """A row of stones, read out as its letters."""
    row = fragment(element("span", c, class_=f"tk-stone tk-{c}", aria_hidden="true") for c in stones)
    shown = row or element("span", _("no stones"), class_="tk-quiet", aria_hidden="true")
    spoken = " ".join(stones) or _("no stones")
    return element("span", shown, class_="tk-stones", role="img", aria_label=spoken)


def equation(equation: Equation, sign: str = "=") -> Markup:
    """Both sides of an equation with `sign` between them."""
    return fragment(stones(equation.left), element("span", sign, class_="tk-sign"), stones(equation.right))


def ware(ware: Ware) -> Markup:
    """A ware card: its five stones and its star."""
    star = element("span", "★", class_="tk-star", role="img", aria_label=_("star")) if ware.stars else ""
    return element("span", stones(ware.stones), star, class_="tk-ware")


def exchange(equations: Iterable[Equation]) -> Markup:
    """The equations of an exchange, an equation a line, numbered."""
    return table(("", _("equation")), ((str(i), equation(e)) for i, e in enumerate(equations, 1)), numbers=[0])


def chain(chain: Chain) -> Markup:
    """A chain: a heading and a row a turn."""
    rows = [
        [str(turn), stones(step.before), equation(step.trade, "→"), stones(step.after), ""]
        for turn, step in enumerate(chain.steps, 1)
    ]
    rows[-1][-1] = chain.buys(ware, stones, filled)
    head = (_("turn"), _("before"), _("trade"), _("after"), "")
    return fragment(element("div", chain.title()), table(head, rows, numbers=[0]))


def arbitrage(arbitrage: Arbitrage) -> Markup:
    """A gaining loop, played back trade by trade."""
    rows = [
        (str(i), stones(step.before), equation(step.trade, "→"), stones(step.after))
        for i, step in enumerate(arbitrage.steps, 1)
    ]
    gain = filled(_("gain: {stones}"), stones=stones(arbitrage.gain))
    head = ("", _("before"), _("trade"), _("after"))
    return fragment(element("div", arbitrage.title()), table(head, rows, numbers=[0]), element("div", gain))


def prices(prices: Prices) -> Markup:
    """The price of each colour."""
    cells = [spaced(stones(stone), price) for stone, price in zip(theme.STONES, prices.counts, strict=True)]
    note = "" if prices.unique else element("div", _("other prices balance the exchange, too"), class_="tk-quiet")
    return table([_("prices")] + [""] * 4, [cells]) + note


def plan(policy: Policy, have: StonesLike) -> Markup:
    """Draw a policy's plan from a hand: its trades up to the purchase or a roll, then what each face leads to."""
    turns = _("{turns:.2f} expected turns").format(turns=policy.turns(have))
    heading = element("div", policy.title(), ": ", turns)
    steps = policy.plan(have)
    rows = [
        [
            str(turn),
            stones(step.before),
            equation(step.trade, "→") if step.trade else _("roll"),
            stones(step.after) if step.after else "",
            filled(_("buys {ware}"), ware=ware(policy.goal.ware)) if step.buys else "",
        ]
        for turn, step in enumerate(steps, 1)
    ]
    trades = table((_("turn"), _("before"), _("do"), _("after"), ""), rows, numbers=[0])
    return heading + trades + ("" if steps[-1].buys else faces(policy, steps[-1].before))


def faces(policy: Policy, have: StonesLike) -> Markup:
    """Draw what each face of the die leads to."""
    worth = _("turns from there") if policy.goal.cost is None else _("value from there")
    words = {"Choice": _("Choice"), "buy": _("buy"), "keep": _("keep")}  # colours and ``return R`` are typed so
    rows = [
        (
            words.get(face, face),
            words.get(then, then),
            stones(kept),
            f"{value:.2f}" if then != "buy" else "–",
        )
        for face, _take, then, kept, value in policy.faces(have).to_numpy().tolist()
    ]
    return table((_("rolled"), _("then"), _("stones then"), worth), rows, numbers=[3])


def policy(policy: Policy) -> Markup:
    """Draw the goal of a policy and how it begins from an empty hand."""
    opening = _("from no stones: {turns:.3f} turns").format(turns=policy.turns(""))
    return fragment(element("div", policy.title()), element("div", opening), faces(policy, ""))


def chain_svg(chain: Chain) -> str:
    """A chain as an SVG picture: a row of stones a turn, letters on the stones."""
    rows = [chain.start, *(step.after for step in chain.steps)]
    labels = [_("start"), *(f"{turn}.  {step.trade}" for turn, step in enumerate(chain.steps, 1))]
    labels[-1] += f"  →  {chain.ware}"
    left = 20 + max(8 * len(label) for label in labels)
    width, height = left + 28 * max(map(len, rows)) + 20, 34 * len(rows) + 16
    lines = (
        svg.words(12, 34 * y + 30, label) + stones_svg(row, left, 34 * y + 13)
        for y, (label, row) in enumerate(zip(labels, rows, strict=True))
    )
    return svg.picture(width, height, chain.title(), *lines)


def stones_svg(stones: Stones | str, x: float, y: float) -> Markup:
    """A row of stones in an SVG picture, from (x, y) to the right and down."""
    row = Markup("")
    for place, colour in enumerate(stones):
        fill, letter = theme.STONES[colour]
        middle = x + STONE_STEP / 2 + STONE_STEP * place
        row += element("circle", cx=f"{middle:g}", cy=y + 12, r="12", fill=fill, stroke=theme.QUIET)
        row += svg.words(middle, y + 16, colour, colour=letter, bold=True, text_anchor="middle", font_size=12)
    return row
