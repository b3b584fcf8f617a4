"""BZ-23, Sackson's worry: the counts of a game, and the table that is kept."""

from itertools import pairwise

import pandas as pd
import pytest

from tradekit import tournament
from tradekit.bazar.stones import MOST_LEFT, POINTS
from tradekit.studies import sacksons_worry as worry
from tradekit.studies.sacksons_worry import LIMITS, MEASURES, PAIRS, STUDY, counts, kept, seated, sums

ALL = STUDY.load()


def played(*seats, **options):
    return tournament.play(
        "bazar", seated(seats), len(seats), seed=3, players=len(seats), progress=False, records=True, **options
    ).played


def test_BZ_15_what_is_counted_of_a_game_is_what_its_points_say():
    """The points of the game follow from the stones left over after each purchase and the columns of BZ-15, BZ-16."""
    for game in played("quick", "patient", cards=(1, 4)) + played("quick 2", "patient 1", "chain", cards=(5, 6)):
        rows = {row["bot"]: row for row in counts(game)}
        points, left, turns = dict.fromkeys(game.bots, 0), {name: [] for name in game.bots}, 0
        for (before, after), (actor, action) in zip(pairwise(game.record.states()), game.record.moves, strict=True):
            if action.startswith("buy"):
                name = game.bots[actor]
                left[name].append(len(after.holdings[actor]))
                column = before.wares[int(action[4:]) - 1].stars + bool(before.empty_stalls)
                points[name] += POINTS[min(column, 2)][min(left[name][-1], 3)]
            turns += before.step.name == "TURN" and actor >= 0
        for seat, name in enumerate(game.bots):
            row = rows[name.partition(" #")[0]]
            assert row["points"] == game.scores[seat] == points[name]
            assert (row["wares"], row["left"]) == (len(left[name]), sum(left[name]))
            assert row["lots"] == sum(stones >= 3 for stones in left[name])
            assert row["turns"] == turns and row["sold"] == sum(map(len, left.values()))


def test_several_seats_of_a_bot_are_counted_together():
    (game, *_others) = played("patient", "quick", "quick", "quick", cards=(1, 4))
    rows = {row["bot"]: row for row in counts(game)}
    assert rows["quick"]["seats"] == 3 and rows["patient"]["seats"] == 1
    assert sum(row["wins"] for row in rows.values()) == pytest.approx(1)
    assert sum(row["points"] for row in rows.values()) == sum(game.scores)


def test_every_seat_is_taken_equally_often_and_no_game_is_played_twice():
    for seats, orders in (
        (("quick", "patient") * 2, 2),
        (("quick", *["patient"] * 3), 4),
        (("quick", "patient", "quick"), 3),
    ):
        games = played(*seats, cards=(1, 4))
        assert len({game.bots for game in games if game.round == 0}) == orders
        for seat in range(len(seats)):
            at = [game.bots[seat].partition(" #")[0] for game in games]
            assert at.count("quick") * len(seats) == len(at) * seats.count("quick")


def test_a_pair_of_cards_played_again_gives_the_row_that_is_kept(monkeypatch):
    monkeypatch.setattr(worry, "PAIRS", [(3, 7)])
    (rounds,) = {treatment["rounds"] for treatment in STUDY.treatments if treatment["part"] == "pairs"}
    again = pd.DataFrame(worry.play("pairs", "quick, patient", rounds)).query("cards == '3-7'")
    before = ALL.query("part == 'pairs' and cards == '3-7'")
    assert [*again["measure"]] == [*before["measure"]] == ["wins", "turns"]
    columns = ["mean", "low", "high"]
    assert again[columns].to_numpy() == pytest.approx(before[columns].to_numpy(), abs=1e-6)


def test_BZ_23_without_a_limit_the_games_are_those_of_the_rules_as_they_are(monkeypatch):
    monkeypatch.setattr(worry, "PAIRS", [(1, 4)])
    frame = worry._tournaments(["quick", "patient"], 2, MOST_LEFT)
    seed = 100 * (1967 + 1) + 4
    result = tournament.play("bazar", ["quick", "patient"], 4, seed, cards=(1, 4), progress=False)
    quick = frame[frame["bot"] == "quick"]
    assert quick["points"].sum() == sum(game.scores[game.bots.index("quick")] for game in result.played)
    assert [top / bottom for top, bottom in sums(quick, "wins")] == [
        sum(game.shares[game.bots.index("quick")] for game in result.played if game.round == n) / 2 for n in (0, 1)
    ]


# The kept table


def test_the_table_has_every_treatment_pair_of_cards_number_of_players_and_limit():
    treatments = ALL[["part", "table", "rounds"]].drop_duplicates().to_dict("records")
    assert treatments == [*STUDY.treatments]
    pairs = kept("pairs", "wins", "quick", None)["cards"]
    assert [*pairs] == ["all", *(f"{card}-{other}" for card, other in PAIRS)] and len(pairs) == 46
    players = kept("players", "wins", "quick")["table"].str.count(",") + 1
    assert set(players) | {2} == {2, 3, 4, 5, 6}
    assert [*kept("limits", "wins", "quick")["max_left"]] == [*LIMITS] == [MOST_LEFT, 5, 4, 3, 2, 1, 0]
    assert set(ALL["measure"]) == set(MEASURES)


def test_what_is_kept_adds_up():
    wins = ALL.query("measure == 'wins' and cards == 'all'")
    together = (wins["mean"] * wins["seats"]).groupby([wins["part"], wins["table"], wins["max_left"]]).sum()
    assert together.to_numpy() == pytest.approx(1, abs=1e-5)
    assert ((wins["low"] <= wins["mean"]) & (wins["mean"] <= wins["high"])).all()
    key = ["part", "table", "bot", "measure"]
    limited = ALL.dropna(subset="change").merge(
        ALL[(ALL["part"] == "limits") & (ALL["max_left"] == MOST_LEFT)], on=key, suffixes=("", "_before")
    )
    assert len(limited) == len(ALL.dropna(subset="change")) == len(LIMITS[1:]) * (2 * len(MEASURES) - 2)
    assert (limited["mean"] - limited["mean_before"]).to_numpy() == pytest.approx(
        limited["change"].to_numpy(), abs=3e-6
    )


def test_BZ_23_a_limit_of_nothing_makes_the_two_alike():
    alike = kept("limits", "wins").query("max_left == 0")
    assert (alike["mean"] * (alike["table"].str.count(",") + 1)).to_numpy() == pytest.approx(1, abs=1e-5)


def test_the_bots_are_what_they_say_they_are():
    left, score = kept("pairs", "left").set_index("bot")["mean"], kept("pairs", "points a ware").set_index("bot")
    assert left["patient"] == 0 < left["quick"]
    assert score["low"]["patient"] > score["high"]["quick"]
    lots = kept("others", "lots left").set_index(["table", "bot"])["mean"]
    assert lots["quick 3, patient", "quick 3"] == 1 and lots["patient 2, patient", "patient 2"] == 0
    most = kept("limits", "left", "quick")
    assert (most["mean"] <= most["max_left"]).all()
