"""Bazar's bots: legal and repeatable in every position, right where the answer is known, and in their order."""

import random
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from tests.playing import decide, finish
from tradekit import bots, tournament
from tradekit.bazar import Deck, Exchange, Ware, new, review
from tradekit.bazar import bots as bazar_bots
from tradekit.bazar.hands import holding, index
from tradekit.bazar.parameters import Step
from tradekit.bazar.rules import State
from tradekit.game import CHANCE, play_on
from tradekit.record import Record

from . import oracle

CARDS = (1, 4)
OPTIONS = [
    {},
    {"over_ten": "penalty"},
    {"double": True},
    {"double": True, "double_star": "first", "over_ten": "penalty"},
    {"max_left": 1},
    {"patience": 3},
    {"points": ((1, 2, 3, 4),) * 3},
]
TABLES = [({}, 1), ({"series": 3}, 1), ({}, 4), ({}, 6), *((options, 2) for options in OPTIONS)]
BOTS = {
    "chain": bots.make("chain"),
    "policy": bots.make("policy"),
    "quick": bots.make("quick"),
    "patient": bots.make("patient"),
    "random": bots.make("random"),
    "search": bots.make("search", iterations=4, depth=3),
}


def table(players, **options):
    return new(players=players, cards=CARDS, seed=1, **options)


def ids(case):
    options, players = case
    return f"{players} {' '.join(f'{name}={value}' for name, value in options.items())}"


@cache
def positions(start, each):
    """Return positions to decide on, of ten random games: for each step at most `each`."""
    found = {}
    for seed in range(10):
        for state in play_on(start, random.Random(seed)):
            if state.actors and state.actors[0] != CHANCE and len(state.actions(state.actors[0])) > 1:
                found.setdefault(state.step, []).append(state)
    rng = random.Random(0)
    return {step: rng.sample(states, min(each, len(states))) for step, states in found.items()}


# Laws


@pytest.mark.long
@pytest.mark.parametrize("case", TABLES, ids=ids)
def test_bots_take_legal_actions_and_repeat_themselves_in_every_position(case):
    options, players = case
    some = positions(table(players, **options), each=3)
    assert {Step.TURN, Step.CHOICE} <= set(some)
    for state in (state for states in some.values() for state in states):
        before = str(state)
        for bot in BOTS.values():
            action = decide(bot, state)
            assert action in state.actions(state.actors[0])
            assert decide(bot, State.parse(before)) == action
            if bot.deterministic:
                assert decide(bot, state, seed=99) == action
        assert str(state) == before


def test_every_step_was_among_them():
    found = set()
    for options, players in TABLES:
        found |= set(positions(table(players, **options), each=3))
    assert found == {Step.TURN, Step.CHOICE, Step.BUY, Step.MUST, Step.RETURN}


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("players", [1, 2, 3])
def test_bots_finish_games(name, players):
    over = finish(table(players, patience=20), [BOTS[name]] * players)
    assert over.step == Step.OVER
    if name in ("chain", "policy"):
        assert all(over.bought)


def test_bots_play_on_where_nothing_can_be_bought():
    for name in ("chain", "policy"):
        assert finish(new(players=2, exchange="R=W", seed=1, patience=2), [bots.make(name)] * 2).step == Step.OVER
        assert finish(new(players=1, exchange="RR=W", seed=1, patience=30), [bots.make(name)]).step == Step.OVER


@pytest.mark.parametrize("name", ["chain", "policy"])
def test_the_action_taken_is_the_first_of_those_valued_most(name):
    bot = bots.make(name)
    for state in chain(*positions(table(2), each=3).values()):
        player = state.actors[0]
        values = bot.evaluate(state.view(player), state.actions(player))
        assert set(values) == set(state.actions(player)) and np.isfinite([*values.values()]).all()
        assert values[decide(bot, state)] == pytest.approx(max(values.values()))
    assert bot.measure


# Where the answer is known


