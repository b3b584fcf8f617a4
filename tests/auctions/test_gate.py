"""No bid function that is not an equilibrium is served: the check of gains, atoms, reserves, and error messages."""

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tradekit.auctions import (
    CARA,
    CRRA,
    Format,
    MeanOfSignals,
    NoEquilibriumKnown,
    NoisySignals,
    Values,
    all_pay,
    averse,
    english,
    first_price,
    losers_pay,
    second_price,
    uniform,
    uniform_price,
    war_of_attrition,
)
from tradekit.auctions.deviation import best_deviation
from tradekit.auctions.equilibrium import TOLERATED, Equilibrium, solve
from tradekit.auctions.experiment import Experiment
from tradekit.auctions.source_text import read, spell

TAIL = Values.of(stats.pareto(1.1), 0.9999)  # nine tenths of all within a cell of a thousand by value


class Wrong(Equilibrium):
    """Bids that are too high by a share of the range, for values between two quantiles."""

    between, by = (0.0, 1.0), 0.0

    def bid(self, v):
        low, high = self.values.ppf(self.between)
        off = self.by * (self.values.ppf(0.9) - self.values.low)
        return super().bid(v) + off * ((np.asarray(v) >= low) & (np.asarray(v) <= high))


@pytest.mark.parametrize("between", [(0.1, 0.3), (0.5, 0.6), (0.9, 1), (0.98, 1)])
@pytest.mark.parametrize("values", [uniform(), uniform(100, 101), TAIL, Values.of(stats.beta(5, 0.3))])
@pytest.mark.parametrize("format_", [first_price(), losers_pay(0.5), all_pay()], ids=str)
def test_wrong_bids_are_found_wherever_they_are(format_, values, between):
    wrong = Wrong(format_, 4, values)
    object.__setattr__(wrong, "between", between)
    object.__setattr__(wrong, "by", 0.2)
    found = best_deviation(wrong)
    assert found.gain > 10 * best_deviation(Equilibrium(format_, 4, values)).gain + 1e-9 * values.high
    assert found.gain <= wrong.gain * 1.001, "the fine check sees no less"
    value, own, better = found.value, found.bid, found.better
    assert own == pytest.approx(float(wrong.bid(value)), rel=1e-6, nan_ok=True)
    assert better != own


def test_what_is_no_equilibrium_is_refused_and_says_who_would_gain_what(monkeypatch):
    right = averse.by_payment
    monkeypatch.setattr(averse, "by_payment", lambda solved: lambda v: 0.7 * right(solved)(v))
    with pytest.raises(NoEquilibriumKnown, match=r"value \S+ was to bid \S+, and gains \S+ more by bidding \S+; at"):
        first_price().equilibrium(3, uniform())
    monkeypatch.setattr(averse, "by_payment", lambda solved: lambda v: (1 + 1e-4) * right(solved)(v))
    assert first_price().equilibrium(3, uniform()).gain < TOLERATED, "what hardly matters is served"


@pytest.mark.parametrize("values", [uniform(), Values.of(stats.beta(2, 2)), TAIL])
@pytest.mark.parametrize(
    ("format_", "risk"),
    [(first_price((2, 1)), None), (second_price(), CARA(2)), (war_of_attrition(), None), (losers_pay(0.5), CARA(2))],
)
def test_the_check_is_short(format_, risk, values):
    """A measure for people, shown with -s; the test is that the table is small in every setting."""
    equilibrium = format_.equilibrium(20, values, risk)
    start = time.process_time()
    best_deviation(equilibrium)
    print(f"{1e3 * (time.process_time() - start):.1f} ms")
    from tradekit.auctions import deviation

    assert len(deviation._spread(equilibrium, deviation._COARSE)) < 250


FAULTS = {
    "30 bidders": (all_pay(), 30, uniform(), CARA(3), 0.478461),
    "beta(3, 1)": (all_pay(), 9, Values.of(stats.beta(3, 1)), CARA(3), 0.486426),
}


@pytest.mark.parametrize(("format_", "n", "values", "risk", "revenue"), FAULTS.values(), ids=FAULTS)
def test_F1_bids_do_not_collapse_to_nothing(format_, n, values, risk, revenue):
    assert format_.equilibrium(n, values, risk).revenue == pytest.approx(revenue, abs=1e-5)


def test_F1_the_low_types_of_a_long_tail():
    equilibrium = all_pay().equilibrium(2, TAIL, risk=CARA(1.0))
    assert equilibrium.bid(TAIL.ppf(0.3)) == pytest.approx(0.233, abs=5e-4) and equilibrium.gain < 1e-9
    near = all_pay().equilibrium(2, stats.uniform(100, 1), CARA(3))
    assert near.bid(near.values.ppf(0.001)) == pytest.approx(0.00033, abs=5e-6)
    steep = all_pay().equilibrium(20, stats.beta(5, 0.3), CARA(3))
    assert steep.bid(steep.values.ppf(0.999)) == pytest.approx(0.898, abs=5e-4)


