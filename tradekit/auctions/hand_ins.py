"""What a class hands in: files, folders and pasted texts with the rounds of the bidding game, read round by round.

    good rounds become rows of `sheet`; every other line becomes a `Problem` that says where it stands and what is wrong

Files come as people make them: saved again by a spreadsheet (semicolons, decimal commas, other encodings, empty rows,
columns moved or added), or several pasted one below the other. A round is good if the game, settled again with its
bids, ends as the file says; a damaged cell costs that round and no other. Columns that follow from the bids (`DERIVED`)
are worked out again, so they may even be wrong or missing: a wrong one is named, and costs nothing.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import count
from math import isclose
from os import PathLike
from pathlib import Path
from statistics import median_low
from typing import Any, Final

from tradekit.auctions import sheet
from tradekit.auctions.experiment import PERSON, Experiment, Round, Status
from tradekit.auctions.sheet import COLUMNS, Line, Row, WrongCell
from tradekit.auctions.spelled import whole
from tradekit.auctions.values import private, span
from tradekit.game import ParseError
from tradekit.i18n import _
from tradekit.rows import decoded

STUDENT: Final = "student"  #: the column that tells whose row it is, where a class was put into one file
DERIVED: Final = ("gains", "best_bid", "best_gains", "missed")  #: columns that follow from the others
_ASIDE: Final = ("seed", "version")  # what the game is does not depend on them
_NEEDED: Final = tuple(name for name in COLUMNS if name not in (*DERIVED, *_ASIDE))
_KNOWN: Final = (STUDENT, *COLUMNS)
_STRATEGIES: Final = (PERSON, "equilibrium", "naive", "shading", "recorded", "function")  # see `Experiment`
_FEW: Final = 5  # names of columns that make a line a header
_NEARLY: Final = 1e-6
_SEED: Final = re.compile(r"\d{1,40}(\.0)?")
_SEPARATORS: Final = ",;\t"
_TYPES_OFF: Final = 0.01  # a type may lie so far outside, in parts of the range: it is rounded

Texts = str | PathLike[str]
HandIns = Texts | Iterable[Texts] | Mapping[str, Texts]


@dataclass(frozen=True)
class Problem:
    """What is wrong with a line, or with all that somebody handed in."""

    student: str
    line: int | None  #: in the file or text, from 1; None: all of it
    column: str  #: "": no single one
    problem: str
    row: str  #: the line's own text
    lost: bool = True  #: whether the line is not among the rows
    fault: int | None = None  #: the line at fault, where that is another one of the same round


@dataclass
class HandIn:
    """One table: whose it is, its rows that are good, by round, and what is wrong with the others."""

    student: str
    rows: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def name(self, line: int | None, problem: str, row: str = "", column: str = "", **more: Any) -> None:
        """Add a `Problem`."""
        self.problems.append(Problem(self.student, line, column, problem, row, **more))

    @property
    def played(self) -> tuple[tuple[Any, ...], ...]:
        """What was played, without who says so: equal if it was handed in twice."""
        return tuple(tuple(str(row[column]) for column in COLUMNS if column not in _ASIDE) for row in self.rows)


def collect(given: HandIns) -> list[HandIn]:
    """All that was handed in, in the order of names. Raises `ParseError` where there is nothing to read."""
    tables = [table for name, content in _sources(given) for table in _read(name, content)]
    if not tables:
        raise ParseError(_("nothing was handed in: a folder of CSV files, paths or texts are needed"))
    given_names, taken = {table.student for table in tables}, set[str]()
    for table in tables:
        if table.student in taken:  # one more of that name, who may be somebody else
            numbered = (f"{table.student} ({n})" for n in count(2))
            table.student = next(name for name in numbered if name not in taken | given_names)
            table.problems = [replace(problem, student=table.student) for problem in table.problems]
        taken.add(table.student)
    return sorted(tables, key=lambda table: _in_order(table.student))


def _in_order(name: str) -> list[tuple[int, str]]:
    """A key that puts 2 before 10."""
    return [(int(part), "") if part.isdecimal() else (-1, part.casefold()) for part in re.split(r"(\d+)", name)]


# Where it comes from


def _sources(given: HandIns) -> list[tuple[str, str | bytes]]:
    """Names, and what was handed in under them."""
    if isinstance(given, Mapping):
        return [(str(name), _content(text)) for name, text in given.items()]
    if isinstance(given, str) and _is_text(given):
        return [("", given)]
    if isinstance(given, (str, PathLike)):
        path = Path(given)
        return _named(_files(path)) if path.is_dir() else [(path.stem, path.read_bytes())]
    several = [*given]
    texts = [(str(n), text) for n, text in enumerate(several, 1) if isinstance(text, str) and _is_text(text)]
    paths = [Path(path) for path in several if not (isinstance(path, str) and _is_text(path))]
    return texts + _named([file for path in paths for file in (_files(path) if path.is_dir() else [path])])


def _is_text(given: str) -> bool:
    """Whether it is a table itself, and no path to one: it has several lines, or none at all."""
    return "\n" in given or "\r" in given or not given.strip()


def _content(given: Texts) -> str | bytes:
    return given if isinstance(given, str) and _is_text(given) else Path(given).read_bytes()


def _files(folder: Path) -> list[Path]:
    """All files in a folder and below it, but hidden ones."""
    found = (path for path in folder.rglob("*") if path.is_file())
    files = [path for path in found if not any(part.startswith((".", "__")) for part in path.relative_to(folder).parts)]
    if not files:
        raise ParseError(_("{folder} is empty: the CSV files of the class are needed there").format(folder=folder))
    return sorted(files)


def _named(files: list[Path]) -> list[tuple[str, str | bytes]]:
    """Files by their names; those of one name by their folders' too, as platforms for courses hand them out.

    A second download has the name of the first: browsers call it ``bids (1).csv``.
    """

    def stem(path: Path) -> str:
        return re.sub(r" \(\d+\)$", "", path.stem)

    stems = Counter(map(stem, files))
    folders = Counter(path.parent.name for path in files)

    def name(path: Path) -> str:
        if stems[stem(path)] == 1:
            return path.stem
        return path.parent.name if folders[path.parent.name] == 1 else f"{path.parent.name}/{path.stem}"

    return [(name(path), path.read_bytes()) for path in files]


def _decoded(content: str | bytes) -> str:
    """Text in whatever encoding a spreadsheet has chosen."""
    return content.removeprefix("\ufeff") if isinstance(content, str) else decoded(content)


def _no_table(text: str) -> str:
    """Why there is no table in it."""
    if not text.strip():
        return _("it is empty")
    if text.startswith(("PK\x03\x04", "\xd0\xcf\x11\xe0")):
        return _("it is a spreadsheet program's own file: save it as CSV there, and hand in that")
    if "\0" in text:
        return _("it is no text: the CSV file of the game is needed")
    if text.lstrip().startswith("{") and '"cells"' in text:
        return _(
            "it is a notebook: the rounds are needed, which the game gives at its end (The rounds as a file, Download)"
        )
    if re.match(r"\W*column\W+meaning\b", text):
        return _("it is the codebook: the rounds are needed, the other file that the game gives")
    return _("it is no table of rounds: no line names columns such as {names}").format(names=", ".join(COLUMNS[:4]))


# Lines


@dataclass
class _Table:
    """Lines under a header."""

    separator: str
    columns: list[str]
    header: tuple[int, str]
    title: str = ""  #: the line above the header, if it is words: whose it is
    lines: list[tuple[int, str]] = field(default_factory=list)


def _read(name: str, content: str | bytes) -> Iterator[HandIn]:
    """The tables of a text, of which several may stand one below the other."""
    text = _decoded(content)
    tables, before = _tables(text, alone=bool(name))
    if not tables:
        handed_in = HandIn(name or _("text"))
        handed_in.name(None, _no_table(text), text.strip() if "\0" not in text else "")
        yield handed_in
    for n, table in enumerate(tables, 1):
        whose = name if name and len(tables) == 1 else f"{name} {n}".strip()
        for handed_in in _by_student(table, table.title or whose):
            for line, raw in before:
                handed_in.name(line, _("it stands above the names of the columns"), raw)
            before = []
            yield handed_in


def _tables(text: str, alone: bool) -> tuple[list[_Table], list[tuple[int, str]]]:
    """The tables, and the lines before the first one. `alone`: if there is but one, it is clear whose it is."""
    tables: list[_Table] = []
    before: list[tuple[int, str]] = []
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        if not raw.strip(_SEPARATORS + ' "') or re.fullmatch(r"\s*sep=.\s*", raw):
            continue  # an empty row; a line with which a spreadsheet tells its separator
        above = tables[-1].lines if tables else before
        if header := _header(raw):
            tables.append(_Table(*header, (number, raw), title=_title(above) if tables else ""))
        else:
            above.append((number, raw))
    if len(tables) > 1 or (tables and not alone):
        tables[0].title = _title(before)
    return tables, before


def _header(raw: str) -> tuple[str, list[str]] | None:
    """The separator and the names of columns, if the line is a header."""
    found = []
    for separator in _SEPARATORS:
        names = [cell.strip().lower() for cell in _cells(raw.removeprefix("\ufeff"), separator)]
        found.append((len({*names} & {*COLUMNS}), separator, names))
    most, separator, names = max(found, key=lambda one: one[0])
    return (separator, names) if most >= _FEW else None


def _title(lines: list[tuple[int, str]]) -> str:
    """The last line, taken away, if it is words and not a row: then it is a name."""
    if not lines:
        return ""
    words = lines[-1][1].strip(_SEPARATORS + ' "#*:')
    if not any(letter.isalpha() for letter in words) or any(sign in words for sign in ",;\t"):
        return ""
    lines.pop()
    return words


def _cells(raw: str, separator: str) -> list[str]:
    """The cells of one line; a quote that is not closed costs this line only."""
    try:
        return next(csv.reader([raw], delimiter=separator), [])
    except csv.Error:
        return [raw]


def _by_student(table: _Table, name: str) -> Iterator[HandIn]:
    """The table's hand-ins: one, or several if a column says whose each row is."""
    problem = _mended(table)
    if problem:
        handed_in = HandIn(name)
        handed_in.name(table.header[0], problem, table.header[1])
        for number, raw in table.lines:
            handed_in.name(number, _("not read, for its columns are not known"), raw)
        yield handed_in
        return
    whose: dict[str, list[tuple[str, Line | None, int]]] = defaultdict(list)
    for number, raw in table.lines:
        cells = [cell.strip() for cell in _cells(raw, table.separator)]
        row = dict(zip(table.columns, cells, strict=False))
        fits = len(cells) <= len(table.columns) or not any(cells[len(table.columns) :])
        whose[row.get(STUDENT) or name].append((raw, Line(number, row) if fits else None, number))
    if not whose:
        handed_in = HandIn(name)
        handed_in.name(table.header[0], _("there are no rows below the names of the columns"), table.header[1])
        yield handed_in
    for student, lines in whose.items():
        yield _Reader(HandIn(student), lines).read()


