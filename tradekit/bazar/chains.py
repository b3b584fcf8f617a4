"""Chains of trades with the fewest turns to a purchase (BZ-41), and the frontier of turns against points (BZ-42).

A breadth-first search backwards from all purchases finds the turns of every hand, so one search covers all 3,003 at
once. It is exhaustive: a hand that it does not reach has no chain of any length. The last turn may pass ten stones
because it buys (BZ-14); the turns before it stay within ten.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tradekit._utils.arguments import checked, items, refusal, whole_numbers
from tradekit.bazar import render
from tradekit.bazar.hands import N_ALL, SIZES, Ints, Moves, N, containing, holding, index
from tradekit.bazar.stones import (
    MOST_LEFT,
    WARE_SIZE,
    Equation,
    EquationLike,
    Stones,
    StonesLike,
    Ware,
    WareLike,
    check_empty_stalls,
)
from tradekit.i18n import _, ngettext

if TYPE_CHECKING:
    import pandas as pd

LeftOver = int | Collection[int] | None  #: stones left after paying: a number, a collection, or None for any
#: Columns of BZ-15: 0, 1, 2, 3 or more left over.
SCORED: Final[tuple[LeftOver, ...]] = (0, 1, 2, range(3, MOST_LEFT + 1))
UNREACHABLE: Final = -1  #: entry in arrays of turns for no chain of any length


class Step(NamedTuple):
    """One turn of a chain: the trade made, and the hand before and after it."""

    trade: Equation
    before: Stones
    after: Stones


def walk(start: Stones, trades: Iterable[Equation]) -> tuple[Step, ...]:
    """Return the steps of `trades` from `start`; raise `ValueError` for an impossible trade (BZ-10)."""
    steps: list[Step] = []
    have = start
    for trade in trades:
        if not trade.left <= have:
            message = _("turn {turn}: {have} does not hold {give} (BZ-10)")
            raise ValueError(message.format(turn=len(steps) + 1, have=have, give=trade.left))
        steps.append(Step(trade, have, have - trade.left + trade.right))
        have = steps[-1].after
    return tuple(steps)


@dataclass(frozen=True, slots=True, init=False)
class Chain:
    """Trades that end with a purchase: one trade per turn, and the last turn buys.

    >>> chain = Chain("RR", "WWWGB", ["R=WW", "R=WBG"])
    >>> chain.turns, chain.left, chain.points()
    (2, 0, 5)
    >>> chain.title()
    'RR buys WWWBG in 2 turns, 0 stones left, 5 points'
    >>> print(chain.to_text())
    RR buys WWWBG in 2 turns, 0 stones left, 5 points
      1  RR   R=WW   RWW
      2  RWW  R=WBG  WWWBG  buys WWWBG, nothing left

    Raises `ValueError` if a trade cannot be made, passes ten stones too early (BZ-14), or does not end with the ware.
    """

    start: Stones
    ware: Ware
    trades: tuple[Equation, ...]  #: trades, each read from left to right

    def __init__(self, start: StonesLike, ware: WareLike, trades: Iterable[EquationLike]) -> None:
        object.__setattr__(self, "start", Stones(start))
        object.__setattr__(self, "ware", Ware(ware))
        given = items(trades, "trades", example="('R=WW', 'W=BG')")
        object.__setattr__(self, "trades", tuple(map(Equation, given)))
        if not self.trades:
            raise ValueError(_("a purchase needs a roll or a trade before it in the same turn (BZ-12)"))
        for step in self.steps:
            index(step.before)
        if not self.ware.stones <= self.steps[-1].after:
            message = _("the last holding {have} does not contain {ware} (BZ-12)")
            raise ValueError(message.format(have=self.steps[-1].after, ware=self.ware.stones))

    @property
    def steps(self) -> tuple[Step, ...]:
        """Turns in order; the purchase follows the last trade."""
        return walk(self.start, self.trades)

    @property
    def turns(self) -> int:
        """Number of turns, including the purchase (it takes no separate turn)."""
        return len(self.trades)

    @property
    def rest(self) -> Stones:
        """Stones left after paying."""
        return self.steps[-1].after - self.ware.stones

    @property
    def left(self) -> int:
        """Number of stones left after paying."""
        return len(self.rest)

    @checked
    def points(self, empty_stalls: int = 0) -> int:
        """Return the points of the purchase (BZ-15, BZ-16); raise `ValueError` for `empty_stalls` other than 0 and 1.

        >>> chain = Chain("RR", "WWWGB", ["R=WW", "R=WBG"])
        >>> chain.points(), chain.points(empty_stalls=1)
        (5, 8)
        """
        return self.ware.points(self.left, empty_stalls)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per turn, with the turn as index from 1.

        Columns: ``before, give, take, after`` (stones as text), and ``buys``: the ware in the last row, nothing in the
        others.

        >>> Chain("RR", "WWWGB", ["R=WW", "R=WBG"]).to_frame()[["before", "give", "take", "after"]]
             before give take  after
        turn
        1        RR    R   WW    RWW
        2       RWW    R  WBG  WWWBG
        """
        import pandas as pd

        rows = [
            (turn, *map(str, (step.before, step.trade.left, step.trade.right, step.after)), None)
            for turn, step in enumerate(self.steps, 1)
        ]
        frame = pd.DataFrame(rows, columns=["turn", "before", "give", "take", "after", "buys"]).set_index("turn")
        frame.loc[self.turns, "buys"] = str(self.ware)
        return frame

    def to_text(self) -> str:
        """Return several lines for a terminal: a heading and one line per turn."""
        rows = [(str(step.before), str(step.trade), str(step.after)) for step in self.steps]
        wide = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = [
            f"{turn:>3}  {before:<{wide[0]}}  {trade:<{wide[1]}}  {after:<{wide[2]}}"
            for turn, (before, trade, after) in enumerate(rows, 1)
        ]
        return "\n".join([self.title(), *lines[:-1], f"{lines[-1]}  {self.buys()}"])

    @checked
    def buys(
        self,
        ware: Callable[[Ware], str] = str,
        stones: Callable[[Stones], str] = str,
        filled: Callable[..., str] = str.format,
    ) -> str:
        """Return the purchase in words; `ware` and `stones` are functions that write these, `filled` puts them in.

        >>> chain = Chain("RRW", "WWWGB", ["R=WW", "R=WBG"])
        >>> chain.buys(), chain.buys(stones=lambda rest: f"{len(rest)} stone")
        ('buys WWWBG, left W', 'buys WWWBG, left 1 stone')
        """
        if len(self.rest):
            return filled(_("buys {ware}, left {rest}"), ware=ware(self.ware), rest=stones(self.rest))
        return filled(_("buys {ware}, nothing left"), ware=ware(self.ware))

    def to_markdown(self) -> str:
        """Return a Markdown table, one row per turn.

        >>> print(Chain("RR", "WWWGB", ["R=WW", "R=WBG"]).to_markdown())
        | turn | before | trade | after |
        | --- | --- | --- | --- |
        | 1 | RR | R=WW | RWW |
        | 2 | RWW | R=WBG | WWWBG, buys WWWBG, nothing left |
        """
        head = [_("turn"), _("before"), _("trade"), _("after")]
        rows = [[str(turn), *map(str, (s.before, s.trade, s.after))] for turn, s in enumerate(self.steps, 1)]
        rows[-1][-1] += f", {self.buys()}"
        return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * 4, *rows))

    def to_svg(self) -> str:
        """Draw the chain as self-contained SVG text: one row of stones per turn.

        >>> picture = Chain("RR", "WWWGB", ["R=WW", "R=WBG"]).to_svg()
        >>> picture.startswith("<svg"), "<title>RR buys WWWBG in 2 turns" in picture
        (True, True)
        """
        return render.chain_svg(self)

    def title(self) -> str:
        """Return one line with start, purchase, turns, and stones left over."""
        return _("{have} buys {ware} in {turns}, {left} left, {points}").format(
            have=self.start,
            ware=self.ware,
            turns=ngettext("{n} turn", "{n} turns", self.turns),
            left=ngettext("{n} stone", "{n} stones", self.left),
            points=ngettext("{n} point", "{n} points", self.points()),
        )

    def __str__(self) -> str:
        return ", ".join([*map(str, self.trades), f"buy {self.ware}"])

    def __repr__(self) -> str:
        return f"Chain({str(self.start)!r}, {str(self.ware)!r}, {[str(trade) for trade in self.trades]})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(self.to_text())

    def _repr_html_(self) -> str:
        return render.page(render.chain(self))


