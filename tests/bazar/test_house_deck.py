"""The house deck: each point of quality that `docs/bazar-rules.md` asks of it, under "Card data"."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from tradekit.bazar import COLOURS, Arbitrage, Deck, Equation, Exchange, Goal, Stones

FOLDER = Path(__file__).parents[2] / "data" / "bazar"
DECK = Deck.house()
EQUATIONS = [equation for card in DECK.cards for equation in card.equations]
PAIRS = list(combinations(range(1, 11), 2))
STARRED = np.array([ware.stars == 1 for ware in DECK.wares])


@pytest.fixture(scope="module")
def turns():
    """Expected turns to the ware with no stones left over, as an array of 45 exchanges, 45 wares and 3003 hands."""
    goals = [Goal.of(ware, left=0) for ware in DECK.wares]
    solved = np.empty((len(PAIRS), len(goals), 3003), np.float32)
    for of_pair, pair in zip(solved, PAIRS, strict=True):
        of_pair[:] = [policy.all_turns for policy in Exchange.of_cards(*pair).solve_all(goals)]
    return solved


# The cards


def test_there_are_ten_cards_of_five_equations():
    assert [card.number for card in DECK.cards] == list(range(1, 11))
    assert {len(card.equations) for card in DECK.cards} == {5}


def test_all_fifty_equations_are_distinct_whatever_their_direction():
    assert len({e.sides for e in EQUATIONS}) == 50


def test_every_side_has_one_to_four_stones():
    assert {len(side) for e in EQUATIONS for side in (e.left, e.right)} <= {1, 2, 3, 4}


def test_all_shapes_occur_and_2_for_3_only_a_few_times():
    shapes = Counter((len(e.left), len(e.right)) for e in EQUATIONS)
    assert set(shapes) == {(1, 2), (1, 3), (1, 4), (2, 2), (2, 3)}
    assert shapes[2, 3] < min(shapes[1, 2], shapes[1, 3], shapes[1, 4], shapes[2, 2])


def test_card_1_holds_the_two_equations_that_are_known():
    assert {Equation("R=BGYW"), Equation("R=WW")} <= set(DECK.card(1).equations)


# The 45 exchanges


def colours_within_reach(exchange, start):
    """Return the colours in any hand that trades alone, within ten stones, can reach from `start`."""
    seen, new = {start}, {start}
    while new:
        new = {trade.after for have in new for trade in exchange.trades(have) if not trade.must_buy} - seen
        seen |= new
        if len(colours := {colour for have in seen for colour in have}) == len(COLOURS):
            break
    return colours


def test_under_at_least_36_pairs_every_colour_comes_of_any_single_stone():
    connected = [
        pair
        for pair in PAIRS
        if all(colours_within_reach(Exchange.of_cards(*pair), Stones(c)) == set(COLOURS) for c in COLOURS)
    ]
    assert len(connected) >= 36


@pytest.mark.long
def test_under_every_pair_every_ware_is_bought_with_nothing_left_from_any_holding(turns):
    assert np.isfinite(turns).all()
    assert turns.min() >= 1


@pytest.mark.long
def test_the_pairs_differ(turns):
    """Expected turns from the empty hand, averaged over the wares: the slowest pair against the fastest."""
    means = turns[:, :, 0].mean(axis=1)
    assert means.max() / means.min() >= 1.5


@pytest.mark.parametrize("pair", PAIRS[::11])
def test_there_is_always_something_to_gain_by_trading_round(pair):
    assert isinstance(Exchange.of_cards(*pair).prices(), Arbitrage)


# The wares


def test_there_are_45_distinct_wares():
    assert len({ware.stones for ware in DECK.wares}) == len(DECK.wares) == 45


def test_every_ware_with_four_or_five_stones_of_one_colour_is_starred():
    """And no other ware is: that is the house deck's rule."""
    assert [max(ware.stones.counts) >= 4 for ware in DECK.wares] == STARRED.tolist()
    assert 5 <= STARRED.sum() <= 15


@pytest.mark.long
def test_starred_wares_take_more_turns(turns):
    """From the empty hand, averaged over all exchanges."""
    assert turns[:, STARRED, 0].mean() > turns[:, ~STARRED, 0].mean()


def test_every_colour_is_needed_as_often():
    needed = sum((np.array(ware.stones.counts) for ware in DECK.wares), np.zeros(5, int))
    assert needed.max() - needed.min() <= 1


# The files


def test_every_row_says_that_it_is_of_the_house_deck():
    for name, rows in (("exchange_cards.csv", 50), ("wares.csv", 45)):
        lines = (FOLDER / name).read_text("utf-8").splitlines()
        assert lines[0].startswith("deck,")
        assert [line.split(",")[0] for line in lines[1:]] == ["house"] * rows


def test_the_files_read_as_anyones_own_deck():
    own = Deck.load(FOLDER / "exchange_cards.csv", FOLDER / "wares.csv")
    assert (own.cards, own.wares) == (DECK.cards, DECK.wares)