def _mended(table: _Table) -> str:
    """What is wrong with the header, "" if all columns are there; one damaged name is taken for the one that lacks."""
    missing = [name for name in _NEEDED if name not in table.columns]
    strange = [place for place, name in enumerate(table.columns) if name not in _KNOWN]
    if len(missing) == len(strange) == 1:
        table.columns[strange[0]] = missing.pop()
    return _("these columns are missing: {names}").format(names=", ".join(missing)) if missing else ""


# Rounds


class _Reader:
    """Reads one student's lines, round by round."""

    def __init__(self, handed_in: HandIn, lines: list[tuple[str, Line | None, int]]) -> None:
        self.handed_in = handed_in
        self.raw = {number: raw for raw, _line, number in lines}
        self.lines = [line for _raw, line, _number in lines if line]
        for raw, line, number in lines:
            if line is None:
                handed_in.name(number, _("it has more cells than there are columns"), raw)
        self.usual = {name: Counter(line.row.get(name) for line in self.lines) for name in ("format", "values")}
        self.aside = {name: self._most(name) for name in _ASIDE}
        self.strategies: dict[int, Counter[str]] = defaultdict(Counter)  # by bidder

    def _most(self, column: str) -> str:
        """What most lines say, of those that say something that can be."""
        said = Counter(line.row.get(column) or "" for line in self.lines)
        can_be: Callable[[str], object] = _SEED.fullmatch if column == "seed" else bool
        return next((text for text, _n in said.most_common() if can_be(text)), "")

    def read(self) -> HandIn:
        """All rounds, the good ones as rows, the others as problems."""
        rounds: dict[int, list[Line]] = defaultdict(list)
        for line in self.lines:
            try:
                rounds[_placed(line, "round", 1)].append(line)
                bidder = _placed(line, "bidder", 0)
                self.strategies[bidder][line.row.get("strategy", "")] += 1
            except WrongCell as wrong:
                if wrong.column == "round":
                    self._name(wrong)
        most = max((counter.total() for counter in self.strategies.values()), default=0)
        bidders = 1 + max((n for n, counter in self.strategies.items() if 2 * counter.total() > most), default=0)
        for place, lines in sorted(rounds.items()):
            self._read_round(place, lines, bidders)
        self.handed_in.problems.sort(key=lambda problem: problem.line or 0)
        return self.handed_in

    def _name(self, wrong: WrongCell, lost: bool = True) -> None:
        self.handed_in.name(wrong.line, wrong.why, self.raw[wrong.line], wrong.column, lost=lost)

    def _read_round(self, place: int, lines: list[Line], bidders: int) -> None:
        try:
            ordered = self._in_order(place, lines, bidders)
            rows = [*self._rows(place, ordered)]
        except WrongCell as wrong:
            self._name(wrong)
            for line in lines:
                if line.number != wrong.line:
                    lost = _("lost with line {n}, for it is of the same round").format(n=wrong.line)
                    self.handed_in.name(line.number, lost, self.raw[line.number], fault=wrong.line)
        else:
            self.handed_in.rows += rows

    def _in_order(self, place: int, lines: list[Line], bidders: int) -> list[Line]:
        """A line for each bidder, from 0. Of two, the one that stands among the others of the round counts."""
        if len(lines) == 1 < bidders:
            raise lines[0].wrong("round", _("no other line is of this round"))
        middle = median_low([line.number for line in lines])
        at_fault = "bidder" if len(lines) <= bidders else "round"
        by_bidder: dict[int, Line] = {}
        for line in sorted(lines, key=lambda line: abs(line.number - middle)):
            bidder = _placed(line, "bidder", 0)
            if bidder >= bidders:
                raise line.wrong("bidder", _("in other rounds the last one is {last}").format(last=bidders - 1))
            if first := by_bidder.setdefault(bidder, line).number - line.number:
                there = _("bidder {b} of round {n} is there already, in line {line}")
                self._name(line.wrong(at_fault, there.format(b=bidder, n=place, line=line.number + first)))
                lines.remove(line)
        for bidder in range(bidders):
            if bidder not in by_bidder:
                raise min(lines, key=lambda line: line.number).wrong(
                    "bidder", _("bidder {b} of round {n} is missing").format(b=bidder, n=place)
                )
        return [by_bidder[bidder] for bidder in range(bidders)]

    def _rows(self, place: int, lines: list[Line]) -> Iterator[Row]:
        """The round's rows as `sheet.rows` writes them."""
        format = self._same("format", lines, _format)
        values = self._same("values", lines, _values)
        for bidder, line in enumerate(lines):
            strategy = line.row.get("strategy", "")
            if strategy not in _STRATEGIES or strategy != self.strategies[bidder].most_common(1)[0][0]:
                usual = next((s for s, _n in self.strategies[bidder].most_common() if s in _STRATEGIES), "?")
                raise line.wrong("strategy", _("it should be {name!r} here").format(name=usual))
        played = sheet.round_of(format, place, lines)
        if played.status is not Status.OPEN:
            _check_types(values, played, lines)
        strategies = tuple(line.row["strategy"] for line in lines[1:])
        seed = int(self.aside["seed"].removesuffix(".0") or 0)
        game = Experiment(format, values, strategies, seed, (played,), self.aside["version"])
        written = [row | {"round": place} for row in sheet.rows(game)]
        for line, row in zip(lines, written, strict=True):
            self._compare(line, row)
        yield from written

    def _same(self, column: str, lines: list[Line], kind: Callable[[str], Any]) -> Any:
        """What all lines of the round say in a column."""
        made = [line.get(column, kind) for line in lines]
        said = [line.row.get(column) for line in lines]
        usual = max(said, key=lambda text: (said.count(text), self.usual[column][text]))
        for line, text in zip(lines, said, strict=True):
            if text != usual:
                raise line.wrong(column, _("the other bidders of the round have {usual!r}").format(usual=usual))
        return made[0]

    def _compare(self, line: Line, row: Row) -> None:
        """Name what the file says otherwise than the bids do, though it costs nothing."""
        for column in DERIVED:
            if column in line.row and not _says(line, column, row[column]):
                due = _("empty") if row[column] is None else f"{row[column]:.6g}"
                taken = _("by these bids it is {due}, which is taken").format(due=due)
                self._name(line.wrong(column, taken), lost=False)
        for column, usual in self.aside.items():
            if line.row.get(column) not in (None, usual):
                taken = _("in other rows it is {usual!r}, which is taken").format(usual=usual)
                self._name(line.wrong(column, taken), lost=False)


