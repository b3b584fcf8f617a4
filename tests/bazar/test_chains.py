"""Chains (BZ-41) and the frontier (BZ-42): legal, shortest, complete, in the stated order."""

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from math import inf
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tradekit import theme
from tradekit.bazar import Chain, Equation, Exchange, Stones, chains
from tradekit.game import ParseError

from . import oracle
from .strategies import exchanges, few, holdings, lefts, wares

LIVELY = Exchange("R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY")
LONG = Exchange("RBBB=GGYY RRRR=BYYY WW=RRB RRRR=WGGG R=WBG G=BYY")
FEW = Exchange("R=WW W=BG")

BOUGHT = "bought"


def fewest_by_networkx(exchange, have, ware, left):
    """Return the fewest turns by networkx.

    It searches `exchange.graph()`, with a virtual target behind every hand from which one trade, over ten or not, leads
    to the purchase.
    """
    graph = exchange.graph()
    for stones in list(graph):
        after = (hand for _name, hand in oracle.trades(str(exchange), stones.counts))
        if any(oracle.buys(hand, str(ware), left) for hand in after):
            graph.add_edge(stones, BOUGHT)
    try:
        return nx.shortest_path_length(graph, have, BOUGHT)
    except nx.NetworkXException:
        return None


# BZ-41: one shortest chain


@few(30)
@given(exchanges(), holdings, wares, lefts)
def test_BZ_41_a_chain_is_legal_and_as_short_as_the_oracle_says(exchange, have, ware, left):
    text = str(exchange)
    turns = oracle.fewest_turns(text, have.counts, str(ware), left)
    chain = exchange.chain(have, ware, left)
    if turns is None:
        assert chain is None
        return
    rest = oracle.check_chain(text, have.counts, str(ware), [str(trade) for trade in chain.trades])
    assert (chain.start, chain.ware, chain.turns, chain.left) == (have, ware, turns, rest)
    assert left is None or rest in ({left} if isinstance(left, int) else left)
    assert chain.points() == oracle.points(str(ware), rest)
    assert chain.points(1) == oracle.points(str(ware), rest, empty_stalls=1)


@few(4)
@given(exchanges(), holdings, wares, lefts)
def test_BZ_41_as_short_as_networkx_says(exchange, have, ware, left):
    chain = exchange.chain(have, ware, left)
    assert (chain and chain.turns) == fewest_by_networkx(exchange, have, ware, left)


@few(8)
@given(exchanges(), wares, lefts)
def test_BZ_41_turns_of_all_holdings_at_once(exchange, ware, left):
    turns = exchange.turns(ware, left)
    assert turns.shape == (3003,)
    text = str(exchange)
    known = dict(zip((stones.counts for stones in exchange.graph()), turns.tolist(), strict=True))
    for have, turn in known.items():
        trades = oracle.trades(text, have)
        if any(oracle.buys(after, str(ware), left) for _name, after in trades):
            assert turn == 1
        else:
            onward = [known[after] for _name, after in trades if sum(after) <= 10 and known[after] >= 0]
            assert turn == (1 + min(onward) if onward else -1)


def test_BZ_41_unreachable_is_an_answer():
    assert FEW.chain("RR", "WWWBB") is None  # five whites would be needed, and there are four
    assert list(FEW.chains("RR", "WWWBB")) == []
    assert LIVELY.chain("", "RWBGY") is None  # without stones there is nothing to trade (BZ-11)
    assert FEW.chain("10R", "RRRRR", left=9) is None  # thirteen stones at most, of which five pay
    assert set(FEW.turns("RRRRR", left=9).tolist()) == {-1}


def test_BZ_12_a_ware_in_hand_is_bought_only_after_a_trade():
    """A player with the five stones needs a turn, and so a trade, before the purchase."""
    chain = Exchange("R=WW").chain("RRWBGY", "RWBGY")
    assert [str(step.after) for step in chain.steps] == ["RWWWBGY"]
    assert Exchange("RR=WW").chain("RWBGY", "RWBGY") is None


