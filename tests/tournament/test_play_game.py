"""A game of a tournament: equal luck, equal seeds, every game from its seating alone, for any game of the contract."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.players import Interrupts, Rolls, play
from tests.toy import GAME, Toy
from tradekit import tournament
from tradekit.bazar import new
from tradekit.bots import RandomBot, make
from tradekit.tournament.play_game import Job, Luck, play_batch
from tradekit.tournament.schedule import schedule


def test_both_orders_meet_the_same_chance():
    result = tournament.play("bazar", {"a": Rolls(), "b": Rolls()}, 8, progress=False, patience=3)
    pairs = [(one, other) for one, other in pairwise(result.played) if one.seed == other.seed]
    assert len(pairs) == 4
    for one, other in pairs:
        assert (one.scores, one.decisions) == (other.scores, other.decisions)


def test_the_nth_of_a_kind_is_the_same_however_the_game_goes():
    """One game draws wares between its rolls of the die, the other rolls first."""
    drawing, rolling = new(players=2), new(players=2, seed=1).after("roll")
    one, other = Luck(5), Luck(5)
    cards = one.draw(drawing)
    assert cards.startswith("cards")
    wares = drawing.after(cards)
    rolls = []
    for _turn in range(6):
        one.draw(wares)
        rolls.append(one.draw(rolling))
    assert rolls == [other.draw(rolling) for _turn in range(6)] and len(set(rolls)) > 1


def test_equal_seeds_give_equal_games():
    one, again, other = (play("random", "chain", seed=seed) for seed in (1, 1, 2))
    assert one.games.equals(again.games) and one.played == again.played
    assert not one.games.equals(other.games)


@settings(max_examples=10)
@given(st.randoms(use_true_random=False))
def test_a_game_does_not_depend_on_those_before_it(rng):
    """So it does not matter which process plays which."""
    seatings = [*schedule(["random", "chain"], 2, 8, 3)]
    job = Job(new(cards=(1, 4), patience=2), {name: make(name) for name in ("random", "chain")}, 20_000, False)
    in_order = play_batch(job.packed(), seatings)
    shuffled = rng.sample(seatings, len(seatings))
    assert sorted(play_batch(job.packed(), shuffled), key=lambda game: seatings.index(game.seating)) == in_order


def test_games_without_end_are_broken_off():
    result = play("random", Rolls(), games=2, limit=9, patience=0)
    assert [game.decisions for game in result.played] == [9, 9]
    assert not result.games["finished"].any() and result.summary["wins"].sum() == 1


def test_a_tournament_may_begin_anywhere():
    start = new(players=2, seed=4, patience=2)
    assert len(tournament.play(start, ["random", "chain"], 2, progress=False).played) == 2
    with pytest.raises(ValueError, match="a state says itself"):
        tournament.play(start, ["random", "chain"], 2, players=3)


@pytest.mark.parametrize("game", ["toy", GAME, Toy()])
def test_a_game_of_one_s_own_needs_nothing_but_the_contract(game):
    result = tournament.play(game, ["random", "search"], 6, progress=False)
    assert len(result.played) == 6 and result.games["finished"].all()
    assert all(game.decisions == 2 for game in result.played)


def test_an_interrupt_keeps_what_was_played():
    result = play(Interrupts(3), Rolls(), games=10)
    assert not result.complete and 0 < len(result.played) < 10
    assert result.stopped == f"interrupted: {len(result.played)} of 10 games are played"
    assert result.stopped in result._repr_html_()
    assert result.summary["games"].sum() == 2 * len(result.played)
    assert play(Rolls(), "random").stopped == ""


def test_progress_counts_games(capsys):
    play("random", "chain", games=2, progress=True)
    assert "2/2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("bots_", "options", "message"),
    [
        (["random", RandomBot()], {}, "give a dict"),
        ([], {}, "needs bots"),
        (["random", "chess"], {}, "there is no bot 'chess'"),
        (["random"], {"games": 0}, "games=0: must be 1 or more"),
        (["random"], {"limit": 0}, "limit=0: must be 1 or more"),
        (["random"], {"game": "chess"}, "there is no game 'chess'"),
        (["random"], {"card": (1, 4)}, "There is no option 'card'"),
        (["random"], {"deck": "mine"}, "deck='mine': must be an object such as Deck.house"),
        (["random"], {"executor": 2}, r"executor=2: a concurrent.futures.Executor is needed"),
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


def test_a_bot_s_own_chance_is_not_the_seat_s():
    """Two bots that draw alike get two hands: otherwise a table of equal bots would repeat one game."""
    drawn = {}

    class Draws(RandomBot):
        def __init__(self, name):
            self.label = name

        def choose(self, view, actions, rng):
            drawn.setdefault(self.label, rng.random())
            return actions.sample(random.Random(0))

    tournament.play("bazar", {name: Draws(name) for name in "ab"}, 2, progress=False, cards=(1, 4), patience=2)
    assert drawn["a"] != drawn["b"]
