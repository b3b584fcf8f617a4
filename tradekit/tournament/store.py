"""The file of a tournament: a line of JSON that identifies it, then one line per game, each written when played.

    {"tradekit tournament": 1, "start": "bazar players=2 ...", "bots": {"chain": "chain"}, ..., "check": 2807145907}
    {"round": 0, "seed": 3563222200, "bots": ["chain", "random"], "scores": [69, 3], ..., "check": 1342170133}

Lines are only ever added, so whatever ends the writing, the lines before it are complete. A line that was cut off is
the last one and has no line feed; it is dropped, and its game played again. The check is a hash of the rest of the
line, so that a line is either what was written or is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import tradekit
from tradekit._utils.atomic_files import one_writer, write_on
from tradekit.bots import Bot
from tradekit.game import ParseError, stable_hash
from tradekit.i18n import _
from tradekit.record import Record
from tradekit.tournament.play_game import Forfeit, Job, Played
from tradekit.tournament.schedule import Seating, orders, seed_of, tables

VERSION: Final = 1
_MARK: Final = "tradekit tournament"
_CHECK: Final = "check"


@dataclass(frozen=True)
class Heading:
    """The identity of a tournament: games of equal headings are the same, seating by seating."""

    start: str  #: the state that all games begin with, as text: the game, its options, the number of players
    bots: dict[str, str]  #: by name, the kind and options of each
    seed: int
    limit: int
    records: bool
    version: str  #: of tradekit, because bots change

    @classmethod
    def of(cls, job: Job, seed: int) -> Heading:
        """Return the heading for games of this job and seed."""
        bots = {name: described(bot) for name, bot in job.bots.items()}
        return cls(str(job.start), bots, seed, job.limit, job.records, tradekit.__version__)

    def values(self) -> dict[str, object]:
        """Return the heading's values, for JSON."""
        return {_MARK: VERSION} | asdict(self)

    @classmethod
    def read(cls, line: str) -> Heading:
        """Return the heading in a line; raises `ParseError`."""
        if _MARK not in line:
            raise ParseError(_("this is no file of a tournament: {mark!r} is missing").format(mark=_MARK))
        values = _object(line)
        version = values.pop(_MARK, None)
        if version != VERSION:
            message = _("version {version!r}; this tradekit reads {known}")
            raise ParseError(message.format(version=version, known=VERSION))
        return cls(**values)

    def differences(self, other: Heading) -> list[str]:
        """Return how another heading differs, in words; the order of the bots counts, because it decides the seats."""
        ours, theirs = (
            {k: ", ".join(f"{n}: {d}" for n, d in v.items()) if k == "bots" else v for k, v in asdict(heading).items()}
            for heading in (self, other)
        )
        return [
            _("{what} is {there!r} there and {here!r} here").format(what=what, there=ours[what], here=theirs[what])
            for what in ours
            if ours[what] != theirs[what]
        ]


def described(bot: Bot) -> str:
    """Return a bot in words: its name, and the options that it was made with.

    >>> from tradekit.bots import make
    >>> described(make("search", iterations=50))
    'search(depth=60, explore=0.7, iterations=50, rollout=random, seconds=None, width=40)'
    """
    options = ", ".join(
        f"{name}={_shown(value)}" for name, value in sorted(vars(bot).items()) if not name.startswith("_")
    )
    name = bot.name or type(bot).__qualname__
    return f"{name}({options})" if options else name


def _shown(value: object) -> str:
    """Return an option in words, the same in every process; only its kind if it has no plain value."""
    if isinstance(value, Bot):
        return described(value)
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_shown, value))}]"
    return repr(value) if value is None or isinstance(value, bool | int | float | str) else type(value).__name__


