"""Charts of the atlas of exchanges: rich pairs of cards, hard wares, and the quality of first moves (BZ-47).

Each chart draws a frame of `bazar.atlas`, all of it or the rows of interest, such as those of one pair. The marks have
numbers or names, and a sentence above them gives the result.
"""

from __future__ import annotations

from textwrap import wrap
from typing import Final

import altair as alt
import numpy as np
import pandas as pd

from tradekit import theme
from tradekit._utils.arguments import checked
from tradekit._utils.numerals import plain
from tradekit._utils.ties import first_best
from tradekit.bazar.atlases import LEFTS
from tradekit.bazar.charts import parts_colour, turns_colour
from tradekit.bazar.policy import ROLL
from tradekit.bazar.stones import COLOURS
from tradekit.i18n import _, ngettext
from tradekit.show.charts import Chart, LayerChart, row_texts

_CELL: Final = 36  # pixels: a pair
_LINE: Final = 68  # letters of a sentence that fit above a chart 480 pixels wide
_NARROW: Final = 0.06  # a part of a bar without room for its numbers


@checked
def pairs(frame: pd.DataFrame, left: int | None = None) -> LayerChart:
    """Draw the expected turns from the empty hand, the mean over the wares, with one cell per pair of cards.

    `left`: None for any number of stones left over, 0 for none. The richest pair has a solid frame, the poorest a
    dashed one. Raises `ValueError` for another `left`.

    >>> from tradekit import bazar
    >>> pairs(bazar.atlas()).title.text
    'Which pairs of cards are rich'
    """
    turns = frame["turns" + _ending(frame, left)].rename("turns")
    data = turns.groupby([frame["card"], frame["other"]]).mean().reset_index()
    data["text"] = row_texts(_("cards {card} and {other}, {turns:.2f} turns"), data)
    data["label"] = [_number(turns) for turns in data["turns"]]
    data["end"] = ""
    sentence = _("expected turns to a ware from the empty hand, mean over the wares, {left}").format(left=_left(left))
    certain = data.loc[np.isfinite(data["turns"]), "turns"]
    richest, poorest = _ends(certain) if len(certain) else (0, 0)
    if richest != poorest:
        data.loc[[richest, poorest], "end"] = ["richest", "poorest"]
        sentence += _("; richest (framed): {richest}; poorest (dashed): {poorest}").format(
            richest=data.loc[richest, "text"], poorest=data.loc[poorest, "text"]
        )

    base = Chart(data).encode(
        x=alt.X("other:O").title(_("card")).axis(labelAngle=0),
        y=alt.Y("card:O").title(_("card")),
        tooltip=[alt.Tooltip("text:N", title=_("pair"))],
        description="text:N",
    )
    cell = base.mark_rect(stroke=theme.PAPER, invalid=None).encode(color=turns_colour(_("turns")))
    number = base.mark_text(fontSize=11, color=theme.INK).encode(text="label:N")
    frames = [
        base.transform_filter(alt.datum.end == end).mark_rect(
            fill=None, stroke=theme.INK, strokeWidth=2.5, strokeDash=dash
        )
        for end, dash in (("richest", [1, 0]), ("poorest", [5, 3]))
    ]
    chart: LayerChart = cell + number + frames[0] + frames[1]
    return chart.properties(
        width=_CELL * max(3, data["other"].nunique()),
        height=0.75 * _CELL * max(2, data["card"].nunique()),
        title=_title(_("Which pairs of cards are rich"), sentence),
    )


