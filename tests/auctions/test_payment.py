"""A new payment rule is one module: here two are defined, and tradekit is not changed."""

import subprocess
import sys
from dataclasses import dataclass, replace
from inspect import signature

import numpy as np
import pytest
from scipy import stats

from tradekit.auctions import (
    CARA,
    CRRA,
    Format,
    MeanOfSignals,
    NoEquilibriumKnown,
    Values,
    all_pay,
    averse,
    english,
    first_price,
    second_price,
    turin,
    uniform,
    war_of_attrition,
    whole_bids,
)
from tradekit.auctions.experiment import Experiment
from tradekit.auctions.formats import RULES
from tradekit.auctions.mechanism import Mechanism
from tradekit.auctions.next_bid import NextBid
from tradekit.auctions.own_bid import OwnBid
from tradekit.auctions.payment import PaymentRule
from tradekit.auctions.risk import RiskAttitude
from tradekit.auctions.source_text import spell
from tradekit.auctions.values import ValueModel


@dataclass(frozen=True)
class ThirdPrice(PaymentRule):
    """The winner pays the third-highest bid (Kagel and Levin 1993)."""

    factor: float = 1.0  #: of the bids that are said to be in equilibrium: any but 1 is wrong

    @property
    def words(self):
        return "The winner pays the third-highest bid"

    def price(self, winner, won, lost, reserve):
        return max([reserve, *[*won, *lost][2:3]])

    def bid_function(self, equilibrium):
        n, (low, _high) = equilibrium.bidders, equilibrium.values.span
        if n < 3 or equilibrium.values.cdf(equilibrium.values.ppf(0.3)) != pytest.approx(0.3) or low:
            raise NoEquilibriumKnown("third price: three bidders at least")
        return lambda v: self.factor * (n - 1) / (n - 2) * v


@dataclass(frozen=True)
class MeanOfTwo(PaymentRule):
    """The winner pays the mean of the two highest bids; no equilibrium is stated."""

    @property
    def words(self):
        return "The winner pays the mean of the two highest bids"

    def price(self, winner, won, lost, reserve):
        two = [*won, *lost, reserve][:2]
        return sum(two) / 2


THIRD = Format(winner_pays=ThirdPrice(), name="third price")
MEAN = Format(winner_pays=MeanOfTwo())


def test_a_rule_of_ones_own_is_settled():
    assert THIRD.settle([5, 3, 4, 1]).outcomes[0].pays == (3, 0, 0, 0)
    assert THIRD.settle([5, 3]).outcomes[0].pays == (0, 0), "nobody is third"
    assert replace(THIRD, reserve=2).settle([5, 3, 1]).outcomes[0].pays == (2, 0, 0), "a bid below the reserve is none"
    assert MEAN.settle([5, 4, 1]).outcomes[0].pays == (4.5, 0, 0)
    assert {outcome.pays for outcome in MEAN.settle([5, 5, 1]).outcomes} == {(5, 0, 0), (0, 5, 0)}
    assert replace(MEAN, fee=1, loser_pays=0.5).settle([5, None, 4]).outcomes[0].pays == (5.5, 0, 3)


@pytest.mark.parametrize("format_", [THIRD, MEAN, replace(MEAN, reserve=0.4, loser_pays=0.25)], ids=repr)
def test_many_auctions_at_once_are_settled_like_one(format_):
    bids = np.random.default_rng(2).random((50, 4))
    bids[::7, 1] = np.nan
    awards, pays = format_.payments(bids, np.random.default_rng(3))
    for row, won, paid in zip(bids, awards, pays, strict=True):
        outcome = format_.settle([None if np.isnan(bid) else bid for bid in row.tolist()]).outcomes[0]
        assert outcome.awards == pytest.approx(won) and outcome.pays == pytest.approx(paid)


@pytest.mark.long
@pytest.mark.parametrize("n", [3, 5])
def test_an_equilibrium_that_a_rule_states_is_checked_and_served(n):
    equilibrium = THIRD.equilibrium(n, uniform())
    assert equilibrium.bid(0.5) == pytest.approx(0.5 * (n - 1) / (n - 2))
    assert equilibrium.revenue == pytest.approx(second_price().equilibrium(n, uniform()).revenue), "Myerson 1981"
    assert equilibrium.gain < 1e-4
    paid = THIRD.simulate(equilibrium, uniform(), rounds=4000, seed=1, bidders=n).groupby("round")["pays"].sum()
    assert paid.mean() == pytest.approx(equilibrium.revenue, abs=4 * paid.std() / len(paid) ** 0.5)
    assert paid.std() == pytest.approx(equilibrium.revenue_sd, rel=0.05)


