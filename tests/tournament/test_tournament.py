"""Tournaments: who sits where, equal luck, equal seeds, and intervals against another formula."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm

from tradekit import bots, tournament
from tradekit.bazar import new
from tradekit.bots import Bot, RandomBot


class Rolls(Bot):
    """Rolls, takes the first colour and buys nothing: what chance gives it, one can see."""

    name = "rolls"
    deterministic = True

    def choose(self, view, actions, rng):
        return next((action for action in actions if action in ("roll", "done")), next(iter(actions)))


class Interrupts(RandomBot):
    """Is interrupted in its third game."""

    name = "interrupts"
    games_begun = 0

    def choose(self, view, actions, rng):
        if view.known.idle == 0 and not any(view.known.bought) and view.known.actions(view.player) == ("roll",):
            self.games_begun += 1
            if self.games_begun == 3:
                raise KeyboardInterrupt
        return actions.sample(rng)


def play(*players, games=4, seed=0, **options):
    options = {"cards": (1, 4), "patience": 2} | options
    return tournament.play("bazar", players, games, seed, progress=False, **options)


def seats(result):
    return [game.bots for game in result.played]


# Who sits where


def test_every_pairing_meets_in_every_order():
    result = play("random", Rolls(), bots.make("search", iterations=1, depth=0), games=5)
    assert Counter(seats(result)) == {
        pair: 3
        for one, other in [("random", "rolls"), ("random", "search"), ("rolls", "search")]
        for pair in [(one, other), (other, one)]
    }
    assert [game.round for game in result.played] == sorted(game.round for game in result.played)


def test_tables_of_more_seats_than_bots_fill_up():
    assert set(seats(play("random", Rolls(), players=3))) == {
        ("random", "rolls", "random"),
        ("rolls", "random", "random"),
        ("random", "random", "rolls"),
    }
    assert set(seats(play("random", Rolls(), players=1))) == {("random",), ("rolls",)}


def test_a_round_of_a_pairing_shares_its_seed_and_nothing_else_does():
    result = play("random", Rolls(), bots.make("search", iterations=1, depth=0), games=6)
    pairings = {}
    for game in result.played:
        pairings.setdefault(game.seed, []).append((game.round, frozenset(game.bots)))
    assert len(pairings) == 9 and all(len(set(games)) == 1 and len(games) == 2 for games in pairings.values())


def test_both_orders_meet_the_same_chance():
    result = tournament.play("bazar", {"a": Rolls(), "b": Rolls()}, 8, progress=False, patience=3)
    for one, other in pairwise(result.played):
        if one.seed == other.seed:
            assert (one.scores, one.decisions) == (other.scores, other.decisions)


def test_the_nth_of_a_kind_is_the_same_however_the_game_goes():
    """One game draws wares between its rolls of the die, the other rolls first."""
    drawing, rolling = new(players=2), new(players=2, seed=1).after("roll")
    one, other = tournament._Luck(5), tournament._Luck(5)
    cards = one.draw(drawing)
    assert cards.startswith("cards")
    wares = drawing.after(cards)
    rolls = []
    for _turn in range(6):
        one.draw(wares)
        rolls.append(one.draw(rolling))
    assert rolls == [other.draw(rolling) for _turn in range(6)] and len(set(rolls)) > 1


# Results


def test_equal_seeds_give_equal_games():
    one, again, other = (play("random", "chain", seed=seed) for seed in (1, 1, 2))
    assert one.games.equals(again.games) and one.played == again.played
    assert not one.games.equals(other.games)


def test_a_row_is_a_game():
    result = play("random", "chain", games=6)
    games = result.games
    assert " ".join(games) == "round seed bot_0 score_0 share_0 bot_1 score_1 share_1 decisions finished"
    assert len(games) == 6 and games["finished"].all() and (games["decisions"] > 0).all()
    np.testing.assert_allclose(games["share_0"] + games["share_1"], 1)


def test_tables_add_up():
    result = play("random", "chain", Rolls(), games=6)
    summary, pairs, games = result.summary, result.pairwise, result.games
    assert summary["games"].to_dict() == {"random": 12, "chain": 12, "rolls": 12}
    assert summary["wins"].is_monotonic_decreasing
    assert (summary["games"] * summary["wins"]).sum() == pytest.approx(len(games))
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


@given(st.integers(1, 3000), st.floats(0, 1))
def test_intervals_are_where_the_mean_is_just_plausible(n, mean):
    """Wilson's ends are the shares from which `mean` is 1.96 standard deviations away, found as roots."""
    low, high = tournament.interval(mean, n)
    z = norm.ppf(0.975)

    def away(share):
        return (mean - share) ** 2 - z * z * share * (1 - share) / n

    assert 0 <= low <= mean + 1e-12 and mean - 1e-12 <= high <= 1
    if 1e-9 < mean < 1 - 1e-9:
        assert low == pytest.approx(brentq(away, 0, mean, xtol=1e-14), abs=1e-7)
        assert high == pytest.approx(brentq(away, mean, 1, xtol=1e-14), abs=1e-7)


def test_no_games_say_nothing():
    assert tournament.interval(0.0, 0) == (0, 1)


def test_intervals_cover_what_they_should():
    rng = np.random.default_rng(0)
    wins = rng.binomial(80, 0.7, 2000)
    covered = [low <= 0.7 <= high for low, high in (tournament.interval(k / 80, 80) for k in wins)]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.02)


# On the way


def test_an_interrupt_keeps_what_was_played():
    result = play(Interrupts(), Rolls(), games=10, players=2)
    assert not result.complete and 0 < len(result.played) < 10
    assert result.summary["games"].sum() == 2 * len(result.played)
    stopped = tournament.Result(("random", "rolls"), [], complete=False)
    assert stopped.summary["games"].tolist() == [0, 0] and stopped.pairwise.empty and stopped.games.empty


def test_games_without_end_are_broken_off():
    result = play("random", Rolls(), games=2, limit=9, patience=0)
    assert [game.decisions for game in result.played] == [9, 9]
    assert not result.games["finished"].any() and result.summary["wins"].sum() == 1


def test_a_tournament_may_begin_anywhere():
    start = new(players=2, seed=4, patience=2)
    assert len(tournament.play(start, ["random", "chain"], 2, progress=False).played) == 2
    with pytest.raises(ValueError, match="a state says itself"):
        tournament.play(start, ["random", "chain"], 2, players=3)


def test_progress_is_shown(capsys):
    tournament.play("bazar", ["random", "chain"], 2, patience=1)
    assert "2/2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("bots_", "options", "message"),
    [
        (["random", RandomBot()], {}, "give a dict"),
        ([], {}, "needs bots"),
        (["random", "chess"], {}, "there is no bot 'chess'"),
        (["random"], {"games": 0}, "1 or more"),
        (["random"], {"game": "chess"}, "there is no game 'chess'"),
    ],
)
def test_what_cannot_be_is_said(bots_, options, message):
    with pytest.raises(ValueError, match=message):
        tournament.play(**{"game": "bazar", "bots": bots_, "games": 1, "progress": False} | options)


def test_bots_of_another_game_are_refused():
    class Elsewhere(RandomBot):
        name, games = "elsewhere", ("chess",)

    with pytest.raises(ValueError, match="'elsewhere' does not play bazar"):
        play(Elsewhere(), "random")
