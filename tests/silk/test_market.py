"""The market: golden vectors of another implementation, a plain one in comparison, and the examples of the rule."""

import json
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradekit.silk import COLOURS, GOODS, Good, Market
from tradekit.silk.market import turned

from . import naive

RUNS = json.loads((Path(__file__).parents[1] / "golden" / "golden.json").read_text(encoding="utf-8"))["silk"]


def test_the_vectors_are_all_there():
    assert len(RUNS) == 40 and sum(map(len, RUNS)) == 527
    assert {(step[0] if isinstance(step[0], str) else step[0][0]) for run in RUNS for step in run} == {
        "start", "sell", "bribe", "audience", "raise_all",
    }  # fmt: skip


@pytest.mark.parametrize("run", RUNS, ids=range(len(RUNS)))
def test_SI_4_23_24_31_35_50_golden_vectors(run):
    number = COLOURS.index
    (_start, (row, _shown)), *_rest = run
    market = Market.begin(map(number, row))
    for operation, (row, shown) in run:
        match operation:
            case ["sell", good]:
                market = market.sell(number(good))
            case ["bribe", up, down]:
                market = market.bribe(number(up), number(down))
            case ["audience", good, order]:
                market = market.audience(number(good), order)
            case ["raise_all"]:
                market = market.raised()
        assert [COLOURS[good] for good in market.row] == row and [*market.shown] == shown


OPERATION = st.one_of(
    st.tuples(st.just("sell"), st.integers(0, 4)),
    st.tuples(st.just("bribe"), st.integers(0, 3), st.booleans()),
    st.tuples(st.just("audience"), st.integers(0, 4), st.permutations(range(5))),
    st.tuples(st.just("raise")),
)


@given(st.permutations(range(5)), st.lists(OPERATION, max_size=30), st.sampled_from(["turn", "stay"]))
def test_the_market_is_that_of_the_plain_lists(row, operations, zeros):
    market = Market.begin(row, zeros == "stay")
    lists = naive.layout([GOODS[good] for good in row], zeros)
    for name, *rest in operations:
        if name == "sell":
            market = market.sell(rest[0])
            naive.market_sell(lists, GOODS[rest[0]])
        elif name == "bribe":
            up, down = market.row[rest[0] : rest[0] + 2] if rest[1] else market.row[rest[0] : rest[0] + 2][::-1]
            market = market.bribe(up, down)
            naive.market_bribe(lists, GOODS[up], GOODS[down])
        elif name == "audience":
            market = market.audience(*rest)
            naive.market_audience(lists, GOODS[rest[0]], rest[1])
        else:
            market = market.raised()
            naive.market_raise(lists)
        assert [[GOODS[good], [*market.piles[good]]] for good in market.row] == lists["market"]
        assert market.demands == [naive.demand(lists, good) for good in GOODS]
        assert zeros == "stay" or 0 not in market.shown[:-1]


def test_SI_4_the_row_shows_4_3_2_1_0_and_every_pile_is_the_turned_cycle():
    market = Market.begin([3, 0, 4, 1, 2])
    assert market.shown == (4, 3, 2, 1, 0) and market.row == (3, 0, 4, 1, 2)
    assert [market.piles[good] for good in market.row] == [
        (4, 3, 2, 1, 0), (3, 2, 1, 0, 4), (2, 1, 0, 4, 3), (1, 0, 4, 3, 2), (0, 4, 3, 2, 1),
    ]  # fmt: skip
    assert market.demands == [3, 1, 0, 4, 2]
    assert Good.IVORY == 3 and str(Good.IVORY) == "ivory" and Good.IVORY.colour == "yellow"


@pytest.mark.parametrize("row", [[0, 1, 2, 3], [0, 1, 2, 3, 3], [1, 2, 3, 4, 5]])
def test_SI_4_a_market_is_all_five_goods(row):
    with pytest.raises(ValueError, match=r"five goods in some order \(SI-4\)"):
        Market.begin(row)


@pytest.mark.parametrize(
    ("place", "shown"), [(1, (3, 2, 1, 1, 3)), (2, (4, 2, 1, 1, 2)), (3, (4, 3, 1, 1, 1)), (4, (4, 3, 2, 1, 0))]
)
def test_SI_24_the_examples_of_the_rule(place, shown):
    assert Market.begin(range(5)).sell(place - 1).shown == shown


def test_SI_24_with_the_other_reading_a_zero_stays_and_counts_as_one():
    market = Market.begin(range(5), zeros_stay=True)
    assert market.demands == [4, 3, 2, 1, 0]  # the last one is not an exception
    sold = market.sell(0)
    assert sold.shown == (3, 2, 1, 0, 3) and sold.demands == [3, 3, 2, 1, 1]
    assert sold.audience(1, (0, 4, 3, 2, 1)).shown == (2, 1, 0, 0, 3)
    assert sold.raised().shown == (4, 3, 2, 1, 4)


def test_SI_24_ones_and_a_last_zero_are_the_only_row_that_no_sale_leads_out_of():
    """SI-70 says so: sales never raise a shown number, except a 0 to 1."""
    still = Market((0, 1, 2, 3, 4), ((1, 0, 4, 3, 2),) * 4 + ((0, 4, 3, 2, 1),))
    assert {still.sell(good).shown for good in range(4)} == {(1, 1, 1, 1, 0)}


def test_SI_31_only_neighbours_are_turned():
    market = Market.begin(range(5))
    assert market.bribe(0, 1).shown == (1, 2, 2, 1, 0)  # 0 came on top, and was turned to 1
    assert market.bribe(1, 0).shown == (3, 4, 2, 1, 0)
    assert market.bribe(4, 3).shown == (4, 3, 2, 1, 1)  # the 0 that comes on top of the fourth is turned to 1
    for a, b in permutations(range(5), 2):
        if abs(a - b) != 1:
            with pytest.raises(ValueError, match=r"do not lie side by side \(SI-31\)"):
                market.bribe(a, b)


def test_SI_35_the_pile_goes_to_the_last_place_but_one_and_a_zero_on_top_is_turned():
    market = Market.begin(range(5))
    assert market.audience(0, (2, 4, 0, 1, 3)).row == (1, 2, 3, 0, 4)
    assert market.audience(4, (2, 4, 0, 1, 3)).row == (0, 1, 2, 4, 3)
    assert market.audience(4, (2, 4, 0, 1, 3)).piles[4] == (2, 4, 0, 1, 3)
    assert market.audience(4, (0, 3, 1, 4, 2)).piles[4] == (1, 4, 2, 0, 3) == turned((0, 3, 1, 4, 2), 1)
    assert market.audience(4, (3, 4, 2, 1, 0)).shown == (4, 3, 2, 3, 1)  # the fourth pile is now the last
    with pytest.raises(ValueError, match=r"in some order \(SI-35\)"):
        market.audience(4, (4, 4, 2, 1, 0))


def test_SI_35_orders_that_come_to_the_same_are_asked_for_once():
    market = Market.begin(range(5))
    assert len(market.orders()) == 96 == len({market.audience(0, order).piles for order in permutations(range(5))})
    stays = Market.begin(range(5), zeros_stay=True)
    assert len(stays.orders()) == 120 == len({stays.audience(0, order).piles for order in permutations(range(5))})


def test_SI_50_every_pile_below_four_shows_one_more():
    market = Market.begin(range(5))
    assert market.raised().shown == (4, 4, 3, 2, 1)
    assert market.audience(0, (1, 3, 0, 2, 4)).raised().piles[0] == (2, 4, 1, 3, 0)
