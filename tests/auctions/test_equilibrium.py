"""Equilibria: theory.md's numbers, closed form against quadrature, no gain from deviating, and simulated auctions."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tradekit.auctions import (
    CARA,
    CRRA,
    Format,
    NoEquilibriumKnown,
    Values,
    all_pay,
    first_price,
    losers_pay,
    second_price,
    turin,
    uniform,
    uniform_price,
    war_of_attrition,
)
from tradekit.auctions.equilibrium import Equilibrium, solve

SHARES = [0, 0.25, 0.5, 0.75, 1]
PRIZES = [(1,), (1, 1), (2, 1), (2, 1, 1), (2, 2, 1)]
CASES = [
    (n, values, share, prizes)
    for n, values, share, prizes in product([2, 3, 5], ["uniform", "beta"], SHARES, PRIZES)
    if n >= len(prizes)
]
LAWS = {"uniform": stats.uniform(), "beta": stats.beta(2, 2)}
GRID = np.linspace(0, 1, 201)


@pytest.mark.parametrize(("n", "law", "share", "prizes"), CASES)
def test_theory_A_closed_form_quadrature_and_no_gain(n, law, share, prizes):
    format_ = losers_pay(share, prizes)
    exact = solve(format_, n, LAWS[law], method="closed form")
    by_quadrature = solve(format_, n, LAWS[law], method="quadrature")
    assert np.abs(exact.bid(GRID) - by_quadrature.bid(GRID)).max() < 1e-8
    assert (np.diff(exact.bid(GRID)) > -1e-12).all()
    assert max(exact.gain, by_quadrature.gain) < 1e-6


@pytest.mark.parametrize(("n", "law", "prizes"), sorted({(n, law, prizes) for n, law, _a, prizes in CASES}))
def test_theory_A_revenue_is_that_of_the_order_statistics_for_every_share(n, law, prizes):
    values, rest = Values.of(LAWS[law]), (*prizes[1:], 0)
    x, weights = np.polynomial.legendre.leggauss(200)
    x, weights = (x + 1) / 2, weights / 2
    weights = weights * x * values.pdf(x)
    highest = [weights @ stats.beta.pdf(values.cdf(x), n - k, k + 1) if k < n else 0 for k in range(1, 6)]
    expected = sum(k * (w - then) * highest[k - 1] for k, (w, then) in enumerate(zip(prizes, rest, strict=True), 1))
    for share in SHARES:
        assert losers_pay(share, prizes).equilibrium(n, values).revenue == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("n", "law", "share", "prizes"), [case for case in CASES if case[2] in (0.25, 0.5, 1)][::3])
def test_theory_A_simulated_revenue_and_its_spread(n, law, share, prizes):
    format_ = losers_pay(share, prizes)
    theory = format_.equilibrium(n, LAWS[law])
    total = format_.simulate(theory, LAWS[law], 20_000, seed=3, bidders=n).groupby("round")["pays"].sum()
    assert abs(total.mean() - theory.revenue) < 4 * total.std() / len(total) ** 0.5 + 1e-12
    assert total.std() == pytest.approx(theory.revenue_sd, rel=0.04, abs=1e-9)


@pytest.mark.parametrize(
    ("n", "prizes", "bids", "revenue"),
    [
        (2, (2,), [0.1, 0.333, 0.643, 1], 2 / 3),
        (3, (2, 1), [0.087, 0.286, 0.581, 1], 1),
        (4, (2, 1, 1), [0.087, 0.233, 0.478, 1], 6 / 5),
        (4, (1, 1), [0.044, 0.208, 0.4, 0.5], 4 / 5),
        (5, (2, 2, 1), [0.081, 0.37, 0.758, 1], 2),
        (5, (1, 1, 1), [0.066, 0.237, 0.368, 0.4], 1),
    ],
)
def test_theory_A_table_of_turins_formats(n, prizes, bids, revenue):
    equilibrium = losers_pay(0.5, prizes).equilibrium(n, uniform())
    assert equilibrium.bid([0.25, 0.5, 0.75, 1]) == pytest.approx(bids, abs=6e-4)
    assert equilibrium.revenue == pytest.approx(revenue, abs=1e-9)


def test_theory_A_spread_of_revenue_depends_on_the_share():
    spreads = [losers_pay(share).equilibrium(5, uniform()).revenue_sd for share in (0, 0.5, 1)]
    assert spreads == pytest.approx([0.113, 0.352, 0.449], abs=5e-4)


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("share", SHARES)
def test_theory_A_one_prize_uniform(n, share):
    v = GRID[1:]
    expected = (n - 1) / n * v**n / (share + (1 - share) * v ** (n - 1))
    assert losers_pay(share).equilibrium(n, uniform()).bid(v) == pytest.approx(expected, abs=1e-12)


def test_surplus_is_the_same_whatever_losers_pay():
    surplus = [losers_pay(share, (2, 1)).equilibrium(3, LAWS["beta"]).surplus(GRID) for share in SHARES]
    assert np.ptp(surplus, axis=0).max() < 1e-12
    equilibrium = losers_pay(0.5, (2, 1)).equilibrium(3, LAWS["beta"])
    paid = equilibrium.bid(GRID) * (0.5 + 0.5 * equilibrium.wins(GRID))
    assert GRID * equilibrium.units(GRID) - paid == pytest.approx(surplus[0], abs=1e-10)


@pytest.mark.parametrize(
    ("n", "reserves", "revenue"),
    [(2, [0.5, 1 / 3, 0.25], 0.4167), (3, [0.5, 0.2, 0.125], 0.5313), (5, [0.5, 1 / 17, 1 / 32], 0.6719)],
)
def test_theory_B_optimal_reserves(n, reserves, revenue):
    for share, reserve in zip((0, 0.5, 1), reserves, strict=True):
        equilibrium = losers_pay(share, reserve=reserve).equilibrium(n, uniform())
        assert equilibrium.threshold == pytest.approx(uniform().optimal_reserve(), abs=1e-6)
        assert equilibrium.revenue == pytest.approx(revenue, abs=6e-5)
        assert equilibrium.bid(equilibrium.threshold) == pytest.approx(reserve, abs=1e-9)
        assert np.isnan(equilibrium.bid(0.2)) and equilibrium.gain < 1e-6


WIDE = Values.of(stats.lognorm(2), truncate=0.9999)  # from 0 to some 1,700: a reserve of 1 is low in it
RESERVES = {
    "second price": (second_price(reserve=1), 4, WIDE, None),
    "uniform price": (uniform_price(2, reserve=1), 4, WIDE, None),
    "first price": (first_price(reserve=1), 4, WIDE, None),
    "falling prizes": (Format((2, 1), reserve=1), 4, WIDE, None),
    "falling prizes for many": (Format((3, 2, 1), reserve=0.001), 60, WIDE, None),
    "as many prizes": (Format((2, 1), reserve=1), 2, uniform(0.75, 5), None),
    "all prizes alike": (first_price((1, 1), reserve=1), 2, uniform(0.75, 5), None),
    "above the lowest": (second_price(reserve=50.03), 3, uniform(50, 100), None),
    "below the lowest": (first_price((2, 1), reserve=40), 3, uniform(50, 100), None),
    "losers pay half": (losers_pay(0.5, reserve=0.01), 3, uniform(0, 100), None),
    "a small fee": (second_price(reserve=0.05, fee=0.001), 3, uniform(0, 100), None),
    "risk averse, CRRA": (first_price(reserve=0.05), 3, uniform(0, 100), CRRA(0.5)),
    "risk averse, CARA": (second_price(reserve=0.05), 3, uniform(0, 100), CARA(1)),
}


def lowest_that_bids(format_, n, values):
    """Return theory B's v*, v* Q(v*) = r D(v*) and the fee: the lowest of many values that wins without a loss."""
    v = np.geomspace(max(values.low, 1e-3 * format_.reserve), values.high, 100_001)
    chances = stats.binom.pmf(np.arange(format_.places)[:, None], n - 1, 1 - values.cdf(v))
    due = format_.loser_pays + (1 - format_.loser_pays) * chances.sum(axis=0)
    gains = v * (format_.prizes @ chances) - format_.reserve * due - format_.fee
    return v[(chances.sum(axis=0) > 1e-250) & (gains >= 0)][0]  # smaller probabilities hide the gains


