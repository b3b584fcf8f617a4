"""An experiment as a long table: a row a bidder and round, with a codebook; written as CSV and read back.

    bidder 0 is the person; what a person has not decided has a status and empty fields, never a 0

Every row says format, values, seed and version, so that the files of a class can be put one below the other.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tradekit._utils import numerals, tables
from tradekit._utils.display_names import clean
from tradekit.auctions.experiment import PERSON, Experiment, Round, Status
from tradekit.auctions.formats import Format
from tradekit.auctions.source_text import read as read_spelled
from tradekit.auctions.source_text import spell
from tradekit.auctions.values import ValueModel, types_of
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

COLUMNS: Final = (
    "round", "bidder", "strategy", "status", "type", "worth", "bid", "award", "pays", "gains",
    "best_bid", "best_gains", "missed", "format", "values", "seed", "version",
)  # fmt: skip
AMOUNTS: Final = COLUMNS[COLUMNS.index("type") : COLUMNS.index("format")]  #: empty where nothing is decided
_SAME: Final = ("format", "values", "seed", "version")  # in every row
_NEARLY: Final = 1e-6

Row = dict[str, Any]
T = TypeVar("T")


def codebook() -> str:
    """Return the description of every column, as CSV."""
    meaning = {
        "round": _("number of the auction, from 1"),
        "bidder": _("number of the bidder in it; 0 is the person"),
        "strategy": _("who bids: person, or the name of a strategy"),
        "status": _(
            "bid; no bid (chose not to); timed out (did not choose); not bid yet (the rest of the row is empty)"
        ),
        "type": _("what the bidder knew: the value of a unit, or a signal of it"),
        "worth": _("what a unit was worth to the bidder"),
        "bid": _("amount bid; empty: none, which is not a bid of 0"),
        "award": _("units won"),
        "pays": _("amount paid"),
        "gains": _("worth times award less pays; may be negative"),
        "best_bid": _("the person's best bid knowing all other bids; empty: not to bid"),
        "best_gains": _("what it would have gained, on average over ties"),
        "missed": _("best_gains less what the bid gained on average over ties"),
        "format": _("the auction, as Python"),
        "values": _("what values or signals were drawn from, as Python"),
        "seed": _("of the draws and of ties"),
        "version": _("of tradekit"),
    }
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([("column", "meaning"), *meaning.items()])
    return text.getvalue()


def rows(experiment: Experiment) -> Iterator[Row]:
    """Return the table, one dictionary per row, None for empty fields."""
    same = {
        "format": spell(experiment.format),
        "values": spell(experiment.values),
        "seed": experiment.seed,
        "version": experiment.version,
    }
    strategies = (PERSON, *experiment.opponents)
    empty = dict.fromkeys(COLUMNS)
    for n, played in enumerate(experiment.rounds):
        for bidder, strategy in enumerate(strategies):
            row = empty | {"round": n + 1, "bidder": bidder, "strategy": strategy} | same
            row["status"] = str(played.statuses[bidder])
            if played.outcome is None:
                yield row
                continue
            row |= {
                "type": played.types[bidder], "worth": played.worths[bidder], "bid": played.bids[bidder],
                "award": played.outcome.awards[bidder], "pays": played.outcome.pays[bidder],
                "gains": played.gains(bidder),
            }  # fmt: skip
            if bidder == 0:
                bid, gains = experiment.best(n)
                row |= {"best_bid": bid, "best_gains": gains, "missed": experiment.missed(n, gains)}
            yield row


def frame(experiment: Experiment) -> pd.DataFrame:
    """Return the table as a DataFrame."""
    import pandas as pd

    return pd.DataFrame(rows(experiment), columns=list(COLUMNS)).astype(dict.fromkeys(AMOUNTS, float))


def write(experiment: Experiment) -> str:
    """Return the table as CSV."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({k: _shown(v) for k, v in row.items()} for row in rows(experiment))
    return text.getvalue()


def _shown(value: Any) -> Any:
    """Amounts without the dust of binary fractions."""
    return f"{value:.12g}" if isinstance(value, float) else value


