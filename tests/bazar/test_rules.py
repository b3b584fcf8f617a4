"""Bazar's rules: a second generator in random games, and every rule by its number with its boundaries."""

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tradekit import bazar, bots, testing
from tradekit.bazar import Deck, Equation, Rules, State, Stones, rules
from tradekit.game import CHANCE, IllegalAction, ParseError, draw, play_on
from tradekit.record import Record

from . import naive

OPTIONS = {
    "the defaults": {},
    "double purchase": {"double": True},
    "double purchase, star of the first": {"double": True, "double_star": "first"},
    "penalty above ten": {"over_ten": "penalty"},
    "few left over": {"max_left": 1, "double": True},
    "never idle for long": {"patience": 4},
    "never closed for idleness": {"patience": 0},
}
EXCHANGE = "R=WW W=BG B=GG RR=Y G=RY BB=WR RW=GGG"


def choose(state, rng):
    """Return an action of the current actor: players buy when they can, so that games move on."""
    actor = state.actors[0]
    if actor == CHANCE:
        return actor, draw(state.outcomes(), rng)
    actions = [*state.actions(actor)]
    buys = [action for action in actions if action.startswith("buy")]
    return actor, rng.choice(buys if buys and rng.random() < 0.8 else actions)


@pytest.mark.parametrize("players", [1, 2, 3, 6])
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_moves_are_those_of_the_second_generator(players, options):
    more = {"series": 2} if players == 1 else {}
    for seed in range(2):
        state = bazar.new(players, exchange=EXCHANGE, seed=seed, **options, **more)
        rng = random.Random(seed)
        for _turn in range(70):
            if not state.actors:
                assert not [*naive.moves(naive.position(state))]
                break
            ours = {}
            for actor in state.actors:
                choices = state.actions(actor) if actor != CHANCE else [action for action, _p in state.outcomes()]
                ours |= {(actor, str(action)): naive.position(state.after(action)) for action in choices}
            theirs = {}
            for who, what, after in naive.moves(naive.position(state)):
                left, sign, right = what.partition("=")
                exact = f"{Stones(left)}={Stones(right)}" if sign else what
                theirs[who, exact] = {**after, "hands": [str(Stones(hand)).strip("-") for hand in after["hands"]]}
            assert ours == theirs
            actor, action = choose(state, rng)
            state = state.after(action, None if actor == CHANCE else actor)


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_bazar_keeps_the_laws_of_every_game(players, options):
    if players == 1 and options.get("patience") == 0:
        options = {"patience": 500}  # random play takes 40,000 turns to a purchase; no purchase is forced (BZ-19)
    checked = testing.check_game(rules.GAME, plays=2, players=players, **{"patience": 12, **options})
    assert checked.plays == 2


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("options", [{}, {"double": True}, {"over_ten": "penalty", "max_left": 1}], ids=str)
def test_BZ_22_hidden_holdings_keep_the_laws_about_secrets(players, options):
    checked = testing.check_game(rules.GAME, plays=1, dear=0.2, players=players, hidden=True, patience=12, **options)
    assert checked.plays == 1


@pytest.mark.long
def test_a_thousand_games_end_and_keep_the_cheap_laws():
    checked = testing.check_game(rules.GAME, plays=1000, dear=0.001, players=2, patience=6, exchange=EXCHANGE)
    assert checked.plays == 1000


# Counted once with `testing.count_sequences`; `naive.count` agrees. They include purchases, eleven stones, an empty
# stall.
COUNTED = {
    "bazar players=2 deck=house cards=1,4 step=turn turn=p0 hands=RRWWBG,GGYYYRRWB "
    "stalls=RRRWW:1,-:0,GYYYY*:0,WBBGG:4 bought=-,- idle=3": [1, 12, 178, 1286, 13897],
    "bazar players=3 deck=house cards=2,7 step=turn turn=p2 hands=-,RWB,RRWWBBGGYY "
    "stalls=RWBBB:0,RRRRR*:3,BBGGG:4,WWWWW*:2 bought=-,-,- idle=0": [1, 17, 26, 239, 619],
    "bazar players=2 deck=house cards=1,4 double=yes step=turn turn=p1 hands=-,RRWBBGYGYY "
    "stalls=RWBGY:0,WBBGY:1,RRWGY:4,-:0 bought=-,- idle=0": [1, 17, 42, 778, 1560],
    "bazar players=1 deck=house cards=1,4 series=2 step=turn turn=p0 hands=RWBG stalls=RWBBB:1 bought=- idle=9": [
        1,
        9,
        91,
        906,
        8801,
    ],
}


