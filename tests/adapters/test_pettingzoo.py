"""Every game in PettingZoo, tested by PettingZoo's own checks."""

import random
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import tests.toy
from tradekit import bazar, silk, turin
from tradekit.adapters.pettingzoo import env
from tradekit.game import IllegalAction
from tradekit.record import Record

SHORT = {"toy": {}, "bazar": {"patience": 5}, "turin": {}, "silk": {"run_outs": 1, "dropped": 50}}
assert tests.toy.GAME.name in SHORT

#: warnings that the checks give for every environment whose observation holds a mask
EXPECTED = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros",  # of an agent whose game is over
)


@pytest.mark.parametrize("name", SHORT)
def test_the_api(name, capsys):
    with warnings.catch_warnings():
        for message in EXPECTED:
            warnings.filterwarnings("ignore", message)
        api_test(env(name, **SHORT[name]), num_cycles=300)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("name", SHORT)
def test_seeds(name):
    seed_test(lambda: env(name, **SHORT[name]), num_cycles=100)


def played(environment, seed):
    """Play a game to its end; return everything that each agent was given."""
    environment.reset(seed=seed)
    rng, totals = random.Random(seed), dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        seen, reward, over, cut, _info = environment.last()
        totals[agent] += reward
        assert not cut
        environment.step(None if over else rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
    assert not environment.agents
    return [*totals.values()]


@pytest.mark.parametrize("name", SHORT)
def test_rewards_are_the_share_of_the_win_or_what_the_scores_change_by(name):
    for seed in range(3):
        shared = env(name, **SHORT[name])
        totals = played(shared, seed)
        state = shared.unwrapped.record.state()
        assert sum(totals) == pytest.approx(1)
        assert {player for player, total in enumerate(totals) if total > 0} == {*state.winners()}
        scored = env(name, utility="points", **SHORT[name])
        totals = played(scored, seed)
        assert scored.unwrapped.record == shared.unwrapped.record, "the same luck and the same words"
        start = scored.unwrapped.start.scores()
        assert totals == pytest.approx([end - begin for end, begin in zip(state.scores(), start, strict=True)])


def test_masks_allow_what_is_legal_and_nothing_else():
    """The words of the mask lead to the legal actions; TU-11: bids from 0 to the player's escudos."""
    environment = env(turin.new(3, seed=7))
    environment.reset(seed=1)
    raw = environment.unwrapped
    for _step in range(60):
        if not raw.play.actors:
            break
        seen, *_rest, info = environment.last()
        legal = np.flatnonzero(seen["action_mask"]).tolist()
        assert [raw.play.words.texts[number] for number in legal] == info["words"]
        wrong = next(number for number in range(len(seen["action_mask"])) if number not in legal)
        before = raw.play
        with pytest.raises(IllegalAction, match="cannot come next"):
            environment.step(wrong)
        assert raw.play is before, "nothing has changed"
        environment.step(random.Random(_step).choice(legal))
    waiting = [agent for agent in environment.possible_agents if agent != environment.agent_selection]
    assert not environment.observe(waiting[0])["action_mask"].any()


def test_nobody_sees_a_bid_before_the_last_one_is_in():
    environment = env(turin.new(3, seed=7))
    environment.reset(seed=1)
    raw = environment.unwrapped
    waiting = {agent: environment.observe(agent)["observation"].copy() for agent in ("player_1", "player_2")}
    assert environment.agent_selection == "player_0" and raw.play.actors == (0, 1, 2)
    environment.step(int(np.flatnonzero(environment.last()[0]["action_mask"])[0]))
    assert raw.play.actors == (1, 2)
    for agent, before in waiting.items():
        assert np.array_equal(environment.observe(agent)["observation"], before)


def test_a_seed_is_one_luck_and_goes_on_being_one():
    """Resets without a seed play other games, the same ones again after the same seed."""
    environment = env("bazar", cards=(1, 4), patience=5)

    def chance():
        record = environment.unwrapped.record
        return [move for move in record.moves if move.actor == -1]

    def starts(n):
        environment.reset(seed=11)
        yield chance()
        for _game in range(n):
            environment.reset()
            yield chance()

    first, second = [*starts(3)], [*starts(3)]
    assert first == second and len({tuple(start) for start in first}) > 1


def test_infos_tell_in_text_what_can_be_done():
    environment = env(silk.new(3, seed=2))
    environment.reset(seed=0)
    info = environment.infos[environment.agent_selection]
    assert " silk players=3 " in info["view"] and info["said"] == "" and "pass" in info["words"]
    raw = environment.unwrapped
    choice = raw.play.choice(raw.play.actors[0])
    environment.step(next(n for n in choice.numbers if raw.play.words.texts[n] == "offer"))
    assert environment.infos[environment.agent_selection]["said"].startswith("offer")


def test_a_picture_is_the_text_of_the_state(capsys):
    state = bazar.new(2, cards=(1, 4), seed=7)
    shown = env(state, render_mode="ansi")
    shown.reset(seed=0)
    assert bazar.State.parse(shown.render()) == state
    printed = env(state, render_mode="human")
    printed.reset(seed=0)
    printed.step(int(np.flatnonzero(printed.last()[0]["action_mask"])[0]))
    assert capsys.readouterr().out.strip() == str(printed.unwrapped.record.state())
    printed.close()


def test_a_game_is_kept_as_a_record():
    environment = env("turin")
    played(environment, 4)
    record = environment.unwrapped.record
    assert Record.parse(str(record)) == record and not record.state().actors


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"game": "bazar", "utility": "money"}, "utility='money': must be one of 'win', 'points'"),
        ({"game": "bazar", "render_mode": "oil"}, "render_mode='oil'"),
        ({"game": "bazar", "players": 9}, "1 to 6 can play"),
        ({"game": "chess"}, "there is no game 'chess'"),
    ],
)
def test_what_cannot_be_is_refused(options, says):
    with pytest.raises(ValueError, match=says):
        env(**options)


def test_who_is_to_say_a_word_cannot_pass_over_it():
    environment = env("bazar")
    environment.reset(seed=0)
    with pytest.raises(ValueError, match=r"player_\d is to say a word"):
        environment.unwrapped.step(None)
