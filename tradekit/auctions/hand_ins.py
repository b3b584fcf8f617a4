"""Hand-ins of a class: files, folders and pasted texts with rounds of the bidding game, read round by round.

    good rounds become rows of `sheet`; every other line becomes a `Problem` that says where it stands and what is wrong

Files come as people make them (`tradekit._utils.tables`): saved again by a spreadsheet, packed, with the table inside a
notebook or a web page, or several pasted one below the other. A round is good if the game, settled again with its bids,
ends as the file says; a damaged cell costs that round and no other. Columns that follow from the bids (`DERIVED`)
are worked out again, so they may even be wrong or missing: a wrong one is named, and costs nothing.
"""

from __future__ import annotations

import ast
import io
import json
import re
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from html import unescape
from itertools import count
from os import PathLike
from pathlib import Path, PurePath
from statistics import median_low
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from tradekit._utils import numerals, tables
from tradekit._utils.display_names import clean, in_order
from tradekit.auctions import rounds_csv
from tradekit.auctions.experiment import PERSON, Experiment, Round, Status
from tradekit.auctions.rounds_csv import COLUMNS, Line, Row, WrongCell
from tradekit.auctions.values import ValueModel
from tradekit.game import ParseError
from tradekit.i18n import _

STUDENT: Final = "student"  #: the column that tells whose row it is, where a class was put into one file
DERIVED: Final = ("gains", "best_bid", "best_gains", "missed")  #: columns that follow from the others
_ASIDE: Final = ("seed", "version")  # what the game is does not depend on them
_NEEDED: Final = tuple(name for name in COLUMNS if name not in (*DERIVED, *_ASIDE))
_KNOWN: Final = (STUDENT, *COLUMNS)
_STRATEGIES: Final = (PERSON, "equilibrium", "naive", "shading", "recorded", "function")  # see `Experiment`
_FEW: Final = 5  # names of columns that make a line a header
_NEARLY: Final = 1e-6
_DIGITS: Final = re.compile(
    r"[\d.,' _\xa0\u202f]{1,60}"
)  # of a seed: where a spreadsheet writes a power, some are gone
_LARGEST: Final = 50_000_000  # bytes of a packed file
_DEEPEST: Final = 3  # packed files in packed files
_SYSTEMS: Final = {"__MACOSX", ".git", ".ipynb_checkpoints", "@eaDir", "$RECYCLE.BIN"}  # folders that nobody made
_OWN: Final = {".DS_Store", "Thumbs.db", "desktop.ini"}  # files that nobody made
_PARTS: Final = 3  # of a name with commas in it
_WORDS: Final = {*_STRATEGIES, *map(str, Status), *_KNOWN}  # no name consists of them
_DOWNLOAD: Final = "bids"  # what the game calls its file
_TYPES_OFF: Final = 0.01  # a type may lie so far outside, in parts of the range: it is rounded

Texts = str | bytes | PathLike[str]
HandIns = Texts | Iterable[Texts] | Mapping[str, Texts]


@dataclass(frozen=True)
class Problem:
    """A problem with a line, or with all that somebody handed in."""

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

    def name(
        self,
        line: int | None,
        problem: str,
        row: str = "",
        column: str = "",
        *,
        lost: bool = True,
        fault: int | None = None,
    ) -> None:
        """Add a `Problem`."""
        self.problems.append(Problem(self.student, line, column, problem, row, lost, fault))

    @property
    def played(self) -> tuple[tuple[str, ...], ...]:
        """The rounds that were played, without the name: equal if they were handed in twice."""
        return tuple(tuple(str(row[column]) for column in COLUMNS if column not in _ASIDE) for row in self.rows)


def collect(given: HandIns) -> list[HandIn]:
    """Return all that was handed in, in the order of names. Raises `ParseError` where there is nothing to read."""
    handed_in = [one for source in _sources(given) for one in _read(source)]
    if not handed_in:
        raise ParseError(_("nothing was handed in: a folder of CSV files, paths or texts are needed"))
    given_names, taken = {one.student for one in handed_in}, set[str]()
    for one in handed_in:
        if one.student in taken:  # one more of that name, who may be somebody else
            numbered = (f"{one.student} ({n})" for n in count(2))
            one.student = next(name for name in numbered if name not in taken and name not in given_names)
            one.problems = [replace(problem, student=one.student) for problem in one.problems]
        taken.add(one.student)
    return sorted(handed_in, key=lambda one: in_order(one.student))


# Where it comes from


class _Source(NamedTuple):
    """Yield the hand-ins under a name, or why they cannot be opened."""

    name: str
    content: str | bytes
    why: str = ""


