"""Piles: stones as one integer with a byte per colour, so that adding integers puts stones together.

Bank and hands of a state are piles. Giving and taking are one subtraction each. A pile below zero in any colour is easy
to detect: the highest bit of that byte is set, because no pile has as many as 128 stones of a colour.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tradekit.bazar.stones import COLOURS

Pile = int

_COLOURS: Final = len(COLOURS)
OVERDRAWN: Final = int.from_bytes([0x80] * _COLOURS, "little")  #: bits that a debt sets: ``pile & OVERDRAWN``
UNIT: Final[tuple[Pile, ...]] = tuple(1 << 8 * colour for colour in range(_COLOURS))  #: one stone of each colour


def pile(counts: Iterable[int]) -> Pile:
    """Return the pile with these counts of stones by colour, 0 to 127.

    >>> counts(pile([2, 0, 1, 0, 0]) - pile([0, 0, 1, 0, 0]))
    (2, 0, 0, 0, 0)
    >>> bool(pile([2, 0, 0, 0, 0]) - pile([0, 0, 1, 0, 0]) & OVERDRAWN)  # no such stone to give
    True
    """
    return int.from_bytes(bytes(counts), "little")


def counts(pile: Pile) -> tuple[int, ...]:
    """Count the stones of each colour in a pile that is not overdrawn."""
    return tuple(pile.to_bytes(_COLOURS, "little"))


def size(pile: Pile) -> int:
    """Return the total number of stones in a pile."""
    return sum(pile.to_bytes(_COLOURS, "little"))
