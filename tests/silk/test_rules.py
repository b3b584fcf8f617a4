"""The Silk Road's rules by number, with their boundaries, and the laws of every game."""

import random
import sys
from subprocess import run

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tradekit import Record, silk, testing
from tradekit.game import CHANCE, IllegalAction, ParseError, play_on, random_moves
from tradekit.silk import Rules, State
from tradekit.silk.cards import read, text
from tradekit.silk.parameters import Step
from tradekit.silk.rules import GAME

MARKET = "silk:43210,tea:32104,cloth:21043,ivory:10432,spices:04321"
HANDS = "silk:9,8,7,1/tea:6,3;tea:9,5,2/cloth:4;ivory:10,9/spices:2"


def word(cards):
    """Return a set of cards in the notation of a state: ``silk:9,4/tea:2`` from ``silk 9 4 tea 2``."""
    words = []
    for item in cards.strip("-").split():
        if item.isalpha():
            words.append([item, []])
        else:
            words[-1][1].append(item)
    return "/".join(f"{good}:{','.join(values)}" for good, values in words) or "-"


def at(hands, *, step="turn", turn=0, market=MARKET, **more):
    """Return a position: hands as text, one per player (two players and the neutral with players=2)."""
    hands = [word(hand) if ":" not in hand else hand for hand in hands.split(";")]
    players = more.pop("players", len(hands))
    rules = {name: more.pop(name) for name in Rules.names() if name in more}
    said = {
        "players": players, **rules, "step": step, "turn": f"p{turn}", "market": market, "hordes": 4,
        "hands": ";".join(hands), "discards": "-", "safeguards": ";".join("-" * players),
        "dinars": ",".join("0" * players), "idle": 0, **more,
    }  # fmt: skip
    return State.parse(" ".join(["silk", *(f"{name}={value}" for name, value in said.items())]))


def everything_else_gone(hands, kept="", **more):
    """Return a position whose draw pile has just the cards `kept`: all others are among the discards."""
    state = at(hands, **more)
    return replaced(state, discards=text(state.unseen & ~read(kept) if kept else state.unseen))


def replaced(state, **values):
    """Return the state with other values in its text; sets of cards can be written plainly."""
    words = dict(pair.split("=") for pair in str(state).split()[1:])
    for name, value in values.items():
        words[name] = word(value) if name == "discards" else value
    return State.parse(" ".join(["silk", *(f"{name}={value}" for name, value in words.items())]))


def refused(state, action, message, player=None):
    with pytest.raises(IllegalAction) as error:
        state.after(action, player)
    assert str(error.value) == message


def drawn(state, *actions):
    """Return the state after these actions, with chance drawing its first outcome in between."""
    for action in actions:
        while state.actors == (CHANCE,):
            state = state.after(state.outcomes()[0][0])
        state = state.after(action)
    return state


# The laws of every game

LAWS = [
    *[(players, {}) for players in (2, 3, 4, 5)],
    *[(players, {"zeros": "stay", "dropped": 1}) for players in (2, 4)],
    *[(players, {"last_turns": "rounds", "patience": 3}) for players in (2, 5)],
    *[(players, {"neutral_leaves": 1, "first_hand": 7, "bought": 2}) for players in (2, 3)],
    *[(players, {"run_outs": 3, "bribe": 3, "audience": 12, "patience": 0}) for players in (2, 4)],
    *[(players, {"run_outs": 1, "bonus": ((5, 6), (9, 9)), "first_hand": 3}) for players in (2, 5)],
]


@pytest.mark.parametrize(("players", "options"), LAWS, ids=str)
def test_the_silk_road_keeps_the_laws_of_every_game(players, options):
    checked = testing.check_game(GAME, plays=1, dear=0.04, seed=players, players=players, **options)
    assert checked.plays == 1 and checked.decisions > 20


@pytest.mark.parametrize("players", [2, 3, 5])
def test_many_games_end_and_conserve_the_cards(players):
    """SI-1, SI-52, SI-53: fifty cards in every state, each in one place; and every game ends and has winners."""
    for seed in range(60):
        rng = random.Random(seed)
        for state in play_on(silk.new(players), rng):
            assert state.conserved() == (50, 50)
        assert state.winners() and not state.actors


def test_the_rules_need_the_standard_library_alone():
    code = "import sys; from tradekit import silk; silk.new(3, seed=1).actions(0); print('numpy' in sys.modules)"
    assert run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_a_game_is_read_by_its_name_and_a_record_replays_it():
    start = silk.new(4, zeros="stay")
    record = Record.begin(start)
    for _state, actor, action in random_moves(start, random.Random(8)):
        if action is not None:
            record = record.with_move(action, actor)
    assert Record.parse(str(record)).state() == record.state() and not record.state().actors


# Set-up


def test_SI_1_SI_3_SI_4_SI_5_the_set_up_is_chance():
    state = silk.new(3)
    assert state.actors == (CHANCE,) and len(state.outcomes()) == 120
    state = state.after("market ivory tea silk spices cloth")
    assert state.market.shown == (4, 3, 2, 1, 0) and state.market.row == (3, 1, 0, 4, 2)
    for dealt in range(15):
        assert len(state.outcomes()) == 50 - dealt
        assert [hand.bit_count() for hand in state.hands] == [min(5, max(0, dealt - 5 * p)) for p in range(3)]
        state = state.after(state.outcomes()[-1][0])
    assert state.holdings[0] == "spices 6 7 8 9 10" and state.pile == 35
    assert state.outcomes() == [(f"first p{p}", 1 / 3) for p in range(3)]
    begun = state.after("first p2")
    assert begun.turn == 2 and begun.step is Step.DRAW and begun.dinars == (0, 0, 0)
    refused(state, "first p3", "first p3 cannot come up here (SI-14)")


def test_SI_5_turns_go_to_the_left():
    state, order = silk.new(3, seed=4, dropped=0), []
    for _turn in range(4):
        state = drawn(state, "pass")
        order.append(state.turn)
    first = order[0]
    assert order == [first, (first + 1) % 3, (first + 2) % 3, first]


@pytest.mark.parametrize("players", [1, 6])
def test_SI_5_two_to_five_can_play(players):
    with pytest.raises(ValueError, match="2 to 5 can play"):
        silk.new(players)


# A turn


@pytest.mark.parametrize(("hand", "draws"), [("silk 1 2 3 4 5 6", True), ("silk 1 2 3 4 5 6 7", False)])
def test_SI_6_with_six_cards_one_is_drawn_with_seven_none(hand, draws):
    state = at(f"tea 1 2 3;{hand};ivory 1 2 3", dropped=0).after("pass")
    assert state.turn == 1 and (state.actors == (CHANCE,)) is draws
    if draws:
        assert len(state.outcomes()) == 50 - 12 and sum(p for _a, p in state.outcomes()) == pytest.approx(1)
        assert state.after("draw cloth 5").holdings[1] == f"{hand} cloth 5"
        refused(state, "draw silk 1", "draw silk 1 cannot come up here (SI-14)")
        refused(state, "pass", "chance acts now, not a player (SI-6)")


def test_SI_7_one_action_of_six_and_then_the_next_turn():
    state = at(HANDS, dropped=0)
    assert state.after("pass").turn == 1
    refused(state, "done", "a turn is one of six actions; to do nothing is to pass (SI-7)")
    refused(state, "pass", "p0 is to act now, not p1 (SI-5)", player=1)
    refused(state, "draw tea 1", "draw tea 1 is for chance to say, and it is p0 who acts")


# Trade