@pytest.mark.parametrize(("text", "counts"), COUNTED.items(), ids=range(len(COUNTED)))
def test_the_number_of_sequences_is_that_of_the_table_and_of_the_second_generator(text, counts):
    state = State.parse(text)
    assert [testing.count_sequences(state, depth) for depth in range(5)] == counts
    assert [naive.count(naive.position(state), depth) for depth in range(4)] == counts[:4]


# By number


def at(hands, stalls="RWBGY:4,WWWWW*:4,BBBBB*:4,GGGGG*:4", step="turn", turn=0, exchange=EXCHANGE, **more):
    """Return a position: the hands as text, one per player."""
    words = {
        "players": len(hands.split(",")),
        "deck": "house",
        "exchange": exchange.replace(" ", ","),
        **{name: value for name, value in more.items() if name not in ("bought", "idle", "first")},
        "step": step,
        "turn": f"p{turn}",
        "hands": hands,
        "stalls": stalls,
        "bought": more.get("bought", ",".join("-" for _ in hands.split(","))),
        "idle": more.get("idle", 0),
    }
    if "first" in more:
        words["first"] = more["first"]
    return State.parse(" ".join(["bazar", *(f"{name}={value}" for name, value in words.items())]))


def refused(state, action, message, player=None):
    with pytest.raises(IllegalAction) as error:
        state.after(action, player)
    assert str(error.value) == message


def test_BZ_2_the_bank_pays_only_what_it_has():
    state = at("RRRRRRRRRR,RRRRRRRRR,Y")
    assert state.stock.counts == (1, 20, 20, 20, 19)
    refused(at("Y,RRRRRRRRRR,RRRRRRRRRR"), "Y=RR", "the bank cannot pay RR (BZ-2)")
    assert "Y=RR" in at("Y,RRRRRRRRRR,RRRRRRRR").actions(0)  # leaves two in the bank
    assert "Y=RR" not in at("Y,RRRRRRRRRR,RRRRRRRRR").actions(0)  # leaves one in the bank


def test_BZ_2_a_rolled_colour_that_is_out_gives_nothing_and_choice_offers_what_is_in_stock():
    state = at("B,RRRRRRRRRR,RRRRRRRRRR", step="die")
    assert state.after("R").holdings[0] == Stones("B") and state.after("R").turn == 1
    chosen = state.after("Choice")
    assert [*chosen.actions(0)] == ["take W", "take B", "take G", "take Y"]
    refused(chosen, "take R", "take a stone of a colour in stock: W B G Y (BZ-5, BZ-2)")


def test_BZ_5_the_die_has_six_equally_likely_faces():
    assert [*at("-,-", step="die").outcomes()] == [(face, 1 / 6) for face in ("R", "W", "B", "G", "Y", "Choice")]


@pytest.mark.parametrize("players", [0, 7])
def test_BZ_6_one_to_six_can_play(players):
    with pytest.raises(ValueError, match=r"1 to 6 can play \(BZ-6\)"):
        bazar.new(players)


def test_BZ_7_two_cards_and_four_stalls_of_five_are_turned_up():
    state = bazar.new(3)
    assert len(state.outcomes()) == 45 and state.actors == (CHANCE,)
    state = state.after("cards 4 1")
    assert len(state.equations) == 10 and state.parameters.cards == (1, 4)
    seen = []
    for _stall in range(4):
        assert len(state.outcomes()) == 45 - len(seen)
        seen.append(state.outcomes()[7][0])
        state = state.after(seen[-1])
    assert [f"ware {ware}" for ware in state.wares] == seen and state.under == (4, 4, 4, 4)
    refused(bazar.new(3, (1, 4)), "cards 1 4", "cards 1 4 cannot come up here (BZ-7)")


def test_BZ_8_the_first_player_is_drawn_and_turns_go_round():
    state = next(s for s in play_on(bazar.new(3, (1, 4)), random.Random(1)) if s.step.name == "FIRST")
    assert [*state.outcomes()] == [(f"first p{p}", 1 / 3) for p in range(3)]
    state = state.after("first p1")
    order = []
    for _turn in range(4):
        order.append(state.actors[0])
        state = state.after("roll").after("R")
    assert order == [1, 2, 0, 1]
    assert state.holdings == (Stones("R"), Stones("RR"), Stones("R"))


def test_BZ_9_a_turn_is_one_roll_or_one_trade():
    state = at("RWBGYR,-", step="buy")
    refused(state, "roll", "one roll or one trade a turn (BZ-9)")
    refused(state, "R=WW", "one roll or one trade a turn (BZ-9)")