def test_BZ_14_only_the_last_turn_passes_ten():
    eleven = Exchange("R=WW").chain("RRRRRRRRRB", "RRRWW")
    assert (eleven.turns, eleven.left) == (1, 6)
    # Two reds would have to become four whites, and the first trade leaves eleven stones.
    assert Exchange("R=WW").chain("RRRRRRRRRB", "RRWWW") is None
    assert Exchange("R=WW").chain("RRRRRRRRB", "RRWWW").turns == 2
    assert Exchange("R=WWWW").chain("RRRRRRRRRR", "RWWWW", left=8).left == 8


def test_a_very_long_chain():
    assert LONG.turns("RRWBG", 0).max() == 574
    chain = LONG.chain("WBBBBBBBGG", "RRWBG", left=0)
    trades = [str(trade) for trade in chain.trades]
    assert chain.turns == 574
    assert oracle.check_chain(str(LONG), oracle.hand("WBBBBBBBGG"), "RRWBG", trades) == 0


@pytest.mark.parametrize(
    ("left", "shown"),
    [(-1, "-1"), ([], "[]"), ([-1, 3], "[-1, 3]"), (range(0), "range(0, 0)"), (frozenset(), "frozenset()")],
)
def test_left_that_is_no_number_of_stones(left, shown):
    for ask in (
        lambda: FEW.chain("RR", "WWWBG", left),
        lambda: next(FEW.chains("RR", "WWWBG", left)),
        lambda: FEW.turns("WWWBG", left),
        lambda: FEW.proof("RR", "WWWBG", left),
        lambda: FEW.solve("WWWBG", left),
        lambda: FEW.solve("WWWBG", left, cost=0.5),
    ):
        with pytest.raises(ValueError) as error:
            ask()
        assert str(error.value) == f"left={shown}: must be 0 or more, several such numbers, or None for any number"


@pytest.mark.parametrize("left", [1, [1], {1}, (1, 1), range(1, 2), np.int64(1), np.array([1])])
def test_left_as_people_write_it(left):
    """NumPy's numbers come out of every DataFrame, including the one of `frontier`."""
    assert FEW.chain("RRRRR", "RRRRW", left).left == 1
    assert FEW.solve("RRRRW", left) is FEW.solve("RRRRW", 1)


@pytest.mark.parametrize("ask", [FEW.chain, FEW.proof, lambda have, ware: list(FEW.chains(have, ware))])
def test_BZ_14_a_start_of_more_than_ten_stones_is_refused(ask):
    with pytest.raises(ValueError) as error:
        ask("11R", "RRRWW")
    assert str(error.value) == "RRRRRRRRRRR: 11 stones; a holding has at most ten (BZ-14)"


@pytest.mark.parametrize(
    ("have", "ware", "message"),
    [
        ("RQ", "RRRWW", "'RQ': unknown colour 'Q'; colours are R W B G Y"),
        ("RR", "RRRW", "'RRRW': a ware shows five stones, not 4 (BZ-4)"),
        ("RR", "RRRWW**", "'RRRWW**': a ware bears one star or none, not 2 (BZ-4)"),
    ],
)
def test_what_cannot_be_read_is_refused(have, ware, message):
    for ask in (FEW.chain, FEW.proof, lambda have, ware: FEW.frontier(have, [ware])):
        with pytest.raises(ParseError) as error:
            ask(have, ware)
        assert str(error.value) == message


# All shortest chains


@few(18)
@given(exchanges(), holdings, wares, lefts)
def test_BZ_41_all_chains_are_those_of_brute_force_in_the_stated_order(exchange, have, ware, left):
    text = str(exchange)
    turns = oracle.fewest_turns(text, have.counts, str(ware), left)
    assume(turns is not None and turns <= 3)
    # `all_chains` goes through the trades in the order of the exchange; fewest stones left come first.
    brute = sorted(oracle.all_chains(text, have.counts, str(ware), left, turns), key=lambda found: found[0])
    found = [(chain.left, tuple(map(str, chain.trades))) for chain in islice(exchange.chains(have, ware, left), 2000)]
    assert found == brute[:2000]
    assert len(set(found)) == len(found)
    assert exchange.chain(have, ware, left) == next(exchange.chains(have, ware, left))


