"""Turin's bots: legal in every position and under every option, blind to hidden cards, sensible in clear cases."""

import random
from functools import cache

import pytest

from tests.playing import decide, finish
from tradekit import bots, tournament, turin
from tradekit.game import CHANCE, Listed, draw, play_on
from tradekit.turin.bots import ValueBot
from tradekit.turin.goose import LAST, Goose, register
from tradekit.turin.parameters import Step, bits
from tradekit.turin.values import Table

from .positions import all_bid, at, play

OPTIONS = [
    {},
    {"payouts": "new", "order": "maize,rice,butter,chocolate,walnuts,anchovies,grapes,honey,truffles"},
    {"selling": "several", "money": "secret"},
    {"goose": "tie", "goose_stays": True, "games": 2},
    {"goose": "underdog"},
]
TABLES = [*(({}, players) for players in (2, 3, 4, 5)), *((options, 3) for options in OPTIONS[1:])]
OWN = {"value": bots.make("value"), "equilibrium": bots.make("equilibrium")}
BOTS = {**OWN, "search": bots.make("search", iterations=4, depth=3)}


def ids(case):
    options, players = case
    return f"{players} {' '.join(map(str, options))}"


@cache
def positions(case_number, each):
    """Return positions to decide on, of random games: for each step at most `each`."""
    options, players = TABLES[case_number]
    found = {}
    for seed in range(12):
        for state in play_on(turin.new(players=players, seed=seed, **options), random.Random(seed)):
            if state.actors and state.actors[0] != CHANCE and len(state.actions(state.actors[0])) > 1:
                found.setdefault(state.step, []).append(state)
    rng = random.Random(0)
    return [state for states in found.values() for state in rng.sample(states, min(each, len(states)))]


# Laws


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(TABLES)), ids=lambda number: ids(TABLES[number]))
def test_bots_take_legal_actions_and_repeat_themselves_in_every_position(number):
    for state in positions(number, each=2):
        before, player = str(state), state.actors[0]
        for bot in BOTS.values():
            action = decide(bot, state)
            assert action in state.actions(player)
            assert decide(bot, turin.State.parse(before)) == action
        assert str(state) == before


def test_every_step_was_among_them():
    steps = {state.step for number in range(len(TABLES)) for state in positions(number, each=2)}
    asked = {Step.SHOW, Step.WINDOW, Step.CHOOSE, Step.BID, Step.GOOSE, Step.ADD, Step.TAKE, Step.OFFER}
    assert steps == asked


@pytest.mark.parametrize("number", [0, 1, 3])
def test_bots_see_what_their_player_may_know_and_no_more(number):
    """Another state behind the same view, with other hidden hands and commits, gives the same action."""
    for state in positions(number, each=2):
        view = state.view(state.actors[0])
        other = view.sample(random.Random(3)).view(view.player)
        assert view == other
        for bot in OWN.values():
            assert bot.choose(view, view.actions(), random.Random(0)) == bot.choose(
                other, other.actions(), random.Random(0)
            )


@pytest.mark.parametrize(("options", "players"), TABLES, ids=str)
def test_bots_finish_games(options, players):
    seats = [OWN["equilibrium"], *[OWN["value"]] * (players - 1)]
    over = finish(turin.new(players=players, seed=2, **options), seats)
    assert over.step is Step.OVER
    assert len(over.past) + 1 == options.get("games", 1)


@pytest.mark.parametrize("players", [2, 5])
def test_search_plays_turin(players):
    over = finish(turin.new(players=players, seed=1), [BOTS["search"], *[bots.make("random")] * (players - 1)])
    assert over.step is Step.OVER


def test_the_action_taken_is_the_one_valued_most_but_bids_are_drawn():
    for number in (0, 2, 6):
        for state in positions(number, each=2):
            player = state.actors[0]
            view = state.view(player)
            for bot in OWN.values():
                worth = bot.evaluate(view, view.actions())
                assert set(worth) <= set(view.actions())
                if state.step not in (Step.BID, Step.ADD):
                    assert worth[decide(bot, state)] == max(worth.values())
    assert OWN["value"].measure == OWN["equilibrium"].measure != ""


