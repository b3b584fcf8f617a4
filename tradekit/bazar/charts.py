"""Charts of trade chains and policies: frontier, proof, heat map of the die, and the equations as a picture."""

from __future__ import annotations

from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Final

import altair as alt
import pandas as pd
from markupsafe import Markup

from tradekit import theme
from tradekit._utils.arguments import checked
from tradekit.bazar.stones import COLOURS, StonesLike
from tradekit.i18n import _, ngettext
from tradekit.show.axes import MARKS, Plot, drawing, drawn_axes
from tradekit.show.charts import Chart, LayerChart, VConcatChart, row_texts
from tradekit.show.html import element

if TYPE_CHECKING:
    from tradekit.bazar.exchange import Exchange
    from tradekit.bazar.policy import Policy


@checked
def frontier(frame: pd.DataFrame, chosen: int | None = None) -> LayerChart:
    """Draw turns against points: the result of `Exchange.frontier`, or of `Exchange.outlook` against the die.

    `chosen` is the row to mark.

    >>> from tradekit import bazar
    >>> frame = bazar.Exchange.of_cards(1, 4).frontier("WY", ["RWBGY", "BYYYY*"])
    >>> frontier(frame, chosen=0).title.subtitle
    'the number at a mark: stones left'
    """
    against_die = "best" in frame
    title = _("expected turns") if against_die else _("turns")
    right, top = _ends(frame)
    x = alt.X("turns:Q").title(title).scale(domain=[0, right], nice=False).axis(tickMinStep=1)
    y = alt.Y("points:Q").title(_("points")).scale(domain=[0, top], nice=False).axis(tickMinStep=1)
    tooltip = [
        alt.Tooltip("ware:N", title=_("ware")),
        alt.Tooltip("left:N", title=_("stones left")),
        alt.Tooltip("turns:Q", format=".3~f", title=title),
        alt.Tooltip("points:Q", format=".3~f", title=_("points")),
    ]
    base = Chart(_frontier_rows(frame, chosen)).encode(x=x, y=y)
    best = base.transform_filter("datum.best")
    line = best.mark_line(color=theme.QUIET, strokeDash=[4, 3], interpolate="linear" if against_die else "step-after")
    marks = base.mark_point(filled=True, size=110, opacity=1, stroke=theme.PAPER).encode(
        tooltip=tooltip,
        description="name:N",
        color=alt.Color("ware:N").title(_("ware")),
        shape=alt.Shape("ware:N").title(_("ware")).scale(range=list(MARKS)),
    )
    labels, lifted = (
        best.transform_filter(which).mark_text(dy=-above, color=theme.INK, fontSize=11).encode(text="left:N")
        for which, above in (("!datum.ringed", _ABOVE), ("datum.ringed", _ABOVE_RING))
    )
    ring = base.transform_filter("datum.chosen").mark_point(size=380, strokeWidth=2.5, color=theme.INK, opacity=1)
    heading = alt.Title(_("Turns against points"), subtitle=_("the number at a mark: stones left"))
    chart: LayerChart = line + marks + labels + ring + lifted
    return chart.properties(width=330, height=230, title=heading)


_ABOVE, _ABOVE_RING = 14, 19  # pixels from a mark up to its number, without and with a ring around the mark


def _frontier_rows(frame: pd.DataFrame, chosen: int | None) -> pd.DataFrame:
    rows = frame[["ware", "turns", "points"]].assign(left=frame["left"].astype(str), best=frame.get("best", True))
    ringed = _ringed(frame, chosen)
    return rows.assign(name=_frontier_names(frame), chosen=[row == chosen for row in range(len(rows))], ringed=ringed)


def _ringed(frame: pd.DataFrame, chosen: int | None) -> list[bool]:
    """Return for each row True if its mark is in the ring of the chosen one: several wares can share a place."""
    places = [*zip(frame["turns"].tolist(), frame["points"].tolist(), strict=True)]
    return [chosen is not None and place == places[chosen] for place in places]


def _frontier_names(frame: pd.DataFrame) -> list[str]:
    """Return the screen-reader text of each mark."""
    return row_texts(_("{ware}, left {left}, turns {turns:.3g}, points {points:.3g}"), frame)


def _ends(frame: pd.DataFrame) -> tuple[int, int]:
    """Return the ends of the axes of turns and points: few values, so that axes can be kept and do not jump."""
    turns, points = (5 * max(1, ceil(frame[column].max() / 5)) if len(frame) else 5 for column in ("turns", "points"))
    return turns, points


