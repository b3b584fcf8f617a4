"""The market as a dynamical system: demand by place and good, and its changes by sales, bribes and audiences (SI-70).

The goods do not matter for what a row can become, so a row is the five numbers shown, front to back: 4 3 2 1 0 at the
beginning. A pile that was never in an audience is a rotation of the cycle 4 3 2 1 0, so its top number determines its
order. There are 1,280 such rows because only the last pile may show 0 (SI-24); with ``zeros="stay"`` there are 3,125.
An audience can also break the cycle. With all 24 orders of each pile there would be ten billion rows, so the graph has
only the audiences that keep the cycle.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from tradekit._utils.arguments import checked, items, whole, whole_number
from tradekit._utils.numerals import plain
from tradekit.i18n import _
from tradekit.show.names import name_of
from tradekit.silk.cards import GOODS
from tradekit.silk.market import CYCLE, HIGHEST, Market, turned
from tradekit.silk.rules import State

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from tradekit.record import Record

Row = tuple[int, ...]  #: numbers on top of the five piles, front to back

BEGIN: Final[Row] = CYCLE  #: row at the beginning (SI-4)
MOVES: Final = ("sell", "bribe", "audience")
_SALES: Final = lcm(*range(1, len(GOODS) + 1))  #: number of parts that divides evenly among the sales of any row


def states_of(record: Record) -> list[State]:
    """Return all states of a recorded game; raise `ValueError` for a record of another game."""
    if not isinstance(record.start, State):
        raise ValueError(
            _("a record of {game} is needed, not of {other}").format(game=State.game.name, other=record.start.game.name)
        )
    return [cast(State, state) for state in record.states()]


@checked
def demands(record: Record) -> pd.DataFrame:
    """Return the demand over a recorded game: one row per place of the market, at the beginning and after each change.

    Columns: ``change`` (0 at the beginning), ``move`` of the record, ``name`` and ``action`` that changed the market,
    ``place`` (1 in front), ``good``, ``shown`` on its pile, ``demand`` (a 0 that counts as one is 1: SI-24). Raises
    `ValueError` for a record of another game.

    >>> from tradekit import Record, bots, silk
    >>> frame = demands(bots.finish(Record.begin(silk.new(3, seed=1)), ["random"] * 3))
    >>> frame["shown"].head(5).tolist()
    [4, 3, 2, 1, 0]
    """
    import pandas as pd

    rows = []
    market, change = Market(), 0
    for move, state in enumerate(states_of(record)):
        now = state.market
        if now == market:
            continue
        market = now
        actor, action = record.moves[move - 1] if move else (None, "")
        who = "" if actor is None else name_of(actor, record.names)
        shown, demand = now.shown, now.demands
        for place, good in enumerate(now.row):
            rows.append((change, move, who, str(action), place + 1, GOODS[good], shown[place], demand[good]))
        change += 1
    return pd.DataFrame(rows, columns=["change", "move", "name", "action", "place", "good", "shown", "demand"])


# Rows, and moves between them


def rows(zeros: str = "turn") -> list[Row]:
    """Return all rows that the market can show, with either reading of SI-24.

    >>> len(rows()), len(rows("stay"))
    (1280, 3125)
    """
    low = int(not _stay(zeros))
    return [row for row in product(range(HIGHEST + 1), repeat=len(GOODS)) if min(row[:-1]) >= low]


@checked
def market_graph(zeros: str = "turn", moves: Collection[str] = ("sell",), start: Row | None = None) -> nx.DiGraph[Row]:
    """Build the graph of rows, with an edge from each row to every row that one of `moves` makes of it.

    Nodes are the rows that can be reached from `start` (None: all rows). The attribute ``moves`` of an edge names its
    moves: ``sell 2``, ``bribe 2 up 3 down``, ``audience 4 shows 3``, with places counted from 1. Only audiences that
    keep the cycle of a pile are included. Raises `ValueError` for a move that is not in `MOVES` and for an impossible
    `start`.

    >>> import networkx as nx
    >>> nx.shortest_path_length(market_graph(), (4, 3, 2, 1, 0), (1, 1, 1, 1, 0))
    7
    """
    import networkx as nx

    for move in moves:
        if move not in MOVES:
            raise ValueError(_("no move {move!r} of the market; there are {there}").format(
                move=move, there=", ".join(MOVES)))  # fmt: skip
    made: nx.DiGraph[Row] = nx.DiGraph()
    waiting = rows(zeros)
    if start is not None:
        start = items(start, "start", whole_number, "(4, 3, 2, 1, 0)")
        if tuple(start) not in waiting:
            message = _("{row}: a row is five numbers 0 to 4; where a 0 may lie says zeros= (SI-24)")
            raise ValueError(message.format(row=" ".join(map(str, start))))
        waiting = [tuple(start)]
    made.add_nodes_from(waiting)
    while waiting:
        row = waiting.pop()
        ways: dict[Row, list[str]] = defaultdict(list)
        for text, after in _after(row, _stay(zeros), moves):
            ways[after].append(text)
        for after, texts in ways.items():
            if after not in made:
                waiting.append(after)
            made.add_edge(row, after, moves=tuple(texts))
    return made


def absorbing(graph: nx.DiGraph[Row]) -> list[Row]:
    """Return the rows of a graph without a move to another row.

    >>> absorbing(market_graph()), absorbing(market_graph("stay")), absorbing(market_graph(moves=("bribe",)))
    ([(1, 1, 1, 1, 0)], [], [])
    """
    return [row for row in graph if all(after == row for after in graph.successors(row))]


@checked(sales=whole(0, 1_000_000))
def decay(sales: int = 40, zeros: str = "turn", start: Row = BEGIN) -> pd.DataFrame:
    """Return the expected demand after 0, 1, ... `sales` sales, each at a random place among those with demand.

    The result is exact, from the probabilities of all rows as fractions. Columns: ``place_1`` to ``place_5``, the
    expected demand of each place; ``all`` of them together; ``stuck``, the probability of a row that no sale leads out
    of. The index counts the sales.

    >>> decay(5).round(2).loc[5, ["all", "stuck"]].tolist()
    [7.58, 0.0]
    """
    import pandas as pd

    made = market_graph(zeros, start=start)
    number = {row: n for n, row in enumerate(made)}
    edges = [(number[a], number[b], len(made.edges[a, b]["moves"])) for a, b in made.edges]
    from_, to, ways = np.array(edges).T
    all_ways = np.zeros(len(made), int)
    np.add.at(all_ways, from_, ways)
    weights = (ways * (_SALES // all_ways[from_])).astype(object)
    demand = np.array([_market(row, _stay(zeros)).demands for row in made])  # good g is in place g
    stuck = [number[row] for row in absorbing(made)]
    chances = np.zeros(len(made), object)  # Python's whole numbers, as parts of all _SALES ** sale
    chances[number[items(start, "start", whole_number)]] = 1
    lines = []
    for sale in range(sales + 1):
        places = (chances @ demand).tolist()
        lines.append([part / _SALES**sale for part in (*places, sum(places), sum(chances[stuck]))])
        moved = chances[from_] * weights
        chances = np.zeros(len(made), object)
        np.add.at(chances, to, moved)
    columns = [f"place_{place + 1}" for place in range(len(GOODS))]
    return pd.DataFrame(lines, columns=[*columns, "all", "stuck"]).rename_axis("sales")


def _stay(zeros: str) -> bool:
    if zeros not in ("turn", "stay"):
        raise ValueError(_("zeros={zeros!r}: turn or stay are possible (SI-24)").format(zeros=plain(zeros)))
    return zeros == "stay"


def _market(row: Row, zeros_stay: bool) -> Market:
    """Return a market that shows this row, with the goods in their order."""
    return Market(tuple(range(len(GOODS))), tuple(turned(CYCLE, shown) for shown in row), zeros_stay)


def _after(row: Row, zeros_stay: bool, moves: Collection[str]) -> Iterator[tuple[str, Row]]:
    """Yield each move on a row, with the row it leads to."""
    market = _market(row, zeros_stay)
    if "sell" in moves:
        for good, demand in enumerate(market.demands):
            if demand:
                yield f"sell {good + 1}", market.sell(good).shown
    if "bribe" in moves:
        for a, b in market.neighbours():
            for up, down in ((a, b), (b, a)):
                yield f"bribe {up + 1} up {down + 1} down", market.bribe(up, down).shown
    if "audience" in moves:
        for good in range(len(GOODS)):
            for shown in range(not zeros_stay, HIGHEST + 1):
                yield f"audience {good + 1} shows {shown}", market.audience(good, turned(CYCLE, shown)).shown
