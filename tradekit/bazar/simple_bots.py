"""Bazar's quick and patient buyers: bots that differ only in the number of stones left over when they buy.

For both, every purchase counts the same, whatever it scores, and sooner is better. The quick buyer makes every purchase
it can, or only those that leave many stones, like a player in the designer's diary who "won by repeated buying
with lots of chips left over" (BZ-23). The patient buyer makes only purchases that leave nothing, which BZ-15 rewards.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from tradekit._utils.arguments import checked
from tradekit.bazar.bots import ChainBot, Chains, Worths, make_chains, score_of, wares_of
from tradekit.bazar.packed_stones import size
from tradekit.bazar.parameters import Parameters
from tradekit.bazar.rules import State
from tradekit.bazar.stones import MOST_LEFT
from tradekit.i18n import _

_MANY: Final = 3  # stones left over: BZ-15 scores more the same
_SLIGHT: Final = 1e-4  # value of a point as a share of a purchase, so that points decide between equally near purchases
_REFUSED: Final = -1.0


class Buyer(ChainBot):
    """A bot that follows the shortest chain to a purchase that leaves `least` to `most` stones, and makes no other.

    Among equally near purchases it takes the one with the most points. Like `ChainBot` it rolls if that brings more,
    here in purchases per turn up to the next one, and ignores the stones of others.

    Raises `ValueError` for a `least` outside 0 to 3, and a `most` below 0.
    """

    @checked
    def __init__(self, least: int, most: int) -> None:
        if not 0 <= least <= _MANY or most < 0:
            message = _("least={least}, most={most}: it leaves at least 0 to {many} stones, at most 0 or more (BZ-15)")
            raise ValueError(message.format(least=least, most=most, many=_MANY))
        self.least, self.most = least, most

    @property
    def measure(self) -> str:  # noqa: D102
        return _("purchases a turn")

    def chains(self, parameters: Parameters) -> Chains:  # noqa: D102
        return make_chains(
            parameters, _worths(parameters.rules.points, self.least), min(self.most, parameters.most_left)
        )

    def bought(self, state: State, before: State) -> float:
        """Return the number of purchases plus a little for points; negative if too few or too many stones remain."""
        player = before.turn
        if not self.least <= size(state.hands[player]) <= self.most:
            return _REFUSED
        points = score_of(state, player) - score_of(before, player)
        return wares_of(state, player) - wares_of(before, player) + _SLIGHT * points


class QuickBuyer(Buyer):
    """A buyer that makes its soonest purchase, or the soonest one that leaves `least` stones or more.

    >>> from tradekit import bots
    >>> bots.make("quick").least, bots.make("quick", least=3).least
    (0, 3)
    """

    name = "quick"

    @checked
    def __init__(self, least: int = 0) -> None:
        super().__init__(least, MOST_LEFT)


class PatientBuyer(Buyer):
    """A buyer that makes only purchases that leave nothing, or at `most` this many stones, and takes turns for that.

    >>> from tradekit import bots
    >>> bots.make("patient").most, bots.make("patient", most=2).most
    (0, 2)
    """

    name = "patient"

    @checked
    def __init__(self, most: int = 0) -> None:
        super().__init__(0, most)


@lru_cache(maxsize=16)
def _worths(points: tuple[tuple[int, ...], ...], least: int) -> Worths:
    """Return the worth of purchases by points, for a buyer that leaves at least `least` stones (BZ-15)."""
    return tuple(
        tuple(1 + _SLIGHT * score if left >= least else 0.0 for left, score in enumerate(column)) for column in points
    )
