"""Common values: theory.md D, the winner's curse, and no gain from acting as another signal."""

from dataclasses import replace

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
    for values in (MeanOfSignals(), BUNDLE):
        for format_ in (first_price(), second_price()):
            equilibrium = format_.equilibrium(3, values)
            assert replace(equilibrium, strategy=values.naive(3)).gain > 1e-3


JAR = NoisySignals(30, 0, 200)
JARS = {"jar": JAR, "ends that meet": NoisySignals(100, 50, 250)}


def earned(format_, n, model, rule, s, acting_as):
    """Return the profit of signal s if it bids as others do: brute force over values and highest rival signals."""
    values = np.linspace(max(model.low, s - model.noise), min(model.high, s + model.noise), 601)
    values = (values[1:] + values[:-1]) / 2
    chance = (np.arange(200) + 0.5) / 200  # probability that the highest rival signal is lower than this one
    rivals = values[:, None] - model.noise + 2 * model.noise * chance ** (1 / (n - 1))
    order = np.argsort(rivals.ravel())
    signals, worth = rivals.ravel()[order], np.repeat(values, 200)[order]
    wins = np.searchsorted(signals, acting_as)
    if format_.winner_pays == "next":
        return np.concatenate([[0], np.cumsum(worth - rule(signals))])[wins] / len(worth)
    return np.concatenate([[0], np.cumsum(worth)])[wins] / len(worth) - rule(acting_as) * wins / len(worth)


@pytest.mark.parametrize("model", JARS.values(), ids=JARS)
@pytest.mark.parametrize("n", [2, 3, 4, 7])
@pytest.mark.parametrize("format_", [first_price(), second_price()], ids=str)
def test_theory_D_no_signal_gains_near_the_ends_either(format_, n, model):
    equilibrium = format_.equilibrium(n, model)
    low, high = model.low - model.noise, model.high + model.noise
    for part in (0.02, 0.1, 0.2, 0.24, 0.5, 0.76, 0.8, 0.9, 0.98):
        s = low + part * (high - low)
        acting_as = np.clip(s + 2 * model.noise * np.linspace(-1, 1, 401), low, high)
        payoffs = earned(format_, n, model, equilibrium.strategy, s, acting_as)
        mine = earned(format_, n, model, equilibrium.strategy, s, np.array([s]))[0]
        assert payoffs.max() - mine < 1e-3 * model.noise, "no other bid is better"
        assert mine > -1e-3 * model.noise
    assert equilibrium.gain < 1e-9 * model.noise


@pytest.mark.parametrize("n", [2, 4, 7])
@pytest.mark.parametrize("format_", [first_price(), second_price()], ids=str)
def test_theory_D_bids_rise_without_a_jump_and_never_above_what_the_prize_may_be_worth(format_, n):
    s = np.linspace(-30, 230, 2601)
    bids = format_.equilibrium(n, JAR).bid(s)
    assert (np.diff(bids) > 0).all() and np.diff(bids).max() < 0.2
    assert bids[0] == pytest.approx(0) and (bids <= np.minimum(s + 30, 200) + 1e-9).all()
    won = winners(format_, "equilibrium", JAR, n)
    assert won["gains"].mean() > 0, "over all values, both ends included"


@pytest.mark.parametrize("s", [-20.0, 10.0, 100.0, 190.0, 220.0])
def test_theory_D_what_the_prize_is_worth_by_what_one_knows(s):
    rng, n = np.random.default_rng(3), 3
    worth = rng.uniform(0, 200, 400_000)
    behind = np.abs(worth - s) <= 30  # a signal is equally likely at any distance up to the noise
    worth = worth[behind]
    others = worth[:, None] + rng.uniform(-30, 30, (len(worth), n - 1))
    highest = others.max(axis=1)
    equilibrium = second_price().equilibrium(n, JAR)
    near(worth, equilibrium.naive(s))
    near(worth[highest < s], equilibrium.break_even(s))
    near(worth[np.abs(highest - s) < 1], equilibrium.bid(s))


def test_theory_D_the_check_finds_bids_that_are_wrong_at_the_ends_only():
    n, noise = 4, 30

    def everywhere_as_in_the_middle(s):
        return s - noise + 2 * noise / (n + 1) * np.exp(-n / (2 * noise) * (s - noise))

    first, second = first_price().equilibrium(n, JAR), second_price().equilibrium(n, JAR)
    assert first.bid(100.0) == pytest.approx(everywhere_as_in_the_middle(100.0))
    assert replace(first, strategy=everywhere_as_in_the_middle).gain > 1
    assert replace(second, strategy=lambda s: np.maximum(s - noise * (n - 2) / n, 0)).gain > 0.1


@pytest.mark.parametrize("s", [-31, [100.0, 230.5]])
@pytest.mark.parametrize("ask", ["bid", "naive", "break_even"])
def test_a_signal_that_nobody_has(ask, s):
    with pytest.raises(ValueError, match="signals are from -30 to 230"):
        getattr(first_price().equilibrium(3, JAR), ask)(s)


@pytest.mark.parametrize("ask", ["bid", "naive", "break_even", "wins", "units", "pays", "surplus"])
def test_a_signal_above_1_where_the_mean_counts(ask):
    with pytest.raises(ValueError, match="signals are from 0 to 1"):
        getattr(first_price().equilibrium(3, MeanOfSignals()), ask)(1.5)


@pytest.mark.parametrize("values", [MeanOfSignals(), JAR])
def test_signals_are_not_cut_off(values):
    with pytest.raises(ValueError, match=r"truncate=0\.9: private values can be cut off, signals"):
        first_price().equilibrium(3, values, truncate=0.9)
    with pytest.raises(ValueError, match=r"truncate=0\.9: private values can be cut off, signals"):
        first_price().simulate("naive", values, bidders=3, truncate=0.9)


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
def test_a_frame_of_all_signals(values):
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
        with pytest.raises(NoEquilibriumKnown, match="depend on each other"):
            ask()


@pytest.mark.parametrize("noise", [0, 101])
def test_noise_that_cannot_be(noise):
    with pytest.raises(ValueError, match="at least twice as wide"):
        NoisySignals(noise, 0, 200)


@pytest.mark.parametrize(("low", "high"), [(-100, 100), (200, 0), (0, float("inf")), (float("nan"), 1)])
def test_values_in_common_that_cannot_be(low, high):
    with pytest.raises(ValueError, match=r"two amounts are needed|must be a finite number"):
        NoisySignals(1, low, high)
