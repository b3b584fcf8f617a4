"""The exchange: its equations, its trade graph as networkx sees it, and the cost of importing it."""

import os
import pickle
import subprocess
import sys
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from tradekit import bazar
from tradekit.bazar import Equation, Exchange, Stones
from tradekit.game import ParseError

from . import oracle
from .strategies import EQUATIONS, exchanges, few, holdings

LIVELY = Exchange("R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY")
LONG = Exchange("RBBB=GGYY RRRR=BYYY WW=RRB RRRR=WGGG R=WBG G=BYY")  # paths of up to 576 trades

# Equations


@given(exchanges())
def test_exchanges_read_back(x):
    assert Exchange(str(x)) == x == eval(repr(x))
    assert hash(Exchange(str(x))) == hash(x)
    assert Exchange("\n".join(map(str, x.equations))) == x == Exchange(x.equations) == Exchange(str(x).split())
    assert pickle.loads(pickle.dumps(x)) == x


def test_BZ_3_order_counts_and_so_does_direction():
    assert Exchange("R=WW W=BG") != Exchange("W=BG R=WW")
    assert Exchange("R=WW") != Exchange("WW=R")
    assert Exchange("R=WW") != "R=WW"


@pytest.mark.parametrize(
    "typed",
    [
        "R=WW W=BG",
        "R = WW, W = BG",
        "R <-> 2W; W -> BG",
        "rojo = 2 blancas\nblanca = azul, verde",
        ["R=WW", "W=BG"],
        ["red = 2 white", Equation("W=BG")],
        (Equation(text) for text in ("R=WW", "W=BG")),
    ],
)
def test_exchanges_as_people_type_them(typed):
    assert str(Exchange(typed)) == "R=WW W=BG"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "0 equations; an exchange has 1 to 10 (BZ-3)"),
        ([], "0 equations; an exchange has 1 to 10 (BZ-3)"),
        (" ".join(EQUATIONS[:11]), "11 equations; an exchange has 1 to 10 (BZ-3)"),
        ("R=WW R=WW", "equation R=WW is there twice"),
        ("R=WW W=BG WW=R", "equation WW=R is there twice"),
        ("R=WW\nW=BG\n2W=R", "line 3: equation WW=R is there twice (first in line 1)"),
        (["R=WW", "W=BG", "GB=W"], "line 3: equation BG=W is there twice (first in line 2)"),
        ("R=WW W=BQ", "'BQ': unknown colour 'Q'; colours are R W B G Y"),
        ("R=WW\nW=", "line 2: 'W=': a side has 1 to 4 stones, not 0 (BZ-3)"),
        ("R=WW\nWB=BW", "line 2: 'WB=BW': the same stones stand on both sides (BZ-3)"),
        ("R=WW\nWB=BG", "line 2: 'WB=BG': colour B stands on both sides (BZ-3)"),
    ],
)
def test_BZ_3_exchanges_that_are_refused(typed, message):
    with pytest.raises(ParseError) as error:
        Exchange(typed)
    assert str(error.value) == message


def test_BZ_3_ten_equations_are_allowed():
    assert len(Exchange(EQUATIONS[:10]).equations) == 10


# Trades


@few(30)
@given(exchanges(), holdings)
def test_BZ_10_BZ_14_trades_of_a_holding(exchange, have):
    found = exchange.trades(have)
    expected = oracle.trades(str(exchange), have.counts)
    assert [(str(trade), trade.after.counts, trade.must_buy) for trade in found] == [
        (name, after, sum(after) > 10) for name, after in expected
    ]
    assert all(str(trade.equation) == str(trade) for trade in found)


def test_BZ_14_a_trade_above_ten_is_marked():
    assert [(str(t), str(t.after), t.must_buy) for t in Exchange("R=WW RR=WW").trades("RRRRRRRRRR")] == [
        ("R=WW", "RRRRRRRRRWW", True),
        ("RR=WW", "RRRRRRRRWW", False),
    ]


def test_BZ_11_without_stones_there_is_no_trade():
    assert LIVELY.trades("") == []


def test_BZ_14_trades_of_eleven_stones_are_not_asked_for():
    with pytest.raises(ValueError, match=r"^R{11}: 11 stones; a holding has at most ten \(BZ-14\)$"):
        LIVELY.trades("11 R")


# The trade graph (BZ-40)


@few(3)
@given(exchanges())
def test_BZ_40_the_graph_is_every_trade_within_ten(exchange):
    graph = exchange.graph()
    assert type(graph) is nx.DiGraph
    assert {node.counts for node in graph} == set(oracle.HANDS)
    assert all(isinstance(node, Stones) for node in graph)
    edges = {(a.counts, b.counts): (str(data["equation"]), data["number"]) for a, b, data in graph.edges(data=True)}
    number = {}
    for i, equation in enumerate(exchange.equations):
        number[str(equation)] = number[str(equation.reversed)] = i
    expected = {}
    for have in oracle.HANDS:
        for name, after in oracle.trades(str(exchange), have):
            if sum(after) <= 10:
                expected[have, after] = (name, number[name])
    assert edges == expected