def test_SI_10_both_need_three_cards_and_talk_once():
    state = at("silk 1 2 3;tea 1 2 3;tea 4 5;tea 6 7 8")
    partners = {action.split()[1] for action in state.actions(0) if action.startswith("offer")}
    assert partners == {"p1", "p3"}
    refused(state, "offer p2 silk 1 2 as silk", "p2 holds fewer than three cards and cannot trade (SI-10)")
    refused(state, "offer p0 silk 1 2 as silk", "talk with another player, not with yourself (SI-10)")
    refused(state, "offer p4 silk 1 2 as silk", "no player has the number 4: the others here are p1, p2 and p3 (SI-10)")
    refused(
        state, "offer p12 silk 1 2 as silk", "no player has the number 12: the others here are p1, p2 and p3 (SI-10)"
    )
    two = at("silk 1 2;tea 1 2 3;tea 6 7 8")
    refused(two, "offer p1 silk 1 2 as silk", "p0 holds fewer than three cards and cannot trade (SI-10)")
    talked = state.after("offer p1 silk 1 2 as silk").after("decline")
    assert talked.actors == (0,) and talked.step is Step.TRADE
    assert {action.split()[1] for action in talked.actions(0) if action.startswith("offer")} == {"p3"}
    refused(talked, "offer p1 silk 1 2 as silk", "one talk with each player a turn, and that with p1 is over (SI-10)")


def test_SI_10_several_partners_in_a_turn_while_three_cards_are_left():
    state = at("silk 1 2 3 4;tea 1 2 3;tea 6 7 8")
    state = drawn(state, "offer p1 silk 1 2 as silk", "answer tea 1 2 as tea", "accept")
    assert state.step is Step.TRADE and state.exchanged
    actions = [*state.actions(0)]
    assert actions[-1] == "done" and {action.split()[0] for action in actions} == {"offer", "done"}
    assert state.after("done").turn == 1
    poorer = at("silk 1 2 3 4;tea 1 2 3;tea 6 7 8")
    poorer = drawn(poorer, "offer p1 silk 1 2 3 as silk", "answer tea 1 2 as tea", "accept")
    assert poorer.holdings[0] == "silk 4 tea 1 2" and poorer.actors == (0,)
    poorest = at("silk 1 2 3;tea 1 2 3;tea 6 7 8")
    poorest = drawn(poorest, "offer p1 silk 1 2 3 as silk", "answer tea 1 2 as tea", "accept")
    assert poorest.turn == 1  # with two cards there is no partner, and nothing to decide


def test_SI_11_an_offer_says_how_many_a_good_and_the_true_sum():
    state = at("silk 9 1 ivory 7;tea 1 2 3;tea 6 7 8").after("offer p1 silk 9 ivory 7 as ivory")
    assert str(state.offers[0]) == "2 cards, 16 points of ivory" and state.actors == (1,)
    assert state.offers[0] == (read("silk 9 ivory 7"), 3, 2, 16)
    state = state.after("answer tea 1 2 3 as tea")
    assert state.actors == (0,) and [*state.actions(0)] == ["accept", "decline"]
    assert str(state.offers[1]) == "3 cards, 6 points of tea"
    done = state.after("accept")
    assert done.holdings[:2] == ("silk 1 tea 1 2 3", "silk 9 ivory 7")  # the two numbers may differ
    before = at("silk 9 1 ivory 7;tea 1 2 3;tea 6 7 8")
    refused(before, "offer p1 ivory 7 as ivory", "an offer is two cards or more (SI-11)")
    refused(before, "offer p1 silk 9 1 as ivory", "name a good that is among the cards offered; ivory is not (SI-11)")
    refused(before, "offer p1 silk 9 8 as silk", "p0 does not hold silk 8 (SI-14)")


def test_SI_11_the_answer_leaves_both_at_seven_or_fewer():
    state = at("silk 1 2 3 4 5 6;tea 1 2 3 4 5 6 7;ivory 1").after("offer p1 silk 1 2 as silk")
    sizes = {len([w for w in action.split() if w.isdecimal()]) for action in state.actions(1) if action != "decline"}
    assert sizes == {2, 3}  # p0 holds 4 + n, p1 holds 9 - n
    message = "answer with 2 to 3 cards, so that both end with seven or fewer (SI-11)"
    refused(state, "answer tea 1 2 3 4 as tea", message)
    more = at("silk 1 2 3 4 5 6;tea 1 2 3 4 5 6 7;ivory 1").after("offer p1 silk 1 2 3 4 as silk")
    refused(more, "answer tea 1 2 3 as tea", "answer with 4 to 5 cards, so that both end with seven or fewer (SI-11)")
    refused(more, "accept", "an offer is open: answer it with cards of your own, or decline (SI-11)")
    refused(
        more.after("answer tea 1 2 3 4 as tea"),
        "answer tea 1 2 3 4 as tea",
        "an answer is open: accept or decline (SI-11)",
    )


def test_SI_11_the_first_may_decline_the_answer():
    state = at("silk 1 2 3;tea 1 2 3;tea 6 7 8")
    after = drawn(state, "offer p1 silk 1 2 as silk", "answer tea 1 2 as tea", "decline")
    assert after.hands == state.hands and after.step is Step.TRADE and not after.exchanged
    refused(after, "accept", "no talk is open (SI-11)")


def test_SI_12_barter_puts_a_card_under_the_pile_and_draws_one():
    state = at(HANDS).after("barter silk 9")
    assert state.under == ((8, 0),) and state.actors == (CHANCE,) and state.pile == 50 - 13 + 1
    after = state.after("draw spices 10")
    assert after.turn == 1 and after.holdings[0] == "silk 1 7 8 tea 3 6 spices 10"
    one = at("silk 9;tea 1 2 3;ivory 1 2 3")
    assert [*one.actions(0)] == ["bribe silk up tea down with silk 9", "bribe tea up silk down with silk 9"] + [
        f"bribe {a} up {b} down with silk 9"
        for a, b in [("tea", "cloth"), ("cloth", "tea"), ("cloth", "ivory"), ("ivory", "cloth"),
                     ("ivory", "spices"), ("spices", "ivory")]
    ] + ["barter silk 9", "pass"]  # fmt: skip


def test_SI_12_after_an_exchange_there_is_no_barter():
    state = at("silk 1 2 3 4;tea 1 2 3;tea 6 7 8")
    state = drawn(state, "offer p1 silk 1 2 as silk", "answer tea 1 2 as tea", "accept")
    refused(state, "barter silk 3", "an exchange was made this turn: no barter with the market, but done (SI-12)")


def test_SI_12_the_cards_bartered_come_up_last_and_in_their_order():
    state = everything_else_gone("silk 1 2 3 4 5 6 7;tea 1 2 3;ivory 1", "spices 1", run_outs=3)
    state = state.after("barter silk 1").after("draw spices 1")  # the last unknown card
    assert state.step is Step.TURN and state.turn == 1 and state.holdings[1] == "silk 1 tea 1 2 3"
    assert state.under == () and state.ran_out == 1  # p1's draw emptied the pile


def test_SI_13_a_trade_ends_in_an_exchange_or_a_barter():
    state = at("silk 1 2 3;tea 1 2 3;ivory 1").after("offer p1 silk 1 2 as silk").after("decline")
    assert [*state.actions(0)] == ["barter silk 1", "barter silk 2", "barter silk 3"]
    alone = "a trade was begun, and nobody is left to talk with: barter with the market (SI-7, SI-13)"
    for action in ("done", "pass", "sell tea 1 2 3"):
        refused(state, action, alone)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_SI_13_a_trade_that_was_begun_is_ended_as_the_refusal_and_the_picture_say(players):
    """The advice in both is legal: another offer, a barter, or the end of the trading."""
    rng, seen = random.Random(players), set()
    for _game in range(25):
        for state in play_on(silk.new(players, run_outs=1), rng):
            if state.step is not Step.TRADE:
                continue
            verbs = {action.split()[0] for action in state.actions(state.turn)}
            seen.add(frozenset(verbs))
            said = state.why("pass", state.turn)
            advised = {"offer": "offer again", "barter": "barter", "done": "by done"}
            assert {verb for verb, words in advised.items() if words in said} == verbs
            assert "done" in verbs or state.why("done", state.turn) == said
            shown = state.html(state.turn)
            pictured = {"offer": ": talk with somebody else", "barter": "barter with the market.", "done": "or end the"}
            assert {verb for verb, words in pictured.items() if words in shown} == verbs
    assert seen == {frozenset({"barter"})} if players == 2 else seen > {frozenset({"offer", "done"})}