@pytest.mark.parametrize(("format_", "n", "values", "risk"), RESERVES.values(), ids=RESERVES)
def test_theory_B_a_low_reserve_keeps_away_whom_it_should(format_, n, values, risk):
    equilibrium = format_.equilibrium(n, values, risk)
    assert equilibrium.threshold == pytest.approx(lowest_that_bids(format_, n, values), rel=1e-3)
    if equilibrium.threshold > values.low:
        below = np.linspace(values.low, equilibrium.threshold, 7)[:-1]
        assert np.isnan(equilibrium.bid(below)).all() and not equilibrium.wins(below).any()
        least = equilibrium.threshold if format_.winner_pays == "next" else format_.reserve
        assert equilibrium.bid(equilibrium.threshold) == pytest.approx(least)
    assert equilibrium.gain < 1e-6 * values.high
    total = format_.simulate(equilibrium, values, 40_000, seed=5, bidders=n).groupby("round")["pays"].sum()
    assert abs(total.mean() - equilibrium.revenue) < 4 * total.std() / len(total) ** 0.5


@pytest.mark.parametrize("reserve", [1e-4, 1e-2, 1, 30])
@pytest.mark.parametrize("units", [1, 2])
def test_theory_B_revenue_with_a_reserve_is_that_of_the_prices(units, reserve):
    """Each bidder bids the value or not at all: so revenue can be counted from the highest values alone."""
    values = np.sort(WIDE.ppf(np.random.default_rng(7).random((200_000, 4))), axis=1)[:, ::-1]
    sold = (values[:, :units] >= reserve).sum(axis=1)
    counted = sold * np.maximum(values[:, units], reserve)
    for format_ in (uniform_price(units, reserve=reserve), first_price((1,) * units, reserve=reserve)):
        revenue = format_.equilibrium(4, WIDE).revenue
        assert abs(counted.mean() - revenue) < 4 * counted.std() / len(counted) ** 0.5