def test_BZ_10_a_trade_uses_an_equation_in_either_direction():
    state = at("RWW,-", exchange="R=WW W=BG B=GG")
    assert [*state.actions(0)] == ["roll", "R=WW", "WW=R", "W=BG"]
    assert state.after("R=WW").holdings[0] == Stones("WWWW")
    assert state.after("ww -> red").holdings[0] == Stones("RR")
    assert state.after("WW=R").conserved() == state.conserved()
    refused(state, "BG=W", "RWW does not hold BG (BZ-10)")
    refused(state, "R=GG", "R=GG is not among the equations in force (BZ-10)")


def test_BZ_11_with_no_stones_only_a_roll_and_no_passing():
    state = at("-,RW")
    assert [*state.actions(0)] == ["roll"]
    refused(state, "done", "there is no passing: roll or trade (BZ-11)")


def test_BZ_12_one_ware_after_the_roll_or_trade_never_before_never_forced():
    state = at("RWBGYY,-")
    refused(state, "buy 1", "cannot buy before rolling or trading (BZ-12)")
    open_ = state.after("roll").after("G")
    assert [*open_.actions(0)] == ["buy 1", "done"]
    refused(open_, "buy 2", "RWBGGYY does not hold WWWWW (BZ-12)")
    refused(open_, "buy 5", "there is no stall 5; there are 4 (BZ-7)")
    assert open_.after("done").turn == 1 and open_.after("done").scores() == (0, 0)
    bought = open_.after("buy RWBGY")
    assert (
        bought.holdings[0] == Stones("GY") and bought.stock.counts == (20, 20, 20, 19, 19) and bought.scores() == (2, 0)
    )


def test_BZ_13_the_next_card_of_the_stall_comes_up_at_once_and_the_turn_is_over():
    bought = at("RWBGYY,-", step="buy").after("buy 1")
    assert bought.actors == (CHANCE,) and bought.under == (3, 4, 4, 4) and len(bought.outcomes()) == 41
    shown = bought.after("ware RRWWG")
    assert str(shown.wares[0]) == "RRWWG" and shown.actors == (1,)
    refused(bought, "ware GGGGG*", "ware GGGGG* cannot come up here (BZ-7)")


def test_BZ_14_the_tenth_stone_stays_and_of_eleven_the_left_neighbour_takes_one_back():
    tenth = at("RRRRRRRRR,-,-", step="die").after("R")
    assert tenth.turn == 1 and len(tenth.holdings[0]) == 10
    eleventh = at("RRRRRRRRRB,W,-", step="die").after("B")
    assert eleventh.actors == (1,) and [*eleventh.actions(1)] == ["return R", "return B"] and not eleventh.actions(0)
    refused(eleventh, "return R", "p1 is to act now, not p0 (BZ-8)", player=0)
    refused(eleventh, "return G", "one of the stones RRRRRRRRRBB must go back (BZ-14)")
    after = eleventh.after("return R", 1)
    assert after.holdings[0] == Stones("RRRRRRRRBB") and after.actors == (1,) and after.stock.counts[0] == 12
    last = at("-,-,RRRRRRRRRB", step="die", turn=2).after("B")
    assert last.actors == (0,)
    assert at("RRRRRRRRRB", "RWBGY:0", step="die").after("B").actors == (0,)  # alone


def test_BZ_14_eleven_after_a_roll_may_buy_or_lose_a_stone():
    state = at("RWBGYYYYYY,-", step="die").after("Y")
    assert [*state.actions(0)] == ["buy 1", "done"]
    assert len(state.after("buy 1").holdings[0]) == 6
    assert state.after("done").actors == (1,) and state.after("done").step.name == "RETURN"


def test_BZ_14_a_trade_above_ten_only_if_the_same_turn_buys_and_then_it_must():
    state = at("RWWWYYYYYY,-")
    above = state.after("R=WW")
    assert len(above.holdings[0]) == 11 and [*above.actions(0)] == ["buy 2"]
    refused(above, "done", "the trade passed ten stones, so this turn must buy (BZ-14)")
    assert above.after("buy 2").scores() == (2, 0)
    none = at("RYYYYYYYYY,-")
    assert "R=WW" not in none.actions(0)
    refused(none, "R=WW", "R=WW would make 11 stones, more than ten, and none of the wares could be bought (BZ-14)")
    assert "R=WW" in at("RYYYYYYYY,-").actions(0)  # the tenth stone