def read(text: str) -> Experiment:
    """Return the experiment that a CSV of `write` tells, also if a spreadsheet has saved it again.

    Raises `ValueError` that names the line at fault.
    """
    lines = _lines(text)
    first = lines[0]
    for line in lines:
        for name in _SAME:
            if line.row[name] != first.row[name]:
                raise line.wrong(name, _("not as in the first row; one game a file is read"))
    format, values = first.get("format", format_of), first.get("values", values_of)
    groups = [list(group) for _n, group in groupby(lines, key=lambda line: line.whole("round"))]
    rounds = [round_of(format, n, group) for n, group in enumerate(groups, 1)]
    opponents = tuple(str(line.row["strategy"]) for line in groups[0][1:])
    for group in groups:
        if len(group) != len(groups[0]):
            many = _("{n} bidders here, {m} in the first round").format(n=len(group), m=len(groups[0]))
            raise group[-1].wrong("bidder", many)
    seed = first.whole("seed")
    return Experiment(format, values, opponents, seed, tuple(rounds), str(first.row["version"]))


def _lines(text: str) -> list[Line]:
    """The rows of a table; `ValueError` for one whose columns are not ours."""
    if why := tables.why_no_text(text):
        raise ValueError(why)
    there = [one for one in tables.lines(tables.decode(text)) if not tables.is_empty(one[1])]
    if there and tables.said_separator(there[0][1]):
        del there[0]
    at, raw = there[0] if there else (1, "")
    header, _count = tables.find_header(raw, COLUMNS)
    if missing := [name for name in COLUMNS if name not in header.columns]:
        raise ValueError(_("line {n}: these columns are missing: {names}").format(n=at, names=", ".join(missing)))
    if twice := [name for name in COLUMNS if header.columns.count(name) > 1]:
        raise ValueError(_("line {n}: these columns are there twice: {names}").format(n=at, names=", ".join(twice)))
    lines = []
    for number, row, cells in tables.rows_of(there[1:], header):
        if any(cells[len(header.columns) :]):
            raise ValueError(_("line {n}: it has more cells than there are columns: {row!r}").format(n=number, row=row))
        lines.append(Line(number, dict(zip(header.columns, cells, strict=False))))
    if not lines:
        raise ValueError(_("line {n}: there are no rows").format(n=at + 1))
    mark = decimal_mark(lines)
    for line in lines:
        line.mark = mark
    return lines


def decimal_mark(lines: Sequence[Line]) -> numerals.Mark | None:
    """Return the decimal mark that the numbers of a table show; None if they do not, or if it does not matter.

    What can be read in one way only shows it, and so does a type that lies among the values in one reading only.
    """
    texts = {line.row.get(name) or "" for line in lines for name in AMOUNTS}
    if not any(map(numerals.doubtful, texts)):
        return None
    shown = [text for text in texts if not numerals.doubtful(text)]
    for line in lines:
        text = line.row.get("type") or ""
        if numerals.doubtful(text):
            shown += _among_values(text, line.row.get("values") or "")
    return numerals.mark_of(shown)


def _among_values(text: str, values: str) -> list[str]:
    """A number that shows the mark with which a type lies among the values, if there is one.

    Where it does with either, values go to a thousand and more, and none of those drawn has three places.
    """
    try:
        low, high = values_of(values).span
    except ValueError:
        return []
    off = (high - low) / 100  # types are rounded
    found = numerals.readings(text)
    fits = [mark for mark in found if low - off <= found[mark] <= high + off]
    return [f"0{max(fits, key=lambda mark: abs(found[mark]))}5"] if fits else []


def format_of(text: str) -> Format:
    """Return the format that a cell says; `ValueError` for anything else."""
    made = read_spelled(text)
    if not isinstance(made, Format):
        raise ValueError(_("no format"))
    return made


def values_of(text: str) -> ValueModel:
    """Return the values that a cell says; `ValueError` for anything else."""
    made: Any = read_spelled(text)
    return types_of(made)


def _status(text: str) -> Status:
    text = clean(text).lower()
    if text not in [str(status) for status in Status]:
        raise ValueError(_("one of {there} is needed").format(there=", ".join(Status)))
    return Status(text)


