"""Settlements: Turin's vectors and worked cases, and laws of every format."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradekit.auctions import formats
from tradekit.auctions.formats import Format, all_pay, first_price, losers_pay, second_price, turin, war_of_attrition

VECTORS = json.loads((Path(__file__).parents[1] / "golden" / "golden.json").read_text("utf-8"))["turin"]["auctions"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['players']}p {v['bids']}")
def test_TU_10_to_19_golden_auctions(vector):
    format_ = turin(vector["players"], vector["first_auction"])
    asked = format_.settle(vector["bids"])
    assert [list(group) for group in asked.rebid] == vector["rebid_groups"]
    settled = format_.settle(vector["bids"], {int(n): amount for n, amount in vector["additions"].items()})
    ours = {(o.pays, o.awards, o.discarded) for o in settled.outcomes}
    assert ours == {(tuple(pays), tuple(cards), discarded) for pays, cards, discarded in vector["outcomes"]}
    assert sum(o.probability for o in settled.outcomes) == pytest.approx(1)


@pytest.mark.parametrize(
    ("players", "first", "bids", "additions", "pays", "awards", "discarded"),
    [
        (3, False, [2, 2, 4], {0: 0, 1: 1}, (1, 3, 4), (0, 1, 2), 0),
        (3, False, [5, 0, 0], {}, (5, 0, 0), (2, 0, 0), 1),
        (4, False, [5, 5, 3, 2], {0: 0, 1: 0}, (2, 2, 3, 1), (0, 0, 1, 0), 3),
        (5, False, [0] * 5, {}, (0,) * 5, (0,) * 5, 5),
    ],
)
def test_TU_12_to_17_worked_cases(players, first, bids, additions, pays, awards, discarded):
    (outcome,) = turin(players, first).settle(bids, additions).outcomes
    assert (outcome.pays, outcome.awards, outcome.discarded) == (pays, awards, discarded)


def test_TU_15_a_coin_decides_where_it_changes_something():
    outcomes = turin(4).settle([5, 5, 3, 2], {0: 2, 1: 2}).outcomes
    assert {(o.pays, o.awards, o.probability) for o in outcomes} == {
        ((7, 7, 3, 1), (2, 1, 1, 0), 0.5),
        ((7, 7, 3, 1), (1, 2, 1, 0), 0.5),
    }
    assert len(turin(4, first=True).settle([5, 5, 3, 2], {0: 2, 1: 2}).outcomes) == 1  # one card each, whoever is first


def test_TU_14_a_tie_is_asked_for_once_and_the_lower_one_after_the_higher():
    format_ = turin(5)
    assert format_.settle([4, 4, 2, 2, 1]).rebid == ((0, 1), (2, 3))
    assert format_.settle([4, 4, 2, 2, 1], {0: 1, 1: 0}).rebid == ((2, 3),)
    assert format_.settle([9, 8, 2, 1, 1]).rebid == ()  # wholly outside the winning places


def test_the_price_is_the_bid_or_the_highest_losing_one():
    assert first_price().settle([3, 5, 1]).outcomes[0].pays == (0, 5, 0)
    assert second_price().settle([3, 5, 1]).outcomes[0].pays == (0, 3, 0)
    assert second_price(2).settle([3, 5, 1]).outcomes[0].pays == (1, 1, 0)
    assert second_price(reserve=4).settle([3, 5, 1]).outcomes[0].pays == (0, 4, 0)
    assert all_pay().settle([3, 5, 1]).outcomes[0].pays == (3, 5, 1)
    assert war_of_attrition().settle([3, 5, 1]).outcomes[0].pays == (3, 3, 1)
    assert second_price().settle([5, 5]).outcomes[0].pays in {(5, 0), (0, 5)}


def test_no_bid_is_not_a_bid_of_nothing():
    format_ = first_price(fee=1)
    (outcome,) = format_.settle([0, None]).outcomes
    assert outcome.pays == (1, 0) and outcome.awards == (1, 0)
    assert first_price().settle([None, None]).outcomes[0].discarded == 1


GRID = st.integers(0, 6)
FORMATS = st.builds(
    Format,
    prizes=st.sampled_from([(1,), (1, 1), (2, 1), (2, 1, 1), (2, 2, 1)]),
    loser_pays=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    reserve=st.sampled_from([0, 1, 3]),
    fee=st.sampled_from([0, 0.5]),
    step=st.sampled_from([1, None]),
) | st.builds(
    Format, prizes=st.sampled_from([(1,), (1, 1)]), winner_pays=st.just("next"), loser_pays=st.sampled_from([0.0, 1.0])
)


@given(FORMATS, st.lists(GRID | st.none(), min_size=2, max_size=5))
def test_probabilities_and_units_add_up(format_, bids):
    outcomes = format_.settle(bids).outcomes
    assert sum(o.probability for o in outcomes) == pytest.approx(1)
    for outcome in outcomes:
        assert sum(outcome.awards) + outcome.discarded == sum(format_.prizes)
        for bid, pays, award in zip(bids, outcome.pays, outcome.awards, strict=True):
            assert (award > 0) <= (bid is not None and bid >= format_.reserve)
            assert 0 <= pays <= (0 if bid is None else bid + format_.fee)


@given(FORMATS, st.lists(GRID, min_size=2, max_size=4), st.integers(0, 3))
def test_who_bids_more_gets_no_less(format_, bids, more):
    def expected(offer):
        return sum(o.probability * o.awards[0] for o in format_.settle([offer, *bids[1:]]).outcomes)

    assert expected(bids[0] + more) >= expected(bids[0]) - 1e-12


@given(FORMATS, st.lists(GRID | st.none(), min_size=2, max_size=4))
def test_many_auctions_at_once_are_settled_as_one_by_one(format_, bids):
    rounds = 300
    row = [np.nan if bid is None else bid for bid in bids]
    awards, pays = format_.payments(np.tile(np.array(row, float), (rounds, 1)), np.random.default_rng(1))
    there = {(o.pays, o.awards) for o in format_.settle(bids).outcomes}
    seen = set(zip(map(tuple, pays.tolist()), map(tuple, awards.tolist()), strict=True))
    assert seen <= there
    if len(there) <= 6:
        assert seen == there


def test_TU_12_losers_pay_half_rounded_down():
    assert [turin(2).loser_owes(bid) for bid in range(6)] == [0, 0, 1, 1, 2, 2]
    assert turin(2).loser_owes(np.array([1.0, 3.0])).tolist() == [0, 1]
    assert losers_pay(0.5).loser_owes(3) == 1.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prizes": ()}, "no prize larger than the one before"),
        ({"prizes": (1, 2)}, "no prize larger than the one before"),
        ({"prizes": (1, 0)}, "must be positive"),
        ({"prizes": 2}, r"prizes=2: must be several values, such as \(2, 1\)"),
        ({"prizes": "21"}, "prizes='21': must be several values"),
        ({"prizes": (float("nan"),)}, "prizes=nan: must be a finite number"),
        ({"prizes": (float("inf"), 1)}, "prizes=inf: must be a finite number"),
        ({"prizes": ("two", "1")}, "prizes='two': must be a number"),
        ({"loser_pays": "half"}, "loser_pays='half': must be a number"),
        ({"loser_pays": float("nan")}, "loser_pays=nan: must be a finite number"),
        ({"reserve": float("inf")}, "reserve=inf: must be a finite number"),
        ({"reserve": None}, "reserve=None: must be a number"),
        ({"fee": "one"}, "fee='one': must be a number"),
        ({"step": float("inf")}, "step=inf: must be a finite number"),
        ({"step": "fine"}, "step='fine': must be a number"),
        ({"loser_pays": 1.5}, "loser_pays=1.5: must be between 0 and 1"),
        ({"reserve": -1}, "reserve=-1: must be 0 or more"),
        ({"fee": -1}, "fee=-1: must be 0 or more"),
        ({"step": 0}, "step=0: must be more than 0"),
        ({"rounding": "down"}, "needs a step"),
        ({"rounding": "up", "step": 1}, "rounding='up': must be one of None, 'down'"),
        ({"ties": "duel"}, "ties='duel': must be one of 'coin', 'rebid'"),
        ({"winner_pays": "half"}, "winner_pays='half': must be one of 'bid', 'next'"),
        ({"winner_pays": "next", "prizes": (2, 1)}, "needs equal prizes"),
    ],
)
def test_a_faulty_format_says_what_is_wrong(options, message):
    with pytest.raises(ValueError, match=message):
        Format(**options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: first_price(2), "prizes=2: must be several values"),
        (lambda: all_pay(3), "prizes=3: must be several values"),
        (lambda: losers_pay("half"), "share='half': must be a number"),
        (lambda: losers_pay(0.5, 2), "prizes=2: must be several values"),
        *[
            (lambda make=make, units=units: make(units), f"units={units!r}: must be {needed}")
            for make in (second_price, formats.uniform_price, formats.discriminatory, formats.english, formats.dutch)
            for units, needed in [(0, "1 or more"), (-1, "1 or more")]
            + [(units, "a whole number") for units in (1.5, "two", (2, 1))]
        ],
    ],
)
def test_what_cannot_be_made_ready_says_why(make, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


READY = [
    first_price, second_price, all_pay, war_of_attrition, formats.english, formats.dutch, partial(losers_pay, 0.5),
    partial(formats.discriminatory, 2), partial(formats.uniform_price, 2), partial(turin, 3),
]  # fmt: skip


@pytest.mark.parametrize("make", READY)
def test_what_is_ready_made_may_have_a_name_of_its_own(make):
    mine = make(name="mine", fee=1)
    assert str(mine) == "mine" and mine == replace(make(), fee=1)
    assert str(make()) not in ("mine", "") and mine.remark == make().remark


STEPS = st.sampled_from([0.1, 0.05, 0.25, 0.3, 0.7, 1 / 3, 1e-3, 1e-7, 1.0, 1])


@given(STEPS, st.integers(0, 2000), st.integers(0, 2000), st.sampled_from([0.0, 0.5, 1.0]), st.booleans())
def test_bids_on_the_same_step_tie_however_they_were_reckoned(step, few, more, share, down):
    """Products, sums and texts of numbers like 0.1 differ in their last digits: the intended step decides."""
    format_ = Format(loser_pays=share, step=step, rounding="down" if down else None)
    k = few + more
    same = [k * step, few * step + more * step, float(f"{k * step:.12g}"), k / (1 / step)]
    outcomes = format_.settle(same).outcomes
    for bidder in range(len(same)):  # a coin decides among all
        assert sum(o.probability for o in outcomes if o.awards[bidder]) == pytest.approx(1 / len(same))
    awards, pays = format_.payments(np.tile(same, (300, 1)), np.random.default_rng(1))
    assert (awards.sum(axis=0) > 0).all() and np.ptp(pays[awards > 0]) == 0
    at_the_reserve = replace(format_, reserve=few * step + more * step)
    assert at_the_reserve.settle([k * step]).outcomes[0].awards == (1,)
    assert at_the_reserve.payments(np.array([[k * step]]), np.random.default_rng(1))[0] == 1


@given(STEPS, st.integers(0, 3000))
def test_an_amount_on_a_step_is_the_number_that_people_write(step, k):
    format_ = Format(step=step)
    exact = float(Fraction(step).limit_denominator(10**7) * k)
    assert format_.on_step(k * step) == format_.nearest(k * step + step / 3) == exact
    assert format_.on_step(np.array([k * step])).tolist() == [exact]
    between = (k + 0.5) * step
    assert format_.on_step(between) == between, "which is not on a step, and refused"
    with pytest.raises(ValueError, match="is not a multiple of"):
        format_.settle([between])


def test_TU_14_additions_tie_by_the_step_too():
    format_ = Format(step=0.1, ties="rebid")
    assert len(format_.settle([0.3, 0.1 + 0.2], {0: 0.1 + 0.2, 1: 0.3}).outcomes) == 2
    assert {sum(o.pays) for o in format_.settle([0.3, 0.1 + 0.2], {0: 0.1 + 0.2, 1: 0.3}).outcomes} == {0.6}


@pytest.mark.parametrize(
    ("bids", "additions", "message"),
    [
        ([-1, 2], {}, "bid of bidder 0=-1: must be 0 or more"),
        (["much", 2], {}, "bid of bidder 0='much': must be a number"),
        ([float("inf"), 2], {}, "bid of bidder 0=inf: must be a finite number"),
        ([1, float("nan")], {}, "bid of bidder 1=nan: must be a finite number"),
        ([1, 1.5], {}, "bid of bidder 1: 1.5 is not a multiple of 1"),
        ([1, 2], {0: 1}, "bidder 0 has nothing to add to"),
        ([2, 2], {0: 1, 1: -1}, "addition of bidder 1=-1: must be 0 or more"),
    ],
)
def test_a_faulty_bid_says_whose_it_is(bids, additions, message):
    with pytest.raises(ValueError, match=message):
        turin(2).settle(bids, additions)


def test_TU_2_to_5_players():
    with pytest.raises(ValueError, match="2 to 5"):
        turin(6)


@pytest.mark.parametrize("make", [formats.english, formats.dutch])
def test_open_formats_say_where_they_differ(make):
    assert make().remark and str(make()) == make().name


@pytest.mark.parametrize("bids", [*product([None, 0, 1, 2], repeat=2)])
def test_english_is_settled_as_second_price_and_dutch_as_first_price(bids):
    assert formats.english().settle(bids) == second_price().settle(bids)
    assert formats.dutch().settle(bids) == first_price().settle(bids)