def test_BZ_14_option_penalty_a_trade_above_ten_is_legal_and_the_neighbour_takes_it_down():
    state = at("RYYYYYYYYY,-,-", exchange="R=WWWW", over_ten="penalty").after("R=WWWW")
    assert len(state.holdings[0]) == 13 and state.actors == (1,)
    for left in (12, 11):
        state = state.after("return W")
        assert len(state.holdings[0]) == left and state.actors == (1,) and state.turn == 0
    state = state.after("return Y")
    assert state.holdings[0] == Stones("WWYYYYYYYY") and state.actors == (1,) and state.turn == 1
    buying = at("RWWWYYYYYY,-", over_ten="penalty").after("R=WW")
    assert [*buying.actions(0)] == ["buy 2", "done"]  # not compulsory


def test_BZ_15_points_by_column_and_stones_left():
    plain = [at(f"RWBGY{left},-", step="buy").after("buy 1").scores()[0] for left in ("", "Y", "YY", "YYY", "YYYYY")]
    assert plain == [5, 3, 2, 1, 1]
    stars = [at(f"WWWWW{left},-", step="buy").after("buy 2").scores()[0] for left in ("", "Y", "YY", "YYY", "YYYYY")]
    assert stars == [8, 5, 3, 2, 2]
    own = at("RWBGY,-", step="buy", points="50,3,2,1/8,5,3,2/12,8,5,3")
    assert own.after("buy 1").scores() == (50, 0)


def test_BZ_16_one_column_higher_once_a_stall_is_empty_but_not_for_the_purchase_that_empties_it():
    emptying = at("WWWWW,-", "RWBGY:4,WWWWW*:0,BBBBB*:4,GGGGG*:4", step="buy").after("buy 2")
    assert emptying.scores() == (8, 0) and emptying.empty_stalls == 1 and emptying.actors == (1,)
    afterwards = at("BBBBB,-", "RWBGY:4,-:0,BBBBB*:4,GGGGG*:4", step="buy")
    assert afterwards.after("buy 3").scores() == (12, 0)
    refused(afterwards, "buy 2", "stall 2 is empty (BZ-7)")


def test_BZ_17_the_second_empty_stall_closes_the_bazaar_at_once():
    state = at("RWBGY,YY,B", "RWBGY:0,-:0,BBBBB*:4,GGGGG*:4", step="buy").after("buy 1")
    assert state.actors == () and state.scores() == (8, 0, 0) and state.winners() == (0,)
    refused(state, "roll", "the game is over (BZ-17)")
    refused(state, "roll", "the game is over (BZ-17)", player=1)


@pytest.mark.parametrize(
    ("bought", "winners"),
    [
        ("RWBGY:5,RRWGY:3,WBBGY:2", (0,)),
        ("RWBGY:3;WBBGY:2,RRWGY:5,-", (1,)),
        ("RWBGY:5,RRWGY:5,WBBGY:2", (0, 1)),
        ("-,-,-", (0, 1, 2)),
    ],
)
def test_BZ_18_highest_score_then_fewest_wares_then_shared(bought, winners):
    assert at("-,-,-", "RWWBG:1,-:0,-:0,GGGGG*:4", step="over", bought=bought).winners() == winners


@pytest.mark.parametrize(("idle", "over"), [(5, False), (6, False), (7, True)])
def test_BZ_19_too_many_turns_without_a_purchase_close_the_bazaar(idle, over):
    state = at("R,-", idle=idle, patience=4).after("R=WW")
    assert (state.actors == ()) is over and state.idle == idle + 1
    assert at("R,-", idle=idle, patience=0).after("R=WW").actors


def test_BZ_19_a_purchase_starts_the_count_anew():
    state = at("RWBGY,-", idle=7, patience=4, step="buy").after("buy 1").after("ware RRWWG")
    assert state.idle == 0 and state.actors == (1,)


def test_BZ_19_a_hundred_turns_of_each_player_by_default():
    state = bazar.new(2, exchange="R=WWWW", seed=1)
    assert State.parse(str(state).replace("idle=0", "idle=198")).after("roll").after("R").actors
    assert not State.parse(str(state).replace("idle=0", "idle=199")).after("roll").after("R").actors


def double(hands="RWBGYWWWWW,-", stalls="RWBGY:4,WWWWW*:4,BBBBB*:4,GGGGG*:4", **more):
    return at(hands, stalls, step="buy", double="yes", **more)


def test_BZ_20_two_wares_in_a_turn_both_score_by_what_is_left_after_the_second():
    first = double("RWBGYWWWWWY,-").after("buy 1").after("ware RRWWG")
    assert [*first.actions(0)] == ["buy 2", "done"] and first.scores() == (0, 0)
    both = first.after("buy 2")
    assert both.scores() == (3 + 5, 0) and both.actors == (CHANCE,)  # one stone is left
    assert both.after("ware RRWBB").actors == (1,)
    one = first.after("done")
    assert one.scores() == (1, 0) and one.actors == (1,) and one.idle == 0  # six stones are left over


