"""Turin Market's set-up and options by number, typed actions, and the text of a state."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradekit import testing, turin
from tradekit.game import CHANCE, IllegalAction, ParseError, choices, play_on
from tradekit.turin import Rules, State
from tradekit.turin.draft import FIELDS
from tradekit.turin.parameters import CARDS, Step

from .positions import all_bid, at, choose_first, play, refused

# Set-up


@pytest.mark.parametrize(("players", "hand", "centre", "out"), [(2, 6, 0, 6), (3, 6, 0, 0), (4, 4, 2, 0), (5, 3, 3, 0)])
def test_TU_5_what_is_dealt(players, hand, centre, out):
    state = turin.new(players)
    dealt = 0
    while state.step is Step.DEAL:
        assert len(state.outcomes()) == CARDS - dealt, "a card that lies face down has no identity"
        assert {chance for _card, chance in state.outcomes()} == {1 / (CARDS - dealt)}
        state = state.after(state.outcomes()[-1][0])
        dealt += 1
    assert [cards.bit_count() for cards in state.hands] == [hand] * players
    assert state.centre.bit_count() == centre and state.rest.bit_count() == out
    assert state.reserve == (15,) * players and state.loans == (0,) * players
    refused(turin.new(players).after("deal 7"), "deal 7", "deal 7 cannot come up here (TU-5, TU-15)", CHANCE)
    refused(turin.new(players), "bid 3", "chance acts now, not a player (TU-5, TU-15)", 0)


def test_TU_5_a_seed_deals_and_does_nothing_more():
    assert turin.new(3, seed=7) == turin.new(3, seed=7) != turin.new(3, seed=8)
    assert turin.new(3, seed=7).step is Step.SHOW and turin.new(3).step is Step.DEAL


@pytest.mark.parametrize("players", [0, 1, 6])
def test_TU_5_two_to_five_can_play(players):
    with pytest.raises(ValueError, match=rf"players={players}: 2 to 5 can play \(TU-5\)"):
        turin.new(players)


def test_TU_2_the_bank_is_unlimited():
    """It pays any majority even if it has taken nothing in."""
    state = at(2, auction=4, won=[(1, 2), ()], centre=[3, 4], hands=[(5,), (6,)])
    end = all_bid(state, 0, 0)
    assert sum(end.scores()) > 30 and sum(end.scores()) + end.bank == 0


# Options


def final(**options):
    """Return the end of a game in which p0 has cards 1 and 5 and p1 cards 2 and 6, each 15 escudos."""
    return all_bid(at(2, auction=4, won=[(1,), (2,)], centre=[3, 4], hands=[(5,), (6,)], options=options), 0, 0)


def test_TU_1_option_the_new_payouts():
    classic, new = final().payments(), final(payouts="new").payments()
    assert [step.payout for step in classic.steps] == [good.classic for good in final().deck.goods]
    assert [step.payout for step in new.steps] == [good.new for good in final().deck.goods]
    assert classic.final == final().scores() != final(payouts="new").scores() == new.final


def test_TU_4_option_the_order_of_payment():
    goods = [good.name for good in final().deck.goods]
    for order in (goods[::-1], sorted(goods)):
        state = final(order=",".join(order))
        assert [goods[step.good] for step in state.payments().steps] == order
        assert State.parse(str(state)) == state
    assert [step.good for step in final().payments().steps] == [*range(9)]


def test_TU_4_the_order_decides_who_must_borrow():
    """p1 has one escudo and a share of grapes only; whether they come first decides whether it borrows."""
    won, hands = [(1, 2, 7, 16), (4,)], [(10,), (18,)]
    fields = {"auction": 4, "won": won, "centre": [8, 9], "hands": hands, "reserve": (15, 0)}
    late = all_bid(at(2, **fields), 0, 0).payments()
    names = [good.name for good in turin.Deck.house().goods]
    gains = [names[step.good] for step in late.steps if step.leaders == (1,)]
    first = ",".join(sorted(names, key=lambda name: name not in gains))
    early = all_bid(at(2, options={"order": first}, **fields), 0, 0).payments()
    assert gains and late.loans == (0, 1) and early.loans == (0, 0)


def test_TU_4_names_of_several_words_are_read_back():
    house = turin.Deck.house()
    deck = turin.Deck.of_text(turin.Deck(house.name, (turin.Good("sweet wine", 8, 4, 11), *house.goods[1:]),
                                         house.cards).text)  # fmt: skip
    names = [good.name for good in deck.goods]
    for order in (", ".join(names[::-1]), ",".join(names[::-1]).replace(" ", "_")):
        state = turin.new(3, deck=deck, seed=1, order=order)
        assert State.parse(str(state)) == state and state.parameters.order == (8, 7, 6, 5, 4, 3, 2, 1, 0)


def test_TU_6_secret_money_is_a_matter_of_the_screen():
    """All payments are public, so a player can remember them: a view hides none of it."""
    state = turin.new(3, seed=1, money="secret")
    assert state.view(1).known.reserve == state.reserve
    assert State.parse(str(state)).rules.money == "secret"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"payouts": "red"}, "payouts='red': must be one of 'classic', 'new'"),
        ({"money": "hidden"}, "money='hidden': must be one of 'open', 'secret'"),
        ({"selling": "all"}, "selling='all': must be one of 'one', 'several'"),
        ({"games": 0}, "games=0: must be 1 or more"),
        ({"goose": "gander"}, "goose='gander': there are none, tie, underdog (TU-43)"),
    ],
)
def test_options_that_cannot_be(options, message):
    with pytest.raises(ValueError) as error:
        Rules(**options)
    assert str(error.value) == message


@pytest.mark.parametrize("order", ["grapes", "grapes,grapes", "truffles,honey,grapes,salt"])
def test_TU_4_an_order_that_cannot_be(order):
    with pytest.raises(ValueError, match=rf"order={order}: each of truffles,.*,maize is needed once \(TU-4\)"):
        turin.new(3, order=order)


def test_options_are_written_and_read():
    rules = Rules(payouts="new", selling="several", goose="tie", goose_stays=True, games=3, money="secret")
    state = turin.new(4, rules=rules, seed=1)
    assert State.parse(str(state)).rules == rules
    assert turin.new(4, rules=rules, games=2).rules.games == 2, "what is said by name comes before"


# Typed actions


BIDDING = at(3)
CHOOSING = all_bid(at(3), 3, 2, 1)
OFFERING = choose_first(all_bid(at(3, won=[(11, 12), (13,), (14,)]), 9, 0, 0))
CLAIMING = at(3, Step.WINDOW, won=[(11, 12), (13,), (14,)], sale=((11, 0, 5),))


@pytest.mark.parametrize(
    ("state", "player", "typed", "exact"),
    [
        (BIDDING, 0, "BID 4", "bid 4"),
        (BIDDING, 0, " bid  04 ", "bid 4"),
        (BIDDING, 0, "Bid 20 Loan", "bid 20 loan"),
        (CHOOSING, 0, "take 3 1", "take 1 3"),
        (CHOOSING, 0, "take 3, 1", "take 1 3"),
        (CHOOSING, 0, "TAKE 3,01", "take 1 3"),
        (OFFERING, 0, "sell 11 at 4", "sell 11 for 4"),
        (OFFERING, 0, "Sell 011 AT 12 LOAN", "sell 11 for 12 loan"),
        (OFFERING, 0, "Done", "done"),
        (CLAIMING, 1, "claim 011", "claim 11"),
        (CLAIMING, 1, "Claim 11 LOAN", "claim 11 loan"),
        (CLAIMING, 1, " PASS", "pass"),
    ],
)
def test_kind_reading_of_actions(state, player, typed, exact):
    assert typed != exact and exact in state.actions(player)
    assert state.after(typed, player) == state.after(exact, player)


@pytest.mark.parametrize(
    "typed",
    ["", "fly", "bid", "bid four", "bid 4 escudos", "bid 4 loans", "take", "take x", "sell 5", "sell 5 4", "sell for 4",
     "claim", "add", "show", "give p", "order", "pass 3", "loan"],
)  # fmt: skip
def test_what_is_no_action_is_said_to_be_none(typed):
    for state in (BIDDING, CHOOSING, OFFERING, CLAIMING, turin.new(3)):
        for player in state.actors:
            with pytest.raises(ParseError, match="is no action; write show 7, bid 4, bid 12 loan"):
                state.after(typed, player)


numbers_typed = st.sampled_from(["0", "1", "5", "7", "12", "18", "19", "26", "99", "-1", "2.5", "1/2"])
typed = st.one_of(
    st.builds("{} {}".format, st.sampled_from(["show", "bid", "add", "withdraw", "claim", "deal", "take"]),
              numbers_typed),
    st.builds("{} {} loan".format, st.sampled_from(["bid", "add", "claim"]), numbers_typed),
    st.builds("{} {} {}".format, st.sampled_from(["take", "discard"]), numbers_typed, numbers_typed),
    st.builds("sell {} for {}{}".format, numbers_typed, numbers_typed, st.sampled_from(["", " loan"])),
    st.builds("sell {} to p{}".format, numbers_typed, st.integers(0, 9)),
    st.builds("give p{}".format, st.integers(0, 9)),
    st.builds("order p{} p{}".format, st.integers(0, 9), st.integers(0, 9)),
    st.sampled_from(["done", "pass", "goose", "no goose"]),
)  # fmt: skip


@given(st.integers(0, 99), st.integers(2, 5), st.lists(typed, min_size=1, max_size=20))
def test_whatever_is_typed_is_done_or_refused_with_a_rule_and_nothing_changes(seed, players, texts):
    """At a random place of a random game: an action is carried out exactly if it is listed."""
    rng = random.Random(seed)
    states = [*play_on(turin.new(players, seed=seed, goose="tie"), rng)]
    state = rng.choice(states)
    before = str(state)
    for text in texts:
        for player in (*range(players), *state.actors):
            exact = re.sub(r"(\d+) (\d+)$", lambda two: " ".join(sorted(two.groups(), key=int)), text)  # take 5 1
            legal = exact in state.actions(player) or exact in [action for action, _chance in state.outcomes()]
            try:
                state.after(text, player)
            except IllegalAction as error:
                assert not legal or player not in state.actors
                assert "(TU-" in str(error)
            except ParseError:
                assert not legal
            else:
                assert legal
    assert str(state) == before


def test_chance_and_players_do_not_act_for_each_other():
    coin = play(all_bid(at(2), 5, 5), "p0 add 1", "p1 add 1")
    refused(coin, "order p0", "chance acts now, not a player (TU-5, TU-15)", 0)
    refused(coin, "add 1", "chance deals or tosses a coin now; no player acts (TU-5, TU-15)", CHANCE)
    refused(BIDDING, "deal 3", "deal 3 is for chance to say (TU-5, TU-15)", 0)
    refused(BIDDING, "done", "done: not now; all bid: bid 4 (TU-11)", 0)
    refused(CHOOSING, "pass", "pass: not now; cards are chosen (TU-19)", 0)


# Positions and their texts


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("players=3", "players=6"), "state of turin: players=6 cannot be"),
        (("players=3", "players=0"), "state of turin: players=0 cannot be"),
        (("players=3 ", ""), "state of turin: players= is missing"),
        (("step=bid", "step=lunch"), "state of turin: step=lunch cannot be"),
        (("hands=17.18,", "hands=16.18,"), "state of turin: hands=16.18,15.16,13.14 cannot be"),
        (("hands=17.18,", "hands="), "state of turin: hands=15.16,13.14 cannot be"),
        (("hands=17.18,", "hands=17.19,"), "state of turin: hands=17.19,15.16,13.14 cannot be"),
        (("centre=1.2.3", "centre=1.2.2"), "state of turin: centre=1.2.2 cannot be"),
        (("centre=1.2.3", "centre=1.2.4"), "state of turin: hands=17.18,15.16,13.14 cannot be"),
        (("auction=1", "auction=5"), "state of turin: auction=5 cannot be"),
        (("auction=1", "auction=one"), "state of turin: auction=one cannot be"),
        (("auction=1", "auction=1 auction=1"), "state of turin: 'auction=1' is there twice"),
        (("auction=1", "auction=1 moon=1"), "state of turin: 'moon=1' does not belong here"),
        (("auction=1", "auction=1 reserve=[15,15]"), "state of turin: reserve=[15,15] cannot be"),
        (("auction=1", "auction=1 tokens=[0]"), "state of turin: tokens=[0] cannot be"),
        (("auction=1", "auction=1 holder=3"), "state of turin: holder=3 cannot be"),
        (("auction=1", "games=many auction=1"), "games=many: cannot read this option"),
        (("auction=1", "goose=swan auction=1"), "goose='swan': there are none, tie, underdog (TU-43)"),
        (("turin ", "genoa "), "a state of turin begins with 'turin'"),
        ((" commits=[-1,-1,-1]", ""), "state of turin: commits= is missing"),
        (("commits=[-1,-1,-1]", "commits=[3,3,3]"), "state of turin: commits=[3,3,3] cannot be"),
        (("step=bid", "step=add"), "state of turin: bids= is missing"),
        (("step=bid", "step=take"), "state of turin: queue= is missing"),
        (("step=bid", "step=over"), "state of turin: cash= is missing"),
        (("step=bid", "step=take queue=[[3,1]]"), "state of turin: step=take cannot be"),
        (("step=bid", "step=add bids=[3,3,1]"), "state of turin: standing= is missing"),
        (
            ("step=bid", "step=coin bids=[3,2,1] standing=[300,200,100] added=[-1,-1,-1]"),
            "state of turin: step=coin cannot be",
        ),
        (
            ("step=bid", "step=add bids=[3,2,1] standing=[300,200,100] added=[-1,-1,-1]"),
            "state of turin: commits=[-1,-1,-1] cannot be",
        ),
    ],
)
def test_a_text_that_cannot_be_a_state_is_refused_with_its_fault(change, message):
    text = str(BIDDING)
    assert change[0] in text
    with pytest.raises(ParseError) as error:
        State.parse(text.replace(*change))
    assert message in str(error.value)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_TU_36_a_text_that_lacks_a_part_is_refused_or_a_game_that_goes_on(players):
    """Every part of states of every step is left out in turn: no game that goes on is reported as over."""
    steps, refusals = set(), 0
    for seed, form in enumerate(["none", "tie"]):
        start = turin.new(players, seed=seed, goose=form, games=2)._with(
            reserve=(3,) * players
        )  # poor, and so often tied
        for state in play_on(start, random.Random(seed)):
            state, fresh = state.view(seed).known, state.step not in steps
            steps.add(state.step)
            words = str(state).split() if fresh or not state.auction else []
            for place, word in enumerate(words):
                if word.split("=")[0] in ("turin", "goose", "games"):
                    continue
                try:
                    less = State.parse(" ".join(words[:place] + words[place + 1 :]))
                except ParseError:
                    refusals += 1
                    continue
                assert bool(less.actors) == (less.step is not Step.OVER)
                for actor in less.actors:
                    if actor == CHANCE or less.hands[actor] >= 0:
                        assert len(choices(less, actor))
    assert refusals > 40 and {Step.BID, Step.ADD, Step.OFFER, Step.OVER} <= steps


def test_a_state_is_a_value():
    state = turin.new(3, seed=1)
    assert eval(repr(state), {"State": State}) == state and len({state, State.parse(str(state))}) == 1
    with pytest.raises(AttributeError, match="a state cannot be changed"):
        state.reserve = (99, 0, 0)
    for name in FIELDS[2:]:
        assert hash(getattr(state, name)) is not None, "numbers and tuples only"


# Each number by hand; `testing.count_sequences` must find the same.
POOR = {"reserve": (2, 2), "loans": (1, 1)}
HANDS = [(18, 17, 16), (15, 14, 13), (12, 11, 10)]
COUNTED = {
    # 6 x 6 cards; then 16 bids and 25 with a loan, for each
    "cards and bids": (turin.new(2, seed=1), [1, 6, 36, 36 * 41]),
    # 0 to 2 each. Then 0-0 and 2-2: a card of three; 1-1: two additions; (2, less): a card, no escudo being left to
    # offer one with, four times; (1, 0): done or one of two cards for 1, twice
    "two who bid": (at(2, hands=HANDS[:2], **POOR), [1, 3, 9, 3 + 3 + 2 + 4 * 3 + 2 * 3]),
    # two of three cards; the third goes unasked; done, or one of two cards for 1 to 12, or to 22 with a loan
    "three who choose": (all_bid(at(3, hands=HANDS), 3, 2, 1), [1, 3, 3 * (1 + 2 * (12 + 22))]),
    # pass or claim; both claim: the owner chooses of two, otherwise bids 0 to 1, or to 3 when something was sold
    "two who claim": (
        at(3, Step.WINDOW, won=[(11,), (), ()], sale=((11, 0, 1),), reserve=(1, 2, 2), loans=(1, 1, 1),
           commits=(-2, -1, -1)),
        [1, 2, 4, 2 + 2 + 4 + 4],
    ),
    # the goose or not; if it is claimed two others add 0 or 1, otherwise the next may decide
    "three tied with a goose": (
        all_bid(at(3, reserve=(2, 2, 2), loans=(1, 1, 1), options={"goose": "tie"}), 1, 1, 1),
        [1, 2, 2 + 2, 2 + 2 + 4],
    ),
    # which void player names first; two of four cards; one of two; the third player is done or offers the last for 1
    "two void above the third": (
        play(all_bid(at(4, reserve=(5, 5, 4, 4), loans=(1,) * 4), 5, 5, 3, 2)),
        [1, 2, 2 * 6, 2 * 6 * 2, 2 * 6 * 2 * 2],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("state", "counts"), COUNTED.values(), ids=COUNTED)
def test_the_number_of_sequences_is_that_of_the_table(state, counts):
    assert [testing.count_sequences(state, depth) for depth in range(len(counts))] == counts
