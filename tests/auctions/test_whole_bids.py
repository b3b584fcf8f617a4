"""Whole bids: the payoffs of every bid against an enumeration through `settle`, and the equilibria against theory."""

import re
import sys
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tradekit.auctions.formats import Format, all_pay, first_price, second_price, turin, uniform_price, war_of_attrition
from tradekit.auctions.rank_games import KnownValues, PrivateValues, Rebids
from tradekit.auctions.whole_bids import Method, quantal_response, solve, solve_known

FLOOR = Format(loser_pays=0.5, reserve=1, step=1, rounding="down")
HALF = replace(FLOOR, rounding=None)
REBID = replace(FLOOR, ties="rebid")


def random_strategy(game, seed):
    return game.normalised(np.random.default_rng(seed).random(game.allowed.shape) ** 3)


def amounts(game, bids):
    """Return bids for `settle`, by their numbers in the game."""
    return [None if np.isnan(game.bids[b]) else float(game.bids[b]) for b in bids]


def settled(game, bids, values, additions=None):
    """Return everyone's expected payoff, from the outcomes of `Format.settle`."""
    outcomes = game.format.settle(amounts(game, bids), additions).outcomes
    assert sum(o.probability for o in outcomes) == pytest.approx(1)
    return sum(o.probability * (np.array(values) * o.awards - o.pays) for o in outcomes)


# The kernel

FORMATS = [
    pytest.param(replace(turin(3), ties="coin"), 3, id="Turin, 3 (TU-12, TU-13)"),
    pytest.param(replace(turin(4), ties="coin"), 4, id="Turin, 4 (TU-12, TU-13)"),
    pytest.param(Format((1, 1), loser_pays=0.3), 3, id="two units, losers pay .3"),
    pytest.param(first_price((3, 1), reserve=2), 2, id="everyone wins, if not below the reserve"),
    pytest.param(second_price(reserve=2), 3, id="second price, reserve"),
    pytest.param(second_price(2, reserve=1), 2, id="second price, nobody loses"),
    pytest.param(uniform_price(2, fee=0.5), 4, id="uniform price, fee"),
    pytest.param(war_of_attrition(), 3, id="war of attrition"),
    pytest.param(all_pay((2, 1), fee=1, reserve=1), 3, id="all-pay, fee, reserve"),
]


@pytest.mark.parametrize(("format", "bidders"), FORMATS)
@settings(max_examples=3)
@given(seed=st.integers(0, 10**6))
def test_known_values_earn_what_settle_says(format, bidders, seed):
    game = KnownValues.of(format, [5, 4, 3, 2][:bidders], 3)
    strategy = random_strategy(game, seed)
    expected = np.zeros(strategy.shape)
    for bids in product(range(len(game.bids)), repeat=bidders):
        payoffs = settled(game, bids, game.values)
        for player, bid in enumerate(bids):
            others = np.prod([strategy[n, b] for n, b in enumerate(bids) if n != player])
            expected[player, bid] += others * payoffs[player]
    assert game.payoffs(strategy) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("format", "bidders"), FORMATS)
@settings(max_examples=2)
@given(seed=st.integers(0, 10**6))
def test_private_values_earn_what_settle_says(format, bidders, seed):
    game = PrivateValues.of(format, {0: 0.5, 2: 0.2, 5: 0.3}, 3, bidders)
    strategy = random_strategy(game, seed)
    chances = game.weights @ strategy
    expected, revenue = np.zeros(strategy.shape), 0.0
    for bids in product(range(len(game.bids)), repeat=bidders):
        others = np.prod(chances[list(bids[1:])])
        for row, value in enumerate(game.values):
            expected[row, bids[0]] += others * settled(game, bids, [value] * bidders)[0]
        revenue -= chances[bids[0]] * others * settled(game, bids, [0] * bidders).sum()
    assert game.payoffs(strategy) == pytest.approx(expected, abs=1e-12)
    assert game.revenue(strategy) == pytest.approx(revenue)


