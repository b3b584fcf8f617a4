"""An auction of Turin Market, TU-10 to TU-19: the worked cases, every boundary, and two other ways to settle it."""

import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tradekit import turin
from tradekit.auctions.formats import turin as auction_format
from tradekit.game import CHANCE, IllegalAction, random_moves
from tradekit.turin.draft import NONE
from tradekit.turin.parameters import SIMULTANEOUS, Step, numbers

from . import naive
from .positions import RICH, all_add, all_bid, at, cards_won, choose_first, endings, lying, paid, play, refused, rich

# Against two other ways to settle it


@st.composite
def auctions(draw):
    """Draw (players, first auction or not, bids, additions of the rebidders): small numbers, so that most are tied."""
    players, first = draw(st.integers(2, 5)), draw(st.booleans())
    bids = draw(st.lists(st.integers(0, 4), min_size=players, max_size=players))
    asked = naive.rebidders(bids, auction_format(players, first=first).places)
    return players, first, bids, {player: draw(st.integers(0, 2)) for player in sorted(asked)}


@given(auctions())
def test_TU_11_to_19_an_auction_in_a_game_is_that_of_the_text_and_that_of_the_format(auction):
    players, first, bids, additions = auction
    start = rich(players, first)
    format = start.parameters.format(start.auction)
    seen = Counter()
    for chance, end in endings(all_bid(start, *bids), additions):
        seen[paid(start, end), cards_won(end), end.gone.bit_count()] += chance
        assert end.bids == tuple(bids)
        assert {p: n for p, n in enumerate(end.added) if n != NONE} == additions
    text = naive.auction(bids, additions, format.prizes)
    settled = {(o.pays, o.awards, o.discarded): o.probability for o in format.settle(bids, additions).outcomes}
    assert dict(seen) == pytest.approx(text)
    assert dict(seen) == pytest.approx(settled)


@given(auctions())
def test_TU_14_who_bids_again_and_TU_18_the_highest_tie_first(auction):
    players, first, bids, additions = auction
    state = all_bid(rich(players, first), *bids)
    asked = []
    while state.step in (Step.ADD, Step.COIN):
        if state.step is Step.COIN:
            state = state.after(state.outcomes()[0][0])
            continue
        tied = state.actors
        asked += [bids[tied[0]]]
        for player in tied:
            assert bids[player] == bids[tied[0]]
            state = state.after(f"add {additions[player]}", player)
    assert asked == sorted({bids[player] for player in additions}, reverse=True)


def test_TU_14_every_addition_of_two_equal_bids():
    """In a 3-player auction: all sixteen pairs of additions, against the text."""
    for pair in product(range(4), repeat=2):
        additions = dict(enumerate(pair))
        start = rich(3)
        seen = Counter()
        for chance, end in endings(all_bid(start, 3, 3, 1), additions):
            seen[paid(start, end), cards_won(end), end.gone.bit_count()] += chance
        assert dict(seen) == pytest.approx(naive.auction([3, 3, 1], additions, (2, 1)))


# The worked cases of the rules and of the FAQ


def test_TU_17_the_worked_case_of_the_rules():
    """P3 wins with 4; P1 and P2 tie at 2, P2 adds 1 and wins the second place, P1 pays half of 2."""
    start = at(3)
    tied = all_bid(start, 2, 2, 4)
    assert tied.actors == (0, 1)
    assert tied.reserve == start.reserve, "nothing is paid before all ties are settled"
    end = choose_first(all_add(tied, p0=0, p1=1))
    assert paid(start, end) == (1, 3, 4)
    assert cards_won(end) == (0, 1, 2)


def test_TU_13_a_bid_of_0_wins_nothing_and_its_card_is_discarded():
    start = at(3)
    end = choose_first(all_bid(start, 5, 0, 0))
    assert paid(start, end) == (5, 0, 0)
    assert cards_won(end) == (2, 0, 0)
    assert end.gone.bit_count() == 1 and not end.centre


def test_TU_13_a_single_bid_of_0_takes_no_place_that_is_left():
    end = choose_first(all_bid(at(3), 5, 0, 3))
    assert cards_won(end) == (2, 0, 1)
    end = choose_first(all_bid(at(4), 5, 0, 3, 0))
    assert cards_won(end) == (2, 0, 1, 0) and end.gone.bit_count() == 1


