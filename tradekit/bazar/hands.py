"""Hands as numbers: every multiset of stones has an index, and trades and rolls are integer arrays over the indices.

Multisets are numbered by size, and within a size as their text sorts. The first 3,003 are the hands, with at most ten
stones; the next 1,365 have eleven, after a roll. A trade can make up to thirteen, 8,568 multisets in total, if a
purchase in the same turn reduces them again (BZ-14).

The five counts of a multiset, read as digits to the base 14, are a key. A trade adds the same number to every key, so
it is one addition and one look-up for all hands at once.

All analysis assumes a full bank: this matters only if 17 or more stones of a colour are in hands (BZ-2).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from math import comb
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tradekit.bazar.stones import LIMIT, Equation, Stones, StonesLike
from tradekit.i18n import _

Ints = npt.NDArray[np.intp]

N: Final = comb(LIMIT + 5, 5)  #: number of hands: 3,003
N_ROLLED: Final = comb(LIMIT + 6, 5)  #: number including those of eleven stones: 4,368
N_ALL: Final = comb(LIMIT + 8, 5)  #: number including all results of a trade, 10 - 1 + 4 stones: 8,568

_RADIX = LIMIT + 4
_PLACES = _RADIX ** np.arange(5)[::-1]


def _keys(counts: npt.ArrayLike) -> Ints:
    """Return the key of counts (..., 5), each at most thirteen; for a change of counts, the number added to a key."""
    return np.asarray(counts, np.intp) @ _PLACES


def _all_counts() -> npt.NDArray[np.int8]:
    counts = np.indices((_RADIX,) * 5, dtype=np.int8).reshape(5, -1).T
    counts = counts[counts.sum(axis=1) < _RADIX]
    first_is_red = np.arange(len(counts))[::-1]  # R before W before B before G before Y
    order = np.lexsort([first_is_red, counts.sum(axis=1)])
    return np.asarray(counts[order])


COUNTS: Final = _all_counts()  #: (8568, 5): stones of each index
SIZES: Final = COUNTS.sum(axis=1, dtype=np.intp)  #: (8568,): number of stones of each index
_KEYS = _keys(COUNTS)
_NOWHERE = np.int16(N_ALL)
_INDEX_OF_KEY = np.full(_RADIX**5, _NOWHERE)
_INDEX_OF_KEY[_KEYS] = np.arange(N_ALL)


def indices(counts: npt.ArrayLike) -> Ints:
    """Return the index of each multiset of counts, shape (..., 5), at most thirteen stones in total.

    >>> indices(COUNTS[2000:2003])
    array([2000, 2001, 2002])
    """
    return _INDEX_OF_KEY[_keys(counts)].astype(np.intp)


def _changed(changes: npt.ArrayLike, first: int, last: int) -> npt.NDArray[np.int16]:
    """Return the index after each change, (changes, 5), of each index from `first` up to `last`, (changes, indices).

    The result is valid only if the change leaves no count below 0.
    """
    return _INDEX_OF_KEY.take(_KEYS[first:last] + _keys(changes)[:, None], mode="clip")


_UNITS = np.eye(5, dtype=np.intp)

#: (5, 3003): index after a roll of each colour, up to eleven stones.
ROLLED: Final[Ints] = _changed(_UNITS, 0, N).astype(np.intp)

#: (5, 1365): hand after one stone of each colour goes back from eleven (BZ-14); N if there is none.
RETURNED: Final[Ints] = np.where(COUNTS[N:N_ROLLED].T > 0, _changed(-_UNITS, N, N_ROLLED), N).astype(np.intp)

_COLUMNS = np.ascontiguousarray(COUNTS.T)  # (5, 8568)


def index(stones: StonesLike) -> int:
    """Return the index of a hand of at most ten stones; raise `ValueError` for others (BZ-14).

    >>> index(""), index("R"), index("YYYYYYYYYY")
    (0, 1, 3002)
    """
    stones = Stones(stones)
    if len(stones) > LIMIT:
        raise ValueError(
            _("{stones}: {n} stones; a holding has at most ten (BZ-14)").format(stones=stones, n=len(stones))
        )
    return int(indices(stones.counts))


@cache
def holding(index: int) -> Stones:
    """Return the stones of an index."""
    return Stones.of(COUNTS[index].tolist())


def containing(stones: Stones) -> npt.NDArray[np.bool_]:
    """Return for each multiset True if it contains `stones`, (8568,)."""
    return np.asarray((np.array(stones.counts)[:, None] <= _COLUMNS).all(axis=0))


class Moves:
    """Directed trades of some equations, as arrays over the hands.

    Trades are numbered equation by equation, each first from left to right, then from right to left.
    """

    def __init__(self, equations: Sequence[Equation]) -> None:
        self.trades: tuple[Equation, ...] = tuple(t for e in equations for t in (e, e.reversed))
        able = np.stack([containing(trade.left)[:N] for trade in self.trades])
        changes = [np.subtract(trade.right.counts, trade.left.counts) for trade in self.trades]
        #: (trades, 3003): index after each trade from each hand, up to thirteen stones; N_ALL if it cannot be made.
        self.after: Ints = np.where(able, _changed(changes, 0, N), _NOWHERE).astype(np.intp)

    @cached_property
    def neighbours(self) -> Ints:
        """(3003, most): hands one trade away from each, rising, then N as filling.

        Trades above ten are left out. An equation works both ways, so these are also the hands one trade *before*.
        """
        table = np.sort(np.minimum(self.after.T, N).astype(np.int16), axis=1)
        most = int((table < N).sum(axis=1).max())
        return table[:, :most].astype(np.intp)

    @cached_property
    def by_degree(self) -> ByDegree:
        """Hands in the order in which most arrays over trades are shortest."""
        degrees = (self.after < N).sum(axis=0, dtype=np.int8)
        order = np.argsort(-degrees, kind="stable")
        place = np.full(N + 1, N)
        place[order] = np.arange(N)
        rows = np.ascontiguousarray(self.after.astype(np.int16).T)[order]
        near = place.take(rows[rows < N])  # the neighbours of the first, of the second, ...
        degrees = degrees[order].astype(np.intp)
        first = np.cumsum(degrees) - degrees
        lengths = np.searchsorted(-degrees, -np.arange(degrees[0])).tolist()
        return ByDegree(order, place, [near.take(first[:length] + j) for j, length in enumerate(lengths)])


class ByDegree(NamedTuple):
    """Hands ordered by number of neighbours, most first, so that j-th neighbours belong to the first hands."""

    order: Ints  #: (3003,): hand at each place
    place: Ints  #: (3004,): place of each hand; N stays N
    neighbours: list[Ints]  #: for each j, places of the j-th neighbours of the hands that have one
