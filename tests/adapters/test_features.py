"""Views as arrays: all of one length, equal where views are equal, and different where they differ."""

import random
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.toy import Toy
from tradekit import bazar, silk, turin
from tradekit.adapters.features import LENGTH, facts, observation
from tradekit.adapters.play import Play
from tradekit.game import play_on

VALUES = st.recursive(
    st.integers(-(2**60), 2**60) | st.text("abc=;", max_size=3), lambda items: st.lists(items, max_size=3).map(tuple)
)


@given(VALUES, VALUES)
def test_facts_tell_values_apart(one, other):
    assert ({*facts(one)} == {*facts(other)}) is (one == other)


class Step(IntEnum):
    ROLL = 3


@dataclass(frozen=True)
class Part:
    size: int = 2


def test_facts_of_what_else_a_state_is_made_of():
    assert [*facts(Step.ROLL, "step")] == [("step", "ROLL")], "a step is one fact, not the bits of its number"
    assert [*facts(Part(), "part")] == [("part/size", 1)]
    assert [*facts(2.5, "share")] == [("share", "2.5")]
    players = turin.new(2).parameters
    assert ("parameters", "players=2") in facts(players, "parameters")


@pytest.mark.parametrize(
    "start", [Toy(), bazar.new(4), turin.new(5), silk.new(2, run_outs=1, dropped=50)], ids=lambda start: str(start)[:12]
)
def test_observations_have_one_length_and_tell_views_apart(start):
    """Except for the rare pair in which every difference falls on places that are taken."""
    arrays, views = {}, set()
    for state in play_on(start, random.Random(1)):
        play = Play.begin(state)
        for player in range(start.players):
            array = observation(play, player)
            assert array.shape == (LENGTH,) and array.dtype == np.float32 and {*array.tolist()} == {0, 1}
            view = str(state.view(player))
            assert arrays.setdefault(view, array.tobytes()) == array.tobytes(), "equal views, equal arrays"
            views.add(view)
    assert len({*arrays.values()}) > 0.99 * len(views)


def test_what_a_player_cannot_see_is_not_in_the_array():
    state = turin.new(3, seed=7)
    other = state.view(0).sample(random.Random(1))
    assert other != state
    one, two = (observation(Play.begin(s), 0) for s in (state, other))
    assert np.array_equal(one, two)
    assert not np.array_equal(observation(Play.begin(state), 1), observation(Play.begin(other), 1))


def test_what_is_half_said_is_in_the_array():
    play = Play.begin(bazar.new(2))
    half = play.say(-1, play.choice(-1).numbers[0])
    assert observation(half, 0).sum() > observation(play, 0).sum()
