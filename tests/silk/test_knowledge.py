"""SI-14: a player's knowledge, and the states that are consistent with it."""

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tradekit import silk
from tradekit.game import random_moves
from tradekit.silk.cards import ALL, OF_GOOD, UNKNOWN, cards_of, numbers, read, text, value_of, worth
from tradekit.silk.knowledge import sets_said
from tradekit.silk.parameters import Said, Step

from .test_rules import at, drawn, everything_else_gone, replaced

TRADE = ("offer p1 silk 1 2 as silk", "answer tea 1 2 as tea", "accept")


def known(state, player, other):
    """Return what a player knows of another's hand, as text."""
    return text(state.view(player).known.hands[other])


def traded():
    return drawn(at("silk 1 2 3 4;tea 1 2 3 4;ivory 1 2 3"), *TRADE)


def test_SI_14_of_other_hands_a_player_sees_how_many_cards_they_have():
    state = silk.new(4, seed=5)
    view = state.view(2).known
    assert view.hands[2] == state.hands[2]
    assert [hand >> UNKNOWN for hand in view.hands] == [0b11111, 0b11111, 0, 0b11111]
    assert [hand & ALL for hand in view.hands] == [0, 0, state.hands[2], 0]
    assert view.unseen == ALL & ~state.hands[2] and view.pile == state.pile == 30
    assert "hands=?:5;?:5;" in str(view)
    assert not set(state.holdings[:2]) & set(str(view).split())


def test_SI_14_both_sides_of_an_exchange_know_what_they_gave_and_nobody_else_does():
    state = traded()
    assert known(state, 0, 1) == "silk 1 2" and known(state, 1, 0) == "tea 1 2"
    assert known(state, 2, 0) == known(state, 2, 1) == "-"
    assert state.view(0).known.knows == (read("silk 1 2"), read("tea 1 2"), 0)  # and each knows that the other knows
    for seed in range(20):
        sample = state.view(0).sample(random.Random(seed))
        assert sample.hands[1] & read("silk 1 2") == read("silk 1 2") and sample.hands[1].bit_count() == 4


def test_SI_14_who_is_given_a_card_back_or_sees_it_played_knows_its_new_place():
    state = traded().after("done")
    state = state.after(state.outcomes()[0][0])  # p1 draws
    back = drawn(state, "offer p0 silk 1 tea 3 as silk", "answer tea 1 2 as tea", "accept")
    assert known(back, 0, 1) == "silk 2 tea 1 2" and known(back, 1, 0) == "silk 1 tea 3"
    sold = replaced(state, market="silk:21043,tea:43210,cloth:32104,ivory:10432,spices:04321").after("sell silk 1 2")
    assert known(sold, 0, 1) == "-" and sold.knows[0] == 0


def test_SI_14_a_card_that_comes_back_from_the_discards_is_not_known_any_more():
    state = everything_else_gone("tea 1 2 3;silk 1;ivory 1 2 3", "cloth 9", knows="silk:1;-;-", turn=1, ran_out=0,
                                 market="silk:10432,tea:43210,cloth:32104,ivory:21043,spices:04321")  # fmt: skip
    state = state.after("sell silk 1")
    assert state.knows == (0, 0, 0)


@pytest.mark.parametrize("action", ["barter tea 4", "exchange"])
def test_SI_14_from_a_hand_out_of_which_cards_went_face_down_nothing_is_known_any_more(action):
    """p0 cannot tell whether one of the cards that it gave to p1 has gone on; p1 itself still knows what it gave."""
    state = traded().after("done")
    state = state.after("draw cloth 9")
    if action == "exchange":
        state = drawn(state, "offer p2 tea 3 4 as tea", "answer ivory 1 2 as ivory", "accept")
        assert known(state, 2, 1) == "ivory 1 2" and known(state, 1, 2) == "tea 3 4"
    else:
        state = state.after(action)
    assert known(state, 0, 1) == "-"
    assert known(state, 1, 0) == "tea 1 2"


def test_SI_14_a_bartered_card_and_its_place_are_known_to_who_put_it_there():
    state = at("silk 1 2 3;tea 1 2 3;ivory 1 2 3").after("barter silk 1").after("draw cloth 1")
    state = state.after("draw cloth 2").after("barter tea 1").after("draw cloth 3")
    assert state.under == ((0, 0), (10, 1))
    assert state.view(0).known.under == ((0, 0), (-1, 1)) and state.view(2).known.under == ((-1, 0), (-1, 1))
    assert "under=silk:1@p0+?@p1" in str(state.view(0))
    assert state.view(2).known.unseen == state.unseen | read("silk 1 tea 1") | state.hands[0] | state.hands[1]


def test_SI_14_who_put_a_card_under_the_pile_knows_who_draws_it():
    state = everything_else_gone("silk 1 2 3 4 5 6 7;tea 1 2 3;ivory 1 2", "spices 1 2", run_outs=3)
    state = drawn(state, "barter silk 1").after("draw spices 1")
    state = state.after("draw spices 2")  # p1's turn
    state = state.after("barter tea 1")  # and gets the card of p0 at once, because nothing else is above it
    assert state.holdings[1] == "silk 1 tea 2 3 spices 2"
    assert known(state, 0, 1) == "silk 1" and known(state, 2, 1) == "-"
    assert state.holdings[2] == "tea 1 ivory 1 2" and known(state, 1, 2) == "tea 1"  # the last one: p2 drew it
    assert state.view(1).known.hands[0] == ((1 << 7) - 1) << UNKNOWN


