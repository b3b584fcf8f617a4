"""The numbering of hands, and trades, rolls and returns as arrays, compared with the oracle."""

from itertools import combinations_with_replacement

import pytest
from hypothesis import given

from tradekit.bazar import COLOURS, Stones, hands

from . import oracle
from .strategies import exchanges, few, multisets
from .strategies import holdings as some_holdings


def test_BZ_14_there_are_3003_holdings():
    assert (hands.N, hands.N_ROLLED, hands.N_ALL) == (3003, 4368, 8568)
    numbered = [hands.holding(i) for i in range(hands.N)]
    assert {stones.counts for stones in numbered} == set(oracle.HANDS)
    assert [hands.index(stones) for stones in numbered] == list(range(hands.N))


def test_numbers_run_by_size_and_then_as_text_sorts_up_to_thirteen_stones():
    sizes = [combinations_with_replacement(COLOURS, n) for n in range(14)]
    assert hands.COUNTS.tolist() == [list(map(c.count, COLOURS)) for size in sizes for c in size]
    assert hands.SIZES.tolist() == [sum(row) for row in hands.COUNTS.tolist()]
    assert hands.indices(hands.COUNTS).tolist() == list(range(hands.N_ALL))
    assert [str(hands.holding(i)) for i in (0, 1, 5, 6, 7)] == ["-", "R", "Y", "RR", "RW"]


@given(multisets(11, 13))
def test_BZ_14_a_holding_of_more_than_ten_stones_is_refused(letters):
    with pytest.raises(ValueError) as error:
        hands.index(letters)
    assert str(error.value) == f"{letters}: {len(letters)} stones; a holding has at most ten (BZ-14)"


@given(some_holdings)
def test_BZ_9_rolls(have):
    i = hands.index(have)
    made = [tuple(hands.COUNTS[j].tolist()) for j in hands.ROLLED[:, i].tolist()]
    assert [[hand] for hand in made] == oracle.faces(have.counts)[:5]


@given(multisets(11, 11))
def test_BZ_14_of_eleven_stones_one_goes_back(letters):
    column = int(hands.indices(Stones(letters).counts)) - hands.N
    returned = hands.RETURNED[:, column].tolist()
    assert [i == hands.N for i in returned] == [colour not in letters for colour in COLOURS]
    assert [hands.holding(i).counts for i in returned if i < hands.N] == oracle.kept(oracle.hand(letters))


@given(multisets(0, 13))
def test_containing(letters):
    found = hands.containing(Stones(letters))
    price = oracle.hand(letters)
    some = range(len(letters), hands.N_ALL, 37)
    assert [bool(found[i]) for i in some] == [oracle.holds(hands.COUNTS[i].tolist(), price) for i in some]


@few(25)
@given(exchanges(), some_holdings)
def test_BZ_10_trades(exchange, have):
    moves, i = hands.Moves(exchange.equations), hands.index(have)
    directed = list(oracle.directed(str(exchange)))
    assert [str(trade) for trade in moves.trades] == [name for name, _give, _take in directed]
    able = {}
    for trade, after in zip(moves.trades, moves.after[:, i].tolist(), strict=True):
        if after < hands.N_ALL:
            able[str(trade)] = tuple(hands.COUNTS[after].tolist())
    assert list(able.items()) == oracle.trades(str(exchange), have.counts)


@few(25)
@given(exchanges(), some_holdings)
def test_neighbours_leave_out_what_passes_ten(exchange, have):
    moves, i = hands.Moves(exchange.equations), hands.index(have)
    within = {hand for _name, hand in oracle.trades(str(exchange), have.counts) if sum(hand) <= 10}
    row = moves.neighbours[i].tolist()
    near, filling = row[: len(within)], row[len(within) :]
    assert {hands.holding(j).counts for j in near} == within
    assert near == sorted(near) and set(filling) <= {hands.N}
    order, places, columns = moves.by_degree
    place = int(places[i])
    assert sorted(order.tolist()) == list(range(hands.N)) and order[place] == i
    assert sorted(int(order[column[place]]) for column in columns if place < len(column)) == near
