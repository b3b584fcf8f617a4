"""Values in common: theory.md D, the winner's curse, and no gain from acting as another signal."""

import numpy as np
import pytest

from tradekit.auctions import (
    CARA,
    MeanOfSignals,
    NoEquilibriumKnown,
    NoisySignals,
    first_price,
    losers_pay,
    second_price,
    war_of_attrition,
)

S = np.linspace(0, 1, 11)
BUNDLE = NoisySignals(30, 0, 1000)


def winners(format_, strategy, values, n, rounds=60_000):
    frame = format_.simulate(strategy, values, rounds, seed=4, bidders=n)
    return frame[frame["award"] > 0]


def near(sample, expected):
    assert abs(sample.mean() - expected) < 4 * sample.std() / len(sample) ** 0.5 + 5e-4 * max(1, abs(expected) * 20)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_theory_D_mean_of_signals(n):
    values = MeanOfSignals()
    assert second_price().equilibrium(n, values).bid(S) == pytest.approx((n + 2) / (2 * n) * S)
    part = (n + 2) * (n - 1) / (2 * n**2)
    assert first_price().equilibrium(n, values).bid(S) == pytest.approx(part * S)
    half = part * S**n / (0.5 + 0.5 * S ** (n - 1))
    assert losers_pay(0.5).equilibrium(n, values).bid(S) == pytest.approx(half)
    for format_ in (first_price(), second_price(), losers_pay(0.5), losers_pay(1.0)):
        assert format_.equilibrium(n, values).gain < 1e-6


@pytest.mark.parametrize(("n", "profit"), [(2, 1 / 6), (3, 1 / 12), (5, 1 / 30)])
def test_theory_D_what_winners_make(n, profit):
    near(winners(first_price(), "equilibrium", MeanOfSignals(), n)["gains"], profit)
    near(winners(second_price(), "equilibrium", MeanOfSignals(), n)["gains"], profit)


@pytest.mark.parametrize(("n", "loss", "often"), [(2, 0.083, 75), (3, 0.083, 75), (5, 0.066, 72), (10, 0.041, 68)])
def test_theory_D_the_naive_lose(n, loss, often):
    gains = winners(first_price(), "naive", MeanOfSignals(), n)["gains"]
    near(gains, -loss)
    assert 100 * (gains < 0).mean() == pytest.approx(often, abs=1)


@pytest.mark.parametrize(("n", "loss", "often"), [(2, 9.9, 75), (3, 14.9, 87), (4, 17.9, 94), (7, 22.5, 99)])
def test_theory_D_who_bids_the_signal_loses(n, loss, often):
    won = winners(first_price(), "naive", BUNDLE, n)
    gains = won[won["type"].between(90, 910)]["gains"]
    assert gains.mean() == pytest.approx(-loss, abs=0.4)
    assert 100 * (gains < 0).mean() == pytest.approx(often, abs=1)


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_theory_D_signals_around_a_value(n):
    first, second = first_price().equilibrium(n, BUNDLE), second_price().equilibrium(n, BUNDLE)
    assert second.bid(500.0) == pytest.approx(500 - 30 * (n - 2) / n)
    assert first.bid(500.0) == pytest.approx(470, abs=1e-3)
    assert first.gain < 1e-6 and second.gain < 1e-6
    won = winners(first_price(), "equilibrium", BUNDLE, n)
    gains = won[won["type"].between(150, 910)]["gains"]
    assert gains.mean() == pytest.approx(60 / (n + 1), abs=0.4)
    even = winners(first_price(), BUNDLE.break_even(n), NoisySignals(30, 100, 1000), n)
    assert abs(even[even["type"].between(190, 910)]["gains"].mean()) < 0.4


def test_a_bid_that_is_not_in_equilibrium_has_a_gain():
    from dataclasses import replace

    for values in (MeanOfSignals(), BUNDLE):
        equilibrium = first_price().equilibrium(3, values)
        assert replace(equilibrium, strategy=values.naive(3)).gain > 1e-3


@pytest.mark.parametrize(
    ("format_", "values", "risk", "message"),
    [
        (first_price((1, 1)), MeanOfSignals(), None, "several prizes"),
        (first_price(reserve=0.1), MeanOfSignals(), None, "a reserve"),
        (first_price(), MeanOfSignals(), CARA(1), "risk aversion"),
        (losers_pay(0.5), BUNDLE, None, "losers pay and signals lie around"),
        (war_of_attrition(), MeanOfSignals(), None, "war of attrition"),
    ],
)
def test_what_is_not_known_says_so(format_, values, risk, message):
    with pytest.raises(NoEquilibriumKnown, match=message):
        format_.equilibrium(3, values, risk)


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("format_", [first_price(), second_price(), losers_pay(0.5), losers_pay(1.0)], ids=str)
def test_theory_D_revenue_surplus_and_spread(n, format_):
    """Independent signals: revenue equivalence holds for the mean of signals too, and winners make 1 / (n (n + 1))."""
    equilibrium = format_.equilibrium(n, MeanOfSignals())
    assert equilibrium.revenue == pytest.approx(1 / 2 - 1 / (n * (n + 1)))
    assert equilibrium.wins(S) == pytest.approx(S ** (n - 1))
    assert equilibrium.surplus(S) == pytest.approx(S**n / n**2)  # envelope: the slope is s^(n-1) / n
    frame = format_.simulate(equilibrium, MeanOfSignals(), 40_000, seed=2, bidders=n)
    revenue = frame.groupby("round")["pays"].sum()
    near(revenue, equilibrium.revenue)
    assert equilibrium.revenue_sd == pytest.approx(revenue.std(), rel=0.02)
    like = frame[frame["type"].between(0.78, 0.82)]
    near(like["pays"], equilibrium.pays(0.8))
    near(like["worth"], equilibrium.naive(0.8))
    near(like[like["award"] > 0]["worth"], equilibrium.break_even(0.8))


@pytest.mark.parametrize("values", [MeanOfSignals(), BUNDLE])
def test_a_frame_of_signals_for_which_bids_hold(values):
    equilibrium = first_price().equilibrium(3, values)
    frame = equilibrium.to_frame(5)
    assert (frame["signal"].iloc[0], frame["signal"].iloc[-1]) == values.signals()
    for column in ("bid", "naive", "break_even"):
        assert frame[column].to_numpy() == pytest.approx(getattr(equilibrium, column)(frame["signal"].to_numpy()))
    assert (frame["bid"] <= frame["break_even"] + 1e-12).all(), "an equilibrium bid leaves the winner something"
    assert (frame["break_even"] < frame["naive"])[1:-1].all(), "the winner's curse"


def test_what_signals_around_a_value_cannot_say():
    equilibrium = first_price().equilibrium(3, BUNDLE)
    for ask in (lambda: equilibrium.revenue, lambda: equilibrium.revenue_sd, lambda: equilibrium.surplus(500.0)):
        with pytest.raises(NoEquilibriumKnown, match="away from both ends"):
            ask()


@pytest.mark.parametrize("noise", [0, 101])
def test_noise_that_cannot_be(noise):
    with pytest.raises(ValueError, match="at least twice as wide"):
        NoisySignals(noise, 0, 200)