def left_numbers(left: LeftOver) -> tuple[int, ...]:
    """Return `left` as rising numbers, each once; raise `ValueError` for negative or non-integer ones, or none at all.

    >>> left_numbers(None), left_numbers(0), left_numbers(range(3, 9))
    ((0, 1, 2, 3, 4, 5, 6, 7, 8), (0,), (3, 4, 5, 6, 7, 8))
    """
    if left is None:
        return tuple(range(MOST_LEFT + 1))
    try:
        numbers = tuple(sorted({*whole_numbers(left, "left")}))
    except ValueError:
        numbers = ()
    if not numbers or numbers[0] < 0:
        raise refusal("left", left, _("must be 0 or more, several such numbers, or None for any number"))
    return numbers


def purchases(ware: Ware, left: LeftOver = None) -> npt.NDArray[np.bool_]:
    """Return True for each index of `hands` where a purchase can follow, (8569,); the last, "nowhere", is False."""
    able = np.zeros(N_ALL + 1, np.bool_)
    able[:N_ALL] = containing(ware.stones)
    if left is not None:
        allowed = np.zeros(int(SIZES[-1]) + 1, np.bool_)
        allowed[[WARE_SIZE + n for n in left_numbers(left) if n <= MOST_LEFT]] = True
        able[:N_ALL] &= allowed[SIZES]
    return able