# Sales


def selling(cards, demand, **more):
    """Return a state in which p0 holds ivory and its pile shows `demand`."""
    order = {4: "ivory:43210", 3: "ivory:32104", 2: "ivory:21043", 1: "ivory:10432"}[demand]
    market = ",".join([order, "silk:43210", "tea:32104", "cloth:21043", "spices:04321"])
    return at(f"{cards};tea 1 2 3;silk 1 2 3", market=market, **more)


def test_SI_20_exactly_as_many_cards_as_the_demand_of_one_good():
    state = selling("ivory 8 5 7 3 2 spices 1 2", 4)
    sales = [action for action in state.actions(0) if action.startswith("sell")]
    assert len(sales) == 5 and sales[0] == "sell ivory 2 3 5 7"
    refused(state, "sell ivory 8 5 7", "ivory is asked for exactly 4 times, not 3 (SI-20)")
    refused(state, "sell ivory 2 3 5 7 8", "ivory is asked for exactly 4 times, not 5 (SI-20)")
    refused(state, "sell spices 1", "spices is not asked for: its demand is 0 (SI-20)")
    refused(state, "sell ivory 8 5 7 spices 1", "a sale is of one good, not of ivory, spices (SI-20)")
    refused(state, "sell ivory 8 5 7 9", "p0 does not hold ivory 9 (SI-14)")


def test_SI_21_the_example_of_the_rule():
    after = selling("ivory 8 5 7 3", 4).after("sell ivory 8 5 7 3")
    assert after.dinars == (10, 0, 0) and after.hordes == 3


@pytest.mark.parametrize(
    ("cards", "dinars"),
    [
        ("ivory 6", 1), ("ivory 7", 2), ("ivory 1 5", 2), ("ivory 1 6", 3), ("ivory 3 10", 3), ("ivory 4 10", 5),
        ("ivory 1 9 10", 6), ("ivory 2 9 10", 9), ("ivory 1 2 3", 3), ("ivory 1 2 4", 4), ("ivory 1 2 3 8", 7),
        ("ivory 1 2 3 7", 5), ("ivory 1 2 3 4", 5), ("ivory 1 4 7 8", 7), ("ivory 1 5 7 8", 10),
    ],
)  # fmt: skip
def test_SI_21_a_dinar_a_card_and_the_bonus_at_7_14_and_21(cards, dinars):
    assert selling(cards, len(cards.split()) - 1).after(f"sell {cards}").dinars == (dinars, 0, 0)


def test_SI_22_the_lowest_card_becomes_a_safeguard():
    after = selling("ivory 8 5 7 3", 4, safeguards="tea:9;-;-").after("sell ivory 8 5 7 3")
    assert after.safeguards == ((18, 32), (), ()) and text(after.discards) == "ivory 5 7 8"


def test_SI_23_the_pile_goes_to_the_end_of_the_row_and_shows_the_next_demand():
    after = at("tea 6 3 1;silk 1 2 3;ivory 1").after("sell tea 6 3 1")
    assert after.market.row == (0, 2, 3, 4, 1) and after.market.shown == (4, 2, 1, 1, 2)


@pytest.mark.parametrize(("zeros", "shown", "demands"), [("turn", (3, 2, 1, 1, 3), 1), ("stay", (3, 2, 1, 0, 3), 1)])
def test_SI_24_both_readings_of_a_zero_before_the_last_place(zeros, shown, demands):
    state = at("silk 1 2 3 4;spices 5 6 7;ivory 1", zeros=zeros, hordes=4, dropped=0).after("sell silk 1 2 3 4")
    assert state.market.shown == shown and state.market.demands[4] == demands
    spices = drawn(state, "sell spices 7")
    assert spices.dinars[1] == 2
    assert spices.market.piles[4] == ((0, 4, 3, 2, 1) if zeros == "turn" else (4, 3, 2, 1, 0))


@pytest.mark.parametrize(("cards", "hordes"), [("ivory 1 2 3 4", 4), ("ivory 1 2 3 8", 3), ("ivory 1 9 10", 3)])
def test_SI_25_a_sale_of_five_leaves_the_hordes_a_sale_of_six_advances_them(cards, hordes):
    after = selling(cards, len(cards.split()) - 1).after(f"sell {cards}")
    assert after.hordes == hordes and after.step is Step.DRAW


@pytest.mark.parametrize(("before", "after", "attack"), [(4, 3, False), (3, 2, False), (1, 0, True), (0, 4, False)])
def test_SI_25_they_attack_when_the_pile_shows_0(before, after, attack):
    state = selling("ivory 8 5 7 3", 4, hordes=before).after("sell ivory 8 5 7 3")
    assert state.hordes == after and (state.step is Step.HORDES) is attack


def test_SI_25_the_first_attack_comes_with_the_fourth_rich_sale_then_every_fifth():
    shown, attacks = 4, []
    for sale in range(1, 15):
        state = selling("ivory 8 5 7 3", 4, hordes=shown).after("sell ivory 8 5 7 3")
        shown = state.hordes
        if state.step is Step.HORDES:
            attacks.append(sale)
    assert attacks == [4, 9, 14]


def raided(mine, *others):
    """Return a raid: p0 sells four cards of ivory and keeps `mine`."""
    market = "ivory:43210,silk:43210,tea:32104,cloth:21043,spices:04321"
    hands = ";".join([f"{mine} ivory 8 5 7 3".strip(), *others])
    return at(hands, market=market, hordes=1, safeguards="-;cloth:10;-").after("sell ivory 8 5 7 3")


def test_SI_25_all_discard_25_or_more_with_no_card_more_than_needed_at_once():
    state = raided("tea 10", "silk 10 9 8 6 1", "tea 9 8 7")
    assert state.actors == (0, 1, 2)
    assert [*state.actions(0)] == ["discard tea 10"]  # worth less: all of it
    assert {*state.actions(1)} == {
        "discard silk 6 9 10", "discard silk 8 9 10", "discard silk 1 6 8 10",
    }  # fmt: skip
    refused(state, "discard silk 8 9", "silk 8 9 is worth 17; the hordes take 25, or all there is (SI-25)", 1)
    refused(state, "discard silk 1 8 9 10", "silk 1 8 9 10 has a card more than needed for 25 (SI-25)", 1)
    refused(state, "discard silk 2", "p1 does not hold silk 2 (SI-14)", 1)
    refused(state, "pass", "the hordes attack: discard goods worth 25, or all (SI-25)", 1)
    refused(state, "discard tea 10", "say who acts: p0, p1, p2 (SI-25)")
    first = state.after("discard silk 1 6 8 10", 1)
    assert first.actors == (0, 2) and first.hands == state.hands  # nothing is shown yet
    refused(first, "discard silk 6 9 10", "p1 has chosen what to discard, or has no cards (SI-25)", 1)
    assert first.view(2) == state.view(2) and first.view(0) == state.view(0) and first.view(1) != state.view(1)
    done = first.after("discard tea 7 8 9", 2).after("discard tea 10", 0)  # 24 and 10: all of it
    assert done.holdings == ("-", "silk 9", "-") and done.turn == 1
    assert done.dinars == (10, 0, 0) and done.safeguards == ((32,), (29,), ())  # these are safe
    assert text(done.discards) == "silk 1 6 8 10 tea 7 8 9 10 ivory 5 7 8"


