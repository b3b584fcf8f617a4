"""The market as a pure value: a row of five piles, one per good (SI-2, SI-4).

Each pile has five demand cards, 0 to 4, and shows its top card. A sale sends a pile to the end of the row, a bribe
turns two neighbours, and an audience puts one pile, in any order, in the last place but one. After that only the last
pile may show 0 (SI-24).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, permutations
from typing import Final, NamedTuple

from tradekit._utils.arguments import checked, one_of
from tradekit.i18n import _
from tradekit.silk.cards import GOODS, good

Pile = tuple[int, ...]  #: cards of the pile, the top one first

CYCLE: Final[Pile] = (4, 3, 2, 1, 0)
HIGHEST: Final = 4


class Market(NamedTuple):
    """The row of piles, made by `Market.begin` and by sales, bribes and audiences.

    >>> market = Market.begin(range(5))
    >>> market.sell(1).shown, market.sell(1).row
    ((4, 2, 1, 1, 2), (0, 2, 3, 4, 1))
    """

    row: tuple[int, ...] = ()  #: goods, front to back; () before they are laid out
    piles: tuple[Pile, ...] = ()  #: piles by good
    zeros_stay: bool = False  #: option of SI-24: a 0 before the last place counts as 1 and is not turned

    @classmethod
    @checked
    def begin(cls, row: Iterable[int], zeros_stay: bool = False) -> Market:
        """Lay out the market: front to back it shows 4, 3, 2, 1, 0 (SI-4)."""
        row = tuple(row)
        if sorted(row) != [*range(len(GOODS))]:
            raise ValueError(_("a market is the five goods in some order (SI-4)"))
        turned = [CYCLE[place:] + CYCLE[:place] for place in range(len(row))]
        return cls(row, tuple(turned[row.index(good)] for good in range(len(row))), zeros_stay)

    # Demand and order

    @property
    def shown(self) -> tuple[int, ...]:
        """Number on top of each pile, front to back."""
        return tuple([self.piles[good][0] for good in self.row])

    @property
    def demands(self) -> list[int]:
        """Demand by good: the number shown, or 1 for a 0 that counts as 1 (SI-24)."""
        demands = [pile[0] for pile in self.piles]
        if self.zeros_stay:
            demands = [demand if demand or good == self.row[-1] else 1 for good, demand in enumerate(demands)]
        return demands

    def neighbours(self) -> list[tuple[int, int]]:
        """Return the pairs of goods whose piles are next to each other, front to back.

        >>> Market.begin([3, 0, 1, 2, 4]).neighbours()
        [(3, 0), (0, 1), (1, 2), (2, 4)]
        """
        return [*pairwise(self.row)]

    # Changes

    @checked
    def sell(self, good: int) -> Market:
        """Move the top card of a good's pile to its bottom, and the pile to the end of the row (SI-23)."""
        one_of(good, "good", range(len(self.row)))
        row = [other for other in self.row if other != good]
        piles = [*self.piles]
        piles[good] = piles[good][1:] + piles[good][:1]
        return self._settled((*row, good), piles, row[-1:])

    @checked
    def bribe(self, up: int, down: int) -> Market:
        """Return the market after a bribe on two neighbours (SI-31).

        In the pile of `up` the bottom card comes to the top; in the pile of `down` the top card goes to the bottom.
        Raises `ValueError` if the piles are not neighbours.

        >>> Market.begin(range(5)).bribe(up=4, down=3).shown  # the 0 before the last place is turned to 1 (SI-24)
        (4, 3, 2, 1, 1)
        """
        for name, number in {"up": up, "down": down}.items():
            one_of(number, name, range(len(self.row)))
        if abs(self.row.index(up) - self.row.index(down)) != 1:
            raise ValueError(_("{a} and {b} do not lie side by side (SI-31)").format(a=good(up), b=good(down)))
        piles = [*self.piles]
        piles[up] = piles[up][-1:] + piles[up][:-1]
        piles[down] = piles[down][1:] + piles[down][:1]
        return self._settled(self.row, piles, (up, down))

    @checked
    def audience(self, good: int, order: Sequence[int]) -> Market:
        """Put the pile of `good`, in the given order, in the last place but one, as after an audience (SI-35).

        Raises `ValueError` if `order` does not hold the five cards of the pile.

        >>> Market.begin(range(5)).audience(2, [4, 3, 2, 1, 0]).shown
        (4, 3, 1, 4, 0)
        """
        if sorted(order) != sorted(CYCLE):
            raise ValueError(_("a pile is the cards 4, 3, 2, 1, 0 in some order (SI-35)"))
        row = [other for other in self.row if other != good]
        row.insert(-1, good)
        piles = [*self.piles]
        piles[good] = tuple(order)
        return self._settled(tuple(row), piles, (good,))

    def raised(self) -> Market:
        """Turn each pile that shows less than 4 until it shows one more: the draw pile has run out (SI-50).

        >>> Market.begin(range(5)).raised().shown
        (4, 4, 3, 2, 1)
        """
        piles = [pile if pile[0] == HIGHEST else turned(pile, pile[0] + 1) for pile in self.piles]
        return self._replace(piles=tuple(piles))

    def orders(self) -> tuple[Pile, ...]:
        """Return the orders of a pile that an audience can choose and that differ in their result.

        Unless zeros stay, a pile with 0 on top is turned until 1 is on top (SI-24). A player can choose that order
        directly, so orders with 0 on top are left out.

        >>> len(Market.begin(range(5)).orders()), len(Market.begin(range(5), zeros_stay=True).orders())
        (96, 120)
        """
        return _ALL_ORDERS if self.zeros_stay else _ORDERS

    def _settled(self, row: tuple[int, ...], piles: list[Pile], changed: Iterable[int]) -> Market:
        """Turn piles that show 0 before the last place until 1 is on top; only `changed` goods can show 0 (SI-24)."""
        if not self.zeros_stay:
            for good in changed:
                if not piles[good][0] and good != row[-1]:
                    piles[good] = turned(piles[good], 1)
        return Market(row, tuple(piles), self.zeros_stay)


def turned(pile: Sequence[int], number: int) -> Pile:
    """Move top cards of a pile to its bottom until `number` is on top.

    >>> turned((0, 3, 1, 4, 2), 1)
    (1, 4, 2, 0, 3)
    """
    place = pile.index(number)
    return (*pile[place:], *pile[:place])


_ALL_ORDERS: Final = tuple(permutations(CYCLE))
_ORDERS: Final = tuple(order for order in _ALL_ORDERS if order[0])
