"""The bidding game without a browser: rounds, statuses, best responses, the file, and one message for each one."""

import csv
import io
import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tradekit.auctions import (
    Format,
    MeanOfSignals,
    NoisySignals,
    all_pay,
    first_price,
    losers_pay,
    rounds_csv,
    second_price,
    turin,
    uniform,
)
from tradekit.auctions.experiment import Experiment, Round, Status
from tradekit.widgets.bidding import STEPS, bidding_game, read


def text(html):
    """Return the text that a person reads in a part."""
    return re.sub(r"\s+", " ", re.sub(r"<style.*?</style>|<[^>]+>", " ", html)).strip()


def begin(format=None, values=None, opponents=("equilibrium", "naive"), rounds=3, seed=1):
    return Experiment.begin(format or first_price(), values or uniform(), opponents, rounds, seed)


# Rounds and statuses


def test_nothing_is_decided_before_a_person_decides():
    game = begin()
    assert [r.status for r in game.rounds] == [Status.OPEN] * 3
    assert all(r.bids[0] is None and r.outcome is None and r.gains() == 0 for r in game.rounds)
    assert (game.current, game.played, game.balance) == (0, 0, 0)


def test_no_bid_and_a_bid_of_0_are_two_things():
    game = begin(all_pay(fee=0.1))
    abstained, zero = game.bid(None), game.bid(0.0)
    assert (abstained.rounds[0].status, abstained.rounds[0].bids[0]) == (Status.NO_BID, None)
    assert (zero.rounds[0].status, zero.rounds[0].bids[0]) == (Status.BID, 0.0)
    assert abstained.rounds[0].gains() == 0
    assert zero.rounds[0].gains() == pytest.approx(-0.1)


def test_a_timeout_is_no_bid_either_and_says_so():
    game = begin().bid(None, Status.TIMED_OUT)
    assert game.rounds[0].statuses == (Status.TIMED_OUT, Status.BID, Status.BID)
    with pytest.raises(ValueError, match="a bid needs an amount"):
        game.bid(0.0, Status.TIMED_OUT)
    with pytest.raises(ValueError, match="a bid needs an amount"):
        game.bid(None, Status.BID)


def test_losses_are_counted_and_the_balance_may_be_negative():
    game = begin(values=MeanOfSignals(), rounds=1, seed=3).bid(0.9)
    assert game.balance == pytest.approx(game.rounds[0].worths[0] - 0.9)
    assert game.balance < 0


def test_the_same_seed_deals_the_same_and_an_earlier_value_never_changes():
    game = begin()
    later = game.bid(0.3)
    assert game.rounds == begin().rounds
    assert game.current == 0
    assert later.rounds[1:] == game.rounds[1:]
    assert begin(seed=2).rounds != game.rounds


@pytest.mark.parametrize(
    ("bid", "message"),
    [(-1, "must be 0 or more"), (float("nan"), "must be a finite number"), (0.5, "0.5 is not a multiple of 1")],
)
def test_a_bid_that_cannot_be_is_refused(bid, message):
    with pytest.raises(ValueError, match=message):
        begin(turin(3), uniform(0, 20)).bid(bid)


def test_when_all_is_over_there_is_no_more_to_bid():
    game = begin(rounds=1).bid(0.1)
    assert game.current is None
    with pytest.raises(ValueError, match="all 1 rounds are over"):
        game.bid(0.1)


def test_opponents_bid_as_their_names_say():
    game = begin(opponents=("equilibrium", "naive", "shading", lambda v: v / 4), rounds=5)
    for dealt in game.rounds:
        v = np.array(dealt.types[1:])
        assert dealt.bids[1:] == pytest.approx((v * [4 / 5, 1, 1 / 2, 1 / 4]).tolist(), abs=0.002)