FEW_OR_MANY = [
    (first_price((2, 1), reserve=0.3), 0), (first_price((2, 1), reserve=0.3), 0.5), (all_pay(reserve=0.3), 0.5),
    (second_price(reserve=0.3, fee=0.1), 0.5), (second_price(reserve=0.3), 1.2), (all_pay(reserve=0.3), 1.2),
    (first_price((2, 1), reserve=0.3), 1.2),
]  # fmt: skip


@pytest.mark.parametrize(("format_", "by"), FEW_OR_MANY)
def test_theory_B_the_check_finds_that_the_wrong_types_bid(format_, by):
    class Wrong(Equilibrium):
        @property
        def threshold(self):
            return by * Equilibrium(self.format, self.bidders, self.values).threshold

    assert Wrong(format_, 3, uniform()).gain > 1e-3


@pytest.mark.parametrize("r", [0.25, 0.5, 1])
def test_theory_C_relative_risk_aversion(r):
    n = 3
    equilibrium = first_price().equilibrium(n, uniform(), CRRA(r))
    assert equilibrium.bid(GRID) == pytest.approx((n - 1) * GRID / (n - 1 + r), abs=1e-9)
    assert equilibrium.gain < 1e-6


@pytest.mark.parametrize(
    ("n", "revenues"), [(2, (0.393, 0.390, 0.340)), (3, (0.544, 0.502, 0.411)), (5, (0.691, 0.573, 0.452))]
)
def test_theory_C_absolute_risk_aversion(n, revenues):
    for share, revenue in zip((0, 0.5, 1), revenues, strict=True):
        equilibrium = losers_pay(share).equilibrium(n, uniform(), CARA(3))
        assert equilibrium.revenue == pytest.approx(revenue, abs=6e-4)
        assert equilibrium.gain < 1e-6


