"""Learning: the step of each rule, its distance from equilibrium, and the chart of it."""

import re

import numpy as np
import pytest

from tradekit import auctions
from tradekit.auctions import learn as module
from tradekit.auctions.formats import Format
from tradekit.auctions.learn import RULES, learn
from tradekit.auctions.rank_games import KnownValues, PrivateValues
from tradekit.show.charts import HConcatChart

FLOOR = Format(loser_pays=0.5, reserve=1, step=1, rounding="down")
GAME = PrivateValues.of(FLOOR, range(9))
KNOWN = KnownValues.of(FLOOR, (5, 4))


@pytest.fixture(scope="module")
def learned():
    return learn(GAME, steps=600, moments=12)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_comes_nearer(learned, rule):
    average = learned.frame.query("rule == @rule and profile == 'average'")
    assert average["exploitability"].iloc[-1] < average["exploitability"].iloc[0] / 10
    assert average["step"].iloc[-1] == 600


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("game", [GAME, KNOWN], ids=["private", "known"])
def test_what_is_played_is_a_strategy(rule, game):
    capped = PrivateValues.of(FLOOR, range(5), cap=lambda value: value)
    for there in (game, capped):
        steps = RULES[rule](there, there.uniform())
        for _step in range(5):
            strategy = next(steps)
            assert strategy.sum(axis=1) == pytest.approx(np.ones(len(there.values)))
            assert strategy.min() >= 0 and not strategy[~there.allowed].any()


def test_fictitious_play_answers_the_average():
    start = GAME.uniform()
    steps = module.fictitious_play(GAME, start)
    first, second = next(steps), next(steps)
    best = GAME.payoffs(start).max(axis=1)
    assert (first * GAME.payoffs(start)).sum(axis=1) == pytest.approx(best)
    average = (start + first) / 2
    assert (second * GAME.payoffs(average)).sum(axis=1) == pytest.approx(GAME.payoffs(average).max(axis=1))


def test_regret_matching_follows_the_regrets():
    start = KNOWN.uniform()
    payoffs = KNOWN.payoffs(start)
    regrets = np.maximum(payoffs - payoffs.mean(axis=1, keepdims=True), 0)
    played = next(module.regret_matching(KNOWN, start))
    assert played == pytest.approx(regrets / regrets.sum(axis=1, keepdims=True))


def test_replicator_dynamics_keep_what_is_not_played_unplayed_and_favour_what_earns():
    start = KNOWN.uniform()
    start[0] = np.eye(len(KNOWN.bids))[2]
    payoffs, played = KNOWN.payoffs(start), next(module.replicator(KNOWN, start))
    assert played[0] == pytest.approx(start[0])
    assert (np.argsort(played[1]) == np.argsort(payoffs[1])).all()


def test_the_frames(learned):
    assert learned.frame.columns.tolist() == [
        "moment", "step", "rule", "profile", "exploitability", "gain", "revenue", "odd_share",
    ]  # fmt: skip
    assert (learned.frame["gain"] >= learned.frame["exploitability"] - 1e-12).all()
    whole = learned.to_frame()
    assert whole.columns.tolist() == ["moment", "step", "rule", "value", "bid", "probability"]
    sums = whole.groupby(["rule", "step", "value"])["probability"].sum()
    assert sums.to_numpy() == pytest.approx(np.ones(len(sums)))
    assert learned.bids().groupby(["rule", "step"])["probability"].sum().to_numpy() == pytest.approx(1)
    last = learned.mean_bids().query("rule == 'regret matching' and step == 600")
    assert last["mean_bid"].to_numpy() == pytest.approx(learned.strategies["regret matching", 600] @ GAME.bids)
    assert learn(KNOWN, "replicator dynamics", steps=3).mean_bids()["player"].unique().tolist() == [0, 1]
    assert repr(learned).startswith("<Learning: exploitability after 600 steps: fictitious play 0.0")


def test_the_same_seed_the_same_learning():
    one, same, other = (learn(KNOWN, steps=20, seed=seed).frame for seed in (1, 1, 2))
    assert one.equals(same) and not one.equals(other)


def test_a_rule_of_ones_own():
    def stubborn(game, strategy):
        while True:
            yield strategy

    frame = learn(KNOWN, {"stubborn": stubborn}, steps=4).frame
    assert frame["rule"].unique().tolist() == ["stubborn"]
    assert np.ptp(frame["exploitability"]) < 1e-12


def test_what_cannot_be():
    with pytest.raises(ValueError, match="no rule 'guessing'; there are fictitious play, regret matching"):
        learn(GAME, ["guessing"])
    with pytest.raises(ValueError, match="steps=0"):
        learn(GAME, steps=0)


@pytest.mark.parametrize("game", [GAME, KNOWN], ids=["private", "known"])
def test_the_chart_has_a_slider_over_time(game):
    chart = auctions.charts.learning(learn(game, steps=30, moments=6))
    assert isinstance(chart, HConcatChart)
    spec = chart.to_dict()
    moment, typed, steps = spec["params"]
    assert moment["bind"]["input"] == "range" and typed["bind"]["input"] == "number"
    assert moment["bind"]["max"] == moment["value"]  # the still picture shows the end
    assert steps["value"][-1] == typed["value"] == 30
    assert "up to round 30" in chart.to_svg()
    assert chart.to_svg().count("<path") > 20


def test_the_chart_tells_rules_apart_without_colour(learned):
    """Each rule has a mark of its own: three shapes, in every part of the picture."""
    svg = auctions.charts.learning(learned).to_svg()
    for group in re.findall(r'<g class="mark-symbol role-mark.*?</g>', svg):
        shapes = {re.sub(r"[-\d.]+", "", path) for path in re.findall(r' d="([^"]+)"', group)}
        assert len(shapes) == 3
    assert len(re.findall(r'<g class="mark-symbol role-mark', svg)) == 3
