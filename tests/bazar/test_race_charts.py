"""The pictures of the race (BZ-45), and the claims of notebook 18 about the race for RWBGY under cards 1 and 4."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.drawn import names, subtitle, texts
from tradekit.bazar import Exchange, Ware, race_charts, race_values
from tradekit.bazar.hands import N, holding

TONIGHT = Exchange.of_cards(1, 4)
FIRST_OF_ALL = ("", "")
ZUGZWANG = ("WBBBBBBBB", "WWBBBBBBBB")
CERTAIN = 1 - 1e-6


@pytest.fixture(scope="module")
def race():
    return TONIGHT.race("RWBGY", cache=False, progress=False)


@pytest.fixture(scope="module")
def turns():
    return TONIGHT.turns("RWBGY")


def charts(race, turns):
    return [
        race_charts.outcomes(race.faces(*FIRST_OF_ALL), 0.55),
        race_charts.outcomes(race.options("RB", "RWG")),
        race_charts.outcomes(race.options("WWBGGY", "RWGY"), 0.5),
        race_charts.outcomes(race.options(*ZUGZWANG)),
        race_charts.by_turns(race, turns),
        race_charts.by_turns(race, turns, tempo=True),
    ]


def rows(chart):
    """Return the data of the first layer."""
    spec = chart.to_dict()
    return spec["datasets"][(spec["layer"][0].get("data") or spec["data"])["name"]]


# Readable


def test_they_fit_480_pixels_and_carry_a_picture(race, turns):
    for chart in charts(race, turns):
        assert float(ElementTree.fromstring(chart.to_svg()).get("width")) <= 480
        assert {"image/svg+xml", "text/plain"} < set(chart._repr_mimebundle_())


def test_in_spanish_they_fit_too_and_say_nothing_in_english(race, turns, spanish):
    for chart in charts(race, turns):
        assert float(ElementTree.fromstring(chart.to_svg()).get("width")) <= 480
        shown = " ".join([*texts(chart), *(row["text"] for row in rows(chart))])
        assert not re.search(r"\b(mover|nobody|other|against|face|action|first|turns|pairs|rolls|mean)\b", shown), shown


# Results of each action or face


@pytest.mark.parametrize("pair", [FIRST_OF_ALL, ("RB", "RWG"), ZUGZWANG, ("BBBBBBBBB", "BBBBBBBBB")])
@pytest.mark.parametrize("what", ["options", "faces"])
def test_a_bar_says_what_both_can_force_and_its_parts_are_a_whole(race, pair, what):
    frame = getattr(race, what)(*pair)
    chart = race_charts.outcomes(frame)
    said, parts = names(chart), rows(chart)
    for name, win, lose in zip(frame.iloc[:, 0], frame["win"], frame["lose"], strict=True):
        nobody = abs(1 - win - lose)
        assert f"{name}: the mover {win:.3f}, the other {lose:.3f}, nobody {nobody:.3f}" in said
        bar = [part for part in parts if part["name"] == name]
        assert [part["begin"] for part in bar] == [0, *(part["end"] for part in bar[:-1])]
        assert bar[0]["end"] == pytest.approx(win)
        assert bar[1]["end"] - bar[1]["begin"] == pytest.approx(nobody, abs=1e-6)
        assert bar[-1]["end"] == pytest.approx(1)
        for part in bar:
            share = part["end"] - part["begin"]
            assert part["label"] == (f"{share:.2f}" if share >= 0.09 else "")


def test_a_prediction_is_dashed_beside_the_mean_and_nothing_if_there_was_none(race):
    frame = race.faces(*FIRST_OF_ALL)
    chart = race_charts.outcomes(frame, 0.55)
    assert (
        subtitle(chart) == f"solid: the mean of the faces, {race.win(*FIRST_OF_ALL):.3f} dashed: your prediction, 0.55"
    )
    rules = [layer for layer in chart.to_dict()["layer"] if layer["mark"]["type"] == "rule"]
    assert [rule["mark"]["strokeDash"] for rule in rules] == [[1, 0], [5, 3]]
    assert "prediction" not in subtitle(race_charts.outcomes(frame))
    assert "solid" not in subtitle(race_charts.outcomes(race.options("RB", "RWG"), 0.5))


# Turns against turns


@pytest.mark.parametrize("tempo", [False, True])
def test_a_cell_is_the_mean_of_its_pairs(race, turns, tempo):
    said = names(race_charts.by_turns(race, turns, tempo=tempo))
    groups = {"4": np.flatnonzero(turns == 4), "5+": np.flatnonzero(turns >= 5), "rolls": np.flatnonzero(turns < 0)}
    for mine, movers in groups.items():
        for theirs, others in groups.items():
            each = [
                race.win(a, b) - (race.lose(b, a) if tempo else 0)
                for a in map(holding, movers)
                for b in map(holding, others)
            ]
            text = f"{mine} against {theirs}: mean {np.mean(each):.3f}, from {min(each):.3f} to {max(each):.3f}"
            assert f"{text}, {len(each)} pairs" in said
    assert sum(int(re.search(r"(\d+) pairs", text)[1]) for text in said if " against " in text) == N * N


def test_where_all_can_be_bought_by_trades_there_is_no_row_of_rolls(race, turns):
    shown = texts(race_charts.by_turns(race, np.where(turns < 0, 4, turns)))
    assert "5+" in shown and "rolls" not in shown


# Claims of notebook 18 without a number from a cell


def test_BZ_45_to_be_on_the_move_hurts_one_side_only_and_only_where_a_race_can_be_held_up(race):
    hurts = race.all_win - race.all_lose.T < -1e-6
    assert hurts.sum() == 3 and not (hurts & hurts.T).any()
    assert race.held_up[hurts].all()


def test_BZ_45_the_tempo_is_the_same_for_both_where_the_race_is_decided(race):
    tempo = race.all_win - race.all_lose.T
    decided = ~(race.held_up | race.held_up.T)
    assert np.abs(tempo - tempo.T)[decided].max() < 1e-6


def test_BZ_45_sure_wins_go_by_the_shortest_chain_but_from_nothing(race, turns):
    """The player to move is sure to have bought within as many turns as the chain has, and not within fewer."""
    problem = race_values._Problem(TONIGHT.moves, Ware("RWBGY"))
    low = np.repeat(problem.chance[problem.open][:, None], problem.n, axis=1)
    high = np.full_like(low, race_values._ONE)
    own, everything = np.zeros(low.shape, int), (np.ones(problem.n, bool), np.arange(problem.n))
    for number in range(2, 10):
        for given, taken, up in ((low, high, True), (high, low, False)):
            for start in range(0, problem.n, race_values._BLOCK):
                problem._sweep(given, taken, up, *everything, slice(start, min(start + race_values._BLOCK, problem.n)))
        own[(low == race_values._ONE) & (own == 0)] = number
    sure = race.all_win[np.ix_(problem.open, problem.open)] > CERTAIN
    assert (sure == (own > 0)).all() and own.max() == 5
    odd = sure & (own != turns[problem.open][:, None])
    assert {str(holding(problem.open[row])) for row in odd.nonzero()[0]} == {"-"} and odd.sum() == 14


def test_BZ_45_the_swindle_and_the_slower_trade_that_is_better(race):
    alone = TONIGHT.solve("RWBGY")
    assert alone.best("RW") == alone.best("RB") == "roll"
    assert (race.best("RW", "RG"), race.best("RW", "RBGY"), race.best("RB", "RWG")) == ("roll", "R=WBGY", "R=WBGY")
    after = race.options("WWBGGY", "RWGY").set_index("action").loc["W=GGG", "after"]
    assert race.best("WWBGGY", "RWGY") == "roll" and alone.best("RWGY") != race.best("RWGY", after) == "roll"
    hers = race.options("RWGY", after).set_index("action")
    assert race.win(after, hers.loc[alone.best("RWGY"), "after"]) > CERTAIN
