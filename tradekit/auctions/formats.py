"""Sealed-bid formats, with prizes, payments and ties, and the one settlement of all of them.

Prizes go by place: the highest bid takes the first. Winners pay their bid, or the highest losing one; losers pay a
share of theirs, which is nothing in a first-price auction, all of it in an all-pay auction, half of it in Turin Market.

    format = turin(players=3)
    format.settle([5, 3, 3])                     # who gets and pays what, whatever the coin says
    format.equilibrium(3, uniform()).bid(0.5)    # theory
    format.simulate(...)                         # experiment

Open formats are described by the sealed one that they are equivalent to; their `remark` says where they are not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise, permutations
from numbers import Number
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict, TypeVar, Unpack, overload

from tradekit._utils.arguments import (
    amounts,
    between,
    checked,
    choice,
    items,
    number,
    one_of,
    optional,
    refusal,
    shown,
    whole,
    whole_number,
)
from tradekit._utils.numerals import make_plain, plain
from tradekit.auctions.next_bid import NextBid
from tradekit.auctions.own_bid import OwnBid
from tradekit.auctions.payment import PaymentRule
from tradekit.i18n import _

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from tradekit.auctions.common import CommonEquilibrium, CommonValues
    from tradekit.auctions.equilibrium import Equilibrium
    from tradekit.auctions.experiment import Opponent
    from tradekit.auctions.lab_charts import Picture
    from tradekit.auctions.rank_games import Bids
    from tradekit.auctions.risk import Risk
    from tradekit.auctions.simulate import Strategies
    from tradekit.auctions.values import Distribution, Floats, ValueModel, Values
    from tradekit.auctions.whole_bids import Solution
    from tradekit.widgets import bidding

_Amount = TypeVar("_Amount", float, "Floats")

#: Payment rules by the name that can be typed; a rule of your own is given as an object.
RULES: Final[dict[str, PaymentRule]] = {rule.name: rule for rule in (OwnBid(), NextBid())}

_NEARLY: Final = 1e-6  # bids this near to a step, in steps, are on it: files tell twelve digits
_PARTS: Final = 10**9  # of one, that a step may be counted in


class Kind(IntEnum):
    """The fate of bidders whose bids are equal."""

    PLACED = 0  #: they take their places, a coin says in which order
    TIED = 1  #: they bid again first (TU-14)
    VOID = 2  #: they win nothing, and what they would have won is discarded (TU-16)


_PLACED, _TIED, _VOID = Kind  # Python 3.11 finds members slowly


class Block(NamedTuple):
    """Bidders whose bids are equal, often a single one."""

    who: tuple[int, ...]
    kind: Kind
    place: int  #: the first of their places, from 0


@dataclass(frozen=True)
class Outcome:
    """One way that an auction may end, the coin included."""

    probability: float
    pays: tuple[float, ...]  #: by bidder, the fee included
    awards: tuple[float, ...]  #: units won, by bidder
    discarded: float = 0  #: units that nobody got


@dataclass(frozen=True)
class Settlement:
    """The result of bids: every outcome over the coins, or the tied bidders who must bid again first."""

    outcomes: tuple[Outcome, ...]
    rebid: tuple[tuple[int, ...], ...] = ()  #: groups of tied bidders who add to their bids, the highest first (TU-14)


def payment_rule(given: object, name: str = "winner_pays") -> str | PaymentRule:
    """Return a payment rule as `Format` keeps it: one of `RULES` by its name, any other as the object.

    >>> payment_rule("next"), payment_rule(NextBid())
    ('next', 'next')
    """
    if isinstance(given, PaymentRule):
        return given.name if RULES.get(given.name) == given else given
    typed: str = one_of(given, name, tuple(RULES))
    return typed


def number_of_bidders(given: object, name: str = "bidders") -> int:
    """Return the number of bidders. Raises `ValueError` for fewer than two, and for values in its place.

    >>> number_of_bidders("3")
    3
    """
    try:
        bidders = whole_number(given, name)
    except ValueError:
        if isinstance(given, Number | str | None):
            raise
        needed = _("must be a whole number, and comes before the values, as in equilibrium(3, uniform())")
        raise refusal(name, given, needed) from None
    if bidders < 2:
        raise ValueError(_("bidders={n}: an auction needs two").format(n=bidders))
    return bidders


class Parts(TypedDict, total=False):
    """Parts of a `Format` besides its prizes, by name: what ready-made formats take as `options`."""

    loser_pays: float
    winner_pays: str | PaymentRule
    reserve: float
    fee: float
    step: float | None
    rounding: str | None
    ties: str
    open: bool
    name: str
    remark: str


@checked(
    loser_pays=between(0, 1),
    winner_pays=payment_rule,
    reserve=between(0),
    fee=between(0),
    step=optional(between(above=0)),
    rounding=choice(None, "down"),
    ties=choice("coin", "rebid"),
)
@dataclass(frozen=True)
class Format:
    """A sealed-bid format. Raises `ValueError` for a part that cannot be, and names it.

    >>> half = Format(prizes=(2, 1), loser_pays=0.5)
    >>> half.settle([4, 3, 2]).outcomes
    (Outcome(probability=1.0, pays=(4, 3, 1.0), awards=(2, 1, 0), discarded=0),)
    """

    prizes: tuple[float, ...] = (1,)  #: units by place, none larger than the one before
    loser_pays: float = 0  #: the share of their bid that losers pay, 0 to 1
    winner_pays: str | PaymentRule = "bid"  #: "bid", "next" (the highest losing bid), or a rule of your own
    reserve: float = 0  #: a bid below wins nothing
    fee: float = 0  #: what it costs to bid at all
    step: float | None = None  #: bids are multiples of it; None: any bid
    rounding: str | None = None  #: "down": what losers pay is rounded down to a multiple of the step
    ties: str = "coin"  #: "coin", or "rebid": the tied add to their bids, then a coin (TU-14 to TU-17)
    open: bool = False  #: prices rise, and all see who leaves and when: that counts for values in common
    name: str = field(default="", compare=False)
    remark: str = field(default="", compare=False)  #: where an open format is not equivalent to this sealed one

    def __post_init__(self) -> None:
        make_plain(self)
        prizes = items(self.prizes, "prizes", number, "(2, 1)")
        if not (prizes and min(prizes) > 0) or any(b > a for a, b in pairwise(prizes)):
            raise ValueError(
                _("prizes={prizes}: must be positive, and no prize larger than the one before").format(
                    prizes=shown(prizes)
                )
            )
        object.__setattr__(self, "prizes", prizes)
        if self.rounding and self.step is None:
            raise ValueError(_("rounding={rounding!r} needs a step to round to").format(rounding=self.rounding))
        self.payment.check(self)
        object.__setattr__(self, "reserve", self.on_step(self.reserve))

    def __str__(self) -> str:
        return self.name or repr(self)

    @property
    def places(self) -> int:
        """The number of winners."""
        return len(self.prizes)

    @property
    def payment(self) -> PaymentRule:
        """The payment rule as an object.

        >>> second_price().payment
        NextBid()
        """
        rule = self.winner_pays
        return RULES[rule] if isinstance(rule, str) else rule

    def describe(self) -> str:
        """Return the rules in a sentence or two.

        >>> Format(prizes=(2, 1), loser_pays=0.5).describe()
        'Place 1 wins 2, place 2 wins 1. Winners pay their bid, losers 50 % of theirs.'
        """
        places = [_("place {n} wins {units:g}").format(n=n, units=units) for n, units in enumerate(self.prizes, 1)]
        wins = _("One unit is sold") if self.prizes == (1,) else ", ".join(places)
        share = _("losers nothing") if not self.loser_pays else _("losers {n:.3g} % of theirs").format(
            n=100 * self.loser_pays
        )  # fmt: skip
        rest = _(" A bid below {reserve:g} wins nothing.").format(reserve=self.reserve) if self.reserve else ""
        fee = _(" To bid costs {fee:g}.").format(fee=self.fee) if self.fee else ""
        return f"{wins[:1].upper()}{wins[1:]}. {self.payment.words}, {share}.{rest}{fee}"

    def loser_owes(self, bid: _Amount) -> _Amount:
        """Return what a losing bid costs, a number or an array (TU-12).

        >>> turin(2).loser_owes(5), turin(2).loser_owes(1)
        (2, 0)
        """
        owed = self.loser_pays * bid
        if self.rounding is None or self.step is None:
            return owed
        if isinstance(bid, int) and self.step == 1:
            return math.floor(owed + _NEARLY)
        import numpy as np

        steps: _Amount = np.floor(owed / self.step + _NEARLY)
        return multiple(steps, self.step)

    def nearest(self, amount: _Amount) -> _Amount:
        """Return the multiple of the step nearest to an amount, which may be an array; without a step, the amount.

        >>> first_price(step=0.25).nearest(63.2), first_price().nearest(63.2)
        (63.25, 63.2)
        """
        if self.step is None:
            return amount
        if isinstance(amount, int | float):
            return multiple(round(amount / self.step), self.step)
        import numpy as np

        return multiple(np.round(amount / self.step), self.step)

    @overload
    def on_step(self, amount: None) -> None: ...
    @overload
    def on_step(self, amount: float) -> float: ...
    @overload
    def on_step(self, amount: Floats) -> Floats: ...
    def on_step(self, amount: float | Floats | None) -> float | Floats | None:
        """Return an amount exactly on its step if it is there but for its last digits; any other, or None, as it is.

        So equal bids are equal: the computer's sum of 0.1 and 0.2 is a little above 0.3. Amounts may be arrays.

        >>> first_price(step=0.1).on_step(0.1 + 0.2), first_price(step=0.1).on_step(0.25)
        (0.3, 0.25)
        """
        if self.step is None or amount is None or (isinstance(amount, int) and isinstance(self.step, int)):
            return amount
        if isinstance(amount, int | float):
            nearest = self.nearest(amount)
            near = abs(nearest - amount) <= _NEARLY * self.step
            return nearest if near and nearest != amount else amount
        import numpy as np

        steps = self.nearest(amount)
        return np.where(np.abs(steps - amount) <= _NEARLY * self.step, steps, amount)

    # The settlement

    def settle(self, bids: Sequence[float | None], additions: Mapping[int, float] | None = None) -> Settlement:
        """Return who gets and pays what: every outcome over the coins that ties may need.

        `bids` by bidder, None for who does not bid, which is not a bid of 0. `additions`: what the tied add to their
        bids where ties are settled by rebids (TU-14); as long as one of them is missing, there are no outcomes and
        `rebid` says who is asked. Raises `ValueError` for a bid that cannot be.

        >>> turin(3).settle([3, 3, 1]).rebid
        ((0, 1),)
        >>> turin(3).settle([3, 3, 1], {0: 2, 1: 0}).outcomes[0].pays
        (5, 3, 0)
        """
        given = items(bids, "bids", example="(5, 3, None)")
        bids = [self._checked(bid, lambda: _("bid of bidder {n}"), bidder) for bidder, bid in enumerate(given)]
        blocks = self.blocks(bids)
        asked = {bidder for block in blocks if block.kind is _TIED for bidder in block.who}
        if not isinstance(additions, Mapping | None):
            raise refusal(
                "additions", additions, _("must be amounts by bidder, such as {example}").format(example="{0: 2}")
            )
        additions = {whole_number(bidder, "bidder"): amount for bidder, amount in (additions or {}).items()}
        for bidder, amount in additions.items():
            if bidder not in asked:
                raise ValueError(_("bidder {n} has nothing to add to: there is no tie to break").format(n=bidder))
            additions[bidder] = self._checked(amount, lambda: _("addition of bidder {n}"), bidder) or 0
        if additions:
            blocks = self.blocks(bids, additions)
        waiting = tuple(block.who for block in blocks if block.kind is _TIED)
        if waiting:
            return Settlement((), waiting)
        chances: dict[tuple[Any, ...], float] = {}
        for probability, places in _orders(blocks, self.places):
            ending = self.paid(bids, additions, places)
            chances[ending] = chances.get(ending, 0.0) + probability
        return Settlement(tuple(Outcome(p, *ending) for ending, p in sorted(chances.items())))

    def blocks(
        self,
        bids: Sequence[float | None],
        additions: Mapping[int, float] | None = None,
        standing: Sequence[float] | None = None,
    ) -> list[Block]:
        """Return the bidders from the top, equal ones together: placed, void, or tied and to bid again (TU-14).

        `additions`: what those who were tied have added. `standing`: what is compared in place of the bids, for a rule
        that puts somebody ahead without paying; a bid below the reserve wins nothing whatever its standing.

        >>> [(block.who, block.kind.name) for block in turin(3).blocks([3, 3, 1])]
        [((0, 1), 'TIED'), ((2,), 'PLACED')]
        """
        added = additions or {}
        compared = bids if standing is None else standing
        equal: dict[float, list[int]] = {}
        for n, (bid, height) in enumerate(zip(bids, compared, strict=True)):
            if bid is not None and height is not None:
                equal.setdefault(height if bid >= self.reserve else -math.inf, []).append(n)
        blocks: list[Block] = []
        place, places = 0, len(self.prizes)
        for height in sorted(equal, reverse=True):
            who = tuple(equal[height])
            if height == -math.inf:
                blocks.append(Block(who, _VOID, place))
            elif len(who) == 1 or self.ties == "coin" or place >= places:
                blocks.append(Block(who, _PLACED, place))
            elif any(n not in added for n in who):
                blocks.append(Block(who, _TIED, place))
            else:
                blocks += _by_additions(who, added, place)
            place += len(who)
        return blocks

    def _checked(self, bid: float | None, what: Callable[[], str], bidder: int) -> float | None:
        """The amount on its step; `what` names it in the error for one that cannot be."""
        if bid is None:
            return None
        if type(bid) not in (int, float) or not 0 <= bid < 1e300:  # the name costs time: made only where needed
            bid = number(bid, what().format(n=bidder), 0)
        if self.step is not None and abs(bid / self.step - round(bid / self.step)) > _NEARLY:
            said = what().format(n=bidder)
            raise ValueError(
                _("{what}: {bid} is not a multiple of {step}").format(what=said, bid=plain(bid), step=plain(self.step))
            )
        exact: float = plain(self.on_step(bid))
        return exact

    def paid(
        self, bids: Sequence[float | None], additions: Mapping[int, float], places: Sequence[int | None]
    ) -> tuple[tuple[float, ...], tuple[float, ...], float]:
        """Return payments and awards by bidder, and what is discarded, if those bidders take the places (None: nobody).

        >>> turin(3).paid([3, 3, 1], {0: 2, 1: 0}, [0, 1])
        ((5, 3, 0), (2, 1, 0), 0)
        """
        totals = [None if bid is None else self.on_step(bid + additions.get(n, 0)) for n, bid in enumerate(bids)]
        pays: list[float] = [
            0 if bid is None or n in places else self.loser_owes(bid) + self.fee for n, bid in enumerate(totals)
        ]
        awards: list[float] = [0] * len(bids)
        winners = [winner for winner in places if winner is not None]
        prices = iter(self.payment.charged(totals, winners, self.reserve))
        for place, winner in enumerate(places):
            if winner is not None:
                awards[winner] = self.prizes[place]
                pays[winner] = next(prices) + self.fee
        return tuple(pays), tuple(awards), sum(self.prizes) - sum(awards)

    def payments(self, bids: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Settle many auctions: what each bidder gets and pays, both of the shape of `bids`, (rounds, bidders).

        NaN is no bid. Ties are broken by coin, with `rng`, also where the format would ask for a rebid.

        >>> import numpy as np
        >>> awards, pays = turin(3).payments(np.array([[5, 3, 2], [4, np.nan, 1]]), np.random.default_rng(1))
        >>> awards.tolist(), pays.tolist()
        ([[2.0, 1.0, 0.0], [2.0, 0.0, 1.0]], [[5.0, 3.0, 1.0], [4.0, 0.0, 1.0]])
        """
        import numpy as np

        bids = self.on_step(amounts(bids, "bids"))
        if bids.ndim != 2:
            raise refusal("bids", bids, _("must be a table, a row for each auction"))
        there = ~np.isnan(bids)
        offered = np.where(there & (bids >= self.reserve), bids, -np.inf)
        order = np.argsort(-offered, axis=1)
        sorted_bids = np.take_along_axis(offered, order, axis=1)
        if (sorted_bids[:, 1:] == sorted_bids[:, :-1]).any():
            order = np.lexsort((rng.random(bids.shape), -offered), axis=1)
            sorted_bids = np.take_along_axis(offered, order, axis=1)
        places = min(self.places, bids.shape[1])
        awards = np.zeros(bids.shape)
        np.put_along_axis(awards, order[:, :places], np.broadcast_to(self.prizes[:places], (len(bids), places)), axis=1)
        awards[offered == -np.inf] = 0
        prices = self.payment.prices(sorted_bids[:, :places], sorted_bids[:, places:], self.reserve)
        price = np.zeros(bids.shape)
        np.put_along_axis(price, order[:, :places], prices, axis=1)
        pays = np.where(awards > 0, price, self.loser_owes(bids)) + self.fee
        return awards, np.where(there, pays, 0.0)

    # Theory and experiment

    @overload
    def equilibrium(
        self, bidders: int, values: CommonValues, risk: Risk = None, truncate: None = None
    ) -> CommonEquilibrium: ...

    @overload
    def equilibrium(
        self, bidders: int, values: Values | Distribution, risk: Risk = None, truncate: float | None = None
    ) -> Equilibrium: ...

    @overload
    def equilibrium(
        self, bidders: int, values: ValueModel | Distribution, risk: Risk = None, truncate: float | None = None
    ) -> Equilibrium | CommonEquilibrium: ...

    @checked(bidders=number_of_bidders)
    def equilibrium(
        self, bidders: int, values: ValueModel | Distribution, risk: Risk = None, truncate: float | None = None
    ) -> Equilibrium | CommonEquilibrium:
        """Find the symmetric equilibrium: an `Equilibrium`, or for values in common a `CommonEquilibrium`.

        `values`: private ones, as `Values` or a frozen distribution of `scipy.stats`, cut off at the quantile
        `truncate`; or a model of values in common such as `MeanOfSignals()`. `risk`: `CRRA`, `CARA`, or None for
        neutral. Raises `NoEquilibriumKnown` where no formula is known here, or where a type could gain more than a
        ten-thousandth of what is at stake by another bid than was found; `ValueError` for what cannot be.

        Where values are private and nobody is averse to risk, all formats in which the same types win earn the same
        (Myerson 1981):

        >>> from tradekit.auctions import uniform
        >>> [round(f.equilibrium(3, uniform()).revenue, 6) for f in (first_price(), second_price(), all_pay())]
        [0.5, 0.5, 0.5]
        """
        from tradekit.auctions.values import types_of

        return types_of(values, truncate).equilibrium(self, bidders, risk)

    @checked(rounds=whole(1, 10_000_000))
    def simulate(
        self,
        strategies: Strategies,
        values: ValueModel | Distribution,
        rounds: int = 10_000,
        seed: int = 0,
        *,
        bidders: int | None = None,
        truncate: float | None = None,
        progress: bool | None = None,
    ) -> pd.DataFrame:
        """Simulate many auctions, as a DataFrame with one row per bidder and round.

        `strategies`: one for each bidder, or one for all with `bidders`; "equilibrium", "naive", "shading", an
        equilibrium, or a function of an array of types. Columns: ``round, bidder, type, worth, bid, award, pays,
        gains``. Raises `ValueError` for what is no strategy, or a number of strategies that does not fit. More:
        `tradekit.auctions.simulate.simulate`.

        >>> from tradekit.auctions import MeanOfSignals
        >>> table = second_price().simulate("naive", MeanOfSignals(), rounds=2000, bidders=4)
        >>> float(table["gains"].sum()) < 0  # the winner's curse
        True
        """
        from tradekit.auctions import simulate

        return simulate.simulate(
            self, strategies, values, rounds, seed, bidders=bidders, truncate=truncate, progress=progress
        )

    @checked(steps=whole(1), target=between(0))
    def solve(
        self,
        values: Iterable[float] | Mapping[float, float] = range(21),
        bids: Bids = None,
        bidders: int = 2,
        *,
        cap: Callable[[float], float] | None = None,
        precision: float | None = None,
        target: float = 1e-3,
        steps: int = 50_000,
        seed: int = 0,
    ) -> Solution:
        """Find a symmetric equilibrium with whole bids and private values.

        What it takes is explained at `whole_bids.solve`. Raises `ValueError` for what cannot be, and for
        ties by rebid (TU-14).

        >>> first_price(step=1).solve(values=range(4)).support()[["value", "bids"]]  # from 0 to 3, equally likely
           value bids
        0    0.0    0
        1    1.0    0
        2    2.0    1
        3    3.0    1
        """
        from tradekit.auctions import whole_bids

        return whole_bids.solve(
            self, values, bids, bidders, cap=cap, precision=precision, target=target, steps=steps, seed=seed
        )

    @checked(steps=whole(1), target=between(0))
    def solve_known(
        self,
        values: Iterable[float] | Iterable[Sequence[float]],
        bids: Bids = None,
        *,
        budgets: Iterable[float] | None = None,
        extra: Callable[[int, float], float] | None = None,
        tied: bool = False,
        precision: float | None = None,
        exact: bool = False,
        target: float = 1e-3,
        steps: int = 50_000,
        seed: int = 0,
    ) -> Solution:
        """Find an equilibrium with whole bids and values that everyone knows.

        What it takes is explained at `whole_bids.solve_known`. Raises `ValueError` for what cannot be,
        and `ImportError` for ``exact=True`` without QuantEcon.

        >>> all_pay(step=1).solve_known((3, 3), bids=2).strategy.round(2)  # who could be foreseen would lose
        array([[0.33, 0.33, 0.33],
               [0.33, 0.33, 0.33]])
        """
        from tradekit.auctions import whole_bids

        return whole_bids.solve_known(
            self, values, bids, budgets=budgets, extra=extra, tied=tied, precision=precision, exact=exact,
            target=target, steps=steps, seed=seed,
        )  # fmt: skip

    @checked(rounds=whole(1, 100_000))
    def play(
        self,
        values: ValueModel | Distribution | None = None,
        opponents: Iterable[Opponent] = ("equilibrium", "naive"),
        rounds: int = 10,
        seed: int = 0,
    ) -> bidding.Game:
        """Return a widget in which you bid against opponents: see `tradekit.auctions.bidding_game`.

        >>> first_price().play(rounds=2, seed=4)
        auctions.bidding_game(auctions.Format(), stats.uniform(0, 1), ('equilibrium', 'naive'), 2, seed=4)
        """
        from tradekit.widgets.bidding import bidding_game

        return bidding_game(self, values, opponents, rounds, seed)

    @checked(bidders=number_of_bidders)
    def chart(
        self, bidders: int = 3, values: ValueModel | Distribution | None = None, risk: Risk = None, seed: int = 0
    ) -> Picture:
        """Draw the bids in equilibrium, and what some simulated bidders paid.

        `values`: as for `equilibrium`; if None, from 0 to 1, all equally likely. Raises `NoEquilibriumKnown`.

        >>> first_price().chart(bidders=2).data["line"][-1]["y"]
        0.5
        """
        from tradekit.auctions.lab_charts import bids
        from tradekit.auctions.values import uniform

        solved = self.equilibrium(bidders, uniform() if values is None else values, risk)
        return bids(solved, self.simulate(solved, solved.values, 100, seed, bidders=bidders))