@pytest.mark.long
def test_the_check_of_any_rule_agrees_with_the_exact_ones():
    """Two prizes, losers' shares and a reserve: rules of which the check knows nothing but `price`."""

    class Own(OwnBid):
        worths = PaymentRule.worths
        mean_square = PaymentRule.mean_square

    class Next(NextBid):
        worths = PaymentRule.worths
        mean_square = PaymentRule.mean_square

    for rule, parts in [(Own(), {"prizes": (2, 1), "loser_pays": 0.5, "reserve": 0.1}), (Next(), {"prizes": (1, 1)})]:
        exact, plain = (Format(**parts, winner_pays=winner_pays) for winner_pays in (rule.name, rule))
        assert plain.payment is rule
        exact, sampled = (format_.equilibrium(4, uniform()) for format_ in (exact, plain))
        assert sampled.gain < 1e-4
        assert sampled.revenue_sd == pytest.approx(exact.revenue_sd, rel=2e-3)


@pytest.mark.parametrize("factor", [0.8, 0.95, 1.1])
def test_bids_that_are_none_are_refused(factor):
    with pytest.raises(NoEquilibriumKnown, match="gains"):
        Format(winner_pays=ThirdPrice(factor)).equilibrium(4, uniform())


def test_what_a_rule_does_not_say_is_not_known():
    with pytest.raises(NoEquilibriumKnown, match="mean of the two highest"):
        MEAN.equilibrium(3, uniform())
    with pytest.raises(NoEquilibriumKnown, match="three bidders"):
        THIRD.equilibrium(2, uniform())
    for ask in (
        lambda: THIRD.equilibrium(3, uniform(), CARA(1)),
        lambda: THIRD.equilibrium(3, MeanOfSignals()),
        lambda: replace(THIRD, step=1).solve(range(4)),
        lambda: replace(THIRD, step=1).solve_known((3, 2, 2)),
    ):
        with pytest.raises(NoEquilibriumKnown):
            ask()
    with pytest.raises(ValueError, match="rebid"):
        replace(THIRD, step=1, ties="rebid").solve_known((3, 2))
    with pytest.raises(ValueError, match="cannot be written down"):
        spell(THIRD)
    with pytest.raises(ValueError, match="open=True needs"):
        Format(winner_pays=ThirdPrice(), open=True)


def test_a_rule_of_ones_own_is_drawn_described_and_compared():
    assert THIRD.describe() == "One unit is sold. The winner pays the third-highest bid, losers nothing."
    assert "ThirdPrice(factor=1.0)" in repr(THIRD) and Format(winner_pays=ThirdPrice()) == THIRD != Format()
    line, points = (THIRD.chart(bidders=3).data[layer] for layer in ("line", "points"))
    assert line[-1]["y"] == pytest.approx(2) and points


def test_rules_are_typed_and_kept_as_words():
    assert Format(winner_pays=NextBid()) == Format(winner_pays="next") and repr(Format(winner_pays=OwnBid())) == repr(
        Format()
    )
    assert {name: type(rule) for name, rule in RULES.items()} == {"bid": OwnBid, "next": NextBid}
    assert {type(f.payment) for f in (first_price(), all_pay(), turin(3))} == {OwnBid}
    assert {type(f.payment) for f in (second_price(), english(), war_of_attrition())} == {NextBid}


@pytest.mark.parametrize("name", ["solve", "solve_known", "simulate"])
def test_a_format_shows_the_signature_of_what_it_calls(name):
    from tradekit.auctions.simulate import simulate

    behind = {"solve": whole_bids.solve, "solve_known": whole_bids.solve_known, "simulate": simulate}[name]
    shown = {of.name: (of.default, of.kind) for of in signature(getattr(Format, name)).parameters.values()}
    real = {of.name: (of.default, of.kind) for of in signature(behind).parameters.values()}
    del shown["self"], real["format"]
    assert shown == real