@given(st.floats(0.001, 0.999), st.floats(0, 1))
def test_U4_atoms_of_a_thousandth_are_found_wherever_they_are(mass, at):
    class Atom:
        """An object that is not a distribution of SciPy, and does not say that it has an atom."""

        def cdf(self, x):
            x = np.asarray(x, float)
            return np.clip((1 - mass) * x + mass * (x >= at), 0, 1)

        def pdf(self, x):
            return np.full(np.shape(x), 1 - mass)

        def ppf(self, u):
            u = np.asarray(u, float)
            return np.where(u < (1 - mass) * at, u / (1 - mass), np.maximum((u - mass) / (1 - mass), at))

        def support(self):
            return 0.0, 1.0

    with pytest.raises(ValueError, match="the distribution has atoms: about"):
        Values.of(Atom())


@pytest.mark.parametrize("law", [stats.beta(5, 0.1), stats.beta(0.1, 5, loc=100), stats.beta(5, 0.2, scale=50)])
def test_U4_what_floating_point_cannot_tell_from_an_atom_is_refused_and_says_so(law):
    with pytest.raises(ValueError, match="or too near to it to be told apart in floating point"):
        first_price().equilibrium(3, law)


CONTINUOUS = [stats.uniform(), stats.beta(5, 0.3), stats.beta(0.3, 0.3), stats.pareto(1.1), stats.lognorm(2),
              stats.rv_histogram(([0.5, 0, 0.5], [0, 0.1, 0.9, 1]), density=False), stats.beta(900, 900),
              stats.Uniform(a=0, b=3), stats.make_distribution(stats.beta)(a=2, b=2)]  # fmt: skip


@pytest.mark.parametrize("law", CONTINUOUS)
def test_U4_no_false_alarm(law):
    values = Values.of(law, 0.9999 if law.support()[1] == np.inf else None)
    assert first_price().equilibrium(5, values).gain < 1e-9 * values.high


def test_new_distributions_of_scipy_do_what_old_ones_do():
    new, old = (first_price().equilibrium(3, law) for law in (stats.Uniform(a=1, b=3), stats.uniform(1, 2)))
    assert new.bid([1.5, 3]) == pytest.approx(old.bid([1.5, 3]))
    assert first_price().simulate("naive", stats.Uniform(a=1, b=3), 100, bidders=2)["type"].between(1, 3).all()
    with pytest.raises(ValueError, match="has atoms"):
        first_price().equilibrium(3, stats.Binomial(n=3, p=0.5))


@pytest.mark.parametrize("risk", [0.5, "CARA", 3, CARA])
def test_a_risk_that_is_none_says_what_is_needed(risk):
    with pytest.raises(ValueError, match=r"risk=.*: CRRA\(r\) or CARA\(a\) is needed"):
        first_price().equilibrium(2, uniform(), risk=risk)


@pytest.mark.parametrize("n", [2.5, "three", None, np.nan, True, [3], np.array([2, 3])])
@pytest.mark.parametrize("values", [uniform(), MeanOfSignals(), NoisySignals(30)])
def test_a_number_of_bidders_that_is_none(values, n):
    with pytest.raises(ValueError, match=r"bidders=.*: must be a whole number"):
        first_price().equilibrium(n, values)


def test_equal_numbers_of_bidders_are_equal_and_swapped_arguments_are_pointed_out():
    for n in (3.0, np.int64(3), np.float32(3), "3"):
        assert first_price().equilibrium(n, uniform()).bid(0.9) == pytest.approx(0.6)
    for swapped in (uniform(), stats.uniform(), MeanOfSignals()):
        with pytest.raises(ValueError, match=r"bidders=.*: must be a whole number, and comes before the values"):
            first_price().equilibrium(swapped, 3)


@pytest.mark.parametrize("n", [1100, 100_000])
@pytest.mark.parametrize("format_", [first_price(), second_price(), all_pay(), uniform_price(3)], ids=str)
def test_any_number_of_bidders(format_, n):
    equilibrium = format_.equilibrium(n, uniform())
    k = format_.places
    assert equilibrium.revenue == pytest.approx(k * (n - k) / (n + 1), rel=1e-9)
    assert np.isfinite(equilibrium.revenue_sd) and equilibrium.gain < 1e-9


@pytest.mark.parametrize("r", [1e-6, 0.001, 0.01, 0.3, 1])
@pytest.mark.parametrize("n", [2, 50, 1100])
def test_theory_C_relative_aversion_of_any_degree(n, r):
    v = np.array([1e-9, 1e-3, 0.3, 0.9, 1])
    equilibrium = first_price().equilibrium(n, uniform(), CRRA(r))
    assert equilibrium.bid(v) == pytest.approx((n - 1) * v / (n - 1 + r), abs=1e-8 if (n - 1) / r > 5000 else 4e-11)


