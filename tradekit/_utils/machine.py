"""Things a machine may lack: a home directory, a folder for caches, a terminal that can show our letters."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

#: Variables for the folders that Jupyter and IPython write to, which are below the home directory by default.
_JUPYTER: Final = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
_told: set[str] = set()


def tell_once(message: str) -> None:
    """Warn, the first time only, that something cannot be done as wished."""
    if message not in _told:
        _told.add(message)
        warnings.warn(message, UserWarning, stacklevel=3)


def cache_folder() -> Path | None:
    """Return this user's folder for caches, which may not exist yet; None if the machine does not name one.

    >>> folder = cache_folder()
    >>> folder is None or folder.name == "tradekit"
    True
    """
    try:
        from platformdirs import user_cache_path

        folder = user_cache_path("tradekit", appauthor=False)
    except (ImportError, RuntimeError, OSError, KeyError):
        return None
    return folder if folder.is_absolute() else None  # "~" is left as it is on a machine without a home directory


def can_write(folder: Path) -> bool:
    """Return whether a file can be made in a folder, by making one: on some systems permissions do not tell."""
    try:
        with TemporaryDirectory(dir=folder):
            return True
    except OSError:
        return False


def _home() -> Path | None:
    try:
        home = Path.home()
    except (RuntimeError, KeyError, OSError):
        return None
    return home if home.is_absolute() and can_write(home) else None


@contextmanager
def some_home() -> Iterator[bool]:
    """Provide a home directory to the programs started within, so that Jupyter runs even if the user has none.

    Yields whether the home directory is borrowed; a borrowed one is deleted afterwards.
    """
    if _home() is not None:
        yield False
        return
    kept = dict(os.environ)
    with TemporaryDirectory(prefix="tradekit-", ignore_cleanup_errors=True) as folder:
        os.environ["HOME"] = os.environ["USERPROFILE"] = folder
        for name in _JUPYTER:
            os.environ.setdefault(name, str(Path(folder, name.lower())))
        try:
            yield True
        finally:
            os.environ.clear()
            os.environ.update(kept)


def speak_plainly() -> None:
    """Make standard output and errors replace letters that the terminal cannot show, rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def why(error: OSError) -> str:
    """Return the system's message for an error and the file it is about, without the error's number.

    >>> import errno
    >>> why(FileNotFoundError(errno.ENOENT, "No such file or directory", "deck.csv"))
    'deck.csv: No such file or directory'
    """
    said = error.strerror or str(error)
    return f"{os.fsdecode(error.filename)}: {said}" if isinstance(error.filename, str | bytes | os.PathLike) else said
