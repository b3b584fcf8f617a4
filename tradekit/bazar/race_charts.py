"""Charts of the race: results of each action or face of the die, and turns against turns (BZ-45).

The marks have numbers, and every mark has a text for readers who cannot see it.
"""

from __future__ import annotations

from typing import Final

import altair as alt
import numpy as np
import numpy.typing as npt
import pandas as pd

from tradekit import theme
from tradekit._utils.arguments import checked
from tradekit.bazar.charts import parts_colour
from tradekit.bazar.race import Race
from tradekit.i18n import _
from tradekit.show.charts import Chart, LayerChart

_ROW: Final = 30  # pixels: a bar
_CELL: Final = (60, 44)  # pixels: two numbers, one above the other
_NARROW: Final = 0.09  # a part of a bar without room for its number
_FAR: Final = 5  # turns: hands that need more share a cell


@checked
def outcomes(frame: pd.DataFrame, prediction: float | None = None) -> LayerChart:
    """Draw the result of each action (`race.options`) or face of the die (`race.faces`), one bar each.

    The parts of a bar are the probabilities that the player to move and the opponent can force, and between them the
    probability that the race is held up for ever. `prediction`: the reader's guess of the probability of winning, drawn
    as a dashed line. For faces, a solid line is their mean, the value of the roll.

    >>> from tradekit.bazar import Exchange
    >>> race = Exchange("R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY").race("RWBGY", cache=False)
    >>> outcomes(race.options("RR", "GG")).title.text
    'Who buys first'
    """
    by = "face" if "face" in frame else "action"
    kinds = [_("the mover"), _("nobody, ever"), _("the other")]
    text = _("{name}: the mover {win:.3f}, the other {lose:.3f}, nobody {nobody:.3f}")
    rows = []
    for name, win, lose in zip(frame[by], frame["win"], frame["lose"], strict=True):
        nobody = max(0.0, 1 - win - lose)
        said = text.format(name=name, win=win, lose=lose, nobody=nobody)
        begin = 0.0
        for kind, share in zip(kinds, (win, nobody, 1 - win - nobody), strict=True):
            label = f"{share:.2f}" if share >= _NARROW else ""
            rows.append((name, kind, begin, begin + share, label, said))
            begin += share
    data = pd.DataFrame(rows, columns=["name", "kind", "begin", "end", "label", "text"])
    base = Chart(data).encode(
        y=alt.Y("name:N").title(_("face") if by == "face" else _("action")).sort([*frame[by]]),
        tooltip=[alt.Tooltip("text:N", title=_("who buys first"))],
        description="text:N",
    )
    bar = base.mark_bar(stroke=theme.QUIET, strokeWidth=0.5).encode(
        x=alt.X("begin:Q").title(_("chance to buy first")).scale(domain=[0, 1]).axis(tickCount=5),
        x2="end:Q",
        color=parts_colour(_("bought by:"), kinds),
    )
    # Numbers at the ends of a bar, clear of most lines: the opponent's at the right end.
    start, end = (
        base.transform_filter(alt.FieldOneOfPredicate("kind", some)).encode(text="label:N")
        for some in (kinds[:2], kinds[2:])
    )
    left = start.mark_text(align="left", dx=5, fontSize=11, color=theme.INK, aria=False).encode(x="begin:Q")
    right = end.mark_text(align="right", dx=-5, fontSize=11, color=theme.INK, aria=False).encode(x="end:Q")
    chart: LayerChart = bar + left + right
    subtitle = [_("a bar is what both can force after it, best first")]
    lines: list[tuple[float, str, list[int]]] = []  # place, text, dash
    if by == "face":
        mean = float(frame["win"].mean())
        subtitle = [_("solid: the mean of the faces, {mean:.3f}").format(mean=mean)]
        lines.append((mean, subtitle[0], [1, 0]))
    if prediction is not None:
        said = _("dashed: your prediction, {prediction:g}").format(prediction=prediction)
        subtitle.append(said)
        lines.append((prediction, said, [5, 3]))
    for at, said, dash in lines:
        rule = Chart(pd.DataFrame({"x": [at], "text": [said]})).mark_rule(
            color=theme.INK, strokeWidth=2, strokeDash=dash
        )
        chart += rule.encode(x="x:Q", tooltip="text:N", description="text:N")
    return chart.properties(
        width=330, height=_ROW * len(frame), title=alt.Title(_("Who buys first"), subtitle=subtitle, offset=8)
    )