def test_the_equilibrium_bot_draws_from_its_mixture():
    state = at(2, auction=4, hands=[(18,), (17,)], won=[(6, 7), (8, 9)], reserve=(40, 40))
    bot = OWN["equilibrium"]
    made = {decide(bot, state, seed) for seed in range(15)}
    earns = bot.evaluate(state.view(0), state.actions(0))
    assert len(made) > 1
    assert min(earns[action] for action in made) > max(earns.values()) - 0.3  # all are nearly best responses
    assert earns["bid 35"] < max(earns.values()) - 2  # the others bid less, or all they have


def test_options_that_cannot_be():
    with pytest.raises(ValueError, match="share=0"):
        ValueBot(share=0)
    with pytest.raises(ValueError, match="spread=2"):
        ValueBot(spread=2)


# Clear cases


@pytest.mark.parametrize("name", OWN)
def test_TU_19_takes_the_award_that_puts_it_furthest_ahead(name):
    state = all_bid(at(3, auction=4, hands=[(18,), (17,), (16,)], won=[(6, 7), (8, 9), (10,)]), 9, 3, 1)
    assert state.step is Step.TAKE
    action = decide(OWN[name], state)
    table = Table(state.view(0), "sample", 60)
    values = {a: table.ahead(0, [bits(map(int, a.split()[1:]))])[0] for a in state.actions(0)}
    assert values[action] == max(values.values()) > min(values.values())


@pytest.mark.parametrize("name", OWN)
def test_TU_31_keeps_the_best_hand_card(name):
    """Two players, the last card but one: p0 holds 1 and 2, and will keep one of them."""
    state = at(2, Step.SHOW, auction=4, hands=[(1, 2), (17, 18)], centre=(), won=[(6, 7), (8, 9)])
    table = Table(state.view(0), "sample", 60)
    low, high = sorted((1, 2), key=lambda card: table.ahead(0, [bits([card])])[0])
    assert decide(OWN[name], state) == f"show {low}" != f"show {high}"


@pytest.mark.parametrize("name", OWN)
def test_TU_22_claims_a_bargain_and_no_dear_card(name):
    """Card 5 brings majorities in the last auction; it is worth more than 1 escudo and less than 40."""
    for price, claimed in ((1, True), (15, False)):
        state = at(
            3, Step.WINDOW, auction=4, hands=[(18,), (17,), (16,)], won=[(5, 6), (7, 8), (9, 10)],
            sale=((5, 0, price),), reserve=(0, 15, 15), commits=(-2, -1, -1),
        )  # fmt: skip
        assert (decide(OWN[name], state, player=1) == "claim 5") == claimed


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("seed", range(3))
def test_TU_20_with_two_players_nothing_is_offered(name, seed):
    """One player's gain is the other's loss, so no price is good for both."""
    rng = random.Random(seed)
    state, offers = turin.new(players=2, seed=seed), 0
    while state.actors:
        actor = state.actors[0]
        if actor == CHANCE:
            state = state.after(draw(state.outcomes(), rng))
            continue
        action = OWN[name].choose(state.view(actor), state.actions(actor), rng)
        offers += state.step is Step.OFFER
        assert not (state.step is Step.OFFER and action.startswith("sell"))
        state = state.after(action, actor)
    assert offers or name == "value"


@pytest.mark.parametrize("name", OWN)
def test_TU_30_nobody_borrows_in_the_last_auction(name):
    """A loan costs 15 for 10, and nothing can be bought any more."""
    state = at(3, auction=4, hands=[(18,), (17,), (16,)], won=[(6, 7), (8, 9), (10,)], reserve=(1, 2, 2))
    for seed in range(20):
        assert "loan" not in decide(OWN[name], state, seed)


def test_TU_30_borrows_where_money_is_dear():
    """The second auction: what is still to be won is worth more than 1.5 times all the escudos."""
    state = at(3, auction=1, hands=[range(4, 9), range(9, 14), range(14, 19)], reserve=(1, 14, 14))
    made = {decide(OWN["value"], state, seed) for seed in range(6)}
    assert all("loan" in action for action in made)


