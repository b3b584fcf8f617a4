"""The frontier against the die (BZ-43): the policies of all costs, and no policy above them."""

from itertools import combinations_with_replacement, pairwise
from math import inf, isinf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradekit.bazar import Exchange, Goal, Ware
from tradekit.bazar.policy import SMALLEST_COST

from . import oracle
from .strategies import exchanges, few, holdings, lefts, wares

NEAR = 1e-6
LIVELY = Exchange("R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY")
COSTS = [0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 1, 1.3, 2, 3, 5, 9, 30, 200]

some_holdings = holdings.filter(lambda have: len(have) > 2)  # the fewer stones, the more corners


def promised(frame, cost):
    """Return the value of a frontier's best row at a cost, after checking that no point of its lines is worth more."""
    return max(frame["points"] - cost * frame["turns"])


def check_frontier(frame, worth):
    """Check that at every cost the best policy is worth as much as the best corner; `worth(cost)` uses no frontier."""
    best = frame[frame["best"]]
    for cost in [*COSTS, *best["low"].iloc[:-1]]:
        assert promised(best, cost) == pytest.approx(worth(cost), abs=NEAR * max(1, cost))


@pytest.mark.long
@few(12)
@given(exchanges(), some_holdings, st.lists(wares, min_size=1, max_size=2, unique=True), st.integers(0, 1), lefts)
def test_no_policy_of_any_cost_lies_above_the_frontier_and_every_corner_is_one(
    exchange, have, listed, empty_stalls, left
):
    frame = exchange.outlook(have, listed, empty_stalls, left)
    asked = [Goal.of(ware, left, None, empty_stalls) for ware in listed]
    possible = [goal for goal in asked if not isinf(exchange.solve(goal.ware, left).turns(have))]
    assert set(frame["ware"]) == {str(goal.ware) for goal in possible}
    if not possible:
        assert frame.empty
        return
    check_frontier(
        frame, lambda cost: max(exchange.solve(g.ware, left, cost, empty_stalls).value(have) for g in possible)
    )
    for row in frame.itertuples():
        assert row.policy.turns(have) == pytest.approx(row.turns)
        assert row.policy.points(have) == pytest.approx(row.points)
        assert row.policy.goal.empty_stalls == empty_stalls
        allowed = left if isinstance(left, frozenset) else {left}
        assert left is None or {*row.policy.goal.left} <= allowed


@pytest.mark.long
@few(8)
@given(exchanges(), some_holdings, wares)
def test_a_corner_is_what_is_solved_between_its_costs(exchange, have, ware):
    frame = exchange.outlook(have, [ware])
    assert frame["best"].all()
    for row in frame.itertuples():
        low, high = max(row.low, SMALLEST_COST), min(row.high, row.low + 2)
        if high - low > 1e-5:
            cost = (low + high) / 2
            found = exchange.solve(ware, cost=cost)
            worth = found.points(have) - cost * found.turns(have)
            assert row.points - cost * row.turns == pytest.approx(worth, abs=NEAR)
            assert found.turns(have) == pytest.approx(row.turns, abs=1e-3)  # policies may nearly tie
    assert frame["turns"].iloc[0] == pytest.approx(exchange.solve(ware).turns(have)) if len(frame) else True


@pytest.mark.long
@few(12)
@given(exchanges(), some_holdings, st.lists(wares, min_size=1, max_size=3))
def test_the_best_rows_bend_and_their_costs_meet(exchange, have, listed):
    frame = exchange.outlook(have, listed)
    assert frame["turns"].is_monotonic_increasing or frame["turns"].diff().min() > -NEAR
    best = frame[frame["best"]]
    assert best[["turns", "points"]].diff().iloc[1:].gt(0).all(axis=None)
    for a, b in pairwise(best.itertuples()):
        assert a.low == b.high == pytest.approx((b.points - a.points) / (b.turns - a.turns))
    assert best["low"].is_monotonic_decreasing
    if len(best):
        assert best["high"].iloc[0] == inf and best["low"].iloc[-1] in (0, SMALLEST_COST)
    assert frame[~frame["best"]][["low", "high"]].isna().all(axis=None)


@pytest.mark.long
@few(10)
@given(exchanges(), holdings, st.lists(wares, min_size=1, max_size=2), st.sampled_from([0.02, 0.05, 0.5]))
def test_within_leaves_out_no_more_than_it_says(exchange, have, listed, within):
    rough = exchange.outlook(have, listed, within=within)
    for ware in {str(ware) for ware in listed}:
        ours = rough[rough["ware"] == ware]
        if ours.empty:
            continue
        for cost in COSTS:
            # A policy `within` above a line, or as far to its left: its worth is that much more at most.
            more = exchange.solve(ware, cost=cost).value(have) - promised(ours, cost)
            assert -NEAR * max(1, cost) <= more <= within * (1 + cost) + NEAR