def test_SI_25_who_has_no_cards_has_nothing_to_choose():
    state = raided("", "tea 1", "-")
    assert state.actors == (1,)
    after = state.after("discard tea 1")
    assert after.step is Step.DRAW and after.turn == 1 and after.holdings == ("-", "-", "-")
    assert raided("", "-", "-").step is Step.DRAW


@given(st.sets(st.integers(0, 49), min_size=1, max_size=7))
def test_SI_25_SI_30_payments_are_those_found_by_trying_all_subsets(numbers):
    from itertools import combinations

    from tradekit.silk import cards as c

    hand = c.cards_of(numbers)
    for cost in (1, 7, 14, 25):
        found = {
            c.cards_of(some)
            for n in range(1, 8)
            for some in combinations(numbers, n)
            if sum(map(c.value_of, some)) >= cost
            and all(sum(map(c.value_of, some)) - c.value_of(number) < cost for number in some)
        }
        listed = c.payments(hand, cost)
        assert {*listed} == found and len(listed) == len(found)


# Bribes


def test_SI_30_a_bribe_costs_seven_of_one_good_or_a_safeguard():
    state = at("silk 6 tea 6 1 3 ivory 7;spices 1;spices 2", safeguards="cloth:5;-;-")
    paid = {action.partition(" with ")[2] for action in state.actions(0) if action.startswith("bribe")}
    assert paid == {"safeguard", "tea 1 6", "tea 3 6", "ivory 7"}
    refused(state, "bribe silk up tea down with silk 6", "silk 6 is worth 6; 7 are needed (SI-30)")
    refused(state, "bribe silk up tea down with silk 6 tea 1", "pay with cards of one good (SI-30)")
    refused(state, "bribe silk up tea down with tea 1 3 6", "tea 1 3 6 has a card more than needed for 7 (SI-30)")
    refused(state, "bribe silk up tea down with tea 9", "p0 does not hold tea 9 (SI-14)")
    poor = at("silk 6;spices 1;spices 2")
    refused(poor, "bribe silk up tea down with safeguard", "that costs 1 safeguard and p0 has 0 (SI-30)")
    assert [*poor.actions(0)] == ["barter silk 6", "pass"]


def test_SI_30_SI_33_the_lowest_card_of_the_payment_or_the_oldest_safeguard_is_the_marker():
    state = at("silk 6 tea 6 1;spices 1;spices 2", safeguards="cloth:5+tea:9;-;-")
    after = state.after("bribe silk up tea down with tea 6 1")
    assert after.marker == (10, 0, 0, 1) and text(after.discards) == "tea 6"
    after = state.after("bribe silk up tea down with safeguard")
    assert after.marker == (24, 0, 0, 1) and after.discards == 0 and after.safeguards[0] == (18,)


def test_SI_31_neighbours_only_one_up_and_one_down():
    state = at("silk 9;spices 1;spices 2")
    assert state.after("bribe tea up cloth down with silk 9").market.shown == (4, 4, 1, 1, 0)
    assert state.after("bribe cloth up tea down with silk 9").market.shown == (4, 2, 3, 1, 0)
    refused(state, "bribe silk up cloth down with silk 9", "silk and cloth do not lie side by side (SI-31)")


def bribed(turn=0, briber="p0", **more):
    return at("silk 1 2 3 4;silk 5 6 7 8 tea 1 2 3;ivory 5", turn=turn, marker=f"cloth:1+{briber}+silk+tea", **more)


def test_SI_32_only_the_briber_may_sell_the_two_goods_wherever_they_lie():
    assert "sell silk 1 2 3 4" in bribed().actions(0)
    other = bribed(turn=1)
    assert not [action for action in other.actions(1) if action.startswith("sell")]
    refused(other, "sell silk 5 6 7 8", "silk is blocked by a bribe; only the briber may sell it (SI-32)")
    moved = at("silk 1 2 3 4;silk 5 6 7 8;ivory 5", turn=1, marker="cloth:1+p0+silk+tea",
               market="tea:32104,cloth:21043,ivory:10432,silk:43210,spices:04321")  # fmt: skip
    refused(moved, "sell silk 5 6 7 8", "silk is blocked by a bribe; only the briber may sell it (SI-32)")


def test_SI_33_a_new_bribe_is_on_two_free_neighbours_and_takes_the_old_marker_away():
    state = bribed(turn=1)
    pairs = {tuple(action.split()[1:4:2]) for action in state.actions(1) if action.startswith("bribe")}
    assert pairs == {("cloth", "ivory"), ("ivory", "cloth"), ("ivory", "spices"), ("spices", "ivory")}
    refused(state, "bribe tea up cloth down with silk 7", "tea is blocked by the bribe that holds (SI-33)")
    after = state.after("bribe ivory up cloth down with silk 7")
    assert after.marker == (6, 1, 2, 3) and text(after.discards) == "cloth 1"
    own = bribed()  # the briber's own goods are blocked for a bribe as well
    assert not any(action.startswith("bribe silk") for action in own.actions(0))


def test_SI_33_the_marker_goes_when_the_briber_sells_either_good():
    after = bribed().after("sell silk 1 2 3 4")
    assert after.marker == () and text(after.discards) == "silk 2 3 4 cloth 1"
    kept = bribed(turn=2, market="ivory:10432,silk:43210,tea:32104,cloth:21043,spices:04321").after("sell ivory 5")
    assert kept.marker == (20, 0, 0, 1)


# Audiences


def test_SI_35_an_audience_costs_fourteen_of_one_good_or_two_safeguards():
    state = at("silk 9 4 tea 9 5 3;spices 1;spices 2", safeguards="cloth:5+cloth:6+cloth:7;-;-")
    paid = {action.partition(" with ")[2] for action in state.actions(0) if action.startswith("audience")}
    assert paid == {"safeguards", "tea 5 9"}
    refused(state, "audience tea 1 2 3 4 0 with silk 4 9", "silk 4 9 is worth 13; 14 are needed (SI-35)")
    refused(state, "audience tea 1 2 3 4 0 with tea 3 5 9", "tea 3 5 9 has a card more than needed for 14 (SI-35)")
    one = at("silk 9 4;spices 1;spices 2", safeguards="cloth:5;-;-")
    refused(one, "audience tea 1 2 3 4 0 with safeguards", "that costs 2 safeguards and p0 has 1 (SI-35)")
    after = state.after("audience tea 1 2 3 4 0 with safeguards")
    assert after.safeguards[0] == (26,) and text(after.discards) == "cloth 5 6"
    assert after.market.row == (0, 2, 3, 1, 4) and after.market.piles[1] == (1, 2, 3, 4, 0)


def test_SI_35_a_zero_on_top_is_dealt_with_as_SI_24_says_and_blocked_piles_may_be_taken():
    state = at("silk 9 5;spices 1;spices 2", marker="cloth:1+p1+tea+cloth")
    assert state.after("audience tea 0 3 1 2 4 with silk 9 5").market.piles[1] == (1, 2, 4, 0, 3)
    assert "audience tea 0 3 1 2 4 with silk 5 9" not in state.actions(0)  # the same as 1 2 4 0 3
    stays = at("silk 9 5;spices 1;spices 2", zeros="stay")
    assert stays.after("audience tea 0 3 1 2 4 with silk 9 5").market.piles[1] == (0, 3, 1, 2, 4)
    assert sum(action.startswith("audience") for action in stays.actions(0)) == 5 * 120
    assert sum(action.startswith("audience") for action in state.actions(0)) == 5 * 96


# Buying and passing