@checked
def frontier_svg(frame: pd.DataFrame, chosen: int | None = None) -> Markup:
    """Draw `frontier` as SVG text for a widget's page, with each mark a link to "#row".

    It must appear at once, so it is drawn here as Vega would draw it (a test compares them); Vega takes 15 to 50 ms.
    Wares have the marks `MARKS` and the colours of `theme.SERIES` in the order of their names.

    >>> from tradekit import bazar
    >>> frame = bazar.Exchange.of_cards(1, 4).frontier("WY", ["RWBGY", "BYYYY*"])
    >>> frontier_svg(frame).count('<a href="#')
    2
    """
    against_die, (right, top) = "best" in frame, _ends(frame)
    plot = Plot((0, right), (0, top), width=330, height=230)
    wares = frame["ware"].tolist()
    looks = dict(zip(sorted(set(wares)), zip(MARKS, theme.SERIES, strict=False), strict=False))
    places = [*zip(frame["turns"].tolist(), frame["points"].tolist(), strict=True)]
    links = [
        element("a", plot.points([place], looks[ware][0], 110, looks[ware][1]), href=f"#{row}", aria_label=name)
        for row, (place, ware, name) in enumerate(zip(places, wares, _frontier_names(frame), strict=True))
    ]
    ringed = _ringed(frame, chosen)
    best = [row for row in range(len(frame)) if not against_die or frame["best"].iat[row]]
    corners = [places[row] for row in best]
    if not against_die:  # steps: until the next chain is complete, the previous one's points are available
        to_next = pairwise(corners)
        corners[1:] = [corner for (_turns, low), (turns, high) in to_next for corner in ((turns, low), (turns, high))]
    return drawing(
        (-46, -24, 392, 298),
        drawn_axes(plot, _("expected turns") if against_die else _("turns"), _("points")),
        plot.line(corners, theme.QUIET, dash="4,3"),
        element("g", links, stroke=theme.PAPER, stroke_width=2),
        [
            plot.text(places[row], str(frame["left"].iat[row]), above=_ABOVE_RING if ringed[row] else _ABOVE)
            for row in best
        ],
        [plot.ring(places[row], 380) for row in range(len(frame)) if row == chosen],
        name=_("Turns against points"),
        role="group",
    )


@checked
def heat_map(policy: Policy, have: StonesLike = "", x: str = "R", y: str = "W") -> LayerChart:
    """Draw expected turns by the number of stones of two colours, with the rest of the hand fixed; `have` is ringed.

    >>> from tradekit import bazar
    >>> policy = bazar.Exchange.of_cards(1, 4).solve("RWBGY", left=0)
    >>> heat_map(policy, "GY", "R", "Y").title.subtitle
    'buy RWBGY, 0 left: fewest turns'
    """
    data = policy.grid(have, x, y)
    data["label"] = ["∞" if turns == float("inf") else f"{turns:.1f}" for turns in data["turns"]]
    base = Chart(data).encode(
        x=alt.X("x:O").title(_("{colour} stones").format(colour=x)).axis(labelAngle=0),
        y=alt.Y("y:O").title(_("{colour} stones").format(colour=y)).sort("descending"),
    )
    cell = base.mark_rect(invalid=None).encode(color=turns_colour(_("expected turns")))
    number = base.mark_text(fontSize=10, color=theme.INK).encode(text="label:N")
    ring = base.transform_filter("datum.here").mark_rect(fill=None, stroke=theme.INK, strokeWidth=2.5)
    title = alt.Title(_("Expected turns, trade or roll"), subtitle=policy.title())
    chart: LayerChart = cell + number + ring
    return chart.properties(width=330, height=230, title=title)


def turns_colour(title: str) -> dict[str, object]:
    """Return the colour of a cell of a heat map by its turns, none if they are infinite.

    >>> turns_colour("turns")["value"] == theme.NOTHING
    True
    """
    colour = alt.Color("turns:Q").title(title).scale(zero=False)
    return dict(alt.condition("isFinite(datum.turns)", colour, alt.value(theme.NOTHING)))


def parts_colour(title: str, kinds: list[str]) -> alt.Color:
    """Return the colours of the three parts of a bar, with their legend above.

    >>> parts_colour("best:", ["a trade", "equally good", "a roll"]).to_dict()["scale"]["domain"]
    ['a trade', 'equally good', 'a roll']
    """
    colour = alt.Color("kind:N").title(title)
    colour = colour.scale(domain=kinds, range=[theme.shade(1), theme.NOTHING, theme.shade(0)])
    return colour.legend(orient="top", titleOrient="left", offset=4, symbolStrokeWidth=0.5)


