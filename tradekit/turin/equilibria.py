"""The auction in front of the players as a finite game (TU-51): mixed equilibria, and how far a bid is from best.

A place is worth to a player what the best award is that is left when earlier places have taken their own best, by
`worth` (TU-50). Who takes the earlier places is open when bids are made, so all others are taken to be there equally
often, in any order; `Tonight.places` says between which bounds the worth lies that way. For the first place, and so
with two players altogether, there is nothing to average. What it costs a player that another gets the cards is not
counted, nor are later auctions; an escudo counts as one. The goose is left out (TU-41, TU-42).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tradekit.auctions import finite
from tradekit.auctions.finite import Solution
from tradekit.i18n import _
from tradekit.turin import auction
from tradekit.turin.payment import LOAN, REPAID
from tradekit.turin.rules import State
from tradekit.turin.setting import Cards, Step, bits, numbers
from tradekit.turin.values import SAMPLES, Floats, Position, Table

if TYPE_CHECKING:
    import pandas as pd

_OPEN: Final = (Step.WINDOW, Step.CHOOSE, Step.BID, Step.ADD)
_EXACT_TIES: Final = 2  # players up to whom rebids are solved unless told otherwise

Worths = Mapping[tuple[int, Cards], float]  #: of each player and each award that can be taken


class Places(NamedTuple):
    """What places are worth, (players, places): on average over who takes the earlier ones, and at least and most."""

    mean: Floats
    low: Floats
    high: Floats


def awards_of(centre: Cards, prizes: Sequence[float]) -> list[Cards]:
    """Every award that may be taken of the centre."""
    sizes = sorted({int(prize) for prize in prizes})
    return [bits(cards) for size in sizes for cards in combinations(numbers(centre), size)]


def places(worths: Worths, centre: Cards, prizes: Sequence[float], players: int) -> Places:
    """What each place is worth to each player, if each takes the best award that is left.

    >>> worths = {(0, 1): 5.0, (0, 2): 4.0, (1, 1): 1.0, (1, 2): 3.0}
    >>> places(worths, 0b11, (1, 1), 2).mean       # p1 in the first place leaves card 1
    array([[5., 5.],
           [3., 3.]])
    """
    sizes = [int(prize) for prize in prizes]

    def best(player: int, left: Cards, size: int) -> Cards:
        there = [bits(cards) for cards in combinations(numbers(left), min(size, left.bit_count()))]
        return max(there, key=lambda cards: worths.get((player, cards), 0.0))

    def found(player: int, place: int) -> list[float]:
        others = [other for other in range(players) if other != player]
        values = []
        for order in permutations(others, place):
            left = centre
            for other, size in zip(order, sizes, strict=False):
                left ^= best(other, left, size)
            values.append(worths.get((player, best(player, left, sizes[place])), 0.0))
        return values

    table = [[found(player, place) for place in range(len(sizes))] for player in range(players)]
    how = (np.mean, np.min, np.max)
    return Places(*(np.array([[float(f(values)) for values in row] for row in table]) for f in how))


def tonight(
    position: Position,
    *,
    future: str | None = None,
    loans: bool = False,
    ties: str | None = None,
    samples: int = SAMPLES,
    target: float = 0.02,
    steps: int = 1500,
    seed: int = 0,
) -> Tonight:
    """The auction in front of the players as a finite game, solved (TU-51).

    Nobody can bid more than the reserve; with `loans`, who has none may bid 10 more, and a bid above the reserve costs
    the 5 that a loan does. `ties`: "rebid" solves every rebid that may come up first (TU-14), which takes a second
    or two with two players and half a minute with three; "coin" tosses a coin instead, quickly. None: "rebid" for two.
    While the tied bid again, it is their rebid that is solved, and bids are totals.

    `future`, `samples`: as in `worth`. Of a `View` only what its player may know is used. The search for an equilibrium
    starts from `seed` and ends when nobody gains more than `target` escudos on average by deviating, or after so many
    `steps`. Raises `ValueError` where no cards are up for auction.

    >>> from tradekit import turin
    >>> state = turin.State.parse("turin players=2 deck=house step=bid auction=4 hands=1,2 centre=3.4 won=5.6,7.8 "
    ...     "rest=9.10.11.12.13.14.15.16.17.18 reserve=[15,15] commits=[-1,-1] bank=-30")
    >>> night = tonight(state)
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
) -> Tonight:
    """`tonight` for awards that are worth so much to each player."""
    state = table.state
    if state.step not in _OPEN or not state.centre:
        raise ValueError(_("no cards are up for auction here: it is solved once they are shown (TU-10, TU-11)"))
    if ties not in (None, "rebid", "coin"):
        raise ValueError(_("ties={ties!r}: 'rebid' or 'coin' is needed (TU-14)").format(ties=ties))
    format = state.setting.format(state.auction)
    worth = places(worths, state.centre, format.prizes, len(table.players))
    who, first, least = tuple(table.players), 0, 0
    if tied := state.step is Step.ADD:
        block = next(block for block in state.blocks() if block.who == auction.tie(state.blocks()))
        who, first = block.who, block.place
        least = max(state.bids[player] for player in who)
    exact = "rebid" if len(who) <= _EXACT_TIES else "coin"
    format = replace(format, prizes=format.prizes[first : first + len(who)], ties=ties or exact, step=1)
    stakes = worth.mean[list(who), first : first + format.places]
    spare = [least - state.bids[player] if tied else 0 for player in who]  # the underdog's bid counts one more
    have = [state.reserve[player] + more for player, more in zip(who, spare, strict=True)]
    most = [n + LOAN * (loans and not state.loans[player]) for n, player in zip(have, who, strict=True)]
    # A first bid above what is to be won never pays; but half of it is lost anyway once the bidder is tied.
    end = max(least + 1, min(max(most), int(1.5 * stakes.max()) + 1))

    def interest(row: int, bid: float) -> float:
        return (REPAID - LOAN) * (bid > have[row])

    solution = finite.solve_known(
        format, stakes.tolist(), range(least, end + 1), budgets=most, extra=interest, tied=tied,
        target=target, steps=steps, seed=seed,
    )  # fmt: skip
    return Tonight(state, worth, who, tuple(most), solution)