@pytest.mark.parametrize("share", [0, 0.01, 0.5, 1])
@pytest.mark.parametrize(("a", "high"), [(1, 100), (5, 100), (50, 1), (0.001, 1e5)])
def test_theory_C_absolute_risk_aversion_where_much_is_at_stake(share, a, high):
    """No value is better off acting as another: counted in logarithms of the missing utility, by brute force."""
    n = 3
    equilibrium = losers_pay(share).equilibrium(n, uniform(0, high), CARA(a))
    acting_as = high * np.sort(np.concatenate([np.linspace(1e-3, 1, 2001), 1 - np.geomspace(1e-15, 1e-3, 200)]))
    bids = equilibrium.bid(acting_as)
    assert (np.diff(bids) >= -1e-9 * high).all() and (bids <= acting_as).all() and equilibrium.bid(0.0) == 0
    chance = (acting_as / high) ** (n - 1)
    with np.errstate(divide="ignore"):
        won, lost = np.log(chance), np.log1p(-chance)

    def worth(v, bids, won, lost):
        """Return the sure amount with the same utility."""
        return -np.logaddexp(won - a * (v - bids), lost + a * share * bids) / a

    for at in range(1, len(acting_as), 97):
        worths = worth(acting_as[at], bids, won, lost)
        assert worths.max() - worths[at] < 1e-7 * high
    assert worth(high, bids, won, lost).max() - worth(high, bids, won, lost)[-1] < 1e-7 * high
    assert equilibrium.gain < 1e-6 / a


@pytest.mark.parametrize("share", [0.5, 1])
def test_theory_C_simulated_revenue_where_bids_are_steep_at_the_top(share):
    equilibrium = losers_pay(share).equilibrium(3, uniform(0, 100), CARA(1))
    paid = equilibrium.format.simulate(equilibrium, uniform(0, 100), 200_000, seed=5, bidders=3, progress=False)["pays"]
    assert abs(3 * paid.mean() - equilibrium.revenue) < 4 * 3 * paid.std() / len(paid) ** 0.5
    v = 100 * (1 - np.geomspace(1e-12, 1, 1001))
    assert np.abs(equilibrium.strategy(v) - equilibrium.bid(v)).max() < 0.2


def test_theory_C_a_reserve_where_much_is_at_stake():
    """The lowest value that bids is as well off as one that stays away: G u(v - r) + (1 - G) u(-a r) = 0."""
    for reserve in (0.5, 5, 20):
        equilibrium = losers_pay(0.5, reserve=reserve).equilibrium(3, uniform(0, 100), CARA(1))
        v, loss = equilibrium.threshold, 0.5 * reserve
        chance = (v / 100) ** 2
        assert np.logaddexp(np.log(chance) - (v - reserve), np.log1p(-chance) + loss) == pytest.approx(0, abs=1e-6)
        assert equilibrium.bid(v) == pytest.approx(reserve)
        assert equilibrium.gain < 1e-6


def test_hardly_any_risk_aversion_is_none():
    for share in (0, 0.5, 1):
        neutral, averse = (losers_pay(share).equilibrium(3, LAWS["beta"], risk) for risk in (None, CARA(1e-5)))
        assert np.abs(neutral.bid(GRID) - averse.bid(GRID)).max() < 1e-4


