"""The review of a played game."""

import pytest

from tradekit import bazar, bots
from tradekit.game import CHANCE
from tradekit.record import Record

NAMES = ["random", "policy"]
RECORD = bots.finish(Record.begin(bazar.new(cards=(1, 4), seed=5, patience=12), NAMES), NAMES, seed=5)
FRAME = bazar.review(RECORD)


def test_a_row_for_every_decision_that_left_a_choice():
    states = [*RECORD.states()]
    choices = [
        place
        for place, (move, state) in enumerate(zip(RECORD.moves, states, strict=False), 1)
        if move.actor != CHANCE and len(state.actions(move.actor)) > 1
    ]
    assert FRAME["move"].tolist() == choices
    assert FRAME["action"].tolist() == [str(RECORD.moves[place - 1].action) for place in choices]


def test_the_bot_that_judges_gave_nothing_away_and_another_did():
    costs = FRAME.groupby("name")["costs"].sum()
    assert costs["policy"] == pytest.approx(0, abs=1e-6) and costs["random"] > 1
    assert (FRAME["costs"] >= 0).all()


def test_the_best_is_legal_and_costs_nothing():
    judge = bots.make("policy")
    for row in FRAME.head(12).itertuples():
        state = RECORD.state(row.move - 1)
        worth = judge.evaluate(state.view(row.actor), state.actions(row.actor))
        assert worth[row.best] == max(worth.values())
        assert row.costs == pytest.approx(worth[row.best] - worth[row.action])


def test_a_bot_that_does_not_reckon_has_nothing_to_say():
    assert bazar.review(RECORD, "random").empty


def test_the_chart_draws():
    chart = bazar.charts.review(FRAME)
    assert chart.to_svg().count("<path") > len(FRAME)
    worth, given = chart.to_dict()["vconcat"]
    assert given["encoding"]["x"]["scale"] == worth["layer"][0]["encoding"]["x"]["scale"], "move stands below move"
    assert given["encoding"]["y"]["field"] == "costs" and "layer" in worth, "on a scale of its own"


def test_playouts_share_the_luck_and_end_as_the_game_does():
    """Each row is the game that `finish` plays on with that seed, and equal seeds give equal rows."""
    state = next(state for state in RECORD.states() if len(state.actions(0)) > 2)
    frame = bazar.playouts(state, games=2, bot="quick", seed=3)
    assert [*frame.columns] == [*map(str, state.actions(0))]
    for seed, row in enumerate(frame.to_dict("records"), 3):
        for action, lead in row.items():
            own, other = bots.finish(Record.begin(state.after(action)), ["quick"] * 2, seed).state().scores()
            assert lead == own - other
    assert frame.equals(bazar.playouts(state, games=2, bot="quick", seed=3))


@pytest.mark.parametrize("state", [bazar.new(cards=(1, 4)), RECORD.state()])
def test_nothing_is_played_on_where_no_player_decides(state):
    with pytest.raises(ValueError, match="nothing for the player to decide"):
        bazar.playouts(state)
    with pytest.raises(ValueError, match="games=0"):
        bazar.playouts(state, games=0)