def test_TU_16_the_FAQ_of_four_players_whose_two_highest_both_add_0():
    """Three cards go, each of the two pays half of the first bid, the third bidder takes the last, the fourth loses."""
    start = at(4)
    state = all_add(all_bid(start, 5, 5, 3, 2), p0=0, p1=0)
    assert state.step is Step.COIN  # it decides who counts as first
    assert [*state.outcomes()] == [("order p0 p1", 0.5), ("order p1 p0", 0.5)]
    state = state.after("order p1 p0")
    assert state.actors == (1,) and "discard 1 2" in state.actions(1) and len(state.actions(1)) == 6
    state = play(state, "p1 discard 2 4")
    assert state.actors == (0,) and [*state.actions(0)] == ["discard 1", "discard 3"]
    state = play(state, "p0 discard 1")
    assert paid(start, state) == (2, 2, 3, 1)
    assert cards_won(state) == (0, 0, 1, 0)
    assert lying(state, 2) == (3,) and numbers(state.gone) == (1, 2, 4)


def test_TU_15_still_tied_with_a_positive_addition_a_coin_and_both_pay_the_total():
    start = at(4)
    state = all_add(all_bid(start, 5, 5, 3, 2), p0=2, p1=2)
    assert state.actors == (CHANCE,) and state.reserve == start.reserve
    for action, chance in state.outcomes():
        assert chance == 0.5
        end = choose_first(state.after(action))
        assert paid(start, end) == (7, 7, 3, 1)
        assert cards_won(end) == ((2, 1, 1, 0) if action == "order p0 p1" else (1, 2, 1, 0))


def test_TU_16_all_at_0_nobody_wins_and_nobody_pays():
    start = at(5)
    end = all_bid(start, 0, 0, 0, 0, 0)
    assert end.step is Step.SHOW and end.auction == 2, "no rebid, no coin, nothing to choose or to sell"
    assert paid(start, end) == (0,) * 5 and cards_won(end) == (0,) * 5 and end.gone.bit_count() == 5


# By number


@pytest.mark.parametrize(
    ("players", "first", "later"),
    [(2, (2,), (2,)), (3, (2, 1), (2, 1)), (4, (1, 1), (2, 1, 1)), (5, (1, 1, 1), (2, 2, 1))],
)
def test_TU_10_awards_by_place(players, first, later):
    for early, awards in ((True, first), (False, later)):
        state = rich(players, early)
        state = choose_first(all_bid(state, *range(10, 10 - players, -1)))
        assert cards_won(state) == awards + (0,) * (players - len(awards))


@pytest.mark.parametrize(("players", "auctions"), [(2, 5), (3, 5), (4, 5), (5, 4)])
def test_TU_10_the_number_of_auctions_and_that_the_first_of_four_and_five_is_for_the_centre(players, auctions):
    state = turin.new(players, seed=3)
    assert state.step is (Step.BID if players > 3 else Step.SHOW)
    assert state.centre.bit_count() == {2: 0, 3: 0, 4: 2, 5: 3}[players]
    seen = set()
    while state.actors:
        if state.step is Step.BID:
            seen.add(state.auction)
            assert state.centre.bit_count() == players or not state.auction
        actor = state.actors[0]
        state = state.after(next(iter(state.actions(actor))) if actor != CHANCE else state.outcomes()[0][0], actor)
    assert seen == set(range(auctions))


def test_TU_10_hand_cards_are_chosen_in_secret_and_revealed_together():
    state = at(3, Step.SHOW, centre=[], hands=[(1, 2), (3, 4), (5, 6)])
    assert state.actors == (0, 1, 2) and [*state.actions(1)] == ["show 3", "show 4"]
    refused(state, "show 5", "show 5: p1 holds the cards 3, 4 (TU-10)", 1)
    refused(state, "bid 3", "bid 3: not now; each chooses a hand card, such as: show 7 (TU-10)", 1)
    state = play(state, "p2 show 6", "p0 show 1")
    assert state.actors == (1,) and not state.centre
    said = "p0 has chosen already; p1, p2 are to choose (TU-10, TU-11)"  # p0 does not see that p2 has chosen
    refused(state, "show 2", said, 0)
    state = play(state, "p1 show 4")
    assert state.step is Step.BID and numbers(state.centre) == (1, 4, 6)
    assert [numbers(hand) for hand in state.hands] == [(2,), (3,), (5,)]


