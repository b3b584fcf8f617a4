"""Bots: their definition, their names, and those that play any game, on games small enough to know the answer."""

import random
import re
import subprocess
import sys
import threading
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradekit import bots
from tradekit import game as games
from tradekit.bots import Bot, RandomBot, SearchBot
from tradekit.game import CHANCE, NO_ACTIONS, Action, Game, IllegalAction, Listed, State


def small_game(name, **facts):
    """Return a decorator that registers a game for two, whose state is the class."""

    def declare(state):
        state.game = Game(name=name, state=state, new=lambda players=2, seed=None: state(), players=(2,), **facts)
        return state

    return declare


@small_game("heap", chance=False)
@dataclass(frozen=True)
class Heap(State):
    """A game of taking one, two or three in turn; taking the last wins. Leave a multiple of four."""

    left: int = 9
    turn: int = 0

    @property
    def actors(self):
        return (self.turn,) if self.left else ()

    def actions(self, player):
        return Listed.of(*map(str, range(1, min(3, self.left) + 1))) if player in self.actors else NO_ACTIONS

    def after(self, action, player=None):
        if action not in self.actions(self.turn):
            raise IllegalAction(action)
        return Heap(self.left - int(action), 1 - self.turn)

    def scores(self):
        return tuple(int(not self.left and p != self.turn) for p in (0, 1))


@small_game("higher", chance=False, simultaneous=True, hidden=True)
@dataclass(frozen=True)
class Higher(State):
    """A game in which both say a number from 0 to `most` at once, unseen; the higher one wins, equal ones both win."""

    most: int = 4
    said: tuple = (-1, -1)  # -1: nothing yet, -2: hidden

    @property
    def actors(self):
        return tuple(p for p in (0, 1) if self.said[p] == -1)

    def actions(self, player):
        return Listed.of(*map(str, range(self.most + 1))) if player in self.actors else NO_ACTIONS

    def after(self, action, player=None):
        if player is None or action not in self.actions(player):
            raise IllegalAction(action)
        return replace(self, said=tuple(int(action) if p == player else n for p, n in enumerate(self.said)))

    def scores(self):
        return (0, 0) if self.actors else self.said

    def hide_from(self, player):
        return replace(self, said=tuple(n if p == player or n == -1 else -2 for p, n in enumerate(self.said)))

    def sample_hidden(self, rng, player):
        return replace(self, said=tuple(rng.randint(0, self.most) if n == -2 else n for n in self.said))


@small_game("wager")
@dataclass(frozen=True)
class Wager(State):
    """A game that player 0 wins one time in ten by "dare", nine in ten by "wait"."""

    asked: str = ""
    won: int = -1

    @property
    def actors(self):
        return () if self.won >= 0 else (CHANCE,) if self.asked else (0,)

    def actions(self, player):
        return Listed.of("dare", "wait") if player in self.actors else NO_ACTIONS

    def outcomes(self):
        good = 0.1 if self.asked == "dare" else 0.9
        return [(Action("good"), good), (Action("bad"), 1 - good)] if self.actors == (CHANCE,) else ()

    def after(self, action, player=None):
        return replace(self, won=int(action == "bad")) if self.asked else replace(self, asked=str(action))

    def scores(self):
        return tuple(int(self.won == p) for p in (0, 1))


def chosen(bot, state, seed=0, player=None):
    player = state.actors[0] if player is None else player
    return bot.choose(state.view(player), state.actions(player), random.Random(seed))


# By name


def test_bots_are_found_by_name():
    assert bots.names("bazar") == ("chain", "patient", "policy", "quick", "random", "search")
    assert {"random", "search"} <= set(bots.names("heap")) and "chain" not in bots.names("heap")
    for name in bots.names():
        bot = bots.make(name)
        assert bot.name == name and bots.make(bot) is bot
    assert bots.make("search", iterations=7).iterations == 7