@few(20)
@given(exchanges(least=4), holdings, wares)
def test_BZ_41_longer_ones_too_are_equally_long_distinct_and_legal(exchange, have, ware):
    some = list(islice(exchange.chains(have, ware), 60))
    trades = [tuple(map(str, chain.trades)) for chain in some]
    assert len({chain.turns for chain in some}) <= 1
    assert len(set(trades)) == len(some)
    for chain, names in zip(some, trades, strict=True):
        assert oracle.check_chain(str(exchange), have.counts, str(ware), names) == chain.left
    assert [chain.left for chain in some] == sorted(chain.left for chain in some)


def test_chains_come_one_after_another(monkeypatch):
    """Asking for the first chain makes the first, not all of them."""
    made = []
    monkeypatch.setattr(chains, "Chain", lambda *arguments: made.append(Chain(*arguments)) or made[-1])
    asked = LIVELY.chains("YYYYYYYYY", "RRRRR")
    assert isinstance(asked, Iterator)
    assert made == []
    first = next(asked)
    assert made == [first]
    assert next(asked) != first
    assert len(made) == 2


# The first step


@few(12)
@given(exchanges(), holdings, wares, lefts)
def test_options_are_the_first_steps_with_what_they_cost(exchange, have, ware, left):
    text, frame = str(exchange), exchange.options(have, ware, left)
    expected = []
    for name, after in oracle.trades(text, have.counts):
        if oracle.buys(after, str(ware), left):
            expected.append((name, oracle.letters(after), True, 1))
        elif sum(after) <= 10:
            further = oracle.fewest_turns(text, after, str(ware), left)
            expected.append((name, oracle.letters(after), False, inf if further is None else 1 + further))
    expected.sort(key=lambda row: (row[3], row))
    assert list(frame.columns) == ["action", "after", "buys", "turns", "costs"]
    rows = list(frame.iloc[:, :4].itertuples(index=False, name=None))
    assert sorted(rows, key=lambda row: (row[3], row)) == expected and frame["turns"].is_monotonic_increasing
    fewest = expected[0][3] if expected else None
    assert frame["costs"].tolist() == [0 if row[3] == fewest else row[3] - fewest for row in expected]
    chain = exchange.chain(have, ware, left)
    assert (chain and chain.turns) == (None if fewest in (None, inf) else fewest)


# The proof


@few(7)
@given(exchanges(), holdings, wares, lefts)
def test_BZ_41_the_proof_is_a_search_that_leaves_nothing_out(exchange, have, ware, left):
    text = str(exchange)
    proof = exchange.proof(have, ware, left)
    turns = oracle.fewest_turns(text, have.counts, str(ware), left)
    layers = list(nx.bfs_layers(exchange.graph(), have))
    assert list(proof.index) == list(range(1, len(proof) + 1))
    assert len(proof) == (len(layers) if turns is None else turns)
    assert proof["holdings"].tolist() == [len(layer) for layer in layers[: len(proof)]]
    buying = [
        sum(any(oracle.buys(h, str(ware), left) for _n, h in oracle.trades(text, s.counts)) for s in layer)
        for layer in layers[: len(proof)]
    ]
    assert proof["buying"].tolist() == buying
    assert buying[:-1] == [0] * (len(buying) - 1)
    assert (buying[-1] == 0) == (turns is None)


def test_BZ_41_the_proof_that_there_is_no_chain():
    proof = FEW.proof("RR", "WWWBB")
    assert proof["buying"].sum() == 0
    assert proof["holdings"].sum() == len(nx.descendants(FEW.graph(), Stones("RR"))) + 1


# BZ-42: the frontier


