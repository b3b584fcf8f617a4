"""The barter goose, TU-41 to TU-43, in both forms and as your own rule; and the match, TU-40."""

import pytest

from tradekit import testing, turin
from tradekit.turin import State, goose
from tradekit.turin.goose import FIRST, LAST, NOBODY, Goose
from tradekit.turin.parameters import Step
from tradekit.turin.rules import GAME

from .positions import all_add, all_bid, at, cards_won, choose_first, paid, play, refused, rich

TIE, UNDERDOG = {"goose": "tie"}, {"goose": "underdog"}


def tied(*bids, holder=NOBODY, players=0):
    """Return the bids of a tie with the goose of TU-41."""
    return all_bid(rich(players or len(bids), options=TIE, holder=holder), *bids)


# TU-41: the tie form


def test_TU_41_the_tied_are_asked_in_seat_order_before_they_bid_again():
    state = tied(5, 3, 5, 5)
    asked = []
    while state.step is Step.GOOSE:
        asked += state.actors
        assert [*state.actions(state.actors[0])] == ["no goose", "goose"]
        refused(state, "add 2", "add 2: not now; the tied may use the goose, or not: no goose (TU-41)")
        state = state.after("no goose")
    assert asked == [0, 2, 3] and state.actors == (0, 2, 3) and state.holder == NOBODY


def test_TU_41_who_claims_the_goose_takes_the_last_place_of_the_tie():
    start = rich(4, options=TIE)
    state = tied(5, 5, 3, 2)
    ended = choose_first(play(state, "p0 goose"))
    assert ended.holder == 0 and cards_won(ended) == (1, 2, 1, 0)
    assert paid(start, ended) == (5, 5, 3, 1), "the second place wins a card, so it pays the bid (TU-12)"


def test_TU_41_the_last_place_may_win_nothing():
    start = rich(2, options=TIE)
    ended = play(tied(5, 5), "p0 no goose", "p1 goose")
    assert ended.holder == 1 and paid(start, ended) == (5, 2) and cards_won(ended) == (2, 0)


def test_TU_41_the_rest_bid_again_for_the_places_above():
    state = play(tied(5, 5, 5, 1), "p0 no goose", "p1 goose")
    assert state.step is Step.ADD and state.actors == (0, 2), "the goose is not free any more"
    ended = choose_first(all_add(state, p0=0, p2=1))
    assert cards_won(ended) == (1, 1, 2, 0) and paid(rich(4, options=TIE), ended) == (5, 5, 6, 0)


def test_TU_41_the_rest_may_both_add_0_and_then_name_the_cards():
    state = all_add(play(tied(5, 5, 5, 1), "p0 goose"), p1=0, p2=0)
    assert state.step is Step.COIN, "the last of the block wins a place below the void ones (TU-19)"
    state = play(state, "order p2 p1", "p2 discard 1 2", "p1 discard 3")
    assert cards_won(state) == (1, 0, 0, 0) and paid(rich(4, options=TIE), state) == (5, 2, 2, 0)


def test_TU_41_the_holder_tied_later_gives_it_away_and_takes_the_first_place():
    state = tied(5, 5, 3, holder=1)
    assert state.actors == (1,) and [*state.actions(1)] == ["no goose", "give p0"]
    refused(state, "goose", "goose: with the goose, p1 may: no goose, give p0 (TU-41)")
    refused(state, "give p2", "give p2: with the goose, p1 may: no goose, give p0 (TU-41)")
    ended = choose_first(play(state, "p1 give p0"))
    assert ended.holder == 0 and cards_won(ended) == (1, 2, 0) and paid(rich(3), ended) == (5, 5, 1)


def test_TU_41_the_holder_gives_it_to_any_of_the_tie_and_the_rest_bid_again():
    state = tied(5, 5, 5, 1, holder=0)
    assert [*state.actions(0)] == ["no goose", "give p1", "give p2"]
    state = play(state, "p0 give p2")
    assert state.step is Step.ADD and state.actors == (1, 2) and state.holder == 2
    ended = choose_first(all_add(state, p1=2, p2=0))
    assert cards_won(ended) == (2, 1, 1, 0)


