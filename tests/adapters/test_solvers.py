"""OpenSpiel's solvers play our games, and agree with ours."""

import math
import random
import re

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import expected_game_score, exploitability, mcts

from tests.adapters import sealed
from tradekit import bazar, testing
from tradekit.adapters import openspiel
from tradekit.auctions.rank_games import PrivateValues
from tradekit.auctions.whole_bids import solve
from tradekit.bots import make
from tradekit.game import CHANCE, draw, read

openspiel.register(sealed.GAME)

#: Turin's half payment (TU-12), with values whose equilibrium payoffs are the same from every seed
HALF = sealed.new(least=4, most=5)
VALUES = range(HALF.least, HALF.most + 1)


def auction(start):
    """Return the auction as a game by turns, for points."""
    return pyspiel.convert_to_turn_based(openspiel.load(start, utility="points"))


@pytest.fixture(scope="module")
def half():
    return auction(HALF)


def bid_of(state, action):
    return int(re.fullmatch(r"bid (\d+)", state.action_to_string(state.current_player(), action))[1])


def value_of(state):
    """Return the player's value, read from the information state."""
    player = state.current_player()
    *_earlier, values = re.findall(r"values=\[(-?\d+),(-?\d+)\]", state.information_state_string(player))
    return int(values[player])


def tabular(game, strategy):
    """Return a strategy of ours, by value and bid, as a policy of OpenSpiel for both players."""
    policy = policies.TabularPolicy(game)
    for state in policy.states:
        row = policy.policy_for_key(state.information_state_string())
        row[:] = 0
        for action in state.legal_actions():
            row[action] = strategy[VALUES.index(value_of(state)), bid_of(state, action)]
    return policy


def strategies(game, policy):
    """Return a policy of OpenSpiel as a strategy by value and bid for each player."""
    found = np.zeros((2, len(VALUES), HALF.most + 1))
    for state in policies.TabularPolicy(game).states:
        for action, chance in policy.action_probabilities(state).items():
            found[state.current_player(), VALUES.index(value_of(state)), bid_of(state, action)] = chance
    return found


def test_the_auction_keeps_the_laws():
    testing.check_game(sealed.GAME, plays=30)
    testing.check_game(sealed.GAME, plays=10, players=3)


def test_our_equilibrium_is_one_in_openspiel_and_as_exploitable(half):
    """Whole bids: what `Format.solve` found, as a policy of OpenSpiel."""
    solution = solve(HALF.format, VALUES, HALF.most)
    policy = tabular(half, solution.strategy)
    assert exploitability.nash_conv(half, policy) / 2 == pytest.approx(solution.exploitability, abs=1e-9)
    assert solution.exploitability < 1e-3
    payoff = float(solution.game.weights @ solution.payoffs)
    scores = expected_game_score.policy_value(half.new_initial_state(), [policy, policy])
    assert scores == pytest.approx([payoff, payoff], abs=1e-9)


def test_cfr_finds_an_equilibrium_of_turins_auction_that_ours_agrees_with(half):
    solver = pyspiel.CFRPlusSolver(half)
    for _iteration in range(30):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    conv = pyspiel.nash_conv(half, average, True)
    assert conv < 0.02, "escudos, of both players together"
    # our own figure for the exploitability of these strategies
    game = PrivateValues.of(HALF.format, VALUES, HALF.most)
    one, two = strategies(half, average)
    gains = []
    for mine, other in ((one, two), (two, one)):
        payoffs = game.payoffs(other)
        gains.append(game.weights @ (payoffs.max(axis=1) - (mine * payoffs).sum(axis=1)))
    assert sum(gains) == pytest.approx(conv, abs=1e-9)
    # and the same payoffs by value, and mostly the same bids, as our equilibrium
    solution = solve(HALF.format, VALUES, HALF.most)
    for mine, other in ((one, two), (two, one)):
        assert (mine * game.payoffs(other)).sum(axis=1) == pytest.approx(solution.payoffs, abs=0.05)
        assert np.abs(mine - solution.strategy).sum(axis=1).max() < 0.2