def test_BZ_20_the_card_that_the_first_uncovers_may_be_the_second():
    first = double("RWBGYRRWWG,-").after("buy 1")
    assert [*first.after("ware RRWWG").actions(0)] == ["buy 1", "done"]
    assert first.after("ware RRRRR*").actors == (1,)  # nothing to decide
    assert first.after("ware RRRRR*").scores() == (1, 0)


@pytest.mark.parametrize(
    ("stalls", "option", "points"),
    [
        ("RWBGY:4,WWWWW*:4,BBBBB*:4,GGGGG*:4", "both", 5 + 8),
        ("RWBGY:0,WWWWW*:4,BBBBB*:4,GGGGG*:4", "both", 5 + 12),  # the first empties a stall
        ("RWBGY:0,WWWWW*:4,BBBBB*:4,GGGGG*:4", "first", 5 + 12),
        ("RWBGY:4,WWWWW*:0,BBBBB*:4,GGGGG*:4", "both", 5 + 12),  # the second does
        ("RWBGY:4,WWWWW*:0,BBBBB*:4,GGGGG*:4", "first", 5 + 8),
        ("RWBGY:4,WWWWW*:4,-:0,GGGGG*:4", "both", 8 + 12),  # one was empty before: it counts for both (BZ-16)
        ("RWBGY:4,WWWWW*:4,-:0,GGGGG*:4", "first", 8 + 12),
        ("RWBGY:4,WWWWW*:0,-:0,GGGGG*:4", "both", 8 + 12),  # the columns end at two stars
    ],
)
def test_BZ_20_the_second_scores_higher_if_a_stall_is_empty_after_both(stalls, option, points):
    state = double(stalls=stalls, double_star=option).after("buy 1")
    if state.actors == (CHANCE,):
        state = state.after("ware RRWWG")
    assert state.after("buy 2").scores() == (points, 0)


def test_BZ_20_the_first_purchase_that_closes_the_bazaar_is_the_last():
    state = double(stalls="RWBGY:0,WWWWW*:4,-:0,GGGGG*:4").after("buy 1")
    assert state.actors == () and state.scores() == (2, 0)  # five stones are left over


def test_BZ_23_no_purchase_that_leaves_too_many():
    state = at("RWBGYYY,-", step="die", max_left=2)
    assert state.after("R").turn == 1  # three would be left
    two = at("RWBGYYY,-", step="buy", max_left=2)
    assert [*two.actions(0)] == ["buy 1", "done"]
    refused(
        at("RWBGYYYWWWW,-", step="buy", max_left=2),
        "buy 1",
        "a purchase may leave 2 stones at most (BZ-23)",
    )


def test_BZ_30_a_solitaire_buys_with_nothing_left_and_counts_turns():
    start = bazar.new(1, (1, 4), seed=2)
    assert len(start.wares) == 1 and start.scores() == (0,)
    state = at("RWBG", "RWBGY:0", step="die", idle=3)
    assert at("RWBGY", "RWBGY:0", step="die", idle=3).after("R").scores() == (-4,)  # one stone too many
    bought = state.after("Y").after("buy 1")
    assert bought.actors == () and bought.scores() == (-4,) and bought.winners() == (0,)


def test_BZ_30_a_series_goes_on_with_the_next_ware():
    state = at("RWBG", "RWBGY:1", step="die", idle=3, series=2).after("Y").after("buy 1").after("ware RRWWG")
    assert state.actors == (0,) and state.scores() == (-4,) and state.holdings == (Stones(""),)
    assert state.after("roll").after("R").scores() == (-5,)


@pytest.mark.parametrize("options", [{}, {"double": True}, {"over_ten": "penalty"}], ids=str)
def test_BZ_30_the_score_of_a_series_is_minus_the_turns_at_every_step_of_it(options):
    """A turn counts from the purchase, or from its end, on; here the turns are counted move by move."""
    for seed in range(3):
        start = bazar.new(1, (1, 4), seed=seed, series=3, **options)
        turns = 0
        for state in bots.finish(Record.begin(start), ["chain"], seed).states():
            open_ = state.step.name in ("DIE", "CHOICE", "BUY", "MUST", "RETURN")
            turns += state.step.name == "TURN"
            assert state.scores() == (-(turns - (open_ or state.step.name == "TURN")),), str(state)
        assert len(state.bought[0]) == 3 and turns > 6


def test_BZ_20_and_30_with_nothing_left_there_is_no_second_purchase():
    state = at("RWBG", "RWBGY:1", step="die", idle=3, series=2, double="yes").after("Y").after("buy 1")
    assert state.actors == (CHANCE,) and not state.first and state.scores() == (-4,)