@checked
def by_turns(race: Race, turns: npt.NDArray[np.int16], tempo: bool = False) -> LayerChart:
    """Draw the whole table: fewest turns by trades of the player to move against the opponent's, one cell per pair.

    `turns`: the fewest turns of every hand, from ``exchange.turns(ware)``. A cell shows the mean of the probabilities
    that the player to move can force, and below it the least and the most. With ``tempo=True`` it shows the worth of
    the initiative instead: the forced probability with the move minus the one when the opponent has it.

    >>> from tradekit.bazar import Exchange
    >>> exchange = Exchange("R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY")
    >>> race = exchange.race("RWBGY", cache=False)
    >>> by_turns(race, exchange.turns("RWBGY"), tempo=True).title.text
    'What it is worth to be on the move'
    """
    worth = race.all_win - race.all_lose.T if tempo else race.all_win
    near = np.where(turns < 0, _FAR + 1, np.minimum(turns, _FAR))
    names = [*map(str, range(1, _FAR)), f"{_FAR}+", _("rolls")]
    groups = [(name, np.flatnonzero(near == number)) for number, name in enumerate(names, 1)]
    groups = [(name, holdings) for name, holdings in groups if holdings.size]
    text = _("{mine} against {theirs}: mean {mean:.3f}, from {least:.3f} to {most:.3f}, {n} pairs")
    rows = []
    for mine, rows_of in groups:
        for theirs, columns_of in groups:
            part = worth[np.ix_(rows_of, columns_of)]
            mean, least, most = float(part.mean(dtype=np.float64)), float(part.min()), float(part.max())
            said = text.format(mine=mine, theirs=theirs, mean=mean, least=least, most=most, n=part.size)
            ends = _number(least) if most - least < 0.005 else f"{_number(least)} – {_number(most)}"
            rows.append((mine, theirs, mean, _number(mean), ends, said))
    data = pd.DataFrame(rows, columns=["mine", "theirs", "mean", "label", "ends", "text"])
    shown = [name for name, _holdings in groups]
    base = Chart(data).encode(
        x=alt.X("theirs:N").title(_("fewest turns of the other, by trades")).axis(labelAngle=0).sort(shown),
        y=alt.Y("mine:N").title(_("fewest turns of the mover")).sort(shown),
        tooltip=[alt.Tooltip("text:N", title=_("turns"))],
        description="text:N",
    )
    cell = base.mark_rect(stroke=theme.PAPER).encode(
        color=alt.Color("mean:Q").scale(domain=[0, 1], clamp=True).legend(None)
    )
    number = base.mark_text(dy=-6, fontSize=12, color=theme.INK, aria=False).encode(text="label:N")
    ends = base.mark_text(dy=9, fontSize=9, color=theme.INK, aria=False).encode(text="ends:N")
    chart: LayerChart = cell + number + ends
    what = _("What it is worth to be on the move") if tempo else _("What the mover wins")
    subtitle = [
        _("{ware}; the mean of all pairs, below it the least and the most").format(ware=race.ware),
        _("rolls: there, trades alone never lead to it"),
    ]
    return chart.properties(
        width=_CELL[0] * len(groups), height=_CELL[1] * len(groups), title=alt.Title(what, subtitle=subtitle, offset=8)
    )


def _number(share: float) -> str:
    """Return a share with two digits, or three if two would wrongly show certainty; none if it is certain.

    >>> _number(1.0), _number(0.996), _number(-0.009), _number(0.0)
    ('1', '0.996', '-0.01', '0')
    """
    if abs(share - round(share)) < 5e-7:
        return str(abs(round(share)))
    return f"{share:.2f}" if 0.005 <= abs(share) < 0.995 else f"{share:.3f}"