@given(seed=st.integers(0, 10**6), scale=st.sampled_from([0.5, 2, 3]), share=st.sampled_from([0, 0.25, 0.5, 1]))
@settings(max_examples=20)
def test_another_currency_changes_nothing(seed, scale, share):
    one = KnownValues.of(Format((2, 1), share, step=1, rounding="down"), (6, 5, 2), 6)
    other = KnownValues.of(Format((2, 1), share, step=scale, rounding="down"), one.values * scale, 6 * scale)
    strategy = random_strategy(one, seed)
    assert other.payoffs(strategy) == pytest.approx(scale * one.payoffs(strategy))
    assert other.odd_share(strategy) == pytest.approx(one.odd_share(strategy))


@given(seed=st.integers(0, 10**6), order=st.permutations(range(4)))
@settings(max_examples=20)
def test_players_have_no_order(seed, order):
    values = np.array([6.0, 5, 5, 2])
    one, other = (KnownValues.of(replace(FLOOR, prizes=(2, 1)), v, 6) for v in (values, values[order]))
    strategy = random_strategy(one, seed)
    assert other.payoffs(strategy[order]) == pytest.approx(one.payoffs(strategy)[order])


@given(seed=st.integers(0, 10**6), gift=st.floats(0, 5))
@settings(max_examples=20)
def test_a_fee_is_paid_whatever_is_bid(seed, gift):
    free, dear = (KnownValues.of(replace(FLOOR, fee=fee), (4, 3), 4) for fee in (0, gift + 0.1))
    strategy = random_strategy(free, seed)
    paid = dear.payoffs(np.pad(strategy, ((0, 0), (1, 0))))  # never "no bid"
    assert paid[:, 1:] == pytest.approx(free.payoffs(strategy) - gift - 0.1)
    assert (paid[:, 0] == 0).all()


def test_gains_are_those_of_the_best_other_bid():
    game = PrivateValues.of(HALF, range(6), 5, cap=lambda value: value)
    strategy = random_strategy(game, 1)
    payoffs = game.payoffs(strategy)
    for row, value in enumerate(range(6)):
        best = max(payoffs[row, : value + 1])
        assert game.gains(strategy)[row] == pytest.approx(best - strategy[row] @ payoffs[row])
    assert not strategy[np.triu_indices(6, 1)].any()  # nobody bids above the cap


# Private values: theory.md F


@pytest.fixture(scope="module")
def two():
    return {format.rounding: solve(format, target=1e-4) for format in (FLOOR, HALF)}


def test_two_bidders_bid_odd_if_half_is_rounded_down(two):
    """TU-12: a losing 2k + 1 costs no more than a losing 2k."""
    assert max(solution.exploitability for solution in two.values()) <= 1e-4
    assert two["down"].odd_share >= 0.95
    assert 0.55 <= two[None].odd_share <= 0.65
    assert 6.05 <= two["down"].revenue <= 6.42
    assert two[None].revenue == pytest.approx(7.04, abs=0.02)


def test_how_odd_depends_on_the_largest_value():
    """TU-12, but 18 is not a multiple of 4: an even bid on top of the odd ones would gain; docs/whole-bids.md."""
    solution = solve(FLOOR, range(19), target=5e-4)
    assert solution.exploitability <= 5e-4
    assert 0.6 <= solution.odd_share <= 0.8


@pytest.mark.parametrize(
    ("prizes", "rounding", "odd", "revenue"),
    [((1,), None, 0.60, 10.15), ((1,), "down", 0.94, 9.57), ((2, 1), None, 0.61, 20.35), ((2, 1), "down", 0.94, 19.41)],
)
def test_three_bidders(prizes, rounding, odd, revenue):
    solution = solve(replace(HALF, prizes=prizes, rounding=rounding), bidders=3)
    assert solution.exploitability <= 1e-3
    assert solution.odd_share == pytest.approx(odd, abs=0.05)
    assert solution.revenue == pytest.approx(revenue, rel=0.03)


def test_many_whole_bids_are_nearly_the_continuous_auction():
    """Small steps: the revenue is nearly that of the formula, a third of the largest value (theory.md A)."""
    solution = solve(Format(loser_pays=0.5), range(31))
    assert solution.revenue == pytest.approx(10, rel=0.03)


def test_more_values_bid_more(two):
    for solution in two.values():
        means = solution.support()["mean_bid"]
        assert (means.diff().dropna() > -0.05).all()


