"""The frontier against the die: expected turns against expected points, over the policies of all costs (BZ-43).

For a cost c per turn the best policy maximises points - c * turns. So it is a corner of the upper hull of all pairs of
turns and points that policies reach, and every corner is found at some cost. Between two corners a and b there are
policies above the line through both if and only if one does best at the cost that is the line's slope. Solving there
either finds a new corner or proves that there is none (Eisner and Severance, Journal of the ACM 23, 1976). The edges of
all wares are searched side by side.

One end is the policy of fewest turns. The other is the policy of fewest turns that leaves the number of stones with the
highest score if that is certain, and otherwise the policy of the smallest cost that can be solved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf, isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tradekit._utils import ties
from tradekit.bazar import policy as policies
from tradekit.bazar.chains import left_numbers
from tradekit.bazar.policy import SMALLEST_COST, Goal, Policy, spans
from tradekit.bazar.stones import MOST_LEFT, StonesLike
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

    from tradekit.bazar.exchange import Exchange

_EXACT = 1e-8  # points, or turns if a turn costs more than a point: tolerance for a point on a line
_LAST_COLUMN = 3  # of BZ-15: three stones left or more


class Corner(NamedTuple):
    """A policy that is best at some cost per turn, and its expectations from the hand in question."""

    turns: float
    points: float
    cost: float  #: cost per turn at which it is best; infinite for fewest turns, 0 for most points
    left: str  #: numbers of stones that can be left over, from fewest to most
    policy: Policy


@dataclass(slots=True)
class _Hull:
    """Corners found so far for one goal, the fastest first, with a mark for each edge still to search."""

    goal: Goal
    corners: list[Corner]
    open: list[bool] = field(init=False)

    def __post_init__(self) -> None:
        self.open = [True] * (len(self.corners) - 1)

    def unsearched(self, within: float) -> list[tuple[int, float]]:
        """Return the number and slope of each edge where a policy may lie further than `within` above the line."""
        found = []
        for number, (a, b) in enumerate(pairwise(self.corners)):
            if not self.open[number]:
                continue
            wide = b.turns - a.turns
            slope = _slope(a, b)
            # Policies lie below the lines of slope a.cost through a and b.cost through b: here is where those cross.
            steeper = 1.0 if a.cost == inf else (a.cost - slope) / (a.cost - b.cost)
            gap = wide * steeper * (slope - b.cost)
            self.open[number] = slope >= SMALLEST_COST and gap > max(within, _EXACT) * max(1.0, slope)
            if self.open[number]:
                found.append((number, slope))
        return found


def _slope(a: Corner, b: Corner) -> float:
    return (b.points - a.points) / (b.turns - a.turns)


def corners(
    exchange: Exchange, have: StonesLike, goals: Sequence[Goal], within: float = 0.0
) -> list[tuple[Corner, ...]]:
    """Find the corners for each goal (without a cost), the fastest first; none if the purchase is not certain.

    No policy lies further than `within` above the lines between them: in points, or in turns to the left of them.
    """
    hulls = [_Hull(goal, _ends(exchange, have, goal)) for goal in goals]
    while edges := [(hull, *edge) for hull in hulls for edge in reversed(hull.unsearched(within))]:
        solved = policies.solve(exchange.moves, [replace(hull.goal, cost=slope) for hull, _number, slope in edges])
        for found, (hull, number, slope) in zip(solved, edges, strict=True):  # an edge's number holds: the last first
            a = hull.corners[number]
            on_line = a.points - slope * a.turns + _EXACT * max(1.0, slope)
            corner = _corner(found, have, hull.goal, slope) if found.value(have) > on_line else a
            if corner.points - slope * corner.turns <= on_line:
                hull.open[number] = False
            elif corner.turns - a.turns <= _EXACT:  # equally fast, for more points
                hull.corners[number] = corner._replace(cost=a.cost)
            else:
                hull.corners.insert(number + 1, corner)
                hull.open.insert(number, True)
    return [tuple(hull.corners[i] for i in _on_hull(hull.corners)) for hull in hulls]


def _ends(exchange: Exchange, have: StonesLike, goal: Goal) -> list[Corner]:
    """Return the corner of fewest turns and, if it differs, that of most points."""
    allowed = left_numbers(goal.left)
    most = tuple(n for n in allowed if min(n, _LAST_COLUMN) == min(allowed[0], _LAST_COLUMN))
    fast, rich = exchange.solve_all([Goal(goal.ware, left) for left in (goal.left, most)])
    if not isfinite(fast.turns(have)):
        return []
    if isfinite(rich.turns(have)):
        last = _corner(rich, have, goal, 0.0)
    else:
        last = _corner(exchange.solve_all([replace(goal, cost=SMALLEST_COST)])[0], have, goal, SMALLEST_COST)
    first = _corner(fast, have, goal, inf)
    return [first, last] if first.turns < last.turns and first.points < last.points else [last]


def _corner(found: Policy, have: StonesLike, goal: Goal, cost: float) -> Corner:
    turns, points = found.turns(have), found.points(have, goal.empty_stalls)
    columns = np.flatnonzero(found.left_odds(have)).tolist()
    numbers = [n for n in left_numbers(goal.left) if min(n, _LAST_COLUMN) in columns and n <= MOST_LEFT]
    # The policy is kept without its tables.
    kept = Policy(found._moves, replace(found.goal, empty_stalls=goal.empty_stalls), found._values)
    return Corner(turns, points, cost, spans(tuple(range(min(numbers), max(numbers) + 1))), kept)


def _on_hull(found: Sequence[Corner]) -> list[int]:
    """Return the numbers of the corners of the upper left hull, the fastest first (the first one in a tie)."""
    hull: list[int] = []
    for i in range(len(found)):
        if hull and found[i].points <= found[hull[-1]].points + _EXACT:
            continue
        while hull and _below(found[hull[-2]] if len(hull) > 1 else None, found[hull[-1]], found[i]):
            hull.pop()
        hull.append(i)
    return hull


def _below(a: Corner | None, b: Corner, c: Corner) -> bool:
    """Return True if b, with fewer points than c, is not a corner between a and c (None if b is the fastest so far)."""
    if c.turns - b.turns <= _EXACT:
        return True
    if a is None:
        return False
    slope = _slope(a, c)
    return b.points <= a.points + slope * (b.turns - a.turns) + _EXACT * max(1.0, slope)


def frame(found: Iterable[Sequence[Corner]]) -> pd.DataFrame:
    """Return the corners of several wares in the form of `Exchange.outlook`."""
    import pandas as pd

    hulls = [hull for hull in found if hull]
    rows = ties.ranked((corner for hull in hulls for corner in hull), key=lambda corner: corner.points)
    rows = ties.ranked(rows, key=lambda corner: -corner.turns)
    best = _on_hull(rows)
    slopes = [_slope(rows[i], rows[j]) for i, j in pairwise(best)]
    last = 0.0 if all(hull[-1].cost == 0 for hull in hulls) else SMALLEST_COST
    low, high = ([np.nan] * len(rows) for _side in range(2))
    for i, least, most in zip(best, [*slopes, last], [inf, *slopes], strict=True) if best else ():
        low[i], high[i] = least, most
    columns = {
        "ware": [str(row.policy.goal.ware) for row in rows],
        "left": [row.left for row in rows],
        "turns": [row.turns for row in rows],
        "points": [row.points for row in rows],
        "best": [i in best for i in range(len(rows))],
        "low": low,
        "high": high,
        "policy": [row.policy for row in rows],
    }
    return pd.DataFrame(columns)


def check_within(within: float) -> float:
    """Return `within` if it is a distance; raise `ValueError` otherwise."""
    if not 0 <= within < inf:
        raise ValueError(_("within={within}: must be 0 or more, in points or turns").format(within=within))
    return within
