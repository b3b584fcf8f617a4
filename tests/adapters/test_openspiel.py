"""Every game in OpenSpiel, tested by OpenSpiel's own checks."""

import pickle
import random
import subprocess
import sys
from functools import partial
from urllib.parse import quote

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts
from open_spiel.python.tests import games_sim_test

from tests import toy
from tradekit import bazar, game, silk, tournament, turin
from tradekit.adapters import openspiel
from tradekit.adapters.features import LENGTH
from tradekit.adapters.pettingzoo import env
from tradekit.game import ParseError
from tradekit.record import Record

openspiel.register(toy.GAME)

#: the games, with options under which they are short
BAZAR = "python_tradekit_bazar(players=2,options=patience:5)"
TURIN = "python_tradekit_turin(players=3)"
SILK = "python_tradekit_silk(players=3,options=run_outs:1;dropped:50)"
TOY = "python_tradekit_toy()"
ALL = (TOY, BAZAR, TURIN, SILK)
SIMULTANEOUS = (TOY, TURIN, SILK)


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_random_simulations(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=20, serialize=True, verbose=False)


@pytest.mark.long
@pytest.mark.parametrize("name", SIMULTANEOUS)
def test_random_simulations_as_turn_based(name):
    game = pyspiel.convert_to_turn_based(pyspiel.load_game(name))
    pyspiel.random_sim_test(game, num_sims=20, serialize=True, verbose=False)


@pytest.mark.parametrize(
    "name",
    [
        *ALL,
        "python_tradekit_bazar(players=1)",
        "python_tradekit_bazar(players=6,options=patience:3;double:yes)",
        "python_tradekit_turin(players=5,options=goose:underdog;selling:several,utility=points)",
        "python_tradekit_silk(players=2,options=run_outs:1;dropped:50,utility=points)",
    ],
)
def test_simulations_of_the_games_test(name):
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(name))


@pytest.mark.parametrize("name", SIMULTANEOUS)
def test_simulations_of_the_games_test_as_turn_based(name):
    games_sim_test.GamesSimTest().sim_game(pyspiel.convert_to_turn_based(pyspiel.load_game(name)))


class _PartOfTheTree(api_test.EnforceAPIOnPartialTreeBase):
    """OpenSpiel's laws, in 400 states; its own tests are run for each game."""

    __test__ = False

    @classmethod
    def setUpClass(cls):
        cls.game = pyspiel.load_game(cls.game_name)
        super().setUpClass()


class TestToyTree(_PartOfTheTree):
    __test__, game_name = True, TOY


class TestBazarTree(_PartOfTheTree):
    __test__, game_name = True, BAZAR


class TestTurinTree(_PartOfTheTree):
    __test__, game_name = True, TURIN


class TestSilkTree(_PartOfTheTree):
    __test__, game_name = True, SILK


def test_perfect_recall_in_the_whole_tree():
    """OpenSpiel's own law; each player of the toy decides once, knowing one of three numbers."""
    game = pyspiel.convert_to_turn_based(pyspiel.load_game(TOY))
    assert len(api_test._assert_is_perfect_recall(game)) == 6


@pytest.mark.parametrize("name", ALL)
def test_a_playthrough_is_played_again_to_the_letter(name, tmp_path):
    flags.FLAGS.mark_as_parsed()
    text = generate_playthrough.playthrough(name, None, seed=3)
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    original, again = generate_playthrough.replay(str(path))
    assert original == again and "IsTerminal() = True" in text


# The games' properties


def test_types_are_as_the_games_declare():
    kind = pyspiel.GameType
    for name, simultaneous, hidden in ((BAZAR, False, False), (TURIN, True, True), (SILK, True, True)):
        declared = pyspiel.load_game(name).get_type()
        assert (declared.dynamics == kind.Dynamics.SIMULTANEOUS) is simultaneous
        assert (declared.information == kind.Information.IMPERFECT_INFORMATION) is hidden
        assert declared.chance_mode == kind.ChanceMode.EXPLICIT_STOCHASTIC
        assert declared.utility == kind.Utility.ZERO_SUM


def test_utility_is_the_share_of_the_win_or_the_points():
    ended = toy.Toy((1, 3), (0, 1), 1)
    win, points = (openspiel.load(ended, utility=utility) for utility in ("win", "points"))
    assert win.new_initial_state().returns() == [-0.5, 0.5] and win.utility_sum() == 0
    assert points.new_initial_state().returns() == [0, 3] and points.utility_sum() is None
    assert (points.min_utility(), points.max_utility()) == (-1, 6), "the bounds that the toy declares"
    assert openspiel.load("turin", utility="points").min_utility() == -np.inf, "none is declared"
    alone = openspiel.load("bazar", players=1)
    assert alone.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM


