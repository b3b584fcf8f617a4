"""The bidding game with bids on steps of any size: it can be played, and bots bid on every step."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tradekit.auctions import first_price, losers_pay, rounds_csv, second_price, uniform
from tradekit.auctions.experiment import Experiment

STEPS = [(0.25, 100), (0.05, 100), (0.5, 1000), (0.1, 100), (1 / 3, 1000), (1, 20), (7, 100), (1e-7, 1e-5), (0.3, 1)]
MAKERS = {
    "first price": first_price,
    "second price": second_price,
    "rounded down": lambda **options: losers_pay(0.5, rounding="down", **options),
}


@settings(max_examples=30)
@given(
    st.sampled_from(STEPS), st.sampled_from(sorted(MAKERS)), st.integers(0, 99), st.lists(st.floats(0, 1), min_size=4)
)
def test_a_game_with_any_step_can_be_played_and_read_again(step_and_high, kind, seed, shares):
    step, high = step_and_high
    game = Experiment.begin(MAKERS[kind](step=step), uniform(0, high), ["equilibrium", "naive"], rounds=4, seed=seed)
    for share in shares[:4]:
        game = game.bid(round(share * high / step) * step)
    for n, played in enumerate(game.rounds):
        steps = np.array(played.bids) / step
        assert steps == pytest.approx(np.round(steps), abs=1e-6)
        bid, gains = game.best(n)
        assert gains == pytest.approx(game.payoff(n, bid))
        tried = [game.payoff(n, k * step) for k in range(0, int(high / step), max(1, int(high / step / 50)))]
        assert gains >= max(tried) - 1e-9 * high, "no bid would have been better"
    again = rounds_csv.read(game.to_csv())
    assert [r.bids for r in again.rounds] == [r.bids for r in game.rounds]


@pytest.mark.parametrize(("step", "high"), [(0.5, 1000), (0.05, 100), (0.25, 100)])
def test_bots_bid_on_every_step_and_near_to_their_rule(step, high):
    game = Experiment.begin(first_price(step=step), uniform(0, high), ["equilibrium", "naive"], rounds=300, seed=1)
    types, bids = (np.array([getattr(r, name)[1:] for r in game.rounds]) for name in ("types", "bids"))
    shown = 10.0 ** -(3 - np.floor(np.log10(high)))  # values are shown to three or four digits
    assert np.abs(bids - types * [2 / 3, 1]).max() <= (step + shown) / 2 + 1e-9
    for column in bids.T:
        assert len({*(np.round(column / step).astype(int) % 4)}) == 4