def test_the_bids_of_another_game_can_be_bid_again():
    first = begin(rounds=1).bid(0.123)
    again = begin(opponents=[first, "naive"], rounds=4, seed=9)
    assert again.opponents == ("recorded", "naive")
    assert {r.bids[1] for r in again.rounds} == {0.123}
    with pytest.raises(ValueError, match="one at least"):
        begin(opponents=[begin(rounds=1).bid(None)])


def test_whole_bids_stand_beside_the_equilibrium_of_any_bids():
    game = begin(turin(3), uniform(0, 20))
    assert game.format.ties == "coin"
    assert all(float(bid).is_integer() for r in game.rounds for bid in r.bids[1:] if bid is not None)
    assert game.rule is not None


def test_without_a_known_equilibrium_there_is_no_line():
    assert begin(all_pay(), NoisySignals(0.1, 0, 1), ["naive"]).rule is None
    with pytest.raises(ValueError, match="no equilibrium is known"):
        begin(all_pay(), NoisySignals(0.1, 0, 1), ["equilibrium"])


# The best response


formats = st.builds(
    Format,
    prizes=st.sampled_from([(1,), (2, 1), (2, 2, 1), (1, 1)]),
    loser_pays=st.sampled_from([0, 0.25, 0.5, 1]),
    reserve=st.integers(0, 3),
    fee=st.sampled_from([0, 0.5]),
    step=st.just(1),
    rounding=st.sampled_from([None, "down"]),
) | st.builds(
    Format,
    loser_pays=st.sampled_from([0, 0.5, 1]),
    winner_pays=st.just("next"),
    reserve=st.integers(0, 3),
    step=st.just(1),
)


@settings(deadline=None, max_examples=150)
@given(formats, st.integers(0, 12), st.lists(st.none() | st.integers(0, 12), min_size=1, max_size=4))
def test_the_best_reply_is_what_trying_every_bid_finds(format, worth, others):
    dealt = Round((worth,) * (len(others) + 1), (worth,) * (len(others) + 1), (None, *others))
    game = Experiment(format, uniform(0, 20), ("naive",) * len(others), 0, (dealt,), "")
    best, gains = game.best(0)
    tried = {bid: game.payoff(0, bid) for bid in [None, *range(45)]}
    assert gains == pytest.approx(max(tried.values()))
    assert tried[best] == pytest.approx(gains)
    assert game.missed(0) == pytest.approx(gains - tried[None])
    drawn = dict(game.payoffs(0)[0])
    assert drawn == pytest.approx({bid: tried[bid] for bid in drawn})


@settings(deadline=None, max_examples=50)
@given(st.floats(0, 1), st.integers(0, 20), st.floats(0, 1))
def test_the_chart_of_payoffs_says_what_settling_says(bid, seed, share):
    game = begin(losers_pay(share), rounds=1, seed=seed)
    for (low, first), (high, last) in game.payoffs(0):
        if low <= bid <= high:
            along = first + (last - first) * (bid - low) / (high - low)
            assert game.payoff(0, bid) == pytest.approx(along, abs=1e-9)


def test_missed_is_never_negative_and_0_for_the_best_reply():
    game = begin(rounds=8)
    for n in range(8):
        game = game.bid(game.best(n)[0])
        assert game.missed(n) == 0


# The file


games = st.builds(
    begin,
    st.sampled_from(
        [first_price(), second_price(), losers_pay(0.5, (2, 1)), all_pay(fee=0.05), first_price(reserve=0.4)]
    ),
    st.sampled_from([uniform(), uniform(0, 50)]),
    st.just(("naive", "shading", "equilibrium")),
    st.integers(1, 4),
    st.integers(0, 99),
) | st.builds(begin, st.just(second_price()), st.sampled_from([MeanOfSignals(), NoisySignals(30)]))


