"""Solver of the open bazaar: points minus a cost per turn until it closes, with the order of all stalls known (BZ-44).

The rest of a game depends only on the stones in hand and on the number of wares in each stall. A purchase leads to a
bazaar with one ware less, so bazaars are solved from the nearly closed ones up. Each is one Markov decision process
over the 3,003 hands, in which the value of a purchase is its points plus the value of the position after it (see
`bellman`, whose errors of 5e-10 add up over 18 purchases at most). Bazaars with equal numbers of wares are solved side
by side.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import product
from operator import itemgetter
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from tradekit import bots
from tradekit._utils import ties
from tradekit._utils.arguments import checked
from tradekit.bazar import bellman, render
from tradekit.bazar.bellman import Floats
from tradekit.bazar.bots import INDEX, Planner
from tradekit.bazar.exchange import Exchange
from tradekit.bazar.game_review import review
from tradekit.bazar.hands import COUNTS, N_ALL, Ints, N, containing, indices
from tradekit.bazar.open_bazaar import Alone, Stalls
from tradekit.bazar.open_bazaar import new as new_alone
from tradekit.bazar.parameters import CLOSING, Step
from tradekit.bazar.policy import check_cost, scores
from tradekit.bazar.rules import State
from tradekit.bazar.stones import StonesLike, Ware, WareLike
from tradekit.game import Action, Actions, View
from tradekit.game import State as AnyState
from tradekit.i18n import _
from tradekit.record import Record
from tradekit.show.html import element

if TYPE_CHECKING:
    import pandas as pd

Ahead = tuple[int, ...]  #: number of wares that each stall still has
_NO_LUCK: Final = random.Random(0)  # the judge draws nothing


class Solo:
    """A bazaar for one player, with its value and the best action in every position.

    `stalls`: the wares of two to four stalls, the top one first; `cost`: points per turn; `have`: the stones at the
    start. Values are exact to 1e-8. Raises `ValueError` for an impossible bazaar.

    >>> solo = Solo("R=WW W=BG B=GG G=YY", [["RWBGY"], ["GGGYY"]], cost=0.5, have="RWBG")
    >>> str(solo.best()), round(solo.value(), 2)
    ('roll', 5.39)
    >>> solo.options().head(2).round(2)
      action  value  costs
    0   roll   5.39   0.00
    1   G=YY   4.90   0.49
    >>> from tradekit import Record
    >>> record = Record.begin(solo.start).with_move("roll").with_move("Y").with_move("done")  # where it could buy
    >>> solo.check(record)[["move", "action", "best", "costs"]].round(2)
       move action   best  costs
    0     1   roll   roll    0.0
    1     3   done  buy 1    1.0
    """

    def __init__(
        self,
        exchange: Exchange | str,
        stalls: Sequence[Iterable[WareLike]],
        cost: float,
        have: StonesLike = "",
    ) -> None:
        self._open(new_alone(stalls=stalls, exchange=exchange, have=have), cost)

    @classmethod
    @checked
    def of(cls, start: Alone, cost: float) -> Solo:
        """Solve the bazaar of a position of the game `bazar-alone`; raise `ValueError` for a cost below 0.001.

        >>> from tradekit import bazar
        >>> start = bazar.puzzle("2027-01-06", wares=1).start
        >>> round(Solo.of(start, cost=0.5).value(), 2), round(Solo.of(start, cost=1).value(), 2)
        (14.65, 9.46)
        """
        solo = cls.__new__(cls)
        solo._open(start, cost)
        return solo

    def _open(self, start: Alone, cost: float) -> None:
        self.start, self.cost = start, check_cost(cost)
        self.stalls: Stalls = start.ahead
        self._judge = _Judge(self)

    # Values of positions

    @checked
    def value(self, state: Alone | None = None) -> float:
        """Return the expected points minus the cost of turns still to come, with the best play.

        `state`: any position of this bazaar, by default its start; a position of another raises `ValueError`. A turn
        that has begun is already paid for.
        """
        state = self._known(state)
        if state.step == Step.TURN:
            return self._at(state)
        return self._judge._worth(state, state)

    @checked
    def best(self, state: Alone | None = None) -> Action:
        """Return the best action of a position where the player decides (the first one in a tie).

        Raises `ValueError` if there is nothing to decide, and for a position of another bazaar.
        """
        state = self._known(state)
        return self._judge.choose(state.view(0), self._actions(state), _NO_LUCK)

    @checked
    def options(self, state: Alone | None = None) -> pd.DataFrame:
        """Return every legal action, best first.

        Columns: ``action``; ``value`` with optimal play after it, as in `value`; ``costs``: the difference from the
        best. Raises `ValueError` as `best` does.
        """
        import pandas as pd

        rows = ties.ranked(self._after_each(self._known(state)).items(), key=itemgetter(1))
        costs = ties.costs(value for _action, value in rows)
        return pd.DataFrame(
            [(str(action), value, cost) for (action, value), cost in zip(rows, costs, strict=True)],
            columns=["action", "value", "costs"],
        )

    @checked
    def check(self, record: Record) -> pd.DataFrame:
        """Return the loss of each decision in a played game of this bazaar: one row per decision with a choice.

        Columns as in `review`: ``move, actor, name, action, best, value, costs``; `value` is in points to come. Luck is
        the rest of the difference from the best. Raises `ValueError` for a game of another bazaar.
        """
        self._known(record.start)
        return review(record, self._judge)

    def state(self, have: StonesLike = "", ahead: Ahead | None = None) -> Alone:
        """Return the position at the beginning of a turn with these stones and numbers of wares, and without points.

        `ahead`: by default the wares of the start. More than these raise `ValueError`.

        >>> solo = Solo("R=WW W=BG", [["RWBGY"], ["GGGYY", "RRWWB"]], cost=0.5)
        >>> [str(ware) for ware in solo.state("RR", ahead=(1, 1)).wares]
        ['RWBGY', 'RRWWB']
        """
        ahead = tuple(map(len, self.stalls)) if ahead is None else tuple(ahead)
        if len(ahead) != len(self.stalls) or any(
            not 0 <= left <= len(wares) for left, wares in zip(ahead, self.stalls, strict=True)
        ):
            message = _("{ahead}: the stalls hold {most} wares at most")
            raise ValueError(message.format(ahead=ahead, most=tuple(map(len, self.stalls))))
        stalls = [wares[len(wares) - left :] for left, wares in zip(ahead, self.stalls, strict=True)]
        return new_alone(stalls=stalls, exchange=Exchange(self.start.equations), have=have)

    def __repr__(self) -> str:
        return f"<Solo: {self.start}, {self.cost} a turn>"

    def _repr_html_(self) -> str:
        title = _("alone, {cost} points a turn: {value:.3f} points can be expected").format(
            cost=self.cost, value=self.value()
        )
        return render.page(element("div", title), self.start.html())

    # Values

    @cached_property
    def values(self) -> dict[Ahead, Floats]:
        """Values of all hands, (3003,), for every number of wares that the stalls can still have."""
        moves = Exchange(self.start.equations).moves
        solved: dict[Ahead, Floats] = {}
        open_ = [ahead for ahead in product(*(range(len(wares) + 1) for wares in self.stalls)) if not _closed(ahead)]
        for wares in sorted(set(map(sum, open_))):
            level = [ahead for ahead in open_ if sum(ahead) == wares]
            gains = np.stack([self._gains(ahead, solved) for ahead in level], axis=1)
            values = bellman.solve(moves, gains, np.full(len(level), float(self.cost)))
            solved.update(zip(level, values[:N].T.copy(), strict=True))
        return solved

    def _gains(self, ahead: Ahead, solved: dict[Ahead, Floats]) -> Floats:
        """Return the gain of the best purchase at each index, plus the value of the position after it, (8569,)."""
        gains = np.full(N_ALL + 1, -np.inf)
        for stall, (left, wares) in enumerate(zip(ahead, self.stalls, strict=True)):
            if left:
                ware = wares[len(wares) - left]
                at, rests = _purchases(ware)
                after = (*ahead[:stall], left - 1, *ahead[stall + 1 :])
                further = 0 if _closed(after) else solved[after][rests]
                gains[at] = np.maximum(gains[at], scores(ware, ahead.count(0))[at] + further)
        return gains

    def at(self, state: Alone) -> float:
        """Return the value of beginning a turn with these stones and stalls, whatever the step and the score.

        Raises `ValueError` for a position of another bazaar.

        >>> solo = Solo("R=WW W=BG B=GG G=YY", [["RWBGY"], ["GGGYY"]], cost=0.5)
        >>> round(solo.at(solo.state("RWBG")), 2)
        5.39
        """
        return self._at(self._known(state))

    def _at(self, state: Alone) -> float:
        return self.values[state.left].item(INDEX[state.hands[0]])

    def _after_each(self, state: Alone) -> dict[Action, float]:
        """Return the value, as in `value`, of each action of a position where the player decides."""
        paid = self.cost if state.step == Step.TURN else 0.0
        worth = self._judge.evaluate(state.view(0), self._actions(state))
        return {action: value - paid for action, value in worth.items()}

    # Positions of this bazaar

    def has(self, state: AnyState) -> bool:
        """Return True for a position of this bazaar.

        This means the game `bazar-alone`, these equations, and these stalls after some purchases.

        >>> from tradekit import bazar
        >>> solo = bazar.puzzle("2027-01-06").solo
        >>> solo.has(solo.start.after("roll")), solo.has(bazar.puzzle("2027-01-07").start)
        (True, False)
        """
        return isinstance(state, Alone) and state.equations == self.start.equations and self._ends_with(state.ahead)

    def _known(self, state: AnyState | None) -> Alone:
        """Return a position of this bazaar, by default its start; raise `ValueError` for others."""
        if state is None:
            return self.start
        if not self.has(state):
            raise ValueError(_("that is no position of this bazaar: other equations, or other stalls (BZ-44)"))
        return cast(Alone, state)

    def _ends_with(self, ahead: Stalls) -> bool:
        """Return True if some purchases turn this bazaar's stalls into these."""
        return len(ahead) == len(self.stalls) and all(
            wares[len(wares) - len(left) :] == left for wares, left in zip(self.stalls, ahead, strict=True)
        )

    @staticmethod
    def _actions(state: Alone) -> Actions:
        actions = state.actions(0)
        if not actions:
            raise ValueError(_("there is nothing for the player to decide here"))
        return actions


