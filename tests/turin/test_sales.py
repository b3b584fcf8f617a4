"""Sales of Turin Market, TU-20 to TU-25: legal offers, their duration, and their buyers."""

import pytest

from tradekit.turin.parameters import Step

from .positions import all_bid, at, choose_first, lying, play, refused

WON = [(11, 12), (13,), (14,)]


def offering(first=0, **fields):
    """Return the sales after an auction in which only the listed cards were won: the player `first` offers first."""
    fields = {"won": WON, "centre": [], "first": first} | fields
    players = len(fields["won"])
    queue = tuple(((first + n) % players, 0) for n in range(players))
    return at(players, Step.OFFER, queue=queue, **fields)


def window(*sale, centre=(1, 2, 3), **fields):
    """Return a state in which all may claim a ``(card, owner, price)`` on sale; without a centre, before an auction."""
    reserve = [15] * 3
    for _card, owner, price in sale:
        reserve[owner] -= price
    fields = {"reserve": tuple(reserve), "won": WON, **fields}
    return at(3, Step.WINDOW, sale=tuple(sorted(sale)), centre=centre, **fields)


# TU-20: offering a card


def test_TU_20_each_in_turn_from_the_player_of_the_best_filled_place():
    state = choose_first(all_bid(at(3, won=WON), 2, 9, 5))
    order = []
    while state.step is Step.OFFER:
        order.append(state.actors[0])
        state = state.after("done")
    assert order == [1, 2, 0]


@pytest.mark.parametrize("bids", [(0, 0, 0), (0, 0, 7)])
def test_TU_20_from_the_first_seat_if_no_place_is_filled_else_not(bids):
    state = choose_first(all_bid(at(3, won=WON), *bids))
    assert state.actors == ((2,) if any(bids) else (0,))


def test_TU_20_a_void_first_place_is_not_filled():
    state = play(all_bid(at(4, won=[(11,), (12,), (13,), (14,)]), 5, 5, 3, 2), "p0 add 0", "p1 add 0", "order p0 p1")
    state = play(state, "p0 discard 1 2", "p1 discard 3")
    assert state.step is Step.OFFER and state.actors == (2,)


def test_TU_20_one_of_the_own_cards_for_one_escudo_or_more_of_the_reserve():
    state = offering()
    assert [*state.actions(0)] == [
        "done",
        *(f"sell {card} for {n}{loan}" for card in (11, 12) for loan, most in (("", 15), (" loan", 25))
          for n in range(1, most + 1)),
    ]  # fmt: skip
    after = state.after("sell 12 for 4")
    assert after.sale == ((12, 0, 4),) and after.reserve == (11, 15, 15) and after.actors == (1,)
    assert lying(after, 0) == (11, 12), "TU-23: it counts for its owner"
    assert after.goods(0) == state.goods(0)
    refused(state, "sell 13 for 4", "card 13 does not lie face up before p0, who has 11, 12 (TU-20)")
    refused(state, "sell 1 for 4", "card 1 does not lie face up before p0, who has 11, 12 (TU-20)")
    refused(state, "sell 0 for 4", "card 0 does not lie face up before p0, who has 11, 12 (TU-20)")
    refused(state, "sell 40 for 4", "card 40 does not lie face up before p0, who has 11, 12 (TU-20)")
    refused(state, "sell 12 for 0", "a price is 1 escudo or more (TU-20)")
    refused(state, "sell 12 for 16", "sell 12 for 16: p0 has 15 escudos for it, 25 with a loan (TU-20, TU-30)")
    refused(state, "sell 12 for 2.5", "2.5 escudos cannot be named: 0 or a whole number can (TU-2, TU-11)")
    refused(state, "sell 12 at -3", "-3 escudos cannot be named: 0 or a whole number can (TU-2, TU-11)")
    refused(state, "withdraw 12", "card 12 of p0 is not on sale (TU-21)")
    refused(state, "withdraw 0", "card 0 of p0 is not on sale (TU-21)")
    refused(state, "sell 12 to p1", "sell 12 to p1: not now; a card may be put up for sale: sell 5 for 4, withdraw 5, "
            "done (TU-20)")  # fmt: skip
    refused(state, "done", "p0 is to act now, not p1 (TU-19, TU-20)", 1)


