"""Tables that people bring: hand-ins, decks and records, in any form that a spreadsheet, a mail or a zip gave them.

    text = decode(content)         # any encoding, with or without its mark
    why_no_text(content)           # "it is a spreadsheet program's own file; ..." for what is none
    read_rows("my.csv", text, "card", "equation")

A table is lines of cells under a header, which itself shows the separator (`find_header`): a comma, semicolon, tab or
bar. Names of columns can have any case and any spaces. Errors name what cannot be read, and nothing is skipped.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Final, NamedTuple
from unicodedata import category

from tradekit._utils import numerals
from tradekit._utils.display_names import clean
from tradekit._utils.errors import ParseError
from tradekit.i18n import _

SEPARATORS: Final = ",;\t|"
_LONG_CELL: Final = 60  #: the most lines that a cell can have
_MARKS: Final = {
    b"\xff\xfe\0\0": "utf-32", b"\0\0\xfe\xff": "utf-32", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16",
    b"\xef\xbb\xbf": "utf-8-sig",
}  # fmt: skip
_BYTES: Final = ("cp1252", "mac_roman", "cp850")  # encodings of one byte per letter that spreadsheets write
#: Other names of our columns, as a Spanish class writes them.
_ALSO: Final = {
    "tarjeta": "card", "carta": "card", "ecuacion": "equation", "mercancia": "ware", "estrella": "star",
    "estrellas": "star", "stars": "star", "wares": "ware", "cards": "card", "equations": "equation", "bien": "good",
    "tres": "three", "dos": "two", "uno": "one", "clasico": "classic", "nuevo": "new", "espanol": "spanish",
}  # fmt: skip
_ACCENTS: Final = str.maketrans("áéíóúñ", "aeioun")
_YES: Final = {"1", "true", "yes", "y", "x", "*", "★", "verdadero", "si", "s", "wahr", "ja", "vrai", "oui", "vero"}
_NO: Final = {"", "0", "false", "no", "n", "-", "falso", "falsch", "nein", "faux", "non"}
#: A spreadsheet's mark for a cell that it could not work out.
_FAILED: Final = re.compile(r"#[¡¿]?(?:[A-ZÁÉÍÓÚÑÄÖÜ0-9/]{2,}[?!]|N/[AD]\b|NV\b|#+$)")
_APOSTROPHE: Final = re.compile(r"\b(?:\w|qu)’\w|’(?:s|t|ll|re|ve)\b")
_DATE: Final = re.compile(
    r"\d{1,2}[-./ ](?:\d{1,2}|[^\W\d]{3,10})\.?[-./ ]\d{2,4}|\d{4}-\d\d-\d\d(?:[ T].*)?"
    r"|\d{1,2}[-./ ]+(?P<before>[^\W\d]{3,10})\.?|(?P<after>[^\W\d]{3,10})[-./ ]+\d{1,4}"
)
_MONTHS: Final = (  # how the names of months begin
    "jan ene feb fév mar mär apr abr avr may mai jun juin jul juil aug ago aoû sep oct okt nov dec dic dez déc"
)


# Text


def decode(content: bytes | str) -> str:
    """Return text from any encoding and any line ends that a spreadsheet has chosen.

    A byte order mark is removed, also from pasted text. Text without one is UTF-16 if every other byte is 0; otherwise
    UTF-8 if it is valid; otherwise Windows-1252. If Windows-1252 gives signs within words, the encoding that gives the
    best words wins: Windows-1252, Mac Roman or code page 850.

    >>> [decode("maíz\\r\\n".encode(code)) for code in ("utf-8-sig", "utf-16", "utf-16-le", "cp1252", "mac_roman")]
    ['maíz\\n', 'maíz\\n', 'maíz\\n', 'maíz\\n', 'maíz\\n']
    """
    text = content if isinstance(content, str) else _text(content)
    for mark in ("\ufeff", "ï»¿"):  # the second is the first one, copied as if it were Windows-1252
        text = text.removeprefix(mark)
    return io.StringIO(text.rstrip("\x1a"), newline=None).read()


def _text(content: bytes) -> str:
    code = next((code for mark, code in _MARKS.items() if content.startswith(mark)), None) or _without_zeros(content)
    if code:
        return content.decode(code, "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        first, *others = (_of_bytes(content, code) for code in _BYTES)
        if min(_fits(first), default=0) >= 0:
            return first
        return max([first, *others], key=lambda text: sum(_fits(text)))


def _without_zeros(content: bytes) -> str | None:
    """Return the UTF-16 encoding of text without a byte order mark, if every other byte is mostly 0."""
    even, odd = content[:4096:2], content[1:4096:2]
    for code, zeros, letters in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if zeros and zeros.count(0) > 0.7 * len(zeros) and letters.count(0) < 0.05 * len(letters):
            return code
    return None


def _of_bytes(content: bytes, code: str) -> str:
    """Return text from one byte per letter; the five bytes without a letter in Windows-1252 become those of Latin-1."""
    text = content.decode(code, "surrogateescape")
    return re.sub("[\udc80-\udcff]", lambda byte: chr(ord(byte[0]) - 0xDC00), text)


def _fits(text: str) -> Iterator[int]:
    """Yield how well each sign beyond ASCII fits its place in a text: a letter within a word, a dash between words."""
    for found in re.finditer(r"[^\x00-\x7f]", text[:100_000]):
        sign, at = found[0], found.start()
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        inside = before.isalpha() and after.isalpha()
        if category(sign) in ("Lu", "Ll") and sign != "ƒ":  # ˆ and ˜ count as letters elsewhere
            yield 1 if sign.islower() or not before.islower() else -1
        elif sign == "’" and _APOSTROPHE.search(text[max(0, at - 3) : at + 4]):
            yield 1
        elif inside or sign not in "ªº«»“”„‘’–—…·°€£¿¡½¼¾±×\xa0":
            yield -2


def lines(text: str) -> list[tuple[int, str]]:
    """Return the lines of a text with their numbers, from 1; characters at which only Python ends lines stay inside.

    >>> lines("a\\x0bb\\r\\nc")
    [(1, 'a\\x0bb'), (2, 'c')]
    """
    return list(enumerate(re.split(r"\r\n|\r|\n", text), 1))


def failed(text: str) -> bool:
    """Return whether a text begins with a spreadsheet's mark for a failed cell, which is not a comment.

    >>> failed("#NAME?"), failed("#¿NOMBRE?"), failed("# my cards"), failed("#1!")
    (True, True, False, False)
    """
    return bool(_FAILED.match(text.strip()))


def without_comment(line: str) -> str:
    """Return the text before a ``#``, which begins a comment unless it is a spreadsheet's mark for a failed cell.

    >>> without_comment("R=WW  # red"), without_comment("#NAME?")
    ('R=WW', '#NAME?')
    """
    place = next((at.start() for at in re.finditer("#", line) if not failed(line[at.start() :])), len(line))
    return line[:place].strip()


def is_date(text: str) -> bool:
    """Return whether a spreadsheet has turned a cell into a date.

    >>> [is_date(text) for text in ("01. Feb", "12-may", "Jan 25", "2025-03-01", "1.5", "2 1/2", "roll 2")]
    [True, True, True, True, False, False, False]
    """
    found = _DATE.fullmatch(text.strip())
    month = found and (found["before"] or found["after"])
    return bool(found) and (not month or month.casefold().startswith(tuple(_MONTHS.split())))


# What it is


def why_no_text(content: bytes | str) -> str:
    """Return why a file does not hold a table, and what to do about it; "" for text.

    >>> why_no_text(b"%PDF-1.7")
    'it is a PDF: save the table itself as CSV, and read that'
    >>> why_no_text("card,equation")
    ''
    """
    head = content[:2048].encode("latin-1", "replace") if isinstance(content, str) else content[:2048]
    if head.startswith(b"PK\x03\x04"):
        kind = _kind_of_zip(content)
        if kind == "zip":
            return _("it is a packed file: unpack it, and read the CSV file in it")
        if kind == "other":
            return _("it is a document of another program: save the table in it as CSV, and read that")
        if kind == "spreadsheet":
            return _("it is a spreadsheet program's own file: save it as CSV there, and hand in that")
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        return _("it is a spreadsheet program's own file: save it as CSV there, and hand in that")
    if head.startswith((b"7z\xbc\xaf", b"Rar!", b"\x1f\x8b")):
        return _("it is a packed file: unpack it, and read the CSV file in it")
    if head.startswith(b"%PDF"):
        return _("it is a PDF: save the table itself as CSV, and read that")
    text = decode(content)
    if is_notebook(text):
        return _("it is a notebook: save the table as CSV, and read that")
    if is_page(text):
        return _("it is a web page: save the table itself as CSV, and read that")
    return _("that is no text; save it as CSV, and read that") if "\0" in text else ""


def _kind_of_zip(content: bytes | str) -> str:
    """Return the kind of program that made a zip: "spreadsheet", "other", "zip" for none; "" if it is damaged."""
    if isinstance(content, str):
        return "spreadsheet"  # pasted text cannot be unpacked
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            mime = archive.read("mimetype").decode("ascii", "replace") if "mimetype" in names else ""
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError, ValueError):
        return ""
    if any(name.startswith("xl/") for name in names) or "spreadsheet" in mime or "Index/Document.iwa" in names:
        return "spreadsheet"
    return "other" if mime or "[Content_Types].xml" in names else "zip"


def is_zip(content: bytes) -> bool:
    """Return whether a file is a zip of files, rather than a document of some program."""
    return content.startswith(b"PK\x03\x04") and _kind_of_zip(content) == "zip"


def is_notebook(text: str) -> bool:
    """Return whether a text is a Jupyter notebook."""
    return text.lstrip().startswith("{") and '"cells"' in text


def is_page(text: str) -> bool:
    """Return whether a text is HTML.

    >>> is_page("<!DOCTYPE html>\\n<html>"), is_page("a < b")
    (True, False)
    """
    begins = r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body|table|div|meta)\b"
    return bool(re.match(begins, text, re.IGNORECASE))


def read_file(path: str | PathLike[str]) -> str:
    """Return the text of a file that a person has written; raises `ParseError` that names its kind if it is not text.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mine.csv")
    ...     written = path.write_bytes("Škoda".encode("cp1252"))
    ...     read_file(path)
    'Škoda'
    """
    content = Path(path).read_bytes()
    if why := why_no_text(content):
        raise ParseError(f"{Path(path).name}: {why}")
    return decode(content)


# Lines of cells


class Header(NamedTuple):
    """The line that names the columns."""

    separator: str
    columns: tuple[str, ...]  #: in the form of `column`


@lru_cache(1024)
def column(name: str) -> str:
    """Return the standard form of a column's name.

    >>> column(' Best Bid'), column('"Ecuación"')
    ('best_bid', 'equation')
    """
    form = re.sub(r"[\s_-]+", "_", clean(name).strip('"“”').strip().casefold())
    return _ALSO.get(form.translate(_ACCENTS), form)


def find_header(raw: str, known: Collection[str]) -> tuple[Header, int]:
    """Return a line as a header, with the separator that gives most of the `known` columns, and how many these are."""
    found = []
    for separator in SEPARATORS:
        others = SEPARATORS.replace(separator, "") + " "  # empty cells, if a line sits in one
        columns = tuple(column(name) for name in split(raw.rstrip(others), separator))
        found.append((len({*columns} & {*known}), len(columns), separator, columns))
    count, _most, separator, columns = max(found, key=lambda one: one[:2])
    return Header(separator, columns), count


def said_separator(raw: str) -> str:
    """Return the separator that a line ``sep=;`` announces to a spreadsheet; "" for any other line.

    >>> said_separator("sep=;"), said_separator("a;b")
    (';', '')
    """
    found = re.fullmatch(r'\s*"?sep=(.)"?[\s,;|]*', raw, re.IGNORECASE)
    return found[1] if found else ""


def is_empty(raw: str) -> bool:
    """Return whether a line has nothing but separators and quotes."""
    return not raw.strip(SEPARATORS + ' "\xa0\r\n')


@lru_cache(8)
def _cell(separator: str) -> re.Pattern[str]:
    sign = re.escape(separator)
    return re.compile(rf'[^\S{sign}]*"([^"]*(?:""[^"]*)*)(?:"|$)([^{sign}]*)({sign}|$)|([^{sign}]*)({sign}|$)')


def split(raw: str, separator: str) -> list[str]:
    """Return the cells of a line. A quote that is not closed extends to the end of its line.

    A spreadsheet set to another language, which did not recognise our separator, has put a whole line into one cell:
    that cell is split as well.

    >>> split('1;"a; b";2', ";"), split('"1,""a, b"",2"', ",")
    (['1', 'a; b', '2'], ['1', 'a, b', '2'])
    """
    if '"' not in raw:
        return [cell.strip() for cell in raw.split(separator)]
    cells = []
    for found in _cell(separator).finditer(raw):
        quoted, rest, end, bare, bare_end = found.groups()
        cells.append((bare if quoted is None else quoted.replace('""', '"') + rest).strip())
        if not (bare_end if quoted is None else end):
            break
    if len(cells) == 1 and separator in cells[0] and raw.lstrip().startswith('"'):
        return split(cells[0].rstrip(SEPARATORS.replace(separator, "")), separator)
    return cells


def rows_of(numbered: Iterable[tuple[int, str]], header: Header) -> Iterator[tuple[int, str, list[str]]]:
    """Yield number, text and cells of each line below a header.

    A cell in quotes can span several lines, if the row then has as many cells as there are columns; a quote that is
    never closed ends with its line.
    """
    waiting = list(numbered)
    at = 0
    while at < len(waiting):
        number, raw = waiting[at]
        at += 1
        if raw.count('"') % 2 and _ends(raw, header.separator) == "open":
            joined = raw
            for more in range(at, min(at + _LONG_CELL, len(waiting))):
                joined += "\n" + waiting[more][1]
                if '"' in waiting[more][1] and (end := _ends(joined, header.separator)) != "open":
                    cells = split(joined, header.separator)
                    if end == "closed" and len(cells) >= len(header.columns) and not any(cells[len(header.columns) :]):
                        raw, at = joined, more + 1
                    break
        yield number, raw, split(raw, header.separator)


def _ends(raw: str, separator: str) -> str:
    """Return how the last cell ends: "open" within quotes, "closed", or "wrong" if text follows quotes in any cell."""
    for found in _cell(separator).finditer(raw):
        quoted, rest, end, _bare, bare_end = found.groups()
        if quoted is not None:
            if rest.strip():
                return "wrong"
            if not end:
                closed = raw.rstrip().endswith('"') and found[0].count('"') % 2 == 0
                return "closed" if closed else "open"
        elif not bare_end:
            break
    return "closed"


# A table of known columns


def read_rows(
    file: str, text: str, *columns: str, optional: Sequence[str] = ()
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the rows of a table as ``(place, {column: cell})``, without other columns and empty rows.

    Raises `ParseError` that names the file, the line and the column if anything is missing or repeated; `optional`
    columns may be missing, and their cells are empty then.

    >>> list(read_rows("my.csv", "sep=;\\nWare; note\\nRWBGY*; mine", "ware"))
    [('my.csv, line 3: ', {'ware': 'RWBGY*'})]
    """
    known = (*columns, *optional)
    there = lines(decode(text))
    while there and (is_empty(there[0][1]) or said_separator(there[0][1])):
        del there[0]
    number, raw = there[0] if there else (1, "")
    header, _count = find_header(raw, known)
    for name in known:
        if header.columns.count(name) > 1:
            raise ParseError(
                _("{file}, line {n}: there are {many} columns {column!r}; which one counts?").format(
                    file=file, n=number, many=header.columns.count(name), column=name
                )
            )
    for name in columns:
        if name not in header.columns:
            raise ParseError(
                _("{file}, line {n}: no column {column!r}; needed are {needed}, found {found}").format(
                    file=file, n=number, column=name, needed=",".join(columns),
                    found=",".join(filter(None, header.columns)) or _("nothing"),
                )
            )  # fmt: skip
    for number, raw, cells in rows_of(there[1:], header):
        if not any(cells):
            continue  # an empty row
        where = _("{file}, line {n}: ").format(file=file, n=number)
        if any(cells[len(header.columns) :]):
            raise ParseError(
                _("{where}it has {n} cells, and there are {columns} columns: {raw!r}").format(
                    where=where, n=len(cells), columns=len(header.columns), raw=raw
                )
            )
        row = dict(zip(header.columns, cells, strict=False))
        chosen = {name: clean(row.get(name, "")) for name in known}
        for name in columns:
            if not chosen[name]:
                raise ParseError(_("{where}nothing under {column!r}").format(where=where, column=name))
        for name, cell in chosen.items():
            if why := spoiled(cell):
                raise ParseError(
                    _("{where}{cell!r} under {column!r}: {why}").format(where=where, cell=cell, column=name, why=why)
                )
        yield where, chosen