def _says(line: Line, column: str, true: float | None) -> bool:
    """Whether a cell says a number, or is empty for None."""
    if true is None or not line.row[column]:
        return true is None and not line.row[column]
    try:
        return isclose(line.get(column, sheet.amount), true, abs_tol=_NEARLY)
    except WrongCell:
        return False


def _placed(line: Line, column: str, least: int) -> int:
    """The number of a round or a bidder."""
    number = line.get(column, whole)
    if number < least:
        raise line.wrong(column, _("numbers begin at {least}").format(least=least))
    return number


def _check_types(values: Any, played: Round, lines: list[Line]) -> None:
    """Types must be such as are drawn; a private value is what a unit is worth, one in common is the same to all."""
    low, high = span(values)
    usual = max(played.worths, key=played.worths.count)
    off = _TYPES_OFF * (high - low)
    for line, known, worth in zip(lines, played.types, played.worths, strict=True):
        if not low - off <= known <= high + off:
            raise line.wrong("type", _("it lies between {low:g} and {high:g}").format(low=low, high=high))
        if private(values) and abs(known - worth) > _NEARLY:
            raise line.wrong("worth", _("with these values it is the type, {type:g}").format(type=known))
        if not private(values) and abs(usual - worth) > _NEARLY:
            raise line.wrong("worth", _("the other bidders of the round have {usual!r}").format(usual=f"{usual:g}"))


def _remembered(kind: Callable[[str], Any], text: str) -> Any:
    """What a cell says that is the same in hundreds of rows."""
    made, error = _made(kind, text)
    if error:
        raise ValueError(error)
    return made


@lru_cache(256)
def _made(kind: Callable[[str], Any], text: str) -> tuple[Any, str]:
    try:
        return kind(text), ""
    except ValueError as error:
        return None, str(error)
    except Exception as error:  # a cell may say anything: SciPy answers some of it with errors of its own
        return None, _('"{text}" cannot be read: {error}').format(text=text, error=error)


_format: Final = partial(_remembered, sheet.format_of)
_values: Final = partial(_remembered, sheet.values_of)