def test_TU_20_who_has_nothing_to_offer_or_no_escudo_is_not_asked():
    assert choose_first(all_bid(at(3), 0, 0, 0)).step is Step.SHOW, "nobody has a card"
    before = at(3, won=[(), (13,), (14,)], reserve=(15, 0, 0), loans=(0, 1, 0))
    after = play(before, "p0 bid 0", "p2 bid 0")
    assert after.step is Step.OFFER and after.actors == (2,), "p1 has no escudo and no loan to take"
    assert [*after.actions(2)] == ["done", *(f"sell 14 for {n} loan" for n in range(1, 11))]


def test_TU_20_one_card_at_a_time_a_new_offer_takes_the_place_of_the_old():
    state = offering(sale=((11, 0, 4),), reserve=(11, 15, 15))
    replaced = state.after("sell 12 for 15")
    assert replaced.sale == ((12, 0, 15),) and replaced.reserve[0] == 0, "the coins of the old pay for the new"
    repriced = state.after("sell 11 for 2")
    assert repriced.sale == ((11, 0, 2),) and repriced.reserve[0] == 13
    kept = state.after("done")
    assert kept.sale == state.sale and kept.reserve == state.reserve
    assert repriced.actors == replaced.actors == kept.actors == (1,)
    refused(state, "sell 12 for 16", "sell 12 for 16: p0 has 15 escudos for it, 25 with a loan (TU-20, TU-30)")


def test_TU_20_option_several_one_new_offer_a_round_and_earlier_ones_stand():
    state = offering(sale=((11, 0, 4),), reserve=(11, 15, 15), options={"selling": "several"})
    after = state.after("sell 12 for 11")
    assert after.sale == ((11, 0, 4), (12, 0, 11)) and after.reserve[0] == 0
    assert after.actors == (1,), "one new offer a round"
    refused(state, "sell 12 for 12", "sell 12 for 12: p0 has 11 escudos for it, 21 with a loan (TU-20, TU-30)")
    refused(state, "sell 11 for 2", "card 11 is on sale already; withdraw it first (TU-20)")
    withdrawn = state.after("withdraw 11")
    assert withdrawn.actors == (0,) and withdrawn.reserve[0] == 15, "more may follow"
    assert withdrawn.after("sell 11 for 2").sale == ((11, 0, 2),)


# TU-21: how long an offer lasts


def test_TU_21_the_coins_stay_through_the_next_auction_and_then_the_owner_may_withdraw():
    state = offering(hands=[(1, 2, 3), (4, 5, 6), (7, 8, 9)])
    state = play(state, "p0 sell 12 for 4", "p1 done", "p2 done")
    assert state.step is Step.WINDOW
    state = play(state, "p1 pass", "p2 pass")
    assert state.step is Step.SHOW and state.auction == 2
    state = play(state, "p0 show 1", "p1 show 4", "p2 show 7", "p1 pass", "p2 pass")
    assert state.step is Step.BID
    refused(state, "withdraw 12", "withdraw 12: not now; all bid: bid 4 (TU-11)", 0)
    assert "bid 11" in state.actions(0) and "bid 12" not in state.actions(0), "the coins cannot be bid"
    state = choose_first(all_bid(state, 0, 3, 0))
    assert state.sale == ((12, 0, 4),) and state.actors == (1,)
    state = play(state, "p1 done", "p2 done")
    assert "withdraw 12" in state.actions(0)
    refused(state, "withdraw 11", "card 11 of p0 is not on sale (TU-21)")
    state = play(state, "p0 withdraw 12")
    assert state.sale == () and state.reserve[0] == 15 and lying(state, 0) == (11, 12)
    assert state.step is Step.SHOW, "with nothing on sale there is no window"


def test_TU_21_nobody_withdraws_the_card_of_another():
    state = offering(sale=((13, 1, 4),), reserve=(15, 11, 15))
    refused(state, "withdraw 13", "card 13 of p0 is not on sale (TU-21)")


# TU-22: buying


def test_TU_22_the_buyer_pays_the_price_and_the_owner_gets_the_coins_back_too():
    state = window((12, 0, 4))
    assert state.reserve == (11, 15, 15)
    after = play(state, "p0 pass", "p1 claim 12", "p2 pass")
    assert after.reserve == (19, 11, 15) and after.sale == ()
    assert lying(after, 0) == (11,) and lying(after, 1) == (12, 13)
    assert after.step is Step.BID and "bid 19" in after.actions(0), "and may bid them at once"