def pareto(text, have, listed, empty_stalls):
    """Return the (ware, turns, left, points) that nothing beats: brute force over every ware and number left over."""
    made = oracle.first_made(text, have)
    rows = []
    for ware in dict.fromkeys(listed):
        fewest = {}
        for after, turn in made.items():  # in the order of the turns
            fewest.setdefault(oracle.left_after(after, ware), turn)
        fewest.pop(None, None)
        rows += [(ware, turn, left, oracle.points(ware, left, empty_stalls)) for left, turn in sorted(fewest.items())]
    best = [
        row
        for row in rows
        if not any(o[1] <= row[1] and o[3] >= row[3] and (o[1], o[3]) != (row[1], row[3]) for o in rows)
    ]  # of equal rows of a ware, the fewest stones left over
    kept = {}
    for row in best:  # of equal rows of a ware, the fewest stones left over
        kept.setdefault((row[0], row[1], row[3]), row)
    return sorted(kept.values(), key=lambda row: row[1])


@few(15)
@given(exchanges(least=3), holdings, st.lists(wares, min_size=1, max_size=4), st.integers(0, 1))
def test_BZ_42_the_frontier_is_the_pareto_set_of_brute_force(exchange, have, listed, empty_stalls):
    frame = exchange.frontier(have, listed, empty_stalls=empty_stalls)
    assert list(frame.columns) == ["ware", "turns", "left", "points", "chain"]
    rows = list(frame[["ware", "turns", "left", "points"]].itertuples(index=False, name=None))
    assert rows == pareto(str(exchange), have.counts, list(map(str, listed)), empty_stalls)
    for ware, turns, left, points, chain in frame.itertuples(index=False, name=None):
        names = [str(trade) for trade in chain.trades]
        assert oracle.check_chain(str(exchange), have.counts, ware, names) == left
        assert (str(chain.ware), chain.turns, chain.left, chain.points(empty_stalls)) == (
            ware,
            turns,
            left,
            points,
        )
        assert chain == exchange.chain(have, ware, left)


@few(8)
@given(
    holdings.filter(lambda stones: len(stones) > 3),
    st.lists(wares, min_size=2, max_size=4),
    st.integers(0, 1),
)
def test_BZ_42_a_lively_frontier(have, listed, empty_stalls):
    rows = LIVELY.frontier(have, listed, empty_stalls)[["ware", "turns", "left", "points"]]
    expected = pareto(str(LIVELY), have.counts, list(map(str, listed)), empty_stalls)
    assert list(rows.itertuples(index=False, name=None)) == expected


def test_BZ_42_two_wares_that_reach_the_same_are_both_listed():
    frame = Exchange("R=WW").frontier("RBBBG", ["WWBBB", "WWBBG", "WWBBB"])
    assert frame["ware"].tolist() == ["WWBBB", "WWBBG"]
    assert set(zip(frame["turns"], frame["points"], strict=True)) == {(1, 3)}


@pytest.mark.parametrize(("stalls", "points"), [(0, [5, 8]), (1, [8, 12])])
def test_BZ_16_an_empty_stall_scores_a_column_higher(stalls, points):
    frame = Exchange("R=W").frontier("RRBBB", ["WWBBB*", "RWBBB"], empty_stalls=stalls)
    assert frame["ware"].tolist() == ["RWBBB", "WWBBB*"]
    assert frame["turns"].tolist() == [1, 2]
    assert frame["points"].tolist() == points


def test_BZ_42_nothing_in_reach_and_nothing_asked():
    for frame in (FEW.frontier("YY", ["RRRRR"]), FEW.frontier("RR", [])):
        assert list(frame.columns) == ["ware", "turns", "left", "points", "chain"]
        assert frame.empty


@pytest.mark.parametrize("stalls", [2, -1, 3])
def test_BZ_17_with_two_empty_stalls_the_bazaar_is_closed(stalls):
    message = f"{stalls} empty stalls: 0 or 1 are possible, with two the bazaar is closed (BZ-17)"
    chain = Chain("RR", "WWWBG", ["R=WW", "R=WBG"])
    for ask in (lambda: FEW.frontier("RR", ["WWWBG"], empty_stalls=stalls), lambda: chain.points(stalls)):
        with pytest.raises(ValueError) as error:
            ask()
        assert str(error.value) == message


# A chain as a value