def _buy_at_once(moves: Moves, ware: Ware, left: LeftOver) -> npt.NDArray[np.bool_]:
    """Return for each hand True if some trade leads to the purchase in the same turn, (3003,)."""
    return np.asarray(purchases(ware, left).take(moves.after).any(axis=0))


def turns(moves: Moves, ware: Ware, left: LeftOver = None) -> npt.NDArray[np.int16]:
    """Return the fewest turns from every hand to the purchase, or `UNREACHABLE`, (3003,) (BZ-41)."""
    return _turns_away(moves, np.flatnonzero(_buy_at_once(moves, ware, left)))


def _turns_away(moves: Moves, nearest: Ints) -> npt.NDArray[np.int16]:
    """Return 1 at the `nearest` hands, plus one per trade from them, or `UNREACHABLE`, (3003,)."""
    found = np.full(N + 1, UNREACHABLE, np.int16)
    unseen = np.ones(N + 1, np.bool_)
    unseen[N] = False  # filling of `neighbours`
    frontier = nearest
    turn = 1
    while frontier.size:
        found[frontier] = turn
        unseen[frontier] = False
        near = np.zeros(N + 1, np.bool_)
        near[moves.neighbours.take(frontier, axis=0)] = True
        frontier = np.flatnonzero(near & unseen)
        turn += 1
    return found[:N]


def _fewest(moves: Moves, origin: int, goals: Iterable[tuple[Ware, LeftOver]]) -> list[float]:
    """Find the fewest turns from one hand to each of several purchases, by one forward search; infinite for none."""
    away = _turns_away(moves, np.array([origin])).astype(float)
    away[away == UNREACHABLE] = np.inf
    return [float(away.min(where=_buy_at_once(moves, *goal), initial=np.inf)) for goal in goals]


def shortest(moves: Moves, have: StonesLike, ware: WareLike, left: LeftOver = None) -> Iterator[Chain]:
    """Yield all shortest chains, one after another on demand; none if there is no chain.

    Order: fewest stones left first; then by the trades, turn by turn, in the order of the exchange, where an equation
    comes before its reverse.
    """
    start, ware = Stones(have), Ware(ware)
    origin = index(start)
    numbers = left_numbers(left)
    if len(numbers) > 1:  # the nearest ones
        fewest = _fewest(moves, origin, [(ware, number) for number in numbers])
        numbers = tuple(n for n, turn in zip(numbers, fewest, strict=True) if turn == min(fewest))
    for number in numbers:
        distance, able = turns(moves, ware, number), purchases(ware, number)
        if distance[origin] != UNREACHABLE:
            for path in _paths(moves, distance, able, origin):
                yield Chain(start, ware, (moves.trades[i] for i in path))