CHECKED = {
    "uniform price, reserve and fee": (second_price(2, reserve=0.3, fee=0.05), 4, uniform(), None),
    "second price": (second_price(), 3, LAWS["beta"], None),
    "second price, risk averse": (second_price(reserve=0.5), 2, uniform(), CARA(2)),
    "all-pay, fee": (all_pay((2, 1), fee=0.1), 4, uniform(), None),
    "reserve and share": (losers_pay(0.5, (1, 1), reserve=0.2), 3, LAWS["beta"], None),
    "values from 1 to 2": (first_price(), 2, uniform(1, 2), None),
    "values from 1 to 2, risk averse": (losers_pay(0.5), 3, uniform(1, 2), CARA(1)),
    "no upper end": (first_price(), 3, Values.of(stats.expon(), truncate=0.999), None),
    "risk averse with a reserve": (losers_pay(0.5, reserve=0.1), 3, uniform(), CARA(3)),
}


@pytest.mark.parametrize(("format_", "n", "values", "risk"), CHECKED.values(), ids=CHECKED)
def test_no_gain_and_simulated_revenue(format_, n, values, risk):
    theory = format_.equilibrium(n, values, risk)
    assert theory.gain < 1e-6
    total = format_.simulate(theory, values, 40_000, seed=5, bidders=n).groupby("round")["pays"].sum()
    assert abs(total.mean() - theory.revenue) < 4 * total.std() / len(total) ** 0.5
    assert total.std() == pytest.approx(theory.revenue_sd, rel=0.03)


def test_war_of_attrition_waits_without_end_and_earns_what_others_do():
    equilibrium = war_of_attrition().equilibrium(3, uniform())
    assert equilibrium.bid(1.0) == np.inf and equilibrium.revenue == pytest.approx(0.5, abs=1e-9)
    two = war_of_attrition().equilibrium(2, uniform())  # closed form for two: -v - log(1 - v)
    assert two.bid(GRID[:-1]) == pytest.approx(-GRID[:-1] - np.log1p(-GRID[:-1]), abs=1e-9)
    assert two.gain < 1e-6


def test_as_many_prizes_as_bidders_leave_nothing_to_bid_for():
    equilibrium = losers_pay(0.5, (1, 1)).equilibrium(2, uniform(1, 2))
    assert equilibrium.bid([1, 1.5, 2]).tolist() == [0, 0, 0] and equilibrium.revenue == pytest.approx(0, abs=1e-12)
    falling = first_price((2, 1)).equilibrium(2, uniform())
    assert falling.bid(1.0) > 0.2 and falling.gain < 1e-6


@pytest.mark.parametrize("by", [0.9, 1.1])
def test_the_check_finds_bids_that_are_not_in_equilibrium(by):
    class Wrong(Equilibrium):
        def bid(self, v):
            return by * super().bid(v)

    for format_ in (first_price(), losers_pay(0.5, (2, 1)), all_pay()):
        assert Wrong(format_, 3, uniform()).gain > 1e-4


def test_table_for_simulations_is_near_to_the_bids():
    for format_, n, values, risk in CHECKED.values():
        equilibrium = format_.equilibrium(n, values, risk)
        values = equilibrium.values
        v = np.linspace(equilibrium.threshold, values.high, 3001)
        assert np.abs(equilibrium.strategy(v) - equilibrium.bid(v)).max() < 2e-5 * values.high


@pytest.mark.parametrize("risk", [None, CARA(2)])
def test_who_does_not_bid_wins_and_pays_nothing(risk):
    equilibrium = losers_pay(0.5, reserve=0.4).equilibrium(3, uniform(), risk)
    below, above = np.linspace(0, equilibrium.threshold - 1e-9, 7), np.linspace(equilibrium.threshold, 1, 7)
    for rule in (equilibrium.wins, equilibrium.units, equilibrium.pays, equilibrium.surplus):
        assert not rule(below).any()
    assert np.isnan(equilibrium.bid(below)).all()
    assert equilibrium.wins(above) == pytest.approx(above**2)
    assert equilibrium.pays(above) == pytest.approx(equilibrium.bid(above) * (0.5 + 0.5 * above**2))
    assert equilibrium.surplus(above) == pytest.approx(above**3 - equilibrium.pays(above))