def test_a_game_begins_where_it_is_told_to():
    state = silk.new(4, seed=3, bonus=((7, 2), (14, 5), (21, 9)))
    game = openspiel.load(state)
    assert game.new_initial_state().play.state == state
    assert pyspiel.load_game(str(game)).new_initial_state().play.state == state, "its name says all of it"
    double = pyspiel.load_game("python_tradekit_bazar(players=4,options=cards:1 4;double:yes)")
    assert double.new_initial_state().play.state == bazar.new(4, cards=(1, 4), double=True)
    assert openspiel.load("turin", players=4).num_players() == 4


@pytest.mark.parametrize(
    ("parameters", "error", "says"),
    [
        ({"options": "double"}, ParseError, "'double': write an option as name:value"),
        ({"options": "over_ten:never"}, ValueError, "over_ten='never': must be one of 'buy', 'penalty'"),
        ({"players": 9}, ValueError, "1 to 6 can play"),
        ({"utility": "money"}, ValueError, "utility='money': must be one of 'win', 'points'"),
        ({"start": quote("turin players=3")}, ParseError, "a state of bazar begins with 'bazar'"),
    ],
)
def test_parameters_that_cannot_be_are_refused(parameters, error, says):
    with pytest.raises(error, match=says):
        pyspiel.load_game("python_tradekit_bazar", parameters)


@pytest.mark.parametrize("name", ["bazar", "bazar-alone", "turin", "silk", "toy"])
def test_every_game_is_loaded_by_its_name(name):
    assert openspiel.load(name).new_initial_state().play.state.game.name == name


POINTS = [[5, 3, 2, 1], [8, 5, 3, 2], [12, 8, 5, 4]]


@pytest.mark.parametrize(
    ("name", "options", "start"),
    [
        ("bazar", "exchange:R%3DWW W%3DBG", bazar.new(2, exchange="R=WW W=BG")),
        ("bazar", "cards:1 4;points:5 3 2 1/8 5 3 2/12 8 5 4", bazar.new(2, (1, 4), points=POINTS)),
        ("bazar", "double:yes;max_left:0", bazar.new(2, double=True, max_left=0)),
        ("silk", "bonus:7 1/14 3;zeros:stay", silk.new(2, bonus=[(7, 1), (14, 3)], zeros="stay")),
        ("turin", "games:3;goose:tie", turin.new(2, games=3, goose="tie")),
    ],
)
def test_BZ_15_SI_21_TU_40_options_are_read_as_records_write_them_but_for_commas(name, options, start):
    game = pyspiel.load_game(f"python_tradekit_{name}(players=2,options={options})")
    assert game.new_initial_state().play.state == start
    assert pickle.loads(pickle.dumps(game)).new_initial_state().play.state == start


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("foo:1", "bazar has no option 'foo'; there are cards, exchange, "),
        ("players:3", "bazar has no option 'players'; "),
        ("patience:x", "patience=x: cannot read this option; write a whole number"),
        ("cards", "'cards': write an option as name:value"),
        ("cards:;double:yes", "'cards:': write an option as name:value"),
    ],
)
def test_options_of_openspiel_s_own_syntax_are_refused_in_words(options, says):
    with pytest.raises(ValueError) as error:
        pyspiel.load_game(f"python_tradekit_bazar(options={options})")
    assert str(error.value).startswith(says)


def test_options_that_do_not_exist_are_refused():
    for ask in (openspiel.load, env, partial(tournament.play, bots=["random"], games=1)):
        with pytest.raises(ValueError, match=r"There is no option 'dice'"):
            ask("bazar", dice=2)


def test_observations_have_no_parameters():
    with pytest.raises(ValueError, match="observations have no parameters here"):
        pyspiel.load_game(BAZAR).make_py_observer(None, {"deep": True})


def test_what_a_word_does_is_told_in_full_where_it_decides():
    state = openspiel.load(turin.new(3, seed=7)).new_initial_state()
    assert state.is_simultaneous_node()
    texts = [state.action_to_string(1, action) for action in state.legal_actions(1)]
    assert texts == [*state.play.state.actions(1)]
    assert state.action_to_string(1, 0) == ".", "a word that cannot come next is only named"


def test_at_a_simultaneous_moment_all_say_their_next_word_and_who_has_more_to_say_goes_on():
    """TU-11: p1 bids with a loan, which takes a word more than the bids of the others."""
    state = openspiel.load(turin.new(3, seed=7)).new_initial_state()
    while state.play.state.step.name != "BID":
        if state.is_simultaneous_node():
            state.apply_actions([state.legal_actions(player)[0] for player in range(3)])
        else:
            state.apply_action(state.legal_actions()[0])

    def word(player, text):
        return next(a for a in state.legal_actions(player) if state.action_to_string(player, a).startswith(text))

    state.apply_actions([word(0, "bid 2 "), word(1, "bid 3 "), word(2, "bid 4 ")])
    assert state.is_simultaneous_node() and "p1 bid 3 …" in str(state)
    state.apply_actions([word(0, "bid 2"), word(1, "bid 3 loan"), word(2, "bid 4")])
    assert [str(move) for move in state.record.moves[-3:]] == ["p0 bid 2", "p1 bid 3 loan", "p2 bid 4"]