@checked
def wares(frame: pd.DataFrame, left: int | None = None) -> LayerChart:
    """Draw the expected turns from the empty hand, the mean over the pairs, with one stroke per ware.

    Wares of one shape, such as 3+1+1 stones of three colours, share a row; the easiest and the hardest are named, and a
    diamond is the mean. `left` as for `pairs`. Wares that cannot be made certain under some pair are left out, and
    counted in the sentence.

    >>> from tradekit import bazar
    >>> wares(bazar.atlas(), left=0).title.text
    'Which wares are hard'
    """
    turns = frame["turns" + _ending(frame, left)].rename("turns")
    data = turns.groupby(frame["ware"]).mean().reset_index()
    certain = np.isfinite(data["turns"])
    missing, data = int((~certain).sum()), data[certain].reset_index(drop=True)
    data["shape"] = [_shape(ware) for ware in data["ware"]]
    data["text"] = row_texts(_("{ware}, {turns:.2f} turns"), data)
    by_shape = data.groupby("shape")["turns"]
    ends = [_ends(turns) for _shape, turns in by_shape]
    easiest, hardest = data.loc[[low for low, _high in ends]], data.loc[[high for _low, high in ends]]
    hardest = hardest[~hardest["ware"].isin(easiest["ware"])]
    means = by_shape.mean().reset_index()
    means["text"] = row_texts(_("{shape}, mean: {turns:.2f} turns"), means)
    sentence = _("expected turns from the empty hand, {where}, {left}").format(
        where=_where(frame, _("mean over the pairs")), left=_left(left)
    )
    sentence += _("; a stroke a ware, the diamond their mean")
    if len(data):
        low, high = (data.loc[end] for end in _ends(data["turns"]))
        sentence += _("; easiest: {easiest}; hardest: {hardest}").format(easiest=low["text"], hardest=high["text"])
    if missing:
        sentence += ngettext("; {n} ware is never certain", "; {n} wares are never certain", missing)

    room = 0.3 * float(np.ptp(data["turns"]) if len(data) > 1 else 1)  # for the names
    x = alt.X("turns:Q").title(_("expected turns"))
    if len(data):
        x = x.scale(domain=[data["turns"].min() - room, data["turns"].max() + room], nice=False)
    rows = sorted(data["shape"].unique())  # from one of each colour to five of one
    y = alt.Y("shape:N").title(_("stones of each colour")).sort(rows)

    def layer(rows: pd.DataFrame) -> Chart:
        tooltip = alt.Tooltip("text:N", title=_("ware"))
        return Chart(rows).encode(x=x, y=y, tooltip=[tooltip], description="text:N")

    strokes = layer(data).mark_tick(color=theme.ACCENT, thickness=1.5, size=18, opacity=0.7)
    mean = layer(means).mark_point(
        shape="diamond", filled=True, size=90, color=theme.SECOND, stroke=theme.PAPER, opacity=1
    )
    before = layer(easiest).mark_text(align="right", dx=-6, fontSize=10, color=theme.INK).encode(text="ware:N")
    behind = layer(hardest).mark_text(align="left", dx=6, fontSize=10, color=theme.INK).encode(text="ware:N")
    chart: LayerChart = strokes + mean + before + behind
    return chart.properties(width=340, height=26 * len(rows), title=_title(_("Which wares are hard"), sentence))


