"""The exchange: up to ten equations, and their whole analysis (BZ-3).

This is the interface of the analysis; each question has its module: `chains`, `policy`, `race`, `solo`, `prices`. The
analysis assumes a full bank (BZ-2), which matters only if 17 or more stones of a colour are in hands, and the default
rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from tradekit._utils.arguments import checked, whole_numbers
from tradekit.bazar import chains, die_frontier, policy, prices, race, render
from tradekit.bazar.chains import Chain, LeftOver
from tradekit.bazar.deck import Deck
from tradekit.bazar.die_frontier import Corner
from tradekit.bazar.hands import N_ALL, Moves, N, holding, index
from tradekit.bazar.policy import Goal, Policy
from tradekit.bazar.prices import Arbitrage, Prices
from tradekit.bazar.race import Race
from tradekit.bazar.stones import COLOURS, LIMIT, Equation, Stones, StonesLike, Ware, WareLike, parse_exchange
from tradekit.i18n import _

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from tradekit.bazar.rules import State

_KEPT: Final = 16  # frontiers of a ware against the die; an exact one may have two hundred policies, 5 MB


@dataclass(frozen=True, slots=True)
class Trade:
    """A trade open to a hand: `equation` read from left to right, and the hand it makes."""

    equation: Equation
    after: Stones

    @property
    def must_buy(self) -> bool:
        """True if it passes ten stones, so that it is legal only if the same turn buys (BZ-14)."""
        return len(self.after) > LIMIT

    def __str__(self) -> str:
        return str(self.equation)


class Exchange:
    """One to ten equations, distinct up to direction (BZ-3), in the order given.

    >>> exchange = Exchange("R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY")
    >>> print(exchange.chain("RR", "RWBGY", left=0))
    R=WBGY, buy RWBGY
    >>> round(exchange.solve("RWBGY").turns("RR"), 3)
    1.0

    Faulty text raises `ParseError` with the fault and, in several lines, the line. Every method raises `ValueError` for
    a hand above ten stones (BZ-14).
    """

    def __init__(self, equations: str | Equation | Exchange | Iterable[Equation | str]) -> None:
        self.equations: tuple[Equation, ...] = parse_exchange(equations)
        self._policies: dict[Goal, Policy] = {}
        self._corners: dict[tuple[int, Goal, float], tuple[Corner, ...]] = {}  # of `outlook`, the latest
        self._races: WeakValueDictionary[Stones, Race] = WeakValueDictionary()  # 72 MB each: kept while in use

    @classmethod
    @checked
    def of_cards(cls, *numbers: int | Iterable[int], deck: Deck | None = None) -> Exchange:
        """Return the exchange of these cards of `deck`, by default the house deck.

        Raises `ValueError` for an unknown number.

        >>> len(Exchange.of_cards(1, 4).equations)
        10
        """
        cards = [card for given in numbers for card in whole_numbers(given, "card")]
        return cls((deck or Deck.house()).exchange(cards))

    @classmethod
    @checked
    def of(cls, state: State) -> Exchange:
        """Return the exchange in force in a state of the game.

        Raises `ValueError` before the cards are drawn, and under an option that the analysis does not cover.

        >>> from tradekit import bazar
        >>> Exchange.of(bazar.new(cards=(1, 4))) == Exchange.of_cards(1, 4)
        True
        """
        if not state.equations:
            raise ValueError(_("the exchange cards are still to be drawn (BZ-7)"))
        for option in ("over_ten", "double", "max_left", "points"):
            if getattr(state.rules, option) != getattr(type(state.rules)(), option):
                raise ValueError(_("the analysis knows the default rules alone, not {option}=").format(option=option))
        return cls(state.equations)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Exchange) and self.equations == other.equations

    def __hash__(self) -> int:
        return hash(self.equations)

    def __reduce__(self) -> tuple[type[Exchange], tuple[str]]:
        return Exchange, (str(self),)  # solutions are not copied

    def __str__(self) -> str:
        return " ".join(map(str, self.equations))

    def __repr__(self) -> str:
        return f"Exchange({str(self)!r})"

    def _repr_html_(self) -> str:
        return render.page(render.exchange(self.equations))

    @cached_property
    def moves(self) -> Moves:
        """Trades as arrays over the 3,003 hands."""
        return Moves(self.equations)

    # The trade graph

    def trades(self, have: StonesLike) -> list[Trade]:
        """Return the trades open to a hand, equation by equation, each first from left to right (BZ-10).

        >>> [(str(trade), str(trade.after)) for trade in Exchange("R=WW W=BG").trades("RW")]
        [('R=WW', 'WWW'), ('W=BG', 'RBG')]
        """
        after = self.moves.after[:, index(have)].tolist()
        return [Trade(trade, holding(e)) for trade, e in zip(self.moves.trades, after, strict=True) if e < N_ALL]

    def graph(self) -> nx.DiGraph[Stones]:
        """Build the trade graph as a plain `networkx.DiGraph` (BZ-40).

        Nodes are the 3,003 hands as `Stones`; an edge is one trade, within ten stones, with the attributes
        ``equation`` (the equation read in the direction of the trade) and ``number`` (its place among `equations`,
        from 0).

        >>> import networkx as nx
        >>> nx.shortest_path_length(Exchange("R=WW W=BG").graph(), Stones("R"), Stones("BBGG"))
        3
        """
        import networkx as nx

        graph: nx.DiGraph[Stones] = nx.DiGraph()
        graph.add_nodes_from(map(holding, range(N)))
        for number, (trade, after) in enumerate(zip(self.moves.trades, self.moves.after, strict=True)):
            for before in np.flatnonzero(after < N).tolist():
                graph.add_edge(holding(before), holding(int(after[before])), equation=trade, number=number // 2)
        return graph

    @checked
    def to_graphml(self, path: str | PathLike[str]) -> None:
        """Write the trade graph as GraphML for other programs, with hands and equations as text (BZ-40).

        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Exchange("RRRR=WWWW").to_graphml(file := Path(folder) / "trades.graphml")
        ...     file.read_text().count("<edge")  # 462 holdings with RRRR: a trade each, and back
        924
        """
        import networkx as nx

        graph = nx.relabel_nodes(self.graph(), str)
        for _before, _after, edge in graph.edges(data=True):
            edge["equation"] = str(edge["equation"])
        nx.write_graphml(graph, path)

    def picture(self) -> nx.DiGraph[str]:
        """Build the small bipartite graph of colours and equations, with an arrow for each colour on a side.

        Nodes are the colours and the equations' texts, with ``bipartite`` 0 and 1. A colour points to each equation
        with it on the left, an equation to the colours on its right; ``stones`` is their number.

        >>> sorted(Exchange("R=WW").picture().edges(data="stones"))
        [('R', 'R=WW', 1), ('R=WW', 'W', 2)]
        """
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(COLOURS, bipartite=0)
        for equation in self.equations:
            graph.add_node(str(equation), bipartite=1)
            for colour, left, right in zip(COLOURS, equation.left.counts, equation.right.counts, strict=True):
                if left:
                    graph.add_edge(colour, str(equation), stones=left)
                if right:
                    graph.add_edge(str(equation), colour, stones=right)
        return graph

    # Chains

    def chain(self, have: StonesLike, ware: WareLike, left: LeftOver = None) -> Chain | None:
        """Find a shortest chain of trades from a hand to the purchase of a ware; None if no chain exists (BZ-41).

        `left`: the stones left over after paying, as a number, a collection such as ``range(3, 9)``, or None for any
        number. If there are several chains, it is the first of `chains`.

        >>> Exchange("R=WW W=BG").chain("RR", "YYBBG") is None
        True
        """
        return next(self.chains(have, ware, left), None)

    def chains(self, have: StonesLike, ware: WareLike, left: LeftOver = None) -> Iterator[Chain]:
        """Yield all shortest chains, lazily.

        Order: fewest stones left first, then by the trades, turn by turn, in the order of the exchange, where an
        equation comes before its reverse.

        >>> [str(chain) for chain in Exchange("R=WW W=BG").chains("RRR", "RWWBG")]
        ['R=WW, R=WW, W=BG, buy RWWBG', 'R=WW, W=BG, R=WW, buy RWWBG']
        """
        return chains.shortest(self.moves, have, ware, left)

    def turns(self, ware: WareLike, left: LeftOver = None) -> npt.NDArray[np.int16]:
        """Return the fewest turns to the purchase with only trades, from all hands at once; -1 without a chain.

        Shape (3003,), in the order of `tradekit.bazar.hands`.

        >>> from tradekit.bazar.hands import index
        >>> Exchange("R=WW W=BG").turns("RWWBG")[[index("RRR"), index("YY")]].tolist()
        [3, -1]
        """
        return chains.turns(self.moves, Ware(ware), left)

    def proof(self, have: StonesLike, ware: WareLike, left: LeftOver = None) -> pd.DataFrame:
        """Prove that no chain is shorter: return a complete search, one row per turn.

        ``holdings``: the number of hands first reached before that turn's trade; ``buying``: the number of these from
        which it buys. The last row buys, the rows before do not; or no row does, and there is no chain.

        >>> Exchange("R=WW W=BG").proof("RRR", "RWWBG")
              holdings  buying
        turn
        1            1       0
        2            1       0
        3            2       2
        """
        return chains.levels(self.moves, have, ware, left)

    @checked
    def frontier(self, have: StonesLike, wares: Sequence[WareLike], empty_stalls: int = 0) -> pd.DataFrame:
        """Return every Pareto-best pair of turns and points for one purchase with only trades, fastest first (BZ-42).

        Columns: ``ware, turns, left, points, chain``. Raises `ValueError` for `empty_stalls` other than 0 and 1
        (BZ-16). Two wares that reach the same pair are both listed.

        >>> exchange = Exchange.of_cards(1, 4)
        >>> exchange.frontier("RR", ["RWBGY", "GGGGG*"])[["ware", "turns", "left", "points"]]
             ware  turns  left  points
        0   RWBGY      1     0       5
        1  GGGGG*      9     0       8
        """
        return chains.frontier(self.moves, have, wares, empty_stalls)

    def options(self, have: StonesLike, ware: WareLike, left: LeftOver = None) -> pd.DataFrame:
        """Return every trade open to a hand as the first step, best first, with its cost in turns.

        Columns: ``action``; ``after`` (the hand it makes); ``buys`` (True if it ends the chain); ``turns`` of the
        shortest chain that begins with it, infinite if there is none; ``costs``: the number of turns above the best.
        For play against the die see `Policy.options`.

        >>> Exchange.of_cards(1, 4).options("RR", "RWBGY", left=0)
           action  after   buys  turns  costs
        0  R=WBGY  RWBGY   True    1.0    0.0
        1    R=WW    RWW  False    3.0    2.0
        2    R=GG    RGG  False    3.0    2.0
        """
        return chains.options(self.moves, have, ware, left)

    def distances(self) -> npt.NDArray[np.int16]:
        """Return the fewest trades between any two hands within ten stones: (3003, 3003), -1 without a way.

        Rows and columns are in the order of `tradekit.bazar.hands`. The table is symmetric because a trade can be taken
        back.

        >>> from tradekit.bazar.hands import index
        >>> Exchange("R=WW W=BG").distances()[index("R"), [index("BBGG"), index("YY")]].tolist()
        [3, -1]
        """
        return chains.distances(self.moves)

    # Against the die

    @checked
    def solve(self, ware: WareLike, left: LeftOver = None, cost: float | None = None, empty_stalls: int = 0) -> Policy:
        """Find the policy with the fewest expected turns to the purchase, for all hands at once (BZ-43).

        With `cost` it maximises expected points minus `cost` per turn instead. Solved policies are kept. Raises
        `ValueError` for a cost below 0.001, for `left` below 0, and for `empty_stalls` other than 0 and 1.

        >>> policy = Exchange("R=WW W=BG").solve("RWBGY")
        >>> policy.best("RRWY"), round(policy.turns("RRWY"), 3)
        ('R=WW', 2.0)
        """
        return self.solve_all([Goal.of(ware, left, cost, empty_stalls)])[0]

    @checked
    def solve_all(self, goals: Iterable[Goal | WareLike]) -> list[Policy]:
        """Solve the policies of many goals in one call, side by side: much faster than one by one.

        A goal is a `Goal` (see `Goal.of`) or a ware, with any number left. Policies come in the order of the goals.

        >>> goals = ["RRRWW", "RRRRR", Goal.of("RRRRR", left=0)]
        >>> [round(policy.turns("RRRR"), 3) for policy in Exchange("R=WW").solve_all(goals)]
        [1.0, 2.778, 10.056]
        """
        wanted = [goal if isinstance(goal, Goal) else Goal.of(goal) for goal in goals]
        missing = [goal for goal in dict.fromkeys(wanted) if goal not in self._policies]
        if missing:
            self._policies.update(zip(missing, policy.solve(self.moves, missing), strict=True))
        return [self._policies[goal] for goal in wanted]

    @checked
    def outlook(
        self,
        have: StonesLike,
        wares: Sequence[WareLike],
        empty_stalls: int = 0,
        left: LeftOver = None,
        *,
        within: float = 0.0,
    ) -> pd.DataFrame:
        """Find the frontier against the die: the best policies of all costs per turn, by turns and points (BZ-43).

        For each ware these are the corners of the upper hull of expected turns and expected points: a mixture of them
        is as good as any policy. Costs below 0.001 are not searched, as `solve` refuses them.

        Parameters: `empty_stalls` is 0 or 1 (BZ-16); `left` is the number of stones left over, as in `chain`;
        `within` leaves corners out as long as no policy lies further above the line than that, in points, or further
        to its left, in turns. The default, 0, is exact; there can be more than a hundred corners.

        Returns a row per corner, the fastest first. ``left`` (text): the fewest and most stones that can be left over;
        ``turns`` and ``points``: their expectations; ``best``: True if no mixture of the others, of all wares, is as
        good; ``low`` and ``high``: the range of costs per turn where it is best; ``policy``: the `Policy` to follow.

        >>> frontier = Exchange("R=WW").outlook("RRRR", ["RRRRR"])
        >>> frontier.loc[[0, 7], ["left", "turns", "points", "low", "high"]].round(3)
             left   turns  points  low   high
        0  0 to 8   2.778   3.104  2.0    inf
        7       0  10.056   5.000  0.0  0.133
        >>> frontier.loc[0, "policy"].best("RRRR")
        'roll'
        """
        die_frontier.check_within(within)
        goals = [Goal.of(ware, left, None, empty_stalls) for ware in dict.fromkeys(map(Ware, wares))]
        asked = [(index(have), goal, within) for goal in goals]
        missing = [key for key in asked if key not in self._corners]
        solved = die_frontier.corners(self, have, [goal for _have, goal, _within in missing], within)
        known = {**self._corners, **dict(zip(missing, solved, strict=True))}
        self._corners = dict([*known.items()][-_KEPT:])
        hulls = [known[key] for key in asked]
        return die_frontier.frame(hulls)

    # The last ware against another

    @checked
    def race(self, ware: WareLike, cache: bool = True, progress: bool | None = None) -> Race:
        """Solve the race of two players for one last ware exactly, for all pairs of hands (BZ-45).

        A solved race is kept in `bazar.cache()` (72 MB) and comes from there the next time; not with ``cache=False``.
        `progress` shows a bar, by default if it takes more than a second.

        >>> exchange = Exchange("R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY")
        >>> race = exchange.race("RWBGY", cache=False)
        >>> race.win("RWGYY", "RRRWWWWWWW") == race.lose("RBBBBBBBBB", "RWGGYYY"), race.best("RR", "GG")
        (True, 'R=WBGY')
        """
        stones = Ware(ware).stones
        found = self._races.get(stones)
        if found is None:
            found = self._races[stones] = race.of(self.moves, self.equations, ware, cache, progress)
        return found

    # Prices

    def prices(self) -> Prices | Arbitrage:
        """Find positive prices at which every equation balances, or a gaining loop that rules them out (BZ-46).

        >>> print(Exchange("R=WW W=BG B=G").prices())
        R=4 W=2 B=1 G=1 Y=1
        """
        return prices.of(self.equations)
