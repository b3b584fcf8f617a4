"""A class that has played the bidding game, each student in a notebook of their own: what all handed in, as one table.

    class_results = merge("hand-ins")      # a folder, paths, texts by name, or one text into which all was pasted
    class_results.problems                 # what could not be read, line by line, in its own words
    class_results.chart()                  # the class's bids against the equilibrium

Nothing that was handed in is lost: a line is either a row of `frame` or of `problems`. How lines are read:
`tradekit.auctions.hand_ins`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pandas as pd

from tradekit._utils.display_names import isolated
from tradekit.auctions import experiment, rounds_csv
from tradekit.auctions.experiment import Status
from tradekit.auctions.hand_ins import STUDENT, HandIn, HandIns, Problem, collect
from tradekit.auctions.rounds_csv import format_of, values_of
from tradekit.i18n import _, ngettext
from tradekit.show import cell, html
from tradekit.show.html import element

if TYPE_CHECKING:
    from tradekit.auctions.common import CommonEquilibrium
    from tradekit.auctions.equilibrium import Equilibrium
    from tradekit.show.charts import LayerChart

_SHOWN: Final = 12  # problems in the notebook's picture
_WIDE: Final = 40  # letters of a line there
_WRAPPED: Final = "white-space: normal; min-width: 14em; max-width: 34em"


class Played(NamedTuple):
    """The game that was played, as text: two are the same if these are."""

    format: str
    values: str
    bidders: int

    def equilibrium(self) -> Equilibrium | CommonEquilibrium | None:
        """Return its equilibrium, where one is known."""
        try:
            return experiment.equilibrium(format_of(self.format), self.bidders, values_of(self.values))
        except ValueError:
            return None

    def __str__(self) -> str:
        return _("{format}, {values}, {n} bidders").format(format=self.format, values=self.values, n=self.bidders)


def merge(hand_ins: HandIns) -> Classroom:
    """Read what a class has handed in: a folder, paths, a mapping from names to texts or paths, or one pasted text.

    In a folder, whatever lies in it and below it is read, and each file is named after its student. In a pasted text
    the tables stand one below the other, each with its header; a line above a header says whose it is.

    Only the rounds that cannot be read are left out, and named; see `Classroom.problems`. Raises `ParseError` where
    there is nothing to read, `FileNotFoundError` for a path that is not there.

    >>> from tradekit.auctions import first_price, uniform
    >>> from tradekit.auctions.experiment import Experiment
    >>> text = Experiment.begin(first_price(), uniform(), ["naive"], rounds=2).bid(0.3).bid(0.2).to_csv()
    >>> merge({"Ana": text, "Bruno": text.replace(",0.3,", ",a third,")})
    Classroom: 2 hand-ins, 6 rows, 2 problems
    """
    return Classroom(tuple(collect(hand_ins)))


@dataclass(frozen=True, eq=False)
class Classroom:
    """The hand-ins of a class: made by `merge`.

    >>> from tradekit.auctions import first_price, uniform
    >>> from tradekit.auctions.experiment import Experiment
    >>> text = Experiment.begin(first_price(), uniform(), ["naive"], rounds=3).bid(0.3).bid(0.2).to_csv()
    >>> class_results = merge({"Ana": text})
    >>> class_results.bids["bid"].tolist()  # the third round was left open
    [0.3, 0.2]
    >>> class_results.chart().title.subtitle
    ['1 student, 2 bids']
    """

    hand_ins: tuple[HandIn, ...]  #: by student, in the order of their names

    def __repr__(self) -> str:
        return _("Classroom: {hand_ins}, {rows}, {problems}").format(
            hand_ins=ngettext("{n} hand-in", "{n} hand-ins", len(self.hand_ins)),
            rows=ngettext("{n} row", "{n} rows", len(self.frame)),
            problems=ngettext("{n} problem", "{n} problems", len(self.problems)),
        )

    @cached_property
    def frame(self) -> pd.DataFrame:
        """All rows that could be read: ``student``, then the columns of `sheet.COLUMNS`."""
        rows = [{STUDENT: one.student} | row for one in self.hand_ins for row in one.rows]
        table = pd.DataFrame(rows, columns=[STUDENT, *rounds_csv.COLUMNS])
        kinds: dict[str, Any] = {"round": int, "bidder": int, **dict.fromkeys(rounds_csv.AMOUNTS, float)}
        return table.astype(kinds)

    @cached_property
    def problems(self) -> pd.DataFrame:
        """The problems: ``student, line, column, problem, row, lost, fault``.

        ``line``: in the file or text, none if it concerns all of it; ``row``: the line as it stands there; ``lost``:
        whether it is not in `frame`; ``fault``: the line at fault, where that is another one of the same round.
        """
        kinds: dict[str, Any] = {"line": "Int64", "lost": bool, "fault": "Int64"}
        return pd.DataFrame(self._problems, columns=[*Problem.__dataclass_fields__]).astype(kinds)

    @cached_property
    def _problems(self) -> list[Problem]:
        return [problem for one in self.hand_ins for problem in one.problems] + [*self._strange()]

    def _strange(self) -> Iterable[Problem]:
        """Return what is strange only next to the others: another game, the same rounds twice."""
        first: dict[Any, str] = {}
        played: dict[str, set[Played]] = {}
        for student, game in {*zip(self.frame[STUDENT], self._games, strict=True)}:
            played.setdefault(student, set()).add(game)
        for one in self.hand_ins:
            games = played.get(one.student, set())
            for game in sorted(games - {self.game}):
                other = _("another game than most: {game}. Its rows are kept, the chart leaves them out.")
                yield Problem(one.student, None, "format", other.format(game=game), "", False)
            same = first.setdefault(one.played, one.student) if one.rows else one.student
            if same != one.student:
                twice = _("the same rounds as {name}: handed in twice, or copied. Both are kept.").format(
                    name=isolated(same)
                )
                yield Problem(one.student, None, "", twice, "", False)

    @cached_property
    def _games(self) -> pd.Series[Any]:
        """The game of each row."""
        bidders = self.frame.groupby([STUDENT, "round"])["bidder"].transform("size")
        columns = zip(self.frame["format"], self.frame["values"], bidders, strict=True)
        return pd.Series([Played(*row) for row in columns], index=self.frame.index, dtype=object)

    @cached_property
    def game(self) -> Played | None:
        """The game that most students have played."""
        pairs = {*zip(self.frame[STUDENT], self._games, strict=True)}
        students: dict[Played, int] = {}
        for _student, game in pairs:
            students[game] = students.get(game, 0) + 1
        return max(sorted(students), key=lambda game: students[game], default=None)

    @cached_property
    def equilibrium(self) -> Equilibrium | CommonEquilibrium | None:
        """Of that game, as theory has it; of the same without steps if bids have steps. None: none is known here."""
        return self.game.equilibrium() if self.game else None

    @cached_property
    def bids(self) -> pd.DataFrame:
        """The students' own bids, a row each; ``theory`` is what their game's equilibrium bids for that type."""
        made = (self.frame["bidder"] == 0) & (self.frame["status"] == str(Status.BID))
        bids = self.frame[made].assign(theory=float("nan"))
        for game in {*self._games[made]}:
            if equilibrium := game.equilibrium():
                rows = bids.index[self._games[made] == game]
                bids.loc[rows, "theory"] = equilibrium.strategy(bids.loc[rows, "type"].to_numpy())
        return bids

    @cached_property
    def summary(self) -> pd.DataFrame:
        """A row a student.

        Columns: ``rounds`` decided, ``bids`` made, ``gains`` and ``missed`` in all, ``share``: all bids together in
        parts of all types together (so that small values do not count more than large ones), ``above``: how much higher
        than the equilibrium they bid on average, ``problems``: lines named in `problems`.
        """
        own = self.frame[(self.frame["bidder"] == 0) & (self.frame["status"] != str(Status.OPEN))].groupby(STUDENT)
        bids = self.bids.assign(above=self.bids["bid"] - self.bids["theory"]).groupby(STUDENT)
        columns = {
            "rounds": own.size(),
            "bids": bids.size(),
            "gains": own["gains"].sum(),
            "missed": own["missed"].sum(),
            "share": bids["bid"].sum() / bids["type"].sum(),
            "above": bids["above"].mean(),
            "problems": self.problems.groupby(STUDENT).size(),
        }
        counts = dict.fromkeys(("rounds", "bids", "problems"), 0)
        table = pd.DataFrame(columns, index=pd.Index([one.student for one in self.hand_ins], name=STUDENT))
        return table.fillna(counts).astype(dict.fromkeys(counts, int))

    def chart(self) -> LayerChart:
        """Draw the class's bids against the equilibrium of the game most have played. Raises `ValueError` without bids.

        See `lab_charts.class_bids`.
        """
        if self.game is None or not len(self._drawn):
            raise ValueError(_("there is no bid to draw: see problems"))
        from tradekit.auctions import lab_charts  # Altair takes a second to start

        values = values_of(self.game.values)
        return lab_charts.class_bids(self._drawn, values, self.equilibrium, self._left_out())

    @cached_property
    def _drawn(self) -> pd.DataFrame:
        """The bids in the game that most have played."""
        return self.bids[self._games[self.bids.index] == self.game]

    def _left_out(self) -> str:
        """Return what a chart of one game does not show."""
        others = len(self.bids) - len(self._drawn)
        left_out = ngettext("{n} bid in another game is left out", "{n} bids in other games are left out", others)
        return left_out if others else ""

    def _repr_html_(self) -> str:
        read, lost = sum(bool(one.rows) for one in self.hand_ins), sum(problem.lost for problem in self._problems)
        says = [
            ngettext("{n} hand-in", "{n} hand-ins", len(self.hand_ins)),
            ngettext("{n} of them can be read", "{n} of them can be read", read),
            ngettext("{n} bid", "{n} bids", len(self.bids)),
            ngettext("{n} line not read", "{n} lines not read", lost) if lost else _("every line was read"),
        ]
        game = html.quiet(str(self.game)) if self.game else ""
        picture = cell.on_page(self.chart().to_svg()) if len(self._drawn) else ""
        return cell.page(html.heading(_("The class")), element("p", ", ".join(says), "."), game, picture, self._wrong())

    def _wrong(self) -> str:
        """Return the problems as a table; lines that are lost with another one of their round are not shown."""
        causes = [problem for problem in self._problems if problem.fault is None]
        if not causes:
            return ""
        head = (_("student"), _("line"), _("column"), _("what is wrong"), _("as it stands there"))
        rows = [
            (
                isolated(p.student),
                str(p.line or ""),
                p.column,
                element("div", p.problem, style=_WRAPPED),
                _short(p.row),
            )
            for p in causes[:_SHOWN]
        ]
        more = len(causes) - len(rows)
        rest = ngettext("{n} more: see problems", "{n} more: see problems", more) if more else ""
        return html.heading(_("What is wrong")) + html.table(head, rows, numbers=[1]) + html.quiet(rest)


def _short(row: str) -> str:
    """The beginning of a line, as HTML."""
    return element("code", row if len(row) <= _WIDE else row[: _WIDE - 1] + "…") if row else ""
