"""What a law is: a function of a state and how it came about, which yields what is wrong there.

The first line of its docstring is its name; what follows says what to do where it is broken.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from tradekit.game import Game, State
from tradekit.record import Move, Record

RECENT: Final = 8  #: moves before a state that are looked at again


@dataclass
class Run:
    """A random game so far."""

    game: Game
    start: State
    rng: random.Random  #: the laws' own: what they draw changes no game
    moves: list[Move] = field(default_factory=list)
    recent: deque[tuple[State, Move]] = field(default_factory=lambda: deque(maxlen=RECENT))  #: states and what followed
    texts: dict[State, str] = field(default_factory=dict)  #: of states looked at, in this game and those before it

    def record(self) -> Record:
        """The game as a record, no move of it replayed yet."""
        return Record(self.start, (), tuple(self.moves))


Law = Callable[[Run, State], Iterable[str]]


def require(holds: bool, otherwise: str) -> Iterator[str]:
    """What is wrong, unless all is well."""
    if not holds:
        yield otherwise