def multiple(count: _Amount, step: float) -> _Amount:
    """Return this many steps, a number or an array, as near as numbers can be.

    >>> multiple(3, 0.1), 3 * 0.1
    (0.3, 0.30000000000000004)
    """
    if isinstance(step, int):
        return count * step
    units, parts = _ratio(step)
    return count * units / parts


@lru_cache
def _ratio(step: float) -> tuple[float, int]:
    """The step as the fraction that people mean by it: 0.1 is a tenth."""
    meant = Fraction(step).limit_denominator(_PARTS)
    return meant.as_integer_ratio() if float(meant) == step else (step, 1)


def _by_additions(who: tuple[int, ...], added: Mapping[int, float], place: int) -> Iterator[Block]:
    """A tie after its rebid: the block's places by addition; equal ones are for a coin, or void at 0 (TU-16)."""
    for addition, group in groupby(sorted(who, key=lambda n: -added[n]), key=lambda n: added[n]):
        members = tuple(group)
        yield Block(members, _PLACED if addition or len(members) == 1 else _VOID, place)
        place += len(members)


def _orders(blocks: Sequence[Block], places: int) -> Iterator[tuple[float, tuple[int | None, ...]]]:
    """Yield who may take the winning places, each with its probability: a coin orders the bidders of a block."""
    if not blocks or not places:
        yield 1.0, (None,) * places
        return
    block, *rest = blocks
    size = len(block.who)
    most = min(size, places)
    heads: Iterable[tuple[int | None, ...]] = permutations(block.who, most)
    chance = math.factorial(size - most) / math.factorial(size)
    if block.kind is _VOID:
        heads, chance = [(None,) * most], 1.0
    tails = list(_orders(rest, places - most))
    for head in heads:
        for probability, tail in tails:
            yield chance * probability, (*head, *tail)