def test_SI_40_a_card_for_each_safeguard_never_above_seven():
    state = at("silk 1 2 3 4 5;spices 1;spices 2", safeguards="cloth:5+cloth:6+cloth:7;-;-")
    assert [action for action in state.actions(0) if action.startswith("buy")] == ["buy 1", "buy 2"]
    refused(state, "buy 3", "a purchase of 3 would make more than seven cards (SI-40)")
    assert state.after("buy two") == state.after("buy 2")
    for n in (0, 4):
        refused(state, f"buy {n}", "p0 has 3 safeguards: a purchase spends one at least, and 3 at most (SI-40)")
    one = at("silk 1;spices 1;spices 2", safeguards="cloth:5;-;-")
    refused(one, "buy 2", "p0 has 1 safeguard: a purchase spends one (SI-40)")
    refused(at("silk 1;spices 1;spices 2"), "buy 1", "without a safeguard nothing can be bought (SI-40)")
    after = state.after("buy 2")
    assert after.safeguards[0] == (26,) and text(after.discards) == "cloth 5 6" and after.left == 2
    after = after.after("draw tea 1").after("draw tea 2")
    assert after.holdings[0] == "silk 1 2 3 4 5 tea 1 2" and after.turn == 1
    double = at("silk 1 2 3 4;spices 1;spices 2", safeguards="cloth:5+cloth:6;-;-", bought=2)
    assert [action for action in double.actions(0) if action.startswith("buy")] == ["buy 1"]


def test_SI_40_never_more_than_pile_and_new_pile_can_give():
    hands = "silk 1 2 3;spices 1;spices 2"
    last = everything_else_gone(hands, "tea 7", safeguards="cloth:5+cloth:6+cloth:7;-;-", ran_out=1)
    assert [action for action in last.actions(0) if action.startswith("buy")] == ["buy 1"]
    refused(last, "buy 2", "there are no 2 cards to draw (SI-40)")
    first = everything_else_gone(hands, "tea 7", safeguards="cloth:5+cloth:6+cloth:7;-;-")
    assert [action for action in first.actions(0) if action.startswith("buy")] == ["buy 1", "buy 2", "buy 3"]


@pytest.mark.parametrize(("kept", "dropped"), [("tea 7 8 9 10", 3), ("tea 7 8", 2), ("tea 7", 1)])
def test_SI_41_a_pass_drops_three_cards_or_fewer_never_of_the_new_pile(kept, dropped):
    state = everything_else_gone("silk 1 2 3 4 5 6 7;ivory 1 2 3 4 5 6 7;spices 2", kept)
    before, state = state, state.after("pass")
    for left in range(dropped, 0, -1):
        assert state.step is Step.DROP and state.left == left
        state = state.after(state.outcomes()[0][0])
    assert state.turn == 1 and state.step is Step.TURN
    emptied = dropped == len(kept.split()) - 1
    assert state.ran_out == emptied and state.pile == (before.discards.bit_count() + dropped if emptied else 1)
    refused(before, "pass tea 7", "a pass names no cards; the top of the pile is dropped (SI-41)")


# The end


def test_SI_50_a_draw_empties_the_pile_and_the_discards_make_a_new_one():
    state = everything_else_gone("silk 1;ivory 1 2;spices 2", "tea 7", step="draw", left=1)
    after = state.after("draw tea 7")
    assert after.ran_out == 1 and after.discards == 0 and after.step is Step.TURN and after.turn == 0
    assert after.market.shown == (4, 4, 3, 2, 1) and after.pile == 50 - 5 and after.holdings[0] == "silk 1 tea 7"


def test_SI_50_an_interrupted_purchase_is_finished_from_the_new_pile_with_its_own_safeguards():
    state = everything_else_gone("silk 1 2 3;ivory 1 2;spices 2", "tea 7", safeguards="cloth:5+cloth:6;-;-")
    state = state.after("buy 2").after("draw tea 7")
    assert state.ran_out == 1 and state.left == 1 and state.step is Step.REFILL
    assert "draw cloth 5" in dict(state.outcomes())
    assert state.after("draw cloth 5").turn == 1


def test_SI_50_without_discards_it_is_the_second_run_out():
    kept = [f"{good}:{value}" for good in ("tea", "cloth", "ivory", "spices") for value in range(1, 11)]
    kept.remove("tea:10")
    safeguards = ";".join(["+".join(kept), "-", "-"])
    state = at("silk 1 2 3 4 5 6;silk 7 8 9;silk 10", step="draw", left=1, safeguards=safeguards)
    assert state.outcomes() == [("draw tea 10", 1.0)]
    after = state.after("draw tea 10")
    assert after.closed and after.ran_out == 2 and after.to_come == (1, 1, 2, 2, 0, 0)
    assert after.market.shown == (4, 4, 3, 2, 1)


def ending(**more):
    """Return a position in which p0's draw empties the pile for the last time."""
    return everything_else_gone(
        "silk 1 2 3 4 5;ivory 1 2 3;spices 2 4 5", "tea 7", step="draw", left=1, **{"ran_out": 1, **more}
    ).after("draw tea 7")


def test_SI_51_the_turn_is_finished_and_then_each_takes_two_turns_in_a_row_without_drawing():
    state = ending()
    assert state.step is Step.TURN and state.turn == 0 and state.closed and state.pile == 0
    order = []
    while state.actors:
        order.append(state.turn)
        assert state.step is Step.TURN
        state = state.after("pass")
    assert order == [0, 1, 1, 2, 2, 0, 0] and state.step is Step.OVER
    refused(state, "pass", "the game is over (SI-51)")
    refused(state, "pass", "the game is over (SI-51)", player=1)


def test_SI_51_option_two_more_rounds():
    assert ending(last_turns="rounds").to_come == (1, 2, 0, 1, 2, 0)


def test_SI_51_no_purchase_no_barter_and_a_pass_discards_nothing():
    state = ending(safeguards="cloth:5;-;-")
    verbs = {action.split()[0] for action in state.actions(0)}
    assert verbs == {"sell", "bribe", "audience", "offer", "pass"}
    refused(state, "buy 1", "the pile is empty for good: nothing can be bought (SI-51)")
    refused(state, "barter silk 1", "the pile is empty for good: there is no barter with the market (SI-51)")
    assert state.after("pass").discards == state.discards


def test_SI_51_a_trade_may_end_without_an_exchange_then():
    state = ending().after("offer p1 silk 1 2 as silk").after("decline")
    assert state.step is Step.TRADE and "done" in state.actions(0)
    assert state.after("done").turn == 1
    assert state.after("offer p2 silk 1 2 as silk").after("decline").turn == 1  # nobody is left to exchange with
    alone = replaced(ending(), hands="silk:1,2,3,4,5;ivory:1,2;spices:2")
    assert not any(action.startswith("offer") for action in alone.actions(0))


def test_SI_51_who_empties_the_pile_by_a_purchase_takes_only_one_extra_turn():
    hands = "silk 1 2 3 4 5;ivory 1 2 3;spices 2 4 5"
    for last_turns, order in (("pairs", (1, 2, 2, 0)), ("rounds", (2, 0, 1, 2))):
        state = everything_else_gone(hands, "tea 7", safeguards="cloth:5;-;-", ran_out=1, last_turns=last_turns)
        state = state.after("buy 1").after("draw tea 7")
        assert state.closed and state.turn == 1
        assert state.to_come == order


def test_SI_51_a_pass_that_empties_the_pile_is_no_purchase():
    state = everything_else_gone("silk 1 2 3;ivory 1 2 3;spices 2 4 5", "tea 7", ran_out=1)
    assert state.after("pass").after("drop tea 7").to_come == (1, 2, 2, 0, 0)


@pytest.mark.parametrize("times", [1, 2, 3])
def test_SI_54_how_often_the_pile_runs_out(times):
    state = everything_else_gone("silk 1;ivory 1 2;spices 2", "tea 7", step="draw", left=1, run_outs=times)
    after = state.after("draw tea 7")
    assert after.closed is (times == 1) and after.ran_out == 1
    assert after.market.shown == ((4, 3, 2, 1, 0) if times == 1 else (4, 4, 3, 2, 1))