@few(30)
@given(exchanges(), holdings, wares)
def test_a_chain_reads_back(exchange, have, ware):
    for chain in islice(exchange.chains(have, ware), 5):
        assert eval(repr(chain)) == chain
        assert hash(eval(repr(chain))) == hash(chain)
        *trades, purchase = str(chain).split(", ")
        assert Chain(have, purchase.removeprefix("buy "), trades) == chain
        assert chain.start == chain.steps[0].before
        assert all(a.after == b.before for a, b in pairwise(chain.steps))
        assert all(s.before - s.trade.left + s.trade.right == s.after for s in chain.steps)
        assert chain.rest + ware.stones == chain.steps[-1].after


@pytest.mark.parametrize(
    ("start", "ware", "trades", "message"),
    [
        ("RR", "RRWWW", [], "a purchase needs a roll or a trade before it in the same turn (BZ-12)"),
        ("RRWWW", "RRWWW", [], "a purchase needs a roll or a trade before it in the same turn (BZ-12)"),
        ("RR", "RRWWW", ["B=WW"], "turn 1: RR does not hold B (BZ-10)"),
        ("RR", "WWWBG", ["R=WW", "RR=WBG"], "turn 2: RWW does not hold RR (BZ-10)"),
        ("RR", "RRWWW", ["R=WW", "W=BG"], "the last holding RWBG does not contain RRWWW (BZ-12)"),
        ("9R Y", "RRWWW", ["R=WW", "R=WW"], "RRRRRRRRWWY: 11 stones; a holding has at most ten (BZ-14)"),
        ("11R", "RRRWW", ["R=WW"], "RRRRRRRRRRR: 11 stones; a holding has at most ten (BZ-14)"),
        ("RR", "RRWW", ["R=WW"], "'RRWW': a ware shows five stones, not 4 (BZ-4)"),
        ("RR", "RRWWW", ["R=RW"], "'R=RW': colour R stands on both sides (BZ-3)"),
    ],
)
def test_a_chain_that_the_rules_forbid_is_refused(start, ware, trades, message):
    with pytest.raises(ValueError) as error:
        Chain(start, ware, trades)
    assert str(error.value) == message


@few(60)
@given(exchanges(), holdings, wares, st.lists(st.integers(0, 19), max_size=4))
def test_a_chain_is_accepted_exactly_where_the_oracle_plays_it(exchange, have, ware, numbers):
    names = [name for name, _give, _take in oracle.directed(str(exchange))]
    chosen = [names[i % len(names)] for i in numbers]
    try:
        rest = oracle.check_chain(str(exchange), have.counts, str(ware), chosen)
    except AssertionError:
        with pytest.raises(ValueError):
            Chain(have, ware, chosen)
    else:
        assert Chain(have, ware, chosen).left == rest


def test_a_chain_may_pass_ten_in_its_last_turn():
    chain = Chain("9R Y", "RRRWW", ["R=WW"])
    assert (chain.turns, chain.left, chain.points()) == (1, 6, 1)


# A chain shown

SHOWN = Chain("RRB", "WWWGG*", ["R=WW", Equation("R=WBG"), "B=GG"])


def test_chain_as_a_frame():
    frame = SHOWN.to_frame()
    assert list(frame.index) == [1, 2, 3] and frame.index.name == "turn"
    assert list(frame.columns) == ["before", "give", "take", "after", "buys"]
    assert frame[["before", "give", "take", "after"]].values.tolist() == [
        ["RRB", "R", "WW", "RWWB"],
        ["RWWB", "R", "WBG", "WWWBBG"],
        ["WWWBBG", "B", "GG", "WWWBGGG"],
    ]
    assert frame["buys"].isna().tolist() == [True, True, False]
    assert frame.loc[3, "buys"] == "WWWGG*"


def test_chain_as_text():
    assert SHOWN.to_text().splitlines() == [
        "RRB buys WWWGG* in 3 turns, 2 stones left, 3 points",
        "  1  RRB     R=WW   RWWB   ",
        "  2  RWWB    R=WBG  WWWBBG ",
        "  3  WWWBBG  B=GG   WWWBGGG  buys WWWGG*, left BG",
    ]
    one = Chain("RWWW", "WWWWW", ["R=WW"])
    assert one.to_text().splitlines() == [
        "RWWW buys WWWWW in 1 turn, 0 stones left, 5 points",
        "  1  RWWW  R=WW  WWWWW  buys WWWWW, nothing left",
    ]