def test_TU_41_TU_14_the_rest_do_not_bid_again_for_places_that_win_nothing():
    """The tie is for places three to five, and the third is the last that wins."""
    state = play(tied(9, 8, 5, 5, 5, holder=3), "p3 give p2")
    assert state.step is Step.TAKE
    assert paid(rich(5), choose_first(state)) == (9, 8, 2, 5, 2)
    claimed = play(tied(9, 8, 5, 5, 5), "p2 goose")
    assert claimed.step is Step.ADD and claimed.actors == (3, 4), "third and fourth place: one of them wins"


def test_TU_41_a_holder_who_is_not_tied_is_not_asked():
    assert tied(9, 5, 5, holder=0).step is Step.ADD


def test_TU_41_every_tie_may_use_the_goose_once_it_is_free_or_held():
    state = play(tied(7, 7, 3, 3), "p0 goose")
    assert state.step is Step.ADD and state.actors == (2, 3), "p0, who holds it now, is in no other tie"
    both = play(tied(7, 7, 3, 3), "p0 no goose", "p1 no goose", "p0 add 0", "p1 add 1")
    assert both.step is Step.GOOSE and both.actors == (2,)


# TU-42: the underdog form


def test_TU_42_the_player_with_fewest_tokens_has_the_goose_before_the_bids():
    state = at(3, Step.SHOW, centre=[], tokens=(0, 0, 1, 1, -1, -1, -1, 2, -1), options=UNDERDOG)
    shown = play(state, *(f"p{p} {next(iter(state.actions(p)))}" for p in range(3)))
    assert shown.holder == 2
    equal = at(3, Step.SHOW, centre=[], tokens=(0, 0, 1, -1, -1, -1, -1, 2, -1), options=UNDERDOG, holder=2)
    shown = play(equal, *(f"p{p} {next(iter(equal.actions(p)))}" for p in range(3)))
    assert shown.holder == NOBODY, "nobody's in a tie"


def test_TU_42_nobody_has_it_in_the_first_auction():
    state = turin.new(4, seed=1, goose="underdog")
    assert state.step is Step.BID and state.holder == NOBODY


def test_TU_42_the_holders_bid_counts_one_more_and_is_paid_as_it_is():
    start = rich(2, options=UNDERDOG, holder=1)
    for bids, cards, pays in (((4, 4), (0, 2), (2, 4)), ((6, 4), (2, 0), (6, 2)), ((4, 5), (0, 2), (2, 5))):
        end = all_bid(start, *bids)
        assert cards_won(end) == cards and paid(start, end) == pays


def test_TU_42_one_less_ties_with_it_and_each_adds_to_what_they_bid():
    start = rich(2, options=UNDERDOG, holder=1)
    state = all_bid(start, 5, 4)
    assert state.step is Step.ADD and state.actors == (0, 1)
    assert paid(start, all_add(state, p0=1, p1=2)) == (3, 6)
    assert "add 96" in state.actions(1) and "add 97" not in state.actions(1), "100 less the bid of 4"


def test_TU_42_a_bid_of_0_stays_0():
    end = all_bid(rich(3, options=UNDERDOG, holder=1), 0, 0, 0)
    assert cards_won(end) == (0, 0, 0) and end.gone.bit_count() == 3
    assert choose_first(all_bid(rich(3, options=UNDERDOG, holder=1), 3, 0, 2)).won[1] == 0


# TU-43: your own goose


class Greylag(Goose):
    """A goose: its holder begins at the first seat, counts two more, and if tied can hand it on for the last place."""

    name = "greylag"

    def holder(self, holder, tokens, players):
        return 0 if holder == NOBODY else holder

    def bonus(self):
        return 2

    def may(self, holder, tied, player):
        return ("goose",) if player == holder else ()

    def moved(self, tied, player, action):
        others = [other for other in tied if other != player]
        return others[0], {player: LAST, others[0]: FIRST}


@pytest.fixture
def greylag():
    goose.register(Greylag())
    yield {"goose": "greylag"}
    del goose._GEESE["greylag"]