@checked
def first_moves(frame: pd.DataFrame, left: int | None = None) -> LayerChart:
    """Draw the best first moves with each single stone: trades or rolls, and the turns they save.

    The parts of a bar are the rows of the frame in which a trade is best, several moves are equally good, and the roll
    is best or the only move. `left` as for `pairs`.

    >>> from tradekit import bazar
    >>> first_moves(bazar.atlas()).title.text
    'How good the best first move is'
    """
    end = _ending(frame, left)
    kinds = [_("a trade"), _("equally good"), _("a roll")]
    rows = []
    for colour in COLOURS:
        move, lead = frame[f"move_{colour}{end}"], frame[f"lead_{colour}{end}"]
        equal = lead == 0
        begin = 0.0
        for kind, chosen in zip(kinds, (~equal & (move != ROLL), equal, ~equal & (move == ROLL)), strict=True):
            share = float(chosen.mean())
            saved = lead[chosen & np.isfinite(lead)]
            saves = float(saved.mean()) if len(saved) else 0.0
            rows.append((colour, kind, begin, begin + share, share, saves))
            begin += share
    data = pd.DataFrame(rows, columns=["colour", "kind", "begin", "end", "share", "saves"])
    data["middle"] = (data["begin"] + data["end"]) / 2
    wide = data["share"] >= _NARROW
    data["percent"] = [f"{share:.0%}" if room else "" for share, room in zip(data["share"], wide, strict=True)]
    data["saved"] = [f"{saves:.2f}" if room and saves else "" for saves, room in zip(data["saves"], wide, strict=True)]
    data["text"] = row_texts(_("{colour} alone, best {kind}: {share:.0%}, saves {saves:.2f} turns"), data)
    stones = frame[[f"from_{colour}{end}" for colour in COLOURS]].to_numpy()
    stones = stones[np.isfinite(stones).all(axis=1)]
    sentence = _("{where}, {left}; in the bars: how often, and the turns saved over the second best move").format(
        where=_where(frame, _("all pairs and wares")), left=_left(left)
    )
    if len(stones):
        sentence += _("; if the first roll is Choice, the best stone saves {n:.2f} turns over a rolled one").format(
            n=float((stones.mean(axis=1) - stones.min(axis=1)).mean())
        )

    base = Chart(data).encode(
        y=alt.Y("colour:N").title(_("the stone at hand")).sort([*COLOURS]),
        tooltip=[alt.Tooltip("text:N", title=_("first move"))],
        description="text:N",
    )
    bar = base.mark_bar(stroke=theme.QUIET, strokeWidth=0.5).encode(
        x=alt.X("begin:Q").title(_("share of pairs and wares")).axis(format="%"),
        x2="end:Q",
        color=parts_colour(_("best:"), kinds),
    )
    share = base.mark_text(dy=-6, fontSize=11, color=theme.INK).encode(x="middle:Q", text="percent:N")
    saved = base.mark_text(dy=7, fontSize=10, color=theme.INK).encode(x="middle:Q", text="saved:N")
    chart: LayerChart = bar + share + saved
    return chart.properties(
        width=380, height=40 * len(COLOURS), title=_title(_("How good the best first move is"), sentence)
    )


def _ending(frame: pd.DataFrame, left: int | None) -> str:
    """Return the ending of the columns' names for this number of stones left over."""
    if frame.empty:
        raise ValueError(_("no row of the atlas is left; in a pair the lower card is `card` (BZ-47)"))
    for ending, number in LEFTS.items():
        if left == number:
            return ending
    raise ValueError(
        _("left={left!r}: the atlas knows None, any number left, and 0, nothing left (BZ-47)").format(left=plain(left))
    )


def _ends(turns: pd.Series[float]) -> tuple[int, int]:
    """Return the labels of the fewest and the most turns; of those that tie, the first."""
    values = turns.to_numpy()
    fewest, most = turns.index[[int(first_best(-values)), int(first_best(values))]]
    return fewest, most


def _left(left: int | None) -> str:
    return _("any number left") if left is None else _("nothing left")


def _number(turns: float) -> str:
    return f"{turns:.1f}" if np.isfinite(turns) else "∞"


def _where(frame: pd.DataFrame, several: str) -> str:
    """Return the pair of cards of the rows, or the text `several`."""
    cards = frame[["card", "other"]].drop_duplicates().to_numpy().tolist()
    if len(cards) == 1:
        return _("cards {card} and {other}").format(card=cards[0][0], other=cards[0][1])
    return several


def _shape(ware: str) -> str:
    """Return the numbers of stones by colour in a ware, most first.

    >>> _shape("RWWBB")
    '2+2+1'
    """
    return "+".join(map(str, sorted((ware.count(colour) for colour in COLOURS if colour in ware), reverse=True)))


def _title(text: str, sentence: str) -> alt.Title:
    return alt.Title(text, subtitle=wrap(sentence, _LINE), offset=8)