@settings(deadline=None, max_examples=60)
@given(games, st.lists(st.none() | st.floats(0, 60).map(lambda x: round(x, 3)), max_size=4))
def test_the_file_read_back_is_the_same_game(game, bids):
    for bid in bids[: len(game.rounds)]:
        game = game.bid(bid)
    again = rounds_csv.read(game.to_csv())
    assert again.to_csv() == game.to_csv()
    assert again.to_frame().equals(rounds_csv.read(again.to_csv()).to_frame())
    for n in range(game.played):
        assert again.best(n) == pytest.approx(game.best(n))
        assert np.allclose(again.payoffs(n), game.payoffs(n))
    v = np.linspace(*((0.0, 1.0)), 5)
    assert (again.rule is None) == (game.rule is None)
    if game.rule:
        assert np.allclose(again.rule(v), game.rule(v), equal_nan=True)


def test_the_file_is_long_says_everything_and_leaves_empty_what_is_not_there():
    rows = list(csv.DictReader(io.StringIO(begin().bid(None).bid(0.25).to_csv())))
    assert [row["status"] for row in rows if row["bidder"] == "0"] == ["no bid", "bid", "not bid yet"]
    assert len(rows) == 3 * 3
    assert rows[0]["bid"] == "" and rows[-1]["type"] == "" and rows[-1]["gains"] == ""
    assert {row["format"] for row in rows} == {"auctions.Format()"}
    assert {(row["values"], row["seed"]) for row in rows} == {("stats.uniform(0, 1)", "1")}
    assert all(row["version"] for row in rows)
    explained = [row["column"] for row in csv.DictReader(io.StringIO(rounds_csv.codebook()))]
    assert explained == list(rounds_csv.COLUMNS) == list(rows[0])


def test_a_timeout_can_be_restored():
    game = begin().bid(None, Status.TIMED_OUT)
    assert rounds_csv.read(game.to_csv()).rounds[0].status is Status.TIMED_OUT
    assert "timed out" in text(read(game.to_csv()).parts["rounds"])


LINES = begin(opponents=["naive"], rounds=2).bid(0.25).bid(None).to_csv().splitlines()


@pytest.mark.parametrize(
    ("line", "old", "new", "message"),
    [
        (1, "worth,", "", "line 1: these columns are missing: worth"),
        (2, ",0.25,", ",a quarter,", "line 2: bid='a quarter': \"a quarter\" is no number"),
        (2, ",0.25,", ",,", "line 2: bid='': \"\" is no number"),
        (2, ",0.25,", ",-1,", "line 2: bid='-1': bid of bidder 0=-1.0: must be 0 or more"),
        (
            3,
            "naive,bid,",
            "naive,maybe,",
            "line 3: status='maybe': one of not bid yet, bid, no bid, timed out is needed",
        ),
        (4, "no bid,", "bid,", "line 4: bid='': \"\" is no number"),
        (3, "naive,bid,", "naive,no bid,", "line 3: bid='.*': none should be here, for the status is \"no bid\""),
        (4, "2,0,person", "3,0,person", "line 4: round='3': round 2 should come here"),
        (3, "1,1,naive", "1,2,naive", "line 3: bidder='2': bidder 1 should come here"),
        (3, ",1,0.1.0", ",7,0.1.0", "line 3: seed='7': not as in the first row"),
        (0, "auctions.Format()", "open('x')", "line 2: format=\"open\\('x'\\)\": .*open is not known here"),
        (0, "stats.uniform(0, 1)", "stats.poisson(3)", "line 2: values='stats.poisson\\(3\\)': .*is not known here"),
        (0, "auctions.Format()", "auctions.Format(loser_pays=2)", "must be between 0 and 1"),
    ],
)
def test_a_fault_in_a_file_is_told_with_its_line(line, old, new, message):
    lines = [part.replace(old, new) if line in (0, n) else part for n, part in enumerate(LINES, 1)]
    assert lines != LINES
    with pytest.raises(ValueError, match=message):
        read("\n".join(lines))