@checked
def picture(exchange: Exchange) -> LayerChart:
    """Draw the exchange as a bipartite graph: each equation between the colours of its left and right sides.

    >>> from tradekit import bazar
    >>> picture(bazar.Exchange("R=WW W=BG")).title.subtitle
    'left side — equation — right side; thicker lines: more stones'
    """
    high = max(len(exchange.equations), len(COLOURS))
    place = {colour: (i + 0.5) * high / len(COLOURS) - 0.5 for i, colour in enumerate(COLOURS)}
    names = pd.DataFrame([
        (1 - _half_label(str(e)), 1, 1 + _half_label(str(e)), row + (high - len(exchange.equations)) / 2, str(e))
        for row, e in enumerate(exchange.equations)
    ], columns=["left", "x", "right", "y", "equation"])  # fmt: skip
    lines = pd.DataFrame(
        [
            (x, place[colour], end, y, n)
            for equation, left, right, y in zip(
                exchange.equations, names["left"], names["right"], names["y"], strict=True
            )
            for x, end, side in ((0, left, equation.left), (2, right, equation.right))
            for colour, n in zip(COLOURS, side.counts, strict=True)
            if n
        ],
        columns=["x", "y", "x2", "y2", "n"],
    )
    dots = pd.DataFrame([(x, y, colour) for x in (0, 2) for colour, y in place.items()], columns=["x", "y", "colour"])
    x = alt.X("x:Q").axis(None).scale(domain=[-0.2, 2.2], nice=False)
    y = alt.Y("y:Q").axis(None).scale(domain=[high - 0.4, -0.6])
    fills = alt.Color("colour:N").scale(domain=list(COLOURS), range=[theme.STONES[c][0] for c in COLOURS]).legend(None)
    letters = fills.scale(domain=list(COLOURS), range=[theme.STONES[c][1] for c in COLOURS])
    width = alt.StrokeWidth("n:Q").scale(domain=[1, 4], range=[1, 5]).legend(None)
    rule = Chart(lines).mark_rule(color=theme.QUIET, opacity=0.75)
    rule = rule.encode(x=x, y=y, x2="x2:Q", y2="y2:Q", strokeWidth=width)
    dot = Chart(dots).mark_point(filled=True, size=620, opacity=1, stroke=theme.QUIET).encode(x=x, y=y, color=fills)
    letter = Chart(dots).mark_text(fontWeight=600, fontSize=13).encode(x=x, y=y, text="colour:N", color=letters)
    paper = Chart(names).mark_rule(color=theme.PAPER, strokeWidth=18)
    paper = paper.encode(x=alt.X("left:Q").axis(None).scale(domain=[-0.2, 2.2]), x2="right:Q", y=y)
    name = Chart(names).mark_text(fontSize=12, color=theme.INK).encode(x=x, y=y, text="equation:N")
    title = alt.Title(_("The exchange"), subtitle=_("left side — equation — right side; thicker lines: more stones"))
    chart: LayerChart = rule + paper + name + dot + letter
    chart = chart.resolve_scale(color="independent")  # dots and letters have separate colours
    return chart.properties(width=_PICTURE, height=30 * high + 30, title=title)


_PICTURE: Final = 440  # pixels: the width of the picture of an exchange


def _half_label(text: str) -> float:
    """Return half the width of an equation in the picture, with a margin, on its axis of 2.4; the font is unknown."""
    return (4.2 * len(text) + 5) * 2.4 / _PICTURE


@checked
def proof(frame: pd.DataFrame) -> LayerChart:
    """Draw the search behind a shortest chain, from `Exchange.proof`: the hands new at each turn, and those that buy.

    These may be few, so their number is on the bar.

    >>> from tradekit import bazar
    >>> proof(bazar.Exchange("R=WW W=BG").proof("RRR", "WWBGG")).title
    'Every holding within reach, turn by turn'
    """
    data = frame.reset_index()
    kinds = {_("does not buy"): data["holdings"] - data["buying"], _("buys"): data["buying"]}
    parts = pd.concat(data.assign(kind=kind, part=part, above=n) for n, (kind, part) in enumerate(kinds.items()))
    x = alt.X("turn:O").title(_("turn")).axis(labelAngle=0)
    bars = Chart(parts).mark_bar().encode(
        x=x,
        y=alt.Y("part:Q").title(_("holdings first reached")).axis(tickMinStep=1),
        color=alt.Color("kind:N").title(None).scale(domain=[*kinds], range=[theme.QUIET, theme.ACCENT]),
        order="above:Q",
        tooltip=[
            alt.Tooltip("turn:O", title=_("turn")),
            alt.Tooltip("holdings:Q", title=_("holdings first reached")),
            alt.Tooltip("buying:Q", title=_("buys")),
        ],
    )  # fmt: skip
    some = data[data["buying"] > 0]
    some = some.assign(label=[ngettext("{n} buys", "{n} buy", n) for n in some["buying"].tolist()])
    labels = Chart(some).mark_text(dy=-7, fontSize=11, color=theme.INK)
    chart: LayerChart = bars + labels.encode(x=x, y="holdings:Q", text="label:N")
    return chart.properties(width=330, height=200, title=_("Every holding within reach, turn by turn"))