# Typed actions, and options


@pytest.mark.parametrize(
    ("typed", "exact"),
    [("Roll", "roll"), (" roll ", "roll"), ("2W <-> red", "WW=R"), ("W = G B", "W=BG"), ("ww=r", "WW=R")],
)
def test_kind_reading_of_actions(typed, exact):
    state = at("WWR,-")
    assert state.after(typed) == state.after(exact)


@pytest.mark.parametrize("typed", ["", "fly", "buy", "take", "take RW", "return 5", "roll now", "cards x"])
def test_what_is_no_action_is_said_to_be_none(typed):
    with pytest.raises(ParseError):
        at("WWR,-").after(typed)


def test_chance_and_players_do_not_act_for_each_other():
    refused(at("R,-", step="die"), "roll", "chance acts now, not a player (BZ-5)")
    refused(at("R,-", step="die"), "R", "chance acts now, not p0 (BZ-5)", player=0)
    refused(at("R,-"), "Choice", "Choice is for chance to say, and it is p0 who acts")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"over_ten": "sell"}, "over_ten='sell': must be one of 'buy', 'penalty'"),
        ({"patience": -1}, "patience=-1: must be 0 or more"),
        ({"points": ((1, 2),)}, "points: three columns of four numbers are needed (BZ-15)"),
        ({"series": 0}, "series=0: must be 1 or more"),
    ],
)
def test_options_that_cannot_be(options, message):
    with pytest.raises(ValueError) as error:
        Rules(**options)
    assert str(error.value) == message


ELEVEN = "R=W R=B R=G R=Y W=B W=G W=Y B=G B=Y G=Y RR=WW"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cards": (1, 1)}, "cards 1, 1: each card is there once (BZ-3)"),
        ({"cards": (1, 2, 3)}, "15 equations; an exchange has 1 to 10 (BZ-3)"),
        ({"cards": ()}, "0 equations; an exchange has 1 to 10 (BZ-3)"),
        ({"cards": (1, 11)}, "there is no exchange card 11; deck 'house' has 1, 2, 3, 4, 5, 6, 7, 8, 9, 10"),
        ({"exchange": ELEVEN}, "11 equations; an exchange has 1 to 10 (BZ-3)"),
        ({"exchange": ""}, "0 equations; an exchange has 1 to 10 (BZ-3)"),
        ({"exchange": "R=WW WW=R"}, "equation WW=R is there twice"),
    ],
    ids=str,
)
def test_BZ_3_and_7_an_exchange_that_cannot_be_is_refused_by_a_game_and_by_its_text(options, message):
    with pytest.raises(ValueError) as error:
        bazar.new(**options)
    assert str(error.value) == message
    ((name, value),) = options.items()
    text = str(bazar.new(cards=(1, 4), seed=1))
    given = f"{name}={','.join(value.split() if isinstance(value, str) else map(str, value))}"
    with pytest.raises(ParseError) as error:
        State.parse(text.replace("cards=1,4", given))
    if value:
        assert message in str(error.value)
    else:  # no card's number, no equation
        assert f"{name}= cannot be" in str(error.value) or message in str(error.value)


@pytest.mark.parametrize("options", [{"cards": (3,)}, {"exchange": "R=W"}, {"exchange": ELEVEN[:-6]}], ids=str)
def test_BZ_3_one_card_and_one_to_ten_equations_are_an_exchange(options):
    state = bazar.new(seed=1, **options)
    assert 1 <= len(state.equations) <= 10 and State.parse(str(state)) == state


def test_a_deck_of_ones_own_is_played_and_stands_in_the_text():
    cards = "\n".join(f"card {n}\n" + "\n".join(EXCHANGE.split()[:5]) if n == 1 else "" for n in (1,))
    wares = "\n".join(str(ware) for ware in Deck.house().wares[:20])
    deck = Deck.parse(f"{cards}\nwares\n{wares}")
    state = bazar.new(2, cards=(1,), deck=deck, seed=5)
    assert State.parse(str(state)) == state and len(state.equations) == 5
    with pytest.raises(ValueError, match=r"has 3 wares; 20 are needed \(BZ-7\)"):
        bazar.new(2, cards=(1,), deck=Deck(deck.name, deck.cards, deck.wares[:3]))
    with pytest.raises(ValueError, match="no two exchange cards"):
        bazar.new(2, deck=deck)