@pytest.mark.parametrize("seed", range(3))
def test_BZ_30_alone_the_policy_bot_plays_the_best_policy(seed):
    start = new(players=1, cards=CARDS, seed=seed)
    solved = Exchange.of_cards(*CARDS).solve(start.wares[0], left=0)
    bot = bots.make("policy")
    for state in positions(start, each=20)[Step.TURN]:
        if len(state.stock) == 100:
            continue
        values = bot.evaluate(state.view(0), state.actions(0))
        turns = solved.options(state.holdings[0]).set_index("action")["turns"]
        for action, value in values.items():
            assert -value - state.idle == pytest.approx(turns[action], abs=1e-4)


@pytest.mark.parametrize("idle", [0, 1, 6, 60])
@pytest.mark.parametrize("options", ["", "double=yes "])
def test_BZ_30_the_policy_bot_buys_at_whatever_turn_of_a_series_and_reckons_with_the_turns(idle, options):
    """A purchase is worth the turns so far, including this one: nothing is known about the wares to come."""
    bot = bots.make("policy")
    for below in (1, 0):
        state = State.parse(
            f"bazar players=1 deck=house cards=1,4 {options}series=2 step=buy turn=p0 hands=RWBGY"
            f" stalls=RWBGY:{below} bought=- idle={idle}"
        )
        worth = bot.evaluate(state.view(0), state.actions(0))
        assert worth["buy 1"] == -(idle + 1) > worth["done"] and decide(bot, state) == "buy 1"
        record = Record.begin(state).with_move("done")
        assert review(record)["best"].tolist() == ["buy 1"] and review(record)["costs"].tolist()[0] > 0


def few_wares():
    """Return the deck of `docs/own-cards.md`, with two wares."""
    text = (Path(__file__).parents[2] / "docs" / "own-cards.md").read_text("utf-8")
    lines = text.partition('bazar.Deck.parse("""')[2].partition('"""')[0].splitlines()
    return Deck.parse("\n".join(line.removeprefix("... ") for line in lines))


@pytest.mark.parametrize("wares", [1, 2, 3, 4])
def test_BZ_30_alone_a_few_wares_are_enough(wares):
    own = few_wares()
    assert len(own.wares) == 2
    deck = Deck(own.name, own.cards, (*own.wares, *map(Ware, ("RRWWB", "GGYYB")))[:wares])
    start = new(players=1, cards=(1, 2), deck=deck, seed=1, series=wares)
    for name in ("chain", "policy", "quick", "patient"):
        over = finish(start, [bots.make(name)])
        assert over.step == Step.OVER and len(over.bought[0]) == wares
    solved = Exchange(start.equations).solve(start.wares[0], left=0)
    values = bots.make("policy").evaluate(start.view(0), start.actions(0))
    assert values["roll"] == pytest.approx(-solved.turns(""), abs=1e-4)


LONG = "RRR=WB WW=RRG WWWW=YYY WWW=RR RRBB=GY R=GGG"


def test_BZ_41_the_chain_bots_know_chains_of_more_than_127_turns():
    """Turn by turn from the most distant hand: each step of a chain is one trade of the oracle's."""
    parameters = new(exchange=LONG, seed=1).parameters
    turns = bazar_bots._turns(parameters.equations, parameters.deck.wares, 8)
    number, band, at = np.unravel_index(turns.argmax(), turns.shape)
    assert turns[number, band, at] > 127 and turns.min() == -1
    have, ware = oracle.hand(str(holding(at)).replace("-", "")), str(parameters.deck.wares[number])
    for left in range(turns[number, band, at], 0, -1):
        ends = [after for _name, after in oracle.trades(LONG, have)]
        bands = [oracle.left_after(after, ware) for after in ends]
        buys = any(k is not None and min(k, 3) == band for k in bands)
        assert buys == (left == 1)
        if not buys:
            near = {turns[number, band, index(oracle.letters(after))]: after for after in ends if sum(after) <= 10}
            assert min(n for n in near if n > 0) == left - 1
            have = near[left - 1]