# Ready made


def _named(title: str, prizes: Sequence[float], options: Parts, **parts: Unpack[Parts]) -> Format:
    """A format under that name, unless the options give it another one."""
    made: dict[str, Any] = {"name": title, **options}
    return Format(items(prizes, "prizes"), **parts, **made)


def _equal(units: int) -> tuple[int, ...]:
    """As many prizes of one unit."""
    return (1,) * units


@checked
def first_price(prizes: Sequence[float] = (1,), **options: Unpack[Parts]) -> Format:
    """Return the first-price auction: winners pay their bid; with several prizes, the discriminatory auction.

    `options`: other parts of `Format`, as for all that are ready made; `name`, too.

    >>> first_price(reserve=3).settle([5, 4, 2]).outcomes[0].pays
    (5, 0, 0)
    """
    return _named(_("first price"), prizes, options)


@checked(units=whole(1, 10_000))
def second_price(units: int = 1, **options: Unpack[Parts]) -> Format:
    """Return the second-price auction: winners pay the highest losing bid; of several units, the uniform price.

    >>> second_price().settle([5, 4, 2]).outcomes[0].pays
    (4, 0, 0)
    """
    return _named(_("second price"), _equal(units), options, winner_pays="next")


@checked
def all_pay(prizes: Sequence[float] = (1,), **options: Unpack[Parts]) -> Format:
    """Return the all-pay auction: everyone pays their bid.

    >>> all_pay().settle([5, 4, 2]).outcomes[0].pays
    (5, 4, 2)
    """
    return _named(_("all-pay"), prizes, options, loser_pays=1.0)


