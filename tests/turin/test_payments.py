"""Loans and payments of Turin Market, TU-30 to TU-36, compared with a second way of paying coin by coin."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradekit import turin
from tradekit.game import play_on
from tradekit.turin import payment
from tradekit.turin.parameters import Step

from . import naive
from .positions import all_bid, at, choose_first, lying, paid, play, refused

# Against the text


@st.composite
def tables(draw):
    """Draw (goods by player, payouts, cash, loans, order): small purses, so that many must borrow."""
    players, goods = draw(st.integers(2, 5)), draw(st.integers(1, 9))
    units = st.lists(st.integers(0, 4), min_size=goods, max_size=goods)
    return (
        [draw(units) for _player in range(players)],
        draw(st.lists(st.integers(1, 12), min_size=goods, max_size=goods)),
        draw(st.lists(st.integers(0, 6), min_size=players, max_size=players)),
        draw(st.lists(st.integers(0, 1), min_size=players, max_size=players)),
        draw(st.permutations(range(goods))),
    )


@given(tables())
def test_TU_32_to_35_payments_are_those_of_the_text(table):
    goods, payouts, cash, loans, order = table
    result = payment.settle(goods, payouts, cash, loans, order)
    assert result.final == naive.payments(goods, payouts, cash, loans, order)
    assert sum(result.final) + result.bank == sum(cash), "what players have not, the bank has"
    assert [step.good for step in result.steps] == list(order)
    for before, after in zip([tuple(cash), *(step.cash for step in result.steps)], result.steps, strict=False):
        assert min(after.cash) >= 0, "nobody pays what they have not"
        assert set(after.leaders).isdisjoint(after.payers)
        assert {*after.borrowed, *after.covered} <= {p for p in after.payers if not before[p]}


@given(tables())
def test_TU_4_the_order_matters_only_where_somebody_is_short(table):
    goods, payouts, _cash, loans, order = table
    rich = [len(payouts)] * len(goods)
    assert payment.settle(goods, payouts, rich, loans, order).final == payment.settle(goods, payouts, rich, loans).final


# TU-30: loans


def test_TU_30_a_loan_is_part_of_a_bid_and_gives_10():
    state = at(3)
    assert "bid 25 loan" in state.actions(0) and "bid 26 loan" not in state.actions(0)
    committed = play(state, "p0 bid 20 loan")
    assert committed.loans == (0, 0, 0) and committed.reserve == (15, 15, 15), "it is revealed with the bid"
    after = choose_first(play(committed, "p1 bid 0", "p2 bid 0"))
    assert after.loans == (1, 0, 0) and paid(state, after) == (20 - 10, 0, 0)
    refused(state, "bid 26 loan", "bid 26 loan: p0 has 25 escudos for it (TU-11)", 0)
    refused(state, "bid 0 loan", "bid 0 loan: a loan goes with a choice that needs money (TU-30)", 0)


def test_TU_30_one_loan_each():
    state = at(3, loans=(1, 0, 0))
    assert not any(action.endswith("loan") for action in state.actions(0))
    refused(state, "bid 3 loan", "p0 has a loan already, and one is all (TU-30)", 0)
    assert "bid 3 loan" in state.actions(1)


def test_TU_30_a_loan_with_an_addition_and_with_a_losing_bid():
    start = at(2, reserve=(5, 5))
    end = choose_first(play(all_bid(start, 5, 5), "p0 add 10 loan", "p1 add 3 loan"))
    assert end.loans == (1, 1) and paid(start, end) == (15 - 10, 4 - 10)


def test_TU_30_a_loan_with_an_offer():
    state = at(3, Step.OFFER, centre=[], won=[(11,), (), ()], queue=((0, 0), (1, 0), (2, 0)), reserve=(2, 15, 15))
    after = state.after("sell 11 for 12 loan")
    assert after.loans == (1, 0, 0) and after.reserve == (0, 15, 15) and after.sale == ((11, 0, 12),)
    refused(state, "sell 11 for 13 loan", "sell 11 for 13 loan: p0 has 12 escudos for it (TU-20)")
    refused(state, "sell 11 for 3", "sell 11 for 3: p0 has 2 escudos for it, 12 with a loan (TU-20, TU-30)")


def test_TU_30_a_loan_with_a_claim():
    state = at(3, Step.WINDOW, won=[(11,), (), ()], sale=((11, 0, 12),), reserve=(3, 15, 4), commits=(-2, -1, -1))
    after = play(state, "p1 pass", "p2 claim 11 loan")
    assert after.loans == (0, 0, 1) and after.reserve == (3 + 24, 15, 2)


def test_TU_30_15_are_due_for_it():
    assert payment.settle([[1], [0]], [6], [20, 20], [1, 0]).final == (20 + 6 - 15, 20)


def test_TU_30_the_score_so_far_counts_what_is_due():
    assert at(2, reserve=(15, 12), loans=(0, 1)).scores() == (15, -3)


# TU-31 to TU-36: the end


def ended(won, hands, *, reserve, **fields):
    """Return a game of these players after a last auction in which all bid 0."""
    players = len(won)
    used = {card for cards in [*won, *hands] for card in cards}
    centre = [card for card in range(1, 19) if card not in used][:players]
    state = at(players, auction=4 if players < 5 else 3, won=won, hands=hands, centre=centre, reserve=reserve, **fields)
    return all_bid(state, *[0] * players)


def test_TU_31_the_card_left_in_hand_counts():
    """Card 1: truffles 3, honey 2, walnuts 1, for 4, 5 and 8; card 2: honey 3, rice 2, chocolate 1, for 5, 11 and 9."""
    end = ended([(), ()], [(1,), (2,)], reserve=(10, 10))
    assert end.step is Step.OVER and end.hands == (0, 0)
    # p0: truffles 4, walnuts 8, pays 1 for honey; p1: honey 5, rice 11, chocolate 9
    assert end.scores() == (10 + 4 + 8 - 1, 10 + 5 + 1 + 11 + 9)
    assert end.winners() == (1,)


def test_TU_32_the_most_units_win_though_they_are_no_half():
    result = payment.settle([[3], [2], [2], [1]], [6], [5, 5, 5, 5], [0] * 4)
    assert result.final == (14, 4, 4, 4)
    assert result.steps[0].share == 9 and result.steps[0].payers == (1, 2, 3)


def test_TU_32_a_good_that_nobody_has_pays_nothing():
    result = payment.settle([[0, 1], [0, 0]], [6, 3], [5, 5], [0, 0])
    assert result.final == (8, 5) and result.steps[0].leaders == () and result.bank == -3


def test_TU_33_the_FAQ_6_and_1_shared_by_two_are_4_each():
    result = payment.settle([[2], [2], [1]], [6], [5, 5, 5], [0] * 3)
    assert result.steps[0].share == 4 and result.final == (9, 9, 4) and result.bank == -7


def test_TU_33_the_tied_do_not_pay_one_another_and_a_payer_pays_1_in_all():
    assert payment.settle([[1], [1]], [7], [0, 0], [0, 0]).final == (4, 4)
    assert payment.settle([[2], [2], [2], [1]], [6], [0, 0, 0, 3], [0] * 4).final == (3, 3, 3, 2)


def test_TU_34_a_payer_without_an_escudo_must_borrow_then_the_bank_pays_and_2_are_owed():
    """p1 pays for ten goods with nothing: a loan at the first, nothing left after the tenth, then 2 more each."""
    goods = [[2] * 12, [1] * 12]
    ten = payment.settle([row[:10] for row in goods], [1] * 10, [0, 0], [0, 0])
    assert ten.loans == (0, 1) and ten.debts == (0, 0) and ten.final == (20, -15)
    assert ten.steps[0].borrowed == (1,) and ten.steps[0].cash[1] == 9 and ten.steps[9].cash[1] == 0
    twelve = payment.settle(goods, [1] * 12, [0, 0], [0, 0])
    assert twelve.debts == (0, 4) and twelve.final == (24, -19)
    assert twelve.steps[10].covered == twelve.steps[11].covered == (1,)


def test_TU_34_with_the_loan_taken_the_bank_pays_at_once():
    result = payment.settle([[2], [1]], [3], [0, 0], [0, 1])
    assert result.final == (4, -17) and result.debts == (0, 2)


def test_TU_34_what_comes_in_for_an_earlier_good_pays_for_a_later_one():
    goods = [[2, 1], [1, 2]]
    assert payment.settle(goods, [6, 6], [0, 1], [0, 0], [0, 1]).loans == (0, 0)
    assert payment.settle(goods, [6, 6], [0, 1], [0, 0], [1, 0]).loans == (1, 0)


def test_TU_34_in_a_game():
    """p1's one card is honey 3, rice 2, chocolate 1, and p0 has more of each."""
    end = ended([(1, 7, 10, 13, 14, 16), (2,)], [(3,), (18,)], reserve=(5, 0))
    units = [end.goods(0), end.goods(1)]
    pays = sum(0 < mine < most for most, mine in zip(*units, strict=True))
    account = end.payments()
    assert pays >= 2 and account.loans == (0, 1) and account.steps[1].borrowed == (1,)
    assert account.steps[-1].cash[1] - 15 == end.scores()[1] == account.final[1]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_TU_24_before_the_end_the_account_counts_the_coins_on_cards(players):
    """In every state of random games; and an offer or its withdrawal changes nothing."""
    offered = 0
    for seed in range(4):
        before = None
        for state in play_on(turin.new(players, seed=seed, selling=("one", "several")[seed % 2]), random.Random(seed)):
            goods = [[sum(units) for units in zip(*cards, strict=True)] or [0] * 9 for cards in lying_units(state)]
            purses = [
                have + sum(price for _card, owner, price in state.sale if owner == player)
                for player, have in enumerate(state.cash or state.reserve)
            ]
            final = state.payments().final
            payouts = [good.classic for good in state.deck.goods]
            assert final == naive.payments(goods, payouts, purses, state.loans, range(9))
            if before and before.step is Step.OFFER and (before.won, before.loans) == (state.won, state.loans):
                assert final == before.payments().final
                offered += before.sale != state.sale
            before = state if not state.cash else None
    assert offered > 10


def lying_units(state):
    """Return the units of each good on each card in front of each player."""
    return [[state.deck.card(n).units for n in lying(state, player)] for player in range(state.players)]


def test_TU_35_who_cannot_repay_ends_below_zero():
    end = ended([(1, 2), (), ()], [(3,), (4,), (5,)], reserve=(2, 2, 2), loans=(0, 1, 1))
    assert min(end.scores()) < 0 and end.conserved() == (0, 18)


def test_TU_36_most_escudos_win_and_the_tied_share_the_victory():
    assert ended([(), (), (), ()], [()] * 4, reserve=(7, 9, 9, 3)).winners() == (1, 2)
    assert ended([(), (), (), ()], [()] * 4, reserve=(7, 9, 8, 3)).winners() == (1,)
    assert at(4).winners() == ()
