"""Prices and arbitrage (BZ-46): exact prices, or a certificate that is replayed, never both or neither."""

from functools import cache

import networkx as nx
import pytest
from hypothesis import given

from tradekit.bazar import Arbitrage, Exchange, Prices, Stones

from . import oracle
from .strategies import balanced_exchanges, exchanges, few, multisets

LIFTED = Exchange("R=WWWW W=BBBB B=GGGG G=YYYY RRRR=Y")  # the example of BZ-46: gains, but not within ten
LONG = Exchange("RBBB=GGYY RRRR=BYYY WW=RRB RRRR=WGGG R=WBG G=BYY")  # the hands are connected by hundreds of trades


def check_prices(exchange, found):
    """Check for positive integer prices without a common divisor, at which both sides of every equation are equal."""
    assert all(type(price) is int and price > 0 for price in found.counts)
    assert not any(all(price % d == 0 for price in found.counts) for d in range(2, max(found.counts) + 1))

    def worth(hand):
        return sum(n * price for n, price in zip(hand, found.counts, strict=True))

    for _name, give, take in oracle.directed(str(exchange)):
        assert worth(give) == worth(take)


@cache
def pairs():
    """Return every hand with every larger one that contains it, within ten stones: 181,753 pairs."""
    room = [[hand for hand in oracle.HANDS[1:] if sum(hand) <= n] for n in range(oracle.TEN + 1)]
    return [(h, oracle.plus(h, gain)) for h in oracle.HANDS for gain in room[oracle.TEN - sum(h)]]


def gains_within_ten(exchange):
    """Return whether trades within ten stones lead from some hand to it and more, by networkx and all pairs."""
    part = {}
    for number, component in enumerate(nx.strongly_connected_components(exchange.graph())):
        part.update((stones.counts, number) for stones in component)
    return any(part[small] == part[large] for small, large in pairs())


def check_arbitrage(exchange, found):
    """Check a certificate by playing it under the rules."""
    have, legal = (
        found.start.counts,
        {name: (give, take) for name, give, take in oracle.directed(str(exchange))},
    )
    largest = sum(have)
    for step, trade in zip(found.steps, found.trades, strict=True):
        give, take = legal[str(trade)]
        assert oracle.holds(have, give)
        assert step.before.counts == have
        have = oracle.plus(oracle.minus(have, give), take)
        assert step.after.counts == have
        largest = max(largest, sum(have))
    assert found.start.counts != have
    assert oracle.holds(have, found.start.counts)
    assert oracle.plus(found.start.counts, found.gain.counts) == have
    assert len(found.gain) > 0
    if found.within_ten:
        assert largest <= oracle.TEN


def test_pairs_are_all_there():
    assert len(pairs()) == 181_753


@few(25)
@given(balanced_exchanges())
def test_BZ_46_balanced_exchanges_have_prices(exchange):
    found = exchange.prices()
    assert isinstance(found, Prices)
    check_prices(exchange, found)


@few(5)
@given(exchanges())
def test_BZ_46_prices_or_a_gaining_loop(exchange):
    found = exchange.prices()
    if isinstance(found, Prices):
        check_prices(exchange, found)
        # Prices forbid any gain: a trade changes no value, and a hand that contains more is worth more.
        assert not gains_within_ten(exchange)
    else:
        check_arbitrage(exchange, found)
        assert found.within_ten == gains_within_ten(exchange)


@pytest.mark.parametrize(
    ("equations", "prices", "unique"),
    [
        ("R=W", "R=1 W=1 B=1 G=1 Y=1", False),
        ("R=WW W=BG B=G Y=RW", "R=4 W=2 B=1 G=1 Y=6", True),
        ("R=WWWW W=BBBB B=GGGG G=YYYY", "R=256 W=64 B=16 G=4 Y=1", True),
        ("RRR=WW WWW=BB BBB=GG GGG=YY", "R=16 W=24 B=36 G=54 Y=81", True),
        ("RRRR=WWW WWWW=BBB BBBB=GGG GGGG=YYY", "R=81 W=108 B=144 G=192 Y=256", True),
        ("R=WW W=BG B=G Y=RW R=WBG RR=WY W=BB Y=WWW RB=WWG YB=RWG", "R=4 W=2 B=1 G=1 Y=6", True),
    ],
)
def test_BZ_46_prices_found_by_hand(equations, prices, unique):
    found = Exchange(equations).prices()
    assert (str(found), found.unique) == (prices, unique)
    check_prices(Exchange(equations), found)


def test_BZ_46_a_gain_within_ten():
    exchange = Exchange("R=WW W=R")
    found = exchange.prices()
    assert isinstance(found, Arbitrage) and found.within_ten
    check_arbitrage(exchange, found)
    assert len(found.trades) == 2  # one red becomes two whites, and one of them a red


def test_BZ_46_a_gain_only_with_the_limit_lifted():
    found = LIFTED.prices()
    assert isinstance(found, Arbitrage)
    assert not found.within_ten
    check_arbitrage(LIFTED, found)
    assert not gains_within_ten(LIFTED)


def test_BZ_46_a_gain_where_holdings_are_hundreds_of_trades_apart():
    found = LONG.prices()
    assert isinstance(found, Arbitrage)
    check_arbitrage(LONG, found)
    assert found.within_ten == gains_within_ten(LONG)


@given(multisets())
def test_the_value_of_stones(letters):
    prices = Prices((4, 2, 1, 1, 6), unique=True)
    assert prices.value(letters) == sum(prices[colour] for colour in letters)
    assert prices.value(Stones(letters)) == prices.value(letters)


@pytest.mark.parametrize("colour", ["X", "RW", ""])
def test_only_colours_have_prices(colour):
    with pytest.raises(ValueError, match=f"colour='{colour}': must be one of 'R', 'W', 'B', 'G', 'Y'"):
        Exchange("R=WW W=BG").prices()[colour]


def test_prices_are_shown():
    prices = Exchange("R=WW W=BG B=G Y=RW").prices()
    assert prices.to_frame()["price"].to_dict() == {"R": 4, "W": 2, "B": 1, "G": 1, "Y": 6}
    page = prices._repr_html_()
    for colour, price in zip("RWBGY", prices.counts, strict=True):
        assert f">{colour}</span></span> {price}" in page
    note = "other prices balance the exchange, too"
    assert note not in page
    assert note in Exchange("R=W").prices()._repr_html_()
    assert eval(repr(prices)) == prices


def test_an_arbitrage_is_shown():
    found = Exchange("R=WW W=R").prices()
    frame = found.to_frame()
    assert frame.index.tolist() == [1, 2]
    assert frame["before"].tolist() == [str(step.before) for step in found.steps]
    assert frame["after"].tolist()[-1] == str(found.start + found.gain)
    assert [f"{a}={b}" for a, b in zip(frame["give"], frame["take"], strict=True)] == list(map(str, found.trades))
    assert found.title() == f"{found.start} becomes {found.start + found.gain} in 2 trades, within ten stones"
    assert str(found) == f"{found.title()}: {', '.join(map(str, found.trades))}"
    page = found._repr_html_()
    assert found.title() in page and "gain: " in page
    lifted = LIFTED.prices().title()
    assert lifted.endswith("with the limit of ten stones lifted; within it there is no gain")