@few(4)
@given(exchanges(), holdings)
def test_BZ_40_networkx_runs_on_the_graph(exchange, have):
    graph = exchange.graph()
    # Every trade has its reverse, so every connected part is strongly connected.
    strong = {frozenset(part) for part in nx.strongly_connected_components(graph)}
    assert strong == {frozenset(part) for part in nx.weakly_connected_components(graph)}
    assert nx.number_of_selfloops(graph) == 0
    far, turns = max(nx.single_source_shortest_path_length(graph, have).items(), key=lambda item: item[1])
    path = nx.shortest_path(graph, have, far)
    assert len(path) == turns + 1
    here = have.counts
    for a, b in pairwise(path):
        here = dict(oracle.trades(str(exchange), here))[str(graph[a][b]["equation"])]
        assert here == b.counts
    assert sum(nx.pagerank(nx.ego_graph(graph, have, radius=1)).values()) == pytest.approx(1)


@few(4)
@given(exchanges(), holdings)
def test_distances_are_those_of_networkx(exchange, have):
    table, graph = exchange.distances(), exchange.graph()
    number = {stones: i for i, stones in enumerate(graph)}
    assert table.shape == (3003, 3003)
    assert np.array_equal(table, table.T)
    assert not table.diagonal().any()
    for source in (have, Stones(), Stones("RWBGY"), Stones("10 Y")):
        expected = np.full(3003, -1)
        for stones, turns in nx.single_source_shortest_path_length(graph, source).items():
            expected[number[stones]] = turns
        assert np.array_equal(table[number[source]], expected)


def test_distances_of_more_than_a_hundred_trades():
    graph = LONG.graph()
    number = {stones: i for i, stones in enumerate(graph)}
    start = Stones("WWWBYY")
    expected = np.full(3003, -1)
    for stones, turns in nx.single_source_shortest_path_length(graph, start).items():
        expected[number[stones]] = turns
    assert expected.max() == 576
    assert np.array_equal(LONG.distances()[number[start]], expected)


@pytest.mark.parametrize("cores", [1, 3, 7, None])
def test_distances_do_not_depend_on_the_number_of_cores(monkeypatch, cores):
    expected = LIVELY.distances()
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert np.array_equal(LIVELY.distances(), expected)


def test_graphml_is_read_back(tmp_path):
    exchange = Exchange("R=WW W=BG")
    exchange.to_graphml(tmp_path / "graph.graphml")
    read = nx.read_graphml(tmp_path / "graph.graphml")
    assert set(read) == {oracle.letters(hand) for hand in oracle.HANDS}
    assert {(a, b, e["equation"], e["number"]) for a, b, e in read.edges(data=True)} == {
        (str(a), str(b), str(e["equation"]), e["number"]) for a, b, e in exchange.graph().edges(data=True)
    }


@given(exchanges())
def test_picture_is_bipartite_and_tells_the_equations(exchange):
    picture = exchange.picture()
    sides = nx.get_node_attributes(picture, "bipartite")
    assert {node for node, side in sides.items() if side == 0} == set("RWBGY")
    assert [node for node, side in sides.items() if side == 1] == [str(e) for e in exchange.equations]
    assert all(sides[a] != sides[b] for a, b in picture.edges)
    for equation in map(str, exchange.equations):
        left = "".join(colour * n for colour, _e, n in picture.in_edges(equation, data="stones"))
        right = "".join(colour * n for _e, colour, n in picture.out_edges(equation, data="stones"))
        assert Equation(f"{left}={right}") == Equation(equation)


@given(exchanges())
def test_an_exchange_shows_its_equations_with_letters(exchange):
    page = exchange._repr_html_()
    for colour in "RWBGY":
        assert page.count(f">{colour}</span>") == str(exchange).count(colour)


# The cost of importing

HEAVY = ["numpy", "pandas", "altair", "scipy", "networkx", "ipywidgets", "anywidget", "vl_convert"]


@pytest.mark.parametrize(
    "program",
    [
        "import tradekit",
        "from tradekit import bazar",
        "import tradekit.theme, tradekit.i18n, tradekit.game",
        "from tradekit.bazar import Deck, Ware; Ware('RWBGY*')._repr_html_()",
    ],
)
def test_a_light_import_stays_light(program):
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{program}\nimport sys; print([name for name in {HEAVY} if name in sys.modules])",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == "[]\n"


def test_chains_and_policies_need_neither_pandas_nor_altair():
    program = """
import sys
from tradekit import bazar
exchange = bazar.Exchange("R=WW W=BG")
exchange.chain("RRR", "WWBGG"), exchange.solve("WWBGG").best("RRR"), exchange.trades("R")
print([name for name in ("pandas", "altair", "scipy", "networkx", "ipywidgets") if name in sys.modules])
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_names_are_there_and_others_are_not():
    for name in ("Exchange", "Chain", "Policy", "Goal", "Prices", "Arbitrage", "Stones", "Deck"):
        assert name in dir(bazar)
        assert getattr(bazar, name).__name__ == name
    with pytest.raises(AttributeError, match=r"^module 'tradekit.bazar' has no attribute 'exchnage'$"):
        bazar.exchnage  # noqa: B018


def test_the_exchange_of_a_state():
    state = bazar.new(cards=(1, 4), seed=3)
    assert Exchange.of(state) == Exchange.of_cards(1, 4)
    with pytest.raises(ValueError, match="still to be drawn"):
        Exchange.of(bazar.new())


@pytest.mark.parametrize("option", [{"over_ten": "penalty"}, {"double": True}, {"max_left": 3}], ids=str)
def test_the_analysis_refuses_other_rules_by_name(option):
    with pytest.raises(ValueError, match=f"the default rules alone, not {next(iter(option))}="):
        Exchange.of(bazar.new(cards=(1, 4), **option))
