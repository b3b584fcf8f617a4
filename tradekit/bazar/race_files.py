"""Files of numeric tables, mapped into memory and not read, and the folder for solved ones.

A file begins with 4,096 bytes of text, so that ``head -9`` describes it:

    tradekit tablebase 1
    rules: BZ-45
    equations: R=WW W=BG
    ware: RWBGY
    dtype: <f4
    shape: 2,3003,3003
    sha256: 5e88...

and the raw numbers follow. The checksum covers the other lines and the numbers. Incomplete files, and files that do not
match their description, are refused. A file appears in one step, so an interrupted save leaves the old file.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from tradekit._utils.atomic_files import UNFINISHED, whole_files
from tradekit._utils.machine import cache_folder
from tradekit.game import ParseError
from tradekit.i18n import _

VERSION: Final = 1
SUFFIX: Final = ".race"
_HEADING: Final = "tradekit tablebase"
_HEADER: Final = 4096  # bytes: a page, so that the numbers are aligned in memory
_DTYPE: Final = "<f4"

Tables = npt.NDArray[np.float32]
StrPath = str | os.PathLike[str]


def save(path: StrPath, facts: Mapping[str, str], tables: Sequence[Tables]) -> Path:
    """Write tables of one shape, and the `facts` that describe them; all of it or nothing.

    An older file stays until the new one is complete.
    """
    path = Path(path)
    shape = (len(tables), *tables[0].shape)
    lines = [f"{_HEADING} {VERSION}", *(f"{name}: {fact}" for name, fact in facts.items())]
    text = "\n".join([*lines, f"dtype: {_DTYPE}", f"shape: {','.join(map(str, shape))}", ""])
    raw = [np.ascontiguousarray(table, _DTYPE) for table in tables]
    header = f"{text}sha256: {_checksum(text, raw)}\n".encode()
    if len(header) > _HEADER:
        raise ValueError(_("too much to say for the header of {file}").format(file=path.name))
    with whole_files(path) as [file]:
        file.write(header.ljust(_HEADER, b"\n"))
        for table in raw:
            file.write(table.data)
    return path


def load(path: StrPath, *needed: str) -> tuple[dict[str, str], Tables]:
    """Return the facts of a file and its tables, mapped into memory read-only.

    Raises `ParseError` with the file's name for anything other than a complete table with these facts.
    """
    path = Path(path)
    try:
        return _load(path, needed)
    except ParseError as error:
        raise ParseError(f"{path.name}: {error}") from None


def _load(path: Path, needed: Sequence[str]) -> tuple[dict[str, str], Tables]:
    with path.open("rb") as file:
        header, size = file.read(_HEADER).decode("utf-8", "replace").rstrip("\n"), path.stat().st_size
    lines = header.split("\n")
    if not lines[0].startswith(_HEADING):
        raise ParseError(_("this is no table: it does not begin with {heading!r}").format(heading=_HEADING))
    version = lines[0].removeprefix(_HEADING).strip()
    if version != str(VERSION):
        raise ParseError(_("version {version!r}; this tradekit reads {known}").format(version=version, known=VERSION))
    facts = {name: fact.strip() for name, _sign, fact in (line.partition(":") for line in lines[1:])}
    for name in (*needed, "dtype", "shape", "sha256"):
        if name not in facts:
            raise ParseError(_("the header is damaged: it has no line {name!r}").format(name=name + ":"))
    sides = facts.pop("shape").split(",")
    if facts["dtype"] != _DTYPE or not all(map(str.isdecimal, sides)):
        raise ParseError(_("the header is damaged: {dtype!r} are no numbers of ours").format(dtype=facts["dtype"]))
    shape = tuple(map(int, sides))
    whole = _HEADER + prod(shape) * np.dtype(facts.pop("dtype")).itemsize
    if size != whole:
        message = _("the file is cut off or has grown: it has {size} bytes and should have {whole}")
        raise ParseError(message.format(size=size, whole=whole))
    tables: Tables = np.asarray(np.memmap(path, _DTYPE, "r", _HEADER, shape))
    if _checksum("".join(f"{line}\n" for line in lines[:-1]), tables) != facts.pop("sha256"):
        raise ParseError(_("the file is damaged: its checksum is another one; delete it, and solve it again"))
    return facts, tables


def _checksum(text: str, tables: Sequence[Tables] | Tables) -> str:
    found = hashlib.sha256(text.encode())
    for table in tables:
        found.update(table.data)
    return found.hexdigest()


@dataclass(frozen=True)
class Cache:
    """Folder of solved races, 72 MB each, so that each is solved only once: `bazar.cache()`.

    On a machine without a place for it (`folder` is None), races stay in memory.
    """

    folder: Path | None

    @property
    def files(self) -> list[Path]:
        """Files in the folder, including the remains of an interrupted save."""
        if self.folder is None:
            return []
        try:
            found = [path for suffix in (SUFFIX, UNFINISHED) for path in self.folder.glob(f"*{suffix}")]
        except OSError:  # a folder that this user may not even look into
            return []
        return sorted(found)

    @property
    def size(self) -> int:
        """Total size of the files, in bytes."""
        return sum(path.stat().st_size for path in self.files)

    def path(self, *about: str) -> Path | None:
        """Return the file for a table with these facts; None if there is no place for it."""
        return self.folder and self.folder / (hashlib.sha256("\n".join(about).encode()).hexdigest()[:24] + SUFFIX)

    def clear(self) -> int:
        """Delete all files and return their number."""
        files = self.files
        for path in files:
            path.unlink(missing_ok=True)
        return len(files)

    def __str__(self) -> str:
        if self.folder is None:
            return _("there is no folder for it on this machine; what is solved stays in memory")
        return _("{n} tables, {size:.0f} MB, in {folder}").format(
            n=len(self.files), size=self.size / 1e6, folder=self.folder
        )

    def __repr__(self) -> str:
        return f"<Cache: {self}>"


def cache() -> Cache:
    """Return this user's cache; the folder is made when the first race is saved.

    >>> cache().size >= 0
    True
    """
    return Cache(cache_folder())