EXCHANGE_WORD = f"exchange={','.join(str(Equation(e)) for e in EXCHANGE.split())}"
STALLS_WORD = "stalls=RWBGY:4,WWWWW*:4,BBBBB*:4,GGGGG*:4"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("hands=RWW,-", "hands=RWW"), "state of bazar: hands=RWW cannot be"),
        (("players=2", "players=0"), "state of bazar: players=0 cannot be: 1 to 6 can play (BZ-6)"),
        (("players=2", "players=7"), "state of bazar: players=7 cannot be: 1 to 6 can play (BZ-6)"),
        (("players=2", "players=x"), "state of bazar: players=x cannot be"),
        ((EXCHANGE_WORD, "cards=1,14"), "state of bazar: cards=1,14 cannot be: there is no exchange card 14; deck"),
        ((EXCHANGE_WORD, "cards=1,1,1"), "cards=1,1,1 cannot be: cards 1, 1, 1: each card is there once (BZ-3)"),
        ((EXCHANGE_WORD, f"{EXCHANGE_WORD} cards=1,4"), "give an exchange or cards, not both"),
        ((f"{EXCHANGE_WORD} ", ""), "step=turn cannot be: the exchange is drawn at step=cards, and only there (BZ-7)"),
        (
            ("step=turn", "step=cards"),
            "step=cards cannot be: the exchange is drawn at step=cards, and only there (BZ-7)",
        ),
        (("turn=p0", "turn=chance"), "it is chance's turn, then never (BZ-8)"),
        (("step=turn", "step=first"), "until the first player is drawn it is chance's turn, then never (BZ-8)"),
        (("RWW,-", "2R13W,-"), "RRWWWWWWWWWWWWW: at most 10 stones there (BZ-14)"),
        (("RWW,-", "RWW,2R9W"), "RRWWWWWWWWW: at most 10 stones there (BZ-14)"),
        (("turn turn=p0 hands=RWW", "buy turn=p0 hands=14R"), "RRRRRRRRRRRRRR: at most 13 stones there (BZ-14)"),
        (("step=turn", "step=must"), "step=must cannot be: nothing can be bought there, so nothing must be (BZ-14)"),
        (("step=turn", "step=return"), "hands=RWW,- cannot be: of ten stones or fewer none goes back (BZ-14)"),
        (("RWW,-", "RWQ,-"), "unknown colour"),
        ((STALLS_WORD, "stalls="), "stalls= cannot be"),
        ((STALLS_WORD, "stalls=RWBGY:4"), "stalls=RWBGY:4 cannot be: stalls needed: 4 (BZ-7)"),
        (("RWBGY:4", "RWBGY:-4"), "-4 below, where 0 to 4 can lie (BZ-7)"),
        (("RWBGY:4", "RWBGY:5"), "5 below, where 0 to 4 can lie (BZ-7)"),
        (("RWBGY:4", "-:1"), "1 below, where 0 to 0 can lie (BZ-7)"),
        (("RWBGY:4", "RWBGY"), "stalls=RWBGY,WWWWW*:4,BBBBB*:4,GGGGG*:4 cannot be"),
        (("RWBGY:4", "?:4"), "a covered ware is turned up at step=ware, and then none is left (BZ-7, BZ-13)"),
        (
            ("step=turn", "step=ware"),
            "a covered ware is turned up at step=ware, and then none is left (BZ-7, BZ-13)",
        ),
        (("RWBGY:4", "WWWWW*:4"), "a ware is there twice (BZ-4)"),
        (("bought=-,-", "bought=-"), "bought=- cannot be: wares, or -, for each of 2 players"),
        (("bought=-,-", "bought=-:5,-"), "bought=-:5,- cannot be"),
        (("bought=-,-", "bought=RRWGY:x,-"), "bought=RRWGY:x,- cannot be"),
        (("idle=0", "idle=-3"), "idle=-3 cannot be: a number from 0 up is needed"),
        (("idle=0", "idle=200"), "idle=200 cannot be: the bazaar is closed by then (BZ-19)"),
        (("idle=0", "idle=0 first=RRWGY:0"), "first=RRWGY:0 cannot be: no first purchase can be open here (BZ-20)"),
        (("turn=p0", "turn=p2"), "state of bazar: turn=p2 cannot be: there is no p2, only p0 and p1"),
        (("step=turn", "step=lunch"), "state of bazar: step=lunch cannot be"),
        (("WWWWW*:4", "WWWWW:4"), "state of bazar: stalls=RWBGY:4,WWWWW:4,BBBBB*:4,GGGGG*:4 cannot be"),
        (("bought=-,-", "bought=RWBGY:5,-"), "state of bazar: bought=RWBGY:5,- cannot be"),
        (("idle=0", ""), "state of bazar: idle= is missing"),
        (("idle=0", "idle=0 idle=1"), "state of bazar: 'idle=1' is there twice"),
        (("idle=0", "idle=0 moon=1"), "state of bazar: 'moon=1' does not belong here"),
        (("idle=0", "double=maybe idle=0"), "double=maybe: cannot read this option"),
        (("bazar ", "chess "), "a state of bazar begins with 'bazar'"),
    ],
)
def test_a_text_that_cannot_be_a_state_is_refused_with_its_fault(change, message):
    text = str(at("RWW,-"))
    assert change[0] in text
    with pytest.raises(ParseError) as error:
        State.parse(text.replace(*change))
    assert message in str(error.value)