def _paths(moves: Moves, distance: npt.NDArray[np.int16], able: npt.NDArray[np.bool_], at: int) -> Iterator[list[int]]:
    """Yield the trades, by number, of every shortest way on from `at`: each step leaves one turn fewer to go."""
    for number, after in enumerate(moves.after[:, at].tolist()):
        if distance[at] == 1:
            if able[after]:
                yield [number]
        elif after < N and distance[after] == distance[at] - 1:
            for path in _paths(moves, distance, able, after):
                yield [number, *path]


def levels(moves: Moves, have: StonesLike, ware: WareLike, left: LeftOver = None) -> pd.DataFrame:
    """Return the proof, as a complete forward search: one row per turn.

    ``holdings``: the number of hands first reached after turn - 1 trades. ``buying``: the number of these from which
    the next trade buys. The rows end with the first purchase or, without one, with the last new hand: then there is no
    chain at all.
    """
    import pandas as pd

    away = _turns_away(moves, np.array([index(have)]))
    buys = _buy_at_once(moves, Ware(ware), left) & (away != UNREACHABLE)
    last = away[buys].min() if buys.any() else away.max()
    turn = pd.RangeIndex(1, last + 1, name="turn")
    holdings, buying = (np.bincount(some[some >= 0], minlength=last + 1)[1 : last + 1] for some in (away, away[buys]))
    return pd.DataFrame({"holdings": holdings, "buying": buying}, index=turn)


def options(moves: Moves, have: StonesLike, ware: WareLike, left: LeftOver = None) -> pd.DataFrame:
    """Return every trade open to a hand as the first step, best first, with its cost in turns.

    Columns: ``action, after, buys`` (True if it ends the chain), ``turns`` of the shortest chain that begins with it
    (infinite if there is none), ``costs``: the number of turns above the best.
    """
    import pandas as pd

    origin, ware = index(have), Ware(ware)
    rows = _first_trades(moves, origin, ware, left)
    numbers = left_numbers(left)
    if len(rows) > 1 and rows[0][0] < np.inf and len(numbers) > 1:  # as `shortest` begins: fewest stones left
        fewest = _fewest(moves, origin, [(ware, number) for number in numbers])
        exact = {
            trade: turns
            for turns, trade, *_made in _first_trades(moves, origin, ware, numbers[fewest.index(min(fewest))])
        }
        rows.sort(key=lambda row: (row[0], row[0] < exact.get(row[1], np.inf)))
    return pd.DataFrame(
        [(*action, turns, 0.0 if turns == rows[0][0] else turns - rows[0][0]) for turns, *action in rows],
        columns=["action", "after", "buys", "turns", "costs"],
    )


def _first_trades(moves: Moves, origin: int, ware: Ware, left: LeftOver) -> list[tuple[float, str, str, bool]]:
    """Return each trade open to a hand, the soonest first: turns of the shortest chain that begins with it, and result.

    The columns of `options`, turns in front.
    """
    able, distance = purchases(ware, left), turns(moves, ware, left)
    rows = []
    for trade, e in zip(moves.trades, moves.after[:, origin].tolist(), strict=True):
        if able[e]:
            rows.append((1.0, str(trade), str(holding(e)), True))
        elif e < N:
            further = float(distance[e]) if distance[e] != UNREACHABLE else np.inf
            rows.append((1 + further, str(trade), str(holding(e)), False))
    return sorted(rows, key=itemgetter(0))