def test_a_name_that_is_not_there_says_which_are():
    with pytest.raises(ValueError, match=r"no bot 'chian'; there are chain, .*policy, .*random, .*search"):
        bots.make("chian")
    with pytest.raises(ValueError, match="takes no options"):
        bots.make(RandomBot(), iterations=3)


def test_one_registers_a_bot_of_ones_own(monkeypatch):
    monkeypatch.setattr(bots, "_BOTS", dict(bots._BOTS))

    @bots.register
    class Last(Bot):
        name = "last"
        games = ("heap",)

        def choose(self, view, actions, rng):
            return list(actions)[-1]

    assert chosen(bots.make("last"), Heap()) == "3"
    assert "last" in bots.names("heap") and "last" not in bots.names("bazar")
    assert Last().evaluate(Heap().view(0), Heap().actions(0), random.Random(0)) == {} and Last().measure == ""

    class Another(RandomBot):
        pass

    for name in ("random", ""):
        Another.name = name
        with pytest.raises(ValueError, match="name of its own"):
            bots.register(Another)


DOCS = Path(__file__).parents[1] / "docs" / "bots.md"


MEASURED = [game.name for game in games.installed() if game.measured]


def tables(game):
    """The tables of the docs about a game that count games: of each row and column the percents and their interval."""
    section = DOCS.read_text("utf-8").partition(f"\n### {games.find(game).title}\n")[2].partition("\n##")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("|")]
    found, head = set(), []
    for row in rows:
        head = row if "`" in row[1] else head
        for other, cell in zip(head[1:], row[1:], strict=False):
            if figures := re.match(r"(\d+) % \(([\d.]+) to ([\d.]+)\)", cell):
                found.add((row[0].split("`")[1], other.strip("`"), *map(float, figures.groups())))
    return found


@pytest.mark.parametrize("game", MEASURED)
def test_what_was_measured_of_a_bot_is_what_the_docs_say(game):
    docs = tables(game)
    mirrored = {(other, bot, 100 - wins, 100 - high, 100 - low) for bot, other, wins, low, high in docs}
    measured = {(row.bot, row.opponent, row.wins, row.low, row.high) for row in bots.measured(game)}
    assert docs <= measured <= docs | mirrored
    assert all(row.command.startswith(("tournament.play(", "python -m ")) for row in bots.measured(game))


@pytest.mark.parametrize("game", MEASURED)
def test_a_bots_strength_is_what_was_measured_first(game):
    for bot in bots.names(game):
        row = next(row for row in bots.measured(game) if row.bot == bot)
        assert row.players == 2 and bots.strength(bot, game) == f"wins {row.wins:g} % against {row.opponent}"
    assert bots.strength(bot, "heap") == bots.strength("nobody", game) == ""


@pytest.mark.parametrize("game", MEASURED)
def test_the_opponent_plays_the_game_and_was_not_beaten(game):
    for players in (2, 3, 4):
        best, rows = bots.opponent(game, players), [row for row in bots.measured(game) if row.players == players]
        assert best in bots.names(game)
        assert {row.bot for row in rows if row.wins > 50 and row.opponent != "random"} <= {best}


@pytest.mark.parametrize("game", games.installed(), ids=lambda game: game.name)
def test_a_game_declares_its_bots_as_they_are(game):
    for info in game.bots:
        bot = bots.make(info.name, game=game)
        assert bot.name == info.name and game.name in bot.games and info.title and info.level
        assert {*info.best} <= {*game.players}
    assert {n for info in game.bots for n in info.best} == {*game.players}
    assert sum(len(info.best) for info in game.bots) == len(game.players)


def test_bots_of_different_games_may_have_the_same_name(monkeypatch):
    monkeypatch.setattr(bots, "_BOTS", {})
    made = {game: type("Greedy", (RandomBot,), {"name": "greedy", "games": (game,)}) for game in ("heap", "higher")}
    for game, kind in made.items():
        kind.__qualname__ = game
        bots.register(kind)
    assert all(type(bots.make("greedy", game=game)) is kind for game, kind in made.items())
    with pytest.raises(ValueError, match=r"Several games have a bot 'greedy'.* game='heap'"):
        bots.make("greedy")
    with pytest.raises(ValueError, match="no bot 'greedie'; there are random, search"):
        bots.make("greedie", game="wager")
    assert bots.make("planner", game="heap").name == "planner", "a bot of another game, for whoever asks for it"
    with pytest.raises(ValueError, match="name of its own"):  # the name of a bot that the game declares
        bots.register(type("Planner", (RandomBot,), {"name": "planner", "games": ("silk",)}))


