"""The present auction as a finite game: mixed equilibria, and the loss of a bid against the best one (TU-51).

The worth of a place to a player is the `worth` (TU-50) of the best lot left after earlier places have taken their best.
The players of the earlier places are open when bids are made, so all others take them equally often, in any order;
`AuctionSolution.places` has the lower and upper bounds of the worth. For the first place, and so in every two-player
game, there is nothing to average. When tied players bid again, the places above the tie are settled (TU-18), and only
the others in the tie can come before a player. The cost to a player of another player's cards is not counted, nor are
later auctions; an escudo counts as one. The goose is left out (TU-41, TU-42).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product, takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from markupsafe import Markup

from tradekit._utils.arguments import between, checked, whole
from tradekit._utils.ties import best as best_of
from tradekit._utils.ties import settled
from tradekit.auctions import whole_bids
from tradekit.auctions.formats import Kind
from tradekit.auctions.whole_bids import Solution
from tradekit.i18n import _
from tradekit.show.html import element
from tradekit.turin import auction
from tradekit.turin.goose import NOBODY
from tradekit.turin.parameters import Cards, Step, bits, numbers
from tradekit.turin.payment import LOAN, REPAID
from tradekit.turin.rules import State
from tradekit.turin.values import SAMPLES, Floats, Position, Table

if TYPE_CHECKING:
    import pandas as pd

_OPEN: Final = (Step.WINDOW, Step.CHOOSE, Step.BID, Step.ADD)
_EXACT_TIES: Final = 2  # most players for whom rebids are solved by default

Worths = Mapping[tuple[int, Cards], float]  #: worth by player and lot, in escudos


class Places(NamedTuple):
    """Worth of places, (bidders, places): the mean, least and most over the players of the earlier places."""

    mean: Floats
    low: Floats
    high: Floats


def awards_of(centre: Cards, prizes: Sequence[float]) -> list[Cards]:
    """List every lot that can be taken from the centre."""
    sizes = sorted({int(prize) for prize in prizes})
    return [bits(cards) for size in sizes for cards in combinations(numbers(centre), size)]


def places(
    worths: Worths, centre: Cards, prizes: Sequence[float], who: Sequence[int], above: Sequence[int] = ()
) -> Places:
    """Return the worth of each place to each of its bidders, if each takes the best lot left.

    `above`: the players sure of the first places, `NOBODY` for a void place, whose lot can be any cards, discarded
    (TU-16). The bids are for the places after them.

    >>> worths = {(0, 1): 5.0, (0, 2): 4.0, (1, 1): 1.0, (1, 2): 3.0}
    >>> places(worths, 0b11, (1, 1), (0, 1)).mean       # p1 in the first place leaves card 1
    array([[5., 5.],
           [3., 3.]])
    >>> places(worths, 0b11, (1, 1), (1,), above=(0,)).mean
    array([[3.]])
    """
    sizes, first = [int(prize) for prize in prizes], len(above)

    def awards(left: Cards, size: int) -> list[Cards]:
        return [bits(cards) for cards in combinations(numbers(left), min(size, left.bit_count()))]

    def best(player: int, left: Cards, size: int) -> Cards:
        return best_of(awards(left, size), key=lambda cards: worths.get((player, cards), 0.0))

    def found(player: int, place: int) -> list[float]:
        others = [other for other in who if other != player]
        values = []
        for start, order in product(starts, permutations(others, place)):
            left = start
            for other, size in zip(order, sizes[first:], strict=False):
                left ^= best(other, left, size)
            values.append(worths.get((player, best(player, left, sizes[first + place])), 0.0))
        return values

    starts = [centre]
    for player, size in zip(above, sizes, strict=False):
        starts = [
            left ^ cards
            for left in starts
            for cards in (awards(left, size) if player == NOBODY else [best(player, left, size)])
        ]
    table = [[found(player, place) for place in range(min(len(who), len(sizes) - first))] for player in who]
    how = (np.mean, np.min, np.max)
    return Places(*(np.array([[float(f(values)) for values in row] for row in table]) for f in how))


@checked(samples=whole(2, 1_000_000), target=between(0), steps=whole(1))
def solve_auction(
    position: Position,
    *,
    future: str | None = None,
    loans: bool = False,
    ties: str | None = None,
    samples: int = SAMPLES,
    target: float = 0.02,
    steps: int = 1500,
    seed: int = 0,
) -> AuctionSolution:
    """Solve the present auction as a finite game (TU-51).

    Nobody can bid more than their escudos. With `loans`, a player without a loan can bid 10 more, and a bid above their
    escudos costs the 5 that a loan does. `ties`: "rebid" first solves every rebid that can come up (TU-14), which takes
    a second or two with two players and half a minute with three; "coin" tosses a coin instead, quickly. None means
    "rebid" for two players. While tied players bid again, their rebid is solved, for the places of the tie, and bids
    are totals.

    `future`, `samples`: as in `worth`. With a `View`, only its player's knowledge is used. The search for an
    equilibrium starts from `seed` and ends when nobody gains more than `target` escudos on average by deviating, or
    after `steps` steps. Raises `ValueError` if no cards are up for auction.

    >>> from tradekit import turin
    >>> state = turin.State.parse("turin players=2 deck=house step=bid auction=4 hands=1,2 centre=3.4 won=5.6,7.8 "
    ...     "rest=9.10.11.12.13.14.15.16.17.18 reserve=[15,15] commits=[-1,-1] bank=-30")
    >>> night = solve_auction(state)
    >>> night.places["worth"].tolist(), night.gain < 0.05
    ([6.0, 4.0], True)
    """
    table = Table(position, future, samples, seed)
    return solved(table, _all_worths(table), loans=loans, ties=ties, target=target, steps=steps, seed=seed)


def solved(
    table: Table,
    worths: Worths,
    *,
    loans: bool = False,
    ties: str | None = None,
    target: float = 0.02,
    steps: int = 1500,
    seed: int = 0,
) -> AuctionSolution:
    """Solve the auction as `solve_auction` does, for lots with this worth to each player."""
    state = table.state
    if state.step not in _OPEN or not state.centre:
        raise ValueError(_("no cards are up for auction here: it is solved once they are shown (TU-10, TU-11)"))
    if ties not in (None, "rebid", "coin"):
        raise ValueError(_("ties={ties!r}: 'rebid' or 'coin' is needed (TU-14)").format(ties=ties))
    format = state.parameters.format(state.auction)
    who, above, least = tuple(table.players), _above(state), 0
    if tied := state.step is Step.ADD:
        who = auction.tie(state.blocks())
        least = max(state.bids[player] for player in who)
    worth = places(worths, state.centre, format.prizes, who, above)
    exact = "rebid" if len(who) <= _EXACT_TIES else "coin"
    prizes = format.prizes[len(above) : len(above) + len(who)]
    format = replace(format, prizes=prizes, ties=ties or exact, step=1)
    spare = [least - state.bids[player] if tied else 0 for player in who]  # the underdog's bid counts one more
    have = [state.reserve[player] + more for player, more in zip(who, spare, strict=True)]
    most = [n + LOAN * (loans and not state.loans[player]) for n, player in zip(have, who, strict=True)]
    # A first bid above the highest prize never pays; but half of it is lost anyway once the bidder is tied.
    end = max(least + 1, min(max(most), int(settled(1.5 * float(worth.mean.max()))) + 1))
    solution = whole_bids.solve_known(
        format, worth.mean.tolist(), range(least, end + 1), budgets=most,
        extra=lambda row, bid: _interest(bid, have[row]), tied=tied, target=target, steps=steps, seed=seed,
    )  # fmt: skip
    return AuctionSolution(state, worth, who, tuple(have), tuple(most), solution)


def _above(state: State) -> list[int]:
    """Return the players of the settled places above those bid for (TU-18); `NOBODY` for a void place (TU-16)."""
    above: list[int] = []
    if state.step is Step.ADD:
        tied = auction.tie(state.blocks())
        for block in takewhile(lambda block: block.who != tied, state.blocks()):
            above += block.who if block.kind is Kind.PLACED else [NOBODY] * len(block.who)
    return above


def _interest(bid: float, have: int) -> float:
    """Return the extra cost of a bid that needs the loan (TU-30)."""
    return (REPAID - LOAN) * (bid > have)


def _all_worths(table: Table) -> Worths:
    sets = awards_of(table.state.centre, table.parameters.format(table.state.auction).prizes)
    return {
        (player, cards): float(value)
        for player in table.players
        for cards, value in zip(sets, table.worth(player, sets), strict=True)
    }


@dataclass(frozen=True, eq=False, repr=False)
class AuctionSolution:
    """Solution of an auction, made by `solve_auction`. Each strategy comes with the highest gain from deviating.

    The two cards are worth 15 to player 0 and 7 to player 1. Player 1 gives up most of the time, earns nothing by
    fighting, and would lose 0.7 escudos by a bid of 2 (notebook 12):

    >>> from tradekit import exercises, turin
    >>> night = solve_auction(turin.State.parse(exercises.DUEL), ties="coin")
    >>> chances, earns = night.chances(1), night.earns(1)
    >>> chances[0] + chances[1] > 0.5, round(abs(earns[3]), 1), round(night.how_far(1, 2), 1)
    (True, 0.0, 0.7)
    """

    state: State
    worth: Places  #: worth for the bidders of the places that they bid for
    who: tuple[int, ...]  #: players who bid
    have: tuple[int, ...]  #: highest bid of each bidder without a loan
    most: tuple[int, ...]  #: highest bid of each bidder
    solution: Solution

    @property
    def gain(self) -> float:
        """Highest gain of any one player from deviating, in escudos."""
        return self.solution.gain

    @property
    def places(self) -> pd.DataFrame:
        """Worth of each place to each player: ``player, place`` (from 1), ``cards, worth, low, high``.

        ``low`` and ``high`` are the bounds over the players of the earlier places; ``worth`` is the mean, used to solve
        the game. While tied players bid again, only they and the places of their tie are listed.
        """
        import pandas as pd

        first = len(_above(self.state))
        rows = [
            (player, first + place + 1, int(cards), *(float(part[row, place]) for part in self.worth))
            for row, player in enumerate(self.who)
            for place, cards in enumerate(self.solution.game.format.prizes)
        ]
        return pd.DataFrame(rows, columns=["player", "place", "cards", "worth", "low", "high"])

    @property
    def strategy(self) -> pd.DataFrame:
        """Mixed strategies: ``player, bid, probability, payoff``, one row per bid that a player can make.

        ``payoff``: expected escudos of the bid against the others' strategies.
        """
        import pandas as pd

        game, strategy = self.solution.game, self.solution.strategy
        payoffs = game.payoffs(strategy)
        rows = [
            (player, int(bid), float(strategy[row, place]), float(payoffs[row, place]))
            for row, player in enumerate(self.who)
            for place, bid in enumerate(game.bids)
            if game.allowed[row, place]
        ]
        return pd.DataFrame(rows, columns=["player", "bid", "probability", "payoff"])

    @property
    def payoffs(self) -> pd.DataFrame:
        """Payoffs, one row per player: ``player, most, payoff, gain, mean_bid, bids``.

        ``most`` is the player's highest possible bid, ``gain`` the highest gain from deviating, and ``bids`` the bids
        made.
        """
        import pandas as pd

        support = self.solution.support(0.005)
        columns = {name: support[name].tolist() for name in ("payoff", "gain", "mean_bid", "bids")}
        return pd.DataFrame({"player": self.who, "most": self.most, **columns})

    @checked
    def chances(self, player: int) -> dict[int, float]:
        """Return a player's mixed strategy: the probability of each bid made."""
        row = self._row(player)
        chances = zip(self.solution.game.bids.tolist(), self.solution.strategy[row].tolist(), strict=True)
        return {int(bid): chance for bid, chance in chances if chance > 0}

    @checked
    def earns(self, player: int) -> dict[int, float]:
        """Return the expected escudos of each bid of a player against the others' strategies."""
        row, game = self._row(player), self.solution.game
        payoffs = zip(game.bids.tolist(), game.payoffs(self.solution.strategy)[row].tolist(), strict=True)
        return {int(bid): payoff for bid, payoff in payoffs if bid <= self.most[row]}

    @checked
    def how_far(self, player: int, bid: int) -> float:
        """Return the loss of a bid against the best response to the others' strategies; 0 for a best response.

        Raises `ValueError` for a bid that the player cannot make.
        """
        row, earns = self._row(player), self.earns(player)
        low = min(earns)
        if not low <= bid <= self.most[row]:
            message = _("p{player} may bid {low} to {most}, not {bid} (TU-11)")
            raise ValueError(message.format(player=player, low=low, most=self.most[row], bid=bid))
        # Nobody bids more than the bids of the game: a higher one wins the first place for sure.
        earned = earns[bid] if bid in earns else self._sure(row) - bid - _interest(bid, self.have[row])
        return max(earns.values()) - earned

    def _sure(self, row: int) -> float:
        """Return the worth of the best place in the game."""
        game = self.solution.game
        return float(game.values[row] * game.terms[row].units[0, 0, -1])

    def _row(self, player: int) -> int:
        if player not in self.who:
            message = _("p{player} does not bid here; {who} do (TU-14)")
            raise ValueError(message.format(player=player, who=", ".join(f"p{other}" for other in self.who)))
        return self.who.index(player)

    def __repr__(self) -> str:
        return f"<AuctionSolution: {self.solution}>"

    def _repr_html_(self) -> str:
        from tradekit.show.cell import page

        said = str(self.solution)
        return page(element("p", said), Markup(self.payoffs.round(3).to_html(index=False)))
