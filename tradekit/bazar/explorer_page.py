"""The explorer's page: pure functions from the explorer's question and answer to HTML, a function a part."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from tradekit import theme
from tradekit.bazar import charts, render
from tradekit.bazar.deck import Deck
from tradekit.bazar.stones import COLOURS, LIMIT, Ware
from tradekit.i18n import _
from tradekit.show import axes, html
from tradekit.show.html import element, fragment

if TYPE_CHECKING:
    from tradekit.bazar.explorer import Explorer

#: At which field the message about an action stands, where that is not the field of the same name.
FIELDS: Final = {"add": "have", "remove": "have", "remove_ware": "add_ware", "star": "add_ware"}


def write(explorer: Explorer) -> dict[str, str]:
    """The parts of the page, in its order."""
    parts: dict[str, Callable[[Explorer], str]] = {
        "exchange": exchange,
        "holding": holding,
        "wares": wares,
        "frontier": frontier,
        "steps": first_steps,
        "answer": answer,
        "heat": heat_map,
        "code": code,
    }
    return {name: part(explorer) for name, part in parts.items()}


def exchange(explorer: Explorer) -> Markup:
    """The cards to choose from, the equations in force, and a field to type others."""
    question, deck = explorer.question, explorer.deck
    cards = [
        html.button(
            "card", card.number, str(card.number),
            pressed=card.number in (question.cards or ()), label=_("exchange card {n}").format(n=card.number),
        )
        for card in deck.cards
    ]  # fmt: skip
    equations = question.exchange.equations
    typed, message = explorer.errors.get("equations", ("\n".join(map(str, equations)), ""))
    area = html.area("equations", _("equations, one a line"), typed, rows=len(equations) + 1, wrong=bool(message))
    by_hand = element(
        "details",
        element("summary", _("Type equations")),
        area,
        html.error(message),
        html.quiet(_("An equation a line, such as R=WW; leave the field to apply.")),
        open=question.cards is None or bool(message),
    )
    return (
        html.heading(_("Exchange"))
        + html.row(_("Cards"), *cards, label=_("exchange cards, choose two"))
        + html.error(_message(explorer, "card"))
        + render.exchange(equations)
        + by_hand
        + (html.quiet(_("House deck, not the printed cards.")) if deck == Deck.house() else "")
    )


def holding(explorer: Explorer) -> Markup:
    """Stones to add, the stones held, to take out, and a field to type them."""
    have = explorer.question.have
    adds = [
        html.button("add", c, render.stones(c), kind="tk-bare tk-big", label=_("add {colour}").format(colour=c))
        for c in COLOURS
    ]
    held = [
        html.button(
            "remove",
            c,
            render.stones(c),
            kind="tk-bare",
            key=f"remove-{i}",
            label=_("remove {colour}").format(colour=c),
        )
        for i, c in enumerate(have)
    ]
    count = element("span", _("{n} of {most} stones").format(n=len(have), most=LIMIT), class_="tk-quiet")
    return (
        html.heading(_("Your stones"))
        + html.row(_("Add"), *adds, label=_("add a stone"))
        + html.row(_("Hold"), *held, count, label=_("your stones, click to remove"))
        + html.row(_field(explorer, "have", _("or type"), str(have) if have else "", "2R 1B"))
        + html.error(_message(explorer, "have"))
    )


def wares(explorer: Explorer) -> Markup:
    """The wares on display, a field and a list for more, and how it is played."""
    question = explorer.question
    shown = [
        html.row(
            render.ware(ware),
            html.button(
                "star", ware, "★" if ware.stars else "☆",
                pressed=bool(ware.stars), label=_("star on {ware}").format(ware=ware),
            ),
            html.button("remove_ware", ware, "×", label=_("remove {ware}").format(ware=ware)),
        )
        for ware in question.wares
    ]  # fmt: skip
    others = [ware for ware in explorer.deck.wares if ware not in question.wares]
    more = html.row(
        _field(explorer, "add_ware", _("Add"), "", "RWBGY*", size=9),
        html.select("add_ware", _("or"), others, first=_("pick from the deck")),
    )
    stalls = [
        html.button(
            "empty_stalls", n, str(n), pressed=n == question.empty_stalls, label=_("empty stalls: {n}").format(n=n)
        )
        for n in (0, 1)
    ]
    die = [
        html.button("die", "no", _("trades only"), pressed=not question.die),
        html.button("die", "yes", _("with the die"), pressed=question.die),
    ]
    return (
        html.heading(_("Wares on display"))
        + fragment(shown)
        + more
        + html.error(_message(explorer, "add_ware"))
        + html.row(_("Empty stalls"), *stalls, label=_("empty stalls"))
        + html.row(_("Play"), *die, label=_("what may be done"))
    )


def frontier(explorer: Explorer) -> Markup:
    """Turns against points, as a chart and as a table, to choose a point from."""
    question, answer = explorer.question, explorer.answer
    heading = html.heading(_("Turns against points"))
    if answer.row < 0:
        nothing = _("None of these wares can be bought from here, in any number of turns.")
        return fragment(heading, element("p", nothing if question.wares else _("Choose a ware.")))
    frame = answer.frontier
    rows = []
    best = frame["best"].tolist() if question.die else [True] * len(frame)
    for i, (ware, left, turns, points) in enumerate(
        zip(*(frame[column].tolist() for column in ("ware", "left", "turns", "points")), strict=True)
    ):
        if not best[i] and i != answer.row:
            continue  # the chart shows them all; the table those that no mixture beats
        if question.die:
            label = _("show {ware} in {turns:.2f} turns for {points:.2f} points").format(
                ware=ware, turns=turns, points=points
            )
        else:
            label = _("show {ware} with {left} left").format(ware=ware, left=left)
        choose = html.button("choose", i, "●" if i == answer.row else "○", pressed=i == answer.row, label=label)
        shown = f"{turns:.2f}" if question.die else str(turns)
        rows.append([choose, render.ware(Ware(ware)), shown, left, f"{points:.3g}"])
    columns = ["", _("ware"), _("turns"), _("left"), _("points")]
    note = _("The number at a mark is how many stones are left. Click a mark or a row to see how.")
    legend = fragment(
        element(
            "span",
            element("span", mark, aria_hidden="true", style=f"color: var(--tk-series-{i})"),
            " ",
            ware,
            class_="tk-key",
        )
        for i, (ware, mark) in enumerate(zip(sorted(set(frame["ware"])), axes.MARKS.values(), strict=False))
    )
    return (
        fragment(heading, element("div", charts.frontier_svg(frame, answer.row), data_links="choose"))
        + html.row(legend)
        + html.quiet(f"{note} {_('Turns and points are expected ones.')}" if question.die else note)
        + render.table(columns, rows, numbers=[2, 3, 4])
    )


def first_steps(explorer: Explorer) -> Markup:
    """Write the possible first steps, and what every second-best one costs."""
    heading = html.heading(_("The first step, and what another costs"))
    if explorer.answer.ware is None:
        return heading
    rows = [
        [
            step.action if step.after else _("roll"),
            render.stones(step.after) if step.after else "",
            _cost(*step.alone, ".0f") if step.alone else "–",
            _cost(*step.die, ".2f"),
        ]
        for step in explorer.answer.first_steps
    ]
    cost = explorer.answer.policy.goal.cost
    if cost is None:
        note = _(
            "Turns until the purchase by trades alone, and expected turns with the die; in brackets what it costs."
        )
    else:
        note = _(
            "Trades: turns until the purchase by trades alone. Die: expected points, less {cost:.3g} for each turn. "
            "In brackets: how much worse than the best."
        ).format(cost=cost)
    return (
        heading
        + html.quiet(note)
        + render.table([_("first step"), _("makes"), _("trades"), _("die")], rows, numbers=[2, 3])
    )


def answer(explorer: Explorer) -> Markup:
    """The chain of the chosen point with its proof, or what to do against the die."""
    question, answer = explorer.question, explorer.answer
    if answer.ware is None:
        return html.heading(_("The answer")) + element("p", _("There is none yet."))
    if question.die:
        return html.heading(_("What to do")) + render.plan(answer.policy, question.have)
    proof = _("No chain is shorter: every holding within reach before that was looked at, {n} in all.")
    return (
        html.heading(_("The shortest chain"))
        + render.chain(answer.frontier["chain"].iloc[answer.row])
        + html.quiet(proof.format(n=answer.searched))
    )


def heat_map(explorer: Explorer) -> Markup:
    """Expected turns by two colours, as a table of buttons: a click takes that holding."""
    heading = html.heading(_("Expected turns with the die"))
    if explorer.answer.ware is None:
        return heading
    across, up = explorer.question.axes
    policy = explorer.answer.policy
    cells = [*policy.grid(explorer.question.have, across, up).itertuples(index=False, name=None)]
    finite = [turns for *_place, turns, _here in cells if turns < float("inf")]
    low, high = min(finite, default=0), max(finite, default=0)

    def cell(x: int, y: int, holding: str, turns: float, here: bool) -> Markup:
        shown = "∞" if turns == float("inf") else f"{turns:.1f}"
        colour = theme.NOTHING if shown == "∞" else theme.shade((turns - low) / (high - low or 1))
        label = _("{stones}: {turns} turns").format(stones=holding, turns=shown)
        press = html.button(
            "have", holding, shown, pressed=here, label=label, key=f"cell-{x}-{y}", style=f"background: {colour}"
        )
        return element("td", press)

    rows = [
        element("tr", element("th", y, scope="row"), (cell(*values) for values in line))
        for y, line in groupby(cells, key=itemgetter(1))
    ]
    numbers = [element("th", x, scope="col") for x in range(max(x for x, *_rest in cells) + 1)]
    foot = element("tr", element("th", f"{up}\\{across}"), numbers)
    caption = _("up: {up} stones; across: {across} stones; click a cell to hold it").format(up=up, across=across)
    return (
        heading
        + html.quiet(policy.title())
        + html.row(
            html.select("across", _("across"), COLOURS, across),
            html.select("up", _("up"), COLOURS, up),
        )
        + element(
            "table",
            element("caption", caption, class_="tk-quiet"),
            element("tbody", rows),
            element("tfoot", foot),
            class_="tk-heat",
        )
    )


def code(explorer: Explorer) -> Markup:
    """The same in Python, to copy."""
    begin = "from tradekit import bazar; "
    copy, copied = _("Copy"), _("Copied")
    return (
        html.heading(_("In Python"))
        + html.code("answer", _("this answer"), begin + explorer.question.code(explorer.deck), copy, copied)
        + html.code("explorer", _("this explorer"), begin + repr(explorer), copy, copied)
    )


def _message(explorer: Explorer, field: str) -> str:
    return explorer.errors.get(field, ("", ""))[1]


def _field(explorer: Explorer, do: str, label: str, value: str, hint: str, size: int = 16) -> Markup:
    """A line to type in, with what was typed as long as that is wrong."""
    typed, message = explorer.errors.get(do, (value, ""))
    return html.field(do, label, typed, hint=hint, wrong=bool(message), size=size)


def _cost(turns: float, costs: float, form: str) -> str:
    """Turns, and in brackets how many more than the best."""
    if turns == float("inf"):
        return "∞"
    if turns == -float("inf"):
        return "-∞"
    return f"{turns:{form}}" + (f" (+{costs:{form}})" if costs > 0 else "")