def test_TU_22_two_windows_after_the_offers_and_before_the_bids():
    early = play(window((12, 0, 4), centre=()), "p0 pass", "p1 pass", "p2 pass")
    assert early.step is Step.SHOW and early.auction == 2
    late = play(window((12, 0, 4)), "p0 pass", "p1 pass", "p2 pass")
    assert late.step is Step.BID and late.auction == 1


def test_TU_22_no_window_before_the_first_auction_or_with_nothing_on_sale():
    state = at(3, Step.SHOW, auction=0, centre=[])
    state = play(state, *(f"p{player} {next(iter(state.actions(player)))}" for player in range(3)))
    assert state.step is Step.BID


def test_TU_22_who_can_pay_for_nothing_is_not_asked():
    """p0 owns the cards on sale; p1 could pay with a loan only, p2 has had one."""
    sale = ((12, 0, 12),)
    state = offering(sale=(), reserve=(15, 3, 3), loans=(0, 0, 1))
    state = play(state, "p0 sell 12 for 12", "p1 done", "p2 done")
    assert state.sale == sale and state.step is Step.WINDOW and state.actors == (1,)
    assert [*state.actions(1)] == ["pass", "claim 12 loan"]
    nobody = offering(reserve=(15, 3, 3), loans=(0, 1, 1))
    nobody = play(nobody, "p0 sell 12 for 12", "p1 done", "p2 done")
    assert nobody.step is Step.SHOW and nobody.sale == sale, "the offer stands all the same"


def test_TU_22_a_claim_that_cannot_be():
    state = window((12, 0, 4), (14, 2, 12), reserve=(11, 6, 3), loans=(1, 1, 0))
    assert [*state.actions(1)] == ["pass", "claim 12"]
    refused(state, "claim 14", "card 14 costs 12; p1 has 6 escudos (TU-22)", 1)
    refused(state, "claim 12 loan", "p1 has a loan already, and one is all (TU-30)", 1)
    refused(state, "claim 12", "card 12 is p0's own (TU-22)", 0)
    refused(state, "claim 13", "card 13 is not on sale; on sale are 12, 14 (TU-22)", 0)
    refused(state, "claim 99", "card 99 is not on sale; on sale are 12, 14 (TU-22)", 0)
    refused(state, "bid 3", "bid 3: not now; cards on sale may be claimed: claim 5, or pass (TU-22)", 1)


def test_TU_22_claims_are_secret_until_the_last_one_is_in():
    state = play(window((12, 0, 4)), "p1 claim 12")
    assert state.sale and state.reserve == (11, 15, 15) and state.actors == (0, 2)
    assert str(state.view(2)) == str(window((12, 0, 4)).view(2))


def test_TU_22_if_two_claim_the_same_card_the_owner_chooses():
    state = play(window((12, 0, 4)), "p0 pass", "p1 claim 12", "p2 claim 12")
    assert state.actors == (0,) and [*state.actions(0)] == ["sell 12 to p1", "sell 12 to p2"]
    refused(state, "sell 12 to p0", "sell 12 to p0: p1, p2 claim card 12 (TU-22)")
    refused(state, "sell 11 to p1", "sell 11 to p1: p1, p2 claim card 12 (TU-22)")
    refused(state, "claim 12", "claim 12: not now; the owner says who gets the card: sell 5 to p2 (TU-22)")
    refused(state, "sell 12 to p1", "p0 is to act now, not p1 (TU-19, TU-20)", 1)
    after = play(state, "p0 sell 12 to p2")
    assert after.reserve == (19, 15, 11) and lying(after, 2) == (12, 14) and lying(after, 1) == (13,)


def test_TU_22_TU_30_who_is_not_chosen_has_taken_no_loan():
    state = play(window((12, 0, 12), reserve=(3, 5, 5)), "p0 pass", "p1 claim 12 loan", "p2 claim 12 loan")
    assert state.loans == (0, 0, 0) and state.reserve == (3, 5, 5)
    after = play(state, "p0 sell 12 to p1")
    assert after.loans == (0, 1, 0) and after.reserve == (27, 3, 5)


