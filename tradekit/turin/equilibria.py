"""The auction in front of the players as a finite game (TU-51): mixed equilibria, and how far a bid is from best.

A place is worth to a player what the best award is that is left when earlier places have taken their own best, by
`worth` (TU-50). Who takes the earlier places is open when bids are made, so all others are taken to be there equally
often, in any order; `Tonight.places` says between which bounds the worth lies that way. For the first place, and so
with two players altogether, there is nothing to average. When the tied bid again, who has the places above the tie is
settled (TU-18), and only the others of the tie can be before one. What it costs a player that another gets the cards is
not counted, nor are later auctions; an escudo counts as one. The goose is left out (TU-41, TU-42).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product, takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tradekit._utils.arguments import between, checked, whole
from tradekit._utils.ties import best as best_of
from tradekit._utils.ties import settled
from tradekit.auctions import whole_bids
from tradekit.auctions.formats import Kind
from tradekit.auctions.whole_bids import Solution
from tradekit.i18n import _
from tradekit.turin import auction
from tradekit.turin.goose import NOBODY
from tradekit.turin.parameters import Cards, Step, bits, numbers
from tradekit.turin.payment import LOAN, REPAID
from tradekit.turin.rules import State
from tradekit.turin.values import SAMPLES, Floats, Position, Table

if TYPE_CHECKING:
    import pandas as pd

_OPEN: Final = (Step.WINDOW, Step.CHOOSE, Step.BID, Step.ADD)
_EXACT_TIES: Final = 2  # players up to whom rebids are solved unless told otherwise

Worths = Mapping[tuple[int, Cards], float]  #: of each player and each award that can be taken


class Places(NamedTuple):
    """What places are worth, (bidders, places): on average over who takes the earlier ones, and at least and most."""

    mean: Floats
    low: Floats
    high: Floats


def awards_of(centre: Cards, prizes: Sequence[float]) -> list[Cards]:
    """Every award that may be taken of the centre."""
    sizes = sorted({int(prize) for prize in prizes})
    return [bits(cards) for size in sizes for cards in combinations(numbers(centre), size)]


def places(
    worths: Worths, centre: Cards, prizes: Sequence[float], who: Sequence[int], above: Sequence[int] = ()
) -> Places:
    """What each place that these bid for is worth to each of them, if each takes the best award that is left.

    `above`: who has the first places for certain, `NOBODY` for a void one, of which any cards may be discarded (TU-16);
    the places after them are bid for.

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
    While the tied bid again, it is their rebid that is solved, for the places of the tie, and bids are totals.

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
    # A first bid above what is to be won never pays; but half of it is lost anyway once the bidder is tied.
    end = max(least + 1, min(max(most), int(settled(1.5 * float(worth.mean.max()))) + 1))
    solution = whole_bids.solve_known(
        format, worth.mean.tolist(), range(least, end + 1), budgets=most,
        extra=lambda row, bid: _interest(bid, have[row]), tied=tied, target=target, steps=steps, seed=seed,
    )  # fmt: skip
    return Tonight(state, worth, who, tuple(have), tuple(most), solution)


def _above(state: State) -> list[int]:
    """Who has the places above those that are bid for, as far as it is settled (TU-18); `NOBODY` a void one (TU-16)."""
    above: list[int] = []
    if state.step is Step.ADD:
        tied = auction.tie(state.blocks())
        for block in takewhile(lambda block: block.who != tied, state.blocks()):
            above += block.who if block.kind is Kind.PLACED else [NOBODY] * len(block.who)
    return above


def _interest(bid: float, have: int) -> float:
    """What a bid costs more if it needs the loan (TU-30)."""
    return (REPAID - LOAN) * (bid > have)


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
    worth: Places  #: of those who bid, and of the places that they bid for
    who: tuple[int, ...]  #: the players who bid
    have: tuple[int, ...]  #: the highest bid of each of them without a loan
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
        While the tied bid again, only they and the places of their tie are there.
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

    @checked
    def chances(self, player: int) -> dict[int, float]:
        """A player's mixed strategy: the chance of each bid that is made."""
        row = self._row(player)
        chances = zip(self.solution.game.bids.tolist(), self.solution.strategy[row].tolist(), strict=True)
        return {int(bid): chance for bid, chance in chances if chance > 0}

    @checked
    def earns(self, player: int) -> dict[int, float]:
        """What each bid of a player earns against the others' strategies."""
        row, game = self._row(player), self.solution.game
        payoffs = zip(game.bids.tolist(), game.payoffs(self.solution.strategy)[row].tolist(), strict=True)
        return {int(bid): payoff for bid, payoff in payoffs if bid <= self.most[row]}

    @checked
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
        # Nobody bids more than the bids of the game: a higher one wins the first place for sure.
        earned = earns[bid] if bid in earns else self._sure(row) - bid - _interest(bid, self.have[row])
        return max(earns.values()) - earned

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