def test_to_frame_leaves_out_who_does_not_bid():
    frame = first_price(reserve=0.5).equilibrium(2, uniform()).to_frame(11)
    assert frame["bid"].isna().sum() == 5 and (frame["wins"][:5] == 0).all() and frame["surplus"][4] == 0


@pytest.mark.parametrize(
    ("format_", "bidders", "values", "risk", "error", "message"),
    [
        (first_price(), 1, uniform(), None, ValueError, "bidders=1: an auction needs two"),
        (first_price((1, 1, 1)), 2, uniform(), None, ValueError, "3 prizes for 2 bidders"),
        (first_price(), 2, stats.norm(), None, ValueError, "values below 0 cannot be"),
        (first_price(), 2, stats.uniform(-1, 2), None, ValueError, "values: -1 to 1; values below 0"),
        (first_price(), 2, stats.expon(), None, ValueError, "no upper end; say at which quantile"),
        (first_price(), 2, stats.randint(0, 20), None, ValueError, "has atoms"),
        (first_price(), 2, "uniform", None, ValueError, "a distribution of scipy.stats is needed"),
        (turin(2), 2, uniform(), None, NoEquilibriumKnown, r"multiples of 1: solve\(\) computes"),
        (losers_pay(0.5), 2, uniform(), CRRA(0.5), NoEquilibriumKnown, "CRRA where losers pay"),
        (first_price((1, 1)), 3, uniform(), CARA(1), NoEquilibriumKnown, "risk aversion with several prizes"),
        (Format(loser_pays=0.5, winner_pays="next"), 2, uniform(), None, NoEquilibriumKnown, "losers a share"),
        (first_price(reserve=1.5), 2, uniform(), None, ValueError, "nobody would bid"),
    ],
)
def test_what_cannot_be_says_why(format_, bidders, values, risk, error, message):
    with pytest.raises(error, match=message):
        format_.equilibrium(bidders, values, risk).threshold  # noqa: B018


@pytest.mark.parametrize("value", [-0.1, 1.1, [0.5, 1.5]])
@pytest.mark.parametrize("ask", ["bid", "wins", "units", "pays", "surplus"])
@pytest.mark.parametrize("risk", [None, CARA(1)])
def test_what_becomes_of_a_value_that_nobody_has(risk, ask, value):
    with pytest.raises(ValueError, match="values are from 0 to 1"):
        getattr(first_price().equilibrium(2, uniform(), risk), ask)(value)


@pytest.mark.parametrize(("make", "wrong"), [(CRRA, 0), (CRRA, 1.5), (CARA, 0)])
def test_a_risk_attitude_that_cannot_be(make, wrong):
    with pytest.raises(ValueError, match=f"{make.__name__}\\({wrong}\\)"):
        make(wrong)


@pytest.mark.parametrize("truncate", [0, 1, 2])
@pytest.mark.parametrize("values", [stats.expon(), uniform()])
def test_a_quantile_that_cannot_be(values, truncate):
    with pytest.raises(ValueError, match="a quantile between 0 and 1"):
        Values.of(values, truncate)


@given(st.floats(0.05, 0.95), st.floats(0.05, 0.95))
def test_values_are_cut_off_whatever_they_are_made_of(first, then):
    for law in LAWS.values():
        once, twice = Values.of(law, first * then), Values.of(Values.of(law, first), then)
        assert twice.high == pytest.approx(once.high) and twice.mass == pytest.approx(once.mass)
        assert twice.cdf(once.high / 2) == pytest.approx(once.cdf(once.high / 2))


def test_values_cut_off_where_they_are_asked_for():
    half = first_price().equilibrium(3, uniform(), truncate=0.5)
    assert half.bid(0.5) == pytest.approx(1 / 3)  # as if they went up to 0.5 only
    assert first_price().simulate("naive", uniform(), 200, bidders=3, truncate=0.5)["type"].max() <= 0.5