def test_TU_10_a_last_card_is_shown_without_being_asked():
    """With four and five players no hand card is left over."""
    state = at(4, auction=3, hands=[(18,), (17,), (16,), (15,)])
    state = all_bid(state, 0, 0, 0, 0)
    assert state.step is Step.BID and state.auction == 4 and numbers(state.centre) == (15, 16, 17, 18)


def test_TU_11_a_bid_is_0_to_the_whole_reserve():
    state = at(3, reserve=(4, 15, 0), loans=(1, 1, 1))
    assert [*state.actions(0)] == ["bid 0", "bid 1", "bid 2", "bid 3", "bid 4"]
    refused(state, "bid 5", "bid 5: p0 has 4 escudos for it (TU-11)", 0)
    refused(at(3), "bid 16", "bid 16: p0 has 15 escudos for it, 25 with a loan (TU-11, TU-30)", 0)
    refused(state, "bid -1", "-1 escudos cannot be named: 0 or a whole number can (TU-2, TU-11)", 0)
    refused(state, "bid 2.5", "2.5 escudos cannot be named: 0 or a whole number can (TU-2, TU-11)", 0)
    assert state.actors == (0, 1), "who has nothing and cannot borrow is not asked"
    assert all_bid(state, 4, 3).bids == (4, 3, 0)


@given(st.integers(0, 2**32), st.integers(2, 5))
@settings(max_examples=15)
def test_TU_10_to_TU_22_who_is_said_to_have_chosen_has_chosen(seed, players):
    """A player who may not act while others choose is told why, and no choice is mentioned that was not made."""
    chosen, before = set(), ()
    poor = {"reserve": (2,) * players, "loans": tuple(seed >> player & 1 for player in range(players))}
    for state, actor, _action in random_moves(turin.new(players, seed=seed)._with(**poor), random.Random(seed)):
        if state.step in SIMULTANEOUS:
            chosen = chosen if state.actors == before else set()
            for player in {*range(players)} - {*state.actors}:
                with pytest.raises(IllegalAction) as error:
                    state.after("done", player)
                assert ("has chosen already" in str(error.value)) == (player in chosen)
                assert str(error.value).startswith(f"p{player} ") and "(TU-" in str(error.value)
            chosen.add(actor)
        before = tuple(player for player in state.actors if player != actor) if state.step in SIMULTANEOUS else ()


def test_TU_11_TU_14_TU_22_who_is_not_asked_is_told_why():
    state = at(3, reserve=(4, 15, 0), loans=(1, 1, 1))
    refused(state, "bid 0", "p2 has nothing and cannot borrow, so bids 0 and is not asked (TU-11)", 2)
    state = all_bid(at(3, reserve=(6, 9, 15), loans=(1, 0, 1)), 6, 6, 2)
    refused(state, "add 0", "p0 has nothing left and cannot borrow, so adds 0 and is not asked (TU-14)", 0)
    refused(state, "add 0", "p2 is not tied, and does not bid again (TU-14)", 2)
    sale = {"won": [(12,), (), ()], "sale": ((12, 0, 12),), "reserve": (15, 3, 3), "loans": (0, 0, 1)}
    state = at(3, Step.WINDOW, commits=(-2, -1, -2), **sale)
    refused(state, "pass", "p2 can pay for no card on sale, and is not asked (TU-22)", 2)
    refused(state, "pass", "a player acts now, not chance (TU-5, TU-15)", CHANCE)


def test_TU_11_coins_on_a_card_for_sale_cannot_be_bid():
    state = at(3, won=[(11,), (), ()], sale=((11, 0, 5),), reserve=(10, 15, 15), loans=(1, 0, 0))
    assert "bid 10" in state.actions(0) and "bid 11" not in state.actions(0)
    refused(state, "bid 11", "bid 11: p0 has 10 escudos for it (TU-11)", 0)


def test_TU_11_bids_are_revealed_together():
    state = play(at(3), "p1 bid 7")
    assert state.bids == () and state.actors == (0, 2) and state.reserve == (15, 15, 15)
    refused(state, "bid 3", "p1 has chosen already; p0, p2 are to choose (TU-10, TU-11)", 1)
    refused(state, "bid 3", "say who acts: p0, p2 (TU-10, TU-11)")
    assert play(state, "p2 bid 2", "p0 bid 3").bids == (3, 7, 2)


