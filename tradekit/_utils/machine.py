"""What a machine may lack: a home directory, a folder for caches, a terminal that knows our letters."""

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

#: Where Jupyter and IPython keep what they write, below the home directory unless these say otherwise.
_JUPYTER: Final = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
_told: set[str] = set()


def tell_once(message: str) -> None:
    """Warn of something that goes on otherwise than wished, the first time only."""
    if message not in _told:
        _told.add(message)
        warnings.warn(message, UserWarning, stacklevel=3)


def cache_folder() -> Path | None:
    """This user's folder for caches, which need not be there yet; None if the machine does not say where it would be.

    >>> folder = cache_folder()
    >>> folder is None or folder.name == "tradekit"
    True
    """
    try:
        from platformdirs import user_cache_path

        folder = user_cache_path("tradekit", appauthor=False)
    except (ImportError, RuntimeError, OSError, KeyError):
        return None
    return folder if folder.is_absolute() else None  # "~" stays as it is where nobody knows whose home it is


def can_write(folder: Path) -> bool:
    """Whether a file can be made in a folder, tried out: on some systems permissions do not tell."""
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
    """A home directory for the programs started within, so that Jupyter runs without one of the user's; True if it is
    borrowed, and gone afterwards.
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
    """Have standard output and errors replace letters that the terminal does not know, rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def why(error: OSError) -> str:
    """What the system said, without its number, and of which file.

    >>> import errno
    >>> why(FileNotFoundError(errno.ENOENT, "No such file or directory", "deck.csv"))
    'deck.csv: No such file or directory'
    """
    said = error.strerror or str(error)
    return f"{os.fsdecode(error.filename)}: {said}" if isinstance(error.filename, str | bytes | os.PathLike) else said
