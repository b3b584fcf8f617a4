"""Bids of a played game, compared with theory (TU-52).

In theory all cards are alike and values are private: `theory_bid`. In a game, cards differ and their worth comes from
majorities, so theory is a line to compare with, not the right bid.
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
    """Return the symmetric equilibrium of Turin Market's auction, for values of a card uniform from 0 to `top`.

    Bids are real numbers, half a bid is not rounded, and ties do not occur; any bid above 0 may win. `first`: the
    first auction, which has different lots with four and five players (TU-10).

    >>> theory_bid(2).bid(0.5).round(4), theory_bid(3).bid(1.0).round(4)       # 2 v^2 / (1 + v), and so on
    (np.float64(0.3333), np.float64(1.0))
    """
    format = auction_format(players, first, reserve=0, step=None, rounding=None, ties="coin")
    return format.equilibrium(players, uniform(0.0, top))


@dataclass
class _Auction:
    """An auction of a record: its beginning, bids and end."""

    start: State
    bids: dict[int, int] = field(default_factory=dict)
    added: dict[int, int] = field(default_factory=dict)
    loans: set[int] = field(default_factory=set)
    end: State | None = None

    def __post_init__(self) -> None:
        """Add the bids already made: a record may begin after them, and players without escudos bid 0 (TU-11)."""
        for player, choice in enumerate(self.start.commits):
            if choice >= 0:
                self.says(player, self.bids, choice >> 1, bool(choice & 1))

    def says(self, player: int, amounts: dict[int, int], amount: int, loan: bool) -> None:
        """Note that a player bids or adds an amount."""
        amounts[player] = amount
        if loan:
            self.loans.add(player)

    def paid(self, player: int) -> int:
        """Return a player's payment: escudos before, plus a loan, minus escudos now, including coins on cards."""
        start, end = self.start, cast(State, self.end)
        coins = sum(price for _card, owner, price in start.sale if owner == player)
        after = end.cash[player] if end.cash else end.reserve[player] + coins
        return start.reserve[player] + coins + LOAN * (player in self.loans) - after


@checked(samples=whole(2, 1_000_000))
def bids(record: Record, *, future: str | None = "sample", samples: int = 200, seed: int = 0) -> pd.DataFrame:
    """Return every bid of a played game of Turin Market and theory's bid: one row per player and finished auction.

    An auction whose bids were open when the record began has no row, because the loans for these bids are not recorded.

    Columns:

    - ``game, auction``: both from 1; a match has several games (TU-40)
    - ``player, name``: the bidder's seat, and the name in the record
    - ``reserve``: escudos before the bid; ``loan``: True if the loan was taken with it (TU-30)
    - ``bid, added``: the bid, and the addition in a tie (TU-14), NaN for players who were not tied; players without
      escudos bid or add 0
    - ``paid``: escudos that the player paid (TU-12)
    - ``award, cards``: the number of cards won, and the cards
    - ``worth``: their worth to the player when the bids were made, with the player's knowledge at that time, as `worth`
      estimates it with `future` and `samples`; ``best``: the worth of the best lot for the first place
    - ``theory``: the bid of `theory_bid` for that value of a card, if values go up to the highest of all players in
      this auction; at most the player's escudos, including the loan if it was taken

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
        prizes = start.parameters.format(start.auction).prizes
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
    """Yield the finished auctions of a record, without those in which nobody could bid."""
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
            now.added |= after.additions()  # includes players who could not add anything, and were not asked (TU-14)
            if not after.centre & now.start.centre:
                now.end = after
                yield now
                now = None
        before = after
