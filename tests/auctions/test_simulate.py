"""Simulated auctions: reproducible, settled like single auctions, with wrong arguments refused."""

import numpy as np
import pytest

from tradekit.auctions import first_price, losers_pay, recorded, second_price, shading, turin, uniform
from tradekit.auctions.simulate import simulate


def test_the_same_seed_gives_the_same_auctions():
    one, two, other = (simulate(first_price(), "naive", uniform(), 50, seed, bidders=3) for seed in (1, 1, 2))
    assert one.equals(two) and not one.equals(other)


@pytest.mark.parametrize("format_", [losers_pay(0.5, (2, 1)), second_price(reserve=0.4), first_price(fee=0.1)])
def test_rounds_are_settled_as_one_by_one(format_):
    frame = simulate(format_, ["equilibrium", shading(0.7), lambda v: np.where(v > 0.3, v / 3, np.nan)], uniform(), 40)
    for _round, part in frame.groupby("round"):
        bids = [None if np.isnan(bid) else bid for bid in part["bid"]]
        (outcome,) = format_.settle(bids).outcomes
        assert part["pays"].tolist() == pytest.approx(outcome.pays)
        assert part["award"].tolist() == list(outcome.awards)
    assert frame["gains"].tolist() == pytest.approx((frame["worth"] * frame["award"] - frame["pays"]).tolist())


def test_whole_bids_are_rounded_to_the_step():
    frame = simulate(turin(3), shading(0.5), uniform(0, 20), 100, bidders=3)
    assert (frame["bid"] % 1 == 0).all() and (frame["pays"] % 1 == 0).all()


def test_who_follows_recorded_bids_bids_as_recorded():
    rule = recorded([10, 0], [6, 1])
    assert rule(np.array([0.0, 4.9, 5.1, 20.0])).tolist() == [1, 1, 6, 6]


def test_long_runs_are_settled_in_parts():
    frame = simulate(first_price(), "naive", uniform(), 100_001, bidders=2, progress=False)
    assert len(frame) == 200_002 and frame["round"].iloc[-1] == 100_000 and frame["award"].sum() == 100_001


@pytest.mark.parametrize(
    ("strategies", "options", "message"),
    [
        ("naive", {}, "say how many bidders"),
        ("clever", {"bidders": 2}, "there is no strategy 'clever'; there are 'equilibrium', 'naive', 'shading'"),
        (["naive"], {}, "two bidders and one round"),
        (["naive"] * 3, {"bidders": 2}, "3 strategies for 2 bidders"),
        ([3, "naive"], {}, "3 is no strategy"),
        (lambda v: v[:, 0], {"bidders": 2}, "must give a bid for each type"),
        (lambda v: v - 2, {"bidders": 2}, "0 or more is needed"),
    ],
)
def test_a_faulty_strategy_says_what_is_wrong(strategies, options, message):
    with pytest.raises(ValueError, match=message):
        simulate(first_price(), strategies, uniform(), 10, **options)


@pytest.mark.parametrize("wrong", [([], []), ([1, 2], [1])])
def test_faulty_records(wrong):
    with pytest.raises(ValueError, match="as many bids as values"):
        recorded(*wrong)
