"""Policies against the die: the best policy for buying one ware, for all 3,003 hands at once (BZ-43).

A turn is a roll or a trade, then perhaps the purchase. A policy minimises the expected number of turns to it, or
maximises expected points minus a cost per turn. Its values come from `bellman`; its actions follow from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tradekit._utils import ties
from tradekit._utils.arguments import checked, generator, need_at_least, need_one_of, number, whole
from tradekit.bazar import bellman, render
from tradekit.bazar.bellman import Floats
from tradekit.bazar.chains import SCORED, LeftOver, left_numbers, purchases
from tradekit.bazar.hands import N_ALL, N_ROLLED, RETURNED, ROLLED, SIZES, Ints, Moves, N, holding, index, indices
from tradekit.bazar.stones import (
    COLOURS,
    FACES,
    LIMIT,
    MOST_LEFT,
    WARE_SIZE,
    Equation,
    Stones,
    StonesLike,
    Ware,
    WareLike,
    check_empty_stalls,
)
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

ROLL: Final = "roll"
SMALLEST_COST: Final = 1e-3  # below it, waiting is nearly free and 1e-9 is out of a double's reach
_COLUMNS: Final = len(SCORED)  # columns of BZ-15: 0, 1, 2, and 3 or more stones left over
_COLUMN: Final[Ints] = np.append(np.clip(SIZES - WARE_SIZE, 0, _COLUMNS - 1), 0)  # (8569,): column of a purchase


@dataclass(frozen=True, slots=True)
class Goal:
    """Goal of a policy: a ware, the number of stones left over, and the quantity optimised."""

    ware: Ware
    left: tuple[int, ...] | None = None  #: allowed numbers of stones left over; None: any number
    cost: float | None = None  #: cost in points per turn, for points minus cost; None: fewest turns
    empty_stalls: int = 0

    @classmethod
    @checked
    def of(cls, ware: WareLike, left: LeftOver = None, cost: float | None = None, empty_stalls: int = 0) -> Goal:
        """Return a checked goal.

        Raises `ValueError` for a cost below 0.001, for `left` below 0 or not whole, and for `empty_stalls` other than 0
        and 1.

        >>> Goal.of("RWBGY", left=range(3, 6)).left
        (3, 4, 5)
        >>> Goal.of("RWBGY", cost=0)
        Traceback (most recent call last):
        ValueError: cost=0: must be 0.001 or more
        """
        numbers = None if left is None else left_numbers(left)
        return cls(Ware(ware), numbers, None if cost is None else check_cost(cost), check_empty_stalls(empty_stalls))

    @property
    def turn_cost(self) -> float:
        """Cost of a turn: 1 if turns are counted, otherwise the cost in points."""
        return 1.0 if self.cost is None else self.cost

    def gains(self) -> Floats:
        """Return the worth of a purchase at each index of `tradekit.bazar.hands`, (8569,); the last is "nowhere".

        It is 0 if turns are counted, otherwise points (BZ-15); minus infinity if the purchase cannot be made.

        >>> gains = Goal.of("RWBGY", cost=0.5).gains()
        >>> gains.max().item(), (gains > 0).sum().item()  # with each of the 1,287 rests of up to eight stones
        (5.0, 1287)
        """
        worth = 0.0 if self.cost is None else scores(self.ware, self.empty_stalls)
        return np.where(purchases(self.ware, self.left), worth, -np.inf)


def check_cost(cost: float) -> float:
    """Return the cost of a turn, in points.

    Raises `ValueError` for a cost at which waiting would be free, and for more than a game can ever bring.
    """
    return number(cost, "cost", SMALLEST_COST)


def scores(ware: Ware, empty_stalls: int) -> Floats:
    """Return the points of a purchase at each index, even where it cannot be made, (8569,) (BZ-15)."""
    points = np.array([ware.points(left, empty_stalls) for left in range(MOST_LEFT + 1)], float)
    return np.append(points[np.maximum(SIZES - WARE_SIZE, 0)], 0)


def solve(moves: Moves, goals: Sequence[Goal]) -> list[Policy]:
    """Find the best policy for each goal, all goals side by side."""
    gains = np.stack([goal.gains() for goal in goals], axis=1)
    values = bellman.solve(moves, gains, np.array([goal.turn_cost for goal in goals]))
    return [Policy(moves, goal, column) for goal, column in zip(goals, values.T.copy(), strict=True)]


class PlanStep(NamedTuple):
    """A turn of a plan: the hand, the trade and its result (None for a roll), and True if the turn buys."""

    before: Stones
    trade: Equation | None
    after: Stones | None
    buys: bool


class Policy:
    """The best action and value for every hand, made by `Exchange.solve`.

    Values are expected turns (fewer is better), or, for a goal with a cost, expected points minus cost per turn.
    If the goal cannot be reached with certainty, turns are infinite. Among actions of equal value, the policy takes the
    first trade in the order of the exchange, and the roll last; among equal stones, the first colour; and it buys
    rather than waits. A hand above ten stones raises `ValueError` (BZ-14).

    >>> from tradekit.bazar import Exchange
    >>> policy = Exchange("G=Y").solve("RRRRR")
    >>> policy.title()
    'buy RRRRR, any number left: fewest turns'
    >>> policy.best("RRRR"), round(policy.turns("RRRR"), 6)  # R and Choice bring the last stone: two faces of six
    ('roll', 3.0)
    >>> round(policy.points("RRRR"), 3)
    2.926
    """

    def __init__(self, moves: Moves, goal: Goal, values: Floats) -> None:
        self.goal = goal
        self._moves = moves
        self._values = values  # (3004,): V, and minus infinity for "nowhere"

    def __repr__(self) -> str:
        return f"<Policy: {self.title()}>"

    def title(self) -> str:
        """Return one line with the ware, the number of stones left over, and the quantity optimised."""
        left = self.goal.left
        allowed = _("any number left") if left is None else _("{left} left").format(left=spans(left))
        aim = (
            _("fewest turns") if self.goal.cost is None else _("points minus {cost} a turn").format(cost=self.goal.cost)
        )
        return _("buy {ware}, {allowed}: {aim}").format(ware=self.goal.ware, allowed=allowed, aim=aim)

    # Values, for one hand or all

    def value(self, have: StonesLike) -> float:
        """Return the value of beginning a turn with `have`: expected turns, or points minus cost per turn.

        >>> from tradekit.bazar import Exchange
        >>> policy = Exchange("G=Y").solve("RRRRR", cost=0.5)
        >>> round(policy.value("RRRR"), 3)  # 2.926 points, less 0.5 for each of 3 turns
        1.426
        """
        return self._shown(self._values[index(have)])

    def turns(self, have: StonesLike) -> float:
        """Return the expected turns to the purchase from `have`; infinite if it cannot be made certain.

        >>> from tradekit.bazar import Exchange
        >>> Exchange("G=Y").solve("RRRRR", left=0).turns("G")  # nothing takes the green stone away
        inf
        """
        return float(self.all_turns[index(have)])

    @checked
    def points(self, have: StonesLike, empty_stalls: int | None = None) -> float:
        """Return the expected points of the purchase from `have` (BZ-15); NaN if it cannot be made certain.

        `empty_stalls`: 0 or 1 (BZ-16), by default that of the goal; others raise `ValueError`.

        >>> from tradekit.bazar import Exchange
        >>> policy = Exchange("R=WW").solve("RWWYY")
        >>> policy.points("RRYY"), policy.points("RRYY", empty_stalls=1)
        (5.0, 8.0)
        """
        stalls = self.goal.empty_stalls if empty_stalls is None else check_empty_stalls(empty_stalls)
        return float(self._odds[index(have)] @ [self.goal.ware.points(left, stalls) for left in range(_COLUMNS)])

    def left_odds(self, have: StonesLike) -> Floats:
        """Return the probabilities that 0, 1, 2, or 3 or more stones are left over, (4,); NaN if it is not certain.

        >>> from tradekit.bazar import Exchange
        >>> Exchange("G=Y").solve("RRRRR").left_odds("RRRR").round(3)
        array([0.333, 0.222, 0.148, 0.296])
        """
        return np.array(self._odds[index(have)], float)

    @cached_property
    def all_turns(self) -> Floats:
        """(3003,): expected turns from every hand, in the order of `hands`."""
        if self.goal.cost is None:
            return 0.0 - self._values[:N]
        return self._outcome[:, -1]

    # Actions

    def best(self, have: StonesLike) -> str:
        """Return the best action, as it is typed: ``roll`` or a trade such as ``R=WW``.

        >>> from tradekit.bazar import Exchange
        >>> policy = Exchange("R=WW").solve("RWWYY")
        >>> policy.best("RRYY"), policy.best("RYY")
        ('R=WW', 'roll')
        """
        move = self._moves_made[index(have)]
        return str(self._moves.trades[move]) if move < len(self._moves.trades) else ROLL

    def options(self, have: StonesLike) -> pd.DataFrame:
        """Return every legal action with its value under optimal play, best first.

        Columns: ``action``; ``after`` (the hand a trade makes; missing for a roll); ``buys`` (True if the purchase
        follows at once); ``turns`` (or ``value`` for a goal with a cost); ``costs``: the difference from the best.

        >>> from tradekit.bazar import Exchange
        >>> Exchange("R=WW W=BG").solve("RWBGY").options("RRW")[["action", "turns", "costs"]].round(3)
          action  turns  costs
        0   roll  4.434  0.000
        1   W=BG  4.667  0.233
        2   R=WW  4.833  0.400
        """
        import pandas as pd

        origin = index(have)
        actions: list[tuple[float, str, str | None, bool]] = []
        for trade, e in zip(self._moves.trades, self._moves.after[:, origin].tolist(), strict=True):
            if e < N or (e < N_ALL and self._gains[e] > -np.inf):  # above ten a trade is legal only if it buys (BZ-14)
                actions.append((self._traded[e], str(trade), str(holding(e)), bool(self._buys_traded[e])))
        actions.append((self._after_rolls[origin], ROLL, None, False))
        actions = ties.ranked(actions, key=itemgetter(0))
        actions.sort(key=lambda action: action[1] != self.best(have))  # if nothing can be made certain: the roll
        costs = ties.costs(worth for worth, *_action in actions)
        rows = [
            (*action, self._shown(worth - self.goal.turn_cost), cost)
            for (worth, *action), cost in zip(actions, costs, strict=True)
        ]
        name = "turns" if self.goal.cost is None else "value"
        return pd.DataFrame(rows, columns=["action", "after", "buys", name, "costs"])

    def plan(self, have: StonesLike) -> list[PlanStep]:
        """Return the policy's turns from `have`, until the purchase or until the die decides.

        >>> from tradekit.bazar import Exchange
        >>> [str(step.trade) for step in Exchange("R=WW W=BG").solve("RWWBG", left=0).plan("RRW")]
        ['R=WW', 'W=BG']
        """
        at, steps = index(have), []
        while (move := int(self._moves_made[at])) < len(self._moves.trades):
            after = int(self._moves.after[move, at])
            steps.append(
                PlanStep(holding(at), self._moves.trades[move], holding(after), bool(self._buys_traded[after]))
            )
            if self._buys_traded[after]:
                return steps
            at = after
        return [*steps, PlanStep(holding(at), None, None, False)]

    def faces(self, have: StonesLike) -> pd.DataFrame:
        """Return the result of each face of the die from `have`.

        Columns: ``face``; ``take`` (the stone taken); ``then``: ``buy``, ``keep`` or ``return X`` (the stone that
        goes back from eleven); ``holding`` before the next turn (the stones left after a purchase); ``turns`` or
        ``value`` from there on.

        >>> from tradekit.bazar import Exchange
        >>> Exchange("G=Y").solve("RRRRR").faces("RRRRGGGGGG").round(3)
             face take      then     holding  turns
        0       R    R       buy      GGGGGG    0.0
        1       W    W  return W  RRRRGGGGGG    3.0
        2       B    B  return B  RRRRGGGGGG    3.0
        3       G    G  return G  RRRRGGGGGG    3.0
        4       Y    Y  return G  RRRRGGGGGY    3.0
        5  Choice    R       buy      GGGGGG    0.0
        """
        import pandas as pd

        origin = index(have)
        rows = []
        for face in FACES:
            colour = COLOURS.index(face) if face in COLOURS else int(self._chosen[origin])
            e = int(ROLLED[colour, origin])
            if self._buys_rolled[e]:
                then, kept, worth = "buy", holding(e) - self.goal.ware.stones, self._gains[e]
            elif e < N:
                then, kept, worth = "keep", holding(e), self._values[e]
            else:
                back = int(self._returned[e - N])
                at = int(RETURNED[back, e - N])
                then, kept, worth = f"return {COLOURS[back]}", holding(at), self._values[at]
            rows.append((face, COLOURS[colour], then, str(kept), self._shown(worth)))
        name = "turns" if self.goal.cost is None else "value"
        return pd.DataFrame(rows, columns=["face", "take", "then", "holding", name])

    @checked
    def grid(self, have: StonesLike, across: str, up: str) -> pd.DataFrame:
        """Return expected turns by the numbers of two colours, with the other stones of `have`, for a heat map.

        Columns: ``x, y`` (stones of the colours `across` and `up`), ``holding`` (as text), ``turns``, and ``here``:
        True for `have` itself. All hands within ten stones are included, the highest y first. Raises `ValueError`
        unless they are two different colours.

        >>> from tradekit.bazar import Exchange
        >>> grid = Exchange("G=Y").solve("RRRRR").grid("RRRR", across="R", up="W")
        >>> grid[grid["y"] == 0]["turns"].round(3).tolist()  # of no red stone, of one, ... of ten
        [15.0, 12.0, 9.0, 6.0, 3.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
        """
        import pandas as pd

        need_one_of("across", across, [*COLOURS])
        need_one_of("up", up, [colour for colour in COLOURS if colour != across])
        counts = dict(zip(COLOURS, Stones(have).counts, strict=True))
        room = LIMIT - sum(n for colour, n in counts.items() if colour not in (across, up))
        at = [(x, y) for y in range(room, -1, -1) for x in range(room + 1 - y)]
        numbers = indices([[*{**counts, across: x, up: y}.values()] for x, y in at])
        rows = [
            (x, y, str(holding(i)), float(self.all_turns[i]), (x, y) == (counts[across], counts[up]))
            for (x, y), i in zip(at, numbers.tolist(), strict=True)
        ]
        return pd.DataFrame(rows, columns=["x", "y", "holding", "turns", "here"])

    def to_frame(self) -> pd.DataFrame:
        """Return one row per hand, all 3,003, the smaller first.

        Columns: ``holding`` (as text), ``stones`` (their number), expected ``turns``, ``value`` for a goal with a cost,
        and ``best``, the action to take.

        >>> from tradekit.bazar import Exchange
        >>> frame = Exchange("R=WW").solve("RWWYY").to_frame()
        >>> frame[frame["holding"] == "RRYY"]
           holding  stones  turns  best
        70    RRYY       4    1.0  R=WW
        """
        import pandas as pd

        frame = pd.DataFrame(
            {"holding": [str(holding(i)) for i in range(N)], "stones": SIZES[:N], "turns": self.all_turns}
        )
        if self.goal.cost is not None:
            frame["value"] = self._values[:N]
        frame["best"] = [*map(str, np.array([*map(str, self._moves.trades), ROLL])[self._moves_made])]
        return frame

    @checked(plays=whole(1, 10_000_000))
    def simulate(self, have: StonesLike, plays: int = 20_000, seed: int | None = None) -> pd.DataFrame:
        """Play the policy `plays` times from `have` with a real die: one row per play, ``turns, left, points``.

        ``left`` are stones; equal seeds give equal plays. Raises `ValueError` if `plays` is below 1, and if the
        purchase cannot be made certain from there: such a play might never end.

        >>> from tradekit.bazar import Exchange
        >>> plays = Exchange("G=Y").solve("RRRRR").simulate("RRRR", seed=1)
        >>> round(plays["turns"].mean().item(), 1)  # 3 are expected
        3.0
        """
        import pandas as pd

        need_at_least(1, plays=plays)
        origin = index(have)
        if not np.isfinite(self._values[origin]):
            raise ValueError(
                _("{have}: the purchase cannot be made certain, so a play may never end").format(have=have)
            )
        rng = generator(seed)
        at = np.full(plays, origin)  # index of each play, in the end that of its purchase
        turns = np.zeros(plays, np.intp)
        playing = np.arange(plays)
        trades = len(self._moves.trades)
        while playing.size:
            here = at[playing]
            turns[playing] += 1
            face = rng.integers(len(FACES), size=here.size)
            rolled = ROLLED[np.where(face < len(COLOURS), face, self._chosen[here]), here]
            move = self._moves_made[here]
            traded = self._moves.after[move % trades, here]
            there = np.where(move < trades, traded, rolled)
            bought = np.where(move < trades, self._buys_traded[traded], self._buys_rolled[rolled])
            at[playing] = np.where(bought, there, self._next[there])
            playing = playing[~bought]
        points = scores(self.goal.ware, self.goal.empty_stalls)[at].astype(int)
        return pd.DataFrame({"turns": turns, "left": SIZES[at] - WARE_SIZE, "points": points})

    def _repr_html_(self) -> str:
        return render.page(render.policy(self))

    # The policy as arrays, made on demand

    def _shown(self, raw: float) -> float:
        """Return a value for display: turns are positive, and minus infinity becomes infinite turns."""
        return 0.0 - float(raw) if self.goal.cost is None else float(raw)

    @cached_property
    def _gains(self) -> Floats:
        """(8569,): worth of a purchase at each index."""
        return self.goal.gains()

    @cached_property
    def _rolled(self) -> Floats:
        """(8569,): U after a roll, the purchase still to decide."""
        rolled = self._gains.copy()
        rolled[:N_ROLLED] = bellman.reached(self._gains[:, None], self._values[:, None])[:, 0]
        return rolled

    @cached_property
    def _traded(self) -> Floats:
        """(8569,): U after a trade, which above ten must buy (BZ-14)."""
        traded = self._rolled.copy()
        traded[N:] = self._gains[N:]
        return traded

    @cached_property
    def _buys_rolled(self) -> npt.NDArray[np.bool_]:
        """(8569,): True if the policy buys after a roll."""
        return self._buys(self._rolled)

    @cached_property
    def _buys_traded(self) -> npt.NDArray[np.bool_]:
        """(8569,): True if the policy buys after a trade."""
        return self._buys(self._traded)

    def _buys(self, best: Floats) -> npt.NDArray[np.bool_]:
        """Return True where a purchase is possible and as good as the best alternative."""
        as_good: npt.NDArray[np.bool_] = ties.first_best(np.stack([self._gains, best])) == 0
        return as_good & (self._gains > -np.inf)

    @cached_property
    def _after_trades(self) -> Floats:
        """(trades, 3003): value after each trade."""
        return self._traded[self._moves.after]

    @cached_property
    def _after_rolls(self) -> Floats:
        """(3003,): mean value after a roll."""
        outcomes = self._rolled[ROLLED]
        mean: Floats = (outcomes.sum(axis=0) + outcomes.max(axis=0)) / len(FACES)
        return mean

    @cached_property
    def _moves_made(self) -> npt.NDArray[np.intp]:
        """(3003,): number of the trade made, or the total number of trades for a roll."""
        best = ties.first_best(np.vstack([self._after_trades, self._after_rolls]))
        # If nothing can be made certain, all actions are equally bad; a roll is always legal (BZ-11).
        return np.where(np.isfinite(self._values[:N]), best, len(self._moves.trades))

    @cached_property
    def _chosen(self) -> npt.NDArray[np.intp]:
        """(3003,): colour taken on Choice."""
        return ties.first_best(self._rolled[ROLLED])

    @cached_property
    def _returned(self) -> npt.NDArray[np.intp]:
        """(1365,): colour that goes back from eleven stones."""
        return ties.first_best(np.where(RETURNED < N, np.nan_to_num(self._values[RETURNED], neginf=-1e300), -np.inf))

    @cached_property
    def _next(self) -> npt.NDArray[np.intp]:
        """(8569,): hand at the beginning of the next turn if nothing is bought at each index; N: none."""
        following = np.full(N_ALL + 1, N)
        following[:N] = np.arange(N)
        following[N:N_ROLLED] = RETURNED[self._returned, np.arange(N_ROLLED - N)]
        return following

    @cached_property
    def _odds(self) -> Floats:
        """(3003, 4): probability of each column of BZ-15, for points with any stall; NaN if it is not certain."""
        possible = np.bincount(_COLUMN[self._gains > -np.inf], minlength=_COLUMNS) > 0
        if possible.sum() > 1:
            return self._outcome[:, :_COLUMNS]
        return np.where(np.isfinite(self._values[:N, None]), possible, np.nan)  # whatever happens

    @cached_property
    def _outcome(self) -> Floats:
        """(3003, 5): `_odds`, and the expected number of turns, infinite if the purchase is not certain.

        Trades are followed, by doubling, to the roll or purchase that they lead to. The rest is the linear system
        (I - P) x = r over the hands that roll.
        """
        from scipy.sparse import csc_array
        from scipy.sparse.linalg import spsolve

        sure = np.isfinite(self._values[:N])
        trades = self._moves_made < len(self._moves.trades)
        trading, rolling = np.flatnonzero(sure & trades), np.flatnonzero(sure & ~trades)
        bought = N + _COLUMN  # not hands but ends: a purchase in each column
        end = self._moves.after[self._moves_made[trading], trading]
        to, turns = np.arange(N + _COLUMNS), np.zeros(N + _COLUMNS)
        to[trading] = np.where(self._buys_traded[end], bought[end], self._next[end])
        turns[trading] = 1
        while (to[to] != to).any():
            turns += turns[to]
            to = to[to]

        colours = [np.full(rolling.size, colour) for colour in range(len(COLOURS))]
        end = ROLLED[[*colours, self._chosen[rolling]], rolling]  # (6, rolls), by the faces of the die
        then = np.where(self._buys_rolled[end], bought[end], self._next[end])
        more = 1 + turns[then].mean(axis=0)
        then = to[then]
        odds = [(then == N + column).sum(axis=0) / len(FACES) for column in range(_COLUMNS)]

        values = np.eye(N + _COLUMNS, _COLUMNS + 1, -N)
        if rolling.size:
            line, place = np.arange(rolling.size), np.zeros(N, np.intp)
            place[rolling] = line
            on = then < N
            rows = np.append(line, np.broadcast_to(line, then.shape)[on])
            entries = np.repeat([1, -1 / len(FACES)], [line.size, rows.size - line.size])
            system = csc_array((entries, (rows, np.append(line, place[then[on]]))), shape=(line.size, line.size))
            # In their own order: rolls add stones, so little is filled in.
            values[rolling] = spsolve(system, np.stack([*odds, more], axis=1), permc_spec="NATURAL")
        outcome = values[to[:N]]
        outcome[:, -1] += turns[:N]
        outcome[~sure] = [*[np.nan] * _COLUMNS, np.inf]
        return outcome


def spans(numbers: tuple[int, ...]) -> str:
    """Return numbers as text: ``0``, ``1, 4`` or ``3 to 8``."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return _("{first} to {last}").format(first=numbers[0], last=numbers[-1])
    return ", ".join(map(str, numbers))