# Known values


def test_ten_and_eight():
    """theory.md E: payoffs v1 - v2 and 0, in half units to a fraction of the step."""
    solution = solve_known(Format(loser_pays=0.5, step=0.5), (10, 8))
    assert solution.gain <= 2e-3
    assert solution.payoffs == pytest.approx([2, 0], abs=5e-3)
    assert solution.revenue == pytest.approx(7.25, abs=0.02)


@pytest.mark.long
@pytest.mark.parametrize("share", [0, 0.5, 1])
@pytest.mark.parametrize(("units", "values"), [(1, (10, 8, 5)), (2, (10, 8, 6)), (2, (9, 9, 7, 6))])
def test_equal_prizes_pay_the_lead_over_the_best_loser(units, values, share):
    """theory.md E: max(0, v_i - v_(K+1)), within a step plus the exploitability."""
    solution = solve_known(Format((1,) * units, share, step=0.5), values, steps=4000)
    lead = np.maximum(0, np.array(values) - sorted(values)[-units - 1])
    assert solution.payoffs == pytest.approx(lead, abs=0.5 + solution.gain)
    assert solution.gain < 5e-3


def test_a_budget_binds():
    """theory.md F: reserve 15, values 20, a coin: 74% of the bids are 15."""
    solution = solve_known(FLOOR, (20, 20), budgets=(15, 15), target=0.01)
    assert solution.strategy[:, 15] == pytest.approx([0.74, 0.74], abs=0.03)
    assert not solution.strategy[:, 16:].any()


# Rebids: TU-14 to TU-17


def best_additions(game, bids, player, values):
    """Return (expected payoff with everyone's additions even, with the player's best) by enumeration."""
    tied = game.format.settle(amounts(game, bids)).rebid
    free = {n: [total for total in game.bids if total >= game.bids[bids[n]]] for who in tied for n in who}
    own = {}
    for totals in product(*free.values()):
        additions = {n: total - game.bids[bids[n]] for n, total in zip(free, totals, strict=True)}
        payoff = settled(game, bids, values, additions)[player]
        own.setdefault(additions.get(player), []).append(payoff)
    means = [np.mean(payoffs) for payoffs in own.values()]
    return np.mean(means), max(means)


@pytest.mark.parametrize(
    ("prizes", "values", "top"),
    [
        ((1,), (5, 4), 5),
        ((2, 1), (5, 4), 4),
        ((1,), (4, 3, 3), 3),
        ((2, 1), (4, 3, 2), 3),
        ((2, 1, 1), (4, 3, 2, 2), 2),
    ],
    ids=["2 for 1", "2 for 2", "3 for 1", "3 for 2", "4 for 3"],
)
def test_rebids_earn_what_settle_says(prizes, values, top):
    """TU-14 to TU-17, with first bids at random and even additions: payoffs, and the most to gain by deviating."""
    game = Rebids.of(replace(REBID, prizes=prizes), values, top).ready(lambda rebid: rebid.uniform())
    strategy = random_strategy(game, 3)
    expected, best = np.zeros(strategy.shape), np.zeros(strategy.shape)
    for bids in product(range(len(game.bids)), repeat=len(values)):
        for player, bid in enumerate(bids):
            chance = np.prod([strategy[n, b] for n, b in enumerate(bids) if n != player])
            even, most = best_additions(game, bids, player, values)
            expected[player, bid] += chance * even
            best[player, bid] += chance * most
    assert game.payoffs(strategy) == pytest.approx(expected, abs=1e-12)
    gains = best.max(axis=1) - (strategy * expected).sum(axis=1)
    assert game.gains(strategy) == pytest.approx(gains, abs=1e-12)


def test_rebids_of_ten_and_eight():
    """theory.md F: in one equilibrium player 0 gets 2, in another 1."""
    solution = solve_known(REBID, (10, 8), target=5e-3)
    assert solution.exploitability <= 5e-3
    assert min(np.abs(solution.payoffs - [paid, 0]).max() for paid in (1, 2)) <= 0.05


def test_rebids_of_three():
    solution = solve_known(replace(REBID, prizes=(1, 1)), (2, 2, 1), target=1e-2, steps=1500)
    assert solution.gain < 0.02
    assert (solution.payoffs >= -solution.gain).all()  # 0 costs nothing