@pytest.mark.parametrize(
    ("dinars", "safeguards", "winners"),
    [
        ("5,4,3", "-;tea:1;tea:2", (0,)),
        ("5,5,3", "-;tea:1;tea:2", (1,)),
        ("5,5,3", "tea:3;tea:1;tea:2", (0, 1)),
        ("0,0,0", "-;-;-", (0, 1, 2)),
    ],
)
def test_SI_52_most_dinars_then_most_safeguards_then_shared(dinars, safeguards, winners):
    state = at("silk 1;silk 2;silk 3", step="over", dinars=dinars, safeguards=safeguards, ran_out=2)
    assert state.winners() == winners and state.scores() == tuple(map(int, dinars.split(",")))
    assert replaced(state, step="turn").winners() == ()


SEVEN = "silk 1 2 3 4 5 6 7;tea 1 2 3 4 5 6 7;ivory 1 2 3 4 5 6 7"


@pytest.mark.parametrize(("idle", "ran_out"), [(47, 0), (48, 0), (49, 1)])
def test_SI_53_fifty_turns_without_a_draw_or_a_sale_count_as_a_pile_run_out(idle, ran_out):
    state = replaced(at(SEVEN, idle=idle), discards="cloth 1 2")
    after = state.after("barter silk 1").after("draw spices 1")
    assert after.ran_out == ran_out and after.turn == 1
    assert after.idle == (0 if ran_out else idle + 1)
    assert after.discards == (0 if ran_out else read("cloth 1 2"))
    assert after.under == (() if ran_out else ((0, 0),)) and after.pile == (29 if ran_out else 27)
    assert after.market.shown == ((4, 4, 3, 2, 1) if ran_out else (4, 3, 2, 1, 0))


def test_SI_53_the_second_time_the_rest_is_out_and_nobody_has_bought():
    state = at(SEVEN, idle=49, ran_out=1)
    after = state.after("barter silk 1").after("draw spices 1")
    assert after.closed and after.pile == 0 and (after.turn, *after.to_come) == (1, 1, 2, 2, 0, 0)
    assert after.conserved() == (50, 50)


@pytest.mark.parametrize("action", ["sell tea 1 2 3", "pass"])
def test_SI_53_a_sale_or_a_card_that_leaves_the_pile_starts_the_count_anew(action):
    state = at("tea 1 2 3 silk 1 2 3 4;tea 4 5 6 7 8 9 10;ivory 1 2 3 4 5 6 7", idle=49).after(action)
    while state.actors == (CHANCE,):
        state = state.after(state.outcomes()[0][0])
    assert state.idle == 0 and state.ran_out == 0 and state.turn == 1


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("patience", [5, 50])
def test_SI_53_stubborn_barterers_come_to_an_end(players, patience):
    rng = random.Random(players)
    state, decisions = silk.new(players, seed=1, patience=patience), 0
    while state.actors:
        actor = state.actors[0]
        if actor == CHANCE:
            state = state.after(rng.choice(state.outcomes())[0])
            continue
        actions = state.actions(actor)
        barters = [action for action in actions if action.startswith(("barter", "neutral"))]
        state = state.after(rng.choice(barters) if barters else "done" if "done" in actions else "pass")
        decisions += 1
    assert decisions < 20 * (patience + 20)


@settings(max_examples=30)
@given(st.integers(0, 1 << 32), st.sampled_from([2, 3, 5]), st.sampled_from(["barter", "offer", "neutral"]))
def test_SI_53_whatever_players_insist_on_the_game_ends(seed, players, favourite):
    rng = random.Random(seed)
    state = silk.new(players, seed=2, patience=4)
    for _step in range(3000):
        if not state.actors:
            break
        actor = state.actors[0]
        if actor == CHANCE:
            state = state.after(rng.choice(state.outcomes())[0])
            continue
        actions = state.actions(actor)
        liked = next((a for a in actions if a.startswith(favourite)), None)
        state = state.after(liked or actions.sample(rng), actor)
    assert not state.actors and state.conserved() == (50, 50)


# Options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"zeros": "maybe"}, "must be one of 'turn', 'stay'"),
        ({"last_turns": "none"}, "must be one of 'pairs', 'rounds'"),
        ({"neutral_leaves": 3}, "must be one of 1, 2"),
        ({"first_hand": 8}, "nobody holds more than seven cards"),
        ({"first_hand": 0}, "must be 1 or more"),
        ({"run_outs": 0}, "must be 1 or more"),
        ({"bonus": ((7, 1), (7, 3))}, "the sums rising"),
        ({"bonus": ((7, 3), (5, 1))}, "the sums rising"),
        ({"bonus": ()}, "must be rows of whole numbers"),
        ({"bonus": 5}, "must be rows of whole numbers"),
        ({"bonus": ((7,),)}, "the sums rising"),
    ],
)
def test_options_that_cannot_be(options, message):
    with pytest.raises(ValueError, match=message):
        silk.new(3, **options)


def test_SI_54_options_are_in_the_text_of_a_state():
    state = silk.new(3, seed=1, bonus=((5, 2), (10, 9)), bribe=3, audience=5, first_hand=2, dropped=1)
    assert " bonus=5,2/10,9 " in str(state) and State.parse(str(state)) == state
    assert [hand.bit_count() for hand in state.hands] == [2, 2, 2]
    assert silk.new(3, seed=1, bonus=[(5, 2), [10, 9]]) == silk.new(3, seed=1, bonus=((5, 2), (10, 9)))
    assert Rules().text() == "" and Rules().dinars(4, 23) == 10 and Rules(bonus=((5, 2),)).dinars(1, 4) == 1


# Two players


def two(mine="silk 1 2 3", other="tea 1 2 3", neutral="ivory 7 8 spices 1", **more):
    return at(f"{mine};{other};{neutral}", players=2, **more)


def test_SI_60_the_neutral_has_five_open_cards_and_no_dinars():
    state = silk.new(2, seed=3)
    assert [hand.bit_count() for hand in state.hands] == [5, 5, 5] and len(state.dinars) == 2
    for player in (0, 1):
        assert state.view(player).known.neutral == state.neutral


def test_SI_60_after_a_turn_other_than_a_pass_a_neutral_turn_may_follow():
    state = two().after("barter silk 1").after("draw cloth 1")
    assert state.turn == 0 and state.step is Step.NEUTRAL and [*state.actions(0)] == ["neutral", "done"]
    assert state.after("done").turn == 1
    refused(state, "pass", "the turn is over but for the neutral's: take it by neutral, or say done (SI-60)")
    neutral = state.after("neutral")
    assert neutral.step is Step.DRAW and neutral.turn == 0
    neutral = neutral.after("draw cloth 2")
    assert neutral.neutral == read("ivory 7 8 spices 1 cloth 2") and neutral.actors == (0,)
    assert {action.split()[0] for action in neutral.actions(0)} == {"sell", "bribe", "audience", "barter", "pass"}
    assert two(dropped=0).after("pass").turn == 1
    full = two(neutral="ivory 1 2 3 4 5 6 7").after("barter silk 1").after("draw cloth 1").after("neutral")
    assert full.step is Step.TURN  # seven cards: it draws none


def neutral_turn(neutral="ivory 7 8 spices 1", **more):
    return two(neutral=neutral, mover="neutral", **more)


def test_SI_60_neutral_sales_move_the_market_and_nothing_else():
    market = "ivory:43210,silk:43210,tea:32104,cloth:21043,spices:04321"
    state = neutral_turn("ivory 8 5 7 3", market=market, hordes=1)
    after = state.after("sell ivory 8 5 7 3")
    assert after.dinars == (0, 0) and after.safeguards == ((), ()) and after.hordes == 1 and after.turn == 1
    assert text(after.discards) == "ivory 3 5 7 8" and after.market.row[-1] == 3