def test_TU_43_a_goose_of_ones_own_plays_by_its_own_rules(greylag):
    start = rich(3, options=greylag, holder=0)
    assert choose_first(all_bid(start, 4, 5, 1)).first == 0, "6 beats 5"
    state = all_bid(start, 4, 6, 1)
    assert state.actors == (0,) and [*state.actions(0)] == ["no goose", "goose"]
    ended = choose_first(play(state, "p0 goose"))
    assert ended.holder == 1 and cards_won(ended) == (1, 2, 0) and paid(start, ended) == (4, 6, 0)
    assert State.parse(str(state)) == state and "goose=greylag" in str(state)


def test_TU_43_a_goose_of_ones_own_keeps_the_laws_of_every_game(greylag):
    """All but the one about a second process: it is registered only in this one."""
    with pytest.raises(testing.BrokenLaw, match=r"A second process can read a state: .*greylag"):
        testing.check_game(GAME, plays=6, dear=1 / 30, players=3, **greylag)


def test_TU_43_a_goose_registered_again_takes_the_place_of_the_one_before(greylag):
    """As when a notebook's cell is run again: in new games, in those read again, and in those under way."""
    start, text = rich(2, options=greylag, holder=0), str(rich(2, options=greylag, holder=0))
    assert cards_won(all_bid(start, 4, 8)) == (0, 2), "6 does not beat 8"

    class Greedy(Greylag):
        def bonus(self):
            return 5

    goose.register(Greedy())
    for state in (start, rich(2, options=greylag, holder=0), State.parse(text)):
        assert cards_won(all_bid(state, 4, 8)) == (2, 0), "9 beats 8"


@pytest.mark.parametrize("name", ["our house goose", "grey\tlag", " greylag", "", "none"])
def test_TU_43_a_goose_needs_a_name_that_a_text_can_hold(name):
    before = dict(goose._GEESE)
    swan = type("Swan", (Goose,), {"name": name})()
    with pytest.raises(ValueError) as error:
        goose.register(swan)
    assert str(error.value) == f"{name!r}: a goose needs a name of its own in one word, such as 'generous' (TU-43)"
    assert before == goose._GEESE


def test_TU_43_an_unknown_goose_is_refused():
    with pytest.raises(ValueError) as error:
        turin.new(3, goose="swan")
    assert str(error.value) == "goose='swan': there are none, tie, underdog (TU-43)"


# TU-40: the match


def last_auction(**fields):
    """Return a position before the bids of a last auction of two players."""
    return at(2, auction=4, won=[(1,), (2,)], centre=[3, 4], hands=[(5,), (6,)], **fields)


def test_TU_40_a_match_of_three_adds_up_the_final_escudos():
    state = last_auction(options={"games": 3})
    ended = all_bid(state, 0, 0)
    assert ended.step is Step.PAID and ended.winners() == () and len(ended.outcomes()) == 18
    one = ended.scores()
    assert one == all_bid(last_auction(), 0, 0).scores() != (15, 15)
    refused(ended, "sell 1 for 3", "after the last auction nothing is sold or bought (TU-24)", 0)
    refused(ended, "bid 3", "chance acts now, not a player (TU-5, TU-15)", 0)
    next_game = ended.after("deal 7")
    assert next_game.reserve == (15, 15) and next_game.past == (one,) and next_game.step is Step.DEAL
    assert next_game.scores() == tuple(15 + n for n in one) and next_game.won == (0, 0) and next_game.cash == ()
    later = all_bid(last_auction(options={"games": 3}, past=((20, 3),)), 0, 0)
    assert later.step is Step.PAID and later.after("deal 7").past == ((20, 3), one)
    third = all_bid(last_auction(options={"games": 3}, past=((20, 3), (7, 9))), 0, 0)
    assert third.step is Step.OVER and third.scores() == (27 + one[0], 12 + one[1]) and third.winners()


@pytest.mark.parametrize("stays", [False, True])
def test_TU_41_option_in_a_match_the_goose_may_stay_with_its_holder(stays):
    options = {"games": 2, "goose": "tie", "goose_stays": stays}
    ended = all_bid(last_auction(options=options, holder=1), 0, 0)
    assert ended.after("deal 7").holder == (1 if stays else NOBODY)
    assert all_bid(last_auction(options=options, holder=1, past=((20, 3),)), 0, 0).step is Step.OVER