def frontier(moves: Moves, have: StonesLike, wares: Sequence[WareLike], empty_stalls: int = 0) -> pd.DataFrame:
    """Return every Pareto-best (turns, points) of one purchase with only trades, fastest first (BZ-42).

    Columns: ``ware, turns, left, points, chain``. Two wares that reach the same pair are both listed, in the order
    given; for one ware, only the one with the fewest stones left over is listed.
    """
    import pandas as pd

    check_empty_stalls(empty_stalls)
    origin = index(have)
    goals = [(ware, left) for ware in dict.fromkeys(map(Ware, wares)) for left in SCORED]
    rows = [
        (int(fewest), ware.points(min(left_numbers(left)), empty_stalls), ware, left)
        for fewest, (ware, left) in zip(_fewest(moves, origin, goals), goals, strict=True)
        if fewest < np.inf
    ]
    best = [row for row in rows if not any(_dominates(other[:2], row[:2]) for other in rows)]
    best.sort(key=itemgetter(0))
    chains = [next(shortest(moves, have, ware, left)) for _turns, _points, ware, left in best]
    return pd.DataFrame(
        [(str(chain.ware), chain.turns, chain.left, chain.points(empty_stalls), chain) for chain in chains],
        columns=["ware", "turns", "left", "points", "chain"],
    )


def _dominates(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return True if `one` takes no more turns for no fewer points, and is better in either."""
    return one[0] <= other[0] and one[1] >= other[1] and one != other


def turns_to_all(moves: Moves, able: npt.NDArray[np.bool_]) -> npt.NDArray[np.int16]:
    """Return `turns` to many purchases at once, (3003, goals); `able` is `purchases`, (8569, goals), by goal."""
    goals = able.shape[1]
    bits = np.zeros((len(able), (goals + 63) // 64 * 8), np.uint8)
    bits[:, : (goals + 7) // 8] = np.packbits(able, axis=1, bitorder="little")
    words = bits.view(np.uint64)
    nearest = words.take(moves.after[0], axis=0)
    for after in moves.after[1:]:
        nearest |= words.take(after, axis=0)
    found = np.empty((N, goals), np.int16)
    _turns_from_all(moves, nearest.take(moves.by_degree.order, axis=0), found)
    found += found != UNREACHABLE  # the trade that buys is also a turn
    return found


def distances(moves: Moves) -> npt.NDArray[np.int16]:
    """Return the fewest trades between any two hands within ten stones, or `UNREACHABLE`, (3003, 3003).

    Two threads share the sources. (Every trade has its reverse: the table is symmetric.)
    """
    place = moves.by_degree.place
    table = np.empty((N, N), np.int16)

    def search(first: int, last: int) -> None:
        nearest = np.zeros((N, (last - first + 63) // 64), np.uint64)
        source = np.arange(last - first)
        nearest[place[first:last], source // 64] = np.uint64(1) << (source % 64).astype(np.uint64)
        _turns_from_all(moves, nearest, table[:, first:last])

    cuts = np.linspace(0, N, max(2, os.cpu_count() or 1) + 1).astype(int).tolist()
    with ThreadPoolExecutor() as pool:
        list(pool.map(search, cuts, cuts[1:]))
    return table


def _turns_from_all(moves: Moves, nearest: npt.NDArray[np.uint64], out: npt.NDArray[np.int16]) -> None:
    """Find the turns from many sources to every hand, (3003, sources), 0 at the `nearest` ones, or `UNREACHABLE`.

    This is a breadth-first search from all sources at once, one bit each: a hand's bits are the "or" of its
    neighbours', so one pass over the trades moves all sources on by one turn. Turns are kept as binary digits, with a
    plane of bits per digit, and unpacked once. Hands with most neighbours come first, also in `nearest`, so that the
    j-th neighbours belong to the first hands.
    """
    _order, place, neighbours = moves.by_degree
    new, unseen = nearest, ~nearest
    planes: list[npt.NDArray[np.uint64]] = []
    turn = 0
    while new.any():
        while turn >> len(planes):
            planes.append(np.zeros_like(new))
        for digit, plane in enumerate(planes):
            if turn >> digit & 1:
                plane |= new
        spread = np.zeros_like(new)
        for column in neighbours:
            spread[: len(column)] |= new.take(column, axis=0)
        new = np.bitwise_and(spread, unseen, out=spread)
        unseen ^= new
        turn += 1

    def unpack(bits: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
        rows = bits.take(place[:N], axis=0).view(np.uint8)
        return np.unpackbits(rows, axis=1, count=out.shape[1], bitorder="little")

    np.negative(unpack(unseen), out=out, dtype=np.int16)  # UNREACHABLE
    for digit, plane in enumerate(planes):
        np.add(out, unpack(plane) * np.int16(1 << digit), out=out)