def test_a_format_is_a_mechanism():
    assert isinstance(Format(), Mechanism) and not isinstance(uniform(), Mechanism)
    promised = [name for name in vars(Mechanism) if not name.startswith("_")]
    assert promised == ["describe", "settle", "solve", "simulate", "play", "chart"]
    assert all(getattr(Format, name).__doc__ for name in promised)


LIGHT = """
import sys
from tradekit import auctions
from tradekit.auctions import Format, first_price, second_price
{code}
sys.exit(", ".join(name for name in sys.modules if name.split(".")[0] in {heavy!r}) or 0)
"""


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("first_price().equilibrium(5, auctions.uniform(0, 20)).bid(3)", ["scipy"]),
        ("repr(first_price().equilibrium(5, auctions.uniform()))", ["scipy"]),
        ("repr(second_price().equilibrium(5, auctions.uniform()))", ["scipy"]),
        ("first_price().simulate('equilibrium', auctions.uniform(), 100, bidders=3)", ["scipy"]),
        ("first_price().settle([3, 2, 1]); first_price().describe()", ["scipy", "numpy", "pandas"]),
        ("Format(winner_pays='next').settle([3, 2, 1])", ["scipy", "numpy", "pandas"]),
    ],
)
def test_uniform_values_need_no_scipy_and_settlement_no_numpy(code, heavy):
    run = subprocess.run([sys.executable, "-c", LIGHT.format(code=code, heavy=heavy)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_our_uniform_values_are_scipys():
    ours, theirs = uniform(3, 20), Values.of(stats.uniform(3, 17))
    x, u = np.array([-1.0, 3, 4.1, 19.9, 20, 25]), np.array([0.0, 0.1, 0.77, 1])
    for name in ("cdf", "pdf", "sf", "log_cdf"):
        assert getattr(ours, name)(x).tolist() == pytest.approx(
            getattr(theirs, name)(x).tolist(), rel=1e-15, nan_ok=True
        )
    for name in ("ppf", "isf"):
        assert getattr(ours, name)(u).tolist() == getattr(theirs, name)(u).tolist()
    drawn = [values.draw(np.random.default_rng(5), 7, 3)[0].tolist() for values in (ours, theirs)]
    assert drawn[0] == drawn[1], "the same seed gives the same values"
    for format_ in (first_price(), second_price(), all_pay()):
        assert format_.equilibrium(4, ours).revenue == format_.equilibrium(4, theirs).revenue
    assert uniform(0, 20) == uniform(0, 20) and spell(uniform(0, 20)) == "stats.uniform(0, 20)"


class SquareRoot(RiskAttitude):
    """Utility is the square root of an amount: `CRRA(0.5)` by another name."""

    def utility(self, x):
        return np.sqrt(np.maximum(x, 0.0))

    def own_bids(self, equilibrium):
        return averse.crra(equilibrium, 0.5)


def test_an_attitude_to_risk_is_one_class():
    for format_ in (first_price(), second_price(reserve=0.2)):
        mine, known = (format_.equilibrium(3, uniform(), risk) for risk in (SquareRoot(), CRRA(0.5)))
        assert mine.bid(0.7) == known.bid(0.7) and mine.revenue == known.revenue
    with pytest.raises(NoEquilibriumKnown, match="risk aversion with several prizes or a fee"):
        first_price((2, 1)).equilibrium(3, uniform(), SquareRoot())


class Resale(ValueModel):
    """Each knows a price between 1 and 2, and gets half of it on top."""

    span = (1.0, 2.0)

    def draw(self, rng, rounds, bidders):
        types = rng.uniform(*self.span, (rounds, bidders))
        return types, 1.5 * types

    def naive(self, bidders):
        return lambda types: 1.5 * types

    def equilibrium(self, format, bidders, risk=None):
        raise NoEquilibriumKnown("not worked out")


def test_a_value_model_is_one_class():
    frame = second_price().simulate("naive", Resale(), rounds=50, bidders=3)
    assert (frame["worth"] == 1.5 * frame["type"]).all() and (frame["gains"] >= 0).all()
    game = Experiment.begin(first_price(), Resale(), ["naive"], rounds=2)
    assert game.rule is None and game.bid(1.2).played == 1
    with pytest.raises(NoEquilibriumKnown, match="not worked out"):
        first_price().equilibrium(3, Resale())
    with pytest.raises(ValueError, match="can be cut off"):
        first_price().simulate("naive", Resale(), bidders=3, truncate=0.5)