def test_SI_60_the_neutral_pays_bribes_and_audiences_in_cards():
    state = neutral_turn("ivory 7 8", safeguards="tea:8+tea:9;-")
    paid = {action.partition(" with ")[2] for action in state.actions(0) if " with " in action}
    assert paid == {"ivory 7", "ivory 8", "ivory 7 8"}
    refused(state, "bribe silk up tea down with safeguard", "the neutral has no safeguards (SI-60)")
    refused(state, "buy 1", "the neutral has no safeguards (SI-60)")
    refused(state, "offer p1 ivory 7 8 as ivory", "nobody trades with the neutral, nor it with anybody (SI-60)")
    refused(state, "sell silk 1", "the neutral does not hold silk 1 (SI-14)")
    after = state.after("bribe silk up tea down with ivory 7")
    assert after.marker == (36, 2, 0, 1) and after.turn == 1


def test_SI_60_a_good_blocked_by_the_neutral_only_the_neutral_sells():
    marker = "cloth:1+neutral+silk+spices"
    state = two(mine="silk 1 2 3 4", marker=marker)
    refused(state, "sell silk 1 2 3 4", "silk is blocked by a bribe; only the briber may sell it (SI-32)")
    own = neutral_turn("silk 5 6 7 8", marker=marker)
    assert own.after("sell silk 5 6 7 8").marker == ()
    players = neutral_turn("silk 5 6 7 8", marker="cloth:1+p0+silk+spices")
    refused(players, "sell silk 5 6 7 8", "silk is blocked by a bribe; only the briber may sell it (SI-32)")


def test_SI_60_the_hordes_hit_the_neutral_and_the_player_on_turn_chooses():
    market = "ivory:43210,silk:43210,tea:32104,cloth:21043,spices:04321"
    state = two("ivory 8 5 7 3 silk 1", "tea 1 2 3", "spices 10 9 8 7", market=market, hordes=1)
    state = state.after("sell ivory 8 5 7 3")
    assert state.actors == (0, 1)
    refused(state, "discard neutral spices 8 9 10", "choose for your own hand now (SI-25)", 0)
    own = state.after("discard silk 1", 0)
    assert own.actors == (0, 1)
    assert {*own.actions(0)} == {
        "discard neutral spices 7 8 10", "discard neutral spices 7 9 10", "discard neutral spices 8 9 10",
    }  # fmt: skip
    refused(own, "discard spices 8 9 10", "choose for the neutral now: discard neutral and its cards (SI-60)", 0)
    chosen = own.after("discard neutral spices 7 9 10", 0)
    assert chosen.actors == (1,) and chosen.view(1) == state.view(1)
    done = chosen.after("discard tea 1 2 3", 1)
    assert done.neutral == read("spices 8") and done.step is Step.NEUTRAL and done.turn == 0
    settled = two("ivory 8 5 7 3", "tea 1 2 3", "spices 10 9", market=market, hordes=1).after("sell ivory 8 5 7 3")
    assert settled.actors == (1,) and settled.commits == (0, -1, read("spices 9 10"))  # it has no choice


def test_SI_60_the_neutral_may_barter_and_its_cards_are_known_to_all():
    state = neutral_turn().after("barter ivory 7")
    assert state.under == ((36, -1),)
    assert all(state.view(player).known.under == state.under for player in (0, 1))
    assert state.after("draw cloth 4").turn == 1


def test_SI_60_the_neutrals_turn_is_one_of_its_own_in_which_nothing_was_exchanged():
    """SI-12 bars the barter of a player who has exchanged: that was the player, not the neutral."""
    state = drawn(two(), "offer p1 silk 1 2 as silk", "answer tea 1 2 as tea", "accept")
    assert state.step is Step.NEUTRAL and state.exchanged
    state = state.after("neutral").after("draw cloth 2")
    barters = {action for action in state.actions(0) if action.startswith("barter")}
    assert barters == {"barter ivory 7", "barter ivory 8", "barter spices 1", "barter cloth 2"}
    assert state.after("barter spices 1").under == ((40, -1),)
    refused(
        state, "done", "a turn of the neutral is an action: sell, bribe, ask for an audience, barter or pass (SI-60)"
    )
    again = drawn(state, "barter spices 1").after("draw cloth 4")
    assert again.turn == 1 and "exchanged" not in str(again)


def test_SI_61_a_neutral_pass_puts_all_its_cards_under_the_pile_in_any_order():
    state = neutral_turn("ivory 7 8 spices 1")
    assert [action for action in state.actions(0) if action.startswith("pass")] == [
        "pass ivory 7 8 spices 1", "pass ivory 7 spices 1 ivory 8", "pass ivory 8 7 spices 1",
        "pass ivory 8 spices 1 ivory 7", "pass spices 1 ivory 7 8", "pass spices 1 ivory 8 7",
    ]  # fmt: skip
    refused(state, "pass", "the neutral passes with all its cards in an order, ivory 7 8 spices 1 (SI-61)")
    refused(state, "pass ivory 7 8", "the neutral passes with all its cards in an order, ivory 7 8 spices 1 (SI-61)")
    after = state.after("pass ivory 8 spices 1 ivory 7")
    assert [card for card, _by in after.under] == [37, 40, 36] and after.left == 3 and after.discards == 0
    for card in ("draw cloth 1", "draw cloth 2", "draw cloth 3"):
        after = after.after(card)
    assert after.neutral == read("cloth 1 2 3") and after.turn == 1
    short = everything_else_gone("silk 1;tea 1;ivory 7 8", "cloth 9", players=2, mover="neutral")
    again = short.after("pass ivory 8 7").after("draw cloth 9")  # and then the first of its own
    assert again.neutral == read("ivory 8 cloth 9")
    assert again.turn == 1 and again.holdings[1] == "tea 1 ivory 7"  # the second, which emptied the pile
    empty = neutral_turn("-", ran_out=1)
    assert [*empty.actions(0)] == ["pass"]


@pytest.mark.parametrize(("leaves", "ran_out"), [(2, 1), (1, 0)])
def test_SI_62_the_neutral_leaves_at_once_when_the_pile_runs_out(leaves, ran_out):
    state = everything_else_gone(
        "silk 1 2 3;tea 1;ivory 7 8",
        "cloth 9",
        players=2,
        mover="neutral",
        step="draw",
        left=1,
        ran_out=ran_out,
        neutral_leaves=leaves,
        marker="cloth:1+neutral+silk+tea",
    )
    after = state.after("draw cloth 9")
    assert after.neutral is None and after.marker == () and after.turn == 1  # no action follows
    gone = read("ivory 7 8 cloth 9 1")
    assert (after.discards if leaves == 2 else after.unseen) & gone == gone
    assert after.closed is (leaves == 2)


def test_SI_62_without_the_neutral_two_play_on_alone():
    state = everything_else_gone("silk 1 2 3;tea 1 2 3;ivory 7 8", "cloth 9", players=2, step="draw", left=1, ran_out=1)
    state = state.after("draw cloth 9")
    assert state.neutral is None and state.to_come == (1, 1, 0, 0) and state.turn == 0
    done = drawn(state, "offer p1 silk 1 2 as silk", "answer tea 1 2 as tea", "accept")
    assert done.turn == 1  # no neutral turn


# Typed actions