class Store:
    """A file that games are added to; it must fit the tournament's heading."""

    def __init__(self, path: str | os.PathLike[str], heading: Heading) -> None:
        """Open the file, or begin it.

        Raises `ParseError` for a foreign or damaged file, naming the line, and `ValueError` for one of another
        tournament, saying what differs; both leave it as it is.
        """
        self.path, self.heading = Path(path), heading
        self.games: list[Played] = []  #: those already in the file
        with one_writer(self._folder):
            self._begin()

    @property
    def _folder(self) -> str:
        """The folder of the file, on which writers of several processes wait."""
        return os.path.dirname(os.path.realpath(self.path))

    def _begin(self) -> None:
        heading = self.heading
        first = _line(heading.values())
        there = self.path.read_bytes() if self.path.exists() else b""
        if first.startswith(there):  # nothing yet, or killed while the heading was written
            there = b""
        else:
            found, self.games = _read(self.path, there)
            if differences := found.differences(heading):
                message = _("{file} is of another tournament: {differences}; name another file")
                raise ValueError(message.format(file=self.path.name, differences="; ".join(differences)))
        self._file = self.path.open("ab", buffering=0)
        try:
            self._file.truncate(there.rfind(b"\n") + 1)
            if not there:
                self._append(first)
        except BaseException:
            self._file.close()
            raise

    def add(self, games: Sequence[Played]) -> None:
        """Write games down; the operating system has them when this returns."""
        lines = b"".join(_line(_written(game)) for game in games)
        with one_writer(self._folder):
            self._append(lines)

    def _append(self, lines: bytes) -> None:
        """Write whole lines, or nothing; otherwise the next line would continue a partial one."""
        size = os.fstat(self._file.fileno()).st_size
        try:
            write_on(self._file, lines)
        except BaseException:
            self._file.truncate(size)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    @staticmethod
    def read(path: str | os.PathLike[str]) -> tuple[Heading, list[Played]]:
        """Return the heading of a file and its games, round after round; raises `ParseError` naming file and line."""
        path = Path(path)
        heading, games = _read(path, path.read_bytes())
        places = {order: place for place, (_table, order) in enumerate(_orders(heading, games))}
        return heading, sorted(games, key=lambda game: (game.round, places[game.bots]))


def _read(path: Path, data: bytes) -> tuple[Heading, list[Played]]:
    """Return the contents of a file's whole lines; raises `ParseError`."""
    first, *lines = data[: data.rfind(b"\n") + 1].split(b"\n")[:-1] or [data]
    with _line_named(path, 1):
        heading = Heading.read(first.decode())
    games: dict[Seating, Played] = {}
    table_of: dict[tuple[str, ...], tuple[str, ...]] = {}
    for n, line in enumerate(lines, 2):
        with _line_named(path, n):
            game = _game(line.decode())
            table_of = table_of or {order: table for table, order in _orders(heading, [game])}
            table = table_of.get(game.bots)
            seed_fits = table is not None and game.seed == seed_of(heading.seed, table, game.round)
            if not seed_fits or heading.records != (game.record is not None):
                raise ParseError(_("a game of another tournament: bots, seed or record do not fit the first line"))
            if games.setdefault(game.seating, game) != game:  # an equal one is fine: two processes played it
                raise ParseError(_("this game is there twice, with two endings"))
    return heading, [*games.values()]


@contextmanager
def _line_named(path: Path, n: int) -> Iterator[None]:
    """Add the file and the line to errors raised inside."""
    try:
        yield
    except (ParseError, UnicodeError) as error:
        raise ParseError(_("{file}, line {n}: {error}").format(file=path.name, n=n, error=error)) from None


def _orders(heading: Heading, games: Sequence[Played]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield every order of every table, with the table; the first game shows the number of players."""
    for game in games[:1]:
        for table in tables([*heading.bots], len(game.bots)):
            yield from ((table, order) for order in orders(table))


# A line


def _line(values: dict[str, Any]) -> bytes:
    return _json(values | {_CHECK: stable_hash(_json(values))}).encode() + b"\n"


def _json(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False)


def _written(game: Played) -> dict[str, Any]:
    values = game._asdict()
    record, forfeit = values.pop("record"), values.pop("forfeit")
    if record is not None:
        values["record"] = str(record)
    if forfeit is not None:
        values["forfeit"] = forfeit._asdict()
    return values


def _game(line: str) -> Played:
    """Return the game in a line; raises `ParseError`."""
    values = _object(line)
    if "round" not in values:
        raise ParseError(_("a game belongs here"))
    values |= {name: tuple(values[name]) for name in ("bots", "scores", "shares")}
    if "record" in values:
        values["record"] = Record.parse(values["record"])
    if "forfeit" in values:
        values["forfeit"] = Forfeit(**values["forfeit"])
    return Played(**values)


def _object(line: str) -> dict[str, Any]:
    """Return the values in a line, exactly as written; raises `ParseError`."""
    try:
        values = json.loads(line)
    except json.JSONDecodeError as error:
        raise ParseError(_("this is no JSON: {error}").format(error=error)) from None
    if not isinstance(values, dict):
        raise ParseError(_("a JSON object in braces is needed"))
    if values.pop(_CHECK, None) != stable_hash(_json(values)):
        raise ParseError(_("this is not what was written: its check does not fit"))
    return values
