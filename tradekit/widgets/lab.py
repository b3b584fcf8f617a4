"""The auction laboratory: a format, bidders and values in; bids, surplus and revenue out, theory beside simulation.

`Question` is what a person has set and `Answer` what theory and simulation say to it; `lab_page` writes both as a page.
A change for which no answer is known leaves both as they are and puts its message beside the field.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final

import pandas as pd
from scipy import stats

from tradekit._utils.arguments import checked, need_one_of
from tradekit._utils.numerals import number, whole
from tradekit.auctions import lab_charts
from tradekit.auctions.common import CommonEquilibrium, MeanOfSignals
from tradekit.auctions.equilibrium import Equilibrium
from tradekit.auctions.formats import Format, first_price
from tradekit.auctions.risk import CARA, CRRA, Risk
from tradekit.auctions.source_text import spell
from tradekit.auctions.values import Distribution, ValueModel, Values, types_of
from tradekit.i18n import _
from tradekit.widgets import lab_page
from tradekit.widgets.background import while_idle
from tradekit.widgets.page_widget import LivePage

MOST_BIDDERS: Final = 10
ROUNDS: Final = 4000  # simulated auctions behind the pictures
PRIZES: Final = ((1,), (1, 1), (2, 1), (2, 1, 1), (2, 2, 1))  #: to pick from
RISKS: Final[dict[str, Risk]] = {"neutral": None, "CRRA": CRRA(0.5), "CARA": CARA(3.0)}  #: what each begins with
#: Distributions to pick from, all of values from 0 to 1; "common": signals of one value in common.
SHAPES: Final[dict[str, ValueModel]] = {
    "uniform": Values.of(stats.uniform()),
    "middling": Values.of(stats.beta(2, 2)),
    "low": Values.of(stats.beta(1, 3)),
    "high": Values.of(stats.beta(3, 1)),
    "exponential": Values.of(stats.truncexpon(3, scale=1 / 3)),
    "common": MeanOfSignals(),
}


@checked
def lab(
    format: Format | None = None,
    bidders: int = 3,
    values: str | ValueModel | Distribution = "uniform",
    risk: Risk = None,
    *,
    value: float | None = None,
    seed: int = 0,
) -> Lab:
    """The laboratory: every part can be changed with a slider, or typed.

    `values`: as for `Format.equilibrium`, or one of "uniform", "middling", "low", "high" and "exponential", private
    values from 0 to 1, or "common", the mean of all signals, which shows the winner's curse. `value`: the type (the own
    value or signal) that all pictures mark. `seed`: of the simulation. What cannot be, or is not known, raises
    `ValueError` here, and in the lab stands as a message beside the field.

    >>> lab(first_price(), bidders=2)
    auctions.lab(auctions.Format(), 2, 'uniform', value=0.5)
    """
    if isinstance(values, str) and values not in SHAPES:
        there = ", ".join(map(repr, SHAPES))
        raise ValueError(_("there are no values {name!r}; there are {there}").format(name=values, there=there))
    chosen = SHAPES[values] if isinstance(values, str) else types_of(values)
    middle = round(sum(chosen.span) / 2, 6)
    return Lab(Question(format or first_price(), bidders, chosen, risk, middle if value is None else value, seed))


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the laboratory. It is checked when it is made: a faulty one raises `ValueError`."""

    format: Format
    bidders: int
    values: ValueModel
    risk: Risk
    value: float  #: the type that is looked at
    seed: int = 0

    def __post_init__(self) -> None:
        if not 2 <= self.bidders <= MOST_BIDDERS:
            raise ValueError(_("{n} bidders; 2 to {most} are shown here").format(n=self.bidders, most=MOST_BIDDERS))
        low, high = self.span
        if not low <= self.value <= high:
            raise ValueError(
                _("a value of {v:g}; they are from {low:g} to {high:g}").format(v=self.value, low=low, high=high)
            )

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest type."""
        return self.values.span

    @property
    def shape(self) -> str:
        """The name of the values in `SHAPES`; "own" for others."""
        return next((name for name, values in SHAPES.items() if values == self.values), "own")

    def code(self) -> str:
        """The one line of Python that computes what the lab shows."""
        risk = f", risk={spell(self.risk)}" if self.risk else ""
        return (
            f"format = {spell(self.format)}; values = {spell(self.values)}; "
            f"equilibrium = format.equilibrium({self.bidders}, values{risk}); "
            f"auction = format.simulate(equilibrium, values, rounds={ROUNDS}, seed={self.seed}, bidders={self.bidders})"
        )


@dataclass(frozen=True)
class Answer:
    """The answer of theory and simulation. It does not depend on the value that is looked at."""

    equilibrium: Equilibrium | CommonEquilibrium
    simulation: pd.DataFrame

    @cached_property
    def revenues(self) -> pd.Series[float]:
        """Revenue of each simulated auction."""
        return self.simulation.groupby("round", sort=False)["pays"].sum()


@lru_cache(64)
def solve(format: Format, bidders: int, values: ValueModel, risk: Risk, seed: int) -> Answer:
    """The answer; going back to a question that was asked before takes no time."""
    equilibrium = format.equilibrium(bidders, values, risk)
    _in_time = equilibrium.revenue_sd  # raises here what it may raise
    return Answer(equilibrium, format.simulate(equilibrium, values, ROUNDS, seed, bidders=bidders, progress=False))


class Lab(LivePage):
    """The widget. `question` and `answer` are plain values, for whoever goes on in Python."""

    sheets = ("live", "lab")
    actions = frozenset({"bidders", "loser_pays", "reserve", "prizes", "values", "risk", "degree", "value"})
    one_message = True

    def __init__(self, question: Question) -> None:
        self._ahead = lab_charts.draw_axes(question.span[1])
        self._put(question)
        super().__init__(_("auction laboratory"), every_click=True)

    def __repr__(self) -> str:
        question = self.question
        try:
            values = repr(question.shape) if question.shape != "own" else spell(question.values)
        except ValueError:  # they have no name in Python
            values = "values"
        risk = f", {spell(question.risk)}" if question.risk else ""
        seed = f", seed={question.seed}" if question.seed else ""
        rest = f"{values}{risk}, value={question.value:g}{seed}"
        return f"auctions.lab({spell(question.format)}, {question.bidders}, {rest})"

    def write(self) -> dict[str, str]:
        """The page: see `lab_page`."""
        return lab_page.write(self)

    def _put(self, question: Question) -> None:
        """Take a question. If it has no answer this raises, and nothing has changed."""
        self.answer = solve(question.format, question.bidders, question.values, question.risk, question.seed)
        self.question = question
        while_idle(self._ahead, wanted=lambda: self.question is question)

    def _ask(self, **changes: Any) -> None:
        self._put(replace(self.question, **changes))

    def _format(self, **changes: Any) -> None:
        self._ask(format=replace(self.question.format, name="", remark="", **changes))

    # What a person can do

    def do_bidders(self, value: str) -> None:
        """Another number of bidders."""
        self._ask(bidders=whole(value))

    def do_loser_pays(self, value: str) -> None:
        """Another share of their bid for losers to pay."""
        self._format(loser_pays=number(value, within=(0, 1)))

    def do_reserve(self, value: str) -> None:
        """Another reserve."""
        self._format(reserve=number(value, within=(0, self.question.span[1])))

    def do_prizes(self, value: str) -> None:
        """Other prizes, such as "2,1"."""
        self._format(prizes=tuple(map(whole, value.split(","))))

    def do_values(self, value: str) -> None:
        """Other values; the type that is looked at keeps its place among them."""
        new = SHAPES.get(value, self.question.values)
        (old_low, old_high), (low, high) = self.question.span, new.span
        place = (self.question.value - old_low) / (old_high - old_low)
        self._ask(values=new, value=round(low + place * (high - low), 6))

    def do_risk(self, value: str) -> None:
        """Another attitude towards risk."""
        need_one_of("risk", value, RISKS)
        self._ask(risk=RISKS[value])

    def do_degree(self, value: str) -> None:
        """More or less of that attitude."""
        if self.question.risk:
            kind: Any = type(self.question.risk)
            self._ask(risk=kind(number(value, within=(0, 10))))

    def do_value(self, value: str) -> None:
        """Look at another type."""
        self._ask(value=number(value, within=self.question.span))