@pytest.mark.parametrize("name", ["chain", "quick", "patient"])
def test_bots_play_under_an_exchange_of_long_chains(name):
    state = new(exchange=LONG, seed=1, patience=8)
    assert finish(state, [bots.make(name)] * 2).step == Step.OVER


def test_BZ_14_the_stone_that_goes_back_is_the_one_that_the_victim_needs():
    """Both wares need yellow stones, and no trade makes any."""
    for name in ("chain", "policy"):
        state = State.parse(
            "bazar players=2 deck=house exchange=R=WW,W=BG step=return turn=p0 hands=RRRRWWWWBGY,G"
            " stalls=RWBGY:4,-:0,RRWGY:4,RWGGY:4 bought=-,- idle=0"
        )
        assert state.actors == (1,)
        assert decide(bots.make(name), state) == "return Y"


def test_BZ_30_alone_one_keeps_that_stone():
    state = State.parse(
        "bazar players=1 deck=house exchange=R=WW,W=BG step=return turn=p0 hands=RRRRWWWWBGY stalls=RWBGY:0"
        " bought=- idle=0"
    )
    assert decide(bots.make("policy"), state) != "return Y"


def ending(hands, bought, step="buy"):
    """Return a position in which one ware is left that closes the bazaar, and no other stall is near its end."""
    return State.parse(
        f"bazar players=2 deck=house cards=1,4 step={step} turn=p0 hands={hands}"
        f" stalls=RWBGY:0,-:0,RRWGY:3,RWWBG:4 bought={bought} idle=0"
    )


def test_the_policy_bot_ends_the_game_if_it_wins():
    assert decide(bots.make("policy"), ending("RWBGY,RW", "RWGGY:5,RWGYY:5")) == "buy 1"


def test_the_policy_bot_does_not_end_the_game_if_it_loses():
    assert decide(bots.make("policy"), ending("RWBGY,", "RWGGY:1,RWGYY:12")) == "done"


def test_the_policy_bot_minds_who_is_nearer():
    """The ware that the other is about to buy is worth less to it."""
    bot = bots.make("policy")
    text = (
        "bazar players=2 deck=house cards=1,4 step=turn turn=p0 hands=RWBG,{} stalls=RWBGY:4,RRWGY:4,RWWBG:4,RWGYY:4"
        " bought=-,- idle=0"
    )
    far, near = (State.parse(text.format(hand)) for hand in ("", "RWBGYY"))

    def best(state):
        return max(bot.evaluate(state.view(0), state.actions(0)).values())

    assert best(near) < best(far)


def test_the_chain_bot_follows_the_chain():
    exchange = Exchange.of_cards(*CARDS)
    state = State.parse(
        "bazar players=2 deck=house cards=1,4 step=turn turn=p0 hands=RR, stalls=RWBGY:4,-:0,WWWWW*:4,YYYYY*:4"
        " bought=-,- idle=0"
    )
    shortest = exchange.chain("RR", "RWBGY", left=0)
    assert shortest.turns == 1
    assert decide(bots.make("chain"), state) == str(shortest.trades[0])


def test_the_market_agrees_with_the_policies():
    parameters = table(2).parameters
    market, exchange = bazar_bots._market(parameters, False), Exchange.of_cards(*CARDS)
    for number in (0, 20, 44):
        turns = exchange.solve(parameters.deck.wares[number]).all_turns
        np.testing.assert_allclose(market.turns[number], turns, rtol=1e-5)
    assert market.stones[0] == 0 and market.stones.max() > 3
    assert market.worth.shape == (45, 3003)


# Strength, measured


@cache
def measured():
    return tournament.play("bazar", ["chain", "policy", "random"], games=50, seed=3, progress=False, cards=CARDS)


@pytest.mark.long
def test_policy_is_stronger_than_chain_and_chain_than_random():
    low = measured().pairwise["low"]
    assert low["policy", "chain"] > 0.5
    assert low["chain", "random"] > 0.8
    assert low["policy", "random"] > 0.8
    assert [*measured().summary.index] == ["policy", "chain", "random"]