@checked
def plays(frame: pd.DataFrame, expected: float, prediction: float | None = None) -> LayerChart:
    """Draw simulated plays (`Policy.simulate`) by their turns, with the expected number and a reader's prediction.

    >>> from tradekit import bazar
    >>> policy = bazar.Exchange.of_cards(1, 4).solve("RWBGY", left=0)
    >>> plays(policy.simulate("", plays=100, seed=1), policy.turns(""), prediction=5).title
    'How long it took'
    """
    bars = Chart(frame.groupby("turns").size().rename("plays").reset_index()).mark_bar(color=theme.ACCENT).encode(
        x=alt.X("turns:Q").title(_("turns")).axis(tickMinStep=1), y=alt.Y("plays:Q").title(_("plays"))
    )  # fmt: skip
    marks = [(expected, _("expected {n:.2f}").format(n=expected), 8)]
    if prediction is not None:
        marks.append((float(prediction), _("your prediction {n:g}").format(n=prediction), 24))
    lines = pd.DataFrame(marks, columns=["turns", "what", "dy"])
    rule = Chart(lines).mark_rule(strokeWidth=2).encode(
        x="turns:Q", color=alt.Color("what:N").title(None).scale(range=[theme.SECOND, theme.INK]),
        strokeDash=alt.StrokeDash("what:N").title(None),
    )  # fmt: skip
    chart: LayerChart = bars + rule
    return chart.properties(width=420, height=220, title=_("How long it took"))


@checked
def review(frame: pd.DataFrame) -> VConcatChart:
    """Draw a review of a game (`bazar.review`): the value of each player's position, and the loss of each decision.

    One line per player shows the value of the action taken. Bars below it, on a separate scale, show how much more a
    better action would have been worth.

    >>> from tradekit import Record, bazar, bots
    >>> start = bazar.State.parse("bazar players=2 deck=house cards=1,4 step=buy turn=p0 hands=RWBGYYYY,RRW "
    ...     "stalls=RWBGY:1,-:0,RRWBB:4,GGGGG*:4 bought=-,- idle=0")
    >>> review(bazar.review(Record.begin(start).with_move("buy 1"))).title.text
    'What each decision was worth'
    """
    names = [*dict.fromkeys(frame["name"])]
    ends = [frame["move"].min() - 1, frame["move"].max() + 1] if len(frame) else [0, 1]
    move = alt.X("move:Q").title(_("move")).scale(domain=ends, nice=False).axis(tickMinStep=1)
    player = alt.Color("name:N").title(_("player")).scale(domain=names)
    shape = alt.Shape("name:N").title(_("player")).scale(domain=names, range=[*MARKS])
    tooltip = [
        alt.Tooltip("name:N", title=_("player")),
        alt.Tooltip("action:N", title=_("did")),
        alt.Tooltip("best:N", title=_("best")),
        alt.Tooltip("value:Q", format=".2f", title=_("value")),
        alt.Tooltip("costs:Q", format=".2f", title=_("gave away")),
    ]
    base = Chart(frame).encode(x=move, color=player, tooltip=tooltip)
    line = base.mark_line().encode(y=alt.Y("value:Q").title(_("points ahead")))
    marks = base.mark_point(filled=True, size=40, opacity=1).encode(y="value:Q", shape=shape)
    bars = base.mark_bar(width=4).encode(y=alt.Y("costs:Q").title(_("gave away")).axis(tickCount=4))
    worth = (line + marks).properties(width=_REVIEW, height=220)
    chart: VConcatChart = worth & bars.properties(width=_REVIEW, height=90)
    return chart.properties(title=alt.Title(_("What each decision was worth")))


_REVIEW: Final = 540  # pixels: the width of both its panels
