"""Bazar's simple bots: each buys what it says and nothing else, and goes there the shortest way."""

import pickle
import random
from functools import cache
from itertools import pairwise

import pytest

from tests.playing import decide
from tradekit import bots, tournament
from tradekit.bazar import Exchange, State, new
from tradekit.bazar.parameters import Step
from tradekit.bazar.stones import MOST_LEFT
from tradekit.game import CHANCE, play_on

CARDS = (1, 4)
NEAR = 2e-3  # relative weight of a purchase's points in a bot's value
OPTIONS = [{}, {"over_ten": "penalty"}, {"max_left": 2}, {"double": True}]


@cache
def games(*names, **options):
    """Return four games between these bots, each a list of (state, player, action, state after it)."""
    made = {" ".join(map(str, name)): bots.make(name[0], **dict([name[1:]] if name[1:] else [])) for name in names}
    played = tournament.play(
        "bazar", made, 4, seed=23, players=2, progress=False, records=True, cards=CARDS, **options
    ).played
    return [
        [
            (state, game.bots[actor] if actor != CHANCE else "", str(action), after)
            for (state, after), (actor, action) in zip(pairwise(game.record.states()), game.record.moves, strict=True)
        ]
        for game in played
    ]


def left_by(name, *names, **options):
    """Return the stones left over after each purchase of a bot."""
    return [
        len(after.holdings[state.turn])
        for game in games(*names, **options)
        for state, who, action, after in game
        if who == name and action.startswith("buy")
    ]


@cache
def positions():
    found = []
    for seed in range(6):
        states = [
            state for state in play_on(new(cards=CARDS, seed=seed), random.Random(seed)) if state.step is Step.TURN
        ]
        found += random.Random(seed).sample([state for state in states if len(state.actions(state.turn)) > 1], 6)
    return found


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_BZ_12_the_quick_buyer_never_passes_a_purchase(options):
    met = 0
    for game in games(("quick",), ("patient",), **options):
        for state, who, action, _after in game:
            if who == "quick" and state.step in (Step.BUY, Step.MUST):
                assert action.startswith("buy"), state
                met += 1
    assert met > 20


def test_BZ_12_where_a_trade_lets_it_buy_it_buys_in_that_turn():
    met = 0
    for game in games(("quick",), ("patient",)):
        for place, (state, who, _action, _after) in enumerate(game):
            if who == "quick" and state.step is Step.TURN:
                trades = [action for action in state.actions(state.turn) if "=" in action]
                if any(state.after(trade).step in (Step.BUY, Step.MUST) for trade in trades):
                    turn = [after for after_state, *_rest, after in game[place:] if after_state.turn == state.turn]
                    bought = next(after for after in turn if after.turn != state.turn or not after.actors)
                    assert len(bought.bought[state.turn]) > len(state.bought[state.turn]), state
                    met += 1
    assert met > 20


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_BZ_15_the_patient_buyer_is_left_with_nothing(options):
    patient = left_by("patient", ("quick",), ("patient",), **options)
    assert len(patient) > 10 and set(patient) == {0}
    quick = left_by("quick", ("quick",), ("patient",), **options)
    assert max(quick) > 1 and max(quick) <= options.get("max_left", MOST_LEFT)


def test_buyers_leave_at_most_or_at_least_what_they_say():
    for most in (1, 2):
        name = f"patient most {most}"
        assert set(left_by(name, ("patient", "most", most), ("quick",))) == {*range(most + 1)}
    for least in (1, 3):
        name = f"quick least {least}"
        assert min(left_by(name, ("quick", "least", least), ("patient",))) == least


@pytest.mark.long
@pytest.mark.parametrize(
    ("bot", "left"),
    [
        (bots.make("quick"), None),
        (bots.make("patient"), 0),
        (bots.make("patient", most=2), range(3)),
        (bots.make("quick", least=3), range(3, MOST_LEFT + 1)),
    ],
    ids=lambda value: str(value) if isinstance(value, bots.Bot) else None,
)
def test_BZ_41_a_trade_is_worth_a_purchase_over_the_turns_of_the_shortest_chain(bot, left):
    exchange, met = Exchange.of_cards(*CARDS), 0
    for state in positions():
        values = bot.evaluate(state.view(state.turn), state.actions(state.turn))
        for trade in (action for action in values if "=" in action):
            after = state.after(trade)
            if after.step is Step.TURN:  # it could not buy
                chains = [exchange.chain(after.holdings[state.turn], ware, left) for ware in state.wares if ware]
                turns = [chain.turns for chain in chains if chain is not None]
                assert values[trade] == pytest.approx(1 / (1 + min(turns)) if turns else 0, rel=NEAR)
                met += 1
    assert met > 50


def test_BZ_15_of_equally_near_purchases_it_takes_the_one_with_most_points():
    state = State.parse(
        "bazar players=2 deck=house cards=1,4 step=buy turn=p0 hands=GGGGGRWBY, stalls=RWBGY:4,GGGGG*:4,RRWGY:4,RWGYY:4"
        " bought=-,- idle=0"
    )
    assert {"buy 1", "buy 2"} <= set(state.actions(0))
    assert decide(bots.make("quick"), state) == "buy 2"


def test_BZ_23_where_nothing_may_be_left_both_do_the_same():
    for state in positions():
        bare = State.parse(str(state).replace("cards=1,4", "cards=1,4 max_left=0"))
        assert decide(bots.make("quick"), bare) == decide(bots.make("patient"), bare)


def test_BZ_23_a_limit_of_nothing_is_a_limit():
    text = (
        "bazar players=2 deck=house cards=1,4{} step=turn turn=p0 hands=RWBGY,RWBGYY"
        " stalls=RWBGY:4,RRWGY:4,RRWBB:4,GGGGG*:4 bought=-,- idle=0"
    )
    rolled = [State.parse(text.format(limit)).after("roll").after("R") for limit in ("", " max_left=1", " max_left=0")]
    assert [state.step for state in rolled] == [Step.BUY, Step.BUY, Step.TURN], "one stone would be left"
    assert "max_left=0" in str(rolled[2]) and new(cards=CARDS).rules.max_left == MOST_LEFT


def test_patience_without_end_is_haste():
    assert all(
        decide(bots.make("patient", most=MOST_LEFT), state) == decide(bots.make("quick"), state)
        for state in positions()
    )
    assert any(decide(bots.make("patient"), state) != decide(bots.make("quick"), state) for state in positions())


def test_options_are_checked_and_travel():
    for name, option in (("quick", {"least": 4}), ("quick", {"least": -1}), ("patient", {"most": -1})):
        with pytest.raises(ValueError, match="BZ-15"):
            bots.make(name, **option)
    sent = pickle.loads(pickle.dumps(bots.make("patient", most=2)))
    assert (sent.least, sent.most) == (0, 2) and sent.measure
