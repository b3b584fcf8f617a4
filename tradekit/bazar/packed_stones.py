"""Piles: stones as one number, a byte a colour, so that to put stones together is to add.

Bank and hands of a state are piles. Giving and taking are then one subtraction each, and a pile that has gone below
nothing in any colour shows it: the highest bit of that byte is set, for no pile holds as many as 128 of a colour.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tradekit.bazar.stones import COLOURS

Pile = int

_COLOURS: Final = len(COLOURS)
OVERDRAWN: Final = int.from_bytes([0x80] * _COLOURS, "little")  #: the bits that a debt sets: ``pile & OVERDRAWN``
UNIT: Final[tuple[Pile, ...]] = tuple(1 << 8 * colour for colour in range(_COLOURS))  #: one stone of each colour


def pile(counts: Iterable[int]) -> Pile:
    """The pile of so many stones of each colour, 0 to 127.

    >>> counts(pile([2, 0, 1, 0, 0]) - pile([0, 0, 1, 0, 0]))
    (2, 0, 0, 0, 0)
    >>> bool(pile([2, 0, 0, 0, 0]) - pile([0, 0, 1, 0, 0]) & OVERDRAWN)  # no such stone to give
    True
    """
    return int.from_bytes(bytes(counts), "little")


def counts(pile: Pile) -> tuple[int, ...]:
    """How many stones of each colour a pile has that is not overdrawn."""
    return tuple(pile.to_bytes(_COLOURS, "little"))


def size(pile: Pile) -> int:
    """How many stones it has in all."""
    return sum(pile.to_bytes(_COLOURS, "little"))
