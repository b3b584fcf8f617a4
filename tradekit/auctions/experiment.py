"""A person bids against chosen opponents, round after round: what was known, bid, won and paid, and what was missed.

An `Experiment` is a value: each bid gives the next one. Nothing a person has not decided is ever taken for a bid of 0:
a round has a `Status`, and a bid only where that says so. Gains may be negative, and so may the balance.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from tradekit._utils.arguments import checked, whole
from tradekit.auctions.equilibrium import NoEquilibriumKnown
from tradekit.auctions.formats import Format, Outcome, multiple
from tradekit.auctions.simulate import recorded
from tradekit.auctions.values import Distribution, Strategy, ValueModel, types_of
from tradekit.i18n import _

if TYPE_CHECKING:
    import pandas as pd

    from tradekit.auctions.common import CommonEquilibrium
    from tradekit.auctions.equilibrium import Equilibrium

PERSON: Final = "person"  #: the strategy of bidder 0
_NEARLY: Final = 1e-9
_DIGITS: Final = 3  # types and bids have so many places after the first of their range


class Status(StrEnum):
    """The state of a round for the person who plays. The text is what files say."""

    OPEN = "not bid yet"
    BID = "bid"
    NO_BID = "no bid"  #: chose not to bid
    TIMED_OUT = "timed out"  #: did not choose


@dataclass(frozen=True)
class Round:
    """One auction; bidder 0 is the person."""

    types: tuple[float, ...]  #: what each bidder knew: the value, or a signal of it
    worths: tuple[float, ...]  #: what a unit was worth to each
    bids: tuple[float | None, ...]  #: None: no bid
    status: Status = Status.OPEN
    outcome: Outcome | None = None  #: None as long as the person has not decided

    @property
    def statuses(self) -> tuple[Status, ...]:
        """By bidder."""
        if self.status is Status.OPEN:
            return (Status.OPEN,) * len(self.bids)
        return (self.status, *(Status.NO_BID if bid is None else Status.BID for bid in self.bids[1:]))

    def gains(self, bidder: int = 0) -> float:
        """Return worth times units won, less what was paid."""
        return _gains(self, self.outcome, bidder) if self.outcome else 0.0


@dataclass(frozen=True)
class Experiment:
    """Rounds of one format, with one draw of values."""

    format: Format
    values: ValueModel
    opponents: tuple[str, ...]  #: the names of their strategies
    seed: int
    rounds: tuple[Round, ...]
    version: str

    @classmethod
    @checked(rounds=whole(1, 100_000))
    def begin(
        cls,
        format: Format,
        values: ValueModel | Distribution,
        opponents: Iterable[Opponent],
        rounds: int = 10,
        seed: int = 0,
    ) -> Experiment:
        """Begin a new experiment. Ties are broken by coin, whatever the format says of rebids.

        `values`: as for `Format.simulate`. `opponents`: strategies as there, or another experiment, whose person's bids
        are bid again. The `seed` decides values and coins.

        >>> from tradekit.auctions import first_price, uniform
        >>> game = Experiment.begin(first_price(), uniform(), ["equilibrium", "naive"], rounds=3, seed=1)
        >>> game.current, game.bid(0.3).current, game.bid(0.3).rounds[0].status
        (0, 1, <Status.BID: 'bid'>)
        """
        from tradekit import __version__

        format, given = replace(format, ties="coin"), list(opponents)
        types = types_of(values)
        if not given:
            raise ValueError(_("an opponent at least is needed"))
        rules = [_rule(opponent, format, len(given) + 1, types) for opponent in given]
        frame = format.simulate([np.zeros_like, *rules], types, rounds, seed, progress=False)
        shown = {name: _digits(types) for name in ("type", "worth", "bid")}
        if format.step is not None:
            del shown["bid"]  # it is on a step, which may be finer
        table = frame[["type", "worth", "bid"]].round(shown).to_numpy().reshape(rounds, len(given) + 1, 3)
        dealt = tuple(
            Round(
                types=tuple(known.tolist()),
                worths=tuple(worth.tolist()),
                bids=(None, *(None if math.isnan(bid) else bid for bid in bids.tolist()[1:])),
            )
            for known, worth, bids in (row.T for row in table)
        )
        return cls(format, types, tuple(map(_name, given)), seed, dealt, __version__)

    # Bidding

    @property
    def bidders(self) -> int:
        """The person and the opponents."""
        return len(self.opponents) + 1

    @property
    def current(self) -> int | None:
        """The round in which the person has to decide, from 0; None: all is over."""
        return next((n for n, a_round in enumerate(self.rounds) if a_round.status is Status.OPEN), None)

    @property
    def played(self) -> int:
        """The number of decided rounds."""
        return len(self.rounds) if self.current is None else self.current

    @property
    def balance(self) -> float:
        """All gains so far, losses counted."""
        return sum(a_round.gains() for a_round in self.rounds)

    @checked
    def bid(self, amount: float | None, status: Status | None = None) -> Experiment:
        """Return the experiment after the person's bid of `amount`, or after none; `status` says why there is none.

        Raises `ValueError` for a bid that cannot be, and when all rounds are over.
        """
        status = status or (Status.NO_BID if amount is None else Status.BID)
        if (status is Status.BID) != (amount is not None) or status is Status.OPEN:
            raise ValueError(_("a bid needs an amount, and anything else none"))
        n = self.current
        if n is None:
            raise ValueError(_("all {n} rounds are over").format(n=len(self.rounds)))
        bids = (amount, *self.rounds[n].bids[1:])
        outcomes = self.format.settle(bids).outcomes
        coin = random.Random(f"{self.seed} {n}")  # of a text: the same in every process
        outcome = coin.choices(outcomes, [outcome.probability for outcome in outcomes])[0]
        on_steps = tuple(self.format.on_step(bid) for bid in bids)
        decided = replace(self.rounds[n], bids=on_steps, status=status, outcome=outcome)
        return replace(self, rounds=(*self.rounds[:n], decided, *self.rounds[n + 1 :]))

    # Looking back

    @checked
    def payoff(self, n: int, bid: float | None) -> float:
        """Return what the person would have gained in round n with that bid, on average over coins."""
        a_round = self.rounds[n]
        outcomes = self.format.settle((bid, *a_round.bids[1:])).outcomes
        return sum(outcome.probability * _gains(a_round, outcome, 0) for outcome in outcomes)

    @checked
    def best(self, n: int) -> tuple[float | None, float]:
        """Find the best response in hindsight, knowing all bids and what the prize was worth, and its profit.

        Amounts are multiples of `unit`. Not to bid is best where nothing can be gained.

        Between two bids of others, and from the reserve on, more only costs more: so the lowest amount is best in each
        of these intervals, and only those are looked at.
        """
        return max(
            ((bid, self.payoff(n, bid)) for bid in [None, *self._lowest(n)]),
            key=lambda pair: (round(pair[1], 9), -(pair[0] or 0)),
        )

    @checked
    def missed(self, n: int, best: float | None = None) -> float:
        """Return how much more the best response in hindsight would have gained than what was bid.

        `best`: what that reply gains, where it is known.
        """
        return max(0.0, (self.best(n)[1] if best is None else best) - self.payoff(n, self.rounds[n].bids[0]))

    @property
    def unit(self) -> float:
        """The smallest difference of amounts: the step of the format, or a thousandth or so of the range of types."""
        digits = _digits(self.values)
        return self.format.step or round(10.0**-digits, digits)

    @property
    def most(self) -> float:
        """No bid above this can gain: the highest type's prize, or the highest bid made."""
        made = [bid for a_round in self.rounds for bid in a_round.bids if bid is not None]
        return float(max([self.highest_worth, *made]))

    @property
    def highest_worth(self) -> float:
        """The most that a prize can be worth: the first one, to the highest type."""
        return float(self.values.span[1] * self.format.prizes[0])

    def _corners(self, n: int) -> set[float]:
        """Return the amounts where a bid begins to win more: another's bids, and the reserve; and 0."""
        return {0.0, self.format.reserve, *(bid for bid in self.rounds[n].bids[1:] if bid is not None)}

    def _lowest(self, n: int) -> list[float]:
        """The lowest amounts above, and at, each bid of another, the reserve, and 0."""
        unit = self.unit
        steps = {math.ceil(corner / unit - _NEARLY) + more for corner in self._corners(n) for more in (0, 1)}
        return [multiple(step, unit) for step in sorted(steps)]

    @checked
    def payoffs(self, n: int) -> list[list[tuple[float, float]]]:
        """Return (bid, payoff) over all bids in round n, in pieces without a jump: for a chart."""
        top = self.most
        if self.format.step:
            count = math.floor(top / self.format.step)
            bids = [multiple(k, self.format.step) for k in range(count + 1)]
            return [[(bid, self.payoff(n, bid)) for bid in bids]]
        edges, off = sorted(corner for corner in self._corners(n) | {top} if corner <= top), top * 1e-7
        ends = [(low + off, high - off) for low, high in pairwise(edges) if high - low > 2 * off]
        return [[(bid, self.payoff(n, bid)) for bid in pair] for pair in ends]

    @cached_property
    def rule(self) -> Strategy | None:
        """b: the bid function if all were in equilibrium; None where it is not known here."""
        try:
            return equilibrium(self.format, self.bidders, self.values).strategy
        except NoEquilibriumKnown:
            return None

    def to_frame(self) -> pd.DataFrame:
        """Return a DataFrame with one row per bidder and round, as in the file: see `tradekit.auctions.rounds_csv`."""
        from tradekit.auctions import rounds_csv

        return rounds_csv.frame(self)

    def to_csv(self) -> str:
        """Return the text of the file: see `tradekit.auctions.rounds_csv`."""
        from tradekit.auctions import rounds_csv

        return rounds_csv.write(self)


