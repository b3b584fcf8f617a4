"""Tables that people write: the rows of a CSV file, each with the place that an error names."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path

from tradekit.game import ParseError
from tradekit.i18n import _


def read_file(path: str | PathLike[str]) -> str:
    """The text of a file that a person has written; raises `ParseError` for one that holds no text.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mine.csv")
    ...     written = path.write_bytes("maíz".encode("latin-1"))
    ...     read_file(path)
    'maíz'
    """
    text = decoded(Path(path).read_bytes())
    if "\0" in text:  # a spreadsheet program's own file, a picture
        raise ParseError(_("{file}: that is no text; save it as CSV, and read that").format(file=Path(path).name))
    return text


def decoded(content: bytes) -> str:
    """Text in whatever encoding, and with whatever line ends, a spreadsheet has chosen.

    >>> [decoded("maíz\\r\\n".encode(code)) for code in ("utf-8", "utf-8-sig", "utf-16", "latin-1")]
    ['maíz\\n', 'maíz\\n', 'maíz\\n', 'maíz\\n']
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = content.decode("utf-16", "replace")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("latin-1")
    return io.StringIO(text, newline=None).read()


def read_rows(
    file: str, text: str, *columns: str, optional: Sequence[str] = ()
) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a CSV text as ``(place, {column: cell})``; other columns and empty rows are let be.

    Raises `ParseError` that names the file, the line and the column for what is missing; `optional` columns may be, and
    then their cells are empty.

    >>> list(read_rows("my.csv", "ware, note\\nRWBGY*, mine", "ware"))
    [('my.csv, line 2: ', {'ware': 'RWBGY*'})]
    """
    rows = csv.DictReader(io.StringIO(text), skipinitialspace=True)
    header = [name.strip() for name in rows.fieldnames or ()]
    rows.fieldnames = header
    for column in columns:
        if column not in header:
            raise ParseError(
                _("{file}, line 1: no column {column!r}; needed are {needed}, found {found}").format(
                    file=file, column=column, needed=",".join(columns), found=",".join(header) or _("nothing")
                )
            )
    for row in rows:
        where = _("{file}, line {n}: ").format(file=file, n=rows.line_num)
        if not any(isinstance(cell, str) and cell.strip() for cell in row.values()):
            continue  # an empty row of a spreadsheet
        cells = {column: (row.get(column) or "").strip() for column in (*columns, *optional)}
        for column in columns:
            if not cells[column]:
                raise ParseError(_("{where}nothing under {column!r}").format(where=where, column=column))
        yield where, cells


def whole(where: str, column: str, cell: str, least: int = 1) -> int:
    """A whole number of a cell, else `ParseError` that names its place."""
    if not cell.isdecimal() or int(cell) < least:
        raise ParseError(
            _("{where}{cell!r} under {column!r} is no whole number from {least} up").format(
                where=where, cell=cell, column=column, least=least
            )
        )
    return int(cell)