# Places with different values for each player, as in Turin, where lots differ


PLACES = [[7.0, 2.0], [4.0, 4.0], [3.0, -1.0]]  # by player and place; one player would rather lose than be second


@pytest.mark.parametrize("tied", [False, True])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=5)
def test_places_worth_something_else_to_each_earn_what_settle_says(tied, seed):
    """With any strategies; `extra` is paid as well, and TU-16: nobody wins while tied with another at the lowest."""
    format = replace(FLOOR, prizes=(2, 1), reserve=0)
    game = KnownValues.of(format, PLACES, range(2, 6), extra=lambda player, bid: 0.5 * player * (bid > 3), tied=tied)
    strategy = random_strategy(game, seed)
    expected = np.zeros(strategy.shape)
    for bids in product(range(4), repeat=3):
        made = amounts(game, bids)
        for outcome in format.settle(made).outcomes:
            for player, bid in enumerate(bids):
                award, pays = outcome.awards[player], outcome.pays[player]
                if tied and bid == 0 and bids.count(0) > 1:
                    award, pays = 0, made[player] // 2
                gets = PLACES[player][2 - int(award)] if award else 0
                others = np.prod([strategy[n, b] for n, b in enumerate(bids) if n != player])
                costs = pays + 0.5 * player * (made[player] > 3)
                expected[player, bid] += outcome.probability * others * (gets - costs)
    assert game.payoffs(strategy) == pytest.approx(expected, abs=1e-12)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=10)
def test_places_in_proportion_are_units_of_one_value(seed):
    format = replace(REBID, prizes=(2, 1))
    units, places = (
        Rebids.of(format, values, 6).ready(lambda rebid: random_strategy(rebid, seed))
        for values in ((3, 2), [[6, 3], [4, 2]])
    )
    strategy = random_strategy(units, seed)
    assert places.payoffs(strategy) == pytest.approx(units.payoffs(strategy))
    assert places.gains(strategy) == pytest.approx(units.gains(strategy))
    assert places.values.tolist() == [6, 4]


def test_place_worths_that_cannot_be():
    with pytest.raises(ValueError, match="for each of the 1 places is needed"):
        solve_known(FLOOR, [[3, 2], [2, 1]])
    with pytest.raises(ValueError, match="for each of the 1 places is needed"):
        solve_known(FLOOR, [[float("nan")], [2]])


# Quantal response


@pytest.mark.parametrize(
    "game", [PrivateValues.of(FLOOR, range(7)), KnownValues.of(FLOOR, (10, 8))], ids=["private", "known"]
)
def test_quantal_response_answers_itself(game):
    assert quantal_response(game, 0) == pytest.approx(game.uniform())
    strategy = quantal_response(game, 3.0)
    answer = np.exp(3.0 * game.payoffs(strategy))
    assert strategy == pytest.approx(answer / answer.sum(axis=1, keepdims=True), abs=1e-9)
    far = [game.exploitability(quantal_response(game, precision)) for precision in (0.3, 3.0, 30.0)]
    assert far[0] > far[1] > far[2] and far[2] < 0.02


def test_quantal_response_says_what_it_is():
    solution = solve_known(FLOOR, (10, 8), precision=2)
    assert solution.residual < 1e-9
    assert "a quantal response" in str(solution) and "precision 2" in str(solution)


# The result


def test_a_solution_says_an_equilibrium_and_its_gain(two):
    text = str(two["down"])
    assert text.startswith("an equilibrium, 2 bidders (regret matching+, seed 0)")
    assert f"largest gain from deviating {two['down'].gain:.2g}" in text
    assert repr(two["down"]) == f"<Solution: {text}>"