@checked
def losers_pay(share: float, prizes: Sequence[float] = (1,), **options: Unpack[Parts]) -> Format:
    """Return the auction where losers pay a share of their bid: first price at 0, all-pay at 1.

    Raises `ValueError` for a share that is not from 0 to 1.

    >>> losers_pay(0.5).settle([2, 1]).outcomes[0].pays
    (2, 0.5)
    """
    made = _named("", prizes, options, loser_pays=share)
    return made if made.name else replace(made, name=_("losers pay {share:g}").format(share=share))


@checked
def war_of_attrition(prizes: Sequence[float] = (1,), **options: Unpack[Parts]) -> Format:
    """Return the second-price all-pay auction: the winner pays the highest losing bid, and losers their own.

    >>> war_of_attrition().settle([5, 4, 2]).outcomes[0].pays
    (4, 4, 2)
    """
    return _named(_("war of attrition"), prizes, options, loser_pays=1.0, winner_pays="next")


@checked(units=whole(1, 10_000))
def discriminatory(units: int, **options: Unpack[Parts]) -> Format:
    """Return the auction of several equal units where winners pay their bid.

    >>> discriminatory(2).settle([5, 4, 2]).outcomes[0].pays
    (5, 4, 0)
    """
    return _named(_("discriminatory"), _equal(units), options)