#: The name of a strategy, a function of types, or an experiment, whose person's bids are bid again.
Opponent = str | Strategy | Experiment


def _digits(values: ValueModel) -> int:
    """Return the number of decimals of types and bids: by the range of the types, wherever it lies."""
    low, high = values.span
    return _DIGITS - math.floor(math.log10(high - low))


def _gains(a_round: Round, outcome: Outcome, bidder: int) -> float:
    return a_round.worths[bidder] * outcome.awards[bidder] - outcome.pays[bidder]


def equilibrium(format: Format, bidders: int, values: ValueModel) -> Equilibrium | CommonEquilibrium:
    """Find the equilibrium; where bids have steps, that of the format without. Raises `NoEquilibriumKnown`."""
    return replace(format, step=None, rounding=None).equilibrium(bidders, values)


def _rule(opponent: Opponent, format: Format, bidders: int, values: ValueModel) -> str | Strategy:
    if isinstance(opponent, Experiment):
        made = [(r.types[0], r.bids[0]) for r in opponent.rounds if r.status is Status.BID and r.bids[0] is not None]
        known, bids = zip(*made, strict=True) if made else ((), ())
        return recorded(known, bids)
    return equilibrium(format, bidders, values).strategy if opponent == "equilibrium" else opponent


def _name(opponent: Opponent) -> str:
    return opponent if isinstance(opponent, str) else "recorded" if isinstance(opponent, Experiment) else "function"


def names(opponents: Sequence[str]) -> tuple[str, ...]:
    """Return the names of bidders: the person "you", the others by letters."""
    return (_("you"), *(chr(ord("A") + n) for n in range(len(opponents))))