@pytest.mark.parametrize(("bid", "pays"), [(1, 0), (2, 1), (3, 1), (4, 2), (9, 4)])
def test_TU_12_losers_pay_half_rounded_down(bid, pays):
    start = at(2)
    assert paid(start, all_bid(start, bid, 10)) == (pays, 10)


def test_TU_14_additions_come_from_the_rest_of_the_reserve():
    state = all_bid(at(3, reserve=(6, 9, 15), loans=(1, 0, 1)), 6, 6, 2)
    assert state.actors == (1,), "who has nothing left and cannot borrow adds 0"
    assert [*state.actions(1)][:4] == ["add 0", "add 1", "add 2", "add 3"] and len(state.actions(1)) == 4 + 13
    refused(state, "add 4", "add 4: p1 has 3 escudos for it, 13 with a loan (TU-14, TU-30)", 1)
    refused(state, "add -2", "-2 escudos cannot be named: 0 or a whole number can (TU-2, TU-11)", 1)
    refused(state, "add 1", "p2 is not tied, and does not bid again (TU-14)", 2)
    refused(state, "bid 1", "bid 1: not now; the tied bid again: add 2 (TU-14)", 1)
    refused(state, "add 14 loan", "add 14 loan: p1 has 13 escudos for it (TU-14)", 1)


def test_TU_14_a_tie_is_fought_out_within_its_places():
    """However much the second and third add, they stay below the first and above the fourth."""
    start = rich(4)
    end = choose_first(all_add(all_bid(start, 9, 5, 5, 4), p1=50, p2=40))
    assert paid(start, end) == (9, 55, 45, 2) and cards_won(end) == (2, 1, 1, 0)
    assert end.first == 0


def test_TU_14_a_tie_wholly_outside_the_winning_places_is_not_rebid():
    end = all_bid(at(5), 9, 8, 7, 3, 3)
    assert end.step is Step.TAKE and paid(at(5), end) == (9, 8, 7, 1, 1)


def test_TU_14_a_tie_with_one_winning_place_is_rebid():
    state = all_bid(at(5), 9, 8, 3, 3, 3)
    assert state.actors == (2, 3, 4)
    end = choose_first(all_add(state, p2=0, p3=1, p4=2))
    assert paid(at(5), end) == (9, 8, 1, 2, 5) and cards_won(end) == (2, 2, 0, 0, 1)


def test_TU_15_three_on_the_same_total_come_in_a_random_order():
    state = all_add(all_bid(rich(4), 5, 5, 5, 0), p0=1, p1=1, p2=1)
    assert len(state.outcomes()) == 6 and {chance for _order, chance in state.outcomes()} == {1 / 6}
    end = choose_first(state.after("order p2 p0 p1"))
    assert cards_won(end) == (1, 1, 2, 0) and end.first == 2
    refused(state, "order p2 p0", "order p2 p0 cannot come up here (TU-5, TU-15)", CHANCE)
    refused(state, "order p2 p0 p1", "chance acts now, not a player (TU-5, TU-15)", 2)


def test_TU_15_a_coin_only_where_it_changes_who_gets_what():
    """If three still tie for one winning place, the coin names one; the others are alike."""
    state = all_add(all_bid(rich(5), 9, 8, 5, 5, 5), p2=1, p3=1, p4=1)
    assert [*state.outcomes()] == [(f"order p{player}", 1 / 3) for player in (2, 3, 4)]
    assert paid(rich(5), choose_first(state.after("order p3"))) == (9, 8, 3, 6, 3)
    below = all_add(all_bid(rich(3), 9, 5, 5), p1=1, p2=0)
    assert below.step is Step.TAKE, "the addition has decided"


def test_TU_15_never_a_third_round():
    state = all_add(all_bid(rich(2), 5, 5), p0=3, p1=3)
    assert state.step is Step.COIN
    assert state.after("order p1").step is not Step.ADD


def test_TU_16_a_rebidder_who_alone_added_0_takes_the_next_place():
    end = choose_first(all_add(all_bid(rich(4), 5, 5, 5, 1), p0=0, p1=2, p2=1))
    assert cards_won(end) == (1, 2, 1, 0) and paid(rich(4), end) == (5, 7, 6, 0)