def _all_worths(table: Table) -> Worths:
    sets = awards_of(table.state.centre, table.setting.format(table.state.auction).prizes)
    return {
        (player, cards): float(value)
        for player in table.players
        for cards, value in zip(sets, table.worth(player, sets), strict=True)
    }


@dataclass(frozen=True, eq=False, repr=False)
class Tonight:
    """An auction solved: made by `tonight`. Every strategy comes with the most that could be gained by deviating.

    The two cards are worth 15 to player 0 and 7 to player 1, who gives up most of the time, earns nothing by fighting,
    and would lose 0.7 escudos by a bid of 2 (notebook 12):

    >>> from tradekit import exercises, turin
    >>> night = tonight(turin.State.parse(exercises.DUEL), ties="coin")
    >>> chances, earns = night.chances(1), night.earns(1)
    >>> chances[0] + chances[1] > 0.5, round(abs(earns[3]), 1), round(night.how_far(1, 2), 1)
    (True, 0.0, 0.7)
    """

    state: State
    worth: Places
    who: tuple[int, ...]  #: the players who bid
    most: tuple[int, ...]  #: the highest bid of each of them
    solution: Solution

    @property
    def gain(self) -> float:
        """The most that any player gains by deviating alone, in escudos."""
        return self.solution.gain

    @property
    def places(self) -> pd.DataFrame:
        """What each place is worth to each player: ``player, place`` (from 1), ``cards, worth, low, high``.

        ``low`` and ``high``: by who takes the earlier places; ``worth`` is the mean, with which the game is solved.
        """
        import pandas as pd

        prizes = self.state.setting.format(self.state.auction).prizes
        rows = [
            (player, place + 1, int(cards), *(float(part[player, place]) for part in self.worth))
            for player in range(self.state.players)
            for place, cards in enumerate(prizes)
        ]
        return pd.DataFrame(rows, columns=["player", "place", "cards", "worth", "low", "high"])

    @property
    def strategy(self) -> pd.DataFrame:
        """Mixed strategies: ``player, bid, probability, payoff``, a row for each bid that a player may make.

        ``payoff``: what the bid earns against the others' strategies, in escudos.
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
        """A row a player: ``player, most`` (that it may bid), ``payoff, gain`` (the most by deviating alone),
        ``mean_bid`` and ``bids``, those made.
        """
        import pandas as pd

        support = self.solution.support(0.005)
        columns = {name: support[name].tolist() for name in ("payoff", "gain", "mean_bid", "bids")}
        return pd.DataFrame({"player": self.who, "most": self.most, **columns})

    def chances(self, player: int) -> dict[int, float]:
        """A player's mixed strategy: the chance of each bid that is made."""
        row = self._row(player)
        chances = zip(self.solution.game.bids.tolist(), self.solution.strategy[row].tolist(), strict=True)
        return {int(bid): chance for bid, chance in chances if chance > 0}

    def earns(self, player: int) -> dict[int, float]:
        """What each bid of a player earns against the others' strategies."""
        row, game = self._row(player), self.solution.game
        payoffs = zip(game.bids.tolist(), game.payoffs(self.solution.strategy)[row].tolist(), strict=True)
        return {int(bid): payoff for bid, payoff in payoffs if bid <= self.most[row]}

    def how_far(self, player: int, bid: int) -> float:
        """What a bid loses against the best one, when the others play their strategies; 0 for a best reply.

        Raises `ValueError` for a bid that the player cannot make.
        """
        row, earns = self._row(player), self.earns(player)
        low = min(earns)
        if not low <= bid <= self.most[row]:
            raise ValueError(
                _("p{player} may bid {low} to {most}, not {bid} (TU-11)").format(
                    player=player, low=low, most=self.most[row], bid=bid
                )
            )
        best = max(earns.values())
        if bid in earns:
            return best - earns[bid]
        top = max(earns)  # nobody bids more than that: a higher bid wins no more, and costs more
        return best - (self._sure(row) - bid) if top < bid else 0.0

    def _sure(self, row: int) -> float:
        """What the best place in the game is worth."""
        game = self.solution.game
        return float(game.values[row] * game.terms[row].units[0, 0, -1])

    def _row(self, player: int) -> int:
        if player not in self.who:
            raise ValueError(
                _("p{player} does not bid here; {who} do (TU-14)").format(
                    player=player, who=", ".join(f"p{other}" for other in self.who)
                )
            )
        return self.who.index(player)

    def __repr__(self) -> str:
        return f"<Tonight: {self.solution}>"

    def _repr_html_(self) -> str:
        from tradekit.theme import page

        said = str(self.solution)
        return page(f"<p>{said}</p>", self.payoffs.round(3).to_html(index=False))