def test_TU_22_two_cards_are_bought_at_once_even_from_each_other():
    after = play(window((12, 0, 9), (13, 1, 9)), "p0 claim 13 loan", "p1 claim 12 loan", "p2 pass")
    assert lying(after, 0) == (11, 13) and lying(after, 1) == (12,)
    assert after.reserve == (6 + 10 - 9 + 18,) * 2 + (15,) and after.loans == (1, 1, 0)


def test_TU_22_two_owners_choose_one_after_the_other():
    sale = ((12, 0, 4), (13, 1, 5))
    state = at(5, Step.WINDOW, won=[*WON, (), ()], sale=sale, reserve=(11, 10, 15, 15, 15))
    state = play(state, "p0 claim 13", "p1 claim 12", "p2 claim 12", "p3 claim 13", "p4 pass")
    assert state.actors == (0,)
    state = state.after("sell 12 to p1")
    assert state.actors == (1,) and state.sale == ((13, 1, 5),)
    state = state.after("sell 13 to p3")
    assert lying(state, 1) == (12,) and lying(state, 3) == (13,)


def test_TU_22_while_something_was_bought_the_window_opens_again():
    state = window((12, 0, 4), (14, 2, 5))
    state = play(state, "p0 pass", "p1 claim 12", "p2 pass")
    assert state.step is Step.WINDOW and state.sale == ((14, 2, 5),)
    state = play(state, "p0 claim 14", "p1 pass")
    assert state.step is Step.BID and lying(state, 0) == (11, 14) and lying(state, 2) == ()


# TU-23 to TU-25


def test_TU_23_a_buyer_may_offer_it_again():
    state = play(offering(won=[(11, 12), (), ()]), "p0 sell 12 for 4", "p1 claim 12", "p2 pass")
    assert state.step is Step.SHOW and lying(state, 1) == (12,)
    again = offering(first=1, won=[(11,), (12,), ()])
    assert again.after("sell 12 for 9").sale == ((12, 1, 9),)


@pytest.mark.parametrize(("players", "last"), [(2, 4), (3, 4), (4, 4), (5, 3)])
def test_TU_24_after_the_last_auction_nothing_is_sold(players, last):
    hands = [(18 - player,) for player in range(players)] if players < 4 else [()] * players
    state = at(players, auction=last, won=[(11,), *[()] * (players - 1)], hands=hands)
    state = choose_first(all_bid(state, *[0] * (players - 1), 1))
    assert state.actors == () and state.step is Step.OVER
    for action in ("sell 11 for 2", "claim 11", "withdraw 11"):
        refused(state, action, "after the last auction nothing is sold or bought (TU-24)", 0)
    refused(state, "bid 2", "the game is over (TU-36)", 0)


def test_TU_24_coins_on_unsold_cards_go_back_before_the_payments():
    """p1 has only the escudos on the card when the first payment is due: they count, and no loan is forced."""
    won = [(1, 7, 10, 13, 14, 16), (2,)]
    for sale, reserve, borrowed in ((((2, 1, 5),), (5, 0), ()), ((), (5, 0), (1,))):
        state = at(2, auction=4, won=won, centre=[8, 9], hands=[(3,), (18,)], sale=sale, reserve=reserve)
        end = all_bid(state, 0, 0)
        assert end.cash == (5, 5 if sale else 0) and end.sale == ()
        honey = end.payments().steps[1]
        assert honey.payers == (1,) and honey.borrowed == borrowed


def test_TU_25_the_sole_leader_of_a_good_holds_its_token():
    state = at(3, won=[(1,), (3,), ()], centre=[2, 4, 5])
    after = all_bid(state, 0, 0, 0)
    goods = [good.name for good in state.deck.goods]
    held = {name: token for name, token in zip(goods, after.tokens, strict=True) if token >= 0}
    # card 1: truffles 3, honey 2, walnuts 1; card 3: grapes 3, anchovies 2, honey 1
    assert held == {"truffles": 0, "honey": 0, "walnuts": 0, "grapes": 1, "anchovies": 1}


def test_TU_25_nobody_holds_the_token_of_a_tied_good():
    after = all_bid(at(2, won=[(4,), (14,)], centre=[1, 2]), 0, 0)  # grapes 3 and 1, walnuts 2 and 2
    tokens = dict(zip([good.name for good in after.deck.goods], after.tokens, strict=True))
    assert tokens["walnuts"] == -1 and tokens["grapes"] == 0 and tokens["butter"] == -1