def round_of(format: Format, place: int, lines: list[Line]) -> Round:
    """Return the round that lines tell, one for each bidder; `WrongCell` where bids and endings do not fit."""
    for bidder, line in enumerate(lines):
        if line.whole("round") != place:
            raise line.wrong("round", _("round {n} should come here").format(n=place))
        if line.whole("bidder") != bidder:
            raise line.wrong("bidder", _("bidder {n} should come here").format(n=bidder))
    statuses = [line.get("status", _status) for line in lines]
    for line, status in zip(lines, statuses, strict=True):
        if (status is Status.OPEN) != (statuses[0] is Status.OPEN):
            raise line.wrong("status", _("a round is open for all bidders or for none"))
    if statuses[0] is Status.OPEN:
        for line in lines:
            line.must_be_open()
        return Round((), (), (None,) * len(lines))
    bids = [format.on_step(line.bid(status)) for line, status in zip(lines, statuses, strict=True)]
    try:
        outcomes = format.settle(bids).outcomes
    except ValueError as error:
        raise lines[_at_fault(format, bids)].wrong("bid", str(error)) from None
    columns = {name: tuple(line.amount(name) for line in lines) for name in ("type", "worth", "award", "pays")}
    for outcome in outcomes:
        told = zip((*columns["award"], *columns["pays"]), (*outcome.awards, *outcome.pays), strict=True)
        if all(abs(said - true) <= _NEARLY for said, true in told):
            return Round(columns["type"], columns["worth"], tuple(bids), statuses[0], outcome)
    for bidder, line in enumerate(lines):
        for name, possible in (("award", "awards"), ("pays", "pays")):
            amounts = {getattr(outcome, possible)[bidder] for outcome in outcomes}
            if all(abs(columns[name][bidder] - amount) > _NEARLY for amount in amounts):
                due = _(" or ").join(f"{amount:g}" for amount in sorted(amounts))
                raise line.wrong(name, _("by these bids it is {due}").format(due=due))
    raise lines[0].wrong("award", _("these bids cannot end so"))


def _at_fault(format: Format, bids: list[float | None]) -> int:
    """The bidder whose bid cannot be, though all others bid nothing; the first one if it is nobody's alone."""
    for bidder, bid in enumerate(bids):
        try:
            format.settle([bid if other == bidder else None for other in range(len(bids))])
        except ValueError:
            return bidder
    return 0


class WrongCell(ValueError):
    """An error in a cell, and its place."""

    def __init__(self, line: int, column: str, cell: object, why: str) -> None:
        where = _("line {n}: {column}={value!r}: {why}").format(n=line, column=column, value=cell, why=why)
        super().__init__(where)
        self.line, self.column, self.why = line, column, why


class Line:
    """A row with its place in the file; `mark`: the decimal mark there, if it is known."""

    def __init__(self, number: int, row: Row, mark: numerals.Mark | None = None) -> None:
        self.number, self.row, self.mark = number, row, mark

    def wrong(self, column: str, why: str) -> WrongCell:
        """Return the error that names a cell of this line."""
        return WrongCell(self.number, column, self.row.get(column), why)

    def get(self, column: str, kind: Callable[[str], T]) -> T:
        """Return what a cell says; `WrongCell` where `kind` raises `ValueError`."""
        try:
            return kind(self.row.get(column) or "")
        except ValueError as error:
            raise self.wrong(column, tables.spoiled(self.row.get(column) or "") or str(error)) from None

    def amount(self, column: str) -> float:
        """Return the number that a cell says."""
        return self.get(column, lambda text: numerals.number(text, self.mark))

    def whole(self, column: str) -> int:
        """Return the whole number that a cell says."""
        return self.get(column, lambda text: numerals.whole(text, self.mark))

    def bid(self, status: Status) -> float | None:
        """Return the bid, which must be there if the status says so, and only then."""
        if status is Status.BID:
            return self.amount("bid")
        self._must_be_empty("bid", status)
        return None

    def must_be_open(self) -> None:
        """Raise `WrongCell` if a round that is not bid yet says amounts."""
        for column in AMOUNTS:
            self._must_be_empty(column, Status.OPEN)

    def _must_be_empty(self, column: str, status: Status) -> None:
        if self.row.get(column):
            raise self.wrong(column, _('none should be here, for the status is "{status}"').format(status=status))