@checked(units=whole(1, 10_000))
def uniform_price(units: int, **options: Unpack[Parts]) -> Format:
    """Return the auction of several equal units where winners pay the highest losing bid.

    >>> uniform_price(2).settle([5, 4, 2]).outcomes[0].pays
    (2, 2, 0)
    """
    return _named(_("uniform price"), _equal(units), options, winner_pays="next")


@checked(units=whole(1, 10_000))
def english(units: int = 1, **options: Unpack[Parts]) -> Format:
    """Return the auction with rising prices, settled as the second-price auction.

    >>> english().settle([5, 4, 2]) == second_price().settle([5, 4, 2])
    True
    >>> print(english().remark)
    Equivalent to second price where each knows their own value. With values in common, ...
    """
    remark = _(
        "Equivalent to second price where each knows their own value. With values in common, bidders also learn from "
        "when the others leave, and with three or more the two differ."
    )
    return _named(_("English"), _equal(units), {"remark": remark, **options}, winner_pays="next", open=True)


@checked(units=whole(1, 10_000))
def dutch(units: int = 1, **options: Unpack[Parts]) -> Format:
    """Return the auction with falling prices, described by the first-price auction.

    >>> dutch() == first_price()
    True
    >>> print(dutch().remark)
    The same game as first price: nothing is learned before somebody stops the clock. ...
    """
    remark = _("The same game as first price: nothing is learned before somebody stops the clock. People wait longer.")
    return _named(_("Dutch"), _equal(units), {"remark": remark, **options})


_PRIZES: Final = {
    (2, False): (2,), (3, False): (2, 1), (4, False): (2, 1, 1), (5, False): (2, 2, 1),
    (2, True): (2,), (3, True): (2, 1), (4, True): (1, 1), (5, True): (1, 1, 1),
}  # fmt: skip


@checked
def turin(players: int, first: bool = False, **options: Unpack[Parts]) -> Format:
    """Return Turin Market's auction: cards by place, losers pay half rounded down, rebids (TU-11 to TU-17).

    `first`: the first auction, which with four or five players is for the cards of the centre only (TU-10). Raises
    `ValueError` for other numbers of players than 2 to 5.

    >>> turin(4).prizes, turin(4, first=True).prizes
    ((2, 1, 1), (1, 1))
    """
    if (players, first) not in _PRIZES:
        raise ValueError(_("players={n}: Turin Market is for 2 to 5").format(n=players))
    standard: Parts = {"loser_pays": 0.5, "reserve": 1, "step": 1, "rounding": "down", "ties": "rebid"}
    return _named(_("Turin Market"), _PRIZES[players, first], {**standard, **options})