def test_first_price_is_openspiels_own_auction():
    """In both a value bids less than itself at most: the same payoffs of the same play, the same best responses."""
    start = sealed.new(least=1, most=3, percent=0, reserve=0, capped=1)
    ours, theirs = auction(start), pyspiel.load_game("first_sealed_auction(players=2,max_value=3)")
    for seed in range(3):
        rng = np.random.default_rng(seed)
        weights = rng.random((3, 3))

        def made(game, bid, value, weights=weights):
            policy = policies.TabularPolicy(game)
            for state in policy.states:
                row = policy.policy_for_key(state.information_state_string())
                row[:] = 0
                for action in state.legal_actions():
                    row[action] = weights[value(state) - 1, bid(state, action)]
                row /= row.sum()
            return policy

        mine = made(ours, bid_of, value_of)
        other = made(theirs, lambda _state, action: action, lambda state: state.legal_actions()[-1] + 1)
        assert exploitability.nash_conv(ours, mine) == pytest.approx(exploitability.nash_conv(theirs, other), abs=1e-9)
        values = [
            expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
            for game, policy in ((ours, mine), (theirs, other))
        ]
        assert values[0] == pytest.approx(values[1], abs=1e-9)


#: the last auction of a game: both have had their loan, and have 4 and 9 escudos
LAST_AUCTION = (
    "turin players=2 deck=house step=bid auction=4 reserve=[4,9] loans=[1,1] hands=18,7 centre=9.10"
    " won=2.6.8.13,3.4.5.15 rest=1.11.12.14.16.17 sale=[[5,1,6]]"
    " commits=[-1,-1] tokens=[0,0,-1,-1,0,-1,-1,0,0] bank=-19"
)


def test_cfr_reaches_low_exploitability_in_the_last_auction_of_turin_market():
    game = pyspiel.convert_to_turn_based(openspiel.load(read(LAST_AUCTION)))
    solver = pyspiel.CFRPlusSolver(game)
    start = pyspiel.nash_conv(game, solver.average_policy(), True)
    for _iteration in range(60):
        solver.evaluate_and_update_policy()
    assert pyspiel.nash_conv(game, solver.average_policy(), True) < min(0.02, start)


def searcher(game, seed, plays):
    rng = np.random.RandomState(seed)
    return mcts.MCTSBot(game, 2, plays, mcts.RandomRolloutEvaluator(1, rng), solve=True, random_state=rng)


def winning():
    """Return positions of Bazar in which a purchase wins at once and `done` does not."""
    for seed in range(100):
        for state in play_to_end(seed):
            if state.step.name != "BUY":
                continue
            (player,) = state.actors
            ends = {action: state.after(action) for action in state.actions(player)}
            wins = [action for action, end in ends.items() if end.winners() == (player,)]
            if wins and len(wins) == len(ends) - 1:
                yield state, player


def play_to_end(seed):
    rng, bot = random.Random(seed), make("chain")
    state = bazar.new(2, cards=(1, 4), seed=seed)
    while state.actors:
        yield state
        actor = state.actors[0]
        if actor == CHANCE:
            state = state.after(draw(state.outcomes(), rng))
        else:
            state = state.after(bot.choose(state.view(actor), state.actions(actor), rng), actor)


def test_mcts_finds_the_purchase_that_wins():
    """BZ-17, BZ-18: with p0 ahead and two of the stalls to be emptied, one more purchase ends the game."""
    state, _seat = next(winning())
    here = openspiel.load(state).new_initial_state()
    action = searcher(here.get_game(), 1, 60).step(here)
    assert here.action_to_string(state.actors[0], action).startswith("buy")


def test_mcts_plays_a_game_of_bazar_to_its_end():
    game = openspiel.load(bazar.new(2, cards=(1, 4), seed=5, patience=2))
    state, bots = game.new_initial_state(), [searcher(game, seed, 4) for seed in (0, 1)]
    rng = random.Random(2)
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, chances)[0])
        else:
            action = bots[state.current_player()].step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
    assert math.isclose(sum(state.returns()), 0) and not state.record.state().actors