def test_TU_11_bids_no_more_than_beats_everyone():
    state = at(2, auction=4, hands=[(18,), (17,)], won=[(), ()], reserve=(40, 1), loans=(0, 1))
    for seed in range(10):
        assert int(decide(OWN["value"], state, seed).split()[1]) <= 2


@pytest.mark.parametrize("name", OWN)
def test_TU_13_bids_nothing_for_cards_that_cost_it(name):
    """p1 has most of everything; p0, who has next to nothing, would pay an escudo for each good of any lot."""
    state = at(
        3, auction=4, hands=[(1,), (2,), (4,)], centre=(3, 10, 15), won=[(), (5, 6, 7, 8, 9, 11, 12, 13, 14), ()],
    )  # fmt: skip
    assert max(Table(state.view(0), "sample", 60).ahead(0, [bits(pair) for pair in ((3, 10), (3, 15), (10, 15))])) < 0.5
    assert {decide(OWN[name], state, seed) for seed in range(8)} == {"bid 0"}


@pytest.mark.parametrize("name", OWN)
def test_TU_41_the_goose(name):
    """Three places win: the goose's last one still wins a card; in a tie of two for the first of one it loses."""
    tied = all_bid(at(3, options={"goose": "tie"}), 4, 4, 1)
    assert tied.step is Step.GOOSE
    assert decide(OWN[name], tied) == "goose"  # second place is a card as well
    tied = all_bid(at(2, options={"goose": "tie"}), 4, 4)
    assert decide(OWN[name], tied) == "no goose"
    tied = all_bid(at(3, options={"goose": "tie"}, holder=1), 4, 4, 4)
    assert decide(OWN[name], tied) in ("give p0", "give p2")
    tied = all_bid(at(3, options={"goose": "tie"}, holder=1, reserve=(15, 15, 9)), 4, 4, 4)
    assert decide(OWN[name], tied) == "give p2"


def test_TU_43_an_invented_goose_is_let_be(monkeypatch):
    from tradekit.turin import goose

    monkeypatch.setattr(goose, "_GEESE", dict(goose._GEESE))

    @register
    class Loud(Goose):
        name = "loud"

        def may(self, holder, tied, player):
            return ("honk",)

        def moved(self, tied, player, action):
            return player, {player: LAST}

    goose._GEESE["loud"] = Loud()
    state = all_bid(at(3, options={"goose": "loud"}), 4, 4, 1)
    for bot in OWN.values():
        assert bot.choose(state.view(0), Listed.of("no goose", "honk"), random.Random(0)) == "no goose"


@pytest.mark.parametrize("name", OWN)
def test_TU_14_ties_are_bid_for(name):
    """A player who adds nothing loses the lot (TU-16); a lot of high value is not given away."""
    state = all_bid(at(2, auction=4, hands=[(18,), (17,)], won=[(), ()], reserve=(15, 15)), 4, 4)
    assert state.step is Step.ADD
    added = [int(decide(OWN[name], state, seed).split()[1]) for seed in range(10)]
    assert max(added) > 0 and (min(added) > 0 or name == "equilibrium")


def test_TU_17_adds_what_is_worth_it():
    state = play(all_bid(at(2, auction=4, hands=[(18,), (17,)], won=[(), ()]), 4, 4))
    worth = Table(state.view(0), "sample", 60).ahead(0, [state.centre])[0]
    for seed in range(10):
        assert 4 + int(decide(OWN["value"], state, seed).split()[1]) <= worth


# Strength, measured


@pytest.mark.long
def test_both_are_stronger_than_random_and_with_two_value_is_stronger():
    pairs = tournament.play("turin", [*OWN.values(), "random"], games=32, seed=3, progress=False).pairwise
    assert pairs["low"]["value", "random"] > 0.5
    assert pairs["low"]["equilibrium", "random"] > 0.5
    assert pairs["wins"]["value", "equilibrium"] > 0.5