@pytest.mark.parametrize(("n", "prizes"), [(31, 15), (20, 10), (5, 2), (60, 59), (11, 1)])
def test_auto_is_as_good_as_the_better_of_both_methods(n, prizes):
    exact = prizes * (n - prizes) / (n + 1)
    errors = {}
    for method in ("auto", "quadrature", "closed form"):
        try:
            errors[method] = abs(solve(first_price((1,) * prizes), n, uniform(), method=method).revenue - exact)
        except NoEquilibriumKnown as refused:
            assert method == "closed form"
            assert "no closed form" in str(refused)
    assert errors["auto"] <= min(errors.values()) + 1e-13 * exact


def test_a_method_that_is_none():
    with pytest.raises(ValueError, match="method='best': one of auto, quadrature, closed form is needed"):
        solve(first_price(), 2, uniform(), method="best")


MASSES = stats.rv_histogram(([0.9829, 0.003, 0.0141], [0, 0.05, 0.9, 1]), density=False)


def test_L4_where_virtual_values_fall_the_number_of_bidders_counts():
    values = Values.of(MASSES)
    with pytest.raises(ValueError, match=r"virtual values are not monotone.*depends on the number of bidders"):
        values.optimal_reserve()
    assert values.optimal_reserve(1) == pytest.approx(0.0254, abs=1e-4)
    assert values.optimal_reserve(2) == pytest.approx(0.9)


@given(st.lists(st.floats(0.02, 1), min_size=2, max_size=4), st.integers(2, 6))
def test_L4_no_reserve_is_better(weights, n):
    edges = np.linspace(0, 1, len(weights) + 1)
    values = Values.of(stats.rv_histogram((np.array(weights) / sum(weights), edges), density=False))
    best = values.optimal_reserve(n)
    revenue = second_price(reserve=best).equilibrium(n, values).revenue
    for reserve in np.linspace(0, 0.98, 50):
        assert second_price(reserve=reserve).equilibrium(n, values).revenue <= revenue + 1e-9


@pytest.mark.parametrize("values", [MeanOfSignals(), NoisySignals(30)], ids=str)
def test_K4_english_with_values_in_common_is_not_second_price(values):
    for n in (3, 4, 10):
        with pytest.raises(NoEquilibriumKnown, match="an English auction among three or more and values in common"):
            english().equilibrium(n, values)
        with pytest.raises(NoEquilibriumKnown, match="an English auction"):
            read(spell(replace(english(), name=""))).equilibrium(n, values)
    s = np.array([0.3, 0.8])
    assert english().equilibrium(2, values).bid(s) == pytest.approx(second_price().equilibrium(2, values).bid(s))
    assert english().equilibrium(4, uniform()).bid(0.3) == pytest.approx(0.3), "with private values they are the same"
    with pytest.raises(ValueError, match="open=True needs winner_pays='next'"):
        Format(open=True)


@pytest.mark.parametrize("law", [stats.uniform(10000, 50), stats.uniform(0, 50), stats.uniform(100, 1e-3)])
def test_rounded_to_the_range_of_the_values_and_not_to_the_highest(law):
    game = Experiment.begin(first_price(), law, ["naive"], rounds=30, seed=1)
    types = {t for played in game.rounds for t in played.types}
    assert len(types) > 45, "they are told apart"
    low, high = law.support()
    assert game.unit <= (high - low) / 1000


@pytest.mark.parametrize("n", [2, 3, 7])
@pytest.mark.parametrize(
    "format_",
    [war_of_attrition(), all_pay(fee=0.05), losers_pay(0.3, (2, 1), fee=0.05, reserve=0.1), second_price(fee=0.1)],
    ids=str,
)
def test_the_spread_of_revenue_is_that_of_simulated_auctions(format_, n):
    law = stats.beta(2, 3)
    theory = format_.equilibrium(n, law)
    total = format_.simulate(theory, law, 60_000, seed=2, bidders=n, progress=False).groupby("round")["pays"].sum()
    assert abs(total.mean() - theory.revenue) < 4 * total.std() / len(total) ** 0.5
    assert total.std() == pytest.approx(theory.revenue_sd, rel=0.03)


def test_tables_for_simulations_hold_for_a_long_tail():
    for format_, risk in ((all_pay(), CARA(1)), (first_price(), CRRA(0.5)), (losers_pay(0.5), CARA(1))):
        equilibrium = format_.equilibrium(3, TAIL, risk)
        v = TAIL.ppf(np.random.default_rng(1).random(20_000))
        assert np.abs(equilibrium.strategy(v) - equilibrium.bid(v)).max() < 1e-3 * TAIL.ppf(0.9)


def test_a_bid_at_the_reserve_wins_whatever_its_last_digit():
    equilibrium = first_price((1, 1), reserve=1).equilibrium(2, uniform(0.75, 5))
    bids = equilibrium.strategy(np.random.default_rng(1).uniform(1.0, 5, 10_000))
    assert (bids >= 1).all()


@pytest.mark.parametrize("law", [stats.uniform(3, 0), stats.uniform(-1, 2), stats.norm()])
def test_values_that_cannot_be(law):
    with pytest.raises(ValueError, match="values: "):
        Values.of(law)