class _File(NamedTuple):
    """A file on its way: where it lies, and what is in it, or why that cannot be told."""

    path: PurePath
    content: bytes
    why: str = ""
    given: bool = False  #: by its own path: then its folder says nothing


def _sources(given: HandIns) -> list[_Source]:
    """All that was handed in, by name."""
    if isinstance(given, Mapping):
        return [source for name, one in given.items() for source in _under(clean(str(name)), one)]
    if isinstance(given, (str, bytes, PathLike)):
        return _under("", given)
    texts, files = [], []
    for n, one in enumerate([*given], 1):
        if isinstance(one, bytes) or (isinstance(one, str) and _is_text(one)):
            texts += _under(str(n), one)
        else:
            files += _files(Path(one))
    return texts + _named(files)


def _under(name: str, given: Texts) -> list[_Source]:
    """Yield the hand-ins under a name, which is that of the file if it is ""."""
    if isinstance(given, str) and _is_text(given):
        return [_Source(name, given)]
    if isinstance(given, bytes):
        if not tables.is_zip(given):
            return [_Source(name, given)]
        files = [*_unpacked(_File(PurePath(f"{name}.zip"), given))]
    else:
        files = _files(Path(given))
    if name and len(files) == 1:
        return [_Source(name, files[0].content, files[0].why)]
    return [source._replace(name=f"{name}/{source.name}" if name else source.name) for source in _named(files)]


def _is_text(given: str) -> bool:
    """Return True for a table itself, not a path to one: it has several lines, or none at all."""
    return "\n" in given or "\r" in given or not given.strip() or bool(_header(given) or tables.why_no_text(given))


def _files(path: Path) -> list[_File]:
    """The file of that path, or all files in a folder and below it, unpacked. Raises `ParseError` if there is none."""
    if not path.is_dir():
        return [*_unpacked(_File(PurePath(path.parent.name, path.name), path.read_bytes(), given=True))]
    found: list[_File] = []
    for file in sorted(path.rglob("*")):
        if file.is_dir():
            continue
        try:
            content, why = file.read_bytes(), ""
        except OSError as error:
            content, why = b"", _("it cannot be opened: {error}").format(error=error.strerror)
        found += _unpacked(_File(file.relative_to(path), content, why))
    if not found:
        raise ParseError(_("{folder} is empty: the CSV files of the class are needed there").format(folder=path))
    return found


def _unpacked(file: _File, depth: int = 0) -> Iterator[_File]:
    """The files in a packed one, or the file itself, but what an operating system has put there by itself."""
    if _nobodys(file):
        return
    if not tables.is_zip(file.content):
        yield file
        return
    if depth == _DEEPEST:
        yield file._replace(content=b"", why=_("too many packed files are in each other"))
        return
    folder, empty = file.path.with_suffix(""), True
    with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
        for member in archive.infolist():
            if member.is_dir():
                continue
            empty = False
            inside = folder / _name_in_zip(member)
            yield from _unpacked(_File(inside, *_member(archive, member)), depth + 1)
    if empty:
        yield file._replace(content=b"", why=_("it is a packed file with nothing in it"))


def _name_in_zip(member: zipfile.ZipInfo) -> str:
    """The path of a packed file; some programs do not say that it is in UTF-8."""
    name = member.filename
    if not member.flag_bits & 0x800:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/").lstrip("/") or "?"


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> tuple[bytes, str]:
    """The content of a packed file, or why it cannot be had."""
    if member.file_size > _LARGEST:
        return b"", _("it is too large for a table of rounds")
    if member.flag_bits & 1:
        return b"", _("it is packed with a password: hand in the CSV file itself")
    try:
        return archive.read(member), ""
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, NotImplementedError, ValueError):
        return b"", _("the packed file is damaged: hand in the CSV file itself")


def _nobodys(file: _File) -> bool:
    """Return True if an operating system or an editor has put a file there by itself; not if there are rounds in it."""
    name = file.path.name
    if file.why:
        return False
    known = {*file.path.parts} & _SYSTEMS or name in _OWN or name.startswith(("._", "~$", ".~lock."))
    if not known and not (name.startswith(".") and b"\0" in file.content):
        return False
    return not _tables(tables.decode(file.content), alone=True)[0]