class _Judge(Planner):
    """A planner that uses the exact values at the end of a turn."""

    def __init__(self, solo: Solo) -> None:
        self.solo = solo

    @property
    def measure(self) -> str:
        return _("points to come")

    def position(self, state: State, before: State) -> float:
        gained = state.scores()[0] - before.scores()[0]
        return float(gained) if state.step == Step.OVER else gained + self.solo._at(cast(Alone, state))


class SoloBot(bots.Bot):
    """A bot that plays the open bazaar optimally, for points minus `cost` per turn; puzzles use 0.5 (BZ-44).

    It solves a bazaar at its first decision there, which takes some seconds for a whole one. Raises `ValueError` for a
    cost below 0.001.

    >>> from tradekit import bazar
    >>> view, bot = bazar.puzzle("2027-01-06", wares=1).start.view(0), bots.make("solo")
    >>> worth = bot.evaluate(view, view.actions(), random.Random(0))
    >>> str(max(worth, key=worth.get)), round(max(worth.values()), 2), bot.measure
    ('roll', 14.65, 'points to come less 0.5 a turn')
    """

    name = "solo"
    games = ("bazar-alone",)
    deterministic = True

    @checked
    def __init__(self, cost: float = 0.5) -> None:
        self.cost = check_cost(cost)

    @property
    def measure(self) -> str:  # noqa: D102
        return _("points to come less {cost} a turn").format(cost=self.cost)

    def choose(self, view: View, actions: Actions, rng: random.Random) -> Action:
        """Return the best action (the first one in a tie)."""
        return _solved(cast(Alone, view.known), self.cost)._judge.choose(view, actions, rng)

    def evaluate(self, view: View, actions: Actions, rng: random.Random) -> dict[Action, float]:
        """Return the exact value of each action, as in `Solo.options`."""
        state = cast(Alone, view.known)
        return _solved(state, self.cost)._after_each(state)


_KEPT: Final = 4  # solved bazaars: the values of a whole one take 27 MB
_kept: list[Solo] = []  # the one used last at the end


def _solved(state: Alone, cost: float) -> Solo:
    """Return the solved bazaar of a position; solved bazaars are kept, so that a game is solved once."""
    known = [solo for solo in _kept if solo.cost == cost and solo.has(state)]
    solo = known[-1] if known else Solo.of(state, cost)
    _kept[:] = [*(other for other in _kept if other is not solo), solo][-_KEPT:]
    return solo


def _closed(ahead: Ahead) -> bool:
    """Return True if the bazaar is closed (BZ-17)."""
    return ahead.count(0) >= CLOSING


@cache
def _purchases(ware: Ware) -> tuple[Ints, Ints]:
    """Return the indices at which a ware can be bought, and the hands after the purchase."""
    at = np.flatnonzero(containing(ware.stones))
    return at, indices(COUNTS[at] - np.array(ware.stones.counts))
