"""Laws: functions of a state and how it came about, which yield what is wrong there.

The first line of a law's docstring is its name; the rest says what to do if it is broken.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from tradekit.game import Game, State
from tradekit.record import Move, Record

RECENT: Final = 8  #: earlier moves that are checked again


@dataclass
class Run:
    """A random game so far."""

    game: Game
    start: State
    rng: random.Random  #: the laws' own: their draws do not change the game
    moves: list[Move] = field(default_factory=list)
    recent: deque[tuple[State, Move]] = field(default_factory=lambda: deque(maxlen=RECENT))  #: states and their moves
    texts: dict[State, str] = field(default_factory=dict)  #: by state checked, in this game and earlier ones

    def record(self) -> Record:
        """Return the game as a record, with none of its moves replayed yet."""
        return Record(self.start, (), tuple(self.moves))


Law = Callable[[Run, State], Iterable[str]]


def require(holds: bool, otherwise: str) -> Iterator[str]:
    """Yield the fault `otherwise`, unless the condition holds."""
    if not holds:
        yield otherwise
