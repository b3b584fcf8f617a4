"""Bazar's buyers, quick and patient: bots that differ in one thing, how many stones they leave when they buy.

To both a purchase counts the same, whatever it scores, and they want it soon. The quick buyer takes every one that it
can make; or only those that leave many stones, as a player did in the designer's diary who "won by repeated buying
with lots of chips left over" (BZ-23). The patient one buys only what leaves it nothing, which BZ-15 rewards.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from tradekit._utils.arguments import checked
from tradekit.bazar.bots import ChainBot, Chains, Worths, make_chains, score_of, wares_of
from tradekit.bazar.packed_stones import size
from tradekit.bazar.parameters import Setting
from tradekit.bazar.rules import State
from tradekit.bazar.stones import MOST_LEFT
from tradekit.i18n import _

_MANY: Final = 3  # stones left: BZ-15 tells no more of them apart
_SLIGHT: Final = 1e-4  # of a purchase: a point, so that points decide between purchases that are equally near
_REFUSED: Final = -1.0


class Buyer(ChainBot):
    """Follows the shortest chain of trades to a purchase that leaves `least` to `most` stones, and makes no other.

    Of equally near purchases it takes the one that scores most. Like `ChainBot` it rolls where that brings more, here
    purchases a turn up to the next one, and looks at no one else's stones.

    Raises `ValueError` for a `least` that is not 0 to 3, and a `most` below 0.
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

    def chains(self, setting: Setting) -> Chains:  # noqa: D102
        return make_chains(setting, _worths(setting.rules.points, self.least), min(self.most, setting.most_left))

    def bought(self, state: State, before: State) -> float:
        """How many, and a trifle for their points; less than nothing where too few or too many stones remain."""
        player = before.turn
        if not self.least <= size(state.hands[player]) <= self.most:
            return _REFUSED
        points = score_of(state, player) - score_of(before, player)
        return wares_of(state, player) - wares_of(before, player) + _SLIGHT * points


class QuickBuyer(Buyer):
    """Takes the purchase that it can make soonest, whatever is left over; or of those that leave `least` stones.

    >>> bots.make("quick").least, bots.make("quick", least=3).least
    (0, 3)
    """

    name = "quick"

    @checked
    def __init__(self, least: int = 0) -> None:
        super().__init__(least, MOST_LEFT)


class PatientBuyer(Buyer):
    """Buys only what leaves it nothing, or at `most` so many stones, and takes its turns for that.

    >>> bots.make("patient").most, bots.make("patient", most=2).most
    (0, 2)
    """

    name = "patient"

    @checked
    def __init__(self, most: int = 0) -> None:
        super().__init__(0, most)


@lru_cache(maxsize=16)
def _worths(points: tuple[tuple[int, ...], ...], least: int) -> Worths:
    """What purchases are worth that score so much (BZ-15), to a buyer who leaves at least so many stones."""
    return tuple(
        tuple(1 + _SLIGHT * score if left >= least else 0.0 for left, score in enumerate(column)) for column in points
    )
