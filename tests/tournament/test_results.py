"""Tables of a tournament: they add up, their intervals have the right coverage, and they travel as Parquet."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from tests.tournament.players import Rolls, play
from tests.toy import BIDS, Toy
from tradekit import tournament
from tradekit.bots import Bot, standing
from tradekit.game import CHANCE
from tradekit.tournament import Result, interval

shares = st.floats(0, 1)
tables = st.lists(st.lists(shares, min_size=1, max_size=30), min_size=1, max_size=4)


def test_a_row_is_a_game():
    games = play("random", "chain", games=6).games
    assert " ".join(games) == "round seed bot_0 score_0 share_0 bot_1 score_1 share_1 decisions finished"
    assert len(games) == 6 and games["finished"].all() and (games["decisions"] > 0).all()
    np.testing.assert_allclose(games["share_0"] + games["share_1"], 1)


def test_tables_add_up():
    result = play("random", "chain", Rolls(), games=6)
    summary, pairs, games = result.summary, result.pairwise, result.games
    assert summary["games"].to_dict() == {"random": 12, "chain": 12, "rolls": 12}
    assert summary["wins"].is_monotonic_decreasing
    assert (summary["games"] * summary["wins"]).sum() == pytest.approx(len(games))
    assert ((summary["low"] <= summary["wins"]) & (summary["wins"] <= summary["high"])).all()
    for bot in summary.index:
        mine = np.concatenate([games.loc[games[f"bot_{s}"] == bot, f"share_{s}"] for s in (0, 1)])
        assert summary["wins"][bot] == pytest.approx(mine.mean())
        points = np.concatenate([games.loc[games[f"bot_{s}"] == bot, f"score_{s}"] for s in (0, 1)])
        assert summary["score"][bot] == pytest.approx(points.mean())
    assert len(pairs) == 6
    for (one, other), row in pairs.iterrows():
        assert row["games"] == 6 and row["wins"] + pairs["wins"][other, one] == pytest.approx(1)
        assert row["low"] + pairs["high"][other, one] == pytest.approx(1)
    assert pairs["wins"].unstack().shape == (3, 3)
    assert "chain" in result._repr_html_()


def test_no_games_are_empty_tables():
    stopped = Result(play("random", "chain").heading, [], "interrupted")
    assert stopped.summary["games"].tolist() == [0, 0] and stopped.pairwise.empty and stopped.games.empty
    assert stopped.summary[["low", "high"]].to_numpy().tolist() == [[0, 1], [0, 1]]


# Intervals


@given(tables)
def test_an_interval_is_student_s_with_a_round_won_and_one_lost_more(tables):
    """Compared with a regression on the tables: its residuals, and the two rounds around the mean of all."""
    rounds = np.concatenate(tables)
    table = np.repeat(np.eye(len(tables)), [len(rounds) for rounds in tables], axis=0)
    unexplained = rounds - table @ np.linalg.lstsq(table, rounds)[0]
    squares = (unexplained**2).sum() + rounds.mean() ** 2 + (1 - rounds.mean()) ** 2
    n = len(rounds) + 2
    error = np.sqrt(squares / (n - len(tables)) / n)
    low, high = student.interval(0.95, n - len(tables), np.mean([*rounds, 0, 1]), error)
    assert interval(tables) == pytest.approx((max(0, low), min(1, high)))


@given(tables)
def test_intervals_hold_the_mean_and_mirror(tables):
    low, high = interval(tables)
    mean = np.concatenate(tables).mean()
    assert 0 <= low <= mean + 1e-9 and mean - 1e-9 <= high <= 1
    mirrored = interval([[1 - value for value in rounds] for rounds in tables])
    assert mirrored == pytest.approx((1 - high, 1 - low))


def test_no_rounds_say_nothing():
    assert interval([]) == interval([[]]) == (0, 1)


@pytest.mark.parametrize("rounds", [5, 15, 60])
@pytest.mark.parametrize(
    ("values", "chances"),
    [
        ((0, 0.5, 1), (0.25, 0.5, 0.25)),  # two games per round that have nothing in common
        ((0, 1), (0.2, 0.8)),  # luck decides alike in both orders
        ((0.5, 1), (0.9, 0.1)),  # the seat decides: nearly every round is even
    ],
)
def test_intervals_cover_what_they_should(values, chances, rounds):
    """In 4,000 tournaments: 95%, and rather more in short ones."""
    drawn = np.random.default_rng(0).choice(values, p=chances, size=(4000, rounds))
    mean = np.dot(values, chances)
    ends = np.array([interval([row.tolist()]) for row in drawn])
    covered = ((ends[:, 0] <= mean) & (mean <= ends[:, 1])).mean()
    assert 0.93 <= covered <= (0.975 if rounds == 60 else 1)


class Bids(Bot):
    """A bot that bids each of some numbers equally often."""

    def __init__(self, *bids):
        self.bids = bids

    def choose(self, view, actions, rng):
        return BIDS[rng.choice(self.bids)]


def chance_to_win(ours, theirs):
    """Return the exact share of the win at the toy's table, over numbers, bids and the toss; seats are alike."""

    def share(state):
        if not state.actors:
            return Fraction(standing(state)[0])
        if state.actors == (CHANCE,):
            return sum(share(state.after(action)) for action, _p in state.outcomes()) / Fraction(len(state.outcomes()))
        player = state.actors[0]
        bids = (ours, theirs)[player]
        return sum(share(state.after(BIDS[bid], player)) for bid in bids) / Fraction(len(bids))

    return share(Toy())


@pytest.mark.long
def test_intervals_of_real_tournaments_cover_the_exact_chance_to_win():
    """Both orders of a round meet the same numbers and the same bids, so rounds are the units, not games.

    Wilson's interval over games contained it in 87% of these tournaments.
    """
    ours, theirs = (1, 2), (0, 1, 3)
    exact = chance_to_win(ours, theirs)
    assert exact != Fraction(1, 2)
    covered = []
    for seed in range(150):
        bots = {"a": Bids(*ours), "b": Bids(*theirs)}
        row = tournament.play("toy", bots, 60, seed, progress=False).summary.loc["a"]
        covered.append(row["low"] <= exact <= row["high"])
    assert np.mean(covered) >= 0.92


# Files


def test_parquet_holds_the_games_and_says_of_what(tmp_path):
    result = play("random", "chain", games=6)
    path = result.to_parquet(tmp_path / "games.parquet")
    back = pd.read_parquet(path)
    pd.testing.assert_frame_equal(back, result.games, check_dtype=False)
    assert back.attrs["seed"] == 0 and "cards=1,4" in back.attrs["start"] and [*back.attrs["bots"]] == [*result.bots]
    assert [file.name for file in tmp_path.iterdir()] == ["games.parquet"]
    assert result.games.attrs == {}


def test_parquet_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "games.parquet"
    path.write_bytes(b"an older one")
    monkeypatch.setattr("os.replace", lambda *paths: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        play("random", "chain").to_parquet(path)
    assert path.read_bytes() == b"an older one" and len([*tmp_path.iterdir()]) == 1


def test_without_pyarrow_one_is_told_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr("tradekit.tournament.results.find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"pip install 'tradekit\[parquet\]'"):
        play("random", "chain").to_parquet(tmp_path / "games.parquet")