def test_a_file_whose_payments_are_not_the_formats_is_refused():
    lines = begin(all_pay(), opponents=["naive"], rounds=1).bid(0.25).to_csv().replace(",0.25,", ",0.26,", 1)
    with pytest.raises(ValueError, match=r"line 2: pays='0.25': by these bids it is 0.26"):
        read(lines)
    with pytest.raises(ValueError, match="there are no rows"):
        read(LINES[0])


# The widget


@pytest.fixture
def game(comms):
    game = bidding_game(rounds=2, seed=1)
    comms.clear()
    return game


@pytest.fixture
def say(talk_to, game):
    return talk_to(game)


def test_a_typed_amount_is_no_bid_before_it_is_handed_in(game, say):
    changed = say("amount", "0.3")
    assert game.experiment.current == 0
    assert "buttons" not in changed, "the button that is being pressed must stay"
    say("bid")
    assert game.experiment.rounds[0].bids[0] == 0.3


@pytest.mark.parametrize("typed", ["", "  "])
def test_an_empty_field_never_counts_as_0(game, say, typed):
    say("amount", typed)
    say("bid")
    assert game.experiment.rounds[0].status is Status.OPEN
    assert "an empty field is no bid of 0" in text(game.parts["round"])
    assert 'aria-invalid="true"' in game.parts["round"]


def test_a_bid_below_0_is_said_to_the_person(game, say):
    say("amount", "-3")
    say("bid")
    assert game.experiment.rounds[0].status is Status.OPEN
    assert "-3: a bid is 0 or more; or choose not to bid" in text(game.parts["round"])


def test_what_was_typed_does_not_stay_for_the_next_round(game, say):
    say("amount", "0.3")
    say("bid")
    say("amount", "0.9")
    say("bid")
    say("uncover_all")
    say("next")
    assert 'value="0' not in game.parts["round"]
    say("bid")
    assert game.experiment.rounds[1].status is Status.OPEN


def test_a_round_is_uncovered_step_by_step(game, say):
    rival, worth = game.experiment.rounds[0].bids[1], game.experiment.rounds[0].types[1]
    say("amount", "0.3")
    say("bid")
    seen = [
        lambda: f"{rival:g}" in text(game.parts["bids"]),
        lambda: f"{worth:g}" in text(game.parts["bids"]),
        lambda: "<svg" in game.parts["picture"] and "b(value)" in game.parts["bids"],
        lambda: "Best in hindsight" in game.parts["bids"],
        lambda: "gains" in game.parts["bids"] and "<svg" in game.parts["payoff"],
    ]
    for step in range(len(STEPS)):
        assert [look() for look in seen] == [n < step for n in range(len(STEPS))]
        say("uncover")
    assert all(look() for look in seen)
    assert "Balance: <strong>0" in game.parts["round"]


def test_a_second_click_bids_nothing(game, say):
    say("no_bid")
    say("no_bid")
    say("next")
    assert game.experiment.played == 1
    assert game.uncovering == 0


def test_a_round_is_bid_again_with_any_amount(game, say):
    say("amount", "0.3")
    say("bid")
    say("uncover_all")
    for typed in ("0.7", "0,05"):
        say("try", typed)
        gain = game.experiment.payoff(0, float(typed.replace(",", ".")))
        assert f"would have gained {round(gain, 4):g}.".replace("-", "−") in text(game.parts["payoff"])
    changed = say("try", "x")
    assert '"x" is no number' in unescape(text(game.parts["replay"]))
    assert "payoff" not in changed
    assert game.experiment.rounds[0].bids[0] == 0.3, "what was bid stays"


def test_at_the_end_all_bids_over_the_line_and_a_file_that_gives_the_same_pictures(game, say):
    for typed in ("0.3", "0.5"):
        say("amount", typed)
        say("bid")
        say("uncover_all")
        say("next")
    assert game.over
    assert "All rounds are over" in game.parts["round"]
    again = read(game.to_csv())
    for part in ("payoff", "rounds", "end"):
        say("replay", "1")
        assert again.parts[part] == game.parts[part], part
    assert 'data-do="bid"' not in again.parts["buttons"]
    assert again.to_frame().equals(game.to_frame())


