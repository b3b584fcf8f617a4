"""A law of all advice: the first row of a table of options is the action taken, and costs never fall down the rows."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.playing import decide
from tradekit import Record, bazar, bots
from tradekit.bazar import Exchange, Solo
from tradekit.game import CHANCE
from tradekit.widgets.table_view import Advice

from .strategies import exchanges, few, holdings, lefts, wares

costs = st.none() | st.sampled_from([0.05, 0.3, 1, 2.5, 40])


def rises(frame):
    return frame["costs"].is_monotonic_increasing and (frame.empty or frame["costs"].iloc[0] == 0)


@few(15)
@given(exchanges(), st.lists(holdings, min_size=8, max_size=8), wares, lefts, costs)
def test_of_a_policy(exchange, some, ware, left, cost):
    """This holds even if the goal cannot be made certain, and all options are equally bad."""
    policy = exchange.solve(ware, left, cost)
    for have in some:
        options = policy.options(have)
        assert options["action"].iloc[0] == policy.best(have) and rises(options)


@few(30)
@given(exchanges(), st.lists(holdings, min_size=8, max_size=8), wares, lefts)
def test_of_chains(exchange, some, ware, left):
    for have in some:
        options, chain = exchange.options(have, ware, left), exchange.chain(have, ware, left)
        assert rises(options)
        if chain:
            assert (options["action"].iloc[0], options["turns"].iloc[0]) == (str(chain.trades[0]), chain.turns)


@pytest.fixture(scope="module")
def race():
    return Exchange.of_cards(1, 4).race("RWBGY", cache=False, progress=False)


@few(60)
@given(have=holdings, other=holdings)
def test_of_a_race(race, have, other):
    options = race.options(have, other)
    assert options["action"].iloc[0] == race.best(have, other) and rises(options)


def test_of_a_race_among_ties_too(race):
    """Pairs of few stones, in which actions have the same value and only a player's own turns tell them apart."""
    rng = random.Random(1)
    for _ in range(300):
        have, other = ("".join(rng.choices("RWBGY", k=rng.randrange(6))) for _side in range(2))
        assert race.options(have, other)["action"].iloc[0] == race.best(have, other)


@pytest.mark.parametrize("day", ["2027-01-06", "2027-02-01"])
def test_of_a_bazaar_alone(day):
    puzzle = bazar.puzzle(day, wares=1)
    bot = bots.make("solo", cost=puzzle.cost)
    record = bots.finish(Record.begin(puzzle.start), ["solo"], seed=3)
    for state in record.states():
        if state.actors and state.actors[0] != CHANCE and len(state.actions(0)) > 1:
            options = puzzle.solo.options(state)
            assert options["action"].iloc[0] == str(puzzle.solo.best(state)) == str(decide(bot, state)) and rises(
                options
            )


@pytest.mark.long
@pytest.mark.parametrize("name", ["chain", "policy"])
def test_of_a_hint_and_a_review(name):
    bot = bots.make(name)
    record = bots.finish(Record.begin(bazar.new(2, cards=(1, 4), seed=2, patience=8)), [name, "random"], seed=2)
    taken = []
    for state in record.states():
        if state.actors and state.actors[0] != CHANCE and len(actions := state.actions(state.actors[0])) > 1:
            values = bot.evaluate(state.view(state.actors[0]), actions)
            taken.append(str(decide(bot, state)))
            assert str(Advice(name, bot.measure, values).best) == taken[-1]
    review = bazar.review(record, name)
    assert review["best"].tolist() == taken
    assert (review["costs"] == 0).equals(review["action"] == review["best"]) or (
        review.loc[review["action"] == review["best"], "costs"].eq(0).all()
    )


def test_a_solo_of_typed_stalls_orders_equal_actions_as_they_are_listed():
    solo = Solo("R=WW W=R", [["RWBGY"], ["GGGYY"]], cost=0.5)
    options = solo.options()
    assert options["action"].iloc[0] == str(solo.best()) and rises(options)