@pytest.mark.parametrize("players", [1, 2, 3, 6])
@pytest.mark.parametrize("options", [*OPTIONS.values(), {"hidden": True, "timer": 60}], ids=str)
def test_every_state_of_a_game_reads_back(options, players):
    """Including set-up, and from the text alone: no text that is refused when typed comes up in play."""
    more = {"series": 2} if players == 1 else {}
    for seed in range(2):
        given = {"exchange": EXCHANGE} if seed else {}
        state, rng = bazar.new(players, **given, **options, **more), random.Random(seed)
        for _step in range(150):
            assert State.parse(str(state)) == state
            if not state.actors:
                break
            actor, action = choose(state, rng)
            state = state.after(action, None if actor == CHANCE else actor)


@cache
def texts():
    """Return texts of states of every step, and for each name in them all the values that it has in any."""
    found, values = [], {}
    for seed, (players, options) in enumerate(
        [(1, {"series": 2}), (2, {"double": True}), (3, {"over_ten": "penalty"})]
    ):
        state, rng = bazar.new(players, exchange=EXCHANGE if seed else None, **options), random.Random(seed)
        for _step in range(250):
            found.append(str(state))
            for word in found[-1].split()[1:]:
                values.setdefault(word.partition("=")[0], set()).add(word.partition("=")[2])
            if not state.actors:
                break
            actor, action = choose(state, rng)
            state = state.after(action, None if actor == CHANCE else actor)
    return found, {name: sorted(there) for name, there in values.items()}


WRONG = [
    "",
    "-",
    "0",
    "-1",
    "1",
    "7",
    "99",
    "x",
    "?",
    "?:4",
    "-:0",
    "p3",
    "chance",
    "RRRRRRRRRRRRRRR",
    "1,1",
    "R=WW",
    "yes",
]


@settings(max_examples=150)
@given(st.data())
def test_a_text_changed_by_hand_is_refused_as_unreadable_or_is_a_state_that_plays_on(data):
    """One or two values of a state's text come from another, are nonsense, or half of both: only `ParseError`."""
    found, values = texts()
    words = data.draw(st.sampled_from(found)).split()
    for _change in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.integers(1, len(words) - 1))
        name, _sign, value = words[place].partition("=")
        first, last = (data.draw(st.integers(0, len(value))) for _cut in range(2))
        edited = value[:first] + data.draw(st.sampled_from(WRONG)) + value[last:]
        others = data.draw(st.sampled_from([[edited], WRONG, values[name]]))
        words[place] = f"{name}={data.draw(st.sampled_from(others))}"
    try:
        state = State.parse(" ".join(words))
    except ParseError:
        return
    assert State.parse(str(state)) == state
    for _state, _move in zip(play_on(state, random.Random(0)), range(12), strict=False):
        pass


@pytest.mark.parametrize("step", ["turn", "die", "choice", "buy", "must", "return", "ware"])
@pytest.mark.parametrize("stalls", ["-:0,-:0,-:0,-:0", "RWBGY:4,-:0,-:0,RRWGY:0", "-:0,RWBGY:0,-:0,-:0"])
def test_BZ_17_a_text_in_which_the_bazaar_must_have_closed_is_refused(step, stalls):
    text = (
        f"bazar players=2 deck=house cards=1,4 step={{}} turn=p0 hands=RWBGYYYYYYY,R stalls={stalls} bought=-,- idle=0"
    )
    with pytest.raises(ParseError, match=r"closed.*\(BZ-17\)" if step in ("buy", "must", "return") else r"\(BZ-\d+\)"):
        State.parse(text.format(step))
    over = State.parse(text.format("over").replace("RWBGYYYYYYY", "RWBGY"))
    assert not over.actors and over.winners() == (0, 1)


def test_BZ_17_no_step_of_the_solitaire_but_its_end_has_an_empty_stall():
    text = "bazar players=1 deck=house cards=1,4 step={} turn=p0 hands=RWBGY stalls=-:0 bought=- idle=3"
    with pytest.raises(ParseError, match=r"closed.*\(BZ-17\)"):
        State.parse(text.format("turn"))
    assert not State.parse(text.format("over")).actors
