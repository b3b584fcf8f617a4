"""A file that notes what a process is doing: which game of a tournament, and its moves so far.

If the process is lost, the file says what it was doing.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from tradekit.game import Action
from tradekit.record import Move
from tradekit.tournament.schedule import Seating


class Diary:
    """The diary of this thread of this process; empty when no game is under way."""

    def __init__(self, folder: str) -> None:
        self._file = (Path(folder) / f"{os.getpid()}-{threading.get_ident()}").open("wb", buffering=0)

    def begin(self, seating: Seating) -> None:
        """Note that a game begins, and forget the previous one."""
        self._forget()
        self._write(seating)

    def move(self, move: Move) -> None:
        """Note a move of that game."""
        self._write(move)

    def _write(self, line: tuple[object, ...]) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")

    def _forget(self) -> None:
        self._file.seek(0)
        self._file.truncate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._forget()
        self._file.close()


def under_way(folder: str) -> Iterator[tuple[Seating, list[Move]]]:
    """Yield the games that processes were playing when they were lost, with their moves."""
    for path in sorted(Path(folder).iterdir()):
        first, *lines = path.read_bytes().split(b"\n")[:-1] or [b""]
        if first:
            number, seed, bots = json.loads(first)
            moves = [Move(actor, Action(action)) for actor, action in map(json.loads, lines)]
            yield Seating(number, seed, tuple(bots)), moves
