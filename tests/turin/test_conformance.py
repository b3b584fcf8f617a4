"""The laws of every game, for every option and number of players, and the secrets."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tradekit import testing, turin
from tradekit.game import play_on
from tradekit.turin import State
from tradekit.turin.draft import NOT_ASKED, OPEN
from tradekit.turin.parameters import ALL, SIMULTANEOUS, START, Step, bits, numbers
from tradekit.turin.rules import GAME

OPTIONS = {
    "the defaults": {},
    "new payouts, another order": {
        "payouts": "new",
        "order": "maize,rice,butter,chocolate,walnuts,anchovies,grapes,honey,truffles",
    },
    "secret money, several on sale": {"money": "secret", "selling": "several"},
    "goose in ties": {"goose": "tie"},
    "goose of the underdog": {"goose": "underdog", "selling": "several"},
    "a match, the goose stays": {"games": 2, "goose": "tie", "goose_stays": True},
}


def poor(players=3, *, seed=None, **options):
    """Return a game in which all have three escudos and no loan to take: most bids are tied, and prices are low."""
    state = turin.new(players, seed=seed, **options)
    return state._with(reserve=(3,) * players, loans=(1,) * players, bank=-3 * players)


POOR = replace(GAME, new=poor)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_turin_keeps_the_laws_of_every_game(players, options):
    for game in (GAME, POOR):
        assert testing.check_game(game, plays=2, dear=1 / 40, players=players, **options).plays == 2


def test_many_games_keep_the_cheap_laws():
    assert testing.check_game(POOR, plays=40, dear=0.0005, players=3, goose="tie").plays == 40


def test_poor_games_come_to_every_step():
    """So the laws above are checked where claims are contested, coins tossed and the goose is used."""
    steps = Counter()
    for seed in range(10):
        for players in (2, 3, 4, 5):
            start = poor(players, seed=seed, games=2, goose="tie", selling="several")
            steps.update(state.step for state in play_on(start, random.Random(seed)))
    assert set(steps) == set(Step) and min(steps.values()) >= 5


# Conserved quantities and secrets


@st.composite
def games(draw):
    """Draw (a start, a seed): a random game."""
    players, seed = draw(st.integers(2, 5)), draw(st.integers(0, 10_000))
    new, options = draw(st.sampled_from([turin.new, poor])), draw(st.sampled_from([*OPTIONS.values()]))
    return new(players, seed=seed, **options), seed


@settings(max_examples=30)
@given(games())
def test_TU_2_every_escudo_and_every_card_is_somewhere(game):
    start, seed = game
    for state in play_on(start, random.Random(seed)):
        coins = sum(price for _card, _owner, price in state.sale)
        assert sum(state.reserve) + coins + state.bank == 0, "what players have, the bank has paid"
        piles = [*state.hands, *state.won, state.centre, state.gone, state.rest]
        assert sum(piles) == ALL and sum(map(int.bit_count, piles)) == 18, "each card in one place"
        for card, owner, _price in state.sale:
            assert card in numbers(state.won[owner]), "TU-23: a card on sale is its owner's"
        if state.step not in (Step.PAID, Step.OVER):
            assert min(state.reserve) >= 0, "TU-35: only the end is below zero"


@settings(max_examples=30)
@given(games())
def test_TU_5_TU_10_TU_11_a_view_does_not_show_hands_or_what_others_have_chosen(game):
    start, seed = game
    rng = random.Random(seed)
    states = [*play_on(start, rng)]
    for state in rng.sample(states, min(8, len(states))):
        for player in range(state.players):
            known = State.parse(str(state.view(player).known))  # read back from the view's text
            assert known.hands[player] == state.hands[player]
            assert known.reserve == state.reserve and known.won == state.won and known.sale == state.sale
            for other in {*range(state.players)} - {player}:
                assert known.hands[other] == -state.hands[other].bit_count()
                if state.step in SIMULTANEOUS:
                    before = 0 if state.step in (Step.BID, Step.ADD) and not can_name_one(state, other) else OPEN
                    assert known.commits[other] in (before, NOT_ASKED)


def can_name_one(state, player):
    """Return whether the player has an escudo to name, or could borrow it: otherwise there is nothing to choose."""
    return state.reserve[player] > (state.bids[player] if state.bids else 0) or not state.loans[player]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_states_that_differ_only_in_what_is_hidden_have_equal_views(players):
    """The others' hands and the unseen cards are dealt again, and others who have chosen choose something else."""
    rng = random.Random(players)
    differ = Counter()
    for seed in range(6):
        new, options = rng.choice([turin.new, poor]), rng.choice([*OPTIONS.values()])
        states = [*play_on(new(players, seed=seed, **options), rng)]
        for state in rng.sample(states, min(20, len(states))):
            for player in range(players):
                other = hidden_otherwise(state, player, rng)
                differ["hands"] += other.hands != state.hands
                differ["choices"] += other.commits != state.commits
                assert other.view(player) == state.view(player)
                assert str(other.view(player)) == str(state.view(player))
                assert [*other.actions(player)] == [*state.actions(player)]
    assert differ["hands"] > 50 and differ["choices"] > 5, "else nothing is tested"


def hidden_otherwise(state, player, rng):
    """Return a state that the player cannot tell from this one."""
    unseen = [*numbers(state.rest | sum(hand for p, hand in enumerate(state.hands) if p != player))]
    rng.shuffle(unseen)
    hands = list(state.hands)
    for other, hand in enumerate(state.hands):
        if other != player:
            hands[other] = bits(unseen.pop() for _card in range(hand.bit_count()))
    commits = list(state.commits)
    if state.step in SIMULTANEOUS:
        for other in range(len(commits)):
            if other != player and other not in state.actors and commits[other] != NOT_ASKED:
                commits[other] = chosen_otherwise(state, other, hands[other], commits[other], rng)
    return state._with(hands=tuple(hands), rest=bits(unseen), commits=tuple(commits))


def chosen_otherwise(state, player, hand, commit, rng):
    """Return another choice that a player may have made: twice the number, and 1 more with a loan."""
    if state.step is Step.SHOW:
        return bits([rng.choice(numbers(hand))]) << 1
    if state.step is Step.WINDOW:
        there = [card << 1 for card, owner, price in state.sale if owner != player and price <= state.reserve[player]]
        return rng.choice([0, *there])
    have = state.reserve[player] - (state.bids[player] if state.step is Step.ADD else 0)
    return rng.randint(0, have) << 1 if commit or have else commit


def test_a_game_begins_with_15_escudos_each():
    assert turin.new(4, seed=1).conserved() == turin.new(4).conserved() == (0, 18)
    assert turin.new(4).reserve == (START,) * 4
