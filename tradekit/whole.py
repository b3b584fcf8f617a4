"""Files that come to be in one moment: whole, or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, Final

UNFINISHED: Final = ".part"  #: ends the name of a file that is still being written, or never was finished


@contextmanager
def whole_files(*paths: str | os.PathLike[str]) -> Iterator[Sequence[BinaryIO]]:
    """Files to write to, which take their places when all are written: until then, and after an error, what was there
    stays.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "note")
    >>> with whole_files(path) as [file]:
    ...     print(file.write(b"all of it"), path.exists())
    9 False
    >>> path.read_text()
    'all of it'
    """
    parts = [Path(f"{os.fspath(path)}.{secrets.token_hex(4)}{UNFINISHED}") for path in paths]
    try:
        with ExitStack() as stack:
            files = [stack.enter_context(part.open("xb")) for part in parts]
            yield files
            for file in files:
                file.flush()
                os.fsync(file.fileno())
        for part, path in zip(parts, paths, strict=True):
            os.replace(part, path)
    finally:
        for part in parts:
            part.unlink(missing_ok=True)
