"""What was bid in a played game, beside what theory says (TU-52).

Turin's auctions as theory knows them have cards all alike and values that nobody else knows: `theory_bid`. In a game,
cards differ and their worth comes from majorities, so theory is a line to compare with, not the right bid.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from tradekit._utils.arguments import checked, whole
from tradekit.auctions.formats import turin as auction_format
from tradekit.auctions.values import uniform
from tradekit.game import IllegalAction
from tradekit.i18n import _
from tradekit.record import Record
from tradekit.turin.actions import amount_of
from tradekit.turin.equilibria import awards_of
from tradekit.turin.parameters import Step, numbers
from tradekit.turin.payment import LOAN
from tradekit.turin.rules import State
from tradekit.turin.values import Table

if TYPE_CHECKING:
    import pandas as pd

    from tradekit.auctions.equilibrium import Equilibrium


@lru_cache(maxsize=64)
def theory_bid(players: int, first: bool = False, top: float = 1.0) -> Equilibrium:
    """The symmetric equilibrium of Turin Market's auction, for values of a card from 0 to `top`, all equally likely.

    Money is not whole in it, half a bid is not rounded and ties do not come up; any bid above 0 may win. `first`: the
    first auction, which with four and five players has awards of its own (TU-10).

    >>> theory_bid(2).bid(0.5).round(4), theory_bid(3).bid(1.0).round(4)       # 2 v^2 / (1 + v), and so on
    (np.float64(0.3333), np.float64(1.0))
    """
    format = auction_format(players, first, reserve=0, step=None, rounding=None, ties="coin")
    return format.equilibrium(players, uniform(0.0, top))


@dataclass
class _Auction:
    """An auction of a record: how it began, what was bid, and how it ended."""

    start: State
    bids: dict[int, int] = field(default_factory=dict)
    added: dict[int, int] = field(default_factory=dict)
    loans: set[int] = field(default_factory=set)
    end: State | None = None

    def __post_init__(self) -> None:
        """Who has chosen already when it begins: a record may begin there, and who has nothing bids 0 (TU-11)."""
        for player, choice in enumerate(self.start.commits):
            if choice >= 0:
                self.says(player, self.bids, choice >> 1, bool(choice & 1))

    def says(self, player: int, amounts: dict[int, int], amount: int, loan: bool) -> None:
        """A player bids or adds that much."""
        amounts[player] = amount
        if loan:
            self.loans.add(player)

    def paid(self, player: int) -> int:
        """What a player paid: what was there before, with a loan, less what is there now, coins on cards included."""
        start, end = self.start, cast(State, self.end)
        coins = sum(price for _card, owner, price in start.sale if owner == player)
        after = end.cash[player] if end.cash else end.reserve[player] + coins
        return start.reserve[player] + coins + LOAN * (player in self.loans) - after


@checked(samples=whole(2, 1_000_000))
def bids(record: Record, *, future: str | None = "sample", samples: int = 200, seed: int = 0) -> pd.DataFrame:
    """Every bid of a played game of Turin Market beside theory's: a row for each player and each auction that is over.

    Of an auction whose bids were open when the record began there is no row: it does not say who borrowed for them.

    Columns:

    - ``game, auction``: both from 1; a match has several games (TU-40)
    - ``player, name``: who bid, by seat and as the record says
    - ``reserve``: escudos before the bid; ``loan``: whether the loan was taken with it (TU-30)
    - ``bid, added``: the bid, and what was added in a tie (TU-14), NaN for who was not tied; who had nothing bids or
      adds 0
    - ``paid``: what the auction cost the player (TU-12)
    - ``award, cards``: how many cards were won, and which
    - ``worth``: what they were worth to the player when the bids were made, by what the player could know then, as
      `worth` reckons it with `future` and `samples`; ``best``: what the best award for the first place was worth
    - ``theory``: what `theory_bid` bids for that value of a card, if values go up to the highest of all players in this
      auction; not more than the player had, with the loan if it was taken

    >>> from tradekit import Record, bots, turin
    >>> played = bots.finish(Record.begin(turin.new(players=2, seed=1), ["a", "b"]), ["random", "random"], seed=1)
    >>> frame = bids(played, samples=20)
    >>> len(frame), bool((frame["paid"] <= frame["bid"] + frame["added"].fillna(0)).all())
    (10, True)
    """
    import pandas as pd

    if not isinstance(record.start, State):
        raise IllegalAction(_("this is a record of {game}, not of turin").format(game=record.start.game.name))
    rows = []
    for auction in _auctions(record):
        start, end = auction.start, cast(State, auction.end)
        players = range(len(start.hands))
        prizes = start.setting.format(start.auction).prizes
        sets = [cards for cards in awards_of(start.centre, prizes) if cards.bit_count() == prizes[0]]
        tables = [Table(start.view(player), future, samples, seed) for player in players]
        best = [float(table.worth(player, sets).max()) for player, table in enumerate(tables)]
        top = max(0.0, *best) / prizes[0]
        for player in players:
            won = end.won[player] & start.centre
            value = max(0.0, best[player]) / prizes[0]
            theory = float(theory_bid(len(players), start.auction == 0, top).bid(value)) if top > 0 else 0.0
            rows.append({
                "game": len(start.past) + 1,
                "auction": start.auction + 1,
                "player": player,
                "name": record.names[player],
                "reserve": start.reserve[player],
                "loan": player in auction.loans,
                "bid": auction.bids[player],
                "added": float(auction.added.get(player, "nan")),
                "paid": auction.paid(player),
                "award": won.bit_count(),
                "cards": " ".join(map(str, numbers(won))),
                "worth": float(tables[player].worth(player, [won])[0]) if won else 0.0,
                "best": best[player],
                "theory": min(theory, float(start.reserve[player] + LOAN * (player in auction.loans))),
            })  # fmt: skip
    return pd.DataFrame(rows, columns=_COLUMNS)


_COLUMNS = [
    "game", "auction", "player", "name", "reserve", "loan", "bid", "added", "paid", "award", "cards", "worth", "best",
    "theory",
]  # fmt: skip


def _auctions(record: Record) -> Iterator[_Auction]:
    """The auctions of a record that are over; one in which nobody could bid is none."""
    now: _Auction | None = None
    states = cast(Iterator[State], record.states())
    before = next(states)
    for move, after in zip(record.moves, states, strict=True):
        if now is None and before.step is Step.BID:
            now = _Auction(before)
        if now is not None:
            if before.step in (Step.BID, Step.ADD):
                amounts = now.bids if before.step is Step.BID else now.added
                now.says(move.actor, amounts, *amount_of(move.action))
            now.added |= after.additions()  # also of who could add nothing, and was not asked (TU-14)
            if not after.centre & now.start.centre:
                now.end = after
                yield now
                now = None
        before = after