def value_iteration(exchange, ware, cost):
    """Return the value of every hand, from the rules alone: passes over the optimality equation from above."""
    hands = [oracle.hand("".join(some)) for n in range(11) for some in combinations_with_replacement(oracle.COLOURS, n)]
    number = {hand: i for i, hand in enumerate(hands)}
    nowhere = len(hands)

    def gain(hand):
        left = oracle.left_after(hand, ware)
        return -inf if left is None else oracle.points(ware, left)

    def ends(options):
        """Return for each hand a row of (purchase, number of the next hand), padded with an impossible one."""
        most = max(map(len, options))
        padded = [row + [(-inf, nowhere)] * (most - len(row)) for row in options]
        return np.array([[g for g, _ in row] for row in padded]), np.array([[h for _, h in row] for row in padded])

    def traded(hand):
        return [(gain(after), number.get(after, nowhere)) for _name, after in oracle.trades(exchange, hand)]

    def rolled(hand):
        return [(gain(hand), number[kept]) for kept in oracle.kept(hand)]

    trades = ends([traded(hand) or [(-inf, nowhere)] for hand in hands])
    rolls = [ends([rolled(oracle.plus(hand, one)) for hand in hands]) for one in oracle.ONE.values()]
    values = np.append(np.full(nowhere, 12.0), -inf)
    for _pass in range(3000):
        worth = [np.maximum(gains, values[to]).max(axis=1) for gains, to in (trades, *rolls)]
        new = np.maximum(worth[0], (sum(worth[1:]) + np.maximum.reduce(worth[1:])) / 6) - cost
        done = np.abs(new - values[:-1]).max() < 1e-10
        values[:-1] = new
        if done:
            break
    return lambda have: values[number[oracle.hand(have)]]


@pytest.mark.long
@pytest.mark.parametrize("ware", ["GGGGG*", "RWBGY"])
def test_the_frontier_agrees_with_value_iteration_from_the_rules(ware):
    frames = {have: LIVELY.outlook(have, [ware]) for have in ("RRW", "WY", "GGBB")}
    for cost in (0.4, 0.9, 2, 6):
        values = value_iteration(str(LIVELY), ware, cost)
        for have, frame in frames.items():
            assert promised(frame, cost) == pytest.approx(values(have), abs=1e-7)


def test_the_policies_of_all_costs_and_not_only_the_fastest_are_compared():
    """(4.637 turns, 5 points), the fastest with one stone left over, is beaten by the best policy at a cost of 2."""
    exchange = Exchange.of_cards(1, 4)
    frame = exchange.outlook("", ["GGGGG*"])
    best = exchange.solve("GGGGG*", cost=2)
    assert promised(frame, 2) == pytest.approx(best.points("") - 2 * best.turns(""), abs=1e-8)
    assert not ((abs(frame["turns"] - 4.637) < 1e-3) & (abs(frame["points"] - 5) < 1e-3)).any()
    fast, patient = frame.iloc[0], frame.iloc[-1]
    assert fast["turns"] == pytest.approx(exchange.solve("GGGGG*").turns(""))
    assert (patient["turns"], patient["points"], patient["left"]) == (
        pytest.approx(exchange.solve("GGGGG*", left=0).turns("")), 8, "0",
    )  # fmt: skip


def test_a_frontier_is_not_changed_by_what_was_asked_before():
    fresh, asked = Exchange.of_cards(2, 7), Exchange.of_cards(2, 7)
    for have in ("RRW", "WY", "BBB"):
        asked.outlook(have, ["RWBGY", "RRRWW"], within=0.05)
    asked.outlook("GG", ["RWBGY"])
    one, other = (e.outlook("GG", ["RRRWW", "RWBGY"]).drop(columns="policy") for e in (fresh, asked))
    assert one.equals(other)


def test_a_dear_turn_is_solved_as_well_as_a_cheap_one():
    """A cost of 1e9, which once never came to an end, means the fewest turns, and of those the most points."""
    found, fewest = LIVELY.solve("GGGGG*", cost=1e9), LIVELY.solve("GGGGG*")
    np.testing.assert_allclose(found.all_turns, fewest.all_turns, rtol=1e-8)
    assert found.points("WY") >= fewest.points("WY") - 1e-6


@pytest.mark.parametrize("within", [-0.1, float("nan"), inf])
def test_within_is_a_distance(within):
    with pytest.raises(ValueError, match=r"within=.*: must be (0 or more|a finite number)"):
        LIVELY.outlook("RR", ["RWBGY"], within=within)


def test_what_cannot_be_bought_is_left_out():
    frame = Exchange("G=Y").outlook("G", ["RRRRR"], left=0)
    assert frame.empty and [*frame.columns] == [*LIVELY.outlook("RR", [Ware("RWBGY")]).columns]