def test_SI_14_the_cards_of_an_offer_are_secret_what_is_said_of_them_is_not():
    state = at("silk 9 8 ivory 7;tea 1 2 3;spices 6 7 8").after("offer p1 silk 9 ivory 7 as ivory")
    assert state.view(0).known.offers == state.offers
    for other in (1, 2):
        assert state.view(other).known.offers == ((0, 3, 2, 16),)
        assert "talk=p1;ivory|2|16|?" in str(state.view(other))
    answered = state.after("answer tea 1 2 as tea")
    assert answered.view(0).known.offers == (state.offers[0], (0, 1, 2, 3))
    assert answered.view(1).known.offers == ((0, 3, 2, 16), answered.offers[1])
    assert answered.view(2).known.offers == ((0, 3, 2, 16), (0, 1, 2, 3))


def test_SI_14_states_held_possible_agree_with_what_was_said():
    state = at("silk 9 8 ivory 7;tea 1 2 3;spices 6 7 8").after("offer p1 silk 9 ivory 7 as ivory")
    state, seen = state.after("answer tea 1 2 as tea"), set()
    for seed in range(60):
        sample = state.view(2).sample(random.Random(seed))
        for seat, said in enumerate(sample.offers):
            assert said == Said.of(said.cards, said.good) and said[1:] == state.offers[seat][1:]
            assert said.cards & sample.hands[seat] == said.cards
        seen.add(sample.offers)
        assert sample.after("accept").conserved() == (50, 50)
    assert len(seen) > 10 and {text(offers[1].cards) for offers in seen} == {"tea 1 2", "tea 2 cloth 1",
        "tea 1 cloth 2", "silk 1 tea 2", "silk 2 tea 1", "tea 1 ivory 2", "tea 2 ivory 1", "tea 1 spices 2",
        "tea 2 spices 1"} & {text(offers[1].cards) for offers in seen}  # fmt: skip


SETS = st.sets(st.integers(0, 49), max_size=14)


@settings(max_examples=60)
@given(SETS, SETS, st.integers(0, 4), st.integers(2, 5), st.integers(3, 40), st.integers(0, 5), st.integers(0, 9))
def test_SI_72_the_sets_that_fit_an_announcement_are_all_found(held, pool, good, size, total, hidden, seed):
    held, pool = sorted(held)[:4], sorted(pool - held)
    wanted = {
        cards_of(some)
        for some in combinations(held + pool, size)
        if sum(map(value_of, some)) == total and cards_of(some) & OF_GOOD[good] and len({*some} & {*pool}) <= hidden
    }
    said = Said(0, good, size, total)
    found = {*sets_said(said, cards_of(held), hidden, cards_of(pool), random.Random(seed))}
    assert found == wanted


@pytest.mark.parametrize("players", [2, 3, 5])
def test_SI_14_views_and_samples_in_random_games(players):
    """Every sample is a state with fifty cards, hands of the sizes seen, and all that is known in its place."""
    rng = random.Random(players)
    talks = 0
    for _game in range(4):
        for state, _actor, _action in random_moves(silk.new(players), rng):
            if rng.random() > 0.15:
                continue
            talks += bool(state.offers)
            for player in range(players):
                view = state.view(player)
                sample = view.sample(rng)
                assert sample.conserved() == (50, 50) and sample.view(player) == view
                assert [h.bit_count() for h in sample.hands] == [h.bit_count() for h in state.hands]
                assert sample.pile == view.known.pile == state.pile and sample.discards == state.discards
                assert all(sample.hands[q] & state.knows[player] == state.hands[q] & state.knows[player]
                           for q in range(players))  # fmt: skip
                assert all(said.total == worth(said.cards) for said in sample.offers)
                assert silk.State.parse(str(view.known)) == view.known
    assert talks > 3


def test_SI_14_what_a_player_does_not_know_may_be_anywhere():
    state, view = silk.new(3, seed=9), silk.new(3, seed=9).view(0)
    hidden = numbers(state.hands[1])[0]
    places = {
        next((seat for seat, hand in enumerate(sample.hands) if hand >> hidden & 1), "pile")
        for sample in (view.sample(random.Random(seed)) for seed in range(200))
    }
    assert places == {1, 2, "pile"}


def test_SI_25_a_view_does_not_tell_who_has_chosen():
    market = "ivory:43210,silk:43210,tea:32104,cloth:21043,spices:04321"
    state = at("ivory 8 5 7 3 tea 9 8;silk 10 9 8;tea 1", hordes=1, market=market).after("sell ivory 8 5 7 3")
    assert state.step is Step.HORDES
    one = state.after("discard silk 8 9 10", 1)
    assert str(one.view(0)) == str(state.view(0)) and one.view(0).actors == (0, 1, 2)
    assert one.view(1).actors == (0, 2) and one.view(1).known.commits == (-1, read("silk 8 9 10"), -1)