def test_the_opponent_in_a_game_without_bots_is_search():
    assert bots.opponent("heap") == "search"


def test_bots_cost_no_numpy_until_asked_for():
    code = "import sys, tradekit.bots as b; b.make('random'), b.names('bazar'); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# Search


@pytest.mark.parametrize("left", [2, 3, 5, 6, 7, 9])
def test_search_finds_the_winning_action(left):
    assert chosen(SearchBot(400), Heap(left)) == str(left % 4)


def test_search_beats_random_at_a_game_it_does_not_know():
    won = 0
    for seed in range(20):
        rng, state = random.Random(seed), Heap(13, turn=seed % 2)
        while state.actors:
            bot = SearchBot(100) if state.turn == 0 else RandomBot()
            state = state.after(chosen(bot, state, rng.random()))
        won += state.winners() == (0,)
    assert won >= 19


@pytest.mark.parametrize("said", [0, 2, 4])
def test_search_plays_on_what_it_may_know(said):
    waiting = Higher().after(str(said), 1)
    assert waiting.view(0) == Higher().after("1", 1).view(0)
    assert chosen(SearchBot(300), waiting) == chosen(SearchBot(300), Higher()) == "4"


def test_search_estimates_shares_of_wins():
    state = Wager()
    shares = SearchBot(2000).evaluate(state.view(0), state.actions(0), random.Random(1))
    assert shares["wait"] == pytest.approx(0.9, abs=0.04) and 0 < shares["dare"] < 0.5  # the worse action is tried less
    found = SearchBot(50).search(state.view(0), state.actions(0), random.Random(1))
    assert sum(estimate.visits for estimate in found.values()) == 50
    assert SearchBot().measure


def test_search_repeats_itself_and_leaves_global_chance_alone():
    random.seed(5)
    before = random.getstate()
    state = Heap(11)
    assert len({chosen(SearchBot(60), state, seed=3) for _ in range(3)}) == 1
    assert random.getstate() == before


def test_a_search_can_be_stopped_and_timed():
    bot = SearchBot(10**9)
    bot.stop = threading.Event()
    timer = threading.Timer(0.1, bot.stop.set)
    timer.start()
    legal = Heap(5).actions(0)  # on a busy machine it may have little time: nothing more is promised
    assert chosen(bot, Heap(5)) in legal
    assert chosen(bot, Heap(5)) in legal  # stopped before it began
    timer.join()
    assert chosen(SearchBot(seconds=0.1), Heap(5)) in legal


@pytest.mark.parametrize("options", [{"iterations": 0}, {"seconds": 0}, {"depth": -1}, {"width": 0}])
def test_search_refuses_a_budget_of_nothing(options):
    with pytest.raises(ValueError, match=r"must be (1 or more|0 or more|more than 0)$"):
        SearchBot(**options)


@given(st.integers(1, 60), st.integers(1, 12), st.integers(0, 4), st.integers())
def test_search_takes_a_legal_action_whatever_its_limits(iterations, width, depth, seed):
    bot = SearchBot(iterations, width=width, depth=depth, rollout=SearchBot(1) if depth == 1 else "random")
    for state in (Heap(9), Higher(most=20), Higher(most=20).after("3", 0), Wager()):
        assert chosen(bot, state, seed) in state.actions(state.actors[0])


def test_standing_goes_to_the_winners_or_the_leaders():
    assert bots.standing(Heap(0, turn=0)) == (0, 1)
    assert bots.standing(Heap(3)) == (0.5, 0.5)
    assert bots.standing(Higher(said=(2, 2))) == (0.5, 0.5)
