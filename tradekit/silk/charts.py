"""Charts of The Silk Road: demand, its decay, the odds of a sale, a hand after an offer, dinars, and a playtest.

Each chart draws a table of `tradekit.silk`'s analysis. Heat maps show numbers in their cells, and lines differ in dash
and mark, so that nothing depends on colour alone. Every mark has a text for readers who cannot see it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt
import pandas as pd

from tradekit import theme
from tradekit._utils.arguments import checked
from tradekit._utils.numerals import plain
from tradekit.i18n import _, pgettext
from tradekit.show.charts import MARKS, Chart, LayerChart, row_texts
from tradekit.silk import wording
from tradekit.silk.cards import GOODS, VALUES
from tradekit.silk.render import marks
from tradekit.silk.sale_odds import ANY

if TYPE_CHECKING:
    from tradekit.silk.offer_inference import Revealed

_PLACES: Final = (1, 2, 3, 4, 5)
_DASHES: Final = [[1, 0], [7, 4], [2, 3], [7, 3, 2, 3], [12, 4], [4, 2]]  #: dashes of up to six lines
_MARKS: Final = [*MARKS, "cross", "triangle-down"]
_COLOURS: Final = [*theme.SERIES, theme.INK]


@checked
def demand(frame: pd.DataFrame, by: str = "place") -> LayerChart:
    """Draw demand over a recorded game (`silk.demands`): one row per place of the market or, ``by="good"``, per good.

    The number in each cell is the one that the pile shows. By place, the letters below it name the good of the pile.
    Raises `ValueError` for another `by`.

    >>> from tradekit import Record, silk
    >>> record = Record.begin(silk.new(players=3, seed=1)).with_move("draw ivory 1").with_move("pass")
    >>> demand(silk.demands(record)).title.subtitle
    'the number: what the pile shows; below: which good'
    """
    if by not in ("place", "good"):
        raise ValueError(_("by={by!r}: place or good are possible").format(by=plain(by)))
    names, letters = _names(), dict(zip(GOODS, marks(), strict=True))
    data = frame.assign(
        good=frame["good"].map(names),
        letter=frame["good"].map(letters) if by == "place" else frame["place"].astype(str),
    )
    text = _("change {n}, {action}: place {place}, {good}, shows {shown}")
    data["text"] = row_texts(text, data.assign(n=data["change"], action=data["action"].replace("", _("laid out"))))
    rows: list[Any] = [*_PLACES] if by == "place" else [*names.values()]
    base = Chart(data).encode(
        x=alt.X("change:O").title(_("change of the market")).axis(labelAngle=0, labelOverlap=True),
        y=alt.Y(f"{by}:O").title(pgettext("of the market", "place") if by == "place" else _("good")).sort(rows),
    )
    cell = base.mark_rect(stroke=theme.PAPER).encode(
        color=alt.Color("shown:Q").title(_("shows")).scale(domain=[0, 4]),
        tooltip=[alt.Tooltip("text:N", title=_("market"))],
        description="text:N",
    )
    number = base.mark_text(dy=-5, fontSize=11, color=theme.INK).encode(text="shown:Q")
    letter = base.mark_text(dy=7, fontSize=9, color=theme.INK).encode(text="letter:N")
    below = _("below: which good") if by == "place" else _("below: its place, 1 in front")
    chart: LayerChart = cell + number + letter
    title = alt.Title(
        _("Demand over the game"), subtitle=_("the number: what the pile shows; {below}").format(below=below)
    )
    return chart.properties(width=max(300, 18 * int(frame["change"].max() + 1)), height=160, title=title)


@checked
def decay(frame: pd.DataFrame) -> LayerChart:
    """Draw the demand left by random sales (`silk.decay`): one line per place of the market.

    >>> from tradekit import silk
    >>> decay(silk.decay(5)).title.text
    'What random sales leave'
    """
    columns = [f"place_{place}" for place in _PLACES]
    data = frame[columns].reset_index().melt("sales", var_name="place", value_name="demand")
    data["place"] = data["place"].str.removeprefix("place_")
    title = alt.Title(
        _("What random sales leave"), subtitle=_("expected demand of each place, exactly; place 1 in front")
    )
    order, place = [*map(str, _PLACES)], pgettext("of the market", "place")
    chart = _lines(data, "sales", "demand", "place", order, _("sales"), _("demand"), place)
    return chart.properties(width=420, height=230, title=title)


@checked
def odds(frame: pd.DataFrame) -> LayerChart:
    """Draw the probability of a better sale (`silk.odds`) by number of draws: one line per good, and one for any.

    >>> from tradekit import silk
    >>> odds(silk.odds(silk.new(players=3, seed=29), draws=2, player=0)).title.text
    'Waiting for a better sale'
    """
    data = frame.reset_index()
    names = {ANY: _("any good"), **_names()}
    data["good"] = data["good"].map(names)
    order = [*names.values()]
    title = alt.Title(_("Waiting for a better sale"), subtitle=_("better than the best at hand; the market as it is"))
    chart = _lines(
        data, "draws", "better", "good", order, _("draws"), pgettext("probability", "chance"), _("good"), "%"
    )
    return chart.properties(width=420, height=230, title=title)


@checked
def revealed(revealed: Revealed) -> LayerChart:
    """Draw the probability of each card in a hand after an offer (`silk.inference`), by good and value.

    >>> from tradekit import exercises, silk
    >>> view = silk.State.parse(exercises.BARGAIN).view(1)
    >>> revealed(silk.inference(view, player=2, count=2, good=silk.Good.CLOTH, total=15)).title.text
    '2 cards, 15 points of cloth: 850,668 hands before, 159,507 after; 2.41 bits'
    """
    frame = revealed.to_frame().reset_index()
    frame["percent"] = (100 * frame["after"]).round().astype(int)
    frame["good"] = frame["good"].map(_names())
    cards = frame["good"] + " " + frame["value"].astype(str)
    frame["text"] = row_texts(_("{card}: {after:.0%} after, {before:.0%} before"), frame.assign(card=cards))
    goods = [*_names().values()]
    base = Chart(frame).encode(
        x=alt.X("value:O").title(_("value")).axis(labelAngle=0).scale(domain=[*range(1, VALUES + 1)]),
        y=alt.Y("good:N").title(_("good")).sort(goods).scale(domain=goods),
    )
    cell = base.mark_rect(stroke=theme.PAPER).encode(
        color=alt.Color("after:Q").title(pgettext("probability", "chance")).legend(format="%"),
        tooltip=[alt.Tooltip("text:N", title=_("card"))],
        description="text:N",
    )
    number = base.mark_text(fontSize=11, color=theme.INK).encode(text="percent:Q")
    chart: LayerChart = cell + number
    title = alt.Title(
        str(revealed), subtitle=_("percent of the hands that fit which have the card; empty: it is elsewhere")
    )
    return chart.properties(width=330, height=170, title=title)


@checked
def income(frame: pd.DataFrame) -> LayerChart:
    """Draw the dinars by demand and bonus (`silk.income_shares`): a bar per demand, a labelled part per bonus.

    >>> from tradekit import Record, bots, silk
    >>> record = bots.finish(Record.begin(silk.new(players=3, seed=1)), ["sale"] * 3)
    >>> income(silk.income_shares(record)).title.subtitle
    'on the parts: the bonus of the sale'
    """
    data = frame.reset_index().sort_values(["demand", "bonus"])
    data["end"] = data.groupby("demand")["share"].cumsum()
    data["begin"] = data["end"] - data["share"]
    data["middle"] = (data["begin"] + data["end"]) / 2
    data["label"] = [
        f"+{bonus}" if share >= 0.03 else "" for bonus, share in zip(data["bonus"], data["share"], strict=True)
    ]
    data["text"] = row_texts(_("demand {demand}, bonus {bonus}: {share:.1%} of the dinars, {sales} sales"), data)
    base = Chart(data).encode(y=alt.Y("demand:O").title(_("demand")))
    bar = base.mark_bar(stroke=theme.PAPER).encode(
        x=alt.X("begin:Q").title(_("share of all dinars")).axis(format="%"),
        x2="end:Q",
        color=alt.Color("bonus:O").title(_("bonus")).scale(range=list(_shades(data["bonus"].nunique()))),
        tooltip=[alt.Tooltip("text:N", title=_("sales"))],
        description="text:N",
    )
    label = base.mark_text(color=theme.INK, fontSize=11).encode(x="middle:Q", text="label:N")
    chart: LayerChart = bar + label
    title = alt.Title(_("Where the dinars come from"), subtitle=_("on the parts: the bonus of the sale"))
    return chart.properties(width=420, height=170, title=title)


def _names() -> dict[str, str]:
    """Return the goods' names in the reader's language, by their names in tables."""
    return {name: wording.good(good) for good, name in enumerate(GOODS)}


@checked
def measured(
    frame: pd.DataFrame, title: str, option: str, measure: str, *, zero: bool = False, change: bool = False
) -> LayerChart:
    """Draw the results of a playtest under every value of an option (`silk_playtest.kept`), with 95% intervals.

    With `change`, the chart shows the change from the rules as written. Several tables are drawn side by side. `title`,
    and the names of `option` and `measure`, are shown as given. With `zero`, and for changes, a dashed line marks zero.

    >>> from tradekit.studies import silk_playtest
    >>> frame = silk_playtest.kept("run_outs", "turns")
    >>> measured(frame, "How long is a game?", "times the pile runs out", "turns").title.subtitle
    'bars: intervals of 95 %'
    """
    names = ("change", "change_low", "change_high") if change else ("mean", "low", "high")
    data = frame[["table", "value"]].assign(
        **{column: frame[name] for column, name in zip(("mean", "low", "high"), names, strict=True)}
    )
    data = data.dropna()
    data["value"] = [_said(value) for value in data["value"]]
    data["table"] = [", ".join(map(_said, table.split(", "))) for table in data["table"]]  # some also name a value
    text = _("{table}, {option} {value}: {mean:.3g} ({low:.3g} to {high:.3g})")
    data["text"] = row_texts(text, data.assign(option=option))
    tables = [*dict.fromkeys(data["table"])]
    # With the legend next to it, the chart would be too wide for a narrow page.
    below = alt.Legend(orient="bottom", labelLimit=300, columns=2)
    kind: Any = alt.Color("table:N").title(_("table")).scale(domain=tables, range=_COLOURS[: len(tables)]).legend(below)
    base = Chart(data).encode(
        x=alt.X("value:N").title(option).sort([*dict.fromkeys(data["value"])]).axis(labelAngle=0),
        xOffset=alt.XOffset("table:N").sort(tables),
        y=alt.Y("mean:Q").title(measure).scale(zero=False),
        color=kind if len(tables) > 1 else alt.value(theme.ACCENT),
    )
    error = base.mark_rule(strokeWidth=2).encode(y="low:Q", y2="high:Q")
    mark = base.mark_point(filled=True, size=70, opacity=1).encode(
        tooltip=[alt.Tooltip("text:N", title=_("measured"))], description="text:N"
    )
    if len(tables) > 1:
        shape = alt.Shape("table:N").title(_("table")).scale(domain=tables, range=_MARKS[: len(tables)])
        mark = mark.encode(shape=shape.legend(below))
    nothing = Chart(data.iloc[:1]).mark_rule(color=theme.INK, strokeDash=[4, 3]).encode(y=alt.datum(0))
    chart: LayerChart = (nothing + error + mark) if zero or change else (error + mark)
    return chart.properties(width=380, height=200, title=alt.Title(title, subtitle=_("bars: intervals of 95 %")))


def _said(value: str) -> str:
    """Return the name of an option's value if it is a word of the rules' text and not a number (SI-24)."""
    return {"turn": _("a 0 is turned to 1"), "stay": _("a 0 stays")}.get(value, value)


def _shades(number: int) -> list[str]:
    return [theme.shade(place / max(number - 1, 1)) for place in range(number)]


def _lines(
    data: pd.DataFrame,
    x: str,
    y: str,
    kind: str,
    order: list[str],
    x_title: str,
    y_title: str,
    legend: str,
    digits: str = ".3~f",
) -> LayerChart:
    """Draw lines that differ in colour, dash and mark."""
    n = len(order)
    said = pd.DataFrame({"kind": data[kind], "x": x_title + " " + data[x].astype(str), "y": data[y]})
    data = data.assign(text=row_texts(_("{kind}, {x}: {y:.3g}"), said))
    base = Chart(data).encode(
        x=alt.X(f"{x}:Q").title(x_title).axis(tickMinStep=1),
        y=alt.Y(f"{y}:Q").title(y_title).axis(format=digits),
        color=alt.Color(f"{kind}:N").title(legend).scale(domain=order, range=_COLOURS[:n]),
    )
    line = base.mark_line().encode(
        strokeDash=alt.StrokeDash(f"{kind}:N").title(legend).scale(domain=order, range=_DASHES[:n])
    )
    tooltip: Any = [
        alt.Tooltip(f"{kind}:N", title=legend),
        alt.Tooltip(f"{x}:Q", title=x_title),
        alt.Tooltip(f"{y}:Q", title=y_title, format=digits),
    ]
    mark = base.mark_point(filled=True, size=45, opacity=1).encode(
        shape=alt.Shape(f"{kind}:N").title(legend).scale(domain=order, range=_MARKS[:n]),
        tooltip=tooltip,
        description="text:N",
    )
    chart: LayerChart = line + mark
    return chart