def test_chain_as_markdown():
    lines = SHOWN.to_markdown().splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells == [
        ["turn", "before", "trade", "after"],
        ["---"] * 4,
        ["1", "RRB", "R=WW", "RWWB"],
        ["2", "RWWB", "R=WBG", "WWWBBG"],
        ["3", "WWWBBG", "B=GG", "WWWBGGG, buys WWWGG*, left BG"],
    ]


def test_chain_in_a_terminal():
    class Printer:
        text = staticmethod(lambda text: shown.append(text))

    shown = []
    SHOWN._repr_pretty_(Printer, cycle=False)
    assert shown == [SHOWN.to_text()]


SVG = "{http://www.w3.org/2000/svg}"


def svg_stones(chain):
    """Return, row by row, the letters of an SVG picture's stones, each found on its circle, with the colours used."""
    root = ElementTree.fromstring(chain.to_svg())
    assert root.tag == f"{SVG}svg"
    width, height = float(root.get("width")), float(root.get("height"))
    assert root.get("viewBox").split() == ["0", "0", root.get("width"), root.get("height")]
    texts = [t for t in root.iter(f"{SVG}text") if t.get("text-anchor") == "middle"]
    circles = list(root.iter(f"{SVG}circle"))
    assert len(texts) == len(circles)
    rows = {}
    for circle, letter in zip(circles, texts, strict=True):
        x, y, r = (float(circle.get(name)) for name in ("cx", "cy", "r"))
        assert float(letter.get("x")) == x and abs(float(letter.get("y")) - y) < r
        assert r <= x <= width - r and r <= y <= height - r
        assert (circle.get("fill"), letter.get("fill")) == theme.STONES[letter.text]
        rows[y] = rows.get(y, "") + letter.text
    return [rows[y] for y in sorted(rows)], root


@few(20)
@given(exchanges(least=4), holdings, wares)
def test_every_stone_of_the_picture_bears_its_letter(exchange, have, ware):
    for chain in islice(exchange.chains(have, ware), 2):
        rows, root = svg_stones(chain)
        assert rows == [str(chain.start), *(str(step.after) for step in chain.steps)]
        assert root.find(f"{SVG}title").text == chain.title()
        labels = [t.text for t in root.iter(f"{SVG}text") if t.get("text-anchor") is None]
        assert all(str(trade) in label for trade, label in zip(chain.trades, labels[1:], strict=True))
        assert labels[-1].endswith(str(ware))


def test_every_stone_of_the_page_bears_its_letter():
    page = SHOWN._repr_html_()
    table = page[page.index("<tbody>") :]
    rows = re.findall("<tr>(.*?)</tr>", table)
    letters = [re.findall(r'<span class="tk-stone tk-(\w)" aria-hidden="true">(\w)</span>', row) for row in rows]
    assert all(colour == letter for row in letters for colour, letter in row)
    assert ["".join(letter for _colour, letter in row) for row in letters] == [
        "RRB" + "RWW" + "RWWB",
        "RWWB" + "RWBG" + "WWWBBG",
        "WWWBBG" + "BGG" + "WWWBGGG" + "WWWGG" + "BG",  # bought, and left
    ]
    assert SHOWN.title() in page
    assert "★" in page
    ElementTree.fromstring(page.replace("<style>", "<style><![CDATA[").replace("</style>", "]]></style>"))


@few(20)
@given(exchanges(), st.lists(st.tuples(wares, lefts), min_size=1, max_size=70))
def test_many_goals_at_once_take_as_long_as_each_alone(exchange, goals):
    """BZ-41, a bit a goal: also more than one word of them, and goals that nothing reaches."""
    able = np.column_stack([chains.purchases(*goal) for goal in goals])
    found = chains.turns_to_all(exchange.moves, able)
    for column, goal in zip(found.T, goals, strict=True):
        np.testing.assert_array_equal(column, chains.turns(exchange.moves, *goal))