def test_a_solution_as_frames(two):
    solution = two["down"]
    assert solution.strategy.sum(axis=1) == pytest.approx(np.ones(21))
    frame = solution.to_frame()
    assert frame.columns.tolist() == ["value", "bid", "probability"] and len(frame) == 21 * 21
    assert frame.groupby("value")["probability"].sum().to_numpy() == pytest.approx(np.ones(21))
    support = solution.support()
    assert support["payoff"].to_numpy() == pytest.approx(solution.payoffs)
    assert support["gain"].max() == pytest.approx(solution.gain)
    assert set(support["bids"].iloc[-1].split(", ")) <= {"7", "8", "9", "10", "11"}
    known = solve_known(replace(FLOOR, fee=0.5), (4, 3), target=1e-2)
    assert known.to_frame().columns.tolist() == ["player", "value", "bid", "probability"]
    assert known.support()["bids"].str.startswith("–").any()  # not bidding is a choice as well


def test_other_seeds_show_what_differs():
    """theory.md F: values 10 and 8 have equilibria with different payoffs."""
    solution = solve_known(FLOOR, (10, 8))
    frame = solution.compare(range(4))
    assert frame["distance"].iloc[0] == 0 < frame["distance"].iloc[1:].min()
    assert (frame["exploitability"] <= 1e-3).all()
    assert frame["payoff 0"].between(1.6, 2.3).all() and frame["payoff 0"].nunique() > 1


def test_a_seed_is_a_promise():
    again = [solve(HALF, range(5), target=1e-2, seed=7).strategy for _time in range(2)]
    assert (again[0] == again[1]).all()


def test_the_best_profile_seen_is_kept():
    few, many = (solve(FLOOR, range(9), target=0, steps=steps) for steps in (501, 1500))
    assert many.exploitability <= few.exploitability


# Impossible settings

PRIVATE = [
    ({"bidders": 1}, "bidders=1: 2 to 5 are needed"),
    ({"bidders": 6}, "bidders=6: 2 to 5 are needed"),
    ({"values": [-1, 2]}, r"values: \[-1.0, 2.0\]; numbers of 0 or more"),
    ({"values": []}, "values"),
    ({"values": [1, 1]}, "one stands twice"),
    ({"values": {1: 0.5, 2: 0.4}}, "probabilities add up to 0.9, not to 1"),
    ({"values": {1: 1.5, 2: -0.5}}, "probabilities"),
    ({"bids": []}, "bids"),
    ({"bids": -1}, "bids"),
    ({"bids": [0, 2, 1]}, "must rise"),
    ({"bids": [0, 1.5]}, "1.5 is not a multiple of 1"),
    ({"cap": lambda value: value - 1}, "value 0 may make none of the bids"),
    ({"precision": -1}, "precision"),
]


@pytest.mark.parametrize(("options", "message"), PRIVATE, ids=[message for _, message in PRIVATE])
def test_bad_private_values(options, message):
    with pytest.raises(ValueError, match=message):
        solve(FLOOR, **options)


def test_bad_games():
    with pytest.raises(ValueError, match="3 prizes for 2 bidders"):
        solve(replace(FLOOR, prizes=(2, 1, 1)))
    with pytest.raises(ValueError, match=r"TU-14"):
        solve(turin(2))
    with pytest.raises(ValueError, match="bidders=1"):
        solve_known(FLOOR, [3])
    with pytest.raises(ValueError, match="3 prizes for 2 bidders"):
        solve_known(replace(FLOOR, prizes=(2, 1, 1)), [3, 2])
    with pytest.raises(ValueError, match=re.escape("budgets=(1, 2, 3): 2 are needed")):
        solve_known(FLOOR, [3, 2], budgets=(1, 2, 3))
    with pytest.raises(ValueError, match="winner_pays='next'"):
        solve_known(Format(winner_pays="next", ties="rebid"), [3, 2])
    with pytest.raises(ValueError, match="two bidders"):
        solve_known(FLOOR, [3, 2, 1], exact=True)
    with pytest.raises(ValueError, match="choose one"):
        Method(exact=True, precision=1)


def test_exact_without_quantecon_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "quantecon.game_theory", None)
    with pytest.raises(ImportError, match=r"tradekit\[exact\]"):
        solve_known(FLOOR, [3, 2], exact=True)


@pytest.mark.parametrize("values", [(3, 2, 1), (3, 2, 1, 1)])
def test_matrices_are_for_two(values):
    with pytest.raises(ValueError, match=f"{len(values)} bidders: matrices of payoffs are for two"):
        KnownValues.of(Format(), values).matrices()