def test_TU_16_two_of_three_who_added_0_win_nothing():
    start = rich(4)
    end = choose_first(all_add(all_bid(start, 5, 5, 5, 1), p0=0, p1=2, p2=0))
    assert cards_won(end) == (0, 2, 0, 0) and paid(start, end) == (2, 7, 2, 0)
    assert end.gone.bit_count() == 2, "the void places are at the end: what remains is discarded"


def test_TU_16_a_zero_tie_for_some_of_the_places_only_leaves_those_void():
    """Five players, prizes 2, 2, 1: the tie for places two to four is void; the first keeps two cards."""
    start = rich(5)
    end = choose_first(all_add(all_bid(start, 9, 5, 5, 5, 1), p1=0, p2=0, p3=0))
    assert cards_won(end) == (2, 0, 0, 0, 0) and paid(start, end) == (9, 2, 2, 2, 0) and end.gone.bit_count() == 3


def test_TU_17_a_rebidder_pays_the_total_or_half_of_it():
    start = rich(2)
    assert paid(start, all_add(all_bid(start, 5, 5), p0=4, p1=2)) == (9, 3)
    assert paid(start, all_add(all_bid(start, 5, 5), p0=1, p1=0)) == (6, 2)


def test_TU_18_the_highest_tie_is_settled_first_and_the_lower_knows_how():
    state = all_bid(rich(4), 3, 7, 3, 7)
    assert state.actors == (1, 3)
    state = all_add(state, p1=2, p3=2)
    assert state.step is Step.COIN, "the coin, too, before the lower tie"
    state = state.after("order p3 p1")
    assert state.actors == (0, 2) and state.reserve == (RICH,) * 4 and state.added == (NONE, 2, NONE, 2)
    end = choose_first(all_add(state, p0=0, p2=1))
    assert cards_won(end) == (0, 1, 1, 2) and paid(rich(4), end) == (1, 9, 4, 9)


def test_TU_19_cards_are_chosen_in_order_of_place():
    state = all_bid(at(4), 2, 9, 5, 7)
    assert state.actors == (1,) and len(state.actions(1)) == 6 and "take 2 4" in state.actions(1)
    refused(state, "take 2", "take 2: p1 is to take 2 of the cards 1, 2, 3, 4 (TU-19)")
    refused(state, "take 2 3 4", "take 2 3 4: p1 is to take 2 of the cards 1, 2, 3, 4 (TU-19)")
    refused(state, "take 2 2", "take 2 2: p1 is to take 2 of the cards 1, 2, 3, 4 (TU-19)")
    refused(state, "take 2 5", "take 2 5: p1 is to take 2 of the cards 1, 2, 3, 4 (TU-19)")
    refused(state, "discard 2 3", "discard 2 3: p1 is to take 2 of the cards 1, 2, 3, 4 (TU-19)")
    refused(state, "take 2 3", "p1 is to act now, not p3 (TU-19, TU-20)", 3)
    state = play(state, "p1 take 2 4")
    assert state.actors == (3,) and [*state.actions(3)] == ["take 1", "take 3"]
    state = play(state, "p3 take 3")
    assert lying(state, 1) == (2, 4) and lying(state, 3) == (3,) and lying(state, 2) == (1,)


def test_TU_19_void_players_name_cards_only_above_a_winning_place():
    """Five players, the second and third place void, none below: the first takes two, the rest go without a choice."""
    state = all_add(all_bid(rich(5), 9, 5, 5, 2, 1), p1=0, p2=0)
    assert state.step is Step.TAKE and state.queue == ((0, 2),)
    assert choose_first(state).gone.bit_count() == 3


def test_TU_19_a_void_first_place_names_two_and_the_places_below_keep_their_own_award():
    state = all_add(all_bid(rich(5), 5, 5, 3, 2, 1), p0=0, p1=0).after("order p0 p1")
    state = play(state, "p0 discard 1 5", "p1 discard 2 3")
    assert lying(state, 2) == (4,) and cards_won(state) == (0, 0, 1, 0, 0)
    refused(
        all_add(all_bid(rich(5), 5, 5, 3, 2, 1), p0=0, p1=0).after("order p0 p1"),
        "take 1 5",
        "take 1 5: p0 is to discard 2 of the cards 1, 2, 3, 4, 5 (TU-19)",
    )
