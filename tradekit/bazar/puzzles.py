"""Daily puzzles: a bazaar for one player, its optimum, and marks for a played game (BZ-44)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tradekit._utils import ties
from tradekit._utils.arguments import checked, label, whole
from tradekit.bazar import render
from tradekit.bazar.open_bazaar import Alone
from tradekit.bazar.open_bazaar import new as new_alone
from tradekit.bazar.open_bazaar_solver import Solo
from tradekit.bazar.parameters import STALL_SIZE, Step
from tradekit.game import keyed
from tradekit.i18n import _, ngettext
from tradekit.record import Record
from tradekit.show.html import element

if TYPE_CHECKING:
    import pandas as pd


_SHOWN: Final = 5  # decisions in the picture of the marks: those that lost most


@checked
@dataclass(frozen=True)
class Puzzle:
    """A bazaar for one player, for points minus `cost` per turn, with its `start` position.

    Play and record it like any other game: ``tradekit.play(puzzle.start)``.
    """

    name: str
    start: Alone
    cost: float

    @cached_property
    def solo(self) -> Solo:
        """Solution of the bazaar: the best action in every position, and the reasons."""
        return Solo.of(self.start, self.cost)

    @property
    def optimum(self) -> float:
        """Expected points minus the cost of the turns, with the best play."""
        return self.solo.value()

    @checked
    def check(self, record: Record) -> Marks:
        """Return the marks of a played game of this puzzle, decision by decision, finished or not.

        Raises `ValueError` for a record of another bazaar.

        >>> from tradekit import Record
        >>> small = puzzle("2027-01-06", wares=1)
        >>> marks = small.check(Record.begin(small.start).with_move("B=GG"))
        >>> marks.decisions["best"].tolist(), round(marks.lost, 2), abs(marks.luck) < 1e-6  # no die was rolled
        (['roll'], 0.44, True)
        """
        if record.start != self.start:
            message = _("the record begins with another bazaar than puzzle {name}: {start}")
            raise ValueError(message.format(name=self.name, start=record.start))
        decisions = self.solo.check(record)
        turns = sum(state.step == Step.TURN for state in list(record.states())[:-1])  # type: ignore[attr-defined]
        end = record.state()
        assert isinstance(end, Alone)
        return Marks(end.scores()[0], turns, self.cost, self.solo.value(end), self.optimum, decisions)

    def __str__(self) -> str:
        return _("puzzle {name}: as many points as you can, less {cost} a turn").format(name=self.name, cost=self.cost)

    def _repr_html_(self) -> str:
        return render.page(element("div", str(self)), self.start.html())


@dataclass(frozen=True, eq=False)  # a table is compared cell by cell
class Marks:
    """A player's result in a puzzle: ``value = optimum - lost + luck``."""

    points: int
    turns: int
    cost: float  #: cost in points per turn
    ahead: float  #: expected points minus cost still to come; 0 once the bazaar is closed
    optimum: float  #: expected points minus cost at the start
    decisions: pd.DataFrame  #: decisions, one per row; see `Solo.check`

    @property
    def value(self) -> float:
        """Points minus the cost of the turns, plus the expectation of the rest."""
        return self.points - self.cost * self.turns + self.ahead

    @property
    def lost(self) -> float:
        """Points that all decisions gave away."""
        return float(self.decisions["costs"].sum())

    @property
    def luck(self) -> float:
        """Points that the die gave beyond expectation."""
        return self.value - self.optimum + self.lost

    def __str__(self) -> str:
        return _(
            "{points} in {turns}: {value:.2f}. The optimum is {optimum:.2f}; decisions lost {lost:.2f}, "
            "the die gave {luck:+.2f}."
        ).format(
            points=ngettext("{n} point", "{n} points", self.points),
            turns=ngettext("{n} turn", "{n} turns", self.turns),
            value=self.value,
            optimum=self.optimum,
            lost=self.lost,
            luck=round(self.luck, 2) + 0.0,  # never "-0.00"
        )

    def _repr_html_(self) -> str:
        lost = self.decisions[self.decisions["costs"] > 0]
        most = ties.ranked(range(len(lost)), key=lost["costs"].tolist().__getitem__)[:_SHOWN]
        lost = lost.iloc[most]
        columns = (lost[name] for name in ("move", "action", "best", "costs"))
        rows = [(str(move), action, best, f"{costs:.2f}") for move, action, best, costs in zip(*columns, strict=True)]
        table = render.table((_("move"), _("action"), _("best"), _("lost")), rows, numbers=[0, 3]) if rows else ""
        return render.page(element("div", str(self)), table)


@checked(wares=whole(1, STALL_SIZE))
def puzzle(name: str | int | date | None = None, *, wares: int = 2, cost: float = 0.5) -> Puzzle:
    """Return the puzzle of that name: a date, a number or any word; by default today's.

    The same name always gives the same puzzle. Two cards of the house deck are in force, four stalls have `wares` wares
    each (5 is the whole bazaar), the player begins with up to four stones, and a turn costs `cost` points.

    >>> puzzle("2027-01-06").start == puzzle(date(2027, 1, 6)).start
    True
    """
    named = label(date.today() if name is None else name, "name")
    rng = keyed(0, "puzzle", named)
    have = "".join(rng.choices("RWBGY", k=rng.randrange(5)))
    return Puzzle(named, new_alone(have=have, size=wares, seed=named), cost)
