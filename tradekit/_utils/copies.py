"""Copies of files that come with tradekit, for the reader to change: complete, or not there at all."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Collection
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from tradekit._utils.atomic_files import UNFINISHED

LEFT_OUT: Final = ("__pycache__", ".ipynb_checkpoints")  #: folders that contain nobody's notebooks


def copy(source: Traversable, folder: Path, suffixes: Collection[str] = (".ipynb",)) -> None:
    """Copy a folder's files of these suffixes, and those below it, to a new folder, which appears once it is complete.

    The source can be read-only or inside an archive: contents are copied, but not permissions. Raises `FileExistsError`
    if the folder exists already, and `OSError` if it cannot be written; nothing is left behind then.

    >>> from importlib.resources import files
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as home:
    ...     copy(files("tradekit_data"), Path(home) / "mine", [".csv"])
    ...     (Path(home) / "mine" / "bazar" / "wares.csv").exists()
    True
    """
    if folder.exists():
        raise FileExistsError(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = folder.with_name(f"{folder.name}.{secrets.token_hex(4)}{UNFINISHED}")
    try:
        _copy(source, part, suffixes)
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _copy(source: Traversable, folder: Path, suffixes: Collection[str]) -> None:
    folder.mkdir()
    for entry in source.iterdir():
        if entry.is_dir():
            if entry.name not in LEFT_OUT:
                _copy(entry, folder / entry.name, suffixes)
        elif entry.name.endswith(tuple(suffixes)):
            (folder / entry.name).write_bytes(entry.read_bytes())