def test_a_file_with_open_rounds_says_so(game, say):
    say("no_bid")
    again = read(game.to_csv())
    assert "1 round: not bid yet" in text(again.parts["rounds"])
    assert "A game that was read" in again.parts["round"]


def test_the_winners_curse_is_shown_and_not_cut_at_0():
    game = bidding_game(first_price(), MeanOfSignals(), ["naive", "naive"], 1, seed=3)
    game.receive("amount", "0.9")
    game.receive("bid", "")
    game.receive("uncover_all", "")
    game.refresh()
    assert "Balance: <strong>−0.525" in game.parts["round"]
    assert "A unit was worth 0.375 to everyone" in game.parts["bids"]


def test_repr_makes_the_same_game():
    from scipy import stats

    from tradekit import auctions

    game = bidding_game(losers_pay(0.5, (2, 1)), uniform(0, 20), ("naive", "shading"), 4, seed=7)
    said = repr(game).replace("auctions.bidding_game", "bidding_game")
    again = eval(said, {"auctions": auctions, "stats": stats, "bidding_game": bidding_game})
    assert again.experiment.rounds == game.experiment.rounds
    assert replace(again.experiment, values=None) == replace(game.experiment, values=None)


# Typed text


def type_and_bid(game, typed):
    game.receive("amount", typed)
    game.receive("bid", "")
    return game.errors.get("bid", ("", ""))[1]


@pytest.mark.parametrize("high", [1, 100, 10_000])
@pytest.mark.parametrize("typed", ["1,234", "1.234"])
def test_a_bid_that_is_two_numbers_is_asked_about(high, typed):
    game = bidding_game(values=uniform(0, high))
    message = type_and_bid(game, typed)
    assert "1234" in message and "1.2340" in message and game.experiment.played == 0
    game.refresh()
    assert "1.2340" in game.parts["round"] and f'value="{typed}"' in game.parts["round"]


@pytest.mark.parametrize(
    ("typed", "bid"), [("0,25", 0.25), ("1/4", 0.25), ("25 %", 0.25), ("¼", 0.25), (" .25 ", 0.25)]
)
def test_a_bid_is_read_in_any_form(typed, bid):
    game = bidding_game()
    assert type_and_bid(game, typed) == "" and game.experiment.rounds[0].bids[0] == bid


def test_what_the_page_itself_writes_is_read_as_it_is_meant():
    game = bidding_game(values=uniform(0, 5))
    assert type_and_bid(game, "1.234") == "" and game.experiment.rounds[0].bids[0] == 1.234


@pytest.mark.parametrize("typed", ["1e9", "1000000000", "250", "1.000.000"])
def test_a_bid_far_above_every_value_is_asked_for_twice(typed):
    game = bidding_game(values=uniform(0, 100), rounds=2)
    assert "far above 100" in type_and_bid(game, typed) and game.experiment.played == 0
    assert "far above 100" in type_and_bid(game, "999"), "another bid is asked about anew"
    assert "far above 100" in type_and_bid(game, typed)
    assert type_and_bid(game, typed) == "" and game.experiment.played == 1
    game.receive("uncover_all", "")
    game.receive("next", "")
    assert "far above" in type_and_bid(game, typed), "and so in each round"


def test_a_bid_in_per_cent_is_asked_about_where_values_are_no_shares():
    game = bidding_game(values=uniform(0, 100))
    assert "no share" in type_and_bid(game, "50 %") and game.experiment.played == 0


def test_a_bid_somewhat_above_the_values_is_taken():
    game = bidding_game(values=uniform(0, 100))
    assert type_and_bid(game, "120") == "" and game.experiment.played == 1