def test_who_has_said_all_waits_while_one_goes_on():
    """SI-25: all choose at once, card by card, what the hordes take."""
    text = str(silk.new(3, seed=1, first_hand=7)).replace("step=turn", "step=hordes")
    state = openspiel.load(silk.State.parse(f"{text} commits=?;?;?")).new_initial_state()
    rng, moments = random.Random(0), []
    while len(state.record.moves) < 3:
        moments.append(state.current_player())
        if state.is_simultaneous_node():
            who = state.play.actors
            state.apply_actions([rng.choice(state.legal_actions(p)) if p in who else 0 for p in range(3)])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    assert moments[0] == pyspiel.PlayerId.SIMULTANEOUS and moments[-1] >= 0
    assert sorted(move.actor for move in state.record.moves) == [0, 1, 2]


# Search in information sets


SEARCHED = {
    "toy": {},
    "turin": {"players": 3},
    "silk": {"players": 3, "run_outs": 1, "dropped": 50},
    "bazar": {"players": 2, "patience": 5},
    "bazar-alone": {},
}


def test_every_game_is_searched():
    assert {*SEARCHED} == {*game.names()} - {"sealed", "countdown", "number"}


def moments(name, seed, most=25):
    """Return states of a random play in which a player has a choice."""
    state = openspiel.load(name, turns=True, **SEARCHED[name]).new_initial_state()
    luck = random.Random(seed)
    for _word in range(200):
        if state.is_terminal() or most == 0:
            return
        if not state.is_chance_node() and len(state.legal_actions()) > 1:
            most -= 1
            yield state
        outcomes = state.chance_outcomes() if state.is_chance_node() else [(a, 1) for a in state.legal_actions()]
        state.apply_action(luck.choices(*zip(*outcomes, strict=True))[0])


@pytest.mark.parametrize("name", SEARCHED)
def test_a_resampled_state_has_the_same_past_to_its_player_and_tells_nothing_else(name):
    different = 0
    for seed in range(2):
        for state in moments(name, seed):
            for player in range(state.num_players()):
                sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
                other = state.resample_from_infostate(player, sampler)
                assert other.information_state_string(player) == state.information_state_string(player)
                assert other.observation_string(player) == state.observation_string(player)
                assert other.current_player() == state.current_player() and not other.history()
                if player == state.current_player():
                    assert other.legal_actions() == state.legal_actions()
                different += other.play.state != state.play.state
                same = [state.resample_from_infostate(player, lambda: 0.25).play.state for _twice in range(2)]
                assert same[0] == same[1], "the sampler is its only chance"
    assert bool(different) == state.play.state.game.hidden


@pytest.mark.parametrize("name", SEARCHED)
def test_openspiel_s_search_plays_every_game(name):
    """ISMCTS where anything is hidden or simultaneous; OpenSpiel requires MCTS where all is known."""
    rng = np.random.RandomState(1)
    for place, state in enumerate(moments(name, 3)):
        if place % 6:
            continue
        if name in ("bazar", "bazar-alone"):
            evaluator = mcts.RandomRolloutEvaluator(1, rng)
            action = mcts.MCTSBot(state.get_game(), 1.4, 3, evaluator, random_state=rng).step(state)
        else:
            evaluator = mcts.RandomRolloutEvaluator(1, rng)
            bot = ismcts.ISMCTSBot(state.get_game(), evaluator, 1.4, 6, random_state=rng)
            action = bot.step(state)
        assert action in state.legal_actions()


@pytest.mark.parametrize("name", ["toy", "turin", "silk"])
def test_in_turns_no_node_is_simultaneous_and_openspiel_s_checks_hold(name):
    game = openspiel.load(name, turns=True, **SEARCHED[name])
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    assert pyspiel.load_game(str(game)).get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL


# Copies


def test_a_state_is_its_record():
    state = pyspiel.load_game(SILK).new_initial_state()
    rng = random.Random(5)
    for _word in range(80):
        legal = state.legal_actions()
        state.apply_action(rng.choice(legal))
        if state.is_simultaneous_node():
            break
    again = pickle.loads(pickle.dumps(state))
    assert again.record == state.record == Record.parse(str(state.record))
    assert again.history() == state.history() and again.legal_actions() == state.legal_actions()
    copy = state.clone()
    assert copy.play is state.play, "a copy shares what cannot change"


def test_observation_arrays_have_the_declared_length_and_differ_where_views_do():
    game = pyspiel.load_game(TURIN)
    assert game.observation_tensor_size() == LENGTH
    state = openspiel.load(turin.new(3, seed=7)).new_initial_state()
    arrays = [state.observation_tensor(player) for player in range(3)]
    assert {*arrays[0]} == {0, 1} and len({tuple(array) for array in arrays}) == 3


def test_a_second_process_ends_without_complaint():
    """OpenSpiel's registry is destroyed after the interpreter: nothing of ours may be destroyed with it."""
    code = (
        "from tradekit.adapters import openspiel; print(openspiel.load('turin').new_initial_state().chance_outcomes())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr and done.stdout.startswith("[(")