@pytest.mark.parametrize(
    ("typed", "exact"),
    [
        ("Sell Seda 7, 8, 9, 1", "sell silk 1 7 8 9"),
        ("barter verde 6", "barter tea 6"),
        ("offer P1 té 6, red 9 8 as Seda", "offer p1 silk 8 9 tea 6 as silk"),
        ("bribe tea down silk up with silk 7", "bribe silk up tea down with silk 7"),
        ("audience Marfil 42310 with seda 8 9", "audience ivory 4 2 3 1 0 with silk 8 9"),
        ("audience ivory 0 1 2 3 4 with silk 8 9", "audience ivory 1 2 3 4 0 with silk 8 9"),
        ("Bribe silk up tea down with a safeguard", "bribe silk up tea down with safeguard"),
        ("audience ivory 4 2 3 1 0 with two safeguards", "audience ivory 4 2 3 1 0 with safeguards"),
        ("buy 01", "buy 1"),
        (" PASS ", "pass"),
    ],
)
def test_kind_reading_of_actions(typed, exact):
    state = at(HANDS, safeguards="cloth:1+cloth:2;-;-", hordes=4)
    assert exact in state.actions(0) and typed not in state.actions(0)
    assert state.after(typed) == state.after(exact)


#: Ways to type safeguards, and the number that each gives; None: it gives none.
SAFEGUARDS = {
    "safeguard": 1, "a safeguard": 1, "1 safeguard": 1, "One safeguard": 1, "2 safeguards": 2, "two safeguards": 2,
    "safeguards": None, "three safeguards": 3, "0 safeguards": 0, "02 safeguards": 2, "1 safeguards": 1,
}  # fmt: skip


@pytest.mark.parametrize(("typed", "number"), SAFEGUARDS.items())
@pytest.mark.parametrize("options", [{}, {"bribe": 3, "audience": 5}], ids=str)
@pytest.mark.parametrize(
    ("action", "cost", "rule"), [("bribe tea up cloth down", 1, "SI-30"), ("audience tea 4 3 2 1 0", 2, "SI-35")]
)
def test_SI_30_SI_35_as_many_safeguards_are_paid_as_are_said_or_none(typed, number, action, cost, rule, options):
    state = at(HANDS, safeguards="cloth:1+cloth:2+cloth:3;-;-", **options)
    if number in (cost, None):
        after = state.after(f"{action} with {typed}")
        assert len(state.safeguards[0]) - len(after.safeguards[0]) == cost
    else:
        what = "1 safeguard" if cost == 1 else f"{cost} safeguards"
        refused(state, f"{action} with {typed}", f"that costs {what}, not {number} ({rule})")
    with pytest.raises(ParseError):
        state.after(f"{action} with some safeguards")


@pytest.mark.parametrize(
    "typed",
    ["sell -", "bribe silk up tea down with -", "audience tea 4 3 2 1 0 with -", "offer p1 - as silk",
     "answer - as silk", "discard -", "discard neutral -", "barter -", "pass -"],
)  # fmt: skip
def test_where_cards_are_needed_none_are_no_action(typed):
    """SI-20, SI-25, SI-30, SI-35: the refusal names the missing part."""
    for state in (at(HANDS), raided("tea 10", "silk 10 9 8 6 1", "tea 9 8 7")):
        with pytest.raises(ParseError, match=r"^'-' is no good; there are silk, tea, cloth, ivory, spices"):
            state.after(typed, 0)


@pytest.mark.parametrize("typed", ["offer silk 7 8 as silk", "offer 7 8 as silk", "offer to p1 silk 7 8 as silk"])
def test_SI_11_an_offer_to_nobody_is_said_to_be_one(typed):
    with pytest.raises(ParseError) as error:
        at(HANDS).after(typed)
    assert str(error.value) == f"{typed!r}: say to whom, as in offer p1 silk 9 ivory 7 as silk (SI-11)"


@pytest.mark.parametrize(
    "typed",
    [
        "", "fly", "sell", "sell silk", "sell 7", "sell silk 11", "sell silk 0", "sell silk 7 7", "sell gold 3",
        "sell silk ivory 3", "bribe silk up tea down", "bribe silk up tea up with silk 7", "bribe silk up with silk 7",
        "audience ivory 4 3 2 1 with silk 9 8", "audience ivory 4 3 2 1 1 with silk 9 8", "audience with silk 9 8",
        "buy", "buy x", "barter silk 7 8", "offer silk 7 8 as silk", "offer p1 silk 7 8", "offer p1 as silk",
        "answer silk 7 8", "pass now", "discard", "draw silk", "market silk tea", "first me", "discard neutral",
    ],
)  # fmt: skip
def test_what_is_no_action_is_said_to_be_none(typed):
    with pytest.raises(ParseError):
        at(HANDS).after(typed)


# Text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"players": 6}, "players=6 cannot be"),
        ({"turn": "p3"}, "turn=p3 cannot be"),
        ({"turn": "chance"}, "turn=chance cannot be"),
        ({"step": "nap"}, "step=nap cannot be"),
        ({"hordes": 5}, "hordes=5 cannot be"),
        ({"hands": "silk:1;silk:1;-"}, "silk 1 in two places at once (SI-1)"),
        ({"hands": "silk:1;-"}, "hands=silk:1;- cannot be"),
        ({"hands": "silk:11;-;-"}, "cannot be"),
        ({"hands": "gold:1;-;-"}, "cannot be"),
        ({"dinars": "0,0"}, "dinars=0,0 cannot be"),
        ({"dinars": "0,0,-1"}, "dinars=0,0,-1 cannot be"),
        ({"market": "silk:43210"}, "market=silk:43210 cannot be"),
        ({"market": "silk:04321,tea:32104,cloth:21043,ivory:10432,spices:04321"}, "cannot be"),
        ({"left": 1}, "left=1 cannot be"),
        ({"mover": "neutral"}, "mover=neutral cannot be"),
        ({"marker": "silk:1+p0+tea+tea"}, "cannot be"),
        ({"talk": "p1;silk|2|3|silk:1,2"}, "cannot be"),
        ({"ran_out": 3}, "ran_out=3 cannot be"),
        ({"commits": "?;?;?"}, "commits=?;?;? cannot be"),
        ({"zeros": "maybe"}, "must be one of 'turn', 'stay'"),
        ({"bribe": "x"}, "bribe=x: cannot read this option"),
    ],
)
def test_faulty_text(words, message):
    pairs = dict(pair.split("=") for pair in str(at("silk 1;silk 2;silk 3")).split()[1:]) | words
    with pytest.raises(ParseError) as error:
        State.parse(" ".join(["silk", *(f"{name}={value}" for name, value in pairs.items())]))
    assert message in str(error.value)


def test_an_offer_that_says_what_is_not_true_is_no_state():
    state = at("silk 1 2 3;tea 1 2 3;ivory 1").after("offer p1 silk 1 2 as silk")
    assert State.parse(str(state)) == state == eval(repr(state))
    with pytest.raises(ParseError, match="cannot be"):
        State.parse(str(state).replace("silk|2|3|", "silk|2|4|"))


# Lists of actions


def test_long_lists_are_counted_not_made():
    state = at("silk 10 9 8 7 6 5 4;tea 1 2 3;ivory 1 2 3", safeguards="cloth:1+cloth:2;-;-")
    actions = state.actions(0)
    assert len(actions) == len([*actions]) > 1000 and actions
    assert repr(actions).startswith(f"<{len(actions)} actions: sell, bribe, audience, barter, offer, pass")
    assert "sell silk 4 5 6 7" in actions and "sell silk 7 6 5 4" not in actions and 7 not in actions
    rng = random.Random(1)
    seen = {actions.sample(rng).split()[0] for _ in range(200)}
    assert seen == {"sell", "bribe", "audience", "barter", "offer", "pass"}


def test_every_offer_is_drawn_about_equally_often():
    state = at("silk 1 2 tea 3;tea 4 5 6;ivory 1")
    offers = [action for action in state.actions(0) if action.startswith("offer")]
    rng, counts = random.Random(1), dict.fromkeys(offers, 0)
    for _ in range(7000):
        action = state.actions(0).sample(rng)
        if action in counts:
            counts[action] += 1
    average = sum(counts.values()) / len(offers)
    assert len(offers) == 7 and all(0.75 * average < n < 1.25 * average for n in counts.values())