def _named(files: list[_File]) -> list[_Source]:
    """Files by their names; those of one name by their folders' too, as platforms for courses hand them out.

    A second download has the name of the first: browsers call it ``bids (1).csv``.
    """

    def stem(path: PurePath) -> str:
        return re.sub(r" \(\d+\)$", "", path.stem)

    stems = Counter(stem(file.path) for file in files)
    folders = Counter(file.path.parent.name for file in files)

    def name(file: _File) -> str:
        path, folder = file.path, file.path.parent.name
        own_folder = folder and stem(path) == _DOWNLOAD and not file.given
        if stems[stem(path)] == 1 and not own_folder:
            return path.stem
        if not folder:
            return path.name
        return folder if folders[folder] == 1 else f"{folder}/{path.stem}"

    return [_Source(clean(name(file)) or "?", file.content, file.why) for file in files]


def _why_binary(content: str | bytes) -> str:
    """Return the kind of a file of another program, in words."""
    start = content[:4] if isinstance(content, bytes) else content[:4].encode("latin-1", "replace")
    if start == b"PK\x03\x04" and isinstance(content, bytes) and not zipfile.is_zipfile(io.BytesIO(content)):
        return _(
            "it is a spreadsheet program's own file or a packed one, and damaged: save it as CSV, and hand in that"
        )
    if start in (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF", b"Rar!") or start[:2] in (b"7z", b"\x1f\x8b"):
        return tables.why_no_text(content)
    return _("it is no text: the CSV file of the game is needed")


def _no_table(text: str) -> str:
    """Return why there is no table in it."""
    if not text.strip():
        return _("it is empty")
    if tables.is_notebook(text):
        return _(
            "it is a notebook: the rounds are needed, which the game gives at its end (The rounds as a file, Download)"
        )
    if re.match(r"\W*column\W+meaning\b", text):
        return _("it is the codebook: the rounds are needed, the other file that the game gives")
    if tables.is_page(text):
        return _("it is a web page: the rounds are needed, which the game gives at its end (The rounds as a file)")
    return _("it is no table of rounds: no line names columns such as {names}").format(names=", ".join(COLUMNS[:4]))


def _inside(text: str) -> list[str]:
    """The tables of rounds in a notebook or a web page, each once."""
    texts = [text]
    if tables.is_notebook(text):
        try:
            texts = [*_strings(json.loads(text))]
        except (ValueError, RecursionError):
            return []
    found: dict[str, None] = {}
    for one in texts:
        candidates = [one]
        if "<" in one:
            candidates = [unquote(link) for link in re.findall(r"data:text/csv[^,\"']*,([^\"'<>\s]*)", one)]
            candidates += map(
                unescape, re.findall(r"<(?:textarea|pre)\b[^>]*>(.*?)</(?:textarea|pre)>", one, re.DOTALL)
            )
        for candidate in candidates:
            found.update(dict.fromkeys(_blocks(candidate)))
    return [*found]


def _strings(thing: Any) -> Iterator[str]:
    """All texts in a notebook; a list of lines is one text, and what a cell shows of a text is that text."""
    if isinstance(thing, list) and all(isinstance(line, str) for line in thing):
        thing = "".join(thing)
    if isinstance(thing, str):
        yield thing
        if thing[:1] in ("'", '"') and "\\n" in thing:
            with suppress(ValueError, SyntaxError, MemoryError, RecursionError):
                yield str(ast.literal_eval(thing))
    elif isinstance(thing, (list, dict)):
        for part in thing.values() if isinstance(thing, dict) else thing:
            yield from _strings(part)


def _blocks(text: str) -> Iterator[str]:
    """The tables in a text with other things around: a header, and the rows that follow it at once."""
    if "bidder" not in text:
        return
    block: list[str] = []
    separator = ","
    for raw in [*tables.decode(text).split("\n"), ""]:
        if header := _header(raw):
            if len(block) > 1:
                yield "\n".join(block)
            block, separator = [raw.strip()], header.separator
        elif block and len(tables.split(raw, separator)) >= _FEW:
            block.append(raw.strip())
        else:
            if len(block) > 1:
                yield "\n".join(block)
            block = []


# Lines


@dataclass
class _Table:
    """Lines under a header."""

    header: tables.Header
    at: tuple[int, str]  #: the header's own line
    title: str = ""  #: the line above the header, if it is words: whose it is
    lines: list[tuple[int, str]] = field(default_factory=list)


def _read(source: _Source) -> Iterator[HandIn]:
    """The tables of a text, of which several may stand one below the other."""
    name, content, why = source
    text = "" if why else tables.decode(content)
    if not why and (tables.is_notebook(text) or tables.is_page(text)):
        inside = _inside(text)
        text = inside[0] if len(inside) == 1 else text
        if len(inside) > 1:
            why = _("there are {n} tables of rounds in it: hand in one, as CSV").format(n=len(inside))
    found, before = ([], []) if why else _tables(text, alone=bool(name))
    if not found:
        handed_in = HandIn(name or _("text"))
        binary = "\0" in text or text.startswith(("PK\x03\x04", "%PDF"))
        if binary and not why:
            why = _why_binary(content)
        handed_in.name(None, why or _no_table(text), "" if binary else text.strip())
        yield handed_in
    for n, table in enumerate(found, 1):
        whose = name if name and len(found) == 1 else f"{name} {n}".strip()
        for handed_in in _by_student(table, table.title or whose):
            for line, raw in before:
                handed_in.name(line, _("it stands above the names of the columns"), raw)
            before = []
            yield handed_in


def _tables(text: str, alone: bool) -> tuple[list[_Table], list[tuple[int, str]]]:
    """The tables, and the lines before the first one. `alone`: if there is but one, it is clear whose it is."""
    found: list[_Table] = []
    before: list[tuple[int, str]] = []
    for number, raw in tables.lines(text):
        if tables.is_empty(raw) or tables.said_separator(raw):
            continue
        above = found[-1].lines if found else before
        if header := _header(raw):
            found.append(_Table(header, (number, raw), title=_title(above) if found else ""))
        else:
            above.append((number, raw))
    if len(found) > 1 or (found and not alone):
        found[0].title = _title(before)
    return found, before


def _header(raw: str) -> tables.Header | None:
    """The line as a header, if it names enough of our columns."""
    text = raw.lower()
    if sum(name in text for name in COLUMNS) < _FEW:  # quick, for it is asked of every line
        return None
    header, known = tables.find_header(raw, COLUMNS)
    return header if known >= _FEW else None


def _title(lines: list[tuple[int, str]]) -> str:
    """The last line, taken away, if it is words and not a row: then it is a name, which may be "García, Ana"."""
    if not lines:
        return ""
    words = lines[-1][1].strip(tables.SEPARATORS + ' "#*:\xa0')
    parts = [part.strip() for part in re.split(f"[{tables.SEPARATORS}]", words)]
    if not any(letter.isalpha() for letter in words) or tables.failed(lines[-1][1]):
        return ""
    if len(parts) > 1 and (
        len(parts) > _PARTS or {*parts} & _WORDS or any(not part or re.search(r"[\d()=\"]", part) for part in parts)
    ):
        return ""
    lines.pop()
    return clean(words)


def _by_student(table: _Table, name: str) -> Iterator[HandIn]:
    """The table's hand-ins: one, or several if a column says whose each row is."""
    rows = [*tables.rows_of(table.lines, table.header)]
    columns, aside, problem = _columns(table.header.columns, [cells for _number, _raw, cells in rows])
    if problem:
        handed_in = HandIn(name)
        handed_in.name(table.at[0], problem, table.at[1])
        for number, raw in table.lines:
            handed_in.name(number, _("not read, for its columns are not known"), raw)
        yield handed_in
        return
    whose: dict[str, list[tuple[str, Line | None, int]]] = defaultdict(list)
    for number, raw, cells in rows:
        row = dict(zip(columns, cells, strict=False))
        fits = len(cells) <= len(columns) or not any(cells[len(columns) :])
        whose[clean(row.get(STUDENT, "")) or name].append((raw, Line(number, row) if fits else None, number))
    if not whose:
        handed_in = HandIn(name)
        handed_in.name(table.at[0], _("there are no rows below the names of the columns"), table.at[1])
        yield handed_in
    mark = rounds_csv.decimal_mark([line for lines in whose.values() for _raw, line, _number in lines if line])
    for student, lines in whose.items():
        handed_in = HandIn(student)
        for twice in aside:
            there = _("there are two columns of that name; it is worked out from the bids")
            handed_in.name(table.at[0], there, table.at[1], twice, lost=False)
        aside = []
        yield _Reader(handed_in, lines, mark).read()


def _columns(names: tuple[str, ...], rows: list[list[str]]) -> tuple[list[str], list[str], str]:
    """The columns of a table, those that are there twice but not needed, and what is wrong: "" if all are there.

    One damaged name is taken for the one that lacks. Two columns of one name are one, if they say the same.
    """
    columns, aside = [*names], list[str]()
    for name in _KNOWN:
        places = [place for place, there in enumerate(columns) if there == name]
        if len(places) < 2 or all(len({tuple(row[place : place + 1]) for place in places}) == 1 for row in rows):
            continue
        if name not in DERIVED:
            return (
                columns,
                [],
                _("there are {n} columns {name}, and they differ: which one counts?").format(n=len(places), name=name),
            )
        aside.append(name)
        columns = ["" if there == name else there for there in columns]
    missing = [name for name in _NEEDED if name not in columns]
    strange = [place for place, name in enumerate(columns) if name and name not in _KNOWN]
    if len(missing) == len(strange) == 1:
        columns[strange[0]] = missing.pop()
    problem = _("these columns are missing: {names}").format(names=", ".join(missing)) if missing else ""
    return columns, aside, problem


# Rounds


class _Reader:
    """Reads one student's lines, round by round."""

    def __init__(
        self, handed_in: HandIn, lines: list[tuple[str, Line | None, int]], mark: numerals.Mark | None
    ) -> None:
        self.handed_in = handed_in
        self.mark = mark
        self.raw = {number: raw for raw, _line, number in lines}
        self.lines = [line for _raw, line, _number in lines if line]
        for raw, line, number in lines:
            if line:
                line.mark = mark
            else:
                handed_in.name(number, _("it has more cells than there are columns"), raw)
        self.usual = {name: Counter(line.row.get(name) for line in self.lines) for name in ("format", "values")}
        self.aside = {name: self._most(name) for name in _ASIDE}
        self.strategies: dict[int, Counter[str]] = defaultdict(Counter)  # by bidder

    def _most(self, column: str) -> str:
        """Return what most lines say, of those that say something possible."""
        said = Counter(line.row.get(column) or "" for line in self.lines)
        can_be: Callable[[str], object] = self._is_seed if column == "seed" else bool
        return next((text for text, _n in said.most_common() if can_be(text)), "")

    def _is_seed(self, text: str) -> bool:
        try:
            return bool(_DIGITS.fullmatch(text)) and numerals.whole(text, self.mark or ".") >= 0
        except numerals.NotANumber:
            return False

    def read(self) -> HandIn:
        """Read all rounds, the good ones as rows, the others as problems."""
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
        played = rounds_csv.round_of(format, place, lines)
        if played.status is not Status.OPEN:
            _check_types(values, played, lines)
        strategies = tuple(line.row["strategy"] for line in lines[1:])
        seed = numerals.whole(self.aside["seed"] or "0", self.mark or ".")
        game = Experiment(format, values, strategies, seed, (played,), self.aside["version"])
        written = [row | {"round": place} for row in rounds_csv.rows(game)]
        for line, row in zip(lines, written, strict=True):
            self._compare(line, row)
        yield from written

    def _same(self, column: str, lines: list[Line], kind: Callable[[str], Any]) -> Any:
        """Return what all lines of the round say in a column."""
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
                if column == "seed" and not usual:
                    taken = _("it cannot be read, and 0 is taken")
                self._name(line.wrong(column, taken), lost=False)


def _says(line: Line, column: str, true: float | None) -> bool:
    """Return True if a cell says a number, or is empty for None."""
    if true is None or not line.row[column]:
        return true is None and not line.row[column]
    found = numerals.readings(line.row[column])
    said = [found[line.mark]] if line.mark in found else [*found.values()]
    allowed = max(_NEARLY, 1e-9 * abs(true))
    return any(abs(value - Fraction(true)) <= allowed for value in said)  # exact: a cell may say 1e400


def _placed(line: Line, column: str, least: int) -> int:
    """The number of a round or a bidder."""
    number = line.whole(column)
    if number < least:
        raise line.wrong(column, _("numbers begin at {least}").format(least=least))
    return number


def _check_types(values: ValueModel, played: Round, lines: list[Line]) -> None:
    """Types must be such as are drawn; a private value is what a unit is worth, one in common is the same to all."""
    low, high = values.span
    usual = max(played.worths, key=played.worths.count)
    off = _TYPES_OFF * (high - low)
    for line, known, worth in zip(lines, played.types, played.worths, strict=True):
        if not low - off <= known <= high + off:
            raise line.wrong("type", _("it lies between {low:g} and {high:g}").format(low=low, high=high))
        if values.private and abs(known - worth) > _NEARLY:
            raise line.wrong("worth", _("with these values it is the type, {type:g}").format(type=known))
        if not values.private and abs(usual - worth) > _NEARLY:
            raise line.wrong("worth", _("the other bidders of the round have {usual!r}").format(usual=f"{usual:g}"))


def _remembered(kind: Callable[[str], Any], text: str) -> Any:
    """Return what a cell says that is the same in hundreds of rows."""
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


_format: Final = partial(_remembered, rounds_csv.format_of)
_values: Final = partial(_remembered, rounds_csv.values_of)
