"""Files written in one step: complete or not at all, and by one writer at a time.

Whatever a person has set up about a file stays: a link still points to the same place, two names of one file still name
one file, and it keeps its owner, permissions and attributes. A file that must not be written to is not replaced either.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO, Final

try:
    import fcntl
except ImportError:  # Windows: several writers are not kept apart there
    fcntl = None  # type: ignore[assignment]

UNFINISHED: Final = ".part"  #: suffix of a file that is still being written, or was never finished

PATIENCE: Final = 5.0  #: seconds to wait for another writer

StrPath = str | os.PathLike[str]


@contextmanager
def whole_files(*paths: StrPath) -> Iterator[Sequence[BinaryIO]]:
    """Open files that take their places once all are written: until then, and after an error, the old ones stay.

    Raises `OSError` for a file that cannot be written, and then has changed nothing.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "note")
    >>> with whole_files(path) as [file]:
    ...     print(file.write(b"all of it"), path.exists())
    9 False
    >>> path.read_text()
    'all of it'
    """
    with ExitStack() as stack:
        places = [_Place(path, stack) for path in paths]
        yield [place.file for place in places]
        for place in places:
            place.finish()
        for place in places:
            place.take()


def write_whole(path: StrPath, content: bytes | str) -> Path:
    """Write a file in one step, text as UTF-8; returns its path.

    >>> import tempfile
    >>> write_whole(Path(tempfile.mkdtemp(), "note"), "all of it").read_bytes()
    b'all of it'
    """
    with whole_files(path) as [file]:
        file.write(content.encode() if isinstance(content, str) else content)
    return Path(path)


class _Place:
    """A file written next to its final place."""

    def __init__(self, path: StrPath, stack: ExitStack) -> None:
        self.path = Path(os.path.realpath(path))  # the target, if it is a link
        self.there = _status(self.path)
        self.part: Path | None = None
        if self.there and not os.access(self.path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
        if self.there and stat.S_ISDIR(self.there.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        if self.there and not stat.S_ISREG(self.there.st_mode):  # a device or a pipe: there is nothing to keep
            self.file: BinaryIO = stack.enter_context(self.path.open("wb"))
            return
        name = os.fsdecode(os.fsencode(self.path.name)[:200])  # a name can have at most 255 bytes
        part = self.path.with_name(f"{name}.{secrets.token_hex(4)}{UNFINISHED}")
        try:
            stack.callback(part.unlink, missing_ok=True)
            self.file = stack.enter_context(part.open("xb"))
            self.part = part
        except PermissionError:  # the folder takes no new files, but this one may be writable
            if not self.there:
                raise
            self.file = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  (the stack closes it)

    def finish(self) -> None:
        """Flush everything to the disk."""
        self.file.flush()
        with suppress(OSError) if self._is_special else ExitStack():
            os.fsync(self.file.fileno())

    @property
    def _is_special(self) -> bool:
        return self.there is not None and not stat.S_ISREG(self.there.st_mode)

    def take(self) -> None:
        """Put the new file in place of the old one, or copy its content into the old one if that must stay."""
        if self._is_special:
            return
        if self.part and (self.there is None or (self.there.st_nlink == 1 and _same_about(self.path, self.file))):
            self.file.close()  # Windows does not move open files
            os.replace(self.part, self.path)
        elif self.part:
            _overwrite(self.path, self.part.read_bytes())
        else:
            self.file.seek(0)
            _overwrite(self.path, self.file.read())


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _same_about(old: Path, new: IO[bytes]) -> bool:
    """Give a new file the owner, permissions and attributes of the old one; return whether that worked."""
    there = old.stat()
    try:
        here = os.fstat(new.fileno())
        if hasattr(os, "fchown") and (here.st_uid, here.st_gid) != (there.st_uid, there.st_gid):
            os.fchown(new.fileno(), there.st_uid, there.st_gid)
        if hasattr(os, "listxattr"):
            kept = {name: os.getxattr(old, name) for name in _attributes(old)}
            for name in _attributes(new.fileno()):
                if name not in kept:
                    os.removexattr(new.fileno(), name)
            for name, value in kept.items():
                os.setxattr(new.fileno(), name, value)
        if hasattr(os, "fchmod"):
            os.fchmod(new.fileno(), stat.S_IMODE(there.st_mode))
        else:
            os.chmod(new.name, stat.S_IMODE(there.st_mode))
    except OSError:
        return False
    return True


def _attributes(path: Path | int) -> list[str]:
    """Return the extended attributes of a file: access lists and whatever a person has added, but no system labels."""
    try:
        return [name for name in os.listxattr(path) if not name.startswith("security.")]
    except OSError as error:  # a file system without attributes
        if error.errno not in (errno.ENOTSUP, errno.ENOSYS, errno.EINVAL):
            raise
        return []


def _overwrite(path: Path, content: bytes) -> None:
    """Write into a file that stays in place: reserve the room first, and restore the old content if anything fails."""
    with path.open("r+b", buffering=0) as file:
        old = file.readall()
        try:
            if hasattr(os, "posix_fallocate") and len(content) > len(old):
                os.posix_fallocate(file.fileno(), 0, len(content))
            _write_all(file, content)
        except BaseException:
            _write_all(file, old)  # needs no more room than before
            raise


def _write_all(file: IO[bytes], content: bytes) -> None:
    """Write all of an unbuffered file's content."""
    file.seek(0)
    write_on(file, content)
    file.truncate(len(content))
    os.fsync(file.fileno())