def spoiled(cell: str) -> str:
    """Return what a spreadsheet has done to a cell; "" for nothing.

    >>> spoiled("01. Feb")
    'a spreadsheet has made a date of it; type it again, in a cell set to text'
    """
    if failed(cell):
        return _("a spreadsheet could not work it out; type it again, in a cell set to text")
    return _("a spreadsheet has made a date of it; type it again, in a cell set to text") if is_date(cell) else ""


def has_columns(text: str, *columns: str) -> bool:
    """Return whether the first line of a text, or the one after ``sep=``, names all these columns."""
    there = [raw for _number, raw in lines(decode(text)) if not is_empty(raw) and not said_separator(raw)]
    return bool(there) and {*columns} <= {*find_header(there[0], columns)[0].columns}


def whole(where: str, name: str, cell: str, least: int = 1) -> int:
    """Return the whole number in a cell; raises `ParseError` that names its place."""
    try:
        number = numerals.whole(cell)
    except numerals.TwoReadings as error:
        raise ParseError(f"{where}{error}") from None
    except numerals.NotANumber:
        number = least - 1
    if number < least:
        raise ParseError(
            _("{where}{cell!r} under {column!r} is no whole number from {least} up").format(
                where=where, cell=cell, column=name, least=least
            )
        )
    return number


def yes(where: str, name: str, cell: str) -> bool:
    """Return whether a cell means yes, as a spreadsheet or a person writes it; raises `ParseError` if it means neither.

    >>> [yes("", "star", cell) for cell in ("1", "VERDADERO", "x", "", "FALSE", "sí")]
    [True, True, True, False, False, True]
    """
    said = cell.strip("'").casefold().translate(_ACCENTS)
    said = re.sub(r"^([01])[.,]0+$", r"\1", said)
    if said not in _YES | _NO:
        raise ParseError(
            _("{where}{cell!r} under {column!r}: 1 or 0, yes or no is needed").format(
                where=where, cell=cell, column=name
            )
        )
    return said in _YES
