"""Tables that people write: the rows of a CSV file, each with the place that an error names."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from tradekit.game import ParseError
from tradekit.i18n import _


def read_rows(file: str, text: str, *columns: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a CSV text as ``(place, {column: cell})``; other columns and empty rows are let be.

    Raises `ParseError` that names the file, the line and the column for what is missing.

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
        cells = {column: (row[column] or "").strip() for column in columns}
        for column, cell in cells.items():
            if not cell:
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