def write_on(file: IO[bytes], content: bytes) -> None:
    """Write all of `content` to an unbuffered file, which may accept it in pieces."""
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]


@contextmanager
def one_writer(path: StrPath) -> Iterator[None]:
    """Keep other processes that want the same `path` waiting; does nothing where the system has no such locks.

    Raises `BlockingIOError` if another process does not release it within `PATIENCE` seconds.

    >>> import tempfile
    >>> with one_writer(tempfile.mkdtemp()):
    ...     print("alone")
    alone
    """
    with ExitStack() as stack:
        if fcntl is not None:
            try:
                handle = os.open(path, os.O_RDONLY)
                stack.callback(os.close, handle)
                _lock(handle, time.monotonic() + PATIENCE)
            except BlockingIOError:
                raise
            except OSError:  # a folder that cannot be opened, or a file system without locks
                pass
        yield


def _lock(handle: int, until: float) -> None:
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)


class GuardedFile:
    """A file that is written only while it holds what was last written; otherwise a new file next to it is begun.

    Two pages of one game, or a page and an editor, may have the same file open: neither loses what the other has saved.

    >>> import tempfile
    >>> one = GuardedFile(Path(tempfile.mkdtemp(), "game.txt"))
    >>> other = GuardedFile(one.path)
    >>> one.save(b"a move"), other.save(b"another move")
    (True, False)
    >>> one.path.name, other.path.name
    ('game.txt', 'game-2.txt')
    """

    def __init__(self, path: StrPath, holds: bytes | None = None) -> None:
        """Guard the file at `path`, which holds `holds`; None: its present content."""
        self.path = Path(path).absolute()
        self._known = _mark(_content(self.path) if holds is None else holds)

    def save(self, content: bytes) -> bool:
        """Write `content`; return whether it is still the same file. Raises `OSError`, and then has changed nothing."""
        path = self.path
        with one_writer(os.path.realpath(path.parent)):
            held = _content(path)
            if held is not None and _mark(held) not in (self._known, _mark(content)):
                path = _free(path)
            try:
                write_whole(path, content)
            except BaseException:
                if path != self.path:
                    path.unlink(missing_ok=True)
                raise
        stayed = path == self.path
        self.path, self._known = path, _mark(content)
        return stayed


def _content(path: Path) -> bytes | None:
    """Return the content of a file; None if there is no such file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _mark(content: bytes | None) -> bytes:
    return hashlib.sha256(content or b"").digest()


def _free(path: Path) -> Path:
    """Create an empty file next to `path`, with a free name such as ``game-2.txt``, and return its path."""
    return make_free(lambda n: path.with_name(f"{path.stem}-{n}{path.suffix}"), 2)


def make_free(name: Callable[[int], Path], first: int = 1) -> Path:
    """Create the first of ``name(first), name(first + 1), ...`` that does not exist, empty, and return its path.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> [make_free(lambda n: folder / f"game-{n}").name for _again in range(2)]
    ['game-1', 'game-2']
    """
    n = first
    while True:
        path = name(n)
        with suppress(FileExistsError):
            path.touch(exist_ok=False)
            return path
        n += 1
